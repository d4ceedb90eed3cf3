/* Tracks of a scene: a curve, and a twist if there is one. doc/scene-format.md. */
#include "scene_reader.h"

#include <string.h>

static dls_status track_missing(const dls_reader *r, const dls_yaml_node *map, const char *key, const char *message)
{
    return dls_reader_at(r, dls_fail(r->error, DLS_BAD_INPUT, "%s", message), map->place, key);
}

/* The value of `type`. */
static dls_status find_type(const dls_reader *r, const dls_yaml_node *map, const char *message,
                            const dls_yaml_node **type)
{
    *type = dls_yaml_find(map, "type");
    return *type ? dls_reader_expect(r, *type, DLS_YAML_SCALAR, "the name of a type")
                 : track_missing(r, map, "type", message);
}

/* An error of a definition, at the key of its map that it is about. */
static dls_status fail_at_key(const dls_reader *r, dls_status status, const dls_yaml_node *map)
{
    const dls_yaml_node *node = status != DLS_OK && r->error ? dls_yaml_find(map, r->error->key) : NULL;
    return dls_reader_at(r, status, node ? node->place : map->place, NULL);
}

/* --- points --- */

static dls_status read_points(dls_reader *r, const dls_yaml_node *map, const char *what,
                              dls_status (*add)(dls_reader *, const dls_yaml_node *, void *), void *def)
{
    const dls_yaml_node *points = dls_yaml_find(map, "points");
    if (!points)
        return DLS_OK;
    DLS_TRY(dls_reader_expect(r, points, DLS_YAML_LIST, what));
    for (const dls_yaml_node *point = points->first; point; point = point->next)
        DLS_TRY(dls_reader_at(r, add(r, point, def), point->place, "points"));
    return DLS_OK;
}

static dls_status add_point(dls_reader *r, const dls_yaml_node *node, void *def)
{
    const dls_field field = {"points", "m", DLS_FIELD_VEC3, 0, NULL, 0, 0, false, NULL, "a point"};
    dls_vec3 point;
    DLS_TRY(dls_reader_value(r, &field, &point, node));
    return dls_curve_add_point(def, point, r->error);
}

static dls_status add_pair(dls_reader *r, const dls_yaml_node *node, void *def)
{
    static const dls_field fields[] = {
        {"s", "m", DLS_FIELD_REAL, 0, NULL, 0, 0, false, NULL, "arc length"},
        {"angle", "rad", DLS_FIELD_REAL, 0, NULL, 0, 0, false, NULL, "angle of the twist at this arc length"}};
    double at[2];
    DLS_TRY(dls_reader_expect(r, node, DLS_YAML_LIST, "a pair [s, angle]"));
    if (node->count != 2)
        return dls_fail(r->error, DLS_BAD_INPUT, "expected a pair [s, angle]");
    const dls_yaml_node *item = node->first;
    for (size_t i = 0; i < 2; i++, item = item->next)
        DLS_TRY(dls_reader_value(r, &fields[i], &at[i], item));
    return dls_twist_add_point(def, at[0], at[1], r->error);
}

/* --- a curve --- */

static const char *const curve_others[] = {"type", "points", "pieces", NULL};

static dls_status read_curve(dls_reader *r, const dls_yaml_node *map, dls_curve_def *def);

static dls_status read_pieces(dls_reader *r, const dls_yaml_node *map, dls_curve_def *def)
{
    const dls_yaml_node *pieces = dls_yaml_find(map, "pieces");
    if (!pieces)
        return DLS_OK;
    DLS_TRY(dls_reader_expect(r, pieces, DLS_YAML_LIST, "a list of curves"));
    for (const dls_yaml_node *node = pieces->first; node; node = node->next) {
        dls_curve_def piece = {0};
        dls_status status = read_curve(r, node, &piece);
        if (status == DLS_OK)
            status = dls_reader_at(r, dls_curve_add_piece(def, &piece, r->error), node->place, "pieces");
        dls_curve_def_release(&piece);
        DLS_TRY(status);
    }
    return DLS_OK;
}

