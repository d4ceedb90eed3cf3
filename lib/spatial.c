#include "delassus/spatial.h"

static dls_vec3 row(const dls_mat3 *A, int i) { return dls_v3(A->m[3 * i], A->m[3 * i + 1], A->m[3 * i + 2]); }
static dls_vec3 column(const dls_mat3 *A, int i) { return dls_v3(A->m[i], A->m[3 + i], A->m[6 + i]); }

dls_sym3 dls_sym3_rotate(const dls_mat3 *R, const dls_sym3 *A)
{
    dls_vec3 r0 = row(R, 0), r1 = row(R, 1), r2 = row(R, 2);
    dls_vec3 a0 = dls_sym3_mul(A, r0), a1 = dls_sym3_mul(A, r1), a2 = dls_sym3_mul(A, r2);
    return (dls_sym3){dls_dot(r0, a0), dls_dot(r0, a1), dls_dot(r0, a2), dls_dot(r1, a1), dls_dot(r1, a2), dls_dot(r2, a2)};
}

/* h' = h + m r and, with g = h + m r / 2,  I' = I + 2 (r.g) 1 - (g r^T + r g^T): the parallel-axis theorem. */
void dls_rigid_gather(dls_rigid_inertia *sum, const dls_rigid_inertia *B, dls_vec3 r)
{
    dls_vec3 g = dls_add(B->h, dls_scale(0.5 * B->m, r));
    double t = 2.0 * dls_dot(r, g);
    dls_sym3 *I = &sum->J;
    sum->m += B->m;
    sum->h = dls_add(sum->h, dls_add(B->h, dls_scale(B->m, r)));
    I->xx += B->J.xx + (t - 2.0 * g.x * r.x);
    I->yy += B->J.yy + (t - 2.0 * g.y * r.y);
    I->zz += B->J.zz + (t - 2.0 * g.z * r.z);
    I->xy += B->J.xy - (g.x * r.y + g.y * r.x);
    I->xz += B->J.xz - (g.x * r.z + g.z * r.x);
    I->yz += B->J.yz - (g.y * r.z + g.z * r.y);
}

/* With a = a' + alpha x r and tau' = tau + r x f:
 *     M' = M,   H' = H - M hat(r),   I' = I - H^T hat(r) + hat(r) H'
 * by rows H'_i = H_i + r x M_i, and (I' - I)_ij = (r x column i of H)_j + (r x column j of H')_i. */
void dls_inertia6_gather(dls_inertia6 *sum, const dls_inertia6 *A, dls_vec3 r)
{
    const dls_sym3 *M = &A->M;
    dls_vec3 m[3] = {dls_cross(r, dls_v3(M->xx, M->xy, M->xz)), dls_cross(r, dls_v3(M->xy, M->yy, M->yz)),
                     dls_cross(r, dls_v3(M->xz, M->yz, M->zz))};
    dls_mat3 H;
    for (int i = 0; i < 3; i++)
        H.m[3 * i] = A->H.m[3 * i] + m[i].x, H.m[3 * i + 1] = A->H.m[3 * i + 1] + m[i].y, H.m[3 * i + 2] = A->H.m[3 * i + 2] + m[i].z;
    dls_vec3 x = dls_cross(r, column(&A->H, 0)), y = dls_cross(r, column(&A->H, 1)), z = dls_cross(r, column(&A->H, 2));
    dls_vec3 x2 = dls_cross(r, column(&H, 0)), y2 = dls_cross(r, column(&H, 1)), z2 = dls_cross(r, column(&H, 2));
    dls_sym3 turned = {x.x + x2.x, x.y + y2.x, x.z + z2.x, y.y + y2.y, y.z + z2.y, z.z + z2.z};
    sum->M = dls_sym3_add(sum->M, *M);
    for (int i = 0; i < 9; i++)
        sum->H.m[i] += H.m[i];
    sum->J = dls_sym3_add(sum->J, dls_sym3_add(A->J, turned));
}

static void deflate3(dls_sym3 *A, dls_vec3 g, dls_vec3 u)
{
    A->xx -= g.x * u.x, A->xy -= g.x * u.y, A->xz -= g.x * u.z;
    A->yy -= g.y * u.y, A->yz -= g.y * u.z, A->zz -= g.z * u.z;
}

void dls_inertia6_deflate(dls_inertia6 *A, dls_spatial g, dls_spatial u)
{
    deflate3(&A->M, g.lin, u.lin);
    deflate3(&A->J, g.ang, u.ang);
    double *H = A->H.m;
    H[0] -= g.lin.x * u.ang.x, H[1] -= g.lin.x * u.ang.y, H[2] -= g.lin.x * u.ang.z;
    H[3] -= g.lin.y * u.ang.x, H[4] -= g.lin.y * u.ang.y, H[5] -= g.lin.y * u.ang.z;
    H[6] -= g.lin.z * u.ang.x, H[7] -= g.lin.z * u.ang.y, H[8] -= g.lin.z * u.ang.z;
}
