/* energy_gains.h - the energy that a run gains and that nothing gives it, by the ledger. Not installed. */
#ifndef DLS_EXPERIMENTS_ENERGY_GAINS_H
#define DLS_EXPERIMENTS_ENERGY_GAINS_H

#include "delassus/experiments.h"

enum { DLS_GAIN_OTHERS = 4, DLS_GAIN_COLUMNS = DLS_LEDGER_PARTS + DLS_GAIN_OTHERS };

/* The account of a run on its way, after its last step. */
typedef struct dls_energy_gains {
    double sum[DLS_GAIN_COLUMNS];   /* of each column since the start, without what is given [J] */
    double least[DLS_GAIN_COLUMNS]; /* the same at the time when the total without springs was least */
    double since;                   /* this time [s] */
    double stored;                  /* by springs at the start, and after each change of the scene [J] */
    double largest;                 /* energy of all states, without what the run had gained [J] */
    double scale;                   /* the same, at least the energy of rest [J] */
    dls_run_gain now;               /* of the last step, without its share */
} dls_energy_gains;

/* Adds the step that has ended at `time`. */
void dls_energy_gains_add(dls_energy_gains *gains, const dls_model *model, const dls_ledger *ledger, double time);

#endif
