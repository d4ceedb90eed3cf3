/* Semi-implicit (symplectic) Euler: conventions (1), (2), (6).
 *
 *     v* = v + h M^-1 (f_ext - f_bias)      in the problem
 *     v+ = v* + M^-1 J^T lambda             lambda by the solver
 *     q+ = q (+) h v+
 */
#include "delassus/scheme.h"

typedef struct euler { char unused; } euler;

static dls_status step(dls_stepper *s, const void *settings, double h, dls_error *error)
{
    (void)settings;
    DLS_TRY(dls_stepper_linearise(s, h, error));
    DLS_TRY(dls_solve(s->solver, s->problem, s->settings, s->iterations, s->lambda, &s->report, NULL, NULL, error));
    if (s->report.outcome == DLS_OUTCOME_REFUSED)
        return dls_fail(error, DLS_REFUSED, "%s refuses the step's problem: %s", s->solver->name, s->report.message);
    dls_stepper_advance(s, h);
    return dls_state_check(s->model, s->state, error);
}

const dls_scheme dls_scheme_euler = {
    .name = "euler",
    .summary = "semi-implicit Euler, one linearisation and one solve a step",
    .source = "temporal-coherence, Time Stepping (corrected sign)",
    .fields = {NULL, 0, sizeof(euler)},
    .step = step,
};
