/* Hinge: two anchors coincide and two axes are parallel (5 rows): the rows of a ball, and two that align the axes.
 *
 * In the coordinates of frame 2, whose z is its axis, let a = F2^T F1 e_z be the axis of body 1, theta the angle
 * between the two, u = (e_z x a) / sin(theta) the direction of the shortest rotation from axis 2 to axis 1, and
 * t = u x e_z, so that a = cos(theta) e_z + sin(theta) t. The error is the vector of that rotation, whose z is 0:
 *     C = theta (u_x, u_y)                                        a true angle at any size
 * With s = F2^T (omega1 - omega2) it is a' = s x a and theta' = u . s, and from e_z x (s x a) = cos(theta) s - s_z a
 *     (theta u)' = (theta / sin(theta) (e_z x a))' = (u . s) u + theta (cot(theta) (t . s) - s_z) t
 * so row i is J = [0, n, 0, -n] with F2^T n = u_i u + t_i theta (cot(theta) t - e_z): exact, and e_i at C = 0.
 * The term with e_z is there because x and y turn with body 2 about the axis while the error does not.
 * At theta = pi every u is as good as another and cot(theta) has no value: there u = x is taken and the term left out.
 *
 * COORDINATE: the angle q of body 1 about the axis. With x1 of frame 1 and x2, y2 of frame 2, A = x1 . x2, B = x1 . y2:
 *     q = atan2(B, A),   q' = (A B' - B A') / (A^2 + B^2),   A' = (omega1 - omega2) . (x1 x x2),   B' likewise with y2
 * This holds in any pose, and is axis . (omega1 - omega2) where the axes agree. Frame 1 is turned about the axis by the
 * coordinate that the joint has at the start.
 */
#include "parts.h"

typedef struct hinge {
    dls_vec3 anchor, axis;
    double start;
} hinge;

static const dls_field fields[] = {
    {"anchor", "m", DLS_FIELD_VEC3, offsetof(hinge, anchor), NULL, 0, 0, false, NULL,
     "point on the axis at the start, world frame"},
    {"axis", "", DLS_FIELD_VEC3, offsetof(hinge, axis), NULL, 0, 0, false, NULL,
     "direction of the axis at the start, world frame, any length"},
    {"start", "rad", DLS_FIELD_REAL, offsetof(hinge, start), "0", 0, 0, false, NULL,
     "coordinate at the start, whole turns included"},
};

static dls_status hinge_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const hinge *settings = joint->settings;
    dls_vec3 axis;
    DLS_TRY(dls_part_axis(settings->axis, "axis", &axis, error));
    joint->start = settings->start;
    dls_part_place(joint, end, settings->anchor, dls_quat_between(dls_axis3(2), axis));
    joint->frame[0].q = dls_quat_mul(joint->frame[0].q, dls_quat_exp(dls_v3(0.0, 0.0, settings->start)));
    return DLS_OK;
}

static size_t hinge_count(const dls_joint *joint)
{
    (void)joint;
    return 5;
}

/* theta, theta cot(theta) and the unit vectors u, t in frame 2. */
typedef struct swing {
    double angle, cotangent;
    dls_vec3 u, t;
} swing;

static swing swing_of(const dls_joint *joint, const dls_end end[2])
{
    dls_quat F2 = dls_end_rotation(&end[1], &joint->frame[1]);
    dls_vec3 a = dls_quat_rotate(dls_quat_conj(F2), dls_part_axis_of(joint, end, 0, 2));
    double sine = hypot(a.x, a.y), angle = atan2(sine, a.z);
    if (!(sine > 0.0))
        return (swing){angle, a.z > 0.0 ? 1.0 : 0.0, dls_axis3(0), dls_neg(dls_axis3(1))};
    dls_vec3 t = dls_v3(a.x / sine, a.y / sine, 0.0);
    return (swing){angle, angle * a.z / sine, dls_v3(-t.y, t.x, 0.0), t};
}

static void hinge_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    swing s = swing_of(joint, end);
    dls_part_point_position(joint, end, C);
    C[3] = s.angle * s.u.x, C[4] = s.angle * s.u.y;
}

static void hinge_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    static const char *const labels[] = {"axis x", "axis y"};
    (void)h;
    dls_part_point_rows(joint, end, rows);
    swing s = swing_of(joint, end);
    dls_quat F2 = dls_end_rotation(&end[1], &joint->frame[1]);
    dls_vec3 along_t = dls_sub(dls_scale(s.cotangent, s.t), dls_scale(s.angle, dls_axis3(2)));
    for (int i = 0; i < 2; i++) {
        dls_vec3 n = dls_add(dls_scale(dls_get3(s.u, i), s.u), dls_scale(dls_get3(s.t, i), along_t));
        dls_row_bilateral(&rows[3 + i], joint, labels[i]);
        rows[3 + i].C = s.angle * dls_get3(s.u, i);
        dls_row_set_angular(&rows[3 + i], dls_quat_rotate(F2, n));
    }
}

static void hinge_coordinate(const dls_joint *joint, const dls_end end[2], dls_row *row)
{
    dls_vec3 x1 = dls_part_axis_of(joint, end, 0, 0), x2 = dls_part_axis_of(joint, end, 1, 0),
             y2 = dls_part_axis_of(joint, end, 1, 1);
    double A = dls_dot(x1, x2), B = dls_dot(x1, y2), length2 = A * A + B * B;
    row->C = atan2(B, A);
    dls_row_set_angular(row,
                        dls_sub(dls_scale(A / length2, dls_cross(x1, y2)), dls_scale(B / length2, dls_cross(x1, x2))));
}

const dls_joint_type dls_joint_hinge = {
    .name = "hinge",
    .summary = "two bodies turn about a common axis",
    .equation = "C = (x1 + a1 - x2 - a2, rotation vector from axis 2 to axis 1)",
    .drawing = DLS_DRAW_AXIS,
    .pair = DLS_PAIR_HINGE,
    .fields = DLS_FIELD_TABLE(fields, hinge),
    .place = hinge_place,
    .count = hinge_count,
    .rows = hinge_rows,
    .position = hinge_position,
    .coordinate = hinge_coordinate,
};
