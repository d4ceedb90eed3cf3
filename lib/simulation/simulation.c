#include "parts.h"

#include "base/arithmetic.h"
#include "model/model.h"
#include "warm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unsigned options_stamp = 0x53494d55;

dls_simulation_options dls_simulation_default(void)
{
    return (dls_simulation_options){.stamp = options_stamp, .scheme = dls_scheme_find("euler")};
}

const dls_scheme *dls_simulation_scheme_of(const dls_simulation_options *options)
{
    return options->scheme ? options->scheme : dls_simulation_default().scheme;
}

/* --- open and close --- */

/* *settings are the given ones or, if there are none, *made, the defaults. */
static dls_status settings_or_default(const dls_field_table *fields, const void *given, void **made,
                                      const void **settings, dls_error *error)
{
    *settings = given;
    if (given)
        return DLS_OK;
    *settings = *made = malloc(fields->size);
    return *made ? dls_fields_default(fields, *made, error) : dls_fail(error, DLS_NO_MEMORY, "no memory for settings");
}

static dls_status simulation_create_parts(dls_simulation *s, const dls_simulation_options *o, dls_error *error)
{
    const dls_model *model = s->model;
    s->solving.solver = o->solver;
    s->scheme = dls_simulation_scheme_of(o);
    s->iterations = o->iterations ? o->iterations : model->world.position_iterations;
    s->velocity_iterations = o->velocity_iterations ? o->velocity_iterations : model->world.velocity_iterations;
    for (size_t a = 0; a < model->n_articulations; a++) {
        const dls_model_articulation *articulation = &model->articulations[a];
        if (s->iterations < articulation->position_iterations)
            s->iterations = articulation->position_iterations;
        if (s->velocity_iterations < articulation->velocity_iterations)
            s->velocity_iterations = articulation->velocity_iterations;
    }
    s->warm = o->warm;
    DLS_TRY(settings_or_default(&o->solver->fields, o->solver_settings, &s->defaults[0], &s->solving.settings, error));
    DLS_TRY(settings_or_default(&s->scheme->fields, o->scheme_settings, &s->defaults[1], &s->scheme_settings, error));
    DLS_TRY(dls_state_create(model, &s->state, error));
    DLS_TRY(dls_state_create(model, &s->start, error));
    for (int i = 0; i < 2; i++)
        DLS_TRY(dls_configuration_create(model, &s->configuration[i], error));
    s->now = s->configuration[0];
    s->edited = true;
    DLS_TRY(dls_row_list_create(&s->rows, error));
    DLS_TRY(dls_problem_allocate(0, 0, 0, 0, 0, &s->problem, error));
    s->before = calloc(4 * model->nv + 1, sizeof *s->before);
    s->centre_speed = calloc(model->n_articulations + 1, sizeof *s->centre_speed);
    if (!s->before || !s->centre_speed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu velocities", model->nv);
    if (model->n_breakable && !(s->strains = calloc(model->n_joints, sizeof *s->strains)))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu joints", model->n_joints);
    s->scratch = s->before + model->nv;
    s->turning = s->scratch + model->nv;
    s->linearised_v = s->turning + model->nv;
    DLS_TRY(dls_sleep_open(s, error));
    if (model->world.collide)
        DLS_TRY(dls_collider_create(model, &s->collider, error));
    if (o->ledger)
        DLS_TRY(dls_ledger_create(model, &s->ledger, error));
    return s->scheme->open ? s->scheme->open(s, &s->scheme_work, error) : DLS_OK;
}

dls_status dls_simulation_open(const dls_model *model, const dls_simulation_options *options,
                               dls_simulation **simulation, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    *simulation = NULL;
    if (options->stamp != options_stamp)
        return dls_fail(error, DLS_BAD_ARGUMENT, "the options of a simulation begin with dls_simulation_default");
    if (!options->solver)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a simulation needs a solver; set options.solver");
    dls_simulation *s = *simulation = calloc(1, sizeof *s);
    if (!s)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a simulation");
    s->model = model;
    s->options = *options;
    dls_status status = simulation_create_parts(s, options, error);
    if (status != DLS_OK) {
        dls_simulation_close(s);
        *simulation = NULL;
    }
    return status;
}

void dls_simulation_close(dls_simulation *s)
{
    if (!s)
        return;
    if (s->scheme && s->scheme->close)
        s->scheme->close(s->scheme_work);
    dls_report_release(&s->report);
    dls_solver_release(&s->solving);
    dls_ledger_destroy(s->ledger);
    dls_collider_destroy(s->collider);
    dls_sleep_close(s->sleeping);
    dls_impacts_close(s->impacts);
    dls_contacts_release(&s->contacts);
    dls_contacts_release(&s->moved);
    dls_warm_release(s->warm_store);
    dls_problem_destroy(s->problem);
    dls_row_list_destroy(s->rows);
    dls_row_list_destroy(s->springs);
    for (int i = 0; i < 2; i++) {
        dls_configuration_destroy(s->configuration[i]);
        free(s->defaults[i]);
    }
    dls_state_destroy(s->state);
    dls_state_destroy(s->start);
    free(s->lambda);
    free(s->earlier);
    free(s->before);
    free(s->forces);
    free(s->centre_speed);
    free(s->strains);
    free(s->events);
    free(s);
}

/* --- setpoints --- */

/* The setpoints of the end of a step. */
static void follow_schedules(dls_simulation *s, double time)
{
    double joint_state[DLS_JOINT_STATE_MAX];
    for (size_t j = 0; j < s->model->n_joints && s->model->n_joint_state > 0; j++) {
        const dls_joint *joint = &s->model->joints[j];
        if (joint->type->schedule && joint->type->schedule(joint, time, joint_state)) {
            dls_sleep_target(s, j, joint_state);
            dls_simulation_put_numbers(s, joint, joint_state);
        }
    }
}

dls_status dls_simulation_drive(dls_simulation *s, size_t j, dls_setpoint setpoint, dls_error *error)
{
    const dls_joint *joint = j < s->model->n_joints ? &s->model->joints[j] : NULL;
    double joint_state[DLS_JOINT_STATE_MAX];
    if (!joint || !joint->type->driven)
        return dls_fail(error, DLS_BAD_ARGUMENT, "%s %zu has no setpoint", joint ? joint->type->name : "joint", j);
    if (joint->type->schedule && joint->type->schedule(joint, s->state->time, joint_state))
        return dls_fail(error, DLS_BAD_ARGUMENT, "joint '%s' follows a schedule; leave out either", joint->name);
    if (!isfinite(setpoint.target) || !isfinite(setpoint.speed) || !isfinite(setpoint.force))
        return dls_fail(error, DLS_NOT_FINITE, "the setpoint of joint '%s' must be finite", joint->name);
    DLS_TRY(dls_events_reserve(s, s->model->n_blocks, error));
    memcpy(joint_state, &setpoint, sizeof setpoint);
    dls_sleep_target(s, j, joint_state);
    dls_simulation_put_numbers(s, joint, joint_state);
    return DLS_OK;
}

/* Before the scheme: events of the step before end, setpoints are those of this step's end. */
static dls_status begin_step(dls_simulation *s, double h, dls_error *error)
{
    dls_state_copy(s->start, s->state);
    dls_report_release(&s->report);
    s->work = (dls_step_work){.iterations = 0};
    s->failure.outcome = DLS_OUTCOME_RUNNING;
    DLS_TRY(dls_events_reserve(s, s->model->n_joints + 2 * s->model->n_blocks, error));
    dls_sleep_begin(s);
    follow_schedules(s, s->state->time + h);
    return DLS_OK;
}

/* After it. A step that the solver did not solve has not been made. */
static dls_status end_step(dls_simulation *s, dls_status status, dls_error *error)
{
    dls_simulation_sum_work(s);
    s->events_over = true;
    if (status == DLS_UNSOLVED || status == DLS_REFUSED) {
        dls_state_copy(s->state, s->start);
        s->edited = true;
    }
    return status == DLS_OK ? dls_loads_update(s, error) : status;
}

dls_status dls_simulation_prepare(dls_simulation *s, double h, dls_error *error)
{
    DLS_TRY(begin_step(s, h, error));
    return s->scheme->prepare(s, s->scheme_settings, h, error);
}

dls_status dls_simulation_finish(dls_simulation *s, double h, dls_error *error)
{
    return end_step(s, s->scheme->finish(s, s->scheme_settings, h, error), error);
}

dls_status dls_simulation_step(dls_simulation *s, double h, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    DLS_TRY(dls_simulation_check_step(h, error));
    DLS_TRY(begin_step(s, h, error));
    if (!s->scheme->prepare)
        return end_step(s, s->scheme->step(s, s->scheme_settings, s->scheme_work, h, error), error);
    dls_status status = s->scheme->prepare(s, s->scheme_settings, h, error);
    if (status == DLS_OK)
        status = dls_stage_solve(s, s->iterations, error);
    if (status == DLS_OK)
        status = s->scheme->finish(s, s->scheme_settings, h, error);
    return end_step(s, status, error);
}
