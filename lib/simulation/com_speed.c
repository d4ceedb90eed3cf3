/* Greatest speeds of the centre of mass of articulations. physx-articulations, Stability (maximal COM velocities).
 *
 * With the momentum (p, L) of an articulation about its centre of mass G, its mass m and its inertia I_G with all
 * joints locked, its speeds are |p| / m and |I_G^-1 L|. Limits of these are not constraints like rows: they concern all
 * degrees of freedom of a tree at once, and there is no second body for a reaction. They are therefore a clamp at the
 * very end of a step:
 *     floating base   (p, L) <- (s p, t L),  s = min(1, linear / |v_G|),  t = min(1, angular / |omega_G|)
 *                     by the velocity of the base; joint speeds do not change
 *     fixed base      v <- min(s, t) v for all joint speeds, in which p and L are linear
 * Velocities within the limits do not change, to the bit. The energy that is removed is the column `clamp` of the
 * ledger, and the momentum that is removed is not counted as drift.
 */
#include "parts.h"

#include "model/model.h"

#include <math.h>

/* The factor that reduces a speed to its limit. */
static double reducing_factor(double speed, double limit) { return speed > limit ? limit / speed : 1.0; }

/* Whether a velocity has changed. */
static bool clamp_articulation(dls_simulation *s, size_t a)
{
    const dls_model_articulation *articulation = &s->model->articulations[a];
    dls_articulation_work *work = s->now->works[a];
    double *v = s->state->v + articulation->offset, turn[6] = {0.0};
    const dls_spatial momentum = dls_articulation_central_momentum(work);
    const dls_spatial spin = {dls_v3(0, 0, 0), momentum.ang};
    dls_articulation_add_momentum(work, spin, turn);
    const double linear = reducing_factor(dls_norm(momentum.lin) / articulation->tree->mass, articulation->com_speed),
                 angular =
                     reducing_factor(dls_norm(dls_v3(turn[3], turn[4], turn[5])), articulation->com_angular_speed);
    if (linear == 1.0 && angular == 1.0)
        return false;
    if (articulation->tree->n_base)
        dls_articulation_add_momentum(
            work, (dls_spatial){dls_scale(linear - 1.0, momentum.lin), dls_scale(angular - 1.0, momentum.ang)}, v);
    for (size_t k = 0; k < articulation->tree->nv && !articulation->tree->n_base; k++)
        v[k] *= fmin(linear, angular);
    return true;
}

void dls_com_speed_clamp(dls_simulation *s)
{
    bool any = false;
    if (!s->model->n_clamped)
        return;
    const double kinetic = s->ledger ? dls_kinetic_energy(s->now) : 0.0;
    const dls_spatial momentum = s->ledger ? dls_ledger_momentum(s->now) : (dls_spatial){{0, 0, 0}, {0, 0, 0}};
    for (size_t a = 0; a < s->model->n_articulations; a++) {
        const dls_model_articulation *articulation = &s->model->articulations[a];
        const bool limited = isfinite(articulation->com_speed) || isfinite(articulation->com_angular_speed);
        if (limited && articulation->block != DLS_NONE && !s->now->asleep[articulation->block])
            any = clamp_articulation(s, a) || any;
    }
    if (!any)
        return;
    dls_configuration_set_velocity(s->now, s->state->v);
    if (s->ledger)
        dls_ledger_clamp(s->ledger, s->now, kinetic, momentum);
}
