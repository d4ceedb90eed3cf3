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
 * not an error. So for a single row v and lambda are those without a bias.
 *
 * ENERGY OF STOPS (contacts, limits). One sweep per substep leaves rows unsolved, and a stop sinks at some speed v for
 * n substeps, to the depth |C| = n k v. The bias ERP |C| / k = ERP n v is then faster than v for n > 1 / ERP, whatever
 * k is: each bounce multiplies the kinetic energy by (ERP n)^2, and ten boxes of 98 J come to 1e13 J in 2 s of 4 ms and
 * 20 substeps. So stops are pushed apart at most at the speed
 *     b = min(ERP |C| / k, r |C|, u),   r = push_rate, u = push_speed
 * which is at most v for a stop that sank for less than 1 / r, and never more than u. (Box2D v3 has a spring of 30 Hz
 * and damping ratio 10 in the place of r: w / (2 zeta + k w) = 9.4 / s for small k, and u = 3 m/s. Its compliance is
 * left out: the speed alone bounds the energy.) Let lambda solve J v >= b, lambda >= 0, lambda . (J v - b) = 0
 * with v = v* + d, d = M^-1 J^T lambda, and let e be any velocity with J e >= b. In the norm |v|^2 = v^T M v
 *     |v|^2 = |v*|^2 - |d|^2 + 2 lambda . b <= |v*|^2 - |d|^2 + 2 lambda . J e <= |v*|^2 - |d|^2 + 2 |d| |e|
 *          <= |v*|^2 + |e|^2
 * A substep adds at most the kinetic energy of the least motion e that separates all stops at b: without r and u this
 * is O(1/k^2), with them it is bounded for all k. The relaxation has b = 0, so |v|^2 = |v*|^2 - |d|^2: where it is
 * solved, the bias gives no kinetic energy at all, and potential energy only to lift k e what had sunk before. Sweeps
 * that are not converged keep a part of the first bound. Friction with J v = 0 only removes energy. Joints have no such
 * limit: their rows hold in both directions, and do not sink from one substep to the next.
 *
 * WARM START of a substep from the impulses of the previous one: of stops and friction by default. One sweep from zero
 * holds only a part of a pile, which then rests at the depth at which r |C| makes up for the rest, of order k g / r for
 * each box above: the wall of scenes/wall.yaml at 1/60 s and 4 substeps collapses from zero, and stands with warm
 * starts. Impulses with a bias in them are a feedback that integrates the error, and are damped by the share kappa of a
 * mode's error that a sweep removes if kappa > e / (1 + e) (experiments/coherence/law.c) with e the share of a depth
 * that is corrected: e = ERP for joints, and k r for stops, 0.002 at k = 0.2 ms. Relaxed impulses hold the rows and
 * have no bias; but one sweep may not relax a loop of rigid rows, and with warm=all they then diverge nevertheless (a
 * four-bar loop with relax 1 gains energy without limit; with relax 2 its error is a quarter of that of a cold start).
 * Rows with compliance damp their impulses and are stable. A step begins from 0, or from its warm start
 * (lib/simulation/warm.c).
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
#include "substeps.h"

#include <math.h>

typedef struct small_steps {
    size_t relax;
    int warm;
    double push_rate, push_speed;
} small_steps;

enum { NONE, STOPS, ALL };
static const char *const warms[] = {"none", "stops", "all", NULL};
static const dls_field fields[] = {
    {"relax", "", DLS_FIELD_COUNT, offsetof(small_steps, relax), "1", 0, 1e6, false, NULL,
     "number of iterations without the bias after the positions have moved, per substep"},
    {"warm", "", DLS_FIELD_CHOICE, offsetof(small_steps, warm), "stops", 0, 0, false, warms,
     "rows whose impulses each substep takes over from the previous one; stops: contacts and limits, and friction"},
    {"push_rate", "1/s", DLS_FIELD_REAL, offsetof(small_steps, push_rate), "10", 0, HUGE_VAL, false, NULL,
     "greatest speed at which stops that overlap are pushed apart, over their depth; inf: by their ERP alone"},
    {"push_speed", "m/s, rad/s", DLS_FIELD_REAL, offsetof(small_steps, push_speed), "3", 0, HUGE_VAL, false, NULL,
     "greatest speed at which stops that overlap are pushed apart"},
};

static void forget_impulses(dls_simulation *s, int warm)
{
    const dls_row_list *rows = dls_simulation_rows(s);
    for (size_t i = 0; i < rows->n; i++) {
        const bool stop = rows->row[i].role == DLS_ROLE_STOP || rows->row[i].role == DLS_ROLE_FRICTION;
        if (warm == NONE || (warm == STOPS && !stop))
            dls_stage_impulses(s)[i] = 0.0;
    }
}

/* Rows of a substep: limited biases, and the impulses from which it starts. */
static dls_status prepare(dls_simulation *s, void *context, size_t n, double k, dls_error *error)
{
    const small_steps *set = *(const small_steps *const *)context;
    (void)k, (void)error;
    dls_stage_limit_bias(s, set->push_rate, set->push_speed);
    if (n > 0)
        forget_impulses(s, set->warm);
    return DLS_OK;
}

static dls_status step(dls_simulation *s, const void *settings, void *work, double h, dls_error *error)
{
    const small_steps *set = settings;
    const dls_substeps substeps = {"small-steps", set->relax, &set, prepare, NULL};
    (void)work;
    DLS_TRY(dls_substeps_make(s, &substeps, h, error));
    return dls_stage_end(s, h, error);
}

const dls_scheme dls_scheme_small_steps = {
    .name = "small-steps",
    .summary = "as many substeps as the solver has iterations, with one iteration each; with or without relaxation",
    .source = "Macklin et al. 2019; Catto, Solver2D, 2024",
    .fields = DLS_FIELD_TABLE(fields, small_steps),
    .step = step,
};
