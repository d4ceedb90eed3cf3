/* The drawing of a model: the shapes of bodies and links, a sphere for the centre of mass of those without a shape and
 * sticks from there to joints that no shape reaches, joints as their types define it (dls_joint_type.drawing), the
 * joints of articulations by their motion subspaces, tracks.
 */
#include "picture.h"

#include "base/memory.h"
#include "delassus/track.h"
#include "mesh/hull.h"
#include "mesh/terrain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned bodies[] = {0x4e79a7, 0xe8a15a, 0x6fa86a, 0xc96a6b, 0x8d7bb5, 0x5fb0ad, 0xd4b55a, 0xa58062};
static const unsigned fixed_body = 0xa3a9b0, exact_joint = 0x3a3f45;
enum { PALETTE = sizeof bodies / sizeof bodies[0] };

const dls_item_facts dls_item_facts_of[DLS_ITEMS] = {
    [DLS_ITEM_SOLID] = {.name = "solid", .layer = DLS_LAYER_BODIES},
    [DLS_ITEM_PLANE] = {.name = "plane", .colour = 0xdfe3e8, .clear = true},
    [DLS_ITEM_STICK] = {.name = "stick", .layer = DLS_LAYER_BODIES},
    [DLS_ITEM_TRACK] = {.name = "track", .layer = DLS_LAYER_BODIES, .colour = 0x5b6470, .lines = true, .width = 1.6},
    [DLS_ITEM_GRID] = {.name = "grid", .colour = 0xb9c0c8, .lines = true, .width = 0.7},
    [DLS_ITEM_ROD] = {.name = "rod", .layer = DLS_LAYER_OVER, .colour = 0x3a3f45, .stretched = true, .width = 2.2},
    [DLS_ITEM_STRING] =
        {.name = "string", .layer = DLS_LAYER_OVER, .colour = 0xb0307a, .stretched = true, .width = 1.8},
    [DLS_ITEM_AXIS] = {.name = "axis", .layer = DLS_LAYER_OVER, .colour = 0x20242a, .width = 1.6},
    [DLS_ITEM_JOINT] = {.name = "joint", .layer = DLS_LAYER_OVER, .dot = true, .width = 6.6},
};

/* --- items that stay, come and go --- */

/* A shape of an end. */
typedef struct part {
    size_t end;
    dls_frame frame; /* from its centre of mass */
    dls_surface form;
    long colour; /* 0xRRGGBB; -1: that of the end */
} part;

/* A drawing on its way: the items that the film had before it, and which of them it has met again. */
typedef struct drawing {
    dls_film *film;
    const dls_configuration *at;
    size_t before;
    bool *met; /* before */
    dls_error *error;
    size_t n_parts, cap_parts;
    part *parts; /* of all ends, in their order */
} drawing;

static bool is_same_item(const dls_item *a, const dls_item *b)
{
    return a->kind == b->kind && a->node[0] == b->node[0] && a->node[1] == b->node[1] &&
           strcmp(a->owner, b->owner) == 0 && a->form.shape == b->form.shape && a->form.triangles == b->form.triangles;
}

static dls_status add(drawing *d, dls_item item)
{
    dls_film *film = d->film;
    for (size_t k = 0; k < d->before; k++)
        if (!d->met[k] && film->items[k].until == SIZE_MAX && is_same_item(&film->items[k], &item)) {
            d->met[k] = true;
            return DLS_OK;
        }
    if (!DLS_GROW(film->items, film->cap_items, film->n_items + 1))
        return dls_fail(d->error, DLS_NO_MEMORY, "no memory for %zu items of a picture", film->n_items + 1);
    item.from = film->n_frames, item.until = SIZE_MAX;
    if (dls_item_facts_of[item.kind].colour)
        item.colour = dls_item_facts_of[item.kind].colour;
    film->items[film->n_items++] = item;
    return DLS_OK;
}

