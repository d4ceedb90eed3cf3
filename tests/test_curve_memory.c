/* Curves and twists: the n-th allocation fails, for every n; the call that needed it says so and leaks nothing.
 * Evaluation takes none. */
#include "curves.h"
#include "failing_memory.h"

static dls_status whole(const curve_spec *spec, size_t k, dls_error *error)
{
    dls_curve *curve;
    dls_twist *twist = NULL;
    dls_status status = try_curve(spec, &curve, error);
    if (status == DLS_OK)
        status = try_twist_spec(k, curve, &twist, error);
    if (status == DLS_OK) {
        size_t before = allocations;
        dls_curve_point F, wF;
        for (int i = 0; i < 10; i++)
            dls_track_at(curve, twist, 0.3 * i, &F, &wF);
        assert_true(dls_curve_nearest_of_all(curve, wF.P).found);
        assert_int_equal(allocations, before);
    }
    dls_twist_destroy(twist);
    dls_curve_destroy(curve);
    return status;
}

static void fail_each(const curve_spec *spec, size_t k)
{
    dls_error error;
    long before = live;
    allocations = fail_at = 0;
    assert_status(whole(spec, k, &error), &error);
    assert_int_equal(live, before);
    size_t needed = allocations;
    assert_true(needed >= 5);
    for (size_t i = 1; i <= needed; i++) {
        allocations = 0, fail_at = i;
        dls_status status = whole(spec, k, &error);
        fail_at = 0;
        if (status != DLS_NO_MEMORY || error.status != status || !error.message[0] || live != before)
            print_error("%s: allocation %zu of %zu failed, the status was '%s', %ld leaked\n", spec->name, i, needed,
                        dls_status_text(status), live - before);
        assert_int_equal(status, DLS_NO_MEMORY);
        assert_int_equal(error.status, DLS_NO_MEMORY);
        assert_int_equal(live, before);
    }
}

TEST(test_every_allocation_may_fail)
{
    for (size_t i = 0; i < SPECS; i++)
        fail_each(&spec_all[i], i % TWIST_SPECS);
}
