/* write_scene.h - shared by the writers of a scene's sections in YAML. Not installed. */
#ifndef DELASSUS_IO_WRITE_SCENE_H
#define DELASSUS_IO_WRITE_SCENE_H

#include "delassus/io.h"

#include <stdio.h>

typedef struct dls_scene_writer {
    FILE *to;
    const dls_scene *scene;
    const char *path; /* of the written file */
    dls_error *error;
} dls_scene_writer;

/* 'TEXT', a quote within it doubled. DLS_REFUSED if it has a control character. */
dls_status dls_scene_write_quoted(const dls_scene_writer *w, const char *text);
/* The shortest number that is read as x. */
void dls_scene_write_number(const dls_scene_writer *w, double x);
/* "KEY: 'TEXT'" at that depth of indentation, in quotes. DLS_REFUSED if the text has a control character. */
dls_status dls_scene_write_text(const dls_scene_writer *w, int depth, const char *key, const char *text);
/* Every field that is not at its default, a line for each. */
dls_status dls_scene_write_fields(const dls_scene_writer *w, int depth, const dls_field_table *table,
                                  const void *values);
/* "mesh: 'PATH'": the file that a model names, by its path from the folder of the written file. */
dls_status dls_scene_write_mesh(const dls_scene_writer *w, int depth, const char *mesh, const char *model);

/* --- articulations and shapes (write_scene_links.c) --- */

/* An item of the list `shapes` of a body or link, whose items are at that depth, behind the key if it is the `first`.
 * `centre`: the centre of mass in the frame that the shape is given in; `model`: the file that names its mesh. */
dls_status dls_scene_write_shape(const dls_scene_writer *w, int depth, const dls_link_shape *shape, dls_vec3 centre,
                                 const char *model, bool first);
dls_status dls_scene_write_articulations(const dls_scene_writer *w);

#endif
