/* loops.h - inverse dynamics with loops: the forces of constraints that close the loops of articulations, and the joint
 * forces that make the accelerations asked for.
 *
 *     M(q) vdot + C(q, v) + g(q) - J_links^T f = tau + J^T lambda,   J vdot = gamma = -J' v
 *
 * J has the rows of the registered joints and contacts, lambda their forces [N, N m]; tau acts on the degrees of freedom
 * that have an actuator, and is 0 on all others. With n = M vdot + C + g - J_links^T f, what the tree alone would need:
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
    bool *joints;   /* of each joint of the model, whether it is registered */
    dls_contacts contacts; /* registered */
    /* Of the last dls_loops_prepare. */
    size_t n;            /* rows */
    size_t open;         /* one-sided rows that were left out because their gap is open */
    size_t n_absent;     /* registered joints that have no rows, because they are broken or asleep in that state */
    const char **absent; /* of each joint of the model: "broken" or "asleep"; NULL: it has rows, or is not registered */
    double *vdot;        /* nv: the accelerations asked for [m/s^2, rad/s^2] */
    double *needed;      /* nv: n of the equations above [N, N m] */
    double *gamma;       /* n: -J' v [m/s^2, rad/s^2] */
    dls_problem *problem; /* w = J vdot - gamma: J, M, v* = the accelerations without loops, c = gamma, h = 1, and the
                             bounds of lambda. dls_loops_prepare leaves tau = 0 in it */
    struct dls_loops_inside *inside;
} dls_loops;

/* No joint is registered. The model must outlive it. */
dls_status dls_loops_create(const dls_model *model, dls_loops **loops, dls_error *error);
void dls_loops_destroy(dls_loops *loops); /* NULL is allowed */

/* Registers a joint of the model by its number, all rows of which must be rigid: those that hold a position both ways,
 * and those of contacts and limits, which push only. DLS_REFUSED, naming the joint and the row, where one has a spring,
 * compliance or force bounds, or holds no position; DLS_BAD_ARGUMENT where it is registered already. */
dls_status dls_loops_add_joint(dls_loops *loops, size_t joint, dls_error *error);
/* All joints that can be; *left_out (or NULL): how many cannot. */
dls_status dls_loops_add_all(dls_loops *loops, size_t *left_out, dls_error *error);
/* DLS_BAD_ARGUMENT where it is not registered. */
dls_status dls_loops_remove_joint(dls_loops *loops, size_t joint, dls_error *error);
/* A contact, of which the normal row alone counts: it pushes, and friction is no constraint. Copied. */
dls_status dls_loops_add_contact(dls_loops *loops, const dls_contact *contact, dls_error *error);
void dls_loops_remove_contacts(dls_loops *loops);

/* Everything at a state of the model, for the accelerations vdot (nv entries, NULL: 0). gamma is a central difference
 * of the fourth order of J v along v, to about 1e-11 of its size. Kinematic bodies are DLS_REFUSED. */
dls_status dls_loops_prepare(dls_loops *loops, const dls_state *state, const double *vdot, dls_error *error);
/* Names the registered joints that have no rows there: "joint 'a' is broken, joint 'b' is asleep", into text[size]; ""
 * where all have. A broken joint has no force; what sleeps has one that is not asked for, so wake it (set asleep to 0 in
 * the state) where it is to count. Names beyond `size` are left out, and their number is given. */
void dls_loops_absent_text(const dls_loops *loops, char *text, size_t size);
/* The coefficient matrix J^T, nv x n, column-major, ld >= nv: column i has the generalised force of a unit force of row
 * i. physx-articulations, the same. */
void dls_loops_coefficients(const dls_loops *loops, double *K, size_t ld);
/* tau of the equations above for any lambda; passive entries 0. Returns the largest force that no actuator supplies,
 * max |n_p - J_p^T lambda| [N, N m]: 0 where the accelerations can be reached with that lambda. */
double dls_loops_joint_forces(const dls_loops *loops, const double *lambda, double *tau);
/* Puts joint forces into the problem: v* = M^-1 (tau - n) + vdot. What a solver then finds is lambda of the motion under
 * these forces, and dls_problem_velocity its accelerations. */
void dls_loops_put_forces(dls_loops *loops, const double *tau);

/* THE SOURCE'S ITERATION. Forces of the loops are counteracted by joint forces, which change the forces of the loops:
 *
 *     tau_k = n_a - J_a^T lambda_k,   lambda_{k+1} = forces of the loops in the motion under tau_k
 *
 * until they are the same. The solver is handed in; `sweeps` iterations of it from lambda_k make one turn, and a direct
 * one needs 1. lib/problem/loops.c says when it converges, dls_loops_rate (reference.h) how fast. */
typedef struct dls_loops_options {
    const dls_solver *solver;
    const void *settings; /* of the solver, as its fields describe them; not NULL */
    size_t sweeps;        /* iterations of the solver in a turn, at least 1 */
    size_t limit;         /* most turns, usually 200, as in the source */
    double tolerance;     /* it has converged where no lambda changes by more than this part of the largest, usually
                             1e-10 */
} dls_loops_options;
typedef struct dls_loops_report {
    bool converged;
    size_t turns;
    double change;                 /* largest change of a lambda in the last turn [N, N m] */
    double rate;                   /* of that change against the one of the turn before; NaN before the third turn */
    double missed;                 /* as of dls_loops_joint_forces */
    char message[DLS_MESSAGE_MAX]; /* why it has not converged; else "" */
} dls_loops_report;
/* lambda: n entries, read as the start, usually 0; tau: nv entries, the joint forces in the end. An iteration that does
 * not converge is a result: the report says so. */
dls_status dls_loops_feedback(dls_loops *loops, const dls_loops_options *options, double *lambda, double *tau,
                              dls_loops_report *report, dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
