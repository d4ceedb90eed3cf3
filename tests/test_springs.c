/* Springs as common fields of joints: implicit Euler to rounding whatever kp and kd, the law of N substeps,
 * frequencies, stops, refusals. */
#include "stepping.h"

#include <complex.h>

static const double mass = 2.385, gravity = 9.81;

static dls_model *hung_on(const char *type, const char *key1, double value1, const char *key2, double value2)
{
    char text1[32], text2[32];
    dls_scene *scene = new_scene();
    dls_body_def body = new_box("box", mass, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
    snprintf(text1, sizeof text1, "%.17g", value1);
    snprintf(text2, sizeof text2, "%.17g", value2);
    add_body(scene, &body);
    if (strcmp(type, "ball") == 0)
        add_joint(scene, type, "spring", "box", "world", KEYS("anchor", "[0, 0, 0]", key1, text1, key2, text2));
    else if (strcmp(type, "distance") == 0)
        add_joint(scene, type, "spring", "box", "world",
                  KEYS("anchor1", "[0, 0, 0]", "anchor2", "[0, 0, -2]", key1, text1, key2, text2));
    else
        add_joint(scene, type, "spring", "box", "world", KEYS("axis", "[0, 1, 0]", key1, text1, key2, text2));
    return finish(scene);
}

static const variant exact[] = {{"euler", NULL, NULL},
                                {"euler", "feedback", "none"},
                                {"split-impulse", NULL, NULL},
                                {"projection-newton", NULL, NULL},
                                {"projection-gauss-seidel", NULL, NULL}};

/* m (v+ - v) / h = -m g - kp (x + h v+) - kd v+, in long double. */
static void implicit_euler(long double *x, long double *v, double kp, double kd, double h)
{
    *v = (mass * *v - h * (mass * (long double)gravity + kp * *x)) /
         (mass + h * (long double)kd + (long double)h * h * kp);
    *x += h * *v;
}

static double apart_after(const char *type, const variant *how, double kp, double kd, double h, double seconds)
{
    run r;
    double worst = 0.0;
    long double x = 0.1L, v = 0.0L;
    start(&r, hung_on(type, "stiffness", kp, "damping", kd), how, 1);
    dls_simulation_edit(r.simulation)->x[0].z = 0.1;
    for (size_t k = 0; (double)k * h < seconds; k++) {
        implicit_euler(&x, &v, kp, kd, h);
        run_steps(&r, 1, h);
        worst =
            fmax(worst, (double)fabsl(dls_simulation_state(r.simulation)->x[0].z - x) / fmax(0.1, mass * gravity / kp));
    }
    run_stop(&r);
    return worst;
}

TEST(test_springs_are_implicit_euler)
{
    double worst = 0.0;
    for (double kp = 1.0; kp < 2e8; kp *= 10.0)
        for (int d = 0; d < 6; d++) {
            const double shares[] = {0.0, 0.01, 0.3, 1.0, 3.0, 100.0}; /* of critical damping */
            double kd = shares[d] * 2.0 * sqrt(kp * mass);
            worst = fmax(worst, apart_after("ball", &exact[0], kp, kd, 1e-3, 5.0));
            if (kp > 99.0) /* a softer one lets the box fall past the other end */
                worst = fmax(worst, apart_after("distance", &exact[0], kp, kd, 1e-2, 5.0));
            worst = fmax(worst, apart_after("slider", &exact[(size_t)d % 5], kp, kd, 1.0 / 60.0, 5.0));
        }
    print_message("# springs against implicit Euler over 5 s: %.1e of the amplitude at worst\n", worst);
    assert_below(worst, 1e-12);
}

TEST(test_a_damper_alone)
{
    run r;
    double v = 0.0;
    start(&r, hung_on("ball", "damping", 7.3, "damping", 7.3), &exact[0], 1);
    for (int k = 0; k < 100; k++) {
        v = (mass * v - 1e-2 * mass * gravity) / (mass + 1e-2 * 7.3);
        run_steps(&r, 1, 1e-2);
        assert_close(dls_simulation_state(r.simulation)->v[2], v, 1e-13);
    }
    run_stop(&r);
}

/* --- the law of N substeps (lib/simulation/schemes/small_steps.c) --- */

/* (C, v) from the rest position after n steps of length k, in closed form: P^n = a_n P - det(P) a_{n-1} 1 by the
 * eigenvalues of P. */
static void after_n(double m, double kp, double kd, double k, size_t n, double x0, double v0, double *x, double *v)
{
    double D = m + k * kd + k * k * kp, det = m / D, half = 0.5 * (2.0 * m + k * kd) / D;
    double complex root = 0.5 * k * csqrt(kd * kd - 4.0 * m * kp) / D, big = half + root, small = half - root;
    double complex a = (cpow(big, (double)n) - cpow(small, (double)n)) / (2.0 * root);
    double complex before = (cpow(big, (double)n - 1.0) - cpow(small, (double)n - 1.0)) / (2.0 * root);
    double An = creal(a), Bn = det * creal(before);
    *x = An * ((m + k * kd) * x0 + k * m * v0) / D - Bn * x0;
    *v = An * (-k * kp * x0 + m * v0) / D - Bn * v0;
}

static const char *const relaxations[] = {"0", "1", "4"};

static double substeps_apart(const char *key1, double value1, const char *key2, double value2, double kp, double kd,
                             double h, size_t n, const char *relax)
{
    const variant small = {"small-steps", "relax", relax};
    const size_t steps = 200;
    double worst = 0.0, rest = -mass * gravity / kp;
    run r;
    start(&r, hung_on("ball", key1, value1, key2, value2), &small, n);
    dls_simulation_edit(r.simulation)->x[0].z = 0.1;
    for (size_t s = 1; s <= steps; s++) {
        double x, v;
        run_steps(&r, 1, h);
        after_n(mass, kp, kd, h / (double)n, s * n, 0.1 - rest, 0.0, &x, &v);
        double scale = fabs(0.1 - rest), speed = scale * fmax(sqrt(kp / mass), 1.0);
        worst = fmax(worst, fabs(dls_simulation_state(r.simulation)->x[0].z - rest - x) / scale);
        worst = fmax(worst, fabs(dls_simulation_state(r.simulation)->v[2] - v) / speed);
    }
    run_stop(&r);
    return worst;
}

TEST(test_law_of_n_substeps)
{
    const double h = 1e-2;
    double worst = 0.0;
    for (size_t n = 1; n <= 16; n = 2 * n + 1)
        for (int relax = 0; relax < 3; relax++)
            for (double kp = 3.0; kp < 1e6; kp *= 13.0) {
                const double k = h / (double)n, shares[] = {0.0, 0.2, 1.7};
                for (int d = 0; d < 3; d++) {
                    double kd = shares[d] * 2.0 * sqrt(kp * mass), ERP = k * kp / (k * kp + kd),
                           CFM = 1.0 / (k * kp + kd);
                    worst =
                        fmax(worst, substeps_apart("stiffness", kp, "damping", kd, kp, kd, h, n, relaxations[relax]));
                    /* numbers ERP and CFM are the spring kp = N ERP / (h CFM), kd = (1 - ERP) / CFM */
                    double kp2 = (double)n * ERP / (h * CFM), kd2 = (1.0 - ERP) / CFM;
                    worst = fmax(worst, substeps_apart("erp", ERP, "cfm", CFM, kp2, kd2, h, n, relaxations[relax]));
                }
            }
    print_message("# N substeps against their law over 2 s: %.1e at worst\n", worst);
    assert_below(worst, 1e-10);
}

/* --- frequency and damping ratio --- */

/* kp = m w^2 and kd = 2 ratio m w with the row's own effective mass: of the ball at its centre the body's mass. */
TEST(test_frequency_is_that_of_the_row)
{
    for (double frequency = 0.5; frequency < 100.0; frequency *= 3.0)
        for (double ratio = 0.0; ratio < 3.0; ratio += 0.7) {
            run r;
            double w = 2.0 * DLS_PI * frequency;
            long double x = 0.1L, v = 0.0L;
            start(&r, hung_on("ball", "frequency", frequency, "damping_ratio", ratio), &exact[0], 1);
            dls_simulation_edit(r.simulation)->x[0].z = 0.1;
            for (int k = 0; k < 500; k++) {
                implicit_euler(&x, &v, mass * w * w, 2.0 * ratio * mass * w, 2e-3);
                run_steps(&r, 1, 2e-3);
                assert_close(dls_simulation_state(r.simulation)->x[0].z, (double)x, 1e-12);
            }
            run_stop(&r);
        }
}

/* Between two bodies at points beside their centres: against a spring with the stiffness of 1 / (J M^-1 J^T), under tgs
 * and small steps. */
static dls_model *tuned_rod(bool by_frequency)
{
    char text[3][32];
    dls_scene *scene = new_scene();
    dls_body_def one = new_box("one", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
    dls_body_def two = new_box("two", 0.71, dls_v3(0.2, 0.4, 0.3), dls_v3(1, 0, 0));
    double w = 2.0 * DLS_PI * 4.0, a = 1 / 2.385 + 1 / 0.71;
    const double y = 0.1; /* J = [1 0 0, a x e_x, ..]: a x e_x = (0, 0, -y) */
    a += y * y * (12.0 / (2.385 * (0.3 * 0.3 + 0.5 * 0.5)) + 12.0 / (0.71 * (0.2 * 0.2 + 0.4 * 0.4)));
    snprintf(text[0], sizeof text[0], "%.17g", w * w / a);
    snprintf(text[1], sizeof text[1], "%.17g", 2.0 * 0.3 * w / a);
    add_body(scene, &one), add_body(scene, &two);
    if (by_frequency)
        add_joint(scene, "distance", "rod", "one", "two",
                  KEYS("anchor1", "[0, 0.1, 0]", "anchor2", "[1, 0.1, 0]", "length", "0.8", "frequency", "4 Hz",
                       "damping_ratio", "0.3"));
    else
        add_joint(scene, "distance", "rod", "one", "two",
                  KEYS("anchor1", "[0, 0.1, 0]", "anchor2", "[1, 0.1, 0]", "length", "0.8", "stiffness", text[0],
                       "damping", text[1]));
    return finish(scene);
}

TEST(test_effective_mass_of_a_rod)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        run by_frequency, by_constants;
        /* the second substep, or iteration with another J, sees another effective mass */
        const bool renewed = variants[v].key && strcmp(variants[v].key, "refresh") == 0;
        if (is_halfway(&variants[v]) || solves_itself(&variants[v]))
            continue; /* the effective mass is that within the step */
        const size_t iterations = renewed || has_substeps(&variants[v]) ? 1 : 4;
        start(&by_frequency, tuned_rod(true), &variants[v], iterations);
        start(&by_constants, tuned_rod(false), &variants[v], iterations);
        run_steps(&by_frequency, 1, 1e-2), run_steps(&by_constants, 1, 1e-2);
        for (size_t k = 0; k < dls_model_count(by_frequency.model).nv; k++)
            assert_close(dls_simulation_state(by_frequency.simulation)->v[k],
                         dls_simulation_state(by_constants.simulation)->v[k], 1e-13);
        assert_true(fabs(dls_simulation_state(by_frequency.simulation)->v[0]) > 1e-3);
        run_stop(&by_frequency), run_stop(&by_constants);
    }
}

