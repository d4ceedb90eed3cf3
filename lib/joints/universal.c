/* Universal joint (Cardan): two anchors coincide and two axes, one of each body, stay perpendicular (4 rows).
 *
 * With the unit axes b1 and b2 and theta the angle between them, the error is a true angle:
 *     C  = pi/2 - theta,   sin(C) = b1 . b2,   cos(C) = |b1 x b2|
 *     cos(C) C' = (omega1 x b1) . b2 + b1 . (omega2 x b2) = (b1 x b2) . (omega1 - omega2)
 *     J  = [0, n, 0, -n],   n = (b1 x b2) / |b1 x b2|
 * If the axes are parallel (C = +-pi/2, gimbal lock) n is not defined; a tangent of b1 is taken.
 */
#include "parts.h"

typedef struct universal {
    dls_vec3 anchor, axis1, axis2;
} universal;

static const dls_field fields[] = {
    {"anchor", "m", DLS_FIELD_VEC3, offsetof(universal, anchor), NULL, 0, 0, false, NULL,
     "centre of the cross at the start, world frame"},
    {"axis1", "", DLS_FIELD_VEC3, offsetof(universal, axis1), NULL, 0, 0, false, NULL,
     "axis fixed in body 1, at the start, world frame, any length"},
    {"axis2", "", DLS_FIELD_VEC3, offsetof(universal, axis2), NULL, 0, 0, false, NULL,
     "axis fixed in body 2, perpendicular to axis1 at the start"},
};

/* How far from a right angle the axes may be written; the rest of it is then taken out of axis2. [rad] */
static const double written = 1e-3;

static dls_status universal_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const universal *settings = joint->settings;
    dls_vec3 b1, b2;
    DLS_TRY(dls_part_axis(settings->axis1, "axis1", &b1, error));
    DLS_TRY(dls_part_axis(settings->axis2, "axis2", &b2, error));
    double sine = dls_dot(b1, b2);
    if (!(fabs(sine) <= written))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "axis2",
                              "axis1 and axis2 must be perpendicular, not %.6g degrees apart",
                              acos(sine < -1.0  ? -1.0
                                   : sine > 1.0 ? 1.0
                                                : sine) *
                                  180.0 / DLS_PI);
    b2 = dls_unit(dls_sub(b2, dls_scale(sine, b1)));
    joint->frame[0] = dls_end_frame(&end[0], settings->anchor, dls_quat_between(dls_axis3(2), b1));
    joint->frame[1] = dls_end_frame(&end[1], settings->anchor, dls_quat_between(dls_axis3(2), b2));
    return DLS_OK;
}

static size_t universal_count(const dls_joint *joint)
{
    (void)joint;
    return 4;
}

static double axes_skew(const dls_joint *joint, const dls_end end[2], dls_vec3 *n)
{
    dls_vec3 b1 = dls_part_axis_of(joint, end, 0, 2), b2 = dls_part_axis_of(joint, end, 1, 2),
             cross = dls_cross(b1, b2), unused;
    double cosine = dls_norm(cross);
    if (cosine > 0.0)
        *n = dls_scale(1.0 / cosine, cross);
    else
        dls_tangents(b1, n, &unused);
    return atan2(dls_dot(b1, b2), cosine);
}

static void universal_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    dls_vec3 n;
    dls_part_point_position(joint, end, C);
    C[3] = axes_skew(joint, end, &n);
}

static void universal_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    (void)h;
    dls_vec3 n;
    dls_part_point_rows(joint, end, rows);
    dls_row_bilateral(&rows[3], joint, "skew");
    rows[3].C = axes_skew(joint, end, &n);
    dls_row_set_angular(&rows[3], n);
}

const dls_joint_type dls_joint_universal = {
    .name = "universal",
    .summary = "two anchors coincide, and an axis of body 1 stays perpendicular to an axis of body 2",
    .equation = "C = (x1 + a1 - x2 - a2, pi/2 - angle(b1, b2))",
    .drawing = DLS_DRAW_AXES,
    .pair = DLS_PAIR_UNIVERSAL,
    .fields = DLS_FIELD_TABLE(fields, universal),
    .place = universal_place,
    .count = universal_count,
    .rows = universal_rows,
    .position = universal_position,
};
