/* step_difference.h - the first number in which two dumped steps differ: their problems first, then the impulses. */
#ifndef DELASSUS_CMD_STEP_DIFFERENCE_H
#define DELASSUS_CMD_STEP_DIFFERENCE_H

#include "difference.h"

/* A step with the impulses of its engine. */
typedef struct dumped {
    dls_problem *problem;
    double *lambda;
} dumped;
/* Reads FOLDER/`name`; release it after a failure, too. */
dls_status dumped_read(const char *folder, const char *name, dumped *step, dls_error *error);
void dumped_release(dumped *step);

/* Notes two numbers whose bits differ as the difference `what`; true if they do. */
bool numbers_differ(difference *d, const char *what, double a, double b);
bool counts_differ(difference *d, const char *what, size_t a, size_t b);
/* Right side, compliance, bounds, friction and position error of row i of one problem and of row k of the other. */
bool rows_differ(difference *d, const dls_problem *a, size_t i, const dls_problem *b, size_t k);

/* Compares steps whose files differ, rows and bodies in the same order. */
void steps_compare(difference *d, const dumped *a, const dumped *b);
/* Compares steps whose rows and bodies are in different orders: rows with the same label, and bodies with the same
 * coefficients in the same rows (permuted.c). DLS_BAD_INPUT, with the name of the step, if a label is not unique. */
dls_status steps_compare_permuted(difference *d, const dumped *a, const dumped *b, const char *step, dls_error *error);

#endif
