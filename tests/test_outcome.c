/* The word about an answer (dls_decide_outcome), as laws: what rotations, units, other rows and the form of a problem
 * must not change, right answers that must be called solved, and wrong ones that must not. */
#include "check.h"
#include "draws.h"
#include "examined.h"

#include "delassus/experiments.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 16 };
static const double tolerance = DLS_SOLVED_TOLERANCE;

/* The word about lambda, which a method is said to have solved the problem with. */
static dls_outcome word(const dls_problem *p, const double *lambda)
{
    dls_criteria criteria = {p, NULL, tolerance, DLS_CERTIFY_ROWS};
    dls_certificate c;
    dls_bounds bounds;
    dls_report report = {.outcome = DLS_OUTCOME_SOLVED};
    dls_error error;
    criteria.examiner = examiner_of(p);
    assert_status(dls_decide_outcome(&criteria, lambda, &c, &bounds, &report, &error), &error);
    dls_bounds_release(&bounds);
    dls_examiner_destroy(criteria.examiner);
    const dls_outcome outcome = report.outcome;
    dls_report_release(&report);
    return outcome;
}

static dls_problem *first_step(const char *text)
{
    dls_problem *p;
    dls_error error;
    dls_model *model = parse_model(text);
    assert_status(dls_first_problem(model, 0.0, &p, &error), &error);
    dls_model_destroy(model);
    return p;
}

static void solve(const char *method, const dls_problem *p, double *lambda, dls_report *report)
{
    dls_choice choice;
    dls_error error;
    assert_status(dls_choice_create(method, &choice, &error), &error);
    memset(lambda, 0, p->n * sizeof *lambda);
    assert_status(dls_solve(choice.solver, p, choice.settings, 1000, lambda, report, NULL, NULL, &error), &error);
    dls_choice_release(&choice);
}

/* A sphere on a ball joint, thrown with velocity v: three rows of the identity over m, in a frame turned at random. */
static dls_problem *thrown(double mass, const double v[3])
{
    char text[600];
    double q[4], size = 0.0;
    for (int k = 0; k < 4; k++)
        q[k] = uniform(0.0, 1.0) - 0.5, size += q[k] * q[k];
    snprintf(
        text, sizeof text,
        "name: thrown\nworld: {step: 1 ms, gravity: [0, 0, 0]}\nbodies:\n  - {name: a, shape: sphere, radius: 0.1, "
        "mass: %.17g kg, position: [0, 0, 0], orientation: [%.17g, %.17g, %.17g, %.17g], velocity: [%.17g, %.17g, "
        "%.17g]}\njoints:\n  - {name: p, type: ball, body1: a, anchor: [0, 0, 0]}\n",
        mass, q[0] / sqrt(size), q[1] / sqrt(size), q[2] / sqrt(size), q[3] / sqrt(size), v[0], v[1], v[2]);
    return first_step(text);
}

/* Impulses on the same body that do not move a row hide no violation of it, in either form: one row of three keeps all
 * of its velocity, beside others that are up to 1e13 times faster. The exact answer is solved. */
TEST(test_other_rows_hide_nothing)
{
    for (int speed = 0; speed <= 13; speed++)
        for (size_t wrong = 0; wrong < 3; wrong++) {
            double v[3], right[3], lambda[3];
            for (size_t k = 0; k < 3; k++)
                v[k] = k == wrong ? 1.0 : pow(10.0, speed) * (1.0 + uniform(0.0, 1.0));
            const double mass = ldexp(1.0, (int)(8.0 * uniform(0.0, 1.0)) - 4);
            for (size_t k = 0; k < 3; k++)
                right[k] = -mass * v[k], lambda[k] = k == wrong ? 0.0 : right[k];
            dls_problem *mechanical = thrown(mass, v), *dense;
            dls_error error;
            assert_status(dls_problem_matrix_form(mechanical, &dense, &error), &error);
            assert_int_equal(word(mechanical, right), DLS_OUTCOME_SOLVED);
            assert_int_equal(word(dense, right), DLS_OUTCOME_SOLVED);
            assert_int_equal(word(dense, lambda), DLS_OUTCOME_NUMERICAL_FAILURE);
            assert_int_not_equal(word(mechanical, lambda), DLS_OUTCOME_SOLVED);
            dls_problem_destroy(dense);
            dls_problem_destroy(mechanical);
        }
}

