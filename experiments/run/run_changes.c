/* Changes of a scene between the steps of a run, with the mass, energy and momentum of every part that is added or
 * removed.
 *
 * A body or link of both models keeps its pose and velocities to the bit, so that the total kinetic energy, potential
 * energy and momentum change by those of the new parts minus those of the removed ones. The energy of rotor inertias
 * (`armature`) belongs to the speed of a joint and not to a link. Angular momentum is about the world's origin.
 */
#include "run.h"

#include "study/rig.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

const char dls_run_changes_columns[] = "time[s]\tpart\tfate\tname\tmass[kg]\tkinetic[J]\tpotential[J]\tpx[kg m/s]"
                                       "\tpy[kg m/s]\tpz[kg m/s]\tLx[kg m^2/s]\tLy[kg m^2/s]\tLz[kg m^2/s]";

void dls_run_changes_release(dls_run_changes *changes) { dls_model_destroy(changes->owned); }

size_t dls_run_changes_total(const dls_run *run) { return run->scene ? run->scene->n_changes : 0; }

dls_status dls_run_changes_try(const dls_run *run, void (*visit)(void *context, const dls_model *model), void *context,
                               dls_error *error)
{
    const dls_model *model = run->model;
    dls_model *owned = NULL;
    visit(context, model);
    for (size_t k = 0; k < dls_run_changes_total(run); k++) {
        dls_model *next;
        const dls_status status =
            dls_model_create_changed(run->scene->changes[k].after, model, dls_model_initial(model), &next, error);
        dls_model_destroy(owned);
        if (status != DLS_OK)
            return status;
        model = owned = next;
        visit(context, model);
    }
    dls_model_destroy(owned);
    return DLS_OK;
}

bool dls_run_changes_due(const dls_run_changes *changes, size_t k)
{
    return changes->count < dls_run_changes_total(changes->run) &&
           dls_step_count(changes->run->scene->changes[changes->count].time, changes->run->step) <= k;
}

/* --- sums over parts --- */

typedef struct content {
    double mass, kinetic, potential;
    dls_vec3 linear, angular;
} content;

/* The sums over all bodies and links. */
static content content_of_all(const dls_configuration *at)
{
    content all = {.kinetic = dls_kinetic_energy(at), .potential = dls_potential_energy(at)};
    const dls_model_counts has = dls_model_count(at->model);
    for (size_t i = 0; i < has.bodies; i++)
        all.mass += dls_model_bodies(at->model)[i].mass;
    for (size_t a = 0; a < has.articulations; a++)
        all.mass += dls_model_articulations(at->model)[a].tree->mass;
    dls_momentum(at, &all.linear, &all.angular);
    return all;
}

static content content_of_end(const dls_configuration *at, size_t i)
{
    size_t link;
    const dls_model_articulation *articulation = dls_model_articulation_of(at->model, i, &link);
    const dls_body *body = articulation ? NULL : &dls_model_bodies(at->model)[i];
    const double mass = articulation ? articulation->tree->links[link].mass : body->mass;
    const dls_mat3 inertia = articulation ? articulation->tree->defs[link].inertia : body->inertia;
    const dls_end end = dls_configuration_end(at, i);
    const dls_vec3 spin = dls_mul3(dls_rotate_tensor(end.R, inertia), end.omega);
    content sum = {.mass = mass, .linear = dls_scale(mass, end.v)};
    if (mass == 0.0) /* static, kinematic, or a frame */
        return (content){0};
    sum.angular = dls_add(dls_cross(end.x, sum.linear), spin);
    sum.kinetic = 0.5 * (dls_dot(end.v, sum.linear) + dls_dot(end.omega, spin));
    sum.potential = -mass * dls_dot(dls_model_world(at->model)->gravity, end.x);
    return sum;
}

static void write_content(dls_table *table, double time, const char *part, const char *fate, const char *name, double s,
                          const content *of)
{
    double values[] = {of->mass,     of->kinetic,   of->potential, of->linear.x, of->linear.y,
                       of->linear.z, of->angular.x, of->angular.y, of->angular.z};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        values[i] = values[i] == 0.0 ? 0.0 : s * values[i];
    dls_table_cells(table, "%g %s %s %s", time, part, fate, name);
    dls_table_reals(table, values, sizeof values / sizeof values[0]);
    dls_table_end_row(table);
}

/* The parts of one fate, in the model that has them. */
static void write_parts(dls_table *table, const dls_configuration *at, double time, const dls_change *change,
                        dls_fate fate)
{
    for (size_t k = 0; k < change->count; k++) {
        const dls_changed_part *part = &change->parts[k];
        if (part->fate != fate)
            continue;
        const content of =
            part->part == DLS_PART_JOINT ? (content){0} : content_of_end(at, dls_model_find_end(at->model, part->name));
        write_content(table, time, dls_part_names[part->part], dls_fate_names[fate], part->name,
                      fate == DLS_FATE_NEW ? 1.0 : -1.0, &of);
    }
}

/* --- a change --- */

/* Both configurations, then their difference. */
static void note_change(const dls_run_changes *changes, const dls_configuration *before, dls_simulation *s,
                        const dls_change *change, dls_table *table, dls_run_result *result)
{
    const dls_configuration *after = dls_simulation_configuration(s);
    const content old = content_of_all(before), now = content_of_all(after);
    const content more = {now.mass - old.mass, now.kinetic - old.kinetic, now.potential - old.potential,
                          dls_sub(now.linear, old.linear), dls_sub(now.angular, old.angular)};
    const double time = dls_simulation_state(s)->time;
    result->changes++;
    result->energy_changes += more.kinetic + more.potential;
    if (!table)
        return;
    write_parts(table, before, time, change, DLS_FATE_GONE);
    write_parts(table, after, time, change, DLS_FATE_NEW);
    write_content(table, time, "scene", "changed", dls_model_name(changes->run->model), 1.0, &more);
}

dls_status dls_run_changes_next(dls_run_changes *changes, dls_simulation **simulation, dls_change *change,
                                dls_table *table, dls_run_result *result, dls_error *error)
{
    const dls_state *state = dls_simulation_state(*simulation);
    dls_configuration *before = NULL;
    dls_model *model;
    *change = (dls_change){0};
    DLS_TRY(dls_model_create_changed(changes->run->scene->changes[changes->count].after, changes->model, state, &model,
                                     error));
    dls_status status = dls_configuration_create(changes->model, &before, error);
    if (status == DLS_OK) {
        dls_configuration_evaluate(before, state);
        status = dls_simulation_change(simulation, model, change, error);
    }
    if (status == DLS_OK) {
        size_t came_or_went = 0;
        for (size_t k = 0; k < change->count; k++)
            if (change->parts[k].fate != DLS_FATE_KEPT)
                change->parts[came_or_went++] = change->parts[k];
        change->count = came_or_went;
        note_change(changes, before, *simulation, change, table, result);
    }
    dls_configuration_destroy(before);
    if (status != DLS_OK) {
        dls_model_destroy(model);
        return status;
    }
    dls_model_destroy(changes->owned);
    changes->model = changes->owned = model;
    changes->count++;
    return DLS_OK;
}
