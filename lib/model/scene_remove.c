/* Removal of parts of a scene, with all parts that depend on them.
 *
 * Parts that refer to a removed part by its name are removed too:
 *     an end         (body, ARTICULATION.LINK)  joints on it, or with its name in a setting; sensors on it; pairs apart
 *     a coordinate   (ARTICULATION.JOINT, ARTICULATION.JOINT.AXIS, a joint)  joints on coordinates that act on it
 *     a joint        joints with its name in a setting, or that act on its coordinate
 *     a link         its descendants, which are ends and coordinates in turn
 * A removed joint may cause further removals: the search is repeated from the start until it finds nothing.
 */
#include "base/names.h"
#include "delassus/articulation.h"
#include "model_parts.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- arrays --- */

#define TAKE_OUT(array, count, i) memmove(&(array)[i], &(array)[(i) + 1], (--(count) - (i)) * sizeof *(array))

/* --- references --- */

typedef enum reference { TO_END, TO_COORDINATE, TO_JOINT } reference;

/* "arm.wrist" is coordinate "arm.wrist", and so is "arm.wrist.swing1". */
static bool is_coordinate_of(const char *coordinate, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(coordinate, name, length) == 0 && (coordinate[length] == '\0' || coordinate[length] == '.');
}

/* Whether one of its settings refers to that name. */
static bool settings_name(const dls_joint_def *joint, dls_field_kind kind, const char *name)
{
    const dls_field_table *table = &joint->type->fields;
    for (size_t i = 0; i < table->count; i++) {
        const dls_field *field = &table->fields[i];
        const dls_reference *to = (const dls_reference *)((const char *)joint->settings.values + field->offset);
        if (field->kind == kind && strcmp(to->name, name) == 0)
            return true;
    }
    return false;
}

static bool joint_refers_to(const dls_joint_def *joint, reference to, const char *name)
{
    bool found = false;
    for (size_t t = 0; t < joint->n_terms; t++)
        found = found || (to == TO_COORDINATE ? is_coordinate_of(joint->terms[t].coordinate, name)
                                              : to == TO_JOINT && strcmp(joint->terms[t].coordinate, name) == 0);
    for (int i = 0; i < 2; i++)
        found = found || (to == TO_END && strcmp(joint->body[i], name) == 0);
    return found || (to != TO_COORDINATE && settings_name(joint, to == TO_END ? DLS_FIELD_END : DLS_FIELD_JOINT, name));
}

static void remove_joint(dls_scene *scene, size_t j)
{
    dls_joint_def_release(&scene->joints[j]);
    TAKE_OUT(scene->joints, scene->n_joints, j);
}

/* All joints that refer to a name, and those that refer to them. */
static void remove_joints_on(dls_scene *scene, reference to, const char *name)
{
    for (size_t j = 0; j < scene->n_joints;) {
        char gone[DLS_NAME_MAX];
        if (!joint_refers_to(&scene->joints[j], to, name)) {
            j++;
            continue;
        }
        memcpy(gone, scene->joints[j].name, sizeof gone);
        remove_joint(scene, j);
        remove_joints_on(scene, TO_JOINT, gone);
        j = 0;
    }
}

static void remove_sensor(dls_scene *scene, size_t i) { TAKE_OUT(scene->sensors, scene->n_sensors, i); }

static void remove_all_on(dls_scene *scene, const char *end)
{
    remove_joints_on(scene, TO_END, end);
    for (size_t i = scene->n_sensors; i-- > 0;)
        if (strcmp(scene->sensors[i].link, end) == 0)
            remove_sensor(scene, i);
    for (size_t i = scene->n_apart; i-- > 0;)
        if (strcmp(scene->apart[i].body[0], end) == 0 || strcmp(scene->apart[i].body[1], end) == 0)
            TAKE_OUT(scene->apart, scene->n_apart, i);
}

/* --- parts --- */

