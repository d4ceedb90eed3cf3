/* wt = angle, dwt/ds = 0: constant superelevation. */
#include "parts.h"

#include <stdlib.h>

typedef struct constant {
    double angle;
} constant;

static const dls_field fields[] = {
    {"angle", "rad", DLS_FIELD_REAL, offsetof(constant, angle), "0", 0, 0, false, NULL, "the twist everywhere"},
};

static dls_status make(const dls_twist_def *def, const dls_curve *curve, dls_twist *twist, dls_error *error)
{
    const constant *settings = def->settings.values;
    (void)curve;
    constant *data = twist->data = malloc(sizeof *data);
    if (!data)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a twist");
    *data = *settings;
    return DLS_OK;
}

static void release(dls_twist *twist) { free(twist->data); }

static void at(const dls_twist *twist, double s, double *wt, double *rate)
{
    (void)s;
    *wt = ((const constant *)twist->data)->angle;
    *rate = 0.0;
}

const dls_twist_type dls_twist_constant = {
    .name = "constant",
    .summary = "a constant angle",
    .equation = "wt = angle",
    .fields = DLS_FIELD_TABLE(fields, constant),
    .make = make,
    .release = release,
    .at = at,
};
