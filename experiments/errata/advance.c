/* track-joint, below (3): "any other choice would lead the F.P to advance or fall behind our A.P".
 *
 * The anchor A of a cart moves along a circle of radius R, s the arc length of its foot, by the library's track joint;
 * beside it, on the same path of A, s is advanced by
 *     printed   ds = (A(t + dt) - P(s)) . T(s)            track-joint (3)
 *     speed     ds = h v . T(s)                           v of A in the step
 *     divided   ds = (A(t + dt) - P(s)) . T(s) / k,       k = 1 - d . (Omega x T), here |A(t)| cos / R: a step of
 *                                                         Newton's method for the nearest point
 * FLIGHT: the cart is thrown off the top of a hump, farther than R from it. LAP: a motor drives it around a closed
 * track, on which it stays. */
#include "parts.h"

#include <math.h>

static const char *const choice_names[] = {"printed", "speed", "divided"};
static const char *const path_names[DLS_CLAIMS_PATHS] = {"flight", "lap"};
static const double radius = 1.25;

/* Both curves begin at the top, and the angle of the point at s counts from +z towards +x. */
static const char *const path_scenes[DLS_CLAIMS_PATHS] = {
    "tracks: [{name: hill, curve: {type: arc, start: [0, 0, 1.25], radius: 1.25, bend: -90 deg, angle: 170 deg}}]\n"
    "bodies: [{name: cart, mass: 2, inertia: [0.5, 0.5, 0.5], position: [0.35, 0, 1.2], velocity: [2, 0, 7]}]\n"
    "joints: [{name: ride, type: track, body1: cart, track: hill}]\n",
    "world: {gravity: [0, 0, 0]}\n"
    "tracks: [{name: ring, curve: {type: arc, start: [0, 0, 1.25], radius: 1.25, bend: -90 deg, closed: true}}]\n"
    "bodies: [{name: cart, mass: 2, inertia: [0.5, 0.5, 0.5], position: [0, 0, 1.25]}]\n"
    "joints: [{name: ride, type: track, body1: cart, track: ring, support: two-sided, speed: 2}]\n",
};

static double advanced_s(dls_claims_choice choice, double s, dls_vec3 before, dls_vec3 after)
{
    const double angle = s / radius;
    const dls_vec3 T = {cos(angle), 0.0, -sin(angle)}, n = {sin(angle), 0.0, cos(angle)};
    const double along = dls_dot(choice == DLS_CLAIMS_SPEED ? dls_sub(after, before) : after, T); /* P . T = 0 */
    return s + (choice == DLS_CLAIMS_DIVIDED ? along / (dls_dot(before, n) / radius) : along);
}

static dls_status follow_path(const dls_study *study, size_t path, dls_error *error)
{
    const dls_claims_settings *set = study->settings;
    dls_claims_findings *f = study->found;
    const dls_rig_plan plan = {.solver = "block-pivoting"};
    const double time = path == DLS_CLAIMS_FLIGHT ? set->flight : set->lap;
    double s[DLS_CLAIMS_CHOICES], turns = 0.0;
    dls_scene *scene;
    dls_rig rig;
    DLS_TRY(dls_scene_text(&scene, error, "%s", path_scenes[path]));
    DLS_TRY(dls_rig_open(&rig, scene, &plan, error));
    dls_vec3 before = dls_rig_state(&rig)->x[0];
    double nearest = radius * atan2(before.x, before.z);
    for (size_t c = 0; c < DLS_CLAIMS_CHOICES; c++)
        s[c] = nearest;
    while (dls_rig_next(&rig, set->step, dls_step_count(time, set->step))) {
        const dls_vec3 after = dls_rig_state(&rig)->x[0];
        if (radius * (atan2(after.x, after.z) + turns) < nearest - radius)
            turns += 2.0 * DLS_PI;
        nearest = radius * (atan2(after.x, after.z) + turns);
        for (size_t c = 0; c < DLS_CLAIMS_CHOICES; c++) {
            s[c] = advanced_s((dls_claims_choice)c, s[c], before, after);
            f->lag[path][c] = s[c] - nearest;
            if (rig.steps % set->shown == 0)
                dls_claims_row(study, "ds", path_names[path], choice_names[c], "time[s]", dls_rig_state(&rig)->time,
                               "s - nearest[m]", f->lag[path][c]);
        }
        before = after;
    }
    return dls_rig_end(&rig);
}

dls_status dls_claims_advance(dls_study *study, dls_error *error)
{
    for (dls_grid g = DLS_GRID(DLS_CLAIMS_PATHS); dls_study_next(study, &g);)
        DLS_TRY(follow_path(study, g.at[0], error));
    return DLS_OK;
}
