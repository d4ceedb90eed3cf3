/* mesh_source.h - between the readers of meshes: a file in memory, and where its triangles go. Not installed. */
#ifndef DELASSUS_MESH_MESH_SOURCE_H
#define DELASSUS_MESH_MESH_SOURCE_H

#include "io/xml.h"
#include "mesh_file.h"

#include <math.h>
#include <stdint.h>

typedef struct dls_mesh_source {
    const char *text, *path, *part; /* part: the name behind the # of FILE#NAME, else NULL */
    size_t size, at;                /* `at`: the next byte */
    long line;
    dls_vec3 scale;
    dls_triangles *to;
    dls_error *error;
} dls_mesh_source;

/* DLS_BAD_INPUT at the present line, or about the file where that is 0; and at a byte. */
dls_status dls_mesh_fail(const dls_mesh_source *s, const char *message);
dls_status dls_mesh_fail_at_byte(const dls_mesh_source *s, size_t byte, const char *message);
/* Adds a triangle of scaled corners, if it has an area. */
dls_status dls_mesh_add(const dls_mesh_source *s, dls_vec3 a, dls_vec3 b, dls_vec3 c);
/* Three numbers in single precision from a byte on, scaled. */
dls_status dls_mesh_corner(const dls_mesh_source *s, size_t at, dls_vec3 *p);

/* Four bytes as a number, little endian. */
static inline uint32_t dls_mesh_word(const dls_mesh_source *s, size_t at)
{
    const unsigned char *b = (const unsigned char *)s->text + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline dls_vec3 dls_mesh_scaled(const dls_mesh_source *s, const double *x)
{
    return dls_v3(s->scale.x * x[0], s->scale.y * x[1], s->scale.z * x[2]);
}

/* Coordinates of pictures are in single precision. */
static inline bool dls_mesh_near(dls_vec3 v)
{
    const double farthest = 1e30; /* [m] */
    return fabs(v.x) < farthest && fabs(v.y) < farthest && fabs(v.z) < farthest;
}

/* The mesh of an element <mesh> of MJCF, as dls_mesh_read. */
dls_status dls_mesh_of_element(const dls_xml *x, const xmlNode *mesh, dls_vec3 scale, dls_triangles *triangles);

/* --- mesh_mujoco.c --- */

/* Adds the triangles of the convex hull of scaled points. */
dls_status dls_mesh_add_hull(const dls_mesh_source *s, const dls_vec3 *at, size_t count);
dls_status dls_mesh_read_msh(dls_mesh_source *s);
/* An element <mesh> of MJCF, an element <hfield>, and the one with a name in the text of a model: s->path is FILE#NAME,
 * or FILE#hfield NAME. */
dls_status dls_mesh_hfield(const dls_xml *x, const xmlNode *field, dls_mesh_source *s);
dls_status dls_mesh_inline(const dls_xml *x, const xmlNode *mesh, dls_mesh_source *s);
dls_status dls_mesh_read_inline(dls_mesh_source *s);

#endif
