/* least_distance.h - the point nearest to 0 that satisfies G u >= h. Not installed. */
#ifndef DELASSUS_LEAST_DISTANCE_H
#define DELASSUS_LEAST_DISTANCE_H

#include <stddef.h>

/* G is m x k, column-major, leading dimension m; h has m entries, u k. Memory: dls_least_distance_size(m, k) doubles.
 * Returns 1 and u, or 0 where no u satisfies the system (with |u| below about 1 / tolerance). Of a tolerance below 1e-8
 * rounding decides: then u may satisfy nothing where there is none, and the caller has to see. */
size_t dls_least_distance_size(size_t m, size_t k);
int dls_least_distance(size_t m, size_t k, const double *G, const double *h, double tolerance, double *memory,
                       double *u);

#endif
