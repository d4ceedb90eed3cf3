/* redundant.h - rows of closed loops that say the same once the loop is closed. Not installed. */
#ifndef DELASSUS_REFERENCE_REDUNDANT_H
#define DELASSUS_REFERENCE_REDUNDANT_H

#include "delassus/reference.h"

#include "base/memory.h"

typedef struct dls_redundant {
    size_t k, f;  /* self-stresses, and rows that can be part of one */
    size_t *rows; /* f */
    double *N;    /* f x k, column-major, in the units of q: N^T D N = 1 */
    double *DN;   /* f x k: D N, D = diag(A) */
    double *left; /* f: the w that these rows keep, in the units of q */
} dls_redundant;

struct dls_direct;
/* The self-stresses of a mechanical problem in the units of d->q; k = 0 where there is none, or
 * where the problem does not tell how far its loops are from being closed. Arrays are taken from `keep`. Fails with
 * DLS_NO_MEMORY alone. */
dls_status dls_redundant_find(const struct dls_direct *d, dls_arena *keep, dls_arena *scratch, dls_redundant *redundant,
                              dls_error *error);
/* q becomes the problem without its contradictions, and regular in the directions of the self-stresses; what is taken
 * from b goes to `left`. */
void dls_redundant_remove(dls_redundant *redundant, dls_dense *q);
/* w <- w - D N N^T w on these rows; with left != NULL, what was taken goes there. */
void dls_redundant_project(const dls_redundant *redundant, double *w, double *left);

#endif
