/* The reference motion: reference trajectories, in continuous time with an error of about 1e-12. Not installed.
 *
 * A motion of free bodies and articulations with rows, springs, stops, friction and impacts, against which experiments
 * hold the schemes. trajectory.c chooses the steps, trajectory_chart.c is what they integrate and projects,
 * prince_dormand.c is one step of the integrator, trajectory_rows.c evaluates the rows of all joints with J and Jdot v,
 * trajectory_system.c solves for vdot. trajectory_events.c finds where the motion stops being smooth and goes on from
 * there, trajectory_modes.c finds all ways in which it can. The room has its own assembly and its own complementarity,
 * so that it is a check of lib/problem and of every solver; it evaluates joints and configurations by lib. Whatever
 * solves a problem of one step may not enter. */
#ifndef DELASSUS_REFERENCE_TRAJECTORY_PARTS_H
#define DELASSUS_REFERENCE_TRAJECTORY_PARTS_H

#include "base/memory.h"
#include "delassus/contact.h"
#include "delassus/reference.h"

typedef enum trajectory_kind {
    TRAJECTORY_BILATERAL, /* C = 0, J v = 0 */
    TRAJECTORY_SPRING,    /* a force that follows from C and J v, within bounds */
    TRAJECTORY_OPEN,      /* unilateral, with an open gap: watched, and no force */
    /* With events alone: */
    TRAJECTORY_GONE,   /* of a joint that has broken */
    TRAJECTORY_STOP,   /* unilateral: C >= 0 */
    TRAJECTORY_SPEED,  /* J v = u by a force within bounds, and no C */
    TRAJECTORY_BOX,    /* friction of one tangent by the force of the normal row */
    TRAJECTORY_DISC,   /* the first tangent of Coulomb's disc */
    TRAJECTORY_SECOND, /* and the second, the next row */
} trajectory_kind;

/* The part that a row has in the motion from one event to the next. */
typedef enum trajectory_mode {
    TRAJECTORY_HELD,    /* its acceleration is 0: C = 0, or J v = u */
    TRAJECTORY_ABSENT,  /* no force: an open gap */
    TRAJECTORY_FOLLOWS, /* the force of its spring */
    TRAJECTORY_AT_LO,   /* the force lo, or hi */
    TRAJECTORY_AT_HI,
    TRAJECTORY_SLIDES /* -mu f_n along the velocity of sliding */
} trajectory_mode;

typedef struct trajectory_row {
    size_t owner;    /* a joint, or n_joints + a pair */
    size_t mover[2]; /* its ends that move, in their order; DLS_WORLD: those that do not */
    const char *label;
    trajectory_kind kind;
    trajectory_mode mode;
    double C, kp, kd, u, feed, lo, hi;
    double carried; /* the part of kinematic ends in its rate */
    double size;    /* of C: sum of |J_i| unit_i if nothing in the entries cancelled */
    double mu;      /* friction */
    size_t parent;  /* of friction: its normal row */
    bool soft;      /* a spring that only pushes, while C <= 0 */
    double restitution, threshold;
    int impact;              /* dls_impact_law */
    double force;            /* as last evaluated */
    bool begins;             /* to slide, since the last event; until it is no longer slow */
    bool slow;               /* it slides so slowly that the direction follows from the accelerations */
    double onset, direction; /* of sliding, e in f = -mu f_n e: since the last event, and as last evaluated */
    double floor;            /* the gap at which an open stop closes: 0, or below it by rounding where it was left */
    double left_at;          /* the speed with which the stop was last left; infinite: never */
} trajectory_row;

/* --- contacts (trajectory_pairs.c) --- */

/* A point with a radius on the first end, and a plane, a sphere or a box on the second; in the axes of the ends, from
 * their centres of mass. */
typedef struct trajectory_pair {
    size_t body[2];
    dls_vec3 point, centre, normal;
    double radius, other; /* of the point, and of the sphere */
    bool plane;
    dls_vec3 half; /* of a box: half its sizes, else 0 */
    dls_quat turn; /* and its axes */
} trajectory_pair;

/* --- kinematic bodies and schedules (trajectory_given.c) --- */

