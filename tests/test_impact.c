/* Laws of impact: closed forms, laws integrated by the test itself, energy, and independence of units and order. */
#include "delassus/reference.h"

#include "failing_memory.h"
#include "impacts.h"
#include "stepping.h"

#include <float.h>

/* One step by semi-implicit Euler with a direct solver. */
static dls_status try_step(run *r, const char *solver, const char *scene, double h, dls_error *error)
{
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_direct_find(solver);
    options.ledger = true;
    assert_non_null(options.solver);
    run_open(r, parse_model(scene), &options);
    return dls_simulation_step(r->simulation, h, error);
}

static void one_step(run *r, const char *solver, const char *scene, double h)
{
    dls_error error;
    const dls_status status = try_step(r, solver, scene, h, &error);
    assert_status(status, &error);
}

static const double *velocities(const run *r) { return dls_simulation_state(r->simulation)->v; }

/* --- Newton's cradle --- */

TEST(test_newtons_cradle)
{
    static const double speed[BALLS] = {1.7, 0.0, 0.0, 0.0};
    static const double coefficients[3][GAPS] = {{1.0, 1.0, 1.0}, {0.6, 0.6, 0.6}, {0.4, 0.7, 0.75}};
    for (int law = 0; law < LAWS; law++)
        for (int c = 0; c < 3; c++)
            for (int form = 0; form < 3; form++) { /* as it is, in the opposite order, and in other units */
                char text[2048];
                double v[BALLS];
                run r;
                const double length = form == 2 ? 1e3 : 1.0;
                write_cradle(text, sizeof text, speed, coefficients[c], dls_impact_law_names[law],
                             form == 2 ? 1e6 : 1.0, length, form == 1);
                one_step(&r, "block-pivoting", text, 1e-3);
                expected_cradle(law, speed, coefficients[c], v);
                for (int i = 0; i < BALLS; i++)
                    assert_close(velocities(&r)[6 * i], length * v[i], 1e-13 * length);
                assert_true(dls_simulation_ledger(r.simulation)->impact_gain == 0.0);
                run_stop(&r);
            }
}

/* Where one contact separates as another is hit, Newton's law stops it at 0 and Moreau's at -e times its speed: with
 * both contacts at their targets, w = (e s, target). */
TEST(test_moreaus_law_of_a_contact_that_separates)
{
    static const double speed[BALLS] = {1.7, 0.0, 0.1, 3.0}, e[GAPS] = {0.6, 0.6, 0.6};
    for (int law = 0; law < 2; law++) {
        char text[2048];
        double A[3][3], v[BALLS], p[GAPS] = {1.6 * 1.7, law ? -1.6 * 0.1 : -0.1, 0.0};
        run r;
        write_cradle(text, sizeof text, speed, e, dls_impact_law_names[law ? MOREAU : NEWTON], 1.0, 1.0, false);
        one_step(&r, "block-pivoting", text, 1e-3);
        delassus_matrix(A);
        solve(2, A, p);
        assert_true(p[0] > 0.0 && p[1] > 0.0);
        after_impulses(speed, p, v);
        assert_true(v[3] - v[2] > 0.0); /* the third contact stays out of it */
        for (int i = 0; i < BALLS; i++)
            assert_close(velocities(&r)[6 * i], v[i], 1e-13);
        run_stop(&r);
    }
}

/* --- limits --- */

/* A pendulum of moment of inertia J about its hinge meets its stop, with gravity: its speed is reversed by every law,
 * and the stop's impulse carries the weight of the step besides. */
TEST(test_a_pendulum_against_a_stop)
{
    for (int law = 0; law < LAWS; law++)
        for (int upper = 0; upper < 2; upper++) {
            char text[1024];
            run r;
            snprintf(text, sizeof text,
                     "bodies:\n  - {name: bob, mass: 1.3, inertia: [0.2, 0.3, 0.25], position: [0.8, 0, 0], omega: [0, "
                     "%g, 0], velocity: [0, 0, %g]}\n"
                     "joints:\n  - {name: pivot, type: hinge, body1: bob, anchor: [0, 0, 0], axis: [0, 1, 0]}\n"
                     "  - {name: stop, type: limit, coordinates: {pivot: 1}, %s: 0, restitution: 0.7, impact: %s}\n",
                     upper ? 2.1 : -2.1, upper ? -0.8 * 2.1 : 0.8 * 2.1, upper ? "upper" : "lower",
                     dls_impact_law_names[law]);
            one_step(&r, "block-pivoting", text, 1e-3);
            assert_close(velocities(&r)[4], upper ? -0.7 * 2.1 : 0.7 * 2.1, 1e-14);
            const double moment = force_of(&r, 1).along_sum * 1e-3, inertia = 0.3 + 1.3 * 0.8 * 0.8;
            const double weight = 1.3 * 9.81 * 0.8 * 1e-3; /* turns towards the upper limit, about y */
            assert_close(fabs(moment), inertia * 1.7 * 2.1 + (upper ? weight : -weight), 1e-13);
            run_stop(&r);
        }
}

