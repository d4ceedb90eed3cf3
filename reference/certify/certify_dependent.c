/* The velocity of a problem of which rows without bounds depend on others: loops in a plane, welded loops.
 *
 * S are rows without bounds that are independent, D those that depend on them; Cholesky's method with pivoting decides
 * which, and the statements hold for any choice. The problem without the rows D has one v+ where it has a
 * solution, v_S, and is certified as any other, at impulses that do the same without D,
 *     lambda'_S = lambda_S + A_SS^-1 A_SD lambda_D,   lambda'_D = 0.
 * |v(lambda) - v(lambda')|_M = |lambda - lambda'|_A follows from the two w. Then
 *     |v(lambda) - v_S|_M <= |lambda - lambda'|_A + |v(lambda') - v_S|_M.
 * The rows D are off in v_S by
 *     |J_k v_S - c_k| <= |w_k(lambda)| + sqrt(A_kk) |v(lambda) - v_S|_M.
 *
 * If the rank of [J c] over S and D is that of J over S, every velocity that S allows is one that D allows: v_S is the
 * v+ of the whole problem, with 0 for the impulses of D. That is decided in exact arithmetic, on the doubles as they
 * are stored. Otherwise the rows may contradict each other by rounding, and the problem may have no solution; then
 * the bounds are those of the distance from v_S, and the report has a bound of the error of D. */
#include "exact/apart.h"
#include "exact/rational.h"
#include "parts.h"

#include <flint/fmpz_mat.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double entry_of_H(const dls_stored *s, size_t i, size_t j) { return s->H[j + s->n * i]; }

/* Finds S and D, and lambda'. False for want of memory. */
static bool divide_rows(dls_dependent *d, const double *lambda)
{
    const dls_stored *s = d->s;
    const int e = (int)d->e;
    int rank = 0, *pivots = DLS_TAKE(&d->memory, int, d->e);
    double *K = dls_arena_take(&d->memory, d->e, (d->e + 1) * sizeof *K), *x = DLS_TAKE(&d->memory, double, d->e);
    double *work = DLS_TAKE(&d->memory, double, 2 * d->e);
    size_t *room = DLS_TAKE(&d->memory, size_t, d->e);
    if (d->memory.failed)
        return false;
    for (size_t b = 0; b < d->e; b++)
        for (size_t a = 0; a < d->e; a++)
            K[a + d->e * b] = entry_of_H(s, d->rows[a], d->rows[b]);
    LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', e, K, e, pivots, &rank,
                        1e-10 + (double)d->e * (double)d->e * DBL_EPSILON, work);
    d->rank = (size_t)rank;
    for (size_t k = 0; k < d->e; k++)
        room[k] = d->rows[pivots[k] - 1];
    memcpy(d->rows, room, d->e * sizeof *room);
    memcpy(d->moved, lambda, s->n * sizeof *lambda);
    for (size_t a = 0; a < d->rank; a++) {
        x[a] = 0.0;
        for (size_t k = d->rank; k < d->e; k++)
            x[a] += entry_of_H(s, d->rows[a], d->rows[k]) * (lambda[d->rows[k]] / s->d[d->rows[k]]);
    }
    if (rank > 0)
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', rank, 1, K, e, x, e);
    for (size_t a = 0; a < d->rank; a++)
        d->moved[d->rows[a]] += isfinite(x[a]) ? x[a] * s->d[d->rows[a]] : 0.0;
    for (size_t k = d->rank; k < d->e; k++) {
        d->left[d->rows[k]] = true;
        d->moved[d->rows[k]] = 0.0;
    }
    return true;
}

/* The rows of J that stay. */
static void copy_rows(const dls_dependent *d, dls_rows *J)
{
    const dls_rows *from = &d->s->p->J;
    size_t row = 0, block = 0, coef = 0;
    for (size_t i = 0; i < d->s->n; i++) {
        if (d->left[i])
            continue;
        for (size_t k = from->start[i]; k < from->start[i + 1]; k++, block++) {
            size_t length = from->coef_at[k + 1] - from->coef_at[k];
            J->offset[block] = from->offset[k];
            J->mass[block] = from->mass[k];
            J->coef_at[block] = coef;
            memcpy(J->coef + coef, from->coef + from->coef_at[k], length * sizeof *J->coef);
            coef += length;
            J->coef_at[block + 1] = coef;
        }
        J->start[++row] = block;
    }
    J->n_blocks = block;
}

/* Rows of [J c] as integers: each times a power of two. */
static slong rank_of(const dls_dependent *d, size_t count, bool with_c)
{
    const dls_rows *J = &d->s->p->J;
    fmpq_mat_t rows;
    fmpz_mat_t whole;
    fmpq_mat_init(rows, (slong)count, (slong)d->s->nv + 1);
    fmpz_mat_init(whole, (slong)count, (slong)d->s->nv + 1);
    for (size_t a = 0; a < count; a++) {
        size_t i = d->rows[a];
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t at = J->coef_at[k], j = J->offset[k]; at < J->coef_at[k + 1]; at++, j++)
                dls_rational_set(fmpq_mat_entry(rows, (slong)a, (slong)j), J->coef[at]);
        if (with_c)
            dls_rational_set(fmpq_mat_entry(rows, (slong)a, (slong)d->s->nv), d->s->p->c[i]);
    }
    fmpq_mat_get_fmpz_mat_rowwise(whole, NULL, rows);
    slong rank = fmpz_mat_rank(whole);
    fmpz_mat_clear(whole);
    fmpq_mat_clear(rows);
    return rank;
}

typedef struct question {
    const dls_dependent *d;
    bool agree;
} question;

