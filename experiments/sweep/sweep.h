/* sweep.h - the parts of sweeps. Not installed.
 *
 * THE ROOM. Many runs of one scene: the axes and their values, a cell in a process of its own, the journal of an
 * interrupted sweep, shards and their merging. Public in delassus/experiments.h: dls_sweep_run and dls_sweep_merge.
 * A cell measures the same as every run (run/); a sweep adds no measure and no figure of its own. */
#ifndef DELASSUS_EXPERIMENTS_SWEEP_H
#define DELASSUS_EXPERIMENTS_SWEEP_H

#include "delassus/experiments.h"

/* The columns of a cell behind its number and its values, tab-separated. */
#define DLS_SWEEP_COLUMNS                                                                                \
    "outcome\tsteps\tenergy_start[J]\tenergy_end[J]\tjoint_error[m]\tjoint_error[rad]\titerations\trow_" \
    "visits\tunsolved\texamined"                                                                         \
    "\tconfirmed\trefuted\tscaled_residual\tbroken\treason"
enum { DLS_SWEEP_LINE_MAX = 2048 };

/* The value of axis k in a cell: the last axis changes first. */
const char *dls_sweep_value(const dls_sweep *sweep, size_t cell, size_t k);
/* Runs a cell, and writes its results into text[DLS_SWEEP_LINE_MAX], the columns above with tabs between them, and
 * with `sweep.seconds` these. Fails only where no cell can be run: no memory, no scene. */
dls_status dls_sweep_cell(const dls_sweep *sweep, size_t cell, char *text, dls_error *error);
/* Only the settings of a cell: DLS_OK where it can begin. */
dls_status dls_sweep_try(const dls_sweep *sweep, size_t cell, dls_error *error);
/* A cell of which nothing is known but how it ended. */
void dls_sweep_line(char *text, dls_sweep_outcome outcome, const char *reason, bool seconds);
/* A row of cells that are text with tabs between them, which is cut up; its outcome is counted. */
void dls_sweep_put(dls_table *table, char *text, dls_sweep_result *result);

#endif
