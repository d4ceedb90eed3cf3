/* The mobility of one row, the diagonal entry of A. */
#include "mobility.h"

#include <stdlib.h>

void dls_mobility_close(void *mobility) { free(mobility); }

dls_status dls_mobility_open(dls_simulation *simulation, void **mobility, dls_error *error)
{
    const size_t nv = dls_model_count(dls_simulation_model(simulation)).nv;
    dls_mobility *m = *mobility = calloc(1, sizeof *m + 2 * nv * sizeof *m->work);
    if (!m)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu velocities", nv);
    m->nv = nv;
    return DLS_OK;
}

double dls_mobility_of(dls_mobility *m, const dls_problem *p, size_t i)
{
    return dls_rows_response(&p->J, &p->mass, i, m->work, m->work + m->nv);
}
