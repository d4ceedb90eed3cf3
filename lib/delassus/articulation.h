/* articulation.h - mechanisms without closed loops in reduced coordinates, such as robot arms.
 *
 * An articulation is a tree of rigid links. Each link but the root is moved by one joint relative to its parent, and
 * the state consists of joint coordinates alone, so that no constraint is needed to keep the links together. The
 * equation of motion of its nv degrees of freedom is
 *
 *     M(q) vdot + C(q, v) + g(q) = tau + J^T f
 *
 * with the mass matrix M, Coriolis and centrifugal forces C, gravity g, generalised forces tau and external forces f on
 * the links. Loops are closed, and limits, drives and couplings are added, by joints of a scene (scene.h).
 *
 * From a definition to an acceleration:
 *
 *     dls_articulation_def_create(&def, error);                  // or dls_urdf_read (io.h)
 *     dls_articulation_def_add(def, &link, error);               // once for each link
 *     dls_articulation_create(def, &articulation, error);        // checked; never changes afterwards
 *     dls_articulation_state_create(articulation, &state, error);
 *     dls_articulation_work_create(articulation, &work, error);
 *
 *     dls_articulation_kinematics(state, work);                  // poses of all links
 *     dls_articulation_velocities(state->v, work);               // their velocities
 *     dls_articulation_factor(work, error);                      // what M^-1 needs
 *     dls_articulation_forward(work, tau, NULL, gravity, vdot);
 * No function called after the _create calls allocates memory. "After kinematics", "after velocities" or "after factor"
 * in the description of a function means that dls_articulation_kinematics, _velocities or _factor must have been called
 * since the state last changed.
 *
 * GENERALISED VELOCITY v. If the base floats, v begins with the six entries (v, omega) of the root: linear velocity of
 * its centre of mass and angular velocity, in the world frame. The joint speeds follow in link order.
 *
 * LINK ORDER is depth first, children in the order of their definitions. Link 0 is the root; a parent comes before its
 * children; link i and its descendants are i, ..., subtree_end - 1. Every array over links has this order.
 *
 * SPATIAL VECTORS (spatial.h) of a link are in world axes, with the link's centre of mass as reference point.
 * Accelerations are the time derivatives of v and omega ("classical", not Featherstone's spatial ones).
 *
 * The textbook is Featherstone, Rigid Body Dynamics Algorithms (Springer 2008). Joint types, the order of degrees of
 * freedom and the inverse-dynamics functions follow the chapter on articulations of the PhysX 5 documentation.
 */
#ifndef DELASSUS_ARTICULATION_H
#define DELASSUS_ARTICULATION_H

#include "delassus/joint.h"
#include "delassus/scene.h"
#include "delassus/spatial.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DLS_DOFS_MAX = 6, DLS_POSITIONS_MAX = 4, DLS_ARTICULATION_LANES = 16 };

/* --- motion types --- */

/* Axes of the joint frames: rotation about x, y, z, translation along x, y, z. */
typedef enum dls_axis { DLS_TWIST, DLS_SWING1, DLS_SWING2, DLS_X, DLS_Y, DLS_Z } dls_axis;

/* How a joint can move: one const descriptor in each motion's own file of lib/articulation, listed in motions.def. */
typedef struct dls_motion {
    const char *name, *summary;
    const char *joint;                  /* type of the joint between two bodies that leaves this motion free */
    size_t n_dofs, n_positions;         /* number of speeds; of coordinates (a unit quaternion has four) */
    dls_axis first_axis;                /* an axis of the joint is first_axis, first_axis + 1 or first_axis + 2 */
    bool slides;                        /* translation; else rotation */
    bool successive;                    /* each axis is moved by the ones before it; else all are fixed in the parent */
    bool wraps;                         /* the coordinate is kept in (-2 pi, 2 pi], and its jumps are counted */
    double identity[DLS_POSITIONS_MAX]; /* coordinates where both joint frames coincide */
    /* R = P Q(q), where Q is the joint's rotation and P the parent's joint frame, whose z is the first axis of the
     * joint and whose x is the second (a joint of three axes: P is not rearranged). axis[k]: unit vector of degree of
     * freedom k, in the coordinates that P maps to. sine and cosine are those of the entries of q. NULL: a joint of at
     * most one degree of freedom along or about z. */
    void (*pose)(const dls_mat3 *P, const double *q, const double *sine, const double *cosine, dls_mat3 *R,
                 dls_vec3 *axis);
    /* Coordinate number k of a joint whose position is not a list of coordinates (a quaternion), and the derivative of
     * that coordinate along each of the joint's speeds. `turns` is the number of whole turns, which the position does
     * not determine: the entry of state->wraps at the joint's first coordinate. NULL: the position is a list of
     * coordinates, or the joint has none. */
    double (*coordinate)(const double *q, long turns, size_t k, double *gradient);
    /* Computes the position q and the turns from these coordinates. NULL where `coordinate` is NULL. */
    void (*place)(double *q, long *turns, const double *coordinates);
    /* Moves q with the speeds v for the time h [s], and counts the turns. NULL: q + h v. */
    void (*advance)(double *q, long *turns, const double *v, double h);
} dls_motion;
extern const dls_motion *const dls_motions[];        /* NULL at the end */
const dls_motion *dls_motion_find(const char *name); /* NULL if there is none */

