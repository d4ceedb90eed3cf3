/* wt through points (s, angle), piecewise cubic. cubic: C2, so dwt/ds has no kink, but wt overshoots after a ramp;
 * steffen: C1 and monotone between points, so a ramp of superelevation stays within its ends; linear: dwt/ds jumps at
 * the points.
 *
 * On a closed curve of length L the angle grows by `total` in one lap: the points are repeated at s + L with wt +
 * total. The cubic spline is the straight line total s/L plus a periodic spline. The other two depend only on the two
 * nearest points on either side, so two repeated points before and after make them periodic. */
#include "cubic.h"
#include "parts.h"

enum { CUBIC, STEFFEN, LINEAR, PAD = 2 };

typedef struct spline {
    int interpolation;
    double total;
} spline;

typedef struct ramp {
    size_t n;      /* intervals */
    double period; /* length of a closed curve; 0: open */
    double total;
    double *s;      /* [n + 1] */
    double (*k)[4]; /* [n] */
} ramp;

static const char *const interpolations[] = {"cubic", "steffen", "linear", NULL};
static const dls_cubic_kind fits[] = {DLS_CUBIC_NATURAL, DLS_CUBIC_STEFFEN, DLS_CUBIC_LINEAR};

static const dls_field fields[] = {
    {"interpolation", "", DLS_FIELD_CHOICE, offsetof(spline, interpolation), "cubic", 0, 0, false, interpolations,
     "cubic: smooth; steffen: without overshoot; linear: piecewise linear"},
    {"total", "rad", DLS_FIELD_REAL, offsetof(spline, total), "0", 0, 0, false, NULL,
     "for a closed curve: growth of the angle per lap"},
};

static dls_status bad_points(dls_status status, dls_error *error, size_t i, const char *what)
{
    return dls_fail_about(error, status, NULL, "points", "point %zu: %s", i + 1, what);
}

static dls_status check_twist_points(const dls_twist_def *def, const dls_curve *curve, dls_error *error)
{
    const spline *settings = def->settings.values;
    size_t n = def->n_points, needed = settings->interpolation == LINEAR ? 2 : 3;
    if (n < needed)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "points",
                              "a twist through points needs %zu of them, and has %zu", needed, n);
    if (!curve->closed && settings->total != 0.0)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "total", "%g rad: an open curve has no laps; leave it out",
                              settings->total);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(def->points[i][0]) || !isfinite(def->points[i][1]))
            return bad_points(DLS_NOT_FINITE, error, i, "not finite");
        if (i > 0 && !(def->points[i][0] > def->points[i - 1][0]))
            return bad_points(DLS_BAD_INPUT, error, i, "s does not grow");
    }
    double first = def->points[0][0], last = def->points[n - 1][0];
    if (curve->closed && (first < 0.0 || last >= curve->length))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "points",
                              "s from %g m to %g m; on this closed curve 0 <= s < %.17g m", first, last, curve->length);
    if (!curve->closed && (first > 0.0 || last < curve->length))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "points",
                              "s from %g m to %g m does not cover the curve, 0 to %.17g m", first, last, curve->length);
    return DLS_OK;
}

/* Point i, where i continues in both directions around a closed curve. */
static void place_knot(const dls_twist_def *def, double period, ptrdiff_t i, double *s, double *wt)
{
    ptrdiff_t n = (ptrdiff_t)def->n_points, round = i >= 0 ? i / n : -((n - 1 - i) / n);
    const double *point = def->points[i - round * n];
    *s = point[0] + (double)round * period;
    *wt = point[1] + (double)round * ((const spline *)def->settings.values)->total;
}

/* Cubic and closed: fits the periodic spline and adds the straight line. */
static dls_status fit_periodic_twist(ramp *data, double *wt, dls_arena *memory, dls_error *error)
{
    double slope = data->total / data->period;
    for (size_t i = 0; i <= data->n; i++)
        wt[i] -= slope * (data->s[i] - data->s[0]);
    wt[data->n] = wt[0];
    DLS_TRY(dls_cubic_fit(DLS_CUBIC_PERIODIC, data->n + 1, data->s, wt, data->k, memory, error));
    for (size_t i = 0; i < data->n; i++) {
        data->k[i][0] += slope * (data->s[i] - data->s[0]);
        data->k[i][1] += slope;
    }
    return DLS_OK;
}

static dls_status fit_open_twist(const dls_twist_def *def, ramp *data, double *wt, dls_arena *memory, dls_error *error)
{
    int interpolation = ((const spline *)def->settings.values)->interpolation;
    bool closed = data->period > 0.0, padded = closed && interpolation != CUBIC;
    ptrdiff_t pad = padded ? PAD : 0;
    data->n = def->n_points - 1 + closed + 2 * (size_t)pad;
    for (size_t i = 0; i <= data->n; i++)
        place_knot(def, data->period, (ptrdiff_t)i - pad, &data->s[i], &wt[i]);
    if (closed && !padded)
        return fit_periodic_twist(data, wt, memory, error);
    return dls_cubic_fit(fits[interpolation], data->n + 1, data->s, wt, data->k, memory, error);
}

static dls_status make_twist_spline(const dls_twist_def *def, const dls_curve *curve, dls_twist *twist,
                                    dls_error *error)
{
    DLS_TRY(check_twist_points(def, curve, error));
    const size_t room = def->n_points + 1 + 2 * PAD;
    ramp *data = twist->data;
    double *wt = DLS_TAKE(twist->memory, double, room);
    data->period = curve->closed ? curve->length : 0.0;
    data->total = ((const spline *)def->settings.values)->total;
    data->s = DLS_TAKE(twist->memory, double, room);
    data->k = dls_arena_take(twist->memory, room, sizeof *data->k);
    return twist->memory->failed ? dls_fail(error, DLS_NO_MEMORY, "no memory for a twist of %zu points", def->n_points)
                                 : fit_open_twist(def, data, wt, twist->memory, error);
}

static void twist_spline_at(const dls_twist *twist, double s, double *wt, double *rate)
{
    const ramp *data = twist->data;
    bool before = s < data->s[0]; /* on a closed curve: the end of the lap before */
    s += before ? data->period : 0.0;
    size_t i = dls_curve_piece(data->s, sizeof data->s[0], data->n, s);
    const double *k = data->k[i], u = s - data->s[i];
    *wt = k[0] + u * (k[1] + u * (k[2] + u * k[3])) - (before ? data->total : 0.0);
    *rate = k[1] + u * (2.0 * k[2] + 3.0 * u * k[3]);
}

const dls_twist_type dls_twist_spline = {
    .name = "spline",
    .summary = "spline through points (s, angle)",
    .equation = "wt piecewise cubic in s",
    .fields = DLS_FIELD_TABLE(fields, spline),
    .has_points = true,
    .size = sizeof(ramp),
    .make = make_twist_spline,
    .at = twist_spline_at,
};
