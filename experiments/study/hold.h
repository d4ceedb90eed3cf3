/* hold.h - inside the experiments on drift and energy: ways to hold a constraint, and runs of them whose cost is
 * counted. */
#ifndef DLS_EXPERIMENTS_HOLD_H
#define DLS_EXPERIMENTS_HOLD_H

#include "delassus/experiments.h"

/* A scheme with one of its settings. */
typedef struct dls_hold {
    const char *name, *scheme;
    const char *key, *value; /* of the scheme, or NULL */
    bool soft;               /* every row is a spring and damper instead of having an ERP */
    bool sweeps_only;        /* takes no direct solver */
    bool by_erp;             /* ERP says what share of an error is taken back */
    double order;            /* of its joint error in the step, as theory has it; NaN: none, the error is a tolerance */
} dls_hold;
extern const dls_hold dls_holds[]; /* name NULL at the end */
enum { DLS_HOLDS = 10 };

/* A row-iteration is one row's turn: of a solver's sweep, or of a sweep over the positions, whose rows are made anew
 * each turn. */
typedef struct dls_hold_cost {
    size_t row_iterations;
    size_t solves; /* calls of the solver */
} dls_hold_cost;

/* How the rows answer to their errors. */
typedef struct dls_hold_rows {
    double erp;              /* [1]; more than 1 is allowed here */
    double frequency, ratio; /* of soft ones [Hz], [1] */
} dls_hold_rows;

/* What the counting solver (hold.c) is handed as settings. */
typedef struct dls_hold_counting {
    const dls_choice *choice;
    dls_hold_cost *cost;
} dls_hold_counting;

typedef struct dls_hold_rig {
    const dls_hold *hold;
    dls_choice choice;
    const dls_scheme *scheme;
    void *settings;    /* of the scheme */
    dls_solver solver; /* the choice's, counted */
    dls_hold_counting counting;
    dls_hold_cost cost; /* since the rig was opened */
    dls_simulation *simulation;
} dls_hold_rig;

/* Every joint of the model is given these rows. The rig must not move in memory; after a failure dls_hold_close is
 * allowed. */
dls_status dls_hold_open(const dls_hold *hold, dls_model *model, const dls_hold_rows *rows, const char *solver,
                         size_t iterations, bool ledger, dls_hold_rig *rig, dls_error *error);
void dls_hold_close(dls_hold_rig *rig);
dls_status dls_hold_step(dls_hold_rig *rig, double h, dls_error *error);

/* C of every row without a bound on its force, soft ones as well, as far as `room` goes; returns how many there are.
 * angular may be NULL. */
size_t dls_hold_positions(const dls_configuration *at, double *C, bool *angular, size_t room);
double dls_hold_energy(const dls_configuration *at); /* [J] */

/* A scene of those installed. mass_ratio > 0: the last body's mass over the first one's. */
dls_status dls_hold_model(const char *scene, double mass_ratio, dls_model **model, dls_error *error);

#endif
