/* Experiment: how far joints drift apart under every way to hold them, what that costs, and what it does to energy.
 *
 * A chain, a loop and a pair of very different masses fall, at time steps from 1/30 s to 1/1000 s, with exact solves
 * (orders in the step) and with a few sweeps from zero impulse (the trade-off that a game engine has).
 * Cost is counted in row-iterations, so tables and figures are the same each time; measured seconds stand in a table of
 * their own. An ERP beyond 1, which scenes may not ask for, is set here on purpose. temporal-coherence, Time Stepping;
 * ode-new-joints, ERP and CFM. The ways: hold.c. */
#include "drift.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

#define FIELD(key, unit, kind, member, fallback, min, max, help)                                                 \
    {                                                                                                            \
        key, unit, DLS_FIELD_##kind, offsetof(dls_drift_settings, member), fallback, min, max, false, NULL, help \
    }
static const dls_field fields[] = {
    FIELD("rates", "", NAME, rates, "30,60,120,250,500,1000", 0, 0, "steps a second, separated by commas"),
    FIELD("iterations", "", NAME, iterations, "4,16", 0, 0,
          "of PGS a step, from zero impulse; substeps of small "
          "steps; separated by commas"),
    FIELD("reference", "", NAME, reference, "block-pivoting", 0, 0, "direct method of the orders and of the ERP sweep"),
    FIELD("many", "", COUNT, many, "100", 1, 1e6, "iterations of PGS in its place where a way takes sweeps alone"),
    FIELD("substeps", "", COUNT, substeps, "4", 1, 1e4, "of small steps with the reference"),
    FIELD("duration", "s", REAL, duration, "0.5", 1e-3, 1e3, "of a run"),
    FIELD("mass_ratio", "", REAL, mass_ratio, "1000", 1, 1e9, "of the hinge pair, the lower body over the upper one"),
    FIELD("erp", "", REAL, erp, "0.2", 0, 1, "of every row that has one"),
    FIELD("frequency", "Hz", REAL, frequency, "30", 1e-3, 1e6, "of soft rows"),
    FIELD("damping_ratio", "", REAL, damping_ratio, "1", 0, 1e3, "of soft rows"),
    FIELD("fit_from", "", REAL, fit_from, "250", 1, 1e9, "steps a second from which on orders are fitted"),
    FIELD("shown_rate", "", COUNT, shown_rate, "250", 1, 1000000000,
          "steps a second whose errors over time are "
          "written"),
    FIELD("shown_iterations", "", COUNT, shown_iterations, "16", 1, 1e6, "of PGS, in figures and captions"),
    FIELD("erp_last", "", REAL, erp_last, "1.2", 0.1, 1.99, "where the sweep of ERP from 0 on ends"),
    FIELD("erp_points", "", COUNT, erp_points, "25", 2, 1000, "of that sweep"),
    FIELD("erp_steps", "", COUNT, erp_steps, "20", 1, 10000, "steps after the push"),
    FIELD("push", "m", REAL, push, "1e-6", 1e-9, 1e-2, "displacement of the last body, whose way back is looked at"),
    FIELD("noticed", "", REAL, noticed, "1e-3", 1e-9, 1, "of the first error on the other side of zero: an overshoot"),
};
const dls_field_table dls_drift_fields = DLS_FIELD_TABLE(fields, dls_drift_settings);

const dls_drift_mechanism dls_drift_mechanisms[] = {
    {"chain", "chain-10", false, "a chain of 10 balls, the last one 100 times as heavy as the others"},
    {"four-bar", "four-bar", false, "a four-bar loop of hinges, whose rows are redundant"},
    {"hinge-pair", "hinge-pair", true, "two bars on hinges, the lower one much heavier"},
};

/* --- settings --- */

static dls_status read_counts(const char *text, const char *key, size_t *counts, size_t *n, dls_error *error)
{
    *n = 0;
    for (const char *from = text; *from;) {
        char *end;
        unsigned long count = strtoul(from, &end, 10);
        bool number = end != from && (!*end || *end == ',') && *from != '-';
        if (!number || count < 1 || count > 1000000 || *n == DLS_DRIFT_LIST_MAX)
            return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, key,
                               "must be 1 to %d numbers from 1 to 1000000, "
                               "separated by commas",
                               (int)DLS_DRIFT_LIST_MAX);
        counts[(*n)++] = count;
        from = end + (*end == ',');
    }
    return *n ? DLS_OK : dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, key, "must be at least one number");
}

