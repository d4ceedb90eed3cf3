/* drift.h - inside the experiment on drift: its settings, runs, studies and what they found. */
#ifndef DLS_EXPERIMENTS_DRIFT_H
#define DLS_EXPERIMENTS_DRIFT_H

#include "study/hold.h"

typedef struct dls_drift_settings {
    char rates[DLS_NAME_MAX], iterations[DLS_NAME_MAX], reference[DLS_NAME_MAX];
    double duration, mass_ratio, erp, frequency, damping_ratio, fit_from;
    size_t many, substeps, shown_rate, shown_iterations;
    size_t erp_points, erp_steps;
    double erp_last, push, noticed;
} dls_drift_settings;
extern const dls_field_table dls_drift_fields;

typedef struct dls_drift_mechanism {
    const char *name, *scene;
    bool ratio; /* the last body has mass_ratio times the mass of the first */
    const char *caption;
} dls_drift_mechanism;
extern const dls_drift_mechanism dls_drift_mechanisms[];
enum { DLS_DRIFT_MECHANISMS = 3, DLS_DRIFT_LIST_MAX = 12, DLS_DRIFT_ROWS_MAX = 64 };

/* One run. A state that is not finite ends it: `failed` is that step, and errors are infinite. */
typedef struct dls_drift_run {
    const dls_drift_mechanism *mechanism;
    const dls_hold *hold;
    const char *solver;
    size_t iterations;                /* a step */
    bool reference;                   /* solved exactly, or by many iterations where the way takes sweeps alone */
    double step;                      /* [s] */
    size_t steps, failed, unsolved;   /* unsolved: a direct method had another outcome than solved */
    double worst[2], last[2];         /* joint error [m], [rad] */
    double worst_energy, last_energy; /* |change since the start|, change [J] */
    dls_hold_cost cost;
    double seconds; /* of a processor, measured, all steps */
} dls_drift_run;

/* What captions and tests say of a way on a mechanism. */
typedef struct dls_drift_finding {
    double order;         /* fitted, with the reference */
    double shown_error;   /* worst joint error at the shown rate [m]: with the shown iterations */
    double shown_energy;  /* largest |change of energy| [J], likewise */
    double shown_cost;    /* row-iterations a second of motion */
    double overshoot;     /* ERP from which on the error passes zero by more than `noticed`; NaN: nowhere */
    double overshoot_few; /* the same by the shown iterations of PGS */
} dls_drift_finding;

typedef struct dls_drift_lab {
    const dls_job *job;
    const dls_drift_settings *settings;
    dls_field_table fields;
    size_t rates[DLS_DRIFT_LIST_MAX], n_rates, iterations[DLS_DRIFT_LIST_MAX], n_iterations;
    dls_table *runs, *times, *history, *orders;
    double chain_step; /* beyond it explicit steps do not follow the chain (runs.c) [s] */
    dls_drift_finding found[DLS_DRIFT_MECHANISMS][DLS_HOLDS];
} dls_drift_lab;

/* A table with the experiment's settings and these columns. */
dls_status dls_drift_table(const dls_drift_lab *lab, const char *stem, const char *columns, dls_table **table,
                           dls_error *error);
/* Its scene; DLS_REFUSED with fewer than 2 bodies or more than DLS_DRIFT_ROWS_MAX rows. */
dls_status dls_drift_model(const dls_drift_lab *lab, const dls_drift_mechanism *mechanism, dls_model **model,
                           dls_error *error);
/* Reads the settings' lists. */
dls_status dls_drift_prepare(dls_drift_lab *lab, dls_error *error);
/* Least squares of log(error) over log(step): the exponent; NaN with fewer than 3 points, or one that is not positive.
 * */
double dls_drift_order(const double *step, const double *error, size_t count);
/* The solver and its limit of iterations. iterations 0: the reference, or many sweeps where the way takes these alone.
 * */
void dls_drift_solver(const dls_drift_lab *lab, const dls_hold *hold, size_t iterations, const char **solver,
                      size_t *limit);
dls_hold_rows dls_drift_rows(const dls_drift_settings *settings);

dls_status dls_drift_runs(dls_drift_lab *lab, dls_error *error);          /* runs.c */
dls_status dls_drift_overshoot(dls_drift_lab *lab, dls_error *error);     /* overshoot.c */
dls_status dls_drift_figures(const dls_drift_lab *lab, dls_error *error); /* figures.c */

#endif
