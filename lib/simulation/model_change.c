/* Continuation of a simulation with another model.
 */
#include "delassus/change.h"

#include "model/model.h"
#include "parts.h"
#include "warm.h"

#include <math.h>

/* Islands that woke by the change, in the new simulation's events. */
static dls_status tell_woken(dls_simulation *s, const dls_model *from, const dls_state *before, dls_error *error)
{
    DLS_TRY(dls_events_reserve(s, from->n_blocks, error));
    s->n_events = 0; /* those of both halves of the change */
    for (size_t end = 0; end < from->n_ends; end++) {
        size_t link = 0;
        const bool first = !dls_model_articulation_of(from, end, &link) || link == 0;
        const size_t other = dls_change_end(from, end, s->model);
        const dls_model_articulation *articulation = dls_model_articulation_of(from, end, &link);
        const size_t block = articulation ? articulation->block : from->bodies[end].block;
        if (!first || other == DLS_NONE || block == DLS_NONE || !before->asleep[block])
            continue;
        const dls_model_articulation *twin = dls_model_articulation_of(s->model, other, &link);
        const size_t now = twin ? twin->block : s->model->bodies[other].block;
        if (now != DLS_NONE && !s->state->asleep[now])
            dls_events_put(s, (dls_event){DLS_EVENT_WAKE, DLS_CAUSE_CHANGE, other, 0.0, NAN, NAN});
    }
    return DLS_OK;
}

static dls_status continue_run(dls_simulation *from, dls_simulation *s, dls_state *before, dls_change *change,
                               dls_error *error)
{
    dls_state_copy(before, from->state);
    const double lost = dls_breaks_elastic_removed(from, s->model);
    dls_status status = dls_sleep_wake_changed(from, s->model, error);
    if (status == DLS_OK)
        status = dls_state_carry(from->model, from->state, s->model, s->state, change, error);
    if (status == DLS_OK)
        status = dls_sleep_wake_changed(s, from->model, error);
    if (status == DLS_OK)
        status = tell_woken(s, from->model, before, error);
    if (status == DLS_OK)
        status = dls_warm_carry(from, s, error);
    if (status == DLS_OK) {
        dls_sleep_rest(s);
        if (s->ledger)
            s->ledger->elastic_lost = lost;
        return DLS_OK;
    }
    dls_state_copy(dls_simulation_edit(from), before);
    return status;
}

dls_status dls_simulation_change(dls_simulation **simulation, const dls_model *changed, dls_change *change,
                                 dls_error *error)
{
    dls_simulation *s = NULL;
    dls_state *before = NULL;
    if (change)
        *change = (dls_change){0};
    dls_status status = dls_state_create((*simulation)->model, &before, error);
    if (status == DLS_OK)
        status = dls_simulation_open(changed, &(*simulation)->options, &s, error);
    if (status == DLS_OK)
        status = continue_run(*simulation, s, before, change, error);
    dls_state_destroy(before);
    if (status != DLS_OK) {
        dls_simulation_close(s);
        if (change)
            dls_change_release(change);
        return status;
    }
    dls_simulation_close(*simulation);
    *simulation = s;
    return DLS_OK;
}
