/* Cubic spline through points, C2: natural, or periodic where it is closed. Its parameter u runs by the chord from point to point;
 * stations.c gives u(s). With ' for d/du, v = |P'| and D = P' x P'':
 *
 *     T = P'/v,   dT/ds = D x P'/v^4,   |dT/ds| = |D|/v^3,   torsion = D.P'''/|D|^2
 *
 * FRENET'S FRAME. On a cubic P = p + a u + b u^2 + c u^3,  D/2 = a x b + 3 (a x c) u + 3 (b x c) u^2  and  D.P''' = 12 (a x b).c.
 * So there are two cases, and no third:
 * - (a x b).c is not 0: the three products are linearly independent, D has no zero, and Frenet's frame exists along all of it.
 * - (a x b).c = 0: the segment lies in a plane of unit normal n, D = d(u) n, and d may change its sign: an inflection, where
 *   Frenet's N flips. Here B = n all along, c = d/v^3 with its sign and t = 0: Frenet's frame up to the sign, and
 *   rotation-minimising at once. (A segment is plane to `flat` only: its frame is `up` below, with n upwards, which is exact.) The first and last segment of a natural spline are of this kind (b = 0, or P'' = 0 at the end).
 *   A straight segment is one too, and takes the B of the segment before for n.
 * A segment counts as plane (straight) where no point of it is further than `flat` of the curve's extent off a plane (a line).
 * Where two segments meet, P' and P'' and with them D are continuous; where D is not 0, so is B but for a sign. Each segment's frame
 * is turned about T by the constant angle that continues N: 0 or half a turn, and any other where D = 0 at the point (there the
 * plane of the curve jumps). c and cb are the components in the turned frame, t stays.
 * Torsion jumps at the points: P''' does. The seams report tells by how much.
 *
 * A FIXED DIRECTION (up). N = n x T/|n x T| is level where n points up, and B = T x N leans as little as T allows. The derivative
 * of N is (n x K)/|n x T| but for a part along N, K = dT/ds, so  c = K.N,  cb = K.B,  t = (n x K).B/|n x T|. It has no meaning
 * where the curve climbs straight up, and turns quickly nearby.
 *
 * ROTATION-MINIMISING FRAME (Bishop). Frenet's frame turns quickly where |D| is small but not 0: a track's frame should not.
 * Behind a station with the tangent T_0, N is carried by the least rotation from T_0 to T(s). How fast that turns about T: a vector
 * v along T_0 x T is normal to both and is its own image, and the formula of dls_part_carry gives its image the derivative
 * -(K.v)/(1 + T_0.T) (T_0 + T), whose part along T x v is
 *
 *     t0 = -(T_0 x T).K/(1 + T_0.T),   O(h^2)
 *
 * On top, N is turned by phi, a cubic in s with phi = dphi/ds = 0 at the station, dphi/ds = -t0 and phi = -integral t0 at the
 * next one. So t = t0 + dphi/ds is 0 at every station and on average in between, where it is O(h^3); whatever it is, it is what
 * the frame returned does, exactly. On a closed curve this frame comes back turned: the closing seam's roll, which a twist can undo. */
#include "cubic.h"
#include "parts.h"

#include <stdlib.h>

enum { FRENET, BISHOP, UP };

typedef struct spline {
    int frame;
    bool closed;
    dls_vec3 normal, up;
    double flat;
} spline;

/* The frame on a segment, but for `bishop`. */
typedef struct rule {
    bool plane;          /* B is as near to n as T allows; else Frenet's */
    dls_vec3 n;
    double cosine, sine; /* of the turn about T */
} rule;

/* The rotation-minimising frame from one station to the next. */
typedef struct transport {
    dls_vec3 T, N;
    double turn, rate; /* phi and dphi/ds at its end */
} transport;

typedef struct track {
    size_t n;
    dls_part_path *paths;       /* [n] */
    rule *rules;                /* [n] */
    dls_part_station *stations;
    transport *transports;      /* one a station; NULL: Frenet's frame */
} track;

static const char *const frames[] = {"frenet", "bishop", "up", NULL};

