/* Projected successive over-relaxation: the sweep of pgs.c, with each correction multiplied by omega before the clamp.
 * Gauss-Seidel reduces the smooth part of the error slowly; with omega > 1 the best rate of a consistently ordered A
 * is omega - 1 with omega = 2 / (1 + sqrt(1 - rho^2)), rho the spectral radius of Jacobi (D. M. Young, 1954). With
 * bounds this is different: if omega is too large, impulses repeatedly leave their bounds and return to them.
 */
#include "sweeper.h"

static const dls_field fields[] = {
    DLS_OMEGA_FIELD("1.3", "relaxation factor; values above 1 are faster for chains and stacks; 1 is pgs")};

const dls_solver dls_solver_sor = {
    .name = "sor",
    .summary = "projected successive over-relaxation",
    .source = "C. W. Cryer, The solution of a quadratic programming problem using systematic overrelaxation, 1971",
    DLS_SWEEPER,
    .fields = DLS_FIELD_TABLE(fields, dls_sweeper_settings),
    .iterate = dls_sweeper_forward,
    .iterate_together = dls_sweeper_forward_together,
    .splitting = dls_sweeper_forward_splitting,
};
