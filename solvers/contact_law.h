/* contact_law.h - one contact under Coulomb's cone, solved exactly. Internal to this folder. */
#ifndef DELASSUS_CONTACT_LAW_H
#define DELASSUS_CONTACT_LAW_H

#include <stdbool.h>

/* A contact's own 3 x 3 block of the Delassus matrix: row and column 0 the normal, 1 and 2 the tangents. */
typedef struct dls_contact_block {
    double W[3][3];
    double S[2][2]; /* of the tangents with the normal eliminated: W_tt - W_tn W_nt / W_nn */
    double mu, hi;  /* lambda_n <= hi */
} dls_contact_block;

/* Forms S. False where there is no method: W_nn <= 0, or S or W_tt not positive semidefinite to rounding. */
bool dls_contact_block_prepare(dls_contact_block *block);
/* The impulses that solve the law for w = W lambda + q. */
void dls_contact_solve(const dls_contact_block *block, const double q[3], double lambda[3]);

#endif
