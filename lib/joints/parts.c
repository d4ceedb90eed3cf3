#include "parts.h"

void dls_part_place(dls_joint *joint, const dls_end end[2], dls_vec3 p, dls_quat q)
{
    for (int i = 0; i < 2; i++)
        joint->frame[i] = dls_end_frame(&end[i], p, q);
}

dls_vec3 dls_part_anchor_or_centre(const dls_joint *joint, const dls_end end[2], dls_vec3 anchor)
{
    return isnan(anchor.x) ? end[joint->moves[0] ? 0 : 1].x : anchor;
}

dls_status dls_part_axis(dls_vec3 axis, const char *key, dls_vec3 *unit, dls_error *error)
{
    double length = dls_norm(axis);
    if (!(length > 0.0) || !isfinite(length))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, key, "an axis needs a direction; its length is %g", length);
    *unit = dls_unit(axis);
    return DLS_OK;
}

dls_status dls_part_axes(dls_vec3 axis, dls_vec3 axis2, dls_vec3 *x, dls_quat *frame, dls_error *error)
{
    dls_vec3 y, none;
    DLS_TRY(dls_part_axis(axis, "axis", x, error));
    dls_tangents(*x, &y, &none);
    if (!isnan(axis2.x)) {
        DLS_TRY(dls_part_axis(axis2, "axis2", &y, error));
        if (!(fabs(dls_dot(*x, y)) < 1e-9))
            return dls_joint_refuse(error, "axis2", "must be at right angles to axis");
    }
    const dls_vec3 z = dls_cross(*x, y);
    *frame = dls_matrix_quat((dls_mat3){{x->x, y.x, z.x, x->y, y.y, z.y, x->z, y.z, z.z}});
    return DLS_OK;
}

dls_vec3 dls_part_separation(const dls_joint *joint, const dls_end end[2])
{
    return dls_sub(dls_end_anchor(&end[0], &joint->frame[0]), dls_end_anchor(&end[1], &joint->frame[1]));
}

dls_vec3 dls_part_axis_of(const dls_joint *joint, const dls_end end[2], int which_end, int i)
{
    return dls_quat_rotate(dls_end_rotation(&end[which_end], &joint->frame[which_end]), dls_axis3(i));
}

void dls_part_point_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    dls_vec3 d = dls_part_separation(joint, end);
    C[0] = d.x, C[1] = d.y, C[2] = d.z;
}

void dls_part_point_rows(const dls_joint *joint, const dls_end end[2], dls_row *rows)
{
    static const char *const labels[] = {"x", "y", "z"};
    dls_vec3 a1 = dls_end_arm(&end[0], &joint->frame[0]), a2 = dls_end_arm(&end[1], &joint->frame[1]);
    dls_vec3 d = dls_sub(dls_add(end[0].x, a1), dls_add(end[1].x, a2));
    for (int i = 0; i < 3; i++) {
        dls_row_bilateral(&rows[i], joint, labels[i]);
        rows[i].C = dls_get3(d, i);
        dls_row_set_linear(&rows[i], dls_axis3(i), a1, a2);
    }
}

/* The rotation vector from frame 2 to frame 1, in the coordinates of frame 2. */
static dls_vec3 rotation_between_frames(const dls_joint *joint, const dls_end end[2])
{
    dls_quat F1 = dls_end_rotation(&end[0], &joint->frame[0]), F2 = dls_end_rotation(&end[1], &joint->frame[1]);
    return dls_quat_log(dls_quat_mul(dls_quat_conj(F2), F1));
}

void dls_part_lock_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    dls_vec3 phi = rotation_between_frames(joint, end);
    C[0] = phi.x, C[1] = phi.y, C[2] = phi.z;
}

void dls_part_lock_rows(const dls_joint *joint, const dls_end end[2], dls_row *rows)
{
    static const char *const labels[] = {"turn x", "turn y", "turn z"};
    dls_vec3 phi = rotation_between_frames(joint, end);
    dls_mat3 B = dls_rotation_rate(phi);
    dls_quat F2 = dls_end_rotation(&end[1], &joint->frame[1]);
    for (int i = 0; i < 3; i++) {
        dls_row_bilateral(&rows[i], joint, labels[i]);
        rows[i].C = dls_get3(phi, i);
        dls_row_set_angular(&rows[i], dls_quat_rotate(F2, dls_v3(B.m[3 * i], B.m[3 * i + 1], B.m[3 * i + 2])));
    }
}

void dls_part_coordinate_row(const dls_joint *joint, const char *label, double slope, dls_row *row)
{
    dls_row_bilateral(row, joint, label);
    row->Jy = slope;
    row->angular = joint->angular;
}

void dls_part_limit_force(dls_row *row, double force)
{
    row->lo = fmax(row->lo, -force);
    row->hi = fmin(row->hi, force);
}

void dls_part_limit_speed(dls_row *row, double speed, double force)
{
    row->erp = row->lo = 0.0;
    row->u = -speed;
    row->hi = fmin(row->hi, force);
    row->role = DLS_ROLE_FRICTION;
}

size_t dls_part_one_row(const dls_joint *joint)
{
    (void)joint;
    return 1;
}
