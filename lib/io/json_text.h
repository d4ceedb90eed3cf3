/* json_text.h - JSON out of a text. Not installed. */
#ifndef DELASSUS_IO_JSON_TEXT_H
#define DELASSUS_IO_JSON_TEXT_H

#include "scan.h"

#include <jansson.h>

/* Copies the text, which the caller frees in every case, and goes on in the copy. Each number is checked, since jansson
 * reads one that is too small for a double as 0. Python's Infinity and -Infinity, which are no JSON, become values that
 * dls_json_real knows; NaN is DLS_NOT_FINITE. */
dls_status dls_json_begin(dls_scan *scan, char **copy);
/* The value of a number, which may be infinite; false for any other value. */
bool dls_json_real(const json_t *value, double *number);
/* The next value, which the caller releases; moves past it and the white space that follows. A key that is given
 * twice is refused. The token stays at its beginning, or where it is wrong. */
dls_status dls_json_next(dls_scan *scan, json_t **value);

#endif
