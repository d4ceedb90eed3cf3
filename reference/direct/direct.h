/* direct.h - a direct method is one function on one dense problem. Not installed.
 *
 * direct.c assembles the problem of every method in the same way, in units of its own,
 *     A' = S A S,  b' = S b / u,  lambda = u S lambda',  w' = S w / u,  and y = S y' for a proof,  S = diag(s),
 * with s_i the power of two next to 1 / sqrt(A_ii) where A has a diagonal that serves, and u that of the largest S b of
 * the block of rows that entries of A or friction join: then metres and radians no longer differ, every tolerance of a
 * method is a plain number, and what it means for a row does not depend on rows that have nothing to do with it. Powers
 * of two scale without rounding, and the same problem in other units becomes the same doubles. Memory comes from an
 * arena that is kept from one problem to the next: a method takes all it needs, asks dls_direct_ready once, and returns
 * nothing. The last line of its file is DLS_DIRECT_SOLVER.
 *
 * What a method claims goes through one last step (last_step.c) before anybody sees it. measure.c says when a vector
 * counts as a solution in floating point, and when one proves that there is none.
 */
#ifndef DELASSUS_REFERENCE_DIRECT_H
#define DELASSUS_REFERENCE_DIRECT_H

#include "delassus/reference.h"

#include "redundant.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct dls_direct {
    const dls_problem *problem; /* for its laws of friction; everything else is in q */
    const void *settings;       /* the method's, as its fields were set */
    const char *name;           /* the method's, for messages */
    dls_dense q;                /* A', b', lo', hi': n rows and then the twins */
    size_t n;                   /* rows of the problem */
    size_t n_twins, *twin;      /* row n + k of q is the twin of row twin[k] */
    int *row_unit;              /* n: s_i = 2^row_unit_i */
    int *impulse_unit;          /* n: u_i = 2^impulse_unit_i, the same for all rows of a block */
    size_t n_blocks, *block;    /* q.n: the block of each row, from 0 to n_blocks - 1 */
    double *right;              /* n_blocks: max |b'| */
    double *size;               /* n_blocks: max over |b'| and the finite |lo'|, |hi'|; 1 if all are 0 */
    dls_redundant redundant;    /* what was taken from rows of closed loops (redundant.h) */
    dls_arena *memory;          /* what the method takes */
} dls_direct;

/* Puts the answer into lambda (n entries, in the units of q; zeros before), and outcome and counts into the report.
 * Fails with DLS_NO_MEMORY alone. */
typedef dls_status dls_direct_solve(dls_direct *d, double *lambda, dls_report *report, dls_error *error);

/* How the problem is prepared. */
enum {
    DLS_DIRECT_ROWS,    /* each row has its own unit */
    DLS_DIRECT_CONTACTS /* both tangents of a cone have one, so that it stays circular */
};

dls_status dls_direct_open(const dls_solver *solver, dls_direct_solve *solve, int prepare, const dls_problem *problem,
                           const void *settings, void **work, dls_error *error);
dls_status dls_direct_reload(void *work, const dls_problem *problem, const double *lambda0, dls_error *error);
dls_status dls_direct_iterate(void *work, dls_report *report, dls_error *error);
void dls_direct_read(const void *work, double *lambda);
void dls_direct_close(void *work);

/* Defines dls_solver_IDENTIFIER from a solve function, how it wants its problem prepared, and the members of the
 * descriptor that say what the method is. */
#define DLS_DIRECT_SOLVER(identifier, solve, prepare, ...)                                                          \
    static dls_status identifier##_open(const dls_problem *problem, const void *settings_of, const double *lambda0, \
                                        void **work_of, dls_error *error)                                           \
    {                                                                                                               \
        (void)lambda0;                                                                                              \
        return dls_direct_open(&dls_solver_##identifier, (solve), (prepare), problem, settings_of, work_of, error); \
    }                                                                                                               \
    const dls_solver dls_solver_##identifier = {__VA_ARGS__,                                                        \
                                                .kind = DLS_SOLVER_DIRECT,                                          \
                                                .open = identifier##_open,                                          \
                                                .reload = dls_direct_reload,                                        \
                                                .iterate = dls_direct_iterate,                                      \
                                                .read = dls_direct_read,                                            \
                                                .close = dls_direct_close}
