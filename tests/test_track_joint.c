/* The track joint: its rows against finite differences along the motion, and rides that are known in closed form. */
#include "model/model.h"
#include "world.h"

#include "delassus/reference.h"

/* --- rows --- */

/* Every kind of curve and of twist, tilted; the pieces of the composite have bends along N and along B. */
#define TRACKS                                                                                                     \
    "tracks:\n"                                                                                                    \
    "  - name: line\n"                                                                                             \
    "    curve: {type: line, start: [0.3, -0.2, 0.9], tangent: [1, 0.3, -0.2], length: 3.1}\n"                     \
    "    twist: {type: linear, start: 0.3, rate: 0.7}\n"                                                           \
    "  - name: arc\n"                                                                                              \
    "    curve: {type: arc, tangent: [0.2, 1, 0.1], normal: [1, 0.3, 0.4], radius: 1.3, angle: 200 deg, bend: 35 " \
    "deg}\n"                                                                                                       \
    "    twist: {type: constant, angle: -20 deg}\n"                                                                \
    "  - name: helix\n"                                                                                            \
    "    curve: {type: helix, axis: [0.2, 0.1, 1], normal: [1, 0.2, 0], radius: 0.9, pitch: 1.7, turns: 2}\n"      \
    "    twist: {type: linear, rate: -0.4}\n"                                                                      \
    "  - name: clothoid\n"                                                                                         \
    "    curve: {type: clothoid, length: 2.7, start_curvature: -0.4, end_curvature: 1.1, bend: 60 deg}\n"          \
    "  - name: spline\n"                                                                                           \
    "    curve:\n"                                                                                                 \
    "      type: spline\n"                                                                                         \
    "      closed: true\n"                                                                                         \
    "      frame: up\n"                                                                                            \
    "      points: [[0, 0, 0], [1.3, 0.2, 0.3], [1.6, 1.4, 0.1], [0.2, 1.9, -0.4], [-0.7, 0.8, 0.2]]\n"            \
    "    twist: {type: spline, points: [[0.3, 10 deg], [1.9, -25 deg], [4.1, 0.2]]}\n"                             \
    "  - name: composite\n"                                                                                        \
    "    curve:\n"                                                                                                 \
    "      type: composite\n"                                                                                      \
    "      chained: true\n"                                                                                        \
    "      pieces:\n"                                                                                              \
    "        - {type: line, length: 0.8}\n"                                                                        \
    "        - {type: clothoid, length: 0.9, end_curvature: 0.8}\n"                                                \
    "        - {type: arc, radius: -1.4, angle: 70 deg, bend: 90 deg}\n"

#define PAIR                                                                                                           \
    "bodies:\n"                                                                                                        \
    "  - {name: wagon, shape: box, size: [0.6, 0.3, 0.2], mass: 1.7, position: [0.2, 0.1, -0.3]}\n"                    \
    "  - {name: carrier, shape: box, size: [0.9, 1.4, 0.5], mass: 3.9, position: [0.7, 0.4, 0.3], orientation: [0.6, " \
    "0.48, 0.64, 0]}\n"

static const char *const curves[] = {"line", "arc", "helix", "clothoid", "spline", "composite"};
static const char *const updates[] = {"before", "after", "nearest"};
static const char *const ways[] = {"speed: 0.7",
                                   "angle: vector, speed: 0.7, support: two-sided",
                                   "roll: false",
                                   "pitch: false, ends: leave",
                                   "yaw: false, lateral: false",
                                   "roll: false, yaw: false, support: none"};
enum { CURVES = 6, UPDATES = 3, WAYS = 6, POSES = 6 };

static dls_track_ride ride_of(const dls_model *model, const dls_state *state, const char *name)
{
    const dls_joint *joint = joint_named(model, name);
    dls_end end[2];
    ends_of(model, state, joint, end);
    return dls_track_ride_of(joint, end);
}

/* The force of the model's first joint in the last step. */
static dls_track_forces forces_of(const run *r)
{
    return dls_track_forces_of(r->model, 0, dls_simulation_rows(r->simulation), dls_simulation_impulses(r->simulation),
                               dls_simulation_problem(r->simulation)->h);
}

/* Body 1 (a free body) to where its anchor is off the point of the track at s by N and B alone, and its axes are
 * turned by phi. */
static void put_on_track(const dls_model *model, dls_state *state, const dls_joint *joint, double s, double off_N,
                         double off_B, dls_vec3 phi)
{
    dls_end end[2];
    state->joint_state[joint->joint_state] = s;
    ends_of(model, state, joint, end);
    dls_curve_point F = dls_track_ride_of(joint, end).frame;
    const dls_mat3 axes = {{F.T.x, F.N.x, F.B.x, F.T.y, F.N.y, F.B.y, F.T.z, F.N.z, F.B.z}};
    size_t body = joint->body[0];
    dls_quat q = dls_quat_mul(dls_quat_mul(dls_matrix_quat(axes), dls_quat_exp(phi)), dls_quat_conj(joint->frame[0].q));
    dls_vec3 A = dls_add(F.P, dls_add(dls_scale(off_N, F.N), dls_scale(off_B, F.B)));
    state->q[body] = dls_quat_unit(q);
    state->x[body] = dls_sub(A, dls_quat_rotate(state->q[body], joint->frame[0].p));
}

/* C of both functions that check, the state of the joint moved along with the bodies. */
static double disagreement(const dls_model *model, const dls_state *state)
{
    dls_jacobian_check columns[4];
    double ends;
    dls_error error;
    assert_true(dls_model_count(model).joints <= 4);
    assert_status(dls_check_columns(model, state, DLS_CHECK_STEP, columns, &error), &error);
    assert_status(dls_check_jacobians(model, state, DLS_CHECK_STEP, &ends, NULL, NULL, &error), &error);
    for (size_t j = 0; j < dls_model_count(model).joints; j++)
        ends = fmax(ends, columns[j].worst);
    return ends;
}

