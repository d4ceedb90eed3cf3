#include "delassus/math3.h"

static dls_vec3 matrix_row(dls_mat3 A, int i) { return dls_v3(A.m[3 * i], A.m[3 * i + 1], A.m[3 * i + 2]); }

dls_mat3 dls_matmul3(dls_mat3 A, dls_mat3 B)
{
    dls_mat3 C;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C.m[3 * i + j] = A.m[3 * i] * B.m[j] + A.m[3 * i + 1] * B.m[3 + j] + A.m[3 * i + 2] * B.m[6 + j];
    return C;
}

/* Rounding leaves the product unsymmetric in the last bit; a symmetric tensor stays exactly symmetric. */
static void make_equal(double *upper, double *lower) { *upper = *lower = 0.5 * (*lower + *upper); }

/* T_ij = r_i A . r_j with r_i the rows of R. */
dls_mat3 dls_rotate_tensor(dls_mat3 R, dls_mat3 A)
{
    const dls_vec3 r[3] = {matrix_row(R, 0), matrix_row(R, 1), matrix_row(R, 2)};
    const dls_vec3 a = dls_tmul3(A, r[0]), b = dls_tmul3(A, r[1]), c = dls_tmul3(A, r[2]);
    double ab = dls_dot(a, r[1]), ba = dls_dot(b, r[0]);
    double ac = dls_dot(a, r[2]), ca = dls_dot(c, r[0]);
    double bc = dls_dot(b, r[2]), cb = dls_dot(c, r[1]);
    if (A.m[1] == A.m[3] && A.m[2] == A.m[6] && A.m[5] == A.m[7])
        make_equal(&ab, &ba), make_equal(&ac, &ca), make_equal(&bc, &cb);
    return (dls_mat3){{dls_dot(a, r[0]), ab, ac, ba, dls_dot(b, r[1]), bc, ca, cb, dls_dot(c, r[2])}};
}

/* Turns the axes p and q of A, and the columns of V, so that A_pq vanishes. */
static void jacobi_rotate(dls_mat3 *A, dls_mat3 *V, int p, int q)
{
    const double apq = A->m[3 * p + q];
    if (apq == 0.0)
        return;
    const double theta = (A->m[4 * q] - A->m[4 * p]) / (2.0 * apq);
    const double t = copysign(1.0, theta) / (fabs(theta) + hypot(1.0, theta)), c = 1.0 / hypot(1.0, t), s = t * c;
    dls_mat3 turn = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}, back = turn;
    turn.m[4 * p] = turn.m[4 * q] = back.m[4 * p] = back.m[4 * q] = c;
    turn.m[3 * p + q] = back.m[3 * q + p] = s, turn.m[3 * q + p] = back.m[3 * p + q] = -s;
    *A = dls_rotate_tensor(back, *A);
    A->m[3 * p + q] = A->m[3 * q + p] = 0.0;
    *V = dls_matmul3(*V, turn);
}

void dls_eigen3(dls_mat3 symmetric, double values[3], dls_mat3 *vectors)
{
    enum { SWEEPS = 32 }; /* convergence is quadratic */
    dls_mat3 A = symmetric, V = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < SWEEPS && (A.m[1] != 0.0 || A.m[2] != 0.0 || A.m[5] != 0.0); i++) {
        jacobi_rotate(&A, &V, 0, 1);
        jacobi_rotate(&A, &V, 0, 2);
        jacobi_rotate(&A, &V, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 - i; k++)
            if (A.m[4 * order[k]] > A.m[4 * order[k + 1]]) {
                const int other = order[k];
                order[k] = order[k + 1], order[k + 1] = other;
            }
    for (int k = 0; k < 3; k++) {
        values[k] = A.m[4 * order[k]];
        for (int i = 0; i < 3; i++)
            vectors->m[3 * i + k] = V.m[3 * i + order[k]];
    }
    if (dls_det3(*vectors) < 0.0)
        for (int i = 0; i < 3; i++)
            vectors->m[3 * i] = -vectors->m[3 * i];
}

/* Rows of the cofactor matrix are the cross products of the rows of A. */
double dls_det3(dls_mat3 A) { return dls_dot(matrix_row(A, 0), dls_cross(matrix_row(A, 1), matrix_row(A, 2))); }

dls_mat3 dls_inverse3(dls_mat3 A)
{
    double inv = 1.0 / dls_det3(A);
    dls_vec3 a = dls_scale(inv, dls_cross(matrix_row(A, 1), matrix_row(A, 2)));
    dls_vec3 b = dls_scale(inv, dls_cross(matrix_row(A, 2), matrix_row(A, 0)));
    dls_vec3 c = dls_scale(inv, dls_cross(matrix_row(A, 0), matrix_row(A, 1)));
    return (dls_mat3){{a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z}};
}

dls_mat3 dls_hat(dls_vec3 a) { return (dls_mat3){{0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0}}; }

dls_quat dls_quat_mul(dls_quat a, dls_quat b)
{
    return (dls_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

dls_quat dls_quat_unit(dls_quat q)
{
    double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(n > 0.0))
        return dls_quat_identity();
    return (dls_quat){q.w / n, q.x / n, q.y / n, q.z / n};
}

dls_mat3 dls_quat_matrix(dls_quat q)
{
    double w = q.w, x = q.x, y = q.y, z = q.z;
    return (dls_mat3){{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y), 2.0 * (x * y + w * z),
                       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x), 2.0 * (x * z - w * y), 2.0 * (y * z + w * x),
                       1.0 - 2.0 * (x * x + y * y)}};
}

