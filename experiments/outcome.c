#include "delassus/experiments.h"

#include "base/arithmetic.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Above data_tolerances tolerances, violations are large beside b alone: impulses so large that A lambda cancels would
 * hide that there is no solution. Then one must be proved to exist, and so near that the relative error of each impulse
 * is at most near_tolerances tolerances. An iterate, whose residual is the tolerance itself, may violate b by somewhat
 * more: hence 20. With 1000, a random problem without a solution was called solved (tests/test_verdicts.c). */
static const double data_tolerances = 20.0, near_tolerances = 1e3;
/* Nor may they be that many times what they are beside their own terms (or rounding): an answer that is right to its
 * last digit has much less left of b than the tolerance allows to an iterate. */
static const double amplification = 1e8;

static double allowed_of_data(const dls_certificate *c, double tolerance)
{
    return fmin(data_tolerances * tolerance, amplification * fmax(c->scaled_residual, DBL_EPSILON));
}

bool dls_is_converged(const dls_certificate *c, double tolerance)
{
    return c->scaled_residual <= tolerance &&
           (c->data_residual <= allowed_of_data(c, tolerance) || isinf(c->data_residual));
}

/* An impulse that should be 0, and is not by rounding, is far from 0 beside itself: it is held against the one that
 * undoes b_i. */
static bool proved_near(const dls_criteria *criteria, const double *lambda, const dls_bounds *bounds, double relative)
{
    const dls_problem *p = criteria->problem;
    for (size_t i = 0; bounds->kind != DLS_BOUNDS_NONE && i < p->n; i++) {
        double bound = fmax(isinf(p->lo[i]) ? 0.0 : fabs(p->lo[i]), isinf(p->hi[i]) ? 0.0 : fabs(p->hi[i]));
        double size = fmax(fmax(fabs(lambda[i]), bound), dls_examiner_own_impulse(criteria->examiner, i));
        if (!(bounds->radius_lambda[i] <= relative * size))
            return false;
    }
    return bounds->kind != DLS_BOUNDS_NONE;
}

static void assess_solution(const dls_criteria *criteria, const double *lambda, const dls_certificate *c,
                            const dls_bounds *bounds, dls_report *report)
{
    const double tolerance = criteria->tolerance, allowed = allowed_of_data(c, tolerance);
    const bool claims = report->outcome != DLS_OUTCOME_ITERATION_LIMIT;
    if (!(c->scaled_residual <= tolerance)) {
        if (claims)
            dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                           "the method says %s, the examiner finds a scaled residual of %.3e",
                           dls_outcome_text(report->outcome), c->scaled_residual);
    } else if (!(c->data_residual <= allowed) && report->proof != DLS_PROOF_EXACT &&
               !proved_near(criteria, lambda, bounds, near_tolerances * tolerance)) {
        dls_report_end(
            report, claims ? DLS_OUTCOME_NUMERICAL_FAILURE : DLS_OUTCOME_ITERATION_LIMIT,
            "the impulses are so large that their violations are %.3e of b alone (scaled residual %.3e), and "
            "no solution is proved to be near: %.200s",
            c->data_residual, c->scaled_residual, bounds->text);
    } else if (!claims) {
        dls_report_end(report, DLS_OUTCOME_SOLVED, "the examiner finds a scaled residual of %.3e", c->scaled_residual);
    }
}

/* A Farkas vector is proved again. That every choice of states was tried exactly is taken from the methods that do so;
 * a claim alone is worth nothing. */
static dls_status assess_proof(const dls_problem *problem, dls_report *report, dls_error *error)
{
    dls_farkas_proof proof;
    char said[DLS_MESSAGE_MAX / 2];
    if (report->proof == DLS_PROOF_NONE)
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "the method says no solution, and gives no proof of it");
    if (report->proof != DLS_PROOF_FARKAS)
        return DLS_OK;
    DLS_TRY(dls_farkas_verify(problem, report->proof_vector, &proof, error));
    snprintf(said, sizeof said, "%.*s", (int)sizeof said - 1, report->message);
    if (proof.proved)
        dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "%s; proved exactly, margin %s", said,
                       dls_digits_down(proof.margin, 4).text);
    else
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "the method says no solution, but its Farkas vector is not proved: %s", proof.reason);
    return DLS_OK;
}

