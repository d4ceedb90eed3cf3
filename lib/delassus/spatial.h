/* spatial.h - motions, forces and inertias of rigid bodies as six-vectors and 6x6 matrices.
 *
 * All components are along world axes. Every quantity belongs to a reference point, usually the centre of mass of a
 * link:
 *     motion  (v, omega):  velocity of the body's point that is at the reference point, and angular velocity
 *     force   (f, tau):    force, and torque about the reference point
 * If the reference point changes from c to c - r (from a link to its parent: r = c_link - c_parent), then
 *     v' = v - omega x r,   tau' = tau + r x f,
 * and the power v.f + omega.tau remains the same. Featherstone, Rigid Body Dynamics Algorithms (Springer 2008), chapter
 * 2, has the angular part first; here it is second.
 */
#ifndef DELASSUS_SPATIAL_H
#define DELASSUS_SPATIAL_H

#include "delassus/math3.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_spatial {
    dls_vec3 lin, ang;
} dls_spatial; /* (v, omega) or (f, tau) */
typedef struct dls_sym3 {
    double xx, xy, xz, yy, yz, zz;
} dls_sym3;

/* A symmetric 6x6 inertia [M, H; H^T, J]: f = M a + H alpha, tau = H^T a + J alpha. H[i] is row i of H. */
typedef struct dls_inertia6 {
    dls_sym3 M, J;
    dls_vec3 H[3];
} dls_inertia6;

/* A rigid body of mass m [kg], first moment h = m (c - reference point) [kg m] and inertia tensor J about the reference
 * point [kg m^2]. */
typedef struct dls_rigid_inertia {
    double m;
    dls_vec3 h;
    dls_sym3 J;
} dls_rigid_inertia;

/* From and to six numbers, the linear part first. */
static inline dls_spatial dls_spatial_from(const double a[6])
{
    const dls_spatial b = {dls_v3(a[0], a[1], a[2]), dls_v3(a[3], a[4], a[5])};
    return b;
}
static inline void dls_spatial_put(dls_spatial a, double to[6])
{
    to[0] = a.lin.x, to[1] = a.lin.y, to[2] = a.lin.z;
    to[3] = a.ang.x, to[4] = a.ang.y, to[5] = a.ang.z;
}
static inline dls_spatial dls_spatial_add(dls_spatial a, dls_spatial b)
{
    dls_spatial result = {dls_add(a.lin, b.lin), dls_add(a.ang, b.ang)};
    return result;
}
static inline dls_spatial dls_spatial_sub(dls_spatial a, dls_spatial b)
{
    dls_spatial result = {dls_sub(a.lin, b.lin), dls_sub(a.ang, b.ang)};
    return result;
}
/* a + s b */
static inline dls_spatial dls_spatial_axpy(dls_spatial a, double s, dls_spatial b)
{
    dls_spatial result = {dls_add(a.lin, dls_scale(s, b.lin)), dls_add(a.ang, dls_scale(s, b.ang))};
    return result;
}
/* Power of a force on a motion; both have the same reference point. */
static inline double dls_spatial_dot(dls_spatial a, dls_spatial b)
{
    return dls_dot(a.lin, b.lin) + dls_dot(a.ang, b.ang);
}
/* The motion at the reference point c + r, given at c. */
static inline dls_spatial dls_motion_at(dls_spatial v, dls_vec3 r)
{
    dls_spatial result = {dls_add(v.lin, dls_cross(v.ang, r)), v.ang};
    return result;
}
/* The force at the reference point c - r, given at c. */
static inline dls_spatial dls_force_at(dls_spatial f, dls_vec3 r)
{
    dls_spatial result = {f.lin, dls_add(f.ang, dls_cross(r, f.lin))};
    return result;
}

static inline dls_vec3 dls_sym3_mul(const dls_sym3 *A, dls_vec3 v)
{
    return dls_v3(A->xx * v.x + A->xy * v.y + A->xz * v.z, A->xy * v.x + A->yy * v.y + A->yz * v.z,
                  A->xz * v.x + A->yz * v.y + A->zz * v.z);
}
static inline dls_sym3 dls_sym3_add(dls_sym3 A, dls_sym3 B)
{
    dls_sym3 result = {A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yy + B.yy, A.yz + B.yz, A.zz + B.zz};
    return result;
}
/* R A R^T */
static inline dls_sym3 dls_sym3_rotate(const dls_mat3 *R, const dls_sym3 *A)
{
    const double *m = R->m;
    dls_vec3 r0 = dls_v3(m[0], m[1], m[2]), r1 = dls_v3(m[3], m[4], m[5]), r2 = dls_v3(m[6], m[7], m[8]);
    dls_vec3 a0 = dls_sym3_mul(A, r0), a1 = dls_sym3_mul(A, r1), a2 = dls_sym3_mul(A, r2);
    dls_sym3 result = {dls_dot(r0, a0), dls_dot(r0, a1), dls_dot(r0, a2),
                       dls_dot(r1, a1), dls_dot(r1, a2), dls_dot(r2, a2)};
    return result;
}

/* The momentum (p, L) of a rigid body with the motion (v, omega): p = m v + omega x h, L = J omega + h x v. */
static inline dls_spatial dls_rigid_mul(const dls_rigid_inertia *B, dls_spatial v)
{
    dls_spatial result = {dls_add(dls_scale(B->m, v.lin), dls_cross(v.ang, B->h)),
                          dls_add(dls_sym3_mul(&B->J, v.ang), dls_cross(B->h, v.lin))};
    return result;
}
/* Adds to `sum`, whose reference point is c - r, the body B, whose reference point is c, by the parallel-axis theorem:
 * h' = h + m r and, with g = h + m r / 2, J' = J + 2 (r.g) 1 - (g r^T + r g^T). */
