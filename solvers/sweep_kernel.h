/* sweep_kernel.h - the loops over batches, included once for each instruction set with
 *     NAME(what)    the name of a function of this path
 *     TARGET        the attribute that turns the instruction set on
 *     SWEEP_AVX     where vectors of four doubles are registers
 * The operations and their order are the same in every one of them, and nothing is contracted, so are the results.
 */
#include "packing.h"

#include <math.h>

#ifdef SWEEP_AVX
#include <immintrin.h>
#endif

/* The constant arguments of these functions (rows of a chunk, kind, direction) make a specialised, unrolled copy of
 * each, and that is where their speed comes from. A sanitizer adds a branch to each access of each copy, hundreds of
 * thousands in all: under one there is one copy of each function, and its loops stay loops. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SWEEP_ONE_COPY
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SWEEP_ONE_COPY
#endif
#endif

#ifdef SWEEP_ONE_COPY
#define INLINE static __attribute__((noinline)) TARGET
#else
#define INLINE static inline __attribute__((always_inline)) TARGET
#endif

/* Loops of constant length over registers: unrolled, or their arrays would live in memory. */
#if defined(SWEEP_ONE_COPY)
#define UNROLL
#elif defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 32")
#else
#define UNROLL
#endif

typedef double vec __attribute__((vector_size(8 * DLS_LANES)));
typedef double loose_vec __attribute__((vector_size(8 * DLS_LANES), aligned(8))); /* in arrays of callers */
typedef long long mask __attribute__((vector_size(8 * DLS_LANES)));

/* max(low, x) and min(high, x); x where it is NaN. */
#ifdef SWEEP_AVX
#define RAISE(low, x) ((vec)_mm256_max_pd((__m256d)(low), (__m256d)(x)))
#define LOWER(high, x) ((vec)_mm256_min_pd((__m256d)(high), (__m256d)(x)))
#else
#define PICK(where, a, b) ((vec)(((mask)(a) & (where)) | ((mask)(b) & ~(where))))
#define RAISE(low, x) PICK((mask)((low) > (x)), (low), (x))
#define LOWER(high, x) PICK((mask)((high) < (x)), (high), (x))
#endif

/* Six numbers of each lane, from where the lane has them. */
#ifdef SWEEP_AVX
INLINE void gather4(const double *a, const double *b, const double *c, const double *d, vec out[4])
{
    __m256d ra = _mm256_loadu_pd(a), rb = _mm256_loadu_pd(b), rc = _mm256_loadu_pd(c), rd = _mm256_loadu_pd(d);
    __m256d ab0 = _mm256_unpacklo_pd(ra, rb), ab1 = _mm256_unpackhi_pd(ra, rb);
    __m256d cd0 = _mm256_unpacklo_pd(rc, rd), cd1 = _mm256_unpackhi_pd(rc, rd);
    out[0] = (vec)_mm256_permute2f128_pd(ab0, cd0, 0x20);
    out[1] = (vec)_mm256_permute2f128_pd(ab1, cd1, 0x20);
    out[2] = (vec)_mm256_permute2f128_pd(ab0, cd0, 0x31);
    out[3] = (vec)_mm256_permute2f128_pd(ab1, cd1, 0x31);
}

INLINE void gather6(const double *a, const double *b, const double *c, const double *d, vec out[6])
{
    gather4(a, b, c, d, out);
    __m256d ac = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a + 4)), _mm_loadu_pd(c + 4), 1);
    __m256d bd = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(b + 4)), _mm_loadu_pd(d + 4), 1);
    out[4] = (vec)_mm256_unpacklo_pd(ac, bd);
    out[5] = (vec)_mm256_unpackhi_pd(ac, bd);
}

