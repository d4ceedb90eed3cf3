/* kinematics_lanes.h - the loop of kinematics.c. Included once for each instruction set, with
 *     NAME(x)   the name of the function x
 *     TARGET    the attribute that turns the instruction set on
 * A vector of three is in the first three lanes of four, and a rotation is three such columns. The operations and their
 * order are those of dls_mul3, and nothing is contracted, so every instruction set gives the same bytes. */
#define INLINE static inline __attribute__((always_inline)) TARGET

INLINE dls_vec3 NAME(three)(const quad *v) { return dls_v3((*v)[0], (*v)[1], (*v)[2]); }

/* The columns A times (x, y, z). */
INLINE void NAME(combine)(const quad *A, double x, double y, double z, quad *v) { *v = A[0] * x + A[1] * y + A[2] * z; }

/* A link that turns about z; P are the columns of its parent's R. */
INLINE void NAME(place_hinge)(const dls_link *link, double sine, double cosine, const quad *P, quad *R,
                              const dls_link_work *parent, dls_link_work *w, dls_spatial *S)
{
    const double *a = link->A.m;
    quad x, y, z, l, d;
    NAME(combine)(P, a[0], a[3], a[6], &x);
    NAME(combine)(P, a[1], a[4], a[7], &y);
    NAME(combine)(P, a[2], a[5], a[8], &z);
    const quad turned[3] = {cosine * x + sine * y, cosine * y - sine * x, z};
    NAME(combine)(P, link->l.x, link->l.y, link->l.z, &l);
    NAME(combine)(turned, link->d.x, link->d.y, link->d.z, &d);
    R[0] = turned[0], R[1] = turned[1], R[2] = turned[2];
    w->R = (dls_mat3){{turned[0][0], turned[1][0], turned[2][0], turned[0][1], turned[1][1], turned[2][1], turned[0][2],
                       turned[1][2], turned[2][2]}};
    w->l = NAME(three)(&l);
    w->d = NAME(three)(&d);
    S->ang = NAME(three)(&z);
    S->lin = dls_cross(S->ang, w->d);
    w->r = dls_add(w->l, w->d);
    w->c = dls_add(parent->c, w->r);
}

TARGET static void NAME(place_links)(const dls_articulation_state *state, dls_articulation_work *work)
{
    const dls_articulation *art = work->articulation;
    const struct dls_articulation_work_inside *in = work->inside;
    quad *columns = (quad *)in->columns;
    put_columns(&work->links[0].R, columns);
    for (size_t i = 1; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        dls_link_work *w = &work->links[i];
        if (turns_about_z(link)) {
            NAME(place_hinge)
            (link, in->sine[link->position], in->cosine[link->position], columns + 3 * link->parent, columns + 3 * i,
             &work->links[link->parent], w, &work->S[link->dof]);
        } else {
            place_link(link, state->q, work, w);
            put_columns(&w->R, columns + 3 * i);
        }
    }
}

#undef INLINE
#undef NAME
#undef TARGET