/* A body with a given motion: x + v (t - start) + swing (sin(w t + phase) - sin(w start + phase)), and the rotation
 * omega (t - start) from q. */
typedef struct trajectory_given {
    size_t body, prescribed;
    dls_vec3 x, v, omega, swing;
    dls_quat q;
    double start, w, phase;
} trajectory_given;

/* --- rows of all joints and pairs in a state (trajectory_rows.c) --- */

typedef struct trajectory_rows {
    const dls_model *model;
    dls_model_counts has; /* the model, and its parts */
    const dls_body *bodies;
    const dls_joint *joints;
    const dls_model_articulation *articulations;
    size_t n_pairs, n_given;
    trajectory_pair *pairs;
    trajectory_given *given; /* kinematic bodies */
    double kink;             /* of schedules, after the start of the step [s] */
    size_t n;                /* of all kinds */
    size_t n_bilateral;
    double length;       /* the size of the scene, a power of 2 [m] */
    double *unit;        /* nv: `length` where a velocity is linear, 1 where it is angular */
    double grain;        /* of what is below resolution: the fourth root of the tolerance, 1 at the default */
    bool events;         /* rows of every kind, each in its mode; else the kinds of a smooth motion alone */
    bool constant;       /* J of every bilateral row is */
    trajectory_row *row; /* n */
    double *JT;          /* nv x n: column i is row i of J */
    double *drift;       /* n: Jdot v */
    double *coarse;      /* n: the same to two orders less */
    double drift_terms;  /* sizes of the terms in drift, against the size of each row */
    double **link;       /* n_articulations: dense Jacobian of an articulation's links; NULL where no row needs it */
    dls_state *probe;
    dls_configuration *at, *aside; /* of the state last evaluated, and of the probe */
} trajectory_rows;

/* All pairs of solids that may touch, as points on planes and spheres; DLS_REFUSED where they are other shapes. */
dls_status trajectory_pairs_list(trajectory_rows *rows, dls_arena *memory, dls_error *error);
dls_contact trajectory_pair_contact(const trajectory_rows *rows, const trajectory_pair *pair, const dls_end end[2]);
/* The relative speed of a point over its distance from the place where its nearest point on a box passes from a face to
 * an edge, or from there to a corner [1/s]; 0 of other pairs. */
double trajectory_pair_rate(const trajectory_pair *pair, const dls_end end[2]);

/* The name of a joint, or of the bodies of a pair. */
enum { TRAJECTORY_NAME = 2 * DLS_NAME_MAX + 32 };
const char *trajectory_owner_name(const trajectory_rows *rows, size_t owner, char text[TRAJECTORY_NAME]);
/* Refuse rows of which the motion is not known: with `events` false, all that allow no smooth motion. The rows' kinds
 * are found in `start`. */
dls_status trajectory_rows_create(trajectory_rows *rows, const dls_model *model, const dls_state *start,
                                  bool ignore_open_limits, bool events, dls_arena *memory, dls_error *error);
void trajectory_rows_destroy(trajectory_rows *rows);
/* The kinematic bodies, from where they are in `start`. */
dls_status trajectory_given_list(trajectory_rows *rows, const dls_state *start, dls_arena *memory, dls_error *error);
/* The next kink of a schedule after the start of a step. */
void trajectory_given_begin(trajectory_rows *rows, double time);
/* Places them in a state at a time [s] of this step, with their velocities, and the setpoints of schedules. */
void trajectory_given_place(const trajectory_rows *rows, dls_state *state, double time);
/* How fast they turn or swing at most [1/s]. */
double trajectory_given_rate(const trajectory_rows *rows);
/* q <- q (+) v of a state, and kinematic bodies to a time [s]. */
void trajectory_rows_move(trajectory_rows *rows, dls_state *state, const double *v, double time);
/* C, kp, kd, u and J in a state, whose configuration becomes rows->at. */
void trajectory_rows_evaluate(trajectory_rows *rows, const dls_state *state);
/* The velocity that a row is held to. */
static inline double trajectory_row_target(const trajectory_row *row)
{
    return row->kind == TRAJECTORY_SPEED ? row->u : 0.0;
}
/* The force that a joint transmits and the torque about its anchor, as lib/simulation/breaks.c has them, from the
 * forces of its rows as evaluated. */
