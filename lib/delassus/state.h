/* state.h - the state of a mechanism: plain data in one block of memory, so that a copy is one memcpy.
 *
 * What follows from a state (rotations, poses of links, inertias, coordinates) is a configuration: configuration.h.
 */
#ifndef DELASSUS_STATE_H
#define DELASSUS_STATE_H

#include "delassus/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dls_state {
    double time; /* [s] */
    size_t n_bodies, n_links, nv, n_coordinates, n_joints, n_members, n_own, n_carried, n_blocks;
    /* Each lies in the state's own block. */
    dls_vec3 *x;   /* n_bodies, centre of mass [m] */
    dls_quat *q;   /* n_bodies, body to world */
    double *v;     /* nv: (v, omega) [m/s, rad/s] of each free body, world frame; joint speeds */
    double *force; /* nv: applied generalised forces, constant during a step [N, N m]; those of the scene at first */
    dls_spatial *link_force; /* n_links: (f, tau) applied at the centres of mass, as constant, world frame [N, N m] */
    dls_frame *roots;        /* n_members: centre of mass [m] and orientation of the root link of each articulation */
    double *coordinates;     /* n_coordinates: joint positions [rad, m] and unit quaternions of all articulations */
    long *wraps;             /* n_coordinates: turns that positions leave open, as of dls_articulation_state */
    double *measured;        /* n_joints: the whole angle or travel of a joint that others are coupled to; else 0 */
    dls_spatial *carried;    /* n_carried: velocities (v, omega) of kinematic bodies [m/s, rad/s]; those of a body that
                                swings are set at the start of each step */
    double *own;             /* n_own: numbers that joints keep; dls_joint.own is the first of each */
    size_t *asleep;          /* n_blocks, of the mass operator: 0 where it is awake, else the number of its island */
    double *calm;            /* n_blocks: for how long it has been at rest [s] */
    size_t *broken;          /* n_joints: 1 where the joint has broken, and has no rows; else 0 */
};

dls_status dls_state_create(const dls_model *model, dls_state **state,
                            dls_error *error);             /* a copy of dls_model_initial */
void dls_state_destroy(dls_state *state);                  /* NULL is allowed */
void dls_state_copy(dls_state *to, const dls_state *from); /* of the same model; exact to the bit */
size_t dls_state_size(const dls_state *state);             /* bytes that it takes */
/* DLS_NOT_FINITE, naming the body or joint, if anything is NaN or infinite. */
dls_status dls_state_check(const dls_model *model, const dls_state *state, dls_error *error);

/* An articulation's part of the state and of the applied forces, as articulation.h takes them: the arrays are the
 * state's own, the pose of the root is a copy, which dls_state_set_root writes back. */
dls_articulation_state dls_state_member(const dls_model *model, const dls_state *state, size_t member);
dls_articulation_load dls_state_load(const dls_model *model, const dls_state *state, size_t member);
void dls_state_set_root(dls_state *state, size_t member, const dls_articulation_state *from);

/* q <- q (+) h v, conventions (6), of bodies and articulations: what joints keep and measure is left as it is
 * (dls_configuration_advance moves both). */
void dls_state_advance(const dls_model *model, dls_state *state, const double *v, double h);
/* Whether that is all: no joint keeps numbers that move or measures a coordinate, no articulation has a greatest speed of
 * its centre of mass, and the world has no `keep_momentum`. */
bool dls_state_moves_alone(const dls_model *model);

/* A coordinate, with all its turns; and the sum of a joint's, with their gears. [rad, m] */
double dls_state_coordinate(const dls_state *state, const dls_term *term);
double dls_state_coordinates(const dls_state *state, const dls_joint *joint);

#ifdef __cplusplus
}
#endif

#endif
