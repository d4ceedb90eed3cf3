/* Reference trajectories with the n-th allocation failing, for every n: a status, no leak, no crash; and none while
 * they go on. */
#include "failing_memory.h"
#include "world.h"

#include "delassus/reference.h"

static const char mimics[] = "joints:\n  - {name: one, type: mimic, coordinates: {arm.upper: 1, arm.slide: -7}}\n";
static const char ties[] =
    "joints:\n  - {name: tie, type: hinge, body1: arm.hand, body2: stone, anchor: [0.3, 0.2, 0.9], axis: [1, 0.4, 0]}\n"
    "  - {name: spring, type: drive, coordinates: {tie: 1}, stiffness: 3}\n";

static void fail_each(const char *joints, dls_trajectory_method method)
{
    dls_model *model = parse_parts(PARTS(TWO_TREES, joints));
    dls_state *state = new_state(model);
    dls_trajectory_settings settings = dls_trajectory_default();
    dls_trajectory *exact = NULL;
    dls_error error;
    settings.method = method;
    settings.project_start = true;
    dls_status status = DLS_NO_MEMORY;
    for (size_t k = 1; status == DLS_NO_MEMORY; k++) {
        assert_true(k < 1000);
        allocations = 0, fail_at = k;
        status = dls_trajectory_create(model, dls_model_initial(model), &settings, &exact, &error);
        fail_at = 0;
        assert_true(status == DLS_OK || (!exact && error.status == DLS_NO_MEMORY));
    }
    assert_status(status, &error);
    assert_true(allocations > 0);
    allocations = 0;
    assert_status(dls_trajectory_advance(exact, 0.01, state, &error), &error);
    assert_int_equal(allocations, 0);
    dls_trajectory_destroy(exact);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

TEST(test_every_allocation_may_fail)
{
    fail_each(mimics, DLS_TRAJECTORY_ELIMINATION);
    fail_each(mimics, DLS_TRAJECTORY_MULTIPLIERS);
    fail_each(ties, DLS_TRAJECTORY_MULTIPLIERS);
}
