/* Joints on coordinates: mimic, limit, drive and motor, on articulations and on hinges and sliders of bodies. */
#include "examined.h"
#include "world.h"

#include "delassus/check.h"
#include "delassus/reference.h"

#include <float.h>

/* Two rods on hinges about y, on a fixed root; a cart on a rail along x. */
#define LINK(name, parent, x)                                                                         \
    "      - {name: " name ", parent: " parent                                                        \
    ", motion: revolute, shape: box, size: [0.05, 0.05, 1], mass: 1.3, position: [" x ", 0, -0.5],\n" \
    "         anchor: [" x ", 0, 0], axis: [0, 1, 0], "
#define RODS                                                                            \
    "articulations:\n"                                                                  \
    "  - name: rods\n"                                                                  \
    "    links:\n"                                                                      \
    "      - {name: root, static: true}\n" LINK("A", "root", "0") "start: 0.5}\n" LINK( \
        "B", "root", "0.5") "start: 0.25, speed: 0.3}\n"
#define SERIES                                                                                                         \
    "articulations:\n"                                                                                                 \
    "  - name: rods\n"                                                                                                 \
    "    links:\n"                                                                                                     \
    "      - {name: root, static: true}\n" LINK(                                                                       \
        "A", "root", "0") "start: 0.5}\n"                                                                              \
                          "      - {name: B, parent: A, motion: revolute, shape: box, size: [0.05, 0.05, 0.8], mass: " \
                          "0.9, position: [0, 0, -1.4],\n"                                                             \
                          "         anchor: [0, 0, -1], axis: [0, 1, 0], start: 0.25, speed: 0.3}\n"
#define WEIGHTLESS "world: {gravity: [0, 0, 0]}\n"

static dls_problem *problem_at_start(const dls_model *model, double h)
{
    return problem_from_state(model, dls_model_initial(model), NULL, h);
}

/* --- rows --- */

TEST(test_rows)
{
    const double h = 2e-3, A = 0.5, B = 0.25;
    dls_model *model = parse_parts(PARTS(
        RODS "joints:\n"
             "  - {name: m, type: mimic, coordinates: {rods.A: 1.5, rods.B: -2}, offset: 0.3, erp: 0.4, cfm: 1e-3, "
             "force_lo: -7, force_hi: 9}\n"
             "  - {name: l, type: limit, coordinates: {rods.B: 3}, lower: -0.2, upper: 0.6, erp: 0.4, force_hi: 50}\n"
             "  - {name: d, type: drive, coordinates: {rods.A: 1, rods.B: 0.5}, stiffness: 30, damping: 0.7, target: "
             "0.1, speed: 1.1, force: 12}\n"
             "  - {name: v, type: motor, coordinates: {rods.B: 2}, speed: -1.3, force: 4, cfm: 2e-3}\n"
             "  - {name: one, type: limit, coordinates: {rods.A: -1}, upper: 0}\n"));
    dls_problem *p = problem_at_start(model, h);
    const double J[6][2] = {{1.5, -2}, {0, 3}, {0, -3}, {1, 0.5}, {0, 2}, {1, 0}};
    const double C[6] = {1.5 * A - 2 * B + 0.3, 3 * B + 0.2, 0.6 - 3 * B, A + 0.5 * B - 0.1, 0.0, A};
    const double stiff = h * 30 + 0.7;
    const double c[6] = {-0.4 / h * C[0], -1 / h * C[1], -0.4 / h * C[2], (0.7 * 1.1 - 30 * C[3]) / stiff, -1.3,
                         -1 / h * C[5]};
    const double gamma[6] = {1e-3 / h, 0, 0, 1 / (stiff * h), 2e-3 / h, 0};
    const double lo[6] = {-7 * h, 0, 0, -12 * h, -4 * h, 0}, hi[6] = {9 * h, 50 * h, 50 * h, 12 * h, 4 * h, HUGE_VAL};
    assert_int_equal(p->n, 6);
    for (size_t i = 0; i < 6; i++) {
        for (size_t k = 0; k < 2; k++)
            assert_close(row_entry(p, i, k), J[i][k], 0.0);
        assert_close(dls_problem_rows(p)->row[i].C, C[i], 4 * DBL_EPSILON);
        assert_close(p->c[i], c[i], 1e-12 * fabs(c[i]));
        assert_close(p->gamma[i], gamma[i], 4 * DBL_EPSILON * gamma[i]);
        assert_close(p->lo[i], lo[i], 4 * DBL_EPSILON);
        assert_true(p->hi[i] == hi[i] || fabs(p->hi[i] - hi[i]) < 4 * DBL_EPSILON);
    }
    dls_problem_destroy(p);
    dls_model_destroy(model);
}

