/* rig.h - models in motion for experiments: methods of constraint stabilisation, runs under one of them, observed or
 * certified solvers, and measured quantities of a state. Not installed.
 */
#ifndef DLS_EXPERIMENTS_RIG_H
#define DLS_EXPERIMENTS_RIG_H

#include "delassus/experiments.h"
#include "delassus/simulation.h"
#include "delassus/track.h"

#include <math.h>

/* --- methods of constraint stabilisation (method.c) --- */

/* A scheme with one of its settings. */
typedef struct dls_method {
    const char *name, *scheme;
    const char *key, *value; /* of the scheme, or NULL */
    bool soft;               /* every row is a spring and damper instead of having an ERP */
    bool sweeps_only;        /* takes no direct solver, or makes no use of it */
    bool by_erp;             /* ERP is the share of an error that is taken back */
    bool substeps;           /* iterations are substeps */
    bool solves;             /* the scheme has its own iterations, in place of the solver's */
    double order;            /* of its joint error in the step, in theory; NaN: none, the error is a tolerance */
} dls_method;
#define METHOD(...) +1
#define VARIANT(...)
enum { /* one of each kind; variants of them come after */
       DLS_METHODS = 0
#include "study/methods.def"
};
#undef METHOD
#undef VARIANT
extern const dls_method dls_methods[];               /* name NULL at the end */
const dls_method *dls_method_find(const char *name); /* NULL if there is none */

/* How every joint of a scene answers to its error. */
typedef struct dls_stabilisation {
    double erp;              /* [1]; more than 1 is allowed here */
    double frequency, ratio; /* of the rows of a soft method [Hz], [1] */
} dls_stabilisation;
void dls_stabilise_joints(dls_scene *scene, const dls_method *method, const dls_stabilisation *stabilisation);

/* --- solvers (spy.c, ordered.c, certified.c) --- */

/* A solver that is watched. A row-iteration is one row's turn in an iteration; in an iteration of a symmetric sweep a
 * row has two. */
typedef struct dls_spy {
    dls_choice of;        /* the solver it stands in front of */
    dls_solver solver;    /* its descriptor, */
    struct dls_spy *self; /* and, in the place of its settings, the address of this */
    size_t sweeps;        /* in an iteration */
    size_t row_iterations, solves;
    size_t rows_loaded, rows_refreshed; /* of problems that were assembled; that got another c between iterations */
    double visits; /* work of the iterations, in row visits (dls_report); n^3 / 144 for each dense factorisation */
    bool remember; /* set before a step: `start` gets the impulses that the step's first solve begins with */
    double *start; /* or NULL */
    size_t n_start, cap_start;
} dls_spy;
void dls_spy_set(dls_spy *spy, dls_choice of);
void dls_spy_release(dls_spy *spy);

/* An iterative solver whose problems have their rows in another order; its impulses are those of the given rows. Its
 * splitting is that of the reordered problem. */
typedef struct dls_ordered {
    dls_choice of;
    dls_row_order order;
    uint64_t seed;
    dls_solver solver;
    struct dls_ordered *self;
} dls_ordered;
/* The choice points into `ordered`, which must not move. */
dls_choice dls_ordered_set(dls_ordered *ordered, dls_choice of, dls_row_order order, uint64_t seed);

/* The reference solution as a solver: direct methods in turn until the examiner finds one good enough, else the best of
 * them. */
typedef struct dls_certified {
    const char *methods; /* separated by commas; NULL: all of them, as dls_reference_solution_create has them */
    double good_enough;  /* scaled residual */
    size_t facets;       /* that take a cone's place (reference/direct/facets.c), or 0 */
    struct dls_certified_record *record;
} dls_certified;
typedef struct dls_certified_record {
    double residual, worst; /* the examiner's, scaled: of the last solve, of all */
    size_t solves, others;  /* solves; those in which the first method was not good enough */
} dls_certified_record;
extern const dls_solver dls_solver_certified; /* its settings are a dls_certified */

/* --- runs (rig.c) --- */

typedef struct dls_rig_plan {
    const char *method;  /* of dls_methods; NULL: baumgarte */
    const char *solver;  /* its name; NULL: pgs */
    dls_choice with;     /* or a solver of the experiment's own with its settings, which stay the caller's */
    size_t iterations;   /* per step; substeps of small steps */
    dls_row_order order; /* of the rows that the solver gets, */
    uint64_t seed;       /* and its seed */
    bool warm, ledger;
    bool
        diverges; /* a state that is not finite is a finding and no failure; so is a step that the solver left unsolved,
                      and the run goes on */
} dls_rig_plan;

