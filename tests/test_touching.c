/* Bodies that touch for a long time, pass or meet, with detected contacts: the motion is that of the solids, whatever
 * the margin is from which their contacts are found. */
#include "stepping.h"
#include "world.h"

static const double margins[] = {0.0, 0.001, 0.01, 0.05};
enum { MARGINS = sizeof margins / sizeof margins[0] };

/* The ground is a plane or the top of a box. */
static const char *const grounds[] = {"shape: plane, static: true",
                                      "shape: box, size: [9, 9, 1], static: true, position: "
                                      "[0, 0, -0.5]"};

/* gravity is turned by `slope` in place of the ground; `body`: its keys. */
static void open_scene(run *r, double slope, double g, double mu, double margin, const char *ground, const char *body)
{
    char text[2048];
    snprintf(text, sizeof text,
             "world: {gravity: [%.17g, 0, %.17g], collide: true, friction: cone, mu: %.17g, contact_margin: %.17g}\n"
             "bodies:\n  - {name: ground, %s}\n  - {name: body, mass: 1.7, %s}\n",
             g * sin(slope), -g * cos(slope), mu, margin, ground, body);
    start_with(r, parse_model(text), dls_iterative_find("nsgs"), &variants[0], 200);
}

static dls_end body_of(const run *r) { return end_of(r->model, dls_simulation_state(r->simulation), 1); }

/* The axis of a cylinder along y. */
#define ACROSS "[0.7071067811865476, 0.7071067811865476, 0, 0]"

/* A sphere, a cylinder and a capsule roll by v = g sin t / (1 + I / m r^2), omega r = v. */
TEST(test_rolling)
{
    static const char *const bodies[] = {
        "shape: sphere, radius: 0.13, position: [-1, 0.2, 0.13]",
        ("shape: cylinder, radius: 0.13, length: 0.4, position: [-1, 0.2, 0.13], orientation: " ACROSS),
        "shape: sphere, radius: 0.13, position: [-1, 0.2, 0.13], inertia: [0.01, 0.01, 0.01]"};
    const double k[] = {1.4, 1.5, 1.0 + 0.01 / (1.7 * 0.13 * 0.13)}, slope = 0.35;
    for (size_t b = 0; b < 3; b++)
        for (size_t m = 0; m < MARGINS; m++)
            for (int on = 0; on < 2; on++) {
                run r;
                open_scene(&r, slope, 9.81, 0.4, margins[m], grounds[on], bodies[b]);
                run_steps(&r, 500, 1e-3);
                const dls_end end = body_of(&r);
                const double v = 9.81 * sin(slope) * 0.5 / k[b];
                assert_vector(end.v, dls_v3(v, 0, 0), 1e-9);
                assert_vector(dls_scale(0.13, end.omega), dls_v3(0, v, 0), 1e-9);
                assert_close(end.x.z, 0.13, 1e-9);
                run_stop(&r);
            }
}

/* A tall box stands on a slope below atan(0.2), and falls above it. */
TEST(test_tipping)
{
    const char *body = "shape: box, size: [0.2, 0.3, 1], position: [0.1, 0.2, 0.5]";
    for (size_t m = 0; m < MARGINS; m++)
        for (int on = 0; on < 2; on++)
            for (int falls = 0; falls < 2; falls++) {
                run r;
                open_scene(&r, atan(falls ? 0.22 : 0.19), 9.81, 0.8, margins[m], grounds[on], body);
                run_steps(&r, 700, 1e-3);
                const dls_end end = body_of(&r);
                if (falls) {
                    assert_true(end.R.m[8] < 0.999);
                } else {
                    assert_vector(end.x, dls_v3(0.1, 0.2, 0.5), 1e-9);
                    assert_close(end.R.m[8], 1.0, 1e-12);
                }
                run_stop(&r);
            }
}

