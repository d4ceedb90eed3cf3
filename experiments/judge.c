#include "delassus/experiments.h"

#include <string.h>

/* A vector that proves nothing is no proof: its margin must stand clear of what its signs miss. */
static const double proof_slack = 1e-9;

static void judge_proof(dls_examiner *examiner, dls_report *report)
{
    double slack, margin = dls_examiner_farkas(examiner, report->proof_vector, &slack);
    char said[DLS_MESSAGE_MAX / 2];
    memcpy(said, report->message, sizeof said - 1);
    said[sizeof said - 1] = 0;
    if (margin > 0.0 && slack <= proof_slack * margin)
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "%s; examined: margin %.3e, slack %.3e", said, margin, slack);
    else
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "the method says no solution, but its Farkas vector has a margin of %.3e and a slack of %.3e",
                       margin, slack);
}

void dls_judge(dls_examiner *examiner, const dls_certificate *certificate, double tolerance, dls_report *report)
{
    bool good = certificate->scaled_residual <= tolerance;
    bool claims = report->outcome == DLS_OUTCOME_SOLVED || report->outcome == DLS_OUTCOME_SEVERAL;
    if (report->outcome == DLS_OUTCOME_ITERATION_LIMIT && good)
        dls_report_end(report, DLS_OUTCOME_SOLVED, "the examiner finds a scaled residual of %.3e",
                       certificate->scaled_residual);
    else if (claims && !good)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "the method says solved, the examiner finds a scaled residual of %.3e",
                       certificate->scaled_residual);
    else if (report->outcome == DLS_OUTCOME_NO_SOLUTION && report->proof == DLS_PROOF_FARKAS)
        judge_proof(examiner, report);
}
