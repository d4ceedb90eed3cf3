/* Histories: every iterate of every solver, measured by the examiner against the reference solution. */
#include "study/study.h"

#include "base/arithmetic.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char dls_history_columns[] =
    "file\tsolver\titeration\tnatural_residual[N s]\tnatural_residual_velocity[m/s]\tscaled_residual"
    "\tm_norm_error[sqrt(J)]\tpredicted_m_norm_error[sqrt(J)]\tbound_violation[N s]"
    "\tcomplementarity_gap[J]\tobjective[J]\treference_bound[sqrt(J)]\trow_visits";
const char dls_summary_columns[] =
    "file\tsolver\toutcome\titerations\tpredicted_rate\tfitted_rate\titerations_to_1e-6\tm_norm_error[sqrt(J)]"
    "\tscaled_residual\tnatural_residual[N s]\tnatural_residual_velocity[m/s]\trows\tspectral_radius"
    "\tbounds_settled\treference\treference_scaled_residual\treference_bound[sqrt(J)]\tpredicted_rate_within\tlast_row"
    "\tprediction\tfit\trow_visits";
const char *const dls_fit_words[] = {"line", "bent", "settling", "short", NULL};

dls_status dls_fit_rate(const double *distance, size_t first, size_t end, double *rate, dls_error *error)
{
    size_t n = end > first ? end - first : 0;
    *rate = NAN;
    if (n < 8)
        return DLS_OK;
    double *x = malloc(2 * n * sizeof *x), *y = x + n;
    if (!x)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a line through %zu points", n);
    for (size_t k = 0; k < n; k++)
        x[k] = (double)k, y[k] = log(distance[first + k]);
    *rate = exp(dls_fit_slope(x, y, n));
    free(x);
    return DLS_OK;
}

/* The data of the observer of a solve. */
typedef struct recorder {
    const dls_problem *problem;
    dls_examiner *examiner;
    const dls_reference_solution *reference;
    dls_comparison *of;
    size_t cap_figures, cap_distance, cap_visits;
    dls_row_side *side;   /* n: of the iterate before, and of this one, in turn */
    double *w, *diagonal; /* n */
    double enough;
    bool no_memory;
} recorder;

/* The last row that came to a bound or left one since the last iterate; n: none did. */
static size_t side_changed(const recorder *r, const double *lambda)
{
    const size_t n = r->problem->n;
    size_t changed = n;
    dls_row_side *now = r->side + n;
    dls_rate_sides(r->problem, r->diagonal, lambda, r->w, now);
    for (size_t i = 0; i < n; i++)
        changed = now[i] != r->side[i] ? i : changed;
    memcpy(r->side, now, n * sizeof *now);
    return changed;
}

static bool record(void *context, const double *lambda, const dls_report *report)
{
    recorder *r = context;
    dls_comparison *of = r->of;
    const size_t k = of->count;
    r->no_memory = !DLS_GROW(of->figures, r->cap_figures, k + 1) || !DLS_GROW(of->distance, r->cap_distance, k + 1) ||
                   !DLS_GROW(of->visits, r->cap_visits, k + 1);
    if (r->no_memory)
        return false;
    of->visits[k] = report->row_visits;
    dls_examine(r->examiner, lambda, r->w, &of->figures[k]);
    of->distance[k] = dls_examiner_distance(r->examiner, lambda, r->reference->lambda);
    const size_t changed = side_changed(r, lambda);
    if (changed < r->problem->n) {
        const char *owner = dls_problem_owner(r->problem, changed);
        of->bounds_settled = k;
        snprintf(of->last_row, sizeof of->last_row, "%s%s%s", owner, *owner ? "." : "",
                 dls_problem_label(r->problem, changed));
    }
    of->count++;
    return !(of->distance[k] <= r->enough * of->distance[0]);
}

/* How far the predicted rate is from the exact spectral radius at most, where it is that one. Rows beyond what exact
 * arithmetic takes leave NaN. */
static dls_status prove_rate(const dls_problem *p, dls_splitting splitting, const double *last, size_t redundant,
                             dls_comparison *of, dls_error *error)
{
    enum { ROWS_MAX = 40 };
    dls_rate_bounds bounds;
    if (p->n > ROWS_MAX || !(fabs(of->predicted_rate - of->spectral_radius) <= 1e-9))
        return DLS_OK;
    dls_status status = dls_rate_enclose(p, last, splitting, &bounds, error);
    if (status == DLS_REFUSED)
        return DLS_OK;
    if (status == DLS_OK && bounds.redundant == redundant) {
        const double within = fmax(bounds.most - of->predicted_rate, of->predicted_rate - bounds.least);
        of->rate_within = within > 0.0 ? nextafter(within, HUGE_VAL) : within; /* the difference is rounded */
    }
    return status;
}

