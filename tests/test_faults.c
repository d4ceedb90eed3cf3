/* Calls to the system that fail, each one once: a file is there in full or as it was, nothing is left beside it, and
 * the error says what the system said. */
#include "delassus/experiments.h"
#include "delassus/table.h"

#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- calls that fail on demand --- */

static const char *failing;      /* the call's name; NULL: none fails */
static size_t calls, failing_at; /* of that name, counted from 1 */
static int with;

static bool fails(const char *name)
{
    if (!failing || strcmp(name, failing) != 0 || ++calls != failing_at)
        return false;
    errno = with;
    return true;
}

/* The linker sends the program's calls here (--wrap, in local.mk). */
#define WRAP(type, name, parameters, arguments, failed) \
    type __real_##name parameters;                      \
    type __wrap_##name parameters;                      \
    type __wrap_##name parameters { return fails(#name) ? (failed) : __real_##name arguments; }

WRAP(FILE *, fdopen, (int file, const char *mode), (file, mode), NULL)
WRAP(int, fflush, (FILE * stream), (stream), EOF)
WRAP(int, fsync, (int file), (file), -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), -1)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
WRAP(FILE *, tmpfile, (void), (), NULL)
WRAP(int, mkstemp, (char *path), (path), -1)
WRAP(int, pipe, (int *ends), (ends), -1)
WRAP(int, fseek, (FILE * stream, long offset, int from), (stream, offset, from), -1)
/* These return what failed, and leave errno as it was. */
#define WRAP_RETURN(name, parameters, arguments) WRAP(int, name, parameters, arguments, (errno = 0, with))
WRAP_RETURN(posix_spawn_file_actions_init, (posix_spawn_file_actions_t * actions), (actions))
WRAP_RETURN(posix_spawn_file_actions_adddup2, (posix_spawn_file_actions_t * actions, int from, int to),
            (actions, from, to))
WRAP_RETURN(posix_spawnattr_init, (posix_spawnattr_t * attributes), (attributes))
WRAP_RETURN(posix_spawnattr_setflags, (posix_spawnattr_t * attributes, short flags), (attributes, flags))
WRAP_RETURN(posix_spawnattr_setpgroup, (posix_spawnattr_t * attributes, pid_t group), (attributes, group))
WRAP_RETURN(posix_spawnattr_setsigmask, (posix_spawnattr_t * attributes, const sigset_t *mask), (attributes, mask))
WRAP_RETURN(posix_spawnp,
            (pid_t * process, const char *path, const posix_spawn_file_actions_t *actions,
             const posix_spawnattr_t *attributes, char *const *arguments, char *const *variables),
            (process, path, actions, attributes, arguments, variables))

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = va_arg(arguments, int);
    va_end(arguments);
    return fails("open") ? -1 : __real_open(path, flags, mode);
}

/* A stream whose last bytes do not reach the disk is closed nevertheless. */
int __real_fclose(FILE *stream);
int __wrap_fclose(FILE *stream);
int __wrap_fclose(FILE *stream)
{
    int closed = __real_fclose(stream);
    return fails("fclose") ? EOF : closed;
}

/* --- what may be left --- */

static char folder[] = "test_faults.XXXXXX";

static size_t files_in(const char *path)
{
    size_t count = 0;
    DIR *stream = opendir(path);
    while (stream && readdir(stream))
        count++;
    if (stream)
        closedir(stream);
    return count;
}

static void path_of(char *path, const char *name) { snprintf(path, DLS_PATH_MAX, "%s/%s", folder, name); }

