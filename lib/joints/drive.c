/* Drive: a spring and damper on a joint coordinate, or on a sum y = sum G_i q_i of several (1 row).
 * physx-articulations, Joint Drives; conventions, Spring and damper.
 *
 *     f = feed - stiffness (y - target) - damping (y' - speed),   |f| <= force,  h |f| <= impulse
 * The row is implicit: f depends on the position and the speed at the end of its time step, so that every stiffness and
 * damping is stable at every step. Either one alone is sufficient: a spring, or a damper, which with a target speed is
 * the source's velocity drive. stiffness and damping, or frequency and damping_ratio, are the common settings of
 * joints. feed is a feedforward force: computed-torque control sets it to the result of inverse dynamics.
 *
 * MODE. With `force` the gains are those of a force, [N/m, N s/m; N m/rad, N m s/rad]. With `acceleration` they are
 * those of an acceleration, [1/s^2, 1/s], and f is the acceleration times the row's own effective mass
 * 1 / (J M^-1 J^T), so that the motion under a single drive does not depend on the mass. In both modes the bounds and
 * feed refer to f (the source: "the limit applies to both").
 *
 * METHOD. `explicit` is for comparison: f is computed at the start of the step and is constant during the step, so that
 * the impulse of the row is given, lo = hi = h f. A mass m on it alone steps by v+ = v - (h/m)(kp x + kd v),
 * x+ = x + h v+, whose characteristic polynomial z^2 - (2 - a - b) z + (1 - a), a = h kd / m, b = h^2 kp / m, has its
 * roots within the unit circle if and only if
 *     0 < a < 2  and  2 a + b < 4          (b > 0)
 * (E. I. Jury, Theory and application of the z-transform method, 1964). The implicit drive has no such limit.
 *
 * A constant force is an explicit drive that has a feed and neither stiffness nor damping.
 *
 * SETPOINT. target, speed and feed are part of the state (dls_setpoint): programs set them between steps
 * (dls_simulation_drive), or they follow a schedule, which is evaluated at the end of each step, where the implicit
 * force is evaluated.
 */
#include "parts.h"
#include "schedule.h"

#include <string.h>

enum { FORCE, ACCELERATION };
enum { IMPLICIT, EXPLICIT };
static const char *const modes[] = {"force", "acceleration", NULL}, *const methods[] = {"implicit", "explicit", NULL};

typedef struct drive {
    double target, speed, feed, force, impulse;
    int mode, method;
    dls_schedule schedule;
} drive;

#define REAL(key, unit, member, fallback, min, help)                                                   \
    {                                                                                                  \
        key, unit, DLS_FIELD_REAL, offsetof(drive, member), fallback, min, HUGE_VAL, false, NULL, help \
    }
static const dls_field fields[] = {
    REAL("target", "", target, "0", -HUGE_VAL, "target position [rad, m]"),
    REAL("speed", "", speed, "0", -HUGE_VAL, "target speed [rad/s, m/s]"),
    REAL("feed", "", feed, "0", -HUGE_VAL, "feedforward force [N, N m]"),
    REAL("force", "", force, "inf", 0, "greatest force [N, N m]"),
    REAL("impulse", "", impulse, "inf", 0, "greatest impulse per step, or per substep of small-steps [N s, N m s]"),
    {"mode", "", DLS_FIELD_CHOICE, offsetof(drive, mode), "force", 0, 0, false, modes,
     "what stiffness and damping give: a force, or an acceleration [1/s^2, 1/s] that does not depend on the mass"},
    {"method", "", DLS_FIELD_CHOICE, offsetof(drive, method), "implicit", 0, 0, false, methods,
     "implicit: the force is evaluated at the end of the step; explicit: at its start, for comparison"},
    DLS_SCHEDULE_FIELDS(drive, schedule),
};