static bool is_settling(const dls_comparison *of) { return 4 * of->bounds_settled > 3 * of->count; }

static const char *why_no_rate(const dls_comparison *of)
{
    if (of->outcome == DLS_OUTCOME_REFUSED)
        return "it refused the problem";
    if (of->solver->kind != DLS_SOLVER_ITERATIVE)
        return "it is a direct method";
    if (!of->solver->splitting && !of->solver->law)
        return "no theory gives its rate";
    if (is_settling(of))
        return "rows came to their bounds or left them in the last quarter of the run";
    return NULL;
}

/* The rate on the free set of the last iterate: where redundant rows leave lambda open, each sweep goes to its own
 * answer. None if the bounds changed in the last quarter of the run. The iterate at which they settled, found by
 * running so far again, tells which modes the run holds. A law does not ask for them. */
static dls_status predict_law(const dls_problem *p, const dls_choice *choice, const double *last, dls_comparison *of,
                              dls_error *error)
{
    dls_rate rate;
    const dls_status status = dls_rate_predict_law(p, last, choice->solver->law, choice->settings, &rate, error);
    if (status == DLS_REFUSED)
        of->no_rate = "the eigenvalues on its free set are not real and positive, as its theory needs them";
    if (status != DLS_OK)
        return status == DLS_REFUSED ? DLS_OK : status;
    of->predicted_rate = rate.spectral_radius;
    of->word = rate.word;
    return DLS_OK;
}

static dls_status predict(const dls_problem *p, const dls_choice *choice, const double *last, dls_comparison *of,
                          dls_error *error)
{
    dls_report report = {0};
    dls_rate rate;
    of->spectral_radius = of->predicted_rate = of->rate_within = NAN;
    of->no_rate = why_no_rate(of);
    if (of->no_rate)
        return DLS_OK;
    if (!choice->solver->splitting)
        return predict_law(p, choice, last, of, error);
    double *start = calloc(p->n + 1, sizeof *start);
    dls_status status = start ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", p->n);
    if (status == DLS_OK)
        status = dls_solve(choice->solver, p, choice->settings, of->bounds_settled, start, &report, NULL, NULL, error);
    if (status == DLS_OK)
        status = dls_rate_predict(p, last, start, choice->solver->splitting(choice->settings), &rate, error);
    if (status == DLS_OK) {
        of->spectral_radius = rate.spectral_radius;
        of->predicted_rate = rate.excited_radius;
        of->word = rate.word;
        status = prove_rate(p, choice->solver->splitting(choice->settings), last, rate.redundant, of, error);
    }
    dls_report_release(&report);
    free(start);
    return status;
}

/* The fit to the last half of the iterations before the error falls below 1e-11 of the first one's, and none before a
 * row came to or left a bound for the last time. The halves of a line have one slope. */
static dls_status fit(dls_comparison *of, dls_error *error)
{
    static const double same_slope = 0.2;
    double half[2];
    for (of->fit_end = 0; of->fit_end < of->count && of->distance[of->fit_end] > 1e-11 * of->distance[0];)
        of->fit_end++;
    of->fit_first = of->fit_end / 2 > of->bounds_settled ? of->fit_end / 2 : of->bounds_settled;
    of->fitted_rate = NAN;
    of->fit = DLS_FIT_SHORT;
    if (of->solver->kind != DLS_SOLVER_ITERATIVE || of->fit_end <= of->fit_first)
        return DLS_OK;
    const size_t middle = of->fit_first + (of->fit_end - of->fit_first) / 2;
    DLS_TRY(dls_fit_rate(of->distance, of->fit_first, of->fit_end, &of->fitted_rate, error));
    DLS_TRY(dls_fit_rate(of->distance, of->fit_first, middle, &half[0], error));
    DLS_TRY(dls_fit_rate(of->distance, middle, of->fit_end, &half[1], error));
    if (is_settling(of))
        of->fit = DLS_FIT_SETTLING;
    else if (!isnan(half[0]) && !isnan(half[1]))
        of->fit = fabs(log(half[0] / half[1])) <= same_slope * fabs(log(of->fitted_rate)) ? DLS_FIT_LINE : DLS_FIT_BENT;
    return DLS_OK;
}

