/* Sweeps that are disturbed: calls to the system and allocations that fail, processes that end, journals with anything
 * in them. No table is left that is not whole, the error says what failed, and the sweep that is run again makes the
 * table that an undisturbed one makes. */
#include "check.h"
#include "failing_memory.h"

#include "sweep/sweep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- calls that fail on demand --- */

enum { END = -1, SHORT = -2, ORPHAN = -3, PLANNED = 2 };
/* The `at`-th call, counted over all processes, fails with an errno; or the process that makes it ends with status 3,
 * writes three bytes, or has lost its parent. */
typedef struct fault {
    const char *call;
    size_t at;
    int how;
} fault;
static fault plan[PLANNED];
static _Atomic size_t *calls; /* of each fault; shared with the processes */
static pid_t main_process;

/* How the call of that name goes wrong; 0: it does not. */
static int happens(const char *name)
{
    int how = 0;
    for (size_t k = 0; k < PLANNED; k++)
        if (plan[k].call && strcmp(plan[k].call, name) == 0 && ++calls[k] == plan[k].at)
            how = plan[k].how;
    if (how == END)
        _exit(3);
    if (how > 0)
        errno = how;
    return how;
}
static bool happens_here(const char *name) { return getpid() == main_process && happens(name) != 0; }

/* The linker sends the program's calls here (--wrap, in local.mk). */
#define WRAP(type, name, parameters, arguments, failed) \
    type __real_##name parameters;                      \
    type __wrap_##name parameters;                      \
    type __wrap_##name parameters { return happens_here(#name) ? (failed) : __real_##name arguments; }

WRAP(void *, mmap, (void *at, size_t size, int protection, int flags, int file, off_t offset),
     (at, size, protection, flags, file, offset), MAP_FAILED)
WRAP(pid_t, waitpid, (pid_t process, int *how, int options), (process, how, options), -1)

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const int mode = va_arg(arguments, int);
    va_end(arguments);
    return happens_here("open") ? -1 : __real_open(path, flags, mode);
}

int __wrap_dprintf(int file, const char *format, ...);
int __wrap_dprintf(int file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = happens_here("dprintf") ? -1 : vdprintf(file, format, arguments);
    va_end(arguments);
    return length;
}

/* A stream whose last bytes find no room is closed nevertheless. */
int __real_fclose(FILE *stream);
int __wrap_fclose(FILE *stream);
int __wrap_fclose(FILE *stream)
{
    const int closed = __real_fclose(stream);
    return happens_here("fclose") ? EOF : closed;
}

/* What these allocate is counted as well. */
FILE *__real_open_memstream(char **text, size_t *size);
FILE *__wrap_open_memstream(char **text, size_t *size);
FILE *__wrap_open_memstream(char **text, size_t *size)
{
    return happens_here("open_memstream") || !granted(1) ? NULL : counted(__real_open_memstream(text, size));
}
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    char *copy = happens_here("strdup") ? NULL : malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

/* Allocations of the processes do not fail: those of a cell have a test of their own. */
pid_t __real_fork(void);
pid_t __wrap_fork(void);
pid_t __wrap_fork(void)
{
    if (happens_here("fork"))
        return -1;
    const pid_t process = __real_fork();
    if (process == 0)
        fail_at = 0;
    return process;
}

pid_t __real_getppid(void);
pid_t __wrap_getppid(void);
pid_t __wrap_getppid(void) { return happens("getppid") == ORPHAN ? 1 : __real_getppid(); }

ssize_t __real_write(int file, const void *bytes, size_t size);
ssize_t __wrap_write(int file, const void *bytes, size_t size);
ssize_t __wrap_write(int file, const void *bytes, size_t size)
{
    const int how = happens("write");
    return how == SHORT ? __real_write(file, bytes, 3) : how > 0 ? -1 : __real_write(file, bytes, size);
}

/* --- a sweep of four cells --- */