/* Nothing moves what is at rest off a corner, an edge or a rim, or flies by within the margin, slower than gap / h. */
TEST(test_what_does_not_touch_is_free)
{
    static const char *const fixed[] = {
        "static: true, shape: box, size: [1, 1, 1]",
        "static: true, shape: cylinder, radius: 0.5, length: 1",
        "static: true, shape: capsule, radius: 0.5, length: 1",
    };
    static const char *const places[] = {
        /* at rest, 1 mm off the corner, the rim and the end */
        "shape: sphere, radius: 0.3, position: [0.67378, 0.67378, 0.67378]",
        "shape: sphere, radius: 0.3, position: [0.71286, 0, 0.71286]",
        "shape: sphere, radius: 0.3, position: [0, 0.48106, 1.14119]",
        /* by the edge of a box and a rim, gap 4 mm */
        "shape: box, size: [0.2, 0.2, 0.2], position: [0.604, 0.604, -1], velocity: [0, 0, 3]",
        "shape: cylinder, radius: 0.1, length: 0.3, position: [-1, 0, 0.604], velocity: [3, 0, 0], "
        "orientation: " ACROSS,
    };
    static const dls_vec3 velocity[] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 3}, {3, 0, 0}};
    for (size_t f = 0; f < 3; f++)
        for (size_t p = 0; p < 5; p++)
            for (size_t m = 1; m < MARGINS; m++) {
                run r;
                if ((p == 0 && f != 0) || (p == 1 && f != 1) || (p == 2 && f != 2) || (p == 4 && f == 2))
                    continue;
                open_scene(&r, 0.0, 0.0, 0.5, margins[m], fixed[f], places[p]);
                run_steps(&r, 600, 1e-3);
                const dls_end end = body_of(&r);
                assert_vector(end.v, velocity[p], 1e-12);
                assert_vector(end.omega, dls_v3(0, 0, 0), 1e-12);
                run_stop(&r);
            }
}

/* A body that falls onto a face ends on it, at the height of the solid itself. */
TEST(test_landing)
{
    static const char *const bodies[] = {"shape: sphere, radius: 0.5, ", "shape: box, size: [1, 1, 1], ",
                                         "shape: capsule, radius: 0.25, length: 0.5, ",
                                         "shape: cylinder, radius: 0.5, length: 1, "};
    for (size_t b = 0; b < 4; b++)
        for (size_t m = 0; m < MARGINS; m++)
            for (int on = 0; on < 2; on++) {
                run r;
                char body[200];
                snprintf(body, sizeof body, "%sposition: [0.3, 0.2, 0.53]", bodies[b]);
                open_scene(&r, 0.0, 9.81, 0.5, margins[m], grounds[on], body);
                run_steps(&r, 500, 1e-3);
                const double z = body_of(&r).x.z;
                if (margins[m] > 0.0)
                    assert_vector(body_of(&r).x, dls_v3(0.3, 0.2, 0.5), 1e-9);
                else /* found once it is below the surface: by h v at most, of which the feedback leaves nothing */
                    assert_close(z, 0.5, 1e-4);
                run_stop(&r);
            }
}

static uint64_t features_of(const dls_model *model, dls_collider *collider, const dls_state *state, uint64_t *feature)
{
    dls_contacts contacts = {0, 0, NULL};
    dls_error error;
    assert_status(dls_collider_find(collider, state, &contacts, &error), &error);
    assert_true(contacts.count <= DLS_PAIR_CONTACTS);
    (void)model;
    for (size_t k = 0; k < contacts.count; k++)
        feature[k] = contacts.at[k].feature;
    const size_t count = contacts.count;
    dls_contacts_release(&contacts);
    return count;
}

/* The names of contacts stay while a body slides and turns about the normal. */
TEST(test_features_stay)
{
    static const char *const bodies[] = {"shape: sphere, radius: 0.5, position: [0, 0, 0.499]",
                                         "shape: box, size: [1, 0.7, 1], position: [0, 0, 0.499]",
                                         "shape: capsule, radius: 0.5, length: 0.6, position: [0, 0, 0.499], "
                                         "orientation: [0.7071067811865476, 0, 0.7071067811865476, 0]",
                                         "shape: cylinder, radius: 0.5, length: 0.6, position: [0, 0, 0.499], "
                                         "orientation: [0.7071067811865476, 0, 0.7071067811865476, 0]",
                                         "shape: cylinder, radius: 0.5, length: 1, position: [0, 0, 0.499]"};
    for (size_t b = 0; b < 5; b++)
        for (int on = 0; on < 2; on++) {
            run r;
            dls_collider *collider;
            dls_error error;
            uint64_t first[DLS_PAIR_CONTACTS], now[DLS_PAIR_CONTACTS], seed = 5 + b;
            open_scene(&r, 0.0, 9.81, 0.5, 0.01, grounds[on], bodies[b]);
            assert_status(dls_collider_create(r.model, &collider, &error), &error);
            dls_state *state = new_state(r.model);
            const size_t count = features_of(r.model, collider, state, first);
            const dls_quat q = state->q[1];
            assert_true(count > 0);
            for (int k = 0; k < 200; k++) {
                state->x[1] = dls_v3(3.0 * draw(&seed), 3.0 * draw(&seed), 0.499 + 0.001 * draw(&seed));
                state->q[1] = dls_quat_mul(dls_quat_exp(dls_v3(0, 0, 0.2 * draw(&seed))), q);
                assert_int_equal(features_of(r.model, collider, state, now), count);
                assert_memory_equal(now, first, count * sizeof *now);
            }
            dls_state_destroy(state);
            dls_collider_destroy(collider);
            run_stop(&r);
        }
}
