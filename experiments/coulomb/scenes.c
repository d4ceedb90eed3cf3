/* The scenes in motion, with their motion in closed form, by an equation of a particle, or by the reference motion.
 *
 * INCLINE. A cube of 1 m on a slope of tan = 1/2 slides with g (sin - mu cos), or sticks where mu >= 1/2.
 *
 * BACKSPIN. A ball of radius r with v and w about y slides with the speed u = v - r w of its lowest point, under the
 * friction mu m g, until u = 0 after t = |u| / (7/2 mu g); it then rolls. The angular momentum about a point of the
 * ground gives its last speed 5/7 (v + 2/5 r w).
 *
 * TURNTABLE. A particle at the radius 1 of a table that turns with w, and with it at the start, stays on it if and only
 * if w^2 <= mu g; it then moves in a circle. Else it slides: x'' = -mu g u / |u|, u = x' - w z x x, which begins
 * outwards since there the friction is -mu g x at u = 0. The particle is a small ball of so large an inertia (1e9 kg
 * m^2) that it turns by less than 1e-8 rad.
 *
 * BOX. A box of 0.6 m x 1 m slides on its leading lower edge, pitched by 0.08 rad, at 3.6 m/s. Whether it tumbles is
 * found by the reference motion across its events (reference/trajectory); both lower edges touch. */
#include "coulomb/parts.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdio.h>

static const double tangent = 0.5, radius = 0.25, speed = 4.0, spin = -200.0;

/* --- incline --- */

static dls_status incline_scene(const dls_coulomb_case *c, dls_scene **scene, dls_error *error)
{
    const double slope = atan(tangent);
    dls_maker m =
        dls_make_scene(dls_v3(dls_coulomb_gravity * sin(slope), 0.0, -dls_coulomb_gravity * cos(slope)), error);
    dls_make_box(&m, "cube", dls_v3(1.0, 1.0, 1.0), 1.0, dls_v3(0.0, 0.0, 0.5), dls_quat_identity());
    for (int corner = 0; corner < 4; corner++) {
        char name[DLS_NAME_MAX];
        snprintf(name, sizeof name, "corner%d", corner);
        dls_make_joint(&m, "contact", name, "cube", NULL);
        dls_make_vector(&m, "point", dls_v3(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, 0.0));
        dls_make_vector(&m, "normal", dls_v3(0.0, 0.0, 1.0));
        dls_make_real(&m, "mu", c->mu);
        dls_make_set(&m, "friction", "cone");
    }
    return dls_make_end(&m, scene);
}

static dls_status incline_truth(const dls_coulomb_case *c, dls_coulomb_truth *truth, dls_error *error)
{
    const double slope = atan(tangent);
    const double rate = c->mu >= tangent ? 0.0 : dls_coulomb_gravity * (sin(slope) - c->mu * cos(slope));
    (void)error;
    *truth = (dls_coulomb_truth){.x = dls_v3(0.5 * rate * c->duration * c->duration, 0.0, 0.5),
                                 .v = dls_v3(rate * c->duration, 0.0, 0.0)};
    return DLS_OK;
}

/* --- backspin --- */

static dls_status backspin_scene(const dls_coulomb_case *c, dls_scene **scene, dls_error *error)
{
    return dls_scene_text(scene, error,
                          "name: backspin\nworld: {gravity: [0, 0, %.17g], collide: true, friction: cone, mu: %.17g}\n"
                          "bodies:\n  - {name: ball, shape: sphere, radius: %.17g, mass: 1, position: [0, 0, %.17g], "
                          "velocity: [%.17g, 0, 0], omega: [0, %.17g, 0]}\n"
                          "  - {name: ground, static: true, shape: plane, position: [0, 0, 0]}\n",
                          -dls_coulomb_gravity, c->mu, radius, radius, speed, spin);
}

static dls_status backspin_truth(const dls_coulomb_case *c, dls_coulomb_truth *truth, dls_error *error)
{
    const double slip = speed - radius * spin, rate = c->mu * dls_coulomb_gravity;
    const double until = fmin(c->duration, slip / (3.5 * rate)), v = speed - rate * until;
    const double turn = spin + 2.5 * rate / radius * until;
    (void)error;
    *truth = (dls_coulomb_truth){
        .x = dls_v3(speed * until - 0.5 * rate * until * until + v * (c->duration - until), 0.0, radius),
        .v = dls_v3(v, 0.0, 0.0),
        .omega = dls_v3(0.0, turn, 0.0)};
    return DLS_OK;
}

/* --- turntable --- */

static dls_status turntable_scene(const dls_coulomb_case *c, dls_scene **scene, dls_error *error)
{
    return dls_scene_text(
        scene, error,
        "name: turntable\nworld: {gravity: [0, 0, %.17g], collide: true, friction: cone, mu: %.17g}\nbodies:\n"
        "  - {name: rider, shape: sphere, radius: 0.1, mass: 1, inertia: [1e9, 1e9, 1e9], position: [1, 0, 0.1], "
        "velocity: [0, %.17g, 0]}\n"
        "  - {name: table, kinematic: true, shape: box, size: [400, 400, 1], position: [0, 0, -0.5], omega: [0, 0, "
        "%.17g]}\n",
        -dls_coulomb_gravity, c->mu, c->turn, c->turn);
}

