/* articulation.h - a tree of links in reduced coordinates: definition, checked tree (const), state, work space,
 * algorithms.
 *
 * Featherstone, Rigid Body Dynamics Algorithms (Springer 2008), is the textbook; physx-articulations is the source of
 * the joint types, of the order of degrees of freedom and of the inverse-dynamics suite.
 *
 * Generalised velocity (conventions): the floating base, where there is one, as (v, omega) of the root's centre of
 * mass in the world frame; then the joint speeds in link order. Every spatial quantity of a link is in world axes
 * with the link's centre of mass as its reference point; accelerations are classical: the time derivatives of v and
 * omega.
 *
 * Link order: depth first, children in the order of their definitions. Link 0 is the root, a parent comes before its
 * children, and the links behind and including link i that descend from it are i, ..., subtree_end - 1.
 *
 * Usual order of calls, none of which allocates after the three creators:
 *     dls_articulation_create, dls_articulation_state_create, dls_articulation_work_create
 *     dls_articulation_kinematics -> dls_articulation_velocities -> inverse, forward, mass matrix, ...
 * Each algorithm says which of these must have gone before, in the same state.
 */
#ifndef DELASSUS_ARTICULATION_H
#define DELASSUS_ARTICULATION_H

#include "delassus/joint.h"
#include "delassus/scene.h"
#include "delassus/spatial.h"

enum { DLS_DOFS_MAX = 6, DLS_POSITIONS_MAX = 4, DLS_ARTICULATION_LANES = 8 };

/* --- motion types --- */

/* Axes of the joint frames, in the order of the source: rotations about x, y, z, translations along x, y, z. */
typedef enum dls_axis { DLS_TWIST, DLS_SWING1, DLS_SWING2, DLS_X, DLS_Y, DLS_Z } dls_axis;

/* What a joint lets move: one const descriptor a file of lib/articulation, listed in motions.def. The frame P that
 * pose() is given is the joint's parent frame turned so that the first axis is its z and the second its x (spherical:
 * not turned). */
typedef struct dls_motion {
    const char *name, *summary;
    size_t n_dofs, n_positions;         /* speeds; coordinates (a unit quaternion has four) */
    dls_axis first_axis;                /* axes are chosen from first_axis, first_axis + 1, first_axis + 2 */
    bool slides;                        /* translation */
    bool successive;                    /* each axis moves with the ones before it; else all are fixed in the parent */
    bool wraps;                         /* keeps the position in (-2 pi, 2 pi] and counts */
    double identity[DLS_POSITIONS_MAX]; /* coordinates where both joint frames coincide */
    /* R = P times the joint's rotation at q, whose entries have those sines and cosines; the axes in the coordinates
     * that P maps to. */
    void (*pose)(const dls_mat3 *P, const double *q, const double *sine, const double *cosine, dls_mat3 *R,
                 dls_vec3 *axis);
    /* q <- q (+) h v; NULL: q + h v */
    void (*advance)(double *q, const double *v, double h);
} dls_motion;
extern const dls_motion *const dls_motions[];        /* NULL at the end */
const dls_motion *dls_motion_find(const char *name); /* NULL if there is none */

/* --- definition --- */

/* A link and the joint that ties it to its parent. Frames are in link coordinates from the LINK's origin. */
typedef struct dls_link_def {
    unsigned stamp; /* set by dls_link_default */
    char name[DLS_NAME_MAX];
    char parent[DLS_NAME_MAX]; /* name of a link; "": this is the root */
    char joint[DLS_NAME_MAX];  /* name of the joint; "": as the link */
    double mass;               /* [kg] >= 0; 0 where the link is a mere frame */
    dls_vec3 centre;           /* centre of mass, link frame [m] */
    dls_mat3 inertia;  /* about the centre of mass, axes of the link frame [kg m^2]; 0: a point of mass, or none */
    dls_vec3 position; /* pose of the link frame in the world: used of the root alone, else what q says */
    dls_quat orientation;
    const dls_motion *motion;            /* ignored for the root */
    dls_axis axis[2];                    /* of one degree of freedom: axis[0]; of two: first, second */
    dls_frame parent_frame, child_frame; /* on the parent and on this link */
    double armature[3];                  /* >= 0, a degree of freedom [kg, kg m^2] */
    double q[DLS_POSITIONS_MAX];         /* initial position; NaN in the first: that of coinciding frames */
    double speed[DLS_DOFS_MAX];          /* initial speeds; of a floating root (v, omega) of its centre of mass */
    double effort[3];                    /* constant force on each degree of freedom [N, N m] */
    dls_vec3 force, torque; /* constant external force at the centre of mass [N] and torque [N m], world frame */
    bool collides;          /* it was drawn with a shape that takes part in collision detection */
    /* Kept for those who make rows of them. */
    double lower, upper;             /* limits of one degree of freedom [rad, m]; -inf, inf: none */
    double force_limit, speed_limit; /* [N, N m], [m/s, rad/s]; inf: none */
    double damping, friction;        /* [N s/m, N m s/rad], [N, N m] */
    char mimic[DLS_NAME_MAX];        /* joint that this one follows, q = multiplier q_mimic + offset; "": none */
    double multiplier, offset;
    dls_place place;
} dls_link_def;