static double worst_of(dls_model *model, bool far, uint64_t *seed)
{
    dls_state *state = new_state(model);
    const dls_joint *joint = joint_named(model, "ride");
    double worst = 0.0;
    for (int pose = 0; pose < POSES; pose++) {
        double size = far && pose % 2 ? 0.3 : 0.0, x = draw(seed);
        double s = dls_track_of(joint)->curve->length *
                   (0.5 + copysign(0.02, x) + 0.4 * x); /* half way the nearer stop is another */
        stir(model, state, 0.5, seed);
        put_on_track(model, state, joint, s, size * draw(seed), size * draw(seed), dls_scale(3.0 * size, draw3(seed)));
        worst = fmax(worst, disagreement(model, state));
    }
    dls_state_destroy(state);
    dls_model_destroy(model);
    return worst;
}

TEST(test_rows_are_derivatives_along_the_motion)
{
    uint64_t seed = 5;
    for (int curve = 0; curve < CURVES; curve++) {
        double worst = 0.0;
        for (int k = 0; k < UPDATES * WAYS; k++) {
            char joint[400];
            snprintf(joint, sizeof joint,
                     "joints: [{name: ride, type: track, body1: wagon, body2: %s, track: %s, update: %s, anchor: [0.3, "
                     "0.1, -0.2], s: 1.2, tolerance: 9, %s}]\n",
                     k % 4 == 3 ? "world" : "carrier", curves[curve], updates[k % UPDATES], ways[k / UPDATES]);
            worst = fmax(worst, worst_of(parse_parts(PARTS(PAIR, TRACKS, joint)), true, &seed));
        }
        print_message("# %s: rows against finite differences %.1e\n", curves[curve], worst);
        assert_below(worst,
                     1e-8); /* differences across a knot of a spline, or near a quarter of a turn, are the worst */
    }
}

TEST(test_track_on_a_link)
{
    uint64_t seed = 6;
    static const char *const links[] = {"arm.tool", "bird.left", "arm.base"};
    for (int k = 0; k < 3; k++) {
        char joint[300];
        snprintf(
            joint, sizeof joint,
            "joints: [{name: ride, type: track, body1: stone, body2: %s, track: %s, s: 1.2, tolerance: 9, speed: 1}]\n",
            links[k], curves[2 + k]);
        double worst = worst_of(parse_parts(PARTS(TWO_TREES, TRACKS, joint)), true, &seed);
        print_message("# on %s: %.1e\n", links[k], worst);
        assert_below(worst, 1e-8);
    }
}

/* --- rides --- */

static const dls_solver *direct(void) { return dls_direct_find("block-pivoting"); }

/* Helix under gravity, the body's axes along T, N, B: with s' = u, v = u T and omega = u (t T + c B),
 *     T = u^2/2 (m + I_T t^2 + I_B c^2),   so   a = g sin(slope) m / (m + I_T t^2 + I_B c^2)       whatever holds it.
 *     */
static dls_model *helix_model(const char *joint, double *a)
{
    const double radius = 1.2, k = 0.5, m = 2.3, I_T = 0.41, I_B = 0.87; /* pitch 2 pi k, downwards */
    const double w2 = 1.0 / (radius * radius + k * k), t = k * w2, c = radius * w2, g = 9.81;
    *a = g * k * sqrt(w2) * m / (m + I_T * t * t + I_B * c * c);
    char text[1500];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, -9.81], gyroscopic: implicit}\n"
             "tracks: [{name: rail, curve: {type: helix, start: [1.2, 0, 0], normal: [-1, 0, 0], axis: [0, 0, 1], "
             "radius: 1.2, pitch: -3.1415926535897931, turns: 1}}]\n"
             "bodies: [{name: bead, mass: 2.3, inertia: [0.41, 0.52, 0.87], position: [1.2, 0, 0]}]\n"
             "joints: [{name: ride, type: track, body1: bead, track: rail, support: two-sided, orientation: [1, 0, 0, "
             "0], %s}]\n",
             joint);
    dls_model *model = parse_model(text);
    const dls_joint *ride = joint_named(model, "ride");
    put_on_track(model, model->initial, ride, 1.0, 0.0, 0.0, dls_v3(0, 0, 0)); /* the frame has a kink at the end */
    return model;
}

static double helix_error(double h, double seconds, const char *joint, double *drift)
{
    run r;
    double a;
    run_start(&r, helix_model(joint, &a), direct(), NULL, 1);
    run_steps(&r, (size_t)lround(seconds / h), h);
    *drift = dls_norm(ride_of(r.model, dls_simulation_state(r.simulation), "ride").off);
    double s = ride_of(r.model, dls_simulation_state(r.simulation), "ride").s;
    run_stop(&r);
    return (s - 1.0) / (0.5 * a * seconds * seconds) - 1.0;
}

TEST(test_helix)
{
    static const char *const how[] = {"erp: 0.2", "erp: 0.8, update: after", "erp: 0.2, update: nearest, angle: vector",
                                      "erp: 0"};
    for (int k = 0; k < 4; k++) {
        double drift[3], error[3];
        for (int i = 0; i < 3; i++)
            error[i] = helix_error(4e-3 / (1 << i), 1.0, how[k], &drift[i]);
        print_message("# helix, %s: s/(a t^2/2) - 1 = %.2e %.2e %.2e, off the rail %.1e %.1e %.1e\n", how[k], error[0],
                      error[1], error[2], drift[0], drift[1], drift[2]);
        assert_below(fabs(error[2]), 1e-3);
        for (int i = 0; i < 2; i++)
            assert_close(log2(error[i] / error[i + 1]), 1.0, 0.05);
        assert_close(log2(drift[1] / drift[2]), k == 3 ? 1.0 : 2.0,
                     0.1); /* erp takes back what a step misses by h^2 u^2 c / 2 */
    }
}