static void read_file(const char *name, char *text, size_t size)
{
    char path[DLS_PATH_MAX];
    path_of(path, name);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    text[fread(text, 1, size - 1, stream)] = '\0';
    fclose(stream);
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    char path[DLS_PATH_MAX];
    path_of(path, name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
    assert_int_equal(chmod(path, mode), 0);
}

/* --- outputs --- */

static dls_status write_table(dls_error *error)
{
    char path[DLS_PATH_MAX];
    dls_table *table;
    path_of(path, "deep/table.tsv");
    DLS_TRY(dls_table_create(path, &table, error));
    dls_table_columns(table, "x");
    dls_table_row(table, "%g", 7.0);
    return dls_table_commit(table, error);
}

static dls_status make_folders(dls_error *error)
{
    char path[DLS_PATH_MAX];
    path_of(path, "one/two");
    dls_status status = dls_folder_create(path, error);
    rmdir(path);
    path_of(path, "one");
    rmdir(path);
    return status;
}

static dls_status plot(dls_error *error)
{
    static const char *const variables[] = {"name", "the body's", NULL};
    const dls_job job = {.output = folder, .command = "delassus test"};
    return dls_plot(&job, "script", "table.tsv", "figure", "A caption.", variables, error);
}

static dls_status plot_tikz(dls_error *error)
{
    static const char *const variables[] = {NULL};
    const dls_job job = {.output = folder, .command = "delassus test", .figures = 1u << DLS_FIGURE_TIKZ};
    return dls_plot(&job, "script", "table.tsv", "figure", "A caption.", variables, error);
}

typedef struct fault {
    const char *call;
    int number;
    dls_status status;
    const char *said;
} fault;

static void fail_each(dls_status (*run)(dls_error *), const fault *faults, size_t count, const char *kept)
{
    char text[1024];
    size_t before_open = files_in("/proc/self/fd");
    for (size_t k = 0; k < count; k++) {
        const fault *f = &faults[k];
        for (size_t at = 1, reached = at; reached == at; at++) {
            dls_error error = {0};
            char *folder_of_kept;
            if (kept) {
                write_file(kept, "as it was", 0644);
                snprintf(text, sizeof text, "%s/%s", folder, kept);
                if ((folder_of_kept = strrchr(text, '/')))
                    *folder_of_kept = '\0';
            }
            size_t files = kept ? files_in(text) : 0;
            failing = f->call, failing_at = at, calls = 0, with = f->number;
            dls_status status = run(&error);
            failing = NULL;
            reached = calls < at ? 0 : at;
            assert_int_equal(files_in("/proc/self/fd"), before_open);
            assert_true(at > 1 || reached); /* the call is made */
            if (!reached) {
                assert_int_equal(status, DLS_OK);
                continue;
            }
            if (status != f->status || !strstr(error.message, f->said))
                fail_msg("%s, call %zu: status '%s', message '%s'", f->call, at, dls_status_text(status),
                         error.message);
            assert_int_equal(error.line, 0); /* the fault is not in a line of a file */
            assert_int_equal(error.column, 0);
            if (kept) {
                assert_int_equal(files_in(text), files);
                read_file(kept, text, sizeof text);
                assert_string_equal(text, "as it was");
            }
        }
    }
}

TEST(test_every_call_of_an_output)
{
    static const fault outputs[] = {
        {"open", EACCES, DLS_NOT_WRITTEN, "cannot write"},
        {"open", EMFILE, DLS_NOT_WRITTEN, "cannot write"},
        {"fdopen", ENOMEM, DLS_NO_MEMORY, "no memory"},
        {"fflush", ENOSPC, DLS_NOT_WRITTEN, "nothing was changed"},
        {"fsync", EIO, DLS_NOT_WRITTEN, "nothing was changed"},
        {"fclose", ENOSPC, DLS_NOT_WRITTEN, "nothing was changed"},
        {"rename", EXDEV, DLS_NOT_WRITTEN, "nothing was changed"},
        {"mkdir", ENOSPC, DLS_NOT_WRITTEN, "cannot make the folder"},
        {"mkdir", EACCES, DLS_NOT_WRITTEN, "cannot make the folder"},
    };
    static const fault folders[] = {{"mkdir", ENOSPC, DLS_NOT_WRITTEN, "cannot make the folder"},
                                    {"mkdir", EROFS, DLS_NOT_WRITTEN, "cannot make the folder"}};
    dls_error error;
    assert_status(write_table(&error), &error);
    fail_each(write_table, outputs, sizeof outputs / sizeof outputs[0], "deep/table.tsv");
    /* a folder that a read-only file system has already is no error: only the one that is missing */
    fail_each(make_folders, folders, 1, NULL);
    failing = "mkdir", calls = 0, with = EROFS;
    for (failing_at = 1; failing_at <= 3; failing_at++) {
        calls = 0;
        dls_status status = make_folders(&error);
        assert_int_equal(status, failing_at == 1 ? DLS_OK : DLS_NOT_WRITTEN);
    }
    failing = NULL;
}

/* Folders and files are open to all whom the user's mask admits; names may have DLS_PATH_MAX - 1 bytes. */
TEST(test_folders_and_names)
{
    char path[DLS_PATH_MAX + 1], limit[32];
    struct stat facts;
    dls_output output;
    dls_error error;
    mode_t mask = umask(0);
    path_of(path, "open");
    errno = 0;
    assert_status(dls_folder_create(path, &error), &error);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0777);
    assert_int_equal(rmdir(path), 0);
    snprintf(path, sizeof path, "%s.file", folder); /* in the folder of the process */
    assert_status(dls_output_open(&output, path, &error), &error);
    assert_status(dls_output_commit(&output, &error), &error);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0666);
    assert_int_equal(unlink(path), 0);
    umask(mask);
    snprintf(limit, sizeof limit, " %d bytes", DLS_PATH_MAX - 1);
    for (size_t length = DLS_PATH_MAX - 1; length <= DLS_PATH_MAX; length++) {
        memset(path, '/', length);
        path[length] = '\0';
        dls_status made = dls_folder_create(path, &error);
        assert_int_equal(made, length < DLS_PATH_MAX ? DLS_OK : DLS_BAD_ARGUMENT);
        assert_true(made == DLS_OK || (strstr(error.message, limit) && error.line == 0 && error.column == 0));
        dls_status opened = dls_output_open(&output, path, &error);
        /* the first is a folder */
        assert_int_equal(opened, length < DLS_PATH_MAX ? DLS_NOT_WRITTEN : DLS_BAD_ARGUMENT);
        assert_true(opened == DLS_NOT_WRITTEN ||
                    (strstr(error.message, limit) && error.line == 0 && error.column == 0));
    }
    assert_int_equal(dls_output_open(&output, "", &error), DLS_BAD_ARGUMENT);
}