struct dls_articulation_def { /* the type is named in scene.h */
    char name[DLS_NAME_MAX];
    char file[DLS_PATH_MAX];
    bool fixed_base;
    size_t n_links, cap_links;
    dls_link_def *links;
    struct dls_names *added; /* the names with which links were added */
};

dls_status dls_articulation_def_create(dls_articulation_def **def, dls_error *error); /* no links, floating */
void dls_articulation_def_destroy(dls_articulation_def *def);                         /* NULL is allowed */
/* A root named "": frames at the origin, motion "fix", axis twist, no mass, no limits. */
void dls_link_default(dls_link_def *link);
/* Copies *link. Parents may come later. */
dls_status dls_articulation_def_add(dls_articulation_def *def, const dls_link_def *link, dls_error *error);
/* The first link that was added with this name; NULL if there is none. Valid until the next one is added. */
dls_link_def *dls_articulation_def_find(const dls_articulation_def *def, const char *name);

/* --- a link as it is drawn --- */

/* The joint of a drawn link by a point and directions of the world. */
typedef struct dls_drawn_joint {
    char parent[DLS_NAME_MAX], joint[DLS_NAME_MAX], motion[DLS_NAME_MAX];
    dls_vec3 anchor;      /* NaN: the link's centre of mass */
    dls_vec3 axis, axis2; /* any length; axis2 of spherical-2 alone, across axis */
    double q; /* the coordinate that the drawing shows, of one degree of freedom; else the drawing is at 0 */
    double start, start2; /* the coordinate at the start; NaN: as drawn */
    dls_quat rotation;    /* of a spherical joint at the start, against the drawing, world axes */
    double speed, speed2;
    dls_vec3 spin;   /* of a spherical joint: its speeds [rad/s] */
    double armature; /* of each degree of freedom [kg, kg m^2] */
    double effort;   /* constant force on the first degree of freedom [N, N m] */
} dls_drawn_joint;
extern const dls_field_table dls_drawn_joint_fields;

/* A link as a body at rest in a drawing of the whole mechanism in the world: mass properties as of a free body (none at
 * all: a mere frame), its frame at the centre of mass. The root has no parent; a static one is a fixed base. */
typedef struct dls_drawn_link {
    dls_body_def body;
    dls_drawn_joint joint;
} dls_drawn_link;
/* The parent must have been drawn before. Errors have the file of `def` and the place of the body. */
dls_status dls_articulation_draw(dls_articulation_def *def, const dls_drawn_link *link, dls_error *error);

/* --- the tree --- */

/* What the algorithms walk over. The joint frame of a link is its child frame, turned as dls_motion wants it. */
typedef struct dls_link {
    size_t parent;      /* DLS_NONE for the root */
    size_t subtree_end; /* one past the last descendant */
    size_t dof, n_dofs; /* into the generalised velocity; the root of a floating base has 6 */
    size_t dof_end;     /* degrees of freedom dof, ..., dof_end - 1 are those of the subtree's joints */
    size_t position;    /* into state->q */
    const dls_motion *motion;
    dls_mat3 A; /* joint's parent frame in the joint frame of the parent link */
    dls_vec3 l,
        d; /* parent's centre of mass to anchor, joint frame of the parent; anchor to centre of mass, joint frame */
    double mass;
    dls_sym3 inertia;  /* about the centre of mass, joint frame */
    dls_mat3 to_joint; /* link frame to joint frame */
} dls_link;

