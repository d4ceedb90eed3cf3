/* Forward dynamics: the articulated-body algorithm, O(n). Featherstone 2008, chapter 7.
 *
 * FACTORS, from the leaves to the root. Starting with the last degree of freedom of its joint, the articulated inertia
 * A of link i is reduced by each of them, and the rest is added to the parent's:
 *
 *     U = A S_k,   D = S_k.U + armature_k,   G = U / D,   A <- A - G U^T
 *
 * Treating the degrees of freedom of a joint one after the other eliminates the joint's block row by row; it is as if
 * there were massless links between joints of one degree of freedom. A floating base is a joint of six with S = 1 at
 * the root.
 *
 * The reference point is the anchor of the link's joint. There a rotation has S = (0, a) and a translation S = (a, 0),
 * so U, D and S_k.p take half of a product each; forces and accelerations at the centre of mass are moved by d.
 *
 * SOLUTION. The factors depend on q alone. Forces p are propagated with them to the root, accelerations a back:
 *
 *     u_k = tau_k - S_k.p,   p <- p + G u_k,   p_parent += (p at the parent's anchor)
 *     x_k = u_k / D - G.a,   a <- a + S_k x_k,   where a begins as that of the parent, moved to the anchor
 *
 * Starting with p = 0 this solves M x = tau. Forward dynamics starts with the forces that the links need for their
 * accelerations at vdot = 0 (rnea.c: gravity, Coriolis, centrifugal and external forces); the accelerations found are
 * added to those.
 */
#include "parts.h"

#include <string.h>

/* The inertia of the link alone about its anchor, from that about its centre of mass; h = m d is its first moment. */
static void rigid_inertia(const dls_rigid_inertia *alone, dls_vec3 d, dls_inertia6 *A)
{
    double m = alone->m;
    dls_vec3 h = dls_scale(m, d);
    double t = dls_dot(h, d);
    dls_sym3 J = alone->J;
    A->M = (dls_sym3){m, 0, 0, m, 0, m};
    A->J = (dls_sym3){J.xx + (t - h.x * d.x), J.xy - h.x * d.y, J.xz - h.x * d.z,
                      J.yy + (t - h.y * d.y), J.yz - h.y * d.z, J.zz + (t - h.z * d.z)};
    A->H[0] = dls_v3(0, h.z, -h.y), A->H[1] = dls_v3(-h.z, 0, h.x), A->H[2] = dls_v3(h.y, -h.x, 0);
}

static dls_status factor_joint(dls_articulation_work *work, size_t i, const double *armature, dls_inertia6 *A,
                               dls_error *error)
{
    const dls_articulation *art = work->articulation;
    const dls_link *link = &art->links[i];
    for (size_t k = link->dof + link->n_dofs; k-- > link->dof;) {
        bool turns = art->inside->turns[k];
        dls_vec3 a = dls_tree_half(turns, work->S[k]);
        dls_spatial U = turns ? dls_inertia6_turn(A, a) : dls_inertia6_slide(A, a);
        double D = dls_dot(a, dls_tree_half(turns, U)) + armature[k];
        if (!(D > 0.0) || !isfinite(D))
            return dls_fail(error, DLS_BAD_ARGUMENT, "%s '%s' moves no inertia in this position (D = %g)",
                            i ? "joint" : "the floating base", art->defs[i].joint, D);
        work->inside->D_inverse[k] = 1.0 / D;
        work->inside->G[k] =
            (dls_spatial){dls_scale(work->inside->D_inverse[k], U.lin), dls_scale(work->inside->D_inverse[k], U.ang)};
        dls_inertia6_deflate(A, work->inside->G[k], U);
    }
    return DLS_OK;
}

