/* Fixed point on the bounds of friction, for rows bounded by mu times the current normal impulse (Panagiotopoulos
 * 1975; Haslinger 1983).
 *
 * With the bounds frozen at those of the last normal impulses, lambda_t in [-mu lambda_n, mu lambda_n], the coupled
 * problem is a mixed LCP, which block pivoting solves exactly, and its normal impulses freeze the next bounds:
 *     lambda^(k+1) = solution of the mixed LCP with the bounds at lambda^(k),      lambda^(0) = 0: no friction.
 * A fixed point is a solution of the coupled problem, and every solution is a fixed point. The map contracts where
 * mu times the coupling between normal and tangent rows is small, with that as its linear rate; elsewhere it may
 * cycle between sliding and sticking until its limit. The iteration ends when no bound has moved by more than
 * `tolerance` of the largest one: the last lambda solves the coupled problem up to that. Without coupled rows, one pass
 * is the answer. A Farkas vector z of a frozen problem is one of the coupled problem too: it is 0 on rows with two
 * finite bounds, whatever these are, and A z = 0, b.z < 0 do not depend on them. */
#include "block_pivoting.h"

typedef struct settings {
    dls_block_pivoting_settings inner;
    double tolerance, work;
    size_t limit;
} settings;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-14", 0, 1, false, NULL,
     "change of a friction bound at which the iteration ends, as a share of the largest bound"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "1000", 1, 1e9, false, NULL,
     "greatest number of outer iterations"},
    {"work", "", DLS_FIELD_REAL, offsetof(settings, work), "1e12", 1, HUGE_VAL, false, NULL,
     "greatest number of multiplications, n^3 / 3 per factorisation; no outer iteration begins beyond it"},
    {"pivot_tolerance", "", DLS_FIELD_REAL, offsetof(settings, inner.tolerance), "1e-14", 0, 1, false, NULL,
     "setting tolerance of block-pivoting"},
    {"consistency", "", DLS_FIELD_REAL, offsetof(settings, inner.consistency), "1e-10", 0, 1, false, NULL,
     "setting consistency of block-pivoting"},
    {"patience", "", DLS_FIELD_COUNT, offsetof(settings, inner.patience), "10", 0, 1e6, false, NULL,
     "setting patience of block-pivoting"},
    {"pivot_limit", "", DLS_FIELD_COUNT, offsetof(settings, inner.limit), "100", 1, 1e9, false, NULL,
     "setting limit of block-pivoting"},
};

/* Freezes the bounds of coupled rows at lambda; returns the largest change as a share of the largest bound, infinity
 * where a bound is. In the units of q, where every row has an effective mass of about 1. */
static double freeze(dls_direct *d, const double *lambda)
{
    const dls_problem *p = d->problem;
    double change = 0.0, largest = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        size_t normal = p->parent[i];
        if (normal == DLS_NONE)
            continue;
        double before = d->q.hi[i], now = dls_direct_mu(d, i) * fmax(lambda[normal], 0.0);
        change = fmax(change, fabs(now - before));
        largest = fmax(largest, fmax(now, before));
        d->q.hi[i] = now;
        d->q.lo[i] = -d->q.hi[i];
    }
    return isinf(largest) ? HUGE_VAL : largest > 0.0 ? change / largest : 0.0;
}

/* Whether another factorisation is within the limit of the work, which is the same on every machine. */
static bool affordable(const dls_direct *d, const dls_report *report)
{
    const double n = (double)d->n, more = (double)(report->factorizations + 1);
    return n * n * n / 3.0 * more <= ((const settings *)d->settings)->work;
}

static dls_status fixed_point_solve(dls_direct *d, double *lambda, dls_report *report, dls_error *error)
{
    const settings *set = d->settings;
    size_t rounds = 0;
    double change = HUGE_VAL;
    dls_block_pivoting *pivoting = dls_block_pivoting_take(d, &set->inner);
    DLS_TRY(dls_direct_ready(d, error));
    while (report->outcome == DLS_OUTCOME_RUNNING && change > set->tolerance && report->iterations < set->limit &&
           affordable(d, report)) {
        dls_report inner = {0};
        dls_status status = dls_block_pivoting_solve(pivoting, lambda, &inner, error);
        report->iterations++;
        report->factorizations += inner.factorizations;
        rounds += inner.iterations;
        if (inner.message[0])
            dls_report_end(report, report->outcome, "outer iteration %zu: %.400s", report->iterations, inner.message);
        if (status == DLS_OK && inner.outcome != DLS_OUTCOME_SOLVED) {
            report->outcome = inner.outcome;
            report->proof = inner.proof;
            report->proof_vector = inner.proof_vector;
            inner.proof_vector = NULL;
        }
        dls_report_release(&inner);
        DLS_TRY(status);
        change = freeze(d, lambda);
        if (isinf(change))
            dls_report_end(report, DLS_OUTCOME_NUMERICAL_FAILURE,
                           "the friction bounds grow without end; after %zu outer iterations they are not finite",
                           report->iterations);
    }
    for (size_t i = 0; i < d->n; i++) /* the last bounds may be narrower by the tolerance than those solved with */
        lambda[i] = dls_bound_clamp(&d->q, i, lambda[i]);
    if (report->outcome == DLS_OUTCOME_RUNNING && change <= set->tolerance)
        report->outcome = DLS_OUTCOME_SOLVED;
    else if (report->outcome == DLS_OUTCOME_RUNNING && report->iterations == 0)
        dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT, "one factorisation is beyond the limit of the work");
    else if (report->outcome == DLS_OUTCOME_RUNNING)
        dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT,
                       "%s%zu outer iterations, %zu rounds of block pivoting; the friction bounds still change by %.3g "
                       "of the largest",
                       affordable(d, report) ? "" : "the limit of the work after ", report->iterations, rounds, change);
    return DLS_OK;
}

DLS_DIRECT_SOLVER(fixed_point, fixed_point_solve, DLS_DIRECT_ROWS, .name = "fixed-point",
                  .summary = "fixed-point iteration: friction bounds are set to mu times the normal impulses of the "
                             "previous exact solution by block pivoting",
                  .source = "Panagiotopoulos 1975; Haslinger 1983",
                  .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED,
                  .fields = DLS_FIELD_TABLE(fields, settings));
