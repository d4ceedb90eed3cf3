/* The parts that subcommands share: option values, complaints, settings, the progress line. */
#include "command.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *argument(const arguments *a, const char *name, const char *fallback)
{
    for (size_t i = a->n_options; i-- > 0;)
        if (strcmp(a->options[i].name, name) == 0)
            return a->options[i].value;
    return fallback;
}

bool argument_count(const arguments *a, const char *name, size_t low, size_t *value)
{
    const char *text = argument(a, name, NULL);
    char *end;
    if (!text)
        return true;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || number < low) {
        complain_text("--%s: '%s' is not a whole number from %zu up", name, text, low);
        return false;
    }
    *value = (size_t)number;
    return true;
}

bool argument_real(const arguments *a, const char *name, const char *unit, double *value)
{
    const char *text = argument(a, name, NULL), *end;
    dls_error error;
    if (!text)
        return true;
    if (dls_parse_real(text, unit, value, &end, &error) != DLS_OK) {
        complain_text("--%s: %s", name, error.message);
        return false;
    }
    if (*end || !(*value > 0.0) || isinf(*value)) {
        complain_text("--%s: '%s' is not a positive number%s%s", name, text, *unit ? " in " : "", unit);
        return false;
    }
    return true;
}

bool argument_folder(const arguments *a, const char *name)
{
    const char *path = argument(a, name, NULL);
    struct stat facts;
    errno = 0;
    if (!path || (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)))
        return true;
    complain_text("--%s: %s: %s", name, path, strerror(errno ? errno : ENOTDIR));
    return false;
}

static int complained = EXIT_BAD_INPUT; /* the exit status of the last error */

static int exit_status_of(dls_status status)
{
    switch (status) {
    case DLS_NO_MEMORY:
        return EXIT_NO_MEMORY;
    case DLS_NOT_WRITTEN:
        return EXIT_NOT_WRITTEN;
    case DLS_UNSOLVED:
        return EXIT_UNSOLVED;
    case DLS_UNSOLVABLE:
        return EXIT_NO_SOLUTION;
    default:
        return EXIT_BAD_INPUT;
    }
}

int complain(const dls_error *error)
{
    complained = exit_status_of(error->status);
    char text[DLS_PATH_MAX + DLS_NAME_MAX + DLS_MESSAGE_MAX + 64];
    dls_error_format(error, text, sizeof text);
    return complain_text("%s", text);
}

int complain_no_memory(void)
{
    dls_error error;
    (void)dls_fail(&error, DLS_NO_MEMORY, "out of memory");
    return complain(&error);
}

int exit_status(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status == EXIT_BAD_INPUT ? complained : status;
    if (errno == 0 && putchar('\n') != EOF) /* an earlier write failed: one more says why */
        (void)fflush(stdout);
    complain_text("standard output cannot be written: %s", errno ? strerror(errno) : "a write failed");
    return EXIT_NOT_WRITTEN;
}

/* Always one line: control characters of words and file names, which a terminal might obey, become '?'. */
int complain_text(const char *format, ...)
{
    char text[4 * DLS_PATH_MAX];
    va_list list;
    end_progress();
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (char *c = text; *c; c++)
        *c = (char)((unsigned char)*c < 32 || *c == 127 ? '?' : *c);
    fprintf(stderr, "delassus: %s\n", text);
    return EXIT_BAD_INPUT;
}

/* "N times", and nothing about what is there once. */
static const char *times_text(size_t count, char *text, size_t room)
{
    *text = '\0';
    if (count > 1)
        snprintf(text, room, "%zu times", count);
    return text;
}

static void note_dropped(const dls_scene *scene)
{
    for (size_t i = 0; scene && i < scene->n_dropped; i++) {
        const dls_dropped *d = &scene->dropped[i];
        char times[40];
        complain_text("%s:%ld: %s: %s (left out of the %s%s%s)", d->file, d->place.line, d->key, d->text,
                      dls_aspect_names[d->aspect], d->count > 1 ? ", " : "", times_text(d->count, times, sizeof times));
    }
}

