/* The solids of a model, and the pairs that may collide.
 *
 * The solids of bodies and links form one list, in the order of their ends. A link collides neither with its parent nor
 * with links that are rigidly connected to either of them (by `fix`, as in MuJoCo): their shapes overlap at the joint,
 * and a contact between parts that cannot separate has no meaning. No links of an articulation without self-collision
 * collide with each other. Ends that a joint of the scene connects, or that the scene lists as apart, do not collide
 * either.
 */
#include "mesh/hull.h"
#include "mesh/terrain.h"
#include "model_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- meshes --- */

typedef struct dls_model_hull {
    char path[DLS_PATH_MAX];
    dls_vec3 scale;
    const dls_hull *hull;
} dls_model_hull;

/* The hull of a mesh that `model_file` names, which all shapes of this file and scale share. */
static dls_status find_hull(dls_model *model, const char *mesh, const char *model_file, dls_vec3 scale,
                            const dls_hull **hull, dls_error *error)
{
    dls_triangles triangles = {0};
    char path[DLS_PATH_MAX];
    DLS_TRY(dls_mesh_place(mesh, model_file, path, error));
    for (size_t k = 0; k < model->n_hulls; k++)
        if (strcmp(model->hulls[k].path, path) == 0 && dls_norm(dls_sub(model->hulls[k].scale, scale)) == 0.0) {
            *hull = model->hulls[k].hull;
            return DLS_OK;
        }
    dls_status status = dls_mesh_read(path, scale, &triangles, error);
    if (status == DLS_OK)
        status = dls_hull_create(&triangles, path, &model->memory, hull, error);
    dls_triangles_release(&triangles);
    if (status != DLS_OK)
        return status;
    dls_model_hull *made = &model->hulls[model->n_hulls++];
    memcpy(made->path, path, sizeof path);
    made->scale = scale;
    made->hull = *hull;
    return DLS_OK;
}

/* A terrain is of one body. */
static dls_status make_terrain(dls_model *model, const dls_body_def *def, const char *model_file,
                               const dls_terrain **terrain, dls_error *error)
{
    dls_triangles triangles = {0};
    char path[DLS_PATH_MAX];
    DLS_TRY(dls_mesh_place(def->mesh, model_file, path, error));
    dls_status status = dls_mesh_read(path, def->scale, &triangles, error);
    if (status == DLS_OK)
        status = dls_terrain_create(&triangles, path, &model->memory, terrain, error);
    dls_triangles_release(&triangles);
    return status;
}

/* Whether a mesh collides; an error where the world refuses it. */
static dls_status mesh_collides(dls_where w, const char *file, const char *mesh, const char *kind, const char *name,
                                bool *collides)
{
    *collides = w.scene->world.collide && w.scene->world.meshes == DLS_MESHES_HULL;
    if (!w.scene->world.collide || w.scene->world.meshes != DLS_MESHES_REFUSE)
        return DLS_OK;
    return dls_fail_at(w.error, DLS_REFUSED, file, w.place.line, w.place.column, "mesh",
                       "the collision mesh '%s' of %s '%s' is refused by the world; give it a box, sphere, cylinder or "
                       "capsule, or write meshes: hull or skip in world",
                       mesh, kind, name);
}

/* --- solids --- */

static dls_status add_body(const dls_scene *scene, dls_model *model, size_t i, dls_error *error)
{
    const dls_body *body = &model->bodies[i];
    const dls_body_def *def = &scene->bodies[i];
    const dls_hull *hull = NULL;
    const dls_terrain *terrain = NULL;
    bool collides = body->collide;
    size_t surface;
    DLS_TRY(dls_scene_surface_number(scene, def->surface, scene->file, def->place, "surface", &surface, error));
    if (collides && body->shape == DLS_SHAPE_MESH) {
        const dls_where w = {scene, def->place, error};
        DLS_TRY(mesh_collides(w, scene->file, def->mesh, "body", body->name, &collides));
        if (collides)
            DLS_TRY(find_hull(model, def->mesh, scene->file, def->scale, &hull, error));
    }
    if (collides && body->shape == DLS_SHAPE_TERRAIN)
        DLS_TRY(make_terrain(model, def, scene->file, &terrain, error));
    if (collides)
        model->solids[model->n_solids++] = (dls_solid){.end = i,
                                                       .shape = body->shape,
                                                       .size = body->size,
                                                       .radius = body->radius,
                                                       .length = body->length,
                                                       .frame = {{0, 0, 0}, {1, 0, 0, 0}},
                                                       .mass = body->mass,
                                                       .hull = hull,
                                                       .terrain = terrain,
                                                       .surface = surface};
    return DLS_OK;
}

