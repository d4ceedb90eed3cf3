/* A solve that ends at the iterate that the examiner finds good enough.
 *
 * To examine an iterate takes as long as many sweeps of a small problem. So only some are: the 1st, 2nd, ... 8th, 10th,
 * 12th, 15th, ..., and the last one. The iterates since the last examination are kept until the next one. Where that
 * finds its iterate good enough, bisection among the kept ones finds one that is good enough behind one that is not:
 * if the residuals fall, the first. */
#include "base/memory.h"
#include "host/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A solve also pays for memory and code that are touched for the first time, many times as much as it costs on a small
 * problem, and for one look at the clock in each iteration. If it was short, it is timed again. */
static void time_again(const dls_choice *choice, const dls_problem *problem, const double *lambda0, size_t iterations,
                       dls_report *report)
{
    const bool separate = choice->solver->accepts & DLS_ELSEWHERE;
    if (!(report->seconds < dls_short_solve) || report->outcome == DLS_OUTCOME_TIME_LIMIT ||
        (choice->solver->accepts & DLS_CALL_ONCE) || (separate && !choice->separate))
        return;
    const double again = separate ? dls_separate_seconds_again(choice, problem, lambda0, iterations)
                                  : dls_seconds_again(choice->solver, choice->settings, problem, lambda0, iterations);
    report->seconds = fmin(report->seconds, again);
}

/* The counts of an iterate, as in its report. */
typedef struct tally {
    size_t iterations, factorizations;
    double row_visits, seconds;
} tally;

typedef struct window {
    size_t n;
    dls_stop *stop;
    size_t before;   /* iterates that were dropped */
    size_t count;    /* iterates that are kept */
    size_t interval; /* as many are kept until the next examination */
    double *lambda;  /* count x n */
    tally *of;       /* count */
    size_t lambda_room, of_room;
    bool examines;        /* false: the method has a test of its own, or no iterate is good enough */
    bool good, no_memory; /* good: the last one that is kept is good enough */
    bool ended;           /* because of that, and not by the method */
} window;

static bool is_good(const window *w, size_t k)
{
    dls_certificate certificate;
    dls_examine(w->stop->examiner, w->lambda + k * w->n, NULL, &certificate);
    return dls_is_converged(&certificate, w->stop->tolerance);
}

/* Examines the last iterate that is kept. If it is not good enough, none before it is needed any more. */
static void examine_last(window *w)
{
    w->good = is_good(w, w->count - 1);
    if (w->good)
        return;
    w->before += w->count;
    w->count = 0;
    w->interval = dls_examination_interval(w->before, w->n);
}

static bool keep_iterate(window *w, const double *lambda, const dls_report *report)
{
    const size_t k = w->count;
    if (!DLS_GROW(w->lambda, w->lambda_room, (k + 1) * w->n + 1) || !DLS_GROW(w->of, w->of_room, k + 1))
        return false;
    memcpy(w->lambda + k * w->n, lambda, w->n * sizeof *lambda);
    w->of[k] = (tally){report->iterations, report->factorizations, report->row_visits, report->seconds};
    w->count++;
    return true;
}

static bool observe(void *context, const double *lambda, const dls_report *report)
{
    window *w = context;
    dls_stop *stop = w->stop;
    stop->iterates++;
    const bool go_on = !stop->observer || stop->observer(stop->context, lambda, report);
    if (!w->examines || dls_outcome_failed(report->outcome)) /* a failure's is no iterate of the method */
        return go_on;
    w->no_memory = !keep_iterate(w, lambda, report);
    if (w->no_memory || !go_on)
        return false;
    if (w->count == w->interval)
        examine_last(w);
    w->ended = w->good;
    return !w->good;
}

/* The number of a kept iterate that is good enough while the one before it is not; the last one is good enough. */
static size_t bisect(const window *w)
{
    size_t first = 0, last = w->count - 1;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (is_good(w, middle))
            last = middle;
        else
            first = middle + 1;
    }
    return last;
}

/* The answer is an iterate before the last one: the method's later words are not about it. */
static void go_back(const window *w, size_t k, double *lambda, dls_report *report)
{
    const dls_report found = {.iterations = w->of[k].iterations,
                              .factorizations = w->of[k].factorizations,
                              .row_visits = w->of[k].row_visits,
                              .seconds = w->of[k].seconds,
                              .dead_rows = report->dead_rows};
    memcpy(lambda, w->lambda + k * w->n, w->n * sizeof *lambda);
    w->stop->iterates = w->before + k + 1;
    dls_report_release(report);
    *report = found;
    dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT, "%s", "");
}

static void end_solve(window *w, double *lambda, dls_report *report)
{
    if (!w->good && w->count > 0)
        examine_last(w);
    if (!w->good)
        return;
    if (w->ended)
        report->message[0] = '\0'; /* the method has no reason of its own */
    const size_t k = bisect(w);
    if (w->before + k + 1 < w->stop->iterates || dls_outcome_failed(report->outcome))
        go_back(w, k, lambda, report);
}

dls_status dls_solve_until(const dls_choice *choice, const dls_problem *problem, dls_stop *stop, double *lambda,
                           dls_report *report, dls_error *error)
{
    const bool iterative = choice->solver->kind == DLS_SOLVER_ITERATIVE;
    window w = {.n = problem->n, .stop = stop, .examines = iterative && stop->examiner, .interval = 1};
    double *lambda0 = malloc((problem->n + 1) * sizeof *lambda0);
    stop->iterates = 0;
    if (!lambda0)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    memcpy(lambda0, lambda, problem->n * sizeof *lambda0);
    dls_status status =
        dls_solve(choice->solver, problem, choice->settings, stop->limit, lambda, report, observe, &w, error);
    if (status == DLS_OK && w.no_memory)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for %zu iterates of %zu impulses", w.count + 1, w.n);
    if (status == DLS_OK)
        end_solve(&w, lambda, report);
    if (status == DLS_OK && stop->timed && stop->iterates > 0)
        time_again(choice, problem, lambda0, stop->iterates, report);
    free(lambda0);
    free(w.lambda);
    free(w.of);
    return status;
}