/* A handler of signals removes the first DLS_OUTPUTS_LISTED unfinished files and keeps errno; places are free again
 * after the end of an output, and a finished one is left alone. */
TEST(test_unfinished_outputs)
{
    enum { MORE = 2, COUNT = DLS_OUTPUTS_LISTED + MORE };
    static dls_output outputs[COUNT];
    char path[DLS_PATH_MAX];
    dls_error error;
    size_t before = files_in(folder);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < COUNT; k++) {
            snprintf(path, sizeof path, "%s/output%d", folder, k);
            assert_status(dls_output_open(&outputs[k], path, &error), &error);
        }
        assert_int_equal(files_in(folder), before + COUNT);
        assert_int_equal(unlink(outputs[0].temporary), 0); /* one that somebody else has removed */
        errno = 2385;
        dls_outputs_remove_unfinished();
        assert_int_equal(errno, 2385);
        assert_int_equal(files_in(folder), before + MORE);
        for (int k = 0; k < COUNT; k++) {
            dls_status status = dls_output_commit(&outputs[k], &error);
            assert_int_equal(status, k < DLS_OUTPUTS_LISTED ? DLS_NOT_WRITTEN : DLS_OK);
            snprintf(path, sizeof path, "%s/output%d", folder, k);
            assert_int_equal(unlink(path) == 0, status == DLS_OK);
        }
    }
    static const char *const calls_of_settle[] = {"fflush", "fsync", "fclose", "rename"};
    path_of(path, "finished");
    for (size_t k = 0; k < sizeof calls_of_settle / sizeof calls_of_settle[0]; k++) { /* nothing is left behind */
        assert_status(dls_output_open(&outputs[0], path, &error), &error);
        failing = calls_of_settle[k], failing_at = 1, calls = 0, with = EIO;
        const dls_status status = dls_output_commit(&outputs[0], &error);
        failing = NULL;
        assert_int_equal(status, DLS_NOT_WRITTEN);
        assert_int_equal(files_in(folder), before);
    }
    assert_status(dls_output_open(&outputs[0], path, &error), &error);
    assert_status(dls_output_commit(&outputs[0], &error), &error);
    dls_outputs_remove_unfinished();
    assert_int_equal(unlink(path), 0);
}

