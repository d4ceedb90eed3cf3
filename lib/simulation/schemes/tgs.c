/* Temporal Gauss-Seidel: N iterations in a step, positions moved after each.
 * mimic-joints, PGS and TGS Implementation; conventions, TGS.
 *
 *     v_0 = v* = v + h M^-1 (f_ext - f_bias),  lambda = 0
 *     for n = 1 .. N:   c from C(q_{n-1});  one iteration of the solver: lambda, v_n;  q_n = q_{n-1} (+) (h / N) v_n
 *     v+ = v_N
 *
 * M, J and with them the denominators of the iteration are those of the step's start (the source's approximation), so
 * the impulses add up over the step: v_n = v* + M^-1 J^T lambda throughout. The problem that a step leaves behind has
 * the last c.
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
#include "simulation/parts.h"

typedef enum time_base { STEP, SUBSTEP } time_base;
typedef struct tgs {
    int time_base;
} tgs;

static const char *const time_bases[] = {"step", "substep", NULL};
static const dls_field fields[] = {
    {"time_base", "", DLS_FIELD_CHOICE, offsetof(tgs, time_base), "step", 0, 0, false, time_bases,
     "T of the bias ERP C / T: step, the whole h, or substep, h over the iterations"},
};

static dls_status iterate(dls_simulation *s, dls_time_base T, dls_error *error)
{
    void *work = s->solving.work;
    for (size_t n = 0; n < s->iterations; n++) {
        if (n > 0) {
            dls_stage_refresh(s, T);
            s->solver->refresh(work, s->problem->c);
        }
        DLS_TRY(s->solver->iterate(work, &s->report, error));
        if (s->report.outcome != DLS_OUTCOME_RUNNING)
            return dls_fail(error, DLS_REFUSED, "%s ended in iteration %zu of %zu (%s); tgs needs them all",
                            s->solver->name, n + 1, s->iterations, s->report.message);
        s->solver->velocity(work, s->state->v);
        dls_stage_drift(s, T.gap);
    }
    s->solver->read(work, s->lambda);
    dls_report_end(&s->report, DLS_OUTCOME_ITERATION_LIMIT, "%zu iterations", s->report.iterations);
    return DLS_OK;
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    const double part = h / (double)s->iterations;
    const dls_time_base T = {((const tgs *)settings)->time_base == SUBSTEP ? part : h, part};
    (void)work;
    if (!s->solver->refresh)
        return dls_fail(error, DLS_REFUSED,
                        "tgs moves the bodies between the iterations of its solver, and %s has none "
                        "to move them between; take an iterative solver, or the scheme euler",
                        s->solver->name);
    if (s->iterations == 0)
        return dls_fail(error, DLS_BAD_ARGUMENT, "tgs needs at least one iteration a step");
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    dls_stage_refresh(s, T);
    DLS_TRY(dls_solver_load(&s->solving, s->problem, s->lambda, &s->report, error));
    if (s->report.outcome == DLS_OUTCOME_REFUSED)
        return dls_fail(error, DLS_REFUSED, "%s refuses the step's problem: %s", s->solver->name, s->report.message);
    DLS_TRY(iterate(s, T, error));
    dls_stage_kicked(s, s->start->v);
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
