/* A changed mechanism: common parts of two models, identified by name, keep their state to the bit.
 *
 * A model does not change; adding or removing a link, joint or body makes another model, from another scene. Its state
 * is that of its scene, in which the values of the old state replace those of
 *     a body        of the same name that is free, static or kinematic in both
 *     a link        of the same name in an articulation of the same name, whose joint has the same name and motion, and
 *                   whose parent has the same name; the root has the pose of the whole, if fixed in both or none
 *     a joint       of the same name and type, between ends, or on coordinates, of the same names
 * All other parts are new or removed. Values are copied, and no value is computed from them.
 */
#include "delassus/change.h"

#include "base/memory.h"
#include "model_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_fate_names[] = {"kept", "new", "gone", NULL};

static dls_status note_fate(dls_change *change, dls_part part, dls_fate fate, const char *name, dls_error *error)
{
    if (!change)
        return DLS_OK;
    if (!DLS_GROW(change->parts, change->capacity, change->count + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the report of a change");
    dls_changed_part *to = &change->parts[change->count++];
    to->part = part, to->fate = fate;
    strncpy(to->name, name, sizeof to->name - 1);
    to->name[sizeof to->name - 1] = 0;
    return DLS_OK;
}

void dls_change_release(dls_change *change)
{
    free(change->parts);
    *change = (dls_change){0};
}

/* --- counterparts --- */

static bool same_link(const dls_model *a, size_t end, const dls_model *b, size_t other)
{
    size_t i, k;
    const dls_model_articulation *one = dls_model_articulation_of(a, end, &i),
                                 *two = dls_model_articulation_of(b, other, &k);
    const dls_link *link = &one->tree->links[i], *twin = &two->tree->links[k];
    if ((link->parent == DLS_NONE) != (twin->parent == DLS_NONE))
        return false;
    if (link->parent == DLS_NONE)
        return one->tree->fixed_base == two->tree->fixed_base;
    return link->motion == twin->motion && strcmp(one->tree->defs[i].joint, two->tree->defs[k].joint) == 0 &&
           strcmp(one->tree->defs[link->parent].name, two->tree->defs[twin->parent].name) == 0;
}

/* The end of `to` that continues one of `from`; DLS_NONE: none does. */
static size_t end_in_other(const dls_model *from, size_t end, const dls_model *to)
{
    char name[2 * DLS_NAME_MAX];
    dls_model_end_name(from, end, name, sizeof name);
    const size_t other = dls_names_find(&to->names.ends, name);
    if (other == SIZE_MAX || (end < from->n_bodies) != (other < to->n_bodies))
        return DLS_NONE;
    if (end >= from->n_bodies)
        return same_link(from, end, to, other) ? other : DLS_NONE;
    const dls_body *one = &from->bodies[end], *two = &to->bodies[other];
    return (one->offset == DLS_NONE) == (two->offset == DLS_NONE) &&
                   (one->prescribed == DLS_NONE) == (two->prescribed == DLS_NONE)
               ? other
               : DLS_NONE;
}

size_t dls_change_end(const dls_model *from, size_t end, const dls_model *to)
{
    return end == DLS_WORLD ? DLS_WORLD : end_in_other(from, end, to);
}

static bool same_name(const dls_model *a, size_t end, const char *name)
{
    char own[2 * DLS_NAME_MAX];
    dls_model_end_name(a, end, own, sizeof own);
    return strcmp(own, name) == 0;
}

bool dls_change_same_joint(const dls_model *from, size_t joint, const dls_joint_def *def)
{
    const dls_joint *old = &from->joints[joint];
    bool same = old->type == def->type && old->n_terms == def->n_terms;
    for (int i = 0; i < 2 && same && !def->n_terms; i++)
        same = same_name(from, old->body[i], def->body[i]);
    return same;
}

static void coordinate_name(const dls_model *model, const dls_term *term, char *text, size_t size)
{
    char dof[DLS_COORDINATE_MAX - DLS_NAME_MAX];
    size_t a = model->n_articulations;
    while (model->articulations[a - 1].offset > term->dof || model->articulations[a - 1].block == DLS_NONE)
        a--;
    const dls_articulation *tree = model->articulations[a - 1].tree;
    dls_articulation_dof_name(tree, term->dof - model->articulations[a - 1].offset + term->axis, dof, sizeof dof);
    snprintf(text, size, "%s.%s", tree->name, dof);
}

static bool same_term(const dls_model *from, const dls_term *a, const dls_model *to, const dls_term *b)
{
    if ((a->dof == DLS_NONE) != (b->dof == DLS_NONE) || a->axis != b->axis)
        return false;
    for (size_t k = 0; k < DLS_GEARS_MAX; k++)
        if (a->gears[k] != b->gears[k])
            return false;
    if (a->dof == DLS_NONE)
        return strcmp(from->joints[a->joint].name, to->joints[b->joint].name) == 0;
    char one[DLS_COORDINATE_MAX], two[DLS_COORDINATE_MAX];
    coordinate_name(from, a, one, sizeof one);
    coordinate_name(to, b, two, sizeof two);
    return strcmp(one, two) == 0;
}

size_t dls_change_joint(const dls_model *from, size_t joint, const dls_model *to)
{
    const dls_joint *old = &from->joints[joint];
    const size_t j = dls_names_find(&to->names.joints, old->name);
    if (j >= to->n_joints)
        return DLS_NONE;
    const dls_joint *other = &to->joints[j];
    bool same = old->type == other->type && old->n_terms == other->n_terms;
    for (int i = 0; i < 2 && same && !old->n_terms; i++)
        same = dls_change_end(from, old->body[i], to) == other->body[i];
    for (size_t t = 0; t < old->n_terms && same; t++)
        same = same_term(from, &old->terms[t], to, &other->terms[t]);
    return same ? j : DLS_NONE;
}

/* --- numbers --- */

#define COPY(member, a, b, count) memcpy(&to->member[b], &from->member[a], (count) * sizeof *to->member)

static void carry_body(const dls_body *old, const dls_state *from, size_t i, const dls_body *other, dls_state *to,
                       size_t k)
{
    COPY(x, i, k, 1);
    COPY(q, i, k, 1);
    if (old->prescribed != DLS_NONE)
        COPY(prescribed, old->prescribed, other->prescribed, 1);
    if (old->offset == DLS_NONE)
        return;
    COPY(v, old->offset, other->offset, 6);
    COPY(force, old->offset, other->offset, 6);
    COPY(asleep, old->block, other->block, 1);
    COPY(calm, old->block, other->block, 1);
}

static void carry_link(const dls_model *model, const dls_state *from, size_t end, const dls_model *changed,
                       dls_state *to, size_t other)
{
    size_t i, k;
    const dls_model_articulation *one = dls_model_articulation_of(model, end, &i),
                                 *two = dls_model_articulation_of(changed, other, &k);
    const dls_link *link = &one->tree->links[i], *twin = &two->tree->links[k];
    const size_t dof = one->offset + link->dof, at = one->position + link->position;
    const size_t new_dof = two->offset + twin->dof, new_at = two->position + twin->position;
    COPY(link_force, end - model->n_bodies, other - changed->n_bodies, 1);
    COPY(v, dof, new_dof, link->n_dofs);
    COPY(force, dof, new_dof, link->n_dofs);
    if (link->parent == DLS_NONE) {
        COPY(roots, one - model->articulations, two - changed->articulations, 1);
        if (one->block != DLS_NONE && two->block != DLS_NONE) {
            COPY(asleep, one->block, two->block, 1);
            COPY(calm, one->block, two->block, 1);
        }
        return;
    }
    COPY(coordinates, at, new_at, link->motion->n_positions);
    COPY(wraps, at, new_at, link->motion->n_positions);
}

/* Copy the state of bodies and links that both models have. */
static dls_status carry_ends(const dls_model *model, const dls_state *from, const dls_model *changed, dls_state *to,
                             dls_change *change, dls_error *error)
{
    char name[2 * DLS_NAME_MAX];
    to->time = from->time;
    for (size_t end = 0; end < model->n_ends; end++) {
        const dls_part part = end < model->n_bodies ? DLS_PART_BODY : DLS_PART_LINK;
        const size_t other = end_in_other(model, end, changed);
        dls_model_end_name(model, end, name, sizeof name);
        DLS_TRY(note_fate(change, part, other == DLS_NONE ? DLS_FATE_GONE : DLS_FATE_KEPT, name, error));
        if (other != DLS_NONE && part == DLS_PART_BODY)
            carry_body(&model->bodies[end], from, end, &changed->bodies[other], to, other);
        else if (other != DLS_NONE)
            carry_link(model, from, end, changed, to, other);
    }
    for (size_t end = 0; end < changed->n_ends && change; end++) {
        dls_model_end_name(changed, end, name, sizeof name);
        if (end_in_other(changed, end, model) == DLS_NONE)
            DLS_TRY(
                note_fate(change, end < changed->n_bodies ? DLS_PART_BODY : DLS_PART_LINK, DLS_FATE_NEW, name, error));
    }
    return DLS_OK;
}

dls_status dls_change_place(const dls_model *model, const dls_state *from, const dls_model *changed, dls_state *to)
{
    return carry_ends(model, from, changed, to, NULL, NULL);
}

dls_status dls_state_carry(const dls_model *model, const dls_state *from, const dls_model *changed, dls_state *to,
                           dls_change *change, dls_error *error)
{
    dls_configuration *at;
    dls_state_copy(to, changed->initial);
    DLS_TRY(carry_ends(model, from, changed, to, change, error));
    DLS_TRY(dls_configuration_create(changed, &at, error));
    dls_configuration_evaluate(at, to);
    dls_configuration_measure(at, to, 0.0);
    dls_configuration_destroy(at);
    for (size_t j = 0; j < model->n_joints; j++) {
        const size_t k = dls_change_joint(model, j, changed);
        DLS_TRY(note_fate(change, DLS_PART_JOINT, k == DLS_NONE ? DLS_FATE_GONE : DLS_FATE_KEPT, model->joints[j].name,
                          error));
        if (k == DLS_NONE)
            continue;
        COPY(measured, j, k, 1);
        COPY(broken, j, k, 1);
        COPY(joint_state, model->joints[j].joint_state, changed->joints[k].joint_state, model->joints[j].type->n_state);
    }
    for (size_t k = 0; k < changed->n_joints; k++)
        if (dls_change_joint(changed, k, model) == DLS_NONE)
            DLS_TRY(note_fate(change, DLS_PART_JOINT, DLS_FATE_NEW, changed->joints[k].name, error));
    return DLS_OK;
}
