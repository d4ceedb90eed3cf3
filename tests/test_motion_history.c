/* The motion at any time so far, against closed forms at drawn times in any order, with both limits at events. */
#include "courses.h"

#define WORLD "world: {gravity: [0, 0, -9.81]}\n"

enum { QUERIES = 200 };

static double share(uint64_t *seed) { return 0.5 + 0.5 * draw(seed); }

static void at(course *c, double time, bool left, dls_trajectory_force *rows)
{
    dls_error error;
    assert_status(dls_trajectory_at(c->exact, time, left, c->state, rows, &error), &error);
    assert_true(c->state->time == time);
}

static const char ball[] =
    WORLD "bodies:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 1]}\n"
          "joints:\n  - {name: floor, type: contact, body1: ball, point: [0, 0, 0], normal: [0, 0, 1], gap: 1, "
          "restitution: 0.5}\n";

TEST(test_ball_at_any_time)
{
    course c = begin(ball);
    double worst = 0.0;
    go(&c, 2.0);
    uint64_t seed = 1;
    for (int k = 0; k < QUERIES; k++) {
        const double t = 2.0 * share(&seed);
        at(&c, t, false, NULL);
        worst = fmax(worst, fabs(c.state->x[0].z - bounce(t, 9.81, 1.0, 0.5)));
    }
    show(&c, "ball", worst);
    assert_below(worst, 1e-12);
    end(&c);
}

/* An impact takes the speed -s, and gives e s. */
TEST(test_limits_at_an_impact)
{
    course c = begin(ball);
    go(&c, 2.0);
    size_t count;
    const dls_trajectory_event *event = dls_trajectory_events(c.exact, &count);
    double speed = sqrt(2.0 * 9.81);
    for (size_t k = 0; k < 8; k++, speed *= 0.5) {
        assert_int_equal(event[k].kind, DLS_EVENT_IMPACT);
        at(&c, event[k].time, true, NULL);
        assert_below(fabs(c.state->v[2] + speed), 1e-13);
        at(&c, event[k].time, false, NULL);
        assert_below(fabs(c.state->v[2] - 0.5 * speed), 1e-13);
    }
    end(&c);
}

/* A block that slides up a slope, turns and slides down: place, speed and friction, which jumps by 2 mu N. */
TEST(test_forces_at_any_time)
{
    char text[1000];
    const double alpha = 0.4, v0 = 2.0, g = 9.81, mu = 0.3, m = 3.0;
    snprintf(text, sizeof text,
             WORLD
             "bodies:\n  - {name: block, shape: box, size: [1, 1, 1], mass: %.17g, position: [0, 0, 0], velocity: "
             "[%.17g, 0, %.17g]}\n"
             "joints:\n  - {name: slope, type: contact, body1: block, point: [0, 0, 0], normal: [%.17g, 0, "
             "%.17g], friction: cone, mu: %.17g}\n",
             m, v0 * cos(alpha), v0 * sin(alpha), -sin(alpha), cos(alpha), mu);
    course c = begin(text);
    const double up = g * (sin(alpha) + mu * cos(alpha)), down = g * (sin(alpha) - mu * cos(alpha)), turn = v0 / up;
    const double weight = m * g * cos(alpha);
    double worst = 0.0;
    dls_trajectory_force rows[3];
    assert_int_equal(dls_trajectory_forces(c.exact, NULL), 3);
    go(&c, 1.0);
    uint64_t seed = 2;
    for (int k = 0; k < QUERIES; k++) {
        const double t = share(&seed), late = t - turn;
        at(&c, t, false, rows);
        const double s = late < 0.0 ? t * (v0 - 0.5 * up * t) : 0.5 * v0 * turn - 0.5 * down * late * late;
        worst = fmax(worst, fabs(dls_dot(c.state->x[0], dls_v3(cos(alpha), 0, sin(alpha))) - s));
        worst = fmax(worst, fabs(hypot(rows[1].speed, rows[2].speed) - (late < 0.0 ? -up * late : down * late)));
        worst = fmax(worst, fabs(rows[0].force - weight) / weight);
        worst = fmax(worst, fabs(hypot(rows[1].force, rows[2].force) - mu * weight) / weight);
    }
    show(&c, "block", worst);
    assert_below(worst, 1e-12);
    size_t count;
    const double event = dls_trajectory_events(c.exact, &count)[0].time;
    double friction[2][2];
    for (int side = 0; side < 2; side++) {
        at(&c, event, side == 0, rows);
        friction[side][0] = rows[1].force, friction[side][1] = rows[2].force;
    }
    assert_below(fabs(hypot(friction[1][0] - friction[0][0], friction[1][1] - friction[0][1]) - 2.0 * mu * weight) /
                     weight,
                 1e-10);
    end(&c);
}

