/* solver_kit.h - building blocks of iterative solvers, for those of this project and for plug-ins.
 *
 * The kit keeps the impulses lambda of a problem and their velocity v, in both forms of the problem (problem.h):
 *
 *     w = A lambda + b = J v + Gamma lambda - c,   v = v* + B lambda,   B = M^-1 J^T   (matrix form: J = A, B = 1)
 *
 * A method is one function that makes an iteration from the operations below. Its work is a struct that begins with a
 * dls_kit, which opens, loads, reads and closes it:
 *
 *     typedef struct work { dls_kit kit; ... } work;
 *     static dls_status open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
 *                            dls_error *error)
 *     {
 *         const dls_kit_plan plan = {.size = sizeof(work), .vectors = 2, .omega = 1.0};
 *         return dls_kit_open(&plan, problem, lambda0, work, error);
 *     }
 *     const dls_solver mine = {.name = "mine", ..., DLS_KIT_MEMBERS, .open = open, .iterate = iterate};
 *
 * Rows are kept in one of two arrangements, each with its own operations:
 *     packed       all rows at once, four in each vector instruction, for sweeps and for first-order methods; impulses
 *                  and other vectors by row have an order of their own
 *     row by row   the order of the problem, with the velocity as the problem has it, for methods that solve one block
 *                  of rows after another
 * Operations neither allocate nor fail. They compute in the floating-point environment of the caller, which
 * dls_solver_iterate sets. examples/momentum_plugin.c is a method outside the project.
 */
#ifndef DELASSUS_SOLVER_KIT_H
#define DELASSUS_SOLVER_KIT_H

#include "delassus/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- work --- */

enum { DLS_KIT_VECTORS_MAX = 20 };

typedef struct dls_kit {
    const dls_problem *problem; /* loaded */
    size_t size;                /* entries of a vector by row */
    size_t dead;                /* rows that no impulse moves; row by row, the method counts them */
    bool renewed;               /* in `start`: the rows of before with their impulses (dls_kit_renew), and not a load */
    double visits;  /* row visits (dls_report.row_visits) since the last dls_kit_report: the operations below count
                       theirs, a method adds those of work of its own */
    double *lambda; /* size: the current impulses, the method's to change */
    double *vector[DLS_KIT_VECTORS_MAX]; /* size each, as many as the plan says: 0 after a load; kept by renew, unless
                                            that changes the order of the entries, which makes them 0 */
    double *v;                           /* row by row: nv, the current velocity; packed: NULL */
    /* Changes since the last iteration, until dls_kit_report: */
    bool loaded;  /* the problem and the impulses: a method begins, and its vectors are 0 */
    bool changed; /* the problem, the impulses or c: the residual of lambda is not the one that a method remembers */
    struct dls_kit_inside *inside;
} dls_kit;

typedef struct dls_kit_plan {
    size_t size;     /* of the method's work in bytes; its members behind the dls_kit are 0 at first */
    size_t vectors;  /* vectors by row that the kit makes for the method */
    bool row_by_row; /* the arrangement; false: packed */
    double omega;    /* packed: the relaxation factor of sweeps and steps, 0 < omega < 2, usually 1 */
    size_t threads;  /* packed: sweeps go colour by colour (coloured_pgs.c) over so many threads, up to 256; 0: in the
                        order of the rows, in one */
    const void
        *settings; /* for the first `start`, which must copy them: they may end with dls_kit_open; usually NULL */
    /* Computes what the method keeps of a problem. Called after a problem and the impulses are loaded, or renewed.
     * NULL: nothing. May fail; memory that it allocates is freed by `end`. */
    dls_status (*start)(void *work, dls_error *error);
    void (*end)(void *work); /* called before the work is freed; NULL: nothing to do */
} dls_kit_plan;

/* Makes the work of a descriptor's `open`. Packed: DLS_BAD_ARGUMENT for an omega out of its range, DLS_REFUSED if a
 * diagonal of A is negative on a bounded row or too small to divide by. *work is NULL after a failure. */
dls_status dls_kit_open(const dls_kit_plan *plan, const dls_problem *problem, const double *lambda0, void **work,
                        dls_error *error);
