/* track.h - the position of a body on its track, and the forces between body and track. The joint type itself is in
 * lib/joints/track.c. */
#ifndef DELASSUS_TRACK_H
#define DELASSUS_TRACK_H

#include "delassus/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The position of a body on its track. */
typedef struct dls_track_ride {
    double s;              /* arc length [m]; on a closed track it keeps growing, lap after lap */
    double speed;          /* ds/dt [m/s] */
    dls_curve_point frame; /* the twisted frame wF(s) in the world; beyond an open end the track continues straight */
    dls_vec3 off;          /* components of (anchor - P) along T, N, B [m] */
    bool released;         /* whether the body has left the track at an open end; the joint then no longer acts on it */
    double released_at;    /* time since the start at which it left [s] */
} dls_track_ride;
/* The track of a joint of type track; NULL for joints of other types. */
const dls_track *dls_track_of(const dls_joint *joint);
/* For a joint of type track whose ends are `end`. */
dls_track_ride dls_track_ride_of(const dls_joint *joint, const dls_end end[2]);

/* Forces of the track joint number `joint` on body 1, averaged over a step of h [s], from the impulses `lambda` of all
 * rows: lateral along N, support along B, drive and stop along T of the twisted frame [N]; roll, pitch and yaw about T,
 * N and B [N m]. The force of a row that the joint does not have is 0. The track's curvature and torsion turn torques
 * into forces along T: while the body is on the rail, the total force along T is drive + stop - t roll + cb pitch - c
 * yaw. */
typedef struct dls_track_forces {
    double lateral, support, roll, pitch, yaw, drive, stop;
} dls_track_forces;
dls_track_forces dls_track_forces_of(const dls_model *model, size_t joint, const dls_row_list *rows,
                                     const double *lambda, double h);

#ifdef __cplusplus
}
#endif

#endif
