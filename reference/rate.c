/* The predicted asymptotic rate of a sweep.
 *
 * Near a solution a projected sweep stops changing which rows stand at a bound; from then on it is the linear
 * stationary iteration on the free set F (rows strictly between their bounds)
 *     lambda <- lambda - P^-1 (A_FF lambda + const),   error <- G error,   G = 1 - P^-1 A_FF,   A_FF = L + D + U,
 *     forward   P = D / omega + L           (Gauss-Seidel, SOR)
 *     symmetric G = G_backward G_forward    with P = D / omega + U backward
 *     Jacobi    P = D / omega
 * so the error shrinks by the spectral radius of G an iteration. Redundant rows make A_FF singular; its null space is
 * left alone (G x = x where A x = 0), moves no velocity, and its eigenvalues 1 (as many as the nullity) are left out.
 *
 * A symmetric mechanism may never excite its slowest mode. The error e of an iterate holds the mode of an eigenvalue
 * mu as far as the left eigenvector y (y^H G = mu y^H) sees it: y^H e is multiplied by mu in every sweep and by
 * nothing else. It follows from the iterate's residual w_F = A_FF e alone: a sweep would move it by d = (1 - G) e, so
 * y^H e = y^H d / (1 - mu). Modes below `silent` of the largest y^H e are rounding; the rate of that run is the
 * largest |mu| among the others.
 */
#include "delassus/reference.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A residual below this part of the largest |b| counts as zero where degenerate rows are counted. */
static const double zero_residual = 1e-9;
/* The part of the largest mode in the error below which a mode counts as rounding. */
static const double silent = 1e-10;

typedef struct workspace {
    lapack_int m;                 /* free rows */
    double *A, *G, *P, *spare;    /* m x m; P holds the left eigenvectors in the end */
    double *real, *imaginary, *s; /* m */
    double *work;
    lapack_int n_work;
} workspace;

static double largest(size_t n, const double *x)
{
    double m = 0.0;
    for (size_t i = 0; i < n; i++)
        m = fmax(m, fabs(x[i]));
    return m;
}

static void residual(const dls_dense *d, const double *lambda, double *w)
{
    int n = (int)d->n;
    memcpy(w, d->b, d->n * sizeof *w);
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, d->A, n, lambda, 1, 1.0, w, 1);
}

/* The free rows' indices into `free_row`; also counts degenerate rows. */
static size_t free_set(const dls_dense *d, const double *lambda, size_t *free_row, double *w, dls_rate *rate)
{
    size_t count = 0;
    double zero = zero_residual * largest(d->n, d->b);
    residual(d, lambda, w);
    for (size_t i = 0; i < d->n; i++) {
        bool inside = lambda[i] > d->lo[i] && lambda[i] < d->hi[i];
        if (inside && d->A[i + d->n * i] > 0.0)
            free_row[count++] = i;
        else if (!inside && fabs(w[i]) <= zero && d->lo[i] < d->hi[i])
            rate->degenerate++;
    }
    return count;
}

/* X <- P^-1 X for `columns` columns, with P triangular ('L', 'U') or diagonal ('D'). */
static bool divide(workspace *ws, char triangle, double omega, lapack_int columns, double *X)
{
    lapack_int m = ws->m;
    for (lapack_int j = 0; j < m; j++)
        for (lapack_int i = 0; i < m; i++) {
            double a = ws->A[i + m * j];
            bool inside = triangle == 'L' ? i > j : triangle == 'U' ? i < j : false;
            ws->P[i + m * j] = i == j ? a / omega : inside ? a : 0.0;
        }
    return LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, triangle == 'U' ? 'U' : 'L', 'N', 'N', m, columns, ws->P, m, X, m) ==
           0;
}

/* G <- 1 - P^-1 A */
static bool one_sweep(workspace *ws, char triangle, double omega, double *G)
{
    lapack_int m = ws->m;
    memcpy(G, ws->A, (size_t)m * (size_t)m * sizeof *G);
    if (!divide(ws, triangle, omega, m, G))
        return false;
    for (lapack_int j = 0; j < m; j++)
        for (lapack_int i = 0; i < m; i++)
            G[i + m * j] = (i == j) - G[i + m * j];
    return true;
}

