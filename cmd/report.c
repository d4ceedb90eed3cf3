/* delassus report: everything on one page. */
#include "json.h"

#include <stdio.h>
#include <unistd.h>

static bool print_json(const dls_job *job, const dls_report_plan *plan)
{
    char path[DLS_PATH_MAX];
    json_t *o = json_object();
    json_put(&o, "output", json_text(job->output));
    snprintf(path, sizeof path, "%s/index.html", job->output);
    json_put(&o, "page", json_text(path));
    snprintf(path, sizeof path, "%s/report.pdf", job->output);
    json_put(&o, "pdf", plan->pdf ? json_text(path) : json_null());
    return json_print(o);
}

static int run_report(const arguments *a)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    dls_job job = make_job(a, argument(a, "output", "report"));
    dls_report_plan plan = {.small = argument(a, "small", NULL) != NULL,
                            .pdf = argument(a, "pdf", NULL) != NULL,
                            .only = argument(a, "only", NULL),
                            .jobs = processors > 1 ? (size_t)processors : 1};
    dls_error error;
    if (!argument_folder(a, "data") || !argument_count(a, "jobs", 1, &plan.jobs) || !choose_figures(a, &job))
        return EXIT_BAD_INPUT;
    if (dls_report_all(&job, &plan, &error) != DLS_OK)
        return complain(&error);
    end_progress();
    if (argument(a, "json", NULL))
        return print_json(&job, &plan) ? EXIT_DONE : EXIT_BAD_INPUT;
    printf("report: %s/index.html\n", job.output);
    return EXIT_DONE;
}

static const option_spec options[] = {
    {"data", 0, "DIR", "folder of published problems; without it, parts that need them are left out"},
    FIGURES_OPTION,
    {"jobs", 'j', "N", "number of parallel processes [the number of processors]"},
    {"only", 0, "NAMES", "experiments and scenes, separated by commas; 'experiments', 'scenes': all of them"},
    {"output", 'o', "DIR", "folder of the report [report]"},
    JSON_OPTION,
    {"pdf", 0, NULL, "also write report.tex, and report.pdf by LaTeX, or by Chromium where LaTeX is not installed"},
    {"small", 0, NULL, "short experiments and ten steps of each scene: a trial report within a minute"},
    {NULL, 0, NULL, NULL}};
const command command_report = {
    .name = "report",
    .usage = "[--only NAMES] [--small] [--pdf] [-j N] [-o DIR]",
    .summary = "experiments and runs of scenes, with index.html over their figures and tables",
    .details = "An interrupted report keeps the parts that were finished, and its page shows them.",
    .min_words = 0,
    .max_words = 0,
    .options = options,
    .run = run_report,
};
