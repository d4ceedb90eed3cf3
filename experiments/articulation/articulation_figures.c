/* Figures on articulations, and captions with their numbers.
 */
#include "parts.h"

#include "base/text.h"

#include <math.h>

static dls_status draw_errors(const dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    const dls_reduced_findings *f = study->found;
    const size_t last = set->ratios.count - 1;
    dls_figure figure;
    dls_figure_begin(&figure, study, "articulation-errors", DLS_REDUCED_ERRORS, NULL);
    dls_figure_set(&figure, "step", "%.17g", set->step);
    dls_figure_set_list(&figure, "counts", &set->iterations);
    return dls_figure_draw(
        &figure, error,
        "Reduced and maximal coordinates against the exact trajectory over %g s, steps of %g s: on the open chain and "
        "the four-bar an articulation and the same solids as bodies, solved exactly, make the same error; what few "
        "iterations of PGS add on the open chain is in proportion to mass ratio over iterations. Neither follows "
        "light rods that swing faster than the step: those of the open chain reach w h = %.3g at a ratio of %g, where "
        "the errors are %.2g m (articulation) and %.2g m (bodies), and %.2g and %.2g m with a tenth of the step "
        "(squares); the chain that is held at both ends is lost by either from a ratio of about a hundred on.",
        set->duration, set->step, f->fastest, set->ratios.reals[last], f->error[0][DLS_REDUCED][last],
        f->error[0][DLS_MAXIMAL][last], f->fine[DLS_REDUCED], f->fine[DLS_MAXIMAL]);
}

static dls_status draw_rates(const dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    const dls_reduced_findings *f = study->found;
    const size_t last = set->ratios.count - 1;
    dls_figure figure;
    dls_figure_begin(&figure, study, "articulation-rates", DLS_REDUCED_RATES, NULL);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "Iterations of PGS that reduce the error of the first step by 1e6. At a mass ratio of %g bodies take %.2g on "
        "the open chain, whose number grows in proportion to the ratio, and %.2g on the chain held at both ends; as an "
        "articulation the open chain has no rows, and the loops take at most %.0f for the three rows that close them. "
        "Lines: log(1e-6) / log(predicted rate), an estimate from above where the error holds little of the slowest "
        "mode; rates fitted to runs that got there differ from the predicted ones by at most %.1e of their logarithms.",
        set->ratios.reals[last], f->needed[0][DLS_MAXIMAL][last], f->needed[2][DLS_MAXIMAL][last], f->most_reduced,
        f->rate_error));

    dls_figure_begin(&figure, study, "articulation-times", DLS_REDUCED_TIMES, NULL);
    return dls_figure_draw(
        &figure, error,
        "Time of a whole step, measured on one machine: with PGS until the error is 1e-6 of the first one (beyond %zu "
        "iterations in proportion to them), and with a direct method. An articulation's does not depend on the mass "
        "ratio, and is the shortest; that of bodies under PGS does on chains.",
        set->most);
}

static dls_status draw_cost(const dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    const dls_reduced_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "articulation-cost", DLS_REDUCED_COSTS, NULL);
    return dls_figure_draw(
        &figure, error,
        "What a step costs, measured on one machine. Left: an articulation's step solves all of its hinges exactly in "
        "less time than ten iterations of PGS take on the same bodies, which solve nothing yet, and a direct method "
        "pays the cube of its rows. Middle and right: from %zu to %zu links the step of hinges takes %.2g times as "
        "long, of ball joints %.2g, and of four hinges among fixed joints, always with 4 degrees of freedom, %.2g: "
        "links cost as well as degrees of freedom.",
        set->sizes.counts[0], set->sizes.counts[set->sizes.count - 1], f->cost[DLS_REDUCED_HINGES][DLS_REDUCED],
        f->cost[DLS_REDUCED_BALLS][DLS_REDUCED], f->cost[DLS_REDUCED_FEW][DLS_REDUCED]);
}

