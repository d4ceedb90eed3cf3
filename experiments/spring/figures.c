/* Figures on springs, and captions with the numbers that they show. */
#include "spring.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CAPTION = 2048, LIST_TEXT = 256 };

static size_t index_of(const char *way) { return (size_t)(dls_spring_way_find(way) - dls_spring_ways); }

static double largest(const double *values, size_t count)
{
    double most = 0.0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, values[k]);
    return most;
}

/* The numbers of a list with something in between. */
static void write_list(const dls_spring_list *list, const char *between, char *text, size_t size)
{
    text[0] = 0;
    for (size_t k = 0; k < list->count; k++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%g", k ? between : "", list->at[k]);
    }
}

/* A figure of the script's name over a table and, unless NULL, a second one; the counts go along. */
static dls_status plot(const dls_spring_lab *lab, const char *script, const char *stem, const char *second,
                       const char *caption, dls_error *error)
{
    char table[DLS_PATH_MAX], other[DLS_PATH_MAX] = "", counts[LIST_TEXT];
    DLS_TRY(dls_job_path(lab->job, stem, "tsv", table, error));
    if (second)
        DLS_TRY(dls_job_path(lab->job, second, "tsv", other, error));
    write_list(&lab->counts, " ", counts, sizeof counts);
    const char *const variables[] = {"second", other, "counts", counts, NULL};
    return dls_plot(lab->job, script, table, script, caption, variables, error);
}

static dls_status plot_exactness(const dls_spring_lab *lab, dls_error *error)
{
    const dls_spring_settings *set = lab->settings;
    const dls_spring_findings *f = &lab->found;
    char caption[CAPTION], dampings[LIST_TEXT];
    write_list(&lab->dampings, ", ", dampings, sizeof dampings);
    snprintf(caption, sizeof caption,
             "What a spring's row is, to rounding. Left: %zu runs of %g s at %g s, kp from %g to %g by decades, "
             "damping ratios %s: the largest difference of C to implicit Euler "
             "written as a formula in long double, over the larger one of start and sag. A mass on a slider, hung on a "
             "drive: %.1e; a wheel on a hinge with a torsional drive: %.1e; "
             "two free bodies on a distance joint with stiffness and damping: %.1e, with the numbers ERP and CFM of "
             "(55), (56): %.1e. Differences below 1e-17 are drawn there. Right: %zu runs of "
             "small steps and TGS at %.4g s against their laws in closed form (N substeps: implicit Euler over h/N; "
             "TGS: C relaxes in each step towards m v* / (h kp)), over N; %.1e at worst.",
             f->runs, set->duration, set->step, set->softest, set->stiffest, dampings, f->euler[DLS_SPRING_SLIDER],
             f->euler[DLS_SPRING_HINGE], f->euler[DLS_SPRING_DISTANCE], f->euler[DLS_SPRING_NUMBERS], f->laws,
             set->coarse, f->law);
    return plot(lab, "spring-exactness", "spring.euler.summary", "spring.laws.summary", caption, error);
}

static dls_status plot_order(const dls_spring_lab *lab, dls_error *error)
{
    const dls_spring_findings *f = &lab->found;
    char caption[CAPTION];
    snprintf(caption, sizeof caption,
             "A spring's row against the damped oscillator in closed form. Left: two free bodies on an undamped "
             "distance joint; implicit Euler takes the energy out, the amplitude falls by "
             "exp(-w^2 h t / 2). Right: the largest error of a period over the amplitude, mass on a slider at the "
             "least stiffness, over w h: order 1. Over all rigs, stiffnesses "
             "and damping ratios up to 10 the order, seen between the two shortest steps, lies between %.4f and %.4f. "
             "The undamped slider's error is %.3f w h "
             "at the shortest step; pi is what the amplitude's decay in one period makes.",
             f->order_low, f->order_high, f->error_constant);
    return plot(lab, "spring-order", "spring.order", "spring.motion", caption, error);
}

static dls_status plot_damping(const dls_spring_lab *lab, dls_error *error)
{
    const dls_spring_findings *f = &lab->found;
    const size_t euler = index_of("euler"), step = index_of("tgs-step"), substep = index_of("tgs-substep"),
                 small = index_of("small-steps");
    const double most = lab->counts.at[lab->counts.count - 1];
    char caption[CAPTION];
    snprintf(caption, sizeof caption,
             "An undamped spring with w h = %g, and what each scheme makes of it: damping ratio (left) and frequency "
             "over w (right) of the oscillator whose matrix a step of two free bodies on "
             "a distance joint has, measured from two starts, over iterations or substeps N. Semi-implicit Euler holds "
             "the row with one iteration: a damping ratio of %.4f, whatever N. "
             "Small steps divide it by N: %.4f with N = %g, relaxed or not (a spring is no error). TGS does not: its "
             "iterations share the v* of the whole step, and bias over "
             "the substep leaves %.4f, bias over the step %.4f with N = %g.",
             lab->settings->stiffness, f->seen_ratio[euler][1], f->seen_ratio[small][1], most,
             f->seen_ratio[substep][1], f->seen_ratio[step][1], most);
    return plot(lab, "spring-damping", "spring.damping", NULL, caption, error);
}

