/* dC/dq by central differences, with Richardson's extrapolation, against the J that rows() writes.
 *
 * An end is moved by the exponential map, as a step moves it: x + s v, q = exp(s omega) q, along 6 unit directions, and
 * the numbers that the joint keeps go along. With
 *     D(s) = (C(+s) - C(-s)) / (2 s) = C' + s^2/6 C''' + O(s^4)
 *     (4 D(s/2) - D(s)) / 3 = C' + O(s^4)
 * the error is s^4 + eps/s for derivatives and values of order 1: least near s = eps^(1/5) = 7e-4, and then about
 * 1e-12. Where C is short (a rod of a millimetre, a hinge almost half a turn off) its higher derivatives are large and
 * need a smaller s. So each row is measured at three steps, step, step/16 and step/256, and the best agreement counts:
 * a wrong J agrees at none of them.
 */
#include "delassus/check.h"

#include "model/model.h"

enum { DIRECTIONS = 12, RUNGS = 3 };

static void moved(const dls_end end[2], int direction, double s, dls_end to[2])
{
    to[0] = end[0], to[1] = end[1];
    dls_end *one = &to[direction / 6];
    dls_vec3 axis = dls_axis3(direction % 3);
    if (direction % 6 < 3) {
        one->x = dls_add(one->x, dls_scale(s, axis));
    } else {
        one->q = dls_quat_unit(dls_quat_mul(dls_quat_exp(dls_scale(s, axis)), one->q));
        one->R = dls_quat_matrix(one->q);
    }
}

/* C with one end moved, and with it what the joint keeps. */
static void position(const dls_joint *joint, const dls_end end[2], int direction, double s, double *C)
{
    double own[DLS_JOINT_STATE_MAX];
    dls_end to[2];
    moved(end, direction, s, to);
    for (size_t k = 0; k < joint->type->n_state; k++)
        own[k] = end[0].own[k];
    to[0].own = own;
    if (joint->type->n_state)
        joint->type->advance(joint, end, to, s, own);
    joint->type->position(joint, to, C);
}

/* D(s) of every row along one direction. */
static void central(const dls_joint *joint, const dls_end end[2], int direction, double s, size_t count, double *D)
{
    double after[DLS_JOINT_ROWS_MAX], before[DLS_JOINT_ROWS_MAX];
    for (size_t i = 0; i < count; i++)
        after[i] = before[i] = NAN;
    position(joint, end, direction, s, after);
    position(joint, end, direction, -s, before);
    for (size_t i = 0; i < count; i++)
        D[i] = (after[i] - before[i]) / (2.0 * s);
}

static void differences(const dls_joint *joint, const dls_end end[2], double s, size_t count, double D[][DIRECTIONS])
{
    double whole[DLS_JOINT_ROWS_MAX], half[DLS_JOINT_ROWS_MAX];
    for (int k = 0; k < DIRECTIONS; k++) {
        central(joint, end, k, s, count, whole);
        central(joint, end, k, 0.5 * s, count, half);
        for (size_t i = 0; i < count; i++)
            D[i][k] = (4.0 * half[i] - whole[i]) / 3.0;
    }
}

static double disagreement(const dls_row *row, const double D[DIRECTIONS])
{
    double largest = 0.0, worst = 0.0;
    for (int k = 0; k < DIRECTIONS; k++) {
        const double *J = k < 6 ? row->J1 : row->J2;
        double difference = fabs(J[k % 6] - D[k]);
        largest = fmax(largest, fabs(J[k % 6]));
        if (!(difference <= worst))
            worst = isnan(difference) ? HUGE_VAL : difference;
    }
    return worst == 0.0 ? 0.0 : worst / largest;
}

/* A joint on coordinates is a function of their sum alone, and a linear one: the central difference has but rounding.
 */
static dls_jacobian_check check_sum(const dls_joint *joint, const dls_end end[2], double s)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    double after[DLS_JOINT_ROWS_MAX], before[DLS_JOINT_ROWS_MAX];
    dls_jacobian_check check = {0.0, 0};
    dls_end to = end[0];
    joint->type->rows(joint, end, 1.0, rows);
    to.y = end[0].y + s;
    joint->type->position(joint, &to, after);
    to.y = end[0].y - s;
    joint->type->position(joint, &to, before);
    for (size_t i = 0; i < joint->type->count(joint); i++) {
        double error = fabs((after[i] - before[i]) / (2.0 * s) - rows[i].Jy) / fabs(rows[i].Jy);
        if (!(error <= check.worst))
            check = (dls_jacobian_check){isnan(error) ? HUGE_VAL : error, i};
    }
    return check;
}

dls_jacobian_check dls_check_jacobian(const dls_joint *joint, const dls_end end[2], double step)
{
    if (joint->n_terms)
        return check_sum(joint, end, step);
    dls_row rows[DLS_JOINT_ROWS_MAX];
    double D[DLS_JOINT_ROWS_MAX][DIRECTIONS], best[DLS_JOINT_ROWS_MAX];
    dls_jacobian_check check = {0.0, 0};
    size_t count = joint->type->count(joint);
    joint->type->rows(joint, end, 1.0, rows);
    for (int rung = 0; rung < RUNGS; rung++, step /= 16.0) {
        differences(joint, end, step, count, D);
        for (size_t i = 0; i < count; i++) {
            double error = disagreement(&rows[i], D[i]);
            best[i] = rung == 0 || error < best[i] ? error : best[i];
        }
    }
    for (size_t i = 0; i < count; i++)
        if (best[i] > check.worst)
            check = (dls_jacobian_check){best[i], i};
    return check;
}

dls_status dls_check_jacobians(const dls_model *model, const dls_state *state, double step, double *worst,
                               size_t *joint, size_t *row, dls_error *error)
{
    if (!(step > 0.0) || !isfinite(step))
        return dls_fail(error, DLS_BAD_ARGUMENT, "the step of finite differences must be positive and finite, not %g",
                        step);
    dls_configuration *at;
    DLS_TRY(dls_state_check(model, state, error));
    DLS_TRY(dls_configuration_create(model, &at, error));
    dls_configuration_evaluate(at, state);
    *worst = 0.0;
    for (size_t j = 0; j < model->n_joints; j++) {
        const dls_joint *one = &model->joints[j];
        dls_end ends[2];
        dls_configuration_ends(at, one, ends);
        dls_jacobian_check check = dls_check_jacobian(one, ends, step);
        if (j > 0 && !(check.worst > *worst))
            continue;
        *worst = check.worst;
        if (joint)
            *joint = j;
        if (row)
            *row = check.row;
    }
    dls_configuration_destroy(at);
    return DLS_OK;
}
