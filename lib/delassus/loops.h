/* loops.h - inverse dynamics with loops: the forces of the constraints that close loops of articulations, and the joint
 * forces that produce given accelerations.
 *
 *     M(q) vdot + C(q, v) + g(q) - J_links^T f = tau + J^T lambda,   J vdot = gamma = -J' v
 *
 * J has the rows of the registered joints and contacts, lambda their forces [N, N m]; tau acts on the degrees of
 * freedom that have an actuator, and is 0 on all others. With n = M vdot + C + g - J_links^T f, the joint forces that
 * the tree alone would need:
 *
 *     passive degrees of freedom      J_p^T lambda = n_p             lambda follows from these, where it is unique
 *     actuated ones                   tau_a = n_a - J_a^T lambda
 *
 * physx-articulations, Loop Joints, Coefficient Matrix, and Lambda Constraint Impulses. In use:
 *
 *     dls_loops_create(model, &loops, error);
 *     dls_loops_add_joint(loops, dls_model_find_joint(model, "close"), error);
 *     loops->actuated[k] = false;                                  // a joint without a motor
 *     dls_loops_prepare(loops, state, vdot, error);
 *     dls_loops_feedback(loops, &options, lambda, tau, &report, error);   // the source's iteration
 *     dls_loops_solve(loops, lambda, tau, &facts, error);                 // directly: reference.h
 *     dls_loops_destroy(loops);
 */
#ifndef DELASSUS_LOOPS_H
#define DELASSUS_LOOPS_H

#include "delassus/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_loops {
    const dls_model *model;
    size_t nv;
    bool *actuated; /* nv, the caller's to change: at first every joint of an articulation, no body and no base */
    bool *joints;   /* for each joint of the model: whether it is registered */
    dls_contacts contacts; /* registered */
    /* Results of the last dls_loops_prepare. */
    size_t n;             /* rows */
    size_t open;          /* one-sided rows that were left out because their gap is open */
    size_t n_absent;      /* registered joints that have no rows, because they are broken or asleep in that state */
    const char **absent;  /* for each joint of the model: "broken" or "asleep"; NULL: it has rows, or is not registered
                            */
    double *vdot;         /* nv: the given accelerations [m/s^2, rad/s^2] */
    double *needed;       /* nv: n of the equations above [N, N m] */
    double *gamma;        /* n: -J' v [m/s^2, rad/s^2] */
    dls_problem *problem; /* w = J vdot - gamma: J, M, v* = the accelerations without loops, c = gamma, h = 1, and the
                             bounds of lambda. dls_loops_prepare leaves tau = 0 in it */
    struct dls_loops_inside *inside;
    double *C; /* n: position errors of the rows [m, rad] */
} dls_loops;

/* No joint is registered. The model must outlive it. */
dls_status dls_loops_create(const dls_model *model, dls_loops **loops, dls_error *error);
void dls_loops_destroy(dls_loops *loops); /* NULL is allowed */

/* Registers a joint of the model by its number. All its rows must be rigid: two-sided rows that hold a position, or
 * one-sided rows of contacts and limits. DLS_REFUSED, naming the joint and the row, if a row has a spring, compliance
 * or force bounds, or holds no position; DLS_BAD_ARGUMENT if the joint is registered already. */
dls_status dls_loops_add_joint(dls_loops *loops, size_t joint, dls_error *error);
/* Registers all joints that fulfil these conditions; *left_out (or NULL) gets the number of the other joints. */
dls_status dls_loops_add_all(dls_loops *loops, size_t *left_out, dls_error *error);
/* DLS_BAD_ARGUMENT if the joint is not registered. */
dls_status dls_loops_remove_joint(dls_loops *loops, size_t joint, dls_error *error);
/* Registers a copy of a contact. Only its normal row is used, as a one-sided row; friction is ignored. */
dls_status dls_loops_add_contact(dls_loops *loops, const dls_contact *contact, dls_error *error);
void dls_loops_remove_contacts(dls_loops *loops);

/* Evaluates all members above at a state of the model, for the accelerations vdot (nv entries, NULL: 0). gamma is
 * computed by central differences of fourth order of J v along v, with a relative error of about 1e-11. Kinematic
 * bodies are DLS_REFUSED. */
dls_status dls_loops_prepare(dls_loops *loops, const dls_state *state, const double *vdot, dls_error *error);
/* Writes the registered joints without rows at that state into text[size], such as "joint 'a' is broken, joint 'b' is
 * asleep"; "" if all have rows. A broken joint has no force. A sleeping joint has a force that is not computed: wake it
 * (set asleep to 0 in the state) to include it. If `size` is too small for all names, the number of missing names is
 * given. */
void dls_loops_absent_text(const dls_loops *loops, char *text, size_t size);
/* The coefficient matrix J^T, nv x n, column-major, ld >= nv: column i is the generalised force of a unit force of row
 * i. physx-articulations, Coefficient Matrix. */
void dls_loops_coefficients(const dls_loops *loops, double *K, size_t ld);
/* tau of the equations above for any lambda; passive entries are 0. Returns the largest missing force on a passive
 * degree of freedom, max |n_p - J_p^T lambda| [N, N m]: 0 if the accelerations can be reached with that lambda. */
double dls_loops_joint_forces(const dls_loops *loops, const double *lambda, double *tau);
/* Puts joint forces into the problem: v* = M^-1 (tau - n) + vdot. A solver then finds lambda of the motion under these
 * forces, and dls_problem_velocity gives the accelerations of this motion. */
void dls_loops_put_forces(dls_loops *loops, const double *tau);

/* THE SOURCE'S ITERATION. Forces of the loops are counteracted by joint forces, which change the forces of the loops:
 *
 *     tau_k = n_a - J_a^T lambda_k,   lambda_{k+1} = forces of the loops in the motion under tau_k
 * until lambda no longer changes. Each turn makes `sweeps` iterations of the given solver, starting from lambda_k; a
 * direct method needs 1. lib/dynamics/loops.c says when the iteration converges, dls_loops_rate (reference.h) predicts
 * how fast. */
typedef struct dls_loops_options {
    const dls_solver *solver;
    const void *settings; /* of the solver, as its fields describe them; not NULL */
    size_t sweeps;        /* iterations of the solver per turn, at least 1 */
    size_t limit;         /* largest number of turns, usually 200, as in the source */
    double tolerance;     /* converged if no entry of lambda changes by more than this times the largest entry, usually
                             1e-10 */
} dls_loops_options;
typedef struct dls_loops_report {
    bool converged;
    size_t turns;
    double change;                 /* largest change of a lambda in the last turn [N, N m] */
    double rate;                   /* ratio of `change` to that of the turn before; NaN before the third turn */
    double missed;                 /* as returned by dls_loops_joint_forces */
    char message[DLS_MESSAGE_MAX]; /* why it has not converged; else "" */
} dls_loops_report;
/* lambda: n entries, read as the start, usually 0; tau: nv entries, the final joint forces. If the iteration does not
 * converge, the status is still DLS_OK, and the report says so. */
dls_status dls_loops_feedback(dls_loops *loops, const dls_loops_options *options, double *lambda, double *tau,
                              dls_loops_report *report, dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
