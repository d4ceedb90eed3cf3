#include "delassus/scheme.h"

#include "problem_memory.h"
#include "warm.h"

#include <stdlib.h>
#include <string.h>

#define SCHEME(name) extern const dls_scheme dls_scheme_##name;
#include "schemes/schemes.def"
#undef SCHEME
const dls_scheme *const dls_schemes[] = {
#define SCHEME(name) &dls_scheme_##name,
#include "schemes/schemes.def"
#undef SCHEME
    NULL};

const dls_scheme *dls_scheme_find(const char *name)
{
    for (size_t i = 0; dls_schemes[i]; i++)
        if (strcmp(dls_schemes[i]->name, name) == 0)
            return dls_schemes[i];
    return NULL;
}

static dls_status fill(dls_stepper *s, dls_error *error)
{
    DLS_TRY(dls_state_create(s->model, &s->state, error));
    DLS_TRY(dls_state_create(s->model, &s->start, error));
    DLS_TRY(dls_problem_allocate(0, 0, 0, 0, 0, &s->problem, error));
    return s->model->world.collide ? dls_collider_create(s->model, &s->collider, error) : DLS_OK;
}

dls_status dls_stepper_create(const dls_model *model, const dls_solver *solver, const void *settings, size_t iterations,
                              dls_stepper **stepper, dls_error *error)
{
    dls_stepper *s = *stepper = calloc(1, sizeof *s);
    if (!s)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a stepper");
    s->model = model;
    s->solver = solver;
    s->settings = settings;
    s->iterations = iterations;
    dls_status status = fill(s, error);
    if (status != DLS_OK) {
        dls_stepper_destroy(s);
        *stepper = NULL;
    }
    return status;
}

void dls_stepper_destroy(dls_stepper *s)
{
    if (!s)
        return;
    dls_report_release(&s->report);
    dls_collider_destroy(s->collider);
    dls_contacts_release(&s->contacts);
    dls_warm_release(s->warm_store);
    dls_problem_destroy(s->problem);
    dls_state_destroy(s->state);
    dls_state_destroy(s->start);
    free(s->lambda);
    free(s);
}

dls_status dls_stepper_linearise(dls_stepper *s, double h, dls_error *error)
{
    DLS_TRY(dls_warm_remember(s, error));
    s->contacts.count = 0;
    if (s->collider)
        DLS_TRY(dls_collider_find(s->collider, s->state, &s->contacts, error));
    DLS_TRY(dls_problem_rebuild(s->problem, s->model, s->state, &s->contacts, h, error));
    if (s->problem->n > s->capacity || !s->lambda) {
        double *larger = realloc(s->lambda, (s->problem->n + 1) * sizeof *larger);
        if (!larger)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", s->problem->n);
        s->lambda = larger;
        s->capacity = s->problem->n;
    }
    memset(s->lambda, 0, s->problem->n * sizeof *s->lambda);
    return dls_warm_begin(s, h, error);
}

void dls_stepper_advance(dls_stepper *s, double h)
{
    dls_problem_velocity(s->problem, s->lambda, s->state->v, dls_problem_memory_of(s->problem)->scratch);
    dls_state_advance(s->model, s->state, s->state->v, h);
    s->state->time += h;
}
