/* SimBenchmark's bouncing test: the energy of an elastic ball, and the height to which a ball comes back. */
#include "check.h"

#include "other_engines/parts.h"

#include <string.h>

static const double fall = 4.9, speed = 9.805; /* [m], and the speed on the floor [m/s] */

static dls_engine_record drop(const dls_engines_runner *r, double e, double h, double duration)
{
    dls_engine_record record;
    dls_model *model;
    dls_error error;
    assert_status(dls_engines_bouncing_model(e, &model, &error), &error);
    assert_status(dls_engines_take(r, model, h, dls_step_count(duration, h), 60.0, &record, &error), &error);
    assert_int_equal(record.steps, dls_step_count(duration, h));
    dls_model_destroy(model);
    return record;
}

/* Semi-implicit Euler with impacts without an error has the errors that are published for ODE, to the six digits that
 * are printed, and those of free flight, but for the depth of its impacts. The theta method with theta = 1/2 keeps the
 * energy of free flight, and that of an impact which turns the speed: rounding is left of 24 kJ. */
TEST(test_energy_of_bouncing_balls)
{
    static const struct {
        double step, ode;
    } printed[] = {{0.01, 18808.3}, {0.004, 2982.68}, {0.001, 185.027}};
    static const double digits[] = {0.05, 0.005, 0.0005};
    const dls_engines_runner euler = {.method = "baumgarte", .solver = "pgs", .iterations = 4},
                             theta = {.method = "moreau-jean", .solver = "pgs", .iterations = 4};
    for (size_t k = 0; k < 3; k++) {
        const double h = printed[k].step;
        dls_engine_record one = drop(&euler, 1.0, h, 20.0), other = drop(&theta, 1.0, h, 20.0);
        const double error = dls_engines_bouncing_error(&one);
        assert_close(error, printed[k].ode, digits[k]);
        assert_close(dls_engines_bouncing_closed_form(h), error, 2.0 * h * error);
        assert_below(dls_engines_bouncing_error(&other), 24034.5 * 24034.5 * 1e-26);
        dls_engine_record_release(&one);
        dls_engine_record_release(&other);
    }
}

TEST(test_the_motion_bounces_to_the_closed_form)
{
    const double h = 1e-3;
    for (int k = 0; k < 2; k++) {
        const double e = k ? 0.5 : 1.0;
        dls_engine_record record;
        dls_model *model;
        dls_error error;
        assert_status(dls_engines_bouncing_model(e, &model, &error), &error);
        assert_status(dls_engines_motion(model, h, 4000, 1.0, &record, NULL, &error), &error);
        /* of states that are h apart, the last one that rises is below the top by up to g h^2 / 2 */
        assert_close(dls_engines_bouncing_height(&record), e * e, 9.81 * h * h / 2.0 / fall + 1e-12);
        assert_true(k || dls_engines_bouncing_error(&record) < 24034.5 * 24034.5 * 1e-24);
        dls_engine_record_release(&record);
        dls_model_destroy(model);
    }
}

/* The ball comes back to e^2 of its fall. A method of first order takes the impact within a step of the floor, h v away
 * from it, and then moves on by up to as much. An engine without a coefficient says so by its name. */
TEST(test_engines_bounce_to_the_closed_form)
{
    const double e = 0.5, h = 1e-3;
    dls_engine_entry entry;
    for (size_t i = 0; dls_engine_at(i, &entry); i++) {
        dls_engine_choice choice;
        dls_error error;
        if (dls_engine_choose(entry.name, &choice, &error) != DLS_OK) {
            print_message("# skipped: %s\n", error.message);
            continue;
        }
        const dls_engines_runner r = {.engine = &choice, .iterations = 20};
        if (choice.engine->rebounds) {
            dls_engine_record record = drop(&r, e, h, 2.2);
            const double height = dls_engines_bouncing_height(&record);
            print_message("# %s: %.6g\n", entry.name, height);
            assert_close(height, e * e, 2.0 * h * speed / fall);
            dls_engine_record_release(&record);
        } else {
            dls_engine_record record;
            dls_model *model;
            assert_status(dls_engines_bouncing_model(e, &model, &error), &error);
            assert_int_equal(dls_engines_take(&r, model, h, 10, 60.0, &record, &error), DLS_REFUSED);
            assert_non_null(strstr(error.message, entry.name));
            assert_non_null(strstr(error.message, "restitution"));
            dls_model_destroy(model);
        }
        dls_engine_release(&choice);
    }
}
