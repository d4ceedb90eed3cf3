/* warm_law.h - whether the iterations of a run damp its warm starts. Not installed. */
#ifndef DLS_EXPERIMENTS_WARM_LAW_H
#define DLS_EXPERIMENTS_WARM_LAW_H

#include "delassus/experiments.h"

/* Measures the law on the problem of the simulation's last step, and keeps the larger rate of this one and of *law.
 * Leaves *law as it is where the law does not apply (no warm starts, another scheme, a solver whose iteration is no
 * linear sweep, no feedback of errors), or where more than 200 rows are between their bounds. */
dls_status dls_warm_law_measure(const dls_run *run, const dls_simulation *simulation, dls_run_warm *law,
                                dls_error *error);

#endif
