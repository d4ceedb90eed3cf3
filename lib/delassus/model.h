/* model.h - a checked mechanism (const) and its state.
 *
 * Generalised velocity (conventions): v in R^nv stacks (v, omega) of every free body, in the order of the scene.
 * Static bodies have no entries.
 */
#ifndef DELASSUS_MODEL_H
#define DELASSUS_MODEL_H

#include "delassus/scene.h"

#include <stdint.h>

#define DLS_WORLD SIZE_MAX /* the world, as an end of a joint */

typedef struct dls_body {
    char name[DLS_NAME_MAX];
    size_t offset;       /* of (v, omega) in the generalised velocity; DLS_NONE where static */
    double mass;         /* [kg]; 0 where static */
    dls_mat3 inertia;    /* body frame [kg m^2] */
    dls_vec3 force, torque;
    dls_shape shape;
    dls_vec3 size;
    double radius, length;
    bool collide;
} dls_body;

typedef struct dls_state {
    double time; /* [s] */
    size_t n_bodies, nv;
    dls_vec3 *x; /* n_bodies, centre of mass [m] */
    dls_quat *q; /* n_bodies, body to world */
    double *v;   /* nv: (v, omega) [m/s, rad/s] a free body, world frame */
} dls_state;

typedef struct dls_model {
    char name[DLS_NAME_MAX];
    dls_world_def world;
    size_t n_bodies, n_joints, nv;
    dls_body *bodies;
    dls_joint *joints;
    dls_state *initial; /* as the scene has it */
} dls_model;

/* Checks everything a scene can get wrong (names, masses, inertias that no body can have, ends that are not there,
 * values that are not finite) and compiles it. Errors name the scene's file, line and key. The scene may be destroyed. */
dls_status dls_model_create(const dls_scene *scene, dls_model **model, dls_error *error);
void dls_model_destroy(dls_model *model);

dls_status dls_state_create(const dls_model *model, dls_state **state, dls_error *error); /* a copy of model->initial */
void dls_state_destroy(dls_state *state);
void dls_state_copy(dls_state *to, const dls_state *from); /* of the same model; exact to the bit */
/* DLS_NOT_FINITE, naming the body, if anything is NaN or infinite. */
dls_status dls_state_check(const dls_model *model, const dls_state *state, dls_error *error);
/* q <- q (+) h v: conventions (6), rotations by the exponential map. */
void dls_state_advance(const dls_model *model, dls_state *state, const double *v, double h);

/* An end of a joint in a state. */
dls_end dls_model_end(const dls_model *model, const dls_state *state, size_t body);

/* Mechanical energy: 1/2 v^T M v, and -m g.x summed (external forces have no potential). [J] */
double dls_kinetic_energy(const dls_model *model, const dls_state *state);
double dls_potential_energy(const dls_model *model, const dls_state *state);
/* Linear momentum [kg m/s], and angular momentum about the world's origin [kg m^2/s]. */
void dls_momentum(const dls_model *model, const dls_state *state, dls_vec3 *linear, dls_vec3 *angular);

#endif
