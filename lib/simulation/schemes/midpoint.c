/* Implicit midpoint rule, with an impact law and with positions apart. E. Hairer, C. Lubich, G. Wanner, Geometric
 * Numerical Integration, 2006, II.1.1 and VII.1; the rows are derived here.
 *
 * Forces, M, J and contacts are those of the middle of the step:
 *     v_m = (v + v+) / 2,   q_m = q (+) (h / 2) v_m,   q+ = q (+) h v_m
 *     v+ = v + h M_m^-1 f(q_m, v_m) + M_m^-1 J_m^T lambda
 * v_m is found by fixed-point iteration from v: `passes` times one linearisation and one solve. The first pass has f(q
 * (+) h/2 v, v), with an error O(h^2) of v+ if f depends on v; two are enough for the order, and more of them for
 * energy.
 *
 * ROWS. J_m v_m = 0 for a joint, as the rule itself has it, holds C to O(h^3) per step, and its impulses do no work.
 * But it leaves J v+ = -J v: an error of the velocity, as that of a body which is caught, swings without end, and each
 * stop is elastic. The row here is
 *     J_m v_m = (u + J v) / 2      so that      J+ v+ = u + O(h^2)
 * with J v at q: the mean of the velocity before and of the target. For J v = 0 and u = 0 it is the rule itself, and an
 * error of the velocity ends in one step: with d_n = J_n v_n the trapezoidal rule gives J_m v_m = (d_n + d_{n+1}) / 2 +
 * O(h^2), hence d_{n+1} = u + O(h^2), which does not depend on d_n and does not add up. In v+ the row is J_m v+ = u + J
 * v - J_m v. Work of a joint's impulses: lambda d_n / 2 = O(h^3) per step, so energy drifts as O(h^2) over time. Stops,
 * friction and motors have the same row. Stops act if their gap is closed in the middle of the step (halfway.c).
 *
 * POSITIONS. C+ = C + h d_n / 2 + O(h^3) = C + O(h^3). What adds up, O(h^2) over time, and the depth of impacts, is
 * corrected after the step by pseudo-velocities, as in split_impulse.c: J s = -ERP C at q+. They do not change v.
 *
 * ORDER 2 on smooth motion: the rule is symmetric, and the rows change it by O(h^3). Springs have theta = 1/2. The
 * world's gyroscopic and Coriolis forces must be explicit, as they are by default: the fixed-point iteration makes them
 * implicit in v_m, while those that are implicit by themselves are of first order. Kinematic bodies are at their places
 * at the start of the step.
 */
#include "halfway.h"
#include "positions.h"

#include <string.h>

typedef struct midpoint {
    size_t passes;
    double compliance;
} midpoint;

static const dls_field fields[] = {
    {"passes", "", DLS_FIELD_COUNT, offsetof(midpoint, passes), "3", 1, 1e6, false, NULL,
     "number of fixed-point iterations per step, each with one linearisation and one solve"},
    DLS_POSITION_COMPLIANCE(midpoint),
};

typedef struct midpoint_work {
    dls_halfway halfway;
    void *positions;
} midpoint_work;

static dls_status open_work(dls_simulation *s, void **work, dls_error *error)
{
    DLS_TRY(dls_halfway_open(s, sizeof(midpoint_work), work, error));
    return dls_positions_open(s, &((midpoint_work *)*work)->positions, error);
}

static void close_work(void *work)
{
    if (work)
        dls_positions_close(((midpoint_work *)work)->positions);
    dls_halfway_close(work);
}

/* The rows of the problem, which was linearised at q (+) h/2 mean, in v+. */
static void put_rows(dls_halfway *w)
{
    dls_problem *p = dls_stage_problem(w->simulation);
    const dls_row_list *rows = dls_simulation_rows(w->simulation);
    const double *prescribed = dls_row_list_prescribed(rows), *v = dls_stage_start(w->simulation)->v;
    for (size_t i = 0; i < p->n; i++) {
        const double given = prescribed ? prescribed[i] : 0.0, speed = dls_rows_dot(&p->J, i, v) + given;
        dls_spring_law law;
        rows->row[i].bias = 0.0;
        if (dls_row_spring_law(&rows->row[i], p->h, &law)) {
            const double mean = dls_rows_dot(&p->J, i, w->mean);
            dls_halfway_put_spring(p, i, &law, 0.5, rows->row[i].C + 0.5 * p->h * (speed - mean), speed, given);
        } else
            p->c[i] = rows->row[i].u + w->speed[i] - speed - given;
    }
}

static dls_status pass(dls_halfway *w, bool first, double h, dls_error *error)
{
    dls_simulation *s = w->simulation;
    const double *v = dls_stage_start(s)->v;
    if (!first)
        dls_stage_return(s);
    dls_halfway_place(w, 0.5 * h);
    DLS_TRY(dls_stage_linearise_at(s, w->mean, h, error));
    dls_halfway_keep(w, first, 0.5 * h);
    put_rows(w);
    DLS_TRY(dls_stage_solve(s, dls_stage_iterations(s), error));
    dls_problem_velocity(dls_stage_problem(s), dls_stage_impulses(s), w->v, w->scratch);
    for (size_t k = 0; k < dls_stage_problem(s)->nv; k++)
        w->mean[k] = 0.5 * (v[k] + w->v[k]);
    return DLS_OK;
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    const midpoint *set = settings;
    midpoint_work *w = work;
    DLS_TRY(dls_halfway_refuse_keep(s, "midpoint", error));
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    DLS_TRY(dls_halfway_begin(&w->halfway, error));
    for (size_t n = 0; n < set->passes; n++)
        DLS_TRY(pass(&w->halfway, n == 0, h, error));
    dls_stage_return(s);
    dls_stage_set_velocity(s, w->halfway.v);
    dls_stage_count_impulses(s, dls_stage_start(s)->v, NULL);
    dls_stage_set_velocity(s, w->halfway.mean);
    dls_stage_drift(s, h);
    dls_stage_set_velocity(s, w->halfway.v);
    DLS_TRY(dls_positions_correct(w->positions, 0.0, set->compliance, h, error));
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_midpoint = {
    .name = "midpoint",
    .summary = "implicit midpoint rule by fixed-point iteration, of second order; pseudo-velocities correct positions",
    .source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1",
    .fields = DLS_FIELD_TABLE(fields, midpoint),
    .open = open_work,
    .close = close_work,
    .step = step,
};
