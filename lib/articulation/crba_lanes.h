/* crba_lanes.h - the loops of crba.c over four links, degrees of freedom or rows of M. Included once for each
 * instruction set, with
 *     NAME(x)   the name of the function x
 *     TARGET    the attribute that turns the instruction set on
 * Lanes do not depend on each other and nothing is contracted, so every instruction set gives the same bytes. */
#define INLINE static inline __attribute__((always_inline)) TARGET

INLINE void NAME(dot)(const quad *a, const quad *b, quad *sum) { *sum = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

INLINE void NAME(cross)(const quad *a, const quad *b, quad *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* The symmetric tensor (xx, xy, xz, yy, yz, zz) times v. */
INLINE void NAME(apply)(const quad *A, const quad *v, quad *x)
{
    x[0] = A[0] * v[0] + A[1] * v[1] + A[2] * v[2];
    x[1] = A[1] * v[0] + A[3] * v[1] + A[4] * v[2];
    x[2] = A[2] * v[0] + A[4] * v[1] + A[5] * v[2];
}

/* Each link alone: its mass, and its inertia by dls_sym3_rotate. */
TARGET static void NAME(alone)(const dls_articulation_work *work)
{
    const dls_articulation *art = work->articulation;
    dls_rigid_inertia *B = work->inside->composite;
    const size_t n = art->n_links;
    for (size_t i = 0; i < n; i += 4) {
        const size_t at[4] = {i, at_most_last(i + 1, n), at_most_last(i + 2, n), at_most_last(i + 3, n)};
        const dls_sym3 *const I[4] = {&art->links[at[0]].inertia, &art->links[at[1]].inertia,
                                      &art->links[at[2]].inertia, &art->links[at[3]].inertia};
        const dls_mat3 *const R[4] = {&work->links[at[0]].R, &work->links[at[1]].R, &work->links[at[2]].R,
                                      &work->links[at[3]].R};
        const quad inertia[6] = {GATHER(I, xx), GATHER(I, xy), GATHER(I, xz),
                                 GATHER(I, yy), GATHER(I, yz), GATHER(I, zz)};
        const quad x[3] = {GATHER(R, m[0]), GATHER(R, m[1]), GATHER(R, m[2])};
        const quad y[3] = {GATHER(R, m[3]), GATHER(R, m[4]), GATHER(R, m[5])};
        const quad z[3] = {GATHER(R, m[6]), GATHER(R, m[7]), GATHER(R, m[8])};
        quad a[3], b[3], c[3], xx, xy, xz, yy, yz, zz;
        NAME(apply)(inertia, x, a);
        NAME(apply)(inertia, y, b);
        NAME(apply)(inertia, z, c);
        NAME(dot)(x, a, &xx), NAME(dot)(x, b, &xy), NAME(dot)(x, c, &xz);
        NAME(dot)(y, b, &yy), NAME(dot)(y, c, &yz), NAME(dot)(z, c, &zz);
        UNROLL
        for (int lane = 0; lane < 4; lane++)
            B[at[lane]] = (dls_rigid_inertia){
                art->links[at[lane]].mass, {0, 0, 0}, {xx[lane], xy[lane], xz[lane], yy[lane], yz[lane], zz[lane]}};
    }
}

/* For all degrees of freedom: F = I_subtree S, the diagonal of M without armature, and S and F at the root's centre of
 * mass. */
TARGET static void NAME(momenta)(const dls_articulation_work *work)
{
    const dls_articulation *art = work->articulation;
    const struct dls_articulation_work_inside *in = work->inside;
    const dls_vec3 root = work->links[0].c;
    const size_t n = art->nv, stride = DLS_FOURS(n);
    for (size_t k = 0; k < n; k += 4) {
        const size_t at[4] = {k, at_most_last(k + 1, n), at_most_last(k + 2, n), at_most_last(k + 3, n)};
        const size_t link[4] = {art->dof_link[at[0]], art->dof_link[at[1]], art->dof_link[at[2]], art->dof_link[at[3]]};
        const dls_rigid_inertia *const B[4] = {&in->composite[link[0]], &in->composite[link[1]],
                                               &in->composite[link[2]], &in->composite[link[3]]};
        const dls_spatial *const S[4] = {&work->S[at[0]], &work->S[at[1]], &work->S[at[2]], &work->S[at[3]]};
        const dls_vec3 *const c[4] = {&work->links[link[0]].c, &work->links[link[1]].c, &work->links[link[2]].c,
                                      &work->links[link[3]].c};
        const quad m = GATHER(B, m), h[3] = {GATHER(B, h.x), GATHER(B, h.y), GATHER(B, h.z)};
        const quad J[6] = {GATHER(B, J.xx), GATHER(B, J.xy), GATHER(B, J.xz),
                           GATHER(B, J.yy), GATHER(B, J.yz), GATHER(B, J.zz)};
        const quad v[3] = {GATHER(S, lin.x), GATHER(S, lin.y), GATHER(S, lin.z)};
        const quad omega[3] = {GATHER(S, ang.x), GATHER(S, ang.y), GATHER(S, ang.z)};
        const quad arm[3] = {GATHER(c, x) - root.x, GATHER(c, y) - root.y, GATHER(c, z) - root.z};
        quad p[3], L[3], x[3], power[2];
        NAME(cross)(omega, h, x);
        p[0] = m * v[0] + x[0], p[1] = m * v[1] + x[1], p[2] = m * v[2] + x[2];
        NAME(apply)(J, omega, L);
        NAME(cross)(h, v, x);
        L[0] += x[0], L[1] += x[1], L[2] += x[2];
        NAME(dot)(v, p, &power[0]), NAME(dot)(omega, L, &power[1]);
        *(quad *)(in->diagonal + k) = power[0] + power[1];
        quad *const S0 = (quad *)(in->S0 + k), *const F0 = (quad *)(in->F0 + k);
        const size_t step = stride / 4;
        NAME(cross)(omega, arm, x);
        S0[0] = v[0] - x[0], S0[step] = v[1] - x[1], S0[2 * step] = v[2] - x[2];
        S0[3 * step] = omega[0], S0[4 * step] = omega[1], S0[5 * step] = omega[2];
        NAME(cross)(arm, p, x);
        F0[0] = p[0], F0[step] = p[1], F0[2 * step] = p[2];
        F0[3 * step] = L[0] + x[0], F0[4 * step] = L[1] + x[1], F0[5 * step] = L[2] + x[2];
    }
}

/* Entries (j, k) and (k, j) of `count` columns from k on, j = start, ..., end - 1; count is a constant, 1 or 4. The
 * columns share the loaded part of S. */
INLINE void NAME(fill)(const dls_articulation_work *work, size_t start, size_t end, size_t k, size_t count, matrix M)
{
    const size_t n = DLS_FOURS(work->articulation->nv);
    const double *S0 = work->inside->S0, *F0 = work->inside->F0 + k;
    quad F[4][6], e[4];
    UNROLL
    for (size_t c = 0; c < count; c++)
        UNROLL
    for (size_t i = 0; i < 6; i++)
        F[c][i] = (quad){F0[i * n + c], F0[i * n + c], F0[i * n + c], F0[i * n + c]};
    size_t j = start;
    for (; j + 4 <= end; j += 4) {
        const quad x = LOAD(S0 + j), y = LOAD(S0 + n + j), z = LOAD(S0 + 2 * n + j);
        const quad a = LOAD(S0 + 3 * n + j), b = LOAD(S0 + 4 * n + j), d = LOAD(S0 + 5 * n + j);
        UNROLL
        for (size_t c = 0; c < count; c++) {
            e[c] = (x * F[c][0] + y * F[c][1] + z * F[c][2]) + (a * F[c][3] + b * F[c][4] + d * F[c][5]);
            LOAD(mass_entry(M, j, k + c)) = e[c];
        }
        UNROLL
        for (size_t i = 0; i < 4; i++)
            if (count == 4)
                LOAD(mass_entry(M, k, j + i)) = (quad){e[0][i], e[1][i], e[2][i], e[3][i]};
            else
                *mass_entry(M, k, j + i) = e[0][i];
    }
    for (; j < end; j++)
        for (size_t c = 0; c < count; c++)
            *mass_entry(M, j, k + c) = *mass_entry(M, k + c, j) = axis_product(S0 + j, F0 + c, n);
}

TARGET static void NAME(column)(const dls_articulation_work *work, size_t start, size_t end, size_t k, matrix M)
{
    NAME(fill)(work, start, end, k, 1, M);
}

TARGET static void NAME(columns)(const dls_articulation_work *work, size_t start, size_t end, size_t k, matrix M)
{
    NAME(fill)(work, start, end, k, 4, M);
}

#undef INLINE
#undef NAME
#undef TARGET
