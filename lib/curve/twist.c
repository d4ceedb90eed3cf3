#include "parts.h"

#include <stdlib.h>
#include <string.h>

#define TWIST(name) extern const dls_twist_type dls_twist_##name;
#include "twists.def"
#undef TWIST
const dls_twist_type *const dls_twist_types[] = {
#define TWIST(name) &dls_twist_##name,
#include "twists.def"
#undef TWIST
    NULL};

const dls_twist_type *dls_twist_type_find(const char *name)
{
    for (size_t i = 0; dls_twist_types[i]; i++)
        if (strcmp(dls_twist_types[i]->name, name) == 0)
            return dls_twist_types[i];
    return NULL;
}

static dls_status make_twist(const dls_twist_def *def, const dls_curve *curve, dls_twist *twist, dls_error *error)
{
    twist->type = def->type;
    twist->data = dls_arena_zeros(twist->memory, 1, def->type->size);
    if (!twist->data)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a twist");
    DLS_TRY(dls_fields_require(&def->type->fields, def->settings.values, error));
    return def->type->make(def, curve, twist, error);
}

typedef struct owner {
    dls_twist twist;
    dls_arena memory;
} owner;

dls_status dls_twist_create(const dls_twist_def *def, const dls_curve *curve, dls_twist **twist, dls_error *error)
{
    *twist = NULL;
    if (!def->type || !def->settings.values)
        return dls_fail(error, DLS_BAD_ARGUMENT, "a twist's definition that dls_twist_default has not made");
    owner *made = calloc(1, sizeof *made);
    if (!made)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a twist");
    made->twist.memory = &made->memory;
    dls_status status = make_twist(def, curve, &made->twist, error);
    if (status == DLS_OK)
        *twist = &made->twist;
    else
        dls_twist_destroy(&made->twist);
    return status;
}

void dls_twist_destroy(dls_twist *twist)
{
    if (twist)
        dls_arena_release(twist->memory);
    free(twist); /* the first of its owner */
}

void dls_twist_at(const dls_twist *twist, double s, double *wt, double *rate)
{
    *wt = *rate = 0.0;
    if (twist)
        twist->type->at(twist, s, wt, rate);
}

dls_curve_where dls_track_at(const dls_curve *curve, const dls_twist *twist, double s, dls_curve_point *F,
                             dls_curve_point *wF)
{
    dls_curve_point point;
    double wt, rate, on = dls_curve_wrap(curve, s);
    dls_curve_where where = dls_curve_at(curve, s, &point);
    if (F)
        *F = point;
    if (wF) {
        dls_twist_at(twist, curve->closed ? on : fmin(fmax(on, 0.0), curve->length), &wt, &rate);
        *wF = dls_curve_turn(&point, cos(wt), sin(wt), rate);
    }
    return where;
}

double dls_track_roll(const dls_curve *curve, const dls_twist *twist)
{
    double first, last, rate;
    if (!curve->closed)
        return 0.0;
    dls_twist_at(twist, 0.0, &first, &rate);
    dls_twist_at(twist, curve->length, &last, &rate);
    double roll = dls_curve_seam_at(curve, dls_curve_seams(curve) - 1).roll + first - last;
    return atan2(sin(roll), cos(roll));
}
