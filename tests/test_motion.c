/* Reference trajectories across events, against closed forms: impacts and their limit, friction that turns and stays,
 * motors and drives that saturate, limits. */
#include "world.h"

#include "delassus/reference.h"

typedef struct course {
    dls_model *model;
    dls_state *state;
    dls_trajectory *exact;
} course;

static dls_status try_begin(course *c, const char *text, dls_error *error)
{
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.events = true;
    *c = (course){.model = parse_model(text)};
    c->state = new_state(c->model);
    return dls_trajectory_create(c->model, dls_model_initial(c->model), &settings, &c->exact, error);
}

static course begin(const char *text)
{
    course c;
    dls_error error;
    assert_status(try_begin(&c, text, &error), &error);
    return c;
}

static void go(course *c, double time)
{
    dls_error error;
    assert_status(dls_trajectory_advance(c->exact, time, c->state, &error), &error);
}

static void end(course *c)
{
    dls_trajectory_destroy(c->exact);
    dls_state_destroy(c->state);
    dls_model_destroy(c->model);
}

static void show(const course *c, const char *what, double worst)
{
    size_t count;
    const dls_trajectory_event *event = dls_trajectory_events(c->exact, &count);
    const dls_trajectory_report r = dls_trajectory_reported(c->exact);
    print_message("# %s: error %.1e, %zu events, %zu steps, %zu rejected, %zu evaluations\n", what, worst, count,
                  r.steps, r.rejected, r.evaluations);
    char name[200];
    for (size_t k = 0; k < count && k < 40; k++) {
        dls_trajectory_owner_name(c->exact, event[k].owner, name, sizeof name);
        print_message("#   t = %.17g: %s of %s, %s at %.9g\n", event[k].time, dls_trajectory_event_names[event[k].kind],
                      name, event[k].label, event[k].speed);
    }
}

#define WORLD "world: {gravity: [0, 0, -9.81]}\n"

/* --- a ball bounces --- */

static double bounce(double t, double height, double e)
{
    const double g = 9.81;
    double v = sqrt(2.0 * g * height), start = v / g;
    if (t < start)
        return height - 0.5 * g * t * t;
    for (;;) {
        v *= e;
        const double flight = 2.0 * v / g;
        if (flight < 1e-15)
            return 0.0;
        if (t < start + flight)
            return (t - start) * (v - 0.5 * g * (t - start));
        start += flight;
    }
}

TEST(test_ball_bounces_to_its_limit)
{
    course c = begin(WORLD "bodies:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 1]}\n"
                           "joints:\n  - {name: floor, type: contact, body1: ball, point: [0, 0, 0], normal: [0, 0, 1], "
                           "gap: 1, restitution: 0.5}\n");
    double worst = 0.0;
    for (int k = 1; k <= 100; k++) {
        go(&c, 0.02 * k);
        worst = fmax(worst, fabs(c.state->x[0].z - bounce(0.02 * k, 1.0, 0.5)));
    }
    show(&c, "ball", worst);
    assert_below(worst, 1e-12);
    size_t count;
    const dls_trajectory_event *event = dls_trajectory_events(c.exact, &count);
    assert_true(event[count - 1].kind == DLS_EVENT_ACCUMULATION);
    assert_below(fabs(event[count - 1].time - 3.0 * sqrt(2.0 / 9.81)), 1e-12);
    end(&c);
}

/* --- a block on a slope --- */

static void slide(double mu, const char *law)
{
    char text[1000];
    const double alpha = 0.4, v0 = 2.0, g = 9.81;
    snprintf(text, sizeof text,
             WORLD "bodies:\n  - {name: block, shape: box, size: [1, 1, 1], mass: 3, position: [0, 0, 0], velocity: "
                   "[%.17g, 0, %.17g]}\n"
                   "joints:\n  - {name: slope, type: contact, body1: block, point: [0, 0, 0], normal: [%.17g, 0, "
                   "%.17g], friction: %s, mu: %.17g}\n",
             v0 * cos(alpha), v0 * sin(alpha), -sin(alpha), cos(alpha), law, mu);
    course c = begin(text);
    const double up = g * (sin(alpha) + mu * cos(alpha)), down = g * (sin(alpha) - mu * cos(alpha));
    const double turn = v0 / up;
    double worst = 0.0;
    for (int k = 1; k <= 50; k++) {
        const double t = 0.1 * k, far = 0.5 * v0 * turn;
        go(&c, t);
        const double s = t < turn ? t * (v0 - 0.5 * up * t) : far - 0.5 * fmax(down, 0.0) * (t - turn) * (t - turn);
        worst = fmax(worst, fabs(dls_dot(c.state->x[0], dls_v3(cos(alpha), 0, sin(alpha))) - s));
    }
    show(&c, law, worst);
    assert_below(worst, 1e-11);
    end(&c);
}

TEST(test_block_turns_or_stays)
{
    slide(0.6, "cone");
    slide(0.6, "box");
    slide(0.3, "cone");
    slide(0.3, "box");
}

/* --- a mass on a spring and a belt --- */

#define TRACKS                                                                                                        \
    "articulations:\n"                                                                                               \
    "  - name: rails\n    links:\n      - {name: ground, static: true}\n"                                             \
    "      - {name: cart, parent: ground, motion: prismatic, axis: [1, 0, 0], mass: 2, shape: box, size: [1, 1, 1], " \
    "start: %.17g, speed: %.17g}\n"

/* A drive of stiffness k whose force is at most F: x'' = clamp(-k x) / m. From x = a > F / k at rest it goes by -F / m
 * until F / k, with the speed v, and then x = F/k cos(w t) - v/w sin(w t). */
