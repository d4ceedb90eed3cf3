/* cone_projection.h - the projection onto the bounds, boxes and cones of a problem, and its derivative. Not installed.
 *
 * A normal impulse n bounds limbs: the discs of law.h, of two rows, and rows under a box, of one. A limb with the
 * coefficients mu_k is round in y_k = lambda_k / r_k, r_k = mu_k / m, m = max mu_k, where it is |y| <= m n; its
 * velocities there are z_k = r_k w_k, and h(w) = m |z|. The problem is prepared with DLS_DIRECT_CONTACTS. */
#ifndef DELASSUS_REFERENCE_CONE_PROJECTION_H
#define DELASSUS_REFERENCE_CONE_PROJECTION_H

#include "root.h"

typedef struct dls_cone_limb {
    size_t row, count;           /* one or two rows */
    double most, share[2], norm; /* m, r_k and the norm of y */
    double length;               /* |y| before the projection */
    bool shortened;
} dls_cone_limb;

typedef struct dls_cone_group {
    size_t normal, first, count; /* limbs first to first + count - 1 */
    bool associated;
} dls_cone_group;

typedef struct dls_cone_projection {
    const dls_direct *d;
    size_t n_groups;
    dls_cone_group *group; /* at most n */
    dls_cone_limb *limb;   /* at most n */
    bool shifts;           /* some group has De Saxce's term */
    bool *alone;           /* n: rows with bounds of their own, which bound no other */
    double *S;             /* n: the norm */
    dls_root_squares H;    /* the derivative by S x where it was applied last */
} dls_cone_projection;

/* Collects rows and takes memory. Its success is that of the next dls_direct_ready. */
void dls_cone_projection_take(dls_cone_projection *projection, const dls_direct *d);
/* The least norm that is `least` (n entries) or more in each row, and one number for each limb. */
void dls_cone_projection_norm(dls_cone_projection *projection, const double *least);
/* lambda = the point of the bounds and cones nearest to x in the norm sum S_i (lambda_i - x_i)^2, and the derivative
 * there. n entries each. */
void dls_cone_projection_apply(dls_cone_projection *projection, const double *x, double *lambda);
/* u . H u */
double dls_cone_projection_curvature(const dls_cone_projection *projection, const double *u);
/* Adds De Saxce's term to w_n of each normal row whose law is not the associated one, sum h(w) over its limbs. */
void dls_cone_projection_add_shift(const dls_cone_projection *projection, const double *w, double *to);

#endif
