/* Sweeps with momentum, as a shared object: a method made from the kit of solvers.
 *
 *     cc -shared -fPIC momentum_plugin.c $(pkg-config --cflags --libs delassus) -o momentum.so
 *     delassus compare scene.yaml --solvers ./momentum.so,pgs -o out
 *
 * With S(x) the impulses after a symmetric sweep of projected Gauss-Seidel from x, an iteration is
 *
 *     x = lambda + m (lambda - lambda before),   lambda' = S(x),   m = k / (k + 3)
 *
 * where k counts iterations since the last restart, which follows where the sweep turns back, (lambda' - x)^T D
 * (lambda' - lambda) < 0 with D = diag A. x may violate bounds; the answer is lambda'. There is no proof of
 * convergence.
 */
#include <delassus/solver_kit.h>

enum { STEPS, BEFORE, X, VECTORS }; /* 1 / A_ii; lambda; m (lambda - lambda before), then x */

typedef struct momentum {
    dls_kit kit;
    double k;
} momentum;

static dls_status start(void *work, dls_error *error)
{
    const dls_kit *kit = work;
    (void)error;
    dls_kit_steps(kit, kit->vector[STEPS]);
    return DLS_OK;
}

static dls_status open_work(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                            dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(momentum), .vectors = VECTORS, .omega = 1.0, .start = start};
    (void)settings;
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

static dls_status iterate(void *work, dls_report *report, dls_error *error)
{
    momentum *of = work;
    dls_kit *kit = work;
    const double *s = kit->vector[STEPS];
    double *lambda = kit->lambda, *before = kit->vector[BEFORE], *x = kit->vector[X], forward = 0.0;
    (void)error;
    if (kit->loaded)
        of->k = 0.0;
    const double m = of->k / (of->k + 3.0);
    for (size_t i = 0; i < kit->size; i++) {
        x[i] = m * (lambda[i] - before[i]);
        before[i] = lambda[i];
        lambda[i] += x[i];
    }
    dls_kit_add(kit, x);
    for (size_t i = 0; i < kit->size; i++)
        x[i] = lambda[i];
    dls_kit_sweep(kit, DLS_FORWARD);
    dls_kit_sweep(kit, DLS_BACKWARD);
    for (size_t i = 0; i < kit->size; i++)
        forward += s[i] > 0.0 ? (lambda[i] - x[i]) * (lambda[i] - before[i]) / s[i] : 0.0;
    of->k = forward < 0.0 ? 0.0 : of->k + 1.0;
    dls_kit_report(kit, report);
    return DLS_OK;
}

static const dls_solver momentum_solver = {
    .name = "momentum",
    .summary = "symmetric sweeps of projected Gauss-Seidel with momentum",
    .source = "Y. Nesterov, A method of solving a convex programming problem with convergence rate O(1/k^2), 1983",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED,
    .open = open_work,
    .iterate = iterate,
};
DLS_PLUGIN(momentum_solver);
