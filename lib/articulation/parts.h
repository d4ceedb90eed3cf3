/* parts.h - data and functions that the algorithms on articulations share. Not installed. */
#ifndef DELASSUS_ARTICULATION_PARTS_H
#define DELASSUS_ARTICULATION_PARTS_H

#include "base/memory.h"
#include "base/names.h"
#include "base/widest.h"
#include "delassus/articulation.h"

#include <stdatomic.h>

/* The private part of an articulation. The layout of the response factor is described in response.c. */
struct dls_articulation_inside {
    dls_arena memory;        /* holds the tree */
    atomic_size_t shares;    /* number of owners */
    dls_names links, joints; /* indices into the definition; a root has no joint */
    size_t *link_of;         /* n_links: from there to the link order */
    bool *turns;             /* nv: at the anchor of its joint S = (0, a), a rotation, else (a, 0), a translation */
    size_t *dof_run;         /* nv: dof_run[k], ..., k are all on the way from k to the root */
    size_t n_response;       /* entries of the response factor; 0: the tree is too deep for one */
    size_t n_slots;          /* its rows, a multiple of 4 */
    size_t *slot;            /* nv + 1: row of a degree of freedom; n_slots */
    size_t *response_column; /* nv: entry (i, k) is response[response_column[k] + slot[i]] */
};

/* The force on a link at its centre of mass, F = A u + B e + p (coriolis.c). */
typedef struct dls_tree_pair {
    double A[6][6], B[6][6], p[6];
} dls_tree_pair;
enum { DLS_TREE_ROW = 2 * 6 + 1 }; /* kept by the elimination for a degree of freedom: by u, by e, and 1 */

/* The private part of a work space: factors and scratch. */
struct dls_articulation_work_inside {
    dls_arena memory;             /* holds the work space */
    dls_rigid_inertia *composite; /* n_links, of the whole subtree */
    dls_spatial *F;               /* nv: momentum of the subtree under unit speed of degree of freedom k; scratch */
    double *columns;              /* 12 n_links: columns of R, each with a fourth entry */
    double *sine, *cosine;        /* nq, of the positions as if all were angles */
    double *S0, *F0;              /* 6 DLS_FOURS(nv): S and F at the root's centre of mass, one array an entry */
    double *diagonal;             /* DLS_FOURS(nv): of M, without armature */
    dls_inertia6 *inertia;        /* n_links, of the articulated subtree, at the anchor of the link's joint */
    dls_spatial *G;               /* nv: articulated inertia times S over D, at the anchor */
    double *D_inverse;            /* nv: 1 / (S.inertia S + armature) */
    double *u;                    /* nv */
    dls_spatial *moved;           /* n_links: motion along a change of the velocity */
    struct dls_tree_pair *pairs;  /* n_links, of coriolis.c */
    double *by_dof;               /* DLS_TREE_ROW nv, likewise */
    double *lanes;                /* of a tree without a response factor: LANES (6 n_links + nv) */
    double *response;             /* n_response, aligned */
    double *test_force, *by_slot; /* 6 n_slots, n_slots, aligned; scratch of response.c */
    bool response_known;          /* since the last dls_articulation_factor */
};

/* Loops of constant length over registers must be unrolled, or their arrays would be in memory. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif

/* Room for n entries that are written four at a time. */
#define DLS_FOURS(n) (((n) + 3) / 4 * 4)

extern const dls_motion dls_motion_fix; /* also that of a root, which has no joint */

/* True if q is unit to the digits that text files and other programs keep. */
static inline bool dls_tree_unit(dls_quat q)
{
    return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-9;
}

static inline dls_vec3 dls_tree_column(const dls_mat3 *A, int i) { return dls_v3(A->m[i], A->m[3 + i], A->m[6 + i]); }

/* The half of a spatial vector that matters at the anchor of a joint: of S, the half that is not 0. */
static inline dls_vec3 dls_tree_half(bool turns, dls_spatial S) { return turns ? S.ang : S.lin; }
/* S.p, where p is a force at the anchor of the joint. */
static inline double dls_tree_power(const dls_articulation_work *work, size_t dof, dls_spatial p)
{
    bool turns = work->articulation->inside->turns[dof];
    return dls_dot(dls_tree_half(turns, work->S[dof]), dls_tree_half(turns, p));
}
/* From the anchor of the parent's joint to that of the link's. */
static inline dls_vec3 dls_tree_arm(const dls_articulation_work *work, size_t link)
{
    return dls_add(work->links[work->articulation->links[link].parent].d, work->links[link].l);
}

/* Sines and cosines of n angles, each good to a unit in the last place of 1. */
void dls_tree_sines(const double *x, size_t n, double *sine, double *cosine);
/* Adds to a count of turns. False, and nothing is added, where it would pass 2^53, as far as doubles count. */
bool dls_tree_count(long *turns, double more);
/* Brings *q into (-2 pi, 2 pi] by turns of 4 pi, and counts them. */
void dls_tree_wrap(double *q, long *wraps);
/* In inside->composite each link alone, about its centre of mass. After kinematics. */
void dls_tree_alone(dls_articulation_work *work);
/* Composite inertias of all subtrees. After kinematics. */
void dls_tree_composite(dls_articulation_work *work);
/* Momentum of the subtree under unit speed of a degree of freedom, at its link's centre of mass. After composite. */
dls_spatial dls_tree_momentum(const dls_articulation_work *work, size_t dof);
/* The accelerations links[].a for vdot (NULL: 0), and in links[].f the force that each link needs for it, minus the
 * external force (NULL: 0). After velocities. */
void dls_tree_link_forces(dls_articulation_work *work, const double *vdot, const dls_spatial *force, dls_vec3 gravity);
/* Adds up links[].f from the leaves to the root: tau = S.f + armature vdot (NULL: 0). vdot may be tau. */
void dls_tree_gather(dls_articulation_work *work, const double *vdot, double *tau);
/* The factors of the mass matrix with more inertia: `added` to each link, at the anchor of its joint (NULL: none), and
 * this armature of each degree of freedom. */
dls_status dls_tree_factor(dls_articulation_work *work, const dls_inertia6 *added, const double *armature,
                           dls_error *error);
/* x = M^-1 y by the articulated-body algorithm, without the response factor; x may be y. After factor. */
void dls_tree_propagate(dls_articulation_work *work, const double *y, double *x);

#endif