void trajectory_rows_strain(const trajectory_rows *rows, size_t joint, double *force, double *torque);
/* Takes away the rows of a joint, and of joints on its coordinate. */
void trajectory_rows_break(trajectory_rows *rows, size_t joint);
/* drift = Jdot v of the rows, in a state that has been evaluated. Returns its estimated error
 * against |J| |v| times how fast the ends turn. */
double trajectory_rows_drift(trajectory_rows *rows, const dls_state *state);
/* max |C| and max |J v - u| of the rows that are held, as evaluated; `relative`: against the sizes of the rows. */
typedef struct trajectory_errors {
    double C, Jv, relative_C, relative_Jv;
} trajectory_errors;
trajectory_errors trajectory_rows_errors(const trajectory_rows *rows, const double *v);
/* max |x_i| / unit_i of a generalised velocity, or of a change of the positions. */
double trajectory_rows_largest(const trajectory_rows *rows, const double *x);
bool trajectory_row_acts(const trajectory_rows *rows, size_t i);                    /* J_i is not 0 to rounding */
double trajectory_row_rate(const trajectory_rows *rows, size_t i, const double *v); /* J_i v */
/* J_i v and the part of kinematic ends: the rate of C, in the state as evaluated. */
static inline double trajectory_row_speed(const trajectory_rows *rows, size_t i, const double *v)
{
    return trajectory_row_rate(rows, i, v) + rows->row[i].carried;
}

/* --- one step of an ordinary differential equation y' = f(y) (prince_dormand.c) --- */

enum { TRAJECTORY_STEP_WORK = 13 };
/* y, n numbers, goes on by h, and `error` is what a method of one order less misses of it; `slope` is f at the start,
 * `work` has TRAJECTORY_STEP_WORK n numbers. False where f has no value, and y is spent. */
bool trajectory_step(bool (*f)(void *context, const double *y, double *slope), void *context, size_t n, double h,
                     const double *slope, double *y, double *error, double *work);

/* --- M vdot = tau - C - g + J^T f (trajectory_system.c) --- */

typedef struct trajectory_system {
    size_t nv;
    double *M;          /* nv x nv; then its Cholesky factor L */
    double *force;      /* nv: tau - C - g and springs; then M^-1 of it */
    double *W;          /* nv x n: L^-1 J^T of the rows in use */
    double *side;       /* nv + n */
    double *tau, *work; /* LAPACK's */
    int work_size;
    int *pivot;           /* n */
    size_t *held, n_held; /* n: the rows that are held */
    size_t *basis;        /* rank of them: independent ones */
    double *pushed;       /* nv: scratch */
    double *V, *K, *f;    /* nv x n, n x n, n: L^-1 G^T, J M^-1 G^T and the forces of the basis; K alone with events */
    /* Memory of dgelsd, for rows that share a load: */
    double *share, *singular, *share_work;
    int *share_integers, share_size;
    double *full;         /* n x n: A = J M^-1 G^T of all rows, with events */
    size_t n;             /* of all rows */
    bool slides;          /* some row does */
    size_t rank, weak;    /* weak: of the independent rows, how many the others nearly give */
    size_t *touched;      /* nv: columns that a bilateral row has */
    size_t columns;       /* nv - rank */
    double *Z;            /* nv x columns, orthonormal, J Z = 0; columns of J that are 0 are not mixed with others */
    double *MZ, *reduced; /* nv x columns; Z^T M Z */
} trajectory_system;

dls_status trajectory_system_create(trajectory_system *system, const trajectory_rows *rows, dls_arena *memory,
                                    dls_error *error);
/* Rows, L and `force` in a state. `factor` false: leaves M in the place of L. */
dls_status trajectory_system_evaluate(trajectory_system *system, trajectory_rows *rows, const dls_state *state,
                                      bool factor, dls_error *error);
