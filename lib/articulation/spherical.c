/* Spherical, three degrees of freedom: the child's joint frame turns freely in the parent's.
 *
 * The position is the unit quaternion from the child's joint frame to the parent's; the speeds are the relative angular
 * velocity in the parent's joint frame, so that q' = 1/2 (0, qd) q, as for a free body in the world, and a step is
 * q+ = exp(h qd) q: no angles, hence no gimbal lock, and |q| stays 1 to rounding. The axes are fixed in the parent: S
 * column k is (a_k x d, a_k), and turns with the parent alone.
 *
 * COORDINATES for limits, drives and couplings are twist, swing1 and swing2 of dls_swing_twist (math3.h): the twist
 * about x, and the y and z components of the rotation vector of the swing that follows it. They are angles of the pose
 * and not integrals of the speeds of the same names, which are their rates only at the identity. The SINGULAR POSE is a
 * swing of half a turn.
 *
 * TURNS. The pose determines the twist up to full turns, which each step counts: among the angles that belong to the
 * new pose, the twist is the one nearest to its prediction from the rate. The rate, which has a pole (math3.h), is (e +
 * R e) . qd / (2 n^2), R e = R_s e; the prediction omits 1 / n^2,
 *
 *     twist+  ~  twist + h (e + R e) . qd / 2
 *
 * which is exact for a pure twist at any speed, and bounded by |h qd| where the rate is not: a step through the
 * singular pose does not change the number of turns. The count is correct while the twist after a step differs from the
 * prediction by less than half a turn, so at a swing of 90 degrees for steps of less than a turn. As for any angle of a
 * rotation, the number of turns at the end of a path depends on whether the path goes around the singular pose.
 */
#include "parts.h"

static void spherical_pose(const dls_mat3 *P, const double *q, const double *sine, const double *cosine, dls_mat3 *R,
                           dls_vec3 *axis)
{
    (void)sine, (void)cosine;
    *R = dls_matmul3(*P, dls_quat_matrix((dls_quat){q[0], q[1], q[2], q[3]}));
    for (int k = 0; k < 3; k++)
        axis[k] = dls_tree_column(P, k);
}

static double spherical_coordinate(const double *q, long turns, size_t k, double *gradient)
{
    double angle[3];
    dls_vec3 rate[3];
    dls_swing_twist((dls_quat){q[0], q[1], q[2], q[3]}, angle, rate);
    for (int i = 0; i < 3; i++)
        gradient[i] = dls_get3(rate[k], i);
    return k ? angle[k] : angle[0] + 2.0 * DLS_PI * (double)turns;
}

/* In [-pi, pi], as of dls_swing_twist. */
static double spherical_twist(const double *q)
{
    const double sign = q[0] < 0.0 ? -1.0 : 1.0;
    return q[0] != 0.0 || q[1] != 0.0 ? 2.0 * atan2(sign * q[1], sign * q[0]) : 0.0;
}

/* Counts the turns to the angle of the pose that is nearest to `twist`. Where turns can no longer be counted no
 * position is left: NaN, which the check of the state names. */
static void count_turns(double *q, long *turns, double twist)
{
    *turns = 0;
    if (!dls_tree_count(turns, round((twist - spherical_twist(q)) / (2.0 * DLS_PI))))
        q[0] = NAN;
}

static void place_spherical(double *q, long *turns, const double *angle)
{
    const dls_quat twist = dls_quat_exp(dls_v3(angle[0], 0.0, 0.0)),
                   swing = dls_quat_exp(dls_v3(0.0, angle[1], angle[2])), turn = dls_quat_mul(swing, twist);
    q[0] = turn.w, q[1] = turn.x, q[2] = turn.y, q[3] = turn.z;
    count_turns(q, turns, angle[0]);
}

static void advance_spherical(double *q, long *turns, const double *v, double h)
{
    dls_quat turn = dls_quat_exp(dls_scale(h, dls_v3(v[0], v[1], v[2])));
    const dls_vec3 along = dls_v3(2.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]), 2.0 * (q[1] * q[2] + q[0] * q[3]),
                                  2.0 * (q[1] * q[3] - q[0] * q[2])); /* e + R e */
    const double twist = spherical_twist(q) + 0.5 * h * dls_dot(along, dls_v3(v[0], v[1], v[2]));
    const double before = (double)*turns;
    dls_quat next = dls_quat_unit(dls_quat_mul(turn, (dls_quat){q[0], q[1], q[2], q[3]}));
    q[0] = next.w, q[1] = next.x, q[2] = next.y, q[3] = next.z;
    count_turns(q, turns, twist + 2.0 * DLS_PI * before);
}

const dls_motion dls_motion_spherical = {
    .name = "spherical",
    .joint = "ball",
    .summary = "turns about a point; the position is a unit quaternion, with coordinates twist, swing1 and swing2",
    .n_dofs = 3,
    .n_positions = 4,
    .first_axis = DLS_TWIST,
    .identity = {1.0},
    .pose = spherical_pose,
    .coordinate = spherical_coordinate,
    .place = place_spherical,
    .advance = advance_spherical,
};
