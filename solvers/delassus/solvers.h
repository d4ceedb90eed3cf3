/* solvers.h - the iterative methods: matrix-free sweeps on sparse rows. */
#ifndef DELASSUS_SOLVERS_H
#define DELASSUS_SOLVERS_H

#include "delassus/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const dls_solver *const dls_iterative_solvers[]; /* NULL at the end */
const dls_solver *dls_iterative_find(const char *name); /* NULL if there is none */

#ifdef __cplusplus
}
#endif

#endif
