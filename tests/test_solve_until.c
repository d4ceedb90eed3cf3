/* A solve that the examiner ends: at which iterate, in which process, and how long the solver itself took. */
#include "check.h"
#include "failing_memory.h"

#include "delassus/experiments.h"
#include "delassus/solvers.h"
#include "host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LIMIT = 3000 };

typedef struct answer {
    double *lambda; /* n */
    dls_report report;
    size_t iterates;
} answer;

static answer solve(const dls_choice *choice, const dls_problem *p, double tolerance, dls_observer observer,
                    void *context)
{
    answer a = {.lambda = calloc(p->n + 1, sizeof *a.lambda)};
    dls_stop stop = {.tolerance = tolerance, .limit = LIMIT, .timed = true, .observer = observer, .context = context};
    dls_error error;
    assert_non_null(a.lambda);
    assert_status(dls_examiner_create(p, &stop.examiner, &error), &error);
    assert_status(dls_solve_until(choice, p, &stop, a.lambda, &a.report, &error), &error);
    a.iterates = stop.iterates;
    dls_examiner_destroy(stop.examiner);
    return a;
}

static void release(answer *a)
{
    free(a->lambda);
    dls_report_release(&a->report);
}

/* Whether so many iterations of the solver alone, which nobody observes, end within the tolerance; with lambda, they
 * end there, to the last bit. */
static bool ends_well(const dls_choice *choice, const dls_problem *p, size_t iterations, double tolerance,
                      const double *lambda)
{
    double *alone = calloc(p->n + 1, sizeof *alone);
    dls_report report = {0};
    dls_examiner *examiner;
    dls_certificate c;
    dls_error error;
    assert_non_null(alone);
    assert_status(dls_examiner_create(p, &examiner, &error), &error);
    assert_status(dls_solve(choice->solver, p, choice->settings, iterations, alone, &report, NULL, NULL, &error),
                  &error);
    dls_examine(examiner, alone, NULL, &c);
    if (lambda)
        assert_memory_equal(alone, lambda, p->n * sizeof *alone);
    dls_report_release(&report);
    dls_examiner_destroy(examiner);
    free(alone);
    return dls_is_converged(&c, tolerance);
}

static dls_problem *of_scene(const char *name)
{
    char path[DLS_PATH_MAX];
    dls_content content;
    dls_error error;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", getenv("DLS_TEST_SOURCE"), name);
    assert_status(dls_load_problem(path, NULL, &content, &error), &error);
    dls_problem *p = content.problem;
    content.problem = NULL;
    dls_content_release(&content);
    return p;
}

static dls_problem *manufactured(dls_bounds_class bounds, uint64_t seed)
{
    const dls_recipe recipe = {DLS_MATRIX_DEFINITE, bounds, 20, 0.1, seed};
    dls_problem *p;
    dls_error error;
    assert_status(dls_manufacture(&recipe, &p, NULL, NULL, &error), &error);
    return p;
}

/* Every iterative method, in both processes. Where it ends by the examiner, its iterate is good enough and the one
 * before it is not; in its own process and in ours it is the same one, with the same report. */
static void check_problem(dls_problem *p, double tolerance, size_t *ended)
{
    dls_choice *choices;
    size_t count;
    dls_error error;
    assert_status(dls_choices_iterative(p, &choices, &count, &error), &error);
    for (size_t k = 0; k < count; k++) {
        answer here = solve(&choices[k], p, tolerance, NULL, NULL);
        if (here.report.outcome == DLS_OUTCOME_ITERATION_LIMIT)
            assert_true(here.report.iterations == here.iterates);
        if (here.report.outcome == DLS_OUTCOME_ITERATION_LIMIT && here.iterates < LIMIT) {
            assert_true(ends_well(&choices[k], p, here.iterates, tolerance, here.lambda));
            assert_false(here.iterates > 1 && ends_well(&choices[k], p, here.iterates - 1, tolerance, NULL));
            ++*ended;
        }
        assert_status(dls_choice_limit(&choices[k], 600.0, &error), &error);
        answer there = solve(&choices[k], p, tolerance, NULL, NULL);
        assert_memory_equal(there.lambda, here.lambda, p->n * sizeof *here.lambda);
        assert_int_equal(there.iterates, here.iterates);
        assert_int_equal(there.report.iterations, here.report.iterations);
        assert_int_equal(there.report.outcome, here.report.outcome);
        assert_string_equal(there.report.message, here.report.message);
        assert_true(here.report.seconds > 0.0 && there.report.seconds > 0.0);
        release(&there);
        release(&here);
    }
    dls_choices_release(choices, count);
    dls_problem_destroy(p);
}

