/* Figures on mimic joints, and captions with their numbers.
 */
#include "mimic/parts.h"

#include <math.h>
#include <stdarg.h>

/* Runs that differ in their iterations alone. */
static const dls_mimic_result *line(const dls_mimic_findings *f, size_t mechanism, size_t actuation,
                                    dls_mimic_kind kind, dls_mimic_way way)
{
    return f->result[mechanism][actuation][kind][way];
}

/* "1.2e-03 .. 4.5e-06": with the fewest and with the most iterations. */
static void say_errors(dls_figure *figure, const dls_mimic_settings *set, const dls_mimic_result *r)
{
    const size_t last = set->iterations.count - 1;
    dls_figure_say(figure, last ? "%.1e to %.1e" : "%.1e", r[0].worst_error, r[last].worst_error);
}

static dls_status draw_iterations(const dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    const dls_mimic_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "mimic-iterations", DLS_MIMIC_PHYSX, NULL);
    return dls_figure_draw(
        &figure, error,
        "The largest |C| of a mimic joint, C = q_A - 2 q_B, between two rods that hang at rest, over the iterations of "
        "a step of %.4g s: a drive pulls A to 1 rad (b1), B has limits of 0.3 rad as well (b3), or a second drive "
        "pulls "
        "B to -0.2 rad (b4). Lines are ours, rows in the order %s and ERP %g in PGS, marks what is published of PhysX "
        "5.6.1 (circles PGS, squares TGS). %zu of %zu numbers of PGS agree to the two digits that are published.",
        set->coarse, dls_mimic_order_names[set->physx_orders.choices[0]], set->physx_erps.reals[0], f->physx_agree,
        f->physx_numbers);
}

static dls_status draw_order(const dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    const dls_mimic_findings *f = study->found;
    const dls_mimic_result *first = line(f, DLS_MIMIC_PARALLEL_05, DLS_MIMIC_DRIVE, DLS_MIMIC_COARSE, DLS_MIMIC_PGS),
                           *last = line(f, DLS_MIMIC_PARALLEL_05, DLS_MIMIC_DRIVE, DLS_MIMIC_LAST, DLS_MIMIC_PGS);
    dls_figure figure;
    dls_figure_begin(&figure, study, "mimic-order", DLS_MIMIC_RUNS, NULL);
    dls_figure_set(&figure, "mechanism", "parallel+0.5");
    dls_figure_set(&figure, "actuation", "%s", dls_mimic_actuations[DLS_MIMIC_DRIVE].name);
    dls_figure_set(&figure, "step", "%.17g", set->coarse);
    dls_figure_say(
        &figure,
        "The last row of a sweep is exact, the others are not: two parallel rods, G = +0.5, B driven to 2 rad, "
        "step %.4g s. From the fewest to the most iterations PGS leaves |C| = ",
        set->coarse);
    say_errors(&figure, set, first);
    dls_figure_say(&figure, " rad with the mimic row first, and ");
    say_errors(&figure, set, last);
    return dls_figure_draw(
        &figure, error,
        " rad with the mimic row last, at any number of iterations. The error of the whole answer, "
        "sqrt(dv^T M dv) to the solution of the step's problem, does not vanish with |C|: %.2g against "
        "%.2g sqrt(J) at the fewest iterations, for it is the drive's row that is wrong.",
        first[0].answer_error, last[0].answer_error);
}

static dls_status draw_decay(const dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    const dls_mimic_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "mimic-decay", DLS_MIMIC_DECAY, NULL);
    dls_figure_set(&figure, "mechanism", "parallel+0.5");
    return dls_figure_draw(
        &figure, error,
        "A mimic joint alone that starts with C = %g rad, erp = %g, 4 iterations per step: measured (points) and "
        "predicted (lines) |C| after k steps, (1 - erp)^k for PGS and the dense reference, (1 - erp/4)^(4k) for TGS "
        "with the bias over the step, (1 - erp)^(4k) over the substep. Over all gears, parallel and in series, under "
        "gravity, the two differ by at most %.1e of the first error.",
        set->error, set->erp, f->decay_deviation);
}

