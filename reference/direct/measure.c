/* When a vector counts as a solution in floating point, and when one proves that there is none: the one measure of the
 * direct methods.
 *
 * The natural map of row i is lambda_i - clamp(lambda_i - w_i), the middle one of lambda_i - lo_i, w_i, lambda_i -
 * hi_i. The problem is scaled, diag(A) about 1, so that lambda_i and w_i have one unit.
 *
 * Computed in any order, w_i = b_i + sum_j A_ij lambda_j has an error of at most (n + 1) u (|b_i| + sum_j |A_ij|
 * |lambda_j|), u = eps / 2 (N. J. Higham, "Accuracy and Stability of Numerical Algorithms" (2002), section 3.1).
 * Storing the solution's lambda_j as doubles adds u sum_j |A_ij| |lambda_j| to w_i, and storing A_ij and b_i as doubles
 * adds as much again. So at the doubles next to a solution the computed w_i may be (n + 3) u times that sum, and two
 * orders of summation may differ by twice that:
 *     rounding_i = (n + 3) eps (|b_i| + sum_j |A_ij| |lambda_j|).
 * A row whose natural map is below its rounding cannot be told from a solved one, however large it is beside b. How
 * large lambda may be is another question, which dls_reach answers.
 *
 * A method asks this of itself while it goes on. Its answer is compared with figures of each row's own in the last step
 * (last_step.c). With T_i = |b_i| + sum_j |A_ij| |lambda_j| the terms of w_i, and Lambda_j the least of
 * T_i / |A_ij| and of the larger finite bound of row j, the row's violation is the middle one of
 *     (lambda_i - lo_i) / Lambda_i,   w_i / T_i,   (lambda_i - hi_i) / Lambda_i:
 * a number without unit, 0 where the row is solved, below 1e-15 n where it is solved to rounding. */
#include "measure.h"

#include <limits.h>
#include <stdlib.h>

/* The middle one of three: the difference lambda - w would lose a w far below lambda. */
double dls_natural_map(const dls_dense *q, size_t i, double lambda, double w)
{
    double below = lambda - q->lo[i], above = lambda - q->hi[i], low = below < w ? below : w;
    return isnan(lambda) || isnan(w) ? NAN : low < above ? above : low;
}

double dls_row_rounding(const dls_dense *q, size_t i, const double *lambda)
{
    double sum = fabs(q->b[i]);
    for (size_t j = 0; j < q->n; j++)
        sum += fabs(q->A[i + q->n * j] * lambda[j]);
    return (double)(q->n + 3) * DBL_EPSILON * sum;
}

double dls_natural_residual(const dls_dense *q, const double *lambda, const double *w)
{
    double worst = 0.0;
    for (size_t i = 0; i < q->n; i++) {
        double r = fabs(dls_natural_map(q, i, lambda[i], w[i]));
        worst = r > worst || isnan(r) ? r : worst;
        if (isnan(worst))
            return NAN;
    }
    return worst;
}

/* Whether the natural map of row i is at most `allowed`, or the rounding of its w. */
static bool is_zero_row(const dls_dense *q, size_t i, const double *lambda, double w, double allowed)
{
    double r = fabs(dls_natural_map(q, i, lambda[i], w));
    return r <= allowed || (r <= dls_row_rounding(q, i, lambda) && isfinite(r));
}

bool dls_natural_zero(const dls_dense *q, const double *lambda, const double *w, double allowed)
{
    for (size_t i = 0; i < q->n; i++)
        if (!is_zero_row(q, i, lambda, w[i], allowed))
            return false;
    return true;
}

double dls_direct_natural_residual(const dls_direct *d, const double *lambda, const double *w)
{
    double worst = 0.0;
    for (size_t i = 0; i < d->q.n; i++) {
        double r = fabs(dls_natural_map(&d->q, i, lambda[i], w[i])) / dls_direct_size(d, i);
        if (isnan(r))
            return NAN;
        worst = fmax(worst, r);
    }
    return worst;
}

void dls_row_scales(const dls_dense *q, const double *lambda, double *T, double *most)
{
    for (size_t i = 0; i < q->n; i++)
        T[i] = fabs(q->b[i]);
    for (size_t j = 0; j < q->n; j++)
        for (size_t i = 0; lambda[j] != 0.0 && i < q->n; i++)
            T[i] += fabs(q->A[i + q->n * j] * lambda[j]);
    for (size_t j = 0; j < q->n; j++) {
        double bound = fmax(isinf(q->lo[j]) ? 0.0 : fabs(q->lo[j]), isinf(q->hi[j]) ? 0.0 : fabs(q->hi[j]));
        most[j] = bound > 0.0 ? bound : HUGE_VAL;
        for (size_t i = 0; i < q->n; i++) {
            double a = fabs(q->A[i + q->n * j]);
            if (a > 0.0 && T[i] < most[j] * a)
                most[j] = T[i] / a;
        }
    }
}

