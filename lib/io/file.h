/* file.h - what every text format asks of a file's bytes. Not installed. */
#ifndef DELASSUS_IO_FILE_H
#define DELASSUS_IO_FILE_H

#include "delassus/status.h"

#include <stdbool.h>

/* Whether the text begins with a byte order mark. */
bool dls_text_marked(const char *text, size_t size);
/* Text that is not empty, has no byte order mark and no zero bytes, and is UTF-8. Errors have `name` as their file, and
 * line and column. */
dls_status dls_text_check(const char *text, size_t size, const char *name, dls_error *error);
/* Line and column (in characters, from 1) of the byte at `at`. */
void dls_text_place(const char *text, size_t at, long *line, long *column);

#endif
