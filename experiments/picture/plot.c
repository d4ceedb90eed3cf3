/* Figures: gnuplot runs a script of plots/ over a table, once for each format. */
#include "delassus/experiments.h"
#include "gnuplot.h"
#include "tex.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { NO_TERMINAL = 69 }; /* exit status of plots/style.gp if gnuplot was built without the terminal for a format */

const char *const dls_figure_formats[] = {"svg", "png", "pdf", "tikz", NULL};

dls_status dls_figure_formats_read(const char *names, unsigned *formats, dls_error *error)
{
    *formats = 0;
    for (const char *name = names; name; name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL) {
        const size_t length = strcspn(name, ",");
        size_t k = 0;
        while (dls_figure_formats[k] &&
               (strlen(dls_figure_formats[k]) != length || strncmp(dls_figure_formats[k], name, length) != 0))
            k++;
        if (k == DLS_FIGURE_FORMATS)
            return dls_fail(error, DLS_BAD_INPUT,
                            "'%.*s' is not a format of figures; use svg, png, pdf or tikz, separated by commas",
                            (int)length, name);
        *formats |= 1u << k;
    }
    return DLS_OK;
}

/* text as a gnuplot string: in single quotes, which are doubled inside. */
static void append_quoted(char *to, size_t size, const char *name, const char *text)
{
    size_t at = strlen(to);
    at += (size_t)snprintf(to + at, size - at, "%s='", name);
    for (; *text && at + 4 < size; text++) {
        if (*text == '\'')
            to[at++] = '\'';
        to[at++] = *text;
    }
    snprintf(to + at, size - at, "';");
}

/* The first line gnuplot wrote about its failure; it goes on after a warning. */
static void first_line(FILE *stream, char *line, size_t size)
{
    rewind(stream);
    line[0] = 0;
    while (fgets(line, (int)size, stream))
        if (line[strspn(line, " \t\r\n^")] && !strstr(line, "warning:")) {
            line[strcspn(line, "\r\n")] = 0;
            return;
        }
}

/* --- gnuplot's process --- */

/* The end of the text that a figure of each format has among its last bytes. */
static const struct {
    const char *text;
    size_t size;
} ends[DLS_FIGURE_FORMATS] = {[DLS_FIGURE_SVG] = {"</svg>", 6},
                              [DLS_FIGURE_PNG] = {"IEND\xae\x42\x60\x82", 8},
                              [DLS_FIGURE_PDF] = {"%%EOF", 5},
                              [DLS_FIGURE_TIKZ] = {"\\end{tikzpicture}", 17}};

/* Copies a pipe until its end, and closes it. Whether it ends as its format does. */
static bool copy_figure(int from, dls_figure_format format, FILE *to)
{
    enum { LAST = 64 };
    char bytes[1 << 16], last[LAST] = {0};
    ssize_t count;
    bool whole = false;
    while ((count = read(from, bytes, sizeof bytes)) > 0 || (count < 0 && errno == EINTR)) {
        const size_t n = count > 0 ? (size_t)count : 0, fresh = n < LAST ? n : LAST;
        fwrite(bytes, 1, n, to);
        memmove(last, last + fresh, LAST - fresh);
        memcpy(last + LAST - fresh, bytes + n - fresh, fresh);
    }
    close(from);
    for (size_t at = 0; at + ends[format].size <= LAST; at++)
        whole = whole || memcmp(last + at, ends[format].text, ends[format].size) == 0;
    return whole && count == 0;
}

/* Starts gnuplot; 0, or the number of an error. *from: the end of a pipe from which the figure is to be read. */
static int start_gnuplot(char *const *arguments, int input, int messages, pid_t *child, int *from)
{
    posix_spawn_file_actions_t actions;
    int ends_of[2], failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    if (pipe(ends_of) != 0) {
        failed = errno;
        posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    for (int k = 0; k < 2; k++)
        fcntl(ends_of[k], F_SETFD, FD_CLOEXEC);
    if (!(failed = input >= 0 ? posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) : 0) &&
        !(failed = posix_spawn_file_actions_adddup2(&actions, ends_of[1], STDOUT_FILENO)) &&
        !(failed = posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO)))
        failed = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends_of[1]);
    if (failed)
        close(ends_of[0]);
    *from = ends_of[0];
    return failed;
}

