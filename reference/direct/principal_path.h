/* principal_path.h - parametric principal pivoting, the last resort of block pivoting without symmetry. Not
 * installed. */
#ifndef DELASSUS_REFERENCE_PRINCIPAL_PATH_H
#define DELASSUS_REFERENCE_PRINCIPAL_PATH_H

#include "direct.h"

#include <lapacke.h>

/* The set of a row. */
enum { DLS_SET_LOWER, DLS_SET_UPPER, DLS_SET_INSIDE };

typedef struct dls_principal_path {
    const dls_direct *direct;
    const dls_dense *q;
    size_t n, f, *F; /* the f rows inside */
    double *d, *lambda, *w, *slope_lambda,
        *slope_w;       /* n each: b(t) = b + t d, lambda + t slope_lambda, w + t slope_w */
    double *factor, *x; /* n x n, the caller's; 2 n */
    lapack_int *pivots; /* the caller's */
} dls_principal_path;

/* Memory for any number of paths, which may overwrite `factor` (q.n x q.n), F and `pivots` (q.n each). */
void dls_principal_path_take(dls_principal_path *path, const dls_direct *direct, double *factor, size_t *F,
                             lapack_int *pivots);
/* Turns `state` (q.n entries), any sets with a regular A_FF, into those of the solution but for rounding, in at most
 * `limit` pivots, which are added to the report's iterations. Where the limit comes first, or the path turns back,
 * which it does not for a P-matrix but by rounding, `state` has the sets there. */
void dls_principal_path_follow(dls_principal_path *path, size_t limit, unsigned char *state, dls_report *report);

#endif
