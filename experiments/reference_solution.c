#include "delassus/experiments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In this order: fast and exact first. "fixed-point" takes coupled friction, "cone-newton" that and cones; the others
 * refuse them. */
static const char *const methods[] = {"block-pivoting", "lemke",       "interior-point", "dantzig",
                                      "newton",         "fixed-point", "cone-newton"};

static const double good_enough = 1e-12;

static void remember(char *reasons, size_t size, const char *name, const dls_report *report)
{
    size_t used = strlen(reasons);
    snprintf(reasons + used, size - used, "%s%s: %s (%.60s)", used ? "; " : "", name, dls_outcome_text(report->outcome),
             report->message);
}

static dls_status try_method(const char *name, const dls_problem *problem, dls_examiner *examiner, double *lambda,
                             dls_truth *truth, char *reasons, size_t size, dls_error *error)
{
    dls_choice choice;
    dls_report report = {0};
    dls_certificate certificate;
    dls_status status = dls_choice_create(name, &choice, error);
    if (status == DLS_OK) {
        memset(lambda, 0, problem->n * sizeof *lambda);
        status = dls_solve(choice.solver, problem, choice.settings, 1000, lambda, &report, NULL, NULL, error);
    }
    if (status == DLS_OK && report.outcome == DLS_OUTCOME_SOLVED) {
        dls_examine(examiner, lambda, NULL, &certificate);
        if (!truth->solver || certificate.scaled_residual < truth->certificate.scaled_residual) {
            truth->solver = choice.solver;
            truth->certificate = certificate;
            memcpy(truth->lambda, lambda, problem->n * sizeof *lambda);
        }
    } else if (status == DLS_OK) {
        remember(reasons, size, name, &report);
    }
    dls_report_release(&report);
    dls_choice_release(&choice);
    return status;
}

static dls_status try_methods(const dls_problem *problem, dls_examiner *examiner, double *lambda, dls_truth *truth,
                              dls_error *error)
{
    char reasons[DLS_MESSAGE_MAX - 64] = "";
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (!dls_direct_find(methods[i]))
            continue;
        DLS_TRY(try_method(methods[i], problem, examiner, lambda, truth, reasons, sizeof reasons, error));
        if (truth->solver && truth->certificate.scaled_residual <= good_enough)
            return DLS_OK;
    }
    return truth->solver ? DLS_OK : dls_fail(error, DLS_REFUSED, "no direct method has a solution: %s", reasons);
}

dls_status dls_truth_create(const dls_problem *problem, dls_examiner *examiner, dls_truth **truth, dls_error *error)
{
    dls_truth *t = *truth = calloc(1, sizeof *t);
    double *lambda = calloc(problem->n + 1, sizeof *lambda);
    if (t)
        t->lambda = calloc(problem->n + 1, sizeof *t->lambda);
    dls_status status = t && t->lambda && lambda
                            ? try_methods(problem, examiner, lambda, t, error)
                            : dls_fail(error, DLS_NO_MEMORY, "no memory for a reference of %zu rows", problem->n);
    free(lambda);
    if (status != DLS_OK) {
        dls_truth_destroy(t);
        *truth = NULL;
    }
    return status;
}

void dls_truth_destroy(dls_truth *truth)
{
    if (!truth)
        return;
    free(truth->lambda);
    free(truth);
}