/* One vector that is called a solution: its figures, and its error bounds where they are wanted or decide. */
static dls_status assess_answer(const dls_criteria *criteria, const double *lambda, dls_certificate *certificate,
                                dls_bounds *bounds, dls_report *report, dls_error *error)
{
    dls_bounds bounds_here = {0};
    dls_status status = DLS_OK;
    dls_examine(criteria->examiner, lambda, NULL, certificate);
    const bool good = certificate->scaled_residual <= criteria->tolerance;
    const bool doubtful = !(certificate->data_residual <= allowed_of_data(certificate, criteria->tolerance));
    if (good && (bounds || doubtful) && criteria->problem->n <= criteria->largest)
        status = dls_certify(criteria->problem, lambda, bounds ? bounds : &bounds_here, error);
    else if (bounds)
        snprintf(bounds->text, sizeof bounds->text, "%s", good ? "too many rows to certify" : "not solved");
    if (status == DLS_OK)
        assess_solution(criteria, lambda, certificate, bounds ? bounds : &bounds_here, report);
    dls_bounds_release(&bounds_here);
    return status;
}

/* Each of several solutions, or of the two of a continuum, must be one; certificate and bounds are those of the
 * first. */
static dls_status assess_solutions(const dls_criteria *criteria, dls_report *report, dls_error *error)
{
    const dls_outcome claimed = report->outcome;
    const bool listed = claimed == DLS_OUTCOME_SEVERAL || claimed == DLS_OUTCOME_CONTINUUM;
    if (listed && report->n_solutions < 2 && report->outcome == claimed)
        dls_report_end(report, DLS_OUTCOME_SOLVED, "the method says %s, and lists no second solution",
                       dls_outcome_text(claimed));
    for (size_t k = 1; listed && report->outcome == claimed && k < report->n_solutions; k++) {
        dls_certificate c;
        DLS_TRY(assess_answer(criteria, report->solutions + k * criteria->problem->n, &c, NULL, report, error));
    }
    return DLS_OK;
}

dls_status dls_decide_outcome(const dls_criteria *criteria, const double *lambda, dls_certificate *certificate,
                              dls_bounds *bounds, dls_report *report, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    if (bounds)
        *bounds = (dls_bounds){.kind = DLS_BOUNDS_NONE};
    switch (report->outcome) {
    case DLS_OUTCOME_SEVERAL:
    case DLS_OUTCOME_CONTINUUM:
    case DLS_OUTCOME_SOLVED:
    case DLS_OUTCOME_ITERATION_LIMIT:
        DLS_TRY(assess_answer(criteria, lambda, certificate, bounds, report, error));
        return assess_solutions(criteria, report, error);
    case DLS_OUTCOME_NO_SOLUTION:
        dls_examine(criteria->examiner, lambda, NULL, certificate);
        return assess_proof(criteria->problem, report, error);
    default: /* it claims nothing */
        dls_examine(criteria->examiner, lambda, NULL, certificate);
        return DLS_OK;
    }
}

static bool has_solution(const dls_report *report)
{
    return report->outcome == DLS_OUTCOME_SOLVED || report->outcome == DLS_OUTCOME_SEVERAL ||
           report->outcome == DLS_OUTCOME_CONTINUUM;
}

bool dls_contradict(const dls_report *one, const dls_report *other)
{
    return (has_solution(one) && other->outcome == DLS_OUTCOME_NO_SOLUTION) ||
           (has_solution(other) && one->outcome == DLS_OUTCOME_NO_SOLUTION);
}
