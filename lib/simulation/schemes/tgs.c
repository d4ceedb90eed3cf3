/* Temporal Gauss-Seidel: N iterations in a step, positions moved after each.
 * mimic-joints, PGS and TGS Implementation; conventions, TGS.
 *
 *     v_0 = v* = v + h M^-1 (f_ext - f_bias),  lambda = 0
 *     for n = 1 .. N:   c from C(q_{n-1});  one iteration of the solver: lambda, v_n;  q_n = q_{n-1} (+) (h / N) v_n
 *     v+ = v_N
 *
 * With refresh=bias M, J and with them the denominators of the iteration are those of the step's start, the source's
 * approximation, so the impulses add up over the step: v_n = v* + M^-1 J^T lambda throughout. The problem that a step
 * leaves behind has the last c.
 *
 * REFRESH. What follows the bodies, beside c, before iteration n + 1, at q_n:
 *     bias         nothing
 *     jacobian     J, and the denominators with it
 *     responses    M, and with it the responses M^-1 J^T and the denominators
 *     all          both: every iteration is a step of its own linearisation
 * Iteration n changes the impulses by d_n, and v_n = v_{n-1} + M_{n-1}^-1 J_{n-1}^T d_n: an impulse that has acted stays
 * where it acted, and lambda, which the bounds hold, is the sum of all d_n. The forces of v* act once, at the start;
 * a spring that is given for a unit of effective mass has the mass that its row has by then.
 * The problem that a step leaves behind is the last one, with v* = v_{N-1} - M^-1 J^T lambda_{N-1}.
 *
 * What is frozen is wrong by O(h) where it varies, for a step turns it by |q'| h. The impulses of a step are O(h) once
 * J v = u holds, so v is off by O(h^2) per step and q by O(h) after a given time, as by the scheme itself: the constant
 * changes and the order does not. A lone row with a constant J does not even see it: one iteration solves the row, and
 * the others have nothing left to do. Measured (tests/test_refresh.c): bias differs from all by 0.3 % of the error that
 * the scheme has anyway on an arm with a mimic joint and a spring, by 0.5 % on a pendulum. Where errors are large it is
 * not so: corrections along a J of before put energy into what turns, and a chain of ten balls at 16 iterations with
 * time_base=substep gains 8.4 J in a second with bias, 0.3 J with jacobian or all.
 * Where J and M are constant, all four have the same bytes; where J is, bias and jacobian have, and responses and all;
 * where M is, bias and responses, and jacobian and all.
 *
 * TIME BASE of the bias, which the source leaves open: c = -(ERP / T) C_n + u. A lone error moves by (h / N) c:
 *     T = h        C_n = (1 - ERP / N) C_{n-1}     (1 - ERP / N)^N a step: e^-ERP for many iterations, even with ERP
 *     1
 *     T = h / N    C_n = (1 - ERP) C_{n-1}         (1 - ERP)^N a step: ERP 1 removes it at once, N times as fast
 *
 * What does NOT depend on T. lambda is the impulse of the whole step, whichever iteration it came in, for v* has all
 * of h f_ext from the first one on. So lambda / h is the mean force of the step: force bounds are h lo and h hi, and
 * the compliance of that force is Gamma = CFM / h. A spring and damper has ERP = T kp / (T kp + kd) and CFM = 1 / (T
 * kp + kd):
 *     J v + CFM lambda / h + (ERP / T) C_n = 0     <=>     lambda / h = -kp (C_n + T J v) - kd J v
 * and for T = h / N, C_n + T J v is C_{n+1}: the force of the position that the iteration ends at. With T = h it is
 * that of a position (N - 1) / N h J v farther on, more damped than asked.
 *
 * A GAP is not in error and has the time base h / N with either choice: J v >= -C_n / (h / N) lets it close by the
 * next look, and no impulse acts before it has closed. Over h the row would brake a body N times too far away. A row
 * that has taken too much gives it back while its lambda stays positive.
 *
 * Restitution keeps the speed before the step, detected contacts keep their points on the bodies, friction its bounds.
 * What the first iterations get wrong has moved the bodies: with all of h g in v*, up to h^2 g / N of way a step. The
 * bias corrects that; friction has no position to go back to, and what rests on it creeps.
 */
