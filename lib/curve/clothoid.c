/* Clothoid (Euler's spiral): the curvature changes linearly, k(s) = k0 + g s, g = (k1 - k0)/length, which is how a
 * railway enters a curve without a jump of lateral force. In the plane of T0 and E, with theta(s) = k0 s + g s^2/2:
 *
 *     x(s) = integral_0^s cos(theta),   y(s) = integral_0^s sin(theta)
 *
 * For k0 = 0 these are Fresnel's integrals. They are tabulated at n + 1 equally spaced stations and continued from the
 * station before s by Gauss-Legendre quadrature with 8 points. Its error on an interval h is h^17 (8!)^4/(17 (16!)^3)
 * f^(16), at most 1.7e-23 h^17 f^(16). For f = cos(theta), |f^(16)| is at most about |k|^16 where k dominates, and
 * 16!/(8! 2^8) |g|^8 = 2e6 |g|^8 where k is 0. With |k| h <= 1 and |g| h^2 <= 1 the error is below 4e-17 h. */
#include "parts.h"

#include <float.h>

typedef struct clothoid {
    dls_curve_start at;
    double length, start_curvature, end_curvature, bend;
} clothoid;

typedef struct spiral {
    dls_curve_plane plane;
    double k0, g, h;
    size_t n;
    double (*xy)[2]; /* [n + 1], at s = i h */
} spiral;

enum { STATIONS_MAX = 1 << 20 };

#define CURVATURE(key, member, help)                                                         \
    {                                                                                        \
        key, "1/m", DLS_FIELD_REAL, offsetof(clothoid, member), "0", 0, 0, false, NULL, help \
    }
static const dls_field fields[] = {
    DLS_CURVE_START(clothoid, at),
    {"length", "m", DLS_FIELD_REAL, offsetof(clothoid, length), NULL, 0, DBL_MAX, true, NULL, "arc length"},
    CURVATURE("start_curvature", start_curvature, "curvature at s = 0; negative: the curve bends away from N"),
    CURVATURE("end_curvature", end_curvature, "curvature at s = length"),
    {"bend", "rad", DLS_FIELD_REAL, offsetof(clothoid, bend), "0", 0, 0, false, NULL,
     "direction of the bend, from N towards B"},
};

static double clothoid_angle(const spiral *data, double s) { return s * (data->k0 + 0.5 * data->g * s); }

/* Adds the integrals from s = a to a + r. */
static void advance_along(const spiral *data, double a, double r, double *x, double *y)
{
    double half = 0.5 * r, middle = a + half;
    for (int i = 0; i < 4; i++) {
        double d = half * dls_curve_gauss_x[i], w = half * dls_curve_gauss_w[i];
        double less = clothoid_angle(data, middle - d), more = clothoid_angle(data, middle + d);
        *x += w * (cos(less) + cos(more));
        *y += w * (sin(less) + sin(more));
    }
}

static dls_status tabulate_clothoid(spiral *data, double length, dls_arena *memory, dls_error *error)
{
    double k = fmax(fabs(data->k0), fabs(data->k0 + data->g * length));
    double needed = ceil(length * fmax(k, sqrt(fabs(data->g))));
    if (!(needed < STATIONS_MAX))
        return dls_fail_about(error, DLS_REFUSED, NULL, "end_curvature",
                              "a clothoid that turns by about %g rad: at most %d", needed, STATIONS_MAX);
    data->n = needed > 1.0 ? (size_t)needed : 1;
    data->h = length / (double)data->n;
    data->xy = dls_arena_zeros(memory, data->n + 1, sizeof *data->xy);
    if (!data->xy)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a clothoid of %zu stations", data->n);
    for (size_t i = 0; i < data->n; i++) {
        data->xy[i + 1][0] = data->xy[i][0];
        data->xy[i + 1][1] = data->xy[i][1];
        advance_along(data, (double)i * data->h, data->h, &data->xy[i + 1][0], &data->xy[i + 1][1]);
    }
    return DLS_OK;
}

static dls_status make_clothoid(const dls_curve_def *def, dls_curve *curve, dls_error *error)
{
    const clothoid *settings = def->settings.values;
    double k0 = settings->start_curvature, k1 = settings->end_curvature;
    spiral *data = curve->data;
    data->k0 = k0;
    data->g = (k1 - k0) / settings->length;
    curve->length = settings->length;
    curve->c_max = fmax(fabs(k0), fabs(k1));
    DLS_TRY(dls_curve_plane_of(&settings->at, settings->bend, &data->plane, error));
    return tabulate_clothoid(data, settings->length, curve->memory, error);
}

static void clothoid_at(const dls_curve *curve, double s, dls_curve_point *point)
{
    const spiral *data = curve->data;
    size_t i = (size_t)(s / data->h);
    if (i > data->n)
        i = data->n;
    double x = data->xy[i][0], y = data->xy[i][1], a = (double)i * data->h;
    advance_along(data, a, s - a, &x, &y);
    dls_curve_plane_at(&data->plane, x, y, clothoid_angle(data, s), data->k0 + data->g * s, point);
}

const dls_curve_type dls_curve_clothoid = {
    .name = "clothoid",
    .summary = "Euler's spiral in a plane: the curvature changes linearly",
    .equation = "c = c0 + (c1 - c0) s/length",
    .fields = DLS_FIELD_TABLE(fields, clothoid),
    .size = sizeof(spiral),
    .make = make_clothoid,
    .at = clothoid_at,
};
