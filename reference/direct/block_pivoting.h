/* block_pivoting.h - block principal pivoting as other direct methods call it. Not installed. */
#ifndef DELASSUS_REFERENCE_BLOCK_PIVOTING_H
#define DELASSUS_REFERENCE_BLOCK_PIVOTING_H

#include "direct.h"

typedef struct dls_block_pivoting_settings {
    double tolerance;   /* what counts as rounding: a share of |b_i| + max_j |a_ij| sum_j |lambda_j| */
    double consistency; /* contradiction of dependent rows that counts as rounding: a share of max_i |b_i| */
    size_t patience;    /* block exchanges without progress before single ones */
    size_t limit;       /* rounds, and pivots per row of the descent on faces */
} dls_block_pivoting_settings;

typedef struct dls_block_pivoting dls_block_pivoting;
/* Memory for any number of solves, between which the bounds in direct->q may change as long as the free rows stay the
 * same ones: the factor of the free rows and the last index sets are used again. NULL for want of memory. */
dls_block_pivoting *dls_block_pivoting_take(const dls_direct *direct, const dls_block_pivoting_settings *settings);
/* Adds to the report's counts and sets its outcome; lambda (n entries) gets the answer. Where A is singular, and lambda
 * not unique, the answer is one near the lambda given. */
dls_status dls_block_pivoting_solve(dls_block_pivoting *pivoting, double *lambda, dls_report *report, dls_error *error);

/* The whole method with its default settings, for methods whose matter is friction, on a problem that has none; the
 * message says so. Outcome and failures as of the solver block-pivoting. */
dls_status dls_block_pivoting_without_friction(dls_direct *direct, double *lambda, dls_report *report,
                                               dls_error *error);

#endif
