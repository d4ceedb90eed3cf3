/* Losses of energy of joints and bodies: dampers, dry friction, limits of speed; their laws in closed form, and the
 * ledger's sums. */
#include "stepping.h"
#include "world.h"

#include "delassus/reference.h"

#include <float.h>

static const double h = 2e-3;

#define STONE                                                                                                        \
    "bodies:\n  - {name: stone, shape: box, size: [0.4, 0.3, 0.2], mass: 1.7, position: [0.9, 0.4, 0.3], velocity: " \
    "[1.3, -0.4, 0.8], omega: [0, 0, 2.1]}\n"
#define WEIGHTLESS "world: {gravity: [0, 0, 0]}\n"

static double kinetic(const run *r) { return dls_simulation_ledger(r->simulation)->kinetic_after; }

/* Steps with a ledger that closes, and adds up the part of a joint. */
static double step_and_sum(run *r, size_t steps, const char *joint, dls_ledger_part part, const char *what)
{
    const size_t j = dls_model_find_joint(r->model, joint);
    double sum = 0.0;
    for (size_t i = 0; i < steps; i++) {
        run_steps(r, 1, h);
        const dls_ledger *l = dls_simulation_ledger(r->simulation);
        check_below(dls_ledger_mismatch(l), 1e-12, what, __FILE__, __LINE__);
        sum += l->by_owner[j * DLS_LEDGER_PARTS + part];
    }
    return sum;
}

/* --- dampers --- */

/* v+ = v / (1 + h c / m) of a lone body in each step of h, or in each of N substeps, and in the theta method v+ = v (1
 * - (1 - theta) h c / m) / (1 + theta h c / m). All of the loss is its. */
TEST(test_a_damper_decays_by_its_law)
{
    static const struct {
        const char *keys;
        double linear, angular; /* c / m and c / I */
    } cases[] = {{"linear: 3.4", 3.4 / 1.7, 0.0},
                 {"angular: 0.05", 0.0, 0.05 / (1.7 * (0.16 + 0.09) / 12.0)},
                 {"linear: 2.5, angular: 0.9, mode: acceleration", 2.5, 0.9}};
    double worst = 0.0;
    for (size_t v = 0; v < VARIANTS; v++)
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
            char joint[200];
            const bool small = has_substeps(&variants[v]);
            const size_t steps = 150, count = small ? 4 * steps : steps;
            const double dt = small ? h / 4 : h;
            if (small && variants[v].key)
                continue; /* relaxation solves again what is solved */
            snprintf(joint, sizeof joint, "joints:\n  - {name: oil, type: damper, body1: stone, %s}\n", cases[k].keys);
            run r;
            start_kept(&r, parse_parts(PARTS(WEIGHTLESS STONE, joint)), &variants[v], 4);
            const double lost = step_and_sum(&r, steps, "oil", DLS_LEDGER_COMPLIANCE, name_of(&variants[v]));
            const double *u = dls_simulation_state(r.simulation)->v;
            const double implicit = dt * theta_of(&variants[v]), explicit = dt - implicit;
            const double keeps = (1.0 - explicit * cases[k].linear) / (1.0 + implicit * cases[k].linear),
                         turns = (1.0 - explicit * cases[k].angular) / (1.0 + implicit * cases[k].angular);
            const double speed = 1.3 * pow(keeps, (double)count), spin = 2.1 * pow(turns, (double)count);
            const double start =
                0.5 * 1.7 * (1.3 * 1.3 + 0.4 * 0.4 + 0.8 * 0.8) + 0.5 * 1.7 * (0.16 + 0.09) / 12.0 * 2.1 * 2.1;
            if (strcmp(variants[v].scheme, "tgs") != 0) { /* whose implicit time is the iteration's, or holds on */
                check_close(u[0], speed, 1e-12, name_of(&variants[v]), __FILE__, __LINE__);
                check_close(u[5], spin, 1e-12, name_of(&variants[v]), __FILE__, __LINE__);
                worst = fmax(worst, fmax(fabs(u[0] - speed), fabs(u[5] - spin)));
            }
            check_close(kinetic(&r) - start, lost, 1e-12, name_of(&variants[v]), __FILE__, __LINE__);
            assert_true(lost < 0.0);
            run_stop(&r);
        }
    print_message("# dampers against v / (1 + h c / m)^n: %.1e\n", worst);
}

