/* peer.h - the parts of other libraries that are timed alone, behind one interface each. */
#ifndef DELASSUS_BENCH_PEER_H
#define DELASSUS_BENCH_PEER_H

#include "clock.h"

#include "delassus/contact.h"
#include "engines/engine.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_WORLD ((size_t)-1)

/* An engine's iterative solver, on bodies that are upright and at rest, ball joints and given contacts. */
typedef struct bench_peer {
    const char *name;
    void *(*create)(const dls_engine_mechanism *mechanism, const dls_contacts *contacts); /* NULL: no memory */
    /* One step from the start with so many iterations: the seconds of CPU time it took, and v and omega of the bodies
     * that move after it. */
    double (*step)(void *world, int iterations, dls_engine_state *states);
    void (*destroy)(void *world);
} bench_peer;

extern const bench_peer bench_peer_ode, bench_peer_bullet;

/* A tree of hinges on the world; parents come first, and the subtree of a link comes right after it. */
typedef struct bench_hinge {
    size_t parent;               /* BENCH_WORLD: none */
    int axis;                    /* 0, 1, 2 of the link, whose frame is that of its parent where q = 0 */
    double anchor[3], centre[3]; /* in the parent's frame; centre of mass from the anchor */
    double mass, inertia[3];     /* principal, axes of the link */
} bench_hinge;

/* Gravity along -z. One entry a hinge: position, speed, acceleration, force. */
typedef struct bench_tree {
    size_t n;
    bench_hinge *hinges;
    double *q, *v, *vdot, *tau, gravity;
} bench_tree;

/* The quantity that is measured, and the result. The last three start from the kinematics of BENCH_ABA, the very last
 * from the factors of BENCH_FACTORS as well, the others from q. */
typedef enum bench_task {
    BENCH_ABA,         /* vdot from tau: n */
    BENCH_MASS_MATRIX, /* left where the engine has it: NULL */
    BENCH_RNEA,        /* tau from vdot: n */
    BENCH_GRAVITY,     /* tau that holds against gravity: n */
    BENCH_JACOBIAN,    /* of the centres of mass, (v, omega) a link: 6 n x n, row by row */
    BENCH_FACTORS,     /* the factors of M made again, and then the result of BENCH_RESPONSE: n */
    BENCH_RESPONSE,    /* M^-1 (e_first - 2 e_last): n */
    BENCH_TASKS
} bench_task;

/* An engine's algorithms in reduced coordinates. */
typedef struct bench_tree_peer {
    const char *name;
    int n_tasks;                             /* it does the first so many */
    void *(*create)(const bench_tree *tree); /* NULL: cannot */
    const double *(*run)(void *engine, bench_task task);
    void (*destroy)(void *engine);
} bench_tree_peer;

extern const bench_tree_peer bench_peer_mujoco, bench_peer_pinocchio, bench_peer_pinocchio_world;

/* A step of MuJoCo with `iterations` of its PGS, on the tree with q_i = gear q_(i+1) for i = 0, 2, 4, ...; NULL if it
 * cannot. Each step starts from the q and v of the tree, which must outlive the engine. */
void *bench_mujoco_mimics_create(const bench_tree *tree, double gear, int iterations, double h);
void bench_mujoco_mimics_step(void *engine);
void bench_mujoco_mimics_destroy(void *engine);

/* ODE's Dantzig, w = A x + b within bounds; A n x n symmetric. Seconds of CPU time; negative: no memory. */
double bench_ode_lcp(size_t n, const double *A, const double *b, const double *lo, const double *hi, double *x);

#ifdef __cplusplus
}
#endif

#endif