/* Names that another process has are passed over, a hundred of them. */
TEST(test_names_that_are_taken)
{
    char path[DLS_PATH_MAX], name[64];
    dls_error error;
    path_of(path, "taken");
    for (int count = 99; count <= 100; count++) {
        dls_output output;
        for (int k = 0; k < count; k++) {
            snprintf(name, sizeof name, "taken.%ld-%d.tmp", (long)getpid(), k);
            write_file(name, "another's", 0644);
        }
        dls_status status = dls_output_open(&output, path, &error);
        assert_int_equal(status, count < 100 ? DLS_OK : DLS_NOT_WRITTEN);
        if (status == DLS_OK)
            assert_status(dls_output_commit(&output, &error), &error);
        if (status == DLS_OK) { /* a handler of signals removes the file that was made, and no other */
            assert_status(dls_output_open(&output, path, &error), &error);
            dls_outputs_remove_unfinished();
            assert_int_equal(access(output.temporary, F_OK), -1);
            dls_output_abandon(&output);
        }
        for (int k = 0; k < count; k++) {
            char text[32], taken[DLS_PATH_MAX];
            snprintf(name, sizeof name, "taken.%ld-%d.tmp", (long)getpid(), k);
            read_file(name, text, sizeof text);
            assert_string_equal(text, "another's");
            path_of(taken, name);
            unlink(taken);
        }
    }
    assert_int_equal(unlink(path), 0);
}

/* --- figures --- */

/* A program named gnuplot, first in PATH. */
static void put_gnuplot(const char *script) { write_file("gnuplot", script, 0755); }

TEST(test_gnuplot)
{
    static const struct {
        const char *script;
        dls_status status;
        const char *said;
    } programs[] = {
        {"#!/bin/sh\necho '' >&2\necho '  ^' >&2\necho 'undefined variable' >&2\nexit 1\n", DLS_IO,
         ": undefined variable"},
        {"#!/bin/sh\necho 'line 2: warning: no points' >&2\necho 'line 2: x range is invalid' >&2\nexit 1\n", DLS_IO,
         ": line 2: x range is invalid"},
        {"#!/bin/sh\nexit 3\n", DLS_IO, "gnuplot failed on"},
        {"#!/bin/sh\nkill -9 $$\n", DLS_IO, "signal 9"},
        {"#!/bin/sh\necho 'this gnuplot has no terminal svg' >&2\nexit 69\n", DLS_UNAVAILABLE,
         "this gnuplot has no terminal svg; choose other formats"},
        {"#!/bin/sh\necho '<svg>'\n", DLS_IO, "gnuplot ended before the figure of"},
        {"#!/bin/sh\necho '</svg>'\nhead -c 100 /dev/zero\n", DLS_IO, "gnuplot ended before the figure of"},
    };
    static const fault faults[] = {
        {"tmpfile", EMFILE, DLS_IO, "no temporary file"},
        {"posix_spawn_file_actions_init", ENOMEM, DLS_IO, "gnuplot could not be started: Cannot allocate"},
        {"pipe", EMFILE, DLS_IO, "gnuplot could not be started: Too many open files"},
        {"posix_spawn_file_actions_adddup2", ENOMEM, DLS_IO, "gnuplot could not be started: Cannot allocate"},
        {"posix_spawnp", EAGAIN, DLS_IO, "gnuplot could not be started: Resource"},
        {"open", EACCES, DLS_NOT_WRITTEN, "cannot write"},
        {"rename", EXDEV, DLS_NOT_WRITTEN, "nothing was changed"},
    };
    char text[4096];
    dls_error error;
    put_gnuplot("#!/bin/sh\nprintf '%s\\n' \"$@\"; printf '</svg>IEND\\256B`\\202'\n");
    assert_status(plot(&error), &error);
    read_file("figure.svg", text, sizeof text);
    assert_non_null(strstr(text, "-e\nformat='svg';"));
    assert_non_null(strstr(text, "table='table.tsv';"));
    assert_non_null(strstr(text, "name='the body''s';")); /* as gnuplot has quotes in quotes */
    assert_non_null(strstr(text, "/plots/script.gp\n"));
    read_file("figure.caption.txt", text, sizeof text);
    assert_non_null(strstr(text, "A caption.\n"));
    assert_non_null(strstr(text, "From table.tsv"));
    assert_non_null(strstr(text, "Command: delassus test\n"));
    fail_each(plot, faults, sizeof faults / sizeof faults[0], NULL);
    put_gnuplot("#!/bin/sh\nprintf '%s\\n' '%% a date' '\\node[left] at (1,2) {x_1};' '\\end{tikzpicture}'\n");
    assert_status(plot_tikz(&error), &error);
    read_file("figure.tikz", text, sizeof text);
    assert_non_null(strstr(text, "\n\\node[left] at (1,2) {x$_{\\mathrm{1}}$};\n"));
    fail_each(plot_tikz, faults, sizeof faults / sizeof faults[0], NULL);
    for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++) {
        put_gnuplot(programs[k].script);
        write_file("figure.svg", "as it was", 0644);
        size_t files = files_in(folder);
        assert_int_equal(plot(&error), programs[k].status);
        assert_non_null(strstr(error.message, programs[k].said));
        assert_int_equal(files_in(folder), files);
        read_file("figure.svg", text, sizeof text);
        assert_string_equal(text, "as it was");
    }
    assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
    assert_int_equal(plot(&error), DLS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "install gnuplot"));
}

