/* The scheme soft-reference against the laws at its head: the equation of a lone row, its rest, and the creep of
 * friction. */
#include "problems.h"
#include "stepping.h"

#include "delassus/reference.h"

static const double g = 9.81;
static const variant plain = {"soft-reference", NULL, NULL};

/* The impedance by MuJoCo's documentation, with its defaults. */
static double impedance(double r)
{
    const double x = fmin(fabs(r) / 0.001, 1.0), s = x <= 0.5 ? 2.0 * x * x : 1.0 - 2.0 * (1.0 - x) * (1.0 - x);
    return 0.9 + 0.05 * s;
}

static dls_model *hung(double mass, double below)
{
    dls_scene *scene = new_scene();
    dls_body_def body = new_box("box", mass, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
    scene->world.gravity = dls_v3(0, 0, -g);
    body.velocity = dls_v3(0, 0, below);
    add_body(scene, &body);
    add_joint(scene, "ball", "joint", "box", "world", KEYS("anchor", "[0, 0, 0]"));
    return finish(scene);
}

/* r'' + d (b r' + k r) = (1 - d) a_0 by semi-implicit Euler, for any mass; and timeconst is at least 2 h. */
TEST(test_equation_of_a_lone_row)
{
    static const double steps[] = {1e-3, 4e-3, 1.0 / 60.0};
    for (int n = 0; n < 3; n++) {
        const double h = steps[n], time = fmax(0.02, 2.0 * h), b = 2.0 / (0.95 * time);
        double r = 0.0, v = -0.02;
        run run_of;
        start(&run_of, hung(n ? 71.3 : 0.83, v), &plain, 1);
        for (int step = 0; step < 400; step++) {
            const double d = impedance(r), k = d / pow(0.95 * time, 2.0);
            v += h * (-(1.0 - d) * g - d * (b * v + k * r));
            r += h * v;
            run_steps(&run_of, 1, h);
            assert_close(dls_simulation_state(run_of.simulation)->x[0].z, r, 1e-15);
            assert_close(dls_simulation_state(run_of.simulation)->v[2], v, 1e-13);
        }
        const double d = impedance(r), k = d / pow(0.95 * time, 2.0);
        assert_close((1.0 - d) * g, -d * k * r, 1e-6 * g); /* at rest */
        run_stop(&run_of);
    }
}

/* A point on a slope: friction within its cone moves at (1 - d) / (d b) g sin(alpha), at every step. */
TEST(test_friction_creeps)
{
    static const double steps[] = {1e-3, 5e-3};
    for (int n = 0; n < 2; n++) {
        char text[1024];
        const double h = steps[n], alpha = 0.2;
        snprintf(text, sizeof text,
                 "world: {gravity: [%.17g, 0, %.17g], friction: cone}\n"
                 "bodies:\n  - {name: a, shape: sphere, radius: 0.5, mass: 1.3, position: [0, 0, 0]}\n"
                 "joints:\n  - {name: c, type: contact, body1: a, point: [0, 0, 0], normal: [0, 0, 1], mu: 0.6, "
                 "friction: cone}\n",
                 g * sin(alpha), -g * cos(alpha));
        run r;
        start_with(&r, parse_model(text), dls_iterative_find("nsgs"), &plain, 500);
        run_steps(&r, (size_t)(1.0 / h), h);
        const double *v = dls_simulation_state(r.simulation)->v,
                     d = impedance(dls_simulation_state(r.simulation)->x[0].z),
                     law = (1.0 - d) / d * 0.5 * 0.95 * 0.02 * g * sin(alpha);
        assert_close(v[0], law, 1e-6 * law);
        assert_close(v[2], 0.0, 1e-9);
        run_stop(&r);
    }
}
