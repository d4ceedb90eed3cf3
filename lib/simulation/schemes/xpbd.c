/* Extended position based dynamics of rigid bodies. M. Macklin, M. Mueller, N. Chentanez, XPBD, 2016; M. Mueller, M.
 * Macklin, N. Chentanez, S. Jeschke, T.-Y. Kim, Detailed rigid body simulation with extended position based dynamics,
 * 2020. Here on all rows, for bodies and articulations.
 *
 * Contacts are detected once; N = the iterations of the solver, which is not used itself; k = h / N. N times:
 *     v* = v + k M^-1 f,   q_1 = q (+) k v*,   D = k v*,   lambda = 0
 *     `sweeps` times, for each row, at the positions that the rows before it have left:
 *         d = change of lambda from the error of the row, so that lambda + d is within its bounds
 *         q_1 <- q_1 (+) M^-1 J^T k d,   D <- D + M^-1 J^T k d,   lambda <- lambda + d
 *     v+ = D / k
 * It is nonlinear Gauss-Seidel for implicit Euler, with a linearisation of its own for each row. With y = (J D) / k +
 * J_k v_k, the mean velocity of the row in the substep, and A = J M^-1 J^T:
 *     rigid C              d = -(C - target) / (k A)             target: below
 *     spring and damper    d = -(lambda / k + kp C + kd y - push) / (1 / k + (k kp + kd) A)
 *     friction, motor      d = -(y - u) / A                      bounds of friction by the present normal impulse
 * The second is the source's (-C - alpha~ lambda') / (A + alpha~), alpha~ = 1 / (k^2 kp), with its multiplier lambda' =
 * k lambda; the compliance of contacts is that of the scene. Friction at the level of positions, with the way that the
 * contact has moved since the start of the substep, is static and dynamic friction in one. An error C at the start
 * of a substep is corrected at most at `push_speed`, so that its target is |C| - k push_speed if that is positive, and
 * not at all if the ERP of the row is 0; the source corrects all of it at once, at the speed C / k, which grows with N.
 *
 * VELOCITIES have a pass after each substep: each stop with an impulse gets J v = u, its rebound or 0, as far as its
 * impulse does not become negative, and then its friction J v = 0 within the new bounds. So what has pushed bodies
 * apart leaves no speed.
 *
 * MOMENTUM: impulses act in pairs, so linear momentum is kept to rounding; a row's impulses act along the J of their
 * own time. Rotations of D add as vectors, with an error O(k^2) of a correction per substep.
 *
 * ERRORS. One sweep leaves a chain of n bodies unsolved, which stretches it by a share of its static load per substep;
 * the error falls as k^2 for N substeps. Order 1 in h on smooth motion where sweeps converge. As for small-steps, the
 * numerical damping is that of implicit Euler over k.
 *
 * LEDGER. The impulses of a substep have their work as if they acted along the J of its start, and the rest of the
 * change of energy is `projection`. After a step, problem, impulses and v* are those of the last
 * substep, with v* = v+ - M^-1 J^T lambda at the J of its start.
 */
#include "halfway.h"

#include <math.h>
#include <string.h>

typedef struct xpbd {
    size_t sweeps;
    double push_speed;
} xpbd;

static const dls_field fields[] = {
    {"sweeps", "", DLS_FIELD_COUNT, offsetof(xpbd, sweeps), "1", 1, 1e6, false, NULL,
     "number of sweeps over the rows per substep; the number of substeps is that of iterations"},
    {"push_speed", "m/s, rad/s", DLS_FIELD_REAL, offsetof(xpbd, push_speed), "3", 0, HUGE_VAL, false, NULL,
     "greatest speed at which the error of a row before a substep is corrected"},
};

typedef struct xpbd_work {
    dls_halfway halfway; /* mean: D; target: of C; u: rebound; move, scratch: response of a row */
    dls_row_list *rows;  /* at q_1 */
    const xpbd *settings;
    double k;
} xpbd_work;

static dls_status open_work(dls_simulation *s, void **work, dls_error *error)
{
    DLS_TRY(dls_halfway_open(s, sizeof(xpbd_work), work, error));
    return dls_row_list_create(&((xpbd_work *)*work)->rows, error);
}

