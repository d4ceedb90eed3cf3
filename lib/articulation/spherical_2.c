/* Spherical, two degrees of freedom: turns about a first axis, and then about a second that the first carries along.
 *
 *     R = exp(q1 e1) exp(q2 e2),   a1 = P e1,   a2 = P exp(q1 e1) e2
 * two of the axes of the joint frame, so that they stay perpendicular; the third stays locked without a constraint.
 * a2 turns with the first angle, which gives the angular velocity-product acceleration a1 qd1 x a2 qd2 beside
 * omega_parent x (a1 qd1 + a2 qd2). P has e1 as its z and e2 as its x.
 */
#include "parts.h"

static void spherical_2_pose(const dls_mat3 *P, const double *q, const double *sine, const double *cosine, dls_mat3 *R,
                             dls_vec3 *axis)
{
    const double c1 = cosine[0], s1 = sine[0], c2 = cosine[1], s2 = sine[1];
    (void)q;
    for (int i = 0; i < 9; i += 3) {
        const double x = P->m[i], y = P->m[i + 1], z = P->m[i + 2], turned = c1 * y - s1 * x;
        R->m[i] = c1 * x + s1 * y;
        R->m[i + 1] = c2 * turned + s2 * z;
        R->m[i + 2] = c2 * z - s2 * turned;
    }
    axis[0] = dls_tree_column(P, 2);
    axis[1] = dls_tree_column(R, 0);
}

const dls_motion dls_motion_spherical_2 = {
    .name = "spherical-2",
    .joint = "universal",
    .summary = "turns about two axes, the second carried by the first",
    .n_dofs = 2,
    .n_positions = 2,
    .first_axis = DLS_TWIST,
    .successive = true,
    .pose = spherical_2_pose,
};
