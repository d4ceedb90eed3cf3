/* Experiment: articulations. Accuracy and cost of reduced coordinates relative to bodies with joints (maximal
 * coordinates), and other claims of the source: fixed bases, implicit drives, the instability of fast spin.
 *
 * physx-articulations; mechanisms: forms.c. Counts and errors are reproducible; measured times are in separate
 * tables.
 */
#include "parts.h"

#include <stdio.h>

#define FIELD(...) DLS_SETTING(dls_reduced_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(ratios, "", REALS, "1, 10, 100, 1e3, 1e4, 1e5, 1e6", 1e-3, 1e9,
          "masses of the last solid over that of the others"),
    FIELD(iterations, "", COUNTS, "10, 100, 1000", 1, 1e6, "iterations of PGS per step, from zero impulse"),
    FIELD(links, "", COUNT, "6", 2, 64, "number of links of the chain and of the arch"),
    FIELD(most, "", COUNT, "20000", 10, 1e7, "greatest number of iterations of PGS where rates are fitted"),
    FIELD(duration, "s", REAL, "0.2", 1e-3, 100, "duration of a run"),
    FIELD(step, "s", REAL, "0.001", 1e-6, 0.1, "time step of a run"),
    FIELD(erp, "", REAL, "0.2", 0, 1, "ERP of joints that are rows"),
    FIELD(sizes, "", COUNTS, "4, 8, 16, 32, 64, 128", 4, 10000,
          "numbers of links of the chains whose cost is measured"),
    FIELD(dense, "", COUNT, "400", 0, 1e5, "number of rows up to which the cost of a direct method is measured too"),
    FIELD(bases, "kg", REALS, "0.1, 1, 10, 100", 1e-6, 1e9, "masses of a base that a fixed joint holds"),
    FIELD(erps, "", REALS, "0, 0.2, 0.8", 0, 1, "ERP of this joint"),
    FIELD(few, "", COUNTS, "1, 2, 4, 8, 16, 32, 64", 1, 1e6, "iterations of PGS for this joint"),
    FIELD(borders, "", COUNT, "8", 1, 1000,
          "number of dampings at which the stability limit of drives is found by bisection"),
    FIELD(driven, "s", REAL, "0.5", 1e-3, 100, "duration of the runs with implicit and explicit drives"),
    FIELD(spin, "rad/s", REAL, "60", 1e-3, 1e5, "initial angular speed of the rotor and of the flail"),
    FIELD(spun, "s", REAL, "3", 1e-3, 1000, "duration of their runs"),
    FIELD(damping, "1/s", REAL, "2", 0, 1e5, "damping of the rotor and of the flail"),
};

#define WHAT "mechanism\tcoordinates\t"
static const dls_experiment_table tables[] = {
    [DLS_REDUCED_ERRORS] = {.stem = "articulation.errors",
                            .columns = WHAT "solver\titerations\tmass_ratio\tstep[s]\terror[m]\tjoint_error[m]"
                                            "\tenergy_change[J]\tsteps\tfailed_step"},
    [DLS_REDUCED_RATES] = {.stem = "articulation.rates",
                           .columns = WHAT "mass_ratio\tvelocities\trows\tpredicted_rate\tfitted_rate"
                                           "\tpredicted_iterations\titerations_to_1e-6"},
    [DLS_REDUCED_TIMES] = {.stem = "articulation.times",
                           .columns = WHAT "mass_ratio\ttime_measured_direct[s]\titerations_to_1e-6"
                                           "\titerations_run\ttime_measured_to_1e-6[s]"},
    [DLS_REDUCED_SIZES] = {.stem = "articulation.sizes",
                           .columns = "joints\tcoordinates\tlinks\tvelocities\trows\tdegrees_of_freedom"},
    [DLS_REDUCED_COSTS] = {.stem = "articulation.costs",
                           .columns = "joints\tcoordinates\tlinks\tvelocities\ttime_measured_10_iterations[s]"
                                      "\ttime_measured_direct[s]"},
    [DLS_REDUCED_BASES] = {.stem = "articulation.base",
                           .columns = "base_mass[kg]\terp\titerations\tslip[m]\tdifference[m]\tspectral_radius"},
    [DLS_REDUCED_BORDERS] = {.stem = "articulation.borders",
                             .columns = "drive\tlinks\th_kd_over_m\th2_kp_over_m\tpredicted_border"
                                        "\tspectral_radius"},
    [DLS_REDUCED_DIFFERENCES] = {.stem = "articulation.drives",
                                 .columns = "step[s]\timplicit_minus_explicit[rad]\timplicit_error[rad]"
                                            "\texplicit_error[rad]"},
    [DLS_REDUCED_SPINS] = {.stem = "articulation.spin",
                           .columns = "mechanism\tway\tstep[s]\ttime[s]\tenergy_over_start\tangle_to_exact[rad]"},
    [DLS_REDUCED_GROWTHS] = {.stem = "articulation.growth", .columns = "way\th_W\tgrowth\tpredicted"},
    {.stem = NULL},
};

static const dls_experiment_part parts[] = {
    {"chains and loops", dls_reduced_chains},
    {"cost", dls_reduced_cost},
    {"base", dls_reduced_base},
    {"drives", dls_reduced_drives},
    {"drives, orders", dls_reduced_drive_orders},
    {"spin", dls_reduced_spins},
    {"growth", dls_reduced_growth},
    {NULL, NULL},
};

static dls_status prepare(dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    if (set->duration < set->step)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "duration", "must be at least a step of %g s", set->step);
    return set->spun >= 100.0 * set->step
               ? DLS_OK
               : dls_fail_about(error, DLS_BAD_INPUT, NULL, "spun", "must be at least 100 steps of %g s", set->step);
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    enum { ARCH = DLS_REDUCED_MECHANISMS - 1 };
    const dls_reduced_settings *set = study->settings;
    const dls_reduced_findings *f = study->found;
    const size_t last = set->ratios.count - 1;
    snprintf(finding->figure, sizeof finding->figure, "articulation-rates");
    snprintf(
        finding->sentence, sizeof finding->sentence,
        "A chain held at both ends, its last rod %g times as heavy, takes PGS %.2g iterations to 1e-6 as bodies with "
        "joints, and %.0f as an articulation.",
        set->ratios.reals[last], f->needed[ARCH][DLS_MAXIMAL][last], f->needed[ARCH][DLS_REDUCED][last]);
}

const dls_experiment dls_experiment_articulation = {
    .name = "articulation",
    .summary =
        "reduced against maximal coordinates: errors, iterations, cost; bases held by a joint, drives, fast spin",
    .title = "Reduced and maximal coordinates",
    .question = "What do reduced coordinates gain over bodies with joints, and what do they cost?",
    .varies = "mass ratio, iterations of PGS, number of links, treatment of drives and of fast spin",
    .measures = "distance to the exact trajectory, iterations to a tolerance with predicted and fitted rates, time per "
                "step, stability limits",
    .shows = "where both forms have the same error, where sweeps on bodies stall, and which treatment of spin "
             "conserves energy",
    .mechanisms = "four-bar loop",
    .fields = DLS_FIELD_TABLE(fields, dls_reduced_settings),
    .small = "ratios=1,100 iterations=10 duration=0.02 most=300 sizes=4,8,16 bases=1 erps=0.2 few=1,8 borders=1 "
             "driven=0.1 spun=0.2",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_reduced_findings),
    .prepare = prepare,
    .figures = dls_reduced_figures,
    .conclude = conclude,
};
