/* parts.h - common parts of the experiment on mimic joints: mechanisms, competing constraints, measured runs, findings.
 */
#ifndef DLS_EXPERIMENTS_MIMIC_PARTS_H
#define DLS_EXPERIMENTS_MIMIC_PARTS_H

#include "study/rig.h"
#include "study/study.h"

/* --- mechanisms (cases.c) --- */

typedef enum dls_mimic_group {
    DLS_MIMIC_PARALLEL, /* two rods, C = q_A + G q_B + gamma */
    DLS_MIMIC_SERIES,
    DLS_MIMIC_FOLLOWERS, /* of one leader */
    DLS_MIMIC_FINGER,
    DLS_MIMIC_BRANCHES,
    DLS_MIMIC_ROBOT
} dls_mimic_group;
extern const char *const dls_mimic_group_names[]; /* NULL at the end */
typedef struct dls_mimic_mechanism {
    const char *name;
    dls_mimic_group group;
    double gear;          /* G of two rods, else NaN */
    const char *driven;   /* coordinate B */
    double target, range; /* of a drive on B; the limits of B are -range, range [rad, m] */
    void (*build)(const struct dls_mimic_mechanism *mechanism, dls_maker *maker);
} dls_mimic_mechanism;
enum {
    DLS_MIMIC_PARALLEL_2, /* G = -2, +0.5, -1.7 */
    DLS_MIMIC_PARALLEL_05,
    DLS_MIMIC_PARALLEL_17,
    DLS_MIMIC_SERIES_2,
    DLS_MIMIC_SERIES_05,
    DLS_MIMIC_SERIES_17,
    DLS_MIMIC_STAR,
    DLS_MIMIC_HAND,
    DLS_MIMIC_CHAIN,
    DLS_MIMIC_SIX,
    DLS_MIMIC_GRIPPER,
    DLS_MIMIC_MECHANISMS
};
enum { DLS_MIMIC_ACTUATIONS = 6 };
extern const dls_mimic_mechanism dls_mimic_mechanisms[DLS_MIMIC_MECHANISMS];

/* The load on B beside the mimic joint. */
typedef struct dls_mimic_actuation {
    const char *name;
    double stiffness, damping; /* 0: no drive [N m/rad, N m s/rad; N/m, N s/m] */
    bool limit;
} dls_mimic_actuation;
enum { DLS_MIMIC_ALONE, DLS_MIMIC_DRIVE, DLS_MIMIC_LIMIT = 3, DLS_MIMIC_DRIVE_LIMIT };
extern const dls_mimic_actuation dls_mimic_actuations[DLS_MIMIC_ACTUATIONS];

typedef struct dls_mimic_setup {
    size_t mechanism, actuation;
    bool mimic_last; /* rows of mimic joints after all others; else before them */
    double erp;      /* of the mimic joints */
    double error;    /* C at the start [rad, m] */
} dls_mimic_setup;
dls_status dls_mimic_model(const dls_mimic_setup *setup, dls_model **model, dls_error *error);

/* Parts of them. An articulation "rods" on a fixed root: rod i hangs on rod parent[i], at its lower end, or on the root
 * where that is -1, side by side. */
void dls_mimic_hang(dls_maker *maker, const char *const *names, const int *parent, const double *start, size_t count);
/* A rod of it in a mimic joint. */
typedef struct dls_mimic_term {
    const char *rod;
    double gear;
} dls_mimic_term;
void dls_mimic_couple(dls_maker *maker, const char *name, double gamma, const dls_mimic_term *terms, size_t count);

/* --- the mechanisms of PhysX's table (mimic_physx.c) --- */

