/* Bodies that follow a given motion: where they are, what they do to others, and that nothing moves them. */
#include "problems.h"
#include "stepping.h"
#include "world.h"

static void begin(run *r, const char *text, const variant *v, size_t iterations)
{
    start(r, parse_model(text), v, iterations);
}

static dls_vec3 at(const run *r, const char *body)
{
    return dls_simulation_state(r->simulation)->x[dls_model_find_end(r->model, body)];
}

static dls_vec3 velocity(const run *r, const char *body)
{
    const double *v =
        dls_simulation_state(r->simulation)->v + dls_model_bodies(r->model)[dls_model_find_end(r->model, body)].offset;
    return dls_v3(v[0], v[1], v[2]);
}

/* Contacts are given where they are a test's subject; collision detection has tests of its own. */
static const char lift[] =
    "world: {gravity: [0, 0, -10]}\n"
    "bodies:\n"
    "  - {name: lift, kinematic: true, velocity: [0, 0, 0.3], position: [0, 0, -0.1]}\n"
    "  - {name: box, shape: box, size: [0.6, 0.8, 0.2], mass: 2.4, position: [0, 0, 0.1]}\n"
    "joints:\n"
    "  - {name: a, type: contact, body1: box, body2: lift, point: [0.3, 0.4, 0], normal: [0, 0, 1], mu: 0.5}\n"
    "  - {name: b, type: contact, body1: box, body2: lift, point: [-0.3, 0.4, 0], normal: [0, 0, 1], mu: 0.5}\n"
    "  - {name: c, type: contact, body1: box, body2: lift, point: [0, -0.4, 0], normal: [0, 0, 1], mu: 0.5}\n";

/* The box has the speed of the lift from the first step on, and the lift carries its weight, in every scheme. The speed
 * of TGS holds the bias of its last iterations. Under soft-step and soft-reference the box is still sinking in. */
TEST(test_a_lift)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        if (strncmp(variants[v].scheme, "soft-", 5) == 0)
            continue;
        run r;
        dls_error error;
        dls_vec3 sum = {0, 0, 0};
        begin(&r, lift, &variants[v], 300);
        run_steps(&r, 200, 1e-3);
        assert_close(at(&r, "lift").z, -0.1 + 0.3 * 0.2, 1e-13);
        assert_close(velocity(&r, "box").z, 0.3, strcmp(variants[v].scheme, "tgs") == 0 ? 1e-4 : 1e-6);
        assert_close(at(&r, "box").z, 0.1 + 0.3 * 0.2, leaves_deep(&variants[v]) ? 0.5 * 0.3 * 1e-3 + 1e-5 : 1e-5);
        for (size_t j = 0; j < 3; j++) {
            dls_constraint_force force;
            assert_status(dls_simulation_forces_of(r.simulation, j, &force, &error), &error);
            sum = dls_add(sum, force.end[1].lin);
        }
        print_message("# %-26s on the lift %.9g N, speed %.9g m/s\n", name_of(&variants[v]), sum.z,
                      velocity(&r, "box").z);
        assert_close(sum.z, -24.0, 0.05);
        run_stop(&r);
    }
}

/* A belt under a box that was at rest: each of its three points drags with mu m g, until both have one speed. */
TEST(test_a_belt)
{
    run r;
    char text[2048];
    snprintf(text, sizeof text, "%s", lift);
    memcpy(strstr(text, "velocity: [0, 0, 0.3]"), "velocity: [0.7, 0, 0]", 21);
    for (char *mu = text; (mu = strstr(mu, "mu: 0.5}"));)
        memcpy(mu, "mu: 0.2}", 8);
    begin(&r, text, &variants[0], 3000);
    run_steps(&r, 100, 1e-3);
    assert_close(velocity(&r, "box").x, 3 * 0.2 * 10 * 0.1, 1e-9);
    run_steps(&r, 900, 1e-3);
    assert_close(velocity(&r, "box").x, 0.7, 1e-8);
    assert_close(at(&r, "lift").x, 0.7, 1e-12);
    run_stop(&r);
}

