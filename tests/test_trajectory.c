/* Reference trajectories against closed forms, against each other in two methods and two sets of coordinates, and
 * against what is conserved. Tolerances are what some hundred steps of 3e-15 can add up to, unless a reason is given.
 */
#include "world.h"

#include "delassus/reference.h"

#include <gsl/gsl_sf_elljac.h>

/* --- running --- */

typedef struct course {
    dls_model *model;
    dls_state *state;
    dls_trajectory *exact;
} course;

static course begin(dls_model *model, const dls_trajectory_settings *settings)
{
    course c = {.model = model, .state = new_state(model)};
    dls_error error;
    assert_status(dls_trajectory_create(model, dls_model_initial(model), settings, &c.exact, &error), &error);
    return c;
}

static course begin_text(const char *text) { return begin(parse_model(text), NULL); }

static course begin_eliminated(const char *text)
{
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.method = DLS_TRAJECTORY_ELIMINATION;
    return begin(parse_model(text), &settings);
}

static void go(course *c, double time)
{
    dls_error error;
    assert_status(dls_trajectory_advance(c->exact, time, c->state, &error), &error);
    assert_true(c->state->time == time);
}

static void end(course *c)
{
    dls_trajectory_destroy(c->exact);
    dls_state_destroy(c->state);
    dls_model_destroy(c->model);
}

static double energy(const course *c) { return energy_of(c->model, c->state); }

static struct {
    size_t steps, rejected;
} work; /* of all courses of which something is said */

static void say(const course *c, const char *what, double worst)
{
    dls_trajectory_report r = dls_trajectory_reported(c->exact);
    work.steps += r.steps, work.rejected += r.rejected;
    print_message("# %s: error %.1e; %zu rows of rank %zu, %zu steps, %zu rejected, %zu evaluations, |C| %.1e, |J v| "
                  "%.1e, projected %.1e, drift %.1e\n",
                  what, worst, r.rows, r.rank, r.steps, r.rejected, r.evaluations, r.C, r.Jv, r.projected,
                  r.derivative_error);
}

/* --- pendulum --- */

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

TEST(test_pendulum)
{
    char text[1000];
    static const char *const joints[] = {
        "{name: pin, type: hinge, body1: rod, anchor: [0, 0, 0], axis: [0, 1, 0]}",
        "{name: pin, type: ball, body1: rod, anchor: [0, 0, 0]}",
    };
    snprintf(text, sizeof text,
             WORLD "articulations:\n  - name: tree\n    links:\n      - {name: root, static: true}\n"
                   "      - {name: rod, parent: root, motion: revolute, " ROD
                   ", position: [0, 0, -0.5], anchor: [0, 0, 0], axis: [0, 1, 0], start: %.17g}\n",
             swing);
    course c = begin_text(text);
    compare_pendulum(&c, "pendulum, articulation", coordinate_angle);
    for (size_t k = 0; k < sizeof joints / sizeof joints[0]; k++) {
        snprintf(text, sizeof text,
                 WORLD "bodies:\n  - {name: rod, " ROD
                       ", position: [%.17g, 0, %.17g], orientation: [%.17g, 0, %.17g, 0]}\njoints:\n  - %s\n",
                 -0.5 * sin(swing), -0.5 * cos(swing), cos(0.5 * swing), sin(0.5 * swing), joints[k]);
        c = begin_text(text);
        compare_pendulum(&c, joints[k], body_angle);
    }
}