enum { DLS_MIMIC_LOADS = 4, DLS_MIMIC_COLUMNS = 4 };
typedef struct dls_mimic_load {
    const char *name;
    double stiffness, damping; /* of the drives [N m/rad, N m s/rad] */
    double target[2];          /* of the drives on A and B; NaN: none [rad] */
    bool limit;                /* of B, 0.3 rad both ways */
    /* Largest |C| in 5 s with PhysX 5.6.1 [rad]: PGS and TGS; parallel and in series; NaN: not published. */
    double physx[2][2][DLS_MIMIC_COLUMNS];
} dls_mimic_load;
extern const dls_mimic_load dls_mimic_loads[DLS_MIMIC_LOADS];
extern const size_t dls_mimic_columns[DLS_MIMIC_COLUMNS]; /* iterations a step */
extern const char *const dls_mimic_order_names[];         /* of the rows in a sweep; NULL at the end */
/* Two thin rods that hang at rest, C = q_A - 2 q_B, under this load. */
dls_status dls_mimic_loaded_model(const dls_mimic_load *load, bool in_series, const char *order, double erp,
                                  dls_model **model, dls_error *error);
/* The ERP of PhysX's TGS: 2 / sqrt(N) of an error, each of the N substeps. */
double dls_mimic_tgs_erp(size_t iterations);
/* Equal to the two digits that were published, or both of them rounding in single precision. */
bool dls_mimic_agrees(double measured, double published);

/* --- runs (run.c) --- */

typedef enum dls_mimic_way {
    DLS_MIMIC_DENSE, /* semi-implicit Euler whose every step takes the certified solution of its problem */
    DLS_MIMIC_PGS,
    DLS_MIMIC_TGS_STEP,
    DLS_MIMIC_TGS_SUBSTEP,
    DLS_MIMIC_WAYS
} dls_mimic_way;
extern const char *const dls_mimic_way_names[DLS_MIMIC_WAYS];
static inline bool dls_mimic_tgs(dls_mimic_way way) { return way >= DLS_MIMIC_TGS_STEP; }

/* The results of a run, `width` numbers per step: joint coordinates [rad, m], then |C| and the energy [J]. */
typedef struct dls_mimic_path {
    size_t count, width;
    double *at; /* count x width */
} dls_mimic_path;
dls_status dls_mimic_path_create(const dls_model *model, size_t count, dls_mimic_path *path, dls_error *error);
void dls_mimic_path_release(dls_mimic_path *path);
/* Line k of a path: a state of a model of one articulation. */
void dls_mimic_path_record(const dls_configuration *at, const dls_state *state, const dls_mimic_path *path, size_t k);
static inline const double *dls_mimic_path_at(const dls_mimic_path *path, size_t k)
{
    return path->at + k * path->width;
}
static inline double dls_mimic_path_error(const dls_mimic_path *path, size_t k)
{
    return path->at[(k + 1) * path->width - 2];
}
static inline double dls_mimic_path_energy(const dls_mimic_path *path, size_t k)
{
    return path->at[(k + 1) * path->width - 1];
}

typedef struct dls_mimic_run {
    dls_mimic_way way;
    size_t iterations;     /* a step; none in the dense way */
    double step, duration; /* [s] */
} dls_mimic_run;

typedef struct dls_mimic_result {
    size_t steps, failed;           /* failed: the step after which the state was not finite; 0: none */
    double worst_error, last_error; /* max over mimic joints of |C| [rad, m] */
    double distance;                /* largest difference of a coordinate to the dense reference; NaN without one */
    double answer_error;            /* largest distance of a step's v+ to that of the solution of its problem,
                                       sqrt(dv^T M dv); NaN without a dense reference [sqrt(J)] */
    double worst_drift, last_drift; /* of the energy since the start [J] */
    double worst_coordinate;        /* largest |q| */
    double worst_residual;          /* the examiner's, scaled, over all steps of the dense way; else NaN */
} dls_mimic_result;

/* `dense` (or NULL) is the path to compare with, of the same model and step; `path` (or NULL) gets this one's, to be
 * released. */
dls_status dls_mimic_measure(const dls_model *model, const dls_mimic_run *run, const dls_mimic_path *dense,
                             dls_mimic_path *path, dls_mimic_result *result, dls_error *error);
/* The same with a model of its own. */
dls_status dls_mimic_try(const dls_mimic_setup *setup, const dls_mimic_run *run, dls_mimic_path *path,
                         dls_mimic_result *result, dls_error *error);

