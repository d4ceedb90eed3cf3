/* Fixed joint: the two bodies move as one (6 rows): the rows of a ball, and three that lock the rotation.
 *
 * With the joint's rotations F_i = R_i r_i in the world, the error is the rotation vector from frame 2 to frame 1 in
 * the coordinates of frame 2; its length is the true angle, at any size:
 *     E  = F2^T F1 = exp(hat(phi)),    C = phi
 *     E' = F2^T hat(omega1 - omega2) F1 = hat(s) E,    s = F2^T (omega1 - omega2)
 *     C' = B(phi) s,    B the inverse left Jacobian of SO(3): dls_rotation_rate
 * so row i is J = [0, n, 0, -n] with n = F2 B^T e_i: exact for finite errors, and n = F2 e_i at C = 0. Components in
 * the world frame would add omega2 x (F2 phi) and break the balance of the two torques. At half a turn phi may jump to
 * -phi (the way back is as long both ways round); J stays finite there.
 */
#include "parts.h"

typedef struct fixed {
    dls_vec3 anchor, anchor2;
    dls_quat orientation1, orientation2;
} fixed;

static const dls_field fields[] = {
    {"anchor", "m", DLS_FIELD_VEC3, offsetof(fixed, anchor), "", 0, 0, false, NULL,
     "point at which the bodies are held together, at the start, world frame; default: the centre of mass of body 1 "
     "(of body 2 if body 1 cannot move)"},
    {"anchor2", "m", DLS_FIELD_VEC3, offsetof(fixed, anchor2), "", 0, 0, false, NULL,
     "anchor on body 2 at the start, world frame, if the two do not coincide there; default: anchor"},
    {"orientation1", "", DLS_FIELD_QUAT, offsetof(fixed, orientation1), "[1, 0, 0, 0]", 0, 0, false, NULL,
     "of the joint's axes on body 1 at the start, world frame, [w, x, y, z]; both axes are held together"},
    {"orientation2", "", DLS_FIELD_QUAT, offsetof(fixed, orientation2), "[1, 0, 0, 0]", 0, 0, false, NULL,
     "likewise on body 2"},
};

static dls_status fixed_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const fixed *settings = joint->settings;
    const dls_vec3 anchor = dls_part_anchor_or_centre(joint, end, settings->anchor);
    (void)error;
    joint->frame[0] = dls_end_frame(&end[0], anchor, settings->orientation1);
    joint->frame[1] =
        dls_end_frame(&end[1], isnan(settings->anchor2.x) ? anchor : settings->anchor2, settings->orientation2);
    return DLS_OK;
}

static size_t fixed_count(const dls_joint *joint)
{
    (void)joint;
    return 6;
}

static void fixed_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    dls_part_point_position(joint, end, C);
    dls_part_lock_position(joint, end, C + 3);
}

static void fixed_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    (void)h;
    dls_part_point_rows(joint, end, rows);
    dls_part_lock_rows(joint, end, rows + 3);
}

const dls_joint_type dls_joint_fixed = {
    .name = "fixed",
    .summary = "two bodies move as one",
    .equation = "C = (x1 + a1 - x2 - a2, log(F2^T F1))",
    .drawing = DLS_DRAW_POINT,
    .pair = DLS_PAIR_FIXED,
    .fields = DLS_FIELD_TABLE(fields, fixed),
    .place = fixed_place,
    .count = fixed_count,
    .rows = fixed_rows,
    .position = fixed_position,
};