/* Slower than its threshold it stays; with a spring restitution has no meaning. */
TEST(test_the_threshold_of_a_limit)
{
    static const char scene[] =
        "world: {gravity: [0, 0, 0]}\n"
        "bodies:\n  - {name: a, mass: 1.3, inertia: [1, 1, 1], velocity: [-0.4, 0, 0]}\n"
        "joints:\n  - {name: rail, type: slider, body1: a, axis: [1, 0, 0]}\n"
        "  - {name: stop, type: limit, coordinates: {rail: 1}, lower: 0, restitution: 0.7, threshold: %s}\n";
    for (int fast = 0; fast < 2; fast++) {
        char text[1024];
        run r;
        snprintf(text, sizeof text, scene, fast ? "0.39" : "0.41");
        one_step(&r, "block-pivoting", text, 1e-3);
        assert_close(velocities(&r)[0], fast ? 0.28 : 0.0, 1e-15);
        run_stop(&r);
    }
    assert_scene_refused(
        "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n"
        "joints:\n  - {name: rail, type: slider, body1: a, axis: [1, 0, 0]}\n"
        "  - {name: s, type: limit, coordinates: {rail: 1}, lower: 0, restitution: 0.7, stiffness: 3}\n",
        "bounces by its damping");
}

/* --- a rod with friction --- */

/* Kane's observation: with friction, Newton's law may give back more than there was; Poisson's and Stronge's do not.
 * The rods stick, slide, and slide back in their impacts. */
TEST(test_a_rod_with_friction)
{
    enum { RODS = 5 };
    static const double rods[RODS][5] = {/* angle, e, mu, t, whether Newton's law creates energy */
                                         {0.9, 0.9, 0.4, 1.0, 1},
                                         {0.8, 0.9, 1.0, 0.5, 1},
                                         {0.7, 0.5, 0.2, -1.0, 0},
                                         {1.2, 0.7, 0.3, 0.2, 0},
                                         {0.5, 0.0, 0.5, 2.0, 0}};
    for (int k = 0; k < RODS; k++)
        for (int law = 0; law < LAWS; law++)
            for (int form = 0; form < 3; form++) { /* as it is, in another plane, in other units */
                const planar c = {.m = 1.3,
                                  .inertia = 1.3 * 1.21 / 12.0,
                                  .x = -0.55 * cos(rods[k][0]),
                                  .z = -0.55 * sin(rods[k][0]),
                                  .e = rods[k][1],
                                  .mu = rods[k][2],
                                  .n = -1.0,
                                  .t = rods[k][3]};
                char text[1024];
                double p[2];
                run r;
                const double mass = form == 2 ? 1e6 : 1.0, length = form == 2 ? 1e-3 : 1.0,
                             turn = form == 1 ? 0.7 : 0.0;
                write_planar(text, sizeof text, &c, law, mass, length, turn);
                one_step(&r, "cone-newton", text, 1e-3);
                expected_planar(&c, law, p);
                const double *v = velocities(&r), along = (v[0] * cos(turn) + v[1] * sin(turn)) / length;
                const double allowed = law == STRONGE ? 3e-6 : 1e-12;
                assert_close(v[2] / length, c.n + p[0] / c.m, allowed);
                assert_close(along, c.t + p[1] / c.m, allowed);
                const dls_ledger *l = dls_simulation_ledger(r.simulation);
                const double unit = mass * length * length, gain = planar_gain(&c, p);
                const bool creates = rods[k][4] > 0.0 && (law == NEWTON || law == MOREAU);
                assert_true(creates == (gain > 1e-3) && creates == (l->impact_gain > 0.0));
                assert_close(l->impact_gain / unit, creates ? gain : 0.0, 1e-12);
                assert_close(dls_ledger_change(l) / unit, gain, 10.0 * allowed);
                run_stop(&r);
            }
}

