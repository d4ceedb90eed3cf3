/* The exact search: problems around chosen solutions in whole numbers, with one, several, no solution, or a
 * continuum. */
#include "direct_solve.h"

#include "exact/rational.h"

enum { N = 32 };

static unsigned state = 2385;
static int draw(int from, int to)
{
    state = state * 1664525u + 1013904223u;
    return from + (int)(state >> 8) % (to - from + 1);
}

static double exact_residual(const dls_problem *p, const double *lambda)
{
    dls_rational r;
    dls_error error = {0};
    double residual[200], worst = 0.0;
    assert_status(dls_rational_init(&r, p, &error), &error);
    dls_rational_residual(&r, lambda, residual, NULL);
    for (size_t i = 0; i < p->n; i++)
        worst = fmax(worst, residual[i]);
    dls_rational_clear(&r);
    return worst;
}

/* Every claimed solution is one, exactly, and no two are the same. */
static void assert_outcome(const dls_problem *p, dls_outcome outcome, size_t n_solutions)
{
    double lambda[N];
    dls_report report = {0};
    direct_solve("exact", p, NULL, lambda, &report);
    assert_outcome_is(&report, outcome, "exact");
    assert_int_equal(report.n_solutions, n_solutions);
    assert_int_equal(report.proof, outcome == DLS_OUTCOME_NO_SOLUTION ? DLS_PROOF_ENUMERATION : DLS_PROOF_EXACT);
    for (size_t k = 0; k < n_solutions; k++) {
        assert_true(exact_residual(p, report.solutions + k * p->n) == 0.0);
        for (size_t j = 0; j < k; j++)
            assert_memory_not_equal(report.solutions + j * p->n, report.solutions + k * p->n, p->n * sizeof *lambda);
    }
    assert_true(n_solutions == 0 || memcmp(lambda, report.solutions, p->n * sizeof *lambda) == 0);
    dls_report_release(&report);
}

static void test_known_examples(void **unused)
{
    (void)unused;
    /* the opposite of the identity: each row at 0 or at 1; K. G. Murty (1988): 2^n solutions */
    const double minus[9] = {-1, 0, 0, 0, -1, 0, 0, 0, -1}, one[3] = {1, 1, 1};
    dls_problem *p = problem_of(3, minus, one, NULL, NULL);
    assert_outcome(p, DLS_OUTCOME_SEVERAL, 8);
    dls_problem_destroy(p);
    /* skew: lambda = (1, 1) alone; w = (lambda_2 - 1, 1 - lambda_1) */
    const double skew[4] = {0, -1, 1, 0}, b[2] = {-1, 1};
    p = problem_of(2, skew, b, NULL, NULL);
    assert_outcome(p, DLS_OUTCOME_SOLVED, 1);
    dls_problem_destroy(p);
    /* w_1 = -lambda_2 - 1 < 0 */
    const double none[4] = {0, -1, -1, 0}, c[2] = {-1, 1};
    p = problem_of(2, none, c, NULL, NULL);
    assert_outcome(p, DLS_OUTCOME_NO_SOLUTION, 0);
    dls_problem_destroy(p);
    /* a row that nothing moves, at rest: every lambda within its bounds */
    const double zero[1] = {0}, rest[1] = {0}, lo[1] = {-1}, hi[1] = {2};
    p = problem_of(1, zero, rest, lo, hi);
    assert_outcome(p, DLS_OUTCOME_CONTINUUM, 2);
    dls_problem_destroy(p);
    /* lambda_1 + lambda_2 = 1: a segment; lambda_1 - lambda_2 = 1: a ray; free rows: a line */
    const double ones[4] = {1, 1, 1, 1}, differ[4] = {1, -1, -1, 1}, less[2] = {-1, -1}, apart[2] = {-1, 1},
                 free_lo[2] = {-HUGE_VAL, -HUGE_VAL};
    p = problem_of(2, ones, less, NULL, NULL);
    assert_outcome(p, DLS_OUTCOME_CONTINUUM, 2);
    dls_problem_destroy(p);
    p = problem_of(2, differ, apart, NULL, NULL);
    assert_outcome(p, DLS_OUTCOME_CONTINUUM, 2);
    dls_problem_destroy(p);
    p = problem_of(2, differ, apart, free_lo, NULL);
    assert_outcome(p, DLS_OUTCOME_CONTINUUM, 2);
    dls_problem_destroy(p);
    p = problem_of(2, differ, less, free_lo, NULL); /* 1 = -1 */
    assert_outcome(p, DLS_OUTCOME_NO_SOLUTION, 0);
    dls_problem_destroy(p);
    /* lambda_1 = 0 and any lambda_2 >= 0 on one piece, nothing on the others: A is not monotone */
    const double half[4] = {-1, 0, 0, 0}, half_b[2] = {0, 0};
    p = problem_of(2, half, half_b, NULL, NULL);
    assert_outcome(p, DLS_OUTCOME_CONTINUUM, 2);
    dls_problem_destroy(p);
    /* all is 0: thirty rows, each of which could be in two states */
    double identity[30 * 30] = {0}, nothing[30] = {0};
    for (int i = 0; i < 30; i++)
        identity[31 * i] = i % 2 ? -1.0 : 1.0;
    p = problem_of(30, identity, nothing, NULL, NULL);
    assert_outcome(p, DLS_OUTCOME_SOLVED, 1);
    dls_problem_destroy(p);
}

