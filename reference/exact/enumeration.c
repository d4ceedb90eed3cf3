/* Enumeration of all index sets of a mixed problem: every solution of a regular set, and a proof where there is none.
 *
 * In a solution each row is in one of these states: lambda between its bounds and w = 0 (F), lambda = lo and w >= 0,
 * lambda = hi and w <= 0; a free row is in F always, a row with lo = hi at its bound with any w. Each choice of
 * states leaves
 *
 *     A_FF lambda_F = -(b_F + A_FN lambda_N),     lambda_F within its bounds,   w_N of its sign,
 *
 * a linear system and inequalities: K. G. Murty, "Linear Complementarity, Linear and Nonlinear Programming" (1988),
 * section 1.5.
 *
 * A_FF = U S V^T. If it is regular there is one candidate. If it is singular the system may be inconsistent (no
 * candidate), or lambda_F = p + Z u with Z the null vectors: then the inequalities are a polyhedron of u, which is
 * empty or whose point nearest to 0 is taken.
 *
 * Rounding. A candidate is a solution if its natural map is zero in floating point, row by row (measure.c); half of
 * that allowance is given to the inequalities of u, so that a point they allow passes. Where Z moves w_i by rounding
 * alone, its inequality is left to the natural map. Candidates are the same solution if they agree to same_tolerance
 * or to the error of either, (n + 3) eps (largest / smallest singular value) |lambda|.
 *
 * The word. A solution of a regular set that is the only one found is `solved`, which says nothing about others. How
 * many solutions there are, whether they are isolated or points of a continuum, and that there is none, are properties
 * that rounding changes: whatever else was found, the exact search (exact_search.c) decides, and its solutions are the
 * answer. Where it cannot decide, for more than 32 rows or at its limit of work, the outcome is `several` if several
 * were found, without a claim about what lies between them, `solved` if one was, and a failure if none was.
 *
 * The rows of a mechanism have rounding of their own: b = J v* - c is the result of a step. Redundant rows that
 * contradict each other by that alone have no solution as they are stored. There a single solution, of which v+ counts,
 * is `solved` too where the set is singular, and solutions that were found in floating point remain, also where
 * redundant rows of a closed loop were brought together (redundant.c). */
#include "exact_search.h"

#include "direct/direct.h"
#include "direct/least_distance.h"

#include <lapacke.h>
#include <stdlib.h>

typedef struct settings {
    size_t index_sets;
    double rank_tolerance, residual_tolerance, same_tolerance, work;
} settings;

static const dls_field fields[] = {
    {"index_sets", "", DLS_FIELD_COUNT, offsetof(settings, index_sets), "65536", 1, 1e9, false, NULL,
     "greatest number of index sets; problems with more are refused"},
    {"rank_tolerance", "", DLS_FIELD_REAL, offsetof(settings, rank_tolerance), "1e-11", 0, 1, false, NULL,
     "share of the largest singular value below which a singular value counts as 0"},
    {"residual_tolerance", "", DLS_FIELD_REAL, offsetof(settings, residual_tolerance), "1e-10", 0, 1, false, NULL,
     "scaled natural residual up to which a candidate counts as a solution; at least the rounding error of w"},
    {"same_tolerance", "", DLS_FIELD_REAL, offsetof(settings, same_tolerance), "1e-7", 0, 1, false, NULL,
     "share of the largest scaled impulse by which the impulses of two candidates may differ and count as one "
     "solution"},
    {"work", "", DLS_FIELD_REAL, offsetof(settings, work), "1e10", 0, HUGE_VAL, true, NULL,
     "greatest work of the exact search that decides the outcome (setting work of exact)"},
};

typedef enum state { INSIDE, LOWER, UPPER, FIXED } state;

typedef struct work {
    const dls_direct *direct;
    const dls_dense *q;
    settings set;
    size_t n, n_sets, n_free, rank, tried, singular, capacity, n_found;
    state *state;                      /* n */
    size_t *F;                         /* n_free */
    double *U, *S, *VT, *matrix, *svd; /* of A_FF */
    lapack_int svd_size;
    double *right, *lambda, *w, *null_w; /* n each */
    bool failed;                         /* a singular value decomposition did not converge */
    double *G, *h, *u, *distance;        /* the polyhedron of a singular set, G u >= h */
    double *found;                       /* n_found x (n + 1): a solution and its relative error */
} work;

