/* Symmetric projected Gauss-Seidel: one iteration is a sweep over the rows in order and one in the reverse order.
 *
 * A forward sweep propagates corrections only in the order of the rows; the backward sweep propagates them in the other
 * direction, so that an impulse at one end of a chain affects the other end within one iteration for any order. For
 * symmetric A the iteration matrix is similar to a symmetric one: its eigenvalues are real and not negative (A. C.
 * Aitken, 1950). In the backward sweep a friction row precedes its normal row and uses the normal impulse of the
 * previous sweep.
 */
#include "sweeper.h"

static const dls_field fields[] = {DLS_OMEGA_FIELD("1", "relaxation factor of both sweeps")};

static dls_status symmetric_iterate(void *work, dls_report *report, dls_error *error)
{
    (void)error;
    dls_kit_sweep(work, DLS_FORWARD);
    dls_kit_sweep(work, DLS_BACKWARD);
    dls_kit_report(work, report);
    return DLS_OK;
}

static dls_splitting symmetric_splitting(const void *settings)
{
    return (dls_splitting){DLS_SPLITTING_SYMMETRIC, ((const dls_sweeper_settings *)settings)->omega};
}

const dls_solver dls_solver_symmetric_pgs = {
    .name = "symmetric-pgs",
    .summary = "projected Gauss-Seidel with a forward and a backward sweep per iteration",
    .source = "O. L. Mangasarian, Solution of symmetric linear complementarity problems by iterative methods, 1977",
    DLS_SWEEPER,
    .fields = DLS_FIELD_TABLE(fields, dls_sweeper_settings),
    .iterate = symmetric_iterate,
    .iterate_together = dls_sweeper_symmetric_together,
    .splitting = symmetric_splitting,
};