typedef struct dls_rig {
    const dls_model *model;
    dls_simulation *simulation;
    const dls_method *method;
    dls_spy spy;            /* of its solver; turns in sweeps over positions are counted with its row-iterations */
    size_t steps, unsolved; /* unsolved: the solver has no answer */
    size_t failed;          /* the step after which the state was not finite; 0: none */
    dls_examiner *examiner; /* of the problem after so many steps, or NULL */
    size_t examined;
    dls_choice choice;
    dls_ordered ordered; /* between the spy and the solver, unless the order is the given one */
    void *scheme_settings;
    dls_model *owned; /* the model, where the rig made it */
    bool diverges;
    dls_status status; /* the first failure, of dls_rig_next or set by the caller, */
    dls_error *error;  /* and where it is told: that of the opening */
} dls_rig;
/* The model of a scene, which is taken, also on failure. The rig must not move in memory. After a failure it is closed.
 */
dls_status dls_rig_open(dls_rig *rig, dls_scene *scene, const dls_rig_plan *plan, dls_error *error);
/* The same with a model that stays the caller's. */
dls_status dls_rig_open_model(dls_rig *rig, const dls_model *model, const dls_rig_plan *plan, dls_error *error);
dls_status dls_rig_step(dls_rig *rig, double h, dls_error *error);
/* A run to its end, rig->steps counting:
 *
 *     DLS_TRY(dls_rig_open(&rig, scene, &plan, error));
 *     while (dls_rig_next(&rig, h, count))
 *         ...measures after a step...
 *     return dls_rig_end(&rig);
 *
 * Takes a step of h; false where the rig has had `count` steps, has diverged, or has a failure. */
bool dls_rig_next(dls_rig *rig, double h, size_t count);
dls_status dls_rig_end(dls_rig *rig); /* closes it; the first failure */
void dls_rig_close(dls_rig *rig);     /* zeroed is allowed */
static inline const dls_state *dls_rig_state(const dls_rig *rig) { return dls_simulation_state(rig->simulation); }
static inline const dls_configuration *dls_rig_at(const dls_rig *rig)
{
    return dls_simulation_configuration(rig->simulation);
}

/* --- problems to compare solvers on (problem_cases.c) --- */

/* A scene at rest or at work, or contacts that are drawn. */
typedef struct dls_case {
    const char *name, *scene; /* scene NULL: a pile of balls, or drawn contacts where density > 0 */
    double ratio;             /* of the last body's mass to the first one's; 0: as the scene has it */
    dls_law law;              /* of detected contacts */
    size_t steps;             /* before the problem is taken; at least 2, so that there is a warm start */
    double density;           /* rows per velocity of drawn contacts */
    double step;              /* [s] */
} dls_case;
extern const dls_case dls_cases[]; /* name NULL at the end */
typedef struct dls_case_size {
    size_t layers;   /* of the pile: a square pyramid with so many balls along an edge of its base */
    size_t contacts; /* that are drawn */
    uint64_t seed;
} dls_case_size;
/* A problem with the impulses of the step before; open until dls_case_close. */
typedef struct dls_case_open {
    const dls_problem *problem;
    const double *warm; /* n, or NULL */
    dls_rig rig;
    dls_problem *drawn;
} dls_case_open;
dls_status dls_case_begin(dls_case_open *at, const dls_case *of, const dls_case_size *size, dls_error *error);
void dls_case_close(dls_case_open *at);
/* Under Coulomb's cone, with a solution: lambda and w are drawn that obey the law, open, sticking and sliding contacts
 * in equal parts, and b = w - A lambda. Each contact joins two bodies of six velocities; `density` is rows /
 * velocities, beyond 1 the impulses are not unique. */
dls_status dls_draw_contacts(size_t contacts, double density, uint64_t seed, dls_problem **problem, dls_error *error);
/* lambda_i <- lambda_i (1 + share x), x between -1 and 1. */
dls_status dls_perturb(size_t n, double share, uint64_t seed, double *lambda, dls_error *error);

/* --- work up to a certified residual (reach.c) --- */

enum { DLS_REACH_TARGETS = 3 };
extern const double dls_reach_targets[DLS_REACH_TARGETS]; /* 1e-3, 1e-6, 1e-9: of both scaled residuals */
extern const char *const dls_reach_names[DLS_REACH_TARGETS];
/* Every solver of the tables (NULL at the end of `named`: those names), without those that are chosen by name alone.
 * Direct methods get `seconds` each, in a process of their own. */
dls_status dls_reach_choices(const dls_list *named, double seconds, dls_choice **choices, size_t *count,
                             dls_error *error);