/* Shepperd (1978): of 4 w^2, 4 x^2, 4 y^2, 4 z^2, which the diagonal gives, the largest is safe to divide by. */
dls_quat dls_matrix_quat(dls_mat3 R)
{
    const double *m = R.m;
    double t = m[0] + m[4] + m[8], w = 1.0 + t, x = 1.0 + 2.0 * m[0] - t, y = 1.0 + 2.0 * m[4] - t,
           z = 1.0 + 2.0 * m[8] - t;
    double a = m[7] - m[5], b = m[2] - m[6], c = m[3] - m[1], d = m[1] + m[3], e = m[2] + m[6], f = m[5] + m[7];
    dls_quat q = {a, x, d, e};
    if (w >= x && w >= y && w >= z)
        q = (dls_quat){w, a, b, c};
    else if (y >= x && y >= z)
        q = (dls_quat){b, d, y, f};
    else if (z >= x)
        q = (dls_quat){c, e, f, z};
    return dls_quat_unit(q);
}

dls_quat dls_quat_exp(dls_vec3 phi)
{
    double angle = dls_norm(phi), half = 0.5 * angle;
    /* sin(a/2)/a; its series where a*a underflows beside 1. */
    double s = angle > 1e-8 ? sin(half) / angle : 0.5;
    return (dls_quat){cos(half), s * phi.x, s * phi.y, s * phi.z};
}

dls_vec3 dls_quat_log(dls_quat q)
{
    if (q.w < 0.0)
        q = (dls_quat){-q.w, -q.x, -q.y, -q.z};
    dls_vec3 u = dls_v3(q.x, q.y, q.z);
    double s = dls_norm(u);
    /* angle = 2 atan2(s, w); angle/s tends to 2/w. */
    return dls_scale(s > 1e-8 ? 2.0 * atan2(s, q.w) / s : 2.0 / q.w, u);
}

/* B = 1 - hat(phi)/2 + k hat(phi)^2,  k = (1 - (a/2) cot(a/2)) / a^2,  a = |phi|
 * (Bullo and Murray, "Proportional derivative control on the Euclidean group", ECC 1995). The cancellation in k leaves
 * an error of rounding size in k a^2, which enters B; below 1e-4 the next term of k = 1/12 + a^2/720 is lost in
 * it. */
dls_mat3 dls_rotation_rate(dls_vec3 phi)
{
    double a = dls_norm(phi), k = a > 1e-4 ? (1.0 - 0.5 * a / tan(0.5 * a)) / (a * a) : 1.0 / 12.0;
    dls_mat3 H = dls_hat(phi), B = dls_matmul3(H, H);
    for (int i = 0; i < 9; i++)
        B.m[i] = (i % 4 == 0 ? 1.0 : 0.0) - 0.5 * H.m[i] + k * B.m[i];
    return B;
}

/* SWING AND TWIST. q = s t with t = (w, x, 0, 0) / n, n = |(w, x)|, and s = q t^-1 = (n, 0, ..): w >= 0 takes the
 * shorter way round. With sigma the rotation vector of s and phi the twist, omega = omega_s + R_s (phi' e) with e along
 * x, where omega_s of a swing, whose axis stays across e, has omega_s . (e + R_s e) = 0. So
 *     phi' = (e + R_s e) . omega / (1 + e . R_s e),    1 + e . R_s e = 2 n^2
 *     sigma' = B(sigma) (omega - R_s e phi')            (dls_rotation_rate)
 * both with a pole at n = 0, a swing of half a turn (physx-articulations, Articulation Joints, has the decomposition;
 * F. S. Grassia, Practical parameterization of rotations using the exponential map, 1998). */
void dls_swing_twist(dls_quat q, double angle[3], dls_vec3 rate[3])
{
    if (q.w < 0.0)
        q = (dls_quat){-q.w, -q.x, -q.y, -q.z};
    const double n = hypot(q.w, q.x);
    const dls_quat back = n > 0.0 ? (dls_quat){q.w / n, -q.x / n, 0.0, 0.0} : dls_quat_identity();
    const dls_quat s = dls_quat_mul(q, back);
    const dls_vec3 sigma = dls_quat_log((dls_quat){n, 0.0, s.y, s.z}), e = dls_axis3(0);
    const dls_vec3 turned = dls_quat_rotate((dls_quat){n, 0.0, s.y, s.z}, e);
    const dls_mat3 B = dls_rotation_rate(sigma);
    angle[0] = n > 0.0 ? 2.0 * atan2(q.x, q.w) : 0.0;
    rate[0] = n > 0.0 ? dls_scale(0.5 / (n * n), dls_add(e, turned)) : dls_v3(0, 0, 0);
    for (int k = 1; k < 3; k++) {
        const dls_vec3 row = dls_v3(B.m[3 * k], B.m[3 * k + 1], B.m[3 * k + 2]);
        angle[k] = dls_get3(sigma, k);
        rate[k] = dls_sub(row, dls_scale(dls_dot(row, turned), rate[0]));
    }
}

dls_quat dls_quat_between(dls_vec3 a, dls_vec3 b)
{
    double c = dls_dot(a, b);
    if (c < -1.0 + 1e-14) { /* opposite: half a turn about any normal */
        dls_vec3 u1, u2;
        dls_tangents(a, &u1, &u2);
        return (dls_quat){0.0, u1.x, u1.y, u1.z};
    }
    dls_vec3 axis = dls_cross(a, b);
    return dls_quat_unit((dls_quat){1.0 + c, axis.x, axis.y, axis.z});
}

/* Duff et al., "Building an orthonormal basis, revisited", JCGT 6 (2017). */
void dls_tangents(dls_vec3 n, dls_vec3 *u1, dls_vec3 *u2)
{
    double sign = copysign(1.0, n.z), a = -1.0 / (sign + n.z), b = n.x * n.y * a;
    *u1 = dls_v3(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *u2 = dls_v3(b, sign + n.y * n.y * a, -n.y);
}
