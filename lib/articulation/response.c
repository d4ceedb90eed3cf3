/* x = M^-1 y on trees that are not too deep, and the response to test impulses (Mirtich, Impulse-based Dynamic
 * Simulation of Rigid Body Systems, Berkeley 1996, section 4.3; mimic-joints, Unit Test Impulses).
 *
 * The articulated-body algorithm (aba.c) factorises M^-1 = W D^-1 W^T: Rodriguez, Jain and Kreutz-Delgado, Int. J.
 * Robotics Research 10 (1991). Its sweep towards the root is W^T, its sweep away from it W. W_ik is the force u_k that
 * reaches degree of freedom k when a unit force acts on i: 0 unless k = i or k is on the way from i to the root, and
 * W_ii = 1. So
 *
 *     M^-1 y = sum over k of z_k (column k of W) / D_k,   z = W^T y,   (M^-1)_ij = sum over k of W_ik W_jk / D_k
 *
 * The second is symmetric to the last bit, and both are exactly 0 where the ways of i and j meet only at a fixed root.
 * If y has few entries, z is nonzero only on their ways to the root, and a solve costs little more than writing x.
 *
 * W is computed column by column, from the last degree of freedom to the first, for all i of a subtree together. With
 * the unit force on i propagated to the anchor of the joint of k as p_i:
 *
 *     W_ik = -S_k.p_i,   p_i <- p_i + G_k W_ik   for i > k;   W_kk = 1,   p_k = G_k;   p_i <- (p_i at the next anchor)
 *
 * The degrees of freedom of a subtree are consecutive, so a column has no gaps. Its entries are taken four at a time:
 * every branch begins in a slot that is a multiple of 4, and a column begins at the last such slot at or before that of
 * its own degree of freedom. Entries before that one and after the end of a branch remain 0.
 *
 * The first solve after dls_articulation_factor computes W; forward dynamics does not need it. Its size is the sum of
 * all depths, so deep trees do without it and propagate (aba.c), which costs less for them.
 */
#include "parts.h"

#include <string.h>

typedef double quad __attribute__((vector_size(32), may_alias));

/* From the anchor of a joint to that of the next joint towards the root that moves, if `dof` is the joint's first
 * degree of freedom, hence the last that is passed; else 0. */
static inline dls_vec3 arm_after(const dls_articulation_work *work, size_t dof)
{
    size_t link = work->articulation->dof_link[dof];
    const dls_link *links = work->articulation->links;
    dls_vec3 arm = dls_v3(0, 0, 0);
    for (bool moves = dof > links[link].dof; link && !moves; moves = links[link].n_dofs > 0) {
        arm = dls_add(arm, dls_tree_arm(work, link));
        link = links[link].parent;
    }
    return arm;
}

#define LANES "response_lanes.h"
#include "widths.h"

static const double *response_factor(dls_articulation_work *work)
{
    const dls_articulation *art = work->articulation;
    const struct dls_articulation_inside *tree = art->inside;
    struct dls_articulation_work_inside *in = work->inside;
    if (in->response_known)
        return in->response;
    memset(in->test_force, 0, 6 * tree->n_slots * sizeof *in->test_force);
    memset(in->response, 0, tree->n_response * sizeof *in->response);
    for (size_t k = 0; k < art->nv; k++)
        in->response[tree->response_column[k] + tree->slot[k]] = 1.0;
    DLS_WIDEST(factorise)(work);
    in->response_known = true;
    return in->response;
}

void dls_articulation_solve(dls_articulation_work *work, const double *y, double *x)
{
    const dls_articulation *art = work->articulation;
    const struct dls_articulation_inside *tree = art->inside;
    if (!tree->n_response) {
        dls_tree_propagate(work, y, x);
        return;
    }
    const double *W = response_factor(work);
    double *z = work->inside->u, *by_slot = work->inside->by_slot;
    memset(z, 0, art->nv * sizeof *z);
    for (size_t i = 0; i < art->nv; i++)
        for (size_t k = y[i] != 0.0 ? i : DLS_NONE; k != DLS_NONE; k = art->dof_before[tree->dof_run[k]])
            for (size_t j = tree->dof_run[k]; j <= k; j++)
                z[j] += y[i] * W[tree->response_column[j] + tree->slot[i]];
    memset(by_slot, 0, tree->n_slots * sizeof *by_slot);
    DLS_WIDEST(spread)(work, z, by_slot);
    for (size_t k = 0; k < art->nv; k++)
        x[k] = by_slot[tree->slot[k]];
}

void dls_articulation_response(dls_articulation_work *work, size_t dof, double *column)
{
    memset(column, 0, work->articulation->nv * sizeof *column);
    column[dof] = 1.0;
    dls_articulation_solve(work, column, column);
}

void dls_articulation_response_link(dls_articulation_work *work, size_t link, dls_spatial impulse, double *column)
{
    const dls_articulation *art = work->articulation;
    memset(column, 0, art->nv * sizeof *column);
    for (size_t k = dls_articulation_last_dof(art, link); k != DLS_NONE; k = art->dof_before[k]) {
        dls_vec3 arm = dls_sub(work->links[link].c, work->links[art->dof_link[k]].c);
        column[k] = dls_spatial_dot(work->S[k], dls_force_at(impulse, arm));
    }
    dls_articulation_solve(work, column, column);
}

double dls_articulation_response_entry(dls_articulation_work *work, size_t i, size_t j)
{
    const dls_articulation *art = work->articulation;
    const struct dls_articulation_inside *tree = art->inside;
    size_t first = i < j ? i : j, last = i < j ? j : i;
    if (!tree->n_response) {
        dls_articulation_response(work, first, work->inside->u);
        return work->inside->u[last];
    }
    const double *W = response_factor(work);
    double r = 0.0;
    for (size_t k = first; k != DLS_NONE; k = art->dof_before[k]) {
        const double *column = W + tree->response_column[k];
        if (last < art->links[art->dof_link[k]].dof_end)
            r += column[tree->slot[i]] * column[tree->slot[j]] * work->inside->D_inverse[k];
    }
    return r;
}
