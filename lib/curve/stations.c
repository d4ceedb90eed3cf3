/* Arc length of a cubic in space, tabulated once so that u(s) is fast and exact to rounding.
 *
 * s(u) = integral |P'| has no closed form. Its value for a whole path comes from GSL's adaptive quadrature; stations
 * at equal steps h of arc length from GSL's root finding (Brent) of s(u) = k h. In between, u is guessed by the
 * quintic that takes u, du/ds and d2u/ds2 from the stations on both sides (error O(h^6)), where
 *
 *     du/ds = 1/|P'|,   d2u/ds2 = -P'.P''/|P'|^4
 *
 * and one Newton step u - (L(u) - r)/|P'(u)|, with L by Gauss-Legendre quadrature from the station before, squares
 * that error. The number of stations is doubled until, measured on every interval, quadrature and table agree to
 * 1e-14 of the path's length and a second Newton step would move less than that at a quarter, half and three
 * quarters of it: then evaluation needs no loop. */
#include "cubic.h"
#include "parts.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_roots.h>
#include <stdlib.h>

enum { STATIONS_MAX = 4096, WORKSPACE = 256, ROOT_STEPS = 200 };
static const double accuracy = 1e-14; /* of a path's length; some fifty roundings */

/* GSL's memory, and the question put to it. */
typedef struct tools {
    gsl_integration_workspace *workspace;
    gsl_root_fsolver *solver;
    const dls_part_path *path;
    double target;
    int failed;
} tools;

dls_vec3 dls_part_path_point(const dls_part_path *path, double u)
{
    return dls_add(path->p, dls_scale(u, dls_add(path->a, dls_scale(u, dls_add(path->b, dls_scale(u, path->c))))));
}

void dls_part_path_at(const dls_part_path *path, double u, dls_vec3 *P1, dls_vec3 *P2, dls_vec3 *P3)
{
    *P1 = dls_add(path->a, dls_scale(u, dls_add(dls_scale(2.0, path->b), dls_scale(3.0 * u, path->c))));
    *P2 = dls_add(dls_scale(2.0, path->b), dls_scale(6.0 * u, path->c));
    *P3 = dls_scale(6.0, path->c);
}

static double speed(const dls_part_path *path, double u)
{
    return dls_norm(dls_add(path->a, dls_scale(u, dls_add(dls_scale(2.0, path->b), dls_scale(3.0 * u, path->c)))));
}

static double length_between(const dls_part_path *path, double u0, double u1)
{
    double half = 0.5 * (u1 - u0), middle = u0 + half, sum = 0.0;
    for (int i = 0; i < 4; i++) {
        double d = half * dls_part_gauss_x[i];
        sum += dls_part_gauss_w[i] * (speed(path, middle - d) + speed(path, middle + d));
    }
    return half * sum;
}

/* The quintic with value, first and second derivative of both stations, at a share x of the way. */
static double guess(const dls_part_station *from, const dls_part_station *to, double h, double x)
{
    double v0 = h * from->u1, v1 = h * to->u1, w0 = h * h * from->u2, w1 = h * h * to->u2, d = to->u - from->u;
    double k3 = 10.0 * d - 6.0 * v0 - 4.0 * v1 - 1.5 * w0 + 0.5 * w1;
    double k4 = -15.0 * d + 8.0 * v0 + 7.0 * v1 + 1.5 * w0 - w1;
    double k5 = 6.0 * d - 3.0 * (v0 + v1) + 0.5 * (w1 - w0);
    return from->u + x * (v0 + x * (0.5 * w0 + x * (k3 + x * (k4 + x * k5))));
}

static double newton(const dls_part_path *path, double from, double u, double r)
{
    return u - (length_between(path, from, u) - r) / speed(path, u);
}

double dls_part_parameter(const dls_part_path *path, const dls_part_station *stations, double r, size_t *station)
{
    double x = r / path->h;
    size_t i = x > 0.0 ? (size_t)x : 0;
    if (i >= path->n)
        i = path->n - 1;
    const dls_part_station *from = &stations[path->first + i];
    *station = path->first + i;
    return newton(path, from->u, guess(from, from + 1, path->h, x - (double)i), r - (double)i * path->h);
}

/* --- tabulating --- */

static double speed_of(double u, void *path) { return speed(path, u); }

static double length_to(tools *t, double u)
{
    gsl_function f = {speed_of, (void *)t->path};
    double length = 0.0, error;
    int failed =
        gsl_integration_qag(&f, 0.0, u, 0.0, 1e-13, WORKSPACE, GSL_INTEG_GAUSS31, t->workspace, &length, &error);
    if (failed && failed != GSL_EROUND) /* GSL_EROUND: no digit is left to gain */
        t->failed = failed;
    return length;
}

