/* Responses to test impulses: an impulse travels to the root, and the change of velocity back. Mirtich, Impulse-based
 * Dynamic Simulation of Rigid Body Systems (Berkeley, 1996), section 4.3; mimic-joints, Unit Test Impulses.
 *
 * The propagation of aba.c is a factorisation M^-1 = L^-T D^-1 L^-1 whose L^-1 is the way inwards: with u_i = L^-1
 * e_i, which is not 0 on the way from i to the root alone,
 *     column i of M^-1 = L^-T D^-1 u_i,       r_ij = sum over degrees of freedom k on both ways of u_ik u_jk / D_k
 * so r_ij is symmetric to the last bit, and exactly 0 where the ways meet only at a fixed root.
 */
#include "parts.h"

#include <string.h>

/* The degrees of freedom of one link, the last first: u_k for those before `dof` (excluded) and p behind the joint. */
static dls_spatial pass_joint(dls_articulation_work *work, size_t i, size_t dof, dls_spatial p)
{
    const dls_link *link = &work->articulation->links[i];
    for (size_t k = link->dof + link->n_dofs; k-- > link->dof;) {
        work->u[k] = (k == dof ? 1.0 : 0.0) - dls_part_power(work, i, k, p);
        p = dls_spatial_axpy(p, work->u[k], work->G[k]);
    }
    return p;
}

static void inwards(dls_articulation_work *work, size_t i, size_t dof, dls_spatial p)
{
    const dls_articulation *art = work->articulation;
    for (;;) {
        p = pass_joint(work, i, dof, p);
        if (i == 0)
            return;
        p = dls_force_at(p, dls_part_arm(work, i));
        i = art->links[i].parent;
    }
}

void dls_articulation_response(dls_articulation_work *work, size_t dof, double *column)
{
    const dls_articulation *art = work->articulation;
    memset(work->u, 0, art->nv * sizeof *work->u);
    inwards(work, art->dof_link[dof], dof, (dls_spatial){{0, 0, 0}, {0, 0, 0}});
    dls_part_outwards(work, column);
}

void dls_articulation_response_link(dls_articulation_work *work, size_t link, dls_spatial impulse, double *column)
{
    memset(work->u, 0, work->articulation->nv * sizeof *work->u);
    dls_spatial p = {dls_neg(impulse.lin), dls_neg(impulse.ang)};
    inwards(work, link, DLS_NONE, dls_force_at(p, work->links[link].d));
    dls_part_outwards(work, column);
}

double dls_articulation_response_entry(dls_articulation_work *work, size_t i, size_t j)
{
    const dls_articulation *art = work->articulation;
    size_t link_i = art->dof_link[i], link = art->dof_link[j];
    inwards(work, link_i, i, (dls_spatial){{0, 0, 0}, {0, 0, 0}});
    dls_spatial p = {{0, 0, 0}, {0, 0, 0}};
    double r = 0.0;
    for (;;) {
        const dls_link *L = &art->links[link];
        bool shared = link <= link_i && link_i < L->subtree_end;
        for (size_t k = L->dof + L->n_dofs; k-- > L->dof;) {
            double u = (k == j ? 1.0 : 0.0) - dls_part_power(work, link, k, p);
            p = dls_spatial_axpy(p, u, work->G[k]);
            if (shared)
                r += work->u[k] * u * work->D_inverse[k];
        }
        if (link == 0)
            return r;
        p = dls_force_at(p, dls_part_arm(work, link));
        link = L->parent;
    }
}
