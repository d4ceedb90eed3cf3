/* The number of iterations of PGS that a step needs, from zero and from the impulses of the previous step, over the
 * time of a run.
 */
#include "coherence/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double dls_coherence_targets[DLS_COHERENCE_TARGETS] = {3e-2, 1e-2, 1e-3};

/* Residuals are looked at after every iteration at first, then every 3 % of them. */
static bool is_look(size_t k) { return k <= 32 || k * 33 / 32 != (k - 1) * 33 / 32; }

dls_status dls_coherence_count(dls_rig *rig, const double *lambda0, size_t limit, size_t counts[DLS_COHERENCE_TARGETS],
                               double *at_start, dls_error *error)
{
    const dls_solver *solver = rig->choice.solver;
    const dls_problem *problem = dls_simulation_problem(rig->simulation);
    dls_report report = {.outcome = DLS_OUTCOME_RUNNING};
    double residual = NAN;
    void *work = NULL;
    double *lambda = calloc(problem->n + 1, sizeof *lambda);
    for (int t = 0; t < DLS_COHERENCE_TARGETS; t++)
        counts[t] = SIZE_MAX;
    dls_status status = lambda ? solver->open(problem, rig->choice.settings, lambda0, &work, error)
                               : dls_fail(error, DLS_NO_MEMORY, "no memory for impulses");
    for (size_t k = 0; k <= limit && counts[DLS_COHERENCE_TARGETS - 1] == SIZE_MAX && status == DLS_OK; k++) {
        if (k > 0)
            status = solver->iterate(work, &report, error);
        if (!is_look(k) || status != DLS_OK)
            continue;
        solver->read(work, lambda);
        status = dls_rig_residual(rig, lambda, &residual, error);
        if (k == 0)
            *at_start = residual;
        for (int t = 0; t < DLS_COHERENCE_TARGETS; t++)
            if (residual <= dls_coherence_targets[t] && counts[t] == SIZE_MAX)
                counts[t] = k;
    }
    dls_report_release(&report);
    solver->close(work);
    free(lambda);
    return status;
}

/* --- over a run --- */

static double real_count(size_t count) { return count == SIZE_MAX ? NAN : (double)count; }

/* The step's problem, as its scheme has it, from 0 and from the impulses that the step began with. */
static dls_status sample(dls_study *study, size_t pile, dls_rig *rig, dls_error *error)
{
    static const char *const names[] = {"stack", "wall"};
    const dls_coherence_settings *set = study->settings;
    dls_coherence_findings *f = study->found;
    for (int warm = 0; warm < 2; warm++) {
        const double *start = warm ? rig->spy.start : NULL;
        size_t counts[DLS_COHERENCE_TARGETS];
        double residual;
        DLS_TRY(dls_coherence_count(rig, start, set->limit, counts, &residual, error));
        f->mean[pile][warm] += (double)(counts[1] == SIZE_MAX ? set->limit : counts[1]);
        f->unreached[pile][warm] += counts[1] == SIZE_MAX;
        dls_table_row(study->tables[DLS_COHERENCE_ITERATIONS], "%s %s %g %zu %g %g %g %g", names[pile],
                      dls_coherence_starts[warm], dls_rig_state(rig)->time, dls_simulation_problem(rig->simulation)->n,
                      residual, real_count(counts[0]), real_count(counts[1]), real_count(counts[2]));
    }
    return DLS_OK;
}

dls_status dls_coherence_iterations(dls_study *study, dls_error *error)
{
    const dls_coherence_settings *set = study->settings;
    dls_coherence_findings *f = study->found;
    const dls_coherence_run runs[] = {
        {DLS_COHERENCE_STACK, DLS_COHERENCE_STACK_MARGIN, DLS_COHERENCE_HOLDS, set->drive, set->step, true, 0},
        {DLS_COHERENCE_WALL, DLS_COHERENCE_WALL_MARGIN, DLS_COHERENCE_HOLDS, set->iterations, set->wall_step, true, 0}};
    for (dls_grid g = DLS_GRID(2); dls_study_next(study, &g);) {
        const dls_coherence_run *run = &runs[g.at[0]];
        const size_t steps = dls_step_count(set->duration, run->step);
        const size_t every = set->samples < steps ? steps / set->samples : 1;
        size_t measured = 0;
        dls_rig rig;
        DLS_TRY(dls_coherence_open(run, &rig, error));
        rig.diverges = false;
        for (rig.spy.remember = every / 2 == 0; dls_rig_next(&rig, run->step, steps);
             rig.spy.remember = rig.steps % every == every / 2) {
            if ((rig.steps - 1) % every != every / 2)
                continue;
            measured++;
            rig.status = sample(study, g.at[0], &rig, error);
        }
        DLS_TRY(dls_rig_end(&rig));
        for (int warm = 0; warm < 2; warm++)
            f->mean[g.at[0]][warm] /= (double)measured;
    }
    return DLS_OK;
}
