/* A primal-dual interior-point method for monotone mixed LCPs, singular A included, with a purification at its end.
 *
 * With slacks s = lambda - lo, t = hi - lambda and multipliers y, z of the finite bounds, the mixed LCP is
 *     A lambda + b = y - z,   s y = 0,   t z = 0,   s, t, y, z >= 0        (free rows: y = z = 0).
 * Each iteration takes one Newton step towards s y = t z = sigma mu with mu the mean product; the eliminated system is
 *     (A + Theta) d = -(A lambda + b - y + z) + (c_s / s - y) - (c_t / t - z),    Theta = diag(y / s + z / t),
 *     dy = c_s / s - y - (y / s) d,     dz = c_t / t - z + (z / t) d,
 * with c_s = c_t = 0 in the predictor, and c_s = sigma mu - d_p dy_p, c_t = sigma mu + d_p dz_p in the corrector, where
 * p is the predictor and sigma = (mu_p / mu)^3 (Mehrotra 1992). Both share one factor of A + Theta and one step length,
 * a fixed share of the way to the boundary. A is monotone (semidefinite if symmetric) in the theory; else the end
 * decides.
 *
 * Departures, each needed by singular A:
 * - Redundant free rows. x^T (A + Theta) x = 0 forces x = 0 on the rows with bounds, so the system is singular exactly
 *   where A_EE of the free rows E is. A Cholesky factor with pivoting chooses a maximal independent part; each other
 *   row k is held at 0 and has the vector x_k = 1, x_E = -A_EE^-1 A_Ek. For symmetric semidefinite A, A x = 0 (which is
 *   checked). Then either w_k = 0 follows from the others' w = 0, or b.x is not 0 (beyond `consistency`), x is a Farkas
 *   vector, and there is no solution.
 * - Purification at the end, and a test of iterates that diverge: interior_purify.c. Where its rounds do not end and A
 *   is symmetric, the descent on faces of active_set.c goes on from its best point, and the report says so. */
#include "interior.h"

#include <stdio.h>

typedef dls_interior_settings settings;
typedef dls_interior work;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-12", 0, 1, true, NULL,
     "scaled natural residual of the solution after purification, as a share of max(1, max|b|); at least consistency "
     "if free rows are held"},
    {"gap", "", DLS_FIELD_REAL, offsetof(settings, gap), "1e-14", 0, 1, true, NULL,
     "mu, and square of the dual residual, at which purification begins, scaled, as a share of max(1, max|b|)^2"},
    {"boundary", "", DLS_FIELD_REAL, offsetof(settings, boundary), "0.995", 0, 0.9999, true, NULL,
     "share of the distance to the boundary that a step takes"},
    {"consistency", "", DLS_FIELD_REAL, offsetof(settings, consistency), "1e-10", 0, 1, false, NULL,
     "contradiction of dependent rows that counts as a rounding error, scaled, as a share of max|b|; above it there is "
     "no solution"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "200", 1, 1e6, false, NULL,
     "greatest number of Newton steps"},
    {"rounds", "", DLS_FIELD_COUNT, offsetof(settings, rounds), "50", 1, 1e6, false, NULL,
     "greatest number of rounds of the purification"},
};

/* --- the rows in play --- */

/* Marks in w->inside the rows that anything moves: those with b_i != 0 or a bound beyond 0, and all that A joins to
 * them. The others are solved by 0, and where A is singular the path would go far along their null vectors. */
static void find_moved(work *w)
{
    const dls_dense *d = w->dense;
    size_t count = 0;
    for (size_t i = 0; i < d->n; i++)
        if ((w->inside[i] = d->b[i] != 0.0 || d->lo[i] > 0.0 || d->hi[i] < 0.0))
            w->row[count++] = i;
    for (size_t k = 0; k < count && count < d->n; k++)
        for (size_t i = w->row[k], j = 0; j < d->n; j++)
            if (!w->inside[j] && (d->A[i + d->n * j] != 0.0 || d->A[j + d->n * i] != 0.0)) {
                w->inside[j] = true;
                w->row[count++] = j;
            }
}

/* Fills w->row with free rows in the order of the pivoted Cholesky factor in K, leading dimension *count, and returns
 * its rank; without convexity all of them, in order. */
