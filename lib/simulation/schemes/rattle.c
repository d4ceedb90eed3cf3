/* RATTLE: positions hold at the end of the step, and so do velocities. J.-P. Ryckaert, G. Ciccotti, H. J. C. Berendsen,
 * 1977 (SHAKE); H. C. Andersen, 1983 (RATTLE); E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2006,
 * VII.1.4. For rotations and unilateral rows as derived here.
 *
 * Two kicks of k = h / 2 around a drift of h:
 *     v_h = v + k M^-1 f(q, v_h) + M^-1 J^T lambda_1           such that  C(q+) = C(q), C(q+) >= min(C(q), 0) of stops
 *     q+  = q (+) h v_h
 *     v+  = v_h + k M_+^-1 f(q+, v_h) + M_+^-1 J_+^T lambda_2  such that  J_+ v+ = u, J_+ v+ >= u of closed stops
 * The second half is the first one backwards: the step is reversible in time, hence of ORDER 2, and its energy does not
 * drift but oscillates by O(h^2). Where M is constant and J and f depend on q alone (point masses, translations), it is
 * symplectic (B. Leimkuhler, R. Skeel, 1994); with rotations by the exponential map it is reversible only. C = 0
 * stays so within `tolerance`. An initial error, or the depth of an impact, is corrected by pseudo-velocities after the
 * drift, J s = -ERP C, as in split_impulse.c, if ERP C is larger than the tolerance.
 *
 * THE FIRST HALF is a nonlinear LCP in lambda_1. It is solved by a sequence of problems with the J and M of q:
 *     J v >= c_j,   c_{j+1} = J v_j - (C(q (+) h v_j) - target) / h
 * A solution of the sequence has J v = c, so the target is met. Newton's method would have J at q (+) h v_j on one side
 * of A, which then were not symmetric; with J of q on both sides the error decreases by O(h |v| |J'|) per problem.
 * Redundant rows contradict each other by rounding errors divided by h. So the rows of these problems have a compliance
 * that acts on the change of their impulse only, J v + gamma (lambda - lambda_j) = c_j (positions.c; the proximal point
 * method), and the sequence has the same limit. Velocities v_j enter f too. The impulses of one problem are the start
 * of the next.
 *
 * STOPS. In the first half an impulse lets a gap close at q+, and not earlier. In the second half those that are closed
 * at q+, or had an impulse, do not approach, or rebound with u from the speed before the step; others have none. An
 * impact is an error O(h) of the time at which it happens, so trajectories with impacts have order 1.
 *
 * SPRINGS have the mean position in both halves, f = push - kp (C + C+) / 2 - kd y_h with y_h the velocity of the row
 * in v_h: implicit in the first half, and a given force in the second, so that stiff springs are stable as in the
 * trapezoidal rule. Friction and motors act in each half, with bounds k times their force. After a step its problem and
 * impulses are those of the second half: lambda / (h / 2) is the force at the end of the step.
 */
#include "halfway.h"
#include "positions.h"

#include <math.h>
#include <string.h>

typedef struct rattle {
    size_t limit;
    double tolerance, compliance;
} rattle;

static const dls_field fields[] = {
    {"limit", "", DLS_FIELD_COUNT, offsetof(rattle, limit), "12", 1, 1e6, false, NULL,
     "greatest number of problems that are solved for the positions at the end of the step"},
    {"tolerance", "", DLS_FIELD_REAL, offsetof(rattle, tolerance), "1e-12", 0, HUGE_VAL, false, NULL,
     "greatest change of positions, and greatest error of a row beyond its target, that may remain [m, rad]"},
    DLS_POSITION_COMPLIANCE(rattle),
};

typedef struct rattle_work {
    dls_halfway halfway; /* mean: v_h; speed: the compliance of rows */
    dls_row_list *rows;  /* at q (+) h v_h */
    void *positions;
} rattle_work;

static dls_status open_work(dls_simulation *s, void **work, dls_error *error)
{
    DLS_TRY(dls_halfway_open(s, sizeof(rattle_work), work, error));
    DLS_TRY(dls_positions_open(s, &((rattle_work *)*work)->positions, error));
    return dls_row_list_create(&((rattle_work *)*work)->rows, error);
}

