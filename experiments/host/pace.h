/* pace.h - at which iterations an iterate is examined, and how long a solver takes. Not installed. */
#ifndef DLS_EXPERIMENTS_PACE_H
#define DLS_EXPERIMENTS_PACE_H

#include "delassus/solver.h"

/* The number of iterations from the `done`th, which is examined, to the next one that is, for n rows: a quarter of
 * those before it, at least 1. It depends on nothing else: a solve ends at the same iterate on every machine. */
size_t dls_examination_interval(size_t done, size_t n);

/* The least time of the solver alone [s] in nine solves of at most `iterations`, or in fewer where these take longer
 * than dls_short_solve; infinite without memory. lambda0: n impulses to start from. */
extern const double dls_short_solve; /* [s] */
double dls_seconds_again(const dls_solver *solver, const void *settings, const dls_problem *problem,
                         const double *lambda0, size_t iterations);

#endif
