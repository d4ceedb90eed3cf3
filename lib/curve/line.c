/* Straight line: P(s) = P0 + s T. Without curvature it has no normal of its own; the frame is the given one everywhere.
 */
#include "parts.h"

#include <float.h>

typedef struct line {
    dls_curve_start at;
    double length;
} line;

static const dls_field fields[] = {
    DLS_CURVE_START(line, at),
    {"length", "m", DLS_FIELD_REAL, offsetof(line, length), NULL, 0, DBL_MAX, true, NULL, "length of the line"},
};

static dls_status make_line(const dls_curve_def *def, dls_curve *curve, dls_error *error)
{
    const line *settings = def->settings.values;
    curve->length = settings->length;
    return dls_curve_place_start(&settings->at, "tangent", curve->data, error);
}

static void line_at(const dls_curve *curve, double s, dls_curve_point *point)
{
    *point = *(const dls_curve_point *)curve->data;
    point->P = dls_add(point->P, dls_scale(s, point->T));
}

const dls_curve_type dls_curve_line = {
    .name = "line",
    .summary = "straight line",
    .equation = "P = P0 + s T",
    .fields = DLS_FIELD_TABLE(fields, line),
    .size = sizeof(dls_curve_point),
    .make = make_line,
    .at = line_at,
};
