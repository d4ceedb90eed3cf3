/* Springs, dampers and drives.
 *
 * EXPLICIT ones put f = -k C - d J v of the start of the step. With the mobility a = J M^-1 J^T of their row,
 * semi-implicit Euler makes of them z^2 - (2 - h d a - h^2 k a) z + (1 - h d a) = 0, whose roots lie within the unit
 * circle if and only if (E. I. Jury)
 *     0 < h d a < 2   and   h^2 k a + 2 h d a < 4;          without a damper the border is omega h = 2.
 * IMPLICIT ones are stable at every step, but damp an oscillation by the ratio omega h / 2: one of omega h > 1 is
 * gone within a period.
 *
 * A spring with the error C_s pulls its coordinate by -C_s. A stop with the gap C and a Jacobian J = r J_s then has the
 * gap C - r C_s: where that is negative the spring presses against the stop as long as it lasts. */
#include "parts.h"

#include <math.h>

static const double beyond_most = 1e-3; /* of the size of the mechanism, or [rad] */

/* --- steps --- */

static dls_status judge_spring(diagnosis_scene *scene, size_t i, const dls_row *row, double mobility, dls_error *error)
{
    char name[2 * DLS_NAME_MAX + 32];
    const double h = scene->step, unit = row->per_mass ? 1.0 : mobility;
    const double stiff =
        row->frequency > 0.0 ? 4.0 * DLS_PI * DLS_PI * row->frequency * row->frequency : row->kp * unit;
    const double damp = row->frequency > 0.0 ? 4.0 * DLS_PI * row->ratio * row->frequency : row->kd * unit;
    const double omega = sqrt(stiff);
    diagnosis_row_name(scene, i, name, sizeof name);
    if (row->is_explicit)
        return dls_diagnosis_add(scene->into, DLS_FAULT_STIFF, DLS_SEVERITY_FAULT, name,
                                 fmax(0.25 * (h * h * stiff + 2.0 * h * damp), 0.5 * h * damp), 1.0, error,
                                 "explicit, with omega h = %.3g and a damping rate times h of %.3g: unstable where "
                                 "(omega h)^2 + 2 d h > 4; shorten the step, lower the gains, or make it implicit",
                                 omega * h, damp * h);
    const double ratio = omega > 0.0 ? 0.5 * damp / omega : HUGE_VAL;
    return dls_diagnosis_add(scene->into, DLS_FAULT_UNRESOLVED, DLS_SEVERITY_NOTE, name,
                             ratio < 0.5 && row->role != DLS_ROLE_STOP ? omega * h : 0.0, 1.0, error,
                             "oscillates with omega h = %.3g and a damping ratio of %.3g: an implicit step adds a "
                             "ratio of about %.2g, so that the oscillation is gone at once; take steps of %.2g s to "
                             "see it",
                             omega * h, ratio, 0.5 * omega * h, 0.2 / omega);
}

static dls_status judge_joint_springs(diagnosis_scene *scene, const dls_joint *joint, size_t *first, double *work,
                                      dls_error *error)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    const size_t count = dls_rows_of_joint(scene->at, joint, scene->step, rows);
    for (size_t k = 0; k < count; k++) {
        if (!dls_row_springs(&rows[k]))
            continue;
        const double mobility = dls_row_list_response(scene->rows, *first + k, work, work + scene->has.nv);
        DLS_TRY(judge_spring(scene, *first + k, &rows[k], mobility, error));
    }
    *first += count;
    return DLS_OK;
}

/* --- springs against stops, and against each other --- */

/* r with J_i = r J_k; NaN where there is none. */
static double row_ratio(const dls_rows *J, size_t i, size_t k)
{
    double ratio = NAN;
    if (J->start[i + 1] - J->start[i] != J->start[k + 1] - J->start[k])
        return NAN;
    for (size_t a = J->start[i], b = J->start[k]; a < J->start[i + 1]; a++, b++) {
        const size_t length = J->coef_at[a + 1] - J->coef_at[a];
        if (J->offset[a] != J->offset[b] || length != J->coef_at[b + 1] - J->coef_at[b])
            return NAN;
        for (size_t c = 0; c < length; c++) {
            const double x = J->coef[J->coef_at[a] + c], y = J->coef[J->coef_at[b] + c];
            if (x == 0.0 && y == 0.0)
                continue;
            if (isnan(ratio))
                ratio = x / y;
            if (!(fabs(x - ratio * y) <= 1e-9 * fabs(x)))
                return NAN;
        }
    }
    return ratio;
}

static bool pulls(const diagnosis_scene *scene, size_t i)
{
    const dls_list_row *row = &scene->rows->row[i];
    return row->owner < scene->has.joints && row->spring && row->spring->kp > 0.0 && row->role != DLS_ROLE_STOP &&
           row->lo < 0.0 && row->hi > 0.0;
}

