/* impact.h - one impact: the stops of an island that are closed, with their friction, after the joints have been
 * eliminated. Not installed. */
#ifndef DELASSUS_SIMULATION_IMPACT_H
#define DELASSUS_SIMULATION_IMPACT_H

#include "delassus/law.h"
#include "delassus/status.h"

enum { DLS_IMPACT_DENSE = 256, DLS_IMPACT_WINDOW = 8, DLS_IMPACT_WORK = 2 * DLS_IMPACT_WINDOW + 5 };

/* Rows are normal rows of stops, each followed by its friction rows: w = w0 + A p for impulses p. Velocities and
 * impulses of different rows may have different units. */
typedef struct dls_impact {
    size_t n;
    double *A;                     /* n x n, symmetric; the diagonal is 0 in rows that nothing can move */
    double *before, *after;        /* n: speeds of the rows before and after the impact */
    double *restitution;           /* n: of normal rows */
    double *mu;                    /* n: of normal rows, 0 without friction */
    size_t *normal;                /* n: the normal row of a friction row; itself for a normal row */
    dls_law *law;                  /* n: of friction rows, DLS_LAW_BOX or DLS_LAW_CONE; DLS_LAW_FIXED: a normal row */
    double *impulse;               /* n: total impulses */
    double *phase, *least, *speed; /* n each: work */
    double *newton;                /* 2 n^2 + 10 n: work of dls_impact_newton; NULL if n > DLS_IMPACT_DENSE */
    double *work;                  /* DLS_IMPACT_WORK x n: work of dls_impact_phase */
} dls_impact;

/* Finds impulses p (n entries; start: 0) with w = w0 + A p and for all contacts
 *     p_n >= least_n,  w_n >= 0,  (p_n - least_n) w_n = 0,  friction by the law of its rows with mu p_n.
 * DLS_UNSOLVED if the sweeps do not converge. `w` may not be `w0`. */
dls_status dls_impact_phase(const dls_impact *impact, const double *w0, const double *least, double *p, double *w,
                            dls_error *error);
/* Improves p, impulses of such a phase, until its natural map is at most enough * scale (the unit of speeds, over the
 * roots of the diagonal of A); returns its size over scale. For n <= DLS_IMPACT_DENSE. */
double dls_impact_newton(const dls_impact *impact, const double *w0, const double *least, double scale, double enough,
                         double *p);
/* The laws: from `before` to `after` and `impulse`. */
dls_status dls_impact_poisson(const dls_impact *impact, dls_error *error);
dls_status dls_impact_stronge(const dls_impact *impact, dls_error *error);

#endif
