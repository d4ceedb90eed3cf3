#include "scaled.h"

#include "bounds.h"
#include "natural_map.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row without a diagonal is scaled by its largest entry. */
static double row_size(const dls_dense *d, size_t i)
{
    double diagonal = d->A[i + d->n * i], largest = 0.0;
    if (diagonal > 0.0 && d->symmetric)
        return diagonal;
    for (size_t j = 0; j < d->n; j++)
        largest = fmax(largest, fmax(fabs(d->A[i + d->n * j]), fabs(d->A[j + d->n * i])));
    return largest > 0.0 ? largest : 1.0;
}

static void scale(dls_scaled *scaled)
{
    dls_dense *d = scaled->dense;
    const double *s = scaled->s;
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = 0; i < d->n; i++)
            d->A[i + d->n * j] *= s[i] * s[j];
    for (size_t i = 0; i < d->n; i++) {
        d->b[i] *= s[i];
        d->lo[i] /= s[i];
        d->hi[i] /= s[i];
        double at[3] = {d->b[i], d->lo[i], d->hi[i]};
        for (int k = 0; k < 3; k++)
            if (isfinite(at[k]))
                scaled->size = fmax(scaled->size, fabs(at[k]));
    }
    if (scaled->size == 0.0)
        scaled->size = 1.0;
}

dls_status dls_scaled_create(const dls_problem *problem, dls_scaled **scaled, dls_error *error)
{
    dls_scaled *made = *scaled = calloc(1, sizeof *made);
    if (!made)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a dense problem of %zu rows", problem->n);
    made->n = problem->n;
    dls_status status = dls_dense_create(problem, &made->dense, error);
    made->s = status == DLS_OK ? calloc(problem->n + 1, sizeof *made->s) : NULL;
    if (status == DLS_OK && !made->s)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for a dense problem of %zu rows", problem->n);
    if (status != DLS_OK) {
        dls_scaled_destroy(made);
        *scaled = NULL;
        return status;
    }
    for (size_t i = 0; i < problem->n; i++)
        made->s[i] = exp2(-rint(0.5 * log2(row_size(made->dense, i))));
    scale(made);
    return DLS_OK;
}

void dls_scaled_destroy(dls_scaled *scaled)
{
    if (!scaled)
        return;
    dls_dense_destroy(scaled->dense);
    free(scaled->s);
    free(scaled->twin);
    free(scaled);
}

static double twin_sign(const dls_scaled *scaled, size_t i) { return i < scaled->n ? 1.0 : -1.0; }
static size_t twin_row(const dls_scaled *scaled, size_t i) { return i < scaled->n ? i : scaled->twin[i - scaled->n]; }

/* The problem with twins from the one without. */
static void fill_twins(const dls_scaled *scaled, dls_dense *d)
{
    const dls_dense *old = scaled->dense;
    for (size_t j = 0; j < d->n; j++) {
        size_t from = twin_row(scaled, j);
        for (size_t i = 0; i < d->n; i++)
            d->A[i + d->n * j] =
                twin_sign(scaled, i) * twin_sign(scaled, j) * old->A[twin_row(scaled, i) + old->n * from];
        d->b[j] = twin_sign(scaled, j) * old->b[from];
        d->lo[j] = j < old->n ? old->lo[j] : 0.0;
        d->hi[j] = j < old->n ? old->hi[j] : HUGE_VAL;
    }
    for (size_t k = 0; k < scaled->n_twins; k++)
        d->lo[scaled->twin[k]] = 0.0;
    d->symmetric = old->symmetric;
}

dls_status dls_scaled_split(dls_scaled *scaled, size_t count, const size_t *rows, dls_error *error)
{
    size_t n = scaled->n + count;
    dls_dense *d = calloc(1, sizeof *d);
    scaled->twin = malloc((count + 1) * sizeof *scaled->twin);
    if (d) {
        d->n = n;
        d->A = malloc((n * n + 1) * sizeof *d->A);
        d->b = malloc((n + 1) * sizeof *d->b);
        d->lo = malloc((n + 1) * sizeof *d->lo);
        d->hi = malloc((n + 1) * sizeof *d->hi);
    }
    if (!d || !scaled->twin || !d->A || !d->b || !d->lo || !d->hi) {
        dls_dense_destroy(d);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a dense problem of %zu rows", n);
    }
    memcpy(scaled->twin, rows, count * sizeof *rows);
    scaled->n_twins = count;
    fill_twins(scaled, d);
    dls_dense_destroy(scaled->dense);
    scaled->dense = d;
    return DLS_OK;
}

