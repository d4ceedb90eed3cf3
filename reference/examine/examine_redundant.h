/* examine_redundant.h - when a velocity that is left on rows of a closed loop is no violation. Not installed; no solver
 * includes it. */
#ifndef DELASSUS_REFERENCE_EXAMINE_REDUNDANT_H
#define DELASSUS_REFERENCE_EXAMINE_REDUNDANT_H

#include "delassus/problem.h"

/* Memory of the examiner for a problem of n rows. */
typedef struct dls_redundant_rows {
    double *y;     /* n */
    bool *kept;    /* n: w of this row contradicts other rows, and no impulse changes that */
    double *force; /* nv: J^T y */
    double *parts; /* 4 for each block of M */
} dls_redundant_rows;

/* Decides for all rows at the velocities w (n entries); D = diag(A), `evaluation` the rounding of each w_i but for that
 * of C_i, `rounding` the whole, n entries each. Returns the largest |w_i| of the rows kept, 0 where there is none.
 * O(entries of J). */
double dls_examine_redundant(const dls_problem *problem, const double *D, const double *evaluation,
                             const double *rounding, const double *w, dls_redundant_rows *rows);

#endif