/* A diagonal that is small beside its rows: lambda = 0, w = b = (0, -4, -2, 0) is no solution, three others are. */
static void test_tiny_diagonal(void **unused)
{
    const double A[16] = {1e-14, 3, 1, 0, 1, 1e-14, -1, 3, 1, -2, 1e-14, 2, 2, 2, 2, 1e-14}, b[4] = {0, -4, -2, 0},
                 lo[4] = {-2, -2, -2, -2}, hi[4] = {0.5, 0, 1, 0};
    double lambda[4];
    dls_report report = {0};
    dls_problem *p = problem_of(4, A, b, lo, hi);
    (void)unused;
    direct_solve("exact", p, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_SEVERAL, "tiny diagonal");
    assert_int_equal(report.n_solutions, 3);
    for (size_t k = 0; k < report.n_solutions; k++)
        assert_below(exact_residual(p, report.solutions + 4 * k), 1e-14); /* lambda rounded, entries up to 3 */
    dls_report_release(&report);
    dls_problem_destroy(p);
}

/* Whole numbers around a chosen solution, of any kind of A: it is among the solutions, or there is a continuum. */
static void test_chosen_solutions_are_found(void **unused)
{
    size_t outcomes[3] = {0};
    (void)unused;
    for (int round = 0; round < 2000; round++) {
        enum { MOST = 6 };
        size_t n = (size_t)draw(1, MOST);
        int kind = draw(0, 3), G[MOST][MOST];
        double A[MOST * MOST] = {0}, b[MOST], lo[MOST], hi[MOST], chosen[MOST], lambda[MOST];
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                G[i][j] = draw(-4, 4);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                for (size_t k = 0; k < n; k++)
                    A[i + n * j] += kind == 0   ? (double)(G[i][k] * G[j][k])
                                    : kind == 1 ? k == 0 ? G[i][j] : 0.0
                                    : kind == 2 ? k == 0 ? G[i][j] - G[j][i] : 0.0
                                    : k == 0    ? (double)(G[i][0] * G[j][0])
                                                : 0.0;
        for (size_t i = 0; i < n; i++) {
            int bounds = draw(0, 3), place = draw(0, 2);
            double w = 0.0;
            lo[i] = bounds == 0 ? -HUGE_VAL : (double)draw(-2, 0);
            hi[i] = bounds <= 1 ? HUGE_VAL : bounds == 2 ? lo[i] : lo[i] + draw(1, 3);
            chosen[i] = bounds == 0 ? draw(-3, 3) : lo[i] + (place == 0 ? 0.5 : 0.0);
            if (bounds == 3 && place == 2)
                chosen[i] = hi[i];
            if (bounds == 2)
                chosen[i] = lo[i], w = draw(-2, 2);
            else if (bounds != 0 && place > 0)
                w = (bounds == 3 && place == 2 ? -1.0 : 1.0) * draw(0, 2);
            b[i] = w;
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                b[i] -= A[i + n * j] * chosen[j];
        dls_problem *p = problem_of(n, A, b, lo, hi);
        dls_report report = {0};
        direct_solve("exact", p, NULL, lambda, &report);
        assert_true(exact_residual(p, chosen) == 0.0);
        bool isolated = report.outcome == DLS_OUTCOME_SOLVED || report.outcome == DLS_OUTCOME_SEVERAL;
        bool found = false;
        for (size_t k = 0; k < report.n_solutions; k++)
            found = found || memcmp(report.solutions + n * k, chosen, n * sizeof *chosen) == 0;
        if (!(isolated ? found : report.outcome == DLS_OUTCOME_CONTINUUM))
            fail_msg("round %d: %s, %s", round, dls_outcome_text(report.outcome), report.message);
        outcomes[isolated ? report.outcome == DLS_OUTCOME_SEVERAL : 2]++;
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
    print_message("# chosen solutions: one %zu, several %zu, a continuum %zu\n", outcomes[0], outcomes[1], outcomes[2]);
    for (int k = 0; k < 3; k++)
        assert_true(outcomes[k] > 50);
}

/* Definite and monotone problems of 30 rows have one solution; its doubles are the nearest ones: half a unit in the
 * last place of each lambda, through rows of entries up to 10. P-matrices of 12 rows. */
static void test_one_solution(void **unused)
{
    const dls_matrix_class classes[] = {DLS_MATRIX_DEFINITE, DLS_MATRIX_MONOTONE, DLS_MATRIX_P};
    (void)unused;
    for (int k = 0; k < 3; k++)
        for (int bounds = DLS_BOUNDS_LCP; bounds <= DLS_BOUNDS_BOXED; bounds++)
            for (unsigned long seed = 1; seed <= 6; seed++) {
                const dls_recipe recipe = {classes[k], (dls_bounds_class)bounds, k == 2 ? 12 : 30, seed % 2 ? 0.0 : 0.3,
                                           seed};
                double lambda[N];
                dls_problem *p;
                dls_report report = {0};
                dls_error error = {0};
                assert_status(dls_manufacture(&recipe, &p, NULL, NULL, &error), &error);
                direct_solve("exact", p, NULL, lambda, &report);
                assert_outcome_is(&report, DLS_OUTCOME_SOLVED, "one solution");
                assert_below(exact_residual(p, lambda), 4e-15);
                dls_report_release(&report);
                dls_problem_destroy(p);
            }
}

/* Rows scaled by powers of two, up to 2^400: the same problem in other units, the same outcome and bits. */
static void test_units(void **unused)
{
    const double A[9] = {2, -1, 0.5, -1, 3, 1, 0.5, 1, -1}, b[3] = {-1, 2.385, 0.25};
    double scaled[9], scaled_b[3], s[3] = {ldexp(1.0, 400), ldexp(1.0, -300), 1.0}, first[3], second[3];
    dls_report report = {0}, other = {0};
    (void)unused;
    for (int j = 0; j < 3; j++) {
        scaled_b[j] = s[j] * b[j];
        for (int i = 0; i < 3; i++)
            scaled[i + 3 * j] = s[i] * A[i + 3 * j] * s[j];
    }
    dls_problem *p = problem_of(3, A, b, NULL, NULL), *q = problem_of(3, scaled, scaled_b, NULL, NULL);
    direct_solve("exact", p, NULL, first, &report);
    direct_solve("exact", q, NULL, second, &other);
    assert_int_equal(report.outcome, other.outcome);
    assert_int_equal(report.n_solutions, other.n_solutions);
    for (int i = 0; i < 3; i++)
        assert_true(first[i] == s[i] * second[i]);
    dls_report_release(&report), dls_report_release(&other);
    dls_problem_destroy(p), dls_problem_destroy(q);
}

/* Every digit: 3 lambda = 1, and 2^-60 lambda = 7. */
static void test_fractions(void **unused)
{
    const double A[4] = {3, 0, 0, ldexp(1.0, -60)}, b[2] = {-1, -7};
    double lambda[2];
    dls_report report = {0};
    dls_problem *p = problem_of(2, A, b, NULL, NULL);
    (void)unused;
    direct_solve("exact", p, NULL, lambda, &report);
    assert_string_equal(report.fractions, "1/3 8070450532247928832");
    assert_true(lambda[0] == 1.0 / 3.0 && lambda[1] == ldexp(7.0, 60));
    dls_report_release(&report);
    dls_problem_destroy(p);
}

static void test_limits(void **unused)
{
    const char *const few[] = {"nodes=3", NULL}, *const little[] = {"work=1000", NULL};
    const dls_recipe recipe = {DLS_MATRIX_P, DLS_BOUNDS_LCP, 12, 0.0, 1},
                     large = {DLS_MATRIX_P, DLS_BOUNDS_LCP, 33, 0, 1};
    double lambda[33];
    dls_problem *p;
    dls_report report = {0};
    dls_error error = {0};
    (void)unused;
    assert_status(dls_manufacture(&recipe, &p, NULL, NULL, &error), &error);
    direct_solve("exact", p, few, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_ITERATION_LIMIT, "three nodes");
    assert_non_null(strstr(report.message, "raise nodes"));
    direct_solve("exact", p, little, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_ITERATION_LIMIT, "little work");
    assert_non_null(strstr(report.message, "raise work"));
    dls_search_proof proof;
    assert_status(dls_search_verify(p, 1e3, &proof, &error), &error);
    assert_true(!proof.proved && !proof.refuted && strstr(proof.reason, "undecided"));
    assert_status(dls_search_verify(p, 1e9, &proof, &error), &error);
    assert_true(!proof.proved && proof.refuted);
    dls_problem_destroy(p);
    assert_status(dls_manufacture(&large, &p, NULL, NULL, &error), &error);
    direct_solve("exact", p, NULL, lambda, &report);
    assert_outcome_is(&report, DLS_OUTCOME_REFUSED, "33 rows");
    assert_non_null(strstr(report.message, "raise rows"));
    assert_status(dls_search_verify(p, 1e9, &proof, &error), &error);
    assert_true(!proof.proved && !proof.refuted && strstr(proof.reason, "undecided"));
    dls_report_release(&report);
    dls_problem_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_examples),
        cmocka_unit_test(test_tiny_diagonal),
        cmocka_unit_test(test_chosen_solutions_are_found),
        cmocka_unit_test(test_one_solution),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_fractions),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
