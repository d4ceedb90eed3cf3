/* natural_map.h - when a residual is zero in floating point: the one measure of the direct methods. Not installed.
 *
 * The natural map of row i is lambda_i - clamp(lambda_i - w_i), the middle one of lambda_i - lo_i, w_i, lambda_i -
 * hi_i. Here a problem is scaled, diag(A) about 1, so that lambda_i and w_i have one unit.
 *
 * Computed in any order, w_i = b_i + sum_j A_ij lambda_j has an error of at most (n + 1) u (|b_i| + sum_j |A_ij|
 * |lambda_j|), u = eps / 2 (N. J. Higham, "Accuracy and Stability of Numerical Algorithms" (2002), section 3.1). That
 * the solution's lambda_j are stored as doubles adds u sum_j |A_ij| |lambda_j| to w_i, that the A_ij and b_i are adds
 * the same again. So at the doubles next to a solution the computed w_i may be (n + 3) u times that sum, and what
 * another order of summation makes of it twice that:
 *     rounding_i = (n + 3) eps (|b_i| + sum_j |A_ij| |lambda_j|).
 * A row whose natural map is below it cannot be told from one that is solved, however large it is beside b; and no
 * digit of w_i is known beyond it. That says nothing of how large lambda may be: dls_impulses_lost (bounds.h)
 * does. */
#ifndef DELASSUS_NATURAL_MAP_H
#define DELASSUS_NATURAL_MAP_H

#include "delassus/reference.h"

double dls_natural_map(const dls_dense *dense, size_t i, double lambda, double w);
/* rounding_i at lambda */
double dls_row_rounding(const dls_dense *dense, size_t i, const double *lambda);
/* max_i |natural map|; NaN if lambda or w has one. */
double dls_natural_residual(const dls_dense *dense, const double *lambda, const double *w);
/* Whether every row's natural map is at most `allowed` or rounding_i. */
bool dls_natural_zero(const dls_dense *dense, const double *lambda, const double *w, double allowed);

#endif