/* --- definition --- */

/* A link and the joint that moves it relative to its parent. Start with dls_link_default. The link frame is any frame
 * fixed to the link; all vectors are in it unless said otherwise. */
typedef struct dls_link_def {
    unsigned stamp; /* set by dls_link_default */
    char name[DLS_NAME_MAX];
    char parent[DLS_NAME_MAX];           /* name of a link; "": this link is the root */
    char joint[DLS_NAME_MAX];            /* name of the joint; "": the link's name */
    double mass;                         /* [kg], >= 0; 0: a massless frame */
    dls_vec3 centre;                     /* centre of mass [m] */
    dls_mat3 inertia;                    /* about the centre of mass [kg m^2]; 0: a point mass */
    double inertia_allowance;            /* for the digits that it was written with; dls_inertia_allowance */
    dls_vec3 position;                   /* world pose of the link frame; only used for the root, */
    dls_quat orientation;                /* since the poses of other links follow from q */
    const dls_motion *motion;            /* ignored for the root */
    dls_axis axis[2];                    /* axes of a joint with one or two degrees of freedom */
    dls_frame parent_frame, child_frame; /* joint frame on the parent and on this link */
    double armature[3];                  /* rotor inertia added to M for each degree of freedom, >= 0 [kg, kg m^2] */
    double q[DLS_POSITIONS_MAX];         /* initial coordinates; NaN in the first: joint frames coincide */
    double speed[DLS_DOFS_MAX];          /* initial speeds; a floating root: (v, omega) of its centre of mass */
    double effort[3];                    /* constant force on each degree of freedom [N, N m] */
    dls_vec3 force, torque;              /* constant external force and torque at the centre of mass, world [N, N m] */
    dls_quat box_axes;                   /* rotation from the axes of its box in a medium to the link's, along which the
                                            inertia is diagonal; NaN: its principal axes */
    /* The algorithms below ignore the remaining members; a scene makes rows from them. For joints of one degree of
     * freedom. */
    double lower, upper;             /* limits [rad, m]; -inf, inf: none */
    double force_limit, speed_limit; /* [N, N m], [m/s, rad/s]; inf: none */
    double damping, friction;        /* [N s/m, N m s/rad], [N, N m] */
    char mimic[DLS_NAME_MAX];        /* the joint that this one follows: q = multiplier q_mimic + offset; "": none */
    double multiplier, offset;
    dls_place place; /* where the link is defined, for error messages */
} dls_link_def;

/* A solid that collides, fixed to a link; a link may have several. */
typedef struct dls_link_shape {
    char link[DLS_NAME_MAX];
    int shape;             /* dls_shape: a box, sphere, capsule or cylinder; DLS_SHAPE_NONE: `mesh` */
    dls_vec3 size;         /* box: edge lengths [m] */
    double radius, length; /* as in dls_body_def [m] */
    dls_frame frame;       /* its centre and axes in the link frame */
    char mesh
        [DLS_PATH_MAX]; /* file of a triangle mesh whose convex hull collides, named as in dls_link_visual; else "" */
    dls_vec3 scale;     /* of the mesh's coordinates, which are along the axes of `frame` from its origin */
    char surface[DLS_NAME_MAX]; /* name of a dls_shape_surface of the scene; "": none */
    bool passes;                /* it collides with nothing, and is checked all the same */
    dls_place place;
} dls_link_shape;

/* The appearance of a link: pictures show its visuals instead of the solids that collide. Nothing else reads them, and
 * an error in one is reported where it is drawn. */
typedef struct dls_link_visual {
    char link[DLS_NAME_MAX];
    int shape;                   /* dls_shape: a box, sphere, capsule or cylinder; DLS_SHAPE_NONE: `mesh` */
    dls_vec3 size;               /* box: edge lengths [m] */
    double radius, length;       /* as in dls_body_def [m] */
    dls_frame frame;             /* its centre and axes, or those of the mesh's coordinates, in the link frame */
    long colour;                 /* 0xRRGGBB; -1: none of its own */
    char mesh[DLS_PATH_MAX];     /* file of a triangle mesh, as its model names it: a path from the model's folder, or
                                  package://NAME/PATH */
    dls_vec3 scale;              /* of the mesh's coordinates; a unit of the file times it is a metre */
    char model[DLS_PATH_MAX];    /* the file that defines the visual */
    char wrong[DLS_MESSAGE_MAX]; /* why it cannot be drawn; "": nothing is known to be wrong */
    dls_place place;
} dls_link_visual;

