/* parts.h - what the algorithms on articulations share. Not installed. */
#ifndef DELASSUS_ARTICULATION_PARTS_H
#define DELASSUS_ARTICULATION_PARTS_H

#include "delassus/articulation.h"

/* Unit to the digits that text and other programs keep. */
static inline bool dls_part_unit(dls_quat q) { return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-9; }

static inline dls_vec3 dls_column3(const dls_mat3 *A, int i) { return dls_v3(A->m[i], A->m[3 + i], A->m[6 + i]); }

/* The first share of a tree that dls_articulation_create makes. */
dls_status dls_part_first_share(dls_articulation *articulation, dls_error *error);

/* R = P Rz(angle) */
void dls_part_turn_z(const dls_mat3 *P, double angle, dls_mat3 *R);
/* Brings *q into (-2 pi, 2 pi] by turns of 4 pi, and counts them. */
void dls_part_wrap(double *q, long *wraps);
/* Composite inertias of all subtrees, and the momentum F of each degree of freedom. After kinematics. */
void dls_part_composite(dls_articulation_work *work);
/* links[].a with the given vdot (NULL: 0), from the root outwards. After velocities. */
void dls_part_accelerate(dls_articulation_work *work, const double *vdot, dls_vec3 gravity);
/* Second half of inverse dynamics: work->links[].f of all links to the root; tau = S.f + armature vdot (NULL: 0).
 * vdot may be tau. */
void dls_part_gather_forces(dls_articulation_work *work, const double *vdot, double *tau);
/* Rigid-body force of every link that moves with a[i], less what acts on it from outside, into links[].f. */
void dls_part_link_forces(dls_articulation_work *work, const dls_spatial *force);

/* Second half of aba.c: x from u; links[].f becomes the acceleration that x gives. After factor. */
void dls_part_outwards(dls_articulation_work *work, double *x);

#endif