/* A damper between two bodies keeps their momenta, and ends their relative motion: dp = 0 to rounding. */
TEST(test_a_damper_between_bodies_keeps_momentum)
{
    dls_vec3 p0, L0, p1, L1;
    run r;
    run_start(
        &r,
        parse_parts(PARTS(
            WEIGHTLESS STONE
            "  - {name: ball, shape: sphere, radius: 0.15, mass: 0.8, position: [-0.4, 0.5, 0.7], omega: [1, 0.4, 0]}\n"
            "joints:\n  - {name: air, type: damper, body1: stone, body2: ball, linear: 40, angular: 3}\n")),
        dls_direct_find("block-pivoting"), NULL, 1);
    momentum_of(r.model, dls_simulation_state(r.simulation), &p0, &L0);
    run_steps(&r, 1, h);
    const double off = 0.0;
    momentum_of(r.model, dls_simulation_state(r.simulation), &p1, &L1);
    assert_close(dls_norm(dls_sub(p1, p0)), off, 1e-14);
    /* x moves with v and q with omega after the kick: angular momentum about the origin is that of the kick but for the
     * turning of the inertia in the world, O(h^2). */
    print_message("# momentum after a step of a damper: %.1e, angular %.1e\n", dls_norm(dls_sub(p1, p0)),
                  dls_norm(dls_sub(L1, L0)));
    assert_below(dls_norm(dls_sub(L1, L0)), 1e-4);
    run_stop(&r);
}

/* A damper on a link is implicit: a damping of 1e9 stops it within a step and throws it nowhere. */
TEST(test_a_damper_on_a_link)
{
    run r;
    start_with(&r,
               parse_parts(PARTS(TWO_TREES "joints:\n  - {name: mud, type: damper, body1: arm.tool, linear: 1e9}\n")),
               dls_direct_find("block-pivoting"), &variants[0], 50);
    run_steps(&r, 200, h);
    double speed = 0.0;
    for (size_t i = 0; i < 3; i++)
        speed = fmax(speed, fabs(dls_rows_dot(&dls_simulation_problem(r.simulation)->J, i,
                                              dls_simulation_state(r.simulation)->v)));
    print_message("# a link in mud of 1e9 N s/m moves at %.1e m/s\n", speed);
    assert_below(speed, 1e-6);
    run_stop(&r);
}

/* --- joint damping and dry friction --- */

#define WHEEL(keys)                                                                                                 \
    "articulations:\n  - name: a\n    links:\n      - {name: root, static: true}\n"                                 \
    "      - {name: w, parent: root, motion: revolute, axis: [0, 0, 1], shape: sphere, radius: 0.5, mass: 2, " keys \
    "}\n"
static const double inertia = 0.4 * 2 * 0.25;

TEST(test_joint_damping_and_friction_decay_by_their_laws)
{
    run damped, dry;
    start_kept(&damped,
               parse_parts(PARTS(WEIGHTLESS WHEEL(
                   "speed: 7") "joints:\n  - {name: d, type: drive, coordinates: {a.w: 1}, damping: 0.3}\n")),
               &variants[0], 1);
    start_kept(&dry,
               parse_parts(PARTS(WEIGHTLESS WHEEL(
                   "speed: 7") "joints:\n  - {name: d, type: motor, coordinates: {a.w: 1}, force: 0.9}\n")),
               &variants[0], 1);
    const double lost = step_and_sum(&damped, 300, "d", DLS_LEDGER_COMPLIANCE, "damping"),
                 rubbed = step_and_sum(&dry, 300, "d", DLS_LEDGER_FRICTION, "friction");
    const double v = 7.0 / pow(1.0 + h * 0.3 / inertia, 300.0), u = fmax(0.0, 7.0 - 300 * h * 0.9 / inertia);
    assert_close(dls_simulation_state(damped.simulation)->v[0], v, 1e-12);
    assert_close(dls_simulation_state(dry.simulation)->v[0], u, 1e-12);
    assert_close(lost, 0.5 * inertia * (v * v - 49.0), 1e-12);
    assert_close(rubbed, 0.5 * inertia * (u * u - 49.0), 1e-12);
    run_stop(&damped);
    run_stop(&dry);
}

