/* Coulomb's disc by a polygon of k corners: a linear complementarity problem, exactly.
 *
 * With unit directions d_j, j = 0 .. k-1, at the angles 2 pi j / k from the first tangent, lambda_t = sum_j beta_j
 * d_j, beta_j >= 0.
 *
 * EXACT (D. E. Stewart and J. C. Trinkle, 1996; M. Anitescu and F. A. Potra, 1997: the same complementarity
 * conditions on the rows of a step, whose c says whether the gap or its speed is constrained):
 *     0 <= lambda_n  perp  w_n >= 0
 *     0 <= beta_j    perp  d_j . w_t + sigma >= 0
 *     0 <= sigma     perp  mu lambda_n - sum_j beta_j >= 0
 * which is maximal dissipation over the polygon inscribed in the disc. Where the contact slides, sigma is the speed
 * max_j (-d_j . w_t).
 *
 * CONVEX (M. Anitescu, 2006): the impulse is a sum of the cone's edges, lambda = sum_j beta_j (n + mu d_j),
 *     0 <= beta_j    perp  w_n + mu d_j . w_t >= 0
 * symmetric and semidefinite where A is, but another law: a sliding contact lifts off with w_n = mu |w_t|.
 *
 * In both lambda = T z with z the new unknowns, and the new problem is  T^T (A T z + b) + C z  with C the entries +1,
 * mu and -1 of sigma's rows and columns. Other rows stay as they are, so the new problem is an LCP where their only
 * bounds are 0. A row under the box law is a contact with one tangent and the directions +1 and -1, which only
 * EXACT takes. */
#include "delassus/reference.h"

#include "base/arithmetic.h"
#include "base/memory.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
    const dls_problem *p;
    dls_facets_variant variant;
    size_t k, m, at;     /* facets, unknowns, the next unknown */
    double *T;           /* n x m */
    double *C, *A;       /* m x m */
    double *AT, *size_T; /* n x m */
    double *sizes;       /* m x m */
    double *lo, *hi, *b; /* m */
    size_t *column;      /* n: the unknown of a row that stays */
} builder;

/* Rows that are one unknown each: all but tangents, and under CONVEX the normal rows of cones. */
static bool stays(const builder *b, size_t i)
{
    return b->p->parent[i] == DLS_NONE && !(b->variant == DLS_FACETS_CONVEX && dls_problem_is_cone(b->p, i));
}

static size_t count_unknowns(const builder *b)
{
    size_t m = 0, sliding = b->variant == DLS_FACETS_EXACT ? 1 : 0;
    for (size_t i = 0; i < b->p->n; i++) {
        m += stays(b, i);
        if (dls_problem_is_cone(b->p, i))
            m += b->k + sliding;
        else if (b->p->law[i] == DLS_LAW_BOX)
            m += 2 + sliding;
    }
    return m;
}

static size_t unknown(builder *b, double hi)
{
    b->lo[b->at] = 0.0, b->hi[b->at] = hi;
    return b->at++;
}

/* A direction of the tangents `first` (and the row behind it) with its facet's unknown. */
static void put_facet(builder *b, size_t first, const double *d, size_t tangents)
{
    const size_t normal = b->p->parent[first];
    const double mu = b->p->mu[first];
    bool convex = b->variant == DLS_FACETS_CONVEX;
    size_t j = unknown(b, convex && b->p->hi[normal] == 0.0 ? 0.0 : HUGE_VAL);
    for (size_t t = 0; t < tangents; t++)
        b->T[first + t + b->p->n * j] = convex ? mu * d[t] : d[t];
    if (convex)
        b->T[normal + b->p->n * j] = 1.0;
}

static void put_sliding(builder *b, size_t normal, size_t first_unknown, double mu)
{
    size_t sigma = unknown(b, HUGE_VAL);
    for (size_t j = first_unknown; j < sigma; j++) {
        b->C[j + b->m * sigma] = 1.0;
        b->C[sigma + b->m * j] = -1.0;
    }
    b->C[sigma + b->m * b->column[normal]] = mu;
}

static void put_contact(builder *b, size_t normal)
{
    size_t first = b->at;
    double mu = b->p->mu[normal + 1];
    for (size_t j = 0; j < b->k; j++) {
        double angle = 2.0 * acos(-1.0) * (double)j / (double)b->k, d[2] = {cos(angle), sin(angle)};
        put_facet(b, normal + 1, d, 2);
    }
    if (b->variant == DLS_FACETS_EXACT)
        put_sliding(b, normal, first, mu);
}

/* The rows that stay come first, so that every normal row has its unknown when its facets are made. */
static void put_unknowns(builder *b)
{
    const dls_problem *p = b->p;
    for (size_t i = 0; i < p->n; i++)
        if (stays(b, i)) {
            size_t j = b->column[i] = unknown(b, p->hi[i]);
            b->lo[j] = p->lo[i];
            b->T[i + p->n * j] = 1.0;
        }
    for (size_t i = 0; i < p->n; i++) {
        if (dls_problem_is_cone(p, i))
            put_contact(b, i);
        else if (p->law[i] == DLS_LAW_BOX) {
            const size_t first = b->at;
            for (double sign = 1.0; sign >= -1.0; sign -= 2.0)
                put_facet(b, i, &sign, 1);
            put_sliding(b, p->parent[i], first, p->mu[i]);
        }
    }
}

