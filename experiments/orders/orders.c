/* Experiment: the order of the rows.
 *
 * Nonsmooth Gauss-Seidel, which without cones is PGS, on the same problems with their contacts and joints in another
 * order: as given, reversed, at random, from the ground upwards, downwards, and forwards and backwards in turn. Greedy
 * sweeps take the row with the largest step each time (solvers/greedy.c). The spectral radius of the iteration matrix
 * depends on the order, but for a matrix that is consistently ordered, such as that of a chain, not by much (D. M.
 * Young, Trans. AMS 76 (1954)).
 */

#include "base/memory.h"
#include "study/rig.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    size_t iterations, copies, seed, layers;
    double seconds;
    dls_list cases;
} settings;

#define FIELD(...) DLS_SETTING(settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(iterations, "", COUNT, "30000", 1, 1e9, "greatest number of sweeps of each run"),
    FIELD(seconds, "s", REAL, "20", 1e-3, 1e5, "time of each run, its examinations included"),
    FIELD(copies, "", COUNT, "5", 1, 1000, "random orders of each problem"),
    FIELD(seed, "", COUNT, "1", 0, 1e9, "of the first of them"),
    FIELD(layers, "", COUNT, "4", 1, 30, "layers of the pile of balls"),
    FIELD(cases, "", NAMES, "stack,chain-1,chain-100,pile", 0, 0, "problems of the experiment methods"),
};

enum { GIVEN, REVERSED, RANDOM, UPWARDS, DOWNWARDS, SYMMETRIC, GREEDY, ORDERS };
static const char *const order_names[ORDERS] = {"given",     "reversed",  "random", "upwards",
                                                "downwards", "symmetric", "greedy"};

enum { RUNS, SUMMARY };
static const dls_experiment_table tables[] = {
    [RUNS] = {.stem = "orders.runs",
              .columns = "problem\torder\tcopy\tpredicted_rate\titerations_to_1e-6\trow_visits_to_1e-6"},
    [SUMMARY] = {.stem = "orders.summary",
                 .columns = "problem\torder\tplace\tleast_sweeps\tmedian_sweeps\tmost_sweeps"},
    {.stem = NULL},
};
enum { SHOWN = 1 };

typedef struct findings {
    double widest; /* the largest ratio of the work of two orders of one problem, */
    char problem[DLS_NAME_MAX], best[DLS_NAME_MAX], worst[DLS_NAME_MAX];
    double least, most;
} findings;

/* --- orders --- */

/* A normal row with the rows that belong to it. */
typedef struct unit {
    size_t first, rows;
    double height;
} unit;

static int ascending(const void *a, const void *b)
{
    const unit *x = a, *y = b;
    return x->height > y->height ? 1 : x->height < y->height ? -1 : x->first > y->first ? 1 : -1;
}

/* The mean height of the bodies that a row acts on. */
static double row_height(const dls_rig *rig, const dls_rows *J, size_t i)
{
    double sum = 0.0;
    size_t count = 0;
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t b = 0; b < dls_model_count(rig->model).bodies; b++)
            if (dls_model_bodies(rig->model)[b].offset == J->offset[k])
                sum += dls_rig_state(rig)->x[b].z, count++;
    return count > 0 ? sum / (double)count : 0.0;
}

/* Friction rows stand behind their normal rows, as scenes have them. */
static dls_status height_order(const dls_case_open *at, bool upwards, size_t *order, dls_error *error)
{
    const dls_problem *p = at->problem;
    unit *units = calloc(p->n + 1, sizeof *units);
    size_t count = 0, place = 0;
    if (!units)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the order of %zu rows", p->n);
    for (size_t i = 0; i < p->n; i++)
        if (p->parent[i] == DLS_NONE) {
            const double height = row_height(&at->rig, &p->J, i);
            units[count++] = (unit){i, 1, upwards ? height : -height};
        } else {
            units[count - 1].rows++;
        }
    qsort(units, count, sizeof *units, ascending);
    for (size_t u = 0; u < count; u++)
        for (size_t r = 0; r < units[u].rows; r++)
            order[place++] = units[u].first + r;
    free(units);
    return DLS_OK;
}