/* The bounds that every joint has hold beside a drive's and a motor's own. */
TEST(test_common_bounds_hold_on_drives_and_motors)
{
    dls_model *model = parse_parts(
        PARTS(RODS "joints:\n"
                   "  - {name: d, type: drive, coordinates: {rods.A: 1}, stiffness: 30, force: 12, force_lo: -3}\n"
                   "  - {name: v, type: motor, coordinates: {rods.B: 2}, speed: -1.3, force: 4, force_hi: 1}\n"));
    dls_problem *p = problem_at_start(model, 1.0);
    assert_close(p->lo[0], -3, 0), assert_close(p->hi[0], 12, 0);
    assert_close(p->lo[1], -4, 0), assert_close(p->hi[1], 1, 0);
    dls_problem_destroy(p);
    dls_model_destroy(model);
}

TEST(test_rows_are_derivatives_along_every_column)
{
    uint64_t seed = 5;
    dls_model *model = parse_parts(PARTS(
        TWO_TREES
        "joints:\n"
        "  - {name: h, type: hinge, body1: stone, body2: ball, anchor: [0.2, 0.4, 0.5], axis: [0.3, 1, 0.2]}\n"
        "  - {name: s, type: slider, body1: ball, body2: ground, axis: [0.1, 0.2, 1]}\n"
        "  - {name: hl, type: hinge, body1: arm.tool, body2: bird.tail, anchor: [0.2, 0.1, 0.5], axis: [1, 1, 0]}\n"
        "  - {name: sl, type: slider, body1: world, body2: bird.left, axis: [1, 0, 1]}\n"
        "  - {name: m, type: mimic, coordinates: {arm.upper: 1, h: -2, s: 0.7, bird.right: 3}, offset: 0.1}\n"
        "  - {name: n, type: mimic, coordinates: {hl: 1, sl: 2, arm.hand.twist: -1, arm.hand.swing1: 2}}\n"
        "  - {name: l, type: limit, coordinates: {h: 2, sl: -1}, lower: -1, upper: 2}\n"
        "  - {name: d, type: drive, coordinates: {hl: 1}, stiffness: 4}\n"
        "  - {name: v, type: motor, coordinates: {s: 1, bird.left: -2}, speed: 1}\n"
        "  - {name: w, type: speed-limit, coordinates: {s: 1, bird.left: -2}, speed: 1}\n"
        "  - {name: f, type: friction, coordinates: {s: 1, bird.left: -2}, force: 2, coefficient: 0.1}\n"
        "  - {name: k, type: lock, coordinates: {s: 1, bird.left: -2}}\n"
        "  - {name: t, type: tendon, coordinates: {h: 1, bird.left: -2}, stiffness: 3, lower: -1, upper: 1}\n"));
    for (const dls_joint_type *const *type = dls_joint_types; *type; type++) {
        bool found = (*type)->terms_min == 0; /* test_joints.c */
        for (size_t j = 0; j < dls_model_count(model).joints; j++)
            found = found || dls_model_joints(model)[j].type == *type;
        if (!found)
            print_error("joint type '%s' is not here\n", (*type)->name);
        assert_true(found);
    }
    dls_state *state = new_state(model);
    enum { JOINTS = 13 };
    dls_jacobian_check checks[JOINTS];
    dls_error error;
    double worst = 0.0;
    for (int pose = 0; pose < 5;
         pose++) { /* hinges that do not hold are far from their axes, and still have a coordinate */
        stir(model, state, 0.3, &seed);
        assert_status(dls_check_columns(model, state, DLS_CHECK_STEP, checks, &error), &error);
        for (size_t j = 0; j < JOINTS; j++)
            worst = fmax(worst, checks[j].worst);
    }
    print_message("# coordinates: columns against finite differences %.1e\n", worst);
    assert_below(worst, 1e-9);
    dls_state_destroy(state);
    dls_model_destroy(model);
}

