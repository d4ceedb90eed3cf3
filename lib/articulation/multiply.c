/* y = M x without M, O(n): the part of inverse dynamics (rnea.c) that is linear in the accelerations.
 *
 * With v = 0, no gravity and no external forces RNEA gives M vdot, and then neither the bias nor omega x I omega is
 * left:
 *     outwards  a_i = (a at the parent, moved) + S_i x_i,   f_i = (m a, I alpha)
 *     inwards   y_k = S_k.f_i + armature_k x_k,   f_p += (f, tau + r x f)_i
 * Nothing of the velocities is read, and links[].a of the last dynamics is left alone: a_i lives where f_i comes to
 * stand.
 */
#include "parts.h"

static void accelerate(dls_articulation_work *work, const double *x)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        dls_spatial a = {{0, 0, 0}, {0, 0, 0}};
        if (i)
            a = dls_motion_at(work->links[link->parent].f, work->links[i].r);
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++)
            a = dls_spatial_axpy(a, x[k], work->S[k]);
        work->links[i].f = a;
    }
}

void dls_articulation_multiply(dls_articulation_work *work, const double *x, double *y)
{
    accelerate(work, x);
    for (size_t i = 0; i < work->articulation->n_links; i++) {
        const dls_link *link = &work->articulation->links[i];
        dls_link_work *w = &work->links[i];
        dls_vec3 torque = dls_sym3_mul(&link->inertia, dls_tmul3(w->R, w->f.ang));
        w->f = (dls_spatial){dls_scale(link->mass, w->f.lin), dls_mul3(w->R, torque)};
    }
    dls_part_gather_forces(work, x, y);
}