/* --- solvers that are programs --- */

/* 2 lambda - 1 = 0, of a program that says 0.5. */
static dls_status solve(dls_error *error)
{
    const double A[1] = {2.0}, b[1] = {-1.0};
    double lambda[1] = {0.0};
    dls_choice choice = {0};
    dls_problem *problem;
    dls_report report = {0};
    assert_status(dls_problem_from_matrix(1, A, b, NULL, NULL, &problem, error), error);
    assert_status(dls_choice_create("exec:echo 0.5", &choice, error), error);
    dls_status status = dls_solve(choice.solver, problem, choice.settings, 1, lambda, &report, NULL, NULL, error);
    assert_true(status != DLS_OK || lambda[0] == 0.5);
    dls_report_release(&report);
    dls_choice_release(&choice);
    dls_problem_destroy(problem);
    return status;
}

TEST(test_every_call_of_a_process)
{
    static const fault faults[] = {
        {"mkstemp", EACCES, DLS_NOT_WRITTEN, "Permission denied"},
        {"fdopen", ENOMEM, DLS_NOT_WRITTEN, "Cannot allocate"},
        {"fseek", EIO, DLS_NOT_WRITTEN, "Input/output error"},
        {"pipe", EMFILE, DLS_IO, "cannot be run: Too many open files"},
        {"posix_spawn_file_actions_init", ENOMEM, DLS_IO, "cannot be run: Cannot allocate"},
        {"posix_spawnattr_init", ENOMEM, DLS_IO, "cannot be run: Cannot allocate"},
        {"posix_spawn_file_actions_adddup2", ENOMEM, DLS_IO, "cannot be run: Cannot allocate"},
        {"posix_spawnattr_setflags", EINVAL, DLS_IO, "cannot be run: Invalid"},
        {"posix_spawnattr_setpgroup", EINVAL, DLS_IO, "cannot be run: Invalid"},
        {"posix_spawnattr_setsigmask", EINVAL, DLS_IO, "cannot be run: Invalid"},
        {"posix_spawnp", EAGAIN, DLS_IO, "cannot be run: Resource"},
    };
    dls_error error;
    assert_status(solve(&error), &error);
    fail_each(solve, faults, sizeof faults / sizeof faults[0], NULL);
}

/* --- */

static int make_folder(void **unused)
{
    char path[PATH_MAX], here[PATH_MAX / 2];
    (void)unused;
    if (!mkdtemp(folder) || !getcwd(here, sizeof here))
        return -1;
    snprintf(path, sizeof path, "%s/%s:%s", here, folder, getenv("PATH"));
    return setenv("PATH", path, 1);
}

static int remove_folder(void **unused)
{
    static const char *const names[] = {
        "deep/table.tsv", "deep", "figure.svg", "figure.png", "figure.tikz", "figure.caption.txt", "gnuplot", ""};
    char path[DLS_PATH_MAX];
    (void)unused;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        path_of(path, names[k]);
        remove(path);
    }
    return 0;
}

TESTS_WITH(make_folder, remove_folder)
