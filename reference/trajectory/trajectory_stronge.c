/* The impact of one contact with friction by Stronge's law (W. J. Stronge, Proc. R. Soc. A 431 (1990) 169): the work of
 * the normal impulse in the expansion is -e^2 times that in the compression, and the sliding follows Coulomb's law all
 * the time.
 *
 * The normal impulse p is the time of the impact. With the force f per p in the tangent plane and A of the contact,
 * joints included,
 *     dw_n/dp = A_nn + A_nt f,   dw_t/dp = A_tn + A_tt f,   dW/dp = w_n,
 * and f = -mu w_t / |w_t| where it slides, f_s = -A_tt^-1 A_tn where it sticks, |f_s| <= mu. The compression ends at
 * w_n = 0 with the work W_c < 0, the expansion at W = (1 - e^2) W_c.
 *
 * SLIDING is integrated in s, dp = |w_t| ds, where its equations have no singularity, by the integrator of the motion.
 * It stops as s goes to infinity: below 1e-14 of the speeds w_t is 0.
 *
 * AFTER A STOP the contact sticks if |f_s| <= mu. Otherwise it slides on along the u with (k + mu A_tt) u = A_tn, |u| =
 * 1, k > 0, which stays as it is; k is unique, since |u| falls with k. In both cases w_n is linear in p and W
 * quadratic, and the phases end in closed form. */
#include "parts.h"

#include <math.h>
#include <string.h>

enum { N, T, Q = 3, P = 5, WORK, UNKNOWNS, STEPS = 20000 };
static const double tolerance = 1e-15, stopped = 1e-14; /* against the largest speed before */

/* An impact on its way. */
typedef struct course {
    const trajectory_struck *of;
    double y[UNKNOWNS]; /* w_n, w_t, tangential impulses, p, W */
    double goal, fast;  /* W at the end of the expansion, NaN in compression; the largest speed before */
} course;

static bool slide_slope(void *context, const double *y, double *slope)
{
    const trajectory_struck *c = ((const course *)context)->of;
    const double *t = y + T, u = hypot(t[0], t[1]);
    slope[N] = c->A[0][0] * u - c->mu * (c->A[0][1] * t[0] + c->A[0][2] * t[1]);
    for (size_t k = 0; k < 2; k++) {
        slope[T + k] = c->A[1 + k][0] * u - c->mu * (c->A[1 + k][1] * t[0] + c->A[1 + k][2] * t[1]);
        slope[Q + k] = -c->mu * t[k];
    }
    slope[P] = u;
    slope[WORK] = y[N] * u;
    return true;
}

/* Whether the phase has ended at y: it rises through 0. */
static double phase_excess(const course *c, const double *y) { return isnan(c->goal) ? y[N] : y[WORK] - c->goal; }

/* Ends a phase; false after the expansion. */
static bool begin_expansion(course *c)
{
    if (!isnan(c->goal))
        return false;
    c->goal = (1.0 - c->of->e * c->of->e) * c->y[WORK];
    c->y[N] = 0.0;
    return true;
}

/* --- sliding --- */

/* A step of h from `from` into y; its error against the speeds. */
static double slide_step(course *c, const double *from, double h)
{
    double slope[UNKNOWNS], error[UNKNOWNS], work[TRAJECTORY_STEP_WORK * UNKNOWNS];
    memcpy(c->y, from, sizeof c->y);
    slide_slope(c, c->y, slope);
    trajectory_step(slide_slope, c, UNKNOWNS, h, slope, c->y, error, work);
    return fmax(fabs(error[N]), hypot(error[T], error[T + 1])) / c->fast;
}

/* The end of a phase within a step of h from `from`. */
static void locate_end(course *c, const double *from, double h)
{
    double low = 0.0, high = h;
    for (double at = 0.5 * h; at > low && at < high; at = 0.5 * (low + high)) {
        slide_step(c, from, at);
        if (phase_excess(c, c->y) >= 0.0)
            high = at;
        else
            low = at;
    }
    slide_step(c, from, high);
}

