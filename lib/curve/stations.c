/* Arc length of a cubic in space, tabulated once so that u(s) is fast and exact to rounding.
 *
 * s(u) = integral |P'| has no closed form. It comes from Gauss-Legendre quadrature with 8 points on intervals that are
 * halved as often as needed; stations at equal steps h of arc length solve s(u) = k h. In between, u is guessed by the
 * quintic that takes u, du/ds and d2u/ds2 from the stations on both sides (error O(h^6)), where
 *
 *     du/ds = 1/|P'|,   d2u/ds2 = -P'.P''/|P'|^4
 *
 * and one Newton step u - (L(u) - r)/|P'(u)|, with L by Gauss-Legendre quadrature from the station before, squares that
 * error. The number of stations is doubled until, on every interval, quadrature and table agree to 1e-14 of the path's
 * length, and a second Newton step would move less than that at a quarter, half and three quarters of the interval. So
 * evaluation needs no loop. */
#include "cubic.h"
#include "parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { STATIONS_MAX = 4096, ROOT_STEPS = 100, HALVINGS = 60, QUADRATURES = 1 << 22 };
static const double accuracy = 1e-14; /* relative to a path's length: about fifty roundings */

dls_vec3 dls_cubic_path_point(const dls_cubic_path *path, double u)
{
    return dls_add(path->p, dls_scale(u, dls_add(path->a, dls_scale(u, dls_add(path->b, dls_scale(u, path->c))))));
}

void dls_cubic_path_at(const dls_cubic_path *path, double u, dls_vec3 *P1, dls_vec3 *P2, dls_vec3 *P3)
{
    *P1 = dls_add(path->a, dls_scale(u, dls_add(dls_scale(2.0, path->b), dls_scale(3.0 * u, path->c))));
    *P2 = dls_add(dls_scale(2.0, path->b), dls_scale(6.0 * u, path->c));
    *P3 = dls_scale(6.0, path->c);
}

static double path_speed(const dls_cubic_path *path, double u)
{
    return dls_norm(dls_add(path->a, dls_scale(u, dls_add(dls_scale(2.0, path->b), dls_scale(3.0 * u, path->c)))));
}

static double length_between(const dls_cubic_path *path, double u0, double u1)
{
    double half = 0.5 * (u1 - u0), middle = u0 + half, sum = 0.0;
    for (int i = 0; i < 4; i++) {
        double d = half * dls_curve_gauss_x[i];
        sum += dls_curve_gauss_w[i] * (path_speed(path, middle - d) + path_speed(path, middle + d));
    }
    return half * sum;
}

/* The quintic with value, first and second derivative of both stations, at a share x of the way. */
static double guess_parameter(const dls_cubic_station *from, const dls_cubic_station *to, double h, double x)
{
    double v0 = h * from->u1, v1 = h * to->u1, w0 = h * h * from->u2, w1 = h * h * to->u2, d = to->u - from->u;
    double k3 = 10.0 * d - 6.0 * v0 - 4.0 * v1 - 1.5 * w0 + 0.5 * w1;
    double k4 = -15.0 * d + 8.0 * v0 + 7.0 * v1 + 1.5 * w0 - w1;
    double k5 = 6.0 * d - 3.0 * (v0 + v1) + 0.5 * (w1 - w0);
    return from->u + x * (v0 + x * (0.5 * w0 + x * (k3 + x * (k4 + x * k5))));
}

static double newton_parameter(const dls_cubic_path *path, double from, double u, double r)
{
    return u - (length_between(path, from, u) - r) / path_speed(path, u);
}

double dls_cubic_parameter(const dls_cubic_path *path, const dls_cubic_station *stations, double r, size_t *station)
{
    double x = r / path->h;
    size_t i = x > 0.0 ? (size_t)x : 0;
    if (i >= path->n)
        i = path->n - 1;
    const dls_cubic_station *from = &stations[path->first + i];
    *station = path->first + i;
    return newton_parameter(path, from->u, guess_parameter(from, from + 1, path->h, x - (double)i),
                            r - (double)i * path->h);
}

/* --- tabulating --- */

/* Quadrature of |P'| to rounding. The number of quadratures is limited, which stops at a cusp only. */
typedef struct meter {
    const dls_cubic_path *path;
    double off; /* accepted error [m] */
    long left;  /* number of quadratures left */
} meter;

/* Halves the interval until the sum of the halves, which is 2^16 times as accurate, agrees with the whole. */
static double measure_length(meter *m, double u0, double u1, double whole, int halvings)
{
    double middle = u0 + 0.5 * (u1 - u0);
    double first = length_between(m->path, u0, middle), second = length_between(m->path, middle, u1);
    m->left -= 2;
    if (!(fabs(first + second - whole) > m->off) || halvings == 0 || m->left < 0)
        return first + second;
    first = measure_length(m, u0, middle, first, halvings - 1);
    return first + measure_length(m, middle, u1, second, halvings - 1);
}

