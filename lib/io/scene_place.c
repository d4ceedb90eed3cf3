/* Places of bodies and links that follow from points: between two of them (from, to), towards one (look_at), and on a
 * circle, one turn of a repeat after the other (around). */
#include "scene_reader.h"

#include <math.h>
#include <string.h>

static const dls_field point_field = {"point", "m", DLS_FIELD_VEC3, 0, NULL, 0, 0, false, NULL, "a point"};

static dls_status place_fail(const dls_reader *r, const dls_yaml_node *map, const char *key, const char *message)
{
    const dls_yaml_node *node = dls_yaml_find(map, key);
    return dls_reader_at(r, dls_fail(r->error, DLS_BAD_INPUT, "%s", message), node ? node->place : map->place, key);
}

/* The point of a key of the map, which must be there. */
static dls_status read_point(dls_reader *r, const dls_yaml_node *map, const char *key, dls_vec3 *to)
{
    const dls_yaml_node *node = dls_yaml_find(map, key);
    if (!node)
        return place_fail(r, map, key, "missing: from and to come together");
    return dls_reader_at(r, dls_reader_value(r, &point_field, to, node), node->place, key);
}

static dls_status check_free(const dls_reader *r, const dls_yaml_node *map, const char *keys[])
{
    for (; *keys; keys++)
        if (dls_yaml_find(map, *keys))
            return place_fail(r, map, *keys, "follows from the points; leave it out");
    return DLS_OK;
}

static dls_quat z_along(dls_vec3 d) { return dls_quat_between(dls_v3(0, 0, 1), dls_unit(d)); }

/* section: [x, y], the edges of a box across the line between two points. */
static dls_status read_section(dls_reader *r, const dls_yaml_node *map, double length, dls_body_def *body)
{
    static const dls_field edge = {"section", "m", DLS_FIELD_REAL, 0, NULL, 0, HUGE_VAL, true, NULL, "an edge"};
    const dls_yaml_node *section = dls_yaml_find(map, "section");
    double edges[2];
    if (!section || section->kind != DLS_YAML_LIST || section->count != 2)
        return place_fail(r, map, "section", "a box between two points has a section: [x, y], its edges across them");
    const dls_yaml_node *item = section->first;
    for (size_t i = 0; i < 2; i++, item = item->next)
        DLS_TRY(dls_reader_at(r, dls_reader_value(r, &edge, &edges[i], item), item->place, "section"));
    body->size = dls_v3(edges[0], edges[1], length);
    return DLS_OK;
}

static dls_status place_between(dls_reader *r, const dls_yaml_node *map, dls_body_def *body)
{
    dls_vec3 from, to;
    DLS_TRY(check_free(r, map, (const char *[]){"position", "orientation", "length", "size", "look_at", NULL}));
    DLS_TRY(read_point(r, map, "from", &from));
    DLS_TRY(read_point(r, map, "to", &to));
    const dls_vec3 d = dls_sub(to, from);
    if (!(dls_norm(d) > 0.0))
        return place_fail(r, map, "to", "is where `from` is");
    body->position = dls_scale(0.5, dls_add(from, to));
    body->orientation = z_along(d);
    if (body->shape == DLS_SHAPE_CAPSULE || body->shape == DLS_SHAPE_CYLINDER) {
        body->length = dls_norm(d);
        return DLS_OK;
    }
    if (body->shape != DLS_SHAPE_BOX)
        return place_fail(r, map, "from", "only a capsule, a cylinder and a box lie between two points");
    return read_section(r, map, dls_norm(d), body);
}

