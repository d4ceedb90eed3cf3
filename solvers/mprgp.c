/* Modified proportioning with reduced gradient projections, for fixed bounds.
 *
 * f = 1/2 lambda^T A lambda + b^T lambda has the gradient w, which is split in a free and a chopped part: phi = w at
 * rows between their bounds, beta = w at rows on a bound where w pushes inside, else 0. In the norm of D = diag A, with
 * a = 1 / |D^-1 A|, P the projection and phi~ = (lambda - P(lambda - a D^-1 phi)) / a (as an impulse times D^-1):
 *
 *     beta^T D^-1 beta <= phi^T phi~ (proportional): a step of conjugate gradients along p, where it stays within the
 *         bounds; else a step along p to the first bound, then lambda' = P(lambda - a D^-1 phi), and p starts again
 *     else (proportioning): the minimum of f along -D^-1 beta, and p starts again
 *
 * A step along -D^-1 beta that meets a bound ends there. If A is positive definite, every step reduces f - f* by the
 * factor 1 - 1 / (4 k), k the condition of D^-1 A: the proven rate (Z. Dostal, Optimal quadratic programming
 * algorithms, 2009, Theorem 5.14, Gamma = 1, fixed step a), far from the one of conjugate gradients that follows when
 * the bounds no longer change. |D^-1 A| is estimated by POWERS steps of the power method, which is at most the norm;
 * the proof needs half of it. Bounds that follow the normal impulse are refused: their solution is not the minimum of
 * f.
 */
#include "delassus/solvers.h"
#include "first_order.h"

#include <math.h>

enum { STEPS, LO, HI, W, P, AP, NEXT, VECTORS }; /* 1 / D; the bounds; w of lambda; p; A p; scratch */

enum { POWERS = 20 };

typedef struct mprgp {
    dls_kit kit;
    double step; /* a */
    bool begun;  /* p is a direction of conjugate gradients */
} mprgp;

/* The power method on D^-1 A. The start has a part along every eigenvector but for coincidences: its signs and sizes
 * follow no order of the rows, and x^T D x has equal shares. */
static dls_status mprgp_start(void *work, dls_error *error)
{
    mprgp *m = work;
    dls_kit *kit = work;
    const dls_problem *problem = kit->problem;
    double *s = kit->vector[STEPS], *x = kit->vector[P], *Ax = kit->vector[AP], largest = 1.0;
    DLS_TRY(dls_first_order_steps(kit, s, error));
    for (size_t i = 0; i < problem->n; i++) {
        const size_t k = dls_kit_place(kit, i);
        kit->vector[LO][k] = problem->lo[i], kit->vector[HI][k] = problem->hi[i];
        x[k] = sqrt(s[k]) * (i * 2654435761u % 1024 < 512 ? 1.0 : -1.0);
    }
    for (int power = 0; power < POWERS; power++) {
        const double size = sqrt(dls_first_order_square(kit, s, x));
        for (size_t k = 0; k < kit->size; k++)
            x[k] = size > 0.0 ? x[k] / size : 0.0;
        dls_kit_multiply(kit, x, Ax);
        largest = fmax(largest, dls_first_order_dot(kit, x, Ax));
        for (size_t k = 0; k < kit->size; k++)
            x[k] = s[k] * Ax[k];
    }
    m->step = 1.0 / largest;
    m->begun = false;
    return DLS_OK;
}

static dls_status mprgp_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                             dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(mprgp), .vectors = VECTORS, .omega = 1.0, .start = mprgp_start};
    (void)settings;
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

/* The free part of the gradient of row k, and the chopped one. */
static double mprgp_free(const dls_kit *kit, size_t k)
{
    return kit->lambda[k] > kit->vector[LO][k] && kit->lambda[k] < kit->vector[HI][k] ? kit->vector[W][k] : 0.0;
}

static double mprgp_chopped(const dls_kit *kit, size_t k)
{
    const double w = kit->vector[W][k], lo = kit->vector[LO][k], hi = kit->vector[HI][k];
    if (lo == hi)
        return 0.0;
    return kit->lambda[k] <= lo ? fmin(w, 0.0) : kit->lambda[k] >= hi ? fmax(w, 0.0) : 0.0;
}

/* How far row k may move along p until it meets a bound. */
static double mprgp_room(const dls_kit *kit, size_t k)
{
    const double p = kit->vector[P][k];
    if (p == 0.0)
        return HUGE_VAL;
    return ((p > 0.0 ? kit->vector[HI][k] : kit->vector[LO][k]) - kit->lambda[k]) / p;
}

static double mprgp_inside(const dls_kit *kit, size_t k, double x)
{
    return fmin(fmax(x, kit->vector[LO][k]), kit->vector[HI][k]);
}

