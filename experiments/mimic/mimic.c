/* Experiment: mimic joints, alone and against drives and limits, under dense steps, PGS and TGS.
 * mimic-joints, all of it; conventions, Projected Gauss-Seidel and TGS.
 *
 * A mimic joint alone is a single row, which any method solves exactly in one iteration. If a drive or a limit acts on
 * one of its coordinates, sweeps leave an error, which depends on their number and on the last row of a sweep; two
 * mimic joints with a common coordinate compete in the same way. Every run is compared with dense steps of the same
 * size, each of which the examiner certifies.
 */
#include "mimic/parts.h"

#include <stdio.h>
#include <string.h>

#define FIELD(...) DLS_SETTING(dls_mimic_settings, __VA_ARGS__)
static const dls_field fields[] = {
    {.key = "mechanisms",
     .unit = "",
     .kind = DLS_FIELD_CHOICES,
     .offset = offsetof(dls_mimic_settings, mechanisms),
     .fallback = "parallel, series, star, chain, six, gripper",
     .choices = dls_mimic_group_names,
     .help = "mechanisms that are run"},
    FIELD(iterations, "", COUNTS, "1, 4, 16, 64", 1, 1e5, "iterations per step"),
    FIELD(coarse, "s", REAL, "0.016666666666666666", 1e-6, 0.1, "longer time step"),
    FIELD(fine, "s", REAL, "0.001", 1e-6, 0.1, "shorter time step"),
    FIELD(duration, "s", REAL, "5", 0.01, 1000, "duration of a run with mimic joints alone"),
    FIELD(contest, "s", REAL, "0.5", 0.01, 1000,
          "duration of a run in which other constraints act on the coordinate B"),
    FIELD(erp, "", REAL, "0.2", 0, 1, "ERP of the mimic joints"),
    FIELD(error, "", REAL, "0.1", -10, 10, "position error whose decay is measured [rad]"),
    {.key = "physx_orders",
     .unit = "",
     .kind = DLS_FIELD_CHOICES,
     .offset = offsetof(dls_mimic_settings, physx_orders),
     .fallback = "mimic-drive-limit, mimic-limit-drive, drive-mimic-limit, drive-limit-mimic, limit-mimic-drive, "
                 "limit-drive-mimic",
     .choices = dls_mimic_order_names,
     .help = "orders of the rows in a sweep, of which the first one stands in the table beside PhysX"},
    FIELD(physx_erps, "", REALS, "0.8, 0.2, 1", 0, 1,
          "ERP of the mimic joint in that table, the first one, and in the search for what fits it"),
};

static const dls_experiment_table tables[] = {
    [DLS_MIMIC_RUNS] = {.stem = "mimic.runs",
                        .columns = "mechanism\tactuation\trows_of_mimic\tstep[s]\tscheme\titerations\tmax_C\tfinal_C"
                                   "\tdistance_to_dense\tm_norm_error[sqrt(J)]\tmax_energy_drift[J]\tfinal_energy_"
                                   "drift[J]\tscaled_residual\tsteps"
                                   "\tfailed_at_step"},
    [DLS_MIMIC_SUMMARY] = {.stem = "mimic.summary", .columns = NULL},
    [DLS_MIMIC_PHYSX] = {.stem = "mimic.physx.summary",
                         .columns = "load\tarrangement\tscheme\titerations\torder\terp\tphysx_5.6.1_max_C[rad]"
                                    "\tmax_C[rad]\trelative_difference\tagrees"},
    [DLS_MIMIC_FITS] = {.stem = "mimic.fits.summary",
                        .columns = "order\terp\tnumbers\tagree\tlargest_relative_difference"},
    [DLS_MIMIC_DECAY] = {.stem = "mimic.decay", .columns = "mechanism\tscheme\titerations\tsteps\tC\tpredicted_C"},
    [DLS_MIMIC_ENERGY] = {.stem = "mimic.energy",
                          .columns = "mechanism\tstep[s]\tscheme\titerations\ttime[s]\tenergy_change[J]"},
    [DLS_MIMIC_STABILITY] = {.stem = "mimic.stability.summary",
                             .columns = "mechanism\tactuation\tscheme\titerations\terp\tmax_C[rad]"
                                        "\tmax_coordinate[rad]\tfailed_at_step"},
    [DLS_MIMIC_EXACT] = {.stem = "mimic.exact",
                         .columns = "mechanism\tactuation\tscheme\titerations\tstep[s]\terror[rad]"},
    {.stem = NULL},
};

