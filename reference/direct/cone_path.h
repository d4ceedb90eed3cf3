/* cone_path.h - an interior path to a solution of a problem with friction. Not installed.
 *
 * The problem is prepared with DLS_DIRECT_CONTACTS. The path is a start for Newton's method (cone_descent.h): it ends
 * near a solution, in the middle of the set of solutions where there are many. */
#ifndef DELASSUS_REFERENCE_CONE_PATH_H
#define DELASSUS_REFERENCE_CONE_PATH_H

#include "cone_map.h"
#include "cone_sides.h"

#include <lapacke.h>

/* A contact: its cone variables L = (mu lambda_n, lambda_t) and U = (w_n / mu + |w_t|, w_t). */
typedef struct dls_cone_pair {
    size_t row;
    double mu, L[3], U[3], dL[3], dU[3];
} dls_cone_pair;

typedef struct dls_cone_path {
    const dls_direct *d;
    double compliance; /* added to the diagonal of A, in the units of d */
    size_t n_sides, n_pairs;
    dls_cone_side *sides;                 /* at most 2 n */
    dls_cone_pair *pairs;                 /* at most n / 3 */
    bool *fixed;                          /* n: rows whose impulse has one value */
    double *x, *w, *right, *T, *most, *K; /* n; K: n x n */
    lapack_int *pivots;
} dls_cone_path;

/* Takes memory for the path, n x n numbers and a few n. Its success is that of the next dls_direct_ready. */
void dls_cone_path_take(dls_cone_path *path, const dls_direct *d);
/* Follows the path for at most `limit` steps, each counted as an iteration and a factorisation of the report, and puts
 * the point with the smallest violation into lambda (n entries). */
void dls_cone_path_follow(dls_cone_path *path, size_t limit, double *lambda, dls_report *report);
/* Looks for rows that contradict each other, along a path of at most `limit` steps, counted in the same way. Returns
 * true with y (n entries), a Farkas vector as far as doubles tell (dls_direct_farkas), and its *bound. */
bool dls_cone_path_contradiction(dls_cone_path *path, size_t limit, double *y, double *bound, dls_report *report);

#endif
