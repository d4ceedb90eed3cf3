/* Every allocation of a rig fails once, in every way to hold a constraint: the status says so, nothing leaks. */
#include "check.h"
#include "failing_memory.h"

#include "study/hold.h"

static dls_status try_rig(const dls_hold *hold, dls_model *model, size_t which, dls_error *error)
{
    const dls_hold_rows rows = {0.2, 5.0, 1.0};
    dls_hold_rig rig;
    allocations = 0, fail_at = which;
    dls_status status = dls_hold_open(hold, model, &rows, "pgs", 2, true, &rig, error);
    for (int k = 0; k < 2 && status == DLS_OK; k++)
        status = dls_hold_step(&rig, 0.01, error);
    fail_at = 0;
    dls_hold_close(&rig);
    return status;
}

static void check_way(const dls_hold *hold, dls_model *model)
{
    dls_error error;
    assert_status(try_rig(hold, model, 0, &error), &error); /* once for what libraries keep */
    long before = live;
    assert_status(try_rig(hold, model, 0, &error), &error);
    assert_int_equal(live, before);
    size_t needed = allocations;
    assert_true(needed > 0);
    for (size_t k = 1; k <= needed; k++) {
        dls_status status = try_rig(hold, model, k, &error);
        if (status != DLS_NO_MEMORY || live != before)
            fail_msg("%s, allocation %zu of %zu: %s, %ld leaked", hold->name, k, needed, dls_status_text(status),
                     live - before);
    }
}

static void test_every_allocation(void **unused)
{
    (void)unused;
    dls_model *model;
    dls_error error;
    assert_status(dls_hold_model("hinge-pair", 1e3, &model, &error), &error);
    for (const dls_hold *hold = dls_holds; hold->name; hold++)
        check_way(hold, model);
    dls_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
