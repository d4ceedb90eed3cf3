/* What schemes that correct positions share: which rows hold one, and the problem of moving them there.
 *
 * COMPLIANCE. Redundant rows of a loop contradict each other, by O(C^2) and by the rounding of positions, some 1e-16 m:
 * nothing beside a speed, but much beside a small C. J s = -C then has no solution, and direct methods prove it. So row
 * i may miss by Gamma_i sigma_i, Gamma_i = compliance (J M^-1 J^T)_ii, a share of its own diagonal and a setting by
 * name: where rows agree it leaves some compliance times the condition of A of the error, where they do not their least
 * squares (Tikhonov, Levenberg).
 */
#include "delassus/scheme.h"

#include "problem/problem_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool dls_row_holds(const dls_problem *p, size_t i)
{
    bool stop = p->role[i] == DLS_ROLE_STOP && p->lo[i] == 0.0,
         joint = p->role[i] == DLS_ROLE_JOINT && p->lo[i] == -HUGE_VAL;
    return (stop || joint) && p->hi[i] == HUGE_VAL && p->gamma[i] == 0.0;
}

dls_status dls_stepper_follow(dls_stepper *s, dls_error *error)
{
    if (s->contacts.count > s->moved.capacity) {
        dls_contact *larger = realloc(s->moved.at, s->contacts.count * sizeof *larger);
        if (!larger)
            return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu contacts", s->contacts.count);
        s->moved.at = larger;
        s->moved.capacity = s->contacts.count;
    }
    s->moved.count = s->contacts.count;
    for (size_t k = 0; k < s->contacts.count; k++)
        s->moved.at[k] = dls_contact_follow(s->model, s->start, s->state, &s->contacts.at[k]);
    return DLS_OK;
}

/* Row `from` to the place of row `to` <= from, its blocks to `*block` and its coefficients to `*coef`. */
static void move_row(dls_problem *p, size_t from, size_t to, size_t *block, size_t *coef)
{
    size_t begin = p->J.start[from], end = p->J.start[from + 1];
    p->J.start[to] = *block;
    for (size_t k = begin; k < end; k++) {
        size_t at = p->J.coef_at[k], length = p->J.coef_at[k + 1] - at;
        memmove(p->J.coef + *coef, p->J.coef + at, length * sizeof *p->J.coef);
        p->J.offset[*block] = p->J.offset[k];
        p->J.coef_at[(*block)++] = *coef;
        *coef += length;
    }
    p->gamma[to] = p->gamma[from], p->c[to] = p->c[from], p->C[to] = p->C[from], p->bias[to] = p->bias[from];
    p->lo[to] = p->lo[from], p->hi[to] = p->hi[from];
    p->role[to] = p->role[from], p->owner[to] = p->owner[from], p->label[to] = p->label[from];
    p->parent[to] = DLS_NONE, p->mu[to] = 0.0, p->law[to] = DLS_LAW_BOX;
}

static void keep_rows_that_hold(dls_problem *p)
{
    size_t n = 0, block = 0, coef = 0, rows = p->n;
    for (size_t i = 0; i < rows; i++)
        if (dls_row_holds(p, i))
            move_row(p, i, n++, &block, &coef);
    p->J.start[n] = block;
    p->J.coef_at[block] = coef;
    p->J.n_blocks = block;
    p->n = p->J.n = n;
    p->n_coupled = p->n_cone = 0;
}

dls_status dls_stepper_positions(dls_stepper *s, double h, dls_error *error)
{
    dls_problem *p = s->positions;
    DLS_TRY(dls_stepper_follow(s, error));
    DLS_TRY(dls_problem_rebuild(p, s->model, s->state, &s->moved, h, error));
    keep_rows_that_hold(p);
    memset(p->v_star, 0, p->nv * sizeof *p->v_star);
    for (size_t i = 0; i < p->n; i++)
        p->c[i] = p->role[i] == DLS_ROLE_STOP && p->C[i] > 0.0 ? -p->C[i] : h * p->bias[i];
    return DLS_OK;
}

dls_status dls_stepper_solve_positions(dls_stepper *s, double compliance, dls_error *error)
{
    dls_problem *p = s->positions;
    for (size_t i = 0; i < p->n; i++)
        p->gamma[i] = compliance * dls_problem_response(p, i, s->displacement, dls_problem_memory_of(p)->scratch);
    memset(s->correction, 0, p->n * sizeof *s->correction);
    DLS_TRY(dls_solve(s->solver, p, s->settings, s->iterations, s->correction, &s->position_report, NULL, NULL, error));
    if (s->position_report.outcome == DLS_OUTCOME_REFUSED)
        return dls_fail(error, DLS_REFUSED, "%s refuses the problem of positions: %s", s->solver->name,
                        s->position_report.message);
    dls_problem_velocity(p, s->correction, s->displacement, dls_problem_memory_of(p)->scratch);
    return DLS_OK;
}

dls_energies dls_stepper_uncorrected(const dls_stepper *s)
{
    if (!s->ledger)
        return (dls_energies){0.0, 0.0};
    return (dls_energies){dls_kinetic_energy(s->model, s->state), dls_potential_energy(s->model, s->state)};
}

void dls_stepper_corrected(dls_stepper *s, dls_energies before)
{
    if (s->ledger)
        dls_ledger_correct(s->ledger, s->model, s->state, before.kinetic, before.potential);
}
