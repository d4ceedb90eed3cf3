/* exact.h - what the files of exact trajectories share. Not installed. */
#ifndef DELASSUS_EXACT_H
#define DELASSUS_EXACT_H

#include "base/memory.h"
#include "delassus/reference.h"

typedef enum exact_kind {
    EXACT_BILATERAL, /* C = 0, J v = 0 */
    EXACT_SPRING,    /* a force */
    EXACT_OPEN       /* unilateral, with an open gap: watched, and no force */
} exact_kind;

typedef struct exact_row {
    size_t joint;
    const char *label;
    exact_kind kind;
    double C, kp, kd, u;
    double terms; /* sum of |J| if nothing in its entries cancelled */
} exact_row;

/* --- rows of all joints in a state (exact_rows.c) --- */

typedef struct exact_rows {
    const dls_model *model;
    dls_model_counts has; /* the model, and its parts */
    const dls_body *bodies;
    const dls_joint *joints;
    const dls_model_articulation *articulations;
    size_t n; /* of all kinds */
    size_t n_bilateral;
    bool constant;  /* J of every bilateral row is */
    exact_row *row; /* n */
    double *JT;     /* nv x n: column i is row i of J */
    double *drift;  /* n: Jdot v */
    double *coarse; /* n: the same to two orders less */
    double **link;  /* n_articulations: dense Jacobian of an articulation's links; NULL where no row needs it */
    dls_state *probe;
    dls_configuration *at, *aside; /* of the state last evaluated, and of the probe */
} exact_rows;

/* Refuses what is no smooth motion. The rows' kinds are found in `start`. */
dls_status exact_rows_create(exact_rows *rows, const dls_model *model, const dls_state *start, bool ignore_open_limits,
                             dls_arena *memory, dls_error *error);
void exact_rows_destroy(exact_rows *rows);
/* q <- q (+) v of a state. */
void exact_rows_move(exact_rows *rows, dls_state *state, const double *v);
/* C, kp, kd, u and J in a state, whose configuration becomes rows->at. */
void exact_rows_evaluate(exact_rows *rows, const dls_state *state);
/* drift = Jdot v of the bilateral rows, in a state that has been evaluated. Returns its estimated error
 * against |J| |v| times how fast the ends turn. */
double exact_rows_drift(exact_rows *rows, const dls_state *state);
/* max |C| and max |J v| of the bilateral rows as evaluated. */
void exact_rows_errors(const exact_rows *rows, const double *v, double *C, double *Jv);
bool exact_row_acts(const exact_rows *rows, size_t i);                    /* J_i is not 0 to rounding */
double exact_row_rate(const exact_rows *rows, size_t i, const double *v); /* J_i v */

/* --- one step of an ordinary differential equation y' = f(y) (prince_dormand.c) --- */

enum { EXACT_STEP_WORK = 13 };
/* y, n numbers, goes on by h, and `error` is what a method of one order less misses of it; `slope` is f at the start,
 * `work` has EXACT_STEP_WORK n numbers. False where f has no value, and y is spent. */
bool exact_step(bool (*f)(void *context, const double *y, double *slope), void *context, size_t n, double h,
                const double *slope, double *y, double *error, double *work);

/* --- M vdot = tau - C - g + J^T f (exact_system.c) --- */

typedef struct exact_system {
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
} exact_system;

dls_status exact_system_create(exact_system *system, const exact_rows *rows, dls_arena *memory, dls_error *error);
/* Rows, L and `force` in a state. `factor` false: leaves M in the place of L. */
dls_status exact_system_evaluate(exact_system *system, exact_rows *rows, const dls_state *state, bool factor,
                                 dls_error *error);
/* The independent rows among the bilateral ones. After evaluate. */
dls_status exact_system_choose(exact_system *system, const exact_rows *rows, dls_error *error);
/* x += the smallest change in the mass metric with J_i dx = side[k], i = basis[k]. `side` becomes the change. After
 * evaluate. */
dls_status exact_system_correct(exact_system *system, const exact_rows *rows, double *x, dls_error *error);
/* vdot by Gauss' principle. After evaluate, whose `force` it spends, and with the drift of the rows. */
dls_status exact_system_accelerate(exact_system *system, const exact_rows *rows, double *vdot, dls_error *error);
/* Z, rank and columns. After rows were evaluated; M is scratch. */
dls_status exact_system_null_space(exact_system *system, const exact_rows *rows, dls_error *error);
/* wdot of v = Z w. After evaluate without factor. */
dls_status exact_system_eliminate(exact_system *system, const dls_state *state, double *wdot, dls_error *error);

#endif