/* An ellipsoid that the medium of the world acts on (lib/model/medium.c), in place of the box of its link. */
typedef struct dls_link_ellipsoid {
    char link[DLS_NAME_MAX];
    dls_vec3 half;   /* half axes [m] */
    dls_frame frame; /* its centre and axes in the link frame */
    dls_medium_coefficients coefficient;
    dls_place place;
} dls_link_ellipsoid;
extern const dls_field_table dls_link_ellipsoid_fields; /* all but its link */

/* Links in any order; exactly one of them is the root. */
struct dls_articulation_def { /* the type is named in scene.h */
    char name[DLS_NAME_MAX];
    char file[DLS_PATH_MAX]; /* for error messages */
    bool fixed_base;         /* the root is fixed to the world; else it moves freely */
    bool limits_speeds;      /* a scene makes rows from the speed limits of its joints */
    bool self_collision;     /* its links collide with each other, except for neighbours; true by default */
    size_t position_iterations, velocity_iterations; /* least number per step, simulation.h; 0: the world's number */
    double com_speed, com_angular_speed; /* maximum speeds of its centre of mass [m/s], [rad/s]; inf: none */
    size_t n_links, cap_links;
    dls_link_def *links;
    size_t n_shapes, cap_shapes;
    dls_link_shape *shapes; /* of all links, in any order */
    size_t n_visuals, cap_visuals;
    dls_link_visual *visuals; /* of all links, in any order */
    size_t n_ellipsoids, cap_ellipsoids;
    dls_link_ellipsoid *ellipsoids; /* likewise */
    struct dls_names *added;        /* names under which links were added */
};

/* An empty definition with a floating base. */
dls_status dls_articulation_def_create(dls_articulation_def **def, dls_error *error);
void dls_articulation_def_destroy(dls_articulation_def *def); /* NULL is allowed */
/* A root without a name: frames at the origin, motion "fix", axis twist, no mass, no limits. */
void dls_link_default(dls_link_def *link);
/* Copies *link to the end of the definition. Its parent may be added later. */
dls_status dls_articulation_def_add(dls_articulation_def *def, const dls_link_def *link, dls_error *error);
/* Copies *shape to the definition. It collides if collision detection is on in the scene. */
dls_status dls_articulation_def_add_shape(dls_articulation_def *def, const dls_link_shape *shape, dls_error *error);
/* Copies *visual to the definition. */
dls_status dls_articulation_def_add_visual(dls_articulation_def *def, const dls_link_visual *visual, dls_error *error);
dls_status dls_articulation_def_add_ellipsoid(dls_articulation_def *def, const dls_link_ellipsoid *ellipsoid,
                                              dls_error *error);
/* The link that was added under this name, NULL if there is none. Valid until the next one is added. */
dls_link_def *dls_articulation_def_find(const dls_articulation_def *def, const char *name);

/* --- a link given in a drawing of the mechanism --- */

/* The joint of a link given in a drawing of the mechanism. Points and directions are in the world frame, at the pose of
 * the drawing. */
typedef struct dls_posed_joint {
    char parent[DLS_NAME_MAX], joint[DLS_NAME_MAX], motion[DLS_NAME_MAX];
    dls_vec3 anchor;      /* a point of the joint [m]; NaN: the link's centre of mass */
    dls_vec3 axis, axis2; /* any length; axis2 only for spherical-2, at right angles to axis */
    double q;             /* coordinate in the drawing, for one degree of freedom; else 0 */
    double start, start2; /* initial coordinates; NaN: as drawn */
    dls_quat rotation;    /* of a spherical joint: initial rotation relative to the drawing, world axes */
    double speed, speed2; /* initial speeds [rad/s, m/s] */
    dls_vec3 spin;        /* of a spherical joint: initial speeds [rad/s] */
    double armature;      /* of each degree of freedom [kg, kg m^2] */
    double effort;        /* constant force on the first degree of freedom [N, N m] */
    dls_quat box_axes;    /* of the link; as in dls_link_def */
} dls_posed_joint;
extern const dls_field_table dls_posed_joint_fields;

/* A link given by its place in a drawing of the whole mechanism at rest, in the world frame: mass properties as for a
 * free body (none given: a massless frame); the link frame has its origin at the centre of mass. A link without parent
 * is the root; if it is static, the base is fixed. */
typedef struct dls_posed_link {
    dls_body_def body;
    dls_posed_joint joint;
} dls_posed_link;
/* Adds the link to the definition; its parent must have been added before. Errors name the file of `def` and the place
 * of the body. */
dls_status dls_articulation_def_add_posed(dls_articulation_def *def, const dls_posed_link *link, dls_error *error);

/* --- the tree --- */

/* A link in the frames that the algorithms use. Its joint frame is child_frame of the definition, with the axes
 * rearranged so that the joint's first axis is z and its second is x. */