typedef struct dls_articulation {
    char name[DLS_NAME_MAX];
    bool fixed_base;
    size_t n_links, nv, nq;
    size_t n_base;                          /* 6 floating, 0 fixed: degrees of freedom before those of the joints */
    double mass;                            /* of all links [kg] */
    dls_link *links;                        /* n_links */
    dls_link_def *defs;                     /* n_links, in link order */
    double *armature;                       /* nv */
    size_t *dof_link;                       /* nv: the link that a degree of freedom moves */
    size_t *dof_before;                     /* nv: the next degree of freedom towards the root; DLS_NONE: none */
    struct dls_articulation_inside *inside; /* what only lib/articulation reads */
} dls_articulation;

/* Checks all that a definition can get wrong (names, missing parents, several roots, cycles, masses, inertias that no
 * body has, axes, quaternions, armatures, positions, a joint that would move no mass) and compiles it. The definition
 * may be destroyed. */
dls_status dls_articulation_create(const dls_articulation_def *def, dls_articulation **articulation, dls_error *error);
/* Releases one share; the last one frees the tree. create gives the first, and every work space and cache holds one of
 * its own, so that the tree may be destroyed before them. NULL is allowed. */
void dls_articulation_destroy(const dls_articulation *articulation);
/* One more share, to be released with dls_articulation_destroy. Returns the articulation. Any thread. */
const dls_articulation *dls_articulation_share(const dls_articulation *articulation);

/* DLS_NONE where there is no such link, joint or degree of freedom. */
size_t dls_articulation_find_link(const dls_articulation *articulation, const char *name);
size_t dls_articulation_find_joint(const dls_articulation *articulation, const char *name); /* the link that it moves */
/* Index in the generalised velocity of what the joint of `link` does about or along `axis`; of a floating base (link 0)
 * of the world's. Joints follow in link order after the base; links[link].dof is the first of a joint's. Those of one
 * joint go by the enum, but where one axis carries the other (spherical-2) that one comes first. */
size_t dls_articulation_dof(const dls_articulation *articulation, size_t link, dls_axis axis);
/* The axis of degree of freedom `dof` in its joint. Of a floating base: DLS_X, ..., DLS_Z, DLS_TWIST, ... of the world.
 */
dls_axis dls_articulation_axis(const dls_articulation *articulation, size_t dof);
/* The name of a degree of freedom: its joint's, with a dot and the axis where the joint has several; "base.x", ... of a
 * floating base. */
void dls_articulation_dof_name(const dls_articulation *articulation, size_t dof, char *text, size_t size);
/* The degree of freedom nearest to a link on its way to the root, its own joint's included; DLS_NONE: none. */
size_t dls_articulation_last_dof(const dls_articulation *articulation, size_t link);
/* Where a degree of freedom has its coordinate in state->q: DLS_NONE for those of a floating base and of unit
 * quaternions. */
size_t dls_articulation_coordinate(const dls_articulation *articulation, size_t dof);
/* Between the generalised velocity's order and six entries a link, the root's among them, indexed 6 link + axis;
 * what no joint frees is 0 (unpack) or ignored (pack). */
void dls_articulation_unpack(const dls_articulation *articulation, const double *reduced, double *maximal);
void dls_articulation_pack(const dls_articulation *articulation, const double *maximal, double *reduced);

/* --- state --- */

typedef struct dls_articulation_state {
    size_t nq, nv;
    dls_vec3 root_x; /* centre of mass of the root [m] */
    dls_quat root_q; /* root link to world */
    double *q;       /* nq, joint positions [rad, m] or unit quaternions */
    long *wraps;     /* nq: times that a wrapped position went round, each 4 pi */
    double *v;       /* nv, generalised velocity */
} dls_articulation_state;

dls_status dls_articulation_state_create(const dls_articulation *articulation, dls_articulation_state **state,
                                         dls_error *error); /* as defined */
void dls_articulation_state_destroy(dls_articulation_state *state);
void dls_articulation_state_copy(dls_articulation_state *to, const dls_articulation_state *from); /* exact to the bit */
/* DLS_NOT_FINITE, naming the joint, if anything is NaN or infinite. */
dls_status dls_articulation_state_check(const dls_articulation *articulation, const dls_articulation_state *state,
                                        dls_error *error);
/* q <- q (+) h v: conventions (6). v has nv entries. */
void dls_articulation_advance(const dls_articulation *articulation, dls_articulation_state *state, const double *v,
                              double h);