/* --- friction in proportion to the load --- */

/* A cart on a level rail and a wheel on a level shaft carry their weight, as links and as bodies: from the second step
 * on they lose mu g h and r mu m g h / I in each. An incline within the angle of friction holds. */
TEST(test_friction_in_proportion_to_the_load)
{
    static const double mu = 0.13, m = 1.7;
    static const struct {
        const char *what, *scene;
        double rate;
    } cases[] = {
        {"cart on a rail of a tree",
         "articulations:\n  - name: t\n    links:\n      - {name: root, static: true}\n"
         "      - {name: a, parent: root, motion: prismatic, axis: [1, 0, 0], shape: sphere, radius: 0.1, mass: 1.7, "
         "speed: "
         "2}\n"
         "joints:\n  - {name: f, type: friction, coordinates: {t.a: 1}, coefficient: 0.13}\n",
         mu * 9.81},
        {"cart on a slider",
         "bodies:\n  - {name: a, shape: sphere, radius: 0.1, mass: 1.7, velocity: [2, 0, 0]}\n"
         "joints:\n  - {name: s, type: slider, body1: a, axis: [1, 0, 0]}\n"
         "  - {name: f, type: friction, coordinates: {s: 1}, coefficient: 0.13}\n",
         mu * 9.81},
        {"wheel on a shaft of a tree",
         "articulations:\n  - name: t\n    links:\n      - {name: root, static: true}\n"
         "      - {name: a, parent: root, motion: revolute, axis: [1, 0, 0], shape: sphere, radius: 0.5, mass: 1.7, "
         "speed: "
         "2}\n"
         "joints:\n  - {name: f, type: friction, coordinates: {t.a: 1}, coefficient: 0.013}\n",
         0.013 * m * 9.81 / (0.4 * m * 0.25)},
        {"wheel on a hinge",
         "bodies:\n  - {name: a, shape: sphere, radius: 0.5, mass: 1.7, omega: [2, 0, 0]}\n"
         "joints:\n  - {name: s, type: hinge, body1: a, anchor: [0, 0, 0], axis: [1, 0, 0]}\n"
         "  - {name: f, type: friction, coordinates: {s: 1}, coefficient: 0.013}\n",
         0.013 * m * 9.81 / (0.4 * m * 0.25)},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        run r;
        start_with(&r, parse_model(cases[k].scene), dls_direct_find("block-pivoting"), &variants[0], 1);
        const dls_term *term = &joint_named(r.model, "f")->terms[0];
        const size_t at = term->dof != DLS_NONE ? term->dof : cases[k].what[0] == 'c' ? 0 : 3;
        run_steps(&r, 1, h);
        assert_close(dls_simulation_state(r.simulation)->v[at], 2.0, 1e-14); /* no load is known before it */
        for (int step = 1; step <= 100; step++) {
            run_steps(&r, 1, h);
            check_close(dls_simulation_state(r.simulation)->v[at], 2.0 - step * h * cases[k].rate, 1e-12, cases[k].what,
                        __FILE__, __LINE__);
        }
        run_stop(&r);
    }
    for (int slides = 0; slides < 2; slides++) {
        char scene[700];
        run r;
        snprintf(
            scene, sizeof scene,
            "articulations:\n  - name: t\n    links:\n      - {name: root, static: true}\n"
            "      - {name: a, parent: root, motion: prismatic, axis: [3, 0, -1], shape: sphere, radius: 0.1, mass: "
            "1.7}\n"
            "joints:\n  - {name: f, type: friction, coordinates: {t.a: 1}, coefficient: %g}\n",
            slides ? 0.3 : 0.35); /* tan = 1/3 */
        start_with(&r, parse_model(scene), dls_direct_find("block-pivoting"), &variants[0], 1);
        run_steps(&r, 400, h);
        const double v = dls_simulation_state(r.simulation)->v[0], free = h * 9.81 / sqrt(10.0);
        assert_close(v, slides ? free + 399 * h * 9.81 * (1 - 3 * 0.3) / sqrt(10.0) : 0.0, 1e-12);
        run_stop(&r);
    }
}

