/* Problems around a chosen solution, by classes of matrices.
 *
 * THE CHOICE. Complementary lambda and w are drawn, and b = w - A lambda. Every drawn number is a small multiple of a
 * power of two, and no sum of products needs more than 53 bits, so that A and b are computed without rounding, in any
 * order: the chosen solution solves the stored problem exactly. With G of whole numbers up to 8 over 8, n <= 128 and
 * lambda in eighths up to 2, A has multiples of 2^-6 up to 2^7, and A lambda multiples of 2^-9 up to 2^15.
 *
 * CLASSES. Ranks are those of a generic G; delassus collection describe measures them.
 *     definite      G G^T + 1/8
 *     semidefinite  G G^T, G n x n/2: lambda is not unique, w is
 *     rank          G G^T, G n x r, r = n j / 8, j = 1 .. 7: a prescribed ratio of rank and rows
 *     skew          S - S^T: the class of linear programs; x^T A x = 0
 *     p             P L P^T, L lower triangular with a positive diagonal and large entries below it, P a permutation:
 *                   every principal minor is positive, A is neither symmetric nor monotone
 *     degenerate    definite; in a quarter, a half or all of the rows lambda is at a bound and w = 0
 *     ill           sum over k of 4^-e_k g_k g_k^T, g of -1, 0 and 1, e from 0 to 18: condition about 4^18
 *     general       whole numbers up to 2 without any structure: several solutions may exist */
#include "collection/parts.h"

#include <math.h>
#include <stdlib.h>

/* Numbers of rows of problems; k % SIZES chooses one, k / SIZES further properties. */
static const size_t sizes[] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static size_t matrix_size(dls_collection_member of)
{
    switch (of.variant) {
    case DLS_MATRICES_RANK:
        return (size_t)16 << of.k / 7 % 3;
    case DLS_MATRICES_ILL:
        return sizes[1 + of.k % 7];
    case DLS_MATRICES_GENERAL:
        return 2 + of.k % 9;
    case DLS_MATRICES_SEMIDEFINITE:
    case DLS_MATRICES_SKEW: /* one row has few such problems */
        return of.k % SIZES ? sizes[of.k % SIZES] : 4;
    default:
        return sizes[of.k % SIZES];
    }
}

static size_t matrix_rank(dls_collection_member of, size_t n)
{
    return of.variant == DLS_MATRICES_SEMIDEFINITE ? (n + 1) / 2
           : of.variant == DLS_MATRICES_RANK       ? n * (1 + of.k % 7) / 8
                                                   : n;
}

/* Adds scale g g^T. */
static void add_square(dls_draft *d, const double *g, double scale)
{
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = 0; i < d->n; i++)
            d->A[i + d->n * j] += scale * g[i] * g[j];
}

/* A Gram matrix; w is free memory as long as the solution is not chosen. */
static void fill_gram(dls_draft *d, dls_collection_member *of)
{
    const size_t rank = matrix_rank(*of, d->n);
    const bool ill = of->variant == DLS_MATRICES_ILL;
    for (size_t k = 0; k < rank; k++) {
        const int exponent = ill && rank > 1 ? (int)(36 * k / (rank - 1)) / 2 : 0;
        for (size_t i = 0; i < d->n; i++)
            d->w[i] = ill ? i == k ? 1.0 : dls_draw_whole(&of->draws, 1) : dls_draw_whole(&of->draws, 8) / 8.0;
        add_square(d, d->w, ldexp(1.0, -2 * exponent));
    }
    for (size_t i = 0; i < d->n; i++)
        if (of->variant == DLS_MATRICES_DEFINITE || of->variant == DLS_MATRICES_DEGENERATE)
            d->A[i + d->n * i] += 0.125;
}

static void fill_skew(dls_draft *d, dls_collection_member *of)
{
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = 0; i < j; i++) {
            d->A[i + d->n * j] = dls_draw_whole(&of->draws, 8) / 8.0;
            d->A[j + d->n * i] = -d->A[i + d->n * j];
        }
}

