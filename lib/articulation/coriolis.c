/* Coriolis and centrifugal forces C(q, v) over a step: their derivative, and the change of the velocity by them.
 *
 * C is quadratic in v: C(q, v) = Gamma(q)[v, v] with a symmetric Gamma, and D = dC/dv = 2 Gamma[v, .] exactly. At the
 * positions of the start of a step h, with d the change of v,
 *
 *     explicit       M d = -h C(q, v)             theta = 0
 *     semi-implicit  M d = -h Gamma[v, v + d]     theta = 1/2
 *     implicit       M d = -h C(q, v + d)         theta = 1, by one step of Newton's method from d = 0
 *
 * and all three are   (M + theta h D) d = -h C(q, v).
 *
 * The second is W. Kahan's rule, by which a product of two unknowns takes one of them at either end of the step
 * (Unconventional numerical methods for trajectory calculations, 1993). At fixed q it is of second order, and the same
 * rule with -h reverses the step. For a free rigid body it conserves two integrals close to energy and momentum (R.
 * Hirota and K. Kimura, Discretization of the Euler top, J. Phys. Soc. Japan 69, 2000), while an explicit step gains
 * energy and an implicit one loses energy. With the drift that follows, it is a reversible rule of second order whose
 * velocities are evaluated half a drift away from its middle; so the energy of other trees oscillates about its initial
 * value, as long as a step rotates links by a fraction of a radian.
 *
 * THE DERIVATIVE, with t = theta h. Along a change x of the velocity links move by u, and the velocity-product
 * accelerations of velocities.c change by t times their derivative, which adds up to e:
 *
 *     u_i = X u_p + S x,   e_i = X e_p + t (K u_p + L x),   X (v, omega) = (v + omega x r, omega)
 *
 * With the angular part o of the parent's u, and with w' = sum of a_k x_k and s' = a x of the joint, the derivatives of
 * the quantities w, s, zeta, z of velocities.c are
 *
 *     zeta' = o x w + omega_p x w'  (+ a1 x1 x a2 qd2 + a1 qd1 x a2 x2)
 *     z'    = o x (omega_p x l + 2 s + omega x d + w x d) + omega_p x (o x r)
 *             + 2 omega_p x s' + w' x (omega x d) + omega x (w' x d) + (zeta' - o x w) x d
 *
 * where o x (w x d) is (o x w) x d + w x (o x d). A link needs the force f = I u + I e + t (0, omega' x I omega + omega
 * x I omega'), and M x + t D x is the sum of these along S, with the armature (rnea.c).
 *
 * THE SOLUTION is the articulated-body algorithm (aba.c) with two matrices in place of one, since the force of a link
 * depends on u and on e. From the leaves to the root, for a subtree under the forces b,
 *
 *     F_i = A u_i + B e_i + p,   A = I + t (0, omega x I . - (I omega) x .) of the link alone, B = I, p = 0
 *     U = A S + t B L,   Delta = S^T U + armature,   W = A X + t B K,   Z = B X
 *     x = Delta^-1 (b - S^T p - S^T W u_p - S^T Z e_p)
 *     A_p += X^T (W - U Delta^-1 S^T W),   B_p += X^T (Z - U Delta^-1 S^T Z),
 *     p_p += X^T (p + U Delta^-1 (b - S^T p))
 *
 * and back from the root, where e = 0. M + t D is not symmetric, and positive definite only for small t; Delta is
 * factored with pivoting among the degrees of freedom of a joint. If it is singular x is not finite.
 */
#include "parts.h"

#include <string.h>

/* --- the derivative --- */

/* How the bias of a link changes: by K as its parent turns, by L as its joint moves faster. */
typedef struct bias_rate {
    dls_vec3 lin[3], ang[3]; /* columns of K */
    dls_spatial L[3];
} bias_rate;

