/* The outcome of a solve, as the examiner and its certificate decide it.
 *
 * THE ROOM. One problem, solved and measured: outcomes, a solve that ends at the first iterate that is good enough, the
 * reference solution, comparisons of solvers. It knows solvers by their descriptors alone and asks host/ for them, and
 * the examiner for every judgement; no method and no experiment enters. Public in delassus/experiments.h. */
#include "delassus/experiments.h"

#include "base/arithmetic.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Above data_tolerances tolerances, violations are large beside b alone: impulses so large that A lambda cancels would
 * hide that there is no solution. An iterate, whose residual is the tolerance itself, may violate b by somewhat more:
 * hence 20. With 1000, a random problem without a solution was called solved (tests/test_verdicts.c). */
static const double data_tolerances = 20.0;
/* Nor may they be that many times what they are beside their own terms (or rounding): an answer that is right to its
 * last digit has much less left of b than the tolerance allows to an iterate. */
static const double amplification = 1e8;

static bool is_small_beside_data(const dls_certificate *c, double tolerance)
{
    return c->data_residual <= fmin(data_tolerances * tolerance, amplification * fmax(c->scaled_residual, DBL_EPSILON));
}

bool dls_is_converged(const dls_certificate *c, double tolerance)
{
    return c->scaled_residual <= tolerance && (is_small_beside_data(c, tolerance) || isinf(c->data_residual));
}

/* The largest proved radius of the rows relative to the scale of their block, of lambda, or of w where lambda is not
 * unique: to that of the answer, and to that of the answer and the data. Rows whose block has no scale have no say:
 * none of its impulses differs from 0 or needs to. A radius of at most the tolerance times the largest impulse of all
 * blocks does not count against the answer: rows that should be 0 hold what rounding left of the others. NaN where the
 * certificate does not cover the answer. */
typedef struct reach {
    double of_answer, of_data;
} reach;

static void widen(double *to, double radius, double scale)
{
    if (scale > 0.0 && !(radius <= *to * scale))
        *to = radius / scale;
}

static dls_status find_reach(const dls_criteria *criteria, const double *lambda, const dls_bounds *bounds, reach *found,
                             dls_error *error)
{
    const size_t n = criteria->problem->n;
    const bool of_w = bounds->kind == DLS_BOUNDS_VELOCITY;
    *found = (reach){NAN, NAN};
    if (!of_w && bounds->kind != DLS_BOUNDS_EXISTS && bounds->kind != DLS_BOUNDS_ACTIVE_SET)
        return DLS_OK;
    dls_block_scale *scale = malloc((n + 1) * sizeof *scale);
    if (!scale)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the scales of %zu rows", n);
    dls_examiner_block_scales(criteria->examiner, lambda, bounds->unit, scale);
    *found = (reach){0.0, 0.0};
    double largest = 0.0; /* in common units */
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, of_w ? scale[i].velocity * bounds->unit[i] : scale[i].impulse / bounds->unit[i]);
    for (size_t i = 0; i < n; i++) {
        const double radius = of_w ? bounds->radius_w[i] : bounds->radius_lambda[i];
        const double in_common_units = of_w ? radius * bounds->unit[i] : radius / bounds->unit[i];
        widen(&found->of_answer, radius, of_w ? scale[i].velocity : scale[i].impulse);
        if (!(in_common_units <= criteria->tolerance * largest))
            widen(&found->of_data, radius, of_w ? scale[i].velocity_of_data : scale[i].impulse_of_data);
    }
    free(scale);
    return DLS_OK;
}

static bool is_finite(size_t n, const double *x)
{
    size_t i = 0;
    while (i < n && isfinite(x[i]))
        i++;
    return i == n;
}

