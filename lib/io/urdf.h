/* urdf.h - a robot from URDF for a scene. Not installed. */
#ifndef DELASSUS_IO_URDF_H
#define DELASSUS_IO_URDF_H

#include "delassus/io.h"

/* dls_urdf_parse and dls_urdf_read, with notes of ignored parts in the scene; NULL: without notes. */
dls_status dls_urdf_define(const char *text, size_t size, const char *name, dls_scene *scene,
                           dls_articulation_def **def, size_t *shapes, dls_error *error);
dls_status dls_urdf_load(const char *path, dls_scene *scene, dls_articulation_def **def, size_t *shapes,
                         dls_error *error);

#endif
