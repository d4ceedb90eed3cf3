/* Figures on friction laws, and captions with their numbers.
 */
#include "friction/parts.h"

#include <math.h>

static const double degrees = 57.295779513082321;

/* The largest of a figure over all laws. */
#define WORST(f, member) worst((f), offsetof(dls_friction_finding, member))
static double worst(const dls_friction_findings *f, size_t member)
{
    double largest = 0.0;
    for (size_t i = 0; i < DLS_FRICTION_LAWS; i++)
        largest = fmax(largest, fabs(*(const double *)((const char *)&f->of[i] + member)));
    return largest;
}

static void begin(dls_figure *figure, const dls_study *study, const char *script, size_t table)
{
    const dls_friction_settings *set = study->settings;
    dls_figure_begin(figure, study, script, table, NULL);
    dls_figure_set(figure, "folder", "%s", study->job->output);
    dls_figure_set(figure, "mu", "%.17g", set->mu);
    dls_figure_set(figure, "few", "%zu", set->few);
    dls_figure_set(figure, "many", "%zu", set->many);
    dls_figure_set(figure, "boxes", "%zu", set->boxes);
}

dls_status dls_friction_figures(dls_study *study, dls_error *error)
{
    const dls_friction_settings *set = study->settings;
    const dls_friction_findings *f = study->found;
    const dls_friction_finding *cone = &f->of[DLS_FRICTION_LAW_CONE], *box = &f->of[DLS_FRICTION_LAW_BOX],
                               *fixed = &f->of[DLS_FRICTION_LAW_FIXED];
    double critical = 0.0, anisotropy = 0.0;
    dls_figure figure;
    for (size_t i = 0; i < DLS_FRICTION_LAWS; i++) {
        critical = fmax(critical, fabs(f->of[i].critical - f->of[i].critical_expected));
        anisotropy = fmax(anisotropy, fabs(f->of[i].anisotropy / dls_friction_anisotropy(&dls_friction_laws[i]) - 1.0));
    }

    begin(&figure, study, "friction-slope", DLS_FRICTION_SLOPE);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "A block on a slope, mu = %g, %zu steps from rest: box, facets and cone hold it up to tan t = mu, the bound "
        "that "
        "is fixed on level ground up to sin t = mu, and beyond that it slows the block too much. By the reference the "
        "accelerations (left) are as predicted to %.1e g, and the bisected slopes to %.1e rad. Sweeps from zero "
        "impulse "
        "let the block creep where it should stick (right): with %zu iterations by up to %.1e g (fixed), %.1e g (box) "
        "and %.1e g (cone), with %zu by %.1e, %.1e and %.1e g; below 1e-13 nothing is drawn.",
        set->mu, set->steps, WORST(f, slide_error), critical, set->few, fixed->sweep_creep[0], box->sweep_creep[0],
        cone->sweep_creep[0], set->many, fixed->sweep_creep[1], box->sweep_creep[1], cone->sweep_creep[1]));

    begin(&figure, study, "friction-pull", DLS_FRICTION_PULL);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "A block on level ground, pulled at its centre in %zu directions. Left: the least force that moves it draws "
        "the "
        "set of each law, a square, polygons and a circle, as predicted to %.1e; the largest over the smallest is "
        "1 / cos(pi/k), and 1 under the cone, to %.1e. Right: the angle between motion and a pull of %g times that "
        "force, measured (points) and predicted (lines) to %.1e rad: up to %.3g deg under the box, %.3g with 8 facets, "
        "%.3g with 16 and %.1e under the cone.",
        set->directions, WORST(f, reach_error), anisotropy, set->beyond, WORST(f, off_error), box->off * degrees,
        f->of[DLS_FRICTION_LAW_FACETS_8].off * degrees, f->of[DLS_FRICTION_LAW_FACETS_16].off * degrees,
        cone->off * degrees));

    begin(&figure, study, "friction-stack", DLS_FRICTION_STACK);
    return dls_figure_draw(
        &figure, error,
        "A stack of %zu boxes of %g kg, mu = %g, one of them pulled sideways. Left: the least force that moves "
        "anything, "
        "by the reference, as predicted to %.1e: under the fixed bound it is the same for every box, under the others "
        "mu m g of all above the interface, %.4g N at the bottom and %.4g N at the top. Right: the speed of the pulled "
        "box with 0.9 of that force, under which it should stay, over what it had without friction: at most %.1e by "
        "the reference, with sweeps from zero impulse up to %.2g after %zu iterations and %.2g after %zu (cone).",
        set->boxes, set->mass, set->mu, WORST(f, stack_error), cone->lowest, cone->highest, WORST(f, stack_creep[0]),
        cone->stack_creep[1], set->few, cone->stack_creep[2], set->many);
}
