/* ERP swept from 0 to beyond 1: the last body of a mechanism at rest, without gravity, is pushed out of its joint by so
 * little that all is linear, and its way back is looked at.
 *
 * C is the vector of all rows. Solved exactly, C+ = (1 - ERP) C under Baumgarte's feedback and split impulse, (1 -
 * ERP)^n in n small steps: the error passes zero from ERP = 1 on, and is back where it was, on the other side, at 2.
 * TGS over the step takes 1 - ERP/N in each of N iterations, and passes zero at ERP = N only; over the substep 1 - ERP,
 * like small steps. Sweeps that do not converge pass zero sooner: rows that pull at the same bodies each take their
 * whole share. */
#include "drift.h"

#include <math.h>
#include <string.h>

typedef struct sweep {
    dls_drift_lab *lab;
    const dls_drift_mechanism *mechanism;
    const dls_hold *hold;
    dls_model *model;
    const char *solver;
    size_t limit;
    dls_table *table;
} sweep;

typedef struct way_back {
    double first;     /* C after a step along C before it */
    double overshoot; /* largest -C along the first C, over it */
    double peak;      /* largest |C| from the first step on, over that of the push */
} way_back;

static double along(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void push(const dls_drift_settings *set, dls_state *state)
{
    static const dls_vec3 direction = {0.36, 0.48, 0.8};
    state->x[state->n_bodies - 1] = dls_add(state->x[state->n_bodies - 1], dls_scale(set->push, direction));
}

static dls_status go_back(const sweep *s, dls_hold_rig *rig, way_back *found, dls_error *error)
{
    double start[DLS_DRIFT_ROWS_MAX], C[DLS_DRIFT_ROWS_MAX];
    push(s->lab->settings, dls_simulation_edit(rig->simulation));
    size_t count = dls_hold_positions(dls_simulation_configuration(rig->simulation), start, NULL, DLS_DRIFT_ROWS_MAX);
    double norm = along(start, start, count);
    *found = (way_back){1.0, 0.0, 0.0};
    for (size_t k = 0; k < s->lab->settings->erp_steps; k++) {
        dls_status status = dls_hold_step(rig, 1.0 / (double)s->lab->settings->shown_rate, error);
        if (status == DLS_NOT_FINITE) {
            found->overshoot = found->peak = HUGE_VAL;
            return DLS_OK;
        }
        DLS_TRY(status);
        dls_hold_positions(dls_simulation_configuration(rig->simulation), C, NULL, DLS_DRIFT_ROWS_MAX);
        double part = along(C, start, count) / norm;
        found->first = k == 0 ? part : found->first;
        found->overshoot = fmax(found->overshoot, -part);
        found->peak = fmax(found->peak, sqrt(along(C, C, count) / norm));
    }
    return DLS_OK;
}

static dls_status try_erp(const sweep *s, double erp, way_back *found, dls_error *error)
{
    dls_hold_rig rig;
    dls_hold_rows rows = dls_drift_rows(s->lab->settings);
    rows.erp = erp;
    dls_status status = dls_hold_open(s->hold, s->model, &rows, s->solver, s->limit, false, &rig, error);
    if (status == DLS_OK)
        status = go_back(s, &rig, found, error);
    dls_hold_close(&rig);
    return status;
}

static void write_point(const sweep *s, bool reference, double erp, const way_back *found)
{
    dls_table_text(s->table, s->mechanism->name);
    dls_table_text(s->table, s->hold->name);
    dls_table_text(s->table, s->solver);
    dls_table_count(s->table, reference ? 0 : s->limit);
    dls_table_real(s->table, erp);
    dls_table_real(s->table, found->first);
    dls_table_real(s->table, found->overshoot);
    dls_table_real(s->table, found->peak);
    dls_table_end_row(s->table);
}

static dls_status bisect(const sweep *s, double low, double high, double *begins, dls_error *error)
{
    way_back found;
    while (high - low > 1e-6) {
        double middle = 0.5 * (low + high);
        DLS_TRY(try_erp(s, middle, &found, error));
        *(found.overshoot > s->lab->settings->noticed ? &high : &low) = middle;
    }
    *begins = high;
    return DLS_OK;
}

/* Where it begins: between the last ERP of the grid without an overshoot and the first with one. */
static dls_status sweep_erp(const sweep *s, bool reference, double *begins, dls_error *error)
{
    const dls_drift_settings *set = s->lab->settings;
    double before = 0.0;
    *begins = NAN;
    for (size_t k = 0; k < set->erp_points; k++) {
        way_back found;
        double erp = set->erp_last * (double)k / (double)(set->erp_points - 1);
        DLS_TRY(try_erp(s, erp, &found, error));
        write_point(s, reference, erp, &found);
        if (isnan(*begins) && found.overshoot > set->noticed)
            DLS_TRY(bisect(s, before, erp, begins, error));
        before = erp;
    }
    return DLS_OK;
}

static dls_status sweep_way(sweep *s, dls_drift_finding *found, dls_table *summary, dls_error *error)
{
    for (int few = 0; few < 2; few++) {
        double *begins = few ? &found->overshoot_few : &found->overshoot;
        dls_drift_solver(s->lab, s->hold, few ? s->lab->settings->shown_iterations : 0, &s->solver, &s->limit);
        DLS_TRY(sweep_erp(s, !few, begins, error));
        dls_table_text(summary, s->mechanism->name);
        dls_table_text(summary, s->hold->name);
        dls_table_text(summary, s->solver);
        dls_table_count(summary, few ? s->limit : 0);
        dls_table_real(summary, *begins);
        dls_table_end_row(summary);
    }
    return DLS_OK;
}

static dls_status sweep_mechanism(dls_drift_lab *lab, size_t m, dls_table *table, dls_table *summary, dls_error *error)
{
    const dls_drift_mechanism *mechanism = &dls_drift_mechanisms[m];
    sweep s = {.lab = lab, .mechanism = mechanism, .table = table};
    dls_status status = dls_drift_model(lab, mechanism, &s.model, error);
    if (status != DLS_OK)
        return status;
    s.model->world.gravity = (dls_vec3){0.0, 0.0, 0.0};
    for (size_t w = 0; dls_holds[w].name && status == DLS_OK; w++) {
        lab->found[m][w].overshoot = lab->found[m][w].overshoot_few = NAN;
        s.hold = &dls_holds[w];
        if (s.hold->by_erp)
            status = sweep_way(&s, &lab->found[m][w], summary, error);
    }
    dls_model_destroy(s.model);
    return status;
}

dls_status dls_drift_overshoot(dls_drift_lab *lab, dls_error *error)
{
    dls_table *table, *summary = NULL;
    DLS_TRY(dls_drift_table(lab, "drift.erp", "mechanism\tway\tsolver\titerations\terp\tfirst_step\tovershoot\tpeak",
                            &table, error));
    dls_status status = dls_drift_table(lab, "drift.erp.summary",
                                        "mechanism\tway\tsolver\titerations\tovershoot_from_erp", &summary, error);
    for (size_t m = 0; m < DLS_DRIFT_MECHANISMS && status == DLS_OK; m++) {
        dls_job_progress(lab->job, "ERP", 0.9 + 0.1 * (double)m / DLS_DRIFT_MECHANISMS);
        status = sweep_mechanism(lab, m, table, summary, error);
    }
    if (status == DLS_OK)
        status = dls_table_commit(table, error);
    else
        dls_table_abandon(table);
    if (status == DLS_OK)
        return dls_table_commit(summary, error);
    dls_table_abandon(summary);
    return status;
}
