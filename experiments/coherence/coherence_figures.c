/* Figures on temporal coherence, and captions with their numbers.
 */
#include "coherence/parts.h"

static dls_status draw_law(const dls_study *study, dls_error *error)
{
    const dls_coherence_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "coherence-law", DLS_COHERENCE_LAW, NULL);
    return dls_figure_draw(
        &figure, error,
        "Why warm starts breathe: growth per step and period of the joint errors of ten equal balls that hang straight "
        "down, under euler with warm starts, measured (points) and predicted (lines) by the largest root of "
        "s^3 + kappa (2 + erp) s^2 + kappa (1 + 2 erp) s + kappa erp, kappa the share of a mode's error that a solve "
        "removes. Warm starts are stable if and only if kappa > erp / (1 + erp). Growths above 0.95 differ by at most "
        "%.1e; below 0.93 modes are too alike to be fitted.",
        f->law_deviation);
}

static dls_status draw_chain(const dls_study *study, dls_error *error)
{
    const dls_coherence_settings *set = study->settings;
    const dls_coherence_findings *f = study->found;
    const char *const *schemes = dls_coherence_chain_schemes;
    dls_figure figure;
    dls_figure_begin(&figure, study, "coherence-chain", DLS_COHERENCE_CHAIN_RUNS, NULL);
    dls_figure_set(&figure, "schemes", "%s %s %s %s", schemes[0], schemes[1], schemes[2], schemes[3]);
    dls_figure_say(&figure,
                   "Joint error of a chain of ten balls released from the side, PGS of %zu iterations per step of %.4g "
                   "s, cold (top) and warm (bottom). Largest over %g s with equal balls, cold and warm:",
                   set->iterations, set->step, set->duration);
    for (int k = 0; k < DLS_COHERENCE_SCHEMES; k++)
        dls_figure_say(&figure, "%s %.2g and %.2g m (%s)", k ? "," : "", f->chain[0][k][0], f->chain[0][k][1],
                       schemes[k]);
    dls_figure_say(&figure, "; with the last ball a hundred times as heavy, warm:");
    for (int k = 0; k < DLS_COHERENCE_SCHEMES; k++)
        dls_figure_say(&figure, "%s %.2g m (%s)", k ? "," : "", f->chain[1][k][1], schemes[k]);
    return dls_figure_draw(&figure, error, ".");
}

static dls_status draw_stand(const dls_study *study, dls_error *error)
{
    const dls_coherence_settings *set = study->settings;
    const dls_coherence_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "coherence-stand", DLS_COHERENCE_STANDS, NULL);
    dls_figure_set(&figure, "work", "%zu iterations per step of %.4g s", set->iterations, set->step);
    dls_figure_set(&figure, "duration", "%g", set->duration);
    return dls_figure_draw(
        &figure, error,
        "Share of %zu stacks of ten boxes that still stand, their boxes displaced by at most 1e-9 m: detected "
        "contacts, "
        "PGS of %zu iterations per step of %.4g s (left), and of four times as many (right). With the fewer iterations "
        "warm starts last longest under split impulse, without a bias in the velocities: %zu of %zu stand for %g s. "
        "Of %zu runs of each scheme with 10 and 40 iterations, shorter steps and a contact margin stand, cold and "
        "warm: "
        "euler %zu and %zu, tgs %zu and %zu, split impulse %zu and %zu, small steps %zu and %zu.",
        set->copies, set->iterations, set->step, f->stood_split, set->copies, set->duration, f->stacks, f->stood[0][0],
        f->stood[0][1], f->stood[1][0], f->stood[1][1], f->stood[2][0], f->stood[2][1], f->stood[3][0], f->stood[3][1]);
}

static dls_status draw_iterations(const dls_study *study, dls_error *error)
{
    const dls_coherence_settings *set = study->settings;
    const dls_coherence_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "coherence-iterations", DLS_COHERENCE_ITERATIONS, NULL);
    dls_figure_set(&figure, "limit", "%zu", set->limit);
    return dls_figure_draw(
        &figure, error,
        "Iterations of PGS to scaled residuals of 1e-2 and 1e-3, from zero impulse (cold) and from the impulses of the "
        "step before (warm), at %zu steps of a run of %g s; every residual is the examiner's. The runs are one stack "
        "of "
        "ten and one wall of a hundred boxes under %s, warm, with %zu iterations per step of %.4g s and %zu of %.4g s. "
        "Mean to 1e-2, where %zu that were not enough count as %zu: stack %.0f cold, %.0f warm (%zu and %zu not "
        "reached); wall %.0f cold, %.0f warm (%zu and %zu).",
        set->samples, set->duration, DLS_COHERENCE_HOLDS, set->drive, set->step, set->iterations, set->wall_step,
        set->limit, set->limit, f->mean[0][0], f->mean[0][1], f->unreached[0][0], f->unreached[0][1], f->mean[1][0],
        f->mean[1][1], f->unreached[1][0], f->unreached[1][1]);
}

static dls_status draw_wall(const dls_study *study, dls_error *error)
{
    const dls_coherence_settings *set = study->settings;
    const dls_coherence_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "coherence-wall", DLS_COHERENCE_WALL_RUNS, NULL);
    return dls_figure_draw(
        &figure, error,
        "One wall of a hundred boxes, %zu steps of %.4g s, PGS of %zu iterations. Left: the height of the lowest brick "
        "of the top course; right: the residual after a step, as long as the wall stands. At the end %s, warm, has a "
        "residual of %.2g and the brick is at %.2f mm.",
        set->wall_steps, set->wall_step, set->iterations, DLS_COHERENCE_HOLDS, f->wall_residual, 1e3 * f->wall_height);
}

dls_status dls_coherence_figures(dls_study *study, dls_error *error)
{
    DLS_TRY(draw_law(study, error));
    DLS_TRY(draw_chain(study, error));
    DLS_TRY(draw_stand(study, error));
    DLS_TRY(draw_iterations(study, error));
    return draw_wall(study, error);
}
