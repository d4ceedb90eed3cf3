/* separate_solver.h - a solver in a process of its own, which is killed at a time limit. Not installed. */
#ifndef DLS_EXPERIMENTS_SEPARATE_SOLVER_H
#define DLS_EXPERIMENTS_SEPARATE_SOLVER_H

#include "delassus/experiments.h"

/* The choice of a solver of a shared object, which the choice takes over, after a failure too: in a process of its own,
 * or in ours. Settings have their defaults. */
dls_status dls_separate_choose(const dls_solver *real, void *object, bool ours, dls_choice *choice, dls_error *error);
/* Moves a choice that runs in our process to a process of its own. Its settings stay as they are, and "seconds" is one
 * more of them. */
dls_status dls_separate_move(dls_choice *choice, dls_error *error);
/* Of choice->separate: its settings go too, and the shared object. */
void dls_separate_release(void *separate);

#endif
