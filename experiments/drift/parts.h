/* parts.h - shared parts of the experiment on drift: settings, mechanisms, runs, findings. */
#ifndef DLS_EXPERIMENTS_DRIFT_PARTS_H
#define DLS_EXPERIMENTS_DRIFT_PARTS_H

#include "study/rig.h"
#include "study/study.h"

typedef struct dls_drift_settings {
    dls_list rates, iterations;
    char reference[DLS_NAME_MAX];
    double duration, mass_ratio, erp, frequency, damping_ratio, fit_from;
    size_t many, substeps, shown_rate, shown_iterations;
    dls_list row_orders; /* choices of dls_drift_order_names */
    size_t seed, copies;
    size_t erp_points, erp_steps;
    double erp_last, push, noticed;
    dls_list crossings; /* choices of dls_drift_crossing_names */
    dls_list event_rates;
    char event_reference[DLS_NAME_MAX];
    size_t event_iterations, phases;
    double settled;
} dls_drift_settings;

typedef struct dls_drift_mechanism {
    const char *name, *scene;
    bool generic; /* copies differ by dls_scene_vary, instead of by a displacement of 1e-9 m */
    bool ratio;   /* the last body has mass_ratio times the mass of the first */
    const char *caption;
} dls_drift_mechanism;
enum { DLS_DRIFT_MECHANISMS = 4, DLS_DRIFT_PAIR = 2, DLS_DRIFT_ROWS_MAX = 64 };
extern const dls_drift_mechanism dls_drift_mechanisms[DLS_DRIFT_MECHANISMS];

/* The order of the rows in a sweep. Symmetric: each sweep over the given order is followed by one over the reversed
 * order (symmetric-pgs), with the same number of sweeps in all; one more where it is odd. */
typedef enum dls_drift_order {
    DLS_DRIFT_GIVEN,
    DLS_DRIFT_REVERSED,
    DLS_DRIFT_RANDOM,
    DLS_DRIFT_SYMMETRIC,
    DLS_DRIFT_ORDERS_OF_ROWS
} dls_drift_order;
extern const char *const dls_drift_order_names[]; /* NULL at the end */

enum {
    DLS_DRIFT_RUNS,
    DLS_DRIFT_COST,
    DLS_DRIFT_HISTORY,
    DLS_DRIFT_ORDERS,
    DLS_DRIFT_ERP,
    DLS_DRIFT_ERP_SUMMARY,
    DLS_DRIFT_EVENTS,
    DLS_DRIFT_EVENTS_SUMMARY
};

/* A motion across events, up to the time `end` [s]. */
typedef struct dls_drift_crossing {
    double end;
    const char *scene;
} dls_drift_crossing;
enum { DLS_DRIFT_CROSSINGS = 10 };
extern const char *const dls_drift_crossing_names[]; /* NULL at the end */
extern const dls_drift_crossing dls_drift_crossings[DLS_DRIFT_CROSSINGS];
typedef enum dls_drift_ending {
    DLS_DRIFT_REACHED,
    DLS_DRIFT_REFUSED, /* by the method */
    DLS_DRIFT_LOST     /* no longer finite */
} dls_drift_ending;
/* Its errors under a method: error = constant h^order. */
typedef struct dls_drift_crossed {
    dls_drift_ending ending;
    double order[2], constant[2]; /* of positions, of velocities; NaN: not settled */
    double error[2];              /* with the last step: root mean squares of the phases [m, rad], [m/s, rad/s] */
} dls_drift_crossed;

/* The findings of captions and tests on a method and a mechanism. */
typedef struct dls_drift_finding {
    double order;        /* fitted, with the reference */
    dls_spread error;    /* of the copies: worst joint error at the shown rate [m], with the shown iterations */
    double shown_error;  /* its median */
    double shown_energy; /* largest |change of energy| [J], likewise */
    double shown_cost;   /* row-iterations per second of motion */
    double order_error[DLS_DRIFT_ORDERS_OF_ROWS]; /* medians by the order of the rows; 0: not run */
    double overshoot;     /* ERP from which on the error passes zero by more than `noticed`; NaN: nowhere */
    double overshoot_few; /* the same by the shown iterations of PGS */
} dls_drift_finding;
typedef struct dls_drift_findings {
    double chain_step; /* beyond it explicit steps do not follow the chain (runs.c) [s] */
    dls_drift_finding of[DLS_DRIFT_MECHANISMS][DLS_METHODS];
    dls_drift_crossed across[DLS_DRIFT_CROSSINGS][DLS_METHODS];
} dls_drift_findings;

/* How a run is made. `iterations` 0: by the reference, or by many sweeps where the method takes these alone. */
typedef struct dls_drift_run {
    const dls_drift_mechanism *mechanism;
    const dls_method *method;
    size_t iterations; /* sweeps of PGS per step */
    size_t copy;       /* 0: the scene as it is, unless it is generic */
    dls_drift_order order;
    double erp;
    bool weightless;
} dls_drift_run;
/* The solver's name. */
const char *dls_drift_solver(const dls_study *study, const dls_drift_run *run);
/* Opens the run; a scene with fewer than 2 bodies or more than DLS_DRIFT_ROWS_MAX rows is DLS_REFUSED. */
dls_status dls_drift_open(const dls_study *study, const dls_drift_run *run, dls_rig *rig, dls_error *error);

dls_status dls_drift_runs(dls_study *study, dls_error *error);
dls_status dls_drift_overshoot(dls_study *study, dls_error *error);
dls_status dls_drift_events(dls_study *study, dls_error *error);
dls_status dls_drift_figures(dls_study *study, dls_error *error);

#endif
