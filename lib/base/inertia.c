/* Inertia tensors that a body can have.
 *
 * Dynamics needs a positive definite one. A body's also has principal values that obey the triangle inequality: with
 * T = tr(I)/2 1 - I (the second moments of the mass) positive semidefinite, for the eigenvalues of T are half of the
 * sum of two principal values less the third. Both are tested by leading minors.
 */
#include "delassus/spatial.h"

#include "text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return NULL;
}

bool dls_inertia_of_a_body(dls_mat3 inertia, double allowance)
{
    const double *m = inertia.m;
    const double trace = m[0] + m[4] + m[8];
    dls_mat3 second = inertia;
    for (int i = 0; i < 9; i++)
        second.m[i] = (i % 4 == 0 ? 0.5 * (trace + allowance) : 0.0) - inertia.m[i];
    return positive_semidefinite(second, 1e-9 * trace);
}

/* Half a unit of the last digit of the shortest decimal number that is read as x, at most 1/2; 0 is exact. */
static double half_digit(double x)
{
    char text[40];
    if (x == 0.0 || !isfinite(x))
        return 0.0;
    const int digits = dls_print_shortest(text, sizeof text, x);
    dls_print(text, sizeof text, "%.*e", digits - 1, x);
    return 0.5 * fmin(1.0, pow(10.0, atoi(strchr(text, 'e') + 1) - (digits - 1)));
}

/* With errors E of the entries the largest principal value less the sum of the others changes by at most
 * 2 |E| + |tr E|, where the diagonal of E is at most that of half digits, and the rest as large as its row sums. */
double dls_inertia_allowance(dls_mat3 written)
{
    const double *m = written.m;
    const double diagonal = half_digit(m[0]) + half_digit(m[4]) + half_digit(m[8]),
                 rest = half_digit(m[1]) + half_digit(m[2]) + half_digit(m[5]);
    return fmin(diagonal + 2.0 * rest, 0.01 * fmax(m[0], fmax(m[4], m[8])));
}
