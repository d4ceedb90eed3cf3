/* Stronge's law of impact: the work of the normal impulse in the expansion is -e^2 times that in compression. W. J.
 * Stronge, Rigid body collisions with friction, Proc. R. Soc. A 431, 1990; Impact Mechanics, 2000, chapters 4 and 8. J.
 * A. Batlle, Rough balanced collisions, J. Appl. Mech. 63, 1996 (sliding flow).
 *
 * ONE CONTACT, with Coulomb's friction or none. The normal impulse p is the independent variable; with the force
 * direction f, w = (w_n, w_t) in its tangent plane, A = J M^-1 J^T:
 *     dw_n/dp = A_nn + A_nt f,   dw_t/dp = A_tn + A_tt f,   dW/dp = w_n
 *     sliding   f = -mu w_t / |w_t|
 *     sticking  f = f_s = -A_tt^-1 A_tn,  w_t = 0,  if |f_s| <= mu
 * Compression ends where w_n = 0; the expansion ends where W has risen by e^2 |W_c| since. The total work of the normal
 * impulse is -(1 - e^2) |W_c|, that of friction is never positive, so no energy is created.
 *     STRAIGHT pieces (sticking, or sliding along one line) have constant rates, and are in closed form: w_n is linear
 *     and W quadratic in p. If the sliding stops and |f_s| > mu, it goes on at once along the u with
 *     (k 1 + mu A_tt) u = A_tn, |u| = 1, k > 0, in which w_t = k u p: k is unique, since |u| decreases with k.
 *     CURVED sliding is integrated in s, dp = |w_t| ds, in which the rates are smooth where w_t vanishes:
 *         dw_t/ds = A_tn |w_t| - mu A_tt w_t,   dw_n/ds = A_nn |w_t| - mu A_nt w_t
 *     by the rule of Dormand and Prince of order 5 with constant steps of 1/50 of the shortest time of these, about
 *     1e-11 of the velocities; ends of the phases within a step by bisection.
 * In a jam (Painleve, A_nn - mu A_nt u < 0) w_n falls until the sliding stops, which it then does.
 *
 * SEVERAL CONTACTS AT ONCE, without friction: phases of Poisson's law whose least expansion impulses k e_i p_i have a
 * common factor k such that the normal impulses together give back sum e_i^2 |W_ci|, W_ci = p_i w-_i / 2. With one e
 * k is 1, and the outcome Poisson's. With friction the law has no accepted form, and is refused.
 */
#include "impact.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* --- one contact --- */

/* The state of the impact of one contact. */
typedef struct course {
    double n, t[2];          /* w_n, w_t */
    double p, q[2];          /* normal and tangential impulse */
    double work, compressed; /* W; W at the end of compression, NaN before it */
    bool lost;               /* no end was found */
} course;

typedef struct contact {
    double nn, nt[2], tt[2][2], mu, e;
} contact;

static double goal(const contact *c, const course *x) { return x->compressed * (1.0 - c->e * c->e); }

/* --- straight pieces --- */

/* The least p > 0 with a + b p + c p^2 / 2 = 0 where a <= 0 and this rises through 0 (a = 0: the later root); infinite
 * if there is none. */
static double rising_root(double a, double b, double c)
{
    const double inside = b * b - 2.0 * a * c;
    if (c == 0.0)
        return b > 0.0 ? -a / b : HUGE_VAL;
    if (inside < 0.0)
        return HUGE_VAL;
    const double root = sqrt(inside), p = b > 0.0 ? -2.0 * a / (b + root) : (root - b) / c;
    return p >= 0.0 ? p : HUGE_VAL;
}

static void go_straight(course *x, double p, double rate_n, const double rate_t[2], const double f[2])
{
    x->work += p * (x->n + 0.5 * rate_n * p);
    x->n += rate_n * p;
    x->p += p;
    for (int k = 0; k < 2; k++) {
        x->t[k] += rate_t[k] * p;
        x->q[k] += f[k] * p;
    }
}