/* Leaves the convex hump where the rail would have to pull: m g cos(theta) = m u^2 / R. From rest at theta_0, with
 * u^2 (m + I/R^2)/2 = m g R (cos(theta_0) - cos(theta)) and k = m / (m + I/R^2),   cos(theta) = 2 k cos(theta_0) / (1
 * + 2 k). */
static double hump(double h, double R, double k, double from)
{
    run r;
    char text[1200];
    double m = 1.9;
    snprintf(text, sizeof text,
             "tracks: [{name: hill, curve: {type: arc, start: [0, 0, %.17g], radius: %.17g, bend: -90 deg, angle: 170 "
             "deg}}]\n"
             "bodies: [{name: cart, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, 0, %.17g]}]\n"
             "joints: [{name: ride, type: track, body1: cart, track: hill, ends: leave}]\n",
             R, R, m, 0.9 * m * R * R * (1.0 / k - 1.0), m * R * R * (1.0 / k - 1.0), 0.9 * m * R * R * (1.0 / k - 1.0),
             R * sin(from), R * cos(from));
    run_start(&r, parse_model(text), direct(), NULL, 1);
    double left = -1.0;
    for (int floating = 0; floating < 10;) {
        run_steps(&r, 1, h);
        double s = ride_of(r.model, dls_simulation_state(r.simulation), "ride").s;
        assert_true(s < 1.5 * R);
        bool pressed = forces_of(&r).support > 0.0;
        left = floating == 0 ? s / R : left;
        floating = pressed ? 0 : floating + 1;
    }
    run_stop(&r);
    return left;
}

TEST(test_hump)
{
    static const double ks[] = {0.9999, 0.7, 0.4};
    const double from = 0.15;
    for (int i = 0; i < 3; i++) {
        double expected = acos(2.0 * ks[i] * cos(from) / (1.0 + 2.0 * ks[i]));
        double left = hump(1e-4, 1.3, ks[i], from);
        print_message("# hump, k %.4g: leaves at %.4f deg, expected %.4f\n", ks[i], left * 180.0 / DLS_PI,
                      expected * 180.0 / DLS_PI);
        assert_close(left * 180.0 / DLS_PI, expected * 180.0 / DLS_PI, 0.1);
    }
}

/* Whether the body goes through a vertical loop of radius R with the speed u at its bottom, never off the rail. */
static bool passes(double u, double R, double k)
{
    run r;
    char text[1200];
    double m = 1.9, I = m * R * R * (1.0 / k - 1.0), h = 5e-4;
    snprintf(text, sizeof text,
             "tracks: [{name: loop, curve: {type: arc, radius: %.17g, bend: 90 deg, angle: 359 deg}}]\n"
             "bodies: [{name: cart, mass: %.17g, inertia: [%.17g, %.17g, %.17g], velocity: [%.17g, 0, 0], omega: [0, "
             "%.17g, 0]}]\n"
             "joints: [{name: ride, type: track, body1: cart, track: loop, ends: leave}]\n",
             R, m, 0.9 * I, I, 0.9 * I, u, -u / R);
    run_start(&r, parse_model(text), direct(), NULL, 1);
    int floating = 0;
    while (floating < 5 && ride_of(r.model, dls_simulation_state(r.simulation), "ride").s < 1.1 * DLS_PI * R) {
        run_steps(&r, 1, h);
        floating = forces_of(&r).support > 0.0 ? 0 : floating + 1;
    }
    run_stop(&r);
    return floating < 5;
}

/* At the top m g = m u^2 / R; from the bottom to there (m + I/R^2)/2 u^2 falls by 2 m g R:   u_0^2 = g R (1 + 4 k). */
TEST(test_loop)
{
    for (int i = 0; i < 2; i++) {
        const double R = 0.8, k = i ? 0.6 : 0.9999, expected = sqrt(9.81 * R * (1.0 + 4.0 * k));
        double low = 0.9 * expected, high = 1.1 * expected;
        assert_false(passes(low, R, k));
        for (int n = 0; n < 9; n++) {
            double middle = 0.5 * (low + high);
            *(passes(middle, R, k) ? &high : &low) = middle;
        }
        print_message("# loop, k %.4g: least speed %.5f m/s, expected %.5f\n", k, high, expected);
        assert_close(high / expected, 1.0, 5e-3);
    }
}

/* --- reference trajectories --- */

/* The motion of a bead on a bent and twisted rail of a planet that is free and spins; how far the bead has come after
 * half a second. */
static dls_model *wild_ride(const char *update)
{
    char joint[300];
    snprintf(joint, sizeof joint,
             "joints: [{name: ride, type: track, body1: wagon, body2: carrier, track: spline, update: %s, s: 1.2, "
             "snap: true, support: two-sided}]\n",
             update);
    dls_model *model =
        parse_parts(PARTS("world: {gravity: [0.3, -0.2, -4], gyroscopic: explicit}\n", PAIR, TRACKS, joint));
    const dls_joint *ride = joint_named(model, "ride");
    put_on_track(model, model->initial, ride, 1.2, 0.0, 0.0, dls_v3(0, 0, 0));
    double *v = dls_model_initial(model)->v;
    v[0] = 0.9, v[1] = -0.4, v[6] = 0.3, v[9] = 0.7, v[10] = -0.5, v[11] = 0.9;
    return model;
}

static double exact_way(dls_model *model, dls_trajectory_report *report)
{
    dls_state *state = new_state(model);
    dls_trajectory *exact;
    dls_error error;
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.project_start = true;
    assert_status(dls_trajectory_create(model, dls_model_initial(model), &settings, &exact, &error), &error);
    assert_status(dls_trajectory_advance(exact, 0.5, state, &error), &error);
    double s = ride_of(model, state, "ride").s;
    *report = dls_trajectory_reported(exact);
    dls_trajectory_destroy(exact);
    dls_state_destroy(state);
    dls_model_destroy(model);
    return s;
}

