/* Experiment: articulations. What reduced coordinates are worth beside bodies with joints (maximal coordinates), and
 * what they cost.
 *
 * physx-articulations; mechanisms: mechanisms.c. Counts and errors are the same each time; measured seconds stand in
 * tables of their own. */
#include "parts.h"

#define FIELD(...) DLS_SETTING(dls_reduced_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(ratios, "", REALS, "1, 10, 100, 1e3, 1e4, 1e5, 1e6", 1e-3, 1e9, "masses of the last solid over the others'"),
    FIELD(iterations, "", COUNTS, "10, 100, 1000", 1, 1e6, "of PGS a step, from zero impulse"),
    FIELD(links, "", COUNT, "6", 2, 64, "of the chain and of the arch"),
    FIELD(most, "", COUNT, "20000", 10, 1e7, "iterations of PGS at most where rates are fitted"),
    FIELD(duration, "s", REAL, "0.2", 1e-3, 100, "of a run"),
    FIELD(step, "s", REAL, "0.001", 1e-6, 0.1, "of a run"),
    FIELD(erp, "", REAL, "0.2", 0, 1, "of joints that are rows"),
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
    {.stem = NULL},
};

static const dls_experiment_part parts[] = {{"chains and loops", dls_reduced_chains}, {NULL, NULL}};

const dls_experiment dls_experiment_articulation = {
    .name = "articulation",
    .summary = "reduced against maximal coordinates: errors, iterations and cost",
    .fields = DLS_FIELD_TABLE(fields, dls_reduced_settings),
    .small = "ratios=1,100 iterations=10 duration=0.02 most=300",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_reduced_findings),
    .figures = dls_reduced_figures,
};
