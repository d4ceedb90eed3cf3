#include "delassus/simulation.h"

#include <stdlib.h>

static const unsigned options_stamp = 0x53494d55;

struct dls_simulation {
    dls_stepper *stepper;
    const dls_scheme *scheme;
    const void *scheme_settings;
    void *defaults[2]; /* settings of the solver and of the scheme, where none were given */
};

extern const dls_scheme dls_scheme_euler;

dls_simulation_options dls_simulation_default(void)
{
    return (dls_simulation_options){.stamp = options_stamp, .scheme = &dls_scheme_euler, .iterations = 50};
}

static dls_status settle(const dls_field_table *fields, const void *given, void **made, const void **settings,
                         dls_error *error)
{
    *settings = given;
    if (given)
        return DLS_OK;
    *settings = *made = malloc(fields->size);
    return *made ? dls_fields_default(fields, *made, error) : dls_fail(error, DLS_NO_MEMORY, "no memory for settings");
}

static dls_status fill(const dls_model *model, const dls_simulation_options *o, dls_simulation *s, dls_error *error)
{
    const void *solver_settings;
    s->scheme = o->scheme ? o->scheme : &dls_scheme_euler;
    DLS_TRY(settle(&o->solver->fields, o->solver_settings, &s->defaults[0], &solver_settings, error));
    DLS_TRY(settle(&s->scheme->fields, o->scheme_settings, &s->defaults[1], &s->scheme_settings, error));
    DLS_TRY(dls_stepper_create(model, o->solver, solver_settings, o->iterations, &s->stepper, error));
    s->stepper->warm = o->warm;
    return o->ledger ? dls_stepper_keep_ledger(s->stepper, error) : DLS_OK;
}

dls_status dls_simulation_open(const dls_model *model, const dls_simulation_options *options,
                               dls_simulation **simulation, dls_error *error)
{
    *simulation = NULL;
    if (options->stamp != options_stamp)
        return dls_fail(error, DLS_BAD_ARGUMENT, "the options of a simulation begin with dls_simulation_default");
    if (!options->solver)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a simulation needs a solver; set options.solver");
    dls_simulation *s = *simulation = calloc(1, sizeof *s);
    if (!s)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a simulation");
    dls_status status = fill(model, options, s, error);
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
    dls_stepper_destroy(s->stepper);
    free(s->defaults[0]);
    free(s->defaults[1]);
    free(s);
}

dls_status dls_simulation_step(dls_simulation *s, double h, dls_error *error)
{
    return s->scheme->step(s->stepper, s->scheme_settings, h, error);
}

const dls_model *dls_simulation_model(const dls_simulation *s) { return s->stepper->model; }
const dls_state *dls_simulation_state(const dls_simulation *s) { return s->stepper->state; }
dls_state *dls_simulation_edit(dls_simulation *s) { return s->stepper->state; }
const dls_problem *dls_simulation_problem(const dls_simulation *s) { return s->stepper->problem; }
const double *dls_simulation_impulses(const dls_simulation *s) { return s->stepper->lambda; }
const dls_report *dls_simulation_report(const dls_simulation *s) { return &s->stepper->report; }
const dls_contacts *dls_simulation_contacts(const dls_simulation *s) { return &s->stepper->contacts; }
const dls_problem *dls_simulation_positions(const dls_simulation *s) { return s->stepper->positions; }
const dls_ledger *dls_simulation_ledger(const dls_simulation *s) { return s->stepper->ledger; }
