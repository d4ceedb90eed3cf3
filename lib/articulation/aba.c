/* Forward dynamics: the articulated-body algorithm, O(n). Featherstone 2008, chapter 7.
 *
 * Inwards, the articulated inertia A of link i loses what each of its joint's degrees of freedom lets go, the last one first,
 * and the rest is passed on to the parent:
 *     U = A S_k,   D = S_k.U + armature_k,   G = U / D,   A <- A - G U^T
 * One degree of freedom after the other is the elimination of the joint's block, row by row: a joint of many is a row of
 * joints of one with massless links between. A floating base is a joint of six with S = 1 at the root.
 *
 * That depends on q alone (dls_articulation_factor). Forces are propagated with it, inwards and outwards:
 *     u_k = tau_k - S_k.p,   p <- p + G u_k,   p_parent += (p at the parent)
 *     x_k = u_k / D - G.a,   a <- a + S_k x_k,   a of a child starts as that of its parent, moved
 * With p = 0 this solves M x = tau. Forward dynamics takes as p the forces that the links need for the acceleration they
 * have with vdot = 0 (rnea.c: gravity, Coriolis, centrifugal, external): the acceleration found is then the one on top of that.
 */
#include "parts.h"

#include <string.h>

static dls_status factor_joint(dls_articulation_work *work, size_t i, dls_error *error)
{
    const dls_articulation *art = work->articulation;
    const dls_link *link = &art->links[i];
    dls_inertia6 *A = &work->inertia[i];
    for (size_t k = link->dof + link->n_dofs; k-- > link->dof;) {
        dls_spatial U = dls_inertia6_mul(A, work->S[k]);
        double D = dls_spatial_dot(work->S[k], U) + art->armature[k];
        if (!(D > 0.0) || !isfinite(D))
            return dls_fail(error, DLS_BAD_ARGUMENT, "joint '%s' moves no inertia in this position (D = %g)", art->defs[i].joint, D);
        work->D_inverse[k] = 1.0 / D;
        work->G[k] = (dls_spatial){dls_scale(work->D_inverse[k], U.lin), dls_scale(work->D_inverse[k], U.ang)};
        dls_inertia6_deflate(A, work->G[k], U);
    }
    return DLS_OK;
}

dls_status dls_articulation_factor(dls_articulation_work *work, dls_error *error)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++) {
        double m = art->links[i].mass;
        work->inertia[i] = (dls_inertia6){.M = {m, 0, 0, m, 0, m}, .J = dls_sym3_rotate(&work->links[i].R, &art->links[i].inertia)};
    }
    for (size_t i = art->n_links; i-- > 0;) {
        DLS_TRY(factor_joint(work, i, error));
        if (i)
            dls_inertia6_gather(&work->inertia[art->links[i].parent], &work->inertia[i], work->links[i].r);
    }
    return DLS_OK;
}

/* links[].f holds p; u becomes known. */
static void inwards(dls_articulation_work *work, const double *tau)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = art->n_links; i-- > 0;) {
        const dls_link *link = &art->links[i];
        dls_spatial p = work->links[i].f;
        for (size_t k = link->dof + link->n_dofs; k-- > link->dof;) {
            work->u[k] = (tau ? tau[k] : 0.0) - dls_spatial_dot(work->S[k], p);
            p = dls_spatial_axpy(p, work->u[k], work->G[k]);
        }
        if (i) {
            dls_spatial *parent = &work->links[link->parent].f;
            *parent = dls_spatial_add(*parent, dls_force_at(p, work->links[i].r));
        }
    }
}

/* links[].f becomes the acceleration. */
void dls_part_outwards(dls_articulation_work *work, double *x)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        dls_spatial a = {{0, 0, 0}, {0, 0, 0}};
        if (i)
            a = dls_motion_at(work->links[link->parent].f, work->links[i].r);
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++) {
            x[k] = work->u[k] * work->D_inverse[k] - dls_spatial_dot(work->G[k], a);
            a = dls_spatial_axpy(a, x[k], work->S[k]);
        }
        work->links[i].f = a;
    }
}

void dls_articulation_solve(dls_articulation_work *work, const double *y, double *x)
{
    for (size_t i = 0; i < work->articulation->n_links; i++)
        work->links[i].f = (dls_spatial){{0, 0, 0}, {0, 0, 0}};
    inwards(work, y);
    dls_part_outwards(work, x);
}

void dls_articulation_forward(dls_articulation_work *work, const double *tau, const dls_spatial *force, dls_vec3 gravity, double *vdot)
{
    dls_part_accelerate(work, NULL, gravity);
    dls_part_link_forces(work, force);
    inwards(work, tau);
    dls_part_outwards(work, vdot);
    memmove(work->vdot, vdot, work->articulation->nv * sizeof *vdot);
    for (size_t i = 0; i < work->articulation->n_links; i++)
        work->links[i].a = dls_spatial_add(work->links[i].a, work->links[i].f);
}
