/* Dense assembly: M, J, M^-1 J^T and A = J M^-1 J^T + Gamma from the rows, through LAPACKE and OpenBLAS.
 * Nothing else is added to A: a singular A stays singular. M^-1 J^T is solved with the factor of the matrix M; A is
 * Z^T Z with Z = M^-1/2 J^T of each block of M, which for an articulation is propagated through its tree. */
#include "dense.h"

#include "blas.h"

#include "base/arithmetic.h"

#include <lapacke.h>
#include <stdlib.h>

static dls_status no_memory(dls_error *error, size_t n)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a dense problem of %zu rows", n);
}

/* e: nv entries of work. */
static void mass_matrix(const dls_problem *p, double *e, double *M)
{
    memset(M, 0, p->nv * p->nv * sizeof *M);
    for (size_t k = 0; k < p->mass.n_blocks; k++) {
        const dls_mass_block *block = &p->mass.blocks[k];
        dls_mass_block_matrix(block, e, M + block->offset * (p->nv + 1), p->nv);
    }
}

dls_status dls_dense_mass(const dls_problem *p, double *M, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    if (p->form == DLS_FORM_MATRIX)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a problem given as a matrix has no mass matrix");
    double *e = calloc(p->nv + 1, sizeof *e);
    if (!e)
        return no_memory(error, p->nv);
    mass_matrix(p, e, M);
    free(e);
    return DLS_OK;
}

void dls_dense_jacobian(const dls_problem *p, double *J)
{
    memset(J, 0, p->n * p->nv * sizeof *J);
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
            for (size_t j = 0; j < p->J.coef_at[k + 1] - p->J.coef_at[k]; j++)
                J[i + p->n * (p->J.offset[k] + j)] = p->J.coef[p->J.coef_at[k] + j];
}

/* M = L L^T; then M X = J^T. */
static dls_status response_of(const dls_problem *p, dls_arena *scratch, double *response, dls_error *error)
{
    double *M = dls_take_matrix(scratch, p->nv, p->nv), *e = DLS_TAKE_ZEROS(scratch, double, p->nv);
    lapack_int nv = (lapack_int)p->nv, n = (lapack_int)p->n;
    if (p->n == 0 || p->nv == 0)
        return DLS_OK;
    if (scratch->failed)
        return no_memory(error, p->n);
    DLS_TRY(dls_blas_ready(error));
    mass_matrix(p, e, M);
    memset(response, 0, p->n * p->nv * sizeof *response);
    for (size_t i = 0; i < p->n; i++)
        dls_rows_axpy(&p->J, i, 1.0, response + i * p->nv);
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', nv, M, nv) != 0 ||
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', nv, n, M, nv, response, nv) != 0)
        return dls_fail(error, DLS_BAD_INPUT, "the mass matrix is not positive definite");
    return DLS_OK;
}

dls_status dls_dense_response(const dls_problem *p, double *response, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_arena scratch = {0};
    dls_status status = response_of(p, &scratch, response, error);
    dls_arena_release(&scratch);
    return status;
}

/* The blocks of J by blocks of M: first[b], next[first[b]], ... in the order of their rows, DLS_NONE after the last. */
typedef struct block_lists {
    size_t *first, *next, *row;
    size_t longest; /* most blocks of J in one of M */
} block_lists;

static block_lists list_blocks(const dls_problem *p, dls_arena *scratch)
{
    const size_t n_mass = p->mass.n_blocks, n_blocks = p->J.start[p->n];
    block_lists by = {DLS_TAKE(scratch, size_t, n_mass), DLS_TAKE(scratch, size_t, n_blocks),
                      DLS_TAKE(scratch, size_t, n_blocks), 0};
    size_t *count = DLS_TAKE_ZEROS(scratch, size_t, n_mass);
    if (scratch->failed)
        return by;
    for (size_t b = 0; b < n_mass; b++)
        by.first[b] = DLS_NONE;
    for (size_t i = p->n; i-- > 0;)
        for (size_t k = p->J.start[i + 1]; k-- > p->J.start[i];) {
            const size_t b = p->J.mass[k];
            by.row[k] = i;
            by.next[k] = by.first[b];
            by.first[b] = k;
            by.longest = ++count[b] > by.longest ? count[b] : by.longest;
        }
    return by;
}

/* The columns of Z = M^-1/2 J^T in one block of M, for the rows on it: length x count. Returns their number, and the
 * rows in `row`. y: `length` entries of work. */
static size_t half_block(const dls_problem *p, const block_lists *by, size_t b, double *y, double *Z, size_t *row)
{
    const dls_mass_block *block = &p->mass.blocks[b];
    size_t count = 0;
    for (size_t k = by->first[b]; k != DLS_NONE;) {
        row[count] = by->row[k];
        memset(y, 0, block->length * sizeof *y);
        for (; k != DLS_NONE && by->row[k] == row[count]; k = by->next[k])
            for (size_t at = p->J.coef_at[k]; at < p->J.coef_at[k + 1]; at++)
                y[p->J.offset[k] - block->offset + (at - p->J.coef_at[k])] += p->J.coef[at];
        block->kind->half(block->data, y, Z + block->length * count++);
    }
    return count;
}

/* A = Z^T Z, block by block: a pair of rows costs the blocks that both act on. The diagonal is a sum of squares, which
 * do not cancel, and each entry is accurate to eps sqrt(A_ii A_jj) times the operations of M^-1/2. */
