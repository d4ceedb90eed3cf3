/* Experiment: springs as rows with ERP and CFM, against implicit Euler, the damped oscillator, and the laws of substeps
 * and TGS. ode-new-joints, (24), (55), (56); conventions, Spring and damper.
 *
 * A single row that is solved exactly is implicit Euler for f = -kp C - kd C', for any kp and kd: stable, and of first
 * order in h. With schemes that move positions within a step the same row is a different integrator. Laws:
 * oscillator.c; rigs: spring_rig.c. */
#include "spring/parts.h"

#include <stdio.h>
#include <string.h>

#define FIELD(...) DLS_SETTING(dls_spring_settings, __VA_ARGS__)
static const dls_field fields[] = {
    FIELD(mass, "kg", REAL, "2.385", 1e-3, 1e3, "mass of the body"),
    FIELD(amplitude, "", REAL, "0.1", 1e-6, 0.5, "C at the start [m, rad]"),
    FIELD(softest, "", REAL, "1", 1e-3, 1e12, "least stiffness, from which it grows by powers of ten [N/m, N m/rad]"),
    FIELD(stiffest, "", REAL, "1e8", 1e-3, 1e12, "greatest stiffness [N/m, N m/rad]"),
    FIELD(dampings, "", REALS, "0, 0.01, 0.3, 1, 3, 100", 0, 1e4,
          "damping ratios, kd over 2 sqrt(kp m); 0 is always included"),
    FIELD(counts, "", COUNTS, "1, 2, 4, 8, 16, 32", 1, 1e4, "numbers of iterations or substeps per step"),
    FIELD(step, "s", REAL, "0.002", 1e-6, 0.1, "time step of the runs that are compared with implicit Euler"),
    FIELD(duration, "s", REAL, "5", 0.01, 1000, "duration of these runs"),
    FIELD(coarse, "s", REAL, "0.016666666666666666", 1e-6, 0.1, "time step of the runs with iterations or substeps"),
    FIELD(stiffness, "", REAL, "0.5", 1e-3, 100, "w h of the oscillator whose numerical damping by substeps is shown"),
    FIELD(arm, "m", REAL, "0.5", 1e-3, 10,
          "distance of the rail or axis from the centre of mass in the comparison of sweeps"),
    FIELD(contest, "s", REAL, "1", 0.01, 1000, "duration of the runs with sweeps"),
};

static const dls_experiment_table tables[] = {
    [DLS_SPRING_EULER] = {.stem = "spring.euler.summary",
                          .columns = "rig\tscheme\tkp\tdamping_ratio\tkd\tw_h\tdifference_to_implicit_euler\tlast_C"},
    [DLS_SPRING_ORDER] = {.stem = "spring.order",
                          .columns = "rig\tscheme\tkp\tdamping_ratio\tstep[s]\tw_h\terror_over_amplitude"},
    [DLS_SPRING_ORDERS] = {.stem = "spring.order.summary", .columns = "rig\tscheme\tkp\tdamping_ratio\torder"},
    [DLS_SPRING_MOTION] = {.stem = "spring.motion",
                           .columns = "rig\tscheme\tsteps_a_period\tperiods\tC_over_start\texact"},
    [DLS_SPRING_LAWS] = {.stem = "spring.laws.summary",
                         .columns = "rig\tscheme\tkp\tdamping_ratio\titerations\tdifference_to_law"},
    [DLS_SPRING_DAMPING] = {.stem = "spring.damping",
                            .columns = "rig\tscheme\titerations\tw_h\tfrequency_over_w\tdamping_ratio"},
    [DLS_SPRING_ITERATIONS] = {.stem = "spring.iterations",
                               .columns = "rig\tscheme\tarm[m]\tkp\titerations\tdifference_to_direct\tpredicted_rate"},
    [DLS_SPRING_STOPS] = {.stem = "spring.stops",
                          .columns = "rig\tscheme\tkp\tdepth[m]\tm_g_over_kp[m]\trelative_error"},
    [DLS_SPRING_SIGN] = {.stem = "spring.sign",
                         .columns = "rig\tsign\tkp\tdamping_ratio\tw_h\tfactor\tpredicted\tmatrix_difference"},
    [DLS_SPRING_SIGN_RUN] = {.stem = "spring.sign.run", .columns = "rig\tsign\tsteps\tabs_C"},
    {.stem = NULL},
};

static const dls_experiment_part parts[] = {
    {"implicit Euler", dls_spring_euler},
    {"order", dls_spring_order},
    {"substeps", dls_spring_substeps},
    {"iterations", dls_spring_iterations},
    {"stops", dls_spring_stops},
    {"sign", dls_spring_sign},
    {NULL, NULL},
};

static dls_status prepare(dls_study *study, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    dls_spring_findings *f = study->found;
    f->n_dampings = 1; /* 0 */
    for (size_t k = 0; k < set->dampings.count; k++)
        if (set->dampings.reals[k] > 0.0)
            f->dampings[f->n_dampings++] = set->dampings.reals[k];
    return set->softest <= set->stiffest
               ? DLS_OK
               : dls_fail_about(error, DLS_BAD_INPUT, NULL, "stiffest", "must not be less than softest");
}

static void conclude(const dls_study *study, dls_finding *finding)
{
    const dls_spring_findings *f = study->found;
    double worst = 0.0;
    for (size_t k = 0; k < DLS_SPRING_KINDS; k++)
        worst = fmax(worst, f->euler[k]);
    snprintf(finding->figure, sizeof finding->figure, "spring-exactness");
    snprintf(finding->sentence, sizeof finding->sentence,
             "A spring written as ERP and CFM is implicit Euler: over %zu runs the largest difference is %.1e of the "
             "amplitude.",
             f->runs, worst);
}

const dls_experiment dls_experiment_spring = {
    .name = "spring",
    .summary =
        "springs as ERP and CFM: implicit Euler, the damped oscillator, substeps, sweeps, stops, the printed sign",
    .title = "Springs as ERP and CFM",
    .question = "To which integrator does a spring given by ERP and CFM correspond?",
    .varies = "stiffness, damping, joint, scheme, substeps, iterations",
    .measures =
        "the difference to implicit Euler and to the damped oscillator, orders, numerical damping, depth on stops",
    .shows = "that an exactly solved row is implicit Euler to rounding, and the effect of substeps and sweeps",
    .mechanisms = "slider distance",
    .mechanism = dls_spring_mechanism,
    .fields = DLS_FIELD_TABLE(fields, dls_spring_settings),
    .small = "stiffest=1e3 dampings=0,1 counts=1,2 duration=0.05 contest=0.05",
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_spring_findings),
    .prepare = prepare,
    .remark = {"units", "kp [N/m], kd [N s/m], C [m]; of the hinge [N m/rad], [N m s/rad], [rad]"},
    .figures = dls_spring_figures,
    .conclude = conclude,
};
