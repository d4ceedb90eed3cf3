/* Body speed limit: the speed of the centre of mass of body 1 and its angular speed, relative to body 2, stay below
 * bounds (a row for each bound that is given). physx-articulations, Stability (limits of COM velocities).
 *
 *     linear    w = linear - u . v_r >= 0,       v_r = v1 - (v2 + omega2 x (x1 - x2)),  J = [-u, 0, u, (x1 - x2) x u]
 *     angular   w = angular - n . omega_r >= 0,  omega_r = omega1 - omega2,             J = [0, -n, 0, n]
 * with u = v_r / |v_r| and n = omega_r / |omega_r| at the start of the step; lambda >= 0. In these directions the
 * limits hold at the end of every step. Perpendicular to them, a step h with the acceleration a adds h a, so that |v_r|
 * <= linear + (h a)^2 / (2 linear) + O(h^4): the limit holds to second order. Where omega_r is above its limit at the
 * start, its direction changes too, because I^-1 n is not parallel to n; the limit then holds after a few steps. If the
 * relative velocity is 0, u and n are x. The forces of a row act along one line, so momentum is conserved. The rows
 * have no position error, since omega is not the derivative of coordinates.
 */
#include "parts.h"

typedef struct body_speed_limit {
    double linear, angular;
} body_speed_limit;

static const dls_field fields[] = {
    {"linear", "m/s", DLS_FIELD_REAL, offsetof(body_speed_limit, linear), "", 0, HUGE_VAL, true, NULL,
     "greatest speed of the centre of mass of body 1 relative to body 2"},
    {"angular", "rad/s", DLS_FIELD_REAL, offsetof(body_speed_limit, angular), "", 0, HUGE_VAL, true, NULL,
     "greatest angular speed of body 1 relative to body 2"},
};

static dls_status body_speed_limit_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const body_speed_limit *settings = joint->settings;
    if (isnan(settings->linear) && isnan(settings->angular))
        return dls_joint_refuse(error, "linear", "needs linear or angular, or both");
    if (isinf(settings->linear) || isinf(settings->angular))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, isinf(settings->linear) ? "linear" : "angular",
                              "must be finite; leave out a limit that is not there");
    dls_part_place(joint, end, end[0].x, dls_quat_identity());
    return DLS_OK;
}

static size_t body_speed_limit_count(const dls_joint *joint)
{
    const body_speed_limit *settings = joint->settings;
    return (size_t)!isnan(settings->linear) + (size_t)!isnan(settings->angular);
}

static dls_vec3 direction(dls_vec3 v)
{
    const double size = dls_norm(v);
    return size > 0.0 ? dls_scale(1.0 / size, v) : dls_v3(1, 0, 0);
}

static dls_vec3 direction_of_motion(const dls_end end[2])
{
    const dls_vec3 point = dls_add(end[1].v, dls_cross(end[1].omega, dls_sub(end[0].x, end[1].x)));
    return direction(dls_sub(end[0].v, point));
}

static void body_speed_limit_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    (void)end;
    for (size_t i = 0; i < body_speed_limit_count(joint); i++)
        C[i] = 0.0;
}

static void body_speed_limit_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    const body_speed_limit *settings = joint->settings;
    size_t i = 0;
    (void)h;
    if (!isnan(settings->linear)) {
        dls_row_bilateral(&rows[i], joint, "linear");
        dls_row_set_linear(&rows[i], dls_neg(direction_of_motion(end)), dls_v3(0, 0, 0), dls_sub(end[0].x, end[1].x));
        dls_part_limit_speed(&rows[i++], settings->linear, HUGE_VAL);
    }
    if (!isnan(settings->angular)) {
        dls_row_bilateral(&rows[i], joint, "angular");
        dls_row_set_angular(&rows[i], dls_neg(direction(dls_sub(end[0].omega, end[1].omega))));
        dls_part_limit_speed(&rows[i++], settings->angular, HUGE_VAL);
    }
    while (i-- > 0)
        rows[i].is_rate = true;
}

static const dls_row_definition definitions[] = {{.label = "linear", .kind = DLS_ROW_SPEED_LIMIT, .speed = "linear"},
                                                 {.label = "angular", .kind = DLS_ROW_SPEED_LIMIT, .speed = "angular"},
                                                 {.label = NULL}};

const dls_joint_type dls_joint_body_speed_limit = {
    .name = "body-speed-limit",
    .summary = "the speed of a body's centre of mass and its angular speed stay below bounds",
    .equation = "linear - u . v >= 0, angular - n . omega >= 0; u, n: directions of v, omega at the start of the step",
    .no_position = true,
    .fields = DLS_FIELD_TABLE(fields, body_speed_limit),
    .place = body_speed_limit_place,
    .count = body_speed_limit_count,
    .rows = body_speed_limit_rows,
    .position = body_speed_limit_position,
    .definitions = definitions,
};