static const char scene[] = "world: {step: 1 ms}\n"
                            "bodies:\n"
                            "  - {name: bob, shape: sphere, radius: 0.1, mass: 2.5, position: [1, 0, 0]}\n"
                            "  - {name: post, static: true}\n"
                            "joints:\n"
                            "  - {name: pivot, type: ball, body1: bob, anchor: [0, 0, 0]}\n"
                            "changes:\n"
                            "  - time: 0.001\n"
                            "    remove: {joints: [pivot]}\n"
                            "    bodies:\n"
                            "      - {name: late, shape: sphere, radius: 0.1, mass: 0.5, position: [5, 0, 0]}\n";
enum { AXES = 2, FIXED = 3, CELLS = 4 };
static char folder[] = "/tmp/test-sweep-XXXXXX", output[64], scene_path[64], table_path[96], journal_path[96];
static dls_sweep_axis axes[AXES], fixed[FIXED];
static size_t jobs = 1;
static char clean[16384]; /* the table of an undisturbed sweep */

static dls_sweep the_sweep(void)
{
    return (dls_sweep){.scene = scene_path,
                       .stem = "short",
                       .axes = axes,
                       .n_axes = AXES,
                       .fixed = fixed,
                       .n_fixed = FIXED,
                       .jobs = jobs,
                       .shard = 1,
                       .shards = 1};
}

static dls_status sweep(dls_sweep_result *result, dls_error *error)
{
    const dls_job job = {.output = output, .command = "test"};
    const dls_sweep s = the_sweep();
    *error = (dls_error){.message = ""};
    return dls_sweep_run(&job, &s, result, error);
}

static void read_whole(const char *path, char *text, size_t size)
{
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    const size_t length = fread(text, 1, size, stream);
    assert_true(length < size);
    text[length] = '\0';
    fclose(stream);
}

static void write_whole(const char *path, const char *first, const char *second)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(first, stream), fputs(second, stream);
    fclose(stream);
}

/* Whether there is nothing in the output's folder but, perhaps, a journal. */
static bool nothing_but_a_journal(void)
{
    bool nothing = true;
    DIR *stream = opendir(output);
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        nothing = nothing && (entry->d_name[0] == '.' || strcmp(entry->d_name, "short.sweep.journal") == 0);
    if (stream)
        closedir(stream);
    return nothing;
}

static void assert_table_is_clean(void)
{
    static char text[sizeof clean];
    read_whole(table_path, text, sizeof text);
    assert_string_equal(text, clean);
    assert_int_equal(unlink(table_path), 0);
}

/* The sweep again, undisturbed: `kept` cells at least are those of the journal. */
static void assert_clean_again(size_t kept)
{
    dls_sweep_result result;
    dls_error error;
    assert_status(sweep(&result, &error), &error);
    assert_true(result.cells == CELLS && result.kept >= kept && result.outcomes[DLS_SWEEP_FINISHED] == CELLS);
    assert_string_equal(result.table, table_path);
    assert_table_is_clean();
    assert_int_equal(access(journal_path, F_OK), -1);
}

static dls_status disturbed(fault first, fault second, dls_sweep_result *result, dls_error *error)
{
    plan[0] = first, plan[1] = second;
    calls[0] = calls[1] = 0;
    const dls_status status = sweep(result, error);
    plan[0] = plan[1] = (fault){NULL, 0, 0};
    return status;
}

