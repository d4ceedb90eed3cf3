/* Long dot products in twice the working precision (twofold.h), in four lanes, by the widest instructions that the
 * processor has: the bits are the same. */
#include "twofold.h"

#include "base/widest.h"

#include <stdint.h>

typedef double lanes __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t lane_bits __attribute__((vector_size(32), aligned(8), may_alias));

#define SIZE(x) ((lanes)(INT64_MAX & (lane_bits)(x)))

/* Sums of products: of the results, of their errors, and of the sizes of these. */
typedef struct lane_sums {
    lanes high, low, size;
} lane_sums;

static inline __attribute__((always_inline)) void add_products(lane_sums *sum, const double *a, const dls_factors *x,
                                                               size_t j)
{
    const lanes c = *(const lanes *)a, X = *(const lanes *)(x->high + j), U = *(const lanes *)(x->upper + j),
                L = *(const lanes *)(x->lower + j);
    const lanes wide = 134217729.0 * c, beyond = wide - c, upper = wide - beyond, lower = c - upper;
    const lanes p = c * X, uu = upper * U, ul = upper * L, lu = lower * U, ll = lower * L;
    const lanes rest = c * *(const lanes *)(x->low + j), r = (((uu - p) + ul) + lu) + ll;
    const lanes s = sum->high + p, z = s - sum->high, from_high = sum->high - (s - z), from_p = p - z;
    const lanes t = (from_high + from_p) + r;
    sum->high = s;
    sum->low += t + rest;
    sum->size += SIZE(t) + SIZE(rest);
}

/* The products of full lanes; how many. */
static inline __attribute__((always_inline)) size_t add_lanes(dls_twofold_sum *sum, size_t n, const double *a,
                                                              const dls_factors *x, size_t first)
{
    lane_sums lane = {{0}, {0}, {0}};
    size_t at = 0;
    for (; at + 4 <= n; at += 4)
        add_products(&lane, a + at, x, first + at);
    for (size_t k = 0; k < 4; k++) {
        dls_sum_add(sum, lane.high[k]);
        sum->low += lane.low[k];
        sum->size += lane.size[k];
        sum->count++;
    }
    sum->count += 2 * at;
    return at;
}

static size_t add_lanes_plain(dls_twofold_sum *sum, size_t n, const double *a, const dls_factors *x, size_t first)
{
    return add_lanes(sum, n, a, x, first);
}

#ifdef HAVE_TARGET_ATTRIBUTE
__attribute__((target("avx2"))) static size_t add_lanes_avx2(dls_twofold_sum *sum, size_t n, const double *a,
                                                             const dls_factors *x, size_t first)
{
    return add_lanes(sum, n, a, x, first);
}
#endif

void dls_sum_add_dot(dls_twofold_sum *sum, size_t n, const double *a, const dls_factors *x, size_t first)
{
    for (size_t at = DLS_WIDEST(add_lanes)(sum, n, a, x, first); at < n; at++)
        dls_sum_add_twofold(sum, a[at], (dls_twofold){x->high[first + at], x->low[first + at]});
}