#define SOLVER(identifier) extern const dls_solver dls_solver_##identifier;
#include "direct.def"
#undef SOLVER

/* DLS_OK where all that was taken so far was there, else DLS_NO_MEMORY with a message. */
dls_status dls_direct_ready(const dls_direct *d, dls_error *error);
/* q.n zeros, and an uninitialised matrix, column-major. NULL for want of memory. */
static inline double *dls_direct_vector(const dls_direct *d) { return DLS_TAKE_ZEROS(d->memory, double, d->q.n); }
/* The same for each of several `double **`. */
#define DLS_DIRECT_VECTORS(d, ...)                                         \
    do {                                                                   \
        double **const to_take[] = {__VA_ARGS__};                          \
        for (size_t k_ = 0; k_ < sizeof to_take / sizeof to_take[0]; k_++) \
            *to_take[k_] = dls_direct_vector(d);                           \
    } while (0)
static inline double *dls_take_matrix(dls_arena *memory, size_t rows, size_t columns)
{
    return dls_arena_take(memory, columns, (rows > 0 ? rows : 1) * sizeof(double));
}

/* Writes the free lambda_i of some rows as the difference of two: lambda_i >= 0 with w_i >= 0 and, as rows after the
 * others, twins >= 0 with -w_i >= 0. The solutions are the same, and a semidefinite A stays semidefinite. At most once
 * for a problem. */
void dls_direct_split(dls_direct *d, size_t count, const size_t *rows);
/* n entries of lambda or y from q.n ones: each row less its twin. */
void dls_direct_join(const dls_direct *d, const double *x, double *joined);

/* The arrays of a dense problem taken from `keep`; assembly works in `scratch`. (dense.c) */
dls_status dls_dense_take(const dls_problem *problem, dls_arena *keep, dls_arena *scratch, dls_dense *dense,
                          dls_error *error);

/* --- bounds and rows --- */

/* An impulse, and a velocity, of row i in the units of the problem, from those of q and back. */
static inline double dls_direct_impulse(const dls_direct *d, size_t i, double scaled)
{
    return ldexp(scaled, d->row_unit[i] + d->impulse_unit[i]);
}
static inline double dls_direct_impulse_scaled(const dls_direct *d, size_t i, double impulse)
{
    return ldexp(impulse, -d->row_unit[i] - d->impulse_unit[i]);
}
static inline double dls_direct_velocity(const dls_direct *d, size_t i, double scaled)
{
    return ldexp(scaled, d->impulse_unit[i] - d->row_unit[i]);
}
static inline double dls_direct_velocity_scaled(const dls_direct *d, size_t i, double velocity)
{
    return ldexp(velocity, d->row_unit[i] - d->impulse_unit[i]);
}
/* The size of the data of the block of row i: max |b'|, and the same with its bounds. */
static inline double dls_direct_right(const dls_direct *d, size_t i) { return d->right[d->block[i]]; }
static inline double dls_direct_size(const dls_direct *d, size_t i) { return d->size[d->block[i]]; }
/* mu of row i, which has a normal row, in the units of q: |lambda'_i| <= mu' lambda'_n. */
static inline double dls_direct_mu(const dls_direct *d, size_t i)
{
    return ldexp(d->problem->mu[i], d->row_unit[d->problem->parent[i]] - d->row_unit[i]);
}

static inline bool dls_bound_free(const dls_dense *q, size_t i) { return isinf(q->lo[i]) && isinf(q->hi[i]); }
static inline double dls_bound_clamp(const dls_dense *q, size_t i, double x)
{
    return x < q->lo[i] ? q->lo[i] : x > q->hi[i] ? q->hi[i] : x;
}

/* w = A lambda + b */
void dls_dense_w(const dls_dense *q, const double *lambda, double *w);
/* largest_i = max_j |A_ij|: then |b_i| + largest_i sum_j |lambda_j| bounds the terms of w_i, so their rounding too. */
void dls_dense_row_max(const dls_dense *q, double *largest);
/* Whether an n x n matrix, or its lower triangle, is without infinities and NaN, as LAPACK needs it: derivatives at an
 * iterate that diverges are not. */
