/* Ball joint: two anchors coincide (3 rows). ode-new-joints section 5, eqs. (27)-(44).
 *
 *     C  = x1 + a1 - x2 - a2,             a_i = R_i p_i
 *     C' = v1 + omega1 x a1 - v2 - omega2 x a2
 *
 * Along the world axis e:  e.(omega x a) = (a x e).omega,  so the row is J = [e, a1 x e, -e, -(a2 x e)]: the three
 * rows together are [1, -hat(a1), -1, hat(a2)], (33)-(36). Each force acts at the anchor of its own body; the pair has
 * the moment C x f, so angular momentum is conserved only where C = 0.
 */
#include "parts.h"

typedef struct ball {
    dls_vec3 anchor, anchor2;
} ball;

static const dls_field fields[] = {
    {"anchor", "m", DLS_FIELD_VEC3, offsetof(ball, anchor), NULL, 0, 0, false, NULL,
     "centre of the ball at the start, world frame"},
    {"anchor2", "m", DLS_FIELD_VEC3, offsetof(ball, anchor2), "", 0, 0, false, NULL,
     "anchor on body 2 at the start, world frame, if the two do not coincide there; default: anchor"},
};

static dls_status ball_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const ball *settings = joint->settings;
    (void)error;
    dls_part_place(joint, end, settings->anchor, dls_quat_identity());
    if (!isnan(settings->anchor2.x))
        joint->frame[1] = dls_end_frame(&end[1], settings->anchor2, dls_quat_identity());
    return DLS_OK;
}

static size_t ball_count(const dls_joint *joint)
{
    (void)joint;
    return 3;
}

static void ball_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    (void)h;
    dls_part_point_rows(joint, end, rows);
}

const dls_joint_type dls_joint_ball = {
    .name = "ball",
    .summary = "two anchors coincide",
    .equation = "C = x1 + a1 - x2 - a2",
    .drawing = DLS_DRAW_POINT,
    .pair = DLS_PAIR_BALL,
    .fields = DLS_FIELD_TABLE(fields, ball),
    .place = ball_place,
    .count = ball_count,
    .rows = ball_rows,
    .position = dls_part_point_position,
};
