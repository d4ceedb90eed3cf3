/* direct_solve.h - what the tests of single direct methods share: solve, then re-measure with the examiner. */
#ifndef DLS_TESTS_DIRECT_SOLVE_H
#define DLS_TESTS_DIRECT_SOLVE_H

#include "delassus/reference.h"

#include "check.h"
#include "examined.h"

#include <stdio.h>
#include <string.h>

/* `options`: "key=value" strings, NULL at the end, or NULL. */
static inline void direct_solve(const char *name, const dls_problem *problem, const char *const *options,
                                double *lambda, dls_report *report)
{
    const dls_solver *solver = dls_direct_find(name);
    double settings[32];
    dls_error error = {0};
    assert_non_null(solver);
    assert_true(solver->fields.size <= sizeof settings);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    for (; options && *options; options++) {
        char key[DLS_NAME_MAX] = "";
        const char *equals = strchr(*options, '=');
        memcpy(key, *options, (size_t)(equals - *options));
        assert_status(dls_field_set(&solver->fields, settings, key, equals + 1, &error), &error);
    }
    memset(lambda, 0, problem->n * sizeof *lambda);
    assert_status(dls_solve(solver, problem, settings, 1, lambda, report, NULL, NULL, &error), &error);
}

/* The scaled residual, and w into `w` (n entries). */
static inline double direct_examine(const dls_problem *problem, const double *lambda, double *w)
{
    dls_certificate certificate;
    dls_examiner *examiner = examiner_of(problem);
    dls_examine(examiner, lambda, w, &certificate);
    dls_examiner_destroy(examiner);
    return certificate.scaled_residual;
}

static inline void assert_outcome_is(const dls_report *report, dls_outcome expected, const char *what)
{
    if (report->outcome == expected)
        return;
    print_error("%s: outcome %s (%s), expected %s\n", what, dls_outcome_text(report->outcome), report->message,
                dls_outcome_text(expected));
    fail();
}

/* Solves a manufactured problem: residual below 1e-9, w within 1e-8 of the chosen one. */
static inline void assert_solves_recipe(const char *name, const dls_recipe *recipe)
{
    dls_report report = {0};
    char what[128];
    double *lambda = calloc(3 * recipe->n, sizeof *lambda), *w = lambda + recipe->n, *chosen = w + recipe->n;
    assert_non_null(lambda);
    dls_problem *problem = problem_from_recipe(recipe, NULL, chosen);
    direct_solve(name, problem, NULL, lambda, &report);
    snprintf(what, sizeof what, "%s, matrix %d, bounds %d, n = %zu, degenerate %g, seed %lu", name, (int)recipe->matrix,
             (int)recipe->bounds, recipe->n, recipe->degenerate, recipe->seed);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, what);
    check_below(direct_examine(problem, lambda, w), 1e-9, what, __FILE__, __LINE__);
    for (size_t i = 0; i < recipe->n; i++)
        check_close(w[i], chosen[i], 1e-8, what, __FILE__, __LINE__);
    dls_report_release(&report);
    dls_problem_destroy(problem);
    free(lambda);
}

/* The report carries a Farkas vector that proves it exactly. */
static inline void assert_proves_no_solution(const dls_problem *problem, const dls_report *report)
{
    dls_farkas_proof proof;
    dls_error error = {0};
    assert_outcome_is(report, DLS_OUTCOME_NO_SOLUTION, "a problem without solution");
    assert_int_equal(report->proof, DLS_PROOF_FARKAS);
    assert_non_null(report->proof_vector);
    assert_status(dls_farkas_verify(problem, report->proof_vector, &proof, &error), &error);
    if (!proof.proved)
        fail_msg("%s", proof.reason);
    assert_true(proof.margin > 1e-3);
}

static inline void assert_solves_all(const char *name, const size_t *sizes, size_t n_sizes, unsigned long seeds)
{
    for (int matrix = DLS_MATRIX_DEFINITE; matrix <= DLS_MATRIX_P; matrix++)
        for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED; bounds++)
            for (size_t k = 0; k < n_sizes; k++)
                for (int degenerate = 0; degenerate < 2; degenerate++)
                    for (unsigned long seed = 1; seed <= seeds; seed++) {
                        dls_recipe recipe = {(dls_matrix_class)matrix, (dls_bounds_class)bounds, sizes[k],
                                             0.3 * degenerate, seed};
                        assert_solves_recipe(name, &recipe);
                    }
}

/* The instances on which the field's Dantzig and Newton codes fail: rank n/2, nothing added to A. */
static inline void assert_solves_rank_deficient(const char *name)
{
    for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED; bounds++)
        for (size_t n = 50; n <= 200; n *= 2)
            for (unsigned long seed = 1; seed <= 50; seed++) {
                dls_recipe recipe = {DLS_MATRIX_SEMIDEFINITE, (dls_bounds_class)bounds, n, 0.0, seed};
                assert_solves_recipe(name, &recipe);
            }
}

/* The recipe's problem with row i in a unit of its own: A_ij u_i u_j, b_i u_i, bounds / u_i, u from 1e-3 to 1e3. */
static inline dls_problem *in_other_units(const dls_problem *problem, const double *u)
{
    dls_dense *d = dense_of(problem);
    for (size_t j = 0; j < d->n; j++) {
        for (size_t i = 0; i < d->n; i++)
            d->A[i + d->n * j] *= u[i] * u[j];
        d->b[j] *= u[j];
        d->lo[j] /= u[j], d->hi[j] /= u[j];
    }
    dls_problem *other = problem_from_matrix(d->n, d->A, d->b, d->lo, d->hi);
    dls_dense_destroy(d);
    return other;
}

