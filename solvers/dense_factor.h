/* dense_factor.h - A as a dense matrix, and Cholesky factors of its blocks, for methods that solve a linear system of
 * many rows in an iteration. Internal to this folder. */
#ifndef DELASSUS_DENSE_FACTOR_H
#define DELASSUS_DENSE_FACTOR_H

#include "delassus/solver_kit.h"

/* A, n x n, column after column in the order of the problem, from n products with A (packed arrangement). Rows that no
 * impulse moves are 0. x and y are vectors by row; x becomes 0. */
void dls_dense_matrix(dls_kit *kit, double *x, double *y, double *A);

/* Doubles of a factor of m rows, and of a right side. */
size_t dls_factor_size(size_t m);
size_t dls_factor_padded(size_t m);
/* L with L L^T = A_FF + diag(shift_F), F the m rows in `rows`; shift NULL: 0. A row whose pivot is lost to rounding
 * depends on those before it and is left out, so that A_FF may be singular. Adds its cost to the row visits. */
void dls_factor(dls_kit *kit, const double *A, const double *shift, size_t m, const size_t *rows, double *L);
/* Replaces x (dls_factor_padded(m) doubles, 0 behind the m-th) by the solution of L L^T x' = x; 0 in rows left out. */
void dls_factor_solve(dls_kit *kit, size_t m, const double *L, double *x);

#endif
