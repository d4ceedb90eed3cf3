/* warm.h - warm starts of a simulation. Not installed. */
#ifndef DELASSUS_WARM_H
#define DELASSUS_WARM_H

#include "delassus/simulation.h"

struct dls_warm_store;

/* Before the problem of the last step goes: its impulses. */
void dls_warm_remember(dls_simulation *simulation);
/* With the problem and the contacts of a new step at hand: where its solve starts, into lambda, which is 0. */
dls_status dls_warm_begin(dls_simulation *simulation, double h, dls_error *error);
/* Where the first solve of `to` starts: with the impulses that joints of the same name, and contacts between ends of
 * the same names, had in the last step of `from`. */
dls_status dls_warm_carry(dls_simulation *from, dls_simulation *to, dls_error *error);
void dls_warm_release(struct dls_warm_store *store);
size_t dls_warm_size(const struct dls_warm_store *store); /* bytes that it takes; 0 of NULL */

#endif
