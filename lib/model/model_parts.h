/* model_parts.h - how a model is put together, from several files. Not installed. */
#ifndef DELASSUS_MODEL_PARTS_H
#define DELASSUS_MODEL_PARTS_H

#include "delassus/configuration.h"
#include "model/model.h"

/* Fills model->names, once bodies, articulations and tracks are compiled. */
dls_status dls_model_name_all(const dls_scene *scene, dls_model *model, dls_error *error);

/* Where a definition stands, for errors. */
typedef struct dls_where {
    const dls_scene *scene;
    dls_place place;
    dls_error *error;
} dls_where;
dls_status dls_model_bad(dls_where where, const char *key, const char *message);

/* What collides, before the joints; and which pairs do not, after them. */
dls_status dls_model_compile_solids(const dls_scene *scene, dls_model *model, dls_error *error);
dls_status dls_model_compile_apart(const dls_scene *scene, dls_model *model, dls_error *error);
/* The end of that name, or DLS_WORLD; an error has `key`. After dls_model_name_all. */
dls_status dls_model_end_of(dls_where where, const dls_model *model, const char *name, const char *key, size_t *end);

/* All joints of the scene: ends, settings, frames, coordinates and the columns of their rows. model->n_joints counts
 * those whose memory dls_model_destroy must release. After bodies, members and the initial state. */
dls_status dls_model_compile_joints(const dls_scene *scene, dls_model *model, const dls_configuration *initial,
                                    dls_error *error);

#endif
