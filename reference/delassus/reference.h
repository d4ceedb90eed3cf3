/* reference.h - the reference path: dense assembly, direct methods, the examiner, predicted rates, reference
 * trajectories.
 *
 * Dense matrices are column-major with the leading dimension equal to the number of rows.
 *
 * All functions compute in the default floating-point environment, whatever that of the caller is, and restore it. The
 * direct methods, dls_examiner_create, dls_certify, dls_farkas_verify and dls_rate_enclose return DLS_UNAVAILABLE where
 * error bounds would be false: in a library that was compiled with options such as -funsafe-math-optimizations, or if
 * threads of OpenBLAS were started in a state in which subnormal numbers become 0. */
#ifndef DELASSUS_REFERENCE_H
#define DELASSUS_REFERENCE_H

#include "delassus/loops.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const dls_solver *const dls_direct_solvers[]; /* NULL at the end */
const dls_solver *dls_direct_find(const char *name); /* NULL if there is none */

/* --- dense assembly (dense.c) --- */

/* w = A lambda + b, lo <= lambda <= hi, dense: A = J M^-1 J^T + Gamma, b = J v* - c, conventions (4). */
typedef struct dls_dense {
    size_t n;
    double *A;       /* n x n, column-major */
    double *b;       /* n */
    double *lo, *hi; /* n; 0 for coupled friction rows */
    bool symmetric;  /* A = A^T to rounding; then A is made exactly symmetric */
} dls_dense;

/* Assembles the dense problem with LAPACKE and OpenBLAS, by the Cholesky factor of the dense M; in the matrix form A is
 * copied. */
dls_status dls_dense_create(const dls_problem *problem, dls_dense **dense, dls_error *error);
void dls_dense_destroy(dls_dense *dense);
/* Single matrices, in memory of the caller: M, nv x nv (mechanical form only); J, n x nv; response = M^-1 J^T, nv x
 * n. */
dls_status dls_dense_mass(const dls_problem *problem, double *M, dls_error *error);
void dls_dense_jacobian(const dls_problem *problem, double *J);
dls_status dls_dense_response(const dls_problem *problem, double *response, dls_error *error);

/* --- the examiner (examine.c) --- */

/* The errors of given impulses, computed from the problem by code that no solver uses. The natural map of a contact
 * under Coulomb's cone is that of its three rows together (examine_cone.c), with the largest D of the three, measured
 * in the Euclidean norm. */
typedef struct dls_certificate {
    double natural_residual;          /* max_i |lambda_i - clamp(lambda_i - w_i)|: not scaled, mixed units [N s] */
    double natural_residual_velocity; /* max_i |lambda_i - clamp(lambda_i - w_i / D_i)| D_i, scaled by D = diag(A) [m/s,
                                         rad/s] */
    double natural_residual_impulse;  /* max_i |lambda_i - clamp(lambda_i - w_i / D_i)| [N s, N m s] */
    /* Residuals without a unit: each row relative to its own terms, so that they do not depend on the units of rows,
     * impulses and velocities; with T_i = |b_i| + sum_j |A_ij| |lambda_j| and Lambda_i = min_j T_j / |A_ji| (examine.c)
     */
    double impulse_residual;  /* max_i distance of lambda_i from [lo_i, hi_i], divided by Lambda_i, or by the bounds if
                                 smaller */
    double velocity_residual; /* max_i |w_i| / T_i of rows where lambda_i can move in the direction that reduces |w_i|;
                                 or the distance it can move, divided by Lambda_i, if that is smaller */
    double scaled_residual;   /* the larger of these two; tolerances refer to it */
    double least_residual; /* at least so much of it is no rounding of this evaluation; rows whose figure is no number
                                 do not count */
    size_t worst_row;      /* first row with this residual; for a contact under the cone its normal row; DLS_NONE if it
                             is 0 */
    double data_residual;  /* the violations relative to b: max_i violation_i T_i max(Lambda_i, |lambda_i|) / sum_j |b_j
                             lambda_j|, where j are the rows of the same island. Near 1, there may be no solution: the
                             other residuals are small only because huge impulses make T_i large. An island where all
                             b_j lambda_j are 0 does not count if its impulses are rounding errors of the others:
                             energies |lambda_j| T_j of at most 2^-52 of the largest |b_j lambda_j|. Nor does one of which no
                             impulse changes a w by more than the rounding of its terms. */
    double inconsistent;   /* the largest remaining |w| of rows of closed loops that contradict each other [m/s, rad/s]:
                             no impulse can change it, and it does not count as a violation. Multiplied by h, it is the
                             distance by which the loop stays open. */
    double bound_violation;      /* max_i distance of lambda_i from [lo_i, hi_i] [N s] */
    double cone_violation;       /* the same for contacts under Coulomb's cone: distance from the cone [N s] */
    double complementarity_gap;  /* sum_i |slack_i w_i|, with the distance slack_i to the finite bound in the direction
                                    of -w_i [J]; for a cone |lambda_n w_n| + |mu lambda_n |w_t| + lambda_t . w_t| */
    double friction_dissipation; /* -sum lambda_t . w_t over all coupled friction rows, box or cone [J] */
    double objective;            /* 1/2 lambda^T A lambda + b^T lambda if A is symmetric, else NaN [J] */
    double w_max;                /* max |w| [m/s] */
} dls_certificate;

