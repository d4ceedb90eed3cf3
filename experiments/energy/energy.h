/* energy.h - inside the experiment on energy: its settings, and the ledger's columns summed over a run. */
#ifndef DLS_EXPERIMENTS_ENERGY_H
#define DLS_EXPERIMENTS_ENERGY_H

#include "study/hold.h"

typedef struct dls_energy_settings {
    char solver[DLS_NAME_MAX];
    size_t iterations;
    double step, duration, erp, frequency, damping_ratio;
} dls_energy_settings;
extern const dls_field_table dls_energy_fields;

typedef struct dls_energy_case {
    const char *name, *scene, *caption;
} dls_energy_case;
enum { DLS_ENERGY_CASES = 2, DLS_ENERGY_COLUMNS = DLS_LEDGER_PARTS + 3 };
extern const dls_energy_case dls_energy_cases[];
/* external, the ledger's parts, projection, integrator */
extern const char *const dls_energy_names[DLS_ENERGY_COLUMNS];

typedef struct dls_energy_sum {
    double column[DLS_ENERGY_COLUMNS]; /* [J] */
    double moved;                      /* the columns' magnitudes, summed over all steps [J] */
    double change;                     /* of the energy, from the states at the ends [J] */
    double error;                      /* |columns' sum - change|, over what was moved and the energies at the ends */
    double mismatch;                   /* of a step, the worst */
    size_t steps;
} dls_energy_sum;

typedef struct dls_energy_lab {
    const dls_job *job;
    const dls_energy_settings *settings;
    dls_table *table, *history;
    dls_energy_sum sums[DLS_ENERGY_CASES][DLS_HOLDS];
} dls_energy_lab;
/* All runs and their tables; no figure. */
dls_status dls_energy_study(dls_energy_lab *lab, dls_error *error);

#endif
