/* Figures on friction laws, and captions with the numbers that they show. */
#include "friction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CAPTION = 2048 };
static const double degrees = 57.295779513082321;

static const dls_friction_finding *found(const dls_friction_lab *lab, const char *law)
{
    size_t i = 0;
    while (strcmp(dls_friction_laws[i].name, law) != 0)
        i++;
    return &lab->found[i];
}

/* The largest of a figure over all laws. */
static double worst(const dls_friction_lab *lab, size_t member)
{
    double largest = 0.0;
    for (size_t i = 0; i < DLS_FRICTION_LAWS; i++)
        largest = fmax(largest, fabs(*(const double *)((const char *)&lab->found[i] + member)));
    return largest;
}
#define WORST(lab, member) worst((lab), offsetof(dls_friction_finding, member))

static double worst_critical(const dls_friction_lab *lab)
{
    double largest = 0.0;
    for (size_t i = 0; i < DLS_FRICTION_LAWS; i++)
        largest = fmax(largest, fabs(lab->found[i].critical - lab->found[i].critical_expected));
    return largest;
}

static size_t wrong_movers(const dls_friction_lab *lab)
{
    size_t count = 0;
    for (size_t i = 0; i < DLS_FRICTION_LAWS; i++)
        count += lab->found[i].wrong_movers;
    return count;
}

/* Largest relative difference of an anisotropy to 1 / cos(pi / k), or 1. */
static double worst_anisotropy(const dls_friction_lab *lab)
{
    double largest = 0.0;
    for (size_t i = 0; i < DLS_FRICTION_LAWS; i++)
        largest = fmax(largest, fabs(lab->found[i].anisotropy / dls_friction_anisotropy(&dls_friction_laws[i]) - 1.0));
    return largest;
}

static dls_status plot(const dls_friction_lab *lab, const char *stem, const char *of, const char *caption,
                       dls_error *error)
{
    const dls_friction_settings *set = lab->settings;
    char table[DLS_PATH_MAX], mu[40], few[24], many[24], boxes[24];
    DLS_TRY(dls_job_path(lab->job, of, "tsv", table, error));
    snprintf(mu, sizeof mu, "%.17g", set->mu);
    snprintf(few, sizeof few, "%zu", set->few);
    snprintf(many, sizeof many, "%zu", set->many);
    snprintf(boxes, sizeof boxes, "%zu", set->boxes);
    const char *const variables[] = {"folder", lab->job->output, "mu",  mu,  "few", few, "many",
                                     many,     "boxes",          boxes, NULL};
    return dls_plot(lab->job, stem, table, stem, caption, variables, error);
}

static dls_status plot_slope(const dls_friction_lab *lab, dls_error *error)
{
    const dls_friction_settings *set = lab->settings;
    const dls_friction_finding *cone = found(lab, "cone"), *box = found(lab, "box"), *fixed = found(lab, "fixed");
    char caption[CAPTION];
    snprintf(caption, sizeof caption,
             "A block on a slope, mu = %g, on four points, %zu steps from rest. Left: its acceleration under each law "
             "by the reference. The box, facets that are aligned with the slope, and the cone hold up to tan t = mu "
             "and then a = g (sin t - mu cos t); the fixed bound mu m g is that of level ground, holds up to sin t = "
             "mu and slows what slides too much. The critical angle, bisected: box %.9f, cone %.9f, fixed %.9f deg; "
             "off atan mu, asin mu by at most %.1e rad. Accelerations are off by at most %.1e g, every solve with the "
             "reference is certified to a scaled residual of %.1e. Right: sweeps from zero impulse. With %zu "
             "iterations what should stick creeps at up to %.1e g (fixed), %.1e g (box) under PGS and %.1e g under "
             "NSGS (cone); with %zu at %.1e, %.1e and %.1e g.",
             set->mu, set->steps, box->critical * degrees, cone->critical * degrees, fixed->critical * degrees,
             worst_critical(lab), WORST(lab, slide_error), WORST(lab, residual), set->few, fixed->sweep_creep[0],
             box->sweep_creep[0], cone->sweep_creep[0], set->many, fixed->sweep_creep[1], box->sweep_creep[1],
             cone->sweep_creep[1]);
    return plot(lab, "friction-slope", "friction.slope", caption, error);
}

