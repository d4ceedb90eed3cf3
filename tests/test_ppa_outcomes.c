/* The outcome of ppa where its steps end: an answer that meets the examiner's criterion is never thrown away, and
 * impulses that are no answer never pass for one. */
#include "cones.h"
#include "direct_solve.h"

#include "delassus/experiments.h"

enum { CONTACTS = 8, N = 3 * CONTACTS };

/* Redundant contacts that stick, slide and open over a matrix of rank `rank`, well conditioned within it or graded,
 * around a chosen answer. The first two normal rows may be those of a body between two floors, whose velocities have
 * the sum b[0] + b[3] = -lack whatever the impulses are. */
static dls_problem *redundant_contacts(unsigned seed, size_t rank, bool between_floors, double lack)
{
    double G[N * N], A[N * N], b[N], hi[N], lambda[N], w[N];
    dls_error error;
    const double grade = seed % 3 == 0 ? 1.0 : seed % 3 == 1 ? 0.4 : 0.2, mu = 0.3 + 0.1 * (double)(seed % 4);
    seed = 12 + 7919 * seed;
    for (size_t k = 0; k < N * rank; k++)
        G[k] = cone_draw(&seed) * pow(grade, (double)(k / N));
    for (size_t k = 0; k < rank && between_floors; k++)
        G[3 + N * k] = -G[N * k];
    for (size_t c = 0; c < CONTACTS; c++)
        cone_choose(c % GRAZE, mu, &seed, lambda + 3 * c, w + 3 * c);
    for (size_t i = 0; i < N; i++) {
        b[i] = w[i], hi[i] = HUGE_VAL;
        for (size_t j = 0; j < N; j++) {
            A[i + N * j] = 0.0;
            for (size_t k = 0; k < rank; k++)
                A[i + N * j] += G[i + N * k] * G[j + N * k];
            b[i] -= A[i + N * j] * lambda[j];
        }
    }
    b[3] = between_floors ? -b[0] - lack : b[3];
    dls_problem *p = problem_from_matrix(N, A, b, NULL, hi);
    for (size_t c = 0; c < CONTACTS; c++)
        dls_problem_make_cone(p, 3 * c, mu);
    assert_status(dls_problem_check(p, &error), &error);
    return p;
}

/* Solves with few Newton steps per proximal step from a bad start, which end early and anywhere, and decides as
 * `delassus solve` does. */
static dls_certificate decide(const dls_problem *p, const char *newton, dls_report *report, bool *claims, bool *fails)
{
    const char *const options[] = {newton, "alpha=1e3", "sweeps=0", NULL};
    double lambda[N];
    dls_certificate certificate;
    dls_error error;
    dls_examiner *examiner = examiner_of(p);
    const dls_criteria criteria = {p, examiner, DLS_SOLVED_TOLERANCE, 0};
    direct_solve("ppa", p, options, lambda, report);
    *claims = dls_outcome_solved(report->outcome), *fails = dls_outcome_failed(report->outcome);
    assert_status(dls_decide_outcome(&criteria, lambda, &certificate, NULL, report, &error), &error);
    dls_examine(examiner, lambda, NULL, &certificate);
    dls_examiner_destroy(examiner);
    return certificate;
}

static const char *const newton_steps[] = {"newton=1", "newton=2", "newton=40"};
enum { CHOICES = sizeof newton_steps / sizeof *newton_steps };

TEST(test_answers_are_not_thrown_away)
{
    size_t accepted = 0, refused = 0;
    for (unsigned seed = 0; seed < 150; seed++)
        for (int k = 0; k < CHOICES; k++) {
            dls_problem *p = redundant_contacts(seed, 6 + seed % 12, false, 0.0);
            dls_report report = {0};
            bool claims, fails;
            const dls_certificate c = decide(p, newton_steps[k], &report, &claims, &fails);
            const bool good = dls_is_converged(&c, DLS_SOLVED_TOLERANCE);
            if (good) {
                assert_false(fails);
                assert_outcome_is(&report, DLS_OUTCOME_SOLVED, newton_steps[k]);
            } else if (c.scaled_residual > DLS_SOLVED_TOLERANCE) {
                assert_false(dls_outcome_solved(report.outcome));
                refused++;
            }
            accepted += !claims && good;
            dls_report_release(&report);
            dls_problem_destroy(p);
        }
    print_message("# accepted: %zu, refused: %zu\n", accepted, refused);
    assert_true(accepted > 0 && refused > 0);
}

TEST(test_no_answer_between_floors_that_come_nearer)
{
    for (unsigned seed = 0; seed < 40; seed++)
        for (int k = 0; k < CHOICES; k++)
            for (double lack = 1.0; lack > 1e-6; lack *= 1e-2) {
                dls_problem *p = redundant_contacts(seed, 6 + seed % 12, true, lack);
                dls_report report = {0};
                bool claims, fails;
                decide(p, newton_steps[k], &report, &claims, &fails);
                assert_false(dls_outcome_solved(report.outcome));
                dls_report_release(&report);
                dls_problem_destroy(p);
            }
}
