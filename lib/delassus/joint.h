/* joint.h - a joint type turns the state of its two ends into rows of the constraint problem.
 * Row i of a joint is (conventions (3), (5)), body 1 first:
 *     w_i = J_i v+ + (CFM / h) lambda_i - c_i,   c_i = -(ERP / h) C_i + u_i,   lo_i h <= lambda_i <= hi_i h
 *
 * Most types tie two ends: bodies, links of articulations, or the world. A type ON COORDINATES acts on a sum of terms,
 * y = sum P_i(q_i) with joint coordinates q_i, usually a weighted sum, P_i = G_i q_i with gears G_i: its C is a
 * function of y alone, and its J has dC/dy P_i'(q_i) in the column of q_i. A type may also keep numbers of its own that
 * do not follow from the positions of the bodies, such as the arc length of a body along its track. They are part of
 * the state; rows() and position() read them in end[0].own.
 *
 * A joint type is one const descriptor: in its own file of lib/joints, listed in joints.def and local.mk there and
 * nowhere else (tests/test_joints.c fails until it has a sample there), or in a shared object (DLS_JOINT_PLUGIN).
 */
#ifndef DELASSUS_JOINT_H
#define DELASSUS_JOINT_H

#include "delassus/curve.h"
#include "delassus/field.h"
#include "delassus/law.h"
#include "delassus/math3.h"
#include "delassus/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No joint has more rows, or keeps more numbers, than these. */
enum { DLS_JOINT_ROWS_MAX = 12, DLS_JOINT_STATE_MAX = 4 };

/* An end of a joint as the joint sees it. The world is an end with x = 0, q = 1 and v = omega = 0. */
typedef struct dls_end {
    dls_vec3 x;                /* centre of mass [m] */
    dls_quat q;                /* rotation, body to world */
    dls_mat3 R;                /* the same as a matrix */
    dls_vec3 v, omega;         /* [m/s], [rad/s], world frame */
    double y;                  /* in end 1 of a joint on coordinates: the sum of P_i(q_i) [rad, m] */
    const double *joint_state; /* in end 1 of a joint that keeps numbers: type->n_state of them */
} dls_end;

/* A joint's frame on a body: its origin, called the anchor, and its axes, in body coordinates (in world coordinates
 * where the end is the world). */
typedef struct dls_frame {
    dls_vec3 p; /* [m] from the centre of mass */
    dls_quat q; /* rotation, joint frame to body; the joint's axis is its z */
} dls_frame;

/* The entry of the energy ledger that the work of a row's impulse belongs to. */
typedef enum dls_row_role { DLS_ROLE_JOINT, DLS_ROLE_STOP, DLS_ROLE_FRICTION, DLS_ROLE_MOTOR } dls_row_role;

/* One row, as its type writes it. Its position error is corrected by ERP and CFM, or by a spring and damper instead,
 * which is given by its constants or by its frequency. */
typedef struct dls_row {
    double C;         /* position error [m, rad]; 0 on a row that has none, such as friction */
    double J1[6];     /* dC/d(v1, omega1) */
    double J2[6];     /* dC/d(v2, omega2) */
    double Jy;        /* dC/dy, for a joint on coordinates */
    double erp;       /* [1] */
    double cfm;       /* [m s^-1 N^-1, rad s^-1 (N m)^-1] */
    double kp;        /* stiffness of an implicit spring and damper, f = -kp C - kd (J v - u) [N/m, N m/rad] */
    double kd;        /* its damping [N s/m, N m s/rad]; no such spring where both are 0 */
    double frequency; /* of a spring that is given by it [Hz]: kp = m w^2 and kd = 2 ratio m w with w = 2 pi frequency
                         and the row's effective mass m = 1 / (J M^-1 J^T); no such spring where it is 0 */
    double ratio;     /* its damping ratio [1] */
    double feed;      /* constant force added to a spring's, f = feed - kp C - kd (J v - u) [N, N m] */
    double u;         /* target speed of a motor, or restitution [m/s, rad/s] */
    double lo, hi;    /* bounds of the force [N, N m] */
    dls_law law;
    dls_row_role role;
    double restitution; /* coefficient of a stop that rebounds; 0: none */
    double threshold; /* a stop whose rebound follows from J v (`measured`) and that approaches more slowly has none */
    dls_impact_law impact; /* the law of its rebound */
    bool measured;         /* the list of rows computes the rebound from J v; false: the type has put it in */
    bool impacts;          /* the stop is closed, and rebounds in this step */
    double mu;             /* friction coefficient of DLS_LAW_BOX and DLS_LAW_CONE */
    int parent;            /* for these two laws: the normal row, counted from the joint's first row; else -1 */
    bool angular;          /* whether C is an angle and the force a torque */
    bool gap;              /* whether C is a gap that may close, not an error: dls_row_make_unilateral */
    bool per_mass;         /* kp and kd are per unit of the row's effective mass [1/s^2, 1/s] */
    bool is_explicit;      /* the spring's force is computed from C and J v at the start of the step, and is constant */
    bool is_rate;          /* J v is a velocity of body 1 relative to body 2, and not the rate of any C(q) */
    const char *label;     /* static text: "x", "axis 1", "normal", ... */
} dls_row;