/* The definition is released by the caller, also on failure. */
static dls_status read_curve(dls_reader *r, const dls_yaml_node *map, dls_curve_def *def)
{
    const dls_yaml_node *type;
    DLS_TRY(dls_reader_expect(r, map, DLS_YAML_MAP, "a curve, a map as in {type: line, length: 2 m}"));
    DLS_TRY(find_type(r, map, "missing; give the curve's type, e.g. type: line", &type));
    DLS_TRY(dls_reader_at(r, dls_curve_default(def, type->text, r->error), type->place, "type"));
    DLS_TRY(dls_reader_fields(r, &(dls_definition){"a curve", NULL, {def->settings}, curve_others}, map));
    DLS_TRY(read_points(r, map, "a list of points [x, y, z]", add_point, def));
    DLS_TRY(read_pieces(r, map, def));
    dls_curve *curve; /* made for its errors alone: here the place of each piece in the file is known */
    dls_status status = dls_curve_create(def, &curve, r->error);
    dls_curve_destroy(curve);
    return fail_at_key(r, status, map);
}

/* --- a twist --- */

static const char *const twist_others[] = {"type", "points", NULL};

static dls_status read_twist(dls_reader *r, const dls_yaml_node *map, dls_twist_def *def)
{
    const dls_yaml_node *type;
    DLS_TRY(dls_reader_expect(r, map, DLS_YAML_MAP, "a twist, a map as in {type: constant, angle: 5 deg}"));
    DLS_TRY(find_type(r, map, "missing; give the twist's type, e.g. type: constant", &type));
    DLS_TRY(dls_reader_at(r, dls_twist_default(def, type->text, r->error), type->place, "type"));
    DLS_TRY(dls_reader_fields(r, &(dls_definition){"a twist", NULL, {def->settings}, twist_others}, map));
    return read_points(r, map, "a list of pairs [s, angle]", add_pair, def);
}

/* --- a track --- */

static const dls_field name_field[] = {
    {"name", "", DLS_FIELD_NAME, offsetof(dls_track_def, name), NULL, 0, 0, false, NULL, "name of the track in joints"},
};
static const dls_field_table track_fields = DLS_FIELD_TABLE(name_field, dls_track_def);

static const char *const track_others[] = {"curve", "twist", "repeat", NULL};

static dls_status read_track(dls_reader *r, const dls_yaml_node *map, dls_track_def *def)
{
    const dls_yaml_node *curve = dls_yaml_find(map, "curve"), *twist = dls_yaml_find(map, "twist");
    DLS_TRY(dls_reader_fields(r, &(dls_definition){"a track", NULL, {{&track_fields, def}}, track_others}, map));
    if (!curve)
        return track_missing(r, map, "curve", "missing; a track has a curve, as in curve: {type: line, length: 2 m}");
    DLS_TRY(read_curve(r, curve, &def->curve));
    if (twist) {
        DLS_TRY(read_twist(r, twist, &def->twist));
        dls_track track; /* likewise */
        dls_status status = dls_track_create(def, &track, r->error);
        dls_track_release(&track);
        DLS_TRY(fail_at_key(r, status, twist));
    }
    return dls_reader_at(r, dls_scene_add_track(r->scene, def, r->error), map->place, NULL);
}

static dls_status add_track(dls_reader *r, const dls_yaml_node *map)
{
    dls_track_def def = {.line = map->place.line, .column = map->place.column};
    dls_status status = read_track(r, map, &def);
    dls_track_def_release(&def);
    return status;
}

dls_status dls_reader_tracks(dls_reader *r, const dls_yaml_node *node)
{
    return dls_reader_list(r, node, "a list of tracks", "a track, a map as in '- name: rail'", add_track);
}
