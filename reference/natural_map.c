#include "natural_map.h"

#include <float.h>
#include <math.h>

/* The middle one of three: the difference lambda - w would lose a w far below lambda. */
double dls_natural_map(const dls_dense *d, size_t i, double lambda, double w)
{
    double below = lambda - d->lo[i], above = lambda - d->hi[i], low = below < w ? below : w;
    return isnan(lambda) || isnan(w) ? NAN : low < above ? above : low;
}

double dls_row_rounding(const dls_dense *d, size_t i, const double *lambda)
{
    double sum = fabs(d->b[i]);
    for (size_t j = 0; j < d->n; j++)
        sum += fabs(d->A[i + d->n * j] * lambda[j]);
    return (double)(d->n + 3) * DBL_EPSILON * sum;
}

double dls_natural_residual(const dls_dense *d, const double *lambda, const double *w)
{
    double worst = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        double r = fabs(dls_natural_map(d, i, lambda[i], w[i]));
        worst = r > worst || isnan(r) ? r : worst;
        if (isnan(worst))
            return NAN;
    }
    return worst;
}

bool dls_natural_zero(const dls_dense *d, const double *lambda, const double *w, double allowed)
{
    for (size_t i = 0; i < d->n; i++) {
        double r = fabs(dls_natural_map(d, i, lambda[i], w[i]));
        if (!(r <= allowed) && !(r <= dls_row_rounding(d, i, lambda) && isfinite(r)))
            return false;
    }
    return true;
}
