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

/* A motion without a pose() of its own rotates about z, slides along it, or does not move. */
static inline bool turns_about_z(const dls_link *link)
{
    return !link->motion->pose && link->n_dofs > 0 && !link->motion->slides;
}

/* Any other link: R = P rotation(q), and the axes. */
static void orient(const dls_link *link, const dls_mat3 *parent, const double *q, const double *sine,
                   const double *cosine, dls_mat3 *R, dls_vec3 *axis)
{
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

typedef double quad __attribute__((vector_size(32), may_alias));

static void put_columns(const dls_mat3 *R, quad *columns)
{
    for (int k = 0; k < 3; k++)
        columns[k] = (quad){R->m[k], R->m[3 + k], R->m[6 + k], 0.0};
}

#define LANES "kinematics_lanes.h"
#include "widths.h"

void dls_articulation_kinematics(const dls_articulation_state *state, dls_articulation_work *work)
{
    place_root(state, work);
    dls_tree_sines(state->q, work->articulation->nq, work->inside->sine, work->inside->cosine);
    DLS_WIDEST(place_links)(state, work);
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
