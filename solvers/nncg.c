/* Nonsmooth nonlinear conjugate gradients over sweeps.
 *
 * With S(lambda) the impulses after a sweep of projected Gauss-Seidel, a solution is a zero of g = lambda - S(lambda).
 * In the norm |g|^2 = sum_i A_ii g_i^2, which is an energy whatever the units of the rows, an iteration is
 *
 *     lambda' = S(lambda),   beta = |g|^2 / |g before|^2
 *     beta <= 1: lambda'' = lambda' + beta p, p' = beta p - g;   beta > 1: lambda'' = lambda', p' = 0 (a restart)
 *
 * with Fletcher and Reeves' beta, and without a line search, so that an iteration costs little more than a sweep. The
 * source has the Euclidean norm, which depends on the units. lambda'' may violate bounds: the answer is lambda', and
 * the next iteration begins with the step. With sweep = symmetric, S is a forward and a backward sweep.
 *
 * No rate is known, and there is no proof of convergence; a restart follows wherever |g| grows. Even without bounds
 * these are no conjugate gradients, because there is no line search: with the symmetric sweep, chain-10 takes 512
 * iterations to a residual of 1e-6, where projected_cg.c, which has one, takes 18.
 */
#include "delassus/solvers.h"
#include "first_order.h"

typedef struct settings {
    int symmetric; /* the place in `sweeps` */
} settings;
static const char *const sweeps[] = {"forward", "symmetric", NULL};
static const dls_field fields[] = {
    {"sweep", "", DLS_FIELD_CHOICE, offsetof(settings, symmetric), "forward", 0, 0, false, sweeps,
     "forward, or symmetric: forwards, then backwards"},
};

enum { STEPS, G, P, STEP, VECTORS }; /* 1 / A_ii; g; p; beta p, with which the next iteration begins */

typedef struct nncg {
    dls_kit kit;
    bool symmetric;
} nncg;

static dls_status nncg_start(void *work, dls_error *error)
{
    const dls_kit *kit = work;
    (void)error;
    dls_kit_steps(kit, kit->vector[STEPS]);
    return DLS_OK;
}

static dls_status nncg_open(const dls_problem *problem, const void *given, const double *lambda0, void **work,
                            dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(nncg), .vectors = VECTORS, .omega = 1.0, .start = nncg_start};
    DLS_TRY(dls_kit_open(&plan, problem, lambda0, work, error));
    ((nncg *)*work)->symmetric = ((const settings *)given)->symmetric;
    return DLS_OK;
}

static dls_status nncg_iterate(void *work, dls_report *report, dls_error *error)
{
    dls_kit *kit = work;
    double *lambda = kit->lambda, *g = kit->vector[G], *p = kit->vector[P], *step = kit->vector[STEP];
    const double before = dls_first_order_square(kit, kit->vector[STEPS], g); /* 0 in the first iteration */
    (void)error;
    for (size_t k = 0; k < kit->size; k++)
        g[k] = lambda[k] += step[k];
    dls_kit_add(kit, step);
    dls_kit_sweep(kit, DLS_FORWARD);
    if (((nncg *)work)->symmetric)
        dls_kit_sweep(kit, DLS_BACKWARD);
    for (size_t k = 0; k < kit->size; k++)
        g[k] -= lambda[k];
    const double beta = before > 0.0 ? dls_first_order_square(kit, kit->vector[STEPS], g) / before : 0.0;
    for (size_t k = 0; k < kit->size; k++) {
        step[k] = beta <= 1.0 ? beta * p[k] : 0.0;
        p[k] = beta <= 1.0 ? step[k] - g[k] : 0.0;
    }
    dls_kit_report(kit, report);
    return DLS_OK;
}

const dls_solver dls_solver_nncg = {
    .name = "nncg",
    .summary = "nonsmooth nonlinear conjugate gradients over sweeps of projected Gauss-Seidel",
    .source = "M. Silcowitz-Hansen, S. Niebe and K. Erleben, A nonsmooth nonlinear conjugate gradient method for "
              "interactive contact force problems, 2010",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED,
    .fields = DLS_FIELD_TABLE(fields, settings),
    .open = nncg_open,
    .iterate = nncg_iterate,
};
