/* Every direct method goes its own way through fixed families of small problems: how it ends, in how many steps, with
 * how many calls of LAPACK and the BLAS on how large matrices, and what it says, is what it once was, no more and no
 * less. The rules of a method are redundant: without one of them its answers often stay right, and only its way to
 * them tells.
 *
 * The data are whole numbers and powers of two. Where a decision is one of rounding nevertheless, the ways differ with
 * the kernels of the BLAS: what differed under six kernels of OpenBLAS is left out, by the number of the problem. Under
 * a kernel or a version that nobody has counted under, a fiftieth of each count may differ. DLS_COUNTS_EACH prints the
 * counts of each problem, from which solver_counts.def is made (tests/solver_counts.py). */
#include "check.h"

#include "delassus/delassus.h"
#include "delassus/reference.h"

#include <cblas.h>
#include <ctype.h>
#include <lapacke.h>
#include <string.h>

/* Outcomes; the sums of what reports tell; calls of LAPACK and the sum of the orders of their matrices; of level 2 of
 * the BLAS and the sum of rows and columns; of level 1 and the sum of lengths. */
enum {
    SOLVED,
    SEVERAL,
    CONTINUUM,
    PROVED,
    FAILED,
    UNFINISHED,
    REFUSED,
    ITERATIONS,
    FACTORS,
    SOLUTIONS,
    WORDS,
    DEAD,
    AT_BOUNDS,  /* impulses that are a bound or 0, those of the second solution twice, and so on */
    MAGNITUDES, /* how large impulses are, in quarters of a power of two, and signs */
    PROOFS,     /* kinds of proofs, and numbers of their rows */
    FACTORED,
    ORDER,
    PRODUCTS,
    SIZES,
    VECTORS,
    LENGTHS,
    COUNTS
};
static const char *const count_names[COUNTS] = {
    [SOLVED] = "solved",
    [SEVERAL] = "with several solutions",
    [CONTINUUM] = "with a continuum",
    [PROVED] = "proved unsolvable",
    [FAILED] = "failed",
    [UNFINISHED] = "unfinished",
    [REFUSED] = "refused",
    [ITERATIONS] = "iterations",
    [FACTORS] = "factorisations",
    [SOLUTIONS] = "solutions",
    [WORDS] = "words",
    [DEAD] = "dead rows",
    [AT_BOUNDS] = "impulses at 0 or bounds",
    [MAGNITUDES] = "magnitudes",
    [PROOFS] = "proofs",
    [FACTORED] = "calls of LAPACK",
    [ORDER] = "their orders",
    [PRODUCTS] = "products",
    [SIZES] = "their sizes",
    [VECTORS] = "calls on vectors",
    [LENGTHS] = "their lengths",
};

enum { LARGEST = 24, MOST_LEFT_OUT = 128 };

typedef struct way {
    const char *solver, *family;
    size_t counts[COUNTS];
    unsigned left_out[MOST_LEFT_OUT]; /* numbers of problems, from 1; 0 behind the last */
} way;

static const way known[] = {
#include "solver_counts.def"
};

/* --- what is counted of LAPACK and the BLAS --- */

static size_t counted[COUNTS];
static void note(int calls, int sizes, long size)
{
    counted[calls]++;
    counted[sizes] += (size_t)size;
}

/* A function of LAPACK or the BLAS is counted and called: its type, parameters, arguments, the counts and the size. */
#define COUNTED(type, name, parameters, arguments, calls, sizes, size) \
    type __real_##name parameters;                                     \
    type __wrap_##name parameters;                                     \
    type __wrap_##name parameters                                      \
    {                                                                  \
        note(calls, sizes, (long)(size));                              \
        return __real_##name arguments;                                \
    }
#define COUNTED_VOID(name, parameters, arguments, calls, sizes, size) \
    void __real_##name parameters;                                    \
    void __wrap_##name parameters;                                    \
    void __wrap_##name parameters                                     \
    {                                                                 \
        note(calls, sizes, (long)(size));                             \
        __real_##name arguments;                                      \
    }

COUNTED(lapack_int, LAPACKE_dpotrf_work, (int layout, char part, lapack_int n, double *a, lapack_int lda),
        (layout, part, n, a, lda), FACTORED, ORDER, n)
