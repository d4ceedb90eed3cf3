/* text.h - numbers, messages and paths as text, the same in every locale. Not installed.
 *
 * The C library reads and writes numbers with the decimal point of the process's locale. Everything of ours that reads
 * or writes a number does it through the functions below, or between dls_locale_begin and dls_locale_end. */
#ifndef DELASSUS_BASE_TEXT_H
#define DELASSUS_BASE_TEXT_H

#include "delassus/status.h"

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>

/* Gives the calling thread the locale "C" and returns the one it had, which dls_locale_end gives back. */
locale_t dls_locale_begin(void);
void dls_locale_end(locale_t before);

/* snprintf and vsnprintf in the locale "C", with their result. */
int dls_print(char *text, size_t size, const char *format, ...) DLS_PRINTF(3, 4);
int dls_print_list(char *text, size_t size, const char *format, va_list arguments);

/* The number at the start of `text`, correctly rounded; *end is set past it. Infinity must be written as such: a
 * number beyond the range of a double, and one so small that it would become 0, is DLS_BAD_INPUT; NaN is
 * DLS_NOT_FINITE. */
dls_status dls_read_real(const char *text, double *value, const char **end, dls_error *error);

/* Path of a file that is named in another one: from the folder of that one, or an absolute path as it is. False if it
 * is too long. */
bool dls_path_beside(const char *beside, const char *file, char path[DLS_PATH_MAX]);

/* Text of a value of errno, in English. */
const char *dls_system_text(int number);

#endif