typedef struct dls_link {
    size_t parent;      /* DLS_NONE for the root */
    size_t subtree_end; /* one past the last descendant */
    size_t dof, n_dofs; /* first degree of freedom and their number; a floating root has 6 */
    size_t dof_end;     /* dof, ..., dof_end - 1 are the degrees of freedom of the link and its descendants */
    size_t last_dof;    /* the nearest degree of freedom towards the root, its own included; DLS_NONE: it cannot move */
    size_t position;    /* first coordinate in state->q */
    const dls_motion *motion;
    dls_mat3 A;        /* parent's side of the joint: joint axes in the joint frame of the parent link */
    dls_vec3 l;        /* from the parent's centre of mass to the anchor, in the joint frame of the parent link [m] */
    dls_vec3 d;        /* from the anchor to the centre of mass, in the joint frame [m] */
    double mass;       /* [kg] */
    dls_sym3 inertia;  /* about the centre of mass, in the joint frame [kg m^2] */
    dls_mat3 to_joint; /* link frame to joint frame */
} dls_link;

typedef struct dls_articulation {
    char name[DLS_NAME_MAX];
    bool fixed_base;
    size_t n_links, nv, nq;                 /* links, degrees of freedom, joint coordinates */
    size_t n_base;                          /* degrees of freedom of the base: 6 floating, 0 fixed */
    double mass;                            /* of all links [kg] */
    dls_link *links;                        /* n_links */
    dls_link_def *defs;                     /* n_links: the definitions, in link order */
    double *armature;                       /* nv */
    size_t *dof_link;                       /* nv: the link that a degree of freedom moves */
    size_t *dof_before;                     /* nv: the next degree of freedom towards the root; DLS_NONE: none */
    struct dls_articulation_inside *inside; /* private to lib/articulation */
} dls_articulation;

/* Checks the definition and makes a tree from it, in a time proportional to the number of links. Errors name the link
 * and the key. Refused are missing, repeated or unknown names, no root or several roots, cycles, negative masses,
 * inertias that are not symmetric, and invalid axes, quaternions, armatures or coordinates. Whether inertias make M
 * positive definite is for dls_articulation_factor. The definition may be destroyed afterwards. */
dls_status dls_articulation_create(const dls_articulation_def *def, dls_articulation **articulation, dls_error *error);
/* Checks that M can be inverted. DLS_BAD_INPUT if a joint moves neither a mass nor an armature, or if a floating base
 * has no mass; the error has the name and the place of the first such link, in link order. Kinematics, inverse dynamics
 * and M itself do not need this; a model does. O(n). */
dls_status dls_articulation_check_dynamics(const dls_articulation *articulation, dls_error *error);
/* The articulation counts its owners: the caller of dls_articulation_create is the first, each work space and each
 * cache is another. _share adds an owner and returns the articulation. _destroy removes an owner and, with the last
 * one, frees the articulation; NULL is allowed. Both may be called from any thread. */
const dls_articulation *dls_articulation_share(const dls_articulation *articulation);
void dls_articulation_destroy(const dls_articulation *articulation);

/* The index of the link of that name, and of the link that the joint of that name moves; DLS_NONE if there is none. */
size_t dls_articulation_find_link(const dls_articulation *articulation, const char *name);
size_t dls_articulation_find_joint(const dls_articulation *articulation, const char *name);
/* The degree of freedom of the joint of `link` about or along `axis`; for link 0 with a floating base, about or along
 * an axis of the world. DLS_NONE if the joint does not have it. Degrees of freedom of one joint are in the order of the
 * enum, except that spherical-2 begins with the axis that carries the other. */
size_t dls_articulation_dof(const dls_articulation *articulation, size_t link, dls_axis axis);
/* The axis of a degree of freedom in its joint; the degrees of freedom of a floating base are DLS_X, DLS_Y, DLS_Z,
 * DLS_TWIST, DLS_SWING1, DLS_SWING2 in this order. */
dls_axis dls_articulation_axis(const dls_articulation *articulation, size_t dof);
/* The name of a degree of freedom: the joint's name, followed by a dot and the axis ("wrist.twist") if the joint has
 * several; for a floating base "base.x", "base.twist" and so on. */
void dls_articulation_dof_name(const dls_articulation *articulation, size_t dof, char *text, size_t size);
/* The first degree of freedom on the way from a link to the root, beginning with the last one of its own joint;
 * DLS_NONE if the link cannot move. */
size_t dls_articulation_last_dof(const dls_articulation *articulation, size_t link);
/* The index in state->q of the coordinate of a degree of freedom; DLS_NONE for a floating base and for joints whose
 * position is a quaternion. */
size_t dls_articulation_coordinate(const dls_articulation *articulation, size_t dof);
/* Convert between the generalised velocity's order (reduced) and six entries per link, at 6 link + axis (maximal).
 * Entries of axes that do not move become 0 (unpack) or are ignored (pack). */
void dls_articulation_unpack(const dls_articulation *articulation, const double *reduced, double *maximal);
void dls_articulation_pack(const dls_articulation *articulation, const double *maximal, double *reduced);

/* --- state --- */