static void fill_general(dls_draft *d, dls_collection_member *of)
{
    for (size_t k = 0; k < d->n * d->n; k++)
        d->A[k] = dls_draw_whole(&of->draws, 2);
}

/* Writes a random permutation into order[n]. */
static void draw_order(uint64_t *draws, size_t n, size_t *order)
{
    for (size_t i = 0; i < n; i++) {
        const size_t j = dls_draw_below(draws, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

static void fill_triangle(dls_draft *d, dls_collection_member *of, const size_t *order)
{
    for (size_t j = 0; j < d->n; j++)
        for (size_t i = j; i < d->n; i++)
            d->A[order[i] + d->n * order[j]] =
                i == j ? (double)(4 + dls_draw_below(&of->draws, 13)) / 8.0 : dls_draw_whole(&of->draws, 8) / 4.0;
}

/* A third of the rows is free, a third [0, inf), a third [-1, 1]. */
static void choose_bounds(dls_draft *d, const size_t *order)
{
    for (size_t k = 0; k < d->n; k++) {
        const size_t i = order[k], third = 3 * k / d->n;
        d->lo[i] = third == 0 ? -HUGE_VAL : third == 1 ? 0.0 : -1.0;
        d->hi[i] = third == 2 ? 1.0 : HUGE_VAL;
    }
}

/* Half of the rows are between their bounds with w = 0, half at one with w of its sign, or w = 0 where degenerate;
 * impulses have multiples of `unit`. */
static void choose_solution(dls_draft *d, dls_collection_member *of, double degenerate, double unit)
{
    for (size_t i = 0; i < d->n; i++) {
        const double lo = d->lo[i], hi = d->hi[i];
        const double size = unit * (double)(1 + dls_draw_below(&of->draws, (size_t)(2.0 / unit)));
        const size_t sides = dls_draw_below(&of->draws, 4);
        const bool flat = (double)dls_draw_below(&of->draws, 64) < 64.0 * degenerate, upper = sides & 1 && !isinf(hi);
        d->w[i] = 0.0;
        if (isinf(lo) && isinf(hi)) {
            d->lambda[i] = sides & 1 ? size : -size;
        } else if (sides & 2 && !flat) {
            d->lambda[i] = isinf(hi) ? lo + size : size < 2.0 ? size - 1.0 : 0.0;
        } else {
            d->lambda[i] = upper ? hi : lo;
            d->w[i] = flat ? 0.0 : upper ? -size : size;
        }
    }
}

static void fill_matrix(dls_draft *d, dls_collection_member *of, const size_t *order)
{
    switch (of->variant) {
    case DLS_MATRICES_SKEW:
        fill_skew(d, of);
        break;
    case DLS_MATRICES_P:
        fill_triangle(d, of, order);
        break;
    case DLS_MATRICES_GENERAL:
        fill_general(d, of);
        break;
    default:
        fill_gram(d, of);
    }
}

dls_status dls_collect_matrices(dls_collection_member of, dls_collected *made, dls_error *error)
{
    static const double shares[] = {0.25, 0.5, 1.0};
    const size_t n = matrix_size(of);
    const double degenerate = of.variant == DLS_MATRICES_DEGENERATE ? shares[of.k / SIZES % 3] : 0.0;
    dls_draft d;
    size_t *order = calloc(n, sizeof *order);
    if (!order)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an order of %zu rows", n);
    dls_status status = dls_draft_open(&d, n, error);
    if (status == DLS_OK) {
        draw_order(&of.draws, n, order);
        fill_matrix(&d, &of, order);
        draw_order(&of.draws, n, order);
        if (of.variant != DLS_MATRICES_GENERAL && of.k / SIZES % 2 == 1)
            choose_bounds(&d, order);
        choose_solution(&d, &of, degenerate, of.variant == DLS_MATRICES_ILL ? 1.0 : 0.125);
        dls_draft_choose(&d);
        status = dls_draft_end(&d, true, made, error);
    }
    free(order);
    return status;
}
