/* An arena that is reset for arrays of a known size has them in one block, also while they grow. */
#include "check.h"
#include "failing_memory.h"

#include "base/memory.h"

enum { ARRAYS = 5 };

static void take_arrays(dls_arena *arena, size_t count, double *array[ARRAYS])
{
    for (size_t k = 0; k < ARRAYS; k++) {
        array[k] = DLS_TAKE(arena, double, count);
        assert_non_null(array[k]);
        for (size_t i = 0; i < count; i++)
            array[k][i] = (double)k;
    }
    for (size_t k = 0; k < ARRAYS; k++)
        for (size_t i = 0; i < count; i++)
            assert_true(array[k][i] == (double)k);
}

static size_t bytes_of(size_t count) { return ARRAYS * (count * sizeof(double) + 64); }

TEST(test_one_block)
{
    const long before = live;
    dls_arena arena = {0};
    double *array[ARRAYS];
    take_arrays(&arena, 1000, array); /* of several blocks */
    assert_true(live > before + 1);
    for (size_t count = 1; count < 100000; count += count / 3 + 1) {
        dls_arena_reset_for(&arena, bytes_of(count));
        assert_true(live == before + 1);
        take_arrays(&arena, count, array);
        assert_true(live == before + 1);
        for (size_t k = 1; k < ARRAYS; k++)
            assert_true((size_t)(array[k] - array[k - 1]) <= count + 8);
    }
    dls_arena_release(&arena);
    assert_true(live == before);
}

/* The same arrays find the same places, without an allocation; so do those that are smaller, or little larger. */
TEST(test_same_places)
{
    dls_arena arena = {0};
    double *array[ARRAYS], *again[ARRAYS];
    dls_arena_reset_for(&arena, bytes_of(5000));
    take_arrays(&arena, 5000, array);
    const size_t so_far = allocations;
    for (size_t count = 4000; count <= 7000; count += 500) {
        dls_arena_reset_for(&arena, bytes_of(count));
        take_arrays(&arena, count, again);
        assert_ptr_equal(again[0], array[0]);
    }
    assert_int_equal(allocations, so_far);
    dls_arena_release(&arena);
}

/* Without memory for a larger block the arena says so, and keeps what it has. */
TEST(test_no_larger_block)
{
    dls_arena arena = {0};
    double *array[ARRAYS];
    take_arrays(&arena, 1000, array);
    const long held = live;
    fail_at = allocations + 1;
    dls_arena_reset_for(&arena, bytes_of(100000));
    fail_at = 0;
    assert_true(arena.failed && live == held);
    dls_arena_reset_for(&arena, SIZE_MAX);
    assert_true(arena.failed && live == held);
    dls_arena_reset(&arena);
    take_arrays(&arena, 1000, array);
    assert_true(!arena.failed && live == held);
    dls_arena_release(&arena);
}
