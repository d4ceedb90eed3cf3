/* last_step.h - the last step of every direct method. Not installed. */
#ifndef DELASSUS_REFERENCE_LAST_STEP_H
#define DELASSUS_REFERENCE_LAST_STEP_H

#include "prepare.h"

typedef struct dls_last_step dls_last_step;

/* The figures of an impulse after the last step. */
typedef struct dls_last_figures {
    double violation;    /* the worst row's, as dls_row_violation has it */
    double data;         /* max_i |w_i lambda_i| of the violations over sum |b_i lambda_i| of the block of rows */
    const double *share; /* n_blocks: the same for each block; until the next step */
    double beside_data;  /* of blocks where that sum is 0: max |natural map|, as a share of b and bounds of the block */
    double
        inconsistent; /* max |w_i| that dependent rows leave between their bounds [m/s, rad/s]; 0 where none depend */
    bool accurate;    /* rows between bounds are independent, and their impulses are right to the last digits */
    double given;     /* the violation of the impulse that was given */
} dls_last_figures;

/* Its memory, for any number of impulses of the problem, without twins. NULL for want of memory. */
dls_last_step *dls_last_step_take(const dls_direct *direct);
/* From `lambda` (q.n entries, in the units of q) to the solution of the same piece of the problem, or of one nearby in
 * at most `rounds` exchanges; lambda stays where nothing better was found. Fails with DLS_NO_MEMORY alone. */
dls_status dls_last_step_run(dls_last_step *step, size_t rounds, double *lambda, dls_last_figures *figures,
                             dls_report *report, dls_error *error);

#endif
