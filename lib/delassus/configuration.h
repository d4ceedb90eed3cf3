/* configuration.h - everything that follows from a model and a state, evaluated once: poses and velocities of bodies
 * and links, world inertias, factors of articulations, coordinates. All other code reads these quantities here;
 * kinematics are evaluated nowhere else.
 *
 *     dls_configuration *c;
 *     dls_configuration_create(model, &c, error);
 *     dls_configuration_evaluate(c, state);
 *     dls_end end = dls_configuration_end(c, body);
 *     double energy = dls_kinetic_energy(c) + dls_potential_energy(c);
 *     dls_configuration_destroy(c);
 * A configuration keeps no pointer to the state: it does not change when the state does.
 */
#ifndef DELASSUS_CONFIGURATION_H
#define DELASSUS_CONFIGURATION_H

#include "delassus/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The inertia of a rigid body, and its inverse. */
typedef struct dls_mass_body {
    double mass, inverse_mass;         /* [kg], [1/kg] */
    dls_mat3 inertia, inverse_inertia; /* world frame [kg m^2] */
} dls_mass_body;

typedef struct dls_configuration {
    const dls_model *model;
    size_t n_works;                /* n_articulations, kept because the model may be destroyed first */
    dls_end *bodies;               /* n_bodies, then the world */
    dls_mass_body *inertias;       /* one for each movable body, in order; after dls_configuration_factor */
    dls_articulation_work **works; /* n_articulations: kinematics, and factors after dls_configuration_factor */
    dls_spatial *medium;           /* n_ends: forces of the medium; dls_configuration_immerse */
    dls_spatial *link_force;       /* n_links: scratch of dls_configuration_link_forces */
    double *v;                     /* nv: the generalised velocity */
    double *joint_state;           /* n_joint_state: numbers that joints keep */
    double *sums;                  /* n_joints: sum P_i(q_i) for a joint on coordinates */
    double *slopes;                /* dP/dq of the terms of such joints, by dls_term.number */
    double (*gradients)[3];        /* dq/d(speeds of the joint) for terms on a coordinate computed from a quaternion */
    bool *idle;                    /* n_joints: joints without rows, because they are broken or asleep */
    bool *asleep;                  /* n_blocks, of the mass operator */
    size_t n_asleep;
    dls_end *before;   /* 2 n_owners: scratch of dls_configuration_advance */
    dls_vec3 *centres; /* n_articulations: scratch of dls_configuration_advance_kept */
    bool *current;     /* n_articulations: whether its kinematics have been evaluated */
    bool bodies_factored, links_factored;
    size_t evaluations; /* how often kinematics of an articulation were evaluated, for tests */
    void *memory;
} dls_configuration;

dls_status dls_configuration_create(const dls_model *model, dls_configuration **configuration, dls_error *error);
void dls_configuration_destroy(dls_configuration *configuration); /* NULL is allowed */
/* Positions and velocities of `state`. O(bodies + links). */
void dls_configuration_evaluate(dls_configuration *configuration, const dls_state *state);
/* Other velocities (nv entries) at the same positions. */
void dls_configuration_set_velocity(dls_configuration *configuration, const double *v);
/* Computes the world inertias of bodies and the factors of articulations, which the mass operator uses.
 * DLS_BAD_ARGUMENT, naming the joint, if a joint moves no inertia. */
dls_status dls_configuration_factor(dls_configuration *configuration, dls_error *error);
dls_status dls_configuration_factor_links(dls_configuration *configuration,
                                          dls_error *error); /* the factors of articulations only */

/* Computes the forces of the medium of the world, if it has one, on bodies and links at the present velocities:
 * `medium`, (f, tau) at their centres of mass, world frame [N, N m]. The derivation is in lib/model/medium.c. */
void dls_configuration_immerse(const dls_configuration *configuration);
/* The applied forces and those of the medium on the links of an articulation, at their centres of mass; and on a body
 * that moves. After dls_configuration_immerse. */
const dls_spatial *dls_configuration_link_forces(const dls_configuration *configuration, const dls_state *state,
                                                 size_t articulation);
dls_spatial dls_configuration_body_force(const dls_configuration *configuration, const dls_state *state, size_t body);

/* q <- q (+) h v of the state, conventions (6): rotations by the exponential map; then updates the numbers that joints
 * keep and the coordinates that they measure. `from` is the configuration before; `to` becomes the configuration after,
 * at the velocities v; both may be the same. If `all` is false, the kinematics of articulations without a joint or
 * contact on their links are not evaluated (see `current`) until dls_configuration_complete. */
void dls_configuration_advance(dls_configuration *from, dls_configuration *to, dls_state *state, const double *v,
                               double h, bool all);
/* The same if `keep_momentum` of the world is set: the centre of mass of floating articulation a moves by exactly h
 * centre_speed[a] (n_articulations entries). Without it, the centre of mass departs from this straight line by O(h^2),
 * because its links rotate. */
void dls_configuration_advance_kept(dls_configuration *from, dls_configuration *to, dls_state *state, const double *v,
                                    const dls_vec3 *centre_speed, double h, bool all);
/* Writes the coordinates of hinges, sliders and tracks into the state. Whole turns of an angle are chosen by continuity
 * with its value h ago. Use h = 0 after the caller has changed poses. */
void dls_configuration_measure(const dls_configuration *configuration, dls_state *state, double h);
void dls_configuration_complete(dls_configuration *configuration, const dls_state *state);
/* Reads from the state which blocks are asleep and which joints are broken. */
void dls_configuration_rouse(dls_configuration *configuration, const dls_state *state);
/* Whether an end cannot move in this step: it is asleep, static, or kinematic and at rest. */
bool dls_configuration_still(const dls_configuration *configuration, size_t end);
/* Whether an end is a kinematic body that moves. */
bool dls_configuration_prescribed(const dls_configuration *configuration, size_t end);

/* An end of a joint: pose and velocity of a body, of a link, or of the world. */
dls_end dls_configuration_end(const dls_configuration *configuration, size_t end);
/* Both ends of a joint, as arguments for the functions of its type. end[0] has the sum y for a joint on coordinates,
 * and the numbers `own` for a joint that keeps numbers. */
void dls_configuration_ends(const dls_configuration *configuration, const dls_joint *joint, dls_end end[2]);
/* Rate of the coordinate that a hinge, slider or track provides. [rad/s, m/s] */
double dls_configuration_rate(const dls_configuration *configuration, const dls_joint *joint);

/* Mechanical energy: 1/2 v^T M v, and the sum of -m g.x (external forces have no potential). [J] */
double dls_kinetic_energy(const dls_configuration *configuration);
double dls_potential_energy(const dls_configuration *configuration);
double dls_links_potential_energy(const dls_configuration *configuration); /* of the articulations only */
/* DLS_NOT_FINITE, naming the body or articulation, if an energy or their sum overflows. This happens at speeds above
 * about 1e154 m/s, although the state is still finite. `time` [s] is used in the message. */
dls_status dls_energy_check(const dls_configuration *configuration, double time, dls_error *error);
/* Linear momentum [kg m/s], and angular momentum about the world's origin [kg m^2/s]. */
void dls_momentum(const dls_configuration *configuration, dls_vec3 *linear, dls_vec3 *angular);

#ifdef __cplusplus
}
#endif

#endif