double dls_row_violation(double lo, double hi, double lambda, double w, double T, double most)
{
    double below = lambda - lo, above = lambda - hi;
    double scale = isinf(most) ? 0.0 : most;
    if (isnan(lambda) || isnan(w))
        return NAN;
    below = below == 0.0 ? 0.0 : below / scale;
    above = above == 0.0 ? 0.0 : above / scale;
    w = w == 0.0 ? 0.0 : w / T;
    double low = below < w ? below : w;
    return low < above ? above : low;
}

double dls_direct_residual(const dls_direct *d, const double *lambda, double *w)
{
    int n = (int)d->q.n;
    cblas_dcopy(n, d->q.b, 1, w, 1);
    if (n > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, d->q.A, n, lambda, 1, 1.0, w, 1);
    return dls_direct_natural_residual(d, lambda, w);
}

bool dls_direct_solved(const dls_direct *d, const double *lambda, double tolerance, double *w, double *residual)
{
    *residual = dls_direct_residual(d, lambda, w);
    for (size_t i = 0; i < d->q.n; i++)
        if (!(fabs(lambda[i]) <= dls_reach * dls_direct_size(d, i)) ||
            !is_zero_row(&d->q, i, lambda, w[i], tolerance * dls_direct_size(d, i)))
            return false;
    return true;
}

/* --- proofs --- */

/* y_i >= 0 where only lo_i is finite, y_i <= 0 where only hi_i is, 0 where both are, and so of tangents. Their z_t
 * lambda_t is at most mu |z_t| lambda_n: slack, as if z_n were that. */
bool dls_direct_farkas(const dls_direct *d, double *y, double *bound)
{
    const dls_dense *q = &d->q;
    double largest = 0.0, value = 0.0, slack = 0.0, size = 0.0;
    *bound = 0.0;
    for (size_t i = 0; i < q->n; i++) {
        bool lo = isfinite(q->lo[i]), hi = isfinite(q->hi[i]);
        if ((lo && !(y[i] > 0.0)) || (hi && !(y[i] < 0.0)))
            y[i] = 0.0;
        largest = fmax(largest, fabs(y[i]));
        size = y[i] != 0.0 ? fmax(size, dls_direct_size(d, i)) : size;
    }
    if (!(largest > 0.0) || !isfinite(largest))
        return false;
    cblas_dscal((int)q->n, 1.0 / largest, y, 1);
    for (size_t j = 0; j < q->n; j++) {
        double z = cblas_ddot((int)q->n, q->A + q->n * j, 1, y, 1), at = z > 0.0 ? q->hi[j] : q->lo[j];
        value += q->b[j] * y[j];
        if (j < d->n && d->problem->law[j] != DLS_LAW_FIXED)
            slack = fmax(slack, dls_direct_mu(d, j) * fabs(z));
        else if (z != 0.0 && isinf(at))
            slack = fmax(slack, fabs(z));
        else if (z != 0.0)
            value += z * at;
    }
    *bound = value < 0.0 ? -value / slack / size : 0.0;
    return *bound > 1e6;
}

dls_status dls_direct_proof(const dls_direct *d, const double *y, dls_report *report, dls_error *error)
{
    double *proof = malloc((d->n + 1) * sizeof *proof);
    int largest = INT_MIN;
    if (!proof)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a proof of %zu entries", d->n);
    dls_direct_join(d, y, proof);
    for (size_t i = 0; i < d->n; i++)
        if (proof[i] != 0.0 && ilogb(proof[i]) + d->row_unit[i] > largest)
            largest = ilogb(proof[i]) + d->row_unit[i];
    for (size_t i = 0; i < d->n; i++) /* by powers of two, so that what is exact stays so */
        proof[i] = proof[i] == 0.0 ? 0.0 : ldexp(proof[i], d->row_unit[i] - 1 - largest);
    free(report->proof_vector);
    report->proof_vector = proof;
    report->proof = DLS_PROOF_FARKAS;
    return DLS_OK;
}

dls_status dls_direct_report_farkas(const dls_direct *d, const double *y, double bound, dls_report *report,
                                    dls_error *error)
{
    DLS_TRY(dls_direct_proof(d, y, report, error));
    if (isinf(bound))
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "a Farkas vector, exact");
    else
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION,
                       "a Farkas vector: a solution would have scaled impulses of at least %.3g times b and the bounds",
                       bound);
    return DLS_OK;
}

void dls_report_withdraw_proof(dls_report *report)
{
    free(report->proof_vector);
    report->proof_vector = NULL;
    report->proof = DLS_PROOF_NONE;
}
