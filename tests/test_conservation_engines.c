/* SimBenchmark's elastic balls and its quadruped: what the laws of conservation leave of them. */
#include "check.h"

#include "other_engines/parts.h"

#include <string.h>

static const double weight = 10.0 * 9.81; /* of an elastic ball [N] */

static dls_engine_record take(const dls_engines_runner *r, const dls_model *model, double h, double duration)
{
    dls_engine_record record;
    dls_error error;
    assert_status(dls_engines_take(r, model, h, dls_step_count(duration, h), 60.0, &record, &error), &error);
    assert_int_equal(record.steps, dls_step_count(duration, h));
    return record;
}

static dls_engine_record follow(const dls_model *model, double h, double duration, size_t *impacts)
{
    dls_engine_record record;
    dls_error error;
    assert_status(dls_engines_motion(model, h, dls_step_count(duration, h), 1.0, &record, impacts, &error), &error);
    assert_int_equal(record.steps, dls_step_count(duration, h));
    return record;
}

/* An engine that was built, or false. */
static bool load(const char *name, dls_engine_choice *choice)
{
    dls_error error;
    if (dls_engine_choose(name, choice, &error) == DLS_OK)
        return true;
    print_message("# skipped: %s\n", error.message);
    return false;
}

/* --- elastic balls --- */

/* Rounding of the energy E of all balls, and of the momentum M v that they have [J^2], [kg m/s]. */
static void assert_conserved(const dls_engines_elastic *of, double energy_error, double energy, double momentum)
{
    assert_below(energy_error, energy * energy * 1e-26);
    assert_below(of->across, momentum * 1e-12);
    assert_below(of->about, momentum * 1e-11);
}

/* Each impact keeps energy, horizontal momentum and the angular momentum about a vertical axis: in the motion, and in
 * steps of semi-implicit Euler, whose energy in flight is off by M g h v / 2. The theta method has no error in flight;
 * its impulses act along the line of centres half a step of the old velocity away, so that it keeps the angular
 * momentum to O(h) alone. */
TEST(test_elastic_balls_keep_what_they_have)
{
    const dls_engines_runner euler = {.method = "baumgarte", .solver = "pgs", .iterations = 20},
                             theta = {.method = "moreau-jean", .solver = "pgs", .iterations = 20};
    const double h = 1e-3, duration = 1.5, energy = 8.0 * weight * 1.2, momentum = 8.0 * 10.0 * 5.0;
    dls_model *model;
    dls_error error;
    size_t impacts = 0;
    assert_status(dls_engines_elastic_model(2, &model, &error), &error);
    dls_engine_record record = follow(model, 0.01, duration, &impacts);
    dls_engines_elastic of = dls_engines_elastic_measure(model, &record, 0.0);
    dls_engine_record_release(&record);
    assert_true(impacts >= 12); /* four balls fall on the plane, four on them, and all meet again */
    assert_conserved(&of, of.energy, energy, momentum);
    record = take(&euler, model, h, duration);
    of = dls_engines_elastic_measure(model, &record, h);
    dls_engine_record_release(&record);
    assert_conserved(&of, of.beside, energy, momentum);
    assert_true(of.energy > 1e-4 && of.energy < 8.0 * weight * h * 5.0 * 8.0 * weight * h * 5.0);
    record = take(&theta, model, h, duration);
    of = dls_engines_elastic_measure(model, &record, h);
    dls_engine_record_release(&record);
    assert_below(of.energy, energy * energy * 1e-26);
    assert_below(of.across, momentum * 1e-12);
    assert_below(of.about, momentum * h);
    dls_model_destroy(model);
}

/* Bullet steps as our Euler does. ODE does so but for its CFM of 1e-10, which takes a share of the speed of a rebound
 * and keeps momentum. */
