/* contact_maps.h - maps of one contact or row whose zeros are the impulses that obey its law. Not installed.
 *
 * A contact has the normal first and lo = 0, hi = infinity, mu > 0. F, X and Y: dF = X dlambda + Y dw, row by row;
 * where F has a kink, X and Y are those of one side of it.
 */
#ifndef DELASSUS_REFERENCE_CONTACT_MAPS_H
#define DELASSUS_REFERENCE_CONTACT_MAPS_H

typedef struct dls_contact_map {
    double F[3], X[3][3], Y[3][3];
} dls_contact_map;

/* lambda - P_K(lambda - u), u = w + mu |w_t| n. */
void dls_contact_natural(double mu, const double lambda[3], const double w[3], dls_contact_map *map);
/* x + y - (x o x + y o y)^1/2, x = (mu lambda_n, lambda_t), y = (u_n, mu u_t). */
void dls_contact_fischer_burmeister(double mu, const double lambda[3], const double w[3], dls_contact_map *map);
/* Fischer and Burmeister's function of a row between lo and hi, and its derivatives by lambda and w. */
double dls_row_fischer_burmeister(double lo, double hi, double lambda, double w, double *by_lambda, double *by_w);

#endif