/* In a frame that moves with 1e6 m/s a closing speed of 1e-8 m/s is the rounding of J v*; the certificate, for which
 * the doubles are exact, does not let the word solved stand. */
TEST(test_a_fast_frame_hides_nothing_from_the_certificate)
{
    const char *scene =
        "name: frame\nworld: {step: 1 ms, gravity: [0, 0, 0]}\nbodies:\n"
        "  - {name: a, shape: sphere, radius: 0.1, mass: 1 kg, position: [0, 0, 0], velocity: "
        "[1000000.00000001, 0, 0]}\n"
        "  - {name: b, shape: sphere, radius: 0.1, mass: 1 kg, position: [0.2, 0, 0], velocity: "
        "[1000000, 0, 0]}\n"
        "joints:\n  - {name: c, type: contact, body1: b, body2: a, point: [0.1, 0, 0], normal: [1, 0, 0], "
        "mu: 0}\n";
    double lambda[3] = {0.0};
    dls_report report = {0};
    dls_problem *p = first_step(scene);
    assert_true(word(p, lambda) == DLS_OUTCOME_UNDECIDED);
    solve("block-pivoting", p, lambda, &report);
    assert_true(lambda[0] > 0.0);
    assert_int_equal(word(p, lambda), DLS_OUTCOME_SOLVED);
    dls_report_release(&report);
    dls_problem_destroy(p);
}

/* Two balls of very different masses, one below the other, hang on ball joints: large impulses with a small sum. Every
 * direct method's answer is right to the last digits, and called so. */
TEST(test_mass_ratios)
{
    static const char *const methods[] = {"dantzig", "lemke", "block-pivoting", "interior-point", "newton"};
    for (int ratio = 0; ratio <= 15; ratio++) {
        char text[800];
        snprintf(text, sizeof text,
                 "name: two\nworld: {step: 1 ms}\nbodies:\n"
                 "  - {name: a, shape: sphere, radius: 4 cm, mass: 1 kg, position: [0.06, 0, -0.08]}\n"
                 "  - {name: b, shape: sphere, radius: 4 cm, mass: %g kg, position: [0.12, 0, -0.16]}\n"
                 "joints:\n  - {name: p, type: ball, body1: a, anchor: [0, 0, 0]}\n"
                 "  - {name: l, type: ball, body1: b, body2: a, anchor: [0.09, 0, -0.12]}\n",
                 pow(10.0, ratio));
        dls_problem *p = first_step(text);
        for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
            double lambda[ROWS];
            dls_report report = {0};
            solve(methods[k], p, lambda, &report);
            if (ratio <= 11)
                assert_int_equal(word(p, lambda), DLS_OUTCOME_SOLVED);
            else if (report.outcome ==
                     DLS_OUTCOME_SOLVED) /* A is singular to rounding: a certificate may say nothing */
                assert_int_not_equal(word(p, lambda), DLS_OUTCOME_NUMERICAL_FAILURE);
            dls_report_release(&report);
        }
        dls_problem_destroy(p);
    }
}

/* Rows of zeros, and the order of the rows, change no word: of an answer with an error of `off` of its impulses. */
static void check_rows_around(size_t n, const double *A, const double *b, const double *lambda)
{
    double lo[ROWS] = {0.0}, hi[ROWS], wide[ROWS * ROWS] = {0.0}, more[ROWS] = {0.0}, impulses[ROWS] = {0.0};
    for (size_t i = 0; i < ROWS; i++)
        hi[i] = HUGE_VAL;
    dls_problem *p = problem_from_matrix(n, A, b, lo, hi);
    const dls_outcome alone = word(p, lambda);
    for (size_t i = 0; i < n; i++) { /* in reverse, with two rows of zeros around */
        more[n - i] = b[i];
        impulses[n - i] = lambda[i];
        for (size_t j = 0; j < n; j++)
            wide[(n - i) + (n + 2) * (n - j)] = A[i + n * j];
    }
    wide[0] = wide[(n + 1) * (n + 3)] = 1.0;
    dls_problem *q = problem_from_matrix(n + 2, wide, more, lo, hi);
    assert_int_equal(word(q, impulses), alone);
    dls_problem_destroy(q);
    dls_problem_destroy(p);
}

