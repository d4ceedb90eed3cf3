/* Manufactured problems: the same recipe gives the same problem, which is what its draws of GSL's Mersenne twister say,
 * in their order; its matrix is of the class asked for, and its solution is one. */
#include "check.h"
#include "examined.h"

#include "delassus/reference.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <string.h>

enum { N = 12 };

typedef struct drawn {
    size_t n, order[N];
    double A[N * N], lo[N], hi[N], lambda[N], w[N];
} drawn;

static void draw_gram(gsl_rng *rng, drawn *d, size_t columns)
{
    double G[N * N];
    for (size_t k = 0; k < d->n * columns; k++)
        G[k] = gsl_ran_gaussian(rng, 1.0);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < d->n; j++)
            for (size_t k = 0; k < columns; k++)
                d->A[i + d->n * j] += G[i + d->n * k] * G[j + d->n * k] / (double)columns;
}

static void draw_triangle(gsl_rng *rng, drawn *d)
{
    gsl_ran_shuffle(rng, d->order, d->n, sizeof *d->order);
    for (size_t column = 0; column < d->n; column++)
        for (size_t row = column; row < d->n; row++) {
            double *entry = &d->A[d->order[row] + d->n * d->order[column]];
            if (row == column)
                *entry = gsl_ran_flat(rng, 0.5, 2.0);
            else
                *entry = gsl_ran_gaussian(rng, 1.0) * 4.0 / sqrt((double)d->n);
        }
}

static void draw_matrix(gsl_rng *rng, dls_matrix_class kind, drawn *d)
{
    if (kind == DLS_MATRIX_P)
        draw_triangle(rng, d);
    else
        draw_gram(rng, d, kind == DLS_MATRIX_SEMIDEFINITE ? (d->n + 1) / 2 : d->n);
    for (size_t i = 0; i < d->n && (kind == DLS_MATRIX_DEFINITE || kind == DLS_MATRIX_MONOTONE); i++)
        d->A[i + d->n * i] += 0.1;
    for (size_t column = 1; column < d->n && kind == DLS_MATRIX_MONOTONE; column++)
        for (size_t row = 0; row < column; row++) {
            const double skew = gsl_ran_gaussian(rng, 1.0) / sqrt((double)d->n);
            d->A[row + d->n * column] += skew;
            d->A[column + d->n * row] -= skew;
        }
}

/* In random order a third of the rows is free, a third unilateral, a third boxed. */
static void draw_bounds(gsl_rng *rng, dls_bounds_class kind, drawn *d)
{
    gsl_ran_shuffle(rng, d->order, d->n, sizeof *d->order);
    for (size_t k = 0; k < d->n; k++) {
        const size_t i = d->order[k];
        const bool free_row = kind == DLS_BOUNDS_BOXED && 3 * k < d->n;
        const bool boxed = kind == DLS_BOUNDS_BOXED && 3 * k >= 2 * d->n;
        d->lo[i] = free_row ? -HUGE_VAL : boxed ? -1.0 : 0.0;
        d->hi[i] = boxed ? 1.0 : HUGE_VAL;
    }
}

static void draw_solution(gsl_rng *rng, double degenerate, drawn *d)
{
    for (size_t i = 0; i < d->n; i++) {
        const double size = gsl_ran_flat(rng, 0.1, 2.385);
        const bool inside = gsl_rng_uniform(rng) < 0.5, upper = gsl_rng_uniform(rng) < 0.5;
        const bool both = gsl_rng_uniform(rng) < degenerate, boxed = d->hi[i] == 1.0;
        d->w[i] = 0.0;
        if (isinf(d->lo[i]))
            d->lambda[i] = upper ? size : -size;
        else if (inside && !both)
            d->lambda[i] = boxed ? -1.0 + 2.0 * gsl_ran_flat(rng, 0.05, 0.95) : size;
        else if (boxed && upper)
            d->lambda[i] = 1.0, d->w[i] = both ? 0.0 : -size;
        else
            d->lambda[i] = d->lo[i], d->w[i] = both ? 0.0 : size;
    }
}

static void expect(const dls_recipe *recipe, drawn *d)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    memset(d, 0, sizeof *d);
    d->n = recipe->n;
    gsl_rng_set(rng, recipe->seed * 2654435761ul + recipe->n);
    for (size_t i = 0; i < d->n; i++)
        d->order[i] = i;
    draw_matrix(rng, recipe->matrix, d);
    draw_bounds(rng, recipe->bounds, d);
    draw_solution(rng, recipe->degenerate, d);
    gsl_rng_free(rng);
}

static void check(const dls_recipe *recipe)
{
    double lambda[N], w[N];
    drawn e;
    dls_problem *p, *again;
    p = problem_from_recipe(recipe, lambda, w);
    again = problem_from_recipe(recipe, NULL, NULL);
    dls_dense *d = dense_of(p);
    expect(recipe, &e);
    assert_int_equal(p->n, recipe->n);
    assert_int_equal(p->form, DLS_FORM_MATRIX);
    assert_memory_equal(p->c, again->c, p->n * sizeof *p->c);
    for (size_t i = 0; i < p->n; i++) {
        double b = e.w[i];
        assert_true(p->lo[i] == e.lo[i] && p->hi[i] == e.hi[i]);
        assert_close(lambda[i], e.lambda[i], 1e-15);
        assert_close(w[i], e.w[i], 0.0);
        for (size_t j = 0; j < p->n; j++) {
            assert_close(d->A[i + p->n * j], e.A[i + p->n * j], 1e-14);
            if (recipe->matrix <= DLS_MATRIX_SEMIDEFINITE)
                assert_true(d->A[i + p->n * j] == d->A[j + p->n * i]);
            b -= e.A[i + p->n * j] * lambda[j];
        }
        assert_close(d->b[i], b, 1e-13);
    }
    dls_dense_destroy(d);
    dls_problem_destroy(again);
    dls_problem_destroy(p);
}

TEST(test_problems_are_their_draws)
{
    static const double degenerate[] = {0.0, 0.5, 1.0};
    for (unsigned long seed = 0; seed < 96; seed++) {
        const dls_recipe recipe = {(dls_matrix_class)(seed % 4), seed / 4 % 2 ? DLS_BOUNDS_BOXED : DLS_BOUNDS_LCP,
                                   seed % 7 ? 1 + seed % N : N, degenerate[seed / 8 % 3], seed};
        check(&recipe);
    }
}

TEST(test_numbers_of_rows)
{
    static const struct {
        size_t n;
        const char *message;
    } refused[] = {{0, "a manufactured problem has 1 to 19999 rows, not 0"},
                   {20000, "a manufactured problem has 1 to 19999 rows, not 20000"}};
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
        const dls_recipe recipe = {DLS_MATRIX_DEFINITE, DLS_BOUNDS_LCP, refused[k].n, 0.0, 1};
        dls_problem *p;
        dls_error error;
        assert_int_equal(dls_manufacture(&recipe, &p, NULL, NULL, &error), DLS_BAD_ARGUMENT);
        assert_string_equal(error.message, refused[k].message);
        assert_null(p);
    }
}
