/* The track joint: its rows against finite differences along the motion, and rides that are known in closed form. */
#include "world.h"

#include "delassus/reference.h"

/* --- rows ------------------------------------------------------------------------------------------------------------ */

/* Every kind of curve and of twist, tilted; the pieces of the composite have bends along N and along B. */
#define TRACKS                                                                                                               \
    "tracks:\n"                                                                                                              \
    "  - name: line\n"                                                                                                       \
    "    curve: {type: line, start: [0.3, -0.2, 0.9], tangent: [1, 0.3, -0.2], length: 3.1}\n"                               \
    "    twist: {type: linear, start: 0.3, rate: 0.7}\n"                                                                     \
    "  - name: arc\n"                                                                                                        \
    "    curve: {type: arc, tangent: [0.2, 1, 0.1], normal: [1, 0.3, 0.4], radius: 1.3, angle: 200 deg, bend: 35 deg}\n"     \
    "    twist: {type: constant, angle: -20 deg}\n"                                                                          \
    "  - name: helix\n"                                                                                                      \
    "    curve: {type: helix, axis: [0.2, 0.1, 1], normal: [1, 0.2, 0], radius: 0.9, pitch: 1.7, turns: 2}\n"                \
    "    twist: {type: linear, rate: -0.4}\n"                                                                                \
    "  - name: clothoid\n"                                                                                                   \
    "    curve: {type: clothoid, length: 2.7, start_curvature: -0.4, end_curvature: 1.1, bend: 60 deg}\n"                    \
    "  - name: spline\n"                                                                                                     \
    "    curve:\n"                                                                                                           \
    "      type: spline\n"                                                                                                   \
    "      closed: true\n"                                                                                                   \
    "      frame: up\n"                                                                                                      \
    "      points: [[0, 0, 0], [1.3, 0.2, 0.3], [1.6, 1.4, 0.1], [0.2, 1.9, -0.4], [-0.7, 0.8, 0.2]]\n"                      \
    "    twist: {type: spline, points: [[0.3, 10 deg], [1.9, -25 deg], [4.1, 0.2]]}\n"                                       \
    "  - name: composite\n"                                                                                                  \
    "    curve:\n"                                                                                                           \
    "      type: composite\n"                                                                                                \
    "      chained: true\n"                                                                                                  \
    "      pieces:\n"                                                                                                        \
    "        - {type: line, length: 0.8}\n"                                                                                  \
    "        - {type: clothoid, length: 0.9, end_curvature: 0.8}\n"                                                          \
    "        - {type: arc, radius: -1.4, angle: 70 deg, bend: 90 deg}\n"

#define PAIR                                                                                                                 \
    "bodies:\n"                                                                                                              \
    "  - {name: wagon, shape: box, size: [0.6, 0.3, 0.2], mass: 1.7, position: [0.2, 0.1, -0.3]}\n"                          \
    "  - {name: carrier, shape: box, size: [0.9, 1.4, 0.5], mass: 3.9, position: [0.7, 0.4, 0.3], orientation: [0.6, 0.48, 0.64, 0]}\n"

static const char *const curves[] = {"line", "arc", "helix", "clothoid", "spline", "composite"};
static const char *const updates[] = {"before", "after", "nearest"};
static const char *const ways[] = {"speed: 0.7", "angle: vector, speed: 0.7, support: two-sided", "roll: false", "pitch: false, ends: leave",
                                   "yaw: false, lateral: false", "roll: false, yaw: false, support: none"};
enum { CURVES = 6, UPDATES = 3, WAYS = 6, POSES = 6 };

static void ends_of(const dls_model *model, const dls_state *state, const dls_joint *joint, dls_end end[2])
{
    dls_model_look(model, state);
    dls_model_ends(model, state, state->look, joint, end);
}

static dls_track_ride ride_of(const dls_model *model, const dls_state *state, const char *name)
{
    const dls_joint *joint = joint_named(model, name);
    dls_end end[2];
    ends_of(model, state, joint, end);
    return dls_track_ride_of(joint, end);
}

/* Body 1 (a free body) to where its anchor is off the point of the track at s by N and B alone, and its axes are turned by phi. */
static void put_on_track(const dls_model *model, dls_state *state, const dls_joint *joint, double s, double off_N, double off_B, dls_vec3 phi)
{
    dls_end end[2];
    state->own[joint->own] = s;
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
    assert_true(model->n_joints <= 4);
    assert_status(dls_check_columns(model, state, DLS_CHECK_STEP, columns, &error), &error);
    assert_status(dls_check_jacobians(model, state, DLS_CHECK_STEP, &ends, NULL, NULL, &error), &error);
    if (getenv("DBG") && (ends > 1e-8 || columns[0].worst > 1e-8)) {
        dls_jacobian_check c; dls_end e[2]; dls_row rows[7];
        ends_of(model, state, &model->joints[0], e);
        c = dls_check_jacobian(&model->joints[0], e, DLS_CHECK_STEP);
        model->joints[0].type->rows(&model->joints[0], e, 1e-3, rows);
        printf("%s ends %.2e row %s; columns %.2e row %s\n", model->joints[0].track->name, c.worst, rows[c.row].label, columns[0].worst, rows[columns[0].row].label);
    }
    for (size_t j = 0; j < model->n_joints; j++)
        ends = fmax(ends, columns[j].worst);
    return ends;
}