COUNTED(lapack_int, LAPACKE_dgetrf_work,
        (int layout, lapack_int m, lapack_int n, double *a, lapack_int lda, lapack_int *pivots),
        (layout, m, n, a, lda, pivots), FACTORED, ORDER, n)
COUNTED(lapack_int, LAPACKE_dgesv_work,
        (int layout, lapack_int n, lapack_int count, double *a, lapack_int lda, lapack_int *pivots, double *b,
         lapack_int ldb),
        (layout, n, count, a, lda, pivots, b, ldb), FACTORED, ORDER, n)
COUNTED(lapack_int, LAPACKE_dposv_work,
        (int layout, char part, lapack_int n, lapack_int count, double *a, lapack_int lda, double *b, lapack_int ldb),
        (layout, part, n, count, a, lda, b, ldb), FACTORED, ORDER, n)
COUNTED(lapack_int, LAPACKE_dpstrf_work,
        (int layout, char part, lapack_int n, double *a, lapack_int lda, lapack_int *pivots, lapack_int *rank,
         double tolerance, double *work),
        (layout, part, n, a, lda, pivots, rank, tolerance, work), FACTORED, ORDER, n)
COUNTED(lapack_int, LAPACKE_dgelsy_work,
        (int layout, lapack_int m, lapack_int n, lapack_int count, double *a, lapack_int lda, double *b, lapack_int ldb,
         lapack_int *pivots, double tolerance, lapack_int *rank, double *work, lapack_int size),
        (layout, m, n, count, a, lda, b, ldb, pivots, tolerance, rank, work, size), FACTORED, ORDER, m + n)
COUNTED(lapack_int, LAPACKE_dpotrs_work,
        (int layout, char part, lapack_int n, lapack_int count, const double *a, lapack_int lda, double *b,
         lapack_int ldb),
        (layout, part, n, count, a, lda, b, ldb), FACTORED, ORDER, n)
COUNTED(lapack_int, LAPACKE_dgetrs_work,
        (int layout, char form, lapack_int n, lapack_int count, const double *a, lapack_int lda,
         const lapack_int *pivots, double *b, lapack_int ldb),
        (layout, form, n, count, a, lda, pivots, b, ldb), FACTORED, ORDER, n)
COUNTED_VOID(cblas_dgemv,
             (CBLAS_ORDER order, CBLAS_TRANSPOSE form, blasint m, blasint n, double alpha, const double *a, blasint lda,
              const double *x, blasint step_x, double beta, double *y, blasint step_y),
             (order, form, m, n, alpha, a, lda, x, step_x, beta, y, step_y), PRODUCTS, SIZES, m + n)
COUNTED_VOID(cblas_dsymv,
             (CBLAS_ORDER order, CBLAS_UPLO part, blasint n, double alpha, const double *a, blasint lda,
              const double *x, blasint step_x, double beta, double *y, blasint step_y),
             (order, part, n, alpha, a, lda, x, step_x, beta, y, step_y), PRODUCTS, SIZES, 2 * n)
COUNTED_VOID(cblas_dtrsv,
             (CBLAS_ORDER order, CBLAS_UPLO part, CBLAS_TRANSPOSE form, CBLAS_DIAG diagonal, blasint n, const double *a,
              blasint lda, double *x, blasint step),
             (order, part, form, diagonal, n, a, lda, x, step), PRODUCTS, SIZES, n)
COUNTED_VOID(cblas_daxpy, (blasint n, double alpha, const double *x, blasint step_x, double *y, blasint step_y),
             (n, alpha, x, step_x, y, step_y), VECTORS, LENGTHS, n)
COUNTED(double, cblas_ddot, (blasint n, const double *x, blasint step_x, const double *y, blasint step_y),
        (n, x, step_x, y, step_y), VECTORS, LENGTHS, n)
COUNTED_VOID(cblas_dscal, (blasint n, double alpha, double *x, blasint step), (n, alpha, x, step), VECTORS, LENGTHS, n)
COUNTED_VOID(cblas_dcopy, (blasint n, const double *x, blasint step_x, double *y, blasint step_y),
             (n, x, step_x, y, step_y), VECTORS, LENGTHS, n)
COUNTED_VOID(cblas_drot, (blasint n, double *x, blasint step_x, double *y, blasint step_y, double cosine, double sine),
             (n, x, step_x, y, step_y, cosine, sine), VECTORS, LENGTHS, n)