static dls_status drive_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const drive *settings = joint->settings;
    (void)end;
    dls_row spring = {0};
    dls_row_set_spring(joint, &spring);
    if (!dls_row_springs(&spring) && !(settings->method == EXPLICIT && settings->feed != 0.0))
        return dls_joint_refuse(error, "stiffness",
                                "a drive needs a stiffness or a damping, or a frequency, or the method explicit and a "
                                "feed alone, which is a constant force; a motor has none");
    if (settings->mode == ACCELERATION && spring.frequency > 0.0)
        return dls_joint_refuse(
            error, "mode", "a frequency is of any mass already; leave out the mode, or write stiffness and damping");
    const double numbers[] = {settings->target, settings->speed, settings->feed};
    static const char *const keys[] = {"target", "speed", "feed"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!isfinite(numbers[i]))
            return dls_joint_refuse(error, keys[i], "must be finite");
    return DLS_OK;
}

static dls_status drive_prepare(dls_joint *joint, dls_arena *memory, dls_error *error)
{
    return dls_schedule_prepare(&((const drive *)joint->settings)->schedule, memory, &joint->data, error);
}

static void setpoint_at(const dls_joint *joint, double time, double *joint_state)
{
    const drive *settings = joint->settings;
    dls_setpoint setpoint = {settings->target, settings->speed, settings->feed};
    dls_schedule_add(&settings->schedule, joint->data, time, &setpoint);
    memcpy(joint_state, &setpoint, sizeof setpoint);
}

static bool drive_schedule(const dls_joint *joint, double time, double *joint_state)
{
    if (((const drive *)joint->settings)->schedule.kind == DLS_SCHEDULE_NONE)
        return false;
    setpoint_at(joint, time, joint_state);
    return true;
}

static double drive_kink(const dls_joint *joint, double time)
{
    return dls_schedule_kink(&((const drive *)joint->settings)->schedule, time);
}

static dls_status drive_start(const dls_joint *joint, const dls_end end[2], double *joint_state, dls_error *error)
{
    (void)end, (void)error;
    setpoint_at(joint, 0.0, joint_state);
    return DLS_OK;
}

/* Without a schedule the setpoint is constant. */
static bool drive_holonomic(const dls_joint *joint)
{
    return ((const drive *)joint->settings)->schedule.kind == DLS_SCHEDULE_NONE;
}

static void drive_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    (void)joint;
    C[0] = end[0].y - ((const dls_setpoint *)end[0].joint_state)->target;
}

static void drive_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    const drive *settings = joint->settings;
    const dls_setpoint *setpoint = (const dls_setpoint *)end[0].joint_state;
    dls_part_coordinate_row(joint, "drive", 1.0, &rows[0]);
    rows[0].u = setpoint->speed;
    rows[0].feed = setpoint->force;
    rows[0].per_mass = settings->mode == ACCELERATION;
    rows[0].is_explicit = settings->method == EXPLICIT;
    if (rows[0].is_explicit) {
        rows[0].erp = 0.0;
        rows[0].role = DLS_ROLE_MOTOR;
    }
    dls_part_limit_force(&rows[0], fmin(settings->force, settings->impulse / h));
    drive_position(joint, end, &rows[0].C);
}

#define DEFINITION \
    .label = "drive", .speed = "speed", .most = "force", .most_impulse = "impulse", .per_mass = "mode", .setpoint = true
static const dls_row_definition definitions[] = {
    {DEFINITION, .kind = DLS_ROW_FORCE, .choice = "method", .chosen = EXPLICIT}, {DEFINITION}, {.label = NULL}};

const dls_joint_type dls_joint_drive = {
    .name = "drive",
    .summary = "a spring and damper, implicit or explicit, on a joint coordinate or on a sum of several",
    .equation = "C = y - target, f = feed - stiffness C - damping (y' - speed), y = sum G_i q_i",
    .terms_min = 1,
    .fields = DLS_FIELD_TABLE(fields, drive),
    .place = drive_place,
    .prepare = drive_prepare,
    .count = dls_part_one_row,
    .rows = drive_rows,
    .position = drive_position,
    .n_state = sizeof(dls_setpoint) / sizeof(double),
    .start = drive_start,
    .holonomic = drive_holonomic,
    .driven = true,
    .schedule = drive_schedule,
    .kink = drive_kink,
    .definitions = definitions,
};
