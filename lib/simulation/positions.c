/* Common parts of the schemes that correct positions: which rows have a position error, and the problem for its
 * correction.
 *
 * COMPLIANCE. Redundant rows of a loop contradict each other, by O(C^2) and by the rounding of positions, about 1e-16
 * m: this is negligible relative to a velocity, but not relative to a small C. J s = -C then has no solution, and
 * direct methods prove this. Therefore row i has a compliance, Gamma_i = compliance (J M^-1 J^T)_ii, a share of its own
 * diagonal and a setting with a name. Where rows are consistent, a share of about compliance times the condition number
 * of A remains of the error; where they are not, the result is the least-squares one (Tikhonov, Levenberg).
 */
#include "positions.h"

#include "base/memory.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dls_status dls_positions_open(dls_simulation *s, void **work, dls_error *error)
{
    dls_positions *p = *work = calloc(1, sizeof *p);
    if (p)
        p->displacement = calloc(2 * s->model->nv + 1, sizeof *p->displacement);
    if (!p || !p->displacement)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu displacements", s->model->nv);
    p->simulation = s;
    p->scratch = p->displacement + s->model->nv;
    p->solving = (dls_solver_work){.solver = s->solver, .settings = s->solver_settings};
    DLS_TRY(dls_row_list_create(&p->all, error));
    DLS_TRY(dls_row_list_create(&p->rows, error));
    DLS_TRY(dls_problem_allocate(0, 0, 0, 0, 0, &p->problem, error));
    return DLS_OK;
}

void dls_positions_close(void *work)
{
    dls_positions *p = work;
    if (!p)
        return;
    dls_report_release(&p->report);
    dls_solver_release(&p->solving);
    dls_problem_destroy(p->problem);
    dls_row_list_destroy(p->rows);
    dls_row_list_destroy(p->all);
    free(p->impulses);
    free(p->keep);
    free(p->displacement);
    free(p);
}

bool dls_row_constrains_position(const dls_list_row *row, double h)
{
    bool stop = row->role == DLS_ROLE_STOP && row->lo == 0.0,
         joint = row->role == DLS_ROLE_JOINT && row->lo == -HUGE_VAL;
    return (stop || joint) && row->hi == HUGE_VAL && row->law == DLS_LAW_FIXED && dls_list_row_rigid(row, h);
}

dls_status dls_positions_rows(dls_positions *p, double h, dls_error *error)
{
    dls_simulation *s = p->simulation;
    dls_stage_follow(s);
    dls_simulation_bring(s);
    DLS_TRY(dls_configuration_factor(s->now, error));
    return dls_row_list_fill(p->all, s->now, &s->moved, h, error);
}

dls_status dls_positions_assemble(dls_positions *p, double h, dls_error *error)
{
    DLS_TRY(dls_positions_rows(p, h, error));
    if (!DLS_GROW(p->keep, p->flags, p->all->n + 1) || !DLS_GROW(p->impulses, p->capacity, p->all->n + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", p->all->n);
    for (size_t i = 0; i < p->all->n; i++)
        p->keep[i] = dls_row_constrains_position(&p->all->row[i], h);
    DLS_TRY(dls_row_list_filter(p->rows, p->all, p->keep, error));
    DLS_TRY(dls_problem_assemble(p->problem, p->simulation->now, NULL, p->rows, h, error));
    for (size_t i = 0; i < p->rows->n; i++) {
        const dls_list_row *row = &p->rows->row[i];
        p->problem->c[i] = row->role == DLS_ROLE_STOP && row->C > 0.0 ? -row->C : h * row->bias;
    }
    return DLS_OK;
}

dls_status dls_positions_solve(dls_positions *p, double compliance, dls_error *error)
{
    dls_problem *problem = p->problem;
    for (size_t i = 0; i < problem->n; i++)
        problem->gamma[i] = compliance * dls_rows_response(&problem->J, &problem->mass, i, p->displacement, p->scratch);
    memset(p->impulses, 0, problem->n * sizeof *p->impulses);
    DLS_TRY(dls_solver_load(&p->solving, problem, p->impulses, &p->report, error));
    if (p->report.outcome == DLS_OUTCOME_REFUSED)
        return dls_fail(error, DLS_REFUSED, "%s refuses the problem of positions: %s", p->solving.solver->name,
                        p->report.message);
    DLS_TRY(dls_solver_run(&p->solving, p->simulation->iterations, p->impulses, &p->report, NULL, NULL, error));
    dls_problem_velocity(problem, p->impulses, p->displacement, p->scratch);
    return DLS_OK;
}

dls_energies dls_positions_uncorrected(dls_simulation *s)
{
    if (!s->ledger)
        return (dls_energies){0.0, 0.0};
    dls_simulation_bring(s);
    return (dls_energies){dls_kinetic_energy(s->now), dls_potential_energy(s->now)};
}

void dls_positions_corrected(dls_simulation *s, dls_energies before)
{
    if (s->ledger)
        dls_ledger_correct(s->ledger, s->now, before.kinetic, before.potential);
}
