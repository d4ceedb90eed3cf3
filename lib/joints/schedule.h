/* schedule.h - numbers that follow the time: a sine, a table or a spline. Not installed. */
#ifndef DELASSUS_JOINTS_SCHEDULE_H
#define DELASSUS_JOINTS_SCHEDULE_H

#include "base/memory.h"
#include "delassus/joint.h"

typedef enum dls_schedule_kind {
    DLS_SCHEDULE_NONE,
    DLS_SCHEDULE_SINE,
    DLS_SCHEDULE_TABLE,
    DLS_SCHEDULE_SPLINE
} dls_schedule_kind;

/* The settings of a schedule; a member of a type's settings struct. */
typedef struct dls_schedule {
    int kind;
    double amplitude, period, phase; /* of a sine: amplitude sin(2 pi t / period + phase) */
    dls_list times, targets, forces; /* of a table or a spline; forces may be left out */
} dls_schedule;
extern const char *const dls_schedule_names[];
#define DLS_SCHEDULE_FIELD(key, unit, kind, type, member, fallback, min, open, choices, help)                       \
    {                                                                                                               \
        key, unit, DLS_FIELD_##kind, offsetof(type, member), fallback, min, (min) == 0 && !(open) ? 0.0 : HUGE_VAL, \
            open, choices, help                                                                                     \
    }
#define DLS_SCHEDULE_REAL(key, unit, kind, type, member, fallback, help) \
    DLS_SCHEDULE_FIELD(key, unit, kind, type, member, fallback, -HUGE_VAL, false, NULL, help)
#define DLS_SCHEDULE_FIELDS(type, member)                                                                             \
    DLS_SCHEDULE_FIELD("schedule", "", CHOICE, type, member.kind, "none", 0, false, dls_schedule_names,               \
                       "function of time that is added to target and speed: none, a sine, a table (piecewise "        \
                       "linear), or a natural cubic spline"),                                                         \
        DLS_SCHEDULE_REAL("amplitude", "", REAL, type, member.amplitude, "",                                          \
                          "amplitude of the sine, amplitude sin(2 pi t / period + phase) [rad, m]"),                  \
        DLS_SCHEDULE_FIELD("period", "s", REAL, type, member.period, "", 0, true, NULL, "period of the sine"),        \
        DLS_SCHEDULE_REAL("phase", "rad", REAL, type, member.phase, "0", "phase of the sine at t = 0"),               \
        DLS_SCHEDULE_REAL(                                                                                            \
            "times", "s", REALS, type, member.times, "",                                                              \
            "times of the table or spline, increasing; before the first and after the last the values are constant"), \
        DLS_SCHEDULE_REAL("targets", "", REALS, type, member.targets, "",                                             \
                          "positions of the table or spline at these times [rad, m]"),                                \
        DLS_SCHEDULE_REAL("forces", "", REALS, type, member.forces, "",                                               \
                          "forces of the table or spline at these times, added to feed; default: none [N, N m]")

/* Whether the settings are those of their kind, and the coefficients of a table or a spline, in `memory`. */
dls_status dls_schedule_prepare(const dls_schedule *schedule, dls_arena *memory, const void **data, dls_error *error);
/* Adds target, its rate and force at a time [s]. `data` is what prepare has made. */
void dls_schedule_add(const dls_schedule *schedule, const void *data, double time, dls_setpoint *to);
/* The first of the times of a table or spline after `time`; infinite: none. */
double dls_schedule_kink(const dls_schedule *schedule, double time);

#endif
