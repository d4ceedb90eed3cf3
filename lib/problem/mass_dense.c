/* A block of the mass operator given as a matrix: M = L L^T (Cholesky), column after column, each from those before
 * it:
 *     L_jj^2 = M_jj - sum_{k<j} L_jk^2,      L_ij = (M_ij - sum_{k<j} L_ik L_jk) / L_jj      for i > j
 * M is positive definite if every L_jj^2 > 0; as computed, if it is more than its rounding error, (j + 1) eps M_jj (N.
 * J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, theorem 10.3), below which its sign is meaningless.
 * L does not couple two branches that M does not couple: its entries there are sums of zeros, exactly 0 like those of
 * M^-1. */
#include "delassus/mass.h"

#include <float.h>
#include <math.h>

bool dls_mass_dense_factor(const dls_mass_dense *dense, size_t j)
{
    size_t n = dense->n;
    const double *M = dense->M + j * n, *pivot = dense->L + j * n;
    for (size_t i = j; i < n; i++) {
        double *row = dense->L + i * n, sum = M[i];
        for (size_t k = 0; k < j; k++)
            sum -= row[k] * pivot[k];
        if (i == j && !(sum > (double)(j + 1) * DBL_EPSILON * M[j] && isfinite(sum)))
            return false;
        row[j] = i == j ? sqrt(sum) : sum / pivot[j];
    }
    return true;
}

static void dense_multiply(const void *data, const double *x, double *y)
{
    const dls_mass_dense *dense = data;
    for (size_t i = 0; i < dense->n; i++) {
        const double *column = dense->M + i * dense->n; /* M is symmetric */
        y[i] = 0.0;
        for (size_t j = 0; j < dense->n; j++)
            y[i] += column[j] * x[j];
    }
}

/* L z = y */
static void dense_half(const void *data, const double *y, double *z)
{
    const dls_mass_dense *dense = data;
    for (size_t i = 0; i < dense->n; i++) {
        const double *row = dense->L + i * dense->n;
        double sum = y[i];
        for (size_t k = 0; k < i; k++)
            sum -= row[k] * z[k];
        z[i] = sum / row[i];
    }
}

/* L z = x, then L^T y = z. */
static void dense_solve(const void *data, const double *x, double *y)
{
    const dls_mass_dense *dense = data;
    dense_half(data, x, y);
    for (size_t i = dense->n; i-- > 0;) {
        const double *row = dense->L + i * dense->n;
        y[i] /= row[i];
        for (size_t k = 0; k < i; k++)
            y[k] -= row[k] * y[i];
    }
}

const dls_mass_kind dls_mass_dense_kind = {"dense", dense_multiply, dense_solve, NULL, dense_half};
