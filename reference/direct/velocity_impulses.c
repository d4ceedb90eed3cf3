/* The impulses behind a velocity: v = v* + M^-1 J^T lambda, from v.
 *
 * With M = L L^T, R = L^-1 J^T (so that |R_i|^2 = A_ii without compliance) and E = diag(1 / |R_i|), lambda = near + E
 * d, where d solves R E d = L^T (v - v* - M^-1 J^T near) in least squares, the shortest of those that do. Where rows
 * are dependent, many impulses make one velocity: this is the one nearest to `near`, whatever the units of the rows. A
 * second pass at the remainder of the first takes away its rounding, which is that of the heaviest body.
 *
 * The remainder is judged block by block of M, each against its own terms, so that no body's error is weighed away by a
 * heavier one: the velocity asked for, v*, and what each impulse does to the block,
 *     |L^T r|_B / (|L^T v|_B + |L^T v*|_B + sum_i |R_i|_B |lambda_i|) */
#include "delassus/reference.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "blas.h"
#include "dense.h"
#include "spectra.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    const dls_problem *p;
    const double *v;
    dls_arena memory;
    double *L, *R; /* nv x nv, nv x n */
    double *S;     /* nv x n: R E, which the solution destroys */
    double *E;     /* n */
    double *x, *y; /* max(n, nv), nv */
    double *sigma; /* min(n, nv) */
    double *terms; /* of each block of M, 0 at first */
} work;

static dls_status no_memory(const work *w, dls_error *error)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for the impulses of %zu velocities", w->p->nv);
}

/* to <- L^T from */
static void times_LT(const work *w, const double *from, double *to)
{
    const int nv = (int)w->p->nv;
    cblas_dcopy(nv, from, 1, to, 1);
    cblas_dtrmv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, nv, w->L, nv, to, 1);
}

/* x <- L^T (v - v*) - R lambda */
static void residual_of(work *w, const double *lambda)
{
    for (size_t j = 0; j < w->p->nv; j++)
        w->y[j] = w->v[j] - w->p->v_star[j];
    times_LT(w, w->y, w->x);
    if (w->p->n > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)w->p->nv, (int)w->p->n, -1.0, w->R, (int)w->p->nv, lambda, 1, 1.0,
                    w->x, 1);
}

static dls_status factor_mass(work *w, dls_error *error)
{
    const int n = (int)w->p->n, nv = (int)w->p->nv;
    DLS_TRY(dls_dense_mass(w->p, w->L, error));
    DLS_TRY(dls_dense_response(w->p, w->R, error));
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', nv, w->L, nv) != 0)
        return dls_fail(error, DLS_REFUSED, "the mass matrix is not positive definite");
    if (n > 0)
        cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, nv, n, 1.0, w->L, nv, w->R, nv);
    for (size_t i = 0; i < w->p->n; i++) {
        const double length = cblas_dnrm2(nv, w->R + w->p->nv * i, 1);
        w->E[i] = length > 0.0 ? 1.0 / length : 0.0;
    }
    return DLS_OK;
}

/* lambda += E d of the residual in x. */
static dls_status correct_impulses(work *w, double *lambda, dls_error *error)
{
    const size_t n = w->p->n, nv = w->p->nv, most = n > nv ? n : nv;
    size_t rank;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < nv; j++)
            w->S[j + nv * i] = w->R[j + nv * i] * w->E[i];
    DLS_TRY(dls_least_norm(nv, n, w->S, w->x, (double)most * DBL_EPSILON, w->sigma, &rank, &w->memory,
                           "the singular values of M^-1 J^T", error));
    for (size_t i = 0; i < n; i++)
        lambda[i] += w->E[i] * w->x[i];
    return DLS_OK;
}

/* Adds the length of each block of L^T from to its terms. */
static void add_lengths(work *w, const double *from)
{
    times_LT(w, from, w->y);
    for (size_t k = 0; k < w->p->mass.n_blocks; k++)
        w->terms[k] += cblas_dnrm2((int)w->p->mass.blocks[k].length, w->y + w->p->mass.blocks[k].offset, 1);
}

/* The figure above; R, v and v* are weighed by L^T, whose blocks are those of M. */
static double relative_rest(work *w, const double *lambda)
{
    const size_t nv = w->p->nv;
    double worst = 0.0;
    residual_of(w, lambda);
    add_lengths(w, w->v);
    add_lengths(w, w->p->v_star);
    for (size_t k = 0; k < w->p->mass.n_blocks; k++) {
        const size_t at = w->p->mass.blocks[k].offset;
        const int length = (int)w->p->mass.blocks[k].length;
        double terms = w->terms[k];
        for (size_t i = 0; i < w->p->n; i++)
            terms += cblas_dnrm2(length, w->R + at + nv * i, 1) * fabs(lambda[i]);
        const double left = cblas_dnrm2(length, w->x + at, 1);
        if (left > 0.0)
            worst = fmax(worst, left / terms);
    }
    return worst;
}

dls_status dls_impulses_of_velocity(const dls_problem *problem, const double *v, const double *near, double *lambda,
                                    double *left, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    const size_t n = problem->n, nv = problem->nv;
    if (problem->form == DLS_FORM_MATRIX)
        return dls_fail(error, DLS_REFUSED, "a problem in matrix form has no velocities");
    DLS_TRY(dls_blas_ready(error));
    work w = {.p = problem, .v = v};
    w.L = dls_take_matrix(&w.memory, nv, nv);
    w.R = dls_take_matrix(&w.memory, nv, n);
    w.S = dls_take_matrix(&w.memory, nv, n);
    w.E = DLS_TAKE(&w.memory, double, n);
    w.terms = DLS_TAKE_ZEROS(&w.memory, double, problem->mass.n_blocks);
    w.x = DLS_TAKE(&w.memory, double, n > nv ? n : nv);
    w.y = DLS_TAKE(&w.memory, double, nv);
    w.sigma = DLS_TAKE(&w.memory, double, n < nv ? n : nv);
    dls_status status = w.memory.failed ? no_memory(&w, error) : factor_mass(&w, error);
    if (status == DLS_OK)
        memcpy(lambda, near, n * sizeof *lambda);
    for (int pass = 0; pass < 2 && n > 0 && status == DLS_OK; pass++) {
        residual_of(&w, lambda);
        status = correct_impulses(&w, lambda, error);
    }
    if (status == DLS_OK)
        *left = relative_rest(&w, lambda);
    dls_arena_release(&w.memory);
    return status;
}
