/* Friction laws, and the forces that each can hold.
 *
 * A block that slides without rotation has one velocity v at all its contacts. Under every law here friction is a force
 * f in a convex set r P, with v in the normal cone of r P at f (maximal dissipation: for the polygon, for the disc, for
 * both separate bounds), and in a step from rest m v / h = F - f. Then f is the point of r P nearest to the pull F for
 * any such set, and the block sticks if F is in the set: the least force that moves it is r times the extent of P along
 * F. The block moves along the remaining force F - f, and deviates from the pull by the angle between the two.
 */
#include "friction/parts.h"

#include <math.h>

/* A box row has two facets, whatever k is. */
const dls_friction_law dls_friction_laws[DLS_FRICTION_LAWS] = {
    [DLS_FRICTION_LAW_FIXED] = {"fixed", DLS_LAW_FIXED, 0, "block-pivoting,newton,interior-point", "pgs", 4,
                                DLS_PI / 4.0, 1.4142135623730951},
    [DLS_FRICTION_LAW_BOX] = {"box", DLS_LAW_BOX, 3, "lemke,newton,interior-point", "pgs", 4, DLS_PI / 4.0,
                              1.4142135623730951},
    [DLS_FRICTION_LAW_FACETS_4] = {"facets-4", DLS_LAW_CONE, 4, "lemke,newton,interior-point", NULL, 4, 0.0, 1.0},
    [DLS_FRICTION_LAW_FACETS_8] = {"facets-8", DLS_LAW_CONE, 8, "lemke,newton,interior-point", NULL, 8, 0.0, 1.0},
    [DLS_FRICTION_LAW_FACETS_16] = {"facets-16", DLS_LAW_CONE, 16, "lemke,newton,interior-point", NULL, 16, 0.0, 1.0},
    [DLS_FRICTION_LAW_CONE] = {"cone", DLS_LAW_CONE, 0, "cone-newton", "nsgs", 0, 0.0, 1.0},
};

/* The angle from the middle of the nearest edge. */
static double from_edge(const dls_friction_law *law, double direction)
{
    double side = 2.0 * DLS_PI / (double)law->corners;
    return remainder(direction - law->corner - 0.5 * side, side);
}

double dls_friction_reach(const dls_friction_law *law, double direction)
{
    if (law->corners == 0)
        return law->radius;
    return law->radius * cos(DLS_PI / (double)law->corners) / cos(from_edge(law, direction));
}

double dls_friction_excess(const dls_friction_law *law, double r, double pull, double direction, double *along)
{
    *along = direction;
    if (pull <= r * dls_friction_reach(law, direction))
        return 0.0;
    if (law->corners == 0)
        return pull - r * law->radius;
    double angle = from_edge(law, direction), half = DLS_PI / (double)law->corners,
           corner = r * law->radius * sin(half);
    double out = pull * cos(angle) - r * law->radius * cos(half), side = pull * sin(angle);
    side -= fmax(-corner, fmin(corner, side));
    *along = direction - angle + atan2(side, out);
    return hypot(out, side);
}

double dls_friction_anisotropy(const dls_friction_law *law)
{
    return law->corners == 0 ? 1.0 : 1.0 / cos(DLS_PI / (double)law->corners);
}
