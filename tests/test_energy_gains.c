/* The energy that a run gains from nothing: in closed form where there is one, and none of what motors, drives,
 * springs, forces, kinematic bodies and restitution do. */
#include "problems.h"
#include "stepping.h"

#include "delassus/experiments.h"

#include <math.h>
#include <string.h>

/* A run of a scene, which it takes, without tables. `set`: keys and values of the scheme, NULL at the end. */
static dls_run_result run_scene(dls_scene *scene, const char *solver, const char *scheme, const char *const *set,
                                double step, double duration, double limit)
{
    dls_run_result result;
    dls_settings settings;
    dls_error error;
    const dls_job job = {.output = "/nowhere", .command = "test"};
    dls_model *model;
    assert_status(dls_model_create(scene, &model, &error), &error);
    dls_run way = {.model = model,
                   .scene = scene,
                   .stem = "s",
                   .scheme = dls_scheme_find(scheme),
                   .iterations = 30,
                   .step = step,
                   .duration = duration,
                   .energy_limit = limit,
                   .silent = true,
                   .examine = DLS_EXAMINE_NEVER};
    assert_status(dls_fields_default(&dls_warm_fields, &way.warm, &error), &error);
    assert_status(dls_choice_create(solver, &way.choice, &error), &error);
    assert_status(dls_settings_create(&way.scheme->fields, &settings, &error), &error);
    for (; *set; set += 2)
        assert_status(dls_field_set(settings.table, settings.values, set[0], set[1], &error), &error);
    way.scheme_settings = settings.values;
    assert_status(dls_run_trajectory(&job, &way, &result, &error), &error);
    dls_settings_release(&settings);
    dls_choice_release(&way.choice);
    dls_model_destroy(model);
    dls_scene_destroy(scene);
    return result;
}

static dls_run_result run_text(const char *text, const char *solver, const char *scheme, double step, double duration,
                               double limit)
{
    dls_scene *scene = parse_scene(text);
    return run_scene(scene, solver, scheme, (const char *const[]){NULL}, step, duration, limit);
}

/* --- gains --- */

/* A rod that starts with an error e, at rest and without gravity: the feedback gives the body, which the rod holds at
 * its centre of mass, the speed ERP e / h in the first step, and less in each later one. */
static const char apart[] = "world: {gravity: [0, 0, 0]}\n"
                            "bodies:\n"
                            "  - {name: ball, shape: sphere, radius: 0.1, mass: 1.7, position: [0, 0, 0]}\n"
                            "joints:\n"
                            "  - {name: rod, type: distance, body1: ball, anchor1: [0, 0, 0], anchor2: [1, 0, 0], "
                            "length: 0.97, erp: 0.2}\n";

TEST(test_feedback_gives_its_closed_form)
{
    const double h = 1e-3, gain = 0.5 * 1.7 * pow(0.2 * 0.03 / h, 2);
    const dls_run_result on = run_text(apart, "lemke", "euler", h, 0.05, HUGE_VAL);
    assert_int_equal(on.end, DLS_RUN_FINISHED);
    assert_close(on.gain.gain, gain, 1e-12 * gain);
    assert_close(on.gain.column_gain, gain, 1e-12 * gain);
    assert_close(on.gain.time, h, 1e-15);
    assert_true(on.gain.since == 0.0);
    assert_string_equal(on.gain.column, "bias");

    /* the scale is the energy of rest here, and the limit ends the run after this step */
    const double share = gain / (1.7 * 5e-5);
    assert_close(on.gain.share, share, 1e-12 * share);
    const dls_run_result most = run_text(apart, "lemke", "euler", h, 0.05, 1.001 * share);
    assert_int_equal(most.end, DLS_RUN_FINISHED);
    dls_error error;
    const dls_run_result ended = run_text(apart, "lemke", "euler", h, 0.05, 0.999 * share);
    assert_int_equal(ended.end, DLS_RUN_GAINED);
    assert_int_equal(ended.steps, 1);
    assert_int_equal(dls_run_check_end(&ended, &error), DLS_UNSOLVED);
    assert_non_null(strstr(error.message, "'bias'"));
}

