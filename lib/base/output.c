/* Files that are there in full or not at all: written under another name in the same folder, then renamed. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "delassus/table.h"

#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_TRIED = 100 };

static dls_status io_error(dls_error *error, const char *path, const char *what, int number)
{
    return dls_fail_about(error, DLS_NOT_WRITTEN, path, NULL, "%s: %s", what,
                          number ? dls_system_text(number) : "a write failed");
}

static dls_status make_folder(const char *path, dls_error *error)
{
    struct stat facts;
    if (mkdir(path, 0777) == 0)
        return DLS_OK;
    int number = errno;
    if (number != EEXIST && number != EROFS)
        return io_error(error, path, "cannot make the folder", number);
    if (stat(path, &facts) != 0)
        return io_error(error, path, "cannot make the folder", number);
    return S_ISDIR(facts.st_mode) ? DLS_OK : io_error(error, path, "cannot make the folder", ENOTDIR);
}

dls_status dls_folder_create(const char *path, dls_error *error)
{
    char part[DLS_PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof part)
        return dls_fail_about(error, DLS_BAD_ARGUMENT, path, NULL, "the path is longer than %d bytes",
                              DLS_PATH_MAX - 1);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        DLS_TRY(make_folder(part, error));
    }
    return DLS_OK;
}

static dls_status make_folder_of(const char *path, dls_error *error)
{
    char folder[DLS_PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return DLS_OK;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    return dls_folder_create(folder, error);
}

/* --- the temporaries of unfinished outputs, for signal handlers --- */

/* Places are fixed, so that a handler finds them whatever it interrupts. A place is USED from before its file is made
 * until after it is renamed or removed. */
typedef enum place_state { FREE, TAKEN, USED } place_state;
static struct {
    atomic_int state;
    char temporary[sizeof((dls_output *)NULL)->temporary];
} unfinished[DLS_OUTPUTS_LISTED];
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "handlers read the states without a lock");

static void list_temporary(dls_output *output)
{
    for (int i = 0; i < DLS_OUTPUTS_LISTED && !output->listed; i++) {
        int state = FREE;
        if (!atomic_compare_exchange_strong(&unfinished[i].state, &state, TAKEN))
            continue;
        strcpy(unfinished[i].temporary, output->temporary);
        atomic_store(&unfinished[i].state, USED);
        output->listed = i + 1;
    }
}

static void forget_temporary(dls_output *output)
{
    if (output->listed)
        atomic_store(&unfinished[output->listed - 1].state, FREE);
    output->listed = 0;
    output->temporary[0] = '\0';
}

void dls_outputs_remove_unfinished(void)
{
    const int before = errno;
    for (int i = 0; i < DLS_OUTPUTS_LISTED; i++)
        if (atomic_load(&unfinished[i].state) == USED)
            unlink(unfinished[i].temporary);
    errno = before;
}

/* --- inputs, which no output replaces --- */

static struct {
    const char *const *paths;
    size_t count;
} spared;

void dls_outputs_spare(const char *const *paths, size_t count)
{
    spared.paths = paths;
    spared.count = count;
}

dls_status dls_output_check(const char *path, dls_error *error)
{
    struct stat output, input;
    if (stat(path, &output) != 0 || !S_ISREG(output.st_mode))
        return DLS_OK;
    for (size_t i = 0; i < spared.count; i++)
        if (stat(spared.paths[i], &input) == 0 && input.st_dev == output.st_dev && input.st_ino == output.st_ino)
            return dls_fail_about(error, DLS_BAD_INPUT, path, NULL,
                                  "is the input %s itself, which would be lost; name another output", spared.paths[i]);
    return DLS_OK;
}

/* --- opening --- */

/* A new file whose name no other process has. */
static int open_temporary(dls_output *output)
{
    int file = -1;
    for (int k = 0; k < NAMES_TRIED && file < 0; k++) {
        snprintf(output->temporary, sizeof output->temporary, "%s.%ld-%d.tmp", output->path, (long)getpid(), k);
        list_temporary(output);
        file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0)
            break;
        const int number = errno;
        forget_temporary(output);
        errno = number;
        if (number != EEXIST)
            break;
    }
    return file;
}

/* A symbolic link remains: the file that it points to is replaced. */
static void follow_link(dls_output *output)
{
    struct stat facts;
    char target[PATH_MAX];
    if (lstat(output->path, &facts) == 0 && S_ISLNK(facts.st_mode) && realpath(output->path, target) &&
        strlen(target) < sizeof output->path)
        strcpy(output->path, target);
}

/* A device, or a pipe that has a reader: ENXIO where it has none, instead of waiting for one without end. */
static int open_special(const char *path)
{
    int file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    int flags = file >= 0 ? fcntl(file, F_GETFL) : -1;
    if (flags >= 0)
        fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
    return file;
}

static int open_output_file(dls_output *output)
{
    struct stat facts;
    follow_link(output);
    bool there = stat(output->path, &facts) == 0;
    if (there && S_ISDIR(facts.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    return there && !S_ISREG(facts.st_mode) ? open_special(output->path) : open_temporary(output);
}

static void drop_temporary(dls_output *output)
{
    if (output->temporary[0])
        unlink(output->temporary);
    forget_temporary(output);
}

dls_status dls_output_open(dls_output *output, const char *path, dls_error *error)
{
    memset(output, 0, sizeof *output);
    if (!*path || strlen(path) >= sizeof output->path)
        return dls_fail_about(error, DLS_BAD_ARGUMENT, path, NULL, "the path must have 1 to %d bytes",
                              DLS_PATH_MAX - 1);
    DLS_TRY(dls_output_check(path, error));
    strcpy(output->path, path);
    DLS_TRY(make_folder_of(path, error));
    int file = open_output_file(output);
    if (file < 0)
        return io_error(error, path, "cannot write", errno);
    output->stream = fdopen(file, "w");
    if (!output->stream) {
        close(file);
        drop_temporary(output);
        return dls_fail_about(error, DLS_NO_MEMORY, path, NULL, "no memory for an output file");
    }
    return DLS_OK;
}

dls_status dls_output_settle(dls_output *output, dls_error *error)
{
    errno = 0;
    bool failed = ferror(output->stream) || fflush(output->stream) != 0;
    if (!failed && output->temporary[0])
        failed = fsync(fileno(output->stream)) != 0;
    int number = errno;
    if (fclose(output->stream) != 0) {
        number = failed && number ? number : errno;
        failed = true;
    }
    output->stream = NULL;
    if (!failed)
        return DLS_OK;
    drop_temporary(output);
    return io_error(error, output->path, "cannot write; nothing was changed", number);
}

dls_status dls_output_commit(dls_output *output, dls_error *error)
{
    if (output->stream)
        DLS_TRY(dls_output_settle(output, error));
    if (output->temporary[0] && rename(output->temporary, output->path) != 0) {
        int number = errno;
        drop_temporary(output);
        return io_error(error, output->path, "cannot write; nothing was changed", number);
    }
    forget_temporary(output);
    return DLS_OK;
}

void dls_output_abandon(dls_output *output)
{
    if (output->stream)
        fclose(output->stream);
    output->stream = NULL;
    drop_temporary(output);
}