TEST(test_engines_keep_what_elastic_balls_have)
{
    static const char *const names[] = {"bullet", "bullet-dantzig", "ode-step"};
    const double h = 1e-3, energy = 8.0 * weight * 1.2, momentum = 8.0 * 10.0 * 5.0;
    dls_model *model;
    dls_error error;
    assert_status(dls_engines_elastic_model(2, &model, &error), &error);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        dls_engine_choice choice;
        if (!load(names[k], &choice))
            continue;
        const dls_engines_runner r = {.engine = &choice, .iterations = 20};
        dls_engine_record record = take(&r, model, h, 1.5);
        const dls_engines_elastic of = dls_engines_elastic_measure(model, &record, h);
        print_message("# %s: %.2g J^2 beside free flight of %.2g J^2\n", names[k], of.beside, of.energy);
        assert_conserved(&of, k < 2 ? of.beside : 0.0, energy, momentum);
        assert_below(of.beside, 1e-3 * of.energy);
        dls_engine_record_release(&record);
        dls_engine_release(&choice);
    }
    dls_model_destroy(model);
}

/* --- the quadruped --- */

static dls_engines_quadruped measure(const dls_model *model, dls_engine_record record, double h)
{
    dls_engines_quadruped of;
    dls_error error;
    assert_status(dls_engines_quadruped_measure(model, &record, h, &of, &error), &error);
    dls_engine_record_release(&record);
    return of;
}

/* 33.9 kg that fly for 2 s, of some 10 kJ. Schemes of order n have an error of the energy of h^n, its square of
 * h^2n. */
TEST(test_a_quadruped_flies)
{
    const double h = 4e-3, duration = 2.0;
    dls_model *model;
    dls_error error;
    assert_status(dls_engines_quadruped_model(0, &model, &error), &error);
    dls_engines_quadruped of = measure(model, follow(model, 0.01, duration, NULL), 0.01);
    assert_below(of.energy, 1e8 * 1e-26);
    assert_below(of.momentum, 1e5 * 1e-26);
    assert_below(of.turning, 1e-11);
    const dls_engines_runner euler = {.method = "baumgarte", .solver = "block-pivoting"},
                             midpoint = {.method = "midpoint", .solver = "block-pivoting"};
    const dls_engines_quadruped one = measure(model, take(&euler, model, h, duration), h),
                                half = measure(model, take(&euler, model, 0.5 * h, duration), 0.5 * h);
    const double point = dls_engines_quadruped_closed_form(model, h, duration);
    print_message("# %.4g, %.4g J^2, of a point %.4g J^2\n", one.energy, half.energy, point);
    assert_close(one.energy / half.energy, 4.0, 0.1);
    assert_close(half.energy / (0.25 * point), 1.0, 0.02); /* the inner motion has a small share of the energy */
    assert_below(one.momentum, 1e5 * 1e-22);
    of = measure(model, take(&midpoint, model, h, duration), h);
    const dls_engines_quadruped finer = measure(model, take(&midpoint, model, 0.5 * h, duration), 0.5 * h);
    print_message("# midpoint: %.4g, %.4g J^2\n", of.energy, finer.energy);
    assert_true(of.energy / finer.energy > 12.0);
    assert_below(of.energy, 1e-6 * one.energy);
    dls_model_destroy(model);
}

/* Between bodies with constraints all impulses are opposite, whatever their size; coordinates of joints have the
 * momentum to the order of the scheme alone. */
TEST(test_a_ball_strikes_a_quadruped)
{
    static const char *const names[] = {"ode-step", "bullet", "mujoco-loose"};
    const double h = 4e-3, duration = 2.0, most = 50.0 * 50.0 * 1e-24;
    dls_model *model;
    dls_error error;
    size_t impacts = 0;
    assert_status(dls_engines_quadruped_model(1, &model, &error), &error);
    assert_below(measure(model, follow(model, 0.01, duration, &impacts), 0.01).momentum, most);
    assert_true(impacts > 0);
    const dls_engines_runner ours = {.method = "baumgarte", .solver = "block-pivoting"};
    assert_below(measure(model, take(&ours, model, h, duration), h).momentum, most);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        dls_engine_choice choice;
        if (!load(names[k], &choice))
            continue;
        const dls_engines_runner r = {.engine = &choice, .iterations = 20};
        assert_below(measure(model, take(&r, model, h, duration), h).momentum, most);
        dls_engine_release(&choice);
    }
    dls_model_destroy(model);
}
