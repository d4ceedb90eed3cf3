/* active_set.h - the finite descent on faces that block pivoting falls back on. Not installed. */
#ifndef DELASSUS_REFERENCE_ACTIVE_SET_H
#define DELASSUS_REFERENCE_ACTIVE_SET_H

#include "delassus/reference.h"

typedef struct dls_active_set_limits {
    double tolerance;   /* on w_i, as a share of |b_i| + max_j |a_ij s_j| sum_j |lambda_j / s_j|, s = D^-1/2 */
    double consistency; /* contradiction of dependent rows that is rounding, as a share of max_i |b_i| s_i */
    size_t pivots;      /* at most */
} dls_active_set_limits;

/* Symmetric A only. `inside` says which rows to start with between their bounds, `lambda` (n entries) where; both get
 * the answer, and the report its outcome, pivots (added to iterations) and, where there is no solution, the Farkas
 * vector. */
dls_status dls_active_set_solve(const dls_dense *dense, const dls_active_set_limits *limits, bool *inside,
                                double *lambda, dls_report *report, dls_error *error);

#endif
