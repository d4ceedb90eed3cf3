#include "delassus/spatial.h"

#include <stddef.h>

/* An inertia tensor that a body can have is positive definite with principal values that obey the triangle inequality:
 * with T = tr(I)/2 1 - I (the second moments of the mass) positive semidefinite. Both tested by leading minors. */
static bool positive_semidefinite(dls_mat3 A, double slack)
{
    const double *m = A.m;
    return m[0] >= -slack && m[4] >= -slack && m[8] >= -slack &&
           m[0] * m[4] - m[1] * m[1] >= -slack * (fabs(m[0]) + fabs(m[4])) &&
           m[0] * m[8] - m[2] * m[2] >= -slack * (fabs(m[0]) + fabs(m[8])) &&
           m[4] * m[8] - m[5] * m[5] >= -slack * (fabs(m[4]) + fabs(m[8])) &&
           dls_det3(A) >= -slack * (m[0] * m[4] + m[4] * m[8] + m[8] * m[0]);
}

const char *dls_inertia_fault(dls_mat3 inertia)
{
    const double *m = inertia.m;
    double trace = m[0] + m[4] + m[8];
    if (!(m[0] > 0.0 && m[4] > 0.0 && m[8] > 0.0) || !(dls_det3(inertia) > 1e-14 * trace * trace * trace))
        return "the inertia tensor is not positive definite; all three principal inertias must be positive";
    dls_mat3 second = inertia;
    for (int i = 0; i < 9; i++)
        second.m[i] = (i % 4 == 0 ? 0.5 * trace : 0.0) - inertia.m[i];
    if (!positive_semidefinite(second, 1e-9 * trace))
        return "no body has this inertia: the largest principal inertia is more than the sum of the two others";
    return NULL;
}
