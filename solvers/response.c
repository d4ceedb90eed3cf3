#include "response.h"

#include <stdlib.h>
#include <string.h>

/* The mass block behind `after` (or the first) that row i touches; NULL where there is none. */
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

static void count(const dls_problem *p, size_t *runs, size_t *coefs, size_t *longest)
{
    *runs = *coefs = *longest = 0;
    for (size_t i = 0; i < p->n; i++)
        for (const dls_mass_block *b = next_block(p, i, NULL); b; b = next_block(p, i, b)) {
            ++*runs;
            *coefs += b->length;
            *longest = b->length > *longest ? b->length : *longest;
        }
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

static void fill(const dls_problem *p, dls_response *r, double *part)
{
    size_t run = 0, at = 0;
    for (size_t i = 0; i < p->n; i++) {
        r->start[i] = run;
        for (const dls_mass_block *b = next_block(p, i, NULL); b; b = next_block(p, i, b)) {
            part_of(&p->J, i, b, part);
            b->kind->solve(b->data, part, r->coef + at);
            r->runs[run++] = (dls_response_run){b->offset, b->length, at};
            at += b->length;
        }
    }
    r->start[p->n] = run;
}

static void fill_units(size_t n, dls_response *r)
{
    for (size_t i = 0; i < n; i++) {
        r->start[i] = i;
        r->runs[i] = (dls_response_run){i, 1, i};
        r->coef[i] = 1.0;
    }
    r->start[n] = n;
}

dls_status dls_response_create(const dls_problem *p, dls_response *r, dls_error *error)
{
    size_t runs = p->n, coefs = p->n, longest = 1;
    if (p->form == DLS_FORM_MECHANICAL)
        count(p, &runs, &coefs, &longest);
    double *part = calloc(longest + 1, sizeof *part);
    r->start = calloc(p->n + 1, sizeof *r->start);
    r->runs = calloc(runs + 1, sizeof *r->runs);
    r->coef = calloc(coefs + 1, sizeof *r->coef);
    bool ok = part && r->start && r->runs && r->coef;
    if (ok && p->form == DLS_FORM_MECHANICAL)
        fill(p, r, part);
    else if (ok)
        fill_units(p->n, r);
    free(part);
    if (ok)
        return DLS_OK;
    dls_response_release(r);
    return dls_fail(error, DLS_NO_MEMORY, "no memory for the responses of %zu rows", p->n);
}

void dls_response_release(dls_response *r)
{
    free(r->start);
    free(r->runs);
    free(r->coef);
    *r = (dls_response){NULL, NULL, NULL};
}

void dls_response_add(const dls_response *r, size_t i, double delta, double *v)
{
    for (const dls_response_run *run = r->runs + r->start[i], *end = r->runs + r->start[i + 1]; run < end; run++)
        for (size_t k = 0; k < run->length; k++)
            v[run->offset + k] += r->coef[run->at + k] * delta;
}

double dls_response_entry(const dls_response *r, const dls_problem *p, size_t k, size_t i, double *v)
{
    dls_response_add(r, i, 1.0, v);
    double entry = dls_rows_dot(&p->J, k, v);
    for (const dls_response_run *run = r->runs + r->start[i], *end = r->runs + r->start[i + 1]; run < end; run++)
        memset(v + run->offset, 0, run->length * sizeof *v);
    return entry;
}