/* Mixed units (newton metres beside newtons, grams beside tonnes) change nothing: the residual is taken in the first
 * units. */
static inline void assert_solves_in_any_units(const char *name)
{
    enum { n = 30 };
    double u[n], lambda[n], w[n];
    for (int i = 0; i < n; i++)
        u[i] = pow(10.0, (double)(7 * i % 13) / 2.0 - 3.0);
    for (int matrix = DLS_MATRIX_DEFINITE; matrix <= DLS_MATRIX_P; matrix++)
        for (unsigned long seed = 1; seed <= 10; seed++) {
            dls_recipe recipe = {(dls_matrix_class)matrix, DLS_BOUNDS_BOXED, n, 0.2, seed};
            dls_report report = {0};
            dls_problem *problem = problem_from_recipe(&recipe, NULL, NULL);
            dls_problem *other = in_other_units(problem, u);
            direct_solve(name, other, NULL, lambda, &report);
            assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "other units");
            for (int i = 0; i < n; i++)
                lambda[i] *= u[i];
            assert_below(direct_examine(problem, lambda, w), 1e-11);
            dls_report_release(&report);
            dls_problem_destroy(problem);
            dls_problem_destroy(other);
        }
}

/* A = G G^T with G^T y = 0, exactly, for a chosen y that is positive on lower-bounded rows, of any sign on free ones, 0
 * on boxed ones, and b.y = -|y|^2: y is a Farkas vector. Rows are lower-bounded, free and boxed in turn, or all
 * lower-bounded. */
static inline dls_problem *infeasible_problem(size_t n, bool mixed)
{
    size_t rank = n / 2;
    double *A = calloc(n * n + n * rank + 4 * n, sizeof *A), *G = A + n * n, *y = G + n * rank, *b = y + n, *lo = b + n,
           *hi = lo + n;
    unsigned state = 2385;
    assert_non_null(A);
    for (size_t i = 0; i < n; i++) {
        size_t kind = mixed ? i % 3 : 0;
        y[i] = kind == 0 ? 1.0 + (double)(i % 7) : kind == 1 ? (i % 2 ? -2.0 : 3.0) : 0.0;
        lo[i] = kind == 0 ? 0.0 : kind == 1 ? -HUGE_VAL : -1.0;
        hi[i] = kind == 2 ? 2.0 : HUGE_VAL;
    }
    for (size_t c = 0; c < rank; c++)
        for (size_t i = 0; i < n; i++) { /* g_i e_j - g_j e_i with g = y, and free entries where y is 0 */
            state = state * 1664525u + 1013904223u;
            size_t j = (i + 1 + (state >> 8) % (n - 1)) % n;
            double size = (double)((state >> 20) % 5) - 2.0;
            G[i + n * c] += y[i] == 0.0 ? size : size * y[j];
            G[j + n * c] -= y[i] == 0.0 ? 0.0 : size * y[i];
        }
    for (size_t j = 0; j < n; j++) {
        b[j] = -y[j];
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < rank; c++)
                A[i + n * j] += 0x1p-10 * G[i + n * c] * G[j + n * c];
    }
    dls_problem *problem = problem_from_matrix(n, A, b, lo, hi);
    free(A);
    return problem;
}

static inline void assert_proves_infeasible_problems(const char *name)
{
    for (size_t n = 3; n <= 60; n += 19)
        for (int mixed = 0; mixed < 2; mixed++) {
            double lambda[60];
            dls_report report = {0};
            dls_problem *problem = infeasible_problem(n, mixed != 0);
            direct_solve(name, problem, NULL, lambda, &report);
            assert_proves_no_solution(problem, &report);
            dls_report_release(&report);
            dls_problem_destroy(problem);
        }
}

/* Three free rows, of which the third is the sum of the others, and a lower-bounded row: J = [1 0; 0 1; 1 1; 1 -1], A =
 * J J^T. */
static inline dls_problem *redundant_free_rows(double contradiction)
{
    const double J[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}}, v[2] = {-0.7, 0.4};
    double A[16], b[4], lo[4] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, 0.0},
                        hi[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < 4; i++) {
        b[i] = J[i][0] * v[0] + J[i][1] * v[1];
        for (int j = 0; j < 4; j++)
            A[i + 4 * j] = J[i][0] * J[j][0] + J[i][1] * J[j][1];
    }
    b[2] += contradiction;
    return problem_from_matrix(4, A, b, lo, hi);
}

static inline void assert_handles_redundant_free_rows(const char *name, bool proves)
{
    double lambda[4], w[4];
    dls_report report = {0};
    dls_problem *problem;
    for (int k = 0; k < 2; k++) {
        problem = redundant_free_rows(1e-13 * k); /* a contradiction that is rounding */
        direct_solve(name, problem, NULL, lambda, &report);
        assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "redundant free rows");
        assert_below(direct_examine(problem, lambda, w), 1e-12);
        dls_problem_destroy(problem);
    }
    problem = redundant_free_rows(0.5);
    direct_solve(name, problem, NULL, lambda, &report);
    if (proves)
        assert_proves_no_solution(problem, &report);
    else
        assert_true(report.outcome == DLS_OUTCOME_NUMERICAL_FAILURE || report.outcome == DLS_OUTCOME_ITERATION_LIMIT);
    dls_problem_destroy(problem);
    dls_report_release(&report);
}

#endif
