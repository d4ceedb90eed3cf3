/* spatial.h - motions, forces and inertias of rigid bodies as six-vectors and 6x6 matrices.
 *
 * Everything is in world axes, with a reference point that goes with it: here the centre of mass of a link.
 *     motion  (v, omega):  velocity of the point of the body that is at the reference point, angular velocity
 *     force   (f, tau):    force, and torque about the reference point
 * Going from the reference point c to c - r (from a link to its parent, r = c_link - c_parent):
 *     v' = v - omega x r,   tau' = tau + r x f;        power v.f + omega.tau is the same at both.
 * Featherstone, Rigid Body Dynamics Algorithms (Springer 2008), chapter 2, has the angular part first; ours is second.
 */
#ifndef DELASSUS_SPATIAL_H
#define DELASSUS_SPATIAL_H

#include "delassus/math3.h"

typedef struct dls_spatial { dls_vec3 lin, ang; } dls_spatial; /* (v, omega) or (f, tau) */
typedef struct dls_sym3 { double xx, xy, xz, yy, yz, zz; } dls_sym3;

/* A symmetric 6x6 inertia [M, H; H^T, J]: f = M a + H alpha, tau = H^T a + J alpha. H is stored row by row. */
typedef struct dls_inertia6 { dls_sym3 M, J; dls_mat3 H; } dls_inertia6;

/* A rigid body of mass m with first moment h = m (c - reference) and the tensor J about the reference point. */
typedef struct dls_rigid_inertia { double m; dls_vec3 h; dls_sym3 J; } dls_rigid_inertia;

static inline dls_spatial dls_spatial_add(dls_spatial a, dls_spatial b)
{
    return (dls_spatial){dls_add(a.lin, b.lin), dls_add(a.ang, b.ang)};
}
static inline dls_spatial dls_spatial_sub(dls_spatial a, dls_spatial b)
{
    return (dls_spatial){dls_sub(a.lin, b.lin), dls_sub(a.ang, b.ang)};
}
/* a + s b */
static inline dls_spatial dls_spatial_axpy(dls_spatial a, double s, dls_spatial b)
{
    return (dls_spatial){dls_add(a.lin, dls_scale(s, b.lin)), dls_add(a.ang, dls_scale(s, b.ang))};
}
/* motion . force: power */
static inline double dls_spatial_dot(dls_spatial a, dls_spatial b) { return dls_dot(a.lin, b.lin) + dls_dot(a.ang, b.ang); }
/* A motion known at c, at c + r. */
static inline dls_spatial dls_motion_at(dls_spatial v, dls_vec3 r) { return (dls_spatial){dls_add(v.lin, dls_cross(v.ang, r)), v.ang}; }
/* A force known at c, at c - r. */
static inline dls_spatial dls_force_at(dls_spatial f, dls_vec3 r) { return (dls_spatial){f.lin, dls_add(f.ang, dls_cross(r, f.lin))}; }

static inline dls_vec3 dls_sym3_mul(const dls_sym3 *A, dls_vec3 v)
{
    return dls_v3(A->xx * v.x + A->xy * v.y + A->xz * v.z, A->xy * v.x + A->yy * v.y + A->yz * v.z,
                  A->xz * v.x + A->yz * v.y + A->zz * v.z);
}
static inline dls_sym3 dls_sym3_add(dls_sym3 A, dls_sym3 B)
{
    return (dls_sym3){A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yy + B.yy, A.yz + B.yz, A.zz + B.zz};
}
/* R A R^T */
dls_sym3 dls_sym3_rotate(const dls_mat3 *R, const dls_sym3 *A);

/* The momentum (m v, L) of a body that moves with v: f = m s + a x h, tau = J a + h x s. */
static inline dls_spatial dls_rigid_mul(const dls_rigid_inertia *B, dls_spatial v)
{
    return (dls_spatial){dls_add(dls_scale(B->m, v.lin), dls_cross(v.ang, B->h)),
                         dls_add(dls_sym3_mul(&B->J, v.ang), dls_cross(B->h, v.lin))};
}
/* sum += B seen from its reference point minus r. */
void dls_rigid_gather(dls_rigid_inertia *sum, const dls_rigid_inertia *B, dls_vec3 r);

static inline dls_spatial dls_inertia6_mul(const dls_inertia6 *A, dls_spatial v)
{
    return (dls_spatial){dls_add(dls_sym3_mul(&A->M, v.lin), dls_mul3(A->H, v.ang)),
                         dls_add(dls_tmul3(A->H, v.lin), dls_sym3_mul(&A->J, v.ang))};
}
/* sum += A seen from its reference point minus r. */
void dls_inertia6_gather(dls_inertia6 *sum, const dls_inertia6 *A, dls_vec3 r);
/* A -= g u^T where g and u are parallel, so that A stays symmetric. */
void dls_inertia6_deflate(dls_inertia6 *A, dls_spatial g, dls_spatial u);

#endif