/* Position of a joint of one degree of freedom as constraints see it: q + 4 pi wraps. */
double dls_articulation_unwrapped(const dls_articulation *articulation, const dls_articulation_state *state,
                                  size_t link);
/* Sets it, wrapping where the joint wraps. */
void dls_articulation_set_position(const dls_articulation *articulation, dls_articulation_state *state, size_t link,
                                   double q);

/* --- load --- */

/* What acts on an articulation from outside in a step, beside gravity: M vdot + C + g = tau + J^T force. */
typedef struct dls_articulation_load {
    size_t nv, n_links;
    double *tau;        /* nv: generalised forces, of a floating base (f, tau) at its centre of mass [N m, N] */
    dls_spatial *force; /* n_links: (f, tau) at the centres of mass, world frame [N, N m] */
} dls_articulation_load;

dls_status dls_articulation_load_create(const dls_articulation *articulation, dls_articulation_load **load,
                                        dls_error *error);                                     /* all 0 */
void dls_articulation_load_destroy(dls_articulation_load *load);                               /* NULL is allowed */
void dls_articulation_load_copy(dls_articulation_load *to, const dls_articulation_load *from); /* exact to the bit */

/* --- work space --- */

/* A link in the state that dls_articulation_kinematics and _velocities were last called with. */
typedef struct dls_link_work {
    dls_mat3 R;       /* joint frame to world */
    dls_vec3 c;       /* centre of mass */
    dls_vec3 r, l, d; /* parent's centre of mass to c: r = l + d; l to the anchor, d from the anchor on */
    dls_spatial v;    /* velocity */
    dls_spatial bias; /* velocity-product acceleration of the joint: what a link has more than its parent gives it,
                         speeds held */
    dls_spatial a;    /* last acceleration found by inverse or forward dynamics; gravity enters as an acceleration -g of
                         the world */
    dls_spatial f;    /* scratch of the algorithms */
} dls_link_work;

typedef struct dls_articulation_work {
    const dls_articulation *articulation;
    dls_link_work *links; /* n_links */
    dls_spatial *S;       /* nv: motion subspace, column k at the centre of mass of dof_link[k] */
    double *vdot;         /* nv: accelerations that forward dynamics last found, or that a step or a cache put here */
    struct dls_articulation_work_inside *inside; /* what only lib/articulation reads */
} dls_articulation_work;

/* Holds a share of the articulation until it is destroyed. */
dls_status dls_articulation_work_create(const dls_articulation *articulation, dls_articulation_work **work,
                                        dls_error *error);
void dls_articulation_work_destroy(dls_articulation_work *work);

/* --- cache: state in and out by copy --- */

/* What is copied; any of them or'ed. Entries of the generalised vectors that belong to a floating base are the first
 * six. */
typedef enum dls_cache_flags {
    DLS_CACHE_POSITION = 1 << 0,      /* q and wraps */
    DLS_CACHE_VELOCITY = 1 << 1,      /* v of the joints */
    DLS_CACHE_ACCELERATION = 1 << 2,  /* vdot, of a floating base too: work->vdot */
    DLS_CACHE_JOINT_FORCE = 1 << 3,   /* tau, of a floating base too: load->tau */
    DLS_CACHE_LINK_FORCE = 1 << 4,    /* force: load->force */
    DLS_CACHE_ROOT_POSE = 1 << 5,     /* root_x and root_q, of a fixed base too */
    DLS_CACHE_ROOT_VELOCITY = 1 << 6, /* v of a floating base; of a fixed one nothing */
    DLS_CACHE_LINK_POSE = 1 << 7,     /* comes out only: of links as the last kinematics has them */
    DLS_CACHE_LINK_VELOCITY = 1 << 8, /* comes out only: as the last velocities have them */
    DLS_CACHE_SETTABLE = (1 << 7) - 1,
    DLS_CACHE_ALL = (1 << 9) - 1
} dls_cache_flags;

/* Plain arrays to read and to write. Links, degrees of freedom and positions have the indices that the articulation
 * gives them. */
