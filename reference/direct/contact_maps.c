/* The natural map and Fischer and Burmeister's function of a contact under Coulomb's law.
 *
 * With De Saxce's shift, u = w + mu |w_t| n, the law is K >= lambda, u in K*, lambda . u = 0 (G. De Saxce and Z.-Q.
 * Feng, 1998), K the cone |lambda_t| <= mu lambda_n. It holds where lambda = P_K(lambda - u), the natural map. With
 * tau = lambda - u and e = tau_t / |tau_t| the derivative D of P_K is 1 inside, 0 in the polar cone, and else, with
 * P_K(tau) = n (1, mu e), n = (tau_n + mu |tau_t|) / (1 + mu^2), that of these. With the gradient g = mu w_t / |w_t| of
 * the shift (0 where w_t is 0) it follows that
 *     dF = (1 - D) dlambda + D (1 + n g^T) dw.
 *
 * x = (mu lambda_n, lambda_t) and y = (u_n, mu u_t) are both in the cone L of jordan.h, and x . y = mu lambda . u, so
 * that the law is that x and y are in L with x o y = 0. M. Fukushima, Z.-Q. Luo and P. Tseng (2002) show that this
 * holds where F = x + y - z vanishes, z the square root of x o x + y o y in L. From z o z = x o x + y o y,
 *     dF = (1 - L_z^-1 L_x) dx + (1 - L_z^-1 L_y) dy,   L_a b = a o b.
 * The squares s = x o x + y o y have the eigenvalues s_0 +- |s_t|. With e = s_t / |s_t| and e' across it they are
 *     (x_0 +- x_t . e)^2 + (y_0 +- y_t . e)^2 + (x_t . e')^2 + (y_t . e')^2,
 * in which a small one has no cancellation: half the sum and difference of their roots are z_0 and |z_t|.
 * From (a - z) o (a + z) = a o a - z o z with a = x + y follows (a + z) o F = 2 x o y, which has no cancellation
 * where a + z is well inside the cone. On the rim of L the derivative is that for squares with
 * (1e-8)^2 (|x|^2 + |y|^2) added.
 *
 * A row is the same with numbers, phi(a, b) = a + b - (a^2 + b^2)^1/2 (A. Fischer, 1992); between two bounds it is
 * phi(lambda - lo, -phi(hi - lambda, -w)) (S. C. Billups, 1995). */
#include "contact_maps.h"

#include "jordan.h"

#include <string.h>

/* u, and g. */
static void shifted_velocity(double mu, const double *w, double *u, double *g)
{
    const double slip = hypot(w[1], w[2]);
    u[0] = w[0] + mu * slip;
    for (int t = 1; t < 3; t++) {
        u[t] = w[t];
        g[t - 1] = slip > 0.0 ? mu * w[t] / slip : 0.0;
    }
}

/* D of the projection of tau, between the cone and its polar. */
static void rim_derivative(double mu, const double *tau, double length, double normal, double D[3][3])
{
    const double across[3] = {1.0, mu * tau[1] / length, mu * tau[2] / length}; /* (1, mu e) */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D[i][j] = across[i] * across[j] / (1.0 + mu * mu);
    for (int i = 1; i < 3; i++)
        for (int j = 1; j < 3; j++)
            D[i][j] += mu * normal / length * ((i == j) - tau[i] / length * (tau[j] / length));
}

void dls_contact_natural(double mu, const double lambda[3], const double w[3], dls_contact_map *map)
{
    double u[3], g[2], tau[3], D[3][3] = {{0}};
    shifted_velocity(mu, w, u, g);
    for (int i = 0; i < 3; i++)
        tau[i] = lambda[i] - u[i];
    const double length = hypot(tau[1], tau[2]);
    if (length <= mu * tau[0]) {
        memcpy(map->F, u, sizeof u);
        for (int i = 0; i < 3; i++)
            D[i][i] = 1.0;
    } else if (mu * length <= -tau[0]) {
        memcpy(map->F, lambda, 3 * sizeof *lambda);
    } else {
        const double normal = (tau[0] + mu * length) / (1.0 + mu * mu);
        map->F[0] = lambda[0] - normal;
        for (int t = 1; t < 3; t++)
            map->F[t] = lambda[t] - mu * normal * (tau[t] / length);
        rim_derivative(mu, tau, length, normal, D);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            map->X[i][j] = (i == j) - D[i][j];
            map->Y[i][j] = D[i][j] + (j > 0 ? D[i][0] * g[j - 1] : 0.0);
        }
}

/* --- Fischer and Burmeister --- */

