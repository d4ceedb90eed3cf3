#include "delassus/experiments.h"

#include "base/arithmetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fast and exact first. "fixed-point" takes coupled friction, the last two that and cones; the others refuse them. */
static const char all_methods[] =
    "block-pivoting,lemke,interior-point,dantzig,newton,fixed-point,cone-newton,cone-interior";

typedef struct trial {
    dls_criteria criteria;
    double *lambda;
    dls_reference_solution *reference;
    char reasons[DLS_MESSAGE_MAX - 64];
} trial;

/* Replaces the reference solution if this one is better. That there is none ends the search, if it is proved. */
static dls_status assess(trial *t, const dls_choice *choice, dls_report *report, dls_error *error)
{
    dls_certificate certificate;
    dls_reference_solution *best = t->reference;
    size_t used = strlen(t->reasons);
    DLS_TRY(dls_decide_outcome(&t->criteria, t->lambda, &certificate, NULL, report, error));
    if (report->outcome == DLS_OUTCOME_NO_SOLUTION)
        return best->proved
                   ? dls_fail(error, DLS_REFUSED, "%s has a solution, and %s a proof that there is none: %.300s",
                              best->solver->name, choice->solver->name, report->message)
                   : dls_fail(error, DLS_UNSOLVABLE, "the problem has no solution; %s: %.400s", choice->solver->name,
                              report->message);
    if (report->outcome != DLS_OUTCOME_SOLVED) {
        snprintf(t->reasons + used, sizeof t->reasons - used, "%s%s: %s (%.60s)", used ? "; " : "",
                 choice->solver->name, dls_outcome_text(report->outcome), report->message);
    } else if (!best->solver || certificate.scaled_residual < best->certificate.scaled_residual) {
        best->solver = choice->solver;
        best->certificate = certificate;
        best->proved = report->proof == DLS_PROOF_EXACT || report->proof == DLS_PROOF_CERTIFICATE;
        memcpy(best->lambda, t->lambda, t->criteria.problem->n * sizeof *t->lambda);
    }
    return DLS_OK;
}

static dls_status try_method(trial *t, const char *name, dls_error *error)
{
    dls_choice choice;
    dls_report report = {0};
    const dls_problem *problem = t->criteria.problem;
    dls_status status = dls_choice_create(name, &choice, error);
    if (status == DLS_OK) {
        memset(t->lambda, 0, problem->n * sizeof *t->lambda);
        status = dls_solve(choice.solver, problem, choice.settings, 1000, t->lambda, &report, NULL, NULL, error);
    }
    if (status == DLS_OK)
        status = assess(t, &choice, &report, error);
    t->reference->tried++;
    dls_report_release(&report);
    dls_choice_release(&choice);
    return status;
}

static dls_status try_methods(trial *t, const char *methods, double good_enough, dls_error *error)
{
    for (const char *from = methods; *from; from += strcspn(from, ","), from += *from == ',') {
        char name[DLS_NAME_MAX];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(from, ","), from);
        DLS_TRY(try_method(t, name, error));
        if (t->reference->solver && t->reference->certificate.scaled_residual <= good_enough)
            return DLS_OK;
    }
    return t->reference->solver ? DLS_OK
                                : dls_fail(error, DLS_REFUSED, "no direct method has a solution: %s", t->reasons);
}

dls_status dls_reference_solution_create(const dls_problem *problem, dls_examiner *examiner, const char *methods,
                                         double good_enough, dls_reference_solution **reference, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    trial t = {.criteria = {.problem = problem,
                            .examiner = examiner,
                            .tolerance = DLS_SOLVED_TOLERANCE,
                            .largest = DLS_CERTIFY_ROWS},
               .lambda = calloc(problem->n + 1, sizeof(double))};
    *reference = t.reference = calloc(1, sizeof **reference);
    if (t.reference)
        t.reference->lambda = calloc(problem->n + 1, sizeof(double));
    dls_status status = t.reference && t.reference->lambda && t.lambda
                            ? try_methods(&t, methods ? methods : all_methods, good_enough, error)
                            : dls_fail(error, DLS_NO_MEMORY, "no memory for a reference of %zu rows", problem->n);
    free(t.lambda);
    if (status != DLS_OK) {
        dls_reference_solution_destroy(*reference);
        *reference = NULL;
    }
    return status;
}

void dls_reference_solution_destroy(dls_reference_solution *reference)
{
    if (!reference)
        return;
    free(reference->lambda);
    free(reference);
}