/* --- families --- */

static unsigned state;
static int whole(int from, int to)
{
    state = 1664525u * state + 1013904223u;
    return from + (int)((state >> 8) % (unsigned)(to - from + 1));
}

typedef struct draft {
    size_t n;
    double A[LARGEST * LARGEST], b[LARGEST], lo[LARGEST], hi[LARGEST];
    double mu[LARGEST]; /* not below 0: the row is under the box of the last one with its own bounds */
} draft;

static double *at(draft *d, size_t i, size_t j) { return &d->A[i + d->n * j]; }

static void any_matrix(draft *d, int size)
{
    for (size_t k = 0; k < d->n * d->n; k++)
        d->A[k] = whole(-size, size);
}

/* A += G G^T with columns of whole numbers. */
static void add_gram(draft *d, size_t columns, int size)
{
    double G[LARGEST];
    for (size_t k = 0; k < columns; k++) {
        for (size_t i = 0; i < d->n; i++)
            G[i] = whole(-size, size);
        for (size_t i = 0; i < d->n; i++)
            for (size_t j = 0; j < d->n; j++)
                *at(d, i, j) += G[i] * G[j];
    }
}

static void add_diagonal(draft *d, double shift)
{
    for (size_t i = 0; i < d->n; i++)
        *at(d, i, i) += shift;
}

static void add_skew(draft *d, int size)
{
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < i; j++) {
            const double x = whole(-size, size);
            *at(d, i, j) += x, *at(d, j, i) -= x;
        }
}

enum { LOWER, FREE, BOXED, UPPER, SHIFTED, FIXED, KINDS };

static void bound(draft *d, size_t i, int kind)
{
    const double low = whole(-2, 1);
    d->lo[i] = kind == LOWER ? 0.0 : kind == FREE || kind == UPPER ? -HUGE_VAL : low;
    d->hi[i] = kind == BOXED ? low + whole(1, 3) : kind == UPPER || kind == FIXED ? low : HUGE_VAL;
}

static void bound_all(draft *d, int last)
{
    for (size_t i = 0; i < d->n; i++)
        bound(d, i, whole(0, last));
}

static void draw_b(draft *d, int size)
{
    for (size_t i = 0; i < d->n; i++)
        d->b[i] = whole(-size, size);
}

/* b = w - A lambda of a solution; where `degenerate`, many rows have lambda at a bound and w = 0. */
static void solve_by(draft *d, bool degenerate)
{
    double lambda[LARGEST];
    for (size_t i = 0; i < d->n; i++) {
        const bool below = !isinf(d->lo[i]), above = !isinf(d->hi[i]);
        const int where = whole(0, 2), w = degenerate && whole(0, 1) ? 0 : whole(1, 3);
        lambda[i] = below && above ? 0.5 * (d->lo[i] + d->hi[i])
                    : below        ? d->lo[i] + whole(1, 2)
                    : above        ? d->hi[i] - whole(1, 2)
                                   : whole(-2, 2);
        d->b[i] = 0.0;
        if (where == 0 && below)
            lambda[i] = d->lo[i], d->b[i] = w;
        else if (where == 1 && above)
            lambda[i] = d->hi[i], d->b[i] = -w;
    }
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < d->n; j++)
            d->b[i] -= *at(d, i, j) * lambda[j];
}

/* Of any definiteness. */
static void tiny(draft *d, unsigned k)
{
    d->n = 1 + k % 4;
    any_matrix(d, 2);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < i; j++)
            *at(d, i, j) = k / 4 % 3 == 0 ? *at(d, j, i) : k / 4 % 3 == 1 ? -*at(d, j, i) : *at(d, i, j);
    bound_all(d, k / 12 % 2 ? LOWER : KINDS - 1);
    draw_b(d, 3);
}

static void definite(draft *d, unsigned k)
{
    d->n = 2 + k % 14;
    add_gram(d, d->n, 2);
    add_diagonal(d, 1.0);
    bound_all(d, k % 3 == 0 ? LOWER : k % 3 == 1 ? BOXED : KINDS - 1);
    draw_b(d, 12);
}

