#include "delassus/status.h"

#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *dls_status_text(dls_status status)
{
    static const char *const text[] = {
#define DLS_STATUS_TEXT(name, words) words,
        DLS_STATUS_LIST(DLS_STATUS_TEXT)
#undef DLS_STATUS_TEXT
    };
    return (size_t)status < sizeof text / sizeof text[0] ? text[status] : "unknown status";
}

static void copy_text(char *to, size_t size, const char *from) { snprintf(to, size, "%s", from ? from : ""); }

static void fill_error(dls_error *error, dls_status status, const char *format, va_list arguments)
{
    if (!error)
        return;
    memset(error, 0, sizeof *error);
    error->status = status;
    dls_print_list(error->message, sizeof error->message, format, arguments);
    for (char *c = error->message; *c; c++)
        *c = (char)((unsigned char)*c < 32 || *c == 127 ? '?' : *c);
}

dls_status dls_fail(dls_error *error, dls_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, status, format, arguments);
    va_end(arguments);
    return status;
}

dls_status dls_fail_about(dls_error *error, dls_status status, const char *file, const char *key, const char *format,
                          ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, status, format, arguments);
    va_end(arguments);
    return dls_fail_place(error, status, file, 0, 0, key);
}

dls_status dls_fail_at(dls_error *error, dls_status status, const char *file, long line, long column, const char *key,
                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, status, format, arguments);
    va_end(arguments);
    return dls_fail_place(error, status, file, line, column, key);
}

dls_status dls_fail_place(dls_error *error, dls_status status, const char *file, long line, long column,
                          const char *key)
{
    if (!error)
        return status;
    error->status = status;
    if (!error->file[0])
        copy_text(error->file, sizeof error->file, file);
    if (!error->line) {
        error->line = line;
        error->column = column;
    }
    if (!error->key[0])
        copy_text(error->key, sizeof error->key, key);
    return status;
}

void dls_error_format(const dls_error *error, char *text, size_t size)
{
    char place[DLS_PATH_MAX + 64] = "", key[DLS_NAME_MAX + 4] = "";
    if (error->file[0] && error->line)
        snprintf(place, sizeof place, "%s:%ld:%ld: ", error->file, error->line, error->column);
    else if (error->file[0])
        snprintf(place, sizeof place, "%s: ", error->file);
    if (error->key[0])
        snprintf(key, sizeof key, "%s: ", error->key);
    snprintf(text, size, "%s%s%s", place, key, error->message[0] ? error->message : dls_status_text(error->status));
}
