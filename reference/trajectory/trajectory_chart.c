/* The differential equation of a reference trajectory in the chart of a step, and its invariants: the slope, an attempt
 * at a step, and the projection onto the rows that are held.
 *
 * Index-1 form (E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, VII.2): C = 0 differentiated
 * twice gives vdot as a function of q and v (trajectory_system.c), an ordinary differential equation that the embedded
 * pair of order 8(7) of P. Prince and J. Dormand (prince_dormand.c) integrates. C = 0 and J v = 0 are its invariants;
 * what a step leaves of them is taken away after it in the mass metric (ibid. VII.2, projection), which also keeps the
 * order.
 *
 * CHART. Within a step from q0 the unknowns are d in R^nv with q = q0 (+) d, and v. Where an entry is a coordinate d'
 * = v; where three are a rotation vector d' = B(d) v (dls_rotation_rate). After a step d goes into q0 and starts from
 * 0 again: no quaternion is renormalised, no angle is summed in small parts within a step, and B is never near its
 * pole, for steps end before anything has turned by more than a radian or so.
 *
 * ELIMINATION. Where J is constant, d = Z p and v = Z w with an orthonormal basis Z of the null space of J solve C =
 * 0 for good, and
 *     Z^T M Z w' = Z^T (tau - C - g),   p' = Z^T B(Z p) Z w
 * has neither multipliers nor projections: the second way to the same motion. (No row has the columns of a rotation
 * vector, so Z leaves these as they are, and v = Z w gives d' = B v = Z p'.) */
#include "parts.h"

#include <string.h>

enum { NEWTON_LIMIT = 50 };

/* --- the differential equation --- */

/* full = Z x, and x = Z^T full. */
void trajectory_spread(const dls_trajectory *e, const double *x, double *full)
{
    size_t nv = e->nv;
    if (!trajectory_eliminates(e)) {
        memcpy(full, x, nv * sizeof *full);
        return;
    }
    memset(full, 0, nv * sizeof *full);
    for (size_t k = 0; k < e->n; k++)
        for (size_t i = 0; i < nv; i++)
            full[i] += e->system.Z[i + nv * k] * x[k];
}

static void gather_unknowns(const dls_trajectory *e, const double *full, double *x)
{
    size_t nv = e->nv;
    if (!trajectory_eliminates(e)) {
        memcpy(x, full, nv * sizeof *x);
        return;
    }
    for (size_t k = 0; k < e->n; k++) {
        x[k] = 0.0;
        for (size_t i = 0; i < nv; i++)
            x[k] += e->system.Z[i + nv * k] * full[i];
    }
}

/* y = (p, w, s) from the base, s the time since then. */
bool trajectory_derivative(void *trajectory, const double *y, double *slope)
{
    dls_trajectory *e = trajectory;
    trajectory_spread(e, y, e->d);
    trajectory_spread(e, y + e->n, e->v);
    dls_state_copy(e->now, e->base);
    e->now->time = e->base->time + (e->late + y[2 * e->n]);
    trajectory_rows_move(&e->rows, e->now, e->d, e->now->time);
    memcpy(e->now->v, e->v, e->nv * sizeof *e->v);
    for (size_t k = 0; k < e->n_turns; k++) { /* B(d) v */
        const double *phi = e->d + e->turn[k];
        double *w = e->v + e->turn[k];
        dls_vec3 rate = dls_mul3(dls_rotation_rate(dls_v3(phi[0], phi[1], phi[2])), dls_v3(w[0], w[1], w[2]));
        w[0] = rate.x, w[1] = rate.y, w[2] = rate.z;
    }
    gather_unknowns(e, e->v, slope);
    e->report.evaluations++;
    slope[2 * e->n] = 1.0;
    slope += e->n;
    if (trajectory_system_evaluate(&e->system, &e->rows, e->now, !trajectory_eliminates(e), &e->trial) != DLS_OK)
        return false;
    if (trajectory_eliminates(e))
        return trajectory_system_eliminate(&e->system, e->now, slope, &e->trial) == DLS_OK;
    e->report.derivative_error = fmax(e->report.derivative_error, trajectory_rows_drift(&e->rows, e->now));
    if (trajectory_system_accelerate(&e->system, &e->rows, slope, &e->trial) != DLS_OK)
        return false;
    trajectory_share_forces(&e->system, &e->rows);
    return true;
}

/* --- C = 0 and J v = 0 --- */

static double largest_entry(const double *x, size_t n)
{
    double worst = 0.0;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(x[i]));
    return worst;
}

