/* convex.h - the signed gap of two convex solids, its normal, and a point of each. Not installed.
 *
 * A sphere, capsule, box or cylinder is the sum of segments along its axes, a disc across its third axis and a ball:
 *     { centre + sum_k t_k axis_k + y + z : |t_k| <= half_k, y perpendicular to axis_3 with |y| <= disc, |z| <= ball }
 * Without the ball this is the core of the solid: a point, a segment, the box itself, the cylinder itself. An ellipsoid
 * is { centre + sum_k t_k radii_k axis_k : |t| <= 1 }. A plane is
 * the half-space below `centre` along axis[2], and a mesh the convex hull of its vertices, in these axes from `centre`.
 */
#ifndef DELASSUS_CONTACT_CONVEX_H
#define DELASSUS_CONTACT_CONVEX_H

#include "delassus/model.h"
#include "mesh/hull.h"
#include "mesh/terrain.h"

typedef struct dls_convex {
    dls_shape shape;
    dls_vec3 centre, axis[3]; /* world frame */
    double half[3], radii[3], disc, ball;
    const dls_hull *hull;       /* of a mesh; else NULL */
    const dls_terrain *terrain; /* of a terrain, which is not convex: ground.h; else NULL */
    double size;                /* a bound of its extent from the centre; 0 for a plane [m] */
} dls_convex;

/* gap = max over unit vectors n of (min n.a - max n.b), with a in the first and b in the second solid: the distance of
 * solids that are apart; minus the depth, the least translation that parts them, of those that overlap. `normal` is the
 * n of the maximum: it points from the second solid to the first. */
typedef struct dls_separation {
    double gap; /* [m] */
    dls_vec3 normal;
} dls_separation;

dls_convex dls_convex_of(const dls_solid *solid);
void dls_convex_place(dls_convex *convex, dls_frame pose);
/* Least and greatest x, y and z. */
void dls_convex_bounds(const dls_convex *convex, double bounds[6]);
/* False if the gap exceeds `limit`; then nothing is found. Two planes are no pair. */
bool dls_convex_separate(const dls_convex *const solid[2], double limit, dls_separation *found);
/* The vertex of a mesh that is farthest along a direction of its own axes. */
unsigned dls_convex_vertex(const dls_hull *hull, dls_vec3 along);
/* A direction of the world in the axes of a solid, and a vertex of a mesh in the world. */
static inline dls_vec3 dls_convex_local(const dls_convex *c, dls_vec3 n)
{
    return dls_v3(dls_dot(n, c->axis[0]), dls_dot(n, c->axis[1]), dls_dot(n, c->axis[2]));
}
static inline dls_vec3 dls_convex_turned(const dls_convex *c, dls_vec3 local)
{
    return dls_add(dls_add(dls_scale(local.x, c->axis[0]), dls_scale(local.y, c->axis[1])),
                   dls_scale(local.z, c->axis[2]));
}
/* The point of an ellipsoid that is farthest along a direction, from its centre. */
dls_vec3 dls_convex_reach(const dls_convex *ellipsoid, dls_vec3 along);
/* A point of each core, neither of them a plane: point[0] - point[1] = (gap + both balls) normal. Where many are as
 * near, one of them. Turns the normal by a rounding of the gap where that lets the points meet. Returns how far the
 * second point is beside its solid: more than a rounding if the normal is not exact. */
double dls_convex_nearest(const dls_convex *const solid[2], dls_separation *found, dls_vec3 point[2]);

#endif
