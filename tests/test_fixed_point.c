/* Friction bounded by the current normal impulse, by the fixed point on the bounds. */
#include "direct_solve.h"
#include "examined.h"

#include <stdio.h>
#include <string.h>

static const char NAME[] = "fixed-point";

TEST(test_plain_problems_take_one_pass)
{
    const dls_recipe recipe = {DLS_MATRIX_DEFINITE, DLS_BOUNDS_BOXED, 30, 0.1, 7};
    double lambda[30], w[30];
    dls_report report = {0};
    dls_problem *problem = problem_from_recipe(&recipe, NULL, NULL);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, NAME);
    assert_in_range(report.iterations, 0, 1); /* without friction the first problem is the whole one */
    assert_below(direct_examine(problem, lambda, w), 1e-13);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

/* A normal row and a tangent row each of `contacts`, on a manufactured matrix, pressed and dragged. */
static dls_problem *frictional(size_t contacts, double mu, dls_matrix_class matrix, unsigned long seed)
{
    const dls_recipe recipe = {matrix, DLS_BOUNDS_LCP, 2 * contacts, 0.0, seed};
    dls_error error = {0};
    dls_problem *problem = problem_from_recipe(&recipe, NULL, NULL);
    for (size_t k = 0; k < contacts; k++) {
        size_t t = 2 * k + 1;
        problem->parent[t] = 2 * k;
        problem->law[t] = DLS_LAW_BOX;
        problem->mu[t] = mu;
        problem->hi[t] = 0.0;
        problem->c[t] = k % 2 ? 1.7 : -0.9;
    }
    problem->n_coupled = contacts;
    assert_status(dls_problem_check(problem, &error), &error);
    return problem;
}

TEST(test_bounds_follow_the_normal_impulses)
{
    for (unsigned long seed = 1; seed <= 20; seed++) {
        double lambda[40], w[40];
        dls_report report = {0};
        dls_problem *problem = frictional(20, 0.3, DLS_MATRIX_DEFINITE, seed);
        direct_solve(NAME, problem, NULL, lambda, &report);
        assert_outcome_is(&report, DLS_OUTCOME_SOLVED, NAME);
        assert_true(report.iterations > 1);
        assert_below(direct_examine(problem, lambda, w), 1e-12);
        size_t sliding = 0;
        for (size_t k = 0; k < 20; k++) {
            double bound = 0.3 * lambda[2 * k];
            assert_true(fabs(lambda[2 * k + 1]) <= bound);
            sliding += bound > 0.0 && fabs(lambda[2 * k + 1]) == bound;
        }
        assert_true(sliding > 0);
        dls_report_release(&report);
        dls_problem_destroy(problem);
    }
}

/* Redundant contacts: the normal impulses are not unique, and each pass has to stay near the one before. */
TEST(test_redundant_contacts)
{
    size_t solved = 0;
    for (unsigned long seed = 1; seed <= 20; seed++) {
        double lambda[40], w[40];
        dls_report report = {0};
        dls_problem *problem = frictional(20, 0.2, DLS_MATRIX_SEMIDEFINITE, seed);
        direct_solve(NAME, problem, NULL, lambda, &report);
        assert_int_not_equal(report.outcome, DLS_OUTCOME_RUNNING);
        if (report.outcome == DLS_OUTCOME_SOLVED) {
            assert_below(direct_examine(problem, lambda, w), 1e-11);
            solved++;
        }
        if (report.outcome == DLS_OUTCOME_NO_SOLUTION)
            assert_proves_no_solution(problem, &report);
        dls_report_release(&report);
        dls_problem_destroy(problem);
    }
    assert_true(solved >= 15);
}

/* A = [1 a; a 1], b = (-1, -10): slides at first, lambda_t = mu lambda_n, lambda_n = 1 - a mu lambda_n. The map
 * lambda_n -> 1 - a mu lambda_n repels for a mu > 1, then bounces between 0 and 1. */
TEST(test_says_where_it_does_not_contract)
{
    const double A[4] = {1, 0.9, 0.9, 1}, b[2] = {-1, -10};
    double lambda[2];
    const char *const options[] = {"limit=50", NULL};
    for (int steep = 0; steep < 2; steep++) {
        double w[2], mu = steep ? 2.0 : 0.5;
        dls_report report = {0};
        dls_problem *problem = problem_from_matrix(2, A, b, NULL, NULL);
        problem->parent[1] = 0, problem->law[1] = DLS_LAW_BOX, problem->mu[1] = mu, problem->hi[1] = 0.0,
        problem->n_coupled = 1;
        direct_solve(NAME, problem, options, lambda, &report);
        assert_outcome_is(&report, steep ? DLS_OUTCOME_ITERATION_LIMIT : DLS_OUTCOME_SOLVED, NAME);
        if (steep)
            assert_int_equal(report.iterations, 50);
        else {
            assert_close(lambda[0], 1.0 / 1.45, 1e-13);
            assert_below(direct_examine(problem, lambda, w), 1e-13);
        }
        dls_report_release(&report);
        dls_problem_destroy(problem);
    }
}

/* The limit of the work ends the method behind the outer iteration that a limit of their number ends it behind, with
 * the same impulses: it counts factorisations, and no time. n^3 / 3 = 21,333 for 40 rows. */
TEST(test_work_has_a_limit)
{
    double none[40] = {0}, limited[40], counted[40];
    char limit[32];
    const char *const little[] = {"work=2e4", NULL}, *const some[] = {"work=2e5", NULL};
    const char *const count[] = {limit, NULL};
    dls_report report = {0};
    dls_problem *problem = frictional(20, 0.3, DLS_MATRIX_DEFINITE, 1);
    direct_solve(NAME, problem, little, limited, &report);
    assert_outcome_is(&report, DLS_OUTCOME_ITERATION_LIMIT, "less than one factorisation");
    assert_int_equal(report.iterations, 0);
    assert_memory_equal(limited, none, sizeof none);
    direct_solve(NAME, problem, some, limited, &report);
    assert_outcome_is(&report, DLS_OUTCOME_ITERATION_LIMIT, "some factorisations");
    assert_true(report.iterations > 0 && report.factorizations >= 9);
    snprintf(limit, sizeof limit, "limit=%zu", report.iterations);
    direct_solve(NAME, problem, count, counted, &report);
    assert_memory_equal(limited, counted, sizeof counted);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}
