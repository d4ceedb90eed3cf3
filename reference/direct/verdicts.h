/* verdicts.h - the last word on what a direct method claims. Not installed. */
#ifndef DELASSUS_REFERENCE_VERDICTS_H
#define DELASSUS_REFERENCE_VERDICTS_H

#include "measure.h"

/* Brings lambda (n entries, in the units of d->q, which has no twins) to its last digits, and confirms, amends or
 * withdraws the outcome in the report. Fails with DLS_NO_MEMORY alone. */
dls_status dls_direct_judge(const dls_direct *d, double *lambda, dls_report *report, dls_error *error);

#endif