/* Whether the chopped gradient is not too large beside the free one. */
static bool mprgp_is_proportional(const mprgp *m)
{
    const dls_kit *kit = &m->kit;
    const double *s = kit->vector[STEPS], *lambda = kit->lambda;
    double chopped = 0.0, free = 0.0;
    for (size_t k = 0; k < kit->size; k++) {
        const double phi = mprgp_free(kit, k), beta = mprgp_chopped(kit, k);
        chopped += beta * s[k] * beta;
        free += phi * (lambda[k] - mprgp_inside(kit, k, lambda[k] - m->step * s[k] * phi)) / m->step;
    }
    return chopped <= free;
}

/* Moves to lambda + t p, t at most up to the first bound; w follows. Whether a bound was met. */
static bool mprgp_along(dls_kit *kit)
{
    double *p = kit->vector[P], *Ap = kit->vector[AP], *w = kit->vector[W], *next = kit->vector[NEXT];
    const double curvature = dls_first_order_dot(kit, p, Ap), slope = dls_first_order_dot(kit, w, p);
    double most = HUGE_VAL, t = curvature > 0.0 ? -slope / curvature : 0.0;
    for (size_t k = 0; k < kit->size; k++)
        most = fmin(most, mprgp_room(kit, k));
    t = fmin(t, most);
    for (size_t k = 0; k < kit->size; k++) {
        next[k] = kit->lambda[k] + t * p[k];
        if (mprgp_room(kit, k) <= t) /* a row on its bound is exactly there */
            next[k] = p[k] > 0.0 ? kit->vector[HI][k] : kit->vector[LO][k];
        w[k] += t * Ap[k];
    }
    dls_first_order_move(kit, next);
    return t == most;
}

static dls_status mprgp_iterate(void *work, dls_report *report, dls_error *error)
{
    mprgp *m = work;
    dls_kit *kit = work;
    const double *s = kit->vector[STEPS];
    double *w = kit->vector[W], *p = kit->vector[P], *Ap = kit->vector[AP], *next = kit->vector[NEXT];
    (void)error;
    if (kit->changed) {
        for (size_t k = 0; k < kit->size; k++)
            next[k] = s[k] > 0.0 ? mprgp_inside(kit, k, kit->lambda[k]) : kit->lambda[k];
        dls_first_order_move(kit, next);
        dls_kit_residual(kit, w);
        m->begun = false;
    }
    const bool proportional = mprgp_is_proportional(m);
    const double pAp = m->begun ? dls_first_order_dot(kit, p, Ap) : 0.0;
    double share = 0.0;
    for (size_t k = 0; k < kit->size && pAp > 0.0; k++)
        share += mprgp_free(kit, k) * s[k] * Ap[k];
    for (size_t k = 0; k < kit->size; k++)
        p[k] = proportional ? (pAp > 0.0 ? share / pAp * p[k] : 0.0) - s[k] * mprgp_free(kit, k)
                            : -s[k] * mprgp_chopped(kit, k);
    dls_kit_multiply(kit, p, Ap);
    const bool met = mprgp_along(kit);
    m->begun = proportional && !met;
    if (proportional && met) {
        for (size_t k = 0; k < kit->size; k++)
            next[k] = mprgp_inside(kit, k, kit->lambda[k] - m->step * s[k] * mprgp_free(kit, k));
        dls_first_order_move(kit, next);
        dls_kit_residual(kit, w);
    }
    dls_kit_report(kit, report);
    return DLS_OK;
}

/* The error in the norm of A is the root of f - f*. */
static double mprgp_factor(const void *set, size_t count, const double *eigenvalues)
{
    (void)set;
    return count ? sqrt(1.0 - 0.25 * eigenvalues[0] / eigenvalues[count - 1]) : 0.0;
}

static const dls_rate_law mprgp_law = {
    .preconditioner = DLS_SPLITTING_JACOBI,
    .bound = true,
    .factor = mprgp_factor,
    .theory = "f - f* shrinks by 1 - 1 / (4 k) per step (Z. Dostal, Optimal quadratic programming algorithms, 2009, "
              "Theorem 5.14); within a face conjugate gradients are much faster",
};

const dls_solver dls_solver_mprgp = {
    .name = "mprgp",
    .summary = "conjugate gradients in the face, with proportioning and reduced gradient projections",
    .source = "Z. Dostal and J. Schoberl, Minimizing quadratic functions over non-negative cone with the rate of "
              "convergence and finite termination, 2005",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED,
    .open = mprgp_open,
    .iterate = mprgp_iterate,
    .law = &mprgp_law,
};
