/* The inverse-dynamics suite: the parts of M vdot + C(q, v) + g(q) - J^T f one by one. physx-articulations, Inverse
 * Dynamics.
 *
 * Gravity and external forces are forces at the centres of mass that the joints must hold, so they skip the
 * accelerations.
 */
#include "parts.h"

void dls_articulation_gravity_force(dls_articulation_work *work, dls_vec3 gravity, double *tau)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++)
        work->links[i].f = (dls_spatial){dls_scale(-art->links[i].mass, gravity), {0, 0, 0}};
    dls_part_gather_forces(work, NULL, tau);
}

void dls_articulation_coriolis_force(dls_articulation_work *work, double *tau)
{
    dls_articulation_inverse(work, NULL, NULL, dls_v3(0, 0, 0), tau);
}

void dls_articulation_external_force(dls_articulation_work *work, const dls_spatial *force, double *tau)
{
    for (size_t i = 0; i < work->articulation->n_links; i++)
        work->links[i].f = (dls_spatial){dls_neg(force[i].lin), dls_neg(force[i].ang)};
    dls_part_gather_forces(work, NULL, tau);
}

void dls_articulation_joint_force(dls_articulation_work *work, const double *vdot, double *tau)
{
    dls_articulation_inverse(work, vdot, NULL, dls_v3(0, 0, 0), tau);
}