/* The independent rows among those that are held. After evaluate. */
dls_status trajectory_system_choose(trajectory_system *system, const trajectory_rows *rows, dls_error *error);
/* The rank of some rows. */
size_t trajectory_system_rank(trajectory_system *system, const trajectory_rows *rows, const size_t *row, size_t n);
/* G_i^T: J_i^T, and the friction that slides by the force of row i. */
void trajectory_system_column(const trajectory_system *system, const trajectory_rows *rows, size_t i, double *to);
/* X = L^-1 X, nv x columns. */
void trajectory_system_lower(const trajectory_system *system, double *X, size_t columns);
/* x += the smallest change in the mass metric with J_i dx = side[k], i = basis[k]. `side` becomes the change. */
dls_status trajectory_system_correct(trajectory_system *system, const trajectory_rows *rows, double *x,
                                     dls_error *error);
/* vdot by Gauss' principle, and the forces of the rows. After evaluate, whose `force` it spends, and with the drift of
 * the rows. */
dls_status trajectory_system_accelerate(trajectory_system *system, trajectory_rows *rows, double *vdot,
                                        dls_error *error);
/* force = M^-1 force; A = J M^-1 G^T of all rows, n x n, in `full`. The columns of normal rows whose friction slides
 * have it. After evaluate. */
void trajectory_system_dense(trajectory_system *system, const trajectory_rows *rows);
/* v += M^-1 J^T z, z of all rows. After evaluate. */
void trajectory_system_strike(trajectory_system *system, const trajectory_rows *rows, const double *z, double *v);
/* Z, rank and columns. After rows were evaluated; M is scratch. */
dls_status trajectory_system_null_space(trajectory_system *system, const trajectory_rows *rows, dls_error *error);
/* wdot of v = Z w. After evaluate without factor. */
dls_status trajectory_system_eliminate(trajectory_system *system, const dls_state *state, double *wdot,
                                       dls_error *error);

/* --- rows that share a load (trajectory_share.c) --- */

dls_status trajectory_share_create(trajectory_system *system, dls_arena *memory, dls_error *error);
/* The independent rows, and with events a refusal of sliding on contacts whose shares in a load decide the motion. `v`
 * tells how well directions of sliding are known. */
dls_status trajectory_share_choose(trajectory_system *system, const trajectory_rows *rows, const double *v,
                                   dls_error *error);
/* The factor of the friction of a contact with the force `normal` in the least norm of the forces, against the largest
 * force. */
double trajectory_share_weight(double normal, double largest);
/* With events, forces of all rows that are held from those of the basis, and of friction that slides. After the
 * accelerations. */
void trajectory_share_forces(trajectory_system *system, trajectory_rows *rows);

/* --- one contact that begins to slide (trajectory_disc.c) --- */

/* w_t = B z_t + c of its tangents, and z_n = d + k . z_t of its normal row. */
typedef struct trajectory_disc {
    double B[2][2], c[2], d, k[2], mu;
    double error; /* of these numbers, against the largest terms of the equation */
} trajectory_disc;

typedef struct trajectory_slide {
    double angle, z[2]; /* sliding along (cos, sin) of the angle, and its friction z_t */
    bool decided;       /* false: two near solutions, one, or none, within the error */
} trajectory_slide;

enum { TRAJECTORY_SLIDES_MAX = 16 };
/* Every z_t = -mu z_n u with z_n >= 0 and w_t along u or -u, |u| = 1; their number. */
size_t trajectory_disc_slides(const trajectory_disc *of, trajectory_slide slide[TRAJECTORY_SLIDES_MAX]);

/* --- all ways to go on (trajectory_modes.c) --- */

typedef enum trajectory_law {
    TRAJECTORY_CHOICE_FREE,
    TRAJECTORY_CHOICE_UNILATERAL,
    TRAJECTORY_CHOICE_INTERVAL,
    TRAJECTORY_CHOICE_BOX,
    TRAJECTORY_CHOICE_DISC,
    TRAJECTORY_CHOICE_SECOND
} trajectory_law;

typedef struct trajectory_choice {
    trajectory_law law;
    size_t row;        /* of the rows of the trajectory */
    size_t parent;     /* of friction: its normal row among the choices */
    size_t group;      /* the same for rows of the same bodies, which share their load */
    double mu, lo, hi; /* lo of a unilateral row, too: its least force, which it has while it is open */
    int digit;         /* of the solution: 0 holds, 1 open, at lo or sliding, 2 at hi */
    double onset;      /* e of a disc that slides, z_t = -mu z_n e */
} trajectory_choice;

