/* Least-distance programming by non-negative least squares: C. L. Lawson, R. J. Hanson, "Solving Least Squares
 * Problems" (1974), chapter 23.
 *
 * Minimise |E y - f| over y >= 0 with E = [G^T; h^T], f = (0, ..., 0, 1), and let r = f - E y. At the minimum E^T r
 * <= 0 and r.E y = 0, hence r.f = |r|^2 = r_k+1. If r != 0 then u = -r_1..k / r_k+1 has G u - h = -E^T r / r_k+1 >=
 * 0. If r = 0 then y >= 0, G^T y = 0, h.y = 1: a Farkas vector, there is no u. 1 / |r|^2 = 1 + |u|^2.
 *
 * The least squares: P is the set of y_j > 0, all others are 0. While some gradient entry (E^T r)_j is positive, the
 * largest joins P; the unconstrained minimum over P is approached until a y leaves P at 0, as often as needed. */
#include "least_distance.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct squares {
    size_t rows, columns;
    double *E, *r, *y, *z, *gradient, *Q, *right, *in_P, *work; /* in_P: 1 or 0 */
} squares;

size_t dls_least_distance_size(size_t m, size_t k) { return 2 * (k + 1) * m + 4 * m + 5 * (k + 1); }

static void residual_of(const squares *s)
{
    memset(s->r, 0, s->rows * sizeof *s->r);
    s->r[s->rows - 1] = 1.0;
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)s->rows, (int)s->columns, -1.0, s->E, (int)s->rows, s->y, 1, 1.0,
                s->r, 1);
}

/* z: the least squares over P, 0 elsewhere. False if its columns are dependent. */
static bool solve_over_P(const squares *s)
{
    size_t count = 0;
    for (size_t j = 0; j < s->columns; j++)
        if (s->in_P[j] > 0.0)
            memcpy(s->Q + s->rows * count++, s->E + s->rows * j, s->rows * sizeof *s->E);
    memset(s->right, 0, s->rows * sizeof *s->right);
    s->right[s->rows - 1] = 1.0;
    if (count > s->rows)
        return false;
    lapack_int rows = (lapack_int)s->rows, columns = (lapack_int)count;
    if (LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', rows, columns, 1, s->Q, rows, s->right, rows, s->work, 3 * rows) != 0)
        return false;
    count = 0;
    for (size_t j = 0; j < s->columns; j++)
        s->z[j] = s->in_P[j] > 0.0 ? s->right[count++] : 0.0;
    return true;
}

/* y goes towards z until it is reached (true) or entries of y reach 0 and leave P (false). */
static bool approach_minimum(const squares *s)
{
    double part = 1.0;
    for (size_t j = 0; j < s->columns; j++)
        if (s->in_P[j] > 0.0 && s->z[j] <= 0.0)
            part = fmin(part, s->y[j] / (s->y[j] - s->z[j]));
    bool whole = true;
    for (size_t j = 0; j < s->columns; j++) {
        double target = s->z[j];
        s->y[j] += part * (target - s->y[j]);
        if (s->in_P[j] > 0.0 && target <= 0.0 && s->y[j] <= DBL_EPSILON) {
            s->y[j] = s->in_P[j] = 0.0;
            whole = false;
        }
    }
    return whole;
}

static void least_squares_in_P(const squares *s)
{
    for (size_t round = 0; round < 10 * s->columns + 10; round++) {
        residual_of(s);
        cblas_dgemv(CblasColMajor, CblasTrans, (int)s->rows, (int)s->columns, 1.0, s->E, (int)s->rows, s->r, 1, 0.0,
                    s->gradient, 1);
        size_t enter = s->columns;
        for (size_t j = 0; j < s->columns; j++)
            if (s->in_P[j] == 0.0 && s->gradient[j] > 1e-14 &&
                (enter == s->columns || s->gradient[j] > s->gradient[enter]))
                enter = j;
        if (enter == s->columns)
            return;
        s->in_P[enter] = 1.0;
        for (size_t k = 0; k <= s->columns; k++)
            if (!solve_over_P(s) || approach_minimum(s))
                break;
    }
}

int dls_least_distance(size_t m, size_t k, const double *G, const double *h, double tolerance, double *memory,
                       double *u)
{
    squares s = {.rows = k + 1, .columns = m, .E = memory};
    s.Q = s.E + (k + 1) * m, s.y = s.Q + (k + 1) * m, s.z = s.y + m, s.gradient = s.z + m, s.in_P = s.gradient + m;
    s.r = s.in_P + m, s.right = s.r + k + 1, s.work = s.right + k + 1;
    for (size_t j = 0; j < m; j++) {
        cblas_dcopy((int)k, G + j, (int)m, s.E + (k + 1) * j, 1);
        s.E[(k + 1) * j + k] = h[j];
        s.y[j] = s.in_P[j] = 0.0;
        double norm = cblas_dnrm2((int)(k + 1), s.E + (k + 1) * j, 1);
        if (norm > 0.0)
            cblas_dscal((int)(k + 1), 1.0 / norm, s.E + (k + 1) * j, 1);
    }
    if (m > 0)
        least_squares_in_P(&s);
    residual_of(&s);
    if (!(s.r[k] > tolerance * tolerance))
        return 0;
    for (size_t i = 0; i < k; i++)
        u[i] = -s.r[i] / s.r[k];
    return 1;
}
