/* Coordinates of spherical joints: swing and twist, their gradients up to the singular pose, limits, locks, drives,
 * friction and couplings on them, and the swing cone. */
#include "stepping.h"
#include "world.h"

#include "delassus/check.h"
#include "delassus/reference.h"

#include <float.h>

static dls_quat swung(double size, double direction, double twist)
{
    const dls_quat t = dls_quat_exp(dls_v3(twist, 0, 0));
    return dls_quat_mul(dls_quat_exp(dls_v3(0, size * cos(direction), size * sin(direction))), t);
}

/* --- the decomposition --- */

TEST(test_swing_and_twist_are_those_that_were_put_in)
{
    uint64_t seed = 3;
    double worst = 0.0;
    for (int k = 0; k < 2000; k++) {
        const double size = 0.49 * DLS_PI * (2.0 * fabs(draw(&seed))), way = DLS_PI * draw(&seed),
                     twist = DLS_PI * draw(&seed);
        dls_quat q = swung(size, way, twist);
        double angle[3];
        dls_vec3 rate[3];
        if (k % 2)
            q = (dls_quat){-q.w, -q.x, -q.y, -q.z};
        dls_swing_twist(q, angle, rate);
        const double room = 1.0 / (1.0 - size / DLS_PI); /* n = cos(size / 2), which x and w are divided by */
        worst = fmax(worst, fabs(angle[0] - twist) / room);
        worst = fmax(worst, fabs(angle[1] - size * cos(way)) / room);
        worst = fmax(worst, fabs(angle[2] - size * sin(way)) / room);
        /* Another way to the same swing: the rotated x axis alone. */
        const dls_vec3 e = dls_quat_rotate(q, dls_axis3(0));
        const double theta = atan2(hypot(e.y, e.z), e.x);
        worst = fmax(worst, fabs(hypot(angle[1], angle[2]) - theta) / room);
        worst = fmax(worst, fabs(angle[1] * e.y + angle[2] * e.z) / room);
    }
    print_message("# swing and twist of 2000 rotations: %.1e\n", worst);
    assert_below(worst, 1e-13);
}

/* Differences, extrapolated, over turns of the frame; near the pole the steps and the error are proportional to the
 * distance from it. */
static double gradient_error(dls_quat q, double step)
{
    double at[3], worst = 0.0, size = 0.0;
    dls_vec3 rate[3], none[3];
    dls_swing_twist(q, at, rate);
    for (int i = 0; i < 3; i++) {
        double D[2][3];
        for (int fine = 0; fine < 2; fine++) {
            const double s = fine ? step / 2 : step;
            double after[3], before[3];
            dls_swing_twist(dls_quat_mul(dls_quat_exp(dls_scale(s, dls_axis3(i))), q), after, none);
            dls_swing_twist(dls_quat_mul(dls_quat_exp(dls_scale(-s, dls_axis3(i))), q), before, none);
            for (int k = 0; k < 3; k++)
                D[fine][k] = remainder(after[k] - before[k], 2.0 * DLS_PI) / (2.0 * s);
        }
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs((4.0 * D[1][k] - D[0][k]) / 3.0 - dls_get3(rate[k], i)));
            size = fmax(size, fabs(dls_get3(rate[k], i)));
        }
    }
    return worst / size;
}

TEST(test_gradients_are_differences_up_to_the_singular_pose)
{
    static const double left[] = {3.14, 2.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4};
    uint64_t seed = 5;
    for (size_t k = 0; k < sizeof left / sizeof left[0]; k++) {
        double worst = 0.0;
        for (int n = 0; n < 50; n++)
            worst = fmax(worst, gradient_error(swung(DLS_PI - left[k], DLS_PI * draw(&seed), 3.0 * draw(&seed)),
                                               1e-3 * fmin(1.0, left[k])));
        print_message("# a swing %g rad short of half a turn: gradients off by %.1e of the largest\n", left[k], worst);
        assert_below(worst, 1e-9 / fmin(1.0, left[k]));
    }
    double angle[3];
    dls_vec3 rate[3];
    dls_swing_twist((dls_quat){0, 0, 0.6, 0.8}, angle, rate); /* the pole itself: finite, without a twist */
    assert_close(angle[0], 0.0, 0.0);
    assert_close(dls_norm(rate[0]), 0.0, 0.0);
    assert_close(hypot(angle[1], angle[2]), DLS_PI, 1e-15);
    for (int k = 1; k < 3; k++)
        assert_true(dls_finite3(rate[k]));
}

/* --- rows on them --- */

#define BALL                                                                                                          \
    "world: {gravity: [0, 0, -9.81]}\n"                                                                               \
    "articulations:\n  - name: a\n    links:\n      - {name: root, static: true}\n"                                   \
    "      - {name: w, parent: root, motion: spherical, anchor: [0, 0, 0], shape: box, size: [0.7, 0.2, 0.1], mass: " \
    "2, "                                                                                                             \
    "position: [0.4, 0, 0]"

static double coordinate_of(const run *r, const char *joint)
{
    return dls_state_coordinates(dls_simulation_state(r->simulation), joint_named(r->model, joint));
}

