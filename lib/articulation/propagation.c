/* The Delassus matrix A = J M^-1 J^T of rows on a tree by propagation, without M^-1 J^T, in O(n + m^2) for n links and
 * m forces: PV-OSIMr of Sathya, Decre and Swevers, "PV-OSIMr: a lowest order complexity algorithm for computing the
 * Delassus matrix" (IEEE RA-L 2024) and Sathya and Carpentier, "Constrained articulated body dynamics algorithms" (IEEE
 * T-RO 2025), after the extended force propagators of Wensing, Featherstone and Orin (ICRA 2012).
 *
 * A row acts on links and degrees of freedom with forces. A force -p on a link reaches the parent through the factors
 * of the articulated-body algorithm (aba.c), and on its way makes the force u_k on each degree of freedom:
 *
 *     u_k = tau_k - S_k.p,   p <- p + G_k u_k,   p_parent = (p at the parent's anchor),   A_ij = sum_k u_ik u_jk / D_k
 *
 * The sum costs m^2 times the depth. But all that happens from a link to the root is known from one 6x6 matrix: the
 * acceleration Omega_i f of link i under a force f on it. From the root, where it is 0, to the leaves
 *
 *     Omega <- (Omega of the parent, moved to the anchor);   for each degree of freedom of the joint, with b = Omega G,
 *     Omega <- (1 - S G^T) Omega (1 - G S^T) + S S^T / D = Omega + S e^T + e S^T,   e = (G.b + 1/D) S / 2 - b
 *
 * and a pair of forces needs it only at the link a where their ways meet: A_ij = p_i^T Omega_a p_j, where both are
 * propagated to a. If they meet at a degree of freedom k on which one of them acts, u_i u_j / D_k is added, and Omega
 * is that before k. Links are numbered depth first, so the forces that pass a link are consecutive in their order.
 * While more than six go a way together, six unit forces go instead, and the m follow at the next meeting.
 *
 * ROUNDING. Omega contains the motion of everything between a and the root, which cancels where one row acts twice with
 * opposite forces, as that of a loop does. Entries are accurate to a multiple of eps times the motion that each of the
 * forces alone would make. The sum of u_ik u_jk / D_k is accurate to eps sqrt(A_ii A_jj) there: it is
 * dls_articulation_half, which the dense reference uses.
 */
#include "parts.h"

#include "base/arithmetic.h"

#include <string.h>

typedef struct propagation {
    const dls_articulation_work *work;
    dls_inertia6 *Omega;       /* n_links, at the anchors. M: of alpha by tau, H: of alpha by f, J: of a by f */
    dls_spatial (*unit)[6];    /* n_links: six unit forces, propagated to the link */
    bool *together;            /* n_links: whether its forces are still to be multiplied by them */
    size_t *end;               /* n_links: one past the forces that have reached it */
    size_t *first;             /* n_links + nv + 1, of a place: force_place */
    const dls_tree_force **at; /* n_forces, by their places */
    dls_spatial *p;            /* n_forces: propagated to the link that they have reached */
    double *u;                 /* n_forces */
    double *A;
    size_t ld;
} propagation;

/* The place of forces on a degree of freedom: first those of the joint of a link, in their order, then the link. */
static size_t dof_place(const dls_articulation *art, size_t dof) { return art->dof_link[dof] + dof; }
static size_t link_place(const dls_articulation *art, size_t link)
{
    return link + art->links[link].dof + art->links[link].n_dofs;
}
static size_t force_place(const dls_articulation *art, const dls_tree_force *force)
{
    return force->dof != DLS_NONE ? dof_place(art, force->dof) : link_place(art, force->link);
}

static dls_spatial opposite(dls_spatial p) { return (dls_spatial){dls_neg(p.lin), dls_neg(p.ang)}; }

static dls_spatial omega_times(const dls_inertia6 *Omega, dls_spatial p)
{
    const dls_spatial a = dls_inertia6_slide(Omega, p.ang), b = dls_inertia6_turn(Omega, p.lin);
    return (dls_spatial){dls_add(a.ang, b.ang), dls_add(a.lin, b.lin)};
}

/* A += a e^T + e a^T */
static dls_sym3 sym3_add_pair(dls_sym3 A, dls_vec3 a, dls_vec3 e)
{
    return (dls_sym3){A.xx + 2.0 * a.x * e.x, A.xy + (a.x * e.y + a.y * e.x), A.xz + (a.x * e.z + a.z * e.x),
                      A.yy + 2.0 * a.y * e.y, A.yz + (a.y * e.z + a.z * e.y), A.zz + 2.0 * a.z * e.z};
}

