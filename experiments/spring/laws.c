/* A damped oscillator in closed form: in continuous time, under implicit Euler, under N substeps of it, under TGS.
 *
 * SUBSTEPS. lib/schemes/small_steps.c, about the rest position f / kp:
 *     P = 1 / D [m + k kd, k m; -k kp, m],   D = m + k kd + k^2 kp
 *     P^n = a_n P - det P a_{n-1} 1,   a_n = r^{n-1} sin(n t) / sin t,   r^2 = det P = m / D
 *     tan t = k sqrt(4 m kp - kd^2) / (2 m + k kd)
 * the last from 4 det P - (tr P)^2, without the cancellation of an arc cosine.
 *
 * TGS. Iteration n of a step moves C and has all of the step's force from the start (lib/schemes/tgs.c). With v* = v
 * + h f / m and d = 1 + h (T kp + kd) / m
 *     v_n = v* - (h / m) (kp (C_{n-1} + T v_n) + kd v_n) = (v* - (h kp / m) C_{n-1}) / d
 *     C_n = C_{n-1} + (h / N) v_n
 * v_n is 0 at the place R = m v* / (h kp), where the spring's impulse would be all of the momentum m v*. About it,
 * with s = h kp / (m d),
 *     C_n - R = a^n (C_0 - R),   a = 1 - h s / N,   v_N = -s a^{N-1} (C_0 - R)
 * So C relaxes towards R, which is far away where h^2 kp << m, and N = 1 with T = h is implicit Euler. det P =
 * a^{N-1} / d.
 */
#include "spring/parts.h"

#include <complex.h>
#include <math.h>

double dls_spring_critical(double m, double kp) { return 2.0 * sqrt(kp * m); }

/* sin(x) / x */
static double complex cardinal(double complex x)
{
    return cabs(x) < 1e-3 ? 1.0 - x * x / 6.0 * (1.0 - x * x / 20.0) : csin(x) / x;
}

double dls_spring_exact(const dls_spring_mass *s, double time)
{
    double rest = s->f / s->kp, a = 0.5 * s->kd / s->m, y = s->C - rest;
    double complex w = csqrt(s->kp / s->m - a * a) * time;
    return rest + exp(-a * time) * creal(y * ccos(w) + (s->v + a * y) * time * cardinal(w));
}

void dls_spring_implicit(const dls_spring_mass *s, long double h, long double *C, long double *v)
{
    *v = (s->m * *v + h * (s->f - s->kp * *C)) / (s->m + h * s->kd + h * h * s->kp);
    *C += h * *v;
}

/* a_n: log r = L, angle t. Two exponentials, neither of which grows; close to t = 0, where they cancel, a series. */
static double power_sum(double L, double complex t, double n)
{
    if (cabs(n * t) < 1e-3)
        return exp((n - 1.0) * L) * n * creal(cardinal(n * t) / cardinal(t));
    return creal((cexp((n - 1.0) * L + I * n * t) - cexp((n - 1.0) * L - I * n * t)) / (2.0 * I * csin(t)));
}

void dls_spring_after(const dls_spring_mass *s, double k, size_t n, double *C, double *v)
{
    double D = s->m + k * s->kd + k * k * s->kp, L = -0.5 * log1p(k * (s->kd + k * s->kp) / s->m), rest = s->f / s->kp,
           y = s->C - rest;
    double complex t = catan(k * csqrt(4.0 * s->m * s->kp - s->kd * s->kd) / (2.0 * s->m + k * s->kd));
    double a = power_sum(L, t, (double)n) / D, b = s->m / D * power_sum(L, t, (double)n - 1.0);
    *C = rest + a * ((s->m + k * s->kd) * y + k * s->m * s->v) - b * y;
    *v = a * (s->m * s->v - k * s->kp * y) - b * s->v;
}

void dls_spring_tgs(const dls_spring_mass *s, double h, size_t N, double T, double *C, double *v)
{
    double d = 1.0 + h * (T * s->kp + s->kd) / s->m, slope = h * s->kp / (s->m * d), n = (double)N;
    double R = (s->m * s->v + h * s->f) / (h * s->kp), a = 1.0 - h * slope / n, start = s->C - R;
    *C = s->C + expm1(n * log1p(-h * slope / n)) * start;
    *v = -slope * pow(a, n - 1.0) * start;
}

void dls_spring_seen(double trace, double determinant, double h, double *w, double *ratio)
{
    double complex root = csqrt(0.25 * trace * trace - determinant);
    double complex one = clog(0.5 * trace + root) / h, two = clog(0.5 * trace - root) / h;
    *w = sqrt(cabs(one * two));
    *ratio = -0.5 * creal(one + two) / *w;
}
