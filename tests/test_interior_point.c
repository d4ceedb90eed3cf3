/* The interior-point method, its purification and its proofs. */
#include "direct_solve.h"
#include "examined.h"

static const char NAME[] = "interior-point";

TEST(test_solves_manufactured_problems)
{
    const size_t sizes[] = {1, 2, 3, 10, 40, 100, 200};
    assert_solves_all(NAME, sizes, sizeof sizes / sizeof sizes[0], 2);
}

TEST(test_solves_rank_deficient_problems_without_a_shift) { assert_solves_rank_deficient(NAME); }

TEST(test_proves_that_problems_have_no_solution) { assert_proves_infeasible_problems(NAME); }

TEST(test_redundant_free_rows)
{
    assert_handles_redundant_free_rows(NAME, true);
    double lambda[4];
    dls_report report = {0};
    dls_problem *problem = redundant_free_rows(0.0);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_non_null(strstr(report.message, "1 redundant free rows held at 0; purified"));
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

/* Rows that are held are counted, and told. */
TEST(test_held_rows_are_named)
{
    double lambda[4];
    dls_report report = {0};
    dls_problem *problem = redundant_free_rows(0.0);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, NAME);
    assert_non_null(strstr(report.message, "1 redundant free rows held at 0; "));
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

/* J = [1 0; 0.5 0.75; 1.5 0.75]: the third row is the sum of the others, and b is not. The null vector follows from a
 * system with the two rows that stay. */
TEST(test_contradictions_are_named)
{
    enum { N = 3 };
    static const double A[N * N] = {1.0, 0.5, 1.5, 0.5, 0.8125, 1.3125, 1.5, 1.3125, 2.8125}, b[N] = {1.0, -2.0, 0.5};
    static const double lo[N] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, hi[N] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double lambda[N];
    dls_report report = {0};
    dls_problem *problem = problem_from_matrix(N, A, b, lo, hi);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_NO_SOLUTION, NAME);
    if (!strstr(report.message, "depends on other free rows and contradicts them"))
        fail_msg("'%s'", report.message);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

TEST(test_purification_is_named)
{
    const dls_recipe recipe = {DLS_MATRIX_SEMIDEFINITE, DLS_BOUNDS_BOXED, 20, 0.3, 3};
    double lambda[20];
    dls_report report = {0};
    dls_problem *problem = problem_from_recipe(&recipe, NULL, NULL);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, NAME);
    assert_non_null(strstr(report.message, "purified"));
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

/* Equal bounds leave nothing to solve for; a row that nothing moves keeps its w. */
TEST(test_fixed_and_dead_rows)
{
    const double A[9] = {2, 1, 0, 1, 2, 0, 0, 0, 0}, b[3] = {-3, 0.5, 0.25}, lo[3] = {0, -0.3, 0},
                 hi[3] = {HUGE_VAL, -0.3, HUGE_VAL};
    double lambda[3], w[3];
    dls_report report = {0};
    dls_problem *problem = problem_from_matrix(3, A, b, lo, hi);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, NAME);
    assert_close(lambda[0], 1.65, 1e-14);
    assert_close(lambda[1], -0.3, 0.0);
    assert_below(direct_examine(problem, lambda, w), 1e-13);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

/* Symmetric, free rows, indefinite: a null pivot there is no null vector. */
TEST(test_indefinite_problem_is_not_called_unsolvable)
{
    const double A[4] = {0, 1, 1, 0}, b[2] = {-1, 2}, lo[2] = {-HUGE_VAL, -HUGE_VAL}, hi[2] = {HUGE_VAL, HUGE_VAL};
    double lambda[2];
    dls_report report = {0};
    dls_problem *problem = problem_from_matrix(2, A, b, lo, hi);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "an indefinite system");
    assert_close(lambda[0], -2.0, 1e-14);
    assert_close(lambda[1], 1.0, 1e-14);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

TEST(test_units_change_nothing) { assert_solves_in_any_units(NAME); }

/* Mehrotra's steps are a few dozen whatever the size, if the directions are right; each has a factorisation, and so has
 * each round of the purification. */
TEST(test_steps_are_few_and_counted)
{
    size_t most = 0;
    for (int matrix = DLS_MATRIX_DEFINITE; matrix <= DLS_MATRIX_P; matrix++)
        for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED; bounds++)
            for (unsigned long seed = 1; seed <= 10; seed++) {
                enum { n = 40 }; /* whole cache lines: vectors lie next to each other */
                const dls_recipe recipe = {(dls_matrix_class)matrix, (dls_bounds_class)bounds, n, 0.0, seed};
                double lambda[n];
                dls_report report = {0};
                dls_problem *problem = problem_from_recipe(&recipe, NULL, NULL);
                direct_solve(NAME, problem, NULL, lambda, &report);
                assert_outcome_is(&report, DLS_OUTCOME_SOLVED, NAME);
                assert_true(report.factorizations <=
                            report.iterations + 20); /* a step has one, if it is not repeated */
                most = report.iterations > most ? report.iterations : most;
                dls_report_release(&report);
                dls_problem_destroy(problem);
            }
    print_message("# %zu steps at most\n", most);
    assert_true(most <= 40); /* the gap of complementarity falls by a factor of 3 or more in each */
}
