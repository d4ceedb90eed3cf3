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
 * rule with -h takes the step back. Of a free rigid body it keeps two integrals near energy and momentum for ever (R.
 * Hirota and K. Kimura, Discretization of the Euler top, J. Phys. Soc. Japan 69, 2000), where an explicit step gains
 * energy and an implicit one loses it. With the drift that follows, it is a reversible rule of second order whose
 * velocities are looked at half a drift away from its middle; so the energy of other trees wavers about what it was, as
 * long as a step turns links by a fraction of a radian.
 *
 * THE DERIVATIVE, with t = theta h. Along a change x of the velocity links move by u, and the velocity-product
 * accelerations of velocities.c change by t times their derivative, which adds up to e:
 *
 *     u_i = X u_p + S x,   e_i = X e_p + t (K u_p + L x),   X (v, omega) = (v + omega x r, omega)
 *     zeta' = omega_p' x w + omega_p x w'  (+ a1 x1 x a2 qd2 + a1 qd1 x a2 x2)
 *     z'    = omega_p' x (omega_p x l + 2 s) + omega_p x (omega_p' x l + 2 s') + omega' x (omega x d)
 *             + omega x (omega' x d) + zeta' x d
 *
 * A link needs the force f = I u + I e + t (0, omega' x I omega + omega x I omega'), and M x + t D x is the sum of these
 * along S, with the armature (rnea.c).
 *
 * THE SOLUTION is the articulated-body algorithm (aba.c) with two matrices for one, since a link's force depends on u
 * and on e. From the leaves to the root, of a subtree and its forces b,
 *
 *     F_i = A u_i + B e_i + p,   A = I + t (omega x I . - (I omega) x .) of the link alone, B = I, p = 0
 *     U = A S + t B L,   Delta = S^T U + armature
 *     x = Delta^-1 (b - S^T p - S^T W u_p - S^T Z e_p),   W = A X + t B K,   Z = B X
 *     A_p += X^T (W - U Delta^-1 S^T W),   B_p += X^T (Z - U Delta^-1 S^T Z),
 *     p_p += X^T (p + U Delta^-1 (b - S^T p))
 *
 * and back from the root, where e = 0. M + t D is not symmetric, and positive definite for small t alone; Delta is
 * solved with pivots among the degrees of freedom of a joint. Where it is singular x is not finite.
 */
#include "parts.h"

#include <string.h>

enum { SIX = 6, WIDE = 2 * SIX + 1 };

/* --- the derivative --- */

static dls_vec3 ang_of(const double *x) { return dls_v3(x[3], x[4], x[5]); }
static dls_vec3 lin_of(const double *x) { return dls_v3(x[0], x[1], x[2]); }
static void put(double *to, dls_vec3 lin, dls_vec3 ang)
{
    to[0] = lin.x, to[1] = lin.y, to[2] = lin.z;
    to[3] = ang.x, to[4] = ang.y, to[5] = ang.z;
}

/* K u_p + L x of a link: how its bias changes as its parent turns by `turn` more, and its joint moves by x more. */
static dls_spatial bias_change(const dls_articulation_work *work, size_t i, const double *v, dls_vec3 turn,
                               const double *x)
{
    const dls_link *link = &work->articulation->links[i];
    const dls_link_work *w = &work->links[i];
    const dls_spatial *S = work->S + link->dof;
    dls_vec3 spin = dls_v3(0, 0, 0), slide = spin, spin_change = spin, slide_change = spin, zeta = spin;
    if (link->motion->slides) {
        slide = dls_scale(v[0], S[0].lin);
        slide_change = dls_scale(x[0], S[0].lin);
    } else {
        for (size_t k = 0; k < link->n_dofs; k++) {
            const dls_vec3 more = dls_scale(v[k], S[k].ang), more_change = dls_scale(x[k], S[k].ang);
            if (link->motion->successive)
                zeta = dls_add(zeta, dls_add(dls_cross(spin_change, more), dls_cross(spin, more_change)));
            spin = dls_add(spin, more);
            spin_change = dls_add(spin_change, more_change);
        }
    }
    const dls_vec3 omega_p = work->links[link->parent].v.ang, omega = w->v.ang;
    const dls_vec3 arm = dls_cross(omega_p, w->l), swing = dls_cross(omega, w->d), change = dls_add(turn, spin_change);
    zeta = dls_add(zeta, dls_add(dls_cross(turn, spin), dls_cross(omega_p, spin_change)));
    dls_vec3 z = dls_cross(turn, dls_add(arm, dls_scale(2.0, slide)));
    z = dls_add(z, dls_cross(omega_p, dls_add(dls_cross(turn, w->l), dls_scale(2.0, slide_change))));
    z = dls_add(z, dls_add(dls_cross(change, swing), dls_cross(omega, dls_cross(change, w->d))));
    return (dls_spatial){dls_add(z, dls_cross(zeta, w->d)), zeta};
}

static dls_vec3 spin_of(const dls_link *link, const dls_link_work *w, dls_vec3 omega) /* I omega */
{
    return dls_mul3(w->R, dls_sym3_mul(&link->inertia, dls_tmul3(w->R, omega)));
}

/* t = 1. links[].f has e, and then the forces. */
void dls_articulation_coriolis_derivative(dls_articulation_work *work, const double *v, const double *x, double *y)
{
    const dls_articulation *art = work->articulation;
    dls_spatial *u = work->inside->moved;
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        dls_link_work *w = &work->links[i];
        dls_spatial e = {{0, 0, 0}, {0, 0, 0}};
        u[i] = e;
        if (i) {
            u[i] = dls_motion_at(u[link->parent], w->r);
            e = dls_spatial_add(dls_motion_at(work->links[link->parent].f, w->r),
                                bias_change(work, i, v + link->dof, u[link->parent].ang, x + link->dof));
        }
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++)
            u[i] = dls_spatial_axpy(u[i], x[k], work->S[k]);
        w->f = e;
    }
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        dls_link_work *w = &work->links[i];
        const dls_vec3 torque =
            dls_add(dls_cross(u[i].ang, spin_of(link, w, w->v.ang)), dls_cross(w->v.ang, spin_of(link, w, u[i].ang)));
        w->f = (dls_spatial){dls_scale(link->mass, w->f.lin), dls_add(spin_of(link, w, w->f.ang), torque)};
    }
    dls_tree_gather(work, NULL, y);
}

