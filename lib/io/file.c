#include "file.h"

#include "base/text.h"
#include "delassus/io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static dls_status cannot_read(const char *path, int number, dls_error *error)
{
    return dls_fail_about(error, DLS_IO, path, NULL, "cannot read: %s", dls_system_text(number));
}

static dls_status too_large(const char *path, dls_error *error)
{
    return dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "larger than %zu MB: no file of this kind is",
                          DLS_FILE_MAX >> 20);
}

/* Opened without waiting: a plain open() of a pipe returns when somebody writes to it, which may be never. */
static dls_status open_file(const char *path, int *file, struct stat *facts, dls_error *error)
{
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*file < 0)
        return cannot_read(path, errno, error);
    dls_status status = DLS_OK;
    if (fstat(*file, facts) != 0)
        status = cannot_read(path, errno, error);
    else if (S_ISDIR(facts->st_mode))
        status = dls_fail_about(error, DLS_IO, path, NULL, "is a folder, not a file");
    else if (!S_ISREG(facts->st_mode) && !S_ISFIFO(facts->st_mode))
        status = dls_fail_about(error, DLS_IO, path, NULL, "is a device, neither a file nor a pipe");
    else if (S_ISREG(facts->st_mode) && facts->st_size > (off_t)DLS_FILE_MAX)
        status = too_large(path, error);
    if (status != DLS_OK)
        close(*file);
    return status;
}

/* Up to `want` bytes; fewer only at the end of the file. -1 on an error, with errno. A pipe that is empty and has
 * writers is waited for; without writers it is at its end. */
static ssize_t read_all(int file, char *text, size_t want)
{
    size_t got = 0;
    while (got < want) {
        struct pollfd wait = {.fd = file, .events = POLLIN};
        ssize_t more = read(file, text + got, want - got);
        if (more < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            poll(&wait, 1, -1);
        else if (more < 0 && errno != EINTR)
            return -1;
        else if (more == 0)
            break;
        else if (more > 0)
            got += (size_t)more;
    }
    return (ssize_t)got;
}

/* Reads beyond the size of fstat, because pipes have none and files grow. */
static dls_status read_growing(int file, const char *path, size_t expected, char **text, size_t *size, dls_error *error)
{
    size_t capacity = expected + 1;
    *text = NULL;
    *size = 0;
    for (;;) {
        char *larger = realloc(*text, capacity + 1);
        if (!larger)
            return dls_fail_about(error, DLS_NO_MEMORY, path, NULL, "no memory for a file of %zu bytes", capacity);
        *text = larger;
        ssize_t got = read_all(file, *text + *size, capacity - *size);
        if (got < 0)
            return cannot_read(path, errno, error);
        *size += (size_t)got;
        (*text)[*size] = '\0';
        if (*size < capacity)
            return DLS_OK;
        if (*size > DLS_FILE_MAX)
            return too_large(path, error);
        capacity = 2 * capacity + 4096;
    }
}

dls_status dls_file_read(const char *path, char **text, size_t *size, dls_error *error)
{
    int file;
    struct stat facts;
    *text = NULL;
    *size = 0;
    DLS_TRY(open_file(path, &file, &facts, error));
    const bool pipe = S_ISFIFO(facts.st_mode);
    dls_status status = read_growing(file, path, pipe ? 0 : (size_t)facts.st_size, text, size, error);
    close(file);
    if (status == DLS_OK && pipe && *size == 0)
        status = dls_fail_about(error, DLS_IO, path, NULL,
                                "is a pipe to which nobody writes; start its writer first, or give a file");
    if (status != DLS_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

void dls_text_place(const char *text, size_t at, long *line, long *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)text[i] & 0xc0u) != 0x80u) {
            ++*column;
        }
    }
}

static bool is_marked(const char *text, size_t size) { return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; }

void dls_text_skip_mark(const char **text, size_t *size)
{
    if (is_marked(*text, *size))
        *text += 3, *size -= 3;
}

dls_status dls_text_check(const char *text, size_t size, const char *name, dls_error *error)
{
    long line, column;
    if (size == 0)
        return dls_fail_about(error, DLS_BAD_INPUT, name, NULL, "the file is empty");
    if (is_marked(text, size))
        return dls_fail_at(error, DLS_BAD_INPUT, name, 1, 1, NULL,
                           "a byte order mark; save the file as UTF-8 without one");
    for (size_t i = 0; i < size;) {
        size_t length = text[i] ? dls_utf8_length(text + i, size - i) : 0;
        if (length == 0) {
            dls_text_place(text, i, &line, &column);
            return dls_fail_at(error, DLS_BAD_INPUT, name, line, column, NULL,
                               text[i] ? "byte 0x%02x is not UTF-8; save the file as UTF-8"
                                       : "a zero byte (0x%02x): this is no text file",
                               (unsigned)(unsigned char)text[i]);
        }
        i += length;
    }
    return DLS_OK;
}
