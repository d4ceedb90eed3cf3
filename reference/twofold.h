/* twofold.h - sums and products in twice the working precision, with bounds of their errors. Not installed.
 *
 * Error-free transformations: a + b = s + t (TwoSum, D. E. Knuth) and a b = p + r (TwoProduct by fma), s and p the
 * rounded results. CONTRACT (tests/test_twofold.c):
 *     TwoSum is exact for |a|, |b| < 2^1022, subnormal numbers included; for larger numbers it is exact, or t is NaN.
 *     TwoProduct is exact where p is finite and a b = 0 or |a b| >= 2^-969; below, |p + r - a b| <= 2^-1074. Where p is
 *     infinite, r is infinite or NaN.
 * They are shared by the certificates and by the last steps of direct methods (last_step.c).
 *
 * A sum of products kept as `high` + `low` is as good as if it were computed with 106 bits and then rounded (T. Ogita,
 * S. M. Rump, S. Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005), algorithm 5.8, Dot2Err): with N
 * terms, u = 2^-53 and E the computed sum of |t + r|,
 *     |result - exact| <= (u |result| + N u / (1 - 2 N u) E) / (1 - 2 u) + underflow.
 * The bound holds for every term order. Each term may lose 2^-1022 to underflow a few times.
 *
 * Long rows take their products by T. J. Dekker's method in its stead ("A floating-point technique for extending the
 * available precision", Numer. Math. 18 (1971)): each factor is cut into two halves of 26 bits, whose products are
 * exact. It needs no fma, which is a function call where the processor may not have the instruction, and runs in four
 * independent lanes. The cut overflows from 2^996 on, and gives NaN, never a wrong number.
 *
 * The evaluation must be in double and keep to the order as written, without contraction of a * b + c, which would undo
 * the cut; and in the default floating-point environment (base/arithmetic.h). arithmetic_fault.h tests both. */
#ifndef DELASSUS_REFERENCE_TWOFOLD_H
#define DELASSUS_REFERENCE_TWOFOLD_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "error bounds need IEEE 754 double arithmetic as written: compile without -Ofast, -ffast-math and -mfpmath=387"
#endif

/* u = 2^-53, half the distance from 1 to the next double. */
static const double dls_unit_roundoff = 0.5 * DBL_EPSILON;

/* x (1 - u)^-count and more, for a sum or product of non-negative numbers that was computed with at most `count`
 * roundings, of roots too where no square underflows. count < 2^40. */
static inline double dls_up(double x, size_t count)
{
    return x * (1.0 + (double)(count + 2) * DBL_EPSILON) + (double)(count + 1) * (4.0 * DBL_MIN);
}

/* At least gamma_k = k u / (1 - k u), what k roundings in a row make of a number; infinite where that says nothing. */
static inline double dls_gamma(size_t k)
{
    double ku = (double)k * dls_unit_roundoff;
    return ku < 0.01 ? dls_up(ku / (1.0 - ku), 3) : HUGE_VAL;
}

/* sqrt(square) and more, for a sum of products of non-negative numbers that was computed with at most `count`
 * roundings, of which any may underflow: a square that does hides a number of up to 2^-511. */
static inline double dls_root_up(double square, size_t count) { return dls_up(sqrt(dls_up(square, count)), 2); }

/* The Euclidean norm of numbers as they come, scale sqrt(sum), scale the largest of them: no square leaves the range of
 * a double, and with the numbers in other units, powers of two, the norm has the same digits. */
typedef struct dls_norm_sum {
    double scale, sum;
    size_t count;
} dls_norm_sum;

static inline void dls_norm_sum_add(dls_norm_sum *norm, double x)
{
    const bool largest = !(fabs(x) <= norm->scale);
    const double ratio = largest ? norm->scale / fabs(x) : norm->scale > 0.0 ? x / norm->scale : 0.0;
    norm->sum = largest ? 1.0 + norm->sum * (ratio * ratio) : norm->sum + ratio * ratio;
    norm->scale = largest ? fabs(x) : norm->scale;
    norm->count++;
}

/* At least the norm, of numbers with at most one rounding each. */
static inline double dls_norm_sum_value(const dls_norm_sum *norm)
{
    return dls_up(norm->scale * sqrt(norm->sum), 6 * norm->count + 8);
}

/* A number as high + low, high = fl(high + low). */
typedef struct dls_twofold {
    double high, low;
} dls_twofold;

static inline dls_twofold dls_two_sum(double a, double b)
{
    double s = a + b, z = s - a, from_a = a - (s - z), from_b = b - z;
    return (dls_twofold){s, from_a + from_b};
}

static inline dls_twofold dls_two_product(double a, double b)
{
    double p = a * b;
    return (dls_twofold){p, fma(a, b, -p)};
}

static inline double dls_twofold_value(dls_twofold x) { return x.high + x.low; }

/* x + d to about 106 bits. */
static inline dls_twofold dls_twofold_add(dls_twofold x, double d)
{
    dls_twofold s = dls_two_sum(x.high, d);
    return dls_two_sum(s.high, s.low + x.low);
}

/* A sum of products so far. */
typedef struct dls_twofold_sum {
    double high, low, size; /* the sum, its error, and the sum of the sizes of the errors */
    size_t count;           /* terms */
} dls_twofold_sum;

static inline void dls_sum_add(dls_twofold_sum *sum, double a)
{
    dls_twofold s = dls_two_sum(sum->high, a);
    sum->high = s.high;
    sum->low += s.low;
    sum->size += fabs(s.low);
    sum->count++;
}

static inline void dls_sum_add_product(dls_twofold_sum *sum, double a, double b)
{
    dls_twofold p = dls_two_product(a, b), s = dls_two_sum(sum->high, p.high);
    double t = s.low + p.low;
    sum->high = s.high;
    sum->low += t;
    sum->size += fabs(t);
    sum->count++;
}

static inline void dls_sum_add_twofold(dls_twofold_sum *sum, double a, dls_twofold x)
{
    dls_sum_add_product(sum, a, x.high);
    if (x.low != 0.0)
        dls_sum_add_product(sum, a, x.low);
}

/* The halves of x: x = upper + lower, exactly. */
static inline dls_twofold dls_cut(double x)
{
    double wide = 134217729.0 * x, beyond = wide - x, upper = wide - beyond;
    return (dls_twofold){upper, x - upper};
}

/* Numbers of twice the precision as factors of many products. */
typedef struct dls_factors {
    double *high, *upper, *lower, *low; /* high = upper + lower, the halves; the number is high + low */
} dls_factors;

static inline void dls_factors_set(const dls_factors *x, size_t j, dls_twofold value)
{
    dls_twofold halves = dls_cut(value.high);
    x->high[j] = value.high, x->low[j] = value.low;
    x->upper[j] = halves.high, x->lower[j] = halves.low;
}

/* sum += a_0 x_first + ... + a_(n-1) x_(first+n-1). The products with x.low are rounded: their errors are u^2 of the
 * terms, and counted as roundings of the sum's low part. (twofold.c) */
void dls_sum_add_dot(dls_twofold_sum *sum, size_t n, const double *a, const dls_factors *x, size_t first);

/* The sum, and a bound of its error. */
static inline double dls_sum_value(const dls_twofold_sum *sum, double *error)
{
    double value = sum->high + sum->low;
    double bound = dls_unit_roundoff * fabs(value) + dls_gamma(2 * sum->count + 2) * sum->size;
    *error = dls_up(bound, 8) + 16.0 * (double)sum->count * DBL_MIN;
    return value;
}

#endif
