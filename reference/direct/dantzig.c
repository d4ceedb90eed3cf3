/* Dantzig-Cottle principal pivoting with bounds, for symmetric positive semidefinite A.
 *
 * R. W. Cottle, G. B. Dantzig, "Complementary pivot theory of mathematical programming", Linear Algebra Appl. 1
 * (1968); with bounds as in D. Baraff, "Fast contact force computation for nonpenetrating rigid bodies", SIGGRAPH
 * 1994.
 *
 * The rows taken so far are complementary: F (lambda between its bounds, w = 0) and N (lambda at a bound, w of its
 * sign). Row i is driven next: lambda_i leaves its start in the direction s = -sign(w_i), and the others keep their
 * places,
 *
 *     dlambda_i = s,   dlambda_F = -s A_FF^-1 A_Fi,   dw_N = A_NF dlambda_F + s A_Ni,   dw_i = s sigma,
 *     sigma = A_ii - A_iF A_FF^-1 A_Fi >= 0           (the Schur complement)
 *
 * as far as the first of these: w_i reaches 0 (i joins F); lambda_i reaches a bound (i joins N); lambda_k, k in F,
 * reaches a bound (k moves to N); w_k, k in N, reaches 0 (k moves to F). After the last two the drive of i goes on.
 *
 * Singular A. With z = dlambda, z.A z = sigma. If sigma = 0 then A z = 0 because A is semidefinite: the drive changes
 * no w, so no k in N stops it and w_i never reaches 0, but it goes on until some lambda reaches a bound. If that is
 * lambda_k, k in F, then z_k != 0, sigma without k is larger by a square that does not vanish, and the drive continues
 * with a regular A_FF. If nothing stops it, lambda + theta z is within the bounds for every theta, A z = 0 and b.z =
 * w.z = -|w_i| < 0: z is a Farkas vector, and there is no solution. A row that joins F has sigma_k >= dw_k^2 / sigma >
 * 0, so A_FF stays regular. sigma counts as 0 where it is at most pivot_tolerance z.z (in units where diag A = 1), for
 * its rounding error is about m eps z.z. A sigma that was not 0 after all shows in w, which is always updated with the
 * A z that was computed.
 *
 * A_FF is kept as a Cholesky factor whose pending row is row i, which gives sigma and half of the solve; A_NF is kept
 * as a matrix without gaps, so that a pivot costs one triangular solve, one product and an update. Free rows come
 * first, in one blocked factorisation, with complete pivoting if they are redundant; the rest follow in the order of
 * their first violation, largest first. Among equal steps the largest slope is taken, or after n steps of length 0 the
 * least index. At the end w is computed again and lambda_F gets one step of iterative refinement; rows that rounding
 * left on the wrong side are driven again, and the report says so. */
#include "direct.h"
#include "updated_cholesky.h"

#include <lapacke.h>
#include <stdlib.h>

typedef struct settings {
    double pivot_tolerance, residual_tolerance;
    size_t pivots_per_row;
} settings;

static const dls_field fields[] = {
    {"pivot_tolerance", "", DLS_FIELD_REAL, offsetof(settings, pivot_tolerance), "1e-11", 0, 1, false, NULL,
     "a driving direction z counts as a null vector of A with unit diagonal if z.Az <= pivot_tolerance z.z"},
    {"residual_tolerance", "", DLS_FIELD_REAL, offsetof(settings, residual_tolerance), "1e-11", 0, 1, false, NULL,
     "scaled natural residual up to which an answer counts as solved; at least the rounding error of w"},
    {"pivots_per_row", "", DLS_FIELD_COUNT, offsetof(settings, pivots_per_row), "50", 1, 1e6, false, NULL,
     "greatest number of pivots, divided by the number of rows"},
};

typedef enum place { WAITING, FREE, LOWER, UPPER, DEPENDENT } place;

typedef struct ranked {
    double violation;
    size_t row;
} ranked;