/* The rank is half of the number of rows; mostly there is no solution. */
static void semidefinite(draft *d, unsigned k)
{
    d->n = 2 + k % 9;
    add_gram(d, (d->n + 1) / 2, 2);
    bound_all(d, k % 3 == 0 ? LOWER : k % 3 == 1 ? BOXED : KINDS - 1);
    draw_b(d, 5);
}

static void degenerate(draft *d, unsigned k)
{
    d->n = 2 + k % 9;
    add_gram(d, k % 2 ? d->n : (d->n + 1) / 2, 2);
    bound_all(d, k % 3 == 0 ? LOWER : k % 3 == 1 ? BOXED : KINDS - 1);
    solve_by(d, true);
}

static void monotone(draft *d, unsigned k)
{
    d->n = 2 + k % 9;
    add_gram(d, k % 2 ? d->n : d->n / 2, 2);
    add_skew(d, 1 + (int)(k % 4));
    if (k % 5 == 0)
        add_diagonal(d, 0.0625);
    bound_all(d, k % 3 == 0 ? LOWER : k % 3 == 1 ? BOXED : KINDS - 1);
    if (k % 2)
        draw_b(d, 6);
    else
        solve_by(d, k % 4 == 0);
}

/* Equations with multipliers: [K G^T; -G 0], the multipliers free, dependent where there are as many as rows of K. */
static void saddle(draft *d, unsigned k)
{
    const size_t rows = 2 + k % 4, multipliers = 1 + k / 4 % rows;
    d->n = rows;
    add_gram(d, rows, 1);
    draft K = *d;
    d->n = rows + multipliers;
    memset(d->A, 0, sizeof d->A);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++)
            *at(d, i, j) = *at(&K, i, j);
    for (size_t i = 0; i < multipliers; i++)
        for (size_t j = 0; j < rows; j++) {
            const double g = i % 3 == 2 ? *at(d, rows, j) : whole(-1, 1);
            *at(d, rows + i, j) = g, *at(d, j, rows + i) = -g;
        }
    for (size_t i = 0; i < d->n; i++)
        bound(d, i, i < rows ? whole(LOWER, KINDS - 2) : FREE);
    if (k % 3)
        solve_by(d, false);
    else
        draw_b(d, 3);
}

/* P-matrices on which single exchanges and pivots take many steps: triangular ones, and cycles, on which blocks return
 * to their sets. */
static void long_ways(draft *d, unsigned k)
{
    d->n = 3 + k % 6;
    for (size_t i = 0; i < d->n; i++) {
        *at(d, i, i) = 1.0;
        for (size_t j = 0; k % 3 == 0 && j < i; j++)
            *at(d, i, j) = 2.0;
        for (size_t j = 0; k % 3 == 1 && j < i; j++)
            *at(d, j, i) = 2.0;
        if (k % 3 == 2)
            *at(d, i, (i + 1) % d->n) = d->n % 2 ? 2.0 : -2.0;
    }
    bound_all(d, k / 18 % 2 ? BOXED : LOWER);
    for (size_t i = 0; i < d->n; i++)
        d->b[i] = k / 6 % 2 ? -1.0 : whole(-4, 1);
}

/* G G^T and a shift by a power of two, from what shows to what is rounding. */
static void nearly_singular(draft *d, unsigned k)
{
    d->n = 2 + k % 5;
    add_gram(d, (d->n + 1) / 2, 1);
    add_diagonal(d, ldexp(k / 45 ? -1.0 : 1.0, -14 - (int)(k % 45)));
    bound_all(d, k % 2 ? LOWER : UPPER);
    draw_b(d, 3);
}

/* Rows repeated, whose b differ by nothing or by a power of two, from what shows to what is rounding. */
static void contradicting(draft *d, unsigned k)
{
    d->n = 3 + k % 4;
    add_gram(d, d->n, 1);
    const size_t last = d->n - 1;
    for (size_t j = 0; j < d->n; j++)
        *at(d, last, j) = *at(d, 0, j);
    for (size_t i = 0; i < d->n; i++)
        *at(d, i, last) = *at(d, i, 0);
    bound_all(d, k % 2 ? FREE : UPPER);
    if (k % 3)
        bound(d, 0, FREE), bound(d, last, FREE);
    draw_b(d, 3);
    d->b[0] = whole(1, 3);
    d->b[last] = d->b[0] + ldexp(k % 2 ? 1.0 : -1.0, -20 - (int)(k / 2));
}

