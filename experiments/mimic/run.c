/* A run with mimic joints, measured: |C|, the distance to the dense reference, energy. */
#include "mimic/parts.h"

#include <math.h>
#include <stdlib.h>

const char *const dls_mimic_way_names[DLS_MIMIC_WAYS] = {"dense", "pgs", "tgs-step", "tgs-substep"};
static const char *const methods[DLS_MIMIC_WAYS] = {"baumgarte", "baumgarte", "tgs-step", "tgs-substep"};

/* --- paths --- */

dls_status dls_mimic_path_create(const dls_model *model, size_t count, dls_mimic_path *path, dls_error *error)
{
    const dls_articulation *tree = dls_model_articulations(model)[0].tree;
    *path = (dls_mimic_path){.count = count, .width = 2};
    for (size_t i = 1; i < tree->n_links; i++)
        path->width += tree->links[i].n_dofs == 1;
    path->at = calloc(path->count, path->width * sizeof *path->at);
    return path->at ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a path of %zu steps", count);
}

void dls_mimic_path_release(dls_mimic_path *path)
{
    free(path->at);
    *path = (dls_mimic_path){0, 0, NULL};
}

void dls_mimic_path_record(const dls_configuration *at, const dls_state *state, const dls_mimic_path *path, size_t k)
{
    const dls_articulation *tree = dls_model_articulations(at->model)[0].tree;
    const dls_articulation_state articulation = dls_state_articulation(at->model, state, 0);
    double *to = path->at + k * path->width;
    for (size_t i = 1; i < tree->n_links; i++)
        if (tree->links[i].n_dofs == 1)
            *to++ = dls_articulation_unwrapped(tree, &articulation, i);
    to[0] = dls_rigid_error(at);
    to[1] = dls_energy(at);
}

/* --- a run --- */

static void note_step(dls_mimic_result *r, const dls_mimic_path *path, size_t k, const dls_mimic_path *dense)
{
    const double *at = dls_mimic_path_at(path, k);
    r->last_error = dls_mimic_path_error(path, k);
    r->last_drift = dls_mimic_path_energy(path, k) - dls_mimic_path_energy(path, 0);
    r->worst_error = fmax(r->worst_error, r->last_error);
    r->worst_drift = fmax(r->worst_drift, fabs(r->last_drift));
    for (size_t i = 0; i + 2 < path->width; i++) {
        r->worst_coordinate = fmax(r->worst_coordinate, fabs(at[i]));
        if (dense && k < dense->count)
            r->distance = fmax(r->distance, fabs(at[i] - dls_mimic_path_at(dense, k)[i]));
    }
}

dls_status dls_mimic_measure(const dls_model *model, const dls_mimic_run *run, const dls_mimic_path *dense,
                             dls_mimic_path *path, dls_mimic_result *result, dls_error *error)
{
    dls_certified_record record = {.worst = 0.0};
    dls_certified certified = {.good_enough = 1e-12, .record = &record};
    dls_rig_plan plan = {
        .method = methods[run->way], .iterations = run->iterations ? run->iterations : 1, .diverges = true};
    dls_mimic_path own;
    dls_rig rig;
    if (run->way == DLS_MIMIC_DENSE)
        plan.with = (dls_choice){&dls_solver_certified, &certified, NULL};
    *result = (dls_mimic_result){.distance = dense ? 0.0 : NAN, .answer_error = dense ? 0.0 : NAN};
    DLS_TRY(dls_mimic_path_create(model, dls_step_count(run->duration, run->step) + 1, &own, error));
    dls_status status = dls_rig_open_model(&rig, model, &plan, error);
    if (status == DLS_OK) {
        dls_mimic_path_record(dls_rig_at(&rig), dls_rig_state(&rig), &own, 0);
        result->worst_error = result->last_error = dls_mimic_path_error(&own, 0);
        while (dls_rig_next(&rig, run->step, own.count - 1)) {
            dls_mimic_path_record(dls_rig_at(&rig), dls_rig_state(&rig), &own, rig.steps);
            note_step(result, &own, rig.steps, dense);
            double off = 0.0;
            if (dense)
                rig.status = dls_rig_distance(&rig, certified.good_enough, &off, error);
            if (dense && rig.status == DLS_OK)
                result->answer_error = fmax(result->answer_error, off);
        }
        result->steps = rig.steps, result->failed = rig.failed;
        if (rig.failed) { /* a finding */
            result->worst_error = result->last_error = result->worst_coordinate = HUGE_VAL;
            result->answer_error = dense ? HUGE_VAL : NAN;
            own.count = rig.failed;
        }
        status = dls_rig_end(&rig);
    }
    result->worst_residual = run->way == DLS_MIMIC_DENSE ? record.worst : NAN;
    if (status == DLS_OK && path)
        *path = own;
    else
        dls_mimic_path_release(&own);
    return status;
}

dls_status dls_mimic_try(const dls_mimic_setup *setup, const dls_mimic_run *run, dls_mimic_path *path,
                         dls_mimic_result *result, dls_error *error)
{
    dls_model *model;
    DLS_TRY(dls_mimic_model(setup, &model, error));
    dls_status status = dls_mimic_measure(model, run, NULL, path, result, error);
    dls_model_destroy(model);
    return status;
}
