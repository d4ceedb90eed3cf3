/* Experiment: how fast sweeps approach the reference, measured and predicted.
 *
 * On one linearised step of each case every solver runs from lambda = 0. Its error is the natural residual and the
 * velocity difference to the reference in the M-norm; its rate is fitted to the tail of the latter and predicted by the
 * largest eigenvalue of the iteration matrix on the free set whose mode the error holds (reference/rate). Mass ratios
 * make chains slow. A symmetric mechanism under a symmetric load never excites its slowest modes: the planar four-bar
 * and the stack are therefore also run under a sideways acceleration, and are far slower, or diverge.
 */
#include "study/rig.h"
#include "study/study.h"

#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
    size_t iterations, samples;
    double enough, step;
    dls_list solvers;
} settings;

#define FIELD(...) DLS_SETTING(settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(iterations, "", COUNT, "20000", 1, 1e7, "greatest number of iterations of each solver"),
    FIELD(enough, "", REAL, "1e-12", 0, 1, "share of its first error at which a run ends"),
    FIELD(samples, "", COUNT, "400", 0, 1e7, "approximate number of lines of history per run; 0: one per iteration"),
    FIELD(step, "s", REAL, "0.01", 1e-9, 1, "time step of the linearised problem"),
    FIELD(solvers, "", NAMES, "", 0, 0,
          "default: every iterative solver that accepts the problem; figures show the first three"),
};

static const struct {
    const char *name, *scene; /* NULL: ContactBench's problem, where its folder is given; "": drawn contacts */
    double ratio;             /* of the last body's mass to the first one's; 0: as the scene has it */
    bool aside;               /* with `sideways` added to gravity */
    const char *caption;
} cases[] = {
    {"chain-ratio-1e0", "chain-10", 1e0, false, "a chain of 10 equal balls"},
    {"chain-ratio-1e1", "chain-10", 1e1, false, "a chain of 10 balls, the last one 10 times as heavy"},
    {"chain-ratio-1e2", "chain-10", 1e2, false, "a chain of 10 balls, the last one 100 times as heavy"},
    {"chain-ratio-1e3", "chain-10", 1e3, false, "a chain of 10 balls, the last one 1000 times as heavy"},
    {"chain-ratio-1e4", "chain-10", 1e4, false, "a chain of 10 balls, the last one 10000 times as heavy"},
    {"four-bar", "four-bar", 0.0, false, "a planar four-bar linkage, whose rows are redundant"},
    {"four-bar-aside", "four-bar", 0.0, true, "the four-bar linkage under a sideways acceleration"},
    {"stack", "stack-10", 0.0, false, "a stack of 10 boxes with friction bounded by mu m g"},
    {"stack-aside", "stack-10", 0.0, true, "the stack under a sideways acceleration"},
    {"heavy-on-light", "heavy-on-light", 0.0, false, "a cube of 1000 kg on a cube of 1 g on the ground"},
    {"drawn-contacts", "", 0.0, false, "20 drawn contacts under Coulomb's cone, some open, sticking and sliding"},
    {"contactbench-2cubes", NULL, 0.0, false, "ContactBench's cube of 1000 kg on a cube of 1 g, normal rows"},
};
enum { CASES = sizeof cases / sizeof cases[0] };
static const dls_vec3 sideways = {0.7, 1.0, 0.0}; /* [m/s^2]: less than friction holds */

enum { RUNS_MAX = 64 * CASES };

enum { HISTORY, SUMMARY, RATIOS };
enum { SHOWN = 3 }; /* lines of a figure: with their predictions more are hard to tell apart */
static const dls_experiment_table tables[] = {
    [HISTORY] = {.stem = "convergence.history", .columns = dls_history_columns},
    [SUMMARY] = {.stem = "convergence.summary", .columns = dls_summary_columns},
    [RATIOS] = {.stem = "convergence.ratios",
                .columns =
                    "mass_ratio\tsolver\tpredicted_rate\tfitted_rate\tpredicted_iterations_per_decade"
                    "\tfitted_iterations_per_decade\trow_visits_per_iteration\titerations_to_1e-6\tprediction\tfit"},
    {.stem = NULL},
};

