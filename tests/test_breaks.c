/* The check finds what is broken, and nothing in what is not. Joint types whose rows or positions are wrong, lists and
 * problems that say something else than their rows, masses and velocities that are not those of the bodies: each is
 * found in the row and under the subject that it belongs to, and in no other joint. */
#include "mechanism.h"
#include "problems.h"

#include "delassus/check.h"

#include "model/model.h"

#include <dirent.h>
#include <float.h>

enum { POSES = 20 };

/* --- mechanisms with every joint type --- */

#define WORLD "world: {gravity: [0.3, -0.2, -9.81], step: 0.01}\n"
#define BOX(name, x, y)                                                                                    \
    "  - {name: " name ", shape: box, size: [0.3, 0.2, 0.4], mass: 2.385, position: [" x ", " y ", 0.6], " \
    "orientation: [0.7, 0.1, -0.7, 0.1], force: [0.4, 0.3, -0.7], torque: [0.2, -0.1, 0.3]}\n"
static const char bodies_scene[] = WORLD "bodies:\n" BOX("a", "0", "0.1") BOX("b", "0.5", "0") BOX("c", "1", "0.1")
    BOX("d", "1.5", "0") BOX("e", "2", "0.1") BOX(
        "f", "2.5",
        "0") "joints:\n"
             "  - {name: fixed, type: fixed, body1: a, erp: 0.7}\n"
             "  - {name: ball, type: ball, body1: b, body2: a, anchor: [0.2, 0.02, 0.5], cfm: 0.003, force_lo: -70, "
             "force_hi: "
             "80}\n"
             "  - {name: hinge, type: hinge, body1: c, body2: b, anchor: [0.7, 0.1, 0.6], axis: [0.2, 1, 0.1]}\n"
             "  - {name: slider, type: slider, body1: d, body2: c, axis: [1, 0.1, 0.3]}\n"
             "  - {name: universal, type: universal, body1: e, body2: d, anchor: [1.7, 0.1, 0.6], axis1: [0, 1, 0], "
             "axis2: [0, "
             "0, 1]}\n"
             "  - {name: rod, type: distance, body1: f, body2: e, anchor1: [2.4, 0.2, 0.7], anchor2: [2.1, 0.1, 0.5]}\n"
             "  - {name: rope, type: distance, body1: f, body2: a, anchor1: [2.4, 0.2, 0.7], anchor2: [0.1, 0.1, 0.5], "
             "min: "
             "2.31, max: 2.32}\n"
             "  - {name: box, type: contact, body1: f, body2: b, point: [2.5, 0, 0.4], normal: [0.1, 0.2, 1], mu: 0.4, "
             "friction: "
             "box, "
             "restitution: 0.3}\n"
             "  - {name: foot, type: contact, body1: e, body2: a, point: [2, 0.1, 0.4], normal: [0, 0.2, 1], mu: 0.6, "
             "gap: "
             "-0.08, "
             "force_hi: 900}\n"
             "  - {name: cone, type: contact, body1: d, body2: a, point: [1.5, 0.1, 0.4], normal: [0.3, 0.2, 1], mu: "
             "0.5, "
             "friction: cone, cfm: 0.001}\n"
             "  - {name: spring, type: distance, body1: f, body2: c, anchor1: [2.4, 0.2, 0.7], anchor2: [1.1, 0.1, "
             "0.5], "
             "stiffness: 50, damping: 3}\n"
             "  - {name: tuned, type: ball, body1: f, body2: b, anchor: [1.4, 0.2, 0.7], frequency: 3, damping_ratio: "
             "0.4}\n"
             "  - {name: bumper, type: contact, body1: c, point: [1, 0.1, 0.4], normal: [0, 0.1, 1], stiffness: 900, "
             "damping: 7, "
             "gap: 0.02}\n"
             "  - {name: drive, type: drive, coordinates: {hinge: 1, slider: -0.7}, stiffness: 4, damping: 0.3, "
             "target: 0.4, "
             "speed: 0.2, force: 11}\n"
             "  - {name: motor, type: motor, coordinates: {hinge: 2}, speed: 0.7, force: 3, cfm: 0.01}\n"
             "  - {name: brake, type: motor, coordinates: {slider: 1}, force: 5}\n"
             "  - {name: limit, type: limit, coordinates: {slider: 2}, lower: -0.01, upper: 0.01, erp: 0.4}\n"
             "  - {name: mimic, type: mimic, coordinates: {hinge: 1, slider: -2.5}, offset: 0.1}\n";

#define SOLID "shape: box, size: [0.2, 0.3, 0.15], mass: 0.7"
static const char tree_scene[] = WORLD
    "articulations:\n"
    "  - name: arm\n"
    "    links:\n"
    "      - {name: base, static: true}\n"
    "      - {name: upper, parent: base, motion: revolute, axis: [0, 1, 0.2], anchor: [0, 0, 1], position: [0.2, 0, "
    "1], "
    "speed: 0.4, armature: 0.2, effort: 0.6, " SOLID "}\n"
    "      - {name: rail, parent: upper, motion: prismatic, axis: [1, 0.1, 0], position: [0.5, 0.1, 1], speed: "
    "-0.3, " SOLID "}\n"
    "      - {name: hand, parent: rail, motion: spherical, anchor: [0.7, 0, 1], position: [0.9, 0.1, 1.1], spin: [0.5, "
    "-0.4, 0.8], " SOLID "}\n"
    "  - name: bird\n"
    "    links:\n"
    "      - {name: body, position: [0, 1, 1], force: [0.3, 0.1, 0.2], " SOLID "}\n"
    "      - {name: wing, parent: body, motion: spherical-2, anchor: [0.1, 1.2, 1], axis: [0, 0, 1], axis2: [0, 1, 0], "
    "position: [0.2, 1.4, 1], torque: [0.1, 0.4, 0.2], " SOLID "}\n"
    "joints:\n"
    "  - {name: tie, type: ball, body1: arm.hand, body2: bird.wing, anchor: [0.9, 0.8, 1.1]}\n"
    "  - {name: rope, type: distance, body1: bird.body, anchor1: [0, 1, 0.9], anchor2: [0.1, 1.2, 2], max: 1.12}\n"
    "  - {name: mimic, type: mimic, coordinates: {arm.upper: 1, arm.rail: 3}, offset: 0.1}\n"
    "  - {name: limit, type: limit, coordinates: {arm.rail: -1}, upper: 0.05}\n"
    "  - {name: drive, type: drive, coordinates: {arm.upper: 1}, frequency: 2, target: 0.3}\n"
    "  - {name: motor, type: motor, coordinates: {arm.rail: 0.5}, speed: -0.3, force: 2}\n"
    "  - {name: fed, type: drive, coordinates: {arm.rail: 1}, mode: acceleration, stiffness: 7, damping: 0.9, target: "
    "0.3, "
    "speed: 0.4, feed: 1.3, impulse: 0.9}\n"
    "  - {name: explicit, type: drive, coordinates: {arm.upper: 1}, method: explicit, stiffness: 5, damping: 0.6, "
    "feed: "
    "0.3, schedule: table, times: [-0.1, 0.2], targets: [0.1, -0.3]}\n";

static const char track_scene[] = WORLD
    "tracks:\n"
    "  - name: curl\n"
    "    curve: {type: helix, radius: 3, pitch: 2, turns: 3}\n"
    "    twist: {type: linear, rate: 0.3}\n"
    "bodies:\n"
    "  - {name: car, shape: box, size: [0.8, 0.4, 0.3], mass: 4, position: [1.63, 2.54, 0.32], velocity: [0, 1, 0]}\n"
    "joints:\n"
    "  - {name: ride, type: track, body1: car, track: curl, snap: true, tolerance: 0.1, speed: 2, "
    "motor_force_min: -30, motor_force_max: 40, lateral_force: 500, roll_torque: 60, erp: 0.3, ends: stop}\n";

static const char leaving_scene[] =
    WORLD "tracks:\n  - {name: rail, curve: {type: line, start: [0, 0, 0], tangent: [1, 0, 0], length: 2}}\n"
          "bodies:\n  - {name: car, shape: box, size: [0.8, 0.4, 0.3], mass: 4, position: [1, 0, 0]}\n"
          "joints:\n  - {name: ride, type: track, body1: car, track: rail, speed: 2, ends: leave, frequency: 4}\n";

static const char spinning_scene[] =
    "world: {step: 0.01, gyroscopic: implicit, gravity: [0, 0, -9.81]}\n"
    "bodies:\n" BOX("top", "0", "0") "joints:\n"
                                     "  - {name: point, type: ball, body1: top, anchor: [0, 0, 0.4]}\n";

/* --- one check --- */

/* Breaks of a problem once it is assembled. */
typedef void (*spoil)(dls_problem *problem, size_t row);

static dls_joint *joint_of(dls_model *model, const char *name)
{
    size_t j = dls_model_find_joint(model, name);
    assert_true(j != DLS_NONE);
    return &model->joints[j];
}

/* The first row of a joint, by counting. */
static size_t first_row(const dls_model *model, size_t joint)
{
    size_t first = 0;
    for (size_t j = 0; j < joint; j++)
        first += model->joints[j].type->count(&model->joints[j]);
    return first;
}

static size_t row_labelled(const dls_model *model, const dls_problem *problem, const char *joint, const char *label)
{
    size_t j = dls_model_find_joint(model, joint), first = first_row(model, j);
    for (size_t r = 0; r < model->joints[j].type->count(&model->joints[j]); r++)
        if (strcmp(dls_problem_label(problem, first + r), label) == 0)
            return first + r;
    fail_msg("joint '%s' has no row '%s'", joint, label);
    return 0;
}

