#include "response.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The next mass block after `after` (NULL: the first one) on which row i acts; NULL if there is none. */
static const dls_mass_block *next_block(const dls_problem *p, size_t i, const dls_mass_block *after)
{
    size_t from = after ? after->offset + after->length : 0;
    for (size_t k = p->J.start[i]; k < p->J.start[i + 1]; k++) {
        size_t end = p->J.offset[k] + p->J.coef_at[k + 1] - p->J.coef_at[k];
        if (end > from && end > p->J.offset[k])
            return dls_mass_find(&p->mass, p->J.offset[k] > from ? p->J.offset[k] : from);
    }
    return NULL;
}

/* The part of J_i within a mass block. */
static void part_of(const dls_rows *J, size_t i, const dls_mass_block *block, double *part)
{
    memset(part, 0, block->length * sizeof *part);
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t at = J->coef_at[k], column = J->offset[k]; at < J->coef_at[k + 1]; at++, column++)
            if (column >= block->offset && column - block->offset < block->length)
                part[column - block->offset] += J->coef[at];
}

/* Adds a run after `at` coefficients. */
static bool put_run(dls_response *r, size_t run, size_t offset, size_t length, size_t at)
{
    if (!DLS_GROW(r->runs, r->run_capacity, run + 1) || !DLS_GROW(r->coef, r->coef_capacity, at + length) ||
        !DLS_GROW(r->part, r->part_capacity, length))
        return false;
    r->runs[run] = (dls_response_run){offset, length, at};
    return true;
}

dls_status dls_response_load(dls_response *r, const dls_problem *p, dls_error *error)
{
    const bool matrix = p->form == DLS_FORM_MATRIX;
    size_t run = 0, at = 0;
    /* There is at least one run, because loops add to the pointer. */
    bool ok = DLS_GROW(r->start, r->start_capacity, p->n + 1) && DLS_GROW(r->runs, r->run_capacity, 1);
    for (size_t i = 0; ok && i < p->n; i++) {
        r->start[i] = run;
        if (matrix && (ok = put_run(r, run, i, 1, at))) {
            r->coef[at++] = 1.0;
            run++;
        }
        for (const dls_mass_block *b = matrix ? NULL : next_block(p, i, NULL); b && ok; b = next_block(p, i, b)) {
            if (!(ok = put_run(r, run, b->offset, b->length, at)))
                break;
            part_of(&p->J, i, b, r->part);
            b->kind->solve(b->data, r->part, r->coef + at);
            at += b->length;
            run++;
        }
    }
    if (!ok)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the responses of %zu rows", p->n);
    r->start[p->n] = run;
    return DLS_OK;
}

void dls_response_release(dls_response *r)
{
    free(r->start), free(r->runs), free(r->coef), free(r->part);
    *r = (dls_response){0};
}

bool dls_response_same_blocks(const dls_response *r, size_t i, size_t k)
{
    const size_t count = r->start[i + 1] - r->start[i];
    if (r->start[k + 1] - r->start[k] != count)
        return false;
    for (size_t run = 0; run < count; run++)
        if (r->runs[r->start[i] + run].offset != r->runs[r->start[k] + run].offset)
            return false;
    return true;
}

double dls_response_entry(const dls_response *r, const dls_problem *p, size_t k, size_t i, double *v)
{
    dls_response_add(r, i, 1.0, v);
    double entry = dls_rows_dot(&p->J, k, v);
    for (const dls_response_run *run = r->runs + r->start[i], *end = r->runs + r->start[i + 1]; run < end; run++)
        memset(v + run->offset, 0, run->length * sizeof *v);
    return entry;
}
