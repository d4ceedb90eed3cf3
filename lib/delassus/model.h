/* model.h - a checked mechanism (const) and its state.
 *
 * Generalised velocity (conventions): v in R^nv stacks (v, omega) of every free body, in the order of the scene; then
 * every articulation: its floating base, if it has one, as (v, omega) of the root's centre of mass, then its joint
 * speeds in link order. Static bodies and fixed roots have no entries.
 *
 * ENDS. What a joint may hold has one number: the bodies first, then the links of all articulations, in link order.
 */
#ifndef DELASSUS_MODEL_H
#define DELASSUS_MODEL_H

#include "delassus/articulation.h"
#include "delassus/scene.h"

#include <stdint.h>

#define DLS_WORLD SIZE_MAX /* the world, as an end of a joint */

typedef struct dls_body {
    char name[DLS_NAME_MAX];
    size_t offset;    /* of (v, omega) in the generalised velocity; DLS_NONE where static */
    double mass;      /* [kg]; 0 where static */
    dls_mat3 inertia; /* body frame [kg m^2] */
    dls_vec3 force, torque;
    dls_shape shape;
    dls_vec3 size;
    double radius, length;
    bool collide;
} dls_body;

/* An articulation in a model. */
typedef struct dls_member {
    dls_articulation *tree;
    size_t offset;    /* of its generalised velocity */
    size_t position;  /* of its coordinates in state->coordinates */
    size_t first_end; /* the end that is its root */
} dls_member;

typedef struct dls_state {
    double time; /* [s] */
    size_t n_bodies, n_links, nv, n_coordinates, n_joints, n_members, n_own;
    dls_vec3 *x;   /* n_bodies, centre of mass [m] */
    dls_quat *q;   /* n_bodies, body to world */
    double *v;     /* nv: (v, omega) [m/s, rad/s] a free body, world frame; joint speeds */
    double *force; /* nv: generalised forces applied, held over a step [N, N m]; the scene's on joints are here from the
                      start */
    dls_spatial *link_force; /* n_links: (f, tau) applied at their centres of mass, likewise, world frame [N, N m] */
    double *coordinates;     /* of all articulations: joint positions [rad, m] and unit quaternions */
    long *wraps;             /* as coordinates: turns of 4 pi taken off */
    double *measured;        /* n_joints: the whole angle or travel of a joint that others are coupled to; else 0 */
    double *own;             /* n_own: what joints keep, dls_joint.own the first number of each */
    dls_end *before;         /* 2 n_owners: scratch of dls_state_advance */
    dls_articulation_state *members; /* n_members: each articulation's own view of these arrays */
    dls_articulation_load *loads;    /* n_members: its view of the forces */
    /* n_members: scratch of the functions that look at links, hence one thread a state. After a step it shows the new
     * state and the step's mean accelerations, for dls_articulation_cache_copy_out(cache, &members[a], &loads[a],
     * look[a], ..); copy_in takes the same. */
    dls_articulation_work **look;
} dls_state;

typedef struct dls_model {
    char name[DLS_NAME_MAX];
    dls_world_def world;
    size_t n_bodies, n_joints, n_members, n_links, n_ends, nv, n_coordinates;
    size_t n_measured; /* joints whose coordinate the state follows */
    size_t n_owners;   /* joints with a state of their own */
    size_t n_own;      /* numbers of all of them */
    size_t n_tracks;
    dls_track *tracks;
    dls_body *bodies;
    dls_joint *joints;
    dls_member *members;
    dls_state *initial; /* as the scene has it */
} dls_model;

/* Checks everything a scene can get wrong (names, masses, inertias that no body can have, ends that are not there,
 * values that are not finite) and compiles it. Errors name the scene's file, line and key. The scene may be destroyed.
 */
dls_status dls_model_create(const dls_scene *scene, dls_model **model, dls_error *error);
void dls_model_destroy(dls_model *model);

dls_status dls_state_create(const dls_model *model, dls_state **state, dls_error *error); /* a copy of model->initial */
void dls_state_destroy(dls_state *state);
void dls_state_copy(dls_state *to, const dls_state *from); /* of the same model; exact to the bit */
/* DLS_NOT_FINITE, naming the body or joint, if anything is NaN or infinite. */
dls_status dls_state_check(const dls_model *model, const dls_state *state, dls_error *error);
/* q <- q (+) h v: conventions (6), rotations by the exponential map; then what joints keep and measure. After poses
 * were changed by hand, h = 0 brings what hinges and sliders measure up to them, to within whole turns of what it was.
 */
void dls_state_advance(const dls_model *model, dls_state *state, const double *v, double h);

/* An end of a joint in a state. O(links) for a link; dls_model_look and dls_model_seen share that among many. */
dls_end dls_model_end(const dls_model *model, const dls_state *state, size_t end);
/* Poses and velocities of all links into state->look. */
void dls_model_look(const dls_model *model, const dls_state *state);
/* An end whose link is as `look` (n_members of them) holds it. */
dls_end dls_model_seen(const dls_model *model, const dls_state *state, dls_articulation_work *const *look, size_t end);
/* The articulation that an end is a link of: *link is which one. NULL for bodies and the world. */
const dls_member *dls_model_member(const dls_model *model, size_t end, size_t *link);
/* Whether forces can move an end. */
bool dls_model_moves(const dls_model *model, size_t end);
/* Its name: "world", of a link "ARTICULATION.LINK"; into text[size]. */
void dls_model_end_name(const dls_model *model, size_t end, char *text, size_t size);
/* The sum of a joint's coordinates with their gears, unwrapped. [rad, m] */
double dls_state_coordinates(const dls_state *state, const dls_joint *joint);
/* Rate of what a hinge or slider leaves free, of a joint whose type has a coordinate, after dls_model_look. [rad/s,
 * m/s] */
double dls_model_rate(const dls_model *model, const dls_state *state, const dls_joint *joint);
/* Both ends of a joint; of one on coordinates the first with their sum, of one with a state of its own with that. */
void dls_model_ends(const dls_model *model, const dls_state *state, dls_articulation_work *const *look,
                    const dls_joint *joint, dls_end end[2]);

/* Mechanical energy: 1/2 v^T M v, and -m g.x summed (external forces have no potential). [J] */
double dls_kinetic_energy(const dls_model *model, const dls_state *state);
double dls_potential_energy(const dls_model *model, const dls_state *state);
/* Linear momentum [kg m/s], and angular momentum about the world's origin [kg m^2/s]. */
void dls_momentum(const dls_model *model, const dls_state *state, dls_vec3 *linear, dls_vec3 *angular);

#endif