static size_t n_states(const dls_dense *q, size_t i)
{
    bool lo = isfinite(q->lo[i]), hi = isfinite(q->hi[i]);
    return q->lo[i] == q->hi[i] ? 1u : 1u + (lo ? 1u : 0u) + (hi ? 1u : 0u);
}

static void take_work(work *w, const dls_direct *d)
{
    size_t n = d->n, m = 2 * n;
    double best;
    lapack_int size = (lapack_int)n;
    *w = (work){.direct = d, .q = &d->q, .set = *(const settings *)d->settings, .n = n};
    LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', size, size, &best, size + 1, &best, &best, size + 1, &best,
                        size + 1, &best, -1);
    w->svd_size = (lapack_int)best + 5 * size + 1;
    w->state = DLS_TAKE(d->memory, state, n);
    w->F = DLS_TAKE(d->memory, size_t, n);
    DLS_DIRECT_VECTORS(d, &w->S, &w->right, &w->lambda, &w->w, &w->null_w, &w->u);
    w->U = dls_take_matrix(d->memory, n, n), w->VT = dls_take_matrix(d->memory, n, n);
    w->matrix = dls_take_matrix(d->memory, n, n), w->G = dls_take_matrix(d->memory, m, n);
    w->svd = DLS_TAKE(d->memory, double, (size_t)w->svd_size);
    w->h = DLS_TAKE(d->memory, double, m);
    w->distance = DLS_TAKE(d->memory, double, dls_least_distance_size(m, n));
}

/* --- one index set --- */

/* The states of index set number k, in mixed radix, and lambda of the rows at bounds. */
static void choose_set(work *w, size_t k)
{
    const dls_dense *q = w->q;
    w->n_free = 0;
    for (size_t i = 0; i < w->n; i++) {
        size_t states = n_states(q, i), digit = k % states;
        k /= states;
        w->state[i] = q->lo[i] == q->hi[i]               ? FIXED
                      : digit == 0                       ? INSIDE
                      : digit == 1 && isfinite(q->lo[i]) ? LOWER
                                                         : UPPER;
        w->lambda[i] = w->state[i] == INSIDE ? 0.0 : w->state[i] == UPPER ? q->hi[i] : q->lo[i];
        if (w->state[i] == INSIDE)
            w->F[w->n_free++] = i;
    }
}

static bool decompose_block(work *w)
{
    size_t m = w->n_free;
    lapack_int size = (lapack_int)m;
    w->rank = 0;
    if (m == 0)
        return true;
    dls_dense_block(w->q, m, w->F, w->matrix);
    if (LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', size, size, w->matrix, size, w->S, w->U, size, w->VT, size,
                            w->svd, w->svd_size) != 0)
        return false;
    /* the entries of each block of rows are of size 1: an A_FF that is small as a whole is singular too */
    while (w->rank < m && w->S[w->rank] > w->set.rank_tolerance * fmax(w->S[0], 1.0))
        w->rank++;
    return true;
}

/* lambda_F -= V S^-1 U^T w_F over the singular values that are not 0. */
static void correct_lambda(work *w)
{
    size_t m = w->n_free;
    dls_direct_residual(w->direct, w->lambda, w->w);
    for (size_t k = 0; k < m; k++)
        w->right[k] = w->w[w->F[k]];
    for (size_t j = 0; j < w->rank; j++) {
        double along = cblas_ddot((int)m, w->U + m * j, 1, w->right, 1);
        for (size_t k = 0; k < m; k++)
            w->lambda[w->F[k]] -= w->VT[j + m * k] * along / w->S[j];
    }
}

