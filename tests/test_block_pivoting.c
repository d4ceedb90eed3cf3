/* Block principal pivoting and its two safeguards. */
#include "direct_solve.h"
#include "examined.h"

static const char NAME[] = "block-pivoting";

TEST(test_solves_manufactured_problems)
{
    const size_t sizes[] = {1, 2, 3, 10, 40, 100, 200};
    assert_solves_all(NAME, sizes, sizeof sizes / sizeof sizes[0], 3);
}

TEST(test_solves_rank_deficient_problems_without_a_shift) { assert_solves_rank_deficient(NAME); }

TEST(test_proves_that_problems_have_no_solution) { assert_proves_infeasible_problems(NAME); }

TEST(test_redundant_free_rows) { assert_handles_redundant_free_rows(NAME, true); }

/* Murty's matrix, on which a rule that exchanges single rows may take 2^n - 1 rounds: unit lower triangle with 2 below
 * it. */
static dls_problem *murty(void)
{
    double A[64] = {0}, b[8];
    for (size_t j = 0; j < 8; j++) {
        b[j] = -1.0 - 0.01 * (double)j;
        for (size_t i = j; i < 8; i++)
            A[i + 8 * j] = i == j ? 1.0 : 2.0;
    }
    return problem_from_matrix(8, A, b, NULL, NULL);
}

TEST(test_single_exchanges_are_named)
{
    const char *const options[] = {"patience=0", NULL};
    double lambda[8], w[8];
    dls_report report = {0};
    dls_problem *problem = murty();
    direct_solve(NAME, problem, options, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "Murty's matrix");
    assert_non_null(strstr(report.message, "single exchanges"));
    assert_below(direct_examine(problem, lambda, w), 1e-14);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

/* A = 3 v v^T in whole numbers is singular exactly, and a Cholesky factor's second pivot is the rounding of A_22 alone,
 * which may be positive: neither free rows nor rows of [0, inf) that are all wanted inside may be factored with it. */
TEST(test_pivots_that_are_rounding)
{
    for (int first = 1; first <= 40; first++)
        for (int second = 1; second <= 40; second += 3)
            for (int bounded = 0; bounded < 2; bounded++) {
                const double v[2] = {first, second},
                             A[4] = {3.0 * v[0] * v[0], 3.0 * v[0] * v[1], 3.0 * v[0] * v[1], 3.0 * v[1] * v[1]};
                const double b[2] = {-6.0 * v[0], -6.0 * v[1]}, lo[2] = {-HUGE_VAL, -HUGE_VAL};
                double lambda[2], w[2];
                dls_report report = {0};
                dls_problem *problem = problem_from_matrix(2, A, b, bounded ? NULL : lo, NULL);
                direct_solve(NAME, problem, NULL, lambda, &report);
                assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "3 v v^T");
                assert_below(direct_examine(problem, lambda, w), 1e-12);
                dls_report_release(&report);
                dls_problem_destroy(problem);
            }
}

TEST(test_limit_is_reported)
{
    const char *const options[] = {"patience=0", "limit=1", NULL};
    double lambda[8];
    dls_report report = {0};
    dls_problem *problem = murty();
    direct_solve(NAME, problem, options, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_ITERATION_LIMIT, "some rounds of 255");
    assert_in_range(report.iterations, 1, 254);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

/* G diag(10^(-6 k / n)) G^T + 1e-9: blocks of exchanges cycle on about a tenth of these at n = 12, more than on random
 * ones. */
static dls_problem *stiff(unsigned *state)
{
    enum { n = 12 };
    double A[n * n] = {0}, G[n * n], b[n];
    for (int k = 0; k < n * n; k++) {
        *state = *state * 1664525u + 1013904223u;
        G[k] = (double)(*state >> 8) / 8388608.0 - 1.0;
    }
    for (int j = 0; j < n; j++) {
        *state = *state * 1664525u + 1013904223u;
        b[j] = (double)(*state >> 8) / 8388608.0 - 1.0;
        for (int i = 0; i < n; i++) {
            A[i + n * j] = i == j ? 1e-9 : 0.0;
            for (int k = 0; k < n; k++)
                A[i + n * j] += G[i + n * k] * G[j + n * k] * pow(10.0, -0.5 * k);
        }
    }
    return problem_from_matrix(n, A, b, NULL, NULL);
}

TEST(test_cycles_are_broken)
{
    unsigned state = 1;
    for (int k = 0; k < 300; k++) {
        double lambda[12], w[12];
        dls_report report = {0};
        dls_problem *problem = stiff(&state);
        direct_solve(NAME, problem, NULL, lambda, &report);
        assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "a stiff problem");
        assert_below(direct_examine(problem, lambda, w), 1e-9);
        dls_report_release(&report);
        dls_problem_destroy(problem);
    }
}

