/* Impacts of reference trajectories by every law, against closed forms and laws integrated by the test. */
#include "courses.h"
#include "impacts.h"
#include "stepping.h"

TEST(test_cradle_by_every_law)
{
    static const double speed[BALLS] = {1.7, 0.0, 0.0, 0.0};
    static const double coefficients[3][GAPS] = {{1.0, 1.0, 1.0}, {0.6, 0.6, 0.6}, {0.4, 0.7, 0.75}};
    for (int law = 0; law < LAWS; law++)
        for (int c = 0; c < 3; c++)
            for (int form = 0; form < 3; form++) { /* as it is, in the opposite order, and in other units */
                char text[2048];
                double v[BALLS], worst = 0.0;
                const double length = form == 2 ? 1e3 : 1.0;
                if (law == STRONGE)
                    continue;
                write_cradle(text, sizeof text, speed, coefficients[c], dls_impact_law_names[law],
                             form == 2 ? 1e6 : 1.0, length, form == 1);
                course cradle = begin(text);
                go(&cradle, 0.0);
                expected_cradle(law, speed, coefficients[c], v);
                for (int i = 0; i < BALLS; i++)
                    worst = fmax(worst, fabs(cradle.state->v[6 * i] / length - v[i]));
                assert_below(worst, 1e-13);
                end(&cradle);
            }
}

/* Where one contact separates as another is hit, Newton's law stops it at 0. By Moreau's it may approach at e times its
 * speed after the impact, which no motion without overlap does. */
TEST(test_a_contact_that_separates)
{
    static const double speed[BALLS] = {1.7, 0.0, 0.4, 0.4}, e[GAPS] = {0.6, 0.5, 0.5};
    char text[2048];
    write_cradle(text, sizeof text, speed, e, dls_impact_law_names[NEWTON], 1.0, 1.0, false);
    course cradle = begin(text);
    go(&cradle, 0.0);
    const double *v = cradle.state->v;
    assert_below(fabs(v[6] - v[0] - 0.6 * 1.7), 1e-13);
    assert_below(fabs(v[12] - v[6]), 1e-13);
    end(&cradle);
    dls_error error;
    write_cradle(text, sizeof text, speed, e, dls_impact_law_names[MOREAU], 1.0, 1.0, false);
    assert_int_equal(try_begin(&cradle, text, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "still approaches"));
    end(&cradle);
}

TEST(test_rods_by_every_law)
{
    static const double rods[][4] = {/* angle, e, mu, t */
                                     {0.9, 0.9, 0.4, 1.0},
                                     {0.8, 0.9, 1.0, 0.5},
                                     {0.7, 0.5, 0.2, -1.0},
                                     {1.2, 0.7, 0.3, 0.2},
                                     {0.5, 0.0, 0.5, 2.0}};
    for (size_t k = 0; k < sizeof rods / sizeof rods[0]; k++)
        for (int law = 0; law < LAWS; law++)
            for (int form = 0; form < 3; form++) { /* as it is, in another plane, in other units */
                const planar c = {.m = 1.3,
                                  .inertia = 1.3 * 1.21 / 12.0,
                                  .x = -0.55 * cos(rods[k][0]),
                                  .z = -0.55 * sin(rods[k][0]),
                                  .e = rods[k][1],
                                  .mu = rods[k][2],
                                  .n = -1.0,
                                  .t = rods[k][3]};
                char text[1024];
                double p[2];
                const double mass = form == 2 ? 1e6 : 1.0, length = form == 2 ? 1e-3 : 1.0,
                             turn = form == 1 ? 0.7 : 0.0;
                write_planar(text, sizeof text, &c, law, mass, length, turn);
                course rod = begin(text);
                go(&rod, 0.0);
                expected_planar(&c, law, p);
                const double allowed = law == STRONGE ? 3e-6 : 1e-12; /* the test integrates by steps of 2e-7 */
                const double *v = rod.state->v, along = (v[0] * cos(turn) + v[1] * sin(turn)) / length;
                assert_below(fabs(v[2] / length - c.n - p[0] / c.m), allowed);
                assert_below(fabs(along - c.t - p[1] / c.m), allowed);
                end(&rod);
            }
}

