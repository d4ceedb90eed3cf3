/* reference.h - the reference path: dense assembly, direct methods, the examiner, predicted rates, exact trajectories.
 *
 * Dense matrices are column-major with the leading dimension equal to the number of rows.
 */
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
    double *lo, *hi; /* n; coupled friction rows: 0, 0 */
    bool symmetric;  /* A = A^T to rounding; then A is made exactly symmetric */
} dls_dense;

/* From the rows, through LAPACKE and OpenBLAS: A by Cholesky of the dense M; the matrix form copies A. */
dls_status dls_dense_create(const dls_problem *problem, dls_dense **dense, dls_error *error);
void dls_dense_destroy(dls_dense *dense);
/* Single matrices, each into caller's memory: M nv x nv (mechanical form only), J n x nv, response = M^-1 J^T nv x n.
 */
dls_status dls_dense_mass(const dls_problem *problem, double *M, dls_error *error);
void dls_dense_jacobian(const dls_problem *problem, double *J);
dls_status dls_dense_response(const dls_problem *problem, double *response, dls_error *error);

/* --- the examiner (examine.c) --- */

/* Recomputed from the problem alone, by code that no solver shares. The natural map of a contact under Coulomb's cone
 * is that of its three rows together (examine_cone.c), with the largest D of the three, and its size the Euclidean one.
 */
typedef struct dls_certificate {
    double natural_residual; /* max_i |lambda_i - clamp(lambda_i - w_i)|: the raw map, mixed units, scale 1 [N s] */
    double natural_residual_velocity; /* D-scaled: max_i |lambda_i - clamp(lambda_i - w_i / D_i)| D_i, D = diag(A) [m/s,
                                         rad/s] */
    double natural_residual_impulse;  /* max_i |lambda_i - clamp(lambda_i - w_i / D_i)| [N s, N m s] */
    /* Of each row against its own terms, without a unit, and the same in any units of rows, impulses and velocities:
     * with T_i = |b_i| + sum_j |A_ij| |lambda_j| and Lambda_i = min_j T_j / |A_ji| (examine.c) */
    double impulse_residual;  /* max_i distance of lambda_i from [lo_i, hi_i], over Lambda_i or the bounds if smaller */
    double velocity_residual; /* max_i |w_i| / T_i where lambda_i may move the way w_i presses, or, if that is less,
                                 how far it may move over Lambda_i */
    double scaled_residual;   /* the worse of both: what tolerances are held against */
    size_t worst_row;     /* whose it is: the first row with it, of a contact under the cone its normal row; DLS_NONE
                                 where it is 0 */
    double data_residual; /* the violations against b alone: max_i violation_i T_i max(Lambda_i, |lambda_i|)
                                 / sum_j |b_j lambda_j| over the rows of an island.
                                 Near 1, impulses so large that A lambda cancels hide that there is no solution. */
    double inconsistent;  /* the largest w that rows of closed loops keep because they contradict each other: no impulse
                            changes it, and it is no violation. Times h, the distance by which the loop stays open.
                            [m/s, rad/s] */
    double bound_violation;      /* max_i distance of lambda_i from [lo_i, hi_i] [N s] */
    double cone_violation;       /* the same of contacts under Coulomb's cone: distance from it [N s] */
    double complementarity_gap;  /* sum_i |slack_i w_i| over the finite bounds that w_i presses against [J]; of a cone
                                         |lambda_n w_n| + |mu lambda_n |w_t| + lambda_t . w_t| */
    double friction_dissipation; /* -sum lambda_t . w_t of all coupled friction, box or cone [J] */
    double objective;            /* 1/2 lambda^T A lambda + b^T lambda where A is symmetric, else NaN [J] */
    double w_max;                /* max |w| [m/s] */
} dls_certificate;

/* An examiner of one problem at a time. It keeps the memory it needs: a history of many iterates costs no allocation,
 * nor do the problems of a run. The problem must stay as it is while it is examined. */
