/* parts.h - the findings of the experiment on energy, for captions and tests. */
#ifndef DLS_EXPERIMENTS_ENERGY_PARTS_H
#define DLS_EXPERIMENTS_ENERGY_PARTS_H

#include "study/rig.h"
#include "study/study.h"

typedef struct dls_energy_settings {
    char solver[DLS_NAME_MAX];
    size_t iterations;
    double step, duration, erp, frequency, damping_ratio;
} dls_energy_settings;

enum { DLS_ENERGY_CASES = 2, DLS_ENERGY_COLUMNS = DLS_LEDGER_PARTS + 3 };
/* external, the ledger's parts, projection, integrator */
extern const char *const dls_energy_names[DLS_ENERGY_COLUMNS];

/* The ledger's columns summed over a run. */
typedef struct dls_energy_sum {
    double column[DLS_ENERGY_COLUMNS]; /* [J] */
    double moved;                      /* the columns' magnitudes, summed over all steps [J] */
    double change;                     /* of the energy, from the states at the ends [J] */
    double error;                      /* |columns' sum - change|, over what was moved and the energies at the ends */
    double mismatch;                   /* of a step, the worst */
    size_t steps;
} dls_energy_sum;
typedef struct dls_energy_findings {
    dls_energy_sum of[DLS_ENERGY_CASES][DLS_METHODS];
} dls_energy_findings;

#endif
