/* Experiment: springs as rows with ERP and CFM, against implicit Euler, the damped oscillator, and the laws of substeps
 * and TGS. ode-new-joints, (24), (55), (56); conventions, Spring and damper.
 *
 * A lone row that its solver holds exactly is implicit Euler of f = -kp C - kd C', whatever kp and kd: stable, and of
 * first order in h. Schemes that move positions within a step make another integrator of the same row. Laws: laws.c;
 * rigs: rig.c. */
#include "spring/parts.h"

#include <string.h>

#define FIELD(key, unit, kind, member, fallback, min, max, help)                                                  \
    {                                                                                                             \
        key, unit, DLS_FIELD_##kind, offsetof(dls_spring_settings, member), fallback, min, max, false, NULL, help \
    }
static const dls_field fields[] = {
    FIELD("mass", "kg", REAL, mass, "2.385", 1e-3, 1e3, "of the body"),
    FIELD("amplitude", "", REAL, amplitude, "0.1", 1e-6, 0.5, "C at the start [m, rad]"),
    FIELD("softest", "", REAL, softest, "1", 1e-3, 1e12, "least stiffness; from there by decades [N/m, N m/rad]"),
    FIELD("stiffest", "", REAL, stiffest, "1e8", 1e-3, 1e12, "greatest stiffness"),
    FIELD("dampings", "", NAME, dampings, "0,0.01,0.3,1,3,100", 0, 0,
          "damping ratios, kd over 2 sqrt(kp m), separated by commas; 0 is always among them"),
    FIELD("counts", "", NAME, counts, "1,2,4,8,16,32", 0, 0, "iterations or substeps a step, separated by commas"),
    FIELD("step", "s", REAL, step, "0.002", 1e-6, 0.1, "step of the runs against implicit Euler"),
    FIELD("duration", "s", REAL, duration, "5", 0.01, 1000, "their length"),
    FIELD("coarse", "s", REAL, coarse, "0.016666666666666666", 1e-6, 0.1,
          "step of all that has iterations or substeps"),
    FIELD("stiffness", "", REAL, stiffness, "0.5", 1e-3, 100,
          "w h of the oscillator whose damping by substeps is shown"),
    FIELD("arm", "m", REAL, arm, "0.5", 1e-3, 10,
          "of the rail or axis beside the centre of mass, where sweeps compete"),
    FIELD("contest", "s", REAL, contest, "1", 0.01, 1000, "length of the runs of sweeps"),
};

static const dls_experiment_table tables[] = {
    [DLS_SPRING_EULER] = {"spring.euler.summary",
                          "rig\tscheme\tkp\tdamping_ratio\tkd\tw_h\tdifference_to_implicit_euler\tlast_C"},
    [DLS_SPRING_ORDER] = {"spring.order", "rig\tscheme\tkp\tdamping_ratio\tstep[s]\tw_h\terror_over_amplitude"},
    [DLS_SPRING_ORDERS] = {"spring.order.summary", "rig\tscheme\tkp\tdamping_ratio\torder"},
    [DLS_SPRING_MOTION] = {"spring.motion", "rig\tscheme\tsteps_a_period\tperiods\tC_over_start\texact"},
    [DLS_SPRING_LAWS] = {"spring.laws.summary", "rig\tscheme\tkp\tdamping_ratio\titerations\tdifference_to_law"},
    [DLS_SPRING_DAMPING] = {"spring.damping", "rig\tscheme\titerations\tw_h\tfrequency_over_w\tdamping_ratio"},
    [DLS_SPRING_ITERATIONS] = {"spring.iterations",
                               "rig\tscheme\tarm[m]\tkp\titerations\tdifference_to_direct\tpredicted_rate"},
    [DLS_SPRING_STOPS] = {"spring.stops", "rig\tscheme\tkp\tdepth[m]\tm_g_over_kp[m]\trelative_error"},
    [DLS_SPRING_SIGN] = {"spring.sign", "rig\tsign\tkp\tdamping_ratio\tw_h\tfactor\tpredicted\tmatrix_difference"},
    [DLS_SPRING_SIGN_RUN] = {"spring.sign.run", "rig\tsign\tsteps\tabs_C"},
    {NULL, NULL},
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
    dls_numbers asked;
    DLS_TRY(dls_numbers_read("dampings", set->dampings, 0.0, 1e4, false, &asked, error));
    f->dampings.count = 1; /* 0 */
    for (size_t k = 0; k < asked.count; k++)
        if (asked.at[k] > 0.0)
            f->dampings.at[f->dampings.count++] = asked.at[k];
    DLS_TRY(dls_numbers_read("counts", set->counts, 1.0, 1e4, true, &f->counts, error));
    return set->softest <= set->stiffest
               ? DLS_OK
               : dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "stiffest", "must not be less than softest");
}

static void note(const dls_study *study, dls_table *table)
{
    (void)study;
    dls_table_note(table, "units", "kp [N/m], kd [N s/m], C [m]; of the hinge [N m/rad], [N m s/rad], [rad]");
}

const dls_experiment dls_experiment_spring = {
    .name = "spring",
    .summary =
        "springs as ERP and CFM: implicit Euler, the damped oscillator, substeps, sweeps, stops, the printed sign",
    .fields = DLS_FIELD_TABLE(fields, dls_spring_settings),
    .tables = tables,
    .parts = parts,
    .findings = sizeof(dls_spring_findings),
    .prepare = prepare,
    .note = note,
    .figures = dls_spring_figures,
};
