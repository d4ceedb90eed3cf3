/* A Cholesky factor that serves sets of rows near its own: see exchanged.h. */
#include "exchanged.h"

#include "dense.h"

#include <cblas.h>
#include <lapacke.h>
#include <string.h>

/* So many rows exchanged, as a share of the factor's, take less time than a new factor. */
enum { LEAST_SHARE = 8 };

void dls_exchanged_take(dls_exchanged *e, size_t r, const double *S, size_t ld, const double *least, double *factor,
                        dls_arena *memory)
{
    const size_t most = r / LEAST_SHARE;
    *e = (dls_exchanged){.S = S, .ld = ld, .least = least, .factor = factor, .most = most};
    e->row = DLS_TAKE(memory, size_t, r);
    e->place = DLS_TAKE(memory, size_t, r);
    e->other = DLS_TAKE(memory, size_t, most);
    e->W = dls_take_matrix(memory, r, most);
    e->C = dls_take_matrix(memory, most, most);
    e->z = DLS_TAKE(memory, double, r + most);
    for (size_t i = 0; e->place && i < r; i++)
        e->place[i] = DLS_NONE;
}

static double entry_of(const dls_exchanged *e, size_t i, size_t j)
{
    return e->S[(i > j ? i : j) + e->ld * (i > j ? j : i)];
}

/* Cholesky's factor in place, of rows whose pivots must not be lost; `of`: the rows of S. */
static bool factor_block(const dls_exchanged *e, size_t n, const size_t *of, double *A, size_t ld, size_t terms)
{
    if (n > 0 && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, A, (lapack_int)ld) != 0)
        return false;
    for (size_t j = 0; j < n; j++)
        if (dls_pivot_lost(A[j + ld * j], e->least[of[j]], terms))
            return false;
    return true;
}

void dls_exchanged_forget(dls_exchanged *e)
{
    for (size_t j = 0; j < e->f0; j++)
        e->place[e->row[j]] = DLS_NONE;
    e->f0 = e->p = e->q = 0;
}

static bool renew_factor(dls_exchanged *e, const size_t *F, size_t f)
{
    dls_exchanged_forget(e);
    for (size_t j = 0; j < f; j++)
        for (size_t i = j; i < f; i++)
            e->factor[i + f * j] = e->S[F[i] + e->ld * F[j]];
    if (!factor_block(e, f, F, e->factor, f, f))
        return false;
    e->f0 = f;
    for (size_t j = 0; j < f; j++) {
        e->row[j] = F[j];
        e->place[F[j]] = j;
    }
    return true;
}

/* Finds P and Q; false where they have too many rows. */
static bool find_exchanges(dls_exchanged *e, const size_t *F, size_t f)
{
    size_t kept = 0, count = 0;
    for (size_t j = 0; j < f; j++) {
        kept += e->place[F[j]] != DLS_NONE;
        if (e->place[F[j]] == DLS_NONE && count < e->most)
            e->other[count++] = F[j];
    }
    e->p = f - kept;
    e->q = e->f0 - kept;
    if (LEAST_SHARE * (e->p + e->q) > e->f0)
        return false;
    for (size_t k = 0, j = 0; k < e->f0; k++) {
        while (j < f && F[j] < e->row[k])
            j++;
        if (j == f || F[j] != e->row[k])
            e->other[count++] = e->row[k];
    }
    return true;
}

/* L_P, V^T and L_Q. Pivots of the rows of P are those of a factor of S with these rows last. */
static bool exchange_rows(dls_exchanged *e)
{
    const size_t f0 = e->f0, p = e->p, q = e->q, k = p + q;
    const int n = (int)f0, m = (int)k;
    for (size_t j = 0; j < k; j++) {
        double *w = e->W + f0 * j;
        memset(w, 0, f0 * sizeof *w);
        for (size_t i = 0; i < f0 && j < p; i++)
            w[i] = entry_of(e, e->row[i], e->other[j]);
        if (j >= p)
            w[e->place[e->other[j]]] = 1.0;
    }
    if (k == 0)
        return true;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, m, 1.0, e->factor, n, e->W, n);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, m, n, 1.0, e->W, n, 0.0, e->C, m);
    for (size_t j = 0; j < p; j++) {
        for (size_t i = j; i < p; i++)
            e->C[i + k * j] = entry_of(e, e->other[i], e->other[j]) - e->C[i + k * j];
        for (size_t i = p; i < k; i++)
            e->C[i + k * j] = -e->C[i + k * j];
    }
    if (!factor_block(e, p, e->other, e->C, k, f0 + p))
        return false;
    if (q == 0)
        return true;
    double *V = e->C + p, *G = V + k * p;
    if (p > 0) {
        cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)q, (int)p, 1.0, e->C, m, V,
                    m);
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)q, (int)p, 1.0, V, m, 1.0, G, m);
    }
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)q, G, m) == 0;
}

bool dls_exchanged_serve(dls_exchanged *e, const size_t *F, size_t f, bool *renewed)
{
    *renewed = !(e->f0 > 0 && find_exchanges(e, F, f) && exchange_rows(e));
    return !*renewed || renew_factor(e, F, f);
}

static void solve_lower(const double *L, int n, int ld, CBLAS_TRANSPOSE transposed, double *x)
{
    if (n > 0)
        cblas_dtrsv(CblasColMajor, CblasLower, transposed, CblasNonUnit, n, L, ld, x, 1);
}

void dls_exchanged_solve(dls_exchanged *e, const size_t *F, size_t f, double *x)
{
    const int n = (int)e->f0, p = (int)e->p, q = (int)e->q, k = p + q;
    double *z = e->z, *of_p = z + n, *mu = of_p + p, *W_q = e->W + (size_t)n * e->p, *V = e->C + p, *L_q = V + k * p;
    size_t next = 0;
    memset(z, 0, (size_t)n * sizeof *z);
    for (size_t j = 0; j < f; j++)
        if (e->place[F[j]] == DLS_NONE)
            of_p[next++] = x[j];
        else
            z[e->place[F[j]]] = x[j];
    solve_lower(e->factor, n, n, CblasNoTrans, z);
    if (p > 0)
        cblas_dgemv(CblasColMajor, CblasTrans, n, p, -1.0, e->W, n, z, 1, 1.0, of_p, 1);
    solve_lower(e->C, p, k, CblasNoTrans, of_p);
    if (q > 0) { /* the rows of Q in the grown factor are [W_Q; V]; mu makes x_Q = 0 */
        cblas_dgemv(CblasColMajor, CblasTrans, n, q, -1.0, W_q, n, z, 1, 0.0, mu, 1);
        if (p > 0)
            cblas_dgemv(CblasColMajor, CblasNoTrans, q, p, -1.0, V, k, of_p, 1, 1.0, mu, 1);
        solve_lower(L_q, q, k, CblasNoTrans, mu);
        solve_lower(L_q, q, k, CblasTrans, mu);
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, q, 1.0, W_q, n, mu, 1, 1.0, z, 1);
        if (p > 0)
            cblas_dgemv(CblasColMajor, CblasTrans, q, p, 1.0, V, k, mu, 1, 1.0, of_p, 1);
    }
    solve_lower(e->C, p, k, CblasTrans, of_p);
    if (p > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, p, -1.0, e->W, n, of_p, 1, 1.0, z, 1);
    solve_lower(e->factor, n, n, CblasTrans, z);
    next = 0;
    for (size_t j = 0; j < f; j++)
        x[j] = e->place[F[j]] == DLS_NONE ? of_p[next++] : z[e->place[F[j]]];
}
