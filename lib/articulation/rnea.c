/* Inverse dynamics: the recursive Newton-Euler algorithm, O(n). Featherstone 2008, section 5.3; Luh, Walker and Paul
 * (1980). Its terms one by one: physx-articulations, Inverse Dynamics.
 *
 * From the root to the leaves, classical accelerations at the centres of mass (the bias is that of velocities.c):
 *
 *     a_i = (a_p + alpha_p x r, alpha_p) + S_i vdot_i + bias_i,      a_root = (-g, 0) + S vdot
 *
 * Gravity is an upward acceleration of the world. Each link then needs the force
 *
 *     f_i = (m a, I alpha + omega x I omega) - f_ext
 *
 * and from the leaves to the root   tau_k = S_k.f_i + armature_k vdot_k,   f_p += (f, tau + r x f)_i.
 */
#include "parts.h"

/* The force for the acceleration a; the torque is computed in the joint frame, where the inertia is constant. */
static dls_spatial newton_euler(const dls_link *link, const dls_link_work *w, dls_spatial a)
{
    dls_vec3 omega = dls_tmul3(w->R, w->v.ang), alpha = dls_tmul3(w->R, a.ang);
    dls_vec3 spin = dls_sym3_mul(&link->inertia, omega);
    dls_vec3 torque = dls_add(dls_sym3_mul(&link->inertia, alpha), dls_cross(omega, spin));
    return (dls_spatial){dls_scale(link->mass, a.lin), dls_mul3(w->R, torque)};
}

void dls_tree_link_forces(dls_articulation_work *work, const double *vdot, const dls_spatial *force, dls_vec3 gravity)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        dls_link_work *w = &work->links[i];
        dls_spatial a = {dls_neg(gravity), {0, 0, 0}};
        if (i)
            a = dls_motion_at(work->links[link->parent].a, w->r);
        a = dls_spatial_add(a, w->bias);
        if (vdot)
            for (size_t k = link->dof; k < link->dof + link->n_dofs; k++)
                a = dls_spatial_axpy(a, vdot[k], work->S[k]);
        w->a = a;
        w->f = newton_euler(link, w, a);
        if (force)
            w->f = dls_spatial_sub(w->f, force[i]);
    }
}

void dls_tree_gather(dls_articulation_work *work, const double *vdot, double *tau)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = art->n_links; i-- > 0;) {
        const dls_link *link = &art->links[i];
        const dls_link_work *w = &work->links[i];
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++)
            tau[k] = dls_spatial_dot(work->S[k], w->f) + (vdot ? art->armature[k] * vdot[k] : 0.0);
        if (i) {
            dls_spatial *parent = &work->links[link->parent].f;
            *parent = dls_spatial_add(*parent, dls_force_at(w->f, w->r));
        }
    }
}

void dls_articulation_inverse(dls_articulation_work *work, const double *vdot, const dls_spatial *force,
                              dls_vec3 gravity, double *tau)
{
    dls_tree_link_forces(work, vdot, force, gravity);
    dls_tree_gather(work, vdot, tau);
}

/* THE INCOMING WRENCH. Newton and Euler of link i alone, with all that acts on it from outside the tree in f_ext and
 * the joints of its children acting with the opposite of their action on the children:
 *
 *     (m a, I alpha + omega x I omega) - (m g, 0) - f_ext = W_i - sum over children j of (W_j at c_i)
 *     W_i = f_i + sum over children (F, tau + r x F)_j
 *
 * with f_i as above: the sum that goes from the leaves to the root is the wrench that the joint transmits, and its part
 * along S_k is the force on the degree of freedom, tau_k - armature_k vdot_k (the rotor turns beside the link). */
void dls_articulation_wrenches(dls_articulation_work *work, const double *vdot, const dls_spatial *force,
                               dls_vec3 gravity, dls_spatial *wrench)
{
    const dls_articulation *art = work->articulation;
    dls_tree_link_forces(work, vdot, force, gravity);
    for (size_t i = 0; i < art->n_links; i++)
        wrench[i] = work->links[i].f;
    for (size_t i = art->n_links; i-- > 1;) {
        dls_spatial *parent = &wrench[art->links[i].parent];
        *parent = dls_spatial_add(*parent, dls_force_at(wrench[i], work->links[i].r));
    }
}

dls_spatial dls_articulation_acceleration(const dls_articulation_work *work, size_t link, dls_vec3 gravity)
{
    dls_spatial a = work->links[link].a;
    return (dls_spatial){dls_add(a.lin, gravity), a.ang};
}

/* --- the product with M --- */

/* The algorithm without speeds, gravity and external forces. links[].f holds the accelerations first, so that links[].a
 * of the last dynamics remains. */
void dls_articulation_multiply(dls_articulation_work *work, const double *x, double *y)
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
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        dls_link_work *w = &work->links[i];
        dls_vec3 torque = dls_sym3_mul(&link->inertia, dls_tmul3(w->R, w->f.ang));
        w->f = (dls_spatial){dls_scale(link->mass, w->f.lin), dls_mul3(w->R, torque)};
    }
    dls_tree_gather(work, x, y);
}

/* --- term by term --- */

void dls_articulation_gravity_force(dls_articulation_work *work, dls_vec3 gravity, double *tau)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++)
        work->links[i].f = (dls_spatial){dls_scale(-art->links[i].mass, gravity), {0, 0, 0}};
    dls_tree_gather(work, NULL, tau);
}

void dls_articulation_applied_force(dls_articulation_work *work, const double *tau, const dls_spatial *force,
                                    dls_vec3 gravity, double *sum)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_spatial weight = {dls_scale(art->links[i].mass, gravity), {0, 0, 0}};
        work->links[i].f = force ? dls_spatial_add(weight, force[i]) : weight;
    }
    dls_tree_gather(work, NULL, sum);
    for (size_t k = 0; k < art->nv && tau; k++)
        sum[k] += tau[k];
}

void dls_articulation_coriolis_force(dls_articulation_work *work, double *tau)
{
    dls_articulation_inverse(work, NULL, NULL, dls_v3(0, 0, 0), tau);
}

void dls_articulation_external_force(dls_articulation_work *work, const dls_spatial *force, double *tau)
{
    for (size_t i = 0; i < work->articulation->n_links; i++)
        work->links[i].f = (dls_spatial){dls_neg(force[i].lin), dls_neg(force[i].ang)};
    dls_tree_gather(work, NULL, tau);
}

void dls_articulation_joint_force(dls_articulation_work *work, const double *vdot, double *tau)
{
    dls_articulation_inverse(work, vdot, NULL, dls_v3(0, 0, 0), tau);
}