static bias_rate rate_of(const dls_articulation_work *work, size_t i, const double *v)
{
    const dls_link *link = &work->articulation->links[i];
    const dls_link_work *w = &work->links[i];
    const dls_spatial *S = work->S + link->dof;
    const bool slides = link->motion->slides;
    const dls_vec3 omega_p = work->links[link->parent].v.ang, omega = w->v.ang;
    const dls_vec3 spin = dls_sub(omega, omega_p), swing = dls_cross(omega, w->d);
    const dls_vec3 slide = slides ? dls_scale(v[0], S[0].lin) : dls_v3(0, 0, 0);
    const dls_vec3 arms = dls_add(dls_cross(omega_p, w->l), dls_add(swing, dls_cross(spin, w->d)));
    const dls_vec3 turn = dls_add(arms, dls_scale(2.0, slide));
    bias_rate rate;
    for (int k = 0; k < 3; k++) {
        const dls_vec3 o = dls_axis3(k);
        rate.lin[k] = dls_add(dls_cross(o, turn), dls_cross(omega_p, dls_cross(o, w->r)));
        rate.ang[k] = dls_cross(o, spin);
    }
    for (size_t k = 0; k < link->n_dofs; k++) {
        const dls_vec3 a = S[k].ang;
        if (slides) {
            rate.L[k] = (dls_spatial){dls_scale(2.0, dls_cross(omega_p, S[k].lin)), dls_v3(0, 0, 0)};
            continue;
        }
        dls_vec3 zeta = dls_cross(omega_p, a);
        if (link->motion->successive)
            zeta = dls_add(zeta, k ? dls_cross(dls_scale(v[0], S[0].ang), a) : dls_cross(a, dls_scale(v[1], S[1].ang)));
        const dls_vec3 z = dls_add(dls_cross(a, swing), dls_cross(omega, dls_cross(a, w->d)));
        rate.L[k] = (dls_spatial){dls_add(z, dls_cross(zeta, w->d)), zeta};
    }
    return rate;
}

/* K u_p + L x */
static dls_spatial bias_change(const bias_rate *rate, size_t n_dofs, dls_vec3 turn, const double *x)
{
    const double o[3] = {turn.x, turn.y, turn.z};
    dls_spatial change = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < 3; k++)
        change = dls_spatial_axpy(change, o[k], (dls_spatial){rate->lin[k], rate->ang[k]});
    for (size_t k = 0; k < n_dofs; k++)
        change = dls_spatial_axpy(change, x[k], rate->L[k]);
    return change;
}

/* u and e of link i into moved[i] and links[i].f, those of its parent being there. */
static void move_link(dls_articulation_work *work, size_t i, const double *v, double t, const double *x)
{
    const dls_link *link = &work->articulation->links[i];
    dls_link_work *w = &work->links[i];
    dls_spatial u = {{0, 0, 0}, {0, 0, 0}}, e = u;
    if (i) {
        const bias_rate rate = rate_of(work, i, v + link->dof);
        const dls_spatial u_p = work->inside->moved[link->parent];
        u = dls_motion_at(u_p, w->r);
        e = dls_spatial_axpy(dls_motion_at(work->links[link->parent].f, w->r), t,
                             bias_change(&rate, link->n_dofs, u_p.ang, x + link->dof));
    }
    for (size_t k = link->dof; k < link->dof + link->n_dofs; k++)
        u = dls_spatial_axpy(u, x[k], work->S[k]);
    work->inside->moved[i] = u;
    w->f = e;
}

static dls_vec3 spin_of(const dls_link *link, const dls_link_work *w, dls_vec3 omega) /* I omega */
{
    return dls_mul3(w->R, dls_sym3_mul(&link->inertia, dls_tmul3(w->R, omega)));
}

void dls_articulation_coriolis_derivative(dls_articulation_work *work, const double *v, const double *x, double *y)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++)
        move_link(work, i, v, 1.0, x);
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        dls_link_work *w = &work->links[i];
        const dls_vec3 turn = work->inside->moved[i].ang;
        const dls_vec3 torque =
            dls_add(dls_cross(turn, spin_of(link, w, w->v.ang)), dls_cross(w->v.ang, spin_of(link, w, turn)));
        w->f = (dls_spatial){dls_scale(link->mass, w->f.lin), dls_add(spin_of(link, w, w->f.ang), torque)};
    }
    dls_tree_gather(work, NULL, y);
}

/* --- the solution --- */

/* x of a joint's degree of freedom is y - Y_u.u_p - Y_e.e_p: columns of Y_u, of Y_e, and y. */
enum { SIX = 6, Y_U = 0, Y_E = SIX, Y = 2 * SIX, WIDE = DLS_TREE_ROW };

