/* Soft steps against the laws at the head of soft_step.c: Box2D's own three coefficients, the sag of loads, and the
 * price of the softness. */
#include "problems.h"
#include "stepping.h"

#include "delassus/reference.h"

static const double g = 9.81, h = 1.0 / 60.0;
static const double m1 = 1.7, m2 = 12.3; /* a light ball that holds a heavy one */
static const variant soft = {"soft-step", NULL, NULL}, small = {"small-steps", NULL, NULL};

static dls_model *two_balls(void)
{
    dls_scene *scene = new_scene();
    dls_body_def one = new_body("one", DLS_SHAPE_SPHERE, m1, dls_v3(0, 0, -0.5)),
                 two = new_body("two", DLS_SHAPE_SPHERE, m2, dls_v3(0, 0, -1.5));
    one.radius = two.radius = 0.1;
    scene->world.gravity = dls_v3(0, 0, -g);
    add_body(scene, &one), add_body(scene, &two);
    add_joint(scene, "ball", "upper", "one", "world", KEYS("anchor", "[0, 0, 0]"));
    add_joint(scene, "ball", "lower", "two", "one", KEYS("anchor", "[0, 0, -1]"));
    return finish(scene);
}

/* The balls' displacements along z, by the source: impulses from mass and impulse scales, sweep by sweep. */
typedef struct falling {
    double x[2], v[2], p[2]; /* p: impulses of the upper and the lower joint on the upper and the lower ball */
} falling;

static void source_sweep(falling *f, double rate, double mass_scale, double impulse_scale)
{
    const double inverse[2] = {1.0 / m1, 1.0 / m2};
    for (int j = 0; j < 2; j++) {
        const double A = inverse[j] + (j ? inverse[0] : 0.0), v = f->v[j] - (j ? f->v[0] : 0.0),
                     C = f->x[j] - (j ? f->x[0] : 0.0);
        const double d = -mass_scale / A * (v + rate * C) - impulse_scale * f->p[j];
        f->p[j] += d;
        f->v[j] += d * inverse[j];
        if (j)
            f->v[0] -= d * inverse[0];
    }
}

static void source_step(falling *f, size_t substeps, double hertz, double zeta)
{
    const double k = h / (double)substeps, w = 2.0 * acos(-1.0) * fmin(hertz, 0.25 / k), a1 = 2.0 * zeta + k * w,
                 a2 = k * w * a1, a3 = 1.0 / (1.0 + a2);
    for (size_t n = 0; n < substeps; n++) {
        if (n == 0) /* cold */
            f->p[0] = f->p[1] = 0.0;
        f->v[0] += -k * g + f->p[0] / m1 - f->p[1] / m1;
        f->v[1] += -k * g + f->p[1] / m2;
        source_sweep(f, w / a1, a2 * a3, a3);
        f->x[0] += k * f->v[0], f->x[1] += k * f->v[1];
        source_sweep(f, 0.0, 1.0, 0.0);
    }
}

TEST(test_soft_rows_are_those_of_the_source)
{
    for (size_t substeps = 1; substeps <= 16; substeps *= 4) {
        falling f = {{0, 0}, {0, 0}, {0, 0}};
        run r;
        start(&r, two_balls(), &soft, substeps);
        for (int step = 0; step < 30; step++) {
            source_step(&f, substeps, 60.0, 2.0);
            run_steps(&r, 1, h);
            const dls_state *s = dls_simulation_state(r.simulation);
            assert_close(s->x[0].z + 0.5, f.x[0], 1e-13);
            assert_close(s->x[1].z + 1.5, f.x[1], 1e-13);
            assert_close(s->v[2], f.v[0], 1e-11); /* roundings of positions, times the rate */
            assert_close(s->v[8], f.v[1], 1e-11);
        }
        assert_true(f.x[1] < -1e-3);
        run_stop(&r);
    }
}

/* --- the price --- */

/* Stretch of both joints at rest, solved exactly. */
static void stretches(const variant *v, size_t substeps, double C[2])
{
    run r;
    start_with(&r, two_balls(), dls_direct_find("block-pivoting"), v, substeps);
    run_steps(&r, 600, h);
    const dls_state *s = dls_simulation_state(r.simulation);
    C[0] = -0.5 - s->x[0].z;
    C[1] = -1.5 - s->x[1].z - C[0];
    assert_close(s->v[8], 0.0, 1e-9);
    run_stop(&r);
}

/* C = A F / w^2 in each joint, w = 2 pi hertz: (1 + m2 / m1) g / w^2 in both, for any number of substeps that does not
 * limit the frequency. Small steps have no error at rest. */
