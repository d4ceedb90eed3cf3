/* Frames of a cubic spline. With ' for d/du, v = |P'|, K = dT/ds and D = P' x P'':
 *
 *     T = P'/v,   K = D x P'/v^4,   |K| = |D|/v^3,   torsion = D.P'''/|D|^2
 *
 * THE FRENET FRAME. On a cubic P = p + a u + b u^2 + c u^3
 *
 *     D/2 = a x b + 3 (a x c) u + 3 (b x c) u^2,   D.P''' = 12 (a x b).c
 *
 * There are two cases:
 * - (a x b).c is not 0: the three products are linearly independent, D has no zero, and the Frenet frame exists on the
 *   whole segment.
 * - (a x b).c = 0: the segment lies in a plane with the unit normal n, and D = d(u) n, where d may change its sign (an
 *   inflection, where Frenet's N jumps to its opposite). Here the frame has B = n everywhere, c = d/v^3 with its
 *   sign and t = 0: it is the Frenet frame up to the sign and also rotation-minimising. The first and last segment of
 *   a natural spline are plane, since P'' = 0 at their ends. A straight segment is plane, too; its n is the B of the
 *   segment before.
 *
 * A segment counts as plane (straight) if none of its points is further than `flat` from a plane (a line). Its frame is
 * the frame `up` below with n upwards, so c, cb and t are exact for the frame that is returned, however flat the
 * segment is. Where two segments meet, P', P'' and D are continuous, and so is B up to its sign, unless D = 0. The
 * frame of each segment is turned about T by the constant angle that continues N: 0 or half a turn, or any angle where
 * D = 0 and the plane of the curve changes. c and cb are components in the turned frame; t is not changed. The torsion
 * jumps where segments meet, since P''' does; dls_curve_seam_at returns the jumps.
 *
 * A FIXED DIRECTION (up). N = n x T/|n x T| is horizontal if n points up, and B = T x N is as close to n as T allows.
 * The derivative of N is (n x K)/|n x T| plus a vector along N, so
 *
 *     c = K.N,   cb = K.B,   t = (n x K).B/|n x T|
 *
 * The frame is not defined where the curve is vertical, and turns fast nearby.
 *
 * THE ROTATION-MINIMISING FRAME (bishop). The Frenet frame turns fast where |D| is small but not 0; that of a track
 * should not. After a station with the tangent T_0, N is rotated by the smallest rotation from T_0 to T(s). A vector v
 * along T_0 x T is its own image under this rotation. By the formula of dls_curve_carry the image has the derivative
 * -(K.v)/(1 + T_0.T) (T_0 + T), and the component of that along T x v is the rate of turn about T:
 *
 *     t0 = -(T_0 x T).K/(1 + T_0.T),   O(h^2)
 *
 * In addition N is turned by phi, a cubic in s with phi = dphi/ds = 0 at the station, and dphi/ds = -t0 and phi =
 * -integral t0 at the next one. So t = t0 + dphi/ds is 0 at every station and on average between two stations, O(h^3)
 * elsewhere, and exact for the frame that is returned. Along a closed curve the frame returns with an angle about T:
 * the roll of the closing seam, which a twist can cancel. */
#include "spline.h"

/* The spline at one point, before a frame is chosen. */
typedef struct place {
    dls_vec3 T, D, K; /* D = P' x P'', K = dT/ds */
    double v, volume; /* |P'|, D.P''' */
} place;

static place place_at(const dls_cubic_path *path, double u)
{
    place at;
    dls_vec3 P1, P2, P3;
    dls_cubic_path_at(path, u, &P1, &P2, &P3);
    at.v = dls_norm(P1);
    at.T = dls_scale(1.0 / at.v, P1);
    at.D = dls_cross(P1, P2);
    at.K = dls_scale(1.0 / (at.v * at.v * at.v), dls_cross(at.D, at.T));
    at.volume = dls_dot(at.D, P3);
    return at;
}

/* --- Frenet's frame, and one with a fixed direction --- */

static void frame_at(const dls_spline_rule *r, const place *at, dls_curve_point *point)
{
    dls_vec3 across = dls_cross(r->plane ? r->n : at->D, at->T);
    point->T = at->T;
    point->N = dls_unit(across);
    point->B = dls_unit(dls_cross(at->T, point->N));
    point->c = dls_dot(at->K, point->N);
    point->cb = r->plane ? dls_dot(at->K, point->B) : 0.0;
    point->t =
        r->plane ? dls_dot(dls_cross(r->n, at->K), point->B) / dls_norm(across) : at->volume / dls_dot(at->D, at->D);
    *point = dls_curve_turn(point, r->cosine, r->sine, 0.0);
}

