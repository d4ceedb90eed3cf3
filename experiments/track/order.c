/* Track: order in the time step, the angle errors, and momentum.
 *
 * HELIX of slope sin(p) = k / sqrt(r^2 + k^2): with v = s' T and omega = s' (t T + c B) the kinetic energy is
 * s'^2 (m + I (t^2 + c^2)) / 2, so s(t) = s(0) + a t^2 / 2 with a = g sin(p) m / (m + I (t^2 + c^2)), whatever else
 * the rail does. Semi-implicit Euler gives a t (t + h) / 2: first order, h / t of the way. A step leaves the bend c by
 * (h s')^2 c / 2, and of that erp takes its share.
 *
 * SWEEPS need as many iterations as the rows of rotation are coupled through s': measured and predicted on one step of
 * the ride (compare.c).
 *
 * ANGLES. An error theta on a straight rail, by one row of J = 1: theta+ = theta - erp C. The printed C = 2 sin(theta)
 * is twice the angle: erp = 0.5 ends it in one step, and erp = 1 leaves -theta + theta^3 / 3, which has no rate at all.
 *
 * PAIR. Two balls, one with the track, without gravity. */
#include "track.h"

#include <math.h>
#include <stdio.h>

/* --- helix --- */

typedef struct method {
    const char *name, *solver, *scheme;
} method;
static const method methods[] = {{"dense", "block-pivoting", "euler"}, {"pgs", "pgs", "euler"}, {"tgs", "pgs", "tgs"}};
static const char *const erps[] = {"0", "0.2", "0.8", "1"};

static dls_status ride(const dls_track_lab *lab, const method *m, const char *erp, double h, dls_track_rig *rig,
                       double values[3], dls_error *error)
{
    const double a = 9.81 * 5.0 / 13.0 * 2.0 / (2.0 + 1.2 / 1.69); /* scenes/helix.yaml */
    const size_t steps = (size_t)lround(lab->options->seconds / h);
    double off = 0.0, t = (double)steps * h;
    dls_scene *scene;
    DLS_TRY(dls_track_scene("helix", &scene, error));
    dls_status status = dls_joint_set(&scene->joints[0], "erp", erp, error);
    if (status != DLS_OK) {
        dls_scene_destroy(scene);
        return status;
    }
    DLS_TRY(dls_track_rig_open(rig, scene, m->solver, m->scheme,
                               m->scheme[0] == 't' ? lab->options->substeps : lab->options->iterations, error));
    double start = dls_track_rig_ride(rig, 0).s;
    for (size_t i = 0; i < steps; i++) {
        DLS_TRY(dls_track_rig_step(rig, h, error));
        off = fmax(off, dls_norm(dls_track_rig_ride(rig, 0).off));
    }
    values[0] = h, values[1] = (dls_track_rig_ride(rig, 0).s - start) / (0.5 * a * t * t) - 1.0;
    values[2] = off;
    return DLS_OK;
}

static dls_status rides(const dls_track_lab *lab, dls_table *table, dls_error *error)
{
    static const double multiples[] = {8.0, 4.0, 2.0, 1.0, 0.5};
    for (size_t m = 0; m < 3; m++)
        for (size_t e = 0; e < 4; e++)
            for (size_t i = 0; i < 5; i++) {
                dls_track_rig rig = {0};
                double values[3];
                dls_status status =
                    ride(lab, &methods[m], erps[e], multiples[i] * lab->options->step, &rig, values, error);
                dls_track_rig_close(&rig);
                DLS_TRY(status);
                dls_track_row(table, methods[m].name, erps[e], values, 3);
            }
    return DLS_OK;
}

static dls_status compare(const dls_track_lab *lab, const dls_problem *problem, dls_table *history, dls_table *summary,
                          dls_error *error)
{
    const dls_effort effort = {100 * lab->options->iterations, 1e-12, 200};
    dls_choice *choices = NULL;
    size_t count = 0;
    DLS_TRY(dls_choices_create("pgs,symmetric-pgs,jacobi", &choices, &count, error));
    dls_status status = dls_compare("helix", problem, choices, count, &effort, history, summary, NULL, error);
    dls_choices_release(choices, count);
    return status;
}

