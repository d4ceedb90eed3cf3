/* Drives: setpoints and schedules, force and acceleration modes, bounds as force and as impulse, the explicit drive,
 * and computed torque. */
#include "stepping.h"
#include "world.h"

#include "delassus/reference.h"

#include <gsl/gsl_spline.h>

#include <float.h>

/* A cart of `mass` on a rail, driven. */
static dls_model *cart(double mass, const char *drive)
{
    char text[1000];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, 0]}\n"
             "articulations:\n  - name: rail\n    links:\n      - {name: root, static: true}\n"
             "      - {name: a, parent: root, motion: prismatic, axis: [1, 0, 0], shape: sphere, radius: 0.1, mass: "
             "%.17g, start: 0.4, speed: -0.3}\n"
             "joints:\n  - {name: d, type: drive, coordinates: {rail.a: 1}, %s}\n",
             mass, drive);
    return parse_model(text);
}

static void run_cart(run *r, double mass, const char *drive)
{
    run_start(r, cart(mass, drive), dls_direct_find("block-pivoting"), NULL, 1);
}

static double place_of(const run *r) { return dls_simulation_state(r->simulation)->coordinates[0]; }
static double speed_of(const run *r) { return dls_simulation_state(r->simulation)->v[0]; }

static void assert_refused(const char *drive, const char *key)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "articulations:\n  - name: rail\n    links:\n      - {name: root, static: true}\n"
        "      - {name: a, parent: root, motion: prismatic, axis: [1, 0, 0], shape: sphere, radius: 0.1, mass: 1}\n"
        "joints:\n  - {name: d, type: drive, coordinates: {rail.a: 1}, %s}\n",
        drive);
    assert_key_refused(text, key);
}

TEST(test_what_a_drive_has_no_use_for_is_refused)
{
    assert_refused("stiffness: 3, erp: 0.4", "erp");
    assert_refused("erp: 0.4", "stiffness");
    assert_refused("stiffness: 3, cfm: 0.1", "cfm");
    assert_refused("frequency: 2, mode: acceleration", "mode");
    assert_refused("stiffness: 3, amplitude: 0.1", "amplitude");
    assert_refused("stiffness: 3, schedule: sine, amplitude: 0.1", "period");
    assert_refused("stiffness: 3, schedule: sine, period: 0.1", "amplitude");
    assert_refused("stiffness: 3, schedule: sine, period: 1, amplitude: 1, times: [1, 2]", "times");
    assert_refused("stiffness: 3, schedule: table, times: [1], targets: [1]", "times");
    assert_refused("stiffness: 3, schedule: spline, times: [1, 2], targets: [1, 3]", "times");
    assert_refused("stiffness: 3, schedule: table, times: [1, 2], targets: [1]", "targets");
    assert_refused("stiffness: 3, schedule: table, times: [1, 1], targets: [1, 2]", "times");
    assert_refused("stiffness: 3, schedule: table, times: [1, inf], targets: [1, 2]", "times");
    assert_refused("stiffness: 3, schedule: table, times: [1, 2], targets: [1, 2], forces: [1]", "forces");
    assert_refused("stiffness: 3, period: 2", "period");
    assert_refused("stiffness: 3, phase: 1", "phase");
    assert_refused("stiffness: 3, targets: [1, 2]", "targets");
    assert_refused("stiffness: 3, forces: [1, 2]", "forces");
    assert_refused("stiffness: 3, schedule: table, times: [1, 2], targets: [1, 2], amplitude: 1", "amplitude");
    assert_refused("stiffness: 3, schedule: sine, amplitude: 1, period: inf", "period");
    assert_refused("stiffness: 3, schedule: sine, amplitude: inf, period: 1", "amplitude");
    assert_refused("stiffness: 3, schedule: sine, amplitude: 1, period: 1, phase: inf", "phase");
    assert_refused("stiffness: 3, schedule: sine, amplitude: 1, period: 1, targets: [1]", "targets");
    assert_refused("stiffness: 3, schedule: sine, amplitude: 1, period: 1, forces: [1]", "forces");
    assert_refused("stiffness: 3, schedule: table, times: [1, 2], targets: [1, inf]", "targets");
    assert_refused("stiffness: 3, schedule: table, times: [1, 2], targets: [1, 2], forces: [inf, 1]", "forces");
    assert_refused("stiffness: 3, feed: inf", "feed");
    assert_refused("stiffness: 3, impulse: -1", "impulse");
}

