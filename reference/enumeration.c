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
 * candidate), or lambda_F = p + Z u with Z the null vectors: then the inequalities are a polyhedron of u, and its
 * point nearest to 0 is taken, or it is empty. So that no solution is missed: nothing is left out. Where a singular
 * set has a point it may have more; the message says so.
 *
 * Rounding. A candidate is a solution if its natural map is zero in floating point, row by row (natural_map.h); half
 * of that is given to the inequalities of u, so that a point they allow passes. Where Z leaves w_i as it is but for
 * rounding, its inequality is one of w_i alone. Candidates are the same solution if they agree to same_tolerance or
 * to the error of either, (n + 3) eps (largest / smallest singular value) |lambda|.
 *
 * Emptiness. If no set has a solution, all are tried once more with `doubt` times the rounding, and with what the
 * singular values and slopes that were taken for 0 could do with the largest impulses that a method here calls a
 * solution: dls_reach (bounds.h). A candidate that fails by no more is no solution
 * known, but no proof either: the outcome is a numerical failure with its residual. Without one, there is none. */
#include "bounds.h"
#include "least_distance.h"
#include "natural_map.h"
#include "scaled.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    size_t index_sets;
    double rank_tolerance, residual_tolerance, same_tolerance, doubt;
} settings;

static const dls_field fields[] = {
    {"index_sets", "", DLS_FIELD_COUNT, offsetof(settings, index_sets), "65536", 1, 1e9, false, NULL,
     "most index sets that are tried; a problem with more is refused"},
    {"rank_tolerance", "", DLS_FIELD_REAL, offsetof(settings, rank_tolerance), "1e-11", 0, 1, false, NULL,
     "singular values below this part of the largest are taken for 0"},
    {"residual_tolerance", "", DLS_FIELD_REAL, offsetof(settings, residual_tolerance), "1e-10", 0, 1, false, NULL,
     "scaled natural residual up to which a candidate is a solution, where the rounding of w is not more"},
    {"same_tolerance", "", DLS_FIELD_REAL, offsetof(settings, same_tolerance), "1e-7", 0, 1, false, NULL,
     "candidates whose scaled impulses differ by less, as a part of the largest, are one solution"},
    {"doubt", "", DLS_FIELD_REAL, offsetof(settings, doubt), "1000", 1, 1e9, false, NULL,
     "a candidate that fails by less than this multiple of the tolerance, or of the rounding, forbids the claim of no "
     "solution"},
};

typedef enum state { INSIDE, LOWER, UPPER, FIXED } state;

typedef struct work {
    dls_scaled *scaled;
    settings set;
    size_t n, n_sets, n_free, rank, tried, singular, capacity, n_found;
    state *state;                      /* n */
    size_t *F;                         /* n_free */
    double *U, *S, *VT, *matrix, *svd; /* of A_FF */
    lapack_int svd_size;
    double *right, *part, *lambda, *w, *null_w, *allowed; /* n each; allowed: what counts as 0 in the natural map */
    bool doubting;                /* the second round: is a candidate near to being a solution? */
    double neglected;             /* the largest singular value or slope of the set that was taken for 0 */
    double near;                  /* the smallest residual of such a candidate; infinity if there is none */
    double *G, *h, *u, *distance; /* the polyhedron of a singular set */
    double *found;                /* n_found x (n + 1): a solution and its relative error */
} work;

static void close(void *w0)
{
    work *w = w0;
    if (!w)
        return;
    dls_scaled_destroy(w->scaled);
    free(w->state);
    free(w->F);
    free(w->U);
    free(w->found);
    free(w);
}

static size_t n_states(const dls_dense *d, size_t i)
{
    bool lo = isfinite(d->lo[i]), hi = isfinite(d->hi[i]);
    return d->lo[i] == d->hi[i] ? 1u : 1u + (lo ? 1u : 0u) + (hi ? 1u : 0u);
}

/* The number of index sets; 0 if it is beyond the limit. */
static size_t count_sets(const dls_dense *d, size_t limit)
{
    size_t count = 1;
    for (size_t i = 0; i < d->n; i++) {
        if (count > limit / n_states(d, i))
            return 0;
        count *= n_states(d, i);
    }
    return count;
}