typedef struct dls_examiner dls_examiner;
dls_status dls_examiner_create(const dls_problem *problem, dls_examiner **examiner, dls_error *error);
/* Another problem into the same examiner, whose memory is used again and grows only where needed; linear in the entries
 * of J and of the factors of M. After a failure the examiner can only be reloaded or destroyed. */
dls_status dls_examiner_reload(dls_examiner *examiner, const dls_problem *problem, dls_error *error);
void dls_examiner_destroy(dls_examiner *examiner); /* NULL is allowed */
/* How many A_ii are 0 (sweeps skip these rows) and below 0 (sweeps move away from a solution there). */
typedef struct dls_diagonals {
    size_t zero, negative;
} dls_diagonals;
dls_diagonals dls_examiner_diagonals(const dls_examiner *examiner);
/* w = A lambda + b by rows and mass operator (n entries), and the figures. NaN in lambda gives NaN figures, never small
 * ones. */
void dls_examine(dls_examiner *examiner, const double *lambda, double *w, dls_certificate *certificate);
/* sqrt(dv^T M dv) of the velocity difference that two impulses make; the matrix form: sqrt(dl^T A dl), NaN if A is not
 * symmetric. [sqrt(J)] */
double dls_examiner_distance(dls_examiner *examiner, const double *lambda1, const double *lambda2);

/* --- the impulses behind a velocity (velocity_impulses.c) --- */

/* lambda (n entries) with v = v* + M^-1 J^T lambda, in least squares of the norm |x|_M = sqrt(x^T M x); of all such
 * impulses, where rows are dependent, those nearest to `near` (n entries), each row in units of 1 / sqrt(A_ii). *left is
 * the part of v that no impulse on these rows makes: the largest over the blocks of M (a body, an articulation) of
 *     |v - v* - M^-1 J^T lambda|_M / (|v|_M + |v*|_M + sum_i |M^-1 J_i^T lambda_i|_M)
 * each of the block alone [1]. Dense. DLS_REFUSED in the matrix form. */
dls_status dls_impulses_of_velocity(const dls_problem *problem, const double *v, const double *near, double *lambda,
                                    double *left, dls_error *error);

/* --- proofs that there is no solution (farkas.c) --- */

typedef struct dls_farkas_proof {
    bool proved;
    double margin;    /* minus the supremum of y'.w for max |y'| = 1, rounded towards 0; 0 where nothing is proved */
    char reason[192]; /* why nothing is proved; "" where it is */
} dls_farkas_proof;
/* Farkas' lemma, for any A: in every solution w_i >= 0 where only lo_i is finite, w_i <= 0 where only hi_i is, w_i = 0
 * on free rows; so with y_i >= 0, y_i <= 0, y_i free there, and y_i = 0 where both bounds are finite, y.w >= 0. But
 * y.w = b.y + (A^T y).lambda <= b.y + sup over lo <= lambda <= hi, and if that is negative there is no solution.
 * Proves in exact rational arithmetic that the problem as stored, its doubles taken as exact numbers, has no solution.
 * y (n entries) is a Farkas vector with rounding, and serves as a hint only: if it is not one exactly, an exact y' near
 * it is solved for, on the entries of y that matter. Linear in the entries of J or A where y is exact; else about 1.3 s
 * for 250 entries of y, the most that are taken. Any A; rows under a box or a cone: nothing is proved. That nothing is
 * proved says nothing about solutions. FLINT ends the process where its memory is exhausted. */
dls_status dls_farkas_verify(const dls_problem *problem, const double *y, dls_farkas_proof *proof, dls_error *error);
/* --- error bounds that are theorems (certify.c) --- */

typedef enum dls_bounds_kind {
    DLS_BOUNDS_NONE,        /* nothing is proved; `text` says why */
    DLS_BOUNDS_BACKWARD,    /* friction bounded by the normal impulse: lambda solves the problem with other b and mu */
    DLS_BOUNDS_INDEPENDENT, /* as VELOCITY, but of the problem without rows that depend on others and may contradict
                               them */
    DLS_BOUNDS_EXISTS,      /* a solution exists within the radii; some rows are too close to the edge of two states */
    DLS_BOUNDS_ACTIVE_SET,  /* and its active set is proved: every row's state, strictly */
    DLS_BOUNDS_VELOCITY     /* a solution exists; lambda is not bounded (redundant rows), v+ and w are */
} dls_bounds_kind;