/* A hook that breaks when the spring on it pulls with F (test_motion.c): held before, free after. */
TEST(test_broken_joint_before_it_broke)
{
    course c = begin("world: {gravity: [0, 0, 0]}\nbodies:\n"
                     "  - {name: a, shape: sphere, radius: 0.1, mass: 2}\n"
                     "  - {name: b, shape: sphere, radius: 0.1, mass: 3, position: [1, 0, 0], velocity: [1.2, 0, 0]}\n"
                     "joints:\n  - {name: hook, type: ball, body1: a, anchor: [0, 0, 0], break_force: 9}\n"
                     "  - {name: spring, type: distance, body1: a, body2: b, anchor1: [0, 0, 0], anchor2: [1, 0, 0], "
                     "stiffness: 40, damping: 0}\n");
    const double w = sqrt(40.0 / 3.0), broken = asin(9.0 * w / (40.0 * 1.2)) / w;
    go(&c, 1.0);
    uint64_t seed = 3;
    for (int k = 0; k < QUERIES; k++) {
        const double t = share(&seed);
        at(&c, t, false, NULL);
        assert_int_equal(c.state->broken[0], t > broken);
        if (t < broken)
            assert_below(fabs(c.state->x[1].x - 1.0 - 1.2 / w * sin(w * t)), 1e-12);
    }
    end(&c);
}

/* Queries change nothing that follows. */
TEST(test_queries_leave_no_trace)
{
    course asked = begin(ball), silent = begin(ball);
    for (int k = 1; k <= 10; k++) {
        go(&silent, 0.19 * k);
        go(&asked, 0.19 * k);
        assert_memory_equal(asked.state->v, silent.state->v, 6 * sizeof(double));
        assert_memory_equal(asked.state->x, silent.state->x, sizeof *silent.state->x);
        for (int q = 0; q < 5; q++)
            at(&asked, 0.19 * k * 0.2 * q, q % 2 == 0, NULL);
    }
    assert_int_equal(dls_trajectory_reported(asked.exact).evaluations,
                     dls_trajectory_reported(silent.exact).evaluations);
    end(&asked);
    end(&silent);
}

/* A motion without a continuation is known up to its end. */
TEST(test_motion_that_ended)
{
    course c = begin("world: {gravity: [0, 0, 0]}\nbodies:\n"
                     "  - {name: a, shape: sphere, radius: 0.1, mass: 2, velocity: [1, 0, 0]}\n"
                     "joints:\n  - {name: stop, type: contact, body1: a, point: [0, 0, 0], normal: [-1, 0, 0], gap: 1, "
                     "mu: 0.3, friction: box, restitution: 0.5, impact: stronge}\n");
    dls_error error;
    assert_int_equal(dls_trajectory_advance(c.exact, 2.0, c.state, &error), DLS_REFUSED);
    for (int k = 0; k <= 4; k++) {
        at(&c, 0.25 * k, true, NULL);
        assert_below(fabs(c.state->x[0].x - 0.25 * k), 1e-14);
        assert_below(fabs(c.state->v[0] - 1.0), 1e-14);
    }
    assert_int_equal(dls_trajectory_at(c.exact, 1.5, true, c.state, NULL, &error), DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "is known from"));
    end(&c);
}

TEST(test_no_history)
{
    dls_trajectory_settings settings = dls_trajectory_default();
    course c = {.model = parse_model(ball)};
    dls_error error;
    settings.events = true;
    c.state = new_state(c.model);
    assert_status(dls_trajectory_create(c.model, dls_model_initial(c.model), &settings, &c.exact, &error), &error);
    assert_int_equal(dls_trajectory_at(c.exact, 0.0, false, c.state, NULL, &error), DLS_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "history"));
    end(&c);
}