/* --- small matrices, row-major --- */

/* C = A X and X^T C in place, r from the parent's centre of mass: columns of rotations get A's of translations, and rows
 * of torques those of forces. */
static void columns_at(double A[SIX * SIX], dls_vec3 r)
{
    for (int i = 0; i < SIX; i++) {
        double *row = A + SIX * i;
        const dls_vec3 moved = dls_add(ang_of(row), dls_cross(r, lin_of(row))); /* row . (e x r) = e . (r x row) */
        put(row, lin_of(row), moved);
    }
}

static void add_rows_at(double *sum, const double *A, int width, dls_vec3 r)
{
    for (int j = 0; j < width; j++) {
        const dls_vec3 f = dls_v3(A[j], A[width + j], A[2 * width + j]), moment = dls_cross(r, f);
        for (int i = 0; i < SIX; i++)
            sum[width * i + j] += A[width * i + j] + (i < 3 ? 0.0 : dls_get3(moment, i - 3));
    }
}

/* Row echelon form of the n x n matrix with partial pivoting, and Y = A^-1 Y, n x WIDE. */
static void solve_small(size_t n, double A[SIX * SIX], double Y[SIX * WIDE])
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(A[SIX * i + k]) > fabs(A[SIX * best + k]))
                best = i;
        for (size_t j = 0; j < n && best != k; j++) {
            const double a = A[SIX * k + j];
            A[SIX * k + j] = A[SIX * best + j], A[SIX * best + j] = a;
        }
        for (size_t j = 0; j < WIDE && best != k; j++) {
            const double y = Y[WIDE * k + j];
            Y[WIDE * k + j] = Y[WIDE * best + j], Y[WIDE * best + j] = y;
        }
        for (size_t i = 0; i < n; i++) {
            const double factor = A[SIX * i + k] / A[SIX * k + k];
            if (i == k)
                continue;
            for (size_t j = k; j < n; j++)
                A[SIX * i + j] -= factor * A[SIX * k + j];
            for (size_t j = 0; j < WIDE; j++)
                Y[WIDE * i + j] -= factor * Y[WIDE * k + j];
        }
    }
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < WIDE; j++)
            Y[WIDE * k + j] /= A[SIX * k + k];
}

