/* Every allocation of a run with mimic joints fails once, in every way of stepping: the status says so, nothing leaks.
 */
#include "check.h"
#include "failing_memory.h"

#include "mimic/parts.h"

static dls_status try_run(dls_mimic_way way, size_t which, dls_error *error)
{
    const dls_mimic_setup setup = {.mechanism = DLS_MIMIC_PARALLEL_2, .actuation = DLS_MIMIC_DRIVE_LIMIT, .erp = 0.2};
    const dls_mimic_run run = {way, 2, 0.01, 0.02};
    dls_mimic_path path = {0, 0, NULL};
    dls_mimic_result result;
    allocations = 0, fail_at = which;
    dls_status status = dls_mimic_try(&setup, &run, &path, &result, error);
    fail_at = 0;
    dls_mimic_path_release(&path);
    return status;
}

TEST(test_every_allocation)
{
    for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS; way++) {
        dls_error error;
        assert_status(try_run(way, 0, &error), &error); /* once for what libraries keep */
        long before = live;
        assert_status(try_run(way, 0, &error), &error);
        assert_int_equal(live, before);
        size_t needed = allocations;
        assert_true(needed > 0);
        for (size_t k = 1; k <= needed; k++) {
            dls_status status = try_run(way, k, &error);
            if (status != DLS_NO_MEMORY || live != before)
                fail_msg("%s, allocation %zu of %zu: %s, %ld leaked", dls_mimic_way_names[way], k, needed,
                         dls_status_text(status), live - before);
        }
    }
}
