/* Robots in URDF (wiki.ros.org/urdf/XML) through libxml2: links, joints, inertials, limits, dynamics, mimic tags. Every
 * element and attribute is first checked against the table of those that are known (urdf_words.def, doc/urdf.md).
 *
 * A URDF joint places the child's link frame in the parent's by its origin (xyz, then R = Rz(yaw) Ry(pitch) Rx(roll))
 * and moves it about or along an axis of that frame. The joint frames of an articulation have their first axis along
 * x: with Q the smallest rotation from x to the axis, parent frame = origin Q, child frame = Q, and both coincide at
 * q = 0. The root of the tree is fixed, unless a floating joint connects it to its only child: then the child is a
 * floating base.
 *
 * <collision> shapes are kept: box, sphere, cylinder, and capsule, whose length is that between the centres of its
 * caps, as in scenes. A mesh is kept by its name, and read where it collides. Both are counted with the
 * <visual> elements.
 *
 * <visual> shapes are the same, with meshes, and the colours of their materials, defined in the visual or anywhere else
 * under their name. They are for pictures alone: one that is wrong is kept with the reason, and is no error here.
 */
#include "urdf.h"
#include "xml_words.h"

#include "base/arithmetic.h"
#include "base/names.h"
#include "delassus/spatial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    dls_xml x;
    dls_articulation_def *def;
    dls_scene *scene;    /* for notes; NULL: nobody reads them */
    dls_names joints;    /* indices of the links that they move */
    dls_names materials; /* their colours, 0xRRGGBB */
    size_t shapes;
} reader;

/* <origin xyz="" rpy=""/> of a node; the identity where it has none. */
static dls_status read_origin(const reader *r, const xmlNode *node, dls_frame *frame)
{
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    int count;
    xmlNode *at = dls_xml_child(node, "origin");
    if (at) {
        DLS_TRY(dls_xml_vector(&r->x, at, "xyz", xyz, 3, &count));
        DLS_TRY(dls_xml_vector(&r->x, at, "rpy", rpy, 3, &count));
    }
    dls_quat roll = dls_quat_exp(dls_v3(rpy[0], 0, 0)), pitch = dls_quat_exp(dls_v3(0, rpy[1], 0)),
             yaw = dls_quat_exp(dls_v3(0, 0, rpy[2]));
    *frame = (dls_frame){dls_v3(xyz[0], xyz[1], xyz[2]), dls_quat_unit(dls_quat_mul(yaw, dls_quat_mul(pitch, roll)))};
    return DLS_OK;
}

/* --- links --- */

static dls_status read_inertial(const reader *r, xmlNode *node, dls_link_def *link)
{
    static const char *const names[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    xmlNode *mass = dls_xml_child(node, "mass"), *inertia = dls_xml_child(node, "inertia");
    dls_frame frame;
    double I[6];
    DLS_TRY(read_origin(r, node, &frame));
    if (!mass)
        return dls_xml_bad(&r->x, node, "mass", "<inertial> without <mass>");
    DLS_TRY(dls_xml_required_number(&r->x, mass, "value", &link->mass));
    if (!inertia)
        return dls_xml_bad(&r->x, node, "inertia", "<inertial> without <inertia>");
    for (int i = 0; i < 6; i++)
        DLS_TRY(dls_xml_required_number(&r->x, inertia, names[i], &I[i]));
    const dls_mat3 written = {{I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]}};
    link->centre = frame.p;
    link->inertia = dls_rotate_tensor(dls_quat_matrix(frame.q), written);
    link->inertia_allowance = dls_inertia_allowance(written);
    return DLS_OK;
}

/* --- shapes --- */

static dls_status read_positive(const reader *r, xmlNode *node, const char *name, double *to)
{
    DLS_TRY(dls_xml_required_number(&r->x, node, name, to));
    return *to > 0.0 ? DLS_OK : dls_xml_bad(&r->x, node, name, "must be positive");
}

static dls_status read_box(const reader *r, xmlNode *node, dls_link_shape *shape)
{
    double size[3] = {0.0, 0.0, 0.0};
    int count;
    DLS_TRY(dls_xml_vector(&r->x, node, "size", size, 3, &count));
    shape->shape = DLS_SHAPE_BOX;
    shape->size = dls_v3(size[0], size[1], size[2]);
    return size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0
               ? DLS_OK
               : dls_xml_bad(&r->x, node, "size", "needs three positive numbers");
}

