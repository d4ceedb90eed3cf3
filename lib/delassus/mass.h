/* mass.h - the mass operator: M and M^-1, block by block.
 *
 * M is block-diagonal (conventions): diag(m 1, R I R^T) a free body, the joint-space inertia of an articulation. The
 * functions of a block's kind apply it, so that solvers need not know the kinds. A new kind of block is a new
 * dls_mass_kind.
 */
#ifndef DELASSUS_MASS_H
#define DELASSUS_MASS_H

#include "delassus/configuration.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_mass_kind {
    const char *name;
    void (*multiply)(const void *data, const double *x, double *y); /* y = M x, length of the block */
    void (*solve)(const void *data, const double *x, double *y);    /* y = M^-1 x */
    /* The same for `count` right sides; y[i] is bit by bit the result of solve for x[i]. NULL: solve is called for
     * each. */
    void (*solve_many)(const void *data, size_t count, const double *const *x, double *const *y);
    /* z = M^-1/2 y: any z, linear in y, with z.z' = y M^-1 y' for all y and y'. Only the dense reference needs it. */
    void (*half)(const void *data, const double *y, double *z);
} dls_mass_kind;

typedef struct dls_mass_block {
    size_t offset, length; /* in the generalised velocity */
    const dls_mass_kind *kind;
    const void *data;
} dls_mass_block;

/* A rigid body: `data` points to a dls_mass_body, and x = (v, omega) or (f, tau). */
extern const dls_mass_kind dls_mass_body_kind;

/* An articulation: `data` points to a dls_articulation_work * that has been factored. M^-1 by the articulated-body
 * algorithm, M by inverse dynamics, O(links) both; the work space is their scratch. */
extern const dls_mass_kind dls_mass_articulation_kind;

/* A block given as a matrix, such as the articulation of a problem file. M^-1 by its Cholesky factor. */
typedef struct dls_mass_dense {
    size_t n;
    double *M; /* n x n, both triangles */
    double *L; /* n x n, M = L L^T, row by row; above the diagonal unused */
} dls_mass_dense;
extern const dls_mass_kind dls_mass_dense_kind;
/* Computes column j of L from M and the columns before it. False if M is not positive definite. */
bool dls_mass_dense_factor(const dls_mass_dense *dense, size_t j);

typedef struct dls_mass {
    size_t nv, n_blocks;
    dls_mass_block *blocks; /* in the order of their offsets, without gaps */
} dls_mass;

/* The mass operator at a configuration with current factors. It points into the configuration, and is valid until the
 * configuration changes. mass->blocks must have room for all blocks of the model (dls_model_counts). */
void dls_mass_at(const dls_configuration *configuration, dls_mass *mass);

/* y = M x and y = M^-1 x; x and y have nv entries and do not overlap. */
void dls_mass_multiply(const dls_mass *mass, const double *x, double *y);
void dls_mass_solve(const dls_mass *mass, const double *x, double *y);
/* y[i] = M^-1 x[i] of one block, count times; no x overlaps a y. */
void dls_mass_block_solve(const dls_mass_block *block, size_t count, const double *const *x, double *const *y);
/* One block as numbers, by columns with the leading dimension `ld`, symmetric to the last bit: M e_j on and below the
 * diagonal, the same above it; zeros are positive. All who need the entries of M, which the operator computes with
 * rounding, take them from here, so that what is solved, certified and written is one matrix. `unit`: `length` entries
 * of work. */
void dls_mass_block_matrix(const dls_mass_block *block, double *unit, double *M, size_t ld);
/* The length of the longest block; 0 if there is none. */
size_t dls_mass_longest(const dls_mass *mass);
/* The block that contains entry `index` of the generalised velocity. */
const dls_mass_block *dls_mass_find(const dls_mass *mass, size_t index);

#ifdef __cplusplus
}
#endif

#endif
