/* solve_lanes.h - M^-1 of several right-hand sides, one in each lane of a vector. Included once for each instruction
 * set, with
 *     NAME(x)   the name of the function or type x
 *     TARGET    the attribute that turns the instruction set on
 *     LANES     the doubles in one of its vectors
 * The operations and their order are those of aba.c, and nothing is contracted, so every lane gives the same bytes. */
#define INLINE static inline __attribute__((always_inline)) TARGET
enum { NAME(width) = 2 * LANES }; /* right-hand sides at once */
typedef double NAME(vec) __attribute__((vector_size(8 * LANES), may_alias));
typedef struct NAME(lanes6) {
    NAME(vec) half[2][6];
} NAME(lanes6);
typedef struct NAME(lanes1) {
    NAME(vec) half[2];
} NAME(lanes1);

INLINE void NAME(force_at)(dls_vec3 r, NAME(vec) * f)
{
    f[3] += r.y * f[2] - r.z * f[1];
    f[4] += r.z * f[0] - r.x * f[2];
    f[5] += r.x * f[1] - r.y * f[0];
}

INLINE void NAME(motion_at)(dls_vec3 r, NAME(vec) * a)
{
    a[0] += a[4] * r.z - a[5] * r.y;
    a[1] += a[5] * r.x - a[3] * r.z;
    a[2] += a[3] * r.y - a[4] * r.x;
}

INLINE void NAME(dot3)(dls_vec3 s, const NAME(vec) * p, NAME(vec) * sum)
{
    *sum = s.x * p[0] + s.y * p[1] + s.z * p[2];
}

INLINE void NAME(add3)(dls_vec3 s, const NAME(vec) * u, NAME(vec) * p)
{
    p[0] += *u * s.x, p[1] += *u * s.y, p[2] += *u * s.z;
}

/* S.p and a += x S, by the half of S that is not 0. */
INLINE void NAME(power)(bool turns, const dls_spatial *S, const NAME(vec) * p, NAME(vec) * sum)
{
    if (turns)
        NAME(dot3)(S->ang, p + 3, sum);
    else
        NAME(dot3)(S->lin, p, sum);
}

INLINE void NAME(move)(bool turns, const dls_spatial *S, const NAME(vec) * x, NAME(vec) * a)
{
    if (turns)
        NAME(add3)(S->ang, x, a + 3);
    else
        NAME(add3)(S->lin, x, a);
}

/* Register by register, since an assignment would call memcpy. */
INLINE void NAME(copy)(const NAME(lanes6) * from, NAME(lanes6) * to)
{
    UNROLL
    for (int h = 0; h < 2; h++)
        UNROLL
    for (int k = 0; k < 6; k++)
        to->half[h][k] = from->half[h][k];
}

INLINE void NAME(add)(const NAME(lanes6) * from, NAME(lanes6) * to)
{
    UNROLL
    for (int h = 0; h < 2; h++)
        UNROLL
    for (int k = 0; k < 6; k++)
        to->half[h][k] = to->half[h][k] + from->half[h][k];
}

INLINE void NAME(clear)(NAME(lanes6) * x)
{
    UNROLL
    for (int h = 0; h < 2; h++)
        UNROLL
    for (int k = 0; k < 6; k++)
        x->half[h][k] = (NAME(vec)){0.0};
}

/* u from the right-hand sides in u. Links from `end` on are not acted on and pass nothing to the root. p is what the
 * next link passes, if it is a child. */
INLINE void NAME(inwards)(const dls_articulation_work *work, size_t end, NAME(lanes6) * f, NAME(lanes1) * u)
{
    const dls_articulation *art = work->articulation;
    NAME(lanes6) p;
    NAME(clear)(&p);
    for (size_t i = end; i-- > 0;) {
        const dls_link *link = &art->links[i];
        if (branches(art, i))
            NAME(add)(&f[i], &p);
        for (size_t k = link->dof + link->n_dofs; k-- > link->dof;)
            UNROLL
        for (int h = 0; h < 2; h++) {
            NAME(vec) Sp;
            NAME(power)(art->inside->turns[k], &work->S[k], p.half[h], &Sp);
            u[k].half[h] = u[k].half[h] - Sp;
            NAME(add3)(work->inside->G[k].lin, &u[k].half[h], p.half[h]);
            NAME(add3)(work->inside->G[k].ang, &u[k].half[h], p.half[h] + 3);
        }
        if (i == 0)
            return;
        const dls_vec3 arm = dls_tree_arm(work, i);
        UNROLL
        for (int h = 0; h < 2; h++)
            NAME(force_at)(arm, p.half[h]);
        if (link->parent != i - 1) {
            NAME(add)(&p, &f[link->parent]);
            NAME(clear)(&p);
        }
    }
}

/* The solutions, in place of u. a is the acceleration of the link before. */
INLINE void NAME(outwards)(const dls_articulation_work *work, NAME(lanes6) * f, NAME(lanes1) * u)
{
    const dls_articulation *art = work->articulation;
    NAME(lanes6) a;
    NAME(clear)(&a);
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        if (i > 0) {
            const dls_vec3 arm = dls_tree_arm(work, i);
            if (link->parent != i - 1)
                NAME(copy)(&f[link->parent], &a);
            UNROLL
            for (int h = 0; h < 2; h++)
                NAME(motion_at)(arm, a.half[h]);
        }
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++)
            UNROLL
        for (int h = 0; h < 2; h++) {
            NAME(vec) lin, ang, x;
            NAME(dot3)(work->inside->G[k].lin, a.half[h], &lin);
            NAME(dot3)(work->inside->G[k].ang, a.half[h] + 3, &ang);
            x = u[k].half[h] * work->inside->D_inverse[k] - (lin + ang);
            NAME(move)(art->inside->turns[k], &work->S[k], &x, a.half[h]);
            u[k].half[h] = x;
        }
        if (branches(art, i))
            NAME(copy)(&a, &f[i]);
    }
}

TARGET static void NAME(solve)(const dls_articulation_work *work, size_t end, double *lanes)
{
    NAME(lanes6) *f = (NAME(lanes6) *)work->inside->lanes;
    for (size_t i = 0; i < end; i++)
        if (branches(work->articulation, i))
            NAME(clear)(&f[i]);
    NAME(inwards)(work, end, f, (NAME(lanes1) *)lanes);
    NAME(outwards)(work, f, (NAME(lanes1) *)lanes);
}

#undef INLINE
#undef LANES
#undef NAME
#undef TARGET
