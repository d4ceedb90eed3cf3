/* A model in SDF becomes articulations, and a static one bodies.
 *
 * Its links and joints are a graph, with the world as a node where a joint names it. From the world, and then from the
 * first link that is left, a tree grows along the joints in their order, each from an end that is in it to one that is
 * not: an articulation, fixed to the world or floating. A joint whose ends are both in the tree closes a loop, as a
 * joint of the scene. A tree may grow from the child to the parent of a joint; then its axis is turned round, so that
 * its coordinate stays that of the child relative to the parent. */
#include "sdf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dls_sdf_own_link own_link;
typedef struct dls_sdf_own_shape own_shape;
typedef struct dls_sdf_own_joint own_joint;

typedef struct builder {
    const dls_sdf_part *part;
    dls_scene *scene;
    dls_error *error;
    dls_articulation_def *def; /* the tree that grows */
    bool *grown, *used;        /* links that are in a tree; joints that are */
    bool *here;                /* links that are in this tree */
} builder;

static dls_status model_fail(const builder *b, const char *key, const char *format, const char *name)
{
    char text[DLS_MESSAGE_MAX];
    snprintf(text, sizeof text, format, name);
    return dls_fail_about(b->error, DLS_BAD_INPUT, b->scene->file, key, "model '%s': %s", b->part->name, text);
}

static dls_status drop(const builder *b, dls_aspect aspect, const char *key, const char *name, const char *why)
{
    char text[DLS_MESSAGE_MAX];
    snprintf(text, sizeof text, "'%s' of model '%s': %s", name, b->part->name, why);
    return dls_scene_drop(b->scene, aspect, b->scene->file, (dls_place){0, 0}, key, text, b->error);
}

static size_t find_link(const builder *b, const char *name)
{
    for (size_t i = 0; i < b->part->n_links; i++)
        if (strcmp(b->part->links[i].name, name) == 0)
            return i;
    return DLS_NONE;
}

/* --- shapes --- */

static int shape_kind(const char *word)
{
    static const char *const names[] = {"box", "sphere", "capsule", "cylinder", "plane", "mesh", "ellipsoid"};
    static const dls_shape kinds[] = {DLS_SHAPE_BOX,   DLS_SHAPE_SPHERE, DLS_SHAPE_CAPSULE,  DLS_SHAPE_CYLINDER,
                                      DLS_SHAPE_PLANE, DLS_SHAPE_MESH,   DLS_SHAPE_ELLIPSOID};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(word, names[i]) == 0)
            return (int)kinds[i];
    return -1;
}

static dls_frame seen_from(dls_frame from, dls_frame at)
{
    const dls_quat back = dls_quat_conj(from.q);
    return (dls_frame){dls_quat_rotate(back, dls_sub(at.p, from.p)), dls_quat_unit(dls_quat_mul(back, at.q))};
}

static dls_status add_visual(const builder *b, const own_shape *s, int kind, dls_frame at)
{
    dls_link_visual visual = {.shape = kind == DLS_SHAPE_MESH ? (int)DLS_SHAPE_NONE : kind,
                              .size = s->size,
                              .radius = s->radius,
                              .length = s->length,
                              .frame = at,
                              .colour = s->colour,
                              .scale = s->scale};
    memcpy(visual.link, s->link, sizeof visual.link);
    memcpy(visual.mesh, s->mesh, sizeof visual.mesh);
    snprintf(visual.model, sizeof visual.model, "%s", b->scene->file);
    return dls_articulation_def_add_visual(b->def, &visual, b->error);
}

