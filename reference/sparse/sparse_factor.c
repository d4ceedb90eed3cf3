/* Factors of sparse matrices by SuiteSparse: CHOLMOD (Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam, "Algorithm
 * 887", ACM TOMS 35 (2008)) and UMFPACK (T. A. Davis, "Algorithm 832", ACM TOMS 30 (2004)). Their supernodal parts are
 * under the GPL, version 2 or later, as this library is under version 3 or later. */
#include "sparse.h"

#include "blas.h"

#ifdef DLS_SUITESPARSE_FOLDER
#include <suitesparse/cholmod.h>
#include <suitesparse/umfpack.h>
#else
#include <cholmod.h>
#include <umfpack.h>
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(SuiteSparse_long) == sizeof(int64_t), "places of entries have one size here and in SuiteSparse");

struct dls_sparse_factor {
    dls_sparse_method method;
    cholmod_common common;
    cholmod_factor *L;
    void *symbolic, *numeric;
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
};

static dls_status no_memory(dls_error *error, size_t n)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for the sparse factor of a matrix of %zu rows", n);
}

/* SuiteSparse reads through pointers without const. */
static SuiteSparse_long *places(const int64_t *x) { return (SuiteSparse_long *)(uintptr_t)x; }

static cholmod_sparse as_cholmod(const dls_sparse *A)
{
    return (cholmod_sparse){.nrow = A->rows,
                            .ncol = A->columns,
                            .nzmax = (size_t)A->start[A->columns],
                            .p = A->start,
                            .i = A->row,
                            .x = A->value,
                            .stype = A->lower ? -1 : 0,
                            .itype = CHOLMOD_LONG,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = true,
                            .packed = true};
}

dls_status dls_sparse_factor_create(dls_sparse_method method, dls_sparse_factor **factor, dls_error *error)
{
    *factor = NULL;
    DLS_TRY(dls_blas_ready(error));
    dls_sparse_factor *f = calloc(1, sizeof *f);
    if (!f)
        return no_memory(error, 0);
    f->method = method;
    cholmod_l_start(&f->common);
    f->common.print = 0;
    f->common.final_ll = true; /* L D L^T would not tell an indefinite matrix */
    umfpack_dl_defaults(f->control);
    f->control[UMFPACK_PRL] = 0.0;
    *factor = f;
    return DLS_OK;
}

static void forget_factor(dls_sparse_factor *f)
{
    cholmod_l_free_factor(&f->L, &f->common);
    umfpack_dl_free_numeric(&f->numeric);
    umfpack_dl_free_symbolic(&f->symbolic);
}

void dls_sparse_factor_destroy(dls_sparse_factor *f)
{
    if (!f)
        return;
    forget_factor(f);
    cholmod_l_finish(&f->common);
    free(f);
}

dls_status dls_sparse_factor_analyze(dls_sparse_factor *f, const dls_sparse *A, dls_error *error)
{
    forget_factor(f);
    if (f->method == DLS_SPARSE_CHOLESKY) {
        cholmod_sparse matrix = as_cholmod(A);
        f->L = cholmod_l_analyze(&matrix, &f->common);
        return f->L ? DLS_OK : no_memory(error, A->rows);
    }
    const SuiteSparse_long n = (SuiteSparse_long)A->rows;
    const SuiteSparse_long status =
        umfpack_dl_symbolic(n, n, places(A->start), places(A->row), NULL, &f->symbolic, f->control, f->info);
    return status >= 0 ? DLS_OK : no_memory(error, A->rows);
}

static bool is_finite(const dls_sparse *A)
{
    double sum = 0.0;
    for (int64_t k = 0; k < A->start[A->columns]; k++)
        sum += A->value[k] - A->value[k]; /* 0, or NaN */
    return sum == 0.0;
}

dls_status dls_sparse_factorize(dls_sparse_factor *f, const dls_sparse *A, bool *good, dls_error *error)
{
    *good = false;
    if (!is_finite(A))
        return DLS_OK;
    if (f->method == DLS_SPARSE_CHOLESKY) {
        cholmod_sparse matrix = as_cholmod(A);
        cholmod_l_factorize(&matrix, f->L, &f->common);
        if (f->common.status < CHOLMOD_OK)
            return no_memory(error, A->rows);
        *good = f->common.status == CHOLMOD_OK && f->L->minor >= A->rows;
        return DLS_OK;
    }
    umfpack_dl_free_numeric(&f->numeric);
    const SuiteSparse_long status =
        umfpack_dl_numeric(places(A->start), places(A->row), A->value, f->symbolic, &f->numeric, f->control, f->info);
    if (status == UMFPACK_ERROR_out_of_memory)
        return no_memory(error, A->rows);
    *good = status == UMFPACK_OK;
    return DLS_OK;
}

dls_status dls_sparse_factor_solve(dls_sparse_factor *f, const dls_sparse *A, const double *b, double *x,
                                   dls_error *error)
{
    if (f->method == DLS_SPARSE_LU) {
        const SuiteSparse_long status = umfpack_dl_solve(UMFPACK_A, places(A->start), places(A->row), A->value, x, b,
                                                         f->numeric, f->control, f->info);
        return status == UMFPACK_ERROR_out_of_memory ? no_memory(error, A->rows) : DLS_OK;
    }
    cholmod_dense right = {.nrow = A->rows,
                           .ncol = 1,
                           .nzmax = A->rows,
                           .d = A->rows,
                           .x = (double *)(uintptr_t)b,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE};
    cholmod_dense *solution = cholmod_l_solve(CHOLMOD_A, f->L, &right, &f->common);
    if (!solution)
        return no_memory(error, A->rows);
    memcpy(x, solution->x, A->rows * sizeof *x);
    cholmod_l_free_dense(&solution, &f->common);
    return DLS_OK;
}

double dls_sparse_factor_entries(const dls_sparse_factor *f)
{
    return f->method == DLS_SPARSE_CHOLESKY ? f->common.lnz : f->info[UMFPACK_LNZ] + f->info[UMFPACK_UNZ];
}

double dls_sparse_factor_operations(const dls_sparse_factor *f)
{
    return f->method == DLS_SPARSE_CHOLESKY ? f->common.fl : f->info[UMFPACK_FLOPS];
}
