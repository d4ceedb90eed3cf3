/* Scenes whose contacts have rolling, torsional and anisotropic friction, or the associated law: motions with closed
 * forms, `check`, warm starts and the balance of energy. */
#include "stepping.h"
#include "world.h"

#include "delassus/check.h"
#include "delassus/ledger.h"
#include "delassus/reference.h"
#include "examined.h"

#include <stdio.h>
#include <string.h>

static void start_scene(run *r, const char *text, size_t iterations, bool warm)
{
    dls_simulation_options options = options_of(r, dls_iterative_find("nsgs"), &variants[0], iterations);
    dls_error error;
    options.ledger = true;
    assert_status(dls_fields_default(&dls_warm_fields, &options.warm, &error), &error);
    options.warm.on = warm;
    run_open(r, parse_model(text), &options);
}

static dls_end moving_end(const run *r) { return end_of(r->model, dls_simulation_state(r->simulation), 0); }

static double residual_of(const run *r)
{
    dls_certificate c;
    dls_examiner *examiner = examiner_of(dls_simulation_problem(r->simulation));
    dls_examine(examiner, dls_simulation_impulses(r->simulation), NULL, &c);
    dls_examiner_destroy(examiner);
    return c.natural_residual_velocity;
}

/* A ball of radius R that rolls on a plane with v = omega R is braked by v' = -g rolling R / (R^2 + I / m) until it
 * rests; its spin about the normal by omega' = -m g torsion / I. */
static const char ball[] =
    "world: {collide: true, friction: cone, mu: 0.5, rolling: 0.003, torsion: 0.002, step: 0.005}\nbodies:\n"
    "  - {name: ball, shape: sphere, radius: 0.25, mass: 3, position: [0, 0, 0.25], velocity: [0.06, 0.08, 0], "
    "omega: [-0.32, 0.24, 1.5]}\n"
    "  - {name: ground, shape: plane, static: true}\n";

TEST(test_ball_rolls_to_rest)
{
    const double g = 9.81, R = 0.25, h = 0.005, I_over_m = 0.4 * R * R;
    const double loss = h * g * 0.003 * R / (R * R + I_over_m), brake = h * g * 0.002 / I_over_m;
    run r;
    start_scene(&r, ball, 200, true);
    double speed = 0.1, spin = 1.5;
    for (int step = 0; step < 400; step++) {
        run_steps(&r, 1, h);
        speed = fmax(speed - loss, 0.0), spin = fmax(spin - brake, 0.0);
        const dls_end end = moving_end(&r);
        assert_vector(end.v, dls_v3(0.6 * speed, 0.8 * speed, 0), 1e-9);
        assert_vector(dls_scale(R, end.omega), dls_v3(-0.8 * speed, 0.6 * speed, R * spin), 1e-9);
        assert_below(fabs(dls_ledger_mismatch(dls_simulation_ledger(r.simulation))), 1e-14);
    }
    assert_close(speed, 0.0, 0.0);
    assert_close(spin, 0.0, 0.0);
    assert_int_equal(dls_problem_contact_laws(dls_simulation_problem(r.simulation)),
                     DLS_CONTACTS_ROLLING | DLS_CONTACTS_TORSIONAL);
    run_stop(&r);
}

/* The same speed under every scheme, with methods of both arrangements of rows, v' = -g rolling R / (R^2 + I / m): a
 * uniform deceleration does not depend on the steps, and the ball turns under its point of contact within a step too.
 * XPBD and AVBD refuse rolling friction. */
TEST(test_ball_under_all_schemes)
{
    static const char *const solvers[] = {"nsgs", "apgd", "prox"};
    for (size_t k = 0; k < VARIANTS; k++)
        for (size_t s = 0; s < 3; s++) {
            run r;
            dls_error error;
            start_with(&r, parse_model(ball), dls_iterative_find(solvers[s]), &variants[k], 200);
            if (strcmp(variants[k].scheme, "xpbd") == 0 || strcmp(variants[k].scheme, "avbd") == 0) {
                assert_int_equal(dls_simulation_step(r.simulation, 0.005, &error), DLS_REFUSED);
                assert_non_null(strstr(error.message, "rolling"));
                run_stop(&r);
                continue;
            }
            if (is_scheme(&variants[k], "soft-reference")) { /* its friction creeps: test_soft_reference.c */
                run_stop(&r);
                continue;
            }
            run_steps(&r, 40, 0.005);
            const double speed = 0.1 - 0.2 * 0.003 * 9.81 * 0.25 / (1.4 * 0.0625);
            const dls_end end = moving_end(&r);
            if (!(fabs(hypot(end.v.x, end.v.y) - speed) <= 5e-4 * speed))
                fail_msg("%s with %s: %g, %g, %g instead of the speed %g", variants[k].scheme, solvers[s], end.v.x,
                         end.v.y, end.v.z, speed);
            run_stop(&r);
        }
}

/* The energy that the rows of friction take is that which the ball loses, step by step: of rolling without slipping
 * the moments of rolling and torsion take all of it, -|M_r| omega_t - |M_s| omega_n over the step, to O(h^2). */
