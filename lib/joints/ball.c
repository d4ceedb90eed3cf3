/* Ball joint: two anchors coincide (3 rows). ode-new-joints section 5, eqs. (27)-(44).
 *
 *     C  = x1 + a1 - x2 - a2,             a_i = R_i p_i
 *     C' = v1 + omega1 x a1 - v2 - omega2 x a2
 *
 * Along the world axis e:  e.(omega x a) = (a x e).omega,  so the row is J = [e, a1 x e, -e, -(a2 x e)]: the three
 * rows together are [1, -hat(a1), -1, hat(a2)], (33)-(36).
 */
#include "delassus/joint.h"

typedef struct ball { dls_vec3 anchor; } ball;

static const dls_field fields[] = {
    {"anchor", "m", DLS_FIELD_VEC3, offsetof(ball, anchor), NULL, 0, 0, false, NULL, "centre of the ball at the start, world frame"},
};

static dls_status place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const ball *settings = joint->settings;
    (void)error;
    for (int i = 0; i < 2; i++)
        joint->frame[i] = dls_end_frame(&end[i], settings->anchor, dls_quat_identity());
    return DLS_OK;
}

static size_t count(const dls_joint *joint)
{
    (void)joint;
    return 3;
}

static void position(const dls_joint *joint, const dls_end end[2], double *C)
{
    dls_vec3 d = dls_sub(dls_end_anchor(&end[0], &joint->frame[0]), dls_end_anchor(&end[1], &joint->frame[1]));
    C[0] = d.x, C[1] = d.y, C[2] = d.z;
}

static void rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    static const char *const labels[] = {"x", "y", "z"};
    double C[3];
    (void)h;
    position(joint, end, C);
    dls_vec3 a1 = dls_end_arm(&end[0], &joint->frame[0]), a2 = dls_end_arm(&end[1], &joint->frame[1]);
    for (int i = 0; i < 3; i++) {
        rows[i] = dls_row_bilateral(joint, labels[i]);
        rows[i].C = C[i];
        dls_row_set_linear(&rows[i], dls_axis3(i), a1, a2);
    }
}

const dls_joint_type dls_joint_ball = {
    .name = "ball",
    .summary = "two anchors coincide",
    .equation = "C = x1 + a1 - x2 - a2",
    .fields = DLS_FIELD_TABLE(fields, ball),
    .place = place,
    .count = count,
    .rows = rows,
    .position = position,
};
