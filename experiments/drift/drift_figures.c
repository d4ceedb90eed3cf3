/* Figures on drift, and captions with their numbers.
 */
#include "drift/parts.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static const dls_drift_finding *found(const dls_drift_findings *f, size_t mechanism, const char *method)
{
    return &f->of[mechanism][dls_method_find(method) - dls_methods];
}

/* The method with the least of one member of its findings. */
static size_t least(const dls_drift_finding *of, size_t member)
{
    size_t best = 0;
    double smallest = HUGE_VAL;
    for (size_t w = 0; w < DLS_METHODS; w++) {
        double value;
        memcpy(&value, (const char *)&of[w] + member, sizeof value);
        if (value < smallest)
            smallest = value, best = w;
    }
    return best;
}

static dls_status draw_mechanism(const dls_study *study, size_t m, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    const dls_drift_findings *f = study->found;
    const dls_drift_mechanism *mechanism = &dls_drift_mechanisms[m];
    const dls_drift_finding *none = found(f, m, "none"), *baumgarte = found(f, m, "baumgarte"),
                            *newton = found(f, m, "projection-newton");
    const size_t closest = least(f->of[m], offsetof(dls_drift_finding, shown_error)),
                 calmest = least(f->of[m], offsetof(dls_drift_finding, shown_energy));
    dls_figure figure;

    dls_figure_begin(&figure, study, "drift-tradeoff", DLS_DRIFT_RUNS, mechanism->name);
    dls_figure_set_table(&figure, "second", DLS_DRIFT_COST);
    dls_figure_set(&figure, "mechanism", "%s", mechanism->name);
    dls_figure_set(&figure, "iterations", "%zu", set->shown_iterations);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "What holding joints together costs on %s: %g s of a fall under PGS of %zu iterations (or substeps) from zero "
        "impulse, at %g to %g steps per second. Joint errors (top) and changes of energy (bottom) over row-iterations "
        "and over measured time, in which rows that are evaluated again cost more. At %zu steps per second the "
        "smallest error is %.2g m (%s) and the smallest change of energy %.2g J (%s); without any feedback they are "
        "%.2g m and %.2g J.",
        mechanism->caption, set->duration, set->shown_iterations, (double)set->rates.counts[0],
        (double)set->rates.counts[set->rates.count - 1], set->shown_rate, f->of[m][closest].shown_error,
        dls_methods[closest].name, f->of[m][calmest].shown_energy, dls_methods[calmest].name, none->shown_error,
        none->shown_energy));

    dls_figure_begin(&figure, study, "drift-time", DLS_DRIFT_HISTORY, mechanism->name);
    dls_figure_set(&figure, "mechanism", "%s", mechanism->name);
    dls_figure_set(&figure, "iterations", "%zu", set->shown_iterations);
    return dls_figure_draw(
        &figure, error,
        "Joint error over time at %zu steps per second: %s. Left: every problem solved by %s (TGS: %zu iterations of "
        "PGS; small steps: %zu substeps); right: PGS of %zu iterations or substeps. There the largest error is %.2g m "
        "without feedback, %.2g m with ERP %g (Baumgarte), and %.2g m with the projection by Newton's method.",
        set->shown_rate, mechanism->caption, set->reference, set->many, set->substeps, set->shown_iterations,
        none->shown_error, baumgarte->shown_error, set->erp, newton->shown_error);
}

/* "0.045 given, 0.04 reversed, ..." of the orders that were run. */
static void say_orders(dls_figure *figure, const dls_drift_finding *of)
{
    for (size_t k = 0, said = 0; k < DLS_DRIFT_ORDERS_OF_ROWS; k++)
        if (of->order_error[k] > 0.0)
            dls_figure_say(figure, "%s %.2g (%s)", said++ ? "," : "", of->order_error[k], dls_drift_order_names[k]);
}

static dls_status draw_orders_of_rows(const dls_study *study, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    const dls_drift_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "drift-rows", DLS_DRIFT_RUNS, NULL);
    dls_figure_set(&figure, "iterations", "%zu", set->shown_iterations);
    dls_figure_set(&figure, "rate", "%zu", set->shown_rate);
    dls_figure_say(
        &figure,
        "The largest joint error in %g s by the order of the rows: %zu sweeps of PGS per step, %zu steps per "
        "second, from zero impulse. Symmetric: sweeps forward and backward in turn, which take two to an "
        "iteration, so that TGS and small steps have half as many substeps. With Baumgarte's feedback the "
        "chain's error [m] is",
        set->duration, set->shown_iterations, set->shown_rate);
    say_orders(&figure, found(f, 0, "baumgarte"));
    dls_figure_say(&figure, ", that of the %s", dls_drift_mechanisms[DLS_DRIFT_PAIR].name);
    say_orders(&figure, found(f, DLS_DRIFT_PAIR, "baumgarte"));
    return dls_figure_draw(&figure, error, ".");
}

