/* Spherical, three degrees of freedom: the child's joint frame turns freely in the parent's.
 *
 * The position is the unit quaternion from the child's joint frame to the parent's; the speeds are the relative angular
 * velocity in the parent's joint frame, so that q' = 1/2 (0, qd) q, as for a free body in the world, and a step is
 * q+ = exp(h qd) q: no angles, hence no gimbal lock, and |q| stays 1 to rounding. The axes are fixed in the parent: S
 * column k is (a_k x d, a_k), and turns with the parent alone.
 *
 * COORDINATES for limits, drives and couplings are twist, swing1 and swing2 of dls_swing_twist (math3.h): the twist
 * about x, and the y and z of the rotation vector of the swing that follows it. They are angles of the pose and not
 * integrals of the speeds of the same names, which they have for rates at the identity alone. The SINGULAR POSE is a
 * swing of half a turn.
 */
#include "parts.h"

static void pose(const dls_mat3 *P, const double *q, const double *sine, const double *cosine, dls_mat3 *R,
                 dls_vec3 *axis)
{
    (void)sine, (void)cosine;
    *R = dls_matmul3(*P, dls_quat_matrix((dls_quat){q[0], q[1], q[2], q[3]}));
    for (int k = 0; k < 3; k++)
        axis[k] = dls_tree_column(P, k);
}

static double coordinate(const double *q, size_t k, double *gradient)
{
    double angle[3];
    dls_vec3 rate[3];
    dls_swing_twist((dls_quat){q[0], q[1], q[2], q[3]}, angle, rate);
    for (int i = 0; i < 3; i++)
        gradient[i] = dls_get3(rate[k], i);
    return angle[k];
}

static void place(double *q, const double *angle)
{
    const dls_quat twist = dls_quat_exp(dls_v3(angle[0], 0.0, 0.0)),
                   swing = dls_quat_exp(dls_v3(0.0, angle[1], angle[2])), turn = dls_quat_mul(swing, twist);
    q[0] = turn.w, q[1] = turn.x, q[2] = turn.y, q[3] = turn.z;
}

static void advance(double *q, const double *v, double h)
{
    dls_quat turn = dls_quat_exp(dls_scale(h, dls_v3(v[0], v[1], v[2])));
    dls_quat next = dls_quat_unit(dls_quat_mul(turn, (dls_quat){q[0], q[1], q[2], q[3]}));
    q[0] = next.w, q[1] = next.x, q[2] = next.y, q[3] = next.z;
}

const dls_motion dls_motion_spherical = {
    .name = "spherical",
    .summary = "turns about a point; the position is a unit quaternion, with coordinates twist, swing1 and swing2",
    .n_dofs = 3,
    .n_positions = 4,
    .first_axis = DLS_TWIST,
    .identity = {1.0},
    .pose = pose,
    .coordinate = coordinate,
    .place = place,
    .advance = advance,
};
