/* Lock: a joint coordinate, or a sum y = sum G_i q_i of several, is held at a value (1 row).
 *
 *     C = y - at,  dC/dy = 1
 * This is a mimic joint with a single coordinate. It locks one axis of a joint with several axes and leaves the others
 * free.
 */
#include "parts.h"

typedef struct lock {
    double at;
} lock;

static const dls_field fields[] = {
    {"at", "", DLS_FIELD_REAL, offsetof(lock, at), "0", -HUGE_VAL, HUGE_VAL, false, NULL,
     "value at which y is held [rad, m]"},
};

static dls_status lock_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    (void)end;
    return isfinite(((const lock *)joint->settings)->at) ? DLS_OK : dls_joint_refuse(error, "at", "must be finite");
}

static void lock_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    C[0] = end[0].y - ((const lock *)joint->settings)->at;
}

static void lock_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    (void)h;
    dls_part_coordinate_row(joint, "lock", 1.0, &rows[0]);
    lock_position(joint, end, &rows[0].C);
}

static const dls_row_definition definitions[] = {{.label = "lock", .from = "at"}, {.label = NULL}};

const dls_joint_type dls_joint_lock = {
    .name = "lock",
    .summary = "a joint coordinate, or a sum of several, is held at a value",
    .equation = "C = y - at, y = sum G_i q_i",
    .terms_min = 1,
    .fields = DLS_FIELD_TABLE(fields, lock),
    .place = lock_place,
    .count = dls_part_one_row,
    .rows = lock_rows,
    .position = lock_position,
    .definitions = definitions,
};