/* The shapes of a link that has been added; `at`: its frame in the world. */
static dls_status add_shapes(const builder *b, const char *link, dls_frame at)
{
    for (size_t k = 0; k < b->part->n_shapes; k++) {
        const own_shape *s = &b->part->shapes[k];
        const int kind = shape_kind(s->kind);
        if (strcmp(s->link, link) != 0 || (s->looks && (kind < 0 || kind == DLS_SHAPE_PLANE)))
            continue;
        const dls_frame own = seen_from(at, s->at);
        dls_link_shape shape = {.shape = kind == DLS_SHAPE_MESH ? (int)DLS_SHAPE_NONE : kind,
                                .size = s->size,
                                .radius = s->radius,
                                .length = s->length,
                                .frame = own,
                                .scale = s->scale};
        memcpy(shape.link, s->link, sizeof shape.link);
        memcpy(shape.mesh, s->mesh, sizeof shape.mesh);
        if (!s->looks && (kind < 0 || kind == DLS_SHAPE_PLANE))
            DLS_TRY(drop(b, DLS_ASPECT_CONTACTS, s->kind, link,
                         "a link has no such shape; only a static model has a plane"));
        else
            DLS_TRY(s->looks ? add_visual(b, s, kind, own) : dls_articulation_def_add_shape(b->def, &shape, b->error));
    }
    return DLS_OK;
}

/* A body for each shape that collides. */
static dls_status add_static(const builder *b)
{
    size_t number = 0;
    for (size_t k = 0; k < b->part->n_shapes; k++) {
        const own_shape *s = &b->part->shapes[k];
        const int kind = shape_kind(s->kind);
        dls_body_def body;
        if (s->looks)
            continue;
        if (kind < 0 || strlen(s->mesh) >= sizeof body.mesh) {
            DLS_TRY(drop(b, DLS_ASPECT_CONTACTS, s->kind, s->link, "no body has such a shape"));
            continue;
        }
        dls_body_default(&body);
        body.is_static = true;
        body.shape = kind;
        body.position = s->at.p, body.orientation = s->at.q;
        if (kind == DLS_SHAPE_PLANE)
            body.orientation = dls_quat_mul(s->at.q, dls_quat_between(dls_v3(0, 0, 1), dls_unit(s->normal)));
        if (kind == DLS_SHAPE_BOX)
            body.size = s->size;
        if (kind == DLS_SHAPE_SPHERE || kind == DLS_SHAPE_CAPSULE || kind == DLS_SHAPE_CYLINDER)
            body.radius = s->radius;
        if (kind == DLS_SHAPE_CAPSULE || kind == DLS_SHAPE_CYLINDER)
            body.length = s->length;
        if (kind == DLS_SHAPE_MESH) {
            body.scale = s->scale;
            snprintf(body.mesh, sizeof body.mesh, "%s", s->mesh);
        }
        number++;
        if ((number == 1 ? snprintf(body.name, sizeof body.name, "%s", b->part->name)
                         : snprintf(body.name, sizeof body.name, "%s %zu", b->part->name, number)) >= DLS_NAME_MAX)
            return model_fail(b, "name", "the name is too long", "");
        DLS_TRY(dls_scene_add_body(b->scene, &body, b->error));
    }
    return DLS_OK;
}

/* --- joints of the tree --- */

static const struct {
    const char *type, *motion, *loop;
    size_t axes;
} types[] = {
    {"fixed", "fix", "fixed", 0},
    {"revolute", "revolute-unwrapped", "hinge", 1},
    {"continuous", "revolute-unwrapped", "hinge", 1},
    {"prismatic", "prismatic", "slider", 1},
    {"ball", "spherical", "ball", 0},
    {"universal", "revolute-unwrapped", "universal", 2},
    {"revolute2", "revolute-unwrapped", NULL, 2},
};
enum { TYPES = sizeof types / sizeof types[0] };

static size_t type_of(const own_joint *j)
{
    size_t t = 0;
    while (t < TYPES && strcmp(types[t].type, j->type) != 0)
        t++;
    return t;
}

static dls_vec3 axis_of(const own_joint *j, size_t k, bool reversed)
{
    const dls_vec3 a = dls_v3(j->axis[k].xyz[0], j->axis[k].xyz[1], j->axis[k].xyz[2]);
    return reversed ? dls_neg(a) : a;
}

