/* Scenes in YAML: doc/scene-format.md. This file has the structure of a scene, and no key of a body, a joint or the
 * world: these are in their field tables. */
#include "scene_reader.h"

#include "base/arithmetic.h"
#include "file.h"
#include "formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bodies, links, tracks and joints of a scene: a repeat of a few bytes must not fill the memory. */
enum { PARTS_MAX = 250000 };

typedef dls_reader reader;
typedef dls_definition definition;

dls_status dls_reader_at(const reader *r, dls_status status, dls_place place, const char *key)
{
    return status == DLS_OK ? DLS_OK : dls_fail_place(r->error, status, r->scene->file, place.line, place.column, key);
}

dls_status dls_reader_expect(const reader *r, const dls_yaml_node *node, dls_yaml_kind kind, const char *what)
{
    if (node->kind == kind)
        return DLS_OK;
    dls_status status = dls_fail(r->error, DLS_BAD_INPUT, "expected %s, found %s", what,
                                 node->kind == DLS_YAML_SCALAR && node->empty ? "nothing" : dls_yaml_kind_text(node));
    return dls_reader_at(r, status, node->place, node->key);
}

/* --- definitions, through their field tables --- */

static bool is_other(const definition *of, const char *key)
{
    const char *const *other = of->others;
    while (*other && strcmp(*other, key) != 0)
        other++;
    return *other != NULL;
}

static const char *key_at(const void *context, size_t i)
{
    const definition *of = context;
    for (const dls_settings *part = of->parts; part < of->parts + 2 && part->table; part++) {
        if (i < part->table->count)
            return part->table->fields[i].key;
        i -= part->table->count;
    }
    return of->others[i];
}

static dls_status unknown_key(const definition *of, const char *key, dls_error *error)
{
    char keys[DLS_MESSAGE_MAX - 128] = "";
    const char *nearest = dls_nearest_word(key, key_at, of), *one;
    if (nearest)
        return dls_fail(error, DLS_BAD_INPUT, "unknown key of %s; did you mean '%s'?", of->what, nearest);
    for (size_t i = 0, used = 0; (one = key_at(of, i)) && used < sizeof keys; i++)
        used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s", i ? ", " : "", one);
    return dls_fail(error, DLS_BAD_INPUT, "unknown key of %s; the keys are: %s", of->what, keys);
}

/* The settings that have the key, and its field; a joint knows its own. */
static const dls_field *find_field(const definition *of, const char *key, const dls_settings **in)
{
    const dls_field *field = of->joint ? dls_joint_field(of->joint, key) : NULL;
    for (*in = of->parts; !of->joint && *in < of->parts + 2 && (*in)->table; ++*in)
        if ((field = dls_field_find((*in)->table, key)))
            return field;
    return field;
}

static dls_status set_joint(dls_joint_def *joint, const char *key, const dls_scene_value *value, dls_error *error)
{
    return value->count ? dls_joint_set_numbers(joint, key, value->numbers, value->count, error)
                        : dls_joint_set(joint, key, value->text, error);
}

dls_status dls_reader_fields(reader *r, const definition *of, const dls_yaml_node *map)
{
    for (const dls_yaml_node *child = map->first; child; child = child->next) {
        dls_scene_value value;
        const dls_settings *in;
        if (is_other(of, child->key))
            continue;
        const dls_field *field = find_field(of, child->key, &in);
        if (!field)
            return dls_reader_at(r,
                                 of->joint ? dls_joint_set(of->joint, child->key, "", r->error)
                                           : unknown_key(of, child->key, r->error),
                                 child->key_place, child->key);
        dls_status status = dls_counters_value(&r->counters, field, child, &value, r->error);
        if (status == DLS_OK)
            status = of->joint ? set_joint(of->joint, child->key, &value, r->error)
                               : dls_scene_value_set(&value, in, child->key, r->error);
        DLS_TRY(dls_reader_at(r, status, child->place, child->key));
    }
    return DLS_OK;
}

dls_status dls_reader_value(reader *r, const dls_field *field, void *to, const dls_yaml_node *node)
{
    dls_scene_value value;
    const dls_field_table table = {field, 1, 0};
    DLS_TRY(dls_counters_value(&r->counters, field, node, &value, r->error));
    return dls_scene_value_set(&value, &(dls_settings){&table, to}, field->key, r->error);
}

static const char *const no_others[] = {NULL}, *const body_others[] = {"repeat", NULL},
                         *const joint_others[] = {"repeat", "type", "coordinates", NULL};

