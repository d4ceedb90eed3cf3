#define _GNU_SOURCE /* pipe2 */

#include "apart.h"

#include "delassus/reference.h"

#include <errno.h>
#include <fcntl.h>
#include <flint/flint.h>
#include <gmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool always_apart;

void dls_exact_apart(bool always) { atomic_store(&always_apart, always); }

/* Whether memory is plenty. It is only mapped, which takes no time. */
static bool has_room(void)
{
    const size_t plenty = (size_t)256 << 20;
    void *room = mmap(NULL, plenty, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return room != MAP_FAILED && munmap(room, plenty) == 0;
}

/* --- the child, whose memory functions, signals and end are its own --- */

static void *memory_or_exit(void *memory)
{
    if (!memory)
        _exit(EXIT_FAILURE);
    return memory;
}

static void *child_malloc(size_t size) { return memory_or_exit(malloc(size ? size : 1)); }
static void *child_calloc(size_t count, size_t size)
{
    return memory_or_exit(calloc(count ? count : 1, size ? size : 1));
}
static void *child_realloc(void *memory, size_t size) { return memory_or_exit(realloc(memory, size ? size : 1)); }
static void *child_grow(void *memory, size_t before, size_t size)
{
    (void)before;
    return child_realloc(memory, size);
}
static void child_free(void *memory, size_t size)
{
    (void)size;
    free(memory);
}

static _Noreturn void work_in_child(const dls_apart *apart, int to)
{
    dls_error error = {.message = ""};
    FILE *stream = fdopen(to, "w");
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGFPE, SIGXCPU};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL);
    __flint_set_memory_functions(child_malloc, child_calloc, child_realloc, free);
    mp_set_memory_functions(child_malloc, child_grow, child_free);
    if (!stream)
        _exit(EXIT_FAILURE);
    const dls_status status = apart->work(apart->context, &error);
    bool sent = fwrite(&status, sizeof status, 1, stream) == 1 && fwrite(&error, sizeof error, 1, stream) == 1 &&
                fwrite(apart->result, apart->size, 1, stream) == 1 &&
                (status != DLS_OK || !apart->send || apart->send(apart->context, stream));
    sent = fflush(stream) == 0 && sent;
    _exit(sent ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* --- the caller --- */

static dls_status no_memory(dls_error *error)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for exact arithmetic");
}

static dls_status receive_result(const dls_apart *apart, FILE *from, dls_error *error)
{
    dls_status status;
    dls_error why;
    if (fread(&status, sizeof status, 1, from) != 1 || fread(&why, sizeof why, 1, from) != 1 ||
        fread(apart->result, apart->size, 1, from) != 1)
        return no_memory(error);
    if (status != DLS_OK && error)
        *error = why;
    const bool whole = status != DLS_OK || !apart->receive || apart->receive(apart->context, from);
    return whole ? status : no_memory(error);
}

dls_status dls_apart_run(const dls_apart *apart, dls_error *error)
{
    int ends[2];
    if (!atomic_load(&always_apart) && has_room())
        return apart->work(apart->context, error);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return dls_fail(error, DLS_IO, "no pipe to a process for exact arithmetic");
    FILE *from = fdopen(ends[0], "r");
    const pid_t child = from ? fork() : -1;
    if (child == 0)
        work_in_child(apart, ends[1]);
    close(ends[1]);
    const dls_status status = child > 0 ? receive_result(apart, from, error) : no_memory(error);
    if (from)
        fclose(from);
    else
        close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return status;
}

bool dls_apart_send_text(const char *text, FILE *to)
{
    const size_t length = text ? strlen(text) + 1 : 0;
    return fwrite(&length, sizeof length, 1, to) == 1 && (length == 0 || fwrite(text, length, 1, to) == 1);
}

bool dls_apart_receive_text(char **text, FILE *from)
{
    size_t length;
    *text = NULL;
    if (fread(&length, sizeof length, 1, from) != 1)
        return false;
    *text = length > 0 ? malloc(length) : NULL;
    return length == 0 || (*text && fread(*text, length, 1, from) == 1);
}