static dls_status remove_body(dls_scene *scene, size_t i, dls_error *error)
{
    char name[DLS_NAME_MAX];
    (void)error;
    memcpy(name, scene->bodies[i].name, sizeof name);
    TAKE_OUT(scene->bodies, scene->n_bodies, i);
    for (size_t k = scene->n_body_shapes; k-- > 0;)
        if (strcmp(scene->body_shapes[k].link, name) == 0)
            TAKE_OUT(scene->body_shapes, scene->n_body_shapes, k);
    remove_all_on(scene, name);
    return DLS_OK;
}

static dls_status remove_one_joint(dls_scene *scene, size_t i, dls_error *error)
{
    char name[DLS_NAME_MAX];
    (void)error;
    memcpy(name, scene->joints[i].name, sizeof name);
    remove_joint(scene, i);
    remove_joints_on(scene, TO_JOINT, name);
    return DLS_OK;
}

static dls_status remove_one_sensor(dls_scene *scene, size_t i, dls_error *error)
{
    (void)error;
    remove_sensor(scene, i);
    return DLS_OK;
}

/* Remove all that acts on a link and on its joint. */
static void remove_all_on_link(dls_scene *scene, const dls_articulation_def *def, const dls_link_def *link)
{
    char name[2 * DLS_NAME_MAX];
    snprintf(name, sizeof name, "%s.%s", def->name, link->name);
    remove_all_on(scene, name);
    snprintf(name, sizeof name, "%s.%s", def->name, link->joint);
    remove_joints_on(scene, TO_COORDINATE, name);
}

static dls_status remove_articulation(dls_scene *scene, size_t a, dls_error *error)
{
    dls_articulation_def *def = scene->articulations[a];
    (void)error;
    TAKE_OUT(scene->articulations, scene->n_articulations, a);
    for (size_t i = 0; i < def->n_links; i++)
        remove_all_on_link(scene, def, &def->links[i]);
    dls_articulation_def_destroy(def);
    return DLS_OK;
}

/* Links are in any order: passes mark the children of marked links until one finds none. */
static void mark_subtree(const dls_articulation_def *def, bool *gone)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < def->n_links; i++) {
            const dls_link_def *parent = gone[i] ? NULL : dls_articulation_def_find(def, def->links[i].parent);
            if (parent && gone[parent - def->links])
                gone[i] = more = true;
        }
    }
}

static dls_status remove_subtree(dls_scene *scene, dls_articulation_def *def, size_t root, dls_error *error)
{
    bool *gone = calloc(def->n_links, sizeof *gone);
    size_t kept = 0;
    if (!gone)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu links", def->n_links);
    gone[root] = true;
    mark_subtree(def, gone);
    for (size_t i = 0; i < def->n_links; i++) {
        if (!gone[i])
            continue;
        remove_all_on_link(scene, def, &def->links[i]);
        for (size_t k = def->n_shapes; k-- > 0;)
            if (strcmp(def->shapes[k].link, def->links[i].name) == 0)
                TAKE_OUT(def->shapes, def->n_shapes, k);
        for (size_t k = def->n_visuals; k-- > 0;)
            if (strcmp(def->visuals[k].link, def->links[i].name) == 0)
                TAKE_OUT(def->visuals, def->n_visuals, k);
        for (size_t k = def->n_ellipsoids; k-- > 0;)
            if (strcmp(def->ellipsoids[k].link, def->links[i].name) == 0)
                TAKE_OUT(def->ellipsoids, def->n_ellipsoids, k);
    }
    for (size_t i = 0; i < def->n_links; i++)
        if (!gone[i])
            def->links[kept++] = def->links[i];
    def->n_links = kept;
    free(gone);
    return DLS_OK;
}

/* --- names --- */

/* Number i of all links, and its articulation. */
static dls_articulation_def *link_at(const dls_scene *scene, size_t *i)
{
    for (size_t a = 0; a < scene->n_articulations; *i -= scene->articulations[a++]->n_links)
        if (*i < scene->articulations[a]->n_links)
            return scene->articulations[a];
    return NULL;
}