dls_status dls_drift_prepare(dls_drift_lab *lab, dls_error *error)
{
    DLS_TRY(read_counts(lab->settings->rates, "rates", lab->rates, &lab->n_rates, error));
    return read_counts(lab->settings->iterations, "iterations", lab->iterations, &lab->n_iterations, error);
}

void dls_drift_solver(const dls_drift_lab *lab, const dls_hold *hold, size_t iterations, const char **solver,
                      size_t *limit)
{
    const dls_drift_settings *set = lab->settings;
    bool direct = iterations == 0 && !hold->sweeps_only;
    *solver = direct ? set->reference : "pgs";
    *limit = direct ? set->substeps : iterations ? iterations : set->many; /* a direct method needs it for substeps */
}

dls_hold_rows dls_drift_rows(const dls_drift_settings *settings)
{
    return (dls_hold_rows){settings->erp, settings->frequency, settings->damping_ratio};
}

dls_status dls_drift_table(const dls_drift_lab *lab, const char *stem, const char *columns, dls_table **table,
                           dls_error *error)
{
    DLS_TRY(dls_job_table(lab->job, stem, table, error));
    dls_table_note_fields(*table, "", &lab->fields, lab->settings);
    dls_table_note(*table, "ways",
                   "every scheme of that name with its defaults; soft: every row a spring by frequency "
                   "and damping_ratio");
    dls_table_columns(*table, columns);
    return DLS_OK;
}

double dls_drift_order(const double *step, const double *error, size_t count)
{
    double x[DLS_DRIFT_LIST_MAX], y[DLS_DRIFT_LIST_MAX], start, order, cov[3], sum;
    for (size_t i = 0; i < count; i++) {
        if (!(error[i] > 0.0) || !isfinite(error[i]))
            return NAN;
        x[i] = log(step[i]), y[i] = log(error[i]);
    }
    if (count < 3)
        return NAN;
    gsl_fit_linear(x, 1, y, 1, count, &start, &order, &cov[0], &cov[1], &cov[2], &sum);
    return order;
}

dls_status dls_drift_model(const dls_drift_lab *lab, const dls_drift_mechanism *mechanism, dls_model **model,
                           dls_error *error)
{
    DLS_TRY(dls_hold_model(mechanism->scene, mechanism->ratio ? lab->settings->mass_ratio : 0.0, model, error));
    dls_configuration *at;
    dls_status status = dls_configuration_create(*model, &at, error);
    if (status != DLS_OK) {
        dls_model_destroy(*model);
        *model = NULL;
        return status;
    }
    dls_configuration_evaluate(at, (*model)->initial);
    size_t rows = dls_hold_positions(at, NULL, NULL, 0), bodies = (*model)->n_bodies;
    dls_configuration_destroy(at);
    if (bodies >= 2 && rows >= 1 && rows <= DLS_DRIFT_ROWS_MAX)
        return DLS_OK;
    dls_model_destroy(*model);
    *model = NULL;
    return dls_fail(error, DLS_REFUSED, "scene %s has %zu bodies and %zu rows; drift needs at least 2, and 1 to %d",
                    mechanism->scene, bodies, rows, (int)DLS_DRIFT_ROWS_MAX);
}

/* --- the experiment --- */

static dls_status run(const dls_job *job, const void *settings, dls_error *error)
{
    dls_drift_lab lab = {.job = job, .settings = settings, .fields = dls_drift_fields};
    DLS_TRY(dls_drift_prepare(&lab, error));
    DLS_TRY(dls_drift_runs(&lab, error));
    DLS_TRY(dls_drift_overshoot(&lab, error));
    return dls_drift_figures(&lab, error);
}

const dls_experiment dls_experiment_drift = {
    .name = "drift",
    .summary = "joint error, energy and cost of every way to hold a constraint, over the time step; ERP swept beyond 1",
    .fields = DLS_FIELD_TABLE(fields, dls_drift_settings),
    .run = run,
};