/* --- modes --- */

/* An acceleration drive does the same to any mass; a force drive of m times the gains is the same drive. */
TEST(test_acceleration_mode_is_independent_of_mass)
{
    static const double masses[] = {0.013, 1.3, 470.0};
    static const char *const methods[] = {"implicit", "explicit"};
    double apart = 0.0, in_force = 0.0;
    for (int method = 0; method < 2; method++) {
        run one[3], force;
        char text[200];
        snprintf(text, sizeof text,
                 "mode: acceleration, stiffness: 35, damping: 4, target: 0.9, speed: 0.2, method: %s", methods[method]);
        for (int k = 0; k < 3; k++)
            run_cart(&one[k], masses[k], text);
        snprintf(text, sizeof text, "stiffness: %.17g, damping: %.17g, target: 0.9, speed: 0.2, method: %s", 35 * 470.0,
                 4 * 470.0, methods[method]);
        run_cart(&force, 470.0, text);
        for (int step = 0; step < 400; step++) {
            for (int k = 0; k < 3; k++)
                run_steps(&one[k], 1, 4e-3);
            run_steps(&force, 1, 4e-3);
            apart = fmax(
                apart, fmax(fabs(place_of(&one[0]) - place_of(&one[1])), fabs(place_of(&one[2]) - place_of(&one[1]))));
            in_force = fmax(in_force, fabs(place_of(&force) - place_of(&one[1])));
        }
        assert_true(fabs(place_of(&one[0]) - 0.4) > 0.3);
        for (int k = 0; k < 3; k++)
            run_stop(&one[k]);
        run_stop(&force);
    }
    print_message("# acceleration drives on masses from 0.013 to 470 kg: %.1e m apart; the same gains in force: %.1e\n",
                  apart, in_force);
    assert_below(apart, 1e-13);
    assert_below(in_force, 1e-13);
}

/* --- bounds --- */

TEST(test_an_impulse_limit_is_a_force_limit_times_the_step)
{
    const double h = 3e-3, limit = 0.017;
    static const char *const modes[] = {"force", "acceleration"};
    for (int mode = 0; mode < 2; mode++)
        for (int method = 0; method < 2; method++) {
            run impulse, force;
            char text[200], rest[120];
            snprintf(rest, sizeof rest, "stiffness: 900, damping: 7, target: 2, mode: %s, method: %s", modes[mode],
                     method ? "explicit" : "implicit");
            snprintf(text, sizeof text, "%s, impulse: %.17g", rest, limit);
            run_cart(&impulse, 1.3, text);
            snprintf(text, sizeof text, "%s, force: %.17g", rest, limit / h);
            run_cart(&force, 1.3, text);
            for (int step = 0; step < 200; step++) {
                const double before = speed_of(&impulse);
                run_steps(&impulse, 1, h);
                run_steps(&force, 1, h);
                assert_close(speed_of(&impulse), speed_of(&force), 1e-14);
                assert_below(fabs(speed_of(&impulse) - before), limit / 1.3 * (1 + 1e-12));
                if (step == 0)
                    assert_close(speed_of(&impulse) - before, limit / 1.3, 1e-15);
            }
            run_stop(&impulse);
            run_stop(&force);
        }
}

/* A damper with a speed: v+ = (m v + h kd u) / (m + h kd). */
TEST(test_a_velocity_drive_brings_a_speed)
{
    const double h = 2e-3, m = 1.3, kd = 40.0, u = 0.7;
    run r;
    run_cart(&r, m, "damping: 40, speed: 0.7");
    double v = -0.3;
    for (int step = 0; step < 500; step++) {
        run_steps(&r, 1, h);
        v = (m * v + h * kd * u) / (m + h * kd);
        assert_close(speed_of(&r), v, 1e-14);
    }
    assert_close(v, u, 1e-6);
    run_stop(&r);
}

/* --- the explicit drive --- */

/* Whether the coupled numbers of the drive still grow after many steps. */
static bool grows(double a, double b)
{
    const double h = 1e-2, m = 1.3;
    char drive[200];
    run r;
    snprintf(drive, sizeof drive, "method: explicit, stiffness: %.17g, damping: %.17g", b * m / (h * h), a * m / h);
    run_cart(&r, m, drive);
    double largest = 0.0, at = 0.0;
    for (int block = 0; block < 20; block++) {
        double now = 0.0;
        for (int step = 0; step < 200; step++) {
            run_steps(&r, 1, h);
            now = fmax(now, fabs(place_of(&r)) + h * fabs(speed_of(&r)));
        }
        largest = fmax(largest, now);
        at = now;
        if (now > 1e6)
            break;
    }
    run_stop(&r);
    return at > 0.9 * largest && at > 0.4;
}