/* An examiner of one problem at a time. It keeps its memory, so that examining many iterates, or the problems of a run,
 * needs no further allocation. The problem must not change while it is examined. */
typedef struct dls_examiner dls_examiner;
dls_status dls_examiner_create(const dls_problem *problem, dls_examiner **examiner, dls_error *error);
/* Loads another problem into the same examiner. Its memory is reused and grows only when needed. Cost and memory
 * are linear in the number of entries of J, of the factors of M, and of A = J M^-1 J^T that are not zero. After a
 * failure the examiner can only be reloaded or destroyed. */
dls_status dls_examiner_reload(dls_examiner *examiner, const dls_problem *problem, dls_error *error);
void dls_examiner_destroy(dls_examiner *examiner); /* NULL is allowed */
/* The numbers of rows with A_ii = 0 (sweeps skip them) and with A_ii < 0 (sweeps move away from a solution). */
typedef struct dls_diagonals {
    size_t zero, negative;
} dls_diagonals;
dls_diagonals dls_examiner_diagonals(const dls_examiner *examiner);
/* The size of impulses and velocities in the block of rows that a row is coupled with, by A or by a friction law. */
typedef struct dls_block_scale {
    /* The sizes of the answer: the largest |lambda_j| and |(A lambda)_j| term by term; where all are 0 those that the b
     * of a row requires, |b_j| / max_k |A_jk| and |b_j|; 0 where none does. [N s, N m s] and [m/s, rad/s] */
    double impulse, velocity;
    /* And of the data: the largest of these and of |b_j| / max_k |A_jk| and |b_j| of every row. */
    double impulse_of_data, velocity_of_data;
} dls_block_scale;
/* scale (n entries): each in the units of its row. unit (n entries): positive, of impulses, in which the rows of a
 * block can be compared: lambda_i / unit_i and w_i unit_i (dls_bounds has such units). */
void dls_examiner_block_scales(dls_examiner *examiner, const double *lambda, const double *unit,
                               dls_block_scale *scale);
/* Computes w = A lambda + b (n entries), by rows and mass operator, and the certificate. If lambda contains NaN, the
 * residuals are NaN, never small. */
void dls_examine(dls_examiner *examiner, const double *lambda, double *w, dls_certificate *certificate);
/* The certificate, and the natural_residual_velocity of each row alone (n entries) [m/s, rad/s]; the rows of a contact
 * with discs of friction have that of the contact. */
void dls_examine_rows(dls_examiner *examiner, const double *lambda, double *residual, dls_certificate *certificate);
/* sqrt(dv^T M dv), where dv is the difference of the velocities v+ of two vectors of impulses. In the matrix form
 * sqrt(dl^T A dl); NaN if A is not symmetric. [sqrt(J)] */
double dls_examiner_distance(dls_examiner *examiner, const double *lambda1, const double *lambda2);

/* --- the impulses behind a velocity (velocity_impulses.c) --- */

/* lambda (n entries) with v = v* + M^-1 J^T lambda, by least squares in the norm |x|_M = sqrt(x^T M x). If rows are
 * dependent, lambda is not unique: the solution nearest to `near` (n entries) is chosen, each row in units of 1 /
 * sqrt(A_ii). *left is the relative part of v that impulses on these rows cannot produce: the largest value, over the
 * blocks of M (a body, an articulation), of
 *     |v - v* - M^-1 J^T lambda|_M / (|v|_M + |v*|_M + sum_i |M^-1 J_i^T lambda_i|_M)
 * with all norms of the block only [1]. Uses dense matrices. DLS_REFUSED in the matrix form. */
dls_status dls_impulses_of_velocity(const dls_problem *problem, const double *v, const double *near, double *lambda,
                                    double *left, dls_error *error);

/* --- exact arithmetic and memory (apart.c) --- */

/* FLINT and GMP, which do the exact arithmetic of this header, end the process where memory is exhausted. So it is done
 * in a child of the process where a trial does not find plenty of memory, and always after dls_exact_apart(true), which
 * is for programs of one thread: a fork costs some milliseconds, and what other threads hold the child holds for ever.
 * A child that ends for want of memory is DLS_NO_MEMORY. In force for the whole process; the library never calls it. */
void dls_exact_apart(bool always);

/* --- proofs that there is no solution (farkas.c) --- */

typedef struct dls_farkas_proof {
    bool proved;
    double margin;    /* minus the supremum of y'.w for max |y'| = 1, rounded towards 0; 0 if nothing is proved */
    char reason[192]; /* why nothing is proved; else "" */
} dls_farkas_proof;
/* Farkas' lemma, for any A: in every solution w_i >= 0 where only lo_i is finite, w_i <= 0 where only hi_i is, w_i = 0
 * on free rows; so with y_i >= 0, y_i <= 0, y_i free there, and y_i = 0 where both bounds are finite, y.w >= 0. But
 * y.w = b.y + (A^T y).lambda <= b.y + sup over lo <= lambda <= hi, and if that is negative there is no solution.
 * Proves in exact rational arithmetic that the problem as stored, its doubles taken as exact numbers, has no solution.
 * y (n entries) is a Farkas vector up to rounding errors. If it is not an exact Farkas vector, an exact y' near it is
 * computed from its largest entries. The cost is linear in the entries of J or A if y is exact; else about 1.3 s for
 * 250 entries of y, the largest number used. Tangents under a friction law have y = 0, and add mu |(A^T y)_t| to (A^T
 * y)_n. If nothing is proved, the problem may or may not have solutions. */
