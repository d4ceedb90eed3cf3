/* Studies of mimic joints beside the sweep: how an error decays, what becomes of the energy, who stays bounded, and
 * PhysX's figures. */
#include "mimic.h"

#include <math.h>
#include <string.h>

/* --- decay of a lone error --- */

enum { DECAY_ITERATIONS = 4, DECAY_STEPS = 24 };

/* What is left of it after a step. PGS: conventions (3); TGS: conventions, last paragraph on TGS. */
static double kept(dls_mimic_way way, double erp, double iterations)
{
    return way == DLS_MIMIC_TGS_STEP      ? pow(1.0 - erp / iterations, iterations)
           : way == DLS_MIMIC_TGS_SUBSTEP ? pow(1.0 - erp, iterations)
                                          : 1.0 - erp;
}

static dls_status decay_one(const dls_mimic_lab *lab, const dls_mimic_mechanism *m, dls_mimic_way way, dls_table *table,
                            double *deviation, dls_error *error)
{
    const dls_mimic_settings *s = lab->settings;
    const dls_mimic_setup setup = {.mechanism = m, .rival = dls_mimic_rivals, .erp = s->erp, .error = s->error};
    const dls_mimic_run run = {way, way == DLS_MIMIC_DENSE ? 0 : DECAY_ITERATIONS, s->coarse, DECAY_STEPS * s->coarse};
    dls_mimic_path path;
    dls_mimic_result result;
    DLS_TRY(dls_mimic_try(&setup, &run, &path, &result, error));
    for (size_t k = 0; k < path.count; k++) {
        double C = dls_mimic_path_error(&path, k),
               predicted = fabs(s->error) * pow(kept(way, s->erp, DECAY_ITERATIONS), (double)k);
        *deviation = fmax(*deviation, fabs(C - predicted) / fabs(s->error));
        dls_table_text(table, m->name);
        dls_table_text(table, dls_mimic_way_names[way]);
        dls_table_count(table, run.iterations);
        dls_table_count(table, k);
        dls_table_real(table, C);
        dls_table_real(table, predicted);
        dls_table_end_row(table);
    }
    dls_mimic_path_release(&path);
    return DLS_OK;
}

dls_status dls_mimic_decay(const dls_mimic_lab *lab, dls_mimic_findings *found, dls_error *error)
{
    dls_table *table;
    dls_status status = DLS_OK;
    found->decay_deviation = 0.0;
    DLS_TRY(dls_mimic_table(lab, "mimic.decay", "mechanism\tscheme\titerations\tsteps\tC\tpredicted_C", &table, error));
    for (const dls_mimic_mechanism *m = dls_mimic_mechanisms; m->name; m++)
        for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS && status == DLS_OK; way++)
            if (dls_mimic_wanted(lab, m) && !isnan(m->gear))
                status = decay_one(lab, m, way, table, &found->decay_deviation, error);
    return dls_mimic_finish(table, status, error);
}

/* --- energy over time --- */

enum { ENERGY_SAMPLES = 300 };

static dls_status energy_one(const dls_mimic_lab *lab, const dls_mimic_mechanism *m, double step, dls_mimic_way way,
                             size_t iterations, dls_table *table, dls_error *error)
{
    const dls_mimic_setup setup = {.mechanism = m, .rival = dls_mimic_rivals, .erp = lab->settings->erp};
    const dls_mimic_run run = {way, way == DLS_MIMIC_DENSE ? 0 : iterations, step, lab->settings->duration};
    dls_mimic_path path;
    dls_mimic_result result;
    DLS_TRY(dls_mimic_try(&setup, &run, &path, &result, error));
    size_t every = (path.count + ENERGY_SAMPLES - 1) / ENERGY_SAMPLES;
    for (size_t k = 0; k < path.count; k += every) {
        dls_table_text(table, m->name);
        dls_table_real(table, step);
        dls_table_text(table, dls_mimic_way_names[way]);
        dls_table_count(table, iterations);
        dls_table_real(table, (double)k * step);
        dls_table_real(table, dls_mimic_path_energy(&path, k) - dls_mimic_path_energy(&path, 0));
        dls_table_end_row(table);
    }
    dls_mimic_path_release(&path);
    return DLS_OK;
}

