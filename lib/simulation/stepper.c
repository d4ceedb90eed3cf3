#include "delassus/scheme.h"

#include "problem/problem_memory.h"
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
    DLS_TRY(dls_problem_allocate(0, 0, 0, 0, 0, &s->positions, error));
    s->displacement = calloc(s->model->nv + 1, sizeof *s->displacement);
    if (!s->displacement)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu displacements", s->model->nv);
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
    dls_report_release(&s->position_report);
    dls_contacts_release(&s->moved);
    dls_problem_destroy(s->positions);
    dls_ledger_destroy(s->ledger);
    dls_collider_destroy(s->collider);
    dls_contacts_release(&s->contacts);
    dls_warm_release(s->warm_store);
    dls_problem_destroy(s->problem);
    dls_state_destroy(s->state);
    dls_state_destroy(s->start);
    free(s->lambda);
    free(s->correction);
    free(s->earlier);
    free(s->displacement);
    free(s);
}

dls_status dls_stepper_keep_ledger(dls_stepper *s, dls_error *error)
{
    return s->ledger ? DLS_OK : dls_ledger_create(s->model, &s->ledger, error);
}

/* --- stages --- */

void dls_stepper_begin(dls_stepper *s)
{
    dls_state_copy(s->start, s->state);
    if (s->ledger)
        dls_ledger_begin(s->ledger, s->model, s->state);
}

static bool grow(double **array, size_t count)
{
    double *larger = realloc(*array, (count + 1) * sizeof *larger);
    if (larger)
        *array = larger;
    return larger != NULL;
}

static dls_status room(dls_stepper *s, size_t n, dls_error *error)
{
    if (n <= s->capacity && s->lambda)
        return DLS_OK;
    if (!grow(&s->correction, n) || !grow(&s->earlier, n) || !grow(&s->lambda, n))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", n);
    s->capacity = n;
    return DLS_OK;
}

static dls_status rows(dls_stepper *s, const dls_contacts *contacts, double h, dls_error *error)
{
    DLS_TRY(dls_problem_rebuild(s->problem, s->model, s->state, contacts, h, error));
    DLS_TRY(room(s, s->problem->n, error));
    if (s->ledger)
        dls_ledger_linearise(s->ledger, s->model, s->state, s->problem);
    return DLS_OK;
}

dls_status dls_stepper_linearise(dls_stepper *s, double h, dls_error *error)
{
    dls_warm_remember(s);
    s->contacts.count = 0;
    if (s->collider)
        DLS_TRY(dls_collider_find(s->collider, s->state, &s->contacts, error));
    DLS_TRY(rows(s, &s->contacts, h, error));
    memset(s->lambda, 0, s->problem->n * sizeof *s->lambda);
    return dls_warm_begin(s, h, error);
}

dls_status dls_stepper_relinearise(dls_stepper *s, double h, dls_error *error)
{
    DLS_TRY(dls_stepper_follow(s, error));
    return rows(s, &s->moved, h, error);
}

dls_status dls_stepper_solve(dls_stepper *s, size_t iterations, dls_error *error)
{
    DLS_TRY(dls_solve(s->solver, s->problem, s->settings, iterations, s->lambda, &s->report, NULL, NULL, error));
    if (s->report.outcome == DLS_OUTCOME_REFUSED)
        return dls_fail(error, DLS_REFUSED, "%s refuses the step's problem: %s", s->solver->name, s->report.message);
    return DLS_OK;
}

static void kick(dls_stepper *s, const double *lambda0, bool forces)
{
    double *scratch = dls_problem_memory_of(s->problem)->scratch, *v0 = scratch + s->model->nv;
    memcpy(v0, s->state->v, s->model->nv * sizeof *v0);
    dls_problem_velocity(s->problem, s->lambda, s->state->v, scratch);
    if (s->ledger)
        dls_ledger_kick(s->ledger, s->problem, v0, s->state->v, lambda0, s->lambda, forces);
}

void dls_stepper_kick(dls_stepper *s) { kick(s, NULL, true); }

void dls_stepper_kick_again(dls_stepper *s) { kick(s, s->earlier, false); }

void dls_stepper_kicked(dls_stepper *s, const double *v0)
{
    if (s->ledger)
        dls_ledger_kick(s->ledger, s->problem, v0, s->state->v, NULL, s->lambda, true);
}

void dls_stepper_drift(dls_stepper *s, double h)
{
    double links = s->ledger ? dls_ledger_links(s->model, s->state) : 0.0;
    dls_state_advance(s->model, s->state, s->state->v, h);
    if (s->ledger)
        dls_ledger_drift(s->ledger, s->model, s->state, s->state->v, h, links);
}

void dls_stepper_advance(dls_stepper *s, double h)
{
    dls_stepper_kick(s);
    dls_stepper_drift(s, h);
    s->state->time += h;
}

/* Accelerations are the step's mean ones: what impulses did is in them. */
static void show_links(dls_stepper *s, double h)
{
    dls_model_look(s->model, s->state);
    for (size_t a = 0; a < s->model->n_members; a++)
        for (size_t k = 0; k < s->state->members[a].nv; k++)
            s->state->look[a]->vdot[k] = (s->state->members[a].v[k] - s->start->members[a].v[k]) / h;
}

dls_status dls_stepper_end(dls_stepper *s, double h, dls_error *error)
{
    s->state->time += h;
    show_links(s, h);
    if (s->ledger)
        dls_ledger_end(s->ledger, s->model, s->state);
    return dls_state_check(s->model, s->state, error);
}
