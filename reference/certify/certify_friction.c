/* A backward error of impulses under a box or Coulomb's cone: lambda is an exact solution of the problem with other b
 * and other mu, and bounds of the differences are computed.
 *
 * With w = A lambda + b known to within `radius`, each law asks for a change of b, of mu, or of both:
 *     a row with fixed bounds   b by w, unless lambda is at a bound and w presses on it
 *     a tangent of a box        sticks: b by w_t, and mu by what |lambda_t| is beyond mu lambda_n;
 *                               slides, lambda_t against w_t: mu by |lambda_t| / lambda_n - mu
 *     a contact under the cone  sticks: b by w_t, and mu likewise;
 *                               slides: b by the part of w_t across lambda_t, mu by |lambda_t| / lambda_n - mu
 * where the friction takes what costs less, b against |b| and mu against mu. Without a normal impulse there must be no
 * friction either, and w_t is free. An impulse off its bounds has no such statement.
 *
 * The other laws of law.h: each disc, the one of rolling friction too, is such a contact in the variables in which it
 * is round, y_k = lambda_k / r_k and z_k = r_k w_k, r_k = mu_k / max mu: both coefficients change by one factor, and
 * b_k by the change of z_k over r_k. Where r_k = 0, lambda_k must be 0, and w_k is free. Under the associated law the
 * normal row has w_n - sum h(w) in the place of w_n; h differs by at most |mu| |change of w| + |change of mu| |w|. */
#include "parts.h"

#include <stdio.h>

/* The changes of b and mu with which a row or contact is solved. */
typedef struct change {
    double b, mu;
} change;

static double larger_of(double a, double b) { return a > b ? a : b; }

/* A row with bounds of its own; infinite where lambda is off them. */
static double change_of_fixed_row(const dls_problem *p, size_t i, double lambda, double w, double radius)
{
    if (!(lambda >= p->lo[i] && lambda <= p->hi[i]))
        return HUGE_VAL;
    double pressing = lambda == p->lo[i] && lambda == p->hi[i] ? HUGE_VAL
                      : lambda == p->lo[i]                     ? w
                      : lambda == p->hi[i]                     ? -w
                                                               : -fabs(w);
    return pressing >= radius ? 0.0 : dls_up(radius - pressing, 1);
}

/* Friction of size `friction` at a normal impulse, which leaves the speed `stuck` if it sticks, and `across` if it
 * slides against w, where it is `against`. The size may be rounded once, as a subnormal number too. */
static change cheaper_change(double mu, double normal, double friction, double stuck, double across, bool against,
                             double b_scale)
{
    if (!(normal > 0.0))
        return friction == 0.0 ? (change){0.0, 0.0} : (change){HUGE_VAL, HUGE_VAL};
    double ratio = friction / normal,
           rounding = friction > 0.0 ? 4.0 * DBL_EPSILON * ratio + DBL_TRUE_MIN / normal + DBL_MIN : 0.0,
           off = dls_up(fabs(ratio - mu) + rounding, 2);
    change stick = {stuck, friction > 0.0 && !(ratio + rounding < mu) ? off : 0.0}, slide = {across, off};
    double cost_of_stick = stick.b / b_scale + stick.mu / mu, cost_of_slide = slide.b / b_scale + slide.mu / mu;
    return against && !(cost_of_stick <= cost_of_slide) ? slide : stick;
}

/* A disc of any law, whose first row is i, at a normal impulse. `error` bounds how much these changes change h(w),
 * which the normal row has under the associated law. */
