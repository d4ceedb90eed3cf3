/* manifold.h - the contact points of two convex solids. Not installed. */
#ifndef DELASSUS_CONTACT_MANIFOLD_H
#define DELASSUS_CONTACT_MANIFOLD_H

#include "convex.h"
#include "delassus/contact.h"

typedef struct dls_contact_point {
    dls_vec3 point[2], normal; /* a point of each solid; unit, from the second solid to the first */
    double gap;                /* normal . (point[0] - point[1]) */
    unsigned name[2]; /* below dls_manifold_names(): the vertex, edge or face of each solid that the point is of */
} dls_contact_point;

/* One more than the greatest name of a feature of the solid. */
unsigned dls_manifold_names(const dls_convex *solid);

/* The points of contact with a gap of at most `limit`, sorted by their names, of which no two are equal; their number.
 * The nearest points of the solids are among them; further ones are those where faces or edges end that lie along each
 * other within 5 degrees. */
size_t dls_manifold(const dls_convex *const solid[2], double limit, dls_contact_point touch[DLS_PAIR_CONTACTS]);

#endif
