/* terrain.h - the surface of a static terrain, for collisions. Not installed.
 *
 * Triangles whose outward normals all have a positive z: a height field, or any other ground that hangs nowhere over
 * itself. Solids are above it, or sunk into it. It is made of faces, of ridges, which are edges from which the ground
 * falls off to both sides, and of peaks, the ends of ridges. Beyond the border the ground falls off vertically.
 */
#ifndef DELASSUS_MESH_TERRAIN_H
#define DELASSUS_MESH_TERRAIN_H

#include "base/memory.h"
#include "mesh/mesh_file.h"

typedef struct dls_terrain_ridge {
    unsigned vertex[2];
    dls_vec3 into[2]; /* unit, across the edge, into the ground on both sides */
} dls_terrain_ridge;

/* A box about items, numbered as in `item`; one with more than a few has two parts, itself + 1 and `second`. */
typedef struct dls_terrain_node {
    double at[6]; /* least and greatest x, y and z */
    size_t first, count, second;
} dls_terrain_node;

typedef struct dls_terrain {
    size_t n_vertices, n_faces, n_ridges, n_peaks, n_items, n_nodes;
    dls_vec3 *vertex;    /* n_vertices */
    unsigned (*face)[3]; /* n_faces: anticlockwise from above */
    dls_vec3 *normal;    /* n_faces: unit */
    dls_terrain_ridge *ridge;
    unsigned *peak;           /* n_peaks: vertices */
    unsigned *first, *beside; /* of vertex i: the vertices beside[first[i]] to beside[first[i + 1] - 1] of its edges */
    unsigned *item;           /* n_items: a face, n_faces + a ridge, or n_faces + n_ridges + a peak */
    dls_terrain_node *node;   /* n_nodes; the first has all */
    dls_triangles shown;      /* for pictures */
} dls_terrain;

/* DLS_REFUSED, about the file `path`, where a triangle does not face upwards or is a line, where more than two share an
 * edge, and where two lie over each other. */
dls_status dls_terrain_create(const dls_triangles *from, const char *path, dls_arena *memory,
                              const dls_terrain **terrain, dls_error *error);

#endif