/* --- drives are springs by implicit Euler --- */

/* Carts of 1.3 kg and 0.9 kg on rails, as an articulation and as bodies on sliders. */
#define CARTS                                                                                                     \
    "articulations:\n"                                                                                            \
    "  - name: rail\n"                                                                                            \
    "    links:\n"                                                                                                \
    "      - {name: root, static: true}\n"                                                                        \
    "      - {name: a, parent: root, motion: prismatic, axis: [1, 0, 0], shape: sphere, radius: 0.1, mass: 1.3, " \
    "start: 0.4}\n"                                                                                               \
    "      - {name: b, parent: root, motion: prismatic, axis: [1, 0, 0], shape: sphere, radius: 0.1, mass: 0.9, " \
    "speed: -0.7}\n"
#define SLEDGES                                                                                           \
    "bodies:\n"                                                                                           \
    "  - {name: A, shape: sphere, radius: 0.1, mass: 1.3, position: [0.4, 0, 0]}\n"                       \
    "  - {name: B, shape: sphere, radius: 0.1, mass: 0.9, position: [0, 1, 0], velocity: [-0.7, 0, 0]}\n" \
    "joints:\n"                                                                                           \
    "  - {name: a, type: slider, body1: A, axis: [1, 0, 0]}\n"                                            \
    "  - {name: b, type: slider, body1: B, axis: [1, 0, 0]}\n"

typedef struct spring {
    double q[2], v[2], k, d, target, speed, gear[2];
} spring;

/* One step of implicit Euler for f = -k C - d (y' - speed), C = G.q - target, on masses under a constant acceleration
 * g: s = G.v+ obeys s = G.(v + h g) + h (G M^-1 G) f. */
static void spring_step(spring *s, double h, double g)
{
    const double mass[2] = {1.3, 0.9};
    double C = -s->target, rate = 0.0, response = 0.0;
    for (int i = 0; i < 2; i++) {
        s->v[i] += h * g;
        C += s->gear[i] * s->q[i];
        rate += s->gear[i] * s->v[i];
        response += s->gear[i] * s->gear[i] / mass[i];
    }
    double f = -(s->k * (C + h * rate) + s->d * (rate - s->speed)) / (1.0 + h * response * (h * s->k + s->d));
    for (int i = 0; i < 2; i++) {
        s->v[i] += h * f * s->gear[i] / mass[i];
        s->q[i] += h * s->v[i];
    }
}

static void compare_spring(bool bodies, const dls_solver *solver, const char *time_base, double k, double d)
{
    const double h = 1e-3, g = 0.8;
    char drive[300];
    run r;
    double worst = 0.0;
    spring s = {{bodies ? 0.0 : 0.4, 0.0}, {0.0, -0.7}, k, d, 0.3, 0.2, {1.0, -1.7}};
    snprintf(drive, sizeof drive,
             "%s  - {name: d, type: drive, coordinates: {%s: 1, %s: -1.7}, stiffness: %.17g, damping: %.17g, target: "
             "0.3, speed: 0.2}\n",
             bodies ? "" : "joints:\n", bodies ? "a" : "rail.a", bodies ? "b" : "rail.b", k, d);
    run_start(&r, parse_parts(PARTS("world: {gravity: [0.8, 0, 0]}\n", bodies ? SLEDGES : CARTS, drive)), solver,
              time_base, 1);
    const dls_joint *joint = joint_named(r.model, "d");
    for (int step = 0; step < 5000; step++) {
        run_steps(&r, 1, h);
        spring_step(&s, h, g);
        double y = s.gear[0] * s.q[0] + s.gear[1] * s.q[1];
        worst = fmax(worst, fabs(dls_state_coordinates(dls_simulation_state(r.simulation), joint) - y));
    }
    print_message("# %s, %s%s, kp %g, kd %g: %.1e\n", bodies ? "sliders" : "articulation", solver->name,
                  time_base ? ", tgs" : "", k, d, worst);
    assert_below(worst, 1e-12);
    run_stop(&r);
}

