/* The motion in continuous time of a model, in the place of a run. */
#include "other_engines/parts.h"

#include "delassus/reference.h"

static dls_status follow_model(dls_trajectory *exact, const dls_model *model, dls_state *state, double h, size_t steps,
                               dls_engine_record *record, dls_error *error)
{
    for (size_t k = 0; k < steps; k++) {
        dls_error why = {.message = ""};
        const dls_status status = dls_trajectory_advance(exact, (double)(k + 1) * h, state, &why);
        if (status == DLS_REFUSED) {
            snprintf(record->why, sizeof record->why, "%.*s", (int)sizeof record->why - 1, why.message);
            return DLS_OK;
        }
        if (status != DLS_OK) {
            if (error)
                *error = why;
            return status;
        }
        dls_engines_states(model, state, record->states + record->steps++ * record->n_bodies);
    }
    return DLS_OK;
}

static size_t count_impacts(const dls_trajectory *exact)
{
    size_t count, impacts = 0;
    const dls_trajectory_event *events = dls_trajectory_events(exact, &count);
    for (size_t k = 0; k < count; k++)
        impacts += events[k].kind == DLS_EVENT_IMPACT;
    return impacts;
}

dls_status dls_engines_motion(const dls_model *model, double h, size_t steps, double coarser, dls_engine_record *record,
                              size_t *impacts, dls_error *error)
{
    dls_trajectory_settings settings = dls_trajectory_default();
    dls_trajectory *exact = NULL;
    dls_state *state = NULL;
    settings.events = true;
    settings.tolerance *= coarser;
    dls_status status = dls_engines_record_create(model, steps, record, error);
    if (status == DLS_OK)
        status = dls_trajectory_create(model, dls_model_initial(model), &settings, &exact, error);
    if (status == DLS_OK)
        status = dls_state_create(model, &state, error);
    if (status == DLS_OK)
        status = follow_model(exact, model, state, h, steps, record, error);
    if (status == DLS_OK && impacts)
        *impacts = count_impacts(exact);
    if (status != DLS_OK)
        dls_engine_record_release(record);
    dls_state_destroy(state);
    dls_trajectory_destroy(exact);
    return status;
}