#include "model/model.h"
#include "simulation/parts.h"

#include <string.h>

typedef enum time_base { STEP, SUBSTEP } time_base;
typedef struct tgs {
    int time_base, refresh;
} tgs;

static const char *const time_bases[] = {"step", "substep", NULL};
enum { BIAS };
static const char *const refreshes[] = {"bias", "jacobian", "responses", "all", NULL};
static const unsigned renewals[] = {0, DLS_RENEW_JACOBIAN, DLS_RENEW_RESPONSES,
                                    DLS_RENEW_JACOBIAN | DLS_RENEW_RESPONSES};
static const dls_field fields[] = {
    {"time_base", "", DLS_FIELD_CHOICE, offsetof(tgs, time_base), "step", 0, 0, false, time_bases,
     "time T of the bias ERP C / T; step: h; substep: h over the number of iterations"},
    {"refresh", "", DLS_FIELD_CHOICE, offsetof(tgs, refresh), "bias", 0, 0, false, refreshes,
     "what is re-evaluated between iterations; bias: the bias alone; jacobian: the bias and J; responses: the bias and "
     "M^-1 J^T as M changes; all: all of these"},
};

/* Everything before iteration n + 1 at q_n. */
static dls_status refresh(dls_simulation *s, const tgs *set, dls_time_base T, dls_error *error)
{
    if (set->refresh != BIAS)
        return dls_stage_renew(s, T, renewals[set->refresh], error);
    dls_stage_refresh(s, T);
    s->solver->refresh(s->solving.work, s->problem->c);
    return DLS_OK;
}

static dls_status iterate(dls_simulation *s, const tgs *set, dls_time_base T, dls_error *error)
{
    void *work = s->solving.work;
    for (size_t n = 0; n < s->iterations; n++) {
        if (n > 0)
            DLS_TRY(refresh(s, set, T, error));
        memcpy(s->before, s->state->v, s->model->nv * sizeof *s->before);
        DLS_TRY(s->solver->iterate(work, &s->report, error));
        if (s->report.outcome != DLS_OUTCOME_RUNNING)
            return dls_fail(error, DLS_REFUSED, "%s ended in iteration %zu of %zu (%s); tgs needs them all",
                            s->solver->name, n + 1, s->iterations, s->report.message);
        s->solver->velocity(work, s->state->v);
        s->solver->read(work, s->lambda);
        if (set->refresh != BIAS)
            dls_stage_kicked(s, s->before, n > 0 ? s->earlier : NULL);
        dls_stage_drift(s, T.gap);
    }
    dls_report_end(&s->report, DLS_OUTCOME_ITERATION_LIMIT, "%zu iterations", s->report.iterations);
    return DLS_OK;
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    const tgs *set = settings;
    const double part = h / (double)s->iterations;
    const dls_time_base T = {set->time_base == SUBSTEP ? part : h, part};
    (void)work;
    if (!s->solver->refresh)
        return dls_fail(error, DLS_REFUSED,
                        "tgs moves the bodies between the iterations of its solver, and %s has none "
                        "to move them between; take an iterative solver, or the scheme euler",
                        s->solver->name);
    if (set->refresh != BIAS && !s->solver->renew)
        return dls_fail(error, DLS_REFUSED, "%s cannot take other rows between its iterations; take refresh=bias",
                        s->solver->name);
    if (s->iterations == 0)
        return dls_fail(error, DLS_BAD_ARGUMENT, "tgs needs at least one iteration a step");
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    dls_stage_refresh(s, T);
    DLS_TRY(dls_solver_load(&s->solving, s->problem, s->lambda, &s->report, error));
    if (s->report.outcome == DLS_OUTCOME_REFUSED)
        return dls_fail(error, DLS_REFUSED, "%s refuses the step's problem: %s", s->solver->name, s->report.message);
    DLS_TRY(iterate(s, set, T, error));
    if (set->refresh == BIAS)
        dls_stage_kicked(s, s->start->v, NULL);
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_tgs = {
    .name = "tgs",
    .summary =
        "temporal Gauss-Seidel: positions move, and errors are re-evaluated, after every iteration of the solver",
    .source = "mimic-joints, PGS and TGS Implementation",
    .fields = DLS_FIELD_TABLE(fields, tgs),
    .step = step,
};