dls_status dls_farkas_verify(const dls_problem *problem, const double *y, dls_farkas_proof *proof, dls_error *error);

/* --- proofs that there is no solution, by exhaustion (exact_search.c) --- */

typedef struct dls_search_proof {
    bool proved;      /* there is no solution */
    bool refuted;     /* there is one */
    size_t nodes;     /* partial and complete choices of states that were examined */
    char reason[192]; /* why nothing is proved; else "" */
} dls_search_proof;
/* Verifies the claim that a problem of at most 32 rows has no solution where no Farkas vector exists or is known
 * (DLS_PROOF_ENUMERATION): searches all choices of states of the rows (between their bounds, at the lower one, at the
 * upper one) in exact rational arithmetic, the doubles of the problem taken as exact numbers. It needs nothing from the
 * solver that makes the claim, and uses no floating point.
 *
 * The cost may grow exponentially with the number of rows; `most_work` limits it, in multiplications of 64-bit numbers,
 * of which a second has about 1e9 (usually 1e10). Problems of up to 8 rows take milliseconds. Neither proved nor
 * refuted, that is undecided, where the limit is reached, for more than 32 rows, and for friction bounded by the normal
 * impulse. Fails with DLS_NO_MEMORY, or DLS_BAD_INPUT where a mass matrix is singular. */
dls_status dls_search_verify(const dls_problem *problem, double most_work, dls_search_proof *proof, dls_error *error);

/* --- equilibria of dry joints in the plane (equilibrium.c) --- */

typedef struct dls_structure_body {
    size_t corners;       /* of a convex polygon, at least 3; 0: the body is fixed */
    const double *corner; /* x and z of each, counterclockwise, z upwards [m] */
} dls_structure_body;

/* A face where both points differ: they are its ends, in an order that has body 0 on the left of the way from the first
 * to the second, which gives its normal. Else one point with a normal from body 1 to body 0, of any length. */
typedef struct dls_structure_joint {
    size_t body[2];
    double point[2][2], normal[2]; /* x, z [m] */
    double mu;
} dls_structure_joint;

enum { DLS_STRUCTURE_JOINTS_MAX = 400 }; /* and bodies */
typedef struct dls_structure {
    size_t n_bodies, n_joints;
    const dls_structure_body *bodies;
    const dls_structure_joint *joints;
    double most_work; /* in multiplications of 64-bit numbers, of which a second has about 1e9; HUGE_VAL: no limit */
} dls_structure;

typedef enum dls_equilibrium_verdict {
    DLS_EQUILIBRIUM_UNDECIDED, /* the work reached its limit */
    DLS_EQUILIBRIUM_EXISTS,    /* forces within all cones balance all weights */
    DLS_EQUILIBRIUM_REFUTED    /* no such forces exist */
} dls_equilibrium_verdict;

typedef struct dls_equilibrium {
    dls_equilibrium_verdict verdict;
    size_t freedoms; /* by which the forces of all joints are undetermined */
    size_t pivots;   /* of the exact simplex method; 0 where a proposal in doubles was verified */
    /* EXISTS: 3 per joint, normal forces at both points and the tangential force on body 0, along the normal turned
     * clockwise, for the unit specific weight [m^2]; rounded. */
    double *force;
    /* REFUTED: 4 per joint, the Farkas multipliers y >= 0 of N_1 >= 0, N_2 >= 0, mu (N_1 + N_2) + T >= 0 and
     * mu (N_1 + N_2) - T >= 0, forces along unit vectors, the largest 1; rounded. Of a face the first two open at that
     * point: the hinge is at the other one. All 0 where a body touches nothing that could hold it. */
    double *mechanism;
} dls_equilibrium;

/* Decides in exact rational arithmetic, the doubles taken as exact numbers, whether contact forces under Coulomb's law
 * of friction balance the weights of uniform bodies. The forces, or the multipliers, are verified in fractions before
 * they are rounded. An equilibrium that exists is possible: with several freedoms a structure may also move.
 * DLS_BAD_ARGUMENT where a body has no positive area, or its centre lies on the wrong side of one of its joints, which
 * would pull; DLS_REFUSED beyond DLS_STRUCTURE_JOINTS_MAX. Destroy the result. */
dls_status dls_equilibrium_decide(const dls_structure *structure, dls_equilibrium **result, dls_error *error);
void dls_equilibrium_destroy(dls_equilibrium *result); /* NULL is allowed */

/* --- error bounds that are theorems (certify.c) --- */

