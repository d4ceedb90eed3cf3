/* --tolerances: a list of positive numbers. */
#include "tolerances.h"

#include <stdlib.h>

static int by_falling_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

bool read_tolerances(const arguments *a, tolerances *t)
{
    const char *at = argument(a, "tolerances", "1e-3,1e-6,1e-9");
    dls_error error;
    for (t->count = 0; t->count < TOLERANCES_MAX; at++) {
        if (dls_parse_real(at, "", &t->value[t->count], &at, &error) != DLS_OK || !(t->value[t->count] > 0.0) ||
            (*at && *at != ','))
            return complain_text("--tolerances: '%s' is no list of positive numbers such as 1e-3,1e-6", at), false;
        t->count++;
        if (!*at) {
            qsort(t->value, t->count, sizeof *t->value, by_falling_value);
            return true;
        }
    }
    return complain_text("--tolerances: more than %d", TOLERANCES_MAX), false;
}