TEST(test_drives_are_implicit_springs)
{
    for (double k = 1.0; k < 2e8; k *= 1e2)
        for (int damped = 0; damped < 2; damped++) {
            compare_spring(false, dls_direct_find("block-pivoting"), NULL, k, damped * 0.02 * k);
            compare_spring(true, dls_direct_find("dantzig"), NULL, k, damped * 0.02 * k);
            compare_spring(false, dls_iterative_find("pgs"), NULL, k, damped * 0.02 * k);
            compare_spring(false, dls_iterative_find("pgs"), "substep", k, damped * 0.02 * k);
        }
    compare_spring(false, dls_iterative_find("pgs"), NULL, 0.0, 2.5);
}

/* --- limits --- */

/* Falls or spins into its limit: meets it exactly in a step, for the gap closes and no further, and never passes it. */
static void meet_limit(const char *what, const char *scene, double limit, double side, const dls_solver *solver,
                       const char *time_base, size_t iterations)
{
    run r;
    run_start(&r, parse_model(scene), solver, time_base, iterations);
    double beyond = 0.0, y = 0.0;
    const dls_joint *joint = joint_named(r.model, "l");
    for (int step = 0; step < 3000; step++) {
        run_steps(&r, 1, 1e-3);
        y = dls_state_coordinates(dls_simulation_state(r.simulation), joint);
        beyond = fmax(beyond, side * (y - limit));
    }
    print_message("# %s, %s %s: rests %.1e from its limit, never beyond it by more than %.1e\n", what, solver->name,
                  time_base ? time_base : "euler", fabs(y - limit), beyond);
    assert_close(y, limit, 1e-12);
    assert_below(beyond, 1e-12);
    run_stop(&r);
}

TEST(test_limits_stop_where_they_stand)
{
    static const char falls[] = RODS "joints:\n  - {name: l, type: limit, coordinates: {rods.A: 1}, lower: 0.3}\n";
    static const char spins[] =
        WEIGHTLESS "articulations:\n  - name: a\n    links:\n      - {name: root, static: true}\n"
                   "      - {name: w, parent: root, motion: revolute, axis: [0, 0, 1], shape: sphere, radius: 1, mass: "
                   "2, speed: 17, effort: 0.3}\n"
                   "joints:\n  - {name: l, type: limit, coordinates: {a.w: 1}, upper: 31.4}\n";
    static const char hinge[] = WEIGHTLESS
        "bodies:\n  - {name: w, shape: sphere, radius: 1, mass: 2, omega: [0, 0, -17], torque: [0, 0, -0.3]}\n"
        "joints:\n  - {name: l, type: limit, coordinates: {pin: 2}, lower: -41.5}\n"
        "  - {name: pin, type: hinge, body1: w, anchor: [0, 0, 0], axis: [0, 0, 1]}\n";
    static const char *const bases[] = {NULL, "step", "substep"};
    meet_limit("falling rod", falls, 0.3, -1.0, dls_direct_find("dantzig"), NULL, 1);
    meet_limit("wheel", spins, 31.4, 1.0, dls_direct_find("dantzig"), NULL, 1);
    meet_limit("hinge", hinge, -41.5, -1.0, dls_direct_find("lemke"), NULL, 1);
    for (int base = 0; base < 3; base++) {
        meet_limit("falling rod", falls, 0.3, -1.0, dls_iterative_find("pgs"), bases[base], 4);
        meet_limit("wheel", spins, 31.4, 1.0, dls_iterative_find("pgs"), bases[base], 4);
    }
}