static void close_work(void *work)
{
    if (work)
        dls_row_list_destroy(((xpbd_work *)work)->rows);
    dls_halfway_close(work);
}

/* --- one row --- */

/* Adds the impulse d of row i of the list. `move` is its response. */
static void row_push(xpbd_work *w, size_t i, double d)
{
    dls_halfway *half = &w->halfway;
    const dls_mass *mass = &dls_stage_problem(half->simulation)->mass;
    dls_rows_add_response(&w->rows->J, mass, i, w->k * d, half->move, half->mean);
    dls_stage_impulses(half->simulation)[i] += d;
    dls_stage_displace_row(half->simulation, w->rows, i, w->k * d, half->move);
}

/* Computes the response of row i, and returns A_ii. */
static double row_response(xpbd_work *w, size_t i)
{
    return dls_row_list_response(w->rows, i, w->halfway.move, w->halfway.scratch);
}

/* The impulse of row i that its error asks for, without bounds. */
static double row_wants(const xpbd_work *w, size_t i, double A)
{
    const dls_list_row *row = &w->rows->row[i];
    const double *prescribed = dls_row_list_prescribed(w->rows), k = w->k,
                 lambda = dls_stage_impulses(w->halfway.simulation)[i],
                 y = dls_rows_dot(&w->rows->J, i, w->halfway.mean) / k + (prescribed ? prescribed[i] : 0.0);
    dls_spring_law law;
    if (dls_row_spring_law(row, k, &law)) {
        if (row->role == DLS_ROLE_STOP && w->halfway.target[i] > 0.0) /* while a gap closes its damper does not act */
            law.push -= law.kd * row->u, law.kd = 0.0;
        return lambda - (lambda / k + law.kp * row->C + law.kd * y - law.push) / (1.0 / k + (k * law.kp + law.kd) * A);
    }
    if (row->role == DLS_ROLE_JOINT || row->role == DLS_ROLE_STOP)
        return lambda - (row->C - w->halfway.target[i]) / (k * A);
    return lambda - (y - row->u) / A;
}

/* The impulse of the second tangent of a cone, and of the first one with it. */
static double row_within_cone(xpbd_work *w, size_t i, double next)
{
    const dls_problem *p = dls_stage_problem(w->halfway.simulation);
    const double *lambda = dls_stage_impulses(w->halfway.simulation), first = lambda[i - 1],
                 most = p->mu[i] * lambda[p->parent[i]], size = hypot(first, next);
    if (!(size > most))
        return next;
    if (row_response(w, i - 1) > 0.0)
        row_push(w, i - 1, first * (most / size - 1.0));
    return next * (most / size);
}

static void correct(xpbd_work *w, size_t i)
{
    const dls_problem *p = dls_stage_problem(w->halfway.simulation);
    const double *lambda = dls_stage_impulses(w->halfway.simulation), A = row_response(w, i);
    double lo, hi;
    if (!(A > 0.0) || isinf(A))
        return;
    dls_problem_bounds(p, i, lambda, &lo, &hi);
    double next = fmin(fmax(row_wants(w, i, A), lo), hi);
    if (p->law[i] == DLS_LAW_CONE && p->parent[i] + 2 == i) {
        next = row_within_cone(w, i, next);
        row_response(w, i);
    }
    row_push(w, i, next - lambda[i]);
}

/* --- a substep --- */

/* Targets and rebounds, from the rows at the start of the substep. */
static void put_targets(xpbd_work *w)
{
    const dls_problem *p = dls_stage_problem(w->halfway.simulation);
    const dls_row_list *rows = dls_simulation_rows(w->halfway.simulation);
    for (size_t i = 0; i < p->n; i++) {
        const dls_list_row *row = &rows->row[i];
        const bool rigid = dls_list_row_rigid(row, w->k), stop = row->role == DLS_ROLE_STOP;
        const double way = row->erp > 0.0 ? w->k * w->settings->push_speed : 0.0, left = fmax(fabs(row->C) - way, 0.0);
        w->halfway.target[i] = !rigid ? row->C : row->gap ? 0.0 : copysign(left, row->C);
        w->halfway.u[i] = stop && !row->gap ? row->u : 0.0;
    }
}

