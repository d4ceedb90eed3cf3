/* Experiment: drift of joints under every method of constraint stabilisation, its cost, and its effect on energy.
 *
 * A chain, a loop and a pair of very different masses fall, at time steps from 1/30 s to 1/1000 s, with exact solves
 * (orders in the step) and with a few sweeps from zero impulse (the compromise of game engines), over the rows in
 * several orders. Cost is counted in
 * row-iterations, so that tables are reproducible; measured times are in a separate table, which the figures of the
 * compromise show beside the count. An ERP beyond 1, which scenes may not have, is set here on purpose.
 * temporal-coherence, Time Stepping; ode-new-joints, ERP and CFM. The methods: study/method.c.
 */
#include "drift/parts.h"

#include <math.h>
#include <stdio.h>

#define FIELD(...) DLS_SETTING(dls_drift_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(rates, "", COUNTS, "30, 60, 120, 250, 500, 1000", 1, 1e6, "time steps per second"),
    FIELD(iterations, "", COUNTS, "4, 16", 1, 1e6,
          "iterations of PGS per step, from zero impulse; number of substeps of small steps"),
    FIELD(reference, "", NAME, "block-pivoting", 0, 0, "direct method for the orders and for the sweep of ERP"),
    FIELD(many, "", COUNT, "100", 1, 1e6,
          "iterations of PGS in place of the direct method, where a scheme works with iterative solvers only"),
    FIELD(substeps, "", COUNT, "4", 1, 1e4, "number of substeps of small steps with the direct method"),
    {.key = "row_orders",
     .unit = "",
     .kind = DLS_FIELD_CHOICES,
     .offset = offsetof(dls_drift_settings, row_orders),
     .fallback = "given, reversed, random, symmetric",
     .choices = dls_drift_order_names,
     .help = "orders of the rows in the sweeps of PGS; symmetric: forward and backward in turn"},
    FIELD(seed, "", COUNT, "1", 0, 1e9, "seed of the random order, and of the copies"),
    FIELD(copies, "", COUNT, "5", 1, 1000,
          "number of copies of each run, displaced by 1e-9 m at random, or with other masses and gravity: tables have "
          "medians and ranges"),
    FIELD(duration, "s", REAL, "0.5", 1e-3, 1e3, "duration of a run"),
    FIELD(mass_ratio, "", REAL, "1000", 1, 1e9, "mass of the lower body of the hinge pair over that of the upper one"),
    FIELD(erp, "", REAL, "0.2", 0, 1, "ERP of all rows with a position error"),
    FIELD(frequency, "Hz", REAL, "30", 1e-3, 1e6, "natural frequency of soft rows"),
    FIELD(damping_ratio, "", REAL, "1", 0, 1e3, "damping ratio of soft rows"),
    FIELD(fit_from, "", REAL, "250", 1, 1e9, "least number of time steps per second from which orders are fitted"),
    FIELD(shown_rate, "", COUNT, "250", 1, 1000000000,
          "time steps per second of the runs whose errors over time are written"),
    FIELD(shown_iterations, "", COUNT, "16", 1, 1e6, "iterations of PGS in figures and captions"),
    FIELD(erp_last, "", REAL, "1.2", 0.1, 1.99, "greatest ERP of the sweep, which begins at 0"),
    FIELD(erp_points, "", COUNT, "25", 2, 1000, "number of values of ERP in this sweep"),
    FIELD(erp_steps, "", COUNT, "20", 1, 10000, "number of steps after the push"),
    FIELD(push, "m", REAL, "1e-6", 1e-9, 1e-2, "initial displacement of the last body, whose return is measured"),
    FIELD(noticed, "", REAL, "1e-3", 1e-9, 1,
          "error on the other side of zero, over the first error, that counts as an overshoot"),
    {.key = "crossings",
     .unit = "",
     .kind = DLS_FIELD_CHOICES,
     .offset = offsetof(dls_drift_settings, crossings),
     .fallback = "ball, ball-at-rest, slope-turns, slope-stays, rolling, rod, rocking, drive, mimic, belt",
     .choices = dls_drift_crossing_names,
     .help = "motions across events"},
    FIELD(event_rates, "", COUNTS, "250, 500, 1000, 2000", 1, 1e6, "time steps per second of motions across events"),
    FIELD(event_reference, "", NAME, "cone-newton", 0, 0, "direct method for motions across events"),
    FIELD(event_iterations, "", COUNT, "40", 1, 1e6,
          "iterations of NSGS in its place, where a scheme works with iterative solvers only"),
    FIELD(phases, "", COUNT, "3", 1, 1000,
          "runs of each of these rates, with one more step each, which shifts the events within their steps"),
    FIELD(settled, "", REAL, "1.5", 1, 1e3,
          "largest factor between an error and the line of its order, with which the order is written"),
};