TEST(test_sag_does_not_vanish_with_the_substep)
{
    const double w = 2.0 * acos(-1.0) * 60.0, law = (1.0 + m2 / m1) * g / (w * w);
    for (size_t substeps = 4; substeps <= 64; substeps *= 4) {
        double C[2], held[2];
        stretches(&soft, substeps, C);
        stretches(&small, substeps, held);
        for (int j = 0; j < 2; j++) {
            assert_close(C[j], law, 1e-6 * law);
            assert_close(held[j], 0.0, 1e-12);
        }
    }
}

/* A ball on a floor, by the frequency of contacts. */
TEST(test_sag_of_a_contact)
{
    for (size_t substeps = 8; substeps <= 32; substeps *= 2) {
        dls_scene *scene = new_scene();
        dls_body_def ball = new_body("ball", DLS_SHAPE_SPHERE, m1, dls_v3(0, 0, 0.25));
        ball.radius = 0.25;
        scene->world.gravity = dls_v3(0, 0, -g);
        add_body(scene, &ball);
        add_joint(scene, "contact", "floor", "ball", "world", KEYS("point", "[0, 0, 0]", "normal", "[0, 0, 1]"));
        run r;
        const double w = 2.0 * acos(-1.0) * 30.0, law = g / (w * w);
        start(&r, finish(scene), &soft, substeps);
        run_steps(&r, 600, h);
        assert_close(0.25 - dls_simulation_state(r.simulation)->x[0].z, law, 1e-6 * law);
        run_stop(&r);
    }
}

/* A ball that is deep in a floor leaves it at push_speed, and without speed at its end. */
TEST(test_push_speed)
{
    static const variant slow = {"soft-step", "push_speed", "0.7"};
    dls_scene *scene = new_scene();
    dls_body_def ball = new_body("ball", DLS_SHAPE_SPHERE, m1, dls_v3(0, 0, -0.75));
    ball.radius = 0.25;
    scene->world.gravity = dls_v3(0, 0, 0);
    add_body(scene, &ball);
    add_joint(scene, "contact", "floor", "ball", "world",
              KEYS("point", "[0, 0, -1]", "normal", "[0, 0, 1]", "gap", "-1"));
    run r;
    start(&r, finish(scene), &slow, 4);
    run_steps(&r, 6, h);
    assert_close(dls_simulation_state(r.simulation)->x[0].z, -0.75 + 0.7 * 6.0 * h, 1e-12);
    assert_close(dls_simulation_state(r.simulation)->v[2], 0.0, 1e-13);
    run_stop(&r);
}

/* --- restitution --- */

/* An elastic ball stops where it has met the floor, d <= |s| k deep, waits there until the end of the step, pushed out
 * by at most d, and leaves at |s|. The energy E of test_impact.c, with the velocity at the time of the position, is
 * constant in flight, and in an impact that moves on by k |s|; one that stops loses m g (|s| k - d), and m g^2 / w^2
 * more at most, by which the floor gives way. */
TEST(test_a_rebound_that_waits)
{
    static const size_t substeps = 4;
    const double k = h / (double)substeps;
    dls_scene *scene = new_scene();
    dls_body_def ball = new_body("ball", DLS_SHAPE_SPHERE, m1, dls_v3(0, 0, 0.9));
    ball.radius = 0.25;
    scene->world.gravity = dls_v3(0, 0, -g);
    add_body(scene, &ball);
    add_joint(scene, "contact", "floor", "ball", "world",
              KEYS("point", "[0, 0, 0.65]", "normal", "[0, 0, 1]", "gap", "0.65", "restitution", "1"));
    run r;
    const double w = 2.0 * acos(-1.0) * 30.0;
    double before = NAN, lost = 0.0;
    size_t impacts = 0;
    start(&r, finish(scene), &soft, substeps);
    while (impacts < 20) {
        const dls_state *s = dls_simulation_state(r.simulation);
        const double speed = s->v[2];
        run_steps(&r, 1, h);
        const double at = s->v[2] - 0.5 * k * g, energy = 0.5 * at * at + g * s->x[0].z;
        const bool impact = speed < 0.0 && s->v[2] > 0.0;
        impacts += impact;
        if (!impact && !isnan(before))
            assert_close(energy, before, 1e-12);
        if (impact) {
            assert_true(energy <= before + 1e-12 && energy >= before - g * (s->v[2] * k + g / (w * w)));
            lost += before - energy;
        }
        before = energy;
    }
    print_message("# 20 elastic impacts lose %.3g J/kg of %.3g\n", lost, lost + before);
    assert_true(lost > 0.0);
    run_stop(&r);
}
