/* Certificates of the last problem that a step solved.
 *
 * Under friction that depends on the normal impulse they are backward statements: exact numbers b and mu, off by at
 * most so much from those of the problem, have these impulses as a solution. Where a stronger theorem applies, w is
 * within a radius of that of a solution (conventions.md, Laws of contacts; reference.h, dls_bounds). */
#include "coulomb/parts.h"

#include <math.h>

dls_status dls_coulomb_certify(const dls_rig *rig, dls_coulomb_tally *t, dls_error *error)
{
    const dls_problem *problem = dls_simulation_problem(rig->simulation);
    dls_bounds bounds;
    t->steps++;
    if (problem->n == 0) {
        t->certified++;
        return DLS_OK;
    }
    DLS_TRY(dls_certify(problem, dls_simulation_impulses(rig->simulation), &bounds, error));
    t->certified += bounds.kind != DLS_BOUNDS_NONE;
    if (bounds.kind == DLS_BOUNDS_BACKWARD)
        t->b_off = fmax(t->b_off, bounds.b_off), t->mu_off = fmax(t->mu_off, bounds.mu_off);
    else if (bounds.kind != DLS_BOUNDS_NONE)
        t->radius = fmax(t->radius, bounds.w);
    dls_bounds_release(&bounds);
    return DLS_OK;
}