typedef struct dls_articulation_state {
    size_t nq, nv;
    dls_vec3 root_x; /* centre of mass of the root [m] */
    dls_quat root_q; /* root's link frame to world */
    double *q;       /* nq: joint coordinates [rad, m] or unit quaternions */
    long *wraps;     /* nq: how often a wrapped coordinate has jumped, by 4 pi each time; at the first entry of a
                        spherical joint's quaternion: the number of whole turns of its twist; else 0 */
    double *v;       /* nv: generalised velocity */
} dls_articulation_state;

/* The initial state of the definition. */
dls_status dls_articulation_state_create(const dls_articulation *articulation, dls_articulation_state **state,
                                         dls_error *error);
void dls_articulation_state_destroy(dls_articulation_state *state);
/* Copies bit by bit between states of one articulation. */
void dls_articulation_state_copy(dls_articulation_state *to, const dls_articulation_state *from);
/* DLS_NOT_FINITE, with the name of the joint, if any number is NaN or infinite. */
dls_status dls_articulation_state_check(const dls_articulation *articulation, const dls_articulation_state *state,
                                        dls_error *error);
/* Moves the coordinates by the generalised velocity v (nv entries) for the time h [s]; quaternions stay unit. */
void dls_articulation_advance(const dls_articulation *articulation, dls_articulation_state *state, const double *v,
                              double h);
/* The displacement d (nv entries) with from (+) d = to; of rotations the shortest. [m, rad] */
void dls_articulation_displacement(const dls_articulation *articulation, const dls_articulation_state *from,
                                   const dls_articulation_state *to, double *d);
/* The coordinate of a joint of one degree of freedom without jumps: q + 4 pi wraps. */
double dls_articulation_unwrapped(const dls_articulation *articulation, const dls_articulation_state *state,
                                  size_t link);
/* Sets that coordinate; if the joint wraps, q and wraps together. */
void dls_articulation_set_position(const dls_articulation *articulation, dls_articulation_state *state, size_t link,
                                   double q);

/* --- load --- */

/* Forces on an articulation besides gravity. */
typedef struct dls_articulation_load {
    size_t nv, n_links;
    double *tau; /* nv: generalised forces; for a floating base, force and torque at its centre of mass [N, N m] */
    dls_spatial *force; /* n_links: force and torque at the centre of mass, world frame [N, N m] */
} dls_articulation_load;

dls_status dls_articulation_load_create(const dls_articulation *articulation, dls_articulation_load **load,
                                        dls_error *error);       /* all 0 */
void dls_articulation_load_destroy(dls_articulation_load *load); /* NULL is allowed */
/* Copies bit by bit between loads of one articulation. */
void dls_articulation_load_copy(dls_articulation_load *to, const dls_articulation_load *from);

/* --- work space --- */

/* Results for one link of the last calls of dls_articulation_kinematics, dls_articulation_velocities and the dynamics
 * functions. World axes. */
typedef struct dls_link_work {
    dls_mat3 R;       /* joint frame to world */
    dls_vec3 c;       /* centre of mass [m] */
    dls_vec3 r, l, d; /* r = l + d from the parent's centre of mass to c: l to the anchor, d from the anchor on [m] */
    dls_spatial v;    /* velocity (v, omega) */
    dls_spatial bias; /* acceleration relative to the parent's while the joint's speeds are constant */
    dls_spatial a; /* acceleration from the last inverse or forward dynamics, relative to free fall: a - (gravity, 0) */
    dls_spatial f; /* scratch */
} dls_link_work;

/* Results and scratch memory of the algorithms. One work space serves one thread at a time. */
typedef struct dls_articulation_work {
    const dls_articulation *articulation;
    dls_link_work *links; /* n_links */
    dls_spatial *S;       /* nv: motion subspace; column k is for the centre of mass of link dof_link[k] */
    double *vdot;         /* nv: accelerations of the last forward dynamics; a step or a cache may also write them */
    struct dls_articulation_work_inside *inside; /* private to lib/articulation */
} dls_articulation_work;

/* The work space is an owner of the articulation (see dls_articulation_share). */
dls_status dls_articulation_work_create(const dls_articulation *articulation, dls_articulation_work **work,
                                        dls_error *error);
void dls_articulation_work_destroy(dls_articulation_work *work);

/* --- cache: state in and out by copy --- */