static dls_status project_position(dls_trajectory *e, bool choose, double *C, double *moved, dls_error *error)
{
    trajectory_system *s = &e->system;
    double before = HUGE_VAL;
    for (int k = 0; k < NEWTON_LIMIT; k++) {
        DLS_TRY(trajectory_system_evaluate(s, &e->rows, e->base, true, error));
        *C = trajectory_rows_errors(&e->rows, e->base->v).relative_C;
        if (choose)
            DLS_TRY(trajectory_system_choose(s, &e->rows, error));
        if (*C == 0.0 || (*C<trajectory_left_tolerance && * C> 0.5 * before))
            return DLS_OK;
        before = *C;
        for (size_t i = 0; i < s->rank; i++)
            s->side[i] = -e->rows.row[s->basis[i]].C;
        memset(e->d, 0, e->nv * sizeof *e->d);
        DLS_TRY(trajectory_system_correct(s, &e->rows, e->d, error));
        *moved = fmax(*moved, largest_entry(e->d, e->nv));
        trajectory_rows_move(&e->rows, e->base, e->d, e->base->time + e->late);
    }
    return DLS_OK;
}

static dls_status project_velocity(dls_trajectory *e, double *moved, dls_error *error)
{
    trajectory_system *s = &e->system;
    for (size_t i = 0; i < s->rank; i++)
        s->side[i] =
            trajectory_row_target(&e->rows.row[s->basis[i]]) - trajectory_row_speed(&e->rows, s->basis[i], e->base->v);
    memset(e->d, 0, e->nv * sizeof *e->d);
    DLS_TRY(trajectory_system_correct(s, &e->rows, e->d, error));
    for (size_t i = 0; i < e->nv; i++)
        e->base->v[i] += e->d[i];
    *moved = fmax(*moved, largest_entry(e->d, e->nv));
    return DLS_OK;
}

dls_status trajectory_project(dls_trajectory *e, bool choose, double *moved, dls_error *error)
{
    double left;
    *moved = 0.0;
    if (e->rows.n_bilateral == 0 && !e->settings.events)
        return trajectory_system_evaluate(&e->system, &e->rows, e->base, true, error);
    DLS_TRY(project_position(e, choose, &left, moved, error));
    DLS_TRY(project_velocity(e, moved, error));
    const trajectory_errors errors = trajectory_rows_errors(&e->rows, e->base->v);
    if (!(errors.relative_C < trajectory_left_tolerance) || !(errors.relative_Jv < trajectory_left_tolerance))
        return dls_fail(
            error, DLS_REFUSED,
            "C = 0 and J v = 0 cannot be restored at t = %.9g s: max |C| = %.3g, max |J v| = %.3g are left; "
            "the rows contradict each other",
            e->base->time, errors.C, errors.Jv);
    return DLS_OK;
}

/* --- steps --- */

dls_status trajectory_begin_step(dls_trajectory *e, dls_error *error)
{
    memset(e->y, 0, (2 * e->n + 1) * sizeof *e->y);
    gather_unknowns(e, e->base->v, e->y + e->n);
    if (trajectory_derivative(e, e->y, e->slope))
        return DLS_OK;
    *error = e->trial;
    return error->status;
}

dls_status trajectory_settle(dls_trajectory *e, dls_error *error)
{
    double moved;
    if (!trajectory_eliminates(e)) {
        DLS_TRY(trajectory_project(e, e->settings.events, &moved, error));
        e->report.projected = fmax(e->report.projected, moved);
        DLS_TRY(trajectory_share_choose(&e->system, &e->rows, e->base->v, error));
        const size_t redundant = e->settings.events ? e->system.n_held - e->system.rank : 0;
        e->report.redundant = redundant > e->report.redundant ? redundant : e->report.redundant;
    }
    return dls_state_check(e->model, e->base, error);
}

double trajectory_attempt(dls_trajectory *e, double h)
{
    memset(e->y, 0, (2 * e->n + 1) * sizeof *e->y);
    gather_unknowns(e, e->base->v, e->y + e->n);
    double sum = 0.0;
    e->trial.status = DLS_OK;
    if (!trajectory_step(trajectory_derivative, e, 2 * e->n + 1, h, e->slope, e->y, e->error, e->work))
        return (double)NAN;
    for (size_t i = 0; i < 2 * e->n; i++)
        sum += 0.0 * e->y[i];
    trajectory_spread(e, e->error, e->d);
    trajectory_spread(e, e->error + e->n, e->v);
    const double speed = 1.0 + trajectory_rows_largest(&e->rows, e->base->v);
    return sum + fmax(trajectory_rows_largest(&e->rows, e->d), trajectory_rows_largest(&e->rows, e->v) / speed) /
                     e->settings.tolerance;
}
