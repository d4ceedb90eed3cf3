/* Boxes on four corners, which share their load in many ways: the motion where it does not depend on the shares, forces
 * of least norm, and the refusal where it does. */
#include "courses.h"

#define FLOOR "  - {name: floor, shape: plane, static: true}\n"

enum { CORNERS = 8, ROWS = 3 * CORNERS };

/* The normal and friction forces of all corners. */
static void corner_forces(const course *c, double normal[CORNERS], double friction[CORNERS])
{
    dls_trajectory_force rows[ROWS];
    assert_int_equal(dls_trajectory_forces(c->exact, NULL), ROWS);
    dls_trajectory_forces(c->exact, rows);
    for (size_t k = 0; k < CORNERS; k++) {
        normal[k] = rows[3 * k].force;
        friction[k] = hypot(rows[3 * k + 1].force, rows[3 * k + 2].force);
    }
}

static double sum(const double x[CORNERS])
{
    double total = 0.0;
    for (size_t k = 0; k < CORNERS; k++)
        total += x[k];
    return total;
}

/* --- to rest --- */

TEST(test_box_slides_to_rest)
{
    const double mu = 0.3, g = 9.81, v[2] = {2.0, 0.5}, speed = hypot(v[0], v[1]), stop = speed / (mu * g);
    course c = begin("world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: 0.3}\nbodies:\n"
                     "  - {name: box, shape: box, size: [0.6, 0.4, 0.2], mass: 2, position: [0, 0, 0.1], velocity: [2, "
                     "0.5, 0]}\n" FLOOR);
    double worst = 0.0, normal[CORNERS], friction[CORNERS];
    for (int k = 1; k <= 50; k++) {
        const double now = 0.02 * k, t = fmin(now, stop), path = speed * t - 0.5 * mu * g * t * t;
        go(&c, now);
        worst = fmax(worst, hypot(c.state->x[0].x - path * v[0] / speed, c.state->x[0].y - path * v[1] / speed));
        corner_forces(&c, normal, friction);
        worst = fmax(worst, fabs(sum(normal) - 2.0 * g));
        worst = fmax(worst, fabs(sum(friction) - (now < stop ? mu * 2.0 * g : 0.0)));
    }
    show(&c, "box", worst);
    assert_below(worst, 1e-12);
    size_t count;
    const dls_trajectory_event *event = dls_trajectory_events(c.exact, &count);
    assert_int_equal(count, 1);
    assert_int_equal(event->kind, DLS_EVENT_STICK);
    assert_below(fabs(event->time - stop), 1e-13);
    end(&c);
}

/* --- on a slope --- */

static void on_slope(course *c, double alpha, double mu, double across)
{
    char text[1000];
    const double half[2] = {cos(0.5 * alpha), sin(0.5 * alpha)};
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: %.17g}\nbodies:\n"
             "  - {name: box, shape: box, size: [0.6, 0.4, 0.2], mass: 2, position: [%.17g, 0, %.17g], orientation: "
             "[%.17g, 0, %.17g, 0], velocity: [0, %.17g, 0]}\n"
             "  - {name: floor, shape: plane, static: true, orientation: [%.17g, 0, %.17g, 0]}\n",
             mu, 0.1 * sin(alpha), 0.1 * cos(alpha), half[0], half[1], across, half[0], half[1]);
    *c = begin(text);
}

/* A box at rest on a slope: it stays, and no corner has more friction than its load allows. */
TEST(test_box_rests_on_a_slope)
{
    course c;
    on_slope(&c, 0.4, 0.5, 0.0);
    go(&c, 1.0);
    size_t count;
    dls_trajectory_events(c.exact, &count);
    assert_int_equal(count, 0);
    double normal[CORNERS], friction[CORNERS];
    corner_forces(&c, normal, friction);
    for (size_t k = 0; k < CORNERS; k++)
        assert_true(friction[k] <= 0.5 * normal[k]);
    assert_below(fabs(sum(normal) - 2.0 * 9.81 * cos(0.4)), 1e-12);
    assert_below(fabs(sum(friction) - 2.0 * 9.81 * sin(0.4)), 1e-12);
    assert_below(hypot(c.state->v[0], c.state->v[1]), 1e-14);
    end(&c);
}