/* z, and with `off` the square root of x o x + y o y + off^2 (|x|^2 + |y|^2). */
static void cone_root(const double *x, const double *y, double off, double *z)
{
    double e[2] = {1.0, 0.0}, larger = 0.0, smaller = 0.0;
    const double along[2] = {x[0] * x[1] + y[0] * y[1], x[0] * x[2] + y[0] * y[2]}, length = hypot(along[0], along[1]);
    for (int t = 0; t < 2 && length > 0.0; t++)
        e[t] = along[t] / length;
    for (int k = 0; k < 2; k++) {
        const double *of = k == 0 ? x : y, radial = of[1] * e[0] + of[2] * e[1], across = of[2] * e[0] - of[1] * e[1];
        const double rest = across * across + off * off * (of[0] * of[0] + of[1] * of[1] + of[2] * of[2]);
        larger += (of[0] + radial) * (of[0] + radial) + rest;
        smaller += (of[0] - radial) * (of[0] - radial) + rest;
    }
    z[0] = 0.5 * (sqrt(larger) + sqrt(smaller));
    for (int t = 1; t < 3; t++)
        z[t] = length > 0.0 ? 0.5 * (sqrt(larger) - sqrt(smaller)) * e[t - 1] : 0.0;
}

/* Column j of 1 - L_z^-1 L_x. */
static void root_column(const double *z, const double *x, int j, double column[3])
{
    const double unit[3] = {j == 0, j == 1, j == 2};
    double product[3];
    dls_jordan_product(x, unit, product);
    dls_jordan_divide(z, product, column);
    for (int i = 0; i < 3; i++)
        column[i] = unit[i] - column[i];
}

static void root_map(const double *x, const double *y, const double *z, double *F)
{
    static const double inside = 0.01;
    double sum[3], product[3];
    for (int i = 0; i < 3; i++)
        F[i] = x[i] + y[i] - z[i], sum[i] = x[i] + y[i] + z[i];
    if (!(x[0] + y[0] > 0.0 && dls_cone_determinant(sum) > inside * sum[0] * sum[0]))
        return;
    dls_jordan_product(x, y, product);
    dls_jordan_divide(sum, product, F);
    for (int i = 0; i < 3; i++)
        F[i] *= 2.0;
}

void dls_contact_fischer_burmeister(double mu, const double lambda[3], const double w[3], dls_contact_map *map)
{
    static const double off_rim = 1e-8;
    const double a = 1.0 - sqrt(0.5);
    double u[3], g[2], z[3];
    shifted_velocity(mu, w, u, g);
    const double x[3] = {mu * lambda[0], lambda[1], lambda[2]}, y[3] = {u[0], mu * u[1], mu * u[2]};
    cone_root(x, y, 0.0, z);
    root_map(x, y, z, map->F);
    cone_root(x, y, off_rim, z);
    for (int j = 0; j < 3; j++) {
        double by_x[3] = {0}, by_y[3] = {0};
        if (dls_cone_determinant(z) > 0.0) {
            root_column(z, x, j, by_x);
            root_column(z, y, j, by_y);
        } else {
            by_x[j] = by_y[j] = a;
        }
        for (int i = 0; i < 3; i++) {
            map->X[i][j] = by_x[i] * (j == 0 ? mu : 1.0);
            map->Y[i][j] = by_y[i] * (j == 0 ? 1.0 : mu);
        }
    }
    for (int i = 0; i < 3; i++)
        for (int j = 1; j < 3; j++)
            map->Y[i][j] += map->Y[i][0] * g[j - 1];
}

/* phi, and its derivatives. */
static double fischer(double a, double b, double *by_a, double *by_b)
{
    const double length = hypot(a, b);
    *by_a = 1.0 - (length > 0.0 ? a / length : sqrt(0.5));
    *by_b = 1.0 - (length > 0.0 ? b / length : sqrt(0.5));
    return a + b > 0.0 ? 2.0 * a * (b / (a + b + length)) : a + b - length;
}

double dls_row_fischer_burmeister(double lo, double hi, double lambda, double w, double *by_lambda, double *by_w)
{
    double value = w, by_gap, by_value;
    *by_lambda = 0.0, *by_w = 1.0;
    if (isfinite(hi))
        value = -fischer(hi - lambda, -w, by_lambda, by_w);
    if (isfinite(lo)) {
        value = fischer(lambda - lo, value, &by_gap, &by_value);
        *by_lambda = by_gap + by_value * *by_lambda;
        *by_w *= by_value;
    }
    return value;
}
