/* engine.h - a physics engine of another project that steps a mechanism in its own way: its input, and its
 * descriptor. Not installed.
 *
 * THE ROOM. Engines that step whole scenes, one adapter a library, and the mechanism that all are given (translate.c);
 * the experiment `engines` (other_engines/) and the bench use them. Other libraries as solvers of a problem are in
 * solvers/peers/.
 *
 * An adapter is one file, a shared object that is never linked: it says a mechanism in the words of its engine, steps,
 * and reads the states. It measures nothing; our code does, from those states. Where an engine differs from us, its
 * notes say so, and what it cannot say is refused with the reason. Plain types: C and C++ include it. */
#ifndef DLS_EXPERIMENTS_ENGINE_H
#define DLS_EXPERIMENTS_ENGINE_H

#include "delassus/model.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A solid that is part of a body; a body without a solid touches nothing. No plane. */
typedef struct dls_engine_shape {
    dls_shape shape;
    dls_vec3 size;         /* edges of a box [m] */
    double radius, length; /* of the others, along z; of a capsule between the centres of its caps [m] */
    bool placed;           /* whether it is not about the origin and along the axes of the body, but */
    dls_vec3 x;            /* with its centre there [m], */
    dls_quat q;            /* and this rotation from its axes to the body's */
} dls_engine_shape;

/* A body at the start. Its frame has its origin at the centre of mass; orientations are body to world. */
typedef struct dls_engine_body {
    bool moves;
    double mass;          /* [kg]; 0 where it does not move */
    dls_mat3 inertia;     /* about the centre of mass, body frame [kg m^2] */
    double principal[3];  /* its eigenvalues, ascending unless it is diagonal, */
    dls_quat axes;        /* and the rotation from their axes to the body frame; 1 where it is diagonal */
    dls_vec3 x, v, omega; /* [m], [m/s], [rad/s], world frame */
    dls_quat q;
    dls_vec3 force, torque; /* constant, world frame, at the centre of mass [N], [N m] */
    bool collides;          /* as these, of which there is one at least: */
    size_t n_shapes;
    const dls_engine_shape *shapes;
} dls_engine_body;

/* Forces and limits that act on the coordinate y of a hinge or slider: the angle or travel of body 0 relative to body 1
 * about or along the axis, from the start on, where it is 0. Its force is effort - stiffness y - damping y'. */
typedef struct dls_engine_action {
    double lower, upper;               /* limits [rad, m]; infinite: none */
    double stiffness, damping, effort; /* [N m/rad, N/m], [N m s/rad, N s/m], [N m, N] */
    double friction;                   /* greatest force of dry friction [N m, N] */
    double armature;                   /* inertia added to the coordinate [kg m^2, kg] */
} dls_engine_action;
enum {
    DLS_ENGINE_LIMIT = 1,
    DLS_ENGINE_SPRING = 2,
    DLS_ENGINE_DAMPER = 4,
    DLS_ENGINE_EFFORT = 8,
    DLS_ENGINE_FRICTION = 16,
    DLS_ENGINE_ARMATURE = 32
};

/* A joint at the start, world frame. Ends that do not move are DLS_WORLD. */
typedef struct dls_engine_joint {
    dls_joint_pair pair; /* none but ball, hinge, slider, universal, fixed and rod */
    size_t joint;        /* its number in the model, */
    const char *name;    /* which has its name */
    size_t body[2];
    dls_vec3 anchor[2], axis[2]; /* [m]; unit vectors */
    double length;               /* of a rod [m] */
    dls_engine_action action;
} dls_engine_joint;

/* A half-space of the world in which no body may be: below n . p = distance. */
typedef struct dls_engine_plane {
    dls_vec3 normal;
    double distance; /* [m] */
    double mu;       /* at most that of the other contacts */
} dls_engine_plane;

typedef struct dls_engine_mechanism {
    size_t n_bodies, n_joints, n_planes, n_shapes;
    dls_engine_body *bodies;
    dls_engine_shape *shapes; /* of all bodies */
    dls_engine_joint *joints;
    dls_engine_plane *planes; /* every body that collides does so with each */
    bool *touch;              /* n_bodies x n_bodies: whether two bodies may touch */
    bool collides;            /* whether anything does */
    double mu;                /* of contacts between bodies */
    double restitution;       /* of all contacts, by Newton's law: speed after an impact over that before it */
    double threshold;         /* contacts that approach more slowly do not rebound [m/s] */
    dls_vec3 gravity;         /* [m/s^2] */
    double erp;               /* of every joint */
    double h;                 /* the step [s] */
    size_t iterations;        /* of an iterative solver, a step */
    /* Trees of joints, for engines whose joints are coordinates: roots are the world, and the first body of each group
     * that no joint connects to it. */
    size_t n_moving;
    size_t *order; /* the bodies that move, each after the one that it hangs on */
    size_t *hangs; /* n_bodies: the joint by which it hangs; DLS_NONE: it floats, or does not move */
    bool *closes;  /* n_joints: whether it closes a loop, as a rod always does */
} dls_engine_mechanism;

/* The state of a body. */
typedef struct dls_engine_state {
    dls_vec3 x, v, omega; /* of the centre of mass [m], [m/s]; [rad/s], world frame */
    dls_quat q;
} dls_engine_state;

/* A difference from our model. */
typedef struct dls_engine_note {
    const char *subject; /* "joints", "contacts", "integrator", ...; NULL after the last */
    const char *text;
} dls_engine_note;

typedef struct dls_engine {
    const char *name;        /* where the method is described */
    unsigned long pairs;     /* bits 1 << dls_joint_pair that it has; others are refused for it */
    unsigned long loops;     /* those of the pairs that may close a loop of joints */
    unsigned long shapes;    /* bits 1 << dls_shape of bodies that collide */
    unsigned long acts;      /* a sum of DLS_ENGINE_LIMIT, ...: what may act on coordinates of joints of trees, */
    unsigned long loop_acts; /* and of joints that close a loop */
    bool rebounds;           /* its contacts have a coefficient of restitution; else mechanisms with one are refused */
    bool sweeps;             /* takes the iterations of the mechanism, as the notes say */
    const dls_engine_note *notes;
    /* The version of the library that was loaded, and the precision of its build. */
    void (*version)(char *text, size_t size);
    /* NULL, and the reason in why[size], where it cannot. The mechanism outlives the world. */
    void *(*open)(const dls_engine_mechanism *mechanism, char *why, size_t size);
    void (*step)(void *world);
    void (*read)(void *world, dls_engine_state *states); /* n_bodies, moving or not; also before the first step */
    void (*close)(void *world);
} dls_engine;

/* The engines of a shared object, exported as dls_engines_here. */
enum { DLS_ENGINE_STAMP = 5 };
typedef struct dls_engines {
    unsigned stamp; /* DLS_ENGINE_STAMP */
    size_t count;
    const dls_engine *const *of;
} dls_engines;

#ifdef __cplusplus
#define DLS_ENGINES_EXTERN extern "C"
#else
#define DLS_ENGINES_EXTERN extern
#endif
/* After the descriptors of an object: DLS_ENGINES(&one, &other); */
#define DLS_ENGINES(...)                                                                                      \
    static const dls_engine *const dls_engines_of[] = {__VA_ARGS__};                                          \
    DLS_ENGINES_EXTERN const dls_engines dls_engines_here;                                                    \
    const dls_engines dls_engines_here = {DLS_ENGINE_STAMP, sizeof dls_engines_of / sizeof dls_engines_of[0], \
                                          dls_engines_of}

#ifdef __cplusplus
}
#endif

#endif