/* gnuplot ends with success even if it could not write: the figure comes through a pipe, and this process writes it. */
dls_status dls_gnuplot(const char *settings, const char *script, int input, dls_figure_format format, FILE *figure,
                       dls_error *error)
{
    char *const arguments[] = {"gnuplot", "-e", (char *)settings, (char *)script, NULL};
    FILE *messages = tmpfile();
    pid_t child;
    int how = 0, from = -1;
    char line[256];
    if (!messages)
        return dls_fail(error, DLS_IO, "no temporary file for gnuplot's messages: %s", strerror(errno));
    const int failed = start_gnuplot(arguments, input, fileno(messages), &child, &from);
    const bool whole = !failed && copy_figure(from, format, figure);
    while (!failed && waitpid(child, &how, 0) < 0 && errno == EINTR)
        continue;
    first_line(messages, line, sizeof line);
    fclose(messages);
    if (failed == ENOENT || failed == EACCES)
        return dls_fail(error, DLS_UNAVAILABLE,
                        "gnuplot could not be started (%s); install gnuplot (tables are written without it)",
                        strerror(failed));
    if (failed)
        return dls_fail(error, DLS_IO, "gnuplot could not be started: %s", strerror(failed));
    if (WIFSIGNALED(how))
        return dls_fail(error, DLS_IO, "gnuplot was ended by signal %d on %s", WTERMSIG(how), script);
    if (WIFEXITED(how) && WEXITSTATUS(how) == NO_TERMINAL)
        return dls_fail(error, DLS_UNAVAILABLE, "%s; choose other formats of figures, or install a gnuplot that has it",
                        line);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
        return dls_fail(error, DLS_IO, "gnuplot failed on %s: %s", script, line);
    if (!whole)
        return dls_fail(error, DLS_IO, "gnuplot ended before the figure of %s did%s%s; is there room for its files?",
                        script, line[0] ? ": " : "", line);
    return DLS_OK;
}

/* gnuplot's TikZ has the texts of the script as they are there: they are translated on their way into the file. */
static dls_status draw_tikz(const char *settings, const char *script, int input, FILE *to, dls_error *error)
{
    FILE *raw = tmpfile();
    if (!raw)
        return dls_fail(error, DLS_IO, "no temporary file for a figure: %s", strerror(errno));
    dls_status status = dls_gnuplot(settings, script, input, DLS_FIGURE_TIKZ, raw, error);
    if (status == DLS_OK && (fflush(raw) != 0 || ferror(raw)))
        status = dls_fail(error, DLS_IO, "a temporary file for a figure could not be written: %s", strerror(errno));
    rewind(raw);
    if (status == DLS_OK)
        status = dls_tex_figure(raw, to, error);
    fclose(raw);
    return status;
}

dls_status dls_figure_script(const dls_job *job, const char *script, int input, const char *table, const char *stem,
                             dls_figure_format format, const char *const *variables, dls_error *error)
{
    char settings[4096] = "", file[DLS_PATH_MAX], plots[DLS_PATH_MAX];
    dls_output output;
    DLS_TRY(dls_job_path(job, stem, dls_figure_formats[format], file, error));
    DLS_TRY(dls_output_open(&output, file, error));
    snprintf(plots, sizeof plots, "%s/plots", dls_data_folder());
    const char *const style[] = {"format", dls_figure_formats[format], "plots", plots, "table", table, "figure", "",
                                 NULL};
    for (size_t i = 0; style[i]; i += 2) /* that style.gp reads */
        append_quoted(settings, sizeof settings, style[i], style[i + 1]);
    for (size_t i = 0; variables && variables[i]; i += 2)
        append_quoted(settings, sizeof settings, variables[i], variables[i + 1]);
    dls_status status = format == DLS_FIGURE_TIKZ ? draw_tikz(settings, script, input, output.stream, error)
                                                  : dls_gnuplot(settings, script, input, format, output.stream, error);
    if (status == DLS_OK)
        return dls_output_commit(&output, error);
    dls_output_abandon(&output);
    return status;
}

dls_status dls_figure_caption(const dls_job *job, const char *table, const char *stem, const char *caption,
                              dls_error *error)
{
    char file[DLS_PATH_MAX];
    dls_output output;
    dls_build build = dls_build_facts();
    DLS_TRY(dls_job_path(job, stem, "caption.txt", file, error));
    DLS_TRY(dls_output_open(&output, file, error));
    const char *slash = strrchr(table, '/');
    fprintf(output.stream, "%s\n\nFrom %s, by delassus %s (%s), %s. Command: %s\n", caption, slash ? slash + 1 : table,
            build.version, build.commit, build.compiler, job->command);
    return dls_output_commit(&output, error);
}

dls_status dls_plot(const dls_job *job, const char *script, const char *table, const char *stem, const char *caption,
                    const char *const *variables, dls_error *error)
{
    const unsigned formats = job->figures ? job->figures : DLS_FIGURES_DEFAULT;
    char path[DLS_PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/plots/%s.gp", dls_data_folder(), script);
    for (dls_figure_format format = 0; format < DLS_FIGURE_FORMATS; format++)
        if (formats & 1u << format)
            DLS_TRY(dls_figure_script(job, path, -1, table, stem, format, variables, error));
    return dls_figure_caption(job, table, stem, caption, error);
}