static double dot6(const double *a, dls_spatial b)
{
    return a[0] * b.lin.x + a[1] * b.lin.y + a[2] * b.lin.z + a[3] * b.ang.x + a[4] * b.ang.y + a[5] * b.ang.z;
}

/* F = A u + B e + p, of the link alone. */
static void begin_link(const dls_link *link, const dls_link_work *w, double t, dls_tree_pair *pair)
{
    const dls_sym3 J = dls_sym3_rotate(&w->R, &link->inertia);
    const dls_vec3 I[3] = {{J.xx, J.xy, J.xz}, {J.xy, J.yy, J.yz}, {J.xz, J.yz, J.zz}};
    const dls_vec3 omega = w->v.ang, spin = dls_sym3_mul(&J, omega);
    memset(pair, 0, sizeof *pair);
    for (int j = 0; j < 3; j++) {
        const dls_vec3 more = dls_sub(dls_cross(omega, I[j]), dls_cross(spin, dls_axis3(j)));
        const dls_vec3 column = dls_add(I[j], dls_scale(t, more));
        pair->A[j][j] = pair->B[j][j] = link->mass;
        pair->A[3][3 + j] = column.x, pair->A[4][3 + j] = column.y, pair->A[5][3 + j] = column.z;
        pair->B[3][3 + j] = I[j].x, pair->B[4][3 + j] = I[j].y, pair->B[5][3 + j] = I[j].z;
    }
}

/* A <- A X: e -> e x r of a rotation is a translation of the parent's. */
static void columns_at(double A[SIX][SIX], dls_vec3 r)
{
    for (int i = 0; i < SIX; i++) {
        const dls_vec3 more = dls_cross(r, dls_v3(A[i][0], A[i][1], A[i][2]));
        A[i][3] += more.x, A[i][4] += more.y, A[i][5] += more.z;
    }
}

/* sum += X^T A */
static void add_rows_at(double sum[SIX][SIX], double A[SIX][SIX], dls_vec3 r)
{
    for (int j = 0; j < SIX; j++) {
        const dls_vec3 moment = dls_cross(r, dls_v3(A[0][j], A[1][j], A[2][j]));
        A[3][j] += moment.x, A[4][j] += moment.y, A[5][j] += moment.z;
    }
    for (int i = 0; i < SIX; i++)
        for (int j = 0; j < SIX; j++)
            sum[i][j] += A[i][j];
}

/* column[i * stride] += t (B e)_i */
static void add_product(double *column, size_t stride, double t, double B[SIX][SIX], dls_spatial e)
{
    for (size_t i = 0; i < SIX; i++)
        column[i * stride] += t * dot6(B[i], e);
}

/* rows <- A^-1 rows of n rows, by elimination with partial pivoting. */
static void solve_rows(size_t n, double A[SIX][SIX], double rows[SIX][WIDE])
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        for (size_t j = 0; j < n && best != k; j++) {
            const double a = A[k][j];
            A[k][j] = A[best][j], A[best][j] = a;
        }
        for (size_t j = 0; j < WIDE && best != k; j++) {
            const double y = rows[k][j];
            rows[k][j] = rows[best][j], rows[best][j] = y;
        }
        const double inverse = 1.0 / A[k][k];
        for (size_t j = 0; j < n; j++)
            A[k][j] *= inverse;
        for (size_t j = 0; j < WIDE; j++)
            rows[k][j] *= inverse;
        for (size_t i = 0; i < n; i++) {
            const double factor = A[i][k];
            for (size_t j = 0; j < n && i != k; j++)
                A[i][j] -= factor * A[k][j];
            for (size_t j = 0; j < WIDE && i != k; j++)
                rows[i][j] -= factor * rows[k][j];
        }
    }
}

