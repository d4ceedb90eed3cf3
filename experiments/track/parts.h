/* parts.h - common parts of the experiment on tracks.
 */
#ifndef DLS_EXPERIMENTS_TRACK_PARTS_H
#define DLS_EXPERIMENTS_TRACK_PARTS_H

#include "study/rig.h"
#include "study/study.h"

typedef struct dls_track_settings {
    size_t iterations, substeps;
    double step, contact_step, seconds;
} dls_track_settings;

enum {
    DLS_TRACK_HISTORY,
    DLS_TRACK_SUMMARY,
    DLS_TRACK_ORDER,
    DLS_TRACK_ANGLE,
    DLS_TRACK_MOMENTUM,
    DLS_TRACK_CONTACT,
    DLS_TRACK_FLIGHT,
    DLS_TRACK_LATERAL,
    DLS_TRACK_RAILWAY
};

/* Direct steps: the certified solution is that of block pivoting. */
extern const dls_rig_plan dls_track_direct;

dls_status dls_track_order(dls_study *study, dls_error *error);    /* order.c */
dls_status dls_track_angles(dls_study *study, dls_error *error);   /* order.c */
dls_status dls_track_momentum(dls_study *study, dls_error *error); /* order.c */
dls_status dls_track_contact(dls_study *study, dls_error *error);
dls_status dls_track_flight(dls_study *study, dls_error *error); /* contact.c */
dls_status dls_track_lateral(dls_study *study, dls_error *error);
dls_status dls_track_railway(dls_study *study, dls_error *error); /* lateral.c */

#endif
