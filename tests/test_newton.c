/* The semismooth Newton method. */
#include "direct_solve.h"
#include "draws.h"
#include "examined.h"

static const char NAME[] = "newton";

TEST(test_solves_manufactured_problems)
{
    const size_t sizes[] = {1, 2, 3, 10, 40, 100, 200};
    assert_solves_all(NAME, sizes, sizeof sizes / sizeof sizes[0], 2);
}

TEST(test_redundant_free_rows) { assert_handles_redundant_free_rows(NAME, false); }

/* No solution: whatever ends it, it is not "solved", and no NaN. */
TEST(test_problems_without_solution_are_not_solved)
{
    for (size_t n = 3; n <= 60; n += 19)
        for (int mixed = 0; mixed < 2; mixed++) {
            double lambda[60];
            dls_report report = {0};
            dls_problem *problem = infeasible_problem(n, mixed != 0);
            direct_solve(NAME, problem, NULL, lambda, &report);
            assert_true(report.outcome == DLS_OUTCOME_NUMERICAL_FAILURE ||
                        report.outcome == DLS_OUTCOME_ITERATION_LIMIT);
            for (size_t i = 0; i < n; i++)
                assert_true(isfinite(lambda[i]));
            dls_report_release(&report);
            dls_problem_destroy(problem);
        }
}

TEST(test_damped_steps_are_named)
{
    const double A[4] = {1, 2, 1, 2}, b[2] = {-2.385, -4.77}, lo[2] = {-HUGE_VAL, -HUGE_VAL},
                 hi[2] = {HUGE_VAL, HUGE_VAL};
    double lambda[2], w[2];
    dls_report report = {0};
    dls_problem *problem = problem_from_matrix(2, A, b, lo, hi);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "dependent free rows");
    assert_non_null(strstr(report.message, " steps of Levenberg and Marquardt"));
    assert_below(direct_examine(problem, lambda, w), 1e-12);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

/* Free rows with A = (1, 1/2)^T (1, 2), singular and unsymmetric: H = A, Phi = b at 0, and one step from there is
 * -(A^T A + nu)^-1 A^T b = -(b_1 + b_2 / 2) / (6.25 + nu) (1, 2), nu = min(|b|^2, damping). */
TEST(test_damped_step_is_exact)
{
    static const struct {
        const char *damping;
        double nu;
    } cases[] = {{"damping=0.5", 0.5}, {"damping=1000", 1.25}};
    const double A[4] = {1, 0.5, 2, 1}, b[2] = {-1, 0.5}, lo[2] = {-HUGE_VAL, -HUGE_VAL}, hi[2] = {HUGE_VAL, HUGE_VAL};
    for (size_t k = 0; k < 2; k++) {
        const char *const options[] = {"limit=1", cases[k].damping, NULL};
        double lambda[2];
        dls_report report = {0};
        dls_problem *problem = problem_from_matrix(2, A, b, lo, hi);
        direct_solve(NAME, problem, options, lambda, &report);
        assert_int_not_equal(report.outcome, DLS_OUTCOME_SOLVED);
        assert_close(lambda[0], 0.75 / (6.25 + cases[k].nu), 1e-15);
        assert_close(lambda[1], 1.5 / (6.25 + cases[k].nu), 1e-15);
        assert_in_range(report.factorizations, 1, 2); /* of H, which is singular, and of H^T H + nu */
        dls_report_release(&report);
        dls_problem_destroy(problem);
    }
}

TEST(test_held_rows_are_named)
{
    const double A[4] = {1, 1, 1, 1}, b[2] = {-2.385, -2.385}, lo[2] = {-HUGE_VAL, -HUGE_VAL},
                 hi[2] = {HUGE_VAL, HUGE_VAL};
    double lambda[2], w[2];
    dls_report report = {0};
    dls_problem *problem = problem_from_matrix(2, A, b, lo, hi);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "two equal free rows");
    assert_non_null(strstr(report.message, ", 1 redundant"));
    assert_below(direct_examine(problem, lambda, w), 1e-15);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

/* After one step, along the zeros of the smoothed function: to the same solution. */
TEST(test_continuations_solve)
{
    const char *const options[] = {"patience=1", NULL};
    for (int matrix = DLS_MATRIX_DEFINITE; matrix <= DLS_MATRIX_P; matrix++)
        for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED; bounds++) {
            enum { n = 40 };
            dls_recipe recipe = {(dls_matrix_class)matrix, (dls_bounds_class)bounds, n, 0.3, 7};
            double lambda[n], w[n], chosen[n];
            dls_report report = {0};
            dls_problem *problem = problem_from_recipe(&recipe, NULL, chosen);
            direct_solve(NAME, problem, options, lambda, &report);
            assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "a continuation");
            assert_non_null(strstr(report.message, " 1 continuations"));
            assert_below(direct_examine(problem, lambda, w), 1e-12);
            for (size_t i = 0; i < n; i++)
                assert_close(w[i], chosen[i], 1e-11);
            dls_report_release(&report);
            dls_problem_destroy(problem);
        }
}

