/* cone_velocities.h - Newton's matrix of contacts, factorised in the velocities of the bodies. Not installed. */
#ifndef DELASSUS_REFERENCE_CONE_VELOCITIES_H
#define DELASSUS_REFERENCE_CONE_VELOCITIES_H

#include "cone_map.h"
#include "root.h"

#include <lapacke.h>

typedef struct dls_cone_velocities {
    const dls_direct *d;
    dls_root root; /* G; without `start` where it has no fewer velocities than rows */
    size_t nv;
    double *B;                         /* 4 n: the inverse blocks of B */
    double *C;                         /* 3 n: B^-1 P in the columns of a row */
    double *S, *y, *x0, *rest, *image; /* nv x nv; nv; n */
    lapack_int *pivots;                /* nv */
} dls_cone_velocities;

/* Takes its memory, if it is available. Its success is that of the next dls_direct_ready. */
void dls_cone_velocities_take(dls_cone_velocities *velocities, const dls_direct *d);
/* Whether it is worth it beside a factor of `m` rows: 1 / Lambda is not so large that it loses the digits of a step. */
bool dls_cone_velocities_suit(const dls_cone_velocities *velocities, double shift, size_t m);
/* x with V x = right, A having `shift` on its diagonal besides, to about 1e-9 of the right side; false where that
 * fails. n entries each. */
bool dls_cone_velocities_solve(dls_cone_velocities *velocities, const dls_cone_row *rows, double shift,
                               const double *right, double *x);

#endif
