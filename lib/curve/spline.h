/* spline.h - what a spline keeps, and its frames. Not installed. */
#ifndef DELASSUS_CURVE_SPLINE_H
#define DELASSUS_CURVE_SPLINE_H

#include "cubic.h"
#include "parts.h"

typedef enum dls_spline_frame { DLS_SPLINE_FRENET, DLS_SPLINE_BISHOP, DLS_SPLINE_UP } dls_spline_frame;

/* The frame on a segment, but for `bishop`. */
typedef struct dls_spline_rule {
    bool plane; /* B is as near to n as T allows; else Frenet's */
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
    dls_spline_transport *transports; /* one a station; NULL: the rules */
} dls_spline;

/* The frame of all segments, once the stations are there. `flat` [m]; a normal that is NaN is left out. */
dls_status dls_spline_frames(dls_spline *data, dls_spline_frame frame, dls_vec3 up, dls_vec3 normal, double flat,
                             dls_error *error);
/* The point of segment i at the arc length r from its start. */
void dls_spline_at(const dls_spline *data, size_t i, double r, dls_curve_point *point);
/* The largest |dT/ds| of all stations [1/m]. */
double dls_spline_curvature(const dls_spline *data);

#endif
