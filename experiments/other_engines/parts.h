/* parts.h - shared parts of the experiment `engines`. */
#ifndef DLS_EXPERIMENTS_ENGINES_PARTS_H
#define DLS_EXPERIMENTS_ENGINES_PARTS_H

#include "engines/engine_run.h"
#include "study/rig.h"
#include "study/study.h"

/* --- motions in closed form (closed_form.c) --- */

typedef struct dls_engines_law {
    enum { DLS_ENGINES_NO_LAW, DLS_ENGINES_PENDULUM, DLS_ENGINES_SLIDE } kind;
    size_t body;            /* the last one that moves; with a law the only one */
    dls_vec3 start, anchor; /* [m] */
    dls_vec3 along[2];      /* down and sideways of a pendulum; down the slope */
    double length;          /* [m] */
    double modulus;         /* sin(theta0 / 2) */
    double rate;            /* [rad/s]; acceleration of a block [m/s^2] */
} dls_engines_law;
/* The law of a pendulum or a block on a slope that starts at rest. `ours`: with the fixed friction bounds of given
 * contacts, which engines replace by mu times the normal force. */
dls_engines_law dls_engines_law_find(const dls_model *model, bool ours);
/* Where the centre of mass is at time t; NaN without a law. */
dls_vec3 dls_engines_law_at(const dls_engines_law *law, double t);

/* --- the experiment --- */

typedef struct dls_engines_settings {
    dls_list scenes, engines, methods, starts;
    size_t iterations, many, samples;
    double step, duration, patience;
    dls_list reference;
    dls_list box_steps, box_methods;
    double box_duration, rolling_duration;
} dls_engines_settings;

/* Tables, by their index. */
enum {
    DLS_ENGINES_RUNS,
    DLS_ENGINES_COST,
    DLS_ENGINES_HISTORY,
    DLS_ENGINES_PATHS,
    DLS_ENGINES_INSTANTS,
    DLS_ENGINES_BOX,
    DLS_ENGINES_ROLLING,
    DLS_ENGINES_NOTES
};

/* One of those that step a scene: an engine, or a method of ours. */
typedef struct dls_engines_runner {
    char name[2 * DLS_NAME_MAX];
    const dls_engine_choice *engine; /* NULL: ours, */
    const char *method, *solver;     /* by these, */
    const char *direct;              /* or the direct methods of the reference solution, separated by commas */
    bool warm;                       /* ours from the impulses of the step before */
    size_t iterations;               /* 0: none, it solves directly */
} dls_engines_runner;

/* The measures of a run. */
typedef struct dls_engines_finding {
    bool ran;
    double error, angle; /* largest joint error [m], [rad] */
    double depth;        /* largest depth of a contact [m] */
    double energy;       /* largest change of the energy [J] */
    bool has_law;
    double distance; /* largest one from the motion in closed form, if there is one [m] */
} dls_engines_finding;

enum { DLS_ENGINES_DIRECT = 8 }; /* direct methods of ours-exact */

typedef struct dls_engines_findings {
    dls_engine_choice *engines;
    size_t n_engines;
    dls_engines_runner *runners;
    size_t n_runners;
    char (*names)[DLS_NAME_MAX];                          /* of the scenes, without folder and suffix */
    char direct[DLS_ENGINES_DIRECT * (DLS_NAME_MAX + 1)]; /* the methods of ours-exact, separated by commas */
    dls_engines_finding *of;                              /* scenes x runners */
} dls_engines_findings;

/* The model of an installed scene, or, if the name has a slash or a point, of a file. */
dls_status dls_engines_model(const char *scene, dls_model **model, dls_error *error);
/* `steps` steps by an engine, or by ours. DLS_REFUSED where it cannot. */
dls_status dls_engines_take(const dls_engines_runner *runner, const dls_model *model, double h, size_t steps,
                            double patience, dls_engine_record *record, dls_error *error);
/* Parts: runs of every scene by all (engines_runs.c), and their first instants beside ours (instants.c). */
dls_status dls_engines_runs(dls_study *study, dls_error *error);
dls_status dls_engines_instants(dls_study *study, dls_error *error);
/* Errors of a free body in closed form (free_box.c): the largest relative ones of its angular momentum and energy, and
 * of position and velocity [m], [m/s]. */
enum { DLS_ENGINES_FREE = 4 };
void dls_engines_free_errors(const dls_model *model, const dls_engine_record *record, double h,
                             double error[DLS_ENGINES_FREE]);
dls_status dls_engines_box(dls_study *study, dls_error *error);
/* SimBenchmark's rolling test (rolling.c), pushed at 60 degrees (0) or along y (1), and its error in steps of 1 ms
 * [m^2/s^2]. */
dls_status dls_engines_rolling_model(size_t push, dls_model **model, dls_error *error);
double dls_engines_rolling_error(const dls_engine_record *record, size_t push);
dls_status dls_engines_rolling(dls_study *study, dls_error *error);
dls_status dls_engines_figures(dls_study *study, dls_error *error);

#endif