static dls_status compare_ranks(void *context, dls_error *error)
{
    question *q = context;
    (void)error;
    q->agree = rank_of(q->d, q->d->e, true) == rank_of(q->d, q->d->rank, false);
    return DLS_OK;
}

/* Whether every v that satisfies S satisfies D, exactly. */
static dls_status check_agreement(const dls_dependent *d, bool *agree, dls_error *error)
{
    enum { ROWS_MAX = 64, ENTRIES_MAX = 20000 };
    question q = {d, false};
    if (d->e <= ROWS_MAX && d->e * (d->s->nv + 1) <= ENTRIES_MAX)
        DLS_TRY(dls_apart_run(&(dls_apart){compare_ranks, &q, &q.agree, sizeof q.agree, NULL, NULL}, error));
    *agree = q.agree;
    return DLS_OK;
}

dls_status dls_dependent_find(dls_dependent *d, dls_stored *s, const double *lambda, const double *w,
                              const double *w_error, dls_error *error)
{
    const dls_problem *p = s->p;
    const size_t n = p->n;
    *d = (dls_dependent){.s = s, .given = lambda, .w_given = w, .w_given_error = w_error};
    double **const vectors[] = {&d->moved, &d->w, &d->w_error, &d->lambda};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
        *vectors[k] = DLS_TAKE(&d->memory, double, n);
    d->rows = DLS_TAKE(&d->memory, size_t, n);
    d->left = DLS_TAKE_ZEROS(&d->memory, bool, n);
    d->place = DLS_TAKE(&d->memory, size_t, n);
    d->twofold = DLS_TAKE_ZEROS(&d->memory, dls_twofold, n);
    for (size_t i = 0; d->rows && i < n; i++)
        if (p->gamma[i] == 0.0 && isinf(p->lo[i]) && isinf(p->hi[i]))
            d->rows[d->e++] = i;
    if (d->memory.failed || (d->e > 0 && !divide_rows(d, lambda)))
        return dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", n);
    if (d->rank == d->e)
        return DLS_OK;
    const size_t m = n - (d->e - d->rank), blocks = p->J.start[n];
    DLS_TRY(dls_problem_allocate(m, p->nv, blocks, p->J.coef_at[blocks], p->mass.n_blocks, &d->problem, error));
    dls_problem *q = d->problem;
    q->form = p->form;
    q->h = p->h;
    copy_rows(d, &q->J);
    memcpy(q->mass.blocks, p->mass.blocks, p->mass.n_blocks * sizeof *p->mass.blocks);
    memcpy(q->v_star, p->v_star, p->nv * sizeof *p->v_star);
    for (size_t i = 0, k = 0; i < n; i++) {
        d->place[i] = k;
        if (d->left[i])
            continue;
        q->gamma[k] = p->gamma[i];
        q->c[k] = p->c[i];
        q->lo[k] = p->lo[i], q->hi[k] = p->hi[i];
        d->lambda[k++] = d->moved[i];
    }
    for (size_t i = 0; i < n; i++)
        d->twofold[i].high = d->moved[i];
    return DLS_OK;
}

void dls_dependent_release(dls_dependent *d)
{
    dls_problem_destroy(d->problem);
    dls_arena_release(&d->memory);
}

dls_status dls_dependent_state(const dls_dependent *d, const dls_bounds *of, dls_bounds *out, dls_error *error)
{
    const dls_stored *s = d->s;
    const double *w = d->w_given, *w_error = d->w_given_error;
    bool agree = false;
    if (of->kind < DLS_BOUNDS_EXISTS || !isfinite(of->velocity))
        return DLS_OK;
    dls_stored_w(d->s, d->twofold, d->w, d->w_error);
    const dls_vicinity near = {d->twofold, d->w, d->w_error, NULL, NULL};
    const double velocity = dls_up(dls_stored_distance(s->n, d->given, w, w_error, &near) + of->velocity, 2);
    if (!isfinite(velocity))
        return DLS_OK;
    DLS_TRY(check_agreement(d, &agree, error));
    out->w = out->inconsistent = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        double own = dls_up(fabs(w[i]) + w_error[i], 1), off = dls_up(own + s->size[i] / s->d[i] * velocity, 4);
        if (d->left[i])
            out->inconsistent = fmax(out->inconsistent, off);
        out->radius_w[i] =
            d->left[i] ? (agree ? own : off)
                       : dls_up(fabs(w[i] - d->w[i]) + w_error[i] + d->w_error[i] + of->radius_w[d->place[i]], 4);
        out->w = fmax(out->w, out->radius_w[i]);
    }
    out->velocity = velocity;
    out->dependent = agree ? 0 : d->e - d->rank;
    out->inconsistent = agree ? 0.0 : out->inconsistent;
    out->unique = true;
    out->undecided = s->n;
    out->kind = agree ? DLS_BOUNDS_VELOCITY : DLS_BOUNDS_INDEPENDENT;
    if (agree)
        snprintf(
            out->text, sizeof out->text,
            "a solution exists, v+ and w are unique: v+ within %s sqrt(J), w within %s; %zu rows without bounds depend "
            "on others and agree with them exactly",
            dls_digits_up(velocity, 2).text, dls_digits_up(out->w, 2).text, d->e - d->rank);
    else
        snprintf(out->text, sizeof out->text,
                 "v+ within %s sqrt(J) of that of the independent rows, w within %s; %zu rows without bounds depend on "
                 "others and are inconsistent by at most %s",
                 dls_digits_up(velocity, 2).text, dls_digits_up(out->w, 2).text, out->dependent,
                 dls_digits_up(out->inconsistent, 2).text);
    return DLS_OK;
}
