/* The basis of a complementary pivoting method. With C the basic lambda and t, R the rows whose w is not basic (as many
 * as C), and S the other rows,
 *     K x_C = r_R,   w_S = A_SC x_C - r_S.
 * Product form: G. B. Dantzig, W. Orchard-Hays, "The product form for the inverse in the simplex method", 1954. If
 * column p of the basis B is replaced by one whose coordinates are eta, the new x from the old one is x_p / eta_p
 * at p and x - eta x_p / eta_p elsewhere. */
#include "basis.h"

#include <cblas.h>
#include <string.h>

static size_t stride(const dls_basis *b) { return b->n + 8; }

void dls_basis_take(dls_basis *b, dls_arena *memory, size_t n, const double *A, const double *cover, size_t eta_limit)
{
    *b = (dls_basis){.n = n, .A = A, .cover = cover, .eta_limit = eta_limit};
    b->head = DLS_TAKE(memory, size_t, n), b->where = DLS_TAKE(memory, size_t, 2 * n + 1);
    b->core_row = DLS_TAKE(memory, size_t, n), b->core_at = DLS_TAKE(memory, size_t, n);
    b->slack_row = DLS_TAKE(memory, size_t, n), b->slack_at = DLS_TAKE(memory, size_t, n);
    b->eta_at = DLS_TAKE(memory, size_t, eta_limit);
    b->pivot = DLS_TAKE(memory, lapack_int, n);
    b->K = dls_arena_take(memory, n, stride(b) * sizeof(double));
    b->A_slack = dls_arena_take(memory, n, stride(b) * sizeof(double));
    b->eta = dls_arena_take(memory, n, eta_limit * sizeof(double));
    b->scratch = DLS_TAKE(memory, double, n);
    if (!memory->failed)
        dls_basis_start(b);
}

void dls_basis_start(dls_basis *b)
{
    b->n_eta = 0;
    for (size_t v = 0; v <= 2 * b->n; v++)
        b->where[v] = v >= b->n && v < 2 * b->n ? v - b->n : DLS_NOT_BASIC;
    for (size_t p = 0; p < b->n; p++)
        b->head[p] = b->n + p;
}

void dls_basis_exchange(dls_basis *b, size_t p, size_t entering)
{
    b->where[b->head[p]] = DLS_NOT_BASIC;
    b->head[p] = entering;
    b->where[entering] = p;
}

bool dls_basis_update(dls_basis *b, size_t p, size_t entering, const double *column)
{
    memcpy(b->eta + b->n * b->n_eta, column, b->n * sizeof *column);
    b->eta_at[b->n_eta++] = p;
    dls_basis_exchange(b, p, entering);
    return b->n_eta < b->eta_limit;
}

static const double *core_column(const dls_basis *b, size_t variable)
{
    return variable < b->n ? b->A + b->n * variable : b->cover;
}

/* The rows and positions of the core and of the basic w. */
static void list(dls_basis *b)
{
    b->core_size = b->n_slack = b->n_eta = 0;
    size_t rows = 0;
    for (size_t i = 0; i < b->n; i++) {
        size_t at = b->where[b->n + i];
        if (at == DLS_NOT_BASIC) {
            b->core_row[rows++] = i;
        } else {
            b->slack_row[b->n_slack] = i;
            b->slack_at[b->n_slack++] = at;
        }
        if (b->where[i] != DLS_NOT_BASIC)
            b->core_at[b->core_size++] = b->where[i];
    }
    if (b->where[2 * b->n] != DLS_NOT_BASIC)
        b->core_at[b->core_size++] = b->where[2 * b->n];
}

bool dls_basis_factorise(dls_basis *b)
{
    list(b);
    b->factorizations++;
    for (size_t c = 0; c < b->core_size; c++) {
        const double *column = core_column(b, b->head[b->core_at[c]]);
        double *K = b->K + stride(b) * c, *A_slack = b->A_slack + stride(b) * c;
        for (size_t r = 0; r < b->core_size; r++)
            K[r] = column[b->core_row[r]];
        for (size_t r = 0; r < b->n_slack; r++)
            A_slack[r] = column[b->slack_row[r]];
    }
    lapack_int m = (lapack_int)b->core_size;
    return m == 0 || LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, b->K, (lapack_int)stride(b), b->pivot) == 0;
}

void dls_basis_solve(dls_basis *b, const double *r, double *x)
{
    lapack_int m = (lapack_int)b->core_size, ld = (lapack_int)stride(b);
    double *core = b->scratch, *slack = b->scratch + m;
    for (size_t k = 0; k < b->core_size; k++)
        core[k] = r[b->core_row[k]];
    for (size_t k = 0; k < b->n_slack; k++)
        slack[k] = -r[b->slack_row[k]];
    if (m > 0) {
        LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, 1, core, m, 1, m, b->pivot, 1);
        cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasUnit, m, b->K, ld, core, 1);
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, m, b->K, ld, core, 1);
    }
    if (m > 0 && b->n_slack > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)b->n_slack, m, 1.0, b->A_slack, ld, core, 1, 1.0, slack, 1);
    for (size_t k = 0; k < b->core_size; k++)
        x[b->core_at[k]] = core[k];
    for (size_t k = 0; k < b->n_slack; k++)
        x[b->slack_at[k]] = slack[k];
    for (size_t k = 0; k < b->n_eta; k++) {
        const double *eta = b->eta + b->n * k;
        size_t p = b->eta_at[k];
        if (x[p] == 0.0)
            continue;
        double xp = x[p] / eta[p];
        cblas_daxpy((int)b->n, -xp, eta, 1, x, 1);
        x[p] = xp;
    }
}

void dls_basis_column(const dls_basis *b, size_t variable, double *column)
{
    if (variable >= b->n && variable < 2 * b->n) {
        memset(column, 0, b->n * sizeof *column);
        column[variable - b->n] = -1.0;
    } else {
        memcpy(column, core_column(b, variable), b->n * sizeof *column);
    }
}
