/* Studies of mimic joints besides the sweep: the decay of an error, the change of energy, and which runs remain
 * bounded.
 */
#include "mimic/parts.h"

#include <math.h>

/* --- decay of a lone error --- */

enum { DECAY_ITERATIONS = 4, DECAY_STEPS = 24 };

/* The share of a position error that remains after a step. PGS: conventions (3); TGS: conventions, last paragraph on
 * TGS. */
static double kept(dls_mimic_way way, double erp, double iterations)
{
    return way == DLS_MIMIC_TGS_STEP      ? pow(1.0 - erp / iterations, iterations)
           : way == DLS_MIMIC_TGS_SUBSTEP ? pow(1.0 - erp, iterations)
                                          : 1.0 - erp;
}

dls_status dls_mimic_decay(dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    dls_mimic_findings *f = study->found;
    for (dls_grid g = DLS_GRID(DLS_MIMIC_MECHANISMS, DLS_MIMIC_WAYS); dls_study_next(study, &g);) {
        const dls_mimic_way way = (dls_mimic_way)g.at[1];
        const dls_mimic_setup setup = {.mechanism = g.at[0], .erp = set->erp, .error = set->error};
        const dls_mimic_run run = {way, way == DLS_MIMIC_DENSE ? 0 : DECAY_ITERATIONS, set->coarse,
                                   DECAY_STEPS * set->coarse};
        dls_mimic_path path;
        dls_mimic_result result;
        if (!f->wanted[g.at[0]] || isnan(dls_mimic_mechanisms[g.at[0]].gear))
            continue;
        DLS_TRY(dls_mimic_try(&setup, &run, &path, &result, error));
        for (size_t k = 0; k < path.count; k++) {
            double C = dls_mimic_path_error(&path, k),
                   predicted = fabs(set->error) * pow(kept(way, set->erp, DECAY_ITERATIONS), (double)k);
            f->decay_deviation = fmax(f->decay_deviation, fabs(C - predicted) / fabs(set->error));
            dls_table_row(study->tables[DLS_MIMIC_DECAY], "%s %s %zu %zu %g %g", dls_mimic_mechanisms[g.at[0]].name,
                          dls_mimic_way_names[way], run.iterations, k, C, predicted);
        }
        dls_mimic_path_release(&path);
    }
    return DLS_OK;
}

/* --- energy over time --- */

enum { ENERGY_SAMPLES = 300 };

/* Cost of two rods, whose one row every way solves, and of a chain of mimics, which one iteration does not. */
dls_status dls_mimic_energy(dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    const dls_mimic_findings *f = study->found;
    const size_t shown[] = {DLS_MIMIC_SERIES_05, DLS_MIMIC_CHAIN};
    for (dls_grid g = DLS_GRID(2, 2, DLS_MIMIC_WAYS); dls_study_next(study, &g);) {
        const dls_mimic_way way = (dls_mimic_way)g.at[2];
        const dls_mimic_setup setup = {.mechanism = shown[g.at[0]], .erp = set->erp};
        const dls_mimic_run run = {way, dls_mimic_middle(set, way), g.at[1] ? set->fine : set->coarse, set->duration};
        dls_mimic_path path;
        dls_mimic_result result;
        if (!f->wanted[setup.mechanism])
            continue;
        DLS_TRY(dls_mimic_try(&setup, &run, &path, &result, error));
        size_t every = (path.count + ENERGY_SAMPLES - 1) / ENERGY_SAMPLES;
        for (size_t k = 0; k < path.count; k += every)
            dls_table_row(study->tables[DLS_MIMIC_ENERGY], "%s %g %s %zu %g %g",
                          dls_mimic_mechanisms[setup.mechanism].name, run.step, dls_mimic_way_names[way],
                          dls_mimic_middle(set, DLS_MIMIC_PGS), (double)k * run.step,
                          dls_mimic_path_energy(&path, k) - dls_mimic_path_energy(&path, 0));
        dls_mimic_path_release(&path);
    }
    return DLS_OK;
}

/* --- mimics against mimics --- */

/* TGS leaves the speed of the bias in v: at the end of a step v is off by as much as ERP C / T, N times more where T is
 * the substep. What goes with the square of speeds, explicit in v*, answers to it. In the star on the root nothing
 * does, M is constant. */

static const double erps[] = {0.2, 0.5, 1.0};

static void find_way(dls_mimic_findings *f, const dls_mimic_setup *setup, dls_mimic_way way, const dls_mimic_result *r)
{
    const dls_mimic_mechanism *m = &dls_mimic_mechanisms[setup->mechanism];
    bool driven = setup->actuation != DLS_MIMIC_ALONE, failed = r->failed > 0, tgs = dls_mimic_tgs(way);
    if (m->group == DLS_MIMIC_FOLLOWERS && tgs)
        f->star_coordinate[driven] = fmax(f->star_coordinate[driven], r->worst_coordinate);
    if (setup->mechanism == DLS_MIMIC_CHAIN && driven && tgs) {
        f->chain_runs++;
        f->chain_failed += failed;
    }
    f->others_failed += failed && !tgs;
}

dls_status dls_mimic_stability(dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    dls_mimic_findings *f = study->found;
    const size_t shown[] = {DLS_MIMIC_STAR, DLS_MIMIC_HAND, DLS_MIMIC_CHAIN};
    for (dls_grid g = DLS_GRID(3, 2, DLS_MIMIC_WAYS, 3, set->iterations.count); dls_study_next(study, &g);) {
        const dls_mimic_way way = (dls_mimic_way)g.at[2];
        const dls_mimic_setup setup = {.mechanism = shown[g.at[0]], .actuation = g.at[1], .erp = erps[g.at[3]]};
        const size_t N = dls_mimic_iterations(set, way, g.at[4]);
        const dls_mimic_run run = {way, N, set->coarse, set->duration};
        dls_mimic_result r;
        if (!f->wanted[setup.mechanism] || g.at[4] >= dls_mimic_n_runs(set, way))
            continue;
        DLS_TRY(dls_mimic_try(&setup, &run, NULL, &r, error));
        find_way(f, &setup, way, &r);
        dls_table_row(study->tables[DLS_MIMIC_STABILITY], "%s %s %s %zu %g %g %g %zu",
                      dls_mimic_mechanisms[setup.mechanism].name, dls_mimic_actuations[setup.actuation].name,
                      dls_mimic_way_names[way], N, setup.erp, r.worst_error, r.worst_coordinate, r.failed);
    }
    return DLS_OK;
}
