/* The point x with the largest margin t of all inequalities, max t with S (G x + c) >= t, has m = columns + 1 of them
 * that are equal, where S scales each row by a power of 2 to the size 1. Its dual,
 *
 *     min c.S y,   A y = e_m,   y >= 0,   A = ((S G)^T; 1 ... 1)
 *
 * is solved by the revised simplex method in doubles, and what is kept of it is the set of these m rows alone, B. With
 * it the fractions B^T (-x, t) = c_B and B y = e_m are solved again: if t >= 0 and no row contradicts it, x is a point
 * of the set; if t < 0 and y >= 0, S y proves that there is none. Anything else is unknown.
 *
 * A basis B of m rows of G has y_B = B^-1 e_m, and the multipliers (-x, t) = B^-T c_B. The first basis are artificial
 * columns e_i, whose sum is minimised before c.y. The column with the least reduced cost enters (G. B. Dantzig 1951),
 * and after many steps, which may be a cycle, the first one with a negative one (R. G. Bland 1977). */
#include "margin.h"

#include "blas.h"
#include "exact_simplex.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct dual {
    const double *G, *c;
    size_t rows, m;
    size_t *basis; /* a row of G, or rows + i for the artificial column e_i */
    double *B, *column, *y, *multiplier;
    lapack_int *swaps;
} dual;

static const double tiny = 1e-11; /* entries are of the size 1 */

static double entry_of(const dual *d, size_t i, size_t v)
{
    if (v >= d->rows)
        return v - d->rows == i ? 1.0 : 0.0;
    return i + 1 < d->m ? d->G[v * (d->m - 1) + i] : 1.0;
}

static double cost_of(const dual *d, bool first, size_t v)
{
    return first ? (v >= d->rows ? 1.0 : 0.0) : v < d->rows ? d->c[v] : 0.0;
}

/* Factors the basis, and finds y and the multipliers. */
static bool solve_basis(dual *d, bool first)
{
    const lapack_int m = (lapack_int)d->m;
    for (size_t i = 0; i < d->m; i++)
        for (size_t k = 0; k < d->m; k++)
            d->B[k * d->m + i] = entry_of(d, i, d->basis[k]);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, d->B, m, d->swaps) != 0)
        return false;
    for (size_t k = 0; k < d->m; k++) {
        d->y[k] = k + 1 == d->m ? 1.0 : 0.0;
        d->multiplier[k] = cost_of(d, first, d->basis[k]);
    }
    return LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', m, 1, d->B, m, d->swaps, d->y, m) == 0 &&
           LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', m, 1, d->B, m, d->swaps, d->multiplier, m) == 0;
}

/* The row that enters; d->rows: none. */
static size_t choose_entering(const dual *d, bool first, bool least_index)
{
    size_t best = d->rows;
    double least = -tiny;
    for (size_t v = 0; v < d->rows; v++) {
        double reduced = cost_of(d, first, v);
        for (size_t i = 0; i < d->m; i++)
            reduced -= entry_of(d, i, v) * d->multiplier[i];
        if (reduced < least) {
            best = v, least = reduced;
            if (least_index)
                break;
        }
    }
    return best;
}

/* The place in the basis that is left, of those that reach 0 first the one with the largest entry, and before all
 * others an artificial column; d->m: none. */
static size_t choose_leaving(dual *d, size_t enters)
{
    size_t best = d->m;
    double reach = HUGE_VAL;
    for (size_t i = 0; i < d->m; i++)
        d->column[i] = entry_of(d, i, enters);
    if (LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', (lapack_int)d->m, 1, d->B, (lapack_int)d->m, d->swaps, d->column,
                            (lapack_int)d->m) != 0)
        return d->m;
    for (size_t k = 0; k < d->m; k++) {
        const double y = fmax(d->y[k], 0.0);
        if (d->basis[k] >= d->rows && y < tiny && fabs(d->column[k]) > 1e-7)
            return k;
        if (d->column[k] > 1e-9)
            reach = fmin(reach, (y + tiny) / d->column[k]);
    }
    for (size_t k = 0; k < d->m; k++)
        if (d->column[k] > 1e-9 && fmax(d->y[k], 0.0) / d->column[k] <= reach &&
            (best == d->m || d->column[k] > d->column[best]))
            best = k;
    return best;
}

