/* spline.h - the data of a spline, and its frames. Not installed. */
#ifndef DELASSUS_CURVE_SPLINE_H
#define DELASSUS_CURVE_SPLINE_H

#include "cubic.h"
#include "parts.h"

typedef enum dls_spline_frame { DLS_SPLINE_FRENET, DLS_SPLINE_BISHOP, DLS_SPLINE_UP } dls_spline_frame;

/* The frame on a segment, unless the frame is `bishop`. */
typedef struct dls_spline_rule {
    bool plane; /* B is as close to n as T allows; else the Frenet frame */
    dls_vec3 n;
    double cosine, sine; /* of the turn about T */
} dls_spline_rule;

/* The rotation-minimising frame from one station to the next. */
typedef struct dls_spline_transport {
    dls_vec3 T, N;
    double turn, rate; /* phi and dphi/ds at its end */
} dls_spline_transport;

typedef struct dls_spline {
    size_t n;
    dls_cubic_path *paths;  /* [n] */
    dls_spline_rule *rules; /* [n] */
    dls_cubic_station *stations;
    dls_spline_transport *transports; /* one for each station; NULL: the rules are used */
} dls_spline;

/* Determines the frames of all segments. After dls_cubic_tabulate. flat [m]; normal: direction of N at s = 0, NaN:
 * none. */
dls_status dls_spline_frames(dls_spline *data, dls_spline_frame frame, dls_vec3 up, dls_vec3 normal, double flat,
                             dls_arena *memory, dls_error *error);
/* The point of segment i at the arc length r from its start. */
void dls_spline_at(const dls_spline *data, size_t i, double r, dls_curve_point *point);
/* The largest curvature at a station [1/m]. */
double dls_spline_curvature(const dls_spline *data);

#endif
