/* Nonlinear Gauss-Seidel on the positions after the step. T. Jakobsen, Advanced character physics, 2001 (relaxation of
 * positions, point masses); M. Mueller, B. Heidelberger, M. Hennix, J. Ratcliff, Position based dynamics, 2007; for
 * rigid bodies E. Catto, Box2D.
 *
 * A step at velocity level (no bias), then `sweeps` times over the rows that hold a position, one after another:
 *     C, J at the q of this moment;   sigma = -share C / (J M^-1 J^T);   q <- q (+) M^-1 J^T sigma
 * which makes its own linearised C vanish (share 1) and sees all that the rows before it have moved. Nothing is
 * linearised but within a row, so a long way is no worse than a short one; like every Gauss-Seidel it needs many sweeps
 * for long chains. A stop acts where C < 0, from 0 each time: sigma is not remembered, for there is no force that it
 * could take back. A gap may be closed by others. Displacements come from pairs of impulses: no centre of mass moves,
 * and v stays. ERP says only whether a row takes part (ERP > 0). M of bodies is that of the sweep's start; that of
 * articulations, whose rows reach through it, is of this moment.
 */
#include "delassus/scheme.h"

#include "problem/problem_memory.h"

#include <string.h>

typedef struct projection_gauss_seidel {
    size_t sweeps;
    double share;
} projection_gauss_seidel;

static const dls_field fields[] = {
    {"sweeps", "", DLS_FIELD_COUNT, offsetof(projection_gauss_seidel, sweeps), "4", 1, 1e9, false, NULL,
     "sweeps over the positions a step"},
    {"share", "", DLS_FIELD_REAL, offsetof(projection_gauss_seidel, share), "1", 0, 2, true, NULL,
     "of its error that a row takes back in its turn"},
};

/* The row's error as it is now into p, first its joint's or contact's rows. */
static dls_status look_again(dls_stepper *s, size_t first, dls_error *error)
{
    dls_problem *p = s->positions;
    size_t owner = p->owner[first];
    if (owner < s->model->n_joints)
        return dls_problem_renew(p, s->model, s->state, NULL, first, error);
    dls_contact now = dls_contact_follow(s->model, s->start, s->state, &s->contacts.at[owner - s->model->n_joints]);
    return dls_problem_renew(p, s->model, s->state, &now, first, error);
}

static void correct(dls_stepper *s, size_t i, double share)
{
    dls_problem *p = s->positions;
    double *scratch = dls_problem_memory_of(p)->scratch;
    if (!dls_row_holds(p, i) || p->bias[i] == 0.0)
        return;
    memset(s->displacement, 0, p->nv * sizeof *s->displacement);
    double mobility = dls_problem_response(p, i, s->displacement, scratch);
    if (!(mobility > 0.0))
        return;
    for (size_t k = 0; k < p->nv; k++)
        s->displacement[k] *= -share * p->C[i] / mobility;
    dls_state_advance(s->model, s->state, s->displacement, 1.0);
}

static dls_status sweep(dls_stepper *s, double share, double h, dls_error *error)
{
    dls_problem *p = s->positions;
    DLS_TRY(dls_stepper_follow(s, error));
    DLS_TRY(dls_problem_rebuild(p, s->model, s->state, &s->moved, h, error));
    for (size_t i = 0, first = 0; i < p->n; i++) {
        first = p->owner[i] == p->owner[first] ? first : i;
        if (p->role[i] != DLS_ROLE_JOINT && p->role[i] != DLS_ROLE_STOP)
            continue;
        DLS_TRY(look_again(s, first, error));
        correct(s, i, share);
    }
    return DLS_OK;
}

static dls_status step(dls_stepper *s, const void *settings, double h, dls_error *error)
{
    const projection_gauss_seidel *set = settings;
    dls_stepper_begin(s);
    DLS_TRY(dls_stepper_linearise(s, h, error));
    dls_problem_drop_bias(s->problem);
    DLS_TRY(dls_stepper_solve(s, s->iterations, error));
    dls_stepper_kick(s);
    dls_stepper_drift(s, h);
    dls_energies before = dls_stepper_uncorrected(s);
    for (size_t k = 0; k < set->sweeps; k++)
        DLS_TRY(sweep(s, set->share, h, error));
    dls_stepper_corrected(s, before);
    return dls_stepper_end(s, h, error);
}

const dls_scheme dls_scheme_projection_gauss_seidel = {
    .name = "projection-gauss-seidel",
    .summary = "velocity level, then nonlinear Gauss-Seidel on the positions, row by row",
    .source = "Jakobsen 2001; Mueller et al. 2007; Catto, Box2D",
    .fields = DLS_FIELD_TABLE(fields, projection_gauss_seidel),
    .step = step,
};
