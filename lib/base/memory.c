#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, FIRST_BLOCK = 4096 };

typedef struct dls_arena_block {
    struct dls_arena_block *next;
    size_t size, used; /* of the bytes after the header */
} dls_arena_block;

/* The header takes one alignment, so that what follows is aligned too. */
_Static_assert(sizeof(dls_arena_block) <= ALIGNMENT, "the header of a block fits its alignment");

static size_t rounded(size_t bytes) { return (bytes / ALIGNMENT + 1) * ALIGNMENT; }

static dls_arena_block *add_block(dls_arena *arena, size_t size)
{
    dls_arena_block *block = size < SIZE_MAX / 4 ? aligned_alloc(ALIGNMENT, ALIGNMENT + size) : NULL;
    if (!block)
        return NULL;
    *block = (dls_arena_block){arena->blocks, size, 0};
    return arena->blocks = block;
}

/* A new block holds at least as much as all before it: their number grows with the logarithm of what is taken. */
static dls_arena_block *block_with(dls_arena *arena, size_t bytes)
{
    dls_arena_block *block = arena->blocks;
    if (block && block->size - block->used >= bytes)
        return block;
    size_t size = arena->used > arena->reserve ? rounded(arena->used) : arena->reserve;
    size = size < FIRST_BLOCK ? FIRST_BLOCK : size;
    return add_block(arena, size < bytes ? bytes : size);
}

void *dls_arena_take(dls_arena *arena, size_t count, size_t size)
{
    dls_arena_block *block = count < SIZE_MAX / 4 / size ? block_with(arena, rounded(count * size)) : NULL;
    if (!block) {
        arena->failed = true;
        return NULL;
    }
    char *taken = (char *)block + ALIGNMENT + block->used;
    block->used += rounded(count * size);
    arena->used += rounded(count * size);
    return taken;
}

void *dls_arena_zeros(dls_arena *arena, size_t count, size_t size)
{
    void *taken = dls_arena_take(arena, count, size);
    return taken ? memset(taken, 0, count * size) : NULL;
}

void dls_arena_reset(dls_arena *arena)
{
    size_t used = arena->used;
    if (arena->blocks && arena->blocks->next) { /* one block for all of it, and a quarter more for rounds that differ */
        dls_arena_release(arena);
        arena->reserve = rounded(used + used / 4);
    }
    if (arena->blocks)
        arena->blocks->used = 0;
    arena->used = 0;
    arena->failed = false;
}

void dls_arena_release(dls_arena *arena)
{
    while (arena->blocks) {
        dls_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
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
