/* ERP from 0 to beyond 1: in a mechanism at rest, without gravity, the last body is displaced in its joint by so little
 * that the motion is linear, and its return is measured.
 *
 * C is the vector of all rows. With exact solves C+ = (1 - ERP) C under Baumgarte's feedback and split impulse, and
 * (1 - ERP)^n in n small steps: the error changes its sign for ERP > 1, and has the same size with the other sign at
 * ERP = 2. TGS with the time base of the step has the factor 1 - ERP/N in each of N iterations, and changes the sign
 * only for ERP > N; with that of the substep the factor is 1 - ERP, as in small steps. Sweeps that do not converge
 * overshoot earlier: each of several rows on the same bodies makes its full correction.
 */
#include "drift/parts.h"

#include <math.h>

typedef struct trial {
    const dls_study *study;
    dls_drift_run run;
    double first;     /* C after a step along C before it */
    double overshoot; /* largest -C along the first C, over it */
    double peak;      /* largest |C| from the first step on, over that of the push */
} trial;

static double along(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static dls_status go_back(trial *t, dls_rig *rig, dls_error *error)
{
    const dls_drift_settings *set = t->study->settings;
    double start[DLS_DRIFT_ROWS_MAX], C[DLS_DRIFT_ROWS_MAX];
    dls_state *state = dls_simulation_edit(rig->simulation);
    state->x[state->n_bodies - 1] =
        dls_add(state->x[state->n_bodies - 1], dls_scale(set->push, dls_v3(0.36, 0.48, 0.8)));
    size_t count = dls_position_errors(dls_rig_at(rig), start, NULL, DLS_DRIFT_ROWS_MAX);
    double norm = along(start, start, count);
    t->first = 1.0, t->overshoot = t->peak = 0.0;
    for (size_t k = 0; k < set->erp_steps; k++) {
        DLS_TRY(dls_rig_step(rig, 1.0 / (double)set->shown_rate, error));
        if (rig->failed) {
            t->overshoot = t->peak = HUGE_VAL;
            return DLS_OK;
        }
        dls_position_errors(dls_rig_at(rig), C, NULL, DLS_DRIFT_ROWS_MAX);
        double part = along(C, start, count) / norm;
        t->first = k == 0 ? part : t->first;
        t->overshoot = fmax(t->overshoot, -part);
        t->peak = fmax(t->peak, sqrt(along(C, C, count) / norm));
    }
    return DLS_OK;
}

static dls_status overshoots(void *context, double erp, bool *so, dls_error *error)
{
    trial *t = context;
    const dls_drift_settings *set = t->study->settings;
    dls_rig rig;
    t->run.erp = erp;
    DLS_TRY(dls_drift_open(t->study, &t->run, &rig, error));
    dls_status status = go_back(t, &rig, error);
    dls_rig_close(&rig);
    *so = t->overshoot > set->noticed;
    return status;
}

/* One method with one solver. `begins`: between the last ERP of the grid without an overshoot and the first with one.
 */
static dls_status sweep(trial *t, double *begins, dls_error *error)
{
    const dls_drift_settings *set = t->study->settings;
    double before = 0.0;
    *begins = NAN;
    for (size_t k = 0; k < set->erp_points; k++) {
        double erp = set->erp_last * (double)k / (double)(set->erp_points - 1), found = erp;
        bool so;
        DLS_TRY(overshoots(t, erp, &so, error));
        dls_table_row(t->study->tables[DLS_DRIFT_ERP], "%s %s %s %zu %g %g %g %g", t->run.mechanism->name,
                      t->run.method->name, dls_drift_solver(t->study, &t->run), t->run.iterations, erp, t->first,
                      t->overshoot, t->peak);
        if (so && isnan(*begins)) {
            if (k > 0)
                DLS_TRY(dls_bisect(overshoots, t, &before, &found, 1e-6, error));
            *begins = found;
        }
        before = erp;
    }
    return DLS_OK;
}

dls_status dls_drift_overshoot(dls_study *study, dls_error *error)
{
    const dls_drift_settings *set = study->settings;
    dls_drift_findings *f = study->found;
    for (dls_grid g = DLS_GRID(DLS_DRIFT_MECHANISMS, DLS_METHODS, 2); dls_study_next(study, &g);) {
        dls_drift_finding *of = &f->of[g.at[0]][g.at[1]];
        double *begins = g.at[2] ? &of->overshoot_few : &of->overshoot;
        trial t = {.study = study,
                   .run = {.mechanism = &dls_drift_mechanisms[g.at[0]],
                           .method = &dls_methods[g.at[1]],
                           .iterations = g.at[2] ? set->shown_iterations : 0,
                           .weightless = true}};
        *begins = NAN;
        if (!t.run.method->by_erp)
            continue;
        DLS_TRY(sweep(&t, begins, error));
        dls_table_row(study->tables[DLS_DRIFT_ERP_SUMMARY], "%s %s %s %zu %g", t.run.mechanism->name,
                      t.run.method->name, dls_drift_solver(study, &t.run), t.run.iterations, *begins);
    }
    return DLS_OK;
}
