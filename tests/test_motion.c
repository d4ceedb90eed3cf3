/* Reference trajectories across events, against closed forms: impacts and their limit, friction that turns and stays,
 * motors and drives that saturate, limits. */
#include "courses.h"

#define WORLD "world: {gravity: [0, 0, -9.81]}\n"

/* --- a ball bounces --- */

TEST(test_ball_bounces_to_its_limit)
{
    course c =
        begin(WORLD "bodies:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 1]}\n"
                    "joints:\n  - {name: floor, type: contact, body1: ball, point: [0, 0, 0], normal: [0, 0, 1], "
                    "gap: 1, restitution: 0.5}\n");
    double worst = 0.0;
    for (int k = 1; k <= 100; k++) {
        go(&c, 0.02 * k);
        worst = fmax(worst, fabs(c.state->x[0].z - bounce(0.02 * k, 9.81, 1.0, 0.5)));
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
    "articulations:\n"                                                                                                \
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

/* --- a cart on a spring and a belt --- */

/* The belt goes at V under the cart; s = mu m g / k is the stretch that friction holds. The cart starts at rest at a <
 * 0, and is pushed by the belt, about the centre s; faster than the belt, it is braked, about the centre -s; at the
 * speed of the belt again it is carried, until x = s, and lets go, about the centre s. */
static double belt(double t, double w, double V, double s, double a)
{
    const double t1 = asin(V / ((s - a) * w)) / w, p = -(s + (a - s) * cos(w * t1)) - s, t2 = 2.0 * atan(p * w / V) / w;
    const double x2 = -s - p * cos(w * t2) + V / w * sin(w * t2), t3 = (s - x2) / V;
    if (t < t1)
        return s + (a - s) * cos(w * t);
    t -= t1;
    if (t < t2)
        return -s - p * cos(w * t) + V / w * sin(w * t);
    t -= t2;
    return t < t3 ? x2 + V * t : s + V / w * sin(w * (t - t3));
}

TEST(test_belt_carries_and_lets_go)
{
    char text[2000];
    const double k = 30.0, m = 2.0, V = 0.5, mu = 0.25, g = 9.81, w = sqrt(k / m), s = mu * m * g / k, a = -0.3;
    snprintf(text, sizeof text,
             WORLD
             "bodies:\n  - {name: cart, shape: box, size: [1, 1, 1], mass: %.17g, position: [%.17g, 0, 0]}\n"
             "  - {name: belt, shape: box, size: [1, 1, 1], mass: 7, position: [0, 0, 0], velocity: [%.17g, 0, 0]}\n"
             "joints:\n  - {name: rail, type: slider, body1: belt, axis: [1, 0, 0]}\n"
             "  - {name: engine, type: motor, coordinates: {rail: 1}, speed: %.17g}\n"
             "  - {name: spring, type: drive, coordinates: {guide: 1}, stiffness: %.17g, damping: 0, target: %.17g}\n"
             "  - {name: guide, type: six-axis, body1: cart, axis: [1, 0, 0], axis2: [0, 1, 0], x: free, z: free}\n"
             "  - {name: friction, type: contact, body1: cart, body2: belt, point: [%.17g, 0, 0], normal: [0, 0, 1], "
             "mu: %.17g, friction: cone}\n",
             m, a, V, V, k, -a, a, mu);
    course c = begin(text);
    double worst = 0.0;
    for (int i = 1; i <= 100; i++) {
        go(&c, 0.02 * i);
        worst = fmax(worst, fabs(c.state->x[0].x - belt(0.02 * i, w, V, s, a)));
    }
    show(&c, "belt", worst);
    assert_below(worst, 1e-11);
    end(&c);
}

/* --- a ball that slides and rolls --- */

/* A ball of radius r slides at v on a plane with the spin w (backspin: w < 0): until u = v - r w is 0 it goes with -+
 * mu g, its spin changes by 5 mu g / (2 r), and it rolls from t = 2 |u| / (7 mu g) at (5 v + 2 r w) / 7. */
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

/* --- a mimic joint against a limit --- */

/* Two carts of masses m0, m1 that fall, q0 = 2 q1: q0'' = -2 g (2 m0 + m1) / (4 m0 + m1). The limit of the first throws
 * it back with half of its speed. */
TEST(test_mimic_against_a_limit)
{
    course c = begin(
        WORLD
        "articulations:\n  - name: rails\n    links:\n      - {name: ground, static: true}\n"
        "      - {name: a, parent: ground, motion: prismatic, axis: [0, 0, 1], mass: 1.5, shape: box, size: [1, 1, "
        "1]}\n"
        "      - {name: b, parent: ground, motion: prismatic, axis: [0, 0, 1], mass: 4, shape: box, size: [1, 1, 1]}\n"
        "joints:\n  - {name: gear, type: mimic, coordinates: {rails.a: 1, rails.b: -2}}\n"
        "  - {name: stop, type: limit, coordinates: {rails.a: 1}, lower: -1, restitution: 0.5}\n");
    const double g = 2.0 * 9.81 * (2.0 * 1.5 + 4.0) / (4.0 * 1.5 + 4.0);
    double worst = 0.0;
    for (int i = 1; i <= 100; i++) {
        go(&c, 0.02 * i);
        worst = fmax(worst, fabs(c.state->coordinates[0] + 1.0 - bounce(0.02 * i, g, 1.0, 0.5)));
        worst = fmax(worst, fabs(c.state->coordinates[0] - 2.0 * c.state->coordinates[1]));
    }
    show(&c, "mimic and limit", worst);
    assert_below(worst, 1e-11);
    end(&c);
}

/* --- a rod that strikes --- */

/* A rod (half its length 1, moment of inertia 1/3, mass 1) falls at the angle a from level by g0 on its lower end,
 * with e: the impulse p = (1 + e) v / (1 + 3 cos(a)^2) changes its speed by p and its spin by 3 p cos(a). */
TEST(test_rod_strikes)
{
    char text[1000];
    const double a = 0.7, gap = 0.2, e = 0.6, g = 9.81, start = sqrt(2.0 * gap / g), v = g * start;
    snprintf(text, sizeof text,
             WORLD
             "bodies:\n  - {name: rod, mass: 1, inertia: [0.3333333333333333, 0.3333333333333333, 0.001], position: "
             "[0, 0, %.17g], orientation: [%.17g, 0, %.17g, 0]}\n"
             "joints:\n  - {name: end, type: contact, body1: rod, point: [%.17g, 0, 0], normal: [0, 0, 1], gap: "
             "%.17g, restitution: %.17g}\n",
             gap + sin(a), cos(0.25 * DLS_PI - 0.5 * a), sin(0.25 * DLS_PI - 0.5 * a), -cos(a), gap, e);
    course c = begin(text);
    const double p = (1.0 + e) * v / (1.0 + 3.0 * cos(a) * cos(a)), t = start + 0.1;
    go(&c, t);
    const double z = sin(a) + 0.1 * (p - v) - 0.005 * g;
    show(&c, "rod", fabs(c.state->x[0].z - z));
    assert_below(fabs(c.state->x[0].z - z), 1e-12);
    assert_below(fabs(fabs(c.state->v[4]) - 3.0 * p * cos(a)), 1e-12);
    end(&c);
}

/* --- a cradle --- */

/* Newton's law for all contacts at once, e = 1: a ball that meets two at rest leaves (-1, 2, 2) / 3 of its speed, not
 * (0, 0, 1), which impacts one after the other give. Both keep momentum and energy. */
TEST(test_cradle_by_newtons_law)
{
    course c = begin("world: {gravity: [0, 0, 0], collide: true, restitution: 1, mu: 0}\nbodies:\n"
                     "  - {name: a, shape: sphere, radius: 0.1, mass: 1, position: [-0.3, 0, 0], velocity: [1, 0, 0]}\n"
                     "  - {name: b, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0]}\n"
                     "  - {name: c, shape: sphere, radius: 0.1, mass: 1, position: [0.2, 0, 0]}\n");
    go(&c, 1.0);
    static const double speed[] = {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
    for (int i = 0; i < 3; i++)
        assert_below(fabs(c.state->v[6 * i] - speed[i]), 1e-14);
    show(&c, "cradle", 0.0);
    end(&c);
}

/* --- Painleve's rod --- */

/* The lower end slides at 1 m/s, mu = 2, and presses its friction against the fall of the rod: its normal force would
 * accelerate the end downwards. At rest there is no solution, and with a fast spin, which lifts the end, there are two;
 * sliding the other way there is one. */
static void painleve(double slide, double spin, const char *why)
{
    char text[1000];
    const double height = sqrt(0.75);
    snprintf(text, sizeof text,
             WORLD
             "bodies:\n  - {name: rod, mass: 1, inertia: [0.3333333333333333, 0.3333333333333333, 0.001], position: "
             "[0, 0, %.17g], orientation: [0.9659258262890683, 0, 0.25881904510252074, 0], velocity: [%.17g, 0, "
             "%.17g], omega: [0, %.17g, 0]}\n"
             "joints:\n  - {name: end, type: contact, body1: rod, point: [-0.5, 0, 0], normal: [0, 0, 1], mu: 2, "
             "friction: cone}\n",
             height, slide + height * spin, -0.5 * spin, spin);
    course c;
    dls_error error = {0};
    const dls_status status = try_begin(&c, text, &error);
    print_message("# slides at %g, turns at %g: %s\n", slide, spin, status == DLS_OK ? "one solution" : error.message);
    if (why) {
        assert_int_equal(status, DLS_REFUSED);
        assert_non_null(strstr(error.message, why));
    } else
        assert_status(status, &error);
    end(&c);
}

TEST(test_painleves_rod)
{
    painleve(-1.0, 0.0, "no solution");
    painleve(-1.0, 5.0, "several solutions");
    painleve(1.0, 0.0, NULL);
}

/* --- a block that rocks --- */

/* G. Housner (1963): a block of the diagonal angle a rocks from corner to corner; each impact leaves 1 - 3/2 sin(a)^2
 * of its spin, so of the speed with which the next corner lands, until it stands. */
TEST(test_block_rocks_and_stands)
{
    course c = begin("world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: 2}\nbodies:\n"
                     "  - {name: block, shape: box, size: [0.6, 0.2, 1], mass: 1.7, position: [0, 0, 0.56], "
                     "orientation: [0.998, 0, 0.06, 0]}\n"
                     "  - {name: floor, shape: plane, static: true}\n");
    const double ratio = 1.0 - 1.5 * 0.36 / 1.36;
    size_t count, impacts = 0;
    double before = 0.0, worst = 0.0;
    go(&c, 5.0);
    const dls_trajectory_event *event = dls_trajectory_events(c.exact, &count);
    for (size_t k = 0; k < count; k++) {
        if (event[k].kind != DLS_EVENT_IMPACT)
            continue;
        if (++impacts > 2 && event[k].speed < -1e-3) /* beyond, heights are a few roundings */
            worst = fmax(worst, fabs(event[k].speed / before - ratio));
        before = event[k].speed;
    }
    show(&c, "rocking", worst);
    assert_below(worst, 1e-9);
    assert_true(event[count - 1].kind == DLS_EVENT_ACCUMULATION);
    assert_below(fabs(c.state->x[0].z - 0.5), 1e-12);
    assert_below(fabs(c.state->v[4]), 1e-12);
    end(&c);
}

/* --- sliding that turns --- */

/* A body that slides across a slope turns downhill: with the angle f of its velocity from there, k = mu / tan(alpha),
 *     v' = g (sin(alpha) cos(f) - mu cos(alpha)),  v f' = -g sin(alpha) sin(f):   v sin(f) / tan(f / 2)^k = v0
 * from f = pi / 2 on. With k > 1 it stops, and its direction turns infinitely fast there. */
TEST(test_slide_that_turns_and_stops)
{
    char text[1000];
    const double alpha = 0.3, k = 1.4, v0 = 2.0, mu = k * tan(alpha);
    snprintf(text, sizeof text,
             WORLD "bodies:\n  - {name: block, shape: box, size: [1, 1, 1], mass: 3, velocity: [0, %.17g, 0]}\n"
                   "joints:\n  - {name: slope, type: contact, body1: block, point: [0, 0, 0], normal: [%.17g, 0, "
                   "%.17g], friction: cone, mu: %.17g}\n",
             v0, sin(alpha), cos(alpha), mu);
    course c = begin(text);
    double worst = 0.0;
    int moving = 0;
    for (int i = 1; i <= 100; i++) {
        go(&c, 0.02 * i);
        const double down = cos(alpha) * c.state->v[0] - sin(alpha) * c.state->v[2], across = c.state->v[1];
        const double v = hypot(down, across), f = atan2(across, down);
        if (v < 0.2) /* f, and with it the law, loses its digits where v is small */
            continue;
        moving++;
        worst = fmax(worst, fabs(v * sin(f) / pow(tan(0.5 * f), k) - v0));
    }
    show(&c, "slide that turns", worst);
    assert_true(moving > 10 && moving < 90);
    assert_below(worst, 1e-11);
    for (int i = 0; i < 6; i++)
        assert_below(fabs(c.state->v[i]), 1e-13);
    end(&c);
}

/* Speeds of any size, the least numbers too: friction stops the block after v / (mu g), and v^2 / (2 mu g) on. */
TEST(test_speeds_of_any_size)
{
    static const double speeds[] = {5e-324, 1e-315, 1e-300, 1e-200, 1e-155, 1e-149, 1e-100, 1e-20};
    for (size_t k = 0; k < sizeof speeds / sizeof speeds[0]; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 WORLD
                 "bodies:\n  - {name: block, shape: box, size: [1, 1, 1], mass: 3, velocity: [%.17g, 0, 0], omega: "
                 "[0, 0, %.17g]}\n"
                 "joints:\n  - {name: floor, type: contact, body1: block, point: [0, 0, 0], normal: [0, 0, 1], "
                 "friction: cone, mu: 0.5}\n",
                 speeds[k], speeds[k]);
        course c = begin(text);
        go(&c, 0.5);
        assert_below(fabs(c.state->x[0].x), 1e-13);
        assert_below(fabs(c.state->v[0]), 1e-13);
        assert_close(c.state->v[5], speeds[k], 1e-12 * speeds[k]);
        end(&c);
    }
}

/* --- a joint that breaks --- */

/* B leaves A at v on a spring k at its rest length; A is held until the spring pulls with F, and goes along from there:
 * first x = v / w sin(w t), then the common centre moves on at its speed, and the spring swings at k / m, m = ma mb /
 * (ma + mb). */
TEST(test_joint_breaks)
{
    char text[2000];
    const double k = 40.0, ma = 2.0, mb = 3.0, v = 1.2, F = 9.0, w = sqrt(k / mb),
                 both = sqrt(k * (ma + mb) / (ma * mb));
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, 0]}\nbodies:\n"
             "  - {name: a, shape: sphere, radius: 0.1, mass: %.17g}\n"
             "  - {name: b, shape: sphere, radius: 0.1, mass: %.17g, position: [1, 0, 0], velocity: [%.17g, 0, 0]}\n"
             "joints:\n  - {name: hook, type: ball, body1: a, anchor: [0, 0, 0], break_force: %.17g}\n"
             "  - {name: spring, type: distance, body1: a, body2: b, anchor1: [0, 0, 0], anchor2: [1, 0, 0], "
             "stiffness: %.17g, damping: 0}\n",
             ma, mb, v, F, k);
    course c = begin(text);
    const double t1 = asin(F * w / (k * v)) / w, x1 = F / k, v1 = v * cos(w * t1), along = mb * v1 / (ma + mb);
    double worst = 0.0;
    for (int i = 1; i <= 50; i++) {
        const double t = 0.05 * i, u = t - t1, stretch = x1 * cos(both * u) + v1 / both * sin(both * u);
        go(&c, t);
        const double centre = mb * (1.0 + x1) / (ma + mb) + along * u;
        const double a = u < 0.0 ? 0.0 : centre - mb / (ma + mb) * (1.0 + stretch);
        const double b = u < 0.0 ? 1.0 + v / w * sin(w * t) : a + 1.0 + stretch;
        worst = fmax(worst, fmax(fabs(c.state->x[0].x - a), fabs(c.state->x[1].x - b)));
    }
    show(&c, "break", worst);
    assert_below(worst, 1e-11);
    assert_int_equal(c.state->broken[0], 1);
    end(&c);
}

