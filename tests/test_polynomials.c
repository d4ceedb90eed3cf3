/* Joints on polynomials of coordinates, y = sum P_i(q_i): rows, accelerations, motions and forces against closed forms,
 * and against equations in which the coupled coordinate has been eliminated. */
#include "stepping.h"
#include "world.h"

#include "delassus/check.h"
#include "delassus/minimal.h"
#include "delassus/reference.h"

#include <float.h>
#include <unistd.h>

/* --- a cam: a wheel that is a pendulum lifts a rod along z by P of its angle --- */

static const double shift = 0.17, G[4] = {0.23, -0.31, 0.11, 0.07};
enum { WHEEL, ROD }; /* degrees of freedom */

static double P(double q) { return shift + q * (G[0] + q * (G[1] + q * (G[2] + q * G[3]))); }
static double slope_of(double q) { return G[0] + 2 * G[1] * q + 3 * G[2] * q * q + 4 * G[3] * q * q * q; }
static double bend_of(double q) { return 2 * G[1] + 6 * G[2] * q + 12 * G[3] * q * q; }

static const double wheel_mass = 1.3, rod_mass = 0.9, gravity = 9.81, arm = 0.5;
static double wheel_inertia(void) { return wheel_mass * ((1.0 + 0.05 * 0.05) / 12.0 + arm * arm); }

/* The wheel at the angle q with the rate u, and the rod where the cam holds it. `world`: settings of the world. */
static dls_model *cam(const char *world, double q, double u)
{
    char text[1500];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, -9.81]%s}\narticulations:\n  - name: cam\n    links:\n"
             "      - {name: root, static: true}\n"
             "      - {name: wheel, parent: root, motion: revolute-unwrapped, anchor: [0, 0, 0], axis: [0, 1, 0], "
             "shape: box, size: [0.05, 0.05, 1], mass: 1.3, position: [0, 0, -0.5], start: %.17g, speed: %.17g}\n"
             "      - {name: rod, parent: root, motion: prismatic, axis: [0, 0, 1], shape: sphere, radius: 0.1, mass: "
             "0.9, position: [2, 0, 0], start: %.17g, speed: %.17g}\n"
             "joints:\n  - {name: lift, type: mimic, coordinates: {cam.rod: 1, cam.wheel: [%.17g, %.17g, %.17g, "
             "%.17g]}, offset: %.17g}\n",
             world, q, u, P(q), slope_of(q) * u, -G[0], -G[1], -G[2], -G[3], -shift);
    return parse_model(text);
}

/* L = I u^2 / 2 + m (P' u)^2 / 2 + M g a cos q - m g P, hence
 * (I + m P'^2) u' = -m P' P'' u^2 - M g a sin q - m g P'. */
static double cam_acceleration(double q, double u)
{
    const double slope = slope_of(q), force = -rod_mass * slope * bend_of(q) * u * u -
                                              wheel_mass * gravity * arm * sin(q) - rod_mass * gravity * slope;
    return force / (wheel_inertia() + rod_mass * slope * slope);
}

static double cam_energy(double q, double u)
{
    const double slope = slope_of(q);
    return 0.5 * (wheel_inertia() + rod_mass * slope * slope) * u * u - wheel_mass * gravity * arm * cos(q) +
           rod_mass * gravity * P(q);
}

