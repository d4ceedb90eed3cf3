/* Fixed point on the bounds of friction, for rows bounded by mu times the current normal impulse (Panagiotopoulos
 * 1975; Haslinger 1983).
 *
 * With the bounds frozen at those of the last normal impulses, lambda_t in [-mu lambda_n, mu lambda_n], the coupled
 * problem is a mixed LCP, which block pivoting solves exactly, and its normal impulses freeze the next bounds:
 *     lambda^(k+1) = solution of the mixed LCP with the bounds at lambda^(k),      lambda^(0) = 0: no friction.
 * A fixed point is a solution of the coupled problem, and every solution is a fixed point. The map contracts where
 * mu times the coupling between normal and tangent rows is small, with that as its linear rate; elsewhere it may
 * cycle between sliding and sticking, and ends at its limit. The end: no bound moved by more than `tolerance` of
 * the largest impulse of its kind, so that the last lambda solves the coupled problem up to that. Without coupled
 * rows, one pass is the answer. A Farkas vector z of a frozen problem is one of the coupled problem too: it is 0
 * on rows with two finite bounds, whatever they are, and A z = 0, b.z < 0 know no bounds. */
#include "block_pivoting.h"
#include "bounds.h"

#include <stdlib.h>

typedef struct settings {
    dls_block_pivoting_settings inner;
    double tolerance;
    size_t limit;
} settings;

static const dls_field fields[] = {
    {"tolerance", "", DLS_FIELD_REAL, offsetof(settings, tolerance), "1e-14", 0, 1, false, NULL,
     "change of a friction bound that ends the iteration, as a share of the largest bound"},
    {"limit", "", DLS_FIELD_COUNT, offsetof(settings, limit), "1000", 1, 1e9, false, NULL, "outer iterations at most"},
    {"pivot_tolerance", "", DLS_FIELD_REAL, offsetof(settings, inner.tolerance), "1e-14", 0, 1, false, NULL,
     "tolerance of block-pivoting"},
    {"consistency", "", DLS_FIELD_REAL, offsetof(settings, inner.consistency), "1e-10", 0, 1, false, NULL,
     "consistency of block-pivoting"},
    {"patience", "", DLS_FIELD_COUNT, offsetof(settings, inner.patience), "10", 0, 1e6, false, NULL,
     "patience of block-pivoting"},
    {"pivot_limit", "", DLS_FIELD_COUNT, offsetof(settings, inner.limit), "100", 1, 1e9, false, NULL,
     "limit of block-pivoting"},
};

typedef struct work {
    const dls_problem *problem;
    settings set;
    dls_dense *dense;
    dls_block_pivoting *pivoting;
    double *lambda;
} work;

static void close(void *memory)
{
    work *w = memory;
    if (!w)
        return;
    dls_block_pivoting_destroy(w->pivoting);
    dls_dense_destroy(w->dense);
    free(w->lambda);
    free(w);
}

static dls_status open(const dls_problem *problem, const void *fields_set, const double *lambda0, void **out,
                       dls_error *error)
{
    work *w = calloc(1, sizeof *w);
    (void)lambda0;
    *out = NULL;
    if (w) {
        w->problem = problem;
        w->set = *(const settings *)fields_set;
        w->lambda = calloc(problem->n + 1, sizeof *w->lambda);
    }
    dls_status status = w && w->lambda
                            ? dls_dense_create(problem, &w->dense, error)
                            : dls_fail(error, DLS_NO_MEMORY, "no memory for a fixed point of %zu rows", problem->n);
    if (status == DLS_OK)
        status = dls_block_pivoting_create(w->dense, &w->set.inner, &w->pivoting, error);
    if (status != DLS_OK)
        close(w);
    else
        *out = w;
    return status;
}

/* Freezes the bounds of coupled rows at lambda; returns the largest change as a share of the largest bound. */
static double freeze(work *w)
{
    double change = 0.0, largest = 0.0;
    for (size_t i = 0; i < w->dense->n; i++) {
        double lo, hi;
        if (w->problem->parent[i] == DLS_NONE)
            continue;
        dls_problem_bounds(w->problem, i, w->lambda, &lo, &hi);
        change = fmax(change, fabs(hi - w->dense->hi[i]));
        largest = fmax(largest, fmax(hi, w->dense->hi[i]));
        w->dense->lo[i] = lo, w->dense->hi[i] = hi;
    }
    return largest > 0.0 ? change / largest : 0.0;
}

/* The last bounds may be narrower by the tolerance than those the impulses were solved with. */
static void clamp(work *w)
{
    for (size_t i = 0; i < w->dense->n; i++)
        w->lambda[i] = dls_bound_clamp(w->dense, i, w->lambda[i]);
}

static dls_status pass(work *w, size_t *rounds, dls_report *report, dls_error *error)
{
    dls_report inner = {0};
    dls_status status = dls_block_pivoting_solve(w->pivoting, w->lambda, &inner, error);
    report->iterations++;
    report->factorizations += inner.factorizations;
    *rounds += inner.iterations;
    if (status == DLS_OK && inner.outcome != DLS_OUTCOME_SOLVED) {
        dls_report_end(report, inner.outcome, "outer iteration %zu: %.400s", report->iterations, inner.message);
        report->proof = inner.proof;
        report->proof_vector = inner.proof_vector;
        inner.proof_vector = NULL;
    } else if (inner.message[0]) {
        dls_report_end(report, report->outcome, "outer iteration %zu: %.400s", report->iterations, inner.message);
    }
    dls_report_release(&inner);
    return status;
}

static dls_status iterate(void *memory, dls_report *report, dls_error *error)
{
    work *w = memory;
    size_t rounds = 0;
    double change = HUGE_VAL;
    while (report->outcome == DLS_OUTCOME_RUNNING && change > w->set.tolerance && report->iterations < w->set.limit) {
        DLS_TRY(pass(w, &rounds, report, error));
        change = freeze(w);
    }
    clamp(w);
    if (report->outcome == DLS_OUTCOME_RUNNING && change <= w->set.tolerance)
        report->outcome = DLS_OUTCOME_SOLVED;
    else if (report->outcome == DLS_OUTCOME_RUNNING)
        dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT,
                       "%zu outer iterations, %zu rounds of block pivoting; the friction bounds still change by %.3g "
                       "of the largest",
                       report->iterations, rounds, change);
    return DLS_OK;
}

static void read(const void *memory, double *lambda)
{
    const work *w = memory;
    memcpy(lambda, w->lambda, w->dense->n * sizeof *lambda);
}

const dls_solver dls_solver_fixed_point = {
    .name = "fixed-point",
    .summary = "friction bounds frozen in turn at the normal impulses of an exact solution by block pivoting",
    .source = "Panagiotopoulos 1975; Haslinger 1983",
    .kind = DLS_SOLVER_DIRECT,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = open,
    .iterate = iterate,
    .read = read,
    .close = close,
};