typedef struct work {
    const dls_direct *direct;
    const dls_dense *q;
    settings set;
    size_t n, n_bound, stride, pivots, stalled, changes;
    size_t driven;           /* the row that is driven, */
    double sign, wi;         /* its direction and its w */
    dls_cholesky factor;     /* of A_FF, in the order of free_row */
    size_t *free_row;        /* factor.m */
    size_t *slot, *slot_row; /* the column of A_NF that belongs to a row of F, and back */
    size_t *bound_row;       /* n_bound: the rows of N, in the order of A_NF's rows */
    size_t *held_at; /* n: the state of F, by number of changes, with which the row depends on F but for rounding */
    place *place;    /* n */
    double *A_NF;    /* n_bound x factor.m, leading dimension stride */
    double *lambda;  /* n */
    double *w;       /* n_bound, in the order of bound_row */
    double *step, *slot_step, *dw; /* n each */
    double *scratch;               /* 2 n */
    lapack_int *pivot;             /* n */
    ranked *rank;                  /* n */
} work;

typedef enum event_kind { NOTHING, DRIVEN_FREE, DRIVEN_BOUND, TO_BOUND, TO_FREE } event_kind;
typedef struct event {
    event_kind kind;
    size_t at; /* of free_row, or of bound_row */
    size_t row;
    double length, slope;
    bool upper; /* the bound that is reached */
} event;

static const double *column(const work *w, size_t i) { return w->q->A + w->n * i; }

/* w = A lambda + b, all rows. */
static void all_w(const work *w, double *result)
{
    cblas_dcopy((int)w->n, w->q->b, 1, result, 1);
    if (w->n > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)w->n, (int)w->n, 1.0, w->q->A, (int)w->n, w->lambda, 1, 1.0,
                    result, 1);
}

/* --- the sets --- */

static void join_free(work *w, size_t i)
{
    size_t m = w->factor.m;
    const double *a = column(w, i);
    double *to = w->A_NF + w->stride * m;
    dls_cholesky_append(&w->factor);
    w->free_row[m] = i;
    w->slot[i] = m;
    w->slot_row[m] = i;
    w->place[i] = FREE;
    w->changes++;
    for (size_t p = 0; p < w->n_bound; p++)
        to[p] = a[w->bound_row[p]];
}

static void leave_free(work *w, size_t at)
{
    size_t i = w->free_row[at], last = w->factor.m - 1, slot = w->slot[i];
    dls_cholesky_remove(&w->factor, at);
    w->changes++;
    memmove(w->free_row + at, w->free_row + at + 1, (last - at) * sizeof *w->free_row);
    if (slot != last) {
        memcpy(w->A_NF + w->stride * slot, w->A_NF + w->stride * last, w->n_bound * sizeof *w->A_NF);
        w->slot_row[slot] = w->slot_row[last];
        w->slot[w->slot_row[slot]] = slot;
    }
}

static void join_bound(work *w, size_t i, bool upper, double wi)
{
    size_t p = w->n_bound++;
    const double *a = column(w, i);
    w->bound_row[p] = i;
    w->place[i] = upper ? UPPER : LOWER;
    w->lambda[i] = upper ? w->q->hi[i] : w->q->lo[i];
    w->w[p] = wi;
    for (size_t c = 0; c < w->factor.m; c++)
        w->A_NF[p + w->stride * c] = a[w->slot_row[c]];
}

/* --- one drive --- */

static void try_row(work *w, size_t i)
{
    const double *a = column(w, i);
    for (size_t k = 0; k < w->factor.m; k++)
        w->factor.row[k] = a[w->free_row[k]];
    dls_cholesky_try(&w->factor, a[i]);
}

/* step = dlambda_F; dw = dw_N. Returns z.z. */
static double drive_direction(work *w)
{
    size_t m = w->factor.m;
    const double *a = column(w, w->driven);
    cblas_dcopy((int)m, w->factor.row, 1, w->step, 1);
    dls_cholesky_backward(&w->factor, w->step);
    cblas_dscal((int)m, -w->sign, w->step, 1);
    for (size_t k = 0; k < m; k++)
        w->slot_step[w->slot[w->free_row[k]]] = w->step[k];
    for (size_t p = 0; p < w->n_bound; p++)
        w->dw[p] = w->sign * a[w->bound_row[p]];
    if (w->n_bound > 0 && m > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)w->n_bound, (int)m, 1.0, w->A_NF, (int)w->stride, w->slot_step, 1,
                    1.0, w->dw, 1);
    return 1.0 + cblas_ddot((int)m, w->step, 1, w->step, 1);
}

