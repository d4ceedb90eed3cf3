/* Problems built around a chosen solution, as in the tests of SCS: pick complementary lambda and w, set b = w -
 * A lambda. */
#include "base/arithmetic.h"
#include "base/memory.h"
#include "blas.h"
#include "delassus/reference.h"

#include <gsl/gsl_cblas.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

typedef struct draft {
    size_t n;
    double *A, *G, *b, *lo, *hi, *lambda, *w;
    size_t *order;
} draft;

/* A = G G^T / columns, both triangles, G normal. */
static void gram(gsl_rng *rng, draft *d, size_t columns)
{
    int n = (int)d->n;
    for (size_t k = 0; k < d->n * columns; k++)
        d->G[k] = gsl_ran_gaussian(rng, 1.0);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, n, (int)columns, 1.0 / (double)columns, d->G, n, 0.0, d->A, n);
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = 0; i < j; i++)
            d->A[i + d->n * j] = d->A[j + d->n * i];
}

static void fill_matrix(gsl_rng *rng, const dls_recipe *recipe, draft *d)
{
    const size_t n = d->n;
    double *A = d->A, spread = 4.0 / sqrt((double)n);
    if (recipe->matrix == DLS_MATRIX_P) {
        /* Triangular with a positive diagonal, rows and columns permuted alike: every principal minor is positive. */
        gsl_ran_shuffle(rng, d->order, n, sizeof *d->order);
        for (size_t j = 0; j < n; j++)
            for (size_t i = j; i < n; i++)
                A[d->order[i] + n * d->order[j]] =
                    i == j ? gsl_ran_flat(rng, 0.5, 2.0) : spread * gsl_ran_gaussian(rng, 1.0);
        return;
    }
    const bool semidefinite = recipe->matrix == DLS_MATRIX_SEMIDEFINITE;
    gram(rng, d, semidefinite ? (n + 1) / 2 : n);
    for (size_t i = 0; i < n && !semidefinite; i++)
        A[i + n * i] += 0.1;
    for (size_t j = 0; j < n && recipe->matrix == DLS_MATRIX_MONOTONE; j++)
        for (size_t i = 0; i < j; i++) {
            double s = gsl_ran_gaussian(rng, 1.0) / sqrt((double)n);
            A[i + n * j] += s;
            A[j + n * i] -= s;
        }
}

static void choose_bounds(gsl_rng *rng, const dls_recipe *recipe, draft *d)
{
    gsl_ran_shuffle(rng, d->order, d->n, sizeof *d->order);
    for (size_t k = 0; k < d->n; k++) {
        size_t i = d->order[k], third = recipe->bounds == DLS_BOUNDS_LCP ? 1 : 3 * k / d->n;
        d->lo[i] = third == 0 ? -HUGE_VAL : third == 1 ? 0.0 : -1.0;
        d->hi[i] = third == 2 ? 1.0 : HUGE_VAL;
    }
}

/* Half of the rows between their bounds with w = 0, half at a bound with w of its sign, or w = 0 too where degenerate.
 */
static void choose_solution(gsl_rng *rng, const dls_recipe *recipe, draft *d)
{
    for (size_t i = 0; i < d->n; i++) {
        double lo = d->lo[i], hi = d->hi[i], size = gsl_ran_flat(rng, 0.1, 2.385);
        bool inside = gsl_rng_uniform(rng) < 0.5, upper = gsl_rng_uniform(rng) < 0.5;
        bool degenerate = gsl_rng_uniform(rng) < recipe->degenerate;
        d->w[i] = 0.0;
        if (isinf(lo) && isinf(hi)) {
            d->lambda[i] = upper ? size : -size;
        } else if (inside && !degenerate) {
            d->lambda[i] = isinf(hi) ? lo + size : lo + (hi - lo) * gsl_ran_flat(rng, 0.05, 0.95);
        } else {
            upper = upper && !isinf(hi);
            d->lambda[i] = upper ? hi : lo;
            d->w[i] = degenerate ? 0.0 : upper ? -size : size;
        }
    }
}

dls_status dls_manufacture(const dls_recipe *recipe, dls_problem **problem, double *lambda, double *w, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    const size_t n = recipe->n;
    dls_status status;
    dls_arena m = {0};
    *problem = NULL;
    if (!(n > 0 && n < 20000))
        return dls_fail(error, DLS_BAD_ARGUMENT, "a manufactured problem has 1 to 19999 rows, not %zu", n);
    DLS_TRY(dls_blas_ready(error));
    /* gsl_rng_alloc would call GSL's error handler, and so end the program, if memory is exhausted. */
    gsl_rng rng = {gsl_rng_mt19937, dls_arena_take(&m, gsl_rng_mt19937->size, 1)};
    draft d = {.n = n,
               .A = DLS_TAKE_ZEROS(&m, double, n *n),
               .G = DLS_TAKE_ZEROS(&m, double, n *n),
               .b = DLS_TAKE_ZEROS(&m, double, n),
               .lo = DLS_TAKE_ZEROS(&m, double, n),
               .hi = DLS_TAKE_ZEROS(&m, double, n),
               .lambda = DLS_TAKE_ZEROS(&m, double, n),
               .w = DLS_TAKE_ZEROS(&m, double, n),
               .order = DLS_TAKE_ZEROS(&m, size_t, n)};
    if (m.failed) {
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for a problem of %zu rows", n);
    } else {
        gsl_rng_set(&rng, recipe->seed * 2654435761ul + n);
        for (size_t i = 0; i < n; i++)
            d.order[i] = i;
        fill_matrix(&rng, recipe, &d);
        choose_bounds(&rng, recipe, &d);
        choose_solution(&rng, recipe, &d);
        cblas_dcopy((int)n, d.w, 1, d.b, 1);
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)n, (int)n, -1.0, d.A, (int)n, d.lambda, 1, 1.0, d.b, 1);
        status = dls_problem_from_matrix(n, d.A, d.b, d.lo, d.hi, problem, error);
    }
    for (size_t i = 0; status == DLS_OK && i < n; i++) {
        if (lambda)
            lambda[i] = d.lambda[i];
        if (w)
            w[i] = d.w[i];
    }
    dls_arena_release(&m);
    return status;
}