/* An implicit spring and damper of a row, f = feed - (kp C + kd (J v - u)) / mobility. */
typedef struct dls_row_spring {
    double kp, kd;   /* [N/m, N s/m; N m/rad, N m s/rad], or per unit of effective mass [1/s^2, 1/s] */
    double feed;     /* [N, N m] */
    double mobility; /* J M^-1 J^T at the time the list was filled, if kp and kd are per unit of mass; else 1 */
} dls_row_spring;

/* A row in the list of all rows (rows.h); its Jacobian is a row of the list's matrix. Conventions (3):
 *     w = J v+ + Gamma lambda - c,   c = -(ERP / T) C + u,   Gamma = CFM / h,   h lo <= lambda <= h hi
 * where T is the time base. ERP and CFM of a row with a spring follow from the spring. */
typedef struct dls_list_row {
    double C;           /* position error [m, rad]; 0 on a row that has none */
    double erp, cfm;    /* [1], [m s^-1 N^-1, rad s^-1 (N m)^-1] */
    double u;           /* target speed of a motor, or restitution [m/s, rad/s] */
    double lo, hi;      /* force bounds [N, N m] */
    double mu;          /* friction coefficient of a row bounded by the impulse of its normal row; else 0 */
    double bias;        /* the part -(ERP / T) C of c that corrects the error of a rigid row, at the last assembly;
                           0 for springs and gaps */
    double restitution; /* coefficient of a stop that rebounds; 0: none */
    size_t owner;       /* the joint; n_joints + k for contact k; DLS_NONE if a file without owners was read */
    const char *label;  /* static text: "x", "normal", ... */
    const dls_row_spring *spring; /* NULL: none */
    unsigned char slot;           /* its number among its owner's rows, from 0 */
    unsigned char after;          /* its distance in rows from its normal row; 0: it has none */
    unsigned char law;            /* dls_law */
    unsigned char role;           /* dls_row_role: its entry of the energy ledger */
    unsigned char impact;         /* dls_impact_law of a stop */
    bool impacts;                 /* the stop is closed, and rebounds in this step */
    bool gap;                     /* C > 0 is the gap of a unilateral row, not an error */
    bool angular;                 /* in rad and N m */
} dls_list_row;

typedef struct dls_joint_type dls_joint_type;

/* The kinematic pair that a joint is, for programs that translate a scene for another engine. The anchors are the
 * origins of the joint's frames on its two ends, the axes are the z axes of these frames: one axis for a hinge and a
 * slider, one on each body for a universal joint. */
typedef enum dls_joint_pair {
    DLS_PAIR_NONE, /* none of these */
    DLS_PAIR_BALL,
    DLS_PAIR_HINGE,
    DLS_PAIR_SLIDER, /* its axis is fixed in body 2 */
    DLS_PAIR_UNIVERSAL,
    DLS_PAIR_FIXED,
    DLS_PAIR_ROD,    /* the anchors keep their distance; only if its one row is unbounded */
    DLS_PAIR_CONTACT /* body 1 stays above body 2 at the anchors, along the first row's normal */
} dls_joint_pair;

