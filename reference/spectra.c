/* Singular values and eigenvalues with work memory of an arena: a call for its size, then the call for the numbers. */
#include "spectra.h"

#include "blas.h"

#include <lapacke.h>
#include <math.h>

static dls_status spectrum_no_memory(size_t n, const char *what, dls_error *error)
{
    return dls_fail(error, DLS_NO_MEMORY, "no memory for %s of a matrix of size %zu", what, n);
}

/* Before a call: all numbers are finite, since LAPACK may go on for ever with NaN, and there is memory for BLAS. */
static dls_status begin_spectrum(size_t count, const double *A, const char *what, dls_error *error)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(A[k]))
            return dls_fail(error, DLS_NOT_FINITE, "%s were not found: a number is not finite", what);
    return dls_blas_ready(error);
}

static dls_status conclude_spectrum(lapack_int info, const char *what, dls_error *error)
{
    return info == 0 ? DLS_OK : dls_fail(error, DLS_NOT_FINITE, "%s were not found", what);
}

dls_status dls_least_norm(size_t m, size_t n, double *A, double *b, double tolerance, double *singular, size_t *rank,
                          dls_arena *memory, const char *what, dls_error *error)
{
    const lapack_int rows = (lapack_int)m, columns = (lapack_int)n, most = (lapack_int)(m > n ? m : n);
    lapack_int found = 0, integers = 1;
    double reals = 1.0;
    *rank = 0;
    if (m == 0 || n == 0)
        return DLS_OK;
    DLS_TRY(begin_spectrum(m * n, A, what, error));
    DLS_TRY(begin_spectrum(m, b, what, error));
    LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, rows, columns, 1, A, rows, b, most, singular, tolerance, &found, &reals, -1,
                        &integers);
    double *work = DLS_TAKE(memory, double, (size_t)reals);
    lapack_int *more = DLS_TAKE(memory, lapack_int, (size_t)integers);
    if (memory->failed)
        return spectrum_no_memory((size_t)most, what, error);
    const lapack_int info = LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, rows, columns, 1, A, rows, b, most, singular,
                                                tolerance, &found, work, (lapack_int)reals, more);
    *rank = (size_t)found;
    return conclude_spectrum(info, what, error);
}

dls_status dls_symmetric_spectrum(size_t n, bool vectors, double *A, double *values, dls_arena *memory,
                                  const char *what, dls_error *error)
{
    const lapack_int size = (lapack_int)n;
    const char job = vectors ? 'V' : 'N';
    lapack_int integers = 1;
    double reals = 1.0;
    if (n == 0)
        return DLS_OK;
    for (size_t j = 0; j < n; j++)
        DLS_TRY(begin_spectrum(n - j, A + (n + 1) * j, what, error));
    LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', size, A, size, values, &reals, -1, &integers, -1);
    double *work = DLS_TAKE(memory, double, (size_t)reals);
    lapack_int *more = DLS_TAKE(memory, lapack_int, (size_t)integers);
    if (memory->failed)
        return spectrum_no_memory(n, what, error);
    return conclude_spectrum(
        LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', size, A, size, values, work, (lapack_int)reals, more, integers),
        what, error);
}

dls_status dls_general_spectrum(size_t n, double *A, double *real, double *imaginary, dls_arena *memory,
                                const char *what, dls_error *error)
{
    const lapack_int size = (lapack_int)n;
    double reals = 1.0;
    if (n == 0)
        return DLS_OK;
    DLS_TRY(begin_spectrum(n * n, A, what, error));
    LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', size, A, size, real, imaginary, NULL, 1, NULL, 1, &reals, -1);
    double *work = DLS_TAKE(memory, double, (size_t)reals);
    if (memory->failed)
        return spectrum_no_memory(n, what, error);
    return conclude_spectrum(LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', size, A, size, real, imaginary, NULL, 1,
                                                NULL, 1, work, (lapack_int)reals),
                             what, error);
}