/* The same in three dimensions, where the direction of sliding turns: a body with three different moments of inertia
 * and a contact off its axes, against small steps of the normal impulse. */
TEST(test_sliding_that_turns)
{
    static const double moments[3] = {0.07, 0.31, 0.29}, arm[3] = {0.3, -0.2, -0.4}, m = 1.3, mu = 0.35, e = 0.8;
    static const double start[3] = {0.9, -0.3, -1.0};
    double A[3][3], w[3] = {start[0], start[1], start[2]}, p[3] = {0.0}, work = 0.0, compressed = NAN;
    const dls_vec3 a = dls_v3(arm[0], arm[1], arm[2]);
    for (int j = 0; j < 3; j++) { /* the velocity of the point by an impulse along j */
        const dls_vec3 turn = dls_cross(a, dls_axis3(j));
        const dls_vec3 omega = dls_v3(turn.x / moments[0], turn.y / moments[1], turn.z / moments[2]);
        const dls_vec3 at = dls_cross(omega, a);
        for (int i = 0; i < 3; i++)
            A[i][j] = dls_get3(at, i) + (i == j ? 1.0 / m : 0.0);
    }
    const double dp = 1e-6;
    while (isnan(compressed) || work < (1.0 - e * e) * compressed) {
        double rate[3], half[3];
        for (int pass = 0; pass < 2; pass++) { /* the rule of the middle point */
            const double *at = pass ? half : w, speed = hypot(at[0], at[1]);
            const double f[3] = {-mu * at[0] / speed, -mu * at[1] / speed, 1.0};
            for (int i = 0; i < 3; i++) {
                rate[i] = A[i][0] * f[0] + A[i][1] * f[1] + A[i][2];
                half[i] = w[i] + 0.5 * dp * rate[i];
                p[i] += pass ? f[i] * dp : 0.0;
            }
        }
        work += dp * (w[2] + 0.5 * dp * rate[2]);
        for (int i = 0; i < 3; i++)
            w[i] += dp * rate[i];
        assert_true(hypot(w[0], w[1]) > 1e-3); /* it does not stop */
        if (isnan(compressed) && w[2] >= 0.0)
            compressed = work;
    }
    char text[1024];
    run r;
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, 0], gyroscopic: none}\n"
             "bodies:\n  - {name: body, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, %.17g, %.17g], "
             "velocity: [%.17g, %.17g, %.17g]}\n"
             "joints:\n  - {name: tip, type: contact, body1: body, point: [0, 0, 0], normal: [0, 0, 1], mu: %.17g, "
             "friction: cone, restitution: %.17g, impact: stronge}\n",
             m, moments[0], moments[1], moments[2], -arm[0], -arm[1], -arm[2], start[0], start[1], start[2], mu, e);
    one_step(&r, "cone-newton", text, 1e-3);
    for (int i = 0; i < 3; i++)
        assert_close(velocities(&r)[i], start[i] + p[i] / m, 1e-5);
    assert_true(dls_simulation_ledger(r.simulation)->impact_gain == 0.0);
    run_stop(&r);
}

/* A block lands on two feet at the height of its centre of mass, sliding: neither foot turns it, so it is a point with
 * the friction mu (1 + e) m s by Newton's and Poisson's law. */
TEST(test_two_feet_with_friction)
{
    for (int law = 0; law < 2; law++) {
        char text[1024];
        run r;
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, 0]}\n"
                 "bodies:\n  - {name: a, mass: 1.3, inertia: [0.2, 0.3, 0.25], velocity: [2.5, 0, -1.1]}\n"
                 "joints:\n  - {name: l, type: contact, body1: a, point: [-0.4, 0, 0], normal: [0, 0, 1], mu: 0.3, "
                 "friction: cone, restitution: 0.6, impact: %s}\n"
                 "  - {name: r, type: contact, body1: a, point: [0.4, 0, 0], normal: [0, 0, 1], mu: 0.3, friction: "
                 "cone, restitution: 0.6, impact: %s}\n",
                 dls_impact_law_names[law ? POISSON : NEWTON], dls_impact_law_names[law ? POISSON : NEWTON]);
        one_step(&r, "cone-newton", text, 1e-3);
        const double *v = velocities(&r), expected[6] = {2.5 - 0.3 * 1.6 * 1.1, 0, 0.6 * 1.1, 0, 0, 0};
        for (int k = 0; k < 6; k++)
            assert_close(v[k], expected[k], 1e-12);
        run_stop(&r);
    }
}

/* --- schemes --- */