dls_status dls_reader_place(dls_reader *r, const dls_yaml_node *map, dls_body_def *body)
{
    dls_vec3 point;
    if (dls_yaml_find(map, "from") || dls_yaml_find(map, "to"))
        return place_between(r, map, body);
    if (dls_yaml_find(map, "section"))
        return place_fail(r, map, "section", "is of a box between two points; give from and to, or size");
    if (!dls_yaml_find(map, "look_at"))
        return DLS_OK;
    DLS_TRY(check_free(r, map, (const char *[]){"orientation", NULL}));
    DLS_TRY(read_point(r, map, "look_at", &point));
    point = dls_sub(point, body->position);
    if (!(dls_norm(point) > 0.0))
        return place_fail(r, map, "look_at", "is where the body is");
    body->orientation = z_along(point);
    return DLS_OK;
}

/* --- on a circle --- */

typedef struct circle {
    dls_vec3 point, axis;
    double angle;
} circle;
static const dls_field circle_keys[] = {
    {"point", "m", DLS_FIELD_VEC3, offsetof(circle, point), "[0, 0, 0]", 0, 0, false, NULL, "a point of its axis"},
    {"axis", "", DLS_FIELD_VEC3, offsetof(circle, axis), "[0, 0, 1]", 0, 0, false, NULL, "direction of its axis"},
    {"angle", "rad", DLS_FIELD_REAL, offsetof(circle, angle), "6.283185307179586", 0, 0, false, NULL,
     "angle of all turns of the repeat together"},
};
static const dls_field_table circle_fields = DLS_FIELD_TABLE(circle_keys, circle);

dls_status dls_reader_circle(dls_reader *r, const dls_yaml_node *map, dls_scene_turn *turn)
{
    static const char *const none[] = {NULL};
    const dls_yaml_node *around = dls_yaml_find(map, "around");
    circle c;
    *turn = (dls_scene_turn){dls_quat_identity(), dls_v3(0, 0, 0), false};
    if (!around)
        return DLS_OK;
    DLS_TRY(dls_reader_expect(r, around, DLS_YAML_MAP, "a map, as in {axis: [0, 0, 1]}"));
    DLS_TRY(dls_fields_default(&circle_fields, &c, r->error));
    DLS_TRY(dls_reader_fields(r, &(dls_definition){"a circle", NULL, {{&circle_fields, &c}}, none}, around));
    if (r->counters.count[0] == 0)
        return place_fail(r, map, "around", "stands only beside repeat");
    if (!(dls_norm(c.axis) > 0.0))
        return place_fail(r, map, "around", "the axis has no direction");
    const double share = (double)r->counters.at[0] / (double)r->counters.count[0];
    *turn = (dls_scene_turn){dls_quat_exp(dls_scale(share * c.angle, dls_unit(c.axis))), c.point, true};
    return DLS_OK;
}

dls_vec3 dls_turn_point(const dls_scene_turn *turn, dls_vec3 p)
{
    return turn->turns ? dls_add(turn->centre, dls_quat_rotate(turn->q, dls_sub(p, turn->centre))) : p;
}

dls_vec3 dls_turn_vector(const dls_scene_turn *turn, dls_vec3 v)
{
    return turn->turns ? dls_quat_rotate(turn->q, v) : v;
}

void dls_turn_body(const dls_scene_turn *turn, dls_body_def *body)
{
    if (!turn->turns)
        return;
    body->position = dls_turn_point(turn, body->position);
    body->orientation = dls_quat_unit(dls_quat_mul(turn->q, body->orientation));
    dls_vec3 *const vectors[] = {&body->velocity, &body->omega, &body->swing, &body->force, &body->torque};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = dls_turn_vector(turn, *vectors[i]);
}

/* Vectors of a struct of settings: points, where the unit is m, and directions; those that are not set stay so. */
void dls_turn_settings(const dls_scene_turn *turn, const dls_field_table *table, void *values)
{
    for (size_t i = 0; turn->turns && i < table->count; i++) {
        dls_vec3 *v = (dls_vec3 *)(void *)((char *)values + table->fields[i].offset);
        if (table->fields[i].kind == DLS_FIELD_VEC3 && dls_finite3(*v))
            *v = strcmp(table->fields[i].unit, "m") == 0 ? dls_turn_point(turn, *v) : dls_turn_vector(turn, *v);
    }
}