/* Planes and terrains are static bodies, and no size may be 0. */
static dls_status check_shape(dls_where w, const char *file, const dls_link_shape *from)
{
    dls_body_def solid;
    if (from->shape == DLS_SHAPE_PLANE || from->shape == DLS_SHAPE_TERRAIN)
        return dls_fail_at(w.error, DLS_BAD_INPUT, file, from->place.line, from->place.column, "shape",
                           "a plane or a terrain is no shape of a link or one of several of a body; make it a static "
                           "body");
    dls_body_default(&solid);
    solid.shape = from->shape;
    solid.size = dls_shape_is_sized(from->shape) ? from->size : solid.size;
    solid.radius = dls_shape_is_sized(from->shape) ? solid.radius : from->radius;
    solid.length = from->shape == DLS_SHAPE_CAPSULE || from->shape == DLS_SHAPE_CYLINDER ? from->length : solid.length;
    solid.place = from->place;
    return dls_body_shape(&solid, file, w.error);
}

/* Writes all of a solid but its end and mass. `centre`: the origin of its frame in that of the shape. *collides:
 * whether it takes part; a shape that passes does not, nor does a mesh that the world skips. `kind` has the shape, a
 * body or a link of the file. */
static dls_status make_solid(dls_where w, dls_model *model, const char *file, const char *kind,
                             const dls_link_shape *from, dls_vec3 centre, bool *collides, dls_solid *solid)
{
    const dls_vec3 p = dls_sub(from->frame.p, centre);
    const dls_quat q = from->frame.q;
    const dls_hull *hull = NULL;
    size_t surface;
    *collides = !from->passes;
    DLS_TRY(dls_scene_surface_number(w.scene, from->surface, file, from->place, "surface", &surface, w.error));
    if (from->shape != DLS_SHAPE_NONE)
        DLS_TRY(check_shape(w, file, from));
    else if (*collides)
        DLS_TRY(mesh_collides(w, file, from->mesh, kind, from->link, collides));
    if (from->shape == DLS_SHAPE_NONE && *collides)
        DLS_TRY(find_hull(model, from->mesh, file, from->scale, &hull, w.error));
    *solid = (dls_solid){.shape = hull ? DLS_SHAPE_MESH : (dls_shape)from->shape,
                         .size = from->size,
                         .radius = from->radius,
                         .length = from->length,
                         .hull = hull,
                         .surface = surface,
                         .frame = {p, q},
                         .offset = dls_norm(p) + fabs(q.x) + fabs(q.y) + fabs(q.z) > 0.0};
    return DLS_OK;
}

/* Further shapes of a body, `at` and those that follow it. */
static dls_status add_body_shapes(const dls_scene *scene, dls_model *model, size_t i, const size_t *next, size_t at,
                                  dls_error *error)
{
    for (; at != DLS_NONE; at = next[at]) {
        const dls_link_shape *from = &scene->body_shapes[at];
        const dls_where w = {scene, from->place, error};
        dls_solid solid;
        bool collides;
        DLS_TRY(make_solid(w, model, scene->file, "body", from, dls_v3(0, 0, 0), &collides, &solid));
        if (!collides)
            continue;
        model->bodies[i].has_shapes = true;
        solid.end = i, solid.mass = model->bodies[i].mass;
        model->solids[model->n_solids++] = solid;
    }
    return DLS_OK;
}