static void set_reals(dls_figure *figure, const char *name, const dls_list *reals)
{
    char text[DLS_LIST_MAX * 24] = "";
    for (size_t k = 0, used = 0; k < reals->count; k++)
        used += (size_t)dls_print(text + used, sizeof text - used, "%s%.9g", k ? " " : "", reals->reals[k]);
    dls_figure_set(figure, name, "%s", text);
}

static dls_status draw_base(const dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    const dls_reduced_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "articulation-base", DLS_REDUCED_BASES, NULL);
    set_reals(&figure, "bases", &set->bases);
    set_reals(&figure, "erps", &set->erps);
    return dls_figure_draw(
        &figure, error,
        "An arm of %zu rods whose base floats and is held by a fixed joint, six rows, against a fixed base, %g s at "
        "%g s. Solved exactly both move the same, to %.1e m in all runs. Under PGS the base slips in every step by "
        "what the sweeps leave: less with more iterations, with a heavier base, and with a larger ERP, which takes "
        "back what the steps before left.",
        set->links, set->duration, set->step, f->held_apart);
}

static dls_status draw_drives(const dls_study *study, dls_error *error)
{
    const dls_reduced_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "articulation-drives", DLS_REDUCED_BORDERS, NULL);
    dls_figure_set_table(&figure, "second", DLS_REDUCED_DIFFERENCES);
    return dls_figure_draw(
        &figure, error,
        "Explicit drives are stable up to 2 h kd / m + h^2 kp / m = 4: bisected on the matrix of a step, the border is "
        "off by at most %.1e of itself, on one rod and on a chain of four, whose m is the least eigenvalue of the mass "
        "matrix; implicit drives have a spectral radius of at most %.6f up to h^2 kp / m = %.0e. Right: their "
        "difference is of order %.3f in h, as are the errors of both, %.3f (implicit) and %.3f (explicit); dotted: "
        "order 1.",
        f->border_error, f->implicit_radius, f->stiffest, f->drive_order[0], f->drive_order[1], f->drive_order[2]);
}

static dls_status draw_spin(const dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    const dls_reduced_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "articulation-spin", DLS_REDUCED_SPINS, NULL);
    dls_figure_set_table(&figure, "growth", DLS_REDUCED_GROWTHS);
    return dls_figure_draw(
        &figure, error,
        "Fast spin, %g rad/s at steps of %g s without gravity, whose energy should stay: explicit gyroscopic and "
        "Coriolis forces feed it until the flail bursts, implicit ones and joints of bodies take it away, and "
        "semi-implicit ones keep it, within %.1e for the rotor and %.1e for the flail at the end. Without the torque "
        "the rotor's energy stays too and its motion is wrong, after %g s by %.2g rad against %.2g explicit, %.2g "
        "implicit, %.2g semi-implicit. Right: a step multiplies the nutation of an axisymmetric rotor, which turns at "
        "W, by sqrt(1 + (h W)^2) if explicit, divides it by that if implicit, and leaves it if semi-implicit; measured "
        "to %.1e of the logarithm.",
        set->spin, set->step, fabs(f->spin_energy[DLS_SPIN_SEMI] - 1.0),
        fabs(f->spin_energy[DLS_SPIN_FLAIL_SEMI] - 1.0), 0.01 * set->spun, f->spin_angle[DLS_SPIN_NONE],
        f->spin_angle[DLS_SPIN_EXPLICIT], f->spin_angle[DLS_SPIN_IMPLICIT], f->spin_angle[DLS_SPIN_SEMI],
        f->growth_error);
}

dls_status dls_reduced_figures(dls_study *study, dls_error *error)
{
    DLS_TRY(draw_errors(study, error));
    DLS_TRY(draw_rates(study, error));
    DLS_TRY(draw_cost(study, error));
    DLS_TRY(draw_base(study, error));
    DLS_TRY(draw_drives(study, error));
    return draw_spin(study, error);
}
