/* parts.h - shared parts of the experiment on row orders. */
#ifndef DLS_EXPERIMENTS_ORDERS_PARTS_H
#define DLS_EXPERIMENTS_ORDERS_PARTS_H

#include "delassus/solver.h"

extern const dls_solver dls_solver_greedy; /* greedy.c */

#endif