static size_t independent_free_rows(work *w, size_t *count)
{
    lapack_int rank = 0;
    size_t m = 0;
    for (size_t i = 0; i < w->dense->n; i++)
        if (dls_bound_free(w->dense, i) && w->inside[i])
            w->row[m++] = i;
    *count = m;
    if (!w->convex || m == 0)
        return m;
    dls_dense_block(w->dense, m, w->row, w->K);
    LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)m, w->K, (lapack_int)m, w->pivots, &rank,
                        (double)m * 16.0 * DBL_EPSILON, w->T);
    size_t *order = w->row + m; /* the list is filled again afterwards; it has room for 2 n */
    memcpy(order, w->row, m * sizeof *order);
    for (size_t j = 0; j < m; j++)
        w->row[j] = order[w->pivots[j] - 1];
    return (size_t)rank;
}

/* The null vector x of held free row `k` of the pivoted order, in w->w (all rows); false if A x is not 0.
 * *slack: max |A x| as a share of max |x|. */
static bool null_vector(work *w, size_t rank, size_t m, size_t k, double *slack)
{
    size_t n = w->dense->n;
    double *Ax = w->best;
    memset(w->w, 0, n * sizeof *w->w);
    memset(Ax, 0, n * sizeof *Ax);
    for (size_t j = 0; j < rank; j++)
        w->rhs[j] = -w->K[k + m * j];
    if (rank > 0)
        cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, (int)rank, w->K, (int)m, w->rhs, 1);
    for (size_t j = 0; j <= rank; j++) {
        size_t i = w->row[j < rank ? j : k];
        w->w[i] = j < rank ? w->rhs[j] : 1.0;
        cblas_daxpy((int)n, w->w[i], w->dense->A + n * i, 1, Ax, 1);
    }
    double size = rank > 0 ? fmax(1.0, fabs(w->rhs[cblas_idamax((int)rank, w->rhs, 1)])) : 1.0;
    *slack = 0.0;
    for (size_t i = 0; i < n; i++) {
        double a = fabs(Ax[i]) / size;
        *slack = a > *slack || isnan(a) ? a : *slack;
    }
    return *slack <= 1e-9;
}

/* Clear `convex` where a held row's vector is no null vector; end with a proof where held rows contradict the
 * others. */
static dls_status check_redundant(work *w, size_t rank, size_t m, dls_report *report, dls_error *error)
{
    double slack;
    for (size_t k = rank; k < m && w->convex; k++)
        w->convex = null_vector(w, rank, m, k, &slack);
    for (size_t k = rank; k < m && w->convex; k++) {
        null_vector(w, rank, m, k, &slack);
        double bx = dls_interior_contradiction(w);
        if (!dls_interior_contradicts(w, fabs(bx), slack))
            continue;
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "free row %zu depends on other free rows and contradicts them",
                       w->row[k]);
        if (bx > 0.0)
            cblas_dscal((int)w->dense->n, -1.0, w->w, 1);
        return dls_direct_proof(w->direct, w->w, report, error);
    }
    return DLS_OK;
}

/* The matrix and bounds of the rows in play; fixed rows are carried to the right side. */
static void reduce(work *w)
{
    const dls_dense *d = w->dense;
    dls_dense *q = &w->q;
    for (size_t i = 0; i < d->n; i++)
        w->lambda[i] = d->lo[i] == d->hi[i] ? d->lo[i] : 0.0;
    dls_dense_w(d, w->lambda, w->w);
    q->n = w->n;
    q->symmetric = d->symmetric;
    dls_dense_block(d, w->n, w->row, q->A);
    w->unit = 1.0;
    for (size_t j = 0; j < w->n; j++) {
        size_t k = w->row[j];
        q->b[j] = w->w[k];
        q->lo[j] = d->lo[k], q->hi[j] = d->hi[k];
        w->unit = fmax(w->unit, fabs(q->b[j]));
        w->n_bounds += !isinf(q->lo[j]) + (size_t)!isinf(q->hi[j]);
    }
}

static dls_status prepare_path(work *w, dls_report *report, dls_error *error)
{
    find_moved(w);
    size_t m, rank = independent_free_rows(w, &m);
    DLS_TRY(check_redundant(w, rank, m, report, error));
    if (!w->convex)
        rank = m;
    if (rank < m)
        snprintf(w->held, sizeof w->held, "%zu redundant free rows held at 0; ", m - rank);
    w->n = rank;
    for (size_t i = 0; i < w->dense->n; i++)
        if (w->inside[i] && !dls_bound_free(w->dense, i) && w->dense->lo[i] < w->dense->hi[i])
            w->row[w->n++] = i;
    reduce(w);
    return DLS_OK;
}

