/* track_parts.h - settings and functions that the two files of the track joint share. */
#ifndef DELASSUS_JOINTS_TRACK_PARTS_H
#define DELASSUS_JOINTS_TRACK_PARTS_H

#include "delassus/track.h"
#include "parts.h"

typedef enum dls_track_support { DLS_TRACK_ONE_SIDED, DLS_TRACK_TWO_SIDED, DLS_TRACK_UNSUPPORTED } dls_track_support;
typedef enum dls_track_angle { DLS_TRACK_HALF, DLS_TRACK_PRINTED, DLS_TRACK_VECTOR } dls_track_angle;
typedef enum dls_track_update { DLS_TRACK_BEFORE, DLS_TRACK_AFTER, DLS_TRACK_NEAREST } dls_track_update;
typedef enum dls_track_ends { DLS_TRACK_STOP, DLS_TRACK_LEAVE } dls_track_ends;

/* The numbers that a track joint keeps, by their index. */
enum { DLS_TRACK_S, DLS_TRACK_CLOCK, DLS_TRACK_RELEASED, DLS_TRACK_RELEASED_AT, DLS_TRACK_NUMBERS };

typedef struct dls_track_joint_settings {
    dls_reference track;
    dls_vec3 anchor;
    dls_quat orientation;
    double s, tolerance;
    bool snap;
    bool lateral, turns[3]; /* roll, pitch, yaw */
    int support, angle, update, ends;
    double speed, motor_min, motor_max;
    double lateral_force, support_force, torque[3], stop_force, derail, least_slope;
    double lateral_min, support_min, torque_min[3]; /* NaN: minus the greatest */
} dls_track_joint_settings;

/* A body on its track, world frame. */
typedef struct dls_track_where {
    dls_curve_point at; /* wF(s); beyond an open end straight on: c = cb = t = 0 */
    dls_vec3 d;         /* anchor - P */
    dls_vec3 arm[2];    /* from the centres of mass to the anchor and to P */
} dls_track_where;
dls_track_where dls_track_where_at(const dls_joint *joint, const dls_end end[2], double s);

/* k = 1 - d . (Omega x T), by which an advance of s is divided, at least `least_slope` (track.c). */
double dls_track_slope(const dls_joint *joint, const dls_track_where *w);
/* J of ds/dt, as update() lets s follow the bodies. */
dls_row dls_track_travel(const dls_joint *joint, const dls_end end[2]);
bool dls_track_has_stop(const dls_joint *joint);
size_t dls_track_count(const dls_joint *joint);
void dls_track_rows(const dls_joint *joint, const dls_end end[2], double h, dls_row *rows);
void dls_track_position(const dls_joint *joint, const dls_end end[2], double *C);

#endif
