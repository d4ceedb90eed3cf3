/* Balls on boxes in reference trajectories: on a face as on a plane, on a turntable, and over an edge. */
#include "courses.h"

/* A ball with spin that bounces, slides and rolls on a face of a static box moves as on a plane. */
TEST(test_ball_on_a_face)
{
    static const char *const floors[] = {
        "{name: floor, shape: plane, static: true, position: [0, 0, 0.2], orientation: [0.6, 0, 0, 0.8]}",
        "{name: floor, shape: box, size: [20, 30, 0.4], static: true, orientation: [0.6, 0, 0, 0.8]}"};
    course c[2];
    double worst = 0.0;
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: 0.3, restitution: 0.5}\nbodies:\n"
                 "  - %s\n  - {name: ball, shape: sphere, radius: 0.1, mass: 1.7, position: [0, 0, 0.5], velocity: [3, "
                 "1, 0], omega: [1, -20, 0.3]}\n",
                 floors[k]);
        c[k] = begin(text);
    }
    for (int i = 1; i <= 20; i++) {
        go(&c[0], 0.05 * i);
        go(&c[1], 0.05 * i);
        worst = fmax(worst, dls_norm(dls_sub(c[0].state->x[1], c[1].state->x[1])));
        for (int k = 0; k < 6; k++)
            worst = fmax(worst, fabs(c[0].state->v[k] - c[1].state->v[k]));
    }
    show(&c[1], "face", worst);
    assert_below(worst, 1e-12);
    end(&c[0]);
    end(&c[1]);
}

/* A ball that rolls on a table that turns with W goes round with 2 W / 7, wherever it is: v' = 2/7 W z x v, since m v'
 * = F, 2/5 m r^2 omega' = -r z x F and v - r omega x z = W z x x. */
TEST(test_ball_rolls_on_a_turntable)
{
    const double W = 3.0, r = 0.1, x[2] = {0.4, -0.2}, v[2] = {0.5, 0.3}, w = 2.0 * W / 7.0;
    char text[1000];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, -9.81], collide: true, friction: cone, mu: 5}\nbodies:\n"
             "  - {name: ball, shape: sphere, radius: %.17g, mass: 1.7, position: [%.17g, %.17g, 0.2], velocity: "
             "[%.17g, %.17g, 0], omega: [%.17g, %.17g, 0.7]}\n"
             "  - {name: table, shape: box, size: [9, 9, 0.2], kinematic: true, omega: [0, 0, %.17g]}\n",
             r, x[0], x[1], v[0], v[1], (W * x[0] - v[1]) / r, (W * x[1] + v[0]) / r, W);
    course c = begin(text);
    double worst = 0.0;
    for (int i = 1; i <= 40; i++) {
        const double t = 0.1 * i, s = sin(w * t) / w, k = (1.0 - cos(w * t)) / w;
        go(&c, t);
        worst = fmax(worst, fabs(c.state->x[0].x - x[0] - v[0] * s + v[1] * k));
        worst = fmax(worst, fabs(c.state->x[0].y - x[1] - v[1] * s - v[0] * k));
        worst = fmax(worst, fabs(c.state->x[0].z - 0.2));
    }
    show(&c, "ball on a turntable", worst);
    assert_below(worst, 1e-11);
    end(&c);
}

/* Without friction a ball that slides over an edge at v goes round it on the radius r, until r w^2 = g cos(a) at the
 * angle a from the vertical: with r^2 w^2 = v^2 + 2 g r (1 - cos(a)), cos(a) = (v^2 / (g r) + 2) / 3. */
TEST(test_ball_over_an_edge)
{
    const double v = 0.4, r = 0.1, g = 9.81, cosine = (v * v / (g * r) + 2.0) / 3.0;
    course c = begin("world: {gravity: [0, 0, -9.81], collide: true, mu: 0}\nbodies:\n"
                     "  - {name: ball, shape: sphere, radius: 0.1, mass: 1.7, position: [-0.1, 0, 0.1], velocity: "
                     "[0.4, 0, 0]}\n"
                     "  - {name: table, shape: box, size: [2, 2, 0.2], position: [-1, 0, -0.1], static: true}\n");
    go(&c, 0.4);
    size_t count;
    const dls_trajectory_event *event = dls_trajectory_events(c.exact, &count);
    show(&c, "edge", 0.0);
    assert_true(count >= 1);
    assert_int_equal(event[0].kind, DLS_EVENT_RELEASE);
    dls_error error;
    assert_status(dls_trajectory_at(c.exact, event[0].time, true, c.state, NULL, &error), &error);
    const dls_vec3 x = c.state->x[0];
    const double *u = c.state->v, energy = 0.5 * (u[0] * u[0] + u[2] * u[2]) + g * x.z;
    print_message("# cos(a) = %.17g, truth %.17g; energy off by %.1e\n", x.z / r, cosine, energy - 0.5 * v * v - g * r);
    assert_below(fabs(hypot(x.x, x.z) - r), 1e-13);
    assert_below(fabs(x.z / r - cosine), 1e-9); /* where the force, which vanishes, is 1e-11 of the largest */
    assert_below(fabs(energy - 0.5 * v * v - g * r), 1e-12);
    end(&c);
}
