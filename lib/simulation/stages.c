/* The stages of a step; see scheme.h.
 */
#include "parts.h"

#include "base/memory.h"
#include "model/model.h"
#include "problem/gyroscopic.h"
#include "warm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void dls_stage_begin(dls_simulation *s)
{
    dls_simulation_update(s);
    s->elapsed = s->reach = 0.0;
    dls_breaks_begin(s);
    (void)dls_impacts_end(s); /* of a step that has failed */
    if (s->ledger)
        dls_ledger_begin(s->ledger, s->now);
}

/* --- bodies that follow a given motion --- */

/* A body that swings has the velocity that brings it to its place at the end of h from now; the state's time is that of
 * the start of the step, `elapsed` ago. */
static void set_swing_velocity(dls_simulation *s, double h)
{
    const double now = s->state->time + s->elapsed;
    for (size_t i = 0; i < s->model->n_bodies && s->model->n_prescribed; i++) {
        const dls_body *body = &s->model->bodies[i];
        if (body->prescribed == DLS_NONE || dls_norm(body->swing) == 0.0)
            continue;
        const dls_state *first = s->model->initial;
        const double w = 2.0 * DLS_PI / body->period, t = now + h;
        const dls_vec3 swung = dls_scale(sin(w * t + body->phase) - sin(body->phase), body->swing);
        const dls_vec3 place = dls_add(dls_add(first->x[i], dls_scale(t, body->velocity)), swung);
        s->state->prescribed[body->prescribed].lin = dls_scale(1.0 / h, dls_sub(place, s->state->x[i]));
        s->now->bodies[i].v = s->state->prescribed[body->prescribed].lin;
    }
}

static void move_kinematic_bodies(dls_simulation *s, double h)
{
    s->elapsed += h;
    for (size_t i = 0; i < s->model->n_bodies && s->model->n_prescribed; i++) {
        const size_t k = s->model->bodies[i].prescribed;
        if (k == DLS_NONE)
            continue;
        const dls_spatial v = s->state->prescribed[k];
        s->state->x[i] = dls_add(s->state->x[i], dls_scale(h, v.lin));
        s->state->q[i] = dls_quat_unit(dls_quat_mul(dls_quat_exp(dls_scale(h, v.ang)), s->state->q[i]));
    }
}

/* --- the problem --- */

/* Phases of an impact that are not solved are a failure of the step; where the simulation goes on, this impact has no
 * restitution, and the failure is that of the step. */
static dls_status find_impacts(dls_simulation *s, const double *v, bool again, dls_error *error)
{
    dls_error why;
    const dls_status status = dls_impacts_find(s, v, again, &why);
    if (status != DLS_OK && error)
        *error = why;
    if (status != DLS_UNSOLVED)
        return status;
    dls_report_end(&s->report, DLS_OUTCOME_NUMERICAL_FAILURE, "%s", why.message);
    return dls_stage_check_solved(s, error);
}