typedef struct dls_articulation_cache {
    const dls_articulation *articulation; /* a share of its own */
    size_t nq, nv, n_links;
    double *q;                  /* nq [rad, m] or unit quaternions */
    long *wraps;                /* nq */
    double *v;                  /* nv [rad/s, m/s] */
    double *vdot;               /* nv [rad/s^2, m/s^2] */
    double *tau;                /* nv [N m, N] */
    dls_spatial *force;         /* n_links, (f, tau) at the centres of mass [N, N m] */
    dls_vec3 root_x;            /* centre of mass of the root [m] */
    dls_quat root_q;            /* root link to world */
    dls_frame *link_pose;       /* n_links: centre of mass [m], link frame to world */
    dls_spatial *link_velocity; /* n_links, of the centres of mass [m/s, rad/s] */
} dls_articulation_cache;

/* As created: joint frames coincide, the root at the origin, all at rest and without forces. Any number of caches an
 * articulation. */
dls_status dls_articulation_cache_create(const dls_articulation *articulation, dls_articulation_cache **cache,
                                         dls_error *error);
void dls_articulation_cache_destroy(dls_articulation_cache *cache); /* NULL is allowed */

/* Both ways: the articulation is that of `work`; the cache serves it if it was made for the same links, joints and
 * base, else DLS_BAD_ARGUMENT. load may be NULL where the flags ask for no forces. Neither allocates. */

/* From state, load and work to the cache, to the bit and unchecked: a state that has diverged can be looked at. */
dls_status dls_articulation_cache_copy_out(dls_articulation_cache *cache, const dls_articulation_state *state,
                                           const dls_articulation_load *load, const dls_articulation_work *work,
                                           unsigned flags, dls_error *error);
/* From the cache to state, load and work, to the bit, but that a position of a joint that wraps is wrapped and counted
 * where it is outside of (-2 pi, 2 pi]. Kinematics and velocities are then those of the new state (flags of positions
 * or velocities); what else the work space holds, articulated inertias among it, is not renewed. A call that fails has
 * changed nothing: DLS_NOT_FINITE and DLS_BAD_ARGUMENT (a quaternion that is not unit) name the joint or the link;
 * DLS_REFUSED: a flag of what comes out only. */
dls_status dls_articulation_cache_copy_in(const dls_articulation_cache *cache, dls_articulation_state *state,
                                          dls_articulation_load *load, dls_articulation_work *work, unsigned flags,
                                          dls_error *error);

/* --- kinematics --- */

/* Poses of all links and the motion subspaces. O(n). */
void dls_articulation_kinematics(const dls_articulation_state *state, dls_articulation_work *work);
/* Link velocities at the centre of mass, and velocity-product accelerations. After kinematics. O(n). v: nv entries. */
void dls_articulation_velocities(const double *v, dls_articulation_work *work);
/* A link as an end of a joint: centre of mass, rotation of the LINK frame, velocity. After velocities. */
dls_end dls_articulation_end(const dls_articulation_work *work, size_t link);
/* Origin of the link frame. After kinematics. */
dls_vec3 dls_articulation_origin(const dls_articulation_work *work, size_t link);

/* Dense Jacobian: rows [v; omega] of every link at its centre of mass, the root's left out for a fixed base; nv
 * columns, column-major, ld >= number of rows. After kinematics. O(n depth) beside the zeros. */
size_t dls_articulation_jacobian_rows(const dls_articulation *articulation);
void dls_articulation_jacobian(const dls_articulation_work *work, double *J, size_t ld);

/* --- dynamics --- */

/* M is everywhere the same: the inertia of the links and, on its diagonal, the armature of each degree of freedom.
 * Nothing here knows the damping, friction, limits, drives or mimics of a definition. */

/* Inverse dynamics (RNEA): tau = M vdot + C(q, v) + g(q) - J^T f, armature in M. After velocities. O(n).
 * vdot: nv, NULL: 0; may be tau. force: n_links, (f, tau) at the centres of mass, NULL: none. gravity [m/s^2]. */
void dls_articulation_inverse(dls_articulation_work *work, const double *vdot, const dls_spatial *force,
                              dls_vec3 gravity, double *tau);

/* y = M x without M: nv entries, may be the same array. Armature included; no Coriolis, gravity or external forces.
 * After kinematics. O(n). */
void dls_articulation_multiply(dls_articulation_work *work, const double *x, double *y);

/* Joint-space inertia M (CRBA), nv x nv, both triangles, column-major, ld >= nv. Armature included. After kinematics.
 */
void dls_articulation_mass_matrix(dls_articulation_work *work, double *M, size_t ld);
/* The same with the floating base eliminated: M_jj - M_jb M_bb^-1 M_bj, joints alone, (nv - n_base) square.
 * Armature included. For a fixed base the mass matrix. */