static dls_status add_body(reader *r, const dls_yaml_node *map)
{
    dls_body_def body;
    dls_body_default(&body);
    body.place = map->place;
    DLS_TRY(dls_reader_fields(r, &(definition){"a body", NULL, {{&dls_body_fields, &body}}, body_others}, map));
    return dls_reader_at(r, dls_scene_add_body(r->scene, &body, r->error), map->place, NULL);
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
        double value = 0.0;
        const dls_field gear = {term->key, "",       DLS_FIELD_REAL, 0,    NULL,
                                -HUGE_VAL, HUGE_VAL, false,          NULL, "gear of a coordinate"};
        dls_status status = dls_reader_value(r, &gear, &value, term);
        if (status == DLS_OK)
            status = dls_counters_text(&r->counters, term->key, term, name, r->error);
        if (status == DLS_OK)
            status = dls_joint_couple(joint, name, value, r->error);
        DLS_TRY(dls_reader_at(r, status, term->place, term->key));
        joint->terms[joint->n_terms - 1].place = term->key_place;
    }
    return DLS_OK;
}

static dls_status add_joint(reader *r, const dls_yaml_node *map)
{
    dls_joint_def joint = {0};
    dls_status status = joint_type(r, map, &joint);
    joint.place = map->place;
    if (status == DLS_OK)
        status = dls_reader_fields(r, &(definition){"a joint", &joint, {{NULL, NULL}}, joint_others}, map);
    if (status == DLS_OK)
        status = joint_coordinates(r, map, &joint);
    if (status == DLS_OK)
        status = dls_reader_at(r, dls_scene_add_joint(r->scene, &joint, r->error), map->place, NULL);
    dls_joint_def_release(&joint);
    return status;
}

/* --- sections --- */

static dls_status read_turns(reader *r, const dls_yaml_node *map, dls_status (*add)(reader *, const dls_yaml_node *))
{
    const dls_yaml_node *repeat = dls_yaml_find(map, "repeat");
    DLS_TRY(dls_reader_at(r, dls_counters_read(repeat, &r->counters, r->error), map->place, "repeat"));
    do
        DLS_TRY(add(r, map));
    while (dls_counters_turn(&r->counters));
    return DLS_OK;
}

dls_status dls_reader_list(reader *r, const dls_yaml_node *list, const char *what, const char *item,
                           dls_status (*add)(reader *, const dls_yaml_node *))
{
    DLS_TRY(dls_reader_expect(r, list, DLS_YAML_LIST, what));
    for (const dls_yaml_node *map = list->first; map; map = map->next) {
        dls_status status = dls_reader_expect(r, map, DLS_YAML_MAP, item);
        if (status == DLS_OK)
            status = read_turns(r, map, add);
        DLS_TRY(dls_reader_at(r, status, map->place, list->key));
    }
    return DLS_OK;
}

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

static dls_status read_bodies(reader *r, const dls_yaml_node *node)
{
    return dls_reader_list(r, node, "a list of bodies", "a body, a map as in '- name: bob'", add_body);
}

static dls_status read_articulations(reader *r, const dls_yaml_node *node)
{
    DLS_TRY(dls_reader_expect(r, node, DLS_YAML_LIST, "a list of articulations"));
    for (const dls_yaml_node *map = node->first; map; map = map->next) {
        dls_status status = dls_reader_expect(r, map, DLS_YAML_MAP, "an articulation, a map as in '- name: arm'");
        memset(&r->counters, 0, sizeof r->counters); /* of the links of the one before */
        if (status == DLS_OK)
            status = dls_reader_articulation(r, map);
        DLS_TRY(dls_reader_at(r, status, map->place, node->key));
    }
    return DLS_OK;
}

