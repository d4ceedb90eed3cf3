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
 * With friction, rows of A_FF are replaced by the equations of face.c: a sweep that sets lambda_t to its moving bound
 * makes a step of omega = 1 for the equation lambda_t - share lambda_n = 0. The three equations of a contact under
 * Coulomb's cone are multiplied by the inverse of their own block, after which point by point they are solved exactly,
 * as by nonsmooth Gauss-Seidel.
 * so the error shrinks by the spectral radius of G per iteration. Redundant rows make A_FF singular; its null space is
 * not changed (G x = x where A x = 0) and moves no velocity, so its eigenvalues 1 (as many as the nullity) are left
 * out.
 *
 * A symmetric mechanism may never excite its slowest mode. With the left eigenvector y of an eigenvalue mu, y^H G = mu
 * y^H, the error e of an iterate holds y^H e of that mode, which every sweep multiplies by mu. It follows from the
 * iterate's residual w_F = A_FF e: a sweep would move lambda by d = (1 - G) e, so y^H e = y^H d / (1 - mu). Modes below
 * `silent` of the largest y^H e are rounding; the rate of that run is the largest |mu| among the others.
 *
 * A mode lives in the rows of its error e, a right eigenvector of G: row i has the part e_i^2 A_ii of its energy, which
 * units of rows do not change.
 *
 * Other methods have a law: a factor from the eigenvalues of P^-1 A_FF. There friction that slides is eliminated: each
 * unknown z of the reduced problem moves the rows of a vector x(z), which holds what follows it. */
#include "rate/face.h"

#include "base/arithmetic.h"

#include <lapacke.h>
#include <stdlib.h>

/* A residual below this part of the largest |b| counts as zero where degenerate rows are counted. */
static const double zero_residual = 1e-9;
/* The part of the largest mode in the error below which a mode counts as rounding. */
static const double silent = 1e-10;

/* A complex part of an eigenvalue of P^-1 A_FF beyond this part of the largest one is no rounding. */
static const double complex_part = 1e-6;

const char *const dls_rate_words[] = {"none-known", "estimate", "bound", "exact", NULL};

typedef struct workspace {
    const dls_problem *problem;
    const dls_dense *d;
    dls_splitting splitting;
    lapack_int m;                 /* equations */
    dls_face_equation *equation;  /* m */
    dls_row_side *side;           /* n */
    double *A, *G, *P, *spare;    /* m x m; P holds the left eigenvectors in the end */
    double *real, *imaginary, *s; /* m */
    double *start;                /* m: the equations at the start of a run */
    double *w, *x;                /* n */
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

/* Finds the equations at lambda, and counts the free rows and the degenerate ones. */
static void find_equations(workspace *ws, const double *lambda, dls_rate *rate)
{
    const dls_dense *d = ws->d;
    const double zero = zero_residual * largest(d->n, d->b);
    residual(ws, lambda);
    for (size_t i = 0; i < d->n; i++)
        ws->x[i] = d->A[i * (d->n + 1)];
    dls_rate_sides(ws->problem, ws->x, lambda, ws->w, ws->side);
    for (size_t i = 0; i < d->n; i++)
        rate->degenerate += ws->side[i] != DLS_SIDE_BETWEEN && fabs(ws->w[i]) <= zero && d->lo[i] < d->hi[i];
    rate->free_rows = dls_face_find(ws->problem, d, ws->side, lambda, ws->w, ws->equation);
    ws->m = (lapack_int)rate->free_rows;
}

/* A_FF: its columns are the equations at unit impulses. */
static void form_equations(workspace *ws)
{
    const dls_dense *d = ws->d;
    const size_t m = (size_t)ws->m;
    memset(ws->x, 0, d->n * sizeof *ws->x);
    for (size_t j = 0; j < m; j++) {
        const dls_face_equation *e = &ws->equation[j];
        const size_t row = e->row + (e->kind == DLS_FACE_ACROSS);
        ws->x[row] = 1.0;
        for (size_t i = 0; i < m; i++)
            ws->A[i + m * j] = dls_face_value(&ws->equation[i], d->A + d->n * row, ws->x);
        ws->x[row] = 0.0;
    }
}

/* Removes the equations of friction that slides, and forms A_FF with what follows each unknown. */
static void form_reduced(workspace *ws)
{
    const dls_dense *d = ws->d;
    const size_t all = (size_t)ws->m, n = d->n;
    size_t m = 0;
    bool *kept = (bool *)ws->spare;
    for (size_t i = 0; i < all; i++) {
        kept[i] = ws->equation[i].kind == DLS_FACE_FREE || ws->equation[i].kind == DLS_FACE_ACROSS;
        m += kept[i];
    }
    for (size_t j = 0, column = 0; j < all; j++) {
        const dls_face_equation *e = &ws->equation[j];
        if (!kept[j])
            continue;
        memset(ws->x, 0, n * sizeof *ws->x);
        if (e->kind == DLS_FACE_ACROSS)
            ws->x[e->row] = e->d[0], ws->x[e->row + 1] = e->d[1];
        else
            ws->x[e->row] = 1.0;
        for (const dls_face_equation *f = ws->equation; e->kind == DLS_FACE_FREE && f < ws->equation + all; f++) {
            if (f->kind == DLS_FACE_FOLLOWS && f->normal == e->row)
                ws->x[f->row] = f->share;
            else if (f->kind == DLS_FACE_ALONG && f->normal == e->row)
                ws->x[f->row] = f->share * f->d[0], ws->x[f->row + 1] = f->share * f->d[1];
        }
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)n, (int)n, 1.0, d->A, (int)n, ws->x, 1, 0.0, ws->w, 1);
        for (size_t i = 0, row = 0; i < all; i++)
            if (kept[i])
                ws->A[row++ + m * column] = dls_face_value(&ws->equation[i], ws->w, ws->x);
        column++;
    }
    for (size_t i = 0, row = 0; i < all; i++)
        if (kept[i])
            ws->equation[row++] = ws->equation[i];
    ws->m = (lapack_int)m;
}

