/* delassus determinism: an engine that runs twice, with its bodies in another order, and after a reset: the first step
 * and the first row that differ. */
#include "difference.h"
#include "dumps.h"
#include "json.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The runs, each compared with the first one. */
static const struct {
    const char *folder, *order, *reset;
    const char *option; /* that asks for it; NULL: always */
    const char *means;
} runs[] = {{"first", "given", "0", NULL, ""},
            {"second", "given", "0", NULL, "a second run"},
            {"reversed", "reversed", "0", "permuted", "with its bodies in reversed order"},
            {"reset", "given", "1", "reset", "after a reset"}};
enum { RUNS = sizeof runs / sizeof runs[0] };

typedef struct task {
    const arguments *arguments;
    const char *folder;
    bool compared[RUNS];
    difference differences[RUNS];
} task;

/* --- running the command --- */

static dls_status fail_occupied(const char *folder, dls_error *error)
{
    return dls_fail_about(error, DLS_BAD_INPUT, folder, NULL,
                          "holds steps of an earlier run; remove it, or give another folder by -o");
}

/* Steps of an earlier run, and its file `reset`, must not be mistaken for those of this one. */
static dls_status check_empty(const char *folder, dls_error *error)
{
    static const char *const suffixes[] = {DUMPS_PROBLEM, DUMPS_IMPULSES, ".tsv"};
    char mark[DLS_PATH_MAX];
    for (size_t k = 0; k < sizeof suffixes / sizeof suffixes[0]; k++) {
        dumps there = {.names = NULL};
        dls_status status = dumps_find(folder, suffixes[k], &there, error);
        if (status == DLS_OK && there.count > 0)
            status = fail_occupied(folder, error);
        dumps_release(&there);
        DLS_TRY(status);
    }
    DLS_TRY(dumps_path(folder, "reset", "", mark, error));
    return access(mark, F_OK) == 0 ? fail_occupied(folder, error) : DLS_OK;
}

static dls_status wait_for(const char *program, pid_t child, dls_error *error)
{
    int how = 0;
    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            return dls_fail_about(error, DLS_IO, program, NULL, "cannot be waited for: %s", strerror(errno));
    if (WIFSIGNALED(how))
        return dls_fail_about(error, DLS_BAD_INPUT, program, NULL, "was ended by signal %d (%s)", WTERMSIG(how),
                              strsignal(WTERMSIG(how)));
    return WEXITSTATUS(how) == 0
               ? DLS_OK
               : dls_fail_about(error, DLS_BAD_INPUT, program, NULL, "has ended with status %d", WEXITSTATUS(how));
}

