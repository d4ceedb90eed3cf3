/* Sweeps: processes take cells from a shared counter; each appends the line of a finished cell to a journal by one
 * write; the table is written from the journal when all cells are finished.
 */
#include "sweep.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CELLS_MAX = 10000000, JOBS_MAX = 1024 };
/* Each line of the journal ends with a tab and the hash of the text before it, 16 digits: one that was cut off has no
 * such end, and one that was changed another hash. */
enum { HASH_DIGITS = 16 };

/* The memory that the processes share. */
typedef struct shared {
    _Atomic size_t next;    /* into the list of cells that are left */
    size_t taken[JOBS_MAX]; /* the cell that a process is at, counted from 1; 0: none */
    dls_error why;          /* why one gave up; DLS_OK: none did */
} shared;

typedef struct work {
    const dls_job *job;
    const dls_sweep *sweep;
    dls_sweep_result *result;
    size_t cells; /* of all shards */
    char **lines; /* of each cell, or NULL */
    size_t *left; /* cells of this shard without a line */
    size_t n_left;
    char path[DLS_PATH_MAX]; /* of the journal */
    char *head;              /* its first line, which identifies the sweep */
    int journal;
    shared *shared;
} work;

/* --- the journal --- */

static dls_status io_error(const work *w, const char *what, dls_error *error)
{
    return dls_fail_about(error, DLS_NOT_WRITTEN, w->path, NULL, "%s: %s", what, dls_system_text(errno));
}

static uint64_t hash_of(const char *text, size_t size)
{
    uint64_t hash = 14695981039346656037U; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211U;
    return hash;
}

/* Everything that must be the same for lines of an interrupted sweep to count: the program, the scene's bytes, and all
 * settings. */
static dls_status make_head(work *w, dls_error *error)
{
    const dls_sweep *s = w->sweep;
    char *scene;
    size_t size, length = 0;
    DLS_TRY(dls_file_read(s->scene, &scene, &size, error));
    const uint64_t hash = hash_of(scene, size);
    free(scene);
    FILE *to = open_memstream(&w->head, &length);
    if (!to)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a sweep's settings");
    fprintf(to, "delassus-sweep 2 %s %s scene=%016llx seconds=%d", dls_build_facts().version, dls_build_facts().commit,
            (unsigned long long)hash, s->seconds);
    for (size_t k = 0; k < s->n_fixed; k++)
        fprintf(to, " %s=%s", s->fixed[k].key, s->fixed[k].values[0]);
    for (size_t k = 0; k < s->n_axes; k++)
        for (size_t i = 0; i < s->axes[k].count; i++)
            fprintf(to, "%s%s%s", i ? "," : " over ", i ? "" : s->axes[k].key, i ? "" : "="),
                fputs(s->axes[k].values[i], to);
    return fclose(to) == 0 ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a sweep's settings");
}

/* The place of the hash at the end of a line, or NULL where it has none. */
static const char *find_hash(const char *line, const char *end)
{
    const char *digits = end - line > HASH_DIGITS + 1 ? end - HASH_DIGITS : NULL;
    return digits && digits[-1] == '\t' && strspn(digits, "0123456789abcdef") == HASH_DIGITS ? digits : NULL;
}

/* Takes over the lines of a journal. Others than those of whole cells of this sweep mean nothing; *damaged counts those
 * that are not as they were written. */
static dls_status take_lines(work *w, char *text, size_t *damaged, dls_error *error)
{
    char *line = text, *end = strchr(text, '\n');
    if (!end || (size_t)(end - line) != strlen(w->head) || strncmp(line, w->head, strlen(w->head)) != 0)
        return dls_fail_about(
            error, DLS_BAD_INPUT, w->path, NULL,
            "is the journal of another sweep that was not finished, or of another version of the scene "
            "file or the program; remove it, or choose another folder with -o");
    for (line = end + 1; (end = strchr(line, '\n')); line = end + 1) {
        char *rest;
        *end = '\0';
        const char *hash = find_hash(line, end);
        if (!hash)
            continue;
        const size_t size = (size_t)(hash - 1 - line);
        const unsigned long long cell = strtoull(line, &rest, 10);
        if (hash_of(line, size) != strtoull(hash, NULL, 16) || *rest != '\t' || cell == 0 || cell > w->cells) {
            ++*damaged;
            continue;
        }
        if (w->lines[cell - 1])
            continue;
        line[size] = '\0';
        w->lines[cell - 1] = strdup(rest + 1);
        if (!w->lines[cell - 1])
            return dls_fail(error, DLS_NO_MEMORY, "no memory for the lines of a sweep");
    }
    return DLS_OK;
}

