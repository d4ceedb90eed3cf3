/* differences.h - derivatives by finite differences, each with a bound of its own error. Not installed. */
#ifndef DELASSUS_CHECK_DIFFERENCES_H
#define DELASSUS_CHECK_DIFFERENCES_H

#include "delassus/joint.h"

typedef struct dls_difference {
    double value, error; /* |value - derivative| <= error; infinite: no bound */
} dls_difference;

enum { DLS_DIFFERENCE_LEVELS = 9, DLS_END_MOTIONS = 12 };

/* The step of a level: step / 4^level. */
static inline double dls_difference_step(double step, int level) { return ldexp(step, -2 * level); }
/* The derivative of f from D[stride * level] = (f(s) - f(-s)) / (2 s), s the step of the level, where f has a rounding
 * error of at most `rounding`. */
dls_difference dls_difference_limit(const double *D, size_t stride, double step, double rounding);

/* The lengths in the pose of an end, of which its rounding errors are multiples of eps. */
typedef struct dls_reach {
    double far, far_ulps;   /* distance from the world's origin [m], and rounding errors of its sums */
    double near, near_ulps; /* lengths that are rotated [m], and rounding errors of the rotation */
} dls_reach;
/* The reach of a body at x; and of an end of a joint, from that of its body or link and the lengths of the joint. */
dls_reach dls_difference_reach_of(dls_vec3 x);
dls_reach dls_difference_reach(const dls_joint *joint, int which_end, dls_reach end);
/* A bound of the rounding error of C, and of J along a motion of size 1: their terms are the same. */
double dls_difference_rounding(const dls_row *row, const dls_reach reach[2]);
/* The number of motions of the ends of a joint: 12, or 1 for a joint on coordinates. */
static inline int dls_difference_motions(const dls_joint *joint) { return joint->n_terms ? 1 : DLS_END_MOTIONS; }
/* dC/d(motion k of the ends) of every row, D[row][k]. The largest steps are step * arm [m] and step [rad]. */
void dls_difference_ends(const dls_joint *joint, const dls_end end[2], const dls_row *rows, double step, double arm,
                         dls_difference D[][DLS_END_MOTIONS]);
/* The rate of a row without a displacement (dls_row.is_rate) for given velocities of the ends. */
double dls_difference_rate(const dls_row *row, const dls_vec3 x[2], const dls_vec3 v[2], const dls_vec3 omega[2]);
/* The entry of J, as written by the type, for motion k of the ends. */
static inline double dls_difference_entry(const dls_joint *joint, const dls_row *row, int k)
{
    return joint->n_terms ? row->Jy : k < 6 ? row->J1[k] : row->J2[k - 6];
}

#endif
