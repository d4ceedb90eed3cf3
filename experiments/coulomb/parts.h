/* parts.h - common parts of the experiment on exact Coulomb friction: block structures, settings, findings.
 */
#ifndef DLS_EXPERIMENTS_COULOMB_PARTS_H
#define DLS_EXPERIMENTS_COULOMB_PARTS_H

#include "study/rig.h"
#include "study/study.h"

#include "delassus/reference.h"

#define dls_coulomb_gravity 9.81 /* [m/s^2] */

/* --- structures of blocks in the plane (blocks.c, arches.c, house.c) --- */

/* Quadrangles with names, and the joints between them; body n_bodies - 1 is the ground. */
typedef struct dls_blocks {
    dls_structure structure; /* points to the arrays below */
    dls_structure_body *bodies;
    dls_structure_joint *joints;
    double (*corner)[8]; /* of each body: x, z, counterclockwise [m] */
    double depth;        /* along y [m] */
    size_t room_bodies, room_joints;
} dls_blocks;

dls_status dls_blocks_create(size_t bodies, size_t joints, double depth, dls_blocks *blocks, dls_error *error);
void dls_blocks_release(dls_blocks *blocks);
/* Adds a body, fixed where `corner` is NULL; its number. */
size_t dls_blocks_add(dls_blocks *blocks, const double corner[8]);
/* Adds a face from p to q, with body 0 on the left, or a point p with a normal from body 1 to body 0. */
void dls_blocks_face(dls_blocks *blocks, size_t body0, size_t body1, const double p[2], const double q[2]);
void dls_blocks_point(dls_blocks *blocks, size_t body0, size_t body1, const double p[2], double nx, double nz);
void dls_blocks_set_mu(dls_blocks *blocks, double mu);
/* The normal of a joint, from body 1 to body 0, of any length. */
dls_vec3 dls_blocks_normal(const dls_structure_joint *joint);
/* The same structure in space, of the density [kg/m^3]: contact points at both ends of the depth, under Coulomb's cone
 * with the mu of each joint. */
dls_status dls_blocks_scene(const dls_blocks *blocks, double density, dls_scene **scene, dls_error *error);

/* A semicircle of mean radius 1 between two springers, with radial joints and flat faces. */
dls_status dls_arch_round(size_t stones, double thickness, dls_blocks *blocks, dls_error *error);
/* The line of thrust of the continuous arch: the least thickness over the mean radius. */
double dls_arch_least_thickness(void);
/* The weighted catenary of the masonry scenes; its first and last stones are fixed. */
dls_status dls_arch_catenary(size_t stones, dls_blocks *blocks, dls_error *error);

typedef struct dls_house_size {
    size_t levels;
    double sine, cosine;                  /* of the angle from the vertical at which cards lean */
    double length, thickness, width, gap; /* [m]; gap between horizontal cards */
} dls_house_size;
size_t dls_house_cards(size_t levels);
extern const dls_house_size dls_house_of_cards; /* that of the scenes, one level */
dls_status dls_house(const dls_house_size *size, dls_blocks *blocks, dls_error *error);
double dls_house_pair_mu(const dls_house_size *size); /* the least friction of one level */

/* --- scenes in motion (scenes.c) --- */

/* Body 0 at the end of its motion. */
typedef struct dls_coulomb_truth {
    dls_vec3 x, v, omega; /* [m], [m/s], [rad/s] */
} dls_coulomb_truth;
typedef struct dls_coulomb_case {
    const char *name;
    double mu, turn, duration; /* turn: of the table [rad/s]; duration [s] */
    dls_status (*scene)(const struct dls_coulomb_case *, dls_scene **, dls_error *);
    dls_status (*truth)(const struct dls_coulomb_case *, dls_coulomb_truth *, dls_error *);
} dls_coulomb_case;
extern const dls_coulomb_case dls_coulomb_cases[]; /* name NULL at the end */
dls_coulomb_truth dls_coulomb_state(const dls_model *model, const dls_state *state);

/* --- certificates of steps (certificates.c) --- */

typedef struct dls_coulomb_tally {
    size_t steps, certified; /* steps whose answer was to be certified, and those with a certificate */
    double b_off, mu_off;    /* the largest errors of backward certificates [m/s], [1] */
    double radius;           /* the largest radius of w of the others [m/s, rad/s] */
} dls_coulomb_tally;
/* The last step of a rig. */
dls_status dls_coulomb_certify(const dls_rig *rig, dls_coulomb_tally *tally, dls_error *error);

/* --- the creep of regularised friction (creep.c) --- */

double dls_creep_impedance(double depth);      /* d at a depth [m] */
double dls_creep_compliance(double impedance); /* R / A = (1 - d) / d */
/* v of a contact with A f [m/s^2], for impratio 1. [m/s] */
double dls_creep_speed(double acceleration, double impedance);
double dls_creep_on_slope(double tangent); /* of the block, for impratio 1 [m/s] */

/* --- settings, tables, findings --- */

typedef struct dls_coulomb_settings {
    dls_list stones, levels, arches; /* of round arches, of houses, of catenaries */
    double mu, width;                /* of the structures; of bisections */
    dls_list methods, steps;         /* of scenes in motion */
    dls_list stand_methods;          /* of the structures that are to stand, and theirs: */
    size_t stand_levels, stand_stones, stand_iterations;
    double stand_time, stand_step;
    char stand_solver[DLS_NAME_MAX];
    dls_list slopes;   /* tangents of slopes, of the creep, */
    double creep_time; /* and the duration of its runs */
} dls_coulomb_settings;

enum {
    DLS_COULOMB_EQUILIBRIA,
    DLS_COULOMB_THICKNESS,
    DLS_COULOMB_MOTIONS,
    DLS_COULOMB_STAND,
    DLS_COULOMB_CREEP,
    DLS_COULOMB_OUTLINES,
    DLS_COULOMB_FORCES,
    DLS_COULOMB_TABLES
};

typedef struct dls_coulomb_findings {
    size_t structures, standing; /* structures, and those with an equilibrium by proof */
    double thickness, limit;     /* of the round arch with the most stones; of the continuous one */
    size_t steps, certified;     /* of scenes in motion; those whose answers are certified */
    double farthest;             /* that a block of a standing structure has moved [m] */
    double creep;                /* the largest relative deviation of MuJoCo's creep from the law; NaN: not measured */
} dls_coulomb_findings;

/* Edges of all blocks, and the forces of the joints on body 0, for figures (outlines.c). */
void dls_coulomb_outline(dls_study *study, const char *name, size_t size, const dls_blocks *blocks);
void dls_coulomb_forces(dls_study *study, const char *name, size_t size, const dls_blocks *blocks, const double *force);

dls_status dls_coulomb_equilibria(dls_study *study, dls_error *error);
dls_status dls_coulomb_thickness(dls_study *study, dls_error *error);
dls_status dls_coulomb_motions(dls_study *study, dls_error *error);
dls_status dls_coulomb_stand(dls_study *study, dls_error *error);
dls_status dls_coulomb_creep(dls_study *study, dls_error *error);
dls_status dls_coulomb_figures(dls_study *study, dls_error *error);

#endif