/* Limits that a joint has: infinite ones where they are none. */
static dls_status axis_limits(const builder *b, const own_joint *j, size_t k, double *lower, double *upper)
{
    const dls_sdf_axis *axis = &j->axis[k];
    *lower = -HUGE_VAL, *upper = HUGE_VAL;
    if (strcmp(j->type, "continuous") == 0)
        return DLS_OK;
    if (!(axis->lower <= axis->upper))
        return drop(b, DLS_ASPECT_CONSTRAINTS, "limit", j->name, "lower is more than upper");
    *lower = axis->lower, *upper = axis->upper;
    return DLS_OK;
}

static dls_status check_dynamics(const builder *b, const own_joint *j, size_t k)
{
    const dls_sdf_axis *axis = &j->axis[k];
    if (!(axis->damping >= 0.0) || !(axis->friction >= 0.0))
        return model_fail(b, "dynamics", "joint '%s' has a damping or friction that is negative", j->name);
    return axis->stiffness >= 0.0 ? DLS_OK
                                  : model_fail(b, "dynamics", "joint '%s' has a negative spring_stiffness", j->name);
}

/* Limits, damping and friction of a joint of one degree of freedom, which dls_scene_add_robot makes joints of. */
static dls_status keep_axis(const builder *b, const own_joint *j, size_t k, const char *link)
{
    const dls_sdf_axis *axis = &j->axis[k];
    dls_link_def *to = dls_articulation_def_find(b->def, link);
    DLS_TRY(axis_limits(b, j, k, &to->lower, &to->upper));
    to->force_limit = axis->effort, to->speed_limit = axis->speed;
    DLS_TRY(check_dynamics(b, j, k));
    to->damping = axis->damping, to->friction = axis->friction;
    return DLS_OK;
}

/* Link `to` by joint j from `parent`, both drawn; NULL: it is a root. */
static dls_status add_link(const builder *b, const own_link *to, const char *parent, const own_joint *j, bool reversed)
{
    const size_t t = j ? type_of(j) : 0, two = j && types[t].axes == 2;
    dls_posed_link link;
    dls_body_default(&link.body);
    DLS_TRY(dls_fields_default(&dls_posed_joint_fields, &link.joint, b->error));
    memcpy(link.body.name, to->name, sizeof link.body.name);
    link.body.position = to->at.p, link.body.orientation = to->at.q;
    link.body.mass = to->mass;
    link.body.inertia = dls_v3(to->inertia.m[0], to->inertia.m[4], to->inertia.m[8]);
    link.body.inertia_off = dls_v3(to->inertia.m[1], to->inertia.m[2], to->inertia.m[5]);
    if (j) {
        snprintf(link.joint.parent, sizeof link.joint.parent, "%s", parent);
        snprintf(link.joint.motion, sizeof link.joint.motion, "%s", types[t].motion);
        memcpy(link.joint.joint, j->name, sizeof link.joint.joint);
        link.joint.anchor = j->point;
        if (types[t].axes)
            link.joint.axis = axis_of(j, two && !reversed ? 1 : 0, reversed);
    }
    DLS_TRY(dls_articulation_def_add_posed(b->def, &link, b->error));
    if (j && types[t].axes)
        DLS_TRY(keep_axis(b, j, two && !reversed ? 1 : 0, to->name));
    return add_shapes(b, to->name, to->at);
}

/* The massless link between the two axes of a universal joint, which has the name of the joint. */
static dls_status add_cross(const builder *b, const own_link *to, const char *parent, const own_joint *j, bool reversed)
{
    const size_t k = reversed ? 1 : 0;
    dls_posed_link cross;
    dls_body_default(&cross.body);
    DLS_TRY(dls_fields_default(&dls_posed_joint_fields, &cross.joint, b->error));
    if (snprintf(cross.body.name, sizeof cross.body.name, "%s_1", j->name) >= DLS_NAME_MAX)
        return model_fail(b, "name", "the name of joint '%s' is too long", j->name);
    cross.body.position = j->point;
    snprintf(cross.joint.parent, sizeof cross.joint.parent, "%s", parent);
    snprintf(cross.joint.motion, sizeof cross.joint.motion, "revolute-unwrapped");
    cross.joint.anchor = j->point;
    cross.joint.axis = axis_of(j, k, reversed);
    DLS_TRY(dls_articulation_def_add_posed(b->def, &cross, b->error));
    DLS_TRY(keep_axis(b, j, k, cross.body.name));
    return add_link(b, to, cross.body.name, j, reversed);
}

