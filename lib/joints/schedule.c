/* Schedules: functions of time with their derivatives.
 *
 *     sine     y = amplitude sin(2 pi t / period + phase),  y' = (2 pi / period) amplitude cos(..)
 *     table    piecewise linear through the points; at a point y' is the slope of the next interval
 *     spline   the natural cubic spline through the points (lib/curve/cubic.c): y and y' are continuous between them
 * Before the first point and after the last one y is constant, and y' = 0.
 */
#include "schedule.h"

#include "curve/cubic.h"

const char *const dls_schedule_names[] = {"none", "sine", "table", "spline", NULL};

/* Coefficients of each interval, y = k0 + k1 u + k2 u^2 + k3 u^3 from its start. */
typedef struct course {
    double (*target)[4], (*force)[4]; /* force NULL: none */
} course;

static bool all_finite(const dls_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (!isfinite(list->reals[i]))
            return false;
    return true;
}

static dls_status check_points(const dls_schedule *s, dls_error *error)
{
    const size_t least = s->kind == DLS_SCHEDULE_SPLINE ? 3 : 2;
    if (s->times.count < least)
        return dls_joint_refuse(error, "times",
                                least == 3 ? "a spline needs three times or more" : "a table needs two times or more");
    if (s->targets.count != s->times.count)
        return dls_joint_refuse(error, "targets", "needs as many values as there are times");
    if (s->forces.count > 0 && s->forces.count != s->times.count)
        return dls_joint_refuse(error, "forces", "needs as many values as there are times, or none");
    if (!all_finite(&s->times) || !all_finite(&s->targets) || !all_finite(&s->forces))
        return dls_joint_refuse(error, all_finite(&s->times) ? all_finite(&s->targets) ? "forces" : "targets" : "times",
                                "must be finite");
    for (size_t i = 1; i < s->times.count; i++)
        if (!(s->times.reals[i] > s->times.reals[i - 1]))
            return dls_joint_refuse(error, "times", "must increase from one to the next");
    return DLS_OK;
}

/* The settings of another kind have no meaning here, and would be ignored. */
static dls_status schedule_check(const dls_schedule *s, dls_error *error)
{
    const bool points = s->kind == DLS_SCHEDULE_TABLE || s->kind == DLS_SCHEDULE_SPLINE;
    if (s->kind != DLS_SCHEDULE_SINE && (!isnan(s->amplitude) || !isnan(s->period) || s->phase != 0.0))
        return dls_joint_refuse(error,
                                !isnan(s->amplitude) ? "amplitude"
                                : !isnan(s->period)  ? "period"
                                                     : "phase",
                                "is of a sine; write schedule: sine");
    if (!points && (s->times.count || s->targets.count || s->forces.count))
        return dls_joint_refuse(error,
                                s->times.count     ? "times"
                                : s->targets.count ? "targets"
                                                   : "forces",
                                "is of a table or a spline; write schedule: table, or schedule: spline");
    if (s->kind == DLS_SCHEDULE_SINE && !(isfinite(s->amplitude) && isfinite(s->period) && isfinite(s->phase)))
        return dls_joint_refuse(error, isfinite(s->amplitude) ? isfinite(s->period) ? "phase" : "period" : "amplitude",
                                "a sine needs a finite amplitude, period and phase");
    return points ? check_points(s, error) : DLS_OK;
}

dls_status dls_schedule_prepare(const dls_schedule *s, dls_arena *memory, const void **data, dls_error *error)
{
    DLS_TRY(schedule_check(s, error));
    if (s->times.count == 0)
        return DLS_OK;
    const dls_cubic_kind fit = s->kind == DLS_SCHEDULE_SPLINE ? DLS_CUBIC_NATURAL : DLS_CUBIC_LINEAR;
    course *made = DLS_TAKE_ZEROS(memory, course, 1);
    double(*k)[4] = dls_arena_take(memory, 2 * s->times.count, sizeof *k);
    if (!made || !k)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a schedule of %zu times", s->times.count);
    made->target = k;
    DLS_TRY(dls_cubic_fit(fit, s->times.count, s->times.reals, s->targets.reals, made->target, memory, error));
    if (s->forces.count > 0) {
        made->force = k + s->times.count;
        DLS_TRY(dls_cubic_fit(fit, s->times.count, s->times.reals, s->forces.reals, made->force, memory, error));
    }
    *data = made;
    return DLS_OK;
}

static double cubic_value(const double k[4], double u) { return k[0] + u * (k[1] + u * (k[2] + u * k[3])); }
static double cubic_slope(const double k[4], double u) { return k[1] + u * (2.0 * k[2] + u * 3.0 * k[3]); }

/* The interval that holds a time, by bisection. */
static size_t interval_at(const dls_list *times, double time)
{
    size_t i = 0, after = times->count - 1;
    while (after - i > 1) {
        const size_t middle = i + (after - i) / 2;
        *(times->reals[middle] > time ? &after : &i) = middle;
    }
    return i;
}

void dls_schedule_add(const dls_schedule *s, const void *data, double time, dls_setpoint *to)
{
    const course *points = data;
    if (s->kind == DLS_SCHEDULE_SINE) {
        const double rate = 2.0 * DLS_PI / s->period, angle = rate * time + s->phase;
        to->target += s->amplitude * sin(angle);
        to->speed += s->amplitude * rate * cos(angle);
    }
    if (!points)
        return;
    const size_t last = s->times.count - 1;
    const bool before = time < s->times.reals[0], after = time >= s->times.reals[last];
    const size_t i = interval_at(&s->times, time);
    const double u = time - s->times.reals[i];
    to->target += before ? s->targets.reals[0] : after ? s->targets.reals[last] : cubic_value(points->target[i], u);
    to->speed += before || after ? 0.0 : cubic_slope(points->target[i], u);
    if (points->force)
        to->force += before ? s->forces.reals[0] : after ? s->forces.reals[last] : cubic_value(points->force[i], u);
}

double dls_schedule_kink(const dls_schedule *s, double time)
{
    const bool points = s->kind == DLS_SCHEDULE_TABLE || s->kind == DLS_SCHEDULE_SPLINE;
    for (size_t i = 0; points && i < s->times.count; i++)
        if (s->times.reals[i] > time)
            return s->times.reals[i];
    return HUGE_VAL;
}
