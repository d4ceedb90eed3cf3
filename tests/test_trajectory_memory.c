/* Reference trajectories with the n-th allocation failing, for every n: a status, no leak, no crash; and none while
 * they go on. */
#include "failing_memory.h"
#include "world.h"

#include "delassus/reference.h"

static const char mimics[] = "joints:\n  - {name: one, type: mimic, coordinates: {arm.upper: 1, arm.slide: -7}}\n";
static const char ties[] =
    "joints:\n  - {name: tie, type: hinge, body1: arm.hand, body2: stone, anchor: [0.3, 0.2, 0.9], axis: [1, 0.4, 0]}\n"
    "  - {name: spring, type: drive, coordinates: {tie: 1}, stiffness: 3}\n";

/* Which lands within the time that is integrated. */
static const char ball[] = "world: {collide: true, friction: cone, mu: 0.3}\nbodies:\n"
                           "  - {name: ball, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 0.1001], velocity: "
                           "[1, 0, -1]}\n  - {name: floor, shape: plane, static: true}\n";

/* A step whose history finds no memory ends the trajectory. */
static void fail_history(const char *const *parts)
{
    dls_model *model = parse_parts(parts);
    dls_state *state = new_state(model);
    dls_trajectory_settings settings = dls_trajectory_default();
    dls_error error;
    settings.events = settings.history = true;
    bool failed = true;
    for (size_t k = 1; failed; k++) {
        dls_trajectory *exact = NULL;
        assert_status(dls_trajectory_create(model, dls_model_initial(model), &settings, &exact, &error), &error);
        allocations = 0, fail_at = k;
        const dls_status status = dls_trajectory_advance(exact, 0.01, state, &error);
        failed = allocations >= k;
        fail_at = 0;
        assert_int_equal(status, failed ? DLS_NO_MEMORY : DLS_OK);
        dls_trajectory_destroy(exact);
    }
    dls_state_destroy(state);
    dls_model_destroy(model);
}

static void fail_each(const char *const *parts, dls_trajectory_method method, bool events)
{
    dls_model *model = parse_parts(parts);
    dls_state *state = new_state(model);
    dls_trajectory_settings settings = dls_trajectory_default();
    dls_trajectory *exact = NULL;
    dls_error error;
    settings.method = method;
    settings.project_start = true;
    settings.events = settings.history = events;
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
    assert_true((allocations == 0) != settings.history);
    if (settings.history) {
        allocations = 0;
        assert_status(dls_trajectory_at(exact, 0.005, false, state, NULL, &error), &error);
        assert_int_equal(allocations, 0);
    }
    dls_trajectory_destroy(exact);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

TEST(test_every_allocation_may_fail)
{
    fail_each(PARTS(TWO_TREES, mimics), DLS_TRAJECTORY_ELIMINATION, false);
    fail_each(PARTS(TWO_TREES, mimics), DLS_TRAJECTORY_MULTIPLIERS, false);
    fail_each(PARTS(TWO_TREES, ties), DLS_TRAJECTORY_MULTIPLIERS, false);
    fail_each(PARTS(ball), DLS_TRAJECTORY_MULTIPLIERS, true);
    fail_history(PARTS(ball));
}
