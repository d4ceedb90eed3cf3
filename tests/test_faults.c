/* Calls to the system that fail, each one once: a file is there in full or as it was, nothing is left beside it, and the
 * error says what the system said. */
#include "delassus/experiments.h"
#include "delassus/table.h"

#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
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
WRAP(int, posix_spawn_file_actions_init, (posix_spawn_file_actions_t * actions), (actions), with)

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
            if (kept) {
                assert_int_equal(files_in(text), files);
                read_file(kept, text, sizeof text);
                assert_string_equal(text, "as it was");
            }
        }
    }
}

static void test_every_call_of_an_output(void **unused)
{
    static const fault outputs[] = {
        {"open", EACCES, DLS_IO, "cannot write"},
        {"open", EMFILE, DLS_IO, "cannot write"},
        {"fdopen", ENOMEM, DLS_NO_MEMORY, "no memory"},
        {"fflush", ENOSPC, DLS_IO, "nothing was changed"},
        {"fsync", EIO, DLS_IO, "nothing was changed"},
        {"fclose", ENOSPC, DLS_IO, "nothing was changed"},
        {"rename", EXDEV, DLS_IO, "nothing was changed"},
        {"mkdir", ENOSPC, DLS_IO, "cannot make the folder"},
        {"mkdir", EACCES, DLS_IO, "cannot make the folder"},
    };
    static const fault folders[] = {{"mkdir", ENOSPC, DLS_IO, "cannot make the folder"},
                                    {"mkdir", EROFS, DLS_IO, "cannot make the folder"}};
    dls_error error;
    (void)unused;
    assert_status(write_table(&error), &error);
    fail_each(write_table, outputs, sizeof outputs / sizeof outputs[0], "deep/table.tsv");
    /* a folder that a read-only file system has already is no error: only the one that is missing */
    fail_each(make_folders, folders, 1, NULL);
    failing = "mkdir", calls = 0, with = EROFS;
    for (failing_at = 1; failing_at <= 3; failing_at++) {
        calls = 0;
        dls_status status = make_folders(&error);
        assert_int_equal(status, failing_at == 1 ? DLS_OK : DLS_IO);
    }
    failing = NULL;
}

/* --- figures --- */

/* A program named gnuplot, first in PATH. */
static void put_gnuplot(const char *script) { write_file("gnuplot", script, 0755); }

static void test_gnuplot(void **unused)
{
    static const struct {
        const char *script;
        dls_status status;
        const char *said;
    } programs[] = {
        {"#!/bin/sh\necho '' >&2\necho '  ^' >&2\necho 'undefined variable' >&2\nexit 1\n", DLS_IO,
         ": undefined variable"},
        {"#!/bin/sh\nexit 3\n", DLS_IO, "gnuplot failed on"},
        {"#!/bin/sh\nkill -9 $$\n", DLS_IO, "signal 9"},
    };
    static const fault faults[] = {
        {"tmpfile", EMFILE, DLS_IO, "no temporary file"},
        {"posix_spawn_file_actions_init", ENOMEM, DLS_IO, "no temporary file"},
        {"open", EACCES, DLS_IO, "cannot write"},
        {"rename", EXDEV, DLS_IO, "nothing was changed"},
    };
    char text[4096];
    dls_error error;
    (void)unused;
    put_gnuplot("#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
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
    static const char *const names[] = {"deep/table.tsv", "deep", "figure.svg", "figure.png", "figure.caption.txt",
                                        "gnuplot",        ""};
    char path[DLS_PATH_MAX];
    (void)unused;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        path_of(path, names[k]);
        remove(path);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call_of_an_output),
        cmocka_unit_test(test_gnuplot),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