/* A point that only slides along a circle: the distance joint's J turns while the bodies do not. */
TEST(test_pendulum_on_a_string)
{
    char text[1000];
    double worst = 0.0;
    snprintf(
        text, sizeof text,
        WORLD
        "bodies:\n  - {name: bob, shape: sphere, radius: 0.05, mass: 1.3, position: [%.17g, 0, %.17g]}\n"
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

/* --- two rods and a mimic --- */

static void rods_text(char *text, size_t size, bool series, double gear, double offset)
{
    const char *where = series ? "parent: A, position: [0, 0, -1.5], anchor: [0, 0, -1]"
                               : "parent: root, position: [0.5, 0, -0.5], anchor: [0.5, 0, 0]";
    snprintf(text, size,
             WORLD "articulations:\n  - name: rods\n    links:\n      - {name: root, static: true}\n"
                   "      - {name: A, parent: root, motion: revolute, " ROD
                   ", position: [0, 0, -0.5], anchor: [0, 0, 0], axis: [0, 1, 0], start: 0.5}\n"
                   "      - {name: B, motion: revolute, " ROD ", %s, axis: [0, 1, 0], start: %.17g}\n"
                   "joints:\n  - {name: couple, type: mimic, coordinates: {rods.A: 1, rods.B: %.17g}, offset: %.17g}\n",
             where, -(0.5 + offset) / gear, gear, offset);
}

static double distance(const dls_state *a, const dls_state *b)
{
    double worst = 0.0;
    for (size_t k = 0; k < a->n_coordinates; k++)
        worst = fmax(worst,
                     fabs(a->coordinates[k] - b->coordinates[k] + 4.0 * DLS_PI * (double)(a->wraps[k] - b->wraps[k])));
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
    assert_below(dls_trajectory_reported(a.exact).C, 1e-13);
    assert_below(dls_trajectory_reported(b.exact).C, 1e-13);
    assert_below(dls_trajectory_reported(a.exact).Jv, 1e-13);
    end(&a);
    end(&b);
}

TEST(test_both_methods_agree_on_two_rods)
{
    static const double cases[][2] = {{-2.0, 0.0}, {0.5, 0.0}, {-1.7, 0.3}};
    for (int series = 0; series < 2; series++)
        for (size_t k = 0; k < 3; k++) {
            char text[1500], what[100];
            rods_text(text, sizeof text, series != 0, cases[k][0], cases[k][1]);
            snprintf(what, sizeof what, "%s, G = %g, gamma = %g", series ? "series" : "parallel", cases[k][0],
                     cases[k][1]);
            compare_methods(text, what, 1e-12);
        }
}

/* How often one asks changes nothing. */
TEST(test_samples_do_not_matter)
{
    char text[1500];
    rods_text(text, sizeof text, true, 0.5, 0.0);
    course often = begin_text(text), once = begin_text(text);
    for (int i = 1; i <= 5000; i++)
        go(&often, 1e-3 * i);
    go(&once, 5.0);
    double worst = distance(often.state, once.state);
    say(&often, "every millisecond", worst);
    assert_below(worst, 1e-12);
    end(&often);
    end(&once);
}

/* --- free body --- */

/* L. Landau and E. Lifshitz, Mechanics, section 37: I1 < I2 < I3 and L^2 > 2 E I2, with omega = (w1, 0, w3) at t = 0.
 */
static dls_vec3 euler_top(dls_vec3 I, double w1, double w3, double t)
{
    double L2 = I.x * I.x * w1 * w1 + I.z * I.z * w3 * w3, E2 = I.x * w1 * w1 + I.z * w3 * w3, sn, cn, dn;
    double rate = sqrt((I.z - I.y) * (L2 - E2 * I.x) / (I.x * I.y * I.z)),
           m = (I.y - I.x) * (E2 * I.z - L2) / ((I.z - I.y) * (L2 - E2 * I.x));
    assert_true(L2 > E2 * I.y);
    assert_int_equal(gsl_sf_elljac_e(rate * t, m, &sn, &cn, &dn), 0);
    return dls_v3(w1 * cn, sqrt((E2 * I.z - L2) / (I.y * (I.z - I.y))) * sn, w3 * dn);
}

#define BRICK "shape: box, size: [0.6, 0.5, 0.3], mass: 1.7, position: [0.3, 0.2, -0.1]"

static dls_quat brick_rotation(const course *c)
{
    return dls_model_count(c->model).bodies ? c->state->q[0]
           : dls_model_articulations(c->model)[0].tree->n_base
               ? c->state->roots[0].q
               : (dls_quat){c->state->coordinates[0], c->state->coordinates[1], c->state->coordinates[2],
                            c->state->coordinates[3]};
}

TEST(test_free_body)
{
    static const char *const forms[] = {
        "bodies:\n  - {name: brick, " BRICK ", omega: [1.3, 0, 4.1]}\n",
        "articulations:\n  - name: brick\n    links:\n      - {name: brick, " BRICK ", omega: [1.3, 0, 4.1]}\n",
        "articulations:\n  - name: brick\n    links:\n      - {name: root, static: true}\n"
        "      - {name: brick, parent: root, motion: spherical, " BRICK ", spin: [1.3, 0, 4.1]}\n",
    };
    dls_vec3 inertia = dls_scale(1.7 / 12, dls_v3(0.25 + 0.09, 0.36 + 0.09, 0.36 + 0.25));
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        char text[1000];
        double worst = 0.0;
        snprintf(text, sizeof text, "world: {gravity: [0, 0, 0], gyroscopic: none}\n%s", forms[f]);
        course c = begin_text(text);
        for (int i = 1; i <= SAMPLES; i++) {
            double t = duration * i / SAMPLES;
            go(&c, t);
            const double *v = c.state->v + dls_model_count(c.model).nv - 3;
            dls_quat q = brick_rotation(&c);
            dls_vec3 omega = dls_quat_rotate(dls_quat_conj(q), dls_v3(v[0], v[1], v[2])),
                     expected = euler_top(inertia, 1.3, 4.1, t);
            dls_vec3 L = dls_quat_rotate(q, dls_v3(inertia.x * omega.x, inertia.y * omega.y, inertia.z * omega.z));
            worst = fmax(worst, dls_norm(dls_sub(omega, expected)));
            worst = fmax(worst, dls_norm(dls_sub(L, dls_v3(1.3 * inertia.x, 0, 4.1 * inertia.z))));
        }
        say(&c, forms[f], worst);
        assert_below(worst, 2e-12); /* omega is 4, and its phase 20 radians */
        end(&c);
    }
}

/* --- loops --- */

#define CRANK "shape: box, size: [0.04, 0.04, 0.3], mass: 0.6, position: [0, 0, 0.15]"
#define COUPLER                                                                                                     \
    "shape: box, size: [0.04, 0.04, 0.5], mass: 1, position: [0.2, 0, 0.45], orientation: [0.8944271909999159, 0, " \
    "0.4472135954999579, 0]"
#define ROCKER                                                                                               \
    "shape: box, size: [0.04, 0.04, 0.6082762530298219], mass: 1.2, position: [0.45, 0, 0.3], orientation: " \
    "[0.9965926760297167, 0, -0.08248053154489328, 0]"
#define PIN ", axis: [0, 1, 0]"

static const char four_bodies[] =
    WORLD "bodies:\n  - {name: crank, " CRANK "}\n  - {name: coupler, " COUPLER "}\n  - {name: rocker, " ROCKER "}\n"
          "joints:\n  - {name: A, type: hinge, body1: crank, anchor: [0, 0, 0]" PIN
          "}\n  - {name: B, type: hinge, body1: coupler, body2: crank, anchor: [0, 0, 0.3]" PIN "}\n"
          "  - {name: C, type: hinge, body1: coupler, body2: rocker, anchor: [0.4, 0, 0.6]" PIN
          "}\n  - {name: D, type: hinge, body1: rocker, anchor: [0.5, 0, 0]" PIN "}\n";

static const char four_links[] =
    WORLD "articulations:\n  - name: bar\n    links:\n      - {name: root, static: true}\n"
          "      - {name: crank, parent: root, motion: revolute, anchor: [0, 0, 0]" PIN ", " CRANK "}\n"
          "      - {name: coupler, parent: crank, motion: revolute, anchor: [0, 0, 0.3]" PIN ", " COUPLER "}\n"
          "      - {name: rocker, parent: root, motion: revolute, anchor: [0.5, 0, 0]" PIN ", " ROCKER "}\n"
          "joints:\n  - {name: C, type: hinge, body1: bar.coupler, body2: bar.rocker, anchor: [0.4, 0, 0.6]" PIN "}\n";

/* 20 rows of rank 17 on bodies, 5 of rank 2 on links: the same motion. It falls over from an unstable position and
 * whips round at 20 rad/s: rounding at the start grows by a thousand. */
TEST(test_four_bar_in_both_coordinates)
{
    course bodies = begin_text(four_bodies), links = begin_text(four_links);
    double worst = 0.0, drift = 0.0;
    go(&bodies, 0.0);
    double before = energy(&bodies);
    for (int i = 1; i <= 80; i++) {
        go(&bodies, 0.05 * i);
        go(&links, 0.05 * i);
        for (size_t k = 0; k < 3; k++) {
            dls_end link = end_of(links.model, links.state, 1 + k);
            worst = fmax(worst, dls_norm(dls_sub(bodies.state->x[k], link.x)));
            worst = fmax(worst, 0.1 * dls_norm(dls_sub(dls_v3(bodies.state->v[6 * k], bodies.state->v[6 * k + 1],
                                                              bodies.state->v[6 * k + 2]),
                                                       link.v)));
        }
        drift = fmax(drift, fmax(fabs(energy(&bodies) - before), fabs(energy(&links) - before)));
    }
    say(&bodies, "four-bar, bodies", worst);
    say(&links, "four-bar, links: energy", drift);
    assert_int_equal(dls_trajectory_reported(bodies.exact).rank, 17);
    assert_int_equal(dls_trajectory_reported(links.exact).rank, 2);
    assert_below(worst, 1e-11);
    assert_below(drift, 1e-12);
    end(&bodies);
    end(&links);
}

/* Every joint type in space, between links and bodies of worlds with all motion types. A wrong Jdot v would leave C !=
 * 0 after a step, by its error times the step squared: what is projected shows it. */
TEST(test_ties_of_every_type)
{
    static const char *const ties[] = {
        "type: ball, anchor: [0.31, 0.22, 0.87]",
        "type: hinge, anchor: [0.31, 0.22, 0.87], axis: [1, 0.4, -0.3]",
        "type: slider, axis: [0.2, 1, 0.3]",
        "type: fixed",
        "type: universal, anchor: [0.31, 0.22, 0.87], axis1: [0, 1, 0], axis2: [0, 0, 1]",
        "type: distance, anchor1: [0.3, 0.1, 0.8], anchor2: [0.1, 0.7, 0.4]",
    };
    static const char *const pairs[][2] = {{"arm.hand", "world"}, {"arm.hand", "bird.body"}, {"stone", "bird.tail"}};
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.project_start = true; /* the speeds of the scene do not agree with the tie */
    for (size_t t = 0; t < sizeof ties / sizeof ties[0]; t++)
        for (size_t p = 0; p < 3; p++) {
            char joint[300];
            snprintf(joint, sizeof joint, "joints:\n  - {name: tie, body1: %s, body2: %s, %s}\n", pairs[p][0],
                     pairs[p][1], ties[t]);
            course c = begin(parse_parts(PARTS(TWO_TREES, joint)), &settings);
            go(&c, 0.0);
            double before = energy(&c);
            go(&c, 0.3);
            dls_trajectory_report r = dls_trajectory_reported(c.exact);
            if (p == 1)
                say(&c, ties[t], energy(&c) - before);
            assert_close(energy(&c), before, 1e-11); /* of some 50 J */
            assert_below(r.projected, 1e-11);
            assert_below(fmax(r.C, r.Jv), 1e-12);
            end(&c);
        }
}

/* Coordinates that hinges and sliders between bodies leave free: a mimic whose J turns, in the plane where it has a
 * twin. */
TEST(test_mimic_of_hinges_between_bodies)
{
    char tree[1500], bodies[1500];
    rods_text(tree, sizeof tree, true, -1.7, 0.35);
    double a = 0.5, b = a + (0.5 + 0.35) / 1.7, x = -sin(a), z = -cos(a);
    snprintf(bodies, sizeof bodies,
             WORLD "bodies:\n"
                   "  - {name: A, " ROD ", position: [%.17g, 0, %.17g], orientation: [%.17g, 0, %.17g, 0]}\n"
                   "  - {name: B, " ROD ", position: [%.17g, 0, %.17g], orientation: [%.17g, 0, %.17g, 0]}\n"
                   "joints:\n  - {name: A, type: hinge, body1: A, anchor: [0, 0, 0]" PIN
                   "}\n  - {name: B, type: hinge, body1: B, body2: A, anchor: [%.17g, 0, %.17g]" PIN "}\n"
                   "  - {name: couple, type: mimic, coordinates: {A: 1, B: -1.7}, offset: 0}\n",
             0.5 * x, 0.5 * z, cos(0.5 * a), sin(0.5 * a), x - 0.5 * sin(b), z - 0.5 * cos(b), cos(0.5 * b),
             sin(0.5 * b), x, z);
    course c = begin_text(tree), d = begin_text(bodies);
    double worst = 0.0;
    for (int i = 1; i <= SAMPLES; i++) {
        go(&c, duration * i / SAMPLES);
        go(&d, duration * i / SAMPLES);
        worst = fmax(worst, dls_norm(dls_sub(d.state->x[1], end_of(c.model, c.state, 2).x)));
    }
    say(&d, "mimic of hinges", worst);
    assert_below(worst, 1e-12);
    end(&c);
    end(&d);
}

/* --- drives --- */

#define SLIDE                                                                                                      \
    "articulations:\n  - name: rail\n    links:\n      - {name: root, static: true}\n"                             \
    "      - {name: cart, parent: root, motion: prismatic, axis: [1, 0, 0], shape: sphere, radius: 0.1, mass: 2, " \
    "start: 0.4, speed: -0.7}\n"
#define CART "bodies:\n  - {name: cart, shape: sphere, radius: 0.1, mass: 2, velocity: [-0.7, 0, 0]}\n"

/* m x'' = -k (x - target) - d (x' - u): the real or complex roots r of m r^2 + d r + k = 0. */
static double oscillator(double k, double d, double target, double u, double x0, double t)
{
    double m = 2.0, rest = target + d * u / k, a = x0 - rest, D = d * d - 4.0 * m * k, decay = 0.5 * d / m,
           w = sqrt(fabs(D)) / (2.0 * m);
    double b = (-0.7 + decay * a) / w;
    if (D < 0.0)
        return rest + exp(-decay * t) * (a * cos(w * t) + b * sin(w * t));
    return rest + 0.5 * ((a + b) * exp((w - decay) * t) + (a - b) * exp(-(w + decay) * t));
}

TEST(test_drives)
{
    static const double drives[][2] = {{50.0, 1.5}, {50.0, 37.0}, {1e4, 100.0}, {1e6, 1e4}};
    for (size_t k = 0; k < sizeof drives / sizeof drives[0]; k++)
        for (int tree = 0; tree < 2; tree++) {
            char text[1000], drive[300], what[100];
            double worst = 0.0, stiffness = drives[k][0], damping = drives[k][1], time = k == 3 ? 0.5 : 2.0,
                   x0 = tree ? 0.4 : 0.0;
            snprintf(drive, sizeof drive,
                     "  - {name: pull, type: drive, coordinates: {%s: 1}, stiffness: %g, damping: %g, target: 0.25, "
                     "speed: 0.1}\n",
                     tree ? "rail.cart" : "rail", stiffness, damping);
            snprintf(text, sizeof text, "world: {gravity: [0, 0, -9.81]}\n%s%s",
                     tree ? SLIDE "joints:\n"
                          : CART "joints:\n  - {name: rail, type: slider, body1: cart, axis: [1, 0, 0]}\n",
                     drive);
            course c = begin_text(text);
            for (int i = 1; i <= SAMPLES; i++) {
                double t = time * i / SAMPLES;
                go(&c, t);
                double x = tree ? c.state->coordinates[0] : c.state->x[0].x;
                worst = fmax(worst, fabs(x - oscillator(stiffness, damping, 0.25, 0.1, x0, t)));
            }
            snprintf(what, sizeof what, "drive %g, %g on %s", stiffness, damping,
                     tree ? "an articulation" : "a slider");
            say(&c, what, worst);
            assert_below(worst, 1e-12);
            end(&c);
        }
}

/* A drive that pulls against a mimic: no energy is kept, and both methods still agree. */
TEST(test_methods_agree_with_drives)
{
    static const double drives[][2] = {{30.0, 2.0}, {1e4, 100.0}};
    for (size_t k = 0; k < 2; k++) {
        char text[2000], drive[200];
        rods_text(text, sizeof text, true, -2.0, 0.0);
        snprintf(drive, sizeof drive,
                 "  - {name: pull, type: drive, coordinates: {rods.B: 1}, stiffness: %g, damping: %g, target: -0.4}\n",
                 drives[k][0], drives[k][1]);
        strcat(text, drive);
        course a = begin_text(text), b = begin_eliminated(text);
        double worst = 0.0;
        for (int i = 1; i <= SAMPLES; i++) {
            go(&a, duration * i / SAMPLES);
            go(&b, duration * i / SAMPLES);
            worst = fmax(worst, distance(a.state, b.state));
        }
        say(&a, "drive against a mimic", worst);
        assert_below(worst, 1e-12);
        end(&a);
        end(&b);
    }
}

/* Elimination leaves rotations alone: a world of all motion types with two mimics, by both methods. */
TEST(test_methods_agree_on_rotations)
{
    static const char mimics[] =
        "joints:\n  - {name: one, type: mimic, coordinates: {arm.upper: 1, arm.slide: -7, bird.left: 0.4}}\n"
        "  - {name: two, type: mimic, coordinates: {arm.flap: 1, bird.right: 1.3}, offset: 0.2}\n";
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.project_start = true;
    course a = begin(parse_parts(PARTS(TWO_TREES, mimics)), &settings);
    settings.method = DLS_TRAJECTORY_ELIMINATION;
    course b = begin(parse_parts(PARTS(TWO_TREES, mimics)), &settings);
    go(&a, 0.5);
    go(&b, 0.5);
    double worst = distance(a.state, b.state);
    say(&a, "all motion types", worst);
    assert_true(dls_trajectory_reported(a.exact).start_C > 0.1);
    assert_below(worst, 1e-11); /* speeds are some 20 */
    end(&a);
    end(&b);
}

/* The error of a step predicts that of the next: few of all courses above are rejected. */
TEST(test_few_steps_are_rejected) { assert_true(work.steps > 0 && work.rejected < work.steps / 10); }

/* --- what is refused --- */

static void expect_failure(const char *text, const dls_trajectory_settings *settings, dls_status status,
                           const char *says)
{
    dls_model *model = parse_model(text);
    dls_trajectory *exact;
    dls_error error;
    assert_int_equal(dls_trajectory_create(model, dls_model_initial(model), settings, &exact, &error), status);
    assert_null(exact);
    if (!strstr(error.message, says))
        fail_msg("'%s' does not say '%s'", error.message, says);
    dls_model_destroy(model);
}

TEST(test_refusals)
{
    static const char *const joints[][2] = {
        {"{name: stop, type: limit, coordinates: {rail.cart: 1}, lower: 0, upper: 1}",
         "'stop', row 'lower': unilateral"},
        {"{name: pull, type: drive, coordinates: {rail.cart: 1}, stiffness: 5, force: 3}",
         "'pull', row 'drive': its force is limited"},
        {"{name: spin, type: motor, coordinates: {rail.cart: 1}, speed: 2}",
         "'spin', row 'motor': it has a target speed"},
        {"{name: brake, type: motor, coordinates: {rail.cart: 1}, force: 2}",
         "'brake', row 'motor': its force is limited"},
        {"{name: brake, type: motor, coordinates: {rail.cart: 1}}", "'brake', row 'motor': it holds no position"},
        {"{name: pin, type: ball, body1: rail.cart, anchor: [0, 0, 0], cfm: 0.1}", "'pin', row 'x': cfm"},
        {"{name: pin, type: ball, body1: rail.cart, anchor: [0, 0, 0], force_hi: 3}",
         "'pin', row 'x': its force is limited"},
        {"{name: touch, type: contact, body1: rail.cart, point: [0, 0, 0], normal: [0, 0, 1]}",
         "'touch', row 'normal': unilateral"},
        {"{name: rub, type: friction, coordinates: {rail.cart: 1}, force: 2}",
         "'rub' keeps numbers that follow from its steps"},
        {"{name: soft, type: ball, body1: rail.cart, anchor: [0, 0, 0], frequency: 3}",
         "'soft', row 'x': its spring is for a unit of effective mass"},
        {"{name: push, type: drive, coordinates: {rail.cart: 1}, stiffness: 5, feed: 2}",
         "'push', row 'drive': it feeds a force forward"},
        {"{name: pull, type: drive, coordinates: {rail.cart: 1}, stiffness: 5, mode: acceleration}",
         "'pull', row 'drive': its spring is for a unit of effective mass"},
    };
    for (size_t k = 0; k < sizeof joints / sizeof joints[0]; k++) {
        char text[1000];
        snprintf(text, sizeof text, WORLD SLIDE "joints:\n  - %s\n", joints[k][0]);
        expect_failure(text, NULL, DLS_REFUSED, joints[k][1]);
    }
    expect_failure("world: {collide: true}\nbodies:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 1}\n", NULL,
                   DLS_REFUSED, "looks for contacts");
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.method = DLS_TRAJECTORY_ELIMINATION;
    expect_failure(four_links, &settings, DLS_REFUSED, "elimination");
    settings.tolerance = 1e-17;
    expect_failure(four_links, &settings, DLS_BAD_ARGUMENT, "tolerance");
    expect_failure(four_links, &(dls_trajectory_settings){.tolerance = 1e-13}, DLS_BAD_ARGUMENT,
                   "dls_trajectory_default");
}

TEST(test_start_off_its_rows)
{
    char text[1500];
    rods_text(text, sizeof text, true, -2.0, 0.0);
    strcat(text, "  - {name: again, type: mimic, coordinates: {rods.A: -0.5, rods.B: 1}, offset: 0.05}\n");
    expect_failure(text, NULL, DLS_BAD_INPUT, "max |C| = 0.05");
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.project_start = true;
    expect_failure(text, &settings, DLS_REFUSED, "contradict");
    rods_text(text, sizeof text, true, -2.0, 0.0);
    dls_model *model = parse_model(text);
    dls_state *start = new_state(model);
    dls_trajectory *exact;
    dls_error error;
    start->coordinates[1] += 0.1;
    start->v[0] = 0.3;
    assert_int_equal(dls_trajectory_create(model, start, NULL, &exact, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "max |C| = 0.2, max |J v| = 0.3"));
    assert_status(dls_trajectory_create(model, start, &settings, &exact, &error), &error);
    assert_status(dls_trajectory_advance(exact, 0.0, start, &error), &error);
    assert_close(start->coordinates[0] - 2.0 * start->coordinates[1], 0.0, 1e-15);
    assert_close(start->v[0] - 2.0 * start->v[1], 0.0, 1e-15);
    assert_int_equal(dls_trajectory_advance(exact, -1.0, start, &error), DLS_BAD_ARGUMENT);
    dls_trajectory_destroy(exact);
    dls_state_destroy(start);
    dls_model_destroy(model);
}

TEST(test_redundant_mimics)
{
    char text[1500];
    rods_text(text, sizeof text, true, -2.0, 0.0);
    course one = begin_text(text);
    strcat(text, "  - {name: again, type: mimic, coordinates: {rods.A: -0.5, rods.B: 1}}\n");
    course two = begin_text(text), three = begin_eliminated(text);
    go(&one, 5.0);
    go(&two, 5.0);
    go(&three, 5.0);
    assert_int_equal(dls_trajectory_reported(two.exact).rows, 2);
    assert_int_equal(dls_trajectory_reported(two.exact).rank, 1);
    assert_below(distance(one.state, two.state), 1e-12);
    assert_below(distance(one.state, three.state), 1e-12);
    end(&one);
    end(&two);
    end(&three);
}

/* x = 0.4 - 0.7 t meets 0.05 at t = 0.5. */
TEST(test_open_limits)
{
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.ignore_open_limits = true;
    course c = begin(parse_model("world: {gravity: [0, 0, 0]}\n" SLIDE
                                 "joints:\n  - {name: stop, type: limit, coordinates: {rail.cart: 1}, lower: 0.05}\n"),
                     &settings);
    dls_error error, again;
    go(&c, 0.49);
    assert_close(c.state->coordinates[0], 0.4 - 0.7 * 0.49, 1e-15);
    assert_int_equal(dls_trajectory_advance(c.exact, 1.0, c.state, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "'stop', row 'lower': its gap has closed at t = "));
    assert_true(c.state->time == 0.49);
    assert_int_equal(dls_trajectory_advance(c.exact, 0.995, c.state, &again), DLS_REFUSED);
    assert_string_equal(again.message, error.message);
    end(&c);
    expect_failure("world: {gravity: [0, 0, 0]}\n" SLIDE
                   "joints:\n  - {name: stop, type: limit, coordinates: {rail.cart: 1}, lower: 0.45}\n",
                   &settings, DLS_REFUSED, "its gap is closed");
}

/* A parallelogram that turns at speed 1 lies flat after a quarter of a turn, and could go on as an antiparallelogram.
 */
TEST(test_bifurcation)
{
    static const char text[] =
        "world: {gravity: [0, 0, 0]}\narticulations:\n  - name: bar\n    links:\n      - {name: root, static: true}\n"
        "      - {name: a, parent: root, motion: revolute, anchor: [0, 0, 0]" PIN
        ", shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 1], speed: 1}\n"
        "      - {name: b, parent: root, motion: revolute, anchor: [1, 0, 0]" PIN
        ", shape: sphere, radius: 0.1, mass: 1, position: [1, 0, 1], speed: 1}\n"
        "      - {name: c, parent: a, motion: revolute, anchor: [0, 0, 1]" PIN
        ", shape: sphere, radius: 0.1, mass: 1, position: [0.5, 0, 1], speed: -1}\n"
        "joints:\n  - {name: close, type: hinge, body1: bar.c, body2: bar.b, anchor: [1, 0, 1]" PIN "}\n";
    course c = begin_text(text);
    dls_error error;
    go(&c, 1.0);
    assert_close(c.state->coordinates[0], 1.0, 1e-12);
    assert_int_equal(dls_trajectory_advance(c.exact, 0.5 * DLS_PI, c.state, &error), DLS_REFUSED);
    if (!strstr(error.message, "t = 1.5707"))
        fail_msg("'%s' does not say where", error.message);
    end(&c);
}

/* Nothing that could move: time passes. */
TEST(test_nothing_moves)
{
    char text[1500];
    course c = begin_text(WORLD "bodies:\n  - {name: floor, static: true}\n");
    go(&c, 3.0);
    end(&c);
    rods_text(text, sizeof text, false, -2.0, 0.0);
    strcat(text, "  - {name: other, type: mimic, coordinates: {rods.A: 1, rods.B: 1}, offset: -0.75}\n");
    course held = begin_text(text), gone = begin_eliminated(text);
    go(&held, 1.0);
    go(&gone, 1.0);
    assert_below(distance(held.state, dls_model_initial(held.model)), 1e-15);
    assert_below(distance(gone.state, dls_model_initial(gone.model)), 1e-15);
    end(&held);
    end(&gone);
}
