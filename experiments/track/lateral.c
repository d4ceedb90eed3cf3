/* Track: lateral force at a held speed, m u^2 c(s) on a level track. From a line into an arc the curvature jumps, and
 * the force with it; over a clothoid it grows by m u^2 (c / length) a metre. A banked frame takes g sin(bank) of it: c
 * u^2 cos(bank) - g sin(bank), per mass. */
#include "track.h"

#include <stdio.h>

static dls_status curve(const dls_track_lab *lab, const char *name, const char *pieces, dls_track_rig *rig,
                        dls_table *table, dls_error *error)
{
    char text[900];
    dls_scene *scene;
    const double m = 1.3, u = 1.5, h = lab->options->step;
    snprintf(text, sizeof text,
             "tracks: [{name: rail, curve: {type: composite, chained: true, pieces: [%s]}}]\n"
             "bodies: [{name: cart, shape: box, size: [0.4, 0.2, 0.1], mass: 1.3, position: [0.1, 0, 0], velocity: "
             "[1.5, 0, 0]}]\n"
             "joints: [{name: ride, type: track, body1: cart, track: rail, speed: 1.5, motor_force_min: -20, "
             "motor_force_max: 20}]\n",
             pieces);
    DLS_TRY(dls_track_scene_text(text, &scene, error));
    DLS_TRY(dls_track_rig_open(rig, scene, "block-pivoting", "euler", 1, error));
    for (double t = 0.0; t < 2.4; t += h) {
        dls_track_ride at = dls_track_rig_ride(rig, 0);
        DLS_TRY(dls_track_rig_step(rig, h, error));
        dls_track_forces f = dls_track_rig_forces(rig, 0);
        const double values[] = {at.s, at.frame.c, f.lateral, m * u * u * at.frame.c, f.drive, f.yaw};
        dls_track_row(table, name, NULL, values, 6);
    }
    return DLS_OK;
}

static dls_status curves(const dls_track_lab *lab, dls_table *table, dls_error *error)
{
    static const char *const tracks[][2] = {
        {"clothoid", "{type: line, length: 1}, {type: clothoid, length: 1.5, end_curvature: 0.5}, {type: arc, radius: "
                     "2, angle: 120 deg}"},
        {"arc", "{type: line, length: 1.75}, {type: arc, radius: 2, angle: 120 deg}"}};
    for (size_t i = 0; i < 2; i++) {
        dls_track_rig rig = {0};
        dls_status status = curve(lab, tracks[i][0], tracks[i][1], &rig, table, error);
        dls_track_rig_close(&rig);
        DLS_TRY(status);
    }
    return DLS_OK;
}

dls_status dls_track_lateral(const dls_track_lab *lab, dls_error *error)
{
    dls_table *table;
    char path[DLS_PATH_MAX];
    DLS_TRY(dls_track_table(lab, "track.lateral",
                            "track\ts[m]\tcurvature[1/m]\tlateral[N]\tlateral_exactly[N]\tdrive[N]\tyaw[N m]", &table,
                            error));
    DLS_TRY(dls_track_finish(table, curves(lab, table, error), error));
    DLS_TRY(dls_job_path(lab->job, "track.lateral", "tsv", path, error));
    return dls_plot(lab->job, "track-lateral", path, "track-lateral",
                    "A motor holds 1.5 m/s from a line into an arc of 2 m, over a clothoid and straight into it. Left: "
                    "lateral force. Right: force of the motor, "
                    "which has to turn the cart too.",
                    (const char *const[]){NULL}, error);
}

/* --- the railway --- */

static dls_status round_trip(const dls_track_lab *lab, dls_track_rig *rig, dls_table *table, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_track_scene("railway", &scene, error));
    double duration = scene->world.duration, h = lab->options->step, next = 0.0;
    DLS_TRY(dls_track_rig_open(rig, scene, "block-pivoting", "euler", 1, error));
    for (double t = 0.0; t < duration; t += h) {
        DLS_TRY(dls_track_rig_step(rig, h, error));
        if (t < next)
            continue;
        next += 0.02;
        for (size_t j = 0; j < 3; j++) {
            dls_track_ride at = dls_track_rig_ride(rig, j);
            dls_track_forces f = dls_track_rig_forces(rig, j);
            const double values[] = {t, at.s, at.frame.P.x, at.frame.P.y, at.speed, at.frame.c, f.lateral, f.support};
            dls_track_row(table, rig->model->bodies[j].name, NULL, values, 8);
        }
    }
    return DLS_OK;
}

dls_status dls_track_railway(const dls_track_lab *lab, dls_error *error)
{
    dls_table *table;
    char path[DLS_PATH_MAX];
    dls_track_rig rig = {0};
    DLS_TRY(dls_track_table(lab, "track.railway",
                            "wagon\ttime[s]\ts[m]\tx[m]\ty[m]\tspeed[m/s]\tcurvature[1/m]\tlateral[N]\tsupport[N]",
                            &table, error));
    dls_status status = round_trip(lab, &rig, table, error);
    dls_track_rig_close(&rig);
    DLS_TRY(dls_track_finish(table, status, error));
    DLS_TRY(dls_job_path(lab->job, "track.railway", "tsv", path, error));
    return dls_plot(lab->job, "track-railway", path, "track-railway",
                    "Three coupled wagons on a closed track of lines, clothoids and banked arcs. Left: the track from "
                    "above, its colour the lateral force on the "
                    "engine. Right: curvature (times 100) and lateral forces along the track.",
                    (const char *const[]){NULL}, error);
}
