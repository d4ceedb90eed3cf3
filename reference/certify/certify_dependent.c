/* The velocity of a problem of which rows without bounds depend on others: loops in a plane, welded loops.
 *
 * S are rows without bounds that are independent, D those that depend on them; that is decided by Cholesky's method
 * with pivoting, and what is said holds for any choice. The problem without the rows D has one v+ where it has a
 * solution, v_S, and is certified as any other, at impulses that do the same without D,
 *     lambda'_S = lambda_S + A_SS^-1 A_SD lambda_D,   lambda'_D = 0.
 * |v(lambda) - v(lambda')|_M = |lambda - lambda'|_A follows from the two w. Then
 *     |v(lambda) - v_S|_M <= |lambda - lambda'|_A + |v(lambda') - v_S|_M.
 * The rows D are off in v_S by
 *     |J_k v_S - c_k| <= |w_k(lambda)| + sqrt(A_kk) |v(lambda) - v_S|_M.
 *
 * If the rank of [J c] over S and D is that of J over S, every velocity that S allows is one that D allows: v_S is the
 * v+ of the whole problem, with 0 for the impulses of D. That is decided in exact arithmetic, on the doubles as they
 * are stored. Otherwise the rows may contradict each other by rounding, and the problem may have no solution; v_S is
 * what is compared with, and by how much D is off is said.
 */
#include "certify.h"
#include "exact/apart.h"
#include "exact/rational.h"

#include <flint/fmpz_mat.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct split {
    const dls_stored *s;
    size_t e, rank;
    size_t *rows; /* e: first S, then D */
    bool *left;   /* n: in D */
    double *K;    /* e x e */
    int *pivots;  /* e */
    double *x, *work;
    double *moved; /* n: lambda' */
    size_t *place; /* n: of the rows that stay */
} split;

static bool take(split *d, dls_arena *memory)
{
    const size_t n = d->s->n;
    d->rows = DLS_TAKE(memory, size_t, n);
    d->left = DLS_TAKE_ZEROS(memory, bool, n);
    d->moved = DLS_TAKE(memory, double, n);
    d->place = DLS_TAKE(memory, size_t, n);
    for (size_t i = 0; d->rows && i < n; i++)
        if (d->s->p->gamma[i] == 0.0 && isinf(d->s->p->lo[i]) && isinf(d->s->p->hi[i]))
            d->rows[d->e++] = i;
    d->K = dls_arena_take(memory, d->e, (d->e + 1) * sizeof *d->K);
    d->pivots = DLS_TAKE(memory, int, d->e);
    d->x = DLS_TAKE(memory, double, d->e);
    d->work = DLS_TAKE(memory, double, 2 * d->e);
    return !memory->failed;
}

static double entry(const dls_stored *s, size_t i, size_t j) { return s->H[j + s->n * i]; }

/* S and D, and lambda'. */
static void divide(split *d, const double *lambda, size_t *room)
{
    const dls_stored *s = d->s;
    const int e = (int)d->e;
    int rank = 0;
    for (size_t b = 0; b < d->e; b++)
        for (size_t a = 0; a < d->e; a++)
            d->K[a + d->e * b] = entry(s, d->rows[a], d->rows[b]);
    LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', e, d->K, e, d->pivots, &rank,
                        1e-10 + (double)d->e * (double)d->e * DBL_EPSILON, d->work);
    d->rank = (size_t)rank;
    for (size_t k = 0; k < d->e; k++)
        room[k] = d->rows[d->pivots[k] - 1];
    memcpy(d->rows, room, d->e * sizeof *room);
    memcpy(d->moved, lambda, s->n * sizeof *lambda);
    for (size_t a = 0; a < d->rank; a++) {
        d->x[a] = 0.0;
        for (size_t k = d->rank; k < d->e; k++)
            d->x[a] += entry(s, d->rows[a], d->rows[k]) * (lambda[d->rows[k]] / s->d[d->rows[k]]);
    }
    if (rank > 0)
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', rank, 1, d->K, e, d->x, e);
    for (size_t a = 0; a < d->rank; a++)
        d->moved[d->rows[a]] += isfinite(d->x[a]) ? d->x[a] * s->d[d->rows[a]] : 0.0;
    for (size_t k = d->rank; k < d->e; k++) {
        d->left[d->rows[k]] = true;
        d->moved[d->rows[k]] = 0.0;
    }
}

