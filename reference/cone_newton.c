/* Semismooth Newton on Alart and Curnier's map (cone_map.c): Coulomb's cone, box friction and bounds, dense.
 *
 *     theta(lambda) = |G(lambda)|^2 / 2,   G_i = F_i / T_i
 *     V d = -F in the least squares sense,   lambda <- lambda + t d
 *
 * T_i are the terms |b_i| + sum_j |A_ij lambda_j| of w_i where a round begins: beside the largest b of all, a contact
 * that slides fast would hide the others. With U = T^-1 V the derivative of G, t is the largest of 1, 1/2, 1/4, ...
 * with theta(lambda + t d) <= theta(lambda) + c t G . U d, c = 1e-4 (Armijo's rule); where d solves V d = -F the slope
 * G . U d is -2 theta. Where V is singular (redundant contacts) d is the shortest least squares solution, from a QR
 * factorisation with pivoting. Where no t satisfies the rule, d = -U^T G / |U|^2: F is piecewise smooth, U^T G is the
 * gradient of theta wherever F is differentiable, that is except on a set of measure zero, and there theta falls along
 * d for small t by Taylor. Near a zero where every V is regular the steps become full and converge quadratically (L. Qi
 * and J. Sun, 1993).
 *
 * theta is a sum, in which the rounding errors of one row hide what another has left. So a full step is taken as well
 * if it halves the violation, the largest of all rows, each by its own scales: that of a row at a bound or a rim is the
 * impulse that moves some row by its terms. Every step lowers theta or halves the violation.
 *
 * theta is not convex and may have a minimum that is not a zero, or a kink where neither direction leads down. The
 * method then sweeps over the contacts from there (cone_map.c), twice as often each time, and begins again; the report
 * counts these rounds, and the best point of all is the answer. A step costs n^3, so hundreds of contacts come to the
 * limit of the work first; the same limit on every machine. Nothing here promises that a solution exists: a failure
 * after the last round says nothing about the problem. Where A is singular there may be several solutions, with
 * different velocities too, for the law is not that of a minimum; the method finds one of them. The answer is projected
 * into its bounds and cones at the end, if F is as near to 0 there. */
#include "cone_map.h"

#include <lapacke.h>

typedef struct settings {
    double tolerance;
    double work;
    size_t limit, sweeps, rounds;
} settings;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-12", 0, 1, false, NULL,
     "largest violation of a row, as a share of its own terms, |b_i| + sum_j |A_ij lambda_j| of w_i; at least their "
     "rounding error"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "100", 1, 1e9, false, NULL,
     "greatest number of Newton steps per round"},
    {"sweeps", "", DLS_FIELD_COUNT, offsetof(settings, sweeps), "20", 0, 1e9, false, NULL,
     "number of sweeps over the contacts before the first round; it doubles with each round"},
    {"rounds", "", DLS_FIELD_COUNT, offsetof(settings, rounds), "10", 1, 30, false, NULL,
     "greatest number of rounds of Newton's method"},
    {"work", "", DLS_FIELD_REAL, offsetof(settings, work), "1e12", 1, HUGE_VAL, false, NULL,
     "greatest number of multiplications, 2 n^3 per Newton step and n^2 per sweep; then the best iterate is the "
     "answer"},
};

enum { INNER = 10, HALVINGS = 30, PATIENCE = 10 };
static const double armijo = 1e-4;

typedef struct work {
    const dls_direct *d;
    size_t n, gradient_steps, passes;        /* passes: sweeps */
    double *lambda, *w, *F, *step;           /* n */
    double *trial, *trial_w, *trial_F;       /* n */
    double theta, now;                       /* of lambda; now: its violation */
    double *best, least;                     /* n; the best point of all rounds, and its violation */
    double *T, *most, *weight, *G, *trial_G; /* n; weight: 1 / T_i where the round began */
    double *V, *factor;                      /* n x n; V is U after the step */
    dls_cone_row *rows, *trial_rows;         /* n */
    lapack_int *pivots, lwork;
    double *lapack;
} work;

/* --- one step --- */

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b, *b = c;
}

/* G of F, and theta. */
static double weigh(const work *w, const double *F, double *G)
{
    double sum = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        G[i] = F[i] * w->weight[i];
        sum += G[i] * G[i];
    }
    return 0.5 * sum;
}

static double violation(work *w, const double *lambda, const double *of)
{
    const double v = dls_cone_map_violation(w->d, lambda, of, w->T, w->most);
    return isnan(v) ? HUGE_VAL : v;
}

