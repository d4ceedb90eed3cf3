/* Histories: every iterate of every solver, measured by the examiner against the reference solution. */
#include "delassus/experiments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char dls_history_columns[] = "file\tsolver\titeration\tnatural_residual[N s]\tnatural_residual_velocity[m/s]\tscaled_residual"
                                   "\tm_norm_error[sqrt(J)]\tpredicted_m_norm_error[sqrt(J)]\tbound_violation[N s]"
                                   "\tcomplementarity_gap[J]\tobjective[J]";
const char dls_summary_columns[] = "file\tsolver\toutcome\titerations\trows\tnatural_residual[N s]\tnatural_residual_velocity[m/s]"
                                   "\tscaled_residual\tm_norm_error[sqrt(J)]\tpredicted_rate\tfitted_rate\titerations_to_1e-6"
                                   "\treference\treference_scaled_residual";

double dls_fit_rate(const double *error, size_t count, size_t *first, size_t *last)
{
    size_t end = 0, points;
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    while (end < count && error[end] > 1e-11 * error[0])
        end++;
    *first = end / 2;
    *last = end ? end - 1 : 0;
    points = end - *first;
    if (points < 8)
        return NAN;
    for (size_t k = *first; k < end; k++) {
        double x = (double)(k - *first), y = log(error[k]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    double n = (double)points;
    return exp((n * sxy - sx * sy) / (n * sxx - sx * sx));
}

/* What the observer of a solve keeps. */
typedef struct recorder {
    dls_examiner *examiner;
    const dls_truth *truth;
    dls_certificate *figures; /* iteration 0 .. limit */
    double *distance;
    size_t count, limit;
} recorder;

static bool record(void *context, const double *lambda, const dls_report *report)
{
    recorder *r = context;
    (void)report;
    dls_examine(r->examiner, lambda, NULL, &r->figures[r->count]);
    r->distance[r->count] = dls_examiner_distance(r->examiner, lambda, r->truth->lambda);
    return ++r->count <= r->limit;
}

static double predicted_rate(const dls_problem *problem, const dls_truth *truth, const dls_choice *choice)
{
    dls_rate rate;
    if (!choice->solver->splitting)
        return NAN;
    dls_status status = dls_rate_predict(problem, truth->lambda, choice->solver->splitting(choice->settings), &rate, NULL);
    return status == DLS_OK ? rate.spectral_radius : NAN;
}

static size_t first_below(const recorder *r, double share)
{
    for (size_t k = 0; k < r->count; k++)
        if (r->distance[k] <= share * r->distance[0])
            return k;
    return SIZE_MAX;
}

static void write_history(const char *name, const dls_choice *choice, const recorder *r, double rate, size_t first, dls_table *table)
{
    for (size_t k = 0; k < r->count; k++) {
        const dls_certificate *c = &r->figures[k];
        double steps = (double)k - (double)first;
        dls_table_text(table, name);
        dls_table_text(table, choice->solver->name);
        dls_table_count(table, k);
        dls_table_real(table, c->natural_residual);
        dls_table_real(table, c->natural_residual_velocity);
        dls_table_real(table, c->scaled_residual);
        dls_table_real(table, r->distance[k]);
        dls_table_real(table, k >= first ? r->distance[first] * pow(rate, steps) : NAN);
        dls_table_real(table, c->bound_violation);
        dls_table_real(table, c->complementarity_gap);
        dls_table_real(table, c->objective);
        dls_table_end_row(table);
    }
}

static void write_summary(const char *name, const dls_choice *choice, const dls_problem *problem, const dls_truth *truth,
                          const dls_comparison *found, dls_table *table)
{
    dls_table_text(table, name);
    dls_table_text(table, choice->solver->name);
    dls_table_text(table, dls_outcome_text(found->outcome));
    dls_table_count(table, found->iterations);
    dls_table_count(table, problem->n);
    dls_table_real(table, found->certificate.natural_residual);
    dls_table_real(table, found->certificate.natural_residual_velocity);
    dls_table_real(table, found->certificate.scaled_residual);
    dls_table_real(table, found->distance);
    dls_table_real(table, found->predicted_rate);
    dls_table_real(table, found->fitted_rate);
    if (found->iterations_to_1e6 == SIZE_MAX)
        dls_table_real(table, NAN);
    else
        dls_table_count(table, found->iterations_to_1e6);
    dls_table_text(table, truth->solver->name);
    dls_table_real(table, truth->certificate.scaled_residual);
    dls_table_end_row(table);
}

static dls_status compare_one(const char *name, const dls_problem *problem, const dls_truth *truth, const dls_choice *choice,
                              recorder *r, double *lambda, dls_table *history, dls_table *summary, dls_comparison *found,
                              dls_error *error)
{
    dls_report report = {0};
    size_t first, last;
    memset(lambda, 0, problem->n * sizeof *lambda);
    r->count = 0;
    (void)record(r, lambda, &report); /* iteration 0 */
    DLS_TRY(dls_solve(choice->solver, problem, choice->settings, r->limit, lambda, &report, record, r, error));
    size_t end = r->count - 1;
    *found = (dls_comparison){.outcome = report.outcome, .iterations = report.iterations, .certificate = r->figures[end],
                              .distance = r->distance[end], .predicted_rate = predicted_rate(problem, truth, choice),
                              .iterations_to_1e6 = first_below(r, 1e-6)};
    found->fitted_rate = dls_fit_rate(r->distance, r->count, &first, &last);
    if (choice->solver->kind == DLS_SOLVER_DIRECT)
        found->fitted_rate = NAN;
    write_history(name, choice, r, found->predicted_rate, first, history);
    write_summary(name, choice, problem, truth, found, summary);
    dls_report_release(&report);
    return DLS_OK;
}

static dls_status compare_all(const char *name, const dls_problem *problem, const dls_choice *choices, size_t count, recorder *r,
                              double *lambda, dls_table *history, dls_table *summary, dls_comparison *found, dls_error *error)
{
    dls_truth *truth;
    DLS_TRY(dls_truth_create(problem, r->examiner, &truth, error));
    r->truth = truth;
    dls_status status = DLS_OK;
    for (size_t i = 0; i < count && status == DLS_OK; i++) {
        dls_comparison one;
        status = compare_one(name, problem, truth, &choices[i], r, lambda, history, summary, found ? &found[i] : &one, error);
    }
    dls_truth_destroy(truth);
    return status;
}

dls_status dls_compare(const char *name, const dls_problem *problem, const dls_choice *choices, size_t count, size_t iterations,
                       dls_table *history, dls_table *summary, dls_comparison *found, dls_error *error)
{
    recorder r = {.limit = iterations};
    DLS_TRY(dls_examiner_create(problem, &r.examiner, error));
    r.figures = calloc(iterations + 2, sizeof *r.figures);
    r.distance = calloc(iterations + 2, sizeof *r.distance);
    double *lambda = calloc(problem->n + 1, sizeof *lambda);
    dls_status status = r.figures && r.distance && lambda
                            ? compare_all(name, problem, choices, count, &r, lambda, history, summary, found, error)
                            : dls_fail(error, DLS_NO_MEMORY, "no memory for a history of %zu iterations", iterations);
    free(lambda);
    free(r.distance);
    free(r.figures);
    dls_examiner_destroy(r.examiner);
    return status;
}