typedef struct trajectory_modes {
    size_t n;
    trajectory_choice *choice; /* n */
    double *A, *b;             /* n x n, n */
    double *terms;             /* n: sizes of the terms of which b is the sum, and rounded by; 0: b is exact */
    size_t solutions;          /* with different w */
    size_t closed;             /* contacts of the first */
    size_t undecided;          /* others that may be two, or none, within rounding */
    bool searched;             /* some modes were searched, and not solved: there may be more solutions */
    double *push, *best, *z, *w, *found, *slid, *K, *held, *side, *trial, *scale, *singular, *work;
    size_t *active;
    int *digit, *integers, work_size;
    double *weight;       /* n: of z in the least norm */
    double *even;         /* n: of friction: the least scale of its group over its own; else 1 */
    size_t rank;          /* of the rows that hold */
    double force, motion; /* the sizes of z sqrt(A_ii) and of w / sqrt(A_ii) */
} trajectory_modes;

/* Memory for up to n rows. */
dls_status trajectory_modes_create(trajectory_modes *modes, size_t n, dls_arena *memory, dls_error *error);
/* All solutions: their number in `solutions`, and one of them in z and the choices. DLS_REFUSED where there are too
 * many modes. */
dls_status trajectory_modes_solve(trajectory_modes *modes, double *z, dls_error *error);

/* --- a trajectory (trajectory.c) --- */

enum { TRAJECTORY_EVENT_LIMIT = 100000 };

/* A state from which a step began. */
typedef struct trajectory_kept_row {
    trajectory_kind kind;
    trajectory_mode mode;
    bool begins;
    double onset, direction;
} trajectory_kept_row;

typedef struct trajectory_kept {
    dls_state *state;
    double late;
    trajectory_kept_row *row; /* of all rows */
} trajectory_kept;

struct dls_trajectory {
    const dls_model *model;
    dls_trajectory_settings settings;
    dls_trajectory_report report;
    dls_error failure; /* status DLS_OK: none yet */
    dls_arena memory;
    dls_error trial; /* why the last derivative could not be evaluated */
    trajectory_rows rows;
    trajectory_system system;
    dls_state *base, *now;
    double late;               /* the base's time and this are the time: what rounding has lost [s] */
    size_t nv;                 /* of the model */
    size_t n;                  /* of p, and of w */
    size_t rank;               /* of the rows that are held since the last event */
    double h;                  /* to be tried next [s] */
    double *y, *error, *slope; /* 2 n + 1: p, w and the time since the start of the step */
    double *work;              /* TRAJECTORY_STEP_WORK times as many */
    double *d, *v;             /* nv */
    size_t n_turns, *turn;     /* where rotation vectors start */
    /* With events: */
    trajectory_modes modes;
    size_t n_watch;   /* 2 of each row, then 2 of each joint */
    double *watch[3]; /* n_watch: at the start of a step, at its end, and in between */
    double *rate;     /* rows: J v at the start of a step */
    double *z;        /* rows: forces or impulses of an event */
    double force_scale;
    size_t barren; /* events since time went on */
    dls_trajectory_event *event;
    size_t n_events;
    /* With a history: */
    trajectory_kept *kept, present; /* n_kept, in the order of time; the base while another time is visited */
    size_t n_kept, kept_capacity;
    bool is_kept; /* the base is the last of them */
};

/* --- states, forces, and the steps so far (trajectory_history.c) --- */

/* The state with the joints that have broken, and all rows as evaluated at a velocity v; `rows` may be NULL. */
void trajectory_write_state(const dls_trajectory *e, const dls_state *from, dls_state *to);
void trajectory_write_forces(const dls_trajectory *e, const double *v, dls_trajectory_force *rows);
dls_status trajectory_history_create(dls_trajectory *e, dls_error *error);
/* Keeps the base, if it is not kept already. */
dls_status trajectory_history_keep(dls_trajectory *e, dls_error *error);
void trajectory_history_destroy(dls_trajectory *e);

/* --- the equation in the chart of a step (trajectory_chart.c) --- */

