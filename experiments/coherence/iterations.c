/* How many iterations of PGS a step needs, from nothing and from the impulses of the step before, over the time of a
 * run. */
#include "coherence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double dls_coherence_targets[DLS_COHERENCE_TARGETS] = {3e-2, 1e-2, 1e-3};

/* Residuals are looked at after every iteration at first, then every 3 % of them. */
static bool is_look(size_t k) { return k <= 32 || k * 33 / 32 != (k - 1) * 33 / 32; }

static void note_reached(double residual, size_t k, size_t counts[DLS_COHERENCE_TARGETS])
{
    for (int t = 0; t < DLS_COHERENCE_TARGETS; t++)
        if (residual <= dls_coherence_targets[t] && counts[t] == SIZE_MAX)
            counts[t] = k;
}

static dls_status iterate(const dls_coherence_machine *m, void *work, dls_examiner *examiner, double *lambda,
                          size_t limit, size_t counts[DLS_COHERENCE_TARGETS], dls_error *error)
{
    dls_report report = {.outcome = DLS_OUTCOME_RUNNING};
    dls_certificate certificate;
    for (size_t k = 0; k <= limit && counts[DLS_COHERENCE_TARGETS - 1] == SIZE_MAX; k++) {
        if (k > 0)
            DLS_TRY(m->choice.solver->iterate(work, &report, error));
        if (!is_look(k))
            continue;
        m->choice.solver->read(work, lambda);
        dls_examine(examiner, lambda, NULL, &certificate);
        note_reached(certificate.scaled_residual, k, counts);
    }
    dls_report_release(&report);
    return DLS_OK;
}

dls_status dls_coherence_count(const dls_coherence_machine *m, const double *lambda0, size_t limit,
                               size_t counts[DLS_COHERENCE_TARGETS], dls_error *error)
{
    const dls_problem *problem = dls_simulation_problem(m->simulation);
    dls_examiner *examiner = NULL;
    void *work = NULL;
    double *lambda = calloc(problem->n + 1, sizeof *lambda);
    for (int t = 0; t < DLS_COHERENCE_TARGETS; t++)
        counts[t] = SIZE_MAX;
    dls_status status = lambda ? dls_examiner_create(problem, &examiner, error)
                               : dls_fail(error, DLS_NO_MEMORY, "no memory for impulses");
    if (status == DLS_OK)
        status = m->choice.solver->open(problem, m->choice.settings, lambda0, &work, error);
    if (status == DLS_OK)
        status = iterate(m, work, examiner, lambda, limit, counts, error);
    m->choice.solver->close(work);
    dls_examiner_destroy(examiner);
    free(lambda);
    return status;
}

/* --- over a run --- */

static double real_count(size_t count) { return count == SIZE_MAX ? NAN : (double)count; }

static void write_counts(dls_table *table, const char *pile, bool warm, const dls_coherence_machine *m, double residual,
                         const size_t *counts)
{
    dls_table_text(table, pile);
    dls_table_text(table, warm ? "warm" : "cold");
    dls_table_real(table, dls_simulation_state(m->simulation)->time);
    dls_table_count(table, dls_simulation_problem(m->simulation)->n);
    dls_table_real(table, residual);
    for (int t = 0; t < DLS_COHERENCE_TARGETS; t++)
        dls_table_real(table, real_count(counts[t]));
    dls_table_end_row(table);
}

static void note_count(const dls_coherence_lab *lab, const char *pile, int warm, size_t count)
{
    int which = strcmp(pile, "wall") == 0;
    bool reached = count != SIZE_MAX;
    lab->found->mean[which][warm] += (double)(reached ? count : lab->settings->limit);
    lab->found->unreached[which][warm] += !reached;
}

/* The step's problem, as its scheme has it, from 0 and from what the step began with. */
static dls_status count_both(const dls_coherence_lab *lab, const char *pile, const dls_coherence_machine *m,
                             const double *const start[2], dls_table *table, dls_error *error)
{
    for (int warm = 0; warm < 2; warm++) {
        size_t counts[DLS_COHERENCE_TARGETS];
        double residual;
        DLS_TRY(dls_coherence_residual(m, start[warm], &residual, error));
        DLS_TRY(dls_coherence_count(m, start[warm], lab->settings->limit, counts, error));
        note_count(lab, pile, warm, counts[1]);
        write_counts(table, pile, warm, m, residual, counts);
    }
    return DLS_OK;
}

/* Takes a step, and looks at it. */
static dls_status sample(const dls_coherence_lab *lab, const char *pile, dls_coherence_machine *m, dls_table *table,
                         dls_error *error)
{
    DLS_TRY(dls_stage_linearise(m->simulation, m->step, error));
    size_t n = dls_simulation_problem(m->simulation)->n;
    double *start = calloc(2 * n + 1, sizeof *start);
    if (!start)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu impulses", n);
    memcpy(start + n, dls_simulation_impulses(m->simulation), n * sizeof *start);
    const double *const both[2] = {start, start + n};
    dls_status status = dls_coherence_step(m, error);
    if (status == DLS_OK)
        status = count_both(lab, pile, m, both, table, error);
    free(start);
    return status;
}

static dls_status run_pile(const dls_coherence_lab *lab, const char *pile, dls_model *model,
                           const dls_coherence_way *way, dls_table *table, dls_error *error)
{
    size_t steps = (size_t)ceil(lab->settings->duration / way->step - 1e-9);
    size_t every = lab->settings->samples < steps ? steps / lab->settings->samples : 1, looks = 0;
    dls_coherence_machine m;
    DLS_TRY(dls_coherence_open(model, way, &m, error));
    dls_status status = DLS_OK;
    for (size_t k = 0; k < steps && status == DLS_OK; k++) {
        bool look = k % every == every / 2;
        looks += look;
        status = look ? sample(lab, pile, &m, table, error) : dls_coherence_step(&m, error);
    }
    for (int warm = 0; warm < 2; warm++)
        lab->found->mean[strcmp(pile, "wall") == 0][warm] /= (double)looks;
    dls_coherence_close(&m);
    return status;
}

static dls_status run_piles(const dls_coherence_lab *lab, dls_table *table, dls_error *error)
{
    const dls_coherence_settings *s = lab->settings;
    const char *scheme = dls_coherence_holding_scheme();
    const dls_coherence_way stack = {scheme, NULL, NULL, s->drive, s->step, true};
    const dls_coherence_way wall = {scheme, NULL, NULL, s->iterations, s->wall_step, true};
    dls_model *model;
    dls_job_progress(lab->job, "iterations", 0.6);
    DLS_TRY(dls_coherence_stack(DLS_COHERENCE_STACK_MARGIN, &model, error));
    DLS_TRY(run_pile(lab, "stack", model, &stack, table, error));
    dls_job_progress(lab->job, "iterations", 0.7);
    DLS_TRY(dls_coherence_wall(DLS_COHERENCE_WALL_MARGIN, &model, error));
    return run_pile(lab, "wall", model, &wall, table, error);
}

dls_status dls_coherence_iterations(const dls_coherence_lab *lab, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_coherence_table(
        lab, "coherence.iterations",
        "pile\tstart\ttime[s]\trows\tresidual_at_start\titerations_to_3e-2\titerations_to_1e-2\titerations_to_1e-3",
        &table, error));
    return dls_coherence_finish(table, run_piles(lab, table, error), error);
}