static dls_status add_link_solid(dls_where w, dls_model *model, size_t a, const dls_link_shape *from)
{
    const dls_articulation_def *def = w.scene->articulations[a];
    dls_model_articulation *articulation = &model->articulations[a];
    const size_t link = dls_articulation_find_link(articulation->tree, from->link);
    if (link == DLS_NONE)
        return dls_fail_at(w.error, DLS_BAD_INPUT, def->file, from->place.line, from->place.column, "shape",
                           "a shape of link '%s', which is not there", from->link);
    const size_t end = articulation->first_end + link;
    const bool moves = dls_articulation_last_dof(articulation->tree, link) != DLS_NONE;
    bool collides;
    dls_solid solid;
    DLS_TRY(make_solid(w, model, def->file, "link", from, articulation->tree->defs[link].centre, &collides, &solid));
    articulation->n_shapes += !from->passes;
    if (from->shape == DLS_SHAPE_NONE && !from->passes) {
        articulation->meshes_hulled += collides;
        articulation->meshes_skipped += !collides && w.scene->world.collide;
    }
    if (!collides)
        return DLS_OK;
    solid.end = end, solid.mass = moves ? articulation->tree->links[link].mass : 0.0;
    size_t at = model->n_solids++;
    for (; at > 0 && model->solids[at - 1].end > end; at--)
        model->solids[at] = model->solids[at - 1];
    model->solids[at] = solid;
    articulation->held = articulation->held || w.scene->world.collide;
    return DLS_OK;
}

static size_t count_meshes(const dls_scene *scene)
{
    size_t count = 0;
    for (size_t i = 0; i < scene->n_bodies; i++)
        count += scene->bodies[i].shape == DLS_SHAPE_MESH;
    for (size_t k = 0; k < scene->n_body_shapes; k++)
        count += scene->body_shapes[k].shape == DLS_SHAPE_NONE;
    for (size_t a = 0; a < scene->n_articulations; a++)
        for (size_t k = 0; k < scene->articulations[a]->n_shapes; k++)
            count += scene->articulations[a]->shapes[k].shape == DLS_SHAPE_NONE;
    return count;
}

static dls_status add_bodies(const dls_scene *scene, dls_model *model, size_t *first, size_t *next, dls_error *error)
{
    for (size_t i = 0; i < model->n_bodies; i++)
        first[i] = DLS_NONE;
    for (size_t k = scene->n_body_shapes; k-- > 0;) {
        const dls_link_shape *shape = &scene->body_shapes[k];
        const size_t i = dls_names_find(&scene->names->bodies, shape->link);
        if (i >= model->n_bodies) /* a program has changed the name in the list */
            return dls_fail_at(error, DLS_BAD_INPUT, scene->file, shape->place.line, shape->place.column, "shape",
                               "a shape of body '%s', which is not there", shape->link);
        next[k] = first[i];
        first[i] = k;
    }
    for (size_t i = 0; i < model->n_bodies; i++) {
        DLS_TRY(add_body(scene, model, i, error));
        DLS_TRY(add_body_shapes(scene, model, i, next, first[i], error));
    }
    return DLS_OK;
}

/* Solids are in the order of their bodies, and the scene's further shapes in any: first[i] is the first of body i, and
 * next[k] the one after k of the same body. */
static dls_status compile_bodies(const dls_scene *scene, dls_model *model, dls_error *error)
{
    size_t *first = malloc((model->n_bodies + scene->n_body_shapes + 1) * sizeof *first);
    if (!first)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the shapes of %zu bodies", model->n_bodies);
    const dls_status status = add_bodies(scene, model, first, first + model->n_bodies, error);
    free(first);
    return status;
}

