/* Track: a one-sided track, which does not pull. With k = m / (m + I / R^2), the share of the kinetic energy that is
 * not in the rotation:
 *
 * HUMP of radius R, from rest at theta_0: u^2 = 2 k g R (cos(theta_0) - cos(theta)); it leaves where m g cos(theta) =
 * m u^2 / R,
 *     cos(theta) = 2 k cos(theta_0) / (1 + 2 k)
 * LOOP of radius R, from theta_0 beside its bottom with the speed u: at the top u_1^2 = u^2 - 2 k g R (1 +
 * cos(theta_0)) and m u_1^2 / R >= m g,
 *     u^2 >= g R (1 + 2 k (1 + cos(theta_0)))
 * FLIGHT over the hump, of a bead that no row turns: a one-sided rail does not touch it, so that it flies along the
 * parabola x = x_0 + v t - g t (t + h) / 2 of its steps, exactly, and s is that of the nearest point, R times the angle
 * of x about the centre of the hump. It rises farther from the rail than R.
 * Hump and loop have cos(theta_0) = 0.96 and R = 1.25 m (scenes/hump.yaml, loop-track.yaml). A body has left the track
 * when it has had no contact force for FLOATING steps. */
#include "track/parts.h"

#include <math.h>

enum { FLOATING = 10 };
static const double R = 1.25, COSINE = 0.96, GRAVITY = 9.81;

typedef struct trial {
    const dls_study *study;
    double k;
} trial;

/* The s at which a body of that k and speed leaves the rail; `end` where it stays on it until there. */
static dls_status leave(const trial *t, const char *name, double speed, double end, double *s, dls_error *error)
{
    const dls_track_settings *set = t->study->settings;
    int floating = 0;
    dls_scene *scene;
    dls_rig rig;
    DLS_TRY(dls_scene_named(name, &scene, error));
    dls_body_def *body = &scene->bodies[0];
    double I = body->mass * R * R * (1.0 / t->k - 1.0);
    body->inertia = dls_v3(I, I, I);
    body->velocity = dls_scale(speed / 8.0, body->velocity); /* the loop's scene has 8 m/s */
    body->omega = dls_scale(speed / 8.0, body->omega);
    DLS_TRY(dls_rig_open(&rig, scene, &dls_track_direct, error));
    *s = dls_rig_ride(&rig, 0).s;
    while (floating < FLOATING && dls_rig_ride(&rig, 0).s < end && dls_rig_next(&rig, set->contact_step, SIZE_MAX)) {
        floating = dls_rig_track_forces(&rig, 0).support > 0.0 ? 0 : floating + 1;
        *s = floating <= 1 ? dls_rig_ride(&rig, 0).s : *s;
    }
    *s = floating < FLOATING ? end : *s;
    return dls_rig_end(&rig);
}

static dls_status passes(void *context, double speed, bool *so, dls_error *error)
{
    const double end = 1.1 * DLS_PI * R;
    double s;
    DLS_TRY(leave(context, "loop-track", speed, end, &s, error));
    *so = s == end;
    return DLS_OK;
}

dls_status dls_track_contact(dls_study *study, dls_error *error)
{
    static const double ks[] = {0.999, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4};
    for (dls_grid g = DLS_GRID(sizeof ks / sizeof ks[0]); dls_study_next(study, &g);) {
        double k = ks[g.at[0]], s, least = sqrt(GRAVITY * R * (1.0 + 2.0 * k * (1.0 + COSINE)));
        double low = 0.9 * least, high = 1.1 * least;
        trial t = {study, k};
        DLS_TRY(leave(&t, "hump", 0.0, 2.0 * R, &s, error));
        DLS_TRY(dls_bisect(passes, &t, &low, &high, 1e-4 * least, error));
        dls_table_row(study->tables[DLS_TRACK_CONTACT], "%g %g %g %g %g", k, s / R * 180.0 / DLS_PI,
                      acos(2.0 * k * COSINE / (1.0 + 2.0 * k)) * 180.0 / DLS_PI, 0.5 * (low + high), least);
    }
    return DLS_OK;
}

/* --- flight --- */

static const dls_vec3 thrown_from = {0.35, 0.0, 1.2}, thrown_with = {2.0, 0.0, 7.0};

/* The hump is the arc about the origin that begins at its top and bends down along x. */
static double arc_length_of(dls_vec3 x) { return R * atan2(x.x, x.z); }

static double energy_of(dls_rig *rig)
{
    return dls_kinetic_energy(dls_rig_at(rig)) + dls_potential_energy(dls_rig_at(rig));
}

static dls_status fly_over(const dls_study *study, const char *update, const char *derail, double h, dls_error *error)
{
    dls_scene *scene;
    dls_rig rig;
    double height = 0.0, off = 0.0, off_s = 0.0;
    DLS_TRY(dls_scene_text(&scene, error,
                           "world: {gravity: [0, 0, %.17g]}\n"
                           "tracks: [{name: hill, curve: {type: arc, start: [0, 0, %.17g], radius: %.17g, bend: -90 "
                           "deg, angle: 170 deg}}]\n"
                           "bodies: [{name: bead, mass: 2, inertia: [0.5, 0.5, 0.5], position: [%.17g, %.17g, %.17g], "
                           "velocity: [%.17g, %.17g, %.17g]}]\n"
                           "joints: [{name: ride, type: track, body1: bead, track: hill, roll: false, pitch: false, "
                           "yaw: false, update: %s, derail: %s, tolerance: 1}]\n",
                           -GRAVITY, R, R, thrown_from.x, thrown_from.y, thrown_from.z, thrown_with.x, thrown_with.y,
                           thrown_with.z, update, derail));
    DLS_TRY(dls_rig_open(&rig, scene, &dls_track_direct, error));
    const double energy = energy_of(&rig);
    const size_t steps = (size_t)lround(0.7 / h);
    while (dls_rig_next(&rig, h, steps)) {
        const double t = (double)rig.steps * h;
        const dls_vec3 x = dls_rig_state(&rig)->x[0];
        const dls_vec3 exact = {thrown_from.x + thrown_with.x * t, 0.0,
                                thrown_from.z + thrown_with.z * t - 0.5 * GRAVITY * t * (t + h)};
        const dls_track_ride ride = dls_rig_ride(&rig, 0);
        height = fmax(height, dls_norm(x) - R);
        off = fmax(off, dls_norm(dls_sub(x, exact)));
        off_s = ride.released ? off_s : fmax(off_s, fabs(ride.s - arc_length_of(x)));
    }
    dls_table_row(study->tables[DLS_TRACK_FLIGHT], "%s %s %g %g %g %g %g", update, derail, h, height, off, off_s,
                  energy_of(&rig) - energy);
    return dls_rig_end(&rig);
}

dls_status dls_track_flight(dls_study *study, dls_error *error)
{
    static const char *const updates[] = {"before", "after", "nearest"}, *const derails[] = {"inf", "0.5"};
    const dls_track_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(3, 2, 3); dls_study_next(study, &g);)
        DLS_TRY(fly_over(study, updates[g.at[0]], derails[g.at[1]], set->step * (double)(4 >> g.at[2]), error));
    return DLS_OK;
}
