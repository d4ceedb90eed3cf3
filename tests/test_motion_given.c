/* Kinematic bodies in reference trajectories: a belt, a turntable and a shaker, against closed forms. */
#include "courses.h"

#define WORLD "world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: 0.4, restitution: 0}\n"

static const double g = 9.81;

/* A box at rest on a belt at V slides until it has this speed, at V / (mu g), and is carried from there. */
TEST(test_box_on_a_belt)
{
    course c =
        begin(WORLD "bodies:\n  - {name: box, shape: box, size: [0.6, 0.4, 0.2], mass: 2, position: [0, 0, 0.1]}\n"
                    "  - {name: belt, shape: plane, kinematic: true, velocity: [1.5, -0.5, 0]}\n");
    const double V = hypot(1.5, 0.5), held = V / (0.4 * g);
    double worst = 0.0;
    for (int k = 1; k <= 50; k++) {
        const double now = 0.02 * k, t = fmin(now, held), path = 0.5 * 0.4 * g * t * t + V * (now - t);
        go(&c, now);
        worst = fmax(worst, hypot(c.state->x[0].x - path * 1.5 / V, c.state->x[0].y + path * 0.5 / V));
        worst = fmax(worst, fabs(c.state->x[1].x - 1.5 * now));
    }
    show(&c, "belt", worst);
    assert_below(worst, 1e-12);
    size_t count;
    const dls_trajectory_event *event = dls_trajectory_events(c.exact, &count);
    assert_int_equal(count, 1);
    assert_int_equal(event->kind, DLS_EVENT_STICK);
    assert_below(fabs(event->time - held), 1e-13);
    end(&c);
}

/* A mass that a turntable carries at the radius r goes round, for w^2 r < mu g; its friction is m w^2 r. */
TEST(test_mass_on_a_turntable)
{
    course c = begin("world: {gravity: [0, 0, -9.81]}\nbodies:\n"
                     "  - {name: mass, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], velocity: [0, 1, 0]}\n"
                     "  - {name: table, shape: box, size: [2, 2, 0.1], kinematic: true, omega: [0, 0, 2]}\n"
                     "joints:\n  - {name: foot, type: contact, body1: mass, body2: table, point: [0.5, 0, 0], normal: "
                     "[0, 0, 1], mu: 0.4, friction: cone}\n");
    double worst = 0.0;
    dls_trajectory_force rows[3];
    for (int k = 1; k <= 40; k++) {
        const double t = 0.1 * k;
        go(&c, t);
        worst = fmax(worst, hypot(c.state->x[0].x - 0.5 * cos(2.0 * t), c.state->x[0].y - 0.5 * sin(2.0 * t)));
        assert_int_equal(dls_trajectory_forces(c.exact, rows), 3);
        worst = fmax(worst, fabs(hypot(rows[1].force, rows[2].force) - 2.0 * 4.0 * 0.5));
    }
    show(&c, "turntable", worst);
    assert_below(worst, 1e-11);
    end(&c);
}

/* A plate swings by z = A sin(w t). A ball on it is thrown where A w^2 sin(w t) = g, with A w cos(w t), and flies until
 * both meet again; it has no rebound. */
TEST(test_ball_on_a_shaker)
{
    const double A = 0.02, period = 0.2, w = 2.0 * DLS_PI / period, thrown = asin(g / (A * w * w)) / w;
    course c =
        begin(WORLD "bodies:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 0.1], velocity: "
                    "[0, 0, 0.62831853071795864]}\n"
                    "  - {name: plate, shape: plane, kinematic: true, swing: [0, 0, 0.02], period: 0.2 s}\n");
    double from = thrown + 0.01, to = thrown + period;
    const double z = A * sin(w * thrown), v = A * w * cos(w * thrown);
    for (int k = 0; k < 100; k++) { /* where they meet */
        const double t = 0.5 * (from + to), u = t - thrown;
        if (z + u * (v - 0.5 * g * u) > A * sin(w * t))
            from = t;
        else
            to = t;
    }
    double worst = 0.0;
    for (int k = 1; k <= 30; k++) {
        const double t = to * k / 30.5, u = t - thrown;
        go(&c, t);
        const double height = u < 0.0 ? A * sin(w * t) : z + u * (v - 0.5 * g * u);
        worst = fmax(worst, fabs(c.state->x[0].z - 0.1 - height));
    }
    go(&c, to + 1e-3);
    show(&c, "shaker", worst);
    assert_below(worst, 1e-13);
    size_t count;
    const dls_trajectory_event *event = dls_trajectory_events(c.exact, &count);
    assert_int_equal(event[0].kind, DLS_EVENT_RELEASE);
    assert_below(fabs(event[0].time - thrown), 1e-10);
    assert_int_equal(event[1].kind, DLS_EVENT_IMPACT);
    assert_below(fabs(event[1].time - to), 1e-12);
    assert_below(fabs(event[1].speed - (v - g * (to - thrown) - A * w * cos(w * to))), 1e-11);
    end(&c);
}

/* The point of a pendulum that swings along: phi'' = -(g / l) sin(phi) - (X'' / l) cos(phi), l reduced. Energy of the
 * motion relative to the point, with a point at constant speed, is that of a pendulum at rest: Galilei. */