static void test_every_call(void **unused)
{
    static const struct {
        const char *call;
        int how;
        dls_status status[2];
        const char *said[2];
    } faults[] = {
        {"open", EACCES, {DLS_NOT_WRITTEN, DLS_IO}, {"cannot", "cannot read"}},
        {"dprintf", ENOSPC, {DLS_NOT_WRITTEN, DLS_NOT_WRITTEN}, {"written: No space", "written: No space"}},
        {"write", ENOSPC, {DLS_NOT_WRITTEN, DLS_NOT_WRITTEN}, {"written: No space", "written: No space"}},
        {"write", SHORT, {DLS_NOT_WRITTEN, DLS_NOT_WRITTEN}, {"room for 3 bytes", "room for 3 bytes"}},
        {"fork", EAGAIN, {DLS_NO_MEMORY, DLS_NO_MEMORY}, {"no process can be started", "no process can be started"}},
        {"mmap", ENOMEM, {DLS_NO_MEMORY, DLS_NO_MEMORY}, {"no memory to share: Cannot", "no memory to share: Cannot"}},
        {"open_memstream", ENOMEM, {DLS_NO_MEMORY, DLS_NO_MEMORY}, {"sweep's settings", "the head of a table"}},
        {"fclose", ENOSPC, {DLS_NO_MEMORY, DLS_NOT_WRITTEN}, {"no memory for", "nothing was changed"}},
        {"strdup", ENOMEM, {DLS_NO_MEMORY, DLS_NO_MEMORY}, {"no memory", "no memory"}},
        {"getppid", ORPHAN, {DLS_IO, DLS_IO}, {"is missing; run the sweep again", "run the sweep again"}},
        {"getppid", END, {DLS_IO, DLS_IO}, {"ended of itself", "ended of itself"}},
    };
    (void)unused;
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++)
        for (size_t at = 1;; at++) {
            dls_sweep_result result;
            dls_error error;
            const dls_status status =
                disturbed((fault){faults[k].call, at, faults[k].how}, (fault){NULL, 0, 0}, &result, &error);
            plan[0].call = faults[k].call;
            const bool reached = calls[0] >= at;
            plan[0].call = NULL;
            if (!reached) {
                assert_true(at > 1); /* the call is made */
                assert_int_equal(status, DLS_OK);
                assert_table_is_clean();
                break;
            }
            /* closing what was only read, such as the name of the processor, may fail */
            if (status == DLS_OK && strcmp(faults[k].call, "fclose") == 0) {
                assert_table_is_clean();
                continue;
            }
            if (!(status == faults[k].status[0] && strstr(error.message, faults[k].said[0])) &&
                !(status == faults[k].status[1] && strstr(error.message, faults[k].said[1])))
                fail_msg("%s, call %zu: status '%s', message '%s'", faults[k].call, at, dls_status_text(status),
                         error.message);
            if (strcmp(faults[k].call, "write") == 0 || strcmp(faults[k].call, "dprintf") == 0)
                assert_string_equal(error.file, journal_path);
            assert_true(nothing_but_a_journal());
            assert_clean_again(0);
        }
}

/* A wait that a signal interrupts is only repeated. */
static void test_interrupted_waits(void **unused)
{
    (void)unused;
    for (size_t at = 1; at < 4; at++) {
        dls_sweep_result result;
        dls_error error;
        assert_status(disturbed((fault){"waitpid", at, EINTR}, (fault){NULL, 0, 0}, &result, &error), &error);
        assert_int_equal(result.outcomes[DLS_SWEEP_FINISHED], CELLS);
        assert_int_equal(unlink(table_path), 0);
    }
}

/* Where one of several processes cannot be started, the others end after their cells. */
static void test_several_processes(void **unused)
{
    (void)unused;
    jobs = 3;
    for (size_t at = 1; at <= jobs; at++) {
        dls_sweep_result result;
        dls_error error;
        assert_int_equal(disturbed((fault){"fork", at, EAGAIN}, (fault){NULL, 0, 0}, &result, &error), DLS_NO_MEMORY);
        assert_non_null(strstr(error.message, "no process can be started: Resource"));
        assert_true(nothing_but_a_journal());
        assert_clean_again(0);
    }
    jobs = 1;
}

/* A process that ends leaves its cell as crashed, and one takes its place: where none can, or the line of the cell
 * cannot be written, the sweep has failed. */
