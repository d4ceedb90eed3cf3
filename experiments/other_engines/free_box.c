/* The free box of S. Peters' benchmark of engines in Gazebo, by every engine and by schemes of delassus.
 *
 * Nothing touches the box, so that its centre of mass moves with v0 + g t, and its angular momentum H and its energy
 *
 *     E = m v^2 / 2 + omega . H / 2 - m g . x
 *
 * do not change. The benchmark measures the largest |H - H0| / |H0|, |E - E0| / E0 and errors of position and velocity
 * in 10 s, and so does this part (github.com/scpeters/benchmark, boxes.cc). The published numbers are two runs of the
 * complex case in test_results/: BENCHMARK_boxes_dt.csv (commit 55c3b05), and BENCHMARK_boxes_dt_updated.csv (0a8b4c2),
 * with other versions of Gazebo. */
#include "other_engines/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOMENTUM, ENERGY, POSITION, VELOCITY, QUANTITIES };
enum { RUNS = 2, STEPS = 4 };
static const char *const quantities[QUANTITIES] = {"momentum", "energy", "position[m]", "velocity[m/s]"};
static const double steps[STEPS] = {1e-4, 2e-4, 5e-4, 1e-3};

static const struct {
    const char *engine, *runners; /* of ours that run it, each after a space */
    double value[STEPS][RUNS][QUANTITIES];
} published[] = {
    {"ode",
     " ode-step ode-quick ",
     {{{0.0012715, 0.00124711, 0.0049, 1.14738e-10}, {0.00127151, 0.0012471, 0.0049, 1.14738e-10}},
      {{0.0025506, 0.00249402, 0.0098, 8.66436e-11}, {0.00255062, 0.00249401, 0.0098, 8.66436e-11}},
      {{0.00643471, 0.00623355, 0.0245, 2.52385e-11}, {0.00643475, 0.00623353, 0.0245, 2.52385e-11}},
      {{0.0130708, 0.012462, 0.049, 1.11697e-11}, {0.0130709, 0.012462, 0.049, 1.11697e-11}}}},
    {"bullet",
     " bullet bullet-dantzig ",
     {{{0.00125827, 0.0013586, 0.0049, 1.14738e-10}, {0.0022199, 0.171231, 0.0656282, 0.0708923}},
      {{0.00251355, 0.002717, 0.0098, 8.66436e-11}, {0.00278765, 0.0379721, 0.104436, 0.0269623}},
      {{0.00626166, 0.00679101, 0.0245, 2.52385e-11}, {0.00666118, 0.012225, 0.0623539, 0.0121449}},
      {{0.0124501, 0.0135771, 0.049, 1.11697e-11}, {0.0127899, 0.0102988, 0.0603445, 0.00970459}}}},
    {"simbody",
     " simbody-euler2 ", /* Gazebo has this integrator */
     {{{0.000634808, 0.00062358, 0.00245, 1.3894e-10}, {0.000634811, 0.000623569, 0.00245, 1.3894e-10}},
      {{0.0012715, 0.00124711, 0.0049, 8.96136e-11}, {0.00127151, 0.0012471, 0.0049, 8.96136e-11}},
      {{0.00319304, 0.0031174, 0.01225, 6.71179e-11}, {0.00319306, 0.00311739, 0.01225, 6.71179e-11}},
      {{0.00643471, 0.00623355, 0.0245, 1.74083e-11}, {0.00643475, 0.00623353, 0.0245, 1.74083e-11}}}},
    {"dart",
     " dart dart-pgs ",
     {{{2.22942, 0.0269129, 0.0049, 1.7136e-10}, {0.00127148, 0.884894, 1.65411, 0.543266}},
      {{2.23176, 0.0277115, 0.0098, 8.6672e-11}, {0.00255058, 1.78983, 3.32327, 1.0931}},
      {{2.36521, 0.0488044, 0.0245, 2.52385e-11}, {0.0064345, 4.62953, 8.42307, 2.78301}},
      {{2.1861, 0.0376206, 0.049, 1.1184e-11}, {0.0130699, 9.8082, 17.2422, 5.73966}}}},
};

/* NaN where nothing is published of this runner and step. */
static double published_value(const char *runner, double step, size_t run, size_t quantity)
{
    char name[2 * DLS_NAME_MAX + 3];
    snprintf(name, sizeof name, " %s ", runner);
    for (size_t e = 0; e < sizeof published / sizeof published[0]; e++)
        for (size_t s = 0; s < STEPS && strstr(published[e].runners, name); s++)
            if (fabs(step - steps[s]) < 1e-9 * step)
                return published[e].value[s][run][quantity];
    return NAN;
}

