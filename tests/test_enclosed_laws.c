/* The closed forms against which simulations are held, themselves held against enclosures: each law is evaluated once
 * more from its definition (a matrix exponential, a matrix power, an iteration, an elliptic or a Fresnel integral), in
 * balls that contain the exact value (F. Johansson, "Arb", IEEE Trans. Comput. 66 (2017)). The law in double precision
 * may be off by its own rounding and by nothing else. */
#include "curves.h"

#include "coherence/parts.h"
#include "spring/parts.h"

#ifdef DLS_FLINT_HAS_ARB
#include <flint/acb_elliptic.h>
#include <flint/acb_poly.h>
#include <flint/arb_hypgeom.h>
#include <flint/arb_mat.h>
#else
#include <acb_elliptic.h>
#include <acb_poly.h>
#include <arb_hypgeom.h>
#include <arb_mat.h>
#endif

enum { BITS = 256, MORE_BITS = 2048 /* for an iteration, whose balls grow */ };

/* The greatest distance of `value` from a number of the ball x, which has to be far smaller than `scale`. */
static double distance_to(const arb_t x, double value, double scale)
{
    arb_t d;
    arb_init(d);
    arb_set_d(d, value);
    arb_sub(d, d, x, BITS);
    assert_true(arb_is_finite(d));
    assert_below(mag_get_d(arb_radref(x)), 1e-25 * scale);
    mag_t most;
    mag_init(most);
    arb_get_mag(most, d);
    double distance = mag_get_d(most);
    mag_clear(most);
    arb_clear(d);
    return distance;
}

/* --- the damped oscillator --- */

/* About the rest position f / kp, the column (y, v). */
static void state_of(const dls_spring_mass *s, arb_t rest, arb_mat_t x)
{
    arb_set_d(rest, s->f);
    arb_t kp;
    arb_init(kp);
    arb_set_d(kp, s->kp);
    arb_div(rest, rest, kp, BITS);
    arb_set_d(arb_mat_entry(x, 0, 0), s->C);
    arb_sub(arb_mat_entry(x, 0, 0), arb_mat_entry(x, 0, 0), rest, BITS);
    arb_set_d(arb_mat_entry(x, 1, 0), s->v);
    arb_clear(kp);
}

/* [0, 1; -kp / m, -kd / m] */
static void generator(const dls_spring_mass *s, arb_mat_t F)
{
    arb_mat_zero(F);
    arb_one(arb_mat_entry(F, 0, 1));
    for (int j = 0; j < 2; j++) {
        arb_t m;
        arb_init(m);
        arb_set_d(m, -s->m);
        arb_set_d(arb_mat_entry(F, 1, j), j == 0 ? s->kp : s->kd);
        arb_div(arb_mat_entry(F, 1, j), arb_mat_entry(F, 1, j), m, BITS);
        arb_clear(m);
    }
}

/* x <- P x */
static void apply(const arb_mat_t P, arb_mat_t x) { arb_mat_mul(x, P, x, BITS); }

/* Amplitude of C and of v that an oscillator of these has at most, as if it were undamped. */
static double amplitude(const dls_spring_mass *s)
{
    double w = sqrt(s->kp / s->m);
    return fabs(s->C) + fabs(s->f) / s->kp + fabs(s->v) / w;
}

static const double ratios[] = {0.0, 0.2, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 1.7, 40.0};
enum { RATIOS = sizeof ratios / sizeof ratios[0] };

static dls_spring_mass oscillator(double kp, double ratio)
{
    return (dls_spring_mass){
        .m = 0.7, .kp = kp, .kd = ratio * dls_spring_critical(0.7, kp), .f = -3.0, .C = 0.3, .v = -1.1};
}