static dls_item make_item(dls_item_kind kind, size_t node, const char *owner)
{
    dls_item item = {.kind = kind, .node = {node, node}, .joint = DLS_NONE, .frame = {.q = {1, 0, 0, 0}}};
    snprintf(item.owner, sizeof item.owner, "%s", owner);
    return item;
}

/* --- nodes --- */

/* The number of the node; DLS_NONE without memory. */
static size_t node_named(dls_film *film, const char *name, bool moves)
{
    const size_t known = dls_names_find(&film->node_names, name);
    if (known != SIZE_MAX)
        return known;
    if (!DLS_GROW(film->nodes, film->cap_nodes, film->n_nodes + 1) ||
        dls_names_add(&film->node_names, name, film->n_nodes) == SIZE_MAX)
        return DLS_NONE;
    dls_film_node *node = &film->nodes[film->n_nodes];
    snprintf(node->name, sizeof node->name, "%s", name);
    node->moves = moves;
    return film->n_nodes++;
}

static bool moves(const dls_model *model, size_t end)
{
    return dls_model_moves(model, end) ||
           (end < dls_model_count(model).bodies && dls_model_bodies(model)[end].prescribed != DLS_NONE);
}

static dls_status find_nodes(drawing *d)
{
    dls_film *film = d->film;
    const dls_model *model = d->at->model;
    const size_t ends = dls_model_count(model).ends;
    bool fine =
        node_named(film, DLS_WORLD_NAME, false) != DLS_NONE && DLS_GROW(film->node_of, film->cap_node_of, ends + 1);
    for (size_t i = 0; fine && i < ends; i++) {
        char name[2 * DLS_NAME_MAX];
        dls_model_end_name(model, i, name, sizeof name);
        film->node_of[i] = node_named(film, name, moves(model, i));
        fine = film->node_of[i] != DLS_NONE;
    }
    film->n_ends = ends;
    return fine ? DLS_OK : dls_fail(d->error, DLS_NO_MEMORY, "no memory for the nodes of a picture");
}

static size_t node_of(const drawing *d, size_t end) { return end == DLS_WORLD ? 0 : d->film->node_of[end]; }

static unsigned colour_of(const dls_film *film, size_t node)
{
    return film->nodes[node].moves ? bodies[(node - 1) % PALETTE] : fixed_body;
}

/* --- shapes: the own one of a body, and the visuals that can be drawn; where there is none of these the solids --- */

static const dls_frame centre = {{0, 0, 0}, {1, 0, 0, 0}};

/* A dimension that a shape does not have is NaN in a scene. */
static double or_0(double x) { return isnan(x) ? 0.0 : x; }
static dls_surface form(dls_shape shape, dls_vec3 size, double radius, double length)
{
    return (dls_surface){shape, {or_0(size.x), or_0(size.y), or_0(size.z)}, or_0(radius), or_0(length), NULL};
}

static dls_status add_part(drawing *d, size_t end, dls_frame frame, dls_surface form)
{
    if (!DLS_GROW(d->parts, d->cap_parts, d->n_parts + 1))
        return dls_fail(d->error, DLS_NO_MEMORY, "no memory for the shapes of a picture");
    d->parts[d->n_parts++] = (part){.end = end, .frame = frame, .form = form, .colour = -1};
    return DLS_OK;
}

static dls_status add_problem(drawing *d, const dls_error *problem)
{
    dls_film *film = d->film;
    for (size_t k = 0; k < film->n_problems; k++)
        if (film->problems[k].line == problem->line && strcmp(film->problems[k].file, problem->file) == 0 &&
            strcmp(film->problems[k].message, problem->message) == 0)
            return DLS_OK;
    if (!DLS_GROW(film->problems, film->cap_problems, film->n_problems + 1))
        return dls_fail(d->error, DLS_NO_MEMORY, "no memory for what a picture lacks");
    film->problems[film->n_problems++] = *problem;
    return DLS_OK;
}

