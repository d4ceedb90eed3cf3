/* prepare.h - a problem as a direct method gets it. Not installed.
 *
 * A direct method gets its problem assembled, in units of its own,
 *     A' = S A S,  b' = S b / u,  lambda = u S lambda',  w' = S w / u,  and y = S y' for a proof,  S = diag(s),
 * with s_i the power of two next to 1 / sqrt(A_ii) where A has a diagonal that serves, and u that of the largest S b of
 * the block of rows that entries of A or friction join: then metres and radians no longer differ, every tolerance of a
 * method is a plain number, and what it means for a row does not depend on rows that have nothing to do with it. Powers
 * of two scale without rounding, and the same problem in other units becomes the same doubles. */
#ifndef DELASSUS_REFERENCE_PREPARE_H
#define DELASSUS_REFERENCE_PREPARE_H

#include "dense.h"

/* The self-stresses of closed loops (redundant.c). */
typedef struct dls_redundant {
    size_t k, f;  /* self-stresses, and rows that can be part of one */
    size_t *rows; /* f */
    double *N;    /* f x k, column-major, in the units of q: N^T D N = 1 */
    double *DN;   /* f x k: D N, D = diag(A) */
    double *left; /* f: the w that these rows keep, in the units of q */
} dls_redundant;

typedef struct dls_direct {
    const dls_problem *problem; /* for its laws of friction; everything else is in q */
    const void *settings;       /* the method's, as its fields were set */
    const char *name;           /* the method's, for messages */
    dls_dense q;                /* A', b', lo', hi': n rows and then the twins */
    size_t n;                   /* rows of the problem */
    size_t n_twins, *twin;      /* row n + k of q is the twin of row twin[k] */
    int *row_unit;              /* n: s_i = 2^row_unit_i */
    int *impulse_unit;          /* n: u_i = 2^impulse_unit_i, the same for all rows of a block */
    size_t n_blocks, *block;    /* q.n: the block of each row, from 0 to n_blocks - 1 */
    double *right;              /* n_blocks: max |b'| */
    double *size;               /* n_blocks: max over |b'| and the finite |lo'|, |hi'|; 1 if all are 0 */
    dls_redundant redundant;    /* what was taken from rows of closed loops */
    dls_arena *memory;          /* what the method takes */
} dls_direct;

/* How the problem is prepared. */
enum {
    DLS_DIRECT_ROWS,    /* each row has its own unit */
    DLS_DIRECT_CONTACTS /* both rows of a disc have one, so that it stays circular */
};

/* Chooses the units of the rows of `d`, whose q is as assembled, and turns q into them; the arrays of rows and blocks
 * are there, work is taken from d->memory. Fails with DLS_NO_MEMORY, or DLS_REFUSED where a double cannot represent the
 * problem in its units. */
dls_status dls_direct_choose_units(dls_direct *d, int prepare, dls_error *error);
/* `right` and `size` of the blocks of q. */
void dls_direct_measure_blocks(dls_direct *d);

/* DLS_OK where all that was taken so far was there, else DLS_NO_MEMORY with a message. */
dls_status dls_direct_ready(const dls_direct *d, dls_error *error);
/* q.n zeros. NULL for want of memory. */
static inline double *dls_direct_vector(const dls_direct *d) { return DLS_TAKE_ZEROS(d->memory, double, d->q.n); }
/* The same for each of several `double **`. */
#define DLS_DIRECT_VECTORS(d, ...)                                         \
    do {                                                                   \
        double **const to_take[] = {__VA_ARGS__};                          \
        for (size_t k_ = 0; k_ < sizeof to_take / sizeof to_take[0]; k_++) \
            *to_take[k_] = dls_direct_vector(d);                           \
    } while (0)

/* Writes the free lambda_i of some rows as the difference of two: lambda_i >= 0 with w_i >= 0 and, as rows after the
 * others, twins >= 0 with -w_i >= 0. The solutions are the same, and a semidefinite A stays so. At most once for a
 * problem. */
void dls_direct_split(dls_direct *d, size_t count, const size_t *rows);
/* n entries of lambda or y from q.n ones: each row less its twin. */
void dls_direct_join(const dls_direct *d, const double *x, double *joined);

/* --- units --- */

/* An impulse, and a velocity, of row i in the units of the problem, from those of q and back. */
static inline double dls_direct_impulse(const dls_direct *d, size_t i, double scaled)
{
    return ldexp(scaled, d->row_unit[i] + d->impulse_unit[i]);
}
static inline double dls_direct_impulse_scaled(const dls_direct *d, size_t i, double impulse)
{
    return ldexp(impulse, -d->row_unit[i] - d->impulse_unit[i]);
}
static inline double dls_direct_velocity(const dls_direct *d, size_t i, double scaled)
{
    return ldexp(scaled, d->impulse_unit[i] - d->row_unit[i]);
}
static inline double dls_direct_velocity_scaled(const dls_direct *d, size_t i, double velocity)
{
    return ldexp(velocity, d->row_unit[i] - d->impulse_unit[i]);
}
/* The size of the data of the block of row i: max |b'|, and the same with its bounds. */
static inline double dls_direct_right(const dls_direct *d, size_t i) { return d->right[d->block[i]]; }
static inline double dls_direct_size(const dls_direct *d, size_t i) { return d->size[d->block[i]]; }
/* mu of row i, which has a normal row, in the units of q: |lambda'_i| <= mu' lambda'_n. */
static inline double dls_direct_mu(const dls_direct *d, size_t i)
{
    return ldexp(d->problem->mu[i], d->row_unit[d->problem->parent[i]] - d->row_unit[i]);
}

#endif