typedef struct findings {
    dls_choice *choices; /* of the settings, else every iterative one */
    size_t n_choices;
    bool chosen;        /* they are of the settings */
    char *shown[CASES]; /* solvers in the figure of each case; NULL where the case was left out */
    /* Runs with a predicted and a fitted rate, and the median difference of their logarithms over that of the first. */
    double differences[RUNS_MAX];
    size_t n_differences;
    size_t four_bar[2]; /* iterations of PGS to 1e-6, under gravity and sideways */
} findings;

static dls_status prepare(dls_study *study, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    f->chosen = set->solvers.count > 0;
    for (size_t i = 0; i < set->solvers.count; i++)
        DLS_TRY(dls_choices_add(set->solvers.names[i], &f->choices, &f->n_choices, error));
    return f->chosen ? DLS_OK : dls_choices_iterative(NULL, &f->choices, &f->n_choices, error);
}

static void release_findings(void *found)
{
    findings *f = found;
    dls_choices_release(f->choices, f->n_choices);
    for (size_t c = 0; c < CASES; c++)
        free(f->shown[c]);
}

static void note_settings(const dls_study *study, dls_table *table)
{
    const findings *f = study->found;
    dls_note_choices(table, f->choices, f->n_choices);
}

static dls_status scene_problem(const dls_study *study, size_t c, dls_problem **problem, dls_error *error)
{
    const settings *set = study->settings;
    dls_scene *scene;
    dls_model *model = NULL;
    DLS_TRY(dls_scene_named(cases[c].scene, &scene, error));
    if (cases[c].ratio > 0.0)
        scene->bodies[scene->n_bodies - 1].mass = cases[c].ratio * scene->bodies[0].mass;
    if (cases[c].aside)
        scene->world.gravity = dls_add(scene->world.gravity, sideways);
    dls_status status = dls_model_create(scene, &model, error);
    if (status == DLS_OK)
        status = dls_first_problem(model, set->step, problem, error);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return status;
}

static void learn(findings *f, size_t c, const dls_comparisons *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const dls_comparison *of = &found->of[i];
        if (of->word == DLS_RATE_EXACT && of->fit == DLS_FIT_LINE && isfinite(of->predicted_rate) &&
            isfinite(of->fitted_rate) && of->predicted_rate > 0.0 && of->fitted_rate > 0.0 &&
            f->n_differences < RUNS_MAX)
            f->differences[f->n_differences++] = fabs(log(of->fitted_rate) / log(of->predicted_rate) - 1.0);
        if (strcmp(of->solver->name, "pgs") == 0 && cases[c].scene && strcmp(cases[c].scene, "four-bar") == 0)
            f->four_bar[cases[c].aside] = of->iterations_to_1e6;
    }
}

static dls_status measure_scene(const dls_study *study, size_t c, const dls_problem *problem, dls_error *error)
{
    const settings *set = study->settings;
    findings *f = study->found;
    dls_comparisons found;
    dls_choice *taken = calloc(f->n_choices + 1, sizeof *taken);
    size_t count = 0;
    if (!taken)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solvers", f->n_choices);
    for (size_t i = 0; i < f->n_choices; i++)
        if (f->chosen || !dls_solver_refuses(f->choices[i].solver, problem))
            taken[count++] = f->choices[i];
    dls_status status = dls_compare(problem, taken, count, set->iterations, set->enough, &found, error);
    free(taken);
    DLS_TRY(status);
    dls_comparisons_write(&found, cases[c].name, set->samples, study->tables[HISTORY], study->tables[SUMMARY]);
    for (size_t i = 0; cases[c].ratio > 0.0 && i < found.count; i++) {
        const dls_comparison *of = &found.of[i];
        dls_table_row(study->tables[RATIOS], "%g %s %g %g %g %g %g %g %s %s", cases[c].ratio, of->solver->name,
                      of->predicted_rate, of->fitted_rate, -1.0 / log10(of->predicted_rate),
                      -1.0 / log10(of->fitted_rate), of->row_visits / (double)of->iterations,
                      dls_comparison_reached(of), dls_rate_words[of->word], dls_fit_words[of->fit]);
    }
    learn(f, c, &found);
    f->shown[c] = dls_comparison_names(&found, SHOWN);
    dls_comparisons_release(&found);
    return f->shown[c] ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for the names of %zu solvers", count);
}

