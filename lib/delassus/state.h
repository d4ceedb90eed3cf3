/* state.h - the state of a mechanism: plain data in one block of memory, so that a copy is one memcpy.
 * The quantities computed from a state (rotations, poses of links, inertias, coordinates) are in a configuration:
 * configuration.h.
 */
#ifndef DELASSUS_STATE_H
#define DELASSUS_STATE_H

#include "delassus/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dls_state {
    double time; /* [s] */
    size_t n_bodies, n_links, nv, n_coordinates, n_joints, n_articulations, n_joint_state, n_prescribed, n_blocks;
    /* All arrays are in the state's own block of memory. */
    dls_vec3 *x;   /* n_bodies, centre of mass [m] */
    dls_quat *q;   /* n_bodies, body to world */
    double *v;     /* nv: (v, omega) [m/s, rad/s] of each free body, world frame; joint speeds */
    double *force; /* nv: applied generalised forces, constant during a step [N, N m]; initially those of the scene */
    dls_spatial *link_force; /* n_links: (f, tau) applied at the centres of mass, constant during a step, world frame
                                [N, N m] */
    dls_frame *roots;    /* n_articulations: centre of mass [m] and orientation of the root link of each articulation */
    double *coordinates; /* n_coordinates: joint positions [rad, m] and unit quaternions of all articulations */
    long *wraps;         /* n_coordinates: as in dls_articulation_state */
    double *measured;    /* n_joints: the unwrapped angle or the travel of a joint that others act on; else 0 */
    dls_spatial *prescribed; /* n_prescribed: velocities (v, omega) of kinematic bodies [m/s, rad/s]; for a body that
                                swings, set at the start of each step */
    double *joint_state;     /* n_joint_state: numbers that joints keep, from dls_joint.joint_state on for each joint */
    size_t *asleep;          /* n_blocks, of the mass operator: 0 if it is awake, else the number of its island */
    double *calm;            /* n_blocks: how long it has been at rest [s] */
    size_t *broken;          /* n_joints: 1 if the joint is broken and has no rows; else 0 */
};

dls_status dls_state_create(const dls_model *model, dls_state **state,
                            dls_error *error);             /* a copy of dls_model_initial */
void dls_state_destroy(dls_state *state);                  /* NULL is allowed */
void dls_state_copy(dls_state *to, const dls_state *from); /* of the same model; exact to the bit */
size_t dls_state_size(const dls_state *state);             /* its size in bytes */
/* DLS_NOT_FINITE, naming the body or joint, if anything is NaN or infinite. */
dls_status dls_state_check(const dls_model *model, const dls_state *state, dls_error *error);

/* An articulation's part of the state and of the applied forces, for the functions of articulation.h. The arrays are
 * those of the state; the pose of the root is a copy, which dls_state_set_root writes back. */
dls_articulation_state dls_state_articulation(const dls_model *model, const dls_state *state, size_t articulation);
dls_articulation_load dls_state_load(const dls_model *model, const dls_state *state, size_t articulation);
void dls_state_set_root(dls_state *state, size_t articulation, const dls_articulation_state *from);

/* q <- q (+) h v, conventions (6), for bodies and articulations only. Numbers that joints keep and coordinates that
 * they measure are unchanged (dls_configuration_advance updates them too). */
void dls_state_advance(const dls_model *model, dls_state *state, const double *v, double h);
/* The displacement d (nv entries) with from (+) d = to: differences of positions, and the shortest rotations. [m, rad]
 */
void dls_state_displacement(const dls_model *model, const dls_state *from, const dls_state *to, double *d);
/* Copies all that moves with the bodies: their poses, also those of kinematic bodies, the positions of articulations,
 * coordinates that joints measure, and numbers that follow the ends of a joint. */
void dls_state_return(const dls_model *model, dls_state *state, const dls_state *to);
/* Whether dls_state_advance is sufficient for the model: no joint keeps numbers that change or measures a coordinate,
 * no articulation has a maximum speed of its centre of mass, and `keep_momentum` of the world is off. */
bool dls_state_moves_alone(const dls_model *model);

/* The unwrapped value of a coordinate, and the sum of a joint's terms, such as coordinates times gears. [rad, m] */
double dls_state_coordinate(const dls_state *state, const dls_term *term);
double dls_state_coordinates(const dls_state *state, const dls_joint *joint);

#ifdef __cplusplus
}
#endif

#endif