/* The same gain where another body has lost more before: the rod comes at 0.1 s, when a ball has hit a wall. */
static const char late[] =
    "world: {gravity: [0, 0, 0]}\n"
    "bodies:\n"
    "  - {name: ball, shape: sphere, radius: 0.1, mass: 1.7, position: [0, 0, 0]}\n"
    "  - {name: fast, shape: sphere, radius: 0.1, mass: 2, position: [0, 3, 1], velocity: [0, 0, -40]}\n"
    "joints:\n"
    "  - {name: wall, type: contact, body1: fast, point: [0, 3, 0], normal: [0, 0, 1], gap: 1}\n"
    "changes:\n"
    "  - time: 0.1\n"
    "    joints:\n"
    "      - {name: rod, type: distance, body1: ball, anchor1: [0, 0, 0], anchor2: [1, 0, 0], length: 0.97, erp: "
    "0.2}\n";

TEST(test_a_loss_hides_no_later_gain)
{
    const double h = 1e-3, gain = 0.5 * 1.7 * pow(0.2 * 0.03 / h, 2);
    const dls_run_result on = run_text(late, "lemke", "euler", h, 0.15, HUGE_VAL);
    assert_true(on.energy_end < 0.5 * on.energy_start);
    assert_close(on.gain.gain, gain, 1e-12 * gain);
    assert_close(on.gain.since, 0.1, 1e-12);
    assert_close(on.gain.time, 0.1 + h, 1e-12);
    assert_string_equal(on.gain.column, "bias");
    assert_close(on.gain.share, gain / on.energy_start, 1e-12);
}

/* Without a limit and without a ledger there is no account. */
TEST(test_no_account_without_a_limit)
{
    const dls_run_result result = run_text(apart, "lemke", "euler", 1e-3, 0.05, 0.0);
    assert_int_equal(result.end, DLS_RUN_FINISHED);
    assert_null(result.gain.column);
}

/* Small steps whose contacts are pushed apart by their ERP alone leave this speed in them, and piles explode. With the
 * limits of push_rate and push_speed no number of substeps and no setting makes them gain (the derivation stands in
 * lib/simulation/schemes/small_steps.c): the speed u with which a pile parts is 3 m/s at most, and within the first
 * percent of its energy here. */
TEST(test_piles_under_small_steps)
{
    static const char *const piles[] = {"stack-10-found", "wall"};
    static const char *const sets[][5] = {{"push_rate", "inf", "push_speed", "inf", NULL},
                                          {NULL},
                                          {"relax", "0", NULL},
                                          {"warm", "none", NULL},
                                          {"warm", "all", NULL}};
    static const double steps[] = {4e-3, 1.0 / 60.0};
    for (int p = 0; p < 2; p++)
        for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
            for (int k = 0; k < 2; k++) {
                const bool unlimited = i == 0;
                const char *set[7] = {NULL};
                memcpy(set, sets[i], 4 * sizeof *set);
                if (unlimited)
                    set[4] = "relax", set[5] = "0";
                const dls_run_result r = run_scene(read_scene(piles[p]), "pgs", "small-steps", set, steps[k],
                                                   unlimited || p ? 0.4 : 2.0, 1.0);
                print_message("# %-15s %s=%s, %.3g s: %zu steps, %.4g J to %.4g J, share %.1e\n", piles[p],
                              set[0] ? set[0] : "default", set[0] ? set[1] : "", steps[k], r.steps, r.energy_start,
                              r.energy_end, r.gain.share);
                if (unlimited && k == 0)
                    assert_true(r.end == DLS_RUN_GAINED && r.energy_end > 2.0 * r.energy_start);
                else if (!unlimited)
                    assert_true(r.end == DLS_RUN_FINISHED && r.gain.share < 0.05);
                if (unlimited && k == 0)
                    assert_string_equal(r.gain.column, "bias");
            }
}

/* --- warm starts --- */

/* Ten equal balls that hang straight down: the slowest factor of Gauss-Seidel is cos(pi / 20)^2, and with ERP e the
 * warm starts are damped by N iterations if (1 + e) rho^N < 1 (experiments/coherence/law.c, whose growth test_coherence
 * measures). Schemes without feedback in the velocities need no such N. */
