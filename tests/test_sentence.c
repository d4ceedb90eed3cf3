/* The sentence about an answer (dls_sentence_of): its first word is the outcome's, and its numbers are those that were
 * proved or measured. */
#include "check.h"
#include "draws.h"
#include "examined.h"

#include "delassus/experiments.h"

#include <math.h>
#include <string.h>

enum { ROWS = 6 };

typedef struct judged {
    double w[ROWS];
    dls_certificate certificate;
    dls_bounds bounds;
    dls_report report;
    dls_sentence sentence;
} judged;

/* The sentence of impulses that are claimed to be a solution; release its bounds and report. */
static judged judge(const dls_problem *p, const double *lambda, size_t largest, size_t first)
{
    dls_criteria criteria = {p, NULL, DLS_SOLVED_TOLERANCE, largest};
    judged to = {.report = {.outcome = DLS_OUTCOME_SOLVED}};
    dls_error error;
    criteria.examiner = examiner_of(p);
    dls_examine(criteria.examiner, lambda, to.w, &to.certificate);
    assert_status(dls_decide_outcome(&criteria, lambda, &to.certificate, &to.bounds, &to.report, &error), &error);
    to.sentence = dls_sentence_of(&criteria, lambda, to.w, &to.certificate, &to.bounds, &to.report, first);
    dls_examiner_destroy(criteria.examiner);
    return to;
}

static void release(judged *of)
{
    dls_bounds_release(&of->bounds);
    dls_report_release(&of->report);
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* A solution is right to the proved radius; off by more than rounding it is wrong by what the row of the examiner
 * violates, in words with the number of that row, and w there is no longer 0. */
TEST(sentences_of_answers)
{
    for (unsigned long seed = 1; seed <= 100; seed++) {
        double lambda[ROWS], w[ROWS];
        dls_problem *p;
        dls_error error;
        const dls_recipe recipe = {DLS_MATRIX_DEFINITE, seed % 2 ? DLS_BOUNDS_LCP : DLS_BOUNDS_BOXED, ROWS, 0.0, seed};
        assert_status(dls_manufacture(&recipe, &p, lambda, w, &error), &error);
        judged of = judge(p, lambda, DLS_CERTIFY_ROWS, 0);
        assert_true(begins(of.sentence.text, "right to ") && strstr(of.sentence.text, "the only solution"));
        assert_true(of.sentence.proved && of.sentence.by == of.bounds.lambda && of.sentence.row == DLS_NONE);
        release(&of);
        of = judge(p, lambda, 0, 0);
        assert_true(begins(of.sentence.text, "right to ") && strstr(of.sentence.text, "measured, not proved"));
        assert_true(!of.sentence.proved && of.sentence.by == of.certificate.scaled_residual);
        release(&of);
        const size_t i = seed % ROWS;
        lambda[i] += (1.0 + fabs(lambda[i])) * (seed % 3 ? 1e-3 : -1e-3);
        of = judge(p, lambda, DLS_CERTIFY_ROWS, 1);
        char row[32];
        snprintf(row, sizeof row, " in row %zu:", of.certificate.worst_row + 1);
        assert_true(begins(of.sentence.text, "wrong by ") && strstr(of.sentence.text, row));
        const size_t k = of.sentence.row;
        const double lo = p->lo[k], hi = p->hi[k];
        assert_true(k == of.certificate.worst_row && of.sentence.by > 0.0);
        assert_true(of.sentence.by == (lambda[k] < lo   ? lo - lambda[k]
                                       : lambda[k] > hi ? lambda[k] - hi
                                                        : fabs(of.w[k])));
        release(&of);
        dls_problem_destroy(p);
    }
}

/* An impulse that is no number has no distance: no number is printed for it. */
TEST(sentence_of_no_number)
{
    double lambda[ROWS], w[ROWS];
    dls_problem *p;
    dls_error error;
    const dls_recipe recipe = {DLS_MATRIX_DEFINITE, DLS_BOUNDS_LCP, ROWS, 0.0, 1};
    assert_status(dls_manufacture(&recipe, &p, lambda, w, &error), &error);
    lambda[2] = NAN;
    judged of = judge(p, lambda, DLS_CERTIFY_ROWS, 0);
    assert_true(begins(of.sentence.text, "wrong in row 2: the impulse is no finite number"));
    assert_null(strstr(of.sentence.text, "nan"));
    release(&of);
    dls_problem_destroy(p);
}

/* The end of a method's work is said, with its reason, and not that the impulses are wrong. */
TEST(sentences_of_other_outcomes)
{
    static const struct {
        dls_outcome outcome;
        const char *begins;
    } of[] = {{DLS_OUTCOME_NO_SOLUTION, "no solution exists, which is proved: because"},
              {DLS_OUTCOME_REFUSED, "not solved: because"},
              {DLS_OUTCOME_UNDECIDED, "undecided: because"},
              {DLS_OUTCOME_NUMERICAL_FAILURE, "failed: because"},
              {DLS_OUTCOME_TIME_LIMIT, "not finished: because"},
              {DLS_OUTCOME_ITERATION_LIMIT, "not finished: off by "}};
    double lambda[ROWS] = {0.0}, w[ROWS];
    dls_problem *p;
    dls_error error;
    const dls_recipe recipe = {DLS_MATRIX_DEFINITE, DLS_BOUNDS_LCP, ROWS, 0.0, 1};
    assert_status(dls_manufacture(&recipe, &p, lambda, w, &error), &error);
    memset(lambda, 0, sizeof lambda);
    dls_criteria criteria = {p, examiner_of(p), DLS_SOLVED_TOLERANCE, 0};
    dls_certificate c;
    dls_examine(criteria.examiner, lambda, w, &c);
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        dls_bounds bounds = {.kind = DLS_BOUNDS_NONE};
        dls_report report = {0};
        dls_report_end(&report, of[k].outcome, "because");
        const dls_sentence sentence = dls_sentence_of(&criteria, lambda, w, &c, &bounds, &report, 0);
        assert_true(begins(sentence.text, of[k].begins));
        dls_report_release(&report);
    }
    dls_examiner_destroy(criteria.examiner);
    dls_problem_destroy(p);
}