void dls_scaled_join(const dls_scaled *scaled, const double *x, double *joined)
{
    memcpy(joined, x, scaled->n * sizeof *joined);
    for (size_t k = 0; k < scaled->n_twins; k++)
        joined[scaled->twin[k]] -= x[scaled->n + k];
    for (size_t i = 0; i < scaled->n; i++)
        joined[i] *= scaled->s[i];
}

double dls_scaled_residual(const dls_scaled *scaled, const double *lambda, double *w)
{
    const dls_dense *d = scaled->dense;
    int n = (int)d->n;
    cblas_dcopy(n, d->b, 1, w, 1);
    if (n > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, d->A, n, lambda, 1, 1.0, w, 1);
    return dls_natural_residual(d, lambda, w) / scaled->size;
}

bool dls_scaled_solved(const dls_scaled *scaled, const double *lambda, double tolerance, double *w, double *residual)
{
    double largest, size;
    *residual = dls_scaled_residual(scaled, lambda, w);
    return dls_natural_zero(scaled->dense, lambda, w, tolerance * scaled->size) &&
           !dls_impulses_lost(scaled->dense, lambda, &largest, &size);
}

bool dls_scaled_zero_w(const dls_scaled *scaled, size_t i, const double *lambda, double w, double tolerance)
{
    return fabs(w) <= tolerance * scaled->size || fabs(w) <= dls_row_rounding(scaled->dense, i, lambda);
}

/* y_i >= 0 where only lo_i is finite, y_i <= 0 where only hi_i is, 0 where both are. Returns max |y|. */
static double put_into_cone(const dls_dense *d, double *y)
{
    double largest = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        bool lo = isfinite(d->lo[i]), hi = isfinite(d->hi[i]);
        if ((lo && !(y[i] > 0.0)) || (hi && !(y[i] < 0.0)))
            y[i] = 0.0;
        largest = fmax(largest, fabs(y[i]));
    }
    return largest;
}

bool dls_scaled_farkas(const dls_scaled *scaled, double *y, double *bound)
{
    const dls_dense *d = scaled->dense;
    double largest = put_into_cone(d, y), value = 0.0, slack = 0.0;
    *bound = 0.0;
    if (!(largest > 0.0) || !isfinite(largest))
        return false;
    cblas_dscal((int)d->n, 1.0 / largest, y, 1);
    for (size_t j = 0; j < d->n; j++) {
        double z = cblas_ddot((int)d->n, d->A + d->n * j, 1, y, 1), at = z > 0.0 ? d->hi[j] : d->lo[j];
        value += d->b[j] * y[j];
        if (z != 0.0 && isinf(at))
            slack = fmax(slack, fabs(z));
        else if (z != 0.0)
            value += z * at;
    }
    *bound = value < 0.0 ? -value / slack : 0.0;
    return *bound > 1e6 * scaled->size;
}

dls_status dls_scaled_report_farkas(const dls_scaled *scaled, const double *y, double bound, dls_report *report,
                                    dls_error *error)
{
    size_t n = scaled->n;
    double *proof = malloc((n + 1) * sizeof *proof), largest = 0.0;
    if (!proof)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a proof of %zu entries", n);
    dls_scaled_join(scaled, y, proof);
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(proof[i]));
    cblas_dscal((int)n, 1.0 / largest, proof, 1);
    free(report->proof_vector);
    report->proof_vector = proof;
    report->proof = DLS_PROOF_FARKAS;
    if (isinf(bound))
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "a Farkas vector, exact");
    else
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION,
                       "a Farkas vector: a solution would have scaled impulses of at least %.3g times b and the bounds",
                       bound / scaled->size);
    return DLS_OK;
}