/* A ball with friction, whose normal and tangential impulses do not know each other: by all laws it leaves with e times
 * its speed, and friction takes mu (1 + e) m s. In every scheme; those that renew J within the step differ by what the
 * point of contact, which is the ball's, turns in it. */
TEST(test_every_scheme_takes_the_laws)
{
    for (size_t v = 0; v < VARIANTS; v++)
        for (int law = 0; law < LAWS; law++) {
            char text[1024];
            run r;
            snprintf(text, sizeof text,
                     "world: {gravity: [0, 0, 0]}\n"
                     "bodies:\n  - {name: a, shape: sphere, radius: 0.5, mass: 1.3, position: [0, 0, 0.5], velocity: "
                     "[3, 0, -1.1]}\n"
                     "joints:\n  - {name: c, type: contact, body1: a, point: [0, 0, 0], normal: [0, 0, 1], mu: %s, "
                     "friction: box, restitution: 0.6, impact: %s}\n",
                     law == STRONGE ? "0" : "0.3", dls_impact_law_names[law]);
            start_kept(&r, parse_model(text), &variants[v], 4);
            if (is_scheme(&variants[v], "avbd") || is_scheme(&variants[v], "soft-reference")) {
                /* they have no restitution, and say so */
                dls_error error;
                assert_int_equal(dls_simulation_step(r.simulation, 1e-9, &error), DLS_REFUSED);
                run_stop(&r);
                continue;
            }
            run_steps(&r, 1, 1e-9);
            assert_close(velocities(&r)[2], 0.66, 1e-8);
            assert_close(velocities(&r)[0], law == STRONGE ? 3.0 : 3.0 - 0.3 * 1.6 * 1.1, 1e-8);
            run_stop(&r);
        }
}

/* An elastic ball under gravity, 100 impacts. A step from v to v+ = v - k g (k the step, or substep) and x+ = x + k v+
 * keeps E = (v - k g / 2)^2 / 2 + g x, the energy with the velocity at the time of x. An impact from v to v+ = -v
 * keeps it too: E+ = (v + k g / 2)^2 / 2 + g (x - k v) = E. So E is constant up to rounding, at whatever depth the
 * ball turns; kinetic and potential energy themselves oscillate by k g |v| / 2, without a drift. Nothing corrects the
 * depth: ERP is 0 in the step of the impact, and the ball is out of the ground at its end. The theta method of Moreau
 * and Jean kicks at (1 - theta) of a step, and the energy is that of v - (2 theta - 1) k g / 2. Schemes that correct
 * the depth of an impact change the energy by that: rattle, midpoint, xpbd, avbd, and soft-step by laws without phases
 * (test_soft_step.c). */
TEST(test_an_elastic_ball_keeps_its_energy)
{
    const double h = 4e-3, g = 9.81;
    for (size_t v = 0; v < VARIANTS; v++)
        for (int law = 0; law < LAWS; law++) {
            static const char *const correct[] = {"rattle", "midpoint", "xpbd", "avbd", "soft-reference"};
            bool corrects = false;
            for (size_t n = 0; n < sizeof correct / sizeof correct[0]; n++)
                corrects |= strcmp(variants[v].scheme, correct[n]) == 0;
            corrects |= is_scheme(&variants[v], "soft-step") && (law == NEWTON || law == MOREAU);
            if (corrects)
                continue;
            char text[1024];
            run r;
            size_t impacts = 0;
            double first = NAN, worst = 0.0;
            snprintf(text, sizeof text,
                     "bodies:\n  - {name: a, shape: sphere, radius: 0.5, mass: 1.3, position: [0, 0, 0.9]}\n"
                     "joints:\n  - {name: c, type: contact, body1: a, point: [0, 0, 0], gap: 0.4, normal: [0, 0, 1], "
                     "restitution: 1, impact: %s}\n",
                     dls_impact_law_names[law]);
            start(&r, parse_model(text), &variants[v], 4);
            const bool theta = strcmp(variants[v].scheme, "moreau-jean") == 0,
                       whole =
                           theta && variants[v].key && strcmp(variants[v].key, "theta") == 0; /* theta = 1; else 1/2 */
            const double k = has_substeps(&variants[v]) ? h / 4.0 : theta && !whole ? 0.0 : h;
            while (impacts < 100) {
                const double before = velocities(&r)[2];
                run_steps(&r, 1, h);
                const double now = velocities(&r)[2], synchronous = now - 0.5 * k * g;
                const double energy = 0.5 * synchronous * synchronous + g * dls_simulation_state(r.simulation)->x[0].z;
                impacts += before < 0.0 && now > 0.0;
                first = isnan(first) ? energy : first;
                worst = fmax(worst, fabs(energy / first - 1.0));
            }
            if (law == NEWTON)
                print_message("# %-26s energy within %.1e after 100 impacts\n", name_of(&variants[v]), worst);
            assert_below(worst, 1e-12);
            run_stop(&r);
        }
}