/* A box on a slope rests if tan(alpha) <= mu, and otherwise slides with g (sin(alpha) - mu cos(alpha)), however high it
 * is and however differently its corners are loaded, as long as it does not tip, h tan(alpha) < 0.6; here the lower
 * corners carry up to nine times as much as the upper ones. Nothing happens to it. */
TEST(test_tall_box_rests_within_its_friction_angle)
{
    static const char *const laws[] = {"cone", "box"};
    const double alpha = 0.4, g = 9.81, half[2] = {cos(0.5 * alpha), sin(0.5 * alpha)};
    for (int k = 0; k < 8; k++) {
        const double high = k / 4 ? 1.14 : 0.6, mu = tan(alpha) * (k % 2 ? 1.02 : 0.98);
        char text[1000];
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, -9.81], collide: true, friction: %s, mu: %.17g}\nbodies:\n"
                 "  - {name: box, shape: box, size: [0.6, 0.4, %.17g], mass: 2, position: [%.17g, 0, %.17g], "
                 "orientation: [%.17g, 0, %.17g, 0]}\n"
                 "  - {name: floor, shape: plane, static: true, orientation: [%.17g, 0, %.17g, 0]}\n",
                 laws[k / 2 % 2], mu, high, 0.5 * high * sin(alpha), 0.5 * high * cos(alpha), half[0], half[1], half[0],
                 half[1]);
        course c = begin(text);
        go(&c, 0.5);
        size_t count;
        dls_trajectory_events(c.exact, &count);
        assert_int_equal(count, 0);
        const double speed = 0.5 * g * fmax(sin(alpha) - mu * cos(alpha), 0.0);
        assert_below(fabs(c.state->v[0] - speed * cos(alpha)), 1e-12);
        assert_below(fabs(c.state->v[2] + speed * sin(alpha)), 1e-12);
        double normal[CORNERS], friction[CORNERS];
        corner_forces(&c, normal, friction);
        for (size_t i = 0; i < CORNERS; i++)
            assert_true(normal[i] >= -1e-12 && friction[i] <= mu * normal[i] + 1e-12);
        end(&c);
    }
}

/* The same of a box that is turned about the normal of the slope, whose corners are at different distances along it. */
TEST(test_turned_box_rests_within_its_friction_angle)
{
    static const double turns[] = {0.1, 0.4, 0.7853981633974483, 1.0471975511965976, 1.4};
    static const char *const sizes[] = {"0.4, 0.4", "0.6, 0.4"};
    const double alpha = 0.4, g = 9.81;
    for (int k = 0; k < 4 * 5; k++) {
        const double mu = tan(alpha) * (k % 2 ? 1.02 : 0.98), turn = turns[k / 4];
        const double tilt[2] = {cos(0.5 * alpha), sin(0.5 * alpha)}, spin[2] = {cos(0.5 * turn), sin(0.5 * turn)};
        char text[1000];
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: %.17g}\nbodies:\n"
                 "  - {name: box, shape: box, size: [%s, 0.2], mass: 2, position: [%.17g, 0, %.17g], "
                 "orientation: [%.17g, %.17g, %.17g, %.17g]}\n"
                 "  - {name: floor, shape: plane, static: true, orientation: [%.17g, 0, %.17g, 0]}\n",
                 mu, sizes[k / 2 % 2], 0.1 * sin(alpha), 0.1 * cos(alpha), tilt[0] * spin[0], tilt[1] * spin[1],
                 tilt[1] * spin[0], tilt[0] * spin[1], tilt[0], tilt[1]);
        course c = begin(text);
        go(&c, 0.5);
        const double speed = 0.5 * g * fmax(sin(alpha) - mu * cos(alpha), 0.0);
        assert_below(fabs(c.state->v[0] - speed * cos(alpha)), 1e-12);
        assert_below(fabs(c.state->v[2] + speed * sin(alpha)), 1e-12);
        assert_below(hypot(c.state->v[3], hypot(c.state->v[4], c.state->v[5])), 1e-12);
        double normal[CORNERS], friction[CORNERS];
        corner_forces(&c, normal, friction);
        for (size_t i = 0; i < CORNERS; i++) /* each has its share of the load */
            assert_below(fabs(friction[i] - fmin(mu, tan(alpha)) * normal[i]), 1e-11);
        end(&c);
    }
}

