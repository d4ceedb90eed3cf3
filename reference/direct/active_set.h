/* active_set.h - the finite descent on faces, the last resort of block pivoting and interior point. Not installed. */
#ifndef DELASSUS_REFERENCE_ACTIVE_SET_H
#define DELASSUS_REFERENCE_ACTIVE_SET_H

#include "direct.h"

typedef struct dls_active_set_limits {
    double tolerance;   /* on w_i, as a share of |b_i| + max_j |a_ij| sum_j |lambda_j| */
    double consistency; /* contradiction of dependent rows that is rounding, as a share of max_i |b_i| */
    size_t pivots;      /* at most */
} dls_active_set_limits;

typedef struct dls_active_set dls_active_set;
/* Its memory, for any number of solves; R is a matrix of q.n x q.n that it may overwrite. NULL for want of memory. */
dls_active_set *dls_active_set_take(const dls_direct *direct, double *R);
/* Symmetric A only. Starts from `lambda` (q.n entries) with the rows `inside` between their bounds; both become those
 * of the answer. The report gets the outcome, the pivots (added to iterations) and, where there is no solution, the
 * Farkas vector. */
dls_status dls_active_set_solve(dls_active_set *set, const dls_active_set_limits *limits, bool *inside, double *lambda,
                                dls_report *report, dls_error *error);

#endif