/* Of two rods, whose one row every way solves, and of a chain of mimics, which one iteration does not. */
dls_status dls_mimic_energy(const dls_mimic_lab *lab, dls_error *error)
{
    const dls_mimic_mechanism *const shown[] = {dls_mimic_find("series+0.5"), dls_mimic_find("chain")};
    const double steps[] = {lab->settings->coarse, lab->settings->fine};
    dls_table *table;
    dls_status status = DLS_OK;
    DLS_TRY(dls_mimic_table(lab, "mimic.energy", "mechanism\tstep[s]\tscheme\titerations\ttime[s]\tenergy_change[J]",
                            &table, error));
    for (int k = 0; k < 4; k++)
        for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS && status == DLS_OK; way++)
            if (dls_mimic_wanted(lab, shown[k / 2]))
                status = energy_one(lab, shown[k / 2], steps[k % 2], way, dls_mimic_middle(lab), table, error);
    return dls_mimic_finish(table, status, error);
}

/* --- mimics against mimics --- */

/* TGS leaves the speed of the bias in v: at the end of a step v is off by as much as ERP C / T, N times more where T is
 * the substep. What goes with the square of speeds, explicit in v*, answers to it. In the star on the root nothing
 * does, M is constant. */

static const double erps[] = {0.2, 0.5, 1.0};

static void find(dls_mimic_findings *found, const dls_mimic_setup *setup, dls_mimic_way way,
                 const dls_mimic_result *result)
{
    bool driven = setup->rival != dls_mimic_rivals, tgs = way == DLS_MIMIC_TGS_STEP || way == DLS_MIMIC_TGS_SUBSTEP;
    if (strcmp(setup->mechanism->group, "star") == 0 && tgs)
        found->star_coordinate[driven] = fmax(found->star_coordinate[driven], result->worst_coordinate);
    if (strcmp(setup->mechanism->name, "chain") == 0 && driven && tgs) {
        found->chain_runs++;
        found->chain_failed += result->failed > 0;
        found->chain_failed_gentle += result->failed > 0 && way == DLS_MIMIC_TGS_STEP && setup->erp == erps[0];
    }
    found->others_failed += result->failed > 0 && !tgs;
}

static dls_status stability_one(const dls_mimic_lab *lab, const dls_mimic_setup *setup, dls_mimic_way way,
                                dls_table *table, dls_mimic_findings *found, dls_error *error)
{
    bool dense = way == DLS_MIMIC_DENSE;
    for (size_t i = 0; i < (dense ? 1 : lab->n_iterations); i++) {
        const dls_mimic_run run = {way, dense ? 0 : lab->iterations[i], lab->settings->coarse, lab->settings->duration};
        dls_mimic_result result;
        DLS_TRY(dls_mimic_try(setup, &run, NULL, &result, error));
        find(found, setup, way, &result);
        dls_table_text(table, setup->mechanism->name);
        dls_table_text(table, setup->rival->name);
        dls_table_text(table, dls_mimic_way_names[way]);
        dls_table_count(table, run.iterations);
        dls_table_real(table, setup->erp);
        dls_table_real(table, result.worst_error);
        dls_table_real(table, result.worst_coordinate);
        dls_table_count(table, result.failed);
        dls_table_end_row(table);
    }
    return DLS_OK;
}

