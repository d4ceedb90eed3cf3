/* Experiment: mimic joints, alone and against drives and limits, under dense steps, PGS and TGS.
 * mimic-joints, all of it; conventions, Projected Gauss-Seidel and TGS.
 *
 * Alone, a mimic joint is one row, and one row is exact after one iteration of anything. Beside a drive or a limit on
 * one of its coordinates sweeps leave an error, which depends on how many there are and on which row comes last; two
 * mimic joints that share a coordinate are such rivals too. Every run is compared with dense steps of the same size,
 * each of which the examiner certifies.
 */
#include "mimic/parts.h"

#include <stdio.h>
#include <string.h>

#define FIELD(key, unit, kind, member, fallback, min, max, help)                                                 \
    {                                                                                                            \
        key, unit, DLS_FIELD_##kind, offsetof(dls_mimic_settings, member), fallback, min, max, false, NULL, help \
    }
static const dls_field fields[] = {
    FIELD("mechanisms", "", NAME, mechanisms, "parallel,series,star,chain,six,gripper", 0, 0,
          "which ones, separated by commas"),
    FIELD("iterations", "", NAME, iterations, "1,4,16,64", 0, 0, "iterations a step, separated by commas"),
    FIELD("coarse", "s", REAL, coarse, "0.016666666666666666", 1e-6, 0.1, "the longer step"),
    FIELD("fine", "s", REAL, fine, "0.001", 1e-6, 0.1, "the shorter step"),
    FIELD("duration", "s", REAL, duration, "5", 0.01, 1000, "length of a run of mimic joints alone"),
    FIELD("contest", "s", REAL, contest, "0.5", 0.01, 1000, "length of a run where others act on the coordinate B"),
    FIELD("erp", "", REAL, erp, "0.2", 0, 1, "of the mimic joints"),
    FIELD("error", "", REAL, error, "0.1", -10, 10, "position error whose decay is measured [rad]"),
};

static const dls_experiment_table tables[] = {
    [DLS_MIMIC_RUNS] = {"mimic.runs",
                        "mechanism\trival\trows_of_mimic\tstep[s]\tscheme\titerations\tmax_C\tfinal_C"
                        "\tdistance_to_dense\tmax_energy_drift[J]\tfinal_energy_drift[J]\tscaled_residual\tsteps"
                        "\tfailed_at_step"},
    [DLS_MIMIC_SUMMARY] = {"mimic.summary", NULL},
    [DLS_MIMIC_PHYSX] = {"mimic.physx.summary",
                         "arrangement\trival\titerations\tphysx_5.6.1_max_C[rad]\tgear\tpgs_mimic_first_max_C[rad]"
                         "\tpgs_mimic_last_max_C[rad]\ttgs-step_max_C[rad]\ttgs-substep_max_C[rad]\tdense_max_C[rad]"},
    [DLS_MIMIC_DECAY] = {"mimic.decay", "mechanism\tscheme\titerations\tsteps\tC\tpredicted_C"},
    [DLS_MIMIC_ENERGY] = {"mimic.energy", "mechanism\tstep[s]\tscheme\titerations\ttime[s]\tenergy_change[J]"},
    [DLS_MIMIC_STABILITY] = {"mimic.stability.summary", "mechanism\trival\tscheme\titerations\terp\tmax_C[rad]"
                                                        "\tmax_coordinate[rad]\tfailed_at_step"},
    [DLS_MIMIC_EXACT] = {"mimic.exact", "mechanism\trival\tscheme\titerations\tstep[s]\terror[rad]"},
    {NULL, NULL},
};

static const dls_experiment_part parts[] = {
    {"sweep", dls_mimic_sweep},
    {"PhysX", dls_mimic_physx},
    {"decay", dls_mimic_decay},
    {"energy", dls_mimic_energy},
    {"stability", dls_mimic_stability},
    {"exact", dls_mimic_exact},
    {NULL, NULL},
};

/* The mechanisms of every group that is named. */
static dls_status choose(const char *groups, dls_mimic_findings *f, dls_error *error)
{
    for (const char *from = groups; *from; from += strcspn(from, ","), from += *from == ',') {
        size_t length = strcspn(from, ",");
        bool known = false;
        for (size_t m = 0; m < DLS_MIMIC_MECHANISMS; m++)
            if (strlen(dls_mimic_mechanisms[m].group) == length &&
                strncmp(dls_mimic_mechanisms[m].group, from, length) == 0)
                f->wanted[m] = known = true;
        if (!known)
            return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "mechanisms", "there is no mechanism '%.*s'",
                               (int)length, from);
    }
    return DLS_OK;
}

static dls_status prepare(dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    dls_mimic_findings *f = study->found;
    DLS_TRY(choose(set->mechanisms, f, error));
    return dls_numbers_read("iterations", set->iterations, 1.0, 1e5, true, &f->iterations, error);
}

static void note(const dls_study *study, dls_table *table)
{
    static const char *const what[] = {"max_C", "final_C", "distance_to_dense"};
    const dls_mimic_findings *f = study->found;
    const size_t n = f->iterations.count;
    char columns[(3 * DLS_NUMBERS_MAX + 2) * 32] = "mechanism\trival\trows_of_mimic\tstep[s]\tscheme";
    dls_table_note(table, "C", "[rad], of the gripper [m]; coordinates likewise");
    if (table != study->tables[DLS_MIMIC_SUMMARY])
        return;
    for (size_t k = 0, used = strlen(columns); k < 3 * n; k++)
        used +=
            (size_t)snprintf(columns + used, sizeof columns - used, "\t%s_N%g", what[k / n], f->iterations.at[k % n]);
    dls_table_columns(table, columns);
}

const dls_experiment dls_experiment_mimic = {
    .name = "mimic",
    .summary = "mimic joints alone and against drives and limits, under dense steps, PGS and TGS",
    .fields = DLS_FIELD_TABLE(fields, dls_mimic_settings),
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_mimic_findings),
    .prepare = prepare,
    .note = note,
    .figures = dls_mimic_figures,
};
