/* Error bounds of answers that are right to rounding, as multiples of one Cholesky factorisation of a matrix of that
 * size. */
#include "bench.h"
#include "peer.h"

#include "delassus/reference.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct certify_case {
    const char *name;
    dls_matrix_class matrix;
    double degenerate; /* share of the rows */
    double noise;      /* added to every entry of A: irreducible, and no longer known to be a P-matrix */
} certify_case;

static const certify_case cases[] = {
    {"certify-definite", DLS_MATRIX_DEFINITE, 0.0, 0.0},
    {"certify-definite-degenerate", DLS_MATRIX_DEFINITE, 0.1, 0.0},
    {"certify-monotone", DLS_MATRIX_MONOTONE, 0.0, 0.0},
    {"certify-monotone-degenerate", DLS_MATRIX_MONOTONE, 0.1, 0.0},
    {"certify-p", DLS_MATRIX_P, 0.0, 0.0},
    {"certify-p-degenerate", DLS_MATRIX_P, 0.1, 0.0},
    {"certify-general", DLS_MATRIX_P, 0.0, 1e-3},
};

/* The least time of a factorisation of 1 + a small symmetric matrix, interleaved with what it is compared to. */
static double time_dpotrf(size_t n, double *A)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            A[i + n * j] = i == j ? 2.385 : 1.0 / (double)(n + i + j);
    double start = bench_clock();
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, A, (lapack_int)n);
    return bench_since(start);
}

/* The same problem with other entries of A, and the same answer. */
static dls_status add_noise(dls_problem **problem, double size, const double *lambda, dls_error *error)
{
    dls_dense *dense;
    DLS_TRY(dls_dense_create(*problem, &dense, error));
    const size_t n = dense->n;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            double change = size * sin(2.385 * (double)(i * n + j));
            dense->A[i + n * j] += change;
            dense->b[i] -= change * lambda[j];
        }
    dls_problem_destroy(*problem);
    *problem = NULL;
    dls_status status = dls_problem_from_matrix(n, dense->A, dense->b, dense->lo, dense->hi, problem, error);
    dls_dense_destroy(dense);
    return status;
}

static dls_status measure_certificates(bench *b, const certify_case *c, size_t n, double *lambda, double *A,
                                       dls_error *error)
{
    const dls_recipe recipe = {c->matrix, DLS_BOUNDS_BOXED, n, c->degenerate, 1};
    dls_problem *problem;
    double best = HUGE_VAL, dpotrf = HUGE_VAL;
    dls_status status = dls_manufacture(&recipe, &problem, lambda, NULL, error);
    if (status == DLS_OK && c->noise > 0.0)
        status = add_noise(&problem, c->noise, lambda, error);
    for (int k = 0, times = 1; k < times && status == DLS_OK; k++) {
        dls_bounds bounds;
        for (int round = 0; round < 3; round++)
            dpotrf = fmin(dpotrf, time_dpotrf(n, A));
        double start = bench_clock();
        status = dls_certify(problem, lambda, &bounds, error);
        best = fmin(best, bench_since(start));
        if (k == 0 && bounds.kind != DLS_BOUNDS_ACTIVE_SET)
            bench_note(b, "%s %zu: %s", c->name, n, bounds.text);
        dls_bounds_release(&bounds);
        times = best > 3.0 ? 1 : 3;
    }
    if (status == DLS_OK)
        bench_add(b, c->name, n, best, "s", "dpotrf", dpotrf);
    dls_problem_destroy(problem);
    return status;
}

dls_status bench_certify(bench *b, dls_error *error)
{
    static const size_t sizes[] = {200, 500, 1000, 2000};
    for (size_t f = 0; f < (b->quick ? 2u : 4u); f++) {
        const size_t n = sizes[f];
        double *lambda = malloc((n + 1) * n * sizeof *lambda);
        dls_status status = lambda ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
        for (size_t k = 0; k < sizeof cases / sizeof cases[0] && status == DLS_OK; k++)
            status = measure_certificates(b, &cases[k], n, lambda, lambda + n, error);
        free(lambda);
        DLS_TRY(status);
    }
    return DLS_OK;
}
