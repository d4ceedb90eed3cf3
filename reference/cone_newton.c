/* Semismooth Newton on Alart and Curnier's map (cone_map.c): Coulomb's cone, box friction and bounds, dense.
 *
 *     theta(lambda) = |F(lambda)|^2 / 2,    V d = -F in the least squares sense,  lambda <- lambda + t d
 *
 * t is the largest of 1, 1/2, 1/4, ... with theta(lambda + t d) <= (1 - 2 c t) theta(lambda), c = 1e-4, Armijo's rule
 * for a d that solves V d = -F: theta' = F . V d = -2 theta. Where V is singular (redundant contacts) d is the
 * shortest least squares solution, from a QR factorisation with pivoting. Where no t will do, d = -V^T F / |V|^2: F
 * is piecewise smooth, V^T F is the gradient of theta wherever F is differentiable, that is but for a set of measure
 * zero, and there theta falls along d for small t by Taylor. So theta falls with every step that is taken. Near a
 * zero where every V is regular the steps become full and converge quadratically (L. Qi and J. Sun, 1993).
 *
 * theta is not convex and may have a minimum that is no zero, or a kink where neither direction leads down. The
 * method then sweeps over the contacts from there (cone_map.c), twice as often each time, and begins again; the
 * report counts these rounds, and the best point of all is the answer. Existence is not promised by anything here:
 * after the last round it says that it has failed, and nothing about the problem. Where A is singular there may be
 * several solutions, with different velocities too, for the law is not that of a minimum; this finds one of them. */
#include "bounds.h"
#include "cone_map.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    double tolerance;
    size_t limit, sweeps, rounds;
} settings;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-14", 0, 1, false, NULL,
     "largest |F_i| at the end, as a share of max(1, max |b|), both scaled; or the rounding of w"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "100", 1, 1e9, false, NULL,
     "Newton steps a round at most"},
    {"sweeps", "", DLS_FIELD_COUNT, offsetof(settings, sweeps), "20", 0, 1e9, false, NULL,
     "passes over the contacts before the first round; twice as many before each other"},
    {"rounds", "", DLS_FIELD_COUNT, offsetof(settings, rounds), "10", 1, 30, false, NULL,
     "rounds of Newton's method at most"},
};

enum { INNER = 10, HALVINGS = 30 };
static const double armijo = 1e-4;

typedef struct work {
    settings set;
    dls_cone_map map;
    size_t n, gradient_steps;
    double *lambda, *w, *F, *d;        /* n */
    double *trial, *trial_w, *trial_F; /* n */
    double *best, best_theta;          /* n */
    double *V, *factor;                /* n x n */
    dls_cone_row *rows, *trial_rows;   /* n */
    lapack_int *pivots, lwork;
    double *lapack;
} work;

static void close(void *memory)
{
    work *w = memory;
    if (!w)
        return;
    dls_cone_map_release(&w->map);
    void *const owned[] = {w->lambda, w->w, w->F,      w->d,    w->trial,      w->trial_w, w->trial_F,
                           w->best,   w->V, w->factor, w->rows, w->trial_rows, w->pivots,  w->lapack};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    free(w);
}

static bool allocate(work *w)
{
    double **const vectors[] = {&w->lambda, &w->w, &w->F, &w->d, &w->trial, &w->trial_w, &w->trial_F, &w->best};
    bool ok = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        ok = ok && (*vectors[i] = calloc(w->n + 1, sizeof(double)));
    w->lwork = (lapack_int)(4 * w->n + 64 * (w->n + 1) + 1); /* dgelsy: at least 2 n + 64 (n + 1) for blocks of 64 */
    return ok && (w->V = calloc(w->n * w->n + 1, sizeof *w->V)) &&
           (w->factor = calloc(w->n * w->n + 1, sizeof *w->factor)) && (w->rows = calloc(w->n + 1, sizeof *w->rows)) &&
           (w->trial_rows = calloc(w->n + 1, sizeof *w->trial_rows)) &&
           (w->pivots = calloc(w->n + 1, sizeof *w->pivots)) &&
           (w->lapack = calloc((size_t)w->lwork, sizeof *w->lapack));
}

static dls_status open(const dls_problem *problem, const void *set, const double *lambda0, void **out, dls_error *error)
{
    work *w = calloc(1, sizeof *w);
    (void)lambda0;
    *out = NULL;
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for Newton's method");
    w->set = *(const settings *)set;
    w->n = problem->n;
    dls_status status = dls_cone_map_create(problem, &w->map, error);
    if (status == DLS_OK && !allocate(w))
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for Newton's method on %zu rows", problem->n);
    if (status != DLS_OK)
        close(w);
    else
        *out = w;
    return status;
}

/* --- one step --- */

/* d = -V^+ F; false where LAPACK fails. */
static bool newton_direction(work *w)
{
    lapack_int n = (lapack_int)w->n, rank;
    memcpy(w->factor, w->V, w->n * w->n * sizeof *w->V);
    memset(w->pivots, 0, w->n * sizeof *w->pivots);
    for (size_t i = 0; i < w->n; i++)
        w->d[i] = -w->F[i];
    double smallest = (double)w->n * DBL_EPSILON;
    return LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, w->factor, n, w->d, n, w->pivots, smallest, &rank, w->lapack,
                               w->lwork) == 0;
}