static dls_status plot_iterations(const dls_spring_lab *lab, dls_error *error)
{
    const dls_spring_findings *f = &lab->found;
    const dls_spring_settings *set = lab->settings;
    const size_t last = lab->counts.count - 1;
    char caption[CAPTION];
    snprintf(caption, sizeof caption,
             "Few iterations of PGS, where the guide answers to the spring: rail (left) and axis (right) lie %g m "
             "beside the centre of mass, undamped, steps of %.4g s for %g s. Drawn: the largest "
             "difference of C to direct steps, over the larger one of start and sag. A soft spring's compliance hides "
             "the guide from it; a stiff one is as slow as a rigid row, but brings C itself to nothing within a step "
             "or two. The axis has its own "
             "sweeps to do, under the weight beside it, whatever the spring. "
             "Worst of all stiffnesses, N = %g: slider %.1e, hinge %.1e; N = %g: %.1e and %.1e. The lone row of the "
             "distance joint is exact after one iteration: %.1e.",
             set->arm, set->coarse, set->contest, lab->counts.at[0], f->pgs[0][0], f->pgs[1][0], lab->counts.at[last],
             f->pgs[0][last], f->pgs[1][last], f->pgs_distance);
    return plot(lab, "spring-iterations", "spring.iterations", NULL, caption, error);
}

static dls_status plot_stops(const dls_spring_lab *lab, dls_error *error)
{
    const dls_spring_findings *f = &lab->found;
    const size_t step = index_of("tgs-step"), substep = index_of("tgs-substep");
    char caption[CAPTION];
    snprintf(
        caption, sizeof caption,
        "A mass of %g kg let down on a stop with a critically damped spring; at rest, under every scheme with 4 "
        "iterations or substeps. Left: its depth on a contact, over kp; the line "
        "is m g / kp. Right: the relative error of the depth, below 1e-17 drawn there. At worst %.1e on the limit, "
        "%.1e on the contact, over all schemes and stiffnesses, the stiffest: a depth of %.1e m is the difference "
        "of positions of 0.35 m, known to 6e-17 m. TGS %.1e "
        "and %.1e on the contact (bias over step, substep).",
        lab->settings->mass, largest(f->depth[0], DLS_SPRING_WAYS), largest(f->depth[1], DLS_SPRING_WAYS),
        lab->settings->mass * dls_spring_gravity / lab->settings->stiffest, f->depth[1][step], f->depth[1][substep]);
    return plot(lab, "spring-stops", "spring.stops", NULL, caption, error);
}

static dls_status plot_sign(const dls_spring_lab *lab, dls_error *error)
{
    const dls_spring_findings *f = &lab->found;
    char caption[CAPTION];
    snprintf(caption, sizeof caption,
             "The compliance with the sign that ode-new-joints (24) prints, J v = c + C lambda, and with the correct "
             "one, on two free bodies on a distance joint. Left: |C| with w h = %g and a tenth "
             "of critical damping: 60 steps make %.1e m of it, and %.1e m with the correct sign. Right: the factor a "
             "step over w h, undamped, measured (points) and that of a spring that repels "
             "(lines), 1 / |1 - w h|: the printed sign diverges where w h < 2, here for kp < %.3g N/m; above, the "
             "compliance is next to nothing and its sign hardly matters. "
             "The measured matrix of a step differs from implicit Euler's, of that spring or of the one that repels, "
             "by at most %.1e of its largest entry, over all stiffnesses and damping ratios.",
             lab->settings->stiffness, f->growth_shown, f->correct_left, f->turning, f->growth);
    return plot(lab, "spring-sign", "spring.sign", "spring.sign.run", caption, error);
}

dls_status dls_spring_figures(const dls_spring_lab *lab, dls_error *error)
{
    DLS_TRY(plot_exactness(lab, error));
    DLS_TRY(plot_order(lab, error));
    DLS_TRY(plot_damping(lab, error));
    DLS_TRY(plot_iterations(lab, error));
    DLS_TRY(plot_stops(lab, error));
    return plot_sign(lab, error);
}