typedef enum dls_bounds_kind {
    DLS_BOUNDS_NONE,        /* nothing is proved; `text` says why */
    DLS_BOUNDS_BACKWARD,    /* friction bounded by the normal impulse: lambda solves a problem with slightly different b
                               and mu */
    DLS_BOUNDS_INDEPENDENT, /* as VELOCITY, for the problem without rows that depend on others and may contradict them
                               */
    DLS_BOUNDS_EXISTS,      /* a solution exists within the radii; the states of some rows are not proved */
    DLS_BOUNDS_ACTIVE_SET,  /* as EXISTS, and the state of every row is proved, strictly */
    DLS_BOUNDS_VELOCITY     /* a solution exists; lambda is not bounded (redundant rows), v+ and w are */
} dls_bounds_kind;

/* A bound as text, to 2 to 15 significant digits, as printf's %g writes it, but rounded up, or down: what is read is
 * proved too. For numbers >= 0. (digits.c) */
typedef struct dls_digits {
    char text[24];
} dls_digits;
dls_digits dls_digits_up(double value, int digits);
dls_digits dls_digits_down(double value, int digits);

/* Proved bounds for the distance of impulses from a solution of the problem AS STORED: its doubles are taken as exact
 * numbers, and M as the lower triangle of the matrix that its blocks give for unit vectors. The bounds include all
 * rounding errors, for any order of summation in the BLAS. A radius is infinite if nothing is proved about it. */
typedef struct dls_bounds {
    dls_bounds_kind kind;
    bool unique;   /* the problem has no other solution; for VELOCITY: no other v+ and w */
    double lambda; /* max_i |lambda_i - solution_i| [N s, N m s] */
    double w;      /* max_i |w_i - w_i of the solution|, w = A lambda + b exactly [m/s, rad/s] */
    /* sqrt(dl^T A dl), dl = lambda - solution: at least |v(lambda) - v+|_M [sqrt(J)]; NaN in the matrix form if A is
     * not symmetric. */
    double velocity;
    size_t dependent;    /* for INDEPENDENT: number of rows without bounds that are left out of the problem */
    double inconsistent; /* and a bound of |w| of these rows if the others are fulfilled [m/s, rad/s] */
    double b_off,
        mu_off; /* for BACKWARD: lambda is a solution for b and mu that differ from the problem's by at most this [m/s],
                   [1] */
    /* Numbers of rows by their state in the solution: strictly between the bounds; at a bound with w strictly of the
     * right sign (or lo = hi); neither is proved. */
    size_t between, at_bound, undecided;
    double *radius_lambda, *radius_w; /* n each: bounds of the errors of each lambda_i and w_i; owned */
    double *w_at;                     /* n: A lambda + b of the given lambda, correctly rounded or nearly so; owned */
    double *unit; /* n: powers of two, with about 1 as the largest entry of each row of unit_i A_ij unit_j:
                                   units of impulses in which rows can be compared; owned */
    char text[DLS_MESSAGE_MAX]; /* one line: what is proved, or why nothing is */
} dls_bounds;
/* `lambda` has n entries. The proof succeeds if lambda is accurate enough, and the radii are the smaller, the more
 * accurate it is. Cost measured with 2000 rows, in Cholesky factorisations of a matrix of that size: 2 for a chain of
 * balls; 3 for a full definite A, symmetric or not, also with a tenth of the rows degenerate; 4 to 6 if A is not
 * definite. Nothing is proved of what dls_problem_check refuses. Fails only with DLS_NO_MEMORY, and with
 * DLS_UNAVAILABLE (above); release the bounds in any case. */
dls_status dls_certify(const dls_problem *problem, const double *lambda, dls_bounds *bounds, dls_error *error);
/* The same for problems of any size in the mechanical form, with weaker bounds (certify_large.c): BACKWARD under
 * friction that depends on the normal impulse; VELOCITY for fixed bounds, if no row is without bounds. Time and memory
 * are linear in the entries of J and M but for one sparse factor of M + J^T J. The bounds include all rounding errors.
 */
dls_status dls_certify_large(const dls_problem *problem, const double *lambda, dls_bounds *bounds, dls_error *error);
void dls_bounds_release(dls_bounds *bounds); /* frees the arrays and zeroes it */

/* --- facets instead of cones (facets.c) --- */

typedef enum dls_facets_variant {
    DLS_FACETS_EXACT, /* maximal dissipation over the polygon: Stewart and Trinkle, Anitescu and Potra; not symmetric */
    DLS_FACETS_CONVEX /* only the edges of the polyhedral cone: Anitescu's relaxation, in which sliding bodies lift off
                         */
} dls_facets_variant;
typedef struct dls_facets {
    dls_problem *problem; /* matrix form, m unknowns z, no coupled rows: an LCP if the other rows are those of an LCP */
    size_t n, m;
    double *T; /* n x m, column-major: lambda = T z */
} dls_facets;
/* Replaces the problem's friction law by another: every cone becomes k facets (k >= 3), every box row two facets, which
 * is exact. DLS_REFUSED if the variant cannot represent the problem. */
dls_status dls_problem_facets(const dls_problem *problem, size_t k, dls_facets_variant variant, dls_facets **facets,
                              dls_error *error);