/* The trial point's F, G and theta. */
static double evaluate(work *w)
{
    dls_cone_map_value(w->d, w->trial, w->trial_w, w->trial_F, w->trial_rows);
    return weigh(w, w->trial_F, w->trial_G);
}

static void take(work *w, double theta, double now)
{
    swap(&w->lambda, &w->trial), swap(&w->w, &w->trial_w), swap(&w->F, &w->trial_F), swap(&w->G, &w->trial_G);
    memcpy(w->rows, w->trial_rows, w->n * sizeof *w->rows);
    w->theta = theta;
    w->now = now;
}

/* Takes the first t along d that satisfies Armijo's rule, or t = 1 if it halves the violation, and returns true. */
static bool search(work *w)
{
    double t = 1.0, slope = 0.0; /* G . U d */
    for (size_t j = 0; j < w->n; j++)
        slope += w->step[j] * cblas_ddot((int)w->n, w->V + w->n * j, 1, w->G, 1);
    for (int k = 0; k < HALVINGS; k++, t *= 0.5) {
        for (size_t i = 0; i < w->n; i++)
            w->trial[i] = w->lambda[i] + t * w->step[i];
        const double theta = evaluate(w);
        const bool falls = theta <= w->theta + armijo * t * slope && theta < w->theta;
        const double now = falls || k == 0 ? violation(w, w->trial, w->trial_w) : HUGE_VAL;
        if (falls || now <= 0.5 * w->now) {
            take(w, theta, now);
            return true;
        }
    }
    return false;
}

/* Takes the zero of the piece at hand, from V lambda = offset - P b, if it halves the violation, and returns true.
 * Where rows have b = 0 and all impulses that move them are 0, a step leaves rounding errors in place of the zeros, and
 * each of these rows has only such errors as its terms; Gauss elimination keeps the zeros exactly. */
static bool jump(work *w, dls_report *report)
{
    lapack_int n = (lapack_int)w->n;
    dls_cone_map_jacobian(w->d, w->rows, w->factor);
    dls_cone_map_right_side(w->d, w->rows, w->trial);
    if (!dls_matrix_is_finite(w->n, w->factor, false))
        return false;
    report->factorizations++;
    if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, w->factor, n, w->pivots, w->trial, n) != 0)
        return false;
    const double theta = evaluate(w), now = violation(w, w->trial, w->trial_w);
    if (!(now <= 0.5 * w->now))
        return false;
    take(w, theta, now);
    return true;
}

/* A step along -V^+ F, or to the zero of the piece, or else along -U^T G / |U|_F^2, which has the length of a Newton
 * step. */
static bool advance(work *w, dls_report *report)
{
    lapack_int n = (lapack_int)w->n, rank;
    dls_cone_map_jacobian(w->d, w->rows, w->V);
    if (!dls_matrix_is_finite(w->n, w->V, false))
        return false;
    memcpy(w->factor, w->V, w->n * w->n * sizeof *w->V);
    memset(w->pivots, 0, w->n * sizeof *w->pivots);
    for (size_t i = 0; i < w->n; i++)
        w->step[i] = -w->F[i];
    for (size_t j = 0; j < w->n; j++)
        for (size_t i = 0; i < w->n; i++)
            w->V[i + w->n * j] *= w->weight[i];
    report->iterations++;
    report->factorizations++;
    if (LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, w->factor, n, w->step, n, w->pivots, (double)w->n * DBL_EPSILON,
                            &rank, w->lapack, w->lwork) == 0 &&
        search(w))
        return true;
    if (jump(w, report))
        return true;
    double size = cblas_dnrm2(n * n, w->V, 1);
    cblas_dgemv(CblasColMajor, CblasTrans, n, n, -1.0 / size / size, w->V, n, w->G, 1, 0.0, w->step, 1);
    w->gradient_steps++;
    return search(w);
}

/* --- rounds --- */

/* Whether the work that was done, and as much again in `steps` and `passes`, is within the limit. */
static bool affordable(const work *w, const dls_report *report, size_t steps, size_t passes)
{
    const double n = (double)w->n;
    return 2.0 * n * n * n * (double)(report->iterations + steps) + n * n * (double)(w->passes + passes) <=
           ((const settings *)w->d->settings)->work;
}

static double rounding(const work *w) { return (double)(w->n + 3) * DBL_EPSILON; }
static double tolerance(const work *w) { return fmax(((const settings *)w->d->settings)->tolerance, rounding(w)); }

static void remember(work *w)
{
    if (!(w->now < w->least))
        return;
    w->least = w->now;
    memcpy(w->best, w->lambda, w->n * sizeof *w->best);
}

