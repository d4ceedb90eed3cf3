/* Small steps: N substeps of one iteration each, in place of one step with N iterations; with relaxation, "soft
 * steps". M. Macklin, K. Storey, M. Lu, P. Terdiman, N. Chentanez, S. Jeschke, M. Mueller, Small steps in physics
 * simulation, 2019; E. Catto, Solver2D, 2024 (relaxation).
 *
 *     contacts are detected once; N = the solver's iterations; k = h / N; lambda = 0
 *     N times:   rows, M and v* at q, for k
 *                one iteration of the solver from 0 (or from lambda): lambda, v = v* + M^-1 J^T lambda
 *                q <- q (+) k v
 *                `relax` more iterations with c without the bias: lambda, v
 * The error of integration decreases as k^2, while that of the solver decreases only as 1/N or a power of the rate: N
 * small steps are more accurate than N iterations. After a step, its problem and impulses are those of the last
 * substep.
 *
 * RELAXATION. To move positions, the bias adds the velocity ERP C / k to v, N times that of a whole step; once the
 * positions have moved, it should not remain in v. The following sweeps have the targets J v = u, or J v >= u, and
 * remove it from impulses and velocities. Rows with compliance and gaps keep their c, since the force of a spring is
 * not an error. So for a single row v and lambda are those without a bias. Contacts need it: without relaxation a box
 * keeps the velocity that pushed it out (ten boxes, 4 ms, 20 substeps: from 98 J to 1.4 MJ within a second; with relax
 * 1, to 111 J).
 *
 * WARM START of a substep from the impulses of the previous one, as an option. Without relaxation the impulses contain
 * the bias; carrying them over applies it again and again, a feedback that integrates the error and is not damped by
 * one sweep per substep. Relaxed impulses are those that hold the rows; but one sweep may not relax a loop of rigid
 * rows, and then they diverge nevertheless (a four-bar loop with relax 1 gains energy without limit; with relax 2 its
 * error is a quarter of that of a cold start). Rows with compliance damp their impulses and are stable, as in Solver2D,
 * where all rows have some compliance. A step begins from 0, or from its warm start (lib/simulation/warm.c).
 *
 * THE LAW OF N SUBSTEPS. One row, solved exactly by its iteration, with effective mass m, driving force f and position
 * C: with kp and kd a substep is implicit Euler over k (conventions, Spring and damper), with any relaxation:
 *     [C, v]+ = P [C, v] + (f / kp) (...),  P = 1 / D [m + k kd, k m; -k kp, m],  D = m + k kd + k^2 kp
 * about the rest position C = f / kp. det P = m / D and tr P = (2 m + k kd) / D, so by Cayley and Hamilton P^N is
 *     P^N = a_N P - (m / D) a_{N-1} 1,   a_n = r^{n-1} sin(n t) / sin(t),  r = sqrt(m / D),  cos(t) = tr P / (2 r)
 * (for overcritical damping sinh and cosh). So N substeps of a spring given by kp, kd are N steps of implicit Euler
 * over h/N: the numerical damping, which to leading order is an additional kd of k kp, is 1/N of that of one step. A
 * spring given by values of ERP and CFM is a DIFFERENT spring for each k: from ERP = k kp / (k kp + kd), CFM = 1 / (k
 * kp + kd),
 *     kp = ERP / (k CFM) = N ERP / (h CFM),    kd = (1 - ERP) / CFM
 * N times the stiffness and the same damping. tests/test_springs.c has both.
 *
 * RESTITUTION depends on the speed at the start of the substep in which the gap has closed: no additional pass is
 * needed, and the threshold is max(threshold, k g).
 */
#include "delassus/scheme.h"

#include <string.h>

typedef struct small_steps {
    size_t relax;
    bool warm;
} small_steps;

static const dls_field fields[] = {
    {"relax", "", DLS_FIELD_COUNT, offsetof(small_steps, relax), "0", 0, 1e6, false, NULL,
     "number of iterations without the bias after the positions have moved, per substep"},
    {"warm", "", DLS_FIELD_BOOL, offsetof(small_steps, warm), "false", 0, 0, false, NULL,
     "each substep begins with the impulses of the previous substep"},
};

static dls_status substep(dls_simulation *s, size_t relaxations, double k, size_t *iterations, dls_error *error)
{
    DLS_TRY(dls_stage_solve(s, 1, error));
    dls_stage_kick(s);
    dls_stage_drift(s, k);
    if (relaxations > 0)
        DLS_TRY(dls_stage_relax(s, relaxations, error));
    *iterations += dls_stage_report(s)->iterations;
    return DLS_OK;
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    const small_steps *set = settings;
    (void)work;
    size_t iterations = 0, substeps = dls_stage_iterations(s);
    double k = h / (double)substeps;
    if (substeps == 0)
        return dls_fail(error, DLS_BAD_ARGUMENT, "small-steps needs at least one substep");
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, k, error));
    for (size_t n = 0; n < substeps; n++) {
        if (n > 0)
            DLS_TRY(dls_stage_relinearise(s, k, error));
        if (n > 0 && !set->warm)
            memset(dls_stage_impulses(s), 0, dls_stage_problem(s)->n * sizeof(double));
        DLS_TRY(substep(s, set->relax, k, &iterations, error));
    }
    dls_stage_report(s)->iterations = iterations;
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_small_steps = {
    .name = "small-steps",
    .summary = "as many substeps as the solver has iterations, with one iteration each; with or without relaxation",
    .source = "Macklin et al. 2019; Catto, Solver2D, 2024",
    .fields = DLS_FIELD_TABLE(fields, small_steps),
    .step = step,
};
