/* parts.h - shared parts of the experiment on published trajectories: examples, their motions, files of others. */
#ifndef DLS_EXPERIMENTS_TRAJECTORIES_PARTS_H
#define DLS_EXPERIMENTS_TRAJECTORIES_PARTS_H

#include "study/rig.h"
#include "study/study.h"

typedef struct dls_trajectories_settings {
    dls_list examples;
    size_t samples, levels, iterations;
} dls_trajectories_settings;

/* --- examples (planar_examples.c) --- */

/* A number of a planar motion, with its rate: a coordinate of a body's centre of mass [m], or its angle about z [rad].
 */
typedef enum dls_traced_axis {
    DLS_ALONG_X,
    DLS_ALONG_Y,
    DLS_ABOUT_Z,
    DLS_ANGLE_Y /* y, of which a metre stands for a radian */
} dls_traced_axis;
typedef struct dls_traced {
    const char *label; /* NULL at the end */
    const char *body;
    dls_traced_axis axis;
} dls_traced;
enum { DLS_TRACED_MAX = 11 };

/* A published example. Its motion is followed from `begins` to `until`, times of the files [s]. */
typedef struct dls_planar_example {
    const char *name, *caption, *scene; /* scene: its text; name NULL at the end */
    double begins, until;
    double step;        /* of the published time stepping [s] */
    const char *solver; /* that solves the steps of our own run */
    dls_traced traced[DLS_TRACED_MAX];
} dls_planar_example;
extern const dls_planar_example dls_planar_examples[];
enum { DLS_PLANAR_EXAMPLES_MAX = 32 };
size_t dls_traced_count(const dls_planar_example *example);
/* Its index, or that of the end. */
size_t dls_planar_example_find(const char *name);
bool dls_planar_example_wanted(const dls_study *study, size_t example);

/* --- motions (traced_motion.c) --- */

/* Numbers at given times, and the events before them. */
typedef struct dls_traced_motion {
    size_t rows, n;            /* times, and traced numbers */
    double *value, *rate;      /* rows x n each; NaN before `begins` and from `reached` on */
    size_t reached;            /* rows before the motion ends */
    double first_impact;       /* [s], or NaN */
    size_t events;             /* how many */
    char end[DLS_MESSAGE_MAX]; /* why the motion ends before the last time, or "" */
} dls_traced_motion;
/* One of `rows` rows, all 0 and none of them reached. */
dls_status dls_traced_create(const dls_planar_example *example, size_t rows, dls_traced_motion *motion,
                             dls_error *error);
/* Times of the files, in ascending order; the tolerance is `coarser` times the default. `written` (or NULL) gets a row
 * for each event. */
dls_status dls_traced_follow(const dls_planar_example *example, const double *times, size_t rows, double coarser,
                             dls_table *written, dls_traced_motion *motion, dls_error *error);
void dls_traced_release(dls_traced_motion *motion);
/* The numbers of one configuration, into value[n] and rate[n]. */
void dls_traced_read(const dls_planar_example *example, const dls_configuration *at, double *value, double *rate);
/* `begins` and so many steps after it, as far as the example is followed. */
dls_status dls_traced_times(const dls_planar_example *example, double step, double **times, size_t *rows,
                            dls_error *error);

/* --- differences (run_comparison.c) --- */

/* The largest difference of lengths, or of angles. */
typedef enum dls_traced_kind { DLS_TRACED_LENGTH, DLS_TRACED_ANGLE, DLS_TRACED_KINDS } dls_traced_kind;
extern const char *const dls_traced_kinds[DLS_TRACED_KINDS];
dls_traced_kind dls_traced_kind_of(const dls_planar_example *example, size_t i);
typedef struct dls_traced_difference {
    double most, at; /* [m|rad], [s]; most is NaN where there is no such number */
    size_t of;       /* index of the traced number */
    double rate;     /* the largest mean over time of the absolute difference of a rate [m/s|rad/s] */
} dls_traced_difference;
/* Differences of numbers from those of a motion at the same times; NaN in value or rate: not compared. */
void dls_traced_compare(const dls_planar_example *example, const dls_traced_motion *motion, const double *times,
                        const double *value, const double *rate, dls_traced_difference of[DLS_TRACED_KINDS]);

/* --- the theta method of our own (own_steps.c) --- */

/* Its run from the start of the scene with a step of `step` / `parts`: `rows` rows, `step` apart. */
dls_status dls_own_steps(const dls_planar_example *example, double step, size_t parts, size_t iterations, size_t rows,
                         dls_traced_motion *own, dls_error *error);

/* --- files of others (given_table.c, given_runs.c) --- */

/* A matrix as Siconos writes it: a line with the numbers of rows and columns, then a line for each row. The first
 * column is the time, which does not go back. Rows of zeros at the end are rows that the program has not filled. */
typedef struct dls_given_table {
    size_t rows, columns; /* rows: those that are filled */
    double *at;           /* rows x columns */
} dls_given_table;
dls_status dls_given_table_read(const char *path, dls_given_table *table, dls_error *error);
dls_status dls_given_table_parse(const char *text, size_t size, const char *name, dls_given_table *table,
                                 dls_error *error);
void dls_given_table_release(dls_given_table *table);

/* A file of siconos-tutorials, examples/mechanics/. */
typedef struct dls_given_run {
    const char *example, *file, *integrator;
    double step;  /* [s] */
    bool located; /* it locates events */
    size_t skip;  /* rows before the first one whose time is right */
    struct {
        size_t value, rate; /* columns of a traced number and of its rate, in the order of the example; 0: not there */
        double factor;      /* value of the file over ours */
    } column[DLS_TRACED_MAX];
} dls_given_run;
extern const dls_given_run dls_given_runs[]; /* file NULL at the end */

/* --- parts --- */

enum {
    DLS_TRAJECTORIES_MOTIONS,
    DLS_TRAJECTORIES_REFERENCE,
    DLS_TRAJECTORIES_EVENTS,
    DLS_TRAJECTORIES_STEPS,
    DLS_TRAJECTORIES_PUBLISHED
};
typedef struct dls_trajectories_findings {
    double estimate[DLS_PLANAR_EXAMPLES_MAX];      /* of the error of each motion [m|rad] */
    size_t given, missing, located, expected, off; /* runs by their verdict */
    double worst;                                  /* largest difference of a length that is off [m], */
    const char *worst_file;                        /* and the file, or NULL */
} dls_trajectories_findings;
dls_status dls_trajectories_motions(dls_study *study, dls_error *error);
dls_status dls_trajectories_steps(dls_study *study, dls_error *error);
dls_status dls_trajectories_published(dls_study *study, dls_error *error);

#endif
