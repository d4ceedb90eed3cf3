/* Newton's method on Alart and Curnier's map (cone_map.c), with a line search on its square.
 *
 *     theta(lambda) = |G(lambda)|^2 / 2,   G_i = F_i / T_i
 *     V d = -F in the least squares sense,   lambda <- lambda + t d
 *
 * T_i are the terms |b_i| + sum_j |A_ij lambda_j| of w_i where a round begins: beside the largest b of all, a contact
 * that slides fast would hide the others. With U = T^-1 V the derivative of G, t is the largest of 1, 1/2, 1/4, ...
 * with theta(lambda + t d) <= theta(lambda) + c t G . U d, c = 1e-4 (Armijo's rule); where d solves V d = -F the slope
 * G . U d is -2 theta. d comes from Gauss elimination; where V is singular (redundant contacts) it is the shortest
 * least squares solution, from a QR factorisation with pivoting. Where no t satisfies the rule, d = -U^T G / |U|^2: F
 * is piecewise smooth, U^T G is the gradient of theta wherever F is differentiable, that is except on a set of measure
 * zero, and there theta falls along d for small t by Taylor. Near a zero where every V is regular the steps become full
 * and converge quadratically (L. Qi and J. Sun, 1993).
 *
 * theta is a sum, in which the rounding errors of one row hide what another has left. So a full step is taken as well
 * if it halves the violation, the largest of all rows, each by its own scales: that of a row at a bound or a rim is the
 * impulse that moves some row by its terms. Every step lowers theta or halves the violation.
 *
 * theta is not convex and may have a minimum that is not a zero, or a kink where neither direction leads down: a
 * descent ends there, and the caller takes another start. */
#include "cone_descent.h"

enum { HALVINGS = 30, PATIENCE = 10 };
static const double armijo = 1e-4;

double dls_cone_descent_rounding(const dls_cone_descent *w) { return (double)(w->n + 3) * DBL_EPSILON; }

/* --- one step --- */

static void swap_vectors(double **a, double **b)
{
    double *c = *a;
    *a = *b, *b = c;
}

/* G of F, and theta. */
static double weigh_map(const dls_cone_descent *w, const double *F, double *G)
{
    double sum = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        G[i] = F[i] * w->weight[i];
        sum += G[i] * G[i];
    }
    return 0.5 * sum;
}

static double point_violation(dls_cone_descent *w, const double *lambda, const double *of)
{
    const double v = dls_cone_map_violation(w->d, lambda, of, w->T, w->most);
    return isnan(v) ? HUGE_VAL : v;
}

/* The trial point's F, G and theta. */
static double evaluate_trial(dls_cone_descent *w)
{
    dls_cone_map_value(w->d, w->trial, w->trial_w, w->trial_F, w->trial_rows);
    return weigh_map(w, w->trial_F, w->trial_G);
}

static void accept_trial(dls_cone_descent *w, double theta, double now)
{
    swap_vectors(&w->lambda, &w->trial), swap_vectors(&w->w, &w->trial_w), swap_vectors(&w->F, &w->trial_F),
        swap_vectors(&w->G, &w->trial_G);
    memcpy(w->rows, w->trial_rows, w->n * sizeof *w->rows);
    w->theta = theta;
    w->now = now;
}

/* Takes the first t along d that satisfies Armijo's rule, or t = 1 if it halves the violation, and returns true. */
static bool search_line(dls_cone_descent *w)
{
    double t = 1.0, slope = 0.0; /* G . U d */
    for (size_t j = 0; j < w->n; j++)
        slope += w->step[j] * cblas_ddot((int)w->n, w->V + w->n * j, 1, w->G, 1);
    for (int k = 0; k < HALVINGS; k++, t *= 0.5) {
        for (size_t i = 0; i < w->n; i++)
            w->trial[i] = w->lambda[i] + t * w->step[i];
        const double theta = evaluate_trial(w);
        const bool falls = theta <= w->theta + armijo * t * slope && theta < w->theta;
        const double now = falls || k == 0 ? point_violation(w, w->trial, w->trial_w) : HUGE_VAL;
        if (falls || now <= 0.5 * w->now) {
            accept_trial(w, theta, now);
            return true;
        }
    }
    return false;
}