/* Computes lambda (n entries) of the original problem from z. */
void dls_facets_impulses(const dls_facets *facets, const double *z, double *lambda);
void dls_facets_destroy(dls_facets *facets); /* NULL is allowed */

/* --- several values of v+ (velocities.c) --- */

/* Solutions with different v+ of a problem with friction that is bounded by the normal impulse. */
typedef struct dls_velocities {
    size_t count;
    double *lambda; /* count x n, one after another; owned */
} dls_velocities;
/* Searches for such solutions by facets and enumeration, and keeps those with a scaled residual of at most `tolerance`.
 * Finds none if there is no such friction (v+ is then unique if A is semidefinite), or if the problem is too large. The
 * list need not be complete. */
dls_status dls_velocities_find(const dls_problem *problem, dls_examiner *examiner, double tolerance,
                               dls_velocities *found, dls_error *error);
void dls_velocities_release(dls_velocities *found);

/* --- statements that others can check (statement/) --- */

/* A statement about a problem and its witnesses, written into a file that proof/check_certificate.py and
 * proof/check_certificate accept or reject without any part of this library, in exact arithmetic. */
typedef enum dls_statement_kind {
    DLS_STATEMENT_NONE,      /* nothing is claimed; dls_statement_text says why */
    DLS_STATEMENT_SOLUTION,  /* a solution within a radius of each given impulse */
    DLS_STATEMENT_SEVERAL,   /* different solutions */
    DLS_STATEMENT_CONTINUUM, /* two solutions, and all points between them */
    DLS_STATEMENT_ALL,       /* some number of solutions, 0 too, and no others */
    DLS_STATEMENT_VELOCITY,  /* the velocity v+ of all solutions within a radius of that of the impulses */
    DLS_STATEMENT_BACKWARD,  /* under friction laws: the impulses solve the problem with other b and mu */
    DLS_STATEMENT_STATES     /* under friction laws: a solution within a radius of each given impulse, and its states */
} dls_statement_kind;
/* The part of a solution that all solutions have in common. */
typedef enum dls_statement_unique { DLS_UNIQUE_UNKNOWN, DLS_UNIQUE_VELOCITY, DLS_UNIQUE_IMPULSES } dls_statement_unique;
/* `existence`: under a box or Coulomb's isotropic cone state that a solution exists, where that is proved; else the
 * backward error. `independent`: state something about the problem without the rows without bounds that depend on
 * others, such as those of a planar loop in space, which contradict each other by rounding (fixed bounds, the
 * mechanical form). proof/check_certificate alone, not the program in Python, checks these two. */
typedef struct dls_statement_settings {
    double work;  /* 1e10: most work of exact arithmetic, in multiplications of 64-bit numbers, about 1e9 per second */
    size_t nodes; /* 20000: most choices of states in an exact search */
    bool existence, independent; /* false */
} dls_statement_settings;
dls_statement_settings dls_statement_default(void);
typedef struct dls_statement dls_statement;
/* The strongest statement of this kind that is found about the problem, which must outlive it.
 * lambda (n entries): about impulses near it; NULL: about all solutions, for problems of at most 200 rows with fixed
 * bounds, by a search whose cost may grow exponentially with n (usually up to 32 rows).
 * y (n entries): NULL, or a Farkas vector up to rounding errors (dls_farkas_verify), for "there is no solution".
 * settings NULL: the default. Uses dense matrices. The statement is not proved here: that is for the program that reads
 * the file. */
dls_status dls_statement_create(const dls_problem *problem, const double *lambda, const double *y,
                                const dls_statement_settings *settings, dls_statement **statement, dls_error *error);
void dls_statement_destroy(dls_statement *statement); /* NULL is allowed */
dls_statement_kind dls_statement_kind_of(const dls_statement *statement);
/* The number of solutions that the statement gives: all of them for DLS_STATEMENT_ALL; 0 for statements without exact
 * solutions. */
size_t dls_statement_solutions(const dls_statement *statement);
const char *dls_statement_text(const dls_statement *statement); /* one line */
/* The largest radius of an impulse, or the bound of v+ [sqrt(J)]; NaN where the statement has neither. */
double dls_statement_bound(const dls_statement *statement);
/* Writes the certificate as JSON; DLS_REFUSED where nothing is claimed. */
dls_status dls_statement_write(const dls_statement *statement, const char *path, dls_error *error);
/* The name of a problem in certificates: SHA-256 of its numbers, as 64 hexadecimal digits. */
enum { DLS_PROBLEM_NAME = 65 };
dls_status dls_problem_name(const dls_problem *problem, char name[DLS_PROBLEM_NAME], dls_error *error);

/* --- inverse dynamics with loops (loops.c); after dls_loops_prepare --- */

typedef struct dls_loops_facts {
    size_t rank;         /* of J_p: the equations of the passive degrees of freedom */
    size_t rank_of_rows; /* of J */
    bool unique;         /* lambda is unique: rank is the number of rows */
    bool forces_unique;  /* J^T lambda and tau are unique: rank is that of J */
    size_t pulling;      /* number of contacts and limits with negative lambda, which would have to pull */
    double missed;       /* largest missing force on a passive degree of freedom [N, N m]; the accelerations can be
                            reached only if it is 0 up to rounding errors */
} dls_loops_facts;
/* Computes lambda (n entries) and tau (nv) by singular values. If lambda is not unique, the one with the least sum
 * lambda_i^2 A_ii; if the equations have no solution, a least-squares solution. Bounds of lambda are ignored; see
 * `pulling`. */
