/* Histories: every iterate of every solver, measured by the examiner against the reference solution. */
#include "delassus/experiments.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char dls_history_columns[] =
    "file\tsolver\titeration\tnatural_residual[N s]\tnatural_residual_velocity[m/s]\tscaled_residual"
    "\tm_norm_error[sqrt(J)]\tpredicted_m_norm_error[sqrt(J)]\tbound_violation[N s]"
    "\tcomplementarity_gap[J]\tobjective[J]";
const char dls_summary_columns[] =
    "file\tsolver\toutcome\titerations\tpredicted_rate\tfitted_rate\titerations_to_1e-6\tm_norm_error[sqrt(J)]"
    "\tscaled_residual\tnatural_residual[N s]\tnatural_residual_velocity[m/s]\trows\tspectral_radius"
    "\tbounds_settled\treference\treference_scaled_residual";

/* The iterations a rate is read from: the last half of those before the error falls below 1e-11 of the first one's, and
 * none from before `settled`, when a row came to or left a bound for the last time. */
static void choose_window(const double *error, size_t count, size_t settled, size_t *first, size_t *end)
{
    for (*end = 0; *end < count && error[*end] > 1e-11 * error[0];)
        ++*end;
    *first = *end / 2 > settled ? *end / 2 : settled;
}

dls_status dls_fit_rate(const double *distance, size_t first, size_t end, double *rate, dls_error *error)
{
    double start, slope, cov[3], sum;
    size_t n = end > first ? end - first : 0;
    *rate = NAN;
    if (n < 8)
        return DLS_OK;
    double *x = malloc(2 * n * sizeof *x), *y = x + n;
    if (!x)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a line through %zu points", n);
    for (size_t k = 0; k < n; k++)
        x[k] = (double)k, y[k] = log(distance[first + k]);
    gsl_fit_linear(x, 1, y, 1, n, &start, &slope, &cov[0], &cov[1], &cov[2], &sum);
    free(x);
    *rate = exp(slope);
    return DLS_OK;
}

/* What the observer of a solve keeps. */
typedef struct recorder {
    const dls_problem *problem;
    dls_examiner *examiner;
    const dls_truth *truth;
    dls_certificate *figures; /* iteration 0 .. limit */
    double *distance;
    unsigned char *side; /* n: 1 at lo, 2 at hi, 0 between */
    size_t count, limit, settled;
    double enough; /* part of the first distance at which a run may end */
} recorder;

/* Whether any row came to a bound or left one since the last iterate. */
static bool sides_changed(const dls_problem *p, const double *lambda, unsigned char *side)
{
    bool changed = false;
    for (size_t i = 0; i < p->n; i++) {
        double lo, hi;
        dls_problem_bounds(p, i, lambda, &lo, &hi);
        unsigned char now = lambda[i] <= lo ? 1 : lambda[i] >= hi ? 2 : 0;
        changed |= now != side[i];
        side[i] = now;
    }
    return changed;
}

static bool record(void *context, const double *lambda, const dls_report *report)
{
    recorder *r = context;
    (void)report;
    dls_examine(r->examiner, lambda, NULL, &r->figures[r->count]);
    r->distance[r->count] = dls_examiner_distance(r->examiner, lambda, r->truth->lambda);
    if (sides_changed(r->problem, lambda, r->side))
        r->settled = r->count;
    r->count++;
    return r->count <= r->limit && !(r->distance[r->count - 1] <= r->enough * r->distance[0]);
}

/* The rate on the free set of the last iterate: where redundant rows leave lambda open, each sweep goes to its own
 * answer. None if the bounds changed in the last quarter of the run. The iterate at which they settled, found by
 * running so far again, tells which modes the run holds. */
static dls_status predict(const recorder *r, const dls_choice *choice, const double *last, dls_comparison *found,
                          dls_error *error)
{
    const dls_problem *p = r->problem;
    dls_report report = {0};
    dls_rate rate;
    found->spectral_radius = found->predicted_rate = NAN;
    if (!choice->solver->splitting || p->n_coupled > 0 || 4 * r->settled > 3 * r->count)
        return DLS_OK;
    double *start = calloc(p->n + 1, sizeof *start);
    dls_status status = start ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", p->n);
    if (status == DLS_OK)
        status = dls_solve(choice->solver, p, choice->settings, r->settled, start, &report, NULL, NULL, error);
    if (status == DLS_OK)
        status = dls_rate_predict(p, last, start, choice->solver->splitting(choice->settings), &rate, error);
    if (status == DLS_OK) {
        found->spectral_radius = rate.spectral_radius;
        found->predicted_rate = rate.excited_radius;
    }
    dls_report_release(&report);
    free(start);
    return status;
}

static size_t first_below(const recorder *r, double share)
{
    for (size_t k = 0; k < r->count; k++)
        if (r->distance[k] <= share * r->distance[0])
            return k;
    return SIZE_MAX;
}

/* At most about `samples` lines (0: all), the last iterate among them. The prediction is drawn over the fitted window.
 */
