/* Whether the iterations of a run damp its warm starts: (1 + e) rho^N < 1 (experiments/coherence/law.c), e the share of
 * a position error that a step feeds back, N the iterations per step, rho the spectral radius of an iteration on the
 * rows between their bounds. Rows at a bound have no part in it: of friction that slides, the coupling to its normal
 * row is left out. rho is that of reference/rate, by dense eigenvalues, so larger problems are not measured: with
 * ROWS_MAX free rows it takes about as long as some hundred steps.
 */
#include "run.h"

#include "base/memory.h"
#include "delassus/reference.h"

#include <math.h>

enum { ROWS_MAX = 200 };
/* Rows that are redundant up to the closure error of their loop have a rate as near to 1 as this, without a motion. */
static const double closed = 1e-9;

/* The largest share that a row between its bounds feeds back. */
static double largest_feedback(const dls_run *run, const dls_simulation *simulation)
{
    const dls_row_list *rows = dls_simulation_rows(simulation);
    const dls_problem *problem = dls_simulation_problem(simulation);
    double erp = 0.0;
    for (size_t i = 0; i < rows->n; i++)
        if (!rows->row[i].gap && dls_list_row_rigid(&rows->row[i], problem->h) &&
            dls_problem_row_status(problem, i, dls_simulation_impulses(simulation)) == DLS_ROW_BETWEEN)
            erp = fmax(erp, rows->row[i].erp);
    return run->scheme->feedback(run->scheme_settings, erp);
}

/* Rows between their bounds have none in `linear`, and the others have the impulse 0: a system of equations. Its arrays
 * are in the arena. Returns the number of the first ones. */
static size_t linearise(const dls_problem *problem, const double *lambda, dls_arena *arena, dls_problem *linear)
{
    const size_t n = problem->n;
    size_t free_rows = 0;
    *linear = *problem;
    linear->n_coupled = linear->n_cone = 0;
    linear->lo = DLS_TAKE_ZEROS(arena, double, n + 1);
    linear->hi = DLS_TAKE_ZEROS(arena, double, n + 1);
    linear->mu = DLS_TAKE_ZEROS(arena, double, n + 1);
    linear->law = DLS_TAKE_ZEROS(arena, dls_law, n + 1);
    linear->parent = DLS_TAKE(arena, size_t, n + 1);
    for (size_t i = 0; i < n && !arena->failed; i++) {
        linear->parent[i] = DLS_NONE;
        if (dls_problem_row_status(problem, i, lambda) != DLS_ROW_BETWEEN)
            continue;
        linear->lo[i] = -HUGE_VAL, linear->hi[i] = HUGE_VAL;
        free_rows++;
    }
    return free_rows;
}

static dls_status measure_rate(const dls_run *run, const dls_simulation *simulation, dls_run_warm *law,
                               dls_error *error)
{
    const dls_problem *problem = dls_simulation_problem(simulation);
    const double feedback = largest_feedback(run, simulation);
    dls_arena arena = {0};
    dls_problem linear;
    dls_rate rate = {.spectral_radius = 0.0};
    const size_t free_rows = linearise(problem, dls_simulation_impulses(simulation), &arena, &linear);
    double *none = DLS_TAKE_ZEROS(&arena, double, problem->n + 1);
    dls_status status = arena.failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for the law of warm starts") : DLS_OK;
    if (status == DLS_OK && feedback > 0.0 && free_rows > ROWS_MAX)
        law->largest = free_rows > law->largest ? free_rows : law->largest;
    else if (status == DLS_OK && feedback > 0.0 && free_rows > 0)
        status =
            dls_rate_predict(&linear, none, NULL, run->choice.solver->splitting(run->choice.settings), &rate, error);
    dls_arena_release(&arena);
    const size_t iterations = dls_simulation_iterations(simulation).position;
    const double rho = rate.spectral_radius;
    if (status == DLS_OK && rho > law->rate && rho < 1.0 - closed)
        *law = (dls_run_warm){.feedback = feedback,
                              .rate = rho,
                              .iterations = iterations,
                              .needed = (size_t)floor(log1p(feedback) / -log(rho)) + 1,
                              .largest = law->largest};
    return status;
}

dls_status dls_warm_law_measure(const dls_run *run, const dls_simulation *simulation, dls_run_warm *law,
                                dls_error *error)
{
    const dls_solver *solver = run->choice.solver;
    if (!run->warm.on || !run->scheme->feedback || !solver->splitting ||
        solver->splitting(run->choice.settings).kind == DLS_SPLITTING_NONE)
        return DLS_OK;
    return measure_rate(run, simulation, law, error);
}