/* The triangles of a mesh, which the film keeps; NULL: they cannot be read, for which there is a problem. */
static dls_status find_mesh(drawing *d, const dls_visual *visual, const dls_triangles **triangles)
{
    dls_film *film = d->film;
    dls_error why = {.line = 0};
    *triangles = NULL;
    for (size_t k = 0; k < film->n_meshes; k++) {
        const dls_film_mesh *known = film->meshes[k];
        if (strcmp(known->mesh, visual->mesh) == 0 && strcmp(known->model, visual->model) == 0 &&
            known->scale.x == visual->scale.x && known->scale.y == visual->scale.y &&
            known->scale.z == visual->scale.z) {
            *triangles = known->read ? &known->triangles : NULL;
            return DLS_OK;
        }
    }
    dls_film_mesh *mesh = DLS_GROW(film->meshes, film->cap_meshes, film->n_meshes + 1) ? calloc(1, sizeof *mesh) : NULL;
    if (!mesh)
        return dls_fail(d->error, DLS_NO_MEMORY, "no memory for a mesh");
    film->meshes[film->n_meshes++] = mesh;
    char path[DLS_PATH_MAX];
    mesh->scale = visual->scale;
    snprintf(mesh->mesh, sizeof mesh->mesh, "%s", visual->mesh);
    snprintf(mesh->model, sizeof mesh->model, "%s", visual->model);
    dls_status status = dls_mesh_place(visual->mesh, visual->model, path, &why);
    if (status == DLS_OK)
        status = dls_mesh_read(path, visual->scale, &mesh->triangles, &why);
    mesh->read = status == DLS_OK;
    *triangles = mesh->read ? &mesh->triangles : NULL;
    if (status == DLS_NO_MEMORY)
        return dls_fail(d->error, status, "no memory for the mesh '%s'", visual->mesh);
    if (status == DLS_OK)
        return DLS_OK;
    dls_triangles_release(&mesh->triangles);
    if (strcmp(why.file, visual->model) == 0)
        dls_fail_place(&why, status, visual->model, visual->place.line, visual->place.column, NULL);
    return add_problem(d, &why);
}

static bool fits(dls_vec3 p) { return fabs(p.x) < 1e30 && fabs(p.y) < 1e30 && fabs(p.z) < 1e30; }

/* Adds a visual to the shapes of its end, if it can be drawn. */
static dls_status add_visual(drawing *d, const dls_visual *visual)
{
    dls_frame frame = visual->frame;
    dls_surface own = form(visual->shape, visual->size, visual->radius, visual->length);
    dls_error why;
    if (visual->mesh[0] && !visual->wrong[0]) {
        DLS_TRY(find_mesh(d, visual, &own.triangles));
        if (!own.triangles)
            return DLS_OK;
        frame.p = dls_add(frame.p, dls_quat_rotate(frame.q, own.triangles->middle));
    }
    const dls_vec3 half = dls_surface_half(&own);
    const bool flat = !own.triangles && !(fmin(half.x, fmin(half.y, half.z)) > 0.0);
    if (!visual->wrong[0] && !flat && fits(half) && fits(frame.p)) {
        DLS_TRY(add_part(d, visual->end, frame, own));
        d->parts[d->n_parts - 1].colour = visual->colour;
        return DLS_OK;
    }
    dls_fail_at(&why, DLS_BAD_INPUT, visual->model, visual->place.line, visual->place.column, NULL, "%s",
                visual->wrong[0] ? visual->wrong : "a visual needs sizes that are positive and below 1e30 m");
    return add_problem(d, &why);
}

