/* warm.h - warm starts of a stepper. Not installed. */
#ifndef DELASSUS_WARM_H
#define DELASSUS_WARM_H

#include "delassus/scheme.h"

/* Before the problem of the last step goes: its impulses. */
void dls_warm_remember(dls_stepper *stepper);
/* With the problem and the contacts of a new step at hand: where its solve starts, into lambda, which is 0. */
dls_status dls_warm_begin(dls_stepper *stepper, double h, dls_error *error);
void dls_warm_release(struct dls_warm_store *store);

#endif
