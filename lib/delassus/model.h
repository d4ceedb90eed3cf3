/* model.h - a checked mechanism, which does not change after it is created.
 *
 * Generalised velocity (conventions): v in R^nv stacks (v, omega) of every free body, in the order of the scene; then
 * every articulation: its floating base, if it has one, as (v, omega) of the root's centre of mass, then its joint
 * speeds in link order. Static bodies and fixed roots have no entries.
 * ENDS. Bodies and links are the possible ends of joints, and have a common numbering: first the bodies, then the links
 * of all articulations, in link order.
 */
#ifndef DELASSUS_MODEL_H
#define DELASSUS_MODEL_H

#include "delassus/articulation.h"
#include "delassus/scene.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DLS_WORLD SIZE_MAX /* the world, as an end of a joint */

typedef struct dls_body {
    char name[DLS_NAME_MAX];
    size_t offset;    /* of (v, omega) in the generalised velocity; DLS_NONE where static */
    size_t block;     /* its block of the mass operator; DLS_NONE where static */
    double mass;      /* [kg]; 0 where static */
    dls_mat3 inertia; /* body frame [kg m^2] */
    dls_vec3 force, torque;
    dls_shape shape;
    dls_vec3 size;
    double radius, length;
    bool collide;
    bool has_shapes;      /* whether further ones collide, dls_scene_add_body_shape */
    size_t prescribed;    /* index of its velocity in state->prescribed; DLS_NONE if it is not kinematic */
    dls_vec3 swing;       /* amplitude of a kinematic body's oscillation [m]; 0: its velocity is that of the state */
    dls_vec3 velocity;    /* added to that of the oscillation [m/s] */
    double period, phase; /* of the oscillation [s, rad] */
} dls_body;

/* An articulation in a model. */
typedef struct dls_model_articulation {
    dls_articulation *tree;
    size_t offset;       /* of its generalised velocity */
    size_t block;        /* its block of the mass operator; DLS_NONE where it has no degree of freedom */
    bool held;           /* whether joints or contacts may act on one of its links */
    bool self_collision; /* whether links that are not neighbours collide */
    size_t position;     /* of its coordinates in state->coordinates */
    size_t first_end;    /* the end that is its root */
    size_t position_iterations, velocity_iterations; /* the least number per step */
    double com_speed, com_angular_speed;             /* maximum speeds of its centre of mass [m/s], [rad/s]; infinite:
                                                        none */
    size_t n_shapes;                                 /* its collision shapes, */
    size_t meshes_hulled;                            /* those of them that are meshes and collide as convex hulls, */
    size_t meshes_skipped; /* and those that are meshes and do not collide, as the world skips them */
} dls_model_articulation;

/* A colliding solid: the shape of a body, or one of the shapes of a link. */
typedef struct dls_solid {
    size_t end;
    dls_shape shape;
    dls_vec3 size;
    double radius, length;
    dls_frame frame;                   /* from the centre of mass of the end, in its axes */
    bool offset;                       /* whether that frame is not the identity */
    double mass;                       /* of the end [kg]; 0 where it cannot move */
    const struct dls_hull *hull;       /* of DLS_SHAPE_MESH, in that frame; else NULL */
    const struct dls_terrain *terrain; /* of DLS_SHAPE_TERRAIN; else NULL */
    size_t surface;                    /* number of its surface, from 1; 0: it has that of the world */
} dls_solid;

/* The appearance of a link (dls_link_visual), for pictures. */
typedef struct dls_visual {
    size_t end;
    dls_shape shape; /* DLS_SHAPE_NONE: a mesh */
    dls_vec3 size;
    double radius, length;
    dls_frame frame; /* from the centre of mass of the end, in its axes */
    long colour;     /* 0xRRGGBB; -1: none of its own */
    const char *mesh, *model, *wrong;
    dls_vec3 scale;
    dls_place place;
} dls_visual;

/* A box or an ellipsoid on which the medium of the world acts: lib/model/medium.c. */
typedef struct dls_immersed {
    size_t end;
    bool ellipsoid;
    dls_frame frame;                     /* from the centre of mass of the end, in its axes */
    dls_vec3 half;                       /* half edges or half axes [m] */
    dls_medium_coefficients coefficient; /* of an ellipsoid */
    dls_vec3 mass, inertia; /* of an ellipsoid, in a medium of the density 1: added mass [m^3] and inertia [m^5] */
} dls_immersed;