static void test_every_method_ends_at_its_first_good_iterate(void **unused)
{
    size_t ended = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= 3; seed++)
        for (int b = 0; b < 2; b++)
            check_problem(manufactured(b ? DLS_BOUNDS_BOXED : DLS_BOUNDS_LCP, seed), seed == 1 ? 1e-3 : 1e-9, &ended);
    check_problem(of_scene("four-bar"), 1e-9, &ended);
    check_problem(of_scene("chain-10"), 1e-2, &ended);
    check_problem(of_scene("box-on-slope"), 1e-9, &ended);
    assert_true(ended >= 20);
}

/* PGS that breaks down after so many iterations. */
static size_t sound;

static dls_status iterate_and_break(void *work, dls_report *report, dls_error *error)
{
    if (report->iterations < sound)
        return dls_iterative_find("pgs")->iterate(work, report, error);
    dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "broken");
    return DLS_OK;
}

/* A method that fails behind an iterate that is good enough has found it, whenever the examiner looks. */
static void test_what_comes_behind_the_answer_does_not_count(void **unused)
{
    dls_problem *p = of_scene("four-bar");
    dls_solver broken = *dls_iterative_find("pgs");
    dls_choice choice;
    dls_error error;
    (void)unused;
    assert_status(dls_choice_create("pgs", &choice, &error), &error);
    answer whole = solve(&choice, p, 1e-9, NULL, NULL);
    broken.iterate = iterate_and_break;
    choice.solver = &broken;
    for (sound = whole.iterates - 1; sound <= whole.iterates + 20; sound++) {
        answer a = solve(&choice, p, 1e-9, NULL, NULL);
        if (sound < whole.iterates) {
            assert_int_equal(a.report.outcome, DLS_OUTCOME_NUMERICAL_FAILURE);
        } else {
            assert_int_equal(a.report.outcome, DLS_OUTCOME_ITERATION_LIMIT);
            assert_int_equal(a.iterates, whole.iterates);
            assert_memory_equal(a.lambda, whole.lambda, p->n * sizeof *a.lambda);
        }
        release(&a);
    }
    release(&whole);
    dls_choice_release(&choice);
    dls_problem_destroy(p);
}

/* Their number grows with the logarithm of the number of iterations; at most a quarter more iterations are made than
 * are needed, and the iterates that are kept take at most 64 MiB. */
static void test_examinations_are_few(void **unused)
{
    (void)unused;
    size_t examinations = 0;
    for (size_t done = 0; done < 1000000; examinations++) {
        const size_t next = dls_examination_interval(done, 30);
        assert_true(next >= 1 && (next == 1 || 4 * next <= done));
        done += next;
    }
    assert_true((double)examinations <= 8.0 + 5.0 * log2(1000000.0 / 8.0));
    for (size_t n = 1; n <= 10000000; n *= 10) {
        const size_t next = dls_examination_interval(1000000, n);
        assert_true(next == 1 || next * n * sizeof(double) <= (size_t)1 << 26);
    }
}

/* --- time --- */

static const struct timespec nap = {.tv_nsec = 20000000};

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct sleeper {
    size_t naps;
    double slept; /* [s] */
} sleeper;

static bool sleep_and_go_on(void *context, const double *lambda, const dls_report *report)
{
    sleeper *s = context;
    const double start = clock_now();
    (void)lambda, (void)report;
    nanosleep(&nap, NULL);
    s->slept += clock_now() - start;
    return ++s->naps < 5;
}

/* PGS that sleeps in each iteration. */
static dls_status iterate_slowly(void *work, dls_report *report, dls_error *error)
{
    nanosleep(&nap, NULL);
    return dls_iterative_find("pgs")->iterate(work, report, error);
}

/* The time of a solver and that of its observer are parts of the whole that do not overlap; what the solver sleeps is
 * its own time, in whichever process. */
