/* Figures on drift, and captions with the numbers that they show. */
#include "drift.h"

#include <stdio.h>
#include <string.h>

enum { CAPTION = 4096 };

static const dls_drift_finding *found(const dls_drift_lab *lab, size_t mechanism, const char *way)
{
    size_t w = 0;
    while (strcmp(dls_holds[w].name, way) != 0)
        w++;
    return &lab->found[mechanism][w];
}

static dls_status plot(const dls_drift_lab *lab, const char *script, const char *table_stem, const char *mechanism,
                       const char *caption, dls_error *error)
{
    char table[DLS_PATH_MAX], stem[2 * DLS_NAME_MAX], iterations[24];
    DLS_TRY(dls_job_path(lab->job, table_stem, "tsv", table, error));
    snprintf(stem, sizeof stem, "%s%s%s", script, mechanism ? "-" : "", mechanism ? mechanism : "");
    snprintf(iterations, sizeof iterations, "%zu", lab->settings->shown_iterations);
    const char *const variables[] = {"iterations", iterations, mechanism ? "mechanism" : NULL, mechanism, NULL};
    return dls_plot(lab->job, script, table, stem, caption, variables, error);
}

/* "WAY VALUE, WAY VALUE, ..." of one member of every way's finding, but where that is not a number. */
static void list(const dls_drift_finding *of, size_t member, const char *format, char *text, size_t size)
{
    text[0] = 0;
    for (size_t w = 0; dls_holds[w].name; w++) {
        double value;
        memcpy(&value, (const char *)&of[w] + member, sizeof value);
        size_t used = strlen(text);
        if (value == value)
            snprintf(text + used, size - used, format, used ? ", " : "", dls_holds[w].name, value);
    }
}

static dls_status plot_tradeoff(const dls_drift_lab *lab, size_t m, dls_error *error)
{
    const dls_drift_settings *set = lab->settings;
    const dls_drift_mechanism *mechanism = &dls_drift_mechanisms[m];
    char errors[512], energies[512], costs[512], caption[CAPTION];
    list(lab->found[m], offsetof(dls_drift_finding, shown_error), "%s%s %.1e", errors, sizeof errors);
    list(lab->found[m], offsetof(dls_drift_finding, shown_energy), "%s%s %.2g", energies, sizeof energies);
    list(lab->found[m], offsetof(dls_drift_finding, shown_cost), "%s%s %.2g", costs, sizeof costs);
    snprintf(caption, sizeof caption,
             "What holding joints costs: %s, falling for %g s, PGS of %zu iterations (or substeps) from zero impulse, "
             "%zu to %zu steps a second along each line. Left: the largest "
             "joint error over the row-iterations of a second of motion, sweeps over positions included; right: the "
             "largest change of energy. Rows made anew are not in that count, and small steps, TGS and sweeps over "
             "positions make many: drift.cost.tsv has measured times. At %zu steps a second, largest error [m]: %s. "
             "Energy [J]: %s. Row-iterations a second: %s.",
             mechanism->caption, set->duration, set->shown_iterations, lab->rates[0], lab->rates[lab->n_rates - 1],
             set->shown_rate, errors, energies, costs);
    return plot(lab, "drift-tradeoff", "drift.runs", mechanism->name, caption, error);
}

static dls_status plot_time(const dls_drift_lab *lab, size_t m, dls_error *error)
{
    const dls_drift_settings *set = lab->settings;
    const dls_drift_mechanism *mechanism = &dls_drift_mechanisms[m];
    char caption[CAPTION];
    snprintf(caption, sizeof caption,
             "Joint error over time: %s, %zu steps a second. Left: every problem solved by %s (TGS: %zu iterations of "
             "PGS; small steps: %zu substeps). "
             "Without feedback the error grows to the end, with ERP %g it settles at what a step leaves; the "
             "projection by Newton's method has rounding and its tolerance. "
             "Right: PGS of %zu iterations or substeps.",
             mechanism->caption, set->shown_rate, set->reference, set->many, set->substeps, set->erp,
             set->shown_iterations);
    return plot(lab, "drift-time", "drift.history", mechanism->name, caption, error);
}

static dls_status plot_order(const dls_drift_lab *lab, dls_error *error)
{
    const dls_drift_settings *set = lab->settings;
    char orders[DLS_DRIFT_MECHANISMS][512], caption[CAPTION];
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++)
        list(lab->found[m], offsetof(dls_drift_finding, order), "%s%s %.2f", orders[m], sizeof orders[m]);
    snprintf(caption, sizeof caption,
             "The largest joint error of %g s over the time step, every problem solved by %s (TGS: %zu iterations of "
             "PGS; small steps: %zu substeps); dotted: orders 1 and 2. Theory: 1 "
             "without feedback, 2 with any that takes a share of the error back, 0 of springs, a tolerance for "
             "Newton's projection. Fitted from %g steps a second on. "
             "Chain: %s. Four-bar: %s. Hinge pair: %s. "
             "The chain's light balls turn under the weight of the last one at up to w = sqrt(T L / I) (T all the "
             "weight, L a ball's spacing, I its inertia), which explicit steps follow below about 2 / w = %.2g s: "
             "beyond that the chain's errors leave their orders.",
             set->duration, set->reference, set->many, set->substeps, set->fit_from, orders[0], orders[1], orders[2],
             lab->chain_step);
    return plot(lab, "drift-order", "drift.runs", NULL, caption, error);
}

static dls_status plot_erp(const dls_drift_lab *lab, dls_error *error)
{
    const dls_drift_settings *set = lab->settings;
    char few[DLS_DRIFT_MECHANISMS][512], caption[CAPTION];
    double begins[2][DLS_DRIFT_MECHANISMS];
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++) {
        begins[0][m] = found(lab, m, "baumgarte")->overshoot;
        begins[1][m] = found(lab, m, "split-impulse")->overshoot;
        list(lab->found[m], offsetof(dls_drift_finding, overshoot_few), "%s%s %.3g", few[m], sizeof few[m]);
    }
    snprintf(caption, sizeof caption,
             "How far the joint error passes zero when ERP is swept to %g: the last body pushed by %g m, at rest, "
             "without gravity, %zu steps. Points: solved by %s (TGS: %zu iterations of PGS; "
             "small steps: %zu substeps); dotted: PGS of %zu iterations. Solved exactly C+ = (1 - ERP) C, so an "
             "overshoot of %g begins at 1 + that: measured %.6f (chain), %.6f "
             "(four-bar) and %.6f (hinge pair) with Baumgarte's feedback, %.6f, %.6f and %.6f with split impulse. "
             "Sweeps that have not converged overshoot sooner; it begins, chain: %s; "
             "four-bar: %s; hinge pair: %s. Ways that are not named do not.",
             set->erp_last, set->push, set->erp_steps, set->reference, set->many, set->substeps, set->shown_iterations,
             set->noticed, begins[0][0], begins[0][1], begins[0][2], begins[1][0], begins[1][1], begins[1][2], few[0],
             few[1], few[2]);
    return plot(lab, "drift-erp", "drift.erp", NULL, caption, error);
}

dls_status dls_drift_figures(const dls_drift_lab *lab, dls_error *error)
{
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++) {
        DLS_TRY(plot_tradeoff(lab, m, error));
        DLS_TRY(plot_time(lab, m, error));
    }
    DLS_TRY(plot_order(lab, error));
    return plot_erp(lab, error);
}
