/* Scenes in YAML: doc/scene-format.md. */
#include "scene_reader.h"

#include "formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bodies, links, tracks and joints of a scene: a repeat of a few bytes must not fill the memory. */
enum { PARTS_MAX = 250000 };

/* The first definition of a list with which *parts is more than PARTS_MAX, all turns of a repeat counted; NULL where
 * there is none. An articulation counts by its links. A faulty repeat is refused when it is read. */
static const dls_yaml_node *count_parts(const dls_yaml_node *list, size_t *parts)
{
    const dls_yaml_node *over = NULL;
    for (const dls_yaml_node *map = list->first; map && list->kind == DLS_YAML_LIST; map = map->next) {
        const dls_yaml_node *links = map->kind == DLS_YAML_MAP ? dls_yaml_find(map, "links") : NULL;
        const dls_yaml_node *repeat = map->kind == DLS_YAML_MAP ? dls_yaml_find(map, "repeat") : NULL, *first = NULL;
        dls_counters counters = {.constants = NULL};
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
static dls_status check_parts(const dls_reader *r, const dls_yaml_node *root)
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

/* constants: {NAME: number or expression with those before it} */
static dls_status read_constants(dls_reader *r, const dls_yaml_node *map)
{
    r->counters.constants = &r->constants;
    if (!map)
        return DLS_OK;
    DLS_TRY(dls_reader_expect(r, map, DLS_YAML_MAP, "a map of names and numbers, as in {length: 0.5}"));
    for (const dls_yaml_node *item = map->first; item; item = item->next) {
        const dls_field value = {item->key, "",       DLS_FIELD_REAL, 0,    NULL,
                                 -HUGE_VAL, HUGE_VAL, false,          NULL, "a constant"};
        double number = 0.0;
        const size_t length = strspn(item->key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (item->key[length] || !length || (item->key[0] >= '0' && item->key[0] <= '9') || length >= DLS_NAME_MAX)
            return dls_reader_at(r,
                                 dls_fail(r->error, DLS_BAD_INPUT,
                                          "the name of a constant has letters, digits and _, and begins with no digit"),
                                 item->key_place, item->key);
        DLS_TRY(dls_reader_at(r, dls_reader_value(r, &value, &number, item), item->place, item->key));
        snprintf(r->constants.of[r->constants.count].name, DLS_NAME_MAX, "%s", item->key);
        r->constants.of[r->constants.count++].value = number;
    }
    return DLS_OK;
}

static dls_status read_scene(dls_reader *r, const dls_yaml_node *root)
{
    DLS_TRY(
        dls_reader_expect(r, root, DLS_YAML_MAP,
                          "a map with name, constants, world, bodies, articulations, tracks, joints, tendons, sensors, "
                          "apart, surfaces, pairs and changes"));
    DLS_TRY(check_parts(r, root));
    DLS_TRY(read_constants(r, dls_yaml_find(root, "constants")));
    for (const dls_yaml_node *child = root->first; child; child = child->next)
        DLS_TRY(dls_reader_section(r, child));
    DLS_TRY(dls_scene_note_inertias(r->scene, r->error));
    return dls_reader_changes(r, root);
}

static dls_status parse_yaml(const char *text, size_t size, const char *name, dls_scene **scene, dls_error *error)
{
    dls_yaml_tree tree;
    dls_reader r = {.error = error};
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

/* True if `key`, perhaps in quotes, and a colon begin at `at`. */
static bool starts_key(const char *at, const char *end, const char *key)
{
    const size_t length = strlen(key), quoted = *at == '"' || *at == '\'';
    if ((size_t)(end - at) <= length + 2 * quoted || strncmp(at + quoted, key, length) != 0)
        return false;
    return (!quoted || at[length + 1] == *at) && at[length + 2 * quoted] == ':';
}

/* True if the map in braces at `at` has a section of a scene among its keys: JSON is such a map, too. A name alone is
 * none, since problems have names as well. */
static bool flow_map_has_section(const char *at, const char *end)
{
    const char *section;
    size_t depth = 0;
    char quote = '\0';
    for (bool key = false; at < end; at++) {
        if (quote) {
            at += quote == '"' && *at == '\\' && at + 1 < end;
            quote = *at == quote ? '\0' : quote;
            continue;
        }
        if (depth == 1 && key)
            for (size_t i = 1; (section = dls_reader_section_key(NULL, i)); i++) /* the first is the name */
                if (starts_key(at, end, section))
                    return true;
        key = *at == '{' || *at == ',' || (key && strchr(" \t\r\n", *at));
        depth += *at == '{' || *at == '[';
        depth -= (*at == '}' || *at == ']') && depth > 0;
        quote = *at == '"' || *at == '\'' ? *at : '\0';
    }
    return false;
}

/* The first line that is neither blank nor a comment is a key, or another beginning of YAML. */
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
