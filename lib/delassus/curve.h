/* curve.h - curves in space with a frame at every point, for bodies that move along a rail.
 *
 * A curve is parametrised by its arc length s [m], 0 <= s <= length. A track is a curve together with a twist, which
 * turns the frame about the tangent.
 *
 *     dls_curve_def def;
 *     dls_curve_default(&def, "arc", error);
 *     dls_curve_set(&def, "radius", "12 m", error);
 *     dls_curve_set(&def, "angle", "90 deg", error);
 *     dls_curve_create(&def, &curve, error);
 *     dls_curve_def_release(&def);
 *     dls_curve_at(curve, s, &point);
 *
 * A curve does not change after it is created. Its evaluation is a pure function of (curve, s) that allocates nothing,
 * so many threads may evaluate one curve at once.
 *
 * THE FRAME. T is the unit tangent; N and B = T x N complete it to a right-handed orthonormal frame. How N and B are
 * turned about T is a free choice, so the derivatives of the frame have three coefficients (R. L. Bishop, "There is
 * more than one way to frame a curve", Amer. Math. Monthly 82 (1975)):
 *
 *     dT/ds =           c N + cb B
 *     dN/ds = -c  T         + t  B         c = dT/ds.N,   cb = dT/ds.B,   t = dN/ds.B
 *     dB/ds = -cb T - t N
 *
 * Each of the three derivatives is omega x (T, N or B) with omega = t T - cb N + c B [rad/m]: a body that moves along
 * the curve with the speed s' [m/s], fixed to the frame, has the angular velocity omega s'. This holds for any choice
 * of N. The Frenet frame is the case cb = 0 (track-joint, equation (1)); there t is the torsion, and N and B may both
 * have the opposite sign, with c < 0 and the same t.
 *
 * The point P, T and the curvature sqrt(c^2 + cb^2) belong to the curve. N, B, c, cb and t depend on the choice that
 * each type of curve makes:
 * - line, arc, clothoid: the frame is given at s = 0 and does not turn about T (t = 0). With bend = 0 it is the Frenet
 *   frame up to the sign: cb = 0, and c > 0 where the curve bends towards N.
 * - helix: the Frenet frame.
 * - spline: the Frenet frame up to the sign, the rotation-minimising frame (t = 0), or N horizontal
 *   (lib/curve/spline_frame.c).
 * - composite: the frames of the pieces, each turned about T by the constant angle that continues the frame before.
 */
#ifndef DELASSUS_CURVE_H
#define DELASSUS_CURVE_H

#include "delassus/field.h"
#include "delassus/math3.h"
#include "delassus/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_curve_point {
    dls_vec3 P;       /* [m] */
    dls_vec3 T, N, B; /* unit, right-handed */
    double c, cb;     /* components of the curvature along N and B [1/m] */
    double t;         /* rate at which N and B turn about T [rad/m]; in the Frenet frame the torsion */
} dls_curve_point;

/* Where an arc length s lies. For DLS_CURVE_BEFORE and DLS_CURVE_BEYOND the point at that end is returned, for
 * DLS_CURVE_NOWHERE one of NaN. */
typedef enum dls_curve_where {
    DLS_CURVE_ON,
    DLS_CURVE_BEFORE, /* s < 0 on an open curve */
    DLS_CURVE_BEYOND, /* s > length on an open curve */
    DLS_CURVE_NOWHERE /* s is not finite */
} dls_curve_where;

typedef struct dls_curve_type dls_curve_type;

/* The definition of a curve. It owns what it points to. */
typedef struct dls_curve_def {
    const dls_curve_type *type;
    dls_settings settings; /* as type->fields describes them */
    size_t n_points, cap_points;
    dls_vec3 *points; /* of a spline [m] */
    size_t n_pieces, cap_pieces;
    struct dls_curve_def *pieces; /* of a composite */
} dls_curve_def;