static dls_status draw_exact(const dls_study *study, dls_error *error)
{
    static const char *const what[] = {"in series", "chain", "driven", "limit"};
    const dls_mimic_settings *set = study->settings;
    const dls_mimic_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "mimic-exact", DLS_MIMIC_EXACT, NULL);
    dls_figure_say(
        &figure,
        "Largest difference of a coordinate to the exact trajectory in a second, over the step, with %zu "
        "iterations of PGS and TGS: two rods in series, G = +0.5, a chain of mimics, and the two rods with B "
        "driven to 2 rad, with limits of B, and with both. Orders fitted to the four smallest steps, dense and PGS:",
        dls_mimic_middle(set, DLS_MIMIC_PGS));
    for (int k = 0; k < (int)(sizeof what / sizeof what[0]); k++)
        dls_figure_say(&figure, "%s %.3f and %.3f (%s)", k ? "," : "", f->slope[k][DLS_MIMIC_DENSE],
                       f->slope[k][DLS_MIMIC_PGS], what[k]);
    return dls_figure_draw(&figure, error,
                           ". A drive acts within some 5 ms, so that its orders are still on their way to 1. Sweeps "
                           "leave a share of the impact at a limit unsolved, which no step makes smaller; driven to a "
                           "limit the rods rest there, and dense steps leave rounding errors alone.");
}

static dls_status draw_energy(const dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    const dls_mimic_findings *f = study->found;
    const size_t middle = set->iterations.count > 1;
    dls_figure figure;
    dls_figure_begin(&figure, study, "mimic-energy", DLS_MIMIC_ENERGY, NULL);
    dls_figure_set(&figure, "one", "series+0.5");
    dls_figure_set(&figure, "many", "chain");
    dls_figure_set(&figure, "coarse", "%.17g", set->coarse);
    dls_figure_set(&figure, "fine", "%.17g", set->fine);
    dls_figure_say(
        &figure,
        "Energy of rods that nothing but mimic joints couples. Left: two in series, G = +0.5, one row, which all "
        "schemes solve: it strays by at most %.3g J with steps of %.4g s and %.3g J with %.4g s, in proportion to the "
        "step. Right: a finger of four rods, each following the one before, %zu iterations of %.4g s; largest change: ",
        line(f, DLS_MIMIC_SERIES_05, DLS_MIMIC_ALONE, DLS_MIMIC_COARSE, DLS_MIMIC_DENSE)->worst_drift, set->coarse,
        line(f, DLS_MIMIC_SERIES_05, DLS_MIMIC_ALONE, DLS_MIMIC_FINE, DLS_MIMIC_DENSE)->worst_drift, set->fine,
        dls_mimic_middle(set, DLS_MIMIC_PGS), set->coarse);
    for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS; way++)
        dls_figure_say(&figure, "%s%.3g (%s)", way ? ", " : "",
                       line(f, DLS_MIMIC_CHAIN, DLS_MIMIC_ALONE, DLS_MIMIC_COARSE, way)[way ? middle : 0].worst_drift,
                       dls_mimic_way_names[way]);
    return dls_figure_draw(&figure, error, " J.");
}

static dls_status draw_stability(const dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    const dls_mimic_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "mimic-stability", DLS_MIMIC_STABILITY, NULL);
    return dls_figure_draw(
        &figure, error,
        "Mimic joints against each other and against a drive on a follower, under TGS with steps of %.4g s for %g s, "
        "the "
        "bias over the step or the substep; the number is the ERP. Five followers of one leader stay within %.3g rad "
        "in "
        "all runs (of PhysX 5.6.1 a star is reported to diverge at 4 iterations, to 789 rad). A finger of four rods, "
        "driven at its tip, diverges in %zu of %zu runs (triangles), since TGS keeps the speed of the bias, up to "
        "ERP C / T, in the state, and explicit Coriolis terms answer to its square; under PGS and dense steps %zu do.",
        set->coarse, set->duration, fmax(f->star_coordinate[0], f->star_coordinate[1]), f->chain_failed, f->chain_runs,
        f->others_failed);
}

dls_status dls_mimic_figures(dls_study *study, dls_error *error)
{
    static const struct {
        size_t first, second; /* mechanisms that it needs */
        dls_status (*draw)(const dls_study *study, dls_error *error);
    } figures[] = {{DLS_MIMIC_PARALLEL_2, DLS_MIMIC_SERIES_2, draw_iterations},
                   {DLS_MIMIC_PARALLEL_05, DLS_MIMIC_PARALLEL_05, draw_order},
                   {DLS_MIMIC_PARALLEL_05, DLS_MIMIC_PARALLEL_05, draw_decay},
                   {DLS_MIMIC_SERIES_05, DLS_MIMIC_CHAIN, draw_exact},
                   {DLS_MIMIC_SERIES_05, DLS_MIMIC_CHAIN, draw_energy},
                   {DLS_MIMIC_STAR, DLS_MIMIC_CHAIN, draw_stability}};
    const dls_mimic_findings *f = study->found;
    for (size_t k = 0; k < sizeof figures / sizeof figures[0]; k++)
        if (f->wanted[figures[k].first] && f->wanted[figures[k].second])
            DLS_TRY(figures[k].draw(study, error));
    return DLS_OK;
}