void dls_articulation_mass_matrix_eliminated(dls_articulation_work *work, double *M, size_t ld);

/* Articulated inertias, armature included: what forward dynamics, dls_articulation_solve and responses go by. After
 * kinematics. O(n). DLS_BAD_ARGUMENT, naming the joint, where a joint moves no inertia in this position. */
dls_status dls_articulation_factor(dls_articulation_work *work, dls_error *error);
/* x = M^-1 y; nv entries, may be the same array. After factor. O(n). */
void dls_articulation_solve(dls_articulation_work *work, const double *y, double *x);
/* y[i] = M^-1 x[i], count right sides of nv entries, DLS_ARTICULATION_LANES at a time; no x may be a y. Each with the
 * bytes of dls_articulation_solve. */
void dls_articulation_solve_many(dls_articulation_work *work, size_t count, const double *const *x, double *const *y);
/* Forward dynamics (ABA): M vdot = tau - C - g + J^T f, armature in M. After velocities and factor. O(n). tau and
 * force: NULL for none. vdot is kept in work->vdot too. */
void dls_articulation_forward(dls_articulation_work *work, const double *tau, const dls_spatial *force,
                              dls_vec3 gravity, double *vdot);
/* Classical acceleration of a link's centre of mass, after inverse or forward with that gravity. */
dls_spatial dls_articulation_acceleration(const dls_articulation_work *work, size_t link, dls_vec3 gravity);

/* Response to unit test impulses, propagated to the root and back. After factor.
 * column: the change of the generalised velocity, nv entries: column i of M^-1. */
void dls_articulation_response(dls_articulation_work *work, size_t dof, double *column);
/* ... to the impulse (p, L) at the centre of mass of a link: M^-1 J_link^T impulse. */
void dls_articulation_response_link(dls_articulation_work *work, size_t link, dls_spatial impulse, double *column);
/* r_ij: speed of degree of freedom j after a unit impulse on i. O(depth of both). */
double dls_articulation_response_entry(dls_articulation_work *work, size_t i, size_t j);

/* --- the inverse-dynamics suite --- */

/* Generalised forces, nv entries; their sum is that of dls_articulation_inverse. Included is what is named, and nothing
 * else: none of them has damping, friction, limits or drives. Armature is part of M, and so of joint force, mass
 * matrices and accelerations; it is constant, feels no gravity and couples to no link, so that the three parts without
 * M know nothing of it. */

/* g(q): holds it against gravity. No speeds, no accelerations, no external forces. After kinematics. */
void dls_articulation_gravity_force(dls_articulation_work *work, dls_vec3 gravity, double *tau);
/* C(q, v): what Coriolis and centrifugal effects ask for. No gravity, no accelerations, no external forces. After
 * velocities. */
void dls_articulation_coriolis_force(dls_articulation_work *work, double *tau);
/* -J^T f: holds it against external forces. No gravity, no speeds, no accelerations. force: n_links, (f, tau) at the
 * centres of mass. After kinematics. */
void dls_articulation_external_force(dls_articulation_work *work, const dls_spatial *force, double *tau);
/* Joint force M vdot + C, armature in M. No gravity, no external forces. vdot: nv, NULL: 0. After velocities. */
void dls_articulation_joint_force(dls_articulation_work *work, const double *vdot, double *tau);

/* Mass-weighted mean of the links' centres. After kinematics. */
dls_vec3 dls_articulation_centre_of_mass(const dls_articulation_work *work);
/* Centroidal momentum matrix, 6 x nv, column-major with leading dimension 6: (p, L) about the centre of mass = A v.
 * Of the links alone: the rotors that armature stands for add nothing. After kinematics. */
void dls_articulation_centroidal_momentum(dls_articulation_work *work, double *A);
/* Sum over links of m v^2 / 2 + omega I omega / 2, and armature qd^2 / 2. After velocities(v). [J] */
double dls_articulation_kinetic_energy(const dls_articulation_work *work, const double *v);
/* Linear momentum [kg m/s], and angular momentum about the world's origin [kg m^2/s], of the links. After velocities.
 */
void dls_articulation_momentum(const dls_articulation_work *work, dls_vec3 *linear, dls_vec3 *angular);
/* -m g.c summed. After kinematics. [J] */
double dls_articulation_potential_energy(const dls_articulation_work *work, dls_vec3 gravity);

#endif
