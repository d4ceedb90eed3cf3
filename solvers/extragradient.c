/* Korpelevich's extragradient method with a self-adaptive step.
 *
 *     F(lambda) = w + s(w),  w = A lambda + b,  s De Saxce's term
 *     trial = P(lambda - r D^-1 F(lambda)),    lambda' = P(lambda - r D^-1 F(trial))
 *
 * P projects onto the bounds and cones, D has one number per row or contact (dls_kit_steps). With the norm of D for
 * impulses, and of D^-1 for velocities, the step of an iteration must satisfy
 *
 *     ratio = r |F(lambda) - F(trial)| / |lambda - trial| <= nu < 1,
 *
 * or it becomes 2/3 min(1, 1 / ratio) r, and the trial is made again. Where ratio is at most `least`, the next
 * iteration begins with 3/2 r.
 *
 * If F is monotone and Lipschitz, which holds for fixed bounds and A + A^T semidefinite, then the distance to every
 * solution in the norm of D never grows, and the iterates converge to one (G. M. Korpelevich, 1976; E. N. Khobotov,
 * 1987): a matrix without symmetry, on which Gauss-Seidel may diverge, is no obstacle. The rate is linear (P. Tseng,
 * 1995), but no constant is known. There is no proof with bounds that follow a normal impulse, nor under Coulomb's
 * cone, where F is not monotone; on published problems it is slow, and failed rarely (V. Acary, M. Bremond and O.
 * Huber, 2018).
 */
#include "delassus/solver_kit.h"
#include "delassus/solvers.h"

#include <math.h>

typedef struct settings {
    double nu, least;
} settings;

static const dls_field fields[] = {
    {"nu", "", DLS_FIELD_REAL, offsetof(settings, nu), "0.9", 0, 1, true, NULL,
     "greatest r |F(lambda) - F(trial)| / |lambda - trial| of an accepted step"},
    {"least", "", DLS_FIELD_REAL, offsetof(settings, least), "0.3", 0, 1, false, NULL,
     "ratio up to which the step is enlarged"},
};

static const double reduction = 2.0 / 3.0, enlargement = 3.0 / 2.0;
enum { TRIALS = 60 }; /* of one iteration: the ratio falls with the step, unless it is not a number */
enum { STEPS, W, F, MOVE, TRIAL, SHIFT, VECTORS }; /* F: of lambda; TRIAL: F of the trial */

typedef struct extragradient {
    dls_kit kit;
    settings set;
    double r;
} extragradient;

static dls_status extragradient_start(void *work, dls_error *error)
{
    const dls_kit *kit = work;
    (void)error;
    dls_kit_steps(kit, kit->vector[STEPS]);
    return DLS_OK;
}

static dls_status extragradient_open(const dls_problem *problem, const void *set, const double *lambda0, void **work,
                                     dls_error *error)
{
    const dls_kit_plan plan = {
        .size = sizeof(extragradient), .vectors = VECTORS, .omega = 1.0, .start = extragradient_start};
    DLS_TRY(dls_kit_open(&plan, problem, lambda0, work, error));
    ((extragradient *)*work)->set = *(const settings *)set;
    return DLS_OK;
}

/* to = P(lambda - r D^-1 G) */
static void step_along(const extragradient *w, const double *G, double *to)
{
    const dls_kit *kit = &w->kit;
    for (size_t k = 0; k < kit->size; k++)
        to[k] = kit->lambda[k] - w->r * kit->vector[STEPS][k] * G[k];
    dls_kit_project(kit, to, to);
}

/* TRIAL = F(trial) for the present step; returns the ratio of the test, 0 for no move. */
static double try_step(extragradient *w, const double *residual)
{
    dls_kit *kit = &w->kit;
    const double *s = kit->vector[STEPS], *old = kit->vector[F];
    double *move = kit->vector[MOVE], *trial = kit->vector[TRIAL], *shift = kit->vector[SHIFT];
    double moved = 0.0, differs = 0.0;
    step_along(w, old, move);
    for (size_t k = 0; k < kit->size; k++)
        move[k] -= kit->lambda[k];
    dls_kit_multiply(kit, move, trial);
    for (size_t k = 0; k < kit->size; k++)
        trial[k] += residual[k];
    dls_kit_shift(kit, trial, shift);
    for (size_t k = 0; k < kit->size; k++) {
        trial[k] += shift[k];
        moved += s[k] > 0.0 ? move[k] * move[k] / s[k] : 0.0;
        differs += s[k] * (trial[k] - old[k]) * (trial[k] - old[k]);
    }
    return moved > 0.0 ? w->r * sqrt(differs / moved) : 0.0;
}

static dls_status extragradient_iterate(void *work, dls_report *report, dls_error *error)
{
    extragradient *w = work;
    dls_kit *kit = &w->kit;
    double *residual = kit->vector[W], *old = kit->vector[F], *next = kit->vector[MOVE];
    (void)error;
    w->r = kit->loaded ? 1.0 : w->r;
    dls_kit_residual(kit, residual);
    dls_kit_shift(kit, residual, old);
    for (size_t k = 0; k < kit->size; k++)
        old[k] += residual[k];
    double ratio = try_step(w, residual);
    for (int trial = 1; trial < TRIALS && ratio > w->set.nu; trial++) {
        w->r *= reduction * fmin(1.0, 1.0 / ratio);
        ratio = try_step(w, residual);
    }
    step_along(w, kit->vector[TRIAL], next);
    for (size_t k = 0; k < kit->size; k++) {
        const double to = next[k];
        next[k] = to - kit->lambda[k];
        kit->lambda[k] = to;
    }
    dls_kit_add(kit, next);
    w->r *= ratio > 0.0 && ratio <= w->set.least ? enlargement : 1.0;
    dls_kit_report(kit, report);
    return DLS_OK;
}

const dls_solver dls_solver_extragradient = {
    .name = "extragradient",
    .summary = "extragradient method with a self-adaptive step",
    .source = "G. M. Korpelevich, The extragradient method for finding saddle points and other problems, 1976; "
              "V. Acary, M. Bremond and O. Huber, 2018",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_LAWS,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = extragradient_open,
    .iterate = extragradient_iterate,
};