typedef struct dls_curve {
    const dls_curve_type *type;
    double length;            /* [m] */
    bool closed;              /* the end is the start: s is taken modulo the length */
    double c_max;             /* upper bound of the curvature [1/m] (for a spline: the largest of many samples) */
    void *data;               /* private to the type */
    struct dls_arena *memory; /* of the data, and of all that it points to */
} dls_curve;

/* A type of curve: one const descriptor in its own file of lib/curve, listed in lib/curve/curves.def. */
struct dls_curve_type {
    const char *name, *summary, *equation;
    dls_field_table fields;
    bool has_points, has_pieces;
    size_t size; /* of the data */
    /* Checks the definition; sets length, closed, c_max and what is in the data, which is zeroed. */
    dls_status (*make)(const dls_curve_def *def, dls_curve *curve, dls_error *error);
    void (*at)(const dls_curve *curve, double s, dls_curve_point *point); /* 0 <= s <= length */
    /* Points inside the curve where two formulas meet; NULL: none. seam() returns the s of seam k = 0, 1, ... */
    size_t (*seams)(const dls_curve *curve);
    double (*seam)(const dls_curve *curve, size_t k, dls_curve_point *before, dls_curve_point *after);
};
extern const dls_curve_type *const dls_curve_types[]; /* NULL at the end */
const dls_curve_type *dls_curve_type_find(const char *name);

/* --- definitions --- */

/* Makes *def a definition of the type of this name, with default settings. Release it with dls_curve_def_release, after
 * a failure, too. */
dls_status dls_curve_default(dls_curve_def *def, const char *type, dls_error *error);
/* Sets a field of the type from text, such as "12 m" or "90 deg". */
dls_status dls_curve_set(dls_curve_def *def, const char *key, const char *text, dls_error *error);
dls_status dls_curve_add_point(dls_curve_def *def, dls_vec3 point, dls_error *error);
/* Moves the piece into the definition of a composite. If it succeeds, *piece is empty afterwards. */
dls_status dls_curve_add_piece(dls_curve_def *def, dls_curve_def *piece, dls_error *error);
void dls_curve_def_release(dls_curve_def *def);

dls_status dls_curve_create(const dls_curve_def *def, dls_curve **curve, dls_error *error);
void dls_curve_destroy(dls_curve *curve); /* NULL is allowed */

/* --- along a curve --- */

/* The point at s; on a closed curve at s modulo the length. At a seam, that of the piece after it. */
dls_curve_where dls_curve_at(const dls_curve *curve, double s, dls_curve_point *point);
/* s modulo the length, in [0, length), on a closed curve; s itself on an open curve. */
double dls_curve_wrap(const dls_curve *curve, double s);
/* DLS_BAD_INPUT if s lies beyond an end of an open curve, DLS_NOT_FINITE if it is not finite; the message says how far.
 */
dls_status dls_curve_check(const dls_curve *curve, double s, dls_error *error);

/* The point with its frame turned about T by an angle, which is given by its cosine and sine and changes along the
 * curve at `rate` [rad/m]: N' = cosine N + sine B; c, cb and t' = t + rate belong to the turned frame. */
dls_curve_point dls_curve_turn(const dls_curve_point *point, double cosine, double sine, double rate);

/* The jumps at a point where two pieces meet: value after minus value before. */
typedef struct dls_curve_seam {
    double s;      /* [m] */
    double gap;    /* distance between the two ends [m] */
    double corner; /* angle between the tangents [rad] */
    double roll;   /* angle in (-pi, pi] by which N turns about T in addition to the smallest rotation of T [rad] */
    double c, cb;  /* both in the frame before [1/m] */
    double t;      /* [rad/m] */
} dls_curve_seam;
/* The number of seams, and seam k. The last seam of a closed curve is where it closes, at s = length. */
size_t dls_curve_seams(const dls_curve *curve);
dls_curve_seam dls_curve_seam_at(const dls_curve *curve, size_t k);

/* --- the nearest point --- */

