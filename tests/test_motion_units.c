/* The same motion in other units: lengths times 1e-6 or 1e6, masses times 1e6 or 1e-6. Times of events and angles stay,
 * positions have the factor of lengths, and so has every verdict. */
#include "courses.h"

enum { TEXT = 1500 };

/* A ball with spin that bounces, slides and rolls. */
static void write_ball(char text[TEXT], double L, double m)
{
    snprintf(text, TEXT,
             "world: {gravity: [0, 0, %.17g], collide: true, friction: cone, mu: 0.3, restitution: 0.5, "
             "restitution_threshold: 0}\nbodies:\n"
             "  - {name: ball, shape: sphere, radius: %.17g, mass: %.17g, position: [0, 0, %.17g], velocity: [%.17g, "
             "0, 0], omega: [1, -20, 0.3]}\n  - {name: floor, shape: plane, static: true}\n",
             -9.81 * L, 0.1 * L, 1.7 * m, 0.4 * L, 3.0 * L);
}

/* A block that rocks from corner to corner and stands. */
static void write_block(char text[TEXT], double L, double m)
{
    snprintf(text, TEXT,
             "world: {gravity: [0, 0, %.17g], collide: true, friction: cone, mu: 2}\nbodies:\n"
             "  - {name: block, shape: box, size: [%.17g, %.17g, %.17g], mass: %.17g, position: [0, 0, %.17g], "
             "orientation: [0.998, 0, 0.06, 0]}\n  - {name: floor, shape: plane, static: true}\n",
             -9.81 * L, 0.6 * L, 0.2 * L, L, 1.7 * m, 0.56 * L);
}

/* A pendulum on a cart that strikes a stop. */
static void write_cart(char text[TEXT], double L, double m)
{
    snprintf(text, TEXT,
             "world: {gravity: [0, 0, %.17g]}\narticulations:\n  - name: crane\n    links:\n"
             "      - {name: ground, static: true}\n"
             "      - {name: cart, parent: ground, motion: prismatic, axis: [1, 0, 0], mass: %.17g, shape: box, size: "
             "[%.17g, %.17g, %.17g], speed: %.17g}\n"
             "      - {name: rod, parent: cart, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0], mass: %.17g, "
             "shape: box, size: [%.17g, %.17g, %.17g], position: [0, 0, %.17g], speed: 2}\n"
             "joints:\n  - {name: stop, type: limit, coordinates: {crane.cart: 1}, upper: %.17g, lower: %.17g, "
             "restitution: 0.6}\n",
             -9.81 * L, 2.0 * m, L, L, L, 1.5 * L, m, 0.1 * L, 0.1 * L, L, -0.5 * L, 0.4 * L, -0.7 * L);
}

static const struct {
    const char *name;
    void (*write)(char text[TEXT], double L, double m);
    double time;
} scenes[] = {{"ball", write_ball, 1.0}, {"block", write_block, 2.0}, {"cart", write_cart, 1.5}};

static void follow_in_units(size_t scene, double L, double m, course *c)
{
    char text[TEXT];
    scenes[scene].write(text, L, m);
    *c = begin(text);
    go(c, scenes[scene].time);
    show(c, scenes[scene].name, 0.0);
}

/* A gap is known to rounding, so the time of an impact to that over its speed: differences times the least speed of
 * an impact so far. */
static double compare_events(const course *a, const course *b, double L)
{
    size_t count[2];
    const dls_trajectory_event *x = dls_trajectory_events(a->exact, &count[0]);
    const dls_trajectory_event *y = dls_trajectory_events(b->exact, &count[1]);
    double worst = 0.0, least = 1.0;
    assert_int_equal(count[0], count[1]);
    for (size_t k = 0; k < count[0]; k++) {
        assert_int_equal(x[k].kind, y[k].kind);
        if (x[k].kind == DLS_EVENT_IMPACT)
            least = fmin(least, fabs(x[k].speed));
        worst = fmax(worst, least * fmax(fabs(x[k].time - y[k].time), fabs(x[k].speed - y[k].speed / L)));
    }
    return worst;
}

/* Kinetic and potential energy at the time reached. */
static void find_energies(const course *c, double energy[2])
{
    dls_configuration *at;
    dls_error error;
    assert_status(dls_configuration_create(c->model, &at, &error), &error);
    dls_configuration_evaluate(at, c->state);
    energy[0] = dls_kinetic_energy(at), energy[1] = dls_potential_energy(at);
    dls_configuration_destroy(at);
}

TEST(test_motion_in_any_unit)
{
    static const double units[][2] = {{1e-6, 1.0}, {1e6, 1.0}, {1e-3, 1e6}, {1e3, 1e-6}};
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        course metre, other;
        double truth[2], energy[2];
        follow_in_units(s, 1.0, 1.0, &metre);
        find_energies(&metre, truth);
        for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
            const double L = units[u][0], joule = units[u][1] * L * L;
            follow_in_units(s, L, units[u][1], &other);
            find_energies(&other, energy);
            const double events = compare_events(&metre, &other, L);
            print_message("# in %g m, %g kg: events differ by %.1e, energies by %.1e and %.1e\n", L, units[u][1],
                          events, energy[0] / joule - truth[0], energy[1] / joule - truth[1]);
            assert_below(events, 1e-13);
            for (int k = 0; k < 2; k++)
                assert_below(fabs(energy[k] / joule - truth[k]), 1e-10);
            end(&other);
        }
        end(&metre);
    }
}

/* --- verdicts --- */

/* Painleve's rod (test_motion.c), and a sphere that overlaps the floor by a share of its radius. */
static void refuse_rod(double L, double spin, const char *why)
{
    char text[TEXT];
    const double height = sqrt(0.75), slide = -1.0;
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, %.17g]}\nbodies:\n  - {name: rod, mass: 1, inertia: [%.17g, %.17g, %.17g], "
             "position: [0, 0, %.17g], orientation: [0.9659258262890683, 0, 0.25881904510252074, 0], velocity: [%.17g, "
             "0, %.17g], omega: [0, %.17g, 0]}\n"
             "joints:\n  - {name: end, type: contact, body1: rod, point: [%.17g, 0, 0], normal: [0, 0, 1], mu: 2, "
             "friction: cone}\n",
             -9.81 * L, L * L / 3.0, L * L / 3.0, 0.001 * L * L, height * L, (slide + height * spin) * L,
             -0.5 * spin * L, spin, -0.5 * L);
    course c;
    dls_error error = {0};
    assert_int_equal(try_begin(&c, text, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, why));
    end(&c);
}

static void overlap(double L, double share, bool refused)
{
    char text[TEXT];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, %.17g], collide: true, mu: 0}\nbodies:\n"
             "  - {name: a, shape: sphere, radius: %.17g, mass: 1, position: [0, 0, %.17g]}\n"
             "  - {name: b, shape: plane, static: true}\n",
             -9.81 * L, L, L * (1.0 - share));
    course c;
    dls_error error = {0};
    const dls_status status = try_begin(&c, text, &error);
    assert_int_equal(status, refused ? DLS_REFUSED : DLS_OK);
    end(&c);
}

TEST(test_verdicts_in_any_unit)
{
    for (int unit = -6; unit <= 6; unit += 3) {
        const double L = pow(10.0, unit);
        refuse_rod(L, 0.0, "no solution");
        refuse_rod(L, 5.0, "several solutions");
        overlap(L, 1e-12, false);
        overlap(L, 1e-6, true);
    }
}