typedef struct dls_solver_reach {
    struct {
        double iterations, visits, seconds; /* of the solver alone; NaN: not reached, or visits not counted */
    } to[DLS_REACH_TARGETS];
    dls_outcome claim, certified; /* of the last run: the method's own word, and the examiner's */
    double residual;              /* scaled, of its answer */
} dls_solver_reach;
/* Runs the solver once for each target, from `start` (NULL: 0), up to `limit` iterations and `seconds`. `lambda` gets
 * the last answer. */
dls_status dls_reach_measure(const dls_choice *choice, const dls_problem *problem, dls_examiner *examiner,
                             const double *start, size_t limit, double seconds, double *lambda, dls_solver_reach *reach,
                             dls_error *error);

/* --- measures of a configuration (measure.c) --- */

/* The larger of the two; NaN if either is, so that no figure hides one. */
static inline double dls_worse(double a, double b) { return a > b || isnan(a) ? a : b; }

double dls_energy(const dls_configuration *at); /* kinetic and potential [J] */
/* C of every row of a joint without a bound on its force, springs too, as far as `room` goes; returns how many there
 * are. `angular` may be NULL. */
size_t dls_position_errors(const dls_configuration *at, double *C, bool *angular, size_t room);
/* The largest |C| of these rows without the springs. */
double dls_rigid_error(const dls_configuration *at);
/* C of the first row of joint j. */
double dls_joint_position(const dls_configuration *at, size_t j);
/* The deepest contact that is given in the scene, or 0. [m] */
double dls_given_depth(const dls_configuration *at);
/* The deepest contact, or 0. [m] */
double dls_penetration(const dls_contacts *contacts);
/* The examiner's scaled residual of impulses for the problem of the rig's last step. */
dls_status dls_rig_residual(dls_rig *rig, const double *lambda, double *residual, dls_error *error);
/* The error of the whole answer of the last step: sqrt(dv^T M dv), dv the difference of its v+ to that of the reference
 * solution of its problem, which has at most the scaled residual `good_enough`. A scheme with several problems per step
 * leaves its last one. [sqrt(J)] */
dls_status dls_rig_distance(dls_rig *rig, double good_enough, double *distance, dls_error *error);

/* Where a joint on a track is, and the forces of its rows in the last step. */
dls_track_ride dls_rig_ride(const dls_rig *rig, size_t joint);
dls_track_forces dls_rig_track_forces(const dls_rig *rig, size_t joint);

/* --- scenes (maker.c) --- */

/* scenes/NAME.yaml of those installed; a scene as text, a few thousand characters at most. */
dls_status dls_scene_named(const char *name, dls_scene **scene, dls_error *error);
dls_status dls_scene_text(dls_scene **scene, dls_error *error, const char *format, ...) DLS_PRINTF(3, 4);
/* Copies of a run, since a chaotic motion has no single result. Displaces each body at random by at most `offset` along
 * each axis [m]. */
dls_status dls_scene_displace(dls_scene *scene, dls_vec3 offset, uint64_t seed, dls_error *error);
/* A generic neighbour of a scene, without its symmetry: multiplies each body's mass by 1 - share to 1 + share, and adds
 * at most `share` of its length to each component of gravity. */
dls_status dls_scene_vary(dls_scene *scene, double share, uint64_t seed, dls_error *error);
/* Its model; the scene is destroyed, after a failure too. */
dls_status dls_scene_model(dls_scene *scene, dls_model **model, dls_error *error);

/* A scene in the making. The first failure stays, and calls after it do nothing. */
typedef struct dls_maker {
    dls_scene *scene;
    dls_joint_def joint; /* the one that dls_make_joint began */
    bool open;           /* there is one */
    dls_status status;
    dls_error *error;
} dls_maker;
dls_maker dls_make_scene(dls_vec3 gravity, dls_error *error);
/* A box [m, kg] with its centre at `position`, in the world's axes. */
void dls_make_box(dls_maker *maker, const char *name, dls_vec3 size, double mass, dls_vec3 position, dls_quat turned);
/* A joint between two bodies (NULL: its type's default), and its settings, until the next joint. */
void dls_make_joint(dls_maker *maker, const char *type, const char *name, const char *body1, const char *body2);
void dls_make_set(dls_maker *maker, const char *key, const char *text);
void dls_make_real(dls_maker *maker, const char *key, double value);
void dls_make_vector(dls_maker *maker, const char *key, dls_vec3 value);
void dls_make_term(dls_maker *maker, const char *coordinate, double gear);
/* Ends it: the scene, the caller's from here on, or NULL and the first failure. */
dls_status dls_make_end(dls_maker *maker, dls_scene **scene);

#endif
