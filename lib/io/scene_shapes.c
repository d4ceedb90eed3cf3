/* The list `shapes` of a body, and the lists `shapes`, `visuals` and `ellipsoids` of a link: doc/scene-format.md. */
#include "scene_shapes.h"

#include "xml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELD(key, unit, kind, member, fallback, help)                                                    \
    {                                                                                                     \
        key, unit, DLS_FIELD_##kind, offsetof(dls_scene_shape, member), fallback, 0, 0, false, NULL, help \
    }
static const dls_field shape_fields[] = {
    {"shape", "", DLS_FIELD_CHOICE, offsetof(dls_scene_shape, shape), NULL, 0, 0, false, dls_shape_names,
     "box, sphere, capsule, cylinder, ellipsoid or mesh"},
    FIELD("size", "m", VEC3, size, "", "edge lengths of a box, or lengths of the axes of an ellipsoid, along its axes"),
    FIELD("radius", "m", REAL, radius, "", "radius of a sphere, capsule or cylinder"),
    FIELD("length", "m", REAL, length, "",
          "length of a cylinder, or distance between the cap centres of a capsule, along its z axis"),
    FIELD("scale", "", VEC3, scale, "[1, 1, 1]", "of a mesh: factors of its coordinates"),
    FIELD("position", "m", VEC3, position, "[0, 0, 0]",
          "its centre, or the origin of a mesh, from the centre of mass of its body or link, in its axes"),
    FIELD("orientation", "", QUAT, orientation, "[1, 0, 0, 0]", "rotation from its axes to those of its body or link"),
};
const dls_field_table dls_scene_shape_fields = DLS_FIELD_TABLE(shape_fields, dls_scene_shape);

static const dls_field touch_fields[] = {
    {"surface", "", DLS_FIELD_NAME, offsetof(dls_scene_touch, surface), "", 0, 0, false, NULL,
     "of a shape: name of its surface; default: that of its body or link"},
};
const dls_field_table dls_scene_touch_fields = DLS_FIELD_TABLE(touch_fields, dls_scene_touch);

static const dls_field look_fields[] = {
    {"colour", "", DLS_FIELD_VEC3, offsetof(dls_scene_look, colour), "", 0, 1, false, NULL,
     "of a visual: red, green and blue, from 0 to 1; default: that of the link"},
};
const dls_field_table dls_scene_look_fields = DLS_FIELD_TABLE(look_fields, dls_scene_look);

/* --- from a definition --- */

dls_scene_shape dls_scene_shape_of(int shape, dls_vec3 size, double radius, double length, dls_vec3 scale,
                                   dls_vec3 position, dls_quat orientation)
{
    const bool round = shape == DLS_SHAPE_CAPSULE || shape == DLS_SHAPE_CYLINDER;
    return (dls_scene_shape){.shape = shape == DLS_SHAPE_NONE ? (int)DLS_SHAPE_MESH : shape,
                             .size = dls_shape_is_sized(shape) ? size : dls_v3(NAN, NAN, NAN),
                             .radius = round || shape == DLS_SHAPE_SPHERE ? radius : NAN,
                             .length = round ? length : NAN,
                             .scale = shape == DLS_SHAPE_NONE ? scale : dls_v3(1, 1, 1),
                             .position = position,
                             .orientation = dls_quat_unit(orientation)};
}

dls_scene_look dls_scene_look_of(long colour)
{
    const double byte = 255.0;
    return colour < 0 ? (dls_scene_look){dls_v3(NAN, NAN, NAN)}
                      : (dls_scene_look){dls_v3((double)(colour >> 16 & 255) / byte, (double)(colour >> 8 & 255) / byte,
                                                (double)(colour & 255) / byte)};
}

/* --- reading --- */

typedef struct item {
    dls_scene_shape shape;
    dls_scene_touch touch;
    dls_scene_look look;
    char mesh[DLS_PATH_MAX];
} item;

