/* cubic.h - piecewise cubics through points, and the arc length along them. Not installed. */
#ifndef DELASSUS_CURVE_CUBIC_H
#define DELASSUS_CURVE_CUBIC_H

#include "base/memory.h"
#include "delassus/math3.h"
#include "delassus/status.h"

#include <stddef.h>

typedef enum dls_cubic_kind {
    DLS_CUBIC_NATURAL,  /* C2, second derivative 0 at both ends */
    DLS_CUBIC_PERIODIC, /* C2, also from the end to the start; y[n - 1] = y[0] */
    DLS_CUBIC_STEFFEN,  /* C1, monotone between points: M. Steffen, Astron. Astrophys. 239 (1990) */
    DLS_CUBIC_LINEAR    /* C0 */
} dls_cubic_kind;

/* n >= 3 points (2 for linear) of increasing x. y = k[i][0] + k[i][1] u + k[i][2] u^2 + k[i][3] u^3, u = x - x[i], i <
 * n - 1. */
dls_status dls_cubic_fit(dls_cubic_kind fit, size_t n, const double *x, const double *y, double (*k)[4],
                         dls_arena *memory, dls_error *error);

/* A cubic in space, P(u) = p + a u + b u^2 + c u^3, 0 <= u <= end, and its arc length. */
typedef struct dls_cubic_path {
    dls_vec3 p, a, b, c;
    double end;
    double s0, length; /* its arc length on the whole curve before it, and its own [m] */
    double h;          /* [m] from station to station */
    size_t first, n;   /* stations first ... first + n */
} dls_cubic_path;

/* A point of known arc length: u, du/ds and d2u/ds2. */
typedef struct dls_cubic_station {
    double u, u1, u2;
} dls_cubic_station;

/* P', P'', P''' by u. */
void dls_cubic_path_at(const dls_cubic_path *path, double u, dls_vec3 *P1, dls_vec3 *P2, dls_vec3 *P3);
dls_vec3 dls_cubic_path_point(const dls_cubic_path *path, double u);

/* Sets s0, length, h, first and n of all paths, and the stations. */
dls_status dls_cubic_tabulate(dls_cubic_path *paths, size_t n, dls_arena *memory, dls_cubic_station **stations,
                              dls_error *error);
/* The u at the arc length r from the start of the path; *station is the last station before it. */
double dls_cubic_parameter(const dls_cubic_path *path, const dls_cubic_station *stations, double r, size_t *station);

#endif
