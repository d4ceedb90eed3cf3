/* Composite inertias, O(n): every subtree as one rigid body, about the centre of mass of its first link.
 *
 * Unit speed of degree of freedom k moves the whole subtree of its link as a rigid body with S_k; the momentum of that
 * is F_k = I_subtree S_k. Featherstone 2008, section 6.2.
 */
#include "parts.h"

void dls_part_composite(dls_articulation_work *work)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++) {
        dls_rigid_inertia *B = &work->composite[i];
        B->m = art->links[i].mass;
        B->h = dls_v3(0, 0, 0);
        B->J = dls_sym3_rotate(&work->links[i].R, &art->links[i].inertia);
    }
    for (size_t i = art->n_links; i-- > 0;) {
        const dls_link *link = &art->links[i];
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++)
            work->F[k] = dls_rigid_mul(&work->composite[i], work->S[k]);
        if (i)
            dls_rigid_gather(&work->composite[link->parent], &work->composite[i], work->links[i].r);
    }
}
