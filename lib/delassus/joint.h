/* joint.h - a joint type turns the state of its two ends into rows of the constraint problem.
 *
 * Row i of a joint says (conventions (3), (5)), body 1 first:
 *     w_i = J_i v+ + (CFM / h) lambda_i - c_i,   c_i = -(ERP / h) C_i + u_i,   lo_i h <= lambda_i <= hi_i h
 * Most types tie two ends: bodies, links of articulations, or the world. A type ON COORDINATES acts on a sum y = sum
 * G_i q_i of joint coordinates q_i with gears G_i: its C is a function of y alone, and J has dC/dy G_i in the column
 * of q_i. A type may keep numbers of its own that move with the bodies and do not follow from where these are, such
 * as how far along a track a body has come. They are part of the state; C, J and position() see them in end[0].own.
 * A joint type is one const descriptor in its own file of lib/joints, listed in lib/joints/joints.def and nowhere
 * else.
 */
#ifndef DELASSUS_JOINT_H
#define DELASSUS_JOINT_H

#include "delassus/curve.h"
#include "delassus/field.h"
#include "delassus/math3.h"
#include "delassus/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DLS_JOINT_ROWS_MAX = 7, DLS_JOINT_STATE_MAX = 4 };

/* An end of a joint as the joint sees it. The world is an end with x = 0, q = 1 and v = omega = 0. */
typedef struct dls_end {
    dls_vec3 x;        /* centre of mass [m] */
    dls_quat q;        /* body to world */
    dls_mat3 R;        /* R(q) */
    dls_vec3 v, omega; /* [m/s], [rad/s], world frame */
    double y;          /* of end 1 of a joint on coordinates: their sum, sum G_i q_i [rad, m] */
    const double *own; /* of end 1 of a joint that has a state of its own: n_state numbers */
} dls_end;

/* A joint's frame on a body: the anchor and the axes of the joint, in body coordinates (world coordinates for the
 * world). */
typedef struct dls_frame {
    dls_vec3 p; /* [m] from the centre of mass */
    dls_quat q; /* joint frame to body; the joint's axis is its z */
} dls_frame;

/* How a row came to its bounds. */
typedef enum dls_row_law {
    DLS_ROW_PLAIN,   /* lo, hi as given: equality, unilateral, motor, friction with the fixed bound mu m g */
    DLS_ROW_COUPLED, /* friction: -mu lambda_parent <= lambda <= mu lambda_parent, lambda_parent the current normal
                        impulse */
    DLS_ROW_CONE /* one of two friction rows behind their normal row: Coulomb's cone, |lambda_t| <= mu lambda_parent */
} dls_row_law;

/* Whose work a row's impulse does, for the ledger. */
typedef enum dls_row_role { DLS_ROLE_JOINT, DLS_ROLE_STOP, DLS_ROLE_FRICTION, DLS_ROLE_MOTOR } dls_row_role;

typedef struct dls_row {
    double C;     /* position error [m] or [rad]; 0 on a row that has none (friction) */
    double J1[6]; /* dC/d(v1, omega1) */
    double J2[6];
    double Jy;     /* dC/dy, of a joint on coordinates */
    double erp;    /* [1] */
    double cfm;    /* [m s^-1 N^-1] linear, [rad s^-1 (N m)^-1] angular */
    double kp, kd; /* a spring and damper, f = -kp C - kd (J v - u), implicit, instead of erp and cfm; both 0: none */
    double frequency; /* [Hz] and ratio [1]: kp = m w^2 and kd = 2 ratio m w with w = 2 pi frequency and the row's own
                         effective mass */
    double ratio;     /* m = 1 / (J M^-1 J^T) where the rows are made; instead of all of these. 0: none */
    double u;         /* asked speed of a motor row, or restitution [m/s or rad/s] */
    double lo, hi;    /* force bounds [N] or [N m] */
    dls_row_law law;
    dls_row_role role;
    double mu;         /* of DLS_ROW_COUPLED and DLS_ROW_CONE */
    int parent;        /* of both: the normal row, counted from the joint's first row; else -1 */
    bool angular;      /* rows in rad and N m */
    bool gap;          /* C is a gap that may close, no error: see dls_row_make_unilateral */
    const char *label; /* static: "x", "axis 1", "normal", ... */
} dls_row;

typedef struct dls_joint_type dls_joint_type;

/* Fields that every joint has; the scene reader reads them for every type from dls_joint_common_fields. */
typedef struct dls_joint_common {
    double erp;                /* [1], 0 <= erp <= 1 */
    double cfm;                /* >= 0 */
    double stiffness, damping; /* [N/m, N m/rad], [N s/m, N m s/rad]: a spring instead of erp and cfm; both NaN: none */
    double frequency, damping_ratio; /* [Hz], [1]: the same by the row's own effective mass; both NaN: none */
    double force_lo; /* [N, N m] lower force bound of every bilateral row, default -inf; a unilateral row's is 0 */
    double force_hi; /* upper bound of every row but friction, default inf */
} dls_joint_common;
extern const dls_field_table dls_joint_common_fields;

/* A joint coordinate with its gear G: a degree of freedom of an articulation, or what a hinge or slider between bodies
 * measures. */
typedef struct dls_term {
    double gear;
    size_t dof;      /* of the generalised velocity; DLS_NONE: the coordinate of `joint` */
    size_t position; /* into the state's coordinates */
    size_t joint;    /* of the model */
} dls_term;