/* Whether w_F is 0 along the singular values that are 0. */
static bool is_consistent(work *w)
{
    size_t m = w->n_free;
    dls_direct_residual(w->direct, w->lambda, w->w);
    for (size_t j = w->rank; j < m; j++) {
        double along = 0.0, allowed = 0.0;
        for (size_t k = 0; k < m; k++) {
            along += w->U[k + m * j] * w->w[w->F[k]];
            allowed += fabs(w->U[k + m * j]) * fmax(w->set.residual_tolerance * dls_direct_size(w->direct, w->F[k]),
                                                    dls_row_rounding(w->q, w->F[k], w->lambda));
        }
        if (!(fabs(along) <= allowed))
            return false;
    }
    return true;
}

/* The unit of u: the size of lambda. */
static double unit_of(const work *w)
{
    double unit = 0.0;
    for (size_t i = 0; i < w->n; i++)
        unit = fmax(unit, fmax(fabs(w->lambda[i]), dls_direct_size(w->direct, i)));
    return unit;
}

/* The amount by which an inequality of row i may fail: half of the rounding that the natural map may have. */
static double spare(const work *w, size_t i) { return 0.5 * dls_row_rounding(w->q, i, w->lambda); }

static size_t add_inequality(work *w, size_t row, double sign, const double *slope, double h)
{
    for (size_t j = 0; j < w->n_free - w->rank; j++)
        w->G[row + 2 * w->n * j] = sign * slope[j];
    w->h[row] = h / unit_of(w);
    return row + 1;
}

/* null_w = A_iF Z; whether it is more than rounding. */
static bool moves(work *w, size_t i)
{
    const dls_dense *q = w->q;
    double most = 0.0;
    for (size_t j = 0; j < w->n_free - w->rank; j++) {
        w->null_w[j] = 0.0;
        for (size_t k = 0; k < w->n_free; k++)
            w->null_w[j] += q->A[i + q->n * w->F[k]] * w->VT[w->rank + j + w->n_free * k];
        most = fmax(most, fabs(w->null_w[j]));
    }
    return most > w->set.rank_tolerance;
}

/* Moves lambda_F along the null vectors into its bounds, w_N to its signs: lambda_F + Z u unit, with the u nearest to
 * 0. False if that cannot be. A w that u does not move is left to the natural map. */
static bool move_inside(work *w)
{
    const dls_dense *q = w->q;
    size_t m = w->n_free, nullity = m - w->rank, rows = 0;
    for (size_t k = 0; k < m; k++) {
        size_t i = w->F[k];
        const double *z = w->VT + w->rank + m * k;
        if (isfinite(q->lo[i]))
            rows = add_inequality(w, rows, 1.0, z, q->lo[i] - w->lambda[i] - spare(w, i));
        if (isfinite(q->hi[i]))
            rows = add_inequality(w, rows, -1.0, z, w->lambda[i] - q->hi[i] - spare(w, i));
    }
    for (size_t i = 0; i < q->n; i++) {
        double sign = w->state[i] == LOWER ? 1.0 : -1.0;
        if ((w->state[i] == LOWER || w->state[i] == UPPER) && moves(w, i))
            rows = add_inequality(w, rows, sign, w->null_w, -sign * w->w[i] - spare(w, i));
    }
    double unit = unit_of(w);
    for (size_t j = 1; j < nullity; j++)
        memmove(w->G + rows * j, w->G + 2 * w->n * j, rows * sizeof *w->G);
    if (!dls_least_distance(rows, nullity, w->G, w->h, 1e-9, w->distance, w->u))
        return false;
    for (size_t k = 0; k < m; k++)
        w->lambda[w->F[k]] += unit * cblas_ddot((int)nullity, w->VT + w->rank + m * k, 1, w->u, 1);
    return true;
}

/* --- the solutions --- */

/* The relative error of lambda. */
static double relative_error(const work *w)
{
    double condition = w->rank > 0 ? w->S[0] / w->S[w->rank - 1] : 1.0;
    return fmax(w->set.same_tolerance, (double)(w->n + 3) * DBL_EPSILON * condition);
}

