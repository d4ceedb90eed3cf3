/* ode-new-joints 5.4: "a value of ERP = 0.1 to 0.8 is recommended in practice". mimic-joints: increasing erp "comes
 * with the risk of adding energy to the system".
 *
 * ISOLATED ERROR. At rest without forces a step with the errors C makes J v+ = -(ERP/h) C at the least energy,
 *     T = 1/2 (ERP/h)^2 C . A^-1 C
 * which is taken back: the next step needs only the share 1 - ERP of this velocity, and no velocity once C = 0.
 *
 * MECHANISMS that fall from rest, over ERP: largest error of a joint, and change of the total energy, with exact solves
 * and with a few sweeps from zero impulse. */
#include "parts.h"

#include <math.h>

static const char *const mechanism_names[DLS_CLAIMS_MECHANISMS] = {"chain-10", "four-bar", "hinge-pair"};
static const struct {
    const char *name, *solver;
    bool warm;
} ways[DLS_CLAIMS_SOLVES] = {
    {"exact", "block-pivoting", false},
    {"few sweeps", "pgs", false},
    {"few sweeps, warm", "pgs", true},
};

static dls_status open_corrected(const dls_claims_settings *set, const char *name, size_t way, double erp,
                                 bool weightless, dls_rig *rig, dls_error *error)
{
    const dls_rig_plan plan = {
        .solver = ways[way].solver, .iterations = set->iterations, .warm = ways[way].warm, .diverges = true};
    dls_scene *scene;
    DLS_TRY(dls_scene_named(name, &scene, error));
    if (weightless)
        scene->world.gravity = dls_v3(0.0, 0.0, 0.0);
    dls_stabilise_joints(scene, dls_method_find("baumgarte"), &(dls_stabilisation){.erp = erp});
    return dls_rig_open(rig, scene, &plan, error);
}

dls_status dls_claims_corrections(dls_study *study, dls_error *error)
{
    static const double step = 0.004;
    const dls_claims_settings *set = study->settings;
    dls_claims_findings *f = study->found;
    for (dls_grid g = DLS_GRID(DLS_CLAIMS_MECHANISMS, DLS_CLAIMS_SOLVES, set->corrections.count);
         dls_study_next(study, &g);) {
        const char *name = mechanism_names[g.at[0]], *way = ways[g.at[1]].name;
        const double erp = set->corrections.reals[g.at[2]];
        double worst = 0.0, change = 0.0, linear, angular;
        dls_rig rig;
        DLS_TRY(open_corrected(set, name, g.at[1], erp, false, &rig, error));
        const double start = dls_energy(dls_rig_at(&rig));
        while (dls_rig_next(&rig, step, dls_step_count(set->fall, step))) {
            dls_joint_errors(dls_rig_at(&rig), &linear, &angular);
            worst = fmax(worst, linear);
            change = dls_energy(dls_rig_at(&rig)) - start;
        }
        if (rig.failed)
            worst = change = HUGE_VAL;
        f->correction[g.at[0]][g.at[1]].error[g.at[2]] = worst;
        f->correction[g.at[0]][g.at[1]].energy[g.at[2]] = change;
        dls_claims_row(study, "erp", name, way, "erp", erp, "largest joint error[m]", worst);
        dls_claims_row(study, "energy", name, way, "erp", erp, "change of energy[J]", change);
        DLS_TRY(dls_rig_end(&rig));
    }
    return DLS_OK;
}

dls_status dls_claims_isolated(dls_study *study, dls_error *error)
{
    static const double push = 1e-6, step = 0.001; /* [m], small enough for a linear motion, [s] */
    enum { STEPS = 200 };
    const dls_claims_settings *set = study->settings;
    dls_claims_findings *f = study->found;
    for (dls_grid g = DLS_GRID(set->corrections.count); dls_study_next(study, &g);) {
        const double erp = set->corrections.reals[g.at[0]];
        dls_rig rig;
        DLS_TRY(open_corrected(set, "hinge-pair", 0, erp, true, &rig, error));
        dls_state *state = dls_simulation_edit(rig.simulation);
        state->x[state->n_bodies - 1] =
            dls_add(state->x[state->n_bodies - 1], dls_scale(push, dls_v3(0.36, 0.48, 0.8)));
        while (dls_rig_next(&rig, step, STEPS))
            *(rig.steps == 1 ? &f->kick[g.at[0]] : &f->kept[g.at[0]]) = dls_energy(dls_rig_at(&rig));
        dls_claims_row(study, "energy", "isolated error", ways[0].name, "erp", erp, "energy after one step[J]",
                       f->kick[g.at[0]]);
        dls_claims_row(study, "energy", "isolated error", ways[0].name, "erp", erp, "energy after 200 steps[J]",
                       f->kept[g.at[0]]);
        DLS_TRY(dls_rig_end(&rig));
    }
    return DLS_OK;
}
