/* The loop of schemes with substeps. */
#include "substeps.h"

static dls_status make_one(dls_simulation *s, const dls_substeps *of, double k, size_t *iterations, dls_error *error)
{
    DLS_TRY(dls_stage_solve(s, 1, error));
    dls_stage_kick(s);
    dls_stage_drift(s, k);
    if (of->release)
        of->release(s);
    if (of->relax > 0)
        DLS_TRY(dls_stage_relax(s, of->relax, error));
    *iterations += dls_stage_report(s)->iterations;
    return DLS_OK;
}

dls_status dls_substeps_make(dls_simulation *s, const dls_substeps *of, double h, dls_error *error)
{
    const size_t count = dls_stage_iterations(s);
    const double k = h / (double)count;
    size_t iterations = 0;
    if (count == 0)
        return dls_fail(error, DLS_BAD_ARGUMENT, "%s needs at least one substep", of->scheme);
    dls_stage_begin(s);
    DLS_TRY(dls_stage_linearise(s, k, error));
    for (size_t n = 0; n < count; n++) {
        if (n > 0)
            DLS_TRY(dls_stage_relinearise(s, k, error));
        DLS_TRY(of->prepare(s, of->context, n, k, error));
        DLS_TRY(make_one(s, of, k, &iterations, error));
    }
    dls_stage_report(s)->iterations = iterations;
    return DLS_OK;
}