/* Whether the least cost was reached. */
static bool descend(dual *d, bool first)
{
    for (size_t step = 0, patience = 20 * (d->m + 10); step < 5 * patience; step++) {
        if (!solve_basis(d, first))
            return false;
        const size_t enters = choose_entering(d, first, step > patience);
        if (enters == d->rows)
            return true;
        const size_t leaves = choose_leaving(d, enters);
        if (leaves == d->m)
            return false;
        d->basis[leaves] = enters;
    }
    return false;
}

/* The rows that are equal at the largest margin; a proposal. */
static bool propose_basis(const double *G, const double *c, size_t rows, size_t columns, size_t *basis,
                          dls_arena *memory)
{
    dual d = {.G = G, .c = c, .rows = rows, .m = columns + 1, .basis = basis};
    d.B = DLS_TAKE(memory, double, d.m *d.m);
    d.column = DLS_TAKE(memory, double, d.m), d.y = DLS_TAKE(memory, double, d.m);
    d.multiplier = DLS_TAKE(memory, double, d.m), d.swaps = DLS_TAKE(memory, lapack_int, d.m);
    if (memory->failed)
        return false;
    for (size_t i = 0; i < d.m; i++)
        basis[i] = rows + i;
    if (!descend(&d, true) || !descend(&d, false))
        return false;
    for (size_t i = 0; i < d.m; i++)
        if (basis[i] >= rows)
            return false;
    return true;
}

/* --- fractions --- */

typedef struct exact {
    const dls_rational *set;
    size_t rows, columns, m;
    size_t *basis;
    slong *power;    /* rows: S = 2^-power */
    fmpq_mat_t B, z; /* m x m; m x 1 */
    fmpq_t sum;
} exact;

static const fmpq *given(const exact *e, size_t r, size_t j)
{
    return j < e->columns ? fmpq_mat_entry(e->set->A, (slong)r, (slong)j) : fmpq_mat_entry(e->set->b, (slong)r, 0);
}

/* S (G, c) in doubles. */
static void round_rows(exact *e, double *G, double *c)
{
    for (size_t r = 0; r < e->rows; r++) {
        double most = 0.0;
        int power;
        for (size_t j = 0; j < e->columns; j++) {
            double *g = &G[r * e->columns + j];
            *g = dls_rational_get(given(e, r, j), DLS_ROUND_NEAREST);
            most = fmax(most, fabs(*g));
        }
        frexp(most, &power);
        e->power[r] = power;
        for (size_t j = 0; j < e->columns; j++)
            G[r * e->columns + j] = ldexp(G[r * e->columns + j], -power);
        c[r] = ldexp(dls_rational_get(given(e, r, e->columns), DLS_ROUND_NEAREST), -power);
    }
}

static void scale_entry(const exact *e, size_t r, size_t j, fmpq_t to)
{
    if (e->power[r] >= 0)
        fmpq_div_2exp(to, given(e, r, j), (ulong)e->power[r]);
    else
        fmpq_mul_2exp(to, given(e, r, j), (ulong)-e->power[r]);
}

/* B^T (x, -t) = -c_B. */
static bool solve_point(exact *e)
{
    for (size_t k = 0; k < e->m; k++) {
        for (size_t j = 0; j < e->columns; j++)
            scale_entry(e, e->basis[k], j, fmpq_mat_entry(e->B, (slong)k, (slong)j));
        fmpq_set_si(fmpq_mat_entry(e->B, (slong)k, (slong)e->columns), -1, 1);
        scale_entry(e, e->basis[k], e->columns, fmpq_mat_entry(e->z, (slong)k, 0));
    }
    fmpq_mat_neg(e->z, e->z);
    return fmpq_mat_solve(e->z, e->B, e->z) != 0;
}

static bool is_point(exact *e, fmpq *x)
{
    for (size_t j = 0; j < e->columns; j++)
        fmpq_set(x + j, fmpq_mat_entry(e->z, (slong)j, 0));
    for (size_t r = 0; r < e->rows; r++) {
        fmpq_set(e->sum, given(e, r, e->columns));
        for (size_t j = 0; j < e->columns; j++)
            fmpq_addmul(e->sum, given(e, r, j), x + j);
        if (fmpq_sgn(e->sum) < 0)
            return false;
    }
    return true;
}