/* Omega of a link with the degrees of freedom of its joint before `dof`. */
static dls_inertia6 omega_before(const propagation *g, size_t i, size_t dof)
{
    const dls_articulation_work *work = g->work;
    const dls_articulation *art = work->articulation;
    dls_inertia6 Omega = {0};
    if (i)
        dls_inertia6_gather(&Omega, &g->Omega[art->links[i].parent], dls_neg(dls_tree_arm(work, i)));
    for (size_t k = art->links[i].dof; k < dof; k++) {
        const dls_spatial G = work->inside->G[k], b = omega_times(&Omega, G);
        const double half = 0.5 * (dls_spatial_dot(G, b) + work->inside->D_inverse[k]);
        const dls_vec3 a = dls_tree_half(art->inside->turns[k], work->S[k]);
        dls_spatial e = opposite(b);
        if (art->inside->turns[k]) {
            e.ang = dls_add(e.ang, dls_scale(half, a));
            Omega.M = sym3_add_pair(Omega.M, a, e.ang);
            Omega.H[0] = dls_add(Omega.H[0], dls_scale(a.x, e.lin));
            Omega.H[1] = dls_add(Omega.H[1], dls_scale(a.y, e.lin));
            Omega.H[2] = dls_add(Omega.H[2], dls_scale(a.z, e.lin));
        } else {
            e.lin = dls_add(e.lin, dls_scale(half, a));
            Omega.J = sym3_add_pair(Omega.J, a, e.lin);
            Omega.H[0] = dls_add(Omega.H[0], dls_scale(e.ang.x, a));
            Omega.H[1] = dls_add(Omega.H[1], dls_scale(e.ang.y, a));
            Omega.H[2] = dls_add(Omega.H[2], dls_scale(e.ang.z, a));
        }
    }
    return Omega;
}

static void add_entry(const propagation *g, size_t x, size_t y, double entry)
{
    const size_t i = g->at[x]->row, j = g->at[y]->row;
    g->A[i + g->ld * j] += entry;
    if (x != y)
        g->A[j + g->ld * i] += entry;
}

/* Adds the entries of the forces x to y - 1 with those from y to z - 1, and if `own`, also among themselves, that meet
 * where Omega is the response; `D_inverse` of a degree of freedom that they have passed since, with u; else 0. */
static void forces_meet(propagation *g, const dls_inertia6 *Omega, double D_inverse, size_t x, size_t y, size_t z,
                        bool own)
{
    for (size_t i = x; i < y; i++) {
        const dls_spatial a = omega_times(Omega, g->p[i]);
        const double ui = D_inverse > 0.0 ? g->u[i] * D_inverse : 0.0;
        for (size_t j = own ? i : y; j < z; j++)
            add_entry(g, i, j, dls_spatial_dot(a, g->p[j]) + (D_inverse > 0.0 ? ui * g->u[j] : 0.0));
    }
}

/* Brings forces that have gone together to the link. */
static void bring_forces(propagation *g, size_t link, size_t x, size_t end)
{
    for (size_t i = x; i < end && g->together[link]; i++) {
        double c[6];
        dls_spatial p = {{0, 0, 0}, {0, 0, 0}};
        dls_spatial_put(g->p[i], c);
        for (int k = 0; k < 6; k++)
            p = dls_spatial_axpy(p, c[k], g->unit[link][k]);
        g->p[i] = p;
    }
    g->together[link] = false;
}

static double pass_dof(const dls_articulation_work *work, size_t k, double tau, dls_spatial *p)
{
    const double u = tau - dls_tree_power(work, k, *p);
    *p = dls_spatial_axpy(*p, u, work->inside->G[k]);
    return u;
}

/* The forces from x on pass degree of freedom k, and those that act on it join them. */
static size_t pass_acting(propagation *g, size_t link, size_t k, size_t x)
{
    const size_t end = g->end[link], own = g->first[dof_place(g->work->articulation, k)];
    const dls_inertia6 before = omega_before(g, link, k);
    bring_forces(g, link, x, end);
    for (size_t i = own; i < end; i++) {
        if (i < x)
            g->p[i] = (dls_spatial){{0, 0, 0}, {0, 0, 0}};
        g->u[i] = pass_dof(g->work, k, i < x ? g->at[i]->force : 0.0, &g->p[i]);
    }
    forces_meet(g, &before, g->work->inside->D_inverse[k], own, x, end, true);
    return own;
}

static void go_together(propagation *g, size_t link)
{
    for (int c = 0; c < 6; c++) {
        double e[6] = {0.0};
        e[c] = 1.0;
        g->unit[link][c] = dls_spatial_from(e);
    }
    g->together[link] = true;
}

