/* All directions in which one contact can begin to slide.
 *
 * With w_t = B z_t + c and z_n = d + k . z_t (trajectory_modes.c), friction against the sliding direction u, |u| = 1,
 * is z_t = -r u with r = mu z_n, and w_t = s u with r, s >= 0. With n = (-u_2, u_1) this is
 *     r (1 + mu k . u) = mu d,   r n . B u = n . c,   s = u . c - r u . B u.
 * Elimination of r gives
 *     T(u) = (1 + mu k . u) n . c - mu d n . B u = 0,
 * a trigonometric polynomial of degree 2 in the angle theta of u. On the half circle |theta - theta_0| <= pi / 2, with
 * t = tan((theta - theta_0) / 2) in [-1, 1], (1 + t^2)^2 T = p(t) is a polynomial of degree 4; two half circles cover
 * all directions. The choice of theta_0 keeps T away from 0 at their ends.
 *
 * COMPLETENESS (Rolle). Between neighbouring zeros of p', and the ends of the interval, p is monotone and has at most
 * one zero, which shows as a change of sign. The zeros of p' are found in the same way from p'', and so on down to a
 * constant. Hence a zero of p lies between two neighbouring places with values of opposite signs, or is a place itself.
 * A computed p(t) has an error of about `error`: a place where |p| is not larger may be a double zero, two near zeros,
 * or none, and the data do not tell: it is returned as undecided. Computed places are off by roundings, over which p
 * changes by less than `error`, since p' vanishes at them.
 *
 * T = 0 for all u to rounding only if c = 0, for its terms of degree 1 are those of c. Then s = -r u . B u, and no
 * contact slides if the symmetric part of B is positive definite; otherwise this is undecided, too. */
#include "parts.h"

#include <float.h>

enum { DEGREE = 4, PLACES = 2 * DEGREE, ROTATIONS = 9 };

/* A place where a polynomial is 0, or nearly so. */
typedef struct disc_zero {
    double t;
    bool decided;
} disc_zero;

static double polynomial_at(const double *p, int degree, double t)
{
    double value = p[degree];
    for (int k = degree - 1; k >= 0; k--)
        value = value * t + p[k];
    return value;
}

static double polynomial_size(const double *p, int degree)
{
    double sum = 0.0;
    for (int k = 0; k <= degree; k++)
        sum += fabs(p[k]);
    return sum;
}

/* The zero of p between two places where its signs differ. */
static double bisect_polynomial(const double *p, int degree, double low, double high)
{
    const bool rises = polynomial_at(p, degree, high) > 0.0;
    for (double middle = 0.5 * (low + high); middle > low && middle < high; middle = 0.5 * (low + high))
        if ((polynomial_at(p, degree, middle) > 0.0) == rises)
            high = middle;
        else
            low = middle;
    return high;
}

/* All zeros of p in [-1, 1] in ascending order, at most PLACES. */
static size_t polynomial_zeros(const double *p, int degree, double error, disc_zero *zero)
{
    double slope[DEGREE + 1], place[PLACES + 2];
    disc_zero inner[PLACES];
    size_t n = 0, found = 0;
    if (degree == 0)
        return 0;
    for (int k = 0; k < degree; k++)
        slope[k] = (k + 1) * p[k + 1];
    const size_t turns =
        polynomial_zeros(slope, degree - 1, 8.0 * DBL_EPSILON * polynomial_size(slope, degree - 1), inner);
    place[n++] = -1.0;
    for (size_t k = 0; k < turns; k++)
        place[n++] = inner[k].t;
    place[n++] = 1.0;
    for (size_t k = 0; k < n; k++) {
        const double here = polynomial_at(p, degree, place[k]);
        const double next = k + 1 < n ? polynomial_at(p, degree, place[k + 1]) : here;
        if (fabs(here) <= error)
            zero[found++] = (disc_zero){place[k], false};
        else if (fabs(next) > error && (here > 0.0) != (next > 0.0))
            zero[found++] = (disc_zero){bisect_polynomial(p, degree, place[k], place[k + 1]), true};
    }
    return found;
}

/* T = a[0] + a[1] cos + a[2] sin + a[3] cos 2 + a[4] sin 2, of theta. */
static void sliding_equation(const trajectory_disc *of, double a[5])
{
    const double mu = of->mu, *c = of->c, *k = of->k, load = 0.5 * mu * of->d;
    a[0] = 0.5 * mu * (k[0] * c[1] - k[1] * c[0]) - load * (of->B[1][0] - of->B[0][1]);
    a[1] = c[1];
    a[2] = -c[0];
    a[3] = 0.5 * mu * (k[0] * c[1] + k[1] * c[0]) - load * (of->B[1][0] + of->B[0][1]);
    a[4] = 0.5 * mu * (k[1] * c[1] - k[0] * c[0]) - load * (of->B[1][1] - of->B[0][0]);
}