/* lambda joins the solutions if it is not among them. */
static dls_status keep_solution(work *w, dls_error *error)
{
    for (size_t s = 0; s < w->n_found; s++) {
        const double *other = w->found + s * (w->n + 1);
        bool same = true;
        for (size_t i = 0; same && i < w->n; i++) {
            double size = dls_direct_size(w->direct, i); /* of the impulses of both in the block of the row */
            for (size_t j = 0; j < w->n; j++)
                if (w->direct->block[j] == w->direct->block[i])
                    size = fmax(size, fmax(fabs(w->lambda[j]), fabs(other[j])));
            same = fabs(w->lambda[i] - other[i]) <= fmax(relative_error(w), other[w->n]) * size;
        }
        if (same)
            return DLS_OK;
    }
    if (w->n_found == w->capacity) {
        w->capacity = 2 * w->capacity + 4;
        double *grown = dls_take_matrix(w->direct->memory, w->n + 1, w->capacity);
        DLS_TRY(dls_direct_ready(w->direct, error));
        if (w->n_found > 0)
            memcpy(grown, w->found, w->n_found * (w->n + 1) * sizeof *grown);
        w->found = grown;
    }
    double *to = w->found + (w->n + 1) * w->n_found++;
    memcpy(to, w->lambda, w->n * sizeof *to);
    to[w->n] = relative_error(w);
    return DLS_OK;
}

static dls_status try_set(work *w, size_t k, dls_error *error)
{
    double residual;
    choose_set(w, k);
    if (!decompose_block(w)) {
        w->failed = true;
        return DLS_OK;
    }
    bool singular = w->rank < w->n_free;
    correct_lambda(w);
    correct_lambda(w);
    if (singular && !(is_consistent(w) && move_inside(w)))
        return DLS_OK;
    if (dls_direct_solved(w->direct, w->lambda, w->set.residual_tolerance, w->w, &residual)) {
        w->singular += singular;
        return keep_solution(w, error);
    }
    return DLS_OK;
}

static dls_status report_found(const work *w, const char *why, dls_report *report, dls_error *error)
{
    double *copy = malloc((w->n_found * w->n + 1) * sizeof *copy);
    if (!copy)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solutions", w->n_found);
    for (size_t s = 0; s < w->n_found; s++)
        for (size_t i = 0; i < w->n; i++)
            copy[s * w->n + i] = dls_direct_impulse(w->direct, i, w->found[(w->n + 1) * s + i]);
    free(report->solutions);
    report->solutions = copy;
    report->n_solutions = w->n_found;
    dls_report_end(report, w->n_found > 1 ? DLS_OUTCOME_SEVERAL : DLS_OUTCOME_SOLVED,
                   "index sets: %zu; solutions found in floating point: %zu%s%s", w->n_sets, w->n_found,
                   why[0] ? "; whether there are others, and whether they are isolated, is not decided: " : "", why);
    return DLS_OK;
}

/* Whether a solution found in floating point is one to the rounding of each row's own terms. */
static bool is_accurate(const work *w, const double *x)
{
    const dls_dense *q = w->q;
    double *T = w->right, *most = w->null_w;
    dls_dense_w(q, x, w->w);
    dls_row_scales(q, x, T, most);
    for (size_t i = 0; i < w->n; i++)
        if (!(fabs(dls_row_violation(q->lo[i], q->hi[i], x[i], w->w[i], T[i], most[i])) <= 1e-12))
            return false;
    return true;
}

/* The outcome, the proof and the solutions of the exact search. Of a continuum it names two points; other sets of
 * solutions may have been found. */