static dls_status run_cases(dls_study *study, dls_error *error)
{
    char path[DLS_PATH_MAX];
    for (dls_grid g = DLS_GRID(CASES); dls_study_next(study, &g);) {
        const size_t c = g.at[0];
        dls_content content = {NULL, NULL, NULL, NULL};
        if (cases[c].scene && !cases[c].scene[0])
            DLS_TRY(dls_draw_contacts(20, 1.0, 1, &content.problem, error));
        else if (cases[c].scene)
            DLS_TRY(scene_problem(study, c, &content.problem, error));
        else {
            if (!study->job->data)
                continue;
            snprintf(path, sizeof path, "%s/contactbench/2cubes_t0.txt", study->job->data);
            if (access(path, R_OK) != 0)
                continue;
            DLS_TRY(dls_file_load(path, "contactbench-normals", &content, error));
        }
        dls_status status = measure_scene(study, c, content.problem, error);
        dls_content_release(&content);
        DLS_TRY(status);
    }
    return DLS_OK;
}

static const dls_experiment_part parts[] = {{"convergence", run_cases}, {NULL, NULL}};

static dls_status figures(dls_study *study, dls_error *error)
{
    const findings *f = study->found;
    dls_figure figure;
    char stem[2 * DLS_NAME_MAX];
    for (size_t c = 0; c < CASES; c++) {
        if (!f->shown[c] || !f->shown[c][0]) /* left out, or refused by all */
            continue;
        snprintf(stem, sizeof stem, "convergence-%s", cases[c].name);
        DLS_TRY(dls_comparison_plot(study->job, tables[HISTORY].stem, stem, cases[c].name, cases[c].caption,
                                    f->shown[c], error));
    }
    dls_figure_begin(&figure, study, "convergence-ratios", RATIOS, NULL);
    dls_figure_set(&figure, "solvers", "%s", f->shown[0] ? f->shown[0] : "");
    return dls_figure_draw(&figure, error,
                           "Row visits of a sweep that reduce the error of a chain of 10 balls tenfold, over the mass "
                           "ratio: fitted to the tail of each run (points) and predicted (lines). They grow in "
                           "proportion to the ratio from 100 on.");
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    findings *f = study->found;
    if (f->n_differences == 0 || f->four_bar[0] >= SIZE_MAX - 1 || f->four_bar[1] >= SIZE_MAX - 1)
        return;
    gsl_sort(f->differences, 1, f->n_differences);
    snprintf(finding->figure, sizeof finding->figure, "convergence-four-bar-aside");
    snprintf(
        finding->sentence, sizeof finding->sentence,
        "Predicted and measured rates of %zu runs agree to %.1e in the median, as logarithms; a sideways load makes "
        "PGS take %zu iterations to 1e-6 on a four-bar linkage that takes %zu without it.",
        f->n_differences, f->differences[f->n_differences / 2], f->four_bar[1], f->four_bar[0]);
}

const dls_experiment dls_experiment_convergence = {
    .name = "convergence",
    .summary = "error of sweeps against the dense reference over iterations, with predicted rates",
    .title = "Convergence of sweeps",
    .question = "How fast does a sweep approach the solution, and can one know it beforehand?",
    .varies = "the sweep, the mass ratio, the mechanism, and the direction of its load",
    .measures = "natural residual and distance to a certified reference after every iteration; rates fitted to the "
                "tail and predicted from the iteration matrix",
    .shows =
        "that predicted and fitted rates agree, how the mass ratio enters, and how symmetric loads hide the slow modes",
    .mechanisms = "chain-10 four-bar stack-10 heavy-on-light",
    .fields = DLS_FIELD_TABLE(fields, settings),
    .small = "iterations=30 solvers=pgs",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(findings),
    .prepare = prepare,
    .release = release_findings,
    .note = note_settings,
    .figures = figures,
    .conclude = conclude,
};