/* Multiplies the equations of each contact under the cone, and their values at the start, by the inverse of their
 * block, and by its scale. False if a block is singular. */
static bool solve_contacts(workspace *ws)
{
    const size_t m = (size_t)ws->m;
    size_t rows;
    for (size_t first = 0; first < m; first += rows) {
        const size_t contact = ws->equation[first].contact;
        for (rows = 1; contact != DLS_NONE && first + rows < m && ws->equation[first + rows].contact == contact;)
            rows++;
        if (rows == 1)
            continue;
        double block[9];
        lapack_int pivots[3];
        const lapack_int k = (lapack_int)rows;
        for (size_t r = 0; r < rows; r++) {
            for (size_t j = 0; j < m; j++)
                ws->spare[r + rows * j] = ws->equation[first].scale * ws->A[first + r + m * j];
            for (size_t c = 0; c < rows; c++)
                block[r + rows * c] = ws->A[first + r + m * (first + c)];
            ws->s[r] = ws->equation[first].scale * ws->start[first + r];
        }
        if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, k, k, block, k, pivots) != 0 ||
            LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', k, ws->m, block, k, pivots, ws->spare, k) != 0 ||
            LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', k, 1, block, k, pivots, ws->s, k) != 0)
            return false;
        for (size_t r = 0; r < rows; r++) {
            for (size_t j = 0; j < m; j++)
                ws->A[first + r + m * j] = ws->spare[r + rows * j];
            ws->start[first + r] = ws->s[r];
        }
    }
    return true;
}