static dls_status sweep(xpbd_work *w, dls_error *error)
{
    dls_simulation *s = w->halfway.simulation;
    DLS_TRY(dls_stage_rows(s, w->rows, w->k, error));
    for (size_t i = 0, first = 0; i < w->rows->n; i++) {
        first = w->rows->row[i].owner == w->rows->row[first].owner ? first : i;
        DLS_TRY(dls_stage_renew_rows(s, w->rows, first, w->k, error));
        correct(w, i);
    }
    return DLS_OK;
}

/* The velocities v of rigid stops and of friction. */
static void velocity_pass(xpbd_work *w, double *v)
{
    const dls_problem *p = dls_stage_problem(w->halfway.simulation);
    double *lambda = dls_stage_impulses(w->halfway.simulation);
    const double *prescribed = dls_row_list_prescribed(w->rows);
    for (size_t i = 0; i < w->rows->n; i++) {
        const dls_list_row *row = &w->rows->row[i];
        const bool stop = row->role == DLS_ROLE_STOP && lambda[i] > 0.0;
        if (!(stop || row->role == DLS_ROLE_FRICTION) || !dls_list_row_rigid(row, w->k))
            continue;
        const double A = row_response(w, i), y = dls_rows_dot(&w->rows->J, i, v) + (prescribed ? prescribed[i] : 0.0);
        double lo, hi;
        if (!(A > 0.0) || isinf(A))
            continue;
        dls_problem_bounds(p, i, lambda, &lo, &hi);
        double next = fmin(fmax(lambda[i] - (y - (stop ? w->halfway.u[i] : row->u)) / A, lo), hi);
        if (p->law[i] == DLS_LAW_CONE && p->parent[i] + 2 == i) /* within the cone, whose first tangent stays */
            next = copysign(fmin(fabs(next), sqrt(fmax(hi * hi - lambda[i - 1] * lambda[i - 1], 0.0))), next);
        dls_rows_add_response(&w->rows->J, &p->mass, i, next - lambda[i], w->halfway.move, v);
        lambda[i] = next;
    }
}

static dls_status substep(xpbd_work *w, dls_error *error)
{
    dls_halfway *half = &w->halfway;
    dls_simulation *s = half->simulation;
    dls_problem *p = dls_stage_problem(s);
    DLS_TRY(dls_halfway_begin(half, error));
    put_targets(w);
    dls_stage_drop_bias(s, false);
    memset(dls_stage_impulses(s), 0, p->n * sizeof(double));
    const dls_energies before = dls_halfway_predict(half, w->k);
    for (size_t n = 0; n < w->settings->sweeps; n++)
        DLS_TRY(sweep(w, error));
    for (size_t j = 0; j < p->nv; j++)
        half->mean[j] /= w->k;
    velocity_pass(w, half->mean);
    dls_halfway_end(half, before);
    return DLS_OK;
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    xpbd_work *w = work;
    const size_t substeps = dls_stage_iterations(s);
    if (substeps == 0)
        return dls_fail(error, DLS_BAD_ARGUMENT, "xpbd needs at least one substep");
    DLS_TRY(dls_halfway_refuse_keep(s, "xpbd", error));
    w->settings = settings;
    w->k = h / (double)substeps;
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, w->k, error));
    DLS_TRY(dls_halfway_refuse_laws(s, "xpbd", error));
    for (size_t n = 0; n < substeps; n++) {
        if (n > 0)
            DLS_TRY(dls_stage_relinearise(s, w->k, error));
        DLS_TRY(substep(w, error));
    }
    dls_stage_report(s)->iterations = substeps * w->settings->sweeps;
    dls_report_end(dls_stage_report(s), DLS_OUTCOME_ITERATION_LIMIT, "%zu substeps of %zu sweeps", substeps,
                   w->settings->sweeps);
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_xpbd = {
    .name = "xpbd",
    .summary = "extended position based dynamics: as many substeps as the solver has iterations, with sweeps over the "
               "positions, row by row",
    .source = "Macklin, Mueller, Chentanez 2016; Mueller et al. 2020",
    .fields = DLS_FIELD_TABLE(fields, xpbd),
    .open = open_work,
    .close = close_work,
    .step = step,
};