static dls_status read_sphere(const reader *r, xmlNode *node, dls_link_shape *shape)
{
    shape->shape = DLS_SHAPE_SPHERE;
    return read_positive(r, node, "radius", &shape->radius);
}

static dls_status read_round_solid(const reader *r, xmlNode *node, dls_shape kind, dls_link_shape *shape)
{
    shape->shape = (int)kind;
    DLS_TRY(read_positive(r, node, "radius", &shape->radius));
    return read_positive(r, node, "length", &shape->length);
}

static dls_status read_cylinder(const reader *r, xmlNode *node, dls_link_shape *shape)
{
    return read_round_solid(r, node, DLS_SHAPE_CYLINDER, shape);
}

static dls_status read_capsule(const reader *r, xmlNode *node, dls_link_shape *shape)
{
    return read_round_solid(r, node, DLS_SHAPE_CAPSULE, shape);
}

static dls_status read_mesh(const reader *r, xmlNode *node, dls_link_shape *shape)
{
    double scale[3] = {1.0, 1.0, 1.0};
    int count;
    bool there;
    shape->shape = DLS_SHAPE_NONE;
    DLS_TRY(dls_xml_attribute(&r->x, node, "filename", shape->mesh, sizeof shape->mesh, &there));
    DLS_TRY(dls_xml_vector(&r->x, node, "scale", scale, 3, &count));
    shape->scale = dls_v3(scale[0], scale[1], scale[2]);
    return there ? DLS_OK : dls_xml_bad(&r->x, node, "filename", "the attribute is missing");
}

static const struct {
    const char *name;
    dls_status (*read)(const reader *, xmlNode *, dls_link_shape *);
} geometries[] = {{"box", read_box},
                  {"sphere", read_sphere},
                  {"cylinder", read_cylinder},
                  {"capsule", read_capsule},
                  {"mesh", read_mesh}};
enum { GEOMETRIES = sizeof geometries / sizeof geometries[0] };