/* The target of a driven joint. It is part of the state, among the numbers that joints keep. */
typedef struct dls_setpoint {
    double target; /* position [rad, m] */
    double speed;  /* [rad/s, m/s] */
    double force;  /* feed-forward [N m, N] */
} dls_setpoint;

/* The definition of a row, found by its label, for `delassus check`. A row needs one unless it holds C = 0 in both
 * directions within the force bounds of the joint. Settings are given by their keys. */
typedef enum dls_row_kind {
    DLS_ROW_EQUALITY,    /* C = 0 */
    DLS_ROW_LIMIT,       /* C >= 0, force >= 0 */
    DLS_ROW_SPEED,       /* holds a speed, not a position */
    DLS_ROW_SPEED_LIMIT, /* J v >= -speed, force >= 0; no position */
    DLS_ROW_DAMPER,      /* J v is damped */
    DLS_ROW_FORCE,       /* the force of the spring at the start of the step */
    DLS_ROW_NORMAL, /* normal row of a contact with the settings mu, friction, friction_mass, restitution, threshold */
    DLS_ROW_TANGENT /* friction row of such a contact */
} dls_row_kind;
typedef struct dls_row_definition {
    const char *label; /* NULL after the last */
    dls_row_kind kind;
    /* The zero of C: C = +-(y - from + minus_from); for two points with the difference d, y is |d|, or with a sense the
     * component of d along +-J; NULL: 0. */
    const char *from, *minus_from;
    int sense;                       /* the sign in this: 1, -1; 0: either, as of a row that holds both ways */
    const char *speed;               /* its u; NULL: 0 */
    const char *least, *most;        /* bounds of its force; least NULL or not set: -most; both NULL: none */
    const char *most_per_load;       /* added to `most`: this times the load, the first number that the joint keeps */
    const char *arm;                 /* added to the load: the second number, a moment, over this arm */
    const char *most_impulse;        /* bound of its impulse in both directions; NULL: none */
    const char *stiffness, *damping; /* of the row's own spring and damper; both NULL: those of the joint */
    const char *per_mass;            /* its spring is per unit of effective mass if this setting is 1; NULL: never */
    bool setpoint;      /* `from`, `speed` and a force are those of the dls_setpoint that the joint keeps */
    const char *choice; /* applies if this setting is `chosen`, else the next one; NULL: always */
    int chosen;
} dls_row_definition;

/* The picture of a joint, drawn at its frames on the two ends. */
typedef enum dls_joint_drawing {
    DLS_DRAW_NOTHING, /* no place to draw it, such as a joint on coordinates */
    DLS_DRAW_POINT,   /* its anchor on end 1 */
    DLS_DRAW_AXIS,    /* the same, and the axis of frame 1 */
    DLS_DRAW_AXES,    /* the same, and the axes of both frames */
    DLS_DRAW_ROD,     /* a rod between the two anchors */
    DLS_DRAW_STRING,  /* a string between the two anchors */
    DLS_DRAW_CONTACT  /* the contact force on body 1, at the anchor on end 2 */
} dls_joint_drawing;

/* Settings that every joint has. */
typedef struct dls_joint_common {
    double erp;       /* error reduction parameter: share of the position error removed per step, 0 to 1, usually 0.2 */
    double cfm;       /* constraint force mixing, at least 0, usually 0 [m s^-1 N^-1, rad s^-1 (N m)^-1] */
    double stiffness; /* of a spring in each row, instead of erp and cfm [N/m, N m/rad]; NaN: unset */
    double damping;   /* of that spring's damper [N s/m, N m s/rad]; NaN: unset */
    double frequency; /* of a spring for the row's effective mass, instead of stiffness and damping [Hz]; NaN: unset */
    double damping_ratio; /* of that spring [1]; NaN: unset */
    double force_lo;      /* lower bound of the force of every bilateral row [N, N m]; 0 for unilateral rows */
    double force_hi;      /* upper bound of the force of every row except friction rows [N, N m] */
    double break_force, break_torque; /* the joint breaks if it transmits more than this [N], [N m]; infinite: never;
                                         lib/simulation/breaks.c has the reference point of the torque */
} dls_joint_common;
extern const dls_field_table dls_joint_common_fields;

