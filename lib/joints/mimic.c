/* Mimic joint: couples N >= 2 joint coordinates (1 row), linearly unless a term is a polynomial. mimic-joints eq. (3),
 * (18).
 *
 *     C = y + gamma,  y = sum_i G_i q_i          J = G_i in the column of q_i, as in (7)
 * The source sets the first gear to 1; here it may have any value but 0, which scales the row and does not change the
 * motion. With the bias (8), c = -(ERP / h) C, and the responses r_ij = (M^-1)_ij the row's diagonal
 * J M^-1 J^T = sum_ij G_i r_ij G_j is (15). Coordinates may belong to one or several articulations, or to hinges and
 * sliders between bodies.
 */
#include "parts.h"

typedef struct mimic {
    double offset;
} mimic;

static const dls_field fields[] = {
    {"offset", "", DLS_FIELD_REAL, offsetof(mimic, offset), "0", -HUGE_VAL, HUGE_VAL, false, NULL,
     "constant gamma: the sum of gears times coordinates is held at -gamma [rad, m]"},
};

static dls_status mimic_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const mimic *settings = joint->settings;
    (void)end;
    return isfinite(settings->offset) ? DLS_OK : dls_joint_refuse(error, "offset", "must be finite");
}

static void mimic_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    C[0] = end[0].y + ((const mimic *)joint->settings)->offset;
}

static void mimic_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    (void)h;
    dls_part_coordinate_row(joint, "coupling", 1.0, &rows[0]);
    mimic_position(joint, end, &rows[0].C);
}

static const dls_row_definition definitions[] = {{.label = "coupling", .minus_from = "offset"}, {.label = NULL}};

const dls_joint_type dls_joint_mimic = {
    .name = "mimic",
    .summary = "joint coordinates keep a linear or polynomial relation",
    .equation = "C = sum G_i q_i + offset",
    .terms_min = 2,
    .fields = DLS_FIELD_TABLE(fields, mimic),
    .place = mimic_place,
    .count = dls_part_one_row,
    .rows = mimic_rows,
    .position = mimic_position,
    .definitions = definitions,
};