/* Where one end of joint j is in this tree, and the other in none: adds the other. */
static dls_status grow_along(const builder *b, size_t index, bool *grew)
{
    const own_joint *j = &b->part->joints[index];
    const size_t child = find_link(b, j->child), parent = find_link(b, j->parent), t = type_of(j);
    const bool from_world = parent == DLS_NONE && strcmp(j->parent, "world") == 0;
    const bool forward = from_world ? b->def->fixed_base : parent != DLS_NONE && b->here[parent];
    const bool reversed = child != DLS_NONE && b->here[child] && parent != DLS_NONE && !b->grown[parent];
    const size_t next = reversed ? parent : child;
    if (b->used[index] || child == DLS_NONE || (parent == DLS_NONE && !from_world))
        return DLS_OK;
    if (!reversed && (!forward || b->grown[child]))
        return DLS_OK;
    b->used[index] = true;
    if (t == TYPES)
        return drop(b, DLS_ASPECT_BODIES, j->type, j->name, "a joint of this type is not read");
    if (j->n_axes < types[t].axes)
        return model_fail(b, "axis", "joint '%s' has fewer axes than its type", j->name);
    *grew = b->grown[next] = b->here[next] = true;
    const char *from = reversed ? j->child : j->parent;
    return types[t].axes == 2 ? add_cross(b, &b->part->links[next], from, j, reversed)
                              : add_link(b, &b->part->links[next], from, j, reversed);
}

/* --- joints on coordinates --- */

/* A joint "COORDINATE WHAT" on a coordinate of joint j, with two settings; a key NULL: one. */
static dls_status act_on(const builder *b, const own_joint *j, const char *coordinate, const char *type,
                         const char *what, const char *const keys[2], const double values[2])
{
    dls_joint_def joint = {0};
    DLS_TRY(dls_joint_default(&joint, type, b->error));
    dls_status status =
        snprintf(joint.name, sizeof joint.name, "%.*s %s", DLS_NAME_MAX, coordinate, what) < DLS_NAME_MAX
            ? dls_joint_couple(&joint, coordinate, 1.0, b->error)
            : model_fail(b, "name", "the names of model and joint '%s' are too long together", j->name);
    for (int k = 0; k < 2 && keys[k] && status == DLS_OK; k++)
        status = dls_joint_set_number(&joint, keys[k], values[k], b->error);
    if (status == DLS_OK)
        status = dls_scene_add_joint(b->scene, &joint, b->error);
    dls_joint_def_release(&joint);
    return status;
}
#define ACT(b, j, coordinate, type, what, key, value, key2, value2) \
    act_on(b, j, coordinate, type, what, (const char *const[2]){key, key2}, (const double[2]){value, value2})

/* The spring of axis k: a drive to its reference. */
static dls_status add_spring(const builder *b, const own_joint *j, size_t k, const char *coordinate)
{
    return ACT(b, j, coordinate, "drive", "spring", "stiffness", j->axis[k].stiffness, "target", j->axis[k].reference);
}

static dls_status add_tree_spring(const builder *b, const own_joint *j, size_t k)
{
    const bool cross = types[type_of(j)].axes == 2 && k == 0;
    char coordinate[DLS_COORDINATE_MAX];
    snprintf(coordinate, sizeof coordinate, "%s.%s%s", b->def->name, j->name, cross ? "_1" : "");
    return add_spring(b, j, k, coordinate);
}

/* Those of the joints of this tree, which are the only ones in use whose child is in it. */
static dls_status add_springs(const builder *b)
{
    for (size_t i = 0; i < b->part->n_joints; i++) {
        const own_joint *j = &b->part->joints[i];
        const size_t child = find_link(b, j->child), t = type_of(j);
        for (size_t k = 0; t < TYPES && k < types[t].axes && b->used[i] && child != DLS_NONE && b->here[child]; k++)
            if (j->axis[k].stiffness != 0.0)
                DLS_TRY(add_tree_spring(b, j, k));
    }
    return DLS_OK;
}

