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
 * friction either, and w_t is free. An impulse off its bounds has no such statement. */
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

void dls_certify_friction(const dls_problem *p, const double *lambda, const double *w, const double *radius,
                          dls_bounds *out)
{
    double b = 0.0, mu = 0.0, scale = DBL_MIN;
    for (size_t i = 0; i < p->n; i++)
        scale = larger_of(scale, fabs(dls_rows_dot(&p->J, i, p->v_star) - p->c[i]));
    for (size_t i = 0; i < p->n; i++) {
        change c = {0.0, 0.0};
        if (dls_problem_is_cone(p, i)) {
            /* The direction of the friction comes first, for products of tiny impulses and velocities underflow;
             * friction that is too small to have a direction does not slide. */
            const double x = lambda[i + 1], y = lambda[i + 2], u = w[i + 1], v = w[i + 2], friction = hypot(x, y);
            const double error =
                dls_up(hypot(radius[i + 1], radius[i + 2]) + 8.0 * DBL_EPSILON * (fabs(u) + fabs(v)), 8);
            const bool directed = friction > 1e-290;
            const double s = directed ? x / friction : 0.0, t = directed ? y / friction : 0.0;
            c = cheaper_change(p->mu[i + 1], lambda[i], friction, dls_up(hypot(u, v) + error, 4),
                               dls_up(fabs(s * v - t * u) + error, 4), directed && -(s * u + t * v) >= error, scale);
        } else if (p->law[i] == DLS_LAW_BOX) {
            const double against = lambda[i] > 0.0 ? -w[i] : w[i];
            c = cheaper_change(p->mu[i], lambda[p->parent[i]], fabs(lambda[i]), dls_up(fabs(w[i]) + radius[i], 1), 0.0,
                               against >= radius[i], scale);
        }
        if (p->parent[i] == DLS_NONE)
            c.b = larger_of(c.b, change_of_fixed_row(p, i, lambda[i], w[i], radius[i]));
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