/* d = (1 - G) e from w = A e, in place: the step of one iteration; a second sweep starts from w - A d. */
static bool displacement(workspace *ws, dls_splitting splitting, double *w)
{
    lapack_int m = ws->m;
    double *second = ws->s;
    memcpy(second, w, (size_t)m * sizeof *w);
    if (!divide(ws, splitting.kind == DLS_SPLITTING_JACOBI ? 'D' : 'L', splitting.omega, 1, w))
        return false;
    if (splitting.kind != DLS_SPLITTING_SYMMETRIC)
        return true;
    cblas_dgemv(CblasColMajor, CblasNoTrans, m, m, -1.0, ws->A, m, w, 1, 1.0, second, 1);
    if (!divide(ws, 'U', splitting.omega, 1, second))
        return false;
    cblas_daxpy(m, 1.0, second, 1, w, 1);
    return true;
}

static bool iteration_matrix(workspace *ws, dls_splitting splitting)
{
    if (splitting.kind == DLS_SPLITTING_JACOBI)
        return one_sweep(ws, 'D', splitting.omega, ws->G);
    if (!one_sweep(ws, 'L', splitting.omega, ws->G))
        return false;
    if (splitting.kind == DLS_SPLITTING_FORWARD)
        return true;
    if (!one_sweep(ws, 'U', splitting.omega, ws->spare))
        return false;
    lapack_int m = ws->m;
    memcpy(ws->P, ws->G, (size_t)m * (size_t)m * sizeof *ws->G);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, m, m, 1.0, ws->spare, m, ws->P, m, 0.0, ws->G, m);
    return true;
}

/* Nullity of D^-1/2 A D^-1/2, whose entries have one unit: singular values below m eps times the largest. */
static size_t nullity(workspace *ws)
{
    lapack_int m = ws->m;
    for (lapack_int j = 0; j < m; j++)
        for (lapack_int i = 0; i < m; i++)
            ws->spare[i + m * j] = ws->A[i + m * j] / sqrt(ws->A[i + m * i] * ws->A[j + m * j]);
    if (LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', m, m, ws->spare, m, ws->s, NULL, m, NULL, m, ws->work,
                            ws->n_work) != 0)
        return 0;
    size_t count = 0;
    for (lapack_int i = 0; i < m; i++)
        count += ws->s[i] <= 8.0 * (double)m * 2.220446049250313e-16 * ws->s[0];
    return count;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Eigenvalues of G into real, imaginary; the `redundant` ones nearest to 1 are set to 0. Left eigenvectors into P. */
static bool eigenvalues(workspace *ws, size_t redundant)
{
    lapack_int m = ws->m;
    if (LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'V', 'N', m, ws->G, m, ws->real, ws->imaginary, ws->P, m, NULL, m,
                           ws->work, ws->n_work) != 0)
        return false;
    for (lapack_int i = 0; i < m; i++)
        ws->s[i] = hypot(ws->real[i] - 1.0, ws->imaginary[i]);
    qsort(ws->s, (size_t)m, sizeof *ws->s, ascending);
    for (lapack_int i = 0; redundant > 0 && i < m; i++)
        if (hypot(ws->real[i] - 1.0, ws->imaginary[i]) <= ws->s[redundant - 1])
            ws->real[i] = ws->imaginary[i] = 0.0; /* real: A x = 0 has real solutions */
    return true;
}

/* |y^H e| of each mode into ws->s, from the displacement d. A pair of conjugate eigenvalues has the real and the
 * imaginary part of its left eigenvector in two columns, and one value here. */
