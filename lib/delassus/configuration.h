/* configuration.h - everything that follows from a model and a state, evaluated once: poses and velocities of bodies
 * and links, world inertias, factors of articulations, coordinates. Whoever needs one of them reads it here; nobody
 * else evaluates kinematics.
 *
 *     dls_configuration *c;
 *     dls_configuration_create(model, &c, error);
 *     dls_configuration_evaluate(c, state);
 *     dls_end end = dls_configuration_end(c, body);
 *     double energy = dls_kinetic_energy(c) + dls_potential_energy(c);
 *     dls_configuration_destroy(c);
 *
 * A configuration keeps no pointer to the state: it stays what it was when the state moves on.
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
    size_t n_works;                /* n_members, for a destruction after the model's */
    dls_end *bodies;               /* n_bodies */
    dls_mass_body *inertias;       /* of each body that moves, in their order; after dls_configuration_factor */
    dls_articulation_work **works; /* n_members: kinematics, and factors after dls_configuration_factor */
    double *v;                     /* nv: the generalised velocity */
    double *own;                   /* n_own: numbers that joints keep */
    double *sums;                  /* n_joints: sum G_i q_i of a joint on coordinates */
    double (*gradients)[3];        /* dy/d(speeds of the joint) of terms whose coordinate the motion measures */
    bool *idle;                    /* n_joints: joints that have no rows, for they are broken, or asleep */
    bool *asleep;                  /* n_blocks, of the mass operator */
    size_t n_asleep;
    dls_end *before;   /* 2 n_owners: scratch of dls_configuration_advance */
    dls_vec3 *centres; /* n_members: scratch of dls_configuration_advance_kept */
    bool *current;     /* n_members: whether its kinematics have been evaluated */
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
/* World inertias of bodies and factors of articulations: what the mass operator applies. DLS_BAD_ARGUMENT, naming the
 * joint, where a joint moves no inertia. */
dls_status dls_configuration_factor(dls_configuration *configuration, dls_error *error);
dls_status dls_configuration_factor_links(dls_configuration *configuration,
                                          dls_error *error); /* those of articulations alone */

/* q <- q (+) h v of the state, conventions (6): rotations by the exponential map; then the numbers that joints keep and
 * measure. `from` is the configuration of the state before, `to` becomes that of the state after, at the velocities v;
 * both may be the same. `all` false leaves out the kinematics of articulations whose links no joint holds (`current`
 * tells), until dls_configuration_complete. */
void dls_configuration_advance(dls_configuration *from, dls_configuration *to, dls_state *state, const double *v,
                               double h, bool all);
/* The same, where `keep_momentum` of the world is set: the centre of mass of floating articulation a moves by
 * h centre_speed[a] (n_members entries), and not on the arcs of its links, which leave that line by O(h^2). */
void dls_configuration_advance_kept(dls_configuration *from, dls_configuration *to, dls_state *state, const double *v,
                                    const dls_vec3 *centre_speed, double h, bool all);
/* What hinges, sliders and tracks measure, into the state: angles to within whole turns of what they were h ago. With h
 * = 0, after the caller changed poses. */
void dls_configuration_measure(const dls_configuration *configuration, dls_state *state, double h);
void dls_configuration_complete(dls_configuration *configuration, const dls_state *state);
/* Who is asleep and what is broken, from the state. */
void dls_configuration_rouse(dls_configuration *configuration, const dls_state *state);
/* Whether nothing can move an end in this step: it is asleep, static, or kinematic and at rest. */
bool dls_configuration_still(const dls_configuration *configuration, size_t end);
/* Whether an end is a kinematic body that moves. */
bool dls_configuration_carries(const dls_configuration *configuration, size_t end);

/* An end of a joint: pose and velocity of a body, of a link, or of the world. */
dls_end dls_configuration_end(const dls_configuration *configuration, size_t end);
/* Both ends of a joint as its type takes them: of a joint on coordinates the first with their sum, of one that keeps
 * numbers with these. */
void dls_configuration_ends(const dls_configuration *configuration, const dls_joint *joint, dls_end end[2]);
/* Rate of the coordinate that a hinge, slider or track provides. [rad/s, m/s] */
double dls_configuration_rate(const dls_configuration *configuration, const dls_joint *joint);

/* Mechanical energy: 1/2 v^T M v, and the sum of -m g.x (external forces have no potential). [J] */
double dls_kinetic_energy(const dls_configuration *configuration);
double dls_potential_energy(const dls_configuration *configuration);
double dls_links_potential_energy(const dls_configuration *configuration); /* of the articulations alone */
/* DLS_NOT_FINITE, naming the body or articulation, where an energy or their sum overflows: beyond speeds of about 1e154
 * m/s a state is finite and its energy is not. `time` [s] is for the message. */
dls_status dls_energy_check(const dls_configuration *configuration, double time, dls_error *error);
/* Linear momentum [kg m/s], and angular momentum about the world's origin [kg m^2/s]. */
void dls_momentum(const dls_configuration *configuration, dls_vec3 *linear, dls_vec3 *angular);

#ifdef __cplusplus
}
#endif

#endif
