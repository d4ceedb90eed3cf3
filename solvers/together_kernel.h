/* together_kernel.h - a sweep over the rows of together.h, included after sweep_kernel.h once for each instruction set.
 *     SWEEP_AVX512    where vectors of eight doubles are registers
 * The operations of every lane are those of row_of for one problem. */
#include "together.h"

#ifdef SWEEP_AVX512
typedef double wide __attribute__((vector_size(64)));
#define WIDE_RAISE(low, x) ((wide)_mm512_max_pd((__m512d)(low), (__m512d)(x)))
#define WIDE_LOWER(high, x) ((wide)_mm512_min_pd((__m512d)(high), (__m512d)(x)))
#else
typedef vec wide;
#define WIDE_RAISE(low, x) RAISE(low, x)
#define WIDE_LOWER(high, x) LOWER(high, x)
#endif
enum { HALVES = DLS_TOGETHER / (sizeof(wide) / sizeof(double)) };

/* J y in the sums of row_of. One or two entries need no more than one sum: all others are 0. */
INLINE void products(const dls_together_entry *entry, uint32_t count, const wide *J, const wide *y, wide out[HALVES])
{
    const wide zero = {0.0};
    UNROLL
    for (unsigned h = 0; h < HALVES; h++)
        out[h] = zero + J[h] * y[HALVES * entry[0].y + h];
    if (count == 1)
        return;
    if (count == 2) {
        UNROLL
        for (unsigned h = 0; h < HALVES; h++)
            out[h] += J[HALVES + h] * y[HALVES * entry[1].y + h];
        return;
    }
    wide sum[2 * DLS_LANES][HALVES] = {{{0.0}}};
    for (uint32_t k = 0; k < count; k++)
        for (unsigned h = 0; h < HALVES; h++)
            sum[entry[k].sum][h] += J[HALVES * k + h] * y[HALVES * entry[k].y + h];
    UNROLL
    for (unsigned h = 0; h < HALVES; h++) {
        UNROLL
        for (unsigned k = 0; k < DLS_LANES; k++)
            sum[k][h] += sum[k + DLS_LANES][h];
        out[h] = (sum[0][h] + sum[1][h]) + (sum[2][h] + sum[3][h]);
    }
}

/* The new impulses of a row, and their changes. */
INLINE void step_together(const wide *head, const wide *normal, wide *lambda, const wide w[HALVES], wide delta[HALVES])
{
    const wide zero = {0.0};
    UNROLL
    for (unsigned h = 0; h < HALVES; h++) {
        const wide residual =
            w[h] + head[HALVES * DLS_TOGETHER_GAMMA + h] * lambda[h] - head[HALVES * DLS_TOGETHER_C + h];
        wide lo = head[HALVES * DLS_TOGETHER_LO + h], hi = head[HALVES * DLS_TOGETHER_HI + h];
        if (normal) {
            hi = head[HALVES * DLS_TOGETHER_MU + h] * WIDE_RAISE(normal[h], zero);
            lo = -hi;
        }
        const wide to = WIDE_LOWER(hi, WIDE_RAISE(lo, lambda[h] - head[HALVES * DLS_TOGETHER_S + h] * residual));
        delta[h] = to - lambda[h];
        lambda[h] = to;
    }
}

INLINE void row_together(const dls_together *t, const dls_together_row *row)
{
    const wide *head = (const wide *)(const void *)(t->coef.at + row->coef), *J = head + HALVES * DLS_TOGETHER_HEAD;
    wide *y = (wide *)(void *)t->y.at, *lambda = (wide *)(void *)t->lambda.at, w[HALVES] = {{0.0}}, delta[HALVES];
    if (row->n_entries)
        products(t->entries + row->entry, row->n_entries, J, y, w);
    step_together(head, row->parent == DLS_NO_UNIT ? NULL : lambda + HALVES * row->parent,
                  lambda + HALVES * row->lambda, w, delta);
    for (uint32_t r = row->run; r < row->run + row->n_runs; r++) {
        const wide *B = (const wide *)(const void *)(t->coef.at + t->runs[r].coef);
        wide *to = y + HALVES * t->runs[r].y;
        for (uint32_t k = 0; k < t->runs[r].length; k++, B += HALVES)
            UNROLL
        for (unsigned h = 0; h < HALVES; h++)
            to[HALVES * k + h] += B[h] * delta[h];
    }
}

TARGET void NAME(together)(const dls_together *t, dls_direction direction)
{
    if (direction == DLS_FORWARD)
        for (size_t k = 0; k < t->n_rows; k++)
            row_together(t, &t->rows[k]);
    else
        for (size_t k = t->n_rows; k-- > 0;)
            row_together(t, &t->rows[k]);
}
