/* The sections of a scene but articulations, tracks and tendons. Keys of a body, a joint or the world are in their
 * field tables. */
#include "scene_shapes.h"

#include <math.h>
#include <string.h>

typedef dls_reader reader;
typedef dls_definition definition;

static const char *const no_others[] = {NULL}, *const body_others[] = {"repeat", NULL},
                         *const placed_others[] = {"repeat",  "from",   "to",     "section",
                                                   "look_at", "around", "shapes", NULL},
                         *const joint_others[] = {"repeat", "type", "coordinates", "around", NULL};

static dls_status add_body(reader *r, const dls_yaml_node *map)
{
    dls_body_def body;
    dls_body_default(&body);
    body.place = map->place;
    DLS_TRY(dls_reader_fields(r, &(definition){"a body", NULL, {{&dls_body_fields, &body}}, placed_others}, map));
    dls_scene_turn turn;
    DLS_TRY(dls_reader_place(r, map, &body));
    DLS_TRY(dls_reader_circle(r, map, &turn));
    dls_turn_body(&turn, &body);
    DLS_TRY(dls_reader_at(r, dls_scene_add_body(r->scene, &body, r->error), map->place, NULL));
    return dls_reader_body_shapes(r, map, &body);
}

static dls_status joint_type(reader *r, const dls_yaml_node *map, dls_joint_def *joint)
{
    const dls_yaml_node *type = dls_yaml_find(map, "type");
    if (!type)
        return dls_reader_at(r, dls_fail(r->error, DLS_BAD_INPUT, "missing; give the joint's type, e.g. type: ball"),
                             map->place, "type");
    DLS_TRY(dls_reader_expect(r, type, DLS_YAML_SCALAR, "the name of a joint type"));
    return dls_reader_at(r, dls_joint_default(joint, type->text, r->error), type->place, "type");
}

/* A gear, or a list of the gears of q, q^2, q^3 and q^4. */
static dls_status joint_gears(reader *r, const dls_yaml_node *node, double gears[DLS_GEARS_MAX])
{
    const dls_field gear = {node->key, "",       DLS_FIELD_REAL, 0,    NULL,
                            -HUGE_VAL, HUGE_VAL, false,          NULL, "gear of a coordinate"};
    if (node->kind != DLS_YAML_LIST)
        return dls_reader_value(r, &gear, gears, node);
    if (node->count < 1 || node->count > DLS_GEARS_MAX)
        return dls_fail(r->error, DLS_BAD_INPUT, "%zu gears; give one to four: those of q, q^2, q^3 and q^4",
                        node->count);
    for (const dls_yaml_node *item = node->first; item; item = item->next)
        DLS_TRY(dls_reader_value(r, &gear, gears++, item));
    return DLS_OK;
}

/* coordinates: {NAME: gear, ..} */
static dls_status joint_coordinates(reader *r, const dls_yaml_node *map, dls_joint_def *joint)
{
    const dls_yaml_node *terms = dls_yaml_find(map, "coordinates");
    if (!terms)
        return DLS_OK;
    DLS_TRY(dls_reader_expect(r, terms, DLS_YAML_MAP,
                              "joint coordinates and their gears, as in {arm.elbow: 1, arm.wrist: -2}"));
    for (const dls_yaml_node *term = terms->first; term; term = term->next) {
        char name[DLS_VALUE_MAX];
        double gears[DLS_GEARS_MAX] = {0.0};
        dls_status status = joint_gears(r, term, gears);
        if (status == DLS_OK)
            status = dls_counters_text(&r->counters, term->key, term, name, r->error);
        if (status == DLS_OK)
            status = dls_joint_couple_polynomial(joint, name, gears, r->error);
        DLS_TRY(dls_reader_at(r, status, term->place, term->key));
        joint->terms[joint->n_terms - 1].place = term->key_place;
    }
    return DLS_OK;
}

static dls_status add_joint(reader *r, const dls_yaml_node *map)
{
    dls_joint_def joint = {0};
    dls_scene_turn turn;
    dls_status status = joint_type(r, map, &joint);
    joint.place = map->place;
    if (status == DLS_OK)
        status = dls_reader_fields(r, &(definition){"a joint", &joint, {{NULL, NULL}}, joint_others}, map);
    if (status == DLS_OK)
        status = dls_reader_circle(r, map, &turn);
    if (status == DLS_OK)
        dls_turn_settings(&turn, joint.settings.table, joint.settings.values);
    if (status == DLS_OK)
        status = joint_coordinates(r, map, &joint);
    if (status == DLS_OK)
        status = dls_reader_at(r, dls_scene_add_joint(r->scene, &joint, r->error), map->place, NULL);
    dls_joint_def_release(&joint);
    return status;
}

/* --- sections --- */

static const dls_field name_field[] = {
    {"name", "", DLS_FIELD_NAME, offsetof(dls_scene, name), "", 0, 0, false, NULL, "name of the scene in tables"},
};
static const dls_field_table scene_fields = DLS_FIELD_TABLE(name_field, dls_scene);

static dls_status read_name(reader *r, const dls_yaml_node *node)
{
    DLS_TRY(dls_reader_expect(r, node, DLS_YAML_SCALAR, "a name"));
    return dls_reader_at(r, dls_field_set(&scene_fields, r->scene, node->key, node->text, r->error), node->place,
                         node->key);
}

