/* scene_reader.h - shared by the readers of a scene's sections. Not installed. */
#ifndef DELASSUS_IO_SCENE_READER_H
#define DELASSUS_IO_SCENE_READER_H

#include "delassus/io.h"
#include "scene_repeat.h"
#include "yaml_tree.h"

typedef struct dls_reader {
    dls_scene *scene;
    dls_counters counters; /* of the definition that is read */
    dls_constants constants;
    void *context; /* of the list that is read */
    size_t change; /* number of the change that is read, from 1; 0: the scene itself */
    dls_error *error;
} dls_reader;

/* A definition through its field tables: a joint, or settings. */
typedef struct dls_definition {
    const char *what;          /* "a body" */
    dls_joint_def *joint;      /* or NULL, and then: */
    dls_settings parts[2];     /* table NULL where there is but one */
    const char *const *others; /* keys that are not fields; NULL at the end */
} dls_definition;

/* `status`, with the place in the file. */
dls_status dls_reader_at(const dls_reader *r, dls_status status, dls_place place, const char *key);
dls_status dls_reader_expect(const dls_reader *r, const dls_yaml_node *node, dls_yaml_kind kind, const char *what);
dls_status dls_reader_fields(dls_reader *r, const dls_definition *of, const dls_yaml_node *map);
/* One value of that kind, apart from any definition. */
dls_status dls_reader_value(dls_reader *r, const dls_field *field, void *to, const dls_yaml_node *node);
/* add() for every item, a map, at every turn of its repeat. */
dls_status dls_reader_list(dls_reader *r, const dls_yaml_node *list, const char *what, const char *item,
                           dls_status (*add)(dls_reader *, const dls_yaml_node *));
dls_status dls_reader_tracks(dls_reader *r, const dls_yaml_node *list);
dls_status dls_reader_tendons(dls_reader *r, const dls_yaml_node *list);
dls_status dls_reader_articulation(dls_reader *r, const dls_yaml_node *map);
/* A section of a scene or of a change, by its key (scene_sections.c). */
dls_status dls_reader_section(dls_reader *r, const dls_yaml_node *section);
/* Key of the i-th section, of which the first is the name; NULL after the last. The context is not used. */
const char *dls_reader_section_key(const void *unused, size_t i);
/* The changes of a scene that has been read: the scene after each of them (scene_changes.c). */
dls_status dls_reader_changes(dls_reader *r, const dls_yaml_node *root);

/* --- places that follow from others (scene_place.c) --- */

/* A turn about an axis through a point, of one turn of a repeat. */
typedef struct dls_scene_turn {
    dls_quat q;
    dls_vec3 centre;
    bool turns;
} dls_scene_turn;

/* The keys from, to and look_at of a body or link, whose fields have been read. */
dls_status dls_reader_place(dls_reader *r, const dls_yaml_node *map, dls_body_def *body);
/* The key `around` of a definition. */
dls_status dls_reader_circle(dls_reader *r, const dls_yaml_node *map, dls_scene_turn *turn);
dls_vec3 dls_turn_point(const dls_scene_turn *turn, dls_vec3 p);
dls_vec3 dls_turn_vector(const dls_scene_turn *turn, dls_vec3 v);
void dls_turn_body(const dls_scene_turn *turn, dls_body_def *body);
void dls_turn_settings(const dls_scene_turn *turn, const dls_field_table *table, void *values);

#endif