TEST(test_iterations_that_warm_starts_need)
{
    static const char plumb[] = "world: {gravity: [0, 0, -9.81]}\n"
                                "bodies:\n"
                                "  - {repeat: 10, name: 'ball{i}', shape: sphere, radius: 0.04, mass: 1.7,"
                                " position: {start: [0, 0, -0.1], i: [0, 0, -0.1]}}\n"
                                "joints:\n"
                                "  - {name: pivot, type: ball, body1: ball0, anchor: [0, 0, 0]}\n"
                                "  - {repeat: 9, name: 'link{i}', type: ball, body1: 'ball{i+1}', body2: 'ball{i}',"
                                " anchor: {start: [0, 0, -0.15], i: [0, 0, -0.1]}}\n";
    const double rho = pow(cos(acos(-1.0) / 20.0), 2.0);
    const dls_run_result euler = run_text(plumb, "pgs", "euler", 1.0 / 60.0, 0.1, 1.0),
                         split = run_text(plumb, "pgs", "split-impulse", 1.0 / 60.0, 0.1, 1.0),
                         exact = run_text(plumb, "dantzig", "euler", 1.0 / 60.0, 0.1, 1.0);
    assert_close(euler.warm.rate, rho, 1e-10);
    assert_true(euler.warm.feedback == 0.2);
    assert_true(1.2 * pow(rho, (double)euler.warm.needed) < 1.0);
    assert_true(1.2 * pow(rho, (double)euler.warm.needed - 1.0) >= 1.0);
    assert_false(dls_run_warm_grows(&euler.warm)); /* of 30 iterations */
    assert_true(split.warm.iterations == 0 && exact.warm.iterations == 0);
    const dls_run_result stack =
        run_scene(read_scene("stack-10-found"), "pgs", "euler", (const char *const[]){NULL}, 1e-3, 0.01, 1.0);
    assert_true(dls_run_warm_grows(&stack.warm));
}

/* --- what is given --- */

/* Each does work of many times the energy at the start, and gains nothing by the account. */
static const struct {
    const char *name, *text;
} given[] = {
    {"motor", "bodies: [{name: rotor, shape: box, size: [1, 0.2, 0.1], mass: 2}]\n"
              "joints:\n"
              "  - {name: axle, type: hinge, body1: rotor, anchor: [0, 0, 0], axis: [0, 0, 1]}\n"
              "  - {name: motor, type: motor, coordinates: {axle: 1}, speed: 20, force: 3}\n"},
    {"drive", "world: {gravity: [0, 0, 0]}\n"
              "bodies: [{name: sledge, shape: box, size: [1, 0.2, 0.1], mass: 2}]\n"
              "joints:\n"
              "  - {name: rail, type: slider, body1: sledge, axis: [1, 0, 0]}\n"
              "  - {name: drive, type: drive, coordinates: {rail: 1}, stiffness: 0, damping: 20, speed: 3}\n"},
    {"spring", "world: {gravity: [0, 0, 0]}\n"
               "bodies: [{name: ball, shape: sphere, radius: 0.1, mass: 2}]\n"
               "joints:\n"
               "  - {name: spring, type: distance, body1: ball, anchor1: [0, 0, 0], anchor2: [2, 0, 0], length: 1, "
               "stiffness: 30, damping: 0}\n"},
    {"force", "world: {gravity: [0, 0, 0]}\n"
              "bodies: [{name: ball, shape: sphere, radius: 0.1, mass: 2, force: [3, 1, 0], torque: [0, 0.2, 0.1]}]\n"},
    {"lift", "bodies:\n"
             "  - {name: cabin, kinematic: true, velocity: [0, 0, 1.5]}\n"
             "  - {name: load, shape: box, size: [0.2, 0.2, 0.2], mass: 3, position: [0, 0, 0]}\n"
             "joints: [{name: hook, type: ball, body1: load, body2: cabin, anchor: [0, 0, 0]}]\n"},
    {"springy lift", "bodies:\n"
                     "  - {name: cabin, kinematic: true, velocity: [0, 0, 1.5]}\n"
                     "  - {name: load, shape: box, size: [0.2, 0.2, 0.2], mass: 3, position: [0, 0, 0]}\n"
                     "joints: [{name: hook, type: ball, body1: load, body2: cabin, anchor: [0, 0, 0], "
                     "stiffness: 300, damping: 30}]\n"},
    {"restitution", "bodies: [{name: ball, shape: sphere, radius: 0.25, mass: 1.7, position: [0, 0, 1.25]}]\n"
                    "joints: [{name: touch, type: contact, body1: ball, point: [0, 0, 0], normal: [0, 0, 1], gap: 1, "
                    "restitution: 0.9}]\n"},
};