/* --- Newton steps --- */

static double mean_product(const work *w, double step)
{
    double sum = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        if (w->y[i] > 0.0)
            sum += (lower_slack(w, i) + step * w->dx[i]) * (w->y[i] + step * w->dy[i]);
        if (w->z[i] > 0.0)
            sum += (upper_slack(w, i) - step * w->dx[i]) * (w->z[i] + step * w->dz[i]);
    }
    return w->n_bounds ? sum / (double)w->n_bounds : 0.0;
}

static void fill_rows(work *w)
{
    memcpy(w->K, w->q.A, w->n * w->n * sizeof *w->K);
    for (size_t i = 0; i < w->n; i++)
        w->K[i + w->n * i] +=
            (w->y[i] > 0.0 ? w->y[i] / lower_slack(w, i) : 0.0) + (w->z[i] > 0.0 ? w->z[i] / upper_slack(w, i) : 0.0);
}

/* Where Cholesky fails, by rounding at the end of the path or because A is not semidefinite, LU goes on. */
static bool factorise(work *w, dls_report *report)
{
    lapack_int n = (lapack_int)w->n;
    fill_rows(w);
    if (!dls_matrix_is_finite(w->n, w->K, false))
        return false;
    report->factorizations++;
    if (w->convex && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, w->K, n) == 0)
        return true;
    if (w->convex)
        fill_rows(w);
    w->convex = false;
    return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, w->K, n, w->pivots) == 0;
}

/* The direction with products c_s, c_t = target -+ the predictor's second-order term; target < 0: the predictor itself.
 */
static void path_direction(work *w, double target)
{
    lapack_int n = (lapack_int)w->n;
    bool corrector = target >= 0.0;
    for (size_t i = 0; i < w->n; i++) {
        double cs = corrector ? target - w->px[i] * w->dy[i] : 0.0, ct = corrector ? target + w->px[i] * w->dz[i] : 0.0;
        w->dy[i] = w->y[i] > 0.0 ? cs / lower_slack(w, i) - w->y[i] : 0.0;
        w->dz[i] = w->z[i] > 0.0 ? ct / upper_slack(w, i) - w->z[i] : 0.0;
        w->dx[i] = -(w->w[i] - w->y[i] + w->z[i]) + w->dy[i] - w->dz[i];
    }
    if (w->convex)
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, 1, w->K, n, w->dx, n);
    else
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, w->K, n, w->pivots, w->dx, n);
    for (size_t i = 0; i < w->n; i++) {
        w->dy[i] -= w->y[i] > 0.0 ? w->y[i] / lower_slack(w, i) * w->dx[i] : 0.0;
        w->dz[i] += w->z[i] > 0.0 ? w->z[i] / upper_slack(w, i) * w->dx[i] : 0.0;
    }
}

static double to_boundary(const work *w)
{
    double step = HUGE_VAL;
    for (size_t i = 0; i < w->n; i++) {
        if (w->dx[i] < 0.0)
            step = fmin(step, -lower_slack(w, i) / w->dx[i]);
        if (w->dx[i] > 0.0)
            step = fmin(step, upper_slack(w, i) / w->dx[i]);
        if (w->dy[i] < 0.0)
            step = fmin(step, -w->y[i] / w->dy[i]);
        if (w->dz[i] < 0.0)
            step = fmin(step, -w->z[i] / w->dz[i]);
    }
    return step;
}

/* One predictor-corrector step; false where it gets nowhere. */
static bool newton_step(work *w, dls_report *report)
{
    if (!factorise(w, report))
        return false;
    path_direction(w, -1.0);
    double mu = mean_product(w, 0.0), ratio = 0.0;
    if (mu > 0.0) {
        ratio = mean_product(w, fmin(1.0, to_boundary(w))) / mu;
        memcpy(w->px, w->dx, w->n * sizeof *w->px);
        path_direction(w, ratio * ratio * ratio * mu);
    }
    double step = fmin(1.0, w->set.boundary * to_boundary(w));
    bool alive = step > 1e-12;
    for (size_t i = 0; alive && i < w->n; i++) {
        w->x[i] += step * w->dx[i];
        w->y[i] += step * w->dy[i];
        w->z[i] += step * w->dz[i];
        alive = isfinite(w->x[i]) && isfinite(w->y[i]) && isfinite(w->z[i]) &&
                (w->y[i] == 0.0 || lower_slack(w, i) > 0.0) && (w->z[i] == 0.0 || upper_slack(w, i) > 0.0);
    }
    report->iterations++;
    return alive;
}

