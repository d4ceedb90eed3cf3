/* Motor: drives a joint coordinate, or a sum y = sum G_i q_i of several, at a target speed with limited force (1 row).
 *
 *     y' = speed if |f| <= force allows it         with speed 0: a brake, or the dry friction of a joint
 */
#include "parts.h"

typedef struct motor {
    double speed, force;
} motor;

static const dls_field fields[] = {
    {"speed", "", DLS_FIELD_REAL, offsetof(motor, speed), "0", -HUGE_VAL, HUGE_VAL, false, NULL,
     "target speed [rad/s, m/s]; with 0 the motor is a brake"},
    {"force", "", DLS_FIELD_REAL, offsetof(motor, force), "inf", 0, HUGE_VAL, false, NULL, "greatest force [N, N m]"},
};

static dls_status motor_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const motor *settings = joint->settings;
    (void)end;
    return isfinite(settings->speed) ? DLS_OK : dls_joint_refuse(error, "speed", "must be finite");
}

/* No position is in error: a displacement, whose rate is y'. */
static void motor_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    (void)joint;
    C[0] = end[0].y;
}

static void motor_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    const motor *settings = joint->settings;
    (void)end;
    (void)h;
    dls_part_coordinate_row(joint, "motor", 1.0, &rows[0]);
    rows[0].erp = 0.0;
    rows[0].u = settings->speed;
    rows[0].role = settings->speed == 0.0 ? DLS_ROLE_FRICTION : DLS_ROLE_MOTOR;
    dls_part_limit_force(&rows[0], settings->force);
}

static const dls_row_definition definitions[] = {
    {.label = "motor", .kind = DLS_ROW_SPEED, .speed = "speed", .most = "force"}, {.label = NULL}};

const dls_joint_type dls_joint_motor = {
    .name = "motor",
    .summary = "drives a joint coordinate, or a sum of several, at a target speed with limited force",
    .equation = "y' = speed, |f| <= force, y = sum G_i q_i",
    .terms_min = 1,
    .no_position = true,
    .fields = DLS_FIELD_TABLE(fields, motor),
    .place = motor_place,
    .count = dls_part_one_row,
    .rows = motor_rows,
    .position = motor_position,
    .definitions = definitions,
};