/* --- motors --- */

/* A motor of speed 0 is dry friction: it stops a cart after v^2 / (2 mu), and holds it against less than its force. */
TEST(test_motor_stops_and_holds)
{
    run r;
    run_start(&r,
              parse_parts(PARTS("world: {gravity: [0.8, 0, 0]}\n" CARTS
                                "joints:\n  - {name: brake, type: motor, coordinates: {rail.b: 1}, force: 1.08}\n"
                                "  - {name: pull, type: motor, coordinates: {rail.a: 2}, speed: 0.5, force: 100}\n")),
              dls_direct_find("dantzig"), NULL, 1);
    const double slowing = (1.08 / 0.9 + 0.8),
                 h = 1e-3; /* friction and gravity both slow the cart, which goes against gravity */
    run_steps(&r, 2000, h);
    double stops = -0.7 * 0.7 / (2.0 * slowing);
    assert_close(dls_simulation_state(r.simulation)->coordinates[1], stops, h * 0.7); /* order h */
    assert_close(dls_simulation_state(r.simulation)->v[1], 0.0, 1e-15);
    assert_close(dls_simulation_state(r.simulation)->v[0], 0.25, 1e-15);
    run_stop(&r);
}

/* --- mimics across everything --- */

/* |C| of joint m, its largest over a run. */
static double worst_mimic(const char *scene, const dls_solver *solver, const char *time_base, size_t iterations,
                          double h, size_t steps)
{
    run r;
    double worst = 0.0;
    run_start(&r, parse_model(scene), solver, time_base, iterations);
    for (size_t k = 0; k < steps; k++) {
        run_steps(&r, 1, h);
        worst = fmax(worst, joint_error(r.model, dls_simulation_state(r.simulation), "m"));
    }
    run_stop(&r);
    return worst;
}

TEST(test_mimic_couples_what_it_names)
{
    static const struct {
        const char *what, *scene;
        double limit;
    } cases[] = {
        {"two articulations",
         "articulations:\n  - name: p\n    links:\n      - {name: root, static: true}\n" LINK(
             "A", "root", "0") "start: 0.5}\n"
                               "  - name: q\n    links:\n      - {name: root, static: true}\n" LINK(
                                   "B", "root",
                                   "3") "start: 0.2}\n"
                                        "joints:\n  - {name: m, type: mimic, coordinates: {p.A: 1, q.B: -2.5}}\n",
         1e-12},
        {"articulation and hinge",
         RODS "bodies:\n  - {name: w, shape: sphere, radius: 0.4, mass: 2}\n"
              "joints:\n  - {name: m, type: mimic, coordinates: {rods.A: 1, pin: -3}, offset: -0.5}\n"
              "  - {name: pin, type: hinge, body1: w, anchor: [0, 0, 0], axis: [1, 2, 0.4]}\n",
         1e-12},
        {"hinge and slider",
         "bodies:\n  - {name: w, shape: sphere, radius: 0.4, mass: 2}\n  - {name: rack, shape: sphere, radius: 0.1, "
         "mass: 1, position: [1, 0, 0]}\n"
         "joints:\n  - {name: pin, type: hinge, body1: w, anchor: [0, 0, 0], axis: [0, 1, 0]}\n"
         "  - {name: rail, type: slider, body1: rack, axis: [0, 0, 1]}\n"
         "  - {name: m, type: mimic, coordinates: {rail: 1, pin: 0.4}}\n",
         1e-11},
        {"axes of spherical-2",
         "articulations:\n  - name: s\n    links:\n      - {name: root, static: true}\n"
         "      - {name: a, parent: root, motion: spherical-2, axis: [1, 0, 0], axis2: [0, 1, 0], anchor: [0, 0, 1], "
         "shape: box,\n"
         "         size: [0.2, 0.1, 1], mass: 1, position: [0, 0.1, 0.5], start: 0.8, start2: 0.4, speed: 0.5, speed2: "
         "0.25}\n"
         "joints:\n  - {name: m, type: mimic, coordinates: {s.a.twist: 1, s.a.swing1: -2}}\n",
         1e-12},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double dense = worst_mimic(cases[i].scene, dls_direct_find("block-pivoting"), NULL, 1, 1e-3, 3000);
        print_message("# mimic of %s: |C| %.1e\n", cases[i].what, dense);
        assert_below(dense, cases[i].limit);
    }
}