/* A moment presses by its arm: a wheel at the end of a level shaft has m g L about the bearing, in a tree and in
 * bodies. A cart whose centre is beside its rail has that of its weight and that of its own deceleration, of the step
 * before: a' = mu (g + L / radius sqrt(g^2 + a^2)). Where the joint turns freely about every axis it transmits none. */
TEST(test_friction_by_moments)
{
    static const double g = 9.81, m = 1.7, mu = 0.013, L = 0.3, radius = 0.07;
    static const struct {
        const char *what, *scene;
        double coefficient;
    } cases[] = {
        {"wheel at the end of a shaft of a tree",
         "articulations:\n  - name: t\n    links:\n      - {name: root, static: true}\n"
         "      - {name: a, parent: root, motion: revolute, axis: [1, 0, 0], anchor: [0, 0, 0], position: [0.3, 0, 0], "
         "shape: sphere, radius: 0.5, mass: 1.7, speed: 2}\n"
         "joints:\n  - {name: f, type: friction, coordinates: {t.a: 1}, coefficient: 0.013, radius: %s}\n",
         0.013 / (0.4 * 0.25)},
        {"wheel at the end of a shaft of bodies",
         "bodies:\n  - {name: a, shape: sphere, radius: 0.5, mass: 1.7, position: [0.3, 0, 0], omega: [2, 0, 0]}\n"
         "joints:\n  - {name: s, type: hinge, body1: a, anchor: [0, 0, 0], axis: [1, 0, 0]}\n"
         "  - {name: f, type: friction, coordinates: {s: 1}, coefficient: 0.013, radius: %s}\n",
         0.013 / (0.4 * 0.25)},
        {"cart beside its rail",
         "articulations:\n  - name: t\n    links:\n      - {name: root, static: true}\n"
         "      - {name: a, parent: root, motion: prismatic, axis: [1, 0, 0], anchor: [0, 0, 0], position: [0, 0.3, "
         "0], "
         "shape: sphere, radius: 0.1, mass: 1.7, speed: 2}\n"
         "joints:\n  - {name: f, type: friction, coordinates: {t.a: 1}, coefficient: 0.013, radius: %s}\n",
         mu},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int counts = 0; counts < 2; counts++) {
            char scene[700];
            run r;
            snprintf(scene, sizeof scene, cases[k].scene, counts ? "0.07" : "inf");
            start_with(&r, parse_model(scene), dls_direct_find("block-pivoting"), &variants[0], 1);
            const dls_term *term = &joint_named(r.model, "f")->terms[0];
            const size_t at = term->dof != DLS_NONE ? term->dof : 3;
            run_steps(&r, 1, h);
            double v = dls_simulation_state(r.simulation)->v[at], a = 0.0;
            assert_close(v, 2.0, 1e-14); /* no load is known before it */
            for (int step = 0; step < 50; step++) {
                const double moment = m * L * (k == 2 ? sqrt(g * g + a * a) : g);
                a = cases[k].coefficient * (g + (counts ? moment / (m * radius) : 0.0));
                v -= h * a;
                run_steps(&r, 1, h);
                check_close(dls_simulation_state(r.simulation)->v[at], v, 1e-12, cases[k].what, __FILE__, __LINE__);
            }
            run_stop(&r);
        }
    run r;
    start_with(
        &r,
        parse_model("articulations:\n  - name: t\n    links:\n      - {name: root, static: true}\n"
                    "      - {name: a, parent: root, motion: spherical, anchor: [0, 0, 0], position: [0.3, 0, 0], "
                    "shape: sphere, radius: 0.1, mass: 1.7}\n"
                    "joints:\n  - {name: f, type: friction, coordinates: {t.a.twist: 1}, coefficient: 0.1, "
                    "radius: 0.01}\n"),
        dls_direct_find("block-pivoting"), &variants[0], 1);
    run_steps(&r, 30, h);
    const double *joint_state = dls_simulation_state(r.simulation)->joint_state;
    assert_true(joint_state[0] > 1.0);
    assert_close(joint_state[1], 0.0, 1e-13);
    run_stop(&r);
}

