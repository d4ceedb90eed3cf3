/* The strongest statement about a problem, from all that the direct methods know. */
#include "delassus/experiments.h"

#include <stdlib.h>

enum { ALL_ROWS = 32 }; /* problems of at most so many rows with fixed bounds: all solutions */

/* A direct method's Farkas vector, in `report`. */
static dls_status find_farkas_vector(const dls_problem *p, double *lambda, dls_report *report, dls_error *error)
{
    for (const dls_solver *const *solver = dls_direct_solvers; *solver; solver++) {
        dls_choice choice;
        dls_report_release(report);
        DLS_TRY(dls_choice_create((*solver)->name, &choice, error));
        const dls_status status = dls_solve(*solver, p, choice.settings, 1000, lambda, report, NULL, NULL, error);
        dls_choice_release(&choice);
        if (status == DLS_NO_MEMORY)
            return status;
        if (status == DLS_OK && report->outcome == DLS_OUTCOME_NO_SOLUTION && report->proof_vector)
            return DLS_OK;
    }
    return dls_fail(error, DLS_REFUSED, "no method has a Farkas vector of the problem, which has no solution");
}

static dls_status state_no_solution(const dls_problem *p, const dls_statement_settings *settings,
                                    dls_best_statement *best, dls_error *error)
{
    dls_report report = {0};
    double *lambda = calloc(p->n + 1, sizeof *lambda);
    dls_status status =
        lambda ? find_farkas_vector(p, lambda, &report, error) : dls_fail(error, DLS_NO_MEMORY, "no memory");
    if (status == DLS_OK)
        status = dls_statement_create(p, NULL, report.proof_vector, settings, &best->statement, error);
    dls_report_release(&report);
    free(lambda);
    return status;
}

/* About the best answer of the direct methods. */
static dls_status state_reference(const dls_problem *p, const char *methods, const dls_statement_settings *settings,
                                  dls_best_statement *best, dls_error *error)
{
    dls_examiner *examiner;
    DLS_TRY(dls_examiner_create(p, &examiner, error));
    dls_status status = dls_reference_solution_create(p, examiner, methods, 1e-12, &best->reference, error);
    if (status == DLS_OK)
        status = dls_statement_create(p, best->reference->lambda, NULL, settings, &best->statement, error);
    else if (status == DLS_UNSOLVABLE)
        status = state_no_solution(p, settings, best, error);
    dls_examiner_destroy(examiner);
    return status;
}

dls_status dls_best_statement_find(const dls_problem *p, const char *methods, const dls_statement_settings *settings,
                                   dls_best_statement *best, dls_error *error)
{
    *best = (dls_best_statement){.statement = NULL};
    if (p->n <= ALL_ROWS && p->n_coupled == 0) {
        DLS_TRY(dls_statement_create(p, NULL, NULL, settings, &best->statement, error));
        if (dls_statement_kind_of(best->statement) != DLS_STATEMENT_NONE)
            return DLS_OK;
        dls_statement_destroy(best->statement);
        best->statement = NULL;
    }
    return state_reference(p, methods, settings, best, error);
}

void dls_best_statement_release(dls_best_statement *best)
{
    dls_statement_destroy(best->statement);
    dls_reference_solution_destroy(best->reference);
    *best = (dls_best_statement){.statement = NULL};
}