/* Goes on with a constant f for at most `most` of p; whether the impact has ended. */
static bool straight(const contact *c, const double f[2], double most, course *x)
{
    const double rate_n = c->nn + c->nt[0] * f[0] + c->nt[1] * f[1];
    double rate_t[2];
    for (int k = 0; k < 2; k++)
        rate_t[k] = c->nt[k] + c->tt[k][0] * f[0] + c->tt[k][1] * f[1];
    if (isnan(x->compressed)) {
        const double p = rate_n > 0.0 ? -x->n / rate_n : HUGE_VAL;
        x->lost = isinf(p) && isinf(most);
        if (x->lost)
            return true;
        if (p > most) {
            go_straight(x, most, rate_n, rate_t, f);
            return false;
        }
        go_straight(x, p, rate_n, rate_t, f);
        x->n = 0.0;
        x->compressed = x->work;
        most -= p;
    }
    const double p = rising_root(x->work - goal(c, x), x->n, rate_n);
    x->lost = isinf(fmin(p, most));
    if (x->lost)
        return true;
    go_straight(x, fmin(p, most), rate_n, rate_t, f);
    return p <= most;
}

/* The direction in which a contact at rest begins to slide, if friction cannot hold it. */
static void sliding_direction(const contact *c, double u[2])
{
    double low = 0.0, high = hypot(c->nt[0], c->nt[1]), length = 0.0; /* |(k + mu A_tt)^-1 A_tn| < |A_tn| / k */
    for (int i = 0; i < 200; i++) {
        const double k = 0.5 * (low + high), a = k + c->mu * c->tt[0][0], b = c->mu * c->tt[0][1],
                     d = k + c->mu * c->tt[1][1], det = a * d - b * b;
        u[0] = (d * c->nt[0] - b * c->nt[1]) / det;
        u[1] = (a * c->nt[1] - b * c->nt[0]) / det;
        length = hypot(u[0], u[1]);
        *(length > 1.0 ? &low : &high) = k;
    }
    u[0] /= length, u[1] /= length;
}

/* From w_t = 0 to the end. */
static void from_rest(const contact *c, course *x)
{
    const double trace = c->tt[0][0] + c->tt[1][1], det = c->tt[0][0] * c->tt[1][1] - c->tt[0][1] * c->tt[0][1];
    double f[2] = {0.0, 0.0}, u[2];
    x->t[0] = x->t[1] = 0.0;
    if (c->mu > 0.0 && trace > 0.0) {
        const bool planar = !(det > 1e-12 * trace * trace); /* the mechanism moves along one tangent only */
        f[0] = -(planar ? c->nt[0] / trace : (c->tt[1][1] * c->nt[0] - c->tt[0][1] * c->nt[1]) / det);
        f[1] = -(planar ? c->nt[1] / trace : (c->tt[0][0] * c->nt[1] - c->tt[0][1] * c->nt[0]) / det);
        if (hypot(f[0], f[1]) > c->mu) {
            sliding_direction(c, u);
            f[0] = -c->mu * u[0], f[1] = -c->mu * u[1];
        }
    }
    straight(c, f, HUGE_VAL, x);
}

/* --- curved sliding --- */

enum { NUMBERS = 7 };

static void course_put(const course *x, double y[NUMBERS])
{
    const double numbers[NUMBERS] = {x->n, x->t[0], x->t[1], x->p, x->q[0], x->q[1], x->work};
    memcpy(y, numbers, sizeof numbers);
}

static void course_take(const double y[NUMBERS], course *x)
{
    x->n = y[0], x->t[0] = y[1], x->t[1] = y[2], x->p = y[3], x->q[0] = y[4], x->q[1] = y[5], x->work = y[6];
}