/* --- the solution --- */

/* A, B and p of the link alone. */
static void begin_link(const dls_link *link, const dls_link_work *w, double t, double *A, double *B, double *p)
{
    const dls_sym3 J = dls_sym3_rotate(&w->R, &link->inertia);
    const dls_mat3 I = {{J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz}};
    const dls_mat3 turned = dls_matmul3(dls_hat(w->v.ang), I), spin = dls_hat(dls_mul3(I, w->v.ang));
    memset(A, 0, SIX * SIX * sizeof *A);
    memset(B, 0, SIX * SIX * sizeof *B);
    memset(p, 0, SIX * sizeof *p);
    for (int i = 0; i < 3; i++) {
        A[SIX * i + i] = B[SIX * i + i] = link->mass;
        for (int j = 0; j < 3; j++) {
            B[SIX * (3 + i) + 3 + j] = I.m[3 * i + j];
            A[SIX * (3 + i) + 3 + j] = I.m[3 * i + j] + t * (turned.m[3 * i + j] - spin.m[3 * i + j]);
        }
    }
}

/* to[:, column] += t B e */
static void add_product(double *to, int column, double t, const double *B, dls_spatial e)
{
    const double x[SIX] = {e.lin.x, e.lin.y, e.lin.z, e.ang.x, e.ang.y, e.ang.z};
    for (int i = 0; i < SIX; i++)
        for (int j = 0; j < SIX; j++)
            to[SIX * i + column] += t * B[SIX * i + j] * x[j];
}

/* Eliminates the joint of link i: A, B and p become W, Z and p of what the parent gets, before X^T; x = Y (-u_p, -e_p,
 * 1) goes to `by_dof`. */
static void eliminate(dls_articulation_work *work, size_t i, const double *v, const double *b, double t, double *A,
                      double *B, double *p, double *by_dof)
{
    static const double none[SIX] = {0};
    const dls_articulation *art = work->articulation;
    const dls_link *link = &art->links[i];
    const size_t n = link->n_dofs;
    double U[SIX * SIX] = {0}, Delta[SIX * SIX], Y[SIX * WIDE], W[SIX * SIX], Z[SIX * SIX];
    memcpy(W, A, sizeof W);
    memcpy(Z, B, sizeof Z);
    if (i) {
        columns_at(W, work->links[i].r);
        columns_at(Z, work->links[i].r);
        for (int k = 0; k < 3; k++)
            add_product(W, 3 + k, t, B, bias_change(work, i, v + link->dof, dls_axis3(k), none));
    }
    for (size_t k = 0; k < n; k++) {
        double one[SIX] = {0};
        one[k] = 1.0;
        add_product(U, (int)k, 1.0, A, work->S[link->dof + k]);
        if (i)
            add_product(U, (int)k, t, B, bias_change(work, i, v + link->dof, dls_v3(0, 0, 0), one));
    }
    for (size_t k = 0; k < n; k++) {
        const dls_spatial S = work->S[link->dof + k];
        for (int j = 0; j < SIX; j++) {
            const double s[SIX] = {S.lin.x, S.lin.y, S.lin.z, S.ang.x, S.ang.y, S.ang.z};
            double d = 0.0, w = 0.0, z = 0.0;
            for (int m = 0; m < SIX; m++)
                d += s[m] * U[SIX * m + j], w += s[m] * W[SIX * m + j], z += s[m] * Z[SIX * m + j];
            Delta[SIX * k + (size_t)j] = d;
            Y[WIDE * k + (size_t)j] = w, Y[WIDE * k + SIX + (size_t)j] = z;
        }
        Delta[SIX * k + k] += art->armature[link->dof + k];
        Y[WIDE * k + 2 * SIX] = b[link->dof + k] - dls_dot(S.lin, lin_of(p)) - dls_dot(S.ang, ang_of(p));
    }
    solve_small(n, Delta, Y);
    memcpy(by_dof, Y, n * WIDE * sizeof *Y);
    for (int m = 0; m < SIX; m++)
        for (size_t k = 0; k < n; k++) {
            for (int j = 0; j < SIX; j++) {
                W[SIX * m + j] -= U[SIX * m + (int)k] * Y[WIDE * k + (size_t)j];
                Z[SIX * m + j] -= U[SIX * m + (int)k] * Y[WIDE * k + SIX + (size_t)j];
            }
            p[m] += U[SIX * m + (int)k] * Y[WIDE * k + 2 * SIX];
        }
    memcpy(A, W, sizeof W);
    memcpy(B, Z, sizeof Z);
}

