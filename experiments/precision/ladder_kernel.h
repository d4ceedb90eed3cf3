/* ladder_kernel.h - sweeps of projected Gauss-Seidel in one precision. A file defines the types of coefficients (COEF)
 * and of sums (SUM) and the operations on them, and includes this once:
 *
 *     delta = -(J_i v + Gamma_ii lambda_i - c_i) / A_ii,   lambda_i' = clamp(lambda_i + delta),   v += B_i (lambda_i' -
 *     lambda_i)
 *
 * The velocity is carried along, as fast solvers do, so that its rounding errors are part of what is measured.
 */
#include "precision/ladder.h"

#include <stdlib.h>

static SUM clamp(SUM x, double lo, double hi)
{
    return TO_DOUBLE(x) < lo ? FROM_DOUBLE(lo) : TO_DOUBLE(x) > hi ? FROM_DOUBLE(hi) : x;
}

static int run_sweeps(const dls_ladder_problem *p, size_t sweeps, const double *start, double *high, double *low)
{
    const size_t n = p->n, nv = p->nv;
    COEF *J = malloc((2 * n * nv + n) * sizeof *J), *B = J ? J + n * nv : NULL, *diagonal = B ? B + n * nv : NULL;
    SUM *v = malloc((nv + n) * sizeof *v), *lambda = v ? v + nv : NULL;
    if (!J || !v) {
        free(J);
        free(v);
        return 0;
    }
    for (size_t k = 0; k < n * nv; k++)
        J[k] = (COEF)p->J[k], B[k] = (COEF)p->B[k];
    for (size_t k = 0; k < nv; k++)
        v[k] = FROM_DOUBLE(p->v_star[k]);
    for (size_t i = 0; i < n; i++) {
        diagonal[i] = (COEF)p->diagonal[i];
        lambda[i] = FROM_DOUBLE(start[i]);
        for (size_t k = 0; k < nv; k++)
            v[k] = ADD_PRODUCT(v[k], lambda[i], B[i * nv + k]);
    }
    for (size_t s = 0; s < sweeps; s++)
        for (size_t i = 0; i < n; i++) {
            if (!(diagonal[i] > 0))
                continue;
            SUM w = ADD_PRODUCT(FROM_DOUBLE(-p->c[i]), lambda[i], (COEF)p->gamma[i]);
            for (size_t k = 0; k < nv; k++)
                w = ADD_PRODUCT(w, v[k], J[i * nv + k]);
            const SUM to = clamp(SUBTRACT(lambda[i], DIVIDE(w, diagonal[i])), p->lo[i], p->hi[i]);
            const SUM delta = SUBTRACT(to, lambda[i]);
            lambda[i] = to;
            for (size_t k = 0; k < nv; k++)
                v[k] = ADD_PRODUCT(v[k], delta, B[i * nv + k]);
        }
    for (size_t i = 0; i < n; i++) {
        high[i] = TO_DOUBLE(lambda[i]);
        low[i] = TO_DOUBLE(SUBTRACT(lambda[i], FROM_DOUBLE(high[i])));
    }
    free(J);
    free(v);
    return 1;
}