static const dls_field fields[] = {
    {"frame", "", DLS_FIELD_CHOICE, offsetof(spline, frame), "frenet", 0, 0, false, frames,
     "frenet: Frenet's with a sign, steady through inflections; bishop: rotation-minimising, t = 0; up: N level, B upwards"},
    {"closed", "", DLS_FIELD_BOOL, offsetof(spline, closed), "false", 0, 0, false, NULL, "the last point is joined to the first, which is not repeated"},
    {"normal", "", DLS_FIELD_VEC3, offsetof(spline, normal), "", 0, 0, false, NULL, "direction of N at s = 0; unset: towards the centre of curvature"},
    {"up", "", DLS_FIELD_VEC3, offsetof(spline, up), "[0, 0, 1]", 0, 0, false, NULL, "of frame up: which way is up"},
    {"flat", "", DLS_FIELD_REAL, offsetof(spline, flat), "1e-12", 0, 1, false, NULL,
     "a segment nearer to a plane or a line than this share of the curve's extent counts as plane or straight"},
};

/* What the spline is like at one place, before a frame is chosen. */
typedef struct place {
    dls_vec3 T, D, K; /* D = P' x P'', K = dT/ds */
    double v, volume; /* |P'|, D.P''' */
} place;

static place place_at(const dls_part_path *path, double u)
{
    place at;
    dls_vec3 P1, P2, P3;
    dls_part_path_at(path, u, &P1, &P2, &P3);
    at.v = dls_norm(P1);
    at.T = dls_scale(1.0 / at.v, P1);
    at.D = dls_cross(P1, P2);
    at.K = dls_scale(1.0 / (at.v * at.v * at.v), dls_cross(at.D, at.T));
    at.volume = dls_dot(at.D, P3);
    return at;
}

/* --- Frenet's frame, and one with a fixed direction ------------------------------------------------------------------------ */

static void frame_at(const rule *r, const place *at, dls_curve_point *point)
{
    dls_vec3 across = dls_cross(r->plane ? r->n : at->D, at->T);
    point->T = at->T;
    point->N = dls_unit(across);
    point->B = dls_unit(dls_cross(at->T, point->N));
    point->c = dls_dot(at->K, point->N);
    point->cb = r->plane ? dls_dot(at->K, point->B) : 0.0;
    point->t = r->plane ? dls_dot(dls_cross(r->n, at->K), point->B) / dls_norm(across) : at->volume / dls_dot(at->D, at->D);
    *point = dls_curve_turn(point, r->cosine, r->sine, 0.0);
}

static dls_curve_point frame_on(const track *data, size_t i, double u)
{
    dls_curve_point point = {.P = dls_part_path_point(&data->paths[i], u)};
    place at = place_at(&data->paths[i], u);
    frame_at(&data->rules[i], &at, &point);
    return point;
}

/* Whether all of a segment is within `flat` of the plane through its start with the unit normal n: the three coefficients'
 * heights bound the distance. */
static bool is_plane(const dls_part_path *path, dls_vec3 n, double flat)
{
    double u = path->end;
    return u * (fabs(dls_dot(path->a, n)) + u * (fabs(dls_dot(path->b, n)) + u * fabs(dls_dot(path->c, n)))) <= flat;
}

static bool is_straight(const dls_part_path *path, double flat)
{
    double u = path->end;
    dls_vec3 chord = dls_unit(dls_sub(dls_part_path_point(path, u), path->p));
    return u * u * (dls_norm(dls_cross(path->b, chord)) + u * dls_norm(dls_cross(path->c, chord))) <= flat;
}

/* The direction of D where it is largest of three places. */
static dls_vec3 clearest_binormal(const dls_part_path *path)
{
    dls_vec3 best = {0, 0, 0};
    for (int k = 0; k <= 2; k++) {
        dls_vec3 D = place_at(path, 0.5 * k * path->end).D;
        if (dls_norm(D) > dls_norm(best))
            best = D;
    }
    return dls_unit(best);
}

/* B at the start of the first segment that is not straight; of a straight curve any normal to it. */
static dls_vec3 first_binormal(const track *data, double flat)
{
    for (size_t i = 0; i < data->n; i++)
        if (!is_straight(&data->paths[i], flat)) {
            dls_vec3 B = clearest_binormal(&data->paths[i]);
            return is_plane(&data->paths[i], B, flat) ? B : dls_unit(place_at(&data->paths[i], 0.0).D);
        }
    dls_vec3 u1, u2;
    dls_tangents(place_at(&data->paths[0], 0.0).T, &u1, &u2);
    return u2;
}

