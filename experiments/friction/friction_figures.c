/* Figures on friction laws, and captions with the numbers that they show. */
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
                               *fixed = &f->of[DLS_FRICTION_LAW_FIXED], *four = &f->of[DLS_FRICTION_LAW_FACETS_4];
    double critical = 0.0, anisotropy = 0.0;
    size_t wrong_movers = 0;
    dls_figure figure;
    for (size_t i = 0; i < DLS_FRICTION_LAWS; i++) {
        critical = fmax(critical, fabs(f->of[i].critical - f->of[i].critical_expected));
        anisotropy = fmax(anisotropy, fabs(f->of[i].anisotropy / dls_friction_anisotropy(&dls_friction_laws[i]) - 1.0));
        wrong_movers += f->of[i].wrong_movers;
    }

    begin(&figure, study, "friction-slope", DLS_FRICTION_SLOPE);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "A block on a slope, mu = %g, on four points, %zu steps from rest. Left: its acceleration under each law by "
        "the reference (every solve certified to a scaled residual of %.1e), off the prediction by at most %.1e g: "
        "box, aligned facets and cone hold up to tan t = mu, the fixed bound of level ground up to sin t = mu and "
        "slows "
        "what slides too much; bisected, box %.9f, cone %.9f, fixed %.9f deg, at most %.1e rad off. Right: sweeps from "
        "zero impulse, under which what should stick creeps, with %zu iterations at up to %.1e g (PGS, fixed), %.1e g "
        "(PGS, box) and %.1e g (NSGS, cone), with %zu at %.1e, %.1e and %.1e g.",
        set->mu, set->steps, WORST(f, record.worst), WORST(f, slide_error), box->critical * degrees,
        cone->critical * degrees, fixed->critical * degrees, critical, set->few, fixed->sweep_creep[0],
        box->sweep_creep[0], cone->sweep_creep[0], set->many, fixed->sweep_creep[1], box->sweep_creep[1],
        cone->sweep_creep[1]));

    begin(&figure, study, "friction-pull", DLS_FRICTION_PULL);
    DLS_TRY(dls_figure_draw(
        &figure, error,
        "A block on level ground, pulled at its centre in %zu directions. Left: the least force that moves it draws "
        "what the law holds, a square, polygons, a circle, as predicted to %.1e; largest over smallest: box %.10f, 4 "
        "facets %.10f, 8 facets %.10f, 16 facets %.10f, cone %.10f, which is 1 / cos(pi/k), and 1, to %.1e. Right: the "
        "angle between motion and a pull of %g times that force, measured (points) and predicted (lines) by what the "
        "set leaves of the pull, to %.1e rad by the reference: up to %.4g deg under the box, %.4g with 8 facets, %.4g "
        "with 16, %.1e under the cone; with 1.2 mu m g at 30 deg %.4g (box), %.4g (4 facets), %.1e deg (cone), and "
        "across its corner, at 45 deg, the box holds that pull (%.1e m/s, the cone %.3g m/s). Sweeps from zero impulse "
        "are off by %.1e rad (PGS, box) and %.1e (NSGS, cone) after %zu iterations, %.1e and %.1e after %zu.",
        set->directions, WORST(f, reach_error), box->anisotropy, four->anisotropy,
        f->of[DLS_FRICTION_LAW_FACETS_8].anisotropy, f->of[DLS_FRICTION_LAW_FACETS_16].anisotropy, cone->anisotropy,
        anisotropy, set->beyond, WORST(f, off_error), box->off * degrees,
        f->of[DLS_FRICTION_LAW_FACETS_8].off * degrees, f->of[DLS_FRICTION_LAW_FACETS_16].off * degrees,
        cone->off * degrees, box->diagonal_off[0] * degrees, four->diagonal_off[0] * degrees,
        fabs(cone->diagonal_off[0]) * degrees, box->diagonal_speed[1], cone->diagonal_speed[1], box->sweep_off_error[0],
        cone->sweep_off_error[0], set->few, box->sweep_off_error[1], cone->sweep_off_error[1], set->many));

    begin(&figure, study, "friction-stack", DLS_FRICTION_STACK);
    return dls_figure_draw(
        &figure, error,
        "A stack of %zu boxes of %g kg, mu = %g, one of them pulled sideways at its centre. Left: the least force that "
        "moves anything, by the reference, as predicted to %.1e: under the fixed bound %.6f N for the lowest box and "
        "%.6f N for the highest, so that lower boxes slide as easily as upper ones, as the source complains; under "
        "box, "
        "facets and cone mu m g for every box on the interface, %.6f N at the bottom and %.6f N at the top (cone), and "
        "what moves is the pulled box with those on it (exceptions: %zu). Right: the speed of the pulled box in a step "
        "with 0.9 of that force, over what it had without friction: at most %.1e by the reference, with sweeps from "
        "zero impulse up to %.2g (PGS, fixed), %.2g (PGS, box) and %.2g (NSGS, cone) after %zu iterations, %.2g, %.2g "
        "and %.2g after %zu.",
        set->boxes, set->mass, set->mu, WORST(f, stack_error), fixed->lowest, fixed->highest, cone->lowest,
        cone->highest, wrong_movers, WORST(f, stack_creep[0]), fixed->stack_creep[1], box->stack_creep[1],
        cone->stack_creep[1], set->few, fixed->stack_creep[2], box->stack_creep[2], cone->stack_creep[2], set->many);
}