/* --- limits of speed --- */

/* A wheel that is driven meets its limit within a step, and the row carries what drives it, either way. */
TEST(test_a_speed_limit_is_a_row)
{
    static const char *const efforts[] = {"effort: 1.7", "effort: -1.7"};
    for (int way = 0; way < 2; way++)
        for (size_t v = 0; v < VARIANTS; v++) {
            char scene[600];
            run r;
            snprintf(
                scene, sizeof scene,
                WEIGHTLESS WHEEL("%s") "joints:\n  - {name: g, type: speed-limit, coordinates: {a.w: 2}, speed: 3}\n",
                efforts[way]);
            start_kept(&r, parse_model(scene), &variants[v], 6);
            step_and_sum(&r, 300, "g", DLS_LEDGER_FRICTION, name_of(&variants[v]));
            const double *lambda = dls_simulation_impulses(r.simulation);
            const double hs = dls_simulation_problem(r.simulation)->h;
            const double near = is_scheme(&variants[v], "avbd") ? 1e-7 : 1e-13; /* six iterations */
            check_close(dls_simulation_state(r.simulation)->v[0], way ? -1.5 : 1.5, near, name_of(&variants[v]),
                        __FILE__, __LINE__);
            check_close(lambda[way], 0.5 * hs * 1.7, near, name_of(&variants[v]), __FILE__, __LINE__);
            check_close(lambda[1 - way], 0.0, 0.0, name_of(&variants[v]), __FILE__, __LINE__);
            run_stop(&r);
        }
}

/* With no more force than it has: the wheel runs away at (tau - force) / I. */
TEST(test_a_speed_limit_of_limited_force)
{
    run r;
    run_start(
        &r,
        parse_parts(PARTS(WEIGHTLESS WHEEL("effort: 1.7, speed: 3") "joints:\n  - {name: g, type: speed-limit, "
                                                                    "coordinates: {a.w: 1}, speed: 3, force: 1.2}\n")),
        dls_direct_find("block-pivoting"), NULL, 1);
    run_steps(&r, 100, h);
    assert_close(dls_simulation_state(r.simulation)->v[0], 3.0 + 100 * h * 0.5 / inertia, 1e-12);
    run_stop(&r);
}

/* A stone that falls and is pushed: below the bound to second order, at a vertical speed that the limit leaves. */
TEST(test_a_body_speed_limit)
{
    static const char scene[] = "world: {gravity: [0, 0, -9.81]}\n"
                                "bodies:\n  - {name: stone, shape: box, size: [0.4, 0.3, 0.2], mass: 1.7, position: "
                                "[0, 0, 0], velocity: [1, 0.2, "
                                "0], omega: [0.3, -0.4, 4], torque: [0.03, 0.01, 0.05]}\n"
                                "joints:\n  - {name: s, type: body-speed-limit, body1: stone, linear: 2, angular: 5}\n";
    run r;
    start_kept(&r, parse_model(scene), &variants[0], 50);
    double fastest = 0.0, spun = 0.0;
    for (int step = 0; step < 1000; step++) {
        step_and_sum(&r, 1, "s", DLS_LEDGER_FRICTION, "body");
        const double *v = dls_simulation_state(r.simulation)->v;
        fastest = fmax(fastest, dls_norm(dls_v3(v[0], v[1], v[2])));
        spun = fmax(spun, dls_norm(dls_v3(v[3], v[4], v[5])));
    }
    const double across = h * 9.81;
    print_message("# limits of 2 m/s and 5 rad/s: at most %.6f m/s (predicted %.6f), %.6f rad/s\n", fastest,
                  2.0 + 0.25 * across * across, spun);
    assert_below(fastest, 2.0 + 0.25 * across * across * 1.001);
    assert_below(spun, 5.0 + 1e-3);
    assert_true(spun > 4.999);
    assert_close(dls_simulation_state(r.simulation)->v[2], -2.0, 1e-3);
    run_stop(&r);
}

