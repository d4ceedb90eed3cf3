/* Piecewise cubics through points (GSL), as coefficients, so that evaluation needs no GSL state.
 *
 * A C2 cubic spline is known by its second derivatives M_i at the knots: on an interval of length h
 *
 *     y = y_i + ((y_{i+1} - y_i)/h - h (2 M_i + M_{i+1})/6) u + M_i/2 u^2 + (M_{i+1} - M_i)/(6 h) u^3
 *
 * and a C1 one by its slopes d_i:
 *
 *     y = y_i + d_i u + (3 q - 2 d_i - d_{i+1})/h u^2 + (d_i + d_{i+1} - 2 q)/h^2 u^3,   q = (y_{i+1} - y_i)/h */
#include "cubic.h"
#include "parts.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_spline.h>

static void from_second(double h, const double y[2], const double M[2], double k[4])
{
    k[0] = y[0];
    k[1] = (y[1] - y[0]) / h - h * (2.0 * M[0] + M[1]) / 6.0;
    k[2] = 0.5 * M[0];
    k[3] = (M[1] - M[0]) / (6.0 * h);
}

static void from_slopes(double h, const double y[2], const double d[2], double k[4])
{
    double q = (y[1] - y[0]) / h;
    k[0] = y[0];
    k[1] = d[0];
    k[2] = (3.0 * q - 2.0 * d[0] - d[1]) / h;
    k[3] = (d[0] + d[1] - 2.0 * q) / (h * h);
}

static int coefficients(const gsl_spline *spline, bool second, double (*k)[4])
{
    int (*derivative)(const gsl_spline *, double, gsl_interp_accel *, double *) =
        second ? gsl_spline_eval_deriv2_e : gsl_spline_eval_deriv_e;
    double at[2];
    int failed = derivative(spline, spline->x[0], NULL, &at[0]);
    for (size_t i = 0; !failed && i + 1 < spline->size; i++) {
        failed = derivative(spline, spline->x[i + 1], NULL, &at[1]);
        (second ? from_second : from_slopes)(spline->x[i + 1] - spline->x[i], spline->y + i, at, k[i]);
        at[0] = at[1];
    }
    return failed;
}

static void polyline(size_t n, const double *x, const double *y, double (*k)[4])
{
    for (size_t i = 0; i + 1 < n; i++) {
        k[i][0] = y[i];
        k[i][1] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
        k[i][2] = k[i][3] = 0.0;
    }
}

dls_status dls_part_cubic_fit(dls_part_fit fit, size_t n, const double *x, const double *y, double (*k)[4],
                              dls_error *error)
{
    if (fit == DLS_PART_FIT_LINEAR) {
        polyline(n, x, y, k);
        return DLS_OK;
    }
    const gsl_interp_type *type = fit == DLS_PART_FIT_NATURAL    ? gsl_interp_cspline
                                  : fit == DLS_PART_FIT_PERIODIC ? gsl_interp_cspline_periodic
                                                                 : gsl_interp_steffen;
    dls_part_gsl_begin();
    gsl_spline *spline = gsl_spline_alloc(type, n);
    int failed = spline ? gsl_spline_init(spline, x, y, n) : GSL_ENOMEM;
    if (!failed)
        failed = coefficients(spline, fit != DLS_PART_FIT_STEFFEN, k);
    if (spline)
        gsl_spline_free(spline);
    dls_part_gsl_end();
    if (failed == GSL_ENOMEM)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a spline of %zu points", n);
    return failed ? dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "points", "no spline through %zu points: %s", n,
                                gsl_strerror(failed))
                  : DLS_OK;
}
