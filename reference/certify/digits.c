/* Bounds as text. printf rounds to the digits that it prints in the current direction (C17, 7.21.6.1, recommended
 * practice), as glibc does for all numbers and digits. */
#include "delassus/reference.h"

#include "base/arithmetic.h"
#include "base/text.h"

#include <fenv.h>
#include <stdio.h>

static dls_digits print_rounded(double value, int digits, int direction)
{
    DLS_STANDARD_ARITHMETIC; /* until the return, which restores the direction too */
    const locale_t before = dls_locale_begin();
    dls_digits out;
    fesetround(direction);
    snprintf(out.text, sizeof out.text, "%.*g", digits < 2 ? 2 : digits > 15 ? 15 : digits, value);
    dls_locale_end(before);
    return out;
}

dls_digits dls_digits_up(double value, int digits) { return print_rounded(value, digits, FE_UPWARD); }
dls_digits dls_digits_down(double value, int digits) { return print_rounded(value, digits, FE_DOWNWARD); }