TEST(test_steps_approach_the_exact_trajectory)
{
    dls_trajectory_report report;
    double a, exact = exact_way(helix_model("update: nearest, ends: leave", &a), &report);
    print_message("# helix, exactly: s off a t^2/2 by %.1e\n", exact - 1.0 - 0.125 * a);
    assert_close(exact - 1.0, 0.125 * a, 1e-11);
    exact = exact_way(wild_ride("nearest"), &report);
    assert_below(report.C, 1e-12);
    for (int u = 0; u < UPDATES; u++) {
        double error[3];
        for (int i = 0; i < 3; i++) {
            run r;
            run_start(&r, wild_ride(updates[u]), direct(), NULL, 1);
            run_steps(&r, (size_t)500 << i, 1e-3 / (1 << i));
            error[i] = ride_of(r.model, dls_simulation_state(r.simulation), "ride").s - exact;
            run_stop(&r);
        }
        print_message("# on a spinning body, %s: s off the exact way by %.2e %.2e %.2e m\n", updates[u], error[0],
                      error[1], error[2]);
        assert_close(log2(error[0] / error[1]), 1.0, 0.1);
        assert_close(log2(error[1] / error[2]), 1.0, 0.05);
    }
}

TEST(test_exact_trajectories_refuse_what_depends_on_the_steps)
{
    dls_model *model = wild_ride("before");
    dls_trajectory *exact;
    dls_error error;
    assert_int_equal(dls_trajectory_create(model, dls_model_initial(model), NULL, &exact, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "update: nearest"));
    dls_model_destroy(model);
}

/* --- scenes --- */

static void start_scene(run *r, const char *name)
{
    char path[DLS_PATH_MAX];
    const char *source = getenv("DLS_TEST_SOURCE");
    dls_scene *scene;
    dls_error error;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", source ? source : ".", name);
    assert_status(dls_scene_read(path, &scene, &error), &error);
    run_start(r, finish(scene), direct(), NULL, 1);
}

/* The least support of a run of a scene while the body is on the rail. */
static double least_support(run *r)
{
    double least = HUGE_VAL, h = dls_model_world(r->model)->step;
    for (double t = 0.0; t < dls_model_world(r->model)->duration &&
                         !ride_of(r->model, dls_simulation_state(r->simulation), "ride").released;
         t += h) {
        run_steps(r, 1, h);
        if (t > 0.01) /* the start takes its speeds onto the rail */
            least = fmin(least, forces_of(r).support);
    }
    return least;
}

TEST(test_scenes_do_as_they_say)
{
    run r;
    start_scene(&r, "helix");
    double s = ride_of(r.model, dls_simulation_state(r.simulation), "ride").s,
           a = 9.81 * 5.0 / 13.0 * 2.0 / (2.0 + 1.2 / 1.69);
    run_steps(&r, 2000, 1e-3);
    assert_close(a, 2.7845, 1e-4);
    assert_close((ride_of(r.model, dls_simulation_state(r.simulation), "ride").s - s) / (2.0 * a), 1.0, 1e-3);
    run_stop(&r);
    start_scene(&r, "loop-track");
    assert_true(least_support(&r) > 0.0);
    run_stop(&r);
    start_scene(&r, "loop-track");
    for (int i = 0; i < 6; i++)
        dls_simulation_edit(r.simulation)->v[i] *=
            7.29 / 8.0; /* 7.33 m/s is the least, and 0.5 % of it what the step costs */
    assert_true(least_support(&r) <= 0.0);
    run_stop(&r);
    start_scene(&r, "hump");
    assert_true(least_support(&r) <= 0.0);
    run_stop(&r);
}

/* --- a track on a free body --- */

/* The momentum that two balls lose without gravity, one with the track; relative to what they have. */
static void lost_momentum(const char *update, double h, double spin, double *linear, double *angular)
{
    run r;
    char text[1600];
    dls_vec3 p[2], L[2];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, 0]}\n"
             "tracks: [{name: rail, curve: {type: helix, axis: [0.1, 0.2, 1], radius: 1.1, pitch: 1.4, turns: 6}}]\n"
             "bodies: [{name: wagon, shape: sphere, radius: 0.3, mass: 1.3, position: [0.1, 0.1, 0.1], velocity: [2, "
             "0.4, 0.3]},\n"
             "  {name: planet, shape: sphere, radius: 0.8, mass: 4.1, position: [0.2, -0.3, 0.5], velocity: [0.3, 0.1, "
             "-0.2], omega: [%g, 0.2, 0.3]}]\n"
             "joints: [{name: ride, type: track, body1: wagon, body2: planet, track: rail, anchor: [0, 0, 0], s: 0, "
             "support: two-sided, update: %s}]\n",
             spin, update);
    run_start(&r, parse_model(text), direct(), NULL, 1);
    dls_momentum(dls_simulation_configuration(r.simulation), &p[0], &L[0]);
    run_steps(&r, (size_t)lround(0.6 / h), h);
    dls_momentum(dls_simulation_configuration(r.simulation), &p[1], &L[1]);
    assert_true(ride_of(r.model, dls_simulation_state(r.simulation), "ride").s > 0.5);
    *linear = dls_norm(dls_sub(p[1], p[0])) / dls_norm(p[0]);
    *angular = dls_norm(dls_sub(L[1], L[0])) / dls_norm(L[0]);
    run_stop(&r);
}

/* With its forces at the anchor alone the pair loses nothing at any error. (3) drives s by the point P of body 2, and
 * so the share of s' in the rows of rotation acts off the anchor by as much as the body is off the rail. */
