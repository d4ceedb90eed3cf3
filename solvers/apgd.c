/* Accelerated projected gradient descent with adaptive restart.
 *
 * f = 1/2 lambda^T A lambda + b^T lambda has the gradient w. With D = diag A, one number per contact under Coulomb's
 * cone, and P the projection onto the bounds, which is the same in the norm of D, an iteration is
 *
 *     y       = lambda + m (lambda - lambda before),   w(y) by linearity
 *     lambda' = P(y - D^-1 w(y) / L),   L doubled until d^T A d <= L d^T D d for d = lambda' - y
 *     theta'^2 = (1 - theta') theta^2,   m' = theta (1 - theta) / (theta^2 + theta')
 *     w(y)^T (lambda' - lambda) > 0: theta' = 1, m' = 0 (a restart);   L' = 0.9 L
 *
 * The largest eigenvalue of D^-1 A is at least 1, where L starts. The source has Euclidean norms, which mix units, and
 * returns the best iterate instead of the last. Sufficient decrease is tested without f: d^T A d = d^T (w(lambda') -
 * w(y)). Without a restart f - f* is at most of order 1 / k^2 (Y. Nesterov, 1983); near the solution the restarts give
 * about the rate 1 - 1 / sqrt k of the best constant m, k the condition of D^-1 A_FF (B. O'Donoghue and E. Candes,
 * 2015).
 *
 * Friction is no minimum of f. Bounds of a friction box are those at the new normal impulses. Under Coulomb's cone w is
 * shifted by De Saxce's term to w_n + mu |w_t|, of the newest w in each iteration (the fixed point of V. Acary and F.
 * Cadoux, 2011, with one step of the inner problem); there is no proof of convergence.
 */
#include "delassus/solvers.h"
#include "first_order.h"

#include <math.h>
#include <string.h>

enum {
    STEPS,
    W,
    Y,
    WY,
    D,
    AD,
    NEXT,
    SHIFT,
    VECTORS
}; /* 1 / D; w of lambda; y; w of y, with De Saxce's term; the last
                                                          change of lambda, and A times it; scratch; the term */

enum { DOUBLINGS = 40 }; /* of L in an iteration, at most; the largest eigenvalue is at most n */

typedef struct apgd {
    dls_kit kit;
    double L, theta, momentum;
} apgd;

static dls_status apgd_start(void *work, dls_error *error)
{
    return dls_first_order_steps(work, ((dls_kit *)work)->vector[STEPS], error);
}

static dls_status apgd_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                            dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(apgd), .vectors = VECTORS, .omega = 1.0, .start = apgd_start};
    (void)settings;
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

/* lambda' = P(y - D^-1 w(y) / L); its w becomes NEXT. Whether L is large enough. */
static bool apgd_step(apgd *a)
{
    dls_kit *kit = &a->kit;
    const double *s = kit->vector[STEPS], *y = kit->vector[Y], *wy = kit->vector[WY], *shift = kit->vector[SHIFT];
    double *next = kit->vector[NEXT], curvature = 0.0, square = 0.0;
    for (size_t k = 0; k < kit->size; k++)
        next[k] = y[k] - s[k] * wy[k] / a->L;
    dls_kit_project(kit, next, next);
    dls_first_order_move(kit, next);
    dls_kit_residual(kit, next);
    for (size_t k = 0; k < kit->size; k++) {
        const double d = kit->lambda[k] - y[k];
        curvature += d * (next[k] + shift[k] - wy[k]);
        square += s[k] > 0.0 ? d * d / s[k] : 0.0;
    }
    return !(curvature > a->L * square);
}

static dls_status apgd_iterate(void *work, dls_report *report, dls_error *error)
{
    apgd *a = work;
    dls_kit *kit = work;
    double *w = kit->vector[W], *y = kit->vector[Y], *wy = kit->vector[WY], *d = kit->vector[D], *Ad = kit->vector[AD];
    double *next = kit->vector[NEXT], *shift = kit->vector[SHIFT], uphill = 0.0;
    (void)error;
    if (kit->loaded)
        a->L = 1.0, a->theta = 1.0, a->momentum = 0.0;
    if (kit->changed)
        dls_kit_residual(kit, w);
    if (kit->problem->n_cone)
        dls_kit_shift(kit, w, shift);
    for (size_t k = 0; k < kit->size; k++) {
        y[k] = kit->lambda[k] + a->momentum * d[k];
        wy[k] = w[k] + a->momentum * Ad[k] + shift[k];
        d[k] = kit->lambda[k]; /* until the step is known */
    }
    for (int doublings = 0; !apgd_step(a) && doublings < DOUBLINGS; doublings++)
        a->L *= 2.0;
    for (size_t k = 0; k < kit->size; k++) {
        d[k] = kit->lambda[k] - d[k];
        Ad[k] = next[k] - w[k];
        w[k] = next[k];
        uphill += wy[k] * d[k];
    }
    const double square = a->theta * a->theta, theta = 0.5 * (sqrt(square * square + 4.0 * square) - square);
    a->momentum = uphill > 0.0 ? 0.0 : a->theta * (1.0 - a->theta) / (square + theta);
    a->theta = uphill > 0.0 ? 1.0 : theta;
    a->L *= 0.9;
    dls_kit_report(kit, report);
    return DLS_OK;
}

static double apgd_factor(const void *set, size_t count, const double *eigenvalues)
{
    (void)set;
    return count ? 1.0 - sqrt(eigenvalues[0] / eigenvalues[count - 1]) : 0.0;
}

static const dls_rate_law apgd_law = {
    .preconditioner = DLS_SPLITTING_JACOBI,
    .factor = apgd_factor,
    .theory =
        "1 - 1 / sqrt k with the best constant momentum, which adaptive restarts nearly attain (B. O'Donoghue and "
        "E. Candes, Adaptive restart for accelerated gradient schemes, 2015)",
};

const dls_solver dls_solver_apgd = {
    .name = "apgd",
    .summary = "accelerated projected gradient descent (Nesterov) with adaptive restart",
    .source = "H. Mazhar, T. Heyn, D. Negrut and A. Tasora, Using Nesterov's method to accelerate multibody dynamics "
              "with friction and contact, 2015",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_COUPLED | DLS_ACCEPTS_LAWS,
    .open = apgd_open,
    .iterate = apgd_iterate,
    .law = &apgd_law,
};