static inline bool trajectory_eliminates(const dls_trajectory *e)
{
    return e->settings.method == DLS_TRAJECTORY_ELIMINATION;
}
static const double trajectory_left_tolerance = 1e-9; /* of C and J v, against the size of the row: Newton's method ends
                                                         far below, or its rows contradict each other */
/* full = Z x. */
void trajectory_spread(const dls_trajectory *e, const double *x, double *full);
/* The base onto the rows that are held, of which `choose` chooses a basis; by how much an entry was changed. */
dls_status trajectory_project(dls_trajectory *e, bool choose, double *moved, dls_error *error);
/* Evaluates the rows, vdot and forces at y from the base, as the integrator does. */
bool trajectory_derivative(void *trajectory, const double *y, double *slope);
/* A step of h from the base into y; its error against what is allowed, NaN where it has none. */
double trajectory_attempt(dls_trajectory *e, double h);
/* Onto the rows that are held, of which a basis is chosen. */
dls_status trajectory_settle(dls_trajectory *e, dls_error *error);
/* The slope at the base. */
dls_status trajectory_begin_step(dls_trajectory *e, dls_error *error);

/* --- the problems of events (trajectory_choices.c) --- */

static const double trajectory_touching = 1e-11; /* of gaps against the size of their row, and of slow rates */

static inline const trajectory_row *trajectory_row_of(const dls_trajectory *e, size_t i) { return &e->rows.row[i]; }
/* The rate of row i at the largest velocity in the base, in units of the scene, and the rate that counts as none. */
double trajectory_fast_rate(const dls_trajectory *e, size_t i);
double trajectory_slow_rate(const dls_trajectory *e, size_t i);
/* e->rate: J v of all rows in the base. */
void trajectory_find_rates(dls_trajectory *e);
bool trajectory_is_closed(const dls_trajectory *e, size_t i); /* a stop without a gap */
dls_status trajectory_record(dls_trajectory *e, dls_trajectory_event_kind kind, size_t i, double time, double speed,
                             dls_error *error);
dls_status trajectory_refuse_at(const dls_trajectory *e, size_t i, const char *why, dls_error *error);
extern const char *const trajectory_shared; /* why: rows depend on each other, and modes are not all of their forces */
/* Adds a row to e->modes, and the rows of friction whose normal row is there. */
void trajectory_add_choice(dls_trajectory *e, trajectory_choice choice);
void trajectory_add_friction(dls_trajectory *e, size_t i, trajectory_law law);
/* The one solution of these rows, w = b + A z with b of all rows, into e->watch[2]; refuses none, or several. */
dls_status trajectory_solve_choices(dls_trajectory *e, const double *b, double terms, size_t about, const char *of,
                                    dls_error *error);

/* --- impacts (trajectory_impacts.c) --- */

/* Impulses of all closed stops, if one of them approaches; changes the velocities of the base. Sliding has no part: J
 * for G. */
dls_status trajectory_pass_impact(dls_trajectory *e, bool *any, dls_error *error);

/* --- the impact of one contact by Stronge's law (trajectory_stronge.c) --- */

/* w += A z of a normal row and both tangents, w before the impact with w[0] < 0. */
typedef struct trajectory_struck {
    double A[3][3], w[3], mu, e;
} trajectory_struck;

/* False: the impact has no end. */
bool trajectory_strike_stronge(const trajectory_struck *of, double impulse[3]);

/* --- events (trajectory_events.c) --- */

dls_status trajectory_events_create(dls_trajectory *e, dls_error *error);
/* The modes at the start. */
dls_status trajectory_events_start(dls_trajectory *e, dls_error *error);
/* Keeps the functions at the base, with which the next step is compared. After the slope there. */
void trajectory_events_mark(dls_trajectory *e);
/* The longest step from the base that misses no flight. */
double trajectory_events_limit(const dls_trajectory *e);
/* The first event in the step h that has just been taken into y, and the time until it; h where there is none. */
double trajectory_events_find(dls_trajectory *e, double h, size_t *which);
/* Whether a contact has all but stopped to slide, on a path that turns: the event of that. */
bool trajectory_events_end_sliding(const dls_trajectory *e, size_t *which);
/* Goes on after it; the base is there. */
dls_status trajectory_events_pass(dls_trajectory *e, size_t which, dls_error *error);

#endif