dls_status dls_tree_factor(dls_articulation_work *work, const dls_inertia6 *added, const double *armature,
                           dls_error *error)
{
    const dls_articulation *art = work->articulation;
    work->inside->response_known = false;
    dls_tree_alone(work);
    for (size_t i = 0; i < art->n_links; i++) {
        rigid_inertia(&work->inside->composite[i], work->links[i].d, &work->inside->inertia[i]);
        if (added)
            dls_inertia6_gather(&work->inside->inertia[i], &added[i], dls_v3(0, 0, 0));
    }
    for (size_t i = art->n_links; i-- > 0;) {
        dls_inertia6 A = work->inside->inertia[i];
        DLS_TRY(factor_joint(work, i, armature, &A, error));
        if (i)
            dls_inertia6_gather(&work->inside->inertia[art->links[i].parent], &A, dls_tree_arm(work, i));
    }
    return DLS_OK;
}

dls_status dls_articulation_factor(dls_articulation_work *work, dls_error *error)
{
    return dls_tree_factor(work, NULL, work->articulation->armature, error);
}

/* u from the forces p in links[].f and tau (NULL: 0). What a link passes to the one before it stays in registers. */
static void pass_inwards(dls_articulation_work *work, const double *tau)
{
    const dls_articulation *art = work->articulation;
    dls_spatial passed = {{0, 0, 0}, {0, 0, 0}};
    for (size_t i = art->n_links; i-- > 0;) {
        const dls_link *link = &art->links[i];
        dls_spatial p = dls_spatial_add(work->links[i].f, passed);
        for (size_t k = link->dof + link->n_dofs; k-- > link->dof;) {
            work->inside->u[k] = (tau ? tau[k] : 0.0) - dls_tree_power(work, k, p);
            p = dls_spatial_axpy(p, work->inside->u[k], work->inside->G[k]);
        }
        if (i == 0)
            return;
        passed = dls_force_at(p, dls_tree_arm(work, i));
        if (link->parent != i - 1) {
            dls_spatial *parent = &work->links[link->parent].f;
            *parent = dls_spatial_add(*parent, passed);
            passed = (dls_spatial){{0, 0, 0}, {0, 0, 0}};
        }
    }
}

/* x from u; links[].f becomes the acceleration of the anchor. */
static void pass_outwards(dls_articulation_work *work, double *x)
{
    const dls_articulation *art = work->articulation;
    dls_spatial a = {{0, 0, 0}, {0, 0, 0}};
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        if (i)
            a = dls_motion_at(link->parent == i - 1 ? a : work->links[link->parent].f, dls_tree_arm(work, i));
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++) {
            x[k] = work->inside->u[k] * work->inside->D_inverse[k] - dls_spatial_dot(work->inside->G[k], a);
            if (art->inside->turns[k])
                a.ang = dls_add(a.ang, dls_scale(x[k], work->S[k].ang));
            else
                a.lin = dls_add(a.lin, dls_scale(x[k], work->S[k].lin));
        }
        work->links[i].f = a;
    }
}

void dls_tree_propagate(dls_articulation_work *work, const double *y, double *x)
{
    for (size_t i = 0; i < work->articulation->n_links; i++)
        work->links[i].f = (dls_spatial){{0, 0, 0}, {0, 0, 0}};
    pass_inwards(work, y);
    pass_outwards(work, x);
}

void dls_articulation_half(dls_articulation_work *work, const double *y, double *z)
{
    for (size_t i = 0; i < work->articulation->n_links; i++)
        work->links[i].f = (dls_spatial){{0, 0, 0}, {0, 0, 0}};
    pass_inwards(work, y);
    for (size_t k = 0; k < work->articulation->nv; k++)
        z[k] = work->inside->u[k] * sqrt(work->inside->D_inverse[k]);
}

void dls_articulation_forward(dls_articulation_work *work, const double *tau, const dls_spatial *force,
                              dls_vec3 gravity, double *vdot)
{
    dls_tree_link_forces(work, NULL, force, gravity);
    for (size_t i = 0; i < work->articulation->n_links; i++)
        work->links[i].f = dls_force_at(work->links[i].f, work->links[i].d);
    pass_inwards(work, tau);
    pass_outwards(work, vdot);
    memmove(work->vdot, vdot, work->articulation->nv * sizeof *vdot);
    for (size_t i = 0; i < work->articulation->n_links; i++)
        work->links[i].a = dls_spatial_add(work->links[i].a, dls_motion_at(work->links[i].f, work->links[i].d));
}
