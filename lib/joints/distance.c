/* Distance joint: a rigid rod (1 row), or a rope and a stop (a row for each limit). temporal-coherence, Distance
 * Constraint.
 *
 * With d = x1 + a1 - x2 - a2 and u = d / |d|:
 *     rigid   C = |d| - L,   C' = u . d'             J = [u, a1 x u, -u, -(a2 x u)]
 *     min     C = |d| - min >= 0, the same J         lambda >= 0
 *     max     C = max - |d| >= 0, with -u for u      lambda >= 0
 * The source has C = (d.d - L^2) / 2: the same direction, but rows multiplied by |d|, and an error that is not a
 * length. The component of d' perpendicular to u does not enter, so a1 may be replaced by a1 - d: the forces act along
 * one line and angular momentum is conserved. At |d| = 0 the direction is not defined; u is then the direction of d at
 * the start, rotated with body 2 (its z axis if d was 0). C is not differentiable there, and finite differences do not
 * agree with J.
 */
#include "parts.h"

typedef struct distance {
    dls_vec3 anchor1, anchor2;
    double length, min, max;
} distance;

#define REAL(key, member, help)                                                                  \
    {                                                                                            \
        key, "m", DLS_FIELD_REAL, offsetof(distance, member), "", 0, HUGE_VAL, false, NULL, help \
    }
static const dls_field fields[] = {
    {"anchor1", "m", DLS_FIELD_VEC3, offsetof(distance, anchor1), NULL, 0, 0, false, NULL,
     "point of body 1 at the start, world frame"},
    {"anchor2", "m", DLS_FIELD_VEC3, offsetof(distance, anchor2), NULL, 0, 0, false, NULL,
     "point of body 2 at the start, world frame"},
    REAL("length", length,
         "length of a rigid rod; default, if neither min nor max is given: the distance at the start"),
    REAL("min", min, "least distance, in place of length"),
    REAL("max", max, "greatest distance, in place of length"),
};

static bool has_min(const distance *settings) { return !isnan(settings->min); }
static bool has_max(const distance *settings) { return !isnan(settings->max); }
static bool rigid(const distance *settings) { return !has_min(settings) && !has_max(settings); }

static dls_status distance_place(dls_joint *joint, const dls_end end[2], dls_error *error)
{
    const distance *settings = joint->settings;
    dls_vec3 d = dls_sub(settings->anchor1, settings->anchor2);
    if (!rigid(settings) && !isnan(settings->length))
        return dls_joint_refuse(error, "length", "a distance has a length, or min and max, not both");
    if (has_min(settings) && has_max(settings) && settings->min > settings->max)
        return dls_joint_refuse(error, "max", "must not be less than min");
    if (isinf(settings->length) || isinf(settings->min) || isinf(settings->max))
        return dls_joint_refuse(error, "length", "must be finite; leave out a limit that is not there");
    if (rigid(settings) && !((isnan(settings->length) ? dls_norm(d) : settings->length) > 0.0))
        return dls_joint_refuse(error, "length", "a rod of length 0 has no direction; use a ball joint");
    dls_quat q = dls_norm(d) > 0.0 ? dls_quat_between(dls_axis3(2), dls_unit(d)) : dls_quat_identity();
    joint->frame[0] = dls_end_frame(&end[0], settings->anchor1, q);
    joint->frame[1] = dls_end_frame(&end[1], settings->anchor2, q);
    return DLS_OK;
}

static size_t distance_count(const dls_joint *joint)
{
    const distance *settings = joint->settings;
    return rigid(settings) ? 1 : (size_t)has_min(settings) + (size_t)has_max(settings);
}

static double length(const distance *settings)
{
    return isnan(settings->length) ? dls_norm(dls_sub(settings->anchor1, settings->anchor2)) : settings->length;
}

static void distance_position(const dls_joint *joint, const dls_end end[2], double *C)
{
    const distance *settings = joint->settings;
    double now = dls_norm(dls_part_separation(joint, end));
    if (rigid(settings))
        *C++ = now - length(settings);
    if (has_min(settings))
        *C++ = now - settings->min;
    if (has_max(settings))
        *C++ = settings->max - now;
}

static dls_row row_along(const dls_joint *joint, const dls_end end[2], const char *label, double C, dls_vec3 u)
{
    dls_row row;
    dls_row_bilateral(&row, joint, label);
    row.C = C;
    dls_row_set_linear(&row, u, dls_end_arm(&end[0], &joint->frame[0]), dls_end_arm(&end[1], &joint->frame[1]));
    return row;
}

static void distance_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows)
{
    const distance *settings = joint->settings;
    double C[2];
    (void)h;
    dls_vec3 d = dls_part_separation(joint, end);
    dls_vec3 u = dls_norm(d) > 0.0 ? dls_unit(d) : dls_part_axis_of(joint, end, 1, 2);
    distance_position(joint, end, C);
    if (rigid(settings))
        rows[0] = row_along(joint, end, "length", C[0], u);
    size_t i = 0;
    if (has_min(settings)) {
        rows[i] = row_along(joint, end, "min", C[i], u);
        dls_row_make_unilateral(&rows[i++]);
    }
    if (has_max(settings)) {
        rows[i] = row_along(joint, end, "max", C[i], dls_neg(u));
        dls_row_make_unilateral(&rows[i]);
    }
}

static const dls_row_definition definitions[] = {{.label = "length", .from = "length"},
                                                 {.label = "min", .kind = DLS_ROW_LIMIT, .from = "min", .sense = 1},
                                                 {.label = "max", .kind = DLS_ROW_LIMIT, .from = "max", .sense = -1},
                                                 {.label = NULL}};

const dls_joint_type dls_joint_distance = {
    .name = "distance",
    .summary = "two points keep their distance, or stay within a range of it",
    .equation = "C = |d| - L; |d| - min >= 0; max - |d| >= 0, d = x1 + a1 - x2 - a2",
    .drawing = DLS_DRAW_ROD,
    .pair = DLS_PAIR_ROD,
    .fields = DLS_FIELD_TABLE(fields, distance),
    .place = distance_place,
    .count = distance_count,
    .rows = distance_rows,
    .position = distance_position,
    .definitions = definitions,
};