static dls_status draw_events(const dls_study *study, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    const dls_drift_findings *f = study->found;
    char names[1024] = "";
    dls_figure figure;
    for (size_t k = 0; k < set->crossings.count; k++)
        dls_words_add(names, sizeof names, dls_drift_crossing_names[set->crossings.choices[k]]);
    dls_figure_begin(&figure, study, "drift-events", DLS_DRIFT_EVENTS, NULL);
    dls_figure_set(&figure, "crossings", "%s", names);
    dls_figure_say(&figure,
                   "Errors of positions after events over the time step, against the reference motion: root mean "
                   "squares over %zu phases of the events within their steps; dotted: order 1.",
                   set->phases);
    for (size_t k = 0, said = 0; k < set->crossings.count; k++) {
        const int c = set->crossings.choices[k];
        const double order = f->across[c][dls_method_find("rattle") - dls_methods].order[0];
        if (isfinite(order))
            dls_figure_say(&figure, "%s %.2g (%s)", said++ ? "," : " The orders of RATTLE, 2 without events, are",
                           order, dls_drift_crossing_names[c]);
    }
    return dls_figure_draw(&figure, error, "%s", "");
}

/* An ERP for each mechanism; NaN: none of those tried overshoots. */
static void say_overshoot(dls_figure *figure, const char *mechanism, bool first, int digits, double erp)
{
    char text[32] = "no ERP tried";
    if (!isnan(erp))
        dls_print(text, sizeof text, "%.*g", digits, erp);
    dls_figure_say(figure, "%s %s (%s)", first ? "" : ",", text, mechanism);
}

dls_status dls_drift_figures(dls_study *study, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    const dls_drift_findings *f = study->found;
    dls_figure figure;
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++)
        DLS_TRY(draw_mechanism(study, m, error));
    DLS_TRY(draw_orders_of_rows(study, error));

    dls_figure_begin(&figure, study, "drift-order", DLS_DRIFT_RUNS, NULL);
    dls_figure_say(&figure,
                   "The largest joint error in %g s over steps per second, every problem solved by %s (TGS: %zu "
                   "iterations of PGS; small steps: %zu substeps); dotted: orders 1 and 2. From %g steps per second on "
                   "the fitted orders without feedback and with Baumgarte's, 1 and 2 in theory, are",
                   set->duration, set->reference, set->many, set->substeps, set->fit_from);
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++)
        dls_figure_say(&figure, "%s %.3g and %.3g (%s)", m ? "," : "", found(f, m, "none")->order,
                       found(f, m, "baumgarte")->order, dls_drift_mechanisms[m].name);
    DLS_TRY(dls_figure_draw(&figure, error,
                            ". With steps beyond %.2g s the chain's errors leave these orders, since its light balls "
                            "turn faster than explicit steps can follow.",
                            f->chain_step));

    DLS_TRY(draw_events(study, error));

    dls_figure_begin(&figure, study, "drift-erp", DLS_DRIFT_ERP, NULL);
    dls_figure_set(&figure, "iterations", "%zu", set->shown_iterations);
    dls_figure_say(
        &figure,
        "How far the joint error passes zero within %zu steps, over ERP: the last body starts at rest, %g m off its "
        "place, without gravity; top: solved by %s (TGS: %zu iterations of PGS; small steps: %zu substeps), bottom: "
        "PGS of %zu iterations. Solved exactly C+ = (1 - ERP) C, so an overshoot of %g begins at 1 + that; measured "
        "with Baumgarte's feedback it begins at",
        set->erp_steps, set->push, set->reference, set->many, set->substeps, set->shown_iterations, set->noticed);
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++)
        say_overshoot(&figure, dls_drift_mechanisms[m].name, m == 0, 7, found(f, m, "baumgarte")->overshoot);
    dls_figure_say(&figure, ". Sweeps that have not converged overshoot sooner, from");
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++)
        say_overshoot(&figure, dls_drift_mechanisms[m].name, m == 0, 3, found(f, m, "baumgarte")->overshoot_few);
    return dls_figure_draw(&figure, error, " on.");
}
