/* The time that `delassus solve` prints beside a solver, against a stopwatch of our own around open, the iterations and
 * read: SCENE-SOLVER [us], the peers being dls_report.seconds in this process and in a separate one. Ratios are 1 where
 * the printed time is that of the solver alone. */
#include "bench.h"
#include "scenes.h"

#include "delassus/experiments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 9, ITERATIONS = 1000 };

static const char *const scenes[] = {"chain-10", "stack-10", "chain-100", "wall"};
static const char *const solvers[] = {
    "pgs", "sor", "nsgs", "block-pivoting", "inside:bullet-pgs", "inside:ode-dantzig"};

/* The least CPU time of some solves by hand; NaN where the solver refuses the problem. */
static dls_status time_by_hand(const dls_choice *choice, const dls_problem *p, double *lambda, double *best,
                               dls_error *error)
{
    const dls_solver *solver = choice->solver;
    *best = dls_solver_refuses(solver, p) ? NAN : HUGE_VAL;
    for (int k = 0; k < REPEATS && !isnan(*best); k++) {
        dls_report report = {0};
        void *work;
        const double start = bench_clock();
        dls_status status = solver->open(p, choice->settings, NULL, &work, error);
        if (status == DLS_REFUSED) {
            *best = NAN;
            return DLS_OK;
        }
        for (int i = 0; i < ITERATIONS && status == DLS_OK && report.outcome == DLS_OUTCOME_RUNNING; i++)
            status = solver->iterate(work, &report, error);
        if (status == DLS_OK)
            solver->read(work, lambda);
        *best = fmin(*best, bench_since(start));
        solver->close(work);
        dls_report_release(&report);
        DLS_TRY(status);
    }
    return DLS_OK;
}

/* The least of the times that are printed. */
static dls_status time_printed(const dls_choice *choice, const dls_problem *p, double *lambda, double *best,
                               dls_error *error)
{
    dls_stop stop = {.limit = ITERATIONS, .timed = true};
    *best = HUGE_VAL;
    for (int k = 0; k < REPEATS; k++) {
        dls_report report = {0};
        memset(lambda, 0, p->n * sizeof *lambda);
        const dls_status status = dls_solve_until(choice, p, &stop, lambda, &report, error);
        *best = fmin(*best, report.seconds);
        dls_report_release(&report);
        DLS_TRY(status);
    }
    return DLS_OK;
}

static dls_status measure_solves(bench *b, const char *scene, const dls_problem *p, const char *name, double *lambda,
                                 dls_error *error)
{
    char line[2 * DLS_NAME_MAX];
    dls_choice choice;
    double hand, here, there;
    dls_status status = dls_choice_create(name, &choice, error);
    if (status == DLS_OK)
        status = time_by_hand(&choice, p, lambda, &hand, error);
    if (status == DLS_OK && !isnan(hand))
        status = time_printed(&choice, p, lambda, &here, error);
    if (status == DLS_OK && !isnan(hand))
        status = dls_choice_limit(&choice, 600.0, error);
    if (status == DLS_OK && !isnan(hand))
        status = time_printed(&choice, p, lambda, &there, error);
    if (status == DLS_OK && !isnan(hand)) {
        snprintf(line, sizeof line, "%s-%s", scene, choice.solver->name);
        bench_add(b, line, p->n, 1e6 * hand, "us", "printed", 1e6 * here);
        bench_add(b, line, p->n, 1e6 * hand, "us", "printed, own process", 1e6 * there);
    }
    dls_choice_release(&choice);
    if (status == DLS_UNAVAILABLE) {
        bench_note(b, "solves: there is no %s", name);
        return DLS_OK;
    }
    return status;
}

static dls_status measure_scene(bench *b, const char *scene, dls_error *error)
{
    char path[DLS_PATH_MAX];
    dls_content content;
    snprintf(path, sizeof path, "%s/%s.yaml", BENCH_SCENES, scene);
    DLS_TRY(dls_load_problem(path, NULL, &content, error));
    double *lambda = calloc(content.problem->n + 1, sizeof *lambda);
    dls_status status = lambda ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for the impulses of %s", scene);
    for (size_t k = 0; k < sizeof solvers / sizeof solvers[0] && status == DLS_OK; k++)
        status = measure_solves(b, scene, content.problem, solvers[k], lambda, error);
    free(lambda);
    dls_content_release(&content);
    return status;
}

dls_status bench_solves(bench *b, dls_error *error)
{
    for (size_t k = 0; k < (b->quick ? 2u : sizeof scenes / sizeof scenes[0]); k++)
        DLS_TRY(measure_scene(b, scenes[k], error));
    return DLS_OK;
}
