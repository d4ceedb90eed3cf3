/* Joints of a model: their ends, settings and frames, and the columns of their rows.
 */
#include "model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef dls_where where;

static dls_status tree_coordinate(where w, const dls_model *model, const dls_model_articulation *articulation,
                                  const char *name, const char *joint, dls_term *term, bool *angular)
{
    size_t k = dls_names_find(&model->names.dofs, name);
    if (k == SIZE_MAX) {
        size_t link = dls_articulation_find_joint(articulation->tree, joint);
        return dls_model_bad(w, name,
                             link == DLS_NONE
                                 ? "there is no such joint in the articulation, or no such axis in the joint"
                             : articulation->tree->links[link].n_dofs == 0
                                 ? "a fix joint has no coordinate"
                                 : "the joint has several axes; write its name, a dot and twist, swing1 or swing2");
    }
    const dls_link *link = &articulation->tree->links[articulation->tree->dof_link[k]];
    if (k < articulation->tree->n_base)
        return dls_model_bad(w, name, "a floating base has no joint coordinate");
    *angular = !link->motion->slides;
    *term = (dls_term){.dof = articulation->offset + k, .joint = DLS_NONE};
    if (link->motion->coordinate) {
        term->motion = link->motion;
        term->axis = k - link->dof;
        term->dof = articulation->offset + link->dof;
        term->position = articulation->position + link->position;
    } else {
        term->position = articulation->position + dls_articulation_coordinate(articulation->tree, k);
    }
    return DLS_OK;
}

static dls_status find_coordinate(where w, dls_model *model, const char *name, dls_term *term, bool *angular)
{
    const char *inside;
    const dls_model_articulation *articulation = dls_model_articulation_before_dot(model, name, &inside);
    size_t j = dls_names_find(&model->names.joints, name);
    dls_joint *joint = j < model->n_joints && model->joints[j].type ? &model->joints[j] : NULL; /* compiled already */
    if (articulation && joint && joint->type->coordinate)
        return dls_model_bad(
            w, name, "a joint between bodies has a name that begins with an articulation's and a dot; rename it");
    if (articulation)
        return tree_coordinate(w, model, articulation, name, inside, term, angular);
    if (!joint)
        return dls_model_bad(
            w, name,
            "there is no such coordinate; write ARTICULATION.JOINT, or the name of a hinge, slider or track joint");
    if (!joint->type->coordinate)
        return dls_model_bad(w, name, "this joint has no coordinate; a hinge, a slider or a track has one");
    *term = (dls_term){.dof = DLS_NONE, .position = DLS_NONE, .joint = j};
    *angular = joint->angular;
    model->n_measured += !joint->measured;
    joint->measured = true;
    return DLS_OK;
}

/* --- columns --- */

/* Columns in the order in which they were met, some of them several times; `failed` where memory is exhausted. */
typedef struct columns {
    size_t *at, count, capacity;
    bool failed;
} columns;

static void put_column(columns *c, size_t column)
{
    c->failed = c->failed || !DLS_GROW(c->at, c->capacity, c->count + 1);
    if (!c->failed)
        c->at[c->count++] = column;
}

static void put_end_columns(const dls_model *model, size_t end, columns *c)
{
    size_t link;
    const dls_model_articulation *articulation = dls_model_articulation_of(model, end, &link);
    if (articulation)
        for (size_t k = dls_articulation_last_dof(articulation->tree, link); k != DLS_NONE;
             k = articulation->tree->dof_before[k])
            put_column(c, articulation->offset + k);
    else if (dls_model_moves(model, end))
        for (size_t k = 0; k < 6; k++)
            put_column(c, model->bodies[end].offset + k);
}

static void put_joint(const dls_model *model, const dls_joint *joint, columns *c)
{
    for (int i = 0; i < 2; i++)
        put_end_columns(model, joint->body[i], c);
    for (size_t t = 0; t < joint->n_terms; t++)
        if (joint->terms[t].dof == DLS_NONE)
            put_joint(model, &model->joints[joint->terms[t].joint], c);
        else
            for (size_t k = 0; k < (joint->terms[t].motion ? joint->terms[t].motion->n_dofs : 1); k++)
                put_column(c, joint->terms[t].dof + k);
}

