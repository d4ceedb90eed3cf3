/* hull.h - the convex hull of a set of points, for collisions. Not installed. */
#ifndef DELASSUS_MESH_HULL_H
#define DELASSUS_MESH_HULL_H

#include "base/memory.h"
#include "mesh/mesh_file.h"

#include <limits.h>

/* A side of a hull as contacts see it: triangles whose normals agree within 1e-5 rad, which the rounding of a file to
 * single precision sets apart. Its corners are anticlockwise from outside. */
typedef struct dls_hull_face {
    dls_vec3 normal;          /* unit */
    size_t corners;           /* at most DLS_HULL_CORNERS; of a side with more of them, as many, evenly spread */
    const unsigned *vertex;   /* corners */
    const unsigned *edge;     /* corners: from each to the next; DLS_HULL_NO_EDGE where corners were left out */
    const unsigned *triangle; /* of the side */
    size_t triangles;
} dls_hull_face;
enum { DLS_HULL_CORNERS = 64 };
#define DLS_HULL_NO_EDGE UINT_MAX

typedef struct dls_hull {
    size_t n_vertices, n_edges, n_triangles, n_faces;
    dls_vec3 *vertex; /* n_vertices */
    struct {
        unsigned vertex[2], triangle[2];
    } * edge;                  /* n_edges */
    unsigned *first, *edge_of; /* edges at vertex i: edge_of[first[i]] to edge_of[first[i + 1] - 1] */
    struct {
        unsigned vertex[3], face; /* anticlockwise from outside */
        dls_vec3 normal;          /* unit, outward */
        double height;            /* of its plane: normal . vertex */
    } * triangle;                 /* n_triangles */
    dls_hull_face *face;          /* n_faces */
    dls_triangles shown;          /* the triangles, for pictures */
    double size;                  /* the greatest distance of a vertex from the origin [m] */
} dls_hull;

/* The convex hull of the corners of triangles (C. B. Barber, D. P. Dobkin and H. Huhdanpaa, "The Quickhull algorithm
 * for convex hulls", ACM Transactions on Mathematical Software 22(4), 1996, by their library), in memory of the arena.
 * `from` is left as it is. DLS_REFUSED, about the file `path`, where the points are flat, or where the hull has more
 * than 10,000 vertices. */
dls_status dls_hull_create(const dls_triangles *from, const char *path, dls_arena *memory, const dls_hull **hull,
                           dls_error *error);

#endif