static void close_work(void *work)
{
    if (work) {
        dls_row_list_destroy(((rattle_work *)work)->rows);
        dls_positions_close(((rattle_work *)work)->positions);
    }
    dls_halfway_close(work);
}

static bool constrains_position(const dls_list_row *row)
{
    return row->role == DLS_ROLE_JOINT || row->role == DLS_ROLE_STOP;
}

/* Before the first problem of the first half: targets of C, or C itself of springs, the first c, and what stays. */
static void first_rows(dls_halfway *w, double compliance, double h)
{
    const dls_problem *p = dls_stage_problem(w->simulation);
    const dls_row_list *rows = dls_simulation_rows(w->simulation);
    const double *prescribed = dls_row_list_prescribed(rows);
    for (size_t i = 0; i < p->n; i++) {
        const dls_list_row *row = &rows->row[i];
        const bool stop = row->role == DLS_ROLE_STOP, holds = constrains_position(row);
        dls_spring_law law;
        w->speed[i] = holds ? compliance * dls_rows_response(&p->J, &p->mass, i, w->move, w->scratch) : 0.0;
        w->lo[i] = p->lo[i], w->hi[i] = p->hi[i];
        w->u[i] = row->gap ? 0.0 : row->u;
        w->target[i] = row->gap && !dls_row_spring_law(row, h, &law) ? 0.0 : row->C;
        w->c[i] = (w->target[i] - row->C) / h + (stop ? 0.0 : row->u) - (prescribed ? prescribed[i] : 0.0);
    }
}

/* The spring of a row in this step: while a gap closes its damper does not act. */
static bool spring_of(const dls_halfway *w, size_t i, double h, dls_spring_law *law)
{
    const dls_list_row *row = &dls_simulation_rows(w->simulation)->row[i];
    if (!dls_row_spring_law(row, h, law))
        return false;
    if (row->role == DLS_ROLE_STOP && w->target[i] > 0.0)
        law->push -= law->kd * row->u, law->kd = 0.0;
    return true;
}

/* The rows of a problem of the first half. */
static void put_rows(dls_halfway *w, double h)
{
    dls_problem *p = dls_stage_problem(w->simulation);
    const dls_row_list *rows = dls_simulation_rows(w->simulation);
    const double *prescribed = dls_row_list_prescribed(rows), *lambda = dls_stage_impulses(w->simulation);
    for (size_t i = 0; i < p->n; i++) {
        dls_list_row *row = &rows->row[i];
        dls_spring_law law;
        if (row->role == DLS_ROLE_STOP || row->role == DLS_ROLE_FRICTION)
            p->lo[i] = w->lo[i], p->hi[i] = w->hi[i];
        row->bias = 0.0;
        if (spring_of(w, i, h, &law)) {
            dls_halfway_put_spring(p, i, &law, 1.0, row->C, 0.0, prescribed ? prescribed[i] : 0.0);
            continue;
        }
        p->gamma[i] = w->speed[i];
        p->c[i] = w->c[i] + p->gamma[i] * lambda[i];
    }
}

/* The next c, from the rows at q (+) h mean; returns the largest error. */
static double next_rows(rattle_work *work, double h)
{
    dls_halfway *w = &work->halfway;
    const dls_problem *p = dls_stage_problem(w->simulation);
    const dls_row_list *rows = dls_simulation_rows(w->simulation);
    const double *prescribed = dls_row_list_prescribed(rows), *lambda = dls_stage_impulses(w->simulation);
    double worst = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        const dls_list_row *row = &rows->row[i];
        dls_spring_law law;
        if (!constrains_position(row) || dls_row_spring_law(row, h, &law))
            continue;
        const double off = work->rows->row[i].C + h * (prescribed ? prescribed[i] : 0.0) - w->target[i];
        const bool lower = p->lo[i] == p->hi[i] || (lambda[i] <= p->lo[i] && off > 0.0),
                   upper = lambda[i] >= p->hi[i] && off < 0.0;
        w->c[i] = dls_rows_dot(&p->J, i, w->mean) - off / h;
        if (!lower && !upper)
            worst = fmax(worst, fabs(off));
    }
    return worst;
}