/* --- what impacts and friction keep --- */

/* Four balls that meet in the air: momentum and angular momentum stay, with friction and e < 1, and energy does not
 * grow; with e = 1 and without friction it stays. */
static void collide(double e, double mu)
{
    char text[2000];
    snprintf(
        text, sizeof text,
        "world: {gravity: [0, 0, 0], collide: true, friction: cone, mu: %g, restitution: %g}\nbodies:\n"
        "  - {name: a, shape: sphere, radius: 0.1, mass: 1.0, position: [-0.5, 0.03, 0], velocity: [1, 0, 0.1], "
        "omega: [3, 0, 2]}\n"
        "  - {name: b, shape: sphere, radius: 0.15, mass: 2.0, position: [0, 0, 0.04]}\n"
        "  - {name: c, shape: sphere, radius: 0.1, mass: 0.7, position: [0.6, -0.02, 0], velocity: [-1.3, 0.1, 0], "
        "omega: [0, 5, 0]}\n"
        "  - {name: d, shape: sphere, radius: 0.2, mass: 1.5, position: [0, 0.7, 0], velocity: [0, -0.8, 0]}\n",
        mu, e);
    course c = begin(text);
    double before = HUGE_VAL, first = 0.0, momentum[2][6], worst = 0.0;
    size_t count;
    for (int i = 0; i <= 40; i++) {
        double now[6] = {0}, energy = 0.0;
        go(&c, 0.05 * i);
        for (size_t b = 0; b < 4; b++) {
            const dls_body *body = &dls_model_bodies(c.model)[b];
            const double *v = c.state->v + 6 * b;
            const dls_vec3 p = dls_scale(body->mass, dls_v3(v[0], v[1], v[2]));
            const dls_vec3 L =
                dls_add(dls_cross(c.state->x[b], p), dls_scale(body->inertia.m[0], dls_v3(v[3], v[4], v[5])));
            const double add[6] = {p.x, p.y, p.z, L.x, L.y, L.z};
            for (int k = 0; k < 6; k++)
                now[k] += add[k];
            energy +=
                0.5 * dls_dot(p, p) / body->mass + 0.5 * body->inertia.m[0] * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
        }
        memcpy(momentum[i > 0], now, sizeof now);
        first = i ? first : energy;
        for (int k = 0; k < 6; k++)
            worst = fmax(worst, fabs(momentum[1][k] - momentum[0][k]) * (i > 0));
        assert_true(energy <= before + 1e-13);
        before = energy;
    }
    dls_trajectory_events(c.exact, &count);
    show(&c, "collisions", worst);
    assert_true(count >= 3);
    assert_below(worst, 1e-13);
    if (e == 1.0 && mu == 0.0)
        assert_below(fabs(before - first), 1e-13);
    else
        assert_true(before < 0.99 * first);
    end(&c);
}

