#include "first_order.h"

dls_status dls_first_order_steps(const dls_kit *kit, double *s, dls_error *error)
{
    dls_kit_steps(kit, s);
    for (size_t i = 0; i < kit->problem->n; i++)
        if (s[dls_kit_place(kit, i)] < 0.0)
            return dls_fail(error, DLS_REFUSED, "row %zu has a negative diagonal; A must be positive semidefinite", i);
    return DLS_OK;
}

double dls_first_order_dot(const dls_kit *kit, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t k = 0; k < kit->size; k++)
        sum += x[k] * y[k];
    return sum;
}

double dls_first_order_square(const dls_kit *kit, const double *s, const double *x)
{
    double sum = 0.0;
    for (size_t k = 0; k < kit->size; k++)
        sum += s[k] > 0.0 ? x[k] * x[k] / s[k] : 0.0;
    return sum;
}

void dls_first_order_move(dls_kit *kit, double *to)
{
    for (size_t k = 0; k < kit->size; k++) {
        const double impulse = to[k];
        to[k] -= kit->lambda[k];
        kit->lambda[k] = impulse;
    }
    dls_kit_add(kit, to);
}
