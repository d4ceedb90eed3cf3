/* Experiment: springs as rows with ERP and CFM, against implicit Euler, the damped oscillator, and the laws of substeps
 * and TGS. ode-new-joints, (24), (55), (56); conventions, Spring and damper.
 *
 * A lone row that its solver holds exactly is implicit Euler of f = -kp C - kd C', whatever kp and kd: stable, and of
 * first order in h. Schemes that move positions within a step make another integrator of the same row. Laws:
 * laws.c; rigs: rig.c. */
#include "spring.h"

#include <math.h>
#include <stdlib.h>
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
const dls_field_table dls_spring_fields = DLS_FIELD_TABLE(fields, dls_spring_settings);

/* --- lists --- */

static dls_status read_list(const char *key, const char *text, double least, double most, bool whole,
                            dls_spring_list *list, dls_error *error)
{
    list->count = 0;
    for (const char *from = text; *from;) {
        char *end;
        double value = strtod(from, &end);
        if (end == from || (*end && *end != ',') || !(value >= least && value <= most) ||
            (whole && value != floor(value)) || list->count == DLS_SPRING_LIST)
            return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, key,
                               "must be 1 to %d %snumbers from %g to %g, separated by commas", (int)DLS_SPRING_LIST,
                               whole ? "whole " : "", least, most);
        list->at[list->count++] = value;
        from = end + (*end == ',');
    }
    return list->count ? DLS_OK : dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, key, "must be at least one number");
}

/* What is undamped is looked at in any case. */
static void begin_undamped(dls_spring_list *list)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->at[k] == 0.0)
            return;
    memmove(list->at + 1, list->at, list->count++ * sizeof *list->at);
    list->at[0] = 0.0;
}

/* --- tables --- */

dls_status dls_spring_table(const dls_spring_lab *lab, const char *stem, const char *columns, dls_table **table,
                            dls_error *error)
{
    DLS_TRY(dls_job_table(lab->job, stem, table, error));
    dls_table_note_fields(*table, "", &lab->fields, lab->settings);
    dls_table_note(*table, "units", "kp [N/m], kd [N s/m], C [m]; of the hinge [N m/rad], [N m s/rad], [rad]");
    dls_table_columns(*table, columns);
    return DLS_OK;
}

dls_status dls_spring_finish(dls_table *table, dls_status status, dls_error *error)
{
    if (status == DLS_OK)
        return dls_table_commit(table, error);
    dls_table_abandon(table);
    return status;
}

void dls_spring_row(dls_table *table, const char *word, const char *other, const double *values, size_t count)
{
    dls_table_text(table, word);
    dls_table_text(table, other);
    for (size_t k = 0; k < count; k++)
        dls_table_real(table, values[k]);
    dls_table_end_row(table);
}

/* --- the experiment --- */

dls_status dls_spring_study(dls_spring_lab *lab, dls_error *error)
{
    static const struct {
        const char *name;
        dls_status (*run)(dls_spring_lab *lab, dls_error *error);
        double share;
    } studies[] = {
        {"implicit Euler", dls_spring_euler, 0.0}, {"order", dls_spring_order, 0.4},
        {"substeps", dls_spring_substeps, 0.6},    {"iterations", dls_spring_iterations, 0.8},
        {"stops", dls_spring_stops, 0.85},         {"sign", dls_spring_sign, 0.95},
    };
    const dls_spring_settings *set = lab->settings;
    DLS_TRY(read_list("dampings", set->dampings, 0.0, 1e4, false, &lab->dampings, error));
    begin_undamped(&lab->dampings);
    DLS_TRY(read_list("counts", set->counts, 1.0, 1e4, true, &lab->counts, error));
    if (!(set->softest <= set->stiffest))
        return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "stiffest", "must not be less than softest");
    for (size_t k = 0; k < sizeof studies / sizeof studies[0]; k++) {
        dls_job_progress(lab->job, studies[k].name, studies[k].share);
        DLS_TRY(studies[k].run(lab, error));
    }
    return DLS_OK;
}

static dls_status run(const dls_job *job, const void *settings, dls_error *error)
{
    dls_spring_lab lab = {.job = job, .settings = settings, .fields = dls_spring_fields};
    DLS_TRY(dls_spring_study(&lab, error));
    return dls_spring_figures(&lab, error);
}

const dls_experiment dls_experiment_spring = {
    .name = "spring",
    .summary =
        "springs as ERP and CFM: implicit Euler, the damped oscillator, substeps, sweeps, stops, the printed sign",
    .fields = DLS_FIELD_TABLE(fields, dls_spring_settings),
    .run = run,
};
