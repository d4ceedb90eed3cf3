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

#include <math.h>
#include <stdlib.h>
#include <string.h>

dls_status dls_positions_open(dls_simulation *s, void **work, dls_error *error)
{
    const size_t nv = dls_model_count(dls_simulation_model(s)).nv;
    dls_positions *p = *work = calloc(1, sizeof *p);
    if (p)
        p->displacement = calloc(2 * nv + 1, sizeof *p->displacement);
    if (!p || !p->displacement)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu displacements", nv);
    p->simulation = s;
    p->scratch = p->displacement + nv;
    p->solving = (dls_solver_work){.solver = dls_stage_solver(s)->solver, .settings = dls_stage_solver(s)->settings};
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

/* Memory for n rows, of whose contents nothing is kept. */
static dls_status make_room(dls_positions *p, size_t n, dls_error *error)
{
    if (p->keep && n <= p->capacity)
        return DLS_OK;
    free(p->keep);
    free(p->impulses);
    p->capacity = n + n / 2;
    p->keep = calloc(p->capacity + 1, sizeof *p->keep);
    p->impulses = calloc(p->capacity + 1, sizeof *p->impulses);
    return p->keep && p->impulses ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu rows", n);
}

dls_status dls_positions_assemble(dls_positions *p, double h, dls_error *error)
{
    dls_simulation *s = p->simulation;
    DLS_TRY(dls_stage_rows(s, p->all, h, error));
    DLS_TRY(make_room(p, p->all->n, error));
    for (size_t i = 0; i < p->all->n; i++)
        p->keep[i] = dls_row_constrains_position(&p->all->row[i], h);
    DLS_TRY(dls_row_list_filter(p->rows, p->all, p->keep, error));
    DLS_TRY(dls_problem_assemble(p->problem, dls_simulation_configuration(s), NULL, p->rows, h, error));
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
    DLS_TRY(
        dls_solver_run(&p->solving, dls_stage_iterations(p->simulation), p->impulses, &p->report, NULL, NULL, error));
    dls_stage_count_solve(p->simulation, &p->report);
    dls_problem_velocity(problem, p->impulses, p->displacement, p->scratch);
    return DLS_OK;
}

dls_status dls_positions_correct(dls_positions *p, double tolerance, double compliance, double h, dls_error *error)
{
    double worst = 0.0;
    DLS_TRY(dls_positions_assemble(p, h, error));
    for (size_t i = 0; i < p->rows->n; i++)
        worst = fmax(worst, fabs(h * p->rows->row[i].bias));
    if (worst <= tolerance)
        return DLS_OK;
    DLS_TRY(dls_positions_solve(p, compliance, error));
    dls_positions_apply(p);
    return DLS_OK;
}

void dls_positions_apply(dls_positions *p)
{
    dls_simulation *s = p->simulation;
    const dls_outcome outcome = p->report.outcome;
    if (dls_outcome_failed(outcome)) {
        dls_report_end(dls_stage_report(s), outcome, "positions: %.200s", p->report.message);
        return;
    }
    const dls_energies before = dls_stage_energies(s);
    dls_stage_displace(s, p->displacement);
    dls_stage_count_correction(s, before);
}
