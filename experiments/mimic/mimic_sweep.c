/* The sweep over every mechanism, competing constraint, order of rows, step, method and number of iterations.
 */
#include "mimic/parts.h"

#include <math.h>

size_t dls_mimic_n_runs(const dls_mimic_settings *set, dls_mimic_way way)
{
    return way == DLS_MIMIC_DENSE ? 1 : set->iterations.count;
}

size_t dls_mimic_iterations(const dls_mimic_settings *set, dls_mimic_way way, size_t i)
{
    return way == DLS_MIMIC_DENSE ? 0 : set->iterations.counts[i];
}

size_t dls_mimic_middle(const dls_mimic_settings *set, dls_mimic_way way)
{
    return dls_mimic_iterations(set, way, set->iterations.count > 1);
}

static void head(dls_table *table, const dls_mimic_setup *setup, double h, dls_mimic_way way)
{
    dls_table_cells(table, "%s %s %s %g %s", dls_mimic_mechanisms[setup->mechanism].name,
                    dls_mimic_actuations[setup->actuation].name, setup->mimic_last ? "last" : "first", h,
                    dls_mimic_way_names[way]);
}

/* A line for all runs that differ in their iterations alone; the dense one stands in all columns. */
static void write_sweep(const dls_study *study, const dls_mimic_setup *setup, double h, dls_mimic_way way,
                        const dls_mimic_result *r)
{
    const dls_mimic_settings *set = study->settings;
    const size_t n = set->iterations.count, more = way != DLS_MIMIC_DENSE;
    dls_table *summary = study->tables[DLS_MIMIC_SUMMARY];
    for (size_t i = 0; i < dls_mimic_n_runs(set, way); i++) {
        head(study->tables[DLS_MIMIC_RUNS], setup, h, way);
        dls_table_row(study->tables[DLS_MIMIC_RUNS], "%zu %g %g %g %g %g %g %g %zu %zu",
                      dls_mimic_iterations(set, way, i), r[i].worst_error, r[i].last_error, r[i].distance,
                      r[i].answer_error, r[i].worst_drift, r[i].last_drift, r[i].worst_residual, r[i].steps,
                      r[i].failed);
    }
    head(summary, setup, h, way);
    for (size_t i = 0; i < n; i++)
        dls_table_real(summary, r[more * i].worst_error);
    for (size_t i = 0; i < n; i++)
        dls_table_real(summary, r[more * i].last_error);
    for (size_t i = 0; i < n; i++)
        dls_table_real(summary, r[more * i].distance);
    for (size_t i = 0; i < n; i++)
        dls_table_real(summary, r[more * i].answer_error);
    dls_table_end_row(summary);
}

static dls_status measure_ways(const dls_study *study, const dls_mimic_setup *setup, const dls_model *model, double h,
                               double duration, dls_mimic_result (*result)[DLS_LIST_MAX + 1], dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    dls_mimic_path dense = {0, 0, NULL};
    dls_status status = DLS_OK;
    for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS && status == DLS_OK; way++) {
        bool first = way == DLS_MIMIC_DENSE;
        for (size_t i = 0; i < dls_mimic_n_runs(set, way) && status == DLS_OK; i++) {
            const dls_mimic_run run = {way, dls_mimic_iterations(set, way, i), h, duration};
            status =
                dls_mimic_measure(model, &run, first ? NULL : &dense, first ? &dense : NULL, &result[way][i], error);
            if (first)
                result[way][i].distance = result[way][i].answer_error = 0.0;
        }
        if (status == DLS_OK)
            write_sweep(study, setup, h, way, result[way]);
    }
    dls_mimic_path_release(&dense);
    return status;
}

dls_status dls_mimic_sweep(dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    dls_mimic_findings *f = study->found;
    for (dls_grid g = DLS_GRID(DLS_MIMIC_MECHANISMS, DLS_MIMIC_ACTUATIONS, DLS_MIMIC_KINDS);
         dls_study_next(study, &g);) {
        const dls_mimic_kind kind = (dls_mimic_kind)g.at[2];
        const bool alone = g.at[1] == DLS_MIMIC_ALONE;
        const dls_mimic_setup setup = {
            .mechanism = g.at[0], .actuation = g.at[1], .mimic_last = kind == DLS_MIMIC_LAST, .erp = set->erp};
        dls_mimic_result(*result)[DLS_LIST_MAX + 1] = f->result[g.at[0]][g.at[1]][kind];
        dls_model *model;
        if (!f->wanted[g.at[0]] || (alone && kind == DLS_MIMIC_LAST))
            continue;
        DLS_TRY(dls_mimic_model(&setup, &model, error));
        dls_status status = measure_ways(study, &setup, model, kind == DLS_MIMIC_FINE ? set->fine : set->coarse,
                                         alone ? set->duration : set->contest, result, error);
        dls_model_destroy(model);
        DLS_TRY(status);
        f->dense_error = dls_worse(f->dense_error, result[DLS_MIMIC_DENSE][0].worst_error);
        f->dense_residual = dls_worse(f->dense_residual, result[DLS_MIMIC_DENSE][0].worst_residual);
    }
    return DLS_OK;
}
