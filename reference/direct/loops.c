/* Inverse dynamics with loops, directly: the rank of the equations, the smallest forces, and the rate of the source's
 * iteration. The equations stand above lib/dynamics/loops.c.
 *
 *     P_p J^T lambda = P_p n        one equation for each passive degree of freedom, one unknown for each row
 *
 * Metres and radians do not compare, so the unknowns are mu_i = lambda_i sqrt(A_ii) and equation k is divided by
 * sqrt(M_kk): the matrix B = D^-1 J_p^T E, D = diag(sqrt(M_kk)), E = diag(1 / sqrt(A_ii)), has no unit, and is the same
 * in any. A row that nothing can move (A_ii = 0) has E_ii = 0 and lambda_i = 0. By singular values (LAPACK's dgelsd) mu
 * is the least-squares solution of least norm, that is of all lambda that hold the mechanism the one of least sum
 * lambda_i^2 A_ii. Singular values below `rank_tolerance` of the largest count as 0.
 *
 * lambda is unique where rank B is the number of rows; J^T lambda, and with it tau, where rank B = rank of all columns
 * of J (then a lambda that moves no passive degree of freedom moves none). */
#include "blas.h"
#include "dense.h"
#include "spectra.h"

#include "base/arithmetic.h"

#include <lapacke.h>
#include <stdlib.h>

/* Rounding of positions behind J is about 1e-15 of its entries, and a loop closes to that; a force that is real but as
 * weak as this against the others is lost in theirs. */
static const double rank_tolerance = 1e-10;

typedef struct equations {
    const dls_loops *l;
    size_t nv, n, passive;
    double *M, *J, *W, *A; /* nv x nv, n x nv, M^-1 J^T nv x n, n x n */
    double *B, *right;     /* max(nv, n) rows at most */
    double *singular, *E;  /* E: n */
    dls_arena memory;
} equations;

static dls_status no_memory(const dls_loops *l, dls_error *error)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for dense loops of %zu rows", l->n);
}

static dls_status take_equations(equations *e, const dls_loops *l, dls_error *error)
{
    const size_t nv = l->nv, n = l->n, most = nv > n ? nv : n;
    *e = (equations){.l = l, .nv = nv, .n = n};
    DLS_TRY(dls_blas_ready(error));
    e->M = dls_take_matrix(&e->memory, nv, nv);
    e->J = dls_take_matrix(&e->memory, n, nv);
    e->W = dls_take_matrix(&e->memory, nv, n);
    e->A = dls_take_matrix(&e->memory, n, n);
    e->B = dls_take_matrix(&e->memory, most, most);
    e->right = DLS_TAKE_ZEROS(&e->memory, double, most);
    e->singular = DLS_TAKE_ZEROS(&e->memory, double, most);
    e->E = DLS_TAKE_ZEROS(&e->memory, double, n);
    if (e->memory.failed)
        return no_memory(l, error);
    DLS_TRY(dls_dense_mass(l->problem, e->M, error));
    DLS_TRY(dls_dense_response(l->problem, e->W, error));
    dls_dense_jacobian(l->problem, e->J);
    if (n && nv)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)n, (int)nv, 1.0, e->J, (int)n, e->W,
                    (int)nv, 0.0, e->A, (int)n);
    for (size_t i = 0; i < n; i++)
        e->E[i] = e->A[i + n * i] > 0.0 ? 1.0 / sqrt(e->A[i + n * i]) : 0.0;
    return DLS_OK;
}

/* Solves the equations of the passive degrees of freedom, or of all, for mu in e->right; the rank. */
static dls_status least_squares(equations *e, bool all, size_t *rank, dls_error *error)
{
    const size_t nv = e->nv, n = e->n;
    size_t rows = 0;
    for (size_t k = 0; k < nv; k++)
        rows += all || !e->l->actuated[k];
    *rank = 0;
    memset(e->right, 0, (nv > n ? nv : n) * sizeof *e->right);
    if (rows == 0 || n == 0)
        return DLS_OK;
    for (size_t k = 0, r = 0; k < nv; k++) {
        if (!all && e->l->actuated[k])
            continue;
        const double scale = 1.0 / sqrt(e->M[k + nv * k]);
        for (size_t i = 0; i < n; i++)
            e->B[r + rows * i] = scale * e->J[i + n * k] * e->E[i];
        e->right[r++] = scale * e->l->needed[k];
    }
    return dls_least_norm(rows, n, e->B, e->right, rank_tolerance, e->singular, rank, &e->memory,
                          "the singular values of the loops", error);
}