static double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1.0;
}

/* A triangular P-matrix in disorder whose inverse grows to about 1e8, boxes of [-1, 1], half of the rows at their
 * bounds degenerate: b = w - A lambda. */
static dls_problem *growing(unsigned *state)
{
    enum { n = 60 };
    double A[n * n] = {0}, b[n] = {0}, lo[n], hi[n];
    size_t order[n];
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n - 1; i > 0; i--) {
        size_t j = (size_t)(0.4999 * (draw(state) + 1.0) * (double)(i + 1)), kept = order[i];
        order[i] = order[j], order[j] = kept;
    }
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++)
            A[order[i] + n * order[j]] = i == j ? 1.0 : 2.0 * draw(state);
    for (size_t j = 0; j < n; j++) {
        double place = 1.6 * draw(state), lambda = fmin(fmax(place, -1.0), 1.0), w = fmin(draw(state), 0.0);
        lo[j] = -1.0, hi[j] = 1.0;
        b[j] += fabs(lambda) < 1.0 ? 0.0 : lambda * w;
        for (size_t i = 0; i < n; i++)
            b[i] -= A[i + n * j] * lambda;
    }
    return problem_from_matrix(n, A, b, lo, hi);
}

/* Whatever the kernel of the BLAS rounds like, some of these bring back sets that they had. */
TEST(test_sets_that_rounding_brings_back)
{
    unsigned state = 1;
    for (int k = 0; k < 100; k++) {
        double lambda[60], w[60];
        dls_report report = {0};
        dls_problem *problem = growing(&state);
        direct_solve(NAME, problem, NULL, lambda, &report);
        assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "a degenerate P-matrix with a large inverse");
        assert_below(direct_examine(problem, lambda, w), 1e-11);
        dls_report_release(&report);
        dls_problem_destroy(problem);
    }
}

/* w_0 = lambda_1 - 1 = 0 and w_1 = -lambda_0 + 2 lambda_1: the free row's own block is 0. */
TEST(test_second_start_is_named)
{
    const double A[4] = {0, -1, 1, 2}, b[2] = {-1, 0}, lo[2] = {-HUGE_VAL, 0}, hi[2] = {HUGE_VAL, HUGE_VAL};
    double lambda[2];
    dls_report report = {0};
    dls_problem *problem = problem_from_matrix(2, A, b, lo, hi);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "a singular free block");
    assert_non_null(strstr(report.message, "started again"));
    assert_close(lambda[0], 2.0, 1e-15);
    assert_close(lambda[1], 1.0, 1e-15);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

/* w_0 = 2 lambda_1 - 1 >= 0 needs lambda_1 > 0, so w_1 = lambda_0 + 0.5 = 0, but lambda_0 >= 0: no solution; the
 * diagonal is 0. */
TEST(test_zero_diagonal_hides_no_violation)
{
    const double A[4] = {0, 1, 2, 0}, b[2] = {-1, 0.5};
    double lambda[2];
    dls_report report = {0};
    dls_problem *problem = problem_from_matrix(2, A, b, NULL, NULL);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_NUMERICAL_FAILURE, "no solution, no P-matrix");
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

TEST(test_descent_is_named)
{
    const double A[4] = {1, 1, 1, 1}, b[2] = {-2.385, -2.385};
    double lambda[2], w[2];
    dls_report report = {0};
    dls_problem *problem = problem_from_matrix(2, A, b, NULL, NULL);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "two equal rows");
    assert_non_null(strstr(report.message, "descent on faces"));
    assert_close(lambda[0] + lambda[1], 2.385, 1e-15);
    assert_below(direct_examine(problem, lambda, w), 1e-15);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