/* y: x, y and their rates. */
static int particle_rates(double t, const double y[], double rates[], void *context)
{
    const dls_coulomb_case *c = context;
    const double u = y[2] + c->turn * y[1], w = y[3] - c->turn * y[0], slip = hypot(u, w), r = hypot(y[0], y[1]);
    const double along[2] = {slip > 0.0 ? u / slip : y[0] / r, slip > 0.0 ? w / slip : y[1] / r};
    (void)t;
    for (size_t k = 0; k < 2; k++) {
        rates[k] = y[2 + k];
        rates[2 + k] = -c->mu * dls_coulomb_gravity * along[k];
    }
    return GSL_SUCCESS;
}

static dls_status turntable_truth(const dls_coulomb_case *c, dls_coulomb_truth *truth, dls_error *error)
{
    double y[4] = {1.0, 0.0, 0.0, c->turn}, time = 0.0;
    if (c->turn * c->turn <= c->mu * dls_coulomb_gravity) {
        const double angle = c->turn * c->duration;
        *truth = (dls_coulomb_truth){.x = dls_v3(cos(angle), sin(angle), 0.1),
                                     .v = dls_v3(-c->turn * sin(angle), c->turn * cos(angle), 0.0)};
        return DLS_OK;
    }
    dls_coulomb_case own = *c;
    gsl_odeiv2_system system = {particle_rates, NULL, 4, &own};
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-6, 1e-13, 1e-13);
    if (!driver)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the motion of a particle");
    const int result = gsl_odeiv2_driver_apply(driver, &time, c->duration, y);
    gsl_odeiv2_driver_free(driver);
    *truth = (dls_coulomb_truth){.x = dls_v3(y[0], y[1], 0.1), .v = dls_v3(y[2], y[3], 0.0)};
    return result == GSL_SUCCESS ? DLS_OK
                                 : dls_fail(error, DLS_REFUSED, "the motion of a particle: %s", gsl_strerror(result));
}

/* --- box --- */

static dls_status box_scene(const dls_coulomb_case *c, dls_scene **scene, dls_error *error)
{
    const double pitch = 0.08, sine = sin(pitch), cosine = cos(pitch);
    const double height = 0.3 * sine + 0.5 * cosine; /* of the centre over the leading edge */
    const dls_quat turned = {cos(0.5 * pitch), 0.0, sin(0.5 * pitch), 0.0};
    dls_maker m = dls_make_scene(dls_v3(0.0, 0.0, -dls_coulomb_gravity), error);
    dls_make_box(&m, "box", dls_v3(0.6, 0.6, 1.0), 1.0, dls_v3(0.0, 0.0, height), turned);
    if (m.status == DLS_OK)
        m.scene->bodies[0].velocity = dls_v3(3.6, 0.0, 0.0);
    for (int edge = 0; edge < 2; edge++) {
        const double x = edge == 0 ? 0.3 : -0.3;
        dls_make_joint(&m, "contact", edge == 0 ? "leading" : "trailing", "box", NULL);
        dls_make_vector(&m, "point", dls_v3(x * cosine - 0.5 * sine, 0.0, 0.0));
        dls_make_vector(&m, "normal", dls_v3(0.0, 0.0, 1.0));
        dls_make_real(&m, "gap", edge == 0 ? 0.0 : 0.6 * sine);
        dls_make_real(&m, "mu", c->mu);
        dls_make_set(&m, "friction", "cone");
    }
    return dls_make_end(&m, scene);
}

static dls_status box_truth(const dls_coulomb_case *c, dls_coulomb_truth *truth, dls_error *error)
{
    dls_scene *scene;
    dls_model *model;
    dls_trajectory *exact = NULL;
    dls_state *state = NULL;
    dls_trajectory_settings settings = dls_trajectory_default();
    settings.events = true;
    DLS_TRY(box_scene(c, &scene, error));
    DLS_TRY(dls_scene_model(scene, &model, error));
    dls_status status = dls_state_create(model, &state, error);
    if (status == DLS_OK)
        status = dls_trajectory_create(model, dls_model_initial(model), &settings, &exact, error);
    if (status == DLS_OK)
        status = dls_trajectory_advance(exact, c->duration, state, error);
    if (status == DLS_OK)
        *truth = dls_coulomb_state(model, state);
    dls_trajectory_destroy(exact);
    dls_state_destroy(state);
    dls_model_destroy(model);
    return status;
}

dls_coulomb_truth dls_coulomb_state(const dls_model *model, const dls_state *state)
{
    const double *v = state->v + dls_model_bodies(model)[0].offset;
    return (dls_coulomb_truth){.x = state->x[0], .v = dls_v3(v[0], v[1], v[2]), .omega = dls_v3(v[3], v[4], v[5])};
}

const dls_coulomb_case dls_coulomb_cases[] = {
    {"incline", 0.5, 0.0, 2.0, incline_scene, incline_truth},
    {"incline", 0.4, 0.0, 2.0, incline_scene, incline_truth},
    {"backspin", 0.5, 0.0, 4.0, backspin_scene, backspin_truth},
    {"turntable", 0.2, 2.0, 4.0, turntable_scene, turntable_truth},
    {"turntable", 0.2, 5.0, 4.0, turntable_scene, turntable_truth},
    {"turntable", 0.5, 2.0, 4.0, turntable_scene, turntable_truth},
    {"turntable", 0.5, 5.0, 4.0, turntable_scene, turntable_truth},
    {"box", 0.5, 0.0, 1.9, box_scene, box_truth},
    {"box", 0.55, 0.0, 0.9, box_scene, box_truth},
    {.name = NULL},
};
