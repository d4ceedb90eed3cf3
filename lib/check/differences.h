/* differences.h - derivatives by finite differences, each with a bound of its own error. Not installed. */
#ifndef DELASSUS_JOINTS_DIFFERENCES_H
#define DELASSUS_JOINTS_DIFFERENCES_H

#include "delassus/joint.h"

typedef struct dls_difference {
    double value, error; /* |value - derivative| <= error; infinite where there is none */
} dls_difference;

enum { DLS_DIFFERENCE_LEVELS = 9, DLS_END_MOTIONS = 12 };

/* The step of a level: step / 4^level. */
static inline double dls_difference_step(double step, int level) { return ldexp(step, -2 * level); }
/* The derivative of f from D[stride * level] = (f(s) - f(-s)) / (2 s), s the step of the level, where f has a rounding
 * error of at most `rounding`. */
dls_difference dls_difference_limit(const double *D, size_t stride, double step, double rounding);

/* The lengths from which the pose of an end is computed: rounding errors are eps of them. */
typedef struct dls_reach {
    double far, far_ulps;   /* distance from the world's origin [m], and the sums behind it */
    double near, near_ulps; /* lengths that are turned [m], and the operations behind the rotation */
} dls_reach;
/* The reach of a body at x; and of an end with the reach `end`, with the joint's own lengths. */
dls_reach dls_difference_reach_of(dls_vec3 x);
dls_reach dls_difference_reach(const dls_joint *joint, int which_end, dls_reach end);
/* A bound of the rounding error of C, and of J along a motion of size 1: their terms are the same. */
double dls_difference_rounding(const dls_row *row, const dls_reach reach[2]);
/* How many motions the ends of a joint have: 12, or 1 of the coordinate of a joint on coordinates. */
static inline int dls_difference_motions(const dls_joint *joint) { return joint->n_terms ? 1 : DLS_END_MOTIONS; }
/* dC/d(motion k of the ends) of every row, D[row][k], and J as the row has it. The largest steps are step * arm [m]
 * and step [rad]. */
void dls_difference_ends(const dls_joint *joint, const dls_end end[2], const dls_row *rows, double step, double arm,
                         dls_difference D[][DLS_END_MOTIONS]);
/* The rate that a row which is one (dls_row.is_rate) has for velocities of the ends. */
double dls_difference_rate(const dls_row *row, const dls_vec3 x[2], const dls_vec3 v[2], const dls_vec3 omega[2]);
static inline double dls_difference_entry(const dls_joint *joint, const dls_row *row, int k)
{
    return joint->n_terms ? row->Jy : k < 6 ? row->J1[k] : row->J2[k - 6];
}

#endif