static xmlNode *first_element(xmlNode *node)
{
    while (node && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

/* The shape of a <collision> or <visual>; *at is the element of its form, NULL where there is no <geometry>. */
static dls_status read_geometry(const reader *r, xmlNode *node, const char *link, dls_link_shape *shape, xmlNode **at)
{
    xmlNode *geometry = dls_xml_child(node, "geometry");
    size_t kind = GEOMETRIES;
    *shape = (dls_link_shape){.place = dls_xml_place(node)};
    *at = geometry ? first_element(geometry->children) : NULL;
    for (size_t i = 0; i < GEOMETRIES && *at; i++)
        kind = dls_xml_is_element(*at, geometries[i].name) ? i : kind;
    if (!geometry)
        return DLS_OK;
    if (kind == GEOMETRIES)
        return dls_fail_at(r->x.error, DLS_REFUSED, r->x.file, xmlGetLineNo(geometry), 1, "geometry",
                           "the <%s> of link '%s' is no box, sphere, cylinder, capsule or mesh", dls_xml_name(node),
                           link);
    if (first_element((*at)->next))
        return dls_xml_bad(&r->x, first_element((*at)->next), "geometry",
                           "a second shape of one <geometry>; write a <collision> or <visual> for each");
    snprintf(shape->link, sizeof shape->link, "%s", link);
    DLS_TRY(read_origin(r, node, &shape->frame));
    return geometries[kind].read(r, *at, shape);
}

/* A <collision> without a <geometry> is nothing, and ignored. */
static dls_status read_collision(reader *r, xmlNode *node, const dls_link_def *link)
{
    dls_link_shape shape;
    xmlNode *at;
    DLS_TRY(read_geometry(r, node, link->name, &shape, &at));
    return at ? dls_articulation_def_add_shape(r->def, &shape, r->x.error) : DLS_OK;
}

/* --- appearance of links --- */

/* The <color> of a material; left alone where it has none. */
static dls_status read_colour(const reader *r, const xmlNode *material, long *colour)
{
    const xmlNode *at = dls_xml_child(material, "color");
    double rgba[4];
    int count = 0;
    if (at)
        DLS_TRY(dls_xml_vector(&r->x, at, "rgba", rgba, 4, &count));
    if (count)
        *colour = dls_xml_colour(rgba);
    return DLS_OK;
}

/* A material that is wrong has no colour, and is no error. */
static dls_status note_material(reader *r, const xmlNode *material)
{
    char name[DLS_NAME_MAX];
    long colour = -1;
    bool there;
    dls_error own;
    const reader silent = {.x = {r->x.file, &own}};
    dls_status status = dls_xml_attribute(&silent.x, material, "name", name, sizeof name, &there);
    if (status == DLS_OK)
        status = read_colour(&silent, material, &colour);
    if (status == DLS_NO_MEMORY ||
        (status == DLS_OK && colour >= 0 && dls_names_add(&r->materials, name, (size_t)colour) == SIZE_MAX))
        return dls_fail(r->x.error, DLS_NO_MEMORY, "no memory for the materials of a robot");
    return DLS_OK;
}

static dls_status note_materials(reader *r, const xmlNode *robot)
{
    for (const xmlNode *m = dls_xml_child(robot, "material"); m; m = dls_xml_next(m->next, "material"))
        DLS_TRY(note_material(r, m));
    for (const xmlNode *link = dls_xml_child(robot, "link"); link; link = dls_xml_next(link->next, "link"))
        for (const xmlNode *v = dls_xml_child(link, "visual"); v; v = dls_xml_next(v->next, "visual"))
            if (dls_xml_child(v, "material"))
                DLS_TRY(note_material(r, dls_xml_child(v, "material")));
    return DLS_OK;
}

static dls_status visual_colour(const reader *r, const xmlNode *material, long *colour)
{
    char name[DLS_NAME_MAX];
    bool there;
    DLS_TRY(dls_xml_attribute(&r->x, material, "name", name, sizeof name, &there));
    const size_t known = dls_names_find(&r->materials, name);
    if (there && known != SIZE_MAX)
        *colour = (long)known;
    return read_colour(r, material, colour);
}

/* *at: as for read_geometry(). */
static dls_status fill_visual(const reader *r, xmlNode *node, dls_link_visual *visual, xmlNode **at)
{
    const xmlNode *material = dls_xml_child(node, "material");
    dls_link_shape shape;
    DLS_TRY(read_geometry(r, node, visual->link, &shape, at));
    if (!*at)
        return DLS_OK;
    visual->shape = shape.shape, visual->size = shape.size, visual->frame = shape.frame;
    visual->radius = shape.radius, visual->length = shape.length;
    memcpy(visual->mesh, shape.mesh, sizeof visual->mesh);
    visual->scale = shape.shape == (int)DLS_SHAPE_NONE ? shape.scale : dls_v3(1, 1, 1);
    return material ? visual_colour(r, material, &visual->colour) : DLS_OK;
}

static dls_status read_visual(reader *r, xmlNode *node, const dls_link_def *link)
{
    dls_error own;
    const reader silent = {.x = {r->x.file, &own}, .materials = r->materials};
    dls_link_visual visual = {.colour = -1, .frame = {.q = {1, 0, 0, 0}}, .place = dls_xml_place(node)};
    xmlNode *at;
    memcpy(visual.link, link->name, sizeof visual.link);
    snprintf(visual.model, sizeof visual.model, "%s", r->x.file);
    const dls_status status = fill_visual(&silent, node, &visual, &at);
    if (status == DLS_NO_MEMORY)
        return dls_fail(r->x.error, status, "no memory for a <visual>");
    if (status != DLS_OK)
        snprintf(visual.wrong, sizeof visual.wrong, "%s%s%.400s", own.key, own.key[0] ? ": " : "", own.message);
    return at || status != DLS_OK ? dls_articulation_def_add_visual(r->def, &visual, r->x.error) : DLS_OK;
}

static dls_status read_link(reader *r, xmlNode *node, dls_link_def *link)
{
    dls_link_default(link);
    link->place = dls_xml_place(node);
    DLS_TRY(dls_xml_required_name(&r->x, node, "name", link->name));
    xmlNode *at = dls_xml_child(node, "inertial");
    if (at)
        DLS_TRY(read_inertial(r, at, link));
    for (at = node->children; at; at = at->next) {
        r->shapes += dls_xml_is_element(at, "visual") || dls_xml_is_element(at, "collision");
        if (dls_xml_is_element(at, "collision"))
            DLS_TRY(read_collision(r, at, link));
        else if (dls_xml_is_element(at, "visual"))
            DLS_TRY(read_visual(r, at, link));
    }
    return DLS_OK;
}

/* --- joints --- */

/* A joint type of URDF and its motion here; without a motion it is refused, or the floating base. */
typedef struct joint_type {
    const char *name, *motion;
    dls_axis axis;
    bool needs_limit; /* a <limit> must be there */
    bool unbounded;   /* its lower and upper mean nothing */
    bool refused;
} joint_type;
static const joint_type types[] = {
    {.name = "fixed", .motion = "fix", .axis = DLS_TWIST},
    {.name = "revolute", .motion = "revolute-unwrapped", .axis = DLS_TWIST, .needs_limit = true},
    {.name = "continuous", .motion = "revolute-unwrapped", .axis = DLS_TWIST, .unbounded = true},
    {.name = "prismatic", .motion = "prismatic", .axis = DLS_X, .needs_limit = true},
    {.name = "floating", .axis = DLS_TWIST},
    {.name = "planar", .axis = DLS_TWIST, .refused = true},
};

static dls_status find_joint_type(const reader *r, xmlNode *node, const joint_type **type)
{
    char name[DLS_NAME_MAX];
    DLS_TRY(dls_xml_required_name(&r->x, node, "type", name));
    for (*type = types; *type < types + sizeof types / sizeof types[0]; ++*type)
        if (strcmp((*type)->name, name) == 0)
            return DLS_OK;
    return dls_fail_at(r->x.error, DLS_BAD_INPUT, r->x.file, xmlGetLineNo(node), 1, "type",
                       "'%s' is none of fixed, revolute, continuous, prismatic, floating", name);
}

/* A joint that does not move has no axis, and may have one without a direction. */
static dls_status joint_axis(const reader *r, xmlNode *node, const joint_type *type, dls_quat *turn)
{
    double axis[3] = {1, 0, 0};
    int count;
    xmlNode *at = dls_xml_child(node, "axis");
    if (at)
        DLS_TRY(dls_xml_vector(&r->x, at, "xyz", axis, 3, &count));
    dls_vec3 a = dls_v3(axis[0], axis[1], axis[2]);
    const bool moves = type->motion && dls_motion_find(type->motion)->n_dofs > 0;
    *turn = dls_quat_identity();
    if (!(dls_norm(a) > 0.0))
        return moves ? dls_xml_bad(&r->x, at, "xyz", "the axis has no direction") : DLS_OK;
    *turn = dls_quat_between(dls_v3(1, 0, 0), dls_unit(a));
    return DLS_OK;
}

static dls_status joint_limits(const reader *r, xmlNode *node, const joint_type *type, dls_link_def *link)
{
    xmlNode *limit = dls_xml_child(node, "limit"), *dynamics = dls_xml_child(node, "dynamics"),
            *mimic = dls_xml_child(node, "mimic");
    if (limit) {
        double lower = 0.0, upper = 0.0;
        DLS_TRY(dls_xml_bound(&r->x, limit, "lower", &lower));
        DLS_TRY(dls_xml_bound(&r->x, limit, "upper", &upper));
        DLS_TRY(dls_xml_bound(&r->x, limit, "effort", &link->force_limit));
        DLS_TRY(dls_xml_bound(&r->x, limit, "velocity", &link->speed_limit));
        if (!type->unbounded)
            link->lower = lower, link->upper = upper;
        if (!(link->lower <= link->upper) || link->lower == HUGE_VAL || link->upper == -HUGE_VAL ||
            !(link->force_limit >= 0.0) || !(link->speed_limit >= 0.0))
            return dls_xml_bad(&r->x, limit, "limit", "needs lower <= upper, effort >= 0 and velocity >= 0");
    } else if (type->needs_limit) {
        return dls_xml_bad(&r->x, node, "limit", "a revolute or prismatic joint needs a <limit>");
    }
    if (dynamics) {
        DLS_TRY(dls_xml_number(&r->x, dynamics, "damping", &link->damping));
        DLS_TRY(dls_xml_number(&r->x, dynamics, "friction", &link->friction));
        if (!(link->damping >= 0.0) || !(link->friction >= 0.0))
            return dls_xml_bad(&r->x, dynamics, "dynamics", "needs damping >= 0 and friction >= 0");
    }
    if (mimic) {
        DLS_TRY(dls_xml_required_name(&r->x, mimic, "joint", link->mimic));
        DLS_TRY(dls_xml_number(&r->x, mimic, "multiplier", &link->multiplier));
        DLS_TRY(dls_xml_number(&r->x, mimic, "offset", &link->offset));
    }
    return DLS_OK;
}

static dls_status end_of_joint(const reader *r, xmlNode *node, const char *end, char name[DLS_NAME_MAX])
{
    xmlNode *at = dls_xml_child(node, end);
    return at ? dls_xml_required_name(&r->x, at, "link", name)
              : dls_xml_bad(&r->x, node, end, "the joint does not name this link");
}

static dls_status read_joint(reader *r, xmlNode *node)
{
    char parent[DLS_NAME_MAX], moved[DLS_NAME_MAX], name[DLS_NAME_MAX];
    const joint_type *type;
    dls_frame at;
    dls_quat turn;
    DLS_TRY(dls_xml_required_name(&r->x, node, "name", name));
    DLS_TRY(find_joint_type(r, node, &type));
    DLS_TRY(end_of_joint(r, node, "parent", parent));
    DLS_TRY(end_of_joint(r, node, "child", moved));
    dls_link_def *link = dls_articulation_def_find(r->def, moved);
    if (!link || !dls_articulation_def_find(r->def, parent))
        return dls_fail_at(r->x.error, DLS_BAD_INPUT, r->x.file, xmlGetLineNo(node), 1, link ? "parent" : "child",
                           "there is no link '%s'", link ? parent : moved);
    if (link->parent[0])
        return dls_fail_at(r->x.error, DLS_BAD_INPUT, r->x.file, xmlGetLineNo(node), 1, "child",
                           "link '%s' is the child of two joints", moved);
    DLS_TRY(read_origin(r, node, &at));
    DLS_TRY(joint_axis(r, node, type, &turn));
    const size_t moves = (size_t)(link - r->def->links), found = dls_names_add(&r->joints, name, moves);
    if (found == SIZE_MAX)
        return dls_fail(r->x.error, DLS_NO_MEMORY, "no memory for the names of joints");
    if (found != moves)
        return dls_xml_fail(&r->x, DLS_BAD_INPUT, node, "name",
                            "duplicate joint '%s', after that of line %ld; rename one of the two", name,
                            r->def->links[found].place.line);
    memcpy(link->joint, name, sizeof name);
    memcpy(link->parent, parent, sizeof parent);
    link->place = dls_xml_place(node);
    link->motion = type->motion ? dls_motion_find(type->motion) : NULL;
    link->axis[0] = type->axis;
    link->parent_frame = (dls_frame){at.p, dls_quat_unit(dls_quat_mul(at.q, turn))};
    link->child_frame = (dls_frame){dls_v3(0, 0, 0), turn};
    if (type->refused)
        return dls_fail_at(
            r->x.error, DLS_REFUSED, r->x.file, xmlGetLineNo(node), 1, "type",
            "joint '%s' is planar, which is no motion type here; write two prismatic joints and a continuous one",
            name);
    return joint_limits(r, node, type, link);
}

/* --- mimic joints --- */

static bool moves_one_way(const dls_link_def *link) { return link->motion && link->motion->n_dofs == 1; }

/* The link whose joint a joint that moves one way follows, and which moves one way, too. */
static dls_status leader_of(const reader *r, size_t i, size_t *leader)
{
    const dls_link_def *link = &r->def->links[i];
    *leader = dls_names_find(&r->joints, link->mimic);
    if (*leader != SIZE_MAX && moves_one_way(link) && moves_one_way(&r->def->links[*leader]))
        return DLS_OK;
    return dls_fail_at(r->x.error, DLS_BAD_INPUT, r->x.file, link->place.line, 1, "mimic",
                       "joint '%s' follows '%s', %s", link->joint, link->mimic,
                       *leader == SIZE_MAX ? "which is no joint" : "and one of the two has not one degree of freedom");
}

/* A joint that follows another, and that one perhaps a third: none follows itself in the end. Walks end where an
 * earlier one has been, so that all of them together pass each link once. */
static dls_status check_mimics(const reader *r)
{
    const size_t n = r->def->n_links;
    size_t *walk = calloc(n + 1, sizeof *walk); /* the walk that passed a link, from 1 */
    dls_status status = walk ? DLS_OK : dls_fail(r->x.error, DLS_NO_MEMORY, "no memory for %zu links", n);
    for (size_t k = 0; status == DLS_OK && k < n; k++)
        for (size_t i = k, next; status == DLS_OK && !walk[i] && r->def->links[i].mimic[0]; i = next) {
            const dls_link_def *link = &r->def->links[i];
            walk[i] = k + 1;
            status = leader_of(r, i, &next);
            if (status == DLS_OK && walk[next] == k + 1)
                status = dls_fail_at(r->x.error, DLS_BAD_INPUT, r->x.file, link->place.line, 1, "mimic",
                                     "joint '%s' follows '%s', and in the end itself", link->joint, link->mimic);
        }
    free(walk);
    return status;
}

/* --- the base --- */

/* A floating joint is the base's: its parent must be the root, have no mass and no other child. */
static dls_status float_base(reader *r, dls_link_def *base)
{
    dls_articulation_def *def = r->def;
    dls_link_def *root = dls_articulation_def_find(r->def, base->parent);
    size_t children = 0;
    for (size_t i = 0; i < def->n_links; i++)
        children += strcmp(def->links[i].parent, root->name) == 0;
    if (root->parent[0] || children != 1 || root->mass > 0.0)
        return dls_fail_at(
            r->x.error, DLS_BAD_INPUT, r->x.file, base->place.line, 1, "type",
            "a floating joint ties the base to a root without mass and other children; this one is elsewhere");
    base->position = base->parent_frame.p;
    base->orientation = dls_quat_mul(base->parent_frame.q, dls_quat_conj(base->child_frame.q));
    base->parent[0] = base->joint[0] = 0;
    base->motion = dls_motion_find("fix");
    base->child_frame = base->parent_frame = (dls_frame){dls_v3(0, 0, 0), dls_quat_identity()};
    size_t kept = 0;
    for (size_t k = 0; k < def->n_visuals; k++)
        if (strcmp(def->visuals[k].link, root->name) != 0)
            def->visuals[kept++] = def->visuals[k];
    def->n_visuals = kept;
    *root = def->links[--def->n_links]; /* the order of definitions is free */
    def->fixed_base = false;
    return DLS_OK;
}

static dls_status read_links(reader *r, xmlNode *robot)
{
    for (xmlNode *node = dls_xml_child(robot, "link"); node; node = dls_xml_next(node->next, "link")) {
        dls_link_def link;
        DLS_TRY(read_link(r, node, &link));
        const dls_link_def *other = dls_articulation_def_find(r->def, link.name);
        if (other)
            return dls_xml_fail(&r->x, DLS_BAD_INPUT, node, "name",
                                "duplicate link '%s', after that of line %ld; rename one of the two", link.name,
                                other->place.line);
        DLS_TRY(dls_articulation_def_add(r->def, &link, r->x.error));
    }
    return r->def->n_links ? DLS_OK : dls_xml_bad(&r->x, robot, "link", "the robot has no links");
}

static dls_status read_robot(void *context, xmlNode *robot)
{
    reader *r = context;
    bool there;
    DLS_TRY(dls_urdf_check_words(&r->x, r->scene, robot));
    DLS_TRY(dls_xml_attribute(&r->x, robot, "name", r->def->name, sizeof r->def->name, &there));
    snprintf(r->def->file, sizeof r->def->file, "%s", r->x.file);
    r->def->fixed_base = true;
    DLS_TRY(note_materials(r, robot));
    DLS_TRY(read_links(r, robot));
    for (xmlNode *node = dls_xml_child(robot, "joint"); node; node = dls_xml_next(node->next, "joint"))
        DLS_TRY(read_joint(r, node));
    DLS_TRY(check_mimics(r));
    for (size_t i = 0; i < r->def->n_links; i++)
        if (!r->def->links[i].motion)
            return float_base(r, &r->def->links[i]);
    return DLS_OK;
}

/* --- the document --- */

dls_status dls_urdf_define(const char *text, size_t size, const char *name, dls_scene *scene,
                           dls_articulation_def **def, size_t *shapes, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    reader r = {.x = {name, error}, .scene = scene};
    *def = NULL;
    DLS_TRY(dls_articulation_def_create(def, error));
    r.def = *def;
    dls_status status = dls_xml_parse(text, size, "robot", &r.x, read_robot, &r);
    dls_names_release(&r.joints);
    dls_names_release(&r.materials);
    if (shapes)
        *shapes = r.shapes;
    if (status != DLS_OK) {
        dls_articulation_def_destroy(*def);
        *def = NULL;
    }
    return status;
}

dls_status dls_urdf_parse(const char *text, size_t size, const char *name, dls_articulation_def **def, size_t *shapes,
                          dls_error *error)
{
    return dls_urdf_define(text, size, name, NULL, def, shapes, error);
}

dls_status dls_urdf_load(const char *path, dls_scene *scene, dls_articulation_def **def, size_t *shapes,
                         dls_error *error)
{
    char *text;
    size_t size;
    *def = NULL;
    DLS_TRY(dls_file_read(path, &text, &size, error));
    dls_status status = dls_urdf_define(text, size, path, scene, def, shapes, error);
    free(text);
    return status;
}

dls_status dls_urdf_read(const char *path, dls_articulation_def **def, size_t *shapes, dls_error *error)
{
    return dls_urdf_load(path, NULL, def, shapes, error);
}
