/* A house of cards and an arch that stand for a minute under the exact cone: how far their blocks move.
 *
 * Both have an equilibrium by proof (equilibria.c), and start in it, without velocity. In continuous time they stand
 * for ever; a scheme with an exact answer in each step stands to rounding, and moves by the errors of its solver. */
#include "coulomb/parts.h"

#include <math.h>

enum { HOUSE, ARCH, STRUCTURES };
static const char *const structures[STRUCTURES] = {"house", "catenary"};
static const double density = 1000.0; /* [kg/m^3] */

static dls_status stand_scene(const dls_coulomb_settings *set, size_t structure, dls_scene **scene, dls_error *error)
{
    dls_blocks blocks;
    if (structure == HOUSE) {
        dls_house_size size = dls_house_of_cards;
        size.levels = set->stand_levels;
        DLS_TRY(dls_house(&size, &blocks, error));
    } else {
        DLS_TRY(dls_arch_catenary(set->stand_stones, &blocks, error));
    }
    dls_blocks_set_mu(&blocks, set->mu);
    const dls_status status = dls_blocks_scene(&blocks, density, scene, error);
    dls_blocks_release(&blocks);
    return status;
}

/* The farthest that a body is from its start, and the fastest. */
static void measure_rest(const dls_rig *rig, double *farthest, double *fastest)
{
    const dls_state *state = dls_rig_state(rig), *start = dls_model_initial(rig->model);
    *farthest = *fastest = 0.0;
    for (size_t i = 0; i < dls_model_count(rig->model).bodies; i++) {
        const double *v = state->v + dls_model_bodies(rig->model)[i].offset;
        *farthest = fmax(*farthest, dls_norm(dls_sub(state->x[i], start->x[i])));
        *fastest = fmax(*fastest, dls_norm(dls_v3(v[0], v[1], v[2])));
    }
}

static dls_status certify_rest(const dls_rig *rig, dls_coulomb_tally *t, double *residual, dls_error *error)
{
    dls_rig *of = (dls_rig *)rig;
    double now;
    DLS_TRY(dls_rig_residual(of, dls_simulation_impulses(rig->simulation), &now, error));
    *residual = dls_worse(*residual, now);
    return dls_coulomb_certify(rig, t, error);
}

static dls_status run_structure(dls_study *study, size_t structure, const char *method, dls_error *error)
{
    const dls_coulomb_settings *set = study->settings;
    dls_coulomb_findings *f = study->found;
    const dls_rig_plan plan = {.method = method,
                               .solver = set->stand_solver,
                               .iterations = set->stand_iterations,
                               .warm = true,
                               .diverges = true};
    const size_t steps = dls_step_count(set->stand_time, set->stand_step);
    const size_t every = steps / 10 > 0 ? steps / 10 : 1;
    double farthest = 0.0, fastest = 0.0, residual = 0.0;
    dls_coulomb_tally t = {0};
    dls_scene *scene;
    dls_rig rig;
    DLS_TRY(stand_scene(set, structure, &scene, error));
    DLS_TRY(dls_rig_open(&rig, scene, &plan, error));
    while (dls_rig_next(&rig, set->stand_step, steps)) {
        measure_rest(&rig, &farthest, &fastest);
        if (rig.steps % every != 0)
            continue;
        rig.status = certify_rest(&rig, &t, &residual, error);
        dls_table_row(study->tables[DLS_COULOMB_STAND], "%s %s %g %g %g %g %zu %zu %g %g", structures[structure],
                      method, (double)rig.steps * set->stand_step, farthest, fastest, residual, t.certified, t.steps,
                      t.b_off, t.mu_off);
    }
    f->farthest = fmax(f->farthest, rig.failed ? HUGE_VAL : farthest);
    return dls_rig_end(&rig);
}

dls_status dls_coulomb_stand(dls_study *study, dls_error *error)
{
    const dls_coulomb_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(STRUCTURES, set->stand_methods.count); dls_study_next(study, &g);)
        DLS_TRY(run_structure(study, g.at[0], set->stand_methods.names[g.at[1]], error));
    return DLS_OK;
}
