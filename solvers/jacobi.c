/* Damped projected Jacobi: all rows at once, each with the velocities and impulses of the previous iteration.
 *
 *     lambda_i' = clamp(lambda_i - omega (J_i v + Gamma_ii lambda_i - c_i) / A_ii, lo_i, hi_i)
 *     v        <- v + sum_i B_i (lambda_i' - lambda_i)
 *
 * Without damping it diverges where the corrections of several rows add up: for symmetric A it converges if
 * omega < 2 / mu, with mu the largest eigenvalue of D^-1 A, which is at most the number of rows that are coupled. Half
 * of Gauss-Seidel's step, the default, is sufficient for loosely coupled rows; stacks need less.
 */
#include "sweeper.h"

static const dls_field fields[] = {
    DLS_OMEGA_FIELD("0.5", "damping factor; smaller values converge more surely and more slowly")};

enum { STEPS, NEXT, VECTORS }; /* omega / A_ii; the next impulses, then their changes */

static dls_status jacobi_start(void *work, dls_error *error)
{
    const dls_kit *kit = work;
    (void)error;
    dls_kit_steps(kit, kit->vector[STEPS]);
    return DLS_OK;
}

static dls_status jacobi_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                              dls_error *error)
{
    const double omega = ((const dls_sweeper_settings *)settings)->omega;
    const dls_kit_plan plan = {.size = sizeof(dls_kit), .vectors = VECTORS, .omega = omega, .start = jacobi_start};
    return dls_kit_open(&plan, problem, lambda0, work, error);
}

static dls_status jacobi_iterate(void *work, dls_report *report, dls_error *error)
{
    dls_kit *kit = work;
    const double *s = kit->vector[STEPS];
    double *next = kit->vector[NEXT];
    (void)error;
    dls_kit_residual(kit, next);
    for (size_t k = 0; k < kit->size; k++)
        next[k] = kit->lambda[k] - s[k] * next[k];
    dls_kit_project(kit, kit->lambda, next);
    for (size_t k = 0; k < kit->size; k++) {
        const double to = next[k];
        next[k] = to - kit->lambda[k];
        kit->lambda[k] = to;
    }
    dls_kit_add(kit, next);
    dls_kit_report(kit, report);
    return DLS_OK;
}

static dls_splitting jacobi_splitting(const void *settings)
{
    return (dls_splitting){DLS_SPLITTING_JACOBI, ((const dls_sweeper_settings *)settings)->omega};
}

const dls_solver dls_solver_jacobi = {
    .name = "jacobi",
    .summary = "damped projected Jacobi",
    .source = "C. G. J. Jacobi, 1845; damped and projected: O. L. Mangasarian, 1977",
    DLS_KIT_MEMBERS,
    .accepts = DLS_SWEEPER_ACCEPTS,
    .fields = DLS_FIELD_TABLE(fields, dls_sweeper_settings),
    .open = jacobi_open,
    .iterate = jacobi_iterate,
    .splitting = jacobi_splitting,
};