/* exp(F t); its phase w t is rounded, so the law is off by as many roundings. */
TEST(test_oscillator)
{
    static const double phases[] = {1e-6, 0.1, 1.0, 30.0, 1e3, 1e5};
    double worst = 0.0;
    arb_mat_t P, x;
    arb_t rest, t;
    arb_mat_init(P, 2, 2), arb_mat_init(x, 2, 1), arb_init(rest), arb_init(t);
    for (double kp = 1.0; kp < 2e8; kp *= 100.0)
        for (int r = 0; r < RATIOS; r++)
            for (size_t p = 0; p < sizeof phases / sizeof phases[0]; p++) {
                const dls_spring_mass s = oscillator(kp, ratios[r]);
                const double time = phases[p] / sqrt(s.kp / s.m), scale = amplitude(&s);
                state_of(&s, rest, x);
                generator(&s, P);
                arb_set_d(t, time);
                arb_mat_scalar_mul_arb(P, P, t, 4 * BITS);
                arb_mat_exp(P, P, 4 * BITS);
                apply(P, x);
                arb_add(rest, rest, arb_mat_entry(x, 0, 0), BITS);
                double off = distance_to(rest, dls_spring_exact(&s, time), scale) / (scale * (1.0 + phases[p]));
                worst = fmax(worst, off);
                if (!(off < 4.0 * DBL_EPSILON))
                    fail_msg("kp %g, damping %g, phase %g: off by %g of the amplitude a radian", kp, ratios[r],
                             phases[p], off);
            }
    print_message("# oscillator: %.2g roundings a radian at most\n", worst / DBL_EPSILON);
    arb_mat_clear(P), arb_mat_clear(x), arb_clear(rest), arb_clear(t);
}

/* The matrix of one step of implicit Euler of length k,
 * 1 / D [m + k kd, k m; -k kp, m] with D = m + k kd + k^2 kp. */
static void implicit_matrix(const dls_spring_mass *s, double step, arb_mat_t P)
{
    arb_t m, k, kp, kd, D;
    arb_init(m), arb_init(k), arb_init(kp), arb_init(kd), arb_init(D);
    arb_set_d(m, s->m), arb_set_d(k, step), arb_set_d(kp, s->kp), arb_set_d(kd, s->kd);
    arb_set(D, kd);
    arb_addmul(D, k, kp, BITS);
    arb_mul(D, D, k, BITS);
    arb_add(D, D, m, BITS);
    arb_mul(arb_mat_entry(P, 0, 0), k, kd, BITS);
    arb_add(arb_mat_entry(P, 0, 0), arb_mat_entry(P, 0, 0), m, BITS);
    arb_mul(arb_mat_entry(P, 0, 1), k, m, BITS);
    arb_mul(arb_mat_entry(P, 1, 0), k, kp, BITS);
    arb_neg(arb_mat_entry(P, 1, 0), arb_mat_entry(P, 1, 0));
    arb_set(arb_mat_entry(P, 1, 1), m);
    arb_mat_scalar_div_arb(P, P, D, BITS);
    arb_clear(m), arb_clear(k), arb_clear(kp), arb_clear(kd), arb_clear(D);
}

/* P^n. Each step turns by less than w k, so n of them lose as many roundings as that has radians, and n of the decay.
 */
TEST(test_implicit_steps)
{
    static const size_t counts[] = {1, 2, 7, 100, 4001, 1000000};
    double worst = 0.0;
    arb_mat_t P, x;
    arb_t rest;
    arb_mat_init(P, 2, 2), arb_mat_init(x, 2, 1), arb_init(rest);
    for (double kp = 1.0; kp < 2e8; kp *= 100.0)
        for (int r = 0; r < RATIOS; r++)
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
                const dls_spring_mass s = oscillator(kp, ratios[r]);
                const double w = sqrt(s.kp / s.m), step = 1e-3, scale = amplitude(&s);
                double C, v, turns = 1.0 + fmin(w * step, DLS_PI) * (double)counts[c];
                state_of(&s, rest, x);
                implicit_matrix(&s, step, P);
                arb_mat_pow_ui(P, P, counts[c], 2 * BITS);
                apply(P, x);
                arb_add(rest, rest, arb_mat_entry(x, 0, 0), BITS);
                dls_spring_after(&s, step, counts[c], &C, &v);
                double off = fmax(distance_to(rest, C, scale), distance_to(arb_mat_entry(x, 1, 0), v, scale * w) / w) /
                             (scale * turns);
                worst = fmax(worst, off);
                if (!(off < 16.0 * DBL_EPSILON))
                    fail_msg("kp %g, damping %g, %zu steps: off by %g of the amplitude a radian", kp, ratios[r],
                             counts[c], off);
            }
    print_message("# implicit Euler: %.2g roundings a radian at most\n", worst / DBL_EPSILON);
    arb_mat_clear(P), arb_mat_clear(x), arb_clear(rest);
}

