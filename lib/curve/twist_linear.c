/* wt = start + rate s: a constant rate. On a closed curve wt jumps where the curve closes, unless rate times length is
 * a whole number of turns: see dls_track_roll. */
#include "parts.h"

typedef struct linear {
    double start, rate;
} linear;

static const dls_field fields[] = {
    {"start", "rad", DLS_FIELD_REAL, offsetof(linear, start), "0", 0, 0, false, NULL, "angle of the twist at s = 0"},
    {"rate", "rad/m", DLS_FIELD_REAL, offsetof(linear, rate), NULL, 0, 0, false, NULL,
     "rate of the twist per arc length"},
};

static dls_status make_linear(const dls_twist_def *def, const dls_curve *curve, dls_twist *twist, dls_error *error)
{
    (void)curve, (void)error;
    *(linear *)twist->data = *(const linear *)def->settings.values;
    return DLS_OK;
}

static void linear_at(const dls_twist *twist, double s, double *wt, double *rate)
{
    const linear *data = twist->data;
    *wt = data->start + data->rate * s;
    *rate = data->rate;
}

const dls_twist_type dls_twist_linear = {
    .name = "linear",
    .summary = "twist that grows linearly",
    .equation = "wt = start + rate s",
    .fields = DLS_FIELD_TABLE(fields, linear),
    .size = sizeof(linear),
    .make = make_linear,
    .at = linear_at,
};
