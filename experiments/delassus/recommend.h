/* recommend.h - the cheapest settings of a run that hold an error: scheme, solver, iterations and time step.
 *
 *     const dls_recommend wanted = {.model = model, .scene = "pendulum.yaml", .stem = "pendulum", .error = 1e-3,
 *                                   .duration = 2.0, .seconds = 60.0, ...};
 *     dls_recommendation found;
 *     DLS_TRY(dls_recommend_run(&job, &wanted, &found, error));
 *     puts(found.sentence);
 *     if (found.status == DLS_RECOMMENDED) puts(found.command);
 * doc/recommend.md says what error and cost are.
 */
#ifndef DELASSUS_RECOMMEND_H
#define DELASSUS_RECOMMEND_H

#include "delassus/experiments.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const char dls_recommend_solvers[]; /* the solvers that are tried where none are named, separated by commas */

typedef struct dls_recommend {
    const dls_model *model;
    const char *scene;   /* its file, for the command; NULL: there is none that a command could name */
    const char *options; /* further options of the command, each with a blank before it; "": none */
    const char *stem;    /* of the table STEM.recommend.tsv and the figure STEM.recommend */
    double error;        /* largest distance from the truth at any time, in sizes of the mechanism, > 0 [1] */
    double duration;     /* [s] */
    double seconds;      /* budget of the search, counted as 5e7 row visits a second [s] */
    const dls_scheme *const *schemes;
    size_t n_schemes;
    const dls_choice *choices; /* solvers with their settings */
    size_t n_choices;
} dls_recommend;

typedef enum dls_recommend_status {
    DLS_RECOMMENDED,      /* settings that hold the error, the cheapest on the grid that was searched */
    DLS_RECOMMEND_NONE,   /* none within the budget */
    DLS_RECOMMEND_UNKNOWN /* the truth is not known to this error up to the end: see known_until */
} dls_recommend_status;
extern const char *const dls_recommend_status_names[]; /* "recommended", "none", "unknown"; NULL at the end */

typedef struct dls_recommendation {
    dls_recommend_status status;
    char sentence[1024];            /* the result in words */
    char command[8 * DLS_PATH_MAX]; /* delassus run SCENE ..., if status is DLS_RECOMMENDED; "" for what is
                                     * not known by its name: a scene without a file, a plug-in, a program */
    /* The recommended settings; without one those with the least error. scheme "": no run came to its end. */
    char scheme[DLS_NAME_MAX], solver[DLS_NAME_MAX];
    size_t iterations;                 /* per step; 0: a direct solver */
    double step;                       /* [s] */
    double error_most, error_end;      /* over time, at the end [1] */
    double work;                       /* row visits */
    double seconds;                    /* processor time of the steps, the least of three runs [s] */
    double size;                       /* of the mechanism [m] */
    bool refined;                      /* the truth is a refined run; false: the motion in continuous time */
    double truth_step;                 /* its step [s]; 0: it has none */
    double truth_error;                /* estimated error of the truth, in sizes of the mechanism */
    double known_until;                /* the truth is known to the error up to this time [s] */
    char why_refined[DLS_MESSAGE_MAX]; /* why there is no motion in continuous time; "": there is */
    size_t runs, refused;              /* runs that were tried; scheme with a solver that does not go with it */
    bool spent;                        /* the budget ended the search */
    char table[DLS_PATH_MAX];          /* of all runs; "": none was made */
} dls_recommendation;
/* Searches all combinations of schemes and solvers, iterations 1, 4, 16, ... and steps duration / 10, / 20, / 40, ...
 * in the order of their cost, until no cheaper one can hold the error. The result and the table, but for its column
 * measured_time, are the same in every run. DLS_REFUSED for a scene that changes during the run. Otherwise as
 * dls_run_trajectory and dls_plot. */
dls_status dls_recommend_run(const dls_job *job, const dls_recommend *wanted, dls_recommendation *found,
                             dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
