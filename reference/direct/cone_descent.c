/* Newton's method on a map of cone_map.c, that of Alart and Curnier where the caller sets no other, with a line search
 * on its square.
 *
 *     theta(lambda) = |G(lambda)|^2 / 2,   G_i = F_i / T_i
 *     V d = -F in the least squares sense,   lambda <- lambda + t d
 *
 * T_i are the terms |b_i| + sum_j |A_ij lambda_j| of w_i where a round begins: beside the largest b of all, a contact
 * that slides fast would hide the others. With U = T^-1 V the derivative of G, t is the largest of 1, 1/2, 1/4, ...
 * with theta(lambda + t d) <= theta(lambda) + c t G . U d, c = 1e-4 (Armijo's rule); where d solves V d = -F the slope
 * G . U d is -2 theta. d comes from Gauss elimination; where V is singular (redundant contacts) it is the shortest
 * least squares solution, from a QR factorisation with pivoting. Where no t satisfies the rule, d is along -U^T G: F is
 * piecewise smooth, U^T G is the gradient of theta wherever F is differentiable, that is except on a set of measure
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
    dls_cone_map_value(w->map, w->d, w->trial, w->trial_w, w->trial_F, w->trial_rows);
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
    dls_cone_map_apply(w->d, w->rows, w->step, w->product, w->image);
    for (size_t i = 0; i < w->n; i++)
        slope += w->G[i] * w->weight[i] * w->image[i];
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

/* --- linear systems --- */

/* Lists the rows whose impulse its own row does not determine: where a row of Q and P is 0, that of V is a row of 1. */
static void list_active(dls_cone_descent *w)
{
    w->m = 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->rows[i].count > 0)
            w->active[w->m++] = i;
}

/* Their rows and columns of V in `factor`. Returns whether they are finite. */
static bool gather_active(dls_cone_descent *w)
{
    dls_cone_map_jacobian(w->d, w->rows, w->m, w->active, w->factor);
    return dls_matrix_is_finite(w->m, w->factor, false);
}

/* `image` = V x, with the determined entries of `right` in x and 0 elsewhere; then `right` less this, row for row of
 * those that are active, in `reduced`. */
static void reduce_right_side(dls_cone_descent *w, const double *right)
{
    double *x = w->reduced;
    for (size_t i = 0; i < w->n; i++)
        x[i] = w->rows[i].count > 0 ? 0.0 : right[i];
    dls_cone_map_apply(w->d, w->rows, x, w->product, w->image);
    for (size_t r = 0; r < w->m; r++) /* active[r] >= r */
        w->reduced[r] = right[w->active[r]] - w->image[w->active[r]];
}

static void count_factorisation(dls_cone_descent *w, double multiplications, dls_report *report)
{
    const double m = (double)w->m;
    report->factorizations++;
    w->multiplications += multiplications * m * m * m;
}

/* x with V x = right, where `x` has the right side at first. */
static bool eliminate(dls_cone_descent *w, bool doubtful, double *x, dls_report *report)
{
    const lapack_int m = (lapack_int)w->m;
    double reciprocal = 0.0;
    if (m == 0)
        return true;
    const double size = doubtful ? LAPACKE_dlange_work(LAPACK_COL_MAJOR, '1', m, m, w->factor, m, w->lapack) : 0.0;
    reduce_right_side(w, x);
    count_factorisation(w, 1.0 / 3.0, report);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, w->factor, m, w->pivots) != 0)
        return false;
    if (doubtful &&
        (LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', m, w->factor, m, size, &reciprocal, w->lapack, w->integers) != 0 ||
         !(reciprocal > (double)m * DBL_EPSILON)))
        return false;
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', m, 1, w->factor, m, w->pivots, w->reduced, m);
    for (size_t r = 0; r < w->m; r++)
        x[w->active[r]] = w->reduced[r];
    return true;
}

/* d of least length with |V d + F| least, by a QR factorisation with pivoting of all rows: 10 to 20 times slower. */
static bool fit_step(dls_cone_descent *w, dls_report *report)
{
    const lapack_int n = (lapack_int)w->n;
    lapack_int rank;
    for (size_t i = 0; i < w->n; i++) {
        w->active[i] = i;
        w->step[i] = -w->F[i];
    }
    w->m = w->n;
    gather_active(w);
    memset(w->pivots, 0, w->n * sizeof *w->pivots);
    count_factorisation(w, 2.0, report);
    return LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, w->factor, n, w->step, n, w->pivots,
                               (double)w->n * DBL_EPSILON, &rank, w->lapack, w->lwork) == 0;
}

