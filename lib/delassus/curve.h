/* curve.h - a curve in space, parametrised by its arc length s [m], with a frame that rides along: a track.
 *
 *     dls_curve_def def;
 *     dls_curve_default(&def, "arc", error);
 *     dls_curve_set(&def, "radius", "12 m", error);
 *     dls_curve_set(&def, "angle", "90 deg", error);
 *     dls_curve_create(&def, &curve, error);
 *     dls_curve_def_release(&def);
 *     dls_curve_at(curve, s, &point);
 *
 * A curve is const once made: evaluation is a pure function of (curve, s), keeps no state and takes no memory, and
 * many threads may do it at once.
 *
 * THE FRAME. T is the unit tangent; N and B = T x N are two unit vectors that make it a right-handed frame. Where
 * they point about T is a freedom of whoever builds the track, so the equations of such a frame have three
 * coefficients (R. L. Bishop, "There is more than one way to frame a curve", Amer. Math. Monthly 82 (1975)):
 *
 *     dT/ds =           c N + cb B
 *     dN/ds = -c  T         + t  B         c = dT/ds.N,   cb = dT/ds.B,   t = dN/ds.B
 *     dB/ds = -cb T - t N
 *
 * Each of the three derivatives is omega x (T, N or B) with omega = t T - cb N + c B, the turn of the frame per
 * metre. That is all that a joint needs: at the speed s' a body on the rail turns at t s' about T, at -cb s' about N
 * and at c s' about B, in whichever frame is returned.
 * track-joint eq. (1) is the case cb = 0: Frenet's frame, or Frenet's with N and B reversed, where c < 0 and t is the
 * same.
 * P, T and |dT/ds| = sqrt(c^2 + cb^2) belong to the curve; N, B, c, cb and t follow from the choice, each kind's own:
 * - line, arc, clothoid: the frame given at the start, carried along without turning about T (t = 0). With bend = 0
 *   that is Frenet's up to the sign: c > 0 where the curve bends towards N, cb = 0.
 * - helix: Frenet's.
 * - spline: Frenet's up to the sign, rotation-minimising (t = 0), or with N level (lib/curve/spline_frame.c). -
 * composite: the first piece's; each next piece's own, turned about T by the constant angle that continues the last.
 */
#ifndef DELASSUS_CURVE_H
#define DELASSUS_CURVE_H

#include "delassus/field.h"
#include "delassus/math3.h"
#include "delassus/status.h"

typedef struct dls_curve_point {
    dls_vec3 P;       /* [m] */
    dls_vec3 T, N, B; /* unit, right-handed */
    double c, cb;     /* curvature along N and along B [1/m] */
    double t;         /* how fast N and B turn about T [rad/m]: the torsion where the frame is Frenet's */
} dls_curve_point;

/* Where an s lies. DLS_CURVE_BEFORE and _BEYOND come with the point at that end, DLS_CURVE_NOWHERE with NaN. */
typedef enum dls_curve_where {
    DLS_CURVE_ON,
    DLS_CURVE_BEFORE, /* s < 0 on an open curve */
    DLS_CURVE_BEYOND, /* s > length on an open curve */
    DLS_CURVE_NOWHERE /* s is not finite */
} dls_curve_where;

typedef struct dls_curve_type dls_curve_type;

/* A definition, as written. Owns what it points to. */
typedef struct dls_curve_def {
    const dls_curve_type *type;
    void *settings; /* of type->fields.size bytes */
    size_t n_points, cap_points;
    dls_vec3 *points; /* of a spline */
    size_t n_pieces, cap_pieces;
    struct dls_curve_def *pieces; /* of a composite */
} dls_curve_def;

typedef struct dls_curve {
    const dls_curve_type *type;
    double length; /* [m] */
    bool closed;   /* s wraps around */
    double c_max;  /* [1/m] no part of the curve is bent more (of a spline: as far as it was sampled) */
    void *data;    /* the type's own */
} dls_curve;

/* One kind of curve: a file of lib/curve, listed in lib/curve/curves.def. */
struct dls_curve_type {
    const char *name, *summary, *equation;
    dls_field_table fields;
    bool has_points, has_pieces;
    /* Checks the definition; sets length, closed, c_max and data. What it took stands in data also where it fails. */
    dls_status (*make)(const dls_curve_def *def, dls_curve *curve, dls_error *error);
    void (*release)(dls_curve *curve);                                    /* frees data, which may be NULL */
    void (*at)(const dls_curve *curve, double s, dls_curve_point *point); /* 0 <= s <= length */
    /* Places within where two formulas meet; NULL: none. Seam k = 0, 1, ... lies at the s that is returned. */
    size_t (*seams)(const dls_curve *curve);
    double (*seam)(const dls_curve *curve, size_t k, dls_curve_point *before, dls_curve_point *after);
};
extern const dls_curve_type *const dls_curve_types[]; /* NULL at the end */
const dls_curve_type *dls_curve_type_find(const char *name);

/* --- definitions --- */

/* A definition with the kind's defaults; dls_curve_def_release frees what it owns. */
dls_status dls_curve_default(dls_curve_def *def, const char *type, dls_error *error);
dls_status dls_curve_set(dls_curve_def *def, const char *key, const char *text, dls_error *error);
dls_status dls_curve_add_point(dls_curve_def *def, dls_vec3 point, dls_error *error);
/* Takes the piece (on success): *piece is empty afterwards. */
dls_status dls_curve_add_piece(dls_curve_def *def, dls_curve_def *piece, dls_error *error);
void dls_curve_def_release(dls_curve_def *def);

