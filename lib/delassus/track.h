/* track.h - what a track joint says of its ride. The joint itself: lib/joints/track.c. */
#ifndef DELASSUS_TRACK_H
#define DELASSUS_TRACK_H

#include "delassus/rows.h"

/* Where a body is on its track. */
typedef struct dls_track_ride {
    double s;              /* arc length; on a closed track it counts on, round after round [m] */
    double speed;          /* ds/dt [m/s] */
    dls_curve_point frame; /* the twisted frame wF(s) in the world; straight on beyond an open end */
    dls_vec3 off;          /* anchor - P along T, N, B [m] */
    bool released;         /* it has left an open end, and the joint holds it no more */
    double released_at;    /* when, since the start [s] */
} dls_track_ride;
/* Of a joint of type track. */
dls_track_ride dls_track_ride_of(const dls_joint *joint, const dls_end end[2]);

/* Impulses (of all rows) of a track joint's rows over h: forces along N, B and T of wF and torques about T, N and B, on body 1. 0 of
 * rows that it does not have. While the body is on the rail the whole force along T is drive + stop - t roll + cb
 * pitch - c yaw. [N, N m] */
typedef struct dls_track_forces {
    double lateral, support, roll, pitch, yaw, drive, stop;
} dls_track_forces;
dls_track_forces dls_track_forces_of(const dls_row_list *rows, const double *lambda, double h, size_t joint);

#endif
