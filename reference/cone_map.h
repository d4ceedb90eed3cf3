/* cone_map.h - Alart and Curnier's map of a problem with friction, and its generalised Jacobian. Not installed. */
#ifndef DELASSUS_REFERENCE_CONE_MAP_H
#define DELASSUS_REFERENCE_CONE_MAP_H

#include "delassus/reference.h"

/* The dense problem in units of its own, A' = S A S, b' = S b, lambda = S lambda', one power of two s a contact, so
 * that its three rows keep their cone and the largest entry of its diagonal is about 1. */
typedef struct dls_cone_map {
    const dls_problem *p;
    dls_dense *dense; /* A', b', lo', hi' */
    double *s;        /* n */
    double unit;      /* max(1, max |b'|) */
} dls_cone_map;

/* A row of P: dF_i = dlambda_i - sum_k P[k] dtau_column[k], tau = lambda - w. */
typedef struct dls_cone_row {
    size_t count, column[3];
    double P[3];
} dls_cone_row;

dls_status dls_cone_map_create(const dls_problem *problem, dls_cone_map *map, dls_error *error);
void dls_cone_map_release(dls_cone_map *map);
/* w = A' lambda + b' and F(lambda); rows (n entries) or NULL. Returns |F|^2 / 2. */
double dls_cone_map_value(const dls_cone_map *map, const double *lambda, double *w, double *F, dls_cone_row *rows);
/* V = I - P + P A, n x n. */
void dls_cone_map_jacobian(const dls_cone_map *map, const dls_cone_row *rows, double *V);
/* Whether each |F_i| is at most `allowed`, or the rounding of its w (natural_map.h). */
bool dls_cone_map_solved(const dls_cone_map *map, const double *lambda, const double *F, double allowed);
/* One pass over the contacts and rows, each set to the fixed point of its own projection as far as `inner` of them
 * lead. */
void dls_cone_map_sweep(const dls_cone_map *map, size_t inner, double *lambda);

#endif
