/* ladder.h - projected Gauss-Seidel in several precisions, from one source (ladder_kernel.h). */
#ifndef DLS_EXPERIMENTS_PRECISION_LADDER_H
#define DLS_EXPERIMENTS_PRECISION_LADDER_H

#include <stddef.h>

/* A problem with dense rows. All numbers are doubles; a rung rounds them to its own precision. */
typedef struct dls_ladder_problem {
    size_t n, nv;
    const double *J;                   /* n x nv, by rows */
    const double *B;                   /* M^-1 J^T, n x nv: the response of row i */
    const double *diagonal;            /* n: A_ii */
    const double *gamma, *c, *lo, *hi; /* n */
    const double *v_star;              /* nv */
} dls_ladder_problem;

typedef struct dls_ladder_rung {
    const char *name;
    double coefficients, sums; /* unit roundoff of J, B and A_ii; of lambda, v and all sums */
    /* Makes `sweeps` sweeps from `start`; lambda = high + low. False without memory. */
    int (*run)(const dls_ladder_problem *problem, size_t sweeps, const double *start, double *high, double *low);
} dls_ladder_rung;

extern const dls_ladder_rung dls_ladder_float, dls_ladder_mixed, dls_ladder_double, dls_ladder_twofold;

#endif