int complain_of_scene(const dls_scene *scene, const dls_error *error)
{
    note_dropped(scene);
    return complain(error);
}

void note_scene(const char *path, const dls_scene *scene, bool shapes_ignored, bool changes_ignored)
{
    if (!scene)
        return;
    for (size_t i = 0; i < scene->n_notes; i++) {
        const dls_note *note = &scene->notes[i];
        char times[40];
        complain_text("%s:%ld: %s: %s%s%s%s", note->file, note->place.line, note->key, note->text,
                      note->count > 1 ? " (" : "", times_text(note->count, times, sizeof times),
                      note->count > 1 ? ")" : "");
    }
    note_dropped(scene);
    if (shapes_ignored && scene->shapes_passed_over > 0)
        complain_text("%s: %zu <visual> and <collision> elements were ignored: nothing has a use for them here", path,
                      scene->shapes_passed_over);
    if (changes_ignored && scene->n_changes > 0)
        complain_text("%s:%ld: changes: ignored here, where the scene is as it starts; run carries them out", path,
                      scene->changes[0].place.line);
}

void note_film(const dls_film *film)
{
    const dls_error *problem;
    for (size_t k = 0; (problem = dls_film_problem(film, k)); k++) {
        char text[DLS_PATH_MAX + DLS_NAME_MAX + DLS_MESSAGE_MAX + 64];
        dls_error_format(problem, text, sizeof text);
        complain_text("%s (not drawn)", text);
    }
}

void name_formats(void)
{
    printf("\nThe format of a file is recognised from its content, or named; 'delassus list formats' has them.\n");
}

bool split_setting(const char *text, char *key, size_t size, const char **value)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || (size_t)(equals - text) >= size) {
        complain_text("--set: '%s' is not KEY=VALUE", text);
        return false;
    }
    snprintf(key, size, "%.*s", (int)(equals - text), text);
    *value = equals + 1;
    return true;
}

static bool names_solvers(const option_value *o)
{
    return strcmp(o->name, "solver") == 0 || strcmp(o->name, "solvers") == 0;
}

bool solvers_named(const arguments *a)
{
    for (size_t i = 0; i < a->n_options; i++)
        if (names_solvers(&a->options[i]))
            return true;
    return false;
}

dls_status add_named_solvers(const arguments *a, dls_choice **choices, size_t *count, dls_error *error)
{
    for (size_t i = 0; i < a->n_options; i++)
        if (names_solvers(&a->options[i]))
            DLS_TRY(dls_choices_add(a->options[i].value, choices, count, error));
    return DLS_OK;
}

static const char *option_name_at(const void *context, size_t i)
{
    const command *c = context;
    return c->options[i].name;
}

const char *nearest_option(const command *c, const char *name) { return dls_nearest_word(name, option_name_at, c); }

bool means_option(const arguments *a, const dls_choice *choices, size_t count, const char *key)
{
    const char *option = !a->command || strchr(key, '.') || dls_choices_nearest_key(choices, count, key)
                             ? NULL
                             : nearest_option(a->command, key);
    char named[DLS_NAME_MAX];
    snprintf(named, sizeof named, "--%s", option ? option : "");
    if (option)
        complain_text("--set %s: no solver in use has this key%s", key, dls_hint_of(named, NULL).text);
    return option;
}

bool set_solvers(const arguments *a, dls_choice *choices, size_t count)
{
    char key[DLS_NAME_MAX];
    const char *value;
    dls_error error;
    for (size_t i = 0; i < a->n_options; i++) {
        if (strcmp(a->options[i].name, "set") != 0)
            continue;
        if (!split_setting(a->options[i].value, key, sizeof key, &value))
            return false;
        if (means_option(a, choices, count, key))
            return false;
        if (dls_choices_set(choices, count, key, value, &error) != DLS_OK) {
            complain(&error);
            return false;
        }
    }
    return true;
}

void row_name(const dls_problem *p, size_t i, char *text, size_t size)
{
    const char *owner = dls_problem_owner(p, i);
    snprintf(text, size, "%s%s%s", owner, *owner ? "." : "", dls_problem_label(p, i));
}

