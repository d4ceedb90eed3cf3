/* The end of a phase of an impact: Newton's method within proximal iterations.
 *
 * Sweeps converge slowly where contacts depend on each other. In units in which the diagonal of A is 1 (one unit for
 * both tangents of a cone, the root of the largest eigenvalue of their A) the phase is F(p) = p - P(p - w) = 0, w = w0
 * + A p, with P the projection onto p_n >= least and onto the interval or disc of radius mu p_n of the CURRENT p_n. F
 * has the derivatives
 *     within the bounds        dF = A's row
 *     at a bound               dF = row of p - bound, with d(mu p_n) = mu dp_n
 *     outside the disc         F = p_t - mu p_n e, e = z / |z|, z = p_t - w_t:
 *                              dF = dp_t - mu e dp_n - (mu p_n / |z|) (1 - e e^T) (dp_t - dw_t)
 * (P. Alart, A. Curnier, 1991). Where contacts depend on each other these are singular; the proximal problem about the
 * last iterate p_k, w = w0 + A p + eps (p - p_k), is not, and its solution is one of the phase where p = p_k (R. T.
 * Rockafellar, 1976). If contacts contradict each other by the speed c, their impulses against each other grow by c /
 * eps in each iteration, up to the bounds that resolve the contradiction; so eps is ten times the size of F. A Newton
 * step is halved until |F| falls. The result is judged by F of the phase itself.
 */
#include "impact.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { STEPS = 40, HALVINGS = 12, PROXIMAL = 30 };

/* A phase in its own units: A (n x n), and F, J and their work. */
typedef struct scaled {
    const dls_impact *impact;
    size_t n;
    double *A, *J;                                                    /* n x n each */
    double *unit, *w0, *least, *p, *w, *F, *d, *next, *centre, *best; /* n each */
} scaled;

static double disc_stiffness(const dls_impact *m, size_t i)
{
    const double a = m->A[i * m->n + i], b = m->A[i * m->n + i + 1], c = m->A[(i + 1) * m->n + i + 1];
    return 0.5 * (a + c) + hypot(0.5 * (a - c), b);
}

static void put_units(const scaled *s)
{
    const dls_impact *m = s->impact;
    for (size_t i = 0; i < s->n; i++) {
        const bool cone = m->law[i] == DLS_LAW_CONE;
        const double a = cone ? disc_stiffness(m, m->normal[i] + 1) : m->A[i * s->n + i];
        s->unit[i] = a > 0.0 ? sqrt(a) : 1.0;
    }
}

/* F at p, and w; with J its derivatives. */
static double natural_map(const scaled *s, const double *p, bool derive)
{
    const dls_impact *m = s->impact;
    const size_t n = s->n;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        s->w[i] = s->w0[i];
        for (size_t j = 0; j < n; j++)
            s->w[i] += s->A[i * n + j] * p[j];
    }
    for (size_t i = 0; i < n; i++) {
        const size_t normal = m->normal[i];
        const double mu = m->mu[normal] * s->unit[i] / s->unit[normal], radius = fmax(0.0, mu * p[normal]);
        const bool dead = !(m->A[i * n + i] > 0.0) && m->law[i] != DLS_LAW_CONE;
        double *J = s->J + i * n, free = p[i] - s->w[i], e = 0.0, size = fabs(free);
        if (m->law[i] == DLS_LAW_CONE) {
            const size_t t = normal + 1;
            size = hypot(p[t] - s->w[t], p[t + 1] - s->w[t + 1]);
        }
        const bool inside = dead ? false : normal == i ? free > s->least[i] : size <= radius;
        if (derive)
            memset(J, 0, n * sizeof *J);
        if (inside) {
            s->F[i] = s->w[i];
            if (derive)
                memcpy(J, s->A + i * n, n * sizeof *J);
        } else if (dead || normal == i) {
            s->F[i] = dead ? p[i] : p[i] - s->least[i];
            if (derive)
                J[i] = 1.0;
        } else {
            e = size > 0.0 ? free / size : 0.0;
            s->F[i] = p[i] - radius * e;
            if (derive)
                J[i] = 1.0, J[normal] = -mu * e;
        }
        if (derive && !inside && m->law[i] == DLS_LAW_CONE && size > 0.0)
            for (size_t k = normal + 1; k <= normal + 2; k++) {
                const double other = (p[k] - s->w[k]) / size;
                const double share = radius / size * ((k == i ? 1.0 : 0.0) - e * other);
                J[k] -= share;
                for (size_t j = 0; j < n; j++)
                    J[j] += share * s->A[k * n + j];
            }
        sum += s->F[i] * s->F[i];
    }
    return sqrt(sum);
}