static dls_curve_point frame_on(const dls_spline *data, size_t i, double u)
{
    dls_curve_point point = {.P = dls_cubic_path_point(&data->paths[i], u)};
    place at = place_at(&data->paths[i], u);
    frame_at(&data->rules[i], &at, &point);
    return point;
}

/* True if a segment is within `flat` of the plane through its start with the unit normal n; the heights of the three
 * coefficients bound the distance. */
static bool is_plane(const dls_cubic_path *path, dls_vec3 n, double flat)
{
    double u = path->end;
    return u * (fabs(dls_dot(path->a, n)) + u * (fabs(dls_dot(path->b, n)) + u * fabs(dls_dot(path->c, n)))) <= flat;
}

static bool is_straight(const dls_cubic_path *path, double flat)
{
    double u = path->end;
    dls_vec3 chord = dls_unit(dls_sub(dls_cubic_path_point(path, u), path->p));
    return u * u * (dls_norm(dls_cross(path->b, chord)) + u * dls_norm(dls_cross(path->c, chord))) <= flat;
}

/* The direction of the largest D of three points. */
static dls_vec3 clearest_binormal(const dls_cubic_path *path)
{
    dls_vec3 best = {0, 0, 0};
    for (int k = 0; k <= 2; k++) {
        dls_vec3 D = place_at(path, 0.5 * k * path->end).D;
        if (dls_norm(D) > dls_norm(best))
            best = D;
    }
    return dls_unit(best);
}

/* B at the start of the first segment that is not straight; for a straight curve any unit vector normal to it. */
static dls_vec3 first_binormal(const dls_spline *data, double flat)
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

static void find_rules(dls_spline *data, double flat)
{
    dls_vec3 B = first_binormal(data, flat);
    for (size_t i = 0; i < data->n; i++) {
        const dls_cubic_path *path = &data->paths[i];
        dls_spline_rule *r = &data->rules[i];
        dls_vec3 own = clearest_binormal(path), T = place_at(path, 0.0).T;
        bool straight = is_straight(path, flat);
        r->plane = straight || is_plane(path, own, flat);
        r->n = straight ? dls_unit(dls_sub(B, dls_scale(dls_dot(B, T), T))) : own;
        r->cosine = 1.0, r->sine = 0.0;
        if (i > 0) {
            dls_curve_point before = frame_on(data, i - 1, data->paths[i - 1].end), after = frame_on(data, i, 0.0);
            dls_curve_continue(&before, &after, &r->cosine, &r->sine);
        }
        B = frame_on(data, i, path->end).B;
    }
}

/* If the curve begins with an inflection, the sign of its first frame is arbitrary; then N points to the side to which
 * the curve bends first. */
static void choose_sign(dls_spline *data, double flat)
{
    double end = data->paths[0].end;
    if (!data->rules[0].plane || is_straight(&data->paths[0], flat) || frame_on(data, 0, end * 1e-3).c >= 0.0)
        return;
    for (size_t i = 0; i < data->n; i++) {
        data->rules[i].cosine = -data->rules[i].cosine;
        data->rules[i].sine = -data->rules[i].sine;
    }
}

/* Turns all frames by the angle for which N has the given direction at the start. */
static dls_status set_normal(dls_spline *data, dls_vec3 normal, dls_error *error)
{
    dls_curve_point start = frame_on(data, 0, 0.0);
    double c = dls_dot(normal, start.N), s = dls_dot(normal, start.B), r = hypot(c, s);
    if (!(r > 1e-8 * dls_norm(normal)) || !isfinite(r)) /* else more than half the digits of its direction are lost */
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "normal", "[%g, %g, %g] points along the curve, or nowhere",
                              normal.x, normal.y, normal.z);
    for (size_t i = 0; i < data->n; i++) {
        dls_spline_rule *turn = &data->rules[i];
        double cosine = (c * turn->cosine - s * turn->sine) / r;
        turn->sine = (s * turn->cosine + c * turn->sine) / r;
        turn->cosine = cosine;
    }
    return DLS_OK;
}

/* --- the rotation-minimising frame --- */

static double carry_rate(dls_vec3 T0, const place *at)
{
    return -dls_dot(dls_cross(T0, at->T), at->K) / (1.0 + dls_dot(T0, at->T));
}

