/* cone_descent.h - Newton's method on a map of cone_map.h from a given start. Not installed. */
#ifndef DELASSUS_REFERENCE_CONE_DESCENT_H
#define DELASSUS_REFERENCE_CONE_DESCENT_H

#include "cone_velocities.h"

typedef struct dls_cone_descent {
    const dls_direct *d;
    dls_cone_map map; /* Alart and Curnier's, unless the caller sets another */
    size_t n, gradient_steps;
    double *lambda, *w, *F, *step;           /* n */
    double *trial, *trial_w, *trial_F;       /* n */
    double theta, now;                       /* of lambda; now: its violation */
    double *best, least;                     /* n; the best point of all descents, and its violation */
    double *T, *most, *weight, *G, *trial_G; /* n; weight: 1 / T_i where the descent began */
    double *product, *image, *reduced;       /* n */
    double *factor;                          /* n x n, of which m x m are used */
    dls_cone_row *rows, *trial_rows;         /* n */
    lapack_int *pivots, *integers, lwork;    /* n */
    size_t m, *active;                       /* n; the m rows whose impulse is not determined by itself */
    double multiplications;                  /* of the factorisations so far */
    double shift;                            /* that the caller has on the diagonal of A: of a proximal step, else 0 */
    dls_cone_velocities velocities;
    double *lapack;
} dls_cone_descent;

/* Takes its memory, and sets lambda to 0. Its success is that of the next dls_direct_ready. */
void dls_cone_descent_take(dls_cone_descent *descent, const dls_direct *d);
/* The violation to which rounding errors limit an answer. */
double dls_cone_descent_rounding(const dls_cone_descent *descent);
/* Begins a descent at `lambda`: F, theta and the violation `now` there. */
void dls_cone_descent_start(dls_cone_descent *descent);
/* One step, which lowers theta or halves the violation; false where there is none. */
bool dls_cone_descent_step(dls_cone_descent *descent, dls_report *report);
/* Newton steps from `lambda` until the violation is at most `tolerance`, and on to rounding, up to a few steps that do
 * not halve it, or to the greatest number of iterations of the report. The best point is remembered. */
void dls_cone_descend(dls_cone_descent *descent, double tolerance, size_t iterations, dls_report *report);
/* Puts the best point of all descents into `lambda`, within its bounds and cones if its violation is not larger there,
 * and its violation into `least`. */
void dls_cone_descent_choose(dls_cone_descent *descent);

#endif
