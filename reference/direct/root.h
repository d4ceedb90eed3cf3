/* root.h - a root of A: rows G with A = G G^T + Lambda. Not installed.
 *
 * In the mechanical form G = J M^-1/2, with one column for each velocity, and Lambda is the compliance of the rows; a
 * row has a part for each block of M that it acts on. In the matrix form G is a Cholesky factor with as many columns as
 * A has independent ones. */
#ifndef DELASSUS_REFERENCE_ROOT_H
#define DELASSUS_REFERENCE_ROOT_H

#include "prepare.h"

/* A part of a row of G: `length` values from column `offset` on. Two parts of G have all columns in common, or none. */
typedef struct dls_root_part {
    size_t offset, length;
    double *values;
} dls_root_part;

typedef struct dls_root {
    size_t n, columns;
    size_t *start;          /* n + 1; NULL: no root was taken */
    dls_root_part *part;    /* of row i: start[i] to start[i + 1] */
    double *compliance;     /* n: Lambda */
    dls_root_part *touched; /* work: as many as M has blocks */
    double *sum;            /* columns; zeros between calls */
    double *dense;          /* n x n, of a matrix alone */
} dls_root;

/* The matrix sum_t weight_t q_t q_t^T, weight_t >= 0, of at most n terms: the entries of q_t are those of row and coef
 * from start[t] to start[t + 1] - 1. */
typedef struct dls_root_squares {
    size_t count, *start, *row;
    double *weight, *coef;
} dls_root_squares;

/* Takes G = J M^-1/2 of a mechanical problem that has fewer velocities than rows; without `start` otherwise, and where
 * rows of closed loops were changed. Its success is that of the next dls_direct_ready. */
void dls_root_take_mechanical(dls_root *root, const dls_direct *d);
/* Takes memory for the root of a matrix; computed by dls_root_factorise, Lambda = 0. */
void dls_root_take_matrix(dls_root *root, const dls_direct *d);
/* Cholesky's factor with pivots of the symmetric A of d. Returns the largest entry of A - G G^T as a share of the
 * diagonal of A, which is a rounding error where A is semidefinite. */
double dls_root_factorise(dls_root *root, const dls_direct *d);

/* x = G y */
void dls_root_multiply(const dls_root *root, const double *y, double *x);
/* y = G^T x */
void dls_root_multiply_transposed(const dls_root *root, const double *x, double *y);
/* S += share G_i^T G_j; S has columns x columns entries. */
void dls_root_add_product(const dls_root *root, size_t i, size_t j, double share, double *S);
/* x += (sum_t weight_t q_t q_t^T) u */
void dls_root_squares_add(const dls_root_squares *squares, const double *u, double *x);
/* S += G^T (sum_t weight_t q_t q_t^T) G, on and below the diagonal. */
void dls_root_add_squares(const dls_root *root, const dls_root_squares *squares, double *S);

#endif