/* B y = e_m, with the B^T of solve_point, whose last column is -1. */
static bool is_conflict(exact *e, fmpq *y)
{
    fmpq_mat_transpose(e->B, e->B);
    fmpq_mat_zero(e->z);
    fmpq_set_si(fmpq_mat_entry(e->z, (slong)e->columns, 0), -1, 1);
    if (!fmpq_mat_solve(e->z, e->B, e->z))
        return false;
    fmpq_zero(e->sum);
    for (size_t k = 0; k < e->m; k++) {
        const size_t r = e->basis[k];
        if (fmpq_sgn(fmpq_mat_entry(e->z, (slong)k, 0)) < 0)
            return false;
        if (e->power[r] >= 0)
            fmpq_div_2exp(y + r, fmpq_mat_entry(e->z, (slong)k, 0), (ulong)e->power[r]);
        else
            fmpq_mul_2exp(y + r, fmpq_mat_entry(e->z, (slong)k, 0), (ulong)-e->power[r]);
        fmpq_addmul(e->sum, y + r, given(e, r, e->columns));
    }
    return fmpq_sgn(e->sum) < 0;
}

static dls_margin_answer verify_basis(exact *e, fmpq *x, fmpq *y)
{
    dls_margin_answer answer = DLS_MARGIN_UNKNOWN;
    fmpq_mat_init(e->B, (slong)e->m, (slong)e->m), fmpq_mat_init(e->z, (slong)e->m, 1);
    fmpq_init(e->sum);
    if (solve_point(e)) {
        const bool margin = fmpq_sgn(fmpq_mat_entry(e->z, (slong)e->columns, 0)) >= 0;
        if (margin && is_point(e, x))
            answer = DLS_MARGIN_POINT;
        else if (!margin && is_conflict(e, y))
            answer = DLS_MARGIN_CONFLICT;
    }
    fmpq_mat_clear(e->B), fmpq_mat_clear(e->z);
    fmpq_clear(e->sum);
    return answer;
}

static dls_margin_answer search_in_doubles(exact *e, fmpq *x, fmpq *y, dls_arena *memory)
{
    double *G = DLS_TAKE(memory, double, e->rows * e->columns), *c = DLS_TAKE(memory, double, e->rows);
    e->basis = DLS_TAKE(memory, size_t, e->m), e->power = DLS_TAKE(memory, slong, e->rows);
    if (memory->failed || dls_blas_ready(NULL) != DLS_OK)
        return DLS_MARGIN_UNKNOWN;
    round_rows(e, G, c);
    return propose_basis(G, c, e->rows, e->columns, e->basis, memory) ? verify_basis(e, x, y) : DLS_MARGIN_UNKNOWN;
}

static dls_margin_answer search_by_pivots(const exact *e, double most_work, fmpq *x, fmpq *y, size_t *pivots,
                                          dls_arena *memory)
{
    dls_exact_simplex simplex;
    dls_margin_answer answer = DLS_MARGIN_UNKNOWN;
    dls_exact_simplex_init(&simplex, e->set, memory);
    if (!memory->failed) {
        simplex.most_work = most_work;
        for (size_t r = 0; r < e->rows; r++)
            dls_exact_simplex_bound(&simplex, simplex.n + r, (dls_range){0.0, HUGE_VAL, false});
        if (dls_exact_simplex_feasible(&simplex)) {
            answer = DLS_MARGIN_POINT;
            for (size_t j = 0; j < e->columns; j++) {
                fmpq_mul(x + j, simplex.set[DLS_POINTS].a + j, simplex.unit + j);
                fmpq_add(x + j, x + j, simplex.shift + j);
            }
        } else if (!dls_exact_simplex_exhausted(&simplex)) {
            fmpq *conflict = _fmpq_vec_init((slong)(2 * simplex.n));
            answer = DLS_MARGIN_CONFLICT;
            dls_exact_simplex_conflict(&simplex, conflict);
            for (size_t r = 0; r < e->rows; r++)
                fmpq_set(y + r, conflict + simplex.n + r);
            _fmpq_vec_clear(conflict, (slong)(2 * simplex.n));
        }
        *pivots = simplex.pivots;
    }
    dls_exact_simplex_clear(&simplex);
    return answer;
}

dls_margin_answer dls_margin_search(const dls_rational *set, size_t rows, size_t columns, double most_work, fmpq *x,
                                    fmpq *y, size_t *pivots, dls_arena *memory)
{
    exact e = {.set = set, .rows = rows, .columns = columns, .m = columns + 1};
    dls_margin_answer answer = DLS_MARGIN_UNKNOWN;
    *pivots = 0;
    if (most_work >= (double)rows * (double)e.m * (double)e.m) /* about the work of the verification */
        answer = search_in_doubles(&e, x, y, memory);
    if (answer != DLS_MARGIN_UNKNOWN)
        return answer;
    for (size_t r = 0; r < rows; r++)
        fmpq_zero(y + r);
    return search_by_pivots(&e, most_work, x, y, pivots, memory);
}
