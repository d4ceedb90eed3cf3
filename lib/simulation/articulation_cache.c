/* The cache of an articulation in a simulation: physx-articulations, PxArticulationCache. State and work arrays are
 * copied as for any articulation; this file adds the results of a step: forces of rows on the joints, sensors, and the
 * coefficient matrix and lambda of the rows that act on the articulation.
 */
#include "parts.h"

#include "model/model.h"

#include <string.h>

/* Whether block k of the Jacobian is of the articulation. */
static bool block_acts_on(const dls_rows *J, size_t k, const dls_model_articulation *articulation)
{
    return J->offset[k] >= articulation->offset && J->offset[k] < articulation->offset + articulation->tree->nv;
}

static bool row_acts_on(const dls_rows *J, size_t i, const dls_model_articulation *articulation)
{
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        if (block_acts_on(J, k, articulation))
            return true;
    return false;
}

static bool sensor_on(const dls_simulation *s, size_t sensor, const dls_model_articulation *articulation)
{
    const size_t end = s->model->sensors[sensor].end;
    return end >= articulation->first_end && end < articulation->first_end + articulation->tree->n_links;
}

/* Row i becomes column `column` of J^T. */
static void put_row(const dls_simulation *s, const dls_model_articulation *articulation, size_t i, size_t column,
                    dls_articulation_cache *cache)
{
    const dls_rows *J = &s->problem->J;
    double *to = cache->coefficients + cache->nv * column;
    cache->row_index[column] = i;
    cache->lambda[column] = s->lambda[i] / s->problem->h;
    memset(to, 0, cache->nv * sizeof *to);
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        if (block_acts_on(J, k, articulation))
            memcpy(to + (J->offset[k] - articulation->offset), J->coef + J->coef_at[k],
                   (J->coef_at[k + 1] - J->coef_at[k]) * sizeof *to);
}

static dls_status put_step(dls_simulation *s, const dls_model_articulation *articulation, dls_articulation_cache *cache,
                           dls_error *error)
{
    size_t n_rows = 0, n_sensors = 0;
    for (size_t i = 0; i < s->problem->n; i++)
        n_rows += row_acts_on(&s->problem->J, i, articulation);
    for (size_t k = 0; k < s->model->n_sensors; k++)
        n_sensors += sensor_on(s, k, articulation);
    DLS_TRY(dls_articulation_cache_room(cache, n_sensors, n_rows, error));
    memset(cache->solver_force, 0, cache->nv * sizeof *cache->solver_force);
    for (size_t i = 0, column = 0; i < s->problem->n; i++) {
        if (!row_acts_on(&s->problem->J, i, articulation))
            continue;
        put_row(s, articulation, i, column, cache);
        for (size_t k = 0; k < cache->nv; k++)
            cache->solver_force[k] += cache->lambda[column] * cache->coefficients[cache->nv * column + k];
        column++;
    }
    for (size_t k = 0, put = 0; k < s->model->n_sensors; k++) {
        if (!sensor_on(s, k, articulation))
            continue;
        cache->sensor_index[put] = k;
        DLS_TRY(dls_simulation_sensor(s, k, &cache->sensors[put++], error));
    }
    return DLS_OK;
}

dls_status dls_simulation_cache(dls_simulation *s, size_t a, dls_articulation_cache *cache, unsigned flags,
                                dls_error *error)
{
    const unsigned stepped = DLS_CACHE_ACCELERATION | DLS_CACHE_LINK_ACCELERATION | DLS_CACHE_STEP;
    if (a >= s->model->n_articulations)
        return dls_fail(error, DLS_BAD_ARGUMENT, "there are %zu articulations, and no number %zu",
                        s->model->n_articulations, a);
    if ((flags & stepped) && !s->linearised)
        return dls_fail(error, DLS_BAD_ARGUMENT, "there are no accelerations and forces before the first step");
    dls_simulation_update(s);
    const dls_model_articulation *articulation = &s->model->articulations[a];
    dls_articulation_work *work = s->now->works[a];
    const dls_articulation_state state = dls_state_articulation(s->model, s->state, a);
    const dls_articulation_load load = dls_state_load(s->model, s->state, a);
    if (flags & DLS_CACHE_LINK_ACCELERATION) {
        cache->gravity = s->model->world.gravity;
        dls_articulation_inverse(work, work->vdot, NULL, cache->gravity, s->scratch);
    }
    DLS_TRY(dls_articulation_cache_copy_out(cache, &state, &load, work, flags & ~(unsigned)DLS_CACHE_STEP, error));
    return flags & DLS_CACHE_STEP ? put_step(s, articulation, cache, error) : DLS_OK;
}
