#include "scan.h"

#include "base/text.h"
#include "file.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dls_scan dls_scan_begin(const char *text, size_t size, const char *name, bool lines, dls_error *error)
{
    return (dls_scan){
        .text = text, .at = text, .end = text + size, .token = text, .name = name, .lines = lines, .error = error};
}

dls_status dls_scan_fail(const dls_scan *scan, dls_status status, const char *key, const char *format, ...)
{
    char message[DLS_MESSAGE_MAX];
    long line, column;
    va_list arguments;
    va_start(arguments, format);
    dls_print_list(message, sizeof message, format, arguments);
    va_end(arguments);
    dls_text_place(scan->text, (size_t)(scan->token - scan->text), &line, &column);
    return dls_fail_at(scan->error, status, scan->name, line, column, key, "%s", message);
}

static bool is_space(const dls_scan *scan, char c)
{
    return c == ' ' || c == '\t' || c == '\r' || (c == '\n' && !scan->lines);
}

void dls_scan_skip_space(dls_scan *scan)
{
    while (scan->at < scan->end && is_space(scan, *scan->at))
        scan->at++;
}

void dls_scan_skip_line(dls_scan *scan)
{
    while (scan->at < scan->end && *scan->at != '\n')
        scan->at++;
    scan->at += scan->at < scan->end;
}

dls_status dls_scan_word(dls_scan *scan, const char *what, char *word)
{
    dls_scan_skip_space(scan);
    scan->token = scan->at;
    while (scan->at < scan->end && *scan->at != '\n' && !is_space(scan, *scan->at))
        scan->at++;
    size_t length = (size_t)(scan->at - scan->token);
    if (length == 0)
        return dls_scan_fail(scan, DLS_BAD_INPUT, what, "missing; the %s ends here",
                             scan->token == scan->end ? "file" : "line");
    if (length >= DLS_TOKEN_MAX)
        return dls_scan_fail(scan, DLS_BAD_INPUT, what, "a word of %zu characters", length);
    memcpy(word, scan->token, length);
    word[length] = '\0';
    return DLS_OK;
}

dls_status dls_scan_keyword(dls_scan *scan, const char *keyword)
{
    char word[DLS_TOKEN_MAX];
    DLS_TRY(dls_scan_word(scan, keyword, word));
    return strcmp(word, keyword) == 0
               ? DLS_OK
               : dls_scan_fail(scan, DLS_BAD_INPUT, NULL, "expected '%s', found '%s'", keyword, word);
}

dls_status dls_scan_real(dls_scan *scan, const char *what, bool infinite, double *value)
{
    char word[DLS_TOKEN_MAX];
    const char *behind;
    dls_error why;
    DLS_TRY(dls_scan_word(scan, what, word));
    dls_status status = dls_read_real(word, value, &behind, &why);
    if (behind > word && (*behind == 'D' || *behind == 'd')) { /* Fortran's exponent of a double */
        char *letter = word + (behind - word), before = *letter;
        *letter = 'e';
        status = dls_read_real(word, value, &behind, &why);
        *letter = before;
    }
    if (*behind)
        return dls_scan_fail(scan, DLS_BAD_INPUT, what, "'%s' is not a number", word);
    if (status == DLS_BAD_INPUT)
        return dls_scan_fail(scan, status, what, "%s", why.message);
    if (status == DLS_NOT_FINITE || (isinf(*value) && !infinite))
        return dls_scan_fail(scan, DLS_NOT_FINITE, what, "'%s' is not a finite number", word);
    return DLS_OK;
}

dls_status dls_scan_reals(dls_scan *scan, const char *what, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++)
        DLS_TRY(dls_scan_real(scan, what, false, &values[i]));
    return DLS_OK;
}

dls_status dls_scan_count(dls_scan *scan, const char *what, size_t max, size_t *value)
{
    char word[DLS_TOKEN_MAX], *behind;
    DLS_TRY(dls_scan_word(scan, what, word));
    errno = 0;
    unsigned long long number = strtoull(word, &behind, 10);
    if (behind == word || *behind || strchr("-+", word[0]))
        return dls_scan_fail(scan, DLS_BAD_INPUT, what, "'%s' is not a whole number", word);
    if (errno || number > max)
        return dls_scan_fail(scan, DLS_BAD_INPUT, what, "%s is more than the %zu that can be here", word, max);
    *value = (size_t)number;
    return DLS_OK;
}

dls_status dls_scan_end_line(dls_scan *scan)
{
    dls_scan_skip_space(scan);
    scan->token = scan->at;
    if (scan->at < scan->end && *scan->at != '\n')
        return dls_scan_fail(scan, DLS_BAD_INPUT, NULL, "something stands behind the end of the record");
    while (scan->at < scan->end && *scan->at == '\n') {
        scan->at++;
        dls_scan_skip_space(scan);
        if (scan->at < scan->end && *scan->at == '#')
            while (scan->at < scan->end && *scan->at != '\n')
                scan->at++;
    }
    return DLS_OK;
}

bool dls_scan_at_end(const dls_scan *scan) { return scan->at == scan->end; }

dls_status dls_scan_end(dls_scan *scan)
{
    dls_scan_skip_space(scan);
    scan->token = scan->at;
    return dls_scan_at_end(scan)
               ? DLS_OK
               : dls_scan_fail(scan, DLS_BAD_INPUT, NULL, "something follows the end of the problem; remove it");
}

size_t dls_scan_left(const dls_scan *scan) { return (size_t)(scan->end - scan->at); }
