/* The report on paper: a browser prints its page. */
#include "child.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double patience = 300.0; /* [s] */

/* The first browser that starts prints `page` into `file`. */
static dls_status print_page(const char *page, const char *file, dls_error *error)
{
    static const char *const browsers[] = {"chromium", "chromium-browser", "google-chrome", NULL};
    char program[32], from[DLS_PATH_MAX + 8], to[DLS_PATH_MAX + 32], why[256] = "";
    char headless[] = "--headless", gpu[] = "--disable-gpu", plain[] = "--no-pdf-header-footer", own[] = "--no-sandbox";
    char *const words[] = {program, headless, gpu, plain, to, from, geteuid() == 0 ? own : NULL, NULL};
    snprintf(from, sizeof from, "file://%s", page);
    snprintf(to, sizeof to, "--print-to-pdf=%s", file);
    const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int failed = ENOENT;
    for (size_t i = 0; browsers[i] && failed == ENOENT; i++) {
        dls_child child;
        dls_text said = {.at = NULL};
        snprintf(program, sizeof program, "%s", browsers[i]);
        failed = input >= 0 && dls_child_pipes(&child) ? dls_child_spawn(&child, words, input) : errno;
        if (failed)
            dls_child_close(&child);
        else
            dls_child_wait(&child, patience, &said, why, sizeof why);
        free(said.at);
    }
    if (input >= 0)
        close(input);
    if (failed == ENOENT)
        return dls_fail(error, DLS_UNAVAILABLE,
                        "the report is written, but there is no browser that prints it; install chromium");
    if (failed)
        return dls_fail(error, DLS_IO, "no browser can be started: %s", strerror(failed));
    return why[0] ? dls_fail(error, DLS_IO, "%s did not print the report: %s", program, why) : DLS_OK;
}

/* The browser makes the file itself, under another name until it is whole. */
dls_status dls_report_print(const dls_job *job, dls_error *error)
{
    char page[DLS_PATH_MAX], file[DLS_PATH_MAX], made[2 * DLS_PATH_MAX], *folder;
    DLS_TRY(dls_job_path(job, "report", "pdf", file, error));
    folder = realpath(job->output, NULL);
    if (!folder)
        return dls_fail_at(error, DLS_IO, job->output, 0, 0, NULL, "cannot be found: %s", strerror(errno));
    const int length = snprintf(page, sizeof page, "%s/index.html", folder);
    snprintf(made, sizeof made, "%s/.report.pdf.part", folder);
    free(folder);
    dls_status status = length < DLS_PATH_MAX && strlen(made) < DLS_PATH_MAX
                            ? print_page(page, made, error)
                            : dls_fail(error, DLS_BAD_INPUT, "the path of the report is too long");
    if (status == DLS_OK && rename(made, file) != 0)
        status = dls_fail_at(error, DLS_IO, file, 0, 0, NULL, "cannot be written: %s", strerror(errno));
    if (status != DLS_OK)
        unlink(made);
    return status;
}