static dls_status compare_one(recorder *r, const dls_choice *choice, size_t iterations, double *lambda,
                              dls_error *error)
{
    dls_comparison *of = r->of;
    dls_report report = {0};
    of->solver = choice->solver;
    memset(lambda, 0, r->problem->n * sizeof *lambda);
    (void)record(r, lambda, &report); /* iteration 0 */
    dls_stop stop = {.limit = iterations, .timed = true, .observer = record, .context = r};
    dls_status status = dls_solve_until(choice, r->problem, &stop, lambda, &report, error);
    if (status == DLS_OK && r->no_memory)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for a history of %zu iterations", of->count);
    const dls_criteria criteria = {r->problem, r->examiner, DLS_SOLVED_TOLERANCE, DLS_CERTIFY_ROWS};
    if (status == DLS_OK)
        status = dls_decide_outcome(&criteria, lambda, &of->figures[of->count - 1], NULL, &report, error);
    of->outcome = report.outcome;
    memcpy(of->message, report.message, sizeof of->message);
    of->iterations = report.iterations;
    of->row_visits = report.row_visits > 0.0 ? report.row_visits : NAN;
    of->seconds = report.seconds;
    dls_report_release(&report);
    DLS_TRY(status);
    of->iterations_to_1e6 = SIZE_MAX;
    for (size_t k = of->count; k-- > 0;)
        if (of->distance[k] <= 1e-6 * of->distance[0])
            of->iterations_to_1e6 = k;
    DLS_TRY(fit(of, error));
    return predict(r->problem, choice, lambda, of, error);
}

/* The proved distance of the reference from the solution; NaN without a proof. */
static dls_status bound_reference(const dls_problem *problem, const double *lambda, double *bound, dls_error *error)
{
    dls_bounds bounds = {.kind = DLS_BOUNDS_NONE};
    dls_status status = problem->n <= DLS_CERTIFY_ROWS ? dls_certify(problem, lambda, &bounds, error) : DLS_OK;
    *bound = status == DLS_OK && bounds.kind != DLS_BOUNDS_NONE && isfinite(bounds.velocity) ? bounds.velocity : NAN;
    dls_bounds_release(&bounds);
    return status;
}

dls_status dls_compare(const dls_problem *problem, const dls_choice *choices, size_t count, size_t iterations,
                       double enough, dls_comparisons *found, dls_error *error)
{
    return dls_compare_each(problem, choices, count, iterations, enough, NULL, NULL, found, error);
}

dls_status dls_compare_each(const dls_problem *problem, const dls_choice *choices, size_t count, size_t iterations,
                            double enough, dls_compare_told told, void *context, dls_comparisons *found,
                            dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_examiner *examiner;
    dls_reference_solution *reference = NULL;
    *found = (dls_comparisons){.rows = problem->n};
    DLS_TRY(dls_examiner_create(problem, &examiner, error));
    dls_row_side *side = calloc(2 * problem->n + 1, sizeof *side);
    double *lambda = calloc(3 * problem->n + 2 * problem->nv + 1, sizeof *lambda); /* w, the diagonal, scratch */
    found->of = calloc(count + 1, sizeof *found->of);
    dls_status status = side && lambda && found->of
                            ? dls_reference_solution_create(problem, examiner, NULL, 1e-12, &reference, error)
                            : dls_fail(error, DLS_NO_MEMORY, "no memory to compare %zu solvers", count);
    if (status == DLS_OK) {
        found->reference = reference->solver;
        found->reference_residual = reference->certificate.scaled_residual;
        dls_problem_diagonal(problem, lambda + 2 * problem->n, lambda + 3 * problem->n);
        status = bound_reference(problem, reference->lambda, &found->reference_bound, error);
    }
    if (status == DLS_OK && told)
        told(context, found);
    for (size_t i = 0; i < count && status == DLS_OK; i++) {
        recorder r = {.problem = problem,
                      .examiner = examiner,
                      .reference = reference,
                      .of = &found->of[found->count++],
                      .side = side,
                      .w = lambda + problem->n,
                      .diagonal = lambda + 2 * problem->n,
                      .enough = enough};
        status = compare_one(&r, &choices[i], iterations, lambda, error);
        if (status == DLS_OK && told)
            told(context, found);
    }
    dls_reference_solution_destroy(reference);
    free(lambda);
    free(side);
    dls_examiner_destroy(examiner);
    if (status != DLS_OK)
        dls_comparisons_release(found);
    return status;
}

void dls_comparisons_release(dls_comparisons *found)
{
    for (size_t i = 0; i < found->count; i++) {
        free(found->of[i].figures);
        free(found->of[i].distance);
        free(found->of[i].visits);
    }
    free(found->of);
    *found = (dls_comparisons){.of = NULL};
}

/* --- tables and figures --- */

