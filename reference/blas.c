#include "blas.h"

#include <lapacke.h>
#include <stdbool.h>
#include <stdlib.h>

/* The buffer, and a page and alignment that OpenBLAS adds. */
static const size_t buffer = ((size_t)128 << 20) + ((size_t)4 << 20);

dls_status dls_blas_ready(dls_error *error)
{
    static _Thread_local bool ready;
    double one = 1.0;
    if (ready)
        return DLS_OK;
    void *volatile room = malloc(buffer); /* volatile: a compiler may leave out memory that nobody uses */
    if (!room)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for OpenBLAS, which works in %zu MB", buffer >> 20);
    free(room);
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', 1, &one, 1);
    ready = true;
    return DLS_OK;
}
