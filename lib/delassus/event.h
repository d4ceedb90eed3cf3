/* event.h - events of a mechanism between steps: joints break, and islands fall asleep and wake.
 */
#ifndef DELASSUS_EVENT_H
#define DELASSUS_EVENT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of events: X(NAME, word in tables, description). */
#define DLS_EVENTS_LIST(X)                                                               \
    X(BREAK, "break", "a joint broke")                                                   \
    X(LOST, "lost", "a joint ended because it acts on the coordinate of a broken joint") \
    X(SLEEP, "sleep", "a body or an articulation fell asleep, with its island")          \
    X(WAKE, "wake", "a body or an articulation woke, with its island")

/* Causes of events: X(NAME, word in tables, description and the value of the event). */
#define DLS_CAUSES_LIST(X)                                                                                  \
    X(CALL, "call", "a call of the program")                                                                \
    X(FORCE, "force", "the force that the joint transmitted; value: this force [N]")                        \
    X(TORQUE, "torque", "the torque that the joint transmitted about its anchor; value: this torque [N m]") \
    X(JOINT, "joint", "another joint that broke")                                                           \
    X(REST, "rest", "it was at rest; value: its kinetic energy per unit of mass [m^2/s^2]")                 \
    X(TOUCH, "touch", "an awake body or link touched it")                                                   \
    X(LOAD, "load", "the program changed the force applied to it")                                          \
    X(STATE, "state", "the program changed its position, its velocity or the numbers of its joints")        \
    X(TARGET, "target", "the setpoint of a drive changed")                                                  \
    X(CHANGE, "change", "a part or joint of its island, or a touching part, was removed or added")          \
    X(CARRIER, "carrier", "a kinematic body that it touches or is joined to moves")

typedef enum dls_event_kind {
#define DLS_EVENT_ENUM(name, text, help) DLS_EVENT_##name,
    DLS_EVENTS_LIST(DLS_EVENT_ENUM)
#undef DLS_EVENT_ENUM
        DLS_EVENT_KINDS
} dls_event_kind;
extern const char *const dls_event_names[]; /* NULL at the end */

typedef enum dls_cause {
#define DLS_CAUSE_ENUM(name, text, help) DLS_CAUSE_##name,
    DLS_CAUSES_LIST(DLS_CAUSE_ENUM)
#undef DLS_CAUSE_ENUM
        DLS_CAUSES
} dls_cause;
extern const char *const dls_cause_names[]; /* NULL at the end */

typedef struct dls_event {
    dls_event_kind kind;
    dls_cause cause;
    size_t subject;   /* the joint, body or articulation */
    double time;      /* [s] */
    double value;     /* see the cause; NaN: none */
    double threshold; /* exceeded by the value; NaN: none */
} dls_event;

#ifdef __cplusplus
}
#endif

#endif