static void test_processes_that_end(void **unused)
{
    static char text[sizeof clean];
    dls_sweep_result result;
    dls_error error;
    (void)unused;
    for (size_t at = 1; at <= CELLS; at++) {
        assert_status(disturbed((fault){"write", at, END}, (fault){NULL, 0, 0}, &result, &error), &error);
        assert_int_equal(result.outcomes[DLS_SWEEP_FINISHED], CELLS - 1);
        assert_int_equal(result.outcomes[DLS_SWEEP_CRASHED], 1);
        read_whole(table_path, text, sizeof text);
        assert_non_null(strstr(text, "crashed\t0\tnan"));
        assert_non_null(strstr(text, "the process ended with status 3"));
        assert_int_equal(unlink(table_path), 0);
    }
    assert_int_equal(disturbed((fault){"write", 2, END}, (fault){"write", 3, ENOSPC}, &result, &error),
                     DLS_NOT_WRITTEN);
    assert_non_null(strstr(error.message, "cannot be written: No space"));
    assert_true(nothing_but_a_journal());
    assert_clean_again(1);
    assert_int_equal(disturbed((fault){"write", 2, END}, (fault){"fork", 2, EAGAIN}, &result, &error), DLS_NO_MEMORY);
    assert_non_null(strstr(error.message, "no process can be started"));
    assert_true(nothing_but_a_journal());
    unlink(journal_path); /* which has the crashed cell */
}

/* --- allocations --- */

static void test_every_allocation(void **unused)
{
    dls_sweep_result result;
    dls_error error;
    (void)unused;
    allocations = 0;
    assert_status(sweep(&result, &error), &error);
    const size_t needed = allocations;
    assert_int_equal(unlink(table_path), 0);
    for (size_t k = 1; k <= needed; k++) {
        const long before = live;
        allocations = 0, fail_at = k;
        const dls_status status = sweep(&result, &error);
        fail_at = 0;
        if (status != DLS_NO_MEMORY || live != before || !nothing_but_a_journal())
            fail_msg("allocation %zu of %zu: %s: %s, %ld leaked", k, needed, dls_status_text(status), error.message,
                     live - before);
        unlink(journal_path);
    }
}

static void test_every_allocation_of_a_cell(void **unused)
{
    char text[DLS_SWEEP_LINE_MAX], again[DLS_SWEEP_LINE_MAX];
    const dls_sweep s = the_sweep();
    dls_error error;
    (void)unused;
    assert_status(dls_sweep_cell(&s, 3, text, &error), &error);
    allocations = 0;
    assert_status(dls_sweep_cell(&s, 3, again, &error), &error);
    assert_string_equal(again, text);
    const size_t needed = allocations;
    for (size_t k = 1; k <= needed; k++) {
        const long before = live;
        strcpy(again, "as it was");
        allocations = 0, fail_at = k;
        const dls_status status = dls_sweep_cell(&s, 3, again, &error);
        fail_at = 0;
        if (status != DLS_NO_MEMORY || live != before || strcmp(again, "as it was") != 0)
            fail_msg("allocation %zu of %zu: %s, %ld leaked", k, needed, dls_status_text(status), live - before);
    }
}

/* --- journals --- */

/* Lines that are not those of whole cells mean nothing; cells of the journal are not run again. */
static void test_what_a_journal_may_have(void **unused)
{
    static const char rubbish[] = "\n1\nx\n\t.\n0\tfinished\t.\n5\tfinished\t.\n-3\tfinished\t.\n4 finished\t.\n"
                                  "4\tfinished\n4\tfinished\t,\n1\tcrashed\t.\n99999999999999999999\tfinished\t.\n";
    static char journal[sizeof clean];
    dls_sweep_result result;
    dls_error error;
    (void)unused;
    assert_int_equal(disturbed((fault){"write", 3, ENOSPC}, (fault){NULL, 0, 0}, &result, &error), DLS_NOT_WRITTEN);
    read_whole(journal_path, journal, sizeof journal);
    char *head = strchr(journal, '\n');
    assert_non_null(head);
    assert_clean_again(2);
    write_whole(journal_path, journal, rubbish);
    assert_clean_again(2);
    write_whole(journal_path, journal, "3\tfinished\t1"); /* cut off within a line */
    assert_clean_again(2);
    write_whole(journal_path, "", "");
    assert_clean_again(0);
    *head = '\0';
    write_whole(journal_path, journal, "\n");
    assert_clean_again(0);
    static const char *const others[][2] = {{"", ""}, {"", " and=more\n"}, {"another sweep\n", ""}, {"\n", "\n"}};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        write_whole(journal_path, *others[k][0] ? others[k][0] : journal, others[k][1]);
        assert_int_equal(sweep(&result, &error), DLS_BAD_INPUT);
        assert_non_null(strstr(error.message, "is the journal of another sweep"));
        assert_string_equal(error.file, journal_path);
        assert_int_equal(access(journal_path, F_OK), 0);
    }
    *journal ^= 1;
    write_whole(journal_path, journal, "\n");
    assert_int_equal(sweep(&result, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "is the journal of another sweep"));
    unlink(journal_path);
}

