/* SimBenchmark's bouncing balls (D. Kang, J. Hwangbo, 2018): 7 x 7 elastic balls of m = 10 kg and R = 0.1 m fall from
 * H = 5 m for 20 s. It publishes the mean square of the change of their energy, which should not change. The balls do
 * not touch each other, and are all equal, so that one of them stands here for n = 49.
 *
 * SEMI-IMPLICIT EULER has v_k = -g h k and x_k = H - g h^2 k (k + 1) / 2, and so the energy n m (v^2 / 2 + g x) is off
 * by n m g h v / 2 in free flight, downwards where the ball falls. An elastic impact that turns v and moves by h v
 * leaves v^2 and adds h v to x, so that the same formula holds on the way up: nothing adds up. Over whole jumps v is
 * uniform between the extremes of v^2 = 2 g (H - R), and the mean square is
 *
 *     (n m g h / 2)^2 2 g (H - R) / 3.
 * So a scheme may have this error without any in its impacts. An impact takes place up to h v below the floor, so that
 * v^2 may be larger by the share h v / (H - R), which is 2 h / s here.
 */
#include "trajectories/parts.h"

#include <math.h>
#include <stdlib.h>

enum { BALLS = 49, STEPS = 7 };
static const double mass = 10.0, radius = 0.1, height = 5.0, gravity = 9.81;
static const char ball_scene[] =
    "world: {gravity: [-9.81, 0, 0]}\nbodies:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 10, position: [5, 0, "
    "0]}\njoints:\n  - {name: floor, type: contact, body1: ball, point: [0, 0, 0], normal: [1, 0, 0], gap: 4.9, "
    "restitution: 1}\n";

/* data/bouncing/sample.csv, elastic, without ERP; of ODE its standard solver, of DART either. */
static const struct {
    double step, ode, dart; /* [s], [J^2] */
} published[STEPS] = {{1e-5, 0.0185024, 7.38571}, {4e-5, 0.296044, 30.5831}, {1e-4, 1.85055, 483.166},
                      {4e-4, 29.631, 10870.7},    {1e-3, 185.027, 72274.4},  {4e-3, 2982.68, 1.18966e6},
                      {1e-2, 18808.3, NAN}};

double dls_bouncing_closed_form(double h)
{
    const double share = 0.5 * BALLS * mass * gravity * h;
    return share * share * 2.0 * gravity * (height - radius) / 3.0;
}

dls_status dls_bouncing_error(const char *method, double h, double duration, double *mean_square, dls_error *error)
{
    const dls_rig_plan plan = {.method = method, .solver = "pgs", .iterations = 4};
    const size_t steps = dls_step_count(duration, h);
    dls_scene *scene;
    dls_rig rig;
    double sum = 0.0; /* the start has no error, and the state after the last step is not counted */
    DLS_TRY(dls_scene_text(&scene, error, "%s", ball_scene));
    DLS_TRY(dls_rig_open(&rig, scene, &plan, error));
    const double start = dls_energy(dls_rig_at(&rig));
    while (dls_rig_next(&rig, h, steps)) {
        const double off = BALLS * (dls_energy(dls_rig_at(&rig)) - start);
        sum += rig.steps < steps ? off * off : 0.0;
    }
    *mean_square = sum / (double)steps;
    return dls_rig_end(&rig);
}

/* The same of the motion itself, at times of a hundredth of a second. */
static dls_status write_motion(dls_study *study, double duration, dls_error *error)
{
    const dls_planar_example example = {
        .name = "bouncing", .scene = ball_scene, .until = duration, .traced = {{"x", "ball", DLS_ALONG_X}}};
    dls_traced_motion m;
    double *times, sum = 0.0;
    size_t rows;
    DLS_TRY(dls_traced_times(&example, 0.01, &times, &rows, error));
    const dls_status status = dls_traced_follow(&example, times, rows, 1.0, NULL, &m, error);
    free(times);
    DLS_TRY(status);
    for (size_t k = 0; k < m.reached; k++) {
        const double off = BALLS * mass * (0.5 * m.rate[k] * m.rate[k] + gravity * (m.value[k] - height));
        sum += off * off;
    }
    dls_table_row(study->tables[DLS_TRAJECTORIES_BOUNCING], "%s %g %g %g %g %g", "motion", (double)NAN,
                  sum / (double)m.reached, (double)NAN, (double)NAN, (double)NAN);
    dls_traced_release(&m);
    return DLS_OK;
}

dls_status dls_trajectories_bouncing(dls_study *study, dls_error *error)
{
    const dls_trajectories_settings *set = study->settings;
    DLS_TRY(write_motion(study, set->bounce_duration, error));
    for (dls_grid g = DLS_GRID(set->bounce_methods.count, set->bounce_steps.count); dls_study_next(study, &g);) {
        const char *method = set->bounce_methods.names[g.at[0]];
        const double h = set->bounce_steps.reals[g.at[1]];
        double mean_square, ode = (double)NAN, dart = (double)NAN;
        DLS_TRY(dls_bouncing_error(method, h, set->bounce_duration, &mean_square, error));
        for (size_t k = 0; k < STEPS; k++)
            if (fabs(published[k].step - h) < 1e-9 * h)
                ode = published[k].ode, dart = published[k].dart;
        dls_table_row(study->tables[DLS_TRAJECTORIES_BOUNCING], "%s %g %g %g %g %g", method, h, mean_square,
                      dls_bouncing_closed_form(h), ode, dart);
    }
    return DLS_OK;
}