TEST(test_says_that_a_matrix_is_indefinite)
{
    const double A[4] = {1, 3, 3, 1}, b[2] = {-1, -1}, lo[2] = {-HUGE_VAL, -HUGE_VAL}, hi[2] = {HUGE_VAL, HUGE_VAL};
    double lambda[2];
    dls_report report = {0};
    dls_problem *problem = problem_from_matrix(2, A, b, lo, hi);
    direct_solve(NAME, problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "an indefinite matrix"); /* by the last step: lambda = 1/4 */
    assert_non_null(strstr(report.message, "not positive semidefinite"));
    assert_non_null(strstr(report.message, "the last step goes on"));
    assert_close(lambda[0], 0.25, 0.0);
    assert_close(lambda[1], 0.25, 0.0);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

TEST(test_units_change_nothing) { assert_solves_in_any_units(NAME); }

/* Y. Fathi, "Computational complexity of LCPs associated with positive definite symmetric matrices", Math. Prog. 17
 * (1979): A = L L^T, L unit lower triangular with 2 below, b = -1: the solution is the first unit vector, Murty's rule
 * takes 2^n - 1 exchanges to it. */
TEST(test_fathi_is_solved)
{
    enum { N = 100 };
    static double A[N * N], b[N], lambda[N], w[N];
    dls_report report = {0};
    for (size_t i = 0; i < N; i++) {
        b[i] = -1.0;
        for (size_t j = 0; j < N; j++)
            A[i + N * j] = 4.0 * (double)(i < j ? i : j) + (i == j ? 1.0 : 2.0);
    }
    dls_problem *problem = problem_from_matrix(N, A, b, NULL, NULL);
    direct_solve("block-pivoting", problem, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "Fathi");
    assert_below(direct_examine(problem, lambda, w), 1e-12);
    for (size_t i = 0; i < N; i++)
        assert_close(lambda[i], i == 0 ? 1.0 : 0.0, 1e-12);
    dls_report_release(&report);
    dls_problem_destroy(problem);
}

/* At rest w is 0 on every row, at whichever bound it starts, and that is no wrong sign; and a row whose bounds coincide
 * has no other set to go to, whatever its w. Nothing is factored. */
TEST(test_nothing_to_do_is_done_in_one_round)
{
    const double A[9] = {1, 1, 0, 1, 1, 0, 0, 0, 2}, rest[3] = {0}, pushed[3] = {-1, 2, -3},
                 none[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, fixed[3] = {0.25, -0.5, 0};
    const struct {
        const double *b, *lo, *hi;
    } cases[] = {{rest, rest, NULL}, {rest, none, rest}, {pushed, fixed, fixed}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double lambda[3];
        dls_report report = {0};
        dls_problem *problem = problem_from_matrix(3, A, cases[k].b, cases[k].lo, cases[k].hi);
        direct_solve(NAME, problem, NULL, lambda, &report);
        assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "nothing to do");
        assert_in_range(report.iterations, 0, 1);
        assert_int_equal(report.factorizations, 0);
        for (int i = 0; i < 3; i++)
            assert_close(lambda[i], k == 2 ? fixed[i] : 0.0, 0.0);
        dls_report_release(&report);
        dls_problem_destroy(problem);
    }
}

/* A definite matrix breaks nothing down: with its free rows eliminated first, exchanges alone lead to the solution. */
TEST(test_definite_problems_need_no_descent)
{
    const size_t sizes[] = {2, 5, 30, 120};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            const size_t n = sizes[k];
            const dls_recipe recipe = {DLS_MATRIX_DEFINITE, DLS_BOUNDS_BOXED, n, 0.0, seed};
            double *lambda = test_calloc(n, sizeof *lambda);
            dls_report report = {0};
            dls_problem *problem = problem_from_recipe(&recipe, lambda, NULL);
            direct_solve(NAME, problem, NULL, lambda, &report);
            assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "definite");
            assert_string_equal(report.message, "");
            dls_report_release(&report);
            dls_problem_destroy(problem);
            test_free(lambda);
        }
}