/* v* of the problem is v + h M^-1 f(q, u), where u are the velocities v of the state unless others are given. */
static dls_status assemble(dls_simulation *s, const dls_contacts *contacts, const double *u, double h, dls_error *error)
{
    DLS_TRY(dls_state_check(s->model, s->state, error));
    dls_simulation_update(s);
    DLS_TRY(dls_configuration_factor(s->now, error));
    set_swing_velocity(s, s->reach > 0.0 ? s->reach : h);
    if (u) {
        dls_configuration_set_velocity(s->now, u);
        s->velocity_changed = true;
    }
    dls_forces_forget(s);
    s->problem->n = s->problem->J.n = 0; /* until it is assembled again: its Jacobian is the list's */
    DLS_TRY(dls_row_list_fill(s->rows, s->now, contacts, h, error));
    DLS_TRY(dls_problem_assemble(s->problem, s->now, s->state, s->rows, h, error));
    for (size_t k = 0; k < s->problem->nv && u; k++)
        s->problem->v_star[k] += s->state->v[k] - u[k];
    s->linearised = s->now;
    s->biased = true;
    s->listed = contacts;
    DLS_TRY(find_impacts(s, u ? u : s->state->v, u != NULL, error));
    memcpy(s->linearised_v, s->state->v, s->model->nv * sizeof *s->linearised_v);
    if (!DLS_GROW(s->lambda, s->capacity, s->problem->n + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", s->problem->n);
    if (s->model->world.keep_momentum)
        dls_turning_impulses(s->now, h, s->turning);
    if (s->ledger)
        dls_ledger_linearise(s->ledger, s->now, s->state, s->problem);
    return DLS_OK;
}

dls_status dls_stage_linearise(dls_simulation *s, double h, dls_error *error)
{
    dls_warm_remember(s);
    s->contacts.count = 0;
    if (s->collider) {
        DLS_TRY(dls_state_check(s->model, s->state, error));
        dls_simulation_update(s);
        do
            DLS_TRY(dls_collider_find_at(s->collider, s->now, &s->contacts, error));
        while (dls_sleep_touch(s));
    }
    if (!DLS_GROW(s->moved.at, s->moved.capacity, s->contacts.count))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu contacts", s->contacts.count);
    DLS_TRY(assemble(s, &s->contacts, NULL, h, error));
    memset(s->lambda, 0, s->problem->n * sizeof *s->lambda);
    DLS_TRY(dls_warm_begin(s, h, error));
    dls_impacts_start(s);
    return DLS_OK;
}

dls_status dls_stage_relinearise(dls_simulation *s, double h, dls_error *error)
{
    DLS_TRY(dls_breaks_strain(s, error));
    dls_simulation_update(s);
    dls_momentum_keep(s);
    dls_simulation_follow_contacts(s);
    DLS_TRY(assemble(s, &s->moved, NULL, h, error));
    dls_impacts_start(s);
    return DLS_OK;
}

dls_status dls_stage_linearise_at(dls_simulation *s, const double *v, double h, dls_error *error)
{
    dls_simulation_update(s);
    dls_simulation_follow_contacts(s);
    return assemble(s, &s->moved, v, h, error);
}

void dls_stage_reach(dls_simulation *s, double time) { s->reach = time; }

void dls_stage_refresh(dls_simulation *s, dls_time_base T)
{
    if (s->now != s->linearised) { /* the state has moved since the rows were made */
        dls_simulation_follow_contacts(s);
        dls_configuration_set_velocity(s->now, s->start->v);
        s->velocity_changed = true;
        dls_row_list_refresh(s->rows, s->now, &s->moved, s->problem->h);
        dls_impacts_keep(s);
    }
    dls_problem_refresh(s->problem, s->rows, T);
    s->biased = true;
}

static dls_status keep_impulses(dls_simulation *s, dls_error *error)
{
    if (!DLS_GROW(s->earlier, s->earlier_capacity, s->problem->n + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", s->problem->n);
    memcpy(s->earlier, s->lambda, s->problem->n * sizeof *s->earlier);
    return DLS_OK;
}

/* The mass operator of the problem, and what depends on it, at the current configuration. */
static dls_status renew_mass(dls_simulation *s, dls_error *error)
{
    DLS_TRY(dls_configuration_factor(s->now, error));
    dls_momentum_keep(s);
    if (s->model->world.keep_momentum) /* the momentum of the forces is in v */
        memset(s->turning, 0, s->model->nv * sizeof *s->turning);
    dls_mass_at(s->now, &s->problem->mass);
    s->linearised = s->now;
    s->listed = &s->moved;
    if (s->ledger)
        dls_ledger_linearise(s->ledger, s->now, s->state, s->problem);
    return DLS_OK;
}

dls_status dls_stage_renew(dls_simulation *s, dls_time_base T, unsigned renewal, dls_error *error)
{
    dls_problem *p = s->problem;
    const bool responses = renewal & DLS_RENEW_RESPONSES;
    DLS_TRY(dls_state_check(s->model, s->state, error));
    s->solving.solver->read(s->solving.work, s->lambda);
    DLS_TRY(keep_impulses(s, error));
    dls_simulation_update(s);
    dls_simulation_follow_contacts(s);
    if (responses)
        DLS_TRY(renew_mass(s, error));
    dls_configuration_set_velocity(s->now, s->start->v); /* the speeds for restitution */
    s->velocity_changed = true;
    if (renewal & DLS_RENEW_JACOBIAN)
        dls_row_list_renew_all(s->rows, s->now, &s->moved, p->h);
    else
        dls_row_list_refresh(s->rows, s->now, &s->moved, p->h);
    dls_impacts_keep(s);
    dls_problem_refresh(p, s->rows, T);
    s->biased = true;
    dls_problem_velocity(p, s->lambda, s->before, s->scratch);
    for (size_t k = 0; k < p->nv; k++)
        p->v_star[k] += s->state->v[k] - s->before[k];
    return s->solving.solver->renew(s->solving.work, p, responses && s->model->world.keep_momentum ? s->state->v : NULL,
                                    error);
}

void dls_stage_drop_bias(dls_simulation *s, bool keep)
{
    for (size_t i = 0; i < s->problem->n; i++) {
        if (s->biased)
            s->problem->c[i] -= s->rows->row[i].bias;
        if (!keep)
            s->rows->row[i].bias = 0.0;
    }
    s->biased = false;
}

void dls_stage_limit_bias(dls_simulation *s, double rate, double speed)
{
    for (size_t i = 0; i < s->problem->n; i++) {
        dls_list_row *row = &s->rows->row[i];
        const double limit = fmin(rate * fabs(row->C), speed);
        if (row->role != DLS_ROLE_STOP || !(row->bias > limit))
            continue;
        s->problem->c[i] += limit - row->bias;
        row->bias = limit;
    }
}

void dls_stage_count_solve(dls_simulation *s, const dls_report *report)
{
    s->work.iterations += report->iterations;
    s->work.factorizations += report->factorizations;
    s->work.row_visits += report->row_visits;
    s->work.seconds += report->seconds;
}

void dls_simulation_sum_work(dls_simulation *s)
{
    dls_stage_count_solve(s, &s->report);
    s->report.iterations = s->work.iterations;
    s->report.factorizations = s->work.factorizations;
    s->report.row_visits = s->work.row_visits;
    s->report.seconds = s->work.seconds;
}

dls_status dls_stage_load(dls_simulation *s, dls_error *error)
{
    dls_stage_count_solve(s, &s->report);
    DLS_TRY(dls_solver_load(&s->solving, s->problem, s->lambda, &s->report, error));
    if (s->report.outcome == DLS_OUTCOME_REFUSED)
        return dls_fail(error, DLS_REFUSED, "%s refuses the step's problem: %s", s->solving.solver->name,
                        s->report.message);
    return DLS_OK;
}

/* Without impulses to step with, a step ends here; with `go_on` the first failure in it stays its outcome. */
dls_status dls_stage_check_solved(dls_simulation *s, dls_error *error)
{
    const dls_report *report = &s->report;
    if (!dls_outcome_failed(report->outcome))
        return DLS_OK;
    if (!s->options.go_on)
        return dls_fail(error, DLS_UNSOLVED, "%s, step from %g s: %s: %s", s->solving.solver->name, s->start->time,
                        dls_outcome_text(report->outcome), report->message);
    if (s->failure.outcome == DLS_OUTCOME_RUNNING) {
        s->failure.outcome = report->outcome;
        snprintf(s->failure.message, sizeof s->failure.message, "%s", report->message);
    }
    return DLS_OK;
}

dls_status dls_stage_solve(dls_simulation *s, size_t iterations, dls_error *error)
{
    DLS_TRY(dls_stage_load(s, error));
    DLS_TRY(dls_solver_run(&s->solving, iterations, s->lambda, &s->report, NULL, NULL, error));
    return dls_stage_check_solved(s, error);
}

/* --- motion --- */

/* With impulses lambda0 that have acted before, their change alone. */
static void kick(dls_simulation *s, const double *lambda0)
{
    memcpy(s->before, s->state->v, s->model->nv * sizeof *s->before);
    dls_problem_velocity(s->problem, s->lambda, s->state->v, s->scratch);
    s->velocity_changed = true;
    dls_stage_count_impulses(s, s->before, lambda0);
}

void dls_stage_kick(dls_simulation *s) { kick(s, NULL); }

dls_status dls_stage_relax(dls_simulation *s, size_t iterations, dls_error *error)
{
    if (dls_outcome_failed(s->report.outcome))
        return DLS_OK;
    DLS_TRY(keep_impulses(s, error));
    dls_stage_drop_bias(s, true);
    DLS_TRY(dls_stage_solve(s, iterations, error));
    kick(s, s->earlier);
    return DLS_OK;
}

void dls_stage_drift(dls_simulation *s, double h)
{
    double links = s->ledger ? dls_links_potential_energy(s->now) : 0.0;
    dls_configuration *to = dls_simulation_next(s);
    move_kinematic_bodies(s, h);
    if (s->lazy && dls_state_moves_alone(s->model)) {
        dls_state_advance(s->model, s->state, s->state->v, h);
        s->edited = true;
        return;
    }
    if (s->model->world.keep_momentum)
        dls_configuration_advance_kept(s->now, to, s->state, s->state->v, dls_momentum_centres(s), h,
                                       s->ledger != NULL);
    else
        dls_configuration_advance(s->now, to, s->state, s->state->v, h, s->ledger != NULL);
    s->now = to;
    s->velocity_changed = false;
    if (s->ledger)
        dls_ledger_drift(s->ledger, s->now, s->state->v, h, links);
}

/* --- positions and velocities that a scheme computes itself --- */

void dls_stage_displace(dls_simulation *s, const double *displacement)
{
    dls_configuration *to = dls_simulation_next(s);
    dls_configuration_advance(s->now, to, s->state, displacement, 1.0, s->ledger != NULL);
    s->now = to;
    dls_configuration_set_velocity(s->now, s->state->v);
    s->velocity_changed = false;
}

/* Whether the current configuration can follow bodies that move one by one. */
static bool follows_bodies(const dls_simulation *s)
{
    return dls_state_moves_alone(s->model) && s->now != s->linearised && !s->edited && !s->velocity_changed;
}

void dls_stage_displace_body(dls_simulation *s, size_t body, const double displacement[6])
{
    if (follows_bodies(s)) {
        dls_configuration_advance_body(s->now, s->state, body, displacement, 1.0);
        return;
    }
    memset(s->scratch, 0, s->model->nv * sizeof *s->scratch);
    memcpy(s->scratch + s->model->bodies[body].offset, displacement, 6 * sizeof *displacement);
    dls_stage_displace(s, s->scratch);
}

void dls_stage_displace_row(dls_simulation *s, const dls_row_list *list, size_t i, double factor, const double *B)
{
    const size_t owner = list->row[i].owner, n_joints = s->model->n_joints;
    const size_t *ends = owner < n_joints ? s->model->joints[owner].body : s->contacts.at[owner - n_joints].body;
    const bool terms = owner < n_joints && s->model->joints[owner].n_terms > 0;
    if (terms || !dls_model_has_bodies_at(s->model, ends) || !follows_bodies(s)) {
        memset(s->scratch, 0, s->model->nv * sizeof *s->scratch);
        dls_rows_add_response(&list->J, &s->problem->mass, i, factor, B, s->scratch);
        dls_stage_displace(s, s->scratch);
        return;
    }
    for (int k = 0; k < 2; k++) {
        const size_t offset = ends[k] == DLS_WORLD ? DLS_NONE : s->model->bodies[ends[k]].offset;
        double move[6];
        for (size_t j = 0; j < 6 && offset != DLS_NONE; j++)
            move[j] = factor * B[offset + j];
        if (offset != DLS_NONE)
            dls_stage_displace_body(s, ends[k], move);
    }
}

void dls_stage_return(dls_simulation *s)
{
    dls_state_return(s->model, s->state, s->start);
    s->elapsed = 0.0;
    s->edited = true;
    dls_simulation_update(s);
}

void dls_stage_displacement(const dls_simulation *s, double *displacement)
{
    dls_state_displacement(s->model, s->start, s->state, displacement);
}

void dls_stage_set_velocity(dls_simulation *s, const double *v)
{
    memcpy(s->state->v, v, s->model->nv * sizeof *v);
    s->velocity_changed = true;
}

void dls_stage_count_impulses(dls_simulation *s, const double *v0, const double *lambda0)
{
    if (!s->ledger)
        return;
    dls_ledger_kick(s->ledger, s->problem, s->rows, v0, s->state->v, lambda0, s->lambda, !lambda0);
    dls_impacts_count(s, v0, s->state->v, lambda0, s->lambda);
}

const double *dls_stage_earlier_impulses(const dls_simulation *s) { return s->earlier; }

dls_energies dls_stage_energies(dls_simulation *s)
{
    if (!s->ledger)
        return (dls_energies){0.0, 0.0};
    dls_simulation_update(s);
    return (dls_energies){dls_kinetic_energy(s->now), dls_potential_energy(s->now)};
}

void dls_stage_count_correction(dls_simulation *s, dls_energies before)
{
    if (!s->ledger)
        return;
    dls_simulation_update(s);
    dls_ledger_correct(s->ledger, s->now, before.kinetic, before.potential);
}

/* --- rows at other positions --- */

dls_status dls_stage_rows(dls_simulation *s, dls_row_list *list, double h, dls_error *error)
{
    dls_simulation_follow_contacts(s);
    dls_simulation_update(s);
    DLS_TRY(dls_configuration_factor(s->now, error));
    return dls_row_list_fill(list, s->now, &s->moved, h, error);
}

dls_status dls_stage_renew_rows(dls_simulation *s, dls_row_list *list, size_t first, double h, dls_error *error)
{
    const size_t owner = list->row[first].owner;
    dls_configuration_complete(s->now, s->state);
    DLS_TRY(dls_configuration_factor_links(s->now, error));
    if (owner < s->model->n_joints) {
        dls_row_list_renew(list, s->now, NULL, first, h);
        return DLS_OK;
    }
    const dls_contact now = dls_contact_follow(s->now, &s->contacts.at[owner - s->model->n_joints]);
    dls_row_list_renew(list, s->now, &now, first, h);
    return DLS_OK;
}

/* --- the end of a step --- */

/* Accelerations of articulations are the mean ones of the step: the impulses are in them. */
static void show_links(dls_simulation *s, double h)
{
    for (size_t a = 0; a < s->model->n_articulations; a++) {
        const dls_model_articulation *articulation = &s->model->articulations[a];
        const double *v = s->state->v + articulation->offset, *v0 = s->start->v + articulation->offset;
        for (size_t k = 0; k < articulation->tree->nv; k++)
            s->now->works[a]->vdot[k] = (v[k] - v0[k]) / h;
    }
}

dls_status dls_stage_end(dls_simulation *s, double h, dls_error *error)
{
    if (s->velocity_iterations)
        DLS_TRY(dls_stage_relax(s, s->velocity_iterations, error));
    DLS_TRY(
        dls_stage_check_solved(s, error)); /* corrections of positions may fail too, and batches have their own solve */
    if (s->failure.outcome != DLS_OUTCOME_RUNNING)
        dls_report_end(&s->report, s->failure.outcome, "%s", s->failure.message);
    s->state->time += h;
    s->elapsed = 0.0;
    if (!s->lazy || !dls_state_moves_alone(s->model)) {
        dls_simulation_update(s);
        dls_momentum_keep(s);
        dls_com_speed_clamp(s);
        show_links(s, h);
    }
    DLS_TRY(dls_breaks_strain(s, error));
    dls_breaks_end(s);
    dls_sleep_end(s, h);
    if (s->ledger) {
        s->ledger->impact_gain = dls_impacts_end(s);
        dls_ledger_end(s->ledger, s->now);
    }
    return dls_state_check(s->model, s->state, error);
}

/* --- accessors --- */

size_t dls_stage_iterations(const dls_simulation *s) { return s->iterations; }
dls_problem *dls_stage_problem(dls_simulation *s) { return s->problem; }
double *dls_stage_impulses(dls_simulation *s) { return s->lambda; }
dls_report *dls_stage_report(dls_simulation *s) { return &s->report; }
dls_solver_work *dls_stage_solver(dls_simulation *s) { return &s->solving; }
const dls_state *dls_stage_start(const dls_simulation *s) { return s->start; }