static dls_status adopt_exact(const work *w, dls_report *exact, const double *impulses, double *lambda,
                              dls_report *report, dls_error *error)
{
    const bool continuum = exact->outcome == DLS_OUTCOME_CONTINUUM;
    for (size_t i = 0; i < w->n; i++)
        lambda[i] = dls_direct_impulse_scaled(w->direct, i, impulses[i]);
    if (continuum) {
        double *more = realloc(exact->solutions, (exact->n_solutions + w->n_found) * w->n * sizeof *more);
        if (!more)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solutions", exact->n_solutions + w->n_found);
        exact->solutions = more;
        for (size_t s = 0; s < w->n_found; s++) {
            if (!is_accurate(w, w->found + (w->n + 1) * s))
                continue;
            for (size_t i = 0; i < w->n; i++)
                more[exact->n_solutions * w->n + i] = dls_direct_impulse(w->direct, i, w->found[(w->n + 1) * s + i]);
            exact->n_solutions++;
        }
        free(exact->fractions);
        exact->fractions = NULL;
    }
    free(report->solutions), free(report->fractions);
    report->solutions = exact->solutions, report->n_solutions = exact->n_solutions;
    report->fractions = exact->fractions;
    exact->solutions = NULL, exact->fractions = NULL;
    report->proof = exact->proof;
    dls_report_end(report, exact->outcome, "index sets: %zu; solutions found in floating point: %zu; %.300s", w->n_sets,
                   w->n_found, exact->message);
    return DLS_OK;
}

/* Take the outcome of the exact search, or report the solutions found in floating point without it. */
static dls_status decide_outcome(const work *w, double *lambda, dls_report *report, dls_error *error)
{
    static const char loop[] = "redundant rows of a closed loop agree only up to the error of its closure";
    static const char rounding[] = "as stored, redundant rows contradict each other by rounding";
    dls_report exact = {0};
    if (w->n_found > 0 && w->direct->redundant.k > 0)
        return report_found(w, loop, report, error);
    double *impulses = DLS_TAKE_ZEROS(w->direct->memory, double, w->n);
    DLS_TRY(dls_direct_ready(w->direct, error));
    dls_status status = dls_exact_search(w->direct->problem, w->set.work, impulses, &exact, error);
    const bool decided = exact.outcome == DLS_OUTCOME_SOLVED || exact.outcome == DLS_OUTCOME_SEVERAL ||
                         exact.outcome == DLS_OUTCOME_CONTINUUM || exact.outcome == DLS_OUTCOME_NO_SOLUTION;
    const bool rounded =
        exact.outcome == DLS_OUTCOME_NO_SOLUTION && w->n_found > 0 && w->direct->problem->form == DLS_FORM_MECHANICAL;
    if (status == DLS_OK && rounded)
        status = report_found(w, rounding, report, error);
    else if (status == DLS_OK && decided)
        status = adopt_exact(w, &exact, impulses, lambda, report, error);
    else if (status == DLS_OK && w->n_found > 0)
        status = report_found(w, exact.message, report, error);
    else if (status == DLS_OK)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "none of %zu index sets has a solution in floating point%s, which proves nothing: %.300s",
                       w->n_sets, w->failed ? " (a singular value decomposition did not converge)" : "", exact.message);
    dls_report_release(&exact);
    return status;
}

static dls_status enumeration_solve(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    work storage, *w = &storage;
    take_work(w, d);
    DLS_TRY(dls_direct_ready(d, error));
    w->n_sets = 1;
    for (size_t i = 0; i < w->n && w->n_sets > 0; i++)
        w->n_sets = w->n_sets > w->set.index_sets / n_states(w->q, i) ? 0 : w->n_sets * n_states(w->q, i);
    if (w->n_sets == 0) {
        dls_report_end(report, DLS_OUTCOME_REFUSED,
                       "more than %zu index sets; raise index_sets, or take another method", w->set.index_sets);
        return DLS_OK;
    }
    for (size_t k = 0; k < w->n_sets; k++)
        DLS_TRY(try_set(w, k, error));
    report->iterations = report->factorizations = w->n_sets;
    if (w->n_found > 0)
        memcpy(lambda, w->found, w->n * sizeof *lambda);
    if (w->n_found == 1 && (w->singular == 0 || d->problem->form == DLS_FORM_MECHANICAL))
        return report_found(w, "", report, error);
    return decide_outcome(w, lambda, report, error);
}

DLS_DIRECT_SOLVER(
    enumeration, enumeration_solve, DLS_DIRECT_ROWS, .name = "enumeration",
    .summary = "enumeration of all index sets of a small problem: all solutions, or a proof that there is none; any A",
    .source = "Murty 1988", .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC,
    .fields = DLS_FIELD_TABLE(fields, settings));