/* --- joints that close loops --- */

static dls_status name_end(const builder *b, const char *link, char to[DLS_NAME_MAX])
{
    const bool world = strcmp(link, "world") == 0;
    return snprintf(to, DLS_NAME_MAX, "%s%s%s", world ? "" : b->def->name, world ? "" : ".", link) < DLS_NAME_MAX
               ? DLS_OK
               : model_fail(b, "name", "the names of model and link '%s' are too long together", link);
}

static dls_status set_loop(const builder *b, const own_joint *j, size_t t, dls_joint_def *joint)
{
    DLS_TRY(name_end(b, j->child, joint->body[0]));
    DLS_TRY(name_end(b, j->parent, joint->body[1]));
    if (snprintf(joint->name, sizeof joint->name, "%s %s", b->part->name, j->name) >= DLS_NAME_MAX)
        return model_fail(b, "name", "the names of model and joint '%s' are too long together", j->name);
    DLS_TRY(dls_joint_set_vector(joint, "anchor", j->point, b->error));
    if (types[t].axes == 1)
        return dls_joint_set_vector(joint, "axis", axis_of(j, 0, false), b->error);
    if (types[t].axes == 0)
        return DLS_OK;
    DLS_TRY(dls_joint_set_vector(joint, "axis1", axis_of(j, 1, false),
                                 b->error)); /* axis of the parent is that of body 2 */
    return dls_joint_set_vector(joint, "axis2", axis_of(j, 0, false), b->error);
}

/* Limits and dynamics of a universal joint that closes a loop, which has no coordinates, are not read. */
static dls_status check_loop_axes(const builder *b, const own_joint *j)
{
    for (size_t k = 0; k < j->n_axes; k++) {
        const dls_sdf_axis *a = &j->axis[k];
        if (isfinite(a->lower) || isfinite(a->upper))
            DLS_TRY(drop(b, DLS_ASPECT_CONSTRAINTS, "limit", j->name,
                         "limits of a universal joint that closes a loop are not read"));
        if (a->damping != 0.0 || a->friction != 0.0 || a->stiffness != 0.0)
            DLS_TRY(drop(b, DLS_ASPECT_FORCES, "dynamics", j->name,
                         "dynamics of a universal joint that closes a loop are not read"));
    }
    return DLS_OK;
}

/* Limits and dynamics of a hinge or slider that closes a loop act on its coordinate, 0 in the drawing as in SDF. */
static dls_status act_on_loop(const builder *b, const own_joint *j, const char *coordinate)
{
    const dls_sdf_axis *a = &j->axis[0];
    double lower, upper;
    DLS_TRY(axis_limits(b, j, 0, &lower, &upper));
    DLS_TRY(check_dynamics(b, j, 0));
    if (isfinite(lower) || isfinite(upper))
        DLS_TRY(ACT(b, j, coordinate, "limit", "limit", "lower", lower, "upper", upper));
    if (a->damping > 0.0)
        DLS_TRY(ACT(b, j, coordinate, "drive", "damping", "damping", a->damping, NULL, 0.0));
    if (a->friction > 0.0)
        DLS_TRY(ACT(b, j, coordinate, "motor", "friction", "force", a->friction, NULL, 0.0));
    return a->stiffness > 0.0 ? add_spring(b, j, 0, coordinate) : DLS_OK;
}

static dls_status close_loop(const builder *b, const own_joint *j)
{
    const size_t t = type_of(j);
    dls_joint_def joint = {0};
    if (t == TYPES || !types[t].loop)
        return drop(b, DLS_ASPECT_BODIES, j->type, j->name, "a joint of this type that closes a loop is not read");
    if (j->n_axes < types[t].axes)
        return model_fail(b, "axis", "joint '%s' has fewer axes than its type", j->name);
    char name[DLS_NAME_MAX] = "";
    dls_status status = dls_joint_default(&joint, types[t].loop, b->error);
    if (status == DLS_OK)
        status = set_loop(b, j, t, &joint);
    memcpy(name, joint.name, sizeof name);
    if (status == DLS_OK)
        status = dls_scene_add_joint(b->scene, &joint, b->error);
    dls_joint_def_release(&joint);
    if (status != DLS_OK || types[t].axes == 0)
        return status;
    return types[t].axes == 1 ? act_on_loop(b, j, name) : check_loop_axes(b, j);
}