/* How far impulses are from a solution of the problem AS STORED: its doubles are exact numbers, of M the lower triangle
 * of what its blocks make of unit vectors. Proved, all rounding errors included, whatever the order of summation of the
 * BLAS. Radii are infinite where nothing is proved of them. */
typedef struct dls_bounds {
    dls_bounds_kind kind;
    bool unique;   /* the problem has no other solution; of VELOCITY: no other v+ and w */
    double lambda; /* max_i |lambda_i - solution_i| [N s, N m s] */
    double w;      /* max_i |w_i - w_i of the solution|, w = A lambda + b exactly [m/s, rad/s] */
    /* sqrt(dl^T A dl), dl = lambda - solution: at least |v(lambda) - v+|_M [sqrt(J)]; NaN in the matrix form if A is
     * not symmetric. */
    double velocity;
    size_t dependent;    /* of INDEPENDENT: rows without bounds that are left out of the problem */
    double inconsistent; /* and how far w of these is from 0 at most where the others hold [m/s, rad/s] */
    double b_off,
        mu_off; /* of friction bounded by the normal impulse: lambda is a solution for b and mu that are so far
                             from the problem's at most [m/s], [1] */
    /* Rows by their state in the solution: strictly between the bounds; at one with w of its sign, strictly (or
     * lo = hi); neither proved. */
    size_t between, at_bound, undecided;
    double *radius_lambda, *radius_w; /* n each: the same for each row; owned */
    double *w_at;                     /* n: A lambda + b of the given lambda, rounded correctly or nearly so; owned */
    char text[DLS_MESSAGE_MAX];       /* one line: what is proved, or why nothing is */
} dls_bounds;
/* `lambda` has n entries; a good one makes the proof possible, and an accurate one makes the radii small. Measured with
 * 2000 rows, in Cholesky factorisations of a matrix of that size: 2 for a chain of balls, 3 for a full definite A,
 * symmetric or not, also with a tenth of the rows degenerate, 4 to 6 where A is not definite.
 * Fails with DLS_NO_MEMORY alone; the bounds are to be released in any case. */
dls_status dls_certify(const dls_problem *problem, const double *lambda, dls_bounds *bounds, dls_error *error);
void dls_bounds_release(dls_bounds *bounds); /* frees the arrays and zeroes it */

/* --- facets in the place of cones (facets.c) --- */

typedef enum dls_facets_variant {
    DLS_FACETS_EXACT, /* maximal dissipation over the polygon: Stewart and Trinkle, Anitescu and Potra; not symmetric */
    DLS_FACETS_CONVEX /* the polyhedral cone's edges alone: Anitescu's relaxation, which lifts off what slides */
} dls_facets_variant;
typedef struct dls_facets {
    dls_problem *problem; /* matrix form, m unknowns z, no coupled rows: an LCP where the other rows are one */
    size_t n, m;
    double *T; /* n x m, column-major: lambda = T z */
} dls_facets;
/* Another law in the place of the problem's friction, asked for by name: every cone becomes k facets (k >= 3), every
 * box row two, which is exact. DLS_REFUSED for what the variant cannot say. */
dls_status dls_problem_facets(const dls_problem *problem, size_t k, dls_facets_variant variant, dls_facets **facets,
                              dls_error *error);
/* lambda (n entries) of the problem it was made from. */
void dls_facets_impulses(const dls_facets *facets, const double *z, double *lambda);
void dls_facets_destroy(dls_facets *facets); /* NULL is allowed */

/* --- how many values v+ has (velocities.c) --- */

