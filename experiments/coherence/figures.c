/* Figures on temporal coherence, and captions with the numbers that they show. */
#include "coherence.h"

#include <stdio.h>
#include <string.h>

static dls_status plot_law(const dls_coherence_lab *lab, dls_error *error)
{
    char table[DLS_PATH_MAX], caption[1024];
    DLS_TRY(dls_job_path(lab->job, "coherence.law", "tsv", table, error));
    snprintf(
        caption, sizeof caption,
        "Why warm starts breathe. Ten equal balls hang straight down; growth a step (left; above 1 the chain flies "
        "apart) and period (right) "
        "of their joint errors under euler with warm starts, measured (points) and predicted (lines) from the roots of "
        "s^3 + kappa (2 + erp) s^2 + kappa (1 + 2 erp) s + kappa erp, kappa the share of a mode's error that a solve "
        "removes. Warm "
        "starts hold if and only if kappa > erp / (1 + erp). Not fitted below 0.93, where modes no longer differ "
        "enough. Largest difference of a growth above 0.95: %.1e.",
        lab->found->law_deviation);
    return dls_plot(lab->job, "coherence-law", table, "coherence-law", caption, NULL, error);
}

static dls_status plot_stand(const dls_coherence_lab *lab, dls_error *error)
{
    const dls_coherence_settings *s = lab->settings;
    bool split = dls_scheme_find("split-impulse") != NULL;
    char table[DLS_PATH_MAX], caption[1024], work[80];
    DLS_TRY(dls_job_path(lab->job, "coherence.stand", "tsv", table, error));
    snprintf(caption, sizeof caption,
             "Height of a stack of ten found boxes over %g s, PGS of %zu iterations a step of %.4g s, cold and warm "
             "(left); with four times the "
             "work and contacts found from a gap of 10 mm on (right). A line ends where the stack has fallen. Cold "
             "starts sink; under euler, "
             "whose bias becomes momentum, warm ones breathe and rattle%s. Of %zu combinations of scheme, effort and "
             "margin %zu stand cold and %zu warm.",
             s->duration, s->iterations, s->step,
             split ? "; split impulse, without a bias in the velocities, stands" : "", lab->found->stacks,
             lab->found->stood[0], lab->found->stood[1]);
    snprintf(work, sizeof work, "%zu iterations a step of %.4g s", s->iterations, s->step);
    const char *const variables[] = {"split", split ? "yes" : "", "work", work, NULL};
    return dls_plot(lab->job, "coherence-stand", table, "coherence-stand", caption, variables, error);
}

static dls_status plot_iterations(const dls_coherence_lab *lab, dls_error *error)
{
    const dls_coherence_settings *s = lab->settings;
    const dls_coherence_findings *f = lab->found;
    char table[DLS_PATH_MAX], caption[1024], limit[32];
    DLS_TRY(dls_job_path(lab->job, "coherence.iterations", "tsv", table, error));
    snprintf(caption, sizeof caption,
             "Iterations of PGS to a scaled residual of 1e-2 and 1e-3, from nothing and from the impulses of the step "
             "before, at %zu steps of a run "
             "of %g s; residuals by the examiner. Left: a stack of ten (%s, warm, %zu iterations a step of %.4g s); "
             "right: a wall of a hundred "
             "boxes (%zu of %.4g s). None needed is drawn as 1, too few as the limit. Mean to 1e-2, where %zu that was "
             "not enough counts as %zu: stack %.0f cold, %.0f "
             "warm (%zu and %zu of them not reached); wall %.0f cold, %.0f warm (%zu and %zu).",
             s->samples, s->duration, dls_coherence_holding_scheme(), s->drive, s->step, s->iterations, s->wall_step,
             s->limit, s->limit, f->mean[0][0], f->mean[0][1], f->unreached[0][0], f->unreached[0][1], f->mean[1][0],
             f->mean[1][1], f->unreached[1][0], f->unreached[1][1]);
    snprintf(limit, sizeof limit, "%zu", s->limit);
    const char *const variables[] = {"limit", limit, NULL};
    return dls_plot(lab->job, "coherence-iterations", table, "coherence-iterations", caption, variables, error);
}

static dls_status plot_chain(const dls_coherence_lab *lab, dls_error *error)
{
    const dls_coherence_settings *s = lab->settings;
    char table[DLS_PATH_MAX], caption[1024], names[DLS_COHERENCE_SCHEMES * DLS_NAME_MAX] = "";
    DLS_TRY(dls_job_path(lab->job, "coherence.chain", "tsv", table, error));
    snprintf(caption, sizeof caption,
             "Joint error of a chain of ten balls let go from the side, PGS of %zu iterations a step of %.4g s, cold "
             "(dotted) and warm. Largest over %g s, cold, warm:",
             s->iterations, s->step, s->duration);
    for (int which = 0; which < DLS_COHERENCE_SCHEMES; which++) {
        const char *name = dls_coherence_schemes[which];
        if (!dls_scheme_find(name))
            continue;
        size_t used = strlen(caption), named = strlen(names);
        snprintf(names + named, sizeof names - named, "%s%s", named ? " " : "", name);
        snprintf(caption + used, sizeof caption - used,
                 " %s %.2g, %.2g m (equal balls), %.2g, %.2g m (the last a hundred times as heavy);", name,
                 lab->found->chain[0][which][0], lab->found->chain[0][which][1], lab->found->chain[1][which][0],
                 lab->found->chain[1][which][1]);
    }
    caption[strlen(caption) - 1] = '.';
    const char *const variables[] = {"schemes", names, NULL};
    return dls_plot(lab->job, "coherence-chain", table, "coherence-chain", caption, variables, error);
}

static dls_status plot_wall(const dls_coherence_lab *lab, dls_error *error)
{
    const dls_coherence_settings *s = lab->settings;
    bool split = dls_scheme_find("split-impulse") != NULL;
    char table[DLS_PATH_MAX], caption[1024];
    DLS_TRY(dls_job_path(lab->job, "coherence.wall", "tsv", table, error));
    snprintf(caption, sizeof caption,
             "A wall of a hundred boxes, %zu steps of %.4g s, PGS of %zu iterations: residual after a step (left), and "
             "the lowest brick of the top "
             "course (right). %s, warm, at the end: residual %.2g, %.2f mm.",
             s->wall_steps, s->wall_step, s->iterations, dls_coherence_holding_scheme(), lab->found->wall_residual,
             1e3 * lab->found->wall_height);
    const char *const variables[] = {
        "runs", split ? "\"euler cold\" \"euler warm\" \"split-impulse warm\"" : "\"euler cold\" \"euler warm\"", NULL};
    return dls_plot(lab->job, "coherence-wall", table, "coherence-wall", caption, variables, error);
}

dls_status dls_coherence_figures(const dls_coherence_lab *lab, dls_error *error)
{
    DLS_TRY(plot_law(lab, error));
    DLS_TRY(plot_chain(lab, error));
    if (!dls_collider_available())
        return DLS_OK;
    DLS_TRY(plot_stand(lab, error));
    DLS_TRY(plot_iterations(lab, error));
    return plot_wall(lab, error);
}