/* The triangles of a hull in the film, which outlives the model. */
static dls_status keep_hull(drawing *d, const dls_triangles *from, const dls_triangles **triangles)
{
    dls_film *film = d->film;
    const size_t size = 3 * from->count * sizeof *from->corners;
    for (size_t k = 0; k < film->n_meshes; k++) {
        const dls_triangles *known = *triangles = &film->meshes[k]->triangles;
        if (known->count == from->count && memcmp(&known->middle, &from->middle, sizeof from->middle) == 0 &&
            memcmp(known->corners, from->corners, size) == 0)
            return DLS_OK;
    }
    dls_film_mesh *mesh = DLS_GROW(film->meshes, film->cap_meshes, film->n_meshes + 1) ? calloc(1, sizeof *mesh) : NULL;
    if (!mesh)
        return dls_fail(d->error, DLS_NO_MEMORY, "no memory for a mesh");
    film->meshes[film->n_meshes++] = mesh;
    mesh->triangles = *from;
    mesh->triangles.corners = malloc(size);
    if (!mesh->triangles.corners)
        return dls_fail(d->error, DLS_NO_MEMORY, "no memory for a mesh");
    memcpy(mesh->triangles.corners, from->corners, size);
    *triangles = &mesh->triangles;
    return DLS_OK;
}

/* A mesh as its hull, and a terrain as its triangles. */
static dls_status add_solid(drawing *d, const dls_solid *s)
{
    const dls_triangles *shown = s->hull ? &s->hull->shown : s->terrain ? &s->terrain->shown : NULL;
    dls_surface own = form(shown ? DLS_SHAPE_NONE : s->shape, s->size, s->radius, s->length);
    dls_frame frame = s->frame;
    if (shown) {
        DLS_TRY(keep_hull(d, shown, &own.triangles));
        frame.p = dls_add(frame.p, dls_quat_rotate(frame.q, own.triangles->middle));
    }
    return add_part(d, s->end, frame, own);
}

static dls_status find_parts(drawing *d)
{
    const dls_model *model = d->at->model;
    const dls_model_counts has = dls_model_count(model);
    size_t solid = 0, visual = 0;
    for (size_t end = 0; end < has.ends; end++) {
        const dls_body *body = end < has.bodies ? &dls_model_bodies(model)[end] : NULL;
        const size_t before = d->n_parts;
        if (body && body->shape != DLS_SHAPE_NONE && body->shape != DLS_SHAPE_MESH && body->shape != DLS_SHAPE_TERRAIN)
            DLS_TRY(add_part(d, end, centre, form(body->shape, body->size, body->radius, body->length)));
        for (; visual < has.visuals && dls_model_visuals(model)[visual].end == end; visual++)
            DLS_TRY(add_visual(d, &dls_model_visuals(model)[visual]));
        const bool bare = d->n_parts == before;
        for (; solid < has.solids && dls_model_solids(model)[solid].end == end; solid++) {
            if (bare)
                DLS_TRY(add_solid(d, &dls_model_solids(model)[solid]));
        }
    }
    return DLS_OK;
}