/* Opens the journal, and locks it: the lock is that of all processes of the sweep. A sweep that has ended removes its
 * journal: then it is made again. File systems without locks have none. */
static dls_status lock_journal(work *w, dls_error *error)
{
    for (;;) {
        struct stat here, there;
        w->journal = open(w->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        if (w->journal < 0)
            return io_error(w, "cannot be written", error);
        if (flock(w->journal, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            return dls_fail_about(error, DLS_REFUSED, w->path, NULL,
                                  "another sweep is at work on it; wait for its end, or choose another folder with -o");
        if (fstat(w->journal, &here) == 0 && stat(w->path, &there) == 0 && here.st_ino == there.st_ino &&
            here.st_dev == there.st_dev)
            return DLS_OK;
        close(w->journal);
    }
}

static dls_status open_journal(work *w, dls_error *error)
{
    char *text;
    size_t size;
    DLS_TRY(dls_folder_create(w->job->output, error));
    DLS_TRY(lock_journal(w, error));
    DLS_TRY(dls_file_read(w->path, &text, &size, error));
    const bool torn = size > 0 && text[size - 1] != '\n';
    dls_status status = size > 0 ? take_lines(w, text, &w->result->damaged, error) : DLS_OK;
    free(text);
    DLS_TRY(status);
    if ((torn && write(w->journal, "\n", 1) != 1) || (size == 0 && dprintf(w->journal, "%s\n", w->head) < 0))
        return io_error(w, "cannot be written", error);
    return DLS_OK;
}

/* By one write, which no other process' comes between. */
static dls_status append_line(const work *w, size_t cell, const char *text, dls_error *error)
{
    char line[DLS_SWEEP_LINE_MAX + 64];
    const int size = snprintf(line, sizeof line, "%zu\t%s", cell + 1, text);
    const unsigned long long hash = hash_of(line, (size_t)size);
    const int length = size + snprintf(line + size, sizeof line - (size_t)size, "\t%016llx\n", hash);
    const ssize_t written = write(w->journal, line, (size_t)length);
    if (written < 0)
        return io_error(w, "cannot be written", error);
    return written == length ? DLS_OK
                             : dls_fail_about(error, DLS_NOT_WRITTEN, w->path, NULL,
                                              "cannot be written: there was room for %zd bytes of %d", written, length);
}

/* --- processes --- */

/* Takes cells until there are none left, or the process that began it all is gone. */
static int work_off(const work *w, size_t process, pid_t parent)
{
    char text[DLS_SWEEP_LINE_MAX];
    dls_error error;
    for (size_t at; (at = atomic_fetch_add(&w->shared->next, 1)) < w->n_left && getppid() == parent;) {
        w->shared->taken[process] = w->left[at] + 1;
        if (dls_sweep_cell(w->sweep, w->left[at], text, &error) != DLS_OK ||
            append_line(w, w->left[at], text, &error) != DLS_OK) {
            w->shared->why = error;
            return 1;
        }
        w->shared->taken[process] = 0;
    }
    return 0;
}

static pid_t start_process(const work *w, size_t process)
{
    const pid_t parent = getpid();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(work_off(w, process, parent));
    return child;
}

/* A process that ended by a signal leaves its cell as crashed, and another one takes its place. */
static dls_status ended(work *w, size_t process, pid_t *processes, int how, dls_error *error)
{
    char reason[64], text[DLS_SWEEP_LINE_MAX];
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return DLS_OK;
    if (w->shared->why.status != DLS_OK)
        return error ? (*error = w->shared->why).status : w->shared->why.status;
    const size_t cell = w->shared->taken[process];
    if (cell == 0)
        return dls_fail(error, DLS_IO, "a process of the sweep ended of itself");
    if (WIFSIGNALED(how))
        snprintf(reason, sizeof reason, "signal %d: %.40s", WTERMSIG(how), strsignal(WTERMSIG(how)));
    else
        snprintf(reason, sizeof reason, "the process ended with status %d", WEXITSTATUS(how));
    dls_sweep_line(text, DLS_SWEEP_CRASHED, reason, w->sweep->seconds);
    DLS_TRY(append_line(w, cell - 1, text, error));
    w->shared->taken[process] = 0;
    processes[process] = start_process(w, process);
    return processes[process] > 0 ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no process can be started");
}

/* Takes leave of processes that have ended; how many are still at work. Each is asked by its number, since others of
 * the program are not ours to wait for. After a failure none is started again. */
static size_t look_after(work *w, pid_t *processes, size_t jobs, dls_status *status, dls_error *error)
{
    size_t running = 0;
    for (size_t k = 0; k < jobs; k++) {
        int how;
        const pid_t gone = processes[k] > 0 ? waitpid(processes[k], &how, WNOHANG) : 0;
        if (gone != 0 && !(gone < 0 && errno == EINTR)) {
            processes[k] = 0;
            if (gone > 0 && *status == DLS_OK)
                *status = ended(w, k, processes, how, error);
        }
        running += processes[k] > 0;
    }
    return running;
}

static dls_status run_processes(work *w, dls_error *error)
{
    static const struct timespec pause = {.tv_nsec = 5000000};
    pid_t processes[JOBS_MAX] = {0};
    dls_status status = DLS_OK;
    const size_t jobs = w->sweep->jobs < w->n_left ? w->sweep->jobs : w->n_left;
    for (size_t k = 0; k < jobs && status == DLS_OK; k++)
        if ((processes[k] = start_process(w, k)) < 0)
            status = dls_fail(error, DLS_NO_MEMORY, "no process can be started: %s", dls_system_text(errno));
    for (size_t running = 1; running > 0;) {
        if (status != DLS_OK) /* the others end after their cells */
            atomic_store(&w->shared->next, w->n_left);
        running = look_after(w, processes, jobs, &status, error);
        const size_t next = atomic_load(&w->shared->next);
        dls_job_progress(w->job, w->sweep->stem, (double)(next < w->n_left ? next : w->n_left) / (double)w->n_left);
        if (running > 0)
            nanosleep(&pause, NULL);
    }
    return status;
}

/* --- the table --- */

static bool of_shard(const dls_sweep *s, size_t cell) { return cell % s->shards == s->shard - 1; }

static void name_table(const dls_sweep *s, char *stem, size_t size)
{
    if (s->shards > 1)
        snprintf(stem, size, "%s.sweep.%zu-of-%zu", s->stem, s->shard, s->shards);
    else
        snprintf(stem, size, "%s.sweep", s->stem);
}

void dls_sweep_put(dls_table *table, char *text, dls_sweep_result *result)
{
    for (char *cell = text, *next; cell; cell = next) {
        next = strchr(cell, '\t');
        if (next)
            *next++ = '\0';
        dls_table_text(table, cell);
        for (size_t k = 0; k < DLS_SWEEP_OUTCOMES; k++)
            result->outcomes[k] += strcmp(cell, dls_sweep_outcomes[k]) == 0;
    }
    dls_table_end_row(table);
}

static dls_status write_table(work *w, dls_error *error)
{
    const dls_sweep *s = w->sweep;
    char stem[DLS_NAME_MAX + 64], *columns = NULL;
    size_t length;
    dls_table *table;
    FILE *to = open_memstream(&columns, &length);
    if (!to)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the head of a table");
    fputs("cell", to);
    for (size_t k = 0; k < s->n_axes; k++)
        fprintf(to, "\t%s", s->axes[k].key);
    fprintf(to, "\t%s%s", DLS_SWEEP_COLUMNS, s->seconds ? "\tseconds[s]" : "");
    if (fclose(to) != 0) {
        free(columns);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the head of a table");
    }
    name_table(s, stem, sizeof stem);
    dls_status status = dls_job_table(w->job, stem, &table, error);
    if (status == DLS_OK) {
        dls_table_note(table, "scene", "%s", s->scene);
        dls_table_note(table, "sweep", "%s", w->head);
        dls_table_note(table, "shard", "%zu of %zu, of %zu cells", s->shard, s->shards, w->cells);
        dls_table_columns(table, columns);
        for (size_t cell = 0; cell < w->cells; cell++)
            if (of_shard(s, cell)) {
                dls_table_count(table, cell + 1);
                for (size_t k = 0; k < s->n_axes; k++)
                    dls_table_text(table, dls_sweep_value(s, cell, k));
                dls_sweep_put(table, w->lines[cell], w->result);
            }
        status = dls_table_commit(table, error);
    }
    free(columns);
    if (status == DLS_OK)
        status = dls_job_path(w->job, stem, "tsv", w->result->table, error);
    return status;
}

/* --- all of it --- */

static dls_status list_left(work *w, dls_error *error)
{
    w->left = malloc((w->cells + 1) * sizeof *w->left);
    if (!w->left)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu cells", w->cells);
    for (size_t cell = 0; cell < w->cells; cell++)
        if (of_shard(w->sweep, cell)) {
            w->result->cells++;
            w->result->kept += w->lines[cell] != NULL;
            if (!w->lines[cell])
                w->left[w->n_left++] = cell;
        }
    return DLS_OK;
}

static dls_status read_back(work *w, dls_error *error)
{
    char *text;
    size_t size, damaged = 0;
    DLS_TRY(dls_file_read(w->path, &text, &size, error));
    dls_status status = take_lines(w, text, &damaged, error);
    free(text);
    for (size_t k = 0; k < w->n_left && status == DLS_OK; k++)
        if (!w->lines[w->left[k]])
            status = dls_fail_about(error, DLS_IO, w->path, NULL,
                                    "the line of cell %zu is missing; run the sweep again", w->left[k] + 1);
    return status;
}

static dls_status sweep(work *w, dls_error *error)
{
    char stem[DLS_NAME_MAX + 64];
    w->lines = calloc(w->cells + 1, sizeof *w->lines);
    if (!w->lines)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu cells", w->cells);
    name_table(w->sweep, stem, sizeof stem);
    DLS_TRY(dls_job_path(w->job, stem, "journal", w->path, error));
    DLS_TRY(make_head(w, error));
    DLS_TRY(open_journal(w, error));
    DLS_TRY(list_left(w, error));
    w->shared = mmap(NULL, sizeof *w->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (w->shared == MAP_FAILED)
        return w->shared = NULL, dls_fail(error, DLS_NO_MEMORY, "no memory to share: %s", dls_system_text(errno));
    if (w->n_left > 0)
        DLS_TRY(run_processes(w, error));
    DLS_TRY(read_back(w, error));
    DLS_TRY(write_table(w, error));
    unlink(w->path);
    return DLS_OK;
}

dls_status dls_sweep_run(const dls_job *job, const dls_sweep *s, dls_sweep_result *result, dls_error *error)
{
    work w = {.job = job, .sweep = s, .result = result, .cells = 1, .journal = -1};
    *result = (dls_sweep_result){.cells = 0};
    for (size_t k = 0; k < s->n_axes; k++) {
        if (s->axes[k].count > CELLS_MAX / w.cells)
            return dls_fail(error, DLS_BAD_INPUT, "more than %d cells", CELLS_MAX);
        w.cells *= s->axes[k].count;
    }
    if (s->jobs < 1 || s->jobs > JOBS_MAX || s->shard < 1 || s->shard > s->shards)
        return dls_fail(error, DLS_BAD_INPUT,
                        "%zu processes, shard %zu of %zu; processes are 1 to %d, shards from 1 on", s->jobs, s->shard,
                        s->shards, JOBS_MAX);
    DLS_TRY(dls_sweep_try(s, 0, error)); /* a mistake in a key is told before anything runs */
    dls_status status = sweep(&w, error);
    if (w.shared)
        munmap(w.shared, sizeof *w.shared);
    if (w.journal >= 0)
        close(w.journal);
    for (size_t k = 0; w.lines && k < w.cells; k++)
        free(w.lines[k]);
    free(w.lines);
    free(w.left);
    free(w.head);
    return status;
}