typedef struct dls_curve_nearest {
    double s;              /* [m]; on a closed curve in [0, length) */
    double distance;       /* |p - P(s)| [m] */
    dls_curve_where where; /* DLS_CURVE_BEFORE or _BEYOND: an end of an open curve is nearest, and p lies beyond it */
    bool found;            /* the iteration converged; otherwise s is only the last iterate */
} dls_curve_nearest;
/* The local minimum of the distance that Newton's method finds from s, with (p - P(s)).T(s) = 0. The distance never
 * increases on the way. */
dls_curve_nearest dls_curve_nearest_to(const dls_curve *curve, dls_vec3 p, double s);
/* The point with the smallest distance; of several with the same distance, the one with the smallest s. */
dls_curve_nearest dls_curve_nearest_of_all(const dls_curve *curve, dls_vec3 p);

/* --- twist --- */

typedef struct dls_twist_type dls_twist_type;

/* A twist: the angle wt(s) [rad] by which the twisted frame wF is turned about T, from N towards B, relative to the
 * frame F of the curve. */
typedef struct dls_twist_def {
    const dls_twist_type *type;
    dls_settings settings; /* as type->fields describes them */
    size_t n_points, cap_points;
    double (*points)[2]; /* s [m], wt [rad] */
} dls_twist_def;

typedef struct dls_twist {
    const dls_twist_type *type;
    void *data;               /* private to the type */
    struct dls_arena *memory; /* of the data, and of all that it points to */
} dls_twist;

struct dls_twist_type {
    const char *name, *summary, *equation;
    dls_field_table fields;
    bool has_points;
    size_t size; /* of the data */
    /* Checks the definition, and fills the data, which is zeroed. */
    dls_status (*make)(const dls_twist_def *def, const dls_curve *curve, dls_twist *twist, dls_error *error);
    void (*at)(const dls_twist *twist, double s, double *wt, double *rate);
};
extern const dls_twist_type *const dls_twist_types[]; /* NULL at the end */
const dls_twist_type *dls_twist_type_find(const char *name);

dls_status dls_twist_default(dls_twist_def *def, const char *type, dls_error *error);
dls_status dls_twist_set(dls_twist_def *def, const char *key, const char *text, dls_error *error);
dls_status dls_twist_add_point(dls_twist_def *def, double s, double wt, dls_error *error);
void dls_twist_def_release(dls_twist_def *def);

/* A twist for this curve, which must be the one that it is evaluated with. */
dls_status dls_twist_create(const dls_twist_def *def, const dls_curve *curve, dls_twist **twist, dls_error *error);
void dls_twist_destroy(dls_twist *twist); /* NULL is allowed */
/* wt [rad] and its rate dwt/ds [rad/m] at an s in [0, length]. Both are 0 if twist is NULL. */
void dls_twist_at(const dls_twist *twist, double s, double *wt, double *rate);
/* The frame F(s) of the curve and the twisted frame wF(s), whose t is t(s) + dwt/ds; either may be NULL. */
dls_curve_where dls_track_at(const dls_curve *curve, const dls_twist *twist, double s, dls_curve_point *F,
                             dls_curve_point *wF);
/* The angle in (-pi, pi] by which wF jumps about T where a closed curve closes [rad]; 0 on an open curve. */
double dls_track_roll(const dls_curve *curve, const dls_twist *twist);

/* --- a track --- */

/* The definition of a track: a curve and its twist, with a name. */
typedef struct dls_track_def {
    char name[DLS_NAME_MAX];
    long line, column; /* where it is defined in its file; 0 if it was not read from a file */
    dls_curve_def curve;
    dls_twist_def twist; /* type NULL: no twist */
} dls_track_def;
void dls_track_def_release(dls_track_def *def);

typedef struct dls_track {
    char name[DLS_NAME_MAX];
    dls_curve *curve;
    dls_twist *twist; /* NULL: no twist */
} dls_track;
/* After a failure *track is empty. */
dls_status dls_track_create(const dls_track_def *def, dls_track *track, dls_error *error);
void dls_track_release(dls_track *track);

#ifdef __cplusplus
}
#endif

#endif
