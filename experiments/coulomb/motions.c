/* The scenes in motion under schemes, over a ladder of steps: the distance from the truth at the end, and a certificate
 * of every step.
 *
 * A step's impulses are the reference solution of its problem. */
#include "coulomb/parts.h"

#include <math.h>

static dls_status run_case(dls_study *study, const dls_coulomb_case *c, const dls_coulomb_truth *truth,
                           const char *method, double h, dls_error *error)
{
    dls_coulomb_findings *f = study->found;
    dls_certified_record record = {0};
    const dls_certified certified = {NULL, 1e-13, 0, &record};
    const dls_rig_plan plan = {
        .method = method, .with = {&dls_solver_certified, (void *)&certified, NULL}, .iterations = 1, .diverges = true};
    dls_scene *scene;
    dls_rig rig;
    dls_coulomb_tally t = {0};
    const size_t steps = dls_step_count(c->duration, h);
    DLS_TRY(c->scene(c, &scene, error));
    DLS_TRY(dls_rig_open(&rig, scene, &plan, error));
    while (dls_rig_next(&rig, c->duration / (double)steps, steps))
        rig.status = dls_coulomb_certify(&rig, &t, error);
    if (rig.status == DLS_OK) {
        const dls_coulomb_truth at = dls_coulomb_state(rig.model, dls_rig_state(&rig));
        const double off = dls_norm(dls_sub(at.x, truth->x));
        dls_table_row(study->tables[DLS_COULOMB_MOTIONS], "%s %g %g %g %s %g %g %g %g %g %g %zu %zu %g %g %g", c->name,
                      c->mu, c->turn, c->duration, method, h, truth->x.x, at.x.x, off,
                      dls_norm(dls_sub(at.v, truth->v)), dls_norm(dls_sub(at.omega, truth->omega)), t.steps,
                      t.certified, t.b_off, t.mu_off, t.radius);
        f->steps += t.steps, f->certified += t.certified;
    }
    return dls_rig_end(&rig);
}

dls_status dls_coulomb_motions(dls_study *study, dls_error *error)
{
    const dls_coulomb_settings *set = study->settings;
    size_t cases = 0;
    while (dls_coulomb_cases[cases].name)
        cases++;
    for (dls_grid g = DLS_GRID(cases, set->methods.count, set->steps.count); dls_study_next(study, &g);) {
        const dls_coulomb_case *c = &dls_coulomb_cases[g.at[0]];
        dls_coulomb_truth truth;
        DLS_TRY(c->truth(c, &truth, error));
        DLS_TRY(run_case(study, c, &truth, set->methods.names[g.at[1]], set->steps.reals[g.at[2]], error));
    }
    return DLS_OK;
}
