#include "child.h"

#include "delassus/io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 1 << 16, KEPT_OF_ERRORS = 4000 };

/* What is there to read; false at the end, or without memory. */
static bool take(int from, dls_text *to, size_t most)
{
    char piece[PIECE];
    ssize_t got = read(from, piece, sizeof piece);
    if (got <= 0)
        return got < 0 && (errno == EINTR || errno == EAGAIN);
    size_t count = to->size + (size_t)got > most ? most - to->size : (size_t)got;
    if (to->size + count + 1 > to->capacity) {
        size_t capacity = 2 * (to->size + count) + PIECE;
        char *larger = realloc(to->at, capacity);
        if (!larger)
            return false;
        to->at = larger, to->capacity = capacity;
    }
    memcpy(to->at + to->size, piece, count);
    to->size += count;
    to->at[to->size] = '\0';
    return true;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads both streams until they end; false when the time is over. */
static bool listen_to(int output, int errors, double deadline, dls_text *said, dls_text *complained)
{
    struct pollfd streams[2] = {{.fd = output, .events = POLLIN}, {.fd = errors, .events = POLLIN}};
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
        double left = deadline - now();
        if (left <= 0.0)
            return false;
        if (poll(streams, 2, left > 1e5 ? 100000000 : (int)(1e3 * left) + 1) <= 0)
            continue;
        if (streams[0].revents && !take(output, said, DLS_FILE_MAX))
            streams[0].fd = -1;
        if (streams[1].revents && !take(errors, complained, KEPT_OF_ERRORS))
            streams[1].fd = -1;
    }
    return true;
}

static void close_both(int ends[2])
{
    for (int k = 0; k < 2; k++)
        if (ends[k] >= 0)
            close(ends[k]);
    ends[0] = ends[1] = -1;
}

static bool open_pipe(int ends[2])
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

bool dls_child_pipes(dls_child *child)
{
    *child = (dls_child){.process = -1, .output = {-1, -1}, .errors = {-1, -1}};
    return open_pipe(child->output) && open_pipe(child->errors);
}

void dls_child_close(dls_child *child)
{
    close_both(child->output);
    close_both(child->errors);
}

/* The last line of what the program complained, without its end. */
static const char *last_line(dls_text *complained)
{
    while (complained->size > 0 && strchr("\r\n", complained->at[complained->size - 1]))
        complained->at[--complained->size] = '\0';
    char *line = complained->size ? strrchr(complained->at, '\n') : NULL;
    return line ? line + 1 : complained->size ? complained->at : "";
}

/* How the program ended, where that was not well. */
static void tell_end(int status, double seconds, bool in_time, dls_text *complained, char *why, size_t size)
{
    const char *line = last_line(complained);
    if (!in_time)
        snprintf(why, size, "no answer within %g s: killed", seconds);
    else if (WIFSIGNALED(status))
        snprintf(why, size, "the program was ended by signal %d (%s)%s%.200s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)), *line ? ": " : "", line);
    else if (WEXITSTATUS(status) != 0)
        snprintf(why, size, "the program ended with status %d%s%.200s", WEXITSTATUS(status), *line ? ": " : "", line);
}

void dls_child_wait(dls_child *child, double seconds, dls_text *said, char *why, size_t size)
{
    dls_text complained = {0};
    int status = 0;
    close(child->output[1]), close(child->errors[1]);
    child->output[1] = child->errors[1] = -1;
    bool in_time = listen_to(child->output[0], child->errors[0], now() + seconds, said, &complained);
    if (!in_time)
        kill(-child->process, SIGKILL);
    while (waitpid(child->process, &status, 0) < 0 && errno == EINTR)
        ;
    kill(-child->process, SIGKILL); /* what it may have left running */
    dls_child_close(child);
    why[0] = '\0';
    tell_end(status, seconds, in_time, &complained, why, size);
    free(complained.at);
}
