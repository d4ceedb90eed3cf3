/* blas.h - memory for OpenBLAS. Not installed. */
#ifndef DELASSUS_REFERENCE_BLAS_H
#define DELASSUS_REFERENCE_BLAS_H

#include "delassus/status.h"

/* OpenBLAS takes a buffer of 128 MiB for a thread's first product or factorisation, and where it cannot have it, it
 * tries again without end. Code that calls BLAS or LAPACK calls this before, in the same thread: it tries to get as
 * much, and lets OpenBLAS take its buffer, which it keeps, while there is room. DLS_NO_MEMORY where there is not. */
dls_status dls_blas_ready(dls_error *error);

#endif