/* (M + t D) x = b; x may be b. */
static void solve(dls_articulation_work *work, const double *v, double t, const double *b, double *x)
{
    enum { STRIDE = 2 * SIX * SIX + SIX };
    const dls_articulation *art = work->articulation;
    double *pairs = work->inside->pairs, *by_dof = work->inside->by_dof;
    for (size_t i = 0; i < art->n_links; i++) {
        double *A = pairs + STRIDE * i;
        begin_link(&art->links[i], &work->links[i], t, A, A + SIX * SIX, A + 2 * SIX * SIX);
    }
    for (size_t i = art->n_links; i-- > 0;) {
        double *A = pairs + STRIDE * i, *B = A + SIX * SIX, *p = B + SIX * SIX;
        eliminate(work, i, v, b, t, A, B, p, by_dof + WIDE * art->links[i].dof);
        if (i == 0)
            break;
        double *parent = pairs + STRIDE * art->links[i].parent;
        add_rows_at(parent, A, SIX, work->links[i].r);
        add_rows_at(parent + SIX * SIX, B, SIX, work->links[i].r);
        add_rows_at(parent + 2 * SIX * SIX, p, 1, work->links[i].r);
    }
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        dls_link_work *w = &work->links[i];
        dls_spatial u = {{0, 0, 0}, {0, 0, 0}}, e = u;
        const dls_spatial u_p = i ? work->inside->moved[link->parent] : u, e_p = i ? work->links[link->parent].f : e;
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++) {
            const double *Y = by_dof + WIDE * k;
            x[k] = Y[2 * SIX] - dls_dot(lin_of(Y), u_p.lin) - dls_dot(ang_of(Y), u_p.ang) -
                   dls_dot(lin_of(Y + SIX), e_p.lin) - dls_dot(ang_of(Y + SIX), e_p.ang);
        }
        if (i) {
            u = dls_motion_at(u_p, w->r);
            e = dls_motion_at(e_p, w->r);
            e = dls_spatial_axpy(e, t, bias_change(work, i, v + link->dof, u_p.ang, x + link->dof));
        }
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++)
            u = dls_spatial_axpy(u, x[k], work->S[k]);
        work->inside->moved[i] = u;
        w->f = e;
    }
}

void dls_articulation_coriolis_change(dls_articulation_work *work, const double *v, double h, double theta,
                                      double *change)
{
    dls_articulation_coriolis_force(work, change);
    for (size_t k = 0; k < work->articulation->nv; k++)
        change[k] *= -h;
    solve(work, v, theta * h, change, change);
}