static bool allocate(work *w)
{
    size_t n = w->n, m = 2 * n;
    double best;
    lapack_int size = (lapack_int)n;
    LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', size, size, &best, size + 1, &best, &best, size + 1, &best,
                        size + 1, &best, -1);
    w->svd_size = (lapack_int)best + 5 * size + 1;
    size_t distance = dls_least_distance_size(m, n);
    w->state = calloc(n + 1, sizeof *w->state);
    w->F = calloc(n + 1, sizeof *w->F);
    w->U = calloc(3 * n * n + 7 * n + (size_t)w->svd_size + m * n + m + n + distance + 1, sizeof *w->U);
    if (!w->state || !w->F || !w->U)
        return false;
    w->VT = w->U + n * n, w->matrix = w->VT + n * n, w->S = w->matrix + n * n, w->right = w->S + n,
    w->part = w->right + n;
    w->lambda = w->part + n, w->w = w->lambda + n, w->null_w = w->w + n, w->allowed = w->null_w + n;
    w->svd = w->allowed + n;
    w->G = w->svd + w->svd_size, w->h = w->G + m * n, w->u = w->h + m, w->distance = w->u + n;
    return true;
}

static dls_status open(const dls_problem *p, const void *chosen, const double *lambda0, void **w0, dls_error *error)
{
    (void)lambda0;
    work *w = *w0 = calloc(1, sizeof *w);
    if (!w)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", p->n);
    memcpy(&w->set, chosen, sizeof w->set);
    w->n = p->n;
    dls_status status = dls_scaled_create(p, &w->scaled, error);
    if (status == DLS_OK && (w->n_sets = count_sets(w->scaled->dense, w->set.index_sets)) == 0)
        status = dls_fail(error, DLS_REFUSED, "more than %zu index sets; raise index_sets, or take another method",
                          w->set.index_sets);
    if (status == DLS_OK && !allocate(w))
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", p->n);
    if (status != DLS_OK) {
        close(w);
        *w0 = NULL;
    }
    return status;
}

/* --- one index set --- */

/* The states of index set number k, in mixed radix, and lambda of the rows at bounds. */
static void choose(work *w, size_t k)
{
    const dls_dense *d = w->scaled->dense;
    w->n_free = 0;
    for (size_t i = 0; i < w->n; i++) {
        size_t states = n_states(d, i), digit = k % states;
        k /= states;
        w->state[i] = d->lo[i] == d->hi[i]               ? FIXED
                      : digit == 0                       ? INSIDE
                      : digit == 1 && isfinite(d->lo[i]) ? LOWER
                                                         : UPPER;
        w->lambda[i] = w->state[i] == INSIDE ? 0.0 : w->state[i] == UPPER ? d->hi[i] : d->lo[i];
        if (w->state[i] == INSIDE)
            w->F[w->n_free++] = i;
    }
}

static bool decompose(work *w)
{
    size_t m = w->n_free;
    lapack_int size = (lapack_int)m;
    const dls_dense *d = w->scaled->dense;
    w->rank = 0;
    w->neglected = 0.0;
    if (m == 0)
        return true;
    for (size_t c = 0; c < m; c++)
        for (size_t r = 0; r < m; r++)
            w->matrix[r + m * c] = d->A[w->F[r] + d->n * w->F[c]];
    if (LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', size, size, w->matrix, size, w->S, w->U, size, w->VT, size,
                            w->svd, w->svd_size) != 0)
        return false;
    /* A is of size 1: a block that is small as a whole is singular too */
    while (w->rank < m && w->S[w->rank] > w->set.rank_tolerance * fmax(w->S[0], 1.0))
        w->rank++;
    w->neglected = w->rank < m ? w->S[w->rank] : 0.0;
    return true;
}

/* What counts as 0 in the natural map at lambda. */
static void allow(work *w)
{
    double reach = dls_reach * w->scaled->size;
    for (size_t i = 0; i < w->n; i++) {
        double zero =
            fmax(w->set.residual_tolerance * w->scaled->size, dls_row_rounding(w->scaled->dense, i, w->lambda));
        w->allowed[i] = w->doubting ? w->set.doubt * zero + w->neglected * reach : zero;
    }
}

/* lambda_F -= V S^-1 U^T w_F over the singular values that are not 0. */
static void correct(work *w)
{
    size_t m = w->n_free;
    dls_scaled_residual(w->scaled, w->lambda, w->w);
    for (size_t k = 0; k < m; k++)
        w->right[k] = w->w[w->F[k]];
    for (size_t j = 0; j < w->rank; j++) {
        double along = cblas_ddot((int)m, w->U + m * j, 1, w->right, 1);
        for (size_t k = 0; k < m; k++)
            w->lambda[w->F[k]] -= w->VT[j + m * k] * along / w->S[j];
    }
}