static bool is_driven(const diagnosis_scene *scene, size_t i)
{
    return dls_model_joints(scene->model)[scene->rows->row[i].owner].type->driven;
}

/* Whether C of the row changes in proportion to the coordinates it acts on, also far from here. */
static bool is_linear(const diagnosis_scene *scene, size_t i)
{
    const size_t owner = scene->rows->row[i].owner;
    const dls_joint *joint = owner < scene->has.joints ? &dls_model_joints(scene->model)[owner] : NULL;
    for (size_t t = 0; joint && t < joint->n_terms; t++)
        if (!dls_term_is_linear(&joint->terms[t]))
            return false;
    return true;
}

static dls_status judge_pair(diagnosis_scene *scene, size_t spring, size_t other, dls_error *error)
{
    const dls_list_row *pull = &scene->rows->row[spring], *row = &scene->rows->row[other];
    const double ratio = row_ratio(&scene->rows->J, other, spring), after = row->C - ratio * pull->C;
    const double size = diagnosis_row_size(scene, other);
    const char *unit = diagnosis_row_unit(scene, other);
    char name[2 * DLS_NAME_MAX + 32], second[2 * DLS_NAME_MAX + 32];
    if (isnan(ratio) || !is_linear(scene, spring) || !is_linear(scene, other))
        return DLS_OK;
    diagnosis_row_name(scene, spring, name, sizeof name);
    diagnosis_row_name(scene, other, second, sizeof second);
    if (row->role == DLS_ROLE_STOP && row->owner < scene->has.joints)
        return dls_diagnosis_add(
            scene->into, DLS_FAULT_TARGET, DLS_SEVERITY_RISK, name, -after / size, beyond_most, error,
            "its target is %.4g %s beyond '%.80s': it presses against this limit with up to %.3g; "
            "correct the target or the limit",
            -after, unit, second, fmin(pull->spring->kp / pull->spring->mobility * -after, row->hi));
    if (other > spring && pulls(scene, other) && is_driven(scene, spring) && is_driven(scene, other))
        return dls_diagnosis_add(
            scene->into, DLS_FAULT_OPPOSED, DLS_SEVERITY_NOTE, name, fabs(after) / size, beyond_most, error,
            "its target is %.4g %s from that of '%.80s' on the same coordinate: both press without "
            "end; give both one target, or remove one",
            fabs(after), unit, second);
    return DLS_OK;
}

/* --- drives and weights --- */

/* A drive with a limit of its force on one degree of freedom, the weight of which it cannot hold. */
static dls_status judge_weight(diagnosis_scene *scene, size_t i, dls_error *error)
{
    const dls_list_row *row = &scene->rows->row[i];
    const dls_joint *joint = row->owner < scene->has.joints ? &dls_model_joints(scene->model)[row->owner] : NULL;
    char name[2 * DLS_NAME_MAX + 32];
    if (!joint || !joint->type->driven || joint->n_terms != 1 || joint->terms->dof == DLS_NONE || joint->terms->motion)
        return DLS_OK;
    const double slope = scene->at->slopes[joint->terms->number], most = fmin(row->hi, -row->lo);
    const double needed = fabs(scene->weight[joint->terms->dof] / slope);
    if (!(most > 0.0) || slope == 0.0)
        return DLS_OK;
    diagnosis_row_name(scene, i, name, sizeof name);
    return dls_diagnosis_add(scene->into, DLS_FAULT_WEAK, DLS_SEVERITY_RISK, name, needed / most, 1.0, error,
                             "it gives at most %.4g %s, and %.4g hold the weight at the start: raise `force`, or lower "
                             "the masses",
                             most, row->angular ? "N m" : "N", needed);
}

dls_status diagnosis_springs(diagnosis_scene *scene, dls_error *error)
{
    size_t first = 0;
    double *work = DLS_TAKE_ZEROS(&scene->memory, double, 2 * scene->has.nv + 1);
    if (scene->memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the mobility of springs");
    const dls_joint *joints = dls_model_joints(scene->model);
    for (size_t j = 0; j < scene->has.joints; j++)
        DLS_TRY(judge_joint_springs(scene, &joints[j], &first, work, error));
    for (size_t i = 0; i < scene->rows->n; i++)
        DLS_TRY(judge_weight(scene, i, error));
    for (size_t i = 0; i < scene->rows->n; i++)
        for (size_t k = 0; pulls(scene, i) && k < scene->rows->n; k++)
            if (k != i && scene->rows->row[k].owner < scene->has.joints)
                DLS_TRY(judge_pair(scene, i, k, error));
    return DLS_OK;
}
