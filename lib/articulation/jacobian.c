/* The dense Jacobian of all links: column k is the rigid motion S_k of the subtree of link dof_link[k], taken at the
 * centre of mass of every link of it. physx-articulations, Jacobian.
 */
#include "parts.h"

#include <string.h>

size_t dls_articulation_jacobian_rows(const dls_articulation *art)
{
    return 6 * (art->n_links - (art->fixed_base ? 1 : 0));
}

void dls_articulation_jacobian(const dls_articulation_work *work, double *J, size_t ld)
{
    const dls_articulation *art = work->articulation;
    size_t rows = dls_articulation_jacobian_rows(art), left_out = art->fixed_base ? 1 : 0;
    for (size_t k = 0; k < art->nv; k++) {
        size_t first = art->dof_link[k];
        memset(J + k * ld, 0, rows * sizeof *J);
        for (size_t i = first; i < art->links[first].subtree_end; i++) {
            dls_spatial S = dls_motion_at(work->S[k], dls_sub(work->links[i].c, work->links[first].c));
            dls_spatial_put(S, J + k * ld + 6 * (i - left_out));
        }
    }
}
