/* The impulses behind a velocity: v = v* + M^-1 J^T lambda, from v.
 *
 * With lambda = near + d and v0 = v* + M^-1 J^T near, d solves M^-1 J^T d = v - v0 in least squares of the norm |x|_M =
 * |L^T x|, M = L L^T, and is the shortest of those that do. Where rows are dependent, many impulses make one velocity:
 * this is the one nearest to `near`. */
#include "delassus/reference.h"

#include "base/memory.h"
#include "direct.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    const dls_problem *p;
    dls_arena memory;
    double *L, *R, *x, *sigma; /* nv x nv, nv x n, max(n, nv), min(n, nv) */
} work;

static dls_status no_memory(const work *w, dls_error *error)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for the impulses of %zu velocities", w->p->nv);
}

/* x <- L^T (v - v0) */
static void residual(work *w, const double *v, const double *lambda)
{
    const int n = (int)w->p->n, nv = (int)w->p->nv;
    for (size_t j = 0; j < w->p->nv; j++)
        w->x[j] = v[j] - w->p->v_star[j];
    if (n > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, nv, n, -1.0, w->R, nv, lambda, 1, 1.0, w->x, 1);
    cblas_dtrmv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, nv, w->L, nv, w->x, 1);
}

static dls_status solve(work *w, const double *v, const double *near, double *lambda, double *left, dls_error *error)
{
    const int n = (int)w->p->n, nv = (int)w->p->nv, most = n > nv ? n : nv;
    const double rank_tolerance = (double)most * DBL_EPSILON;
    int rank;
    DLS_TRY(dls_dense_mass(w->p, w->L, error));
    DLS_TRY(dls_dense_response(w->p, w->R, error));
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', nv, w->L, nv) != 0)
        return dls_fail(error, DLS_REFUSED, "the mass matrix is not positive definite");
    residual(w, v, near);
    if (n > 0) {
        cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, nv, n, 1.0, w->L, nv, w->R, nv);
        int failed = LAPACKE_dgelsd(LAPACK_COL_MAJOR, nv, n, 1, w->R, nv, w->x, most, w->sigma, rank_tolerance, &rank);
        if (failed == LAPACK_WORK_MEMORY_ERROR)
            return no_memory(w, error);
        if (failed)
            return dls_fail(error, DLS_REFUSED, "the singular values of M^-1 J^T were not found");
        DLS_TRY(dls_dense_response(w->p, w->R, error));
    }
    for (size_t i = 0; i < w->p->n; i++)
        lambda[i] = near[i] + w->x[i];
    residual(w, v, lambda);
    *left = cblas_dnrm2(nv, w->x, 1);
    return DLS_OK;
}

dls_status dls_impulses_of_velocity(const dls_problem *problem, const double *v, const double *near, double *lambda,
                                    double *left, dls_error *error)
{
    const size_t n = problem->n, nv = problem->nv;
    if (problem->form == DLS_FORM_MATRIX)
        return dls_fail(error, DLS_REFUSED, "a problem in matrix form has no velocities");
    work w = {.p = problem};
    w.L = dls_take_matrix(&w.memory, nv, nv);
    w.R = dls_take_matrix(&w.memory, nv, n);
    w.x = DLS_TAKE(&w.memory, double, n > nv ? n : nv);
    w.sigma = DLS_TAKE(&w.memory, double, n < nv ? n : nv);
    dls_status status = w.memory.failed ? no_memory(&w, error) : solve(&w, v, near, lambda, left, error);
    dls_arena_release(&w.memory);
    return status;
}