/* A body with three different moments of inertia that is struck off its axes: the direction of sliding turns, stops and
 * goes on. The library's own law, another computation, has about 1e-11 of the speeds. */
static void strike_body(double t, double s, double mu, double e)
{
    char text[1024];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, 0], gyroscopic: none}\n"
             "bodies:\n  - {name: body, mass: 1.3, inertia: [0.07, 0.31, 0.29], position: [-0.3, 0.2, 0.4], velocity: "
             "[%.17g, %.17g, -1]}\n"
             "joints:\n  - {name: tip, type: contact, body1: body, point: [0, 0, 0], normal: [0, 0, 1], mu: %.17g, "
             "friction: cone, restitution: %.17g, impact: stronge}\n",
             t, s, mu, e);
    course c = begin(text);
    go(&c, 0.0);
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_direct_find("cone-newton");
    run r;
    dls_error error;
    run_open(&r, parse_model(text), &options);
    assert_status(dls_simulation_step(r.simulation, 1e-3, &error), &error);
    double worst = 0.0;
    for (int k = 0; k < 6; k++)
        worst = fmax(worst, fabs(dls_simulation_state(r.simulation)->v[k] - c.state->v[k]));
    show(&c, "struck body", worst);
    assert_below(worst, 1e-9);
    run_stop(&r);
    end(&c);
}

TEST(test_sliding_that_turns_in_an_impact)
{
    strike_body(0.9, -0.3, 0.35, 0.8);
    strike_body(0.2, 0.1, 0.35, 0.8);
    strike_body(-0.4, 0.3, 0.9, 0.5);
    strike_body(0.0, 0.0, 0.2, 0.7);
}

/* A block lands on two feet at the height of its centre of mass, sliding: neither foot turns it, so it is a point with
 * the friction mu (1 + e) m s by Newton's and Poisson's law. */
TEST(test_two_feet)
{
    for (int law = 0; law < 2; law++) {
        char text[1024];
        const char *name = dls_impact_law_names[law ? POISSON : NEWTON];
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, 0]}\n"
                 "bodies:\n  - {name: a, mass: 1.3, inertia: [0.2, 0.3, 0.25], velocity: [2.5, 0, -1.1]}\n"
                 "joints:\n  - {name: l, type: contact, body1: a, point: [-0.4, 0, 0], normal: [0, 0, 1], mu: 0.3, "
                 "friction: cone, restitution: 0.6, impact: %s}\n"
                 "  - {name: r, type: contact, body1: a, point: [0.4, 0, 0], normal: [0, 0, 1], mu: 0.3, friction: "
                 "cone, restitution: 0.6, impact: %s}\n",
                 name, name);
        course c = begin(text);
        go(&c, 0.0);
        const double expected[6] = {2.5 - 0.3 * 1.6 * 1.1, 0, 0.6 * 1.1, 0, 0, 0};
        for (int k = 0; k < 6; k++)
            assert_below(fabs(c.state->v[k] - expected[k]), 1e-13);
        end(&c);
    }
}

/* Four corners that land at once: without friction every one gives back e of its speed; with it the outcome depends on
 * the shares of the corners in the compression. */
TEST(test_four_corners_by_poissons_law)
{
    for (int rough = 0; rough < 2; rough++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: %g, restitution: 0.5, impact: "
                 "poisson}\nbodies:\n  - {name: box, shape: box, size: [0.6, 0.4, 0.2], mass: 2, position: [0, 0, "
                 "0.1], velocity: [1, 0, -1]}\n  - {name: floor, shape: plane, static: true}\n",
                 0.3 * rough);
        course c;
        dls_error error;
        const dls_status status = try_begin(&c, text, &error);
        assert_int_equal(status, rough ? DLS_REFUSED : DLS_OK);
        if (rough)
            assert_non_null(strstr(error.message, "share the impulses"));
        else {
            go(&c, 0.0);
            assert_below(fabs(c.state->v[2] - 0.5), 1e-14);
            assert_below(fabs(c.state->v[4]), 1e-14);
        }
        end(&c);
    }
}