TEST(test_momentum_of_the_pair)
{
    for (int spinning = 0; spinning < 2; spinning++)
        for (int k = 0; k < UPDATES; k++) {
            double linear[2], angular[2];
            for (int i = 0; i < 2; i++)
                lost_momentum(updates[k], 2e-3 / (1 << i), spinning ? 3.0 : 0.0, &linear[i], &angular[i]);
            print_message("# %s%s: loses %.1e of its linear, %.1e %.1e of its angular momentum\n", updates[k],
                          spinning ? ", spinning" : "", linear[1], angular[0], angular[1]);
            assert_below(linear[1], 1e-13); /* 300 steps of rounding */
            assert_below(angular[1], k == 0 ? 1e-4 : 1e-13);
        }
}

/* --- the angle error --- */

/* The angle that is left of 0.1 rad after `steps` steps. */
static double angle_left(const char *angle, const char *erp, int steps)
{
    run r;
    char text[800];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, 0]}\n"
             "tracks: [{name: rail, curve: {type: line, length: 3}}]\n"
             "bodies: [{name: cart, shape: box, size: [0.4, 0.2, 0.1], mass: 1.3, position: [1.2, 0, 0]}]\n"
             "joints: [{name: ride, type: track, body1: cart, track: rail, angle: %s, erp: %s}]\n",
             angle, erp);
    dls_model *model = parse_model(text);
    dls_model_initial(model)->q[0] = dls_quat_exp(dls_v3(0, 0, 0.1));
    run_start(&r, model, direct(), NULL, 1);
    run_steps(&r, (size_t)steps, 1e-3);
    double left = dls_norm(dls_quat_log(dls_simulation_state(r.simulation)->q[0]));
    run_stop(&r);
    return left;
}

TEST(test_printed_angle_error_doubles_erp)
{
    const double sine = 0.1 - sin(0.1); /* what the sine misses */
    assert_close(angle_left("printed", "0.5", 1), sine, 1e-12);
    assert_close(angle_left("half", "0.5", 1), 0.1 - 0.5 * tan(0.1),
                 1e-12); /* J is the sine's own derivative, cos(theta) */
    assert_close(angle_left("vector", "0.5", 1), 0.05, 1e-12);
    assert_close(angle_left("half", "1", 1), tan(0.1) - 0.1, 1e-12);
    assert_close(angle_left("vector", "1", 1), 0.0, 1e-12);
    assert_below(angle_left("half", "1", 3), 1e-12);
    double left = angle_left("printed", "1", 400);
    print_message("# printed, erp 1: %.4f rad left of 0.1 after 400 steps\n", left);
    assert_close(1.0 / (left * left), 100.0 + 2.0 / 3.0 * 400.0,
                 1.0); /* theta+ = -(theta - theta^3 / 3): no rate of convergence at all */
}

/* --- motor --- */

TEST(test_motor_climbs)
{
    static const char *const forces[] = {"20 N", "6 N", "inf"};
    const double m = 1.3, slope = DLS_PI / 6, weight = m * 9.81 * sin(slope), h = 1e-3;
    for (int k = 0; k < 3; k++) {
        run r;
        char text[800];
        snprintf(text, sizeof text,
                 "tracks: [{name: ramp, curve: {type: line, tangent: [0.86602540378443865, 0, 0.5], length: 90}}]\n"
                 "bodies: [{name: cart, shape: box, size: [0.4, 0.2, 0.1], mass: 1.3, velocity: [0.86602540378443865, "
                 "0, 0.5]}]\n"
                 "joints: [{name: ride, type: track, body1: cart, track: ramp, speed: 2.5, motor_force_max: %s}]\n",
                 forces[k]);
        run_start(&r, parse_model(text), direct(), NULL, 1);
        run_steps(&r, 1000, h);
        double force = forces_of(&r).drive, speed = ride_of(r.model, dls_simulation_state(r.simulation), "ride").speed;
        print_message("# motor, %s: %.6f N (weight %.6f), %.6f m/s\n", forces[k], force, weight, speed);
        if (k == 1) {
            assert_close(force, 6.0, 1e-9);
            assert_close(speed, 1.0 + (6.0 / m - 9.81 * sin(slope)), 1e-9);
        } else {
            assert_close(force, weight, 1e-6);
            assert_close(speed, 2.5, 1e-12);
        }
        run_stop(&r);
    }
}

/* The greatest step of the lateral force, and how far it is from m u^2 c(s), along a track that bends to the left. */
static void lateral_jump(const char *pieces, double *jump, double *wrong)
{
    run r;
    char text[1200];
    const double m = 1.3, u = 1.5;
    snprintf(text, sizeof text,
             "tracks: [{name: rail, curve: {type: composite, chained: true, pieces: [%s]}}]\n"
             "bodies: [{name: cart, shape: box, size: [0.4, 0.2, 0.1], mass: 1.3, position: [0.1, 0, 0], velocity: "
             "[1.5, 0, 0]}]\n"
             "joints: [{name: ride, type: track, body1: cart, track: rail, speed: 1.5}]\n",
             pieces);
    run_start(&r, parse_model(text), direct(), NULL, 1);
    double before = 0.0;
    *jump = *wrong = 0.0;
    for (int i = 0; i < 2400; i++) {
        dls_track_ride ride = ride_of(r.model, dls_simulation_state(r.simulation), "ride");
        run_steps(&r, 1, 1e-3);
        double lateral = forces_of(&r).lateral;
        *jump = fmax(*jump, fabs(lateral - before));
        *wrong = fmax(*wrong, fabs(lateral - m * u * u * ride.frame.c));
        before = lateral;
    }
    assert_close(ride_of(r.model, dls_simulation_state(r.simulation), "ride").speed, u, 1e-9);
    run_stop(&r);
}

