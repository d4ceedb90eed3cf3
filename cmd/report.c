/* delassus report: everything on one page. */
#include "command.h"

#include <stdio.h>

static int run(const arguments *a)
{
    dls_job job = make_job(a, argument(a, "output", "report"));
    dls_error error;
    if (!argument_folder(a, "data"))
        return EXIT_BAD_INPUT;
    if (dls_report_all(&job, argument(a, "small", NULL) != NULL, &error) != DLS_OK)
        return complain(&error);
    end_progress();
    printf("report: %s/index.html\n", job.output);
    return EXIT_DONE;
}

static const option_spec options[] = {
    {"data", 0, "DIR", "folder of published problems; what needs it is left out without it"},
    {"output", 'o', "DIR", "folder of the report [report]"},
    {"small", 0, NULL, "short experiments and ten steps of each scene, to see within a minute what a report has"},
    {NULL, 0, NULL, NULL}};
const command command_report = {
    .name = "report",
    .usage = "[--small] [-o DIR]",
    .summary = "every experiment and a run of every scene, with index.html over tables and figures",
    .min_words = 0,
    .max_words = 0,
    .options = options,
    .run = run,
};
