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
#include "urdf_reader.h"
#include "xml_words.h"

#include "base/arithmetic.h"
#include "delassus/spatial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef dls_urdf_reader reader;

/* --- links --- */

/* An entry of the inertia tensor; an off-diagonal one may be missing, as in files for Bullet, and is 0. */
static dls_status read_moment(const reader *r, const xmlNode *inertia, const char *name, double *to)
{
    const bool diagonal = name[1] == name[2];
    *to = 0.0;
    if (diagonal || dls_xml_has(inertia, name))
        return dls_xml_required_number(&r->x, inertia, name, to);
    return r->x.scene ? dls_scene_note_in(r->x.scene, r->x.file, dls_xml_place(inertia), "inertia",
                                          "ixy, ixz or iyz is missing, and taken as 0", r->x.error)
                      : DLS_OK;
}

static dls_status read_inertial(const reader *r, xmlNode *node, dls_link_def *link)
{
    static const char *const names[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    xmlNode *mass = dls_xml_child(node, "mass"), *inertia = dls_xml_child(node, "inertia");
    dls_frame frame;
    double I[6];
    DLS_TRY(dls_urdf_origin(r, node, &frame));
    if (!mass)
        return dls_xml_bad(&r->x, node, "mass", "<inertial> without <mass>");
    DLS_TRY(dls_xml_required_number(&r->x, mass, "value", &link->mass));
    if (!inertia)
        return dls_xml_bad(&r->x, node, "inertia", "<inertial> without <inertia>");
    for (int i = 0; i < 6; i++)
        DLS_TRY(read_moment(r, inertia, names[i], &I[i]));
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
    DLS_TRY(dls_urdf_origin(r, node, &shape->frame));
    return geometries[kind].read(r, *at, shape);
}

/* A <collision> without a <geometry> is nothing, and ignored; one that is wrong is left out. */
static dls_status read_collision(reader *r, xmlNode *node, const dls_link_def *link)
{
    dls_link_shape shape;
    xmlNode *at;
    const dls_status status = read_geometry(r, node, link->name, &shape, &at);
    if (status != DLS_OK)
        return dls_xml_drop_refused(&r->x, status == DLS_BAD_INPUT || status == DLS_NOT_FINITE ? DLS_REFUSED : status,
                                    DLS_ASPECT_CONTACTS);
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
    const reader silent = {.x = {.file = r->x.file, .error = &own}};
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
    const reader silent = {.x = {.file = r->x.file, .error = &own}, .materials = r->materials};
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
    r->is_template = dls_urdf_is_template(robot);
    DLS_TRY(dls_urdf_check_words(&r->x, robot));
    DLS_TRY(dls_xml_attribute(&r->x, robot, "name", r->def->name, sizeof r->def->name, &there));
    snprintf(r->def->file, sizeof r->def->file, "%s", r->x.file);
    r->def->fixed_base = true;
    DLS_TRY(note_materials(r, robot));
    DLS_TRY(read_links(r, robot));
    return dls_urdf_joints(r, robot);
}

/* --- the document --- */

static dls_status define(const char *text, size_t size, const char *name, dls_scene *scene, dls_articulation_def **def,
                         size_t *shapes, bool *is_template, dls_error *error)
{
    reader r = {.x = {.file = name, .error = error, .scene = scene}};
    *def = NULL;
    *is_template = false;
    DLS_TRY(dls_articulation_def_create(def, error));
    r.def = *def;
    dls_status status = dls_xml_parse(text, size, "robot", &r.x, read_robot, &r);
    dls_names_release(&r.joints);
    dls_names_release(&r.materials);
    *is_template = r.is_template;
    if (shapes)
        *shapes = r.shapes;
    if (status != DLS_OK) {
        dls_articulation_def_destroy(*def);
        *def = NULL;
    }
    return status;
}

/* A template, after its refusal: its expansion. */
static dls_status define_expanded(const char *name, dls_scene *scene, dls_articulation_def **def, size_t *shapes,
                                  dls_status refused, dls_error *error)
{
    char *text;
    size_t size;
    bool is_template;
    const dls_status expanded = dls_xacro_expand(name, &text, &size, error);
    if (expanded != DLS_OK)
        return expanded == DLS_UNAVAILABLE ? refused : expanded;
    dls_status status = define(text, size, name, scene, def, shapes, &is_template, error);
    free(text);
    if (status == DLS_OK && scene)
        status = dls_scene_note_in(scene, name, (dls_place){1, 1}, "xacro",
                                   "a template, expanded by xacro: lines are those of what it wrote", error);
    return status;
}

dls_status dls_urdf_define(const char *text, size_t size, const char *name, dls_scene *scene,
                           dls_articulation_def **def, size_t *shapes, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_error unused;
    bool is_template;
    error = error ? error : &unused;
    const dls_status status = define(text, size, name, scene, def, shapes, &is_template, error);
    return status == DLS_REFUSED && is_template ? define_expanded(name, scene, def, shapes, status, error) : status;
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