static const dls_experiment_part parts[] = {
    {"sweep", dls_mimic_sweep},   {"PhysX", dls_mimic_physx},
    {"fits", dls_mimic_fits},     {"decay", dls_mimic_decay},
    {"energy", dls_mimic_energy}, {"stability", dls_mimic_stability},
    {"exact", dls_mimic_exact},   {NULL, NULL},
};

/* The mechanisms of every group that is named. */
static dls_status prepare(dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    dls_mimic_findings *f = study->found;
    (void)error;
    for (size_t i = 0; i < set->mechanisms.count; i++)
        for (size_t m = 0; m < DLS_MIMIC_MECHANISMS; m++)
            f->wanted[m] |= (int)dls_mimic_mechanisms[m].group == set->mechanisms.choices[i];
    return DLS_OK;
}

static void note_settings(const dls_study *study, dls_table *table)
{
    static const char *const what[] = {"max_C", "final_C", "distance_to_dense", "m_norm_error"};
    enum { WHAT = sizeof what / sizeof what[0] };
    const dls_mimic_settings *set = study->settings;
    const size_t n = set->iterations.count;
    char columns[(WHAT * DLS_LIST_MAX + 2) * 32] = "mechanism\tactuation\trows_of_mimic\tstep[s]\tscheme";
    dls_table_note(table, "C", "[rad], of the gripper [m]; coordinates likewise");
    dls_table_note(table, "m_norm_error",
                   "sqrt(dv^T M dv) of a step's v+ to that of the solution of its problem, the "
                   "largest [sqrt(J)]");
    if (table != study->tables[DLS_MIMIC_SUMMARY])
        return;
    for (size_t k = 0, used = strlen(columns); k < WHAT * n; k++)
        used += (size_t)snprintf(columns + used, sizeof columns - used, "\t%s_N%zu", what[k / n],
                                 set->iterations.counts[k % n]);
    dls_table_columns(table, columns);
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_mimic_settings *set = study->settings;
    const dls_mimic_findings *f = study->found;
    const dls_mimic_result(*driven)[DLS_MIMIC_WAYS][DLS_LIST_MAX + 1] =
        f->result[DLS_MIMIC_PARALLEL_05][DLS_MIMIC_DRIVE];
    const dls_mimic_result *first = driven[DLS_MIMIC_COARSE][DLS_MIMIC_PGS],
                           *last = driven[DLS_MIMIC_LAST][DLS_MIMIC_PGS];
    const size_t most = set->iterations.count - 1;
    if (first[0].steps == 0 || last[most].steps == 0)
        return;
    snprintf(finding->figure, sizeof finding->figure, "mimic-order");
    snprintf(
        finding->sentence, sizeof finding->sentence,
        "A mimic joint against a drive is off by %.2g rad with %zu iteration%s of PGS where its row comes first, and "
        "by %.1e rad where it comes last: the last row of a sweep is exact, and the whole answer is off by %.2g and "
        "%.2g sqrt(J). With %zu iterations that is %.1e and %.1e; dense steps hold every mechanism to %.1e.",
        first[0].worst_error, set->iterations.counts[0], set->iterations.counts[0] == 1 ? "" : "s", last[0].worst_error,
        first[0].answer_error, last[0].answer_error, set->iterations.counts[most], first[most].answer_error,
        last[most].answer_error, f->dense_error);
}

const dls_experiment dls_experiment_mimic = {
    .name = "mimic",
    .summary = "mimic joints alone and against drives and limits, under dense steps, PGS and TGS",
    .title = "Mimic joints",
    .question = "How exactly does a mimic joint hold, alone and against a drive or a limit?",
    .varies = "mechanism, competing constraint, order of rows, solver, iterations, step",
    .measures = "the largest position error, energy, and the distance to dense steps that are certified",
    .shows = "that a mimic joint alone is exact, and which error sweeps leave if a constraint competes with it",
    .mechanisms = "rods-parallel rods-series gripper",
    .fields = DLS_FIELD_TABLE(fields, dls_mimic_settings),
    .small = "mechanisms=parallel,series,chain iterations=1,4 duration=0.05 contest=0.02 "
             "physx_orders=mimic-drive-limit physx_erps=0.8",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_mimic_findings),
    .prepare = prepare,
    .note = note_settings,
    .figures = dls_mimic_figures,
    .conclude = conclude,
};
