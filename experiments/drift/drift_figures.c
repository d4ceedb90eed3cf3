/* Figures on drift, and captions with the numbers that they show. */
#include "drift/parts.h"

#include <math.h>
#include <string.h>

static const dls_drift_finding *found(const dls_drift_findings *f, size_t mechanism, const char *method)
{
    return &f->of[mechanism][dls_method_find(method) - dls_methods];
}

/* "METHOD VALUE, METHOD VALUE, ..." of one member of every method's finding, but where that is not a number. */
static void say_each(dls_figure *figure, const dls_drift_finding *of, size_t member, int digits)
{
    const char *between = "";
    for (size_t w = 0; w < DLS_METHODS; w++) {
        double value;
        memcpy(&value, (const char *)&of[w] + member, sizeof value);
        if (isnan(value))
            continue;
        dls_figure_say(figure, "%s%s %.*g", between, dls_methods[w].name, digits, value);
        between = ", ";
    }
}

static dls_status draw_mechanism(const dls_study *study, size_t m, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    const dls_drift_findings *f = study->found;
    const dls_drift_mechanism *mechanism = &dls_drift_mechanisms[m];
    dls_figure figure;

    dls_figure_begin(&figure, study, "drift-tradeoff", DLS_DRIFT_RUNS, mechanism->name);
    dls_figure_set(&figure, "mechanism", "%s", mechanism->name);
    dls_figure_set(&figure, "iterations", "%zu", set->shown_iterations);
    dls_figure_say(&figure,
                   "What holding joints costs: %s, falling for %g s, PGS of %zu iterations (or substeps) from zero "
                   "impulse, %g to %g steps per second along each line. Left: the largest joint error over the "
                   "row-iterations of a second of motion, sweeps over positions included (rows that are evaluated "
                   "again cost more than that: drift.cost.tsv has measured times); right: the largest change of "
                   "energy. At %zu steps per second the largest error [m] is: ",
                   mechanism->caption, set->duration, set->shown_iterations, (double)set->rates.counts[0],
                   (double)set->rates.counts[set->rates.count - 1], set->shown_rate);
    say_each(&figure, f->of[m], offsetof(dls_drift_finding, shown_error), 2);
    dls_figure_say(&figure, "; the largest change of energy [J]: ");
    say_each(&figure, f->of[m], offsetof(dls_drift_finding, shown_energy), 2);
    DLS_TRY(dls_figure_draw(&figure, error, "."));

    dls_figure_begin(&figure, study, "drift-time", DLS_DRIFT_HISTORY, mechanism->name);
    dls_figure_set(&figure, "mechanism", "%s", mechanism->name);
    dls_figure_set(&figure, "iterations", "%zu", set->shown_iterations);
    return dls_figure_draw(
        &figure, error,
        "Joint error over time: %s, %zu steps per second. Left: every problem solved by %s (TGS: %zu iterations of "
        "PGS; "
        "small steps: %zu substeps): without feedback the error grows to the end, with ERP %g it settles at what a "
        "step leaves, and the projection by Newton's method leaves rounding and its tolerance. Right: PGS of %zu "
        "iterations or substeps.",
        mechanism->caption, set->shown_rate, set->reference, set->many, set->substeps, set->erp, set->shown_iterations);
}

dls_status dls_drift_figures(dls_study *study, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    const dls_drift_findings *f = study->found;
    dls_figure figure;
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++)
        DLS_TRY(draw_mechanism(study, m, error));

    dls_figure_begin(&figure, study, "drift-order", DLS_DRIFT_RUNS, NULL);
    dls_figure_set(&figure, "iterations", "%zu", set->shown_iterations);
    dls_figure_say(
        &figure,
        "The largest joint error in %g s over the time step, every problem solved by %s (TGS: %zu iterations "
        "of PGS; small steps: %zu substeps); dotted: orders 1 and 2. Theory has 1 without feedback, 2 with "
        "any that takes a share of the error back, 0 of springs, a tolerance for Newton's projection; "
        "fitted from %g steps per second on",
        set->duration, set->reference, set->many, set->substeps, set->fit_from);
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++) {
        dls_figure_say(&figure, "%s %s: ", m ? ";" : ",", dls_drift_mechanisms[m].name);
        say_each(&figure, f->of[m], offsetof(dls_drift_finding, order), 3);
    }
    DLS_TRY(dls_figure_draw(
        &figure, error,
        ". The chain's light balls turn under the weight of the last one at up to w = sqrt(T L / I) (T all the weight, "
        "L a ball's spacing, I its inertia), and beyond 2 / w = %.2g s, where explicit steps do not follow that, the "
        "chain's errors leave their orders.",
        f->chain_step));

    dls_figure_begin(&figure, study, "drift-erp", DLS_DRIFT_ERP, NULL);
    dls_figure_set(&figure, "iterations", "%zu", set->shown_iterations);
    dls_figure_say(
        &figure,
        "How far the joint error passes zero when ERP is swept to %g: the last body pushed by %g m, at rest, "
        "without gravity, %zu steps; points: solved by %s (TGS: %zu iterations of PGS; small steps: %zu "
        "substeps); dotted: PGS of %zu iterations. Solved exactly C+ = (1 - ERP) C, so an overshoot of %g "
        "begins at 1 + that; measured with Baumgarte's feedback and with split impulse:",
        set->erp_last, set->push, set->erp_steps, set->reference, set->many, set->substeps, set->shown_iterations,
        set->noticed);
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++)
        dls_figure_say(&figure, "%s %s %.6f, %.6f", m ? ";" : "", dls_drift_mechanisms[m].name,
                       found(f, m, "baumgarte")->overshoot, found(f, m, "split-impulse")->overshoot);
    dls_figure_say(&figure, ". Sweeps that have not converged overshoot sooner, from");
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS; m++) {
        dls_figure_say(&figure, "%s %s: ", m ? ";" : "", dls_drift_mechanisms[m].name);
        say_each(&figure, f->of[m], offsetof(dls_drift_finding, overshoot_few), 3);
    }
    return dls_figure_draw(&figure, error, ".");
}
