#include "json_text.h"

#include "base/text.h"

#include <string.h>

/* The number that begins at *at, which goes behind it. It is copied, for no NUL ends the text. Every double can be
 * written in fewer than NUMBER_MAX characters. */
static dls_status check_number(dls_scan *scan, const char **at)
{
    enum { NUMBER_MAX = 1200 };
    char number[NUMBER_MAX];
    const char *behind;
    double value;
    dls_error why;
    size_t length = 0;
    while (length < (size_t)(scan->end - *at) && strchr("+-.0123456789eE", (*at)[length]) && (*at)[length])
        length++;
    scan->token = *at;
    *at += length;
    if (length >= NUMBER_MAX)
        return dls_scan_fail(scan, DLS_BAD_INPUT, NULL, "a number of %zu characters", length);
    memcpy(number, scan->token, length);
    number[length] = '\0';
    if (dls_read_real(number, &value, &behind, &why) == DLS_BAD_INPUT && behind > number)
        return dls_scan_fail(scan, DLS_BAD_INPUT, NULL, "%s", why.message);
    return DLS_OK;
}

dls_status dls_json_check_numbers(dls_scan *scan)
{
    bool in_string = false;
    for (const char *at = scan->at; at < scan->end;) {
        if (!in_string && (*at == '-' || (*at >= '0' && *at <= '9'))) {
            DLS_TRY(check_number(scan, &at));
            continue;
        }
        if (*at == '"')
            in_string = !in_string;
        at += in_string && *at == '\\' && at + 1 < scan->end ? 2 : 1;
    }
    return DLS_OK;
}

dls_status dls_json_next(dls_scan *scan, json_t **value)
{
    json_error_t why;
    scan->token = scan->at;
    *value = json_loadb(scan->at, dls_scan_left(scan), JSON_DISABLE_EOF_CHECK, &why);
    if (!*value) {
        if (json_error_code(&why) == json_error_out_of_memory)
            return dls_scan_fail(scan, DLS_NO_MEMORY, NULL, "no memory for what it holds");
        scan->token += why.position > 0 ? why.position - 1 : 0;
        return dls_scan_fail(scan, DLS_BAD_INPUT, NULL, "no valid JSON: %s", why.text);
    }
    scan->at += why.position;
    dls_scan_skip_space(scan);
    return DLS_OK;
}