/* The quantities that are copied; combine with |. */
typedef enum dls_cache_flags {
    DLS_CACHE_POSITION = 1 << 0,          /* q and wraps */
    DLS_CACHE_VELOCITY = 1 << 1,          /* v of the joints */
    DLS_CACHE_ACCELERATION = 1 << 2,      /* work->vdot, all nv entries */
    DLS_CACHE_JOINT_FORCE = 1 << 3,       /* load->tau, all nv entries */
    DLS_CACHE_LINK_FORCE = 1 << 4,        /* load->force */
    DLS_CACHE_ROOT_POSE = 1 << 5,         /* root_x and root_q, also of a fixed base */
    DLS_CACHE_ROOT_VELOCITY = 1 << 6,     /* the first six entries of v; nothing for a fixed base */
    DLS_CACHE_LINK_POSE = 1 << 7,         /* only out: poses of the last dls_articulation_kinematics */
    DLS_CACHE_LINK_VELOCITY = 1 << 8,     /* only out: velocities of the last dls_articulation_velocities */
    DLS_CACHE_LINK_ACCELERATION = 1 << 9, /* only out: from the last inverse or forward dynamics, with cache->gravity */
    /* Only out, and only by dls_simulation_cache (simulation.h): of the last step. */
    DLS_CACHE_SOLVER_FORCE = 1 << 10, /* of rows on the joints: J^T lambda */
    DLS_CACHE_SENSORS = 1 << 11,      /* wrenches of the sensors on its links */
    DLS_CACHE_COEFFICIENTS = 1 << 12, /* J^T, and which rows these are */
    DLS_CACHE_LAMBDA = 1 << 13,       /* forces of these rows */
    DLS_CACHE_SETTABLE = (1 << 7) - 1,
    DLS_CACHE_ALL = (1 << 10) - 1,
    DLS_CACHE_STEP = (1 << 14) - (1 << 10)
} dls_cache_flags;

/* Plain arrays to read and to write, in the order of links, degrees of freedom and coordinates of the articulation. */
typedef struct dls_articulation_cache {
    const dls_articulation *articulation; /* the cache is one of its owners */
    size_t nq, nv, n_links;
    double *q;                      /* nq [rad, m] or unit quaternions */
    long *wraps;                    /* nq */
    double *v;                      /* nv [rad/s, m/s] */
    double *vdot;                   /* nv [rad/s^2, m/s^2] */
    double *tau;                    /* nv [N m, N] */
    dls_spatial *force;             /* n_links: at the centres of mass [N, N m] */
    dls_vec3 root_x;                /* centre of mass of the root [m] */
    dls_quat root_q;                /* root's link frame to world */
    dls_frame *link_pose;           /* n_links: centre of mass [m], link frame to world */
    dls_spatial *link_velocity;     /* n_links: of the centres of mass [m/s, rad/s] */
    dls_vec3 gravity;               /* gravity of the link accelerations: set by the caller, 0 at first [m/s^2] */
    dls_spatial *link_acceleration; /* n_links: of the centres of mass, classical [m/s^2, rad/s^2] */
    double *solver_force;           /* nv [N m, N] */
    /* Their numbers are those of the last copy; the cache grows when needed. */
    size_t n_sensors, n_rows;
    size_t *sensor_index; /* n_sensors: number in the model */
    dls_spatial *sensors; /* n_sensors: [N, N m] */
    size_t *row_index;    /* n_rows: number in the list of rows */
    double *coefficients; /* nv x n_rows, column-major: column i has the generalised force of a unit force of row i */
    double *lambda;       /* n_rows: forces, an entry for each row [N, N m] */
} dls_articulation_cache;

/* At first the joint frames coincide, the root is at the origin, and everything is at rest and without forces. An
 * articulation may have any number of caches. */
dls_status dls_articulation_cache_create(const dls_articulation *articulation, dls_articulation_cache **cache,
                                         dls_error *error);
void dls_articulation_cache_destroy(dls_articulation_cache *cache); /* NULL is allowed */
/* Makes room for that many sensors and rows, without filling them in. */
dls_status dls_articulation_cache_room(dls_articulation_cache *cache, size_t n_sensors, size_t n_rows,
                                       dls_error *error);

/* Both functions copy data of the articulation of `work`. DLS_BAD_ARGUMENT if the cache was made for an articulation
 * with other links, joints or base. load may be NULL if the flags include no forces. */

/* From state, load and work to the cache, bit by bit and unchecked, so that a diverged state can be examined. */
dls_status dls_articulation_cache_copy_out(dls_articulation_cache *cache, const dls_articulation_state *state,
                                           const dls_articulation_load *load, const dls_articulation_work *work,
                                           unsigned flags, dls_error *error);
/* From the cache to state, load and work, bit by bit, except that coordinates of wrapping joints outside (-2 pi, 2 pi]
 * are wrapped and counted. If poses or velocities are copied, kinematics and velocities are evaluated for the new
 * state; other results, such as factors, must be computed again. A call that fails changes nothing. Errors name the
 * joint or link: DLS_NOT_FINITE; DLS_BAD_ARGUMENT (a quaternion that is not unit); DLS_REFUSED (a flag that only copies
 * out). */
dls_status dls_articulation_cache_copy_in(const dls_articulation_cache *cache, dls_articulation_state *state,
                                          dls_articulation_load *load, dls_articulation_work *work, unsigned flags,
                                          dls_error *error);

/* --- kinematics --- */