/* At the arc length r after the station, where the next one is at h: x = r/h, phi = turn x^2 (3 - 2 x) + rate h x^2 (x
 * - 1). */
static void bishop_at(const dls_spline_transport *from, const place *at, double r, double h, dls_curve_point *point)
{
    double x = r / h, phi = x * x * (from->turn * (3.0 - 2.0 * x) + from->rate * h * (x - 1.0));
    double rate = from->turn / h * 6.0 * x * (1.0 - x) + from->rate * x * (3.0 * x - 2.0);
    dls_vec3 N = dls_curve_carry(from->N, from->T, at->T);
    point->T = at->T;
    point->B = dls_unit(dls_cross(at->T, N));
    point->N = dls_cross(point->B, at->T);
    point->c = dls_dot(at->K, point->N);
    point->cb = dls_dot(at->K, point->B);
    point->t = carry_rate(from->T, at);
    *point = dls_curve_turn(point, cos(phi), sin(phi), rate);
}

/* Integral of t0 ds from the station at u0 to u1. */
static double carried_turn(const dls_cubic_path *path, dls_vec3 T0, double u0, double u1)
{
    double half = 0.5 * (u1 - u0), sum = 0.0;
    for (int i = 0; i < 4; i++)
        for (int side = -1; side <= 1; side += 2) {
            place at = place_at(path, u0 + half * (1.0 + side * dls_curve_gauss_x[i]));
            sum += dls_curve_gauss_w[i] * carry_rate(T0, &at) * at.v;
        }
    return half * sum;
}

static void transport_along(dls_spline *data)
{
    dls_vec3 N = frame_on(data, 0, 0.0).N;
    for (size_t i = 0; i < data->n; i++) {
        const dls_cubic_path *path = &data->paths[i];
        for (size_t k = path->first; k < path->first + path->n; k++) {
            dls_spline_transport *t = &data->transports[k];
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

/* At every station at least half the digits of N must be left. */
static dls_status set_up_frames(dls_spline *data, dls_vec3 up, dls_error *error)
{
    dls_vec3 n = dls_unit(up);
    for (size_t i = 0; i < data->n; i++) {
        const dls_cubic_path *path = &data->paths[i];
        data->rules[i] = (dls_spline_rule){true, n, 1.0, 0.0};
        for (size_t k = 0; k <= path->n; k++)
            if (!(dls_norm(dls_cross(n, place_at(path, data->stations[path->first + k].u).T)) > 1e-8))
                return dls_fail_about(error, DLS_BAD_INPUT, NULL, "up", "the curve runs along [%g, %g, %g] at s = %g m",
                                      up.x, up.y, up.z, path->s0 + (double)k * path->h);
    }
    return DLS_OK;
}

dls_status dls_spline_frames(dls_spline *data, dls_spline_frame frame, dls_vec3 up, dls_vec3 normal, double flat,
                             dls_arena *memory, dls_error *error)
{
    if (frame == DLS_SPLINE_UP) {
        DLS_TRY(set_up_frames(data, up, error));
    } else {
        find_rules(data, flat);
        choose_sign(data, flat);
    }
    if (!isnan(normal.x))
        DLS_TRY(set_normal(data, normal, error));
    if (frame != DLS_SPLINE_BISHOP)
        return DLS_OK;
    const dls_cubic_path *last = &data->paths[data->n - 1];
    data->transports = DLS_TAKE_ZEROS(memory, dls_spline_transport, last->first + last->n + 1);
    if (!data->transports)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the frames of a spline");
    transport_along(data);
    return DLS_OK;
}

double dls_spline_curvature(const dls_spline *data)
{
    double largest = 0.0;
    for (size_t i = 0; i < data->n; i++)
        for (size_t k = data->paths[i].first; k <= data->paths[i].first + data->paths[i].n; k++)
            largest = fmax(largest, dls_norm(place_at(&data->paths[i], data->stations[k].u).K));
    return largest;
}

void dls_spline_at(const dls_spline *data, size_t i, double r, dls_curve_point *point)
{
    const dls_cubic_path *path = &data->paths[i];
    size_t station;
    double u = dls_cubic_parameter(path, data->stations, r, &station);
    place at = place_at(path, u);
    point->P = dls_cubic_path_point(path, u);
    if (data->transports)
        bishop_at(&data->transports[station], &at, r - (double)(station - path->first) * path->h, path->h, point);
    else
        frame_at(&data->rules[i], &at, point);
}
