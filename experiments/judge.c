#include "delassus/experiments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Above this many tolerances, violations are large beside b alone: impulses so large that A lambda cancels would hide
 * that there is no solution. */
static const double data_tolerances = 1e3;

static void judge_solution(const dls_certificate *c, double tolerance, dls_report *report)
{
    const bool claims = report->outcome != DLS_OUTCOME_ITERATION_LIMIT;
    if (!(c->scaled_residual <= tolerance)) {
        if (claims)
            dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                           "the method says %s, the examiner finds a scaled residual of %.3e",
                           dls_outcome_text(report->outcome), c->scaled_residual);
    } else if (!(c->data_residual <= data_tolerances * tolerance)) {
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "the impulses are so large that their violations are %.3e of b alone (scaled residual %.3e): "
                       "there may be no solution",
                       c->data_residual, c->scaled_residual);
    } else if (!claims) {
        dls_report_end(report, DLS_OUTCOME_SOLVED, "the examiner finds a scaled residual of %.3e", c->scaled_residual);
    }
}

static dls_status judge_proof(const dls_problem *problem, dls_report *report, dls_error *error)
{
    dls_farkas_proof proof;
    char said[DLS_MESSAGE_MAX / 2];
    DLS_TRY(dls_farkas_verify(problem, report->proof_vector, &proof, error));
    snprintf(said, sizeof said, "%.*s", (int)sizeof said - 1, report->message);
    if (proof.proved)
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "%s; proved exactly, margin %.3e", said, proof.margin);
    else
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "the method says no solution, but its Farkas vector is not proved: %s", proof.reason);
    return DLS_OK;
}

/* Each of several solutions must be one. */
static void judge_solutions(const dls_problem *problem, dls_examiner *examiner, double tolerance, dls_report *report)
{
    for (size_t k = 0; report->outcome == DLS_OUTCOME_SEVERAL && k < report->n_solutions; k++) {
        dls_certificate c;
        dls_examine(examiner, report->solutions + k * problem->n, NULL, &c);
        judge_solution(&c, tolerance, report);
    }
}

dls_status dls_judge(const dls_problem *problem, dls_examiner *examiner, const double *lambda, double tolerance,
                     dls_certificate *certificate, dls_report *report, dls_error *error)
{
    dls_examine(examiner, lambda, NULL, certificate);
    switch (report->outcome) {
    case DLS_OUTCOME_SEVERAL:
        judge_solutions(problem, examiner, tolerance, report);
        return DLS_OK;
    case DLS_OUTCOME_SOLVED:
    case DLS_OUTCOME_ITERATION_LIMIT:
        judge_solution(certificate, tolerance, report);
        return DLS_OK;
    case DLS_OUTCOME_NO_SOLUTION:
        return report->proof == DLS_PROOF_FARKAS ? judge_proof(problem, report, error) : DLS_OK;
    default: /* it claims nothing */
        return DLS_OK;
    }
}

static bool has_solution(const dls_report *report)
{
    return report->outcome == DLS_OUTCOME_SOLVED || report->outcome == DLS_OUTCOME_SEVERAL;
}

bool dls_contradict(const dls_report *one, const dls_report *other)
{
    return (has_solution(one) && other->outcome == DLS_OUTCOME_NO_SOLUTION) ||
           (has_solution(other) && one->outcome == DLS_OUTCOME_NO_SOLUTION);
}
