/* mesh_file.h - triangles from files. Not installed. */
#ifndef DLS_EXPERIMENTS_MESH_FILE_H
#define DLS_EXPERIMENTS_MESH_FILE_H

#include "delassus/io.h"
#include "delassus/math3.h"

/* Triangles, three corners each, anticlockwise from outside, with the middle of their box as origin. */
typedef struct dls_triangles {
    size_t count, capacity; /* capacity: of corners */
    dls_vec3 *corners;      /* 3 count [m] */
    dls_vec3 middle, half;  /* of that box, in the coordinates of the file times the scale */
    size_t n_flat, cap_flat;
    dls_vec3 *flat; /* 3 n_flat: likewise, of the triangles without an area whose corners are in three places */
} dls_triangles;
void dls_triangles_release(dls_triangles *triangles);

/* The path of a mesh that a model names (mesh_place.c). */
dls_status dls_mesh_place(const char *mesh, const char *model, char path[DLS_PATH_MAX], dls_error *error);
/* The absolute path of one that has been found, whether it is there or not; text after a # is the name of a mesh in the
 * file. False where it is too long. */
bool dls_mesh_absolute(const char *found, char whole[DLS_PATH_MAX]);
/* The # of FILE#NAME, a mesh in the text of a model; NULL where the path is that of a file. */
const char *dls_mesh_part(const char *path);
/* Reads STL, binary and ASCII, Wavefront OBJ, MuJoCo's MSH, and COLLADA where its reader was built, by the end of the
 * name; FILE#NAME is a mesh in the text of a model in MJCF. Triangles without an area are apart. Errors name the
 * file, and its line or byte. Release the triangles after a failure, too. */
dls_status dls_mesh_read(const char *path, dls_vec3 scale, dls_triangles *triangles, dls_error *error);
/* The same from memory. */
dls_status dls_mesh_parse(const char *text, size_t size, const char *path, dls_vec3 scale, dls_triangles *triangles,
                          dls_error *error);

#endif