static dls_status plot_pull(const dls_friction_lab *lab, dls_error *error)
{
    const dls_friction_finding *cone = found(lab, "cone"), *box = found(lab, "box"), *four = found(lab, "facets-4");
    char caption[CAPTION];
    snprintf(caption, sizeof caption,
             "A block on level ground, pulled at its centre in %zu directions. Left: the least force that moves it "
             "draws what the law holds, the square of the box (and of the fixed bound), polygons, the circle of the "
             "cone. Largest over smallest: box %.10f, 4 facets %.10f, 8 facets %.10f, 16 facets %.10f, cone %.10f; 1 "
             "/ cos(pi/k), and 1, to %.1e. Each least force is what the set's rim predicts to %.1e. Right: a pull of "
             "%g times the least force, and the angle between motion and pull, measured (points) and predicted "
             "(lines): the set takes from the pull its nearest point. The box leads off by up to %.4g deg in these "
             "directions, 8 facets by %.4g, 16 by %.4g; the cone by %.1e. Prediction and reference differ by at most "
             "%.1e rad. With 1.2 mu m g at 30 deg the cone's block goes %.1e deg off the pull, the box's %.4g, that "
             "of 4 facets %.4g; at 45 deg, across its corner, the box holds that pull: %.1e m/s, where the cone has "
             "%.3g m/s. Sweeps, from zero impulse: PGS on the box %.1e rad after %zu iterations and %.1e after %zu, "
             "NSGS on the cone %.1e and %.1e.",
             lab->settings->directions, box->anisotropy, four->anisotropy, found(lab, "facets-8")->anisotropy,
             found(lab, "facets-16")->anisotropy, cone->anisotropy, worst_anisotropy(lab), WORST(lab, reach_error),
             lab->settings->beyond, box->off * degrees, found(lab, "facets-8")->off * degrees,
             found(lab, "facets-16")->off * degrees, cone->off * degrees, WORST(lab, off_error),
             fabs(cone->diagonal_off[0]) * degrees, box->diagonal_off[0] * degrees, four->diagonal_off[0] * degrees,
             box->diagonal_speed[1], cone->diagonal_speed[1], box->sweep_off_error[0], lab->settings->few,
             box->sweep_off_error[1], lab->settings->many, cone->sweep_off_error[0], cone->sweep_off_error[1]);
    return plot(lab, "friction-pull", "friction.pull", caption, error);
}

static dls_status plot_stack(const dls_friction_lab *lab, dls_error *error)
{
    const dls_friction_settings *set = lab->settings;
    const dls_friction_finding *cone = found(lab, "cone"), *box = found(lab, "box"), *fixed = found(lab, "fixed");
    char caption[CAPTION];
    snprintf(caption, sizeof caption,
             "A stack of %zu boxes of %g kg, mu = %g, one of them pulled sideways at its centre. Left: the least "
             "force that moves anything, by the reference. Under the fixed bound it is %.6f N for the lowest box and "
             "%.6f N for the highest: lower boxes slide as easily as upper ones, as the source complains. Under the "
             "box, facets and the cone it is mu m g for every box that stands on the interface, %.6f N (box) and %.6f "
             "N (cone) at the bottom, %.6f N at the top. All are as predicted to %.1e, and what moves is the pulled "
             "box with those on it (exceptions: %zu). Right: the speed of the pulled box in a step with 0.9 of that "
             "force, over what it had without friction; the reference has at most %.1e. Sweeps from zero impulse: "
             "after %zu iterations up to %.2g (PGS, fixed), %.2g (PGS, box) and %.2g (NSGS, cone), after %zu "
             "%.2g, %.2g and %.2g.",
             set->boxes, set->mass, set->mu, fixed->lowest, fixed->highest, box->lowest, cone->lowest, cone->highest,
             WORST(lab, stack_error), wrong_movers(lab), WORST(lab, stack_creep[0]), set->few, fixed->stack_creep[1],
             box->stack_creep[1], cone->stack_creep[1], set->many, fixed->stack_creep[2], box->stack_creep[2],
             cone->stack_creep[2]);
    return plot(lab, "friction-stack", "friction.stack.summary", caption, error);
}

dls_status dls_friction_figures(const dls_friction_lab *lab, dls_error *error)
{
    DLS_TRY(plot_slope(lab, error));
    DLS_TRY(plot_pull(lab, error));
    return plot_stack(lab, error);
}
