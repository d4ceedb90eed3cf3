/* Semismooth Newton on Alart and Curnier's map (cone_map.c): Coulomb's cone, box friction and bounds, dense.
 *
 *     theta(lambda) = |F(lambda)|^2 / 2,    V d = -F in the least squares sense,  lambda <- lambda + t d
 *
 * t is the largest of 1, 1/2, 1/4, ... with theta(lambda + t d) <= theta(lambda) + c t F . V d, c = 1e-4 (Armijo's
 * rule); where d solves V d = -F the slope F . V d is -2 theta. Where V is singular (redundant contacts) d is the
 * shortest least squares solution, from a QR factorisation with pivoting. Where no t satisfies the rule,
 * d = -V^T F / |V|^2: F is piecewise smooth, V^T F is the gradient of theta wherever F is differentiable, that is
 * except on a set of measure zero, and there theta falls along d for small t by Taylor. So theta falls with every step
 * that is taken. Near a zero where every V is regular the steps become full and converge quadratically (L. Qi and J.
 * Sun, 1993).
 *
 * theta is not convex and may have a minimum that is not a zero, or a kink where neither direction leads down. The
 * method then sweeps over the contacts from there (cone_map.c), twice as often each time, and begins again; the report
 * counts these rounds, and the best point of all is the answer. A step costs n^3, so hundreds of contacts come to the
 * limit of the work first; the same limit on every machine. Nothing here promises that a solution exists: a failure
 * after the last round says nothing about the problem. Where A is singular there may be several solutions, with
 * different velocities too, for the law is not that of a minimum; the method finds one of them. The answer is projected
 * into its bounds and cones at the end, if it is a zero of F there too. */
#include "cone_map.h"

#include <lapacke.h>

typedef struct settings {
    double tolerance;
    double work;
    size_t limit, sweeps, rounds;
} settings;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-14", 0, 1, false, NULL,
     "largest |F_i| of a solution, as a share of max |b|, both scaled; at least the rounding error of w"},
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

enum { INNER = 10, HALVINGS = 30 };
static const double armijo = 1e-4;

typedef struct work {
    const dls_direct *d;
    size_t n, gradient_steps, passes;  /* passes: sweeps */
    double unit;                       /* max |b|, or the largest bound where b = 0 */
    double *lambda, *w, *F, *step;     /* n */
    double *trial, *trial_w, *trial_F; /* n */
    double *best, best_theta;          /* n */
    double *V, *factor;                /* n x n */
    dls_cone_row *rows, *trial_rows;   /* n */
    lapack_int *pivots, lwork;
    double *lapack;
} work;

/* --- one step --- */

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b, *b = c;
}

/* Armijo's rule along d: takes the first t that satisfies it, and returns true. */
static bool search(work *w, double *theta)
{
    double t = 1.0, slope = 0.0; /* F . V d */
    for (size_t j = 0; j < w->n; j++)
        slope += w->step[j] * cblas_ddot((int)w->n, w->V + w->n * j, 1, w->F, 1);
    for (int k = 0; k < HALVINGS; k++, t *= 0.5) {
        for (size_t i = 0; i < w->n; i++)
            w->trial[i] = w->lambda[i] + t * w->step[i];
        double to = dls_cone_map_value(w->d, w->trial, w->trial_w, w->trial_F, w->trial_rows);
        if (!(to <= *theta + armijo * t * slope) || !(to < *theta))
            continue;
        swap(&w->lambda, &w->trial), swap(&w->w, &w->trial_w), swap(&w->F, &w->trial_F);
        memcpy(w->rows, w->trial_rows, w->n * sizeof *w->rows);
        *theta = to;
        return true;
    }
    return false;
}

/* A step along -V^+ F, or else along -V^T F / |V|_F^2, which has the length of a Newton step. */
static bool advance(work *w, double *theta, dls_report *report)
{
    lapack_int n = (lapack_int)w->n, rank;
    dls_cone_map_jacobian(w->d, w->rows, w->V);
    memcpy(w->factor, w->V, w->n * w->n * sizeof *w->V);
    memset(w->pivots, 0, w->n * sizeof *w->pivots);
    for (size_t i = 0; i < w->n; i++)
        w->step[i] = -w->F[i];
    report->iterations++;
    report->factorizations++;
    if (LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, w->factor, n, w->step, n, w->pivots, (double)w->n * DBL_EPSILON,
                            &rank, w->lapack, w->lwork) == 0 &&
        search(w, theta))
        return true;
    double size = cblas_dnrm2(n * n, w->V, 1);
    cblas_dgemv(CblasColMajor, CblasTrans, n, n, -1.0 / (size * size), w->V, n, w->F, 1, 0.0, w->step, 1);
    w->gradient_steps++;
    return search(w, theta);
}

