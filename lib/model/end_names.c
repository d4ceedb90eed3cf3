/* Names of bodies, links, coordinates and tracks, as scenes write them, and errors at a definition. */
#include "model_parts.h"

#include <stdio.h>
#include <string.h>

typedef dls_where where;

dls_status dls_model_bad(where w, const char *key, const char *message)
{
    return dls_fail_at(w.error, DLS_BAD_INPUT, w.scene->file, w.place.line, w.place.column, key, "%s", message);
}

dls_status dls_model_check(where w, const dls_field_table *table, const void *values)
{
    const dls_status status = dls_fields_check(table, values, w.error);
    return status == DLS_OK ? DLS_OK
                            : dls_fail_place(w.error, status, w.scene->file, w.place.line, w.place.column, NULL);
}

dls_status dls_model_name_all(const dls_scene *scene, dls_model *model, dls_error *error)
{
    char name[DLS_COORDINATE_MAX];
    bool ok = true;
    for (size_t i = 0; i < model->n_bodies && ok; i++)
        ok = dls_names_add(&model->names.ends, model->bodies[i].name, i) != SIZE_MAX;
    for (size_t i = model->n_bodies; i < model->n_ends && ok; i++) {
        dls_model_end_name(model, i, name, sizeof name);
        size_t found = dls_names_add(&model->names.ends, name, i);
        if (found < model->n_bodies)
            return dls_model_bad((where){scene, scene->bodies[found].place, error}, "name",
                                 "a link of an articulation has this name; rename the body");
        ok = found != SIZE_MAX;
    }
    for (size_t a = 0; a < model->n_articulations && ok; a++) {
        const dls_articulation *tree = model->articulations[a].tree;
        int length = snprintf(name, sizeof name, "%s", tree->name);
        ok = dls_names_add(&model->names.articulations, name, a) != SIZE_MAX;
        for (size_t k = 0; k < tree->nv && ok; k++) {
            name[length] = '.';
            dls_articulation_dof_name(tree, k, name + length + 1, sizeof name - (size_t)length - 1);
            ok = dls_names_add(&model->names.dofs, name, k) != SIZE_MAX;
        }
    }
    for (size_t t = 0; t < model->n_tracks && ok; t++)
        ok = dls_names_add(&model->names.tracks, model->tracks[t].name, t) != SIZE_MAX;
    for (size_t j = 0; j < scene->n_joints && ok; j++)
        ok = dls_names_add(&model->names.joints, scene->joints[j].name, j) != SIZE_MAX;
    return ok ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for the names of a model");
}

/* --- ends and coordinates by name --- */

const dls_model_articulation *dls_model_articulation_before_dot(const dls_model *model, const char *name,
                                                                const char **member)
{
    char before[DLS_NAME_MAX];
    size_t length = strcspn(name, "."), a = SIZE_MAX;
    if (name[length] && length < sizeof before) {
        snprintf(before, sizeof before, "%.*s", (int)length, name);
        a = dls_names_find(&model->names.articulations, before);
    }
    *member = name + length + 1;
    return a == SIZE_MAX ? NULL : &model->articulations[a];
}

static const char *body_name_at(const void *context, size_t i)
{
    const dls_model *model = context;
    return i < model->n_bodies ? model->bodies[i].name : i == model->n_bodies ? DLS_WORLD_NAME : NULL;
}

static const char *link_name_at(const void *context, size_t i)
{
    const dls_articulation *tree = context;
    return i < tree->n_links ? tree->defs[i].name : NULL;
}

static dls_status no_such_end(where w, const dls_model *model, const char *name, const char *key)
{
    char message[DLS_MESSAGE_MAX];
    const char *link;
    const dls_model_articulation *articulation = dls_model_articulation_before_dot(model, name, &link);
    if (articulation) {
        snprintf(message, sizeof message, "articulation '%s' has no link '%.120s'%.200s", articulation->tree->name,
                 link, dls_hint_of(dls_nearest_word(link, link_name_at, articulation->tree), NULL).text);
        return dls_model_bad(w, key, message);
    }
    if (!*name)
        snprintf(message, sizeof message, "it names no body; write %s: NAME (or ARTICULATION.LINK, or world)", key);
    else
        snprintf(
            message, sizeof message, "there is no body '%.200s'%.200s", name,
            dls_hint_of(dls_nearest_word(name, body_name_at, model), "define it under bodies, or write world").text);
    return dls_model_bad(w, key, message);
}

dls_status dls_model_end_of(where w, const dls_model *model, const char *name, const char *key, size_t *end)
{
    *end = DLS_WORLD;
    if (strcmp(name, DLS_WORLD_NAME) == 0)
        return DLS_OK;
    *end = dls_names_find(&model->names.ends, name);
    return *end == SIZE_MAX ? no_such_end(w, model, name, key) : DLS_OK;
}
