#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Under the address sanitizer bytes that no array has taken may not be touched, so that it finds accesses beyond an
 * array. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WITH_ADDRESS_SANITIZER
#endif
#ifdef WITH_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, bytes) ((void)(start), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(start, bytes) ((void)(start), (void)(bytes))
#endif

enum { ALIGNMENT = 64, FIRST_BLOCK = 4096 };

typedef struct dls_arena_block {
    struct dls_arena_block *next;
    size_t size, used; /* of the bytes after the header */
} dls_arena_block;

/* The header takes one alignment, so that the arrays are aligned too. */
_Static_assert(sizeof(dls_arena_block) <= ALIGNMENT, "the header of a block fits its alignment");

static char *start_of(dls_arena_block *block) { return (char *)block + ALIGNMENT; }

static size_t rounded(size_t bytes) { return (bytes / ALIGNMENT + 1) * ALIGNMENT; }

/* NULL: no memory. */
static dls_arena_block *add_block(dls_arena *arena, size_t size)
{
    dls_arena_block *block = size < SIZE_MAX / 4 ? aligned_alloc(ALIGNMENT, ALIGNMENT + size) : NULL;
    if (!block)
        return NULL;
    *block = (dls_arena_block){NULL, size, 0};
    ASAN_POISON_MEMORY_REGION(start_of(block), size);
    if (arena->last)
        arena->last->next = block;
    else
        arena->first = block;
    arena->last = block;
    arena->size += size;
    return block;
}

/* A block that holds at least as much as all before it: their number grows with the logarithm of the bytes taken. */
static dls_arena_block *add_block_for(dls_arena *arena, size_t bytes)
{
    const size_t size = arena->size < FIRST_BLOCK ? FIRST_BLOCK : arena->size;
    return add_block(arena, size < bytes ? bytes : size);
}

/* Blocks are filled one after another, so that the same takes after a reset find the same places. */
void *dls_arena_take(dls_arena *arena, size_t count, size_t size)
{
    size_t bytes = count < SIZE_MAX / 8 / size ? rounded(count * size) : SIZE_MAX;
    dls_arena_block *block = arena->current ? arena->current : arena->first;
    while (block && block->size - block->used < bytes)
        block = block->next;
    if (!block && !(block = add_block_for(arena, bytes))) {
        arena->failed = true;
        return NULL;
    }
    char *taken = start_of(block) + block->used;
    ASAN_UNPOISON_MEMORY_REGION(taken, count * size);
    block->used += bytes;
    arena->current = block;
    return taken;
}

void *dls_arena_zeros(dls_arena *arena, size_t count, size_t size)
{
    void *taken = dls_arena_take(arena, count, size);
    return taken ? memset(taken, 0, count * size) : NULL;
}

void dls_arena_reset(dls_arena *arena)
{
    for (dls_arena_block *block = arena->first; block; block = block->next) {
        block->used = 0;
        ASAN_POISON_MEMORY_REGION(start_of(block), block->size);
    }
    arena->current = NULL;
    arena->failed = false;
}

void dls_arena_reset_for(dls_arena *arena, size_t bytes)
{
    dls_arena one = {0};
    dls_arena_reset(arena);
    if (arena->first && arena->first == arena->last && arena->size >= bytes)
        return;
    bytes = bytes < SIZE_MAX / 4 ? rounded(bytes + bytes / 2) : SIZE_MAX;
    arena->failed = !add_block(&one, bytes < arena->size ? arena->size : bytes);
    if (arena->failed)
        return;
    dls_arena_release(arena);
    *arena = one;
}

void dls_arena_release(dls_arena *arena)
{
    while (arena->first) {
        dls_arena_block *next = arena->first->next;
        free(arena->first);
        arena->first = next;
    }
    *arena = (dls_arena){0};
}

bool dls_grow(void **array, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity && *array)
        return true;
    size_t more = count < 2 * *capacity ? 2 * *capacity : count;
    more = more < 8 ? 8 : more;
    void *larger = more < SIZE_MAX / 2 / size ? realloc(*array, more * size) : NULL;
    if (!larger)
        return false;
    *array = larger;
    *capacity = more;
    return true;
}
