/* discs.h - contacts under the laws of law.h beyond Coulomb's isotropic cone. Internal to this folder.
 *
 * A contact has a normal impulse n and one or two discs of two rows each. A disc with the coefficients mu_1, mu_2 is
 * round in y_k = lambda_k / r_k, r_k = mu_k / m, m = max(mu_1, mu_2): |y| <= m n. There w_k becomes z_k = r_k w_k, and
 * y . z = lambda . w. Where r_k = 0, lambda_k is 0. */
#ifndef DELASSUS_DISCS_H
#define DELASSUS_DISCS_H

#include "delassus/problem.h"

enum { DLS_CONTACT_ROWS = 5 }; /* most rows of a contact under a cone */

/* The law of a contact. */
typedef struct dls_discs {
    size_t count, rows;             /* 1 or 2 discs, and 1 + 2 count rows */
    bool associated;                /* DLS_LAW_ASSOCIATED; false: Coulomb's law */
    double hi;                      /* n <= hi */
    double most[2];                 /* m of each disc */
    double share[DLS_CONTACT_ROWS]; /* r_k of each row, 1 for the normal row */
} dls_discs;

/* The law of the contact whose normal row is i. */
dls_discs dls_discs_of(const dls_problem *problem, size_t i);
/* Whether it is Coulomb's isotropic cone, which contact_law.c solves. */
bool dls_discs_are_coulomb(const dls_discs *discs);
/* De Saxce's term sum h(w), h(w) = m |z| of each disc, at the velocities of its rows; 0 under the associated law. */
double dls_discs_shift(const dls_discs *discs, const double *w);
/* The diagonal D of a norm in which the projection has a closed form, from that of A (0: the row counts for nothing):
 * of the normal row that of A, of a disc the mean of its r_k^2 A_kk over r_k^2. */
void dls_discs_norm(const dls_discs *discs, const double *diagonal, double *D);
/* Projects the impulses x, one for each row, onto the cone with n <= hi, in the norm of that D. */
void dls_discs_project(const dls_discs *discs, const double *D, double *x);

/* The laws with w = W lambda + q of the contact alone. */
typedef struct dls_discs_block {
    dls_discs discs;
    double W[DLS_CONTACT_ROWS][DLS_CONTACT_ROWS], D[DLS_CONTACT_ROWS];
    double step; /* r of discs.c */
} dls_discs_block;
/* Makes a block from the law and W (rows x rows, row by row). False: W_nn <= 0, or a negative diagonal. */
bool dls_discs_prepare(dls_discs_block *block, const dls_discs *discs, const double *W);
/* Moves lambda towards impulses that solve the law for w = W lambda + q; w is that of the given lambda. A lambda that
 * solves it stays. */
void dls_discs_solve(const dls_discs_block *block, const double *w, double *lambda);

#endif
