/* finite_lapack.c - checks of the matrices that direct methods factorise. */
#include "finite_lapack.h"

#include <lapacke.h>
#include <math.h>

bool lapack_is_watched;
size_t lapack_not_finite;

/* All of the matrix, or its lower triangle. */
static void watch_matrix(lapack_int m, lapack_int n, const double *A, lapack_int ld, bool lower)
{
    bool finite = true;
    for (lapack_int j = 0; lapack_is_watched && j < n; j++)
        for (lapack_int i = lower ? j : 0; i < m; i++)
            finite = finite && isfinite(A[i + ld * j]);
    lapack_not_finite += !finite;
}

#define LAPACK_WATCH(name, parameters, arguments, m, n, A, ld, lower)                    \
    lapack_int __real_LAPACKE_##name##_work parameters; /* NOLINT: the linker's names */ \
    lapack_int __wrap_LAPACKE_##name##_work parameters;                                  \
    lapack_int __wrap_LAPACKE_##name##_work parameters                                   \
    {                                                                                    \
        watch_matrix(m, n, A, ld, lower);                                                \
        return __real_LAPACKE_##name##_work arguments;                                   \
    }
LAPACK_WATCH(dpotrf, (int o, char u, lapack_int n, double *A, lapack_int ld), (o, u, n, A, ld), n, n, A, ld, true)
LAPACK_WATCH(dpstrf,
             (int o, char u, lapack_int n, double *A, lapack_int ld, lapack_int *p, lapack_int *r, double t, double *w),
             (o, u, n, A, ld, p, r, t, w), n, n, A, ld, true)
LAPACK_WATCH(dposv, (int o, char u, lapack_int n, lapack_int k, double *A, lapack_int ld, double *B, lapack_int lb),
             (o, u, n, k, A, ld, B, lb), n, n, A, ld, true)
LAPACK_WATCH(dgetrf, (int o, lapack_int m, lapack_int n, double *A, lapack_int ld, lapack_int *p), (o, m, n, A, ld, p),
             m, n, A, ld, false)
LAPACK_WATCH(dgesv,
             (int o, lapack_int n, lapack_int k, double *A, lapack_int ld, lapack_int *p, double *B, lapack_int lb),
             (o, n, k, A, ld, p, B, lb), n, n, A, ld, false)
LAPACK_WATCH(dgels,
             (int o, char t, lapack_int m, lapack_int n, lapack_int k, double *A, lapack_int ld, double *B,
              lapack_int lb, double *w, lapack_int lw),
             (o, t, m, n, k, A, ld, B, lb, w, lw), m, n, A, ld, false)
LAPACK_WATCH(dgelsy,
             (int o, lapack_int m, lapack_int n, lapack_int k, double *A, lapack_int ld, double *B, lapack_int lb,
              lapack_int *p, double rcond, lapack_int *r, double *w, lapack_int lw),
             (o, m, n, k, A, ld, B, lb, p, rcond, r, w, lw), m, n, A, ld, false)
LAPACK_WATCH(dgeqp3,
             (int o, lapack_int m, lapack_int n, double *A, lapack_int ld, lapack_int *p, double *t, double *w,
              lapack_int lw),
             (o, m, n, A, ld, p, t, w, lw), m, n, A, ld, false)
LAPACK_WATCH(dgesvd,
             (int o, char ju, char jv, lapack_int m, lapack_int n, double *A, lapack_int ld, double *s, double *U,
              lapack_int lu, double *V, lapack_int lv, double *w, lapack_int lw),
             (o, ju, jv, m, n, A, ld, s, U, lu, V, lv, w, lw), lw < 0 ? 0 : m, lw < 0 ? 0 : n, A, ld, false)
#undef LAPACK_WATCH
