/* Drive: a spring and damper on a joint coordinate, or on a sum y = sum G_i q_i of several (1 row).
 * physx-articulations, Joint Drives; conventions, Spring and damper.
 *
 *     f = -stiffness (y - target) - damping (y' - speed),   |f| <= force
 * implicit over the time that the row acts: f answers to the position and the speed that the step ends with, so that
 * no stiffness and no damping is too large for a step. Stiffness alone or damping alone will do: a spring, a damper.
 * They are those that every joint may have, or frequency and damping_ratio in their place.
 */
#include "parts.h"

typedef struct drive {
    double target, speed, force;
} drive;

#define REAL(key, unit, member, fallback, min, help)                                                   \
    {                                                                                                  \
        key, unit, DLS_FIELD_REAL, offsetof(drive, member), fallback, min, HUGE_VAL, false, NULL, help \
    }
static const dls_field fields[] = {
    REAL("target", "", target, "0", -HUGE_VAL, "asked position [rad, m]"),
    REAL("speed", "", speed, "0", -HUGE_VAL, "asked speed [rad/s, m/s]"),
    REAL("force", "", force, "inf", 0, "greatest force [N, N m]"),
};

static dls_status place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const drive *settings = joint->settings;
    (void)end;
    dls_row spring = {0};
    dls_row_set_spring(joint, &spring);
    if (!dls_row_springs(&spring))
        return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "stiffness",
                           "a drive needs a stiffness or a damping, or a frequency; a motor has none");
    if (!isfinite(settings->target) || !isfinite(settings->speed))
        return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, isfinite(settings->target) ? "speed" : "target",
                           "must be finite");
    return DLS_OK;
}

static void position(const dls_joint *joint, const dls_end end[2], double *C)
{
    C[0] = end[0].y - ((const drive *)joint->settings)->target;
}

static void rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    const drive *settings = joint->settings;
    (void)h;
    rows[0] = dls_part_coordinate_row(joint, "drive", 1.0);
    rows[0].u = settings->speed;
    dls_part_limit_force(&rows[0], settings->force);
    position(joint, end, &rows[0].C);
}

static const dls_row_definition definitions[] = {
    {.label = "drive", .from = "target", .speed = "speed", .most = "force"}, {.label = NULL}};

const dls_joint_type dls_joint_drive = {
    .name = "drive",
    .summary = "a spring and damper, implicit, on a joint coordinate or on a sum of several",
    .equation = "C = y - target, f = -stiffness C - damping (y' - speed), y = sum G_i q_i",
    .terms_min = 1,
    .fields = DLS_FIELD_TABLE(fields, drive),
    .place = place,
    .count = dls_part_one_row,
    .rows = rows,
    .position = position,
    .definitions = definitions,
};