/* Adjacent columns of the generalised velocity, in one block of the mass operator. */
typedef struct dls_span {
    size_t offset, length, block;
} dls_span;

/* A joint in a model. `settings` is the type's own settings struct. */
typedef struct dls_joint {
    const dls_joint_type *type;
    char name[DLS_NAME_MAX];
    size_t body[2]; /* ends of the model: bodies, then links; or DLS_WORLD. Both DLS_WORLD on coordinates */
    size_t n_terms; /* of a type on coordinates */
    dls_term *terms;
    bool angular;   /* the coordinates' sum is an angle */
    bool measured;  /* a term refers to this joint's coordinate, so the state follows it */
    size_t n_spans; /* columns of its rows, where an end is a link or a coordinate; 0: a block of 6 a body */
    dls_span *spans;
    dls_joint_common common;
    bool moves[2];        /* whether forces can move the ends */
    double mass[2];       /* of the ends that move [kg]; 0 for the others, and for links that are mere frames */
    double gravity;       /* |g| of the scene [m/s^2] */
    dls_frame frame[2];   /* set by the type's place() */
    size_t own;           /* first of its numbers in the state's */
    const void *settings; /* as type->fields describes them, references resolved */
} dls_joint;

struct dls_joint_type {
    const char *name;     /* as written in a scene */
    const char *summary;  /* one line */
    const char *equation; /* C(q), one line */
    size_t terms_min;     /* of a type on coordinates: how many it takes at least; 0: the type ties two ends */
    bool no_position;     /* its rows hold no position: springs are refused, and so are exact trajectories */
    dls_field_table fields;
    /* From the settings (world frame, at the initial poses of both ends) to the body frames, and checks across fields.
     */
    dls_status (*place)(dls_joint *joint, const dls_end end[2], dls_error *error);
    /* How many rows rows() will write: depends on the settings alone. At most DLS_JOINT_ROWS_MAX. */
    size_t (*count)(const dls_joint *joint);
    /* Writes count() rows, with C, J, bounds, erp and cfm all set. */
    void (*rows)(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows);
    /* What `delassus check` differentiates: C_i for each row, where a row without position error (friction) gives the
     * displacement whose rate its J v is. */
    void (*position)(const dls_joint *joint, const dls_end end[2], double *C);
    /* What the joint leaves free, where that is one angle or travel: its value (angles in (-pi, pi]) as C, its rate in
     * J, angular as it is. NULL: nothing that others could be coupled to. */
    void (*coordinate)(const dls_joint *joint, const dls_end end[2], dls_row *row);
    /* Of a type with a state of its own: how many numbers, at most DLS_JOINT_STATE_MAX; what they are at the start,
     * after place(); and what they become as the ends move for h, to be written over `own`. */
    size_t n_state;
    dls_status (*start)(const dls_joint *joint, const dls_end end[2], double *own, dls_error *error);
    void (*advance)(const dls_joint *joint, const dls_end before[2], const dls_end after[2], double h, double *own);
    /* Whether these numbers are a function of the positions, nearby; NULL: they are not. */
    bool (*holonomic)(const dls_joint *joint);
};

/* All joint types, NULL at the end, and one by name (NULL if there is none). */
extern const dls_joint_type *const dls_joint_types[];
const dls_joint_type *dls_joint_type_find(const char *name);

/* Helpers for the types. */

/* World position of the joint frame's origin on an end, and the offset a = R p from its centre of mass. */
static inline dls_vec3 dls_end_arm(const dls_end *end, const dls_frame *frame) { return dls_mul3(end->R, frame->p); }
static inline dls_vec3 dls_end_anchor(const dls_end *end, const dls_frame *frame)
{
    return dls_add(end->x, dls_end_arm(end, frame));
}
static inline dls_quat dls_end_rotation(const dls_end *end, const dls_frame *frame)
{
    return dls_quat_mul(end->q, frame->q);
}
/* The frame on `end` that coincides with the world point p and the world rotation q. */
dls_frame dls_end_frame(const dls_end *end, dls_vec3 p, dls_quat q);
/* A row with the joint's common erp, cfm or spring, and force bounds; J = 0, C = 0, parent = -1. */
dls_row dls_row_bilateral(const dls_joint *joint, const char *label);
/* The joint's spring, where it has one, in the place of the row's erp and cfm. */
void dls_row_set_spring(const dls_joint *joint, dls_row *row);
/* Whether a spring and damper, not erp and cfm, say how the row answers to its error. */
bool dls_row_springs(const dls_row *row);
/* J of the relative velocity along the world direction n of two points at offsets a1, a2: [n, a1 x n, -n, -(a2 x n)].
 */
void dls_row_set_linear(dls_row *row, dls_vec3 n, dls_vec3 a1, dls_vec3 a2);
/* J of the relative angular velocity along n: [0, n, 0, -n]. */
void dls_row_set_angular(dls_row *row, dls_vec3 n);
/* A unilateral row (lambda >= 0 for a gap C that must not become negative). Where C > 0 the row must not act before the
 * gap has closed: J v >= -C / h, that is ERP = 1 and `gap`. Where C <= 0 the joint's ERP holds. A spring answers to
 * min(C, 0) at the end of the step: f = -kp (C + h J v) - kd (C + h J v) / h where a gap closes in it. */
void dls_row_make_unilateral(dls_row *row);

#ifdef __cplusplus
}
#endif

#endif
