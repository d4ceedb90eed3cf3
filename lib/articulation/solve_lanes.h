/* solve_lanes.h - M^-1 of several right-hand sides, one in each lane of a vector. Included once for each instruction
 * set, with SOLVE           the name of the function SOLVE_NAME(x)   the name of its part x TARGET          the
 * attribute that turns the instruction set on The operations and their order are those of aba.c, and nothing is
 * contracted, so every lane gives the same bytes. */
#define INLINE static inline __attribute__((always_inline)) TARGET

INLINE void SOLVE_NAME(force_at)(dls_vec3 r, vec *f)
{
    f[3] += r.y * f[2] - r.z * f[1];
    f[4] += r.z * f[0] - r.x * f[2];
    f[5] += r.x * f[1] - r.y * f[0];
}

INLINE void SOLVE_NAME(motion_at)(dls_vec3 r, vec *a)
{
    a[0] += a[4] * r.z - a[5] * r.y;
    a[1] += a[5] * r.x - a[3] * r.z;
    a[2] += a[3] * r.y - a[4] * r.x;
}

INLINE void SOLVE_NAME(dot3)(dls_vec3 s, const vec *p, vec *sum) { *sum = s.x * p[0] + s.y * p[1] + s.z * p[2]; }

INLINE void SOLVE_NAME(add3)(dls_vec3 s, const vec *u, vec *p) { p[0] += *u * s.x, p[1] += *u * s.y, p[2] += *u * s.z; }

/* S.p and a += x S, by the half of S that is not 0. */
INLINE void SOLVE_NAME(power)(bool turns, const dls_spatial *S, const vec *p, vec *sum)
{
    if (turns)
        SOLVE_NAME(dot3)(S->ang, p + 3, sum);
    else
        SOLVE_NAME(dot3)(S->lin, p, sum);
}

INLINE void SOLVE_NAME(move)(bool turns, const dls_spatial *S, const vec *x, vec *a)
{
    if (turns)
        SOLVE_NAME(add3)(S->ang, x, a + 3);
    else
        SOLVE_NAME(add3)(S->lin, x, a);
}

/* Register by register, since an assignment would call memcpy. */
INLINE void SOLVE_NAME(copy)(const lanes6 *from, lanes6 *to)
{
    UNROLL
    for (int h = 0; h < HALVES; h++)
        UNROLL
    for (int k = 0; k < 6; k++)
        to->half[h][k] = from->half[h][k];
}

/* Links from `end` on are not acted on and pass nothing to the root. */
INLINE void SOLVE_NAME(inwards)(const dls_articulation_work *work, size_t end, const double *const *x, lanes6 *f,
                                lanes1 *u)
{
    const dls_articulation *art = work->articulation;
    for (size_t i = end; i-- > 0;) {
        const dls_link *link = &art->links[i];
        lanes6 p;
        SOLVE_NAME(copy)(&f[i], &p);
        for (size_t k = link->dof + link->n_dofs; k-- > link->dof;)
            UNROLL
        for (int h = 0; h < HALVES; h++) {
            const double *const *from = x + LANES * h;
            const vec tau = {from[0][k], from[1][k], from[2][k], from[3][k]};
            vec Sp;
            SOLVE_NAME(power)(art->inside->turns[k], &work->S[k], p.half[h], &Sp);
            u[k].half[h] = tau - Sp;
            SOLVE_NAME(add3)(work->inside->G[k].lin, &u[k].half[h], p.half[h]);
            SOLVE_NAME(add3)(work->inside->G[k].ang, &u[k].half[h], p.half[h] + 3);
        }
        if (i == 0)
            return;
        const dls_vec3 arm = dls_tree_arm(work, i);
        UNROLL
        for (int h = 0; h < HALVES; h++) {
            SOLVE_NAME(force_at)(arm, p.half[h]);
            UNROLL
            for (int k = 0; k < 6; k++)
                f[link->parent].half[h][k] += p.half[h][k];
        }
    }
}

INLINE void SOLVE_NAME(outwards)(const dls_articulation_work *work, size_t count, lanes6 *f, const lanes1 *u,
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
            SOLVE_NAME(copy)(&f[link->parent], &a);
            UNROLL
            for (int h = 0; h < HALVES; h++)
                SOLVE_NAME(motion_at)(arm, a.half[h]);
        }
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++) {
            lanes1 x;
            UNROLL
            for (int h = 0; h < HALVES; h++) {
                vec lin, ang;
                SOLVE_NAME(dot3)(work->inside->G[k].lin, a.half[h], &lin);
                SOLVE_NAME(dot3)(work->inside->G[k].ang, a.half[h] + 3, &ang);
                x.half[h] = u[k].half[h] * work->inside->D_inverse[k] - (lin + ang);
                SOLVE_NAME(move)(art->inside->turns[k], &work->S[k], &x.half[h], a.half[h]);
            }
            for (size_t lane = 0; lane < count; lane++)
                y[lane][k] = x.half[lane / LANES][lane % LANES];
        }
        SOLVE_NAME(copy)(&a, &f[i]);
    }
}

TARGET static void SOLVE(const dls_articulation_work *work, size_t end, size_t count, const double *const *x,
                         double *const *y)
{
    lanes6 *f = (lanes6 *)work->inside->lanes;
    lanes1 *u = (lanes1 *)(f + work->articulation->n_links);
    memset(f, 0, end * sizeof *f);
    memset(u, 0, work->articulation->nv * sizeof *u);
    SOLVE_NAME(inwards)(work, end, x, f, u);
    SOLVE_NAME(outwards)(work, count, f, u, y);
}

#undef INLINE