/* Rows in units of their own, 0 on the diagonal, and entries that stand out above it. */
static void units(draft *d, unsigned k)
{
    d->n = 2 + k % 5;
    if (k % 3)
        add_gram(d, d->n, 1);
    add_skew(d, 3);
    for (size_t i = 0; i < d->n; i++)
        if (whole(0, 2) == 0)
            *at(d, i, i) = k % 2 ? 0.0 : ldexp(1.0, -whole(3, 40));
    bound_all(d, KINDS - 2);
    if (k % 4)
        solve_by(d, false);
    else
        draw_b(d, 4);
    for (size_t i = 0; i < d->n; i++) {
        const double unit = ldexp(1.0, whole(-9, 9));
        for (size_t j = 0; j < d->n; j++)
            *at(d, i, j) *= unit;
        for (size_t j = 0; j < d->n; j++)
            *at(d, j, i) *= unit;
        d->b[i] *= unit, d->lo[i] /= unit, d->hi[i] /= unit;
    }
}

/* Impulses far above or below what is asked for, to a row that hardly moves, and rows that nothing moves. */
static void extreme(draft *d, unsigned k)
{
    d->n = 3 + k % 4;
    add_gram(d, d->n - k % 2, 1);
    for (size_t j = 0; j < d->n && k % 3 == 0; j++)
        *at(d, 0, j) = *at(d, j, 0) = 0.0;
    bound_all(d, k % 4 ? KINDS - 1 : LOWER);
    draw_b(d, 2);
    for (size_t i = 0; i < d->n; i++) {
        d->b[i] = ldexp(d->b[i], -whole(0, 3) * 12);
        d->hi[i] = ldexp(d->hi[i], whole(0, 2) * 12);
    }
    for (size_t i = 0; i < d->n; i++)
        if (d->hi[i] < d->lo[i])
            d->hi[i] = d->lo[i];
}

/* L L^T, of a condition number that grows with the number of rows. */
static void stiff(draft *d, unsigned k)
{
    double L[LARGEST * LARGEST] = {0};
    d->n = 4 + k % 15;
    for (size_t i = 0; i < d->n; i++) {
        L[i + d->n * i] = 1.0;
        for (size_t j = 0; j < i; j++)
            L[i + d->n * j] = whole(-2, 2);
    }
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < d->n; j++)
            for (size_t c = 0; c < d->n; c++)
                *at(d, i, j) += L[i + d->n * c] * L[j + d->n * c];
    bound_all(d, k % 3 == 0 ? LOWER : k % 3 == 1 ? FREE : KINDS - 1);
    if (k % 2)
        draw_b(d, 9);
    else
        solve_by(d, false);
}

/* Rows of normal impulses, each with one or two rows under its box. */
static void boxes(draft *d, unsigned k)
{
    d->n = 2 + k % 7;
    add_gram(d, k % 3 ? d->n : (d->n + 1) / 2, 1);
    if (k % 3 != 1)
        add_diagonal(d, 1.0);
    bound_all(d, LOWER);
    draw_b(d, 5);
    for (size_t i = 0; i < d->n; i++)
        d->mu[i] = i % 3 != 0 && whole(0, 3) ? 0.25 * whole(0, 4) : -1.0;
}

static const struct {
    const char *name;
    void (*draw)(draft *d, unsigned k);
    unsigned problems;
} families[] = {{"tiny", tiny, 240},
                {"definite", definite, 84},
                {"semidefinite", semidefinite, 90},
                {"degenerate", degenerate, 90},
                {"monotone", monotone, 90},
                {"saddle", saddle, 64},
                {"long ways", long_ways, 72},
                {"nearly singular", nearly_singular, 90},
                {"contradicting", contradicting, 80},
                {"units", units, 90},
                {"extreme", extreme, 80},
                {"stiff", stiff, 60},
                {"boxes", boxes, 84},
                {"bodies", NULL, 96},
                {"boxes on bodies", NULL, 60}};
enum { FAMILIES = sizeof families / sizeof families[0], BODIES = FAMILIES - 2, SMALL = 7 };