static dls_status compare_sweeps(const dls_track_lab *lab, const dls_track_rig *rig, dls_error *error)
{
    dls_problem *problem = NULL;
    dls_table *history = NULL, *summary = NULL;
    dls_status status = dls_problem_create(rig->model, dls_simulation_state(rig->simulation), NULL, lab->options->step,
                                           &problem, error);
    if (status == DLS_OK)
        status = dls_track_table(lab, "track.history", dls_history_columns, &history, error);
    if (status == DLS_OK)
        status = dls_track_table(lab, "track.summary", dls_summary_columns, &summary, error);
    if (status == DLS_OK)
        status = compare(lab, problem, history, summary, error);
    dls_problem_destroy(problem);
    status = dls_track_finish(history, status, error);
    return dls_track_finish(summary, status, error);
}

static dls_status sweeps(const dls_track_lab *lab, dls_error *error)
{
    dls_track_rig rig = {0};
    double values[3];
    dls_status status = ride(lab, &methods[0], erps[1], lab->options->step, &rig, values, error);
    if (status == DLS_OK)
        status = compare_sweeps(lab, &rig, error);
    dls_track_rig_close(&rig);
    return status;
}

dls_status dls_track_order(const dls_track_lab *lab, dls_error *error)
{
    dls_table *table;
    char path[DLS_PATH_MAX];
    DLS_TRY(sweeps(lab, error));
    DLS_TRY(dls_track_table(lab, "track.order", "method\terp\tstep[s]\terror_of_s\toff_rail[m]", &table, error));
    DLS_TRY(dls_track_finish(table, rides(lab, table, error), error));
    DLS_TRY(dls_job_path(lab->job, "track.order", "tsv", path, error));
    return dls_plot(lab->job, "track-order", path, "track-order",
                    "A bead slides down a helix. Left: error of the way s(t) against a t^2 / 2, relative. Right: how "
                    "far it comes off the rail. "
                    "Lines: dense steps; crosses: pgs; circles: tgs.",
                    (const char *const[]){NULL}, error);
}

/* --- angles --- */

enum { ANGLE_STEPS = 20 };

static dls_status turn(const dls_track_lab *lab, const char *angle, const char *erp, dls_track_rig *rig,
                       dls_table *table, dls_error *error)
{
    char text[700];
    dls_scene *scene;
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, 0]}\n"
             "tracks: [{name: rail, curve: {type: line, length: 3}}]\n"
             "bodies: [{name: cart, shape: box, size: [0.4, 0.2, 0.1], mass: 1.3, position: [1.2, 0, 0]}]\n"
             "joints: [{name: ride, type: track, body1: cart, track: rail, angle: %s, erp: %s}]\n",
             angle, erp);
    DLS_TRY(dls_track_scene_text(text, &scene, error));
    DLS_TRY(dls_track_rig_open(rig, scene, "block-pivoting", "euler", 1, error));
    dls_simulation_edit(rig->simulation)->q[0] = dls_quat_exp(dls_v3(0, 0, 0.5));
    for (int i = 0; i <= ANGLE_STEPS; i++) {
        const double values[] = {(double)i, dls_norm(dls_quat_log(dls_simulation_state(rig->simulation)->q[0]))};
        dls_track_row(table, angle, erp, values, 2);
        DLS_TRY(dls_track_rig_step(rig, lab->options->step, error));
    }
    return DLS_OK;
}

static dls_status turns(const dls_track_lab *lab, dls_table *table, dls_error *error)
{
    static const char *const angles[] = {"half", "printed", "vector"}, *const shares[] = {"0.2", "0.5", "0.8", "1"};
    for (size_t a = 0; a < 3; a++)
        for (size_t e = 0; e < 4; e++) {
            dls_track_rig rig = {0};
            dls_status status = turn(lab, angles[a], shares[e], &rig, table, error);
            dls_track_rig_close(&rig);
            DLS_TRY(status);
        }
    return DLS_OK;
}

