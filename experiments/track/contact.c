/* Track: a rail that does not pull. With k = m / (m + I / R^2), the share of the kinetic energy that is not in the
 * rotation:
 *
 * HUMP of radius R, from rest at theta_0: u^2 = 2 k g R (cos(theta_0) - cos(theta)); it leaves where m g cos(theta) =
 * m u^2 / R,
 *     cos(theta) = 2 k cos(theta_0) / (1 + 2 k)
 * LOOP of radius R, from theta_0 beside its bottom with the speed u: at the top u_1^2 = u^2 - 2 k g R (1 +
 * cos(theta_0)) and m u_1^2 / R >= m g,
 *     u^2 >= g R (1 + 2 k (1 + cos(theta_0)))
 * Both have cos(theta_0) = 0.96 and R = 1.25 m (scenes/hump.yaml, loop-track.yaml). Off the rail is who is not
 * pressed for FLOATING steps. */
#include "track.h"

#include <math.h>

enum { FLOATING = 10 };
static const double R = 1.25, COSINE = 0.96, GRAVITY = 9.81;

static dls_status open(const char *name, double k, double speed, dls_track_rig *rig, dls_error *error)
{
    dls_scene *scene;
    DLS_TRY(dls_track_scene(name, &scene, error));
    dls_body_def *body = &scene->bodies[0];
    double I = body->mass * R * R * (1.0 / k - 1.0);
    body->inertia = dls_v3(I, I, I);
    body->velocity = dls_scale(speed / 8.0, body->velocity); /* the loop's scene has 8 m/s */
    body->omega = dls_scale(speed / 8.0, body->omega);
    return dls_track_rig_open(rig, scene, "block-pivoting", "euler", 1, error);
}

/* The s at which the body is off the rail; `end` where it stays on it until there. */
static dls_status leaves(dls_track_rig *rig, double h, double end, double *s, dls_error *error)
{
    int floating = 0;
    *s = dls_track_rig_ride(rig, 0).s;
    while (floating < FLOATING && dls_track_rig_ride(rig, 0).s < end) {
        DLS_TRY(dls_track_rig_step(rig, h, error));
        floating = dls_track_rig_forces(rig, 0).support > 0.0 ? 0 : floating + 1;
        *s = floating <= 1 ? dls_track_rig_ride(rig, 0).s : *s;
    }
    *s = floating < FLOATING ? end : *s;
    return DLS_OK;
}

static dls_status leave(const dls_track_lab *lab, const char *name, double k, double speed, double end, double *s,
                        dls_error *error)
{
    dls_track_rig rig = {0};
    dls_status status = open(name, k, speed, &rig, error);
    if (status == DLS_OK)
        status = leaves(&rig, lab->options->contact_step, end, s, error);
    dls_track_rig_close(&rig);
    return status;
}

static dls_status least_speed(const dls_track_lab *lab, double k, double expected, double *speed, dls_error *error)
{
    double low = 0.9 * expected, high = 1.1 * expected, end = 1.1 * DLS_PI * R, s;
    while (high - low > 1e-4 * expected) {
        double middle = 0.5 * (low + high);
        DLS_TRY(leave(lab, "loop-track", k, middle, end, &s, error));
        *(s == end ? &high : &low) = middle;
    }
    *speed = 0.5 * (low + high);
    return DLS_OK;
}

static dls_status bodies(const dls_track_lab *lab, dls_table *table, dls_error *error)
{
    static const double ks[] = {0.999, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4};
    for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++) {
        double k = ks[i], s, speed, least = sqrt(GRAVITY * R * (1.0 + 2.0 * k * (1.0 + COSINE)));
        DLS_TRY(leave(lab, "hump", k, 0.0, 2.0 * R, &s, error));
        DLS_TRY(least_speed(lab, k, least, &speed, error));
        const double values[] = {s / R * 180.0 / DLS_PI, acos(2.0 * k * COSINE / (1.0 + 2.0 * k)) * 180.0 / DLS_PI,
                                 speed, least};
        dls_table_real(table, k);
        for (size_t j = 0; j < 4; j++)
            dls_table_real(table, values[j]);
        dls_table_end_row(table);
    }
    return DLS_OK;
}

dls_status dls_track_contact(const dls_track_lab *lab, dls_error *error)
{
    dls_table *table;
    char path[DLS_PATH_MAX];
    DLS_TRY(dls_track_table(lab, "track.contact",
                            "k\tleaves[deg]\tleaves_exactly[deg]\tleast_speed[m/s]\tleast_speed_exactly[m/s]", &table,
                            error));
    DLS_TRY(dls_track_finish(table, bodies(lab, table, error), error));
    DLS_TRY(dls_job_path(lab->job, "track.contact", "tsv", path, error));
    return dls_plot(lab->job, "track-contact", path, "track-contact",
                    "A rail that does not pull, over k = m / (m + I / R^2). Left: where a cart leaves a hump. Right: "
                    "the least speed through a loop. "
                    "Points: measured; lines: closed forms.",
                    (const char *const[]){NULL}, error);
}