TEST(test_clothoid_takes_the_jump_out_of_the_lateral_force)
{
    double jump[2], wrong[2];
    lateral_jump("{type: line, length: 1}, {type: clothoid, length: 1.5, end_curvature: 0.5}, {type: arc, radius: 2, "
                 "angle: 120 deg}",
                 &jump[0], &wrong[0]);
    lateral_jump("{type: line, length: 1}, {type: arc, radius: 2, angle: 120 deg}", &jump[1], &wrong[1]);
    print_message(
        "# lateral force: greatest step %.4f N with a clothoid, %.4f N without; off m u^2 c by %.4f and %.4f N\n",
        jump[0], jump[1], wrong[0], wrong[1]);
    const double full = 1.3 * 1.5 * 1.5 * 0.5;
    assert_below(jump[0], 0.01 * full);
    assert_below(wrong[0], 0.02 * full);
    assert_true(jump[1] > 0.9 * full);
}

/* --- ends --- */

#define CART_ON(curve, joint)                                                                                     \
    "world: {gravity: [0, 0, -9.81]}\n"                                                                           \
    "tracks: [{name: rail, curve: " curve "}]\n"                                                                  \
    "bodies: [{name: cart, shape: sphere, radius: 0.1, mass: 1.3, position: [0.2, 0, 0], velocity: [2, 0, 0]}]\n" \
    "joints: [{name: ride, type: track, body1: cart, track: rail, " joint "}]\n"

TEST(test_stop)
{
    run r;
    run_start(&r, parse_model(CART_ON("{type: line, length: 1}", "stop_force: inf")), direct(), NULL, 1);
    run_steps(&r, 700, 1e-3);
    dls_track_ride ride = ride_of(r.model, dls_simulation_state(r.simulation), "ride");
    assert_close(ride.s, 1.0, 1e-12);
    assert_close(ride.speed, 0.0, 1e-12);
    assert_false(ride.released);
    run_stop(&r);
}

TEST(test_leave)
{
    run r;
    run_start(&r, parse_model(CART_ON("{type: line, length: 1}", "ends: leave, speed: 2")), direct(), NULL, 1);
    run_steps(&r, 700, 1e-3);
    dls_track_ride ride = ride_of(r.model, dls_simulation_state(r.simulation), "ride");
    dls_track_forces f = forces_of(&r);
    assert_true(ride.released);
    assert_close(ride.released_at, 0.4, 1.5e-3); /* 0.8 m at 2 m/s: the first step that ends beyond */
    assert_close(f.lateral + f.support + f.drive + f.roll + f.pitch + f.yaw, 0.0, 0.0);
    assert_close(dls_simulation_state(r.simulation)->v[0], 2.0, 1e-12);
    assert_close(dls_simulation_state(r.simulation)->v[2], -9.81 * (0.7 - ride.released_at), 1e-9);
    assert_below(disagreement(r.model, dls_simulation_state(r.simulation)), 1e-9);
    run_stop(&r);
}

/* A cart that is thrown off the top of a hump of radius R, farther than R from it. Its rail does not touch it; the
 * other rows do no work. */
#define THROWN(way)                                                                                                  \
    "tracks: [{name: hill, curve: {type: arc, start: [0, 0, 1.25], radius: 1.25, bend: -90 deg, angle: 170 deg}}]\n" \
    "bodies: [{name: cart, mass: 2, inertia: [0.5, 0.5, 0.5], position: [0.35, 0, 1.2], velocity: [2, 0, 7]}]\n"     \
    "joints: [{name: ride, type: track, body1: cart, track: hill" way "}]\n"

/* The energy after 0.7 s of flight over that at the start, in steps of h, and |s - that of the nearest point|. */
static double flight(const char *text, double h, double *off_s)
{
    run r;
    run_start(&r, parse_model(text), direct(), NULL, 1);
    const double before = run_energy(&r);
    run_steps(&r, (size_t)lround(0.7 / h), h);
    const dls_vec3 x = dls_simulation_state(r.simulation)->x[0];
    const double gained = run_energy(&r) - before;
    *off_s = fabs(ride_of(r.model, dls_simulation_state(r.simulation), "ride").s - 1.25 * atan2(x.x, x.z));
    assert_true(dls_norm(x) > 2.0 * 1.25);
    run_stop(&r);
    return gained;
}

/* s follows the nearest point to O(h^2) however far the cart is, and so its energy is kept to O(h). */
TEST(test_flight_over_a_hump)
{
    static const char *const texts[] = {THROWN(""), THROWN(", update: after"), THROWN(", update: nearest"),
                                        THROWN(", roll: false, pitch: false, yaw: false")};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        double off[2], gained[2];
        for (int i = 0; i < 2; i++)
            gained[i] = flight(texts[k], i ? 1e-3 : 2e-3, &off[i]);
        assert_close(gained[0] / gained[1], 2.0, 0.1);
        assert_below(fabs(gained[1]), 0.2);
        assert_below(off[1], 1e-6);
        assert_below(off[1], 0.3 * off[0] + 1e-13);
    }
}

/* At the distance d from an arc of radius R, towards its centre, s runs at v / (1 - d/R), and not faster than
 * v / least_slope where s is advanced by the tangent. */