dls_status dls_curve_create(const dls_curve_def *def, dls_curve **curve, dls_error *error);
void dls_curve_destroy(dls_curve *curve); /* NULL is allowed */

/* --- along a curve --- */

/* The point at s; on a closed curve at s modulo the length. At a seam: as just after it. */
dls_curve_where dls_curve_at(const dls_curve *curve, double s, dls_curve_point *point);
/* s modulo the length, in [0, length), on a closed curve; else s itself. */
double dls_curve_wrap(const dls_curve *curve, double s);
/* An error that says how far s is off an open curve's ends, or that it is not finite. */
dls_status dls_curve_check(const dls_curve *curve, double s, dls_error *error);

/* The same point, N and B turned about T by an angle given by its cosine and sine, which itself changes at `rate`
 * [rad/m] along the curve: N' = cos N + sin B; c, cb and t' = t + rate are those of the turned frame. */
dls_curve_point dls_curve_turn(const dls_curve_point *point, double cosine, double sine, double rate);

/* What jumps where two pieces meet: the value after less the value before. */
typedef struct dls_curve_seam {
    double s;      /* [m] */
    double gap;    /* distance of the two ends [m] */
    double corner; /* angle between the tangents [rad] */
    double roll;   /* [rad], in (-pi, pi], of N about T, beyond what the corner's own least rotation does */
    double c, cb;  /* [1/m], both in the frame before */
    double t;      /* [rad/m] */
} dls_curve_seam;
/* Seams of a curve, the closing one of a closed curve (at s = length) last. */
size_t dls_curve_seams(const dls_curve *curve);
dls_curve_seam dls_curve_seam_at(const dls_curve *curve, size_t k);

/* --- the nearest point --- */

typedef struct dls_curve_nearest {
    double s;              /* wrapped */
    double distance;       /* |p - P(s)| [m] */
    dls_curve_where where; /* DLS_CURVE_BEFORE, _BEYOND: the end of an open curve is nearest, and p lies past it */
    bool found;            /* the iteration came to rest; only then is s a nearest point */
} dls_curve_nearest;
/* The nearest point in the neighbourhood of s: (p - P(s)).T(s) = 0 by Newton's method, always downhill. */
dls_curve_nearest dls_curve_nearest_to(const dls_curve *curve, dls_vec3 p, double s);
/* The nearest point of all; of several equally near, the one of the smallest s. */
dls_curve_nearest dls_curve_nearest_of_all(const dls_curve *curve, dls_vec3 p);

/* --- twist --- */

typedef struct dls_twist_type dls_twist_type;

/* Angle wt(s) of the twisted frame wF about T, from N towards B [rad]. */
typedef struct dls_twist_def {
    const dls_twist_type *type;
    void *settings;
    size_t n_points, cap_points;
    double (*points)[2]; /* s [m], wt [rad] */
} dls_twist_def;

typedef struct dls_twist {
    const dls_twist_type *type;
    void *data;
} dls_twist;

struct dls_twist_type {
    const char *name, *summary, *equation;
    dls_field_table fields;
    bool has_points;
    dls_status (*make)(const dls_twist_def *def, const dls_curve *curve, dls_twist *twist, dls_error *error);
    void (*release)(dls_twist *twist);
    void (*at)(const dls_twist *twist, double s, double *wt, double *rate);
};
extern const dls_twist_type *const dls_twist_types[]; /* NULL at the end */
const dls_twist_type *dls_twist_type_find(const char *name);

dls_status dls_twist_default(dls_twist_def *def, const char *type, dls_error *error);
dls_status dls_twist_set(dls_twist_def *def, const char *key, const char *text, dls_error *error);
dls_status dls_twist_add_point(dls_twist_def *def, double s, double wt, dls_error *error);
void dls_twist_def_release(dls_twist_def *def);

/* The twist of that curve. */
dls_status dls_twist_create(const dls_twist_def *def, const dls_curve *curve, dls_twist **twist, dls_error *error);
void dls_twist_destroy(dls_twist *twist); /* NULL is allowed */
/* wt [rad] and dwt/ds [rad/m] at an s in [0, length]. A NULL twist is 0. */
void dls_twist_at(const dls_twist *twist, double s, double *wt, double *rate);
/* F(s) and wF(s) together; either may be NULL. wF->t is t(s) + dwt/ds. */
dls_curve_where dls_track_at(const dls_curve *curve, const dls_twist *twist, double s, dls_curve_point *F,
                             dls_curve_point *wF);
/* How far wF turns about T where a closed curve closes, beyond whole turns [rad], in (-pi, pi]; 0 on an open curve. */
double dls_track_roll(const dls_curve *curve, const dls_twist *twist);

/* --- a track --- */

/* A curve with its twist, by name. */
typedef struct dls_track_def {
    char name[DLS_NAME_MAX];
    long line, column; /* where it stands in its file; 0 where a program made it */
    dls_curve_def curve;
    dls_twist_def twist; /* without a type: none */
} dls_track_def;
void dls_track_def_release(dls_track_def *def);

typedef struct dls_track {
    char name[DLS_NAME_MAX];
    dls_curve *curve;
    dls_twist *twist; /* NULL: none */
} dls_track;
dls_status dls_track_create(const dls_track_def *def, dls_track *track,
                            dls_error *error); /* on failure *track is empty */
void dls_track_release(dls_track *track);

#endif