bool dls_matrix_is_finite(size_t n, const double *A, bool lower);
/* The block A_FF of the f rows and columns F, column-major with leading dimension f. */
void dls_dense_block(const dls_dense *q, size_t f, const size_t *F, double *block);
/* Whether the square of a Cholesky factor's pivot is only the rounding of the n products subtracted from `diagonal`. */
static inline bool dls_pivot_lost(double pivot, double diagonal, size_t n)
{
    return !(pivot * pivot > (double)n * DBL_EPSILON * diagonal);
}

/* The solver `exact` with its default settings and at most this work (exact_search.c). */
dls_status dls_exact_search(const dls_problem *problem, double most_work, double *lambda, dls_report *report,
                            dls_error *error);

/* --- what counts as a solution (measure.c) --- */

/* The violation of a row (below) up to which a method may claim to have solved it. */
static const double dls_solved_to = 1e-10;

/* The middle one of lambda_i - lo_i, w_i, lambda_i - hi_i: 0 where row i is solved. */
double dls_natural_map(const dls_dense *q, size_t i, double lambda, double w);
/* The rounding of w_i at lambda; measure.c derives it. */
double dls_row_rounding(const dls_dense *q, size_t i, const double *lambda);
/* T_i and Lambda_i of all rows at lambda, n entries each. */
void dls_row_scales(const dls_dense *q, const double *lambda, double *T, double *most);
/* The violation of a row in these, with the sign of its natural map. */
double dls_row_violation(double lo, double hi, double lambda, double w, double T, double most);
/* max_i |natural map|; NaN if lambda or w has one. */
double dls_natural_residual(const dls_dense *q, const double *lambda, const double *w);
/* Whether every row's natural map is at most `allowed`, or the rounding of its w. */
bool dls_natural_zero(const dls_dense *q, const double *lambda, const double *w, double allowed);
/* max_i |natural map| / size of the row's block; NaN if lambda' or w' has one. */
double dls_direct_natural_residual(const dls_direct *d, const double *lambda, const double *w);
/* w = A' lambda' + b', and its dls_direct_natural_residual. */
double dls_direct_residual(const dls_direct *d, const double *lambda, double *w);
/* Whether lambda' is a solution: each row's natural map is at most `tolerance` size, or the rounding of its w, and the
 * impulses are not so large that nothing but rounding is left: an impulse of 1e16 proves nothing. */
bool dls_direct_solved(const dls_direct *d, const double *lambda, double tolerance, double *w, double *residual);
/* The largest impulse that a solution may have, as a multiple of `size`: its rounding is then 1e-9 of `size`, the level
 * at which answers are examined. So y proves that there is no solution where b.y is further below 0 than dls_reach
 * times the entries of A^T y that would be 0 without rounding. */
static const double dls_reach = 1e-9 / DBL_EPSILON;

/* --- what proves that there is none (measure.c) --- */

/* Whether y' (an entry per row of q) proves that there is no solution: y'.w' >= 0 in every solution, but y'.w' <=
 * b'.y' + sup (A'^T y').lambda'. Entries of the wrong sign are set to 0 first: any y may be tried. With slack the
 * entries of A'^T y' that should vanish and do not, and margin = -(b'.y' + sup) > 0, a solution would have
 * |lambda'|_1 >= margin / slack: *bound, as a multiple of the size of the blocks that have y' != 0. Returns true where
 * that is beyond 1e6, that is, out of the rounding. */
bool dls_direct_farkas(const dls_direct *d, double *y, double *bound);
/* The report of such a proof, with its bound. */
dls_status dls_direct_report_farkas(const dls_direct *d, const double *y, double bound, dls_report *report,
                                    dls_error *error);
/* Takes the proof out of a report. */
void dls_report_withdraw_proof(dls_report *report);
/* Puts y' into the report in the units of the problem, at most 1 in size. DLS_NO_MEMORY leaves the report as it was. */
dls_status dls_direct_proof(const dls_direct *d, const double *y, dls_report *report, dls_error *error);

#endif
