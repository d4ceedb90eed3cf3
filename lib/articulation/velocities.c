/* Velocities of the links, and accelerations due to the products of velocities, O(n), from the root to the leaves.
 *
 * With the relative angular velocity w = sum of a_k qd_k, the sliding velocity s = a qd, and l and d of kinematics.c:
 *
 *     omega = omega_p + w,   v = v_p + omega_p x l + s + omega x d
 *
 * The time derivative, without the terms of qdd and of the parent's acceleration, is the bias (z, zeta) of the
 * classical acceleration a = a_p + alpha_p x r + S_lin qdd + z, alpha = alpha_p + S_ang qdd + zeta:
 *
 *     zeta = omega_p x w (+ a1 qd1 x a2 qd2 where the first axis moves the second)
 *     z    = omega_p x (omega_p x l + 2 s) + omega x (omega x d) + zeta x d
 */
#include "parts.h"

static void move_link(const dls_link *link, const double *v, const dls_spatial *S, const dls_link_work *parent,
                      dls_link_work *w)
{
    dls_vec3 spin = dls_v3(0, 0, 0), slide = spin, zeta = spin;
    if (link->motion->slides) {
        slide = dls_scale(v[0], S[0].lin);
    } else {
        for (size_t k = 0; k < link->n_dofs; k++) {
            dls_vec3 turn = dls_scale(v[k], S[k].ang);
            if (link->motion->successive)
                zeta = dls_add(zeta, dls_cross(spin, turn));
            spin = dls_add(spin, turn);
        }
    }
    dls_vec3 omega_p = parent->v.ang, omega = dls_add(omega_p, spin);
    dls_vec3 arm = dls_cross(omega_p, w->l), swing = dls_cross(omega, w->d);
    w->v.lin = dls_add(dls_add(parent->v.lin, arm), dls_add(slide, swing));
    w->v.ang = omega;
    zeta = dls_add(zeta, dls_cross(omega_p, spin));
    w->bias.ang = zeta;
    w->bias.lin = dls_add(dls_cross(omega_p, dls_add(arm, dls_scale(2.0, slide))),
                          dls_add(dls_cross(omega, swing), dls_cross(zeta, w->d)));
}

void dls_articulation_velocities(const double *v, dls_articulation_work *work)
{
    const dls_articulation *art = work->articulation;
    dls_link_work *root = &work->links[0];
    root->v = root->bias = (dls_spatial){{0, 0, 0}, {0, 0, 0}};
    if (art->n_base)
        root->v = dls_spatial_from(v);
    for (size_t i = 1; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        move_link(link, v + link->dof, work->S + link->dof, &work->links[link->parent], &work->links[i]);
    }
}