static change change_of_disc(const dls_problem *p, size_t i, double normal, const double *lambda, const double *w,
                             const double *radius, double scale, double *error)
{
    const double most = larger_of(p->mu[i], p->mu[i + 1]);
    double y[2], z[2], r[2], free_w[2], least = 1.0, stray = 0.0;
    for (size_t k = 0; k < 2; k++) {
        r[k] = most > 0.0 ? p->mu[i + k] / most : 1.0;
        y[k] = r[k] > 0.0 ? lambda[i + k] / r[k] : 0.0;
        z[k] = r[k] * w[i + k];
        free_w[k] = r[k] > 0.0 ? w[i + k] : 0.0;
        least = r[k] > 0.0 && r[k] < least ? r[k] : least;
        stray = r[k] > 0.0 ? stray : larger_of(stray, fabs(lambda[i + k]));
    }
    /* The direction of the friction comes first, for products of tiny impulses and velocities underflow; friction that
     * is too small to have a direction does not slide. */
    const double friction = hypot(y[0], y[1]), speed = fabs(w[i]) + fabs(w[i + 1]);
    const double off = dls_up(hypot(radius[i], radius[i + 1]) + 8.0 * DBL_EPSILON * speed, 8);
    const bool directed = friction > 1e-290, round = r[0] == 1.0 && r[1] == 1.0;
    const double s = directed ? y[0] / friction : 0.0, t = directed ? y[1] / friction : 0.0;
    const double stuck = dls_up(hypot(free_w[0], free_w[1]) + off, 4);
    const double across = dls_up(fabs(s * z[1] - t * z[0]) + off, 4);
    /* 4 roundings of the ratio, which cheaper_change allows for, cover those of r and y too. */
    change c = cheaper_change(most, normal, friction, stuck, round ? across : dls_up(across / least, 2),
                              directed && -(s * z[0] + t * z[1]) >= off, scale);
    if (stray > 0.0 || (most == 0.0 && friction > 0.0))
        c = (change){HUGE_VAL, HUGE_VAL};
    else if (most == 0.0)
        c = (change){0.0, 0.0};
    else if (!round && friction > 0.0 && friction < 1e-290 && normal > 0.0) /* y may be rounded as a subnormal number */
        c.mu = dls_up(c.mu + 2.0 * DBL_TRUE_MIN / normal, 2);
    *error = dls_up((most + c.mu) * (c.b + off) + c.mu * speed + 8.0 * DBL_EPSILON * most * speed, 6);
    return c;
}

/* A contact under a cone: its discs, and its normal row. */
static change change_of_contact(const dls_problem *p, size_t i, size_t discs, const double *lambda, const double *w,
                                const double *radius, double scale)
{
    const bool associated = p->law[i + 1] == DLS_LAW_ASSOCIATED;
    double u = w[i], u_error = radius[i];
    change c = {0.0, 0.0};
    for (size_t k = i + 1; k < i + 1 + 2 * discs; k += 2) {
        double error;
        const change of = change_of_disc(p, k, lambda[i], lambda, w, radius, scale, &error);
        c.b = larger_of(c.b, of.b), c.mu = larger_of(c.mu, of.mu);
        if (associated) {
            const double h = hypot(p->mu[k] * w[k], p->mu[k + 1] * w[k + 1]);
            u -= h;
            u_error = dls_up(u_error + error + 4.0 * DBL_EPSILON * (h + fabs(u)), 4);
        }
    }
    c.b = larger_of(c.b, change_of_fixed_row(p, i, lambda[i], u, u_error));
    return c;
}

void dls_certify_friction(const dls_problem *p, const double *lambda, const double *w, const double *radius,
                          dls_bounds *out)
{
    double b = 0.0, mu = 0.0, scale = DBL_MIN;
    for (size_t i = 0; i < p->n; i++)
        scale = larger_of(scale, fabs(dls_rows_dot(&p->J, i, p->v_star) - p->c[i]));
    for (size_t i = 0; i < p->n; i++) {
        const size_t discs = dls_problem_discs(p, i);
        change c = {0.0, 0.0};
        if (discs > 0) {
            c = change_of_contact(p, i, discs, lambda, w, radius, scale);
        } else if (p->law[i] == DLS_LAW_BOX) {
            const double against = lambda[i] > 0.0 ? -w[i] : w[i];
            c = cheaper_change(p->mu[i], lambda[p->parent[i]], fabs(lambda[i]), dls_up(fabs(w[i]) + radius[i], 1), 0.0,
                               against >= radius[i], scale);
        } else if (p->parent[i] == DLS_NONE) {
            c.b = change_of_fixed_row(p, i, lambda[i], w[i], radius[i]);
        }
        b = larger_of(b, c.b), mu = larger_of(mu, c.mu);
    }
    if (!(b < HUGE_VAL && mu < HUGE_VAL)) {
        snprintf(out->text, sizeof out->text, "an impulse is off its bounds");
        return;
    }
    out->kind = DLS_BOUNDS_BACKWARD;
    out->b_off = b, out->mu_off = mu;
    snprintf(out->text, sizeof out->text, "solves the problem with b off by at most %s and mu by at most %s, exactly",
             dls_digits_up(b, 2).text, dls_digits_up(mu, 2).text);
}
