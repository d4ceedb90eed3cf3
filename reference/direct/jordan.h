/* jordan.h - the cone x_0 >= |(x_1, x_2)| and Jordan's product on it. Not installed. */
#ifndef DELASSUS_REFERENCE_JORDAN_H
#define DELASSUS_REFERENCE_JORDAN_H

#include <math.h>

/* x o y */
static inline void dls_jordan_product(const double *x, const double *y, double *product)
{
    product[0] = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    product[1] = x[0] * y[1] + y[0] * x[1];
    product[2] = x[0] * y[2] + y[0] * x[2];
}

/* (x_0 - |x_t|) (x_0 + |x_t|), without cancellation at the rim. */
static inline double dls_cone_determinant(const double *x)
{
    const double length = hypot(x[1], x[2]);
    return (x[0] - length) * (x[0] + length);
}

/* z with x o z = y, x in the inner of the cone. */
static inline void dls_jordan_divide(const double *x, const double *y, double *z)
{
    z[0] = (x[0] * y[0] - x[1] * y[1] - x[2] * y[2]) / dls_cone_determinant(x);
    z[1] = (y[1] - z[0] * x[1]) / x[0];
    z[2] = (y[2] - z[0] * x[2]) / x[0];
}

/* The smallest t > 0 for which x + t dx is on the boundary: a root of c + 2 b t + a t^2 = det(x + t dx), or the
 * apex. */
static inline double dls_cone_reach(const double *x, const double *dx)
{
    const double a = dls_cone_determinant(dx), b = x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2],
                 c = dls_cone_determinant(x);
    const double under = b * b - a * c, q = -(b + copysign(sqrt(fmax(under, 0.0)), b));
    double t = dx[0] < 0.0 ? -x[0] / dx[0] : HUGE_VAL;
    if (under >= 0.0 && a != 0.0 && q / a > 0.0)
        t = fmin(t, q / a);
    if (under >= 0.0 && q != 0.0 && c / q > 0.0)
        t = fmin(t, c / q);
    return t;
}

#endif
