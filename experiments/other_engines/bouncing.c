/* SimBenchmark's bouncing test by every engine: 7 x 7 balls of m = 10 kg and R = 0.1 m fall from H = 5 m for 20 s (D.
 * Kang and J. Hwangbo, SimBenchmark, 2018, data/bouncing/sample.csv, elastic, without ERP; ODE's two solvers, Bullet's
 * multibodies, DART's two solvers). It publishes the mean square of the change of the energy of all of them. They do
 * not touch each other and are all equal, so that one of them stands here for n = 49.
 *
 * SEMI-IMPLICIT EULER has v_k = -g h k and x_k = H - g h^2 k (k + 1) / 2, and so the energy n m (v^2 / 2 + g x) is off
 * by n m g h v / 2 in free flight, whose mean square over whole jumps is
 *
 *     (n m g h / 2)^2 2 g (H - R) / 3.
 *
 * A CLOSED FORM of the impact is the height of the first rebound, e^2 (H - R). An impact takes place within a step, up
 * to h v from the floor, so that a method of first order has it to O(h). MuJoCo has no coefficient of restitution: its
 * contacts are springs and dampers, of which one with the damping ratio z < 1 / sqrt(2) gives back
 *
 *     e = exp(-z / sqrt(1 - z^2) (pi - atan(2 z sqrt(1 - z^2) / (1 - 2 z^2)))),
 *
 * as it does not pull (T. Schwager and T. Poeschel, Granular Matter 9 (2007) 465); its default is z = 1. */
#include "other_engines/parts.h"

#include <math.h>
#include <string.h>

static const double n = 49.0, mass = 10.0, radius = 0.1, height = 5.0, gravity = 9.81;

enum { RUNNERS = 5, STEPS = 6 };
static const double published_steps[STEPS] = {1e-5, 1e-4, 4e-4, 1e-3, 4e-3, 1e-2};
static const struct {
    const char *runner;
    double error[STEPS]; /* [J^2] */
} published[RUNNERS] = {{"ode-step", {0.0185024, 1.85055, 29.631, 185.027, 2982.68, 18808.3}},
                        {"ode-quick", {0.0185021, 1.85054, 29.631, 185.027, 2982.68, 18808.3}},
                        {"bullet", {7.52322, 752.345, 12038.5, 75245.4, 1.20178e6, 7.40664e6}},
                        {"dart", {7.38571, 483.166, 10870.7, 72274.4, 1.18966e6, 7.37588e6}},
                        {"dart-pgs", {7.38571, 483.166, 10870.7, 72274.4, 1.18966e6, 7.37588e6}}};

static double published_error(const char *runner, double h)
{
    for (size_t k = 0; k < RUNNERS; k++)
        for (size_t s = 0; s < STEPS; s++)
            if (strcmp(published[k].runner, runner) == 0 && fabs(h - published_steps[s]) < 1e-9 * h)
                return published[k].error[s];
    return NAN;
}

dls_status dls_engines_bouncing_model(double e, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    *model = NULL;
    DLS_TRY(dls_scene_text(
        &scene, error,
        "world: {gravity: [0, 0, %.17g], collide: true, mu: 0, contact_erp: 0, restitution: %.17g}\nbodies:\n"
        "  - {name: ball, shape: sphere, radius: %.17g, mass: %.17g, position: [0, 0, %.17g]}\n"
        "  - {name: floor, shape: plane, static: true}\n",
        -gravity, e, radius, mass, height));
    return dls_scene_model(scene, model, error);
}

double dls_engines_bouncing_closed_form(double h)
{
    const double share = 0.5 * n * mass * gravity * h;
    return share * share * 2.0 * gravity * (height - radius) / 3.0;
}

/* The start has no error, and the state after the last step does not count. */
double dls_engines_bouncing_error(const dls_engine_record *record)
{
    double sum = 0.0;
    for (size_t k = 0; k + 1 < record->steps; k++) {
        const dls_engine_state *ball = &record->states[k * record->n_bodies];
        const double off = n * mass * (0.5 * dls_dot(ball->v, ball->v) + gravity * (ball->x.z - height));
        sum += off * off;
    }
    return record->steps ? sum / (double)record->steps : NAN;
}

double dls_engines_bouncing_height(const dls_engine_record *record)
{
    double top = NAN;
    for (size_t k = 0; k < record->steps; k++) {
        const dls_engine_state *ball = &record->states[k * record->n_bodies];
        if (ball->v.z > 0.0)
            top = fmax(top, ball->x.z - radius);
        else if (isfinite(top))
            return top / (height - radius);
    }
    return NAN;
}

static dls_status drop_ball(const dls_study *study, const dls_engines_runner *r, double e, double h,
                            const dls_model *model, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const bool elastic = e == 1.0;
    dls_engine_record record;
    dls_error why = {.message = ""};
    const dls_status status =
        dls_engines_take(r, model, h, dls_step_count(set->bounce_duration, h), set->patience, &record, &why);
    if (status != DLS_OK && status != DLS_REFUSED) {
        if (error)
            *error = why;
        return status;
    }
    const bool ran = status == DLS_OK;
    dls_table_row(study->tables[DLS_ENGINES_BOUNCING], "%s %s %g %g %zu %g %g %g %g %g %s", r->name,
                  r->engine ? r->engine->version : "", e, h, ran ? record.steps : 0,
                  ran && elastic ? dls_engines_bouncing_error(&record) : NAN,
                  elastic ? dls_engines_bouncing_closed_form(h) : NAN, elastic ? published_error(r->name, h) : NAN,
                  ran ? dls_engines_bouncing_height(&record) : NAN, e * e, ran ? record.why : why.message);
    if (ran)
        dls_engine_record_release(&record);
    return DLS_OK;
}

/* The same of the motion itself, at times a thousandth of a second apart. */
static dls_status follow_ball(const dls_study *study, double e, const dls_model *model, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const double apart = 0.001;
    dls_engine_record record;
    DLS_TRY(dls_engines_motion(model, apart, dls_step_count(set->bounce_duration, apart), 1.0, &record, NULL, error));
    dls_table_row(study->tables[DLS_ENGINES_BOUNCING], "%s %s %g %g %zu %g %g %g %g %g %s", "motion", "", e, NAN,
                  record.steps, e == 1.0 ? dls_engines_bouncing_error(&record) : NAN, NAN, NAN,
                  dls_engines_bouncing_height(&record), e * e, record.why);
    dls_engine_record_release(&record);
    return DLS_OK;
}

dls_status dls_engines_bouncing(dls_study *study, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(set->restitutions.count, dls_engines_compared_count(study), set->bounce_steps.count);
         dls_study_next(study, &g);) {
        const dls_engines_runner r = dls_engines_compared(study, g.at[1], 4);
        const double e = set->restitutions.reals[g.at[0]];
        dls_model *model;
        DLS_TRY(dls_engines_bouncing_model(e, &model, error));
        dls_status status = g.at[1] + g.at[2] == 0 ? follow_ball(study, e, model, error) : DLS_OK;
        if (status == DLS_OK)
            status = drop_ball(study, &r, e, set->bounce_steps.reals[g.at[2]], model, error);
        dls_model_destroy(model);
        DLS_TRY(status);
    }
    return DLS_OK;
}
