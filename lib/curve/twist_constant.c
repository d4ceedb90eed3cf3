/* wt = angle, dwt/ds = 0: constant superelevation. */
#include "parts.h"

typedef struct constant {
    double angle;
} constant;

static const dls_field fields[] = {
    {"angle", "rad", DLS_FIELD_REAL, offsetof(constant, angle), "0", 0, 0, false, NULL, "angle of the twist"},
};

static dls_status make_constant(const dls_twist_def *def, const dls_curve *curve, dls_twist *twist, dls_error *error)
{
    (void)curve, (void)error;
    *(constant *)twist->data = *(const constant *)def->settings.values;
    return DLS_OK;
}

static void constant_at(const dls_twist *twist, double s, double *wt, double *rate)
{
    (void)s;
    *wt = ((const constant *)twist->data)->angle;
    *rate = 0.0;
}

const dls_twist_type dls_twist_constant = {
    .name = "constant",
    .summary = "constant twist",
    .equation = "wt = angle",
    .fields = DLS_FIELD_TABLE(fields, constant),
    .size = sizeof(constant),
    .make = make_constant,
    .at = constant_at,
};
