/* Events of a step, and changes that a program made to the mechanism before it.
 */
#include "parts.h"

#include "base/memory.h"
#include "model/model.h"

#include <math.h>

#define DLS_TEXT(name, text, help) text,
const char *const dls_event_names[] = {DLS_EVENTS_LIST(DLS_TEXT) NULL};
const char *const dls_cause_names[] = {DLS_CAUSES_LIST(DLS_TEXT) NULL};

dls_status dls_events_reserve(dls_simulation *s, size_t count, dls_error *error)
{
    if (s->events_over) {
        s->n_events = 0;
        if (s->ledger)
            s->ledger->elastic_lost = 0.0;
    }
    s->events_over = false;
    if (DLS_GROW(s->events, s->event_capacity, s->n_events + count))
        return DLS_OK;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu events", s->n_events + count);
}

void dls_events_put(dls_simulation *s, dls_event event)
{
    event.time = s->state->time;
    s->events[s->n_events++] = event;
}

const dls_event *dls_simulation_events(const dls_simulation *s, size_t *count)
{
    *count = s->n_events;
    return s->events;
}

const char *dls_simulation_subject(const dls_simulation *s, const dls_event *event)
{
    size_t link;
    const dls_model_articulation *articulation;
    if (event->kind == DLS_EVENT_BREAK || event->kind == DLS_EVENT_LOST)
        return s->model->joints[event->subject].name;
    articulation = dls_model_articulation_of(s->model, event->subject, &link);
    return articulation ? articulation->tree->name : s->model->bodies[event->subject].name;
}