/* A robot from URDF keeps below the speeds that it says, on request: the wrist 4 rad/s, a drive pulls it at more. */
TEST(test_speed_limits_of_a_robot)
{
    for (int limited = 0; limited < 2; limited++) {
        char scene[DLS_PATH_MAX + 400];
        run r;
        snprintf(scene, sizeof scene,
                 "articulations:\n  - {name: arm, urdf: %s/models/gripper.urdf%s}\n"
                 "joints:\n  - {name: pull, type: drive, coordinates: {arm.wrist: 1}, damping: 20, speed: 9}\n",
                 getenv("DLS_TEST_SOURCE"), limited ? ", speed_limits: true" : "");
        run_start(&r, parse_model(scene), dls_direct_find("block-pivoting"), NULL, 1);
        assert_true((dls_model_find_joint(r.model, "arm.wrist speed") != DLS_NONE) == limited);
        const dls_joint *pull = joint_named(r.model, "pull");
        double fastest = 0.0;
        for (int step = 0; step < 50; step++) {
            run_steps(&r, 1, h);
            fastest = fmax(fastest, fabs(dls_simulation_state(r.simulation)->v[pull->terms[0].dof]));
        }
        assert_true(limited ? fabs(fastest - 4.0) < 1e-9 : fastest > 6.0);
        run_stop(&r);
    }
}

static void assert_refused(const char *joint, const char *key)
{
    char text[1000];
    snprintf(text, sizeof text, "%sjoints:\n  - {name: x, %s}\n", STONE, joint);
    assert_key_refused(text, key);
}

TEST(test_bad_settings_are_refused)
{
    assert_refused("type: damper, body1: stone", "linear");
    assert_refused("type: damper, body1: stone, angular: inf", "angular");
    assert_refused("type: damper, body1: stone, linear: 2, erp: 0.3", "erp");
    assert_refused("type: damper, body1: stone, linear: 2, stiffness: 3", "stiffness");
    assert_refused("type: body-speed-limit, body1: stone", "linear");
    assert_refused("type: body-speed-limit, body1: stone, angular: inf", "angular");
    assert_refused("type: speed-limit, coordinates: {h: 1}", "h");
}

/* --- the whole of an articulation --- */

static const char flyer[] =
    "world: {gravity: [0, 0, 0]%s}\n"
    "articulations:\n"
    "  - name: t\n"
    "    com_speed: %s\n"
    "    com_angular_speed: %s\n"
    "    links:\n"
    "      - {name: root, shape: box, size: [0.3, 0.2, 0.1], mass: 1.1, velocity: [1, 2, 2], omega: [3, -1, 2]%s}\n"
    "      - {name: a, parent: root, motion: revolute, axis: [0, 1, 0.2], anchor: [0.2, 0, 0], shape: sphere, radius: "
    "0.1, mass: 0.7, position: [0.5, 0.1, 0], speed: 2}\n"
    "      - {name: b, parent: a, motion: spherical, anchor: [0.7, 0, 0], shape: box, size: [0.2, 0.1, 0.1], mass: "
    "0.4, "
    "position: [0.8, 0, 0.1], spin: [0.3, 1, -2]}\n";

