/* The report: every experiment, a run of every scene, and one page over all tables and figures. */
#include "delassus/experiments.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- what the page is made of --- */

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

static int is_scene(const struct dirent *entry) { return ends_with(entry->d_name, ".yaml"); }
static int is_run(const struct dirent *entry) { return ends_with(entry->d_name, ".energy.caption.txt"); }
static int is_finding(const struct dirent *entry) { return ends_with(entry->d_name, ".caption.txt") && !is_run(entry); }
static int is_table(const struct dirent *entry) { return ends_with(entry->d_name, ".tsv"); }
static int is_summary(const struct dirent *entry) { return ends_with(entry->d_name, ".summary.tsv"); }

static void put_escaped(FILE *page, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '<'   ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '&' ? "&amp;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            fputs(entity, page);
        else
            fputc(*text, page);
    }
}

/* A file of the folder, NULL where there is none: what else may stand there under its name is not waited for. */
static FILE *open_in(const dls_job *job, const char *name)
{
    char path[DLS_PATH_MAX];
    struct stat facts;
    int length = snprintf(path, sizeof path, "%s/%s", job->output, name);
    return length < DLS_PATH_MAX && stat(path, &facts) == 0 && S_ISREG(facts.st_mode) ? fopen(path, "r") : NULL;
}

static void put_figure(FILE *page, const dls_job *job, const char *caption)
{
    int stem = (int)(strlen(caption) - strlen(".caption.txt"));
    char line[2048];
    FILE *text = open_in(job, caption);
    fprintf(page, "<figure id=\"%.*s\"><img src=\"%.*s.svg\" alt=\"%.*s\"><figcaption>", stem, caption, stem, caption,
            stem, caption);
    while (text && fgets(line, sizeof line, text))
        put_escaped(page, line);
    fprintf(page, " (<a href=\"%.*s.png\">PNG</a>)</figcaption></figure>\n", stem, caption);
    if (text)
        fclose(text);
}

/* A cell at the six digits a reader wants; the file has all of them. */
static void put_cell(FILE *page, const char *cell, const char *tag)
{
    char *end, digits[32];
    double value = strtod(cell, &end);
    snprintf(digits, sizeof digits, "%.6g", value);
    fprintf(page, "<%s>", tag);
    put_escaped(page, *cell && !*end ? digits : cell);
    fprintf(page, "</%s>", tag);
}

static void put_summary(FILE *page, const dls_job *job, const char *name)
{
    char line[4096];
    bool head = true;
    FILE *table = open_in(job, name);
    fprintf(page, "<h3>%s</h3>\n<table>\n", name);
    while (table && fgets(line, sizeof line, table)) {
        if (line[0] == '#')
            continue;
        fputs("<tr>", page);
        for (char *rest = line, *cell; (cell = strsep(&rest, "\t\n"));)
            if (rest || *cell)
                put_cell(page, cell, head ? "th" : "td");
        fputs("</tr>\n", page);
        head = false;
    }
    fputs("</table>\n", page);
    if (table)
        fclose(table);
}

static void put_link(FILE *page, const dls_job *job, const char *name)
{
    (void)job;
    fprintf(page, "<li><a href=\"%s\">%s</a></li>\n", name, name);
}

