/* Measured quantities of a configuration: joint errors, energies, depths, residuals. No other file of the experiments
 * evaluates a joint. */
#include "study/rig.h"

#include <math.h>

/* All rows of all joints, one after another: from {.at = at}. */
typedef struct walk {
    const dls_configuration *at;
    dls_row rows[DLS_JOINT_ROWS_MAX];
    size_t joint, row, count;
} walk;

static const dls_row *next_row(walk *w)
{
    while (w->row == w->count) {
        if (w->joint == dls_model_count(w->at->model).joints)
            return NULL;
        w->count = dls_rows_of_joint(w->at, &dls_model_joints(w->at->model)[w->joint++],
                                     dls_model_world(w->at->model)->step, w->rows);
        w->row = 0;
    }
    return &w->rows[w->row++];
}

/* The error of a row, where it is larger than those before. A spring or a given force is not in error. */
static void add_error(const dls_row *row, double *linear, double *angular)
{
    double error = row->lo == 0.0 ? dls_worse(-row->C, 0.0) : row->hi == 0.0 ? dls_worse(row->C, 0.0) : fabs(row->C);
    double *worst = row->angular ? angular : linear;
    if (!dls_row_springs(row) && !row->is_explicit)
        *worst = dls_worse(*worst, error);
}

void dls_joint_errors(const dls_configuration *at, double *linear, double *angular)
{
    walk w = {.at = at};
    *linear = *angular = 0.0;
    for (const dls_row *row; (row = next_row(&w));)
        add_error(row, linear, angular);
}

void dls_joint_error(const dls_configuration *at, const dls_joint *joint, double *linear, double *angular)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    const size_t count = dls_rows_of_joint(at, joint, dls_model_world(at->model)->step, rows);
    *linear = *angular = 0.0;
    for (size_t i = 0; i < count; i++)
        add_error(&rows[i], linear, angular);
}

/* Whether a row holds a position with any force. */
static bool constrains_position(const dls_row *row)
{
    return row->role == DLS_ROLE_JOINT && row->lo == -HUGE_VAL && row->hi == HUGE_VAL;
}

size_t dls_position_errors(const dls_configuration *at, double *C, bool *angular, size_t room)
{
    walk w = {.at = at};
    size_t found = 0;
    for (const dls_row *row; (row = next_row(&w));) {
        if (!constrains_position(row))
            continue;
        if (found < room)
            C[found] = row->C;
        if (angular && found < room)
            angular[found] = row->angular;
        found++;
    }
    return found;
}

double dls_rigid_error(const dls_configuration *at)
{
    walk w = {.at = at};
    double worst = 0.0;
    for (const dls_row *row; (row = next_row(&w));)
        if (constrains_position(row) && !dls_row_springs(row))
            worst = dls_worse(worst, fabs(row->C));
    return worst;
}

double dls_joint_position(const dls_configuration *at, size_t j)
{
    walk w = {.at = at, .joint = j};
    return next_row(&w)->C;
}

double dls_given_depth(const dls_configuration *at)
{
    const dls_joint *joints = dls_model_joints(at->model);
    double depth = 0.0;
    dls_row rows[DLS_JOINT_ROWS_MAX];
    for (size_t j = 0; j < dls_model_count(at->model).joints; j++)
        if (joints[j].type->pair == DLS_PAIR_CONTACT && dls_rows_of_joint(at, &joints[j], 1.0, rows) > 0)
            depth = dls_worse(depth, -rows[0].C);
    return depth;
}

double dls_energy(const dls_configuration *at) { return dls_kinetic_energy(at) + dls_potential_energy(at); }

double dls_penetration(const dls_contacts *contacts)
{
    double depth = 0.0;
    for (size_t k = 0; k < contacts->count; k++)
        depth = dls_worse(depth, -contacts->at[k].gap);
    return depth;
}

/* The examiner of the problem of the last step. */
static dls_status update_examiner(dls_rig *rig, dls_error *error)
{
    const dls_problem *problem = dls_simulation_problem(rig->simulation);
    if (!rig->examiner || rig->examined != rig->steps)
        DLS_TRY(rig->examiner ? dls_examiner_reload(rig->examiner, problem, error)
                              : dls_examiner_create(problem, &rig->examiner, error));
    rig->examined = rig->steps;
    return DLS_OK;
}

dls_status dls_rig_residual(dls_rig *rig, const double *lambda, double *residual, dls_error *error)
{
    dls_certificate certificate;
    DLS_TRY(update_examiner(rig, error));
    dls_examine(rig->examiner, lambda, NULL, &certificate);
    *residual = certificate.scaled_residual;
    return DLS_OK;
}

dls_status dls_rig_distance(dls_rig *rig, double good_enough, double *distance, dls_error *error)
{
    const dls_problem *problem = dls_simulation_problem(rig->simulation);
    dls_reference_solution *reference;
    *distance = 0.0;
    if (problem->n == 0)
        return DLS_OK;
    DLS_TRY(update_examiner(rig, error));
    DLS_TRY(dls_reference_solution_create(problem, rig->examiner, NULL, good_enough, &reference, error));
    *distance = dls_examiner_distance(rig->examiner, dls_simulation_impulses(rig->simulation), reference->lambda);
    dls_reference_solution_destroy(reference);
    return DLS_OK;
}

dls_track_ride dls_rig_ride(const dls_rig *rig, size_t joint)
{
    dls_end end[2];
    dls_configuration_ends(dls_rig_at(rig), &dls_model_joints(rig->model)[joint], end);
    return dls_track_ride_of(&dls_model_joints(rig->model)[joint], end);
}

dls_track_forces dls_rig_track_forces(const dls_rig *rig, size_t joint)
{
    const dls_simulation *s = rig->simulation;
    return dls_track_forces_of(rig->model, joint, dls_simulation_rows(s), dls_simulation_impulses(s),
                               dls_simulation_problem(s)->h);
}