static dls_status shape_fail(const dls_reader *r, const dls_yaml_node *map, const char *key, const char *message)
{
    return dls_reader_at(r, dls_fail(r->error, DLS_BAD_INPUT, "%s", message), map->place, key);
}

static dls_status read_mesh_name(dls_reader *r, const dls_yaml_node *map, item *to)
{
    const dls_yaml_node *mesh = dls_yaml_find(map, "mesh");
    const bool wanted = to->shape.shape == DLS_SHAPE_MESH;
    to->mesh[0] = '\0';
    if (!mesh)
        return wanted ? shape_fail(r, map, "mesh", "missing; a mesh needs a file") : DLS_OK;
    DLS_TRY(dls_reader_expect(r, mesh, DLS_YAML_SCALAR, "the name of a file"));
    if (!wanted)
        return shape_fail(r, mesh, "mesh", "only the shape mesh has a file; write shape: mesh");
    return (size_t)snprintf(to->mesh, sizeof to->mesh, "%s", mesh->text) < sizeof to->mesh && mesh->text[0]
               ? DLS_OK
               : shape_fail(r, mesh, "mesh", "needs the name of a file that is not too long");
}

/* The dimensions are checked as those of a body. */
static dls_status check_item(dls_reader *r, const dls_yaml_node *map, const item *of)
{
    const dls_scene_shape *s = &of->shape;
    dls_body_def body;
    dls_body_default(&body);
    if (s->shape == DLS_SHAPE_NONE || s->shape == DLS_SHAPE_PLANE || s->shape == DLS_SHAPE_TERRAIN)
        return shape_fail(r, map, "shape", "must be box, sphere, capsule, cylinder, ellipsoid or mesh");
    body.shape = s->shape, body.size = s->size, body.radius = s->radius, body.length = s->length;
    body.scale = s->scale;
    body.mesh[0] = of->mesh[0];
    body.place = map->place;
    return dls_body_shape(&body, r->scene->file, r->error);
}

static dls_status read_item(dls_reader *r, const dls_yaml_node *map, bool looks, item *to)
{
    static const char *const others[] = {"mesh", NULL};
    dls_definition definition = {looks ? "a visual" : "a shape", NULL, {{&dls_scene_shape_fields, &to->shape}}, others};
    definition.parts[1] =
        looks ? (dls_settings){&dls_scene_look_fields, &to->look} : (dls_settings){&dls_scene_touch_fields, &to->touch};
    DLS_TRY(dls_reader_expect(r, map, DLS_YAML_MAP, "a shape, a map as in {shape: sphere, radius: 5 cm}"));
    DLS_TRY(dls_fields_default(&dls_scene_shape_fields, &to->shape, r->error));
    DLS_TRY(dls_fields_default(&dls_scene_touch_fields, &to->touch, r->error));
    DLS_TRY(dls_fields_default(&dls_scene_look_fields, &to->look, r->error));
    DLS_TRY(dls_reader_fields(r, &definition, map));
    DLS_TRY(dls_reader_at(r, dls_fields_require(&dls_scene_shape_fields, &to->shape, r->error), map->place, NULL));
    DLS_TRY(read_mesh_name(r, map, to));
    return check_item(r, map, to);
}

/* `def` (or NULL): the articulation whose link it is; else a body of the scene. */
static dls_status add_shape(dls_reader *r, const dls_body_def *body, const dls_yaml_node *map, const item *from,
                            dls_articulation_def *def)
{
    const dls_scene_shape *s = &from->shape;
    const bool mesh = s->shape == DLS_SHAPE_MESH;
    dls_link_shape shape = {.shape = mesh ? (int)DLS_SHAPE_NONE : s->shape,
                            .size = s->size,
                            .radius = s->radius,
                            .length = s->length,
                            .frame = {s->position, s->orientation},
                            .scale = s->scale,
                            .passes = !body->collide,
                            .place = map->place};
    memcpy(shape.link, body->name, sizeof shape.link);
    memcpy(shape.mesh, from->mesh, sizeof shape.mesh);
    memcpy(shape.surface, from->touch.surface[0] ? from->touch.surface : body->surface, sizeof shape.surface);
    return def ? dls_articulation_def_add_shape(def, &shape, r->error)
               : dls_scene_add_body_shape(r->scene, &shape, r->error);
}

