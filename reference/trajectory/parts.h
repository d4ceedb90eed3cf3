/* The reference motion: reference trajectories, in continuous time with an error of about 1e-12. Not installed.
 *
 * A motion of free bodies and articulations with bilateral rows and drives, against which experiments hold the
 * schemes. trajectory.c chooses the steps and projects, prince_dormand.c is one step of the integrator,
 * trajectory_rows.c evaluates the rows of all joints with J and Jdot v, trajectory_system.c solves for vdot. The room
 * has its own assembly, so that it is a check of lib/problem; it evaluates joints and configurations by lib. An
 * integrator or an event may enter; contacts, friction, and whatever solves a problem of one step may not. */
#ifndef DELASSUS_REFERENCE_TRAJECTORY_PARTS_H
#define DELASSUS_REFERENCE_TRAJECTORY_PARTS_H

#include "base/memory.h"
#include "delassus/reference.h"

typedef enum trajectory_kind {
    TRAJECTORY_BILATERAL, /* C = 0, J v = 0 */
    TRAJECTORY_SPRING,    /* a force */
    TRAJECTORY_OPEN       /* unilateral, with an open gap: watched, and no force */
} trajectory_kind;

typedef struct trajectory_row {
    size_t joint;
    const char *label;
    trajectory_kind kind;
    double C, kp, kd, u;
    double terms; /* sum of |J| if nothing in its entries cancelled */
} trajectory_row;

/* --- rows of all joints in a state (trajectory_rows.c) --- */

typedef struct trajectory_rows {
    const dls_model *model;
    dls_model_counts has; /* the model, and its parts */
    const dls_body *bodies;
    const dls_joint *joints;
    const dls_model_articulation *articulations;
    size_t n; /* of all kinds */
    size_t n_bilateral;
    bool constant;       /* J of every bilateral row is */
    trajectory_row *row; /* n */
    double *JT;          /* nv x n: column i is row i of J */
    double *drift;       /* n: Jdot v */
    double *coarse;      /* n: the same to two orders less */
    double **link;       /* n_articulations: dense Jacobian of an articulation's links; NULL where no row needs it */
    dls_state *probe;
    dls_configuration *at, *aside; /* of the state last evaluated, and of the probe */
} trajectory_rows;

/* Refuse rows that allow no smooth motion. The rows' kinds are found in `start`. */
dls_status trajectory_rows_create(trajectory_rows *rows, const dls_model *model, const dls_state *start,
                                  bool ignore_open_limits, dls_arena *memory, dls_error *error);
void trajectory_rows_destroy(trajectory_rows *rows);
/* q <- q (+) v of a state. */
void trajectory_rows_move(trajectory_rows *rows, dls_state *state, const double *v);
/* C, kp, kd, u and J in a state, whose configuration becomes rows->at. */
void trajectory_rows_evaluate(trajectory_rows *rows, const dls_state *state);
/* drift = Jdot v of the bilateral rows, in a state that has been evaluated. Returns its estimated error
 * against |J| |v| times how fast the ends turn. */
double trajectory_rows_drift(trajectory_rows *rows, const dls_state *state);
/* max |C| and max |J v| of the bilateral rows as evaluated. */
void trajectory_rows_errors(const trajectory_rows *rows, const double *v, double *C, double *Jv);
bool trajectory_row_acts(const trajectory_rows *rows, size_t i);                    /* J_i is not 0 to rounding */
double trajectory_row_rate(const trajectory_rows *rows, size_t i, const double *v); /* J_i v */

/* --- one step of an ordinary differential equation y' = f(y) (prince_dormand.c) --- */

enum { TRAJECTORY_STEP_WORK = 13 };
/* y, n numbers, goes on by h, and `error` is what a method of one order less misses of it; `slope` is f at the start,
 * `work` has TRAJECTORY_STEP_WORK n numbers. False where f has no value, and y is spent. */
bool trajectory_step(bool (*f)(void *context, const double *y, double *slope), void *context, size_t n, double h,
                     const double *slope, double *y, double *error, double *work);

/* --- M vdot = tau - C - g + J^T f (trajectory_system.c) --- */

typedef struct trajectory_system {
    size_t nv;
    double *M;          /* nv x nv; then its Cholesky factor L */
    double *force;      /* nv: tau - C - g and springs; then M^-1 of it */
    double *W;          /* nv x n: L^-1 J^T of the rows in use */
    double *side;       /* nv + n */
    double *tau, *work; /* LAPACK's */
    int work_size;
    int *pivot;        /* n */
    size_t *candidate; /* n: the bilateral rows */
    size_t *basis;     /* rank of them: independent ones */
    size_t rank;
    size_t *touched;      /* nv: columns that a bilateral row has */
    size_t columns;       /* nv - rank */
    double *Z;            /* nv x columns, orthonormal, J Z = 0; columns of J that are 0 are not mixed with others */
    double *MZ, *reduced; /* nv x columns; Z^T M Z */
} trajectory_system;

dls_status trajectory_system_create(trajectory_system *system, const trajectory_rows *rows, dls_arena *memory,
                                    dls_error *error);
/* Rows, L and `force` in a state. `factor` false: leaves M in the place of L. */
dls_status trajectory_system_evaluate(trajectory_system *system, trajectory_rows *rows, const dls_state *state,
                                      bool factor, dls_error *error);
/* The independent rows among the bilateral ones. After evaluate. */
dls_status trajectory_system_choose(trajectory_system *system, const trajectory_rows *rows, dls_error *error);
/* x += the smallest change in the mass metric with J_i dx = side[k], i = basis[k]. `side` becomes the change. */
dls_status trajectory_system_correct(trajectory_system *system, const trajectory_rows *rows, double *x,
                                     dls_error *error);
/* vdot by Gauss' principle. After evaluate, whose `force` it spends, and with the drift of the rows. */
dls_status trajectory_system_accelerate(trajectory_system *system, const trajectory_rows *rows, double *vdot,
                                        dls_error *error);
/* Z, rank and columns. After rows were evaluated; M is scratch. */
dls_status trajectory_system_null_space(trajectory_system *system, const trajectory_rows *rows, dls_error *error);
/* wdot of v = Z w. After evaluate without factor. */
dls_status trajectory_system_eliminate(trajectory_system *system, const dls_state *state, double *wdot,
                                       dls_error *error);

#endif
