/* delassus compare: histories and convergence figures of several solvers on several problems. */
#include "command.h"

#include <stdio.h>
#include <string.h>

static dls_status tables(const dls_job *job, const char *stem, const dls_choice *choices, size_t count,
                         const dls_comparisons *found, dls_error *error)
{
    static const char *const kinds[] = {"history", "summary"}, *const columns[] = {dls_history_columns,
                                                                                   dls_summary_columns};
    char name[DLS_NAME_MAX + 32];
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
    return dls_tables_end(both, 2, status, error);
}

static dls_status compare(const dls_job *job, const char *stem, const dls_problem *problem, const dls_choice *choices,
                          size_t count, size_t iterations, dls_error *error)
{
    char history[DLS_NAME_MAX + 32], names[8 * DLS_NAME_MAX];
    dls_comparisons found;
    DLS_TRY(dls_compare(problem, choices, count, iterations, 0.0, &found, error));
    dls_status status = tables(job, stem, choices, count, &found, error);
    dls_comparisons_release(&found);
    snprintf(history, sizeof history, "%s.history", stem);
    dls_comparison_names(choices, count, names, sizeof names);
    return status == DLS_OK ? dls_comparison_plot(job, history, stem, stem, stem, names, error) : status;
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
    const char *names = argument(a, "solvers", NULL);
    dls_choice *choices = NULL;
    size_t count = 0;
    dls_error error;
    int status = EXIT_BAD_INPUT;
    dls_file_stem(file, stem, sizeof stem);
    if ((names ? dls_choices_create(names, &choices, &count, &error)
               : dls_choices_iterative(problem, &choices, &count, &error)) != DLS_OK)
        complain(&error);
    else if (set_solvers(a, choices, count)) {
        bool done = compare(job, stem, problem, choices, count, iterations, &error) == DLS_OK;
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
        note_scene(a->words[i], content.scene, false);
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
    {"solvers", 's', "A,B", "solvers, all-peers, or exec:COMMAND, separated by commas [every iterative one]"},
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
