/* Differences of traced numbers from their motion. Angles are compared up to full turns. A rate jumps in an event, and
 * one that jumps a little earlier or later differs by the whole jump for a short time; so its difference is a mean over
 * time. */
#include "trajectories/parts.h"

#include <math.h>

const char *const dls_traced_kinds[DLS_TRACED_KINDS] = {"length", "angle"};

dls_traced_kind dls_traced_kind_of(const dls_planar_example *example, size_t i)
{
    const dls_traced_axis axis = example->traced[i].axis;
    return axis == DLS_ABOUT_Z || axis == DLS_ANGLE_Y ? DLS_TRACED_ANGLE : DLS_TRACED_LENGTH;
}

/* The mean of |x - y| by the trapezoidal rule. */
static double mean_difference(const dls_traced_motion *m, const double *times, const double *rate, size_t i)
{
    double sum = 0.0, from = (double)NAN, to = (double)NAN, last = (double)NAN;
    for (size_t k = 0; k < m->reached; k++) {
        const double next = fabs(rate[k * m->n + i] - m->rate[k * m->n + i]);
        if (isfinite(next) && isfinite(last))
            sum += 0.5 * (next + last) * (times[k] - to);
        if (isfinite(next))
            from = isfinite(from) ? from : times[k], to = times[k];
        last = next;
    }
    return sum / (to - from);
}

void dls_traced_compare(const dls_planar_example *example, const dls_traced_motion *motion, const double *times,
                        const double *value, const double *rate, dls_traced_difference of[DLS_TRACED_KINDS])
{
    for (int kind = 0; kind < DLS_TRACED_KINDS; kind++)
        of[kind] = (dls_traced_difference){.most = (double)NAN, .at = (double)NAN, .rate = (double)NAN};
    for (size_t i = 0; i < motion->n; i++) {
        const dls_traced_kind kind = dls_traced_kind_of(example, i);
        of[kind].rate = fmax(of[kind].rate, mean_difference(motion, times, rate, i));
        for (size_t k = 0; k < motion->reached; k++) {
            double off = value[k * motion->n + i] - motion->value[k * motion->n + i];
            off = fabs(kind == DLS_TRACED_ANGLE ? remainder(off, 2.0 * M_PI) : off);
            if (isfinite(off) && !(off <= of[kind].most))
                of[kind].most = off, of[kind].at = times[k], of[kind].of = i;
        }
    }
}