/* X <- P^-1 X for `columns` columns, with P triangular ('L', 'U') or diagonal ('D'). */
static bool divide_by_P(workspace *ws, char triangle, lapack_int columns, double *X)
{
    lapack_int m = ws->m;
    for (lapack_int j = 0; j < m; j++)
        for (lapack_int i = 0; i < m; i++) {
            double a = ws->A[i + m * j];
            bool inside = triangle == 'L' ? i > j : triangle == 'U' ? i < j : false;
            const bool relaxed = ws->equation[i].kind == DLS_FACE_FREE;
            ws->P[i + m * j] = i == j ? (relaxed ? a / ws->splitting.omega : a) : inside ? a : 0.0;
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

/* Nullity of D^-1/2 A D^-1/2, D the scales of the equations, whose entries have one unit: singular values below m eps
 * times the largest. */
static size_t nullity(workspace *ws)
{
    lapack_int m = ws->m;
    for (lapack_int j = 0; j < m; j++)
        for (lapack_int i = 0; i < m; i++)
            ws->spare[i + m * j] = ws->A[i + m * j] / sqrt(ws->equation[i].scale * ws->equation[j].scale);
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

/* Eigenvalues of G into real, imaginary; the `redundant` ones nearest to 1 are set to 0. Left or right eigenvectors
 * into P. */
static bool eigenvalues(workspace *ws, bool right, size_t redundant)
{
    lapack_int m = ws->m;
    if (LAPACKE_dgeev_work(LAPACK_COL_MAJOR, right ? 'N' : 'V', right ? 'V' : 'N', m, ws->G, m, ws->real, ws->imaginary,
                           right ? NULL : ws->P, m, right ? ws->P : NULL, m, ws->work, ws->n_work) != 0)
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

/* The shares of the rows in the slowest mode, whose right eigenvector is in P: that of a pair in two columns. */
static void find_shares(const workspace *ws, double *share)
{
    const size_t m = (size_t)ws->m, n = ws->d->n;
    size_t slowest = 0;
    double sum = 0.0;
    for (size_t i = 1; i < m; i++)
        if (hypot(ws->real[i], ws->imaginary[i]) > hypot(ws->real[slowest], ws->imaginary[slowest]))
            slowest = i;
    const double *e = ws->P + slowest * m, *other = ws->imaginary[slowest] != 0.0 ? e + m : NULL;
    for (size_t j = 0; j < m; j++) {
        const size_t row = ws->equation[j].row + (ws->equation[j].kind == DLS_FACE_ACROSS);
        share[row] = (e[j] * e[j] + (other ? other[j] * other[j] : 0.0)) * ws->d->A[row * (n + 1)];
        sum += share[row];
    }
    for (size_t i = 0; i < n && sum > 0.0; i++)
        share[i] /= sum;
}

static dls_status predict_rate(workspace *ws, const double *lambda, const double *start, double *share, dls_rate *rate,
                               dls_error *error)
{
    find_equations(ws, lambda, rate);
    rate->excited_radius = NAN;
    rate->word = DLS_RATE_EXACT;
    if (ws->m == 0)
        return DLS_OK;
    form_equations(ws);
    if (start)
        residual(ws, start);
    for (lapack_int i = 0; start && i < ws->m; i++)
        ws->start[i] = dls_face_value(&ws->equation[i], ws->w, start);
    rate->redundant = solve_contacts(ws) ? nullity(ws) : 0;
    if (!iteration_matrix(ws) || !eigenvalues(ws, share != NULL, rate->redundant))
        return dls_fail(error, DLS_BAD_INPUT, "the eigenvalues of the iteration matrix could not be computed");
    rate->spectral_radius = largest_modulus(ws, -1.0);
    if (share)
        find_shares(ws, share);
    if (!start)
        return DLS_OK;
    memcpy(ws->spare, ws->P, rate->free_rows * rate->free_rows * sizeof *ws->P);
    if (!displacement(ws, ws->start))
        return dls_fail(error, DLS_BAD_INPUT, "a sweep of the free rows could not be made");
    memcpy(ws->P, ws->spare, rate->free_rows * rate->free_rows * sizeof *ws->P);
    amplitudes(ws, ws->start);
    rate->excited_radius = largest_modulus(ws, silent * largest(rate->free_rows, ws->s));
    return DLS_OK;
}

/* --- laws --- */

static bool is_symmetric(const workspace *ws)
{
    const size_t m = (size_t)ws->m;
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < j; i++)
            if (fabs(ws->A[i + m * j] - ws->A[j + m * i]) > 1e-12 * sqrt(ws->equation[i].scale * ws->equation[j].scale))
                return false;
    return true;
}

/* G = P^-1 A_FF with the law's P. */
static bool precondition(workspace *ws, dls_splitting_kind kind)
{
    const size_t m = (size_t)ws->m;
    memcpy(ws->G, ws->A, m * m * sizeof *ws->G);
    if (kind == DLS_SPLITTING_SYMMETRIC) {
        if (!divide_by_P(ws, 'L', ws->m, ws->G))
            return false;
        const double omega = ws->splitting.omega;
        for (size_t k = 0; k < m * m; k++)
            ws->G[k] *= (2.0 - omega) / omega * ws->A[k % m * (m + 1)];
        return divide_by_P(ws, 'U', ws->m, ws->G);
    }
    for (size_t k = 0; k < m * m; k++)
        ws->G[k] /= ws->equation[k % m].scale;
    return true;
}

static dls_status predict_law(workspace *ws, const double *lambda, const dls_rate_law *law, const void *settings,
                              dls_rate *rate, dls_error *error)
{
    find_equations(ws, lambda, rate);
    bool slides = false;
    for (lapack_int i = 0; i < ws->m; i++)
        slides = slides || ws->equation[i].kind != DLS_FACE_FREE;
    form_reduced(ws);
    rate->excited_radius = NAN;
    rate->word = law->bound && !slides && is_symmetric(ws) ? DLS_RATE_BOUND : DLS_RATE_ESTIMATE;
    if (ws->m == 0)
        return DLS_OK;
    rate->redundant = nullity(ws);
    if (!precondition(ws, law->preconditioner) ||
        LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', ws->m, ws->G, ws->m, ws->real, ws->imaginary, NULL, ws->m, NULL,
                           ws->m, ws->work, ws->n_work) != 0)
        return dls_fail(error, DLS_BAD_INPUT, "the eigenvalues of the scaled matrix could not be computed");
    const double most = largest((size_t)ws->m, ws->real);
    qsort(ws->real, (size_t)ws->m, sizeof *ws->real, ascending);
    const size_t dropped = rate->redundant;
    if (dropped == (size_t)ws->m)
        return DLS_OK;
    if (largest((size_t)ws->m, ws->imaginary) > complex_part * most || !(ws->real[dropped] > 0.0))
        return dls_fail(error, DLS_REFUSED, "the law needs real, positive eigenvalues, which this free set has not");
    rate->spectral_radius = law->factor(settings, (size_t)ws->m - dropped, ws->real + dropped);
    return DLS_OK;
}

/* --- both --- */

typedef struct prediction {
    const double *lambda, *start;
    double *share;           /* n, or NULL; not with start */
    const dls_rate_law *law; /* NULL: of the splitting */
    const void *settings;
} prediction;

static dls_status predict(const dls_problem *problem, dls_splitting splitting, const prediction *of, dls_rate *rate,
                          dls_error *error)
{
    dls_dense *d;
    if (dls_problem_contact_laws(problem) != 0)
        return dls_fail(error, DLS_REFUSED,
                        "a rate is predicted for Coulomb's isotropic cone; this problem has contacts under other laws");
    DLS_TRY(dls_dense_create(problem, &d, error));
    size_t n = d->n;
    dls_arena memory = {0};
    workspace ws = {.problem = problem, .d = d, .splitting = splitting, .n_work = (lapack_int)(8 * n + 16)};
    double **const squares[] = {&ws.A, &ws.G, &ws.P, &ws.spare},
                   **const vectors[] = {&ws.real, &ws.imaginary, &ws.s, &ws.w, &ws.x, &ws.start};
    for (size_t k = 0; k < sizeof squares / sizeof squares[0]; k++)
        *squares[k] = DLS_TAKE(&memory, double, n *n);
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
        *vectors[k] = DLS_TAKE(&memory, double, n);
    ws.work = DLS_TAKE(&memory, double, (size_t)ws.n_work);
    ws.equation = DLS_TAKE(&memory, dls_face_equation, n);
    ws.side = DLS_TAKE(&memory, dls_row_side, n);
    dls_status status;
    if (memory.failed)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for the iteration matrix of %zu rows", n);
    else if (of->law)
        status = predict_law(&ws, of->lambda, of->law, of->settings, rate, error);
    else
        status = predict_rate(&ws, of->lambda, of->start, of->share, rate, error);
    dls_arena_release(&memory);
    dls_dense_destroy(d);
    return status;
}

static dls_status predict_stationary(const dls_problem *problem, dls_splitting splitting, const prediction *of,
                                     dls_rate *rate, dls_error *error)
{
    memset(rate, 0, sizeof *rate);
    return splitting.kind == DLS_SPLITTING_NONE
               ? dls_fail(error, DLS_REFUSED, "a rate is predicted for stationary iterations, and this is none")
               : predict(problem, splitting, of, rate, error);
}

dls_status dls_rate_predict(const dls_problem *problem, const double *lambda, const double *start,
                            dls_splitting splitting, dls_rate *rate, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    return predict_stationary(problem, splitting, &(prediction){.lambda = lambda, .start = start}, rate, error);
}

dls_status dls_rate_mode(const dls_problem *problem, const double *lambda, dls_splitting splitting, dls_rate *rate,
                         double *share, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    memset(share, 0, problem->n * sizeof *share);
    return predict_stationary(problem, splitting, &(prediction){.lambda = lambda, .share = share}, rate, error);
}

dls_status dls_rate_predict_law(const dls_problem *problem, const double *lambda, const dls_rate_law *law,
                                const void *settings, dls_rate *rate, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    memset(rate, 0, sizeof *rate);
    return predict(problem, (dls_splitting){law->preconditioner, law->omega ? law->omega(settings) : 1.0},
                   &(prediction){.lambda = lambda, .law = law, .settings = settings}, rate, error);
}
