/* Figures on articulations, and captions with the numbers that they show. */
#include "parts.h"

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
        "(squares); a heavy rod whips the chain that is held at both ends as fast from a ratio of a hundred on.",
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

dls_status dls_reduced_figures(dls_study *study, dls_error *error)
{
    DLS_TRY(draw_errors(study, error));
    return draw_rates(study, error);
}
