/* dense.h - the matrices of a dense problem: its assembly, blocks, products. Not installed. */
#ifndef DELASSUS_REFERENCE_DENSE_H
#define DELASSUS_REFERENCE_DENSE_H

#include "delassus/reference.h"

#include "base/memory.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* An uninitialised matrix, column-major. NULL for want of memory. */
static inline double *dls_take_matrix(dls_arena *memory, size_t rows, size_t columns)
{
    return dls_arena_take(memory, columns, (rows > 0 ? rows : 1) * sizeof(double));
}

/* The arrays of a dense problem taken from `keep`; assembly works in `scratch`. */
dls_status dls_dense_take(const dls_problem *problem, dls_arena *keep, dls_arena *scratch, dls_dense *dense,
                          dls_error *error);

static inline bool dls_bound_free(const dls_dense *q, size_t i) { return isinf(q->lo[i]) && isinf(q->hi[i]); }
static inline double dls_bound_clamp(const dls_dense *q, size_t i, double x)
{
    return x < q->lo[i] ? q->lo[i] : x > q->hi[i] ? q->hi[i] : x;
}

/* w = A lambda + b */
void dls_dense_w(const dls_dense *q, const double *lambda, double *w);
/* Its entry i alone. */
double dls_dense_row_w(const dls_dense *q, size_t i, const double *lambda);
/* largest_i = max_j |A_ij|: then |b_i| + largest_i sum_j |lambda_j| bounds the terms of w_i, so their rounding too. */
void dls_dense_row_max(const dls_dense *q, double *largest);
/* Whether an n x n matrix, or its lower triangle, is without infinities and NaN, as LAPACK needs it: derivatives at an
 * iterate that diverges are not. */
bool dls_matrix_is_finite(size_t n, const double *A, bool lower);
/* The block A_FF of the f rows and columns F, column-major with leading dimension f. */
void dls_dense_block(const dls_dense *q, size_t f, const size_t *F, double *block);
/* Whether the square of a Cholesky factor's pivot is only the rounding of the n products subtracted from `diagonal`. */
static inline bool dls_pivot_lost(double pivot, double diagonal, size_t n)
{
    return !(pivot * pivot > (double)n * DBL_EPSILON * diagonal);
}

#endif
