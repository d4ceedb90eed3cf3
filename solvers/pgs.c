/* Projected Gauss-Seidel: each row in turn is solved, with the newest impulses of the others. conventions, Projected
 * Gauss-Seidel:
 *
 *     delta    = -(J_i v + Gamma_ii lambda_i - c_i) / A_ii
 *     lambda_i' = clamp(lambda_i + omega delta, lo_i, hi_i)
 *     v        <- v + B_i (lambda_i' - lambda_i),   B = M^-1 J^T
 *
 * On a free row with omega = 1 the new residual is zero; on a bounded one it minimises 1/2 lambda^T A lambda + b^T
 * lambda along lambda_i within the bounds, so for symmetric semidefinite A the objective never grows (with any omega
 * in (0, 2)). The bound of a coupled friction row follows from the current normal impulse.
 * The source prints the update of v after the loop, which is a different method; here it is inside the loop.
 */
#include "sweeper.h"

static const dls_field fields[] = {
    DLS_OMEGA_FIELD("1", "relaxation factor; 1: each row is solved exactly in its turn")};

const dls_solver dls_solver_pgs = {
    .name = "pgs",
    .summary = "projected Gauss-Seidel",
    .source = "temporal-coherence, PGS; O. L. Mangasarian, Solution of symmetric linear complementarity problems by "
              "iterative methods, 1977",
    DLS_SWEEPER,
    .fields = DLS_FIELD_TABLE(fields, dls_sweeper_settings),
    .iterate = dls_sweeper_forward,
    .iterate_together = dls_sweeper_forward_together,
    .splitting = dls_sweeper_forward_splitting,
};