/* U, and in A and B of the pair W and Z. */
static void join_pair(const dls_articulation_work *work, size_t i, const double *v, double t, dls_tree_pair *pair,
                      double U[SIX][SIX])
{
    const dls_link *link = &work->articulation->links[i];
    memset(U, 0, SIX * SIX * sizeof U[0][0]);
    for (size_t k = 0; k < link->n_dofs; k++)
        add_product(&U[0][k], SIX, 1.0, pair->A, work->S[link->dof + k]);
    if (i == 0)
        return;
    const bias_rate rate = rate_of(work, i, v + link->dof);
    for (size_t k = 0; k < link->n_dofs; k++)
        add_product(&U[0][k], SIX, t, pair->B, rate.L[k]);
    columns_at(pair->A, work->links[i].r);
    for (int k = 0; k < 3; k++)
        add_product(&pair->A[0][3 + k], SIX, t, pair->B, (dls_spatial){rate.lin[k], rate.ang[k]});
    columns_at(pair->B, work->links[i].r);
}

/* Eliminates the joint of link i: its rows are kept, and the pair becomes that of the parent, before X^T. */
static void eliminate(dls_articulation_work *work, size_t i, const double *v, double t, const double *b)
{
    const dls_link *link = &work->articulation->links[i];
    const size_t n = link->n_dofs;
    dls_tree_pair *pair = &work->inside->pairs[i];
    double U[SIX][SIX], Delta[SIX][SIX] = {{0}}, rows[SIX][WIDE] = {{0}};
    join_pair(work, i, v, t, pair, U);
    for (size_t k = 0; k < n; k++) {
        double S[SIX];
        dls_spatial_put(work->S[link->dof + k], S);
        rows[k][Y] = b[link->dof + k];
        Delta[k][k] = work->articulation->armature[link->dof + k];
        for (size_t m = 0; m < SIX; m++) {
            for (size_t j = 0; j < n; j++)
                Delta[k][j] += S[m] * U[m][j];
            for (size_t j = 0; j < SIX; j++) {
                rows[k][Y_U + j] += S[m] * pair->A[m][j];
                rows[k][Y_E + j] += S[m] * pair->B[m][j];
            }
            rows[k][Y] -= S[m] * pair->p[m];
        }
    }
    solve_rows(n, Delta, rows);
    memcpy(work->inside->by_dof + WIDE * link->dof, rows, n * sizeof rows[0]);
    for (size_t k = 0; k < n; k++)
        for (size_t m = 0; m < SIX; m++) {
            for (size_t j = 0; j < SIX; j++) {
                pair->A[m][j] -= U[m][k] * rows[k][Y_U + j];
                pair->B[m][j] -= U[m][k] * rows[k][Y_E + j];
            }
            pair->p[m] += U[m][k] * rows[k][Y];
        }
}

static void give_to_parent(dls_articulation_work *work, size_t i)
{
    dls_tree_pair *pair = &work->inside->pairs[i], *parent = &work->inside->pairs[work->articulation->links[i].parent];
    const dls_vec3 r = work->links[i].r, moment = dls_cross(r, dls_v3(pair->p[0], pair->p[1], pair->p[2]));
    add_rows_at(parent->A, pair->A, r);
    add_rows_at(parent->B, pair->B, r);
    pair->p[3] += moment.x, pair->p[4] += moment.y, pair->p[5] += moment.z;
    for (int m = 0; m < SIX; m++)
        parent->p[m] += pair->p[m];
}

/* (M + t D) x = b; x may be b. */
static void solve_columns(dls_articulation_work *work, const double *v, double t, const double *b, double *x)
{
    static const dls_spatial none = {{0, 0, 0}, {0, 0, 0}};
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++)
        begin_link(&art->links[i], &work->links[i], t, &work->inside->pairs[i]);
    for (size_t i = art->n_links; i-- > 0;) {
        eliminate(work, i, v, t, b);
        if (i)
            give_to_parent(work, i);
    }
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        const dls_spatial u_p = i ? work->inside->moved[link->parent] : none,
                          e_p = i ? work->links[link->parent].f : none;
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++) {
            const double *row = work->inside->by_dof + WIDE * k;
            x[k] = row[Y] - dot6(row + Y_U, u_p) - dot6(row + Y_E, e_p);
        }
        move_link(work, i, v, t, x);
    }
}

void dls_articulation_coriolis_change(dls_articulation_work *work, const double *v, double h, double theta,
                                      double *change)
{
    dls_articulation_coriolis_force(work, change);
    for (size_t k = 0; k < work->articulation->nv; k++)
        change[k] *= -h;
    solve_columns(work, v, theta * h, change, change);
}