static dls_problem *problem_at(const dls_model *model, int pose, dls_state *state)
{
    dls_error error;
    dls_state_copy(state, dls_model_initial(model));
    if (pose > 0)
        assert_status(dls_check_stir(model, state, 2385 + (uint64_t)pose, &error), &error);
    return problem_from_state(model, state, NULL, dls_model_world(model)->step);
}

static dls_check_report *report_on(const dls_model *model, const dls_state *state, const dls_problem *problem)
{
    dls_check_report *report;
    dls_error error;
    assert_status(dls_check_problem(model, state, NULL, problem, 7, &report, &error), &error);
    return report;
}

/* --- what is right passes --- */

static void print_report(const dls_problem *problem, const dls_check_report *report)
{
    for (size_t i = 0; i < report->n_rows; i++)
        for (int k = 0; k < DLS_CHECK_ROW_SUBJECTS; k++) {
            const dls_check_found *f = &report->rows[i].found[k];
            if (!(f->ratio <= 1.0))
                print_error("row %zu '%s', %s: %.17g, expected %.17g, allowed %.3g\n", i, dls_problem_label(problem, i),
                            dls_check_subject_names[k], f->found, f->expected, f->allowed);
        }
    for (size_t i = 0; i < report->n_blocks; i++)
        for (int k = DLS_CHECK_ROW_SUBJECTS; k < DLS_CHECK_SUBJECTS; k++) {
            const dls_check_found *f = &report->blocks[i].found[k - DLS_CHECK_ROW_SUBJECTS];
            if (!(f->ratio <= 1.0))
                print_error("block %zu, %s: %.17g, expected %.17g, allowed %.3g\n", i, dls_check_subject_names[k],
                            f->found, f->expected, f->allowed);
        }
}

static const char *const scenes[] = {bodies_scene, tree_scene, track_scene, spinning_scene};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

TEST(test_what_is_right_passes)
{
    double sight = 0.0, worst = 0.0;
    for (size_t k = 0; k < SCENES; k++) {
        dls_model *model = parse_model(scenes[k]);
        dls_state *state = new_state(model);
        for (int pose = 0; pose < 40; pose++) {
            dls_problem *problem = problem_at(model, pose, state);
            dls_check_report *report = report_on(model, state, problem);
            print_report(problem, report);
            assert_true(report->passed);
            sight = fmax(sight, report->sight);
            for (size_t i = 0; i < report->n_rows; i++)
                for (int s = 0; s < DLS_CHECK_ROW_SUBJECTS; s++)
                    worst = fmax(worst, report->rows[i].found[s].ratio);
            dls_check_report_destroy(report);
            dls_problem_destroy(problem);
        }
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
    print_message("# wrong entries of J are seen from %.1e of a row on; errors up to %.1e of what is allowed\n", sight,
                  worst);
    assert_below(sight, 1e-7);
}

/* The force of an explicit drive is a sum: it may be off by 16 roundings of its terms, and no more. A gain for a unit
 * of mass is divided by the mobility, a sum of products over the 6 speeds of the body. */
TEST(test_what_an_explicit_force_is_allowed)
{
    static const struct {
        const char *mode;
        double force, terms;
    } cases[] = {{"force", 3.0 + 500.0 + 18.0, 3.0 + 500.0 + 30.0 * (0.3 + 0.9)},
                 {"acceleration", 3.0 + 2.0 * (500.0 + 18.0), 3.0 + 2.0 * 6.0 * (500.0 + 30.0 * (0.3 + 0.9))}};
    for (size_t k = 0; k < 2; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, 0], step: 0.125}\n"
                 "bodies: [{name: cart, shape: sphere, radius: 1, mass: 2, velocity: [0.3, 0, 0]}]\n"
                 "joints:\n  - {name: rail, type: slider, body1: cart, axis: [1, 0, 0]}\n"
                 "  - {name: pull, type: drive, coordinates: {rail: 1}, method: explicit, mode: %s, stiffness: 1000, "
                 "damping: 30, target: 0.5, speed: 0.9, feed: 3}\n",
                 cases[k].mode);
        dls_model *model = parse_model(text);
        dls_state *state = new_state(model);
        dls_problem *problem = problem_at(model, 0, state);
        dls_check_report *report = report_on(model, state, problem);
        const dls_check_found *bound =
            &report->rows[first_row(model, dls_model_find_joint(model, "pull"))].found[DLS_CHECK_BOUNDS];
        assert_true(report->passed);
        assert_close(bound->expected, 0.125 * cases[k].force, 1e-12);
        assert_close(bound->allowed, 16.0 * DBL_EPSILON * 0.125 * cases[k].terms, 1e-12 * bound->allowed);
        dls_check_report_destroy(report);
        dls_problem_destroy(problem);
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

/* A coordinate that two rails of one body measure alike has no difference that a force could change: gains for a unit
 * of mass have no force on it, and what is fed stays. */