static double worst_of(dls_model *model, bool far, uint64_t *seed)
{
    dls_state *state = new_state(model);
    const dls_joint *joint = joint_named(model, "ride");
    double worst = 0.0;
    for (int pose = 0; pose < POSES; pose++) {
        double size = far && pose % 2 ? 0.3 : 0.0, s = joint->track->curve->length * (0.5 + 0.4 * draw(seed));
        stir(model, state, 0.5, seed);
        put_on_track(model, state, joint, s, size * draw(seed), size * draw(seed), dls_scale(3.0 * size, draw3(seed)));
        worst = fmax(worst, disagreement(model, state));
    }
    dls_state_destroy(state);
    dls_model_destroy(model);
    return worst;
}

static void test_rows_are_derivatives_along_the_motion(void **unused)
{
    (void)unused;
    uint64_t seed = 5;
    for (int curve = 0; curve < CURVES; curve++) {
        double worst = 0.0;
        for (int k = 0; k < UPDATES * WAYS; k++) {
            char joint[400];
            snprintf(joint, sizeof joint,
                     "joints: [{name: ride, type: track, body1: wagon, body2: %s, track: %s, update: %s, anchor: [0.3, 0.1, -0.2], s: 1.2, tolerance: 9, %s}]\n",
                     k % 4 == 3 ? "world" : "carrier", curves[curve], updates[k % UPDATES], ways[k / UPDATES]);
            worst = fmax(worst, worst_of(parse_parts(PARTS(PAIR, TRACKS, joint)), true, &seed));
        }
        print_message("# %s: rows against finite differences %.1e\n", curves[curve], worst);
        assert_below(worst, 1e-8); /* differences across a knot of a spline, or near a quarter of a turn, are the worst */
    }
}

static void test_track_on_a_link(void **unused)
{
    (void)unused;
    uint64_t seed = 6;
    static const char *const links[] = {"arm.tool", "bird.left", "arm.base"};
    for (int k = 0; k < 3; k++) {
        char joint[300];
        snprintf(joint, sizeof joint, "joints: [{name: ride, type: track, body1: stone, body2: %s, track: %s, s: 1.2, tolerance: 9, speed: 1}]\n",
                 links[k], curves[2 + k]);
        double worst = worst_of(parse_parts(PARTS(TWO_TREES, TRACKS, joint)), true, &seed);
        print_message("# on %s: %.1e\n", links[k], worst);
        assert_below(worst, 1e-8);
    }
}

/* --- rides -------------------------------------------------------------------------------------------------------------- */

static const dls_solver *direct(void) { return dls_direct_find("block-pivoting"); }

/* Helix under gravity, the body's axes along T, N, B: with s' = u, v = u T and omega = u (t T + c B),
 *     T = u^2/2 (m + I_T t^2 + I_B c^2),   so   a = g sin(slope) m / (m + I_T t^2 + I_B c^2)       whatever holds it. */
static double helix_error(double h, double seconds, const char *joint, double *drift)
{
    world_run r;
    const double radius = 1.2, k = 0.5, m = 2.3, I_T = 0.41, I_B = 0.87; /* pitch 2 pi k, downwards */
    const double w2 = 1.0 / (radius * radius + k * k), t = k * w2, c = radius * w2, g = 9.81;
    const double a = g * k * sqrt(w2) * m / (m + I_T * t * t + I_B * c * c);
    char text[1500];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, -9.81], gyroscopic: implicit}\n"
             "tracks: [{name: rail, curve: {type: helix, start: [1.2, 0, 0], normal: [-1, 0, 0], axis: [0, 0, 1], radius: 1.2, pitch: -3.1415926535897931, turns: 20}}]\n"
             "bodies: [{name: bead, mass: 2.3, inertia: [0.41, 0.52, 0.87], position: [1.2, 0, 0], orientation: [%.17g, %.17g, %.17g, %.17g]}]\n"
             "joints: [{name: ride, type: track, body1: bead, track: rail, support: two-sided, %s}]\n",
             0.0, 0.0, 0.0, 1.0, joint);
    dls_model *model = parse_model(text);
    const dls_joint *ride = joint_named(model, "ride");
    model->initial->v[0] = 0.0;
    put_on_track(model, model->initial, ride, 0.0, 0.0, 0.0, dls_v3(0, 0, 0));
    run_start(&r, model, direct(), NULL, 1);
    run_steps(&r, (size_t)lround(seconds / h), h);
    *drift = joint_error(r.model, r.stepper->state, "ride");
    double s = ride_of(r.model, r.stepper->state, "ride").s;
    run_stop(&r);
    return s / (0.5 * a * seconds * seconds) - 1.0;
}

static void test_helix(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++) {
        static const char *const how[] = {"erp: 0.2", "erp: 0.8, update: after", "erp: 0.2, update: nearest", "erp: 0"};
        double drift[3], error[3];
        for (int i = 0; i < 3; i++)
            error[i] = helix_error(4e-3 / (1 << i), 1.0, how[k], &drift[i]);
        print_message("# helix, %s: s/(a t^2/2) - 1 = %.2e %.2e %.2e, drift %.1e %.1e %.1e\n", how[k], error[0], error[1], error[2], drift[0], drift[1], drift[2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_derivatives_along_the_motion),
        cmocka_unit_test(test_track_on_a_link),
        cmocka_unit_test(test_helix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