/* Poses of all links, and motion subspaces. O(n). */
void dls_articulation_kinematics(const dls_articulation_state *state, dls_articulation_work *work);
/* Velocities of all links for the generalised velocity v (nv entries). After kinematics. O(n). */
void dls_articulation_velocities(const double *v, dls_articulation_work *work);
/* A link as an end of a joint of a scene: centre of mass, rotation of the link frame, velocity. After velocities. */
dls_end dls_articulation_end(const dls_articulation_work *work, size_t link);
/* The origin of the link frame in the world [m]. After kinematics. */
dls_vec3 dls_articulation_origin(const dls_articulation_work *work, size_t link);

/* The dense Jacobian, (v, omega) = J v: six rows for each link at its centre of mass, none for a fixed root; nv
 * columns, column-major with leading dimension ld >= number of rows. After kinematics. */
size_t dls_articulation_jacobian_rows(const dls_articulation *articulation);
void dls_articulation_jacobian(const dls_articulation_work *work, double *J, size_t ld);

/* --- dynamics --- */

/* All functions use the same M: the inertia of the links and, on its diagonal, the armature of each degree of freedom.
 * Damping, friction, limits, drives and mimic joints of the definition are ignored here. */

/* Inverse dynamics by the recursive Newton-Euler algorithm: tau = M vdot + C + g - J^T f. vdot: nv entries, NULL for 0,
 * may be the same array as tau. force: (f, tau) on each link at its centre of mass, NULL for none. gravity [m/s^2].
 * After velocities. O(n). */
void dls_articulation_inverse(dls_articulation_work *work, const double *vdot, const dls_spatial *force,
                              dls_vec3 gravity, double *tau);

/* y = M x without forming M; nv entries, may be the same array. After kinematics. O(n). */
void dls_articulation_multiply(dls_articulation_work *work, const double *x, double *y);

/* The mass matrix M by the composite-rigid-body algorithm: nv x nv, both triangles, column-major, ld >= nv. After
 * kinematics. */
void dls_articulation_mass_matrix(dls_articulation_work *work, double *M, size_t ld);
/* The mass matrix of the joints with the floating base eliminated, M_jj - M_jb M_bb^-1 M_bj: square, nv - n_base. For a
 * fixed base this is M itself. After kinematics. */
void dls_articulation_mass_matrix_eliminated(dls_articulation_work *work, double *M, size_t ld);

/* Computes the articulated-body inertias, from which all functions below compute products with M^-1. DLS_BAD_ARGUMENT,
 * with the name of the joint, if a joint moves no inertia in this position. After kinematics. O(n). */
dls_status dls_articulation_factor(dls_articulation_work *work, dls_error *error);
/* Forward dynamics: vdot = M^-1 (tau - C - g + J^T f), also kept in work->vdot. tau and force may be NULL for 0. After
 * velocities and factor. O(n). */
void dls_articulation_forward(dls_articulation_work *work, const double *tau, const dls_spatial *force,
                              dls_vec3 gravity, double *vdot);
/* The force that each link receives from its parent through the joint between them, and the torque about the link's
 * centre of mass. The root receives them from the world; they are 0 for a floating base. vdot, force and gravity are
 * those of dls_articulation_inverse. wrench: n_links, world axes [N, N m]. After velocities. O(n). */
void dls_articulation_wrenches(dls_articulation_work *work, const double *vdot, const dls_spatial *force,
                               dls_vec3 gravity, dls_spatial *wrench);
/* Acceleration of a link's centre of mass and angular acceleration. After inverse or forward with the same gravity. */
dls_spatial dls_articulation_acceleration(const dls_articulation_work *work, size_t link, dls_vec3 gravity);
/* x = M^-1 y; nv entries, may be the same array. After factor. At most O(n), and less if few entries of y are not 0;
 * the first call after factor costs more than the next. */
void dls_articulation_solve(dls_articulation_work *work, const double *y, double *x);
/* y[i] = M^-1 x[i] for i < count, with exactly the results of dls_articulation_solve, bit by bit, and faster than
 * separate calls on deep trees. No x may be the same array as a y. */
void dls_articulation_solve_many(dls_articulation_work *work, size_t count, const double *const *x, double *const *y);

/* The change of the generalised velocity due to a unit impulse on degree of freedom `dof`: column `dof` of M^-1. After
 * factor. */
void dls_articulation_response(dls_articulation_work *work, size_t dof, double *column);
/* The same for the impulse (p, L) [N s, N m s] at the centre of mass of a link: M^-1 J_link^T impulse. */
void dls_articulation_response_link(dls_articulation_work *work, size_t link, dls_spatial impulse, double *column);
/* The change of the speed of degree of freedom j due to a unit impulse on i: entry (i, j) of M^-1. Equal to entry (j,
 * i) to the last bit. After factor. */
double dls_articulation_response_entry(dls_articulation_work *work, size_t i, size_t j);

/* z with z.z' = y M^-1 y' for all y and y' (nv entries, z another array than y): z = D^-1/2 W^T y, where the
 * articulated-body algorithm has M^-1 = W D^-1 W^T. After factor. O(n). */
void dls_articulation_half(dls_articulation_work *work, const double *y, double *z);

