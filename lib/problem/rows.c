/* Sparse rows in blocks of adjacent columns. */
#include "delassus/rows.h"

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
