/* separate_solver.h - a solver in a separate process, which is killed at a time limit. Not installed. */
#ifndef DLS_EXPERIMENTS_SEPARATE_SOLVER_H
#define DLS_EXPERIMENTS_SEPARATE_SOLVER_H

#include "delassus/experiments.h"

/* A choice of a solver of a shared object, in a separate process, or in this one if `ours` is true. It has default
 * settings, and closes the object when it is released; after a failure the object is closed too. */
dls_status dls_separate_choose(const dls_solver *real, void *object, bool ours, dls_choice *choice, dls_error *error);
/* Moves a choice that runs in this process to a separate one. Its settings are kept, and "seconds" is added to them. */
dls_status dls_separate_move(dls_choice *choice, dls_error *error);
/* dls_seconds_again (pace.h) in a process of its own, for a choice that runs in a separate process; infinite
 * where it ends, or takes more than a second. */
double dls_separate_seconds_again(const dls_choice *choice, const dls_problem *problem, const double *lambda0,
                                  size_t iterations);
/* Releases choice->separate, its settings and the shared object. */
void dls_separate_release(void *separate);

#endif