dls_status dls_loops_solve(const dls_loops *loops, double *lambda, double *tau, dls_loops_facts *facts,
                           dls_error *error);
/* Forward dynamics under given joint forces: vdot (nv entries) and a lambda (n) of M vdot + C + g = tau + J^T lambda
 * and J vdot = gamma, with all rows two-sided, by solving the dense equations. */
dls_status dls_loops_motion(const dls_loops *loops, const double *tau, double *vdot, double *lambda, dls_error *error);

typedef struct dls_loops_map {
    double spectral_radius; /* of the whole map: at least 1 if lambda is not unique for the iteration */
    size_t unseen; /* number of eigenvalues 1: dimension in which the iteration leaves lambda as it is at the start */
    double rate;   /* factor of the change of lambda per turn: the largest modulus of the other eigenvalues; lambda
                      converges if it is below 1 */
    double angle;  /* argument of that eigenvalue, 0 to pi [rad]: 0 if it is positive, pi if it is negative (changes
                      alternate in sign); between these for a complex pair, with which the norm of the change oscillates
                      with the period pi / angle [turns], and decreases by `rate` in the mean alone */
} dls_loops_map;
/* The iteration map of dls_loops_feedback with `sweeps` forward sweeps (pgs) per turn; 0: with an exact solver. All
 * rows are treated as two-sided. */
dls_status dls_loops_rate(const dls_loops *loops, size_t sweeps, dls_loops_map *map, dls_error *error);

/* --- predicted rates (rate/) --- */

/* Where a row stands near a solution. */
typedef enum dls_row_side {
    DLS_SIDE_BETWEEN, /* free: strictly between its bounds; friction that sticks */
    DLS_SIDE_LOWER,
    DLS_SIDE_UPPER,
    DLS_SIDE_CONE /* both tangents of a contact that slides under Coulomb's cone */
} dls_row_side;
/* The side of every row at `lambda` with velocities w = A lambda + b; all arrays have n entries. A friction row slides
 * where lambda_t - w_t / A_tt exceeds mu lambda_n: its impulse itself may lag behind a bound that moves. */
void dls_rate_sides(const dls_problem *problem, const double *diagonal, const double *lambda, const double *w,
                    dls_row_side *side);

/* How much a prediction says. */
typedef enum dls_rate_word {
    DLS_RATE_NONE,     /* none is known */
    DLS_RATE_ESTIMATE, /* a theory whose conditions hold in part */
    DLS_RATE_BOUND,    /* the error shrinks at least so fast */
    DLS_RATE_EXACT     /* the asymptotic factor of a stationary iteration */
} dls_rate_word;
extern const char *const dls_rate_words[]; /* "none-known", "estimate", "bound", "exact"; NULL at the end */

typedef struct dls_rate {
    double spectral_radius; /* asymptotic factor of the error per iteration, without the eigenvalues 1 of redundant rows
                               */
    double excited_radius;  /* the same for the modes that the error of `start` contains; NaN without start */
    size_t free_rows;       /* size of the free set, friction that slides included */
    size_t redundant;       /* number of eigenvalues that are 1 up to rounding: directions of lambda that do not change
                               v */
    size_t degenerate;      /* rows with lambda at a bound and w = 0, which may belong to the free set or not */
    dls_rate_word word;
} dls_rate;
/* The spectral radius of the sweep's iteration matrix on the free set of `lambda`: a solution, or an iterate after
 * which the free set no longer changes. `start` (or NULL) is an earlier iterate with the same free set; its error
 * determines the modes for `excited_radius`. Friction at its bound follows the normal impulse; a contact under
 * Coulomb's cone is solved exactly as one block, linearised where it slides (rate/face.c). */
dls_status dls_rate_predict(const dls_problem *problem, const double *lambda, const double *start,
                            dls_splitting splitting, dls_rate *rate, dls_error *error);
/* dls_rate_predict without a start, and the rows in which the slowest mode lives: the error e that an iteration
 * multiplies by spectral_radius. share[i] = e_i^2 A_ii / sum_j e_j^2 A_jj [1], n entries, the same in all units; 0 for
 * rows at a bound, and all 0 where no row is free. Modes that are equally slow have no shares of their own: those of
 * one of their sums are given. */
dls_status dls_rate_mode(const dls_problem *problem, const double *lambda, dls_splitting splitting, dls_rate *rate,
                         double *share, dls_error *error);
/* The factor of a method's law on the free set of `lambda`, as spectral_radius. Where friction slides the reduced
 * matrix is not symmetric, and a bound becomes an estimate. DLS_REFUSED where its eigenvalues are not real and
 * positive. */
dls_status dls_rate_predict_law(const dls_problem *problem, const double *lambda, const dls_rate_law *law,
                                const void *settings, dls_rate *rate, dls_error *error);