/* An answer of exact arithmetic is off by its rounding alone, which the sentence bounds, and which is that of the
 * largest impulse at most; the next double has no such sentence. A = v v^T + d I with whole numbers: d = 0 has a
 * continuum. */
TEST(sentence_of_exact_answer_has_its_rounding)
{
    enum { N = 3 };
    const dls_solver *exact = dls_direct_find("exact");
    double settings[32];
    size_t rounded = 0;
    assert_status(dls_fields_default(&exact->fields, settings, NULL), NULL);
    for (unsigned long seed = 1; seed <= 60; seed++) {
        double A[N * N], b[N], lo[N], hi[N], v[N], lambda[N] = {0.0}, w[N];
        dls_report report = {0};
        dls_bounds bounds = {.kind = DLS_BOUNDS_NONE};
        dls_certificate c;
        dls_error error;
        draw_seed(seed);
        const int d = draw(0, 2);
        for (size_t i = 0; i < N; i++)
            v[i] = draw(1, 5), lo[i] = 0.0, hi[i] = HUGE_VAL;
        for (size_t i = 0; i < N * N; i++)
            A[i] = v[i / N] * v[i % N] + (i / N == i % N ? d : 0);
        for (size_t i = 0; i < N; i++)
            b[i] = d ? -draw(1, 7) : -v[i] * (1 + (double)(seed % 5));
        dls_problem *p;
        assert_status(dls_problem_from_matrix(N, A, b, lo, hi, &p, &error), &error);
        assert_status(dls_solve(exact, p, settings, 1, lambda, &report, NULL, NULL, &error), &error);
        dls_criteria criteria = {p, examiner_of(p), DLS_SOLVED_TOLERANCE, 0};
        dls_examine(criteria.examiner, lambda, w, &c);
        assert_status(dls_decide_outcome(&criteria, lambda, &c, NULL, &report, &error), &error);
        const dls_sentence of = dls_sentence_of(&criteria, lambda, w, &c, &bounds, &report, 0);
        assert_int_equal(report.outcome, d ? DLS_OUTCOME_SOLVED : DLS_OUTCOME_CONTINUUM);
        if (!begins(of.text, "right to ") || !of.proved || !strstr(of.text, "found in exact arithmetic") ||
            !strstr(of.text, d ? "of the only solution" : "of a solution"))
            fail_msg("seed %lu: %s", seed, of.text);
        double largest = 0.0;
        const char *at = report.fractions;
        for (size_t i = 0; i < N; i++) {
            char *end;
            const long over = strtol(at, &end, 10), under = *end == '/' ? strtol(end + 1, &end, 10) : 1;
            at = end;
            largest = fmax(largest, fabs(lambda[i]));
            /* x under - over is exact by fma, but for its own rounding */
            assert_true(fabs(fma(lambda[i], (double)under, -(double)over)) <= of.by * (double)under);
        }
        assert_true(of.by <= ldexp(largest, -53));
        rounded += of.by > 0.0;
        lambda[0] = nextafter(lambda[0], 10.0);
        assert_non_null(strstr(dls_sentence_of(&criteria, lambda, w, &c, &bounds, &report, 0).text, "measured"));
        dls_report_release(&report);
        dls_examiner_destroy(criteria.examiner);
        dls_problem_destroy(p);
    }
    assert_true(rounded > 10 && rounded < 60);
}