dls_status dls_mimic_stability(const dls_mimic_lab *lab, dls_mimic_findings *found, dls_error *error)
{
    const dls_mimic_mechanism *const shown[] = {dls_mimic_find("star"), dls_mimic_find("hand"),
                                                dls_mimic_find("chain")};
    dls_table *table;
    dls_status status = DLS_OK;
    found->star_coordinate[0] = found->star_coordinate[1] = 0.0;
    found->chain_runs = found->chain_failed = found->chain_failed_gentle = found->others_failed = 0;
    DLS_TRY(dls_mimic_table(
        lab, "mimic.stability.summary",
        "mechanism\trival\tscheme\titerations\terp\tmax_C[rad]\tmax_coordinate[rad]\tfailed_at_step", &table, error));
    for (int k = 0; k < 6; k++)
        for (dls_mimic_way way = DLS_MIMIC_DENSE; way < DLS_MIMIC_WAYS; way++)
            for (int e = 0; e < 3 && status == DLS_OK; e++) {
                const dls_mimic_setup setup = {
                    .mechanism = shown[k / 2], .rival = &dls_mimic_rivals[k % 2], .erp = erps[e]};
                if (dls_mimic_wanted(lab, setup.mechanism))
                    status = stability_one(lab, &setup, way, table, found, error);
            }
    return dls_mimic_finish(table, status, error);
}

/* --- beside PhysX 5.6.1 --- */

typedef struct published {
    const char *group, *rival;
    double C[4];
} published;
static const size_t published_iterations[4] = {1, 4, 16, 64};
static const published physx[] = {
    {"parallel", "drive", {0.58, 3.7e-3, 0.0, 0.0}},
    {"series", "drive", {3.3, 1.3, 3.6e-2, 2.4e-7}},
    {"parallel", "drive+limit", {0.58, 0.37, 0.30, 0.13}},
};

static void physx_line(const dls_mimic_lab *lab, const published *p, const dls_mimic_mechanism *m, int i,
                       dls_table *table)
{
    double step = lab->settings->coarse;
    size_t N = published_iterations[i];
    const dls_mimic_result *first[DLS_MIMIC_WAYS], *last;
    for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS; way++)
        first[way] = dls_mimic_result_of(lab, m->name, p->rival, false, step, way, way == DLS_MIMIC_DENSE ? 0 : N);
    last = dls_mimic_result_of(lab, m->name, p->rival, true, step, DLS_MIMIC_PGS, N);
    if (!first[DLS_MIMIC_PGS])
        return;
    dls_table_text(table, p->group);
    dls_table_text(table, p->rival);
    dls_table_count(table, N);
    dls_table_real(table, p->C[i]);
    dls_table_real(table, m->gear);
    dls_table_real(table, first[DLS_MIMIC_PGS]->worst_error);
    dls_table_real(table, last->worst_error);
    dls_table_real(table, first[DLS_MIMIC_TGS_STEP]->worst_error);
    dls_table_real(table, first[DLS_MIMIC_TGS_SUBSTEP]->worst_error);
    dls_table_real(table, first[DLS_MIMIC_DENSE]->worst_error);
    dls_table_end_row(table);
}

/* Max |C| at the coarse step. The published figures are of PGS, N iterations a step, single precision; their gear is
 * not known. */
dls_status dls_mimic_physx(const dls_mimic_lab *lab, dls_error *error)
{
    dls_table *table;
    DLS_TRY(
        dls_mimic_table(lab, "mimic.physx.summary",
                        "arrangement\trival\titerations\tphysx_5.6.1_max_C[rad]\tgear\tpgs_mimic_first_max_C[rad]"
                        "\tpgs_mimic_last_max_C[rad]\ttgs-step_max_C[rad]\ttgs-substep_max_C[rad]\tdense_max_C[rad]",
                        &table, error));
    for (size_t k = 0; k < sizeof physx / sizeof physx[0]; k++)
        for (const dls_mimic_mechanism *m = dls_mimic_mechanisms; m->name; m++)
            for (int i = 0; i < 4; i++)
                if (strcmp(m->group, physx[k].group) == 0)
                    physx_line(lab, &physx[k], m, i, table);
    return dls_mimic_finish(table, DLS_OK, error);
}
