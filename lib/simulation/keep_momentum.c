/* Conservation of momentum while a step moves positions.
 *
 * A kick of conventions (1), (2) at q_k gives v1 with   M_k (v1 - v0) = -h C_k + impulses   where C_k = C(q_k, v0) are
 * gyroscopic, Coriolis and centrifugal forces. The first six rows of a floating base are the momentum (p, L) of all
 * links and the external impulses on them; those of a body are its own. So with P_k(v) the momentum of v at q_k,
 *
 *     P_k(v1) = P_k(v0) - h C_k + impulses
 *
 * Exactly, dP/dt is the sum of the external forces. The term -h C_k is present because P also changes along q' = v; it
 * should cancel the effect of the drift q_{k+1} = q_k (+) h v1, P_{k+1}(v1) = P_k(v1) + h C_k + O(h^2). The remainder
 * is the error: O(h^2) per step and O(h) in a run, and if links swing about the base also for the linear momentum.
 *
 * After the drift the correct momentum is known, and the velocities follow from it:
 *
 *     P = P_k(v1) + h C_k = P_k(v0) + impulses,   P_{k+1}(v_{k+1}) = P
 *
 * with the joint speeds of v1 and a new velocity of the base: six linear equations with the inertia of all links as one
 * rigid body; for a free body omega = R I^-1 R^T L. v_{k+1} - v1 is O(h^2), and the order of the scheme does not
 * change. On both sides L is about the centre of mass G of the articulation, or of the body, and the impulses have
 * their moments about G at q_k. About a fixed point the moment G x p is conserved too if G moves along p. G of a body
 * does so; G of an articulation, whose links move on arcs, leaves the line by O(h^2), and therefore the drift moves the
 * root such that G_{k+1} = G_k + h p / m, with the p above.
 *
 * TGS moves positions during its iterations, with the momentum of the current velocity: if rows act, its moment about a
 * fixed point differs from that of a step which moves at the end. Corrections of positions change that moment in any
 * scheme.
 */
#include "parts.h"

#include "model/model.h"

static void keep_body(dls_simulation *s, const dls_body *body, const dls_mass_body *before, dls_mat3 R)
{
    double *v = s->state->v + body->offset;
    const double *turning = s->turning + body->offset;
    const dls_vec3 L =
        dls_sub(dls_mul3(before->inertia, dls_v3(v[3], v[4], v[5])), dls_v3(turning[3], turning[4], turning[5]));
    const dls_vec3 omega = dls_mul3(R, dls_mul3(dls_inverse3(body->inertia), dls_tmul3(R, L)));
    v[3] = omega.x, v[4] = omega.y, v[5] = omega.z;
}

/* P_k(v) + h C_k about the centre of mass; C_k has its moment about that of the root. */
static dls_spatial kept_momentum(dls_simulation *s, size_t a)
{
    dls_articulation_work *work = s->linearised->works[a];
    const size_t base = s->model->articulations[a].offset;
    dls_articulation_velocities(s->state->v + base, work);
    const dls_vec3 arm = dls_sub(work->links[0].c, dls_articulation_centre_of_mass(work));
    const dls_spatial turning = dls_spatial_from(s->turning + base);
    return dls_spatial_sub(dls_articulation_central_momentum(work), dls_force_at(turning, arm));
}

const dls_vec3 *dls_momentum_centres(dls_simulation *s)
{
    for (size_t a = 0; a < s->model->n_articulations; a++) {
        const dls_articulation *tree = s->model->articulations[a].tree;
        if (tree->n_base)
            s->centre_speed[a] = dls_scale(1.0 / tree->mass, kept_momentum(s, a).lin);
    }
    return s->centre_speed;
}

static void keep_articulation(dls_simulation *s, size_t a)
{
    dls_articulation_work *now = s->now->works[a];
    double *v = s->state->v + s->model->articulations[a].offset;
    const dls_spatial kept = kept_momentum(s, a);
    dls_articulation_velocities(v, now);
    dls_articulation_add_momentum(now, dls_spatial_sub(kept, dls_articulation_central_momentum(now)), v);
}

void dls_momentum_keep(dls_simulation *s)
{
    const dls_model *model = s->model;
    const dls_mass_body *before = s->linearised->inertias;
    if (!model->world.keep_momentum || s->now == s->linearised)
        return;
    for (size_t i = 0; i < model->n_bodies; i++)
        if (model->bodies[i].offset != DLS_NONE) {
            if (!s->now->asleep[model->bodies[i].block])
                keep_body(s, &model->bodies[i], before, s->now->bodies[i].R);
            before++;
        }
    for (size_t a = 0; a < model->n_articulations; a++)
        if (model->articulations[a].tree->n_base && !s->now->asleep[model->articulations[a].block])
            keep_articulation(s, a);
    dls_configuration_set_velocity(s->now, s->state->v);
}