dls_status dls_loops_solve(const dls_loops *l, double *lambda, double *tau, dls_loops_facts *facts, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    equations e;
    *facts = (dls_loops_facts){0};
    dls_status status = take_equations(&e, l, error);
    if (status == DLS_OK)
        status = least_squares(&e, true, &facts->rank_of_rows, error);
    if (status == DLS_OK)
        status = least_squares(&e, false, &facts->rank, error);
    if (status == DLS_OK) {
        for (size_t i = 0; i < l->n; i++) {
            lambda[i] = e.right[i] * e.E[i];
            facts->pulling += l->problem->lo[i] == 0.0 && lambda[i] < 0.0;
        }
        facts->unique = facts->rank == l->n;
        facts->forces_unique = facts->rank == facts->rank_of_rows;
        facts->missed = dls_loops_joint_forces(l, lambda, tau);
    }
    dls_arena_release(&e.memory);
    return status;
}

/* --- the motion under given joint forces --- */

/* [M -J^T; J 0] [vdot; -lambda] = [M vdot_0 - n + tau; gamma], of any rank, by least squares of least norm. */
dls_status dls_loops_motion(const dls_loops *l, const double *tau, double *vdot, double *lambda, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    equations e;
    dls_status status = take_equations(&e, l, error);
    const size_t size = l->nv + l->n;
    double *K = dls_take_matrix(&e.memory, size, size), *x = DLS_TAKE_ZEROS(&e.memory, double, size),
           *singular = DLS_TAKE_ZEROS(&e.memory, double, size);
    size_t rank;
    if (status == DLS_OK && e.memory.failed)
        status = no_memory(l, error);
    if (status == DLS_OK && size > 0) {
        memset(K, 0, size * size * sizeof *K);
        for (size_t k = 0; k < l->nv; k++) {
            x[k] += tau[k] - l->needed[k];
            for (size_t j = 0; j < l->nv; j++) {
                K[j + size * k] = e.M[j + l->nv * k];
                x[j] += e.M[j + l->nv * k] * l->vdot[k];
            }
        }
        for (size_t i = 0; i < l->n; i++) {
            x[l->nv + i] = l->gamma[i];
            for (size_t k = 0; k < l->nv; k++)
                K[l->nv + i + size * k] = e.J[i + l->n * k], K[k + size * (l->nv + i)] = -e.J[i + l->n * k];
        }
        status = dls_least_norm(size, size, K, x, rank_tolerance, singular, &rank, &e.memory,
                                "the singular values of the motion", error);
    }
    if (status == DLS_OK) {
        memcpy(vdot, x, l->nv * sizeof *vdot);
        memcpy(lambda, x + l->nv, l->n * sizeof *lambda);
    }
    dls_arena_release(&e.memory);
    return status;
}

/* --- the rate of the source's iteration ---
 *
 * The map T of a turn acts on an error e of lambda. If T x = x, the turn leaves x as it is: lambda is not unique along
 * x, and its component there remains that of the start, however long the iteration runs. T maps the complement spanned
 * by its other eigenvectors onto itself, so that the change of lambda in a turn, (T - 1) e, has no component along x;
 * it decreases by the largest modulus of the other eigenvalues, `rate`, and lambda converges if that is below 1,
 * although the spectral radius of T is 1. A dominant pair rate exp(+-i angle) rotates the change within a plane: its
 * norm after k turns is rate^k times a function of k angle, and only the mean of its decrease over many turns is
 * `rate`. */

static const char the_eigenvalues[] = "the eigenvalues of the iteration";