static void amplitudes(workspace *ws, const double *d)
{
    lapack_int m = ws->m;
    for (lapack_int i = 0; i < m; i++) {
        bool pair = ws->imaginary[i] != 0.0 && i + 1 < m;
        const double *y = ws->P + (size_t)i * (size_t)m;
        double seen = hypot(cblas_ddot(m, y, 1, d, 1), pair ? cblas_ddot(m, y + m, 1, d, 1) : 0.0);
        ws->s[i] = seen / hypot(1.0 - ws->real[i], ws->imaginary[i]);
        if (pair)
            ws->s[i + 1] = ws->s[i];
        i += pair;
    }
}

/* The largest modulus among the modes whose amplitude in ws->s is at least `least`. */
static double largest_modulus(const workspace *ws, double least)
{
    double radius = 0.0;
    for (lapack_int i = 0; i < ws->m; i++)
        if (ws->s[i] >= least)
            radius = fmax(radius, hypot(ws->real[i], ws->imaginary[i]));
    return radius;
}

static dls_status predict(const dls_dense *d, const double *lambda, const double *start, dls_splitting splitting,
                          workspace *ws, size_t *free_row, double *w, dls_rate *rate, dls_error *error)
{
    rate->free_rows = free_set(d, lambda, free_row, w, rate);
    rate->excited_radius = NAN;
    ws->m = (lapack_int)rate->free_rows;
    if (ws->m == 0)
        return DLS_OK;
    for (size_t j = 0; j < rate->free_rows; j++)
        for (size_t i = 0; i < rate->free_rows; i++)
            ws->A[i + rate->free_rows * j] = d->A[free_row[i] + d->n * free_row[j]];
    rate->redundant = nullity(ws);
    if (!iteration_matrix(ws, splitting) || !eigenvalues(ws, rate->redundant))
        return dls_fail(error, DLS_BAD_INPUT, "the eigenvalues of the iteration matrix could not be computed");
    rate->spectral_radius = largest_modulus(ws, -1.0);
    if (!start)
        return DLS_OK;
    residual(d, start, w);
    for (size_t i = 0; i < rate->free_rows; i++)
        w[i] = w[free_row[i]]; /* free_row ascends */
    memcpy(ws->spare, ws->P, rate->free_rows * rate->free_rows * sizeof *ws->P);
    if (!displacement(ws, splitting, w))
        return dls_fail(error, DLS_BAD_INPUT, "a sweep of the free rows could not be made");
    memcpy(ws->P, ws->spare, rate->free_rows * rate->free_rows * sizeof *ws->P);
    amplitudes(ws, w);
    rate->excited_radius = largest_modulus(ws, silent * largest(rate->free_rows, ws->s));
    return DLS_OK;
}

dls_status dls_rate_predict(const dls_problem *problem, const double *lambda, const double *start,
                            dls_splitting splitting, dls_rate *rate, dls_error *error)
{
    memset(rate, 0, sizeof *rate);
    if (splitting.kind == DLS_SPLITTING_NONE || problem->n_coupled > 0)
        return dls_fail(error, DLS_REFUSED, "a rate is predicted for sweeps on problems without coupled friction");
    dls_dense *d;
    DLS_TRY(dls_dense_create(problem, &d, error));
    size_t n = d->n, square = n * n + 1;
    workspace ws = {.n_work = (lapack_int)(8 * n + 16)};
    double *memory = calloc(4 * square + 4 * (n + 1) + (size_t)ws.n_work, sizeof *memory);
    size_t *free_row = calloc(n + 1, sizeof *free_row);
    dls_status status;
    if (memory && free_row) {
        ws.A = memory, ws.G = ws.A + square, ws.P = ws.G + square, ws.spare = ws.P + square;
        ws.real = ws.spare + square, ws.imaginary = ws.real + n + 1, ws.s = ws.imaginary + n + 1,
        ws.work = ws.s + n + 1;
        status = predict(d, lambda, start, splitting, &ws, free_row, ws.work + ws.n_work, rate, error);
    } else {
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for the iteration matrix of %zu rows", n);
    }
    free(free_row);
    free(memory);
    dls_dense_destroy(d);
    return status;
}
