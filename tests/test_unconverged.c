/* Schemes under sweeps that have not converged: how far a load sags, and how fast a pendulum gains energy, against the
 * laws at the head of split_impulse.c and tgs.c. An under-relaxed sweep of a lone row removes a known share of its
 * error.
 */
#include "problems.h"
#include "stepping.h"

static const double g = 9.81, h = 0.01;

/* Options of `scheme` with pgs under-relaxed by omega. */
static void start_relaxed(run *r, dls_model *model, const char *scheme, double omega, size_t iterations)
{
    static double solver_settings[64];
    char text[32];
    const variant v = {scheme, NULL, NULL};
    dls_simulation_options options = options_of(r, dls_iterative_find("pgs"), &v, iterations);
    snprintf(text, sizeof text, "%.17g", omega);
    options.solver_settings = set_one(&options.solver->fields, solver_settings, sizeof solver_settings, "omega", text);
    run_open(r, model, &options);
}

/* --- sag --- */

static dls_model *hung_at_its_centre(double erp)
{
    char text[32];
    dls_scene *scene = new_scene();
    dls_body_def body = new_box("box", 2.385, dls_v3(0.3, 0.5, 0.7), dls_v3(0, 0, 0));
    scene->world.gravity = dls_v3(0, 0, -g);
    snprintf(text, sizeof text, "%.17g", erp);
    add_body(scene, &body);
    add_joint(scene, "ball", "joint", "box", "world", KEYS("anchor", "[0, 0, 0]", "erp", text));
    return finish(scene);
}

static double sag_of(const char *scheme, double erp, double omega, size_t iterations)
{
    run r;
    start_relaxed(&r, hung_at_its_centre(erp), scheme, omega, iterations);
    run_steps(&r, 2000, h);
    const double sag = -dls_simulation_state(r.simulation)->x[0].z;
    run_stop(&r);
    return sag;
}

TEST(test_sag_of_a_load)
{
    const double omegas[] = {0.3, 0.6, 0.9}, erps[] = {0.1, 0.35};
    for (size_t o = 0; o < 3; o++)
        for (size_t e = 0; e < 2; e++)
            for (size_t n = 1; n <= 3; n++) {
                const double kappa = 1.0 - pow(1.0 - omegas[o], (double)n),
                             law = (1.0 - kappa) / kappa * h * h * g / erps[e];
                const double baumgarte = sag_of("euler", erps[e], omegas[o], n),
                             split = sag_of("split-impulse", erps[e], omegas[o], n);
                assert_close(baumgarte, law, 1e-9 * law);
                assert_close(split, law / kappa, 1e-7 * law / kappa); /* the compliance of the position problem */
            }
}

/* --- energy --- */

/* A point mass on a rod of one metre, `x` beside its rest. */
static dls_model *swinging(double x)
{
    char text[96];
    dls_scene *scene = new_scene();
    dls_body_def bob = new_body("bob", DLS_SHAPE_SPHERE, 1.7, dls_v3(x, 0, -sqrt(1.0 - x * x)));
    bob.radius = 0.1;
    scene->world.gravity = dls_v3(0, 0, -g);
    snprintf(text, sizeof text, "[%.17g, 0, %.17g]", bob.position.x, bob.position.z);
    add_body(scene, &bob);
    add_joint(scene, "distance", "rod", "bob", "world", KEYS("anchor1", text, "anchor2", "[0, 0, 0]", "erp", "0.2"));
    return finish(scene);
}

/* At rest the mean velocity of a step is 0, so that of its last iteration is (1 - theta) h g upwards; and the length of
 * the rod with its sag. */
typedef struct hanging {
    double theta, length;
} hanging;

static hanging hanging_of(double omega, size_t iterations)
{
    run r;
    start_relaxed(&r, swinging(0.0), "tgs", omega, iterations);
    run_steps(&r, 2000, h);
    const dls_state *s = dls_simulation_state(r.simulation);
    const hanging rest = {1.0 - fabs(s->v[2]) / (h * g), -s->x[0].z};
    run_stop(&r);
    return rest;
}

/* The growth per second of the amplitude a, which a step multiplies as a whole: a^2 = x^2 - theta h x v + (v / w)^2. */
static double growth(double omega, size_t iterations, hanging at)
{
    run r;
    double from = 0.0, to = 0.0;
    start_relaxed(&r, swinging(1e-4), "tgs", omega, iterations);
    for (size_t k = 0; k <= 2500; k++) {
        const dls_state *s = dls_simulation_state(r.simulation);
        const double x = s->x[0].x, v = s->v[0];
        to = x * x - at.theta * h * x * v + v * v * at.length / g;
        if (k == 500) /* after the rod has come to rest */
            from = to;
        run_steps(&r, 1, h);
    }
    run_stop(&r);
    return 0.5 * log(to / from) / (2000.0 * h);
}

TEST(test_energy_of_tgs)
{
    const double omegas[] = {0.2, 0.4, 0.7, 1.0};
    for (size_t o = 0; o < 4; o++)
        for (size_t n = 2; n <= 8; n *= 2) {
            const hanging at = hanging_of(omegas[o], n);
            const double law = 0.5 * log1p((1.0 - at.theta) * g / at.length * h * h) / h,
                         measured = growth(omegas[o], n, at);
            print_message("# omega %.1f, %zu iterations: theta %.4f, growth %.5f / s, by the law %.5f / s\n", omegas[o],
                          n, at.theta, measured, law);
            assert_close(measured, law, 1e-3 * law + 1e-6);
            assert_true(omegas[o] < 1.0 ? law > 1e-3 : law < 1e-9);
        }
}