/* The highest power of a coordinate in a term. */
enum { DLS_GEARS_MAX = 4 };
/* A term P(q) = G_1 q + G_2 q^2 + G_3 q^3 + G_4 q^4 of a sum, usually G_1 q. Its coordinate q is a degree of freedom of
 * an articulation, or the coordinate of a joint between bodies, such as the angle of a hinge. */
typedef struct dls_term {
    double gears[DLS_GEARS_MAX]; /* G_1 to G_4 */
    size_t number;               /* among all terms of the model: its entry in arrays of the configuration */
    size_t dof;                  /* of the generalised velocity; DLS_NONE: the coordinate of `joint` */
    size_t position;             /* into the state's coordinates */
    size_t joint;                /* of the model */
    /* For a joint of an articulation whose position is a quaternion: its motion, which computes coordinate number
     * `axis` from the quaternion. dof and position are then the first of the joint, and the derivatives of the
     * coordinate are in the configuration's `gradients`. NULL for all other joints. */
    const struct dls_motion *motion;
    size_t axis;
} dls_term;

/* P(q) and P'(q). A linear term has the slope G_1 at every q. */
typedef struct dls_term_value {
    double value, slope;
} dls_term_value;
static inline dls_term_value dls_term_at(const dls_term *term, double q)
{
    const double *G = term->gears;
    const dls_term_value at = {q * (G[0] + q * (G[1] + q * (G[2] + q * G[3]))),
                               G[0] + q * (2.0 * G[1] + q * (3.0 * G[2] + q * (4.0 * G[3])))};
    return at;
}
static inline bool dls_term_is_linear(const dls_term *term)
{
    return term->gears[1] == 0.0 && term->gears[2] == 0.0 && term->gears[3] == 0.0;
}

/* Adjacent columns of the generalised velocity, in one block of the mass operator. */
typedef struct dls_span {
    size_t offset, length, block;
} dls_span;

/* A joint in a model. */
typedef struct dls_joint {
    const dls_joint_type *type;
    char name[DLS_NAME_MAX];
    size_t body[2]; /* the ends, by their number in the model (model.h), or DLS_WORLD; both DLS_WORLD on coordinates */
    size_t n_rows;  /* from the type's count() */
    size_t n_terms; /* for a type on coordinates */
    dls_term *terms;
    bool angular;   /* whether the sum of coordinates is an angle */
    bool measured;  /* whether another joint acts on this joint's coordinate, so that the state keeps it */
    size_t n_spans; /* columns of its rows, if an end is a link or a coordinate; 0: 6 columns for each free body */
    dls_span *spans;
    dls_joint_common common;
    bool moves[2];         /* whether forces can move each end */
    double mass[2];        /* of the ends [kg]; 0 if an end cannot move, and for links without mass */
    double gravity;        /* |g| of the scene [m/s^2] */
    dls_frame frame[2];    /* set by the type's place() */
    size_t joint_state;    /* index of its first number in state->joint_state */
    const void *settings;  /* the type's settings struct, as type->fields describes it, references resolved */
    const void *data;      /* made by type->prepare from the settings */
    double gain;           /* factor of its springs, set by the type's place(): usually 1 */
    double start;          /* its coordinate where it is placed, set by the type's place(): usually 0 [rad, m] */
    size_t change;         /* number of the scene's change that added the joint; 0: it is in the scene from the start */
    const dls_end *placed; /* after a change: its ends [2] at the time it was placed; else NULL */
} dls_joint;

struct dls_arena; /* lib/base/memory.h */