static dls_status add_visual(dls_reader *r, const char *link, const dls_yaml_node *map, const item *from,
                             dls_articulation_def *def)
{
    const dls_scene_shape *s = &from->shape;
    const bool mesh = s->shape == DLS_SHAPE_MESH;
    const double rgb[3] = {from->look.colour.x, from->look.colour.y, from->look.colour.z};
    dls_link_visual visual = {.shape = mesh ? (int)DLS_SHAPE_NONE : s->shape,
                              .size = s->size,
                              .radius = s->radius,
                              .length = s->length,
                              .frame = {s->position, s->orientation},
                              .colour = isnan(rgb[0]) ? -1 : dls_xml_colour(rgb),
                              .scale = s->scale,
                              .place = map->place};
    snprintf(visual.link, sizeof visual.link, "%s", link);
    snprintf(visual.model, sizeof visual.model, "%s", r->scene->file);
    memcpy(visual.mesh, from->mesh, sizeof visual.mesh);
    return dls_articulation_def_add_visual(def, &visual, r->error);
}

static dls_status read_ellipsoids(dls_reader *r, const dls_yaml_node *link, const char *name, dls_articulation_def *def)
{
    static const char *const others[] = {NULL};
    const dls_yaml_node *list = dls_yaml_find(link, "ellipsoids");
    if (list)
        DLS_TRY(dls_reader_expect(r, list, DLS_YAML_LIST, "a list of ellipsoids"));
    for (const dls_yaml_node *map = list ? list->first : NULL; map; map = map->next) {
        dls_link_ellipsoid one;
        const dls_definition definition = {"an ellipsoid", NULL, {{&dls_link_ellipsoid_fields, &one}}, others};
        DLS_TRY(dls_reader_expect(r, map, DLS_YAML_MAP, "an ellipsoid, a map as in {half_axes: [1 cm, 2 cm, 3 cm]}"));
        DLS_TRY(dls_fields_default(&dls_link_ellipsoid_fields, &one, r->error));
        DLS_TRY(dls_reader_fields(r, &definition, map));
        DLS_TRY(dls_reader_at(r, dls_fields_require(&dls_link_ellipsoid_fields, &one, r->error), map->place, NULL));
        snprintf(one.link, sizeof one.link, "%s", name);
        one.place = map->place;
        DLS_TRY(dls_articulation_def_add_ellipsoid(def, &one, r->error));
    }
    return DLS_OK;
}

/* A list of shapes or, if it `looks`, visuals. */
static dls_status read_list(dls_reader *r, const dls_yaml_node *owner, const dls_body_def *body, bool looks,
                            dls_articulation_def *def)
{
    const dls_yaml_node *list = dls_yaml_find(owner, looks ? "visuals" : "shapes");
    if (list)
        DLS_TRY(dls_reader_expect(r, list, DLS_YAML_LIST, "a list of shapes"));
    for (const dls_yaml_node *map = list ? list->first : NULL; map; map = map->next) {
        item one;
        DLS_TRY(read_item(r, map, looks, &one));
        DLS_TRY(looks ? add_visual(r, body->name, map, &one, def) : add_shape(r, body, map, &one, def));
    }
    return DLS_OK;
}

dls_status dls_reader_link_shapes(dls_reader *r, const dls_yaml_node *link, const dls_body_def *body,
                                  dls_articulation_def *def)
{
    DLS_TRY(read_list(r, link, body, false, def));
    DLS_TRY(read_list(r, link, body, true, def));
    return read_ellipsoids(r, link, body->name, def);
}

dls_status dls_reader_body_shapes(dls_reader *r, const dls_yaml_node *map, const dls_body_def *body)
{
    return read_list(r, map, body, false, NULL);
}