TEST(test_pendulum_on_a_wagon)
{
    static const char scene[] =
        "world: {gravity: [0, 0, -9.81]}\nbodies:\n"
        "  - {name: rod, mass: 1, inertia: [0.0833, 0.0833, 0.001], position: [0, 0, -0.5], velocity: [%g, 0, 0], "
        "omega: [0, 0, 0]}\n"
        "  - {name: wagon, shape: box, size: [1, 1, 1], kinematic: true, velocity: [%g, 0, 0]}\n"
        "joints:\n  - {name: pin, type: hinge, body1: rod, body2: wagon, anchor: [0, 0, 0], axis: [0, 1, 0]}\n"
        "  - {name: push, type: motor, coordinates: {pin: 1}, speed: 3, force: 2}\n";
    course c[2];
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(text, sizeof text, scene, 2.0 * k, 2.0 * k);
        c[k] = begin(text);
    }
    double worst = 0.0;
    for (int k = 1; k <= 20; k++) {
        go(&c[0], 0.05 * k);
        go(&c[1], 0.05 * k);
        worst = fmax(worst, fabs(c[1].state->x[0].x - 2.0 * 0.05 * k - c[0].state->x[0].x));
        worst = fmax(worst, fabs(c[1].state->v[4] - c[0].state->v[4]));
    }
    show(&c[1], "wagon", worst);
    assert_below(worst, 1e-12);
    end(&c[0]);
    end(&c[1]);
}

/* --- schedules --- */

#define CART                                                                                                      \
    "world: {gravity: [0, 0, 0]}\narticulations:\n  - name: rail\n    links:\n"                                   \
    "      - {name: root, static: true}\n      - {name: cart, parent: root, motion: prismatic, axis: [1, 0, 0], " \
    "shape: sphere, radius: 0.1, mass: 2}\njoints:\n"                                                             \
    "  - {name: drive, type: drive, coordinates: {rail.cart: 1}, stiffness: 50, "

/* m x'' = -k (x - A sin(W t)): x = A w^2 / (w^2 - W^2) (sin(W t) - W / w sin(w t)). */
TEST(test_drive_that_follows_a_sine)
{
    course c = begin(CART "damping: 0, schedule: sine, amplitude: 0.3, period: 0.7 s}\n");
    const double w = 5.0, W = 2.0 * DLS_PI / 0.7, size = 0.3 * w * w / (w * w - W * W);
    double worst = 0.0;
    for (int k = 1; k <= 40; k++) {
        const double t = 0.05 * k;
        go(&c, t);
        worst = fmax(worst, fabs(c.state->coordinates[0] - size * (sin(W * t) - W / w * sin(w * t))));
    }
    show(&c, "sine", worst);
    assert_below(worst, 1e-13);
    end(&c);
}

/* y = x - target between kinks: m y'' = -k y - d y', from y, y' that jumps by the rate of the target. */
typedef struct damped {
    double y, speed;
} damped;

static damped swing_on(damped from, double t)
{
    const double decay = 6.0 / (2.0 * 2.0), w = sqrt(50.0 / 2.0 - decay * decay), c = cos(w * t), s = sin(w * t);
    const double b = (from.speed + decay * from.y) / w, e = exp(-decay * t);
    return (damped){e * (from.y * c + b * s), e * (-decay * (from.y * c + b * s) + w * (b * c - from.y * s))};
}

/* Targets 0.2, 0.8, 0.5 at 0.3, 0.7, 1.3 s: constant before and after, straight between. The times that are asked for
 * are not those of the table. A spline through points of one line is that line. */
static void follow_table(const char *kind, const double target[4])
{
    static const double times[] = {0.0, 0.3, 0.7, 1.3, 9.0};
    char text[1000];
    snprintf(text, sizeof text,
             CART "damping: 6, schedule: %s, times: [0.3, 0.7, 1.3], targets: [%.17g, %.17g, %.17g]}\n", kind,
             target[1], target[2], target[3]);
    course c = begin(text);
    double worst = 0.0;
    for (int i = 1; i <= 41; i++) {
        const double t = 0.05 * i + 0.003;
        damped now = {-target[0], 0.0};
        double x = 0.0, rate = 0.0;
        for (int k = 0; k < 4 && times[k] < t; k++) {
            const double next = k < 1 || k > 2 ? 0.0 : (target[k + 1] - target[k]) / (times[k + 1] - times[k]);
            const double until = fmin(t, times[k + 1]);
            now.speed += rate - next;
            rate = next;
            now = swing_on(now, until - times[k]);
            x = now.y + target[k] + rate * (until - times[k]);
        }
        go(&c, t);
        worst = fmax(worst, fabs(c.state->coordinates[0] - x));
    }
    show(&c, kind, worst);
    assert_below(worst, 1e-13);
    double at_kink[2];
    dls_error error;
    dls_trajectory_force row;
    for (int right = 0; right < 2; right++) { /* the force of the damper jumps with the rate of the target */
        assert_status(dls_trajectory_at(c.exact, 0.3, !right, c.state, &row, &error), &error);
        at_kink[right] = row.force;
    }
    assert_below(fabs(at_kink[1] - at_kink[0] - 6.0 * (target[2] - target[1]) / 0.4), 1e-12);
    end(&c);
}

TEST(test_drive_that_follows_a_table)
{
    follow_table("table", (const double[]){0.2, 0.2, 0.8, 0.5});
    follow_table("table", (const double[]){0.2, 0.2, 0.4, 0.7});
    follow_table("spline", (const double[]){0.2, 0.2, 0.4, 0.7});
}
