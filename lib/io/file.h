/* file.h - checks of a file's bytes that every text format needs. Not installed. */
#ifndef DELASSUS_IO_FILE_H
#define DELASSUS_IO_FILE_H

#include "delassus/status.h"

#include <stdbool.h>

/* Skips the byte order mark of UTF-8, with which some programs begin a file. */
void dls_text_skip_mark(const char **text, size_t *size);
/* Text that is not empty, has no byte order mark that was not skipped, and no zero bytes, and is UTF-8. Errors have
 * `name` as their file, and line and column. */
dls_status dls_text_check(const char *text, size_t size, const char *name, dls_error *error);
/* Line and column (in characters, from 1) of the byte at `at`. */
void dls_text_place(const char *text, size_t at, long *line, long *column);

#endif