TEST(test_the_least_slope)
{
    static const char *const keys[] = {"", ", least_slope: 0.2", ", least_slope: 1", ", update: after",
                                       ", update: nearest"};
    static const double least[] = {0.5, 0.2, 1.0, 0.5, 0.0}, shares[] = {-1.3, 0.0, 0.4, 0.6, 0.9, 0.99};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        char text[500];
        snprintf(
            text, sizeof text,
            "tracks: [{name: hill, curve: {type: arc, start: [0, 0, 1.25], radius: 1.25, bend: -90 deg, angle: 170 "
            "deg}}]\n"
            "bodies: [{name: cart, mass: 2, inertia: [0.5, 0.5, 0.5], position: [0, 0, 1.25]}]\n"
            "joints: [{name: ride, type: track, body1: cart, track: hill%s}]\n",
            keys[k]);
        dls_model *model = parse_model(text);
        dls_state *state = new_state(model);
        const dls_joint *joint = &dls_model_joints(model)[0];
        for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
            dls_end end[2];
            dls_row row = {.parent = -1};
            state->x[0].z = 1.25 * (1.0 - shares[i]);
            ends_of(model, state, joint, end);
            joint->type->coordinate(joint, end, &row);
            assert_close(1.0 / row.J1[0], fmax(1.0 - shares[i], least[k]), 1e-14);
        }
        dls_state_destroy(state);
        dls_model_destroy(model);
    }
}

/* Beyond the distance at which it derails, the cart is free: a parabola in steps, and its rotation goes on. */
TEST(test_derail)
{
    run r;
    dls_state *then;
    dls_error error;
    const double h = 1e-3;
    run_start(&r, parse_model(THROWN(", derail: 0.5")), direct(), NULL, 1);
    run_steps(&r, 300, h);
    const dls_track_ride ride = ride_of(r.model, dls_simulation_state(r.simulation), "ride");
    assert_true(ride.released);
    assert_status(dls_state_create(r.model, &then, &error), &error);
    dls_state_copy(then, dls_simulation_state(r.simulation));
    run_steps(&r, 200, h);
    const dls_state *now = dls_simulation_state(r.simulation);
    const double t = 200.0 * h;
    assert_close(now->x[0].x, then->x[0].x + then->v[0] * t, 1e-12);
    assert_close(now->x[0].z, then->x[0].z + then->v[2] * t - 0.5 * 9.81 * t * (t + h), 1e-12);
    assert_close(now->v[4], then->v[4], 1e-14);
    assert_close(ride_of(r.model, now, "ride").s, ride.s, 0.0);
    dls_state_destroy(then);
    run_stop(&r);
}

/* Rows with other bounds one way than the other: a cart is pulled across a straight rail, along N and B both ways, by
 * its weight of 19.62 N. The rail gives its bound, and the rest accelerates the cart. */
TEST(test_bounds_of_both_ways)
{
    for (int row = 0; row < 2; row++)
        for (int side = -1; side <= 1; side += 2) {
            run r;
            char text[700];
            snprintf(
                text, sizeof text,
                "world: {gravity: [0, %g, %g]}\n"
                "tracks: [{name: rail, curve: {type: line, length: 3, normal: [0, 1, 0]}}]\n"
                "bodies: [{name: cart, mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}]\n"
                "joints: [{name: ride, type: track, body1: cart, track: rail, support: two-sided, lateral_force: 5, "
                "lateral_force_min: -3, support_force: 7, support_force_min: -2, erp: 0}]\n",
                row == 0 ? 9.81 * side : 0.0, row == 1 ? 9.81 * side : 0.0);
            run_start(&r, parse_model(text), direct(), NULL, 1);
            run_steps(&r, 100, 1e-3);
            const dls_track_forces f = forces_of(&r);
            const double expected = row == 0 ? (side < 0 ? 5.0 : -3.0) : (side < 0 ? 7.0 : -2.0);
            assert_close(row == 0 ? f.lateral : f.support, expected, 1e-12);
            assert_close(dls_simulation_state(r.simulation)->v[1 + row], 0.1 * (9.81 * side + expected / 2.0), 1e-12);
            run_stop(&r);
        }
}

TEST(test_closed_track_wraps)
{
    for (int k = 0; k < UPDATES; k++) {
        run r;
        char text[900];
        snprintf(text, sizeof text,
                 CART_ON("{type: arc, start: [0.2, 0, 0], radius: 0.5, closed: true}", "s: 0, speed: 2, update: %s"),
                 updates[k]);
        run_start(&r, parse_model(text), direct(), NULL, 1);
        run_steps(&r, 4000, 1e-3);
        dls_track_ride ride = ride_of(r.model, dls_simulation_state(r.simulation), "ride");
        assert_close(ride.s, 8.0, 0.02);
        assert_below(dls_norm(ride.off), 1e-4);
        assert_below(fabs(ride.off.x), k == 2 ? 1e-14 : 1e-7);
        run_stop(&r);
    }
}

/* --- substeps --- */

TEST(test_tgs_moves_the_joint_along)
{
    for (int base = 0; base < 2; base++) {
        run r;
        run_start(&r,
                  parse_model(CART_ON("{type: arc, start: [0.2, 0, 0], radius: 0.5, closed: true}", "s: 0, speed: 2")),
                  dls_iterative_find("pgs"), base ? "substep" : "step", 20);
        run_steps(&r, 500, 1e-3);
        dls_track_ride ride = ride_of(r.model, dls_simulation_state(r.simulation), "ride");
        assert_close(dls_simulation_state(r.simulation)->joint_state[1], 0.5, 1e-9); /* its clock saw each substep */
        assert_close(ride.s, 1.0, 2e-3);
        assert_below(dls_norm(ride.off), 4e-5); /* erp takes 0.2 of it back and a step adds (h u)^2 c / 2 = 4e-6 */
        dls_state *copy = new_state(r.model);
        dls_state_copy(copy, dls_simulation_state(r.simulation));
        assert_memory_equal(copy->joint_state, dls_simulation_state(r.simulation)->joint_state,
                            dls_simulation_state(r.simulation)->n_joint_state * sizeof *copy->joint_state);
        copy->joint_state[0] = NAN;
        assert_int_equal(dls_state_check(r.model, copy, NULL), DLS_NOT_FINITE);
        dls_state_destroy(copy);
        run_stop(&r);
    }
}

/* --- the coordinate --- */

