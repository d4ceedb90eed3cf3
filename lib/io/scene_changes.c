/* The changes of a scene: parts are removed and added at given times. doc/scene-format.md.
 *
 * The scene after its first k changes is read from the text like the first one: the whole file is read again, and the
 * changes are applied to the definitions. The remaining bodies and joints keep their order; new ones follow them.
 */
#include "scene_reader.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

typedef struct change {
    double time;
} change;
static const dls_field fields[] = {
    {"time", "s", DLS_FIELD_REAL, offsetof(change, time), NULL, 0, HUGE_VAL, true, NULL,
     "time of the change, which is made before the first step that begins then or later"},
};
static const dls_field_table change_fields = DLS_FIELD_TABLE(fields, change);

/* Sections of a change that are those of a scene; tracks, the world and the name stay. */
static const char *const added[] = {"bodies", "articulations", "joints", "tendons", "sensors",
                                    "apart",  "surfaces",      "pairs",  NULL};
static const char *const others[] = {"remove",  "bodies", "articulations", "joints", "tendons",
                                     "sensors", "apart",  "surfaces",      "pairs",  NULL};

/* remove: {bodies: [NAME, ..], joints: [..], ..} */
static const struct {
    const char *key;
    dls_part part;
} removed[] = {{"bodies", DLS_PART_BODY},
               {"articulations", DLS_PART_ARTICULATION},
               {"links", DLS_PART_LINK},
               {"joints", DLS_PART_JOINT},
               {"sensors", DLS_PART_SENSOR}};
enum { REMOVED = sizeof removed / sizeof removed[0] };

static const char *removed_at(const void *unused, size_t i)
{
    (void)unused;
    return i < REMOVED ? removed[i].key : NULL;
}

static dls_status change_fail(const dls_reader *r, const dls_yaml_node *node, const char *message)
{
    return dls_reader_at(r, dls_fail(r->error, DLS_BAD_INPUT, "%s", message), node->key_place, node->key);
}

static dls_status unknown_kind(const dls_reader *r, const dls_yaml_node *node)
{
    char message[DLS_MESSAGE_MAX];
    snprintf(message, sizeof message, "unknown key%.400s",
             dls_hint_of(dls_nearest_word(node->key, removed_at, NULL),
                         "bodies, articulations, links, joints and sensors can be removed")
                 .text);
    return change_fail(r, node, message);
}

static dls_status remove_parts(dls_reader *r, const dls_yaml_node *map)
{
    DLS_TRY(dls_reader_expect(r, map, DLS_YAML_MAP, "what to remove, as in {joints: [pivot]}"));
    for (const dls_yaml_node *list = map->first; list; list = list->next) {
        size_t kind = 0;
        while (kind < REMOVED && strcmp(removed[kind].key, list->key) != 0)
            kind++;
        if (kind == REMOVED)
            return unknown_kind(r, list);
        DLS_TRY(dls_reader_expect(r, list, DLS_YAML_LIST, "a list of names"));
        for (const dls_yaml_node *name = list->first; name; name = name->next) {
            DLS_TRY(dls_reader_expect(r, name, DLS_YAML_SCALAR, "a name"));
            DLS_TRY(dls_reader_at(r, dls_scene_remove(r->scene, removed[kind].part, name->text, r->error), name->place,
                                  list->key));
        }
    }
    return DLS_OK;
}

/* The definition of a list whose name matches. */
static const dls_yaml_node *find_named(const dls_yaml_node *list, const char *pattern)
{
    for (const dls_yaml_node *map = list ? list->first : NULL; map; map = map->next) {
        const dls_yaml_node *node = map->kind == DLS_YAML_MAP ? dls_yaml_find(map, "name") : NULL;
        if (node && node->kind == DLS_YAML_SCALAR && fnmatch(pattern, node->text, 0) == 0)
            return map;
    }
    return NULL;
}