INLINE void scatter(double *y, const uint32_t at[DLS_LANES], const vec in[6])
{
    double *a = y + at[0], *b = y + at[1], *c = y + at[2], *d = y + at[3];
    __m256d a01 = _mm256_unpacklo_pd((__m256d)in[0], (__m256d)in[1]),
            b01 = _mm256_unpackhi_pd((__m256d)in[0], (__m256d)in[1]);
    __m256d a23 = _mm256_unpacklo_pd((__m256d)in[2], (__m256d)in[3]),
            b23 = _mm256_unpackhi_pd((__m256d)in[2], (__m256d)in[3]);
    __m256d a45 = _mm256_unpacklo_pd((__m256d)in[4], (__m256d)in[5]),
            b45 = _mm256_unpackhi_pd((__m256d)in[4], (__m256d)in[5]);
    _mm256_store_pd(a, _mm256_permute2f128_pd(a01, a23, 0x20));
    _mm256_store_pd(b, _mm256_permute2f128_pd(b01, b23, 0x20));
    _mm256_store_pd(c, _mm256_permute2f128_pd(a01, a23, 0x31));
    _mm256_store_pd(d, _mm256_permute2f128_pd(b01, b23, 0x31));
    _mm_store_pd(a + 4, _mm256_castpd256_pd128(a45));
    _mm_store_pd(b + 4, _mm256_castpd256_pd128(b45));
    _mm_store_pd(c + 4, _mm256_extractf128_pd(a45, 1));
    _mm_store_pd(d + 4, _mm256_extractf128_pd(b45, 1));
}
#else
INLINE void gather4(const double *a, const double *b, const double *c, const double *d, vec out[4])
{
    UNROLL
    for (unsigned k = 0; k < 4; k++)
        out[k] = (vec){a[k], b[k], c[k], d[k]};
}

INLINE void gather6(const double *a, const double *b, const double *c, const double *d, vec out[6])
{
    UNROLL
    for (unsigned k = 0; k < 6; k++)
        out[k] = (vec){a[k], b[k], c[k], d[k]};
}

INLINE void scatter(double *y, const uint32_t at[DLS_LANES], const vec in[6])
{
    UNROLL
    for (unsigned k = 0; k < 6; k++)
        for (unsigned lane = 0; lane < DLS_LANES; lane++)
            y[at[lane] + k] = in[k][lane];
}
#endif

/* The velocities of both bodies of each lane. */
INLINE void gather_ends(const double *y, const dls_row_batch *batch, vec out[12])
{
    const uint32_t *a = batch->from[0], *b = batch->from[1];
    gather6(y + a[0], y + a[1], y + a[2], y + a[3], out);
    gather6(y + b[0], y + b[1], y + b[2], y + b[3], out + 6);
}

INLINE void scatter_ends(double *y, const dls_row_batch *batch, const vec in[12])
{
    scatter(y, batch->to[0], in);
    scatter(y, batch->to[1], in + 6);
}

/* --- sweeping --- */

/* Row i of a chunk, with the step x: the new impulse within its bounds, and its change. `normal` is the impulse of row
 * 0. */
INLINE void step(unsigned i, unsigned rows, unsigned kind, const vec *bounds, const vec *x, const vec *normal,
                 vec *lambda, vec *delta)
{
    vec to = *lambda - *x;
    if (kind == DLS_BATCH_BOXED || (kind == DLS_BATCH_COUPLED && i == 0)) {
        const vec *lo = kind == DLS_BATCH_BOXED ? bounds + i : bounds,
                  *hi = kind == DLS_BATCH_BOXED ? lo + rows : lo + 1;
        to = LOWER(*hi, RAISE(*lo, to));
    } else if (kind == DLS_BATCH_COUPLED) {
        const vec zero = {0.0}, hi = bounds[1 + i] * RAISE(zero, *normal), lo = -hi;
        to = LOWER(hi, RAISE(lo, to));
    }
    *delta = to - *lambda;
    *lambda = to;
}

/* A chunk's share of the coefficients that are due some batches later: the caches follow a stream by themselves, but no
 * farther than its page. */
INLINE void fetch_ahead(unsigned rows, const vec *J)
{
    UNROLL
    for (unsigned k = 0; k < 16 * rows; k += 2)
        __builtin_prefetch(J + k + DLS_AHEAD / DLS_LANES);
}

/* One chunk: the steps x = omega w / A_ii that all rows would take now, then row after row, each changing the steps of
 * those that follow through A. What a row waits for is the change before it, one product and one sum. */