/* Its standard output goes to our standard error, since ours is the answer. */
static dls_status spawn(const char *const *words, size_t count, pid_t *child, dls_error *error)
{
    posix_spawn_file_actions_t actions;
    char **copy = calloc(count + 1, sizeof *copy);
    int failed = copy ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    for (size_t i = 0; !failed && i < count; i++)
        failed = (copy[i] = strdup(words[i])) ? 0 : ENOMEM;
    if (copy && !failed) {
        failed = posix_spawn_file_actions_adddup2(&actions, 2, 1);
        if (!failed)
            failed = posix_spawnp(child, copy[0], &actions, NULL, copy, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    for (size_t i = 0; copy && i < count; i++)
        free(copy[i]);
    free(copy);
    return failed ? dls_fail_about(error, failed == ENOMEM ? DLS_NO_MEMORY : DLS_BAD_INPUT, words[0], NULL,
                                   "cannot be started: %s", strerror(failed))
                  : DLS_OK;
}

static dls_status run_command(const task *t, size_t k, dls_error *error)
{
    char folder[DLS_PATH_MAX], *full;
    pid_t child;
    DLS_TRY(dumps_path(t->folder, runs[k].folder, "", folder, error));
    DLS_TRY(dls_folder_create(folder, error));
    DLS_TRY(check_empty(folder, error));
    full = realpath(folder, NULL);
    const bool set = full && setenv("DELASSUS_DUMP", full, 1) == 0 && setenv("DELASSUS_ORDER", runs[k].order, 1) == 0 &&
                     setenv("DELASSUS_RESET", runs[k].reset, 1) == 0;
    free(full);
    if (!set)
        return dls_fail_about(error, DLS_IO, folder, NULL, "cannot be passed to the command: %s", strerror(errno));
    DLS_TRY(spawn(t->arguments->words, t->arguments->n_words, &child, error));
    return wait_for(t->arguments->words[0], child, error);
}

/* --- comparing --- */

/* A command that ignores a variable would be found equal to itself. */
static dls_status check_honoured(const char *folder, size_t k, const difference *d, dls_error *error)
{
    char mark[DLS_PATH_MAX];
    if (strcmp(runs[k].order, "reversed") == 0 && !d->permuted)
        return dls_fail_about(error, DLS_BAD_INPUT, folder, NULL,
                              "every problem is that of the first run to the byte: the command makes no use of "
                              "DELASSUS_ORDER=reversed, or its scene has one body; leave out --permuted");
    if (strcmp(runs[k].reset, "1") != 0)
        return DLS_OK;
    DLS_TRY(dumps_path(folder, "reset", "", mark, error));
    return access(mark, F_OK) == 0 ? DLS_OK
                                   : dls_fail_about(error, DLS_BAD_INPUT, folder, NULL,
                                                    "has no file 'reset': the command makes no use of DELASSUS_RESET=1 "
                                                    "(dls_dump_restart writes that file); leave out --reset");
}

static dls_status compare_run(task *t, size_t k, dls_error *error)
{
    char first[DLS_PATH_MAX], folder[DLS_PATH_MAX];
    DLS_TRY(dumps_path(t->folder, runs[0].folder, "", first, error));
    DLS_TRY(dumps_path(t->folder, runs[k].folder, "", folder, error));
    DLS_TRY(run_command(t, k, error));
    DLS_TRY(difference_find(first, folder, strcmp(runs[k].order, "given") != 0, &t->differences[k], error));
    t->compared[k] = true;
    return check_honoured(folder, k, &t->differences[k], error);
}

static dls_status work(task *t, dls_error *error)
{
    DLS_TRY(run_command(t, 0, error));
    for (size_t k = 1; k < RUNS; k++)
        if (!runs[k].option || argument(t->arguments, runs[k].option, NULL))
            DLS_TRY(compare_run(t, k, error));
    return DLS_OK;
}

/* --- the answer --- */

static void print_difference(const difference *d, const char *means)
{
    if (!d->found) {
        printf("%s: the same, bit by bit, in %zu steps of %zu rows in all\n", means, d->steps, d->rows);
        return;
    }
    printf("%s: the first difference is in %s%s%s, %s", means, d->step, *d->row ? ", " : "", d->row, d->what);
    if (!isnan(d->value[0]) && !isnan(d->value[1]))
        printf(": %.17g and %.17g", d->value[0], d->value[1]);
    printf("\n");
}

static bool print_json(const task *t)
{
    json_t *o = json_object(), *compared = json_array();
    for (size_t k = 1; k < RUNS; k++) {
        if (!t->compared[k])
            continue;
        const difference *d = &t->differences[k];
        json_t *one = json_object();
        json_put(&one, "run", json_text(runs[k].folder));
        json_put(&one, "same", json_boolean(!d->found));
        json_put(&one, "steps", json_count(d->steps));
        json_put(&one, "rows", json_count(d->rows));
        json_put(&one, "step", d->found ? json_text(d->step) : json_null());
        json_put(&one, "row", d->found ? json_text(d->row) : json_null());
        json_put(&one, "quantity", d->found ? json_text(d->what) : json_null());
        json_put(&one, "first_value", d->found ? json_number(d->value[0]) : json_null());
        json_put(&one, "other_value", d->found ? json_number(d->value[1]) : json_null());
        json_add(&compared, one);
    }
    json_put(&o, "folder", json_text(t->folder));
    json_put(&o, "runs", compared);
    return json_print(o);
}

static int print_answer(const task *t)
{
    const bool text = !argument(t->arguments, "json", NULL);
    bool same = true;
    for (size_t k = 1; k < RUNS; k++) {
        if (t->compared[k] && text)
            print_difference(&t->differences[k], runs[k].means);
        same = same && !t->differences[k].found;
    }
    if (!text && !print_json(t))
        return EXIT_BAD_INPUT;
    return same ? EXIT_DONE : EXIT_UNSOLVED;
}

static int run_determinism(const arguments *a)
{
    task t = {.arguments = a, .folder = argument(a, "output", "determinism")};
    dls_error error;
    return work(&t, &error) == DLS_OK ? print_answer(&t) : complain(&error);
}

static const option_spec options[] = {{"permuted", 0, NULL, "once more with DELASSUS_ORDER=reversed"},
                                      {"reset", 0, NULL, "once more with DELASSUS_RESET=1"},
                                      JSON_OPTION,
                                      {"output", 'o', "DIR", "folder of the dumped steps of each run [determinism]"},
                                      {NULL, 0, NULL, NULL}};
const command command_determinism = {
    .name = "determinism",
    .usage = "[--permuted] [--reset] [-o DIR] -- COMMAND [ARGUMENT]...",
    .summary = "run an engine twice, and name the first step and row that differ",
    .details = "COMMAND steps a scene, and writes each step to the folder that the variable DELASSUS_DUMP names: "
               "NAME.problem and NAME.impulses\n(examples/dump/delassus_dump.h), or tables NAME.tsv of its states. "
               "With --permuted it runs once more with DELASSUS_ORDER=reversed, and is\nto add its bodies in reversed "
               "order; rows are compared by their labels, bodies by their rows. With --reset it runs once more with "
               "DELASSUS_RESET=1, and\n"
               "is to step the scene, reset the engine, and step it again; the second pass is compared, and the file "
               "'reset' tells that there was one.\n"
               "Exit status 0: the same, bit by bit; 1: they differ; 2: the command failed, or wrote nothing.",
    .min_words = 1,
    .max_words = 1000,
    .options = options,
    .run = run_determinism,
};
