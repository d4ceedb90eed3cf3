/* The report on paper: LaTeX sets report.tex, or a browser prints index.html. */
#include "host/child.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double patience = 300.0; /* [s], of one program */

/* Runs a program to its end. 0, or the number of an error at its start, ENOENT where it is not installed. said: its
 * standard output, which the caller frees; why[size]: how it failed, "" where it did not. */
static int run_program(char *const words[], dls_text *said, char *why, size_t size)
{
    dls_child child;
    const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int failed = input >= 0 && dls_child_pipes(&child) ? dls_child_spawn(&child, words, input) : errno;
    *said = (dls_text){.at = NULL};
    why[0] = '\0';
    if (failed && input >= 0)
        dls_child_close(&child);
    else if (!failed)
        dls_child_wait(&child, patience, said, why, size);
    if (input >= 0)
        close(input);
    return failed;
}

/* --- LaTeX --- */

/* The first of the programs that starts; NULL: none. */
static const char *find_latex(void)
{
    static const char *const programs[] = {"pdflatex", "lualatex"};
    char version[] = "--version", why[256];
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        char name[16];
        char *const words[] = {name, version, NULL};
        dls_text said;
        snprintf(name, sizeof name, "%s", programs[i]);
        const int failed = run_program(words, &said, why, sizeof why);
        free(said.at);
        if (!failed && !why[0])
            return programs[i];
    }
    return NULL;
}

/* The folder "report.latex" has the files of LaTeX until the PDF is whole; its log stays where it failed. The first run
 * finds the pages of the contents, the second sets them. */
static dls_status set_tex(const char *program, const char *folder, dls_error *error)
{
    static char commands[] =
        "cd -- \"$1\" && mkdir -p report.latex || exit 1\n"
        "set_it() { \"$@\" -no-shell-escape -interaction=nonstopmode -halt-on-error -file-line-error "
        "-output-directory=report.latex report.tex; }\n"
        "if set_it \"$0\" -draftmode && set_it \"$0\" && mv report.latex/report.pdf report.pdf\n"
        "then rm -r report.latex report.log 2>/dev/null; exit 0\n"
        "else mv report.latex/report.log report.log; rm -r report.latex; exit 1; fi";
    char shell[] = "sh", option[] = "-c", name[16], in[DLS_PATH_MAX], why[256], line[256];
    char *const words[] = {shell, option, commands, name, in, NULL};
    dls_text said;
    snprintf(name, sizeof name, "%s", program);
    snprintf(in, sizeof in, "%s", folder);
    const int failed = run_program(words, &said, why, sizeof why);
    const bool incomplete = said.at && strstr(said.at, "' not found");
    const char *complaint = said.at ? strstr(said.at, "report.tex:") : NULL; /* with its line's number */
    snprintf(line, sizeof line, "%.*s", complaint ? (int)strcspn(complaint, "\n") : (int)sizeof line,
             complaint ? complaint : "there is no line about it");
    free(said.at);
    if (failed)
        return dls_fail(error, DLS_IO, "%s cannot be started: %s", program, strerror(failed));
    if (why[0])
        return dls_fail(error, incomplete ? DLS_UNAVAILABLE : DLS_IO,
                        "%s did not set the report: %s (report.log has more)", program, line);
    return DLS_OK;
}

/* --- a browser --- */

/* The first browser that starts prints `page` into `file`. */
static dls_status print_page(const char *page, const char *file, dls_error *error)
{
    static const char *const browsers[] = {"chromium", "chromium-browser", "google-chrome", NULL};
    char program[32], from[2 * DLS_PATH_MAX + 8], to[2 * DLS_PATH_MAX + 32], why[256] = "";
    char headless[] = "--headless", gpu[] = "--disable-gpu", plain[] = "--no-pdf-header-footer", own[] = "--no-sandbox";
    char *const words[] = {program, headless, gpu, plain, to, from, geteuid() == 0 ? own : NULL, NULL};
    snprintf(from, sizeof from, "file://%s", page);
    snprintf(to, sizeof to, "--print-to-pdf=%s", file);
    int failed = ENOENT;
    for (size_t i = 0; browsers[i] && failed == ENOENT; i++) {
        dls_text said;
        snprintf(program, sizeof program, "%s", browsers[i]);
        failed = run_program(words, &said, why, sizeof why);
        free(said.at);
    }
    if (failed == ENOENT)
        return dls_fail(error, DLS_UNAVAILABLE,
                        "the report and report.tex are written, but nothing here makes a PDF of them; install "
                        "texlive-latex-recommended and texlive-pictures, or chromium");
    if (failed)
        return dls_fail(error, DLS_IO, "no browser can be started: %s", strerror(failed));
    return why[0] ? dls_fail(error, DLS_IO, "%s did not print the report: %s", program, why) : DLS_OK;
}

/* The browser makes the file itself, under another name until it is whole. */
static dls_status print_whole(const char *folder, dls_error *error)
{
    char page[2 * DLS_PATH_MAX], file[2 * DLS_PATH_MAX], made[2 * DLS_PATH_MAX];
    snprintf(page, sizeof page, "%s/index.html", folder);
    snprintf(file, sizeof file, "%s/report.pdf", folder);
    snprintf(made, sizeof made, "%s/.report.pdf.part", folder);
    dls_status status = strlen(made) < DLS_PATH_MAX
                            ? print_page(page, made, error)
                            : dls_fail(error, DLS_BAD_INPUT, "the path of the report is too long");
    if (status == DLS_OK && rename(made, file) != 0)
        status = dls_fail_about(error, DLS_NOT_WRITTEN, file, NULL, "cannot be written: %s", strerror(errno));
    if (status != DLS_OK)
        unlink(made);
    return status;
}

dls_status dls_report_print(const dls_job *job, dls_error *error)
{
    const char *program = find_latex();
    char *folder = realpath(job->output, NULL);
    if (!folder)
        return dls_fail_about(error, DLS_IO, job->output, NULL, "cannot be found: %s", strerror(errno));
    dls_status status = program ? set_tex(program, folder, error) : DLS_UNAVAILABLE;
    if (status == DLS_UNAVAILABLE)
        status = print_whole(folder, error);
    free(folder);
    return status;
}