static dls_status assemble_mechanical(const dls_problem *p, dls_arena *scratch, double *A, dls_error *error)
{
    const size_t n = p->n, longest = dls_mass_longest(&p->mass);
    const block_lists by = list_blocks(p, scratch);
    double *y = DLS_TAKE(scratch, double, longest), *Z = dls_take_matrix(scratch, longest, by.longest);
    double *product = dls_take_matrix(scratch, by.longest, by.longest);
    size_t *row = DLS_TAKE(scratch, size_t, by.longest);
    if (scratch->failed)
        return no_memory(error, n);
    memset(A, 0, n * n * sizeof *A);
    for (size_t b = 0; b < p->mass.n_blocks; b++) {
        const size_t length = p->mass.blocks[b].length, count = half_block(p, &by, b, y, Z, row);
        if (count == 0)
            continue;
        cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)count, (int)length, 1.0, Z, (int)length, 0.0, product,
                    (int)count);
        for (size_t j = 0; j < count; j++)
            for (size_t i = j; i < count; i++)
                A[row[i] + n * row[j]] += product[i + j * count];
    }
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + 1; i < n; i++)
            A[j + n * i] = A[i + n * j];
    return DLS_OK;
}

dls_status dls_dense_take(const dls_problem *p, dls_arena *keep, dls_arena *scratch, dls_dense *d, dls_error *error)
{
    *d = (dls_dense){p->n,
                     dls_take_matrix(keep, p->n, p->n),
                     DLS_TAKE(keep, double, p->n),
                     DLS_TAKE(keep, double, p->n),
                     DLS_TAKE(keep, double, p->n),
                     dls_problem_is_symmetric(p)};
    if (keep->failed)
        return no_memory(error, p->n);
    DLS_TRY(dls_blas_ready(error));
    if (p->form == DLS_FORM_MATRIX)
        dls_dense_jacobian(p, d->A); /* A stands in the place of J */
    else
        DLS_TRY(assemble_mechanical(p, scratch, d->A, error));
    for (size_t i = 0; i < p->n; i++) {
        d->A[i + p->n * i] += p->gamma[i];
        d->b[i] = (p->form == DLS_FORM_MATRIX ? 0.0 : dls_rows_dot(&p->J, i, p->v_star)) - p->c[i];
        d->lo[i] = p->lo[i];
        d->hi[i] = p->hi[i];
    }
    for (size_t j = 0; d->symmetric && j < p->n; j++) /* entries of a file are equal to rounding: their mean */
        for (size_t i = 0; i < j; i++)
            d->A[i + p->n * j] = d->A[j + p->n * i] = 0.5 * (d->A[i + p->n * j] + d->A[j + p->n * i]);
    return DLS_OK;
}

typedef struct owned_dense {
    dls_dense dense; /* first: what callers hold */
    dls_arena memory;
} owned_dense;

dls_status dls_dense_create(const dls_problem *p, dls_dense **dense, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    owned_dense *made = calloc(1, sizeof *made);
    dls_arena scratch = {0};
    *dense = NULL;
    if (!made)
        return no_memory(error, p->n);
    dls_status status = dls_dense_take(p, &made->memory, &scratch, &made->dense, error);
    dls_arena_release(&scratch);
    if (status == DLS_OK)
        *dense = &made->dense;
    else
        dls_dense_destroy(&made->dense);
    return status;
}

void dls_dense_destroy(dls_dense *d)
{
    owned_dense *made = (owned_dense *)d;
    if (!made)
        return;
    dls_arena_release(&made->memory);
    free(made);
}

/* --- products, blocks --- */

void dls_dense_w(const dls_dense *q, const double *lambda, double *w)
{
    int n = (int)q->n;
    memcpy(w, q->b, q->n * sizeof *w);
    if (n == 0)
        return;
    if (q->symmetric)
        cblas_dsymv(CblasColMajor, CblasLower, n, 1.0, q->A, n, lambda, 1, 1.0, w, 1);
    else
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, q->A, n, lambda, 1, 1.0, w, 1);
}

double dls_dense_row_w(const dls_dense *q, size_t i, const double *lambda)
{
    const double *row = q->symmetric ? q->A + q->n * i : q->A + i; /* the column is the row, one after another */
    return q->b[i] + cblas_ddot((int)q->n, row, q->symmetric ? 1 : (int)q->n, lambda, 1);
}

void dls_dense_row_max(const dls_dense *q, double *largest)
{
    memset(largest, 0, q->n * sizeof *largest);
    for (size_t j = 0; j < q->n; j++)
        for (size_t i = 0; i < q->n; i++)
            largest[i] = fabs(q->A[i + q->n * j]) > largest[i] ? fabs(q->A[i + q->n * j]) : largest[i];
}

bool dls_matrix_is_finite(size_t n, const double *A, bool lower)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = lower ? j : 0; i < n; i++)
            if (!isfinite(A[i + n * j]))
                return false;
    return true;
}

void dls_dense_block(const dls_dense *q, size_t f, const size_t *F, double *block)
{
    for (size_t j = 0; j < f; j++)
        for (size_t i = 0; i < f; i++)
            block[i + f * j] = q->A[F[i] + q->n * F[j]];
}
