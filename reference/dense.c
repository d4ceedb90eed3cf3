/* Dense assembly: M, J, M^-1 J^T and A = J M^-1 J^T + Gamma from the rows, through LAPACKE and OpenBLAS.
 * Nothing is added to A: if it is singular, it stays singular. */
#include "delassus/reference.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *matrix(size_t rows, size_t columns)
{
    return rows == 0 || columns <= SIZE_MAX / sizeof(double) / rows / 2 ? calloc(rows * columns + 1, sizeof(double))
                                                                        : NULL;
}

static dls_status no_memory(dls_error *error, size_t n)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a dense problem of %zu rows", n);
}

/* Column j of M is M e_j: the operator, not its blocks' inside. */
dls_status dls_dense_mass(const dls_problem *p, double *M, dls_error *error)
{
    if (p->form == DLS_FORM_MATRIX)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a problem given as a matrix has no mass matrix");
    double *e = matrix(p->nv, 1);
    if (!e)
        return no_memory(error, p->nv);
    for (size_t j = 0; j < p->nv; j++) {
        e[j] = 1.0;
        dls_mass_multiply(&p->mass, e, M + j * p->nv);
        e[j] = 0.0;
    }
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

static void transpose_jacobian(const dls_problem *p, double *JT)
{
    memset(JT, 0, p->n * p->nv * sizeof *JT);
    for (size_t i = 0; i < p->n; i++)
        dls_rows_axpy(&p->J, i, 1.0, JT + i * p->nv);
}

/* M = L L^T; then M X = J^T. */
dls_status dls_dense_response(const dls_problem *p, double *response, dls_error *error)
{
    if (p->n == 0 || p->nv == 0)
        return DLS_OK;
    double *M = matrix(p->nv, p->nv);
    if (!M)
        return no_memory(error, p->nv);
    dls_status status = dls_dense_mass(p, M, error);
    if (status == DLS_OK) {
        transpose_jacobian(p, response);
        lapack_int nv = (lapack_int)p->nv, n = (lapack_int)p->n;
        if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', nv, M, nv) != 0 ||
            LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', nv, n, M, nv, response, nv) != 0)
            status = dls_fail(error, DLS_BAD_INPUT, "the mass matrix is not positive definite");
    }
    free(M);
    return status;
}

static dls_status assemble_mechanical(const dls_problem *p, dls_dense *d, dls_error *error)
{
    size_t n = p->n, nv = p->nv;
    double *J = matrix(n, nv), *response = matrix(nv, n);
    dls_status status = J && response ? dls_dense_response(p, response, error) : no_memory(error, n);
    if (status == DLS_OK && n > 0 && nv > 0) {
        dls_dense_jacobian(p, J);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)n, (int)nv, 1.0, J, (int)n, response,
                    (int)nv, 0.0, d->A, (int)n);
    }
    free(J);
    free(response);
    return status;
}

/* Equal to rounding, in the mean of the two entries; a matrix from a file is compared entry by entry. */
static void symmetrise(dls_dense *d)
{
    size_t n = d->n;
    d->symmetric = true;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < j; i++) {
            double a = d->A[i + n * j], b = d->A[j + n * i];
            double scale = sqrt(fabs(d->A[i + n * i] * d->A[j + n * j])) + fabs(a) + fabs(b);
            if (fabs(a - b) > 1e-13 * scale)
                d->symmetric = false;
        }
    for (size_t j = 0; d->symmetric && j < n; j++)
        for (size_t i = 0; i < j; i++)
            d->A[i + n * j] = d->A[j + n * i] = 0.5 * (d->A[i + n * j] + d->A[j + n * i]);
}

static void right_side(const dls_problem *p, dls_dense *d)
{
    for (size_t i = 0; i < p->n; i++) {
        d->A[i + p->n * i] += p->gamma[i];
        d->b[i] = (p->form == DLS_FORM_MATRIX ? 0.0 : dls_rows_dot(&p->J, i, p->v_star)) - p->c[i];
        d->lo[i] = p->lo[i];
        d->hi[i] = p->hi[i];
    }
}

dls_status dls_dense_create(const dls_problem *p, dls_dense **dense, dls_error *error)
{
    dls_dense *d = *dense = calloc(1, sizeof *d);
    if (!d)
        return no_memory(error, p->n);
    d->n = p->n;
    d->A = matrix(p->n, p->n);
    d->b = matrix(p->n, 1), d->lo = matrix(p->n, 1), d->hi = matrix(p->n, 1);
    dls_status status = d->A && d->b && d->lo && d->hi ? DLS_OK : no_memory(error, p->n);
    if (status == DLS_OK && p->form == DLS_FORM_MATRIX)
        dls_dense_jacobian(p, d->A); /* A stands in the place of J */
    else if (status == DLS_OK)
        status = assemble_mechanical(p, d, error);
    if (status == DLS_OK) {
        right_side(p, d);
        symmetrise(d);
        return DLS_OK;
    }
    dls_dense_destroy(d);
    *dense = NULL;
    return status;
}

void dls_dense_destroy(dls_dense *d)
{
    if (!d)
        return;
    free(d->A);
    free(d->b);
    free(d->lo);
    free(d->hi);
    free(d);
}
