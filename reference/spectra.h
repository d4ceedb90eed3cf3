/* spectra.h - singular values and eigenvalues by LAPACK's drivers. Not installed.
 *
 * LAPACKE's own drivers allocate their work memory, print where there is none, and call it a failure like any other.
 * These take it from an arena. */
#ifndef DELASSUS_REFERENCE_SPECTRA_H
#define DELASSUS_REFERENCE_SPECTRA_H

#include "base/memory.h"
#include "delassus/status.h"

/* All matrices are by columns, and destroyed. DLS_NO_MEMORY, or DLS_NOT_FINITE where `what` ("the eigenvalues of a
 * step") were not found. */

/* The x of least norm that minimises |A x - b|, by dgelsd: A is m x n, b has max(m, n) entries, and becomes x. Singular
 * values (min(m, n), descending) of at most `tolerance` times the largest count as 0; *rank counts the others. */
dls_status dls_least_norm(size_t m, size_t n, double *A, double *b, double tolerance, double *singular, size_t *rank,
                          dls_arena *memory, const char *what, dls_error *error);
/* The n eigenvalues, ascending, of the symmetric matrix with this lower triangle, by dsyevd; with `vectors` A becomes
 * the eigenvectors, column by column. */
dls_status dls_symmetric_spectrum(size_t n, bool vectors, double *A, double *values, dls_arena *memory,
                                  const char *what, dls_error *error);
/* The n eigenvalues of a matrix, in no order, by dgeev. */
dls_status dls_general_spectrum(size_t n, double *A, double *real, double *imaginary, dls_arena *memory,
                                const char *what, dls_error *error);

#endif
