/* delassus dynamics of loops: the quantities of delassus/loops.h, of an articulation and all else in its scene.
 *
 * Every joint of the scene whose rows are all rigid closes a loop; springs, drives, motors, friction and limits that
 * are open do not. With --contacts each detected contact without a gap closes one with its normal row, as the source's
 * contact joint. Friction has no equation in inverse dynamics, only a bound: it is refused by name, unless it is left
 * out with --contacts frictionless. The articulation has the state and the accelerations of the state file, and all
 * else in the scene rests where it stands. Forces of the source's iteration are computed beside those of the direct
 * solution, and the lines above a table say how the two compare, and which parts are unique.
 */
#include "dynamics.h"

#include "delassus/delassus.h"
#include "delassus/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 200 }; /* as in the source */

typedef struct dynamics_loops {
    dls_model *model;
    dls_state *state;
    dls_loops *loops;
    dls_contacts contacts;                              /* detected */
    size_t offset;                                      /* of the articulation in the generalised velocity */
    double *vdot, *tau, *fed_tau, *lambda, *fed_lambda; /* nv, nv, nv, n, n */
} dynamics_loops;

/* --- open, close --- */

void dynamics_loops_close(dynamics_task *t)
{
    dynamics_loops *l = t->loops;
    if (!l)
        return;
    dls_loops_destroy(l->loops);
    dls_contacts_release(&l->contacts);
    dls_state_destroy(l->state);
    dls_model_destroy(l->model);
    free(l->lambda);
    free(l->vdot);
    free(l);
    t->loops = NULL;
}

static void put_state(dynamics_task *t, size_t a)
{
    dynamics_loops *l = t->loops;
    const dls_articulation_state *from = t->state;
    dls_articulation_state to = dls_state_articulation(l->model, l->state, a);
    memcpy(to.q, from->q, from->nq * sizeof *to.q);
    memcpy(to.wraps, from->wraps, from->nq * sizeof *to.wraps);
    memset(l->state->v, 0, l->state->nv * sizeof *l->state->v);
    memcpy(to.v, from->v, from->nv * sizeof *to.v);
    to.root_x = from->root_x, to.root_q = from->root_q;
    dls_state_set_root(l->state, a, &to);
    memcpy(l->state->force + l->offset, t->load->tau, from->nv * sizeof *l->state->force);
    memcpy(l->vdot + l->offset, t->vdot, from->nv * sizeof *l->vdot);
}

/* Motors at the degrees of freedom in the list of names alone. */
static dls_status put_motors(dynamics_task *t, const char *motors, dls_error *error)
{
    dynamics_loops *l = t->loops;
    memset(l->loops->actuated, 0, l->loops->nv * sizeof *l->loops->actuated);
    for (const char *from = motors; *from;) {
        char name[2 * DLS_NAME_MAX];
        const size_t length = strcspn(from, ",");
        size_t k = t->tree->n_base;
        for (; k < t->tree->nv; k++) {
            dls_articulation_dof_name(t->tree, k, name, sizeof name);
            if (strlen(name) == length && strncmp(name, from, length) == 0)
                break;
        }
        if (k == t->tree->nv)
            return dls_fail(error, DLS_BAD_INPUT,
                            "--motors: '%.*s' is no degree of freedom of a joint; their names are those of the tables",
                            (int)(length < DLS_NAME_MAX ? length : DLS_NAME_MAX), from);
        l->loops->actuated[l->offset + k] = true;
        from += length + (from[length] == ',');
    }
    return DLS_OK;
}

static dls_status put_contacts(dynamics_loops *l, bool frictionless, dls_error *error)
{
    dls_collider *collider;
    if (!dls_model_world(l->model)->collide)
        return dls_fail(error, DLS_BAD_INPUT, "--contacts: no contacts are detected; set collide: true in `world`");
    DLS_TRY(dls_collider_create(l->model, &collider, error));
    dls_status status = dls_collider_find(collider, l->state, &l->contacts, error);
    dls_collider_destroy(collider);
    for (size_t k = 0; k < l->contacts.count && status == DLS_OK; k++) {
        char name[3 * DLS_NAME_MAX];
        const dls_contact *contact = &l->contacts.at[k];
        dls_owner_name(l->model, &l->contacts, dls_model_count(l->model).joints + k, name, sizeof name);
        if (dls_contact_count(contact) > 1 && contact->gap <= 0.0 && !frictionless)
            return dls_fail(error, DLS_REFUSED,
                            "%s has friction (mu = %g), whose force inverse dynamics does not determine; --contacts "
                            "frictionless leaves it out",
                            name, contact->mu);
        status = dls_loops_add_contact(l->loops, contact, error);
    }
    return status;
}

static dls_status fill_loops(dynamics_task *t, const char *motors, const char *contacts, dls_error *error)
{
    dynamics_loops *l = t->loops;
    DLS_TRY(dls_model_create(t->scene, &l->model, error));
    const size_t nv = dls_model_count(l->model).nv;
    size_t a = 0; /* the articulation's place in the scene */
    while (a + 1 < t->scene->n_articulations && strcmp(t->scene->articulations[a]->name, t->tree->name) != 0)
        a++;
    l->offset = dls_model_articulations(l->model)[a].offset;
    DLS_TRY(dls_state_create(l->model, &l->state, error));
    DLS_TRY(dls_loops_create(l->model, &l->loops, error));
    DLS_TRY(dls_loops_add_all(l->loops, NULL, error));
    l->vdot = calloc(3 * nv + 1, sizeof *l->vdot);
    if (!l->vdot)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu accelerations", nv);
    l->tau = l->vdot + nv, l->fed_tau = l->tau + nv;
    put_state(t, a);
    if (motors)
        DLS_TRY(put_motors(t, motors, error));
    if (contacts && strcmp(contacts, "none") != 0)
        DLS_TRY(put_contacts(l, strcmp(contacts, "frictionless") == 0, error));
    DLS_TRY(dls_loops_prepare(l->loops, l->state, l->vdot, error));
    l->lambda = calloc(2 * l->loops->n + 1, sizeof *l->lambda);
    if (!l->lambda)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu forces", l->loops->n);
    l->fed_lambda = l->lambda + l->loops->n;
    return DLS_OK;
}