/* The largest b that does not grow, for this a; bisection. */
static double measured_limit(double a)
{
    double low = 0.01, high = 5.0;
    while (high - low > 2e-3) {
        const double middle = 0.5 * (low + high);
        *(grows(a, middle) ? &high : &low) = middle;
    }
    return 0.5 * (low + high);
}

TEST(test_explicit_stability_limits)
{
    static const double dampings[] = {0.05, 0.5, 1.0, 1.7};
    for (size_t k = 0; k < sizeof dampings / sizeof dampings[0]; k++) {
        const double limit = measured_limit(dampings[k]), expected = 4.0 - 2.0 * dampings[k];
        print_message("# explicit drive, h kd / m = %g: stable up to h^2 kp / m = %.4f, predicted %.4f\n", dampings[k],
                      limit, expected);
        assert_close(limit, expected, 1e-2);
    }
    assert_true(grows(2.01, 0.01) && !grows(1.9, 0.01));
}

/* Explicit and implicit drives differ by O(h): half the step, half the difference. */
TEST(test_explicit_minus_implicit_is_of_first_order)
{
    double apart[6];
    for (int k = 0; k < 6; k++) {
        const size_t steps = (size_t)100 << k;
        run one, other;
        run_cart(&one, 1.3, "stiffness: 35, damping: 2, target: 0.9, method: explicit");
        run_cart(&other, 1.3, "stiffness: 35, damping: 2, target: 0.9");
        run_steps(&one, steps, 1.0 / (double)steps);
        run_steps(&other, steps, 1.0 / (double)steps);
        apart[k] = fabs(place_of(&one) - place_of(&other));
        run_stop(&one);
        run_stop(&other);
    }
    print_message("# explicit minus implicit: %.3e at 10 ms, %.3e at 0.31 ms, last ratio %.4f\n", apart[0], apart[5],
                  apart[4] / apart[5]);
    assert_close(apart[4] / apart[5], 2.0, 0.01);
}

/* Every solver that takes bounds gives the impulse that is asked, and the ledger of every scheme closes. */
TEST(test_explicit_drives_under_every_solver_and_scheme)
{
    const double kp = 35, kd = 2, h = 1e-3, impulse = h * (1.1 - kp * (0.4 - 0.9) - kd * (-0.3 - 0.2));
    static const char text[] = "stiffness: 35, damping: 2, target: 0.9, speed: 0.2, feed: 1.1, method: explicit";
    dls_error error;
    const dls_solver *const *const tables[] = {dls_direct_solvers, dls_iterative_solvers};
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; tables[t][i]; i++) {
            const dls_solver *solver = tables[t][i];
            if (!(solver->accepts & DLS_ACCEPTS_BOXED) || solver->accepts & DLS_NEEDS_CONE)
                continue;
            run r;
            run_start(&r, cart(1.3, text), solver, NULL, 10);
            assert_status(dls_simulation_step(r.simulation, h, &error), &error);
            check_close(dls_simulation_impulses(r.simulation)[0], impulse, 1e-15, solver->name, __FILE__, __LINE__);
            check_close(speed_of(&r), -0.3 + impulse / 1.3, 1e-14, solver->name, __FILE__, __LINE__);
            run_stop(&r);
        }
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        start_kept(&r, cart(1.3, text), &variants[v], 8);
        for (int step = 0; step < 100; step++) {
            run_steps(&r, 1, h);
            check_below(dls_ledger_mismatch(dls_simulation_ledger(r.simulation)), 1e-12, name_of(&variants[v]),
                        __FILE__, __LINE__);
        }
        run_stop(&r);
    }
}

/* --- setpoints --- */

static double asked(const run *r, int k) { return dls_simulation_state(r->simulation)->joint_state[k]; }

