/* solve_lanes.h - M^-1 of several right-hand sides, one in each lane of a vector. Included once for each instruction
 * set, with
 *     NAME(x)   the name of the function x
 *     TARGET    the attribute that turns the instruction set on
 * The operations and their order are those of aba.c, and nothing is contracted, so every lane gives the same bytes. */
#define INLINE static inline __attribute__((always_inline)) TARGET

INLINE void NAME(force_at)(dls_vec3 r, vec *f)
{
    f[3] += r.y * f[2] - r.z * f[1];
    f[4] += r.z * f[0] - r.x * f[2];
    f[5] += r.x * f[1] - r.y * f[0];
}

INLINE void NAME(motion_at)(dls_vec3 r, vec *a)
{
    a[0] += a[4] * r.z - a[5] * r.y;
    a[1] += a[5] * r.x - a[3] * r.z;
    a[2] += a[3] * r.y - a[4] * r.x;
}

INLINE void NAME(dot3)(dls_vec3 s, const vec *p, vec *sum) { *sum = s.x * p[0] + s.y * p[1] + s.z * p[2]; }

INLINE void NAME(add3)(dls_vec3 s, const vec *u, vec *p) { p[0] += *u * s.x, p[1] += *u * s.y, p[2] += *u * s.z; }

/* S.p and a += x S, by the half of S that is not 0. */
INLINE void NAME(power)(bool turns, const dls_spatial *S, const vec *p, vec *sum)
{
    if (turns)
        NAME(dot3)(S->ang, p + 3, sum);
    else
        NAME(dot3)(S->lin, p, sum);
}

INLINE void NAME(move)(bool turns, const dls_spatial *S, const vec *x, vec *a)
{
    if (turns)
        NAME(add3)(S->ang, x, a + 3);
    else
        NAME(add3)(S->lin, x, a);
}

/* Register by register, since an assignment would call memcpy. */
INLINE void NAME(copy)(const lanes6 *from, lanes6 *to)
{
    UNROLL
    for (int h = 0; h < HALVES; h++)
        UNROLL
    for (int k = 0; k < 6; k++)
        to->half[h][k] = from->half[h][k];
}

/* Links from `end` on are not acted on and pass nothing to the root. */
INLINE void NAME(inwards)(const dls_articulation_work *work, size_t end, const double *const *x, lanes6 *f, lanes1 *u)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = end; i-- > 0;) {
        const dls_link *link = &art->links[i];
        lanes6 p;
        NAME(copy)(&f[i], &p);
        for (size_t k = link->dof + link->n_dofs; k-- > link->dof;)
            UNROLL
        for (int h = 0; h < HALVES; h++) {
            const double *const *from = x + LANES * h;
            const vec tau = {from[0][k], from[1][k], from[2][k], from[3][k]};
            vec Sp;
            NAME(power)(art->inside->turns[k], &work->S[k], p.half[h], &Sp);
            u[k].half[h] = tau - Sp;
            NAME(add3)(work->inside->G[k].lin, &u[k].half[h], p.half[h]);
            NAME(add3)(work->inside->G[k].ang, &u[k].half[h], p.half[h] + 3);
        }
        if (i == 0)
            return;
        const dls_vec3 arm = dls_tree_arm(work, i);
        UNROLL
        for (int h = 0; h < HALVES; h++) {
            NAME(force_at)(arm, p.half[h]);
            UNROLL
            for (int k = 0; k < 6; k++)
                f[link->parent].half[h][k] += p.half[h][k];
        }
    }
}

INLINE void NAME(outwards)(const dls_articulation_work *work, size_t count, lanes6 *f, const lanes1 *u,
                           double *const *y)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        lanes6 a;
        if (i == 0) {
            memset(&a, 0, sizeof a);
        } else {
            const dls_vec3 arm = dls_tree_arm(work, i);
            NAME(copy)(&f[link->parent], &a);
            UNROLL
            for (int h = 0; h < HALVES; h++)
                NAME(motion_at)(arm, a.half[h]);
        }
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++) {
            lanes1 x;
            UNROLL
            for (int h = 0; h < HALVES; h++) {
                vec lin, ang;
                NAME(dot3)(work->inside->G[k].lin, a.half[h], &lin);
                NAME(dot3)(work->inside->G[k].ang, a.half[h] + 3, &ang);
                x.half[h] = u[k].half[h] * work->inside->D_inverse[k] - (lin + ang);
                NAME(move)(art->inside->turns[k], &work->S[k], &x.half[h], a.half[h]);
            }
            for (size_t lane = 0; lane < count; lane++)
                y[lane][k] = x.half[lane / LANES][lane % LANES];
        }
        NAME(copy)(&a, &f[i]);
    }
}

TARGET static void NAME(solve)(const dls_articulation_work *work, size_t end, size_t count, const double *const *x,
                               double *const *y)
{
    lanes6 *f = (lanes6 *)work->inside->lanes;
    lanes1 *u = (lanes1 *)(f + work->articulation->n_links);
    memset(f, 0, end * sizeof *f);
    memset(u, 0, work->articulation->nv * sizeof *u);
    NAME(inwards)(work, end, x, f, u);
    NAME(outwards)(work, count, f, u, y);
}

#undef INLINE
#undef NAME
#undef TARGET
