/* Revolute, unwrapped: turns about an axis of the joint frames, S = (a x d, a); the position is the whole angle. */
#include "parts.h"

static void pose(const dls_mat3 *P, const double *q, const double *sine, const double *cosine, dls_mat3 *R,
                 dls_vec3 *axis)
{
    (void)q;
    dls_part_turn_z(P, sine[0], cosine[0], R);
    axis[0] = dls_column3(P, 2);
}

static void advance(double *q, long *wraps, const double *v, double h)
{
    (void)wraps;
    q[0] += h * v[0];
}

const dls_motion dls_motion_revolute_unwrapped = {
    .name = "revolute-unwrapped",
    .summary = "turns about one axis; the position is the whole angle",
    .n_dofs = 1,
    .n_positions = 1,
    .first_axis = DLS_TWIST,
    .pose = pose,
    .advance = advance,
};
