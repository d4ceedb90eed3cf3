/* Swing limit: an axis of body 1 stays within a cone about an axis of body 2 (1 row). physx-articulations, Joint
 * Limits, of spherical joints.
 *
 * The rotation of frame 1 relative to frame 2 is q = swing twist (math3.h, dls_swing_twist); its swings s1, s2 stay
 * within an ellipse with the half axes a, b:
 *     rho = |(s1 / a, s2 / b)|,  C = m (1 - rho) >= 0,  m = min(a, b)          lambda >= 0
 *     J = -(m / rho) (s1 / a^2 ds1 + s2 / b^2 ds2) as a torque on both bodies
 * If a = b, C = a - theta is the remaining angle. The twist is free. At rho = 0 C has its maximum and its gradient is
 * not defined: J is 0 there, which is harmless, because C > 0 is a gap and the row does not act. At a swing of half a
 * turn the axis of the swing and the value of the twist are not defined; limits below half a turn exclude this pose.
 */
#include "parts.h"

typedef struct swing_limit {
    dls_vec3 axis, axis2, centre;
    double swing1, swing2;
} swing_limit;

static const dls_field fields[] = {
    {"axis", "", DLS_FIELD_VEC3, offsetof(swing_limit, axis), NULL, 0, 0, false, NULL,
     "axis of body 1 that stays within the cone, at the start, world frame"},
    {"centre", "", DLS_FIELD_VEC3, offsetof(swing_limit, centre), "", 0, 0, false, NULL,
     "axis of the cone, fixed to body 2, at the start, world frame; default: axis"},
    {"axis2", "", DLS_FIELD_VEC3, offsetof(swing_limit, axis2), "", 0, 0, false, NULL,
     "axis of the first swing, perpendicular to axis; default: any"},
    {"swing1", "rad", DLS_FIELD_REAL, offsetof(swing_limit, swing1), NULL, 0, DLS_PI, true, NULL,
     "greatest swing about axis2"},
    {"swing2", "rad", DLS_FIELD_REAL, offsetof(swing_limit, swing2), "", 0, DLS_PI, true, NULL,
     "greatest swing about the axis perpendicular to both; default: swing1"},
};

static dls_status swing_limit_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const swing_limit *settings = joint->settings;
    dls_vec3 x;
    dls_quat q;
    DLS_TRY(dls_part_axes(settings->axis, settings->axis2, &x, &q, error));
    if (isnan(settings->axis2.x) && !isnan(settings->swing2))
        return dls_joint_refuse(error, "axis2", "two swings need the axis of the first");
    dls_vec3 centre = x;
    if (!isnan(settings->centre.x))
        DLS_TRY(dls_part_axis(settings->centre, "centre", &centre, error));
    joint->frame[0] = dls_end_frame(&end[0], end[0].x, q);
    joint->frame[1] = dls_end_frame(&end[1], end[1].x, dls_quat_mul(dls_quat_between(x, centre), q));
    return DLS_OK;
}

/* C, and its gradient in frame 2 where dC is not NULL. */
static double cone_error(const dls_joint *joint, const dls_end end[2], dls_vec3 *dC)
{
    const swing_limit *settings = joint->settings;
    const double a = settings->swing1, b = isnan(settings->swing2) ? a : settings->swing2, m = fmin(a, b);
    const dls_quat F1 = dls_end_rotation(&end[0], &joint->frame[0]), F2 = dls_end_rotation(&end[1], &joint->frame[1]);
    double angle[3];
    dls_vec3 rate[3];
    dls_swing_twist(dls_quat_mul(dls_quat_conj(F2), F1), angle, rate);
    const double rho = hypot(angle[1] / a, angle[2] / b);
    const bool top = rho < 1e-12; /* below the rounding of rotations */
    const double one = top ? 0.0 : angle[1] / (a * a * rho), two = top ? 0.0 : angle[2] / (b * b * rho);
    if (dC)
        *dC = dls_quat_rotate(F2, dls_scale(-m, dls_add(dls_scale(one, rate[1]), dls_scale(two, rate[2]))));
    return m * (1.0 - rho);
}

static void swing_limit_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    C[0] = cone_error(joint, end, NULL);
}

static void swing_limit_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    dls_vec3 dC;
    (void)h;
    dls_row_bilateral(&rows[0], joint, "cone");
    rows[0].C = cone_error(joint, end, &dC);
    dls_row_set_angular(&rows[0], dC);
    dls_row_make_unilateral(&rows[0]);
}

static const dls_row_definition definitions[] = {{.label = "cone", .kind = DLS_ROW_LIMIT}, {.label = NULL}};

const dls_joint_type dls_joint_swing_limit = {
    .name = "swing-limit",
    .summary = "an axis of one body stays within a cone, round or elliptic, on the other",
    .equation = "C = m (1 - |(s1 / a, s2 / b)|) >= 0, m = min(a, b); s1, s2: swings; a, b: swing1, swing2",
    .fields = DLS_FIELD_TABLE(fields, swing_limit),
    .place = swing_limit_place,
    .count = dls_part_one_row,
    .rows = swing_limit_rows,
    .position = swing_limit_position,
    .definitions = definitions,
};