static void write_history(const char *name, const dls_choice *choice, const recorder *r, double rate, size_t first,
                          size_t end, size_t samples, dls_table *table)
{
    size_t every = samples && r->count > samples ? (r->count + samples - 1) / samples : 1;
    for (size_t k = 0; k < r->count; k++) {
        if (k % every != 0 && k + 1 != r->count)
            continue;
        const dls_certificate *c = &r->figures[k];
        double steps = (double)k - (double)first;
        dls_table_text(table, name);
        dls_table_text(table, choice->solver->name);
        dls_table_count(table, k);
        dls_table_real(table, c->natural_residual);
        dls_table_real(table, c->natural_residual_velocity);
        dls_table_real(table, c->scaled_residual);
        dls_table_real(table, r->distance[k]);
        dls_table_real(table, k >= first && k < end ? r->distance[first] * pow(rate, steps) : NAN);
        dls_table_real(table, c->bound_violation);
        dls_table_real(table, c->complementarity_gap);
        dls_table_real(table, c->objective);
        dls_table_end_row(table);
    }
}

static void write_summary(const char *name, const dls_choice *choice, const dls_problem *problem,
                          const dls_truth *truth, const dls_comparison *found, dls_table *table)
{
    dls_table_text(table, name);
    dls_table_text(table, choice->solver->name);
    dls_table_text(table, dls_outcome_text(found->outcome));
    dls_table_count(table, found->iterations);
    dls_table_real(table, found->predicted_rate);
    dls_table_real(table, found->fitted_rate);
    if (found->iterations_to_1e6 == SIZE_MAX)
        dls_table_real(table, NAN);
    else
        dls_table_count(table, found->iterations_to_1e6);
    dls_table_real(table, found->distance);
    dls_table_real(table, found->certificate.scaled_residual);
    dls_table_real(table, found->certificate.natural_residual);
    dls_table_real(table, found->certificate.natural_residual_velocity);
    dls_table_count(table, problem->n);
    dls_table_real(table, found->spectral_radius);
    dls_table_count(table, found->bounds_settled);
    dls_table_text(table, truth->solver->name);
    dls_table_real(table, truth->certificate.scaled_residual);
    dls_table_end_row(table);
}

static dls_status compare_one(const char *name, const dls_problem *problem, const dls_truth *truth,
                              const dls_choice *choice, recorder *r, double *lambda, size_t samples, dls_table *history,
                              dls_table *summary, dls_comparison *found, dls_error *error)
{
    dls_report report = {0};
    size_t first, end;
    memset(lambda, 0, problem->n * sizeof *lambda);
    r->count = r->settled = 0;
    (void)record(r, lambda, &report); /* iteration 0 */
    DLS_TRY(dls_solve(choice->solver, problem, choice->settings, r->limit, lambda, &report, record, r, error));
    size_t last = r->count - 1;
    dls_judge(r->examiner, &r->figures[last], 1e-9, &report);
    *found = (dls_comparison){.outcome = report.outcome,
                              .iterations = report.iterations,
                              .certificate = r->figures[last],
                              .distance = r->distance[last],
                              .bounds_settled = r->settled,
                              .iterations_to_1e6 = first_below(r, 1e-6)};
    dls_report_release(&report);
    choose_window(r->distance, r->count, r->settled, &first, &end);
    found->fitted_rate = NAN;
    if (choice->solver->kind == DLS_SOLVER_ITERATIVE)
        DLS_TRY(dls_fit_rate(r->distance, first, end, &found->fitted_rate, error));
    DLS_TRY(predict(r, choice, lambda, found, error));
    write_history(name, choice, r, found->predicted_rate, first, end, samples, history);
    write_summary(name, choice, problem, truth, found, summary);
    return DLS_OK;
}

static dls_status compare_all(const char *name, const dls_problem *problem, const dls_choice *choices, size_t count,
                              recorder *r, double *lambda, size_t samples, dls_table *history, dls_table *summary,
                              dls_comparison *found, dls_error *error)
{
    dls_truth *truth;
    DLS_TRY(dls_truth_create(problem, r->examiner, NULL, 1e-12, &truth, error));
    r->truth = truth;
    dls_status status = DLS_OK;
    for (size_t i = 0; i < count && status == DLS_OK; i++) {
        dls_comparison one;
        status = compare_one(name, problem, truth, &choices[i], r, lambda, samples, history, summary,
                             found ? &found[i] : &one, error);
    }
    dls_truth_destroy(truth);
    return status;
}

dls_status dls_compare(const char *name, const dls_problem *problem, const dls_choice *choices, size_t count,
                       const dls_effort *effort, dls_table *history, dls_table *summary, dls_comparison *found,
                       dls_error *error)
{
    size_t iterations = effort->iterations;
    recorder r = {.problem = problem, .limit = iterations, .enough = effort->enough};
    DLS_TRY(dls_examiner_create(problem, &r.examiner, error));
    r.figures = calloc(iterations + 2, sizeof *r.figures);
    r.distance = calloc(iterations + 2, sizeof *r.distance);
    r.side = calloc(problem->n + 1, sizeof *r.side);
    double *lambda = calloc(problem->n + 1, sizeof *lambda);
    dls_status status =
        r.figures && r.distance && r.side && lambda
            ? compare_all(name, problem, choices, count, &r, lambda, effort->samples, history, summary, found, error)
            : dls_fail(error, DLS_NO_MEMORY, "no memory for a history of %zu iterations", iterations);
    free(lambda);
    free(r.side);
    free(r.distance);
    free(r.figures);
    dls_examiner_destroy(r.examiner);
    return status;
}