static dls_status remove_link(dls_scene *scene, size_t i, dls_error *error)
{
    dls_articulation_def *def = link_at(scene, &i);
    if (!def->links[i].parent[0])
        return dls_fail(error, DLS_BAD_INPUT, "link '%s.%s' is the root; remove the articulation '%s'", def->name,
                        def->links[i].name, def->name);
    return remove_subtree(scene, def, i, error);
}

static const char *body_name(const dls_scene *scene, size_t i, char *text)
{
    (void)text;
    return i < scene->n_bodies ? scene->bodies[i].name : NULL;
}

static const char *joint_name(const dls_scene *scene, size_t i, char *text)
{
    (void)text;
    return i < scene->n_joints ? scene->joints[i].name : NULL;
}

static const char *sensor_name(const dls_scene *scene, size_t i, char *text)
{
    (void)text;
    return i < scene->n_sensors ? scene->sensors[i].name : NULL;
}

static const char *articulation_name(const dls_scene *scene, size_t i, char *text)
{
    (void)text;
    return i < scene->n_articulations ? scene->articulations[i]->name : NULL;
}

static const char *link_name(const dls_scene *scene, size_t i, char *text)
{
    const dls_articulation_def *def = link_at(scene, &i);
    if (def)
        snprintf(text, 2 * DLS_NAME_MAX, "%s.%s", def->name, def->links[i].name);
    return def ? text : NULL;
}

static const struct {
    const char *(*name_at)(const dls_scene *scene, size_t i, char *text); /* NULL: there are not so many */
    dls_status (*remove)(dls_scene *scene, size_t i, dls_error *error);
} kinds[DLS_PARTS] = {
    [DLS_PART_BODY] = {body_name, remove_body},
    [DLS_PART_LINK] = {link_name, remove_link},
    [DLS_PART_JOINT] = {joint_name, remove_one_joint},
    [DLS_PART_ARTICULATION] = {articulation_name, remove_articulation},
    [DLS_PART_SENSOR] = {sensor_name, remove_one_sensor},
};

typedef struct places {
    const dls_scene *scene;
    dls_part part;
} places;

/* Links have no name of their own that lasts: none is proposed. */
static const char *lasting_name(const void *context, size_t i)
{
    const places *of = context;
    return of->part == DLS_PART_LINK ? NULL : kinds[of->part].name_at(of->scene, i, NULL);
}

/* There is room: there are fewer names than there were. */
static void name_again(dls_scene *scene)
{
    struct dls_scene_names *names = scene->names;
    dls_names_shorten(&names->bodies, 0);
    dls_names_shorten(&names->joints, 0);
    dls_names_shorten(&names->articulations, 0);
    dls_names_shorten(&names->sensors, 0);
    for (size_t i = 0; i < scene->n_bodies; i++)
        (void)dls_names_add(&names->bodies, scene->bodies[i].name, i);
    for (size_t i = 0; i < scene->n_joints; i++)
        (void)dls_names_add(&names->joints, scene->joints[i].name, i);
    for (size_t i = 0; i < scene->n_articulations; i++)
        (void)dls_names_add(&names->articulations, scene->articulations[i]->name, i);
    for (size_t i = 0; i < scene->n_sensors; i++)
        (void)dls_names_add(&names->sensors, scene->sensors[i].name, i);
}

dls_status dls_scene_remove(dls_scene *scene, dls_part part, const char *name, dls_error *error)
{
    char text[2 * DLS_NAME_MAX];
    const char *one;
    size_t removed = 0;
    dls_status status = DLS_OK;
    for (size_t i = 0; status == DLS_OK && (one = kinds[part].name_at(scene, i, text));) {
        const bool matches = fnmatch(name, one, 0) == 0;
        status = matches ? kinds[part].remove(scene, i, error) : DLS_OK;
        i = matches ? 0 : i + 1; /* others may have gone with it */
        removed += matches;
    }
    name_again(scene);
    if (status != DLS_OK || removed > 0)
        return status;
    const char *nearest = dls_nearest_word(name, lasting_name, &(places){scene, part});
    return dls_fail(error, DLS_BAD_INPUT, "there is no %s '%.120s' to remove%s", dls_part_names[part], name,
                    dls_hint_of(nearest, NULL).text);
}