/* Moves q and u for `time` by n steps of the Runge-Kutta method of fourth order. */
static void move_cam(double *q, double *u, double time, size_t n)
{
    const double h = time / (double)n;
    for (size_t k = 0; k < n; k++) {
        const double a1 = cam_acceleration(*q, *u), u2 = *u + 0.5 * h * a1;
        const double a2 = cam_acceleration(*q + 0.5 * h * *u, u2), u3 = *u + 0.5 * h * a2;
        const double a3 = cam_acceleration(*q + 0.5 * h * u2, u3), u4 = *u + h * a3;
        const double a4 = cam_acceleration(*q + h * u3, u4);
        *q += h / 6.0 * (*u + 2.0 * u2 + 2.0 * u3 + u4);
        *u += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
}

/* --- rows --- */

/* C = P(q) - .. and J = P'(q) of every degree, of coordinates of articulations, hinges and quaternions. */
TEST(test_rows_have_the_slope_of_the_polynomial)
{
    const double a = 0.4, b = -0.7, twist = 0.5, h = 0.7;
    dls_model *model = parse_model(
        "bodies:\n  - {name: flap, shape: box, size: [0.3, 0.2, 0.1], mass: 0.8}\n"
        "articulations:\n  - name: t\n    links:\n      - {name: root, static: true}\n"
        "      - {name: a, parent: root, motion: revolute, axis: [0, 1, 0], shape: sphere, radius: 0.1, mass: 1, "
        "start: 0.4}\n"
        "      - {name: b, parent: root, motion: prismatic, axis: [0, 1, 0], shape: sphere, radius: 0.1, mass: 1, "
        "start: -0.7}\n"
        "      - {name: s, parent: root, motion: spherical, shape: sphere, radius: 0.1, mass: 1}\n"
        "joints:\n  - {name: h, type: hinge, body1: flap, anchor: [0, 0, 0], axis: [0, 1, 0]}\n"
        "  - {name: m, type: mimic, coordinates: {t.a: [1.5, 0.2], t.b: [0, 0, -2]}, offset: 0.3}\n"
        "  - {name: l, type: limit, coordinates: {t.b: [1, -0.3, 0.2, 0.6]}, lower: -3, upper: 5}\n"
        "  - {name: d, type: drive, coordinates: {t.a: [0, 0, 0, 2], t.b: 0.5}, stiffness: 30, target: 0.1}\n"
        "  - {name: v, type: motor, coordinates: {t.b: [0.4, 0.7]}, speed: -1.3, force: 4}\n"
        "  - {name: k, type: lock, coordinates: {h: [0.2, 0.5]}, at: 0.1}\n"
        "  - {name: e, type: tendon, coordinates: {t.s.twist: [1, 0, 0.7]}, stiffness: 3}\n");
    dls_state *state = new_state(model);
    memcpy(state->coordinates + 2, (const double[]){cos(0.5 * twist), sin(0.5 * twist), 0, 0}, 4 * sizeof(double));
    state->q[0] = dls_quat_exp(dls_v3(0, h, 0));
    dls_configuration *c = configuration_of(model, state);
    dls_configuration_measure(c, state, 0.0);
    dls_problem *p = problem_from_state(model, state, NULL, 2e-3);
    const double a4 = a * a * a * a, b3 = b * b * b;
    const double C[] = {1.5 * a + 0.2 * a * a - 2 * b3 + 0.3,
                        b - 0.3 * b * b + 0.2 * b3 + 0.6 * b3 * b + 3,
                        5 - b + 0.3 * b * b - 0.2 * b3 - 0.6 * b3 * b,
                        2 * a4 + 0.5 * b - 0.1,
                        0,
                        0.2 * h + 0.5 * h * h - 0.1,
                        twist + 0.7 * twist * twist * twist};
    const double slope = 1 - 0.6 * b + 0.6 * b * b + 2.4 * b3;
    /* Columns of a, b, of the twist's speed and of the turn of the flap, which are 6, 7, 8 and 4. */
    const double J[][4] = {{1.5 + 0.4 * a, -6 * b * b, 0, 0}, {0, slope, 0, 0},         {0, -slope, 0, 0},
                           {8 * a * a * a, 0.5, 0, 0},        {0, 0.4 + 1.4 * b, 0, 0}, {0, 0, 0, 0.2 + h},
                           {0, 0, 1 + 2.1 * twist * twist, 0}};
    static const size_t columns[] = {6, 7, 8, 4};
    assert_int_equal(p->n, 5 + 7);
    for (size_t i = 0; i < 7; i++) {
        assert_close(dls_problem_rows(p)->row[5 + i].C, C[i], 16 * DBL_EPSILON * (1.0 + fabs(C[i])));
        for (size_t k = 0; k < 4; k++)
            assert_close(row_entry(p, 5 + i, columns[k]), J[i][k], 16 * DBL_EPSILON * (1.0 + fabs(J[i][k])));
    }
    dls_problem_destroy(p);
    dls_configuration_destroy(c);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

#define COUPLED                                                                                                        \
    "joints:\n"                                                                                                        \
    "  - {name: h, type: hinge, body1: stone, body2: ball, anchor: [0.2, 0.4, 0.5], axis: [0.3, 1, 0.2]}\n"            \
    "  - {name: sl, type: slider, body1: world, body2: bird.left, axis: [1, 0, 1]}\n"                                  \
    "  - {name: m, type: mimic, coordinates: {arm.upper: [1, 0.3, -0.2], h: [0, -2], arm.hand.twist: [1, 0, 0, 0.5], " \
    "bird.right: 3}, offset: 0.1}\n"                                                                                   \
    "  - {name: n, type: lock, coordinates: {sl: [0.4, 1.2, 0.3, -0.2]}, at: 0.2}\n"                                   \
    "  - {name: d, type: drive, coordinates: {h: [0.5, 0.2, 0.1], arm.upper: [0, 0.7]}, stiffness: 4}\n"

/* J of all columns is dC/dq by differences, the second definition of the matrix of the rows is the first, and the check
 * of a mechanism passes. */
TEST(test_rows_are_derivatives)
{
    uint64_t seed = 11;
    dls_model *model = parse_parts(PARTS(TWO_TREES COUPLED));
    dls_state *state = new_state(model);
    dls_error error;
    for (int pose = 0; pose < 5; pose++) {
        dls_jacobian_check checks[5];
        dls_check_report *report;
        stir(model, state, 0.3, &seed);
        assert_status(dls_check_columns(model, state, DLS_CHECK_STEP, checks, &error), &error);
        for (size_t j = 0; j < 5; j++)
            assert_below(checks[j].worst, 1e-9);
        dls_problem *p = problem_from_state(model, state, NULL, 1.0);
        assert_status(dls_check_problem(model, state, NULL, p, 7, &report, &error), &error);
        assert_true(report->passed);
        dls_check_report_destroy(report);
        dls_configuration *c = configuration_of(model, state);
        double *A = calloc(2 * p->n * p->n + p->nv, sizeof *A), *B = A + p->n * p->n, *y = B + p->n * p->n;
        assert_status(dls_configuration_factor(c, &error), &error);
        assert_status(dls_configuration_delassus(c, NULL, p->n, A, &error), &error);
        for (size_t i = 0; i < p->n; i++) {
            double J[64] = {0};
            dls_rows_axpy(&p->J, i, 1.0, J);
            dls_mass_solve(&p->mass, J, y);
            for (size_t k = 0; k < p->n; k++)
                B[i + p->n * k] = dls_rows_dot(&p->J, k, y);
        }
        for (size_t i = 0; i < p->n; i++)
            for (size_t k = 0; k < p->n; k++)
                assert_close(A[i + p->n * k], B[i + p->n * k], 1e-12 * sqrt(B[i + p->n * i] * B[k + p->n * k]));
        free(A);
        dls_configuration_destroy(c);
        dls_problem_destroy(p);
    }
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* An end that follows a given motion moves the row by P' times the rate of its coordinate. */
TEST(test_kinematic_ends_move_the_row)
{
    dls_model *model =
        parse_model("bodies:\n  - {name: belt, kinematic: true, velocity: [0.7, 0, 0]}\n"
                    "  - {name: box, shape: box, size: [0.3, 0.2, 0.1], mass: 0.8, position: [0.4, 1, 0]}\n"
                    "joints:\n  - {name: s, type: slider, body1: box, body2: belt, axis: [1, 0, 0]}\n"
                    "  - {name: k, type: lock, coordinates: {s: [0.3, 0.5, 2]}}\n");
    dls_state *state = new_state(model);
    dls_configuration *c = configuration_of(model, state);
    dls_row_list *rows;
    dls_error error;
    const double before = state->measured[0];
    state->x[1].x += 0.25;
    dls_configuration_evaluate(c, state);
    dls_configuration_measure(c, state, 0.0);
    dls_configuration_evaluate(c, state);
    assert_close(state->measured[0], before + 0.25, 1e-15);
    assert_status(dls_configuration_factor(c, &error), &error);
    assert_status(dls_row_list_create(&rows, &error), &error);
    assert_status(dls_row_list_fill(rows, c, NULL, 1e-3, &error), &error);
    const double q = state->measured[0], slope = 0.3 + q + 6 * q * q;
    assert_close(dls_row_list_prescribed(rows)[rows->n - 1], -0.7 * slope, 1e-15);
    dls_row_list_destroy(rows);
    dls_configuration_destroy(c);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- accelerations --- */

/* -J' v = P'' u^2, and the accelerations of the Lagrangian, by rows with multipliers and in minimal coordinates. */
TEST(test_accelerations_of_the_cam)
{
    static const double states[][2] = {{0.3, 0}, {-0.8, 1.7}, {1.1, -3.1}, {0, 5}};
    for (size_t s = 0; s < sizeof states / sizeof states[0]; s++) {
        const double q = states[s][0], u = states[s][1], exact = cam_acceleration(q, u);
        dls_model *model = cam("", q, u);
        dls_state *state = new_state(model);
        dls_loops *loops;
        dls_minimal *minimal;
        dls_error error;
        size_t left_out;
        double vdot[2], lambda;
        assert_status(dls_loops_create(model, &loops, &error), &error);
        assert_status(dls_loops_add_all(loops, &left_out, &error), &error);
        assert_status(dls_loops_prepare(loops, state, NULL, &error), &error);
        assert_int_equal(loops->n, 1);
        assert_close(loops->C[0], 0.0, 1e-15);
        assert_close(loops->gamma[0], bend_of(q) * u * u, 1e-10 * (1.0 + u * u));
        assert_status(dls_minimal_create(loops, NULL, &minimal, &error), &error);
        assert_int_equal(minimal->n, 1);
        assert_status(dls_loops_motion(loops, (const double[]){0, 0}, vdot, &lambda, &error), &error);
        const double tolerance = 1e-10 * (1.0 + fabs(exact)), rod = slope_of(q) * exact + bend_of(q) * u * u;
        assert_close(minimal->vdot[WHEEL], exact, tolerance);
        assert_close(minimal->vdot[ROD], rod, tolerance);
        assert_close(vdot[WHEEL], exact, tolerance);
        assert_close(vdot[ROD], rod, tolerance);
        dls_minimal_destroy(minimal);
        dls_loops_destroy(loops);
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

/* --- motions --- */

/* The exact motion, in both sets of coordinates, is that of the Lagrangian, and keeps its energy. */
TEST(test_motion_of_the_cam)
{
    static const char *const worlds[] = {"", ", coordinates: maximal"};
    const double time = 2.0;
    double q = 0.9, u = -1.2;
    const double energy = cam_energy(q, u);
    for (size_t w = 0; w < 2; w++) {
        dls_model *model = cam(worlds[w], q, u);
        dls_state *state = new_state(model);
        dls_trajectory *exact;
        dls_error error;
        double now[2] = {q, u};
        move_cam(&now[0], &now[1], time, 20000);
        assert_close(cam_energy(now[0], now[1]), energy, 1e-12);
        assert_status(dls_trajectory_create(model, state, NULL, &exact, &error), &error);
        assert_status(dls_trajectory_advance(exact, time, state, &error), &error);
        const dls_end wheel = end_of(model, state, 1);
        print_message("# cam, %s coordinates: error %.1e\n", w ? "maximal" : "reduced", fabs(wheel.omega.y - now[1]));
        assert_close(wheel.x.x, -arm * sin(now[0]), 1e-11);
        assert_close(wheel.omega.y, now[1], 1e-11);
        assert_close(energy_of(model, state), energy_of(model, dls_model_initial(model)), 1e-11);
        dls_trajectory_destroy(exact);
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

/* Its rows are not constant. */
TEST(test_elimination_is_refused)
{
    dls_model *model = cam("", 0.3, 0);
    dls_trajectory_settings settings = dls_trajectory_default();
    dls_trajectory *exact;
    dls_error error;
    settings.method = DLS_TRAJECTORY_ELIMINATION;
    assert_int_equal(dls_trajectory_create(model, dls_model_initial(model), &settings, &exact, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "linear rows"));
    dls_model_destroy(model);
}

typedef struct course {
    double angle, C,
        energy; /* the error of the angle at the end, the largest |C|, and what the energy has changed by */
} course;

static course run_cam(const variant *v, double h, double time)
{
    double q = 0.9, u = -1.2;
    const double energy = cam_energy(q, u);
    run r;
    course found = {0};
    start(&r, cam("", q, u), v, 20);
    const dls_state *state = dls_simulation_state(r.simulation);
    for (size_t k = 0; k < (size_t)(time / h + 0.5); k++) {
        run_steps(&r, 1, h);
        found.C = fmax(found.C, fabs(state->coordinates[ROD] - P(state->coordinates[WHEEL])));
    }
    move_cam(&q, &u, time, 20000);
    found.angle = fabs(state->coordinates[WHEEL] - q);
    found.energy = fabs(run_energy(&r) - energy);
    run_stop(&r);
    return found;
}

/* Whether the scheme holds joints as springs, whose softness does not vanish with the step. */
static bool is_soft(const variant *v)
{
    return is_scheme(v, "soft-reference") || (is_scheme(v, "soft-step") && !v->key);
}

/* Every rigid scheme converges to the motion of the Lagrangian with its order: 4^-1 or 4^-2 for a quarter of the step;
 * half of it is for what is not yet the leading term. Those that project keep C = 0, and rattle the energy to O(h^2).
 */
TEST(test_schemes_converge)
{
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant *v = &variants[k];
        const course coarse = run_cam(v, 4e-3, 1.0), fine = run_cam(v, 1e-3, 1.0);
        print_message("# %s: angle %.1e, %.1e, C %.1e, %.1e, energy %.1e, %.1e\n", name_of(v), coarse.angle, fine.angle,
                      coarse.C, fine.C, coarse.energy, fine.energy);
        if (is_soft(v))
            continue;
        const bool second = is_scheme(v, "midpoint") || is_scheme(v, "rattle");
        assert_below(fine.angle, coarse.angle / (second ? 8.0 : 2.0));
        assert_below(fine.C, fmax(coarse.C / 2.0, 1e-11));
        if (is_scheme(v, "rattle"))
            assert_below(fine.energy, coarse.energy / 8.0);
        if (is_scheme(v, "rattle") || strncmp(v->scheme, "projection", 10) == 0)
            assert_below(fmax(fine.C, coarse.C), 1e-11);
    }
}

/* --- forces --- */

/* A force on a polynomial of a slider's coordinate pulls both bodies along the slope, and sensors have that force. */
TEST(test_sensors_have_the_force_along_the_slope)
{
    const double h = 1e-3, at = 0.4, force = 12.0, slope = 0.3 + 2 * 0.5 * at;
    run r;
    dls_spatial wrench;
    dls_error error;
    run_start(&r,
              parse_model("world: {gravity: [0, 0, 0]}\nbodies:\n"
                          "  - {name: rail, shape: box, size: [0.3, 0.2, 0.1], mass: 1.7}\n"
                          "  - {name: box, shape: box, size: [0.3, 0.2, 0.1], mass: 0.8}\njoints:\n"
                          "  - {name: s, type: slider, body1: box, body2: rail, axis: [1, 0, 0]}\n"
                          "  - {name: d, type: drive, coordinates: {s: [0.3, 0.5]}, feed: 12, method: explicit}\n"
                          "sensors:\n  - {name: f, link: rail}\n"),
              dls_direct_find("dantzig"), NULL, 1);
    dls_state *state = dls_simulation_edit(r.simulation);
    state->x[1].x += at;
    dls_configuration *c = configuration_of(r.model, state);
    dls_configuration_measure(c, state, 0.0);
    dls_configuration_destroy(c);
    run_steps(&r, 1, h);
    assert_status(dls_simulation_sensor(r.simulation, 0, &wrench, &error), &error);
    assert_close(wrench.lin.x, -force * slope, 1e-12);
    assert_close(state->v[6], h * force * slope / 0.8, 1e-15);
    run_stop(&r);
}

/* --- files --- */

/* A scene that is written has the same gears, to the bit. */
TEST(test_scenes_are_written)
{
    char path[64];
    dls_content content;
    dls_error error;
    unsigned lost;
    dls_scene *scene = parse_scene(TWO_TREES COUPLED);
    snprintf(path, sizeof path, "polynomials-%ld.yaml", (long)getpid());
    assert_status(dls_scene_write(scene, path, &lost, &error), &error);
    assert_status(dls_file_load(path, NULL, &content, &error), &error);
    assert_int_equal(remove(path), 0);
    assert_int_equal(content.scene->n_joints, scene->n_joints);
    for (size_t j = 0; j < scene->n_joints; j++) {
        const dls_joint_def *one = &scene->joints[j], *other = &content.scene->joints[j];
        assert_int_equal(one->n_terms, other->n_terms);
        for (size_t t = 0; t < one->n_terms; t++) {
            assert_string_equal(one->terms[t].coordinate, other->terms[t].coordinate);
            for (size_t k = 0; k < DLS_GEARS_MAX; k++)
                assert_true(one->terms[t].gears[k] == other->terms[t].gears[k]);
        }
    }
    dls_scene_destroy(scene);
    dls_scene_destroy(content.scene);
}

#define TWO                                                                                                      \
    "articulations:\n  - name: t\n    links:\n      - {name: root, static: true}\n"                              \
    "      - {name: a, parent: root, motion: revolute, axis: [0, 1, 0], shape: sphere, radius: 0.1, mass: 1}\n"  \
    "      - {name: b, parent: root, motion: prismatic, axis: [0, 1, 0], shape: sphere, radius: 0.1, mass: 1}\n" \
    "joints:\n  - {name: j, type: "

TEST(test_refusals)
{
    static const char *const cases[][2] = {
        {"mimic, coordinates: {t.a: 1, t.b: []}}\n", "0 gears; give one to four"},
        {"mimic, coordinates: {t.a: 1, t.b: [1, 2, 3, 4, 5]}}\n", "5 gears; give one to four"},
        {"mimic, coordinates: {t.a: 1, t.b: [0, 0, 0, 0]}}\n", "not 0"},
        {"mimic, coordinates: {t.a: 1, t.b: [1, inf]}}\n", "finite"},
        {"mimic, coordinates: {t.a: 1, t.b: [1, x]}}\n", "not a number"},
        {"tendon, coordinates: {t.a: 1, t.b: [1, 2]}, stiffness: 2, recip: [1, 1]}\n", "not for polynomials"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s", TWO, cases[k][0]);
        assert_scene_refused(text, cases[k][1]);
    }
}
