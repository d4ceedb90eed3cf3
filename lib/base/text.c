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
