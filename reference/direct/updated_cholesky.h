/* updated_cholesky.h - the Cholesky factor of A_FF while indices enter and leave F. Not installed.
 *
 * L is lower triangular, column-major, in the order in which the indices came. Beside the m rows of L there is one
 * more, the pending row of an index i that is tried: row = L^-1 A_Fi, and its Schur complement s = A_ii - row.row.
 * It becomes row m+1 of L when i enters, diagonal sqrt(s); it is kept up to date when another index leaves. */
#ifndef DELASSUS_UPDATED_CHOLESKY_H
#define DELASSUS_UPDATED_CHOLESKY_H

#include "base/memory.h"

#include <stddef.h>

typedef struct dls_cholesky {
    size_t m, capacity, stride;
    double *L;   /* capacity x capacity, leading dimension stride */
    double *row; /* capacity: the pending row */
    double s;    /* its Schur complement */
} dls_cholesky;

void dls_cholesky_take(dls_cholesky *factor, dls_arena *memory, size_t capacity);
/* x <- L^-1 x and x <- L^-T x, m entries. */
void dls_cholesky_forward(const dls_cholesky *factor, double *x);
void dls_cholesky_backward(const dls_cholesky *factor, double *x);
/* Makes (row, s) pending: forms row and s from A_Fi, which stands in factor->row, and A_ii. */
void dls_cholesky_try(dls_cholesky *factor, double diagonal);
/* The pending row becomes the last of L; s must be positive. */
void dls_cholesky_append(dls_cholesky *factor);
/* The k-th index leaves: plane rotations, O((m - k)^2) operations; the pending row follows. */
void dls_cholesky_remove(dls_cholesky *factor, size_t k);

#endif
