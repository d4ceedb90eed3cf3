/* Projected Gauss-Seidel with subspace minimisation.
 *
 * The rows F strictly between their bounds are taken for free while all others keep their impulses, and the minimum of
 * f(lambda) = lambda.A lambda / 2 + b.lambda over them comes from a dense Cholesky factor, with D = diag A:
 *
 *     (A_FF + eta D_F) d_F = -w_F,    p = clamp(lambda + d) - lambda,    t = the step at which a row reaches a bound
 *
 * Where no row reaches one, lambda becomes lambda + d. Otherwise it becomes the lower one of lambda + p and lambda + t
 * d; rows that have arrived at a bound leave F, and the minimum over the others follows, `rounds` times at most. Then
 * come `sweeps` sweeps (pgs.c), which release rows from bounds; the first iteration consists of these alone.
 *
 * The proximal term, which the paper does not have, keeps d small where rows of F depend on each other: without it a
 * wall of boxes leaves the bounds at once, and takes some ten times as many iterations. Without rows that reach a bound
 * it leaves eta / (eta + lambda_min(D^-1 A)_FF) of the error. A move that only eta limits is not made.
 * f never grows if A is symmetric semidefinite and the bounds are fixed: neither do sweeps, t d and the lower one of
 * two moves increase it. Sweeps converge, and so they find the free set of a solution without degenerate rows after
 * finitely many iterations; the next minima are the solution to rounding, and no rate describes the method. Bounds that
 * follow a normal impulse are fixed during a minimisation and follow in the sweeps, without a proof of convergence. */
#include "dense_factor.h"
#include "sweeper.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct settings {
    size_t sweeps, rounds;
    double proximal;
} settings;

static const dls_field fields[] = {
    {"sweeps", "", DLS_FIELD_COUNT, offsetof(settings, sweeps), "10", 1, 1e6, false, NULL,
     "sweeps of projected Gauss-Seidel per iteration"},
    {"rounds", "", DLS_FIELD_COUNT, offsetof(settings, rounds), "10", 0, 1e6, false, NULL,
     "greatest number of minimisations over free rows per iteration"},
    {"proximal", "", DLS_FIELD_REAL, offsetof(settings, proximal), "1e-10", 0, 1, false, NULL,
     "eta of the proximal term, relative to the diagonal of A"},
};

enum { ROWS_MAX = 5000 };
enum { W, NEXT, MOVE, PRODUCT, VECTORS }; /* w; the next impulses; their change p; A p */

typedef struct pgs_sm {
    dls_kit kit;
    settings set;
    double *A, *L, *lo, *hi, *right, *shift; /* right: d_F */
    size_t *rows, *factored;                 /* F, and the rows of the factor L */
    size_t count, n_factored;
    dls_arena memory;
} pgs_sm;

