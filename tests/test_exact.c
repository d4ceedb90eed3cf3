/* Exact trajectories against closed forms, against each other in two methods and two sets of coordinates, and against what is
 * conserved. Tolerances are some tens of the integrator's 1e-13 a step, unless a reason is given. */
#include "world.h"

#include "delassus/reference.h"

#include <gsl/gsl_sf_elljac.h>

/* --- running ---------------------------------------------------------------------------------------------------------------- */

typedef struct course {
    dls_model *model;
    dls_state *state;
    dls_exact *exact;
} course;

static course begin(dls_model *model, const dls_exact_settings *settings)
{
    course c = {.model = model, .state = new_state(model)};
    dls_error error;
    assert_status(dls_exact_create(model, model->initial, settings, &c.exact, &error), &error);
    return c;
}

static course begin_text(const char *text) { return begin(parse_model(text), NULL); }

static course begin_eliminated(const char *text)
{
    dls_exact_settings settings = dls_exact_default();
    settings.method = DLS_EXACT_ELIMINATION;
    return begin(parse_model(text), &settings);
}

static void go(course *c, double time)
{
    dls_error error;
    assert_status(dls_exact_advance(c->exact, time, c->state, &error), &error);
    assert_true(c->state->time == time);
}

static void end(course *c)
{
    dls_exact_destroy(c->exact);
    dls_state_destroy(c->state);
    dls_model_destroy(c->model);
}

static double energy(const course *c) { return dls_kinetic_energy(c->model, c->state) + dls_potential_energy(c->model, c->state); }

static void say(const course *c, const char *what, double worst)
{
    dls_exact_report r = dls_exact_reported(c->exact);
    print_message("# %s: error %.1e; %zu rows of rank %zu, %zu steps, %zu rejected, %zu evaluations, |C| %.1e, |J v| %.1e, projected %.1e, drift %.1e\n",
                  what, worst, r.rows, r.rank, r.steps, r.rejected, r.evaluations, r.C, r.Jv, r.projected, r.derivative_error);
}

/* --- pendulum --------------------------------------------------------------------------------------------------------------- */

/* theta'' = -w^2 sin(theta), released at rest at a:  sin(theta / 2) = k cn(w t) / dn(w t), k = sin(a / 2). */
static double pendulum(double t, double w, double a)
{
    double sn, cn, dn, k = sin(0.5 * a);
    assert_int_equal(gsl_sf_elljac_e(w * t, k * k, &sn, &cn, &dn), 0);
    return 2.0 * asin(k * cn / dn);
}

#define WORLD "world: {gravity: [0, 0, -9.81]}\n"
#define ROD "shape: box, size: [0.05, 0.05, 1], mass: 1.3"
enum { SAMPLES = 100 };
static const double duration = 5.0, swing = 2.1;

static void compare_pendulum(course *c, const char *what, double (*angle)(const dls_state *))
{
    double inertia = 1.3 / 12.0 * (1.0 + 0.05 * 0.05) + 1.3 * 0.25, w = sqrt(1.3 * 9.81 * 0.5 / inertia), worst = 0.0;
    for (int i = 1; i <= SAMPLES; i++) {
        double t = duration * i / SAMPLES;
        go(c, t);
        worst = fmax(worst, fabs(angle(c->state) - pendulum(t, w, swing)));
    }
    say(c, what, worst);
    assert_below(worst, 1e-12);
    end(c);
}

static double coordinate_angle(const dls_state *state) { return state->coordinates[0]; }
static double body_angle(const dls_state *state) { return atan2(-state->x[0].x, -state->x[0].z); }

static void test_pendulum(void **unused)
{
    (void)unused;
    char text[1000];
    static const char *const joints[] = {
        "{name: pin, type: hinge, body1: rod, anchor: [0, 0, 0], axis: [0, 1, 0]}",
        "{name: pin, type: ball, body1: rod, anchor: [0, 0, 0]}",
    };
    snprintf(text, sizeof text, WORLD "articulations:\n  - name: tree\n    links:\n      - {name: root, static: true}\n"
             "      - {name: rod, parent: root, motion: revolute, " ROD ", position: [0, 0, -0.5], anchor: [0, 0, 0], axis: [0, 1, 0], start: %.17g}\n", swing);
    course c = begin_text(text);
    compare_pendulum(&c, "pendulum, articulation", coordinate_angle);
    for (size_t k = 0; k < sizeof joints / sizeof joints[0]; k++) {
        snprintf(text, sizeof text, WORLD "bodies:\n  - {name: rod, " ROD ", position: [%.17g, 0, %.17g], orientation: [%.17g, 0, %.17g, 0]}\njoints:\n  - %s\n",
                 -0.5 * sin(swing), -0.5 * cos(swing), cos(0.5 * swing), sin(0.5 * swing), joints[k]);
        c = begin_text(text);
        compare_pendulum(&c, joints[k], body_angle);
    }
}