/* Whichever byte of a cell's line is changed, its cell is run again, and that is told. */
static void test_a_changed_journal(void **unused)
{
    static char journal[sizeof clean], changed[sizeof clean];
    dls_sweep_result result;
    dls_error error;
    (void)unused;
    (void)disturbed((fault){"write", 3, ENOSPC}, (fault){NULL, 0, 0}, &result, &error);
    read_whole(journal_path, journal, sizeof journal);
    const size_t head = strcspn(journal, "\n") + 1, size = strlen(journal);
    assert_true(size > head + 100);
    for (size_t at = head; at < size; at += 5) {
        const bool newline = journal[at] == '\n';
        strcpy(changed, journal);
        changed[at] ^= 1;
        write_whole(journal_path, changed, "");
        assert_status(sweep(&result, &error), &error);
        if (result.kept != (newline ? 0 : 1) && !(newline && result.kept == 1))
            fail_msg("byte %zu: %zu kept", at - head, result.kept);
        assert_true(result.damaged <= 1);
        assert_table_is_clean();
    }
    strcpy(changed, journal);
    *strstr(changed, "finished") = 'F';
    write_whole(journal_path, changed, "");
    assert_status(sweep(&result, &error), &error);
    assert_true(result.damaged == 1 && result.kept == 1);
    assert_table_is_clean();
}

/* While a sweep is at work no other one begins, and the journal is its own. */
static void test_two_sweeps_at_once(void **unused)
{
    static char journal[sizeof clean], now[sizeof clean];
    dls_sweep_result result;
    dls_error error;
    (void)unused;
    (void)disturbed((fault){"write", 3, ENOSPC}, (fault){NULL, 0, 0}, &result, &error);
    read_whole(journal_path, journal, sizeof journal);
    const int other = open(journal_path, O_WRONLY);
    assert_true(other >= 0 && flock(other, LOCK_EX | LOCK_NB) == 0);
    assert_int_equal(sweep(&result, &error), DLS_REFUSED);
    assert_string_equal(error.file, journal_path);
    read_whole(journal_path, now, sizeof now);
    assert_string_equal(now, journal);
    close(other);
    assert_clean_again(2);
}

/* A torn journal whose end cannot be mended is not gone on with. */
static void test_a_torn_journal(void **unused)
{
    static char journal[sizeof clean];
    dls_sweep_result result;
    dls_error error;
    (void)unused;
    assert_int_equal(disturbed((fault){"write", 2, ENOSPC}, (fault){NULL, 0, 0}, &result, &error), DLS_NOT_WRITTEN);
    read_whole(journal_path, journal, sizeof journal);
    write_whole(journal_path, journal, "2\tfin");
    assert_int_equal(disturbed((fault){"write", 1, ENOSPC}, (fault){NULL, 0, 0}, &result, &error), DLS_NOT_WRITTEN);
    assert_non_null(strstr(error.message, "cannot be written: No space"));
    assert_int_equal(disturbed((fault){"open", 3, EACCES}, (fault){NULL, 0, 0}, &result, &error), DLS_NOT_WRITTEN);
    assert_non_null(strstr(error.message, "cannot"));
    assert_clean_again(1);
}

static void test_folders_and_files(void **unused)
{
    static char deep[2 * DLS_PATH_MAX];
    const dls_sweep s = the_sweep();
    dls_job job = {.output = scene_path, .command = "test"};
    dls_sweep_result result;
    dls_error error;
    (void)unused;
    assert_int_equal(dls_sweep_run(&job, &s, &result, &error), DLS_NOT_WRITTEN);
    assert_non_null(strstr(error.message, "folder"));
    assert_int_equal(mkdir(journal_path, 0777), 0);
    assert_int_equal(sweep(&result, &error), DLS_NOT_WRITTEN);
    assert_non_null(strstr(error.message, "directory"));
    assert_int_equal(rmdir(journal_path), 0);
    memset(deep, 'a', sizeof deep - 1);
    job.output = deep;
    assert_int_equal(dls_sweep_run(&job, &s, &result, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "the path of short.sweep.journal is too long"));
}