INLINE void chunk(unsigned rows, unsigned kind, unsigned compliant, dls_direction direction, const vec *J, vec *lambda,
                  vec y[12])
{
    const vec *s = J + 12 * rows, *c = s + rows, *A = c + rows, *gamma = A + rows * (rows - 1) / 2;
    const vec *bounds = gamma + (compliant ? rows : 0);
    vec x[DLS_CHUNK_ROWS], l[DLS_CHUNK_ROWS], d[DLS_CHUNK_ROWS];
    fetch_ahead(rows, J);
    UNROLL
    for (unsigned i = 0; i < rows; i++) {
        const vec *j = J + 12 * i;
        vec first = j[0] * y[0] - c[i], second = j[6] * y[6];
        l[i] = lambda[i];
        if (compliant)
            second += gamma[i] * l[i];
        UNROLL
        for (unsigned k = 1; k < 6; k++) {
            first += j[k] * y[k];
            second += j[6 + k] * y[6 + k];
        }
        x[i] = s[i] * (first + second);
    }
    UNROLL
    for (unsigned n = 0; n < rows; n++) {
        unsigned i = direction == DLS_FORWARD ? n : rows - 1 - n;
        step(i, rows, kind, bounds, &x[i], &l[0], &l[i], &d[i]);
        UNROLL
        for (unsigned m = n + 1; m < rows; m++) {
            unsigned j = direction == DLS_FORWARD ? m : rows - 1 - m, low = i < j ? i : j, high = i < j ? j : i;
            x[j] += (s[j] * A[high * (high - 1) / 2 + low]) * d[i];
        }
        UNROLL
        for (unsigned k = 0; k < 12; k++)
            y[k] += J[12 * i + k] * d[i];
        lambda[i] = l[i];
    }
}

INLINE void rest(unsigned rows, unsigned kind, unsigned compliant, dls_direction direction, const vec *J, vec *lambda,
                 vec y[12])
{
    if (rows == 1)
        chunk(1, kind, compliant, direction, J, lambda, y);
    else if (rows == 2)
        chunk(2, kind, compliant, direction, J, lambda, y);
}

INLINE void batch_of(unsigned kind, unsigned compliant, dls_direction direction, dls_packed *packed,
                     const dls_row_batch *batch)
{
    const size_t stride = dls_chunk_vectors(kind, compliant, DLS_CHUNK_ROWS);
    const unsigned full = batch->rows / DLS_CHUNK_ROWS, left = batch->rows % DLS_CHUNK_ROWS;
    const vec *J = (const vec *)(const void *)(packed->coef.at + batch->at);
    vec *lambda = (vec *)(void *)(packed->lambda.at + batch->lambda);
    vec y[12];
    gather_ends(packed->y.at, batch, y);
    if (direction == DLS_BACKWARD)
        rest(left, kind, compliant, direction, J + full * stride, lambda + full * DLS_CHUNK_ROWS, y);
    for (unsigned n = 0; n < full; n++) {
        unsigned m = direction == DLS_FORWARD ? n : full - 1 - n;
        chunk(DLS_CHUNK_ROWS, kind, compliant, direction, J + m * stride, lambda + m * DLS_CHUNK_ROWS, y);
    }
    if (direction == DLS_FORWARD)
        rest(left, kind, compliant, direction, J + full * stride, lambda + full * DLS_CHUNK_ROWS, y);
    scatter_ends(packed->y.at, batch, y);
}

/* The bounds of a general row. */
INLINE void bounds_of(const dls_packed *packed, const dls_general_row *row, double *lo, double *hi)
{
    *lo = row->lo;
    *hi = row->hi;
    if (row->parent != DLS_NONE) {
        double normal = packed->lambda.at[row->parent];
        *hi = row->mu * (normal > 0.0 ? normal : 0.0);
        *lo = -*hi;
    }
}