/* Triangular P-matrices and their products, rows in disorder. Whole steps alone, each of which must halve the merit
 * function, often end far from a solution; the last step goes on from there, by exchanges of all wrong rows, and of
 * single ones where that returns to the same rows. */
TEST(test_the_last_step_goes_on)
{
    static const char *const options[] = {"shortest=1", "decrease=0.5", "limit=100", NULL};
    enum { MOST = 12 };
    size_t went_on = 0, factorizations = 0;
    draw_seed(7);
    for (int k = 0; k < 400; k++) {
        double L[MOST][MOST] = {{0.0}}, A[MOST * MOST], b[MOST], lambda[MOST], w[MOST];
        size_t n = (size_t)draw(2, MOST), order[MOST];
        for (size_t i = 0; i < n; i++) {
            size_t j = (size_t)draw(0, (int)i);
            order[i] = order[j], order[j] = i;
            b[i] = -draw(1, 3);
            for (j = 0; j <= i; j++)
                L[i][j] = i == j ? 1.0 : k % 4 < 2 ? 2.0 : draw(-3, 3);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double *a = &A[order[i] + n * order[j]];
                *a = k % 2 ? L[i][j] : 0.0;
                for (size_t m = 0; k % 2 == 0 && m < n; m++)
                    *a += L[i][m] * L[j][m];
            }
        dls_problem *problem = problem_from_matrix(n, A, b, NULL, NULL);
        dls_report report = {0};
        direct_solve(NAME, problem, options, lambda, &report);
        assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "a P-matrix");
        assert_below(direct_examine(problem, lambda, w), 1e-12);
        factorizations += report.factorizations;
        went_on += strstr(report.message, "the last step goes on from there to a solution") != NULL;
        dls_report_release(&report);
        dls_problem_destroy(problem);
    }
    print_message("# the last step went on in %zu of 400, %zu factorizations\n", went_on, factorizations);
    assert_true(went_on > 300);
    assert_in_range(factorizations, 3000, 4000); /* of Newton's steps, and one each time that rows are exchanged */
}

/* Where steps of Levenberg and Marquardt no longer change which rows are at a bound, the step of the natural map ends
 * the search. */
TEST(test_the_natural_map_ends_it)
{
    size_t all = 0, damped = 0;
    for (unsigned long seed = 1; seed <= 20; seed++)
        for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED; bounds++) {
            enum { n = 40 };
            dls_recipe recipe = {DLS_MATRIX_SEMIDEFINITE, (dls_bounds_class)bounds, n, 0.3, seed};
            double lambda[n];
            dls_report report = {0};
            dls_problem *problem = problem_from_recipe(&recipe, NULL, NULL);
            direct_solve(NAME, problem, NULL, lambda, &report);
            assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "a semidefinite matrix");
            all += report.iterations;
            damped += strstr(report.message, "steps of Levenberg") != NULL;
            dls_report_release(&report);
            dls_problem_destroy(problem);
        }
    print_message("# %zu steps in all, some damped in %zu of 40\n", all, damped);
    assert_in_range(damped, 10, 40);
    assert_in_range(all, 400, 640); /* 507 to 567, by the kernel and the threads of the BLAS */
}

TEST(test_units_change_nothing) { assert_solves_in_any_units(NAME); }

/* Free rows with velocities of `rank` dimensions: A = J J^T, b = J v. The pivots that remain when the rank is reached
 * are the rounding of m products each, and are taken for such. */
TEST(test_many_redundant_rows_are_held)
{
    enum { M = 60, RANK = 20 };
    static double J[M][RANK], A[M * M], b[M], lo[M], hi[M], lambda[M], w[M];
    unsigned state = 2385;
    for (int k = 0; k < 20; k++) {
        char held[64];
        double v[RANK];
        dls_report report = {0};
        for (size_t r = 0; r < RANK; r++) {
            state = state * 1664525u + 1013904223u;
            v[r] = (double)(state >> 8) / 8388608.0 - 1.0;
        }
        for (size_t i = 0; i < M; i++) {
            b[i] = 0.0, lo[i] = -HUGE_VAL, hi[i] = HUGE_VAL;
            for (size_t r = 0; r < RANK; r++) {
                state = state * 1664525u + 1013904223u;
                J[i][r] = (double)(state >> 8) / 8388608.0 - 1.0;
                b[i] += J[i][r] * v[r];
            }
            for (size_t j = 0; j <= i; j++) {
                A[i + M * j] = 0.0;
                for (size_t r = 0; r < RANK; r++)
                    A[i + M * j] += J[i][r] * J[j][r];
                A[j + M * i] = A[i + M * j];
            }
        }
        dls_problem *problem = problem_from_matrix(M, A, b, lo, hi);
        direct_solve(NAME, problem, NULL, lambda, &report);
        assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "redundant free rows");
        snprintf(held, sizeof held, " %d redundant free rows", M - RANK);
        if (!strstr(report.message, held))
            fail_msg("'%s' instead of '%s'", report.message, held);
        assert_below(direct_examine(problem, lambda, w), 1e-13);
        dls_report_release(&report);
        dls_problem_destroy(problem);
    }
}
