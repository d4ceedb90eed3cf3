/* arithmetic_fault.h - whether compiler, options and processor compute as twofold.h assumes. Not installed.
 *
 * Options such as -funsafe-math-optimizations, or -fassociative-math with what it needs, let a compiler replace
 * (a + b) - a by b, which makes all error terms 0 and every certificate false, and define no macro that tells.
 * configure runs this function with the user's options, and the library when it is first used. */
#ifndef DELASSUS_REFERENCE_ARITHMETIC_FAULT_H
#define DELASSUS_REFERENCE_ARITHMETIC_FAULT_H

#include "twofold.h"

/* How to mend a fault. */
#define DLS_ARITHMETIC_MEND                                                                           \
    "compile delassus without -Ofast, -ffast-math, -funsafe-math-optimizations, -fassociative-math, " \
    "-freciprocal-math and -ffp-contract=fast"

/* NULL, or the fault in words. All numbers are read from volatile memory, so that no compiler knows the results; each
 * result is written there, so that it is a double. */
static inline const char *dls_arithmetic_fault(void)
{
    volatile const double zero = 0.0, one = 1.0, ten = 10.0, half_u = 0x1p-53, more_u = 0x1.8p-53, least = DBL_MIN,
                          subnormal = 0x1p-1074, wide = 0x1p900, large = 1e16, small = 1.2345678, odd = 0x1.0000001p0,
                          ulp = 0x1.0000000000001p0;
    volatile double up = one + more_u, tie = one + half_u, down = -one - more_u, half = 0.5 * least,
                    scaled = wide * subnormal, nan = zero / zero, third = 5.0 * one / 3.0, tenth = one / ten;
    if (!(up == 0x1.0000000000001p0 && tie == 1.0 && down == -0x1.0000000000001p0))
        return "sums are not rounded to the nearest double";
    if (!(half == 0x1p-1023 && scaled == 0x1p-174))
        return "subnormal numbers are replaced by 0";
    if (!isnan(nan) || nan <= 1.0 || !isinf(one / zero))
        return "infinity and NaN are not recognised";
    if (!(third == 0x1.aaaaaaaaaaaabp0 && tenth == 0.1 && sqrt(2.0 * one) == 0x1.6a09e667f3bcdp0))
        return "quotients, roots or constants are not the nearest doubles";

    dls_twofold sum = dls_two_sum(large, small), swapped = dls_two_sum(small, large), minus = dls_two_sum(-large, one);
    if (!(sum.high == 10000000000000002.0 && sum.low == small - 2.0 && swapped.high == sum.high &&
          swapped.low == sum.low && minus.high == -large && minus.low == 1.0))
        return "sums are reordered: the error term of a sum is lost";
    dls_twofold product = dls_two_product(odd, odd), square = dls_two_product(ulp, ulp), halves = dls_cut(ulp);
    if (!(product.high == 0x1.0000002p0 && product.low == 0x1p-56 && square.high == 0x1.0000000000002p0 &&
          square.low == 0x1p-104 && halves.high == 1.0 && halves.low == 0x1p-52))
        return "the error term of a product is lost";
    dls_twofold_sum total = {0};
    double error;
    dls_sum_add(&total, large);
    dls_sum_add_product(&total, odd, odd);
    dls_sum_add(&total, -large);
    if (!(dls_sum_value(&total, &error) == 0x1.0000002p0 && error >= 0x1p-56 && error <= 1e-15))
        return "sums in twice the precision are wrong";
    if (!(dls_up(one, 0) > one && dls_up(zero, 0) > 0.0 && dls_gamma(1) > dls_unit_roundoff &&
          dls_root_up(2.0 * one, 0) > 0x1.6a09e667f3bcdp0))
        return "bounds are not rounded upwards";
    return NULL;
}

#endif
