/* cone_sides.h - bounds of rows and of friction in a box as slacks, for interior points. Not installed. */
#ifndef DELASSUS_REFERENCE_CONE_SIDES_H
#define DELASSUS_REFERENCE_CONE_SIDES_H

#include "prepare.h"

/* A bound s = sign lambda_row + mu lambda_normal - bound >= 0 with its multiplier y >= 0; mu = 0 where the bound does
 * not depend on a normal impulse. */
typedef struct dls_cone_side {
    size_t row, normal;
    double sign, mu, bound, y, ds, dy;
} dls_cone_side;

/* Whether row i is the normal row of a cone with friction, which has its own variables in the place of lo = 0. */
bool dls_cone_has_friction(const dls_direct *d, size_t i);
/* Collects the bounds, at most 2 n, and returns how many there are; fixed[i] (n): the impulse of row i has one value,
 * which is put into lambda[i], as a place to start is for the others. `one_sided`: so are rows with two bounds and
 * tangents, at 0. Rolling friction is always: interior points are without it. */
size_t dls_cone_sides_collect(const dls_direct *d, bool one_sided, dls_cone_side *sides, bool *fixed, double *lambda);
/* s at lambda */
static inline double dls_cone_side_slack(const dls_cone_side *side, const double *lambda)
{
    return side->sign * lambda[side->row] + side->mu * lambda[side->normal] - side->bound;
}

#endif
