/* peer.h - other people's solvers behind one face, and the mechanism they are given. Plain types: C and C++ include it.
 */
#ifndef DELASSUS_BENCH_PEER_H
#define DELASSUS_BENCH_PEER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_WORLD ((size_t)-1)

typedef struct bench_free_body {
    double mass, inertia[3]; /* principal, axes of the body along those of the world */
    double size[3];          /* edges of its box [m] */
    double x[3];
} bench_free_body;
typedef struct bench_contact {
    size_t body[2];
    double point[3], normal[3], mu;
} bench_contact; /* normal: body 2 to body 1 */
typedef struct bench_ball {
    size_t body[2];
    double anchor[3];
} bench_ball;

/* At rest, gravity along -z. Contacts of one pair of bodies are adjacent. */
typedef struct bench_mechanism {
    size_t n_bodies, n_contacts, n_balls;
    bench_free_body *bodies;
    bench_contact *contacts;
    bench_ball *balls;
    int collide; /* the boxes do, with each other and the ground z = 0, with friction mu; then there are no contacts */
    double margin; /* contacts are detected from this gap on, in ours [m] */
    double mu, h, gravity;
} bench_mechanism;

/* An engine's iterative solver. */
typedef struct bench_peer {
    const char *name;
    void *(*create)(const bench_mechanism *mechanism); /* NULL: no memory */
    /* One step from the start with so many iterations: the seconds of CPU time it took, and the velocities (v, omega)
     * of every body after it. */
    double (*step)(void *world, int iterations, double *v);
    void (*destroy)(void *world);
} bench_peer;

extern const bench_peer bench_peer_ode, bench_peer_bullet;

/* An engine with all that it does in a step: collision detection, its own solver, motion. */
typedef struct bench_engine {
    const char *name, *settings;
    void *(*create)(const bench_mechanism *mechanism, int iterations); /* NULL: no memory */
    double (*step)(void *world);                                       /* seconds of CPU time */
    /* Of every body: x, y, z and the quaternion w, x, y, z; v and omega. */
    void (*read)(void *world, double *pose, double *v);
    void (*destroy)(void *world);
} bench_engine;

extern const bench_engine bench_engine_ode, bench_engine_bullet, bench_engine_box3d;

/* A tree of hinges on the world; parents come first, and what hangs on a link comes right behind it. */
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

/* What is measured, and the result. The last three start from the kinematics of BENCH_ABA, the very last from the
 * factors of BENCH_FACTORS as well, the others from q. */
typedef enum bench_task {
    BENCH_ABA,         /* vdot from tau: n */
    BENCH_MASS_MATRIX, /* left where the engine has it: NULL */
    BENCH_RNEA,        /* tau from vdot: n */
    BENCH_GRAVITY,     /* tau that holds against gravity: n */
    BENCH_JACOBIAN,    /* of the centres of mass, (v, omega) a link: 6 n x n, row by row */
    BENCH_FACTORS,     /* the factors of M made again, and then what BENCH_RESPONSE gives: n */
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

double bench_clock(void); /* CPU time of this thread [s] */
/* The time since bench_clock() was `start`, without what the clock itself takes: a microsecond on some machines. */
double bench_since(double start);

#ifdef __cplusplus
}
#endif

#endif
