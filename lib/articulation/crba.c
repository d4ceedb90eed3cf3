/* The mass matrix: the composite-rigid-body algorithm. Featherstone 2008, section 6.2; Walker and Orin (1982).
 *
 * A unit speed of degree of freedom k moves the subtree of its link as one rigid body with the motion S_k. With the
 * momentum F_k = I_subtree S_k of that body,
 *
 *     M_jk = S_j.F_k   for j = k and every j on the way from k to the root, else 0;   M_kk += armature_k
 *
 * All S_j and F_k are moved to the root's centre of mass once; then a column consists of products alone. Entries
 * between degrees of freedom of one link are computed at its own centre of mass, where nothing can cancel.
 *
 * ELIMINATION OF THE FLOATING BASE. M_bb is the inertia of all links as one rigid body, which about its own centre of
 * mass G is diag(m 1, I_G). With F_j = (f_j, n_j) about G, the Schur complement is
 *
 *     M_jk - f_j.f_k / m - n_j.I_G^-1 n_k
 */
#include "parts.h"

#include <string.h>

void dls_tree_composite(dls_articulation_work *work)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++) {
        dls_rigid_inertia *B = &work->inside->composite[i];
        B->m = art->links[i].mass;
        B->h = dls_v3(0, 0, 0);
        B->J = dls_sym3_rotate(&work->links[i].R, &art->links[i].inertia);
    }
    for (size_t i = art->n_links; i-- > 0;) {
        const dls_link *link = &art->links[i];
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++)
            work->inside->F[k] = dls_rigid_mul(&work->inside->composite[i], work->S[k]);
        if (i)
            dls_rigid_gather(&work->inside->composite[link->parent], &work->inside->composite[i], work->links[i].r);
    }
}

/* Two doubles at any place in an array. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

/* column[j] = S0_j.F for `count` degrees of freedom, summed in the order of dls_spatial_dot. */
static void products(const double *S0, size_t n, dls_spatial F, size_t count, double *column)
{
    const double *x = S0, *y = x + n, *z = y + n, *a = z + n, *b = a + n, *c = b + n;
    size_t j = 0;
    for (; j + 2 <= count; j += 2) {
        pair lin =
            *(const pair *)(x + j) * F.lin.x + *(const pair *)(y + j) * F.lin.y + *(const pair *)(z + j) * F.lin.z;
        pair ang =
            *(const pair *)(a + j) * F.ang.x + *(const pair *)(b + j) * F.ang.y + *(const pair *)(c + j) * F.ang.z;
        *(pair *)(column + j) = lin + ang;
    }
    if (j < count)
        column[j] =
            (x[j] * F.lin.x + y[j] * F.lin.y + z[j] * F.lin.z) + (a[j] * F.ang.x + b[j] * F.ang.y + c[j] * F.ang.z);
}

/* Entries between degrees of freedom of one link. Then S and F are moved to the root's centre of mass; S0 has each of
 * the six entries of all S_k in one array. Rows and columns of M count from `base`. */
static void to_root(const dls_articulation_work *work, size_t base, double *M, size_t ld)
{
    const dls_articulation *art = work->articulation;
    const size_t n = art->nv;
    for (size_t k = 0; k < n; k++) {
        const size_t link = art->dof_link[k];
        const dls_spatial F = work->inside->F[k];
        if (k >= base) {
            double *column = M + (k - base) * ld;
            for (size_t j = art->links[link].dof; j < k; j++)
                column[j - base] = dls_spatial_dot(work->S[j], F);
            column[k - base] = dls_spatial_dot(work->S[k], F) + art->armature[k];
        }
        dls_vec3 arm = dls_sub(work->links[link].c, work->links[0].c);
        dls_spatial S = dls_motion_at(work->S[k], dls_neg(arm));
        double *S0 = work->inside->S0 + k;
        S0[0] = S.lin.x, S0[n] = S.lin.y, S0[2 * n] = S.lin.z;
        S0[3 * n] = S.ang.x, S0[4 * n] = S.ang.y, S0[5 * n] = S.ang.z;
        work->inside->F[k] = dls_force_at(F, arm);
    }
}

static void upper_triangle(dls_articulation_work *work, size_t base, double *M, size_t ld)
{
    const dls_articulation *art = work->articulation;
    dls_tree_composite(work);
    to_root(work, base, M, ld);
    for (size_t k = base; k < art->nv; k++) {
        size_t first = art->links[art->dof_link[k]].dof;
        double *column = M + (k - base) * ld;
        if (art->inside->dof_run[k] > base)
            memset(column, 0, (first - base) * sizeof *column);
        for (size_t j = art->dof_before[first]; j != DLS_NONE && j >= base;
             j = art->dof_before[art->inside->dof_run[j]]) {
            size_t start = art->inside->dof_run[j] > base ? art->inside->dof_run[j] : base;
            products(work->inside->S0 + start, art->nv, work->inside->F[k], j + 1 - start, column + (start - base));
        }
    }
}

/* Copies the upper triangle to the lower, in blocks of two rows by two columns. */
static void mirror(double *M, size_t n, size_t ld)
{
    for (size_t k = 0; k < n; k += 2) {
        double *x = M + k * ld, *y = x + ld;
        if (k + 1 == n) {
            for (size_t j = 0; j < k; j++)
                M[j * ld + k] = x[j];
            return;
        }
        for (size_t j = 0; j < k; j += 2) {
            pair a = *(const pair *)(x + j), b = *(const pair *)(y + j);
            *(pair *)(M + j * ld + k) = (pair){a[0], b[0]};
            *(pair *)(M + (j + 1) * ld + k) = (pair){a[1], b[1]};
        }
        x[k + 1] = y[k];
    }
}

void dls_articulation_mass_matrix(dls_articulation_work *work, double *M, size_t ld)
{
    upper_triangle(work, 0, M, ld);
    mirror(M, work->articulation->nv, ld);
}

/* Subtracts the base's share from M_jj. */
static void eliminate_base(dls_articulation_work *work, double *M, size_t ld)
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
        F[k] = dls_force_at(F[k], to_centre);
        const dls_spatial x = {dls_scale(1.0 / whole->m, F[k].lin), dls_mul3(inverse, F[k].ang)};
        for (size_t j = art->n_base; j <= k; j++)
            M[(k - art->n_base) * ld + (j - art->n_base)] -= dls_spatial_dot(F[j], x);
    }
}

void dls_articulation_mass_matrix_eliminated(dls_articulation_work *work, double *M, size_t ld)
{
    const dls_articulation *art = work->articulation;
    upper_triangle(work, art->n_base, M, ld);
    if (art->n_base)
        eliminate_base(work, M, ld);
    mirror(M, art->nv - art->n_base, ld);
}