/* Rows i of the problem go under the boxes of the rows before them. */
static void put_boxes(dls_problem *p, const double *mu)
{
    size_t normal = 0;
    for (size_t i = 1; i < p->n; i++) {
        if (mu[i] < 0.0) {
            normal = i;
            continue;
        }
        p->parent[i] = normal, p->law[i] = DLS_LAW_BOX, p->mu[i] = mu[i];
        p->lo[i] = p->hi[i] = 0.0;
        p->n_coupled++;
    }
}

/* Two bodies, the second one heavier or lighter by powers of two, and rows of whole numbers between them, some of them
 * twice: they agree, or contradict each other; others move nothing. */
static dls_problem *bodies(unsigned k, bool boxed)
{
    static dls_mass_body body[2];
    enum { NV = 12 };
    const size_t n = 2 + k % 6;
    dls_problem *p;
    dls_error error;
    double mu[LARGEST];
    assert_status(dls_problem_allocate(n, NV, 2 * n, NV * n, 2, &p, &error), &error);
    p->form = DLS_FORM_MECHANICAL, p->h = 0.125;
    for (size_t b = 0; b < 2; b++) {
        const double mass = b ? ldexp(1.0, (int)(k % 5) * 10 - 20) : 1.0, inertia = 0.25 * mass;
        body[b] = (dls_mass_body){.mass = mass, .inverse_mass = 1.0 / mass};
        for (int i = 0; i < 3; i++)
            body[b].inertia.m[4 * i] = inertia, body[b].inverse_inertia.m[4 * i] = 1.0 / inertia;
        p->mass.blocks[b] = (dls_mass_block){6 * b, 6, &dls_mass_body_kind, &body[b]};
    }
    for (size_t j = 0; j < NV; j++)
        p->v_star[j] = whole(-2, 2);
    for (size_t i = 0; i < n; i++) {
        const size_t twin = i > 0 && whole(0, 2) == 0 ? (size_t)whole(0, (int)i - 1) : i;
        const bool loops = !boxed && k % 3 == 0, dead = !loops && whole(0, 9) == 0;
        const int kind = boxed ? LOWER : loops ? FREE : whole(0, k % 4 ? FREE : UPPER);
        for (size_t b = 0; b < 2; b++) {
            p->J.offset[2 * i + b] = 6 * b, p->J.mass[2 * i + b] = (uint32_t)b;
            p->J.coef_at[2 * i + b + 1] = 6 * (2 * i + b + 1);
        }
        p->J.start[i + 1] = 2 * (i + 1);
        for (size_t c = 0; c < NV; c++)
            p->J.coef[NV * i + c] = dead ? 0.0 : twin < i ? p->J.coef[NV * twin + c] : whole(-2, 2);
        p->lo[i] = kind == FREE || kind == UPPER ? -HUGE_VAL : kind == BOXED ? -1.0 : 0.0;
        p->hi[i] = kind == BOXED ? 1.0 : kind == UPPER ? 0.0 : HUGE_VAL;
        p->gamma[i] = loops || whole(0, 2) ? 0.0 : ldexp(1.0, -whole(0, 20));
        p->c[i] = twin < i ? p->c[twin] + (whole(0, 2) ? 0.0 : ldexp(1.0, -whole(0, 45))) : whole(-3, 3);
        p->parent[i] = DLS_NONE;
        mu[i] = boxed && i % 3 != 0 ? 0.25 * whole(0, 4) : -1.0;
    }
    if (boxed)
        put_boxes(p, mu);
    assert_status(dls_problem_check(p, &error), &error);
    return p;
}

static dls_problem *problem_of(size_t family, unsigned k)
{
    draft d = {0};
    dls_problem *p;
    dls_error error;
    state = 20011u * (unsigned)family + 7919u * k + 1u;
    if (family >= BODIES)
        return bodies(k, family > BODIES);
    for (size_t i = 0; i < LARGEST; i++)
        d.mu[i] = -1.0;
    families[family].draw(&d, k);
    assert_in_range(d.n, 1, LARGEST);
    assert_status(dls_problem_from_matrix(d.n, d.A, d.b, d.lo, d.hi, &p, &error), &error);
    put_boxes(p, d.mu);
    assert_status(dls_problem_check(p, &error), &error);
    return p;
}

/* --- the counts --- */

