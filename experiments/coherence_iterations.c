/* How many iterations of PGS a step needs, from nothing and from the impulses of the step before, over the time of a run. */
#include "coherence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double dls_coherence_targets[DLS_COHERENCE_TARGETS] = {1e-2, 1e-3, 1e-4};

/* Residuals are looked at after every iteration at first, then every 3 % of them. */
static bool is_look(size_t k) { return k <= 32 || k * 33 / 32 != (k - 1) * 33 / 32; }

static void note_reached(double residual, size_t k, size_t counts[DLS_COHERENCE_TARGETS])
{
    for (int t = 0; t < DLS_COHERENCE_TARGETS; t++)
        if (residual <= dls_coherence_targets[t] && counts[t] == SIZE_MAX)
            counts[t] = k;
}

static dls_status iterate(const dls_coherence_machine *m, void *work, dls_examiner *examiner, double *lambda, size_t limit,
                          size_t counts[DLS_COHERENCE_TARGETS], dls_error *error)
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

dls_status dls_coherence_count(const dls_coherence_machine *m, const double *lambda0, size_t limit, size_t counts[DLS_COHERENCE_TARGETS],
                               dls_error *error)
{
    const dls_problem *problem = m->stepper->problem;
    dls_examiner *examiner = NULL;
    void *work = NULL;
    double *lambda = calloc(problem->n + 1, sizeof *lambda);
    for (int t = 0; t < DLS_COHERENCE_TARGETS; t++)
        counts[t] = SIZE_MAX;
    dls_status status = lambda ? dls_examiner_create(problem, &examiner, error) : dls_fail(error, DLS_NO_MEMORY, "no memory for impulses");
    if (status == DLS_OK)
        status = m->choice.solver->open(problem, m->choice.settings, lambda0, &work, error);
    if (status == DLS_OK)
        status = iterate(m, work, examiner, lambda, limit, counts, error);
    m->choice.solver->close(work);
    dls_examiner_destroy(examiner);
    free(lambda);
    return status;
}

/* --- over a run -------------------------------------------------------------------------------------------------- */

static double real_count(size_t count) { return count == SIZE_MAX ? NAN : (double)count; }

/* The rows of the coming step, which is then taken as if nobody had looked. */
static dls_status sample(const dls_coherence_lab *lab, const char *pile, dls_coherence_machine *m, dls_table *table, dls_error *error)
{
    size_t counts[2][DLS_COHERENCE_TARGETS];
    double residual[2];
    double *zero = NULL;
    DLS_TRY(dls_stepper_linearise(m->stepper, m->step, error));
    zero = calloc(m->stepper->problem->n + 1, sizeof *zero);
    if (!zero)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for impulses");
    dls_status status = DLS_OK;
    for (int warm = 0; warm < 2 && status == DLS_OK; warm++) {
        const double *lambda0 = warm ? m->stepper->lambda : zero;
        status = dls_coherence_residual(m, lambda0, &residual[warm], error);
        if (status == DLS_OK)
            status = dls_coherence_count(m, lambda0, lab->settings->limit, counts[warm], error);
    }
    free(zero);
    DLS_TRY(status);
    for (int warm = 0; warm < 2; warm++) {
        dls_table_text(table, pile);
        dls_table_text(table, warm ? "warm" : "cold");
        dls_table_real(table, m->stepper->state->time);
        dls_table_count(table, m->stepper->problem->n);
        dls_table_real(table, residual[warm]);
        for (int t = 0; t < DLS_COHERENCE_TARGETS; t++)
            dls_table_real(table, real_count(counts[warm][t]));
        dls_table_end_row(table);
    }
    return DLS_OK;
}

static dls_status run_pile(const dls_coherence_lab *lab, const char *pile, dls_model *model, size_t steps, dls_table *table, dls_error *error)
{
    const dls_coherence_settings *s = lab->settings;
    const dls_coherence_way way = {"euler", NULL, NULL, s->drive, s->step, true};
    size_t every = s->samples < steps ? steps / s->samples : 1;
    dls_coherence_machine m;
    DLS_TRY(dls_coherence_open(model, &way, &m, error));
    dls_status status = DLS_OK;
    for (size_t k = 0; k < steps && status == DLS_OK; k++) {
        if (k % every == every / 2)
            status = sample(lab, pile, &m, table, error);
        if (status == DLS_OK)
            status = dls_coherence_step(&m, error);
    }
    dls_coherence_close(&m);
    return status;
}

static dls_status run_piles(const dls_coherence_lab *lab, dls_table *table, dls_error *error)
{
    const dls_coherence_settings *s = lab->settings;
    dls_model *model;
    dls_job_progress(lab->job, "iterations", 0.0);
    DLS_TRY(dls_coherence_stack(0.01, &model, error));
    DLS_TRY(run_pile(lab, "stack", model, (size_t)ceil(s->duration / s->step - 1e-9), table, error));
    dls_job_progress(lab->job, "iterations", 0.3);
    DLS_TRY(dls_coherence_wall(0.01, &model, error));
    return run_pile(lab, "wall", model, s->wall_steps, table, error);
}

dls_status dls_coherence_iterations(const dls_coherence_lab *lab, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_coherence_table(lab, "coherence.iterations",
                                "pile\tstart\ttime[s]\trows\tresidual_at_start\titerations_to_1e-2\titerations_to_1e-3\titerations_to_1e-4",
                                &table, error));
    return dls_coherence_finish(table, run_piles(lab, table, error), error);
}
