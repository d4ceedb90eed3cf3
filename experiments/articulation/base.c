/* A fixed base against a floating base that a fixed joint with six rows holds. With exact solves the base has no
 * velocity and both move in the same way; the remaining error of sweeps moves the base, and each step begins from
 * there.
 */
#include "parts.h"

#include <math.h>

static dls_status open_based(const dls_study *study, double base, double erp, dls_model **model, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    const dls_reduced_chain chain = {.links = set->links, .ratio = 1.0, .base = base};
    return dls_reduced_chain_model(&chain, DLS_REDUCED, erp, model, error);
}

/* Both step by step. `slip`: of the base; `apart`: of a rod on one base to the same on the other. [m] */
static dls_status measure_base(dls_study *study, const dls_model *fixed, const dls_model *held, size_t iterations,
                               double *slip, double *apart, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_reduced_findings *f = study->found;
    dls_certified certified = {.good_enough = 1e-12, .record = &f->record};
    const dls_rig_plan none = {.iterations = 1};
    dls_rig_plan plan = {.iterations = iterations ? iterations : 1};
    dls_rig on_fixed, on_held;
    if (iterations == 0)
        plan.with = (dls_choice){&dls_solver_certified, &certified, NULL};
    *slip = *apart = 0.0;
    DLS_TRY(dls_rig_open_model(&on_fixed, fixed, &none, error));
    dls_status status = dls_rig_open_model(&on_held, held, &plan, error);
    if (status != DLS_OK) {
        dls_rig_close(&on_fixed);
        return status;
    }
    const size_t steps = dls_step_count(set->duration, set->step);
    while (dls_rig_next(&on_fixed, set->step, steps) && dls_rig_next(&on_held, set->step, steps)) {
        *slip = fmax(*slip, dls_norm(dls_configuration_end(dls_rig_at(&on_held), 0).x));
        for (size_t i = 0; i < set->links; i++)
            *apart = fmax(*apart, dls_norm(dls_sub(dls_reduced_solid(dls_rig_at(&on_fixed), i).x,
                                                   dls_reduced_solid(dls_rig_at(&on_held), i).x)));
    }
    status = dls_rig_end(&on_fixed);
    dls_status second = dls_rig_end(&on_held);
    return status == DLS_OK ? second : status;
}

static dls_status run_base(dls_study *study, const dls_model *fixed, double base, size_t e, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    dls_reduced_findings *f = study->found;
    dls_comparisons found = {.of = NULL};
    double rate = NAN;
    dls_model *held;
    DLS_TRY(open_based(study, base, set->erps.reals[e], &held, error));
    dls_status status = dls_reduced_compare(study, held, &found, error);
    if (status == DLS_OK)
        rate = found.of->spectral_radius;
    dls_comparisons_release(&found);
    for (size_t k = 0; k <= set->few.count && status == DLS_OK; k++) {
        const size_t iterations = k ? set->few.counts[k - 1] : 0;
        double slip, apart;
        status = measure_base(study, fixed, held, iterations, &slip, &apart, error);
        dls_table_row(study->tables[DLS_REDUCED_BASES], "%g %g %zu %g %g %g", base, set->erps.reals[e], iterations,
                      slip, apart, rate);
        if (k == 0)
            f->held_apart = fmax(f->held_apart, apart);
    }
    dls_model_destroy(held);
    return status;
}

dls_status dls_reduced_base(dls_study *study, dls_error *error)
{
    const dls_reduced_settings *set = study->settings;
    for (dls_grid g = DLS_GRID(set->bases.count, set->erps.count); dls_study_next(study, &g);) {
        dls_model *fixed;
        DLS_TRY(open_based(study, 0.0, 0.0, &fixed, error));
        dls_status status = run_base(study, fixed, set->bases.reals[g.at[0]], g.at[1], error);
        dls_model_destroy(fixed);
        DLS_TRY(status);
    }
    return DLS_OK;
}