/* --- stops --- */

/* A ball on a floor with a spring sinks in by m g / kp, under every scheme; a fall onto it closes the gap before it
 * acts. */
TEST(test_a_soft_floor_carries_the_weight)
{
    for (size_t v = 0; v < VARIANTS; v++) {
        const double kp = 4000.0, height = 0.013;
        dls_scene *scene = new_scene();
        dls_body_def ball = new_body("ball", DLS_SHAPE_SPHERE, mass, dls_v3(0, 0, 0.25 + height));
        ball.radius = 0.25;
        add_body(scene, &ball);
        add_joint(
            scene, "contact", "floor", "ball", "world",
            KEYS("point", "[0, 0, 0]", "normal", "[0, 0, 1]", "gap", "0.013", "stiffness", "4000", "damping", "120"));
        run r;
        start(&r, finish(scene), &variants[v], 4);
        run_steps(&r, 45, 1e-3); /* a free fall of 0.01 m */
        assert_close(dls_simulation_state(r.simulation)->v[2], -45e-3 * gravity, 1e-13);
        run_steps(&r, 3000, 1e-3);
        assert_close(dls_simulation_state(r.simulation)->x[0].z - 0.25, -mass * gravity / kp,
                     2e-6); /* tgs with h for T: (N - 1) / N h late, at rest the same */
        assert_close(dls_simulation_state(r.simulation)->v[2], 0.0, 1e-3);
        run_stop(&r);
    }
}