void print_solver_name(const char *name)
{
    if (strlen(name) > SOLVER_COLUMN)
        printf("%s\n%*s", name, SOLVER_COLUMN, "");
    else
        printf("%-*s", SOLVER_COLUMN, name);
}

/* --- progress: a line on a terminal once a command has worked for a second --- */

static bool progress_shown;

double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void show_progress(void *context, const char *what, double share)
{
    static double start, last;
    double now = wall_clock();
    (void)context;
    if (start == 0.0)
        start = now;
    if (now - start < 1.0 || now - last < 0.1)
        return;
    last = now;
    progress_shown = true;
    fprintf(stderr, "\r\033[K%5.1f %%  %s", 100.0 * share, what);
}

void end_progress(void)
{
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = false;
}

dls_job make_job(const arguments *a, const char *output)
{
    return (dls_job){.output = output,
                     .command = a->line,
                     .data = argument(a, "data", NULL),
                     .progress = isatty(STDERR_FILENO) ? show_progress : NULL};
}

bool choose_figures(const arguments *a, dls_job *job)
{
    const char *names = argument(a, "figures", NULL);
    dls_error error;
    if (!names || dls_figure_formats_read(names, &job->figures, &error) == DLS_OK)
        return true;
    complain_text("--figures: %s", error.message);
    return false;
}

void print_figure_names(const dls_job *job, const char *stem)
{
    const unsigned formats = job->figures ? job->figures : DLS_FIGURES_DEFAULT;
    bool first = true;
    printf("figure %s/%s", job->output, stem);
    for (size_t k = 0; k < DLS_FIGURE_FORMATS; k++)
        if (formats & 1u << k) {
            printf("%s.%s", first ? "" : ", ", dls_figure_formats[k]);
            first = false;
        }
    printf("\n");
}

bool set_scene(const arguments *a, dls_scene *scene)
{
    char key[DLS_PATH_MAX];
    const char *value;
    dls_error error;
    if (ignore_aspects(a, scene, &error) != DLS_OK) {
        complain(&error);
        return false;
    }
    for (size_t i = 0; i < a->n_options; i++) {
        if (strcmp(a->options[i].name, "set") != 0 || !dls_scene_has_key(a->options[i].value))
            continue;
        if (!split_setting(a->options[i].value, key, sizeof key, &value))
            return false;
        if (dls_scene_set(scene, key, value, &error) != DLS_OK) {
            complain_text("--set %s: %s", key, error.message);
            return false;
        }
    }
    return true;
}

dls_status ignore_aspects(const arguments *a, dls_scene *scene, dls_error *error)
{
    const char *names = argument(a, "ignore", NULL);
    unsigned aspects;
    if (!names || !scene)
        return DLS_OK;
    const dls_status status = dls_aspects_read(names, &aspects, error);
    if (status != DLS_OK)
        return dls_fail_place(error, status, NULL, 0, 0, "--ignore");
    dls_scene_ignore(scene, aspects);
    return DLS_OK;
}

dls_status load_problem(const arguments *a, const char *file, dls_content *content, dls_error *error)
{
    DLS_TRY(dls_file_load(file, argument(a, "format", NULL), content, error));
    dls_status status = ignore_aspects(a, content->scene, error);
    if (status == DLS_OK)
        status = dls_content_problem(content, error);
    if (status == DLS_OK)
        return DLS_OK;
    note_dropped(content->scene);
    dls_content_release(content);
    return status;
}

dls_status read_vector(const arguments *a, const char *file, const char *column, size_t wanted, const char *of,
                       double **values, dls_error *error)
{
    const dls_vector_query query = {argument(a, "column", column), argument(a, "where", NULL), false};
    size_t count;
    DLS_TRY(dls_vector_read(file, &query, &count, values, error));
    if (count == wanted)
        return DLS_OK;
    free(*values);
    *values = NULL;
    return dls_fail_about(
        error, DLS_BAD_INPUT, file, NULL, "holds %zu numbers; the problem has %zu %s%s", count, wanted, of,
        count > wanted && !query.where ? "; choose some of a table's rows by --where COLUMN=VALUE" : "");
}
