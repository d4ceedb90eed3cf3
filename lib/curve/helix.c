/* Helix: the curve of constant curvature c and torsion t. With radius r and the rise k per radian (pitch / 2 pi)
 *
 *     c = r/(r^2 + k^2),   t = k/(r^2 + k^2),   w = sqrt(c^2 + t^2) = 1/sqrt(r^2 + k^2)
 *
 * The Frenet frame turns by w [rad/m] about the constant axis a = (t T + c B)/w: track-joint, equation (1). With e = a
 * x (-N0), the direction in which the start circles, and phi = w s:
 *
 *     P = P0 + (t/w) s a + (c/w^2) (sin(phi) e + (1 - cos(phi)) N0)
 *     T = (t/w) a + (c/w) (cos(phi) e + sin(phi) N0)
 *     N = cos(phi) N0 - sin(phi) e
 *     B = (c/w) a - (t/w) (cos(phi) e + sin(phi) N0)
 *
 * N points to the axis. A negative pitch goes down along a: a left-handed helix. */
#include "parts.h"

#include <float.h>

typedef struct helix {
    dls_curve_start at;
    dls_vec3 axis;
    double radius, pitch, turns;
} helix;

typedef struct coil {
    dls_vec3 P, a, e, N;
    double c, t, w;
} coil;

static const dls_field fields[] = {
    DLS_CURVE_START(helix, at),
    {"axis", "", DLS_FIELD_VEC3, offsetof(helix, axis), "", 0, 0, false, NULL,
     "direction of the axis, in place of tangent; default: as tangent and normal determine it"},
    {"radius", "m", DLS_FIELD_REAL, offsetof(helix, radius), NULL, 0, DBL_MAX, true, NULL,
     "radius of the cylinder on which the helix is wound"},
    {"pitch", "m", DLS_FIELD_REAL, offsetof(helix, pitch), NULL, 0, 0, false, NULL,
     "rise per turn; negative: left-handed"},
    {"turns", "", DLS_FIELD_REAL, offsetof(helix, turns), "1", 0, DBL_MAX, true, NULL, "number of turns"},
};

/* If the axis is given, it takes the place of the tangent, and N0 is the component of the normal perpendicular to it.
 */
static dls_status orient_helix(const helix *settings, coil *data, dls_error *error)
{
    dls_curve_start at = settings->at;
    dls_curve_point frame;
    bool axis = !isnan(settings->axis.x);
    if (axis)
        at.tangent = settings->axis;
    DLS_TRY(dls_curve_place_start(&at, axis ? "axis" : "tangent", &frame, error));
    dls_vec3 T = frame.T, B = frame.B;
    double c = data->c / data->w, t = data->t / data->w;
    data->P = frame.P;
    data->N = frame.N;
    data->a = axis ? T : dls_add(dls_scale(t, T), dls_scale(c, B));
    data->e = axis ? dls_neg(B) : dls_sub(dls_scale(c, T), dls_scale(t, B));
    return DLS_OK;
}

static dls_status make_helix(const dls_curve_def *def, dls_curve *curve, dls_error *error)
{
    const helix *settings = def->settings.values;
    double r = settings->radius, k = settings->pitch / (2.0 * DLS_PI), per_radian = hypot(r, k);
    coil *data = curve->data;
    *data = (coil){.w = 1.0 / per_radian, .c = r / per_radian / per_radian, .t = k / per_radian / per_radian};
    curve->length = 2.0 * DLS_PI * settings->turns * per_radian;
    curve->c_max = data->c;
    return orient_helix(settings, data, error);
}

static void helix_at(const dls_curve *curve, double s, dls_curve_point *point)
{
    const coil *d = curve->data;
    double c = d->c / d->w, t = d->t / d->w, phi = d->w * s, sine = sin(phi), half = sin(0.5 * phi);
    dls_vec3 along = dls_add(dls_scale(cos(phi), d->e), dls_scale(sine, d->N));
    dls_vec3 round = dls_add(dls_scale(sine, d->e), dls_scale(2.0 * half * half, d->N));
    point->P = dls_add(d->P, dls_add(dls_scale(t * s, d->a), dls_scale(c / d->w, round)));
    point->T = dls_add(dls_scale(t, d->a), dls_scale(c, along));
    point->N = dls_sub(dls_scale(cos(phi), d->N), dls_scale(sine, d->e));
    point->B = dls_sub(dls_scale(c, d->a), dls_scale(t, along));
    point->c = d->c;
    point->cb = 0.0;
    point->t = d->t;
}

const dls_curve_type dls_curve_helix = {
    .name = "helix",
    .summary = "helix, wound on a cylinder",
    .equation = "c = r/(r^2 + k^2), t = k/(r^2 + k^2), k = pitch/(2 pi)",
    .fields = DLS_FIELD_TABLE(fields, helix),
    .size = sizeof(coil),
    .make = make_helix,
    .at = helix_at,
};
