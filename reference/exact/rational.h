/* Exact arithmetic: a problem in rational numbers (FLINT's fmpq). Not installed.
 *
 * In this folder "exact" means without any rounding: the problem (rational.c), linear programs and linear systems in
 * fractions (exact_simplex.c), the search of all states of the rows (exact_search.c, a direct method in direct.def),
 * and a process of its own for such work (apart.c). Anything with fractions may enter; a double may be an input, a
 * start, or a rounded result, but no decision may depend on its rounding. Enumeration (enumeration.c) finds candidates
 * in floating point, and the exact search decides about them.
 *
 * The doubles of a problem are taken as the exact numbers that they are. So A, b and the bounds have no error, and
 * neither has anything that is computed from them here: tests compare with the results of these functions.
 *
 *     matrix form      A and b as stored
 *     mechanical form  A = J M^-1 J^T + Gamma,  b = J v* - c,  J, Gamma, v* and c as stored
 *
 * Column j of a block of M is the product of that block with unit vector j, in doubles, as the mass operator computes
 * it; the block is its lower triangle, mirrored, since the two triangles may differ by rounding. M^-1 is exact, block
 * by block.
 *
 * Memory: FLINT and GMP end the process where memory is exhausted, and know no other way (apart.h). The limits on sizes
 * keep what they take to some megabytes. */
#ifndef DELASSUS_REFERENCE_RATIONAL_H
#define DELASSUS_REFERENCE_RATIONAL_H

#include "delassus/problem.h"

#include <flint/fmpq_mat.h>

enum {
    DLS_RATIONAL_ROWS_MAX = 200, /* measured: a chain of 66 balls takes 3 ms, a full matrix 0.1 s */
    DLS_RATIONAL_BLOCK_MAX = 60  /* velocities of one block of M */
};

typedef struct dls_rational {
    const dls_problem *problem; /* must live as long */
    size_t n;
    fmpq_mat_t A; /* n x n */
    fmpq_mat_t b; /* n x 1 */
} dls_rational;

/* DLS_REFUSED, by name, for problems that dls_rational_init does not take. */
dls_status dls_rational_accept(const dls_problem *problem, dls_error *error);
/* DLS_REFUSED, by name, for problems beyond the limits and for rows under a box or a cone. After a failure there is
 * nothing to clear. */
dls_status dls_rational_init(dls_rational *rational, const dls_problem *problem, dls_error *error);
void dls_rational_clear(dls_rational *rational);
/* The same with memory of its own. */
dls_status dls_rational_create(const dls_problem *problem, dls_rational **rational, dls_error *error);
void dls_rational_destroy(dls_rational *rational); /* NULL is allowed */

/* w = A lambda + b, exactly (n x 1), for finite impulses. */
void dls_rational_w(const dls_rational *rational, const double *lambda, fmpq_mat_t w);
/* The natural map of row i, |middle one of lambda_i - lo_i, w_i, lambda_i - hi_i|, for finite impulses that are
 * doubles: residual and w (n entries each, NULL: not wanted) are the exact values rounded, residual up, w to nearest.
 * So residual is 0 exactly where lambda solves the row. */
void dls_rational_residual(const dls_rational *rational, const double *lambda, double *residual, double *w);

/* --- numbers --- */

typedef enum dls_rounding { DLS_ROUND_NEAREST, DLS_ROUND_TOWARDS_ZERO, DLS_ROUND_AWAY } dls_rounding;
/* The exact value of a finite double. */
void dls_rational_set(fmpq_t x, double value);
/* The double nearest to x (ties to even), or the next one towards or away from 0. Beyond the largest double: infinity,
 * towards 0 that double. */
double dls_rational_get(const fmpq_t x, dls_rounding rounding);

#endif
