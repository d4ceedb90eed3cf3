/* Starts of a scene, and the initial state of a model from one of them. The joints are placed before, where coordinates
 * are those of the definitions. */
#include "delassus/start.h"

#include "base/memory.h"
#include "model_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dls_start_release(dls_start *start)
{
    free(start->joints);
    free(start->drives);
    start->joints = NULL, start->drives = NULL;
    start->n_joints = start->n_drives = 0;
}

dls_status dls_scene_add_start(dls_scene *scene, dls_start *start, dls_error *error)
{
    for (size_t k = 0; start->name[0] && k < scene->n_starts; k++)
        if (strcmp(scene->starts[k].name, start->name) == 0)
            return dls_fail_at(error, DLS_BAD_INPUT, scene->file, start->place.line, start->place.column, "name",
                               "duplicate name '%s', after that of line %ld; rename one of the two", start->name,
                               scene->starts[k].place.line);
    if (!DLS_GROW(scene->starts, scene->cap_starts, scene->n_starts + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu starts", scene->n_starts + 1);
    scene->starts[scene->n_starts++] = *start;
    start->joints = NULL, start->drives = NULL;
    return DLS_OK;
}

static const char *start_at(const void *scene, size_t i)
{
    const dls_scene *s = scene;
    return i < s->n_starts ? s->starts[i].name : NULL;
}

static dls_status no_such_start(const dls_scene *scene, dls_error *error)
{
    const char *name = scene->world.start, *nearest = dls_nearest_word(name, start_at, scene);
    if (scene->n_starts == 0)
        return dls_fail_about(error, DLS_BAD_INPUT, scene->file, "start",
                              "there is no start '%s': the scene has none; the keyframes of a model in MJCF are starts",
                              name);
    return dls_fail_about(error, DLS_BAD_INPUT, scene->file, "start",
                          "there is no start '%s'%s; name one of the %zu keyframes, or its number from 0", name,
                          dls_hint_of(nearest, NULL).text, scene->n_starts);
}

/* The start that the world names; NULL: there is no such start. */
static const dls_start *find_start_of_scene(const dls_scene *scene)
{
    const char *name = scene->world.start;
    for (size_t k = 0; k < scene->n_starts; k++)
        if (strcmp(scene->starts[k].name, name) == 0)
            return &scene->starts[k];
    if (strspn(name, "0123456789") != strlen(name))
        return NULL;
    const unsigned long long k = strtoull(name, NULL, 10);
    return k < scene->n_starts ? &scene->starts[k] : NULL;
}

static dls_status start_names_missing(const dls_scene *scene, const dls_start *start, const char *what,
                                      dls_error *error)
{
    return dls_fail_at(error, DLS_BAD_INPUT, scene->file, start->place.line, start->place.column, "start",
                       "the scene has no '%s' any more, whose state this start sets", what);
}

static dls_status place_joint(const dls_scene *scene, dls_model *model, const dls_start *start,
                              const dls_start_joint *from, dls_error *error)
{
    const size_t a = dls_names_find(&model->names.articulations, from->articulation);
    dls_state *state = model->initial;
    if (a == SIZE_MAX)
        return start_names_missing(scene, start, from->articulation, error);
    const dls_model_articulation *articulation = &model->articulations[a];
    const dls_articulation *tree = articulation->tree;
    const size_t i = from->joint[0] ? dls_articulation_find_joint(tree, from->joint) : 0;
    if (i == DLS_NONE || (i == 0 && tree->n_base == 0))
        return start_names_missing(scene, start, from->joint, error);
    const dls_link *link = &tree->links[i];
    if (i == 0)
        state->roots[a] =
            (dls_frame){dls_add(from->pose.p, dls_quat_rotate(from->pose.q, tree->defs[0].centre)), from->pose.q};
    else
        memcpy(state->coordinates + articulation->position + link->position, from->q,
               link->motion->n_positions * sizeof *from->q);
    for (size_t k = 0; i > 0 && k < link->motion->n_positions; k++)
        state->wraps[articulation->position + link->position + k] = 0;
    memcpy(state->v + articulation->offset + link->dof, from->speed, link->n_dofs * sizeof *from->speed);
    if (i > 0 && link->n_dofs > 0)
        state->force[articulation->offset + link->dof] += from->effort;
    return DLS_OK;
}

dls_status dls_model_start(const dls_scene *scene, dls_model *model, dls_error *error)
{
    if (!scene->world.start[0])
        return DLS_OK;
    const dls_start *start = find_start_of_scene(scene);
    if (!start)
        return no_such_start(scene, error);
    if (start->wrong[0])
        return dls_fail_at(error, DLS_REFUSED, scene->file, start->place.line, start->place.column, "start", "'%s': %s",
                           scene->world.start, start->wrong);
    for (size_t k = 0; k < start->n_joints; k++)
        DLS_TRY(place_joint(scene, model, start, &start->joints[k], error));
    for (size_t k = 0; k < start->n_drives; k++) {
        const size_t j = dls_names_find(&model->names.joints, start->drives[k].joint);
        if (j == SIZE_MAX || !model->joints[j].type->driven)
            return start_names_missing(scene, start, start->drives[k].joint, error);
        memcpy(model->initial->joint_state + model->joints[j].joint_state, &start->drives[k].setpoint,
               sizeof start->drives[k].setpoint);
    }
    return DLS_OK;
}