TEST(test_energy_of_rolling)
{
    run r;
    start_scene(&r, ball, 200, true);
    const double before = energy_of(r.model, dls_simulation_state(r.simulation));
    run_steps(&r, 100, 0.005);
    const double after = energy_of(r.model, dls_simulation_state(r.simulation));
    const dls_end end = moving_end(&r);
    const double weight = 3.0 * 9.81, way = 0.5 * (0.1 + dls_norm(end.v)) * 0.5; /* uniform deceleration */
    const double turned = 0.5 * (1.5 + end.omega.z) * 0.5;
    assert_close(before - after, weight * (0.003 * way / 0.25 + 0.002 * turned), 1e-9);
    run_stop(&r);
}

/* A disc that turns about the normal of one contact at its centre, and pushes it along at once: torsion and sliding do
 * not act on each other. */
TEST(test_spinning_disc)
{
    static const char text[] =
        "world: {step: 0.01}\nbodies:\n"
        "  - {name: disc, shape: cylinder, radius: 0.4, length: 0.1, mass: 2, position: [0, 0, 0.05], velocity: [0.3, "
        "0, "
        "0], omega: [0, 0, 3]}\njoints:\n"
        "  - {name: touch, type: contact, body1: disc, point: [0, 0, 0.05], normal: [0, 0, 1], mu: 0.02, friction: %s, "
        "torsion: 0.03}\n";
    static const char *const laws[] = {"cone", "box"};
    const double h = 0.01, g = 9.81, I = 0.5 * 2.0 * 0.4 * 0.4;
    for (size_t k = 0; k < 2; k++) {
        char scene[1024];
        run r;
        snprintf(scene, sizeof scene, text, laws[k]);
        start_scene(&r, scene, 100, k == 0);
        double spin = 3.0, speed = 0.3;
        for (int step = 0; step < 160; step++) {
            run_steps(&r, 1, h);
            spin = fmax(spin - h * 2.0 * g * 0.03 / I, 0.0), speed = fmax(speed - h * g * 0.02, 0.0);
            assert_vector(moving_end(&r).omega, dls_v3(0, 0, spin), 1e-9);
            assert_vector(moving_end(&r).v, dls_v3(speed, 0, 0), 1e-9);
        }
        assert_close(spin + speed, 0.0, 0.0);
        run_stop(&r);
    }
}

/* A body on one point slides with two coefficients, mu along (3, 4, 0) / 5 and another across: in each step v+ = v - g
 * h (mu_1^2 v_1+, mu_2^2 v_2+) / h(v+), and along one of the directions with its own coefficient. */
TEST(test_anisotropic_slide)
{
    static const char text[] =
        "bodies:\n  - {name: box, shape: box, size: [1, 1, 1], mass: 1.3, position: [0, 0, 0.5], velocity: [%g, %g, "
        "0]}\n"
        "joints:\n  - {name: touch, type: contact, body1: box, point: [0, 0, 0.5], normal: [0, 0, 1], mu: 0.2, across: "
        "0.6, along: [3, 4, 7], friction: cone}\n"; /* only its part across the normal counts */
    const double starts[][2] = {{3.0, 4.0}, {-4.0, 3.0}, {2.5, 0.4}}, h = 0.01, g = 9.81, mu[2] = {0.2, 0.6};
    for (size_t k = 0; k < 3; k++) {
        char scene[1024];
        run r;
        snprintf(scene, sizeof scene, text, starts[k][0], starts[k][1]);
        start_scene(&r, scene, 300, true);
        for (int step = 0; step < 20; step++) {
            const dls_vec3 before = moving_end(&r).v;
            run_steps(&r, 1, h);
            const dls_vec3 after = moving_end(&r).v;
            const double v0[2] = {0.6 * before.x + 0.8 * before.y, -0.8 * before.x + 0.6 * before.y};
            const double v[2] = {0.6 * after.x + 0.8 * after.y, -0.8 * after.x + 0.6 * after.y};
            const double support = hypot(mu[0] * v[0], mu[1] * v[1]);
            for (int t = 0; t < 2; t++)
                assert_close(v0[t] - v[t], g * h * mu[t] * mu[t] * v[t] / support, 1e-9);
            if (k < 2)
                assert_close(v0[k] - v[k], g * h * mu[k], 1e-9);
        }
        run_stop(&r);
    }
}

/* Under the associated law a body that slides on one point without weight about it opens: v_n+ = mu |v_t+|, and the
 * impulse is that of the projection of (v_n, v_t) onto the dual cone. */
TEST(test_associated_scene)
{
    static const char text[] =
        "bodies:\n  - {name: box, shape: box, size: [1, 1, 1], mass: 1.3, position: [0, 0, 0.5], velocity: [1.2, -0.5, "
        "0]}\n"
        "joints:\n  - {name: touch, type: contact, body1: box, point: [0, 0, 0.5], normal: [0, 0, 1], mu: 0.4, "
        "friction: associated}\n";
    const double h = 0.01, fall = 9.81 * h, slide = (1.3 - 0.4 * fall) / (1.0 + 0.16);
    run r;
    start_scene(&r, text, 300, true);
    run_steps(&r, 1, h);
    assert_vector(moving_end(&r).v, dls_v3(slide * 12.0 / 13.0, -slide * 5.0 / 13.0, 0.4 * slide), 1e-9);
    run_stop(&r);
}