/* A general row: J y over its runs, in two sums, then the change along its response. */
INLINE void row_of(dls_packed *packed, const dls_general_row *row)
{
    double lo, hi, *lambda = &packed->lambda.at[row->lambda];
    vec even = {0.0}, odd = {0.0};
    for (const dls_segment *s = packed->segments + row->J, *end = s + row->n_J; s < end; s++) {
        const vec *J = (const vec *)(const void *)(packed->general_coef.at + s->coef);
        const vec *y = (const vec *)(const void *)(packed->y.at + s->y);
        unsigned k = 0;
        for (; k + 2 <= s->vectors; k += 2) {
            even += J[k] * y[k];
            odd += J[k + 1] * y[k + 1];
        }
        if (k < s->vectors)
            even += J[k] * y[k];
    }
    even += odd;
    double w = ((even[0] + even[1]) + (even[2] + even[3])) + row->gamma * *lambda - row->c, to = *lambda - row->s * w;
    bounds_of(packed, row, &lo, &hi);
    to = to < lo ? lo : to > hi ? hi : to;
    const double change = to - *lambda;
    const vec delta = {change, change, change, change};
    *lambda = to;
    for (const dls_segment *s = packed->segments + row->B, *end = s + row->n_B; s < end; s++) {
        const vec *B = (const vec *)(const void *)(packed->general_coef.at + s->coef);
        vec *y = (vec *)(void *)(packed->y.at + s->y);
        for (unsigned k = 0; k < s->vectors; k++)
            y[k] += B[k] * delta;
    }
}

#define SWEPT_AS(kind, compliant)                            \
    case 2 * (kind) + (compliant):                           \
        batch_of(kind, compliant, direction, packed, batch); \
        break

INLINE void any_batch(dls_direction direction, dls_packed *packed, const dls_row_batch *batch)
{
    switch (2 * batch->kind + batch->compliant) {
        SWEPT_AS(DLS_BATCH_EQUALITY, 0);
        SWEPT_AS(DLS_BATCH_EQUALITY, 1);
        SWEPT_AS(DLS_BATCH_BOXED, 0);
        SWEPT_AS(DLS_BATCH_BOXED, 1);
        SWEPT_AS(DLS_BATCH_COUPLED, 0);
        SWEPT_AS(DLS_BATCH_COUPLED, 1);
    default:
        row_of(packed, &packed->general[batch->at]);
    }
}

TARGET void NAME(sweep)(dls_packed *packed, dls_direction direction, size_t first, size_t end)
{
    if (direction == DLS_FORWARD)
        for (size_t k = first; k < end; k++)
            any_batch(DLS_FORWARD, packed, &packed->batches[k]);
    else
        for (size_t k = end; k-- > first;)
            any_batch(DLS_BACKWARD, packed, &packed->batches[k]);
}

/* --- filling --- */

/* j = J C of one body in each lane. */
INLINE void weigh(const vec J[6], const vec w[8], vec j[6])
{
    const vec zero = {0.0};
    j[0] = zero + J[0] * w[0];
    j[1] = zero + J[1] * w[0];
    j[2] = zero + J[2] * w[0];
    j[3] = zero + (J[3] * w[1] + (J[4] * w[2] + J[5] * w[4]));
    j[4] = zero + (J[4] * w[3] + J[5] * w[5]);
    j[5] = zero + J[5] * w[6];
}