static void find_rules(track *data, double flat)
{
    dls_vec3 B = first_binormal(data, flat);
    for (size_t i = 0; i < data->n; i++) {
        const dls_part_path *path = &data->paths[i];
        rule *r = &data->rules[i];
        dls_vec3 own = clearest_binormal(path), T = place_at(path, 0.0).T;
        bool straight = is_straight(path, flat);
        r->plane = straight || is_plane(path, own, flat);
        r->n = straight ? dls_unit(dls_sub(B, dls_scale(dls_dot(B, T), T))) : own;
        r->cosine = 1.0, r->sine = 0.0;
        if (i > 0) {
            dls_curve_point before = frame_on(data, i - 1, data->paths[i - 1].end), after = frame_on(data, i, 0.0);
            dls_part_continue(&before, &after, &r->cosine, &r->sine);
        }
        B = frame_on(data, i, path->end).B;
    }
}

/* An inflection at the very start leaves the sign of the first segment to chance: N then points to where the curve bends first. */
static void choose_sign(track *data, double flat)
{
    double end = data->paths[0].end;
    if (!data->rules[0].plane || is_straight(&data->paths[0], flat) || frame_on(data, 0, end * 1e-3).c >= 0.0)
        return;
    for (size_t i = 0; i < data->n; i++) {
        data->rules[i].cosine = -data->rules[i].cosine;
        data->rules[i].sine = -data->rules[i].sine;
    }
}

/* Turns the frame, all along, so that N starts in the direction given. */
static dls_status set_normal(track *data, dls_vec3 normal, dls_error *error)
{
    dls_curve_point start = frame_on(data, 0, 0.0);
    double c = dls_dot(normal, start.N), s = dls_dot(normal, start.B), r = hypot(c, s);
    if (!(r > 1e-8 * dls_norm(normal)) || !isfinite(r)) /* half the digits of its direction are lost */
        return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "normal", "[%g, %g, %g] points along the curve, or nowhere", normal.x, normal.y,
                           normal.z);
    for (size_t i = 0; i < data->n; i++) {
        rule *turn = &data->rules[i];
        double cosine = (c * turn->cosine - s * turn->sine) / r;
        turn->sine = (s * turn->cosine + c * turn->sine) / r;
        turn->cosine = cosine;
    }
    return DLS_OK;
}

/* --- the rotation-minimising frame ----------------------------------------------------------------------------------------- */

static double carry_rate(dls_vec3 T0, const place *at)
{
    return -dls_dot(dls_cross(T0, at->T), at->K) / (1.0 + dls_dot(T0, at->T));
}

/* At r behind the station, of h to the next: x = r/h, phi = turn x^2 (3 - 2 x) + rate h x^2 (x - 1). */
static void bishop_at(const transport *from, const place *at, double r, double h, dls_curve_point *point)
{
    double x = r / h, phi = x * x * (from->turn * (3.0 - 2.0 * x) + from->rate * h * (x - 1.0));
    double rate = from->turn / h * 6.0 * x * (1.0 - x) + from->rate * x * (3.0 * x - 2.0);
    dls_vec3 N = dls_part_carry(from->N, from->T, at->T);
    point->T = at->T;
    point->B = dls_unit(dls_cross(at->T, N));
    point->N = dls_cross(point->B, at->T);
    point->c = dls_dot(at->K, point->N);
    point->cb = dls_dot(at->K, point->B);
    point->t = carry_rate(from->T, at);
    *point = dls_curve_turn(point, cos(phi), sin(phi), rate);
}

/* integral of t0 ds from the station at u0 to u1. */
static double carried_turn(const dls_part_path *path, dls_vec3 T0, double u0, double u1)
{
    double half = 0.5 * (u1 - u0), sum = 0.0;
    for (int i = 0; i < 4; i++)
        for (int side = -1; side <= 1; side += 2) {
            place at = place_at(path, u0 + half * (1.0 + side * dls_part_gauss_x[i]));
            sum += dls_part_gauss_w[i] * carry_rate(T0, &at) * at.v;
        }
    return half * sum;
}

