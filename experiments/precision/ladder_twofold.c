/* Sweeps with sums of two doubles, high + low, of 106 bits (T. J. Dekker, Numer. Math. 18 (1971)); coefficients are
 * doubles, exact. The relative error of an operation is below 2^-103. */
#include "twofold.h"

#define COEF double
#define SUM dls_twofold

static dls_twofold normalise(double high, double low)
{
    const double sum = high + low;
    return (dls_twofold){sum, low - (sum - high)};
}

static dls_twofold add(dls_twofold x, dls_twofold y)
{
    const dls_twofold high = dls_two_sum(x.high, y.high), low = dls_two_sum(x.low, y.low);
    const dls_twofold sum = normalise(high.high, high.low + low.high);
    return normalise(sum.high, sum.low + low.low);
}

static dls_twofold multiply(dls_twofold x, double a)
{
    const dls_twofold high = dls_two_product(x.high, a);
    return normalise(high.high, high.low + x.low * a);
}

static dls_twofold subtract(dls_twofold x, dls_twofold y) { return add(x, (dls_twofold){-y.high, -y.low}); }

/* Two quotients of doubles: the second one of the remainder of the first. */
static dls_twofold divide(dls_twofold x, double a)
{
    const double quotient = x.high / a;
    const dls_twofold left = subtract(x, dls_two_product(quotient, a));
    return normalise(quotient, dls_twofold_value(left) / a);
}

#define FROM_DOUBLE(x) ((dls_twofold){(x), 0.0})
#define TO_DOUBLE(x) dls_twofold_value(x)
#define ADD_PRODUCT(sum, x, a) add(sum, multiply(x, a))
#define SUBTRACT(x, y) subtract(x, y)
#define DIVIDE(x, a) divide(x, a)
#include "precision/ladder_kernel.h"

const dls_ladder_rung dls_ladder_twofold = {"double-double", 0.0, 0x1p-103, run_sweeps};