/* --- the method --- */

/* The path begins at mu = unit^2 and does not come back from so far above that; nor has it where it ends above. */
static const double far_off = 1e9;

/* The start is inside the bounds by `unit`, or by what their doubles tell from them, or in their middle, with
 * multipliers of one unit. False where two bounds have no double between them. */
static bool start_inside(work *w)
{
    static const double told = 1e-3;
    bool inside = true;
    for (size_t i = 0; i < w->n; i++) {
        double lo = w->q.lo[i], hi = w->q.hi[i];
        bool below = !isinf(lo), above = !isinf(hi);
        w->x[i] = below && above ? 0.5 * lo + 0.5 * hi
                  : below        ? lo + fmax(w->unit, told * fabs(lo))
                  : above        ? hi - fmax(w->unit, told * fabs(hi))
                                 : 0.0;
        w->y[i] = below ? w->unit : 0.0;
        w->z[i] = above ? w->unit : 0.0;
        inside = inside && lower_slack(w, i) > 0.0 && upper_slack(w, i) > 0.0;
    }
    return inside;
}

/* Newton steps until mu and the dual residual are small, the steps end, or a Farkas vector is found (true). */
static bool follow_path(work *w, dls_report *report)
{
    double watch = 1e3 * w->unit;
    w->lost = !start_inside(w);
    if (w->lost)
        return false;
    for (;;) {
        double dual = 0.0;
        dls_dense_w(&w->q, w->x, w->w);
        for (size_t i = 0; i < w->n; i++)
            dual = fmax(dual, fabs(w->w[i] - w->y[i] + w->z[i]));
        double mu = mean_product(w, 0.0);
        w->lost = !(mu <= far_off * w->unit * w->unit);
        if (w->n == 0 || w->lost || fmax(mu, pow(dual, 2.0)) <= w->set.gap * w->unit * w->unit)
            return false;
        double size = fabs(w->x[cblas_idamax((int)w->n, w->x, 1)]);
        if (w->q.symmetric && size > watch) {
            watch = 1e3 * size;
            if (dls_interior_find_farkas(w, report))
                return true;
            dls_dense_w(&w->q, w->x, w->w); /* the test works in it */
        }
        if (report->iterations >= w->set.limit || !newton_step(w, report)) {
            w->lost = mu > w->unit * w->unit;
            return false;
        }
    }
}

/* Impulses beyond this many sizes of the data, where A_FF is singular, are not what the problem asks for: where the
 * solutions are a face without end, the path has no centre there to go to, and its impulses grow. */
static const double far_out = 1e3;

static bool is_far_out(const work *w)
{
    for (size_t i = 0; i < w->dense->n; i++)
        if (fabs(w->lambda[i]) > far_out * dls_direct_size(w->direct, i))
            return w->singular;
    return false;
}

/* The descent on faces: from lambda, or from 0 where lambda is far out, or the path was lost. */
static dls_status descend_or_fail(work *w, dls_report *report, dls_error *error)
{
    size_t before = report->iterations;
    dls_active_set_limits limits = {1e-14, w->set.consistency, before + 100 * (w->dense->n + 1)};
    bool again = w->lost || is_far_out(w);
    for (size_t i = 0; again && i < w->dense->n; i++)
        w->lambda[i] = dls_bound_clamp(w->dense, i, 0.0);
    for (size_t i = 0; i < w->dense->n; i++)
        w->inside[i] = w->lambda[i] > w->dense->lo[i] && w->lambda[i] < w->dense->hi[i];
    DLS_TRY(dls_active_set_solve(w->descent, &limits, w->inside, w->lambda, report, error));
    if (report->outcome != DLS_OUTCOME_SOLVED)
        return DLS_OK;
    char message[DLS_MESSAGE_MAX / 4];
    snprintf(message, sizeof message, "%.100s", report->message);
    dls_report_end(report, DLS_OUTCOME_SOLVED, "%spurified by descent on faces, %zu pivots after %zu steps%s%s",
                   w->held, report->iterations - before, before, message[0] ? "; " : "", message);
    return DLS_OK;
}

