#include "json_text.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number that begins at *at, which is moved past it. It is copied, for no NUL ends the text. Every double can be
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

static bool json_begins_with(const char *at, const char *end, const char *word)
{
    return (size_t)(end - at) >= strlen(word) && memcmp(at, word, strlen(word)) == 0;
}

/* Writes a string over Python's Infinity or -Infinity at `at`, of the same length; false where there is neither. */
static bool replace_infinity(char **at, const char *end)
{
    static const char *const words[][2] = {{"Infinity", "\"+inf\"  "}, {"-Infinity", "\"-inf\"   "}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (json_begins_with(*at, end, words[i][0])) {
            memcpy(*at, words[i][1], strlen(words[i][0]));
            *at += strlen(words[i][0]);
            return true;
        }
    return false;
}

static dls_status check_words(dls_scan *scan, char *at)
{
    bool in_string = false;
    while (at < scan->end) {
        if (!in_string && replace_infinity(&at, scan->end))
            continue;
        if (!in_string && json_begins_with(at, scan->end, "NaN")) {
            scan->token = at;
            return dls_scan_fail(scan, DLS_NOT_FINITE, NULL, "NaN is not a value; give a number");
        }
        if (!in_string && (*at == '-' || (*at >= '0' && *at <= '9'))) {
            const char *behind = at;
            DLS_TRY(check_number(scan, &behind));
            at += behind - at;
            continue;
        }
        if (*at == '"')
            in_string = !in_string;
        at += in_string && *at == '\\' && at + 1 < scan->end ? 2 : 1;
    }
    return DLS_OK;
}

dls_status dls_json_begin(dls_scan *scan, char **copy)
{
    const size_t size = (size_t)(scan->end - scan->text), at = (size_t)(scan->at - scan->text);
    *copy = malloc(size + 1);
    if (!*copy)
        return dls_scan_fail(scan, DLS_NO_MEMORY, NULL, "no memory for a copy of the text");
    memcpy(*copy, scan->text, size);
    scan->text = *copy;
    scan->at = scan->token = *copy + at;
    scan->end = *copy + size;
    return check_words(scan, *copy + at);
}

bool dls_json_real(const json_t *value, double *number)
{
    const char *text = json_string_value(value);
    if (json_is_number(value))
        *number = json_number_value(value);
    else if (text && (strcmp(text, "+inf") == 0 || strcmp(text, "-inf") == 0))
        *number = *text == '-' ? -HUGE_VAL : HUGE_VAL;
    else
        return false;
    return true;
}

/* Says why jansson took no value, with the token at the word that it did not take. */
static dls_status refuse_value(dls_scan *scan, const json_error_t *why)
{
    const char *before;
    if (json_error_code(why) == json_error_out_of_memory)
        return dls_scan_fail(scan, DLS_NO_MEMORY, NULL, "no memory for what it holds");
    scan->token += why->position > 0 ? why->position - 1 : 0;
    if (json_error_code(why) == json_error_duplicate_key) {
        const char *end = scan->token + (scan->token < scan->end && *scan->token == '"');
        while (scan->token > scan->at && *--scan->token != '"')
            ;
        return dls_scan_fail(scan, DLS_BAD_INPUT, NULL, "the key %.*s is given twice; remove one",
                             (int)(end - scan->token), scan->token);
    }
    for (before = scan->token; before > scan->at && strchr(" \t\r\n", before[-1]); before--)
        ;
    if (scan->token < scan->end && strchr("]}", *scan->token) && before > scan->at && before[-1] == ',')
        return dls_scan_fail(scan, DLS_BAD_INPUT, NULL, "no valid JSON: a comma before '%c'; remove it", *scan->token);
    return dls_scan_fail(scan, DLS_BAD_INPUT, NULL, "no valid JSON: %s", why->text);
}

dls_status dls_json_next(dls_scan *scan, json_t **value)
{
    json_error_t why;
    scan->token = scan->at;
    *value = json_loadb(scan->at, dls_scan_left(scan), JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &why);
    if (!*value)
        return refuse_value(scan, &why);
    scan->at += why.position;
    dls_scan_skip_space(scan);
    return DLS_OK;
}