#define WHAT "mechanism\tway\tsolver\titerations\t"
static const dls_experiment_table tables[] = {
    [DLS_DRIFT_RUNS] = {.stem = "drift.runs",
                        .columns = WHAT "row_order\tsteps_a_second\tcopies\tsteps\tfailed_step\tunsolved_steps\tworst_"
                                        "error[m]\tleast_worst_error[m]\tmost_worst_error[m]\tlast_error[m]"
                                        "\tworst_error[rad]\tlast_error[rad]\tworst_energy_change[J]\tleast_worst_"
                                        "energy_change[J]\tmost_worst_energy_change[J]\tlast_energy_change[J]"
                                        "\trow_iterations_a_second\tsolves_a_second"},
    [DLS_DRIFT_COST] = {.stem = "drift.cost",
                        .columns = WHAT "steps_a_second\ttime_measured_a_step[s]\ttime_measured_an_iteration[s]"
                                        "\ttime_measured_a_row_iteration[s]\tworst_error[m]\tworst_energy_change[J]"},
    [DLS_DRIFT_HISTORY] = {.stem = "drift.history", .columns = WHAT "time[s]\terror[m]\terror[rad]\tenergy_change[J]"},
    [DLS_DRIFT_ORDERS] = {.stem = "drift.order.summary",
                          .columns = WHAT "fitted_order\torder_in_theory\tworst_error_at_the_smallest_step[m]"},
    [DLS_DRIFT_ERP] = {.stem = "drift.erp", .columns = WHAT "erp\tfirst_step\tovershoot\tpeak"},
    [DLS_DRIFT_ERP_SUMMARY] = {.stem = "drift.erp.summary", .columns = WHAT "overshoot_from_erp"},
    [DLS_DRIFT_EVENTS] = {.stem = "drift.events",
                          .columns = WHAT "steps_a_second\tending\tunsolved_steps\terror[m|rad]\tleast_error[m|rad]"
                                          "\tmost_error[m|rad]\terror[m/s|rad/s]\tleast_error[m/s|rad/s]"
                                          "\tmost_error[m/s|rad/s]"},
    [DLS_DRIFT_EVENTS_SUMMARY] = {.stem = "drift.events.summary",
                                  .columns = WHAT "ending\torder_of_positions\tconstant_of_positions\tlast_error[m|rad]"
                                                  "\torder_of_velocities\tconstant_of_velocities\tlast_error[m/s|rad/s]"
                                                  "\terror_of_the_truth[m|rad]\terror_of_the_truth[m/s|rad/s]"},
    {.stem = NULL},
};

static const dls_experiment_part parts[] = {
    {"runs", dls_drift_runs}, {"ERP", dls_drift_overshoot}, {"events", dls_drift_events}, {NULL, NULL}};

static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_drift_settings *set = study->settings;
    const dls_drift_findings *f = study->found;
    const dls_drift_finding *baumgarte = &f->of[0][dls_method_find("baumgarte") - dls_methods],
                            *small_steps = &f->of[0][dls_method_find("small-steps") - dls_methods];
    snprintf(finding->figure, sizeof finding->figure, "drift-tradeoff-%s", dls_drift_mechanisms[0].name);
    const dls_drift_finding *generic = f->of[DLS_DRIFT_MECHANISMS - 1];
    const double *error[2] = {&generic[baumgarte - f->of[0]].shown_error, &generic[small_steps - f->of[0]].shown_error};
    snprintf(
        finding->sentence, sizeof finding->sentence,
        "At %zu steps per second and %zu row-iterations per row, the joints of a chain come apart by %.2g to %.2g m "
        "in %zu copies under Baumgarte's feedback and by %.2g to %.2g m under small steps; of generic chains the "
        "medians are %.2g and %.2g m.",
        set->shown_rate, set->shown_iterations, baumgarte->error.least, baumgarte->error.most, set->copies,
        small_steps->error.least, small_steps->error.most, *error[0], *error[1]);
}

const dls_experiment dls_experiment_drift = {
    .name = "drift",
    .summary = "joint error, energy and cost of every method of constraint stabilisation over the time step; ERP swept "
               "beyond 1",
    .title = "Constraint stabilisation",
    .question = "How far do joints drift apart under each method of constraint stabilisation, and at what cost?",
    .varies = "method, time step, iterations, order of rows, ERP",
    .measures = "joint error, order in the step, change of energy, row-iterations and time",
    .shows = "which method has which order, which error a given amount of work buys, how it depends on the order of "
             "the rows, "
             "and from which ERP on errors overshoot",
    .mechanisms = "chain-10 four-bar hinge-pair",
    .fields = DLS_FIELD_TABLE(fields, dls_drift_settings),
    .small = "copies=2 rates=250,500,1000 duration=0.05 many=10 erp_points=5 erp_steps=5 "
             "event_rates=100,200,400 phases=1 crossings=rod,slope-turns",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_drift_findings),
    .remark = {"ways", "every scheme of that name has its defaults; soft: every row is a spring given by frequency and "
                       "damping_ratio"},
    .figures = dls_drift_figures,
    .conclude = conclude,
};