/* Takes the zero of the piece at hand, from V lambda = offset - P b, if it halves the violation, and returns true.
 * Where rows have b = 0 and all impulses that move them are 0, a step leaves rounding errors in place of the zeros, and
 * each of these rows has only such errors as its terms; Gauss elimination keeps the zeros exactly. */
static bool jump_to_zero(dls_cone_descent *w, dls_report *report)
{
    lapack_int n = (lapack_int)w->n;
    dls_cone_map_jacobian(w->d, w->rows, w->factor);
    dls_cone_map_right_side(w->d, w->rows, w->trial);
    if (!dls_matrix_is_finite(w->n, w->factor, false))
        return false;
    report->factorizations++;
    w->multiplications += (double)w->n * (double)w->n * (double)w->n / 3.0;
    if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, w->factor, n, w->pivots, w->trial, n) != 0)
        return false;
    const double theta = evaluate_trial(w), now = point_violation(w, w->trial, w->trial_w);
    if (!(now <= 0.5 * w->now))
        return false;
    accept_trial(w, theta, now);
    return true;
}

/* Sets impulses that are rounding errors beside the largest of their block, or its data, to 0, if that halves the
 * violation: a row that only such impulses move has nothing but rounding errors as its terms. */
static void clear_rounding(dls_cone_descent *w)
{
    double *largest = w->trial_F; /* of each block; evaluate_trial writes it afterwards */
    memset(largest, 0, w->n * sizeof *largest);
    for (size_t i = 0; i < w->n; i++)
        largest[w->d->block[i]] = fmax(largest[w->d->block[i]], fabs(w->lambda[i]));
    for (size_t i = 0; i < w->n; i++) {
        const double size = fmax(largest[w->d->block[i]], dls_direct_size(w->d, i));
        const bool small = fabs(w->lambda[i]) <= dls_cone_descent_rounding(w) * size;
        w->trial[i] = small ? 0.0 : w->lambda[i];
    }
    const double theta = evaluate_trial(w), now = point_violation(w, w->trial, w->trial_w);
    if (now <= 0.5 * w->now)
        accept_trial(w, theta, now);
}

/* d with V d = -F in `step`, by Gauss elimination of the rows whose impulse the others determine: where a row of P is
 * 0, that of V is a row of 1, and d_i = -F_i. False where V is singular to rounding. */
static bool eliminate_step(dls_cone_descent *w, dls_report *report)
{
    size_t m = 0;
    double largest = 0.0, reciprocal = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        w->step[i] = -w->F[i];
        if (w->rows[i].count > 0)
            w->active[m++] = i;
    }
    memcpy(w->trial, w->step, w->n * sizeof *w->trial);
    for (size_t j = 0; j < w->n; j++)
        for (size_t r = 0; w->rows[j].count == 0 && w->step[j] != 0.0 && r < m; r++)
            w->trial[w->active[r]] -= w->V[w->active[r] + w->n * j] * w->step[j];
    for (size_t c = 0; c < m; c++) {
        double sum = 0.0;
        for (size_t r = 0; r < m; r++) {
            w->factor[r + m * c] = w->V[w->active[r] + w->n * w->active[c]];
            sum += fabs(w->factor[r + m * c]);
        }
        largest = fmax(largest, sum);
        w->trial[c] = w->trial[w->active[c]]; /* active[c] >= c */
    }
    const lapack_int order = (lapack_int)m;
    if (m == 0)
        return true;
    report->factorizations++;
    w->multiplications += (double)m * (double)m * (double)m / 3.0;
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, order, order, w->factor, order, w->pivots) != 0 ||
        LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', order, w->factor, order, largest, &reciprocal, w->lapack,
                            w->integers) != 0 ||
        !(reciprocal > (double)m * DBL_EPSILON))
        return false;
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', order, 1, w->factor, order, w->pivots, w->trial, order);
    for (size_t r = 0; r < m; r++)
        w->step[w->active[r]] = w->trial[r];
    return true;
}

/* d of least length with |V d + F| least, by a QR factorisation with pivoting: 10 to 20 times slower. */
static bool fit_step(dls_cone_descent *w, dls_report *report)
{
    const lapack_int n = (lapack_int)w->n;
    lapack_int rank;
    memcpy(w->factor, w->V, w->n * w->n * sizeof *w->V);
    memset(w->pivots, 0, w->n * sizeof *w->pivots);
    for (size_t i = 0; i < w->n; i++)
        w->step[i] = -w->F[i];
    report->factorizations++;
    w->multiplications += 2.0 * (double)n * (double)n * (double)n;
    return LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, w->factor, n, w->step, n, w->pivots,
                               (double)w->n * DBL_EPSILON, &rank, w->lapack, w->lwork) == 0;
}