/* Newton's method from here to the tolerance, and on to rounding, up to a few steps that do not halve the violation. */
static void descend(work *w, dls_report *report)
{
    const settings *set = w->d->settings;
    dls_cone_map_value(w->d, w->lambda, w->w, w->F, w->rows);
    w->now = violation(w, w->lambda, w->w);
    for (size_t i = 0; i < w->n; i++)
        w->weight[i] = 1.0 / (w->T[i] > 0.0 ? w->T[i] : dls_direct_size(w->d, i));
    w->theta = weigh(w, w->F, w->G);
    remember(w);
    for (size_t k = 0, slow = 0; k < set->limit && slow < PATIENCE && w->now > rounding(w); k++) {
        const double before = w->now;
        if (!affordable(w, report, 1, 0) || !advance(w, report))
            break;
        remember(w);
        slow += before <= tolerance(w) && w->now > 0.5 * before;
    }
}

/* The best point of all; within its bounds and cones, if its violation is not larger there. */
static void choose(work *w)
{
    memcpy(w->lambda, w->best, w->n * sizeof *w->best);
    dls_cone_map_value(w->d, w->lambda, w->w, w->F, w->rows);
    dls_cone_map_project(w->d, w->w, w->lambda);
    dls_cone_map_value(w->d, w->lambda, w->w, w->F, w->rows);
    const double now = violation(w, w->lambda, w->w);
    if (now <= fmax(w->least, rounding(w)))
        w->least = now;
    else
        memcpy(w->lambda, w->best, w->n * sizeof *w->best);
}

static void conclude(work *w, size_t rounds, dls_report *report)
{
    choose(w);
    const bool solved = w->least <= tolerance(w);
    if (!solved && !affordable(w, report, 1, 0))
        dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT,
                       "the limit of the work after %zu rounds and %zu steps; the largest violation of a row is %.3g; "
                       "sweeps (nsgs) take less for each digit of so many contacts",
                       rounds, report->iterations, w->least);
    else if (!solved)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "rounds of sweeps: %zu, gradient steps: %zu; the largest violation of a row is %.3g", rounds,
                       w->gradient_steps, w->least);
    else if (rounds > 1 || w->gradient_steps > 0)
        dls_report_end(report, DLS_OUTCOME_SOLVED, "rounds of sweeps: %zu, gradient steps: %zu", rounds,
                       w->gradient_steps);
    else
        report->outcome = DLS_OUTCOME_SOLVED;
}

static void take_memory(work *w, const dls_direct *d)
{
    size_t n = d->n;
    *w = (work){.d = d, .n = n, .least = HUGE_VAL};
    DLS_DIRECT_VECTORS(d, &w->lambda, &w->w, &w->F, &w->step, &w->trial, &w->trial_w, &w->trial_F, &w->best);
    DLS_DIRECT_VECTORS(d, &w->T, &w->most, &w->weight, &w->G, &w->trial_G);
    w->V = dls_take_matrix(d->memory, n, n), w->factor = dls_take_matrix(d->memory, n, n);
    w->rows = DLS_TAKE(d->memory, dls_cone_row, n), w->trial_rows = DLS_TAKE(d->memory, dls_cone_row, n);
    w->pivots = DLS_TAKE(d->memory, lapack_int, n);
    w->lwork = (lapack_int)(4 * n + 64 * (n + 1) + 1); /* dgelsy: at least 2 n + 64 (n + 1) for blocks of 64 */
    w->lapack = DLS_TAKE(d->memory, double, (size_t)w->lwork);
}

static dls_status solve(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    const settings *set = d->settings;
    work w;
    size_t round = 0, sweeps = set->sweeps;
    take_memory(&w, d);
    DLS_TRY(dls_direct_ready(d, error));
    for (; w.least > tolerance(&w) && round < set->rounds && affordable(&w, report, 1, 0); round++, sweeps *= 2) {
        for (size_t k = 0; k < sweeps && affordable(&w, report, 0, 1); k++, w.passes++)
            dls_cone_map_sweep(d, INNER, w.lambda);
        descend(&w, report);
    }
    conclude(&w, round, report);
    memcpy(lambda, w.lambda, d->n * sizeof *lambda);
    return DLS_OK;
}

DLS_DIRECT_SOLVER(cone_newton, solve, DLS_DIRECT_CONTACTS, .name = "cone-newton",
                  .summary = "semismooth Newton on Alart and Curnier's map, with a line search on its square",
                  .source = "P. Alart and A. Curnier 1991; L. Qi and J. Sun 1993",
                  .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED |
                             DLS_ACCEPTS_CONE | DLS_NEEDS_CONE,
                  .fields = DLS_FIELD_TABLE(fields, settings));