static int compare_columns(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* The columns, adjacent ones of one mass block as one span. Room for as many spans as there are columns is enough. */
static size_t spans_of(const dls_model *model, columns *c, dls_span *spans)
{
    size_t count = 0;
    if (c->count)
        qsort(c->at, c->count, sizeof *c->at, compare_columns);
    for (size_t i = 0; i < c->count; i++) {
        const size_t column = c->at[i], block = dls_model_block(model, column);
        dls_span *last = count ? &spans[count - 1] : NULL;
        if (last && column < last->offset + last->length)
            continue;
        if (last && column == last->offset + last->length && block == last->block)
            last->length++;
        else
            spans[count++] = (dls_span){column, 1, block};
    }
    return count;
}

/* How many rows, blocks and coefficients all joints have together. */
static void count_rows(dls_model *model)
{
    for (const dls_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++) {
        size_t blocks = joint->n_spans, coefs = 0;
        for (size_t k = 0; k < joint->n_spans; k++)
            coefs += joint->spans[k].length;
        for (int i = 0; i < 2 && !joint->spans; i++)
            if (dls_model_moves(model, joint->body[i]))
                blocks++, coefs += 6;
        model->rows.n += joint->n_rows;
        model->rows.blocks += joint->n_rows * blocks;
        model->rows.coefs += joint->n_rows * coefs;
        model->n_summed += joint->n_terms > 0;
    }
}

static dls_status compile_columns(dls_model *model, dls_error *error)
{
    columns c = {0};
    for (size_t j = 0; j < model->n_joints && !c.failed; j++) {
        dls_joint *joint = &model->joints[j];
        if (!joint->n_terms && dls_model_has_bodies_at(model, joint->body))
            continue;
        c.count = 0;
        put_joint(model, joint, &c);
        joint->spans = DLS_TAKE(&model->memory, dls_span, c.count);
        c.failed = c.failed || !joint->spans;
        if (!c.failed)
            joint->n_spans = spans_of(model, &c, joint->spans);
    }
    free(c.at);
    count_rows(model);
    return c.failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for the columns of %zu joints", model->n_joints)
                    : DLS_OK;
}

/* --- a joint --- */

static dls_status tie_ends(where w, const dls_joint_def *def, dls_model *model, dls_joint *joint)
{
    DLS_TRY(dls_model_end_of(w, model, def->body[0], "body1", &joint->body[0]));
    DLS_TRY(dls_model_end_of(w, model, def->body[1], "body2", &joint->body[1]));
    if (def->n_terms)
        return dls_model_bad(w, "coordinates", "this type ties two bodies; leave out the coordinates");
    if (joint->body[0] == joint->body[1])
        return dls_model_bad(w, "body2", "a joint needs two different bodies");
    if (!dls_model_moves(model, joint->body[0]) && !dls_model_moves(model, joint->body[1]))
        return dls_model_bad(w, "body1",
                             "a joint between two things that cannot move; one end must be a body that is not static");
    for (int i = 0; i < 2; i++) {
        size_t link;
        const dls_model_articulation *articulation = dls_model_articulation_of(model, joint->body[i], &link);
        if (articulation)
            model->articulations[articulation - model->articulations].held = true;
        joint->moves[i] = dls_model_moves(model, joint->body[i]);
        joint->mass[i] = !joint->moves[i] ? 0.0
                         : articulation   ? articulation->tree->links[link].mass
                                          : model->bodies[joint->body[i]].mass;
    }
    return DLS_OK;
}

static dls_status couple_coordinates(where w, const dls_joint_def *def, dls_model *model, dls_joint *joint)
{
    joint->body[0] = joint->body[1] = DLS_WORLD;
    if (def->body[0][0] || strcmp(def->body[1], DLS_WORLD_NAME) != 0)
        return dls_model_bad(w, def->body[0][0] ? "body1" : "body2",
                             "this type acts on joint coordinates; write coordinates: {NAME: gear} instead of bodies");
    if (def->n_terms < def->type->terms_min)
        return dls_model_bad(w, "coordinates",
                             def->type->terms_min == 1
                                 ? "needs at least one joint coordinate; write coordinates: {NAME: gear}"
                                 : "needs at least two joint coordinates; write coordinates: {NAME: gear, NAME: gear}");
    joint->terms = DLS_TAKE_ZEROS(&model->memory, dls_term, def->n_terms);
    if (!joint->terms)
        return dls_fail(w.error, DLS_NO_MEMORY, "no memory for %zu coordinates", def->n_terms);
    joint->n_terms = def->n_terms;
    for (size_t t = 0; t < def->n_terms; t++) {
        const dls_term_def *from = &def->terms[t];
        dls_term *term = &joint->terms[t];
        bool angular = false;
        w.place = from->place;
        DLS_TRY(find_coordinate(w, model, from->coordinate, term, &angular));
        memcpy(term->gears, from->gears, sizeof term->gears);
        term->number = model->n_numbered++;
        if (t == 0)
            joint->angular = angular;
    }
    return DLS_OK;
}

/* --- references of settings --- */

static const char *track_name_at(const void *context, size_t i)
{
    const dls_model *model = context;
    return i < model->n_tracks ? model->tracks[i].name : NULL;
}

static const char *joint_name_at(const void *context, size_t i)
{
    const dls_scene *scene = context;
    return i < scene->n_joints ? scene->joints[i].name : NULL;
}

static dls_status no_such_reference(where w, const char *key, const char *what, const char *name, const char *nearest)
{
    char message[DLS_MESSAGE_MAX];
    char place[DLS_NAME_MAX];
    snprintf(place, sizeof place, "define it under %.20ss", what);
    snprintf(message, sizeof message, "there is no %s '%.200s'%.200s", what, name, dls_hint_of(nearest, place).text);
    return dls_model_bad(w, key, message);
}

static dls_status resolve_one(where w, const dls_model *model, const dls_field *field, dls_reference *to)
{
    if (field->kind == DLS_FIELD_END)
        return dls_model_end_of(w, model, to->name, field->key, &to->index);
    bool track = field->kind == DLS_FIELD_TRACK;
    to->index = dls_names_find(track ? &model->names.tracks : &model->names.joints, to->name);
    if (to->index == SIZE_MAX)
        return track ? no_such_reference(w, field->key, "track", to->name,
                                         dls_nearest_word(to->name, track_name_at, model))
                     : no_such_reference(w, field->key, "joint", to->name,
                                         dls_nearest_word(to->name, joint_name_at, w.scene));
    to->object = track ? (const void *)&model->tracks[to->index] : &model->joints[to->index];
    return DLS_OK;
}

/* Resolve the names in the settings. */
static dls_status resolve_references(where w, const dls_model *model, const dls_field_table *fields, void *settings)
{
    for (size_t i = 0; i < fields->count; i++) {
        const dls_field *field = &fields->fields[i];
        dls_reference *to = (dls_reference *)((char *)settings + field->offset);
        bool refers = field->kind == DLS_FIELD_TRACK || field->kind == DLS_FIELD_JOINT || field->kind == DLS_FIELD_END;
        if (refers && to->name[0])
            DLS_TRY(resolve_one(w, model, field, to));
    }
    return DLS_OK;
}

static dls_status copy_settings(where w, const dls_joint_def *def, dls_model *model, dls_joint *joint)
{
    const dls_field_table *fields = &def->type->fields;
    dls_status status = dls_fields_require(fields, def->settings.values, w.error);
    if (status != DLS_OK)
        return dls_fail_place(w.error, status, w.scene->file, w.place.line, w.place.column, NULL);
    void *settings = dls_arena_take(&model->memory, 1, fields->size);
    if (!settings)
        return dls_fail(w.error, DLS_NO_MEMORY, "no memory for a joint's settings");
    DLS_TRY(dls_fields_copy(fields, settings, def->settings.values, w.error));
    joint->settings = settings;
    return resolve_references(w, model, fields, settings);
}

/* A joint's spring is given in one way, and not beside erp and cfm. */
static dls_status check_spring(where w, const dls_joint_def *def)
{
    const dls_joint_common *c = &def->common;
    bool constants = !isnan(c->stiffness) || !isnan(c->damping),
         ratios = !isnan(c->frequency) || !isnan(c->damping_ratio);
    const char *key = !isnan(c->stiffness)   ? "stiffness"
                      : !isnan(c->damping)   ? "damping"
                      : !isnan(c->frequency) ? "frequency"
                                             : "damping_ratio";
    if (def->type->no_position && def->erp_or_cfm && strcmp(def->erp_or_cfm, "erp") == 0)
        return dls_model_bad(w, "erp", "this type has no position whose error erp could reduce; leave it out");
    if (!constants && !ratios)
        return DLS_OK;
    if (def->type->no_position)
        return dls_model_bad(w, key, "this type has no position to hold by a spring");
    if (constants && ratios)
        return dls_model_bad(
            w, "frequency",
            "a spring is given by stiffness and damping, or by frequency and damping_ratio; leave out one of the two");
    if (def->erp_or_cfm)
        return dls_model_bad(w, def->erp_or_cfm,
                             "a spring says what erp and cfm would say; leave it out, or the spring");
    if (ratios && isnan(c->frequency))
        return dls_model_bad(w, key, "a damping_ratio needs a frequency");
    double sum =
        constants ? (isnan(c->stiffness) ? 0.0 : c->stiffness) + (isnan(c->damping) ? 0.0 : c->damping) : c->frequency;
    if (!(sum > 0.0) || !isfinite(sum) || isinf(c->damping_ratio))
        return dls_model_bad(w, key, "a spring needs a stiffness, a damping or a frequency, finite and not 0");
    return DLS_OK;
}

/* A threshold is of a force that the joint can have. */
static dls_status check_breaks(where w, dls_model *model, const dls_joint *joint)
{
    const dls_joint_common *c = &joint->common;
    const char *key = isfinite(c->break_force) ? "break_force" : "break_torque";
    if (!isfinite(c->break_force) && !isfinite(c->break_torque))
        return DLS_OK;
    if (joint->n_rows == 0)
        return dls_model_bad(w, key, "this type has no rows, and so no force that could break it");
    if (joint->n_terms && isfinite(joint->angular ? c->break_force : c->break_torque))
        return dls_model_bad(w, key,
                             joint->angular ? "the coordinates of the joint are angles, and its force is a torque; "
                                              "write break_torque"
                                            : "the coordinates of the joint are lengths, and it has no torque; write "
                                              "break_force");
    model->n_breakable++;
    return DLS_OK;
}

/* A joint that a change has added keeps where its ends were then, and its descendants in later models are placed there.
 */
static dls_status remember_place(where w, const dls_joint_def *def, dls_model *model, const dls_joint *former,
                                 dls_end ends[2], dls_joint *joint)
{
    const double *joint_state = ends[0].joint_state;
    joint->change = def->change;
    if (def->change == 0)
        return DLS_OK;
    dls_end *placed = dls_arena_take(&model->memory, 2, sizeof *placed);
    if (!placed)
        return dls_fail(w.error, DLS_NO_MEMORY, "no memory for the place of a joint");
    for (int i = 0; i < 2; i++) {
        placed[i] = former ? former->placed[i] : ends[i];
        placed[i].joint_state = NULL;
        ends[i] = placed[i];
    }
    ends[0].joint_state = joint_state;
    joint->placed = placed;
    return DLS_OK;
}

/* The joint of the former model with this definition; NULL: there is none. */
static const dls_joint *former_joint(const dls_former *former, const dls_joint_def *def)
{
    const size_t j = former->model ? dls_names_find(&former->model->names.joints, def->name) : SIZE_MAX;
    const bool same = j != SIZE_MAX && j < former->model->n_joints && dls_change_same_joint(former->model, j, def);
    return same ? &former->model->joints[j] : NULL;
}

/* A joint is placed at the initial configuration, or at the former one if the former model does not have it; a joint
 * that an earlier change has added is placed where it was added. */
static dls_status compile_joint(where w, const dls_joint_def *def, dls_model *model, const dls_configuration *initial,
                                const dls_former *former, dls_joint *joint)
{
    const dls_joint *old = former_joint(former, def);
    const bool is_new = former->model && !old;
    joint->type = def->type;
    memcpy(joint->name, def->name, sizeof joint->name);
    joint->common = def->common;
    joint->gravity = dls_norm(model->world.gravity);
    joint->gain = 1.0;
    DLS_TRY(def->type->terms_min ? couple_coordinates(w, def, model, joint) : tie_ends(w, def, model, joint));
    if (!(joint->common.force_lo <= 0.0 && joint->common.force_hi >= 0.0))
        return dls_model_bad(w, "force_lo", "force bounds must contain 0: force_lo <= 0 <= force_hi");
    DLS_TRY(check_spring(w, def));
    DLS_TRY(copy_settings(w, def, model, joint));
    dls_end ends[2];
    dls_configuration_ends(is_new ? former->at : initial, joint, ends);
    ends[0].y = dls_state_coordinates(is_new ? former->there : model->initial, joint);
    DLS_TRY(remember_place(w, def, model, old && old->change == def->change ? old : NULL, ends, joint));
    dls_status status = def->type->place(joint, ends, w.error);
    if (status == DLS_OK && def->type->prepare)
        status = def->type->prepare(joint, &model->memory, w.error);
    if (status == DLS_OK && def->type->start)
        status = def->type->start(joint, ends, model->initial->joint_state + joint->joint_state, w.error);
    if (status != DLS_OK)
        return dls_fail_place(w.error, status, w.scene->file, w.place.line, w.place.column, NULL);
    joint->n_rows = def->type->count(joint);
    DLS_TRY(check_breaks(w, model, joint));
    if (def->type->coordinate) {
        dls_row row = {0};
        def->type->coordinate(joint, ends, &row);
        joint->angular = row.angular;
    }
    return DLS_OK;
}

dls_status dls_model_compile_joints(const dls_scene *scene, dls_model *model, const dls_configuration *initial,
                                    const dls_former *former, dls_error *error)
{
    model->joints = DLS_TAKE_ZEROS(&model->memory, dls_joint, scene->n_joints);
    if (!model->joints)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu joints", scene->n_joints);
    model->n_joints = scene->n_joints;
    for (size_t j = 0, joint_state = 0; j < scene->n_joints; joint_state += scene->joints[j++].type->n_state)
        model->joints[j].joint_state = joint_state;
    for (int coupled = 0; coupled < 2; coupled++) /* coordinates may be those of joints that come later */
        for (size_t j = 0; j < scene->n_joints; j++) {
            const dls_joint_def *def = &scene->joints[j];
            if ((def->type->terms_min > 0) == coupled)
                DLS_TRY(
                    compile_joint((where){scene, def->place, error}, def, model, initial, former, &model->joints[j]));
        }
    return compile_columns(model, error);
}
