/* Joints that break.
 *
 * A joint transmits the mean force F of the step (or substep) to body 1, and the torque T about the centre of mass of
 * body 1: the sums of lambda / h over its rows, along their Jacobians at the positions at the start of the step. With
 * a = R1 p1 the arm from there to the joint's anchor on body 1 (p1 = 0 for types without an anchor), the torque in the
 * joint is T - a x F. The joint breaks if |F| or |T - a x F| exceeds its threshold. Both are independent of the axes; a
 * force through the anchor has no torque. For a joint on coordinates the force along their sum is compared.
 *
 * The impulses of the step do not change: they act in pairs, so that a break does not change the momentum. From the
 * next step on the joint has no rows, and neither have joints on its coordinate.
 *
 * ELASTIC ENERGY of rows with compliance is 1/2 k C^2 at the end of the step, with k = kp, or k = ERP / (h CFM) if
 * these are given. It is not part of the mechanical energy of the ledger, and is lost with the joint:
 * dls_ledger.elastic_lost. The same holds for a joint that a change of the model removes; the next step reports it. The
 * k of a spring by frequency, or per unit of mass, is that of the joint's last rows; a sleeping joint has none, and its
 * energy is not reported.
 */
#include "parts.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

static dls_status strain_of(const dls_simulation *s, size_t j, dls_strain *strain, dls_error *error)
{
    const dls_joint *joint = &s->model->joints[j];
    dls_constraint_force force;
    DLS_TRY(dls_simulation_forces_of(s, j, &force, error));
    if (joint->n_terms) {
        *strain = (dls_strain){fabs(force.along_sum), fabs(force.along_sum)};
        return DLS_OK;
    }
    const dls_end end = dls_configuration_end(s->linearised, joint->body[0]);
    const dls_spatial there = dls_force_at(force.end[0], dls_neg(dls_end_arm(&end, &joint->frame[0])));
    *strain = (dls_strain){dls_norm(there.lin), dls_norm(there.ang)};
    return DLS_OK;
}

dls_status dls_breaks_strain(dls_simulation *s, dls_error *error)
{
    for (size_t j = 0; j < s->model->n_joints && s->strains; j++) {
        const dls_joint_common *limit = &s->model->joints[j].common;
        dls_strain strain;
        if (!isfinite(limit->break_force) && !isfinite(limit->break_torque))
            continue;
        DLS_TRY(strain_of(s, j, &strain, error));
        s->strains[j].force = fmax(s->strains[j].force, strain.force);
        s->strains[j].torque = fmax(s->strains[j].torque, strain.torque);
    }
    return DLS_OK;
}

void dls_breaks_begin(dls_simulation *s)
{
    if (s->strains)
        memset(s->strains, 0, s->model->n_joints * sizeof *s->strains);
}

/* --- elastic energy --- */

static double stiffness(dls_simulation *s, const dls_row *row, size_t owner, size_t i)
{
    const double w = 2.0 * DLS_PI * row->frequency;
    if (!dls_row_springs(row))
        return row->cfm > 0.0 ? row->erp / (s->problem->h * row->cfm) : 0.0;
    if (row->frequency == 0.0 && !row->per_mass)
        return row->kp;
    if (i >= s->rows->n || s->rows->row[i].owner != owner)
        return 0.0;
    const double mobility = dls_row_list_response(s->rows, i, s->before, s->scratch);
    return mobility > 0.0 ? (row->frequency > 0.0 ? w * w : row->kp) / mobility : 0.0;
}

/* The work of a force f = -k C from C to rest, with lo <= f <= hi. */
static double spring_energy(double k, double C, double lo, double hi)
{
    const double most = fmax(0.0, C > 0.0 ? -lo : hi), size = fabs(C);
    return k * size <= most ? 0.5 * k * size * size : most * (size - 0.5 * most / k);
}

/* A unilateral spring has none where its gap is open. */
static double elastic_energy(dls_simulation *s, size_t j)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    const size_t first = dls_forces_first_row(s->rows, j);
    const size_t count = dls_rows_of_joint(s->now, &s->model->joints[j], s->problem->h, rows);
    double energy = 0.0;
    for (size_t r = 0; r < count; r++)
        if (!rows[r].gap)
            energy += spring_energy(stiffness(s, &rows[r], j, first + r), rows[r].C, rows[r].lo, rows[r].hi);
    return energy;
}

