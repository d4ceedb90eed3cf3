/* Block Gauss-Seidel: contacts alone are those of nsgs, an island is solved at once, and a local solver that fails is
 * reported and replaced. */
#include "check.h"
#include "problems.h"

#include "delassus/reference.h"
#include "delassus/solvers.h"

#include "cones.h"

#include <string.h>

static void solve(const char *name, const char *block, const dls_problem *p, size_t iterations, double *lambda,
                  char message[DLS_MESSAGE_MAX])
{
    dls_report report = {0};
    const dls_solver *solver = dls_iterative_find(name);
    dls_settings settings;
    dls_error error;
    assert_status(dls_settings_create(&solver->fields, &settings, &error), &error);
    if (block)
        assert_status(dls_settings_set(&settings, "block", block, &error), &error);
    assert_status(dls_solve(solver, p, settings.values, iterations, lambda, &report, NULL, NULL, &error), &error);
    if (message)
        memcpy(message, report.message, sizeof report.message);
    dls_report_release(&report);
    dls_settings_release(&settings);
}

TEST(test_contacts_alone_are_those_of_nsgs)
{
    for (unsigned seed = 0; seed < 20; seed++) {
        double chosen[30] = {0}, w[30] = {0}, one[30] = {0}, other[30] = {0};
        dls_problem *p = cone_manufacture(1 + seed % 10, seed, chosen, w);
        solve("nsgs", NULL, p, 9, one, NULL);
        solve("block-gs", "contact", p, 9, other, NULL);
        assert_memory_equal(one, other, p->n * sizeof *one);
        dls_problem_destroy(p);
    }
}

/* Each iteration multiplies the error by the share of the proximal term, 1e-8 times the condition of the matrix (40)
 * or less: three leave rounding alone. */
TEST(test_islands_are_solved_at_once)
{
    enum { N = 40 };
    for (unsigned seed = 0; seed < 20; seed++)
        for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED; bounds++) {
            double chosen[N], w[N], lambda[N] = {0};
            const dls_recipe recipe = {DLS_MATRIX_DEFINITE, (dls_bounds_class)bounds, N, 0.1, seed};
            dls_problem *p = problem_from_recipe(&recipe, chosen, w);
            solve("block-gs", "island", p, 3, lambda, NULL);
            for (size_t i = 0; i < N; i++)
                assert_close(lambda[i], chosen[i], 1e-11);
            dls_problem_destroy(p);
        }
}

/* From this start the free row of this P-matrix is the second one, the third, the first and so on (I. Ben Gharbia and J.
 * C. Gilbert, "Nonconvergence of the plain Newton-min algorithm for linear complementarity problems with a P-matrix",
 * 2012). The solution is 0. */
TEST(test_a_local_solver_that_fails_is_reported)
{
    static const double A[9] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, b[3] = {1, 1, 1};
    double lambda[3] = {-1.0, 0.0, 0.0};
    char message[DLS_MESSAGE_MAX];
    dls_problem *p = problem_from_matrix(3, A, b, NULL, NULL);
    solve("block-gs", "island", p, 2, lambda, message);
    assert_non_null(strstr(message, "2 iterations; the local solver failed in "));
    assert_non_null(strstr(message, "first in the block of row 0"));
    dls_problem_destroy(p);
}

/* Redundant rows: two equal ones, as of contacts at one point, are solved by their block. */
TEST(test_redundant_rows)
{
    static const double A[4] = {2, 2, 2, 2}, b[2] = {-1, -1};
    for (int bounded = 0; bounded < 2; bounded++) {
        const double lo[2] = {bounded ? 0.0 : -HUGE_VAL, bounded ? 0.0 : -HUGE_VAL}, hi[2] = {HUGE_VAL, HUGE_VAL};
        double lambda[2] = {0};
        dls_problem *p = problem_from_matrix(2, A, b, lo, hi);
        solve("block-gs", "island", p, 3, lambda, NULL);
        assert_close(2.0 * (lambda[0] + lambda[1]), 1.0, 1e-14);
        assert_close(lambda[0], lambda[1], 1e-7); /* nearest to the start, up to rounding over the proximal term */
        dls_problem_destroy(p);
    }
}
