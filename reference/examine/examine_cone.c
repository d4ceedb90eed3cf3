/* Signorini's and Coulomb's law of one contact as the zero of a projection.
 *
 *     u = w + mu |w_t| n                                                     G. De Saxce and Z.-Q. Feng, 1998
 *     N(lambda) = lambda - P(lambda - rho u),  rho > 0,  P on K = { |lambda_t| <= mu lambda_n }
 *
 * N = 0 says that -u lies in the normal cone of K at lambda. So u is in the dual cone, w_n + mu |w_t| >= mu |w_t|, that
 * is w_n >= 0; and lambda . u = lambda_n w_n + (mu lambda_n |w_t| + lambda_t . w_t) = 0, a sum of two terms that are
 * not negative: no impulse without contact, and either w_t = 0 or an impulse on the rim against w_t. With an upper
 * bound hi of lambda_n, P projects onto K with lambda_n <= hi, and at hi w_n <= 0 is the law of any bound.
 *
 * The nearest point of K is x itself in K, 0 in the polar cone mu |x_t| <= -x_n, and else on the rim. If its lambda_n
 * is more than hi, the nearest point with the bound lies on the disc lambda_n = hi.
 *
 * That map adds the velocities of the normal row and of the tangents, which may differ by any factor. For a verdict
 * the normal row is a row between its bounds, and the tangents have the map of P. Alart and A. Curnier, 1991,
 *     N_t = lambda_t - P_r(lambda_t - rho w_t),   P_r on the disc of radius r = mu lambda_n,
 * in units of their own: lambda_t / Lambda and w_t / T, which is rho = Lambda / T. Both are zero if the law holds.
 *
 * OTHER LAWS (law.h) are made of the same two maps. A disc with two coefficients, x = (lambda_1, lambda_2), is round in
 * y_k = lambda_k / r_k, z_k = r_k w_k with r_k = mu_k / max mu: y lies in the disc of radius max(mu) lambda_n, y . z =
 * lambda . w, and h(w) = max(mu) |z|, so that its law is that of a round disc for y and z. Where r_k = 0, lambda_k is 0
 * and w_k is free. Rolling friction is a second disc of the same normal impulse. Under the associated law, w in K* and
 * lambda . w = 0 say with u_n = w_n - sum h(w) that
 *     lambda_n u_n + sum (lambda_n h(w) + lambda_k . w_k) = 0,   u_n >= 0,
 * a sum of terms that are not negative: the normal row has the law of a row with u_n in the place of w_n, and each disc
 * its own law. */
#include "parts.h"

#include <math.h>

void dls_examine_cone_project(double mu, double hi, const double x[3], double nearest[3])
{
    double length = hypot(x[1], x[2]), normal = x[0];
    if (length > mu * x[0])
        normal = (x[0] + mu * length) / (1.0 + mu * mu);
    nearest[0] = normal <= 0.0 ? 0.0 : normal < hi ? normal : hi;
    double radius = mu * nearest[0], share = length > radius ? radius / length : 1.0;
    nearest[1] = share * x[1];
    nearest[2] = share * x[2];
}

/* |lambda - P(lambda - r)|. Where P is the identity that is |r|, and the difference would lose a small r. */
static double cone_residual(double mu, double hi, const double lambda[3], const double r[3])
{
    double x[3], nearest[3];
    for (int i = 0; i < 3; i++)
        x[i] = lambda[i] - r[i];
    double length = hypot(x[1], x[2]);
    if (x[0] >= 0.0 && length <= mu * x[0] && x[0] <= hi)
        return hypot(r[0], hypot(r[1], r[2]));
    dls_examine_cone_project(mu, hi, x, nearest);
    return hypot(lambda[0] - nearest[0], hypot(lambda[1] - nearest[1], lambda[2] - nearest[2]));
}

double dls_examine_disc(double radius, double Lambda, double T, const double lambda[2], const double w[2])
{
    const double y[2] = {w[0] / T, w[1] / T}, speed = w[0] == 0.0 && w[1] == 0.0 ? 0.0 : hypot(y[0], y[1]);
    if (radius == 0.0 || speed == 0.0)
        return 0.0;
    if (Lambda == 0.0)
        return speed;
    const double r = radius / Lambda, x[2] = {lambda[0] / Lambda, lambda[1] / Lambda}, length = hypot(x[0], x[1]);
    const double within = length > r ? r / length : 1.0;
    const double z[2] = {within * x[0] - y[0], within * x[1] - y[1]}, distance = hypot(z[0], z[1]);
    if (distance <= r)
        return speed;
    return hypot(within * x[0] - r / distance * z[0], within * x[1] - r / distance * z[1]);
}

dls_cone_figures dls_examine_cone(double mu, double hi, double D, const double lambda[3], const double w[3])
{
    const double zero[3] = {0.0, 0.0, 0.0};
    double speed = hypot(w[1], w[2]), power = lambda[1] * w[1] + lambda[2] * w[2];
    double u[3] = {w[0] + mu * speed, w[1], w[2]}, scaled[3] = {u[0] / D, u[1] / D, u[2] / D};
    double slack = w[0] > 0.0 ? lambda[0] : hi - lambda[0];
    return (dls_cone_figures){
        .natural_residual = cone_residual(mu, hi, lambda, u),
        .impulse = cone_residual(mu, hi, lambda, scaled),
        .violation = cone_residual(mu, hi, lambda, zero),
        .gap = (isinf(slack) ? 0.0 : fabs(slack * w[0])) + fabs(mu * lambda[0] * speed + power),
        .dissipation = -power,
    };
}

dls_round_disc dls_examine_round(const double mu[2], double normal, const double lambda[2], const double w[2])
{
    const double most = fmax(mu[0], mu[1]);
    dls_round_disc round = {.radius = most * fmax(normal, 0.0)};
    for (int k = 0; k < 2; k++) {
        const double share = round.share[k] = most > 0.0 ? mu[k] / most : 1.0;
        round.lambda[k] = share > 0.0 ? lambda[k] / share : 0.0;
        round.w[k] = share * w[k];
        round.stray = share > 0.0 ? round.stray : lambda[k];
    }
    return round;
}

/* |y - (y - step z brought into the disc)| */
static double disc_residual(const dls_round_disc *disc, double step)
{
    const double z[2] = {step * disc->w[0], step * disc->w[1]};
    const double x[2] = {disc->lambda[0] - z[0], disc->lambda[1] - z[1]}, length = hypot(x[0], x[1]);
    if (length <= disc->radius)
        return hypot(hypot(z[0], z[1]), disc->stray);
    const double share = disc->radius / length;
    return hypot(hypot(disc->lambda[0] - share * x[0], disc->lambda[1] - share * x[1]), disc->stray);
}

dls_cone_figures dls_examine_round_figures(const dls_round_disc *disc, double D, const double lambda[2],
                                           const double w[2])
{
    const double power = lambda[0] * w[0] + lambda[1] * w[1], length = hypot(disc->lambda[0], disc->lambda[1]);
    return (dls_cone_figures){
        .natural_residual = disc_residual(disc, 1.0),
        .impulse = disc_residual(disc, 1.0 / D),
        .violation = hypot(isnan(length) ? length : fmax(length - disc->radius, 0.0), disc->stray),
        .gap = fabs(disc->radius * hypot(disc->w[0], disc->w[1]) + power),
        .dissipation = -power,
    };
}
