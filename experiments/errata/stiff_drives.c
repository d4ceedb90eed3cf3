/* physx-articulations, Articulation Joint Drives: implicit drives "can handle very large gains without necessarily
 * causing joint state instability or oscillations".
 *
 * A chain of rods with the same drive on each hinge, at rest without gravity. The experiment `articulation` has the
 * borders of explicit drives and exact solves of implicit ones. Here the same matrix of a whole step is measured where
 * the rows of the drives are solved by a few sweeps: over the gain y = h^2 kp / m, m the least eigenvalue of the mass
 * matrix, with h kd / m = 0.2 sqrt(y). */
#include "parts.h"

#include "../articulation/parts.h"

#include <math.h>
#include <stdio.h>

enum { RODS = 4, EXPLICIT = 0, EXACT = 1 };

static dls_status measure_drive(const dls_study *study, double m, size_t way, size_t k, dls_error *error)
{
    const dls_claims_settings *set = study->settings;
    dls_claims_findings *f = study->found;
    const double y = set->gains.reals[k], h = set->step;
    const size_t sweeps = way > EXACT ? set->sweeps.counts[way - 2] : 1;
    const dls_reduced_drive drive = {y * m / (h * h), 0.2 * sqrt(y) * m / h, way == EXPLICIT};
    const dls_reduced_chain chain = {.links = RODS, .ratio = 1.0, .weightless = true, .drive = &drive};
    const dls_rig_plan plan = {.solver = way > EXACT ? "pgs" : "block-pivoting", .iterations = sweeps};
    dls_model *model;
    char name[32];
    double radius;
    DLS_TRY(dls_reduced_chain_model(&chain, DLS_REDUCED, 0.0, &model, error));
    dls_status status = dls_reduced_step_radius(model, &plan, h, &radius, error);
    dls_model_destroy(model);
    DLS_TRY(status);
    f->drive[way].radius[k] = radius;
    f->drive[way].largest = fmax(f->drive[way].largest, radius);
    snprintf(name, sizeof name, "pgs-%zu", sweeps);
    dls_claims_row(study, "drives", "four rods",
                   way == EXPLICIT ? "explicit"
                   : way == EXACT  ? "exact"
                                   : name,
                   "h^2 kp / m", y, "spectral radius of a step", radius);
    return DLS_OK;
}

dls_status dls_claims_stiff_drives(dls_study *study, dls_error *error)
{
    const dls_claims_settings *set = study->settings;
    double m;
    DLS_TRY(dls_reduced_least_inertia(RODS, &m, error));
    for (dls_grid g = DLS_GRID(2 + set->sweeps.count, set->gains.count); dls_study_next(study, &g);)
        DLS_TRY(measure_drive(study, m, g.at[0], g.at[1], error));
    return DLS_OK;
}