typedef struct dls_rate_bounds {
    double least, most; /* the spectral radius lies in [least, most]; relative width usually 1e-15 */
    size_t free_rows;
    size_t redundant; /* exact rank defect of A_FF: this number of eigenvalues 1 is left out */
} dls_rate_bounds;
/* Proved bounds of the same spectral radius (rate_enclosure.c) for the problem as stored, its doubles taken as exact
 * numbers, on the free rows of `lambda`. Rows that are redundant only up to rounding errors are not redundant here: the
 * radius is then close to 1. DLS_REFUSED for more than 64 free rows or beyond the limits of exact arithmetic (200
 * rows). Takes 0.2 s for 30 free rows. */
dls_status dls_rate_enclose(const dls_problem *problem, const double *lambda, dls_splitting splitting,
                            dls_rate_bounds *bounds, dls_error *error);

/* --- reference trajectories (trajectory.c) --- */

/* The motion of a model (free bodies and articulations) with its bilateral rows, in continuous time, with an error of
 * about 1e-12.
 *
 *     M vdot + C + g = tau + J^T f, J v = 0, C(q) = 0, for a drive f = -kp C - kd (J v - u)
 * ERP is not used, and the integrator chooses its time steps. Redundant rows are allowed; v is unique then, but the
 * forces f are not.
 *
 * REFUSED (DLS_REFUSED, naming joint and row): rows with bounds (limits, contacts, friction, force limits, motors
 * of any force) without events, track joints with an s that is not that of the nearest point, rows with CFM, a world
 * with collision detection, and positions where independent rows become dependent (a bifurcation).
 *
 * EVENTS. With them a motion goes on across what is not smooth: stops (limits, given contacts, spheres on spheres, and
 * spheres, capsules and boxes on planes) that close and open,
 * friction by the current normal force (box, cone) that sticks and slides, bounded motors, drives and springs that
 * saturate. The forces solve the complementarity problem of the accelerations (lib/delassus/law.h in w = J vdot + Jdot
 * v); where a stop closes at a speed, impulses solve that of the velocities, with Newton's law of impact. All solutions
 * of these problems are enumerated: where there is none, or several with different accelerations, the motion ends there
 * by DLS_REFUSED, which says so (P. Painleve 1895). Infinitely many impacts in a finite time are carried to their limit
 * (C. Glocker, Set-Valued Force Laws, 2001): once what is left of the series is shorter than 1e-7 s, the stop is closed
 * with the impulse that remains, which misses places by about a (1e-7 s)^2, with a the acceleration. */
typedef enum dls_trajectory_method {
    /* Any bilateral rows: accelerations by Gauss' principle, projection onto C = 0 and J v = 0 after every step. */
    DLS_TRAJECTORY_MULTIPLIERS,
    /* If J of all bilateral rows is constant (mimics of coordinates of articulations): q = q0 + Z p, J Z = 0. */
    DLS_TRAJECTORY_ELIMINATION
} dls_trajectory_method;

typedef struct dls_trajectory_settings {
    unsigned stamp;               /* set by dls_trajectory_default */
    dls_trajectory_method method; /* MULTIPLIERS */
    double tolerance; /* 3e-15: error of a step in any entry of q or v, relative to 1 and 1 + max |v| in rad, s and the
                         size of the scene: twice the largest distance of a body from the origin, radius of gyration,
                         gap or stretch at the start; >= 1e-16 */
    bool project_start; /* false: a start with C != 0 or J v != 0 is an error; true: the start is projected onto C = 0
                           and J v = 0 in the mass metric */
    bool ignore_open_limits; /* false. true: unilateral rows are ignored while their gap is open; if a gap closes:
                                DLS_REFUSED, with the time */
    bool events;             /* false; needs the method of multipliers */
    bool history; /* false. true: every step is kept, for dls_trajectory_at: a state and 32 bytes a row each */
} dls_trajectory_settings;
dls_trajectory_settings dls_trajectory_default(void);

/* Results since the start. */
typedef struct dls_trajectory_report {
    size_t rows, rank; /* bilateral rows, and how many are independent */
    size_t steps, rejected, evaluations;
    double start_C, start_Jv; /* max |C| and max |J v| of the start as given */
    double C, Jv;             /* largest |C| [m, rad] and |J v| [m/s, rad/s] of all rows and steps, after projection */
    double projected;         /* the largest change of an entry of q or v by a projection: the constraint error of the
                                 integrator */
    double derivative_error;  /* estimated error of Jdot v, relative to |J| |v| times the angular speed of the ends; 0
                                 if J is constant */
    size_t searched;          /* problems of events in which contacts may begin to slide together: their other solutions
                                 were searched for, and are not excluded */
    size_t redundant;         /* with events: the most rows beyond their rank that were held at a time, such as one of
                                the four corners of a box. Their forces are one choice of several: the least sum of A_ii
                                f_i^2, A = J M^-1 J^T */
} dls_trajectory_report;