/* Calls `put` for each file of the job's folder that `select` takes, in the order of names. */
static dls_status put_each(FILE *page, const dls_job *job, int (*select)(const struct dirent *),
                           void (*put)(FILE *, const dls_job *, const char *), dls_error *error)
{
    struct dirent **entries;
    int count = scandir(job->output, &entries, select, by_name);
    if (count < 0)
        return dls_fail(error, DLS_IO, "cannot read the folder %s: %s", job->output, strerror(errno));
    for (int i = 0; i < count; i++) {
        put(page, job, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return DLS_OK;
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>delassus report</title>\n<style>\n"
    "body{font:16px/1.5 Georgia,serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}\n"
    "figure{margin:2rem 0}img{max-width:100%}figcaption{font-size:.85rem;color:#555;white-space:pre-line}\n"
    "table{border-collapse:collapse;font:12px/1.4 monospace;display:block;overflow-x:auto}\n"
    "th,td{border-bottom:1px solid #ddd;padding:.2rem "
    ".6rem;text-align:right;white-space:nowrap}th{background:#f4f4f4}\n"
    "</style></head><body>\n<h1>delassus report</h1>\n";

static dls_status write_page(const dls_job *job, FILE *page, dls_error *error)
{
    dls_build build = dls_build_facts();
    fputs(head, page);
    fprintf(page, "<p>delassus %s (%s), %s. Made by <code>", build.version, build.commit, build.compiler);
    put_escaped(page, job->command);
    fputs("</code>. Every figure has its table; every table names the command that makes it "
          "again.</p>\n<h2>Experiments</h2>\n",
          page);
    DLS_TRY(put_each(page, job, is_finding, put_figure, error));
    fputs("<h2>Summaries</h2>\n", page);
    DLS_TRY(put_each(page, job, is_summary, put_summary, error));
    fputs("<h2>Runs of the scenes</h2>\n", page);
    DLS_TRY(put_each(page, job, is_run, put_figure, error));
    fputs("<h2>Tables</h2>\n<ul>\n", page);
    DLS_TRY(put_each(page, job, is_table, put_link, error));
    fputs("</ul>\n</body></html>\n", page);
    return DLS_OK;
}

static dls_status write_index(const dls_job *job, dls_error *error)
{
    char path[DLS_PATH_MAX];
    dls_output output;
    DLS_TRY(dls_job_path(job, "index", "html", path, error));
    DLS_TRY(dls_output_open(&output, path, error));
    dls_status status = write_page(job, output.stream, error);
    if (status == DLS_OK)
        return dls_output_commit(&output, error);
    dls_output_abandon(&output);
    return status;
}

/* --- the work --- */

static dls_status set_small(const dls_experiment *experiment, void *settings, dls_error *error)
{
    char text[512], *rest = text;
    snprintf(text, sizeof text, "%s", experiment->small);
    for (char *key; (key = strsep(&rest, " "));) {
        char *value = strchr(key, '=');
        *value++ = '\0';
        DLS_TRY(dls_field_set(&experiment->fields, settings, key, value, error));
    }
    return DLS_OK;
}

static dls_status run_experiment(const dls_job *job, const dls_experiment *experiment, bool small, dls_error *error)
{
    dls_settings settings;
    DLS_TRY(dls_settings_create(&experiment->fields, &settings, error));
    dls_status status = small ? set_small(experiment, settings.values, error) : DLS_OK;
    if (status == DLS_OK)
        status = dls_experiment_run(experiment, job, settings.values, error);
    dls_settings_release(&settings);
    return status;
}

enum { REPORT_ITERATIONS = 50, REPORT_SAMPLES = 200, REPORT_SMALL_STEPS = 10 };

/* pgs where it takes the problems of the scene, else the first iterative solver that does. */
static dls_status choose_solver(const dls_model *model, dls_choice *choice, dls_error *error)
{
    dls_problem *problem;
    const dls_solver *solver = dls_iterative_find("pgs");
    DLS_TRY(dls_first_problem(model, 0.0, &problem, error));
    for (size_t i = 0; dls_iterative_solvers[i] && dls_solver_refuses(solver, problem); i++)
        solver = dls_iterative_solvers[i];
    dls_problem_destroy(problem);
    return dls_choice_create(solver->name, choice, error);
}

/* As `delassus run --examine every` would, with every other default. */
static dls_status run_model(const dls_job *job, dls_run *run, dls_table *table, dls_error *error)
{
    dls_run_result result;
    dls_settings settings;
    dls_status status = dls_settings_create(&run->scheme->fields, &settings, error);
    run->scheme_settings = settings.values;
    if (status == DLS_OK)
        status = dls_fields_default(&dls_warm_fields, &run->warm, error);
    if (status == DLS_OK)
        status = choose_solver(run->model, &run->choice, error);
    if (status == DLS_OK)
        status = dls_trajectory(job, run, &result, error);
    if (status == DLS_OK && result.diverged)
        status = dls_fail(error, DLS_NOT_FINITE, "%s: %s", run->stem, result.reason);
    if (status == DLS_OK)
        dls_table_row(table, "%s %s %zu %g %zu %g %g %g %g %g", run->stem, run->choice.solver->name, run->iterations,
                      run->step, result.steps, result.energy_start, result.energy_end, result.worst_linear,
                      result.worst_angular, result.worst_residual);
    dls_choice_release(&run->choice);
    dls_settings_release(&settings);
    return status;
}

static dls_status run_small_or_whole(const dls_job *job, const dls_scene *scene, const dls_model *model,
                                     const char *stem, bool small, dls_table *table, dls_error *error)
{
    dls_run run = {.model = model,
                   .scene = scene,
                   .stem = stem,
                   .scheme = dls_scheme_find("euler"),
                   .iterations = REPORT_ITERATIONS,
                   .step = dls_model_world(model)->step,
                   .duration = dls_model_world(model)->duration,
                   .samples = REPORT_SAMPLES,
                   .examine = DLS_EXAMINE_EVERY};
    if (small)
        run.duration = fmin(run.duration, REPORT_SMALL_STEPS * run.step);
    dls_status status = DLS_OK;
    if (!dls_model_world(model)->collide || dls_collider_available())
        status = run_model(job, &run, table, error);
    return status;
}

static dls_status run_scene(const dls_job *job, const char *file, bool small, dls_table *table, dls_error *error)
{
    char path[DLS_PATH_MAX], stem[DLS_NAME_MAX];
    dls_scene *scene;
    dls_model *model = NULL;
    snprintf(path, sizeof path, "%s/scenes/%s", dls_data_folder(), file);
    dls_file_stem(file, stem, sizeof stem);
    DLS_TRY(dls_scene_read(path, &scene, error));
    dls_status status = dls_model_create(scene, &model, error);
    if (status == DLS_OK)
        status = run_small_or_whole(job, scene, model, stem, small, table, error);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return status;
}

static dls_status run_scenes(const dls_job *job, bool small, dls_table *table, dls_error *error)
{
    char folder[DLS_PATH_MAX];
    struct dirent **entries;
    dls_status status = DLS_OK;
    snprintf(folder, sizeof folder, "%s/scenes", dls_data_folder());
    int count = scandir(folder, &entries, is_scene, by_name);
    if (count < 0)
        return dls_fail(error, DLS_IO, "cannot read the scenes in %s: %s; set DELASSUS_DATADIR", folder,
                        strerror(errno));
    for (int i = 0; i < count; i++) {
        if (status == DLS_OK)
            status = run_scene(job, entries[i]->d_name, small, table, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

dls_status dls_report_all(const dls_job *job, bool small, dls_error *error)
{
    dls_table *runs;
    for (size_t i = 0; dls_experiments[i]; i++)
        DLS_TRY(run_experiment(job, dls_experiments[i], small, error));
    DLS_TRY(dls_job_table(job, "runs.summary", &runs, error));
    dls_table_columns(
        runs,
        "file\tsolver\titerations\tstep[s]\tsteps\tenergy_start[J]\tenergy_end[J]\tjoint_error[m]\tjoint_error[rad]"
        "\tscaled_residual");
    DLS_TRY(dls_tables_end(&runs, 1, run_scenes(job, small, runs, error), error));
    return write_index(job, error);
}
