/* The values of a key, from text. */
#include "sweep.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 100000, VALUE_MAX = 256 };

static dls_status add(dls_sweep_axis *axis, const char *text, size_t length, dls_error *error)
{
    char **more = realloc(axis->values, (axis->count + 1) * sizeof *more), *copy = malloc(length + 1);
    if (more)
        axis->values = more;
    if (!more || !copy) {
        free(copy);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the values of '%s'", axis->key);
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    axis->values[axis->count++] = copy;
    return DLS_OK;
}

/* A number and its unit; both must be there, the unit perhaps empty. */
static bool number(const char *text, double *value, const char **unit)
{
    if (dls_read_real(text, value, unit, NULL) != DLS_OK || *unit == text || !isfinite(*value))
        return false;
    *unit += strspn(*unit, " ");
    return true;
}

/* FIRST:LAST:COUNT[:log] between cut texts; *is tells whether it is a range: three or four parts that begin with
 * numbers. */
static dls_status add_range(dls_sweep_axis *axis, char *text, bool *is, dls_error *error)
{
    char *part[4] = {text, NULL, NULL, NULL}, value[VALUE_MAX];
    const char *unit[2], *end;
    double bound[2], count;
    size_t parts = 1;
    for (char *at = text; (at = strchr(at, ':')) && parts < 4; parts++) {
        *at++ = '\0';
        part[parts] = at;
    }
    *is = parts >= 3 && number(part[0], &bound[0], &unit[0]) && number(part[1], &bound[1], &unit[1]) &&
          number(part[2], &count, &end);
    if (!*is) {
        for (size_t k = 1; k < parts; k++)
            part[k][-1] = ':';
        return DLS_OK;
    }
    if (!*unit[0])
        unit[0] = unit[1];
    const bool log = part[3] && strcmp(part[3], "log") == 0;
    if ((*unit[1] && strcmp(unit[0], unit[1]) != 0) || *end || !(count >= 1.0 && count <= VALUES_MAX) ||
        count != floor(count) || (part[3] && !log) || (log && !(bound[0] * bound[1] > 0.0)))
        return dls_fail(error, DLS_BAD_INPUT,
                        "a range of '%s' is FIRST:LAST:COUNT or FIRST:LAST:COUNT:log, with one unit, a count from 1 to "
                        "%d, and for log two numbers of one sign",
                        axis->key, VALUES_MAX);
    for (size_t k = 0; k < (size_t)count; k++) {
        const double share = count > 1.0 ? (double)k / (count - 1.0) : 0.0;
        const double x = share == 0.0 || share == 1.0 ? bound[share == 1.0]
                         : log                        ? bound[0] * pow(bound[1] / bound[0], share)
                                                      : bound[0] + share * (bound[1] - bound[0]);
        const int length = dls_print(value, sizeof value, "%.15g%s%s", x, *unit[1] ? " " : "", unit[1]);
        DLS_TRY(add(axis, value, length < VALUE_MAX ? (size_t)length : VALUE_MAX - 1, error));
    }
    return DLS_OK;
}

/* The length of the value at `text`: up to a comma that stands in no brackets. */
static size_t value_length(const char *text)
{
    size_t length = 0, depth = 0;
    for (; text[length] && (text[length] != ',' || depth > 0); length++)
        depth += text[length] == '[' ? 1U : text[length] == ']' && depth > 0 ? SIZE_MAX : 0U;
    return length;
}

static dls_status add_value(dls_sweep_axis *axis, const char *from, size_t length, dls_error *error)
{
    char text[VALUE_MAX];
    bool is_range = false;
    while (length > 0 && *from == ' ')
        from++, length--;
    while (length > 0 && from[length - 1] == ' ')
        length--;
    if (length == 0 || length >= sizeof text || strpbrk(from, "\t\n"))
        return dls_fail(error, DLS_BAD_INPUT, "a value of '%s' is empty, has a tab, or is longer than %d bytes",
                        axis->key, VALUE_MAX - 1);
    memcpy(text, from, length);
    text[length] = '\0';
    if (*from != '[')
        DLS_TRY(add_range(axis, text, &is_range, error));
    return is_range ? DLS_OK : add(axis, text, length, error);
}

dls_status dls_sweep_axis_create(const char *text, dls_sweep_axis *axis, dls_error *error)
{
    const char *equals = strchr(text, '=');
    *axis = (dls_sweep_axis){.count = 0};
    if (!equals || equals == text || (size_t)(equals - text) >= sizeof axis->key)
        return dls_fail(error, DLS_BAD_INPUT, "'%.60s' is not KEY=VALUE,VALUE,...", text);
    memcpy(axis->key, text, (size_t)(equals - text));
    for (const char *at = equals + 1;; at++) {
        const size_t length = value_length(at);
        DLS_TRY(add_value(axis, at, length, error));
        at += length;
        if (!*at)
            return DLS_OK;
    }
}

void dls_sweep_axis_release(dls_sweep_axis *axis)
{
    for (size_t i = 0; i < axis->count; i++)
        free(axis->values[i]);
    free(axis->values);
    *axis = (dls_sweep_axis){.count = 0};
}
