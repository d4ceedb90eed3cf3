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
 * REFRESH. The quantities that are re-evaluated, besides c, before iteration n + 1, at q_n:
 *     bias         nothing
 *     jacobian     J, and the denominators with it
 *     responses    M, and with it the responses M^-1 J^T and the denominators
 *     all          both: every iteration is a step of its own linearisation
 * Iteration n changes the impulses by d_n, and v_n = v_{n-1} + M_{n-1}^-1 J_{n-1}^T d_n: each impulse acts at the
 * positions of its own iteration, and lambda, to which the bounds apply, is the sum of all d_n. The forces of v* act
 * once, at the start; a spring given per unit of effective mass uses the current effective mass of its row.
 * The problem after a step is the last one, with v* = v_{N-1} - M^-1 J^T lambda_{N-1}.
 *
 * A quantity that is not re-evaluated has an error O(h), since it changes by about |q'| h in a step. The impulses of a
 * step are O(h) once J v = u holds, so the error of v is O(h^2) per step and that of q is O(h) after a given time, as
 * for the scheme itself: the constant changes and the order does not. A single row with a constant J has no such error:
 * one iteration solves it, and the others do not change it. Measured (tests/test_refresh.c): bias differs from all by
 * 0.3 % of the error of the scheme for an arm with a mimic joint and a spring, and by 0.5 % for a pendulum. Large
 * errors are different: corrections along an old J add energy to rotating bodies, and a chain of ten balls at 16
 * iterations with time_base=substep gains 8.4 J in a second with bias, 0.3 J with jacobian or all. If J and M are
 * constant, all four give the same bytes; if only J is, bias and jacobian do, and responses and all; if only M is, bias
 * and responses do, and jacobian and all.
 *
 * TIME BASE of the bias, which the source does not specify: c = -(ERP / T) C_n + u. A single error moves by (h / N) c:
 *     T = h        C_n = (1 - ERP / N) C_{n-1}     (1 - ERP / N)^N per step: e^-ERP for many iterations
 *     T = h / N    C_n = (1 - ERP) C_{n-1}         (1 - ERP)^N per step: ERP 1 removes it at once, N times as fast
 *
 * INDEPENDENT of T: lambda is the impulse of the whole step, whatever iteration it belongs to, since v* contains all of
 * h f_ext from the first iteration on. So lambda / h is the mean force of the step: force bounds are h lo and h hi, and
 * the compliance of this force is Gamma = CFM / h. A spring and damper has ERP = T kp / (T kp + kd) and
 * CFM = 1 / (T kp + kd):
 *     J v + CFM lambda / h + (ERP / T) C_n = 0     <=>     lambda / h = -kp (C_n + T J v) - kd J v
 * and for T = h / N, C_n + T J v is C_{n+1}: the force at the position at the end of the iteration. With T = h it is
 * the force at a position that is farther by (N - 1) / N h J v, with more damping than given.
 *
 * A GAP is not an error and has the time base h / N in both cases: J v >= -C_n / (h / N) allows it to close before the
 * next evaluation, and no impulse acts before it is closed. With T = h the row would brake a body at N times the
 * distance. A row whose impulse was too large reduces it while its lambda remains positive.
 *
 * Restitution uses the speed before the step, detected contacts keep their points on the bodies, friction its bounds.
 * Errors of the first iterations have moved the bodies: with all of h g in v*, by up to h^2 g / N per step. The bias
 * corrects this; friction has no reference position, and bodies that rest on it creep.
 *
 * ENERGY. Positions move with the mean velocity of the iterations, and the impulses of iteration n are those up to n.
 * Let theta be the mean of lambda_n over its last value lambda_N: 1 if the first sweep solves the problem, less if the
 * impulses grow from sweep to sweep. A small oscillation across a taut constraint, of angular frequency w (a pendulum,
 * w^2 = g / L, or a mode of a chain), is drawn back by its tension with the J of the start of the step:
 *     v+ = v - h w^2 x,   x+ = x + h (v + theta (v+ - v))
 * This map has the determinant 1 + (1 - theta) (h w)^2, so the amplitude grows at the rate (1 - theta) w^2 h / 2, and
 * the energy at twice this rate: without limit, whatever the ERP is. Exactly, a^2 = x^2 - theta h x v + (v / w)^2 is
 * multiplied by the determinant. At rest the mean velocity is 0, so a load that hangs shows theta by its velocity (1 -
 * theta) h g. Measured with under-relaxed sweeps (tests/test_unconverged.c): theta from 0.69 to 1, and the rate as
 * by the law to 1e-3 of it. refresh=jacobian removes this gain, since each impulse then acts along its own J.
 */
