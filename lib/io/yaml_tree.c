/* From libyaml's events to a tree. The events carry the marks and show anchors, aliases and tags before anything is
 * expanded. */
#include "yaml_tree.h"

#include "file.h"

#include <string.h>
#include <yaml.h>

typedef struct builder {
    yaml_parser_t parser;
    yaml_event_t event; /* the current one */
    const char *text, *name;
    size_t size, nodes;
    dls_yaml_tree *tree;
    dls_error *error;
} builder;

static dls_status no_yaml_memory(const builder *b)
{
    return dls_fail_about(b->error, DLS_NO_MEMORY, b->name, NULL, "no memory for the scene's text");
}

void dls_yaml_release(dls_yaml_tree *tree) { dls_arena_release(&tree->memory); }

/* --- events --- */

static dls_place mark_place(yaml_mark_t mark) { return (dls_place){(long)mark.line + 1, (long)mark.column + 1}; }

static dls_status yaml_fail(const builder *b, dls_place at, const char *key, const char *message)
{
    return dls_fail_at(b->error, DLS_BAD_INPUT, b->name, at.line, at.column, key, "%s", message);
}

/* The byte of a mark, whose index counts characters. */
static char byte_at(const builder *b, size_t index)
{
    for (size_t i = 0; i < b->size; i++)
        if (((unsigned char)b->text[i] & 0xc0u) != 0x80u && index-- == 0)
            return b->text[i];
    return '\0';
}

static dls_status parser_error(const builder *b)
{
    const yaml_parser_t *p = &b->parser;
    dls_place at = mark_place(p->problem_mark);
    if (p->error == YAML_MEMORY_ERROR)
        return no_yaml_memory(b);
    if (p->error == YAML_READER_ERROR)
        dls_text_place(b->text, p->problem_offset, &at.line, &at.column);
    if (p->error == YAML_SCANNER_ERROR && byte_at(b, p->problem_mark.index) == '\t')
        return yaml_fail(b, at, NULL, "not YAML: a tab; YAML is indented with spaces");
    return dls_fail_at(b->error, DLS_BAD_INPUT, b->name, at.line, at.column, NULL, "not YAML: %s%s%s",
                       p->problem ? p->problem : "unreadable", p->context ? " " : "", p->context ? p->context : "");
}

static dls_status next_event(builder *b)
{
    yaml_event_delete(&b->event);
    if (!yaml_parser_parse(&b->parser, &b->event)) {
        memset(&b->event, 0, sizeof b->event);
        return parser_error(b);
    }
    return DLS_OK;
}

static dls_status refuse_extras(const builder *b)
{
    const yaml_event_t *e = &b->event;
    dls_place at = mark_place(e->start_mark);
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (e->type == YAML_ALIAS_EVENT)
        return yaml_fail(b, at, NULL,
                         "YAML aliases (*name) are not used in scenes; write the value out, or use repeat");
    if (e->type == YAML_SCALAR_EVENT)
        anchor = e->data.scalar.anchor, tag = e->data.scalar.tag;
    if (e->type == YAML_SEQUENCE_START_EVENT)
        anchor = e->data.sequence_start.anchor, tag = e->data.sequence_start.tag;
    if (e->type == YAML_MAPPING_START_EVENT)
        anchor = e->data.mapping_start.anchor, tag = e->data.mapping_start.tag;
    if (anchor)
        return yaml_fail(b, at, NULL, "YAML anchors (&name) are not used in scenes; leave it out");
    if (tag)
        return yaml_fail(b, at, NULL, "YAML tags (!name) are not used in scenes; leave it out");
    return DLS_OK;
}

/* --- nodes --- */

static dls_status new_node(builder *b, dls_yaml_kind kind, dls_yaml_node **node)
{
    dls_place at = mark_place(b->event.start_mark);
    if (++b->nodes > DLS_YAML_NODES_MAX)
        return yaml_fail(b, at, NULL, "more than a million values; use repeat");
    *node = DLS_TAKE(&b->tree->memory, dls_yaml_node, 1);
    if (!*node)
        return no_yaml_memory(b);
    **node = (dls_yaml_node){.kind = kind, .place = at, .key_place = at, .key = "", .text = ""};
    return DLS_OK;
}

static dls_status copy_scalar(builder *b, const char **text)
{
    const yaml_char_t *value = b->event.data.scalar.value;
    size_t length = b->event.data.scalar.length;
    for (size_t i = 0; i < length; i++)
        if (value[i] < 0x20 || value[i] == 0x7f)
            return yaml_fail(b, mark_place(b->event.start_mark), NULL,
                             "a control character or line end within a value; leave it out");
    char *copy = DLS_TAKE(&b->tree->memory, char, length + 1);
    if (!copy)
        return no_yaml_memory(b);
    memcpy(copy, value, length);
    copy[length] = '\0';
    *text = copy;
    return DLS_OK;
}