/* d = -V^T F / |V|_F^2, of the length of a Newton step. */
static void gradient_direction(work *w)
{
    int n = (int)w->n;
    double size = cblas_dnrm2(n * n, w->V, 1);
    cblas_dgemv(CblasColMajor, CblasTrans, n, n, -1.0 / (size * size), w->V, n, w->F, 1, 0.0, w->d, 1);
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b, *b = c;
}

/* theta(lambda + t d) <= theta + c t slope for a t from 1 down: takes it, and returns true. */
static bool search(work *w, double *theta, double slope)
{
    double t = 1.0;
    for (int k = 0; k < HALVINGS; k++, t *= 0.5) {
        for (size_t i = 0; i < w->n; i++)
            w->trial[i] = w->lambda[i] + t * w->d[i];
        double to = dls_cone_map_value(&w->map, w->trial, w->trial_w, w->trial_F, w->trial_rows);
        if (!(to <= *theta + armijo * t * slope) || !(to < *theta))
            continue;
        swap(&w->lambda, &w->trial), swap(&w->w, &w->trial_w), swap(&w->F, &w->trial_F);
        memcpy(w->rows, w->trial_rows, w->n * sizeof *w->rows);
        *theta = to;
        return true;
    }
    return false;
}

/* F . V d, the slope of theta along d. */
static double slope_of(const work *w)
{
    double slope = 0.0;
    for (size_t j = 0; j < w->n; j++)
        slope += w->d[j] * cblas_ddot((int)w->n, w->V + w->n * j, 1, w->F, 1);
    return slope;
}

static bool step(work *w, double *theta, dls_report *report)
{
    dls_cone_map_jacobian(&w->map, w->rows, w->V);
    report->iterations++;
    report->factorizations++;
    if (newton_direction(w) && search(w, theta, slope_of(w)))
        return true;
    gradient_direction(w);
    w->gradient_steps++;
    return search(w, theta, slope_of(w));
}

/* --- rounds --- */

static void keep_best(work *w, double theta)
{
    if (!(theta < w->best_theta))
        return;
    w->best_theta = theta;
    memcpy(w->best, w->lambda, w->n * sizeof *w->best);
}

/* Newton's method from here; true at a zero. */
static bool descend(work *w, dls_report *report)
{
    double allowed = w->set.tolerance * w->map.unit;
    double theta = dls_cone_map_value(&w->map, w->lambda, w->w, w->F, w->rows);
    for (size_t k = 0; k < w->set.limit && !dls_cone_map_solved(&w->map, w->lambda, w->F, allowed); k++)
        if (!step(w, &theta, report))
            break;
    keep_best(w, theta);
    return dls_cone_map_solved(&w->map, w->lambda, w->F, allowed);
}

static void conclude(work *w, bool solved, size_t rounds, dls_report *report)
{
    double largest = 0.0;
    memcpy(w->lambda, w->best, w->n * sizeof *w->best);
    dls_cone_map_value(&w->map, w->lambda, w->w, w->F, w->rows);
    for (size_t i = 0; i < w->n; i++)
        largest = fmax(largest, fabs(w->F[i]));
    if (!solved)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "rounds of sweeps: %zu, gradient steps: %zu; the best residual is %.3g (scaled)", rounds,
                       w->gradient_steps, largest / w->map.unit);
    else if (rounds > 1 || w->gradient_steps > 0)
        dls_report_end(report, DLS_OUTCOME_SOLVED, "rounds of sweeps: %zu, gradient steps: %zu", rounds,
                       w->gradient_steps);
    else
        report->outcome = DLS_OUTCOME_SOLVED;
    dls_withdraw_lost(w->map.dense, w->lambda, report);
}

static dls_status iterate(void *memory, dls_report *report, dls_error *error)
{
    work *w = memory;
    bool solved = false;
    size_t round = 0, sweeps = w->set.sweeps;
    (void)error;
    w->best_theta = HUGE_VAL;
    for (; !solved && round < w->set.rounds; round++, sweeps *= 2) {
        for (size_t k = 0; k < sweeps; k++)
            dls_cone_map_sweep(&w->map, INNER, w->lambda);
        solved = descend(w, report);
    }
    conclude(w, solved, round, report);
    return DLS_OK;
}

/* Back in the problem's units. What lies outside of its law by less than the tolerance is not moved. */
static void read(const void *memory, double *lambda)
{
    const work *w = memory;
    for (size_t i = 0; i < w->n; i++)
        lambda[i] = w->map.s[i] * w->lambda[i];
}

const dls_solver dls_solver_cone_newton = {
    .name = "cone-newton",
    .summary = "semismooth Newton on Alart and Curnier's map, with a line search on its square",
    .source = "P. Alart and A. Curnier 1991; L. Qi and J. Sun 1993",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_CONE |
               DLS_NEEDS_CONE,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = open,
    .iterate = iterate,
    .read = read,
    .close = close,
};