/* Until the sliding stops (true) or the impact ends, `ended`. False: neither is found. */
static bool slide_on(course *c, bool *ended)
{
    const trajectory_struck *of = c->of;
    double h = 0.1 / (of->mu * (of->A[1][1] + of->A[2][2]) + fabs(of->A[0][0])), from[UNKNOWNS];
    for (int step = 0; step < STEPS; step++) {
        if (hypot(c->y[T], c->y[T + 1]) <= stopped * c->fast) {
            c->y[T] = c->y[T + 1] = 0.0;
            return true;
        }
        memcpy(from, c->y, sizeof from);
        const double error = slide_step(c, from, h);
        if (error > tolerance) {
            memcpy(c->y, from, sizeof from);
            h *= fmax(0.2, 0.9 * pow(error / tolerance, -0.125));
            continue;
        }
        if (phase_excess(c, c->y) >= 0.0) {
            locate_end(c, from, h);
            *ended = !begin_expansion(c) || phase_excess(c, c->y) >= 0.0;
            if (*ended)
                return true;
        }
        h *= fmin(2.0, 0.9 * pow(fmax(error / tolerance, 1e-10), -0.125));
    }
    return false;
}

/* --- after a stop --- */

/* x of (k + mu A_tt) x = A_tn. */
static void balance(const trajectory_struck *c, double k, double mu, double x[2])
{
    const double a = k + mu * c->A[1][1], b = mu * c->A[1][2], d = k + mu * c->A[2][2], det = a * d - b * b;
    x[0] = (d * c->A[1][0] - b * c->A[2][0]) / det;
    x[1] = (a * c->A[2][0] - b * c->A[1][0]) / det;
}

static void force_after_stop(const trajectory_struck *c, double f[2])
{
    double u[2], low = 0.0, high = hypot(c->A[1][0], c->A[2][0]);
    balance(c, 0.0, 1.0, u);
    if (hypot(u[0], u[1]) > c->mu) {
        for (double k = 0.5 * high; k > low && k < high; k = 0.5 * (low + high)) {
            balance(c, k, c->mu, u);
            if (hypot(u[0], u[1]) > 1.0)
                low = k;
            else
                high = k;
        }
        u[0] *= c->mu, u[1] *= c->mu;
    }
    f[0] = -u[0], f[1] = -u[1];
}

/* The rest of the impact with a constant force; false: its phase has no end. */
static bool finish_straight(course *c)
{
    const trajectory_struck *of = c->of;
    double f[2];
    force_after_stop(of, f);
    const double rise = of->A[0][0] + of->A[0][1] * f[0] + of->A[0][2] * f[1];
    do {
        const double left = isnan(c->goal) ? 0.0 : c->goal - c->y[WORK], n = c->y[N];
        const double inside = n * n + 2.0 * rise * left;
        if (isnan(c->goal) ? !(rise > 0.0) : !(inside >= 0.0) || !(n + sqrt(inside) > 0.0 || left == 0.0))
            return false;
        const double p = isnan(c->goal) ? -n / rise : left > 0.0 ? 2.0 * left / (n + sqrt(inside)) : 0.0;
        for (size_t k = 0; k < 2; k++) {
            c->y[T + k] += p * (of->A[1 + k][0] + of->A[1 + k][1] * f[0] + of->A[1 + k][2] * f[1]);
            c->y[Q + k] += p * f[k];
        }
        c->y[WORK] += p * (n + 0.5 * rise * p);
        c->y[N] += rise * p;
        c->y[P] += p;
    } while (begin_expansion(c));
    return true;
}

bool trajectory_strike_stronge(const trajectory_struck *of, double impulse[3])
{
    course c = {.of = of, .y = {of->w[0], of->w[1], of->w[2]}, .goal = (double)NAN};
    c.fast = fmax(fabs(of->w[0]), hypot(of->w[1], of->w[2]));
    bool ended = false;
    if (!slide_on(&c, &ended) || (!ended && !finish_straight(&c)))
        return false;
    impulse[0] = c.y[P], impulse[1] = c.y[Q], impulse[2] = c.y[Q + 1];
    return true;
}