/* A spinning pinion of 0.4 m draws its rack: the travel is 0.4 times the whole angle, after many turns, some of more
 * than half a turn a step. The carrier turns too. */
static void spin_pinion(double omega, double h, double carrier)
{
    char scene[1500];
    run r;
    snprintf(scene, sizeof scene,
             WEIGHTLESS
             "bodies:\n  - {name: base, shape: sphere, radius: 5, mass: 1e6, omega: [0, 0, %.17g]}\n"
             "  - {name: w, shape: sphere, radius: 0.4, mass: 2, omega: [0, 0, %.17g]}\n"
             "  - {name: rack, shape: sphere, radius: 0.1, mass: 1e-3, position: [0, 0, 2], velocity: [0, 0, %.17g]}\n"
             "joints:\n  - {name: pin, type: hinge, body1: w, body2: base, anchor: [0, 0, 0], axis: [0, 0, 1]}\n"
             "  - {name: rail, type: slider, body1: rack, axis: [0, 0, 1]}\n"
             "  - {name: m, type: mimic, coordinates: {rail: 1, pin: 0.4}}\n",
             carrier, omega + carrier, -0.4 * omega);
    run_start(&r, parse_model(scene), dls_direct_find("block-pivoting"), NULL, 1);
    for (int k = 1; k <= 200; k++) {
        run_steps(&r, 1, h);
        double angle = dls_simulation_state(r.simulation)->measured[0],
               travel = dls_simulation_state(r.simulation)->measured[1];
        assert_close(angle, omega * h * k, 1e-10 * fabs(omega * h * k));
        assert_close(travel, -0.4 * omega * h * k, 1e-10 * fabs(omega * h * k));
    }
    run_stop(&r);
}

TEST(test_measured_angles_count_turns)
{
    spin_pinion(20.0, 0.01, 0.0);
    spin_pinion(-31.0, 0.1, 0.0);   /* half a turn a step and less */
    spin_pinion(1000.0, 0.02, 0.0); /* three turns a step */
    spin_pinion(-777.0, 0.05, 3.0);
}

/* --- hard mimics alone: mimic-joints' rods --- */

static const struct {
    const char *name, *scene;
} trees[] = {{"parallel", RODS}, {"series", SERIES}};
static const struct {
    double gear, offset;
} gears[] = {{-2, 0}, {0.5, 0}, {-1.7, 0.3}, {1, -1.1}};
enum { GEARS = sizeof gears / sizeof gears[0] };

/* A on the constraint's manifold at the start: q_A = -G q_B - offset + error. */
static dls_model *coupled_rods(size_t tree, size_t gear, double error, double erp)
{
    char joint[300];
    snprintf(
        joint, sizeof joint,
        "joints:\n  - {name: m, type: mimic, coordinates: {rods.A: 1, rods.B: %.17g}, offset: %.17g, erp: %.17g}\n",
        gears[gear].gear, gears[gear].offset, erp);
    dls_scene *scene;
    dls_error report;
    char text[4000];
    snprintf(text, sizeof text, "%s%s", trees[tree].scene, joint);
    assert_status(dls_scene_parse(text, strlen(text), "rods", &scene, &report), &report);
    dls_link_def *A = &scene->articulations[0]->links[1], *B = &scene->articulations[0]->links[2];
    A->q[0] = -gears[gear].gear * B->q[0] - gears[gear].offset + error;
    A->speed[0] = -gears[gear].gear * B->speed[0];
    return finish(scene);
}

