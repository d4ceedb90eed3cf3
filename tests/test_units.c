/* Units: with other units of mass or length every scheme gives the same motion, except avbd, whose settings have units;
 * and what else avbd alone does. */
#include "problems.h"
#include "stepping.h"

static const char *scaled(double scale, double x, double y, double z)
{
    static char text[8][120];
    static int next;
    char *to = text[next++ % 8];
    snprintf(to, sizeof text[0], "[%.17g, %.17g, %.17g]", scale * x, scale * y, scale * z);
    return to;
}

/* A chain of two boxes over a floor, in units in which a metre is `length` and a kilogram `mass`. */
static dls_model *chain_in_units(double length, double mass)
{
    dls_scene *scene = new_scene();
    dls_body_def a = new_box("a", 1.3 * mass, dls_scale(length, dls_v3(0.5, 0.2, 0.1)),
                             dls_scale(length, dls_v3(0.25, 0, 0))),
                 b = new_box("b", 0.7 * mass, dls_scale(length, dls_v3(0.4, 0.1, 0.3)),
                             dls_scale(length, dls_v3(0.7, 0, 0)));
    scene->world.gravity = dls_scale(length, scene->world.gravity);
    add_body(scene, &a), add_body(scene, &b);
    add_joint(scene, "ball", "first", "a", "world", KEYS("anchor", "[0, 0, 0]"));
    add_joint(scene, "ball", "second", "b", "a", KEYS("anchor", scaled(length, 0.5, 0, 0)));
    add_joint(scene, "contact", "floor", "b", "world",
              KEYS("point", scaled(length, 0.85, 0.02, -0.1), "normal", "[0, 0, 1]", "mu", "0.3", "friction", "box"));
    return finish(scene);
}

/* Positions after `steps` steps, in metres. */
static void positions_of(const variant *v, double length, double mass, size_t steps, double *x)
{
    run r;
    start(&r, chain_in_units(length, mass), v, 6);
    run_steps(&r, steps, 2e-3);
    for (size_t i = 0; i < 2; i++) {
        const dls_vec3 at = dls_scale(1.0 / length, dls_simulation_state(r.simulation)->x[i]);
        x[3 * i] = at.x, x[3 * i + 1] = at.y, x[3 * i + 2] = at.z;
    }
    run_stop(&r);
}

static double apart(const variant *v, double length, double mass)
{
    double one[6], other[6], worst = 0.0;
    positions_of(v, 1.0, 1.0, 30, one);
    positions_of(v, length, mass, 30, other);
    for (size_t k = 0; k < 6; k++)
        worst = fmax(worst, fabs(one[k] - other[k]));
    return worst;
}

TEST(test_units_change_nothing)
{
    static const variant grows = {"avbd", "beta", "1e9"}, steady = {"avbd", "beta", "0"};
    for (size_t v = 0; v < VARIANTS; v++) {
        const double lengths = apart(&variants[v], 1000.0, 1.0), masses = apart(&variants[v], 1.0, 1000.0);
        print_message("# %-26s apart %.1e m with lengths x 1000, %.1e m with masses x 1000\n", name_of(&variants[v]),
                      lengths, masses);
        if (!is_scheme(&variants[v], "avbd"))
            assert_true((lengths < 1e-9 || is_scheme(&variants[v], "soft-reference")) && masses < 1e-9); /* its width */
    }
    const double lengths = apart(&grows, 1000.0, 1.0), masses = apart(&grows, 1.0, 1000.0);
    print_message("# avbd: %.1e m and %.1e m with beta 1e9, %.1e m and %.1e m with beta 0\n", lengths, masses,
                  apart(&steady, 1000.0, 1.0), apart(&steady, 1.0, 1000.0));
    assert_true(lengths > 1e-6 && masses > 1e-6);
    assert_true(apart(&steady, 1000.0, 1.0) < 1e-9);
    assert_true(apart(&steady, 1.0, 1000.0) < 1e-9);
}

/* Blocks that are not converged do not act in pairs: momentum is lost, the less the more iterations there are. */
TEST(test_avbd_loses_momentum)
{
    static const variant avbd = {"avbd", NULL, NULL};
    double lost[3];
    for (size_t k = 0; k < 3; k++) {
        run r;
        dls_vec3 before, after, angular;
        dls_scene *scene = new_scene();
        dls_body_def one = new_box("one", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0)),
                     two = new_box("two", 0.71, dls_v3(0.2, 0.4, 0.3), dls_v3(0.6, 0.1, -0.2));
        scene->world.gravity = dls_v3(0, 0, 0);
        one.velocity = dls_v3(0.3, 1.1, -0.7), two.omega = dls_v3(-0.6, 3.2, 1.7);
        add_body(scene, &one), add_body(scene, &two);
        add_joint(scene, "ball", "joint", "one", "two", KEYS("anchor", "[0.35, 0.1, -0.1]"));
        start(&r, finish(scene), &avbd, (size_t)8 << 2 * k);
        dls_momentum(dls_simulation_configuration(r.simulation), &before, &angular);
        run_steps(&r, 200, 1e-3);
        dls_momentum(dls_simulation_configuration(r.simulation), &after, &angular);
        lost[k] = dls_norm(dls_sub(after, before)) / dls_norm(before);
        run_stop(&r);
    }
    print_message("# momentum lost in 200 steps: %.1e with 8 iterations, %.1e with 32, %.1e with 128\n", lost[0],
                  lost[1], lost[2]);
    assert_true(lost[1] < 0.1 * lost[0] && lost[2] < 0.1 * lost[1]);
}

TEST(test_avbd_refuses_restitution)
{
    static const variant avbd = {"avbd", NULL, NULL};
    run r;
    dls_error error;
    dls_scene *scene = new_scene();
    dls_body_def ball = new_body("ball", DLS_SHAPE_SPHERE, 1.7, dls_v3(0, 0, 0.25));
    ball.radius = 0.25, ball.velocity = dls_v3(0.4, 0, -2.3);
    add_body(scene, &ball);
    add_joint(scene, "contact", "touch", "ball", "world",
              KEYS("point", "[0, 0, 0]", "normal", "[0, 0, 1]", "restitution", "0.6"));
    start(&r, finish(scene), &avbd, 4);
    assert_int_equal(dls_simulation_step(r.simulation, 1e-3, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "restitution"));
    run_stop(&r);
}
