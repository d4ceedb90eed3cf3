/* minimal.h - a mechanism with loops, gears and mimic joints in minimal coordinates: its motion without multipliers.
 *
 *     v = G u,   vdot = G udot + g,   M_y udot = G^T (tau - n - M g),   M_y = G^T M G
 *
 * u are the velocities that are independent of each other under the rows of the loops (loops.h), J G = 0 and J g =
 * gamma. A mimic joint q_2 = m q_1 + o has G = (1, m), and reflects the inertia of joint 2 exactly, M_y = M_11 + 2 m
 * M_12 + m^2 M_22. In use:
 *
 *     dls_loops_prepare(loops, state, NULL, error);
 *     dls_minimal_create(loops, tau, &minimal, error);
 *     memcpy(vdot, minimal->vdot, ...);
 *     dls_minimal_destroy(minimal);
 */
#ifndef DELASSUS_MINIMAL_H
#define DELASSUS_MINIMAL_H

#include "delassus/loops.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_minimal {
    size_t nv, n;         /* generalised velocities; independent ones */
    size_t *independent;  /* n, ascending: their numbers among the generalised velocities */
    double *G;            /* nv x n, column-major: 1 in the row of an independent velocity */
    double *g;            /* nv: 0 in these rows [m/s^2, rad/s^2] */
    double *M;            /* n x n: M_y [kg, kg m^2] */
    double *vdot;         /* nv: accelerations [m/s^2, rad/s^2] */
    double contradiction; /* max |gamma - J g|, of rows that depend on others: 0 but for rounding if the rows agree */
} dls_minimal;

/* From loops prepared at a state. Independent are the velocities left by elimination with complete pivoting, after rows
 * and columns have been scaled by powers of 2 to entries near 1 in the units of M. tau: nv entries, forces on the
 * actuated degrees of freedom as in loops.h; NULL: 0. DLS_REFUSED if a row is one-sided, naming it: such rows do not
 * remove a coordinate. O(rows^2 nv + nv^2 n). */
dls_status dls_minimal_create(const dls_loops *loops, const double *tau, dls_minimal **minimal, dls_error *error);
void dls_minimal_destroy(dls_minimal *minimal); /* NULL is allowed */
/* v = G u, where u are the independent entries of v: the dependent velocities from these. */
void dls_minimal_velocity(const dls_minimal *minimal, double *v);
/* Moves the dependent coordinates of the state until C = 0 for all rows, by Newton's method; independent coordinates
 * stay. `loops` is prepared at the result. DLS_BAD_INPUT if it does not converge in 30 iterations: the loops cannot be
 * closed there, or the start is too far. */
dls_status dls_minimal_close(dls_loops *loops, dls_state *state, dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