static double length_missing(double u, void *context)
{
    tools *t = context;
    return length_to(t, u) - t->target;
}

/* The u in [low, end] where the arc length is `target`. */
static double find(tools *t, double low, double target)
{
    gsl_function f = {length_missing, t};
    t->target = target;
    if (gsl_root_fsolver_set(t->solver, &f, low, t->path->end)) {
        t->failed = GSL_EINVAL;
        return low;
    }
    int more = GSL_CONTINUE;
    for (int i = 0; i < ROOT_STEPS && more == GSL_CONTINUE && !t->failed; i++) {
        t->failed = gsl_root_fsolver_iterate(t->solver);
        more = gsl_root_test_interval(gsl_root_fsolver_x_lower(t->solver), gsl_root_fsolver_x_upper(t->solver), 0.0,
                                      1e-15);
    }
    return gsl_root_fsolver_root(t->solver);
}

static dls_part_station station_at(const dls_part_path *path, double u)
{
    dls_vec3 P1, P2, P3;
    dls_part_path_at(path, u, &P1, &P2, &P3);
    double v = dls_norm(P1);
    return (dls_part_station){u, 1.0 / v, -dls_dot(P1, P2) / (v * v * v * v)};
}

static void place_stations(tools *t, dls_part_station *stations)
{
    const dls_part_path *path = t->path;
    stations[0] = station_at(path, 0.0);
    for (size_t i = 1; i < path->n && !t->failed; i++)
        stations[i] = station_at(path, find(t, stations[i - 1].u, (double)i * path->h));
    stations[path->n] = station_at(path, path->end);
}

static bool accurate(const dls_part_path *path, const dls_part_station *stations)
{
    for (size_t i = 0; i < path->n; i++) {
        const dls_part_station *from = &stations[i];
        double off = fabs(length_between(path, from->u, from[1].u) - path->h);
        for (int k = 1; k < 4; k++) {
            double r = 0.25 * k * path->h, u = newton(path, from->u, guess(from, from + 1, path->h, 0.25 * k), r);
            off = fmax(off, fabs(newton(path, from->u, u, r) - u) * speed(path, u));
            off = isnan(u) ? HUGE_VAL : off;
        }
        if (!(off <= accuracy * path->length))
            return false;
    }
    return true;
}

static dls_status too_sharp(size_t i, dls_error *error)
{
    return dls_fail_at(
        error, DLS_REFUSED, NULL, 0, 0, "points",
        "the spline nearly stands still between points %zu and the next (a cusp): its arc length cannot be told to %g",
        i + 1, accuracy);
}

/* Grows the table by n + 1 stations. */
static dls_status make_room(dls_part_station **stations, size_t count, dls_error *error)
{
    dls_part_station *larger = realloc(*stations, count * sizeof *larger);
    if (!larger)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu stations of a spline", count);
    *stations = larger;
    return DLS_OK;
}

static dls_status tabulate_path(tools *t, dls_part_path *path, size_t i, dls_part_station **stations, dls_error *error)
{
    t->path = path;
    path->length = length_to(t, path->end);
    for (path->n = 1; path->n <= STATIONS_MAX && !t->failed && path->length > 0.0; path->n *= 2) {
        path->h = path->length / (double)path->n;
        DLS_TRY(make_room(stations, path->first + path->n + 1, error));
        place_stations(t, *stations + path->first);
        if (!t->failed && accurate(path, *stations + path->first))
            return DLS_OK;
    }
    return too_sharp(i, error);
}

dls_status dls_part_tabulate(dls_part_path *paths, size_t n, dls_part_station **stations, dls_error *error)
{
    dls_part_gsl_begin();
    tools t = {gsl_integration_workspace_alloc(WORKSPACE), gsl_root_fsolver_alloc(gsl_root_fsolver_brent), NULL, 0.0,
               0};
    dls_status status =
        t.workspace && t.solver ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a spline's quadrature");
    for (size_t i = 0; i < n && status == DLS_OK; i++) {
        paths[i].s0 = i ? paths[i - 1].s0 + paths[i - 1].length : 0.0;
        paths[i].first = i ? paths[i - 1].first + paths[i - 1].n + 1 : 0;
        status = tabulate_path(&t, &paths[i], i, stations, error);
    }
    if (t.solver)
        gsl_root_fsolver_free(t.solver);
    if (t.workspace)
        gsl_integration_workspace_free(t.workspace);
    dls_part_gsl_end();
    return status;
}
