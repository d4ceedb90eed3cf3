/* measure.h - when a vector counts as a solution in floating point, and when one proves that there is none: the one
 * measure of the direct methods (measure.c). Not installed. */
#ifndef DELASSUS_REFERENCE_MEASURE_H
#define DELASSUS_REFERENCE_MEASURE_H

#include "prepare.h"

/* The violation of a row (below) up to which a method may claim to have solved it. */
static const double dls_solved_to = 1e-10;

/* The middle one of lambda_i - lo_i, w_i, lambda_i - hi_i: 0 where row i is solved. */
double dls_natural_map(const dls_dense *q, size_t i, double lambda, double w);
/* The rounding of w_i at lambda; measure.c derives it. */
double dls_row_rounding(const dls_dense *q, size_t i, const double *lambda);
/* T_i and Lambda_i of all rows at lambda, n entries each. */
void dls_row_scales(const dls_dense *q, const double *lambda, double *T, double *most);
/* The violation of a row in these, with the sign of its natural map. */
double dls_row_violation(double lo, double hi, double lambda, double w, double T, double most);
/* max_i |natural map|; NaN if lambda or w has one. */
double dls_natural_residual(const dls_dense *q, const double *lambda, const double *w);
/* Whether every row's natural map is at most `allowed`, or the rounding of its w. */
bool dls_natural_zero(const dls_dense *q, const double *lambda, const double *w, double allowed);
/* max_i |natural map| / size of the row's block; NaN if lambda' or w' has one. */
double dls_direct_natural_residual(const dls_direct *d, const double *lambda, const double *w);
/* w = A' lambda' + b', and its dls_direct_natural_residual. */
double dls_direct_residual(const dls_direct *d, const double *lambda, double *w);
/* Whether lambda' is a solution: each row's natural map is at most `tolerance` size, or the rounding of its w, and the
 * impulses are not so large that nothing but rounding is left: an impulse of 1e16 proves nothing. */
bool dls_direct_solved(const dls_direct *d, const double *lambda, double tolerance, double *w, double *residual);
/* The largest impulse that a solution may have, as a multiple of `size`: its rounding is then 1e-9 of `size`, the level
 * at which answers are examined. So y proves that there is no solution where b.y is further below 0 than dls_reach
 * times the entries of A^T y that would be 0 without rounding. */
static const double dls_reach = 1e-9 / DBL_EPSILON;

/* --- proofs that there is none --- */

/* Whether y' (an entry per row of q) proves that there is no solution: y'.w' >= 0 in every solution, but y'.w' <=
 * b'.y' + sup (A'^T y').lambda'. Entries of the wrong sign are set to 0 first: any y may be tried. With slack the
 * entries of A'^T y' that should vanish and do not, and margin = -(b'.y' + sup) > 0, a solution would have
 * |lambda'|_1 >= margin / slack: *bound, as a multiple of the size of the blocks that have y' != 0. Returns true where
 * that is beyond 1e6, that is, out of the rounding. */
bool dls_direct_farkas(const dls_direct *d, double *y, double *bound);
/* The report of such a proof, with its bound. */
dls_status dls_direct_report_farkas(const dls_direct *d, const double *y, double bound, dls_report *report,
                                    dls_error *error);
/* Takes the proof out of a report. */
void dls_report_withdraw_proof(dls_report *report);
/* Puts y' into the report in the units of the problem, at most 1 in size. DLS_NO_MEMORY leaves the report as it was. */
dls_status dls_direct_proof(const dls_direct *d, const double *y, dls_report *report, dls_error *error);

#endif
