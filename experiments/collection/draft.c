/* A problem in the matrix form in the making. */
#include "collection/parts.h"

#include <math.h>
#include <stdlib.h>

dls_status dls_draft_open(dls_draft *d, size_t n, dls_error *error)
{
    d->n = n;
    d->A = calloc(n * n + 5 * n, sizeof *d->A);
    if (!d->A)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a matrix of %zu rows", n);
    d->b = d->A + n * n, d->lo = d->b + n, d->hi = d->lo + n, d->lambda = d->hi + n, d->w = d->lambda + n;
    for (size_t i = 0; i < n; i++)
        d->hi[i] = HUGE_VAL;
    return DLS_OK;
}

void dls_draft_choose(dls_draft *d)
{
    for (size_t i = 0; i < d->n; i++) {
        d->b[i] = d->w[i];
        for (size_t j = 0; j < d->n; j++)
            d->b[i] -= d->A[i + d->n * j] * d->lambda[j];
    }
}

dls_status dls_draft_end(dls_draft *d, bool solution, dls_collected *made, dls_error *error)
{
    dls_status status = dls_problem_from_matrix(d->n, d->A, d->b, d->lo, d->hi, &made->problem, error);
    if (status == DLS_OK && solution) {
        made->lambda = calloc(d->n, sizeof *made->lambda);
        if (!made->lambda)
            status = dls_fail(error, DLS_NO_MEMORY, "no memory for a solution of %zu rows", d->n);
        for (size_t i = 0; status == DLS_OK && i < d->n; i++)
            made->lambda[i] = d->lambda[i];
    }
    free(d->A);
    return status;
}
