#include "text.h"

#include "arithmetic.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dls_status dls_read_real(const char *text, double *value, const char **end, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    char *behind;
    locale_t before = dls_locale_begin();
    errno = 0;
    *value = strtod(text, &behind);
    bool range = errno == ERANGE;
    dls_locale_end(before);
    *end = behind;
    int shown = (int)(behind - text < 40 ? behind - text : 40);
    if (behind == text)
        return dls_fail(error, DLS_BAD_INPUT, "'%.40s' is not a number", text);
    if (isnan(*value))
        return dls_fail(error, DLS_NOT_FINITE, "NaN is not a value; give a number");
    if (range && isinf(*value))
        return dls_fail(error, DLS_BAD_INPUT, "'%.*s' is too large for a double", shown, text);
    if (range && *value == 0.0)
        return dls_fail(error, DLS_BAD_INPUT, "'%.*s' is too small for a double; write 0 if it is to be 0", shown,
                        text);
    return DLS_OK;
}

int dls_print_shortest(char *text, size_t size, double value)
{
    int digits = 0;
    double back = NAN;
    const char *end;
    while (digits < 17 && back != value) {
        dls_print(text, size, "%.*g", ++digits, value);
        if (dls_read_real(text, &back, &end, NULL) != DLS_OK)
            back = NAN;
    }
    return digits;
}

const char *dls_system_text(int number)
{
    locale_t before = dls_locale_begin();
    const char *text = strerror(number);
    dls_locale_end(before);
    return text;
}

bool dls_path_beside(const char *beside, const char *file, char path[DLS_PATH_MAX])
{
    const char *slash = strrchr(beside, '/');
    const int folder = file[0] == '/' || !slash ? 0 : (int)(slash - beside) + 1;
    return snprintf(path, DLS_PATH_MAX, "%.*s%s", folder, beside, file) < DLS_PATH_MAX;
}

size_t dls_utf8_length(const char *text, size_t left)
{
    const unsigned char *at = (const unsigned char *)text, first = at[0];
    unsigned char low = 0x80, high = 0xbf;
    size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || length > left)
        return 0;
    if (first == 0xe0)
        low = 0xa0;
    if (first == 0xed)
        high = 0x9f;
    if (first == 0xf0)
        low = 0x90;
    if (first == 0xf4)
        high = 0x8f;
    for (size_t i = 1; i < length; i++) {
        if (at[i] < low || at[i] > high)
            return 0;
        low = 0x80, high = 0xbf;
    }
    return length;
}

/* Whether XML 1.0 has the character (section 2.2, "Char"); those from 0x7f to 0x9f it has, but HTML has not. */
static bool is_of_markup(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text;
    if (length == 1)
        return at[0] >= 0x20 ? at[0] != 0x7f : at[0] == '\t' || at[0] == '\n' || at[0] == '\r';
    if (length == 2)
        return at[0] != 0xc2 || at[1] >= 0xa0;
    return length != 3 || at[0] != 0xef || at[1] != 0xbf || at[2] < 0xbe;
}

void dls_put_markup(FILE *to, const char *text)
{
    for (size_t length; *text; text += length > 0 ? length : 1) {
        length = dls_utf8_length(text, 4);
        if (length == 0 || !is_of_markup(text, length))
            fputs("\xef\xbf\xbd", to);
        else if (strchr("<>&\"'", *text))
            fprintf(to, "&#%d;", *text);
        else
            fwrite(text, 1, length, to);
    }
}
