/* The error of trajectories over the step, against exact ones (reference/trajectory).
 *
 * Exact trajectories are evaluated every 1/60 s for a second; the steps are 1/60 s, repeatedly halved, so that every
 * evaluation is at the end of a step. The error is the largest difference of a coordinate at any of these times. Its
 * order is fitted at the smallest steps, which are short relative to the time constant of the drive, about 5 ms.
 *
 * LIMITS close at a speed. Sweeps that leave the share s of such an impact unsolved give the mechanism a velocity that
 * is wrong by this share of the jump, whatever the step is: the error does not vanish with the step, as it does
 * without impacts, where what they leave is a share of h times a force.
 */
#include "mimic/parts.h"

#include <math.h>

enum { LOOKS = 60, HALVINGS = 7, FITTED = 4 };

static const struct {
    size_t mechanism;
    size_t actuation;
} cases[DLS_MIMIC_EXACT_CASES] = {{DLS_MIMIC_SERIES_05, DLS_MIMIC_ALONE},
                                  {DLS_MIMIC_CHAIN, DLS_MIMIC_ALONE},
                                  {DLS_MIMIC_SERIES_05, DLS_MIMIC_DRIVE},
                                  {DLS_MIMIC_SERIES_05, DLS_MIMIC_LIMIT},
                                  {DLS_MIMIC_SERIES_05, DLS_MIMIC_DRIVE_LIMIT}};

/* Released by the caller in every case. */
static dls_status exact_path(const dls_model *model, dls_mimic_path *path, dls_error *error)
{
    dls_trajectory_settings settings = dls_trajectory_default();
    dls_trajectory *exact = NULL;
    dls_state *state = NULL;
    dls_configuration *at = NULL;
    settings.events = true;
    DLS_TRY(dls_mimic_path_create(model, LOOKS + 1, path, error));
    dls_status status = dls_state_create(model, &state, error);
    if (status == DLS_OK)
        status = dls_configuration_create(model, &at, error);
    if (status == DLS_OK)
        status = dls_trajectory_create(model, state, &settings, &exact, error);
    for (size_t k = 0; k <= LOOKS && status == DLS_OK; k++) {
        if (k > 0)
            status = dls_trajectory_advance(exact, (double)k / LOOKS, state, error);
        dls_configuration_evaluate(at, state);
        dls_mimic_path_record(at, state, path, k);
    }
    dls_configuration_destroy(at);
    dls_trajectory_destroy(exact);
    dls_state_destroy(state);
    return status;
}

static double largest_difference(const dls_mimic_path *exact, const dls_mimic_path *path, size_t steps_per_sample)
{
    double worst = 0.0;
    if (path->count <= LOOKS * steps_per_sample)
        return HUGE_VAL; /* it left the finite numbers */
    for (size_t k = 1; k < exact->count; k++)
        for (size_t i = 0; i + 2 < exact->width; i++)
            worst =
                fmax(worst, fabs(dls_mimic_path_at(exact, k)[i] - dls_mimic_path_at(path, k * steps_per_sample)[i]));
    return worst;
}

static dls_status measure_exact(dls_study *study, size_t c, dls_mimic_way way, const dls_model *model,
                                const dls_mimic_path *exact, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    dls_mimic_findings *f = study->found;
    const size_t N = dls_mimic_middle(set, way);
    double step[HALVINGS], errors[HALVINGS];
    for (size_t k = 0, steps = 1; k < HALVINGS; k++, steps *= 2) {
        const dls_mimic_run run = {way, N, 1.0 / (double)(LOOKS * steps), 1.0};
        dls_mimic_result result;
        dls_mimic_path path;
        DLS_TRY(dls_mimic_measure(model, &run, NULL, &path, &result, error));
        step[k] = run.step;
        errors[k] = largest_difference(exact, &path, steps);
        dls_mimic_path_release(&path);
        dls_table_row(study->tables[DLS_MIMIC_EXACT], "%s %s %s %zu %g %g",
                      dls_mimic_mechanisms[cases[c].mechanism].name, dls_mimic_actuations[cases[c].actuation].name,
                      dls_mimic_way_names[way], N, run.step, errors[k]);
    }
    f->slope[c][way] = dls_fit_order(step + HALVINGS - FITTED, errors + HALVINGS - FITTED, FITTED);
    f->finest[c][way] = errors[HALVINGS - 1];
    return DLS_OK;
}

dls_status dls_mimic_exact(dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    dls_mimic_findings *f = study->found;
    dls_model *model = NULL;
    dls_mimic_path exact = {0, 0, NULL};
    dls_status status = DLS_OK;
    for (dls_grid g = DLS_GRID(DLS_MIMIC_EXACT_CASES, DLS_MIMIC_WAYS); status == DLS_OK && dls_study_next(study, &g);) {
        const dls_mimic_setup setup = {
            .mechanism = cases[g.at[0]].mechanism, .actuation = cases[g.at[0]].actuation, .erp = set->erp};
        f->slope[g.at[0]][g.at[1]] = f->finest[g.at[0]][g.at[1]] = NAN;
        if (!f->wanted[setup.mechanism])
            continue;
        if (g.at[1] == 0) {
            dls_mimic_path_release(&exact);
            dls_model_destroy(model);
            status = dls_mimic_model(&setup, &model, error);
            if (status == DLS_OK)
                status = exact_path(model, &exact, error);
        }
        if (status == DLS_OK)
            status = measure_exact(study, g.at[0], (dls_mimic_way)g.at[1], model, &exact, error);
    }
    dls_mimic_path_release(&exact);
    dls_model_destroy(model);
    return status;
}
