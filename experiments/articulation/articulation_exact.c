/* Exact trajectories (reference/trajectory), evaluated at equal time steps.
 */
#include "parts.h"

dls_status dls_reduced_exactly(const dls_model *model, double step, size_t count, dls_reduced_visit visit,
                               void *context, dls_error *error)
{
    dls_trajectory_settings settings = dls_trajectory_default();
    dls_trajectory *exact = NULL;
    dls_state *state = NULL;
    dls_configuration *at = NULL;
    settings.tolerance = 1e-12;
    dls_status status = dls_state_create(model, &state, error);
    if (status == DLS_OK)
        status = dls_configuration_create(model, &at, error);
    if (status == DLS_OK)
        status = dls_trajectory_create(model, state, &settings, &exact, error);
    for (size_t k = 0; k < count && status == DLS_OK; k++) {
        status = dls_trajectory_advance(exact, (double)(k + 1) * step, state, error);
        dls_configuration_evaluate(at, state);
        if (status == DLS_OK)
            visit(context, k, at, state);
    }
    dls_trajectory_destroy(exact);
    dls_configuration_destroy(at);
    dls_state_destroy(state);
    return status;
}