/* The same of "ARTICULATION.LINK". */
static const dls_yaml_node *find_named_link(const dls_yaml_node *articulations, const char *pattern)
{
    char articulation[DLS_NAME_MAX];
    const char *dot = strchr(pattern, '.');
    if (!dot || dot - pattern >= DLS_NAME_MAX)
        return NULL;
    snprintf(articulation, sizeof articulation, "%.*s", (int)(dot - pattern), pattern);
    const dls_yaml_node *map = find_named(articulations, articulation);
    return map ? find_named(dls_yaml_find(map, "links"), dot + 1) : NULL;
}

/* A part that is removed and added by one name in one change would count as kept. */
static dls_status check_names(const dls_reader *r, const dls_yaml_node *map, const dls_yaml_node *remove)
{
    for (const dls_yaml_node *list = remove->first; list; list = list->next)
        for (const dls_yaml_node *name = list->first; name; name = name->next)
            if (strcmp(list->key, "links") == 0 ? find_named_link(dls_yaml_find(map, "articulations"), name->text)
                                                : find_named(dls_yaml_find(map, list->key), name->text))
                return dls_reader_at(r,
                                     dls_fail(r->error, DLS_BAD_INPUT,
                                              "'%.60s' is removed and added in one change; add it by another name, or "
                                              "in a later change",
                                              name->text),
                                     name->place, list->key);
    return DLS_OK;
}

/* One change, on the scene of the reader. */
static dls_status make_change(dls_reader *r, const dls_yaml_node *map, change *when)
{
    const dls_yaml_node *remove = dls_yaml_find(map, "remove");
    DLS_TRY(dls_fields_default(&change_fields, when, r->error));
    DLS_TRY(dls_reader_fields(r, &(dls_definition){"a change", NULL, {{&change_fields, when}}, others}, map));
    DLS_TRY(dls_reader_at(r, dls_fields_require(&change_fields, when, r->error), map->place, NULL));
    if (map->count < 2)
        return change_fail(r, map, "a change that changes nothing; write remove, or what is added");
    if (remove) {
        DLS_TRY(remove_parts(r, remove));
        DLS_TRY(check_names(r, map, remove));
    }
    const size_t before = r->scene->n_joints;
    for (const char *const *key = added; *key; key++) {
        const dls_yaml_node *section = dls_yaml_find(map, *key);
        DLS_TRY(section ? dls_reader_section(r, section) : DLS_OK);
    }
    for (size_t j = before; j < r->scene->n_joints; j++)
        r->scene->joints[j].change = r->change;
    return DLS_OK;
}

dls_status dls_reader_changes(dls_reader *r, const dls_yaml_node *root)
{
    const dls_yaml_node *changes = dls_yaml_find(root, "changes");
    if (!changes)
        return DLS_OK;
    DLS_TRY(dls_reader_expect(r, changes, DLS_YAML_LIST, "a list of changes"));
    const dls_yaml_node *last = changes->first;
    for (size_t k = 1; k <= changes->count; k++, last = last->next) {
        dls_reader after = {.error = r->error};
        const dls_yaml_node *map = changes->first;
        change when;
        DLS_TRY(dls_scene_create(&after.scene, r->error));
        memcpy(after.scene->file, r->scene->file, sizeof r->scene->file);
        dls_status status = DLS_OK;
        for (const dls_yaml_node *section = root->first; status == DLS_OK && section; section = section->next)
            status = dls_reader_section(&after, section);
        for (after.change = 1; status == DLS_OK && after.change <= k; after.change++, map = map->next) {
            status = dls_reader_expect(&after, map, DLS_YAML_MAP, "a change, a map as in '- {time: 1 s, remove: ..}'");
            if (status == DLS_OK)
                status = make_change(&after, map, &when);
        }
        if (status == DLS_OK)
            status = dls_scene_add_change(r->scene, when.time, last->place, after.scene, r->error);
        if (status != DLS_OK) {
            dls_scene_destroy(after.scene);
            return status;
        }
    }
    return DLS_OK;
}