/* The first shape of an end; where it has none, that of the next end that has. */
static size_t first_part(const drawing *d, size_t end)
{
    size_t low = 0, high = d->n_parts;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (d->parts[middle].end < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether an end has a shape; the world needs none. */
static bool has_shape(const drawing *d, size_t end)
{
    const size_t k = first_part(d, end);
    return end == DLS_WORLD || (k < d->n_parts && d->parts[k].end == end);
}

/* --- how large everything is --- */

typedef struct bounds {
    dls_vec3 low, high;
    bool any;
    double thickness; /* the least half extent of a solid */
} bounds;

static void extend(bounds *b, dls_vec3 p)
{
    const dls_vec3 low = b->any ? b->low : p, high = b->any ? b->high : p;
    b->low = dls_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
    b->high = dls_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    b->any = true;
}

static void extend_by_form(bounds *b, const dls_end *end, const dls_frame *frame, const dls_surface *form)
{
    const dls_vec3 half = dls_surface_half(form);
    for (int corner = 0; corner < 8; corner++) {
        const dls_vec3 p =
            dls_v3(corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z);
        extend(b, dls_add(end->x, dls_mul3(end->R, dls_add(frame->p, dls_quat_rotate(frame->q, p)))));
    }
    b->thickness = fmin(b->thickness, fmin(half.x, fmin(half.y, half.z)));
}

/* Sizes of items that have none of their own; once, for the first model. */
static void measure_size(const drawing *d)
{
    dls_film *film = d->film;
    const dls_configuration *at = d->at;
    const dls_model *model = at->model;
    const dls_model_counts has = dls_model_count(model);
    const dls_vec3 gravity = dls_model_world(model)->gravity;
    bounds b = {.thickness = HUGE_VAL};
    double mass = 0.0;
    for (size_t i = 0; i < has.ends; i++) {
        const dls_body *body = i < has.bodies ? &dls_model_bodies(model)[i] : NULL;
        if (!body || body->shape == DLS_SHAPE_NONE)
            extend(&b, dls_configuration_end(at, i).x);
        mass += body ? body->mass : 0.0;
    }
    for (size_t a = 0; a < has.articulations; a++)
        mass += dls_model_articulations(model)[a].tree->mass;
    for (size_t k = 0; k < d->n_parts; k++) {
        const dls_end end = dls_configuration_end(at, d->parts[k].end);
        if (d->parts[k].form.shape != DLS_SHAPE_PLANE)
            extend_by_form(&b, &end, &d->parts[k].frame, &d->parts[k].form);
    }
    for (size_t j = 0; j < has.joints; j++) {
        const dls_joint *joint = &dls_model_joints(model)[j];
        dls_end end[2];
        if (joint->type->drawing == DLS_DRAW_NOTHING)
            continue;
        dls_configuration_ends(at, joint, end);
        extend(&b, dls_end_anchor(&end[0], &joint->frame[0]));
        extend(&b, dls_end_anchor(&end[1], &joint->frame[1]));
    }
    for (size_t t = 0; t < has.tracks; t++)
        for (int k = 0; k <= 64; k++) {
            const dls_curve *curve = dls_model_tracks(model)[t].curve;
            dls_curve_point F;
            dls_curve_at(curve, curve->length * k / 64.0, &F);
            extend(&b, F.P);
        }
    film->size = b.any ? dls_norm(dls_sub(b.high, b.low)) : 1.0;
    film->size = film->size > 0.0 && isfinite(film->size) ? film->size : 1.0;
    film->mark = fmax(0.003 * film->size, fmin(0.01 * film->size, 0.6 * b.thickness));
    film->up = dls_norm(gravity) > 0.0 ? dls_neg(dls_unit(gravity)) : dls_v3(0, 0, 1);
    film->weight = mass * dls_norm(gravity);
}

/* --- bodies and links --- */

/* A plane is drawn as a square below the middle of all that moves, a little lower than it is, so that what lies on it
 * can be seen. */
static dls_status draw_plane(drawing *d, size_t end, const char *owner)
{
    dls_item item = make_item(DLS_ITEM_PLANE, node_of(d, end), owner);
    const dls_end at = dls_configuration_end(d->at, end);
    bounds b = {.thickness = HUGE_VAL};
    for (size_t i = 0; i < dls_model_count(d->at->model).ends; i++)
        if (moves(d->at->model, i))
            extend(&b, dls_configuration_end(d->at, i).x);
    item.frame.p = b.any ? dls_tmul3(at.R, dls_sub(dls_scale(0.5, dls_add(b.low, b.high)), at.x)) : dls_v3(0, 0, 0);
    item.frame.p.z = -1e-3 * d->film->size;
    item.form = (dls_surface){.shape = DLS_SHAPE_PLANE, .size = {2.4 * d->film->size, 2.4 * d->film->size, 0}};
    return add(d, item);
}

static dls_status draw_solids(drawing *d)
{
    for (size_t k = 0; k < d->n_parts; k++) {
        const part *of = &d->parts[k];
        char name[2 * DLS_NAME_MAX];
        dls_model_end_name(d->at->model, of->end, name, sizeof name);
        if (of->form.shape == DLS_SHAPE_PLANE) {
            DLS_TRY(draw_plane(d, of->end, name));
            continue;
        }
        dls_item item = make_item(DLS_ITEM_SOLID, node_of(d, of->end), name);
        item.frame = of->frame, item.form = of->form;
        item.colour = of->colour < 0 ? colour_of(d->film, item.node[0]) : (unsigned)of->colour;
        DLS_TRY(add(d, item));
    }
    return DLS_OK;
}

/* Whether the box about a shape of an end has a point of it inside, or nearly so. A mesh or plane is taken for the
 * whole of its link. */
static bool has_inside(const drawing *d, size_t end, dls_vec3 p)
{
    bool inside = end == DLS_WORLD;
    for (size_t k = first_part(d, end); !inside && k < d->n_parts && d->parts[k].end == end; k++) {
        const dls_surface *form = &d->parts[k].form;
        const dls_frame *frame = &d->parts[k].frame;
        const double room = d->film->mark;
        const dls_vec3 half = dls_surface_half(form),
                       at = dls_quat_rotate(dls_quat_conj(frame->q), dls_sub(p, frame->p));
        inside = form->triangles || form->shape == DLS_SHAPE_PLANE ||
                 (fabs(at.x) <= half.x + room && fabs(at.y) <= half.y + room && fabs(at.z) <= half.z + room);
    }
    return inside;
}

/* A rod from the centre of mass of an end to a point of it, unless its shapes reach the point. */
static dls_status draw_stick(drawing *d, size_t end, dls_vec3 p)
{
    const double length = dls_norm(p);
    char name[2 * DLS_NAME_MAX];
    if (has_inside(d, end, p) || !(length > 1e-6 * d->film->size))
        return DLS_OK;
    dls_model_end_name(d->at->model, end, name, sizeof name);
    dls_item item = make_item(DLS_ITEM_STICK, node_of(d, end), name);
    item.frame = (dls_frame){dls_scale(0.5, p), dls_quat_between(dls_axis3(2), dls_unit(p))};
    item.form = (dls_surface){.shape = DLS_SHAPE_CYLINDER, .radius = 0.6 * d->film->mark, .length = length};
    const size_t own = first_part(d, end);
    const bool has_own = own < d->n_parts && d->parts[own].end == end && d->parts[own].colour >= 0;
    item.colour = has_own ? (unsigned)d->parts[own].colour : colour_of(d->film, item.node[0]);
    return add(d, item);
}

/* The centre of mass of an end without a shape. */
static dls_status draw_centres(drawing *d)
{
    const dls_model *model = d->at->model;
    for (size_t end = 0; end < dls_model_count(model).ends; end++) {
        char name[2 * DLS_NAME_MAX];
        if (has_shape(d, end) || !moves(model, end))
            continue;
        dls_model_end_name(model, end, name, sizeof name);
        dls_item item = make_item(DLS_ITEM_STICK, node_of(d, end), name);
        item.form = (dls_surface){.shape = DLS_SHAPE_SPHERE, .radius = 1.6 * d->film->mark};
        item.colour = colour_of(d->film, item.node[0]);
        DLS_TRY(add(d, item));
    }
    return DLS_OK;
}

/* --- joints --- */

/* The mark of an anchor on an end, or of an axis through it. */
static dls_status draw_mark(drawing *d, dls_item_kind kind, size_t end, const char *owner, dls_frame frame,
                            size_t joint)
{
    const double r = d->film->mark;
    dls_item item = make_item(kind, node_of(d, end), owner);
    item.frame = frame, item.joint = joint, item.colour = exact_joint;
    item.form = kind == DLS_ITEM_AXIS ? (dls_surface){.shape = DLS_SHAPE_CYLINDER, .radius = 0.3 * r, .length = 9.0 * r}
                                      : (dls_surface){.shape = DLS_SHAPE_SPHERE, .radius = r};
    return add(d, item);
}

static dls_status draw_between(drawing *d, dls_item_kind kind, const dls_joint *joint, double radius)
{
    dls_item item = make_item(kind, node_of(d, joint->body[0]), joint->name);
    item.node[1] = node_of(d, joint->body[1]);
    item.frame = joint->frame[0], item.far_end = joint->frame[1].p;
    item.form = (dls_surface){.shape = DLS_SHAPE_CYLINDER, .radius = radius, .length = 1.0};
    return add(d, item);
}

/* The number of a joint's error in the frames of the film; DLS_NONE without memory. */
static size_t error_named(dls_film *film, const char *name)
{
    const size_t known = dls_names_find(&film->joint_names, name);
    if (known != SIZE_MAX)
        return known;
    if (!DLS_GROW(film->joints, film->cap_joints, film->n_joints + 1) ||
        dls_names_add(&film->joint_names, name, film->n_joints) == SIZE_MAX)
        return DLS_NONE;
    snprintf(film->joints[film->n_joints], sizeof film->joints[0], "%s", name);
    return film->n_joints++;
}

static dls_status draw_joint(drawing *d, size_t j)
{
    const dls_joint *joint = &dls_model_joints(d->at->model)[j];
    const dls_joint_drawing drawn = joint->type->drawing;
    d->film->joint_of[j] = DLS_NONE;
    if (drawn == DLS_DRAW_NOTHING)
        return DLS_OK;
    for (int i = 0; i < 2; i++)
        DLS_TRY(draw_stick(d, joint->body[i], joint->frame[i].p));
    if (drawn == DLS_DRAW_CONTACT)
        return DLS_OK;
    if (drawn == DLS_DRAW_STRING)
        return draw_between(d, DLS_ITEM_STRING, joint, 0.35 * d->film->mark);
    const size_t error = d->film->joint_of[j] = error_named(d->film, joint->name);
    if (error == DLS_NONE)
        return dls_fail(d->error, DLS_NO_MEMORY, "no memory for the joints of a picture");
    if (drawn == DLS_DRAW_ROD)
        DLS_TRY(draw_between(d, DLS_ITEM_ROD, joint, 0.45 * d->film->mark));
    const int axes = drawn == DLS_DRAW_AXES ? 2 : drawn == DLS_DRAW_AXIS ? 1 : 0;
    for (int i = 0; i < axes; i++)
        DLS_TRY(draw_mark(d, DLS_ITEM_AXIS, joint->body[i], joint->name, joint->frame[i], error));
    return draw_mark(d, DLS_ITEM_JOINT, joint->body[0], joint->name, joint->frame[0], error);
}

/* The joint of a link: its anchor, and its axis where it has one. */
static dls_status draw_link(drawing *d, const dls_model_articulation *articulation, size_t a, size_t i)
{
    const dls_articulation_work *work = d->at->works[a];
    const dls_link *link = &articulation->tree->links[i];
    const size_t end = articulation->first_end + i, parent = articulation->first_end + link->parent;
    const dls_end at = dls_configuration_end(d->at, end), above = dls_configuration_end(d->at, parent);
    dls_frame frame = {dls_neg(dls_tmul3(at.R, work->links[i].d)), {1, 0, 0, 0}};
    char name[2 * DLS_NAME_MAX];
    dls_model_end_name(d->at->model, end, name, sizeof name);
    DLS_TRY(draw_stick(d, end, frame.p));
    DLS_TRY(draw_stick(d, parent, dls_tmul3(above.R, work->links[i].l)));
    if (link->n_dofs == 0)
        return DLS_OK;
    if (link->n_dofs == 1) {
        const dls_spatial S = work->S[link->dof];
        const dls_vec3 axis = dls_tmul3(at.R, dls_norm(S.ang) > 0.0 ? S.ang : S.lin);
        frame.q = dls_quat_between(dls_axis3(2), dls_unit(axis));
        DLS_TRY(draw_mark(d, DLS_ITEM_AXIS, end, name, frame, DLS_NONE));
    }
    return draw_mark(d, DLS_ITEM_JOINT, end, name, frame, DLS_NONE);
}

static dls_status draw_joints(drawing *d)
{
    const dls_model *model = d->at->model;
    const dls_model_counts has = dls_model_count(model);
    if (!DLS_GROW(d->film->joint_of, d->film->cap_joint_of, has.joints + 1))
        return dls_fail(d->error, DLS_NO_MEMORY, "no memory for the joints of a picture");
    for (size_t j = 0; j < has.joints; j++)
        DLS_TRY(draw_joint(d, j));
    for (size_t a = 0; a < has.articulations; a++)
        for (size_t i = 1; i < dls_model_articulations(model)[a].tree->n_links; i++)
            DLS_TRY(draw_link(d, &dls_model_articulations(model)[a], a, i));
    return DLS_OK;
}

/* --- tracks --- */

/* The end that a track is fixed on, with its frame: that of the first joint that rides on it; else the world. */
static size_t bed_of(const drawing *d, const dls_track *track, dls_frame *frame)
{
    const dls_model *model = d->at->model;
    for (size_t j = 0; j < dls_model_count(model).joints; j++) {
        const dls_joint *joint = &dls_model_joints(model)[j];
        if (dls_track_of(joint) == track) {
            *frame = joint->frame[1];
            return joint->body[1];
        }
    }
    *frame = centre;
    return DLS_WORLD;
}

static dls_status draw_track(drawing *d, const dls_track *track)
{
    dls_film *film = d->film;
    dls_frame frame;
    dls_item item = make_item(DLS_ITEM_TRACK, node_of(d, bed_of(d, track, &frame)), track->name);
    const double turns = track->curve->c_max * track->curve->length / (2.0 * DLS_PI);
    const size_t pieces = (size_t)fmin(4000.0, fmax(2.0, ceil(48.0 * turns)));
    if (!DLS_GROW(film->points, film->cap_points, film->n_points + 2 * pieces))
        return dls_fail(d->error, DLS_NO_MEMORY, "no memory for the points of a track");
    item.frame = frame, item.first = film->n_points, item.count = 2 * pieces;
    for (size_t k = 0; k < 2 * pieces; k++) {
        dls_curve_point F;
        const double s = track->curve->length * (double)((k + 1) / 2) / (double)pieces;
        dls_curve_at(track->curve, fmin(s, track->curve->length), &F);
        film->points[film->n_points++] = F.P;
    }
    const size_t before = film->n_items;
    DLS_TRY(add(d, item));
    film->n_points -= film->n_items == before ? item.count : 0;
    return DLS_OK;
}

static dls_status draw_all(drawing *d)
{
    const dls_model *model = d->at->model;
    DLS_TRY(find_nodes(d));
    DLS_TRY(find_parts(d));
    if (d->before == 0)
        measure_size(d);
    DLS_TRY(draw_solids(d));
    for (size_t t = 0; t < dls_model_count(model).tracks; t++)
        DLS_TRY(draw_track(d, &dls_model_tracks(model)[t]));
    DLS_TRY(draw_joints(d));
    return draw_centres(d);
}

dls_status dls_film_draw(dls_film *film, const dls_configuration *at, dls_error *error)
{
    drawing d = {.film = film,
                 .at = at,
                 .before = film->n_items,
                 .met = calloc(film->n_items + 1, sizeof(bool)),
                 .error = error};
    const dls_status status = d.met ? draw_all(&d) : dls_fail(error, DLS_NO_MEMORY, "no memory for a picture");
    for (size_t k = 0; k < d.before && status == DLS_OK; k++)
        if (!d.met[k] && film->items[k].until == SIZE_MAX)
            film->items[k].until = film->n_frames;
    free(d.met);
    free(d.parts);
    return status;
}
