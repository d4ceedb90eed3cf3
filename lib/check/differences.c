/* dC/dq by central differences, extrapolated, against the J that rows() writes.
 *
 * An end is moved by the exponential map, as a step moves it: x + s v, q = exp(s omega) q, along 6 unit directions, and
 * the numbers that the joint keeps go along.
 *
 * EXTRAPOLATION. The central difference D(s) = (C(+s) - C(-s)) / (2 s) = C' + a s^2 + b s^4 + ... is taken at the steps
 * s_j = s_0 / 4^j. Neville's scheme in s^2 removes one power of s^2 after the other (L. F. Richardson, 1911):
 *     T_j0 = D(s_j),    T_jk = T_j,k-1 + (T_j,k-1 - T_j-1,k-1) / (16^k - 1)
 *
 * ERROR (C. J. F. Ridders, 1982). Where the series has set in, T_jk is nearer to C' than both of the entries that it is
 * made of, and |T_jk - T_j,k-1| and |T_jk - T_j-1,k-1| are the errors of these two: the larger one bounds that of T_jk,
 * with room. Where T_j,k-1 and T_j-1,k-1 happen to have equal errors, all three agree by accident; therefore the change
 * before, |T_j-1,k-1 - T_j-2,k-1|, counts too, over 16^k, by which the column gains in a level. A value of C is off by
 * its rounding error r, D(s_j) by r / s_j, and the weights of T_jk add up to less than prod (16^k + 1) / (16^k - 1)
 * < 1.15, so that 2 r / s_j bounds the rounding. Of all T_jk the one counts whose bound is least: a large step where C
 * is smooth, a small one where it is short (a rod of a millimetre, a hinge almost half a turn off), whose higher
 * derivatives are large.
 *
 * ROUNDING OF C. x goes through no more than four sums; an arm R p (and, of a track, the curve, whose tables are good
 * to 1e-14 of its length) and the rotation itself go through some 50 operations, each off by at most eps of its result.
 * RATES. The velocity of a body seen from another one, along a direction that is given in the world, is the rate of no
 * displacement: J of such a row must be [n, 0, -n, -(x1 - x2) x n] or [0, n, 0, -n] with |n| = 1, which replaces its
 * differences.
 *
 * The error is that of an end that is moved by 4 eps |x| + 64 eps |p| and turned by 64 eps: |J_lin| and |J_ang| times
 * that. The world has x = 0 and no rotation: its p stands for x. The pose of a link has more operations behind it, some
 * for each link on the way to its root.
 */
#include "delassus/check.h"
#include "delassus/track.h"

#include "differences.h"
#include "model/model.h"

#include <float.h>

enum { LEVELS = DLS_DIFFERENCE_LEVELS };

dls_difference dls_difference_limit(const double *D, size_t stride, double step, double rounding)
{
    dls_difference best = {NAN, HUGE_VAL};
    double T[LEVELS][LEVELS];
    for (int j = 0; j < LEVELS; j++) {
        double power = 1.0;
        T[j][0] = D[stride * (size_t)j];
        for (int k = 1; k <= j; k++) {
            power *= 16.0;
            T[j][k] = T[j][k - 1] + (T[j][k - 1] - T[j - 1][k - 1]) / (power - 1.0);
            if (k == j)
                continue;
            double error = fmax(fabs(T[j][k] - T[j][k - 1]), fabs(T[j][k] - T[j - 1][k - 1]));
            error = fmax(error, fabs(T[j - 1][k - 1] - T[j - 2][k - 1]) / power);
            error += 2.0 * rounding / dls_difference_step(step, j);
            if (isfinite(T[j][k]) && error < best.error)
                best = (dls_difference){T[j][k], error};
        }
    }
    return best;
}

static dls_vec3 row_half(const double J[6], int i) { return dls_v3(J[3 * i], J[3 * i + 1], J[3 * i + 2]); }

dls_reach dls_difference_reach_of(dls_vec3 x) { return (dls_reach){dls_norm(x), 4.0, 0.0, 64.0}; }

dls_reach dls_difference_reach(const dls_joint *joint, int i, dls_reach end)
{
    const dls_track *track = dls_track_of(joint);
    *(joint->moves[i] ? &end.near : &end.far) += dls_norm(joint->frame[i].p);
    end.near += track ? track->curve->length : 0.0;
    return end;
}

double dls_difference_rounding(const dls_row *row, const dls_reach reach[2])
{
    double sum = 16.0 * fabs(row->C);
    for (int i = 0; i < 2; i++) {
        const double *J = i == 0 ? row->J1 : row->J2;
        sum += dls_norm(row_half(J, 0)) * (reach[i].far_ulps * reach[i].far + reach[i].near_ulps * reach[i].near);
        sum += dls_norm(row_half(J, 1)) * reach[i].near_ulps;
    }
    return DBL_EPSILON * sum;
}

static void move_end(const dls_end end[2], int direction, double s, dls_end to[2])
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

