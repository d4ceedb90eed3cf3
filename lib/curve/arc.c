/* Circular arc of radius R, bending towards E = cos(bend) N0 + sin(bend) B0:
 *
 *     P(s) = P0 + R sin(theta) T0 + R (1 - cos(theta)) E,   theta = s/R,   1 - cos(theta) = 2 sin^2(theta/2)
 *
 * The second form of 1 - cos has no cancellation near the start. A negative radius bends the other way with the same
 * frame. */
#include "parts.h"

#include <float.h>

typedef struct arc {
    dls_curve_start at;
    double radius, angle, bend;
    bool closed;
} arc;

typedef struct circle {
    dls_curve_plane plane;
    double radius;
} circle;

static const dls_field fields[] = {
    DLS_CURVE_START(arc, at),
    {"radius", "m", DLS_FIELD_REAL, offsetof(arc, radius), NULL, 0, 0, false, NULL,
     "radius; negative: the curve bends away from N"},
    {"angle", "rad", DLS_FIELD_REAL, offsetof(arc, angle), "", 0, DBL_MAX, true, NULL,
     "angle by which T turns; for a closed arc one full turn"},
    {"bend", "rad", DLS_FIELD_REAL, offsetof(arc, bend), "0", 0, 0, false, NULL,
     "direction of the bend, from N towards B; where B points upwards, 90 deg bends upwards"},
    {"closed", "", DLS_FIELD_BOOL, offsetof(arc, closed), "false", 0, 0, false, NULL,
     "full circle, on which s wraps around"},
};

static dls_status check_arc(const arc *settings, double *angle, dls_error *error)
{
    *angle = settings->closed && isnan(settings->angle) ? 2.0 * DLS_PI : settings->angle;
    if (settings->radius == 0.0)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "radius",
                              "an arc of radius 0 is a point: give a radius above or below 0");
    if (isnan(*angle))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "angle", "missing; give how far the arc turns, or closed");
    if (settings->closed && fabs(*angle - 2.0 * DLS_PI) > 1e-12) /* "360 deg" to rounding, no more */
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "closed",
                              "an arc of %g deg does not meet its start: leave the angle out", *angle * 180.0 / DLS_PI);
    return DLS_OK;
}

static dls_status make_arc(const dls_curve_def *def, dls_curve *curve, dls_error *error)
{
    const arc *settings = def->settings.values;
    double angle;
    DLS_TRY(check_arc(settings, &angle, error));
    circle *data = curve->data;
    data->radius = settings->radius;
    curve->length = fabs(settings->radius) * angle;
    curve->closed = settings->closed;
    curve->c_max = 1.0 / fabs(settings->radius);
    return dls_curve_plane_of(&settings->at, settings->bend, &data->plane, error);
}

static void arc_at(const dls_curve *curve, double s, dls_curve_point *point)
{
    const circle *data = curve->data;
    double R = data->radius, theta = s / R, half = sin(0.5 * theta);
    dls_curve_plane_at(&data->plane, R * sin(theta), 2.0 * R * half * half, theta, 1.0 / R, point);
}

const dls_curve_type dls_curve_arc = {
    .name = "arc",
    .summary = "circular arc",
    .equation = "c = 1/R",
    .fields = DLS_FIELD_TABLE(fields, arc),
    .size = sizeof(circle),
    .make = make_arc,
    .at = arc_at,
};
