/* Track: order in the time step, the angle errors, and momentum.
 *
 * HELIX of slope sin(p) = k / sqrt(r^2 + k^2): with v = s' T and omega = s' (t T + c B) the kinetic energy is
 * s'^2 (m + I (t^2 + c^2)) / 2, so s(t) = s(0) + a t^2 / 2 with a = g sin(p) m / (m + I (t^2 + c^2)), for any
 * forces of the track. Semi-implicit Euler gives a t (t + h) / 2: first order, a relative error of h / t. With
 * curvature c a step deviates from the track by (h s')^2 c / 2, of which the share ERP is corrected.
 *
 * SWEEPS: the number of iterations depends on the coupling of the rotation rows through s'. It is measured and
 * predicted for one step of the ride (compare.c).
 *
 * ANGLES. An error theta on a straight rail, by one row of J = 1: theta+ = theta - erp C. The printed C = 2 sin(theta)
 * is twice the angle: erp = 0.5 corrects it in one step, and erp = 1 gives -theta + theta^3 / 3, which does not
 * converge linearly.
 *
 * PAIR. Two balls, one with the track, without gravity. */
#include "track/parts.h"

#include <math.h>
#include <stdio.h>

const dls_rig_plan dls_track_direct = {.solver = "block-pivoting", .iterations = 1};

/* --- helix --- */

static const struct {
    const char *name;
    dls_rig_plan plan; /* iterations: from the settings */
} methods[] = {{"dense", {.solver = "block-pivoting"}}, {"pgs", {.solver = "pgs"}}, {"tgs", {.method = "tgs-step"}}};
static const char *const erps[] = {"0", "0.2", "0.8", "1"};

/* The relative error of the way, and how far the bead comes off the rail [m]. */
static dls_status ride(const dls_study *study, size_t method, const char *erp, double h, dls_rig *rig,
                       double *error_of_s, double *off, dls_error *error)
{
    const dls_track_settings *set = study->settings;
    const double a = 9.81 * 5.0 / 13.0 * 2.0 / (2.0 + 1.2 / 1.69); /* scenes/helix.yaml */
    const size_t steps = (size_t)lround(set->seconds / h);
    const double t = (double)steps * h;
    dls_rig_plan plan = methods[method].plan;
    dls_scene *scene;
    plan.iterations = plan.method ? set->substeps : set->iterations;
    DLS_TRY(dls_scene_named("helix", &scene, error));
    dls_status status = dls_joint_set(&scene->joints[0], "erp", erp, error);
    if (status != DLS_OK) {
        dls_scene_destroy(scene);
        return status;
    }
    DLS_TRY(dls_rig_open(rig, scene, &plan, error));
    double start = dls_rig_ride(rig, 0).s;
    *off = 0.0;
    while (dls_rig_next(rig, h, steps))
        *off = fmax(*off, dls_norm(dls_rig_ride(rig, 0).off));
    *error_of_s = (dls_rig_ride(rig, 0).s - start) / (0.5 * a * t * t) - 1.0;
    return rig->status == DLS_OK ? DLS_OK : dls_rig_end(rig);
}

/* Sweeps on the problem that follows a ride. */
static dls_status compare_sweeps(const dls_study *study, dls_error *error)
{
    const dls_track_settings *set = study->settings;
    dls_problem *problem = NULL;
    dls_choice *choices = NULL;
    dls_comparisons found = {.of = NULL};
    size_t count = 0;
    double way, off;
    dls_rig rig;
    DLS_TRY(ride(study, 0, erps[1], set->step, &rig, &way, &off, error));
    dls_status status = dls_problem_create(rig.model, dls_rig_state(&rig), NULL, set->step, &problem, error);
    if (status == DLS_OK)
        status = dls_choices_add("pgs,symmetric-pgs,jacobi", &choices, &count, error);
    if (status == DLS_OK)
        status = dls_compare(problem, choices, count, 100 * set->iterations, 1e-12, &found, error);
    dls_comparisons_write(&found, "helix", 200, study->tables[DLS_TRACK_HISTORY], study->tables[DLS_TRACK_SUMMARY]);
    dls_comparisons_release(&found);
    dls_choices_release(choices, count);
    dls_problem_destroy(problem);
    dls_rig_close(&rig);
    return status;
}

