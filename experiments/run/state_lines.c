/* Lines of the tables of states: poses and velocities of bodies and links, and joint coordinates. */
#include "run.h"

#include "delassus/articulation.h"
#include "delassus/configuration.h"

#include <stdio.h>
#include <string.h>

/* Whether a part is among those that a change has added; NULL: all are. */
static bool is_among(const dls_change *added, dls_part part, const char *name)
{
    for (size_t k = 0; added && k < added->count; k++)
        if (added->parts[k].fate == DLS_FATE_NEW && added->parts[k].part == part &&
            strcmp(added->parts[k].name, name) == 0)
            return true;
    return !added;
}

/* Time, of a batch the copy, and name. */
static void begin_line(dls_table *table, double time, size_t copy, const char *name)
{
    if (copy == DLS_NONE)
        dls_table_cells(table, "%g %s", time, name);
    else
        dls_table_cells(table, "%g %zu %s", time, copy, name);
}

static void write_joint(dls_table *table, double time, size_t copy, const char *name, double value, double rate)
{
    begin_line(table, time, copy, name);
    dls_table_row(table, "%g %g", value, rate);
}

void dls_write_bodies(const dls_configuration *at, double time, size_t copy, const dls_change *added, dls_table *table)
{
    const dls_model *model = at->model;
    char name[2 * DLS_NAME_MAX];
    for (size_t i = 0; i < dls_model_count(model).ends; i++) {
        const bool prescribed = i < dls_model_count(model).bodies && dls_model_bodies(model)[i].prescribed != DLS_NONE;
        if (!dls_model_moves(model, i) && !prescribed)
            continue;
        dls_end end = dls_configuration_end(at, i);
        const double values[] = {end.x.x, end.x.y, end.x.z, end.q.w,     end.q.x,     end.q.y,    end.q.z,
                                 end.v.x, end.v.y, end.v.z, end.omega.x, end.omega.y, end.omega.z};
        dls_model_end_name(model, i, name, sizeof name);
        if (!is_among(added, i < dls_model_count(model).bodies ? DLS_PART_BODY : DLS_PART_LINK, name))
            continue;
        begin_line(table, time, copy, name);
        dls_table_reals(table, values, sizeof values / sizeof values[0]);
        dls_table_end_row(table);
    }
}

bool dls_has_coordinates(const dls_model *model)
{
    const dls_model_counts has = dls_model_count(model);
    bool any = false;
    for (size_t j = 0; j < has.joints; j++)
        any = any || dls_model_joints(model)[j].measured;
    for (size_t a = 0; a < has.articulations; a++) {
        const dls_articulation *tree = dls_model_articulations(model)[a].tree;
        for (size_t k = 0; k < tree->nv; k++)
            any = any || dls_articulation_coordinate(tree, k) != DLS_NONE ||
                  tree->links[tree->dof_link[k]].motion->coordinate;
    }
    return any;
}

/* A coordinate and its rate: unwrapped, or as the motion measures it. False of a floating base. */
static bool coordinate_of(const dls_articulation *tree, const dls_articulation_state *state, size_t k, double *value,
                          double *rate)
{
    const size_t q = dls_articulation_coordinate(tree, k);
    const dls_link *link = &tree->links[tree->dof_link[k]];
    double gradient[DLS_DOFS_MAX];
    if (q == DLS_NONE && !link->motion->coordinate)
        return false;
    if (q != DLS_NONE) {
        *value = state->q[q] + 4.0 * DLS_PI * (double)state->wraps[q];
        *rate = state->v[k];
        return true;
    }
    *value = link->motion->coordinate(state->q + link->position, state->wraps[link->position], k - link->dof, gradient);
    *rate = 0.0;
    for (size_t i = 0; i < link->n_dofs; i++)
        *rate += gradient[i] * state->v[link->dof + i];
    return true;
}

void dls_write_joints(const dls_configuration *at, const dls_state *state, size_t copy, const dls_change *added,
                      dls_table *table)
{
    const dls_model *model = at->model;
    char dof[2 * DLS_NAME_MAX], name[4 * DLS_NAME_MAX], link[2 * DLS_NAME_MAX];
    for (size_t a = 0; a < dls_model_count(model).articulations; a++) {
        const dls_model_articulation *articulation = &dls_model_articulations(model)[a];
        for (size_t k = 0; k < articulation->tree->nv; k++) {
            const dls_articulation_state own = dls_state_articulation(model, state, a);
            double value, rate;
            dls_model_end_name(model, articulation->first_end + articulation->tree->dof_link[k], link, sizeof link);
            if (!coordinate_of(articulation->tree, &own, k, &value, &rate) || !is_among(added, DLS_PART_LINK, link))
                continue;
            dls_articulation_dof_name(articulation->tree, k, dof, sizeof dof);
            snprintf(name, sizeof name, "%s.%s", articulation->tree->name, dof);
            write_joint(table, state->time, copy, name, value, rate);
        }
    }
    const dls_joint *joints = dls_model_joints(model);
    for (size_t j = 0; j < dls_model_count(model).joints; j++)
        if (joints[j].measured && is_among(added, DLS_PART_JOINT, joints[j].name))
            write_joint(table, state->time, copy, joints[j].name, state->measured[j],
                        dls_configuration_rate(at, &joints[j]));
}

void dls_note_method(const dls_run *run, dls_table *table)
{
    dls_table_note_fields(table, "solver.", &run->choice.solver->fields, run->choice.settings);
    dls_table_note(table, "scheme", "%s", run->scheme->name);
    dls_table_note_fields(table, "scheme.", &run->scheme->fields, run->scheme_settings);
    dls_table_note_fields(table, "warm.", &dls_warm_fields, &run->warm);
}