static dls_status find_order(const dls_case_open *at, int order_kind, uint64_t seed, size_t *order, dls_error *error)
{
    const dls_row_order kind = order_kind == REVERSED ? DLS_ORDER_REVERSED
                               : order_kind == RANDOM ? DLS_ORDER_RANDOM
                                                      : DLS_ORDER_GIVEN;
    return order_kind == UPWARDS || order_kind == DOWNWARDS ? height_order(at, order_kind == UPWARDS, order, error)
                                                            : dls_problem_order(at->problem, kind, seed, order, error);
}

/* --- runs --- */

static dls_status choose(int order, dls_choice *choice, dls_error *error)
{
    DLS_TRY(dls_choice_create(order == GREEDY ? "greedy" : "nsgs", choice, error));
    return order == SYMMETRIC ? dls_choices_set(choice, 1, "order", "symmetric", error) : DLS_OK;
}

static dls_status run_order(const dls_study *study, const dls_problem *problem, int order, dls_solver_reach *reach,
                            double *rate, dls_error *error)
{
    const settings *set = study->settings;
    dls_choice choice;
    dls_examiner *examiner = NULL;
    dls_rate predicted;
    *rate = NAN;
    DLS_TRY(choose(order, &choice, error));
    double *lambda = calloc(problem->n + 1, sizeof *lambda);
    dls_status status = lambda ? dls_examiner_create(problem, &examiner, error)
                               : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", problem->n);
    if (status == DLS_OK)
        status =
            dls_reach_measure(&choice, problem, examiner, NULL, set->iterations, set->seconds, lambda, reach, error);
    if (status == DLS_OK && choice.solver->splitting &&
        dls_rate_predict(problem, lambda, NULL, choice.solver->splitting(choice.settings), &predicted, NULL) == DLS_OK)
        *rate = predicted.spectral_radius;
    dls_examiner_destroy(examiner);
    free(lambda);
    dls_choice_release(&choice);
    return status;
}

static dls_status run_copies(const dls_study *study, const dls_case *of, const dls_case_open *at, int order,
                             double *sweeps, size_t *count, dls_error *error)
{
    const settings *set = study->settings;
    const size_t copies = order == RANDOM ? set->copies : 1;
    size_t *place = calloc(at->problem->n + 1, sizeof *place);
    dls_status status = place ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for an order");
    for (*count = 0; *count < copies && status == DLS_OK; ++*count) {
        dls_problem *reordered = NULL;
        dls_solver_reach reach;
        double rate;
        status = find_order(at, order, set->seed + *count, place, error);
        if (status == DLS_OK)
            status = dls_problem_reorder(at->problem, place, &reordered, error);
        if (status == DLS_OK)
            status = run_order(study, reordered, order, &reach, &rate, error);
        if (status == DLS_OK) {
            sweeps[*count] = isnan(reach.to[SHOWN].visits) ? HUGE_VAL : reach.to[SHOWN].visits / (double)at->problem->n;
            dls_table_row(study->tables[RUNS], "%s %s %zu %g %g %g", of->name, order_names[order], *count, rate,
                          reach.to[SHOWN].iterations, reach.to[SHOWN].visits);
        }
        dls_problem_destroy(reordered);
    }
    free(place);
    return status;
}

/* The widest pair of orders; greedy sweeps, which visit rows for their gains too, do not count. */
static void learn(findings *f, const char *problem, const double median[ORDERS])
{
    int best = GIVEN, worst = GIVEN;
    for (int o = 0; o < GREEDY; o++) {
        best = median[o] < median[best] ? o : best;
        worst = isfinite(median[o]) && (median[o] > median[worst] || !isfinite(median[worst])) ? o : worst;
    }
    if (!isfinite(median[best]) || !(median[worst] / median[best] > f->widest))
        return;
    f->widest = median[worst] / median[best];
    f->least = median[best], f->most = median[worst];
    snprintf(f->problem, sizeof f->problem, "%s", problem);
    snprintf(f->best, sizeof f->best, "%s", order_names[best]);
    snprintf(f->worst, sizeof f->worst, "%s", order_names[worst]);
}