static dls_status check_variant(const builder *b, dls_error *error)
{
    const dls_problem *p = b->p;
    if (b->k < 3)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a polygon has 3 facets or more, not %zu", b->k);
    if (dls_problem_contact_laws(p) != 0)
        return dls_fail(error, DLS_REFUSED,
                        "facets replace Coulomb's isotropic cone; this problem has contacts under the associated law, "
                        "rolling or torsional friction under a cone, or two friction coefficients");
    for (size_t i = 0; i < p->n; i++) {
        if (p->parent[i] == DLS_NONE)
            continue;
        if (p->law[i] == DLS_LAW_BOX && b->variant == DLS_FACETS_CONVEX)
            return dls_fail(error, DLS_REFUSED, "row %zu: the convex form is one of cones, not of boxes", i);
        if (p->lo[p->parent[i]] < 0.0)
            return dls_fail(error, DLS_REFUSED, "row %zu: facets need a normal impulse from 0 up", i);
        if (b->variant == DLS_FACETS_CONVEX && isfinite(p->hi[p->parent[i]]) && p->hi[p->parent[i]] > 0.0)
            return dls_fail(error, DLS_REFUSED, "row %zu: the convex form has no upper bound of the normal impulse", i);
    }
    return DLS_OK;
}

/* T is NULL afterwards if memory is exhausted. */
static void take_builder(builder *b, dls_arena *memory)
{
    size_t n = b->p->n, m = b->m = count_unknowns(b);
    if (m > SIZE_MAX / sizeof(double) / (n + m + 1) / 2)
        return;
    b->C = DLS_TAKE_ZEROS(memory, double, m *m), b->A = DLS_TAKE_ZEROS(memory, double, m *m);
    b->AT = DLS_TAKE(memory, double, n *m), b->size_T = DLS_TAKE(memory, double, n *m);
    b->sizes = DLS_TAKE_ZEROS(memory, double, m *m);
    b->lo = DLS_TAKE(memory, double, m), b->hi = DLS_TAKE(memory, double, m);
    b->b = DLS_TAKE_ZEROS(memory, double, m);
    b->column = DLS_TAKE(memory, size_t, n);
    b->T = memory->failed ? NULL : calloc(n * m + 1, sizeof *b->T);
}

/* Entries of a product below the rounding of their own sums, whose terms' sizes sum up to `sizes`, are 0: cosines of
 * right angles leave such, and a row of them alone would be one that only rounding moves. */
static void clear_rounding(size_t count, size_t terms, const double *sizes, double *product)
{
    for (size_t k = 0; k < count; k++)
        if (fabs(product[k]) <= (double)(terms + 2) * DBL_EPSILON * sizes[k])
            product[k] = 0.0;
}

static void absolute(size_t count, const double *x, double *y)
{
    for (size_t k = 0; k < count; k++)
        y[k] = fabs(x[k]);
}

/* A' = T^T A T + C and b' = T^T b. `sizes` becomes |T|^T |A| |T|, and |T|^T |b|. */
static dls_status make_problem(const builder *b, dls_problem **lcp, dls_error *error)
{
    size_t rows = b->p->n;
    int n = (int)rows, m = (int)b->m;
    dls_dense *dense;
    DLS_TRY(dls_dense_create(b->p, &dense, error));
    if (n > 0 && m > 0) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, n, 1.0, dense->A, n, b->T, n, 0.0, b->AT, n);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, n, 1.0, b->T, n, b->AT, n, 0.0, b->A, m);
        cblas_dgemv(CblasColMajor, CblasTrans, n, m, 1.0, b->T, n, dense->b, 1, 0.0, b->b, 1);
        absolute(rows * rows, dense->A, dense->A);
        absolute(rows, dense->b, dense->b);
        absolute(rows * b->m, b->T, b->size_T);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, n, 1.0, dense->A, n, b->size_T, n, 0.0, b->AT, n);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, n, 1.0, b->size_T, n, b->AT, n, 0.0, b->sizes, m);
        clear_rounding(b->m * b->m, 2 * rows, b->sizes, b->A);
        cblas_dgemv(CblasColMajor, CblasTrans, n, m, 1.0, b->size_T, n, dense->b, 1, 0.0, b->sizes, 1);
        clear_rounding(b->m, rows, b->sizes, b->b);
    }
    for (size_t k = 0; k < b->m * b->m; k++)
        b->A[k] += b->C[k];
    dls_dense_destroy(dense);
    return dls_problem_from_matrix(b->m, b->A, b->b, b->lo, b->hi, lcp, error);
}

dls_status dls_problem_facets(const dls_problem *problem, size_t k, dls_facets_variant variant, dls_facets **facets,
                              dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    builder b = {.p = problem, .variant = variant, .k = k};
    dls_arena memory = {0};
    *facets = NULL;
    DLS_TRY(check_variant(&b, error));
    take_builder(&b, &memory);
    dls_facets *made = calloc(1, sizeof *made);
    dls_status status = DLS_NO_MEMORY;
    if (!made || !b.T) {
        dls_fail(error, status, "no memory for %zu unknowns of facets", b.m);
        free(b.T);
        free(made);
    } else {
        put_unknowns(&b);
        *made = (dls_facets){.n = problem->n, .m = b.m, .T = b.T};
        status = make_problem(&b, &made->problem, error);
        if (status == DLS_OK) {
            memcpy(made->problem->name, problem->name, sizeof problem->name);
            *facets = made;
        } else {
            dls_facets_destroy(made);
        }
    }
    dls_arena_release(&memory);
    return status;
}

void dls_facets_impulses(const dls_facets *f, const double *z, double *lambda)
{
    memset(lambda, 0, f->n * sizeof *lambda);
    for (size_t j = 0; j < f->m; j++)
        for (size_t i = 0; i < f->n; i++)
            lambda[i] += f->T[i + f->n * j] * z[j];
}

void dls_facets_destroy(dls_facets *f)
{
    if (!f)
        return;
    dls_problem_destroy(f->problem);
    free(f->T);
    free(f);
}
