/* parts.h - what the algorithms on articulations share. Not installed. */
#ifndef DELASSUS_ARTICULATION_PARTS_H
#define DELASSUS_ARTICULATION_PARTS_H

#include "delassus/articulation.h"

/* Unit to the digits that text and other programs keep. */
static inline bool dls_part_unit(dls_quat q)
{
    return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-9;
}

static inline dls_vec3 dls_column3(const dls_mat3 *A, int i) { return dls_v3(A->m[i], A->m[3 + i], A->m[6 + i]); }

/* The first share of a tree that dls_articulation_create makes. */
dls_status dls_part_first_share(dls_articulation *articulation, dls_error *error);

/* At the anchor of its joint every degree of freedom is a turn, S = (0, a), or a slide, S = (a, 0). */
static inline bool dls_part_turns(const dls_articulation *art, size_t link, size_t dof)
{
    return link ? !art->links[link].motion->slides : dof >= 3;
}
static inline dls_vec3 dls_part_axis(bool turns, dls_spatial S) { return turns ? S.ang : S.lin; }
/* S.p for p at the anchor. */
static inline double dls_part_power(const dls_articulation_work *work, size_t link, size_t dof, dls_spatial p)
{
    bool turns = dls_part_turns(work->articulation, link, dof);
    return dls_dot(dls_part_axis(turns, work->S[dof]), dls_part_axis(turns, p));
}
/* From the parent's anchor to that of a link. */
static inline dls_vec3 dls_part_arm(const dls_articulation_work *work, size_t link)
{
    return dls_add(work->links[work->articulation->links[link].parent].d, work->links[link].l);
}

/* Sines and cosines of n angles, each good to a unit in the last place of 1. */
void dls_part_sines(const double *x, size_t n, double *sine, double *cosine);
/* R = P Rz by the angle with sine s and cosine c. */
static inline void dls_part_turn_z(const dls_mat3 *P, double s, double c, dls_mat3 *R)
{
    dls_vec3 x = dls_column3(P, 0), y = dls_column3(P, 1);
    *R = (dls_mat3){{c * x.x + s * y.x, c * y.x - s * x.x, P->m[2], c * x.y + s * y.y, c * y.y - s * x.y, P->m[5],
                     c * x.z + s * y.z, c * y.z - s * x.z, P->m[8]}};
}
/* Brings *q into (-2 pi, 2 pi] by turns of 4 pi, and counts them. */
void dls_part_wrap(double *q, long *wraps);
/* Composite inertias of all subtrees, and the momentum F of each degree of freedom. After kinematics. */
void dls_part_composite(dls_articulation_work *work);
/* Second half of inverse dynamics: work->links[].f of all links to the root; tau = S.f + armature vdot (NULL: 0).
 * vdot may be tau. */
void dls_part_gather_forces(dls_articulation_work *work, const double *vdot, double *tau);
/* links[].a with the given vdot (NULL: 0), and into links[].f the force that each link needs for it less what acts on
 * it from outside. After velocities. */
void dls_part_link_forces(dls_articulation_work *work, const double *vdot, const dls_spatial *force, dls_vec3 gravity);

/* Second half of aba.c: x from u; links[].f becomes the acceleration that x gives. After factor. */
void dls_part_outwards(dls_articulation_work *work, double *x);

#endif