TEST(test_collisions_keep_what_they_must)
{
    collide(1.0, 0.0);
    collide(0.5, 0.0);
    collide(0.7, 0.4);
}

/* --- scenes without a motion in continuous time --- */

TEST(test_refusals)
{
    static char crowd[8000] = "world: {collide: true}\nbodies:\n";
    for (int i = 0; i < 40; i++)
        snprintf(crowd + strlen(crowd), sizeof crowd - strlen(crowd),
                 "  - {name: b%d, shape: sphere, radius: 0.1, mass: 1, position: [%d, 0, 0]}\n", i, i);
    const struct {
        const char *text, *why;
    } cases[] = {
        {crowd, "rows of joints and of pairs"},
        {"world: {collide: true}\nbodies:\n  - {name: a, shape: box, size: [1, 1, 1], mass: 1}\n"
         "  - {name: b, shape: box, size: [1, 1, 1], mass: 1, position: [0, 0, 3]}\n",
         "a box and a box may meet"},
        {"world: {collide: true, mu: 0.5}\nbodies:\n  - {name: a, shape: sphere, radius: 1, mass: 1, position: [0, 0, "
         "2]}\n  - {name: b, shape: plane, static: true}\n",
         "fixed bound"},
        {"world: {collide: true, mu: 0.5, friction: cone, rolling: 0.01}\nbodies:\n  - {name: a, shape: sphere, "
         "radius: "
         "1, mass: 1, position: [0, 0, 2]}\n  - {name: b, shape: plane, static: true}\n",
         "rolling or torsional"},
        {"world: {collide: true, mu: 0.5, friction: associated}\nbodies:\n  - {name: a, shape: sphere, radius: 1, "
         "mass: "
         "1, position: [0, 0, 2]}\n  - {name: b, shape: plane, static: true}\n",
         "associated friction"},
        {"world: {collide: true, mu: 0}\nbodies:\n  - {name: a, shape: sphere, radius: 1, mass: 1, position: [0, 0, "
         "0.5]}\n  - {name: b, shape: plane, static: true}\n",
         "overlaps at the start"},
        {"world: {collide: true, mu: 0.3, friction: box, restitution: 0.5, impact: stronge}\nbodies:\n"
         "  - {name: a, shape: sphere, radius: 1, mass: 1, position: [0, 0, 1], velocity: [1, 0, -1]}\n"
         "  - {name: b, shape: plane, static: true}\n",
         "Stronge's law for one contact"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        course c;
        dls_error error;
        assert_int_equal(try_begin(&c, cases[i].text, &error), DLS_REFUSED);
        print_message("# %s\n", error.message);
        assert_non_null(strstr(error.message, cases[i].why));
        end(&c);
    }
}
