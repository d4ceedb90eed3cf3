/* Figures on springs, and captions with their numbers.
 */
#include "spring/parts.h"

#include <math.h>

static double largest(const double *values, size_t count)
{
    double most = 0.0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, values[k]);
    return most;
}

dls_status dls_spring_figures(dls_study *study, dls_error *error)
{
    const dls_spring_settings *set = study->settings;
    const dls_spring_findings *f = study->found;
    const size_t last = set->counts.count - 1, step = dls_spring_way_of(DLS_SPRING_TGS_STEP),
                 substep = dls_spring_way_of(DLS_SPRING_TGS_SUBSTEP);
    dls_figure figure;

    dls_figure_begin(&figure, study, "spring-exactness", DLS_SPRING_EULER, NULL);
    dls_figure_set_table(&figure, "second", DLS_SPRING_LAWS);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "A spring's row against what it should be, by the largest difference of C over the larger one of start and "
        "sag; "
        "dotted: the bound of the tests. Left: implicit Euler in long double, in %zu runs of %g s at %g s: slider with "
        "a drive %.1e, hinge with a torsional drive %.1e, two free bodies on a distance joint %.1e, with the numbers "
        "ERP and CFM of (55), (56) %.1e. Right: the laws of small steps and TGS in closed form, in %zu runs at %.4g s "
        "over iterations or substeps N: %.1e at worst.",
        f->runs, set->duration, set->step, f->euler[DLS_SPRING_SLIDER], f->euler[DLS_SPRING_HINGE],
        f->euler[DLS_SPRING_DISTANCE], f->euler[DLS_SPRING_NUMBERS], f->laws, set->coarse, f->law));

    dls_figure_begin(&figure, study, "spring-order", DLS_SPRING_ORDER, NULL);
    dls_figure_set_table(&figure, "second", DLS_SPRING_MOTION);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "A spring's row against the damped oscillator in closed form. Left: two free bodies on an undamped distance "
        "joint, from which implicit Euler takes energy: the amplitude falls by exp(-w^2 h t / 2). Right: the largest "
        "error in a period of a mass on a slider; over all rigs, stiffnesses and damping ratios up to 10 its order in "
        "h "
        "lies between %.4f and %.4f, and undamped it is %.3f w h at the shortest step, where theory has pi.",
        f->order_low, f->order_high, f->error_constant));

    dls_figure_begin(&figure, study, "spring-damping", DLS_SPRING_DAMPING, NULL);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "Damping ratio (left) and frequency over w (right) that each scheme gives to an undamped spring with w h = %g, "
        "two free bodies on a distance joint. Semi-implicit Euler has a damping ratio of %.4f, whatever N; small steps "
        "divide it by N, %.4f with N = %zu, relaxed or not, for a spring is no error. TGS, whose iterations share the "
        "v* of the whole step, leaves %.4f with the bias over the substep and %.4f with the bias over the step.",
        set->stiffness, f->seen_ratio[0][1], f->seen_ratio[dls_spring_way_of(DLS_SPRING_SUBSTEPS)][1],
        set->counts.counts[last], f->seen_ratio[substep][1], f->seen_ratio[step][1]));

    dls_figure_begin(&figure, study, "spring-iterations", DLS_SPRING_ITERATIONS, NULL);
    dls_figure_set_list(&figure, "counts", &set->counts);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "Few iterations of PGS where the guide answers to the spring: the largest difference of C to direct steps, "
        "over "
        "the larger one of start and sag, with rail and axis %g m beside the centre of mass, undamped, steps of %.4g s "
        "for %g s; lines leave the frame at 1e-15. A soft spring's compliance hides the guide from it, a stiff one is "
        "as slow as a rigid row but brings C itself to nothing within a step or two. Worst of all stiffnesses: slider "
        "%.1e and hinge %.1e with N = %zu, %.1e and %.1e with N = %zu; the lone row of a distance joint is exact after "
        "one iteration, %.1e.",
        set->arm, set->coarse, set->contest, f->pgs[0][0], f->pgs[1][0], set->counts.counts[0], f->pgs[0][last],
        f->pgs[1][last], set->counts.counts[last], f->pgs_distance));

    dls_figure_begin(&figure, study, "spring-stops", DLS_SPRING_STOPS, NULL);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "A mass of %g kg at rest on a stop with a critically damped spring, under every scheme with 4 iterations or "
        "substeps. Its depth is m g / kp to a relative error of %.1e on the limit and %.1e on the contact (TGS %.1e "
        "with the bias over the step, %.1e over the substep). The error grows with the stiffness because a depth of "
        "%.1e m is the difference of positions of 0.35 m, known to 6e-17 m.",
        set->mass, largest(f->depth[0], DLS_SPRING_WAYS), largest(f->depth[1], DLS_SPRING_WAYS), f->depth[1][step],
        f->depth[1][substep], set->mass * dls_spring_gravity / set->stiffest));

    dls_figure_begin(&figure, study, "spring-sign", DLS_SPRING_SIGN, NULL);
    dls_figure_set_table(&figure, "second", DLS_SPRING_SIGN_RUN);
    return dls_figure_draw(
        &figure, error,
        "The compliance with the sign that ode-new-joints (24) prints, J v = c + C lambda, and with the correct one, "
        "on "
        "two free bodies on a distance joint. Left: with w h = %g and a tenth of critical damping 60 steps make %.1e m "
        "of |C|, and %.1e m with the correct sign. Right: the factor of an undamped step, measured (points) and that "
        "of "
        "a spring that repels (lines), 1 / |1 - w h|: the printed sign diverges for kp < %.3g N/m; each step's matrix "
        "is as predicted to %.1e of its largest entry.",
        set->stiffness, f->growth_shown, f->correct_left, f->turning, f->growth);
}
