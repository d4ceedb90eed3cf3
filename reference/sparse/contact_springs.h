/* contact_springs.h - rows and contacts as springs within their bounds, the law of a proximal step. Not installed. */
#ifndef DELASSUS_REFERENCE_CONTACT_SPRINGS_H
#define DELASSUS_REFERENCE_CONTACT_SPRINGS_H

#include "sparse.h"

typedef struct dls_contact_springs {
    const dls_problem *problem;
    const double *D;      /* n: that of a contact, with its normal row */
    double eps;           /* weight of the proximal term, as a share of D */
    bool coulomb;         /* Coulomb's law; false: the associated law with `shift` on the normal velocities */
    const double *lambda; /* n: where the step begins */
    const double *w;      /* n: w there */
    const double *shift;  /* n: with the normal rows, about mu |w_t|; 0 under the associated law */
} dls_contact_springs;

/* The number of rows of the contact that begins with row i, 3, or 1 for a row with bounds of its own. */
size_t dls_spring_rows(const dls_problem *problem, size_t i);
/* The impulses `next` of these rows where their velocities are w + along, and S (a 3 x 3 or 1 x 1 matrix by rows), the
 * derivative of -next by them. */
void dls_contact_response(const dls_contact_springs *springs, size_t i, const double *along, double *next, double *S);

#endif