TEST(test_schedules_are_followed_at_the_end_of_each_step)
{
    const double times[5] = {0.1, 0.25, 0.3, 0.6, 0.8}, y[5] = {0.3, -0.7, 0.2, 1.1, 0.9}, f[5] = {1, 3, -2, 0.5, 0.25};
    static const char points[] =
        "times: [0.1, 0.25, 0.3, 0.6, 0.8], targets: [0.3, -0.7, 0.2, 1.1, 0.9], forces: [1, 3, "
        "-2, 0.5, 0.25]";
    gsl_interp_accel *near = gsl_interp_accel_alloc();
    char text[400];
    const char *kinds[] = {"table", "spline"};
    double worst = 0.0;
    for (int kind = 0; kind < 2; kind++) {
        gsl_spline *target = gsl_spline_alloc(kind ? gsl_interp_cspline : gsl_interp_linear, 5),
                   *force = gsl_spline_alloc(kind ? gsl_interp_cspline : gsl_interp_linear, 5);
        gsl_spline_init(target, times, y, 5);
        gsl_spline_init(force, times, f, 5);
        snprintf(text, sizeof text, "stiffness: 9, damping: 1, target: 0.05, speed: 0.01, feed: 0.2, schedule: %s, %s",
                 kinds[kind], points);
        run r;
        run_cart(&r, 1.3, text);
        assert_close(asked(&r, 0), 0.35, 1e-15);
        for (int step = 1; step <= 100; step++) {
            run_steps(&r, 1, 0.0097);
            const double t = 0.0097 * step, at = fmin(fmax(t, 0.1), 0.8);
            const bool inside = t > 0.1 && t < 0.8;
            worst = fmax(worst, fabs(asked(&r, 0) - 0.05 - gsl_spline_eval(target, at, near)));
            worst = fmax(worst, fabs(asked(&r, 1) - 0.01 - (inside ? gsl_spline_eval_deriv(target, at, near) : 0.0)));
            worst = fmax(worst, fabs(asked(&r, 2) - 0.2 - gsl_spline_eval(force, at, near)));
        }
        run_stop(&r);
        gsl_spline_free(target);
        gsl_spline_free(force);
    }
    gsl_interp_accel_free(near);
    run r;
    run_cart(&r, 1.3, "stiffness: 9, schedule: sine, amplitude: 0.3, period: 0.7 s, phase: 20 deg");
    for (int step = 1; step <= 100; step++) {
        run_steps(&r, 1, 0.0097);
        const double angle = 2 * DLS_PI * 0.0097 * step / 0.7 + DLS_PI / 9;
        worst = fmax(worst, fabs(asked(&r, 0) - 0.3 * sin(angle)));
        worst = fmax(worst, fabs(asked(&r, 1) - 0.3 * 2 * DLS_PI / 0.7 * cos(angle)));
    }
    print_message("# schedules against GSL: %.1e\n", worst);
    assert_below(worst, 1e-12);
    dls_error error;
    assert_int_equal(dls_simulation_drive(r.simulation, 0, (dls_setpoint){1, 0, 0}, &error), DLS_BAD_ARGUMENT);
    run_stop(&r);
}

/* A program that sets the setpoint before each step does what a schedule does, bit by bit, under every scheme. */
TEST(test_setpoints_from_a_program)
{
    dls_error error;
    for (size_t v = 0; v < VARIANTS; v++) {
        run scheduled, set;
        start(&scheduled, cart(1.3, "stiffness: 90, damping: 3, schedule: sine, amplitude: 0.3, period: 0.7"),
              &variants[v], 4);
        start(&set, cart(1.3, "stiffness: 90, damping: 3"), &variants[v], 4);
        for (int step = 1; step <= 50; step++) {
            const double angle = 2.0 * DLS_PI / 0.7 * (dls_simulation_state(set.simulation)->time + 2e-3);
            const dls_setpoint to = {0.3 * sin(angle), 0.3 * (2.0 * DLS_PI / 0.7) * cos(angle), 0.0};
            assert_status(dls_simulation_drive(set.simulation, 0, to, &error), &error);
            run_steps(&scheduled, 1, 2e-3);
            run_steps(&set, 1, 2e-3);
            assert_close(place_of(&set), place_of(&scheduled), 1e-14);
        }
        assert_true(fabs(place_of(&set) - 0.4) > 1e-3);
        run_stop(&scheduled);
        run_stop(&set);
    }
    run r;
    run_cart(&r, 1.3, "stiffness: 90");
    assert_int_equal(dls_simulation_drive(r.simulation, 1, (dls_setpoint){1, 0, 0}, &error), DLS_BAD_ARGUMENT);
    assert_int_equal(dls_simulation_drive(r.simulation, 0, (dls_setpoint){NAN, 0, 0}, &error), DLS_NOT_FINITE);
    run_stop(&r);
}

/* --- computed torque --- */