INLINE void dot(const vec a[12], const vec b[12], vec *out)
{
    vec sum[4] = {{0.0}};
    UNROLL
    for (unsigned k = 0; k < 12; k++)
        sum[k % 4] += a[k] * b[k];
    *out = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* A number of row r of every lane. */
#define COLUMN(field, r) ((vec){lane[0].field[r], lane[1].field[r], lane[2].field[r], lane[3].field[r]})

TARGET bool NAME(fill)(dls_packed *packed, const dls_row_batch *batch, const dls_lane *lane)
{
    const vec omega = {packed->omega, packed->omega, packed->omega, packed->omega}, zero = {0.0};
    const vec huge = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    const vec has = {lane[0].rows, lane[1].rows, lane[2].rows, lane[3].rows};
    vec *to = (vec *)(void *)(packed->coef.at + batch->at), w[2][8];
    mask bad = {0};
    for (unsigned end = 0; end < 2; end++) {
        gather4(lane[0].weights[end], lane[1].weights[end], lane[2].weights[end], lane[3].weights[end], w[end]);
        gather4(lane[0].weights[end] + 4, lane[1].weights[end] + 4, lane[2].weights[end] + 4, lane[3].weights[end] + 4,
                w[end] + 4);
    }
    for (unsigned first = 0, rows; first < batch->rows; first += rows) {
        rows = dls_chunk_rows(batch, first);
        vec *j = to, *s = j + 12 * rows, *c = s + rows, *A = c + rows, *behind = A + rows * (rows - 1) / 2;
        for (unsigned i = 0; i < rows; i++, j += 12) {
            const unsigned r = first + i;
            vec J[12], own[12];
            for (unsigned end = 0; end < 2; end++) {
                gather6(lane[0].J[end] + r * lane[0].stride[end], lane[1].J[end] + r * lane[1].stride[end],
                        lane[2].J[end] + r * lane[2].stride[end], lane[3].J[end] + r * lane[3].stride[end], J);
                weigh(J, w[end], own + 6 * end);
            }
            UNROLL
            for (unsigned k = 0; k < 12; k++)
                j[k] = own[k];
            vec diagonal;
            dot(own, own, &diagonal);
            const vec gamma = COLUMN(gamma, r), scale = omega / (diagonal += gamma);
            const vec place = {(double)r, (double)r, (double)r, (double)r};
            const mask there = (mask)(has > place);
            bad |= there & ~((mask)(diagonal > zero) & (mask)(diagonal < huge) & (mask)(scale < huge));
            s[i] = (vec)((mask)scale & there);
            c[i] = COLUMN(c, r);
            for (unsigned q = 0; q < i; q++)
                dot(own, to + 12 * q, A++);
            if (batch->compliant)
                behind[i] = gamma;
        }
        behind += batch->compliant ? rows : 0;
        for (unsigned i = 0; i < rows && batch->kind == DLS_BATCH_BOXED; i++) {
            behind[i] = COLUMN(lo, first + i);
            behind[rows + i] = COLUMN(hi, first + i);
        }
        if (batch->kind == DLS_BATCH_COUPLED) {
            behind[0] = COLUMN(lo, first);
            behind[1] = COLUMN(hi, first);
            for (unsigned i = 1; i < rows; i++)
                behind[1 + i] = COLUMN(mu, first + i);
        }
        to += dls_chunk_vectors(batch->kind, batch->compliant, rows);
    }
    return !(bad[0] | bad[1] | bad[2] | bad[3]);
}

TARGET void NAME(add)(const dls_packed *packed, const dls_row_batch *batch, const double *impulses, double *to)
{
    const vec *j = (const vec *)(const void *)(packed->coef.at + batch->at);
    const loose_vec *x = (const loose_vec *)(const void *)impulses;
    vec y[12], sum[12] = {{0.0}};
    for (unsigned first = 0, rows; first < batch->rows; first += rows) {
        rows = dls_chunk_rows(batch, first);
        for (unsigned i = 0; i < rows; i++) {
            UNROLL
            for (unsigned k = 0; k < 12; k++)
                sum[k] += j[12 * i + k] * x[first + i];
        }
        j += dls_chunk_vectors(batch->kind, batch->compliant, rows);
    }
    gather_ends(to, batch, y);
    UNROLL
    for (unsigned k = 0; k < 12; k++)
        y[k] += sum[k];
    scatter_ends(to, batch, y);
}

/* Row by row from -c on, entry after entry. */
TARGET void NAME(residual)(const dls_packed *packed, const dls_row_batch *batch, const double *from,
                           const double *impulses, bool with_c, double *out)
{
    const vec *j = (const vec *)(const void *)(packed->coef.at + batch->at);
    const loose_vec *x = (const loose_vec *)(const void *)impulses;
    loose_vec *w = (loose_vec *)(void *)out;
    const vec zero = {0.0};
    vec y[12];
    gather_ends(from, batch, y);
    for (unsigned first = 0, rows; first < batch->rows; first += rows) {
        rows = dls_chunk_rows(batch, first);
        const vec *c = j + 13 * rows, *gamma = c + rows + rows * (rows - 1) / 2;
        for (unsigned i = 0; i < rows; i++) {
            vec sum = with_c ? -c[i] : zero;
            UNROLL
            for (unsigned k = 0; k < 12; k++)
                sum += j[12 * i + k] * y[k];
            w[first + i] = batch->compliant ? sum + gamma[i] * x[first + i] : sum;
        }
        j += dls_chunk_vectors(batch->kind, batch->compliant, rows);
    }
}
