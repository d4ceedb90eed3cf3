/* Projected conjugate gradients over symmetric sweeps, for fixed bounds.
 *
 * With S(lambda) the impulses after a forward and a backward sweep of projected Gauss-Seidel with the factor omega, and
 * q the change of lambda by the iteration before, an iteration minimises f = 1/2 lambda^T A lambda + b^T lambda, whose
 * gradient is w, along the part of the sweep's direction that is conjugate to q:
 *
 *     d = S(lambda) - lambda,   p = d - (d^T A q / q^T A q) q,   alpha = -w^T p / p^T A p
 *     lambda' = clamp(lambda + alpha p),   q' = lambda' - lambda,   A q' = w' - w
 *
 * If f(S(lambda)) < f(lambda'), which only a clamp can cause, lambda' is S(lambda). So f decreases at least as much as
 * by a sweep, and the method converges wherever symmetric projected Gauss-Seidel does.
 * Within a face, d = -P^-1 w on the free rows, with the symmetric P of the two sweeps
 *
 *     P = omega / (2 - omega) (D / omega + L) D^-1 (D / omega + U)
 *
 * and this is the method of conjugate gradients with the preconditioner P: the error in the norm of A shrinks by
 * (sqrt k - 1) / (sqrt k + 1) per iteration, k the ratio of the extreme positive eigenvalues of P^-1 A_FF (Y. Saad,
 * Iterative methods for sparse linear systems, 2003, 6.128 and 9.2). It needs a first direction of its own, so that q
 * is dropped once after SETTLED iterations in which the free rows have stayed the same.
 *
 * omega below 1 was measured to be better with bounds: rows that share a load leave their bounds and return to them
 * less often. An iteration costs 3.5 visits of each row. Bounds that follow the normal impulse are refused: their
 * solution is not the minimum of f.
 */
#include "delassus/solvers.h"
#include "first_order.h"

#include <math.h>
#include <string.h>

typedef struct settings {
    double omega;
} settings;
static const dls_field fields[] = {{"omega", "", DLS_FIELD_REAL, offsetof(settings, omega), "0.6", 0, 2, true, NULL,
                                    "relaxation factor of both sweeps, the preconditioner"}};

enum { STEPS, W, D, AD, Q, AQ, NEXT, VECTORS }; /* w of lambda; d; A d; q; A q; the next impulses, then their w */

enum { SETTLED = 8 }; /* fewer cost iterations while the free rows still change, more delay the rate */

typedef struct projected_cg {
    dls_kit kit;
    size_t settled; /* iterations since the free rows have changed */
    bool conjugate; /* q belongs to conjugate directions with a first direction of their own, on these free rows */
} projected_cg;

static dls_status projected_cg_start(void *work, dls_error *error)
{
    return dls_first_order_steps(work, ((dls_kit *)work)->vector[STEPS], error);
}

