#include "study/study.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

double dls_fit_slope(const double *x, const double *y, size_t count)
{
    double start, slope, cov[3], sum;
    gsl_fit_linear(x, 1, y, 1, count, &start, &slope, &cov[0], &cov[1], &cov[2], &sum);
    return slope;
}

double dls_fit_order(const double *step, const double *error, size_t count)
{
    double x[DLS_LIST_MAX], y[DLS_LIST_MAX];
    for (size_t i = 0; i < count; i++) {
        if (!(error[i] > 0.0) || !isfinite(error[i]))
            return NAN;
        x[i] = log(step[i]), y[i] = log(error[i]);
    }
    return count < 3 ? NAN : dls_fit_slope(x, y, count);
}

size_t dls_ladder_count(double low, double high, double factor)
{
    size_t count = 0;
    for (double x = low; x <= 1.001 * high; x *= factor)
        count++;
    return count;
}

double dls_ladder(double low, double factor, size_t k)
{
    while (k-- > 0)
        low *= factor;
    return low;
}

dls_spread dls_spread_of(double *x, size_t count)
{
    gsl_sort(x, 1, count);
    return (dls_spread){x[0], x[(count - 1) / 2], x[count - 1]};
}

size_t dls_step_count(double duration, double h) { return (size_t)ceil(duration / h - 1e-9); }

dls_status dls_bisect(dls_probe probe, void *context, double *low, double *high, double width, dls_error *error)
{
    bool at_low, at_high, happens;
    DLS_TRY(probe(context, *low, &at_low, error));
    DLS_TRY(probe(context, *high, &at_high, error));
    if (at_low || !at_high)
        return dls_fail(error, DLS_REFUSED, "the same is found at %g and at %g: no threshold to bisect", *low, *high);
    while (*high - *low > width) {
        double middle = *low + 0.5 * (*high - *low);
        if (middle <= *low || middle >= *high)
            break;
        DLS_TRY(probe(context, middle, &happens, error));
        *(happens ? high : low) = middle;
    }
    return DLS_OK;
}

double dls_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