/* The forces that have come from the children meet those on the link, and all pass its joint. */
static void pass_link(propagation *g, size_t i)
{
    const dls_articulation *art = g->work->articulation;
    const dls_link *link = &art->links[i];
    const size_t from_children = g->first[link_place(art, i) + 1], end = g->end[i];
    size_t x = g->first[link_place(art, i)];
    if (x < from_children) {
        bring_forces(g, i, from_children, end);
        for (size_t f = x; f < from_children; f++)
            g->p[f] = dls_force_at(opposite(g->at[f]->wrench), g->work->links[i].d);
        forces_meet(g, &g->Omega[i], 0.0, x, from_children, end, true);
    }
    for (size_t k = link->dof + link->n_dofs; k-- > link->dof;) {
        if (g->first[dof_place(art, k)] < g->first[dof_place(art, k) + 1]) {
            x = pass_acting(g, i, k, x);
            continue;
        }
        if (!g->together[i] && end - x > 6)
            go_together(g, i);
        dls_spatial *moved = g->together[i] ? g->unit[i] : g->p + x;
        for (size_t c = 0, count = g->together[i] ? 6 : end - x; c < count; c++)
            pass_dof(g->work, k, 0.0, &moved[c]);
    }
}

/* Hands the forces of a link to its parent, where they meet those of the children after it. */
static void hand_over(propagation *g, size_t link)
{
    const dls_articulation *art = g->work->articulation;
    const size_t parent = art->links[link].parent, x = g->first[link + art->links[link].dof], y = g->end[link];
    const dls_vec3 arm = dls_tree_arm(g->work, link);
    if (x == y)
        return;
    dls_spatial *moved = g->together[link] ? g->unit[link] : g->p + x;
    for (size_t c = 0, count = g->together[link] ? 6 : y - x; c < count; c++)
        moved[c] = dls_force_at(moved[c], arm);
    if (g->end[parent] > y) {
        bring_forces(g, link, x, y);
        bring_forces(g, parent, y, g->end[parent]);
        forces_meet(g, &g->Omega[parent], 0.0, x, y, g->end[parent], false);
        return;
    }
    g->end[parent] = y;
    g->together[parent] = g->together[link];
    if (g->together[link])
        memcpy(g->unit[parent], g->unit[link], sizeof g->unit[link]);
}

/* Sorts the forces by their places. */
static void sort_forces(propagation *g, size_t n_forces, const dls_tree_force *forces)
{
    const dls_articulation *art = g->work->articulation;
    const size_t places = art->n_links + art->nv;
    for (size_t f = 0; f < n_forces; f++)
        g->first[force_place(art, &forces[f])]++;
    for (size_t k = 1; k <= places; k++)
        g->first[k] += g->first[k - 1];
    for (size_t f = n_forces; f-- > 0;)
        g->at[--g->first[force_place(art, &forces[f])]] = &forces[f];
}

dls_status dls_articulation_delassus(const dls_articulation_work *work, size_t n_forces, const dls_tree_force *forces,
                                     double *A, size_t ld, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    const dls_articulation *art = work->articulation;
    dls_arena memory = {0};
    propagation g = {
        .work = work,
        .Omega = DLS_TAKE(&memory, dls_inertia6, art->n_links),
        .unit = dls_arena_take(&memory, art->n_links, sizeof *g.unit),
        .together = DLS_TAKE_ZEROS(&memory, bool, art->n_links),
        .end = DLS_TAKE(&memory, size_t, art->n_links),
        .first = DLS_TAKE_ZEROS(&memory, size_t, art->n_links + art->nv + 1),
        .at = DLS_TAKE(&memory, const dls_tree_force *, n_forces),
        .p = DLS_TAKE(&memory, dls_spatial, n_forces),
        .u = DLS_TAKE(&memory, double, n_forces),
        .A = A,
        .ld = ld,
    };
    if (memory.failed) {
        dls_arena_release(&memory);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the propagation of %zu forces", n_forces);
    }
    sort_forces(&g, n_forces, forces);
    for (size_t i = 0; i < art->n_links; i++) {
        g.Omega[i] = omega_before(&g, i, art->links[i].dof + art->links[i].n_dofs);
        g.end[i] = g.first[link_place(art, i) + 1];
    }
    for (size_t i = art->n_links; i-- > 0;) {
        pass_link(&g, i);
        if (i)
            hand_over(&g, i);
    }
    dls_arena_release(&memory);
    return DLS_OK;
}
