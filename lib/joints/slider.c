/* Slider: body 1 slides along an axis of body 2, without turning (5 rows). Lock rows (fixed.c), and two across the
 * axis.
 *
 * With d = x1 + a1 - x2 - a2 and a unit vector e across the axis, fixed in body 2 (e' = omega2 x e):
 *     C  = e . d
 *     C' = e . (v1 + omega1 x a1 - v2 - omega2 x a2) + (omega2 x e) . d
 * The last term is omega2 . (e x d) = -omega2 . (d x e), so
 *     J  = [e, a1 x e, -e, -((a2 + d) x e)]
 * Body 2 is held at a2 + d: at the anchor of body 1, wherever that has slid to. Both forces act at one point, and
 * angular momentum is conserved at any error.
 *
 * COORDINATE: the travel e . d with e along the axis, whose rate has the same J. The anchor on body 2 lies behind that
 * on body 1 by the coordinate that the joint has at the start.
 */
#include "parts.h"

typedef struct slider {
    dls_vec3 axis, anchor;
    double start;
} slider;

static const dls_field fields[] = {
    {"axis", "", DLS_FIELD_VEC3, offsetof(slider, axis), NULL, 0, 0, false, NULL,
     "direction of sliding at the start, world frame, any length; fixed in body 2"},
    {"anchor", "m", DLS_FIELD_VEC3, offsetof(slider, anchor), "", 0, 0, false, NULL,
     "point of body 1 that stays on the line of sliding, at the start, world frame; default: the centre of mass of "
     "body 1 (of body 2 if body 1 cannot move)"},
    {"start", "m", DLS_FIELD_REAL, offsetof(slider, start), "0", 0, 0, false, NULL, "coordinate at the start"},
};

static dls_status slider_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const slider *settings = joint->settings;
    dls_vec3 axis;
    DLS_TRY(dls_part_axis(settings->axis, "axis", &axis, error));
    joint->start = settings->start;
    dls_vec3 anchor = dls_part_anchor_or_centre(joint, end, settings->anchor);
    const dls_quat along = dls_quat_between(dls_axis3(2), axis);
    dls_part_place(joint, end, anchor, along);
    joint->frame[1] = dls_end_frame(&end[1], dls_sub(anchor, dls_scale(settings->start, axis)), along);
    return DLS_OK;
}

static size_t slider_count(const dls_joint *joint)
{
    (void)joint;
    return 5;
}

static void slider_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    dls_vec3 d = dls_part_separation(joint, end);
    dls_part_lock_position(joint, end, C);
    for (int i = 0; i < 2; i++)
        C[3 + i] = dls_dot(dls_part_axis_of(joint, end, 1, i), d);
}

static void slider_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    static const char *const labels[] = {"across x", "across y"};
    (void)h;
    dls_part_lock_rows(joint, end, rows);
    dls_vec3 d = dls_part_separation(joint, end), a1 = dls_end_arm(&end[0], &joint->frame[0]);
    dls_vec3 held = dls_add(dls_end_arm(&end[1], &joint->frame[1]), d);
    for (int i = 0; i < 2; i++) {
        dls_vec3 e = dls_part_axis_of(joint, end, 1, i);
        dls_row_bilateral(&rows[3 + i], joint, labels[i]);
        rows[3 + i].C = dls_dot(e, d);
        dls_row_set_linear(&rows[3 + i], e, a1, held);
    }
}

static void slider_coordinate(const dls_joint *joint, const dls_end end[2], dls_row *row)
{
    dls_vec3 d = dls_part_separation(joint, end), e = dls_part_axis_of(joint, end, 1, 2);
    row->C = dls_dot(e, d);
    dls_row_set_linear(row, e, dls_end_arm(&end[0], &joint->frame[0]),
                       dls_add(dls_end_arm(&end[1], &joint->frame[1]), d));
}

const dls_joint_type dls_joint_slider = {
    .name = "slider",
    .summary = "body 1 slides along an axis of body 2 without rotation",
    .equation = "C = (log(F2^T F1), e_x . d, e_y . d), d = x1 + a1 - x2 - a2",
    .drawing = DLS_DRAW_AXIS,
    .pair = DLS_PAIR_SLIDER,
    .fields = DLS_FIELD_TABLE(fields, slider),
    .place = slider_place,
    .count = slider_count,
    .rows = slider_rows,
    .position = slider_position,
    .coordinate = slider_coordinate,
};