TEST(test_columns_are_differences)
{
    uint64_t seed = 7;
    dls_model *model = parse_parts(PARTS(
        TWO_TREES
        "joints:\n"
        "  - {name: l, type: limit, coordinates: {arm.fore.swing1: 1, arm.upper: 0.3}, lower: -1, upper: 2}\n"
        "  - {name: d, type: drive, coordinates: {bird.tail.twist: 2, bird.tail.swing2: -1}, stiffness: 4}\n"
        "  - {name: m, type: mimic, coordinates: {arm.fore.twist: 1, bird.tail.swing1: -2, arm.hand.twist: 0.4}}\n"
        "  - {name: k, type: lock, coordinates: {arm.fore.swing2: 1}, at: 0.1}\n"
        "  - {name: f, type: motor, coordinates: {arm.fore.twist: 1}, force: 2}\n"));
    dls_state *state = new_state(model);
    dls_jacobian_check checks[5];
    dls_error error;
    double worst = 0.0;
    for (int pose = 0; pose < 8; pose++) {
        stir(model, state, 0.4, &seed);
        assert_status(dls_check_columns(model, state, DLS_CHECK_STEP, checks, &error), &error);
        for (size_t j = 0; j < 5; j++)
            worst = fmax(worst, checks[j].worst);
    }
    print_message("# swing and twist: columns against finite differences %.1e\n", worst);
    assert_below(worst, 1e-9);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* A plate on a ball joint sinks into the limit of swing1 (about y) and rests there: the force that is along the
 * coordinate is the moment of its weight, m g x. */
TEST(test_the_reaction_at_a_limit_is_exact)
{
    run r;
    run_start(
        &r,
        parse_parts(PARTS(BALL "}\njoints:\n  - {name: l, type: limit, coordinates: {a.w.swing1: 1}, upper: 0.3}\n")),
        dls_direct_find("block-pivoting"), NULL, 1);
    run_steps(&r, 2000, 1e-3);
    dls_constraint_force force;
    dls_error error;
    assert_status(dls_simulation_forces_of(r.simulation, 0, &force, &error), &error);
    const double moment = 2 * 9.81 * 0.4 * cos(0.3);
    print_message("# at the limit %.12f of 0.3, reaction %.12f N m, expected %.12f\n", coordinate_of(&r, "l"),
                  -force.along_sum, moment);
    assert_close(coordinate_of(&r, "l"), 0.3, 1e-12);
    assert_close(-force.along_sum, moment, 1e-9);
    run_stop(&r);
}

/* Soft: the depth is the moment over the stiffness. A drive holds a target off it by the same, and
 * friction holds it still. */
TEST(test_soft_limits_drives_and_friction)
{
    run r;
    run_start(&r,
              parse_parts(PARTS(BALL "}\njoints:\n  - {name: l, type: limit, coordinates: {a.w.swing1: 1}, upper: "
                                     "0.3, stiffness: 400, damping: 30}\n")),
              dls_direct_find("block-pivoting"), NULL, 1);
    run_steps(&r, 4000, 1e-3);
    const double at = coordinate_of(&r, "l");
    assert_close(400 * (at - 0.3), 2 * 9.81 * 0.4 * cos(at), 1e-6);
    run_stop(&r);
    run_start(&r,
              parse_parts(PARTS(BALL "}\njoints:\n  - {name: l, type: drive, coordinates: {a.w.swing1: 1}, target: "
                                     "-0.2, stiffness: 400, damping: 30}\n")),
              dls_direct_find("block-pivoting"), NULL, 1);
    run_steps(&r, 4000, 1e-3);
    assert_close(-400 * (coordinate_of(&r, "l") + 0.2), -2 * 9.81 * 0.4 * cos(coordinate_of(&r, "l")), 1e-6);
    run_stop(&r);
    run_start(
        &r, parse_parts(PARTS(BALL "}\njoints:\n  - {name: l, type: motor, coordinates: {a.w.swing1: 1}, force: 9}\n")),
        dls_direct_find("block-pivoting"), NULL, 1);
    run_steps(&r, 1000, 1e-3);
    assert_close(coordinate_of(&r, "l"), 0.0, 1e-12);
    run_stop(&r);
}

/* With two axes locked a ball joint is a hinge: the same motion as a revolute joint, to the order of the step. */
TEST(test_locked_axes_leave_a_hinge)
{
    run ball, hinge;
    run_start(&ball,
              parse_parts(PARTS(BALL ", spin: [0, 0, 0]}\njoints:\n"
                                     "  - {name: t, type: lock, coordinates: {a.w.twist: 1}}\n"
                                     "  - {name: s, type: lock, coordinates: {a.w.swing2: 1}}\n"
                                     "  - {name: y, type: limit, coordinates: {a.w.swing1: 1}, upper: 100}\n")),
              dls_direct_find("block-pivoting"), NULL, 1);
    run_start(&hinge,
              parse_parts(PARTS("world: {gravity: [0, 0, -9.81]}\n"
                                "articulations:\n  - name: a\n    links:\n      - {name: root, static: true}\n"
                                "      - {name: w, parent: root, motion: revolute, anchor: [0, 0, 0], axis: [0, 1, 0], "
                                "shape: box, size: [0.7, 0.2, 0.1], mass: 2, position: [0.4, 0, 0]}\n")),
              dls_direct_find("block-pivoting"), NULL, 1);
    run_steps(&ball, 300, 1e-3);
    run_steps(&hinge, 300, 1e-3);
    print_message("# two axes locked against a hinge: %.1e\n",
                  fabs(coordinate_of(&ball, "y") - dls_simulation_state(hinge.simulation)->coordinates[0]));
    assert_close(coordinate_of(&ball, "y"), dls_simulation_state(hinge.simulation)->coordinates[0], 1e-12);
    run_stop(&ball);
    run_stop(&hinge);
}

/* The twist axis of a drawn joint is its axis: the same mechanism in other axes has the same motion. */
TEST(test_axes_of_a_drawn_ball_joint)
{
    run r[2];
    static const char *const axes[] = {"", ", axis: [0, 0.6, 0.8], axis2: [1, 0, 0]"};
    for (int k = 0; k < 2; k++) {
        char scene[900];
        snprintf(scene, sizeof scene, "%s, rotation: [0.8, 0, 0.48, 0.36], spin: [0.5, -0.4, 0.8]%s}\n", BALL, axes[k]);
        run_start(&r[k], parse_model(scene), dls_direct_find("block-pivoting"), NULL, 1);
        run_steps(&r[k], 200, 1e-3);
    }
    dls_end one = dls_configuration_end(dls_simulation_configuration(r[0].simulation),
                                        dls_model_find_end(r[0].model, "a.w")),
            two = dls_configuration_end(dls_simulation_configuration(r[1].simulation),
                                        dls_model_find_end(r[1].model, "a.w"));
    assert_close(dls_norm(dls_sub(one.x, two.x)), 0.0, 1e-12);
    assert_close(dls_norm(dls_sub(one.omega, two.omega)), 0.0, 1e-11);
    run_stop(&r[0]);
    run_stop(&r[1]);
}

/* --- the cone --- */

/* Between two bodies and between links: the axis stays within the cone, and the pendulum that leans on it is held by
 * m g l sin. */
TEST(test_a_swing_cone_holds)
{
    static const char *const scenes[] = {
        BALL "}\njoints:\n  - {name: c, type: swing-limit, body1: a.w, body2: a.root, axis: [1, 0, 0], swing1: 0.4}\n",
        "world: {gravity: [0, 0, -9.81]}\n"
        "bodies:\n  - {name: w, shape: box, size: [0.7, 0.2, 0.1], mass: 2, position: [0.4, 0, 0]}\n"
        "joints:\n  - {name: c, type: swing-limit, body1: w, axis: [1, 0, 0], swing1: 0.4}\n"
        "  - {name: p, type: ball, body1: w, anchor: [0, 0, 0]}\n"};
    for (int k = 0; k < 2; k++) {
        run r;
        run_start(&r, parse_model(scenes[k]), dls_direct_find("block-pivoting"), NULL, 1);
        double beyond = 0.0;
        for (int step = 0; step < 2000; step++) {
            run_steps(&r, 1, 1e-3);
            double C[DLS_JOINT_ROWS_MAX];
            joint_position(r.model, dls_simulation_state(r.simulation), joint_named(r.model, "c"), C);
            beyond = fmax(beyond, -C[0]);
        }
        dls_constraint_force force;
        dls_error error;
        assert_status(dls_simulation_forces_of(r.simulation, dls_model_find_joint(r.model, "c"), &force, &error),
                      &error);
        print_message("# cone: beyond it by %.1e at most; torque %.9f, expected %.9f\n", beyond,
                      dls_norm(force.end[0].ang), 2 * 9.81 * 0.4 * cos(0.4));
        assert_below(beyond, k ? 1e-5 : 1e-12);
        assert_close(dls_norm(force.end[0].ang), 2 * 9.81 * 0.4 * cos(0.4), 1e-6);
        run_stop(&r);
    }
}

/* An elliptic cone against its definition: C = 0 on the ellipse. */
TEST(test_an_elliptic_cone)
{
    dls_model *model = parse_parts(PARTS("bodies:\n  - {name: w, shape: sphere, radius: 0.2, mass: 2}\n"
                                         "joints:\n  - {name: c, type: swing-limit, body1: w, axis: [1, 0, 0], axis2: "
                                         "[0, 1, 0], swing1: 0.4, swing2: 1.1}\n"));
    dls_state *state = new_state(model);
    for (double way = 0.0; way < 6.0; way += 0.37) {
        double C[DLS_JOINT_ROWS_MAX];
        state->q[0] =
            dls_quat_mul(dls_quat_exp(dls_v3(0, 0.4 * cos(way), 1.1 * sin(way))), dls_quat_exp(dls_v3(0.7, 0, 0)));
        joint_position(model, state, joint_named(model, "c"), C);
        assert_close(C[0], 0.0, 1e-14);
    }
    dls_state_destroy(state);
    dls_model_destroy(model);
}
