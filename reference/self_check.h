/* self_check.h - whether error bounds hold in this process. Not installed. */
#ifndef DELASSUS_REFERENCE_SELF_CHECK_H
#define DELASSUS_REFERENCE_SELF_CHECK_H

#include "delassus/status.h"

/* DLS_UNAVAILABLE, with the reason, if the library was compiled with options under which its error bounds are false,
 * or if threads of the BLAS compute otherwise than this one. The work is done once in a process that remains in the
 * default environment; any thread may call, under DLS_STANDARD_ARITHMETIC. */
dls_status dls_self_check(dls_error *error);

#endif