static void consider_event(const work *w, event *first, event other)
{
    if (!(other.length > 0.0))
        other.length = 0.0;
    bool tie = other.length == first->length && first->kind != NOTHING;
    bool before = w->stalled > w->n ? other.row < first->row : fabs(other.slope) > fabs(first->slope);
    if (other.length < first->length || (tie && first->kind != DRIVEN_FREE && before))
        *first = other;
}

static void consider_bound(const work *w, event *first, event_kind kind, size_t at, size_t i, double slope,
                           double noise)
{
    const dls_dense *q = w->q;
    double bound = slope > 0.0 ? q->hi[i] : q->lo[i];
    if (isfinite(bound) && fabs(slope) > noise)
        consider_event(w, first, (event){kind, at, i, (bound - w->lambda[i]) / slope, slope, slope > 0.0});
}

/* The first event on the way of the driven row, with z.z = zz. Slopes of w below `noise` are rounding. */
static event first_event(const work *w, double zz)
{
    bool singular = !(w->factor.s > w->set.pivot_tolerance * zz);
    const dls_cholesky *f = &w->factor;
    double noise = 1e-14 * sqrt(zz), least = 1.0;
    for (size_t k = 0; k < f->m && singular; k++)
        least = fmin(least, f->L[k + f->stride * k]);
    /* The rounding of the entries of a null vector, which goes on to the end of its way however small they are: that of
     * the terms of A_FF z, times the growth in A_FF^-1, which follows from the least pivot. */
    double noise_of_z = singular ? fmin((double)w->n * DBL_EPSILON / (least * least), 1e-8) * sqrt(zz) : 0.0;
    event first = {.kind = NOTHING, .length = HUGE_VAL, .row = SIZE_MAX};
    if (!singular)
        consider_event(w, &first, (event){DRIVEN_FREE, 0, w->driven, fabs(w->wi) / w->factor.s, HUGE_VAL, false});
    consider_bound(w, &first, DRIVEN_BOUND, 0, w->driven, w->sign, 0.0);
    for (size_t k = 0; k < w->factor.m; k++)
        consider_bound(w, &first, TO_BOUND, k, w->free_row[k], w->step[k], noise_of_z);
    for (size_t p = 0; !singular && p < w->n_bound; p++) {
        size_t k = w->bound_row[p];
        bool falls = w->place[k] == LOWER ? w->dw[p] < -noise : w->dw[p] > noise;
        if (falls && w->held_at[k] != w->changes && w->q->lo[k] < w->q->hi[k])
            consider_event(w, &first, (event){TO_FREE, p, k, -w->w[p] / w->dw[p], w->dw[p], false});
    }
    return first;
}

/* Whether the pivot of the row tried is above rounding, which grows with its z.z: computed where it may matter. */
static bool is_independent(work *w)
{
    static const double clear = 1e-4;
    size_t m = w->factor.m;
    if (w->factor.s > clear || !(w->factor.s > w->set.pivot_tolerance))
        return w->factor.s > clear;
    cblas_dcopy((int)m, w->factor.row, 1, w->slot_step, 1);
    dls_cholesky_backward(&w->factor, w->slot_step);
    return w->factor.s > w->set.pivot_tolerance * (1.0 + cblas_ddot((int)m, w->slot_step, 1, w->slot_step, 1));
}

/* Moves as far as the event, and takes the row concerned to its new set. A row of N whose own Schur complement vanishes
 * has a w that changes by rounding alone: it stays, and does not stop a drive again until F changes. */