/* The rows of J that stay. */
static void copy_rows(const split *d, dls_rows *J)
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

/* The problem without D, and lambda' of its rows into d->moved. */
static dls_status without(split *d, dls_problem **problem, double *lambda, dls_error *error)
{
    const dls_problem *p = d->s->p;
    const size_t n = p->n, m = n - (d->e - d->rank), blocks = p->J.start[n];
    DLS_TRY(dls_problem_allocate(m, p->nv, blocks, p->J.coef_at[blocks], p->mass.n_blocks, problem, error));
    dls_problem *q = *problem;
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
        lambda[k++] = d->moved[i];
    }
    return DLS_OK;
}

/* Rows of [J c] as integers: each times a power of two. */
static slong rank_of(const split *d, size_t count, bool with_c)
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
    const split *d;
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
static dls_status check_agreement(const split *d, bool *agree, dls_error *error)
{
    enum { ROWS_MAX = 64, ENTRIES_MAX = 20000 };
    question q = {d, false};
    if (d->e <= ROWS_MAX && d->e * (d->s->nv + 1) <= ENTRIES_MAX)
        DLS_TRY(dls_apart_run(&(dls_apart){compare_ranks, &q, &q.agree, sizeof q.agree, NULL, NULL}, error));
    *agree = q.agree;
    return DLS_OK;
}

static void state(const split *d, bool exact, const dls_bounds *of, double velocity, const double *w,
                  const double *w_error, const double *w2, const double *w2_error, dls_bounds *out)
{
    const dls_stored *s = d->s;
    out->w = out->inconsistent = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        double own = dls_up(fabs(w[i]) + w_error[i], 1), off = dls_up(own + s->size[i] / s->d[i] * velocity, 4);
        if (d->left[i])
            out->inconsistent = fmax(out->inconsistent, off);
        out->radius_w[i] = d->left[i]
                               ? (exact ? own : off)
                               : dls_up(fabs(w[i] - w2[i]) + w_error[i] + w2_error[i] + of->radius_w[d->place[i]], 4);
        out->w = fmax(out->w, out->radius_w[i]);
    }
    out->velocity = velocity;
    out->dependent = exact ? 0 : d->e - d->rank;
    out->inconsistent = exact ? 0.0 : out->inconsistent;
    out->unique = true;
    out->undecided = s->n;
    out->kind = exact ? DLS_BOUNDS_VELOCITY : DLS_BOUNDS_INDEPENDENT;
    if (exact)
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
}

dls_status dls_certify_dependent(dls_stored *s, const double *lambda, const double *w, const double *w_error,
                                 size_t rounds, dls_bounds *out, dls_error *error)
{
    dls_arena memory = {0};
    split d = {.s = s};
    dls_problem *reduced = NULL;
    dls_bounds of = {0};
    double *w2 = DLS_TAKE(&memory, double, s->n), *w2_error = DLS_TAKE(&memory, double, s->n),
           *kept = DLS_TAKE(&memory, double, s->n);
    dls_twofold *moved = DLS_TAKE(&memory, dls_twofold, s->n);
    size_t *room = DLS_TAKE(&memory, size_t, s->n);
    dls_status status =
        take(&d, &memory) ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory to certify a problem of %zu rows", s->n);
    if (status == DLS_OK && d.e > 0)
        divide(&d, lambda, room);
    if (status == DLS_OK && d.rank < d.e) {
        status = without(&d, &reduced, kept, error);
        if (status == DLS_OK)
            status = dls_certify_in(reduced, kept, rounds, &of, error);
        if (status == DLS_OK && of.kind >= DLS_BOUNDS_EXISTS && isfinite(of.velocity)) {
            for (size_t i = 0; i < s->n; i++)
                moved[i] = (dls_twofold){d.moved[i], 0.0};
            dls_stored_w(s, moved, w2, w2_error);
            const dls_vicinity of_moved = {moved, w2, w2_error, NULL, NULL};
            double velocity = dls_stored_distance(s->n, lambda, w, w_error, &of_moved);
            velocity = dls_up(velocity + of.velocity, 2);
            bool exact = false;
            if (isfinite(velocity))
                status = check_agreement(&d, &exact, error);
            if (isfinite(velocity) && status == DLS_OK)
                state(&d, exact, &of, velocity, w, w_error, w2, w2_error, out);
        }
    }
    dls_bounds_release(&of);
    dls_problem_destroy(reduced);
    dls_arena_release(&memory);
    return status;
}
