/* Equilibria of houses of cards and arches, proved or refuted, and the least friction and thickness that have one.
 *
 * The set of forces grows with mu and, at a given arch of thrust, with the thickness: below the brackets that are
 * printed an equilibrium is refuted by an exact mechanism of collapse, above them it is proved by exact forces. */
#include "coulomb/parts.h"

#include <math.h>
#include <stdio.h>

/* A structure, and what a bisection changes in it. */
typedef struct subject {
    dls_blocks blocks;
    size_t stones; /* of a round arch whose thickness changes; 0: mu changes */
    double mu;
} subject;

static dls_status decide_blocks(const dls_blocks *blocks, dls_equilibrium **found, dls_error *error)
{
    DLS_TRY(dls_equilibrium_decide(&blocks->structure, found, error));
    if ((*found)->verdict != DLS_EQUILIBRIUM_UNDECIDED)
        return DLS_OK;
    dls_equilibrium_destroy(*found);
    return dls_fail(error, DLS_REFUSED, "an equilibrium of %zu blocks is undecided", blocks->structure.n_bodies);
}

static dls_status stands_with(void *context, double value, bool *stands, dls_error *error)
{
    subject *s = context;
    dls_equilibrium *found;
    if (s->stones > 0)
        DLS_TRY(dls_arch_round(s->stones, value, &s->blocks, error));
    dls_blocks_set_mu(&s->blocks, s->stones > 0 ? s->mu : value);
    const dls_status status = decide_blocks(&s->blocks, &found, error);
    if (s->stones > 0)
        dls_blocks_release(&s->blocks);
    if (status != DLS_OK)
        return status;
    *stands = found->verdict == DLS_EQUILIBRIUM_EXISTS;
    dls_equilibrium_destroy(found);
    return DLS_OK;
}

/* --- houses and arches with the given friction --- */

/* Hinges and slips of a mechanism. */
static void count_mechanism(const dls_equilibrium *found, size_t joints, size_t *hinges, size_t *slips)
{
    *hinges = *slips = 0;
    for (size_t i = 0; found->verdict == DLS_EQUILIBRIUM_REFUTED && i < 4 * joints; i++)
        *(i % 4 < 2 ? hinges : slips) += found->mechanism[i] > 0.0;
}

/* `exact`: the least mu in closed form; NaN: there is none. Takes the blocks. */
static dls_status measure_structure(dls_study *study, const char *name, size_t size, dls_blocks *blocks, double exact,
                                    dls_error *error)
{
    const dls_coulomb_settings *set = study->settings;
    dls_coulomb_findings *f = study->found;
    dls_equilibrium *found = NULL, *below = NULL;
    subject s = {.blocks = *blocks};
    double low = 0.0, high = 4.0;
    size_t hinges = 0, slips = 0;
    dls_blocks_set_mu(&s.blocks, set->mu);
    dls_status status = decide_blocks(&s.blocks, &found, error);
    if (status == DLS_OK)
        status = dls_bisect(stands_with, &s, &low, &high, set->width, error);
    dls_blocks_set_mu(&s.blocks, low);
    if (status == DLS_OK)
        status = decide_blocks(&s.blocks, &below, error);
    if (status == DLS_OK) {
        const bool stands = found->verdict == DLS_EQUILIBRIUM_EXISTS;
        count_mechanism(below, s.blocks.structure.n_joints, &hinges, &slips);
        f->structures++, f->standing += stands;
        dls_coulomb_outline(study, name, size, &s.blocks);
        dls_coulomb_forces(study, name, size, &s.blocks, found->force);
        dls_table_row(study->tables[DLS_COULOMB_EQUILIBRIA], "%s %zu %zu %zu %zu %g %s %g %g %g %zu %zu", name, size,
                      s.blocks.structure.n_bodies, s.blocks.structure.n_joints, found->freedoms, set->mu,
                      stands ? "exists" : "refuted", low, high, exact, hinges, slips);
    }
    dls_equilibrium_destroy(found), dls_equilibrium_destroy(below);
    dls_blocks_release(&s.blocks);
    return status;
}

static dls_status measure_house(dls_study *study, size_t levels, dls_error *error)
{
    dls_house_size size = dls_house_of_cards;
    dls_blocks blocks;
    size.levels = levels;
    DLS_TRY(dls_house(&size, &blocks, error));
    return measure_structure(study, "house", levels, &blocks, levels == 1 ? dls_house_pair_mu(&size) : NAN, error);
}

static dls_status measure_catenary(dls_study *study, size_t stones, dls_error *error)
{
    dls_blocks blocks;
    DLS_TRY(dls_arch_catenary(stones, &blocks, error));
    return measure_structure(study, "catenary", stones, &blocks, NAN, error);
}

dls_status dls_coulomb_equilibria(dls_study *study, dls_error *error)
{
    const dls_coulomb_settings *set = study->settings;
    const size_t houses = set->levels.count;
    for (dls_grid g = DLS_GRID(houses + set->arches.count); dls_study_next(study, &g);)
        DLS_TRY(g.at[0] < houses ? measure_house(study, set->levels.counts[g.at[0]], error)
                                 : measure_catenary(study, set->arches.counts[g.at[0] - houses], error));
    return DLS_OK;
}

/* --- round arches --- */

dls_status dls_coulomb_thickness(dls_study *study, dls_error *error)
{
    const dls_coulomb_settings *set = study->settings;
    dls_coulomb_findings *f = study->found;
    f->limit = dls_arch_least_thickness();
    for (dls_grid g = DLS_GRID(set->stones.count); dls_study_next(study, &g);) {
        subject s = {.stones = set->stones.counts[g.at[0]], .mu = set->mu};
        double low = 0.005, high = 0.4;
        DLS_TRY(dls_bisect(stands_with, &s, &low, &high, set->width, error));
        dls_table_row(study->tables[DLS_COULOMB_THICKNESS], "%zu %g %g %g %g", s.stones, low, high, f->limit,
                      f->limit - high);
        f->thickness = high;
    }
    return DLS_OK;
}