static void take_event(work *w, const event *e)
{
    for (size_t k = 0; k < w->factor.m; k++)
        w->lambda[w->free_row[k]] += e->length * w->step[k];
    w->lambda[w->driven] += e->length * w->sign;
    cblas_daxpy((int)w->n_bound, e->length, w->dw, 1, w->w, 1);
    w->stalled = e->length > 0.0 ? 0 : w->stalled + 1;
    w->wi += e->length * w->sign * w->factor.s;
    switch (e->kind) {
    case DRIVEN_FREE:
        join_free(w, w->driven);
        break;
    case DRIVEN_BOUND:
        join_bound(w, w->driven, e->upper, w->wi);
        break;
    case TO_BOUND:
        leave_free(w, e->at);
        join_bound(w, e->row, e->upper, 0.0);
        break;
    case TO_FREE:
        try_row(w, e->row);
        if (is_independent(w)) {
            const size_t last = --w->n_bound;
            w->bound_row[e->at] = w->bound_row[last];
            w->w[e->at] = w->w[last];
            if (e->at != last)
                cblas_dcopy((int)w->factor.m, w->A_NF + last, (int)w->stride, w->A_NF + e->at, (int)w->stride);
            join_free(w, e->row);
        } else {
            w->held_at[e->row] = w->changes;
        }
        try_row(w, w->driven);
        break;
    case NOTHING:
        break;
    }
}

/* Whether w_i is 0 but for rounding. */
static bool is_zero_w(const work *w, size_t i, double wi)
{
    return fabs(wi) <= w->set.residual_tolerance * dls_direct_size(w->direct, i) ||
           fabs(wi) <= dls_row_rounding(w->q, i, w->lambda);
}

/* Nothing stops the drive: a proof that there is no solution; or w_i was 0 but for rounding, and the row stays where it
 * is, or is driven the other way if it has no bound there. */
static dls_status end_unbounded(work *w, dls_report *report, dls_error *error)
{
    const dls_dense *q = w->q;
    size_t i = w->driven;
    double bound, *y = w->scratch;
    if (is_zero_w(w, i, w->wi)) {
        if (w->lambda[i] == q->lo[i] || w->lambda[i] == q->hi[i])
            join_bound(w, i, w->lambda[i] == q->hi[i], w->wi);
        else if (dls_bound_free(q, i))
            w->place[i] = DEPENDENT;
        else
            w->sign = -w->sign;
        return DLS_OK;
    }
    memset(y, 0, w->n * sizeof *y);
    for (size_t k = 0; k < w->factor.m; k++)
        y[w->free_row[k]] = w->step[k];
    y[i] = w->sign;
    if (dls_direct_farkas(w->direct, y, &bound))
        return dls_direct_report_farkas(w->direct, y, bound, report, error);
    dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                   "row %zu cannot reach its complement (w = %.3g, A nearly singular along its direction), and that "
                   "proves nothing",
                   i, w->wi);
    return DLS_OK;
}

static dls_status drive_row(work *w, size_t i, dls_report *report, dls_error *error)
{
    const dls_dense *q = w->q;
    double wi = q->b[i] + cblas_ddot((int)w->n, column(w, i), 1, w->lambda, 1);
    bool lower = w->lambda[i] == q->lo[i], upper = w->lambda[i] == q->hi[i];
    if ((lower && (wi >= 0.0 || upper)) || (upper && wi <= 0.0) ||
        ((lower || upper) && fabs(wi) <= 1e-10 * dls_direct_size(w->direct, i) &&
         fabs(wi) <= dls_row_rounding(q, i, w->lambda))) {
        join_bound(w, i, !lower, wi);
        return DLS_OK;
    }
    w->driven = i, w->wi = wi;
    w->sign = wi < 0.0 || (wi == 0.0 && isfinite(q->hi[i])) ? 1.0 : -1.0;
    try_row(w, i);
    while (w->place[i] == WAITING && report->outcome == DLS_OUTCOME_RUNNING) {
        if (w->pivots++ >= w->set.pivots_per_row * w->n) {
            dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT, "%zu pivots, row %zu not yet complementary", w->pivots,
                           i);
            break;
        }
        double zz = drive_direction(w);
        /* for semidefinite A, |dw_k| <= sqrt(sigma_k sigma_i); sigma_k is at most A_kk, which is below 2 */
        const double tolerance = w->set.pivot_tolerance * zz, sigma = w->factor.s;
        const double most =
            w->n_bound > 0 && sigma <= tolerance ? fabs(w->dw[cblas_idamax((int)w->n_bound, w->dw, 1)]) : 0.0;
        if (sigma < -tolerance || most * most > 4.0 * tolerance) {
            dls_report_end(report, DLS_OUTCOME_REFUSED,
                           "it takes positive semidefinite matrices; this one is not (seen at row %zu)", i);
            break;
        }
        event e = first_event(w, zz);
        if (e.kind == NOTHING)
            DLS_TRY(end_unbounded(w, report, error));
        else
            take_event(w, &e);
    }
    return DLS_OK;
}