#define ARM                                                                                                         \
    "articulations:\n  - name: arm\n    links:\n      - {name: base, static: true}\n"                               \
    "      - {name: one, parent: base, motion: revolute, axis: [0, 0.2, 1], anchor: [0, 0, 0], shape: box, size: "  \
    "[0.4, 0.1, 0.1], mass: 1.7, position: [0.2, 0, 0]}\n"                                                          \
    "      - {name: two, parent: one, motion: revolute, axis: [0, 1, 0.1], anchor: [0.4, 0, 0], shape: box, size: " \
    "[0.5, 0.1, 0.2], mass: 1.1, position: [0.65, 0, 0]}\n"                                                         \
    "      - {name: three, parent: two, motion: prismatic, axis: [1, 0, 0.3], anchor: [0.9, 0, 0], shape: sphere, " \
    "radius: 0.1, mass: 0.6, position: [1, 0, 0]}\n"                                                                \
    "joints:\n"                                                                                                     \
    "  - {name: d0, type: drive, coordinates: {arm.one: 1}, stiffness: 2, damping: 0.5}\n"                          \
    "  - {name: d1, type: drive, coordinates: {arm.two: 1}, stiffness: 2, damping: 0.5}\n"                          \
    "  - {name: d2, type: drive, coordinates: {arm.three: 1}, stiffness: 2, damping: 0.5}\n"

static const double amplitudes[3] = {0.9, 0.7, 0.2}, rates[3] = {2.1, 3.3, 1.7}, phases[3] = {0.2, -0.4, 1.1};

/* Runs 1 s along q_k = amplitude sin(rate t + phase) with the torque of inverse dynamics there (or none), and returns
 * the largest error of a coordinate. */
static double track_course(size_t steps, bool feed)
{
    const double h = 1.0 / (double)steps;
    run r;
    run_start(&r, parse_model(ARM), dls_direct_find("block-pivoting"), NULL, 1);
    dls_error error;
    const dls_articulation *tree = dls_model_articulations(r.model)[0].tree;
    dls_articulation_state *course;
    dls_articulation_work *work;
    assert_status(dls_articulation_state_create(tree, &course, &error), &error);
    assert_status(dls_articulation_work_create(tree, &work, &error), &error);
    dls_state *state = dls_simulation_edit(r.simulation);
    for (int k = 0; k < 3; k++) {
        state->coordinates[k] = amplitudes[k] * sin(phases[k]);
        state->v[k] = amplitudes[k] * rates[k] * cos(phases[k]);
    }
    double worst = 0.0;
    for (size_t step = 0; step < steps; step++) {
        double acceleration[3], tau[3];
        const double t = h * (double)step;
        for (int k = 0; k < 3; k++) {
            const double angle = rates[k] * t + phases[k];
            course->q[k] = amplitudes[k] * sin(angle);
            course->v[k] = amplitudes[k] * rates[k] * cos(angle);
            acceleration[k] = -amplitudes[k] * rates[k] * rates[k] * sin(angle);
        }
        dls_articulation_kinematics(course, work);
        dls_articulation_velocities(course->v, work);
        dls_articulation_inverse(work, acceleration, NULL, dls_model_world(r.model)->gravity, tau);
        for (int k = 0; k < 3; k++) {
            const double angle = rates[k] * (t + h) + phases[k];
            const dls_setpoint to = {amplitudes[k] * sin(angle), amplitudes[k] * rates[k] * cos(angle),
                                     feed ? tau[k] : 0.0};
            assert_status(dls_simulation_drive(r.simulation, (size_t)k, to, &error), &error);
        }
        run_steps(&r, 1, h);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(dls_simulation_state(r.simulation)->coordinates[k] -
                                     amplitudes[k] * sin(rates[k] * (t + h) + phases[k])));
    }
    dls_articulation_work_destroy(work);
    dls_articulation_state_destroy(course);
    run_stop(&r);
    return worst;
}

TEST(test_computed_torque_tracks_to_first_order)
{
    double off[5];
    for (int k = 0; k < 5; k++)
        off[k] = track_course((size_t)250 << k, true);
    const double without = track_course(1000, false);
    print_message("# computed torque: off by %.2e at 4 ms, %.2e at 0.25 ms, last ratio %.3f; by %.2f without\n", off[0],
                  off[4], off[3] / off[4], without);
    assert_close(off[3] / off[4], 2.0, 0.05);
    assert_true(without > 50.0 * off[2]);
}
