/* sparse.h - the sparse matrices of a problem, and their factors. Not installed.
 *
 * The matrices of conventions (4) without a dense one among them, for problems of 1e4 rows and more:
 *     A = J M^-1 J^T + Gamma                the Delassus matrix, one entry for each two rows on one block of M;
 *     [M, -J^T; J, Gamma]                   the equations of v+ and lambda together: where many rows act on one
 *                                           articulation, A is dense and these are not;
 *     H(s) = M + J^T diag(s) J              the velocities of rows that are springs of stiffness s: definite for every
 *                                           s >= 0, however many rows depend on each other;
 * their factors by SuiteSparse, and methods that use them. Assembly is in sparse_matrix.c, factors in sparse_factor.c;
 * no other file calls SuiteSparse. The entries of M are those of dls_mass_block_matrix. A method is a descriptor in a
 * file of its own, entered in reference/direct/direct.def; proofs belong to certify/.
 *
 * Memory of matrices comes from an arena; a factor owns its own. */
#ifndef DELASSUS_REFERENCE_SPARSE_H
#define DELASSUS_REFERENCE_SPARSE_H

#include "delassus/problem.h"

#include "base/memory.h"

#include <stdint.h>

/* A matrix by columns: the entries of column j are value[start[j]] to value[start[j + 1] - 1], with ascending rows. */
typedef struct dls_sparse {
    size_t rows, columns;
    bool lower;     /* symmetric: the entries on and below the diagonal alone are stored */
    int64_t *start; /* columns + 1 */
    int64_t *row;   /* start[columns] */
    double *value;  /* start[columns] */
} dls_sparse;

/* y += s A x; x has A->columns entries, y A->rows. O(entries). */
void dls_sparse_add_product(const dls_sparse *A, double s, const double *x, double *y);

/* --- assembly: DLS_NO_MEMORY, or DLS_BAD_ARGUMENT in the matrix form (sparse_matrix.c) --- */

/* A, n x n, lower triangle. As many entries as there are pairs of rows on one block of M. */
dls_status dls_sparse_delassus(const dls_problem *problem, dls_arena *memory, dls_sparse *A, dls_error *error);
/* K = [M, -J^T; J, Gamma], nv + n rows and columns, all entries: K (v+, lambda) = (M v*, w + c). Every diagonal entry
 * is stored, also one that is 0, so that a caller may add to it: diagonal[k] (nv + n entries) is its place. */
dls_status dls_sparse_kkt(const dls_problem *problem, dls_arena *memory, dls_sparse *K, int64_t **diagonal,
                          dls_error *error);

/* H(s), whose structure is the same for every s; and M + sum s_ij J_i^T J_j over pairs of rows on the same blocks of M,
 * such as those of one contact. */
typedef struct dls_springs {
    const dls_problem *problem;
    dls_sparse H; /* nv x nv, lower triangle or all entries */
    double *mass; /* M in the places of H */
    /* Blocks of M that a row joins, and each with itself: in the columns of block b the rows of block other[k], k =
     * joined_at[b] to joined_at[b + 1] - 1, ascending, begin place[k] entries after the first of them. */
    size_t *joined_at, *other, *place;
} dls_springs;
/* H(0) = M; `lower`: the lower triangle alone. */
dls_status dls_springs_take(const dls_problem *problem, bool lower, dls_arena *memory, dls_springs *springs,
                            dls_error *error);
/* H(s) for n stiffnesses s_i >= 0. O(sum of the squares of the coefficients of a row). */
void dls_springs_fill(const dls_springs *springs, const double *s);
/* H(0) again; and H += s J_i^T J_j, of which a lower triangle takes its part. */
void dls_springs_reset(const dls_springs *springs);
void dls_springs_add(const dls_springs *springs, size_t i, size_t j, double s);

/* --- measures of methods without a dense matrix (sparse_terms.c) --- */

typedef struct dls_row_terms {
    const dls_problem *problem;
    double *D;              /* n: diag(A) */
    double size;            /* max |b_i| / sqrt(A_ii), |bound_i| sqrt(A_ii) */
    double *reach, *forces; /* one for each block of J and of M */
} dls_row_terms;
/* False for want of memory. */
bool dls_row_terms_take(const dls_problem *problem, dls_arena *memory, dls_row_terms *terms);
/* For the impulses of the next calls of dls_row_terms_share. */
void dls_row_terms_update(dls_row_terms *terms, const double *lambda);
/* A wrong velocity >= 0 of row i as a share of its terms, or `beside_data` times its share of the largest b and bounds
 * of all rows if that is larger: a row within rounding of huge impulses is not solved. 0 where it is 0, infinite where
 * it is no number. */
double dls_row_terms_share(const dls_row_terms *terms, const double *lambda, size_t i, double wrong,
                           double beside_data);
/* The length of a step along which the slope of a convex function ascends from below 0: 1 where that leaves at most a
 * tenth of the slope, else the zero of the slope: by regula falsi (Illinois), exact for a piecewise quadratic function
 * as soon as both ends are on one piece. */
double dls_length_of_step(double (*slope)(const void *context, double t), const void *context);

/* --- factors (sparse_factor.c) --- */

typedef enum dls_sparse_method {
    DLS_SPARSE_CHOLESKY, /* of a lower triangle, positive definite: CHOLMOD, supernodal, with AMD's or METIS' order */
    DLS_SPARSE_LU        /* of a square matrix with all its entries: UMFPACK, with partial pivoting */
} dls_sparse_method;

typedef struct dls_sparse_factor dls_sparse_factor;
dls_status dls_sparse_factor_create(dls_sparse_method method, dls_sparse_factor **factor, dls_error *error);
void dls_sparse_factor_destroy(dls_sparse_factor *factor); /* NULL is allowed */
/* Orders the columns so that the factor fills in little, by the structure of A alone. DLS_NO_MEMORY. */
dls_status dls_sparse_factor_analyze(dls_sparse_factor *factor, const dls_sparse *A, dls_error *error);
/* Factors a matrix of the structure that was analyzed. *good: false where it is not positive definite, or singular, to
 * rounding, or has entries that are not finite; then there is no factor. DLS_NO_MEMORY. */
dls_status dls_sparse_factorize(dls_sparse_factor *factor, const dls_sparse *A, bool *good, dls_error *error);
/* x = A^-1 b with the last factor; A as it was factored (LU refines with it). x and b do not overlap. DLS_NO_MEMORY. */
dls_status dls_sparse_factor_solve(dls_sparse_factor *factor, const dls_sparse *A, const double *b, double *x,
                                   dls_error *error);
/* The entries of the factors of the last factorisation, and its floating-point operations. */
double dls_sparse_factor_entries(const dls_sparse_factor *factor);
double dls_sparse_factor_operations(const dls_sparse_factor *factor);

#endif