static dls_status run_case(const dls_study *study, const dls_case *of, dls_error *error)
{
    const settings *set = study->settings;
    const dls_case_size size = {.layers = set->layers, .contacts = 10, .seed = set->seed};
    double median[ORDERS], *sweeps = calloc(set->copies, sizeof *sweeps);
    dls_case_open at;
    if (!sweeps)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu copies", set->copies);
    dls_status status = dls_case_begin(&at, of, &size, error);
    const bool begun = status == DLS_OK;
    for (int order = 0; order < ORDERS && status == DLS_OK; order++) {
        size_t count;
        median[order] = HUGE_VAL;
        if (order == GREEDY && dls_solver_refuses(dls_solver_find("greedy"), at.problem))
            continue;
        status = run_copies(study, of, &at, order, sweeps, &count, error);
        if (status != DLS_OK)
            break;
        const dls_spread spread = dls_spread_of(sweeps, count);
        median[order] = spread.median;
        dls_table_row(study->tables[SUMMARY], "%s %s %zu %g %g %g", of->name, order_names[order], (size_t)order,
                      spread.least, spread.median, spread.most);
    }
    if (status == DLS_OK)
        learn(study->found, of->name, median);
    if (begun)
        dls_case_close(&at);
    free(sweeps);
    return status;
}

static const dls_case *find_case(const char *name)
{
    for (const dls_case *of = dls_cases; of->name; of++)
        if (strcmp(of->name, name) == 0 && of->density == 0.0)
            return of;
    return NULL;
}

static dls_status prepare(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    for (size_t k = 0; k < set->cases.count; k++)
        if (!find_case(set->cases.names[k]))
            return dls_fail_about(error, DLS_BAD_INPUT, NULL, "cases", "there is no scene '%s' in this experiment",
                                  set->cases.names[k]);
    return DLS_OK;
}

static dls_status run_cases(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    for (dls_grid g = DLS_GRID(set->cases.count); dls_study_next(study, &g);)
        DLS_TRY(run_case(study, find_case(set->cases.names[g.at[0]]), error));
    return DLS_OK;
}

static const dls_experiment_part parts[] = {{"orders", run_cases}, {NULL, NULL}};

static dls_status figures(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    dls_figure figure;
    char names[1024] = "";
    for (size_t k = 0; k < set->cases.count; k++)
        dls_words_add(names, sizeof names, set->cases.names[k]);
    dls_figure_begin(&figure, study, "orders", SUMMARY, NULL);
    dls_figure_set(&figure, "problems", "%s", names);
    return dls_figure_draw(
        &figure, error,
        "Row visits of nonsmooth Gauss-Seidel, in sweeps, to a certified residual of 1e-6 from zero "
        "impulse, by the order of the rows; bars: the range of %zu random orders. Greedy sweeps look "
        "at all rows for each step.",
        set->copies);
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const findings *f = study->found;
    if (!(f->widest > 0.0))
        return;
    snprintf(finding->figure, sizeof finding->figure, "orders");
    snprintf(
        finding->sentence, sizeof finding->sentence,
        "The order of the rows is worth at most a factor of %.2g: on %s %.0f sweeps to a certified 1e-6 in the order "
        "'%s', and %.0f in the order '%s'.",
        f->widest, f->problem, f->least, f->best, f->most, f->worst);
}

const dls_experiment dls_experiment_orders = {
    .name = "orders",
    .summary = "sweeps with the rows as given, reversed, at random, by height, in turn, and greedy",
    .title = "Row orders",
    .question = "What is the order of the rows worth to a sweep?",
    .varies = "the order of contacts and joints, and the problem",
    .measures = "row visits to a certified residual of 1e-6, and the predicted rate of each order",
    .shows = "which order is the best, and that none changes the kind of convergence",
    .mechanisms = "stack-10-found chain-10",
    .fields = DLS_FIELD_TABLE(fields, settings),
    .small = "iterations=20000 seconds=0.05 copies=2 cases=chain-1",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(findings),
    .prepare = prepare,
    .figures = figures,
    .conclude = conclude,
};