static dls_status projected_cg_open(const dls_problem *problem, const void *given, const double *lambda0, void **work,
                                    dls_error *error)
{
    const double omega = ((const settings *)given)->omega;
    const dls_kit_plan plan = {
        .size = sizeof(projected_cg), .vectors = VECTORS, .omega = omega, .start = projected_cg_start};
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

/* d and A d; lambda becomes that of the sweeps. Whether d moves the rows that q moved. */
static bool projected_cg_sweep(dls_kit *kit)
{
    double *w = kit->vector[W], *d = kit->vector[D], *Ad = kit->vector[AD];
    const double *q = kit->vector[Q];
    bool same = true;
    memcpy(d, kit->lambda, kit->size * sizeof *d);
    dls_kit_sweep(kit, DLS_FORWARD);
    dls_kit_sweep(kit, DLS_BACKWARD);
    dls_kit_residual(kit, Ad);
    for (size_t k = 0; k < kit->size; k++) {
        d[k] = kit->lambda[k] - d[k];
        Ad[k] -= w[k];
        same = same && (d[k] == 0.0) == (q[k] == 0.0);
    }
    return same;
}

/* Moves lambda from that of the sweeps to clamp(lambda + alpha p). q becomes the change of lambda by the iteration, A q
 * and w follow. Whether a bound was met. */
static bool projected_cg_step(dls_kit *kit, double alpha, double beta)
{
    double *w = kit->vector[W], *q = kit->vector[Q], *Aq = kit->vector[AQ], *next = kit->vector[NEXT];
    const double *d = kit->vector[D];
    bool clamped = false;
    for (size_t k = 0; k < kit->size; k++) {
        const double lambda = kit->lambda[k] - d[k];
        Aq[k] = next[k] = lambda + alpha * (d[k] + beta * q[k]);
        q[k] = lambda;
    }
    dls_kit_project(kit, kit->lambda, next);
    for (size_t k = 0; k < kit->size; k++) {
        clamped = clamped || next[k] != Aq[k];
        q[k] = next[k] - q[k];
    }
    dls_first_order_move(kit, next);
    dls_kit_residual(kit, next);
    for (size_t k = 0; k < kit->size; k++) {
        Aq[k] = next[k] - w[k];
        w[k] = next[k];
    }
    return clamped;
}

/* Goes back to the impulses of the sweeps. */
static void projected_cg_return(dls_kit *kit)
{
    double *w = kit->vector[W], *q = kit->vector[Q], *Aq = kit->vector[AQ], *next = kit->vector[NEXT];
    const double *d = kit->vector[D], *Ad = kit->vector[AD];
    for (size_t k = 0; k < kit->size; k++) {
        next[k] = d[k] - q[k];
        kit->lambda[k] += next[k];
        w[k] += Ad[k] - Aq[k];
        q[k] = d[k], Aq[k] = Ad[k];
    }
    dls_kit_add(kit, next);
}

static dls_status projected_cg_iterate(void *work, dls_report *report, dls_error *error)
{
    projected_cg *cg = work;
    dls_kit *kit = work;
    const double *w = kit->vector[W], *d = kit->vector[D], *Ad = kit->vector[AD], *q = kit->vector[Q];
    const double *Aq = kit->vector[AQ];
    (void)error;
    if (kit->loaded)
        cg->settled = 0, cg->conjugate = false;
    if (kit->changed)
        dls_kit_residual(kit, kit->vector[W]);
    const bool same = projected_cg_sweep(kit);
    const double wd = dls_first_order_dot(kit, w, d), wq = dls_first_order_dot(kit, w, q);
    const double dAd = dls_first_order_dot(kit, d, Ad), dAq = dls_first_order_dot(kit, d, Aq);
    const double qAq = dls_first_order_dot(kit, q, Aq);
    const double beta = qAq > 0.0 && (cg->conjugate || cg->settled < SETTLED) ? -dAq / qAq : 0.0;
    const double slope = wd + beta * wq, curvature = dAd + beta * (2.0 * dAq + beta * qAq);
    const double alpha = slope < 0.0 && curvature > 0.0 ? -slope / curvature : 0.0;
    const bool clamped = projected_cg_step(kit, alpha, beta);
    const bool changed = clamped || (!same && beta != 0.0);
    cg->settled = changed ? 0 : cg->settled + 1;
    cg->conjugate = !changed && (cg->conjugate || beta == 0.0);
    /* f(lambda + q) - f(lambda), with w of both */
    if (dls_first_order_dot(kit, q, w) - 0.5 * dls_first_order_dot(kit, q, Aq) > wd + 0.5 * dAd)
        projected_cg_return(kit);
    dls_kit_report(kit, report);
    return DLS_OK;
}

static double projected_cg_factor(const void *set, size_t count, const double *eigenvalues)
{
    const double root = count ? sqrt(eigenvalues[count - 1] / eigenvalues[0]) : 1.0;
    (void)set;
    return (root - 1.0) / (root + 1.0);
}

static double projected_cg_omega(const void *set) { return ((const settings *)set)->omega; }

static const dls_rate_law projected_cg_law = {
    .preconditioner = DLS_SPLITTING_SYMMETRIC,
    .omega = projected_cg_omega,
    .bound = true,
    .factor = projected_cg_factor,
    .theory = "conjugate gradients reduce the error in the norm of A by (sqrt k - 1) / (sqrt k + 1) per iteration "
              "(Y. Saad, Iterative methods for sparse linear systems, 2003, (6.128))",
};

const dls_solver dls_solver_projected_cg = {
    .name = "projected-cg",
    .summary = "conjugate gradients with projection, preconditioned by symmetric sweeps of Gauss-Seidel",
    .source =
        "after R. Kornhuber, Monotone multigrid methods for elliptic variational inequalities, 1994 (a sweep, then "
        "a step that may not increase f), and A. V. Knyazev, 2001 (locally optimal conjugate gradients)",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = projected_cg_open,
    .iterate = projected_cg_iterate,
    .law = &projected_cg_law,
};
