/* Track: lateral force at a constant speed, m u^2 c(s) on a level track. From a line to an arc the curvature jumps, and
 * the force with it; along a clothoid it grows by m u^2 (c / length) per metre. In a banked frame the force per mass is
 * c u^2 cos(bank) - g sin(bank).
 */
#include "track/parts.h"

static const struct {
    const char *name, *pieces;
} curves[] = {{"clothoid",
               "{type: line, length: 1}, {type: clothoid, length: 1.5, end_curvature: 0.5}, {type: arc, radius: "
               "2, angle: 120 deg}"},
              {"arc", "{type: line, length: 1.75}, {type: arc, radius: 2, angle: 120 deg}"}};

dls_status dls_track_lateral(dls_study *study, dls_error *error)
{
    const dls_track_settings *set = study->settings;
    const double m = 1.3, u = 1.5;
    for (dls_grid g = DLS_GRID(2); dls_study_next(study, &g);) {
        dls_scene *scene;
        dls_rig rig;
        DLS_TRY(dls_scene_text(
            &scene, error,
            "tracks: [{name: rail, curve: {type: composite, chained: true, pieces: [%s]}}]\n"
            "bodies: [{name: cart, shape: box, size: [0.4, 0.2, 0.1], mass: 1.3, position: [0.1, 0, 0], velocity: "
            "[1.5, 0, 0]}]\n"
            "joints: [{name: ride, type: track, body1: cart, track: rail, speed: 1.5, motor_force_min: -20, "
            "motor_force_max: 20}]\n",
            curves[g.at[0]].pieces));
        DLS_TRY(dls_rig_open(&rig, scene, &dls_track_direct, error));
        dls_track_ride at = dls_rig_ride(&rig, 0);
        for (double t = 0.0; t < 2.4 && dls_rig_next(&rig, set->step, SIZE_MAX); t += set->step) {
            dls_track_forces f = dls_rig_track_forces(&rig, 0);
            dls_table_row(study->tables[DLS_TRACK_LATERAL], "%s %g %g %g %g %g %g", curves[g.at[0]].name, at.s,
                          at.frame.c, f.lateral, m * u * u * at.frame.c, f.drive, f.yaw);
            at = dls_rig_ride(&rig, 0);
        }
        DLS_TRY(dls_rig_end(&rig));
    }
    return DLS_OK;
}

/* --- the railway --- */

dls_status dls_track_railway(dls_study *study, dls_error *error)
{
    const dls_track_settings *set = study->settings;
    double next = 0.0;
    dls_scene *scene;
    dls_rig rig;
    DLS_TRY(dls_scene_named("railway", &scene, error));
    const double duration = scene->world.duration;
    DLS_TRY(dls_rig_open(&rig, scene, &dls_track_direct, error));
    for (double t = 0.0; t < duration && dls_rig_next(&rig, set->step, SIZE_MAX); t += set->step) {
        if (t < next)
            continue;
        next += 0.02;
        for (size_t j = 0; j < 3; j++) {
            dls_track_ride at = dls_rig_ride(&rig, j);
            dls_track_forces f = dls_rig_track_forces(&rig, j);
            dls_table_row(study->tables[DLS_TRACK_RAILWAY], "%s %g %g %g %g %g %g %g %g",
                          dls_model_bodies(rig.model)[j].name, dls_rig_state(&rig)->time, at.s, at.frame.P.x,
                          at.frame.P.y, at.speed, at.frame.c, f.lateral, f.support);
        }
    }
    return dls_rig_end(&rig);
}
