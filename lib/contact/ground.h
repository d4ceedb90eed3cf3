/* ground.h - the contact points of a convex solid and a terrain. Not installed. */
#ifndef DELASSUS_CONTACT_GROUND_H
#define DELASSUS_CONTACT_GROUND_H

#include "manifold.h"
#include "mesh/terrain.h"

/* The names of features of a terrain are its items (terrain.h). */
typedef struct dls_contact_points {
    size_t count, capacity;
    dls_contact_point *at;
} dls_contact_points;

/* Appends the points with a gap of at most `limit`, in the order of faces, ridges and peaks; false without memory.
 * solid: of a body and of a terrain, in either order. */
bool dls_ground_touch(const dls_convex *const solid[2], double limit, dls_contact_points *points);

#endif