TEST(test_laws_that_meet)
{
    course c;
    dls_error error;
    assert_int_equal(try_begin(&c,
                               "world: {gravity: [0, 0, 0]}\n"
                               "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], velocity: [0, 0, -1]}\n"
                               "joints:\n  - {name: l, type: contact, body1: a, point: [-0.4, 0, 0], normal: [0, 0, "
                               "1], restitution: 0.6, impact: poisson}\n"
                               "  - {name: r, type: contact, body1: a, point: [0.4, 0, 0], normal: [0, 0, 1], "
                               "restitution: 0.6, impact: newton}\n",
                               &error),
                     DLS_REFUSED);
    assert_non_null(strstr(error.message, "different laws"));
    end(&c);
}

/* A column of balls that falls on the floor comes to rest, one ball on another, after infinitely many impacts of all
 * its contacts: at the heights r, 3 r, 5 r, without speed. */
TEST(test_a_column_comes_to_rest)
{
    course column = begin(
        "world: {gravity: [0, 0, -9.81], collide: true, restitution: 0.8, impact: newton, friction: cone, mu: 0.5}\n"
        "bodies:\n  - {name: floor, shape: plane, static: true}\n"
        "  - {name: a, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.15]}\n"
        "  - {name: b, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.36]}\n"
        "  - {name: c, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.58]}\n");
    go(&column, 1.5);
    for (size_t i = 0; i < 3; i++) {
        assert_below(fabs(column.state->x[i + 1].z - 0.1 * (double)(2 * i + 1)), 1e-10);
        assert_below(fabs(column.state->v[6 * i + 2]), 1e-9);
    }
    end(&column);
}

/* --- balls that never meet --- */

#define SLOPE                                                                                      \
    "world: {gravity: [0, 0, -9.81], collide: true, restitution: 0.3, friction: cone, mu: 1}\n"    \
    "bodies:\n  - {name: floor, shape: plane, static: true, orientation: [0.9811061183873407, 0, " \
    "-0.19347037102079837, 0]}\n"
#define FIRST                                                                                                        \
    "  - {name: a, shape: sphere, radius: 0.193, mass: 2.7, position: [0, -1.3, 0.76], velocity: [%.17g, 0, 0.51], " \
    "omega: [0, 6.76, 0]}\n"
#define SECOND                                                                                                   \
    "  - {name: b, shape: sphere, radius: 0.196, mass: 0.94, position: [0.43, 1.7, 0.88], velocity: [%.17g, 0, " \
    "-0.11], omega: [0, -5.49, 0]}\n"

/* Two balls bounce, slide and come to roll on a slope: each moves as if it were alone, also while the contact of the
 * other one has no speed and no acceleration but rounding. */
TEST(test_balls_that_never_meet_move_as_if_alone)
{
    for (int start = 0; start < 8; start++) {
        const double a = 1.58 - 0.17 * start, b = 0.13 * start - 0.67;
        char text[3][1000];
        snprintf(text[0], sizeof text[0], SLOPE FIRST SECOND, a, b);
        snprintf(text[1], sizeof text[1], SLOPE FIRST, a);
        snprintf(text[2], sizeof text[2], SLOPE SECOND, b);
        course both = begin(text[0]);
        go(&both, 0.8);
        for (size_t i = 0; i < 2; i++) {
            course alone = begin(text[1 + i]);
            go(&alone, 0.8);
            assert_below(dls_norm(dls_sub(both.state->x[1 + i], alone.state->x[1])), 1e-10);
            for (size_t j = 0; j < 6; j++)
                assert_below(fabs(both.state->v[6 * i + j] - alone.state->v[j]), 1e-9);
            end(&alone);
        }
        end(&both);
    }
}
