/* parts.h - shared parts of the experiment on temporal coherence: piles and chains, laws, findings. */
#ifndef DLS_EXPERIMENTS_COHERENCE_PARTS_H
#define DLS_EXPERIMENTS_COHERENCE_PARTS_H

#include "study/rig.h"
#include "study/study.h"

/* --- runs (coherence_rig.c) --- */

/* Ten boxes on each other; a hundred in a wall, both with contacts by collision detection; a chain of ten balls
 * released from the side; one of equal balls that hangs straight down. */
typedef enum dls_coherence_scene {
    DLS_COHERENCE_STACK,
    DLS_COHERENCE_WALL,
    DLS_COHERENCE_CHAIN,
    DLS_COHERENCE_PLUMB
} dls_coherence_scene;
/* `number`: of a pile the gap from which on contacts are detected [m]; of the chain the mass of the last ball over that
 * of the others; of the plumb line its ERP. */
typedef struct dls_coherence_run {
    dls_coherence_scene scene;
    double number;
    const char *method;
    size_t iterations; /* of PGS per step */
    double step;       /* [s] */
    bool warm;
    unsigned long seed; /* of a displacement of each body by at most DLS_COHERENCE_OFFSET; 0: none */
} dls_coherence_run;
#define DLS_COHERENCE_OFFSET 1e-9           /* along x and along y [m] */
#define DLS_COHERENCE_STACK_MARGIN 0.01     /* [m] */
#define DLS_COHERENCE_WALL_MARGIN 0.002     /* less than the gap between bricks of a course [m] */
#define DLS_COHERENCE_HOLDS "split-impulse" /* the scheme under which piles stand best */
enum { DLS_COHERENCE_BODIES = 10 };         /* of stack and chains */
/* A state that is not finite is a finding of the rig, not a failure. */
dls_status dls_coherence_open(const dls_coherence_run *run, dls_rig *rig, dls_error *error);
double dls_coherence_height(const dls_rig *rig); /* z of the last body, against its start [m] */

/* --- settings, tables, findings --- */

typedef struct dls_coherence_settings {
    double duration, step, wall_step; /* [s] */
    size_t iterations, copies, copies_short, drive, limit, samples, wall_steps;
} dls_coherence_settings;

enum {
    DLS_COHERENCE_LAW,
    DLS_COHERENCE_CHAIN_RUNS,
    DLS_COHERENCE_CHAIN_SUMMARY,
    DLS_COHERENCE_STANDS,
    DLS_COHERENCE_STAND_SUMMARY,
    DLS_COHERENCE_ITERATIONS,
    DLS_COHERENCE_WALL_RUNS,
    DLS_COHERENCE_WALL_SUMMARY
};

enum { DLS_COHERENCE_TARGETS = 3, DLS_COHERENCE_SCHEMES = 4 };
extern const char *const dls_coherence_starts[2]; /* cold, warm */
extern const char *const dls_coherence_chain_schemes[DLS_COHERENCE_SCHEMES];

/* The findings in captions. */
typedef struct dls_coherence_findings {
    double law_deviation;                   /* largest difference of a growth, where it is above 0.95 */
    size_t stood[DLS_COHERENCE_SCHEMES][2]; /* runs of euler, tgs, split impulse and small steps that stood to the end,
                                               cold, warm, */
    size_t stacks;                          /* of so many of each */
    size_t stood_split; /* of `copies` under split impulse, warm, without a margin and without more work */
    /* Iterations to targets[1], of stack and wall, cold and warm; the limit where it was not reached. */
    double mean[2][2];
    size_t unreached[2][2];
    double chain[2][DLS_COHERENCE_SCHEMES][2]; /* largest joint error, of ratio, scheme, start [m] */
    double wall_residual, wall_height;         /* the wall that held best, at the end */
} dls_coherence_findings;

/* --- a stack that stands (stand.c) --- */

typedef struct dls_coherence_stand {
    double fell;              /* [s]; NaN: never */
    double height, low, high; /* of the top, against its start: at the end, extremes of the second half [m] */
    double aside;             /* of the top, at the end [m] */
    double depth;             /* deepest contact in the second half [m] */
    double residual;          /* mean of every tenth step, of the second half */
} dls_coherence_stand;
dls_status dls_coherence_measure_stand(const dls_coherence_run *run, double duration, dls_coherence_stand *result,
                                       dls_error *error);

/* --- why it breathes (law.c) --- */

/* The largest root of the linear law (its opening comment): growth per step, and the period in steps (0: none). kappa:
 * the share of a mode's error that a solve removes. */
void dls_coherence_law(double kappa, double erp, double *growth, double *period);
/* The same over all modes of DLS_COHERENCE_BODIES equal balls that hang straight down, or boxes that stand on one
 * point each, under `iterations` of PGS. */
void dls_coherence_predict(size_t iterations, double erp, double *growth, double *period);
/* Measured on the balls. */
dls_status dls_coherence_measure_law(size_t iterations, double erp, size_t steps, double *growth, double *period,
                                     dls_error *error);

/* --- iterations (coherence_iterations.c) --- */

extern const double dls_coherence_targets[DLS_COHERENCE_TARGETS]; /* scaled residuals */
/* Iterations of PGS from lambda0 (NULL: 0) to each target, on the problem of the last step; SIZE_MAX: more than
 * `limit`. at_start: the scaled residual of lambda0. */
dls_status dls_coherence_count(dls_rig *rig, const double *lambda0, size_t limit, size_t counts[DLS_COHERENCE_TARGETS],
                               double *at_start, dls_error *error);

/* --- parts: their tables and findings --- */

dls_status dls_coherence_laws(dls_study *study, dls_error *error);
dls_status dls_coherence_chains(dls_study *study, dls_error *error);
dls_status dls_coherence_stands(dls_study *study, dls_error *error);
dls_status dls_coherence_iterations(dls_study *study, dls_error *error);
dls_status dls_coherence_walls(dls_study *study, dls_error *error);
dls_status dls_coherence_figures(dls_study *study, dls_error *error);

#endif
