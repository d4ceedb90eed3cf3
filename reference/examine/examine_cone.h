/* examine_cone.h - what three impulses are worth under Coulomb's cone. Not installed; no solver includes it. */
#ifndef DELASSUS_REFERENCE_EXAMINE_CONE_H
#define DELASSUS_REFERENCE_EXAMINE_CONE_H

typedef struct dls_cone_figures {
    double natural_residual; /* |lambda - P(lambda - u)| [N s] */
    double impulse;          /* |lambda - P(lambda - u / D)| [N s] */
    double violation;        /* distance of lambda from the cone [N s] */
    double gap;         /* |lambda_n w_n| + |mu lambda_n |w_t| + lambda_t . w_t|, Signorini's and Coulomb's share [J] */
    double dissipation; /* -lambda_t . w_t [J]: what friction takes from the bodies, with w_t the speed of sliding */
} dls_cone_figures;

/* lambda and w: normal, then two tangents. hi: the upper bound of lambda_n. D > 0: velocity over impulse [1/kg]. */
dls_cone_figures dls_examine_cone(double mu, double hi, double D, const double lambda[3], const double w[3]);
/* How far the tangents are from Coulomb's law, a part of 1: |N_t| / Lambda for the impulse of the disc nearest to
 * lambda, T and Lambda the scales of w and lambda. If Lambda is 0, so is lambda, and w alone is measured. */
double dls_examine_disc(double radius, double Lambda, double T, const double lambda[2], const double w[2]);
/* The point of { 0 <= x_n <= hi, |x_t| <= mu x_n } nearest to x. */
void dls_examine_cone_project(double mu, double hi, const double x[3], double nearest[3]);

#endif
