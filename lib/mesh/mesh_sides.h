/* mesh_sides.h - which triangles meet at which edges. Not installed. */
#ifndef DELASSUS_MESH_MESH_SIDES_H
#define DELASSUS_MESH_MESH_SIDES_H

#include "base/memory.h"
#include "delassus/math3.h"

/* Corners in one place are one vertex. Numbers each of the `count` corners in `number`, and puts the vertices, in the
 * order of x, then y, then z, into `vertex`, which has room for `count`. Their number; 0 where memory is exhausted. */
size_t dls_mesh_join(const dls_vec3 *corners, size_t count, dls_arena *scratch, dls_vec3 *vertex, unsigned *number);

/* An edge of one triangle, from its corner k to the next. */
typedef struct dls_mesh_side {
    unsigned low, high, face; /* vertices, and the triangle */
    int way;                  /* 1: from low to high; -1: from high to low; 0: they are the same */
} dls_mesh_side;

/* The 3 `faces` sides of triangles with these vertices, sorted by edges, then by triangles. */
void dls_mesh_sort_sides(const unsigned *number, size_t faces, dls_mesh_side *sides);
/* The end of the sides that have the edge of sides[i], of n in all. */
size_t dls_mesh_edge_end(const dls_mesh_side *sides, size_t n, size_t i);

#endif