/* Warm starts keep the impulses of all rows: with one sweep per step the residual of a ball that rolls on is that of
 * many sweeps, and without them it is not. Frames of detected contacts turn with the ball's direction. */
TEST(test_warm_starts)
{
    double residual[2];
    for (int warm = 0; warm < 2; warm++) {
        run r;
        start_scene(&r, ball, 1, warm);
        run_steps(&r, 120, 0.005);
        residual[warm] = residual_of(&r);
        run_stop(&r);
    }
    assert_below(residual[1], 1e-9);
    assert_true(residual[0] > 100.0 * residual[1]);
}

/* `check` derives every row of given and of detected contacts again. */
TEST(test_checked_rows)
{
    static const char *const scenes[] = {
        ball,
        "bodies:\n  - {name: a, shape: box, size: [1, 0.7, 0.4], mass: 2, position: [0.1, 0.2, 0.3], velocity: [1, 2, "
        "3], "
        "omega: [0.4, -0.2, 0.3]}\n"
        "  - {name: b, shape: sphere, radius: 0.3, mass: 1, position: [0.4, 1, 0.1], omega: [1, 0.2, "
        "-0.3]}\n"
        "joints:\n  - {name: c, type: contact, body1: a, body2: b, point: [0.2, 0.6, 0.2], normal: [0.2, -1, 0.3], mu: "
        "0.3, across: 0.5, along: [1, 0.2, 0.1], rolling: 0.02, torsion: 0.01, friction: cone, gap: 0.1}\n"
        "  - {name: d, type: contact, body1: a, point: [0, 0, 0], normal: [0, 0, 1], torsion: 0.1, friction: box}\n"
        "  - {name: e, type: contact, body1: b, point: [0, 1, 0], normal: [0, 0.1, 1], rolling: 0.1, friction: "
        "associated}\n"};
    static const size_t rows[] = {6, 6 + 2 + 5};
    for (size_t k = 0; k < 2; k++) {
        dls_model *model = parse_model(scenes[k]);
        dls_state *state = new_state(model);
        dls_contacts contacts = {0};
        dls_check_report *report;
        dls_problem *p;
        dls_error error;
        if (dls_model_world(model)->collide) {
            dls_collider *collider;
            assert_status(dls_collider_create(model, &collider, &error), &error);
            assert_status(dls_collider_find(collider, state, &contacts, &error), &error);
            dls_collider_destroy(collider);
        }
        assert_status(dls_problem_create(model, state, &contacts, 0.01, &p, &error), &error);
        assert_int_equal(p->n, rows[k]);
        assert_status(dls_check_problem(model, state, &contacts, p, 7, &report, &error), &error);
        for (size_t i = 0; i < report->n_rows; i++)
            for (size_t s = 0; s < DLS_CHECK_ROW_SUBJECTS; s++)
                if (!(report->rows[i].found[s].ratio <= 1.0))
                    print_error("row %zu, %s: %.17g, expected %.17g\n", i, dls_check_subject_names[s],
                                report->rows[i].found[s].found, report->rows[i].found[s].expected);
        assert_true(report->passed);
        dls_check_report_destroy(report);
        dls_problem_destroy(p);
        dls_contacts_release(&contacts);
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

/* Settings that no law takes. */
TEST(test_refused_settings)
{
#define CONTACT \
    "bodies:\n  - {name: a, mass: 1, shape: sphere, radius: 1}\njoints:\n  - {name: c, type: contact, body1: a, "
    static const struct {
        const char *text, *said;
    } cases[] = {
        {CONTACT "point: [0, 0, 0], normal: [0, 0, 1], rolling: 0.1}\n", "rolling friction needs"},
        {CONTACT "point: [0, 0, 0], normal: [0, 0, 1], rolling: 0.1, friction: box}\n", "rolling friction needs"},
        {CONTACT "point: [0, 0, 0], normal: [0, 0, 1], torsion: 0.1, friction: associated}\n",
         "torsional friction needs"},
        {CONTACT "point: [0, 0, 0], normal: [0, 0, 1], mu: 1, across: 2, along: [1, 0, 0], friction: box}\n",
         "two friction coefficients need"},
        {CONTACT "point: [0, 0, 0], normal: [0, 0, 1], mu: 1, across: 2, friction: cone}\n",
         "across needs the direction"},
        {CONTACT "point: [0, 0, 0], normal: [0, 0, 1], mu: 1, along: [0, 0, 2], friction: cone}\n", "along the normal"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        assert_scene_refused(cases[k].text, cases[k].said);
    dls_error error;
    dls_collider *collider;
    dls_model *model =
        parse_model("world: {collide: true, rolling: 0.1}\nbodies:\n  - {name: a, mass: 1, shape: sphere, "
                    "radius: 1}\n");
    assert_int_equal(dls_collider_create(model, &collider, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "rolling friction needs"));
    dls_model_destroy(model);
}
