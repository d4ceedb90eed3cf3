/* redundant.h - rows of closed loops that say the same once the loop is closed. Not installed. */
#ifndef DELASSUS_REFERENCE_REDUNDANT_H
#define DELASSUS_REFERENCE_REDUNDANT_H

#include "prepare.h"

/* The self-stresses of a mechanical problem in the units of d->q; k = 0 where there is none, or
 * where the problem does not tell how far its loops are from being closed. Arrays are taken from `keep`. Fails with
 * DLS_NO_MEMORY alone. */
dls_status dls_redundant_find(const dls_direct *d, dls_arena *keep, dls_arena *scratch, dls_redundant *redundant,
                              dls_error *error);
/* q becomes the problem without its contradictions, and regular in the directions of the self-stresses; what is taken
 * from b goes to `left`. */
void dls_redundant_remove(dls_redundant *redundant, dls_dense *q);
/* w <- w - D N N^T w on these rows; with left != NULL, what was taken goes there. */
void dls_redundant_project(const dls_redundant *redundant, double *w, double *left);

#endif