/* Speed of the centre of mass, and angular speed, of the only articulation, by its momentum. */
static void com_speeds(const run *r, double *linear, double *angular)
{
    dls_error error;
    dls_configuration *at;
    assert_status(dls_configuration_create(r->model, &at, &error), &error);
    dls_configuration_evaluate(at, dls_simulation_state(r->simulation));
    const dls_spatial P = dls_articulation_central_momentum(at->works[0]);
    double turn[6] = {0.0};
    dls_articulation_add_momentum(at->works[0], (dls_spatial){dls_v3(0, 0, 0), P.ang}, turn);
    *linear = dls_norm(P.lin) / dls_model_articulations(r->model)[0].tree->mass;
    *angular = dls_norm(dls_v3(turn[3], turn[4], turn[5]));
    dls_configuration_destroy(at);
}

/* Both speeds are at their limits to rounding, whatever the scheme, the ledger sums with what was taken, and where the
 * limit is not reached nothing changes, to the bit. */
TEST(test_speeds_of_a_whole_articulation)
{
    static const struct {
        const char *linear, *angular, *fixed;
        double most, most_angular;
    } cases[] = {{"1.7", "inf", "", 1.7, HUGE_VAL},
                 {"inf", "1.3", "", HUGE_VAL, 1.3},
                 {"1.7", "1.3", "", 1.7, 1.3},
                 {"0.21", "inf", ", static: true", 0.21, HUGE_VAL},
                 {"inf", "0.4", ", static: true", HUGE_VAL, 0.4}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (size_t v = 0; v < VARIANTS; v++)
            for (int keep = 0; keep < 2; keep++) {
                char text[1200];
                run r;
                double linear, angular, taken = 0.0;
                if (keep && refuses_to_keep_momentum(&variants[v]))
                    continue; /* they refuse it */
                snprintf(text, sizeof text, flyer, keep ? ", keep_momentum: true" : "", cases[k].linear,
                         cases[k].angular, cases[k].fixed);
                char *velocity = cases[k].fixed[0] ? strstr(text, "velocity: [1, 2, 2], omega: [3, -1, 2]") : NULL;
                if (velocity) /* a fixed root has none */
                    memcpy(velocity, "velocity: [0, 0, 0], omega: [0, 0, 0] ", 38);
                start_kept(&r, parse_model(text), &variants[v], 6);
                for (int step = 0; step < 60; step++) {
                    run_steps(&r, 1, h);
                    com_speeds(&r, &linear, &angular);
                    assert_true(linear <= cases[k].most * (1.0 + 1e-14));
                    assert_true(angular <= cases[k].most_angular * (1.0 + 1e-13));
                    const dls_ledger *l = dls_simulation_ledger(r.simulation);
                    assert_true(dls_ledger_mismatch(l) < 1e-14);
                    assert_true(l->clamp <= 0.0);
                    taken += l->clamp;
                    if (keep && !cases[k].fixed[0])
                        assert_true(dls_norm(l->momentum_drift.lin) + dls_norm(l->momentum_drift.ang) < 1e-12);
                }
                assert_true(taken < -1e-3);
                run_stop(&r);
            }
    run one, other; /* limits that are far away, and none */
    char text[1200];
    dls_model *model;
    dls_error error;
    snprintf(text, sizeof text, flyer, "", "1", "1", "");
    dls_scene *scene = parse_scene(text);
    scene->articulations[0]->com_angular_speed = NAN; /* as a program may have it */
    assert_int_equal(dls_model_create(scene, &model, &error), DLS_BAD_INPUT);
    assert_string_equal(error.key, "com_angular_speed");
    dls_scene_destroy(scene);
    snprintf(text, sizeof text, flyer, "", "1e6", "1e6", "");
    start_kept(&one, parse_model(text), &variants[0], 6);
    snprintf(text, sizeof text, flyer, "", "inf", "inf", "");
    start_kept(&other, parse_model(text), &variants[0], 6);
    run_steps(&one, 100, h);
    run_steps(&other, 100, h);
    const dls_state *a = dls_simulation_state(one.simulation), *b = dls_simulation_state(other.simulation);
    assert_memory_equal(a->v, b->v, a->nv * sizeof *a->v);
    assert_close(dls_simulation_ledger(one.simulation)->clamp, 0.0, 0.0);
    run_stop(&one);
    run_stop(&other);
}