static double length_to_rounding(meter *m, double u0, double u1)
{
    return measure_length(m, u0, u1, length_between(m->path, u0, u1), HALVINGS);
}

/* The u at the arc length `length` after `from` and before `high`, by Newton's method from u, or bisection where its
 * step leaves the bracket. */
static double find_parameter(meter *m, double from, double high, double length, double u)
{
    double low = from;
    for (int i = 0; i < ROOT_STEPS; i++) {
        if (!(u > low && u < high))
            u = low + 0.5 * (high - low);
        double over = length_to_rounding(m, from, u) - length;
        if (fabs(over) <= m->off || !(u > low && u < high))
            break;
        *(over > 0.0 ? &high : &low) = u;
        u -= over / path_speed(m->path, u);
    }
    return u;
}

static dls_cubic_station station_at(const dls_cubic_path *path, double u)
{
    dls_vec3 P1, P2, P3;
    dls_cubic_path_at(path, u, &P1, &P2, &P3);
    double v = dls_norm(P1);
    return (dls_cubic_station){u, 1.0 / v, -dls_dot(P1, P2) / (v * v * v * v)};
}

/* Twice as many stations: those of before, and one in the middle of each interval, which their quintic guesses. */
static void halve_intervals(meter *m, dls_cubic_station *stations)
{
    const dls_cubic_path *path = m->path;
    for (size_t i = path->n / 2; i > 0; i--)
        stations[2 * i] = stations[i];
    for (size_t i = 1; i < path->n; i += 2) {
        const dls_cubic_station *from = &stations[i - 1], *to = &stations[i + 1];
        double middle = guess_parameter(from, to, 2.0 * path->h, 0.5);
        stations[i] = station_at(path, find_parameter(m, from->u, to->u, path->h, middle));
    }
}

static bool is_accurate(const dls_cubic_path *path, const dls_cubic_station *stations)
{
    for (size_t i = 0; i < path->n; i++) {
        const dls_cubic_station *from = &stations[i];
        double off = fabs(length_between(path, from->u, from[1].u) - path->h);
        for (int k = 1; k < 4; k++) {
            double r = 0.25 * k * path->h,
                   u = newton_parameter(path, from->u, guess_parameter(from, from + 1, path->h, 0.25 * k), r);
            off = fmax(off, fabs(newton_parameter(path, from->u, u, r) - u) * path_speed(path, u));
            off = isnan(u) ? HUGE_VAL : off;
        }
        if (!(off <= accuracy * path->length))
            return false;
    }
    return true;
}

static dls_status tabulate_path(dls_cubic_path *path, size_t i, dls_cubic_station **stations, size_t *room,
                                dls_error *error)
{
    meter m = {path, 0x1p-52 * length_between(path, 0.0, path->end), QUADRATURES};
    path->length = length_to_rounding(&m, 0.0, path->end);
    for (path->n = 1; path->n <= STATIONS_MAX && m.left >= 0 && path->length > 0.0; path->n *= 2) {
        path->h = path->length / (double)path->n;
        if (!DLS_GROW(*stations, *room, path->first + path->n + 1))
            return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu stations of a spline", path->first + path->n + 1);
        dls_cubic_station *own = *stations + path->first;
        if (path->n == 1)
            own[0] = station_at(path, 0.0), own[1] = station_at(path, path->end);
        else
            halve_intervals(&m, own);
        if (is_accurate(path, own))
            return DLS_OK;
    }
    return dls_fail_about(
        error, DLS_REFUSED, NULL, "points",
        "the spline nearly stands still between points %zu and the next (a cusp): its arc length cannot "
        "be computed to %g of it; move the points apart",
        i + 1, accuracy);
}

dls_status dls_cubic_tabulate(dls_cubic_path *paths, size_t n, dls_arena *memory, dls_cubic_station **stations,
                              dls_error *error)
{
    dls_cubic_station *found = NULL;
    dls_status status = DLS_OK;
    size_t room = 0;
    for (size_t i = 0; i < n && status == DLS_OK; i++) {
        paths[i].s0 = i ? paths[i - 1].s0 + paths[i - 1].length : 0.0;
        paths[i].first = i ? paths[i - 1].first + paths[i - 1].n + 1 : 0;
        status = tabulate_path(&paths[i], i, &found, &room, error);
    }
    const size_t count = paths[n - 1].first + paths[n - 1].n + 1;
    *stations = status == DLS_OK ? DLS_TAKE(memory, dls_cubic_station, count) : NULL;
    if (*stations)
        memcpy(*stations, found, count * sizeof *found);
    else if (status == DLS_OK)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for %zu stations of a spline", count);
    free(found);
    return status;
}