#include "delassus/simulation.h"

#include <stdlib.h>
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

/* The work: velocities before and after an iteration, nv each. */
static dls_status open(dls_simulation *s, void **work, dls_error *error)
{
    const size_t nv = dls_model_count(dls_simulation_model(s)).nv;
    *work = calloc(2 * nv + 1, sizeof(double));
    return *work ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for %zu velocities", nv);
}

/* Evaluates c, and the quantities of the setting, at q_n before iteration n + 1. */
static dls_status refresh(dls_simulation *s, const tgs *set, dls_time_base T, dls_error *error)
{
    const dls_solver_work *solving = dls_stage_solver(s);
    if (set->refresh != BIAS)
        return dls_stage_renew(s, T, renewals[set->refresh], error);
    dls_stage_refresh(s, T);
    solving->solver->refresh(solving->work, dls_stage_problem(s)->c);
    return DLS_OK;
}

static dls_status iterate(dls_simulation *s, const tgs *set, double *v0, dls_time_base T, dls_error *error)
{
    const dls_solver_work *solving = dls_stage_solver(s);
    const dls_solver *solver = solving->solver;
    const size_t nv = dls_stage_problem(s)->nv, iterations = dls_stage_iterations(s);
    dls_report *report = dls_stage_report(s);
    double *v1 = v0 + nv;
    for (size_t n = 0; n < iterations; n++) {
        if (n > 0)
            DLS_TRY(refresh(s, set, T, error));
        memcpy(v0, dls_simulation_state(s)->v, nv * sizeof *v0);
        DLS_TRY(solver->iterate(solving->work, report, error));
        DLS_TRY(dls_stage_check_solved(s, error));
        if (report->outcome != DLS_OUTCOME_RUNNING)
            return dls_fail(error, DLS_REFUSED, "%s ended in iteration %zu of %zu (%s); tgs needs them all",
                            solver->name, n + 1, iterations, report->message);
        solver->velocity(solving->work, v1);
        solver->read(solving->work, dls_stage_impulses(s));
        dls_stage_set_velocity(s, v1);
        if (set->refresh != BIAS)
            dls_stage_count_impulses(s, v0, n > 0 ? dls_stage_earlier_impulses(s) : NULL);
        dls_stage_drift(s, T.gap);
    }
    dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT, "%zu iterations", report->iterations);
    return DLS_OK;
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    const tgs *set = settings;
    const dls_solver *solver = dls_stage_solver(s)->solver;
    const double part = h / (double)dls_stage_iterations(s);
    const dls_time_base T = {set->time_base == SUBSTEP ? part : h, part};
    if (!solver->refresh)
        return dls_fail(error, DLS_REFUSED,
                        "tgs moves the bodies between the iterations of its solver, and %s has none "
                        "to move them between; take an iterative solver, or the scheme euler",
                        solver->name);
    if (set->refresh != BIAS && !solver->renew)
        return dls_fail(error, DLS_REFUSED, "%s cannot take other rows between its iterations; take refresh=bias",
                        solver->name);
    if (dls_stage_iterations(s) == 0)
        return dls_fail(error, DLS_BAD_ARGUMENT, "tgs needs at least one iteration a step");
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    dls_stage_refresh(s, T);
    DLS_TRY(dls_stage_load(s, error));
    DLS_TRY(iterate(s, set, work, T, error));
    if (set->refresh == BIAS)
        dls_stage_count_impulses(s, dls_stage_start(s)->v, NULL);
    return dls_stage_end(s, h, error);
}

/* Over the whole step, so far as the error is small of second order; a plumb line of ten balls has the threshold of
 * semi-implicit Euler. With the time base of the substep the condition is another one. */
static double feedback(const void *settings, double erp)
{
    return ((const tgs *)settings)->time_base == STEP ? erp : 0.0;
}

const dls_scheme dls_scheme_tgs = {
    .name = "tgs",
    .summary =
        "temporal Gauss-Seidel: positions move, and errors are re-evaluated, after every iteration of the solver",
    .source = "mimic-joints, PGS and TGS Implementation",
    .fields = DLS_FIELD_TABLE(fields, tgs),
    .open = open,
    .close = free,
    .step = step,
    .feedback = feedback,
};
