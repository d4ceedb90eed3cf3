/* The current state of a simulation and its configuration, and access to all that a simulation owns. The stages, sleep
 * and breaks are built on it.
 */
#include "parts.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

dls_configuration *dls_simulation_next(const dls_simulation *s)
{
    return s->now == s->linearised ? s->configuration[s->now == s->configuration[0]] : s->now;
}

void dls_simulation_update(dls_simulation *s)
{
    if (s->edited)
        s->now = dls_simulation_next(s);
    if (s->edited)
        dls_configuration_evaluate(s->now, s->state);
    else if (s->velocity_changed)
        dls_configuration_set_velocity(s->now, s->state->v);
    dls_configuration_complete(s->now, s->state);
    s->edited = s->velocity_changed = false;
}

void dls_simulation_follow_contacts(dls_simulation *s)
{
    s->moved.count = s->contacts.count;
    for (size_t k = 0; k < s->contacts.count; k++)
        s->moved.at[k] = dls_contact_follow(s->now, &s->contacts.at[k]);
}

void dls_simulation_put_numbers(dls_simulation *s, const dls_joint *joint, const double *joint_state)
{
    memcpy(s->state->joint_state + joint->joint_state, joint_state, joint->type->n_state * sizeof *joint_state);
    if (!s->edited)
        memcpy(s->now->joint_state + joint->joint_state, joint_state, joint->type->n_state * sizeof *joint_state);
}

dls_status dls_simulation_check_step(double h, dls_error *error)
{
    return h > 0.0 && isfinite(h)
               ? DLS_OK
               : dls_fail(error, DLS_BAD_ARGUMENT, "the time step must be positive and finite, not %g", h);
}

/* --- accessors --- */

dls_iterations dls_simulation_iterations(const dls_simulation *s)
{
    return (dls_iterations){s->iterations, s->velocity_iterations};
}

const dls_model *dls_simulation_model(const dls_simulation *s) { return s->model; }
const dls_state *dls_simulation_state(const dls_simulation *s) { return s->state; }
const dls_row_list *dls_simulation_rows(const dls_simulation *s) { return s->rows; }
const dls_problem *dls_simulation_problem(const dls_simulation *s) { return s->problem; }
const double *dls_simulation_impulses(const dls_simulation *s) { return s->lambda; }
const dls_report *dls_simulation_report(const dls_simulation *s) { return &s->report; }
const dls_contacts *dls_simulation_contacts(const dls_simulation *s) { return &s->contacts; }
const dls_ledger *dls_simulation_ledger(const dls_simulation *s) { return s->ledger; }

dls_state *dls_simulation_edit(dls_simulation *s)
{
    s->edited = s->touched = true;
    return s->state;
}

const dls_configuration *dls_simulation_configuration(dls_simulation *s)
{
    dls_simulation_update(s);
    return s->now;
}