/* The last iterate is among the lines. The prediction is drawn over the fitted window. */
static void write_history(const char *name, const dls_comparison *of, double bound, size_t samples, dls_table *table)
{
    size_t every = samples && of->count > samples ? (of->count + samples - 1) / samples : 1;
    for (size_t k = 0; k < of->count; k++) {
        if (k % every != 0 && k + 1 != of->count)
            continue;
        const dls_certificate *c = &of->figures[k];
        const double predicted =
            k >= of->fit_first && k < of->fit_end
                ? of->distance[of->fit_first] * pow(of->predicted_rate, (double)k - (double)of->fit_first)
                : NAN;
        dls_table_row(table, "%s %s %zu %g %g %g %g %g %g %g %g %g %g", name, of->solver->name, k, c->natural_residual,
                      c->natural_residual_velocity, c->scaled_residual, of->distance[k], predicted, c->bound_violation,
                      c->complementarity_gap, c->objective, bound, isnan(of->row_visits) ? NAN : of->visits[k]);
    }
}

double dls_comparison_reached(const dls_comparison *of)
{
    return of->iterations_to_1e6 == SIZE_MAX ? NAN : (double)of->iterations_to_1e6;
}

void dls_comparisons_write(const dls_comparisons *found, const char *name, size_t samples, dls_table *history,
                           dls_table *summary)
{
    for (size_t i = 0; i < found->count; i++) {
        const dls_comparison *of = &found->of[i];
        const dls_certificate *last = &of->figures[of->count - 1];
        if (history)
            write_history(name, of, found->reference_bound, samples, history);
        if (summary)
            dls_table_row(summary, "%s %s %s %zu %g %g %g %g %g %g %g %zu %g %zu %s %g %g %g %s %s %s %g", name,
                          of->solver->name, dls_outcome_text(of->outcome), of->iterations, of->predicted_rate,
                          of->fitted_rate, dls_comparison_reached(of), of->distance[of->count - 1],
                          last->scaled_residual, last->natural_residual, last->natural_residual_velocity, found->rows,
                          of->spectral_radius, of->bounds_settled, found->reference->name, found->reference_residual,
                          found->reference_bound, of->rate_within, of->last_row, dls_rate_words[of->word],
                          dls_fit_words[of->fit], of->row_visits);
    }
}

char *dls_comparison_names(const dls_comparisons *found, size_t most)
{
    size_t size = 1;
    for (size_t k = 0; k < found->count; k++)
        size += strlen(found->of[k].solver->name) + 1;
    char *names = calloc(size, 1);
    for (size_t k = 0, used = 0, named = 0; names && k < found->count && named < most; k++)
        if (found->of[k].outcome != DLS_OUTCOME_REFUSED && ++named)
            used += (size_t)snprintf(names + used, size - used, "%s%s", used ? " " : "", found->of[k].solver->name);
    return names;
}

dls_status dls_comparison_plot(const dls_job *job, const char *table, const char *stem, const char *name,
                               const char *title, const char *solvers, dls_error *error)
{
    char path[DLS_PATH_MAX], caption[1024];
    const char *const variables[] = {"file", name, "solvers", solvers, "title", title, NULL};
    DLS_TRY(dls_job_path(job, table, "tsv", path, error));
    snprintf(
        caption, sizeof caption,
        "Convergence on %s, from zero impulse. The axis counts rows that were visited%s, or iterations where a direct "
        "method is in the figure. Left: the natural residual, "
        "D-scaled to a velocity. Right: the difference of velocity to the dense reference in the mass norm; "
        "dashed: the rate predicted from the sweep's iteration matrix; grey, where a run comes near: below "
        "the proved error of the reference.",
        title, strstr(solvers, "symmetric-pgs") ? " (two sweeps in an iteration of symmetric-pgs)" : "");
    return dls_plot(job, "convergence", path, stem, caption, variables, error);
}

dls_status dls_comparisons_save(const dls_job *job, const char *stem, const dls_choice *choices, size_t count,
                                const dls_comparisons *found, bool figure, dls_error *error)
{
    static const char *const kinds[] = {"history", "summary"}, *const columns[] = {dls_history_columns,
                                                                                   dls_summary_columns};
    char history[DLS_NAME_MAX + 32], name[DLS_NAME_MAX + 32];
    dls_table *both[2] = {NULL, NULL};
    dls_status status = DLS_OK;
    for (int t = 0; t < 2 && status == DLS_OK; t++) {
        snprintf(name, sizeof name, "%s.%s", stem, kinds[t]);
        status = dls_job_table(job, name, &both[t], error);
        if (status != DLS_OK)
            break;
        dls_note_choices(both[t], choices, count);
        dls_table_columns(both[t], columns[t]);
    }
    if (status == DLS_OK)
        dls_comparisons_write(found, stem, 0, both[0], both[1]);
    DLS_TRY(dls_tables_end(both, 2, status, error));
    if (!figure)
        return DLS_OK;
    char *names = dls_comparison_names(found, found->count);
    if (!names)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the names of %zu solvers", found->count);
    snprintf(history, sizeof history, "%s.history", stem);
    status = *names ? dls_comparison_plot(job, history, stem, stem, stem, names, error) : DLS_OK;
    free(names);
    return status;
}
