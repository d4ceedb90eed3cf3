/* Definitions and lists of a scene, through field tables. */
#include "scene_reader.h"

#include <stdio.h>
#include <string.h>

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
    char keys[DLS_MESSAGE_MAX - 128];
    const char *one;
    size_t used = (size_t)snprintf(keys, sizeof keys, "the keys are: ");
    for (size_t i = 0; (one = key_at(of, i)) && used < sizeof keys; i++)
        used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s", i ? ", " : "", one);
    return dls_fail(error, DLS_BAD_INPUT, "unknown key of %s%s", of->what,
                    dls_hint_of(dls_nearest_word(key, key_at, of), keys).text);
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
        if (status == DLS_OK && !of->joint)
            status = dls_scene_value_set(&value, in, child->key, r->error);
        else if (status == DLS_OK)
            status = value.count ? dls_joint_set_numbers(of->joint, child->key, value.numbers, value.count, r->error)
                                 : dls_joint_set(of->joint, child->key, value.text, r->error);
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

/* --- lists --- */

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
