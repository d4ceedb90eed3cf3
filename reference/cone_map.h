/* cone_map.h - Alart and Curnier's map of a problem with friction, and its generalised Jacobian. Not installed.
 *
 * The problem is prepared with DLS_DIRECT_CONTACTS: one unit per contact, so that its three rows keep their cone. */
#ifndef DELASSUS_REFERENCE_CONE_MAP_H
#define DELASSUS_REFERENCE_CONE_MAP_H

#include "direct.h"

/* A row of P: dF_i = dlambda_i - sum_k P[k] dtau_column[k], tau = lambda - w. */
typedef struct dls_cone_row {
    size_t count, column[3];
    double P[3];
} dls_cone_row;

/* w = A lambda + b, F(lambda), and its rows of P (n entries). Returns |F|^2 / 2. */
double dls_cone_map_value(const dls_direct *d, const double *lambda, double *w, double *F, dls_cone_row *rows);
/* V = I - P + P A, n x n. */
void dls_cone_map_jacobian(const dls_direct *d, const dls_cone_row *rows, double *V);
/* Whether each |F_i| is at most `allowed`, or the rounding of its w. */
bool dls_cone_map_solved(const dls_direct *d, const double *lambda, const double *F, double allowed);
/* Moves impulses into their bounds and cones; the radius of a cone follows from its normal impulse. For use after the
 * last step, whose rounding error may leave an open contact with a tiny impulse outside its cone. */
void dls_cone_map_project(const dls_direct *d, double *lambda);
/* One pass over the contacts and rows: `inner` projections of each contact, and one step of each other row. */
void dls_cone_map_sweep(const dls_direct *d, size_t inner, double *lambda);

#endif
