/* Cubic spline through points, C2 in a parameter u that grows by the length of the chord from point to point: periodic
 * if it is closed, natural (P'' = 0 at both ends) if it is open. Through points of a smooth curve at distances h, its
 * error is O(h^4), but O(h^2) near the ends of an open curve, whose own curvature is rarely 0 there.
 * spline_frame.c derives the frames, stations.c the arc length. */
#include "spline.h"

#include <float.h>

typedef struct spline {
    int frame;
    bool closed;
    dls_vec3 normal, up;
    double flat;
} spline;

static const char *const frames[] = {
    [DLS_SPLINE_FRENET] = "frenet", [DLS_SPLINE_BISHOP] = "bishop", [DLS_SPLINE_UP] = "up", NULL};

static const dls_field fields[] = {
    {"frame", "", DLS_FIELD_CHOICE, offsetof(spline, frame), "frenet", 0, 0, false, frames,
     "frenet: Frenet's frame up to the sign, continuous through inflections; bishop: rotation-minimising frame, t = 0; "
     "up: N horizontal, B upwards"},
    {"closed", "", DLS_FIELD_BOOL, offsetof(spline, closed), "false", 0, 0, false, NULL,
     "the last point is joined to the first, which is not repeated in the list"},
    {"normal", "", DLS_FIELD_VEC3, offsetof(spline, normal), "", 0, 0, false, NULL,
     "direction of N at s = 0; default: towards the centre of curvature"},
    {"up", "", DLS_FIELD_VEC3, offsetof(spline, up), "[0, 0, 1]", 0, 0, false, NULL,
     "upward direction of the frame up"},
    {"flat", "", DLS_FIELD_REAL, offsetof(spline, flat), "1e-12", 0, 1, false, NULL,
     "distance from a plane or a line, as a share of the extent of the curve, up to which a segment counts as plane or "
     "straight"},
};

/* --- definition --- */

static dls_status check_points(const dls_curve_def *def, const spline *settings, dls_error *error)
{
    size_t n = def->n_points;
    if (n < 3)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "points", "a spline needs 3 points, and has %zu", n);
    for (size_t i = 0; i < n; i++)
        if (!dls_finite3(def->points[i]))
            return dls_fail_about(error, DLS_NOT_FINITE, NULL, "points", "point %zu is not finite", i + 1);
    for (size_t i = 0; i < (settings->closed ? n : n - 1); i++) {
        const dls_vec3 chord = dls_sub(def->points[(i + 1) % n], def->points[i]);
        const double square = dls_dot(chord, chord);
        if (!(square > 0.0))
            return dls_fail_about(error, DLS_BAD_INPUT, NULL, "points", "points %zu and %zu are equal%s", i + 1,
                                  (i + 1) % n + 1,
                                  i + 1 == n ? ": a closed spline returns to its first point by itself" : "");
        if (!isfinite(square))
            return dls_fail_about(error, DLS_BAD_INPUT, NULL, "points", "points %zu and %zu are too far apart", i + 1,
                                  (i + 1) % n + 1);
    }
    return DLS_OK;
}

/* u of every knot, and its coordinates relative to the first point, so that a curve far from the origin loses no
 * digits. */
static void place_knots(const dls_curve_def *def, size_t n, double *u, double *y)
{
    u[0] = 0.0;
    for (size_t i = 0; i <= n; i++) {
        dls_vec3 point = def->points[i % def->n_points], last = def->points[(i ? i - 1 : 0) % def->n_points];
        dls_vec3 here = dls_sub(point, def->points[0]);
        u[i] = i ? u[i - 1] + dls_norm(dls_sub(point, last)) : 0.0;
        y[i] = here.x, y[n + 1 + i] = here.y, y[2 * (n + 1) + i] = here.z;
    }
}

