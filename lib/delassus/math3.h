/* math3.h - vectors, matrices and rotations of three-space.
 *
 * Right-handed frames, radians.  A matrix is stored row by row.  A quaternion is (w, x, y, z), unit, and turns body
 * coordinates into world coordinates: v_world = R(q) v_local.
 */
#ifndef DELASSUS_MATH3_H
#define DELASSUS_MATH3_H

#include <math.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DLS_PI 3.14159265358979323846

typedef struct dls_vec3 {
    double x, y, z;
} dls_vec3;
typedef struct dls_quat {
    double w, x, y, z;
} dls_quat;
typedef struct dls_mat3 {
    double m[9];
} dls_mat3; /* m[3 * row + column] */

static inline dls_vec3 dls_v3(double x, double y, double z)
{
    dls_vec3 result = {x, y, z};
    return result;
}
static inline dls_vec3 dls_add(dls_vec3 a, dls_vec3 b) { return dls_v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline dls_vec3 dls_sub(dls_vec3 a, dls_vec3 b) { return dls_v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline dls_vec3 dls_scale(double s, dls_vec3 a) { return dls_v3(s * a.x, s * a.y, s * a.z); }
static inline dls_vec3 dls_neg(dls_vec3 a) { return dls_v3(-a.x, -a.y, -a.z); }
static inline double dls_dot(dls_vec3 a, dls_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline dls_vec3 dls_cross(dls_vec3 a, dls_vec3 b)
{
    return dls_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/* |a|, also where squares leave the range of a double. */
static inline double dls_norm(dls_vec3 a)
{
    const double square = dls_dot(a, a);
    if (a.x == 0.0 && a.y == 0.0 && a.z == 0.0)
        return 0.0;
    return square > 1e-280 && square < HUGE_VAL ? sqrt(square) : hypot(hypot(a.x, a.y), a.z);
}
/* a / |a|, however long a is; the zero vector stays zero. */
static inline dls_vec3 dls_unit(dls_vec3 a)
{
    double length = dls_norm(a);
    if (!(length > 1e-290 && length < 1e290)) { /* |a| or 1 / |a| is no normal number, perhaps */
        a = dls_scale(length < 1.0 ? 0x1p600 : 0x1p-600, a);
        length = dls_norm(a);
    }
    return length > 0.0 ? dls_scale(1.0 / length, a) : a;
}
static inline bool dls_finite3(dls_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }
static inline double dls_get3(dls_vec3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }
static inline dls_vec3 dls_axis3(int i) { return dls_v3(i == 0, i == 1, i == 2); }

static inline dls_vec3 dls_mul3(dls_mat3 A, dls_vec3 v)
{
    const double *m = A.m;
    return dls_v3(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                  m[6] * v.x + m[7] * v.y + m[8] * v.z);
}
static inline dls_vec3 dls_tmul3(dls_mat3 A, dls_vec3 v) /* A^T v */
{
    const double *m = A.m;
    return dls_v3(m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
                  m[2] * v.x + m[5] * v.y + m[8] * v.z);
}
dls_mat3 dls_matmul3(dls_mat3 A, dls_mat3 B);
/* R A R^T: a tensor of the body frame in the world frame. */
dls_mat3 dls_rotate_tensor(dls_mat3 R, dls_mat3 A);
/* Eigenvalues, ascending, and unit eigenvectors, the columns of a rotation matrix, of a symmetric matrix (Jacobi's
 * rotations: G. H. Golub and C. F. Van Loan, Matrix Computations, 4th edition, section 8.5). */
void dls_eigen3(dls_mat3 symmetric, double values[3], dls_mat3 *vectors);
double dls_det3(dls_mat3 A);
dls_mat3 dls_inverse3(dls_mat3 A); /* entries are not finite where A is singular */
/* hat(a) of ode-new-joints (3): hat(a) b = a x b. */
dls_mat3 dls_hat(dls_vec3 a);

static inline dls_quat dls_quat_identity(void)
{
    dls_quat result = {1.0, 0.0, 0.0, 0.0};
    return result;
}
static inline dls_quat dls_quat_conj(dls_quat q)
{
    dls_quat result = {q.w, -q.x, -q.y, -q.z};
    return result;
}
dls_quat dls_quat_mul(dls_quat a, dls_quat b);
dls_quat dls_quat_unit(dls_quat q); /* q / |q|; the zero quaternion becomes the identity */
dls_mat3 dls_quat_matrix(dls_quat q);
dls_quat dls_matrix_quat(dls_mat3 R); /* one of the two unit quaternions of a rotation */
static inline dls_vec3 dls_quat_rotate(dls_quat q, dls_vec3 v)
{
    dls_vec3 u = dls_v3(q.x, q.y, q.z), t = dls_scale(2.0, dls_cross(u, v));
    return dls_add(dls_add(v, dls_scale(q.w, t)), dls_cross(u, t));
}
/* The rotation by the vector phi: angle |phi| [rad] about phi/|phi|. Accurate to rounding errors, also for small
 * angles. */
dls_quat dls_quat_exp(dls_vec3 phi);
/* The rotation vector of q, |phi| <= pi: the inverse of dls_quat_exp, accurate near 0 and near pi. */
dls_vec3 dls_quat_log(dls_quat q);
/* The rate of the rotation vector: phi' = B omega where q = exp(phi), q' = 1/2 (0, omega) q. Returns B, the inverse of
 * the left Jacobian of SO(3); B^T = B(-phi). Not defined at |phi| = 2 pi; dls_quat_log never returns such a vector. */
dls_mat3 dls_rotation_rate(dls_vec3 phi);
/* q = swing twist: twist about x, then a swing about an axis across x. angle: the twist, in [-pi, pi], then the y and z
 * components of the swing's rotation vector, whose length is at most pi [rad]. rate: angle[k]' = rate[k] . omega where
 * q' = 1/2 (0, omega) q. At a swing of half a turn the twist is not unique; it and its rate are then 0. */
void dls_swing_twist(dls_quat q, double angle[3], dls_vec3 rate[3]);
/* The shortest rotation that turns the unit vector a into the unit vector b. */
dls_quat dls_quat_between(dls_vec3 a, dls_vec3 b);

/* Two unit tangents with u1 x u2 = n for the unit vector n; they depend continuously on n except near -z. */
void dls_tangents(dls_vec3 n, dls_vec3 *u1, dls_vec3 *u2);

#ifdef __cplusplus
}
#endif

#endif