dls_status dynamics_loops_open(dynamics_task *t, const char *motors, const char *contacts, dls_error *error)
{
    t->loops = calloc(1, sizeof *t->loops);
    if (!t->loops)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for loops");
    dls_status status = fill_loops(t, motors, contacts, error);
    if (status != DLS_OK)
        dynamics_loops_close(t);
    return status;
}

size_t dynamics_loops_rows(const dynamics_task *t) { return t->loops->loops->n; }

void dynamics_loops_row_name(const dynamics_task *t, size_t i, char *text, size_t size)
{
    const dls_list_row *row = &dls_problem_rows(t->loops->loops->problem)->row[i];
    char owner[3 * DLS_NAME_MAX];
    dls_owner_name(t->loops->model, &t->loops->contacts, row->owner, owner, sizeof owner);
    snprintf(text, size, "%s.%s", owner, row->label);
}

/* --- quantities --- */

dls_status dynamics_loops_coefficients(dynamics_task *t, size_t rows, double *K, dls_error *error)
{
    const dynamics_loops *l = t->loops;
    const size_t nv = l->loops->nv;
    double *all = calloc(nv * l->loops->n + 1, sizeof *all);
    if (!all)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", l->loops->n);
    dls_loops_coefficients(l->loops, all, nv);
    for (size_t i = 0; i < l->loops->n; i++)
        memcpy(K + rows * i, all + nv * i + l->offset, rows * sizeof *K);
    free(all);
    return DLS_OK;
}

/* The rate where lambda converges, the dimension in which it stays as at the start, and whether changes oscillate. */
static void rate_note(const dls_loops_map *map, char *text, size_t size)
{
    int used = snprintf(text, size, "predicted rate: %.6g", map->rate);
    if (map->angle > 0.0 && map->angle < DLS_PI)
        used += snprintf(text + used, size - (size_t)used,
                         " in the mean, of a complex pair: changes oscillate with a period of %.3g turns",
                         DLS_PI / map->angle);
    if (map->unseen > 0)
        snprintf(text + used, size - (size_t)used,
                 "; spectral radius %.6g: lambda stays as at the start in %zu dimension%s", map->spectral_radius,
                 map->unseen, map->unseen == 1 ? "" : "s");
}

/* The direct solution, then the iteration, and facts on both. */
static dls_status solve(dynamics_task *t, dls_error *error)
{
    dynamics_loops *l = t->loops;
    const dls_solver *solver = dls_direct_find("block-pivoting");
    dls_settings settings = {0};
    dls_loops_facts facts;
    dls_loops_map map;
    dls_loops_report report;
    DLS_TRY(dls_loops_solve(l->loops, l->lambda, l->tau, &facts, error));
    DLS_TRY(dls_loops_rate(l->loops, 0, &map, error));
    DLS_TRY(dls_settings_create(&solver->fields, &settings, error));
    const dls_loops_options options = {solver, settings.values, 1, TURNS, 1e-10};
    const dls_status status = dls_loops_feedback(l->loops, &options, l->fed_lambda, l->fed_tau, &report, error);
    dls_settings_release(&settings);
    DLS_TRY(status);
    double apart = 0.0;
    for (size_t k = 0; k < l->loops->nv; k++)
        apart = fmax(apart, fabs(l->tau[k] - l->fed_tau[k]));
    char last[64] = "";
    if (!isnan(report.rate))
        snprintf(last, sizeof last, ", the last change %.6g of the one before", report.rate);
    const size_t size = sizeof t->notes[0];
    snprintf(t->notes[0], size, "rows: %zu, of rank %zu; %zu by the degrees of freedom without a motor", l->loops->n,
             facts.rank_of_rows, facts.rank);
    if (facts.unique)
        snprintf(t->notes[1], size, "lambda: unique");
    else
        snprintf(t->notes[1], size, "lambda: not unique in %zu dimension%s; that of least sum lambda^2 A_ii",
                 l->loops->n - facts.rank, l->loops->n - facts.rank == 1 ? "" : "s");
    snprintf(t->notes[2], size, "joint forces: %s",
             facts.forces_unique ? "unique" : "not unique; those of this lambda");
    snprintf(t->notes[3], size, "not supplied by any motor: %.3g N, N m%s", facts.missed,
             facts.pulling ? "; contacts or limits would have to pull" : "");
    snprintf(t->notes[4], size, "iteration: %s after %zu turns%s; its joint forces differ by %.3g N, N m",
             report.converged ? "converged" : "not converged", report.turns, last, apart);
    rate_note(&map, t->notes[5], size);
    return DLS_OK;
}

dls_status dynamics_loops_lambda(dynamics_task *t, size_t rows, double *lambda, dls_error *error)
{
    DLS_TRY(solve(t, error));
    memcpy(lambda, t->loops->lambda, rows * sizeof *lambda);
    return DLS_OK;
}

dls_status dynamics_loops_force(dynamics_task *t, size_t rows, double *tau, dls_error *error)
{
    DLS_TRY(solve(t, error));
    memcpy(tau, t->loops->tau + t->loops->offset, rows * sizeof *tau);
    return DLS_OK;
}
