/* A damped oscillator in closed form: in continuous time, under implicit Euler, under N substeps of it, under TGS.
 *
 * Both in continuous time and in steps, the state relative to the rest position f / kp is a sum of two exponentials,
 *     y <- c y + s (v + a y),   v <- c v - s (kp y / m + a v),   a = kd / (2 m)
 *
 * IN TIME: c = e^(-a t) cos(w t), s = e^(-a t) sin(w t) / w, w^2 = kp / m - a^2.
 *
 * SUBSTEPS. lib/simulation/schemes/small_steps.c:
 *     P = 1 / D [m + k kd, k m; -k kp, m],   D = m + k kd + k^2 kp
 *     P^n = r^n (cos(n t) 1 + sin(n t) / w [a, 1; -kp / m, -a]),   r^2 = det P = m / D,   tan t = k w / (1 + k a)
 * so c = r^n cos(n t), s = r^n sin(n t) / w.
 *
 * Overdamped, with the decay rates g = a + sqrt(a^2 - kp / m) and l = kp / m / g (the slower one, without the
 * cancellation of a difference): c and s are half the sum and the difference over g - l of e^(-l t) and e^(-g t), or of
 * (1 + k l)^-n and (1 + k g)^-n.
 *
 * TGS. Iteration n of a step moves C; the force of the whole step acts from the start (lib/simulation/schemes/tgs.c).
 * With v* = v + h f / m and d = 1 + h (T kp + kd) / m
 *     v_n = v* - (h / m) (kp (C_{n-1} + T v_n) + kd v_n) = (v* - (h kp / m) C_{n-1}) / d
 *     C_n = C_{n-1} + (h / N) v_n
 * v_n is 0 at the position R = m v* / (h kp), where the impulse of the spring equals the momentum m v*. Relative to it,
 * with s = h kp / (m d),
 *     C_n - R = a^n (C_0 - R),   a = 1 - h s / N,   v_N = -s a^{N-1} (C_0 - R)
 * So C relaxes towards R, which is far away where h^2 kp << m, and N = 1 with T = h is implicit Euler. det P =
 * a^{N-1} / d.
 */
#include "spring/parts.h"

#include <complex.h>
#include <math.h>

double dls_spring_critical(double m, double kp) { return 2.0 * sqrt(kp * m); }

/* c and s after n steps of length k of implicit Euler; after the time n k itself where `steps` is false. */
static void decays(const dls_spring_mass *m, double k, double n, bool steps, double *c, double *s)
{
    double a = 0.5 * m->kd / m->m, square = m->kp / m->m - a * a, w = sqrt(fabs(square));
    if (square >= 0.0) {
        double left = exp(steps ? -0.5 * n * log1p(k * (m->kd + k * m->kp) / m->m) : -a * n * k);
        double angle = n * (steps ? atan(k * w / (1.0 + k * a)) : k * w);
        *c = left * cos(angle);
        *s = left * (w > 0.0 ? sin(angle) / w : n * k / (steps ? 1.0 + k * a : 1.0));
        return;
    }
    double fast = a + w, slow = m->kp / m->m / fast;
    double left = exp(-n * (steps ? log1p(k * slow) : k * slow));
    double apart = 2.0 * n * w * k; /* of the two exponents */
    if (steps)
        apart = n * log1p(2.0 * w * k / (1.0 + k * slow));
    *c = 0.5 * left * (1.0 + exp(-apart));
    *s = -0.5 * left * expm1(-apart) / w;
}

static double displacement(const dls_spring_mass *m, double c, double s)
{
    double rest = m->f / m->kp, y = m->C - rest;
    return rest + c * y + s * (m->v + 0.5 * m->kd / m->m * y);
}

double dls_spring_exact(const dls_spring_mass *s, double time)
{
    double cosine, sine;
    decays(s, time, 1.0, false, &cosine, &sine);
    return displacement(s, cosine, sine);
}

void dls_spring_implicit(const dls_spring_mass *s, long double h, long double *C, long double *v)
{
    *v = (s->m * *v + h * (s->f - s->kp * *C)) / (s->m + h * s->kd + h * h * s->kp);
    *C += h * *v;
}

void dls_spring_after(const dls_spring_mass *s, double k, size_t n, double *C, double *v)
{
    double cosine, sine;
    decays(s, k, (double)n, true, &cosine, &sine);
    *C = displacement(s, cosine, sine);
    *v = cosine * s->v - sine * (s->kp * s->C - s->f + 0.5 * s->kd * s->v) / s->m;
}

void dls_spring_tgs(const dls_spring_mass *s, double h, size_t N, double T, double *C, double *v)
{
    double d = 1.0 + h * (T * s->kp + s->kd) / s->m, slope = h * s->kp / (s->m * d), n = (double)N;
    double R = (s->m * s->v + h * s->f) / (h * s->kp), log_a = log1p(-h * slope / n), start = s->C - R;
    *C = s->C + expm1(n * log_a) * start;
    *v = -slope * exp((n - 1.0) * log_a) * start;
}

void dls_spring_oscillator(double trace, double determinant, double h, double *w, double *ratio)
{
    double complex root = csqrt(0.25 * trace * trace - determinant);
    double complex one = clog(0.5 * trace + root) / h, two = clog(0.5 * trace - root) / h;
    *w = sqrt(cabs(one * two));
    *ratio = -0.5 * creal(one + two) / *w;
}
