/* The rates at which sweeps converge: predicted from the problem, here by eigenvalues in floating point, and enclosed
 * in rate_enclosure.c by rationals and balls. A prediction for another iteration or splitting may enter; a measurement
 * of iterates belongs to the experiments, and no file here runs a solver.
 *
 * Near a solution a projected sweep stops changing which rows are at a bound; from then on it is the linear
 * stationary iteration on the free set F (rows strictly between their bounds)
 *     lambda <- lambda - P^-1 (A_FF lambda + const),   error <- G error,   G = 1 - P^-1 A_FF,   A_FF = L + D + U,
 *     forward   P = D / omega + L           (Gauss-Seidel, SOR)
 *     symmetric G = G_backward G_forward    with P = D / omega + U backward
 *     Jacobi    P = D / omega
 * so the error shrinks by the spectral radius of G per iteration. Redundant rows make A_FF singular; its null space is
 * not changed (G x = x where A x = 0) and moves no velocity, so its eigenvalues 1 (as many as the nullity) are left
 * out.
 *
 * A symmetric mechanism may never excite its slowest mode. With the left eigenvector y of an eigenvalue mu, y^H G = mu
 * y^H, the error e of an iterate holds y^H e of that mode, which every sweep multiplies by mu. It follows from the
 * iterate's residual w_F = A_FF e: a sweep would move lambda by d = (1 - G) e, so y^H e = y^H d / (1 - mu). Modes below
 * `silent` of the largest y^H e are rounding; the rate of that run is the largest |mu| among the others. */
#include "direct/dense.h"

#include "base/arithmetic.h"

#include <lapacke.h>
#include <stdlib.h>

/* A residual below this part of the largest |b| counts as zero where degenerate rows are counted. */
static const double zero_residual = 1e-9;
/* The part of the largest mode in the error below which a mode counts as rounding. */
static const double silent = 1e-10;

typedef struct workspace {
    const dls_dense *d;
    dls_splitting splitting;
    lapack_int m;                 /* free rows */
    size_t *free_row;             /* m */
    double *A, *G, *P, *spare;    /* m x m; P holds the left eigenvectors in the end */
    double *real, *imaginary, *s; /* m */
    double *w;                    /* n */
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

/* w = A lambda + b of all rows */
static void residual(workspace *ws, const double *lambda)
{
    int n = (int)ws->d->n;
    memcpy(ws->w, ws->d->b, ws->d->n * sizeof *ws->w);
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, ws->d->A, n, lambda, 1, 1.0, ws->w, 1);
}

/* Lists the free rows, counts the degenerate ones, and forms A_FF. */
static void find_free(workspace *ws, const double *lambda, dls_rate *rate)
{
    const dls_dense *d = ws->d;
    size_t m = 0;
    double zero = zero_residual * largest(d->n, d->b);
    residual(ws, lambda);
    for (size_t i = 0; i < d->n; i++) {
        bool inside = lambda[i] > d->lo[i] && lambda[i] < d->hi[i];
        if (inside && d->A[i + d->n * i] > 0.0)
            ws->free_row[m++] = i;
        else if (!inside && fabs(ws->w[i]) <= zero && d->lo[i] < d->hi[i])
            rate->degenerate++;
    }
    ws->m = (lapack_int)m;
    rate->free_rows = m;
    dls_dense_block(d, m, ws->free_row, ws->A);
}

/* X <- P^-1 X for `columns` columns, with P triangular ('L', 'U') or diagonal ('D'). */
static bool divide_by_P(workspace *ws, char triangle, lapack_int columns, double *X)
{
    lapack_int m = ws->m;
    for (lapack_int j = 0; j < m; j++)
        for (lapack_int i = 0; i < m; i++) {
            double a = ws->A[i + m * j];
            bool inside = triangle == 'L' ? i > j : triangle == 'U' ? i < j : false;
            ws->P[i + m * j] = i == j ? a / ws->splitting.omega : inside ? a : 0.0;
        }
    return LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, triangle == 'U' ? 'U' : 'L', 'N', 'N', m, columns, ws->P, m, X, m) ==
           0;
}

/* The part of A beside D in P of the first sweep. */
static char first_triangle(dls_splitting splitting)
{
    return splitting.kind == DLS_SPLITTING_JACOBI ? 'D' : splitting.kind == DLS_SPLITTING_BACKWARD ? 'U' : 'L';
}

/* G <- 1 - P^-1 A */
static bool one_sweep(workspace *ws, char triangle, double *G)
{
    lapack_int m = ws->m;
    memcpy(G, ws->A, (size_t)m * (size_t)m * sizeof *G);
    if (!divide_by_P(ws, triangle, m, G))
        return false;
    for (lapack_int j = 0; j < m; j++)
        for (lapack_int i = 0; i < m; i++)
            G[i + m * j] = (i == j) - G[i + m * j];
    return true;
}