static dls_status build_node(builder *b, int depth, dls_yaml_node **node);

static dls_status build_list(builder *b, int depth, dls_yaml_node *list)
{
    dls_yaml_node **end = &list->first;
    for (;;) {
        DLS_TRY(next_event(b));
        if (b->event.type == YAML_SEQUENCE_END_EVENT)
            return DLS_OK;
        DLS_TRY(build_node(b, depth, end));
        end = &(*end)->next;
        list->count++;
    }
}

static dls_status read_key(builder *b, const dls_yaml_node *map, const char **key, dls_place *at)
{
    DLS_TRY(refuse_extras(b));
    *at = mark_place(b->event.start_mark);
    if (b->event.type != YAML_SCALAR_EVENT)
        return yaml_fail(b, *at, NULL, "a key must be a word, as in 'mass: 2 kg'");
    DLS_TRY(copy_scalar(b, key));
    if (strlen(*key) >= DLS_NAME_MAX)
        return yaml_fail(b, *at, *key, "unknown key, of more than 63 characters");
    if (dls_yaml_find(map, *key))
        return yaml_fail(b, *at, *key, "duplicate key; leave one of the two out");
    return map->count < DLS_YAML_KEYS_MAX ? DLS_OK : yaml_fail(b, *at, *key, "more than 100 keys in one map");
}

static dls_status build_map(builder *b, int depth, dls_yaml_node *map)
{
    dls_yaml_node **end = &map->first;
    for (;;) {
        const char *key;
        dls_place at;
        DLS_TRY(next_event(b));
        if (b->event.type == YAML_MAPPING_END_EVENT)
            return DLS_OK;
        DLS_TRY(read_key(b, map, &key, &at));
        DLS_TRY(next_event(b));
        dls_status status = build_node(b, depth, end);
        if (status != DLS_OK)
            return dls_fail_place(b->error, status, NULL, 0, 0, key);
        (*end)->key = key;
        (*end)->key_place = at;
        end = &(*end)->next;
        map->count++;
    }
}

static dls_status build_node(builder *b, int depth, dls_yaml_node **node)
{
    DLS_TRY(refuse_extras(b));
    if (depth >= DLS_YAML_DEPTH_MAX)
        return yaml_fail(b, mark_place(b->event.start_mark), NULL, "nested deeper than 16 levels; no scene needs that");
    switch (b->event.type) {
    case YAML_SCALAR_EVENT:
        DLS_TRY(new_node(b, DLS_YAML_SCALAR, node));
        (*node)->empty = b->event.data.scalar.length == 0 && b->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        return copy_scalar(b, &(*node)->text);
    case YAML_SEQUENCE_START_EVENT:
        DLS_TRY(new_node(b, DLS_YAML_LIST, node));
        return build_list(b, depth + 1, *node);
    case YAML_MAPPING_START_EVENT:
        DLS_TRY(new_node(b, DLS_YAML_MAP, node));
        return build_map(b, depth + 1, *node);
    default:
        return yaml_fail(b, mark_place(b->event.start_mark), NULL, "not YAML: a value was expected");
    }
}

static dls_status build_stream(builder *b)
{
    DLS_TRY(next_event(b)); /* stream start */
    DLS_TRY(next_event(b));
    if (b->event.type == YAML_STREAM_END_EVENT)
        return yaml_fail(b, (dls_place){1, 1}, NULL, "the file has no content but comments");
    DLS_TRY(next_event(b)); /* the first after the document start */
    DLS_TRY(build_node(b, 0, &b->tree->root));
    DLS_TRY(next_event(b)); /* document end */
    DLS_TRY(next_event(b));
    if (b->event.type != YAML_STREAM_END_EVENT)
        return yaml_fail(b, mark_place(b->event.start_mark), NULL, "a second document; a file holds one scene");
    return DLS_OK;
}

dls_status dls_yaml_parse(const char *text, size_t size, const char *name, dls_yaml_tree *tree, dls_error *error)
{
    builder b = {.text = text, .size = size, .name = name, .tree = tree, .error = error};
    *tree = (dls_yaml_tree){.root = NULL};
    DLS_TRY(dls_text_check(text, size, name, error));
    if (!yaml_parser_initialize(&b.parser))
        return no_yaml_memory(&b);
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)text, size);
    dls_status status = build_stream(&b);
    yaml_event_delete(&b.event);
    yaml_parser_delete(&b.parser);
    return status;
}

const dls_yaml_node *dls_yaml_find(const dls_yaml_node *map, const char *key)
{
    for (const dls_yaml_node *child = map->first; child; child = child->next)
        if (strcmp(child->key, key) == 0)
            return child;
    return NULL;
}

const char *dls_yaml_kind_text(const dls_yaml_node *node)
{
    static const char *const text[] = {
        [DLS_YAML_SCALAR] = "a value", [DLS_YAML_LIST] = "a list", [DLS_YAML_MAP] = "a map"};
    return text[node->kind];
}
