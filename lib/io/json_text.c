#include "json_text.h"

#include "base/text.h"

dls_status dls_json_check_numbers(dls_scan *scan)
{
    bool in_string = false;
    for (const char *at = scan->at; at < scan->end; at++) {
        if (in_string && *at == '\\' && at + 1 < scan->end)
            at++;
        else if (*at == '"')
            in_string = !in_string;
        else if (!in_string && (*at == '-' || (*at >= '0' && *at <= '9'))) {
            double value;
            const char *behind;
            dls_error why;
            scan->token = at;
            if (dls_read_real(at, &value, &behind, &why) == DLS_BAD_INPUT && behind > at)
                return dls_scan_fail(scan, DLS_BAD_INPUT, NULL, "%s", why.message);
            at = behind > at ? behind - 1 : at;
        }
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
