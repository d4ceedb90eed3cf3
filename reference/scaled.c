#include "scaled.h"

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
    free(scaled);
}

double dls_scaled_residual(const dls_scaled *scaled, const double *lambda, double *w)
{
    const dls_dense *d = scaled->dense;
    int n = (int)d->n;
    double worst = 0.0;
    cblas_dcopy(n, d->b, 1, w, 1);
    if (n > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, d->A, n, lambda, 1, 1.0, w, 1);
    for (size_t i = 0; i < d->n; i++) {
        double target = lambda[i] - w[i];
        double residual = fabs(lambda[i] - (target < d->lo[i] ? d->lo[i] : target > d->hi[i] ? d->hi[i] : target));
        if (!(residual <= worst))
            worst = residual;
        if (isnan(worst))
            return NAN;
    }
    return worst / scaled->size;
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

dls_status dls_scaled_report_farkas(const dls_scaled *scaled, const double *y, double bound, dls_report *report, dls_error *error)
{
    size_t n = scaled->dense->n;
    double *proof = malloc((n + 1) * sizeof *proof), largest = 0.0;
    if (!proof)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a proof of %zu entries", n);
    for (size_t i = 0; i < n; i++) {
        proof[i] = scaled->s[i] * y[i];
        largest = fmax(largest, fabs(proof[i]));
    }
    cblas_dscal((int)n, 1.0 / largest, proof, 1);
    free(report->proof_vector);
    report->proof_vector = proof;
    report->proof = DLS_PROOF_FARKAS;
    dls_report_end(report, DLS_OUTCOME_NO_SOLUTION,
                   "a Farkas vector: a solution would have scaled impulses of at least %.3g times those of the bounds and b", bound / scaled->size);
    return DLS_OK;
}
