/* Forward kinematics, O(n): poses of all links from the root outwards.
 *
 * With everything turned into joint frames beforehand (tree.c), link i with parent p has
 *     P_i = R_p A_i,   R_i = P_i rotation(q_i),   c_i = c_p + l_i + d_i,   l_i = R_p l (+ a q where it slides),   d_i = R_i d
 * and the motion subspace at c_i has the columns (a, 0) where it slides and (a x d_i, a) where it turns.
 */
#include "parts.h"

static void multiply(const dls_mat3 *A, const dls_mat3 *B, dls_mat3 *C)
{
    for (int i = 0; i < 9; i += 3)
        for (int j = 0; j < 3; j++)
            C->m[i + j] = A->m[i] * B->m[j] + A->m[i + 1] * B->m[3 + j] + A->m[i + 2] * B->m[6 + j];
}

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

static void place_link(const dls_link *link, const double *q, const dls_link_work *parent, dls_link_work *w, dls_spatial *S)
{
    dls_mat3 P;
    dls_vec3 axis[3];
    multiply(&parent->R, &link->A, &P);
    link->motion->pose(&P, q, &w->R, axis);
    w->l = dls_mul3(parent->R, link->l);
    w->d = dls_mul3(w->R, link->d);
    if (link->motion->slides) {
        w->l = dls_add(w->l, dls_scale(q[0], axis[0]));
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
    for (size_t i = 1; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        place_link(link, state->q + link->position, &work->links[link->parent], &work->links[i], work->S + link->dof);
    }
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