TEST(test_what_is_given_is_no_gain)
{
    for (size_t k = 0; k < sizeof given / sizeof given[0]; k++) {
        const dls_run_result r = run_text(given[k].text, "lemke", "euler", 1e-3, 1.5, HUGE_VAL);
        print_message("# %-14s %9.3g J to %9.3g J, share %.1e\n", given[k].name, r.energy_start, r.energy_end,
                      r.gain.share);
        assert_int_equal(r.end, DLS_RUN_FINISHED);
        assert_true(fabs(r.energy_end - r.energy_start) > 0.5);
        assert_below(r.gain.share, dls_run_gain_told);
    }
}

/* Kane's observation: the tip of a rod slides on in compression and sticks at the end of an impact by Newton's law:
 * w+ = (e s, 0). The impulses p = A^-1 (w+ - w-) have then done the work p . (w- + w+) / 2 > 0. */
TEST(test_energy_that_an_impact_creates)
{
    const double m = 1.3, inertia = 0.13, x = -0.34, z = -0.43, e = 0.9, t = 1.0;
    const double A[3] = {1.0 / m + x * x / inertia, -x * z / inertia, 1.0 / m + z * z / inertia};
    const double det = A[0] * A[2] - A[1] * A[1], n = 1.0 + e;
    const double p[2] = {(A[2] * n + A[1] * t) / det, -(A[1] * n + A[0] * t) / det};
    const double gain = 0.5 * (p[0] * (e - 1.0) + p[1] * t);
    assert_true(gain > 0.01 && fabs(p[1]) < 0.4 * p[0]);
    for (int poisson = 0; poisson < 2; poisson++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, 0]}\n"
                 "bodies:\n  - {name: rod, mass: %g, inertia: [%g, %g, %g], position: [%g, 0, %g], velocity: [%g, 0, "
                 "-1]}\n"
                 "joints:\n  - {name: tip, type: contact, body1: rod, point: [0, 0, 0], normal: [0, 0, 1], mu: 0.4, "
                 "friction: cone, restitution: %g, impact: %s}\n",
                 m, inertia, inertia, inertia, -x, -z, t, e, poisson ? "poisson" : "newton");
        const dls_run_result r = run_text(text, "cone-newton", "euler", 1e-3, 2e-3, HUGE_VAL);
        assert_int_equal(r.impacts.steps, poisson ? 0 : 1);
        assert_close(r.impacts.gain, poisson ? 0.0 : gain, 1e-13);
        assert_close(r.impacts.time, poisson ? 0.0 : 1e-3, 0.0);
        assert_true((r.impacts.share > dls_run_impacts_told) == !poisson);
        assert_true(poisson ? r.energy_end < r.energy_start : r.energy_end > r.energy_start);
    }
}

/* All energy that the rod has after an elastic impact by Newton's law and had not before was created by it, and is told
 * as that, also by schemes that linearise at velocities within the step, at which nothing approaches. */
TEST(test_created_energy_under_schemes)
{
    static const char *const schemes[] = {"euler",    "tgs",    "split-impulse", "small-steps",
                                          "midpoint", "rattle", "moreau-jean"};
    for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
        const dls_run_result r = run_text(
            "world: {gravity: [0, 0, 0]}\n"
            "bodies:\n  - {name: rod, mass: 1.3, inertia: [0.13, 0.13, 0.13], position: [0.34, 0, 0.43], velocity: "
            "[1, 0, -1]}\n"
            "joints:\n  - {name: tip, type: contact, body1: rod, point: [0, 0, 0], normal: [0, 0, 1], mu: 0.4, "
            "friction: cone, restitution: 1}\n",
            "nsgs", schemes[k], 1e-3, 2e-3, HUGE_VAL);
        const double created = r.energy_end - r.energy_start;
        assert_true(created > 0.05);
        if (!(fabs(r.impacts.gain - created) <= 1e-3 * created))
            fail_msg("%s: %g J of %g J are told", schemes[k], r.impacts.gain, created);
    }
}

/* A load that hangs from a cabin of speed u: it is pulled to u in the first step, with the work of twice its kinetic
 * energy, and then lifted. */
TEST(test_work_of_a_kinematic_body)
{
    const double m = 3.0, u = 1.5, h = 1e-3, g = 9.81;
    run r;
    double work = 0.0;
    start_kept(&r, parse_model(given[4].text), &variants[0], 30);
    for (int k = 0; k < 40; k++) {
        run_steps(&r, 1, h);
        work += dls_simulation_ledger(r.simulation)->prescribed[DLS_LEDGER_CONSTRAINT];
    }
    assert_close(work, m * u * u + 40 * h * m * g * u, 1e-9);
    run_stop(&r);
}