static inline void dls_rigid_gather(dls_rigid_inertia *sum, const dls_rigid_inertia *B, dls_vec3 r)
{
    dls_vec3 g = dls_add(B->h, dls_scale(0.5 * B->m, r));
    double t = 2.0 * dls_dot(r, g);
    dls_sym3 *J = &sum->J;
    sum->m += B->m;
    sum->h = dls_add(sum->h, dls_add(B->h, dls_scale(B->m, r)));
    J->xx += B->J.xx + (t - 2.0 * g.x * r.x);
    J->yy += B->J.yy + (t - 2.0 * g.y * r.y);
    J->zz += B->J.zz + (t - 2.0 * g.z * r.z);
    J->xy += B->J.xy - (g.x * r.y + g.y * r.x);
    J->xz += B->J.xz - (g.x * r.z + g.z * r.x);
    J->yz += B->J.yz - (g.y * r.z + g.z * r.y);
}

/* A (0, a): the force that gives the angular acceleration a and no linear one. */
static inline dls_spatial dls_inertia6_turn(const dls_inertia6 *A, dls_vec3 a)
{
    dls_spatial result = {dls_v3(dls_dot(A->H[0], a), dls_dot(A->H[1], a), dls_dot(A->H[2], a)),
                          dls_sym3_mul(&A->J, a)};
    return result;
}
/* A (a, 0): the force that gives the linear acceleration a and no angular one. */
static inline dls_spatial dls_inertia6_slide(const dls_inertia6 *A, dls_vec3 a)
{
    dls_vec3 tau = dls_add(dls_add(dls_scale(a.x, A->H[0]), dls_scale(a.y, A->H[1])), dls_scale(a.z, A->H[2]));
    dls_spatial result = {dls_sym3_mul(&A->M, a), tau};
    return result;
}

/* Adds to `sum`, whose reference point is c - r, the inertia A, whose reference point is c. With a = a' + alpha x r and
 * tau' = tau + r x f:
 *     M' = M,   H' = H - M hat(r),   J' = J - H^T hat(r) + hat(r) H'
 * by rows H'_i = H_i + r x M_i, and (J' - J)_ij = (r x column i of H)_j + (r x column j of H')_i. */
static inline void dls_inertia6_gather(dls_inertia6 *sum, const dls_inertia6 *A, dls_vec3 r)
{
    const dls_sym3 *M = &A->M;
    dls_vec3 H0 = A->H[0], H1 = A->H[1], H2 = A->H[2];
    dls_vec3 x = dls_cross(r, dls_v3(H0.x, H1.x, H2.x));
    dls_vec3 y = dls_cross(r, dls_v3(H0.y, H1.y, H2.y));
    dls_vec3 z = dls_cross(r, dls_v3(H0.z, H1.z, H2.z));
    H0 = dls_add(H0, dls_cross(r, dls_v3(M->xx, M->xy, M->xz)));
    H1 = dls_add(H1, dls_cross(r, dls_v3(M->xy, M->yy, M->yz)));
    H2 = dls_add(H2, dls_cross(r, dls_v3(M->xz, M->yz, M->zz)));
    dls_vec3 x2 = dls_cross(r, dls_v3(H0.x, H1.x, H2.x));
    dls_vec3 y2 = dls_cross(r, dls_v3(H0.y, H1.y, H2.y));
    dls_vec3 z2 = dls_cross(r, dls_v3(H0.z, H1.z, H2.z));
    dls_sym3 turned = {x.x + x2.x, x.y + y2.x, x.z + z2.x, y.y + y2.y, y.z + z2.y, z.z + z2.z};
    sum->M = dls_sym3_add(sum->M, *M);
    sum->H[0] = dls_add(sum->H[0], H0), sum->H[1] = dls_add(sum->H[1], H1), sum->H[2] = dls_add(sum->H[2], H2);
    sum->J = dls_sym3_add(sum->J, dls_sym3_add(A->J, turned));
}

/* A - g u^T; only the upper triangle is computed. */
static inline dls_sym3 dls_sym3_deflate(dls_sym3 A, dls_vec3 g, dls_vec3 u)
{
    dls_sym3 result = {A.xx - g.x * u.x, A.xy - g.x * u.y, A.xz - g.x * u.z,
                       A.yy - g.y * u.y, A.yz - g.y * u.z, A.zz - g.z * u.z};
    return result;
}
/* A -= g u^T, where g and u are parallel, so that A remains symmetric. */
static inline void dls_inertia6_deflate(dls_inertia6 *A, dls_spatial g, dls_spatial u)
{
    A->M = dls_sym3_deflate(A->M, g.lin, u.lin);
    A->J = dls_sym3_deflate(A->J, g.ang, u.ang);
    A->H[0] = dls_sub(A->H[0], dls_scale(g.lin.x, u.ang));
    A->H[1] = dls_sub(A->H[1], dls_scale(g.lin.y, u.ang));
    A->H[2] = dls_sub(A->H[2], dls_scale(g.lin.z, u.ang));
}

/* Why dynamics cannot use this symmetric inertia tensor about the centre of mass, in words; NULL if it is positive
 * definite, which is all that dynamics needs. */
const char *dls_inertia_fault(dls_mat3 inertia);
/* Whether a body can have this positive definite inertia tensor: its largest principal value is at most the sum of the
 * two others, but for rounding and an allowance [kg m^2]. */
bool dls_inertia_of_a_body(dls_mat3 inertia, double allowance);
/* The allowance for the digits with which a tensor was written: half a unit of the last digit of each number, as many
 * digits as its value needs, and at most a hundredth of the largest entry on the diagonal [kg m^2]. */
double dls_inertia_allowance(dls_mat3 written);
#ifdef __cplusplus
}
#endif

#endif
