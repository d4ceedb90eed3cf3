/* yaml_tree.h - the part of YAML that scenes use, as a tree whose nodes know where they stand. Not installed.
 *
 * Maps with plain keys, lists and scalars. Refused by name: anchors, aliases, tags, several documents, duplicate keys.
 */
#ifndef DELASSUS_IO_YAML_TREE_H
#define DELASSUS_IO_YAML_TREE_H

#include "base/memory.h"
#include "delassus/scene.h"

typedef enum dls_yaml_kind { DLS_YAML_SCALAR, DLS_YAML_LIST, DLS_YAML_MAP } dls_yaml_kind;

typedef struct dls_yaml_node {
    dls_yaml_kind kind;
    dls_place place;     /* of the value */
    dls_place key_place; /* in a map; else as `place` */
    const char *key;     /* in a map; else "" */
    const char *text;    /* of a scalar: UTF-8 without control characters */
    bool empty;          /* a scalar without text in the file */
    size_t count;        /* children */
    struct dls_yaml_node *first, *next;
} dls_yaml_node;

typedef struct dls_yaml_tree {
    dls_arena memory;
    dls_yaml_node *root;
} dls_yaml_tree;

enum { DLS_YAML_DEPTH_MAX = 16, DLS_YAML_KEYS_MAX = 100, DLS_YAML_NODES_MAX = 1000000 };

/* dls_yaml_release must follow, also after a failure. */
dls_status dls_yaml_parse(const char *text, size_t size, const char *name, dls_yaml_tree *tree, dls_error *error);
void dls_yaml_release(dls_yaml_tree *tree);
/* The child of a map with that key; NULL if there is none. */
const dls_yaml_node *dls_yaml_find(const dls_yaml_node *map, const char *key);
/* "a map", "a list", "a value" */
const char *dls_yaml_kind_text(const dls_yaml_node *node);

#endif