/* d = (1 - G) e from w = A e, in place: the step of one iteration; a second sweep starts from w - A d. */
static bool displacement(workspace *ws, double *w)
{
    lapack_int m = ws->m;
    double *second = ws->s;
    memcpy(second, w, (size_t)m * sizeof *w);
    if (!divide_by_P(ws, first_triangle(ws->splitting), 1, w))
        return false;
    if (ws->splitting.kind != DLS_SPLITTING_SYMMETRIC)
        return true;
    cblas_dgemv(CblasColMajor, CblasNoTrans, m, m, -1.0, ws->A, m, w, 1, 1.0, second, 1);
    if (!divide_by_P(ws, 'U', 1, second))
        return false;
    cblas_daxpy(m, 1.0, second, 1, w, 1);
    return true;
}

static bool iteration_matrix(workspace *ws)
{
    if (!one_sweep(ws, first_triangle(ws->splitting), ws->G))
        return false;
    if (ws->splitting.kind != DLS_SPLITTING_SYMMETRIC)
        return true;
    if (!one_sweep(ws, 'U', ws->spare))
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
        count += ws->s[i] <= 8.0 * (double)m * DBL_EPSILON * ws->s[0];
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
        bool pair = ws->imaginary[i] != 0.0; /* LAPACK has both one after the other */
        const double *y = ws->P + (size_t)i * (size_t)m;
        double component = hypot(cblas_ddot(m, y, 1, d, 1), pair ? cblas_ddot(m, y + m, 1, d, 1) : 0.0);
        ws->s[i] = component / hypot(1.0 - ws->real[i], ws->imaginary[i]);
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

static dls_status predict_rate(workspace *ws, const double *lambda, const double *start, dls_rate *rate,
                               dls_error *error)
{
    find_free(ws, lambda, rate);
    rate->excited_radius = NAN;
    if (ws->m == 0)
        return DLS_OK;
    rate->redundant = nullity(ws);
    if (!iteration_matrix(ws) || !eigenvalues(ws, rate->redundant))
        return dls_fail(error, DLS_BAD_INPUT, "the eigenvalues of the iteration matrix could not be computed");
    rate->spectral_radius = largest_modulus(ws, -1.0);
    if (!start)
        return DLS_OK;
    residual(ws, start);
    for (size_t i = 0; i < rate->free_rows; i++)
        ws->w[i] = ws->w[ws->free_row[i]]; /* free_row ascends */
    memcpy(ws->spare, ws->P, rate->free_rows * rate->free_rows * sizeof *ws->P);
    if (!displacement(ws, ws->w))
        return dls_fail(error, DLS_BAD_INPUT, "a sweep of the free rows could not be made");
    memcpy(ws->P, ws->spare, rate->free_rows * rate->free_rows * sizeof *ws->P);
    amplitudes(ws, ws->w);
    rate->excited_radius = largest_modulus(ws, silent * largest(rate->free_rows, ws->s));
    return DLS_OK;
}

dls_status dls_rate_predict(const dls_problem *problem, const double *lambda, const double *start,
                            dls_splitting splitting, dls_rate *rate, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    memset(rate, 0, sizeof *rate);
    if (splitting.kind == DLS_SPLITTING_NONE || problem->n_coupled > 0)
        return dls_fail(error, DLS_REFUSED, "a rate is predicted for sweeps on problems without coupled friction");
    dls_dense *d;
    DLS_TRY(dls_dense_create(problem, &d, error));
    size_t n = d->n;
    dls_arena memory = {0};
    workspace ws = {.d = d, .splitting = splitting, .n_work = (lapack_int)(8 * n + 16)};
    double **const squares[] = {&ws.A, &ws.G, &ws.P, &ws.spare},
                   **const vectors[] = {&ws.real, &ws.imaginary, &ws.s, &ws.w};
    for (size_t k = 0; k < 4; k++) {
        *squares[k] = DLS_TAKE(&memory, double, n *n);
        *vectors[k] = DLS_TAKE(&memory, double, n);
    }
    ws.work = DLS_TAKE(&memory, double, (size_t)ws.n_work);
    ws.free_row = DLS_TAKE(&memory, size_t, n);
    dls_status status = memory.failed
                            ? dls_fail(error, DLS_NO_MEMORY, "no memory for the iteration matrix of %zu rows", n)
                            : predict_rate(&ws, lambda, start, rate, error);
    dls_arena_release(&memory);
    dls_dense_destroy(d);
    return status;
}
