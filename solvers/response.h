/* response.h - B = M^-1 J^T row by row, for methods that sweep over the rows as the problem has them. Internal to this
 * folder. */
#ifndef DELASSUS_RESPONSE_H
#define DELASSUS_RESPONSE_H

#include "delassus/problem.h"

/* Row i is runs start[i] .. start[i+1]-1 of velocities: whole mass blocks; in the matrix form lambda_i itself. Zeroed
 * before its first load. */
typedef struct dls_response_run {
    size_t offset, length, at;
} dls_response_run;
typedef struct dls_response {
    size_t *start; /* n + 1 */
    dls_response_run *runs;
    double *coef;
    double *part; /* of a row, within the longest mass block */
    size_t start_capacity, run_capacity, coef_capacity, part_capacity;
} dls_response;

/* The responses of a problem, in the memory of those before. */
dls_status dls_response_load(dls_response *response, const dls_problem *problem, dls_error *error);
void dls_response_release(dls_response *response);
/* v += B_i delta. Inline, since a sweep calls it for every row. */
static inline void dls_response_add(const dls_response *r, size_t i, double delta, double *v)
{
    for (const dls_response_run *run = r->runs + r->start[i], *end = r->runs + r->start[i + 1]; run < end; run++)
        for (size_t k = 0; k < run->length; k++)
            v[run->offset + k] += r->coef[run->at + k] * delta;
}
/* Whether rows i and k act on the same mass blocks; in the matrix form no two rows do. */
bool dls_response_same_blocks(const dls_response *response, size_t i, size_t k);
/* J_k B_i, the entry (k, i) of A without Gamma; `v` has nv entries, is 0 and stays so. */
double dls_response_entry(const dls_response *response, const dls_problem *problem, size_t k, size_t i, double *v);

#endif