/* --- sizes --- */

static void test_sizes(void **unused)
{
    static const struct {
        size_t jobs, shard, shards;
        const char *said;
    } wrong[] = {{0, 1, 1, "0 processes"},
                 {1025, 1, 1, "1025 processes, shard 1 of 1; processes are 1 to 1024"},
                 {1, 0, 1, "shard 0 of 1"},
                 {1, 3, 2, "shard 3 of 2; processes are 1 to 1024, shards from 1 on"}};
    const dls_job job = {.output = output, .command = "test"};
    dls_sweep_result result;
    dls_error error;
    (void)unused;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        dls_sweep s = the_sweep();
        s.jobs = wrong[k].jobs, s.shard = wrong[k].shard, s.shards = wrong[k].shards;
        assert_int_equal(dls_sweep_run(&job, &s, &result, &error), DLS_BAD_INPUT);
        assert_non_null(strstr(error.message, wrong[k].said));
    }
    dls_sweep_axis many[2];
    assert_status(dls_sweep_axis_create("iterations=1:4000:4000", &many[0], &error), &error);
    assert_status(dls_sweep_axis_create("seed=1:4000:4000", &many[1], &error), &error);
    dls_sweep s = the_sweep();
    s.axes = many;
    assert_int_equal(dls_sweep_run(&job, &s, &result, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "more than 10000000 cells"));
    dls_sweep_axis_release(&many[0]);
    dls_sweep_axis_release(&many[1]);
    assert_true(nothing_but_a_journal());
}

/* --- */

static int set_up(void **unused)
{
    static const char *const over[AXES] = {"solver=pgs,sor", "iterations=3,4"}, *const set[FIXED] = {"time=2 ms",
                                                                                                     "offset=1 mm",
                                                                                                     "seed=7"};
    dls_error error;
    dls_sweep_result result;
    (void)unused;
    main_process = getpid();
    calls = __real_mmap(NULL, PLANNED * sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (calls == MAP_FAILED || !mkdtemp(folder))
        return -1;
    snprintf(output, sizeof output, "%s/out", folder);
    snprintf(scene_path, sizeof scene_path, "%s/short.yaml", folder);
    snprintf(table_path, sizeof table_path, "%s/short.sweep.tsv", output);
    snprintf(journal_path, sizeof journal_path, "%s/short.sweep.journal", output);
    write_whole(scene_path, scene, "");
    for (size_t k = 0; k < AXES; k++)
        assert_status(dls_sweep_axis_create(over[k], &axes[k], &error), &error);
    for (size_t k = 0; k < FIXED; k++)
        assert_status(dls_sweep_axis_create(set[k], &fixed[k], &error), &error);
    assert_status(sweep(&result, &error), &error);
    read_whole(table_path, clean, sizeof clean);
    return unlink(table_path);
}

static int tear_down(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < AXES; k++)
        dls_sweep_axis_release(&axes[k]);
    for (size_t k = 0; k < FIXED; k++)
        dls_sweep_axis_release(&fixed[k]);
    unlink(journal_path);
    unlink(scene_path);
    return rmdir(output) == 0 && rmdir(folder) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call),
        cmocka_unit_test(test_interrupted_waits),
        cmocka_unit_test(test_several_processes),
        cmocka_unit_test(test_processes_that_end),
        cmocka_unit_test(test_every_allocation),
        cmocka_unit_test(test_every_allocation_of_a_cell),
        cmocka_unit_test(test_what_a_journal_may_have),
        cmocka_unit_test(test_a_changed_journal),
        cmocka_unit_test(test_two_sweeps_at_once),
        cmocka_unit_test(test_a_torn_journal),
        cmocka_unit_test(test_folders_and_files),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
