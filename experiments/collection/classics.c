/* Matrices of the literature, and matrices with a known number of solutions; all numbers are exact.
 *
 *     murty     1 on the diagonal and 2 below it, b = -1: a P-matrix on which Murty's least-index method and Lemke's
 *               take 2^n pivots (K. G. Murty, "Computational complexity of complementary pivot methods", Math. Prog.
 *               Study 7 (1978)). The solution is e_1.
 *     fathi     A = M M^T with Murty's M, b = -1: the same for positive definite A (Y. Fathi, "Computational
 *               complexity of LCPs associated with positive definite symmetric matrices", Math. Prog. 17 (1979)). The
 *               solution is e_1.
 *     obstacle  the Laplacian of five points on an m x m grid around a chosen solution: an M-matrix, whose condition
 *               grows with m^2
 *     copies    m blocks ((1, 2), (2, 1)), b = -1, each of rows i and n - 1 - i: a block has the solutions (1, 0),
 *               (0, 1) and (1/3, 1/3), so that there are 3^m
 *     none      A = G G^T with 1^T G = 0, and sum of b < 0: A y = 0 with y = 1 >= 0 and b . y < 0, a Farkas vector, so
 *               that no lambda >= 0 has A lambda + b >= 0 */
#include "collection/parts.h"

static dls_status make_triangles(dls_collection_member of, dls_collected *made, dls_error *error)
{
    dls_draft d;
    const size_t n = of.k + 2;
    DLS_TRY(dls_draft_open(&d, n, error));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const size_t least = i < j ? i : j;
            d.A[i + n * j] = of.variant == DLS_CLASSIC_FATHI ? (double)(4 * least) + (i == j ? 1.0 : 2.0)
                             : i == j                        ? 1.0
                             : i > j                         ? 2.0
                                                             : 0.0;
        }
    for (size_t i = 0; i < n; i++)
        d.b[i] = -1.0;
    d.lambda[0] = 1.0;
    return dls_draft_end(&d, true, made, error);
}

static dls_status make_obstacle(dls_collection_member of, dls_collected *made, dls_error *error)
{
    dls_draft d;
    const size_t m = of.k + 2, n = m * m;
    DLS_TRY(dls_draft_open(&d, n, error));
    for (size_t i = 0; i < n; i++) {
        d.A[i + n * i] = 4.0;
        if (i % m > 0)
            d.A[i + n * (i - 1)] = d.A[i - 1 + n * i] = -1.0;
        if (i >= m)
            d.A[i + n * (i - m)] = d.A[i - m + n * i] = -1.0;
        const double size = (double)(1 + dls_draw_below(&of.draws, 16)) / 8.0;
        if (dls_draw_below(&of.draws, 2))
            d.lambda[i] = size;
        else
            d.w[i] = size;
    }
    dls_draft_choose(&d);
    return dls_draft_end(&d, true, made, error);
}

/* Rows i and n - 1 - i are a block. */
static dls_status make_copies(dls_collection_member of, dls_collected *made, dls_error *error)
{
    dls_draft d;
    const size_t n = 2 * (of.k + 1);
    DLS_TRY(dls_draft_open(&d, n, error));
    for (size_t i = 0; i < n; i++) {
        d.A[i + n * i] = 1.0, d.A[i + n * (n - 1 - i)] = 2.0;
        d.b[i] = -1.0;
        d.lambda[i] = i < n / 2 ? 1.0 : 0.0;
    }
    return dls_draft_end(&d, true, made, error);
}

static dls_status make_none(dls_collection_member of, dls_collected *made, dls_error *error)
{
    static const size_t sizes[] = {2, 3, 4, 5, 8, 13, 21, 34, 55, 89};
    dls_draft d;
    const size_t n = sizes[of.k % (sizeof sizes / sizeof sizes[0])], rank = (n + 1) / 2;
    double sum = 0.0;
    DLS_TRY(dls_draft_open(&d, n, error));
    for (size_t k = 0; k < rank; k++) {
        d.w[n - 1] = 0.0;
        for (size_t i = 0; i + 1 < n; i++)
            d.w[i] = dls_draw_whole(&of.draws, 8) / 8.0, d.w[n - 1] -= d.w[i];
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                d.A[i + n * j] += d.w[i] * d.w[j];
    }
    for (size_t i = 0; i < n; i++)
        d.b[i] = dls_draw_whole(&of.draws, 8) / 8.0, sum += d.b[i];
    d.b[0] -= sum >= 0.0 ? sum + 0.125 : 0.0;
    return dls_draft_end(&d, false, made, error);
}

dls_status dls_collect_classics(dls_collection_member of, dls_collected *made, dls_error *error)
{
    switch (of.variant) {
    case DLS_CLASSIC_OBSTACLE:
        return make_obstacle(of, made, error);
    case DLS_CLASSIC_COPIES:
        return make_copies(of, made, error);
    case DLS_CLASSIC_NONE:
        return make_none(of, made, error);
    default:
        return make_triangles(of, made, error);
    }
}