/* Whether w_F is 0 along the singular values that are 0. */
static bool consistent(work *w)
{
    size_t m = w->n_free;
    dls_scaled_residual(w->scaled, w->lambda, w->w);
    allow(w);
    for (size_t j = w->rank; j < m; j++) {
        double along = 0.0, allowed = 0.0;
        for (size_t k = 0; k < m; k++) {
            along += w->U[k + m * j] * w->w[w->F[k]];
            allowed += fabs(w->U[k + m * j]) * w->allowed[w->F[k]];
        }
        if (!(fabs(along) <= allowed))
            return false;
    }
    return true;
}

/* The unit of u: the size of lambda. */
static double unit_of(const work *w)
{
    double unit = w->scaled->size;
    for (size_t i = 0; i < w->n; i++)
        unit = fmax(unit, fabs(w->lambda[i]));
    return unit;
}

/* What an inequality of row i may be missed by: half of what the natural map may be; of the tolerance nothing. */
static double spare(const work *w, size_t i)
{
    return 0.5 * (w->doubting ? w->allowed[i] : dls_row_rounding(w->scaled->dense, i, w->lambda));
}

static size_t add_inequality(work *w, size_t row, size_t stride, double sign, const double *slope, double h)
{
    for (size_t j = 0; j < w->n_free - w->rank; j++)
        w->G[row + stride * j] = sign * slope[j];
    w->h[row] = h / unit_of(w);
    return row + 1;
}

/* null_w = A_iF Z; whether it is more than rounding. */
static bool moves(work *w, size_t i)
{
    const dls_dense *d = w->scaled->dense;
    double most = 0.0;
    for (size_t j = 0; j < w->n_free - w->rank; j++) {
        w->null_w[j] = 0.0;
        for (size_t k = 0; k < w->n_free; k++)
            w->null_w[j] += d->A[i + d->n * w->F[k]] * w->VT[w->rank + j + w->n_free * k];
        most = fmax(most, fabs(w->null_w[j]));
    }
    if (most > w->set.rank_tolerance)
        return true;
    w->neglected = fmax(w->neglected, most);
    return false;
}

/* The inequalities of lambda_F + Z u unit and of its w, in u. A w that u does not move is left to the natural map. */
static size_t polyhedron(work *w, size_t stride)
{
    const dls_dense *d = w->scaled->dense;
    size_t m = w->n_free, rows = 0;
    for (size_t k = 0; k < m; k++) {
        size_t i = w->F[k];
        const double *z = w->VT + w->rank + m * k;
        if (isfinite(d->lo[i]))
            rows = add_inequality(w, rows, stride, 1.0, z, d->lo[i] - w->lambda[i] - spare(w, i));
        if (isfinite(d->hi[i]))
            rows = add_inequality(w, rows, stride, -1.0, z, w->lambda[i] - d->hi[i] - spare(w, i));
    }
    for (size_t i = 0; i < d->n; i++) {
        double sign = w->state[i] == LOWER ? 1.0 : -1.0;
        if ((w->state[i] == LOWER || w->state[i] == UPPER) && moves(w, i))
            rows = add_inequality(w, rows, stride, sign, w->null_w, -sign * w->w[i] - spare(w, i));
    }
    return rows;
}

/* Moves lambda_F along the null vectors into its bounds, w_N to its signs. False if that cannot be. */
static bool move_inside(work *w)
{
    size_t m = w->n_free, nullity = m - w->rank, stride = 2 * w->n;
    size_t rows = polyhedron(w, stride);
    double unit = unit_of(w);
    for (size_t j = 1; j < nullity; j++)
        memmove(w->G + rows * j, w->G + stride * j, rows * sizeof *w->G);
    if (!dls_least_distance(rows, nullity, w->G, w->h, 1e-9, w->distance, w->u))
        return false;
    for (size_t k = 0; k < m; k++)
        w->lambda[w->F[k]] += unit * cblas_ddot((int)nullity, w->VT + w->rank + m * k, 1, w->u, 1);
    return true;
}

/* --- the solutions --- */

/* The relative error of lambda. */
static double blur(const work *w)
{
    double condition = w->rank > 0 ? w->S[0] / w->S[w->rank - 1] : 1.0;
    return fmax(w->set.same_tolerance, (double)(w->n + 3) * DBL_EPSILON * condition);
}

static bool known(const work *w)
{
    for (size_t s = 0; s < w->n_found; s++) {
        const double *other = w->found + s * (w->n + 1);
        double largest = w->scaled->size, difference = 0.0;
        for (size_t i = 0; i < w->n; i++) {
            largest = fmax(largest, fabs(w->lambda[i]));
            difference = fmax(difference, fabs(w->lambda[i] - other[i]));
        }
        if (difference <= fmax(blur(w), other[w->n]) * largest)
            return true;
    }
    return false;
}