TEST(test_an_explicit_force_on_what_nothing_moves)
{
    dls_model *model = parse_model(
        "world: {gravity: [0, 0, 0], step: 0.125}\n"
        "bodies: [{name: cart, shape: sphere, radius: 1, mass: 2, velocity: [0.3, 0, 0]}]\n"
        "joints:\n  - {name: one, type: slider, body1: cart, axis: [1, 0, 0]}\n"
        "  - {name: two, type: slider, body1: cart, axis: [1, 0, 0]}\n"
        "  - {name: pull, type: drive, coordinates: {one: 1, two: -1}, method: explicit, mode: acceleration, "
        "stiffness: 1000, damping: 30, target: 0.5, speed: 0.9, feed: 3}\n");
    dls_state *state = new_state(model);
    dls_problem *problem = problem_at(model, 0, state);
    dls_check_report *report = report_on(model, state, problem);
    const size_t i = first_row(model, dls_model_find_joint(model, "pull"));
    print_report(problem, report);
    assert_true(problem->lo[i] == 0.125 * 3.0 && problem->hi[i] == 0.125 * 3.0);
    assert_close(report->rows[i].found[DLS_CHECK_BOUNDS].expected, 0.125 * 3.0, 1e-15);
    assert_true(report->rows[i].found[DLS_CHECK_BOUNDS].ratio <= 1.0);
    dls_check_report_destroy(report);
    dls_problem_destroy(problem);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- how much is allowed --- */

static const char allowed_scene[] =
    "world: {gravity: [0, 0, 0], step: 0.125}\n"
    "bodies:\n"
    "  - {name: cart, shape: sphere, radius: 1, mass: 2, position: [3, 4, 0], velocity: [0.25, 0, -0.5], omega: [0, "
    "0.5, 0]}\n"
    "  - {name: load, shape: sphere, radius: 1, mass: 0.5, position: [0, 0, 12]}\n"
    "  - {name: lift, kinematic: true, velocity: [0, 0.5, 0.25]}\n"
    "joints:\n"
    "  - {name: rail, type: slider, body1: cart, axis: [1, 0, 0]}\n"
    "  - {name: rod, type: distance, body1: load, body2: cart, anchor1: [0, 0, 11], anchor2: [3, 4, 2], length: 9, "
    "erp: "
    "0.5, cfm: 0.25, force_hi: 40, force_lo: -70}\n"
    "  - {name: spring, type: distance, body1: load, anchor1: [0, 3, 12], anchor2: [4, 0, 12], length: 4, stiffness: "
    "64, "
    "damping: 2}\n"
    "  - {name: motor, type: motor, coordinates: {rail: 2}, speed: 0.75, force: 3, cfm: 0.5}\n"
    "  - {name: drive, type: drive, coordinates: {rail: 1}, stiffness: 64, damping: 8, target: -0.5, speed: -0.25, "
    "feed: 3}\n"
    "  - {name: tuned, type: drive, coordinates: {rail: 1}, frequency: 2, damping_ratio: 0.5, target: 0.5}\n"
    "  - {name: bumper, type: contact, body1: load, point: [0, 0, 11], normal: [0, 0, 1], gap: 0.5, stiffness: 64, "
    "damping: 8}\n"
    "  - {name: bounce, type: contact, body1: cart, point: [3, 4, -1], normal: [0, 0, 1], gap: -0.25, mu: 0.5, "
    "friction: box, restitution: 0.5}\n"
    "  - {name: lifted, type: contact, body1: cart, body2: lift, point: [3, 2, 0], normal: [0, 1, 0], gap: -0.25, erp: "
    "0.25}\n";

static const dls_check_found *found_in(const dls_check_report *report, size_t row, dls_check_subject subject)
{
    return &report->rows[row].found[subject];
}

static void assert_allowed(const dls_check_found *found, double terms, const char *joint, const char *what)
{
    const double allowed = 16.0 * DBL_EPSILON * terms;
    if (!(fabs(found->allowed - allowed) <= 1e-12 * allowed))
        fail_msg("%s, %s: %.17g of eps is allowed, not %.17g", joint, what, found->allowed / DBL_EPSILON,
                 allowed / DBL_EPSILON);
}

/* Every number of a row may be off by 16 roundings of the terms that it is the sum of, and no more. With h = 1/8: a
 * spring has the compliance 1 / (h (h kp + kd)), of gains for a unit of mass times J M^-1 J^T, a sum of six
 * products. */
TEST(test_what_rows_are_allowed)
{
    enum { FULL_SPRING = 16, SOFT_SPRING = 10 }; /* h kp + kd */
    const double h = 0.125, w = 4.0 * DLS_PI, tuned = h * w * w + w;
    static const char *const names[] = {"rod", "spring", "motor", "drive", "tuned", "bumper", "bounce", "lifted"};
    dls_model *model = parse_model(allowed_scene);
    dls_state *state = new_state(model);
    dls_problem *problem = problem_at(model, 0, state);
    double C[8];
    for (size_t k = 0; k < 8; k++) {
        const size_t i = first_row(model, dls_model_find_joint(model, names[k]));
        C[k] = fabs(dls_problem_rows(problem)->row[i].C);
        problem->c[i] += 1e3, problem->gamma[i] += 1e3, problem->hi[i] += 1e3, problem->mu[i] += 1e3;
    }
    const size_t tangent = first_row(model, dls_model_find_joint(model, "bounce")) + 1;
    problem->mu[tangent] += 1e3;
    assert_close(C[4], 0.5, 1e-15);
    assert_close(C[5], 0.5, 1e-15);
    /* the speed of approach is 1/2, of -1/2 along the normal and an arm that the rotation does not move */
    const double bias[] = {0.5 * C[0] / h,
                           64.0 * C[1] / SOFT_SPRING,
                           0.75,
                           64.0 * C[3] / FULL_SPRING + 8.0 * 0.25 / FULL_SPRING + 3.0 / FULL_SPRING,
                           w * w * 0.5 / tuned,
                           0.5 / h,
                           0.5 * 0.5,
                           0.25 * C[7] / h + 0.5};
    const double compliance[] = {
        0.25, 1.0 / SOFT_SPRING, 0.5, 1.0 / FULL_SPRING, 6.0 * 0.5 / tuned, 1.0 / FULL_SPRING, 0.0, 0.0};
    dls_check_report *report = report_on(model, state, problem);
    assert_false(report->passed);
    for (size_t k = 0; k < 8; k++) {
        const size_t i = first_row(model, dls_model_find_joint(model, names[k]));
        assert_allowed(found_in(report, i, DLS_CHECK_BIAS), bias[k], names[k], "bias");
        assert_allowed(found_in(report, i, DLS_CHECK_COMPLIANCE), compliance[k] / h, names[k], "compliance");
        assert_true(found_in(report, i, DLS_CHECK_FRICTION)->allowed == 0.0);
    }
    const size_t rod = first_row(model, dls_model_find_joint(model, "rod")),
                 motor = first_row(model, dls_model_find_joint(model, "motor"));
    assert_allowed(found_in(report, rod, DLS_CHECK_BOUNDS), h * 40.0, "rod", "upper bound");
    assert_allowed(found_in(report, motor, DLS_CHECK_BOUNDS), h * 3.0, "motor", "upper bound");
    assert_allowed(found_in(report, tangent, DLS_CHECK_FRICTION), 0.5, "bounce", "friction");
    dls_check_report_destroy(report);
    const size_t spring = first_row(model, dls_model_find_joint(model, "spring"));
    problem->hi[rod] -= 1e3, problem->lo[rod] -= 1e3;
    problem->lo[spring] = -1e3; /* there is none */
    report = report_on(model, state, problem);
    assert_allowed(found_in(report, rod, DLS_CHECK_BOUNDS), h * 70.0, "rod", "lower bound");
    assert_true(found_in(report, spring, DLS_CHECK_BOUNDS)->allowed == 0.0);
    dls_check_report_destroy(report);
    problem->lo[spring] = -HUGE_VAL, problem->hi[spring] = 1e3;
    report = report_on(model, state, problem);
    assert_true(found_in(report, spring, DLS_CHECK_BOUNDS)->allowed == 0.0);
    assert_true(found_in(report, spring, DLS_CHECK_BOUNDS)->ratio > 1.0);
    dls_check_report_destroy(report);
    dls_problem_destroy(problem);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* |J| times how far the places of the two ends may be off: 4 roundings of the way to the centre of mass (of the world:
 * to the anchor), 64 of the arm and of the rotation; and 16 of C. */
static double rounding_of(const dls_configuration *c, const dls_joint *joint, const dls_row *row)
{
    double sum = 16.0 * fabs(row->C);
    for (int i = 0; i < 2; i++) {
        const double *J = i == 0 ? row->J1 : row->J2;
        const bool moves = dls_model_moves(c->model, joint->body[i]);
        const double arm = dls_norm(joint->frame[i].p), way = dls_norm(dls_configuration_end(c, joint->body[i]).x);
        sum += dls_norm(dls_v3(J[0], J[1], J[2])) * (4.0 * (way + (moves ? 0.0 : arm)) + (moves ? 64.0 * arm : 0.0));
        sum += 64.0 * dls_norm(dls_v3(J[3], J[4], J[5]));
    }
    return DBL_EPSILON * sum;
}

/* C may be off by twice that, for it is known twice; a row that holds no position has none. */
TEST(test_what_errors_of_bodies_are_allowed)
{
    dls_model *model = parse_model(bodies_scene);
    dls_state *state = new_state(model);
    dls_problem *problem = problem_at(model, 2, state);
    dls_configuration *c = configuration_of(model, state);
    size_t held = 0, free_ones = 0;
    for (size_t i = 0; i < problem->n; i++)
        dls_problem_rows(problem)->row[i].C += 10.0;
    dls_check_report *report = report_on(model, state, problem);
    for (size_t j = 0, i = 0; j < dls_model_count(model).joints; j++) {
        const dls_joint *joint = &dls_model_joints(model)[j];
        dls_row rows[DLS_JOINT_ROWS_MAX];
        const size_t count = dls_rows_of_joint(c, joint, problem->h, rows);
        for (size_t r = 0; r < count; r++, i++) {
            const dls_check_found *found = found_in(report, i, DLS_CHECK_ERROR);
            assert_true(found->ratio > 1.0);
            if (found->expected == 0.0 && found->allowed == 0.0)
                free_ones++;
            else if (!joint->n_terms) {
                const double allowed = 2.0 * rounding_of(c, joint, &rows[r]);
                assert_close(found->allowed, allowed, 1e-12 * allowed);
                held++;
            }
        }
    }
    assert_int_equal(held, 6 + 3 + 5 + 5 + 4 + 1 + 2 + 3 + 1 + 3 + 1); /* of joints, and one of each contact */
    assert_int_equal(free_ones, 2 * 3 + 2);                            /* tangents, motor and brake */
    dls_check_report_destroy(report);
    dls_configuration_destroy(c);
    dls_problem_destroy(problem);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- joints that let go --- */

/* A joint that has let its body go for good says nothing any more, and that is right. */
TEST(test_a_released_joint_passes)
{
    dls_model *model = parse_model(leaving_scene);
    dls_state *state = new_state(model);
    const double v[6] = {4.0, 0.1, 0.2, 0.1, 0.2, 0.3};
    for (int step = 0; step < 3; step++) {
        dls_problem *problem = problem_from_state(model, state, NULL, 0.01);
        dls_check_report *report = report_on(model, state, problem);
        print_report(problem, report);
        assert_true(report->passed);
        assert_true(step == 0 || problem->hi[0] == 0.0);
        dls_check_report_destroy(report);
        dls_problem_destroy(problem);
        advance_state(model, state, v, 1.0);
    }
    dls_state_destroy(state);
    dls_model_destroy(model);
}

static void check_scene(const char *path)
{
    dls_scene *scene;
    dls_collider *collider = NULL;
    dls_contacts contacts = {0, 0, NULL};
    dls_error error;
    assert_status(dls_scene_read(path, &scene, &error), &error);
    dls_model *model = finish(scene);
    dls_state *state = new_state(model);
    if (dls_model_world(model)->collide)
        assert_status(dls_collider_create(model, &collider, &error), &error);
    for (uint64_t pose = 0; pose < 4; pose++) {
        dls_check_report *report;
        dls_state_copy(state, dls_model_initial(model));
        assert_status(pose == 0 ? dls_check_settle(model, state, &error)
                                : dls_check_stir(model, state, 100 + pose, &error),
                      &error);
        if (collider)
            assert_status(dls_collider_find(collider, state, &contacts, &error), &error);
        dls_problem *problem = problem_from_state(model, state, &contacts, dls_model_world(model)->step);
        assert_status(dls_check_problem(model, state, &contacts, problem, pose, &report, &error), &error);
        print_report(problem, report);
        if (!report->passed)
            fail_msg("%s: wrong at pose %lu", path, (unsigned long)pose);
        dls_check_report_destroy(report);
        dls_problem_destroy(problem);
    }
    dls_contacts_release(&contacts);
    dls_collider_destroy(collider);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* All of scenes/, at their own poses and off them. */
TEST(test_every_scene_passes)
{
    char folder[DLS_PATH_MAX / 2], path[DLS_PATH_MAX];
    size_t count = 0;
    snprintf(folder, sizeof folder, "%s/scenes", getenv("DLS_TEST_SOURCE"));
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (const struct dirent *file; (file = readdir(files));)
        if (strstr(file->d_name, ".yaml")) {
            snprintf(path, sizeof path, "%s/%.200s", folder, file->d_name);
            check_scene(path);
            count++;
        }
    closedir(files);
    print_message("# %zu scenes\n", count);
    assert_true(count > 0);
}

/* --- one break --- */

/* The wrapped type: the original's rows, position and coordinate, then what breaks them. */
static struct {
    const dls_joint_type *original;
    const dls_joint *joint; /* which alone is broken */
    size_t slot;
    void (*rows)(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows, size_t slot);
    void (*position)(const dls_joint *joint, const dls_end end[2], double *C, size_t slot);
} wrap;

static void wrapped_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    dls_joint copy = *joint;
    copy.type = wrap.original;
    wrap.original->rows(&copy, end, h, rows);
    if (wrap.rows)
        wrap.rows(joint, end, h, rows, wrap.slot);
}

static void wrapped_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    dls_joint copy = *joint;
    copy.type = wrap.original;
    wrap.original->position(&copy, end, C);
    if (wrap.position)
        wrap.position(joint, end, C, wrap.slot);
}

static size_t wrapped_count(const dls_joint *joint)
{
    dls_joint copy = *joint;
    copy.type = wrap.original;
    return wrap.original->count(&copy);
}

static void wrapped_advance(const dls_joint *joint, const dls_end before[2], const dls_end after[2], double h,
                            double *joint_state)
{
    dls_joint copy = *joint;
    copy.type = wrap.original;
    wrap.original->advance(&copy, before, after, h, joint_state);
}

static void wrapped_coordinate(const dls_joint *joint, const dls_end end[2], dls_row *row)
{
    dls_joint copy = *joint;
    copy.type = wrap.original;
    wrap.original->coordinate(&copy, end, row);
}

static void wrap_type(dls_joint *joint, dls_joint_type *type)
{
    wrap.original = joint->type;
    wrap.joint = joint;
    *type = *joint->type;
    type->rows = wrapped_rows;
    type->position = wrapped_position;
    type->count = wrapped_count;
    if (type->advance)
        type->advance = wrapped_advance;
    if (type->coordinate)
        type->coordinate = wrapped_coordinate;
    joint->type = type;
}

/* Whether at some pose `subject` of the row is found wrong; and that nothing is found in the rows of other joints, but
 * where a wrong position moves the bodies of all. */
static bool caught(dls_model *model, const char *joint, const char *label, dls_check_subject subject, spoil broken,
                   bool alone)
{
    bool found = false;
    dls_state *state = new_state(model);
    size_t j = dls_model_find_joint(model, joint), first = first_row(model, j);
    for (int pose = 0; pose < POSES && !found; pose++) {
        dls_problem *problem = problem_at(model, pose, state);
        size_t row = row_labelled(model, problem, joint, label);
        if (broken)
            broken(problem, row);
        dls_check_report *report = report_on(model, state, problem);
        found = report->rows[row].found[subject].ratio > 1.0;
        assert_true(!found || !report->passed);
        for (size_t i = 0; i < report->n_rows && alone; i++)
            for (int k = 0; k < DLS_CHECK_ROW_SUBJECTS; k++)
                if (i < first || i >= first + model->joints[j].type->count(&model->joints[j]))
                    assert_true(report->rows[i].found[k].ratio <= 1.0);
        dls_check_report_destroy(report);
        dls_problem_destroy(problem);
    }
    dls_state_destroy(state);
    return found;
}

/* --- breaks of joint types --- */

#define UNUSED __attribute__((unused))
#define BREAK(name)                                                                               \
    static void name(UNUSED const dls_joint *joint, UNUSED const dls_end end[2], UNUSED double h, \
                     UNUSED dls_row *rows, UNUSED size_t slot)

static dls_vec3 axis_of(const dls_joint *joint, const dls_end end[2], int which, int k)
{
    return dls_quat_rotate(dls_quat_mul(end[which].q, joint->frame[which].q), dls_axis3(k));
}

static dls_vec3 arm_of(const dls_joint *joint, const dls_end end[2], int which)
{
    return dls_mul3(end[which].R, joint->frame[which].p);
}

static dls_vec3 separation(const dls_joint *joint, const dls_end end[2])
{
    return dls_sub(dls_add(end[0].x, arm_of(joint, end, 0)), dls_add(end[1].x, arm_of(joint, end, 1)));
}

BREAK(wrong_sign_of_C) { rows[slot].C = -rows[slot].C; }
BREAK(twice_C) { rows[slot].C *= 2.0; }
BREAK(J_times_C)
{
    for (int k = 0; k < 6; k++)
        rows[slot].J1[k] *= 1.0 + rows[slot].C;
}
BREAK(J_a_little_too_long)
{
    for (int k = 0; k < 6; k++)
        rows[slot].J2[k] *= 1.0 + 1e-6;
}
BREAK(arm_of_the_other_end)
{
    dls_row_set_linear(&rows[slot], dls_v3(rows[slot].J1[0], rows[slot].J1[1], rows[slot].J1[2]), arm_of(joint, end, 1),
                       arm_of(joint, end, 1));
}
BREAK(one_end_missing)
{
    for (int k = 0; k < 6; k++)
        rows[slot].J2[k] = 0.0;
}
BREAK(ends_swapped)
{
    for (int k = 0; k < 6; k++) {
        double J1 = rows[slot].J1[k];
        rows[slot].J1[k] = rows[slot].J2[k], rows[slot].J2[k] = J1;
    }
}
/* conventions, hinge: the term with theta, which vanishes where the axes agree. */
BREAK(hinge_without_theta)
{
    rows[slot].angular = true;
    dls_row_set_angular(&rows[slot], axis_of(joint, end, 1, (int)slot - 3));
}
/* B = 1 in the rows that lock a rotation: right at C = 0. */
BREAK(lock_without_B) { dls_row_set_angular(&rows[slot], axis_of(joint, end, 1, (int)slot % 3)); }
/* a2 in the place of a2 + d. */
BREAK(slider_without_d)
{
    dls_row_set_linear(&rows[slot], axis_of(joint, end, 1, (int)slot - 3), arm_of(joint, end, 0),
                       arm_of(joint, end, 1));
}
/* b1 x b2, whose length is 1 where C = 0. */
BREAK(universal_without_length)
{
    dls_row_set_angular(&rows[slot], dls_cross(axis_of(joint, end, 0, 2), axis_of(joint, end, 1, 2)));
}
/* temporal-coherence's (d.d - L^2) / 2: a row that is longer by |d|. */
BREAK(distance_as_printed)
{
    dls_row_set_linear(&rows[slot], separation(joint, end), arm_of(joint, end, 0), arm_of(joint, end, 1));
}
/* The frame of a track turns as the body runs on: without that share of s'. */
BREAK(track_without_turn)
{
    const dls_vec3 n = dls_v3(rows[slot].J1[0], rows[slot].J1[1], rows[slot].J1[2]);
    const dls_vec3 T = dls_v3(rows[4 + 1].J1[0], rows[4 + 1].J1[1], rows[4 + 1].J1[2]);
    const dls_vec3 across = dls_sub(n, dls_scale(dls_dot(n, T) / dls_dot(T, T), T));
    rows[slot].J1[0] = across.x, rows[slot].J1[1] = across.y, rows[slot].J1[2] = across.z;
}
BREAK(rate_of_a_coordinate_doubled) { rows[slot].Jy *= 2.0; }
BREAK(rate_of_a_coordinate_negated) { rows[slot].Jy = -rows[slot].Jy; }
BREAK(twice_the_erp) { rows[slot].erp *= 2.0; }
BREAK(a_little_more_cfm) { rows[slot].cfm = rows[slot].cfm * 1.001 + 1e-9; }
BREAK(no_cfm) { rows[slot].cfm = 0.0; }
BREAK(gap_with_the_joints_erp)
{
    rows[slot].erp = joint->common.erp;
    rows[slot].gap = false;
}
BREAK(gap_though_closed)
{
    rows[slot].erp = 1.0;
    rows[slot].gap = true;
}
BREAK(pulls_too) { rows[slot].lo = -HUGE_VAL; }
BREAK(pulls_instead)
{
    rows[slot].lo = -HUGE_VAL;
    rows[slot].hi = 0.0;
}
BREAK(stronger) { rows[slot].hi *= 1.05; }
BREAK(without_least_force) { rows[slot].lo = -HUGE_VAL; }
BREAK(more_friction_force)
{
    rows[slot].lo *= 1.05;
    rows[slot].hi *= 1.05;
}
BREAK(more_friction) { rows[slot].mu *= 1.05; }
BREAK(other_law)
{
    rows[1].law = rows[2].law = rows[1].law == DLS_LAW_BOX ? DLS_LAW_CONE : DLS_LAW_BOX;
    rows[1].parent = rows[2].parent = 0;
}
BREAK(same_tangent_twice)
{
    for (int k = 0; k < 6; k++)
        rows[2].J1[k] = rows[1].J1[k], rows[2].J2[k] = rows[1].J2[k];
}
BREAK(left_handed_tangents)
{
    for (int k = 0; k < 6; k++)
        rows[2].J1[k] = -rows[2].J1[k], rows[2].J2[k] = -rows[2].J2[k];
}
BREAK(long_tangent)
{
    for (int k = 0; k < 6; k++)
        rows[1].J1[k] *= 2.0, rows[1].J2[k] *= 2.0;
}
BREAK(twisted_tangent)
{
    for (int k = 0; k < 6; k++)
        rows[1].J1[k] += 0.01 * rows[0].J1[k], rows[1].J2[k] += 0.01 * rows[0].J2[k];
}
BREAK(friction_with_a_position)
{
    rows[slot].C = 0.001;
    rows[slot].erp = 0.2;
}
BREAK(no_speed) { rows[slot].u = 0.0; }
BREAK(speed_backwards) { rows[slot].u = -rows[slot].u; }
BREAK(no_restitution) { rows[slot].u = 0.0; }
BREAK(restitution_with_erp)
{
    if (rows[slot].u != 0.0)
        rows[slot].erp = 0.2;
}
BREAK(softer_spring)
{
    rows[slot].kp *= 0.5;
    rows[slot].frequency *= 0.5;
}
BREAK(no_damper)
{
    rows[slot].kd = 0.0;
    rows[slot].ratio = 0.0;
}
BREAK(no_spring) { rows[slot].kp = rows[slot].kd = rows[slot].frequency = 0.0; }
BREAK(reversed)
{
    for (int k = 0; k < 6; k++) {
        rows[slot].J1[k] = -rows[slot].J1[k];
        rows[slot].J2[k] = -rows[slot].J2[k];
    }
    rows[slot].Jy = -rows[slot].Jy;
    rows[slot].C = -rows[slot].C;
    rows[slot].erp = joint->common.erp;
    dls_row_make_unilateral(&rows[slot]);
}
BREAK(another_C) { rows[slot].C += 1e-9; }
BREAK(work_of_a_motor) { rows[slot].role = DLS_ROLE_JOINT; }

static void negated_position(const dls_joint *joint, const dls_end end[2], double *C, size_t slot)
{
    (void)joint, (void)end;
    C[slot] = -C[slot];
}

static void unset_position(const dls_joint *joint, const dls_end end[2], double *C, size_t slot)
{
    (void)joint, (void)end;
    C[slot] = NAN;
}

static void shifted_position(const dls_joint *joint, const dls_end end[2], double *C, size_t slot)
{
    (void)joint, (void)end;
    C[slot] += 1e-9;
}

typedef struct row_break {
    const char *what, *scene, *joint, *label;
    dls_check_subject subject;
    void (*rows)(const dls_joint *, const dls_end[2], double, dls_row *, size_t);
    void (*position)(const dls_joint *, const dls_end[2], double *, size_t);
} row_break;

#define B bodies_scene
#define T tree_scene
#define K track_scene
static const row_break row_breaks[] = {
    {"wrong sign of C", B, "ball", "x", DLS_CHECK_ERROR, wrong_sign_of_C, NULL},
    {"wrong sign of C", B, "hinge", "axis x", DLS_CHECK_ERROR, wrong_sign_of_C, NULL},
    {"wrong sign of C", B, "rod", "length", DLS_CHECK_ERROR, wrong_sign_of_C, NULL},
    {"wrong sign of C", B, "foot", "normal", DLS_CHECK_ERROR, wrong_sign_of_C, NULL},
    {"wrong sign of C", T, "mimic", "coupling", DLS_CHECK_ERROR, wrong_sign_of_C, NULL},
    {"wrong sign of C", K, "ride", "lateral", DLS_CHECK_ERROR, wrong_sign_of_C, NULL},
    {"C twice too large", B, "slider", "across x", DLS_CHECK_ERROR, twice_C, NULL},
    {"C twice too large", K, "ride", "roll", DLS_CHECK_ERROR, twice_C, NULL},
    {"J times 1 + C", B, "ball", "y", DLS_CHECK_ENDS, J_times_C, NULL},
    {"J times 1 + C", T, "tie", "z", DLS_CHECK_COLUMNS, J_times_C, NULL},
    {"J too long by a millionth", B, "ball", "z", DLS_CHECK_COLUMNS, J_a_little_too_long, NULL},
    {"J too long by a millionth", T, "tie", "z", DLS_CHECK_ENDS, J_a_little_too_long, NULL},
    {"arm of the other end", B, "ball", "x", DLS_CHECK_ENDS, arm_of_the_other_end, NULL},
    {"one end missing", B, "universal", "skew", DLS_CHECK_COLUMNS, one_end_missing, NULL},
    {"ends swapped", B, "hinge", "x", DLS_CHECK_ENDS, ends_swapped, NULL},
    {"ends swapped", T, "tie", "x", DLS_CHECK_COLUMNS, ends_swapped, NULL},
    {"term that vanishes at C = 0", B, "hinge", "axis x", DLS_CHECK_ENDS, hinge_without_theta, NULL},
    {"term that vanishes at C = 0", B, "hinge", "axis y", DLS_CHECK_COLUMNS, hinge_without_theta, NULL},
    {"term that vanishes at C = 0", B, "fixed", "turn y", DLS_CHECK_ENDS, lock_without_B, NULL},
    {"term that vanishes at C = 0", B, "slider", "turn x", DLS_CHECK_ENDS, lock_without_B, NULL},
    {"term that vanishes at C = 0", B, "slider", "across y", DLS_CHECK_ENDS, slider_without_d, NULL},
    {"term that vanishes at C = 0", B, "universal", "skew", DLS_CHECK_ENDS, universal_without_length, NULL},
    {"term that vanishes at C = 0", K, "ride", "lateral", DLS_CHECK_ENDS, track_without_turn, NULL},
    {"rows longer by |d|", B, "rod", "length", DLS_CHECK_ENDS, distance_as_printed, NULL},
    {"rate of a coordinate doubled", B, "mimic", "coupling", DLS_CHECK_ENDS, rate_of_a_coordinate_doubled, NULL},
    {"rate of a coordinate doubled", T, "drive", "drive", DLS_CHECK_COLUMNS, rate_of_a_coordinate_doubled, NULL},
    {"rate of a coordinate negated", T, "limit", "upper", DLS_CHECK_COLUMNS, rate_of_a_coordinate_negated, NULL},
    {"ERP twice too large", B, "fixed", "x", DLS_CHECK_BIAS, twice_the_erp, NULL},
    {"ERP twice too large", T, "rope", "max", DLS_CHECK_BIAS, twice_the_erp, NULL},
    {"CFM off by a thousandth", B, "ball", "x", DLS_CHECK_COMPLIANCE, a_little_more_cfm, NULL},
    {"CFM where there is none", K, "ride", "roll", DLS_CHECK_COMPLIANCE, a_little_more_cfm, NULL},
    {"CFM left out", B, "cone", "normal", DLS_CHECK_COMPLIANCE, no_cfm, NULL},
    {"gap with the joint's ERP", B, "rope", "min", DLS_CHECK_BIAS, gap_with_the_joints_erp, NULL},
    {"gap with the joint's ERP", B, "limit", "lower", DLS_CHECK_ERROR, gap_with_the_joints_erp, NULL},
    {"gap though closed", B, "foot", "normal", DLS_CHECK_ERROR, gap_though_closed, NULL},
    {"unilateral row that pulls too", B, "limit", "upper", DLS_CHECK_BOUNDS, pulls_too, NULL},
    {"unilateral row that pulls too", K, "ride", "support", DLS_CHECK_BOUNDS, pulls_too, NULL},
    {"unilateral row that pulls instead", B, "rope", "max", DLS_CHECK_BOUNDS, pulls_instead, NULL},
    {"unilateral row that pulls instead", B, "foot", "normal", DLS_CHECK_BOUNDS, pulls_instead, NULL},
    {"the other side of a limit", B, "limit", "upper", DLS_CHECK_ERROR, reversed, negated_position},
    {"the other side of a limit", B, "limit", "lower", DLS_CHECK_ERROR, reversed, negated_position},
    {"the other side of a limit", T, "limit", "upper", DLS_CHECK_ERROR, reversed, negated_position},
    {"the other side of a limit", B, "rope", "max", DLS_CHECK_ERROR, reversed, negated_position},
    {"the other side of a limit", B, "rope", "min", DLS_CHECK_ERROR, reversed, negated_position},
    {"force bound of 1.05", B, "ball", "y", DLS_CHECK_BOUNDS, stronger, NULL},
    {"force bound of 1.05", B, "drive", "drive", DLS_CHECK_BOUNDS, stronger, NULL},
    {"force bound of 1.05", K, "ride", "drive", DLS_CHECK_BOUNDS, stronger, NULL},
    {"no lower force bound", B, "brake", "motor", DLS_CHECK_BOUNDS, without_least_force, NULL},
    {"friction at 1.05 mu", B, "foot", "friction 1", DLS_CHECK_BOUNDS, more_friction_force, NULL},
    {"friction at 1.05 mu", B, "box", "friction 2", DLS_CHECK_FRICTION, more_friction, NULL},
    {"friction at 1.05 mu of one tangent", B, "box", "friction 1", DLS_CHECK_FRICTION, more_friction, NULL},
    {"another law of friction", B, "foot", "friction 1", DLS_CHECK_FRICTION, other_law, NULL},
    {"another law of friction", B, "box", "friction 1", DLS_CHECK_FRICTION, other_law, NULL},
    {"the same tangent twice", B, "box", "friction 2", DLS_CHECK_FRICTION, same_tangent_twice, NULL},
    {"left-handed tangents", B, "cone", "friction 2", DLS_CHECK_FRICTION, left_handed_tangents, NULL},
    {"long tangent", B, "cone", "friction 1", DLS_CHECK_FRICTION, long_tangent, NULL},
    {"twisted tangent", B, "foot", "friction 1", DLS_CHECK_FRICTION, twisted_tangent, NULL},
    {"friction that holds a position", B, "box", "friction 1", DLS_CHECK_ERROR, friction_with_a_position, NULL},
    {"motor without its speed", B, "motor", "motor", DLS_CHECK_BIAS, no_speed, NULL},
    {"motor backwards", K, "ride", "drive", DLS_CHECK_BIAS, speed_backwards, NULL},
    {"drive without its speed", B, "drive", "drive", DLS_CHECK_BIAS, no_speed, NULL},
    {"motor that holds a position", T, "motor", "motor", DLS_CHECK_ERROR, friction_with_a_position, NULL},
    {"no restitution", B, "box", "normal", DLS_CHECK_BIAS, no_restitution, NULL},
    {"restitution and ERP", B, "box", "normal", DLS_CHECK_BIAS, restitution_with_erp, NULL},
    {"softer spring", B, "spring", "length", DLS_CHECK_COMPLIANCE, softer_spring, NULL},
    {"softer spring", B, "tuned", "y", DLS_CHECK_BIAS, softer_spring, NULL},
    {"spring without damper", B, "spring", "length", DLS_CHECK_COMPLIANCE, no_damper, NULL},
    {"spring without damper", T, "drive", "drive", DLS_CHECK_BIAS, no_damper, NULL},
    {"no spring", B, "bumper", "normal", DLS_CHECK_COMPLIANCE, no_spring, NULL},
    {"a motor's work as a joint's", B, "motor", "motor", DLS_CHECK_PLACE, work_of_a_motor, NULL},
    {"position() of the other sign", B, "ball", "x", DLS_CHECK_ENDS, NULL, negated_position},
    {"position() of the other sign", K, "ride", "pitch", DLS_CHECK_ERROR, NULL, negated_position},
    {"position() that sets nothing", B, "hinge", "axis y", DLS_CHECK_COLUMNS, NULL, unset_position},
    {"position() off by 1e-9", B, "rod", "length", DLS_CHECK_ERROR, NULL, shifted_position},
    /* Both agree, on another C. */
    {"C = 0 elsewhere", B, "ball", "z", DLS_CHECK_ERROR, another_C, shifted_position},
    {"C = 0 elsewhere", B, "rope", "min", DLS_CHECK_ERROR, another_C, shifted_position},
    {"C = 0 elsewhere", B, "rope", "max", DLS_CHECK_ERROR, another_C, shifted_position},
    {"C = 0 elsewhere", B, "slider", "across x", DLS_CHECK_ERROR, another_C, shifted_position},
    {"C = 0 elsewhere", B, "foot", "normal", DLS_CHECK_ERROR, another_C, shifted_position},
    {"C = 0 elsewhere", B, "limit", "lower", DLS_CHECK_ERROR, another_C, shifted_position},
    {"C = 0 elsewhere", T, "limit", "upper", DLS_CHECK_ERROR, another_C, shifted_position},
    {"C = 0 elsewhere", T, "mimic", "coupling", DLS_CHECK_ERROR, another_C, shifted_position},
    {"C = 0 elsewhere", B, "drive", "drive", DLS_CHECK_ERROR, another_C, shifted_position},
};

TEST(test_broken_joint_types_are_caught)
{
    size_t count = sizeof row_breaks / sizeof row_breaks[0], missed = 0;
    for (size_t k = 0; k < count; k++) {
        const row_break *b = &row_breaks[k];
        dls_model *model = parse_model(b->scene);
        dls_state *state = new_state(model);
        dls_problem *problem = problem_at(model, 0, state);
        dls_joint *joint = joint_of(model, b->joint);
        dls_joint_type type;
        wrap.slot =
            row_labelled(model, problem, b->joint, b->label) - first_row(model, (size_t)(joint - model->joints));
        dls_problem_destroy(problem);
        dls_state_destroy(state);
        wrap.rows = b->rows, wrap.position = b->position;
        wrap_type(joint, &type);
        if (!caught(model, b->joint, b->label, b->subject, NULL, true)) {
            print_error("not caught: %s, %s of '%s'\n", b->what, b->label, b->joint);
            missed++;
        }
        dls_model_destroy(model);
    }
    print_message("# %zu of %zu breaks of joint types are caught\n", count - missed, count);
    assert_int_equal(missed, 0);
}

/* --- every row, in every simple way --- */

/* Whether the break changes anything. */
typedef struct simple_break {
    const char *what;
    dls_check_subject subject;
    bool (*apply)(dls_problem *p, dls_list_row *list, size_t i);
} simple_break;

static bool set(double *to, double value)
{
    bool changes = *to != value && !(isnan(*to) && isnan(value));
    *to = value;
    return changes;
}

#define SIMPLE(name) static bool name(UNUSED dls_problem *p, UNUSED dls_list_row *list, UNUSED size_t i)
SIMPLE(bias_doubled) { return set(&p->c[i], 2.0 * p->c[i]); }
SIMPLE(bias_negated) { return set(&p->c[i], -p->c[i]); }
SIMPLE(bias_times_h2) { return set(&p->c[i], p->c[i] * p->h * p->h); }
SIMPLE(bias_dropped) { return set(&p->c[i], 0.0); }
SIMPLE(cfm_times_h) { return set(&p->gamma[i], p->gamma[i] * p->h * p->h); }
SIMPLE(cfm_dropped) { return set(&p->gamma[i], 0.0); }
SIMPLE(cfm_added) { return set(&p->gamma[i], (1.0 + 1e-9) * p->gamma[i] + 1e-12); }
SIMPLE(lo_without_h) { return set(&p->lo[i], p->lo[i] / p->h); }
SIMPLE(hi_without_h) { return set(&p->hi[i], p->hi[i] / p->h); }
SIMPLE(bounds_swapped)
{
    double lo = p->lo[i];
    bool changes = set(&p->lo[i], p->hi[i]);
    p->hi[i] = lo;
    return changes;
}
SIMPLE(bounds_opened) { return set(&p->lo[i], -HUGE_VAL); }
SIMPLE(mu_of_another) { return set(&p->mu[i], p->mu[i] == 0.0 ? 0.1 : 1.05 * p->mu[i]); }
SIMPLE(parent_of_another)
{
    p->parent[i] = p->parent[i] == DLS_NONE ? 0 : p->parent[i] + 1;
    return true;
}
SIMPLE(law_of_another)
{
    p->law[i] = (dls_law)(((int)p->law[i] + 1) % 3);
    return true;
}
SIMPLE(list_C_negated) { return set(&list[i].C, -list[i].C) && fabs(list[i].C) > 1e-12; }
SIMPLE(list_owner)
{
    list[i].owner++;
    return true;
}
SIMPLE(list_slot)
{
    list[i].slot++;
    return true;
}
SIMPLE(list_unit)
{
    list[i].angular = !list[i].angular;
    return true;
}
SIMPLE(list_role)
{
    list[i].role = (unsigned char)((list[i].role + 1) % 4);
    return true;
}
SIMPLE(column_dropped)
{
    double *largest = &p->J.coef[p->J.coef_at[p->J.start[i]]];
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
        for (size_t at = p->J.coef_at[k]; at < p->J.coef_at[k + 1]; at++)
            largest = fabs(p->J.coef[at]) > fabs(*largest) ? &p->J.coef[at] : largest;
    return set(largest, 0.0);
}
SIMPLE(one_entry_off) /* the smallest that is not 0, by a thousandth of the largest */
{
    double *smallest = NULL, largest = 0.0;
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++)
        for (size_t at = p->J.coef_at[k]; at < p->J.coef_at[k + 1]; at++) {
            largest = fmax(largest, fabs(p->J.coef[at]));
            if (!smallest || fabs(p->J.coef[at]) < fabs(*smallest))
                smallest = &p->J.coef[at];
        }
    return set(smallest, *smallest + 1e-5 * largest);
}
SIMPLE(columns_of_another_body)
{
    size_t k = p->J.start[i], length = p->J.coef_at[k + 1] - p->J.coef_at[k];
    p->J.offset[k] = p->J.offset[k] >= length ? p->J.offset[k] - length : p->J.offset[k] + length;
    return p->J.offset[k] + length <= p->nv;
}

static const simple_break simple_breaks[] = {
    {"bias doubled", DLS_CHECK_BIAS, bias_doubled},
    {"bias negated", DLS_CHECK_BIAS, bias_negated},
    {"bias with ERP h in the place of ERP / h", DLS_CHECK_BIAS, bias_times_h2},
    {"bias dropped", DLS_CHECK_BIAS, bias_dropped},
    {"CFM times h", DLS_CHECK_COMPLIANCE, cfm_times_h},
    {"Gamma missing", DLS_CHECK_COMPLIANCE, cfm_dropped},
    {"Gamma regularised", DLS_CHECK_COMPLIANCE, cfm_added},
    {"lo without h", DLS_CHECK_BOUNDS, lo_without_h},
    {"hi without h", DLS_CHECK_BOUNDS, hi_without_h},
    {"bounds swapped", DLS_CHECK_BOUNDS, bounds_swapped},
    {"bounds opened", DLS_CHECK_BOUNDS, bounds_opened},
    {"mu of another", DLS_CHECK_FRICTION, mu_of_another},
    {"wrong normal row", DLS_CHECK_FRICTION, parent_of_another},
    {"wrong law", DLS_CHECK_FRICTION, law_of_another},
    {"C of the list negated", DLS_CHECK_ERROR, list_C_negated},
    {"wrong owner", DLS_CHECK_PLACE, list_owner},
    {"wrong slot", DLS_CHECK_PLACE, list_slot},
    {"wrong unit", DLS_CHECK_PLACE, list_unit},
    {"wrong role", DLS_CHECK_PLACE, list_role},
    {"largest entry of J dropped", DLS_CHECK_COLUMNS, column_dropped},
    {"an entry of J off by 1e-5", DLS_CHECK_COLUMNS, one_entry_off},
    {"columns of another body", DLS_CHECK_COLUMNS, columns_of_another_body},
};
enum { SIMPLE_BREAKS = sizeof simple_breaks / sizeof simple_breaks[0] };

TEST(test_every_row_is_watched)
{
    size_t count = 0, missed = 0;
    for (size_t s = 0; s < SCENES; s++) {
        dls_model *model = parse_model(scenes[s]);
        dls_state *state = new_state(model);
        dls_problem *whole = problem_at(model, 1, state);
        for (size_t i = 0; i < whole->n; i++)
            for (size_t k = 0; k < SIMPLE_BREAKS; k++) {
                dls_problem *problem = problem_at(model, 1, state);
                if (simple_breaks[k].apply(problem, dls_problem_rows(problem)->row, i)) {
                    dls_check_report *report = report_on(model, state, problem);
                    count++;
                    if (report->passed || !(report->rows[i].found[simple_breaks[k].subject].ratio > 1.0)) {
                        print_error("not caught: %s, row %zu, %s of '%s'\n", simple_breaks[k].what, i,
                                    dls_problem_label(whole, i),
                                    dls_model_joints(model)[dls_problem_rows(whole)->row[i].owner].name);
                        missed++;
                    }
                    for (size_t other = 0; other < report->n_rows; other++)
                        for (int subject = 0; subject < DLS_CHECK_ROW_SUBJECTS && other != i; subject++)
                            assert_true(report->rows[other].found[subject].ratio <= 1.0);
                    dls_check_report_destroy(report);
                }
                dls_problem_destroy(problem);
            }
        dls_problem_destroy(whole);
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
    print_message("# %zu of %zu breaks of rows in the problem are caught\n", count - missed, count);
    assert_int_equal(missed, 0);
}

/* --- masses and velocities --- */

static double velocity_factor = 1.0;
void __real_dls_articulation_velocities(const double *v, dls_articulation_work *work);
void __wrap_dls_articulation_velocities(const double *v, dls_articulation_work *work);
void __wrap_dls_articulation_velocities(const double *v, dls_articulation_work *work)
{
    __real_dls_articulation_velocities(v, work);
    for (size_t i = 1; velocity_factor != 1.0 && i < work->articulation->n_links; i++)
        work->links[i].v.lin = dls_scale(velocity_factor, work->links[i].v.lin);
}

/* A block that differs from what it was in one number; or an articulation's, whose products are changed. */
static dls_mass_body spoilt_body;
static const dls_mass_block *spoilt_from;
static double product_factor, product_shift, solve_factor;

static void spoilt_multiply(const void *data, const double *x, double *y)
{
    static dls_mass_block kept;
    kept = *spoilt_from;
    kept.kind = &dls_mass_articulation_kind;
    kept.kind->multiply(data, x, y);
    for (size_t k = 0; k < kept.length; k++)
        y[k] *= product_factor;
    y[0] += product_shift * x[1];
    y[1] -= product_shift * x[0];
}

static void spoilt_solve(const void *data, const double *x, double *y)
{
    dls_mass_articulation_kind.solve(data, x, y);
    for (size_t k = 0; k < spoilt_from->length; k++)
        y[k] *= solve_factor;
}

static const dls_mass_kind spoilt_kind = {"spoilt", spoilt_multiply, spoilt_solve, NULL, NULL};

static dls_mass_body *spoil_body(dls_problem *p, size_t block)
{
    spoilt_body = *(const dls_mass_body *)p->mass.blocks[block].data;
    p->mass.blocks[block].data = &spoilt_body;
    return &spoilt_body;
}

static void spoil_tree(dls_problem *p, size_t block, double factor, double shift, double inverse)
{
    product_factor = factor, product_shift = shift, solve_factor = inverse;
    spoilt_from = &p->mass.blocks[block];
    p->mass.blocks[block].kind = &spoilt_kind;
}

static double largest_entry(dls_mat3 A)
{
    double largest = 0.0;
    for (int k = 0; k < 9; k++)
        largest = fmax(largest, fabs(A.m[k]));
    return largest;
}

/* The mass of a body and v* may be off by 64 roundings: of their terms, and for the inverse and the rotation times a
 * bound on the condition of its inertia. */
TEST(test_what_bodies_are_allowed)
{
    static const char *const gyroscopic[] = {"none", "explicit", "implicit"};
    const double unit = 64.0 * DBL_EPSILON;
    for (int g = 0; g < 3; g++) {
        char text[500];
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, -8], step: 0.125, gyroscopic: %s}\n"
                 "bodies:\n  - {name: a, static: true}\n"
                 "  - {name: top, shape: box, size: [0.2, 0.7, 0.4], mass: 2, orientation: [0.7, 0.1, -0.7, 0.1], "
                 "velocity: [0.3, 0, 0.4], omega: [2, 1, -2], force: [3, 0, 4], torque: [0.2, -0.1, 0.2]}\n",
                 gyroscopic[g]);
        dls_model *model = parse_model(text);
        dls_state *state = new_state(model);
        const dls_mat3 R = dls_quat_matrix(state->q[1]), I = dls_rotate_tensor(R, dls_model_bodies(model)[1].inertia);
        const dls_vec3 omega = dls_v3(2, 1, -2);
        const double most = largest_entry(I), condition = 3.0 * most * largest_entry(dls_inverse3(I));
        for (int broken = 0; broken < 6; broken++) {
            dls_problem *problem = problem_at(model, 0, state);
            dls_mass_body *body = spoil_body(problem, 0);
            double allowed = 0.0;
            dls_check_subject subject = broken < 2   ? DLS_CHECK_MASS
                                        : broken < 4 ? DLS_CHECK_INVERSE
                                                     : DLS_CHECK_UNCONSTRAINED;
            if (broken == 0)
                body->mass += 1.0, allowed = 2.0;
            else if (broken == 1)
                body->inertia.m[5] += 1.0, allowed = most;
            else if (broken == 2)
                body->inverse_mass += 1.0, allowed = 1.0;
            else if (broken == 3)
                body->inverse_inertia.m[5] += 1.0, allowed = condition;
            else if (broken == 4)
                problem->v_star[1] += 1.0, allowed = 0.5 + 0.125 * 8.0 + 0.125 * 5.0 / 2.0;
            else {
                problem->v_star[4] += 1.0;
                const double *v = problem->v_star;
                allowed = 3.0 * most * (dls_norm(dls_v3(v[3], v[4], v[5])) + 3.0) +
                          0.125 * condition * (0.3 + 3.0 * dls_norm(dls_mul3(I, omega)));
                allowed *= g == 2 ? (1.0 + 0.125 * 3.0 * condition) * condition : 1.0;
            }
            dls_check_report *report = report_on(model, state, problem);
            const dls_check_found *found = &report->blocks[0].found[subject - DLS_CHECK_ROW_SUBJECTS];
            assert_true(found->ratio > 1.0);
            if (!(fabs(found->allowed - unit * allowed) <= 1e-9 * unit * allowed))
                fail_msg("%s, number %d: %.17g of eps is allowed, not %.17g", gyroscopic[g], broken,
                         found->allowed / DBL_EPSILON, 64.0 * allowed);
            dls_check_report_destroy(report);
            dls_problem_destroy(problem);
        }
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

typedef struct block_break {
    const char *what, *scene;
    size_t block;
    dls_check_subject subject;
    void (*apply)(const dls_model *model, const dls_state *state, dls_problem *p, size_t block);
} block_break;

#define MASS(name)                                                                                        \
    static void name(UNUSED const dls_model *model, UNUSED const dls_state *state, UNUSED dls_problem *p, \
                     UNUSED size_t block)
MASS(inertia_not_turned) { spoil_body(p, block)->inertia = dls_model_bodies(model)[block].inertia; }
MASS(inertia_turned_back)
{
    dls_mat3 R = dls_quat_matrix(dls_quat_conj(state->q[block]));
    spoil_body(p, block)->inertia = dls_rotate_tensor(R, dls_model_bodies(model)[block].inertia);
}
MASS(mass_of_another) { spoil_body(p, block)->mass *= 1.0 + 1e-9; }
MASS(inverse_mass_off) { spoil_body(p, block)->inverse_mass *= 2.0; }
MASS(inverse_inertia_not_turned)
{
    spoil_body(p, block)->inverse_inertia = dls_inverse3(dls_model_bodies(model)[block].inertia);
}
MASS(inertia_not_symmetric) { spoil_body(p, block)->inertia.m[1] += 1e-9; }
MASS(inertia_negative)
{
    dls_mass_body *b = spoil_body(p, block);
    for (int k = 0; k < 9; k++)
        b->inertia.m[k] = -b->inertia.m[k];
}
MASS(elsewhere) { p->mass.blocks[block].offset = p->mass.blocks[block].offset ? 0 : 6; }
MASS(no_gravity)
{
    for (int k = 0; k < 3; k++)
        p->v_star[6 * block + (size_t)k] -= p->h * dls_get3(dls_model_world(model)->gravity, k);
}
MASS(twice_the_force)
{
    p->v_star[6 * block] += p->h * dls_model_bodies(model)[block].force.x / dls_model_bodies(model)[block].mass;
}
MASS(applied_force_with_h_twice) { p->v_star[6 * block + 1] += p->h * p->h * 0.01; }
/* omega x I omega with the other sign: the impulse of the torque twice. */
static void add_gyroscopic(const dls_model *model, const dls_state *state, dls_problem *p, size_t block, double factor)
{
    const double *v = state->v + 6 * block;
    dls_vec3 omega = dls_v3(v[3], v[4], v[5]);
    dls_mat3 I = dls_rotate_tensor(dls_quat_matrix(state->q[block]), dls_model_bodies(model)[block].inertia);
    dls_vec3 kick = dls_mul3(dls_inverse3(I), dls_scale(factor * p->h, dls_cross(omega, dls_mul3(I, omega))));
    p->v_star[6 * block + 3] += kick.x, p->v_star[6 * block + 4] += kick.y, p->v_star[6 * block + 5] += kick.z;
}
MASS(gyroscopic_sign) { add_gyroscopic(model, state, p, block, 2.0); }
MASS(no_gyroscopic) { add_gyroscopic(model, state, p, block, 1.0); }
MASS(explicit_for_implicit)
{
    const double *v = state->v + 6 * block;
    for (int k = 3; k < 6; k++)
        p->v_star[6 * block + (size_t)k] = v[k];
    add_gyroscopic(model, state, p, block, -1.0);
    dls_mat3 I = dls_rotate_tensor(dls_quat_matrix(state->q[block]), dls_model_bodies(model)[block].inertia);
    dls_vec3 kick = dls_mul3(dls_inverse3(I), dls_scale(p->h, dls_model_bodies(model)[block].torque));
    p->v_star[6 * block + 3] += kick.x, p->v_star[6 * block + 4] += kick.y, p->v_star[6 * block + 5] += kick.z;
}
MASS(tree_too_heavy) { spoil_tree(p, block, 1.0 + 1e-7, 0.0, 1.0 / (1.0 + 1e-7)); }
MASS(tree_not_symmetric) { spoil_tree(p, block, 1.0, 1e-5, 1.0); }
MASS(tree_inverse_off) { spoil_tree(p, block, 1.0, 0.0, 1.0 + 1e-7); }

/* v* with another force on the tree than the library's: by its own inverse and forward dynamics, one term changed. */
static void tree_velocity(const dls_model *model, const dls_state *state, dls_problem *p, size_t block, bool coriolis,
                          bool gravity, bool efforts)
{
    const dls_model_articulation *articulation = &dls_model_articulations(model)[block];
    dls_configuration *c = configuration_of(model, state);
    dls_error error;
    assert_status(dls_configuration_factor(c, &error), &error);
    dls_articulation_work *work = c->works[block];
    const dls_articulation_load load = dls_state_load(model, state, block);
    double zero[16] = {0.0}, vdot[16];
    assert_true(articulation->tree->nv <= 16);
    if (!coriolis)
        dls_articulation_velocities(zero, work);
    dls_articulation_forward(work, efforts ? load.tau : zero, load.force,
                             gravity ? dls_model_world(model)->gravity : dls_v3(0, 0, 0), vdot);
    for (size_t k = 0; k < articulation->tree->nv; k++)
        p->v_star[articulation->offset + k] = state->v[articulation->offset + k] + p->h * vdot[k];
    dls_configuration_destroy(c);
}
MASS(tree_without_coriolis) { tree_velocity(model, state, p, block, false, true, true); }
MASS(tree_without_gravity) { tree_velocity(model, state, p, block, true, false, true); }
MASS(tree_without_efforts) { tree_velocity(model, state, p, block, true, true, false); }
MASS(one_speed_off) { p->v_star[p->mass.blocks[block].offset + 1] += 1e-8; }
MASS(links_too_fast) { velocity_factor = 1.0 + 1e-7; }

static const block_break block_breaks[] = {
    {"inertia not turned", B, 1, DLS_CHECK_MASS, inertia_not_turned},
    {"inertia turned the other way", B, 2, DLS_CHECK_MASS, inertia_turned_back},
    {"mass off by 1e-9", B, 0, DLS_CHECK_MASS, mass_of_another},
    {"inverse of the mass doubled", B, 3, DLS_CHECK_INVERSE, inverse_mass_off},
    {"inverse inertia not turned", B, 4, DLS_CHECK_INVERSE, inverse_inertia_not_turned},
    {"inertia not symmetric", B, 5, DLS_CHECK_MASS, inertia_not_symmetric},
    {"inertia negative", B, 5, DLS_CHECK_MASS, inertia_negative},
    {"inertia at the velocity of another", B, 0, DLS_CHECK_MASS, elsewhere},
    {"inertia at the velocity of the first", B, 3, DLS_CHECK_MASS, elsewhere},
    {"v* without gravity", B, 1, DLS_CHECK_UNCONSTRAINED, no_gravity},
    {"v* with twice the force", B, 2, DLS_CHECK_UNCONSTRAINED, twice_the_force},
    {"v* with h^2", B, 2, DLS_CHECK_UNCONSTRAINED, applied_force_with_h_twice},
    {"gyroscopic torque of the other sign", B, 3, DLS_CHECK_UNCONSTRAINED, gyroscopic_sign},
    {"no gyroscopic torque", B, 4, DLS_CHECK_UNCONSTRAINED, no_gyroscopic},
    {"no implicit gyroscopic torque", spinning_scene, 0, DLS_CHECK_UNCONSTRAINED, no_gyroscopic},
    {"explicit for implicit gyroscopic torque", spinning_scene, 0, DLS_CHECK_UNCONSTRAINED, explicit_for_implicit},
    {"articulation too heavy by 1e-7", T, 0, DLS_CHECK_MASS, tree_too_heavy},
    {"articulation not symmetric", T, 0, DLS_CHECK_MASS, tree_not_symmetric},
    {"M^-1 of an articulation off by 1e-7", T, 1, DLS_CHECK_INVERSE, tree_inverse_off},
    {"no Coriolis forces", T, 0, DLS_CHECK_UNCONSTRAINED, tree_without_coriolis},
    {"no Coriolis forces of a floating tree", T, 1, DLS_CHECK_UNCONSTRAINED, tree_without_coriolis},
    {"no gravity on an articulation", T, 0, DLS_CHECK_UNCONSTRAINED, tree_without_gravity},
    {"no efforts", T, 0, DLS_CHECK_UNCONSTRAINED, tree_without_efforts},
    {"a speed of an articulation off by 1e-8", T, 1, DLS_CHECK_UNCONSTRAINED, one_speed_off},
    {"links too fast by 1e-7", T, 0, DLS_CHECK_VELOCITY, links_too_fast},
};

TEST(test_broken_masses_and_velocities_are_caught)
{
    size_t count = sizeof block_breaks / sizeof block_breaks[0], missed = 0;
    for (size_t k = 0; k < count; k++) {
        const block_break *b = &block_breaks[k];
        dls_model *model = parse_model(b->scene);
        dls_state *state = new_state(model);
        dls_problem *problem = problem_at(model, 1, state);
        b->apply(model, state, problem, b->block);
        dls_check_report *report = report_on(model, state, problem);
        velocity_factor = 1.0;
        if (report->passed || !(report->blocks[b->block].found[b->subject - DLS_CHECK_ROW_SUBJECTS].ratio > 1.0)) {
            print_error("not caught: %s\n", b->what);
            missed++;
        }
        dls_check_report_destroy(report);
        dls_problem_destroy(problem);
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
    print_message("# %zu of %zu breaks of masses and velocities are caught\n", count - missed, count);
    assert_int_equal(missed, 0);
}

/* --- detected contacts, and problems of others --- */

static void break_contact(dls_contacts *contacts, const dls_model *model, const dls_state *state, int which)
{
    dls_check_report *report;
    dls_error error;
    dls_problem *problem = problem_from_state(model, state, contacts, 0.01);
    const size_t first = problem->n - 3;
    const dls_check_subject subject = which == 0   ? DLS_CHECK_ERROR
                                      : which == 1 ? DLS_CHECK_BOUNDS
                                      : which == 2 ? DLS_CHECK_COLUMNS
                                                   : DLS_CHECK_FRICTION;
    double *J = problem->J.coef + problem->J.coef_at[problem->J.start[first]];
    if (which == 0)
        contacts->at[0].gap += 1e-9, dls_problem_rows(problem)->row[first].C += 1e-9;
    else if (which == 1)
        problem->hi[first] = 1.0;
    else if (which == 2)
        J[4] += 1e-6;
    else if (which == 3)
        contacts->at[0].mu *= 1.05;
    else
        contacts->at[0].normal.x += 1e-9;
    assert_status(dls_check_problem(model, state, contacts, problem, 3, &report, &error), &error);
    assert_false(report->passed);
    assert_true(report->rows[which == 3 ? first + 1 : first].found[subject].ratio > 1.0);
    dls_check_report_destroy(report);
    dls_problem_destroy(problem);
}

TEST(test_detected_contacts_are_watched)
{
    dls_model *model = parse_model(bodies_scene);
    dls_state *state = new_state(model);
    dls_check_report *report;
    dls_problem *problem;
    dls_error error;
    assert_status(dls_check_stir(model, state, 5, &error), &error);
    const dls_vec3 n = dls_unit(dls_v3(0.3, 0.2, 1)), p = dls_v3(0.2, 0.3, 0.5);
    const dls_contact whole = {.body = {1, 3},
                               .point = {p, dls_add(p, dls_scale(0.01, n))},
                               .normal = n,
                               .gap = -0.01,
                               .mu = 0.3,
                               .erp = 0.2,
                               .friction = DLS_LAW_BOX,
                               .friction_mass = 1.3};
    for (int which = 0; which < 5; which++) {
        dls_contact contact = whole;
        dls_contacts contacts = {1, 1, &contact};
        problem = problem_from_state(model, state, &contacts, 0.01);
        assert_status(dls_check_problem(model, state, &contacts, problem, 3, &report, &error), &error);
        print_report(problem, report);
        assert_true(report->passed);
        dls_check_report_destroy(report);
        dls_problem_destroy(problem);
        break_contact(&contacts, model, state, which);
    }
    dls_state_destroy(state);
    dls_model_destroy(model);
}

TEST(test_a_problem_of_another_model_is_refused)
{
    dls_model *model = parse_model(bodies_scene), *other = parse_model(spinning_scene);
    dls_state *state = new_state(model);
    dls_check_report *report;
    dls_error error;
    dls_problem *problem = problem_from_state(other, dls_model_initial(other), NULL, 0.01);
    assert_int_equal(dls_check_problem(model, state, NULL, problem, 1, &report, &error), DLS_BAD_ARGUMENT);
    assert_null(report);
    dls_problem_destroy(problem);
    const double A[] = {1.0}, b[] = {-1.0};
    problem = problem_from_matrix(1, A, b, NULL, NULL);
    assert_int_equal(dls_check_problem(model, state, NULL, problem, 1, &report, &error), DLS_BAD_ARGUMENT);
    dls_problem_destroy(problem);
    dls_state_destroy(state);
    dls_model_destroy(model);
    dls_model_destroy(other);
}