static void add_impulses(const dls_problem *p, const double *lambda, size_t weight)
{
    for (size_t i = 0; i < p->n; i++) {
        counted[AT_BOUNDS] += lambda[i] == 0.0 || lambda[i] == p->lo[i] || lambda[i] == p->hi[i] ? weight : 0;
        counted[MAGNITUDES] += lambda[i] < -0.3 ? 1000 * weight : 0;
        for (int k = -24; k < 120; k++)
            counted[MAGNITUDES] += fabs(lambda[i]) > 0.318309886 * exp2(0.25 * k) ? weight : 0;
    }
}

static void add_report(const dls_problem *p, const dls_report *report, const double *lambda)
{
    static const struct {
        dls_outcome outcome;
        int count;
    } of[] = {{DLS_OUTCOME_SOLVED, SOLVED},
              {DLS_OUTCOME_SEVERAL, SEVERAL},
              {DLS_OUTCOME_CONTINUUM, CONTINUUM},
              {DLS_OUTCOME_NO_SOLUTION, PROVED},
              {DLS_OUTCOME_NUMERICAL_FAILURE, FAILED},
              {DLS_OUTCOME_ITERATION_LIMIT, UNFINISHED},
              {DLS_OUTCOME_REFUSED, REFUSED}};
    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++)
        counted[of[k].count] += report->outcome == of[k].outcome;
    counted[ITERATIONS] += report->iterations;
    counted[FACTORS] += report->factorizations;
    counted[SOLUTIONS] += report->n_solutions;
    counted[DEAD] += report->dead_rows;
    for (const char *c = report->message; *c; c++)
        counted[WORDS] += *c != ' ' && (c == report->message || c[-1] == ' ');
    add_impulses(p, lambda, 1);
    for (size_t k = 1; k < report->n_solutions; k++)
        add_impulses(p, report->solutions + k * p->n, k + 1);
    counted[PROOFS] += 100 * (size_t)report->proof;
    for (size_t i = 0; report->proof_vector && i < p->n; i++)
        counted[PROOFS] += fabs(report->proof_vector[i]) > 1e-6 ? i + 1 : 0;
}

/* Every direct method as it is, and with settings that make it take its other ways. */
static const char *const settings_of[][4] = {
    {"lemke", "factor_interval=2"},
    {"lemke", "pivots_per_row=1", "paths=3"},
    {"lemke", "tie_tolerance=0"},
    {"dantzig", "pivots_per_row=1"},
    {"block-pivoting", "patience=0"},
    {"block-pivoting", "limit=1"},
    {"newton", "patience=2"},
    {"newton", "singular=0.125"},
    {"newton", "limit=3"},
    {"interior-point", "rounds=1"},
    {"interior-point", "limit=3"},
    {"interior-point", "boundary=0.5"},
    {"enumeration", "index_sets=12"},
    {"exact", "nodes=3"},
    {"fixed-point", "limit=2"},
    {"dantzig", "residual_tolerance=0"},
    {"dantzig", "pivot_tolerance=0.125"},
    {"lemke", "rank_tolerance=0.25", "pivot_tolerance=0.125"},
    {"lemke", "residual_tolerance=0"},
    {"block-pivoting", "consistency=0.25"},
    {"block-pivoting", "tolerance=0.03125"},
    {"newton", "rank=0.25", "tolerance=0.015625"},
    {"interior-point", "consistency=0.25", "gap=0.0078125"},
    {"interior-point", "tolerance=1e-15"},
    {"enumeration", "rank_tolerance=0.25"},
    {"enumeration", "residual_tolerance=0.03125", "same_tolerance=0.25"},
};

typedef struct method {
    const dls_solver *solver;
    char name[64];
    double settings[32];
} method;

static method method_of(const dls_solver *solver, const char *const *options)
{
    method m = {.solver = solver};
    dls_error error;
    assert_non_null(solver);
    assert_true(solver->fields.size <= sizeof m.settings);
    snprintf(m.name, sizeof m.name, "%s", solver->name);
    assert_status(dls_fields_default(&solver->fields, m.settings, &error), &error);
    for (; options && *options; options++) {
        const size_t length = strlen(m.name);
        char key[DLS_NAME_MAX] = "";
        memcpy(key, *options, strcspn(*options, "="));
        assert_status(dls_field_set(&solver->fields, m.settings, key, strchr(*options, '=') + 1, &error), &error);
        snprintf(m.name + length, sizeof m.name - length, " %s", *options);
    }
    return m;
}