static double worst_error(dls_model *model, const dls_solver *solver, const char *time_base, size_t iterations,
                          double h)
{
    run r;
    double worst = 0.0;
    run_start(&r, model, solver, time_base, iterations);
    for (size_t k = 0; k < (size_t)(5.0 / h); k++) {
        run_steps(&r, 1, h);
        worst = fmax(worst, joint_error(r.model, dls_simulation_state(r.simulation), "m"));
    }
    run_stop(&r);
    return worst;
}

TEST(test_hard_mimic_alone_holds)
{
    static const size_t iterations[] = {1, 2, 4, 16};
    const dls_solver *pgs = dls_iterative_find("pgs"), *dense = dls_direct_find("dantzig");
    double worst = 0.0;
    for (size_t tree = 0; tree < 2; tree++)
        for (size_t gear = 0; gear < GEARS; gear++)
            for (double h = 1e-3; h < 0.02; h *= 50.0 / 3.0) {
                worst = fmax(worst, worst_error(coupled_rods(tree, gear, 0, 0.2), dense, NULL, 1, h));
                for (int i = 0; i < 4; i++) {
                    worst = fmax(worst, worst_error(coupled_rods(tree, gear, 0, 0.2), pgs, NULL, iterations[i], h));
                    worst = fmax(worst, worst_error(coupled_rods(tree, gear, 0, 0.2), pgs, "step", iterations[i], h));
                    worst =
                        fmax(worst, worst_error(coupled_rods(tree, gear, 0, 0.2), pgs, "substep", iterations[i], h));
                }
            }
    print_message("# hard mimics alone, 5 s: |C| <= %.1e\n", worst);
    assert_below(worst, 1e-12);
}

/* An initial error decays by 1 - erp a step; TGS over N iterations: (1 - erp/N)^N, or (1 - erp)^N with the time base h
 * / N. */
TEST(test_initial_errors_decay_as_predicted)
{
    const double erps[] = {0.2, 0.05, 0.8}, start = 0.1;
    const size_t counts[] = {1, 4, 16};
    static const char *const bases[] = {NULL, "step", "substep"};
    double worst = 0.0;
    for (size_t tree = 0; tree < 2; tree++)
        for (size_t gear = 0; gear < GEARS; gear++)
            for (int e = 0; e < 3; e++)
                for (int base = 0; base < 3; base++)
                    for (int c = 0; c < 3; c++) {
                        double N = (double)counts[c], erp = erps[e];
                        double factor = base == 0   ? 1 - erp
                                        : base == 1 ? pow(1 - erp / N, N)
                                                    : pow(1 - erp, N),
                               expected = start;
                        run r;
                        run_start(&r, coupled_rods(tree, gear, start, erp), dls_iterative_find("pgs"), bases[base],
                                  counts[c]);
                        for (int k = 0; k < 30; k++) {
                            run_steps(&r, 1, 1e-3);
                            expected *= factor;
                            worst = fmax(
                                worst, fabs(joint_error(r.model, dls_simulation_state(r.simulation), "m") - expected));
                        }
                        run_stop(&r);
                    }
    print_message("# decay of an error of 0.1 against the prediction: %.1e\n", worst);
    assert_below(worst, 1e-13);
}

/* --- redundant and contradictory --- */

#define ONE_MIMIC SERIES "joints:\n  - {name: m, type: mimic, coordinates: {rods.A: 1, rods.B: -2}, offset: 0.01}\n"
#define REDUNDANT ONE_MIMIC "  - {name: again, type: mimic, coordinates: {rods.A: -3, rods.B: 6}, offset: -0.03}\n"
#define CONTRADICTORY ONE_MIMIC "  - {name: other, type: mimic, coordinates: {rods.A: -3, rods.B: 6}, offset: 0.3}\n"

static void solve_with(const dls_solver *solver, const dls_problem *problem, double *lambda, double *v,
                       dls_report *report)
{
    double settings[32], scratch[64];
    dls_error error;
    assert_true(solver->fields.size <= sizeof settings && problem->nv < 64);
    assert_status(dls_fields_default(&solver->fields, settings, &error), &error);
    memset(lambda, 0, problem->n * sizeof *lambda);
    assert_status(dls_solve(solver, problem, settings, 100, lambda, report, NULL, NULL, &error), &error);
    dls_problem_velocity(problem, lambda, v, scratch);
}