/* v_n = (v* - (h kp / m) C_{n-1}) / (1 + h (T kp + kd) / m) and C_n = C_{n-1} + (h / N) v_n, step by step; with x = h
 * kp / m and y = h kd / m. */
static void iterate_tgs(const dls_spring_mass *s, double h, size_t N, double T, arb_t C, arb_t v)
{
    arb_t x, y, d, free, part, m;
    arb_init(x), arb_init(y), arb_init(d), arb_init(free), arb_init(part), arb_init(m);
    arb_set_d(m, s->m);
    arb_set_d(part, h);
    arb_div(part, part, m, MORE_BITS); /* h / m */
    arb_set_d(x, s->kp), arb_mul(x, x, part, MORE_BITS);
    arb_set_d(y, s->kd), arb_mul(y, y, part, MORE_BITS);
    arb_set_d(free, s->f), arb_mul(free, free, part, MORE_BITS);
    arb_set_d(d, s->v), arb_add(free, free, d, MORE_BITS);
    arb_set_d(d, T), arb_mul(d, d, x, MORE_BITS), arb_add(d, d, y, MORE_BITS), arb_add_ui(d, d, 1, MORE_BITS);
    arb_set_d(part, h), arb_div_ui(part, part, N, MORE_BITS);
    arb_set_d(C, s->C);
    for (size_t n = 0; n < N; n++) {
        arb_mul(v, x, C, MORE_BITS);
        arb_sub(v, free, v, MORE_BITS);
        arb_div(v, v, d, MORE_BITS);
        arb_addmul(C, part, v, MORE_BITS);
    }
    arb_clear(x), arb_clear(y), arb_clear(d), arb_clear(free), arb_clear(part), arb_clear(m);
}

TEST(test_tgs)
{
    static const size_t counts[] = {1, 2, 9, 64, 1000};
    const double h = 1e-2;
    double worst = 0.0;
    arb_t C, v;
    arb_init(C), arb_init(v);
    for (double kp = 1.0; kp < 2e8; kp *= 100.0)
        for (int r = 0; r < RATIOS; r++)
            for (size_t c = 0; c < 2 * sizeof counts / sizeof counts[0]; c++) {
                const dls_spring_mass s = oscillator(kp, ratios[r]);
                const size_t N = counts[c / 2];
                const double T = c % 2 == 0 ? h : h / (double)N;
                const double speed = fabs(s.v) + h * (fabs(s.f) + s.kp * fabs(s.C)) / s.m;
                const double scale = fabs(s.C) + s.m * speed / (h * s.kp); /* the distance from the place R */
                double C_N, v_N;
                iterate_tgs(&s, h, N, T, C, v);
                dls_spring_tgs(&s, h, N, T, &C_N, &v_N);
                double off = fmax(distance_to(C, C_N, scale) / scale, distance_to(v, v_N, speed) / speed);
                worst = fmax(worst, off);
                if (!(off < 16.0 * DBL_EPSILON))
                    fail_msg("kp %g, damping %g, N = %zu, T = %g: off by %g", kp, ratios[r], N, T, off);
            }
    print_message("# TGS: %.2g roundings at most\n", worst / DBL_EPSILON);
    arb_clear(C), arb_clear(v);
}

