/* Anderson's acceleration (D. G. Anderson, "Iterative procedures for nonlinear integral equations" (1965); H. F. Walker
 * and P. Ni, "Anderson acceleration for fixed-point iterations" (2011)), for unknowns that are not negative.
 *
 * With changes g_k = G(s_k) - s_k, the next iterate from s = s_0 and the last ones s_1, s_2, ... is
 *     s + beta r - sum_k gamma_k (s - s_k),    r = g - sum_k gamma_k (g - g_k),   |r| least,
 * which is a quasi-Newton step on the space of the last iterates, and the damped iteration s + beta g across it:
 * damping by 1/2 makes the cycles of two of a factor near -1 vanish. r comes from Gram and Schmidt's process in its
 * modified form, without differences that depend on the newer ones.
 *
 * An entry goes neither below half of the smaller one of s and G(s) nor above twice the larger one: where an
 * extrapolation would end at a bound, it stays near the iteration itself. */
#include "mixing.h"

#include <math.h>
#include <string.h>

static const double independent = 1e-6;

void dls_mixing_take(dls_arena *memory, size_t n, dls_mixing *mixing)
{
    *mixing = (dls_mixing){.n = n, .rest = DLS_TAKE(memory, double, n)};
    for (size_t k = 0; k <= DLS_MIXING_DEPTH; k++)
        mixing->s[k] = DLS_TAKE(memory, double, n), mixing->g[k] = DLS_TAKE(memory, double, n);
    for (size_t k = 0; k < DLS_MIXING_DEPTH; k++)
        mixing->q[k] = DLS_TAKE(memory, double, n);
}

void dls_mixing_restart(dls_mixing *mixing) { mixing->known = 0; }

static double dot(size_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Puts s and g in front of the others. */
static void remember(dls_mixing *x, const double *s, const double *G)
{
    double *first_s = x->s[DLS_MIXING_DEPTH], *first_g = x->g[DLS_MIXING_DEPTH];
    for (size_t k = DLS_MIXING_DEPTH; k > 0; k--)
        x->s[k] = x->s[k - 1], x->g[k] = x->g[k - 1];
    x->s[0] = first_s, x->g[0] = first_g;
    for (size_t i = 0; i < x->n; i++) {
        first_s[i] = s[i];
        first_g[i] = G[i] - s[i];
    }
}

/* r in `rest`, and gamma of each older iterate. */
static void explain_change(dls_mixing *x, double gamma[DLS_MIXING_DEPTH])
{
    double R[DLS_MIXING_DEPTH][DLS_MIXING_DEPTH], along[DLS_MIXING_DEPTH], of[DLS_MIXING_DEPTH];
    size_t which[DLS_MIXING_DEPTH], used = 0;
    memset(gamma, 0, DLS_MIXING_DEPTH * sizeof *gamma);
    memcpy(x->rest, x->g[0], x->n * sizeof *x->rest);
    for (size_t k = 1; k <= x->known; k++) {
        double *q = x->q[used];
        for (size_t i = 0; i < x->n; i++)
            q[i] = x->g[0][i] - x->g[k][i];
        const double before = sqrt(dot(x->n, q, q));
        for (size_t l = 0; l < used; l++) {
            R[l][used] = dot(x->n, x->q[l], q);
            for (size_t i = 0; i < x->n; i++)
                q[i] -= R[l][used] * x->q[l][i];
        }
        const double size = sqrt(dot(x->n, q, q));
        if (!(size > independent * before))
            continue;
        R[used][used] = size;
        for (size_t i = 0; i < x->n; i++)
            q[i] /= size;
        along[used] = dot(x->n, q, x->rest);
        for (size_t i = 0; i < x->n; i++)
            x->rest[i] -= along[used] * q[i];
        which[used++] = k;
    }
    for (size_t k = used; k-- > 0;) {
        of[k] = along[k];
        for (size_t l = k + 1; l < used; l++)
            of[k] -= R[k][l] * of[l];
        of[k] /= R[k][k];
        gamma[which[k] - 1] = of[k];
    }
}

void dls_mixing_next(dls_mixing *x, double share, const double *s, const double *G, double *next)
{
    double gamma[DLS_MIXING_DEPTH];
    remember(x, s, G);
    explain_change(x, gamma);
    for (size_t i = 0; i < x->n; i++) {
        const double here = x->s[0][i], there = here + x->g[0][i];
        double at = here + share * x->rest[i];
        for (size_t k = 0; k < x->known; k++)
            at -= gamma[k] != 0.0 ? gamma[k] * (here - x->s[k + 1][i]) : 0.0;
        next[i] = fmin(fmax(at, 0.5 * fmin(here, there)), 2.0 * fmax(here, there));
    }
    x->known = x->known < DLS_MIXING_DEPTH ? x->known + 1 : x->known;
}
