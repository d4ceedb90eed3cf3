/* Joints of a model: what they hold, their settings and frames, and which columns their rows have. */
#include "model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef dls_where where;

/* --- ends and coordinates by name --- */

static bool named(const dls_model *model, size_t end, const char *name)
{
    char text[2 * DLS_NAME_MAX];
    dls_model_end_name(model, end, text, sizeof text);
    return strcmp(text, name) == 0;
}

/* "NAME.WHAT": what stands behind the dot where NAME is this articulation's; NULL: it is another's. */
static const char *behind(const dls_member *member, const char *name)
{
    size_t length = strlen(member->tree->name);
    return strncmp(name, member->tree->name, length) == 0 && name[length] == '.' ? name + length + 1 : NULL;
}

static const char *body_name_at(const void *context, size_t i)
{
    const dls_model *model = context;
    return i < model->n_bodies ? model->bodies[i].name : i == model->n_bodies ? "world" : NULL;
}

static const char *link_name_at(const void *context, size_t i)
{
    const dls_articulation *tree = context;
    return i < tree->n_links ? tree->defs[i].name : NULL;
}

static dls_status no_such_end(where w, const dls_model *model, const char *name, const char *key)
{
    char message[DLS_MESSAGE_MAX];
    for (size_t a = 0; a < model->n_members; a++) {
        const char *link = behind(&model->members[a], name);
        const char *nearest = link ? dls_nearest_word(link, link_name_at, model->members[a].tree) : NULL;
        if (!link)
            continue;
        snprintf(message, sizeof message, "articulation '%s' has no link '%s'%s%s%s", model->members[a].tree->name,
                 link, nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
        return dls_model_bad(w, key, message);
    }
    const char *nearest = *name ? dls_nearest_word(name, body_name_at, model) : NULL;
    if (!*name)
        snprintf(message, sizeof message, "the joint names no body; write %s: NAME (or ARTICULATION.LINK, or world)",
                 key);
    else
        snprintf(message, sizeof message, "there is no body '%s'%s%s%s", name, nearest ? "; did you mean '" : "",
                 nearest ? nearest : "", nearest ? "'?" : "; define it under bodies, or write world");
    return dls_model_bad(w, key, message);
}

static dls_status find_end(where w, const dls_model *model, const char *name, const char *key, size_t *end)
{
    *end = DLS_WORLD;
    if (strcmp(name, "world") == 0)
        return DLS_OK;
    for (size_t i = 0; i < model->n_ends; i++)
        if (named(model, i, name)) {
            *end = i;
            return DLS_OK;
        }
    return no_such_end(w, model, name, key);
}

static const char no_angle[] = "a joint that turns about a point has no coordinate; its position is a quaternion";

static dls_status tree_coordinate(where w, const dls_member *member, const char *name, const char *joint,
                                  dls_term *term, bool *angular)
{
    char text[DLS_MESSAGE_MAX];
    for (size_t k = 0; k < member->tree->nv; k++) {
        dls_articulation_dof_name(member->tree, k, text, sizeof text);
        if (strcmp(text, joint) != 0)
            continue;
        size_t position = dls_articulation_coordinate(member->tree, k);
        if (position == DLS_NONE)
            return dls_model_bad(w, name,
                                 k < member->tree->n_base ? "a floating base has no joint coordinate" : no_angle);
        *term = (dls_term){term->gear, member->offset + k, member->position + position, DLS_NONE};
        *angular = !member->tree->links[member->tree->dof_link[k]].motion->slides;
        return DLS_OK;
    }
    size_t link = dls_articulation_find_joint(member->tree, joint);
    const char *wrong = link == DLS_NONE ? "there is no such joint in the articulation, or no such axis in the joint"
                        : member->tree->links[link].n_dofs == 0 ? "a fix joint has no coordinate"
                        : member->tree->links[link].n_dofs == 3
                            ? no_angle
                            : "the joint has several axes; write its name, a dot and twist, swing1 or swing2";
    return dls_model_bad(w, name, wrong);
}

/* The first joint of that name; coupled ones have none yet. */
static dls_joint *find_joint(dls_model *model, const char *name)
{
    for (size_t j = 0; j < model->n_joints; j++)
        if (strcmp(model->joints[j].name, name) == 0)
            return &model->joints[j];
    return NULL;
}

static dls_status find_coordinate(where w, dls_model *model, const char *name, dls_term *term, bool *angular)
{
    dls_joint *joint = find_joint(model, name);
    for (size_t a = 0; a < model->n_members; a++) {
        const char *inside = behind(&model->members[a], name);
        if (inside && joint && joint->type->coordinate)
            return dls_model_bad(
                w, name, "a joint between bodies has a name that begins with an articulation's and a dot; rename it");
        if (inside)
            return tree_coordinate(w, &model->members[a], name, inside, term, angular);
    }
    if (!joint)
        return dls_model_bad(
            w, name,
            "there is no such coordinate; write ARTICULATION.JOINT, or the name of a hinge, slider or track joint");
    if (!joint->type->coordinate)
        return dls_model_bad(w, name, "this joint has no coordinate; a hinge, a slider or a track has one");
    *term = (dls_term){term->gear, DLS_NONE, DLS_NONE, (size_t)(joint - model->joints)};
    *angular = joint->angular;
    model->n_measured += !joint->measured;
    joint->measured = true;
    return DLS_OK;
}

/* --- columns --- */

static void mark(bool *columns, size_t offset, size_t length)
{
    for (size_t k = 0; k < length; k++)
        columns[offset + k] = true;
}

static void mark_end(const dls_model *model, size_t end, bool *columns)
{
    size_t link;
    const dls_member *member = dls_model_member(model, end, &link);
    if (!member) {
        if (dls_model_moves(model, end))
            mark(columns, model->bodies[end].offset, 6);
        return;
    }
    for (size_t k = dls_articulation_last_dof(member->tree, link); k != DLS_NONE; k = member->tree->dof_before[k])
        columns[member->offset + k] = true;
}

static void mark_joint(const dls_model *model, const dls_joint *joint, bool *columns)
{
    for (int i = 0; i < 2; i++)
        mark_end(model, joint->body[i], columns);
    for (size_t t = 0; t < joint->n_terms; t++)
        if (joint->terms[t].dof == DLS_NONE)
            mark_joint(model, &model->joints[joint->terms[t].joint], columns);
        else
            columns[joint->terms[t].dof] = true;
}

/* Adjacent columns of one mass block. */
static size_t spans_of(const dls_model *model, const bool *columns, dls_span *spans)
{
    size_t count = 0, block = DLS_NONE, before = DLS_NONE;
    for (size_t k = 0; k < model->nv; k++, before = block) {
        block = columns[k] ? dls_model_block(model, k) : DLS_NONE;
        if (block == DLS_NONE)
            continue;
        if (block != before) {
            if (spans)
                spans[count] = (dls_span){k, 0, block};
            count++;
        }
        if (spans)
            spans[count - 1].length++;
    }
    return count;
}

static dls_status compile_columns(const dls_model *model, dls_joint *joint, dls_error *error)
{
    bool plain = !joint->n_terms;
    for (int i = 0; i < 2; i++)
        plain = plain && (joint->body[i] == DLS_WORLD || joint->body[i] < model->n_bodies);
    if (plain)
        return DLS_OK;
    bool *columns = calloc(model->nv + 1, sizeof *columns);
    if (columns) {
        mark_joint(model, joint, columns);
        joint->n_spans = spans_of(model, columns, NULL);
        joint->spans = calloc(joint->n_spans + 1, sizeof *joint->spans);
    }
    if (joint->spans)
        spans_of(model, columns, joint->spans);
    free(columns);
    return joint->spans ? DLS_OK
                        : dls_fail(error, DLS_NO_MEMORY, "no memory for the columns of joint '%s'", joint->name);
}

/* --- a joint --- */

static dls_status tie(where w, const dls_joint_def *def, dls_model *model, dls_joint *joint)
{
    DLS_TRY(find_end(w, model, def->body[0], "body1", &joint->body[0]));
    DLS_TRY(find_end(w, model, def->body[1], "body2", &joint->body[1]));
    if (def->n_terms)
        return dls_model_bad(w, "coordinates", "this type ties two bodies; leave out the coordinates");
    if (joint->body[0] == joint->body[1])
        return dls_model_bad(w, "body2", "a joint needs two different bodies");
    if (!dls_model_moves(model, joint->body[0]) && !dls_model_moves(model, joint->body[1]))
        return dls_model_bad(w, "body1",
                             "a joint between two things that cannot move; one end must be a body that is not static");
    for (int i = 0; i < 2; i++) {
        size_t link;
        const dls_member *member = dls_model_member(model, joint->body[i], &link);
        if (member)
            model->members[member - model->members].held = true;
        joint->moves[i] = dls_model_moves(model, joint->body[i]);
        joint->mass[i] = !joint->moves[i] ? 0.0
                         : member         ? member->tree->links[link].mass
                                          : model->bodies[joint->body[i]].mass;
    }
    return DLS_OK;
}

static dls_status couple(where w, const dls_joint_def *def, dls_model *model, dls_joint *joint)
{
    joint->body[0] = joint->body[1] = DLS_WORLD;
    if (def->body[0][0] || strcmp(def->body[1], "world") != 0)
        return dls_model_bad(w, def->body[0][0] ? "body1" : "body2",
                             "this type acts on joint coordinates; write coordinates: {NAME: gear} instead of bodies");
    if (def->n_terms < def->type->terms_min)
        return dls_model_bad(w, "coordinates",
                             def->type->terms_min == 1
                                 ? "needs at least one joint coordinate; write coordinates: {NAME: gear}"
                                 : "needs at least two joint coordinates; write coordinates: {NAME: gear, NAME: gear}");
    joint->terms = calloc(def->n_terms, sizeof *joint->terms);
    if (!joint->terms)
        return dls_fail(w.error, DLS_NO_MEMORY, "no memory for %zu coordinates", def->n_terms);
    joint->n_terms = def->n_terms;
    for (size_t t = 0; t < def->n_terms; t++) {
        const dls_term_def *term = &def->terms[t];
        bool angular = false;
        w.place = term->place;
        joint->terms[t].gear = term->gear;
        DLS_TRY(find_coordinate(w, model, term->coordinate, &joint->terms[t], &angular));
        if (t == 0)
            joint->angular = angular;
    }
    return DLS_OK;
}

static dls_status copy_settings(where w, const dls_joint_def *def, dls_joint *joint)
{
    dls_status status = dls_fields_require(&def->type->fields, def->settings, w.error);
    if (status != DLS_OK)
        return dls_fail_place(w.error, status, w.scene->file, w.place.line, w.place.column, NULL);
    void *settings = malloc(def->type->fields.size);
    if (!settings)
        return dls_fail(w.error, DLS_NO_MEMORY, "no memory for a joint's settings");
    memcpy(settings, def->settings, def->type->fields.size);
    joint->settings = settings;
    return DLS_OK;
}

static const char *track_name_at(const void *context, size_t i)
{
    const dls_model *model = context;
    return i < model->n_tracks ? model->tracks[i].name : NULL;
}

static dls_status find_track(where w, const dls_model *model, const char *name, const dls_track **track)
{
    char message[DLS_MESSAGE_MAX];
    for (size_t t = 0; t < model->n_tracks; t++)
        if (strcmp(model->tracks[t].name, name) == 0) {
            *track = &model->tracks[t];
            return DLS_OK;
        }
    const char *nearest = dls_nearest_word(name, track_name_at, model);
    snprintf(message, sizeof message, "there is no track '%s'%s%s%s", name, nearest ? "; did you mean '" : "",
             nearest ? nearest : "", nearest ? "'?" : "; define it under tracks");
    return dls_model_bad(w, "track", message);
}

/* The first numbers of joint j. */
static size_t own_before(const dls_scene *scene, size_t j)
{
    size_t first = 0;
    while (j-- > 0)
        first += scene->joints[j].type->n_state;
    return first;
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
    if (!constants && !ratios)
        return DLS_OK;
    if (def->type->no_spring)
        return dls_model_bad(w, key, "this type has no position to hold by a spring");
    if (constants && ratios)
        return dls_model_bad(
            w, "frequency",
            "a spring is given by stiffness and damping, or by frequency and damping_ratio; leave out one of the two");
    if (def->hardness)
        return dls_model_bad(w, def->hardness, "a spring says what erp and cfm would say; leave it out, or the spring");
    if (ratios && isnan(c->frequency))
        return dls_model_bad(w, key, "a damping_ratio needs a frequency");
    double sum =
        constants ? (isnan(c->stiffness) ? 0.0 : c->stiffness) + (isnan(c->damping) ? 0.0 : c->damping) : c->frequency;
    if (!(sum > 0.0) || !isfinite(sum) || isinf(c->damping_ratio))
        return dls_model_bad(w, key, "a spring needs a stiffness, a damping or a frequency, finite and not 0");
    return DLS_OK;
}

static dls_status compile_joint(where w, const dls_joint_def *def, dls_model *model, const dls_configuration *initial,
                                dls_joint *joint)
{
    joint->type = def->type;
    joint->own = own_before(w.scene, (size_t)(joint - model->joints));
    memcpy(joint->name, def->name, sizeof joint->name);
    joint->common = def->common;
    joint->gravity = dls_norm(model->world.gravity);
    DLS_TRY(def->type->terms_min ? couple(w, def, model, joint) : tie(w, def, model, joint));
    if (!(joint->common.force_lo <= 0.0 && joint->common.force_hi >= 0.0))
        return dls_model_bad(w, "force_lo", "force bounds must contain 0: force_lo <= 0 <= force_hi");
    DLS_TRY(check_spring(w, def));
    DLS_TRY(copy_settings(w, def, joint));
    if (def->type->track)
        DLS_TRY(find_track(w, model, def->type->track(joint->settings), &joint->track));
    dls_end ends[2];
    dls_configuration_ends(initial, joint, ends);
    ends[0].y = dls_state_coordinates(model->initial, joint);
    dls_status status = def->type->place(joint, ends, w.error);
    if (status == DLS_OK && def->type->start)
        status = def->type->start(joint, ends, model->initial->own + joint->own, w.error);
    if (status != DLS_OK)
        return dls_fail_place(w.error, status, w.scene->file, w.place.line, w.place.column, NULL);
    if (def->type->coordinate) {
        dls_row row = {0};
        def->type->coordinate(joint, ends, &row);
        joint->angular = row.angular;
    }
    return DLS_OK;
}

/* A body called as a link is: a joint could mean either. */
static dls_status check_names(const dls_scene *scene, const dls_model *model, dls_error *error)
{
    for (size_t a = 0; a < model->n_members; a++)
        for (size_t i = 0; i < scene->n_bodies; i++) {
            const char *link = behind(&model->members[a], scene->bodies[i].name);
            if (link && dls_articulation_find_link(model->members[a].tree, link) != DLS_NONE)
                return dls_model_bad((where){scene, scene->bodies[i].place, error}, "name",
                                     "a link of an articulation has this name; rename the body");
        }
    return DLS_OK;
}

dls_status dls_model_compile_joints(const dls_scene *scene, dls_model *model, const dls_configuration *initial,
                                    dls_error *error)
{
    DLS_TRY(check_names(scene, model, error));
    model->joints = calloc(scene->n_joints + 1, sizeof *model->joints);
    if (!model->joints)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu joints", scene->n_joints);
    model->n_joints = scene->n_joints;
    for (int coupled = 0; coupled < 2; coupled++) /* coordinates may be those of joints that come later */
        for (size_t j = 0; j < scene->n_joints; j++) {
            const dls_joint_def *def = &scene->joints[j];
            if ((def->type->terms_min > 0) == coupled)
                DLS_TRY(compile_joint((where){scene, def->place, error}, def, model, initial, &model->joints[j]));
        }
    for (size_t j = 0; j < scene->n_joints; j++)
        DLS_TRY(compile_columns(model, &model->joints[j], error));
    return DLS_OK;
}