/* A step along -V^+ F, or to the zero of the piece, or else along -U^T G / |U|_F^2, which has the length of a Newton
 * step. */
bool dls_cone_descent_step(dls_cone_descent *w, dls_report *report)
{
    const lapack_int n = (lapack_int)w->n;
    dls_cone_map_jacobian(w->d, w->rows, w->V);
    if (!dls_matrix_is_finite(w->n, w->V, false))
        return false;
    report->iterations++;
    const bool found = eliminate_step(w, report) || fit_step(w, report);
    for (size_t j = 0; j < w->n; j++)
        for (size_t i = 0; i < w->n; i++)
            w->V[i + w->n * j] *= w->weight[i];
    if ((found && search_line(w)) || jump_to_zero(w, report))
        return true;
    double size = cblas_dnrm2(n * n, w->V, 1);
    cblas_dgemv(CblasColMajor, CblasTrans, n, n, -1.0 / size / size, w->V, n, w->G, 1, 0.0, w->step, 1);
    w->gradient_steps++;
    return search_line(w);
}

/* --- the descent --- */

static void remember_best(dls_cone_descent *w)
{
    if (!(w->now < w->least))
        return;
    w->least = w->now;
    memcpy(w->best, w->lambda, w->n * sizeof *w->best);
}

void dls_cone_descent_start(dls_cone_descent *w)
{
    dls_cone_map_value(w->d, w->lambda, w->w, w->F, w->rows);
    w->now = point_violation(w, w->lambda, w->w);
    for (size_t i = 0; i < w->n; i++)
        w->weight[i] = 1.0 / (w->T[i] > 0.0 ? w->T[i] : dls_direct_size(w->d, i));
    w->theta = weigh_map(w, w->F, w->G);
}

void dls_cone_descend(dls_cone_descent *w, double tolerance, size_t iterations, dls_report *report)
{
    dls_cone_descent_start(w);
    remember_best(w);
    for (size_t slow = 0;
         slow < PATIENCE && w->now > dls_cone_descent_rounding(w) && report->iterations < iterations;) {
        const double before = w->now;
        if (!dls_cone_descent_step(w, report))
            break;
        clear_rounding(w);
        remember_best(w);
        slow += before <= tolerance && w->now > 0.5 * before;
    }
}

void dls_cone_descent_choose(dls_cone_descent *w)
{
    memcpy(w->lambda, w->best, w->n * sizeof *w->best);
    dls_cone_map_value(w->d, w->lambda, w->w, w->F, w->rows);
    dls_cone_map_project(w->d, w->w, w->lambda);
    dls_cone_map_value(w->d, w->lambda, w->w, w->F, w->rows);
    const double now = point_violation(w, w->lambda, w->w);
    if (now <= fmax(w->least, dls_cone_descent_rounding(w)))
        w->least = now;
    else
        memcpy(w->lambda, w->best, w->n * sizeof *w->best);
}

void dls_cone_descent_take(dls_cone_descent *w, const dls_direct *d)
{
    size_t n = d->n;
    *w = (dls_cone_descent){.d = d, .n = n, .least = HUGE_VAL};
    DLS_DIRECT_VECTORS(d, &w->lambda, &w->w, &w->F, &w->step, &w->trial, &w->trial_w, &w->trial_F, &w->best);
    DLS_DIRECT_VECTORS(d, &w->T, &w->most, &w->weight, &w->G, &w->trial_G);
    w->V = dls_take_matrix(d->memory, n, n), w->factor = dls_take_matrix(d->memory, n, n);
    w->rows = DLS_TAKE(d->memory, dls_cone_row, n), w->trial_rows = DLS_TAKE(d->memory, dls_cone_row, n);
    w->pivots = DLS_TAKE(d->memory, lapack_int, n), w->integers = DLS_TAKE(d->memory, lapack_int, n);
    w->active = DLS_TAKE(d->memory, size_t, n);
    w->lwork = (lapack_int)(4 * n + 64 * (n + 1) + 1); /* dgelsy: at least 2 n + 64 (n + 1) for blocks of 64 */
    w->lapack = DLS_TAKE(d->memory, double, (size_t)w->lwork);
}
