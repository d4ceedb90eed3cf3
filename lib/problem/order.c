/* The rows of a problem in another order.
 *
 * With the permutation matrix P that takes x to x[order[i]], the reordered problem has J' = P J, or A' = P A P^T in the
 * matrix form, c' = P c and so on: w' = P w for lambda' = P lambda, so that solutions correspond. No number is computed
 * again, and the inverse order restores every one of them.
 *
 * A row without a parent and the friction rows that follow it are a unit. Units are reversed or shuffled (R.
 * Durstenfeld, Algorithm 235: random permutation, 1964), rows within a unit keep their order.
 */
#include "problem_store.h"

#include "base/draw.h"

#include <stdlib.h>
#include <string.h>

/* --- orders --- */

static void swap_units(size_t *one, size_t *other)
{
    const size_t kept = *one;
    *one = *other, *other = kept;
}

dls_status dls_problem_order(const dls_problem *p, dls_row_order kind, uint64_t seed, size_t *order, dls_error *error)
{
    size_t *unit = calloc(2 * p->n + 1, sizeof *unit), count = 0, at = 0;
    if (!unit)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the order of %zu rows", p->n);
    size_t *next = unit + p->n;
    for (size_t i = 0; i < p->n; i++) {
        if (p->parent[i] == DLS_NONE)
            unit[count++] = i;
        next[p->parent[i] == DLS_NONE ? i : p->parent[i]]++; /* rows of the unit */
    }
    for (size_t k = 0; kind == DLS_ORDER_REVERSED && k < count / 2; k++)
        swap_units(&unit[k], &unit[count - 1 - k]);
    for (size_t k = count; kind == DLS_ORDER_RANDOM && k > 1; k--)
        swap_units(&unit[k - 1], &unit[dls_draw_below(&seed, k)]);
    for (size_t k = 0; k < count; k++) {
        const size_t rows = next[unit[k]];
        order[at] = unit[k];
        next[unit[k]] = at + 1; /* the place of its next friction row */
        at += rows;
    }
    for (size_t i = 0; i < p->n; i++)
        if (kind == DLS_ORDER_GIVEN)
            order[i] = i;
        else if (p->parent[i] != DLS_NONE)
            order[next[p->parent[i]]++] = i;
    free(unit);
    return DLS_OK;
}

void dls_order_apply(size_t n, const size_t *order, const double *x, double *reordered)
{
    for (size_t i = 0; i < n; i++)
        reordered[i] = x[order[i]];
}

void dls_order_undo(size_t n, const size_t *order, const double *reordered, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[order[i]] = reordered[i];
}

/* --- the reordered problem --- */

typedef struct entry {
    size_t column;
    double value;
} entry;

static int compare_columns(const void *one, const void *other)
{
    const size_t a = ((const entry *)one)->column, b = ((const entry *)other)->column;
    return (a > b) - (a < b);
}

/* Copies row k of J to row i, with the same blocks. */
static void copy_blocks(const dls_rows *from, size_t k, dls_rows *to, size_t i)
{
    size_t block = to->start[i], coef = to->coef_at[block];
    for (size_t b = from->start[k]; b < from->start[k + 1]; b++) {
        const size_t length = from->coef_at[b + 1] - from->coef_at[b];
        to->offset[block] = from->offset[b];
        to->mass[block] = from->mass[b];
        memcpy(to->coef + coef, from->coef + from->coef_at[b], length * sizeof *to->coef);
        coef += length;
        to->coef_at[++block] = coef;
    }
    to->start[i + 1] = block;
}

/* Copies row k of A to row i, with its columns at their new places; runs of adjacent columns become blocks. */
static void copy_columns(const dls_rows *from, size_t k, const size_t *place, entry *row, dls_rows *to, size_t i)
{
    size_t count = 0, block = to->start[i], coef = to->coef_at[block];
    for (size_t b = from->start[k]; b < from->start[k + 1]; b++)
        for (size_t at = from->coef_at[b], j = from->offset[b]; at < from->coef_at[b + 1]; at++, j++)
            row[count++] = (entry){place[j], from->coef[at]};
    qsort(row, count, sizeof *row, compare_columns);
    for (size_t e = 0; e < count; e++) {
        if (e == 0 || row[e].column > row[e - 1].column + 1)
            to->offset[block++] = row[e].column;
        to->coef[coef++] = row[e].value;
        to->coef_at[block] = coef;
    }
    to->start[i + 1] = block;
}

/* The place of each row in the order; false if it is no permutation. */
static bool find_places(size_t n, const size_t *order, size_t *place)
{
    for (size_t i = 0; i < n; i++)
        place[i] = DLS_NONE;
    for (size_t i = 0; i < n; i++) {
        if (order[i] >= n || place[order[i]] != DLS_NONE)
            return false;
        place[order[i]] = i;
    }
    return true;
}

static void copy_problem(const dls_problem *p, const size_t *order, const size_t *place, entry *row, dls_problem *to)
{
    to->form = p->form;
    to->h = p->h;
    memcpy(to->v_star, p->v_star, p->nv * sizeof *p->v_star);
    if (p->mass.n_blocks)
        memcpy(to->mass.blocks, p->mass.blocks, p->mass.n_blocks * sizeof *p->mass.blocks);
    for (size_t i = 0; i < p->n; i++) {
        const size_t k = order[i];
        if (p->form == DLS_FORM_MATRIX)
            copy_columns(&p->J, k, place, row, &to->J, i);
        else
            copy_blocks(&p->J, k, &to->J, i);
        to->gamma[i] = p->gamma[k];
        to->c[i] = p->c[k];
        to->lo[i] = p->lo[k];
        to->hi[i] = p->hi[k];
    }
    to->J.n_blocks = to->J.start[p->n];
}

dls_status dls_problem_reorder(const dls_problem *p, const size_t *order, dls_problem **reordered, dls_error *error)
{
    const bool matrix = p->form == DLS_FORM_MATRIX;
    const size_t blocks = p->J.start[p->n], coefs = p->J.coef_at[blocks];
    size_t *place = calloc(p->n + 1, sizeof *place);
    entry *row = calloc(p->n + 1, sizeof *row);
    dls_status status = DLS_OK;
    *reordered = NULL;
    if (!place || !row)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for the order of %zu rows", p->n);
    else if (!find_places(p->n, order, place))
        status = dls_fail(error, DLS_BAD_ARGUMENT, "an order has each of the %zu rows once", p->n);
    if (status == DLS_OK)
        status = dls_problem_allocate(p->n, p->nv, matrix ? coefs : blocks, coefs, p->mass.n_blocks, reordered, error);
    if (status == DLS_OK) {
        copy_problem(p, order, place, row, *reordered);
        status = dls_problem_copy_rows(p, order, *reordered, error);
    }
    free(place);
    free(row);
    if (status != DLS_OK) {
        dls_problem_destroy(*reordered);
        *reordered = NULL;
    }
    return status;
}