static dls_status no_solution(work *w, dls_report *report, dls_error *error)
{
    dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "the iterates diverge along a vector x with A x = 0 and b.x < 0");
    return dls_direct_proof(w->direct, w->w, report, error);
}

static dls_status follow_rows(work *w, dls_report *report, dls_error *error)
{
    size_t rounds;
    if (follow_path(w, report))
        return no_solution(w, report, error);
    size_t steps = report->iterations;
    double mu = mean_product(w, 0.0);
    memcpy(w->dx, w->x, w->n * sizeof *w->x);
    dls_interior_purify(w, report, &rounds);
    for (size_t i = 0; i < w->n; i++)
        w->lambda[w->row[i]] = dls_bound_clamp(&w->q, i, w->x[i]);
    double allowed = fmax(w->set.tolerance, w->held[0] ? w->set.consistency : 0.0) * w->unit;
    dls_dense_w(w->dense, w->lambda, w->w); /* of all rows, those that were held included */
    double residual = dls_natural_residual(w->dense, w->lambda, w->w);
    if (dls_natural_zero(w->dense, w->lambda, w->w, allowed) && !(w->dense->symmetric && is_far_out(w))) {
        dls_report_end(report, DLS_OUTCOME_SOLVED, "%spurified in %zu rounds from mu = %.2g after %zu steps", w->held,
                       rounds, mu, steps);
        return DLS_OK;
    }
    memcpy(w->x, w->dx, w->n * sizeof *w->x);
    if (w->q.symmetric && dls_interior_find_farkas(w, report))
        return no_solution(w, report, error);
    if (w->dense->symmetric && (steps < w->set.limit || w->lost || is_far_out(w)))
        return descend_or_fail(w, report, error);
    if (!isfinite(mu) || !isfinite(residual)) {
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "%sthe path left the range of doubles after %zu steps",
                       w->held, steps);
        return DLS_OK;
    }
    dls_report_end(report, steps >= w->set.limit ? DLS_OUTCOME_ITERATION_LIMIT : DLS_OUTCOME_NUMERICAL_FAILURE,
                   "%s%zu steps to mu = %.2g, %zu rounds of purification to a natural residual of %.2g, scaled",
                   w->held, steps, mu, rounds, residual);
    return DLS_OK;
}

static void take_interior(work *w, const dls_direct *d, double *lambda)
{
    size_t n = d->n;
    *w = (work){
        .direct = d, .set = *(const settings *)d->settings, .dense = &d->q, .lambda = lambda, .convex = d->q.symmetric};
    DLS_DIRECT_VECTORS(d, &w->x, &w->y, &w->z, &w->w, &w->dx, &w->dy, &w->dz, &w->px, &w->rhs, &w->best, &w->q.b,
                       &w->q.lo, &w->q.hi);
    w->row = DLS_TAKE(d->memory, size_t, 3 * n);
    w->q.A = dls_take_matrix(d->memory, n, n), w->K = dls_take_matrix(d->memory, n, n);
    w->T = dls_take_matrix(d->memory, n + 8, n + 1); /* at least n^2 + 8 n + 8 */
    w->inside = DLS_TAKE(d->memory, bool, n);
    w->pivots = DLS_TAKE(d->memory, lapack_int, n);
    w->descent = dls_active_set_take(d, w->K);
}

static dls_status interior_point_solve(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    work w;
    take_interior(&w, d, lambda);
    DLS_TRY(dls_direct_ready(d, error));
    DLS_TRY(prepare_path(&w, report, error));
    return report->outcome == DLS_OUTCOME_RUNNING ? follow_rows(&w, report, error) : DLS_OK;
}

DLS_DIRECT_SOLVER(
    interior_point, interior_point_solve, DLS_DIRECT_ROWS, .name = "interior-point",
    .summary = "primal-dual interior point with predictor and corrector and a final purification; accepts singular A",
    .source = "Mehrotra 1992; Wright, Primal-Dual Interior-Point Methods, 1997",
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC,
    .fields = DLS_FIELD_TABLE(fields, settings));