/* --- settings, tables, findings --- */

typedef struct dls_mimic_settings {
    dls_list mechanisms, iterations; /* groups; counts */
    double coarse, fine;             /* steps [s] */
    double duration, contest;        /* [s] */
    double erp, error;
    dls_list physx_orders, physx_erps; /* of the mechanisms of PhysX's table; the first of each for the table itself */
} dls_mimic_settings;

enum {
    DLS_MIMIC_RUNS,
    DLS_MIMIC_SUMMARY,
    DLS_MIMIC_PHYSX,
    DLS_MIMIC_FITS,
    DLS_MIMIC_DECAY,
    DLS_MIMIC_ENERGY,
    DLS_MIMIC_STABILITY,
    DLS_MIMIC_EXACT
};

/* The runs of a mechanism with an actuation in the sweep: coarse and fine steps with the mimic rows first, coarse ones
 * with the mimic rows last. */
typedef enum dls_mimic_kind { DLS_MIMIC_COARSE, DLS_MIMIC_FINE, DLS_MIMIC_LAST, DLS_MIMIC_KINDS } dls_mimic_kind;
enum { DLS_MIMIC_EXACT_CASES = 5 };

typedef struct dls_mimic_findings {
    bool wanted[DLS_MIMIC_MECHANISMS];
    /* Results of the sweep, by number of iterations, of which the dense way has one; steps of 0 where there was no run.
     * */
    dls_mimic_result result[DLS_MIMIC_MECHANISMS][DLS_MIMIC_ACTUATIONS][DLS_MIMIC_KINDS][DLS_MIMIC_WAYS]
                           [DLS_LIST_MAX + 1];
    double dense_error, dense_residual; /* worst of all its dense runs */
    /* Numbers of PGS in PhysX's table, and how many of them are ours too, with the first order and ERP. */
    size_t physx_numbers, physx_agree;
    double decay_deviation; /* largest |measured - predicted| over the first error */
    /* Largest |q| of both stars under TGS, alone and driven; infinite where one left the finite numbers. */
    double star_coordinate[2];
    /* Order of the error in the step, fitted, and the error at the smallest step [rad]; NaN where not measured. */
    double slope[DLS_MIMIC_EXACT_CASES][DLS_MIMIC_WAYS], finest[DLS_MIMIC_EXACT_CASES][DLS_MIMIC_WAYS];
    /* Runs of the driven chain under TGS; how many left the finite numbers, and of all mechanisms under PGS and dense
     * steps. */
    size_t chain_runs, chain_failed, others_failed;
} dls_mimic_findings;
/* How many runs a way has: one for each number of iterations; and the iterations of run i. */
size_t dls_mimic_n_runs(const dls_mimic_settings *set, dls_mimic_way way);
size_t dls_mimic_iterations(const dls_mimic_settings *set, dls_mimic_way way, size_t i);
/* The second number of iterations, or the only one: what energies and orders are shown with. */
size_t dls_mimic_middle(const dls_mimic_settings *set, dls_mimic_way way);

/* --- parts: a table each --- */

dls_status dls_mimic_sweep(dls_study *study, dls_error *error); /* mimic_sweep.c */
dls_status dls_mimic_physx(dls_study *study, dls_error *error); /* mimic_physx.c: beside the figures of PhysX 5.6.1 */
dls_status dls_mimic_fits(dls_study *study, dls_error *error);  /* which order of rows and ERP has them */
dls_status dls_mimic_decay(dls_study *study, dls_error *error); /* studies.c: a lone error over steps */
dls_status dls_mimic_energy(dls_study *study, dls_error *error);
dls_status dls_mimic_stability(dls_study *study, dls_error *error); /* mimics that compete with each other, by erp */
dls_status dls_mimic_exact(dls_study *study, dls_error *error);     /* mimic_exact.c: against reference trajectories */
dls_status dls_mimic_figures(dls_study *study, dls_error *error);

#endif