static dls_status close_loops(const builder *b)
{
    for (size_t i = 0; i < b->part->n_joints; i++) {
        const own_joint *j = &b->part->joints[i];
        const size_t child = find_link(b, j->child);
        if (b->used[i] || child == DLS_NONE || !b->here[child])
            continue;
        b->used[i] = true;
        DLS_TRY(close_loop(b, j));
    }
    return DLS_OK;
}

/* --- a tree --- */

static dls_status add_root(const builder *b, size_t root)
{
    dls_posed_link world;
    if (root != DLS_NONE)
        return add_link(b, &b->part->links[root], NULL, NULL, false);
    dls_body_default(&world.body);
    DLS_TRY(dls_fields_default(&dls_posed_joint_fields, &world.joint, b->error));
    snprintf(world.body.name, sizeof world.body.name, "%s", DLS_WORLD_NAME);
    world.body.is_static = true;
    return dls_articulation_def_add_posed(b->def, &world, b->error);
}

static dls_status fill_tree(const builder *b, size_t root, bool alone)
{
    const char *link = root == DLS_NONE ? "" : b->part->links[root].name;
    if (snprintf(b->def->name, sizeof b->def->name, "%s%s%s", b->part->name, alone ? "" : " ", alone ? "" : link) >=
        DLS_NAME_MAX)
        return model_fail(b, "name", "the names of model and link '%s' are too long together", link);
    snprintf(b->def->file, sizeof b->def->file, "%s", b->scene->file);
    b->def->self_collision = b->part->self_collide;
    DLS_TRY(add_root(b, root));
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t i = 0; i < b->part->n_joints; i++)
            DLS_TRY(grow_along(b, i, &grew));
    }
    return DLS_OK;
}

/* From that link, or from the world (DLS_NONE). */
static dls_status add_tree(builder *b, size_t root, bool alone)
{
    memset(b->here, 0, b->part->n_links * sizeof *b->here);
    DLS_TRY(dls_articulation_def_create(&b->def, b->error));
    b->def->fixed_base = root == DLS_NONE;
    if (root != DLS_NONE)
        b->grown[root] = b->here[root] = true;
    dls_status status = fill_tree(b, root, alone);
    if (status == DLS_OK)
        status = dls_scene_add_robot(b->scene, b->def, b->error);
    if (status != DLS_OK) {
        dls_articulation_def_destroy(b->def);
        return status;
    }
    DLS_TRY(add_springs(b));
    return close_loops(b);
}

static dls_status add_trees(builder *b)
{
    bool alone = true;
    for (size_t i = 0; i < b->part->n_joints && alone; i++)
        if (strcmp(b->part->joints[i].parent, DLS_WORLD_NAME) == 0) {
            DLS_TRY(add_tree(b, DLS_NONE, true));
            alone = false;
        }
    for (size_t i = 0; i < b->part->n_links; i++) {
        if (b->grown[i])
            continue;
        DLS_TRY(add_tree(b, i, alone));
        alone = false;
    }
    return DLS_OK;
}

dls_status dls_sdf_add_model(const dls_sdf_part *part, dls_scene *scene, dls_error *error)
{
    builder b = {.part = part, .scene = scene, .error = error};
    if (part->is_static)
        return add_static(&b);
    b.grown = calloc(2 * part->n_links + part->n_joints + 1, sizeof *b.grown);
    if (!b.grown)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a model with %zu links", part->n_links);
    b.here = b.grown + part->n_links;
    b.used = b.here + part->n_links;
    const dls_status status = add_trees(&b);
    free(b.grown);
    return status;
}