TEST(test_limit_on_the_way_along_a_track)
{
    run r;
    run_start(
        &r,
        parse_model(CART_ON(
            "{type: arc, start: [0.2, 0, 0], radius: 0.5, closed: true}",
            "s: 0, speed: 2, motor_force_max: 5}, {name: bound, type: limit, coordinates: {ride: 1}, upper: 4.4")),
        direct(), NULL, 1);
    run_steps(&r, 3000, 1e-3);
    assert_close(ride_of(r.model, dls_simulation_state(r.simulation), "ride").s, 4.4, 1e-6);
    run_stop(&r);
}

/* --- wrong input --- */

static bool fails_as(const char *text, long line, const char *key, const char *part)
{
    dls_error error;
    if (try_scene(text, &error) == DLS_OK || error.line != line || strcmp(error.key, key) != 0 ||
        !strstr(error.message, part)) {
        print_error("line %ld, key %s, '%s'; expected line %ld, key %s, '%s' of\n%s", error.line, error.key,
                    error.message, line, key, part, text);
        return false;
    }
    return true;
}

#define WITH(curve) \
    "bodies: [{name: cart, shape: sphere, radius: 0.1, mass: 1.3}]\ntracks:\n  - name: rail\n    curve:\n" curve
#define RIDE(keys) \
    WITH("      {type: line, length: 2}\n") "joints:\n  - {name: ride, type: track, body1: cart" keys "}\n"

TEST(test_wrong_input)
{
    static const struct {
        const char *text;
        long line;
        const char *key, *part;
    } cases[] = {
        {WITH("      {type: line, length: 0}\n"), 5, "length", "outside"},
        {WITH("      {type: line,\n       length: nan}\n"), 6, "length", "NaN"},
        {WITH("      {type: lin, length: 1}\n"), 5, "type", "did you mean 'line'"},
        {WITH("      {length: 1}\n"), 5, "type", "missing"},
        {WITH("      {type: line, lenght: 1}\n"), 5, "lenght", "did you mean"},
        {WITH("      {type: line}\n"), 5, "length", "missing"},
        {WITH("      type: spline\n      points:\n        - [0, 0, 0]\n        - [1, 0, 0]\n        - [1, 0, 0]\n"), 7,
         "points", "points 2 and 3 are equal"},
        {WITH("      type: spline\n      points:\n        - [0, 0, 0]\n        - [1, 0]\n"), 8, "points",
         "a list of 3 numbers"},
        {WITH("      type: spline\n      points: [[0, 0, 0], [1, nan, 0], [2, 0, 0]]\n"), 6, "points", "NaN"},
        {WITH("      {type: line, length: 1, points: [[0, 0, 0]]}\n"), 5, "points", "not given by points"},
        {WITH("      type: composite\n      pieces:\n        - {type: line, length: 1}\n        - {type: arc, radius: "
              "0, angle: 1}\n"),
         8, "radius", "is a point"},
        {WITH("      {type: line, length: 1}\n    twist: {type: constnt}\n"), 6, "type", "did you mean 'constant'"},
        {WITH("      {type: line, length: 1}\n    twist: {type: spline, points: [[0, 1], [0.5]]}\n"), 6, "points",
         "a pair"},
        {WITH("      {type: line, length: 1}\n    twits: 3\n"), 6, "twits", "did you mean 'twist'"},
        {"bodies: [{name: cart, mass: 1}]\ntracks:\n  - name: rail\n", 3, "curve", "missing"},
        {"tracks:\n  - {name: rail, curve: {type: line, length: 1}}\n  - {name: rail, curve: {type: line, length: "
         "1}}\n",
         3, "name", "duplicate"},
        {RIDE(""), 7, "track", "missing"},
        {RIDE(", track: rial"), 7, "track", "did you mean 'rail'"},
        {RIDE(", track: rail, s: 2.5"), 7, "s", "0.5 m beyond the end"},
        {RIDE(", track: rail, s: -1"), 7, "s", "before the start"},
        {RIDE(", track: rail, anchor: [1, 0.3, 0]"), 7, "anchor", "0.3 m off the track at s = 1 m"},
        {RIDE(", track: rail, anchor: [1, nan, 0]"), 7, "anchor", "NaN"},
        {RIDE(", track: rail, motor_force_max: 3"), 7, "speed", "give one"},
        {RIDE(", track: rail, motor_force_min: 3"), 7, "motor_force_min", "outside"},
        {RIDE(", track: rail, lateral: false, support: none, roll: false, pitch: false, yaw: false, ends: leave"), 7,
         "lateral", "keep one"},
        {WITH(
             "      {type: arc, radius: 1, closed: true}\n    twist: {type: linear, rate: 0.1}\n") "joints: [{name: "
                                                                                                   "ride, type: track, "
                                                                                                   "body1: cart, "
                                                                                                   "track: rail}]\n",
         7, "track", "jumps by"},
    };
    size_t right = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        right += fails_as(cases[i].text, cases[i].line, cases[i].key, cases[i].part);
    assert_int_equal(right, sizeof cases / sizeof cases[0]);
}

TEST(test_snap)
{
    dls_model *model = parse_model(RIDE(", track: rail, anchor: [1, 0.3, 0], snap: true"));
    dls_track_ride ride = ride_of(model, dls_model_initial(model), "ride");
    assert_close(ride.s, 1.0, 1e-12);
    assert_close(dls_norm(ride.off), 0.0, 1e-15);
    assert_close(joint_named(model, "ride")->frame[0].p.x, 1.0, 1e-12);
    dls_model_destroy(model);
    model = parse_model(RIDE(", track: rail, anchor: [1, 0.3, 0], tolerance: 0.4"));
    assert_close(ride_of(model, dls_model_initial(model), "ride").off.y, 0.3, 1e-15);
    dls_model_destroy(model);
}
