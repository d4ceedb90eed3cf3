/* mimic.h - inside the experiment on mimic joints: mechanisms, what competes with them, runs that are measured. */
#ifndef DLS_EXPERIMENTS_MIMIC_H
#define DLS_EXPERIMENTS_MIMIC_H

#include "delassus/experiments.h"

/* --- mechanisms (cases.c) --- */

typedef struct dls_mimic_mechanism {
    const char *name, *group, *caption;
    double gear;          /* G of two rods, else NaN */
    const char *driven;   /* coordinate B */
    double target, range; /* of a drive on B; the limits of B are -range, range [rad, m] */
    dls_status (*build)(const struct dls_mimic_mechanism *mechanism, dls_scene *scene, dls_error *error);
} dls_mimic_mechanism;
extern const dls_mimic_mechanism dls_mimic_mechanisms[]; /* name NULL at the end */
const dls_mimic_mechanism *dls_mimic_find(const char *name);

/* What acts on B beside the mimic joint. */
typedef struct dls_mimic_rival {
    const char *name;
    double stiffness, damping; /* 0: no drive [N m/rad, N m s/rad; N/m, N s/m] */
    bool limit;
} dls_mimic_rival;
extern const dls_mimic_rival dls_mimic_rivals[]; /* the first is none; name NULL at the end */

typedef struct dls_mimic_setup {
    const dls_mimic_mechanism *mechanism;
    const dls_mimic_rival *rival;
    bool mimic_last; /* rows of mimic joints behind all others; else before them */
    double erp;      /* of the mimic joints */
    double error;    /* C at the start [rad, m] */
} dls_mimic_setup;
dls_status dls_mimic_model(const dls_mimic_setup *setup, dls_model **model, dls_error *error);

/* --- runs (run.c) --- */

typedef enum dls_mimic_way {
    DLS_MIMIC_DENSE,
    DLS_MIMIC_PGS,
    DLS_MIMIC_TGS_STEP,
    DLS_MIMIC_TGS_SUBSTEP,
    DLS_MIMIC_WAYS
} dls_mimic_way;
extern const char *const dls_mimic_way_names[DLS_MIMIC_WAYS];

/* What a run leaves behind, `width` numbers a step: joint coordinates [rad, m], then |C| and the energy [J]. */
typedef struct dls_mimic_path {
    size_t count, width;
    double *at; /* count x width */
} dls_mimic_path;
void dls_mimic_path_release(dls_mimic_path *path);
/* How many joint coordinates the one articulation has, and one line of a path. */
size_t dls_mimic_coordinates(const dls_model *model);
void dls_mimic_look(const dls_configuration *at, const dls_state *state, double *to);
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
    double worst_drift, last_drift; /* of the energy since the start [J] */
    double worst_coordinate;        /* largest |q| */
    double worst_residual;          /* the examiner's, scaled, over all steps of the dense way; else NaN */
} dls_mimic_result;

/* `dense` (or NULL) is the path to compare with, of the same model and step; `path` (or NULL) gets this one's, to be
 * released. */
dls_status dls_mimic_measure(const dls_model *model, const dls_mimic_run *run, const dls_mimic_path *dense,
                             dls_mimic_path *path, dls_mimic_result *result, dls_error *error);

/* --- the laboratory (mimic.c) --- */

enum { DLS_MIMIC_COUNTS_MAX = 8 };

typedef struct dls_mimic_settings {
    char mechanisms[DLS_NAME_MAX], iterations[DLS_NAME_MAX];
    double coarse, fine;      /* steps [s] */
    double duration, contest; /* [s] */
    double erp, error;
} dls_mimic_settings;

typedef struct dls_mimic_record {
    dls_mimic_setup setup;
    dls_mimic_run run;
    dls_mimic_result result;
} dls_mimic_record;

typedef struct dls_mimic_lab {
    const dls_job *job;
    const dls_mimic_settings *settings;
    dls_field_table fields;
    size_t iterations[DLS_MIMIC_COUNTS_MAX], n_iterations;
    dls_mimic_record *records;
    size_t n_records, cap_records;
} dls_mimic_lab;

/* Whether the settings name the mechanism's group. */
bool dls_mimic_wanted(const dls_mimic_lab *lab, const dls_mimic_mechanism *mechanism);
/* The second number of iterations, or the only one: what energies are shown with. */
static inline size_t dls_mimic_middle(const dls_mimic_lab *lab) { return lab->iterations[lab->n_iterations > 1]; }
/* A table with the experiment's settings and these columns. */
dls_status dls_mimic_table(const dls_mimic_lab *lab, const char *stem, const char *columns, dls_table **table,
                           dls_error *error);
/* Hands the table over, or gives it up where `status` says so. */
dls_status dls_mimic_finish(dls_table *table, dls_status status, dls_error *error);
/* The result of a run of the sweep, NULL where there was none. In the dense way iterations are 0. */
const dls_mimic_result *dls_mimic_result_of(const dls_mimic_lab *lab, const char *mechanism, const char *rival,
                                            bool mimic_last, double step, dls_mimic_way way, size_t iterations);
/* Builds the model, measures, destroys it. */
dls_status dls_mimic_try(const dls_mimic_setup *setup, const dls_mimic_run *run, dls_mimic_path *path,
                         dls_mimic_result *result, dls_error *error);

/* --- studies (studies.c, exact.c): a table each --- */

typedef struct dls_mimic_case {
    const char *mechanism, *rival;
} dls_mimic_case;
enum { DLS_MIMIC_EXACT_CASES = 3 };
extern const dls_mimic_case dls_mimic_exact_cases[DLS_MIMIC_EXACT_CASES];

/* What the captions say of them. */
typedef struct dls_mimic_findings {
    double decay_deviation; /* largest |measured - predicted| over the first error */
    /* Largest |q| of both stars under TGS, alone and driven; infinite where one left the finite numbers. */
    double star_coordinate[2];
    /* Order of the error in the step, fitted, and the error at the smallest step [rad]; NaN where not measured. */
    double slope[DLS_MIMIC_EXACT_CASES][DLS_MIMIC_WAYS], finest[DLS_MIMIC_EXACT_CASES][DLS_MIMIC_WAYS];
    /* Runs of the driven chain under TGS; how many left the finite numbers, and with the bias over the step and the
     * least erp; of all mechanisms under PGS and dense steps. */
    size_t chain_runs, chain_failed, chain_failed_gentle, others_failed;
} dls_mimic_findings;

/* A lone error over steps, against what erp and time base predict. */
dls_status dls_mimic_decay(const dls_mimic_lab *lab, dls_mimic_findings *found, dls_error *error);
/* Energy over time. */
dls_status dls_mimic_energy(const dls_mimic_lab *lab, dls_error *error);
/* Mimics that compete with each other, by erp: how far they go. */
dls_status dls_mimic_stability(const dls_mimic_lab *lab, dls_mimic_findings *found, dls_error *error);
/* The error against exact trajectories over the step. */
dls_status dls_mimic_exact(const dls_mimic_lab *lab, dls_mimic_findings *found, dls_error *error);
/* Beside the figures of PhysX 5.6.1. */
dls_status dls_mimic_physx(const dls_mimic_lab *lab, dls_error *error);

/* --- figures (figures.c) --- */

dls_status dls_mimic_figures(const dls_mimic_lab *lab, const dls_mimic_findings *found, dls_error *error);

#endif
