#include "delassus/experiments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fast and exact first. "fixed-point" takes coupled friction, "cone-newton" that and cones; the others refuse them. */
static const char all_methods[] = "block-pivoting,lemke,interior-point,dantzig,newton,fixed-point,cone-newton";

typedef struct trial {
    const dls_problem *problem;
    dls_examiner *examiner;
    double *lambda;
    dls_reference_solution *reference;
    char reasons[DLS_MESSAGE_MAX - 64];
} trial;

/* Replaces the reference solution if this one is better. */
static void assess(trial *t, const dls_choice *choice, const dls_report *report)
{
    dls_certificate certificate;
    size_t used = strlen(t->reasons);
    if (report->outcome != DLS_OUTCOME_SOLVED) {
        snprintf(t->reasons + used, sizeof t->reasons - used, "%s%s: %s (%.60s)", used ? "; " : "",
                 choice->solver->name, dls_outcome_text(report->outcome), report->message);
        return;
    }
    dls_examine(t->examiner, t->lambda, NULL, &certificate);
    if (t->reference->solver && !(certificate.scaled_residual < t->reference->certificate.scaled_residual))
        return;
    t->reference->solver = choice->solver;
    t->reference->certificate = certificate;
    memcpy(t->reference->lambda, t->lambda, t->problem->n * sizeof *t->lambda);
}

static dls_status try_method(trial *t, const char *name, dls_error *error)
{
    dls_choice choice;
    dls_report report = {0};
    dls_status status = dls_choice_create(name, &choice, error);
    if (status == DLS_OK) {
        memset(t->lambda, 0, t->problem->n * sizeof *t->lambda);
        status = dls_solve(choice.solver, t->problem, choice.settings, 1000, t->lambda, &report, NULL, NULL, error);
    }
    if (status == DLS_OK)
        assess(t, &choice, &report);
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
    trial t = {.problem = problem, .examiner = examiner, .lambda = calloc(problem->n + 1, sizeof(double))};
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
