/* The examiner: residuals and violations of impulses, measured from the problem alone. Not installed.
 *
 * It evaluates w = A lambda + b by rows and mass operator, forms the entries of A in vectors (entries.c), and gives each
 * row's violation, natural residual and rounding (examine.c), of contacts under Coulomb's cone (examine_cone.c), and of
 * rows of closed loops that contradict each other (examine_redundant.c). It has the last word on every answer, so it
 * shares no code with any method: its files include lib's public headers, memory, the environment of the arithmetic and
 * the choice of an instruction set, and no other room of reference/; no solver and no direct method includes this
 * header. A new law of friction has its figures here; whatever finds or improves impulses, or proves theorems about
 * them, belongs elsewhere. */
#ifndef DELASSUS_REFERENCE_EXAMINE_PARTS_H
#define DELASSUS_REFERENCE_EXAMINE_PARTS_H

#include "delassus/problem.h"

/* --- under a cone (examine_cone.c) --- */

typedef struct dls_cone_figures {
    double natural_residual; /* |lambda - P(lambda - u)| [N s] */
    double impulse;          /* |lambda - P(lambda - u / D)| [N s] */
    double violation;        /* distance of lambda from the cone [N s] */
    double gap;         /* |lambda_n w_n| + |mu lambda_n |w_t| + lambda_t . w_t|, Signorini's and Coulomb's share [J] */
    double dissipation; /* -lambda_t . w_t [J]: energy that friction takes, w_t the speed of sliding */
} dls_cone_figures;

/* lambda and w: normal, then two tangents. hi: the upper bound of lambda_n. D > 0: velocity over impulse [1/kg]. */
dls_cone_figures dls_examine_cone(double mu, double hi, double D, const double lambda[3], const double w[3]);
/* How far the tangents are from Coulomb's law, a part of 1: |N_t| / Lambda for the impulse of the disc nearest to
 * lambda, T and Lambda the scales of w and lambda. If Lambda is 0, so is lambda, and w alone is measured. */
double dls_examine_disc(double radius, double Lambda, double T, const double lambda[2], const double w[2]);
/* A disc of any law in the variables in which it is round. */
typedef struct dls_round_disc {
    double share[2];  /* r_k = mu_k / max mu */
    double radius;    /* max(mu) lambda_n, from 0 up */
    double lambda[2]; /* lambda_k / r_k; 0 where r_k is 0, */
    double stray;     /* and lambda_k is this, which has to be 0 */
    double w[2];      /* r_k w_k */
} dls_round_disc;
dls_round_disc dls_examine_round(const double mu[2], double normal, const double lambda[2], const double w[2]);
/* Its figures alone, in those variables. D > 0: velocity over impulse. */
dls_cone_figures dls_examine_round_figures(const dls_round_disc *disc, double D, const double lambda[2],
                                           const double w[2]);
/* The point of { 0 <= x_n <= hi, |x_t| <= mu x_n } nearest to x. */
void dls_examine_cone_project(double mu, double hi, const double x[3], double nearest[3]);

/* --- a velocity that is left on rows of a closed loop, and is no violation (examine_redundant.c) --- */

/* Memory of the examiner for a problem of n rows. */
typedef struct dls_redundant_rows {
    double *y;     /* n */
    bool *kept;    /* n: w of this row contradicts other rows, and no impulse changes that */
    double *force; /* nv: J^T y */
    double *parts; /* 4 for each block of M */
} dls_redundant_rows;

/* Decides for all rows at the velocities w (n entries); D = diag(A), `evaluation` the rounding of each w_i but for that
 * of C_i, `rounding` the whole, n entries each. Returns the largest |w_i| of the rows kept, 0 where there is none.
 * O(entries of J). */
double dls_examine_redundant(const dls_problem *problem, const double *D, const double *evaluation,
                             const double *rounding, const double *w, dls_redundant_rows *rows);

#endif
