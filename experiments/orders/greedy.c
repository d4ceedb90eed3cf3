/* Greedy projected Gauss-Seidel: always the row whose step lowers the function most.
 *
 *     delta_i = clamp(lambda_i - w_i / A_ii) - lambda_i,   i = argmax A_ii delta_i^2,   lambda_i += delta_i
 *
 * (Gauss-Southwell; with 1/2 lambda.A lambda + b.lambda the step of row i lowers it by at least A_ii delta_i^2 / 2.) For
 * symmetric definite A it needs at most as many steps as a random choice in the mean (J. Nutini et al., ICML 2015). An
 * iteration is n steps, and each looks at all rows, so that it costs n sweeps: it shows what an order can save, and is no
 * method to use. */
#include "parts.h"

#include "delassus/solver_kit.h"

#include <math.h>

static dls_status greedy_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                              dls_error *error)
{
    const dls_kit_plan plan = {.size = sizeof(dls_kit), .row_by_row = true};
    (void)settings;
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

static void greedy_step(dls_kit *kit)
{
    double most = 0.0, impulse = 0.0;
    size_t best = kit->problem->n;
    for (size_t i = 0; i < kit->problem->n; i++) {
        double lo, hi, diagonal;
        dls_kit_block(kit, i, 1, &diagonal);
        if (!(diagonal > 0.0))
            continue;
        dls_problem_bounds(kit->problem, i, kit->lambda, &lo, &hi);
        const double to = fmin(fmax(kit->lambda[i] - dls_kit_row_residual(kit, i) / diagonal, lo), hi);
        const double gain = diagonal * (to - kit->lambda[i]) * (to - kit->lambda[i]);
        if (gain > most)
            most = gain, best = i, impulse = to;
    }
    if (best < kit->problem->n)
        dls_kit_row_set(kit, best, impulse);
}

static dls_status greedy_iterate(void *work, dls_report *report, dls_error *error)
{
    dls_kit *kit = work;
    (void)error;
    for (size_t k = 0; k < kit->problem->n; k++)
        greedy_step(kit);
    dls_kit_report(kit, report);
    return DLS_OK;
}

const dls_solver dls_solver_greedy = {
    .name = "greedy",
    .summary = "projected Gauss-Seidel on the row with the largest step",
    .source = "R. V. Southwell, 1940; J. Nutini et al., ICML 2015",
    DLS_KIT_MEMBERS,
    .accepts = DLS_ACCEPTS_FREE | DLS_ACCEPTS_BOXED | DLS_ACCEPTS_UNSYMMETRIC | DLS_ACCEPTS_COUPLED,
    .fields = {NULL, 0, 0},
    .open = greedy_open,
    .iterate = greedy_iterate,
};