dls_status dls_model_compile_solids(const dls_scene *scene, dls_model *model, dls_error *error)
{
    size_t count = model->n_bodies + scene->n_body_shapes;
    for (size_t a = 0; a < scene->n_articulations; a++)
        count += scene->articulations[a]->n_shapes;
    model->solids = DLS_TAKE_ZEROS(&model->memory, dls_solid, count);
    model->hulls = DLS_TAKE(&model->memory, dls_model_hull, count_meshes(scene));
    if (!model->solids || !model->hulls)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu shapes", count);
    DLS_TRY(compile_bodies(scene, model, error));
    for (size_t a = 0; a < scene->n_articulations; a++)
        for (size_t k = 0; k < scene->articulations[a]->n_shapes; k++) {
            const dls_link_shape *shape = &scene->articulations[a]->shapes[k];
            DLS_TRY(add_link_solid((dls_where){scene, shape->place, error}, model, a, shape));
        }
    return DLS_OK;
}

/* --- pairs --- */

static void put_pair(dls_model *model, size_t one, size_t two)
{
    size_t *pair = model->apart[model->n_apart++];
    pair[0] = one < two ? one : two;
    pair[1] = one < two ? two : one;
}

static int compare_pairs(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

static void find_rigid(dls_model *model)
{
    for (size_t end = 0; end < model->n_ends; end++) {
        size_t link;
        const dls_model_articulation *articulation = dls_model_articulation_of(model, end, &link);
        model->rigid[end] = end;
        model->above[end] = DLS_NONE;
        if (!articulation || link == 0)
            continue;
        if (!articulation->self_collision) {
            model->rigid[end] = articulation->first_end;
            continue;
        }
        const size_t parent = articulation->first_end + articulation->tree->links[link].parent;
        if (articulation->tree->links[link].n_dofs == 0) {
            model->rigid[end] = model->rigid[parent];
            model->above[end] = model->above[parent];
        } else {
            model->above[end] = model->rigid[parent];
        }
    }
}

dls_status dls_model_compile_apart(const dls_scene *scene, dls_model *model, dls_error *error)
{
    const size_t room = scene->n_apart + model->n_joints;
    model->apart = dls_arena_take(&model->memory, room, sizeof *model->apart);
    model->rigid = DLS_TAKE(&model->memory, size_t, 2 * model->n_ends);
    if (!model->apart || !model->rigid)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu pairs", room);
    model->above = model->rigid + model->n_ends;
    find_rigid(model);
    for (size_t j = 0; j < model->n_joints; j++)
        if (model->joints[j].body[0] != DLS_WORLD && model->joints[j].body[1] != DLS_WORLD &&
            !scene->joints[j].may_touch)
            put_pair(model, model->joints[j].body[0], model->joints[j].body[1]);
    for (size_t k = 0; k < scene->n_apart; k++) {
        const dls_where w = {scene, scene->apart[k].place, error};
        size_t end[2];
        for (int i = 0; i < 2; i++) {
            DLS_TRY(dls_model_end_of(w, model, scene->apart[k].body[i], i ? "body2" : "body1", &end[i]));
            if (end[i] == DLS_WORLD)
                return dls_model_bad(w, i ? "body2" : "body1", "the world has no shape; name a body or a link");
        }
        if (end[0] == end[1])
            return dls_model_bad(w, "body2", "a body does not collide with itself; name another");
        put_pair(model, end[0], end[1]);
    }
    if (model->n_apart)
        qsort(model->apart, model->n_apart, sizeof *model->apart, compare_pairs);
    return DLS_OK;
}

bool dls_model_may_touch(const dls_model *model, size_t end1, size_t end2)
{
    const size_t *rigid = model->rigid, *above = model->above;
    const size_t pair[2] = {end1 < end2 ? end1 : end2, end1 < end2 ? end2 : end1};
    if (rigid[end1] == rigid[end2] || above[end1] == rigid[end2] || above[end2] == rigid[end1])
        return false;
    return !model->n_apart || !bsearch(pair, model->apart, model->n_apart, sizeof *model->apart, compare_pairs);
}

const dls_solid *dls_model_solids(const dls_model *model) { return model->solids; }