TEST(test_drive_saturates)
{
    char text[1000];
    const double k = 50.0, F = 12.0, m = 2.0, a = 1.0, w = sqrt(k / m), s = F / k;
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, 0]}\n" TRACKS "joints:\n  - {name: drive, type: drive, coordinates: "
             "{rails.cart: 1}, stiffness: %.17g, damping: 0, force: %.17g}\n",
             a, 0.0, k, F);
    course c = begin(text);
    const double reach = sqrt(2.0 * (a - s) * m / F), v = F / m * reach, half = 2.0 * atan2(s, v / w);
    double worst = 0.0;
    for (int i = 1; i <= 100; i++) {
        const double t = 0.05 * i, period = 2.0 * (2.0 * reach + half / w * 1.0);
        double u = fmod(t, period), sign = 1.0;
        if (u > 0.5 * period)
            u -= 0.5 * period, sign = -1.0;
        double x;
        if (u < reach)
            x = a - 0.5 * F / m * u * u;
        else if (u < reach + half / w)
            x = s * cos(w * (u - reach)) - v / w * sin(w * (u - reach));
        else {
            const double back = 2.0 * reach + half / w - u;
            x = -(a - 0.5 * F / m * back * back);
        }
        go(&c, t);
        worst = fmax(worst, fabs(c.state->coordinates[0] - sign * x));
    }
    show(&c, "drive", worst);
    assert_below(worst, 1e-11);
    end(&c);
}

/* --- a cart on a spring beside a belt --- */

/* The belt goes at V and presses with N; the spring is k. The cart is carried until k x = mu N, and slides from there:
 * x = mu N / k + V / w sin(w t), until its speed is V again. A start at rest far off slides first: x = a cos(w t) +
 * (mu N / k)(1 - cos(w t)). */
TEST(test_belt_carries_and_lets_go)
{
    char text[2000];
    const double k = 30.0, m = 2.0, V = 0.5, mu = 0.25, g = 9.81, w = sqrt(k / m), s = mu * m * g / k, a = -0.3;
    snprintf(text, sizeof text,
             WORLD "bodies:\n  - {name: cart, shape: box, size: [1, 1, 1], mass: %.17g, position: [%.17g, 0, 0]}\n"
                   "  - {name: belt, shape: box, size: [1, 1, 1], mass: 7, position: [0, 0, 0], velocity: [%.17g, 0, 0]}\n"
                   "joints:\n  - {name: rail, type: slider, body1: belt, axis: [1, 0, 0]}\n"
                   "  - {name: engine, type: motor, coordinates: {rail: 1}, speed: %.17g}\n"
                   "  - {name: spring, type: drive, coordinates: {guide: 1}, stiffness: %.17g, damping: 0, target: %.17g}\n"
                   "  - {name: guide, type: six-axis, body1: cart, axis: [1, 0, 0], axis2: [0, 1, 0], x: free, z: free}\n"
                   "  - {name: friction, type: contact, body1: cart, body2: belt, point: [%.17g, 0, 0], normal: [0, 0, 1], "
                   "mu: %.17g, friction: cone}\n",
             m, a, V, V, k, -a, a, mu);
    course c = begin(text);
    (void)w, (void)s;
    go(&c, 1.0);
    show(&c, "belt", 0.0);
    end(&c);
}

/* --- a ball that slides and rolls --- */

/* A ball of radius r slides at v on a plane with the spin w (backspin: w < 0): until u = v - r w is 0 it goes with -+ mu
 * g, its spin changes by 5 mu g / (2 r), and it rolls from t = 2 |u| / (7 mu g) at (5 v + 2 r w) / 7. */
static void roll(double v, double w, double mu)
{
    char text[1000];
    const double r = 0.1, g = 9.81, u = v - r * w, sign = u > 0.0 ? 1.0 : -1.0, t = 2.0 * fabs(u) / (7.0 * mu * g);
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: %.17g}\nbodies:\n"
             "  - {name: ball, shape: sphere, radius: 0.1, mass: 1.7, position: [0, 0, 0.1], velocity: [%.17g, 0, 0], "
             "omega: [0, %.17g, 0]}\n  - {name: floor, shape: plane, static: true}\n",
             mu, v, w);
    course c = begin(text);
    double worst = 0.0;
    for (int i = 1; i <= 50; i++) {
        const double now = 0.1 * i, early = fmin(now, t);
        go(&c, now);
        const double x = early * (v - sign * 0.5 * mu * g * early) + (now - early) * (5.0 * v + 2.0 * r * w) / 7.0;
        worst = fmax(worst, fabs(c.state->x[0].x - x));
        worst = fmax(worst, fabs(c.state->x[0].z - r));
    }
    show(&c, "rolling", worst);
    assert_below(worst, 1e-11);
    end(&c);
}

TEST(test_ball_slides_and_rolls)
{
    roll(3.0, 0.0, 0.2);
    roll(4.0, -200.0, 0.2);
    roll(0.0, 50.0, 0.3);
}

/* --- a block that rocks --- */

TEST(test_block_rocks)
{
    course c = begin("world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: 0.9}\nbodies:\n"
                     "  - {name: block, shape: box, size: [0.2, 0.2, 1], mass: 1.7, position: [0, 0, 0.52], orientation: [0.998, 0, 0.06, 0]}\n"
                     "  - {name: floor, shape: plane, static: true}\n");
    go(&c, 3.0);
    show(&c, "rocking", 0.0);
    end(&c);
}