static void test_seconds_are_those_of_the_solver(void **unused)
{
    dls_problem *p = of_scene("chain-10");
    dls_solver slow = *dls_iterative_find("pgs");
    dls_error error;
    (void)unused;
    slow.iterate = iterate_slowly;
    slow.reload = NULL;
    for (int separate = 0; separate < 2; separate++)
        for (int sleeps = 0; sleeps < 2; sleeps++) {
            dls_choice choice;
            sleeper observer = {0};
            assert_status(dls_choice_create("pgs", &choice, &error), &error);
            if (sleeps)
                choice.solver = &slow;
            if (separate)
                assert_status(dls_choice_limit(&choice, 600.0, &error), &error);
            const double start = clock_now();
            answer a = solve(&choice, p, 1e-9, sleep_and_go_on, &observer);
            const double all = clock_now() - start;
            assert_int_equal(observer.naps, 5);
            assert_true(a.report.seconds > 0.0);
            assert_true(a.report.seconds + observer.slept <= all);
            if (sleeps)
                assert_true(a.report.seconds >= 5.0 * 1e-9 * (double)nap.tv_nsec);
            release(&a);
            dls_choice_release(&choice);
        }
    dls_problem_destroy(p);
}

static size_t opened;

static dls_status open_and_count(const dls_problem *p, const void *settings, const double *lambda0, void **work,
                                 dls_error *error)
{
    opened++;
    return dls_iterative_find("pgs")->open(p, settings, lambda0, work, error);
}

/* A solver whose calls have effects is opened for its answer alone. */
static void test_a_solver_that_is_called_once(void **unused)
{
    dls_problem *p = of_scene("four-bar");
    dls_solver counted = *dls_iterative_find("pgs");
    dls_choice choice;
    dls_error error;
    (void)unused;
    assert_status(dls_choice_create("pgs", &choice, &error), &error);
    counted.open = open_and_count;
    counted.accepts |= DLS_CALL_ONCE;
    choice.solver = &counted;
    answer a = solve(&choice, p, 1e-9, NULL, NULL);
    assert_int_equal(opened, 1);
    assert_true(a.report.seconds > 0.0);
    release(&a);
    dls_choice_release(&choice);
    dls_problem_destroy(p);
}

/* Each allocation that fails is an error of the solve, or only leaves its time as it was first measured; nothing is
 * lost. */
static void test_failing_memory(void **unused)
{
    dls_problem *p = of_scene("four-bar");
    dls_solver once = *dls_iterative_find("pgs");
    double *lambda = calloc(p->n + 1, sizeof *lambda);
    dls_choice choice;
    dls_stop stop = {.tolerance = 1e-9, .limit = LIMIT, .timed = true};
    dls_error error;
    (void)unused;
    assert_non_null(lambda);
    assert_status(dls_choice_create("pgs", &choice, &error), &error);
    assert_status(dls_examiner_create(p, &stop.examiner, &error), &error);
    once.accepts |= DLS_CALL_ONCE;
    for (int again = 0; again < 2; again++) {
        choice.solver = again ? dls_iterative_find("pgs") : &once;
        bool failed = true;
        size_t which = 1;
        for (; failed; which++) {
            dls_report report = {0};
            const long before = live;
            memset(lambda, 0, p->n * sizeof *lambda);
            allocations = 0, fail_at = which;
            const dls_status status = dls_solve_until(&choice, p, &stop, lambda, &report, &error);
            failed = allocations >= which, fail_at = 0;
            dls_report_release(&report);
            assert_int_equal(live, before);
            assert_true(status == DLS_NO_MEMORY || (status == DLS_OK && (again || !failed)));
        }
        assert_true(which > 10);
    }
    dls_examiner_destroy(stop.examiner);
    free(lambda);
    dls_choice_release(&choice);
    dls_problem_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_method_ends_at_its_first_good_iterate),
                                       cmocka_unit_test(test_what_comes_behind_the_answer_does_not_count),
                                       cmocka_unit_test(test_examinations_are_few),
                                       cmocka_unit_test(test_seconds_are_those_of_the_solver),
                                       cmocka_unit_test(test_a_solver_that_is_called_once),
                                       cmocka_unit_test(test_failing_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