/* --- what a warm stack does: the largest root of a cubic --- */

TEST(test_coherence)
{
    double worst = 0.0;
    acb_poly_t cubic;
    arb_t largest, size, x;
    acb_poly_init(cubic), arb_init(largest), arb_init(size), arb_init(x);
    for (double erp = 0.05; erp < 1.0; erp += 0.05)
        for (double kappa = 0.01; kappa < 1.0; kappa += 0.03) {
            double growth, period;
            acb_ptr roots = _acb_vec_init(3);
            acb_poly_zero(cubic);
            acb_poly_set_coeff_si(cubic, 3, 1);
            acb_t entry;
            acb_init(entry);
            arb_ptr real = acb_realref(entry);
            arb_set_d(x, erp);
            for (slong power = 0; power < 3; power++) { /* kappa e, kappa (1 + 2 e), kappa (2 + e) */
                arb_mul_si(real, x, power == 1 ? 2 : 1, BITS);
                arb_add_si(real, real, power, BITS);
                arb_set_d(size, kappa);
                arb_mul(real, real, size, BITS);
                acb_poly_set_coeff_acb(cubic, power, entry);
            }
            assert_int_equal(acb_poly_find_roots(roots, cubic, NULL, 0, BITS), 3);
            arb_zero(largest);
            for (int k = 0; k < 3; k++) { /* z = 1 + s */
                acb_add_ui(roots + k, roots + k, 1, BITS);
                acb_abs(size, roots + k, BITS);
                arb_max(largest, largest, size, BITS);
            }
            dls_coherence_law(kappa, erp, &growth, &period);
            worst = fmax(worst, distance_to(largest, growth, growth) / growth);
            acb_clear(entry);
            _acb_vec_clear(roots, 3);
        }
    print_message("# growth of a warm stack: %.2g roundings at most\n", worst / DBL_EPSILON);
    assert_below(worst, 64.0 * DBL_EPSILON);
    acb_poly_clear(cubic), arb_clear(largest), arb_clear(size), arb_clear(x);
}

/* --- the clothoid: Fresnel's integrals --- */

/* The angle g s^2 / 2 at the end of a curve from the origin along x: x + i y = sqrt(pi / g) (C(z) + i S(z)), z = s
 * sqrt(g / pi). */
TEST(test_clothoid)
{
    static const double ends[] = {0.02, 0.2, 1.0, 4.0}; /* g */
    double worst = 0.0;
    arb_t z, scale, g, x, y;
    arb_init(z), arb_init(scale), arb_init(g), arb_init(x), arb_init(y);
    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
        char settings[80];
        snprintf(settings, sizeof settings, "length=10; end_curvature=%.17g", 10.0 * ends[k]);
        dls_curve *curve = make_curve(&(curve_spec){"clothoid", "clothoid", settings, NULL, 0, NULL});
        arb_set_d(g, 10.0 * ends[k]), arb_div_ui(g, g, 10, BITS);
        arb_const_pi(scale, BITS), arb_div(scale, scale, g, BITS), arb_sqrt(scale, scale, BITS);
        for (int i = 0; i <= 100; i++) {
            const double s = 0.1 * i;
            dls_curve_point at;
            dls_curve_at(curve, s, &at);
            arb_set_d(z, s), arb_div(z, z, scale, BITS);
            arb_hypgeom_fresnel(y, x, z, 1, BITS);
            arb_mul(x, x, scale, BITS), arb_mul(y, y, scale, BITS);
            worst = fmax(worst, hypot(distance_to(x, at.P.x, 10.0), distance_to(y, at.P.y, 10.0)));
            assert_close(at.c, ends[k] * s, 2.0 * DBL_EPSILON * ends[k] * s);
        }
        dls_curve_destroy(curve);
    }
    print_message("# clothoid of 10 m: %.2g m at most\n", worst);
    assert_below(worst, 1e-14);
    arb_clear(z), arb_clear(scale), arb_clear(g), arb_clear(x), arb_clear(y);
}