/* Across a slope it turns downhill as a point does, without turning itself: v sin(f) / tan(f / 2)^k is constant, with
 * the angle f of its velocity from downhill and k = mu / tan(alpha) (test_motion.c). */
TEST(test_box_slides_across_a_slope)
{
    const double alpha = 0.3, k = 1.4, v0 = 2.0;
    course c;
    on_slope(&c, alpha, k * tan(alpha), v0);
    double worst = 0.0;
    int moving = 0;
    for (int i = 1; i <= 100; i++) {
        go(&c, 0.02 * i);
        const double down = cos(alpha) * c.state->v[0] - sin(alpha) * c.state->v[2], across = c.state->v[1];
        const double v = hypot(down, across), f = atan2(across, down);
        worst = fmax(worst, fabs(c.state->v[5]));
        if (v < 0.2) /* f, and with it the law, loses its digits where v is small */
            continue;
        moving++;
        worst = fmax(worst, fabs(v * sin(f) / pow(tan(0.5 * f), k) - v0));
    }
    show(&c, "box across", worst);
    assert_true(moving > 10 && moving < 90);
    assert_below(worst, 1e-11);
    end(&c);
}

/* --- pushed off its centre --- */

/* A force F along x at the height d above the centre, c = 0.1 above the floor: a = F / m - mu g, and the front corners
 * have 2 (F d + mu m g c) / 0.6 more than the rear ones; the forces of least norm are the same left and right. */
static dls_status try_push(course *c, double F, double d, double turn, double speed, dls_error *error)
{
    char text[1000];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: 0.3}\nbodies:\n"
             "  - {name: box, shape: box, size: [0.6, 0.4, 0.2], mass: 2, position: [0, 0, 0.1], velocity: [%.17g, 0, "
             "0], omega: [0, 0, %.17g], force: [%.17g, 0, 0], torque: [0, %.17g, 0]}\n" FLOOR,
             speed, turn, F, F * d);
    return try_begin(c, text, error);
}

TEST(test_box_pushed_off_its_centre)
{
    const double F = 9.0, mu = 0.3, m = 2.0, g = 9.81, a = F / m - mu * g;
    for (int moves = 0; moves < 2; moves++)
        for (int k = -1; k <= 1; k++) {
            const double d = 0.08 * k, speed = moves;
            course c;
            dls_error error;
            assert_status(try_push(&c, F, d, 0.0, speed, &error), &error);
            go(&c, 0.7);
            double worst = fabs(c.state->x[0].x - speed * 0.7 - 0.5 * a * 0.49), normal[CORNERS], friction[CORNERS];
            corner_forces(&c, normal, friction);
            const double more = 2.0 * (F * d + mu * m * g * 0.1) / 0.6;
            for (size_t i = 0; i < 4; i++) { /* the lower corners, of which every second one is at the front */
                const double load = 0.25 * (m * g + (i % 2 ? more : -more));
                worst = fmax(worst, fmax(fabs(normal[i] - load), fabs(friction[i] - mu * load)));
            }
            show(&c, moves ? "pushed" : "pushed from rest", worst);
            assert_below(worst, 1e-11);
            end(&c);
        }
}

/* --- where the shares decide --- */

TEST(test_box_that_turns_is_refused)
{
    course c;
    dls_error error;
    assert_int_equal(try_push(&c, 0.0, 0.0, 0.5, 1.0, &error), DLS_REFUSED);
    print_message("# %s\n", error.message);
    assert_non_null(strstr(error.message, "share their load in many ways"));
    end(&c);
}

/* A torque about the normal: the box begins to turn, and then its corners slide in different directions. */
TEST(test_box_that_begins_to_turn_is_refused)
{
    course c = begin("world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: 0.3}\nbodies:\n"
                     "  - {name: box, shape: box, size: [0.6, 0.4, 0.2], mass: 2, position: [0, 0, 0.1], velocity: [1, "
                     "0, 0], torque: [0, 0, 0.3]}\n" FLOOR);
    dls_error error;
    assert_int_equal(dls_trajectory_advance(c.exact, 0.1, c.state, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "share their load in many ways"));
    end(&c);
}
