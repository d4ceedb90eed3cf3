/* Prismatic: the anchor slides along an axis of the joint frame, S = (a, 0); q in metres. */
#include "parts.h"

static void pose(const dls_mat3 *P, const double *q, const double *sine, const double *cosine, dls_mat3 *R,
                 dls_vec3 *axis)
{
    (void)q, (void)sine, (void)cosine;
    *R = *P;
    axis[0] = dls_column3(P, 2);
}

static void advance(double *q, long *wraps, const double *v, double h)
{
    (void)wraps;
    q[0] += h * v[0];
}

const dls_motion dls_motion_prismatic = {
    .name = "prismatic",
    .summary = "slides along one axis",
    .n_dofs = 1,
    .n_positions = 1,
    .first_axis = DLS_X,
    .slides = true,
    .pose = pose,
    .advance = advance,
};
