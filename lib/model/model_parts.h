/* model_parts.h - how a model is put together, from several files. Not installed. */
#ifndef DELASSUS_MODEL_PARTS_H
#define DELASSUS_MODEL_PARTS_H

#include "delassus/configuration.h"
#include "model/model.h"

/* The names of a scene's definitions, by kind. */
struct dls_scene_names {
    dls_names bodies, joints, tracks, articulations, sensors, surfaces;
};

/* A name for definition number `count` of its kind, the word for which is `what`. */
dls_status dls_scene_add_name(const dls_scene *scene, dls_names *names, size_t count, const char *name,
                              const char *what, dls_place at, dls_error *error);

/* Fills model->names, once bodies, articulations and tracks are compiled. */
dls_status dls_model_name_all(const dls_scene *scene, dls_model *model, dls_error *error);

/* The place of a definition, for errors. */
typedef struct dls_where {
    const dls_scene *scene;
    dls_place place;
    dls_error *error;
} dls_where;
dls_status dls_model_bad(dls_where where, const char *key, const char *message);
/* dls_fields_check of a definition. */
dls_status dls_model_check(dls_where where, const dls_field_table *table, const void *values);

/* Apply the world's policy for inertias that no body can have to a body's inertia, and to those of a tree's links. */
dls_status dls_model_body_inertia(const dls_scene *scene, const dls_body_def *def, dls_mat3 *inertia, dls_error *error);
dls_status dls_model_link_inertias(const dls_scene *scene, const dls_articulation_def *def, dls_articulation *tree,
                                   dls_error *error);

/* dls_model_create, whatever coordinates the world has for articulations. */
dls_status dls_model_create_reduced(const dls_scene *scene, dls_model **model, dls_error *error);

/* Puts the initial state where the start is that the world names; nowhere else without one. After the joints. */
dls_status dls_model_start(const dls_scene *scene, dls_model *model, dls_error *error);

/* Shapes that collide and shapes that are drawn, before the joints; pairs that do not collide, after them. */
dls_status dls_model_compile_solids(const dls_scene *scene, dls_model *model, dls_error *error);
dls_status dls_model_compile_visuals(const dls_scene *scene, dls_model *model, dls_error *error);
/* Boxes and ellipsoids in the medium of the world, after bodies and articulations. */
dls_status dls_model_compile_medium(const dls_scene *scene, dls_model *model, dls_error *error);
dls_status dls_model_compile_surfaces(const dls_scene *scene, dls_model *model, dls_error *error);
/* The number of the surface of that name, from 1, or 0 of an empty name. */
dls_status dls_scene_surface_number(const dls_scene *scene, const char *name, const char *file, dls_place place,
                                    const char *key, size_t *number, dls_error *error);
dls_status dls_model_compile_apart(const dls_scene *scene, dls_model *model, dls_error *error);
/* The articulation whose name is before the dot of "ARTICULATION.NAME", with NAME in *member; NULL: there is none. */
const dls_model_articulation *dls_model_articulation_before_dot(const dls_model *model, const char *name,
                                                                const char **member);
/* The end of that name, or DLS_WORLD; an error has `key`. After dls_model_name_all. */
dls_status dls_model_end_of(dls_where where, const dls_model *model, const char *name, const char *key, size_t *end);

/* The mechanism that a changed one follows on, and where the bodies and links of the changed one are; all NULL where
 * there is none. change.c */
typedef struct dls_former {
    const dls_model *model;
    const dls_state *state;
    dls_state *there;
    dls_configuration *at;
} dls_former;
/* Copies the state of bodies and links from `from` into the state of a model whose joints are not compiled yet. */
dls_status dls_change_place(const dls_model *model, const dls_state *from, const dls_model *changed, dls_state *to);
/* Whether a definition of that name is of the former model's joint. */
bool dls_change_same_joint(const dls_model *model, size_t joint, const dls_joint_def *def);
/* All joints of the scene, those that are new to the former model placed where that is: ends, settings, frames,
 * coordinates and the columns of their rows. model->n_joints counts those whose memory dls_model_destroy must release.
 * After bodies, articulations and the initial state. */
dls_status dls_model_compile_joints(const dls_scene *scene, dls_model *model, const dls_configuration *initial,
                                    const dls_former *former, dls_error *error);

#endif