/* The other members of a descriptor (solver.h), for work that dls_kit_open made. */
dls_status dls_kit_reload(void *work, const dls_problem *problem, const double *lambda0, dls_error *error);
dls_status dls_kit_renew(void *work, const dls_problem *problem, const double *v, dls_error *error);
void dls_kit_read(const void *work, double *lambda);
void dls_kit_refresh(void *work, const double *c);
void dls_kit_velocity(const void *work, double *v);
void dls_kit_close(void *work);
/* The end of an iteration: counts it, and reports its row visits and the dead rows. */
void dls_kit_report(dls_kit *kit, dls_report *report);
#define DLS_KIT_MEMBERS                                                                                   \
    .kind = DLS_SOLVER_ITERATIVE, .reload = dls_kit_reload, .renew = dls_kit_renew, .read = dls_kit_read, \
    .refresh = dls_kit_refresh, .velocity = dls_kit_velocity, .close = dls_kit_close

/* --- all rows at once: the packed arrangement --- */

/* The entry of row i in vectors by row. Entries of no row are 0 and stay 0 under all operations. */
size_t dls_kit_place(const dls_kit *kit, size_t i);
/* One pass of projected Gauss-Seidel over all rows, in their order or in the reverse one: lambda_i' = clamp(lambda_i -
 * omega w_i / A_ii) with the newest v, which follows. Rows of a cone are swept like those of a friction box. */
typedef enum dls_direction { DLS_FORWARD, DLS_BACKWARD } dls_direction;
void dls_kit_sweep(dls_kit *kit, dls_direction direction);
/* w = J v + Gamma lambda - c of all rows; 0 for rows that no impulse moves. w is not lambda. */
void dls_kit_residual(dls_kit *kit, double *w);
/* y = A x for any x by row, which is not y; 0 for rows that no impulse moves. Costs about as much as a sweep. */
void dls_kit_multiply(dls_kit *kit, const double *x, double *y);
/* v += B x. A method that adds x to lambda keeps v consistent by this call. */
void dls_kit_add(dls_kit *kit, const double *x);
/* s_i = omega / D_i, where D_i = A_ii, but for the three rows of a contact under Coulomb's isotropic cone the mean of
 * their diagonals, and for each disc of another cone the mean of mu_k^2 A_kk, over mu_k^2 (law.h), so that
 * dls_kit_project is the projection in the norm of D; 0 for rows that no impulse moves. sum_i x_i^2 / s_i has one unit,
 * whatever those of the rows. */
void dls_kit_steps(const dls_kit *kit, double *s);
/* De Saxce's term: shift = mu |w_t| at the normal row of each contact under Coulomb's cone, the sum of h(w) over its
 * discs (law.h); 0 at all other rows, and under the associated law. The law is: lambda in the cone, w + shift in its
 * dual, and the two orthogonal (G. De Saxce and Z.-Q. Feng, 1998). shift is not w. */
void dls_kit_shift(const dls_kit *kit, const double *w, double *shift);
/* Projects impulses x onto their bounds; rows that no impulse moves keep theirs. Bounds of a friction box are those at
 * the normal impulses in `normals`, which may be x or lambda. The rows of a contact under a cone are projected onto the
 * cone together, with lambda_n <= hi. */
void dls_kit_project(const dls_kit *kit, const double *normals, double *x);

/* --- one row after another: the arrangement row by row --- */

/* w_i = J_i v + Gamma_i lambda_i - c_i */
double dls_kit_row_residual(dls_kit *kit, size_t i);
/* Sets lambda_i to `impulse`; v follows. */
void dls_kit_row_set(dls_kit *kit, size_t i, double impulse);
/* The block of A of the rows i to i + count - 1, count x count, row by row; 1 x 1: the diagonal. */
void dls_kit_block(const dls_kit *kit, size_t i, size_t count, double *block);

/* --- one contact under Coulomb's cone --- */

/* The Euclidean projection of x = (normal, two tangents) onto |x_t| <= mu x_n, x_n <= hi. */
void dls_cone_project(double mu, double hi, double x[3]);

/* The 3 x 3 block of A of a contact: row and column 0 the normal, 1 and 2 the tangents. */
typedef struct dls_contact_block {
    double W[3][3];
    double S[2][2]; /* the block of the tangents with the normal eliminated: W_tt - W_tn W_nt / W_nn */
    double mu, hi;  /* lambda_n <= hi */
} dls_contact_block;
/* Computes S from W. False if the law below cannot be solved: W_nn <= 0, or S or W_tt not positive semidefinite to
 * rounding. */
bool dls_contact_block_prepare(dls_contact_block *block);
/* The impulses that solve the laws of Signorini and Coulomb for w = W lambda + q, to rounding (contact_law.c). */
void dls_contact_solve(const dls_contact_block *block, const double q[3], double lambda[3]);

#ifdef __cplusplus
}
#endif

#endif
