/* solve_until.h - at which iterations an iterate is examined. Not installed. */
#ifndef DLS_EXPERIMENTS_SOLVE_UNTIL_H
#define DLS_EXPERIMENTS_SOLVE_UNTIL_H

#include <stddef.h>

/* The number of iterations from the `done`th, which is examined, to the next one that is, for n rows: a quarter of
 * those before it, at least 1. It depends on nothing else, so that a solve ends at the same iterate on every machine. */
size_t dls_examination_interval(size_t done, size_t n);

#endif