/* d = -J^-1 F by elimination with pivots, which overwrites J; false if J is singular. */
static bool newton_step(const scaled *s)
{
    const size_t n = s->n;
    double *J = s->J, *d = s->d;
    for (size_t i = 0; i < n; i++)
        d[i] = -s->F[i];
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            pivot = fabs(J[i * n + k]) > fabs(J[pivot * n + k]) ? i : pivot;
        if (!(fabs(J[pivot * n + k]) > 1e-14))
            return false;
        for (size_t j = k; j < n && pivot != k; j++) {
            const double other = J[k * n + j];
            J[k * n + j] = J[pivot * n + j], J[pivot * n + j] = other;
        }
        const double other = d[k];
        d[k] = d[pivot], d[pivot] = other;
        for (size_t i = k + 1; i < n; i++) {
            const double share = J[i * n + k] / J[k * n + k];
            for (size_t j = k; j < n && share != 0.0; j++)
                J[i * n + j] -= share * J[k * n + j];
            d[i] -= share * d[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++)
            d[k] -= J[k * n + j] * d[j];
        d[k] /= J[k * n + k];
    }
    return true;
}

/* Newton's method for one proximal problem, from p. */
static void solve_proximal(const scaled *s, double enough)
{
    double size = natural_map(s, s->p, true);
    for (size_t k = 0; k < STEPS && size > enough; k++) {
        double next = HUGE_VAL, length = 1.0;
        if (!newton_step(s))
            return;
        for (size_t half = 0; half < HALVINGS && !(next < (1.0 - 1e-4 * length) * size); half++) {
            length = half ? 0.5 * length : 1.0;
            for (size_t i = 0; i < s->n; i++)
                s->next[i] = s->p[i] + length * s->d[i];
            next = natural_map(s, s->next, false);
        }
        if (!(next < size))
            return;
        memcpy(s->p, s->next, s->n * sizeof *s->p);
        size = natural_map(s, s->p, true);
    }
}

double dls_impact_newton(const dls_impact *m, const double *w0, const double *least, double scale, double enough,
                         double *p)
{
    const size_t n = m->n;
    double *at = m->newton;
    scaled s = {.impact = m, .n = n, .A = at, .J = at + n * n};
    double **const vectors[] = {&s.unit, &s.w0, &s.least, &s.p, &s.w, &s.F, &s.d, &s.next, &s.centre, &s.best};
    at += 2 * n * n;
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++, at += n)
        *vectors[k] = at;
    put_units(&s);
    for (size_t i = 0; i < n; i++) {
        s.w0[i] = w0[i] / s.unit[i], s.least[i] = least[i] * s.unit[i], s.p[i] = p[i] * s.unit[i];
        for (size_t j = 0; j < n; j++)
            s.A[i * n + j] = m->A[i * n + j] / (s.unit[i] * s.unit[j]);
    }
    double size = natural_map(&s, s.p, false), least_size = size;
    memcpy(s.best, s.p, n * sizeof *s.best);
    for (size_t k = 0; k < PROXIMAL && least_size > enough * scale; k++) {
        const double nearness = fmax(1e-10, fmin(1e-3, 10.0 * size / scale)); /* eps */
        for (size_t i = 0; i < n; i++) {
            s.A[i * n + i] += nearness;
            s.w0[i] -= nearness * (s.centre[i] = s.p[i]);
        }
        solve_proximal(&s, 0.1 * enough * scale);
        for (size_t i = 0; i < n; i++) {
            s.A[i * n + i] -= nearness;
            s.w0[i] += nearness * s.centre[i];
        }
        size = natural_map(&s, s.p, false);
        if (size < least_size) {
            least_size = size;
            memcpy(s.best, s.p, n * sizeof *s.best);
        }
    }
    for (size_t i = 0; i < n; i++)
        p[i] = s.best[i] / s.unit[i];
    return least_size / scale;
}