/* p(t) on the half circle about `centre`. */
static void half_circle(const double a[5], double centre, double p[DEGREE + 1])
{
    const double C = cos(centre), S = sin(centre), C2 = cos(2.0 * centre), S2 = sin(2.0 * centre);
    const double c1 = a[1] * C + a[2] * S, s1 = a[2] * C - a[1] * S, c2 = a[3] * C2 + a[4] * S2,
                 s2 = a[4] * C2 - a[3] * S2;
    p[0] = a[0] + c1 + c2;
    p[1] = 2.0 * s1 + 4.0 * s2;
    p[2] = 2.0 * a[0] - 6.0 * c2;
    p[3] = 2.0 * s1 - 4.0 * s2;
    p[4] = a[0] - c1 + c2;
}

/* The rotation of both half circles with the largest |T| at their ends, of several. T has at most 4 zeros. */
static double best_centre(const double a[5])
{
    double best = -1.0, centre = 0.0, p[DEGREE + 1];
    for (int k = 0; k < ROTATIONS; k++) {
        const double angle = DLS_PI * k / ROTATIONS;
        half_circle(a, angle, p);
        const double least = fmin(fabs(polynomial_at(p, DEGREE, -1.0)), fabs(polynomial_at(p, DEGREE, 1.0)));
        if (least > best)
            best = least, centre = angle;
    }
    return centre;
}

/* z_t along -u, |z_t| = r by both equations for r, of which one may say nothing: their least squares. False: neither
 * does, or r < 0. */
static bool friction_along(const trajectory_disc *of, double size, double angle, trajectory_slide *slide)
{
    const double u[2] = {cos(angle), sin(angle)};
    const double Bu[2] = {of->B[0][0] * u[0] + of->B[0][1] * u[1], of->B[1][0] * u[0] + of->B[1][1] * u[1]};
    const double normal = 1.0 + of->mu * (of->k[0] * u[0] + of->k[1] * u[1]),
                 side = (u[0] * Bu[1] - u[1] * Bu[0]) / size;
    const double r =
        (normal * of->mu * of->d + side * (u[0] * of->c[1] - u[1] * of->c[0]) / size) / (normal * normal + side * side);
    slide->angle = angle;
    slide->z[0] = -r * u[0], slide->z[1] = -r * u[1];
    return r >= 0.0 && isfinite(r);
}

static bool is_definite(const trajectory_disc *of)
{
    const double off = 0.5 * (of->B[0][1] + of->B[1][0]);
    return of->B[0][0] > 0.0 && of->B[1][1] > 0.0 && of->B[0][0] * of->B[1][1] > (1.0 + 1e-9) * off * off;
}

size_t trajectory_disc_slides(const trajectory_disc *of, trajectory_slide slide[TRAJECTORY_SLIDES_MAX])
{
    double a[5], p[DEGREE + 1];
    disc_zero zero[PLACES];
    size_t n = 0;
    const double size = fmax(hypot(of->B[0][0], of->B[0][1]), hypot(of->B[1][0], of->B[1][1]));
    const double terms =
        hypot(of->c[0], of->c[1]) * (1.0 + of->mu * hypot(of->k[0], of->k[1])) + of->mu * fabs(of->d) * size;
    sliding_equation(of, a);
    if (polynomial_size(a, 4) <= of->error * terms) {
        slide[0] = (trajectory_slide){.decided = false};
        return !is_definite(of) && friction_along(of, fmax(size, DBL_MIN), 0.0, &slide[0]);
    }
    const double centre = best_centre(a);
    for (int half = 0; half < 2; half++) {
        const double middle = centre + half * DLS_PI;
        half_circle(a, middle, p);
        const double error = of->error * terms + 8.0 * DBL_EPSILON * polynomial_size(p, DEGREE);
        const size_t zeros = polynomial_zeros(p, DEGREE, error, zero);
        for (size_t k = 0; k < zeros; k++) {
            slide[n].decided = zero[k].decided;
            n += friction_along(of, fmax(size, DBL_MIN), middle + 2.0 * atan(zero[k].t), &slide[n]);
        }
    }
    return n;
}