static dls_status read_joints(reader *r, const dls_yaml_node *node)
{
    return dls_reader_list(r, node, "a list of joints", "a joint, a map as in '- name: pivot'", add_joint);
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

static dls_status read_apart(reader *r, const dls_yaml_node *node)
{
    return dls_reader_list(r, node, "a list of pairs", "a pair, a map as in '- {body1: a, body2: b}'", add_apart);
}

static dls_status read_sensors(reader *r, const dls_yaml_node *node)
{
    return dls_reader_list(r, node, "a list of sensors", "a sensor, a map as in '- name: wrist'", add_sensor);
}

static const struct {
    const char *key;
    dls_status (*read)(reader *, const dls_yaml_node *);
} sections[] = {
    {"name", read_name},
    {"world", read_world},
    {"bodies", read_bodies},
    {"articulations", read_articulations},
    {"tracks", dls_reader_tracks},
    {"joints", read_joints},
    {"sensors", read_sensors},
    {"apart", read_apart},
    {"tendons", dls_reader_tendons},
    {"changes", NULL}, /* after all others */
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

static const char *section_at(const void *unused, size_t i)
{
    (void)unused;
    return i < SECTIONS ? sections[i].key : NULL;
}

static dls_status unknown_section(reader *r, const dls_yaml_node *node)
{
    const char *nearest = dls_nearest_word(node->key, section_at, NULL);
    dls_status status = nearest ? dls_fail(r->error, DLS_BAD_INPUT, "unknown key; did you mean '%s'?", nearest)
                                : dls_fail(r->error, DLS_BAD_INPUT,
                                           "unknown key; a scene has name, world, bodies, articulations, tracks, "
                                           "joints, tendons, sensors, apart and changes");
    return dls_reader_at(r, status, node->key_place, node->key);
}

/* The first definition of a list with which *parts is more than PARTS_MAX, all turns of a repeat counted; NULL where
 * there is none. An articulation counts by its links. What is no repeat is refused where it is read. */
static const dls_yaml_node *count_parts(const dls_yaml_node *list, size_t *parts)
{
    const dls_yaml_node *over = NULL;
    for (const dls_yaml_node *map = list->first; map && list->kind == DLS_YAML_LIST; map = map->next) {
        const dls_yaml_node *links = map->kind == DLS_YAML_MAP ? dls_yaml_find(map, "links") : NULL;
        const dls_yaml_node *repeat = map->kind == DLS_YAML_MAP ? dls_yaml_find(map, "repeat") : NULL, *first = NULL;
        dls_counters counters;
        if (links)
            first = count_parts(links, parts);
        else
            *parts += dls_counters_read(repeat, &counters, NULL) == DLS_OK ? dls_counters_turns(&counters) : 1;
        if (!over && *parts > PARTS_MAX)
            over = first ? first : map;
    }
    return over;
}

/* Before anything is made of them. */
static dls_status check_parts(const reader *r, const dls_yaml_node *root)
{
    const dls_yaml_node *over = NULL, *changes = dls_yaml_find(root, "changes");
    size_t parts = 0;
    for (const dls_yaml_node *section = root->first; section; section = section->next) {
        const dls_yaml_node *first = section != changes ? count_parts(section, &parts) : NULL;
        over = over ? over : first;
    }
    size_t once = parts; /* of the scene after the changes that are counted */
    for (const dls_yaml_node *map = changes ? changes->first : NULL; map; map = map->next, parts += once) {
        for (const dls_yaml_node *section = map->kind == DLS_YAML_MAP ? map->first : NULL; section;
             section = section->next)
            (void)count_parts(section, &once);
        over = over || parts + once <= PARTS_MAX ? over : map;
    }
    if (!over)
        return DLS_OK;
    const dls_yaml_node *repeat = over->kind == DLS_YAML_MAP ? dls_yaml_find(over, "repeat") : NULL;
    return dls_reader_at(r,
                         dls_fail(r->error, DLS_BAD_INPUT,
                                  "the scene would have %zu bodies, links, tracks and joints%s; at most %d are read",
                                  parts, changes ? ", with those of all its changes" : "", PARTS_MAX),
                         repeat ? repeat->key_place : over->place, repeat ? "repeat" : NULL);
}

dls_status dls_reader_section(reader *r, const dls_yaml_node *section)
{
    size_t i = 0;
    while (i < SECTIONS && strcmp(sections[i].key, section->key) != 0)
        i++;
    if (i == SECTIONS)
        return unknown_section(r, section);
    DLS_TRY(sections[i].read ? sections[i].read(r, section) : DLS_OK);
    memset(&r->counters, 0, sizeof r->counters);
    return DLS_OK;
}

static dls_status read_scene(reader *r, const dls_yaml_node *root)
{
    DLS_TRY(
        dls_reader_expect(r, root, DLS_YAML_MAP,
                          "a map with name, world, bodies, articulations, tracks, joints, tendons, sensors, apart and "
                          "changes"));
    DLS_TRY(check_parts(r, root));
    for (const dls_yaml_node *child = root->first; child; child = child->next)
        DLS_TRY(dls_reader_section(r, child));
    DLS_TRY(dls_scene_note_inertias(r->scene, r->error));
    return dls_reader_changes(r, root);
}

static dls_status parse_yaml(const char *text, size_t size, const char *name, dls_scene **scene, dls_error *error)
{
    dls_yaml_tree tree;
    reader r = {.error = error};
    DLS_TRY(dls_scene_create(&r.scene, error));
    snprintf(r.scene->file, sizeof r.scene->file, "%s", name);
    dls_status status = dls_yaml_parse(text, size, name, &tree, error);
    if (status == DLS_OK)
        status = read_scene(&r, tree.root);
    dls_yaml_release(&tree);
    if (status == DLS_OK)
        *scene = r.scene;
    else
        dls_scene_destroy(r.scene);
    return status;
}

/* Whether `key`, perhaps in quotes, and a colon stand at `at`. */
static bool starts_key(const char *at, const char *end, const char *key)
{
    const size_t length = strlen(key), quoted = *at == '"' || *at == '\'';
    if ((size_t)(end - at) <= length + 2 * quoted || strncmp(at + quoted, key, length) != 0)
        return false;
    return (!quoted || at[length + 1] == *at) && at[length + 2 * quoted] == ':';
}

/* Whether the map in braces at `at` has a section of a scene among its keys: JSON is such a map, too. A name alone is
 * none, since problems have names as well. */
static bool flow_map_has_section(const char *at, const char *end)
{
    size_t depth = 0;
    char quote = '\0';
    for (bool key = false; at < end; at++) {
        if (quote) {
            at += quote == '"' && *at == '\\' && at + 1 < end;
            quote = *at == quote ? '\0' : quote;
            continue;
        }
        if (depth == 1 && key)
            for (size_t i = 0; i < SECTIONS; i++)
                if (sections[i].read != read_name && starts_key(at, end, sections[i].key))
                    return true;
        key = *at == '{' || *at == ',' || (key && strchr(" \t\r\n", *at));
        depth += *at == '{' || *at == '[';
        depth -= (*at == '}' || *at == ']') && depth > 0;
        quote = *at == '"' || *at == '\'' ? *at : '\0';
    }
    return false;
}

/* Its first line that is neither blank nor a comment is a key, or what else YAML begins with. */
bool dls_is_scene(const char *text, size_t size)
{
    const char *end = text + size, *line = text, *next;
    for (;; line = next) {
        while (line < end && strchr(" \t\r\n", *line))
            line++;
        next = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
        if (line == end || *line != '#' || !next)
            break;
    }
    if (line < end && *line == '{')
        return flow_map_has_section(line, end);
    static const char *const marks[] = {"---", "%YAML", "- "};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if ((size_t)(end - line) >= strlen(marks[i]) && strncmp(line, marks[i], strlen(marks[i])) == 0)
            return true;
    const char *key = line;
    while (key < end && ((*key >= 'a' && *key <= 'z') || (*key >= 'A' && *key <= 'Z') || strchr("_-\"'", *key)))
        key++;
    return key > line && key < end && *key == ':';
}

dls_status dls_read_scene(const char *text, size_t size, const char *name, dls_content *content, size_t *end,
                          dls_error *error)
{
    *end = size;
    return parse_yaml(text, size, name, &content->scene, error);
}

dls_status dls_scene_parse(const char *text, size_t size, const char *name, dls_scene **scene, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    dls_content content = {NULL, NULL, NULL, NULL};
    size_t end;
    dls_text_skip_mark(&text, &size);
    dls_reader_of_format *read = dls_is_mjcf(text, size)   ? dls_read_mjcf
                                 : dls_is_urdf(text, size) ? dls_read_urdf
                                                           : dls_read_scene;
    *scene = NULL;
    DLS_TRY(dls_refuse_unread(text, size, name, error));
    if (read == dls_read_scene && (dls_is_problem(text, size) || dls_is_json(text, size) || dls_is_dart(text, size)))
        return dls_fail_about(error, DLS_BAD_INPUT, name, NULL,
                              "a problem, not a scene: it has no bodies that move; solve and compare read it");
    dls_status status = read(text, size, name, &content, &end, error);
    *scene = content.scene;
    return status;
}

dls_status dls_scene_read(const char *path, dls_scene **scene, dls_error *error)
{
    char *text;
    size_t size;
    *scene = NULL;
    DLS_TRY(dls_file_read(path, &text, &size, error));
    dls_status status = dls_scene_parse(text, size, path, scene, error);
    free(text);
    return status;
}
