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
#include <stdio.h>

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

/* The shortest text in the format %g that dls_read_real reads as this number, with its number of digits; 17 digits of
 * one that it does not read (NaN). 25 characters at most. */
int dls_print_shortest(char *text, size_t size, double value);

/* Path of a file that is named in another one: from the folder of that one, or an absolute path as it is. False if it
 * is too long. */
bool dls_path_beside(const char *beside, const char *file, char path[DLS_PATH_MAX]);

/* Length of the sequence of UTF-8 at `text`, which has `left` bytes, or ends with a zero byte (Unicode standard, table
 * 3-7); 0 if there is none. */
size_t dls_utf8_length(const char *text, size_t left);

/* Writes text into XML 1.0 or HTML, between tags or in an attribute: signs of markup as their entities, tabs and line
 * ends as they are. Control characters, which these languages cannot have, and bytes that are not UTF-8 become U+FFFD.
 */
void dls_put_markup(FILE *to, const char *text);

/* Text of a value of errno, in English. */
const char *dls_system_text(int number);

#endif
