/* failing_memory.c - allocations that are counted, and fail on demand. */
#include "failing_memory.h"

#include "check.h"

#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);

size_t allocations, fail_at, taken;
long live;

bool granted(size_t bytes)
{
    taken += bytes;
    return ++allocations != fail_at;
}

void *counted(void *memory)
{
    live += memory != NULL;
    return memory;
}

/* Fresh memory is full of NaN: what is read before it is written shows in the answer. */
static void *poisoned(void *memory, size_t size) { return memory ? memset(memory, 0xff, size) : NULL; }

void *__wrap_malloc(size_t size) { return granted(size) ? poisoned(counted(__real_malloc(size)), size) : NULL; }
void *__wrap_calloc(size_t count, size_t size)
{
    return granted(count * size) ? counted(__real_calloc(count, size)) : NULL;
}
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return granted(size) ? poisoned(counted(__real_aligned_alloc(alignment, size)), size) : NULL;
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (!granted(size))
        return NULL;
    return memory ? __real_realloc(memory, size) : counted(__real_malloc(size));
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}

static bool survives(failing_call call, const void *argument, size_t which, const char *name)
{
    dls_error error = {.message = ""};
    const long before = live;
    allocations = 0, fail_at = which;
    const dls_status status = call(argument, &error);
    fail_at = 0;
    if (status == DLS_NO_MEMORY && error.status == status && error.message[0] && live == before)
        return true;
    print_error("%s: allocation %zu failed, status '%s', message '%s', %ld leaked\n", name, which,
                dls_status_text(status), error.message, live - before);
    return false;
}

void fail_every_allocation(failing_call call, const void *argument, const char *name)
{
    dls_error error;
    size_t failures = 0;
    assert_status(call(argument, &error), &error); /* once for the memory that libraries keep */
    const long before = live;
    allocations = fail_at = 0;
    assert_status(call(argument, &error), &error);
    assert_int_equal(live, before);
    const size_t needed = allocations;
    assert_true(needed > 0);
    for (size_t k = 1; k <= needed && failures < 5; k++)
        failures += !survives(call, argument, k, name);
    assert_int_equal(failures, 0);
}
