/* The mass matrix: the composite-rigid-body algorithm. Featherstone 2008, section 6.2; Walker and Orin (1982).
 *
 * A unit speed of degree of freedom k moves the subtree of its link as one rigid body with the motion S_k. With the
 * momentum F_k = I_subtree S_k of that body,
 *
 *     M_jk = S_j.F_k   for j = k and every j on the way from k to the root, else 0;   M_kk += armature_k
 *
 * All S_j and F_k are moved to the root's centre of mass once; then a column consists of products alone. Entries
 * between degrees of freedom of one link are computed at its own centre of mass, where nothing can cancel. What does
 * not depend on a neighbour goes through crba_lanes.h, four links or rows at a time.
 *
 * ELIMINATION OF THE FLOATING BASE. M_bb is the inertia of all links as one rigid body, which about its own centre of
 * mass G is diag(m 1, I_G). With F_j = (f_j, n_j) about G, the Schur complement is
 *
 *     M_jk - f_j.f_k / m - n_j.I_G^-1 n_k
 */
#include "parts.h"

#include <string.h>

typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));
#define LOAD(x) (*(quad *)(x))
#define GATHER(from, member) ((quad){from[0]->member, from[1]->member, from[2]->member, from[3]->member})

/* i, or the last one below n. */
static inline size_t at_most_last(size_t i, size_t n) { return i < n ? i : n - 1; }

/* M, column by column, whose rows and columns count from `base`. */
typedef struct matrix {
    double *at;
    size_t ld, base;
} matrix;

static inline double *mass_entry(matrix M, size_t j, size_t k) { return M.at + (k - M.base) * M.ld + (j - M.base); }

/* S.F of a row and a column, summed in the order of dls_spatial_dot. */
static inline double axis_product(const double *S, const double *F, size_t stride)
{
    const double *x = S, *y = x + stride, *z = y + stride, *a = z + stride, *b = a + stride, *c = b + stride;
    return (*x * F[0] + *y * F[stride] + *z * F[2 * stride]) +
           (*a * F[3 * stride] + *b * F[4 * stride] + *c * F[5 * stride]);
}

#define LANES "crba_lanes.h"
#include "widths.h"

void dls_tree_alone(dls_articulation_work *work) { DLS_WIDEST(alone)(work); }

void dls_tree_composite(dls_articulation_work *work)
{
    dls_rigid_inertia *B = work->inside->composite;
    dls_tree_alone(work);
    for (size_t i = work->articulation->n_links; i-- > 1;)
        dls_rigid_gather(&B[work->articulation->links[i].parent], &B[i], work->links[i].r);
}

dls_spatial dls_tree_momentum(const dls_articulation_work *work, size_t dof)
{
    return dls_rigid_mul(&work->inside->composite[work->articulation->dof_link[dof]], work->S[dof]);
}

/* Where two degrees of freedom are on no common way to the root. */
static void put_zeros(const dls_articulation *art, matrix M)
{
    for (size_t k = M.base; k < art->nv; k++) {
        const dls_link *link = &art->links[art->dof_link[k]];
        if (art->inside->dof_run[k] > M.base)
            memset(mass_entry(M, M.base, k), 0, (link->dof - M.base) * sizeof *M.at);
        if (link->dof_end < art->nv)
            memset(mass_entry(M, link->dof_end, k), 0, (art->nv - link->dof_end) * sizeof *M.at);
    }
}

/* Entries of column k between degrees of freedom of its own link. */
static void own_entries(const dls_articulation_work *work, size_t k, matrix M)
{
    const dls_articulation *art = work->articulation;
    size_t j = art->links[art->dof_link[k]].dof;
    *mass_entry(M, k, k) = work->inside->diagonal[k] + art->armature[k];
    if (j < k)
        for (const dls_spatial F = dls_tree_momentum(work, k); j < k; j++)
            *mass_entry(M, j, k) = *mass_entry(M, k, j) = dls_spatial_dot(work->S[j], F);
}

/* A few entries of column k. */
static void few_entries(const dls_articulation_work *work, size_t start, size_t end, size_t k, matrix M)
{
    const size_t stride = DLS_FOURS(work->articulation->nv);
    for (size_t j = start; j < end; j++)
        *mass_entry(M, j, k) = *mass_entry(M, k, j) = axis_product(work->inside->S0 + j, work->inside->F0 + k, stride);
}

typedef void fill(const dls_articulation_work *work, size_t start, size_t end, size_t k, matrix M);

/* Fills the rows of every run of degrees of freedom on the way to the root, before that of k's link. */
static void way_entries(const dls_articulation_work *work, size_t k, matrix M, fill *fill_rows)
{
    const dls_articulation *art = work->articulation;
    const size_t *run = art->inside->dof_run;
    for (size_t j = art->dof_before[art->links[art->dof_link[k]].dof]; j != DLS_NONE && j >= M.base;
         j = art->dof_before[run[j]])
        fill_rows(work, run[j] > M.base ? run[j] : M.base, j + 1, k, M);
}

/* Four columns at a time where they lie on one way to the root: the others have all rows of the first, and those
 * between. */
static void fill_matrix(dls_articulation_work *work, matrix M)
{
    const dls_articulation *art = work->articulation;
    const dls_link *links = art->links;
    dls_tree_composite(work);
    DLS_WIDEST(momenta)(work);
    put_zeros(art, M);
    for (size_t k = M.base, count; k < art->nv; k += count) {
        const size_t first = links[art->dof_link[k]].dof;
        count = k + 4 <= art->nv && art->inside->dof_run[k + 3] <= k ? 4 : 1;
        way_entries(work, k, M, count == 4 ? DLS_WIDEST(columns) : DLS_WIDEST(column));
        for (size_t i = k; i < k + count; i++) {
            few_entries(work, first, links[art->dof_link[i]].dof, i, M);
            own_entries(work, i, M);
        }
    }
}

void dls_articulation_mass_matrix(dls_articulation_work *work, double *M, size_t ld)
{
    fill_matrix(work, (matrix){M, ld, 0});
}

/* Subtracts the base's share from M_jj. */
static void eliminate_base(dls_articulation_work *work, matrix M)
{
    const dls_articulation *art = work->articulation;
    const dls_rigid_inertia *whole = &work->inside->composite[0];
    const dls_vec3 to_centre = dls_scale(-1.0 / whole->m, whole->h);
    dls_rigid_inertia at_centre = {0};
    dls_rigid_gather(&at_centre, whole, to_centre);
    const dls_sym3 I = at_centre.J;
    const dls_mat3 inverse = dls_inverse3((dls_mat3){{I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}});
    dls_spatial *F = work->inside->F;
    for (size_t k = art->n_base; k < art->nv; k++) {
        const dls_vec3 arm = dls_add(dls_sub(work->links[art->dof_link[k]].c, work->links[0].c), to_centre);
        F[k] = dls_force_at(dls_tree_momentum(work, k), arm);
        const dls_spatial x = {dls_scale(1.0 / whole->m, F[k].lin), dls_mul3(inverse, F[k].ang)};
        for (size_t j = art->n_base; j <= k; j++)
            *mass_entry(M, k, j) = *mass_entry(M, j, k) -= dls_spatial_dot(F[j], x);
    }
}

void dls_articulation_mass_matrix_eliminated(dls_articulation_work *work, double *M, size_t ld)
{
    const matrix all = {M, ld, work->articulation->n_base};
    fill_matrix(work, all);
    if (all.base)
        eliminate_base(work, all);
}