/* Solutions with different v+ of a problem with friction that is bounded by the normal impulse. */
typedef struct dls_velocities {
    size_t count;
    double *lambda; /* count x n, one after another; owned */
} dls_velocities;
/* Looks for them by facets and enumeration, and keeps what the examiner finds good to `tolerance` (scaled residual).
 * None where there is no such friction, where v+ is unique if A is semidefinite, and where the problem is too large.
 * There may be others. */
dls_status dls_velocities_find(const dls_problem *problem, dls_examiner *examiner, double tolerance,
                               dls_velocities *found, dls_error *error);
void dls_velocities_release(dls_velocities *found);

/* --- inverse dynamics with loops (loops.c); after dls_loops_prepare --- */

typedef struct dls_loops_facts {
    size_t rank;         /* of the equations of the passive degrees of freedom */
    size_t rank_of_rows; /* of J */
    bool unique;         /* lambda: rank is the number of rows */
    bool forces_unique;  /* J^T lambda and tau: rank is that of J */
    size_t pulling;      /* contacts and limits whose lambda is negative: they would have to pull */
    double missed;       /* largest force that no actuator supplies [N, N m]: 0 to rounding, or the accelerations cannot
                            be reached */
} dls_loops_facts;
/* lambda (n entries) and tau (nv) by singular values. Where lambda is not unique it is the one of least
 * sum lambda_i^2 A_ii; where no lambda will do, of least squares. Bounds of lambda are not heeded; see `pulling`. */
dls_status dls_loops_solve(const dls_loops *loops, double *lambda, double *tau, dls_loops_facts *facts,
                           dls_error *error);
/* Forward dynamics under given joint forces: vdot (nv entries) and a lambda (n) of M vdot + C + g = tau + J^T lambda, J
 * vdot = gamma, both ways, from the dense equations as they stand. */
dls_status dls_loops_motion(const dls_loops *loops, const double *tau, double *vdot, double *lambda, dls_error *error);

typedef struct dls_loops_map {
    double spectral_radius; /* factor of an error of lambda per turn, but for the eigenvalues 1 */
    size_t unseen;          /* eigenvalues that are 1: directions of lambda that the iteration leaves as they are */
} dls_loops_map;
/* Of dls_loops_feedback with as many forward sweeps (pgs) per turn; 0: with a solver that solves each turn. All rows
 * count as two-sided. */
dls_status dls_loops_rate(const dls_loops *loops, size_t sweeps, dls_loops_map *map, dls_error *error);

/* --- predicted rates (rate.c) --- */

typedef struct dls_rate {
    double spectral_radius; /* asymptotic factor of the error per iteration, but for eigenvalues 1 of redundant rows */
    double excited_radius;  /* the same among the modes that the error of `start` holds; NaN without start */
    size_t free_rows;       /* size of the free set */
    size_t redundant;       /* eigenvalues that are 1 to rounding: directions of lambda that do not move v */
    size_t degenerate;      /* rows with lambda at a bound and w = 0, where the free set is a choice */
} dls_rate;
/* The spectral radius of the sweep's iteration matrix on the free set of `lambda`: a solution, or an iterate whose
 * bounds have settled. `start` (or NULL) is an earlier iterate with the same free set, whose error tells which modes a
 * run holds. */
dls_status dls_rate_predict(const dls_problem *problem, const double *lambda, const double *start,
                            dls_splitting splitting, dls_rate *rate, dls_error *error);

typedef struct dls_rate_bounds {
    double least, most; /* the spectral radius lies in [least, most]; relative distance 1e-15 as a rule */
    size_t free_rows;
    size_t redundant; /* rank defect of A_FF, exactly: as many eigenvalues 1 are left out */
} dls_rate_bounds;
/* The same spectral radius with proof (rate_enclosure.c): of the problem as stored, its doubles as exact numbers, on the
 * free rows of `lambda`. Rows that are redundant to rounding alone are not redundant here: the radius is then close to
 * 1. DLS_REFUSED beyond 64 free rows or the limits of exact arithmetic (200 rows). 0.2 s for 30 free rows. FLINT ends
 * the process where its memory is exhausted. */