static void transport_along(track *data)
{
    dls_vec3 N = frame_on(data, 0, 0.0).N;
    for (size_t i = 0; i < data->n; i++) {
        const dls_part_path *path = &data->paths[i];
        for (size_t k = path->first; k < path->first + path->n; k++) {
            transport *t = &data->transports[k];
            dls_curve_point end = {.c = 0.0};
            double u0 = data->stations[k].u, u1 = data->stations[k + 1].u;
            place here = place_at(path, u0), there = place_at(path, u1);
            t->T = here.T;
            t->N = dls_unit(dls_sub(N, dls_scale(dls_dot(N, here.T), here.T)));
            t->turn = -carried_turn(path, here.T, u0, u1);
            t->rate = -carry_rate(here.T, &there);
            bishop_at(t, &there, path->h, path->h, &end);
            N = end.N;
        }
    }
}

/* --- definition ---------------------------------------------------------------------------------------------------------------- */

static dls_status check_points(const dls_curve_def *def, const spline *settings, dls_error *error)
{
    size_t n = def->n_points;
    if (n < 3)
        return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "points", "a spline needs 3 points, and has %zu", n);
    for (size_t i = 0; i < n; i++)
        if (!dls_finite3(def->points[i]))
            return dls_fail_at(error, DLS_NOT_FINITE, NULL, 0, 0, "points", "point %zu is not finite", i + 1);
    for (size_t i = 0; i < (settings->closed ? n : n - 1); i++) {
        double chord = dls_norm(dls_sub(def->points[(i + 1) % n], def->points[i]));
        if (!(chord > 0.0))
            return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "points", "points %zu and %zu are equal%s", i + 1, (i + 1) % n + 1,
                               i + 1 == n ? ": a closed spline returns to its first point by itself" : "");
        if (!isfinite(chord))
            return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "points", "points %zu and %zu are too far apart", i + 1, (i + 1) % n + 1);
    }
    return DLS_OK;
}

/* u of every knot, and its coordinates from the first point: what is far from the origin loses no digits in the fit. */
static void knots(const dls_curve_def *def, size_t n, double *u, double *y)
{
    u[0] = 0.0;
    for (size_t i = 0; i <= n; i++) {
        dls_vec3 point = def->points[i % def->n_points], last = def->points[(i ? i - 1 : 0) % def->n_points];
        dls_vec3 here = dls_sub(point, def->points[0]);
        u[i] = i ? u[i - 1] + dls_norm(dls_sub(point, last)) : 0.0;
        y[i] = here.x, y[n + 1 + i] = here.y, y[2 * (n + 1) + i] = here.z;
    }
}

static void set_coefficients(track *data, dls_vec3 origin, const double *u, double (*k)[4])
{
    size_t n = data->n;
    for (size_t i = 0; i < n; i++) {
        const double *x = k[i], *y = k[n + i], *z = k[2 * n + i];
        data->paths[i] = (dls_part_path){.p = dls_add(origin, dls_v3(x[0], y[0], z[0])), .a = dls_v3(x[1], y[1], z[1]),
                                         .b = dls_v3(x[2], y[2], z[2]), .c = dls_v3(x[3], y[3], z[3]), .end = u[i + 1] - u[i]};
    }
}

static dls_status interpolate(const dls_curve_def *def, bool closed, track *data, dls_error *error)
{
    size_t n = data->n;
    double *u = calloc(4 * (n + 1), sizeof *u), *y = u ? u + n + 1 : NULL;
    double(*k)[4] = calloc(3 * n, sizeof *k);
    dls_status status = u && k ? DLS_OK : dls_fail(error, DLS_NO_MEMORY, "no memory for a spline of %zu points", def->n_points);
    if (status == DLS_OK)
        knots(def, n, u, y);
    for (size_t i = 0; i < 3 && status == DLS_OK; i++)
        status = dls_part_cubic_fit(closed ? DLS_PART_FIT_PERIODIC : DLS_PART_FIT_NATURAL, n + 1, u, y + i * (n + 1), k + i * n, error);
    if (status == DLS_OK)
        set_coefficients(data, def->points[0], u, k);
    free(k);
    free(u);
    return status;
}

static double extent(const dls_curve_def *def)
{
    double largest = 0.0;
    for (size_t i = 1; i < def->n_points; i++)
        largest = fmax(largest, dls_norm(dls_sub(def->points[i], def->points[0])));
    return largest;
}