static bool is_left_out(const way *of, unsigned k)
{
    for (size_t at = 0; of && at < MOST_LEFT_OUT && of->left_out[at]; at++)
        if (of->left_out[at] == k + 1)
            return true;
    return false;
}

static void print_counts(const method *m, const char *family, unsigned k, const size_t *counts)
{
    print_message("%s|%s|%u|", m->name, family, k);
    for (int c = 0; c < COUNTS; c++)
        print_message("%zu%s", counts[c], c + 1 < COUNTS ? ", " : "\n");
}

static void count_ways(const method *m, size_t family, const way *of, size_t *sum)
{
    const bool exponential = strcmp(m->solver->name, "enumeration") == 0 || strcmp(m->solver->name, "exact") == 0;
    const bool each = getenv("DLS_COUNTS_EACH") != NULL;
    memset(sum, 0, COUNTS * sizeof *sum);
    for (unsigned k = 0; k < families[family].problems; k++) {
        dls_report report = {0};
        dls_problem *p = problem_of(family, k);
        double lambda[LARGEST] = {0};
        dls_error error;
        memset(counted, 0, sizeof counted);
        if ((p->n <= SMALL || !exponential) && (each || !is_left_out(of, k))) {
            assert_status(dls_solve(m->solver, p, m->settings, 1, lambda, &report, NULL, NULL, &error), &error);
            add_report(p, &report, lambda);
            dls_report_release(&report);
        }
        if (each)
            print_counts(m, families[family].name, k, counted);
        for (int c = 0; c < COUNTS; c++)
            sum[c] += counted[c];
        dls_problem_destroy(p);
    }
}

static const way *known_way(const char *solver, const char *family)
{
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strcmp(known[k].solver, solver) == 0 && strcmp(known[k].family, family) == 0)
            return &known[k];
    return NULL;
}

/* Whether the counts were made under this kernel, in this version. */
static bool is_counted_kernel(void)
{
    static const char *const kernels[] = {"SkylakeX", "Haswell", "Prescott", "Nehalem", "Sandybridge", "Zen"};
    const char *name = openblas_get_corename();
    bool any = false;
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        any = any || strcmp(kernels[k], name) == 0;
    return any && strstr(openblas_get_config(), "OpenBLAS 0.3.21 ") != NULL;
}

static bool as_known(const method *m, const char *family, const way *of, const size_t *sum)
{
    bool good = of != NULL;
    if (!of)
        print_error("%s, %s problems: not counted yet\n", m->name, family);
    for (int c = 0; of && c < COUNTS; c++) {
        const double off = fabs((double)sum[c] - (double)of->counts[c]);
        if (off <= (is_counted_kernel() ? 0.0 : 2.0 + 0.02 * (double)of->counts[c]))
            continue;
        print_error("%s, %s problems, %s: %zu, and not %zu\n", m->name, family, count_names[c], sum[c], of->counts[c]);
        good = false;
    }
    return good;
}

static bool goes_its_way(const dls_solver *solver, const char *const *options)
{
    const method m = method_of(solver, options);
    bool good = true;
    for (size_t f = 0; f < FAMILIES; f++) {
        const char *family = families[f].name;
        const way *of = known_way(m.name, family);
        size_t sum[COUNTS];
        if ((f >= BODIES - 1 && f != BODIES && !(solver->accepts & DLS_ACCEPTS_COUPLED)) ||
            (f >= BODIES && options && strcmp(solver->name, "fixed-point") != 0))
            continue;
        count_ways(&m, f, of, sum);
        good = as_known(&m, family, of, sum) && good;
    }
    return good;
}

static void test_every_method_goes_its_way(void **unused)
{
    bool good = true;
    (void)unused;
    for (size_t s = 0; dls_direct_solvers[s]; s++)
        if (!(dls_direct_solvers[s]->accepts & DLS_NEEDS_CONE))
            good = goes_its_way(dls_direct_solvers[s], NULL) && good;
    for (size_t k = 0; k < sizeof settings_of / sizeof settings_of[0]; k++)
        good = goes_its_way(dls_direct_find(settings_of[k][0]), settings_of[k] + 1) && good;
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_method_goes_its_way)};
    openblas_set_num_threads(1); /* with more, sums are cut in other places */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
