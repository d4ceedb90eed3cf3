/* Spectral projected gradient with a nonmonotone line search.
 *
 * f = 1/2 lambda^T A lambda + b^T lambda has the gradient w. With D = diag A, one number per contact under Coulomb's
 * cone, and P the projection onto the bounds, which is the same in the norm of D, an iteration is
 *
 *     d = P(lambda - a D^-1 w) - lambda,   lambda' = lambda + t d
 *     t = 1 if f(lambda + d) <= max of f over the last MEMORY iterates + 1e-4 w^T d,
 *     else the minimum of f along d, t = -w^T d / d^T A d, at least 0.1
 *     a1 = d^T D d / d^T A d,   a2 = d^T A d / (A d)^T D^-1 (A d);   a' = a2 if a2 < a1 / 2, else a1
 *
 * The steps a1 and a2 are those of J. Barzilai and J. Borwein, 1988, in the norm of D, so that they do not depend on
 * units; the choice between them is that of B. Zhou, L. Gao and Y.-H. Dai, 2006. Differences of f are formed from w,
 * not from f, which would be lost in rounding. f is quadratic: one product with A serves the line search and the step,
 * and the minimum along d always decreases f enough.
 * Limit points are solutions for fixed bounds and semidefinite A (Birgin, Martinez and Raydan, 2000); no rate is known
 * with bounds. Friction as in apgd.c: bounds at the normal impulses, De Saxce's term of the newest w in each iteration,
 * without a proof.
 */
#include "delassus/solvers.h"
#include "first_order.h"

#include <math.h>

enum { STEPS, W, D, AD, SHIFT, VECTORS }; /* 1 / D; w of lambda; d; A d; De Saxce's term */

enum { MEMORY = 10 };

typedef struct spg {
    dls_kit kit;
    double a, risen[MEMORY]; /* the step; f of each of the last iterates minus f of this one */
    size_t iteration;
} spg;

static dls_status spg_start(void *work, dls_error *error)
{
    return dls_first_order_steps(work, ((dls_kit *)work)->vector[STEPS], error);
}

static dls_status spg_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                           dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(spg), .vectors = VECTORS, .omega = 1.0, .start = spg_start};
    (void)settings;
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

/* The largest f of the last iterates, minus that of this one. */
static double spg_room(const spg *work)
{
    double most = 0.0;
    for (size_t k = 0; k < MEMORY; k++)
        most = fmax(most, work->risen[k]);
    return most;
}

static void spg_remember(spg *work, double change)
{
    for (size_t k = 0; k < MEMORY; k++)
        work->risen[k] -= change;
    work->risen[work->iteration++ % MEMORY] = -change;
}

static dls_status spg_iterate(void *given, dls_report *report, dls_error *error)
{
    spg *work = given;
    dls_kit *kit = given;
    const double *s = kit->vector[STEPS];
    double *w = kit->vector[W], *d = kit->vector[D], *Ad = kit->vector[AD], *shift = kit->vector[SHIFT];
    (void)error;
    if (kit->loaded) {
        work->a = 1.0, work->iteration = 0;
        for (size_t k = 0; k < MEMORY; k++)
            work->risen[k] = 0.0;
    }
    if (kit->changed)
        dls_kit_residual(kit, w);
    if (kit->problem->n_cone)
        dls_kit_shift(kit, w, shift);
    for (size_t k = 0; k < kit->size; k++)
        d[k] = kit->lambda[k] - work->a * s[k] * (w[k] + shift[k]);
    dls_kit_project(kit, d, d);
    dls_first_order_move(kit, d);
    dls_kit_residual(kit, Ad);
    for (size_t k = 0; k < kit->size; k++)
        Ad[k] -= w[k];
    const double slope = dls_first_order_dot(kit, w, d) + dls_first_order_dot(kit, shift, d);
    const double dAd = dls_first_order_dot(kit, d, Ad), dDd = dls_first_order_square(kit, s, d);
    double steepest = 0.0, t = 1.0;
    for (size_t k = 0; k < kit->size; k++)
        steepest += Ad[k] * s[k] * Ad[k];
    if (slope + 0.5 * dAd > spg_room(work) + 1e-4 * slope)
        t = fmax(0.1, -slope / dAd);
    for (size_t k = 0; k < kit->size; k++)
        w[k] += t * Ad[k];
    if (t < 1.0) {
        for (size_t k = 0; k < kit->size; k++)
            d[k] = kit->lambda[k] + (t - 1.0) * d[k];
        dls_kit_project(kit, d, d); /* rounding errors */
        dls_first_order_move(kit, d);
    }
    spg_remember(work, t * slope + 0.5 * t * t * dAd);
    if (dAd > 0.0 && steepest > 0.0) {
        const double a1 = dDd / dAd, a2 = dAd / steepest;
        work->a = a2 < 0.5 * a1 ? a2 : a1;
    }
    dls_kit_report(kit, report);
    return DLS_OK;
}

const dls_solver dls_solver_spg = {
    .name = "spg",
    .summary = "spectral projected gradient (Barzilai-Borwein) with a nonmonotone line search",
    .source = "E. G. Birgin, J. M. Martinez and M. Raydan, Nonmonotone spectral projected gradient methods on convex "
              "sets, 2000",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_LAWS,
    .open = spg_open,
    .iterate = spg_iterate,
};