/* --- errors --- */

static dls_vec3 momentum_of(const dls_body *body, const dls_engine_state *s)
{
    return dls_mul3(dls_rotate_tensor(dls_quat_matrix(s->q), body->inertia), s->omega);
}

static double energy_of(const dls_body *body, dls_vec3 g, const dls_engine_state *s)
{
    return 0.5 * body->mass * dls_dot(s->v, s->v) + 0.5 * dls_dot(s->omega, momentum_of(body, s)) -
           body->mass * dls_dot(g, s->x);
}

void dls_engines_free_errors(const dls_model *model, const dls_engine_record *record, double h,
                             double error[DLS_ENGINES_FREE])
{
    const dls_body *body = &dls_model_bodies(model)[0];
    const dls_state *at = dls_model_initial(model);
    const dls_vec3 g = dls_model_world(model)->gravity;
    const dls_engine_state start = {at->x[0], dls_v3(at->v[0], at->v[1], at->v[2]),
                                    dls_v3(at->v[3], at->v[4], at->v[5]), at->q[0]};
    const dls_vec3 H = momentum_of(body, &start);
    const double E = energy_of(body, g, &start);
    for (size_t k = 0; k < QUANTITIES; k++)
        error[k] = record->steps ? 0.0 : NAN;
    for (size_t k = 0; k < record->steps; k++) {
        const dls_engine_state *s = &record->states[k];
        const double t = (double)(k + 1) * h;
        const dls_vec3 v = dls_add(start.v, dls_scale(t, g)),
                       x = dls_add(start.x, dls_scale(0.5 * t, dls_add(start.v, v)));
        error[MOMENTUM] = fmax(error[MOMENTUM], dls_norm(dls_sub(momentum_of(body, s), H)) / dls_norm(H));
        error[ENERGY] = fmax(error[ENERGY], fabs(energy_of(body, g, s) / E - 1.0));
        error[POSITION] = fmax(error[POSITION], dls_norm(dls_sub(s->x, x)));
        error[VELOCITY] = fmax(error[VELOCITY], dls_norm(dls_sub(s->v, v)));
    }
}

/* --- the table --- */

/* The rows of a run; errors of one that ended early are those of its steps, and `why` says why it ended. */
static void write_box(const dls_study *study, const dls_engines_runner *r, double h, const double *errors, size_t taken,
                      const char *why)
{
    for (size_t k = 0; k < QUANTITIES; k++)
        dls_table_row(study->tables[DLS_ENGINES_BOX], "%s %s %g %s %g %g %g %zu %s", r->name,
                      r->engine ? r->engine->version : "", h, quantities[k], errors[k],
                      published_value(r->name, h, 0, k), published_value(r->name, h, 1, k), taken, why);
}

static dls_status run_box(const dls_study *study, const dls_engines_runner *r, const dls_model *model, double h,
                          dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    double errors[DLS_ENGINES_FREE] = {NAN, NAN, NAN, NAN};
    dls_engine_record record;
    dls_error why = {.message = ""};
    const dls_status status =
        dls_engines_take(r, model, h, dls_step_count(set->box_duration, h), set->patience, &record, &why);
    if (status == DLS_OK) {
        dls_engines_free_errors(model, &record, h, errors);
        write_box(study, r, h, errors, record.steps, record.why);
        dls_engine_record_release(&record);
    } else if (status == DLS_REFUSED) {
        write_box(study, r, h, errors, 0, why.message);
    } else if (error) {
        *error = why;
    }
    return status == DLS_REFUSED ? DLS_OK : status;
}

dls_status dls_engines_box(dls_study *study, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    dls_model *model;
    DLS_TRY(dls_engines_model("free-box", &model, error));
    dls_status status = DLS_OK;
    for (dls_grid g = DLS_GRID(dls_engines_compared_count(study), set->box_steps.count);
         status == DLS_OK && dls_study_next(study, &g);) {
        const dls_engines_runner r = dls_engines_compared(study, g.at[0], 1);
        status = run_box(study, &r, model, set->box_steps.reals[g.at[1]], error);
    }
    dls_model_destroy(model);
    return status;
}
