/* Exact work in a child, where memory is short: the same answers as in this process, and no memory there is a status
 * here. */
#include "delassus/delassus.h"
#include "delassus/reference.h"

#include "check.h"
#include "failing_memory.h"
#include "problems.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* A trial for plenty of memory, which is all that the library maps, finds none. */
static bool short_of_memory;
void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    return short_of_memory ? MAP_FAILED : __real_mmap(at, size, protection, flags, file, offset);
}

/* --- what is asked: everything that exact arithmetic answers --- */

typedef struct answer {
    dls_report report;
    double lambda[2];
    dls_farkas_proof proof;
    dls_rate_bounds rate;
} answer;

static void release(answer *of) { dls_report_release(&of->report); }

static dls_status ask(const dls_problem *p, answer *to, dls_error *error)
{
    static const dls_splitting forward = {DLS_SPLITTING_FORWARD, 1.0};
    static const double y[2] = {1.0, 0.0};
    char settings[256];
    const dls_solver *exact = dls_direct_find("exact");
    memset(to, 0, sizeof *to);
    assert_true(exact->fields.size <= sizeof settings);
    DLS_TRY(dls_fields_default(&exact->fields, settings, error));
    DLS_TRY(dls_solve(exact, p, settings, 1, to->lambda, &to->report, NULL, NULL, error));
    DLS_TRY(dls_farkas_verify(p, y, &to->proof, error));
    return dls_rate_enclose(p, to->lambda, forward, &to->rate, error);
}

static const struct {
    double A[4], b[2];
    dls_outcome outcome;
    size_t solutions;
    bool proved; /* that there is none, by y */
} problems[] = {
    {{2, 1, 1, 2}, {-1, -2}, DLS_OUTCOME_SOLVED, 1, false},
    {{3, 1, 1, 2}, {-1, -0.1}, DLS_OUTCOME_SOLVED, 1, false}, /* (1/3, 7/30) has no doubles */
    {{1, 2, 2, 1}, {-1, -1}, DLS_OUTCOME_SEVERAL, 3, false},
    {{1, 1, 1, 1}, {-1, -1}, DLS_OUTCOME_CONTINUUM, 2, false},
    {{-1, 0, 0, 1}, {-1, 1}, DLS_OUTCOME_NO_SOLUTION, 0, true},
};
enum { PROBLEMS = sizeof problems / sizeof problems[0] };

static dls_problem *create(size_t k) { return problem_from_matrix(2, problems[k].A, problems[k].b, NULL, NULL); }

TEST(test_the_same_answers)
{
    for (size_t k = 0; k < PROBLEMS; k++) {
        dls_problem *p = create(k);
        answer here, apart;
        dls_error error;
        assert_status(ask(p, &here, &error), &error);
        short_of_memory = true;
        assert_status(ask(p, &apart, &error), &error);
        short_of_memory = false;
        assert_int_equal(here.report.outcome, problems[k].outcome);
        assert_int_equal(here.report.n_solutions, problems[k].solutions);
        assert_true(here.proof.proved == problems[k].proved);
        assert_int_equal(apart.report.outcome, here.report.outcome);
        assert_int_equal(apart.report.proof, here.report.proof);
        assert_int_equal(apart.report.iterations, here.report.iterations);
        assert_int_equal(apart.report.n_solutions, here.report.n_solutions);
        assert_string_equal(apart.report.message, here.report.message);
        if (here.report.n_solutions > 0) {
            assert_string_equal(apart.report.fractions, here.report.fractions);
            assert_memory_equal(apart.report.solutions, here.report.solutions,
                                2 * here.report.n_solutions * sizeof(double));
        }
        assert_memory_equal(apart.lambda, here.lambda, sizeof here.lambda);
        assert_true(apart.proof.proved == here.proof.proved && apart.proof.margin == here.proof.margin);
        assert_string_equal(apart.proof.reason, here.proof.reason);
        assert_true(apart.rate.least == here.rate.least && apart.rate.most == here.rate.most &&
                    apart.rate.free_rows == here.rate.free_rows && apart.rate.redundant == here.rate.redundant);
        release(&here), release(&apart);
        dls_problem_destroy(p);
    }
}

/* Rows that depend on others: whether they agree with them exactly is asked for a certificate. */
TEST(test_certificates)
{
    static const char text[] = "bodies: [{name: a, shape: sphere, radius: 1, mass: 2}]\n"
                               "joints:\n  - {repeat: 2, name: 'j{i}', type: ball, body1: a, anchor: [0, 0, 1]}\n";
    dls_error error;
    dls_model *model = parse_model(text);
    dls_problem *p = problem_from_state(model, dls_model_initial(model), NULL, 0.01);
    double lambda[6] = {0.0, 0.0, 0.0981, 0.0, 0.0, 0.0981};
    dls_bounds here, apart;
    assert_status(dls_certify(p, lambda, &here, &error), &error);
    short_of_memory = true;
    assert_status(dls_certify(p, lambda, &apart, &error), &error);
    short_of_memory = false;
    assert_int_equal(here.kind, DLS_BOUNDS_VELOCITY);
    assert_string_equal(apart.text, here.text);
    dls_bounds_release(&here), dls_bounds_release(&apart);
    dls_problem_destroy(p);
    dls_model_destroy(model);
}

/* The n-th allocation of this process or its child fails, for every n: nobody ends but the child. */
TEST(test_no_memory_in_the_child)
{
    for (size_t k = 0; k < PROBLEMS; k++) {
        dls_problem *p = create(k);
        dls_status status = DLS_NO_MEMORY;
        size_t here = 0, n = 1;
        short_of_memory = true;
        for (; status == DLS_NO_MEMORY; n++) {
            const long before = live;
            answer to;
            dls_error error = {.message = ""};
            allocations = 0, fail_at = n;
            status = ask(p, &to, &error);
            fail_at = 0;
            here = allocations;
            release(&to);
            assert_true(status == DLS_OK || (status == DLS_NO_MEMORY && error.message[0]));
            assert_int_equal(live, before);
        }
        short_of_memory = false;
        assert_int_equal(status, DLS_OK);
        assert_true(n > here); /* allocations of the child were among them */
        dls_problem_destroy(p);
    }
}
