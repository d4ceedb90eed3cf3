/* parts.h - parts that several types of curve share. Not installed. */
#ifndef DELASSUS_CURVE_PARTS_H
#define DELASSUS_CURVE_PARTS_H

#include "base/memory.h"
#include "delassus/curve.h"

/* A curve whose data are taken from `memory`. */
dls_status dls_curve_make(const dls_curve_def *def, dls_arena *memory, dls_curve *curve, dls_error *error);

/* --- the pose at s = 0 and the plane of the bend --- */

typedef struct dls_curve_start {
    dls_vec3 start, tangent, normal;
} dls_curve_start;
#define DLS_CURVE_START(type, member)                                                                               \
    {"start", "m", DLS_FIELD_VEC3, offsetof(type, member.start), "[0, 0, 0]", 0, 0, false, NULL, "point at s = 0"}, \
        {"tangent", "",    DLS_FIELD_VEC3, offsetof(type, member.tangent), "[1, 0, 0]", 0,                          \
         0,         false, NULL,           "direction of T at s = 0"},                                              \
    {                                                                                                               \
        "normal", "", DLS_FIELD_VEC3, offsetof(type, member.normal), "[0, 1, 0]", 0, 0, false, NULL,                \
            "direction of N at s = 0; its component along T is ignored"                                             \
    }

/* P, T, N, B of the start; c, cb and t are 0. An error of the tangent is reported under `key`. */
dls_status dls_curve_place_start(const dls_curve_start *start, const char *key, dls_curve_point *frame,
                                 dls_error *error);

/* A curve in a plane through T and E, where E is the direction to which it bends at s = 0, and G = T x E. Its frame has
 * N = cosine E(s) - sine G, which at s = 0 is the given N. */
typedef struct dls_curve_plane {
    dls_vec3 P, T, E, G;
    double cosine, sine;
} dls_curve_plane;
dls_status dls_curve_plane_of(const dls_curve_start *start, double bend, dls_curve_plane *plane, dls_error *error);
/* The point P + x T + y E, where the tangent is turned by theta from T towards E and the signed curvature is k. */
void dls_curve_plane_at(const dls_curve_plane *plane, double x, double y, double theta, double k,
                        dls_curve_point *point);

/* --- frames --- */

/* The image of a vector v, normal to the unit vector a, under the smallest rotation of a to the unit vector b != -a. */
dls_vec3 dls_curve_carry(dls_vec3 v, dls_vec3 a, dls_vec3 b);
/* Cosine and sine of the angle about to->T from to->N to the image of from->N under the smallest rotation of from->T to
 * to->T. */
void dls_curve_continue(const dls_curve_point *from, const dls_curve_point *to, double *cosine, double *sine);
/* Makes T, N, B, which are nearly orthonormal, orthonormal to rounding. */
void dls_curve_straighten(dls_curve_point *point);

/* The i < n for which begin[i] <= s < begin[i + 1], where begin[i] is the double at `begin` + i stride bytes; the first
 * or last one if s is outside. */
static inline size_t dls_curve_piece(const void *begin, size_t stride, size_t n, double s)
{
    size_t low = 0, high = n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (*(const double *)((const char *)begin + middle * stride) <= s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* --- quadrature --- */

/* Gauss-Legendre with 8 points: integral over [a, b] = (b - a)/2 sum w_i f((a + b)/2 +- (b - a)/2 x_i), i = 0..3. */
extern const double dls_curve_gauss_x[4], dls_curve_gauss_w[4];

#endif