dls_status dls_track_angles(const dls_track_lab *lab, dls_error *error)
{
    dls_table *table;
    char path[DLS_PATH_MAX];
    DLS_TRY(dls_track_table(lab, "track.angle", "angle\terp\tstep\ttheta[rad]", &table, error));
    DLS_TRY(dls_track_finish(table, turns(lab, table, error), error));
    DLS_TRY(dls_job_path(lab->job, "track.angle", "tsv", path, error));
    return dls_plot(
        lab->job, "track-angle", path, "track-angle",
        "What is left of an angle error of 0.5 rad: half of the sum of cross products, the sum as printed, the "
        "rotation vector; each with "
        "four error reduction parameters. As printed, 1 does not converge and 0.5 does in one step but for the sine.",
        (const char *const[]){NULL}, error);
}

/* --- momentum --- */

static dls_status fly(const char *update, double spin, double h, dls_track_rig *rig, double values[4], dls_error *error)
{
    char text[1200];
    dls_scene *scene;
    dls_vec3 p[2], L[2];
    snprintf(text, sizeof text,
             "world: {gravity: [0, 0, 0]}\n"
             "tracks: [{name: rail, curve: {type: helix, axis: [0.1, 0.2, 1], radius: 1.1, pitch: 1.4, turns: 6}}]\n"
             "bodies: [{name: wagon, shape: sphere, radius: 0.3, mass: 1.3, position: [0.1, 0.1, 0.1], velocity: [2, "
             "0.4, 0.3]},\n"
             "  {name: planet, shape: sphere, radius: 0.8, mass: 4.1, position: [0.2, -0.3, 0.5], velocity: [0.3, 0.1, "
             "-0.2], omega: [%.17g, 0.2, 0.3]}]\n"
             "joints: [{name: ride, type: track, body1: wagon, body2: planet, track: rail, anchor: [0, 0, 0], s: 0, "
             "support: two-sided, update: %s}]\n",
             spin, update);
    DLS_TRY(dls_track_scene_text(text, &scene, error));
    DLS_TRY(dls_track_rig_open(rig, scene, "block-pivoting", "euler", 1, error));
    dls_momentum(dls_simulation_configuration(rig->simulation), &p[0], &L[0]);
    for (size_t i = 0; i < (size_t)lround(0.6 / h); i++)
        DLS_TRY(dls_track_rig_step(rig, h, error));
    dls_momentum(dls_simulation_configuration(rig->simulation), &p[1], &L[1]);
    values[0] = spin, values[1] = h;
    values[2] = dls_norm(dls_sub(p[1], p[0])) / dls_norm(p[0]),
    values[3] = dls_norm(dls_sub(L[1], L[0])) / dls_norm(L[0]);
    return DLS_OK;
}

static dls_status flights(const dls_track_lab *lab, dls_table *table, dls_error *error)
{
    static const char *const updates[] = {"before", "after", "nearest"};
    for (size_t u = 0; u < 3; u++)
        for (int k = 0; k < 6; k++) {
            dls_track_rig rig = {0};
            double values[4];
            dls_status status =
                fly(updates[u], k < 3 ? 0.0 : 3.0, lab->options->step * (double)(4 >> k % 3), &rig, values, error);
            dls_track_rig_close(&rig);
            DLS_TRY(status);
            dls_track_row(table, updates[u], NULL, values, 4);
        }
    return DLS_OK;
}

dls_status dls_track_pair(const dls_track_lab *lab, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_track_table(lab, "track.momentum", "update\tspin[rad/s]\tstep[s]\tlost_linear\tlost_angular", &table,
                            error));
    return dls_track_finish(table, flights(lab, table, error), error);
}