/* Large impulses hide contradictions from the scaled residual, not from the one against b alone. */
static double residual_of(const dls_problem *problem, const double *lambda)
{
    dls_certificate certificate;
    dls_examiner *examiner = examiner_of(problem);
    dls_examine(examiner, lambda, NULL, &certificate);
    dls_examiner_destroy(examiner);
    return fmax(certificate.scaled_residual, certificate.data_residual);
}

static const dls_solver *solver_at(size_t i)
{
    size_t direct = 0;
    while (dls_direct_solvers[direct])
        direct++;
    return i < direct ? dls_direct_solvers[i] : dls_iterative_solvers[i - direct];
}

TEST(test_redundant_mimics_are_one)
{
    dls_model *one = parse_model(ONE_MIMIC), *two = parse_model(REDUNDANT);
    dls_problem *single = problem_at_start(one, 1e-3), *twice = problem_at_start(two, 1e-3);
    double lambda[2], expected[2], v[2];
    dls_report report = {0};
    solve_with(dls_direct_find("dantzig"), single, lambda, expected, &report);
    assert_int_equal(report.outcome, DLS_OUTCOME_SOLVED);
    for (size_t i = 0; solver_at(i); i++) {
        const dls_solver *solver = solver_at(i);
        if (solver->accepts & DLS_NEEDS_CONE)
            continue;
        solve_with(solver, twice, lambda, v, &report);
        bool several = report.outcome == DLS_OUTCOME_SEVERAL || report.outcome == DLS_OUTCOME_CONTINUUM;
        assert_true((report.outcome == DLS_OUTCOME_CONTINUUM) == ((solver->accepts & DLS_BY_NAME) != 0));
        if (solver->kind == DLS_SOLVER_DIRECT && report.outcome != DLS_OUTCOME_SOLVED && !several)
            fail_msg("%s: %s, %s", solver->name, dls_outcome_text(report.outcome), report.message);
        for (int k = 0; k < 2; k++)
            check_close(v[k], expected[k], solver->kind == DLS_SOLVER_DIRECT ? 1e-11 : 1e-9, solver->name, __FILE__,
                        __LINE__);
        check_below(residual_of(twice, lambda), 1e-9, solver->name, __FILE__, __LINE__);
    }
    dls_report_release(&report);
    dls_problem_destroy(single);
    dls_problem_destroy(twice);
    dls_model_destroy(one);
    dls_model_destroy(two);
}

TEST(test_contradictory_mimics_are_never_solved)
{
    dls_model *model = parse_model(CONTRADICTORY);
    dls_problem *problem = problem_at_start(model, 1e-3);
    double lambda[2], v[2];
    dls_report report = {0};
    for (size_t i = 0; solver_at(i); i++) {
        const dls_solver *solver = solver_at(i);
        if (solver->accepts & DLS_NEEDS_CONE)
            continue;
        solve_with(solver, problem, lambda, v, &report);
        print_message("# contradictory mimics, %s: %s%s, residual %.1e; %s\n", solver->name,
                      dls_outcome_text(report.outcome),
                      report.proof == DLS_PROOF_FARKAS ? " (Farkas)"
                      : report.proof != DLS_PROOF_NONE ? " (proof)"
                                                       : "",
                      residual_of(problem, lambda), report.message);
        assert_int_not_equal(report.outcome, DLS_OUTCOME_SOLVED);
        assert_int_not_equal(report.outcome, DLS_OUTCOME_SEVERAL);
        assert_true(!(residual_of(problem, lambda) < 1e-3)); /* the examiner sees it too */
        if (report.proof == DLS_PROOF_FARKAS) {
            dls_farkas_proof proof;
            dls_error error;
            assert_status(dls_farkas_verify(problem, report.proof_vector, &proof, &error), &error);
            assert_true(proof.proved && proof.margin > 1e-3);
        }
    }
    dls_report_release(&report);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
}
