/* cone_velocities.h - Newton's matrix of contacts, factorised in the velocities of the bodies. Not installed. */
#ifndef DELASSUS_REFERENCE_CONE_VELOCITIES_H
#define DELASSUS_REFERENCE_CONE_VELOCITIES_H

#include "cone_map.h"

#include <lapacke.h>

/* A part of a row of G: `length` values from column `offset` on. */
typedef struct dls_cone_part {
    size_t offset, length;
    double *values;
} dls_cone_part;

typedef struct dls_cone_velocities {
    const dls_direct *d;
    bool available; /* a mechanical problem with some velocities, but fewer than rows */
    size_t nv, *start;
    dls_cone_part *parts;              /* of row i: start[i] to start[i + 1] */
    double *compliance, *B;            /* n: Lambda without the shift; 4 n: the inverse blocks of B */
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