/* Sets the outcome of a vector that is called a solution, or of an iterate (doc/verdicts.md, "Outcomes"). */
static void assess_solution(const dls_criteria *criteria, const double *lambda, const dls_certificate *c,
                            const dls_bounds *bounds, reach near, dls_report *report)
{
    const double tolerance = criteria->tolerance;
    const bool claims = report->outcome != DLS_OUTCOME_ITERATION_LIMIT, within = c->scaled_residual <= tolerance;
    const bool rests = report->proof == DLS_PROOF_EXACT ||
                       (isnan(near.of_data) ? is_small_beside_data(c, tolerance) : near.of_data <= 1.0);
    const char *claim = dls_outcome_text(report->outcome);
    char reason[DLS_MESSAGE_MAX / 2] = ""; /* why the method itself does not claim what the examiner accepts */
    if (!claims && report->message[0])
        snprintf(reason, sizeof reason, "; the method: %.*s", (int)sizeof reason - 20, report->message);
    if (near.of_answer <= tolerance || (within && rests)) {
        if (!isnan(near.of_answer) && report->proof == DLS_PROOF_NONE)
            report->proof = DLS_PROOF_CERTIFICATE;
        if (!within)
            dls_report_end(report, claims ? report->outcome : DLS_OUTCOME_SOLVED,
                           "proved to be within %s of the largest impulses of their block of a solution, although a "
                           "row of small terms has a scaled residual of %.3e%s",
                           dls_digits_up(near.of_answer, 2).text, c->scaled_residual, reason);
        else if (!claims)
            dls_report_end(report, DLS_OUTCOME_SOLVED, "the examiner finds a scaled residual of %.3e%s",
                           c->scaled_residual, reason);
    } else if (within && near.of_data > 1.0) {
        dls_report_end(report, DLS_OUTCOME_UNDECIDED,
                       "the scaled residual is %.3e, but the proved radius is %.3g times the largest %s of its block: "
                       "%.300s",
                       c->scaled_residual, near.of_data, bounds->kind == DLS_BOUNDS_VELOCITY ? "velocity" : "impulse",
                       bounds->text);
    } else if (within) {
        dls_report_end(report, claims ? DLS_OUTCOME_UNDECIDED : DLS_OUTCOME_ITERATION_LIMIT,
                       "the impulses are so large that their violations are %.3e of b alone (scaled residual %.3e), "
                       "and no solution is proved to be near: %.200s",
                       c->data_residual, c->scaled_residual, bounds->text);
    } else if (claims && (c->least_residual > tolerance || !is_finite(criteria->problem->n, lambda))) {
        report->refuted = true;
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                       "the method says %s, the examiner finds a scaled residual of %.3e", claim, c->scaled_residual);
    } else if (claims) {
        dls_report_end(report, DLS_OUTCOME_UNDECIDED,
                       "the method says %s; the scaled residual of %.3e is not certain, for %s", claim,
                       c->scaled_residual,
                       isnan(c->scaled_residual) ? "the terms of a row overflow"
                                                 : "the rounding of its evaluation may be all that is above the "
                                                   "tolerance");
    }
}

/* About ten seconds. */
static const double most_work = 1e10;

/* Proves a method's claim again: from its Farkas vector, or by a search through all choices of states. A claim alone
 * is worth nothing. */
static dls_status assess_proof(const dls_problem *problem, dls_report *report, dls_error *error)
{
    char said[DLS_MESSAGE_MAX / 2];
    snprintf(said, sizeof said, "%.*s", (int)sizeof said - 1, report->message);
    if (report->proof == DLS_PROOF_FARKAS) {
        dls_farkas_proof proof;
        DLS_TRY(dls_farkas_verify(problem, report->proof_vector, &proof, error));
        if (proof.proved)
            dls_report_end(report, DLS_OUTCOME_NO_SOLUTION, "%s; proved exactly, margin %s", said,
                           dls_digits_down(proof.margin, 4).text);
        else
            dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                           "the method says no solution, but its Farkas vector is not proved: %s", proof.reason);
    } else if (report->proof == DLS_PROOF_ENUMERATION) {
        dls_search_proof proof;
        DLS_TRY(dls_search_verify(problem, most_work, &proof, error));
        if (!proof.proved)
            dls_report_end(report, proof.refuted ? DLS_OUTCOME_NUMERICAL_FAILURE : DLS_OUTCOME_UNDECIDED,
                           "the method says no solution, but a search through all states does not: %s", proof.reason);
    } else {
        dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE, "the method says no solution, and gives no proof of it");
    }
    return DLS_OK;
}

/* Examines one vector, certifies it where that is wanted or decides, and sets its outcome. An iterate that has not
 * converged is certified only where that is wanted. */
static dls_status assess_answer(const dls_criteria *criteria, const double *lambda, dls_certificate *certificate,
                                dls_bounds *bounds, dls_report *report, dls_error *error)
{
    dls_bounds bounds_here = {0}, *proved = bounds ? bounds : &bounds_here;
    dls_status status = DLS_OK;
    reach near = {NAN, NAN};
    dls_examine(criteria->examiner, lambda, NULL, certificate);
    const bool within = certificate->scaled_residual <= criteria->tolerance;
    const bool doubtful = within ? !is_small_beside_data(certificate, criteria->tolerance)
                                 : report->outcome != DLS_OUTCOME_ITERATION_LIMIT;
    if ((bounds || doubtful) && criteria->problem->n <= criteria->largest)
        status = dls_certify(criteria->problem, lambda, proved, error);
    else if (bounds && criteria->largest > 0)
        status = dls_certify_large(criteria->problem, lambda, proved, error);
    else if (bounds)
        snprintf(bounds->text, sizeof bounds->text, "no bound was asked for");
    if (status == DLS_OK)
        status = find_reach(criteria, lambda, proved, &near, error);
    if (status == DLS_OK)
        assess_solution(criteria, lambda, certificate, proved, near, report);
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

static bool proves_solution(const dls_report *report)
{
    return dls_outcome_solved(report->outcome) &&
           (report->proof == DLS_PROOF_EXACT || report->proof == DLS_PROOF_CERTIFICATE);
}

bool dls_contradict(const dls_report *one, const dls_report *other)
{
    return (proves_solution(one) && other->outcome == DLS_OUTCOME_NO_SOLUTION) ||
           (proves_solution(other) && one->outcome == DLS_OUTCOME_NO_SOLUTION);
}
