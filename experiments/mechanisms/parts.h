/* parts.h - shared parts of the experiment on published mechanisms: settings, mechanisms, findings. */
#ifndef DLS_EXPERIMENTS_MECHANISMS_PARTS_H
#define DLS_EXPERIMENTS_MECHANISMS_PARTS_H

#include "study/rig.h"
#include "study/study.h"

#include <math.h>

typedef struct dls_mechanisms_settings {
    dls_list mechanisms;
    size_t levels, sweeps, iterations;
    char solver[DLS_NAME_MAX];
} dls_mechanisms_settings;

/* A number of a motion: a component of a point of a body or link, or a coordinate. */
typedef struct dls_watched {
    const char *label; /* NULL at the end */
    const char *end;   /* NULL: coordinate `index` of the state */
    dls_vec3 point;    /* at the start, world frame [m] */
    size_t index;      /* 0, 1, 2: x, y, z */
    double published;  /* at the end of the motion, or NaN */
} dls_watched;

/* A scene that steps, and the scene whose motion is the reference: its bodies or links have the same names, and it
 * differs where the loops of the first have a singular position. */
typedef struct dls_published {
    const char *name, *scene, *reference, *caption;
    double duration; /* [s] */
    size_t steps;    /* of the longest step: a multiple of DLS_MECHANISMS_SAMPLES */
    dls_watched watched[8];
} dls_published;
enum { DLS_PUBLISHED = 6, DLS_PUBLISHED_SCHEMES = 64 };
enum { DLS_PUBLISHED_SQUEEZER, DLS_PUBLISHED_THROUGH = 3, DLS_PUBLISHED_BRICARD };
extern const dls_published dls_published_mechanisms[DLS_PUBLISHED];

/* The motion that every run is compared with, at equal times from the start to the end. */
enum { DLS_MECHANISMS_SAMPLES = 10 };
typedef struct dls_reference_course {
    dls_model *model;
    dls_configuration *at[DLS_MECHANISMS_SAMPLES + 1];
    double position;   /* distance of the motion with a hundred times the tolerance: an estimate of its error [m] */
    size_t rows, rank; /* of the scene that steps, at the start */
    bool complete;
} dls_reference_course;

enum { DLS_MECHANISMS_MOTION, DLS_MECHANISMS_RUNS, DLS_MECHANISMS_ORDERS };

typedef struct dls_mechanisms_finding {
    bool run;        /* the scheme takes the mechanism */
    double order;    /* fitted to all steps */
    double error;    /* of the shortest step [m] */
    double energy;   /* of the shortest step [J] */
    size_t unsolved; /* steps of all runs whose solver had no answer */
} dls_mechanisms_finding;
typedef struct dls_mechanisms_findings {
    dls_reference_course course[DLS_PUBLISHED];
    double published[DLS_PUBLISHED]; /* the largest relative difference of a printed value; 0: none is printed */
    dls_mechanisms_finding of[DLS_PUBLISHED][DLS_PUBLISHED_SCHEMES]; /* in the order of dls_schemes */
} dls_mechanisms_findings;
/* Whether shorter steps hardly bring a scheme nearer to the motion, or not at all. */
static inline bool dls_mechanisms_astray(const dls_mechanisms_finding *of)
{
    return of->run && (of->order < 0.5 || !isfinite(of->error));
}

/* Whether the settings name this mechanism. */
bool dls_mechanisms_wanted(const dls_study *study, size_t mechanism);
dls_status dls_mechanisms_motions(dls_study *study, dls_error *error);
dls_status dls_mechanisms_runs(dls_study *study, dls_error *error);

#endif