/* A force of a unit impulse of a constraint row, J_i^T: on a degree of freedom, or on a link. A row may have several.
 */
typedef struct dls_tree_force {
    size_t row;
    size_t dof;         /* DLS_NONE: the force is on a link */
    double force;       /* on the degree of freedom [1], as an entry of J */
    size_t link;        /* if it is not on a degree of freedom */
    dls_spatial wrench; /* at the link's centre of mass: the entries of J of its velocity (v, omega) */
} dls_tree_force;
/* A += J M^-1 J^T by propagation of the forces of rows from the leaves to the root, without M^-1 J^T: PV-OSIMr of
 * Sathya, Decre and Swevers. A: column-major, ld at least the number of rows, both triangles, symmetric to the last
 * bit. With several trees and bodies, A is the sum over all of them. After factor. O(n + m^2) for n links and m forces.
 * An entry is accurate to a multiple of eps |J_i M^-1 J_k| summed over pairs of forces; propagation.c. DLS_NO_MEMORY.
 */
dls_status dls_articulation_delassus(const dls_articulation_work *work, size_t n_forces, const dls_tree_force *forces,
                                     double *A, size_t ld, dls_error *error);

/* --- the terms of inverse dynamics one by one --- */

/* Each function gives generalised forces, nv entries. Gravity, external and joint forces add up to tau of
 * dls_articulation_inverse. Armature is constant, has no weight and does not couple links: only
 * dls_articulation_joint_force, which contains M, includes it. */

/* g(q), the forces that hold the articulation at rest against gravity. After kinematics. */
void dls_articulation_gravity_force(dls_articulation_work *work, dls_vec3 gravity, double *tau);
/* C(q, v), Coriolis and centrifugal forces. After velocities. */
void dls_articulation_coriolis_force(dls_articulation_work *work, double *tau);
/* y = D x with D = dC/dv, the derivative of the Coriolis and centrifugal forces at the velocities v. C is quadratic in
 * v, so C = D v / 2. nv entries, x may be the same array as y. After velocities with the same v. O(n). */
void dls_articulation_coriolis_derivative(dls_articulation_work *work, const double *v, const double *x, double *y);
/* The change d of the velocities v due to Coriolis and centrifugal forces alone over the time h [s] at fixed q,
 *     (M + theta h D) d = -h C
 * with theta 0: explicit; 1/2: semi-implicit, by Kahan's rule; 1: implicit, one step of Newton's method (coriolis.c).
 * nv entries. Not finite where the matrix M + theta h D is singular; for small h it is regular. After velocities with
 * the same v. O(n). */
void dls_articulation_coriolis_change(dls_articulation_work *work, const double *v, double h, double theta,
                                      double *change);
/* -J^T f, the forces that hold it at rest against the external forces (f, tau) at the links' centres of mass. After
 * kinematics. */
void dls_articulation_external_force(dls_articulation_work *work, const dls_spatial *force, double *tau);
/* sum = tau + J^T f - g: everything that acts on the articulation at rest. `tau` and `force` may be NULL for 0; sum
 * must be another array than tau. After kinematics. */
void dls_articulation_applied_force(dls_articulation_work *work, const double *tau, const dls_spatial *force,
                                    dls_vec3 gravity, double *sum);
/* M vdot + C, without gravity and external forces. vdot: nv entries, NULL for 0. After velocities. */
void dls_articulation_joint_force(dls_articulation_work *work, const double *vdot, double *tau);

/* --- momentum and energy --- */

/* Centre of mass of all links [m]. After kinematics. */
dls_vec3 dls_articulation_centre_of_mass(const dls_articulation_work *work);
/* The centroidal momentum matrix A: linear and angular momentum (p, L) about the centre of mass of all links is A v.
 * 6 x nv, column-major with leading dimension 6. Armature is not included. After kinematics. */
void dls_articulation_centroidal_momentum(dls_articulation_work *work, double *A);
/* Kinetic energy v^T M v / 2 [J]. After velocities with the same v. */
double dls_articulation_kinetic_energy(const dls_articulation_work *work, const double *v);
/* Linear momentum [kg m/s] of the links, and angular momentum about the world's origin [kg m^2/s]. After velocities. */
void dls_articulation_momentum(const dls_articulation_work *work, dls_vec3 *linear, dls_vec3 *angular);
/* Momentum (p, L) of the links about their common centre of mass [kg m/s, kg m^2/s]. After velocities. */
dls_spatial dls_articulation_central_momentum(const dls_articulation_work *work);
/* Changes the speeds of a floating base in v (nv entries) so that the central momentum changes by `change`; the joint
 * speeds stay as they are. After kinematics. */
void dls_articulation_add_momentum(dls_articulation_work *work, dls_spatial change, double *v);
/* Potential energy in a constant gravity field, 0 at the world's origin [J]. After kinematics. */
double dls_articulation_potential_energy(const dls_articulation_work *work, dls_vec3 gravity);

#ifdef __cplusplus
}
#endif

#endif