typedef enum dls_trajectory_event_kind {
    DLS_EVENT_IMPACT,       /* a stop closes at a speed, and rebounds or rests */
    DLS_EVENT_TOUCH,        /* it closes without a speed */
    DLS_EVENT_RELEASE,      /* it opens */
    DLS_EVENT_SLIP,         /* friction, or a motor, gives way */
    DLS_EVENT_STICK,        /* it holds again */
    DLS_EVENT_REVERSE,      /* it slides the other way */
    DLS_EVENT_SATURATE,     /* the force of a spring or drive reaches a bound */
    DLS_EVENT_DESATURATE,   /* and leaves it */
    DLS_EVENT_ACCUMULATION, /* the limit of infinitely many impacts */
    DLS_EVENT_BROKEN        /* a joint transmits more than its threshold between impacts, and breaks */
} dls_trajectory_event_kind;
extern const char *const dls_trajectory_event_names[]; /* NULL at the end */

/* One event: of several at the same time, the one that was found. */
typedef struct dls_trajectory_event {
    double time; /* [s]; of an accumulation, its limit */
    dls_trajectory_event_kind kind;
    size_t owner;      /* a joint of the model, or a pair of solids: dls_trajectory_owner_name */
    const char *label; /* of the row */
    double speed;      /* J v of the row before: of an impact its approach, negative [m/s, rad/s] */
} dls_trajectory_event;

typedef struct dls_trajectory dls_trajectory;
/* A trajectory that begins at `start`, at start->time; the applied forces in `start` act all the time. `settings` NULL:
 * the default. The model must outlive the trajectory. */
dls_status dls_trajectory_create(const dls_model *model, const dls_state *start,
                                 const dls_trajectory_settings *settings, dls_trajectory **trajectory,
                                 dls_error *error);
/* Integrates to `time` [s], which must not be before the time reached, and writes the state at that time into `state`
 * (of the same model). Allocates no memory without a history. After an error `state` is unchanged and the trajectory
 * ends: later calls return the same error. Gyroscopic torques are always included, and closing gaps are detected at the
 * ends of the integrator's steps. */
dls_status dls_trajectory_advance(dls_trajectory *trajectory, double time, dls_state *state, dls_error *error);
dls_trajectory_report dls_trajectory_reported(const dls_trajectory *trajectory);
/* The events so far, `count` of them, in the order of time. */
const dls_trajectory_event *dls_trajectory_events(const dls_trajectory *trajectory, size_t *count);
void dls_trajectory_owner_name(const dls_trajectory *trajectory, size_t owner, char *text, size_t size);
/* A row of a joint or a pair at the time reached. The forces of redundant rows are not unique: one choice of them. */
typedef struct dls_trajectory_force {
    size_t owner;      /* as of an event */
    const char *label; /* of the row */
    const char *mode;  /* "held", "open", "spring", "lower bound", "upper bound", "slides" */
    double C, speed;   /* its position error or gap, and J v */
    double force;      /* [N, N m] */
} dls_trajectory_force;
/* All rows, joint by joint in the order of the model, then pairs of solids, and their number; `rows` NULL: the number
 * alone. */
size_t dls_trajectory_forces(const dls_trajectory *trajectory, dls_trajectory_force *rows);
/* The motion at any `time` [s] from the start to the time reached, in any order, with the error of a step: by a step
 * from the last state before. At an event the limit from the right, or with `left` the limit from the left: the
 * velocities before an impact, the forces before a release. At the end of a motion that an event has ended there is the
 * limit from the left alone. Writes the state, and the rows as dls_trajectory_forces does, `rows` NULL: none. Needs the
 * setting `history`; the time reached, and what follows, stay as they are. */
dls_status dls_trajectory_at(dls_trajectory *trajectory, double time, bool left, dls_state *state,
                             dls_trajectory_force *rows, dls_error *error);
void dls_trajectory_destroy(dls_trajectory *trajectory); /* NULL is allowed */

/* --- manufactured problems (manufacture.c) --- */

/* Problems with a chosen solution: choose lambda and w that are complementary, then set b = w - A lambda. */
typedef enum dls_matrix_class {
    DLS_MATRIX_DEFINITE,     /* symmetric positive definite: G G^T / n + 0.1 diag, G normal */
    DLS_MATRIX_SEMIDEFINITE, /* symmetric, rank n/2 (rounded up): G G^T / r, G n x r normal; lambda is not unique, w is
                              */
    DLS_MATRIX_MONOTONE,     /* not symmetric, x^T A x > 0: definite plus a skew part of the same size; a P-matrix */
    DLS_MATRIX_P /* not symmetric, not monotone: P L P^T with L lower triangular, positive diagonal, large entries
                                below it, P a permutation; every principal minor is positive */
} dls_matrix_class;
typedef enum dls_bounds_class {
    DLS_BOUNDS_LCP,  /* [0, inf) */
    DLS_BOUNDS_BOXED /* a third free, a third [0, inf), a third [-1, 1], in random order */
} dls_bounds_class;
typedef struct dls_recipe {
    dls_matrix_class matrix;
    dls_bounds_class bounds;
    size_t n;
    double degenerate; /* fraction of the rows with a bound that are degenerate: lambda at a bound and w = 0 */
    unsigned long seed;
} dls_recipe;
/* lambda and w (n entries each, may be NULL) get the chosen solution. The same recipe always gives the same bits. */
dls_status dls_manufacture(const dls_recipe *recipe, dls_problem **problem, double *lambda, double *w,
                           dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