static void set_coefficients(dls_spline *data, dls_vec3 origin, const double *u, double (*k)[4])
{
    size_t n = data->n;
    for (size_t i = 0; i < n; i++) {
        const double *x = k[i], *y = k[n + i], *z = k[2 * n + i];
        data->paths[i] = (dls_cubic_path){.p = dls_add(origin, dls_v3(x[0], y[0], z[0])),
                                          .a = dls_v3(x[1], y[1], z[1]),
                                          .b = dls_v3(x[2], y[2], z[2]),
                                          .c = dls_v3(x[3], y[3], z[3]),
                                          .end = u[i + 1] - u[i]};
    }
}

static dls_status interpolate(const dls_curve_def *def, bool closed, dls_arena *memory, dls_spline *data,
                              dls_error *error)
{
    const size_t n = data->n;
    double *u = DLS_TAKE(memory, double, n + 1), *y = DLS_TAKE(memory, double, 3 * (n + 1));
    double(*k)[4] = dls_arena_take(memory, 3 * n, sizeof *k);
    if (memory->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a spline of %zu points", def->n_points);
    place_knots(def, n, u, y);
    for (size_t i = 0; i < 3; i++)
        DLS_TRY(dls_cubic_fit(closed ? DLS_CUBIC_PERIODIC : DLS_CUBIC_NATURAL, n + 1, u, y + i * (n + 1), k + i * n,
                              memory, error));
    set_coefficients(data, def->points[0], u, k);
    return DLS_OK;
}

static double points_extent(const dls_curve_def *def)
{
    double largest = 0.0;
    for (size_t i = 1; i < def->n_points; i++)
        largest = fmax(largest, dls_norm(dls_sub(def->points[i], def->points[0])));
    return largest;
}

static dls_status make_spline(const dls_curve_def *def, dls_curve *curve, dls_error *error)
{
    const spline *settings = def->settings.values;
    DLS_TRY(check_points(def, settings, error));
    dls_spline *data = curve->data;
    data->n = settings->closed ? def->n_points : def->n_points - 1;
    data->paths = DLS_TAKE_ZEROS(curve->memory, dls_cubic_path, data->n);
    data->rules = DLS_TAKE_ZEROS(curve->memory, dls_spline_rule, data->n);
    DLS_TRY(interpolate(def, settings->closed, curve->memory, data, error));
    DLS_TRY(dls_cubic_tabulate(data->paths, data->n, curve->memory, &data->stations, error));
    const dls_cubic_path *last = &data->paths[data->n - 1];
    curve->length = last->s0 + last->length;
    curve->closed = settings->closed;
    curve->c_max = dls_spline_curvature(data);
    return dls_spline_frames(data, (dls_spline_frame)settings->frame, settings->up, settings->normal,
                             settings->flat * points_extent(def), curve->memory, error);
}

/* --- evaluation --- */

static void spline_at(const dls_curve *curve, double s, dls_curve_point *point)
{
    const dls_spline *data = curve->data;
    size_t i = dls_curve_piece(&data->paths[0].s0, sizeof data->paths[0], data->n, s);
    dls_spline_at(data, i, s - data->paths[i].s0, point);
}

static size_t count_spline_seams(const dls_curve *curve) { return ((const dls_spline *)curve->data)->n - 1; }

static double spline_seam(const dls_curve *curve, size_t k, dls_curve_point *before, dls_curve_point *after)
{
    const dls_spline *data = curve->data;
    dls_spline_at(data, k, data->paths[k].length, before);
    dls_spline_at(data, k + 1, 0.0, after);
    return data->paths[k + 1].s0;
}

const dls_curve_type dls_curve_spline = {
    .name = "spline",
    .summary = "cubic spline through points, C2",
    .equation = "P(u) piecewise cubic, s(u) = integral |dP/du|",
    .fields = DLS_FIELD_TABLE(fields, spline),
    .has_points = true,
    .size = sizeof(dls_spline),
    .make = make_spline,
    .at = spline_at,
    .seams = count_spline_seams,
    .seam = spline_seam,
};
