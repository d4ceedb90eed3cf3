/* Curves and twists: the n-th allocation fails, for every n; the call that needed it says so and leaks nothing.
 * Evaluation takes none. */
#include "curves.h"
#include "failing_memory.h"

static dls_status whole(const void *which, dls_error *error)
{
    const size_t k = *(const size_t *)which;
    dls_curve *curve;
    dls_twist *twist = NULL;
    dls_status status = try_curve(&spec_all[k], &curve, error);
    if (status == DLS_OK)
        status = try_twist_spec(k % TWIST_SPECS, curve, &twist, error);
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

TEST(test_every_allocation_may_fail)
{
    for (size_t k = 0; k < SPECS; k++)
        fail_every_allocation(whole, &k, spec_all[k].name);
}
