/* delassus compare: histories and convergence figures of several solvers on several problems. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Those that were named, else all sweeps that accept the problem. */
static dls_status choose(const arguments *a, const dls_problem *problem, dls_choice **choices, size_t *count,
                         dls_error *error)
{
    const char *names = argument(a, "solvers", NULL);
    size_t room = 0;
    if (names)
        return dls_choices_create(names, choices, count, error);
    while (dls_iterative_solvers[room])
        room++;
    *count = 0;
    *choices = calloc(room + 1, sizeof **choices);
    if (!*choices)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu solvers", room);
    for (size_t i = 0; i < room; i++)
        if (!dls_solver_refuses(dls_iterative_solvers[i], problem))
            DLS_TRY(dls_choice_create(dls_iterative_solvers[i]->name, &(*choices)[(*count)++], error));
    return DLS_OK;
}

/* A figure holds three lines and three predictions. */
enum { SHOWN = 3 };

static dls_status draw(const dls_job *job, const char *stem, const dls_choice *choices, size_t count, dls_error *error)
{
    char table[DLS_PATH_MAX], history[DLS_NAME_MAX + 32], caption[512], names[SHOWN * (DLS_NAME_MAX + 1)] = "";
    snprintf(history, sizeof history, "%s.history", stem);
    DLS_TRY(dls_job_path(job, history, "tsv", table, error));
    for (size_t k = 0, used = 0; k < count && k < SHOWN; k++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? " " : "", choices[k].solver->name);
    snprintf(caption, sizeof caption,
             "Convergence on %s, from zero impulse. Left: natural residual, D-scaled to a velocity. Right: velocity "
             "difference to the dense "
             "reference in the mass norm; dashed: the rate predicted from the sweep's iteration matrix.",
             stem);
    const char *const variables[] = {"file", stem, "solvers", names, "title", stem, NULL};
    return dls_plot(job, "convergence", table, stem, caption, variables, error);
}

static dls_status tables(const dls_job *job, const char *stem, const dls_problem *problem, const dls_choice *choices,
                         size_t count, size_t iterations, dls_error *error)
{
    char history_stem[DLS_NAME_MAX + 32], summary_stem[DLS_NAME_MAX + 32];
    dls_table *history = NULL, *summary = NULL;
    snprintf(history_stem, sizeof history_stem, "%s.history", stem);
    snprintf(summary_stem, sizeof summary_stem, "%s.summary", stem);
    dls_status status = dls_job_table(job, history_stem, &history, error);
    if (status == DLS_OK)
        status = dls_job_table(job, summary_stem, &summary, error);
    for (size_t k = 0; status == DLS_OK && k < count; k++) {
        dls_table_note_fields(history, choices[k].solver->name, &choices[k].solver->fields, choices[k].settings);
        dls_table_note_fields(summary, choices[k].solver->name, &choices[k].solver->fields, choices[k].settings);
    }
    if (status == DLS_OK) {
        dls_table_columns(history, dls_history_columns);
        dls_table_columns(summary, dls_summary_columns);
        status = dls_compare(stem, problem, choices, count, &(dls_effort){.iterations = iterations}, history, summary,
                             NULL, error);
    }
    if (status != DLS_OK) {
        dls_table_abandon(history);
        dls_table_abandon(summary);
        return status;
    }
    status = dls_table_commit(history, error);
    if (status == DLS_OK)
        return dls_table_commit(summary, error);
    dls_table_abandon(summary);
    return status;
}

/* A problem that no direct method solves has no reference to compare with: that is a finding, not bad input. */
static int failed(const dls_error *error)
{
    return complain(error), error->status == DLS_REFUSED ? EXIT_UNSOLVED : EXIT_BAD_INPUT;
}

static int compare_problem(const arguments *a, const dls_job *job, const char *file, const dls_problem *problem,
                           size_t iterations)
{
    char stem[DLS_NAME_MAX];
    dls_choice *choices = NULL;
    size_t count = 0;
    dls_error error;
    int status = EXIT_BAD_INPUT;
    dls_file_stem(file, stem, sizeof stem);
    if (choose(a, problem, &choices, &count, &error) != DLS_OK)
        complain(&error);
    else if (set_solvers(a, choices, count)) {
        bool done = tables(job, stem, problem, choices, count, iterations, &error) == DLS_OK &&
                    draw(job, stem, choices, count, &error) == DLS_OK;
        status = done ? EXIT_DONE : failed(&error);
        if (done)
            printf("%s: %s/%s.history.tsv, .summary.tsv, .svg, .png\n", file, job->output, stem);
    }
    dls_choices_release(choices, count);
    return status;
}

/* Tables bear the name of their file: two of one name would overwrite each other. */
static bool stems_differ(const arguments *a)
{
    char one[DLS_NAME_MAX], other[DLS_NAME_MAX];
    for (size_t i = 0; i < a->n_words; i++)
        for (size_t j = 0; j < i; j++) {
            dls_file_stem(a->words[i], one, sizeof one);
            dls_file_stem(a->words[j], other, sizeof other);
            if (strcmp(one, other) == 0) {
                complain_text(
                    "compare: %s and %s would both write %s.history.tsv; compare them in two calls with two -o",
                    a->words[j], a->words[i], one);
                return false;
            }
        }
    return true;
}

static int run(const arguments *a)
{
    size_t iterations = 200;
    int worst = EXIT_DONE;
    dls_job job = make_job(a, argument(a, "output", "compare"));
    if (!argument_count(a, "iterations", 1, &iterations) || !stems_differ(a))
        return EXIT_BAD_INPUT;
    for (size_t i = 0; i < a->n_words && worst != EXIT_BAD_INPUT; i++) {
        dls_content content;
        dls_error error;
        dls_job_progress(&job, a->words[i], (double)i / (double)a->n_words);
        if (dls_load_problem(a->words[i], argument(a, "format", NULL), &content, &error) != DLS_OK)
            return complain(&error);
        int status =
            content.problem->n > 0
                ? compare_problem(a, &job, a->words[i], content.problem, iterations)
                : complain_text("compare: %s: the problem has no rows; there is nothing to compare", a->words[i]);
        worst = status > worst ? status : worst;
        dls_content_release(&content);
    }
    return worst;
}

static const option_spec options[] = {
    {"solvers", 's', "A,B", "solvers, separated by commas [every iterative one]"},
    {"iterations", 'k', "K", "iterations of each [200]"},
    {"set", 0, "KEY=VALUE", "a setting of the solvers, or SOLVER.KEY=VALUE of one"},
    {"format", 'f', "NAME", "as which the files are read; without it what they hold decides"},
    {"output", 'o', "DIR", "folder of tables and figures [compare]"},
    {NULL, 0, NULL, NULL}};
const command command_compare = {
    .name = "compare",
    .usage = "FILE... [--solvers A,B] [--iterations K] [-o DIR]",
    .summary = "history table and convergence figure of each file",
    .details = "Every iterate is measured against the dense reference: natural residual and sqrt(dv^T M dv).\n"
               "A figure shows the first three solvers; the tables have all.",
    .min_words = 1,
    .max_words = 1000,
    .options = options,
    .run = run,
    .more = print_formats,
};