static dls_status keep(work *w, dls_error *error)
{
    if (known(w))
        return DLS_OK;
    if (w->n_found == w->capacity) {
        size_t capacity = 2 * w->capacity + 4;
        double *grown = realloc(w->found, capacity * (w->n + 1) * sizeof *grown);
        if (!grown)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solutions", capacity);
        w->found = grown;
        w->capacity = capacity;
    }
    double *to = w->found + (w->n + 1) * w->n_found++;
    memcpy(to, w->lambda, w->n * sizeof *to);
    to[w->n] = blur(w);
    return DLS_OK;
}

/* A candidate that fails by so little that it forbids to claim emptiness; w->near keeps the least residual. */
static void doubt(work *w)
{
    double residual = dls_scaled_residual(w->scaled, w->lambda, w->w);
    allow(w);
    for (size_t i = 0; i < w->n; i++)
        if (!(fabs(dls_natural_map(w->scaled->dense, i, w->lambda[i], w->w[i])) <= w->allowed[i]))
            return;
    w->near = fmin(w->near, residual);
}

static dls_status try_set(work *w, size_t k, bool *failed, dls_error *error)
{
    double residual;
    choose(w, k);
    if (!decompose(w)) {
        *failed = true;
        return DLS_OK;
    }
    bool singular = w->rank < w->n_free;
    correct(w);
    correct(w);
    if (singular && !(consistent(w) && move_inside(w)))
        return DLS_OK;
    if (w->doubting) {
        doubt(w);
        return DLS_OK;
    }
    if (!dls_scaled_solved(w->scaled, w->lambda, w->set.residual_tolerance, w->w, &residual))
        return DLS_OK;
    w->singular += singular;
    return keep(w, error);
}

static dls_status report_solutions(work *w, dls_report *report, dls_error *error)
{
    double *copy = malloc((w->n_found * w->n + 1) * sizeof *copy);
    if (!copy)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solutions", w->n_found);
    for (size_t s = 0; s < w->n_found; s++)
        for (size_t i = 0; i < w->n; i++)
            copy[s * w->n + i] = w->scaled->s[i] * w->found[s * (w->n + 1) + i];
    free(report->solutions);
    report->solutions = copy;
    report->n_solutions = w->n_found;
    dls_report_end(report, w->n_found > 1 ? DLS_OUTCOME_SEVERAL : DLS_OUTCOME_SOLVED, "index sets: %zu, solutions: %zu",
                   w->n_sets, w->n_found);
    if (w->singular)
        dls_report_end(report, report->outcome,
                       "index sets: %zu, solutions: %zu; singular sets among those with a solution: %zu, which may "
                       "hold a continuum "
                       "of which one point is listed",
                       w->n_sets, w->n_found, w->singular);
    return DLS_OK;
}

static void report_none(const work *w, bool failed, dls_report *report)
{
    if (failed) {
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "a singular value decomposition did not converge");
    } else if (w->near < HUGE_VAL) {
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "none of %zu index sets has a solution, but one fails only by what rounding can do: scaled "
                       "natural residual %.3g",
                       w->n_sets, w->near);
    } else {
        report->proof = DLS_PROOF_ENUMERATION;
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "none of %zu index sets has a solution, nor nearly", w->n_sets);
    }
}

static dls_status iterate(void *w0, dls_report *report, dls_error *error)
{
    work *w = w0;
    bool failed = false;
    w->near = HUGE_VAL;
    for (int round = 0; round < 2 && w->n_found == 0; round++) {
        w->doubting = round > 0;
        for (size_t k = 0; k < w->n_sets; k++)
            DLS_TRY(try_set(w, k, &failed, error));
        report->iterations = report->factorizations += w->n_sets;
    }
    if (w->n_found > 0)
        return report_solutions(w, report, error);
    report_none(w, failed, report);
    return DLS_OK;
}

static void read(const void *w0, double *lambda)
{
    const work *w = w0;
    for (size_t i = 0; i < w->n; i++)
        lambda[i] = w->n_found ? w->scaled->s[i] * w->found[i] : 0.0;
}

const dls_solver dls_solver_enumeration = {
    .name = "enumeration",
    .summary = "every index set of a small problem: all solutions, or a proof that there is none; any A",
    .source = "Murty 1988",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = open,
    .iterate = iterate,
    .read = read,
    .close = close,
};
