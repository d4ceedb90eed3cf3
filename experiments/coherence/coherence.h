/* coherence.h - inside the experiment on temporal coherence: what is run, how it is measured. */
#ifndef DLS_EXPERIMENTS_COHERENCE_H
#define DLS_EXPERIMENTS_COHERENCE_H

#include "delassus/experiments.h"

/* --- the laboratory (coherence.c) --- */

typedef struct dls_coherence_settings {
    double duration, step, wall_step; /* [s] */
    size_t iterations, drive, limit, samples, wall_steps;
} dls_coherence_settings;

enum { DLS_COHERENCE_TARGETS = 3, DLS_COHERENCE_SCHEMES = 4 };

/* What captions tell. */
typedef struct dls_coherence_findings {
    double law_deviation;    /* largest difference of a growth, where it is above 0.95 */
    size_t stood[2], stacks; /* cold, warm, of each so many */
    double mean[2]
               [2]; /* iterations to targets[1], of stack and wall, cold and warm; the limit where it was not reached */
    size_t unreached[2][2];
    double chain[2][DLS_COHERENCE_SCHEMES][2];  /* largest joint error, of ratio, scheme, start [m]; 0: not run */
    double wall_residual, wall_height, wall_ms; /* the wall that held best, at the end */
} dls_coherence_findings;

typedef struct dls_coherence_lab {
    const dls_job *job;
    const dls_coherence_settings *settings;
    dls_field_table fields;
    dls_coherence_findings *found;
} dls_coherence_lab;
extern const char *const dls_coherence_schemes[DLS_COHERENCE_SCHEMES]; /* of the chain; some may not be there */
/* A table with the settings of the experiment; it is committed if `status` is DLS_OK, else it goes. */
dls_status dls_coherence_table(const dls_coherence_lab *lab, const char *stem, const char *columns, dls_table **table,
                               dls_error *error);
dls_status dls_coherence_finish(dls_table *table, dls_status status, dls_error *error);

/* --- what is run (run.c) --- */

typedef struct dls_coherence_way {
    const char *scheme, *key, *value; /* a setting of the scheme, or NULL */
    size_t iterations;
    double step; /* [s] */
    bool warm;
} dls_coherence_way;

typedef struct dls_coherence_machine {
    dls_model *model;
    dls_simulation *simulation;
    dls_choice choice; /* PGS */
    const dls_scheme *scheme;
    void *settings;
    double step;
} dls_coherence_machine;
/* Takes the model, whatever happens. A scheme that is not there is an error. */
dls_status dls_coherence_open(dls_model *model, const dls_coherence_way *way, dls_coherence_machine *m,
                              dls_error *error);
dls_status dls_coherence_step(dls_coherence_machine *m, dls_error *error);
void dls_coherence_close(dls_coherence_machine *m); /* zeroed is allowed */
/* The examiner's scaled residual of the last step. */
dls_status dls_coherence_residual(const dls_coherence_machine *m, const double *lambda, double *residual,
                                  dls_error *error);

/* Models: ten boxes on each other, and a hundred in a wall, whose contacts are found from `margin` on; a chain of ten
 * balls let go from the side, the last one `ratio` times as heavy; one of equal balls that hangs straight down, with
 * that ERP. */
dls_status dls_coherence_stack(double margin, dls_model **model, dls_error *error);
dls_status dls_coherence_wall(double margin, dls_model **model, dls_error *error);
dls_status dls_coherence_chain(double ratio, dls_model **model, dls_error *error);
dls_status dls_coherence_plumb(double erp, dls_model **model, dls_error *error);
#define DLS_COHERENCE_STACK_MARGIN 0.01 /* [m] */
#define DLS_COHERENCE_WALL_MARGIN 0.002 /* less than what is between bricks of a course [m] */
enum { DLS_COHERENCE_BODIES = 10 };     /* of stack and chains */

/* What lets piles stand best: split impulse, or euler where it is not there. */
const char *dls_coherence_holding_scheme(void);

/* z of the last body, against its start. [m] */
double dls_coherence_height(const dls_model *model, const dls_state *state);

/* --- a stack that stands (stand.c) --- */

typedef struct dls_coherence_stand {
    double fell;              /* [s]; NaN: never */
    double height, low, high; /* of the top, against its start: at the end, extremes of the second half [m] */
    double aside;             /* of the top, at the end [m] */
    double depth;             /* deepest contact in the second half [m] */
    double residual;          /* mean of every tenth step, of the second half */
} dls_coherence_stand;
/* `trace` (or NULL) gets a line every sixtieth of a second: label, time, height. */
dls_status dls_coherence_measure_stand(double margin, const dls_coherence_way *way, double duration, dls_table *trace,
                                       const char *label, dls_coherence_stand *result, dls_error *error);
dls_status dls_coherence_stands(const dls_coherence_lab *lab, dls_error *error);

/* --- why it breathes (law.c) --- */

/* The largest root of the linear law (its opening comment): growth a step, and the period in steps (0: none). kappa:
 * the share of a mode's error that a solve removes. */
void dls_coherence_law(double kappa, double erp, double *growth, double *period);
/* The same over all modes of DLS_COHERENCE_BODIES equal balls that hang straight down, or boxes that stand on one
 * point each, under `iterations` of PGS. */
void dls_coherence_predict(size_t iterations, double erp, double *growth, double *period);
/* Measured on the balls. */
dls_status dls_coherence_measure_law(size_t iterations, double erp, size_t steps, double *growth, double *period,
                                     dls_error *error);
dls_status dls_coherence_laws(const dls_coherence_lab *lab, dls_error *error);

/* --- iterations (iterations.c) --- */

extern const double dls_coherence_targets[DLS_COHERENCE_TARGETS]; /* scaled residuals */
/* Iterations of PGS from lambda0 (NULL: 0) to each target; SIZE_MAX: more than `limit`. */
dls_status dls_coherence_count(const dls_coherence_machine *m, const double *lambda0, size_t limit,
                               size_t counts[DLS_COHERENCE_TARGETS], dls_error *error);
dls_status dls_coherence_iterations(const dls_coherence_lab *lab, dls_error *error);

/* --- chain and wall (coherence.c), figures (figures.c) -- */

dls_status dls_coherence_figures(const dls_coherence_lab *lab, dls_error *error);

#endif