/* d with V d = -F in `step`: by a factor in the velocities of the bodies where these are fewer than the active rows, or
 * in these rows. */
static bool newton_step(dls_cone_descent *w, dls_report *report)
{
    for (size_t i = 0; i < w->n; i++)
        w->reduced[i] = w->step[i] = -w->F[i];
    if (dls_cone_velocities_suit(&w->velocities, w->shift, w->m)) {
        const double nv = (double)w->velocities.nv;
        report->factorizations++;
        w->multiplications += nv * nv * nv / 3.0;
        if (dls_cone_velocities_solve(&w->velocities, w->rows, w->shift, w->reduced, w->step))
            return true;
        for (size_t i = 0; i < w->n; i++)
            w->step[i] = -w->F[i];
    }
    return gather_active(w) && (eliminate(w, true, w->step, report) || fit_step(w, report));
}

/* Takes the zero of the piece at hand, from V lambda = offset - P b, if it halves the violation, and returns true.
 * Where rows have b = 0 and all impulses that move them are 0, a step leaves rounding errors in place of the zeros, and
 * each of these rows has only such errors as its terms; Gauss elimination keeps the zeros exactly. */
static bool jump_to_zero(dls_cone_descent *w, dls_report *report)
{
    dls_cone_map_right_side(w->d, w->rows, w->trial);
    list_active(w);
    if (!gather_active(w) || !eliminate(w, false, w->trial, report))
        return false;
    const double theta = evaluate_trial(w), now = point_violation(w, w->trial, w->trial_w);
    if (!(now <= 0.5 * w->now))
        return false;
    accept_trial(w, theta, now);
    return true;
}

/* -U^T G in `step`, times the length that minimises |G + U d|. */
static void gradient_step(dls_cone_descent *w)
{
    double along = 0.0, square = 0.0;
    for (size_t i = 0; i < w->n; i++)
        w->reduced[i] = w->weight[i] * w->G[i];
    dls_cone_map_apply_transposed(w->d, w->rows, w->reduced, w->product, w->step);
    dls_cone_map_apply(w->d, w->rows, w->step, w->product, w->image);
    for (size_t i = 0; i < w->n; i++) {
        along += w->step[i] * w->step[i];
        square += w->weight[i] * w->image[i] * (w->weight[i] * w->image[i]);
    }
    for (size_t i = 0; i < w->n; i++)
        w->step[i] *= square > 0.0 ? -along / square : 0.0;
    w->gradient_steps++;
}

/* A step along -V^+ F, or to the zero of the piece, or else along -U^T G. */
bool dls_cone_descent_step(dls_cone_descent *w, dls_report *report)
{
    report->iterations++;
    list_active(w);
    if ((newton_step(w, report) && search_line(w)) || jump_to_zero(w, report))
        return true;
    gradient_step(w);
    return search_line(w);
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
    dls_cone_map_value(w->map, w->d, w->lambda, w->w, w->F, w->rows);
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
    dls_cone_map_value(w->map, w->d, w->lambda, w->w, w->F, w->rows);
    dls_cone_map_project(w->d, w->w, w->lambda);
    dls_cone_map_value(w->map, w->d, w->lambda, w->w, w->F, w->rows);
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
    DLS_DIRECT_VECTORS(d, &w->product, &w->image, &w->reduced);
    w->factor = dls_take_matrix(d->memory, n, n);
    dls_cone_velocities_take(&w->velocities, d);
    w->rows = DLS_TAKE(d->memory, dls_cone_row, n), w->trial_rows = DLS_TAKE(d->memory, dls_cone_row, n);
    w->pivots = DLS_TAKE(d->memory, lapack_int, n), w->integers = DLS_TAKE(d->memory, lapack_int, n);
    w->active = DLS_TAKE(d->memory, size_t, n);
    w->lwork = (lapack_int)(4 * n + 64 * (n + 1) + 1); /* dgelsy: at least 2 n + 64 (n + 1) for blocks of 64 */
    w->lapack = DLS_TAKE(d->memory, double, (size_t)w->lwork);
}