static void slope(const contact *c, const double y[NUMBERS], double d[NUMBERS])
{
    const double *t = y + 1, speed = hypot(t[0], t[1]);
    d[0] = c->nn * speed - c->mu * (c->nt[0] * t[0] + c->nt[1] * t[1]);
    for (int k = 0; k < 2; k++) {
        d[1 + k] = c->nt[k] * speed - c->mu * (c->tt[k][0] * t[0] + c->tt[k][1] * t[1]);
        d[4 + k] = -c->mu * t[k];
    }
    d[3] = speed;
    d[6] = y[0] * speed;
}

/* A step ds of J. R. Dormand, P. J. Prince, 1980. */
static course curve_step(const contact *c, const course *from, double ds)
{
    static const double a[6][5] = {{0},
                                   {1.0 / 5},
                                   {3.0 / 40, 9.0 / 40},
                                   {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                   {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                   {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}};
    static const double b[6] = {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
    double y[NUMBERS], at[NUMBERS], d[6][NUMBERS];
    course to = *from;
    course_put(from, y);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < NUMBERS; k++) {
            at[k] = y[k];
            for (int j = 0; j < i; j++)
                at[k] += ds * a[i][j] * d[j][k];
        }
        slope(c, at, d[i]);
    }
    for (int k = 0; k < NUMBERS; k++)
        for (int i = 0; i < 6; i++)
            y[k] += ds * b[i] * d[i][k];
    course_take(y, &to);
    return to;
}

static bool phase_over(const contact *c, const course *x)
{
    return isnan(x->compressed) ? x->n >= 0.0 : x->work >= goal(c, x) && x->n > 0.0;
}

enum { STEPS = 1000000 };

/* Goes on along the curve until the impact has ended (true), or the sliding has stopped (false). */
static bool slide(const contact *c, course *x)
{
    const double start = hypot(x->t[0], x->t[1]), trace = c->tt[0][0] + c->tt[1][1];
    const double ds = 0.02 / (c->mu * trace + hypot(c->nt[0], c->nt[1]) + c->nn);
    for (size_t steps = 0; hypot(x->t[0], x->t[1]) > 1e-15 * start; steps++) {
        x->lost = steps == STEPS;
        if (x->lost)
            return true;
        course to = curve_step(c, x, ds);
        if (!phase_over(c, &to)) {
            *x = to;
            continue;
        }
        double low = 0.0, high = ds;
        for (int i = 0; i < 60; i++) {
            const double middle = 0.5 * (low + high);
            to = curve_step(c, x, middle);
            *(phase_over(c, &to) ? &high : &low) = middle;
        }
        *x = curve_step(c, x, high);
        if (!isnan(x->compressed))
            return true;
        x->n = 0.0;
        x->compressed = x->work;
        if (c->e == 0.0)
            return true;
    }
    return false;
}

/* Whether the sliding stays on its line: A_tn - mu A_tt u is along u; then the p until it stops. */
static bool stays_straight(const contact *c, const course *x, double u[2], double *stop)
{
    const double speed = hypot(x->t[0], x->t[1]);
    u[0] = x->t[0] / speed, u[1] = x->t[1] / speed;
    double rate[2];
    for (int k = 0; k < 2; k++)
        rate[k] = c->nt[k] - c->mu * (c->tt[k][0] * u[0] + c->tt[k][1] * u[1]);
    const double along = rate[0] * u[0] + rate[1] * u[1], across = rate[0] * u[1] - rate[1] * u[0];
    *stop = along < 0.0 ? -speed / along : HUGE_VAL;
    return fabs(across) <= 1e-14 * (hypot(c->nt[0], c->nt[1]) + c->mu * (c->tt[0][0] + c->tt[1][1]));
}

static void one_contact(const contact *c, course *x)
{
    double u[2], stop;
    const double noise = 1e-15 * fabs(x->n);
    if (!(c->mu > 0.0) || hypot(x->t[0], x->t[1]) <= noise) {
        from_rest(c, x);
        return;
    }
    if (stays_straight(c, x, u, &stop) ? straight(c, (const double[2]){-c->mu * u[0], -c->mu * u[1]}, stop, x)
                                       : slide(c, x))
        return;
    from_rest(c, x);
}

static dls_status stronge_of_one(const dls_impact *m, dls_error *error)
{
    const double *A = m->A;
    contact c = {.nn = A[0], .mu = m->n > 1 ? m->mu[0] : 0.0, .e = m->restitution[0]};
    course x = {.n = m->before[0], .compressed = NAN};
    for (size_t k = 0; k < 2 && m->n > 1; k++) {
        c.nt[k] = A[k + 1];
        x.t[k] = m->before[k + 1];
        for (size_t j = 0; j < 2; j++)
            c.tt[k][j] = A[(k + 1) * m->n + j + 1];
    }
    if (c.nn > 0.0)
        one_contact(&c, &x);
    if (x.lost)
        return dls_fail(error, DLS_UNSOLVED, "the end of an impact by Stronge's law was not found; take poisson");
    m->after[0] = x.n, m->impulse[0] = x.p;
    for (size_t k = 0; k < 2 && m->n > 1; k++)
        m->after[k + 1] = x.t[k], m->impulse[k + 1] = x.q[k];
    return DLS_OK;
}

/* --- several contacts without friction --- */

/* The expansion with the factor k; returns the work of its impulses. */
static dls_status expand(const dls_impact *m, double k, double *work, dls_error *error)
{
    *work = 0.0;
    for (size_t i = 0; i < m->n; i++)
        m->least[i] = k * m->restitution[i] * m->impulse[i];
    DLS_TRY(dls_impact_phase(m, m->speed, m->least, m->phase, m->after, error));
    for (size_t i = 0; i < m->n; i++)
        *work += 0.5 * m->phase[i] * (m->speed[i] + m->after[i]);
    return DLS_OK;
}

static dls_status stronge_of_many(const dls_impact *m, dls_error *error)
{
    double back = 0.0, free = 0.0, work, low = 0.0, high;
    memset(m->least, 0, m->n * sizeof *m->least);
    DLS_TRY(dls_impact_phase(m, m->before, m->least, m->impulse, m->speed, error));
    for (size_t i = 0; i < m->n; i++) {
        const double share = m->restitution[i] * m->impulse[i];
        back -= 0.5 * m->restitution[i] * share * m->before[i];
        for (size_t j = 0; j < m->n; j++)
            free += 0.5 * share * m->A[i * m->n + j] * m->restitution[j] * m->impulse[j];
    }
    high = back > 0.0 && free > 0.0 ? sqrt(back / free) : 0.0;
    DLS_TRY(expand(m, high, &work, error));
    if (back > 0.0 && fabs(work - back) > 1e-12 * back) { /* other impulses than the least ones have done work */
        for (int i = 0; i < 60 && work < back; i++, high *= 2.0)
            DLS_TRY(expand(m, 2.0 * high, &work, error));
        for (int i = 0; i < 60; i++) {
            const double middle = 0.5 * (low + high);
            DLS_TRY(expand(m, middle, &work, error));
            *(work > back ? &high : &low) = middle;
        }
        DLS_TRY(expand(m, low, &work, error));
    }
    for (size_t i = 0; i < m->n; i++)
        m->impulse[i] += m->phase[i];
    return DLS_OK;
}

dls_status dls_impact_stronge(const dls_impact *m, dls_error *error)
{
    size_t contacts = 0;
    bool friction = false, box = false;
    for (size_t i = 0; i < m->n; i++) {
        contacts += m->normal[i] == i;
        friction = friction || m->mu[i] > 0.0;
        box = box || m->law[i] == DLS_LAW_BOX;
    }
    if (box)
        return dls_fail(error, DLS_REFUSED,
                        "Stronge's law of impact needs friction by Coulomb's cone; take friction: cone, or the law of "
                        "impact poisson");
    if (contacts > 1 && friction)
        return dls_fail(error, DLS_REFUSED,
                        "Stronge's law of impact has no form for %zu contacts at once with friction; take the law of "
                        "impact poisson, or mu: 0",
                        contacts);
    return contacts == 1 ? stronge_of_one(m, error) : stronge_of_many(m, error);
}
