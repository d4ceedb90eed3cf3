/* SimBenchmark's rolling test by engines of other projects: friction pyramids along the axes of the ground hold what a
 * cone does not, and along an axis both are the closed form. */
#include "check.h"

#include "other_engines/parts.h"

enum { BODIES = 26 };
static const double step = 1e-3, a = 0.7385, b = 0.211; /* of plate and balls [m/s^2] */

/* Nothing moves in 4 s: the number that the benchmark has for ODE and DART. */
TEST(test_the_error_of_rest_is_the_published_one)
{
    enum { STEPS = 4000 };
    dls_engine_record record = {.n_bodies = BODIES, .steps = STEPS};
    record.states = calloc((size_t)STEPS * BODIES, sizeof *record.states);
    assert_non_null(record.states);
    for (size_t push = 0; push < 2; push++)
        assert_close(dls_engines_rolling_error(&record, push), 3.14497, 5e-6);
    dls_engine_record_release(&record);
}

static double error_of(const dls_engines_runner *r, size_t push, size_t steps, double speeds[2])
{
    const dls_vec3 along = push ? dls_v3(0, 1, 0) : dls_v3(0.5, sqrt(0.75), 0);
    dls_engine_record record;
    dls_model *model;
    dls_error error;
    assert_status(dls_engines_rolling_model(push, &model, &error), &error);
    assert_status(dls_engines_take(r, model, step, steps, 60.0, &record, &error), &error);
    assert_int_equal(record.steps, steps);
    const dls_engine_state *last = record.states + (steps - 1) * BODIES;
    speeds[0] = dls_dot(last[0].v, along), speeds[1] = dls_dot(last[1].v, along);
    const double off = dls_engines_rolling_error(&record, push);
    dls_engine_record_release(&record);
    dls_model_destroy(model);
    return off;
}

TEST(test_a_cone_rolls)
{
    const dls_engines_runner ours = {.method = "baumgarte", .solver = "nsgs", .iterations = 200};
    double speeds[2];
    for (size_t push = 0; push < 2; push++)
        assert_below(error_of(&ours, push, 50, speeds), 1e-20);
    assert_close(speeds[0], 0.05 * a, 1e-10);
    assert_close(speeds[1], 0.05 * b, 1e-10);
}

/* The solvers of ODE and DART that solve a step directly. Of 75 and 129.9 N each axis holds 137.3 N. The rounding of a
 * Dantzig step and ODE's CFM of 1e-10 leave less than a millionth. */
TEST(test_pyramids_hold_the_plate)
{
    static const char *const names[] = {"ode-step", "dart"};
    enum { STEPS = 100 };
    double squares = 0.0, speeds[2];
    for (int k = 0; k < STEPS; k++)
        squares += step * step * k * k / STEPS;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        dls_engine_choice choice;
        dls_error error;
        if (dls_engine_choose(names[k], &choice, &error) != DLS_OK) {
            print_message("# skipped: %s\n", error.message);
            continue;
        }
        const dls_engines_runner r = {.engine = &choice};
        const double held = error_of(&r, 0, STEPS, speeds);
        print_message("# %s: error %.9g of %.9g, plate %.2g m/s", names[k], held, (a * a + b * b) * squares, speeds[0]);
        assert_close(held / ((a * a + b * b) * squares), 1.0, 1e-5);
        const double moved = error_of(&r, 1, STEPS, speeds);
        print_message("; along y error %.2g, plate %.9g m/s\n", moved, speeds[0]);
        assert_close(speeds[0] / (STEPS * step * a), 1.0, 1e-4);
        assert_close(speeds[1] / (STEPS * step * b), 1.0, 1e-4);
        dls_engine_release(&choice);
    }
}

static int set_folder(void **unused)
{
    (void)unused;
    return setenv("DELASSUS_DATADIR", getenv("DLS_TEST_SOURCE") ? getenv("DLS_TEST_SOURCE") : ".", 1);
}
TESTS_WITH(set_folder, NULL)
