/* Experiment: the benefit of the impulses of the last step as the start of the next solve. temporal-coherence, Contact
 * Caching; Box2D.
 *
 * Iterations to a residual, cold and warm, for a stack and for a wall; the stability of stacks; the oscillation of warm
 * stacks (law.c); joint errors of a chain; and a wall of a hundred boxes at ten iterations per step.
 */
#include "coherence/parts.h"

#include <stdio.h>

#define FIELD(...) DLS_SETTING(dls_coherence_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(duration, "s", REAL, "20", 0.1, 1000, "duration of the runs of stack and chain"),
    FIELD(step, "s", REAL, "0.016666666666666666", 1e-4, 0.1, "time step"),
    FIELD(wall_step, "s", REAL, "0.004166666666666667", 1e-4, 0.1, "time step of the wall"),
    FIELD(iterations, "", COUNT, "10", 1, 1000, "iterations of PGS per step"),
    FIELD(copies, "", COUNT, "6", 1, 10000, "number of copies of each stack, displaced by 1e-9 m at random"),
    FIELD(copies_short, "", COUNT, "2", 1, 10000,
          "number of copies where the steps are shorter; at most that of the others"),
    FIELD(drive, "", COUNT, "40", 1, 1000,
          "iterations of PGS per step in the run of the stack whose problems are solved cold and warm"),
    FIELD(limit, "", COUNT, "2000", 1, 1000000, "greatest number of iterations to a given residual"),
    FIELD(samples, "", COUNT, "20", 1, 10000, "number of steps of this run whose problems are solved"),
    FIELD(wall_steps, "", COUNT, "600", 1, 100000, "number of steps of the wall of 100 boxes"),
};

static const dls_experiment_table tables[] = {
    [DLS_COHERENCE_LAW] = {.stem = "coherence.law",
                           .columns = "erp\titerations\tkappa\tkappa_needed\tpredicted_growth\tmeasured_growth"
                                      "\tpredicted_period[steps]\tmeasured_period[steps]"},
    [DLS_COHERENCE_CHAIN_RUNS] = {.stem = "coherence.chain",
                                  .columns = "mass_ratio\tscheme\tstart\ttime[s]\tjoint_error[m]\tenergy_change[J]"},
    [DLS_COHERENCE_CHAIN_SUMMARY] = {.stem = "coherence.chain.summary",
                                     .columns = "mass_ratio\tscheme\tstart\tmax_joint_error[m]\tmean_joint_error[m]"
                                                "\tenergy_change[J]"},
    [DLS_COHERENCE_STANDS] = {.stem = "coherence.stand", .columns = "run\ttime[s]\tstanding"},
    [DLS_COHERENCE_STAND_SUMMARY] =
        {.stem = "coherence.stand.summary",
         .columns = "scheme\titerations\tstep[s]\tcontact_margin[m]\tstart\tcopies"
                    "\tstood\tfirst_fell[s]\tmedian_of_falls[s]\theight_change[mm]\taside[mm]\tbreath[mm]\tdepth[mm]"
                    "\tscaled_residual"},
    [DLS_COHERENCE_ITERATIONS] = {.stem = "coherence.iterations",
                                  .columns = "pile\tstart\ttime[s]\trows\tresidual_at_start\titerations_to_3e-2"
                                             "\titerations_to_1e-2\titerations_to_1e-3"},
    [DLS_COHERENCE_WALL_RUNS] = {.stem = "coherence.wall",
                                 .columns = "run\ttime[s]\trows\tscaled_residual\tdepth[m]\theight_change[m]"
                                            "\tmeasured_cpu_time_of_step[s]"},
    [DLS_COHERENCE_WALL_SUMMARY] = {.stem = "coherence.wall.summary",
                                    .columns = "run\tsteps\trows\tscaled_residual\tdepth[m]\theight_change[m]"
                                               "\tmeasured_cpu_time[s]\tmeasured_cpu_time_of_a_step[ms]"},
    {.stem = NULL},
};

static const dls_experiment_part parts[] = {
    {"law", dls_coherence_laws},     {"chain", dls_coherence_chains},
    {"stand", dls_coherence_stands}, {"iterations", dls_coherence_iterations},
    {"wall", dls_coherence_walls},   {NULL, NULL},
};

static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_coherence_settings *set = study->settings;
    const dls_coherence_findings *f = study->found;
    snprintf(finding->figure, sizeof finding->figure, "coherence-stand");
    snprintf(
        finding->sentence, sizeof finding->sentence,
        "Whether a stack stands is chaos: of %zu stacks of ten boxes that differ by 1e-9 m, %zu stand for %g s under "
        "split impulse with warm starts and %zu iterations.",
        set->copies, f->stood_split, set->duration, set->iterations);
}

const dls_experiment dls_experiment_coherence = {
    .name = "coherence",
    .summary = "warm starts: iterations, stacks, a chain and a wall, cold and warm, and why warm stacks oscillate",
    .title = "Warm starts",
    .question = "What is the benefit of starting a solve from the impulses of the last step?",
    .varies = "scheme, iterations, step, contact margin, cold and warm starts, and small displacements of the boxes",
    .measures = "iterations to a residual, the share of stacks that still stand, joint errors, and the growth of "
                "errors per step against a linear law",
    .shows = "when warm starts save iterations, when they make errors grow, and which stacks stand",
    .mechanisms = "stack-10-found wall chain-10",
    .fields = DLS_FIELD_TABLE(fields, dls_coherence_settings),
    .small = "duration=0.1 copies=2 limit=20 samples=2 wall_steps=3",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_coherence_findings),
    .remark = {"solver", "pgs; warm starts with warm.distance 0.02 m, warm.age 2"},
    .figures = dls_coherence_figures,
    .conclude = conclude,
};