/* X <- Q^+ X for a symmetric positive semidefinite Q (destroyed), n x n each. */
static dls_status pseudo_divide(size_t n, double *Q, double *X, double *s, double *spare, dls_arena *memory,
                                dls_error *error)
{
    DLS_TRY(dls_symmetric_spectrum(n, true, Q, s, memory, the_eigenvalues, error));
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)n, (int)n, (int)n, 1.0, Q, (int)n, X, (int)n, 0.0, spare,
                (int)n);
    for (size_t i = 0; i < n; i++)
        cblas_dscal((int)n, s[i] > rank_tolerance * s[n - 1] ? 1.0 / s[i] : 0.0, spare + i, (int)n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)n, (int)n, 1.0, Q, (int)n, spare, (int)n, 0.0,
                X, (int)n);
    return DLS_OK;
}

/* The map of one turn, into T: by the pseudo-inverse, or by `sweeps` forward sweeps. */
static dls_status form_map(equations *e, size_t sweeps, double *T, double *spare, double *other, double *s,
                           dls_error *error)
{
    const size_t n = e->n;
    memset(T, 0, n * n * sizeof *T); /* F = J M^-1 P_a J^T, of row k of W and column k of J */
    for (size_t k = 0; k < e->nv; k++)
        if (e->l->actuated[k])
            cblas_dger(CblasColMajor, (int)n, (int)n, 1.0, e->W + k, (int)e->nv, e->J + n * k, 1, T, (int)n);
    if (sweeps == 0) {
        /* in the unit-free rows of the equations above: E A E and E F E */
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++) {
                e->A[i + n * j] *= e->E[i] * e->E[j];
                T[i + n * j] *= e->E[i] * e->E[j];
            }
        memcpy(other, e->A, n * n * sizeof *other);
        return pseudo_divide(n, other, T, s, spare, &e->memory, error);
    }
    memcpy(other, T, n * n * sizeof *other); /* F */
    memset(T, 0, n * n * sizeof *T);
    for (size_t i = 0; i < n; i++)
        T[i + n * i] = 1.0;
    for (size_t k = 0; k < sweeps; k++) { /* T <- T + P^-1 (F - A T), F that of the turn's start */
        memcpy(spare, other, n * n * sizeof *spare);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)n, (int)n, -1.0, e->A, (int)n, T, (int)n,
                    1.0, spare, (int)n);
        for (size_t j = 0; j < n; j++) /* P is the lower triangle of A; rows that nothing moves become 0 */
            for (size_t i = 0; i < n; i++) {
                double sum = spare[i + n * j];
                for (size_t l = 0; l < i; l++)
                    sum -= e->A[i + n * l] * spare[l + n * j];
                spare[i + n * j] = e->A[i + n * i] > 0.0 ? sum / e->A[i + n * i] : 0.0;
            }
        cblas_daxpy((int)(n * n), 1.0, spare, 1, T, 1);
    }
    return DLS_OK;
}

dls_status dls_loops_rate(const dls_loops *l, size_t sweeps, dls_loops_map *map, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    equations e;
    dls_status status = take_equations(&e, l, error);
    const size_t n = l->n;
    double *T = dls_take_matrix(&e.memory, n, n), *spare = dls_take_matrix(&e.memory, n, n),
           *other = dls_take_matrix(&e.memory, n, n), *s = DLS_TAKE_ZEROS(&e.memory, double, n),
           *real = DLS_TAKE_ZEROS(&e.memory, double, n), *imaginary = DLS_TAKE_ZEROS(&e.memory, double, n);
    *map = (dls_loops_map){0};
    if (status == DLS_OK && e.memory.failed)
        status = no_memory(l, error);
    if (status == DLS_OK && n > 0)
        status = form_map(&e, sweeps, T, spare, other, s, error);
    if (status == DLS_OK)
        status = dls_general_spectrum(n, T, real, imaginary, &e.memory, the_eigenvalues, error);
    for (size_t i = 0; i < n && status == DLS_OK; i++) {
        const double modulus = hypot(real[i], imaginary[i]);
        map->spectral_radius = fmax(map->spectral_radius, modulus);
        if (hypot(real[i] - 1.0, imaginary[i]) < 1e-8) { /* a lambda that the iteration leaves as it is */
            map->unseen++;
        } else if (modulus > map->rate) {
            map->rate = modulus;
            map->angle = fabs(atan2(imaginary[i], real[i]));
        }
    }
    dls_arena_release(&e.memory);
    return status;
}
