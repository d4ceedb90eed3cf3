#include "delassus/problem.h"

double dls_rows_dot(const dls_rows *rows, size_t i, const double *x)
{
    double sum = 0.0;
    for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
        const double *a = rows->coef + rows->coef_at[k], *xk = x + rows->offset[k];
        size_t length = rows->coef_at[k + 1] - rows->coef_at[k];
        for (size_t j = 0; j < length; j++)
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
        for (size_t j = 0; j < length; j++)
            yk[j] += s * a[j];
    }
}
