/* Figures on exact friction, and captions with their numbers. */
#include "coulomb/parts.h"

#include <math.h>

static dls_status draw_structures(dls_study *study, dls_error *error)
{
    const dls_coulomb_settings *set = study->settings;
    const dls_coulomb_findings *f = study->found;
    const size_t levels = set->levels.counts[set->levels.count - 1], stones = set->arches.counts[0];
    dls_figure figure;
    dls_figure_begin(&figure, study, "coulomb", DLS_COULOMB_OUTLINES, NULL);
    dls_figure_set_table(&figure, "forces", DLS_COULOMB_FORCES);
    dls_figure_set(&figure, "levels", "%zu", levels);
    dls_figure_set(&figure, "stones", "%zu", stones);
    return dls_figure_draw(
        &figure, error,
        "An arch of %zu stones and a house of %zu cards, mu = %g, with forces of all joints (scaled) "
        "that an exact proof found, and the arch's line of thrust. Of %zu structures %zu have an "
        "equilibrium by proof.",
        stones, dls_house_cards(levels), set->mu, f->structures, f->standing);
}

static dls_status draw_laws(dls_study *study, dls_error *error)
{
    const dls_coulomb_findings *f = study->found;
    dls_figure figure;
    dls_figure_begin(&figure, study, "coulomb-laws", DLS_COULOMB_THICKNESS, NULL);
    dls_figure_set_table(&figure, "creep", DLS_COULOMB_CREEP);
    dls_figure_say(
        &figure,
        "Left: the least thickness of a semicircular arch over its mean radius, of n stones by proof; it tends "
        "to that of the continuous arch, %.7f, which all are below. ",
        f->limit);
    if (isnan(f->creep))
        return dls_figure_draw(&figure, error,
                               "Right: the speed at which a block that Coulomb's law holds creeps down a slope under "
                               "MuJoCo's soft contacts, by its closed form; MuJoCo is not there.");
    return dls_figure_draw(
        &figure, error,
        "Right: the speed at which a block that Coulomb's law holds creeps down a slope in MuJoCo, and "
        "its closed form, equal to %.1e.",
        f->creep);
}

static dls_status draw_motions(dls_study *study, dls_error *error)
{
    const dls_coulomb_settings *set = study->settings;
    const dls_coulomb_findings *f = study->found;
    char methods[DLS_MESSAGE_MAX] = "";
    dls_figure figure;
    for (size_t k = 0; k < set->methods.count; k++)
        dls_words_add(methods, sizeof methods, set->methods.names[k]);
    dls_figure_begin(&figure, study, "coulomb-motions", DLS_COULOMB_MOTIONS, NULL);
    dls_figure_set(&figure, "methods", "%s", methods);
    return dls_figure_draw(&figure, error,
                           "The distance of a body from its true place at the end, over the time step. Each step has a "
                           "certified answer (%zu of %zu), so that all of it is the scheme's.",
                           f->certified, f->steps);
}

dls_status dls_coulomb_figures(dls_study *study, dls_error *error)
{
    DLS_TRY(draw_structures(study, error));
    DLS_TRY(draw_laws(study, error));
    return draw_motions(study, error);
}