/* --- few sweeps --- */

/* The solve of a step starts from the impulses of the impact. Without forces these are its solution: one sweep gives
 * the velocities of many, of a box that meets four contacts while it slides and turns. */
static void after_sweeps(const variant *v, int law, size_t sweeps, double velocity[6])
{
    char text[2048];
    run r;
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "world: {gravity: [0, 0, 0]}\n"
        "bodies:\n  - {name: a, shape: box, size: [1, 0.8, 0.6], mass: 1.7, position: [0, 0, 0.3], velocity: "
        "[0.5, -0.2, -1.1], omega: [0.3, -0.4, 0.7]}\njoints:\n");
    for (int corner = 0; corner < 4; corner++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  - {name: c%d, type: contact, body1: a, point: [%g, %g, 0], normal: [0, 0, 1], mu: "
                                 "%g, friction: cone, restitution: 0.6, impact: %s}\n",
                                 corner, corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.4 : -0.4, law == STRONGE ? 0.0 : 0.3,
                                 dls_impact_law_names[law]);
    start_with(&r, parse_model(text), dls_iterative_find("nsgs"), v, sweeps);
    run_steps(&r, 1, 1e-9);
    memcpy(velocity, velocities(&r), 6 * sizeof *velocity);
    run_stop(&r);
}

TEST(test_one_sweep_is_the_impact)
{
    static const variant euler = {"euler", NULL, NULL};
    double newton[2][6];
    for (int k = 0; k < 2; k++)
        after_sweeps(&euler, NEWTON, k ? 3000 : 1, newton[k]);
    assert_true(fabs(newton[0][3] - newton[1][3]) > 1e-2); /* it is not solved by one sweep from zero */
    for (size_t v = 0; v < VARIANTS; v++)
        for (int law = POISSON; law <= STRONGE; law++) {
            double few[6], many[6];
            if (is_halfway(&variants[v]) || solves_itself(&variants[v]) || is_scheme(&variants[v], "soft-reference"))
                continue;
            after_sweeps(&euler, law, 3000, many);
            after_sweeps(&variants[v], law, 1, few);
            for (int j = 0; j < 6; j++)
                assert_close(few[j], many[j], 1e-7); /* motion within 1e-9 s, and the residual of a phase */
        }
}

/* --- kinematic bodies --- */

/* A bat of speed u meets a ball of speed v: v+ = u + e (u - v) by all laws. The bat's work is no energy that the impact
 * creates. */
TEST(test_a_bat)
{
    for (int law = 0; law < LAWS; law++) {
        char text[1024];
        run r;
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, 0], collide: true, friction: cone, restitution: 0.6, impact: %s}\n"
                 "bodies:\n  - {name: bat, shape: box, size: [1, 1, 1], kinematic: true, velocity: [0, 0, 2]}\n"
                 "  - {name: ball, shape: sphere, radius: 0.25, mass: 0.7, position: [0, 0, 0.75], velocity: [0, 0, "
                 "-1.5]}\n",
                 dls_impact_law_names[law]);
        one_step(&r, "cone-newton", text, 1e-3);
        assert_close(velocities(&r)[2], 2.0 + 0.6 * 3.5, 1e-13);
        assert_true(dls_simulation_ledger(r.simulation)->impact_gain == 0.0);
        assert_close(dls_ledger_change(dls_simulation_ledger(r.simulation)), 0.35 * (4.1 * 4.1 - 1.5 * 1.5), 1e-12);
        run_stop(&r);
    }
}

/* --- the check of rows --- */

