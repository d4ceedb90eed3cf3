/* Systems with H_FF for sets F that change by a few rows at a time.
 *
 * B is the set that was factored. F takes the rows N beside B and leaves out the rows R of B. Then H_FF x = r is
 *     [ H_BB  H_BN  1_R ] [ x_B ]   [ r_B ]
 *     [ H_NB  H_NN  0   ] [ x_N ] = [ r_N ]
 *     [ 1_R^T 0     0   ] [ y   ]   [ 0   ]
 * with r_R = 0, where y makes up for the equations of R, and x_R = 0. Its Schur complement of H_BB has as many rows as
 * have changed: with V = H_BB^-1 [H_BN 1_R] and z = H_BB^-1 r_B,
 *     ([H_NN 0; 0 0] - [H_NB; 1_R^T] V) (x_N, y) = (r_N, 0) - [H_NB; 1_R^T] z,     x_B = z - V (x_N, y).
 * Nothing here is proved: the solutions are corrections, and what they leave is measured. */
#include "parts.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { CHANGES = 128 };

bool dls_active_take(dls_active *a, const dls_stored *s, double *L, dls_arena *memory)
{
    const size_t n = s->n, most = n < CHANGES ? n : CHANGES;
    *a = (dls_active){.s = s, .L = L, .most = most};
    a->pivots = DLS_TAKE(memory, int, n);
    a->rows = DLS_TAKE(memory, size_t, n);
    a->at = DLS_TAKE(memory, size_t, n);
    a->changed = DLS_TAKE(memory, size_t, most);
    a->added = DLS_TAKE(memory, bool, most);
    a->V = dls_arena_take(memory, n, (most + 1) * sizeof *a->V);
    a->S = dls_arena_take(memory, most, (most + 1) * sizeof *a->S);
    a->S_pivots = DLS_TAKE(memory, int, most);
    a->z = DLS_TAKE(memory, double, n);
    a->t = DLS_TAKE(memory, double, most);
    return !memory->failed;
}

void dls_active_forget(dls_active *a) { a->b = a->q = 0; }

/* B, from now on. */
static bool keep(dls_active *a, size_t m, const size_t *rows, bool cholesky)
{
    a->b = m, a->q = 0, a->cholesky = cholesky;
    memcpy(a->rows, rows, m * sizeof *rows);
    for (size_t i = 0; i < a->s->n; i++)
        a->at[i] = a->s->n;
    for (size_t k = 0; k < m; k++)
        a->at[rows[k]] = k;
    return true;
}

bool dls_active_cholesky(dls_active *a, size_t m, const size_t *rows)
{
    dls_active_forget(a);
    a->alpha = dls_stored_definite(a->s, m, rows, 0.0, a->L);
    return a->alpha > 0.0 && keep(a, m, rows, true);
}

bool dls_active_lu(dls_active *a, size_t m, const size_t *rows)
{
    dls_active_forget(a);
    for (size_t k = 0; k < m; k++) {
        const double *row = a->s->H + a->s->n * rows[k];
        for (size_t j = 0; j < m; j++)
            a->L[j + m * k] = row[rows[j]]; /* transposed */
    }
    return (m == 0 || LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, (int)m, (int)m, a->L, (int)m, a->pivots) == 0) &&
           keep(a, m, rows, false);
}

bool dls_active_proves(const dls_active *a, size_t m) { return a->b == m && a->q == 0 && a->cholesky && m > 0; }

static void solve_base(const dls_active *a, size_t columns, double *x)
{
    const int b = (int)a->b;
    if (b == 0 || columns == 0)
        return;
    if (a->cholesky)
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', b, (int)columns, a->L, b, x, b);
    else
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', b, (int)columns, a->L, b, a->pivots, x, b);
}

static double entry_of_H(const dls_active *a, size_t i, size_t j) { return a->s->H[j + a->s->n * i]; }

/* [H_NB; 1_R^T] z of changed row k. */
static double border(const dls_active *a, size_t k, const double *z)
{
    const size_t i = a->changed[k];
    if (!a->added[k])
        return z[a->at[i]];
    const double *row = a->s->H + a->s->n * i;
    double sum[4] = {0.0}; /* that do not wait for each other */
    size_t j = 0;
    for (; j + 4 <= a->b; j += 4)
        for (size_t l = 0; l < 4; l++)
            sum[l] += row[a->rows[j + l]] * z[j + l];
    for (; j < a->b; j++)
        sum[0] += row[a->rows[j]] * z[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The rows in which F differs from B; false where these are many. Both ascend. */
static bool find_changes(dls_active *a, size_t m, const size_t *rows)
{
    size_t k = 0, j = 0;
    a->q = 0;
    while (k < m || j < a->b) {
        size_t mine = k < m ? rows[k] : SIZE_MAX, old = j < a->b ? a->rows[j] : SIZE_MAX;
        k += mine <= old, j += old <= mine;
        if (mine == old)
            continue;
        if (a->q == a->most || 8 * a->q >= a->b)
            return false;
        a->added[a->q] = mine < old;
        a->changed[a->q++] = mine < old ? mine : old;
    }
    return true;
}

bool dls_active_amend(dls_active *a, size_t m, const size_t *rows)
{
    const size_t b = a->b;
    if (b == 0 || !find_changes(a, m, rows))
        return false;
    for (size_t k = 0; k < a->q; k++) {
        double *column = a->V + b * k;
        for (size_t j = 0; j < b; j++)
            column[j] = a->added[k] ? entry_of_H(a, a->rows[j], a->changed[k]) : 0.0;
        if (!a->added[k])
            column[a->at[a->changed[k]]] = 1.0;
    }
    solve_base(a, a->q, a->V);
    for (size_t l = 0; l < a->q; l++)
        for (size_t k = 0; k < a->q; k++)
            a->S[k + a->q * l] = (a->added[k] && a->added[l] ? entry_of_H(a, a->changed[k], a->changed[l]) : 0.0) -
                                 border(a, k, a->V + b * l);
    const int q = (int)a->q;
    return q == 0 || LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, q, q, a->S, q, a->S_pivots) == 0;
}

void dls_active_solve(dls_active *a, size_t m, const size_t *rows, double *x)
{
    if (a->q == 0) {
        solve_base(a, 1, x);
        return;
    }
    size_t next = 0;
    memset(a->z, 0, a->b * sizeof *a->z);
    for (size_t k = 0; k < m; k++) {
        if (a->at[rows[k]] < a->s->n)
            a->z[a->at[rows[k]]] = x[k];
        while (next < a->q && a->changed[next] < rows[k])
            a->t[next++] = 0.0;
        if (next < a->q && a->changed[next] == rows[k])
            a->t[next++] = x[k];
    }
    while (next < a->q)
        a->t[next++] = 0.0;
    solve_base(a, 1, a->z);
    for (size_t k = 0; k < a->q; k++)
        a->t[k] -= border(a, k, a->z);
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', (int)a->q, 1, a->S, (int)a->q, a->S_pivots, a->t, (int)a->q);
    for (size_t k = 0; k < a->q; k++)
        for (size_t j = 0; j < a->b; j++)
            a->z[j] -= a->V[j + a->b * k] * a->t[k];
    next = 0;
    for (size_t k = 0; k < m; k++) {
        while (next < a->q && a->changed[next] < rows[k])
            next++;
        x[k] = a->at[rows[k]] < a->s->n ? a->z[a->at[rows[k]]] : a->t[next];
    }
}