struct dls_joint_type {
    const char *name;     /* as written in a scene */
    const char *summary;  /* one line */
    const char *equation; /* C(q), one line */
    dls_joint_pair pair;  /* for programs that translate scenes for another engine */
    size_t terms_min;     /* least number of coordinates of a type on coordinates; 0: the type joins two ends */
    dls_joint_drawing drawing;
    bool no_position;       /* its rows hold no position: springs and reference trajectories are refused */
    dls_field_table fields; /* of the settings struct */
    /* Checks the settings against each other, and computes the frames of the joint from them and from the initial
     * poses of the ends. */
    dls_status (*place)(dls_joint *joint, const dls_end end[2], dls_error *error);
    /* Computes data that rows() needs at every call into joint->data, in memory of the model; called after place().
     * NULL: not needed. */
    dls_status (*prepare)(dls_joint *joint, struct dls_arena *memory, dls_error *error);
    /* The number of rows that rows() writes: it depends on the settings only, and is at most DLS_JOINT_ROWS_MAX. */
    size_t (*count)(const dls_joint *joint);
    /* Writes count() rows for a step of h [s], with all members set. */
    void (*rows)(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows);
    /* C of each row, for finite differences. For a row without position error, such as friction: the displacement with
     * the rate J v, or 0 if there is no such displacement (dls_row.is_rate). */
    void (*position)(const dls_joint *joint, const dls_end end[2], double *C);
    /* The joint's coordinate, for types with a coordinate that other joints can act on: its value (an angle in (-pi,
     * pi]) as C, its derivatives in J1 and J2, and whether it is an angle. NULL: the type has none. */
    void (*coordinate)(const dls_joint *joint, const dls_end end[2], dls_row *row);
    /* For a type that keeps numbers of its own. n_state: how many, at most DLS_JOINT_STATE_MAX. start: computes their
     * initial values, after place(). advance: replaces the values in `own` after the ends have moved for h [s]; NULL if
     * the numbers do not follow the ends. */
    size_t n_state;
    dls_status (*start)(const dls_joint *joint, const dls_end end[2], double *joint_state, dls_error *error);
    void (*advance)(const dls_joint *joint, const dls_end before[2], const dls_end after[2], double h,
                    double *joint_state);
    bool driven; /* the numbers are a dls_setpoint */
    bool loaded; /* the first two numbers are the force [N] and the moment [N m] that the joint of its first coordinate
                    transmitted in the last step, without their components along its free directions */
    /* Writes the numbers of a joint that follows a schedule, at a time [s]. Returns false, and writes nothing, if the
     * joint has no schedule. NULL: no joint of the type has one. A simulation calls it before each step with the time
     * at the end of the step. */
    bool (*schedule)(const dls_joint *joint, double time, double *joint_state);
    const dls_row_definition *definitions; /* NULL: no row needs one */
    /* Whether the numbers are locally a function of the positions, which reference trajectories require; NULL: they are
     * not. */
    bool (*holonomic)(const dls_joint *joint);
    /* The first time after `time` [s] at which the numbers of a schedule may not be smooth; infinite: none. NULL: those
     * of no joint of the type have such times. */
    double (*kink)(const dls_joint *joint, double time);
};

/* The joint types of the library, NULL at the end. */
extern const dls_joint_type *const dls_joint_types[];
/* Adds a joint type from outside to those that scenes may name, for all scenes of the process. It must exist as long as
 * the process; adding it twice is no error. Call it before threads read scenes. DLS_BAD_ARGUMENT if another type has
 * its name, or if name, summary, equation, place, count, rows or position is missing; DLS_NO_MEMORY after 64 types. */
dls_status dls_joint_type_add(const dls_joint_type *type, dls_error *error);
/* Type number i, those of the library first, then the added ones; NULL after the last. The type of that name, or NULL.
 */
const dls_joint_type *dls_joint_type_at(size_t i);
const dls_joint_type *dls_joint_type_find(const char *name);

/* Joint types in a shared object, for the program's --joint-type ./mine.so: one line after the descriptors,
 *     DLS_JOINT_PLUGIN(my_type);    or, for several,    DLS_JOINT_PLUGINS(&one_type, &other_type);
 * compiled by  cc -shared -fPIC mine.c $(pkg-config --cflags --libs delassus) -o mine.so
 * An example is examples/own_joint.c. */