/* --- rounds --- */

/* Whether the work that was done, and as much again in `steps` and `passes`, is within the limit. */
static bool affordable(const work *w, const dls_report *report, size_t steps, size_t passes)
{
    const double n = (double)w->n;
    return 2.0 * n * n * n * (double)(report->iterations + steps) + n * n * (double)(w->passes + passes) <=
           ((const settings *)w->d->settings)->work;
}

/* Newton's method from here; true at a zero. */
static bool descend(work *w, dls_report *report)
{
    const settings *set = w->d->settings;
    double allowed = set->tolerance * w->unit;
    double theta = dls_cone_map_value(w->d, w->lambda, w->w, w->F, w->rows);
    for (size_t k = 0; k < set->limit && !dls_cone_map_solved(w->d, w->lambda, w->F, allowed); k++)
        if (!affordable(w, report, 1, 0) || !advance(w, &theta, report))
            break;
    if (theta < w->best_theta) {
        w->best_theta = theta;
        memcpy(w->best, w->lambda, w->n * sizeof *w->best);
    }
    return dls_cone_map_solved(w->d, w->lambda, w->F, allowed);
}

/* The best point; within its bounds and cones, where that is a zero too. */
static void choose(work *w)
{
    const double allowed = ((const settings *)w->d->settings)->tolerance * w->unit;
    memcpy(w->lambda, w->best, w->n * sizeof *w->best);
    dls_cone_map_project(w->d, w->lambda);
    dls_cone_map_value(w->d, w->lambda, w->w, w->F, w->rows);
    if (dls_cone_map_solved(w->d, w->lambda, w->F, allowed))
        return;
    memcpy(w->lambda, w->best, w->n * sizeof *w->best);
    dls_cone_map_value(w->d, w->lambda, w->w, w->F, w->rows);
}

static void conclude(work *w, bool solved, size_t rounds, dls_report *report)
{
    double largest = 0.0;
    choose(w);
    for (size_t i = 0; i < w->n; i++)
        largest = fmax(largest, fabs(w->F[i]));
    if (!solved && !affordable(w, report, 1, 0))
        dls_report_end(
            report, DLS_OUTCOME_ITERATION_LIMIT,
            "the limit of the work after %zu rounds and %zu steps; the best residual is %.3g (scaled); sweeps "
            "(nsgs) take less for each digit of so many contacts",
            rounds, report->iterations, largest / w->unit);
    else if (!solved)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "rounds of sweeps: %zu, gradient steps: %zu; the best residual is %.3g (scaled)", rounds,
                       w->gradient_steps, largest / w->unit);
    else if (rounds > 1 || w->gradient_steps > 0)
        dls_report_end(report, DLS_OUTCOME_SOLVED, "rounds of sweeps: %zu, gradient steps: %zu", rounds,
                       w->gradient_steps);
    else
        report->outcome = DLS_OUTCOME_SOLVED;
}

static void take(work *w, const dls_direct *d)
{
    size_t n = d->n;
    double right = dls_right_side(&d->q);
    *w = (work){.d = d, .n = n, .unit = right > 0.0 ? right : d->size, .best_theta = HUGE_VAL};
    DLS_DIRECT_VECTORS(d, &w->lambda, &w->w, &w->F, &w->step, &w->trial, &w->trial_w, &w->trial_F, &w->best);
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
    bool solved = false;
    size_t round = 0, sweeps = set->sweeps;
    take(&w, d);
    DLS_TRY(dls_direct_ready(d, error));
    for (; !solved && round < set->rounds && affordable(&w, report, 1, 0); round++, sweeps *= 2) {
        for (size_t k = 0; k < sweeps && affordable(&w, report, 0, 1); k++, w.passes++)
            dls_cone_map_sweep(d, INNER, w.lambda);
        solved = descend(&w, report);
    }
    conclude(&w, solved, round, report);
    memcpy(lambda, w.lambda, d->n * sizeof *lambda);
    return DLS_OK;
}

DLS_DIRECT_SOLVER(cone_newton, solve, DLS_DIRECT_CONTACTS, .name = "cone-newton",
                  .summary = "semismooth Newton on Alart and Curnier's map, with a line search on its square",
                  .source = "P. Alart and A. Curnier 1991; L. Qi and J. Sun 1993",
                  .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED |
                             DLS_ACCEPTS_CONE | DLS_NEEDS_CONE,
                  .fields = DLS_FIELD_TABLE(fields, settings));
