/* Limit: a joint coordinate, or a sum y = sum G_i q_i of several, stays within a range (a row for each side).
 * physx-articulations, Joint Limits.
 *
 *     lower   C = y - lower >= 0,  dC/dy = 1         lambda >= 0
 *     upper   C = upper - y >= 0,  dC/dy = -1        lambda >= 0
 *
 * A limit with restitution is a stop that rebounds, by the laws of a contact (lib/contact/rebound.c), with the speed C'
 * = J v at the start of the step. There is no least speed besides `threshold`, since none is known below which forces
 * hold the coordinate at its limit: with e < 1 its rebounds die out.
 */
#include "parts.h"

typedef struct limit {
    double lower, upper, restitution, threshold;
    int impact;
} limit;

static const dls_field fields[] = {
    {"lower", "", DLS_FIELD_REAL, offsetof(limit, lower), "-inf", -HUGE_VAL, HUGE_VAL, false, NULL,
     "lower limit of y [rad, m]"},
    {"upper", "", DLS_FIELD_REAL, offsetof(limit, upper), "inf", -HUGE_VAL, HUGE_VAL, false, NULL,
     "upper limit of y [rad, m]"},
    {"restitution", "", DLS_FIELD_REAL, offsetof(limit, restitution), "0", 0, 1, false, NULL,
     "coefficient of restitution e: speed of y after it has met a limit over that before, or by the law `impact`"},
    {"threshold", "", DLS_FIELD_REAL, offsetof(limit, threshold), "0", 0, HUGE_VAL, false, NULL,
     "a limit that y approaches more slowly than this does not rebound [rad/s, m/s]"},
    {"impact", "", DLS_FIELD_CHOICE, offsetof(limit, impact), "newton", 0, 0, false, dls_impact_law_names,
     "law of impact, which says what e is the ratio of; newton: of speeds; poisson: of impulses; stronge: of the "
     "square "
     "roots of their work; moreau: newton's for a limit that is met, at any speed"},
};

static dls_status limit_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const limit *settings = joint->settings;
    (void)end;
    if (isinf(settings->lower) && isinf(settings->upper))
        return dls_joint_refuse(error, "lower", "a limit needs lower or upper, or both");
    if (!(settings->lower <= settings->upper) || settings->lower == HUGE_VAL || settings->upper == -HUGE_VAL)
        return dls_joint_refuse(error, "upper", "must not be less than lower");
    dls_row spring = {0};
    dls_row_set_spring(joint, &spring);
    if (settings->restitution > 0.0 && dls_row_springs(&spring))
        return dls_joint_refuse(error, "restitution",
                                "a limit with a spring bounces by its damping; leave out restitution");
    return DLS_OK;
}

static size_t limit_count(const dls_joint *joint)
{
    const limit *settings = joint->settings;
    return (size_t)isfinite(settings->lower) + (size_t)isfinite(settings->upper);
}

static void limit_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    const limit *settings = joint->settings;
    if (isfinite(settings->lower))
        *C++ = end[0].y - settings->lower;
    if (isfinite(settings->upper))
        *C = settings->upper - end[0].y;
}

static void limit_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    const limit *settings = joint->settings;
    double C[2];
    size_t i = 0;
    (void)h;
    limit_position(joint, end, C);
    if (isfinite(settings->lower))
        dls_part_coordinate_row(joint, "lower", 1.0, &rows[i++]);
    if (isfinite(settings->upper))
        dls_part_coordinate_row(joint, "upper", -1.0, &rows[i++]);
    while (i-- > 0) {
        rows[i].C = C[i];
        dls_row_make_unilateral(&rows[i]);
        rows[i].restitution = settings->restitution;
        rows[i].threshold = settings->threshold;
        rows[i].impact = (dls_impact_law)settings->impact;
        rows[i].measured = settings->restitution > 0.0;
    }
}

static const dls_row_definition definitions[] = {
    {.label = "lower", .kind = DLS_ROW_LIMIT, .from = "lower", .sense = 1},
    {.label = "upper", .kind = DLS_ROW_LIMIT, .from = "upper", .sense = -1},
    {.label = NULL}};

const dls_joint_type dls_joint_limit = {
    .name = "limit",
    .summary = "a joint coordinate, or a sum of several, stays within a range",
    .equation = "C = y - lower >= 0; upper - y >= 0, y = sum G_i q_i",
    .terms_min = 1,
    .fields = DLS_FIELD_TABLE(fields, limit),
    .place = limit_place,
    .count = limit_count,
    .rows = limit_rows,
    .position = limit_position,
    .definitions = definitions,
};
