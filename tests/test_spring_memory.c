/* Every allocation of a spring's rig and its steps fails once, in every rig: the status says so, nothing leaks. */
#include "check.h"
#include "failing_memory.h"

#include "spring/parts.h"

static dls_status try_map(dls_spring_kind kind, bool printed, size_t which, dls_error *error)
{
    const dls_spring_setup setup = {
        .kind = kind, .mass = 2.385, .kp = 40.0, .kd = 3.0, .C = 0.1, .step = 0.01, .printed = printed};
    double P[4];
    allocations = 0, fail_at = which;
    dls_status status = dls_spring_map(&setup, &dls_spring_ways[printed ? 0 : 2], 2, 0.01, P, error);
    fail_at = 0;
    return status;
}

static void try_all(dls_spring_kind kind, bool printed)
{
    dls_error error;
    assert_status(try_map(kind, printed, 0, &error), &error); /* once for what libraries keep */
    long before = live;
    assert_status(try_map(kind, printed, 0, &error), &error);
    assert_int_equal(live, before);
    size_t needed = allocations;
    assert_true(needed > 0);
    for (size_t k = 1; k <= needed; k++) {
        dls_status status = try_map(kind, printed, k, &error);
        if (status != DLS_NO_MEMORY || live != before)
            fail_msg("%s, allocation %zu of %zu: %s, %ld leaked", dls_spring_kind_names[kind], k, needed,
                     dls_status_text(status), live - before);
    }
}

TEST(test_every_allocation)
{
    for (dls_spring_kind kind = 0; kind < DLS_SPRING_KINDS; kind++)
        try_all(kind, false);
    try_all(DLS_SPRING_DISTANCE, true);
}
