/* A run of a model under a method of constraint stabilisation. */
#include "study/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dls_status settle_scheme(dls_rig *rig, const dls_scheme *scheme, dls_error *error)
{
    rig->scheme_settings = malloc(scheme->fields.size);
    if (!rig->scheme_settings)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the settings of %s", scheme->name);
    DLS_TRY(dls_fields_default(&scheme->fields, rig->scheme_settings, error));
    return rig->method->key
               ? dls_field_set(&scheme->fields, rig->scheme_settings, rig->method->key, rig->method->value, error)
               : DLS_OK;
}

static dls_status start_rig(dls_rig *rig, const dls_rig_plan *plan, dls_error *error)
{
    dls_simulation_options options = dls_simulation_default();
    rig->method = dls_method_find(plan->method ? plan->method : "baumgarte");
    if (!rig->method)
        return dls_fail(error, DLS_BAD_ARGUMENT, "there is no method '%s' in experiments/study/method.c", plan->method);
    if (!plan->with.solver)
        DLS_TRY(dls_choice_create(plan->solver ? plan->solver : "pgs", &rig->choice, error));
    options.scheme = dls_scheme_find(rig->method->scheme);
    DLS_TRY(settle_scheme(rig, options.scheme, error));
    if (plan->warm)
        DLS_TRY(dls_fields_default(&dls_warm_fields, &options.warm, error));
    options.warm.on = plan->warm;
    dls_choice choice = plan->with.solver ? plan->with : rig->choice;
    if (plan->order != DLS_ORDER_GIVEN)
        choice = dls_ordered_set(&rig->ordered, choice, plan->order, plan->seed);
    dls_spy_set(&rig->spy, choice);
    options.solver = &rig->spy.solver;
    options.solver_settings = &rig->spy.self;
    options.scheme_settings = rig->scheme_settings;
    options.iterations = plan->iterations;
    options.ledger = plan->ledger;
    options.go_on = plan->diverges;
    rig->diverges = plan->diverges;
    return dls_simulation_open(rig->model, &options, &rig->simulation, error);
}

dls_status dls_rig_open_model(dls_rig *rig, const dls_model *model, const dls_rig_plan *plan, dls_error *error)
{
    *rig = (dls_rig){.model = model, .error = error};
    dls_status status = start_rig(rig, plan, error);
    if (status != DLS_OK)
        dls_rig_close(rig);
    return status;
}

dls_status dls_scene_model(dls_scene *scene, dls_model **model, dls_error *error)
{
    dls_status status = dls_model_create(scene, model, error);
    dls_scene_destroy(scene);
    return status;
}

dls_status dls_rig_open(dls_rig *rig, dls_scene *scene, const dls_rig_plan *plan, dls_error *error)
{
    dls_model *model;
    *rig = (dls_rig){.model = NULL};
    DLS_TRY(dls_scene_model(scene, &model, error));
    dls_status status = dls_rig_open_model(rig, model, plan, error);
    if (status == DLS_OK)
        rig->owned = model;
    else
        dls_model_destroy(model);
    return status;
}

void dls_rig_close(dls_rig *rig)
{
    dls_examiner_destroy(rig->examiner);
    dls_simulation_close(rig->simulation);
    dls_choice_release(&rig->choice);
    dls_spy_release(&rig->spy);
    dls_model_destroy(rig->owned);
    free(rig->scheme_settings);
    *rig = (dls_rig){.model = NULL};
}

bool dls_rig_next(dls_rig *rig, double h, size_t count)
{
    if (rig->status == DLS_OK && !rig->failed && rig->steps < count)
        rig->status = dls_rig_step(rig, h, rig->error);
    else
        return false;
    return rig->status == DLS_OK && !rig->failed;
}

dls_status dls_rig_end(dls_rig *rig)
{
    const dls_status status = rig->status;
    dls_rig_close(rig);
    return status;
}

/* The turns of rows that sweeps of the scheme have had in the last step: over the positions, or all of them. */
static size_t swept(const dls_rig *rig)
{
    const dls_field *sweeps = dls_field_find(&dls_scheme_find(rig->method->scheme)->fields, "sweeps");
    size_t count = 0;
    if (rig->method->solves)
        count = dls_simulation_report(rig->simulation)->iterations;
    else if (sweeps)
        memcpy(&count, (const char *)rig->scheme_settings + sweeps->offset, sizeof count);
    return count * dls_simulation_rows(rig->simulation)->n;
}

dls_status dls_rig_step(dls_rig *rig, double h, dls_error *error)
{
    dls_status status = dls_simulation_step(rig->simulation, h, error);
    if (status == DLS_NOT_FINITE)
        rig->failed = rig->steps + 1;
    if (status != DLS_OK)
        return status == DLS_NOT_FINITE && rig->diverges ? DLS_OK : status;
    rig->steps++;
    rig->unsolved += dls_solver_unsolved(&rig->spy.solver, dls_simulation_report(rig->simulation)->outcome);
    rig->spy.row_iterations += swept(rig);
    return DLS_OK;
}
