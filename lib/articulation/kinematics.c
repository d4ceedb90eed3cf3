/* Forward kinematics, O(n): poses of all links from the root to the leaves.
 *
 * tree.c has turned all constants into joint frames. For link i with parent p:
 *
 *     P_i = R_p A_i,   R_i = P_i rotation(q_i)
 *     c_i = c_p + l_i + d_i,   l_i = R_p l (translation along a: + a q),   d_i = R_i d
 *
 * and the motion subspace at c_i has the columns (a, 0) of translations and (a x d_i, a) of rotations.
 */
#include "parts.h"

static void place_root(const dls_articulation_state *state, dls_articulation_work *work)
{
    dls_link_work *root = &work->links[0];
    root->R = dls_quat_matrix(state->root_q);
    root->c = state->root_x;
    root->r = root->l = root->d = dls_v3(0, 0, 0);
    for (size_t k = 0; k < work->articulation->n_base; k++) {
        dls_vec3 e = dls_axis3((int)(k % 3)), zero = dls_v3(0, 0, 0);
        work->S[k] = k < 3 ? (dls_spatial){e, zero} : (dls_spatial){zero, e};
    }
}

/* R = P rotation(q), and the axes. A motion without a pose() of its own rotates about z, or not at all. */
static inline void orient(const dls_link *link, const dls_mat3 *parent, const double *q, const double *sine,
                          const double *cosine, dls_mat3 *R, dls_vec3 *axis)
{
    if (!link->motion->pose && link->n_dofs > 0 && !link->motion->slides) {
        const double *b = link->A.m, s = sine[0], c = cosine[0];
        for (int i = 0; i < 9; i += 3) {
            const double *a = parent->m + i;
            const double x = a[0] * b[0] + a[1] * b[3] + a[2] * b[6], y = a[0] * b[1] + a[1] * b[4] + a[2] * b[7];
            R->m[i] = c * x + s * y, R->m[i + 1] = c * y - s * x;
            R->m[i + 2] = a[0] * b[2] + a[1] * b[5] + a[2] * b[8];
        }
        axis[0] = dls_tree_column(R, 2);
        return;
    }
    *R = dls_matmul3(*parent, link->A);
    axis[0] = dls_tree_column(R, 2);
    if (link->motion->pose) {
        const dls_mat3 P = *R;
        link->motion->pose(&P, q, sine, cosine, R, axis);
    }
}

static void place_link(const dls_link *link, const double *q, dls_articulation_work *work, dls_link_work *w)
{
    const dls_link_work *parent = &work->links[link->parent];
    dls_spatial *S = work->S + link->dof;
    const size_t at = link->position;
    dls_vec3 axis[3];
    orient(link, &parent->R, q + at, work->inside->sine + at, work->inside->cosine + at, &w->R, axis);
    w->l = dls_mul3(parent->R, link->l);
    w->d = dls_mul3(w->R, link->d);
    if (link->motion->slides) {
        w->l = dls_add(w->l, dls_scale(q[at], axis[0]));
        S[0] = (dls_spatial){axis[0], dls_v3(0, 0, 0)};
    } else {
        for (size_t k = 0; k < link->n_dofs; k++)
            S[k] = (dls_spatial){dls_cross(axis[k], w->d), axis[k]};
    }
    w->r = dls_add(w->l, w->d);
    w->c = dls_add(parent->c, w->r);
}

void dls_articulation_kinematics(const dls_articulation_state *state, dls_articulation_work *work)
{
    const dls_articulation *art = work->articulation;
    place_root(state, work);
    dls_tree_sines(state->q, art->nq, work->inside->sine, work->inside->cosine);
    for (size_t i = 1; i < art->n_links; i++)
        place_link(&art->links[i], state->q, work, &work->links[i]);
}

static dls_mat3 link_rotation(const dls_articulation_work *work, size_t link)
{
    return dls_matmul3(work->links[link].R, work->articulation->links[link].to_joint);
}

dls_end dls_articulation_end(const dls_articulation_work *work, size_t link)
{
    const dls_link_work *w = &work->links[link];
    dls_mat3 R = link_rotation(work, link);
    return (dls_end){.x = w->c, .q = dls_matrix_quat(R), .R = R, .v = w->v.lin, .omega = w->v.ang};
}

dls_vec3 dls_articulation_origin(const dls_articulation_work *work, size_t link)
{
    return dls_sub(work->links[link].c, dls_mul3(link_rotation(work, link), work->articulation->defs[link].centre));
}
