/* bounds.h - what every direct method asks of a dense problem's bounds and rows. Not installed. */
#ifndef DELASSUS_REFERENCE_BOUNDS_H
#define DELASSUS_REFERENCE_BOUNDS_H

#include "delassus/reference.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

static inline bool dls_bound_free(const dls_dense *d, size_t i) { return isinf(d->lo[i]) && isinf(d->hi[i]); }
static inline double dls_bound_clamp(const dls_dense *d, size_t i, double x)
{
    return x < d->lo[i] ? d->lo[i] : x > d->hi[i] ? d->hi[i] : x;
}

/* w = A lambda + b */
static inline void dls_dense_w(const dls_dense *d, const double *lambda, double *w)
{
    int n = (int)d->n;
    memcpy(w, d->b, d->n * sizeof *w);
    if (n == 0)
        return;
    if (d->symmetric)
        cblas_dsymv(CblasColMajor, CblasLower, n, 1.0, d->A, n, lambda, 1, 1.0, w, 1);
    else
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, d->A, n, lambda, 1, 1.0, w, 1);
}

/* 1 / sqrt|a_ii| to a power of 2, so that multiplying by it does not round; 1 where a_ii is 0. */
static inline double dls_row_scale(const dls_dense *d, size_t i)
{
    double a = fabs(d->A[i + d->n * i]);
    return a > 0.0 ? exp2(-rint(0.5 * log2(a))) : 1.0;
}

/* s = row scales, largest_i = max_j |a_ij| s_j. Then |b_i| + largest_i sum_j |lambda_j| / s_j bounds the terms of w_i,
 * so their rounding too, whatever the units of the rows. */
static inline void dls_dense_row_max(const dls_dense *d, double *scale, double *largest)
{
    for (size_t i = 0; i < d->n; i++) {
        scale[i] = dls_row_scale(d, i);
        largest[i] = 0.0;
    }
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = 0; i < d->n; i++)
            largest[i] = fmax(largest[i], fabs(d->A[i + d->n * j]) * scale[j]);
}

/* max |b_i| s_i, what a contradiction is measured by. */
static inline double dls_right_side(const dls_dense *d, const double *scale)
{
    double largest = 0.0;
    for (size_t i = 0; i < d->n; i++)
        largest = fmax(largest, fabs(d->b[i]) * scale[i]);
    return largest;
}

/* The largest impulse lambda_i / s_i that a solution may have, as a multiple of the largest |b_i| s_i and finite
 * |bound| / s_i: its eps is 1e-9 of that size, the level at which answers are examined. So y proves that there is no
 * solution where b.y is further below 0 than dls_reach times the entries of A^T y, which should vanish and do so but
 * for rounding. */
static const double dls_reach = 1e-9 / DBL_EPSILON;

/* Whether the impulses are beyond reach, so that rounding leaves nothing of w. A singular problem without a solution
 * ends so. */
static inline bool dls_impulses_lost(const dls_dense *d, const double *lambda, double *largest, double *size)
{
    *largest = *size = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        double s = dls_row_scale(d, i), lo = isinf(d->lo[i]) ? 0.0 : fabs(d->lo[i]),
               hi = isinf(d->hi[i]) ? 0.0 : fabs(d->hi[i]);
        *largest = fmax(*largest, fabs(lambda[i]) / s);
        *size = fmax(*size, fmax(fabs(d->b[i]) * s, fmax(lo, hi) / s));
    }
    return *size > 0.0 && *largest > dls_reach * *size;
}

/* Withdraws such an answer. */
static inline void dls_withdraw_lost(const dls_dense *d, const double *lambda, dls_report *report)
{
    double largest, size;
    if (report->outcome == DLS_OUTCOME_SOLVED && dls_impulses_lost(d, lambda, &largest, &size))
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "impulses of %.3g (scaled, b and bounds at most %.3g): nothing is left of w but rounding; there "
                       "may be no solution",
                       largest, size);
}

/* A pivot of a Cholesky factor, squared, that is only rounding of the n products it was left from. */
static inline bool dls_pivot_lost(double pivot, double diagonal, size_t n)
{
    return !(pivot * pivot > (double)n * DBL_EPSILON * diagonal);
}

#endif