/* --- start, order and end --- */

/* The factor of A over the rows order[0 .. count-1]. Returns how many of them are independent; if that is not all, the
 * independent ones now come first. */
static size_t factor_independent(work *w, size_t *order, size_t count)
{
    dls_cholesky *f = &w->factor;
    lapack_int m = (lapack_int)count, stride = (lapack_int)f->stride, rank = m;
    for (int pivoted = 0; count > 0 && pivoted < 2; pivoted++) {
        for (size_t c = 0; c < count; c++)
            for (size_t r = c; r < count; r++)
                f->L[r + f->stride * c] = column(w, order[c])[order[r]];
        if (pivoted) {
            LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', m, f->L, stride, w->pivot, &rank, w->set.pivot_tolerance,
                                w->scratch);
            break;
        }
        bool regular = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, f->L, stride) == 0;
        for (size_t c = 0; regular && c < count; c++)
            regular = f->L[c + f->stride * c] * f->L[c + f->stride * c] > w->set.pivot_tolerance;
        if (regular)
            return count;
    }
    memcpy(w->slot, order, count * sizeof *order);
    for (size_t k = 0; k < count; k++)
        order[k] = w->slot[w->pivot[k] - 1];
    return (size_t)rank;
}

/* F becomes the independent ones of free_row[0 .. count-1], the others wait; A_NF is filled again. */
static void begin_with_free(work *w, size_t count)
{
    size_t rank = factor_independent(w, w->free_row, count);
    w->factor.m = rank;
    for (size_t k = 0; k < count; k++) {
        size_t i = w->free_row[k];
        w->place[i] = k < rank ? FREE : WAITING;
        w->slot[i] = k;
        w->slot_row[k] = i;
        for (size_t p = 0; k < rank && p < w->n_bound; p++)
            w->A_NF[p + w->stride * k] = column(w, i)[w->bound_row[p]];
    }
}

/* lambda_F <- lambda_F - A_FF^-1 w_F. */
static void solve_free(work *w)
{
    all_w(w, w->scratch);
    for (size_t k = 0; k < w->factor.m; k++)
        w->step[k] = w->scratch[w->free_row[k]];
    dls_cholesky_forward(&w->factor, w->step);
    dls_cholesky_backward(&w->factor, w->step);
    for (size_t k = 0; k < w->factor.m; k++)
        w->lambda[w->free_row[k]] -= w->step[k];
}

static int by_violation(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->violation != y->violation)
        return x->violation > y->violation ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Drives the waiting rows, the largest violation of (5) first. */
static dls_status drive_waiting(work *w, dls_report *report, dls_error *error)
{
    const dls_dense *q = w->q;
    size_t count = 0;
    all_w(w, w->scratch);
    for (size_t i = 0; i < w->n; i++) {
        if (w->place[i] != WAITING)
            continue;
        bool lower = w->lambda[i] == q->lo[i], upper = w->lambda[i] == q->hi[i];
        double wi = w->scratch[i], violation = lower && upper ? 0.0 : lower ? -wi : upper ? wi : fabs(wi);
        w->rank[count++] = (ranked){dls_bound_free(q, i) ? HUGE_VAL : violation, i};
    }
    qsort(w->rank, count, sizeof *w->rank, by_violation);
    for (size_t k = 0; k < count && report->outcome == DLS_OUTCOME_RUNNING; k++)
        DLS_TRY(drive_row(w, w->rank[k].row, report, error));
    return DLS_OK;
}

