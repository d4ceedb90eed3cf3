/* memory.h - two ways to own memory. Not installed.
 *
 * ARENA: many arrays of one lifetime. Take arrays, check `failed` once at the end, release all of it at once:
 *     dls_arena arena = {0};
 *     double *A = DLS_TAKE(&arena, double, n * n), *b = DLS_TAKE(&arena, double, n);
 *     if (arena.failed) ...
 *     dls_arena_release(&arena);
 * A reset forgets the arrays and keeps the memory: the same takes find it again, so that work that is filled again and
 * again allocates no more once it has seen its largest task. The address sanitizer detects accesses beyond an array of
 * an arena, and to arrays that were forgotten.
 *
 * GROWING ARRAY: one array of unknown length: {at, count, capacity}, grown by dls_grow.
 */
#ifndef DELASSUS_BASE_MEMORY_H
#define DELASSUS_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dls_arena {
    struct dls_arena_block *first, *current, *last; /* blocks, in the order in which they are filled */
    size_t size;                                    /* bytes of all blocks */
    bool failed;                                    /* something could not be taken since the last reset */
} dls_arena;

/* `count` items of `size` bytes, aligned to 64 bytes and not initialised (dls_arena_zeros: zeroed). At least one byte,
 * so that NULL always means that memory is exhausted; `failed` is then set too. */
void *dls_arena_take(dls_arena *arena, size_t count, size_t size);
void *dls_arena_zeros(dls_arena *arena, size_t count, size_t size);
#define DLS_TAKE(arena, type, count) ((type *)dls_arena_take((arena), (count), sizeof(type)))
#define DLS_TAKE_ZEROS(arena, type, count) ((type *)dls_arena_zeros((arena), (count), sizeof(type)))
/* Forgets everything taken; the memory is kept. */
void dls_arena_reset(dls_arena *arena);
/* Forgets everything taken, before arrays of about `bytes` in all, and puts them into one block: where the arena has
 * several or a smaller one, these are replaced by one of half as much again, so that arrays that grow leave none behind
 * half used. Where memory is exhausted, `failed` is set, and what the arena has is kept. */
void dls_arena_reset_for(dls_arena *arena, size_t bytes);
/* Returns all memory. The arena can be used again. */
void dls_arena_release(dls_arena *arena);

/* Makes room for `count` items in an array that has room for *capacity, at least doubling it; false where memory is
 * exhausted, and then nothing has changed. */
bool dls_grow(void **array, size_t *capacity, size_t count, size_t size);
#define DLS_GROW(array, capacity, count) dls_grow((void **)&(array), &(capacity), (count), sizeof *(array))

#endif
