/* finite_lapack.h - whether every matrix that direct methods factorise has finite entries: LAPACK promises nothing of
 * others, and some of its routines never return. For programs that are linked with $(wrap_factors). */
#ifndef DLS_TESTS_FINITE_LAPACK_H
#define DLS_TESTS_FINITE_LAPACK_H

#include <stdbool.h>
#include <stddef.h>

extern bool lapack_is_watched;   /* a direct method is at work */
extern size_t lapack_not_finite; /* calls with an entry that is no number, or infinite */

#endif