/* A body on a swing is where its motion has it at the end of every step, and takes along what is fixed to it. */
TEST(test_a_swing)
{
    static const char text[] =
        "world: {gravity: [0, 0, -10]}\n"
        "bodies:\n"
        "  - {name: table, kinematic: true, velocity: [0.1, 0, 0], omega: [0, 0, 1.3], swing: [0, 0.05, 0.02], period: "
        "0.4, phase: 0.7, position: [1, 2, 3]}\n"
        "  - {name: load, shape: box, size: [0.2, 0.3, 0.2], mass: 2, position: [1.2, 2, 3]}\n"
        "joints:\n"
        "  - {name: hold, type: fixed, body1: load, body2: table}\n";
    for (size_t v = 0; v < VARIANTS; v++) {
        run r;
        const double w = 2.0 * DLS_PI / 0.4;
        double worst = 0.0, apart = 0.0;
        begin(&r, text, &variants[v], 50);
        for (int k = 1; k <= 500; k++) {
            run_steps(&r, 1, 1e-3);
            const double t = 1e-3 * k, s = sin(w * t + 0.7) - sin(0.7);
            const dls_vec3 there = dls_v3(1 + 0.1 * t, 2 + 0.05 * s, 3 + 0.02 * s);
            const dls_vec3 arm = dls_quat_rotate(dls_quat_exp(dls_v3(0, 0, 1.3 * t)), dls_v3(0.2, 0, 0));
            worst = fmax(worst, dls_norm(dls_sub(at(&r, "table"), there)));
            apart = fmax(apart, dls_norm(dls_sub(dls_sub(at(&r, "load"), there), arm)));
        }
        print_message("# %-26s table off %.1e m, load off %.1e m\n", name_of(&variants[v]), worst, apart);
        assert_below(worst, 1e-12);
        /* of first order in h: without feedback the arm's drift stays. Under soft-reference the load, from rest, lags
         * by the speed of 0.65 m/s times d_max timeconst / e, and by its acceleration of 20 m/s^2 (1 - d) / k */
        assert_below(apart,
                     is_scheme(&variants[v], "soft-reference") ? 0.65 * 0.019 / exp(1.0) + 20.0 * 0.1 * 4.5e-4 : 2e-3);
        run_stop(&r);
    }
}

/* A program says where it goes. */
TEST(test_a_program_moves_it)
{
    run r;
    begin(&r, lift, &variants[0], 300);
    run_steps(&r, 10, 1e-3);
    const double z = at(&r, "box").z;
    dls_simulation_edit(r.simulation)->prescribed[0] = (dls_spatial){{0, 0, 0.1}, {0, 0, 0}};
    run_steps(&r, 500, 1e-3);
    assert_close(velocity(&r, "box").z, 0.1, 1e-6);
    assert_true(at(&r, "box").z > z + 0.04);
    dls_simulation_edit(r.simulation)->prescribed[0].lin.x = NAN;
    dls_error error;
    assert_int_equal(dls_simulation_step(r.simulation, 1e-3, &error), DLS_NOT_FINITE);
    assert_non_null(strstr(error.message, "'lift'"));
    run_stop(&r);
}

TEST(test_the_examiner_of_rows_agrees)
{
    dls_model *model = parse_model(lift);
    dls_problem *problem = problem_from_state(model, dls_model_initial(model), NULL, 1e-3);
    for (size_t i = 0; i < problem->n; i++) /* J v - c is the speed against the lift */
        assert_close(problem->c[i], i % 3 == 0 ? 0.3 : 0.0, 1e-15);
    dls_problem_destroy(problem);
    dls_model_destroy(model);
}

TEST(test_errors)
{
    static const struct {
        const char *body, *message;
    } wrong[] = {
        {"{name: a, kinematic: true, static: true}", "static or kinematic"},
        {"{name: a, kinematic: true, mass: 1, shape: sphere, radius: 1}", "has no mass"},
        {"{name: a, kinematic: true, force: [1, 0, 0]}", "nothing that acts"},
        {"{name: a, kinematic: true, swing: [1, 0, 0]}", "needs both"},
        {"{name: a, kinematic: true, period: 1}", "needs both"},
        {"{name: a, kinematic: true, shape: plane, omega: [1, 0, 0]}", "sweeps"},
        {"{name: a, shape: sphere, radius: 1, mass: 1, swing: [1, 0, 0], period: 1}", "only a kinematic body swings"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "bodies:\n  - {name: b, shape: sphere, radius: 1, mass: 1}\n  - %s\n",
                 wrong[i].body);
        assert_scene_refused(text, wrong[i].message);
    }
    static const char link[] = "articulations:\n  - name: a\n    links:\n      - {name: r, kinematic: true}\n";
    dls_scene *scene;
    dls_error error;
    assert_int_equal(dls_scene_parse(link, strlen(link), "s.yaml", &scene, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "a link cannot be kinematic"));
}

/* A damper between a body and a wheel that turns under it, explicit: it answers to the speed between the two. */
TEST(test_explicit_drives_see_the_motion_of_their_end)
{
    static const char text[] =
        "world: {gravity: [0, 0, 0]}\n"
        "bodies:\n"
        "  - {name: wheel, kinematic: true, omega: [0, 0, 3]}\n"
        "  - {name: bob, shape: sphere, radius: 0.5, mass: 2, position: [0, 0, 0], omega: [0, 0, 1.1]}\n"
        "joints:\n"
        "  - {name: pin, type: hinge, body1: bob, body2: wheel, anchor: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  - {name: brake, type: drive, coordinates: {pin: 1}, stiffness: 0, damping: 0.4, speed: 0.3, method: "
        "explicit}\n";
    const double h = 1e-3, inertia = 0.4 * 2 * 0.5 * 0.5;
    dls_simulation_options options = dls_simulation_default();
    run r;
    options.solver = dls_iterative_find("pgs");
    run_open(&r, parse_model(text), &options);
    run_steps(&r, 1, h);
    /* f = -kd (y' - speed), y' = 1.1 - 3 */
    assert_close(dls_simulation_state(r.simulation)->v[5], 1.1 + h * 0.4 * (3.0 + 0.3 - 1.1) / inertia, 1e-14);
    run_stop(&r);
}
