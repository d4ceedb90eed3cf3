/* block_pivoting.h - block principal pivoting as other direct methods call it. Not installed. */
#ifndef DELASSUS_REFERENCE_BLOCK_PIVOTING_H
#define DELASSUS_REFERENCE_BLOCK_PIVOTING_H

#include "delassus/reference.h"

typedef struct dls_block_pivoting_settings {
    double
        tolerance; /* what counts as rounding: a share of |b_i| + max_j |a_ij s_j| sum_j |lambda_j / s_j|, s = D^-1/2 */
    double consistency; /* contradiction of dependent rows that counts as rounding: a share of max_i |b_i s_i| */
    size_t patience;    /* block exchanges without progress before single ones */
    size_t limit;       /* rounds, and pivots a row of the descent on faces */
} dls_block_pivoting_settings;

typedef struct dls_block_pivoting dls_block_pivoting;
/* `dense` is kept by reference. Its bounds may change between two solves as long as the free rows stay the same ones:
 * the factor of the free rows and the last index sets are used again. */
dls_status dls_block_pivoting_create(const dls_dense *dense, const dls_block_pivoting_settings *settings,
                                     dls_block_pivoting **pivoting, dls_error *error);
void dls_block_pivoting_destroy(dls_block_pivoting *pivoting);
/* Adds to the report's counts and sets its outcome; lambda (n entries) gets the answer. Where A is singular, and lambda
 * not unique, the answer is one near the lambda given. */
dls_status dls_block_pivoting_solve(dls_block_pivoting *pivoting, double *lambda, dls_report *report, dls_error *error);

#endif