/* C with one end moved, together with the numbers that the joint keeps, or with another sum of the coordinates. NaN if
 * position() sets no entry. */
static void position_at(const dls_joint *joint, const dls_end end[2], int direction, double s, size_t count, double *C)
{
    double joint_state[DLS_JOINT_STATE_MAX];
    dls_end to[2] = {end[0], end[1]};
    for (size_t i = 0; i < count; i++)
        C[i] = NAN;
    if (joint->n_terms) {
        to[0].y += s;
    } else {
        move_end(end, direction, s, to);
        for (size_t k = 0; k < joint->type->n_state; k++)
            joint_state[k] = end[0].joint_state[k];
        to[0].joint_state = joint_state;
        if (joint->type->advance)
            joint->type->advance(joint, end, to, s, joint_state);
    }
    joint->type->position(joint, to, C);
}

/* The entry of J that a row without a displacement must have for a motion of the ends. */
static dls_difference rate_of(const dls_row *row, const dls_end end[2], int k)
{
    const bool angular = row->angular;
    const dls_vec3 along = row_half(row->J1, angular), n = dls_scale(1.0 / dls_norm(along), along);
    const dls_vec3 arm = angular ? dls_v3(0, 0, 0) : dls_sub(end[0].x, end[1].x);
    const dls_vec3 parts[4] = {angular ? dls_v3(0, 0, 0) : n, angular ? n : dls_v3(0, 0, 0),
                               angular ? dls_v3(0, 0, 0) : dls_neg(n),
                               angular ? dls_neg(n) : dls_neg(dls_cross(arm, n))};
    return (dls_difference){dls_get3(parts[k / 3], k % 3), 8.0 * DBL_EPSILON * (1.0 + dls_norm(arm))};
}

double dls_difference_rate(const dls_row *row, const dls_vec3 x[2], const dls_vec3 v[2], const dls_vec3 omega[2])
{
    const dls_vec3 along = row_half(row->J1, row->angular), n = dls_scale(1.0 / dls_norm(along), along);
    const dls_vec3 point = dls_add(v[1], dls_cross(omega[1], dls_sub(x[0], x[1])));
    return dls_dot(n, row->angular ? dls_sub(omega[0], omega[1]) : dls_sub(v[0], point));
}

void dls_difference_ends(const dls_joint *joint, const dls_end end[2], const dls_row *rows, double step, double arm,
                         dls_difference D[][DLS_END_MOTIONS])
{
    const size_t count = joint->type->count(joint);
    double after[DLS_JOINT_ROWS_MAX], before[DLS_JOINT_ROWS_MAX], central[LEVELS][DLS_JOINT_ROWS_MAX];
    dls_reach reach[2];
    for (int i = 0; i < 2; i++)
        reach[i] = dls_difference_reach(joint, i, dls_difference_reach_of(end[i].x));
    for (int k = 0; k < dls_difference_motions(joint); k++) {
        const double largest = !joint->n_terms && k % 6 < 3 ? step * arm : step;
        for (int level = 0; level < LEVELS; level++) {
            const double s = dls_difference_step(largest, level);
            position_at(joint, end, k, s, count, after);
            position_at(joint, end, k, -s, count, before);
            for (size_t i = 0; i < count; i++)
                central[level][i] = (after[i] - before[i]) / (2.0 * s);
        }
        for (size_t i = 0; i < count; i++) {
            if (rows[i].is_rate) {
                D[i][k] = rate_of(&rows[i], end, k);
                continue;
            }
            const double rounding = joint->n_terms
                                        ? 16.0 * DBL_EPSILON * (fabs(rows[i].Jy * end[0].y) + fabs(rows[i].C))
                                        : dls_difference_rounding(&rows[i], reach);
            D[i][k] = dls_difference_limit(&central[0][i], DLS_JOINT_ROWS_MAX, largest, rounding);
        }
    }
}

dls_jacobian_check dls_check_jacobian(const dls_joint *joint, const dls_end end[2], double step)
{
    dls_row rows[DLS_JOINT_ROWS_MAX];
    dls_difference D[DLS_JOINT_ROWS_MAX][DLS_END_MOTIONS];
    dls_jacobian_check check = {0.0, 0};
    const size_t count = joint->type->count(joint);
    joint->type->rows(joint, end, 1.0, rows);
    dls_difference_ends(joint, end, rows, step, 1.0, D);
    for (size_t i = 0; i < count; i++) {
        double largest = 0.0, worst = 0.0;
        for (int k = 0; k < dls_difference_motions(joint); k++) {
            const double J = dls_difference_entry(joint, &rows[i], k), difference = fabs(J - D[i][k].value);
            largest = fmax(largest, fabs(J));
            if (!(difference <= worst))
                worst = isnan(difference) ? HUGE_VAL : difference;
        }
        worst = worst == 0.0 ? 0.0 : worst / largest;
        if (worst > check.worst)
            check = (dls_jacobian_check){worst, i};
    }
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
