/* cone_map.h - maps of a problem with friction whose zeros are its solutions, and their generalised Jacobians. Not
 * installed.
 *
 * The problem is prepared with DLS_DIRECT_CONTACTS: both rows of a disc have one unit, so that it stays circular. The
 * map has Coulomb's law and isotropic discs, one or two for a contact (law.h); the violation has all laws.
 */
#ifndef DELASSUS_REFERENCE_CONE_MAP_H
#define DELASSUS_REFERENCE_CONE_MAP_H

#include "prepare.h"

/* The map: X(NAME, text in settings). */
#define DLS_CONE_MAP_LIST(X)          \
    X(ALART_CURNIER, "alart-curnier") \
    X(NATURAL, "natural")             \
    X(FISCHER_BURMEISTER, "fischer-burmeister")

typedef enum dls_cone_map {
#define DLS_CONE_MAP_ENUM(name, text) DLS_CONE_MAP_##name,
    DLS_CONE_MAP_LIST(DLS_CONE_MAP_ENUM)
#undef DLS_CONE_MAP_ENUM
} dls_cone_map;

/* A row of Q and P: dF_i = dlambda_i - sum_k Q[k] dlambda_column[k] + sum_k P[k] dw_column[k], and the piece of F at
 * hand, or its tangent, is F_i = lambda_i - sum_k Q[k] lambda_column[k] + sum_k P[k] w_column[k] - offset. Alart and
 * Curnier's map has Q = P. */
typedef struct dls_cone_row {
    size_t count, column[3];
    double Q[3], P[3], offset;
} dls_cone_row;

/* w = A lambda + b, F(lambda), and its rows of Q and P (n entries). */
void dls_cone_map_value(dls_cone_map map, const dls_direct *d, const double *lambda, double *w, double *F,
                        dls_cone_row *rows);
/* The largest violation of a row (dls_row_violation), or of the two tangents of a cone, whose scales are common; NaN if
 * a number is. T and most: n entries, the scales at lambda. */
double dls_cone_map_violation(const dls_direct *d, const double *lambda, const double *w, double *T, double *most);
/* Whether the impulses are within dls_reach of the data of their blocks: beyond it nothing but rounding is left of w,
 * and they solve nothing. */
bool dls_cone_map_within_reach(const dls_direct *d, const double *lambda);
/* The rows and columns `active` (m of them; NULL: all) of V = I - Q + P A, m x m. */
void dls_cone_map_jacobian(const dls_direct *d, const dls_cone_row *rows, size_t m, const size_t *active, double *V);
/* A x and V x; n entries each. */
void dls_cone_map_apply(const dls_direct *d, const dls_cone_row *rows, const double *x, double *Ax, double *Vx);
/* P^T y and V^T y; n entries each. */
void dls_cone_map_apply_transposed(const dls_direct *d, const dls_cone_row *rows, const double *y, double *Py,
                                   double *Vy);
/* offset - P b: the piece of F at hand is V lambda less this. */
void dls_cone_map_right_side(const dls_direct *d, const dls_cone_row *rows, double *right);
/* Moves impulses into their bounds and cones, and those whose tau is beyond a bound or a rim to that bound or rim; the
 * radius of a cone follows from its normal impulse. For use after the last step, whose rounding error may leave an open
 * contact with a tiny impulse, also outside its cone. */
void dls_cone_map_project(const dls_direct *d, const double *w, double *lambda);
/* One pass over the contacts and rows: `inner` projections of each contact, and one step of each other row. */
void dls_cone_map_sweep(const dls_direct *d, size_t inner, double *lambda);

#endif
