/* Bounds as text. A double has at most 767 significant decimal digits, and printf writes all of them where it is asked
 * to; what is beyond those that are wanted decides whether the last one rises. */
#include "delassus/reference.h"

#include "base/arithmetic.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 15, EXACT = 766 }; /* EXACT: those behind the first one */

/* Adds 1 to the last of the digits d.ddd; whether they were all 9, and are now 1.000. */
static bool raise(char *digits, size_t last)
{
    for (size_t k = last + 1; k-- > 0;) {
        if (digits[k] == '.')
            continue;
        if (digits[k] != '9') {
            digits[k]++;
            return false;
        }
        digits[k] = '0';
    }
    digits[0] = '1';
    return true;
}

static dls_digits directed(double value, int digits, bool up)
{
    DLS_STANDARD_ARITHMETIC;
    char exact[EXACT + 16];
    dls_digits out;
    digits = digits < 2 ? 2 : digits > DIGITS_MAX ? DIGITS_MAX : digits;
    dls_print(exact, sizeof exact, "%.*e", EXACT, value);
    char *exponent = strchr(exact, 'e');
    if (!(value > 0.0) || !exponent) {
        dls_print(out.text, sizeof out.text, "%g", value);
        return out;
    }
    const size_t last = (size_t)digits;
    long power = strtol(exponent + 1, NULL, 10);
    const bool whole = strspn(exact + last + 1, "0") == (size_t)(exponent - exact) - last - 1;
    if (!whole && up)
        power += raise(exact, last);
    exact[last + 1] = '\0';
    if (power >= -4 && power < digits) { /* as %g writes it: the nearest double has the same digits */
        dls_print(exact + last + 1, sizeof exact - last - 1, "e%ld", power);
        const locale_t before = dls_locale_begin();
        const double nearest = strtod(exact, NULL);
        dls_locale_end(before);
        dls_print(out.text, sizeof out.text, "%.*g", digits, nearest);
        return out;
    }
    for (size_t k = last; exact[k] == '0' || exact[k] == '.'; k--) {
        const bool point = exact[k] == '.';
        exact[k] = '\0';
        if (point)
            break;
    }
    dls_print(out.text, sizeof out.text, "%se%+03ld", exact, power);
    return out;
}

dls_digits dls_digits_up(double value, int digits) { return directed(value, digits, true); }
dls_digits dls_digits_down(double value, int digits) { return directed(value, digits, false); }