static double row_stiffness(const dls_list_row *row, double h)
{
    if (row->spring)
        return row->spring->mobility > 0.0 ? row->spring->kp / row->spring->mobility : 0.0;
    return row->cfm > 0.0 ? row->erp / (h * row->cfm) : 0.0;
}

dls_status dls_simulation_elastic_energy(dls_simulation *s, double h, double *energy, dls_error *error)
{
    *energy = 0.0;
    DLS_TRY(dls_simulation_check_step(h, error));
    if (!s->springs)
        DLS_TRY(dls_row_list_create(&s->springs, error));
    dls_simulation_update(s);
    DLS_TRY(dls_configuration_factor(s->now, error));
    DLS_TRY(dls_row_list_fill(s->springs, s->now, NULL, h, error));
    for (size_t i = 0; i < s->springs->n; i++) {
        const dls_list_row *row = &s->springs->row[i];
        const double k = row_stiffness(row, h);
        if (!row->gap && k > 0.0)
            *energy += spring_energy(k, row->C, row->lo, row->hi);
    }
    return DLS_OK;
}

double dls_breaks_elastic_removed(dls_simulation *s, const dls_model *changed)
{
    double energy = 0.0;
    if (!s->ledger || !s->linearised)
        return 0.0;
    dls_simulation_update(s);
    for (size_t j = 0; j < s->model->n_joints; j++)
        if (!s->state->broken[j] && dls_change_joint(s->model, j, changed) == DLS_NONE)
            energy += elastic_energy(s, j);
    return energy + (s->events_over ? 0.0 : s->ledger->elastic_lost);
}

/* --- the break --- */

static void end_joint(dls_simulation *s, size_t j, dls_event event)
{
    if (s->ledger && s->linearised)
        s->ledger->elastic_lost += elastic_energy(s, j);
    dls_sleep_wake_joint(s, j, DLS_CAUSE_JOINT);
    s->state->broken[j] = 1;
    event.subject = j;
    dls_events_put(s, event);
}

static bool joint_acts_on(const dls_joint *joint, size_t other)
{
    for (size_t t = 0; t < joint->n_terms; t++)
        if (joint->terms[t].dof == DLS_NONE && joint->terms[t].joint == other)
            return true;
    return false;
}

static void break_joint(dls_simulation *s, size_t j, dls_cause cause, double value, double threshold)
{
    if (s->state->broken[j])
        return;
    end_joint(s, j, (dls_event){.kind = DLS_EVENT_BREAK, .cause = cause, .value = value, .threshold = threshold});
    for (size_t k = 0; k < s->model->n_joints; k++)
        if (!s->state->broken[k] && joint_acts_on(&s->model->joints[k], j))
            end_joint(s, k,
                      (dls_event){.kind = DLS_EVENT_LOST, .cause = DLS_CAUSE_JOINT, .value = NAN, .threshold = NAN});
    if (!s->edited)
        dls_configuration_rouse(s->now, s->state);
}

void dls_breaks_end(dls_simulation *s)
{
    for (size_t j = 0; j < s->model->n_joints && s->strains; j++) {
        const dls_joint_common *limit = &s->model->joints[j].common;
        if (s->strains[j].force > limit->break_force)
            break_joint(s, j, DLS_CAUSE_FORCE, s->strains[j].force, limit->break_force);
        else if (s->strains[j].torque > limit->break_torque)
            break_joint(s, j, DLS_CAUSE_TORQUE, s->strains[j].torque, limit->break_torque);
    }
}

dls_status dls_simulation_break(dls_simulation *s, size_t joint, dls_error *error)
{
    if (joint >= s->model->n_joints)
        return dls_fail(error, DLS_BAD_ARGUMENT, "there are %zu joints, and no number %zu", s->model->n_joints, joint);
    DLS_TRY(dls_events_reserve(s, s->model->n_joints + s->model->n_blocks, error));
    dls_simulation_update(s);
    break_joint(s, joint, DLS_CAUSE_CALL, NAN, NAN);
    return DLS_OK;
}