/* Rows that rounding left on the wrong side, by the w of scratch, wait again; everything is formed again. */
static size_t reopen_wrong_rows(work *w)
{
    const dls_dense *q = w->q;
    size_t count = 0, reopened = 0;
    w->n_bound = 0;
    for (size_t i = 0; i < w->n; i++) {
        double wi = w->scratch[i], li = w->lambda[i];
        bool zero = is_zero_w(w, i, wi);
        bool wrong = !zero && (w->place[i] == LOWER ? wi < 0.0 : w->place[i] == UPPER ? wi > 0.0 : true);
        if (w->place[i] == FREE && (li < q->lo[i] || li > q->hi[i])) {
            w->lambda[i] = li < q->lo[i] ? q->lo[i] : q->hi[i];
            w->place[i] = WAITING;
        } else if (w->place[i] == FREE) {
            w->free_row[count++] = i;
        } else if (wrong && q->lo[i] < q->hi[i]) {
            w->place[i] = WAITING;
        } else if (w->place[i] != DEPENDENT) {
            w->bound_row[w->n_bound] = i;
            w->w[w->n_bound++] = wi;
        }
        reopened += w->place[i] == WAITING;
    }
    begin_with_free(w, count);
    return reopened;
}

enum { ROUNDS = 5 };

static dls_status finish_drives(work *w, dls_report *report, dls_error *error)
{
    double residual = HUGE_VAL;
    size_t reopened = 0;
    for (int round = 0; report->outcome == DLS_OUTCOME_RUNNING && round < ROUNDS; round++) {
        if (round > 0) {
            reopened += reopen_wrong_rows(w);
            solve_free(w);
            DLS_TRY(drive_waiting(w, report, error));
        }
        solve_free(w);
        bool solved = dls_direct_solved(w->direct, w->lambda, w->set.residual_tolerance, w->scratch, &residual);
        if (report->outcome != DLS_OUTCOME_RUNNING || !solved)
            continue;
        report->outcome = DLS_OUTCOME_SOLVED;
        if (round > 0)
            dls_report_end(report, DLS_OUTCOME_SOLVED, "%zu rows driven again to mend rounding", reopened);
    }
    if (report->outcome == DLS_OUTCOME_RUNNING)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "scaled natural residual %.3g, above rounding, %zu rows driven again", residual, reopened);
    return DLS_OK;
}

static void take_work(work *w, const dls_direct *d, double *lambda)
{
    size_t n = d->n;
    *w = (work){.direct = d, .q = &d->q, .set = *(const settings *)d->settings, .n = n, .lambda = lambda};
    w->stride = (n / 8 + 2) * 8;
    dls_cholesky_take(&w->factor, d->memory, n);
    size_t **const lists[] = {&w->free_row, &w->slot, &w->slot_row, &w->bound_row, &w->held_at};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        *lists[k] = DLS_TAKE_ZEROS(d->memory, size_t, n);
    w->place = DLS_TAKE_ZEROS(d->memory, place, n);
    w->A_NF = dls_arena_take(d->memory, n, w->stride * sizeof *w->A_NF);
    DLS_DIRECT_VECTORS(d, &w->w, &w->step, &w->slot_step, &w->dw);
    w->scratch = DLS_TAKE(d->memory, double, 2 * n);
    w->pivot = DLS_TAKE(d->memory, lapack_int, n);
    w->rank = DLS_TAKE(d->memory, ranked, n);
}

static dls_status dantzig_solve(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    work storage, *w = &storage;
    size_t count = 0;
    take_work(w, d, lambda);
    DLS_TRY(dls_direct_ready(d, error));
    for (size_t i = 0; i < w->n; i++) {
        w->lambda[i] = d->q.lo[i] > 0.0 ? d->q.lo[i] : d->q.hi[i] < 0.0 ? d->q.hi[i] : 0.0;
        if (dls_bound_free(&d->q, i))
            w->free_row[count++] = i;
    }
    w->changes = 1;
    begin_with_free(w, count);
    solve_free(w);
    DLS_TRY(drive_waiting(w, report, error));
    DLS_TRY(finish_drives(w, report, error));
    report->iterations = w->pivots;
    report->factorizations++;
    return DLS_OK;
}

DLS_DIRECT_SOLVER(
    dantzig, dantzig_solve, DLS_DIRECT_ROWS, .name = "dantzig",
    .summary = "Dantzig-Cottle principal pivoting with bounds, one row at a time; symmetric semidefinite A",
    .source = "Cottle, Dantzig 1968; Baraff 1994", .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED,
    .fields = DLS_FIELD_TABLE(fields, settings));