/* A sensor in a model. */
typedef struct dls_sensor {
    char name[DLS_NAME_MAX];
    size_t end;
    dls_frame frame; /* from the centre of mass of the end, in its axes */
    bool gravity, constraints, tree;
    bool incoming;
    dls_sensor_axes axes;
} dls_sensor;

typedef struct dls_state dls_state; /* state.h */

typedef struct dls_model dls_model; /* made by dls_model_create, read by the functions below */

/* Checks the scene (names, masses, inertias that no body can have, unknown ends, values that are not finite) and
 * compiles it. Errors name the scene's file, line and key. The scene may be destroyed afterwards.
 */
dls_status dls_model_create(const dls_scene *scene, dls_model **model, dls_error *error);
void dls_model_destroy(dls_model *model); /* NULL is allowed */

/* The numbers of parts of a model. */
typedef struct dls_model_counts {
    size_t bodies, joints;
    size_t articulations;
    size_t links; /* of all articulations */
    size_t ends;  /* bodies and links */
    size_t tracks;
    size_t coordinates; /* numbers in state->coordinates */
    size_t nv;          /* entries of the generalised velocity */
    size_t sensors, solids, visuals, immersed;
    size_t breakable; /* joints that break beyond a threshold */
    size_t blocks;    /* of the mass operator: bodies that move, then articulations that do */
} dls_model_counts;
dls_model_counts dls_model_count(const dls_model *model);
/* Whether a run may have events: joints can break, or islands can fall asleep. */
bool dls_model_has_events(const dls_model *model);
/* Arrays of the model's parts, in the order of the scene; dls_model_count has their lengths. They exist as long as the
 * model. */
const dls_body *dls_model_bodies(const dls_model *model);
const dls_joint *dls_model_joints(const dls_model *model);
const dls_model_articulation *dls_model_articulations(const dls_model *model);
const dls_track *dls_model_tracks(const dls_model *model);
const dls_solid *dls_model_solids(const dls_model *model);   /* of bodies first, ends ascending */
const dls_visual *dls_model_visuals(const dls_model *model); /* ends ascending */
const dls_sensor *dls_model_sensors(const dls_model *model);
const dls_immersed *dls_model_immersed(const dls_model *model); /* NULL in a world without a medium */
const dls_world_def *dls_model_world(const dls_model *model);
const char *dls_model_name(const dls_model *model);
/* The initial state, as given in the scene. */
const dls_state *dls_model_initial(const dls_model *model);
/* The number of the end ("BODY", "ARTICULATION.LINK") or joint of that name; DLS_NONE if there is none. */
size_t dls_model_find_end(const dls_model *model, const char *name);
size_t dls_model_find_joint(const dls_model *model, const char *name);

/* The articulation to which an end belongs, and in *link the number of the link; NULL for bodies and the world. */
const dls_model_articulation *dls_model_articulation_of(const dls_model *model, size_t end, size_t *link);
/* Whether forces can move an end. */
bool dls_model_moves(const dls_model *model, size_t end);
/* Whether contacts between two ends are detected. They are not if a joint connects the two ends, the scene's `apart`
 * lists the pair, no joint allows relative motion between them, or one is a link and the other its parent. */
bool dls_model_may_touch(const dls_model *model, size_t end1, size_t end2);
/* Whether contacts between two solids are detected, and their friction: that of the world if neither has a surface. */
bool dls_model_solids_touch(const dls_model *model, size_t solid1, size_t solid2, double friction[DLS_FRICTIONS]);
/* The block of the mass operator that holds a degree of freedom of the generalised velocity. */
size_t dls_model_block(const dls_model *model, size_t dof);
/* The block of the mass operator that an end belongs to; DLS_NONE if the end cannot move. */
size_t dls_model_end_block(const dls_model *model, size_t end);
/* Writes the name of an end into text[size]: "world", a body's name, or "ARTICULATION.LINK". */
void dls_model_end_name(const dls_model *model, size_t end, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