/* `delassus check` computes targets, ERP and bounds of stops that rebound again, closed and with a gap. */
TEST(test_the_check_of_stops_that_rebound)
{
    static const char scene[] =
        "bodies:\n  - {name: a, mass: 1.3, inertia: [1, 1, 1], velocity: [-0.4, 0, -1]}\n"
        "  - {name: b, mass: 0.9, inertia: [1, 1, 1], position: [3, 0, 0], velocity: [0, 0, -1]}\n"
        "  - {name: c, mass: 0.9, inertia: [1, 1, 1], position: [6, 0, 0], velocity: [0.7, 0, 0]}\n"
        "joints:\n  - {name: tip, type: contact, body1: a, point: [0.2, 0, -0.4], normal: [0, 0, 1], gap: %s, mu: 0.3, "
        "friction: cone, restitution: 0.6, impact: %s}\n"
        "  - {name: rail, type: slider, body1: b, axis: [0, 0, 1]}\n"
        "  - {name: stop, type: limit, coordinates: {rail: -1}, upper: %s, restitution: 0.7, impact: %s}\n"
        "  - {name: other, type: slider, body1: c, axis: [1, 0, 0]}\n"
        "  - {name: leaves, type: limit, coordinates: {other: 1}, lower: %s, restitution: 0.7, impact: %s}\n";
    for (int law = 0; law < LAWS; law++)
        for (int gap = -1; gap <= 1; gap++) {
            const char *name = dls_impact_law_names[law], *at = gap < 0 ? "-0.01" : gap ? "0.01" : "0";
            char text[2048];
            run r;
            dls_check_report *report;
            dls_error error;
            snprintf(text, sizeof text, scene, at, name, at, name, gap < 0 ? "0.01" : gap ? "-0.01" : "0", name);
            one_step(&r, "cone-newton", text, 1e-3);
            dls_state *state = new_state(r.model);
            assert_status(dls_check_problem(r.model, state, dls_simulation_contacts(r.simulation),
                                            dls_simulation_problem(r.simulation), 1, &report, &error),
                          &error);
            assert_true(report->passed);
            dls_check_report_destroy(report);
            dls_state_destroy(state);
            run_stop(&r);
        }
}

/* --- refusals --- */

TEST(test_impacts_that_are_refused)
{
    static const char feet[] =
        "world: {gravity: [0, 0, 0]}\n"
        "bodies:\n  - {name: a, mass: 1.3, inertia: [1, 1, 1], velocity: [0, 0, -1]}\n"
        "joints:\n  - {name: l, type: contact, body1: a, point: [-0.4, 0, 0], normal: [0, 0, 1], mu: 0.3, friction: "
        "%s, "
        "restitution: 0.6, impact: %s}\n"
        "  - {name: r, type: contact, body1: a, point: [0.4, 0, 0], normal: [0, 0, 1], restitution: %s, impact: %s}\n";
    static const struct {
        const char *friction, *one, *e, *other, *message;
    } cases[] = {{"cone", "stronge", "0.6", "stronge", "no form for 2 contacts"},
                 {"box", "stronge", "0.6", "stronge", "Coulomb's cone"},
                 {"cone", "poisson", "0.6", "newton", "l and r meet in one impact under the laws poisson and newton"},
                 {"cone", "poisson", "0", "newton", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[1024];
        run r;
        dls_error error;
        snprintf(text, sizeof text, feet, cases[k].friction, cases[k].one, cases[k].e, cases[k].other);
        const dls_status status =
            try_step(&r, strcmp(cases[k].friction, "box") == 0 ? "exact" : "cone-newton", text, 1e-3, &error);
        if (cases[k].message) {
            assert_int_equal(status, DLS_REFUSED);
            if (!strstr(error.message, cases[k].message))
                fail_msg("'%s' instead of '%s'", error.message, cases[k].message);
            assert_close(velocities(&r)[2], -1.0, 0.0); /* the step has not been made */
        } else {
            assert_status(status, &error);
        }
        run_stop(&r);
    }
}

static dls_status step_of_model(const void *argument, dls_error *error)
{
    dls_simulation_options options = dls_simulation_default();
    dls_simulation *simulation;
    options.solver = dls_direct_find("cone-newton");
    options.ledger = true;
    DLS_TRY(dls_simulation_open(argument, &options, &simulation, error));
    const dls_status status = dls_simulation_step(simulation, 1e-3, error);
    dls_simulation_close(simulation);
    return status;
}

TEST(test_an_impact_without_memory)
{
    char text[2048];
    const planar c = {.m = 1.3, .inertia = 0.13, .x = -0.34, .z = -0.43, .e = 0.9, .mu = 0.4, .n = -1.0, .t = 1.0};
    write_planar(text, sizeof text, &c, POISSON, 1.0, 1.0, 0.0);
    dls_model *model = parse_model(text);
    fail_every_allocation(step_of_model, model, "an impact");
    dls_model_destroy(model);
}