static dls_status read_world(reader *r, const dls_yaml_node *node)
{
    DLS_TRY(dls_reader_expect(r, node, DLS_YAML_MAP, "a map"));
    return dls_reader_fields(r, &(definition){"the world", NULL, {{&dls_world_fields, &r->scene->world}}, no_others},
                             node);
}

static dls_status read_articulations(reader *r, const dls_yaml_node *node)
{
    DLS_TRY(dls_reader_expect(r, node, DLS_YAML_LIST, "a list of articulations"));
    for (const dls_yaml_node *map = node->first; map; map = map->next) {
        dls_status status = dls_reader_expect(r, map, DLS_YAML_MAP, "an articulation, a map as in '- name: arm'");
        dls_counters_reset(&r->counters); /* of the links of the one before */
        if (status == DLS_OK)
            status = dls_reader_articulation(r, map);
        DLS_TRY(dls_reader_at(r, status, map->place, node->key));
    }
    return DLS_OK;
}

static dls_status add_sensor(reader *r, const dls_yaml_node *map)
{
    dls_sensor_def sensor;
    dls_sensor_default(&sensor);
    sensor.place = map->place;
    DLS_TRY(dls_reader_fields(r, &(definition){"a sensor", NULL, {{&dls_sensor_fields, &sensor}}, body_others}, map));
    return dls_reader_at(r, dls_scene_add_sensor(r->scene, &sensor, r->error), map->place, NULL);
}

static dls_status add_apart(reader *r, const dls_yaml_node *map)
{
    dls_apart_def apart;
    dls_apart_default(&apart);
    apart.place = map->place;
    DLS_TRY(dls_reader_fields(r, &(definition){"a pair", NULL, {{&dls_apart_fields, &apart}}, body_others}, map));
    return dls_reader_at(r, dls_scene_add_apart(r->scene, &apart, r->error), map->place, NULL);
}

static dls_status add_surface(reader *r, const dls_yaml_node *map)
{
    dls_shape_surface surface;
    dls_shape_surface_default(&surface);
    surface.place = map->place;
    DLS_TRY(dls_reader_fields(r, &(definition){"a surface", NULL, {{&dls_shape_surface_fields, &surface}}, body_others},
                              map));
    return dls_reader_at(r, dls_scene_add_surface(r->scene, &surface, r->error), map->place, NULL);
}

static dls_status add_pair(reader *r, const dls_yaml_node *map)
{
    dls_surface_pair pair;
    dls_surface_pair_default(&pair);
    pair.place = map->place;
    DLS_TRY(dls_reader_fields(
        r, &(definition){"a pair of surfaces", NULL, {{&dls_surface_pair_fields, &pair}}, body_others}, map));
    return dls_reader_at(r, dls_scene_add_pair(r->scene, &pair, r->error), map->place, NULL);
}

/* A section of one kind of definition has a list of them, which add() adds; the others have a reader. */
static const struct {
    const char *key;
    dls_status (*read)(reader *, const dls_yaml_node *);
    const char *list, *item;
    dls_status (*add)(reader *, const dls_yaml_node *);
} sections[] = {
    {"name", read_name, NULL, NULL, NULL},
    {"world", read_world, NULL, NULL, NULL},
    {"bodies", NULL, "a list of bodies", "a body, a map as in '- name: bob'", add_body},
    {"articulations", read_articulations, NULL, NULL, NULL},
    {"tracks", dls_reader_tracks, NULL, NULL, NULL},
    {"joints", NULL, "a list of joints", "a joint, a map as in '- name: pivot'", add_joint},
    {"sensors", NULL, "a list of sensors", "a sensor, a map as in '- name: wrist'", add_sensor},
    {"apart", NULL, "a list of pairs", "a pair, a map as in '- {body1: a, body2: b}'", add_apart},
    {"surfaces", NULL, "a list of surfaces", "a surface, a map as in '- {name: rubber, mu: 0.9}'", add_surface},
    {"pairs", NULL, "a list of pairs", "a pair, a map as in '- {surface1: rubber, surface2: ice, mu: 0.1}'", add_pair},
    {"tendons", dls_reader_tendons, NULL, NULL, NULL},
    {"constants", NULL, NULL, NULL, NULL}, /* before all others, */
    {"changes", NULL, NULL, NULL, NULL},   /* after them */
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

const char *dls_reader_section_key(const void *unused, size_t i)
{
    (void)unused;
    return i < SECTIONS ? sections[i].key : NULL;
}

static dls_status unknown_section(reader *r, const dls_yaml_node *node)
{
    static const char all[] = "a scene has name, constants, world, bodies, articulations, tracks, joints, tendons, "
                              "sensors, apart, surfaces, pairs and changes";
    const char *nearest = dls_nearest_word(node->key, dls_reader_section_key, NULL);
    const dls_status status = dls_fail(r->error, DLS_BAD_INPUT, "unknown key%s", dls_hint_of(nearest, all).text);
    return dls_reader_at(r, status, node->key_place, node->key);
}

dls_status dls_reader_section(reader *r, const dls_yaml_node *section)
{
    size_t i = 0;
    while (i < SECTIONS && strcmp(sections[i].key, section->key) != 0)
        i++;
    if (i == SECTIONS)
        return unknown_section(r, section);
    if (sections[i].read)
        DLS_TRY(sections[i].read(r, section));
    else if (sections[i].add)
        DLS_TRY(dls_reader_list(r, section, sections[i].list, sections[i].item, sections[i].add));
    dls_counters_reset(&r->counters);
    return DLS_OK;
}
