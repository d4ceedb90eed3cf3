/* Speed limit: the rate of a joint coordinate, or of a sum y = sum G_i q_i of several, stays within a range (2 rows).
 * physx-articulations, Stability (maximal joint speed).
 *
 *     forward    w = speed - y' >= 0,  J = -G       lambda >= 0
 *     backward   w = speed + y' >= 0,  J =  G       lambda >= 0
 * These are rows of the mixed LCP at the velocity level, with u = -speed: they hold at the end of every step together
 * with all other rows. Like a brake, a limit dissipates energy, lambda (y'_before + y'_after) / 2 <= 0, which the
 * ledger counts as that of a brake.
 */
#include "parts.h"

typedef struct speed_limit {
    double speed, force;
} speed_limit;

static const dls_field fields[] = {
    {"speed", "", DLS_FIELD_REAL, offsetof(speed_limit, speed), NULL, 0, HUGE_VAL, true, NULL,
     "greatest speed in either direction [rad/s, m/s]"},
    {"force", "", DLS_FIELD_REAL, offsetof(speed_limit, force), "inf", 0, HUGE_VAL, false, NULL,
     "greatest force that enforces the limit [N, N m]"},
};

static dls_status speed_limit_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    (void)end;
    return isfinite(((const speed_limit *)joint->settings)->speed)
               ? DLS_OK
               : dls_joint_refuse(error, "speed", "must be finite; leave out the joint");
}

static size_t speed_limit_count(const dls_joint *joint)
{
    (void)joint;
    return 2;
}

/* No position is in error: displacements, whose rates are J v. */
static void speed_limit_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    (void)joint;
    C[0] = -end[0].y;
    C[1] = end[0].y;
}

static void speed_limit_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    const speed_limit *settings = joint->settings;
    (void)end, (void)h;
    dls_part_coordinate_row(joint, "forward", -1.0, &rows[0]);
    dls_part_coordinate_row(joint, "backward", 1.0, &rows[1]);
    for (int i = 0; i < 2; i++)
        dls_part_limit_speed(&rows[i], settings->speed, settings->force);
}

static const dls_row_definition definitions[] = {
    {.label = "forward", .kind = DLS_ROW_SPEED_LIMIT, .speed = "speed", .most = "force"},
    {.label = "backward", .kind = DLS_ROW_SPEED_LIMIT, .speed = "speed", .most = "force"},
    {.label = NULL}};

const dls_joint_type dls_joint_speed_limit = {
    .name = "speed-limit",
    .summary = "the rate of a joint coordinate, or of a sum of several, stays within a range",
    .equation = "speed - y' >= 0, speed + y' >= 0, y = sum G_i q_i",
    .terms_min = 1,
    .no_position = true,
    .fields = DLS_FIELD_TABLE(fields, speed_limit),
    .place = speed_limit_place,
    .count = speed_limit_count,
    .rows = speed_limit_rows,
    .position = speed_limit_position,
    .definitions = definitions,
};
