/* scaled.h - the dense problem in units of its own, and what a direct method may claim there. Not installed.
 *
 *     A' = S A S,  b' = S b,  lambda = S lambda',  w' = S w,  y = S y' for a proof,  S = diag(s)
 *
 * with s_i the power of two nearest to 1 / sqrt(A_ii): then diag(A') is about 1, metres and radians no longer differ,
 * and every tolerance of a pivoting method is a plain number. Powers of two scale without rounding.
 */
#ifndef DELASSUS_SCALED_H
#define DELASSUS_SCALED_H

#include "delassus/reference.h"

typedef struct dls_scaled {
    size_t n;              /* rows of the problem; dense->n = n + n_twins */
    dls_dense *dense;      /* A', b', lo', hi' */
    double *s;             /* n */
    size_t n_twins, *twin; /* row n + k of dense is the twin of row twin[k] */
    double size;           /* max over |b'| and the finite |lo'|, |hi'|; 1 if all are 0 */
} dls_scaled;

dls_status dls_scaled_create(const dls_problem *problem, dls_scaled **scaled, dls_error *error);
void dls_scaled_destroy(dls_scaled *scaled);

/* Writes the free lambda_i of some rows as the difference of two: lambda_i >= 0 with w_i >= 0 and, as rows behind
 * the others, twins >= 0 with -w_i >= 0. The same solutions; a semidefinite A stays so. At most once. */
dls_status dls_scaled_split(dls_scaled *scaled, size_t count, const size_t *rows, dls_error *error);
/* lambda or y (n entries) in the units of the problem from one with twins. */
void dls_scaled_join(const dls_scaled *scaled, const double *x, double *joined);

/* w' = A' lambda' + b', and max_i |lambda'_i - clamp(lambda'_i - w'_i)| / size. NaN if lambda' has one. */
double dls_scaled_residual(const dls_scaled *scaled, const double *lambda, double *w);
/* Whether lambda' is a solution: the residual is at most `tolerance`, or each row's at most the rounding of its w
 * (natural_map.h), and the impulses are not so large that there is nothing but rounding: an impulse of 1e16 proves
 * nothing. */
bool dls_scaled_solved(const dls_scaled *scaled, const double *lambda, double tolerance, double *w, double *residual);
/* The same of one row: whether w'_i is 0. */
bool dls_scaled_zero_w(const dls_scaled *scaled, size_t i, const double *lambda, double w, double tolerance);

/* Whether y' (an entry a row of dense) proves that there is no solution: y'.w' >= 0 in every solution, but y'.w' <=
 * b'.y' + sup (A'^T y').lambda'. Entries of the wrong sign are set to 0 first: any y may be tried. With slack the
 * entries of A'^T y' that should vanish and do not, and margin = -(b'.y' + sup) > 0, a solution would have
 * |lambda'|_1 >= margin / slack: *bound. Returns true where that is beyond 1e6 size, that is, out of the rounding. */
bool dls_scaled_farkas(const dls_scaled *scaled, double *y, double *bound);
/* The report of a proof: y in the units of the problem, at most 1 in size. DLS_NO_MEMORY leaves the report as it
 * was. */
dls_status dls_scaled_report_farkas(const dls_scaled *scaled, const double *y, double bound, dls_report *report,
                                    dls_error *error);

#endif
