/* The error of trajectories over the step, against exact ones (reference/exact.c).
 *
 * Exact trajectories are looked at every 1/60 s for a second; the steps are 1/60 s, halved again and again, so that
 * every look falls on the end of a step. The error is the largest difference of a coordinate at any look. Its order is
 * the slope of log(error) over log(step) at the smallest steps, which are short against the time constant of the drive,
 * about 5 ms.
 */
#include "mimic.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 60, HALVINGS = 7, FITTED = 4 };

const dls_mimic_case dls_mimic_exact_cases[DLS_MIMIC_EXACT_CASES] = {
    {"series+0.5", "alone"}, {"chain", "alone"}, {"series+0.5", "drive"}};

static dls_status advance(dls_configuration *at, dls_exact *exact, dls_state *state, dls_mimic_path *path,
                          dls_error *error)
{
    dls_configuration_evaluate(at, state);
    dls_mimic_look(at, state, path->at);
    for (size_t k = 1; k < path->count; k++) {
        DLS_TRY(dls_exact_advance(exact, (double)k / LOOKS, state, error));
        dls_configuration_evaluate(at, state);
        dls_mimic_look(at, state, path->at + k * path->width);
    }
    return DLS_OK;
}

/* Released by the caller in every case. */
static dls_status exact_path(const dls_model *model, dls_mimic_path *path, dls_error *error)
{
    dls_exact *exact = NULL;
    dls_state *state = NULL;
    dls_configuration *at = NULL;
    *path = (dls_mimic_path){.count = LOOKS + 1, .width = dls_mimic_coordinates(model) + 2};
    path->at = calloc(path->count, path->width * sizeof *path->at);
    dls_status status = path->at ? dls_state_create(model, &state, error)
                                 : dls_fail(error, DLS_NO_MEMORY, "no memory for a path of %zu looks", path->count);
    if (status == DLS_OK)
        status = dls_exact_create(model, model->initial, NULL, &exact, error);
    if (status == DLS_OK)
        status = dls_configuration_create(model, &at, error);
    if (status == DLS_OK)
        status = advance(at, exact, state, path, error);
    dls_configuration_destroy(at);
    dls_exact_destroy(exact);
    dls_state_destroy(state);
    return status;
}

static double largest_difference(const dls_mimic_path *exact, const dls_mimic_path *path, size_t steps_a_look)
{
    double worst = 0.0;
    if (path->count <= LOOKS * steps_a_look)
        return HUGE_VAL; /* it left the finite numbers */
    for (size_t k = 1; k < exact->count; k++)
        for (size_t i = 0; i + 2 < exact->width; i++)
            worst = fmax(worst, fabs(dls_mimic_path_at(exact, k)[i] - dls_mimic_path_at(path, k * steps_a_look)[i]));
    return worst;
}

/* Least squares of log2(error) over the number of halvings, FITTED last points; minus its slope is the order. */
static double fit_order(const double *error)
{
    double halvings[FITTED], y[FITTED], start, slope, cov[3], sum;
    for (int i = 0; i < FITTED; i++)
        halvings[i] = i, y[i] = log2(error[HALVINGS - FITTED + i]);
    gsl_fit_linear(halvings, 1, y, 1, FITTED, &start, &slope, &cov[0], &cov[1], &cov[2], &sum);
    return -slope;
}

static dls_status measure(const dls_mimic_lab *lab, const dls_model *model, const dls_mimic_case *c, dls_mimic_way way,
                          const dls_mimic_path *exact, dls_table *table, double *errors, dls_error *error)
{
    size_t N = way == DLS_MIMIC_DENSE ? 0 : dls_mimic_middle(lab);
    for (size_t k = 0, steps = 1; k < HALVINGS; k++, steps *= 2) {
        const dls_mimic_run run = {way, N, 1.0 / (double)(LOOKS * steps), 1.0};
        dls_mimic_result result;
        dls_mimic_path path;
        DLS_TRY(dls_mimic_measure(model, &run, NULL, &path, &result, error));
        errors[k] = largest_difference(exact, &path, steps);
        dls_mimic_path_release(&path);
        dls_table_text(table, c->mechanism);
        dls_table_text(table, c->rival);
        dls_table_text(table, dls_mimic_way_names[way]);
        dls_table_count(table, N);
        dls_table_real(table, run.step);
        dls_table_real(table, errors[k]);
        dls_table_end_row(table);
    }
    return DLS_OK;
}

static dls_status measure_case(const dls_mimic_lab *lab, const dls_mimic_case *c, dls_table *table, double *slope,
                               double *finest, dls_error *error)
{
    const dls_mimic_rival *rival = dls_mimic_rivals;
    double errors[HALVINGS];
    dls_mimic_path exact;
    dls_model *model;
    while (strcmp(rival->name, c->rival) != 0)
        rival++;
    const dls_mimic_setup setup = {
        .mechanism = dls_mimic_find(c->mechanism), .rival = rival, .erp = lab->settings->erp};
    DLS_TRY(dls_mimic_model(&setup, &model, error));
    dls_status status = exact_path(model, &exact, error);
    for (dls_mimic_way way = 0; way < DLS_MIMIC_WAYS && status == DLS_OK; way++) {
        status = measure(lab, model, c, way, &exact, table, errors, error);
        slope[way] = fit_order(errors);
        finest[way] = errors[HALVINGS - 1];
    }
    dls_mimic_path_release(&exact);
    dls_model_destroy(model);
    return status;
}

dls_status dls_mimic_exact(const dls_mimic_lab *lab, dls_mimic_findings *found, dls_error *error)
{
    dls_table *table;
    dls_status status = DLS_OK;
    DLS_TRY(dls_mimic_table(lab, "mimic.exact", "mechanism\trival\tscheme\titerations\tstep[s]\terror[rad]", &table,
                            error));
    for (int k = 0; k < DLS_MIMIC_EXACT_CASES; k++) {
        const dls_mimic_case *c = &dls_mimic_exact_cases[k];
        for (int way = 0; way < DLS_MIMIC_WAYS; way++)
            found->slope[k][way] = found->finest[k][way] = NAN;
        if (status == DLS_OK && dls_mimic_wanted(lab, dls_mimic_find(c->mechanism)))
            status = measure_case(lab, c, table, found->slope[k], found->finest[k], error);
    }
    return dls_mimic_finish(table, status, error);
}
