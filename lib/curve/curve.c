#include "parts.h"

#include <stdlib.h>

dls_status dls_curve_make(const dls_curve_def *def, dls_arena *memory, dls_curve *curve, dls_error *error)
{
    if (!def->type || !def->settings.values)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a curve's definition that dls_curve_default has not made");
    *curve = (dls_curve){.type = def->type, .memory = memory, .data = dls_arena_zeros(memory, 1, def->type->size)};
    if (!curve->data)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a curve");
    DLS_TRY(dls_fields_require(&def->type->fields, def->settings.values, error));
    DLS_TRY(def->type->make(def, curve, error));
    if (!(curve->length > 0.0) || !isfinite(curve->length) || !isfinite(curve->c_max))
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "length",
                              "a curve of length %g m; it must be above 0 and finite", curve->length);
    return DLS_OK;
}

typedef struct owner {
    dls_curve curve;
    dls_arena memory;
} owner;

dls_status dls_curve_create(const dls_curve_def *def, dls_curve **curve, dls_error *error)
{
    owner *made = calloc(1, sizeof *made);
    *curve = made ? &made->curve : NULL;
    if (!made)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a curve");
    dls_status status = dls_curve_make(def, &made->memory, *curve, error);
    if (status == DLS_OK)
        return DLS_OK;
    dls_arena_release(&made->memory);
    free(made);
    *curve = NULL;
    return status;
}

void dls_curve_destroy(dls_curve *curve)
{
    if (curve)
        dls_arena_release(curve->memory);
    free(curve); /* the first of its owner */
}

double dls_curve_wrap(const dls_curve *curve, double s)
{
    if (!curve->closed || (s >= 0.0 && s < curve->length))
        return s;
    s = fmod(s, curve->length);
    s += s < 0.0 ? curve->length : 0.0;
    return s < curve->length ? s : 0.0; /* -1e-20 + length rounds to length */
}

dls_curve_where dls_curve_at(const dls_curve *curve, double s, dls_curve_point *point)
{
    if (!isfinite(s)) {
        dls_vec3 nowhere = {NAN, NAN, NAN};
        *point = (dls_curve_point){nowhere, nowhere, nowhere, nowhere, NAN, NAN, NAN};
        return DLS_CURVE_NOWHERE;
    }
    double on = dls_curve_wrap(curve, s);
    dls_curve_where where = on < 0.0 ? DLS_CURVE_BEFORE : on > curve->length ? DLS_CURVE_BEYOND : DLS_CURVE_ON;
    curve->type->at(curve, fmin(fmax(on, 0.0), curve->length), point);
    return where;
}

dls_status dls_curve_check(const dls_curve *curve, double s, dls_error *error)
{
    if (!isfinite(s))
        return dls_fail_about(error, DLS_NOT_FINITE, NULL, "s", "not finite");
    if (!curve->closed && s < 0.0)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "s", "%g m is %g m before the start of an open curve", s, -s);
    if (!curve->closed && s > curve->length)
        return dls_fail_about(error, DLS_BAD_INPUT, NULL, "s",
                              "%g m is %g m beyond the end of an open curve, which is %g m long", s, s - curve->length,
                              curve->length);
    return DLS_OK;
}

static size_t inner_seams(const dls_curve *curve) { return curve->type->seams ? curve->type->seams(curve) : 0; }

size_t dls_curve_seams(const dls_curve *curve) { return inner_seams(curve) + curve->closed; }

dls_curve_seam dls_curve_seam_at(const dls_curve *curve, size_t k)
{
    dls_curve_point before, after;
    dls_curve_seam seam = {.s = curve->length};
    double cosine, sine;
    if (k < inner_seams(curve)) {
        seam.s = curve->type->seam(curve, k, &before, &after);
    } else {
        curve->type->at(curve, curve->length, &before);
        curve->type->at(curve, 0.0, &after);
    }
    dls_curve_continue(&before, &after, &cosine, &sine);
    dls_curve_point turned = dls_curve_turn(&after, cosine, sine, 0.0);
    seam.gap = dls_norm(dls_sub(after.P, before.P));
    seam.corner = atan2(dls_norm(dls_cross(before.T, after.T)), dls_dot(before.T, after.T));
    seam.roll = atan2(-sine, cosine);
    seam.c = turned.c - before.c;
    seam.cb = turned.cb - before.cb;
    seam.t = after.t - before.t;
    return seam;
}
