/* interior.h - the state of the interior-point method, shared by its path and its purification. Not installed. */
#ifndef DELASSUS_REFERENCE_INTERIOR_POINT_H
#define DELASSUS_REFERENCE_INTERIOR_POINT_H

#include "active_set.h"

#include <lapacke.h>

typedef struct dls_interior_settings {
    double tolerance, gap, boundary, consistency;
    size_t limit, rounds;
} dls_interior_settings;

typedef struct dls_interior {
    const dls_direct *direct;
    dls_interior_settings set;
    const dls_dense *dense; /* all rows */
    size_t n;               /* rows in play: neither at rest, nor fixed (lo = hi), nor redundant */
    size_t *row;            /* n: their place in the problem; room for 3 n, two thirds of which are scratch */
    dls_dense q;            /* the problem of the rows in play */
    double *lambda;         /* of all rows */
    double *x, *y, *z, *w;  /* lambda, y, z and A lambda + b */
    double *dx, *dy, *dz, *px, *rhs;
    double *best;
    double *K, *T; /* n x n each: factor, and scratch for least squares */
    bool *inside;
    lapack_int *pivots;
    dls_active_set *descent; /* works in K */
    double unit;             /* max(1, max|b|) */
    size_t n_bounds;
    char held[64]; /* for messages: how many redundant free rows are held; empty if none is */
    bool singular; /* purification met a singular A_FF */
    bool lost;     /* the path led away from complementarity */
    bool convex;   /* symmetric, and nothing has shown that it is not semidefinite: Cholesky; else LU */
} dls_interior;

static inline double lower_slack(const dls_interior *w, size_t i) { return w->x[i] - w->q.lo[i]; }
static inline double upper_slack(const dls_interior *w, size_t i) { return w->q.hi[i] - w->x[i]; }

/* x becomes the best point seen. */
void dls_interior_purify(dls_interior *w, dls_report *report, size_t *rounds);
/* Whether the direction of x is, after projection, a Farkas vector: then w->w holds it, in the rows of `dense`. Works
 * in w->w in any case. */
bool dls_interior_find_farkas(dls_interior *w, dls_report *report);
/* b.x of the vector in w->w, as a share of max|b| max|x|. */
double dls_interior_contradiction(const dls_interior *w);
/* Whether such a contradiction proves that there is no solution, given slack = max |A x| / max |x|, which is 0 for a
 * null vector x. */
bool dls_interior_contradicts(const dls_interior *w, double contradiction, double slack);

#endif