/* A point that only slides along a circle: the distance joint's J turns while the bodies do not. */
static void test_pendulum_on_a_string(void **unused)
{
    (void)unused;
    char text[1000];
    double worst = 0.0;
    snprintf(text, sizeof text, WORLD "bodies:\n  - {name: bob, shape: sphere, radius: 0.05, mass: 1.3, position: [%.17g, 0, %.17g]}\n"
             "joints:\n  - {name: string, type: distance, body1: bob, anchor1: [%.17g, 0, %.17g], anchor2: [0, 0, 0]}\n",
             -0.2 * sin(1.3), -0.2 * cos(1.3), -0.2 * sin(1.3), -0.2 * cos(1.3));
    course c = begin_text(text);
    for (int i = 1; i <= SAMPLES; i++) {
        double t = duration * i / SAMPLES;
        go(&c, t);
        worst = fmax(worst, fabs(body_angle(c.state) - pendulum(t, sqrt(9.81 / 0.2), 1.3)));
    }
    say(&c, "pendulum, distance", worst);
    assert_below(worst, 2e-12); /* 35 radians of phase */
    end(&c);
}

/* --- two rods and a mimic -------------------------------------------------------------------------------------------------------- */

static void rods_text(char *text, size_t size, bool series, double gear, double offset)
{
    const char *where = series ? "parent: A, position: [0, 0, -1.5], anchor: [0, 0, -1]" : "parent: root, position: [0.5, 0, -0.5], anchor: [0.5, 0, 0]";
    snprintf(text, size, WORLD "articulations:\n  - name: rods\n    links:\n      - {name: root, static: true}\n"
             "      - {name: A, parent: root, motion: revolute, " ROD ", position: [0, 0, -0.5], anchor: [0, 0, 0], axis: [0, 1, 0], start: 0.5}\n"
             "      - {name: B, motion: revolute, " ROD ", %s, axis: [0, 1, 0], start: %.17g}\n"
             "joints:\n  - {name: couple, type: mimic, coordinates: {rods.A: 1, rods.B: %.17g}, offset: %.17g}\n",
             where, -(0.5 + offset) / gear, gear, offset);
}

static double distance(const dls_state *a, const dls_state *b)
{
    double worst = 0.0;
    for (size_t k = 0; k < a->n_coordinates; k++)
        worst = fmax(worst, fabs(a->coordinates[k] - b->coordinates[k] + 4.0 * DLS_PI * (double)(a->wraps[k] - b->wraps[k])));
    for (size_t k = 0; k < a->nv; k++)
        worst = fmax(worst, fabs(a->v[k] - b->v[k]));
    return worst;
}

static void compare_methods(const char *text, const char *what, double tolerance)
{
    course a = begin_text(text), b = begin_eliminated(text);
    double worst = 0.0, drift = 0.0;
    go(&a, 0.0);
    double before = energy(&a);
    for (int i = 1; i <= SAMPLES; i++) {
        go(&a, duration * i / SAMPLES);
        go(&b, duration * i / SAMPLES);
        worst = fmax(worst, distance(a.state, b.state));
        drift = fmax(drift, fmax(fabs(energy(&a) - before), fabs(energy(&b) - before)));
    }
    say(&a, what, worst);
    say(&b, "eliminated: energy", drift);
    assert_below(worst, tolerance);
    assert_below(drift, tolerance);
    assert_below(dls_exact_reported(a.exact).C, 1e-13);
    assert_below(dls_exact_reported(b.exact).C, 1e-13);
    assert_below(dls_exact_reported(a.exact).Jv, 1e-13);
    end(&a);
    end(&b);
}

static void test_both_methods_agree_on_two_rods(void **unused)
{
    (void)unused;
    static const double cases[][2] = {{-2.0, 0.0}, {0.5, 0.0}, {-1.7, 0.3}};
    for (int series = 0; series < 2; series++)
        for (size_t k = 0; k < 3; k++) {
            char text[1500], what[100];
            rods_text(text, sizeof text, series != 0, cases[k][0], cases[k][1]);
            snprintf(what, sizeof what, "%s, G = %g, gamma = %g", series ? "series" : "parallel", cases[k][0], cases[k][1]);
            compare_methods(text, what, 1e-12);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_pendulum_on_a_string),
        cmocka_unit_test(test_both_methods_agree_on_two_rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
