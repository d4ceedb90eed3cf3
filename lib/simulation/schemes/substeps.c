/* The loop of schemes with substeps.
 *
 * IMPACTS. The impulse of a stop that rebounds is no force that acts on: it stops a body of speed s, and the next
 * substep, which one sweep has to solve from the last impulses, would begin with all of it in v. The row and its
 * friction start from zero after the substep of their impact.
 */
#include "substeps.h"

static void forget_rebounds(dls_simulation *s)
{
    const dls_row_list *rows = dls_simulation_rows(s);
    bool rebounds = false;
    for (size_t i = 0; i < rows->n; i++) {
        const dls_list_row *row = &rows->row[i];
        if (i == 0 || row->owner != row[-1].owner)
            rebounds = false;
        rebounds = rebounds || (row->role == DLS_ROLE_STOP && (row->impacts || row->u > 0.0));
        if (rebounds && (row->role == DLS_ROLE_STOP || row->role == DLS_ROLE_FRICTION))
            dls_stage_impulses(s)[i] = 0.0;
    }
}

static dls_status make_one(dls_simulation *s, const dls_substeps *of, double k, dls_error *error)
{
    DLS_TRY(dls_stage_solve(s, 1, error));
    dls_stage_kick(s);
    dls_stage_drift(s, k);
    if (of->release)
        of->release(s);
    return of->relax > 0 ? dls_stage_relax(s, of->relax, error) : DLS_OK;
}

dls_status dls_substeps_make(dls_simulation *s, const dls_substeps *of, double h, dls_error *error)
{
    const size_t count = dls_stage_iterations(s);
    const double k = h / (double)count;
    if (count == 0)
        return dls_fail(error, DLS_BAD_ARGUMENT, "%s needs at least one substep", of->scheme);
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, k, error));
    for (size_t n = 0; n < count; n++) {
        if (n > 0) {
            forget_rebounds(s);
            DLS_TRY(dls_stage_relinearise(s, k, error));
        }
        DLS_TRY(of->prepare(s, of->context, n, k, error));
        DLS_TRY(make_one(s, of, k, error));
    }
    return DLS_OK;
}