static dls_status pgs_sm_start(void *work, dls_error *error)
{
    pgs_sm *w = work;
    dls_kit *kit = &w->kit;
    const size_t n = kit->problem->n;
    if (n > ROWS_MAX)
        return dls_fail(error, DLS_REFUSED, "%zu rows are too many for a dense factor of the free rows; at most %d", n,
                        ROWS_MAX);
    dls_arena_reset(&w->memory);
    w->A = DLS_TAKE(&w->memory, double, n *n), w->L = DLS_TAKE(&w->memory, double, dls_factor_size(n));
    w->lo = DLS_TAKE(&w->memory, double, n), w->hi = DLS_TAKE(&w->memory, double, n);
    w->right = DLS_TAKE(&w->memory, double, dls_factor_padded(n));
    w->shift = DLS_TAKE(&w->memory, double, n);
    w->rows = DLS_TAKE(&w->memory, size_t, n), w->factored = DLS_TAKE(&w->memory, size_t, n);
    w->n_factored = 0;
    if (w->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a dense factor of %zu rows", n);
    dls_dense_matrix(kit, kit->vector[MOVE], kit->vector[PRODUCT], w->A);
    return DLS_OK;
}

static void pgs_sm_end(void *work) { dls_arena_release(&((pgs_sm *)work)->memory); }

static dls_status pgs_sm_open(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                              dls_error *error)
{
    const dls_kit_plan plan = {
        .size = sizeof(pgs_sm), .vectors = VECTORS, .omega = 1.0, .start = pgs_sm_start, .end = pgs_sm_end};
    DLS_TRY(dls_kit_open(&plan, problem, lambda0, work, error));
    ((pgs_sm *)*work)->set = *(const settings *)set;
    return DLS_OK;
}

/* --- the free rows --- */

static bool is_between(const pgs_sm *w, size_t i)
{
    const double lambda = w->kit.lambda[dls_kit_place(&w->kit, i)];
    return lambda > w->lo[i] && lambda < w->hi[i];
}

static void find_free_rows(pgs_sm *w)
{
    const dls_kit *kit = &w->kit;
    const dls_problem *p = kit->problem;
    w->count = 0;
    for (size_t i = 0; i < p->n; i++) {
        w->lo[i] = p->lo[i], w->hi[i] = p->hi[i];
        if (p->parent[i] != DLS_NONE) {
            w->hi[i] = p->mu[i] * fmax(kit->lambda[dls_kit_place(kit, p->parent[i])], 0.0);
            w->lo[i] = -w->hi[i];
        }
        if (is_between(w, i) && w->A[i + p->n * i] > 0.0)
            w->rows[w->count++] = i;
    }
}

/* Whether rows have left F because they are at a bound. */
static bool drop_rows_at_bounds(pgs_sm *w)
{
    const size_t before = w->count;
    w->count = 0;
    for (size_t j = 0; j < before; j++)
        if (is_between(w, w->rows[j]))
            w->rows[w->count++] = w->rows[j];
    return w->count < before;
}

/* --- a minimisation --- */

static void solve_free_rows(pgs_sm *w, dls_report *report)
{
    dls_kit *kit = &w->kit;
    const size_t padded = dls_factor_padded(w->count), bytes = w->count * sizeof *w->rows;
    if (w->n_factored != w->count || memcmp(w->factored, w->rows, bytes) != 0) {
        for (size_t i = 0; i < kit->problem->n; i++)
            w->shift[i] = w->set.proximal * w->A[i + kit->problem->n * i];
        dls_factor(kit, w->A, w->shift, w->count, w->rows, w->L);
        memcpy(w->factored, w->rows, bytes);
        w->n_factored = w->count;
        report->factorizations++;
    }
    for (size_t j = 0; j < padded; j++)
        w->right[j] = j < w->count ? -kit->vector[W][dls_kit_place(kit, w->rows[j])] : 0.0;
    dls_factor_solve(kit, w->count, w->L, w->right);
}

/* The step along d at which row j of F reaches a bound. */
static double step_to_bound(const pgs_sm *w, size_t j)
{
    const size_t i = w->rows[j];
    const double d = w->right[j], bound = d < 0.0 ? w->lo[i] : w->hi[i];
    return d == 0.0 ? HUGE_VAL : (bound - w->kit.lambda[dls_kit_place(&w->kit, i)]) / d;
}

/* NEXT = lambda + step d, within the bounds and exactly at those that are reached; MOVE is the difference. */
static void move_rows(pgs_sm *w, double step)
{
    const dls_kit *kit = &w->kit;
    double *next = kit->vector[NEXT], *move = kit->vector[MOVE];
    memcpy(next, kit->lambda, kit->size * sizeof *next);
    for (size_t j = 0; j < w->count; j++) {
        const size_t i = w->rows[j];
        const double d = w->right[j];
        double *to = &next[dls_kit_place(kit, i)];
        *to = step_to_bound(w, j) > step ? *to + step * d : d < 0.0 ? w->lo[i] : w->hi[i];
    }
    for (size_t k = 0; k < kit->size; k++)
        move[k] = next[k] - kit->lambda[k];
}

/* Chooses the move of a minimisation: f(lambda + t d) - f = t w.d + t^2 d.A d / 2, d.A d = -w.d - eta d.D d. False
 * where eta, and not A, limits d: dependent rows contradict each other, and impulses would grow without end. */
static bool choose_move(pgs_sm *w)
{
    dls_kit *kit = &w->kit;
    const double *residual = kit->vector[W], *move = kit->vector[MOVE], *product = kit->vector[PRODUCT];
    double step = HUGE_VAL, slope = 0.0, proximal = 0.0, descent = 0.0;
    for (size_t j = 0; j < w->count; j++) {
        const size_t i = w->rows[j];
        step = fmin(step, step_to_bound(w, j));
        slope += residual[dls_kit_place(kit, i)] * w->right[j];
        proximal += w->shift[i] * w->right[j] * w->right[j];
    }
    const double curvature = -slope - proximal;
    if (!(curvature >= proximal))
        return false;
    move_rows(w, 1.0);
    if (step >= 1.0)
        return true;
    dls_kit_multiply(kit, move, kit->vector[PRODUCT]);
    for (size_t k = 0; k < kit->size; k++)
        descent += move[k] * (residual[k] + 0.5 * product[k]);
    if (!(descent <= step * slope + 0.5 * step * step * curvature))
        move_rows(w, step);
    return true;
}

static void minimise(pgs_sm *w, dls_report *report)
{
    dls_kit *kit = &w->kit;
    find_free_rows(w);
    for (size_t round = 0; round < w->set.rounds && w->count > 0; round++) {
        dls_kit_residual(kit, kit->vector[W]);
        solve_free_rows(w, report);
        if (!choose_move(w))
            return;
        memcpy(kit->lambda, kit->vector[NEXT], kit->size * sizeof *kit->lambda);
        dls_kit_add(kit, kit->vector[MOVE]);
        if (!drop_rows_at_bounds(w))
            return;
    }
}

static dls_status pgs_sm_iterate(void *work, dls_report *report, dls_error *error)
{
    pgs_sm *w = work;
    (void)error;
    if (!w->kit.loaded)
        minimise(w, report);
    for (size_t k = 0; k < w->set.sweeps; k++)
        dls_kit_sweep(&w->kit, DLS_FORWARD);
    dls_kit_report(&w->kit, report);
    return DLS_OK;
}

const dls_solver dls_solver_pgs_sm = {
    .name = "pgs-sm",
    .summary = "projected Gauss-Seidel with minimisation over the free rows",
    .source = "M. Silcowitz, S. Niebe and K. Erleben, Projected Gauss-Seidel subspace minimization method for "
              "interactive rigid body dynamics, 2010",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_COUPLED,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = pgs_sm_open,
    .iterate = pgs_sm_iterate,
};
