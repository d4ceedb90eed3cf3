/* Experiment: how fast sweeps approach the reference, measured and predicted.
 *
 * On one linearised step of each case every sweep runs from lambda = 0. Its error is the natural residual and the
 * velocity difference to the reference in the M-norm; its rate is fitted to the tail of the latter and predicted by the
 * largest eigenvalue of the iteration matrix on the free set whose mode the error holds (reference/rate.c). Mass ratios
 * make chains slow, redundant rows do not.
 */
#include "delassus/experiments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct convergence {
    size_t iterations, samples;
    double enough, step;
    char solvers[DLS_NAME_MAX];
} convergence;

#define FIELD(key, unit, kind, member, fallback, min, max, help)                                          \
    {                                                                                                     \
        key, unit, DLS_FIELD_##kind, offsetof(convergence, member), fallback, min, max, false, NULL, help \
    }
static const dls_field fields[] = {
    FIELD("iterations", "", COUNT, iterations, "20000", 1, 1e7, "iterations of each sweep at most"),
    FIELD("enough", "", REAL, enough, "1e-12", 0, 1,
          "a sweep ends when its error has fallen to this part of the first one"),
    FIELD("samples", "", COUNT, samples, "400", 0, 1e7, "lines of history a sweep, about; 0: one an iteration"),
    FIELD("step", "s", REAL, step, "0.01", 1e-9, 1, "time step of the linearised problem"),
    FIELD("solvers", "", NAME, solvers, "pgs,sor,symmetric-pgs,jacobi", 0, 0,
          "sweeps, separated by commas; figures show the first three"),
};

typedef struct test_case {
    const char *name, *scene;
    double ratio;
    const char *caption;
} test_case;
static const test_case cases[] = {
    {"chain-ratio-1e0", "chain-10", 1e0, "a chain of 10 equal balls"},
    {"chain-ratio-1e1", "chain-10", 1e1, "a chain of 10 balls, the last one 10 times as heavy"},
    {"chain-ratio-1e2", "chain-10", 1e2, "a chain of 10 balls, the last one 100 times as heavy"},
    {"chain-ratio-1e3", "chain-10", 1e3, "a chain of 10 balls, the last one 1000 times as heavy"},
    {"chain-ratio-1e4", "chain-10", 1e4, "a chain of 10 balls, the last one 10000 times as heavy"},
    {"four-bar", "four-bar", 0.0, "a planar four-bar loop of hinges, whose rows are redundant"},
    {"stack", "stack-10", 0.0, "a stack of 10 boxes with friction bounded by mu m g"},
    {"heavy-on-light", "heavy-on-light", 0.0, "a cube of 1000 kg on a cube of 1 g on the ground"},
};

/* What a run of the experiment carries from case to case. */
typedef struct laboratory {
    const dls_job *job;
    const convergence *settings;
    dls_choice *choices;
    size_t count;
    dls_table *history, *summary, *ratios;
} laboratory;

static dls_status scene_problem(const laboratory *lab, const test_case *c, dls_problem **problem, dls_error *error)
{
    char path[DLS_PATH_MAX];
    dls_scene *scene;
    dls_model *model = NULL;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", dls_data_folder(), c->scene);
    DLS_TRY(dls_scene_read(path, &scene, error));
    dls_body_def *last = &scene->bodies[scene->n_bodies - 1];
    if (c->ratio > 0.0)
        last->mass = c->ratio * scene->bodies[0].mass;
    dls_status status = dls_model_create(scene, &model, error);
    if (status == DLS_OK)
        status = dls_first_problem(model, lab->settings->step, problem, error);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return status;
}

static void write_ratios(laboratory *lab, const test_case *c, const dls_comparison *found)
{
    for (size_t i = 0; c->ratio > 0.0 && i < lab->count; i++) {
        dls_table_real(lab->ratios, c->ratio);
        dls_table_text(lab->ratios, lab->choices[i].solver->name);
        dls_table_real(lab->ratios, found[i].predicted_rate);
        dls_table_real(lab->ratios, found[i].fitted_rate);
        dls_table_real(lab->ratios, log(1e-6) / log(found[i].predicted_rate));
        dls_table_real(lab->ratios, found[i].iterations_to_1e6 == SIZE_MAX ? NAN : (double)found[i].iterations_to_1e6);
        dls_table_end_row(lab->ratios);
    }
}

static dls_status measure(laboratory *lab, const test_case *c, dls_problem *problem, dls_error *error)
{
    dls_comparison *found = calloc(lab->count, sizeof *found);
    if (!found)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu comparisons", lab->count);
    const dls_effort effort = {lab->settings->iterations, lab->settings->enough, lab->settings->samples};
    dls_status status =
        dls_compare(c->name, problem, lab->choices, lab->count, &effort, lab->history, lab->summary, found, error);
    if (status == DLS_OK)
        write_ratios(lab, c, found);
    free(found);
    return status;
}

/* The instance that ContactBench publishes, frictionless part; left out where there is no such folder. */
static const test_case published = {"contactbench-2cubes", NULL, 0.0,
                                    "ContactBench's cube of 1000 kg on a cube of 1 g, normal rows"};

static bool published_path(const dls_job *job, char *path)
{
    FILE *file = NULL;
    if (job->data) {
        snprintf(path, DLS_PATH_MAX, "%s/contactbench/2cubes_t0.txt", job->data);
        file = fopen(path, "r");
    }
    if (file)
        fclose(file);
    return file != NULL;
}

