/* SimBenchmark's rolling test by every engine: 25 balls on a plate that is pushed along the ground.
 *
 * With f = mu (M + n m) g of the ground and p of each ball, F - f - n p = M a, p = m b, and a solid sphere that rolls
 * has a = b + 5/2 p / m: plate and balls have the speeds a t and b t along the push. The benchmark prints the mean
 * over the steps of the squares of both errors, the one of the balls as their mean (D. Kang and J. Hwangbo,
 * SimBenchmark, 2018, data/rolling/default.csv, its default parameters at 1 ms). It has two directions: at 60 degrees
 * to the axes of the ground, where a friction pyramid holds the plate, and along y.
 *
 * Whoever leaves all at rest has the error (a^2 + b^2) times the mean of t^2, in 4 s 3.14497. */
#include "other_engines/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PUSHES = 2 };
static const double n = 25.0, m = 1.0, M = 10.0, F = 150.0, g = 9.81, mu = 0.4, step = 1e-3;
static const struct {
    const char *name;
    dls_vec3 along;
} pushes[PUSHES] = {{"60-degrees", {0.5, 0.86602540378443865, 0.0}}, {"y", {0.0, 1.0, 0.0}}};

static const struct {
    const char *runner;
    double error[PUSHES]; /* [m^2/s^2] */
} published[] = {{"ode-quick", {3.14497, 7.66873e-09}},
                 {"mujoco-tree", {0.00692691, 0.0092196}},
                 {"mujoco-loose", {0.00692691, 0.0092196}},
                 {"dart", {3.14497, 0.42589}},
                 {"dart-pgs", {3.14497, 0.425879}}};

static double published_error(const char *runner, size_t push)
{
    for (size_t k = 0; k < sizeof published / sizeof published[0]; k++)
        if (strcmp(published[k].runner, runner) == 0)
            return published[k].error[push];
    return NAN;
}

dls_status dls_engines_rolling_model(size_t push, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    *model = NULL;
    DLS_TRY(dls_scene_named("simbenchmark-rolling", &scene, error));
    scene->bodies[0].force = dls_scale(F, pushes[push].along);
    return dls_scene_model(scene, model, error);
}

/* The state at the start counts, the one after the last step does not. */
double dls_engines_rolling_error(const dls_engine_record *record, size_t push)
{
    const double p = (F - mu * (M + n * m) * g) / M / (3.5 / m + n / M), a = 3.5 * p / m, b = p / m;
    double sum = 0.0;
    for (size_t k = 0; k + 1 < record->steps; k++) {
        const double t = step * (double)(k + 1);
        for (size_t i = 0; i < record->n_bodies; i++) {
            const dls_vec3 exact = dls_scale((i == 0 ? a : b) * t, pushes[push].along),
                           off = dls_sub(record->states[k * record->n_bodies + i].v, exact);
            sum += dls_dot(off, off) * (i == 0 ? 1.0 : 1.0 / n);
        }
    }
    return record->steps ? sum / (double)record->steps : NAN;
}

static bool rolls(const dls_engines_settings *set, const dls_engines_runner *r)
{
    for (size_t k = 0; k < set->rolling_without.count; k++)
        if (strcmp(set->rolling_without.names[k], r->name) == 0)
            return false;
    return true;
}

static dls_status push_plate(const dls_study *study, const dls_engines_runner *r, size_t push, const dls_model *model,
                             dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    dls_engine_record record;
    dls_error why = {.message = ""};
    const size_t steps = dls_step_count(set->rolling_duration, step);
    const dls_status status = rolls(set, r) ? dls_engines_take(r, model, step, steps, set->patience, &record, &why)
                                            : dls_fail(&why, DLS_REFUSED, "left out by the setting rolling_without");
    if (status == DLS_OK || status == DLS_REFUSED) {
        const bool ran = status == DLS_OK && record.steps > 0;
        const dls_engine_state *last = ran ? record.states + (record.steps - 1) * record.n_bodies : NULL;
        dls_table_row(study->tables[DLS_ENGINES_ROLLING], "%s %s %zu %s %zu %g %g %g %g %s", r->name,
                      r->engine ? r->engine->version : "", r->iterations, pushes[push].name, ran ? record.steps : 0,
                      ran ? dls_dot(last[0].v, pushes[push].along) : NAN,
                      ran ? dls_dot(last[1].v, pushes[push].along) : NAN,
                      ran ? dls_engines_rolling_error(&record, push) : NAN, published_error(r->name, push),
                      status == DLS_OK ? record.why : why.message);
        if (status == DLS_OK)
            dls_engine_record_release(&record);
        return DLS_OK;
    }
    if (error)
        *error = why;
    return status;
}

dls_status dls_engines_rolling(dls_study *study, dls_error *error)
{
    const dls_engines_settings *set = study->settings;
    const dls_engines_findings *f = study->found;
    for (dls_grid grid = DLS_GRID(PUSHES, f->n_engines + 1); dls_study_next(study, &grid);) {
        const dls_engines_runner ours = {
            .name = "ours-nsgs", .method = "baumgarte", .solver = "nsgs", .iterations = set->rolling_iterations};
        dls_model *model;
        DLS_TRY(dls_engines_rolling_model(grid.at[0], &model, error));
        const dls_status status =
            push_plate(study, grid.at[1] < f->n_engines ? &f->runners[grid.at[1]] : &ours, grid.at[0], model, error);
        dls_model_destroy(model);
        DLS_TRY(status);
    }
    return DLS_OK;
}
