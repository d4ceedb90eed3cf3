/* temporal-coherence, Gauss-Seidel: "Gauss-Seidel is better if A is singular and sparse".
 *
 * Problems that are sparse or dense, with a regular or a singular A, from zero impulse up to residuals that the
 * examiner certifies: sweeps of PGS, Jacobi's method (which the notes print as Gauss-Seidel), and direct methods. The
 * measure is the solver's own time: sweeps and factors have no other unit in common. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* `scene`: of dls_cases; NULL: an LCP of this class, manufactured with a solution. */
static const struct {
    const char *name, *scene;
    dls_matrix_class matrix;
} problems[DLS_CLAIMS_PROBLEMS] = {
    {"sparse, regular: chain", "chain-1", DLS_MATRIX_DEFINITE},
    {"sparse, regular: heavy chain", "chain-100", DLS_MATRIX_DEFINITE},
    {"sparse, singular: stack", "stack", DLS_MATRIX_SEMIDEFINITE},
    {"sparse, singular: wall", "wall", DLS_MATRIX_SEMIDEFINITE},
    {"dense, regular: manufactured", NULL, DLS_MATRIX_DEFINITE},
    {"dense, singular: manufactured", NULL, DLS_MATRIX_SEMIDEFINITE},
};
enum { METHODS = 4 };
static const char *const methods[METHODS] = {"pgs", "jacobi", "block-pivoting", "sparse-active-set"};

/* Seconds to each target; NaN where the method refuses the problem or did not get there. */
static dls_status run_method(const dls_claims_settings *set, const char *name, const dls_problem *problem,
                             dls_examiner *examiner, double *lambda, double *seconds, dls_error *error)
{
    dls_choice choice;
    dls_solver_reach reach;
    dls_status status = DLS_OK;
    for (size_t t = 0; t < DLS_REACH_TARGETS; t++)
        seconds[t] = NAN;
    DLS_TRY(dls_choice_create(name, &choice, error));
    if (!dls_solver_refuses(choice.solver, problem)) {
        status = dls_reach_measure(&choice, problem, examiner, NULL, set->limit, set->seconds, lambda, &reach, error);
        for (size_t t = 0; t < DLS_REACH_TARGETS && status == DLS_OK; t++)
            seconds[t] = reach.to[t].seconds;
    }
    dls_choice_release(&choice);
    return status;
}

/* fmin and fmax ignore NaN: a direct method that does not answer is not the fastest. */
static double ratio_of(double sweeps, double one, double other)
{
    return (isnan(sweeps) ? HUGE_VAL : sweeps) / fmin(one, other);
}

static dls_status race_on(const dls_study *study, size_t which, const dls_problem *problem, dls_error *error)
{
    const dls_claims_settings *set = study->settings;
    dls_claims_findings *f = study->found;
    dls_examiner *examiner = NULL;
    double seconds[METHODS][DLS_REACH_TARGETS], *lambda = calloc(problem->n + 1, sizeof *lambda);
    dls_status status = lambda ? dls_examiner_create(problem, &examiner, error)
                               : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    for (size_t k = 0; k < METHODS && status == DLS_OK; k++)
        status = run_method(set, methods[k], problem, examiner, lambda, seconds[k], error);
    for (size_t t = 0; t < DLS_REACH_TARGETS && status == DLS_OK; t++) {
        f->race[which].ratio[t] = ratio_of(seconds[0][t], seconds[2][t], seconds[3][t]);
        dls_table_row(study->tables[DLS_CLAIMS_RACES], "%s %g %g %g %g %g %g", problems[which].name,
                      dls_reach_targets[t], seconds[0][t], seconds[1][t], seconds[2][t], seconds[3][t],
                      f->race[which].ratio[t]);
    }
    dls_examiner_destroy(examiner);
    free(lambda);
    return status;
}

static dls_status race_in_scene(const dls_study *study, size_t which, dls_error *error)
{
    const dls_case_size size = {.layers = 2, .contacts = 2, .seed = 1};
    const dls_case *of = dls_cases;
    dls_case_open at;
    while (strcmp(of->name, problems[which].scene) != 0)
        of++;
    DLS_TRY(dls_case_begin(&at, of, &size, error));
    const dls_status status = race_on(study, which, at.problem, error);
    dls_case_close(&at);
    return status;
}

dls_status dls_claims_singular_sweeps(dls_study *study, dls_error *error)
{
    const dls_claims_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(DLS_CLAIMS_PROBLEMS); dls_study_next(study, &g);) {
        const size_t which = g.at[0];
        dls_problem *problem;
        if (problems[which].scene) {
            DLS_TRY(race_in_scene(study, which, error));
            continue;
        }
        const dls_recipe recipe = {.matrix = problems[which].matrix, .n = set->unknowns, .seed = set->seed};
        DLS_TRY(dls_manufacture(&recipe, &problem, NULL, NULL, error));
        const dls_status status = race_on(study, which, problem, error);
        dls_problem_destroy(problem);
        DLS_TRY(status);
    }
    return DLS_OK;
}
