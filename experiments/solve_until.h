/* solve_until.h - at which iterations an iterate is examined, and how long a solver takes. Not installed. */
#ifndef DLS_EXPERIMENTS_SOLVE_UNTIL_H
#define DLS_EXPERIMENTS_SOLVE_UNTIL_H

#include "delassus/solver.h"

/* The number of iterations from the `done`th, which is examined, to the next one that is, for n rows: a quarter of
 * those before it, at least 1. It depends on nothing else, so that a solve ends at the same iterate on every machine. */
size_t dls_examination_interval(size_t done, size_t n);

/* The least time of three openings of the problem, each with one iteration and one reading [s]; infinite without memory.
 * lambda0: n impulses, or NULL for 0. */
double dls_first_seconds(const dls_solver *solver, const void *settings, const dls_problem *problem,
                         const double *lambda0);

#endif
