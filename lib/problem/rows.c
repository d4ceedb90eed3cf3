/* Sparse rows in blocks of adjacent columns. */
#include "delassus/rows.h"

#include <stdlib.h>
#include <string.h>

double dls_rows_dot(const dls_rows *rows, size_t i, const double *x)
{
    double sum = 0.0;
    for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
        const double *a = rows->coef + rows->coef_at[k], *xk = x + rows->offset[k];
        size_t length = rows->coef_at[k + 1] - rows->coef_at[k];
        if (length == 6) /* a body, nearly always */
            sum =
                (((((sum + a[0] * xk[0]) + a[1] * xk[1]) + a[2] * xk[2]) + a[3] * xk[3]) + a[4] * xk[4]) + a[5] * xk[5];
        for (size_t j = 0; length != 6 && j < length; j++)
            sum += a[j] * xk[j];
    }
    return sum;
}

void dls_rows_axpy(const dls_rows *rows, size_t i, double s, double *y)
{
    for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
        const double *a = rows->coef + rows->coef_at[k];
        double *yk = y + rows->offset[k];
        size_t length = rows->coef_at[k + 1] - rows->coef_at[k];
        for (size_t j = 0; j < 6 && length == 6; j++) /* a body, nearly always */
            yk[j] += s * a[j];
        for (size_t j = 0; length != 6 && j < length; j++)
            yk[j] += s * a[j];
    }
}

double dls_rows_response(const dls_rows *rows, const dls_mass *mass, size_t i, double *B, double *scratch)
{
    const size_t first = rows->start[i], end = rows->start[i + 1];
    for (size_t k = first; k < end; k++) {
        const dls_mass_block *block = &mass->blocks[rows->mass[k]];
        memset(scratch + block->offset, 0, block->length * sizeof *scratch);
    }
    dls_rows_axpy(rows, i, 1.0, scratch);
    for (size_t k = first; k < end; k++) {
        const dls_mass_block *block = &mass->blocks[rows->mass[k]];
        if (k == first || rows->mass[k] != rows->mass[k - 1])
            block->kind->solve(block->data, scratch + block->offset, B + block->offset);
    }
    return dls_rows_dot(rows, i, B);
}

void dls_rows_add_response(const dls_rows *rows, const dls_mass *mass, size_t i, double s, const double *B, double *y)
{
    for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
        const dls_mass_block *block = &mass->blocks[rows->mass[k]];
        const bool again = k > rows->start[i] && rows->mass[k] == rows->mass[k - 1];
        for (size_t j = block->offset; j < block->offset + block->length && !again; j++)
            y[j] += s * B[j];
    }
}

dls_status dls_rows_by_block_create(const dls_rows *rows, size_t n_blocks, dls_rows_by_block **by, dls_error *error)
{
    dls_rows_by_block *b = *by = calloc(1, sizeof *b + (n_blocks + 2 + 2 * rows->n_blocks) * sizeof *b->start);
    if (!b)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the columns of %zu rows", rows->n);
    b->n_blocks = n_blocks;
    b->start = (size_t *)(b + 1);
    b->row = b->start + n_blocks + 2;
    b->part = b->row + rows->n_blocks;
    size_t *next = b->start + 1; /* the place of the next entry of each block; afterwards the start of the next block */
    for (size_t k = 0; k < rows->n_blocks; k++)
        b->start[rows->mass[k] + 2]++;
    for (size_t m = 0; m < n_blocks; m++)
        next[m + 1] += next[m];
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
            const size_t at = next[rows->mass[k]]++;
            b->row[at] = i;
            b->part[at] = k;
        }
    return DLS_OK;
}
