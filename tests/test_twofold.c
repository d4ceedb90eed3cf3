/* TwoSum and TwoProduct, on which the last steps of direct methods and all certificates stand, against exact
 * arithmetic: the contract of reference/twofold.h on random pairs of every size. */
#include "twofold.h"

#ifdef DLS_FLINT_HAS_ARB
#include <flint/arf.h>
#else
#include <arf.h>
#endif

#include "check.h"
#include "draws.h"

static const double least = 0x1p-1074;

/* A double of any kind: random bits, few bits, all bits, a power of two and its neighbours; the exponent in [low,
 * high], subnormal below -1022. */
static double draw_double(int low, int high)
{
    const uint64_t bits = draw_next() >> 12, kinds[] = {bits, bits, bits & (bits << 26), bits & ~(uint64_t)0x3ffffff,
                                                        0,    1,    (1ull << 52) - 1,    (1ull << 52) - 2};
    const double mantissa = 1.0 + (double)kinds[draw_next() % 8] * 0x1p-52;
    return any_sign(ldexp(mantissa, draw(low, high)));
}

static int in_range(int exponent) { return exponent < -1074 ? -1074 : exponent > 1023 ? 1023 : exponent; }

typedef struct pair {
    double a, b;
} pair;

/* Pairs for sums: of any two sizes, of nearby sizes, which cancel, and of the largest and smallest numbers. */
static pair draw_terms(uint64_t k)
{
    pair p = {draw_double(-1074, 1023), draw_double(-1074, 1023)};
    const int exponent = ilogb(p.a);
    switch (k % 8) {
    case 0:
        return p;
    case 1:
        p.b = -p.a * (1.0 + draw(-4, 4) * DBL_EPSILON);
        break;
    case 2:
        p.a = draw_double(-1074, -1000), p.b = draw_double(-1074, -1000);
        break;
    case 3:
        p.a = draw_double(970, 1023), p.b = draw_double(900, 1023);
        break;
    default:
        p.b = draw_double(in_range(exponent - 110), in_range(exponent + 110));
    }
    return p;
}

/* Pairs for products: mostly at the limit of 2^-969, below it, and at the end of the range. */
static pair draw_factors(uint64_t k)
{
    static const int from[] = {-1100, -980, -1030, 1000, -1140, -968, -400, -1075},
                     to[] = {-960, -960, -1015, 1025, 1025, 1020, 400, -1070};
    pair p = {draw_double(-1074, 1023), 0.0};
    const int exponent = in_range(draw(from[k % 8], to[k % 8]) - ilogb(p.a));
    p.b = draw_double(exponent, exponent);
    return p;
}

/* x = high + low, exactly. */
static void add_exactly(arf_t x, arf_t spare, dls_twofold sum)
{
    arf_set_d(x, sum.high), arf_set_d(spare, sum.low);
    arf_add(x, x, spare, ARF_PREC_EXACT, ARF_RND_DOWN);
}

static void fail_pair(const char *what, pair p, dls_twofold got)
{
    fail_msg("%s of %a and %a is not %a + %a", what, p.a, p.b, got.high, got.low);
}

TEST(test_contract)
{
    const uint64_t pairs = 10000000 / check_one_of(10, "pairs of numbers");
    arf_t a, b, exact, got;
    arf_init(a), arf_init(b), arf_init(exact), arf_init(got);
    draw_seed(1);
    for (uint64_t k = 0; k < pairs; k++) {
        const pair terms = draw_terms(k), factors = draw_factors(k);
        const dls_twofold sum = dls_two_sum(terms.a, terms.b), product = dls_two_product(factors.a, factors.b);
        arf_set_d(a, terms.a), arf_set_d(b, terms.b);
        arf_add(exact, a, b, ARF_PREC_EXACT, ARF_RND_DOWN);
        if (isfinite(sum.high) && isfinite(sum.low)) {
            add_exactly(got, b, sum);
            if (arf_get_d(exact, ARF_RND_NEAR) != sum.high || !arf_equal(got, exact))
                fail_pair("the sum", terms, sum);
        } else if (isfinite(sum.low) || fmax(fabs(terms.a), fabs(terms.b)) < 0x1p1022) {
            fail_pair("the sum", terms, sum);
        }
        arf_set_d(a, factors.a), arf_set_d(b, factors.b);
        arf_mul(exact, a, b, ARF_PREC_EXACT, ARF_RND_DOWN);
        if (isfinite(product.high)) {
            const double limit = arf_cmpabs_2exp_si(exact, -969) >= 0 ? 0.0 : least;
            add_exactly(got, b, product);
            arf_sub(got, got, exact, ARF_PREC_EXACT, ARF_RND_DOWN);
            if (arf_cmpabs_d(got, limit) > 0)
                fail_pair("the product", factors, product);
        } else if (isfinite(product.low)) {
            fail_pair("the product", factors, product);
        }
    }
    arf_clear(a), arf_clear(b), arf_clear(exact), arf_clear(got);
}