dls_status dls_track_order(dls_study *study, dls_error *error)
{
    static const double multiples[] = {8.0, 4.0, 2.0, 1.0, 0.5};
    const dls_track_settings *set = study->settings;
    DLS_TRY(compare_sweeps(study, error));
    for (dls_grid g = DLS_GRID(3, 4, 5); dls_study_next(study, &g);) {
        double h = multiples[g.at[2]] * set->step, error_of_s, off;
        dls_rig rig;
        DLS_TRY(ride(study, g.at[0], erps[g.at[1]], h, &rig, &error_of_s, &off, error));
        dls_rig_close(&rig);
        dls_table_row(study->tables[DLS_TRACK_ORDER], "%s %s %g %g %g", methods[g.at[0]].name, erps[g.at[1]], h,
                      error_of_s, off);
    }
    return DLS_OK;
}

/* --- angles --- */

enum { ANGLE_STEPS = 20 };

static dls_status turn(const dls_study *study, const char *angle, const char *erp, dls_error *error)
{
    const dls_track_settings *set = study->settings;
    dls_scene *scene;
    dls_rig rig;
    DLS_TRY(
        dls_scene_text(&scene, error,
                       "world: {gravity: [0, 0, 0]}\n"
                       "tracks: [{name: rail, curve: {type: line, length: 3}}]\n"
                       "bodies: [{name: cart, shape: box, size: [0.4, 0.2, 0.1], mass: 1.3, position: [1.2, 0, 0]}]\n"
                       "joints: [{name: ride, type: track, body1: cart, track: rail, angle: %s, erp: %s}]\n",
                       angle, erp));
    DLS_TRY(dls_rig_open(&rig, scene, &dls_track_direct, error));
    dls_simulation_edit(rig.simulation)->q[0] = dls_quat_exp(dls_v3(0, 0, 0.5));
    do {
        dls_table_row(study->tables[DLS_TRACK_ANGLE], "%s %s %zu %g", angle, erp, rig.steps,
                      dls_norm(dls_quat_log(dls_rig_state(&rig)->q[0])));
    } while (dls_rig_next(&rig, set->step, ANGLE_STEPS));
    return dls_rig_end(&rig);
}

dls_status dls_track_angles(dls_study *study, dls_error *error)
{
    static const char *const angles[] = {"half", "printed", "vector"}, *const shares[] = {"0.2", "0.5", "0.8", "1"};
    for (dls_grid g = DLS_GRID(3, 4); dls_study_next(study, &g);)
        DLS_TRY(turn(study, angles[g.at[0]], shares[g.at[1]], error));
    return DLS_OK;
}

/* --- momentum --- */

static dls_status fly(const dls_study *study, const char *update, const char *spin, double h, dls_error *error)
{
    dls_scene *scene;
    dls_rig rig;
    dls_vec3 p[2], L[2];
    DLS_TRY(dls_scene_text(
        &scene, error,
        "world: {gravity: [0, 0, 0]}\n"
        "tracks: [{name: rail, curve: {type: helix, axis: [0.1, 0.2, 1], radius: 1.1, pitch: 1.4, turns: 6}}]\n"
        "bodies: [{name: wagon, shape: sphere, radius: 0.3, mass: 1.3, position: [0.1, 0.1, 0.1], velocity: [2, "
        "0.4, 0.3]},\n"
        "  {name: planet, shape: sphere, radius: 0.8, mass: 4.1, position: [0.2, -0.3, 0.5], velocity: [0.3, 0.1, "
        "-0.2], omega: [%s, 0.2, 0.3]}]\n"
        "joints: [{name: ride, type: track, body1: wagon, body2: planet, track: rail, anchor: [0, 0, 0], s: 0, "
        "support: two-sided, update: %s}]\n",
        spin, update));
    DLS_TRY(dls_rig_open(&rig, scene, &dls_track_direct, error));
    dls_momentum(dls_rig_at(&rig), &p[0], &L[0]);
    while (dls_rig_next(&rig, h, (size_t)lround(0.6 / h)))
        ;
    dls_momentum(dls_rig_at(&rig), &p[1], &L[1]);
    dls_table_row(study->tables[DLS_TRACK_MOMENTUM], "%s %s %g %g %g", update, spin, h,
                  dls_norm(dls_sub(p[1], p[0])) / dls_norm(p[0]), dls_norm(dls_sub(L[1], L[0])) / dls_norm(L[0]));
    return dls_rig_end(&rig);
}

dls_status dls_track_momentum(dls_study *study, dls_error *error)
{
    static const char *const updates[] = {"before", "after", "nearest"}, *const spins[] = {"0", "3"};
    const dls_track_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(3, 2, 3); dls_study_next(study, &g);)
        DLS_TRY(fly(study, updates[g.at[0]], spins[g.at[1]], set->step * (double)(4 >> g.at[2]), error));
    return DLS_OK;
}
