/* run_changes.h - the changes of a scene while it runs. Not installed. */
#ifndef DLS_EXPERIMENTS_RUN_CHANGES_H
#define DLS_EXPERIMENTS_RUN_CHANGES_H

#include "delassus/change.h"
#include "delassus/experiments.h"

/* The model that holds at present, and how many changes have led to it. Start with {run, run->model}. */
typedef struct dls_run_changes {
    const dls_run *run;
    const dls_model *model;
    dls_model *owned; /* the same; NULL before the first change: it is the run's */
    size_t count;
} dls_run_changes;
void dls_run_changes_release(dls_run_changes *changes); /* after the simulation */

extern const char dls_run_changes_columns[];
size_t dls_run_changes_total(const dls_run *run); /* of the scene */
/* Compiles the scene after each change, as if nothing had moved, and calls `visit` with the first model and each of
 * these. */
dls_status dls_run_changes_try(const dls_run *run, void (*visit)(void *context, const dls_model *model), void *context,
                               dls_error *error);
/* Whether the next change comes before step k (from 0). */
bool dls_run_changes_due(const dls_run_changes *changes, size_t k);
/* Carries it out. `change` gets the parts that came and went, and is the caller's to release; each has a line in the
 * table, which may be NULL. After a failure the simulation is what it was. */
dls_status dls_run_changes_next(dls_run_changes *changes, dls_simulation **simulation, dls_change *change,
                                dls_table *table, dls_run_result *result, dls_error *error);

#endif
