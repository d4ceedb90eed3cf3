#include "child.h"

#include "base/clock.h"
#include "base/memory.h"
#include "delassus/io.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int dls_child_patience(double deadline)
{
    const double longest = 1e6; /* [s], which fits an int */
    return (int)ceil(1e3 * fmax(0.0, fmin(deadline - dls_wall_clock(), longest)));
}

/* --- pipes --- */

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
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
    for (int k = 0; k < 2; k++) {
        close_end(&child->output[k]);
        close_end(&child->errors[k]);
    }
}

/* These functions return an error's number, and errno may be another. */
int dls_child_spawn(dls_child *child, char *const words[], int input)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed) {
        posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    sigemptyset(&none);
    if (!(failed = posix_spawn_file_actions_adddup2(&actions, input, 0)) &&
        !(failed = posix_spawn_file_actions_adddup2(&actions, child->output[1], 1)) &&
        !(failed = posix_spawn_file_actions_adddup2(&actions, child->errors[1], 2)) &&
        !(failed = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK)) &&
        !(failed = posix_spawnattr_setpgroup(&attributes, 0)) &&
        !(failed = posix_spawnattr_setsigmask(&attributes, &none)))
        failed = posix_spawnp(&child->process, words[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

void dls_child_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        signal(numbers[i], SIG_DFL);
}

/* --- its output --- */

enum { PIECE = 1 << 16, LAST = 4000 };

/* The end of its standard error. */
typedef struct tail {
    char text[LAST + 1];
    size_t size;
} tail;

static void keep_all(dls_text *to, const char *piece, size_t count)
{
    to->cut = to->cut || to->size + count > DLS_FILE_MAX || !DLS_GROW(to->at, to->capacity, to->size + count + 1);
    if (to->cut)
        return;
    memcpy(to->at + to->size, piece, count);
    to->size += count;
    to->at[to->size] = '\0';
}

static void keep_last(tail *to, const char *piece, size_t count)
{
    const size_t fresh = count < LAST ? count : LAST, old = to->size < LAST - fresh ? to->size : LAST - fresh;
    memmove(to->text, to->text + to->size - old, old);
    memcpy(to->text + old, piece + count - fresh, fresh);
    to->size = old + fresh;
    to->text[to->size] = '\0';
}

/* Reads once, as much as there is; false where the stream has ended, or has nothing more for now. */
static bool read_piece(int stream, dls_text *said, tail *errors)
{
    char piece[PIECE];
    const ssize_t got = read(stream, piece, sizeof piece);
    if (got > 0 && said)
        keep_all(said, piece, (size_t)got);
    else if (got > 0)
        keep_last(errors, piece, (size_t)got);
    return got > 0 || (got < 0 && errno == EINTR);
}

/* Reads both streams until they or the child end; false when the time is over. */
static bool listen_to(const dls_child *child, double deadline, dls_text *said, tail *errors)
{
    struct pollfd streams[2] = {{.fd = child->output[0], .events = POLLIN}, {.fd = child->errors[0], .events = POLLIN}};
    while ((streams[0].fd >= 0 || streams[1].fd >= 0) && !dls_child_ended(child->process)) {
        if (dls_child_patience(deadline) == 0)
            return false;
        const int ready = poll(streams, 2, dls_child_look(deadline));
        for (int k = 0; ready > 0 && k < 2; k++)
            if (streams[k].revents && !read_piece(streams[k].fd, k == 0 ? said : NULL, errors))
                streams[k].fd = -1;
    }
    return true;
}

/* Reads the rest in the pipes, without waiting for other processes that hold them. */
static void drain(const dls_child *child, double deadline, dls_text *said, tail *errors)
{
    const int streams[2] = {child->output[0], child->errors[0]};
    for (int k = 0; k < 2; k++) {
        fcntl(streams[k], F_SETFL, O_NONBLOCK);
        while (read_piece(streams[k], k == 0 ? said : NULL, errors) && !said->cut && dls_child_patience(deadline) > 0)
            ;
    }
}

/* --- its end --- */

bool dls_child_ended(pid_t process)
{
    siginfo_t facts = {.si_pid = 0};
    const int failed = waitid(P_PID, (id_t)process, &facts, WEXITED | WNOHANG | WNOWAIT);
    return facts.si_pid == process || (failed && errno != EINTR);
}

int dls_child_look(double deadline)
{
    enum { LOOK = 5 }; /* [ms] */
    const int patience = dls_child_patience(deadline);
    return patience < LOOK ? patience : LOOK;
}

/* Whether it ends in time. */
static bool ends(pid_t process, double deadline)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    while (!dls_child_ended(process)) {
        if (dls_child_patience(deadline) == 0)
            return false;
        nanosleep(&moment, NULL);
    }
    return true;
}

bool dls_child_wait(dls_child *child, double seconds, dls_text *said, char *why, size_t size)
{
    const double deadline = dls_wall_clock() + seconds;
    tail errors = {.size = 0};
    int status = 0;
    close_end(&child->output[1]);
    close_end(&child->errors[1]);
    const bool in_time = listen_to(child, deadline, said, &errors) && ends(child->process, deadline);
    kill(-child->process, SIGKILL); /* the group: the program, if it is late, and its processes */
    if (in_time)
        drain(child, deadline, said, &errors);
    while (waitpid(child->process, &status, 0) < 0 && errno == EINTR)
        ;
    dls_child_close(child);
    while (errors.size > 0 && strchr("\r\n", errors.text[errors.size - 1]))
        errors.size--;
    errors.text[errors.size] = '\0';
    const char *end = strrchr(errors.text, '\n'), *line = end ? end + 1 : errors.text; /* the last one */
    why[0] = '\0';
    if (!in_time)
        snprintf(why, size, "no answer within %g s: killed", seconds);
    else if (WIFSIGNALED(status))
        snprintf(why, size, "the program was ended by signal %d (%s)%s%.200s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)), *line ? ": " : "", line);
    else if (WEXITSTATUS(status) != 0)
        snprintf(why, size, "the program ended with status %d%s%.200s", WEXITSTATUS(status), *line ? ": " : "", line);
    return in_time;
}
