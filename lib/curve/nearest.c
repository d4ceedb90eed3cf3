/* The point of a curve nearest to a given p.
 *
 * Half the squared distance F(s) = |p - P(s)|^2/2 has the derivatives F' = -f, f = (p - P).T, and F'' = 1 - (p - P).K,
 * where K = c N + cb B = dT/ds. Newton's step is f/F''. Where F'' <= 0 (p lies beyond the centre of curvature, near a
 * maximum), the step is f, which is a descent direction, too. A step is halved until the distance decreases or, where
 * F'' > 0, until |f| decreases, since rounding hides differences of the distance near the minimum. At a corner of a
 * composite f changes sign with a jump, and the halving ends there.
 *
 * Searches begin at samples that are at most 1/(4 c_max) apart. Since |P'| = 1, no point closer to p than `best` lies
 * within d - best of a sample at the distance d: these samples are skipped. */
#include "parts.h"

#include <float.h>

enum { STEPS = 100, HALVINGS = 60, SAMPLES_MIN = 16 };

typedef struct foot {
    double s, f, q, distance; /* q = F'' */
} foot;

static foot foot_at(const dls_curve *curve, dls_vec3 p, double s)
{
    dls_curve_point at;
    foot here = {.s = dls_curve_wrap(curve, s)};
    if (!curve->closed)
        here.s = fmin(fmax(s, 0.0), curve->length);
    curve->type->at(curve, here.s, &at);
    dls_vec3 d = dls_sub(p, at.P);
    here.f = dls_dot(d, at.T);
    here.q = 1.0 - at.c * dls_dot(d, at.N) - at.cb * dls_dot(d, at.B);
    here.distance = dls_norm(d);
    return here;
}

static dls_curve_where past_an_end(const dls_curve *curve, const foot *at, double rest)
{
    if (curve->closed || fabs(at->f) <= rest)
        return DLS_CURVE_ON;
    return at->s <= 0.0 && at->f < 0.0             ? DLS_CURVE_BEFORE
           : at->s >= curve->length && at->f > 0.0 ? DLS_CURVE_BEYOND
                                                   : DLS_CURVE_ON;
}

static bool is_nearer(const foot *trial, const foot *at)
{
    return trial->distance < at->distance || (trial->q > 0.0 && at->q > 0.0 && fabs(trial->f) < fabs(at->f));
}

/* Bound of the rounding error of f. */
static double rounding_at(const dls_curve *curve, dls_vec3 p)
{
    return 8.0 * DBL_EPSILON * (curve->length + dls_norm(p));
}

dls_curve_nearest dls_curve_nearest_to(const dls_curve *curve, dls_vec3 p, double s)
{
    if (!isfinite(s) || !dls_finite3(p))
        return (dls_curve_nearest){NAN, NAN, DLS_CURVE_NOWHERE, false};
    double rest = rounding_at(curve, p);
    foot at = foot_at(curve, p, s);
    for (int i = 0; i < STEPS; i++) {
        dls_curve_where where = past_an_end(curve, &at, rest);
        double step = at.q > 0.0 ? at.f / at.q : at.f;
        step = copysign(fmin(fabs(step), 0.5 * curve->length), step);
        if (fabs(at.f) <= rest || where != DLS_CURVE_ON)
            return (dls_curve_nearest){at.s, at.distance, where, true};
        foot trial = foot_at(curve, p, at.s + step);
        for (int k = 0; k < HALVINGS && fabs(step) > rest && !is_nearer(&trial, &at); k++)
            trial = foot_at(curve, p, at.s + (step *= 0.5));
        if (!is_nearer(&trial, &at))
            return (dls_curve_nearest){at.s, at.distance, where, fabs(step) <= rest};
        at = trial;
    }
    return (dls_curve_nearest){at.s, at.distance, DLS_CURVE_ON, false};
}

/* Number of samples to the next one that is needed, from a sample at the distance d. */
static size_t samples_to_skip(double d, double best, double w, size_t left)
{
    double k = floor((d - best) / w);
    return !(k > 1.0) ? 1 : k < (double)left ? (size_t)k : left;
}

dls_curve_nearest dls_curve_nearest_of_all(const dls_curve *curve, dls_vec3 p)
{
    dls_curve_nearest nearest = {NAN, HUGE_VAL, DLS_CURVE_NOWHERE, false};
    double n = fmax(ceil(4.0 * curve->length * curve->c_max), SAMPLES_MIN), w = curve->length / n, best = HUGE_VAL, d;
    size_t count = (size_t)fmin(n, 1e15);
    if (!dls_finite3(p))
        return nearest;
    for (size_t i = 0; i <= count; i += samples_to_skip(d, best, w, count)) {
        d = foot_at(curve, p, (double)i * w).distance;
        best = fmin(best, d);
    }
    for (size_t i = 0; i <= count; i += samples_to_skip(d, best, w, count)) {
        d = foot_at(curve, p, (double)i * w).distance;
        if (d > best + w)
            continue;
        dls_curve_nearest local = dls_curve_nearest_to(curve, p, (double)i * w);
        if (local.found && local.distance < nearest.distance - rounding_at(curve, p))
            nearest = local;
    }
    return nearest;
}