typedef struct dls_joint_plugin {
    unsigned version; /* of this struct and of dls_joint_type */
    size_t type_size, joint_size, row_size;
    const dls_joint_type *const *types; /* NULL at the end */
} dls_joint_plugin;
extern const dls_joint_plugin dls_joint_plugin_here; /* the shared object's */
#define DLS_JOINT_PLUGIN_OF(types)                                             \
    {                                                                          \
        1, sizeof(dls_joint_type), sizeof(dls_joint), sizeof(dls_row), (types) \
    }
#define DLS_JOINT_PLUGINS(...)                                                   \
    static const dls_joint_type *const dls_plugin_types[] = {__VA_ARGS__, NULL}; \
    const dls_joint_plugin dls_joint_plugin_here = DLS_JOINT_PLUGIN_OF(dls_plugin_types)
#define DLS_JOINT_PLUGIN(descriptor) DLS_JOINT_PLUGINS(&(descriptor))

/* --- for the types --- */

/* DLS_BAD_INPUT about the setting `key`, for `place`: returns this status. */
dls_status dls_joint_refuse(dls_error *error, const char *key, const char *message);
/* `size` bytes of zeros in the memory of the model, for `prepare`; NULL if memory is exhausted. */
void *dls_joint_memory(struct dls_arena *memory, size_t size);

/* The offset a = R p of the anchor from the centre of mass of an end, and its position x + a; world frame [m]. */
static inline dls_vec3 dls_end_arm(const dls_end *end, const dls_frame *frame) { return dls_mul3(end->R, frame->p); }
static inline dls_vec3 dls_end_anchor(const dls_end *end, const dls_frame *frame)
{
    return dls_add(end->x, dls_end_arm(end, frame));
}
/* The rotation of the joint frame on an end, to the world. */
static inline dls_quat dls_end_rotation(const dls_end *end, const dls_frame *frame)
{
    return dls_quat_mul(end->q, frame->q);
}
/* The frame on `end` that coincides with the world point p and the world rotation q. */
dls_frame dls_end_frame(const dls_end *end, dls_vec3 p, dls_quat q);
/* Initialises a bilateral row with the erp and cfm, or the spring, and the force bounds of the joint; C = 0, J = 0, no
 * parent. */
void dls_row_bilateral(dls_row *row, const dls_joint *joint, const char *label);
/* Gives the row the joint's spring, if it has one. */
void dls_row_set_spring(const dls_joint *joint, dls_row *row);
/* Whether the row has a spring and damper, implicit or explicit, instead of ERP and CFM. */
static inline bool dls_row_springs(const dls_row *row)
{
    return row->kp > 0.0 || row->kd > 0.0 || row->frequency > 0.0;
}
/* J of the relative velocity along the world direction n of two points at offsets a1, a2: [n, a1 x n, -n, -(a2 x n)].
 */
static inline void dls_row_set_linear(dls_row *row, dls_vec3 n, dls_vec3 a1, dls_vec3 a2)
{
    const dls_vec3 turn1 = dls_cross(a1, n), turn2 = dls_cross(a2, n);
    row->J1[0] = n.x, row->J1[1] = n.y, row->J1[2] = n.z;
    row->J1[3] = turn1.x, row->J1[4] = turn1.y, row->J1[5] = turn1.z;
    row->J2[0] = -n.x, row->J2[1] = -n.y, row->J2[2] = -n.z;
    row->J2[3] = -turn2.x, row->J2[4] = -turn2.y, row->J2[5] = -turn2.z;
}
/* J of the relative angular velocity along n: [0, n, 0, -n]. */
static inline void dls_row_set_angular(dls_row *row, dls_vec3 n)
{
    row->J1[3] = n.x, row->J1[4] = n.y, row->J1[5] = n.z;
    row->J2[3] = -n.x, row->J2[4] = -n.y, row->J2[5] = -n.z;
    row->angular = true;
}
/* Makes the row unilateral: lambda >= 0, for a C that must not become negative. C > 0 is a gap, and the row must not
 * act before the gap has closed: J v >= -C / h, which means ERP = 1. For C <= 0 the joint's ERP is used. A spring acts
 * on min(C, 0) at the end of the step: f = -kp (C + h J v) - kd (C + h J v) / h where a gap closes in the step. */
void dls_row_make_unilateral(dls_row *row);

#ifdef __cplusplus
}
#endif

#endif