/* Half the digits of N must be left at every station. */
static dls_status set_up(const spline *settings, track *data, dls_error *error)
{
    dls_vec3 n = dls_unit(settings->up);
    for (size_t i = 0; i < data->n; i++) {
        const dls_part_path *path = &data->paths[i];
        data->rules[i] = (rule){true, n, 1.0, 0.0};
        for (size_t k = 0; k <= path->n; k++)
            if (!(dls_norm(dls_cross(n, place_at(path, data->stations[path->first + k].u).T)) > 1e-8))
                return dls_fail_at(error, DLS_BAD_INPUT, NULL, 0, 0, "up", "the curve runs along [%g, %g, %g] at s = %g m", settings->up.x,
                                   settings->up.y, settings->up.z, path->s0 + (double)k * path->h);
    }
    return DLS_OK;
}

static dls_status choose_frame(const spline *settings, track *data, double flat, dls_error *error)
{
    if (settings->frame == UP) {
        DLS_TRY(set_up(settings, data, error));
    } else {
        find_rules(data, flat);
        choose_sign(data, flat);
    }
    if (!isnan(settings->normal.x))
        DLS_TRY(set_normal(data, settings->normal, error));
    if (settings->frame != BISHOP)
        return DLS_OK;
    const dls_part_path *last = &data->paths[data->n - 1];
    data->transports = calloc(last->first + last->n + 1, sizeof *data->transports);
    if (!data->transports)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the frames of a spline");
    transport_along(data);
    return DLS_OK;
}

static double largest_curvature(const track *data)
{
    double largest = 0.0;
    for (size_t i = 0; i < data->n; i++)
        for (size_t k = data->paths[i].first; k <= data->paths[i].first + data->paths[i].n; k++)
            largest = fmax(largest, dls_norm(place_at(&data->paths[i], data->stations[k].u).K));
    return largest;
}

static dls_status make(const dls_curve_def *def, dls_curve *curve, dls_error *error)
{
    const spline *settings = def->settings;
    DLS_TRY(check_points(def, settings, error));
    track *data = curve->data = calloc(1, sizeof *data);
    if (!data)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a spline");
    data->n = settings->closed ? def->n_points : def->n_points - 1;
    data->paths = calloc(data->n, sizeof *data->paths);
    data->rules = calloc(data->n, sizeof *data->rules);
    if (!data->paths || !data->rules)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a spline of %zu points", def->n_points);
    DLS_TRY(interpolate(def, settings->closed, data, error));
    DLS_TRY(dls_part_tabulate(data->paths, data->n, &data->stations, error));
    const dls_part_path *last = &data->paths[data->n - 1];
    curve->length = last->s0 + last->length;
    curve->closed = settings->closed;
    curve->c_max = largest_curvature(data);
    return choose_frame(settings, data, settings->flat * extent(def), error);
}

static void release(dls_curve *curve)
{
    track *data = curve->data;
    if (!data)
        return;
    free(data->paths);
    free(data->rules);
    free(data->stations);
    free(data->transports);
    free(data);
}

/* --- evaluation ---------------------------------------------------------------------------------------------------------------- */

static void on_segment(const track *data, size_t i, double r, dls_curve_point *point)
{
    const dls_part_path *path = &data->paths[i];
    size_t station;
    double u = dls_part_parameter(path, data->stations, r, &station);
    place at = place_at(path, u);
    point->P = dls_part_path_point(path, u);
    if (data->transports)
        bishop_at(&data->transports[station], &at, r - (double)(station - path->first) * path->h, path->h, point);
    else
        frame_at(&data->rules[i], &at, point);
}

static void at(const dls_curve *curve, double s, dls_curve_point *point)
{
    const track *data = curve->data;
    size_t low = 0, high = data->n; /* paths[low].s0 <= s < paths[high].s0 */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (data->paths[middle].s0 <= s)
            low = middle;
        else
            high = middle;
    }
    on_segment(data, low, s - data->paths[low].s0, point);
}

static size_t seams(const dls_curve *curve) { return ((const track *)curve->data)->n - 1; }

static double seam(const dls_curve *curve, size_t k, dls_curve_point *before, dls_curve_point *after)
{
    const track *data = curve->data;
    on_segment(data, k, data->paths[k].length, before);
    on_segment(data, k + 1, 0.0, after);
    return data->paths[k + 1].s0;
}

const dls_curve_type dls_curve_spline = {
    .name = "spline",
    .summary = "cubic spline through points, C2",
    .equation = "P(u) piecewise cubic, s(u) = integral |dP/du|",
    .fields = DLS_FIELD_TABLE(fields, spline),
    .has_points = true,
    .make = make,
    .release = release,
    .at = at,
    .seams = seams,
    .seam = seam,
};
