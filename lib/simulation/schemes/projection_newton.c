/* Full projection in the mass metric, by Newton's method. E. Hairer, C. Lubich, G. Wanner, Geometric Numerical
 * Integration, IV.4 and VII.1 (projection methods); M. B. Cline, D. K. Pai, Post-stabilization for rigid body
 * simulation with contact and constraints, 2003.
 *
 * A step at the velocity level, then the nearest q with C(q) = 0 (C >= 0 for stops) in the kinetic metric dq^T M dq:
 *     v+ = v* + M^-1 J^T lambda,  J v+ >= u          without the bias
 *     q_0 = q (+) h v+
 *     J_k s = -C(q_k),  s = M_k^-1 J_k^T sigma,  q_{k+1} = q_k (+) s        k = 0, 1, ...: all rows and M re-evaluated
 * until no |C| (no -C of a stop) exceeds the tolerance. Each iteration solves a problem of the usual form, with v* = 0
 * and c = -C, by the solver of the scheme: with a direct solver this is Newton's method, which squares the error in
 * each iteration; an iterative solver leaves a larger error and needs more iterations. s is in the range of M^-1 J^T:
 * it is the smallest correction, does not move the centre of mass and does not enter v. ERP determines only whether a
 * row is corrected: with ERP 0 its C is held constant. A gap may close, but not become negative.
 *
 * REDUNDANT rows may contradict each other within `compliance` (positions.c). A share of about
 * compliance times the condition number of A remains of the error in each iteration; the limit is the same, since C = 0
 * and sigma = 0 there. With compliance 0 it is Newton's method itself.
 */
#include "positions.h"

#include <math.h>

typedef struct projection_newton {
    size_t limit;
    double tolerance, compliance;
} projection_newton;

static const dls_field fields[] = {
    {"limit", "", DLS_FIELD_COUNT, offsetof(projection_newton, limit), "10", 1, 1e6, false, NULL,
     "greatest number of Newton steps per time step"},
    {"tolerance", "", DLS_FIELD_REAL, offsetof(projection_newton, tolerance), "1e-12", 0, HUGE_VAL, false, NULL,
     "largest position error of a row that may remain [m, rad]"},
    DLS_POSITION_COMPLIANCE(projection_newton),
};

/* c = -C of the rows in error; returns the largest error. */
static double put_errors(dls_positions *p)
{
    double worst = 0.0;
    for (size_t i = 0; i < p->rows->n; i++) {
        if (p->rows->row[i].bias == 0.0)
            continue;
        p->problem->c[i] = -p->rows->row[i].C;
        worst = fmax(worst, fabs(p->rows->row[i].C));
    }
    return worst;
}

static dls_status project(dls_positions *p, const projection_newton *settings, double h, dls_error *error)
{
    dls_report *report = dls_stage_report(p->simulation);
    for (size_t k = 0;; k++) {
        DLS_TRY(dls_positions_assemble(p, h, error));
        double worst = put_errors(p);
        if (worst <= settings->tolerance)
            return DLS_OK;
        if (k == settings->limit) {
            dls_report_end(report, DLS_OUTCOME_ITERATION_LIMIT, "after %zu Newton steps positions are %.3g off", k,
                           worst);
            return DLS_OK;
        }
        DLS_TRY(dls_positions_solve(p, settings->compliance, error));
        dls_outcome outcome = p->report.outcome;
        if (dls_outcome_failed(outcome)) {
            dls_report_end(report, outcome, "projection, positions %.3g off: %.100s", worst, p->report.message);
            return DLS_OK;
        }
        dls_stage_displace(p->simulation, p->displacement);
    }
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, h, error));
    dls_stage_drop_bias(s, false);
    DLS_TRY(dls_stage_solve(s, dls_stage_iterations(s), error));
    dls_stage_kick(s);
    dls_stage_drift(s, h);
    dls_energies before = dls_stage_energies(s);
    DLS_TRY(project(work, settings, h, error));
    dls_stage_count_correction(s, before);
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_projection_newton = {
    .name = "projection-newton",
    .summary = "a solve at the velocity level, then projection to the nearest positions without error in the mass "
               "metric; one solve per Newton step",
    .source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.4; Cline, Pai 2003",
    .fields = DLS_FIELD_TABLE(fields, projection_newton),
    .open = dls_positions_open,
    .close = dls_positions_close,
    .step = step,
};