TEST(test_rows_around)
{
    for (int round = 0; round < 300; round++) {
        const size_t n = 1 + (size_t)(4.0 * uniform(0.0, 1.0));
        double A[ROWS * ROWS], b[ROWS], lambda[ROWS], off = round % 3 ? pow(10.0, -16.0 * uniform(0.0, 1.0)) : 0.0;
        for (size_t i = 0; i < n; i++) {
            lambda[i] = uniform(0.0, 1.0) < 0.3 ? 0.0 : pow(10.0, 6.0 * uniform(0.0, 1.0) - 3.0);
            b[i] = lambda[i] > 0.0 ? 0.0 : uniform(0.0, 1.0);
            for (size_t j = 0; j <= i; j++)
                A[i + n * j] = A[j + n * i] = i == j ? 2.0 : 0.9 * (uniform(0.0, 1.0) - 0.5);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                b[i] -= A[i + n * j] * lambda[j];
        lambda[(size_t)((double)n * uniform(0.0, 1.0))] *= 1.0 + off;
        check_rows_around(n, A, b, lambda);
    }
}

/* An impulse of 1e-16 where 0 is right, in a row whose own terms are as small, is no error beside the impulses of its
 * block; one of a thousandth of them is. */
TEST(test_degenerate_rows)
{
    const double A[] = {1.0, 0.0, 0.0, /* column by column: a P-matrix that is not symmetric */
                        0.5, 1.0, 0.0, 0.0, 0.5, 1.0};
    const double b[] = {-1.0, 0.0, 0.0}, lo[] = {0.0, 0.0, 0.0}, hi[] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    dls_problem *p = problem_from_matrix(3, A, b, lo, hi);
    double lambda[] = {1.0, 0.0, 1e-16};
    assert_int_equal(word(p, lambda), DLS_OUTCOME_SOLVED);
    lambda[2] = 1e-3;
    assert_int_equal(word(p, lambda), DLS_OUTCOME_NUMERICAL_FAILURE);
    dls_problem_destroy(p);
}

/* A contact that is far from closing, b = 1e12, is no measure of the impulses beside it. */
TEST(test_open_rows_are_no_measure)
{
    const double A[] = {2.0, 1.0, 1.0, 2.0}, lo[] = {0.0, 0.0}, hi[] = {HUGE_VAL, HUGE_VAL};
    for (double open = 1.0; open < 1e300; open *= 1e12) {
        const double b[] = {open, -2.0}, wrong[2][2] = {{0.0, 0.0}, {0.0, 0.5}}, right[] = {0.0, 1.0};
        dls_problem *p = problem_from_matrix(2, A, b, lo, hi);
        assert_int_equal(word(p, right), DLS_OUTCOME_SOLVED);
        for (int k = 0; k < 2; k++)
            assert_int_equal(word(p, wrong[k]), DLS_OUTCOME_NUMERICAL_FAILURE);
        dls_problem_destroy(p);
    }
}

/* The data of a problem at every power of two down to where they are subnormal numbers: an answer that is 3 % off is
 * never a solution, and the right one is never refuted. */
TEST(test_subnormal_terms)
{
    for (int power = -1074; power <= 1000; power += power < -900 ? 1 : 50) {
        const double unit = ldexp(1.0, power), A[] = {2.0, 0.0, 0.0, 0.5}, b[] = {-64.0 * unit, 64.0 * unit},
                     lo[] = {0.0, 0.0}, hi[] = {HUGE_VAL, HUGE_VAL};
        double lambda[] = {32.0 * unit, 0.0};
        dls_problem *p = problem_from_matrix(2, A, b, lo, hi);
        assert_int_not_equal(word(p, lambda), DLS_OUTCOME_NUMERICAL_FAILURE);
        lambda[0] = 31.0 * unit;
        assert_int_not_equal(word(p, lambda), DLS_OUTCOME_SOLVED);
        dls_problem_destroy(p);
    }
    /* products that are subnormal, of factors that are not */
    const double A[] = {5.4683415146672981e-304}, b[] = {-7.9050503334599447e-323};
    dls_problem *p = problem_from_matrix(1, A, b, NULL, NULL);
    const double right = b[0] / -A[0], wrong = 1.03 * right;
    assert_int_not_equal(word(p, &right), DLS_OUTCOME_NUMERICAL_FAILURE);
    assert_int_not_equal(word(p, &wrong), DLS_OUTCOME_SOLVED);
    dls_problem_destroy(p);
}

/* Nearly singular pairs of rows: the exact solution, rounded to doubles, is never refuted; neither is it called solved
 * where lambda with one entry a tenth off would be. */
TEST(test_exact_solutions_are_not_refuted)
{
    size_t solved = 0;
    const size_t rounds = 1000;
    for (size_t round = 0; round < rounds; round++) {
        const double x = 2.0 * uniform(0.0, 1.0) - 1.0, y = 2.0 * uniform(0.0, 1.0) - 1.0,
                     near = pow(10.0, -17.0 * uniform(0.0, 1.0));
        const double A[] = {x * x, x * y, x * y, y * y * (1.0 + near)},
                     b[] = {2e3 * (uniform(0.0, 1.0) - 0.5), 2e3 * (uniform(0.0, 1.0) - 0.5)};
        const double lo[] = {-1.0, -HUGE_VAL}, hi[] = {HUGE_VAL, HUGE_VAL};
        double lambda[2];
        dls_report report = {0};
        dls_problem *p = problem_from_matrix(2, A, b, lo, hi);
        solve("exact", p, lambda, &report);
        if (report.outcome == DLS_OUTCOME_SOLVED) {
            const dls_outcome outcome = word(p, lambda);
            assert_int_not_equal(outcome, DLS_OUTCOME_NUMERICAL_FAILURE);
            solved += outcome == DLS_OUTCOME_SOLVED;
            lambda[1] *= 1.1;
            assert_int_not_equal(word(p, lambda), DLS_OUTCOME_SOLVED);
        }
        dls_report_release(&report);
        dls_problem_destroy(p);
    }
    assert_true(solved > rounds / 2);
}

/* Where the terms of a row overflow, or impulses are no numbers, nothing is confirmed. */
TEST(test_what_cannot_be_evaluated)
{
    const double A[] = {1.0, 0.0, 1e300, 1.0}, b[] = {1e308, -1e200};
    const double free_lo[] = {-HUGE_VAL, -HUGE_VAL}, free_hi[] = {HUGE_VAL, HUGE_VAL};
    dls_problem *p = problem_from_matrix(2, A, b, free_lo, free_hi);
    double lambda[] = {-1e308, 1e200};
    assert_int_equal(word(p, lambda), DLS_OUTCOME_UNDECIDED);
    lambda[0] = NAN;
    assert_int_equal(word(p, lambda), DLS_OUTCOME_NUMERICAL_FAILURE);
    dls_problem_destroy(p);
}

/* A method's message about impulses that it does not claim stands beside the word of the examiner. */
TEST(test_the_reason_of_a_method_stays)
{
    const double A[] = {2.0}, b[] = {-1.0}, lo[] = {0.0}, hi[] = {HUGE_VAL}, lambda[] = {0.5};
    dls_problem *p = problem_from_matrix(1, A, b, lo, hi);
    dls_criteria criteria = {p, NULL, tolerance, DLS_CERTIFY_ROWS};
    dls_certificate c;
    dls_report report = {0};
    dls_error error;
    criteria.examiner = examiner_of(p);
    dls_report_end(&report, DLS_OUTCOME_ITERATION_LIMIT, "its own tolerance is missed");
    assert_status(dls_decide_outcome(&criteria, lambda, &c, NULL, &report, &error), &error);
    assert_int_equal(report.outcome, DLS_OUTCOME_SOLVED);
    assert_non_null(strstr(report.message, "the examiner finds a scaled residual of"));
    assert_non_null(strstr(report.message, "its own tolerance is missed"));
    dls_report_release(&report);
    dls_examiner_destroy(criteria.examiner);
    dls_problem_destroy(p);
}