/* Removes the compliance of rigid rows, for the ledger. */
static void rigid_again(dls_halfway *w)
{
    dls_problem *p = dls_stage_problem(w->simulation);
    const dls_row_list *rows = dls_simulation_rows(w->simulation);
    for (size_t i = 0; i < p->n; i++)
        if (dls_list_row_rigid(&rows->row[i], p->h))
            p->gamma[i] = 0.0;
}

/* One problem of the first half; `left` becomes the larger one of the change of positions and the error of rows. */
static dls_status first_half(rattle_work *work, double h, double *left, dls_error *error)
{
    dls_halfway *w = &work->halfway;
    dls_simulation *s = w->simulation;
    put_rows(w, h);
    DLS_TRY(dls_stage_solve(s, dls_stage_iterations(s), error));
    dls_problem_velocity(dls_stage_problem(s), dls_stage_impulses(s), w->v, w->scratch);
    *left = 0.0;
    for (size_t k = 0; k < dls_stage_problem(s)->nv; k++) {
        *left = fmax(*left, h * fabs(w->v[k] - w->mean[k]));
        w->mean[k] = w->v[k];
    }
    rigid_again(w);
    dls_halfway_place(w, h);
    DLS_TRY(dls_stage_rows(s, work->rows, 0.5 * h, error));
    *left = fmax(*left, next_rows(work, h));
    dls_stage_return(s);
    return DLS_OK;
}

/* The rows of the second half; its impulses are still those of the first one. */
static void last_rows(dls_halfway *w, double h)
{
    dls_problem *p = dls_stage_problem(w->simulation);
    const dls_row_list *rows = dls_simulation_rows(w->simulation);
    const double *prescribed = dls_row_list_prescribed(rows), *v = dls_simulation_state(w->simulation)->v;
    double *lambda = dls_stage_impulses(w->simulation);
    for (size_t i = 0; i < p->n; i++) {
        dls_list_row *row = &rows->row[i];
        const double given = prescribed ? prescribed[i] : 0.0;
        dls_spring_law law;
        row->bias = 0.0;
        if (spring_of(w, i, h, &law)) {
            const double speed = dls_rows_dot(&p->J, i, v) + given,
                         force = law.push - 0.5 * law.kp * (w->target[i] + row->C) - law.kd * speed;
            p->lo[i] = p->hi[i] = lambda[i] = fmin(fmax(p->h * force, p->lo[i]), p->hi[i]);
            continue;
        }
        if (row->role == DLS_ROLE_STOP && row->C > 0.0 && !(lambda[i] > 0.0))
            p->lo[i] = p->hi[i] = lambda[i] = 0.0;
        if (row->role == DLS_ROLE_STOP)
            row->u = fmax(row->u, w->u[i]);
        p->c[i] = row->u - given;
    }
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    const rattle *set = settings;
    rattle_work *w = work;
    double left = HUGE_VAL;
    DLS_TRY(dls_halfway_refuse_keep(s, "rattle", error));
    dls_stage_begin(s);
    dls_stage_reach(s, h);
    DLS_TRY(dls_stage_linearise(s, 0.5 * h, error));
    DLS_TRY(dls_halfway_begin(&w->halfway, error));
    first_rows(&w->halfway, set->compliance, h);
    for (size_t j = 0; j < set->limit && left > set->tolerance; j++) {
        if (j > 0)
            DLS_TRY(dls_stage_linearise_at(s, w->halfway.mean, 0.5 * h, error));
        DLS_TRY(first_half(w, h, &left, error));
    }
    dls_stage_kick(s);
    dls_stage_drift(s, h);
    DLS_TRY(dls_positions_correct(w->positions, set->tolerance, set->compliance, h, error));
    DLS_TRY(dls_stage_linearise_at(s, w->halfway.mean, 0.5 * h, error));
    last_rows(&w->halfway, h);
    DLS_TRY(dls_stage_solve(s, dls_stage_iterations(s), error));
    dls_stage_kick(s);
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_rattle = {
    .name = "rattle",
    .summary = "RATTLE: constraints hold for positions and velocities at the end of the step; of second order",
    .source = "Ryckaert, Ciccotti, Berendsen 1977; Andersen 1983; Hairer, Lubich, Wanner, VII.1.4",
    .fields = DLS_FIELD_TABLE(fields, rattle),
    .open = open_work,
    .close = close_work,
    .step = step,
};