static dls_status run_cases(laboratory *lab, dls_error *error)
{
    const size_t count = sizeof cases / sizeof cases[0];
    char path[DLS_PATH_MAX];
    dls_problem *problem;
    for (size_t i = 0; i < count; i++) {
        dls_job_progress(lab->job, cases[i].name, (double)i / (double)count);
        DLS_TRY(scene_problem(lab, &cases[i], &problem, error));
        dls_status status = measure(lab, &cases[i], problem, error);
        dls_problem_destroy(problem);
        DLS_TRY(status);
    }
    if (!published_path(lab->job, path))
        return DLS_OK;
    dls_content content;
    DLS_TRY(dls_file_load(path, "contactbench", &content, error));
    dls_status status = measure(lab, &published, content.problem, error);
    dls_content_release(&content);
    return status;
}

/* --- figures --- */

/* The first three solvers, separated by blanks: three lines and three predictions are what a figure can hold. */
static void shown_solvers(const laboratory *lab, char *names, size_t size)
{
    names[0] = 0;
    for (size_t i = 0; i < lab->count && i < 3; i++) {
        size_t used = strlen(names);
        snprintf(names + used, size - used, "%s%s", i ? " " : "", lab->choices[i].solver->name);
    }
}

static dls_status plot_case(const laboratory *lab, const test_case *c, dls_error *error)
{
    char table[DLS_PATH_MAX], stem[DLS_NAME_MAX + 16], caption[512], names[4 * DLS_NAME_MAX];
    DLS_TRY(dls_job_path(lab->job, "convergence.history", "tsv", table, error));
    shown_solvers(lab, names, sizeof names);
    snprintf(stem, sizeof stem, "convergence-%s", c->name);
    snprintf(caption, sizeof caption,
             "Convergence on %s, from zero impulse. Left: natural residual, D-scaled to a velocity. Right: velocity "
             "difference to the "
             "dense reference in the mass norm; dashed: the rate predicted from the sweep's iteration matrix.",
             c->caption);
    const char *const variables[] = {"file", c->name, "solvers", names, "title", c->caption, NULL};
    return dls_plot(lab->job, "convergence", table, stem, caption, variables, error);
}

static dls_status plot_all(const laboratory *lab, dls_error *error)
{
    char table[DLS_PATH_MAX], path[DLS_PATH_MAX], names[4 * DLS_NAME_MAX];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        DLS_TRY(plot_case(lab, &cases[i], error));
    if (published_path(lab->job, path))
        DLS_TRY(plot_case(lab, &published, error));
    shown_solvers(lab, names, sizeof names);
    const char *const variables[] = {"solvers", names, NULL};
    DLS_TRY(dls_job_path(lab->job, "convergence.ratios", "tsv", table, error));
    return dls_plot(lab->job, "ratios", table, "convergence-ratios",
                    "Iterations that reduce the error of a chain of 10 balls by 1e6 over the mass ratio: measured "
                    "(points, where the run "
                    "was long enough) and predicted (lines).",
                    variables, error);
}

/* --- the experiment --- */

static dls_status open_tables(laboratory *lab, dls_error *error)
{
    DLS_TRY(dls_job_table(lab->job, "convergence.history", &lab->history, error));
    DLS_TRY(dls_job_table(lab->job, "convergence.summary", &lab->summary, error));
    DLS_TRY(dls_job_table(lab->job, "convergence.ratios", &lab->ratios, error));
    const dls_field_table table = DLS_FIELD_TABLE(fields, convergence);
    dls_table *const all[] = {lab->history, lab->summary, lab->ratios};
    const char *const columns[] = {
        dls_history_columns, dls_summary_columns,
        "mass_ratio\tsolver\tpredicted_rate\tfitted_rate\tpredicted_iterations\titerations_to_1e-6"};
    for (int i = 0; i < 3; i++) {
        dls_table_note_fields(all[i], "", &table, lab->settings);
        for (size_t k = 0; k < lab->count; k++)
            dls_table_note_fields(all[i], lab->choices[k].solver->name, &lab->choices[k].solver->fields,
                                  lab->choices[k].settings);
        dls_table_columns(all[i], columns[i]);
    }
    return DLS_OK;
}

static dls_status close_tables(laboratory *lab, dls_error *error)
{
    dls_table **const all[] = {&lab->history, &lab->summary, &lab->ratios};
    for (int i = 0; i < 3; i++) {
        dls_table *table = *all[i];
        *all[i] = NULL;
        DLS_TRY(dls_table_commit(table, error));
    }
    return DLS_OK;
}

static dls_status run_lab(laboratory *lab, dls_error *error)
{
    DLS_TRY(dls_choices_create(lab->settings->solvers, &lab->choices, &lab->count, error));
    DLS_TRY(open_tables(lab, error));
    DLS_TRY(run_cases(lab, error));
    DLS_TRY(close_tables(lab, error));
    return plot_all(lab, error);
}

static dls_status run(const dls_job *job, const void *settings, dls_error *error)
{
    laboratory lab = {.job = job, .settings = settings};
    dls_status status = run_lab(&lab, error);
    dls_table_abandon(lab.history);
    dls_table_abandon(lab.summary);
    dls_table_abandon(lab.ratios);
    dls_choices_release(lab.choices, lab.count);
    return status;
}

const dls_experiment dls_experiment_convergence = {
    .name = "convergence",
    .summary = "error of sweeps against the dense reference over iterations, with predicted rates",
    .fields = DLS_FIELD_TABLE(fields, convergence),
    .run = run,
};
