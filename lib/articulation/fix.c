/* Fix: the link moves with its parent. No degrees of freedom. */
#include "parts.h"

static void pose(const dls_mat3 *P, const double *q, const double *sine, const double *cosine, dls_mat3 *R,
                 dls_vec3 *axis)
{
    (void)q, (void)sine, (void)cosine, (void)axis;
    *R = *P;
}

static void advance(double *q, long *wraps, const double *v, double h) { (void)q, (void)wraps, (void)v, (void)h; }

const dls_motion dls_motion_fix = {
    .name = "fix",
    .summary = "moves with its parent",
    .pose = pose,
    .advance = advance,
};
