/* SimBenchmark's rolling test: the error that it publishes for friction pyramids, in closed form. */
#include "world.h"

#include <stdio.h>

/* The scene, with the friction law `law` in the place of the cone. */
static dls_model *rolling(const char *law)
{
    static char text[20000], changed[20000];
    char path[DLS_PATH_MAX];
    const char *source = getenv("DLS_TEST_SOURCE"), *key = "friction: cone";
    snprintf(path, sizeof path, "%s/scenes/simbenchmark-rolling.yaml", source ? source : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    size_t used = 0;
    for (const char *at = text; *at; used = strlen(changed)) {
        const char *next = strstr(at, key);
        const size_t length = next ? (size_t)(next - at) : strlen(at);
        assert_true(used + length + 40 < sizeof changed);
        memcpy(changed + used, at, length);
        snprintf(changed + used + length, 40, "%s%s", next ? "friction: " : "", next ? law : "");
        at += length + (next ? strlen(key) : 0);
    }
    return parse_model(changed);
}

static const double n = 25.0, m = 1.0, M = 10.0, F = 150.0, g = 9.81, mu = 0.4;

/* Plate and balls, from F - f - n p = M a, p = m b, and rolling of solid spheres a = b + 5/2 p / m. */
static void accelerations(double *a, double *b)
{
    const double f = mu * (M + n * m) * g, p = (F - f) / M / (3.5 / m + n / M);
    *a = 3.5 * p / m, *b = p / m;
}

/* Largest difference of the speeds of plate and balls from at and bt after `steps` of 1 ms. */
static double run_law(const char *law, double a, double b, size_t steps)
{
    const dls_vec3 along = {0.5, sqrt(0.75), 0.0};
    run r;
    double worst = 0.0;
    run_start(&r, rolling(law), dls_iterative_find("nsgs"), NULL, 200);
    run_steps(&r, steps, 1e-3);
    const dls_state *state = dls_simulation_state(r.simulation);
    for (size_t i = 0; i < state->n_bodies; i++) {
        const dls_vec3 v = {state->v[6 * i], state->v[6 * i + 1], state->v[6 * i + 2]};
        const double speed = (i == 0 ? a : b) * 1e-3 * (double)steps;
        worst = fmax(worst, dls_norm(dls_sub(v, dls_scale(speed, along))));
    }
    run_stop(&r);
    return worst;
}

/* The cone rolls as the closed form says. A bound for each axis holds both components of the push, 75 and 129.9 N, by
 * 137.3 N, and nothing moves; the mean over 4 s of the squares of both speeds is then what the benchmark prints for ODE
 * and DART, 3.14497 (D. Kang and J. Hwangbo, SimBenchmark, 2018, data/rolling/default.csv). */
TEST(test_rolling_and_the_pyramid)
{
    double a, b, sum = 0.0;
    accelerations(&a, &b);
    assert_close(a, 0.7385, 1e-15);
    assert_close(b, 0.211, 1e-15);
    assert_true(F * sqrt(0.75) < mu * (M + n * m) * g && mu * (M + n * m) * g < F);
    const double cone = run_law("cone", a, b, 50), box = run_law("box", 0.0, 0.0, 50);
    print_message("# off the closed form: cone %.1e m/s, box %.1e m/s\n", cone, box);
    assert_below(cone, 1e-8);
    assert_below(box, 1e-8);
    for (int i = 0; i < 4000; i++)
        sum += (a * a + b * b) * 1e-6 * i * i;
    print_message("# error of a pyramid: %.6f\n", sum / 4000.0);
    assert_close(sum / 4000.0, 3.14497, 5e-6);
}
