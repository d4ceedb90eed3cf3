/* mobility.h - for schemes that make a row soft by its own mobility. Not installed. */
#ifndef DELASSUS_MOBILITY_H
#define DELASSUS_MOBILITY_H

#include "delassus/simulation.h"

/* Work of a scheme, for dls_scheme.open and close, or a part of it. */
typedef struct dls_mobility {
    size_t nv;
    double work[]; /* 2 nv: the response of a row, and scratch */
} dls_mobility;
dls_status dls_mobility_open(dls_simulation *simulation, void **mobility, dls_error *error);
void dls_mobility_close(void *mobility);
/* J M^-1 J^T of row i of a problem alone [1/kg, 1/(kg m^2)]. */
double dls_mobility_of(dls_mobility *mobility, const dls_problem *problem, size_t i);

#endif