/* --- refusals --- */

static void refuses(const char *type, const char *const *keys, const char *key)
{
    dls_scene *scene = new_scene(), *copy = scene;
    dls_model *model;
    dls_error error;
    dls_body_def one = new_box("one", 1.0, dls_v3(1, 1, 1), dls_v3(0, 0, 0));
    add_body(scene, &one);
    add_joint(scene, type, "joint", "one", "world", keys);
    assert_int_equal(dls_model_create(scene, &model, &error), DLS_BAD_INPUT);
    assert_string_equal(error.key, key);
    dls_scene_destroy(copy);
}

TEST(test_two_ways_at_once_are_an_error)
{
    refuses("ball", KEYS("anchor", "[0, 0, 0]", "stiffness", "1", "frequency", "1"), "frequency");
    refuses("ball", KEYS("anchor", "[0, 0, 0]", "damping", "1", "damping_ratio", "1"), "frequency");
    refuses("ball", KEYS("anchor", "[0, 0, 0]", "stiffness", "1", "erp", "0.2"), "erp");
    refuses("ball", KEYS("anchor", "[0, 0, 0]", "cfm", "0", "frequency", "2"), "cfm");
    refuses("ball", KEYS("anchor", "[0, 0, 0]", "damping_ratio", "1"), "damping_ratio");
    refuses("ball", KEYS("anchor", "[0, 0, 0]", "stiffness", "0", "damping", "0"), "stiffness");
    refuses("ball", KEYS("anchor", "[0, 0, 0]", "stiffness", "0"), "stiffness");
    refuses("ball", KEYS("anchor", "[0, 0, 0]", "damping", "0"), "damping");
    refuses("ball", KEYS("anchor", "[0, 0, 0]", "stiffness", "inf"), "stiffness");
    refuses("contact", KEYS("point", "[0, 0, 0]", "normal", "[0, 0, 1]", "stiffness", "3", "restitution", "0.4"),
            "restitution");
    dls_joint_def joint;
    dls_error error;
    assert_status(dls_joint_default(&joint, "ball", &error), &error);
    assert_int_equal(dls_joint_set(&joint, "frequency", "2 m", &error), DLS_BAD_INPUT); /* units */
    assert_int_equal(dls_joint_set(&joint, "frequency", "0", &error), DLS_BAD_INPUT);
    assert_int_equal(dls_joint_set(&joint, "stiffness", "-1", &error), DLS_BAD_INPUT);
    assert_status(dls_joint_set(&joint, "frequency", "2 kHz", &error), &error);
    assert_close(joint.common.frequency, 2000.0, 0.0);
    dls_joint_def_release(&joint);
}