dls_status dls_rate_enclose(const dls_problem *problem, const double *lambda, dls_splitting splitting,
                            dls_rate_bounds *bounds, dls_error *error);

/* --- exact trajectories (exact.c) --- */

/* The motion of a model (free bodies and articulations) with its bilateral rows, in continuous time: ground truth to
 * about 1e-12.
 *
 *     M vdot + C + g = tau + J^T f,   J v = 0,   C(q) = 0,   of a drive  f = -kp C - kd (J v - u)
 * ERP means nothing here, and time steps are the integrator's own. Redundant rows are fine; forces f are then not
 * unique, v is.
 *
 * REFUSED (DLS_REFUSED, naming joint and row): rows with bounds (limits, contacts, friction, force limits, motors
 * of any force), track joints whose s is not that of the nearest point, rows with CFM, a world that looks for
 * contacts, a position where rows become dependent that were not (a bifurcation). */
typedef enum dls_exact_method {
    DLS_EXACT_MULTIPLIERS, /* any bilateral rows: accelerations by Gauss' principle, projection onto C = 0 and J v = 0
                              after every step */
    DLS_EXACT_ELIMINATION /* where all bilateral rows are constant (mimics of articulations' coordinates): q = q0 + Z p,
                             J Z = 0 */
} dls_exact_method;

typedef struct dls_exact_settings {
    unsigned stamp;          /* set by dls_exact_default */
    dls_exact_method method; /* MULTIPLIERS */
    double tolerance; /* 3e-14: error of a step in any entry of q or v, against 1 [m, rad] and 1 + max |v|; >= 1e-14 */
    bool project_start; /* false: a start with C != 0 or J v != 0 is an error; true: it is moved onto them, in the mass
                           metric */
    bool ignore_open_limits; /* false. true: unilateral rows are left out while their gap is open; closing is
                                DLS_REFUSED, with the time */
} dls_exact_settings;
dls_exact_settings dls_exact_default(void);

/* Since the start. */
typedef struct dls_exact_report {
    size_t rows, rank; /* bilateral rows, and how many are independent */
    size_t steps, rejected, evaluations;
    double start_C, start_Jv; /* max |C| and max |J v| of the start as given */
    double C, Jv;             /* max |C| [m, rad] and max |J v| [m/s, rad/s] ever, of all rows, after projection */
    double projected;         /* the largest entry of a projection after a step, in q or v: what the integrator left */
    double derivative_error;  /* estimated, of Jdot v, against |J| |v| times how fast the ends turn; 0 where J is
                                 constant */
} dls_exact_report;

typedef struct dls_exact dls_exact;
/* From `start` on, at start->time; the forces in it act throughout. `settings` NULL: the default. Model and start are
 * not changed; the model must live as long as this does. */
dls_status dls_exact_create(const dls_model *model, const dls_state *start, const dls_exact_settings *settings,
                            dls_exact **exact, dls_error *error);
/* Goes on to `time` [s], not before the time reached, and puts the state there into `state` (of the same model). Takes
 * no memory. An error leaves `state` as it was and ends the trajectory: later calls repeat it. Gyroscopic torques are
 * always in, and closing gaps are seen at the ends of the integrator's steps. */
dls_status dls_exact_advance(dls_exact *exact, double time, dls_state *state, dls_error *error);
dls_exact_report dls_exact_reported(const dls_exact *exact);
void dls_exact_destroy(dls_exact *exact); /* NULL is allowed */

/* --- manufactured problems (manufacture.c) --- */

/* Problems built around a chosen solution: pick lambda and w that are complementary, then b = w - A lambda. */
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
    double degenerate; /* share of the rows with a bound that are made degenerate: lambda at a bound and w = 0 */
    unsigned long seed;
} dls_recipe;
/* lambda and w (n entries each, may be NULL) get the chosen solution. The same recipe gives the same bytes. */
dls_status dls_manufacture(const dls_recipe *recipe, dls_problem **problem, double *lambda, double *w,
                           dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
